/* Compounds: a union of convex parts touches like one body. No contact comes from a face inside the union, none occurs twice, and the area
 * is that of one piece. World frame, A above B, normal from B into A. */
#include "support/check.h"
#include "support/shapes.h"

#include <float.h>

static const abut_vec3 up = {0, 0, 1};
static check_answer answer, other, expected;

static abut_shape *unite(const abut_part *parts, int32_t count) {
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_compound(parts, count, &shape));
    for (int32_t i = 0; i < count; i++) {
        abut_shape_release(parts[i].shape);
    }
    return shape;
}

/* Slabs side by side, each `width` wide, from x = -4 to 4, upper face at z = 0.5. */
static abut_shape *floor_of(int32_t count) {
    abut_part parts[16];
    double half = 4.0 / count;
    for (int32_t i = 0; i < count; i++) {
        parts[i].shape = box(half, 2, 0.5);
        parts[i].pose = at(-4.0 + (2 * i + 1) * half, 0, 0);
    }
    return unite(parts, count);
}

/* No point occurs twice, in whichever patch. */
static void check_no_twins(tally *t, double distance) {
    for (int32_t i = 0; i < answer.count; i++) {
        for (int32_t j = 0; j < i; j++) {
            if (abut_distance_between(answer.contacts[i].on_b, answer.contacts[j].on_b) <= distance &&
                abut_distance_between(answer.contacts[i].normal, answer.contacts[j].normal) <= 1e-6) {
                tally_fail(t, "compound: the same contact twice", "contacts %d and %d of %d", (int)j, (int)i, (int)answer.count);
            }
        }
    }
}

static void check_normals(tally *t, abut_vec3 normal) {
    for (int32_t i = 0; i < answer.count; i++) {
        if (!(abut_distance_between(answer.contacts[i].normal, normal) <= 1e-9)) {
            abut_vec3 n = answer.contacts[i].normal;
            tally_fail(t, "compound: a normal that the union does not have here", "(%.6f, %.6f, %.6f), gap %.3g, contact %d of %d", n.x,
                       n.y, n.z, answer.contacts[i].gap, (int)i, (int)answer.count);
            return;
        }
    }
}

static double hull_of_points(abut_vec3 normal) {
    oracle_point2 points[CHECK_CAPACITY];
    abut_vec3 u, v;
    abut_tangent_frame(normal, &u, &v);
    for (int32_t i = 0; i < answer.count; i++) {
        points[i].x = abut_dot(u, answer.contacts[i].on_b);
        points[i].y = abut_dot(v, answer.contacts[i].on_b);
    }
    return oracle_hull_area(points, answer.count);
}

