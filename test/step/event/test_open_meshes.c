/*
 * Open meshes and height fields in the event stepper. The oracles: a plane instead of a flat mesh, a plate or a solid with the same top, and closed forms of
 * balls that roll over seams, swing in a valley and leave over a rim.
 */
#include <abut/abut.h>

#include <math.h>
#include <stdlib.h>

#include "support/bodies.h"
#include "support/check.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/shapes.h"

#define G 9.81
#define PI 3.14159265358979323846

static abut_world *make_world(bool friction) {
    abut_world_def def = abut_world_def_default();
    def.stepper = ABUT_STEPPER_EVENT;
    def.event.friction = friction;
    def.event.event_limit = 500;
    return open_world(def);
}

static abut_body_id add_ground(abut_world *world, const abut_shape *shape, abut_pose pose) {
    abut_body_def def = abut_body_def_default();
    def.kind = ABUT_BODY_STATIC;
    def.shape = shape;
    def.pose = pose;
    return put_shared(world, def);
}

static abut_body_id add_body(abut_world *world, const abut_shape *shape, abut_pose pose, abut_vec3 velocity) {
    abut_body_def def = abut_body_def_default();
    def.shape = shape;
    def.pose = pose;
    def.motion.linear = velocity;
    return put_shared(world, def);
}

/* ---- grounds ---- */

typedef double height_of(double x, double y, const void *how);

static double level(double x, double y, const void *how) {
    (void)x;
    (void)y;
    (void)how;
    return 0.0;
}

/* A terrain over a grid of cells, with the middle at the origin. */
typedef struct terrain {
    int32_t columns, rows;
    double spacing;
    double *heights;
    abut_pose pose; /* of a height field */
} terrain;

static terrain terrain_make(int32_t columns, int32_t rows, double spacing, height_of *height, const void *how) {
    terrain t = {
        .columns = columns, .rows = rows, .spacing = spacing, .pose = at(-0.5 * spacing * (columns - 1), -0.5 * spacing * (rows - 1), 0)};
    t.heights = check_memory((size_t)(columns * rows), sizeof *t.heights);
    for (int32_t i = 0; i < columns * rows; i++) {
        t.heights[i] = height(spacing * (i % columns) + t.pose.position.x, spacing * (i / columns) + t.pose.position.y, how);
    }
    return t;
}

static abut_shape *as_field(const terrain *t) {
    abut_heightfield_def def = {
        .heights = t->heights, .columns = t->columns, .rows = t->rows, .spacing_x = t->spacing, .spacing_y = t->spacing};
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_heightfield(&def, &shape));
    return shape;
}

/* The same triangles, stored: an open mesh, or the surface of a solid with a level bottom. */
static abut_shape *as_mesh(const terrain *t, bool solid) {
    int32_t top = t->columns * t->rows, most = 2 * 6 * top + 12 * (t->columns + t->rows);
    abut_vec3 *vertices = check_memory((size_t)(2 * top), sizeof *vertices);
    int32_t *corners = check_memory((size_t)most, sizeof *corners), made = 0;
    for (int32_t i = 0; i < top; i++) {
        vertices[i] = abut_vec3_make(t->spacing * (i % t->columns), t->spacing * (i / t->columns), t->heights[i]);
        vertices[top + i] = abut_vec3_make(vertices[i].x, vertices[i].y, -3.0);
    }
    for (int32_t y = 0; y + 1 < t->rows; y++) {
        for (int32_t x = 0; x + 1 < t->columns; x++) {
            int32_t p = t->columns * y + x, q = p + 1, r = q + t->columns, s = p + t->columns;
            const int32_t up[6] = {p, q, r, p, r, s}, down[6] = {p, r, q, p, s, r};
            for (int k = 0; k < 6; k++) {
                corners[made++] = up[k];
            }
            for (int k = 0; k < 6 && solid; k++) {
                corners[made++] = down[k] + top;
            }
        }
    }
    for (int32_t side = 0; side < 4 && solid; side++) {
        int32_t count = side % 2 == 0 ? t->columns : t->rows;
        for (int32_t i = 0; i + 1 < count; i++) {
            int32_t p, q; /* along the border, counter-clockwise from above */
            switch (side) {
            case 0:
                p = i, q = i + 1;
                break;
            case 1:
                p = t->columns * i + t->columns - 1, q = p + t->columns;
                break;
            case 2:
                q = t->columns * (t->rows - 1) + i, p = q + 1;
                break;
            default:
                q = t->columns * i, p = q + t->columns;
                break;
            }
            const int32_t wall[6] = {p, p + top, q + top, p, q + top, q};
            for (int k = 0; k < 6; k++) {
                corners[made++] = wall[k];
            }
        }
    }
    abut_shape *shape = meshes_make(vertices, solid ? 2 * top : top, corners, made / 3);
    free(vertices);
    free(corners);
    return shape;
}

