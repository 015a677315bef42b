#include "grains/bed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <abut/facetmesh.h>

#include "support/ball_mesh.h"
#include "support/random.h"

static const double sizes[BED_SIZES] = {0.95, 0.975, 1.0, 1.025, 1.05};
static const double longest_axis = 1.15;

/* Settings of a bed's world. */
typedef struct how {
    bed_look look;
    double friction, restitution, drag, young, step;
} how;

/* ---- bodies ---- */

static abut_shape *make_grain(const bed *b, int level, int32_t size) {
    double r = sizes[size] * bed_radius, longest = b->kind == GRAIN_PEBBLE ? longest_axis : 1.0;
    abut_shape *shape = NULL;
    ball_mesh mesh;
    if (level == BED_SPHERES) {
        return abut_shape_create_sphere(r, &shape) == ABUT_OK ? shape : NULL;
    }
    if (!ball_mesh_make(level, abut_vec3_make(r * longest, r, r * (2.0 - longest)), &mesh)) {
        return NULL;
    }
    double *radii = b->kind == GRAIN_BALL ? calloc((size_t)mesh.triangle_count, sizeof *radii) : NULL;
    for (int32_t t = 0; radii != NULL && t < mesh.triangle_count; t++) {
        radii[t] = r;
    }
    abut_facetmesh_def def = {.vertices = mesh.vertices,
                              .vertex_count = mesh.vertex_count,
                              .triangles = mesh.triangles,
                              .triangle_count = mesh.triangle_count,
                              .radii = radii};
    abut_status status = abut_shape_create_facetmesh(&def, NULL, &shape);
    if (status != ABUT_OK) {
        fprintf(stderr, "grains: a body of %d triangles: %s\n", (int)mesh.triangle_count, abut_status_message(status));
    }
    free(radii);
    ball_mesh_free(&mesh);
    return shape;
}

static bool add_grains(abut_world *world, const bed *b, const bed_look *look, abut_body_def def) {
    abut_shape *shared[BED_SIZES] = {NULL};
    bool fine = true;
    def.user = BED_GRAIN;
    for (int32_t i = 0; i < b->count && fine; i++) {
        int32_t size = b->size[i];
        if (look->own) {
            abut_shape_release(shared[size]);
            shared[size] = NULL;
        }
        shared[size] = shared[size] != NULL ? shared[size] : make_grain(b, look->level, size);
        def.shape = shared[size];
        def.pose = b->pose[i];
        fine = def.shape != NULL && abut_world_add_body(world, &def, NULL) == ABUT_OK;
    }
    for (int i = 0; i < BED_SIZES; i++) {
        abut_shape_release(shared[i]);
    }
    return fine;
}

static bool fill(abut_world *world, const bed *b, const how *h) {
    abut_body_def def = abut_body_def_default();
    def.density = bed_density;
    def.friction = h->friction;
    def.restitution = h->restitution;
    def.material = (abut_material){h->young, bed_poisson};
    def.linear_damping = h->drag;
    def.angular_damping = h->drag;
    return granular_add_walls(world, b->side, def) && add_grains(world, b, &h->look, def);
}

static abut_world *make_world(const bed *b, const how *h) {
    abut_world_def def = abut_world_def_default();
    def.stepper = ABUT_STEPPER_DEM;
    def.gravity = abut_vec3_make(0.0, 0.0, -bed_gravity);
    def.dem.step = h->step;
    def.dem.skin = bed_skin;
    def.parallel.threads = h->look.threads;
    abut_world *world = NULL;
    if (abut_world_create(&def, &world) != ABUT_OK || !fill(world, b, h)) {
        fprintf(stderr, "grains: a bed of %d bodies could not be made\n", (int)b->count);
        abut_world_destroy(world);
        world = NULL;
    }
    return world;
}

abut_world *bed_world(const bed *b, const bed_look *look) {
    how h = {*look, 0.5, 0.3, 0.0, bed_young, b->step};
    return make_world(b, &h);
}

/* ---- settling ---- */

/* 25 balls deep; wider for more balls. */
static void scatter(bed *b) {
    const double spacing = 2.0 * (1.0 + 1.5 * bed_spread) * bed_radius;
    int32_t across = (int32_t)ceil((b->count > 15625 ? sqrt(b->count / 25.0) : cbrt(b->count)) - 1e-9);
    random_state random = random_make(1);
    b->side = across * spacing;
    for (int32_t i = 0; i < b->count; i++) {
        int32_t x = i % across, y = i / across % across, z = i / across / across;
        b->size[i] = random_below(&random, BED_SIZES);
        abut_vec3 jitter = random_vec3(&random, -0.5 * bed_spread * bed_radius, 0.5 * bed_spread * bed_radius);
        b->pose[i].position = abut_add(abut_vec3_make((x + 0.5) * spacing, (y + 0.5) * spacing, (z + 0.5) * spacing), jitter);
        b->pose[i].rotation = abut_quat_identity();
    }
}

