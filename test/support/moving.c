/* Pairs of moving shapes. See moving.h. */
#include "support/moving.h"

#include <stdio.h>

#include <abut/smooth.h>

static const double most_way = 0.01, most_turn = 0.03;

static abut_shape *polytope_of(solid s) {
    abut_shape *shape = solid_shape(&s);
    solid_free(&s);
    return shape;
}

/* Three boxes and a ball; some of them overlap. */
static abut_shape *make_compound(random_state *random) {
    abut_part parts[4];
    for (int i = 0; i < 4; i++) {
        abut_shape *part = NULL;
        if (i < 3) {
            assert_ok(abut_shape_create_box(random_vec3(random, 0.1, 0.3), &part));
        } else {
            assert_ok(abut_shape_create_sphere(random_range(random, 0.1, 0.3), &part));
        }
        parts[i] = (abut_part){part, {random_vec3(random, -0.3, 0.3), abut_quat_identity()}};
        parts[i].pose.rotation = i % 2 ? random_rotation(random) : abut_quat_identity();
    }
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_compound(parts, 4, &shape));
    for (int i = 0; i < 4; i++) {
        abut_shape_release(parts[i].shape);
    }
    return shape;
}

enum { KINDS = 9, KIND_COMPOUND = 7, KIND_PLANE = 8 };

static abut_shape *make_shape(random_state *random, int32_t kind) {
    static const int32_t hulls[4] = {8, 20, 60, 128};
    abut_shape *shape = NULL;
    double p = random_range(random, 0.2, 0.6), q = random_range(random, 0.2, 0.6), r = random_range(random, 0.2, 0.6);
    switch (kind) {
    case 0:
        assert_ok(abut_shape_create_sphere(p, &shape));
        return shape;
    case 1:
        assert_ok(abut_shape_create_capsule(p, random_below(random, 4) ? q : 0.0, &shape));
        return shape;
    case 2:
    case 3:
        assert_ok(abut_shape_create_box(abut_vec3_make(p, q, r), &shape));
        return shape;
    case 4:
        assert_ok(abut_shape_create_prism(p, q, 3 + random_below(random, 62), &shape));
        return shape;
    case 5:
        return polytope_of(solid_cloud(random, hulls[random_below(random, 4)], abut_vec3_make(p, q, r)));
    case 6:
        assert_ok(abut_shape_create_pyramid(p, q, 3 + random_below(random, 30), &shape));
        return shape;
    case KIND_COMPOUND:
        return make_compound(random);
    default:
        assert_ok(abut_shape_create_plane(random_direction(random), p - 0.4, &shape));
        return shape;
    }
}

static bool touches(const moving_pair *pair, double away, abut_vec3 direction) {
    abut_pose pose = pair->pose_a;
    pose.position = abut_add_scaled(pair->pose_b.position, away, direction);
    abut_contact contact;
    int32_t count = 0;
    abut_collide(&(abut_pair){pair->a, pose, pair->b, pair->pose_b}, NULL, NULL, &contact, 1, &count);
    return count > 0;
}

/* The distance at which A just touches B, coming from this direction. */
static double touching_distance(const moving_pair *pair, abut_vec3 direction) {
    double near = 0.0, far = 8.0;
    for (int i = 0; i < 50; i++) {
        double middle = 0.5 * (near + far);
        *(touches(pair, middle, direction) ? &near : &far) = middle;
    }
    return near;
}

/* A stands upright on B, face on face. It slides and rotates about the vertical, so the faces stay coplanar to the last bit. */
static void stack(moving_pair *pair, random_state *random) {
    static const double sunk[4] = {0.0, 0x1p-20, 0x1p-8, -0x1p-8};
    double height_a = 0.125 * (1 + random_below(random, 4)), height_b = 0.125 * (1 + random_below(random, 4));
    abut_shape *shapes[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++) {
        double height = i ? height_b : height_a, p = 0.125 * (2 + random_below(random, 4)), q = 0.125 * (2 + random_below(random, 4));
        if (random_below(random, 2)) {
            assert_ok(abut_shape_create_box(abut_vec3_make(p, q, height), &shapes[i]));
        } else {
            assert_ok(abut_shape_create_prism(p, height, 3 + random_below(random, 62), &shapes[i]));
        }
    }
    int32_t depth = random_below(random, 4), moves = random_below(random, 3);
    *pair = (moving_pair){.a = shapes[0], .b = shapes[1], .pose_a = abut_pose_identity(), .pose_b = abut_pose_identity()};
    pair->pose_a.position = abut_vec3_make(0.0625 * random_below(random, 4), 0.0, height_a + height_b - sunk[depth]);
    pair->way = moves == 1 ? abut_vec3_make(random_range(random, -most_way, most_way) / 2, 0x1p-8, 0) : abut_vec3_make(0, 0, 0);
    pair->turn = abut_vec3_make(0, 0, moves == 2 ? random_range(random, -most_turn, most_turn) : 0.0);
    snprintf(pair->what, sizeof pair->what, "stack sunk by %g, %s", sunk[depth],
             moves == 0   ? "at rest"
             : moves == 1 ? "sliding"
                          : "turning");
}

