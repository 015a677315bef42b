/* Contact patches of discs of cylinders and cones, beside the areas and extents of the true regions. */
#include "narrow/patch/disc.h"

#include <math.h>
#include <stdlib.h>

#include <abut/collide.h>

#include "support/check.h"
#include "support/random.h"
#include "support/shapes.h"

enum { MOST = 400 };

static int32_t collide(const abut_shape *a, abut_pose pose_a, const abut_shape *b, abut_pose pose_b, abut_contact *contact) {
    int32_t count;
    assert_ok(abut_collide(&(abut_pair){a, pose_a, b, pose_b}, NULL, NULL, contact, MOST, &count));
    return count;
}

static double area_of(const abut_contact *contact, int32_t count) {
    double area = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        area += contact[i].area;
    }
    return area;
}

static void assert_ids_differ(const abut_contact *contact, int32_t count) {
    for (int32_t i = 0; i < count; ++i) {
        for (int32_t k = 0; k < i; ++k) {
            assert_true(contact[i].id != contact[k].id);
        }
    }
}

/* A disc that stands on a plane, on a wide box and on a wider disc, turned about its axis. */
static void test_whole_disc(void **state) {
    (void)state;
    abut_contact contact[MOST];
    abut_shape *c = cylinder(1.0, 0.5), *wide = cylinder(2.0, 0.5), *box, *plane;
    assert_ok(abut_shape_create_box(abut_vec3_make(2, 2, 0.5), &box));
    assert_ok(abut_shape_create_plane(abut_vec3_make(0, 0, 1), 0.5, &plane));
    const abut_shape *below[3] = {wide, box, plane};
    for (int i = 0; i < 3; ++i) {
        abut_pose pose = turned(at(0.1, 0.2, 0.99), abut_vec3_make(0, 0, 1), 0.37);
        int32_t count = collide(c, pose, below[i], abut_pose_identity(), contact);
        assert_int_equal(count, DISC_CORNERS);
        assert_near(area_of(contact, count), PI, 1e-3 * PI);
        assert_ids_differ(contact, count);
        for (int32_t k = 0; k < count; ++k) {
            assert_near(contact[k].gap, -0.01, 1e-15);
            assert_near(hypot(contact[k].on_a.x - 0.1, contact[k].on_a.y - 0.2), 1.0, 1e-15);
            assert_int_equal(contact[k].feature_a.kind, ABUT_FEATURE_EDGE);
            assert_int_equal(contact[k].feature_a.index, 0);
        }
    }
    abut_shape_release(c);
    abut_shape_release(wide);
    abut_shape_release(box);
    abut_shape_release(plane);
}

/* Area of two discs of radius r at the distance d. */
static double area_of_lens(double r, double d) { return 2.0 * r * r * acos(d / (2.0 * r)) - 0.5 * d * sqrt(4.0 * r * r - d * d); }

static void test_two_discs(void **state) {
    (void)state;
    abut_contact contact[MOST];
    abut_shape *c = cylinder(1.0, 0.5);
    for (double d = 0.1; d < 1.99; d += 0.17) {
        int32_t count = collide(c, abut_pose_identity(), c, turned(at(d, 0, 0.99), abut_vec3_make(0, 0, 1), d), contact);
        double tip = sqrt(1.0 - 0.25 * d * d), highest = 0.0;
        assert_near(area_of(contact, count), area_of_lens(1.0, d), 1e-3 * PI);
        assert_ids_differ(contact, count);
        for (int32_t i = 0; i < count; ++i) {
            highest = fmax(highest, contact[i].on_a.y);
        }
        assert_near(highest, tip, 1e-12); /* where both rims cross */
    }
    abut_shape_release(c);
}

