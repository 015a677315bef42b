/*
 * Builds the scene's world once, as a run does, and asks it.
 */
#include "io/scene/check/fit.h"

#include <abut/smooth.h>

#include "io/scene/data.h"
#include "io/scene/simulation_data.h"

/* Overlaps that are told. The search ends there, so that it takes no longer for a scene of bodies that are all at one place. */
enum { MOST_OVERLAPS = 20 };

abut_status scene_check_shape(const scene_reader *reader, const scene_place *place, const char *what, abut_body_kind kind,
                              const abut_shape *shape) {
    const char *why = abut_stepper_refusal(reader->scene->world.stepper, kind, shape);
    return why ? read_fail(reader, place, "%s: %s", what, why) : ABUT_OK;
}

/* The place of a key of the element of "bodies" that gave the body; the other two are the places on the way. */
static void place_of_body(const scene_reader *reader, const scene_body *body, const char *key, scene_place *bodies, scene_place *element,
                          scene_place *place) {
    read_member(&reader->root, "bodies", bodies);
    *element = read_element(bodies, (size_t)body->element);
    read_member(element, key, place);
}

/* A smooth body that is not convex, and too thin for a mesh of its surface. */
static bool has_no_contacts(const scene_body *body) {
    const abut_shape *mesh;
    return abut_shape_kind(body->def.shape) == ABUT_SHAPE_IMPLICIT &&
           abut_shape_surface_mesh(body->def.shape, &mesh, NULL) == ABUT_ERROR_NOT_CLOSED;
}

static bool never_touch(const abut_scene *scene, int32_t a, int32_t b) {
    for (int32_t i = 0; i < scene->apart_count; i++) {
        const abut_scene_pair *pair = &scene->apart[i];
        if ((pair->a == a && pair->b == b) || (pair->a == b && pair->b == a)) {
            return true;
        }
    }
    return false;
}

/* Whether two bodies can have contacts: forces move one of them, and their filters agree. */
static bool can_meet(const abut_body_def *a, const abut_body_def *b) {
    return (a->kind == ABUT_BODY_DYNAMIC || b->kind == ABUT_BODY_DYNAMIC) && !a->sensor && !b->sensor &&
           abut_filters_agree(a->filter, b->filter);
}

/* Another body that a body may meet; NULL for none. */
static const scene_body *find_partner(const abut_scene *scene, const scene_body *body) {
    for (int32_t i = 0; i < scene->body_count; i++) {
        const scene_body *other = &scene->bodies[i];
        if (other != body && can_meet(&body->def, &other->def) && !never_touch(scene, (int32_t)(body - scene->bodies), i)) {
            return other;
        }
    }
    return NULL;
}

static abut_status check_contacts(const scene_reader *reader) {
    for (int32_t i = 0; i < reader->scene->body_count; i++) {
        const scene_body *body = &reader->scene->bodies[i], *partner = has_no_contacts(body) ? find_partner(reader->scene, body) : NULL;
        if (partner) {
            scene_place bodies, element, place;
            place_of_body(reader, body, "shape", &bodies, &element, &place);
            return read_fail_as(reader, ABUT_ERROR_UNSUPPORTED_PAIR, &place, false,
                                "body '%s': this shape is not convex and too thin for a mesh of its surface, so it has no contacts with "
                                "body '%s'; use a trimesh",
                                body->name, partner->name);
        }
    }
    return ABUT_OK;
}

/* ---- the world ---- */

/* At the settings of the stepper, or else at the scene. */
static abut_status refuse_world(const scene_reader *reader, abut_status status) {
    scene_place stepper, periodic;
    if (status == ABUT_ERROR_OUT_OF_MEMORY) {
        return read_no_memory(reader);
    }
    if (!read_member(&reader->root, "stepper", &stepper)) {
        return read_fail_as(reader, status, &reader->root, false, "the scene cannot be simulated: %s", abut_status_message(status));
    }
    scene_place step;
    if (status == ABUT_ERROR_INVALID_ARGUMENT && reader->scene->cell_count > 0 && read_member(&stepper, "step", &step)) {
        return read_fail(reader, &step, "'step' is longer than the springs and the pressure of an elastic cell need; leave it out");
    }
    if (status == ABUT_ERROR_INVALID_ARGUMENT && read_member(&stepper, "periodic", &periodic)) {
        return read_fail(
            reader, &periodic,
            "the periodic space is too short for the largest body: it must be longer than four times its radius and twice the skin");
    }
    return read_fail_as(reader, status, &stepper, false, "the stepper cannot move these bodies with these settings: %s",
                        abut_status_message(status));
}

/* The value of abut_body_def.user is the index of the body in the scene. */
static const scene_body *body_of(const abut_simulation *simulation, abut_body_id id) {
    abut_body_info info = {.user = 0};
    (void)abut_world_body_info(abut_simulation_world(simulation), id, &info);
    return &abut_simulation_scene(simulation)->bodies[info.user];
}

