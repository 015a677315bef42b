/* abut_shape_cast(): closed forms of translations and turns, touching starts, moving planes, compounds; then random motions of all convex
 * kinds against the oracle's distance at many moments. None of them shows a touch that was missed, and at the returned fraction the shapes
 * are within the tolerance of each other. World frame, normals from B into A. */
#include <string.h>

#include <abut/query.h>

#include "support/shapes.h"
#include "support/specimen.h"

static const abut_vec3 px = {1, 0, 0}, pz = {0, 0, 1};
static const abut_motion still = {{0, 0, 0}, {0, 0, 0}};

static abut_motion moving(double x, double y, double z) { return (abut_motion){{x, y, z}, {0, 0, 0}}; }

static abut_motion turning(double x, double y, double z) { return (abut_motion){{0, 0, 0}, {x, y, z}}; }

static abut_hit cast(const abut_shape *a, abut_pose pose_a, abut_motion motion_a, const abut_shape *b, abut_pose pose_b,
                     abut_motion motion_b, double tolerance) {
    abut_hit hit;
    memset(&hit, 0x5a, sizeof hit);
    assert_ok(abut_shape_cast(&(abut_pair){a, pose_a, b, pose_b}, motion_a, motion_b, tolerance, &hit));
    return hit;
}

#define assert_miss(hit) check_miss((hit), __LINE__)

static void check_miss(abut_hit hit, int line) {
    if (hit.hit) {
        fail_msg("line %d: hit at %.17g", line, hit.fraction);
    }
    assert_false(hit.started_inside);
    assert_near(hit.fraction, 1.0, 0.0);
    assert_near(abut_length(hit.point) + abut_length(hit.normal), 0.0, 0.0);
    assert_int_equal(hit.feature_a.kind, ABUT_FEATURE_NONE);
    assert_int_equal(hit.feature_b.kind, ABUT_FEATURE_NONE);
}

/* The true touch is at `fraction`. The cast may stop earlier, where at most `tolerance` is left at this speed. */
static void assert_hit(abut_hit hit, double fraction, double speed, double tolerance, abut_vec3 point, abut_vec3 normal) {
    assert_true(hit.hit);
    assert_false(hit.started_inside);
    double left = (fraction - hit.fraction) * speed;
    if (!(left >= -1e-13 && left <= tolerance + 1e-13)) {
        fail_msg("fraction %.17g instead of %.17g: %.3g of the way left", hit.fraction, fraction, left);
    }
    assert_vec3_near(hit.point, point, 2.0 * sqrt(tolerance));
    assert_vec3_near(hit.normal, normal, 2.0 * sqrt(tolerance));
}

typedef struct shapes {
    abut_shape *ball, *cube, *rod, *plate, *ground, *row;
} shapes;

static int make_shapes(void **state) {
    static shapes s;
    assert_ok(abut_shape_create_sphere(0.5, &s.ball));
    assert_ok(abut_shape_create_box(abut_vec3_make(0.5, 0.5, 0.5), &s.cube));
    assert_ok(abut_shape_create_capsule(0.1, 1.0, &s.rod));
    assert_ok(abut_shape_create_box(abut_vec3_make(10, 10, 1e-4), &s.plate));
    assert_ok(abut_shape_create_plane(pz, 0.0, &s.ground));
    abut_part parts[3] = {{s.cube, at(-2, 0, 0)}, {s.ball, at(0, 0, 0)}, {s.cube, at(2, 0, 0)}};
    assert_ok(abut_shape_create_compound(parts, 3, &s.row));
    *state = &s;
    return 0;
}

static int free_shapes(void **state) {
    shapes *s = *state;
    abut_shape_release(s->ball);
    abut_shape_release(s->cube);
    abut_shape_release(s->rod);
    abut_shape_release(s->plate);
    abut_shape_release(s->ground);
    abut_shape_release(s->row);
    return 0;
}

/* ---- closed forms ---- */

static void translations(void **state) {
    shapes *s = *state;
    const double tolerance = 1e-9;
    /* Head on; off centre by 0.6 of the sum of the radii; both moving. */
    assert_hit(cast(s->ball, at(-3, 0, 0), moving(4, 0, 0), s->ball, at(0, 0, 0), still, tolerance), 0.5, 4.0, tolerance,
               abut_vec3_make(-0.5, 0, 0), abut_neg(px));
    assert_hit(cast(s->ball, at(-3, 0.6, 0), moving(4, 0, 0), s->ball, at(0, 0, 0), still, tolerance), 0.55, 4.0, 1.3 * tolerance,
               abut_vec3_make(-0.4, 0.3, 0), abut_vec3_make(-0.8, 0.6, 0));
    assert_hit(cast(s->ball, at(-3, 0, 0), moving(1, 5, 0), s->ball, at(0, 0, 0), moving(-3, 5, 0), tolerance), 0.5, 4.0, tolerance,
               abut_vec3_make(-2, 2.5, 0), abut_neg(px));
    assert_hit(cast(s->cube, at(0.2, 0.3, 5), moving(0, 0, -8), s->cube, at(0, 0, 0), still, tolerance), 0.5, 8.0, tolerance,
               abut_vec3_make(0.1, 0.15, 0.5), pz); /* somewhere in the square where they meet */
    assert_miss(cast(s->cube, at(0.2, 0.3, 5), moving(0, 0, -3.999), s->cube, at(0, 0, 0), still, tolerance));
    assert_miss(cast(s->cube, at(1.001, 0.3, 5), moving(0, 0, -8), s->cube, at(0, 0, 0), still, tolerance));
    assert_miss(cast(s->cube, at(0.2, 0.3, 5), moving(0, 0, 8), s->cube, at(0, 0, 0), still, tolerance));
    assert_miss(cast(s->cube, at(0.2, 0.3, 5), moving(9, 9, 9), s->cube, at(0, 0, 0), moving(9, 9, 9), tolerance));
}