/* Two discs that are tilted a little against each other, beside each other or one on the other: the corners where both rims cross lie on both. */
static void test_two_tilted_discs(void **state) {
    (void)state;
    abut_contact contact[MOST];
    abut_collide_settings settings = abut_collide_settings_default();
    abut_shape *c = cylinder(1.0, 0.5);
    random_state r = random_make(random_seed("two tilted discs", 1));
    settings.margin = 1.0;
    for (int i = 0; i < 400; ++i) {
        double turn = random_range(&r, 0, 6.28), tilt = random_log_range(&r, 1e-9, 0.02), d = i % 2 ? random_range(&r, 0.1, 1.9) : 0.0;
        abut_pose pose = turned(at(d, 0, 0.99), abut_vec3_make(cos(turn), sin(turn), 0), tilt);
        abut_vec3 up = abut_quat_rotate(pose.rotation, abut_vec3_make(0, 0, 1));
        int32_t count, crossings = 0;
        assert_ok(abut_collide(&(abut_pair){c, pose, c, abut_pose_identity()}, &settings, NULL, contact, MOST, &count));
        for (int32_t k = 0; k < count; ++k) {
            double off_a = abut_length(abut_cross(abut_sub(contact[k].on_a, pose.position), up)) - 1.0;
            double off_b = hypot(contact[k].on_b.x, contact[k].on_b.y) - 1.0;
            crossings += fabs(off_a) < 1e-13 && fabs(off_b) < 1e-13;
        }
        assert_true(d == 0.0 || crossings >= 2);
        assert_near(area_of(contact, count), d == 0.0 ? PI : area_of_lens(1.0, d), 2e-3 * PI + 2.0 * tilt);
        assert_ids_differ(contact, count);
    }
    abut_shape_release(c);
}

/* The deepest corner of a box lies in the disc, and beyond the polygon of the disc or not: it belongs to the patch. */
static void test_corner_near_rim(void **state) {
    (void)state;
    abut_contact contact[MOST];
    abut_shape *c = cylinder(1.0, 0.5), *box;
    random_state r = random_make(random_seed("corner near rim", 1));
    assert_ok(abut_shape_create_box(abut_vec3_make(0.4, 0.4, 0.1), &box));
    for (int i = 0; i < 400; ++i) {
        double turn = random_range(&r, 0, 6.28), tilt = random_log_range(&r, 1e-7, 0.02), rho = 1.0 - random_log_range(&r, 1e-9, 1e-2);
        abut_quat rotation =
            abut_quat_mul(abut_quat_about(abut_vec3_make(0, 0, 1), turn), abut_quat_about(abut_unit(abut_vec3_make(-1, 1, 0)), tilt));
        abut_vec3 corner = abut_quat_rotate(rotation, abut_vec3_make(0.4, 0.4, -0.1));
        abut_pose pose = {abut_sub(abut_vec3_make(rho * cos(turn + 0.25 * PI), rho * sin(turn + 0.25 * PI), 0.5 - 1e-3), corner), rotation};
        int32_t count = collide(box, pose, c, abut_pose_identity(), contact);
        double deepest = 0.0;
        for (int32_t k = 0; k < count; ++k) {
            deepest = fmin(deepest, contact[k].gap);
        }
        assert_true(contact[0].normal.z < 1.0 - 1e-15 || fabs(deepest + 1e-3) < 1e-12); /* otherwise the side of the box is the way out */
        assert_true(deepest > -1e-3 - 1e-12 && deepest < -1e-3 + 2e-2 * tilt + 1e-14);
        assert_true(count >= 3 || tilt > 1e-3 ||
                    rho > 1.0 - 1e-6); /* not where the rest of the box is above the disc, nor where the corner is on the rim */
    }
    abut_shape_release(c);
    abut_shape_release(box);
}

/* A half disc over the border of a box, and the corner of a box within a disc. */
static void test_disc_and_box(void **state) {
    (void)state;
    abut_contact contact[MOST];
    abut_shape *c = cylinder(1.0, 0.5), *box;
    assert_ok(abut_shape_create_box(abut_vec3_make(2, 2, 0.5), &box));
    int32_t count = collide(c, at(2, 0, 0.99), box, abut_pose_identity(), contact);
    assert_near(area_of(contact, count), 0.5 * PI, 1e-3 * PI);
    count = collide(c, at(2, 2, 0.99), box, abut_pose_identity(), contact);
    assert_near(area_of(contact, count), 0.25 * PI, 1e-3 * PI);
    count = collide(c, at(2.999, 0, 0.9999), box, abut_pose_identity(), contact); /* only a sliver */
    assert_true(count >= 2);
    for (int32_t i = 0; i < count; ++i) {
        assert_near(contact[i].gap, -1e-4, 1e-15);
    }
    abut_shape_release(c);
    abut_shape_release(box);
}

