/*
 * Bodies that stand still side by side are one surface: what slides over their joints keeps its speed and its height, as on a single slab. The oracle is the
 * same body on one long box. A real step is felt.
 */
#include <abut/abut.h>

#include <stdio.h>
#include <stdlib.h>

#include "support/bodies.h"
#include "support/check.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/shapes.h"

enum { SLABS = 11 };

#define SLAB 0.9 /* length of a slab along x */
#define WIDE 2.0 /* half its width */
#define DEEP 0.4 /* its height */

typedef enum ground {
    BOXES,
    HULLS,
    PRISMS,
    COMPOUNDS,
    ONE_COMPOUND,
    MESHES,
    MESH_AND_BOX,
    FIELD_AND_BOX,
    TURNED,
    KINEMATIC,
    GROUNDS
} ground;
static const char *const ground_names[GROUNDS] = {"boxes",        "hulls",
                                                  "prisms",       "compounds",
                                                  "one compound", "meshes",
                                                  "mesh and box", "height field and box",
                                                  "turned boxes", "boxes that move together"};

enum { RIDERS = 8 };
static const char *const rider_names[RIDERS] = {"sphere",     "capsule along", "capsule across", "box",
                                                "turned box", "hull",          "cylinder",       "lying cylinder"};

static const double gaps[] = {0.0, 1e-9, 1e-6, -1e-9, -1e-6};

static const abut_vec3 belt = {-1.5, 0.2, 0.4}; /* velocity of kinematic ground */

/* ---- the ground: slab i begins at x = i (SLAB + gap); its top is z = 0 ---- */

static void add(abut_world *world, abut_shape *shape, abut_pose pose, ground kind) {
    abut_body_def def = abut_body_def_default();
    def.kind = kind == KINEMATIC ? ABUT_BODY_KINEMATIC : ABUT_BODY_STATIC;
    def.shape = shape;
    def.pose = pose;
    def.friction = 0.0;
    def.motion.linear = kind == KINEMATIC ? belt : abut_vec3_make(0.0, 0.0, 0.0);
    assert_ok(abut_world_add_body(world, &def, NULL));
    abut_shape_release(shape);
}

static abut_shape *hull_slab(void) {
    abut_vec3 points[12];
    for (int i = 0; i < 12; i++) { /* hexagonal from the side: its ends are upright at the top and lean inwards below */
        double x = i % 6 < 2   ? 0.0
                   : i % 6 < 4 ? SLAB
                               : 0.5 * SLAB,
               z = i % 6 == 4   ? 0.0
                   : i % 6 == 5 ? -DEEP
                   : i % 2 == 0 ? 0.0
                                : -0.5 * DEEP;
        points[i] = abut_vec3_make(x - 0.5 * SLAB, i < 6 ? -WIDE : WIDE, z);
    }
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_hull(points, 12, &shape));
    return shape;
}

static abut_shape *mesh_slab(void) {
    const double x = 0.5 * SLAB;
    const abut_vec3 v[6] = {{-x, -WIDE, 0}, {x, -WIDE, 0}, {x, WIDE, 0}, {-x, WIDE, 0}, {0.1 * x, 0.3, 0}, {-0.4 * x, -WIDE, 0}};
    const int32_t t[15] = {0, 5, 4, 5, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4};
    return meshes_make(v, 6, t, 5);
}

static abut_shape *field_slab(void) {
    enum { N = 4 };
    double heights[N * N] = {0};
    abut_heightfield_def def = {
        .heights = heights, .columns = N, .rows = N, .spacing_x = SLAB / (N - 1), .spacing_y = 2.0 * WIDE / (N - 1)};
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_heightfield(&def, &shape));
    return shape;
}

static abut_shape *compound_slab(double from, int parts, double step) {
    abut_part part[SLABS];
    for (int i = 0; i < parts; i++) {
        part[i] = (abut_part){box(0.5 * SLAB, WIDE, 0.5 * DEEP), at(from + i * step, 0.0, -0.5 * DEEP)};
    }
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_compound(part, parts, &shape));
    for (int i = 0; i < parts; i++) {
        abut_shape_release((abut_shape *)part[i].shape);
    }
    return shape;
}

static void add_slab(abut_world *world, ground kind, int i, double x) {
    abut_pose top = at(x, 0.0, 0.0), middle = at(x, 0.0, -0.5 * DEEP);
    switch (kind) {
    case HULLS:
        add(world, hull_slab(), top, kind);
        return;
    case PRISMS: /* of four sides, turned to be a box with level sides */
        add(world, prism(SLAB / sqrt(2.0), WIDE, 4),
            turned(turned(at(x, 0.0, -0.5 * SLAB), abut_vec3_make(0, 0, 1), 0.25 * 3.14159265358979323846), abut_vec3_make(1, 0, 0),
                   0.5 * 3.14159265358979323846),
            kind);
        return;
    case COMPOUNDS:
        add(world, compound_slab(0.0, 1, 0.0), top, kind);
        return;
    case MESHES:
        add(world, mesh_slab(), top, kind);
        return;
    case MESH_AND_BOX:
    case FIELD_AND_BOX:
        if (i % 2 == 1) {
            add(world, kind == MESH_AND_BOX ? mesh_slab() : field_slab(), kind == MESH_AND_BOX ? top : at(x - 0.5 * SLAB, -WIDE, 0.0),
                kind);
            return;
        }
        add(world, box(0.5 * SLAB, WIDE, 0.5 * DEEP), middle, kind);
        return;
    case TURNED:
        add(world, box(WIDE, 0.5 * DEEP, 0.5 * SLAB),
            turned(turned(middle, abut_vec3_make(1, 0, 0), 0.5 * 3.14159265358979323846), abut_vec3_make(0, 0, 1),
                   0.5 * 3.14159265358979323846),
            kind);
        return;
    default:
        add(world, box(0.5 * SLAB, WIDE, 0.5 * DEEP), middle, kind);
    }
}

static void add_ground(abut_world *world, ground kind, double gap) {
    if (kind == ONE_COMPOUND) {
        add(world, compound_slab(0.0, SLABS, SLAB + gap), at(0, 0, 0), kind);
        return;
    }
    for (int i = 0; i < SLABS; i++) {
        add_slab(world, kind, i, i * (SLAB + gap));
    }
}

