/* Surfaces of implicit bodies: closed, outward, on the surface, with the right number of holes, and as large as the body. */
#include "shape/surface/level_set.h"

#include <math.h>
#include <stdlib.h>

#include "support/check.h"
#include "support/user_surface.h"

/* Within a box that cuts it: the box closes it. */
static void tube(void *context, abut_vec3 p, abut_implicit_point *at) {
    (void)context;
    *at = (abut_implicit_point){.value = p.x * p.x + p.y * p.y - 1.0};
}

/* Two balls. */
static void twins(void *context, abut_vec3 p, abut_implicit_point *at) {
    (void)context;
    double x = fabs(p.x) - 1.0;
    *at = (abut_implicit_point){.value = x * x + p.y * p.y + p.z * p.z - 0.49};
}

static void nothing(void *context, abut_vec3 p, abut_implicit_point *at) {
    (void)context;
    *at = (abut_implicit_point){.value = isfinite(p.x) ? NAN : 1.0};
}

typedef struct edge {
    int32_t from, to;
} edge;

static int compare_edges(const void *a, const void *b) {
    const edge *p = a, *q = b;
    return p->from != q->from ? (p->from > q->from) - (p->from < q->from) : (p->to > q->to) - (p->to < q->to);
}

/* Every edge has its opposite, and none occurs twice. */
static void check_closed(const int32_t *corners, int32_t triangles) {
    size_t count = 3 * (size_t)triangles;
    edge *edges = check_memory(count + 1, sizeof *edges);
    for (size_t i = 0; i < count; i++) {
        edges[i] = (edge){corners[i], corners[i % 3 == 2 ? i - 2 : i + 1]};
        assert_int_not_equal(edges[i].from, edges[i].to);
    }
    qsort(edges, count, sizeof *edges, compare_edges);
    for (size_t i = 0; i < count; i++) {
        edge back = {edges[i].to, edges[i].from};
        assert_non_null(bsearch(&back, edges, count, sizeof *edges, compare_edges));
        assert_true(i == 0 || compare_edges(&edges[i - 1], &edges[i]) != 0);
    }
    free(edges);
}

/* euler: vertices - edges + faces, 2 for each part less 2 for each hole. */
static void check_level_set(const abut_implicit_def *def, int euler, double volume, bool borders) {
    int32_t vertex_count, triangle_count, vertices_again, triangles_again;
    level_set_make(def, NULL, NULL, &vertex_count, &triangle_count);
    abut_vec3 *vertices = check_memory((size_t)vertex_count + 1, sizeof *vertices);
    int32_t *corners = check_memory(3 * (size_t)triangle_count + 1, sizeof *corners);
    level_set_make(def, vertices, corners, &vertices_again, &triangles_again);
    assert_true(vertices_again == vertex_count && triangles_again == triangle_count);
    check_closed(corners, triangle_count);
    assert_int_equal(2 * (vertex_count - euler), triangle_count);
    double found = 0.0;
    for (int32_t t = 0; t < triangle_count; t++) {
        const int32_t *c = corners + 3 * t;
        assert_true(c[0] < vertex_count && c[1] < vertex_count && c[2] < vertex_count);
        found += abut_dot(vertices[c[0]], abut_cross(vertices[c[1]], vertices[c[2]])) / 6.0;
    }
    assert_near(found, volume, 0.03 * volume);
    for (int32_t v = 0; v < vertex_count && !borders; v++) {
        abut_implicit_point at;
        def->function(def->context, vertices[v], &at);
        assert_near(at.value, 0.0, 1e-12);
    }
    free(vertices);
    free(corners);
}

static void bodies(void **state) {
    (void)state;
    user_torus t = {.ring = 2.0, .tube = 0.6};
    user_ellipsoid e = {.half = {0.9, 0.5, 0.7}, .middle = {1, 2, 3}};
    const abut_implicit_def torus = user_torus_implicit(&t), ellipsoid = user_ellipsoid_implicit(&e);
    const abut_implicit_def pair = {.function = twins, .bounds = {{-1.8, -0.8, -0.8}, {1.8, 0.8, 0.8}}};
    const abut_implicit_def cut = {.function = tube, .bounds = {{-1.3, -1.3, -1.0}, {1.3, 1.3, 1.0}}};
    const abut_implicit_def none = {.function = nothing, .bounds = {{-1, -1, -1}, {1, 1, 1}}};
    check_level_set(&torus, 0, 2.0 * PI * PI * 2.0 * 0.36, false);
    check_level_set(&ellipsoid, 2, 4.0 / 3.0 * PI * 0.9 * 0.5 * 0.7, false);
    check_level_set(&pair, 4, 2.0 * 4.0 / 3.0 * PI * 0.343, false);
    check_level_set(&cut, 2, 2.0 * PI, true);
    check_level_set(&none, 0, 0.0, false);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(bodies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
