/*
 * Brings bodies through inlets. A body comes where its bounding ball has the spacing of its inlet to all bodies that it can touch, and to those that come with
 * it. A dynamic body of rounded triangles keeps the room of its bounding ball free, and of other meshes the surface is in the way, from both sides. Bodies come
 * in their order: one that finds no room waits, and those after it wait, too, so that small ones do not overtake large ones. Places are random
 * numbers of the inlet's seed and the step, so a continued run finds the same ones.
 */
#include "io/scene/grain/feed.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include <abut/query.h>

#include "io/file/grow.h"
#include "io/scene/grain/bounding_ball.h"
#include "io/scene/simulation_data.h"

enum {
    TRIES = 100,       /* places tried for one body in a step */
    MOST_IMAGES = 64,  /* periodic images of a body along one axis */
    MOST_COMING = 4096 /* bodies that an inlet places in a step */
};

/* A body that is no ball, or a large ball. */
typedef struct obstacle {
    const abut_shape *shape; /* NULL for a ball */
    abut_pose pose;
    scatter_ball ball;
    abut_aabb bounds;
} obstacle;

/* What is in the way of an inlet. */
typedef struct surroundings {
    const abut_scene *scene;
    const scene_inlet *inlet;
    const abut_body_def *coming;
    abut_aabb reach;     /* contains all that can be in the way */
    scatter_ball *balls; /* [ball_count] those in the way, then those that come */
    obstacle *obstacles;
    size_t ball_count, ball_capacity, obstacle_count, obstacle_capacity;
    abut_status status; /* of the questions that has_room() asks */
} surroundings;

/* ---- what is in the way ---- */

static abut_aabb grown(abut_aabb box, double by) {
    abut_vec3 d = abut_vec3_make(by, by, by);
    return (abut_aabb){abut_sub(box.lower, d), abut_add(box.upper, d)};
}

static bool boxes_meet(abut_aabb a, abut_aabb b) {
    return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y && b.lower.y <= a.upper.y && a.lower.z <= b.upper.z &&
           b.lower.z <= a.upper.z;
}

static abut_aabb reach_of(const scene_inlet *inlet) {
    const scatter_region *r = &inlet->region;
    abut_aabb box = {r->lower, r->upper};
    if (r->radius > 0.0) {
        box = grown((abut_aabb){r->centre, r->centre}, r->radius + inlet->largest);
    }
    return grown(box, r->spacing);
}

static bool add_ball(surroundings *s, scatter_ball ball) {
    if (!grow_array(&s->balls, &s->ball_capacity, s->ball_count + 1, INT32_MAX, sizeof *s->balls)) {
        return false;
    }
    s->balls[s->ball_count++] = ball;
    return true;
}

static bool add_obstacle(surroundings *s, obstacle made) {
    if (!grow_array(&s->obstacles, &s->obstacle_capacity, s->obstacle_count + 1, INT32_MAX, sizeof *s->obstacles)) {
        return false;
    }
    s->obstacles[s->obstacle_count++] = made;
    return true;
}

/* Adds one image of a body. Balls that are larger than those that come would make the cells of the search too large. */
static bool add_image(surroundings *s, const abut_body_info *info, abut_pose pose) {
    abut_kind kind = abut_shape_kind(info->shape);
    abut_aabb bounds = abut_shape_bounds(info->shape, pose);
    if (!boxes_meet(bounds, s->reach)) {
        return true;
    }
    if (kind != ABUT_SHAPE_SPHERE && !(kind == ABUT_SHAPE_FACETMESH && info->kind == ABUT_BODY_DYNAMIC)) {
        return add_obstacle(s, (obstacle){.shape = info->shape, .pose = pose, .bounds = bounds});
    }
    scatter_ball ball = bounding_ball(info->shape);
    ball.centre = abut_pose_apply(pose, ball.centre);
    bounds = grown((abut_aabb){ball.centre, ball.centre}, ball.radius);
    return ball.radius <= s->inlet->largest ? add_ball(s, ball) : add_obstacle(s, (obstacle){.ball = ball, .bounds = bounds});
}