/* Tilted by less than the feature angle: the deepest point of the rim is exact, and the others lie on the rim. */
static void test_tilted(void **state) {
    (void)state;
    abut_contact contact[MOST];
    abut_collide_settings settings = abut_collide_settings_default();
    abut_shape *c = cylinder(1.0, 0.5), *plane;
    random_state r = random_make(random_seed("tilted", 1));
    assert_ok(abut_shape_create_plane(abut_vec3_make(0, 0, 1), 0.0, &plane));
    settings.margin = 1.0;
    for (int i = 0; i < 200; ++i) {
        double turn = random_range(&r, 0, 6.28), tilt = random_log_range(&r, 1e-12, 0.03), deepest = INFINITY;
        abut_pose pose = turned(at(0, 0, 0.5), abut_vec3_make(cos(turn), sin(turn), 0), tilt);
        int32_t count;
        assert_ok(abut_collide(&(abut_pair){c, pose, plane, abut_pose_identity()}, &settings, NULL, contact, MOST, &count));
        assert_true(count == DISC_CORNERS || count == DISC_CORNERS + 1);
        for (int32_t k = 0; k < count; ++k) {
            deepest = fmin(deepest, contact[k].gap);
        }
        assert_near(deepest, 0.5 - 0.5 * cos(tilt) - sin(tilt), 1e-15);
        assert_near(area_of(contact, count), PI * cos(tilt), 1e-3 * PI);
    }
    abut_shape_release(c);
    abut_shape_release(plane);
}

/* A triangle that is said to be in a disc is farther inside its polygon than `room`, for discs seen from any side. */
static void test_clearly_in_disc(void **state) {
    (void)state;
    random_state r = random_make(random_seed("clearly_in_disc", 2));
    abut_shape *c = cylinder(1.0, 0.5);
    int32_t inside = 0;
    for (int i = 0; i < 20000; ++i) {
        convex body = convex_place(c, abut_mat3_from_quat(random_rotation(&r)), random_vec3(&r, -1, 1), 0);
        contact_plane plane = contact_plane_of(abut_vec3_make(0, 0, 1));
        double size = random_log_range(&r, 1e-3, 1.0), x = random_range(&r, -1, 1), y = random_range(&r, -1, 1);
        double room = random_log_range(&r, 1e-9, 0.1);
        planar_corner triangle[3], polygon[MOST];
        for (int k = 0; k < 3; ++k) {
            triangle[k] = (planar_corner){x + size * random_range(&r, -1, 1), y + size * random_range(&r, -1, 1), k, k};
        }
        const planar_figure figure = {triangle, 3};
        int32_t end = i % 2;
        body = convex_turned_to(&body, abut_vec3_make(0, 0, -1));
        if (!disc_clearly_holds(&plane, &body, end, figure, room)) {
            continue;
        }
        ++inside;
        const disc_beside beside = {NULL, 0, figure};
        int32_t count = disc_project(&plane, &body, end, &beside, polygon);
        for (int32_t m = 0; m < count; ++m) {
            const planar_corner *p = &polygon[m], *q = &polygon[(m + 1) % count];
            double length = hypot(q->x - p->x, q->y - p->y);
            for (int k = 0; k < 3 && length > 0.0; ++k) {
                double turn = (q->x - p->x) * (triangle[k].y - p->y) - (q->y - p->y) * (triangle[k].x - p->x);
                assert_true(turn > room * length);
            }
        }
    }
    assert_true(inside > 500);
    abut_shape_release(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_whole_disc),       cmocka_unit_test(test_two_discs),
                                       cmocka_unit_test(test_two_tilted_discs), cmocka_unit_test(test_corner_near_rim),
                                       cmocka_unit_test(test_disc_and_box),     cmocka_unit_test(test_tilted),
                                       cmocka_unit_test(test_clearly_in_disc)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