static abut_shape *as_open(const terrain *t, int kind) { return kind == 0 ? as_field(t) : as_mesh(t, false); }

/* ---- bodies in two worlds ---- */

enum { RIDERS = 6 };

static abut_shape *rider(int kind) {
    abut_shape *shape = NULL;
    const abut_vec3 points[] = {{0.3, 0, -0.1}, {-0.2, 0.25, -0.1}, {-0.2, -0.2, -0.12}, {0.05, 0.02, 0.3}, {0.1, -0.2, 0.1}};
    switch (kind) {
    case 0:
        return sphere(0.25);
    case 1:
        return box(0.3, 0.2, 0.15);
    case 2:
        return capsule(0.2, 0.2);
    case 3:
        return ellipsoid(0.3, 0.2, 0.25);
    case 4:
        assert_ok(abut_shape_create_superquadric(abut_vec3_make(0.3, 0.2, 0.25), 0.7, 0.8, &shape));
        return shape;
    default:
        assert_ok(abut_shape_create_hull(points, 5, &shape));
        return shape;
    }
}

/* The same motion on two grounds. Returns how far the bodies end up apart. *touched counts the steps that end with contacts. Ends where a step is refused;
 * refused[i] then counts it. */
static double move_on_both(const abut_body_def *def, const abut_shape *const under[2], const abut_pose pose[2], double time, int *touched,
                           int refused[2]) {
    abut_world *world[2];
    abut_body_id id[2];
    double worst = 0.0;
    for (int i = 0; i < 2; i++) {
        world[i] = make_world(false);
        add_ground(world[i], under[i], pose[i]);
        assert_ok(abut_world_add_body(world[i], def, &id[i]));
    }
    bool failed[2] = {false, false};
    for (double t = 0.0; t < time && !failed[0] && !failed[1]; t += 1.0 / 60.0) {
        abut_body_state s[2];
        for (int i = 0; i < 2; i++) {
            abut_step_report report = {.contacts = 0};
            abut_status status = abut_world_step(world[i], 1.0 / 60.0, &report);
            assert_true(status == ABUT_OK || status == ABUT_ERROR_ITERATION_LIMIT || status == ABUT_ERROR_UNSUPPORTED_PAIR);
            failed[i] = status != ABUT_OK;
            *touched += report.contacts > 0;
            s[i] = state_of(world[i], id[i]);
        }
        if (failed[0] || failed[1]) {
            break;
        }
        abut_vec3 p = abut_quat_rotate(s[0].pose.rotation, abut_vec3_make(0.2, 0.1, 0.15)),
                  q = abut_quat_rotate(s[1].pose.rotation, abut_vec3_make(0.2, 0.1, 0.15));
        worst = fmax(worst, abut_distance_between(s[0].pose.position, s[1].pose.position) + abut_distance_between(p, q));
    }
    for (int i = 0; i < 2; i++) {
        refused[i] += failed[i];
    }
    abut_world_destroy(world[0]);
    abut_world_destroy(world[1]);
    return worst;
}

static abut_body_def falling(random_state *random, const abut_shape *shape, abut_vec3 from) {
    abut_body_def def = abut_body_def_default();
    def.shape = shape;
    def.pose = (abut_pose){from, random_rotation(random)};
    def.motion.linear = random_vec3(random, -2.0, 2.0);
    def.motion.angular = random_vec3(random, -3.0, 3.0);
    def.restitution = random_range(random, 0.0, 1.0);
    return def;
}

