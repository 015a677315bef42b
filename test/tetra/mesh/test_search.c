/* Candidates and intersections of tetrahedral meshes, compared with a test of every pair of elements: random elements, grids whose boxes touch, one mesh
 * with itself; small buffers, threads, exchanged meshes, invalid arguments, no memory. */
#include "tetra/mesh/search.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "support/allocator.h"
#include "support/check.h"
#include "support/random.h"
#include "support/tetra_grid.h"
#include "support/threads.h"
#include "tetra/mesh/view.h"

typedef abut_status question(const abut_tetra_mesh *a, const abut_tetra_mesh *b, const abut_parallel *parallel, abut_element_pair *pairs,
                             int64_t capacity, int64_t *count);

typedef struct answer {
    abut_element_pair *pairs;
    int64_t count;
} answer;

/* Elements of random size. They have separate vertices, or share a small set of vertices. */
static tetra_grid make_soup(random_state *random, int32_t elements, double reach, double size, bool shared) {
    tetra_grid g = {.vertex_count = shared ? elements : 4 * elements, .element_count = elements};
    g.vertices = check_memory((size_t)g.vertex_count, sizeof *g.vertices);
    g.elements = check_memory((size_t)(4 * elements), sizeof *g.elements);
    for (int32_t v = 0; v < g.vertex_count; v++) {
        abut_vec3 middle = shared || v % 4 == 0 ? random_vec3(random, -reach, reach) : g.vertices[v - v % 4];
        g.vertices[v] = abut_add_scaled(middle, shared ? 0.0 : size * random_range(random, 0, 1), random_direction(random));
    }
    for (int32_t i = 0; i < 4 * elements; i++) {
        g.elements[i] = shared ? random_below(random, g.vertex_count) : i;
    }
    return g;
}

static bool intersects(const abut_tetra_mesh *a, int32_t i, const abut_tetra_mesh *b, int32_t k) {
    abut_simplex p = mesh_element(a, i), q = mesh_element(b, k);
    abut_depth depth;
    assert_ok(abut_simplex_depth(&p, &q, NULL, &depth));
    return depth.relation == ABUT_DEPTH_INTERSECTING;
}

static answer by_brute_force(const abut_tetra_mesh *a, const abut_tetra_mesh *b, bool intersections) {
    const abut_tetra_mesh *second = b != NULL ? b : a;
    answer all = {check_memory((size_t)a->element_count * (size_t)second->element_count + 1, sizeof *all.pairs), 0};
    for (int32_t i = 0; i < a->element_count; i++) {
        abut_aabb box = mesh_box(a, i);
        for (int32_t k = b != NULL ? 0 : i + 1; k < second->element_count; k++) {
            abut_aabb other = mesh_box(second, k);
            if (mesh_boxes_meet(&box, &other) && !(b == NULL && mesh_share_vertex(a, i, k)) &&
                (!intersections || intersects(a, i, second, k))) {
                all.pairs[all.count++] = (abut_element_pair){i, k};
            }
        }
    }
    return all;
}

/* With exactly enough space, with less, and with none. Memory after the end of the buffer is unchanged. */
static void check_rooms(question *ask, const abut_tetra_mesh *a, const abut_tetra_mesh *b, const abut_parallel *parallel,
                        const answer *expected) {
    const int64_t rooms[] = {expected->count, expected->count + 3, expected->count / 2, 1, 0};
    abut_element_pair *pairs = check_memory((size_t)expected->count + 8, sizeof *pairs);
    for (size_t r = 0; r < sizeof rooms / sizeof *rooms; r++) {
        memset(pairs, 0xa5, ((size_t)expected->count + 8) * sizeof *pairs);
        int64_t count = -1, written = rooms[r] < expected->count ? rooms[r] : expected->count;
        assert_status(ask(a, b, parallel, rooms[r] > 0 ? pairs : NULL, rooms[r], &count),
                      expected->count > rooms[r] ? ABUT_ERROR_CAPACITY : ABUT_OK);
        assert_true(count == expected->count);
        assert_memory_equal(pairs, expected->pairs, (size_t)written * sizeof *pairs);
        for (int64_t i = written; i < expected->count + 8; i++) {
            assert_int_equal(pairs[i].a, (int32_t)0xa5a5a5a5);
        }
    }
    free(pairs);
}

