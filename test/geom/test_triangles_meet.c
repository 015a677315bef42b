/* Whether two triangles share a point: closed forms on whole numbers, where rounding may not decide. Random pairs beside exact rationals: test/accuracy. */
#include "geom/triangles_meet.h"

#include <float.h>

#include "support/check.h"

typedef struct meeting {
    abut_vec3 q[3];
    triangles_relation relation;
} meeting;

/* P is the triangle (0, 0), (4, 0), (0, 4) of the plane z = 0. */
static const meeting meetings[] = {
    {{{1, 1, -1}, {1, 1, 2}, {9, 9, 1}}, TRIANGLES_CROSS},
    {{{1, 1, 0}, {1, 2, 0}, {2, 1, 0}}, TRIANGLES_TOUCH},       /* in the plane, inside */
    {{{4, 4, 0}, {5, 4, 0}, {4, 5, 0}}, TRIANGLES_APART},       /* in the plane, beside */
    {{{4, 4, 0}, {2, 2, 0}, {5, 5, 1}}, TRIANGLES_TOUCH},       /* a corner on the border */
    {{{4, 4, 0}, {2, 2, DBL_MIN}, {5, 5, 1}}, TRIANGLES_TOUCH}, /* a coordinate below 1e-76 counts as 0 */
    {{{4, 4, 0}, {2, 2, 1e-30}, {5, 5, 1}}, TRIANGLES_APART},
    {{{1, 1, 0}, {1, 1, 5}, {2, 2, 5}}, TRIANGLES_TOUCH},      /* a corner on the face */
    {{{1, 1, 1e-30}, {1, 1, 5}, {2, 2, 5}}, TRIANGLES_APART},  /* just above it */
    {{{1, 1, -1e-30}, {1, 1, 5}, {2, 2, 5}}, TRIANGLES_CROSS}, /* just through it */
    {{{0, 0, 0}, {-1, -1, 1}, {-1, -1, -1}}, TRIANGLES_TOUCH}, /* corner on corner */
    {{{4, 0, 0}, {0, 4, 0}, {4, 4, 4}}, TRIANGLES_TOUCH},      /* a common side */
    {{{1, 1, -2}, {1, 1, 5}, {1, 1, 3}}, TRIANGLES_CROSS},     /* a segment through the face */
    {{{0, 1, -2}, {0, 1, 5}, {0, 1, 3}}, TRIANGLES_TOUCH},     /* a segment through the border */
    {{{-1, 1, 0}, {5, 1, 0}, {3, 1, 0}}, TRIANGLES_TOUCH},     /* a segment in the plane */
    {{{-1, 5, 0}, {5, 5, 0}, {3, 5, 0}}, TRIANGLES_APART},
    {{{1, 1, 0}, {1, 1, 0}, {1, 1, 0}}, TRIANGLES_TOUCH}, /* a point */
    {{{3, 3, 0}, {3, 3, 0}, {3, 3, 0}}, TRIANGLES_APART},
};

static void closed_forms(void **state) {
    (void)state;
    const double scales[] = {1.0, 0x1p-40, 0x1p40, 0x1p-900, 0x1p900};
    for (size_t i = 0; i < sizeof meetings / sizeof *meetings; i++) {
        for (int k = 0; k < 5; k++) {
            abut_vec3 p[3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, q[3];
            for (int c = 0; c < 3; c++) {
                p[c] = abut_scale(scales[k], p[c]);
                q[c] = abut_scale(scales[k], meetings[i].q[c]);
            }
            assert_int_equal(triangles_meet(p, q), meetings[i].relation);
            assert_int_equal(triangles_meet(q, p), meetings[i].relation);
        }
    }
}

/* A corner on a plane through the points of a grid far from the origin, and its neighbours to either side. */
static void neighbours_of_a_plane(void **state) {
    (void)state;
    const abut_vec3 p[3] = {{1e6, 1e6 + 3, 1e6 + 5}, {1e6 + 7, 1e6 - 2, 1e6 + 1}, {1e6 - 4, 1e6 - 6, 1e6 + 2}};
    abut_vec3 middle = {1e6 + 1, 1e6 - 5.0 / 3.0, 1e6 + 8.0 / 3.0}, far = {1e6 + 20, 1e6 + 30, 1e6 + 900};
    abut_vec3 across = abut_cross(abut_sub(p[1], p[0]), abut_sub(p[2], p[0]));
    double sign = abut_dot(across, abut_sub(far, p[0])) > 0.0 ? 1.0 : -1.0;
    for (int i = -3; i <= 3; i++) {
        const abut_vec3 at = {middle.x, middle.y, middle.z + i * 0x1p-33}, q[3] = {at, far, {far.x + 1, far.y, far.z}};
        double height = sign * abut_dot(across, abut_sub(at, p[0])); /* 1e-9 and more: clear of rounding but for i = 0 */
        if (i != 0) {
            assert_int_equal(triangles_meet(p, q), height > 0.0 ? TRIANGLES_APART : TRIANGLES_CROSS);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(closed_forms), cmocka_unit_test(neighbours_of_a_plane)};
    return cmocka_run_group_tests_name("geom/triangles_meet", tests, NULL, NULL);
}