static void add_single(abut_world *world, ground kind) {
    add(world, box(20.0, WIDE, 0.5 * DEEP), at(0.0, 0.0, -0.5 * DEEP), kind == KINEMATIC ? KINEMATIC : BOXES);
}

/* ---- what slides ---- */

static abut_shape *hull_rider(double s) {
    const abut_vec3 v[8] = {
        {-0.4 * s, -0.3 * s, -0.25 * s}, {0.5 * s, -0.2 * s, -0.25 * s}, {0.3 * s, 0.35 * s, -0.25 * s}, {-0.3 * s, 0.3 * s, -0.25 * s},
        {-0.2 * s, -0.1 * s, 0.3 * s},   {0.25 * s, -0.2 * s, 0.2 * s},  {0.2 * s, 0.2 * s, 0.3 * s},    {0.6 * s, 0.0, 0.0}};
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_hull(v, 8, &shape));
    return shape;
}

static abut_body_id add_rider(abut_world *world, int rider, double s) {
    const abut_vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
    const double quarter = 0.5 * 3.14159265358979323846;
    abut_body_def def = abut_body_def_default();
    abut_pose pose = at(0.0, 0.0, 0.0);
    switch (rider) {
    case 0:
        def.shape = sphere(0.5 * s);
        pose.position.z = 0.5 * s;
        break;
    case 1:
    case 2:
        def.shape = capsule(0.2 * s, 0.3 * s);
        pose = turned(at(0.0, 0.0, 0.2 * s), rider == 1 ? y : x, quarter);
        break;
    case 3:
    case 4:
        def.shape = box(0.5 * s, 0.4 * s, 0.25 * s);
        pose = turned(at(0.0, 0.0, 0.25 * s), z, rider == 4 ? 0.5 : 0.0);
        break;
    case 5:
        def.shape = hull_rider(s);
        pose.position.z = 0.25 * s;
        break;
    case 6:
        def.shape = cylinder(0.4 * s, 0.2 * s);
        pose.position.z = 0.2 * s;
        break;
    default:
        def.shape = cylinder(0.4 * s, 0.3 * s);
        pose = turned(at(0.0, 0.0, 0.4 * s), x, quarter);
    }
    def.pose = pose;
    def.friction = 0.0;
    def.motion.linear = abut_vec3_make(8.5, 0.3, 0.0);
    abut_body_id id;
    assert_ok(abut_world_add_body(world, &def, &id));
    abut_shape_release((abut_shape *)def.shape);
    return id;
}

static abut_world *make_world(double dt) {
    (void)dt;
    abut_world_def def = abut_world_def_default();
    abut_world *world = NULL;
    assert_ok(abut_world_create(&def, &world));
    return world;
}

typedef struct slide {
    double speed, height, side; /* largest deviations from the twin, relative */
} slide;

/* Slides over all slabs beside its twin on one box. */
static slide slide_over(ground kind, double gap, int rider, double size, double dt) {
    abut_world *world = make_world(dt), *twin = make_world(dt);
    add_ground(world, kind, gap);
    add_single(twin, kind);
    abut_body_id body = add_rider(world, rider, size), other = add_rider(twin, rider, size);
    slide most = {0};
    for (;;) {
        abut_body_state p, q;
        assert_ok(abut_world_step(world, dt, NULL));
        assert_ok(abut_world_step(twin, dt, NULL));
        assert_ok(abut_world_body_state(world, body, &p));
        assert_ok(abut_world_body_state(twin, other, &q));
        if (q.pose.position.x > (kind == KINEMATIC ? 0.8 : 1.0) * (SLABS - 1) * SLAB) {
            break;
        }
        most.speed = fmax(most.speed, abut_distance_between(p.motion.linear, q.motion.linear) / 8.5);
        most.height = fmax(most.height, fabs(p.pose.position.z - q.pose.position.z) / size);
        most.side = fmax(most.side, fabs(p.pose.position.y - q.pose.position.y) / size);
    }
    abut_world_destroy(world);
    abut_world_destroy(twin);
    return most;
}

static void test_slides(void **state) {
    (void)state;
    static const double sizes[] = {0.5, 0.1, 1.3};
    int wrong = 0, runs = 0;
    for (int kind = 0; kind < GROUNDS; kind++) {
        for (int rider = 0; rider < RIDERS; rider++) {
            for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++) {
                for (int s = 0; s < 3; s++, runs++) {
                    slide most = slide_over(kind, gaps[g], rider, sizes[s], 1.0 / 60.0);
                    if (!(most.speed <= 1e-3 && most.height <= 1e-6)) {
                        wrong++;
                        printf("%s over %s, gap %g, size %g: speed %.2g, height %.2g, side %.2g\n", rider_names[rider], ground_names[kind],
                               gaps[g], sizes[s], most.speed, most.height, most.side);
                    }
                }
            }
        }
    }
    printf("%d runs, %d wrong\n", runs, wrong);
    assert_int_equal(wrong, 0);
}

/* ---- what must still be felt ---- */

/* The least velocity along x after a slide from slabs of which the last one lies higher. */
static double speed_after_step(int rider, double step, double *upwards) {
    abut_world *world = make_world(1.0 / 60.0);
    for (int i = 0; i < 4; i++) {
        add(world, box(0.5 * SLAB, WIDE, 0.5 * DEEP), at(i * SLAB, 0.0, -0.5 * DEEP + (i == 3 ? step : 0.0)), BOXES);
    }
    abut_body_id body = add_rider(world, rider, 0.5);
    double least = INFINITY;
    *upwards = 0.0;
    for (int k = 0; k < 30; k++) {
        abut_body_state p;
        assert_ok(abut_world_step(world, 1.0 / 60.0, NULL));
        assert_ok(abut_world_body_state(world, body, &p));
        if (p.pose.position.x > 3.3 * SLAB) {
            break;
        }
        least = fmin(least, p.motion.linear.x);
        *upwards = fmax(*upwards, p.motion.linear.z);
    }
    abut_world_destroy(world);
    return least;
}