static void turn_all(bed *b) {
    random_state random = random_make(2);
    for (int32_t i = 0; i < b->count; i++) {
        b->pose[i].rotation = random_rotation(&random);
    }
}

/* Scales all positions by the ratio of a pebble's length to a ball's diameter. */
static void spread_out(bed *b) {
    for (int32_t i = 0; i < b->count; i++) {
        b->pose[i].position = abut_scale(longest_axis, b->pose[i].position);
    }
    b->side *= longest_axis;
}

static bool read_back(bed *b, const abut_world *world) {
    size_t room = (size_t)b->count + 5;
    abut_body_id *ids = calloc(room, sizeof *ids);
    int32_t count = 0;
    bool fine = ids != NULL && abut_world_body_ids(world, ids, (int32_t)room, &count) == ABUT_OK && count == (int32_t)room;
    for (int32_t i = 0; i < b->count && fine; i++) {
        abut_body_state state;
        fine = abut_world_body_state(world, ids[i + 5], &state) == ABUT_OK;
        b->pose[i] = state.pose;
    }
    free(ids);
    return fine;
}

/* Minimum and maximum settling time in hundredths of a second; it ends when the kinetic energy per body, in units of its weight times its
 * radius, falls below `stillness`. */
typedef struct patience {
    int32_t least, most;
    double stillness;
} patience;

static bool settle_with(bed *b, const how *h, patience p) {
    abut_world *world = make_world(b, h);
    bool still = false;
    abut_status status = ABUT_OK;
    for (int32_t i = 0; world != NULL && i < p.most && !still && status == ABUT_OK; i++) {
        abut_step_report report;
        status = abut_world_step(world, 0.01, &report);
        still = status == ABUT_OK && i + 1 >= p.least && granular_in_weights(report.kinetic_energy, b->count) < p.stillness;
    }
    if (status != ABUT_OK) {
        fprintf(stderr, "grains: a bed of %d bodies of level %d: %s\n", (int)b->count, h->look.level, abut_status_message(status));
    }
    still = still && read_back(b, world);
    abut_world_destroy(world);
    return still;
}

/* Spheres without friction first, which packs them until each has about six neighbours; then with friction. */
static bool settle_spheres(bed *b) {
    const bed_look spheres = {BED_SPHERES, false, 0};
    const how fluid = {spheres, 0.0, 0.1, 10.0, bed_young, 2.0 * b->step}, firm = {spheres, 0.5, 0.1, 10.0, bed_young, b->step};
    return settle_with(b, &fluid, (patience){50, 50, INFINITY}) && settle_with(b, &firm, (patience){5, 200, 1e-6});
}

/* Coarse, soft meshes find their places; fine, stiff ones come to rest there. */
static bool settle_pebbles(bed *b, int level) {
    const bed_look coarse = {level < 1 ? level : 1, false, 0}, fine = {level, false, 0};
    const how fluid = {coarse, 0.0, 0.1, 10.0, bed_young / 4.0, 2.0 * b->step}, firm = {fine, 0.5, 0.1, 20.0, bed_young, b->step};
    return settle_with(b, &fluid, (patience){25, 25, INFINITY}) && settle_with(b, &firm, (patience){5, 100, 1e-6});
}

bool bed_make(grain_kind kind, int32_t count, int level, bed *made) {
    *made = (bed){.kind = GRAIN_BALL, .count = count, .step = granular_time_step(bed_radius * (1.0 - bed_spread))};
    made->size = calloc((size_t)count, sizeof *made->size);
    made->pose = calloc((size_t)count, sizeof *made->pose);
    bool fine = made->size != NULL && made->pose != NULL;
    if (fine) {
        scatter(made);
        fine = settle_spheres(made);
        turn_all(made);
    }
    if (fine && kind == GRAIN_PEBBLE) {
        made->kind = kind;
        spread_out(made);
        fine = settle_pebbles(made, level);
    }
    if (!fine) {
        fprintf(stderr, "grains: no bed of %d bodies at rest\n", (int)count);
        bed_free(made);
    }
    return fine;
}

void bed_free(bed *b) {
    free(b->size);
    free(b->pose);
    *b = (bed){0};
}