/* A box on a floor of several slabs, in any position and yaw, all rotated and moved: contacts as on a floor of one piece. */
static void box_over_seams(void **state) {
    (void)state;
    static tally t;
    random_state random = random_make(random_seed("box_over_seams", 61));
    abut_shape *floors[3] = {floor_of(2), floor_of(3), floor_of(8)}, *brick = box(0.5, 0.4, 0.3);
    for (int i = 0; i < 900; i++) {
        double depth = random_log_range(&random, 1e-5, 0.05), x = random_range(&random, -3.2, 3.2),
               yaw = i % 3 ? random_range(&random, 0, PI) : 0.0;
        if (i % 5 == 0) {
            /* One end just over the middle seam, by less than the depth or more. */
            static const double overs[7] = {0.0, 1e-12, 1e-9, 1e-7, 1e-5, 1e-3, 6e-3}; /* not the weld distance itself */
            x = -0.5 + overs[random_below(&random, 7)];
            yaw = 0.0;
        }
        abut_pose motion = i % 2 ? random_pose(&random, 2.0) : abut_pose_identity();
        abut_pose pose_a = abut_pose_compose(motion, turned(at(x, 0.3, 0.8 - depth), up, yaw));
        abut_vec3 normal = abut_quat_rotate(motion.rotation, up);
        check_pair pair = {.a = brick, .b = floors[i / 4 % 3], .pose_a = pose_a, .pose_b = motion, .size = 4.0, .compound = true};
        tally_sample(&t, "sample %d: floor %d, x %.17g, yaw %.17g, depth %.3g%s", i, i / 4 % 3, x, yaw, depth, i % 2 ? ", moved" : "");
        check_collide(&t, &pair, NULL, &answer);
        check_contacts(&t, &pair, &answer, 0.0, true);
        check_no_twins(&t, 1e-7);
        check_normals(&t, normal);
        if (!(fabs(hull_of_points(normal) - 0.8) <= 1e-6)) {
            tally_fail(&t, "compound: the contacts do not span the base", "%d contacts span %.9g of 0.8", (int)answer.count,
                       hull_of_points(normal));
        }
        if (!(fabs(check_area(&answer) - 0.8) <= 1e-6)) {
            tally_fail(&t, "compound: areas are not those of one piece", "%d contacts, area %.9g of 0.8", (int)answer.count,
                       check_area(&answer));
        }
        if (answer.count > 0 && !(fabs(check_deepest(&answer) + depth) <= 1e-12)) {
            tally_fail(&t, "compound: depth is not that of one piece", "deepest %.17g", check_deepest(&answer));
        }
        check_pair reverse = {.a = pair.b, .b = pair.a, .pose_a = pair.pose_b, .pose_b = pair.pose_a, .size = 4.0, .compound = true};
        check_collide(&t, &reverse, NULL, &other);
        check_swap(&answer, &expected);
        /* Of welded corners either may stay. Where a side stands exactly over a seam, rounding error decides which part it touches. */
        bool over_seam = i % 5 == 0;
        for (int32_t k = 0; over_seam && k < other.count; k++) {
            other.contacts[k].flags = 0;
        }
        for (int32_t k = 0; over_seam && k < expected.count; k++) {
            expected.contacts[k].flags = 0;
        }
        check_same(&t, "compound: swap of A and B", &other, &expected, abut_pose_identity(), 1.0, !over_seam, 2e-6);
    }
    tally_end(&t);
    for (int i = 0; i < 3; i++) {
        abut_shape_release(floors[i]);
    }
    abut_shape_release(brick);
}

/* A ball rolls over the seams: one contact with a vertical normal everywhere. */
static void sphere_over_seams(void **state) {
    (void)state;
    static tally t;
    abut_shape *floor = floor_of(8), *ball = sphere(0.3);
    for (int i = 0; i <= 600; i++) {
        double x = -3.0 + 0.01 * i, depth = i % 3 == 0 ? 0.001 : i % 3 == 1 ? 0.05 : 0.28;
        check_pair pair = {.a = ball, .b = floor, .pose_a = at(x, 0.1, 0.8 - depth), .pose_b = at(0, 0, 0), .size = 4.0, .compound = true};
        tally_sample(&t, "x %.17g, depth %g", x, depth);
        check_collide(&t, &pair, NULL, &answer);
        check_contacts(&t, &pair, &answer, 0.0, true);
        check_normals(&t, up);
        if (answer.count != 1 || !(fabs(answer.contacts[0].gap + depth) <= 1e-12)) {
            tally_fail(&t, "compound: not one contact under a ball", "%d, deepest %.17g", (int)answer.count, check_deepest(&answer));
        }
    }
    tally_end(&t);
    abut_shape_release(floor);
    abut_shape_release(ball);
}