static void test_a_real_step(void **state) {
    (void)state;
    for (int rider = 0; rider < RIDERS; rider++) {
        double up, level = speed_after_step(rider, 0.0, &up);
        assert_true(level > 8.49 && up < 1e-3);
        double stopped = speed_after_step(rider, 1e-3, &up);
        if (!(stopped < 8.4 || up > 0.1)) {
            fail_msg("%s: %g, %g", rider_names[rider], stopped, up);
        }
    }
}

/* A large plate slides over small pegs side by side, one of which is higher by a small part of the plate, but not of a peg. Returns the change of velocity. */
static double change_over_pegs(double peg, double step, double gap) {
    abut_world *world = make_world(1.0 / 240.0);
    for (int i = 0; i < 24; i++) {
        for (int k = -1; k < 2; k++) {
            double x = (i - 12) * peg + (i > 14 ? gap : 0.0);
            add(world, box(0.5 * peg, 0.5 * peg, peg), at(x, k * peg, -peg + (i == 18 && k == 0 ? step : 0.0)), BOXES);
        }
    }
    const abut_vec3 before = {20.0 * peg, 0.0, 0.0};
    abut_body_def def = abut_body_def_default();
    def.shape = box(5.0, 5.0, 0.1);
    def.pose = at(-5.0, 0.0, 0.1);
    def.friction = 0.0;
    def.motion.linear = before;
    abut_body_id id;
    abut_body_state state;
    assert_ok(abut_world_add_body(world, &def, &id));
    abut_shape_release((abut_shape *)def.shape);
    assert_ok(abut_world_set_gravity(world, abut_vec3_make(0.0, 0.0, 0.0)));
    double change = 0.0;
    for (int k = 0; k < 100; k++) {
        assert_ok(abut_world_step(world, 1.0 / 240.0, NULL));
        assert_ok(abut_world_body_state(world, id, &state));
        change = fmax(change, abut_distance_between(state.motion.linear, before) / before.x);
    }
    abut_world_destroy(world);
    return change;
}

/* Surfaces are level by the size of the smaller body. */
static void test_small_steps_below_a_large_body(void **state) {
    (void)state;
    for (double peg = 0.01; peg < 0.2; peg *= 3.0) {
        assert_true(change_over_pegs(peg, 0.0, 0.0) < 1e-3);
        assert_true(change_over_pegs(peg, 1e-7 * peg, 1e-7 * peg) < 1e-3);
        double felt = change_over_pegs(peg, 5e-5, 0.0);
        if (!(felt > 0.02)) {
            fail_msg("pegs of %g: %g", peg, felt);
        }
    }
}

static abut_shape *spike(void) {
    const abut_vec3 v[6] = {{0, 0, 0}, {0.3, 0.2, 0.5}, {0.4, -0.2, 0.4}, {0.1, 0.3, 0.4}, {0.2, -0.3, 0.5}, {0.5, 0, 0.6}};
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_hull(v, 6, &shape));
    return shape;
}

/* The number of contacts with floor and walls of a body in their corner. */
static void count_in_corner(abut_shape *shape, abut_vec3 where, int counts[3]) {
    abut_world_def def = abut_world_def_default();
    abut_world *world = NULL;
    def.gravity = abut_vec3_make(0.0, 0.0, 0.0);
    assert_ok(abut_world_create(&def, &world));
    add(world, box(2.0, 2.0, 0.2), at(0.0, 0.0, -0.2), BOXES);
    add(world, box(0.2, 2.0, 1.0), at(-0.2, 0.0, 1.0), BOXES);
    add(world, box(2.0, 0.2, 1.5), at(0.0, -0.2, 0.5), BOXES); /* reaches down beside the floor */
    abut_body_def body = abut_body_def_default();
    body.shape = shape;
    body.pose.position = where;
    assert_ok(abut_world_add_body(world, &body, NULL));
    assert_ok(abut_world_step(world, 1e-3, NULL));
    const abut_world_contact *contacts;
    int32_t count;
    assert_ok(abut_world_contacts(world, &contacts, &count));
    counts[0] = counts[1] = counts[2] = 0;
    for (int32_t i = 0; i < count; i++) {
        abut_vec3 n = contacts[i].contact.normal;
        assert_true(fabs(fabs(n.x) + fabs(n.y) + fabs(n.z) - 1.0) < 1e-9);
        counts[fabs(n.z) > 0.5 ? 0 : fabs(n.x) > 0.5 ? 1 : 2]++;
    }
    abut_world_destroy(world);
    abut_shape_release(shape);
}

/* A corner of floor and walls takes no contact from a body that lies in it. */
static void test_corners(void **state) {
    (void)state;
    int counts[3];
    count_in_corner(box(0.3, 0.2, 0.1), abut_vec3_make(0.3, 0.2, 0.1), counts);
    assert_int_equal(counts[0], 4);
    assert_int_equal(counts[1], 4);
    assert_int_equal(counts[2], 4);
    count_in_corner(box(0.3, 0.2, 0.1), abut_vec3_make(0.29, 0.195, 0.09), counts); /* sunk in */
    assert_int_equal(counts[0], 4);
    assert_int_equal(counts[1], 4);
    assert_int_equal(counts[2], 4);
    count_in_corner(sphere(0.2), abut_vec3_make(0.2, 0.2, 0.2), counts);
    assert_int_equal(counts[0], 1);
    assert_int_equal(counts[1], 1);
    assert_int_equal(counts[2], 1);
    count_in_corner(spike(), abut_vec3_make(0.0, 0.5, 0.0), counts); /* stands on its tip */
    assert_true(counts[0] >= 1 && counts[1] >= 1);
}

/* ---- random tiles ---- */

/* A floor of level tiles in a frame that is turned and moved, and one long box below it instead. */
typedef struct tiled {
    abut_pose frame;
    double tile[2], gap, size, speed, heading, restitution, dt;
    int rider, kind; /* kind: 0 boxes, 1 hulls, 2 meshes, 3 any of them, 4 boxes of different heights, 5 one compound a row */
} tiled;

