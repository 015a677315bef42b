/*
 * The published rule and its first version against Terdiman's text, written down again: random terrain of small whole numbers, so that ties are exact. The
 * contacts must be the same, also where abut's own rule differs: over vertices and edges, and behind walls. Smoothed normals and Voronoi regions: closed forms.
 */
#include <abut/mesh.h>

#include <string.h>

#include "support/check.h"

enum { MOST = 128 };

typedef struct surface {
    abut_vec3 vertex[MOST];
    int32_t triangle[MOST][3];
    int32_t vertex_count, triangle_count;
} surface;

/* A contact of a triangle: its feature by corners, so that 7 is the face. */
typedef struct potential {
    int32_t triangle;
    int corners, size; /* bits of the corners of the feature, and their number */
    abut_vec3 closest;
    double distance;
} potential;

/* ---- the paper ---- */

/* The closest feature: the smallest one on which the closest of the feet on all features lies. */
static potential closest_of(const surface *s, int32_t t, abut_vec3 centre) {
    potential best = {.triangle = t, .distance = INFINITY};
    abut_vec3 p[3];
    for (int i = 0; i < 3; i++) {
        p[i] = abut_sub(s->vertex[s->triangle[t][i]], centre);
        if (abut_length(p[i]) < best.distance) {
            best = (potential){t, 1 << i, 1, p[i], abut_length(p[i])};
        }
    }
    abut_vec3 n = abut_cross(abut_sub(p[1], p[0]), abut_sub(p[2], p[0]));
    bool inside = true;
    for (int i = 0; i < 3; i++) {
        int k = (i + 1) % 3;
        abut_vec3 e = abut_sub(p[k], p[i]);
        double along = -abut_dot(p[i], e), whole = abut_length_squared(e);
        abut_vec3 foot = abut_add_scaled(p[i], along / whole, e);
        if (along > 0.0 && along < whole && abut_length(foot) < best.distance) {
            best = (potential){t, 1 << i | 1 << k, 2, foot, abut_length(foot)};
        }
        inside = inside && abut_dot(abut_cross(n, e), p[i]) < 0.0;
    }
    if (inside) {
        abut_vec3 foot = abut_scale(abut_dot(n, p[0]) / abut_length_squared(n), n);
        best = (potential){t, 7, 3, foot, abut_length(foot)};
    }
    return best;
}

static bool contains(const surface *s, int32_t t, const potential *c) {
    int found = 0;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            found += (c->corners & 1 << i) != 0 && s->triangle[c->triangle][i] == s->triangle[t][k];
        }
    }
    return found == c->size;
}

/* The delayed contacts in the order in which they are processed. */
static int before(const potential *p, const potential *q, bool sorted) {
    int passes = sorted ? (p->distance > q->distance) - (p->distance < q->distance) : q->size - p->size;
    return passes != 0 ? passes : p->triangle - q->triangle;
}

/* Processes one pass over sorted potentials. V: all those before. */
static int32_t process(const surface *s, const potential *all, int32_t count, potential *kept) {
    int32_t number = 0;
    for (int32_t i = 0; i < count; i++) {
        bool voided = false;
        for (int32_t k = 0; k < i && all[i].size < 3; k++) {
            voided = voided || contains(s, all[k].triangle, &all[i]);
        }
        if (!voided) {
            kept[number++] = all[i];
        }
    }
    return number;
}

/* -1: two features are equally near, or one at the limit of the reach, up to rounding errors. */
static int32_t by_the_paper(const surface *s, abut_vec3 centre, double reach, bool sorted, potential *kept) {
    potential all[MOST];
    int32_t count = 0;
    for (int size = 3; size > 0; size -= 2) { /* faces first */
        for (int32_t t = 0; t < s->triangle_count; t++) {
            potential c = closest_of(s, t, centre);
            const abut_vec3 *v = s->vertex;
            const int32_t *i = s->triangle[t];
            abut_vec3 n = abut_cross(abut_sub(v[i[1]], v[i[0]]), abut_sub(v[i[2]], v[i[0]]));
            if (fabs(c.distance - reach) < 1e-9) {
                return -1;
            }
            if (abut_dot(n, abut_sub(centre, v[i[0]])) >= 0.0 && c.distance <= reach && (c.size == 3) == (size == 3)) {
                int32_t at = count++;
                for (; size < 3 && at > 0 && all[at - 1].size < 3 && before(&c, &all[at - 1], sorted) < 0; at--) {
                    all[at] = all[at - 1];
                }
                all[at] = c;
            }
        }
    }
    for (int32_t i = 1; i < count && sorted; i++) {
        bool same = contains(s, all[i].triangle, &all[i - 1]) && all[i].size == all[i - 1].size;
        if (all[i - 1].size < 3 && !same && all[i].distance - all[i - 1].distance < 1e-9) {
            return -1;
        }
    }
    return process(s, all, count, kept);
}