static void capsule_over_seams(void **state) {
    (void)state;
    static tally t;
    abut_shape *floor = floor_of(8), *bar = NULL;
    assert_ok(abut_shape_create_capsule(0.2, 0.6, &bar));
    for (int i = 0; i <= 100; i++) {
        double x = -2.0 + 0.04 * i, yaw = 0.01 * i;
        abut_pose pose = turned(turned(at(x, 0.1, 0.69), abut_vec3_make(0, 1, 0), PI / 2), up, yaw);
        check_pair pair = {.a = bar, .b = floor, .pose_a = pose, .pose_b = at(0, 0, 0), .size = 4.0, .compound = true};
        tally_sample(&t, "x %.17g, yaw %g", x, yaw);
        check_collide(&t, &pair, NULL, &answer);
        check_contacts(&t, &pair, &answer, 0.0, true);
        check_normals(&t, up);
        check_no_twins(&t, 1e-7);
        abut_vec3 along = {cos(yaw), sin(yaw), 0};
        double low = INFINITY, high = -INFINITY;
        for (int32_t k = 0; k < answer.count; k++) {
            low = fmin(low, abut_dot(along, abut_sub(answer.contacts[k].on_b, pose.position)));
            high = fmax(high, abut_dot(along, abut_sub(answer.contacts[k].on_b, pose.position)));
        }
        if (!(fabs(low + 0.6) <= 1e-9 && fabs(high - 0.6) <= 1e-9)) {
            tally_fail(&t, "compound: a capsule does not rest on both its ends", "%d contacts from %.9g to %.9g", (int)answer.count, low,
                       high);
        }
    }
    tally_end(&t);
    abut_shape_release(floor);
    abut_shape_release(bar);
}

static bool has_normal(abut_vec3 normal, double gap) {
    for (int32_t i = 0; i < answer.count; i++) {
        if (abut_distance_between(answer.contacts[i].normal, normal) <= 1e-9 && fabs(answer.contacts[i].gap - gap) <= 1e-9) {
            return true;
        }
    }
    return false;
}

/* Where the union has a real wall, its contacts are kept. */
static void step_and_corner(void **state) {
    (void)state;
    static tally t;
    /* Floor up to z = 0; for x > 1 a step of height 0.4: two parts that share a face. */
    abut_part parts[2] = {{box(2, 2, 0.5), at(-1, 0, -0.5)}, {box(1, 2, 0.7), at(2, 0, -0.3)}};
    abut_shape *stair = unite(parts, 2), *ball = sphere(0.5), *cube = box(0.5, 0.5, 0.5);
    check_pair pair = {.a = ball, .b = stair, .pose_a = at(0.52, 0.1, 0.49), .pose_b = at(0, 0, 0), .size = 4.0, .compound = true};
    tally_sample(&t, "ball in front of a step");
    check_collide(&t, &pair, NULL, &answer);
    check_contacts(&t, &pair, &answer, 0.0, true);
    /* The rim of the step at (1, z = 0.4) is nearer than the wall's face, because the foot of the perpendicular would lie above it. */
    double rim = hypot(0.48, 0.09) - 0.5;
    assert_int_equal(answer.count, 2);
    assert_true(has_normal(up, -0.01));
    assert_true(has_normal(abut_unit(abut_vec3_make(-0.48, 0, 0.09)), rim));
    pair.a = cube;
    pair.pose_a = at(0.51, 0.1, 0.48);
    tally_sample(&t, "cube in front of a step");
    check_collide(&t, &pair, NULL, &answer);
    check_contacts(&t, &pair, &answer, 0.0, true);
    assert_true(has_normal(up, -0.02));
    assert_true(has_normal(abut_vec3_make(-1, 0, 0), -0.01));
    for (int32_t i = 0; i < answer.count; i++) {
        abut_vec3 n = answer.contacts[i].normal;
        assert_true(abut_distance_between(n, up) < 1e-9 || abut_distance_between(n, abut_vec3_make(-1, 0, 0)) < 1e-9);
    }
    /* On the step, over its rim. */
    pair.pose_a = at(1.2, 0.1, 0.89);
    tally_sample(&t, "cube over the rim of a step");
    check_collide(&t, &pair, NULL, &answer);
    check_contacts(&t, &pair, &answer, 0.0, true);
    check_normals(&t, up);
    assert_near(check_area(&answer), 0.7, 1e-9);
    tally_end(&t);
    abut_shape_release(stair);
    abut_shape_release(ball);
    abut_shape_release(cube);
}