static abut_shape *tile_of(const tiled *t, int kind, int number, abut_pose *pose) {
    double x = 0.5 * t->tile[0], y = 0.5 * t->tile[1], deep = t->kind == 4 ? 0.1 * (1 + number % 7) : 0.3;
    abut_shape *shape = NULL;
    *pose = at(0.0, 0.0, 0.0);
    if (kind == 1) {
        const abut_vec3 v[9] = {{-x, -y, 0},
                                {x, -y, 0},
                                {x, y, 0},
                                {-x, y, 0},
                                {-0.7 * x, -0.6 * y, -deep},
                                {0.8 * x, -y, -deep},
                                {0.5 * x, 0.9 * y, -deep},
                                {-x, 0.6 * y, -deep},
                                {0, 0, -1.2 * deep}};
        assert_ok(abut_shape_create_hull(v, 9, &shape));
        return shape;
    }
    if (kind == 2) {
        const abut_vec3 v[5] = {{-x, -y, 0}, {x, -y, 0}, {x, y, 0}, {-x, y, 0}, {0.3 * x, -0.2 * y, 0}};
        const int32_t corners[12] = {0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4};
        return meshes_make(v, 5, corners, 4);
    }
    pose->position.z = -0.5 * deep;
    return box(x, y, 0.5 * deep);
}

static void add_tiles(abut_world *world, const tiled *t) {
    const int across = t->kind == 5 ? 1 : (int)ceil(2.0 / t->tile[1]), along = (int)ceil(6.0 / t->tile[0]);
    for (int i = -2; i < along; i++) {
        for (int k = -across; k <= across; k++) {
            abut_pose where, middle = at(i * (t->tile[0] + t->gap), k * (t->tile[1] + t->gap), 0.0);
            int kind = t->kind == 3 ? ((i + 2) * 7 + (k + across) * 5) % 3 : t->kind > 3 ? 0 : t->kind;
            abut_shape *shape = tile_of(t, kind, i + 2 + 3 * (k + across), &where);
            add(world, shape, abut_pose_compose(t->frame, abut_pose_compose(middle, where)), BOXES);
        }
    }
}

static abut_world *tiled_world(const tiled *t, bool one, abut_body_id *body) {
    abut_world_def def = abut_world_def_default();
    abut_world *world = NULL;
    def.gravity = abut_quat_rotate(t->frame.rotation, abut_vec3_make(0.0, 0.0, -9.81));
    assert_ok(abut_world_create(&def, &world));
    if (one) {
        add(world, box(20.0, 20.0, 0.2), abut_pose_compose(t->frame, at(0.0, 0.0, -0.2)), BOXES);
    } else {
        add_tiles(world, t);
    }
    *body = add_rider(world, t->rider, t->size);
    abut_body_state state;
    assert_ok(abut_world_body_state(world, *body, &state));
    abut_vec3 velocity = {t->speed * cos(t->heading), t->speed * sin(t->heading), 0.0};
    assert_ok(abut_world_set_body_pose(world, *body, abut_pose_compose(t->frame, state.pose)));
    assert_ok(abut_world_set_body_motion(world, *body, (abut_motion){abut_quat_rotate(t->frame.rotation, velocity), {0, 0, 0}}));
    return world;
}

static tiled random_tiled(random_state *random) {
    static const double all_gaps[] = {0.0, 0.0, 1e-9, -1e-9, 1e-6, -1e-6, 1e-12};
    tiled t = {.kind = (int)random_below(random, 5), .rider = (int)random_below(random, RIDERS), .gap = all_gaps[random_below(random, 7)]};
    t.frame = at(0.0, 0.0, 0.0);
    if (random_below(random, 2) == 0) {
        t.frame = turned(at(random_range(random, -50, 50), random_range(random, -50, 50), random_range(random, -50, 50)),
                         random_direction(random), random_range(random, 0, 3));
    }
    t.size = exp(random_range(random, log(0.1), log(1.5)));
    t.tile[0] = exp(random_range(random, log(0.2), log(2.0)));
    t.tile[1] = random_below(random, 2) == 0 ? t.tile[0] : exp(random_range(random, log(0.2), log(2.0)));
    t.speed = exp(random_range(random, log(0.5), log(20.0)));
    t.heading = random_below(random, 3) == 0 ? 0.0 : random_range(random, -0.3, 0.3);
    t.restitution = 0.0;
    t.dt = 1.0 / random_range(random, 50.0, 240.0);
    return t;
}

static slide slide_over_tiles(const tiled *t) {
    abut_body_id body, other;
    abut_world *world = tiled_world(t, false, &body), *twin = tiled_world(t, true, &other);
    slide most = {0};
    for (int k = 0; k < 120; k++) {
        abut_body_state p, q;
        assert_ok(abut_world_step(world, t->dt, NULL));
        assert_ok(abut_world_step(twin, t->dt, NULL));
        assert_ok(abut_world_body_state(world, body, &p));
        assert_ok(abut_world_body_state(twin, other, &q));
        abut_vec3 a = abut_pose_apply_inverse(t->frame, p.pose.position), b = abut_pose_apply_inverse(t->frame, q.pose.position);
        if (b.x > 4.0 || fabs(b.y) > 1.0) {
            break;
        }
        most.speed = fmax(most.speed, abut_distance_between(p.motion.linear, q.motion.linear) / t->speed);
        most.height = fmax(most.height, fabs(a.z - b.z) / t->size);
        most.side = fmax(most.side, fabs(a.y - b.y) / t->size);
    }
    abut_world_destroy(world);
    abut_world_destroy(twin);
    return most;
}

static void test_tiles(void **state) {
    (void)state;
    uint64_t seed = random_seed("tiles", 20260000);
    int count = random_runs("tiles", 2000), wrong = 0;
    for (int i = 0; i < count; i++) {
        random_state random = random_make(seed + (uint64_t)i);
        tiled t = random_tiled(&random);
        slide most = slide_over_tiles(&t);
        if (!(most.speed <= 1e-3 && most.height <= 1e-6)) {
            wrong++;
            printf("seed %llu: %s over kind %d, tiles %.2g %.2g, gap %g, size %.2g, speed %.2g, heading %.2g, dt %.3g: speed %.2g, height "
                   "%.2g, side %.2g\n",
                   (unsigned long long)(seed + (uint64_t)i), rider_names[t.rider], t.kind, t.tile[0], t.tile[1], t.gap, t.size, t.speed,
                   t.heading, t.dt, most.speed, most.height, most.side);
        }
    }
    printf("%d tiles, %d wrong\n", count, wrong);
    assert_int_equal(wrong, 0);
}