/* ---- the comparison ---- */

static surface random_terrain(random_state *random) {
    surface s = {.vertex_count = 0};
    int32_t n = 3 + random_below(random, 4), rough = random_below(random, 7);
    for (int32_t i = 0; i < n * n; i++) {
        s.vertex[s.vertex_count++] = abut_vec3_make(i % n, i / n, 0.5 * random_below(random, rough + 1));
    }
    for (int32_t cell = 0; cell < (n - 1) * (n - 1); cell++) {
        int32_t a = cell / (n - 1) * n + cell % (n - 1), b = a + 1, c = a + n + 1, d = a + n;
        bool turned = random_below(random, 2) == 0;
        const int32_t two[2][3] = {{a, b, turned ? c : d}, {turned ? a : b, c, d}};
        memcpy(s.triangle[s.triangle_count], two, sizeof two);
        s.triangle_count += 2;
    }
    for (int32_t i = s.triangle_count - 1; i > 0; i--) {
        int32_t k = random_below(random, i + 1), swap[3];
        memcpy(swap, s.triangle[i], sizeof swap);
        memcpy(s.triangle[i], s.triangle[k], sizeof swap);
        memcpy(s.triangle[k], swap, sizeof swap);
    }
    return s;
}

static abut_shape *mesh_of(const surface *s) {
    abut_trimesh_def def = abut_trimesh_def_default();
    def.vertices = s->vertex;
    def.vertex_count = s->vertex_count;
    def.triangles = &s->triangle[0][0];
    def.triangle_count = s->triangle_count;
    abut_shape *mesh = NULL;
    assert_ok(abut_shape_create_trimesh(&def, NULL, &mesh));
    return mesh;
}

static int32_t ask(const abut_shape *mesh, abut_vec3 centre, double radius, double margin, abut_mesh_rule rule, abut_contact *contacts) {
    abut_collide_settings settings = abut_collide_settings_default();
    settings.margin = margin;
    settings.baseline.mesh_rule = rule;
    settings.baseline.mesh_identity = ABUT_MESH_BY_INDEX;
    abut_pose at = {centre, abut_quat_identity()};
    abut_shape *ball = NULL;
    int32_t count;
    assert_ok(abut_shape_create_sphere(radius, &ball));
    assert_ok(abut_collide(&(abut_pair){ball, at, mesh, abut_pose_identity()}, &settings, NULL, contacts, MOST, &count));
    abut_shape_release(ball);
    return count;
}

static bool is_contact(const potential *want, const abut_contact *c, double radius, abut_vec3 centre) {
    static const abut_feature_kind kinds[] = {ABUT_FEATURE_NONE, ABUT_FEATURE_VERTEX, ABUT_FEATURE_EDGE, ABUT_FEATURE_FACE};
    double turn = want->distance > 0.0 ? abut_distance_between(c->normal, abut_scale(-1.0 / want->distance, want->closest)) : 0.0;
    return c->feature_b.kind == kinds[want->size] && fabs(c->gap - (want->distance - radius)) < 1e-12 && turn < 1e-12 &&
           abut_distance_between(abut_sub(c->on_b, centre), want->closest) < 1e-12;
}