/* The images of a range that meet the other one: multiples of the period from *first to *last. */
static void find_images(double lower, double upper, double period, double reach_lower, double reach_upper, int *first, int *last) {
    double from = ceil((reach_lower - upper) / period), to = floor((reach_upper - lower) / period);
    *first = *last = 0;
    if (fabs(from) < 1e6 && fabs(to) < 1e6) {
        *first = (int)from;
        *last = (int)fmin(to, from + MOST_IMAGES);
    }
}

/* Adds a body with its images in a periodic space. */
static bool add_body(surroundings *s, const abut_body_info *info, abut_pose pose) {
    const abut_world_def *def = &s->scene->world;
    const abut_dem_settings *dem = &def->dem;
    abut_aabb b = abut_shape_bounds(info->shape, pose);
    int first[3] = {0}, last[3] = {0};
    bool periodic = def->stepper == ABUT_STEPPER_DEM && abut_shape_kind(info->shape) != ABUT_SHAPE_PLANE;
    abut_vec3 period = abut_sub(dem->upper, dem->lower);
    if (periodic && dem->periodic[0]) {
        find_images(b.lower.x, b.upper.x, period.x, s->reach.lower.x, s->reach.upper.x, &first[0], &last[0]);
    }
    if (periodic && dem->periodic[1]) {
        find_images(b.lower.y, b.upper.y, period.y, s->reach.lower.y, s->reach.upper.y, &first[1], &last[1]);
    }
    if (periodic && dem->periodic[2]) {
        find_images(b.lower.z, b.upper.z, period.z, s->reach.lower.z, s->reach.upper.z, &first[2], &last[2]);
    }
    bool memory = true;
    for (int x = first[0]; x <= last[0] && memory; x++) {
        for (int y = first[1]; y <= last[1] && memory; y++) {
            for (int z = first[2]; z <= last[2] && memory; z++) {
                abut_pose image = pose;
                image.position = abut_add(pose.position, abut_vec3_make(x * period.x, y * period.y, z * period.z));
                memory = add_image(s, info, x == 0 && y == 0 && z == 0 ? pose : image);
            }
        }
    }
    return memory;
}

/* Gathers all bodies of the world that the bodies of the inlet can touch, in the order of their slots. */
static abut_status gather(surroundings *s, const abut_world *world) {
    int32_t count = 0;
    (void)abut_world_body_ids(world, NULL, 0, &count);
    abut_body_id *ids = calloc((size_t)count + 1, sizeof *ids);
    abut_status status = ids ? abut_world_body_ids(world, ids, count, &count) : ABUT_ERROR_OUT_OF_MEMORY;
    for (int32_t i = 0; i < count && status == ABUT_OK; i++) {
        abut_body_info info;
        abut_body_state state;
        (void)abut_world_body_info(world, ids[i], &info);
        (void)abut_world_body_state(world, ids[i], &state);
        bool touches = !info.sensor && !s->coming->sensor && abut_filters_agree(info.filter, s->coming->filter);
        status = !touches || add_body(s, &info, state.pose) ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
    }
    free(ids);
    return status;
}

/* ---- places ---- */

/* Whether the obstacle has a point in common with a ball, whose shape is made when it is needed. */
static abut_status is_hit(const obstacle *other, scatter_ball ball, abut_shape **shape, bool *hit) {
    if (!other->shape) {
        double least = ball.radius + other->ball.radius;
        *hit = !(abut_length_squared(abut_sub(ball.centre, other->ball.centre)) >= least * least);
        return ABUT_OK;
    }
    abut_status status = *shape ? ABUT_OK : abut_shape_create_sphere(ball.radius, shape);
    if (status != ABUT_OK) {
        return status;
    }
    const abut_pair pair = {*shape, {ball.centre, abut_quat_identity()}, other->shape, other->pose};
    if (abut_shape_kind(other->shape) != ABUT_SHAPE_TRIMESH) {
        return abut_overlap(&pair, NULL, hit);
    }
    abut_separation found = {.gap = 0.0};
    status = abut_distance(&pair, NULL, NULL, &found);
    *hit = found.gap <= DBL_MIN; /* that of a ball that crosses a mesh from behind */
    return status;
}