/* Overlapping parts: what lies inside the union is not its surface. */
static void overlapping_parts(void **state) {
    (void)state;
    static tally t;
    /* A cross of two beams, and a box inside the first one. */
    abut_part parts[3] = {{box(2, 0.5, 0.5), at(0, 0, 0)}, {box(0.5, 2, 0.5), at(0, 0, 0)}, {box(0.2, 0.2, 0.2), at(1, 0, 0)}};
    abut_shape *cross = unite(parts, 3), *cube = box(0.5, 0.5, 0.5), *ball = sphere(0.5);
    check_pair pair = {.a = cube, .b = cross, .pose_a = at(0.3, 0.2, 0.99), .pose_b = at(0, 0, 0), .size = 2.0, .compound = true};
    tally_sample(&t, "cube on a cross");
    check_collide(&t, &pair, NULL, &answer);
    check_contacts(&t, &pair, &answer, 0.0, false);
    check_normals(&t, up);
    check_no_twins(&t, 1e-7);
    pair.a = ball;
    pair.pose_a = at(1, 0, 0.95);
    tally_sample(&t, "ball above the hidden box");
    check_collide(&t, &pair, NULL, &answer);
    check_contacts(&t, &pair, &answer, 0.0, false);
    check_normals(&t, up);
    assert_int_equal(answer.count, 1);
    assert_near(answer.contacts[0].gap, -0.05, 1e-12);
    /* In the inner corner of the cross: a contact with each beam. */
    pair.pose_a = at(0.95, 0.9, 0);
    tally_sample(&t, "ball in an inner corner");
    check_collide(&t, &pair, NULL, &answer);
    check_contacts(&t, &pair, &answer, 0.0, false);
    assert_int_equal(answer.count, 2);
    assert_true(has_normal(abut_vec3_make(1, 0, 0), -0.05));
    assert_true(has_normal(abut_vec3_make(0, 1, 0), -0.1));
    tally_end(&t);
    abut_shape_release(cross);
    abut_shape_release(cube);
    abut_shape_release(ball);
}

/* An L of two boxes that share a face, its arms up and to the side, on a floor and against a wall. */
static void l_shape(void **state) {
    (void)state;
    static tally t;
    abut_part parts[2] = {{box(1, 0.5, 0.25), at(0, 0, -0.75)}, {box(0.25, 0.5, 0.75), at(-0.75, 0, 0.25)}};
    abut_shape *l = unite(parts, 2), *floor = box(4, 4, 0.5), *cube = box(0.3, 0.3, 0.3);
    check_pair pair = {.a = l, .b = floor, .pose_a = at(0.2, 0.1, 1.49), .pose_b = at(0, 0, 0), .size = 4.0, .compound = true};
    tally_sample(&t, "L on a floor");
    check_collide(&t, &pair, NULL, &answer);
    check_contacts(&t, &pair, &answer, 0.0, true);
    check_normals(&t, up);
    assert_int_equal(answer.count, 4);
    assert_near(check_area(&answer), 2.0, 1e-9);
    /* Lying on its back: both parts reach the floor with coplanar faces that share an edge. */
    pair.pose_a = turned(at(0, 0, 1.49), abut_vec3_make(0, 1, 0), -PI / 2);
    tally_sample(&t, "L on its back");
    check_collide(&t, &pair, NULL, &answer);
    check_contacts(&t, &pair, &answer, 0.0, true);
    check_normals(&t, up);
    check_no_twins(&t, 1e-7);
    assert_near(check_area(&answer), 2.0, 1e-9);
    assert_near(hull_of_points(up), 2.0, 1e-9);
    /* A cube in the corner of the L. */
    check_pair inside = {.a = cube, .b = l, .pose_a = at(-0.21, 0, -0.22), .pose_b = at(0, 0, 0), .size = 1.0, .compound = true};
    tally_sample(&t, "cube in the corner of an L");
    check_collide(&t, &inside, NULL, &answer);
    check_contacts(&t, &inside, &answer, 0.0, false);
    assert_true(has_normal(up, -0.02));
    assert_true(has_normal(abut_vec3_make(1, 0, 0), -0.01));
    for (int32_t i = 0; i < answer.count; i++) {
        abut_vec3 n = answer.contacts[i].normal;
        assert_true(abut_distance_between(n, up) < 1e-9 || abut_distance_between(n, abut_vec3_make(1, 0, 0)) < 1e-9);
    }
    tally_end(&t);
    abut_shape_release(l);
    abut_shape_release(floor);
    abut_shape_release(cube);
}

