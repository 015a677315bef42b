/*
 * Level floors of tiles of many sizes: static boxes, hulls and meshes side by side, and boxes beside meshes. What rolls or slides over them keeps its velocity,
 * as on one box.
 */
#include <abut/abut.h>

#include <stdio.h>

#include "support/bodies.h"
#include "support/check.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/shapes.h"

/* ---- the floor: a rectangle that is cut at random again and again, and each piece is one body ---- */

typedef enum piece_kind { BOX, SHEET, CLOSED, HULL, FIELD, KINDS } piece_kind;
static const char *const mixes[] = {"boxes", "sheets", "boxes and sheets", "all kinds"};

typedef struct tiling {
    abut_world *world;
    random_state random;
    int mix; /* of `mixes` */
    double smallest, friction;
    int count;
} tiling;

static abut_shape *sheet(double x, double y) {
    const abut_vec3 v[5] = {{0, 0, 0}, {x, 0, 0}, {x, y, 0}, {0, y, 0}, {0.6 * x, 0.3 * y, 0}};
    const int32_t corners[12] = {0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4};
    return meshes_make(v, 5, corners, 4);
}

/* A closed mesh, dented from below. */
static abut_shape *closed(double x, double y, double deep) {
    const abut_vec3 v[9] = {{0, 0, 0},     {x, 0, 0},     {x, y, 0},
                            {0, y, 0},     {0, 0, -deep}, {x, 0, -deep},
                            {x, y, -deep}, {0, y, -deep}, {0.4 * x, 0.5 * y, -0.5 * deep}};
    const int32_t t[42] = {0, 1, 2, 0, 2, 3, 4, 8, 5, 5, 8, 6, 6, 8, 7, 7, 8, 4, 0, 4, 5,
                           0, 5, 1, 1, 5, 6, 1, 6, 2, 2, 6, 7, 2, 7, 3, 3, 7, 4, 3, 4, 0};
    return meshes_make(v, 9, t, 14);
}

static abut_shape *hull(double x, double y, double deep) {
    const abut_vec3 v[8] = {{0, 0, 0},
                            {x, 0, 0},
                            {x, y, 0},
                            {0, y, 0},
                            {0.1 * x, 0.2 * y, -deep},
                            {x, 0.3 * y, -deep},
                            {0.5 * x, y, -deep},
                            {0.4 * x, 0.4 * y, -1.5 * deep}};
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_hull(v, 8, &shape));
    return shape;
}

static abut_shape *field(double x, double y) {
    double heights[9] = {0};
    abut_heightfield_def def = {.heights = heights, .columns = 3, .rows = 3, .spacing_x = 0.5 * x, .spacing_y = 0.5 * y};
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_heightfield(&def, &shape));
    return shape;
}

static void add_piece(tiling *t, const double from[2], const double to[2]) {
    double x = to[0] - from[0], y = to[1] - from[1], deep = random_range(&t->random, 0.1, 0.5);
    int kind = t->mix < 2 ? t->mix : random_below(&t->random, t->mix == 2 ? 2 : KINDS);
    abut_body_def def = abut_body_def_default();
    def.kind = ABUT_BODY_STATIC;
    def.friction = t->friction;
    def.pose = at(from[0], from[1], 0.0);
    if (kind == BOX) {
        def.pose.position = abut_vec3_make(from[0] + 0.5 * x, from[1] + 0.5 * y, -0.5 * deep);
        def.shape = box(0.5 * x, 0.5 * y, 0.5 * deep);
    } else {
        def.shape = kind == SHEET ? sheet(x, y) : kind == CLOSED ? closed(x, y, deep) : kind == HULL ? hull(x, y, deep) : field(x, y);
    }
    assert_ok(abut_world_add_body(t->world, &def, NULL));
    abut_shape_release((abut_shape *)def.shape);
    t->count++;
}

static void cut(tiling *t, const double from[2], const double to[2], int depth) {
    int axis = to[0] - from[0] > to[1] - from[1] ? 0 : 1;
    double length = to[axis] - from[axis];
    if (depth == 0 || length < t->smallest || (depth < 5 && random_below(&t->random, 4) == 0)) {
        add_piece(t, from, to);
        return;
    }
    double at = from[axis] + length * random_range(&t->random, 0.1, 0.9);
    double end[2] = {to[0], to[1]}, begin[2] = {from[0], from[1]};
    end[axis] = begin[axis] = at;
    cut(t, from, end, depth - 1);
    cut(t, begin, to, depth - 1);
}

static abut_world *make_world(void) {
    abut_world_def def = abut_world_def_default();
    abut_world *world = NULL;
    assert_ok(abut_world_create(&def, &world));
    return world;
}

/* ---- what rolls and slides ---- */

enum { RIDERS = 9 };
static const char *const rider_names[RIDERS] = {"rolling ball", "ball",     "rolling capsule",  "capsule along",    "box",
                                                "hull",         "cylinder", "rolling cylinder", "rolling ellipsoid"};

typedef struct ride {
    int rider, mix;
    double size, speed, heading, dt, smallest;
    uint64_t seed;
} ride;

static abut_shape *hull_rider(double s) {
    const abut_vec3 v[8] = {{-0.4 * s, -0.3 * s, 0},     {0.5 * s, -0.2 * s, 0},        {0.3 * s, 0.35 * s, 0},
                            {-0.3 * s, 0.3 * s, 0},      {-0.2 * s, -0.1 * s, 0.5 * s}, {0.25 * s, -0.2 * s, 0.4 * s},
                            {0.2 * s, 0.2 * s, 0.5 * s}, {0.6 * s, 0.0, 0.25 * s}};
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_hull(v, 8, &shape));
    return shape;
}