/* On a level open mesh, all bodies move as on a plane. */
static void test_level(void **state) {
    (void)state;
    random_state random = random_make(random_seed("level", 31));
    int32_t samples = random_runs("level", 300);
    terrain t = terrain_make(13, 13, 0.7, level, NULL);
    double worst[RIDERS] = {0.0};
    int touched = 0, refused[2] = {0, 0};
    for (int32_t n = 0; n < samples; n++) {
        int kind = n % RIDERS;
        abut_shape *shape = rider(kind), *floor = plane(abut_vec3_make(0, 0, 1), 0.0), *mesh = as_open(&t, n / RIDERS % 2);
        const abut_shape *const under[2] = {floor, mesh};
        abut_body_def def = falling(&random, shape, abut_vec3_make(0.1, -0.07, 0.6));
        worst[kind] = fmax(worst[kind], move_on_both(&def, under, (const abut_pose[2]){at(0, 0, 0), t.pose}, 0.45, &touched, refused));
        abut_shape_release(shape);
        abut_shape_release(floor);
        abut_shape_release(mesh);
    }
    for (int kind = 0; kind < RIDERS; kind++) {
        print_message("level: rider %d off by %.1e m\n", kind, worst[kind]);
        assert_true(worst[kind] < 1e-3);
    }
    assert_true(touched > samples / 2); /* most of them land within the time */
    assert_true(refused[0] == 0 && refused[1] == 0);
    free(t.heights);
}

static double rough(double x, double y, const void *how) {
    const double *a = how;
    return a[0] * sin(1.3 * x + a[1]) * cos(1.7 * y + a[2]) + 0.1 * sin(7.1 * x * y + a[3]);
}

/* On a rough terrain, all bodies move as on a solid with this top. */
static void test_rough(void **state) {
    (void)state;
    random_state random = random_make(random_seed("rough", 32));
    int32_t samples = random_runs("rough", 300);
    double worst[RIDERS] = {0.0};
    int touched = 0, refused[2] = {0, 0};
    for (int32_t n = 0; n < samples; n++) {
        int kind = n % RIDERS;
        const double how[4] = {random_range(&random, 0.1, 0.5), random_range(&random, 0, 6), random_range(&random, 0, 6),
                               random_range(&random, 0, 6)};
        terrain t = terrain_make(15, 15, 0.6, rough, how);
        abut_shape *shape = rider(kind), *solid = as_mesh(&t, true), *mesh = as_open(&t, n / RIDERS % 2);
        assert_true(abut_stepper_refusal(ABUT_STEPPER_EVENT, ABUT_BODY_KINEMATIC, solid) == NULL);
        const abut_shape *const under[2] = {solid, mesh};
        abut_body_def def = falling(&random, shape, abut_vec3_make(0.1, -0.07, 1.3));
        double apart = move_on_both(&def, under, (const abut_pose[2]){t.pose, t.pose}, 0.8, &touched, refused);
        worst[kind] = fmax(worst[kind], apart);
        abut_shape_release(shape);
        abut_shape_release(solid);
        abut_shape_release(mesh);
        free(t.heights);
    }
    for (int kind = 0; kind < RIDERS; kind++) {
        print_message("rough: rider %d off by %.1e m\n", kind, worst[kind]);
        assert_true(worst[kind] < 1e-3);
    }
    assert_true(touched > samples);
    print_message("rough: %d refused on the solid, %d on the mesh\n", refused[0], refused[1]);
    assert_true(refused[0] <= samples / 50 && refused[1] <= samples / 50);
}

/* ---- closed forms ---- */

/* A ball that slides or rolls over the seams of a level mesh keeps its velocity and its height. */
static void test_seams(void **state) {
    (void)state;
    terrain t = terrain_make(21, 21, 0.25, level, NULL);
    for (int kind = 0; kind < 4; kind++) {
        abut_shape *mesh = as_open(&t, kind % 2), *ball = sphere(0.2);
        abut_world *world = make_world(kind >= 2);
        add_ground(world, mesh, t.pose);
        const abut_vec3 velocity = {1.3, 0.7, 0};
        abut_body_id id = add_body(world, ball, at(-1.5, -0.8, 0.2), velocity);
        if (kind >= 2) { /* rolls */
            assert_ok(abut_world_set_body_motion(world, id, (abut_motion){velocity, {-0.7 / 0.2, 1.3 / 0.2, 0}}));
        }
        run_for(world, 2.0);
        abut_body_state s = state_of(world, id);
        assert_vec3_near(s.motion.linear, velocity, 1e-9);
        assert_vec3_near(s.pose.position, abut_vec3_make(-1.5 + 2.6, -0.8 + 1.4, 0.2), 1e-8);
        assert_near(s.pose.position.z, 0.2, 1e-9);
        abut_world_destroy(world);
        abut_shape_release(mesh);
        abut_shape_release(ball);
    }
    free(t.heights);
}