/* ---- static and kinematic bodies side by side ---- */

/* A row of slabs, some of which move sideways, and plates in them that move in any way in their plane. All tops are level. */
typedef struct mixed {
    uint64_t seed; /* of the ground's motions */
    bool rests;    /* kinematic bodies at rest only */
    int rider;
    double gap, size, speed, dt;
} mixed;

static void add_level(abut_world *world, abut_shape *shape, abut_body_kind kind, abut_vec3 where, abut_motion motion, double friction) {
    abut_body_def def = abut_body_def_default();
    def.kind = kind;
    def.shape = shape;
    def.pose = at(where.x, where.y, where.z);
    def.friction = friction;
    def.motion = motion;
    assert_ok(abut_world_add_body(world, &def, NULL));
    abut_shape_release(shape);
}

static abut_shape *slab_of(int kind) { return kind == 0 ? hull_slab() : kind == 1 ? mesh_slab() : compound_slab(0.0, 1, 0.0); }

static void add_mixed(abut_world *world, const mixed *m) {
    random_state random = random_make(m->seed);
    const abut_motion still = {{0, 0, 0}, {0, 0, 0}};
    for (int i = -1; i < SLABS; i++) {
        abut_motion motion = still;
        bool moves = random_below(&random, 3) > 0;
        if (moves && !m->rests && random_below(&random, 3) > 0) {
            motion.linear.y = random_range(&random, -0.5, 0.5);
        }
        int kind = random_below(&random, 5);
        if (kind < 3) {
            add_level(world, slab_of(kind), moves ? ABUT_BODY_KINEMATIC : ABUT_BODY_STATIC, abut_vec3_make(i * (SLAB + m->gap), 0, 0),
                      motion, 0.0);
        } else {
            add_level(world, box(0.5 * SLAB, WIDE, 0.5 * DEEP), moves ? ABUT_BODY_KINEMATIC : ABUT_BODY_STATIC,
                      abut_vec3_make(i * (SLAB + m->gap), 0, -0.5 * DEEP), motion, 0.0);
        }
    }
    for (int i = 0; i < 4; i++) {
        abut_motion motion = still;
        double deep = random_range(&random, 0.05, 0.3), wide = random_range(&random, 0.2, 0.8);
        abut_vec3 where = {random_range(&random, 0.5, 6.0), random_range(&random, -0.5, 0.5), -deep};
        bool round = random_below(&random, 2) == 0;
        if (!m->rests) {
            motion.linear = abut_vec3_make(random_range(&random, -1.0, 1.0), random_range(&random, -1.0, 1.0), 0.0);
            motion.angular.z = random_range(&random, -5.0, 5.0);
        }
        add_level(world, round ? cylinder(wide, deep) : box(wide, 0.5 * wide, deep), ABUT_BODY_KINEMATIC, where, motion, 0.0);
    }
}

static abut_body_id add_mixed_rider(abut_world *world, const mixed *m) {
    abut_body_id id = add_rider(world, m->rider, m->size);
    assert_ok(abut_world_set_body_motion(world, id, (abut_motion){{m->speed, 0.03 * m->speed, 0.0}, {0, 0, 0}}));
    return id;
}

static slide slide_over_mixed(const mixed *m) {
    abut_world *world = make_world(m->dt), *twin = make_world(m->dt);
    add_mixed(world, m);
    add_level(twin, box(20.0, WIDE, 0.5 * DEEP), ABUT_BODY_STATIC, abut_vec3_make(0, 0, -0.5 * DEEP), (abut_motion){{0, 0, 0}, {0, 0, 0}},
              0.0);
    abut_body_id body = add_mixed_rider(world, m), other = add_mixed_rider(twin, m);
    slide most = {0};
    for (int k = 0; k < 120; k++) {
        abut_body_state p, q;
        assert_ok(abut_world_step(world, m->dt, NULL));
        assert_ok(abut_world_step(twin, m->dt, NULL));
        assert_ok(abut_world_body_state(world, body, &p));
        assert_ok(abut_world_body_state(twin, other, &q));
        if (q.pose.position.x > 0.9 * (SLABS - 1) * SLAB || fabs(q.pose.position.y) > 0.25 * WIDE) {
            break;
        }
        most.speed = fmax(most.speed, abut_distance_between(p.motion.linear, q.motion.linear) / m->speed);
        most.height = fmax(most.height, fabs(p.pose.position.z - q.pose.position.z) / m->size);
    }
    abut_world_destroy(world);
    abut_world_destroy(twin);
    return most;
}

/* Without friction the motion of level ground does not matter. */
static void test_moving_ground(void **state) {
    (void)state;
    static const double all_gaps[] = {0.0, 0.0, 1e-9, -1e-9, 1e-6, -1e-6, 1e-12};
    uint64_t seed = random_seed("mixed", 20261100);
    int count = random_runs("mixed", 2000), wrong = 0;
    for (int i = 0; i < count; i++) {
        random_state random = random_make(seed + (uint64_t)i);
        mixed m = {.seed = random_next(&random), .rider = random_below(&random, RIDERS), .gap = all_gaps[random_below(&random, 7)]};
        m.rests = random_below(&random, 4) == 0;
        m.size = random_log_range(&random, 0.1, 1.0);
        m.speed = random_log_range(&random, 0.5, 20.0);
        m.dt = 1.0 / random_range(&random, 50.0, 240.0);
        slide most = slide_over_mixed(&m);
        if (!(most.speed <= 1e-3 && most.height <= 1e-6)) {
            wrong++;
            printf("seed %llu: %s, rests %d, gap %g, size %.2g, speed %.2g, dt %.3g: speed %.2g, height %.2g\n",
                   (unsigned long long)(seed + (uint64_t)i), rider_names[m.rider], m.rests, m.gap, m.size, m.speed, m.dt, most.speed,
                   most.height);
        }
    }
    printf("%d mixed, %d wrong\n", count, wrong);
    assert_int_equal(wrong, 0);
}

