/* The last digits of pairs of thin bodies: from a direction near the pair's, points that face each other on both surfaces. */
#include <abut/smooth.h>

#include "narrow/normal/extremal/extremal.h"
#include "support/check.h"
#include "support/random.h"

static abut_vec3 thin(random_state *random) {
    double least = pow(10.0, -random_range(random, 0.0, 6.0));
    return random_below(random, 2) ? abut_vec3_make(1.0, least, random_below(random, 2) ? 1.0 : least) : abut_vec3_make(least, 1.0, 1.0);
}

static abut_shape *random_shape(random_state *random, int kind) {
    abut_shape *shape;
    abut_vec3 half = thin(random);
    if (kind == 0) {
        assert_ok(abut_shape_create_ellipsoid(half, &shape));
    } else if (kind == 1) {
        assert_ok(abut_shape_create_superquadric(half, random_range(random, 0.2, 1.8), random_range(random, 0.2, 1.8), &shape));
    } else if (kind == 2) {
        assert_ok(abut_shape_create_box(half, &shape));
    } else {
        assert_ok(abut_shape_create_capsule(half.x, half.y, &shape));
    }
    return shape;
}

static void assert_on_surface(const convex *body, abut_vec3 point) {
    abut_vec3 slope, local = convex_to_local(body, point);
    if (body->core == CORE_SMOOTH) {
        double beyond = smooth_gauge(body->shape, local, &slope) - 1.0;
        assert_near(beyond / abut_length(slope), 0.0, 1e-13);
    } else if (body->core == CORE_POLYTOPE) {
        assert_true(fabs(local.x) <= body->shape->half.x + 1e-13 && fabs(local.y) <= body->shape->half.y + 1e-13 &&
                    fabs(local.z) <= body->shape->half.z + 1e-13);
    } else {
        assert_true(fabs(local.x) <= 1e-13 && fabs(local.y) <= 1e-13 && fabs(local.z) <= body->half_length + 1e-13);
    }
}

static void points_face_each_other(void **state) {
    (void)state;
    random_state random = random_make(18);
    int32_t tried = 0;
    for (int i = 0; i < 400; ++i) {
        abut_shape *shape_a = random_shape(&random, i % 2), *shape_b = random_shape(&random, i / 2 % 4);
        convex a = convex_place(shape_a, abut_mat3_identity(), abut_vec3_make(0, 0, 0), 0);
        convex b = convex_place(shape_b, abut_mat3_from_quat(random_rotation(&random)), random_vec3(&random, -2.0, 2.0), 0);
        extremal found;
        if (extremal_apart(&a, &b, extremal_start(&a, &b, abut_vec3_make(0, 0, 1)), &found) && found.height < -1e-3) {
            double distance = -found.height;
            found.direction = abut_unit(abut_add_scaled(found.direction, 1e-6, random_direction(&random)));
            extremal_digits(&a, &b, &found);
            ++tried;
            assert_true(-found.height >= distance - 1e-14);
            assert_vec3_near(abut_sub(found.on_b, found.on_a), abut_scale(-found.height, found.direction), 1e-14);
            assert_on_surface(&a, found.on_a);
            assert_on_surface(&b, found.on_b);
        }
        abut_shape_release(shape_a);
        abut_shape_release(shape_b);
    }
    assert_true(tried > 200);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(points_face_each_other)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
