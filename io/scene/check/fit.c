/*
 * Builds the scene's world once, as a run does, and asks it.
 */
#include "io/scene/check/fit.h"

#include "io/scene/data.h"
#include "io/scene/simulation.h"

/* Overlaps that are told. The search ends there, so that it takes no longer for a scene of bodies that are all at one place. */
enum { MOST_OVERLAPS = 20 };

abut_status scene_check_shape(const scene_reader *reader, const scene_place *place, const char *what, const abut_shape *shape) {
    const char *why = abut_stepper_refusal(reader->scene->world.stepper, shape);
    return why ? read_fail(reader, place, "%s: %s", what, why) : ABUT_OK;
}

/* ---- pairs ---- */

static bool is_facetmesh(const scene_body *body) { return abut_shape_kind(body->def.shape) == ABUT_SHAPE_FACETMESH; }

static bool touches_facetmesh(const scene_body *body) {
    abut_kind kind = abut_shape_kind(body->def.shape);
    return kind == ABUT_SHAPE_FACETMESH || kind == ABUT_SHAPE_SPHERE || kind == ABUT_SHAPE_PLANE;
}

static bool is_dynamic(const scene_body *body) { return body->def.kind == ABUT_BODY_DYNAMIC; }

/* The first body of the kind wanted, a dynamic one if there is one; -1 for none. */
static int32_t find_first(const abut_scene *scene, bool facetmesh) {
    int32_t first = -1;
    for (int32_t i = 0; i < scene->body_count; i++) {
        const scene_body *body = &scene->bodies[i];
        bool wanted = facetmesh ? is_facetmesh(body) : !touches_facetmesh(body);
        if (wanted && is_dynamic(body)) {
            return i;
        }
        first = wanted && first < 0 ? i : first;
    }
    return first;
}

/* The place of a key of the element of "bodies" that gave the body; the other two are the places on the way. */
static void place_of_body(const scene_reader *reader, const scene_body *body, const char *key, scene_place *bodies, scene_place *element,
                          scene_place *place) {
    read_member(&reader->root, "bodies", bodies);
    *element = read_element(bodies, (size_t)body->element);
    read_member(element, key, place);
}

/* Bodies of rounded triangles touch each other, balls and planes. Two bodies that forces do not move never meet. */
static abut_status check_pairs(const scene_reader *reader) {
    const abut_scene *scene = reader->scene;
    int32_t facets = find_first(scene, true), other = find_first(scene, false);
    if (facets < 0 || other < 0 || !(is_dynamic(&scene->bodies[facets]) || is_dynamic(&scene->bodies[other]))) {
        return ABUT_OK;
    }
    const scene_body *of_facets = &scene->bodies[facets], *of_other = &scene->bodies[other];
    scene_place bodies, element, place;
    place_of_body(reader, of_other, "shape", &bodies, &element, &place);
    return read_fail_as(
        reader, ABUT_ERROR_UNSUPPORTED_PAIR, &place, false,
        "body '%s': a shape of kind %s has no contacts with body '%s' of rounded triangles, which touches balls, planes and its "
        "like only; use a facetmesh for body '%s', or a trimesh for body '%s'",
        of_other->name, abut_kind_name(abut_shape_kind(of_other->def.shape)), of_facets->name, of_other->name, of_facets->name);
}

/* A smooth body that is not convex, such as a torus. */
static bool has_no_contacts(const scene_body *body) {
    abut_kind kind = abut_shape_kind(body->def.shape);
    abut_vec3 top;
    return (kind == ABUT_SHAPE_IMPLICIT || kind == ABUT_SHAPE_PARAMETRIC) &&
           abut_shape_support(body->def.shape, abut_vec3_make(0, 0, 1), &top, NULL) == ABUT_ERROR_NOT_CONVEX;
}

/* Another body that may meet a body, as one of both moves; NULL for none. */
static const scene_body *find_partner(const abut_scene *scene, const scene_body *body) {
    for (int32_t i = 0; i < scene->body_count; i++) {
        const scene_body *other = &scene->bodies[i];
        if (other != body && (is_dynamic(body) || is_dynamic(other))) {
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
                                "body '%s': a smooth shape that is not convex has no contacts with body '%s'; use a trimesh of its surface",
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
    if (status == ABUT_ERROR_INVALID_ARGUMENT && read_member(&stepper, "periodic", &periodic)) {
        return read_fail(
            reader, &periodic,
            "the periodic space is too short for the largest body: it must be longer than four times its radius and twice the skin");
    }
    return read_fail_as(reader, status, &stepper, false, "the stepper cannot move these bodies with these settings: %s",
                        abut_status_message(status));
}

/* The event stepper cannot part all bodies that begin inside each other. Whether it can shows in the first step. */
static abut_status try_step(const scene_reader *reader, abut_simulation *simulation, const abut_world_overlap *found) {
    const abut_scene *scene = reader->scene;
    const scene_body *in = &scene->bodies[found->a.index - 1], *body = &scene->bodies[found->b.index - 1];
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
        body->name, found->depth, abut_status_message(status));
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
        const scene_body *in = &scene->bodies[found[i].a.index - 1], *body = &scene->bodies[found[i].b.index - 1];
        scene_place bodies, element, place;
        place_of_body(reader, body, "name", &bodies, &element, &place);
        status = read_warn(reader, &place, "bodies '%s' and '%s' begin inside each other: they overlap by %.3g%s", in->name, body->name,
                           found[i].depth, i + 1 < MOST_OVERLAPS ? "" : "; further pairs are not told");
    }
    return status;
}

abut_status scene_check_fit(scene_reader *reader) {
    abut_status status = reader->scene->world.stepper == ABUT_STEPPER_FIXED ? check_pairs(reader) : ABUT_OK;
    status = status == ABUT_OK ? check_contacts(reader) : status;
    if (status != ABUT_OK) {
        return status;
    }
    abut_simulation *simulation = NULL;
    abut_error why;
    status = abut_simulation_create(reader->scene, &simulation, &why);
    if (status == ABUT_OK) {
        status = abut_world_check(abut_simulation_world(simulation));
    }
    status = status != ABUT_OK ? refuse_world(reader, status) : warn_overlaps(reader, simulation);
    abut_simulation_destroy(simulation);
    return status;
}