static void check_meshes(const abut_tetra_mesh *a, const abut_tetra_mesh *b) {
    three_threads own = {0};
    const abut_parallel parallel[] = {{.threads = 0}, {.threads = 1}, {.threads = 2}, three_threads_parallel(&own)};
    for (int kind = 0; kind < 2; kind++) {
        question *ask = kind == 0 ? abut_tetra_mesh_candidates : abut_tetra_mesh_intersections;
        answer expected = by_brute_force(a, b, kind == 1);
        for (size_t k = 0; k < sizeof parallel / sizeof *parallel; k++) {
            check_rooms(ask, a, b, &parallel[k], &expected);
        }
        check_rooms(ask, a, b, NULL, &expected);
        free(expected.pairs);
    }
}

static void soups(void **state) {
    (void)state;
    random_state random = random_make(random_seed("soups", 1));
    int32_t samples = random_samples("soups", 50);
    for (int32_t i = 0; i < samples; i++) {
        double unit = random_log_range(&random, 1e-3, 1e3), far = i % 3 == 0 ? 100.0 * unit : unit;
        bool shared = i % 4 == 3;
        tetra_grid p = make_soup(&random, 1 + random_below(&random, 300), far, 0.4 * unit, shared);
        tetra_grid q = make_soup(&random, 1 + random_below(&random, 300), far, 0.4 * unit, shared);
        abut_tetra_mesh a = tetra_grid_mesh(&p), b = tetra_grid_mesh(&q);
        if (shared) { /* elements across the whole region: only a few, because all of them meet */
            a.element_count = b.element_count = 1 + (a.element_count < b.element_count ? a.element_count : b.element_count) / 5;
        }
        check_meshes(&a, &b);
        check_meshes(&a, NULL);
        tetra_grid_release(&p);
        tetra_grid_release(&q);
    }
}

/* Equal coordinates: boxes and elements that touch in points, edges and faces, and equal elements. */
static void grids(void **state) {
    (void)state;
    tetra_grid p = tetra_grid_block(3, 4, 2, abut_vec3_make(3, 4, 2)), q = tetra_grid_block(2, 2, 3, abut_vec3_make(2, 2, 3));
    abut_tetra_mesh a = tetra_grid_mesh(&p), b = tetra_grid_mesh(&q);
    check_meshes(&a, &a);
    check_meshes(&a, NULL);
    const abut_vec3 by[] = {{0, 0, 0}, {1, 1, 0}, {5, 0, 0}, {5, 6, 5}, {6, 0, 0}, {0.5, 0.25, 0.125}};
    for (size_t i = 0; i < sizeof by / sizeof *by; i++) {
        tetra_grid_place(&q, abut_quat_identity(), by[i]);
        check_meshes(&a, &b);
        check_meshes(&b, &a);
        tetra_grid_place(&q, abut_quat_identity(), abut_neg(by[i]));
    }
    /* A neighbour that only touches does not intersect; the mesh intersects itself. */
    int64_t count;
    tetra_grid_place(&q, abut_quat_identity(), abut_vec3_make(5, 0, 0));
    assert_status(abut_tetra_mesh_candidates(&a, &b, NULL, NULL, 0, &count), ABUT_ERROR_CAPACITY);
    assert_true(count > 10);
    assert_ok(abut_tetra_mesh_intersections(&a, &b, NULL, NULL, 0, &count));
    assert_true(count == 0);
    assert_status(abut_tetra_mesh_intersections(&a, &a, NULL, NULL, 0, &count), ABUT_ERROR_CAPACITY);
    assert_true(count >= a.element_count);
    assert_ok(abut_tetra_mesh_intersections(&a, NULL, NULL, NULL, 0, &count));
    assert_true(count == 0);
    tetra_grid_release(&p);
    tetra_grid_release(&q);
}

static int by_swapped(const void *p, const void *q) {
    const abut_element_pair *u = p, *v = q;
    return u->b != v->b ? (u->b < v->b ? -1 : 1) : u->a < v->a ? -1 : u->a > v->a;
}

static void exchanged(void **state) {
    (void)state;
    tetra_grid p = tetra_grid_ball(8, 1.0), q = tetra_grid_ball(7, 0.8);
    tetra_grid_place(&q, abut_quat_about(abut_unit(abut_vec3_make(1, 2, 3)), 0.4), abut_vec3_make(1.2, 0.3, 0.2));
    abut_tetra_mesh a = tetra_grid_mesh(&p), b = tetra_grid_mesh(&q);
    for (int kind = 0; kind < 2; kind++) {
        question *ask = kind == 0 ? abut_tetra_mesh_candidates : abut_tetra_mesh_intersections;
        int64_t count, again;
        assert_status(ask(&a, &b, NULL, NULL, 0, &count), ABUT_ERROR_CAPACITY);
        abut_element_pair *there = check_memory((size_t)count, sizeof *there), *back = check_memory((size_t)count, sizeof *back);
        assert_ok(ask(&a, &b, NULL, there, count, &again));
        assert_ok(ask(&b, &a, NULL, back, count, &again));
        assert_true(count == again && count > 500);
        qsort(back, (size_t)count, sizeof *back, by_swapped);
        for (int64_t i = 0; i < count; i++) {
            assert_true(there[i].a == back[i].b && there[i].b == back[i].a);
        }
        free(there);
        free(back);
    }
    tetra_grid_release(&p);
    tetra_grid_release(&q);
}