/* Where a body with friction comes to rest on slabs, the odd ones of which are static or kinematic. */
static abut_vec3 stop_on(abut_body_kind odd, int rider, double speed) {
    abut_world *world = make_world(1.0 / 60.0);
    for (int i = -1; i < 6; i++) {
        add_level(world, box(0.5 * SLAB, WIDE, 0.5 * DEEP), i % 2 != 0 ? odd : ABUT_BODY_STATIC, abut_vec3_make(i * SLAB, 0, -0.5 * DEEP),
                  (abut_motion){{0, 0, 0}, {0, 0, 0}}, 0.05);
    }
    abut_body_id body = add_rider(world, rider, 0.25);
    assert_ok(abut_world_set_body_motion(world, body, (abut_motion){{speed, 0.0, 0.0}, {0, 0, 0}}));
    assert_ok(abut_world_set_body_friction(world, body, 0.05));
    abut_body_state p;
    for (int k = 0; k < 60; k++) {
        assert_ok(abut_world_step(world, 1.0 / 60.0, NULL));
    }
    assert_ok(abut_world_body_state(world, body, &p));
    abut_world_destroy(world);
    return p.pose.position;
}

static void test_kinematic_at_rest(void **state) {
    (void)state;
    for (int rider = 0; rider < RIDERS; rider++) {
        for (double speed = 0.5; speed < 3.0; speed *= 2.0) {
            assert_vec3_near(stop_on(ABUT_BODY_KINEMATIC, rider, speed), stop_on(ABUT_BODY_STATIC, rider, speed), 1e-12);
        }
    }
}

/* ---- ids ---- */

/* The ids of the contacts of a body with slab number 2, in ascending order. Returns their number. */
static int ids_on_slab(const abut_world *world, uint64_t ids[64]) {
    const abut_world_contact *contacts;
    int32_t all;
    int count = 0;
    assert_ok(abut_world_contacts(world, &contacts, &all));
    for (int32_t i = 0; i < all; i++) {
        bool second = contacts[i].user_a == 2 || contacts[i].user_b == 2;
        int at = second ? count++ : 0;
        for (; second && at > 0 && ids[at - 1] > contacts[i].contact.id; at--) {
            ids[at] = ids[at - 1];
        }
        ids[at] = second ? contacts[i].contact.id : ids[at];
    }
    return count;
}

/* A box covers the slab in the middle. While it slides and turns, the contacts with this slab keep their ids. */
static void test_ids(void **state) {
    (void)state;
    for (double spin = -0.2; spin < 0.3; spin += 0.2) {
        abut_world *world = make_world(1.0 / 240.0);
        for (int i = 0; i < 5; i++) {
            abut_body_def slab = abut_body_def_default();
            slab.kind = ABUT_BODY_STATIC;
            slab.shape = box(0.5 * SLAB, WIDE, 0.5 * DEEP);
            slab.pose = at(i * SLAB, 0.0, -0.5 * DEEP);
            slab.friction = 0.0;
            slab.user = (uint64_t)i;
            assert_ok(abut_world_add_body(world, &slab, NULL));
            abut_shape_release((abut_shape *)slab.shape);
        }
        abut_body_def def = abut_body_def_default();
        def.shape = box(0.9 * SLAB, 0.4, 0.25);
        def.pose = at(1.8 * SLAB, 0.0, 0.25);
        def.friction = 0.0;
        def.motion = (abut_motion){{1.0, 0.3, 0.0}, {0.0, 0.0, spin}};
        def.user = 99;
        assert_ok(abut_world_add_body(world, &def, NULL));
        abut_shape_release((abut_shape *)def.shape);
        uint64_t first[64], ids[64];
        for (int k = 0; k < 80; k++) {
            assert_ok(abut_world_step(world, 1.0 / 240.0, NULL));
            assert_int_equal(ids_on_slab(world, k == 0 ? first : ids), 4);
            assert_memory_equal(k == 0 ? first : ids, first, 4 * sizeof *first);
        }
        abut_world_destroy(world);
    }
}

/* ---- elevators ---- */

/* The body slides at 8.5 m/s from a floor to an elevator, whose top is level with the floor when the body's middle is over the joint, but for `step`. */
static void ride_onto(int rider, double rate, double step, double *least, double *upwards) {
    abut_world *world = make_world(1.0 / 240.0);
    double joint = 1.5 * SLAB, arrival = joint / 8.5;
    for (int i = -1; i < 2; i++) {
        add_level(world, box(0.5 * SLAB, WIDE, 0.5 * DEEP), ABUT_BODY_STATIC, abut_vec3_make(i * SLAB, 0, -0.5 * DEEP),
                  (abut_motion){{0, 0, 0}, {0, 0, 0}}, 0.0);
    }
    add_level(world, box(2.0, WIDE, 0.5 * DEEP), ABUT_BODY_KINEMATIC, abut_vec3_make(joint + 2.0, 0, -0.5 * DEEP + step - rate * arrival),
              (abut_motion){{0, 0, rate}, {0, 0, 0}}, 0.0);
    abut_body_id body = add_rider(world, rider, 0.5);
    *least = INFINITY;
    *upwards = 0.0;
    for (int k = 0; k < 80; k++) {
        abut_body_state p;
        assert_ok(abut_world_step(world, 1.0 / 240.0, NULL));
        assert_ok(abut_world_body_state(world, body, &p));
        *least = fmin(*least, p.motion.linear.x);
        *upwards = fmax(*upwards, p.motion.linear.z);
    }
    abut_world_destroy(world);
}