enum { TEETH = 10, GEAR_PARTS = TEETH + 1 };

/* A hub with teeth, axis z: the teeth reach into the hub. */
static abut_shape *gear(abut_part parts[GEAR_PARTS]) {
    abut_shape *hub = NULL;
    assert_ok(abut_shape_create_prism(0.8, 0.2, 20, &hub));
    parts[0].shape = hub;
    parts[0].pose = at(0, 0, 0);
    for (int32_t i = 0; i < TEETH; i++) {
        double angle = 2.0 * PI * i / TEETH;
        parts[i + 1].shape = box(0.2, 0.12, 0.2);
        parts[i + 1].pose = turned(at(0.85 * cos(angle), 0.85 * sin(angle), 0), up, angle);
        parts[i + 1].pose.position = abut_vec3_make(0.85 * cos(angle), 0.85 * sin(angle), 0);
    }
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_compound(parts, GEAR_PARTS, &shape));
    return shape;
}

/* Depth of the point inside the union: the largest depth in one of its parts. */
static double inside_union(const abut_part *parts, int32_t count, abut_pose pose, abut_vec3 point) {
    double deepest = 0.0;
    for (int32_t i = 0; i < count; i++) {
        abut_polytope_view view;
        assert_ok(abut_shape_polytope(parts[i].shape, &view));
        abut_vec3 x = abut_pose_apply_inverse(parts[i].pose, abut_pose_apply_inverse(pose, point));
        double highest = -DBL_MAX;
        for (int32_t f = 0; f < view.face_count; f++) {
            abut_vec3 corner = view.vertices[view.face_vertices[view.face_first[f]]];
            highest = fmax(highest, abut_dot(view.face_normals[f], abut_sub(x, corner)));
        }
        deepest = fmax(deepest, -highest);
    }
    return deepest;
}