/* From the smallest to the largest doubles. */
static void any_size(void **state) {
    (void)state;
    const double sizes[] = {1e-300, 1e-160, 1e-30, 1e30, 1e150, 1e300, 1e307};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        tetra_grid p = tetra_grid_block(2, 3, 2, abut_vec3_make(sizes[s], sizes[s], sizes[s])), q = tetra_grid_ball(3, sizes[s]);
        abut_tetra_mesh a = tetra_grid_mesh(&p), b = tetra_grid_mesh(&q);
        check_meshes(&a, NULL);
        if (sizes[s] < 1e150 && sizes[s] > 1e-150) { /* tetra_grid_ball() squares */
            check_meshes(&a, &b);
        }
        answer boxes = by_brute_force(&a, &a, false);
        assert_true(boxes.count > 0);
        check_rooms(abut_tetra_mesh_candidates, &a, &a, NULL, &boxes);
        free(boxes.pairs);
        tetra_grid_release(&p);
        tetra_grid_release(&q);
    }
    tetra_grid p = tetra_grid_block(2, 3, 2, abut_vec3_make(1.5e308, 1.5e308, 1.5e308));
    abut_tetra_mesh a = tetra_grid_mesh(&p);
    answer boxes = by_brute_force(&a, &a, false);
    check_rooms(abut_tetra_mesh_candidates, &a, &a, NULL, &boxes);
    int64_t count = 1;
    assert_status(abut_tetra_mesh_intersections(&a, &a, NULL, NULL, 0, &count), ABUT_ERROR_NOT_FINITE);
    assert_true(count == 0);
    free(boxes.pairs);
    tetra_grid_release(&p);
}

static void only_what_changed_or_differs(void **state) {
    (void)state;
    tetra_grid p = tetra_grid_ball(6, 1.0), q = tetra_grid_ball(6, 1.0);
    tetra_grid_place(&q, abut_quat_identity(), abut_vec3_make(0.9, 0.1, 0.3));
    abut_tetra_mesh a = tetra_grid_mesh(&p), b = tetra_grid_mesh(&q);
    uint8_t *changed_a = check_memory((size_t)a.element_count, 1), *changed_b = check_memory((size_t)b.element_count, 1);
    int32_t *group_a = check_memory((size_t)a.element_count, sizeof *group_a),
            *group_b = check_memory((size_t)b.element_count, sizeof *group_b);
    for (int32_t i = 0; i < a.element_count; i++) {
        changed_a[i] = i % 5 == 0;
        changed_b[i] = i % 7 == 0;
        group_a[i] = i % 3 - 1;
        group_b[i] = i % 4 - 1;
    }
    for (int self = 0; self < 2; self++) {
        const mesh_search all = {.a = &a, .b = self ? NULL : &b, .kind = MESH_SEARCH_BOXES};
        mesh_search some = all;
        some.changed_a = changed_a;
        some.changed_b = self ? NULL : changed_b;
        mesh_found found, kept;
        abut_element_pair *pairs, *changed;
        assert_ok(mesh_search_all(&all, &pairs, &found));
        assert_ok(mesh_search_all(&some, &changed, &kept));
        int64_t next = 0;
        for (int64_t i = 0; i < found.count; i++) {
            if (changed_a[pairs[i].a] || (self ? changed_a : changed_b)[pairs[i].b]) {
                assert_true(next < kept.count && changed[next].a == pairs[i].a && changed[next].b == pairs[i].b);
                ++next;
            }
        }
        assert_true(next == kept.count && next > 0);
        some.changed_a = some.changed_b = NULL;
        some.group_a = group_a;
        some.group_b = self ? NULL : group_b;
        memory_release(changed);
        assert_ok(mesh_search_all(&some, &changed, &kept));
        next = 0;
        for (int64_t i = 0; i < found.count; i++) {
            int32_t of_a = group_a[pairs[i].a], of_b = (self ? group_a : group_b)[pairs[i].b];
            if (of_a < 0 || of_a != of_b) {
                assert_true(next < kept.count && changed[next].a == pairs[i].a && changed[next].b == pairs[i].b);
                ++next;
            }
        }
        assert_true(next == kept.count && next < found.count);
        memory_release(pairs);
        memory_release(changed);
    }
    free(changed_a);
    free(changed_b);
    free(group_a);
    free(group_b);
    tetra_grid_release(&p);
    tetra_grid_release(&q);
}