/* Past each other with or without some room. */
static void grazing(void **state) {
    shapes *s = *state;
    assert_miss(cast(s->ball, at(-3, 1.0 + 1e-6, 0), moving(6, 0, 0), s->ball, at(0, 0, 0), still, 1e-7));
    assert_true(cast(s->ball, at(-3, 1.0 - 1e-6, 0), moving(6, 0, 0), s->ball, at(0, 0, 0), still, 1e-7).hit);
    assert_miss(cast(s->cube, at(-3, 1.0 + 1e-6, 0), moving(6, 0, 0), s->cube, at(0, 0, 0), still, 1e-7));
    assert_true(cast(s->cube, at(-3, 1.0 - 1e-6, 0), moving(6, 0, 0), s->cube, at(0, 0, 0), still, 1e-7).hit);
    /* A rod turns by half a turn; its tip passes a wall that is this much farther away. */
    for (double spare = 1e-7; spare < 0.5; spare *= 10.0) {
        abut_hit hit = cast(s->rod, at(0, 0, 1.1 + spare), turning(0, PI, 0), s->ground, at(0, 0, 0), still, 0.5 * spare);
        assert_miss(hit);
        abut_pose lying = at(0, 0, 1.1 + spare);
        lying.rotation = abut_quat_about(abut_vec3_make(0, 1, 0), PI / 2);
        assert_miss(cast(s->rod, lying, turning(0, PI, 0), s->plate, at(0, 0, -1e-4), still, 0.5 * spare));
        lying.position.z = 1.1 - spare;
        assert_true(cast(s->rod, lying, turning(0, PI, 0), s->plate, at(0, 0, -1e-4), still, 0.5 * spare).hit);
    }
}

/* A ball against a plate a thousand times thinner, at any speed; and thin against thin, edge on. */
static void never_tunnels(void **state) {
    shapes *s = *state;
    for (double speed = 1.0; speed < 1e13; speed *= 10.0) {
        abut_hit hit = cast(s->ball, at(1, 2, 1), moving(0, 0, -speed), s->plate, at(0, 0, 0), still, 1e-6);
        assert_true(hit.hit);
        assert_near(hit.fraction * speed, 0.5 - 1e-4, 1.01e-6);
        assert_vec3_near(hit.normal, pz, 1e-9);
        abut_pose upright = at(0, 0, 20);
        upright.rotation = abut_quat_about(px, PI / 2); /* the plate on its edge, 10 below its middle */
        hit = cast(s->plate, upright, moving(0, 0, -speed), s->plate, at(0, 0, 0), still, 1e-6);
        assert_true(hit.hit == (speed >= 10.0));
        assert_near(hit.fraction * speed, speed >= 10.0 ? 10.0 - 1e-4 : speed, 1.01e-6);
    }
}

/* A level rod that reaches 1.1 from its middle turns about it until its tip is on the ground: the centre of the capsule's lower end is then
 * 0.1 up. */
static void turns(void **state) {
    shapes *s = *state;
    const double tolerance = 1e-9, height = 0.7;
    double angle = asin(height - 0.1); /* of the axis under the horizon */
    abut_pose level = at(0, 0, height);
    level.rotation = abut_quat_about(abut_vec3_make(0, 1, 0), PI / 2); /* +z of the rod along x */
    abut_hit hit = cast(s->rod, level, turning(0, PI / 2, 0), s->ground, at(0, 0, 0), still, tolerance);
    /* The tip sinks with the cosine of the angle. */
    assert_hit(hit, angle / (PI / 2), PI / 2 * cos(angle), tolerance, abut_vec3_make(cos(angle), 0, 0), pz);
    hit = cast(s->ground, at(0, 0, 0), still, s->rod, level, turning(0, PI / 2, 0), tolerance);
    assert_hit(hit, angle / (PI / 2), PI / 2 * cos(angle), tolerance, abut_vec3_make(cos(angle), 0, 0), abut_neg(pz));
    hit = cast(s->rod, level, turning(0, PI / 2, 0), s->plate, at(0, 0, -1e-4), still, tolerance);
    assert_hit(hit, angle / (PI / 2), PI / 2 * cos(angle), tolerance, abut_vec3_make(cos(angle), 0, 0), pz);
    /* A cube on its corner: half a diagonal below its middle after an eighth of a turn about y. */
    hit = cast(s->cube, at(0, 0, sqrt(0.5) - 1e-3), turning(0, PI / 4, 0), s->ground, at(0, 0, 0), still, tolerance);
    double lean = PI / 4 - acos((sqrt(0.5) - 1e-3) / sqrt(0.5));
    assert_hit(hit, lean / (PI / 4), PI / 4 * sqrt(0.5) * sin(PI / 4 - lean), tolerance,
               abut_vec3_make(sqrt(0.5) * sin(PI / 4 - lean), hit.point.y, 0), pz);
    /* Both turn like gears: the tips meet half way between. */
    abut_pose left = at(-1, 0, 0), right = at(1, 0, 0);
    left.rotation = right.rotation = abut_quat_about(px, PI / 2); /* along y */
    hit = cast(s->rod, left, turning(0, 0, -PI), s->rod, right, turning(0, 0, PI), tolerance);
    assert_true(hit.hit);
    assert_near(hit.fraction, asin(0.9) / PI, 1e-8);
    assert_vec3_near(hit.normal, abut_neg(px), 1e-7);
}