moving_pair moving_make(random_state *random) {
    moving_pair pair = {0};
    if (random_below(random, 4) == 0) {
        stack(&pair, random);
        return pair;
    }
    int32_t kind_a = random_below(random, KINDS - 1), kind_b = random_below(random, KINDS);
    pair.a = make_shape(random, kind_a);
    pair.b = make_shape(random, kind_b);
    if (kind_a == kind_b && random_below(random, 3) == 0) {
        abut_shape_release(pair.b);
        pair.b = abut_shape_retain(pair.a);
    }
    pair.pose_a = random_pose(random, 1.0);
    pair.pose_b = random_pose(random, 1.0);
    abut_vec3 direction = random_direction(random);
    if (kind_b == KIND_PLANE) {
        direction = abut_quat_rotate(pair.pose_b.rotation, abut_shape_plane_normal(pair.b));
    }
    static const double starts[6] = {-0.2, -0.05, 0.0, 0.001, 0.05, 0.4};
    double start = starts[random_below(random, 6)];
    pair.pose_a.position = abut_add_scaled(pair.pose_b.position, fmax(0.0, touching_distance(&pair, direction) + start), direction);
    double way = random_range(random, 0.0, most_way), turn = random_range(random, 0.0, most_turn);
    pair.way = abut_scale(way, random_direction(random));
    pair.turn = abut_scale(turn, random_direction(random));
    if (random_below(random, 2)) { /* towards each other */
        pair.way = abut_scale(-random_range(random, 0.0, most_way), direction);
    }
    if (random_below(random, 2)) {
        pair = (moving_pair){pair.b, pair.a, pair.pose_b, pair.pose_a, abut_neg(pair.way), pair.turn, ""};
    }
    snprintf(pair.what, sizeof pair.what, "%s and %s, start %g", abut_kind_name(abut_shape_kind(pair.a)),
             abut_kind_name(abut_shape_kind(pair.b)), start);
    return pair;
}

void moving_step(moving_pair *pair) {
    double angle = abut_length(pair->turn);
    pair->pose_a.position = abut_add(pair->pose_a.position, pair->way);
    if (angle > 0.0) {
        pair->pose_a.rotation = abut_quat_unit(abut_quat_mul(abut_quat_about(abut_unit(pair->turn), angle), pair->pose_a.rotation));
    }
}

void moving_free(moving_pair *pair) {
    abut_shape_release(pair->a);
    abut_shape_release(pair->b);
}

/* ---- thin bodies ---- */

/* Superquadrics, prisms and cones between needles and leaves, with a thickness of up to 1e-16 of their length. */
static abut_shape *random_thin(random_state *random) {
    const double radius = random_range(random, 0.5, 4.0), height = radius * pow(10.0, random_range(random, -16.0, 16.0));
    const int32_t corners = 3 + random_below(random, 10), kind = random_below(random, 5);
    abut_shape *shape = NULL;
    if (kind == 0) {
        const double meridians = random_range(random, 0.3, 1.5), parallels = random_range(random, 0.3, 1.5);
        (void)abut_shape_create_superquadric(abut_vec3_make(radius, 1.5 * radius, height), meridians, parallels, &shape);
        return shape;
    }
    if (kind < 3) {
        (void)abut_shape_create_prism(radius, 0.5 * height, corners, &shape);
        return shape;
    }
    abut_vec3 points[13];
    for (int32_t i = 0; i < corners; i++) {
        const double angle = 6.283185307179586 * i / corners;
        points[i] = abut_vec3_make(radius * cos(angle), radius * sin(angle), -0.25 * height);
    }
    points[corners] = abut_vec3_make(0, 0, 0.75 * height);
    (void)abut_shape_create_hull(points, corners + 1, &shape);
    return shape;
}

moving_pair moving_thin(random_state *random) {
    moving_pair pair = {.what = "thin bodies"};
    pair.a = random_thin(random);
    pair.b = random_thin(random);
    const double way = 4.0 * pow(10.0, random_range(random, -2.0, 16.0));
    const bool turned = random_below(random, 2);
    pair.pose_a = (abut_pose){.rotation = turned ? random_rotation(random) : abut_quat_identity()};
    pair.pose_b = (abut_pose){.position = abut_scale(way, random_direction(random)), .rotation = random_rotation(random)};
    return pair;
}

abut_cache moving_strange_cache(random_state *random) {
    abut_cache cache = {.axis = random_direction(random)};
    cache.feature_a.kind = (abut_feature_kind)(ABUT_FEATURE_FACE + random_below(random, 3));
    cache.feature_a.index = random_below(random, 12);
    cache.feature_b.kind = (abut_feature_kind)(ABUT_FEATURE_FACE + random_below(random, 3));
    cache.feature_b.index = random_below(random, 12);
    return cache;
}
