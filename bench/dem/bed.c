#include "dem/bed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <abut/shape.h>

#include "support/random.h"

const double bed_friction = 0.5, bed_restitution = 0.3;

/* Settings of a bed's world. */
typedef struct how {
    double friction, restitution, drag, step;
    int32_t threads;
} how;

static bool add_ball(abut_world *world, double radius, abut_vec3 centre, abut_body_def def) {
    abut_shape *shape = NULL;
    bool fine = abut_shape_create_sphere(radius, &shape) == ABUT_OK;
    def.shape = shape;
    def.pose.position = centre;
    fine = fine && abut_world_add_body(world, &def, NULL) == ABUT_OK;
    abut_shape_release(shape);
    return fine;
}

static bool fill(abut_world *world, const bed *b, const how *h) {
    abut_body_def def = abut_body_def_default();
    def.density = bed_density;
    def.friction = h->friction;
    def.restitution = h->restitution;
    def.material = (abut_material){bed_young, bed_poisson};
    def.linear_damping = h->drag;
    bool fine = granular_add_walls(world, b->side, def);
    for (int32_t i = 0; i < b->count && fine; i++) {
        fine = add_ball(world, b->radius[i], b->centre[i], def);
    }
    return fine;
}

static abut_world *make_world(const bed *b, const how *h) {
    abut_world_def def = abut_world_def_default();
    def.stepper = ABUT_STEPPER_DEM;
    def.gravity = abut_vec3_make(0.0, 0.0, -bed_gravity);
    def.dem.step = h->step;
    def.dem.skin = bed_skin;
    def.parallel.threads = h->threads;
    abut_world *world = NULL;
    if (abut_world_create(&def, &world) == ABUT_OK && !fill(world, b, h)) {
        abut_world_destroy(world);
        world = NULL;
    }
    return world;
}

abut_world *bed_world(const bed *b, int32_t threads) {
    how h = {bed_friction, bed_restitution, 0.0, b->step, threads};
    return make_world(b, &h);
}

/* 25 balls deep; wider for more balls. */
static void scatter(bed *b) {
    const double spacing = 2.0 * (1.0 + 1.5 * bed_spread) * bed_radius;
    int32_t across = (int32_t)ceil(fmax(sqrt(b->count / 25.0), cbrt(b->count)) - 1e-9);
    across = b->count > 15625 ? (int32_t)ceil(sqrt(b->count / 25.0) - 1e-9) : across;
    random_state random = random_make(1);
    b->side = across * spacing;
    for (int32_t i = 0; i < b->count; i++) {
        int32_t x = i % across, y = i / across % across, z = i / across / across;
        b->radius[i] = bed_radius * random_range(&random, 1.0 - bed_spread, 1.0 + bed_spread);
        abut_vec3 jitter = random_vec3(&random, -0.5 * bed_spread * bed_radius, 0.5 * bed_spread * bed_radius);
        b->centre[i] = abut_add(abut_vec3_make((x + 0.5) * spacing, (y + 0.5) * spacing, (z + 0.5) * spacing), jitter);
    }
}

/* As after pouring: the numbers of the balls say nothing of their places. */
static void shuffle(bed *b) {
    random_state random = random_make(2);
    for (int32_t i = b->count - 1; i > 0; i--) {
        int32_t k = random_below(&random, i + 1);
        double radius = b->radius[i];
        abut_vec3 centre = b->centre[i];
        b->radius[i] = b->radius[k];
        b->centre[i] = b->centre[k];
        b->radius[k] = radius;
        b->centre[k] = centre;
    }
    for (int32_t i = 0; i < b->count; i++) {
        b->top = fmax(b->top, b->centre[i].z + b->radius[i]);
    }
}

static void read_back(bed *b, const abut_world *world) {
    abut_body_id *ids = calloc((size_t)b->count + 5, sizeof *ids);
    int32_t count = 0;
    b->top = 0.0;
    if (ids != NULL && abut_world_body_ids(world, ids, b->count + 5, &count) == ABUT_OK) {
        for (int32_t i = 0; i < b->count; i++) {
            abut_body_state state;
            (void)abut_world_body_state(world, ids[i + 5], &state);
            b->centre[i] = state.centre;
            b->top = fmax(b->top, state.centre.z + b->radius[i]);
        }
    }
    free(ids);
}

/* Settles between `least` and `most` hundredths of a second, until the kinetic energy per ball, in units of its weight times its radius,
 * falls below `stillness`. */
static bool settle_with(bed *b, double friction, double step, int32_t least, int32_t most, double stillness) {
    const double dt = 0.01;
    how h = {friction, 0.1, 10.0, step, 0};
    abut_world *world = make_world(b, &h);
    bool still = false;
    for (int32_t i = 0; world != NULL && i < most && !still; i++) {
        abut_step_report report;
        if (abut_world_step(world, dt, &report) != ABUT_OK) {
            break;
        }
        still = i + 1 >= least && granular_in_weights(report.kinetic_energy, b->count) < stillness;
    }
    if (still) {
        read_back(b, world);
    }
    abut_world_destroy(world);
    return still;
}

static bool settle(bed *b) {
    bool still = settle_with(b, 0.0, 2.0 * b->step, 50, 50, INFINITY) && settle_with(b, bed_friction, b->step, 5, 200, 1e-6);
    if (!still) {
        fprintf(stderr, "dem: a bed of %d balls does not come to rest\n", (int)b->count);
    }
    return still;
}

bool bed_make(int32_t count, bool loose, bed *made) {
    *made = (bed){
        .count = count, .step = granular_time_step(bed_radius * (1.0 - bed_spread)), .skin = bed_skin * bed_radius * (1.0 - bed_spread)};
    made->radius = calloc((size_t)count, sizeof *made->radius);
    made->centre = calloc((size_t)count, sizeof *made->centre);
    if (made->radius == NULL || made->centre == NULL) {
        fprintf(stderr, "dem: no memory for %d balls\n", (int)count);
        bed_free(made);
        return false;
    }
    scatter(made);
    if (loose) {
        shuffle(made);
    } else if (!settle(made)) {
        bed_free(made);
        return false;
    }
    return true;
}

void bed_free(bed *b) {
    free(b->radius);
    free(b->centre);
    *b = (bed){0};
}
