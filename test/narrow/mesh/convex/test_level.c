/*
 * Triangles that only their own normal serves, beside the search for the normal of least depth: that normal is the triangle's own, or it leans by so much that
 * a flat place admits it nowhere.
 */
#include "narrow/mesh/convex/level.h"

#include <abut/smooth.h>

#include <math.h>
#include <stdlib.h>

#include "narrow/mesh/convex/triangle_body.h"
#include "narrow/normal/gauge.h"
#include "narrow/normal/normal.h"
#include "support/check.h"
#include "support/random.h"
#include "support/shapes.h"

enum { CELLS = 12 };

/* A flat sheet of width 2 about the origin. */
static mesh_set make_sheet(random_state *random) {
    mesh_set set;
    abut_vec3 point[(CELLS + 1) * (CELLS + 1)];
    mesh_set_init(&set);
    set.items = check_memory(2 * CELLS * CELLS, sizeof *set.items);
    for (int32_t v = 0; v < (CELLS + 1) * (CELLS + 1); v++) {
        double x = v % (CELLS + 1) + random_range(random, -0.3, 0.3), y = v / (CELLS + 1) + random_range(random, -0.3, 0.3);
        point[v] = abut_vec3_make(2.0 * x / CELLS - 1.0, 2.0 * y / CELLS - 1.0, 0.0);
    }
    for (int32_t i = 0; i < 2 * CELLS * CELLS; i++) {
        int32_t a = i / 2 / CELLS * (CELLS + 1) + i / 2 % CELLS, b = a + 1, c = b + CELLS + 1, d = a + CELLS + 1;
        const int32_t corner[3] = {a, i % 2 == 0 ? b : c, i % 2 == 0 ? c : d};
        mesh_triangle *t = &set.items[set.count++];
        *t = (mesh_triangle){.index = i};
        for (int k = 0; k < 3; k++) {
            t->vertex[k] = corner[k];
            t->corner[k] = point[corner[k]];
        }
        t->across = abut_cross(abut_sub(t->corner[1], t->corner[0]), abut_sub(t->corner[2], t->corner[0]));
        t->normal = abut_unit(t->across);
    }
    return set;
}

static abut_shape *random_body(random_state *random) {
    abut_shape *body = NULL;
    abut_vec3 half = random_vec3(random, 0.2, 1.0), points[24];
    switch (random_below(random, 7)) {
    case 0:
        return capsule(0.5 * half.x, half.y);
    case 1:
        return cylinder(half.x, half.z);
    case 2:
        return cone(half.x, half.z);
    case 3:
        assert_ok(abut_shape_create_prism(half.x, half.z, 3 + random_below(random, 20), &body));
        return body;
    case 4:
        for (int i = 0; i < 24; i++) {
            abut_vec3 way = random_direction(random);
            points[i] = abut_vec3_make(half.x * way.x, half.y * way.y, half.z * way.z);
        }
        assert_ok(abut_shape_create_hull(points, 24, &body));
        return body;
    case 5:
        assert_ok(abut_shape_create_ellipsoid(half, &body));
        return body;
    default:
        assert_ok(abut_shape_create_superquadric(half, random_range(random, 0.3, 1.5), random_range(random, 0.3, 1.5), &body));
        return body;
    }
}

/* Standing, leaning by little or by much, or anyhow. */
static convex random_place(random_state *random, const abut_shape *shape) {
    abut_quat turned = abut_quat_identity();
    int32_t how = random_below(random, 4);
    if (how == 1) {
        turned = abut_quat_about(abut_unit(random_vec3(random, -1.0, 1.0)), random_log_range(random, 1e-13, 0.3));
    } else if (how > 1) {
        turned = random_rotation(random);
    }
    abut_pose pose = {{random_range(random, -0.3, 0.3), random_range(random, -0.3, 0.3), 0.0}, turned};
    double lowest = abut_shape_bounds(shape, pose).lower.z, highest = abut_shape_bounds(shape, pose).upper.z;
    pose.position.z = -lowest - (highest - lowest) * random_range(random, 0.0, 0.6);
    return convex_place(shape, abut_mat3_from_quat(turned), pose.position, 0);
}

static void check_triangle(const mesh_level *level, const convex *body, const mesh_triangle *t) {
    triangle_body flat;
    contact_normal normal;
    const normal_settings settings = {.minimum = true};
    triangle_body_set(&flat, t);
    assert_true(contact_normal_find(body, &flat.body, &settings, &normal));
    double sine = abut_length(abut_cross(normal.direction, t->normal)), cosine = -abut_dot(normal.direction, t->normal);
    double own = -gauge_support(body, &flat.body, abut_neg(t->normal)), rounding = 1e-9 * (body->size + flat.body.size);
    bool is_own = cosine > 0.0 && sine < 1.7e-2, elsewhere = own < normal.gap - sine * flat.body.size - rounding;
    assert_true(normal.gap < -MESH_LEVEL_CLEARLY * body->size);
    assert_true(sine > level->flats.lean || (is_own && !elsewhere));
}

static void test_level(void **state) {
    (void)state;
    random_state random = random_make(random_seed("level", 1));
    int32_t found = 0;
    for (int32_t sample = random_samples("level", 1500); sample > 0; sample--) {
        mesh_set set = make_sheet(&random);
        abut_shape *shape = random_body(&random);
        convex body = random_place(&random, shape);
        mesh_level level;
        mesh_level_init(&level, &set, &body, 1e-6 * body.size);
        for (int round = 0; round < 2; round++) { /* at first the flat places are not known */
            for (int32_t i = 0; i < set.count; i++) {
                if (mesh_level_has_only_own(&level, i, &set.items[i])) {
                    check_triangle(&level, &body, &set.items[i]);
                    found++;
                }
            }
        }
        mesh_level_free(&level);
        abut_shape_release(shape);
        free(set.items);
    }
    assert_true(found > 10000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_level)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