/* A rotation has no effect on a shape that is round about its origin. */
static void a_ball_rolls(void **state) {
    shapes *s = *state;
    abut_motion rolling = {{6, 0, 0}, {0, 12, 0}};
    assert_miss(cast(s->ball, at(0, 0, 0.5), rolling, s->ground, at(0, 0, 0), still, 0.0));
    abut_hit hit = cast(s->ball, at(0, 0, 0.5), rolling, s->cube, at(4, 0, 0.5), still, 1e-9);
    assert_hit(hit, 0.5, 6.0, 1e-9, abut_vec3_make(3.5, 0, 0.5), abut_neg(px));
}

/* Many turns beside something out of reach are decided at once. */
static void wheels(void **state) {
    shapes *s = *state;
    abut_hit hit = cast(s->rod, at(0, 0, 1.2), turning(0, 1e5, 0), s->ground, at(0, 0, 0), still, 1e-6);
    assert_miss(hit);
    assert_true(hit.iterations <= 3);
    hit = cast(s->rod, at(0, 0, 2.3), turning(0, 1e5, 0), s->rod, at(0, 0, 0), turning(1e5, 0, 0), 1e-6);
    assert_miss(hit);
    assert_true(hit.iterations <= 3);
    hit = cast(s->rod, at(0, 0, 2.1), turning(0, 1e3, 0), s->plate, at(0, 0, 1), still, 1e-6); /* the first time round */
    assert_true(hit.hit && hit.fraction < PI / 1e3);
}

/* ---- starts ---- */

static void touching_starts(void **state) {
    shapes *s = *state;
    /* Parting, staying, sliding: no hit. */
    assert_miss(cast(s->cube, at(0, 0, 1), moving(0, 0, 1), s->cube, at(0, 0, 0), still, 0.0));
    assert_miss(cast(s->cube, at(0, 0, 1), moving(0.2, 0.1, 1e-12), s->cube, at(0, 0, 0), still, 0.0));
    assert_miss(cast(s->cube, at(0, 0, 1), moving(5, 3, 0), s->cube, at(0, 0, 0), still, 0.0));
    assert_miss(cast(s->cube, at(0, 0, 1), moving(1, 1, 1), s->cube, at(0, 0, 0), moving(1, 1, 1), 0.0));
    assert_miss(cast(s->cube, at(0, 0, 0.5), moving(5, 3, 0), s->ground, at(0, 0, 0), still, 0.0));
    assert_miss(cast(s->cube, at(0, 0, 0.5), turning(0, 0, 7), s->ground, at(0, 0, 0), still, 0.0));
    assert_miss(cast(s->ball, at(0, 0.6, 0.8), moving(0, 3, 4), s->ball, at(0, 0, 0), still, 0.0));
    assert_miss(cast(s->cube, at(1, 1, 1), moving(2, -0.9, -0.9), s->cube, at(0, 0, 0), still, 0.0)); /* corner past corner */
    /* Approaching: a hit at once, however slowly. */
    for (double speed = 10.0; speed > 1e-9; speed *= 0.01) {
        abut_hit hit = cast(s->cube, at(0, 0, 1), moving(0, 0, -speed), s->cube, at(0, 0, 0), still, 0.0);
        assert_true(hit.hit && hit.started_inside);
        assert_near(hit.fraction, 0.0, 0.0);
        assert_vec3_near(hit.normal, pz, 1e-15);
        assert_near(hit.point.z, 0.5, 1e-15);
    }
    abut_hit hit = cast(s->cube, at(0, 0, 0.5), turning(0, 1, 0), s->ground, at(0, 0, 0), still, 0.0); /* its edge would penetrate */
    assert_true(hit.hit && hit.fraction == 0.0);
    /* Parting, then meeting again: a cube that jumps to the next one. */
    hit = cast(s->cube, at(0, 0, 1), (abut_motion){{0, 0, 0}, {0, 0, 0}}, s->cube, at(0, 0, 0), (abut_motion){{0, 0, -1}, {0, 0, 0}}, 0.0);
    assert_miss(hit);
    /* A body slides on the tops of the cubes until the ball in the middle touches one of their edges. */
    assert_miss(cast(s->row, at(0, 0, 1), moving(1.49, 0, 0), s->row, at(0, 0, 0), still, 1e-9));
    hit = cast(s->row, at(0, 0, 1), moving(3, 0, 0), s->row, at(0, 0, 0), still, 1e-9);
    assert_true(hit.hit);
    assert_near(hit.fraction, 0.5, 2e-5);
    /* Within the tolerance but not touching: a hit once the gap decreases. */
    hit = cast(s->cube, at(0, 0, 1 + 1e-3), moving(0, 0, -1e-2), s->cube, at(0, 0, 0), still, 1e-2);
    assert_true(hit.hit && !hit.started_inside && hit.fraction == 0.0);
    assert_miss(cast(s->cube, at(0, 0, 1 + 1e-3), moving(0, 0, 1), s->cube, at(0, 0, 0), still, 1e-2));
}

static void overlapping_starts(void **state) {
    shapes *s = *state;
    abut_hit hit = cast(s->cube, at(0, 0, 0.9), moving(0, 0, 5), s->cube, at(0, 0, 0), still, 0.0);
    assert_true(hit.hit && hit.started_inside);
    assert_near(hit.fraction, 0.0, 0.0);
    assert_vec3_near(hit.normal, pz, 1e-15);
    assert_near(hit.point.z, 0.5, 1e-15);
    assert_int_equal(hit.iterations, 0);
    hit = cast(s->ground, at(0, 0, 0), still, s->ball, at(3, 4, 0.4), moving(1, 0, 0), 0.0);
    assert_true(hit.hit && hit.started_inside);
    assert_vec3_near(hit.normal, abut_neg(pz), 1e-15);
    assert_vec3_near(hit.point, abut_vec3_make(3, 4, -0.1), 1e-14);
}