/* Balls and capsules that roll do so without sliding on a floor with friction. */
static bool rolls(const ride *r) { return r->rider == 0 || r->rider == 2 || r->rider > 6; }

static abut_body_id add_rider(abut_world *world, const ride *r) {
    const abut_vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
    const double quarter = 0.5 * 3.14159265358979323846, s = r->size;
    abut_body_def def = abut_body_def_default();
    abut_pose pose = at(0, 0, 0);
    double radius = 0.5 * s;
    if (r->rider < 2) {
        def.shape = sphere(radius);
        pose.position.z = radius;
    } else if (r->rider < 4) {
        radius = 0.2 * s;
        def.shape = capsule(radius, 0.3 * s);
        pose = turned(at(0.0, 0.0, radius), r->rider == 2 ? x : y, quarter);
    } else if (r->rider == 4) {
        def.shape = box(0.5 * s, 0.4 * s, 0.25 * s);
        pose.position.z = 0.25 * s;
    } else if (r->rider == 5) {
        def.shape = hull_rider(s);
    } else if (r->rider == 6) {
        def.shape = cylinder(0.4 * s, 0.2 * s);
        pose.position.z = 0.2 * s;
    } else {
        radius = 0.4 * s;
        def.shape = r->rider == 7 ? cylinder(radius, 0.3 * s) : ellipsoid(radius, radius, 0.5 * s);
        pose = turned(at(0.0, 0.0, radius), x, quarter);
    }
    const abut_pose about = turned(at(0, 0, 0), z, r->heading);
    const abut_vec3 velocity = abut_quat_rotate(about.rotation, abut_vec3_make(r->speed, 0, 0));
    def.pose = abut_pose_compose(about, pose);
    def.friction = rolls(r) ? 0.5 : 0.0;
    def.motion.linear = velocity;
    if (rolls(r)) {
        def.motion.angular = abut_quat_rotate(about.rotation, abut_vec3_make(0, r->speed / radius, 0));
    }
    abut_body_id id;
    assert_ok(abut_world_add_body(world, &def, &id));
    abut_shape_release((abut_shape *)def.shape);
    return id;
}

static abut_world *floor_of(const ride *r, bool one, int *pieces) {
    abut_world *world = make_world();
    tiling t = {.world = world, .random = random_make(r->seed), .mix = r->mix, .smallest = r->smallest, .friction = rolls(r) ? 0.5 : 0.0};
    const double from[2] = {-2.0, -2.0}, to[2] = {6.0, 2.0};
    if (one) {
        t.mix = 0;
        add_piece(&t, from, to);
    } else {
        cut(&t, from, to, 9);
    }
    *pieces = t.count;
    return world;
}

/* The largest change of velocity over the speed, beside the same body on one box. */
static double change_of(const ride *r, double *height) {
    int pieces, one;
    abut_world *world = floor_of(r, false, &pieces), *twin = floor_of(r, true, &one);
    abut_body_id body = add_rider(world, r), other = add_rider(twin, r);
    double most = 0.0;
    *height = 0.0;
    for (int k = 0; k < 90; k++) {
        abut_body_state p, q;
        assert_ok(abut_world_step(world, r->dt, NULL));
        assert_ok(abut_world_step(twin, r->dt, NULL));
        assert_ok(abut_world_body_state(world, body, &p));
        assert_ok(abut_world_body_state(twin, other, &q));
        if (q.pose.position.x > 5.0 || fabs(q.pose.position.y) > 1.0) {
            break;
        }
        most = fmax(most, abut_distance_between(p.motion.linear, q.motion.linear) / r->speed);
        *height = fmax(*height, fabs(p.pose.position.z - q.pose.position.z) / r->size);
    }
    abut_world_destroy(world);
    abut_world_destroy(twin);
    return most;
}

static ride random_ride(random_state *random) {
    ride r = {.rider = random_below(random, RIDERS), .mix = random_below(random, 4), .seed = random_next(random)};
    r.size = random_log_range(random, 0.1, 1.5);
    r.speed = random_below(random, 2) == 0 ? 4.0 : random_log_range(random, 0.5, 20.0);
    r.heading = random_below(random, 3) == 0 ? 0.0 : random_range(random, -0.3, 0.3);
    r.dt = random_below(random, 2) == 0 ? 1.0 / 60.0 : 1.0 / random_range(random, 50.0, 240.0);
    r.smallest = random_log_range(random, 0.05, 1.0);
    return r;
}

static void test_rides(void **state) {
    (void)state;
    uint64_t seed = random_seed("rides", 20261300);
    int count = random_runs("rides", 1500), wrong = 0;
    double worst[RIDERS] = {0};
    for (int i = 0; i < count; i++) {
        random_state random = random_make(seed + (uint64_t)i);
        ride r = random_ride(&random);
        double height, change = change_of(&r, &height);
        worst[r.rider] = fmax(worst[r.rider], change);
        bool exact = r.rider < 2 || r.rider == 8; /* one contact; the forces of several are found by iteration */
        if (!(change <= (exact ? 1e-12 : 1e-3) && height <= (exact ? 1e-12 : 1e-4))) {
            wrong++;
            printf("seed %llu: %s over %s, size %.2g, speed %.2g, heading %.2g, dt %.3g, smallest %.2g: change %.2g, height %.2g\n",
                   (unsigned long long)(seed + (uint64_t)i), rider_names[r.rider], mixes[r.mix], r.size, r.speed, r.heading, r.dt,
                   r.smallest, change, height);
        }
    }
    for (int k = 0; k < RIDERS; k++) {
        printf("%s: %.2g\n", rider_names[k], worst[k]);
    }
    printf("%d rides, %d wrong\n", count, wrong);
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rides)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
