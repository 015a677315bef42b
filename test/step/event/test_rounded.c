/* Rounded superquadrics: they contain the shape and hardly exceed it; points and radii are derivatives of the support function. */
#include "step/event/rounded.h"

#include <math.h>

#include "shape/shape.h"
#include "support/check.h"
#include "support/random.h"

static abut_vec3 any_direction(random_state *random, int sample) {
    abut_vec3 n = random_direction(random);
    double tiny = random_log_range(random, 1e-14, 1e-2);
    n.x = sample % 4 == 1 || sample % 4 == 3 ? tiny * n.x : n.x;
    n.y = sample % 4 >= 2 ? tiny * tiny * n.y : n.y;
    return abut_unit(n);
}

static void derivatives(void **state) {
    (void)state;
    random_state random = random_make(random_seed("derivatives", 911));
    for (int sample = 0; sample < 400; sample++) {
        abut_shape *shape = NULL;
        assert_ok(abut_shape_create_superquadric(random_vec3(&random, 0.2, 1.0), random_range(&random, 0.2, 1.8),
                                                 random_range(&random, 0.2, 1.8), &shape));
        double t = event_rounding_of(shape);
        abut_vec3 n = any_direction(&random, sample), u, v, own;
        assert_ok(abut_shape_support(shape, n, &own, NULL));
        abut_vec3 point = event_rounded_support(shape, t, n);
        double more = abut_dot(n, point) - abut_dot(n, own);
        assert_true(more > -1e-15 && more < 4e-10);
        /* The rate of the point along a direction of principal curvature is the radius. The step is a share of the smallest distance over which
         * radii change. */
        abut_curvature c;
        event_rounded_surface(shape, t, n, &c);
        u = c.direction[0];
        v = c.direction[1];
        assert_near(abut_dot(u, v), 0.0, 1e-14);
        assert_near(abut_dot(u, n), 0.0, 1e-14);
        double least = fmin(fabs(n.x) + t, fmin(fabs(n.y) + t, fabs(n.z) + t)), step = 1e-3 * least;
        for (int i = 0; i < 2 && step > 1e-11; i++) {
            abut_vec3 along = c.direction[i];
            abut_vec3 ahead = event_rounded_support(shape, t, abut_unit(abut_add_scaled(n, step, along)));
            abut_vec3 behind = event_rounded_support(shape, t, abut_unit(abut_add_scaled(n, -step, along)));
            double radius = abut_dot(along, abut_sub(ahead, behind)) / (2.0 * step), is = 1.0 / c.curvature[i];
            double noise = 4e-16 / step;
            assert_near(is, radius, 1e-4 * is + 4.0 * noise + 1e-12);
        }
        abut_shape_release(shape);
    }
}

/* On the axes and planes of the shape, where its own radii are infinite. */
static void finite_radii(void **state) {
    (void)state;
    const abut_vec3 directions[4] = {{0, 0, 1}, {1, 0, 0}, {0, 0.6, -0.8}, {-0.6, 0, 0.8}};
    for (int k = 0; k < 4; k++) {
        for (int i = 2; i <= 18; i++) {
            abut_shape *shape = NULL;
            assert_ok(abut_shape_create_superquadric(abut_vec3_make(0.5, 0.4, 0.3), fmin(0.1 * i, 1.8), fmax(2.0 - 0.1 * i, 0.2), &shape));
            abut_curvature c;
            event_rounded_surface(shape, event_rounding_of(shape), directions[k], &c);
            for (int j = 0; j < 2; j++) {
                assert_true(c.curvature[j] > 1e-10);
                assert_true(isfinite(c.direction[j].x) && isfinite(c.direction[j].y) && isfinite(c.direction[j].z));
            }
            abut_shape_release(shape);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(derivatives), cmocka_unit_test(finite_radii)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