static void errors(void **state) {
    (void)state;
    abut_vec3 at[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {5, 5, 5}};
    int32_t element[4] = {0, 1, 2, 3};
    abut_element_pair pair = {7, 7};
    const abut_tetra_mesh good = {at, 5, element, 1}, empty = {NULL, 0, NULL, 0};
    const abut_tetra_mesh bad[] = {{NULL, 5, element, 1}, {at, 5, NULL, 1},    {at, -1, element, 0},
                                   {at, 5, element, -1},  {at, 3, element, 1}, {at, 5, element, INT32_C(1) << 29}};
    question *const questions[] = {abut_tetra_mesh_candidates, abut_tetra_mesh_intersections};
    for (int k = 0; k < 2; k++) {
        int64_t count = 3;
        question *ask = questions[k];
        assert_status(ask(&good, &good, NULL, &pair, 1, NULL), ABUT_ERROR_INVALID_ARGUMENT);
        assert_status(ask(NULL, &good, NULL, &pair, 1, &count), ABUT_ERROR_INVALID_ARGUMENT);
        assert_true(count == 0);
        assert_status(ask(&good, &good, NULL, NULL, 1, &count), ABUT_ERROR_INVALID_ARGUMENT);
        assert_status(ask(&good, &good, NULL, &pair, -1, &count), ABUT_ERROR_INVALID_ARGUMENT);
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            assert_status(ask(&bad[i], &good, NULL, &pair, 1, &count), ABUT_ERROR_INVALID_ARGUMENT);
            assert_status(ask(&good, &bad[i], NULL, &pair, 1, &count), ABUT_ERROR_INVALID_ARGUMENT);
            assert_status(ask(&bad[i], NULL, NULL, &pair, 1, &count), ABUT_ERROR_INVALID_ARGUMENT);
        }
        element[2] = -1;
        assert_status(ask(&good, NULL, NULL, &pair, 1, &count), ABUT_ERROR_INVALID_ARGUMENT);
        element[2] = 2;
        at[4].y = NAN; /* of no element */
        assert_status(ask(&good, &good, NULL, &pair, 1, &count), ABUT_ERROR_NOT_FINITE);
        at[4].y = 5;
        assert_ok(ask(&empty, &good, NULL, NULL, 0, &count));
        assert_ok(ask(&good, &empty, NULL, NULL, 0, &count));
        assert_ok(ask(&empty, NULL, NULL, NULL, 0, &count));
        assert_ok(ask(&good, NULL, NULL, NULL, 0, &count));
        assert_int_equal(pair.a, 7);
        assert_ok(ask(&good, &good, NULL, &pair, 1, &count));
        assert_true(count == 1 && pair.a == 0 && pair.b == 0);
        pair.a = pair.b = 7;
    }
}

static void without_memory(void **state) {
    (void)state;
    tetra_grid p = tetra_grid_ball(4, 1.0), q = tetra_grid_ball(4, 1.0);
    tetra_grid_place(&q, abut_quat_identity(), abut_vec3_make(1, 0, 0));
    abut_tetra_mesh a = tetra_grid_mesh(&p), b = tetra_grid_mesh(&q);
    const abut_parallel alone = {.threads = 1};
    enum { ROOM = 100 };
    abut_element_pair pairs[ROOM];
    counting_allocator memory = {.refuse_at = -1};
    int64_t refused = 0;
    do {
        memset(pairs, 0xa5, sizeof pairs);
        memory = (counting_allocator){.refuse_at = refused++};
        counting_allocator_install(&memory);
        int64_t count = 5;
        abut_status status = abut_tetra_mesh_intersections(&a, &b, &alone, pairs, ROOM, &count);
        counting_allocator_remove();
        assert_status(status, memory.refused ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_ERROR_CAPACITY);
        assert_true((count == 0) == memory.refused);
        assert_true((pairs[0].a == (int32_t)0xa5a5a5a5) == memory.refused);
        assert_int_equal(memory.live, 0);
    } while (memory.refused);
    assert_true(refused > 6);
    tetra_grid_release(&p);
    tetra_grid_release(&q);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(soups),          cmocka_unit_test(grids),  cmocka_unit_test(exchanged),
        cmocka_unit_test(any_size),       cmocka_unit_test(errors), cmocka_unit_test(only_what_changed_or_differs),
        cmocka_unit_test(without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