/* Two bodies that do not move: a hit exactly if they overlap. */
static void no_motion(void **state) {
    shapes *s = *state;
    assert_miss(cast(s->cube, at(0, 0, 1.001), still, s->cube, at(0, 0, 0), still, 0.0));
    assert_true(cast(s->cube, at(0, 0, 1), still, s->cube, at(0, 0, 0), still, 0.0).started_inside);
    assert_true(cast(s->cube, at(0, 0, 0.9), still, s->cube, at(0, 0, 0), still, 0.0).started_inside);
}

/* ---- planes that move, compounds ---- */

static void moving_planes(void **state) {
    shapes *s = *state;
    const double tolerance = 1e-9;
    abut_hit hit = cast(s->ground, at(0, 0, 0), moving(0, 0, 4), s->ball, at(7, 8, 2.5), still, tolerance); /* as A, from below */
    assert_hit(hit, 0.5, 4.0, tolerance, abut_vec3_make(7, 8, 2), abut_neg(pz));
    /* A ramp that tilts about the y axis until it meets a ball of radius 0.5 at (-3, 0, 2): 3 sin + 0.5 = 2 cos. */
    double angle = atan2(2.0, 3.0) - asin(0.5 / sqrt(13.0));
    hit = cast(s->ball, at(-3, 0, 2), still, s->ground, at(0, 0, 0), turning(0, 1, 0), tolerance);
    assert_hit(hit, angle, sqrt(13.0), 1.2 * tolerance, abut_vec3_make(-3.0 - 0.5 * sin(angle), 0, 2.0 - 0.5 * cos(angle)),
               abut_vec3_make(sin(angle), 0, cos(angle)));
    assert_miss(cast(s->ball, at(-3, 0, 2), still, s->ground, at(0, 0, 0), turning(0, 0.9 * angle, 0), tolerance));
    /* Ball and ramp turn together about the ramp's origin; the ball's own rotation is invisible: nothing changes... */
    abut_hit spinning = cast(s->cube, at(0, 0, 3), turning(0, 0, 5), s->ground, at(0, 0, 0), turning(0, 0, -4), tolerance);
    assert_miss(spinning); /* ... nor for turns about the plane's own normal */
    /* Falling on a plane that tilts towards it. */
    hit = cast(s->rod, at(5, 0, 5), (abut_motion){{0, 0, -2}, {1, 2, 3}}, s->ground, at(0, 0, 0), turning(0, -1.5, 0), 1e-7);
    assert_true(hit.hit);
}

static void compounds(void **state) {
    shapes *s = *state;
    const double tolerance = 1e-9;
    abut_hit hit = cast(s->ball, at(0, 0, 5), moving(0, 0, -10), s->row, at(0, 0, 0), still, tolerance); /* on the ball of the row */
    assert_hit(hit, 0.4, 10.0, tolerance, abut_vec3_make(0, 0, 0.5), pz);
    assert_int_equal(hit.feature_b.part, 1);
    hit = cast(s->row, at(4.1, 0, 5), moving(0, 0, -10), s->row, at(0, 0, 0), still, tolerance); /* its left cube on the right one */
    assert_hit(hit, 0.4, 10.0, tolerance, abut_vec3_make(hit.point.x, hit.point.y, 0.5), pz);
    assert_int_equal(hit.feature_a.part, 0);
    assert_int_equal(hit.feature_b.part, 2);
    /* The row turns about its middle until the corner of a cube, at (2.5, -0.5) from it, is on the ground. */
    double corner = sqrt(6.5), below = atan2(0.5, 2.5), angle = asin(1.5 / corner) - below;
    hit = cast(s->row, at(0, 0, 1.5), turning(0, PI / 2, 0), s->ground, at(0, 0, 0), still, tolerance);
    assert_hit(hit, angle / (PI / 2), PI / 2 * corner * cos(angle + below), 1.1 * tolerance,
               abut_vec3_make(corner * cos(angle + below), hit.point.y, 0), pz);
    assert_int_equal(hit.feature_a.part, 2);
    assert_miss(cast(s->row, at(0, 5, 5), moving(0, 0, -10), s->row, at(0, 0, 0), still, tolerance));
    assert_true(cast(s->row, at(4, 0, 0.9), moving(0, 0, 1), s->row, at(0, 0, 0), still, tolerance).started_inside);
}

/* ---- random motions ---- */

static abut_pose pose_after(abut_pose pose, abut_motion motion, double t) {
    abut_vec3 axis = abut_unit(motion.angular);
    abut_quat turn = abut_quat_about(axis, t * abut_length(motion.angular));
    return (abut_pose){abut_add_scaled(pose.position, t, motion.linear), abut_quat_unit(abut_quat_mul(turn, pose.rotation))};
}

typedef struct sample {
    specimen a, b;
    abut_pose pose_a, pose_b;
    abut_motion motion_a, motion_b;
    double tolerance;
} sample;

static double distance_after(const sample *s, double t) {
    oracle_body a = specimen_oracle(&s->a, pose_after(s->pose_a, s->motion_a, t)),
                b = specimen_oracle(&s->b, pose_after(s->pose_b, s->motion_b, t));
    double distance = oracle_signed_distance(&a, &b);
    oracle_free(&a);
    oracle_free(&b);
    return distance;
}