static void test_elevators(void **state) {
    (void)state;
    for (int rider = 0; rider < RIDERS; rider++) {
        double least, up;
        ride_onto(rider, 0.0, 0.0, &least, &up); /* has arrived */
        assert_true(least > 8.49 && up < 1e-3);
        ride_onto(rider, 1e-6, 0.0, &least, &up); /* still creeps */
        assert_true(least > 8.49 && up < 1e-3);
        for (double rate = -0.05; rate < 0.06; rate += 0.05) { /* higher by a step that grows, stays or vanishes */
            ride_onto(rider, rate, 5e-3, &least, &up);
            if (!(least < 8.4 || up > 0.1)) {
                fail_msg("%s, rate %g: %g, %g", rider_names[rider], rate, least, up);
            }
        }
        ride_onto(rider, -0.5, -0.02, &least, &up); /* lower, and it sinks: nothing stands in the way */
        if (!(least > 8.4)) {
            fail_msg("%s over a sinking elevator: %g, %g", rider_names[rider], least, up);
        }
    }
}

/* The height of a box that stands half on a floor and half on an elevator, after a second. shift: of its middle, towards the elevator. */
static abut_body_state stand_between(double rate, double shift) {
    abut_world *world = make_world(1.0 / 60.0);
    add_level(world, box(1.0, 1.0, 0.2), ABUT_BODY_STATIC, abut_vec3_make(-1.0, 0.0, -0.2), (abut_motion){{0, 0, 0}, {0, 0, 0}}, 0.5);
    add_level(world, box(1.0, 1.0, 0.5), ABUT_BODY_KINEMATIC, abut_vec3_make(1.0, 0.0, -0.5), (abut_motion){{0, 0, rate}, {0, 0, 0}}, 0.5);
    abut_body_def def = abut_body_def_default();
    def.shape = box(0.3, 0.2, 0.1);
    def.pose = at(shift, 0.0, 0.1);
    def.friction = 0.5;
    abut_body_id id;
    assert_ok(abut_world_add_body(world, &def, &id));
    abut_shape_release((abut_shape *)def.shape);
    abut_body_state state;
    for (int k = 0; k < 60; k++) {
        assert_ok(abut_world_step(world, 1.0 / 60.0, NULL));
    }
    assert_ok(abut_world_body_state(world, id, &state));
    abut_world_destroy(world);
    return state;
}

static void test_standing_between(void **state) {
    (void)state;
    for (double rate = 0.02; rate < 0.2; rate *= 2.0) {
        /* Lifted at the edge of the elevator: its middle rises by nearly as much, because it leans on the joint's side. */
        abut_body_state lifted = stand_between(rate, 0.05);
        assert_true(lifted.pose.position.z > 0.1 + 0.5 * rate && lifted.pose.position.z < 0.1 + 1.2 * rate);
        abut_body_state left = stand_between(-rate, -0.05);
        assert_near(left.pose.position.z, 0.1, 1e-3);
        assert_true(abut_length(left.motion.linear) < 1e-3);
        abut_body_state taken = stand_between(-rate, 0.3); /* stands on the elevator alone */
        assert_near(taken.pose.position.z, 0.1 - rate, 2e-3);
    }
}

/* ---- bodies that are meshes ---- */

/* A closed mesh: a profile in x and z, of which `cut` has the triangles, from -wide to wide along y. */
static abut_shape *extruded(const double (*profile)[2], int count, const int32_t *cut, int cuts, double s, double wide) {
    abut_vec3 v[32];
    int32_t t[256], n = 0;
    for (int i = 0; i < 2 * count; i++) {
        v[i] = abut_vec3_make(s * profile[i % count][0], i < count ? -wide : wide, s * profile[i % count][1]);
    }
    for (int i = 0; i < cuts; i++) {
        const int32_t *c = &cut[3 * i];
        const int32_t both[6] = {c[0], c[1], c[2], count + c[0], count + c[2], count + c[1]};
        for (int k = 0; k < 6; k++) {
            t[n++] = both[k];
        }
    }
    for (int i = 0; i < count; i++) {
        int32_t k = (i + 1) % count;
        const int32_t side[6] = {i, count + i, count + k, i, count + k, k};
        for (int j = 0; j < 6; j++) {
            t[n++] = side[j];
        }
    }
    return meshes_make(v, 2 * count, t, n / 3);
}

enum { MESH_RIDERS = 5 };
static const char *const mesh_rider_names[MESH_RIDERS] = {"box", "bridge", "bent", "dented box", "fine box"};

/* A profile winds anticlockwise as seen against y, so its triangles do in the plane y = -wide. Their lowest points are at z = 0. */
static abut_shape *mesh_rider(int kind, double s) {
    const double bar[4][2] = {{-0.5, 0}, {0.5, 0}, {0.5, 0.4}, {-0.5, 0.4}};
    const double bridge[8][2] = {{-0.5, 0}, {-0.2, 0}, {-0.2, 0.15}, {0.25, 0.15}, {0.25, 0}, {0.5, 0}, {0.5, 0.35}, {-0.5, 0.35}};
    const double bent[6][2] = {{-0.5, 0}, {0.5, 0}, {0.5, 0.2}, {-0.2, 0.2}, {-0.2, 0.5}, {-0.5, 0.5}};
    const double dent[5][2] = {{-0.5, 0}, {0.5, 0}, {0.5, 0.4}, {0, 0.2}, {-0.5, 0.4}};
    const int32_t of_bar[6] = {0, 1, 2, 0, 2, 3}, of_bridge[18] = {0, 1, 2, 0, 2, 7, 2, 3, 7, 3, 6, 7, 3, 4, 6, 4, 5, 6};
    const int32_t of_bent[12] = {0, 1, 2, 0, 2, 3, 0, 3, 5, 3, 4, 5}, of_dent[9] = {0, 1, 3, 1, 2, 3, 0, 3, 4};
    switch (kind) {
    case 0:
        return extruded(bar, 4, of_bar, 2, s, 0.4 * s);
    case 1:
        return extruded(bridge, 8, of_bridge, 6, s, 0.4 * s);
    case 2:
        return extruded(bent, 6, of_bent, 4, s, 0.3 * s);
    case 3:
        return extruded(dent, 5, of_dent, 3, s, 0.4 * s);
    default: {
        abut_shape *solid = box(0.5 * s, 0.4 * s, 0.2 * s), *mesh = meshes_surface_of(solid, 2);
        abut_shape_release(solid);
        return mesh;
    }
    }
}