static bool has_room(void *context, scatter_ball ball) {
    surroundings *s = context;
    abut_shape *shape = NULL;
    ball.radius += s->inlet->region.spacing;
    abut_aabb bounds = grown((abut_aabb){ball.centre, ball.centre}, ball.radius);
    bool hit = false;
    for (size_t i = 0; i < s->obstacle_count && !hit && s->status == ABUT_OK; i++) {
        if (boxes_meet(bounds, s->obstacles[i].bounds)) {
            s->status = is_hit(&s->obstacles[i], ball, &shape, &hit);
        }
    }
    abut_shape_release(shape);
    return !hit && s->status == ABUT_OK;
}

static abut_status add_coming(surroundings *s, int32_t first, int32_t count) {
    bool memory = true;
    for (int32_t i = 0; i < count && memory; i++) {
        memory = add_ball(s, (scatter_ball){.radius = bounding_ball(s->scene->bodies[first + i].def.shape).radius});
    }
    return memory ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
}

/* Adds the bodies `first`, ... to the world where their balls are. */
static abut_status enter(abut_simulation *simulation, int32_t first, const scatter_ball *balls, int32_t count) {
    abut_status status = ABUT_OK;
    for (int32_t i = 0; i < count && status == ABUT_OK; i++) {
        abut_body_def def = simulation->scene->bodies[first + i].def;
        abut_vec3 middle = bounding_ball(def.shape).centre;
        def.pose.position = abut_sub(balls[i].centre, abut_quat_rotate(def.pose.rotation, middle));
        status = abut_world_add_body(simulation->world, &def, &simulation->bodies[first + i]);
    }
    return status;
}

static abut_status feed(abut_simulation *simulation, int32_t index, int32_t placed, int32_t due) {
    const abut_scene *scene = simulation->scene;
    const scene_inlet *inlet = &scene->inlets[index];
    int32_t first = inlet->first + placed, count = due - placed < MOST_COMING ? due - placed : MOST_COMING, reached = 0;
    surroundings s = {.scene = scene, .inlet = inlet, .coming = &scene->bodies[inlet->first].def, .reach = reach_of(inlet)};
    const scatter_search search = {&inlet->region, TRIES, has_room, &s};
    scatter_random random = scatter_part((uint64_t)inlet->seed, (uint64_t)simulation->step + 2);
    abut_status status = gather(&s, simulation->world);
    int32_t taken = (int32_t)s.ball_count;
    status = status ? status : add_coming(&s, first, count);
    status = status ? status : scatter_balls(s.balls, taken, taken + count, &search, &random, &reached);
    status = status ? status : s.status;
    status = status ? status : enter(simulation, first, s.balls + taken, reached - taken);
    free(s.balls);
    free(s.obstacles);
    return status;
}

/* ---- counting ---- */

int32_t simulation_due_at(const scene_inlet *inlet, int64_t step, double dt) {
    double now = ((double)step + 1e-9) * dt;
    int32_t below = 0, above = inlet->count; /* due[below - 1] <= now < due[above] */
    while (below < above) {
        int32_t middle = below + (above - below) / 2;
        if (inlet->due[middle] <= now) {
            below = middle + 1;
        } else {
            above = middle;
        }
    }
    return below;
}

/* Bodies of an inlet come in their order. */
int32_t simulation_placed(const abut_simulation *simulation, const scene_inlet *inlet) {
    int32_t below = 0, above = inlet->count;
    while (below < above) {
        int32_t middle = below + (above - below) / 2;
        if (simulation->bodies[inlet->first + middle].index != 0) {
            below = middle + 1;
        } else {
            above = middle;
        }
    }
    return below;
}

abut_status simulation_feed(abut_simulation *simulation, abut_error *error) {
    const abut_scene *scene = simulation->scene;
    for (int32_t i = 0; i < scene->inlet_count; i++) {
        const scene_inlet *inlet = &scene->inlets[i];
        int32_t placed = simulation_placed(simulation, inlet), due = simulation_due_at(inlet, simulation->step, scene->dt);
        abut_status status = due > placed ? feed(simulation, i, placed, due) : ABUT_OK;
        if (status != ABUT_OK) {
            return abut_fail(error, status, "%s: the inlet '%s' at %g s: %s", abut_scene_path(scene), inlet->name,
                             abut_simulation_time(simulation), abut_status_message(status));
        }
    }
    return ABUT_OK;
}