static sample random_sample(random_state *random) {
    double size_b = random_log_range(random, 0.1, 1.0);
    sample s = {.a = specimen_random(random, 1.0), .b = specimen_random(random, size_b)};
    s.pose_a = random_pose(random, 0.5);
    s.pose_b = random_pose(random, 0.5);
    s.pose_b.position = abut_add_scaled(s.pose_a.position, random_range(random, 0.5, 4.0), random_direction(random));
    abut_vec3 towards = abut_add(abut_sub(s.pose_b.position, s.pose_a.position), random_vec3(random, -0.3, 0.3));
    s.motion_a.linear = abut_scale(random_range(random, 0.5, 2.0), towards);
    s.motion_b.linear = random_vec3(random, -0.2, 0.2);
    if (random_below(random, 4)) {
        s.motion_a.angular = abut_scale(random_range(random, 0.0, 2.0 * PI), random_direction(random));
        s.motion_b.angular = abut_scale(random_range(random, 0.0, 2.0 * PI), random_direction(random));
    }
    if (random_below(random, 5) == 0) {
        s.motion_a.linear = s.motion_b.linear = abut_vec3_make(0, 0, 0); /* turns alone */
    }
    s.tolerance = random_log_range(random, 1e-9, 1e-3);
    return s;
}

static void free_sample(sample *s) {
    specimen_free(&s->a);
    specimen_free(&s->b);
}

static void check_moments(tally *t, const sample *s, const abut_hit *hit, int moments) {
    double end = hit->hit ? hit->fraction : 1.0, rounding = 1e-12 * (1.0 + abut_length(s->motion_a.linear));
    for (int k = 0; k < moments; k++) {
        double moment = end * k / moments;
        double distance = distance_after(s, moment);
        if (distance < (k == 0 ? 0.0 : 0.49 * s->tolerance) - rounding) {
            tally_fail(t, "a touch was passed by", "distance %.3g at %.6g, end %.6g", distance, moment, end);
            return;
        }
    }
}

static void check_hit(tally *t, const sample *s, const abut_hit *hit) {
    double rounding = 1e-12 * (1.0 + abut_length(s->motion_a.linear));
    oracle_body a = specimen_oracle(&s->a, pose_after(s->pose_a, s->motion_a, hit->fraction)),
                b = specimen_oracle(&s->b, pose_after(s->pose_b, s->motion_b, hit->fraction));
    double distance = oracle_signed_distance(&a, &b);
    if (!(distance <= s->tolerance + rounding) || !(distance >= (hit->fraction > 0.0 ? 0.49 * s->tolerance : 0.0) - rounding)) {
        tally_fail(t, "gap at the hit", "%.3g, tolerance %.3g, fraction %.17g", distance, s->tolerance, hit->fraction);
    }
    if (!(fabs(oracle_outside(&b, hit->point)) <= rounding) || !(oracle_outside(&a, hit->point) <= s->tolerance + rounding)) {
        tally_fail(t, "point off the surfaces", "%.3g, %.3g", oracle_outside(&a, hit->point), oracle_outside(&b, hit->point));
    }
    if (!(fabs(abut_length(hit->normal) - 1.0) <= 1e-14) || !(fabs(oracle_gap_along(&a, &b, hit->normal) - distance) <= rounding)) {
        tally_fail(t, "gap along the normal", "%.17g, distance %.17g", oracle_gap_along(&a, &b, hit->normal), distance);
    }
    oracle_free(&a);
    oracle_free(&b);
}

static void random_motions(void **state) {
    (void)state;
    random_state random = random_make(random_seed("random_motions", 551));
    static tally t;
    int32_t hits = 0, inside = 0, misses = 0, most = 0;
    int64_t steps = 0;
    for (int i = 0; i < 700; i++) {
        sample s = random_sample(&random);
        tally_sample(&t, "motion %d: %s of %.3g and %s of %.3g, way %.3g, turns %.3g and %.3g, tolerance %.3g", i, specimen_name(&s.a),
                     s.a.size, specimen_name(&s.b), s.b.size, abut_length(s.motion_a.linear), abut_length(s.motion_a.angular),
                     abut_length(s.motion_b.angular), s.tolerance);
        abut_hit hit;
        abut_status status =
            abut_shape_cast(&(abut_pair){s.a.shape, s.pose_a, s.b.shape, s.pose_b}, s.motion_a, s.motion_b, s.tolerance, &hit);
        if (status != ABUT_OK) {
            tally_fail(&t, "status", "%s at %.17g", abut_status_name(status), hit.fraction);
        } else if (hit.started_inside) {
            inside++;
            if (distance_after(&s, 0.0) > 1e-12 || hit.fraction != 0.0) {
                tally_fail(&t, "not inside", "%.3g", distance_after(&s, 0.0));
            }
        } else {
            *(hit.hit ? &hits : &misses) += 1;
            check_moments(&t, &s, &hit, i % 10 ? 40 : 400);
            if (hit.hit) {
                check_hit(&t, &s, &hit);
            }
        }
        steps += hit.iterations;
        most = hit.iterations > most ? hit.iterations : most;
        free_sample(&s);
    }
    print_message("random_motions: %d hits, %d misses, %d inside; %.1f steps each, at most %d\n", (int)hits, (int)misses, (int)inside,
                  (double)steps / (hits + misses), (int)most);
    assert_true(hits > 200 && misses > 100 && most < 100);
    tally_end(&t);
}