static double round_valley(double x, double y, const void *how) {
    const double radius = *(const double *)how;
    (void)y;
    return radius - sqrt(radius * radius - x * x);
}

/* A ball that slides in a round valley swings like a pendulum as long as the radius less that of the ball. The quarter period follows from the arithmetic and
 * geometric mean. Every bend of the surface takes some of the speed, so the swing is asked for only up to the lowest point. */
static void test_valley(void **state) {
    (void)state;
    const double radius = 3.0, small = 0.2, length = radius - small, from = 0.3;
    terrain t = terrain_make(481, 3, 0.005, round_valley, &radius);
    double a = 1.0, b = cos(0.5 * from);
    for (int i = 0; i < 8; i++) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    const double quarter = 0.5 * PI / a * sqrt(length / G);
    for (int kind = 0; kind < 2; kind++) {
        abut_shape *valley = as_open(&t, kind), *ball = sphere(small);
        abut_pose pose = t.pose;
        abut_world *world = make_world(false);
        add_ground(world, valley, pose);
        abut_body_id id = add_body(world, ball, at(length * sin(from), 0, radius - length * cos(from)), abut_vec3_make(0, 0, 0));
        double time = 0.0, passed[3] = {0.0};
        int passes = 0;
        double before = state_of(world, id).pose.position.x;
        while (passes < 3 && time < 10.0) {
            assert_ok(abut_world_step(world, 0.01, NULL));
            time += 0.01;
            double now = state_of(world, id).pose.position.x;
            if (before * now < 0.0) {
                passed[passes++] = time - 0.01 * now / (now - before);
            }
            before = now;
        }
        print_message("valley: quarter period off by %.1e, half by %.1e\n", passed[0] / quarter - 1.0,
                      (passed[1] - passed[0]) / (2.0 * quarter) - 1.0);
        assert_near(passed[0], quarter, 2e-3 * quarter);
        assert_near(passed[1] - passed[0], 2.0 * quarter, 2e-3 * quarter);
        assert_near(passed[2] - passed[1], 2.0 * quarter, 2e-3 * quarter);
        abut_world_destroy(world);
        abut_shape_release(valley);
        abut_shape_release(ball);
    }
    free(t.heights);
}

/* A ball that slides over the rim with the speed v leaves where its weight no longer holds it on a circle about the rim, cos f = 2/3 + v^2 / (3 g r), or at
 * once if that is above 1. Then it falls freely, past the surface. */
static void test_rim(void **state) {
    (void)state;
    terrain t = terrain_make(9, 9, 0.25, level, NULL);
    const double r = 0.1;
    for (int n = 0; n < 12; n++) {
        double v = 0.1 + 0.2 * n, heading = 0.1 * (n % 3), leaves = fmin(1.0, 2.0 / 3.0 + v * v / (3.0 * G * r));
        abut_shape *mesh = as_open(&t, n % 2), *ball = sphere(r);
        abut_world *world = make_world(false);
        add_ground(world, mesh, t.pose);
        abut_body_id id = add_body(world, ball, at(0.9, 0, r), abut_vec3_make(v, v * tan(heading), 0));
        double fastest = sqrt(v * v + 2.0 * G * r * (1.0 - leaves)) * leaves, time = 0.0;
        while (state_of(world, id).pose.position.z > -1.0 && time < 4.0) {
            assert_ok(abut_world_step(world, 1.0 / 64.0, NULL));
            time += 1.0 / 64.0;
        }
        abut_body_state s = state_of(world, id);
        assert_near(s.motion.linear.x, fastest, 1e-6);
        assert_near(s.motion.linear.y, v * tan(heading), 1e-8);
        assert_near(0.5 * abut_length_squared(s.motion.linear) + G * s.pose.position.z,
                    0.5 * v * v * (1.0 + tan(heading) * tan(heading)) + G * r, 1e-6);
        abut_world_destroy(world);
        abut_shape_release(mesh);
        abut_shape_release(ball);
    }
    free(t.heights);
}