static void gears(void **state) {
    (void)state;
    static tally t;
    random_state random = random_make(random_seed("gears", 62));
    abut_part parts[GEAR_PARTS];
    abut_shape *wheel = gear(parts), *floor = box(4, 4, 0.5), *ground = NULL;
    assert_ok(abut_shape_create_plane(up, 0.5, &ground));
    /* Flat on a table: the hub's polygon and the parts of the teeth outside it, without inner points or repetitions. */
    check_pair flat = {.a = wheel, .b = floor, .pose_a = at(0.1, 0.2, 0.699), .pose_b = at(0, 0, 0), .size = 1.0, .compound = true};
    tally_sample(&t, "gear flat on a table");
    check_collide(&t, &flat, NULL, &answer);
    check_contacts(&t, &flat, &answer, 0.0, false);
    check_normals(&t, up);
    check_no_twins(&t, 1e-7);
    assert_true(check_area(&answer) > 0.0);
    /* Rolling on a table and on a plane, upright. */
    for (int i = 0; i < 200; i++) {
        abut_pose pose = turned(turned(at(0.1, 0.2, 0), up, 0.01 * PI * i), abut_vec3_make(1, 0, 0), PI / 2);
        double lowest = 0.0;
        for (int32_t k = 0; k < GEAR_PARTS; k++) {
            abut_polytope_view view;
            assert_ok(abut_shape_polytope(parts[k].shape, &view));
            for (int32_t v = 0; v < view.vertex_count; v++) {
                lowest = fmin(lowest, abut_pose_apply(pose, abut_pose_apply(parts[k].pose, view.vertices[v])).z);
            }
        }
        pose.position.z = 0.5 - lowest - 0.001;
        for (int on_plane = 0; on_plane < 2; on_plane++) {
            check_pair pair = {
                .a = wheel, .b = on_plane ? ground : floor, .pose_a = pose, .pose_b = at(0, 0, 0), .size = 1.0, .compound = true};
            tally_sample(&t, "gear rolling, %d of 200, on a %s", i, on_plane ? "plane" : "table");
            check_collide(&t, &pair, NULL, &answer);
            check_contacts(&t, &pair, &answer, 0.0, false);
            check_normals(&t, up);
            check_no_twins(&t, 1e-7);
            if (!(fabs(check_deepest(&answer) + 0.001) <= 1e-12)) {
                tally_fail(&t, "gear: depth", "%d contacts, deepest %.17g", (int)answer.count, check_deepest(&answer));
            }
        }
    }
    /* Two gears in mesh: contacts lie on the unions' surfaces. */
    int32_t touching = 0;
    for (int i = 0; i < 200; i++) {
        abut_pose pose_a = turned(at(random_range(&random, 1.75, 1.95), random_range(&random, -0.1, 0.1), random_range(&random, -0.1, 0.1)),
                                  up, random_range(&random, 0, 1));
        abut_pose pose_b = turned(at(0, 0, 0), up, random_range(&random, 0, 1));
        check_pair pair = {.a = wheel, .b = wheel, .pose_a = pose_a, .pose_b = pose_b, .size = 1.0, .compound = true};
        tally_sample(&t, "gears in mesh, %d of 200, distance %.17g", i, pose_a.position.x);
        check_collide(&t, &pair, NULL, &answer);
        check_contacts(&t, &pair, &answer, 0.0, false);
        check_no_twins(&t, 1e-9);
        touching += answer.count > 0;
        for (int32_t k = 0; k < answer.count; k++) {
            double a = inside_union(parts, GEAR_PARTS, pose_a, answer.contacts[k].on_a),
                   b = inside_union(parts, GEAR_PARTS, pose_b, answer.contacts[k].on_b);
            if (!(a <= 1e-6 && b <= 1e-6)) {
                tally_fail(&t, "gear: a point inside its own body", "A %.3g deep, B %.3g, contact %d of %d, parts %d %d", a, b, (int)k,
                           (int)answer.count, (int)answer.contacts[k].feature_a.part, (int)answer.contacts[k].feature_b.part);
            }
        }
        check_pair reverse = {.a = wheel, .b = wheel, .pose_a = pose_b, .pose_b = pose_a, .size = 1.0, .compound = true};
        check_collide(&t, &reverse, NULL, &other);
        check_swap(&answer, &expected);
        check_same(&t, "gear: swap of A and B", &other, &expected, abut_pose_identity(), 1.0, true, 1e-9);
    }
    assert_true(touching > 50);
    tally_end(&t);
    abut_shape_release(wheel);
    abut_shape_release(floor);
    abut_shape_release(ground);
    for (int32_t i = 0; i < GEAR_PARTS; i++) {
        abut_shape_release(parts[i].shape);
    }
}