/* Kinds of slabs in a row of two alternating ones. */
enum { SLAB_KINDS = 8 };
static const char *const slab_names[SLAB_KINDS] = {"box",   "hull",         "prism",       "compound",
                                                   "sheet", "height field", "closed mesh", "notched mesh"};

static abut_shape *closed_slab(bool notched) {
    const double x = 0.5 * SLAB;
    const double profile[5][2] = {{-x, -DEEP}, {0.0, notched ? -0.5 * DEEP : -DEEP}, {x, -DEEP}, {x, 0.0}, {-x, 0.0}};
    const int32_t cut[9] = {0, 1, 4, 1, 3, 4, 1, 2, 3};
    return extruded(profile, 5, cut, 3, 1.0, WIDE);
}

static void add_kind(abut_world *world, int kind, int i, double gap) {
    static const ground as[6] = {BOXES, HULLS, PRISMS, COMPOUNDS, MESHES, FIELD_AND_BOX};
    double x = i * (SLAB + gap);
    if (kind < 6) {
        add_slab(world, as[kind], kind == 5 ? 1 : i, x);
    } else {
        add(world, closed_slab(kind == 7), at(x, 0.0, 0.0), BOXES);
    }
}

/* A body of a mesh that lies on the joint of two slabs, or sinks in a little. */
typedef struct mesh_place {
    int rider, kinds[2];
    double gap, size, x, y, turn, sunk;
} mesh_place;

static mesh_place random_mesh_place(random_state *random) {
    static const double all_gaps[] = {0.0, 0.0, 1e-9, -1e-9, 1e-6, -1e-6, 1e-12}, sinks[] = {0.0, 1e-9, 1e-6, 1e-4, 1e-3};
    mesh_place m = {.rider = random_below(random, MESH_RIDERS), .gap = all_gaps[random_below(random, 7)]};
    m.kinds[0] = random_below(random, SLAB_KINDS);
    m.kinds[1] = random_below(random, SLAB_KINDS);
    m.size = random_log_range(random, 0.1, 1.5);
    m.turn = random_below(random, 3) == 0 ? 0.0 : random_range(random, -3.0, 3.0);
    m.y = random_below(random, 3) == 0 ? 0.0 : random_range(random, -0.3, 0.3);
    bool ends_there = m.turn == 0.0 && random_below(random, 2) == 0;
    m.x = 2.5 * (SLAB + m.gap) + (ends_there ? -0.5 : random_range(random, -0.5, 0.5)) * m.size;
    m.sunk = sinks[random_below(random, 5)] * m.size;
    return m;
}

/* The contacts after a step without gravity. Release with free(). */
static abut_contact *contacts_of(const mesh_place *m, bool one, int32_t *count) {
    abut_world_def def = abut_world_def_default();
    def.gravity = abut_vec3_make(0.0, 0.0, 0.0);
    abut_world *world = NULL;
    assert_ok(abut_world_create(&def, &world));
    for (int i = 0; i < 6 && !one; i++) {
        add_kind(world, m->kinds[i & 1], i, m->gap);
    }
    if (one) {
        add_single(world, BOXES);
    }
    abut_body_def body = abut_body_def_default();
    body.shape = mesh_rider(m->rider, m->size);
    body.pose = turned(at(m->x, m->y, (m->rider == 4 ? 0.2 * m->size : 0.0) - m->sunk), abut_vec3_make(0, 0, 1), m->turn);
    assert_ok(abut_world_add_body(world, &body, NULL));
    abut_shape_release((abut_shape *)body.shape);
    abut_contact *all = contacts_after_step(world, 1e-4, count);
    abut_world_destroy(world);
    return all;
}

/* How far the contacts are from those on one slab: the largest slope of a normal, or distance from a place where the slab has one, relative to the size. An
 * upright edge of the body at the joint may have a contact above its lower end, too, which is less deep. */
static double error_of_contacts(const mesh_place *m) {
    int32_t count, single;
    abut_contact *found = contacts_of(m, false, &count), *expected = contacts_of(m, true, &single);
    double worst = single > 0 ? 0.0 : INFINITY;
    for (int32_t i = 0; i < count; i++) {
        worst = fmax(worst, hypot(found[i].normal.x, found[i].normal.y));
        worst = fmax(worst, fmax(-m->sunk - found[i].gap, found[i].gap) / m->size);
    }
    for (int32_t i = 0; i < single; i++) {
        double nearest = INFINITY;
        for (int32_t k = 0; k < count; k++) {
            nearest = fmin(nearest, abut_distance_between(found[k].on_b, expected[i].on_b) / m->size);
        }
        worst = fmax(worst, nearest);
    }
    free(found);
    free(expected);
    return worst;
}

static void test_mesh_places(void **state) {
    (void)state;
    uint64_t seed = random_seed("meshes", 20261123);
    int count = random_runs("meshes", 2000), wrong = 0;
    for (int i = 0; i < count; i++) {
        random_state random = random_make(seed + (uint64_t)i);
        mesh_place m = random_mesh_place(&random);
        double error = error_of_contacts(&m);
        if (!(error <= 1e-5)) {
            wrong++;
            printf("seed %llu: mesh %s over %s and %s, gap %g, size %.2g, x %.17g, y %.2g, turn %.2g, sunk %g: %.2g\n",
                   (unsigned long long)(seed + (uint64_t)i), mesh_rider_names[m.rider], slab_names[m.kinds[0]], slab_names[m.kinds[1]],
                   m.gap, m.size, m.x, m.y, m.turn, m.sunk, error);
        }
    }
    printf("%d meshes, %d wrong\n", count, wrong);
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_slides),
                                       cmocka_unit_test(test_a_real_step),
                                       cmocka_unit_test(test_corners),
                                       cmocka_unit_test(test_small_steps_below_a_large_body),
                                       cmocka_unit_test(test_tiles),
                                       cmocka_unit_test(test_moving_ground),
                                       cmocka_unit_test(test_kinematic_at_rest),
                                       cmocka_unit_test(test_ids),
                                       cmocka_unit_test(test_elevators),
                                       cmocka_unit_test(test_standing_between),
                                       cmocka_unit_test(test_mesh_places)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