/* The event stepper cannot part all bodies that begin inside each other. Whether it can shows in the first step. */
static abut_status try_step(const scene_reader *reader, abut_simulation *simulation, const abut_world_overlap *found) {
    const scene_body *in = body_of(simulation, found->a), *body = body_of(simulation, found->b);
    scene_place bodies, element, place;
    abut_error why;
    abut_status status = abut_simulation_step(simulation, NULL, &why);
    if (status == ABUT_OK || status == ABUT_ERROR_OUT_OF_MEMORY) {
        return status == ABUT_OK ? status : read_no_memory(reader);
    }
    place_of_body(reader, body, "name", &bodies, &element, &place);
    return read_fail_as(
        reader, status, &place, false,
        "bodies '%s' and '%s' begin inside each other, by %.3g, and the event stepper cannot make a step: %s; move them apart", in->name,
        body->name, found->depth, status == ABUT_ERROR_NOT_FINITE ? "no finite forces part them" : abut_status_message(status));
}

static abut_status warn_overlaps(scene_reader *reader, abut_simulation *simulation) {
    abut_world_overlap found[MOST_OVERLAPS];
    int32_t count = 0;
    abut_status status = abut_world_overlaps(abut_simulation_world(simulation), found, MOST_OVERLAPS, &count);
    if (status != ABUT_OK) {
        return read_no_memory(reader);
    }
    const abut_scene *scene = reader->scene;
    if (count > 0 && scene->world.stepper == ABUT_STEPPER_EVENT) {
        status = try_step(reader, simulation, &found[0]);
    }
    for (int32_t i = 0; i < count && status == ABUT_OK; i++) {
        const scene_body *in = body_of(simulation, found[i].a), *body = body_of(simulation, found[i].b);
        scene_place bodies, element, place;
        place_of_body(reader, body, "name", &bodies, &element, &place);
        status = read_warn(reader, &place, "bodies '%s' and '%s' begin inside each other: they overlap by %.3g%s", in->name, body->name,
                           found[i].depth, i + 1 < MOST_OVERLAPS ? "" : "; further pairs are not told");
    }
    return status;
}

/* About the longest time that the event stepper can make in one step: its integration steps are hardly longer than a fall through a body. 0 without bodies that
 * fall. */
static double longest_step(const abut_scene *scene) {
    const double steps_per_event = 100.0;
    double size = 0.0, g = abut_length(scene->world.gravity);
    for (int32_t i = 0; i < scene->body_count; i++) {
        const abut_body_def *def = &scene->bodies[i].def;
        abut_aabb bounds = abut_shape_bounds(def->shape, abut_pose_identity());
        size = def->kind == ABUT_BODY_DYNAMIC ? fmax(size, abut_distance_between(bounds.lower, bounds.upper)) : size;
    }
    return size > 0.0 ? steps_per_event * scene->world.event.event_limit * sqrt(2.0 * size / g) : 0.0;
}

/* Steps that are far too long end soon, so one is tried. */
static abut_status check_long_steps(scene_reader *reader, abut_simulation *simulation) {
    const double far = 1000.0;
    const abut_scene *scene = reader->scene;
    const double most = longest_step(scene);
    scene_place dt;
    if (scene->world.stepper != ABUT_STEPPER_EVENT || most == 0.0 || !(scene->dt > most) || !read_member(&reader->root, "dt", &dt)) {
        return ABUT_OK;
    }
    abut_error why;
    abut_status status = scene->dt > far * most ? abut_simulation_step(simulation, NULL, &why) : ABUT_OK;
    if (status == ABUT_ERROR_ITERATION_LIMIT) {
        return read_fail_as(reader, status, &dt, false,
                            "a step of %.3g s takes the event stepper more integration steps than 100 times 'event_limit'", scene->dt);
    }
    return read_warn(reader, &dt,
                     "a step of %.3g s may take the event stepper more integration steps than 100 times 'event_limit', an error",
                     scene->dt);
}

abut_status scene_check_fit(scene_reader *reader) {
    abut_status status = check_contacts(reader);
    if (status != ABUT_OK) {
        return status;
    }
    abut_simulation *simulation = NULL;
    abut_error why;
    status = simulation_make(reader->scene, &simulation, &why);
    if (status == ABUT_OK) {
        status = abut_world_check(abut_simulation_world(simulation));
    }
    /* Bodies that go on from a recording are elsewhere: scene_check_started() asks once it is read. */
    status = status != ABUT_OK                ? refuse_world(reader, status)
             : reader->scene->start.recording ? ABUT_OK
                                              : warn_overlaps(reader, simulation);
    status = status == ABUT_OK ? check_long_steps(reader, simulation) : status;
    abut_simulation_destroy(simulation);
    return status;
}
