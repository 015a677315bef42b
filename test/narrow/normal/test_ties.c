/* Ties of equally deep facets in calls of abut_collide(): the normal is a function of the poses that rounding errors do not change, it turns with the bodies,
 * is reversed when they are exchanged, and points to the side where they lie. World frame; normals from B into A. */
#include "support/check.h"
#include "support/random.h"
#include "support/shapes.h"

static abut_vec3 normal_of(const abut_shape *a, abut_pose pose_a, const abut_shape *b, abut_pose pose_b, bool *chosen) {
    abut_contact contacts[128];
    int32_t count;
    assert_ok(abut_collide(&(abut_pair){a, pose_a, b, pose_b}, NULL, NULL, contacts, 128, &count));
    assert_true(count > 0);
    *chosen = (contacts[0].flags & ABUT_CONTACT_NORMAL_CHOSEN) != 0;
    return contacts[0].normal;
}

typedef struct tie {
    abut_shape *a, *b;
    abut_vec3 place; /* of A from B */
} tie;

enum { TIES = 7 };

static void make(tie ties[TIES]) {
    const double h = 0.25;
    ties[0] = (tie){box(0.25, 0.25, 0.25), box(0.5, 0.5, 0.5), {0, 0, 0}};  /* six faces */
    ties[1] = (tie){box(0.25, 0.25, 0.25), box(0.5, 0.5, 0.5), {h, h, h}};  /* three faces about the line of centres */
    ties[2] = (tie){box(0.25, 0.25, 0.25), box(0.5, 0.5, 0.5), {h, -h, 0}}; /* two faces */
    ties[3] = (tie){prism(0.5, 2.0, 16), prism(0.25, 1.0, 16), {0, 0, 0}};  /* sixteen faces */
    ties[4] = (tie){prism(0.5, 2.0, 16), prism(0.5, 2.0, 16), {0, 0, 0.5}};
    ties[5] = (tie){prism(0.5, 2.0, 6), box(0.25, 0.125, 0.125), {0, 0, 0}};
    ties[6] = (tie){prism(0.5, 0.5, 4), prism(0.5, 0.5, 4), {0, 0, 0}};
}

static void release(tie ties[TIES]) {
    for (int i = 0; i < TIES; i++) {
        abut_shape_release(ties[i].a);
        abut_shape_release(ties[i].b);
    }
}

static abut_pose shaken(abut_pose pose, random_state *random, double by) {
    pose.position = abut_add(pose.position, random_vec3(random, -by, by));
    pose.rotation = abut_quat_mul(abut_quat_about(random_direction(random), random_range(random, 0.0, by)), pose.rotation);
    return pose;
}

/* Depths differ by less than the width of a tie. */
static void rounding_does_not_decide(void **state) {
    (void)state;
    random_state random = random_make(random_seed("rounding_does_not_decide", 3));
    tie ties[TIES];
    make(ties);
    for (int i = 0; i < TIES; i++) {
        abut_pose pose_a = abut_pose_identity(), pose_b = abut_pose_identity();
        bool chosen;
        pose_a.position = ties[i].place;
        abut_vec3 usual = normal_of(ties[i].a, pose_a, ties[i].b, pose_b, &chosen);
        assert_true(chosen);
        for (int k = 0; k < 500; k++) {
            abut_vec3 normal = normal_of(ties[i].a, shaken(pose_a, &random, 1e-12), ties[i].b, shaken(pose_b, &random, 1e-12), &chosen);
            assert_vec3_near(normal, usual, 1e-10);
        }
    }
    release(ties);
}

/* Different shapes: exchanged, they get the reversed normal. */
static void exchange_reverses(void **state) {
    (void)state;
    random_state random = random_make(random_seed("exchange_reverses", 4));
    tie ties[TIES];
    make(ties);
    for (int i = 0; i < TIES; i++) {
        for (int k = 0; k < 50 && i != 4 && i != 6; k++) {
            abut_pose motion = random_pose(&random, 1.0), pose_a = abut_pose_identity();
            bool chosen;
            pose_a.position = ties[i].place;
            pose_a = abut_pose_compose(motion, pose_a);
            abut_vec3 normal = normal_of(ties[i].a, pose_a, ties[i].b, motion, &chosen);
            assert_vec3_near(normal_of(ties[i].b, motion, ties[i].a, pose_a, &chosen), abut_neg(normal), 1e-14);
        }
    }
    release(ties);
}

/* A cube on the diagonal of two faces of another, nearer to neither: the choice does not point to the far side. Off the diagonal by more than a tie, it is the
 * nearer face in any common rotation. */
static void bodies_part_on_the_side_where_they_lie(void **state) {
    (void)state;
    random_state random = random_make(random_seed("bodies_part_on_the_side_where_they_lie", 5));
    abut_shape *small = box(0.25, 0.25, 0.25), *slab = box(1.0, 1.0, 0.2), *bar = box(0.1, 0.1, 1.0);
    for (int i = 0; i < 300; i++) {
        abut_pose motion = random_pose(&random, 1.0), pose = abut_pose_identity();
        bool chosen;
        abut_vec3 to = random_direction(&random);
        /* The bar passes through the slab. Both directions across the slab's middle are equally deep for it, and so are the four sideways. */
        pose.position = abut_vec3_make(0.3 * to.x, 0.3 * to.y, 0.0);
        abut_vec3 normal = normal_of(bar, abut_pose_compose(motion, pose), slab, motion, &chosen);
        abut_vec3 between = abut_quat_rotate(motion.rotation, pose.position);
        assert_true(abut_dot(normal, between) >= -1e-12);
        pose.position = abut_vec3_make(0.0, 0.0, 1e-3 * (to.z < 0.0 ? -1.0 : 1.0));
        normal = normal_of(small, abut_pose_compose(motion, pose), slab, motion, &chosen);
        assert_true(abut_dot(normal, abut_quat_rotate(motion.rotation, pose.position)) > 0.0);
    }
    abut_shape_release(small);
    abut_shape_release(slab);
    abut_shape_release(bar);
}

/* The side of a cone that is nearly a cylinder, over an edge of a box that is nearly parallel to it. The depth hardly changes while the normal turns about the
 * axis by 1e-5, so directions beside its minimum are equally deep. Along them the points do not face each other. */
static void points_of_a_flat_minimum_face_each_other(void **state) {
    (void)state;
    random_state random = random_make(random_seed("points_of_a_flat_minimum_face_each_other", 4));
    abut_shape *round = truncated(0.143, 0.141, 1.35), *under = box(0.4375, 0.25, 0.625);
    for (int i = 0; i < 2000; i++) {
        abut_pose pose = abut_pose_identity();
        pose.position = abut_vec3_make(-0.4375, -0.3125, 0.0);
        pose = shaken(pose, &random, random_log_range(&random, 1e-8, 1e-4));
        abut_contact contacts[128];
        int32_t count;
        assert_ok(abut_collide(&(abut_pair){round, abut_pose_identity(), under, pose}, NULL, NULL, contacts, 128, &count));
        assert_true(count > 0);
        for (int32_t k = 0; k < count; k++) {
            abut_vec3 facing = abut_add_scaled(contacts[k].on_b, contacts[k].gap, contacts[k].normal);
            assert_near(abut_distance_between(contacts[k].on_a, facing), 0.0, 1e-12);
        }
    }
    abut_shape_release(round);
    abut_shape_release(under);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounding_does_not_decide),
        cmocka_unit_test(exchange_reverses),
        cmocka_unit_test(bodies_part_on_the_side_where_they_lie),
        cmocka_unit_test(points_of_a_flat_minimum_face_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