/* A compound of one part gives the contacts of the part. */
static void single_part(void **state) {
    (void)state;
    static tally t;
    random_state random = random_make(random_seed("single_part", 63));
    abut_shape *brick = box(0.5, 0.4, 0.3), *cube = box(0.4, 0.4, 0.4);
    abut_pose inner = random_pose(&random, 0.3);
    abut_part part = {brick, inner};
    abut_shape *one = NULL;
    assert_ok(abut_shape_create_compound(&part, 1, &one));
    for (int i = 0; i < 200; i++) {
        abut_pose pose_a = random_pose(&random, 0.6), pose_b = random_pose(&random, 0.2);
        check_pair plain = {
            .a = brick, .b = cube, .pose_a = abut_pose_compose(pose_a, inner), .pose_b = pose_b, .size = 1.0, .compound = true};
        check_pair wrapped = {.a = one, .b = cube, .pose_a = pose_a, .pose_b = pose_b, .size = 1.0, .compound = true};
        tally_sample(&t, "sample %d", i);
        check_collide(&t, &plain, NULL, &answer);
        check_collide(&t, &wrapped, NULL, &other);
        check_contacts(&t, &wrapped, &other, 0.0, false);
        check_same(&t, "compound of one part", &other, &answer, abut_pose_identity(), 1.0, false, 1e-9);
    }
    tally_end(&t);
    abut_shape_release(brick);
    abut_shape_release(cube);
    abut_shape_release(one);
}

/* Mirrored, parts and all: no ghost appears. */
static void mirrored_floor(void **state) {
    (void)state;
    static tally t;
    solid slab = solid_box(abut_vec3_make(1, 2, 0.5)), wedge = solid_prism(0.5, 0.5, 3);
    solid slab_mirrored = solid_mirrored(&slab), wedge_mirrored = solid_mirrored(&wedge);
    for (int i = 0; i < 60; i++) {
        abut_pose pose = turned(at(-0.6 + 0.02 * i, 0.1, 0.99), up, 0.1 * i);
        for (int m = 0; m < 2; m++) {
            abut_part parts[2] = {{solid_shape(m ? &slab_mirrored : &slab), at(-1, 0, 0)},
                                  {solid_shape(m ? &slab_mirrored : &slab), at(1, 0, 0)}};
            abut_shape *floor = unite(parts, 2), *prism = solid_shape(m ? &wedge_mirrored : &wedge);
            check_pair pair = {
                .a = prism, .b = floor, .pose_a = m ? check_mirror_pose(pose) : pose, .pose_b = at(0, 0, 0), .size = 1.0, .compound = true};
            tally_sample(&t, "prism %d over the seam%s", i, m ? ", mirrored" : "");
            check_collide(&t, &pair, NULL, m ? &other : &answer);
            check_contacts(&t, &pair, m ? &other : &answer, 0.0, true);
            abut_shape_release(floor);
            abut_shape_release(prism);
        }
        check_normals(&t, up);
        check_mirror(&answer, &expected);
        check_same(&t, "compound: mirror", &other, &expected, abut_pose_identity(), 1.0, false, 1e-9);
    }
    tally_end(&t);
    solid_free(&slab);
    solid_free(&wedge);
    solid_free(&slab_mirrored);
    solid_free(&wedge_mirrored);
}

/* A ball at the centre of three larger ones: none of its surface lies outside the others, but the bodies overlap. The least deep part gives
 * the contact. */
static void buried(void **state) {
    (void)state;
    abut_part parts[3] = {{sphere(1.0), at(0, 0, 0.3)}, {sphere(1.0), at(0.3, 0, -0.2)}, {sphere(1.0), at(-0.3, 0, -0.2)}};
    abut_shape *balls = unite(parts, 3), *ball = sphere(0.2);
    abut_contact contacts[4];
    int32_t count;
    assert_ok(abut_collide(&(abut_pair){ball, at(0, 0, 0), balls, at(0, 0, 0)}, NULL, NULL, contacts, 4, &count));
    assert_int_equal(count, 1);
    assert_near(contacts[0].gap, hypot(0.3, 0.2) - 1.2, 1e-12);
    assert_ok(abut_collide(&(abut_pair){balls, at(0, 0, 0), ball, at(0, 0, 0)}, NULL, NULL, contacts, 4, &count));
    assert_int_equal(count, 1);
    assert_near(contacts[0].gap, hypot(0.3, 0.2) - 1.2, 1e-12);
    abut_shape_release(balls);
    abut_shape_release(ball);
}