/* A box at rest on a level mesh stays, also where a part of it hangs over the rim. The forces are those of statics. */
static void test_resting_box(void **state) {
    (void)state;
    terrain t = terrain_make(9, 9, 0.25, level, NULL);
    for (int n = 0; n < 8; n++) {
        double x = n < 4 ? 0.03 : 0.9, turn = 0.35 * (n % 4);
        abut_shape *mesh = as_open(&t, n % 2), *brick = box(0.2, 0.15, 0.1);
        abut_world *world = make_world(false);
        add_ground(world, mesh, t.pose);
        abut_pose pose = turned(at(x, 0.07, 0.1), abut_vec3_make(0, 0, 1), turn);
        abut_body_id id = add_body(world, brick, pose, abut_vec3_make(0, 0, 0));
        run_for(world, 1.0);
        assert_vec3_near(state_of(world, id).pose.position, pose.position, 1e-9);
        assert_vec3_near(state_of(world, id).motion.angular, abut_vec3_make(0, 0, 0), 1e-9);
        const abut_world_contact *contacts;
        int32_t count;
        assert_ok(abut_world_contacts(world, &contacts, &count));
        const double weight = 1000.0 * 8 * 0.2 * 0.15 * 0.1 * G;
        double force = 0.0, moment_x = 0.0, moment_y = 0.0;
        for (int32_t i = 0; i < count; i++) {
            force += contacts[i].normal_force;
            moment_x += contacts[i].normal_force * (contacts[i].contact.on_a.x - x);
            moment_y += contacts[i].normal_force * (contacts[i].contact.on_a.y - 0.07);
        }
        assert_near(force, weight, 1e-8 * weight);
        assert_near(moment_x, 0.0, 1e-7 * weight);
        assert_near(moment_y, 0.0, 1e-7 * weight);
        abut_world_destroy(world);
        abut_shape_release(mesh);
        abut_shape_release(brick);
    }
    free(t.heights);
}

/* Boxes and capsules that slide over the rim tip as over the edge of a plate. Some are refused where they tip over a vertex of the rim. */
static void test_over_the_rim(void **state) {
    (void)state;
    random_state random = random_make(random_seed("over_the_rim", 33));
    int32_t samples = random_samples("over_the_rim", 60);
    terrain t = terrain_make(5, 5, 0.25, level, NULL);
    double worst = 0.0;
    int touched = 0, refused[2] = {0, 0};
    for (int32_t n = 0; n < samples; n++) {
        abut_shape *plate = box(0.5, 0.5, 0.5), *mesh = as_open(&t, n / 2 % 2),
                   *shape = n % 2 == 0 ? capsule(0.05, 0.2) : box(0.2, 0.1, 0.05);
        const abut_shape *const under[2] = {plate, mesh};
        const abut_pose pose[2] = {at(0, 0, -0.5), t.pose};
        abut_body_def def = abut_body_def_default();
        def.shape = shape;
        def.pose = n % 2 == 0 ? turned(at(0.35, 0, 0.05), abut_vec3_make(0, 1, 0), 0.5 * PI) : at(0.35, 0, 0.05);
        def.pose = turned(def.pose, abut_vec3_make(0, 0, 1), random_range(&random, -0.5, 0.5));
        def.motion.linear = abut_vec3_make(random_range(&random, 0.3, 1.5), random_range(&random, -0.2, 0.2), 0);
        worst = fmax(worst, move_on_both(&def, under, pose, 0.35, &touched, refused));
        abut_shape_release(plate);
        abut_shape_release(mesh);
        abut_shape_release(shape);
    }
    print_message("over_the_rim: off by %.1e m\n", worst);
    print_message("over_the_rim: %d of %d refused\n", refused[1], samples);
    assert_true(worst < 1e-4);
    assert_true(touched > samples);
    assert_int_equal(refused[0], 0);
    assert_true(refused[1] <= samples / 4);
    free(t.heights);
}

/* ---- through the surface ---- */

