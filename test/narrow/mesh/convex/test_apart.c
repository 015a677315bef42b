/*
 * The quick separation test of a body and a triangle: closed forms; then random pairs against the search for the normal. That search must
 * find apart what the test calls apart, find the normal that it reports, and find the same result to the last bit from every start.
 */
#include "narrow/mesh/convex/apart.h"

#include "narrow/normal/normal.h"
#include "narrow/mesh/convex/triangle_body.h"
#include "support/check.h"
#include "support/random.h"

static mesh_triangle make_triangle(abut_vec3 p, abut_vec3 q, abut_vec3 r) {
    mesh_triangle t = {.corner = {p, q, r}, .vertex = {0, 1, 2}};
    t.across = abut_cross(abut_sub(q, p), abut_sub(r, p));
    t.normal = abut_unit(t.across);
    return t;
}

static mesh_sight look(const convex *body, const mesh_triangle *t, double margin, mesh_facet *best) {
    mesh_apart known;
    mesh_apart_begin(&known, body, margin);
    return mesh_apart_look(&known, t, best);
}

/* A cube of side 2 with its base, a corner or an edge over or in a triangle at z = 0. */
static void closed_forms(void **state) {
    (void)state;
    abut_shape *cube = NULL;
    assert_ok(abut_shape_create_box(abut_vec3_make(1, 1, 1), &cube));
    mesh_triangle t = make_triangle(abut_vec3_make(-3, -3, 0), abut_vec3_make(3, -3, 0), abut_vec3_make(0, 4, 0));
    const abut_quat on_edge = abut_quat_about(abut_vec3_make(1, 0, 0), 0.25 * PI);
    const double edge = sqrt(2.0);
    const struct {
        double height, margin;
        abut_quat rotation;
        mesh_sight sight;
    } cases[] = {{1.01, 0.0, abut_quat_identity(), MESH_APART},    {1.01, 0.02, abut_quat_identity(), MESH_UNCLEAR},
                 {1.0, 0.0, abut_quat_identity(), MESH_UNCLEAR},   {0.99, 0.0, abut_quat_identity(), MESH_BY_NORMAL},
                 {edge + 0.01, 0.0, on_edge, MESH_APART},          {edge - 0.01, 0.0, on_edge, MESH_BY_NORMAL},
                 {-0.99, 0.0, abut_quat_identity(), MESH_UNCLEAR}, /* from below: not along its normal */
                 {-1.01, 0.0, abut_quat_identity(), MESH_APART}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        convex body = convex_place(cube, abut_mat3_from_quat(cases[i].rotation), abut_vec3_make(0, 0, cases[i].height), 0);
        mesh_facet best;
        assert_int_equal(look(&body, &t, cases[i].margin, &best), cases[i].sight);
    }
    abut_shape_release(cube);
}

static bool same_bits(const contact_normal *p, const contact_normal *q) {
    return p->direction.x == q->direction.x && p->direction.y == q->direction.y && p->direction.z == q->direction.z && p->gap == q->gap &&
           p->feature_a.kind == q->feature_a.kind && p->feature_a.index == q->feature_a.index && p->feature_b.kind == q->feature_b.kind &&
           p->feature_b.index == q->feature_b.index && p->chosen == q->chosen;
}

/* Counts the outcomes. */
typedef struct sightings {
    int32_t seen[3], missed;
} sightings;

static void check_one(const convex *body, const mesh_triangle *t, double margin, mesh_apart *known, sightings *all) {
    triangle_body flat;
    triangle_body_set(&flat, t);
    normal_settings settings = {.margin = margin, .minimum = true, .aside = {0.6, 0.0, 0.8}};
    contact_normal plain, begun;
    bool met = contact_normal_find(body, &flat.body, &settings, &plain);
    mesh_facet start;
    mesh_sight sight = mesh_apart_look(known, t, &start);
    settings.start_a = start.of_body;
    settings.start_b = start.of_triangle;
    all->seen[sight]++;
    assert_false(met && sight == MESH_APART);
    if (sight == MESH_BY_NORMAL) {
        assert_true(met && plain.gap < 0.0);
        assert_true(-abut_dot(plain.direction, t->normal) > 0.99984); /* one degree */
    }
    if (sight != MESH_APART) {
        assert_int_equal(contact_normal_find(body, &flat.body, &settings, &begun), met);
        assert_true(!met || same_bits(&plain, &begun));
    }
    if (!met) {
        all->missed += sight != MESH_APART && margin == 0.0 && plain.gap > 0.02 * body->size;
        mesh_apart_learn(known, plain.direction);
    }
}

static abut_shape *make_body(random_state *random, int kind, double size) {
    abut_shape *made = NULL;
    abut_vec3 half = abut_scale(size, random_vec3(random, 0.1, 1.0)), cloud[20];
    if (kind == 0) {
        assert_ok(abut_shape_create_box(half, &made));
    } else if (kind == 1) {
        assert_ok(abut_shape_create_capsule(half.x, half.z, &made));
    } else if (kind == 2) {
        assert_ok(abut_shape_create_prism(half.x, half.z, 12, &made));
    } else {
        for (int i = 0; i < 20; i++) {
            abut_vec3 u = random_direction(random);
            cloud[i] = abut_vec3_make(half.x * u.x, half.y * u.y, half.z * u.z);
        }
        assert_ok(abut_shape_create_hull(cloud, 20, &made));
    }
    return made;
}

static void against_the_search(void **state) {
    (void)state;
    random_state random = random_make(random_seed("against_the_search", 467));
    enum { KINDS = 4, TRIANGLES = 40 };
    sightings all[KINDS] = {{{0}, 0}};
    for (int sample = 0; sample < 200; sample++) {
        for (int kind = 0; kind < KINDS; kind++) {
            double size = random_log_range(&random, 1e-3, 1e3), margin = sample % 3 == 0 ? size * random_range(&random, 0.0, 0.2) : 0.0;
            abut_shape *shape = make_body(&random, kind, size);
            convex body = convex_place(shape, abut_mat3_from_quat(sample % 4 == 1 ? abut_quat_identity() : random_rotation(&random)),
                                       sample % 5 == 0 ? abut_scale(size, random_vec3(&random, -1, 1)) : abut_vec3_make(0, 0, 0), 0);
            mesh_apart known;
            mesh_apart_begin(&known, &body, margin);
            for (int i = 0; i < TRIANGLES; i++) {
                abut_vec3 at = abut_scale(size, random_vec3(&random, -1.2, 1.2)), corner[3];
                double spread = size * random_log_range(&random, 0.05, 5.0);
                for (int k = 0; k < 3; k++) {
                    corner[k] = abut_add_scaled(at, spread, random_vec3(&random, -1, 1));
                    corner[k].z = i % 3 == 0 ? at.z : corner[k].z; /* level: ties, if the body stands upright */
                }
                mesh_triangle t = make_triangle(corner[0], corner[1], corner[2]);
                check_one(&body, &t, margin, &known, &all[kind]);
            }
            abut_shape_release(shape);
        }
    }
    for (int kind = 0; kind < KINDS; kind++) {
        assert_true(all[kind].seen[MESH_APART] > 1000); /* otherwise the test would be useless */
        assert_true(all[kind].seen[MESH_UNCLEAR] > 500);
    }
    assert_true(all[0].seen[MESH_BY_NORMAL] > 50);
    assert_int_equal(all[0].missed, 0); /* for a box all directions are tried */
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(closed_forms), cmocka_unit_test(against_the_search)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