/* Compounds that coincide except for a slight rotation: contacts found twice are merged, and every patch has one normal. */
static void one_normal_in_a_patch(void **state) {
    (void)state;
    random_state random = random_make(random_seed("one_normal_in_a_patch", 171));
    for (int i = 0; i < 300; i++) {
        abut_part parts[3];
        for (int k = 0; k < 3; k++) {
            parts[k].shape = NULL;
            assert_ok(abut_shape_create_prism(0.6, 0.4, 8, (abut_shape **)&parts[k].shape));
            parts[k].pose = turned(at(0.2 * k, 0, 0), random_direction(&random), 1e-6 * i);
        }
        abut_shape *body = unite(parts, 3);
        abut_pose pose = turned(at(0.1, 0, 0.3), random_direction(&random), 1e-5 * i);
        int32_t count = 0;
        assert_ok(abut_collide(&(abut_pair){body, pose, body, at(0, 0, 0)}, NULL, NULL, answer.contacts, CHECK_CAPACITY, &count));
        assert_true(count > 0);
        for (int32_t k = 1; k < count; k++) {
            if (answer.contacts[k].patch == answer.contacts[k - 1].patch) {
                assert_vec3_near(answer.contacts[k].normal, answer.contacts[k - 1].normal, 0.0);
            }
        }
        abut_shape_release(body);
    }
}

/*
 * Two double pyramids at one place, one rotated about the axis, apex on apex of two that are not rotated. Of the many normals of touching
 * apexes, each pair of parts takes one of its own, which need not be valid for the other parts. They touch nevertheless, in either order.
 */
static void apex_on_shared_apex(void **state) {
    (void)state;
    abut_vec3 points[7] = {{0, 0, 2}, {0, 0, -2}};
    for (int i = 0; i < 5; i++) {
        points[2 + i] = abut_vec3_make(2.0 * cos(0.4 * PI * i), 2.0 * sin(0.4 * PI * i), 0);
    }
    solid pyramids = solid_hull(points, 7);
    for (int i = 0; i < 40; i++) {
        abut_part below[2], above[2];
        for (int k = 0; k < 2; k++) {
            below[k].shape = solid_shape(&pyramids);
            above[k].shape = solid_shape(&pyramids);
            below[k].pose = at(2, 2, 2);
            above[k].pose = turned(at(2, 2, 2), up, k * 0.05 * i);
        }
        abut_shape *a = unite(above, 2), *b = unite(below, 2);
        abut_collide_settings settings = abut_collide_settings_default();
        settings.margin = i % 2 ? 1.0 : 0.0;
        for (int k = 0; k < 4; k++) {
            abut_contact contacts[16];
            int32_t count;
            double gap = settings.margin * (k / 2) * 0.5;
            abut_pose top = at(1, 1, 5 + gap), bottom = at(1, 1, 1);
            assert_ok(k % 2 ? abut_collide(&(abut_pair){a, top, b, bottom}, &settings, NULL, contacts, 16, &count)
                            : abut_collide(&(abut_pair){b, bottom, a, top}, &settings, NULL, contacts, 16, &count));
            assert_true(count > 0);
            assert_near(contacts[0].gap, gap, 1e-12);
        }
        abut_shape_release(a);
        abut_shape_release(b);
    }
    solid_free(&pyramids);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_over_seams),  cmocka_unit_test(sphere_over_seams),     cmocka_unit_test(capsule_over_seams),
        cmocka_unit_test(step_and_corner), cmocka_unit_test(overlapping_parts),     cmocka_unit_test(l_shape),
        cmocka_unit_test(gears),           cmocka_unit_test(single_part),           cmocka_unit_test(mirrored_floor),
        cmocka_unit_test(buried),          cmocka_unit_test(one_normal_in_a_patch), cmocka_unit_test(apex_on_shared_apex),
    };
    return cmocka_run_group_tests_name("narrow/compound", tests, NULL, NULL);
}