/* The height of the terrain's triangle over a point. */
static double height_at(const terrain *t, double x, double y) {
    double u = (x - t->pose.position.x) / t->spacing, v = (y - t->pose.position.y) / t->spacing;
    int32_t i = (int32_t)floor(u), k = (int32_t)floor(v);
    const double *h = &t->heights[t->columns * k + i];
    u -= i;
    v -= k;
    double far_corner = h[t->columns + 1];
    return u >= v ? h[0] + u * (h[1] - h[0]) + v * (far_corner - h[1])
                  : h[0] + v * (h[t->columns] - h[0]) + u * (far_corner - h[t->columns]);
}

/* Bodies that are thrown at a terrain from above, however fast, stay above it: no vertex or lowest point is below by more than a millionth of a metre. */
static void test_nothing_passes(void **state) {
    (void)state;
    random_state random = random_make(random_seed("nothing_passes", 34));
    int32_t samples = random_runs("nothing_passes", 300);
    for (int32_t n = 0; n < samples; n++) {
        const double how[4] = {random_range(&random, 0.0, 0.5), random_range(&random, 0, 6), random_range(&random, 0, 6),
                               random_range(&random, 0, 6)};
        terrain t = terrain_make(15, 15, 0.6, n % 5 == 0 ? level : rough, how);
        abut_shape *shape = rider(n % 3), *mesh = as_open(&t, n / 3 % 2);
        abut_world *world = make_world(false);
        add_ground(world, mesh, t.pose);
        abut_body_def def = falling(&random, shape, abut_vec3_make(random_range(&random, -2, 2), random_range(&random, -2, 2), 4.0));
        def.motion.linear =
            abut_vec3_make(random_range(&random, -3, 3), random_range(&random, -3, 3), -random_log_range(&random, 1.0, 300.0));
        def.restitution = random_range(&random, 0.0, 0.3);
        abut_body_id id;
        assert_ok(abut_world_add_body(world, &def, &id));
        for (int k = 0; k < 30; k++) {
            assert_ok(abut_world_step(world, 1.0 / 60.0, NULL));
            abut_vec3 p = state_of(world, id).pose.position;
            if (fabs(p.x) > 4.0 || fabs(p.y) > 4.0) {
                break;
            }
            assert_true(p.z > height_at(&t, p.x, p.y) + 0.1);
        }
        abut_world_destroy(world);
        abut_shape_release(mesh);
        abut_shape_release(shape);
        free(t.heights);
    }
}

/* Kinematic and dynamic open meshes, and those with smooth edges, are refused. */
static void test_what_is_refused(void **state) {
    (void)state;
    terrain t = terrain_make(3, 3, 1.0, level, NULL);
    for (int kind = 0; kind < 2; kind++) {
        abut_shape *mesh = as_open(&t, kind);
        assert_null(abut_stepper_refusal(ABUT_STEPPER_EVENT, ABUT_BODY_STATIC, mesh));
        assert_non_null(abut_stepper_refusal(ABUT_STEPPER_EVENT, ABUT_BODY_KINEMATIC, mesh));
        assert_non_null(abut_stepper_refusal(ABUT_STEPPER_EVENT, ABUT_BODY_DYNAMIC, mesh));
        abut_shape_release(mesh);
    }
    const abut_vec3 corners[4] = {{0, 0, 0}, {1, 0, 0.1}, {1, 1, 0}, {0, 1, 0.1}};
    const int32_t triangles[6] = {0, 1, 2, 0, 2, 3};
    abut_trimesh_def def = abut_trimesh_def_default();
    def.vertices = corners;
    def.vertex_count = 4;
    def.triangles = triangles;
    def.triangle_count = 2;
    def.smooth_angle = 1.0;
    abut_shape *smooth = NULL;
    assert_ok(abut_shape_create_trimesh(&def, NULL, &smooth));
    assert_non_null(abut_stepper_refusal(ABUT_STEPPER_EVENT, ABUT_BODY_STATIC, smooth));
    abut_shape_release(smooth);
    free(t.heights);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_level),
                                       cmocka_unit_test(test_rough),
                                       cmocka_unit_test(test_seams),
                                       cmocka_unit_test(test_valley),
                                       cmocka_unit_test(test_rim),
                                       cmocka_unit_test(test_resting_box),
                                       cmocka_unit_test(test_over_the_rim),
                                       cmocka_unit_test(test_nothing_passes),
                                       cmocka_unit_test(test_what_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