/* Starts that touch to the last digit: a miss never penetrates, a hit would penetrate at once. */
static void random_touching_starts(void **state) {
    (void)state;
    random_state random = random_make(random_seed("random_touching_starts", 552));
    static tally t;
    int32_t at_once = 0, misses = 0, later = 0;
    for (int i = 0; i < 700; i++) {
        sample s = random_sample(&random);
        abut_separation d;
        for (int k = 0; k < 2; k++) { /* the second time, starting with the direction of the touch */
            assert_ok(abut_distance(&(abut_pair){s.a.shape, s.pose_a, s.b.shape, s.pose_b}, NULL, NULL, &d));
            s.pose_a.position = abut_add_scaled(s.pose_a.position, -d.gap, d.normal);
        }
        s.tolerance = 1e-6;
        s.motion_a.linear = random_vec3(&random, -1, 1);
        s.motion_b.linear = random_vec3(&random, -1, 1);
        double start = distance_after(&s, 0.0), noise = 1e-11;
        tally_sample(&t, "start %d: %s of %.3g and %s of %.3g, gap %.3g", i, specimen_name(&s.a), s.a.size, specimen_name(&s.b), s.b.size,
                     start);
        abut_hit hit;
        abut_status status =
            abut_shape_cast(&(abut_pair){s.a.shape, s.pose_a, s.b.shape, s.pose_b}, s.motion_a, s.motion_b, s.tolerance, &hit);
        if (status != ABUT_OK) {
            tally_fail(&t, "status", "%s at %.17g", abut_status_name(status), hit.fraction);
        } else if (hit.hit && hit.fraction == 0.0) {
            at_once++;
            bool nearer = start < -1e-13;
            for (double moment = 1e-9; moment < 1.0 && !nearer; moment *= 1.5) {
                nearer = distance_after(&s, moment) < start - 1e-13;
            }
            if (!nearer) {
                tally_fail(&t, "a hit at once, but they do not come nearer", "inside %d", hit.started_inside);
            }
        } else {
            *(hit.hit ? &later : &misses) += 1;
            double end = hit.hit ? hit.fraction : 1.0;
            for (int k = 0; k <= 100; k++) {
                double distance = distance_after(&s, end * k / 100.0);
                if (!(distance >= fmin(start, 0.0) - noise)) {
                    tally_fail(&t, "went in unseen", "distance %.3g at %.3g", distance, end * k / 100.0);
                    break;
                }
            }
        }
        free_sample(&s);
    }
    print_message("random_touching_starts: %d hits at once, %d later, %d misses\n", (int)at_once, (int)later, (int)misses);
    assert_true(at_once > 150 && misses > 150);
    tally_end(&t);
}

/* Fractions are compared as distances travelled in between. */
static void check_like(tally *t, const char *what, const abut_hit *hit, const abut_hit *expected, double speed, double tolerance) {
    if (hit->hit != expected->hit || hit->started_inside != expected->started_inside) {
        tally_fail(t, what, "hit %d instead of %d", hit->hit, expected->hit);
    } else if (!(fabs(hit->fraction - expected->fraction) * speed <= tolerance)) {
        tally_fail(t, what, "fraction %.17g instead of %.17g", hit->fraction, expected->fraction);
    }
}

static void symmetries(void **state) {
    (void)state;
    random_state random = random_make(random_seed("symmetries", 553));
    static tally t;
    const abut_vec3 offset = {1e6, -2e6, 3e6};
    for (int i = 0; i < 500; i++) {
        sample s = random_sample(&random);
        s.tolerance = 1e-7;
        tally_sample(&t, "motion %d: %s of %.3g and %s of %.3g", i, specimen_name(&s.a), s.a.size, specimen_name(&s.b), s.b.size);
        abut_hit plain = cast(s.a.shape, s.pose_a, s.motion_a, s.b.shape, s.pose_b, s.motion_b, s.tolerance), other;
        double speed = abut_distance_between(s.motion_a.linear, s.motion_b.linear) + abut_length(s.motion_a.angular) * s.a.size +
                       abut_length(s.motion_b.angular) * s.b.size;
        /* One cast found the gap at half the tolerance, another at all of it; for grazing motion these are far apart in time. */
        double slack = 100.0 * s.tolerance;
        other = cast(s.b.shape, s.pose_b, s.motion_b, s.a.shape, s.pose_a, s.motion_a, s.tolerance);
        check_like(&t, "swap", &other, &plain, speed, slack);
        abut_pose far_a = s.pose_a, far_b = s.pose_b;
        far_a.position = abut_add(far_a.position, offset);
        far_b.position = abut_add(far_b.position, offset);
        other = cast(s.a.shape, far_a, s.motion_a, s.b.shape, far_b, s.motion_b, s.tolerance);
        check_like(&t, "far from the origin", &other, &plain, speed, slack);
        static const double factors[2] = {1e-3, 1e3};
        for (int k = 0; k < 2; k++) {
            double f = factors[k];
            specimen a = specimen_scaled(&s.a, f), b = specimen_scaled(&s.b, f);
            abut_pose pose_a = s.pose_a, pose_b = s.pose_b;
            abut_motion motion_a = s.motion_a, motion_b = s.motion_b;
            pose_a.position = abut_scale(f, pose_a.position);
            pose_b.position = abut_scale(f, pose_b.position);
            motion_a.linear = abut_scale(f, motion_a.linear);
            motion_b.linear = abut_scale(f, motion_b.linear);
            other = cast(a.shape, pose_a, motion_a, b.shape, pose_b, motion_b, f * s.tolerance);
            check_like(&t, "scale", &other, &plain, speed, slack);
            specimen_free(&a);
            specimen_free(&b);
        }
        free_sample(&s);
    }
    tally_end(&t);
}