static void terrain(void **state) {
    (void)state;
    random_state random = random_make(random_seed("terrain", 71));
    int32_t compared = 0, differ = 0, ties = 0;
    for (int32_t i = 0; i < 4000; i++) {
        surface s = random_terrain(&random);
        abut_shape *mesh = mesh_of(&s);
        double quarter = 0.25 * random_below(&random, 2), radius = random_range(&random, 0.1, 2.0),
               margin = random_range(&random, 0.0, 1.0);
        abut_vec3 centre = s.vertex[random_below(&random, s.vertex_count)];
        centre = abut_add(centre, abut_vec3_make(quarter * random_below(&random, 5), quarter * random_below(&random, 5),
                                                 0.25 * (random_below(&random, 12) - 2)));
        for (int sorted = 0; sorted < 2; sorted++) {
            potential kept[MOST];
            abut_contact c[MOST], own[MOST];
            int32_t want = by_the_paper(&s, centre, radius + margin, sorted, kept);
            int32_t count = ask(mesh, centre, radius, margin, sorted ? ABUT_MESH_PUBLISHED : ABUT_MESH_THREE_PASSES, c);
            if (want < 0) {
                ties++;
                continue;
            }
            assert_int_equal(count, want);
            for (int32_t k = 0; k < want; k++) {
                int32_t at = 0;
                while (at < count && !is_contact(&kept[k], &c[at], radius, centre)) {
                    at++;
                }
                assert_true(at < count);
            }
            compared++;
            differ += ask(mesh, centre, radius, margin, ABUT_MESH_SURFACE, own) != want;
        }
        abut_shape_release(mesh);
    }
    assert_true(compared > 5000 && ties < 3000);
    assert_true(differ > 100); /* abut's own rule is another one */
}

/* A ball over a roof of two squares. Smoothed normals turn evenly from the border to the edge; Voronoi normals only beyond it. */
static void roof(void **state) {
    (void)state;
    surface s = {
        {{-2, -1, 0}, {0, -1, 1}, {0, 1, 1}, {-2, 1, 0}, {2, -1, 0}, {2, 1, 0}}, {{0, 1, 2}, {0, 2, 3}, {1, 4, 5}, {1, 5, 2}}, 6, 4};
    abut_shape *mesh = mesh_of(&s);
    const double side = sqrt(0.8), up = sqrt(0.2); /* of the normal of the right half: (up, 0, side) */
    abut_contact c[MOST];
    /* On the edge's normal: on the right half from x = 0 to 2 the normal turns from (0, 0, 1) to that of the half. */
    abut_vec3 at = abut_add_scaled(abut_vec3_make(1, 0, 0.5), 0.4, abut_vec3_make(up, 0, side));
    assert_int_equal(ask(mesh, at, 0.5, 0.0, ABUT_MESH_SMOOTHED_NORMALS, c), 2); /* on the diagonal of the half: both triangles */
    abut_vec3 normal = abut_unit(abut_add(abut_vec3_make(up, 0, side), abut_vec3_make(0, 0, 1)));
    assert_vec3_near(c[0].normal, normal, 1e-12);
    assert_near(c[0].gap, 0.4 * abut_dot(normal, abut_vec3_make(up, 0, side)) - 0.5, 1e-12);
    at.y = 0.2;
    assert_int_equal(ask(mesh, at, 0.5, 0.0, ABUT_MESH_VORONOI, c),
                     2); /* the closest point of the other triangle is on the flat diagonal */
    assert_vec3_near(c[0].normal, abut_vec3_make(up, 0, side), 1e-12);
    assert_vec3_near(c[1].normal, abut_vec3_make(up, 0, side), 1e-12);
    /* Over the right half, near the edge: the left half's direction to the ball is turned to the right half's normal. */
    at = abut_add_scaled(abut_vec3_make(0.1, 0.2, 0.95), 0.4, abut_vec3_make(up, 0, side));
    int32_t count = ask(mesh, at, 0.5, 0.0, ABUT_MESH_VORONOI, c);
    assert_true(count >= 2);
    for (int32_t i = 0; i < count; i++) {
        assert_vec3_near(c[i].normal, abut_vec3_make(up, 0, side), 1e-12);
    }
    /* Right over the edge both halves have it, upright. */
    count = ask(mesh, abut_vec3_make(0, 0.2, 1.4), 0.5, 0.0, ABUT_MESH_VORONOI, c);
    assert_true(count >= 2);
    for (int32_t i = 0; i < count; i++) {
        assert_vec3_near(c[i].normal, abut_vec3_make(0, 0, 1), 1e-12);
        assert_near(c[i].gap, -0.1, 1e-12);
    }
    abut_shape_release(mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(terrain), cmocka_unit_test(roof)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
