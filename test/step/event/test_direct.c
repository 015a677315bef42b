/* Contacts of balls in closed form, beside those of abut_collide() and abut_distance(), which search. */
#include "step/event/direct.h"

#include <abut/abut.h>

#include "support/check.h"
#include "support/random.h"
#include "support/shapes.h"

static event_place place_at(abut_pose pose) {
    return (event_place){.pose = pose, .position = pose.position, .rotation = abut_mat3_from_quat(pose.rotation)};
}

static abut_shape *other_shape(random_state *random, int kind) {
    if (kind == 0) {
        return sphere(random_log_range(random, 0.05, 20.0));
    }
    return kind == 1
               ? plane(random_direction(random), random_range(random, -1, 1))
               : box(random_log_range(random, 0.05, 20.0), random_log_range(random, 0.05, 20.0), random_log_range(random, 0.05, 20.0));
}

/* Puts the ball at a small gap over a random point of the other body's surface; boxes are touched at faces, edges and vertices. */
static abut_pose beside(random_state *random, const abut_shape *other, int kind, double half[3], double radius, double gap) {
    abut_vec3 n = random_direction(random), at = {0, 0, 0};
    if (kind == 1) {
        abut_vec3 normal = abut_shape_plane_normal(other), u, v;
        double offset = abut_shape_plane_offset(other);
        abut_tangent_frame(normal, &u, &v);
        at = abut_add(abut_scale(offset, normal),
                      abut_add(abut_scale(random_range(random, -2, 2), u), abut_scale(random_range(random, -2, 2), v)));
        n = normal;
    } else if (kind == 0) {
        at = abut_scale(abut_shape_radius(other), n);
    } else {
        double c[3] = {n.x, n.y, n.z}, p[3];
        int free = (int)(random_range(random, 0, 2.999));
        for (int i = 0; i < 3; i++) {
            bool inside = i < free;
            p[i] = inside ? random_range(random, -0.98, 0.98) * half[i] : c[i] > 0 ? half[i] : -half[i];
            c[i] = inside ? 0.0 : c[i];
        }
        at = abut_vec3_make(p[0], p[1], p[2]);
        n = abut_unit(abut_vec3_make(c[0], c[1], c[2]));
    }
    return (abut_pose){abut_add_scaled(at, radius + gap, n), random_pose(random, 1.0).rotation};
}

static void same_as_searched(void **state) {
    (void)state;
    random_state random = random_make(random_seed("same_as_searched", 921));
    int touched = 0, apart = 0;
    for (int sample = 0; sample < 3000; sample++) {
        int kind = sample % 3;
        double radius = random_log_range(&random, 0.05, 20.0), half[3] = {0, 0, 0};
        abut_shape *ball = sphere(radius), *other = other_shape(&random, kind);
        if (kind == 2) {
            abut_vec3 h = abut_shape_half_sizes(other);
            half[0] = h.x, half[1] = h.y, half[2] = h.z;
        }
        double gap = random_range(&random, -1e-3, 3e-3) * radius, margin = 1e-3 * radius;
        abut_pose world = random_pose(&random, 3.0), own = beside(&random, other, kind, half, radius, gap);
        abut_pose of_ball = abut_pose_compose(world, own);
        bool swapped = sample % 2;
        abut_pair pair = swapped ? (abut_pair){other, world, ball, of_ball} : (abut_pair){ball, of_ball, other, world};
        abut_collide_settings settings = abut_collide_settings_default();
        settings.margin = margin;
        abut_contact found[4], direct;
        abut_separation s, far;
        int32_t count, ours;
        assert_ok(abut_collide(&pair, &settings, NULL, found, 4, &count));
        assert_ok(abut_distance(&pair, NULL, NULL, &s));
        event_part parts[2] = {{.shape = pair.a}, {.shape = pair.b}};
        event_place places[2] = {place_at(pair.pose_a), place_at(pair.pose_b)};
        assert_true(event_direct_is(pair.a, pair.b));
        assert_true(event_direct_find((const event_part *const[2]){&parts[0], &parts[1]},
                                      (const event_place *const[2]){&places[0], &places[1]}, margin, &direct, &ours, &far));
        double size = 40.0;
        if (fabs(gap - margin) > 1e-9) {
            assert_int_equal(ours, count);
        }
        if (ours == 0) {
            apart++;
            assert_near(far.gap, s.gap, 1e-13 * size);
            assert_vec3_near(far.on_a, s.on_a, 1e-12 * size);
            assert_vec3_near(far.normal, s.normal, 1e-12 * size / radius);
        } else if (count == 1) {
            touched++;
            assert_near(direct.gap, found[0].gap, 1e-13 * size);
            assert_near(direct.gap, gap, 1e-13 * size);
            assert_vec3_near(direct.on_a, found[0].on_a, 1e-12 * size);
            assert_vec3_near(direct.on_b, found[0].on_b, 1e-12 * size);
            assert_vec3_near(direct.normal, found[0].normal, 1e-12 * size / radius);
            assert_int_equal(direct.feature_a.kind, found[0].feature_a.kind);
            assert_int_equal(direct.feature_a.index, found[0].feature_a.index);
            assert_int_equal(direct.feature_b.kind, found[0].feature_b.kind);
            assert_int_equal(direct.feature_b.index, found[0].feature_b.index);
            assert_true(direct.id == found[0].id);
        }
        abut_shape_release(ball);
        abut_shape_release(other);
    }
    assert_true(touched > 1000 && apart > 1000);
}

/* Without a normal the general way decides: a centre in a box, or two centres at one place. */
static void no_normal(void **state) {
    (void)state;
    abut_shape *ball = sphere(0.1), *other[2] = {sphere(0.2), box(1, 1, 1)};
    for (int k = 0; k < 2; k++) {
        event_part parts[2] = {{.shape = ball}, {.shape = other[k]}};
        event_place places[2] = {place_at(abut_pose_identity()), place_at(abut_pose_identity())};
        abut_contact contact;
        abut_separation apart;
        int32_t count = 7;
        assert_false(event_direct_find((const event_part *const[2]){&parts[0], &parts[1]},
                                       (const event_place *const[2]){&places[0], &places[1]}, 1.0, &contact, &count, &apart));
        assert_int_equal(count, 7);
        abut_shape_release(other[k]);
    }
    abut_shape_release(ball);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_as_searched), cmocka_unit_test(no_normal)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