/* Planes that move and turn about an origin far from the body, at many moments. */
static void random_planes(void **state) {
    (void)state;
    random_state random = random_make(random_seed("random_planes", 554));
    static tally t;
    int32_t hits = 0, misses = 0;
    for (int i = 0; i < 500; i++) {
        specimen body = specimen_random(&random, 1.0);
        abut_shape *half_space = NULL;
        abut_vec3 local = random_direction(&random);
        double offset = random_range(&random, -2, 2), tolerance = random_log_range(&random, 1e-9, 1e-4);
        assert_ok(abut_shape_create_plane(local, offset, &half_space));
        abut_pose pose = random_pose(&random, 3.0), pose_plane = random_pose(&random, 3.0);
        abut_motion motion = {random_vec3(&random, -2, 2), abut_scale(random_range(&random, 0, 4), random_direction(&random))};
        abut_motion motion_plane = {random_vec3(&random, -2, 2),
                                    abut_scale(random_range(&random, 0, 2) * (i % 3 != 0), random_direction(&random))};
        abut_hit hit;
        abut_status status =
            i % 2 ? abut_shape_cast(&(abut_pair){body.shape, pose, half_space, pose_plane}, motion, motion_plane, tolerance, &hit)
                  : abut_shape_cast(&(abut_pair){half_space, pose_plane, body.shape, pose}, motion_plane, motion, tolerance, &hit);
        tally_sample(&t, "plane %d: %s of %.3g, hit %d inside %d at %.6g after %d", i, specimen_name(&body), body.size, hit.hit,
                     hit.started_inside, hit.fraction, (int)hit.iterations);
        if (status != ABUT_OK) {
            tally_fail(&t, "status", "%s, turns %.3g and %.3g, tolerance %.3g", abut_status_name(status), abut_length(motion.angular),
                       abut_length(motion_plane.angular), tolerance);
        }
        *(hit.hit ? &hits : &misses) += 1;
        for (int k = 0; k <= 200 && !(hit.started_inside && k == 200); k++) {
            double moment = hit.fraction * k / 200.0;
            abut_pose place = pose_after(pose_plane, motion_plane, moment);
            abut_vec3 outward = abut_quat_rotate(place.rotation, local);
            oracle_body oracle = specimen_oracle(&body, pose_after(pose, motion, moment));
            double gap = -oracle_support(&oracle, abut_neg(outward)) - abut_dot(outward, place.position) - offset;
            oracle_free(&oracle);
            if (hit.started_inside ? gap > 1e-13 : gap < 0.49 * tolerance - 1e-13) {
                tally_fail(&t, "inside, or passed by", "gap %.3g at %.6g", gap, moment);
                break;
            }
            if (hit.hit && !hit.started_inside && k == 200 && gap > tolerance + 1e-13) {
                tally_fail(&t, "gap at the hit", "%.3g instead of %.3g", gap, tolerance);
            }
        }
        abut_shape_release(half_space);
        specimen_free(&body);
    }
    print_message("random_planes: %d hits, %d misses\n", (int)hits, (int)misses);
    assert_true(hits > 100 && misses > 100);
    tally_end(&t);
}

/* A compound's cast is the earliest of those of its parts, each a compound by itself. */
static void random_compounds(void **state) {
    (void)state;
    enum { PARTS = 5 };
    random_state random = random_make(random_seed("random_compounds", 555));
    int32_t hits = 0, misses = 0;
    for (int i = 0; i < 100; i++) {
        specimen part[2][PARTS];
        abut_shape *whole[2] = {NULL, NULL}, *single[2][PARTS];
        for (int k = 0; k < 2; k++) {
            abut_part parts[PARTS];
            for (int p = 0; p < PARTS; p++) {
                part[k][p] = specimen_random(&random, 0.5);
                parts[p] = (abut_part){part[k][p].shape, random_pose(&random, 0.7)};
                assert_ok(abut_shape_create_compound(&parts[p], 1, &single[k][p]));
            }
            assert_ok(abut_shape_create_compound(parts, PARTS, &whole[k]));
        }
        abut_pose pose_a = random_pose(&random, 0.2), pose_b = random_pose(&random, 0.2);
        pose_b.position = abut_add_scaled(pose_b.position, 3.5, random_direction(&random));
        abut_motion motion_a = {abut_scale(random_range(&random, 0.3, 1.5), abut_sub(pose_b.position, pose_a.position)),
                                random_vec3(&random, -2, 2)};
        abut_motion motion_b = {random_vec3(&random, -1, 1), random_vec3(&random, -2, 2)};
        abut_hit hit = cast(whole[0], pose_a, motion_a, whole[1], pose_b, motion_b, 1e-9), first = {.fraction = 1.0};
        double second = 2.0;
        for (int p = 0; p < PARTS; p++) {
            for (int q = 0; q < PARTS; q++) {
                abut_hit found = cast(single[0][p], pose_a, motion_a, single[1][q], pose_b, motion_b, 1e-9);
                second = found.hit ? fmin(second, fmax(found.fraction, first.fraction)) : second;
                if (found.hit && (!first.hit || found.fraction < first.fraction)) {
                    first = found;
                    first.feature_a.part = p;
                    first.feature_b.part = q;
                }
            }
        }
        assert_true(hit.hit == first.hit);
        assert_near(hit.fraction, first.fraction, 1e-6); /* how much of the tolerance is left depends on the steps */
        if (hit.hit && !hit.started_inside && second > first.fraction + 1e-6) {
            assert_int_equal(hit.feature_a.part, first.feature_a.part);
            assert_int_equal(hit.feature_b.part, first.feature_b.part);
            assert_vec3_near(hit.normal, first.normal, 1e-4);
            assert_vec3_near(hit.point, first.point, 1e-4);
        }
        *(hit.hit ? &hits : &misses) += 1;
        for (int k = 0; k < 2; k++) {
            abut_shape_release(whole[k]);
            for (int p = 0; p < PARTS; p++) {
                abut_shape_release(single[k][p]);
                specimen_free(&part[k][p]);
            }
        }
    }
    print_message("random_compounds: %d hits, %d misses\n", (int)hits, (int)misses);
    assert_true(hits > 20 && misses > 20);
}

/* ---- many equal parts ---- */

enum { MANY = 12 };

static abut_shape *many(const abut_shape *part, const abut_pose pose[MANY]) {
    abut_part parts[MANY];
    abut_shape *whole = NULL;
    for (int i = 0; i < MANY; i++) {
        parts[i] = (abut_part){(abut_shape *)(uintptr_t)part, pose[i]};
    }
    assert_ok(abut_shape_create_compound(parts, MANY, &whole));
    return whole;
}

/* Balls turned in themselves that spin in place with a small gap: the boxes about them, which the steps were measured with, sweep through each other. Every
 * pair of parts took hundreds of steps, and some gave up. */
static void balls_that_spin_in_place_took_all_steps(void **state) {
    (void)state;
    abut_shape *ball = ellipsoid(0.5, 0.5, 0.5);
    abut_pose pose[MANY];
    for (int i = 0; i < MANY; i++) {
        pose[i] = turned(at(0, 0, 0), abut_vec3_make(1, 2, 3), 0.1 * i);
    }
    abut_shape *whole = many(ball, pose);
    abut_hit hit = cast(whole, at(0, 0, 0), turning(3, 5, -9), whole, at(1.0 + 1e-5, 0, 0), turning(-8, 0, 4), 1e-9);
    assert_miss(hit);
    assert_int_equal(hit.iterations, MANY * MANY);
    abut_shape_release(ball);
    abut_shape_release(whole);
}

/* Equal parts at one place are one body. Each pair of them was advanced again. */
static void equal_parts_at_one_place_were_advanced_again(void **state) {
    (void)state;
    abut_shape *egg = ellipsoid(0.3, 0.5, 0.8);
    abut_pose pose[MANY];
    for (int i = 0; i < MANY; i++) {
        pose[i] = at(0.1, 0, 0.2);
    }
    const abut_part single = {egg, pose[0]};
    abut_shape *whole = many(egg, pose), *one = NULL;
    assert_ok(abut_shape_create_compound(&single, 1, &one));
    const abut_motion way = {{2, 0, 0}, {3, 5, -9}}, turn = turning(-8, 0, 4);
    abut_hit hit = cast(whole, at(0, 0, 0), way, whole, at(3, 0, 0), turn, 1e-6),
             alone = cast(one, at(0, 0, 0), way, one, at(3, 0, 0), turn, 1e-6);
    assert_true(alone.hit);
    assert_memory_equal(&hit, &alone, sizeof hit);
    abut_shape_release(egg);
    abut_shape_release(whole);
    abut_shape_release(one);
}

static abut_hit first_of_pairs(abut_shape *single[MANY], const sample *s) {
    abut_hit first = {.fraction = 1.0};
    for (int p = 0; p < MANY; p++) {
        for (int q = 0; q < MANY; q++) {
            abut_hit found = cast(single[p], s->pose_a, s->motion_a, single[q], s->pose_b, s->motion_b, 1e-9);
            first = found.hit && found.fraction < first.fraction ? found : first;
        }
    }
    return first;
}

/* Some parts at one place, others beside them, with fast spins: the first touch is that of all pairs of parts, each asked alone. */
static void equal_parts_with_spin_as_each_pair_alone(void **state) {
    (void)state;
    random_state random = random_make(random_seed("equal_parts_with_spin_as_each_pair_alone", 29));
    int32_t hits = 0, misses = 0;
    for (int i = 0; i < 40; i++) {
        abut_shape *part = i % 4 == 3 ? cylinder(0.4, random_range(&random, 0.1, 0.4))
                                      : ellipsoid(0.4, i % 2 ? 0.4 : random_range(&random, 0.1, 0.8), random_range(&random, 0.1, 0.8));
        abut_shape *single[MANY];
        abut_pose pose[MANY];
        for (int p = 0; p < MANY; p++) {
            pose[p] = p % 3 == 0 ? random_pose(&random, i % 2 ? 0.01 : 0.5) : pose[p - 1];
            const abut_part alone = {part, pose[p]};
            assert_ok(abut_shape_create_compound(&alone, 1, &single[p]));
        }
        abut_shape *whole = many(part, pose);
        sample s = {
            .pose_a = random_pose(&random, 0.2), .pose_b = random_pose(&random, 0.2), .motion_a = {.angular = random_vec3(&random, -9, 9)}};
        s.motion_b = (abut_motion){.linear = random_vec3(&random, -0.3, 0.3), .angular = random_vec3(&random, -9, 9)};
        s.pose_b.position = abut_add_scaled(s.pose_b.position, random_range(&random, 1.2, 2.4), random_direction(&random));
        abut_hit hit = cast(whole, s.pose_a, s.motion_a, whole, s.pose_b, s.motion_b, 1e-9), first = first_of_pairs(single, &s);
        assert_true(hit.hit == first.hit);
        assert_near(hit.fraction, first.fraction, 1e-6); /* how much of the tolerance is left depends on the steps */
        *(hit.hit ? &hits : &misses) += 1;
        abut_shape_release(whole);
        abut_shape_release(part);
        for (int p = 0; p < MANY; p++) {
            abut_shape_release(single[p]);
        }
    }
    print_message("equal_parts_with_spin_as_each_pair_alone: %d hits, %d misses\n", (int)hits, (int)misses);
    assert_true(hits > 5 && misses > 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(translations),
        cmocka_unit_test(grazing),
        cmocka_unit_test(never_tunnels),
        cmocka_unit_test(turns),
        cmocka_unit_test(a_ball_rolls),
        cmocka_unit_test(wheels),
        cmocka_unit_test(touching_starts),
        cmocka_unit_test(overlapping_starts),
        cmocka_unit_test(no_motion),
        cmocka_unit_test(moving_planes),
        cmocka_unit_test(compounds),
        cmocka_unit_test(random_motions),
        cmocka_unit_test(random_touching_starts),
        cmocka_unit_test(symmetries),
        cmocka_unit_test(random_planes),
        cmocka_unit_test(random_compounds),
        cmocka_unit_test(balls_that_spin_in_place_took_all_steps),
        cmocka_unit_test(equal_parts_at_one_place_were_advanced_again),
        cmocka_unit_test(equal_parts_with_spin_as_each_pair_alone),
    };
    return cmocka_run_group_tests_name("narrow/shape_cast", tests, make_shapes, free_shapes);
}
