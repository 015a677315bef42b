/*
 * The loaded scene: its world, the bodies added later, and the data that a page needs to draw them.
 */
#include "io/scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/shape_argument.h"
#include "io/scene/event/kinds.h"
#include "io/scene/joint/description.h"
#include "io/surface/shape_json.h"
#include "state.h"

static int32_t scene_bodies(void) { return abut_scene_body_count(module.scene); }

const char *module_body_name(int32_t body) {
    return body < scene_bodies() ? abut_scene_body_name(module.scene, body) : module.added[body - scene_bodies()].name;
}

static const abut_body_def *body_def(int32_t body) {
    return body < scene_bodies() ? abut_scene_body_def(module.scene, body) : &module.added[body - scene_bodies()].def;
}

/* ---- events ---- */

static bool reserve_events(int32_t count) {
    if (count <= module.event_capacity) {
        return true;
    }
    int32_t capacity = 2 * count + 64;
    world_event *events = module_room(module.events, capacity, sizeof *events);
    if (events) {
        module.events = events;
        module.event_capacity = capacity;
    }
    return events != NULL;
}

static bool is_gone(int32_t body) {
    abut_body_info info;
    return abut_world_body_info(abut_simulation_world(module.simulation), module.ids[body], &info) != ABUT_OK;
}

/* Memory for the event is reserved when a body is added. */
static void note_removal(int32_t body) {
    if (!module.gone[body] && is_gone(body)) {
        module.gone[body] = true;
        module.events[module.event_count++] = (world_event){true, body};
        uint32_t index = module.ids[body].index;
        if (index <= (uint32_t)module.slot_count && module.slot_body[index - 1] == body) {
            module.slot_body[index - 1] = -1;
        }
    }
}

void module_note_removals(void) {
    /* Slots are reused in the order in which bodies are removed. */
    for (int32_t i = 0; i < abut_scene_action_count(module.scene); i++) {
        const abut_scene_action *action = abut_scene_get_action(module.scene, i);
        if (action->kind == ABUT_ACTION_REMOVE) {
            note_removal(action->body);
        }
    }
    for (int32_t i = 0; i < module.body_count; i++) {
        note_removal(i);
    }
}

void module_forget_springs(void) { memset(module.springs, 0, sizeof module.springs); }

/* ---- bodies ---- */

static bool reserve_bodies(int32_t count) {
    if (count > module.capacity) {
        int32_t capacity = 2 * count + 64;
        abut_body_id *ids = module_room(module.ids, capacity, sizeof *ids);
        module.ids = ids ? ids : module.ids;
        const abut_shape **shapes = module_room(module.shapes, capacity, sizeof *shapes);
        module.shapes = shapes ? shapes : module.shapes;
        bool *gone = module_room(module.gone, capacity, sizeof *gone);
        module.gone = gone ? gone : module.gone;
        added_body *added = module_room(module.added, capacity, sizeof *added);
        module.added = added ? added : module.added;
        if (!ids || !shapes || !gone || !added) {
            return false;
        }
        module.capacity = capacity;
    }
    return reserve_events(module.event_count + count + 2);
}

static bool place_in_slot(int32_t body) {
    int32_t index = (int32_t)module.ids[body].index;
    if (index > module.slot_count) {
        int32_t *slots = module_room(module.slot_body, index, sizeof *slots);
        if (!slots) {
            return false;
        }
        for (int32_t i = module.slot_count; i < index; i++) {
            slots[i] = -1;
        }
        module.slot_body = slots;
        module.slot_count = index;
    }
    module.slot_body[index - 1] = body;
    return true;
}

static void know_shape(int32_t body) {
    module.shapes[body] = abut_shape_retain(body_def(body)->shape);
    module.gone[body] = false;
}

static void forget_added(int32_t count) {
    for (int32_t i = scene_bodies() + count; i < module.body_count; i++) {
        abut_shape_release(module.shapes[i]);
        free(module.added[i - scene_bodies()].name);
        abut_shape_release(module.added[i - scene_bodies()].def.shape);
    }
    int32_t left = scene_bodies() + count;
    module.body_count = left < module.body_count ? left : module.body_count;
}

/* ---- building ---- */

void module_unload(void) {
    if (module.scene) {
        forget_added(0);
        for (int32_t i = 0; i < module.body_count; i++) {
            abut_shape_release(module.shapes[i]);
        }
    }
    for (int32_t i = 0; i < module.named_count; i++) {
        free(module.named[i].text);
        abut_shape_release(module.named[i].shape);
    }
    abut_simulation_destroy(module.simulation);
    abut_scene_destroy(module.scene);
    shape_list_release(&module.list);
    free(module.ids);
    free(module.shapes);
    free(module.gone);
    free(module.added);
    free(module.events);
    free(module.slot_body);
    free(module.named);
    module = (module_state){.scene = NULL};
}

/* Data about the scene's own bodies. Needs a simulation. */
static int32_t take_bodies(void) {
    int32_t count = scene_bodies();
    abut_status status = reserve_bodies(count) ? shape_list_add_scene(&module.list, module.scene) : ABUT_ERROR_OUT_OF_MEMORY;
    for (int32_t i = 0; i < count && !status; i++) {
        module.ids[i] = abut_simulation_body_id(module.simulation, i);
        know_shape(i);
        module.body_count = i + 1;
        status = place_in_slot(i) ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
    }
    status = status ? status : abut_simulation_first_report(module.simulation, &module.report);
    return status ? module_fail(status, "the scene: %s", abut_status_message(status)) : (int32_t)ABUT_OK;
}

int32_t module_load(const char *path) {
    abut_error error;
    module_state before = module;
    module = (module_state){.scene = NULL};
    abut_status status = abut_scene_load(path, &module.scene, &error);
    if (!status && abut_scene_inlet_count(module.scene) > 0) {
        status = abut_fail(&error, ABUT_ERROR_UNSUPPORTED, "%s: bodies of an 'inlet' come in 'abut run' only, not in the sandbox", path);
    }
    if (!status) {
        abut_scene_set_events(module.scene, event_recorded_kinds());
        status = abut_simulation_create(module.scene, &module.simulation, &error);
    }
    int32_t result = status ? module_fail_error(&error) : take_bodies();
    if (result) {
        module_unload();
        module = before;
        return result;
    }
    module_state loaded = module;
    module = before;
    module_unload();
    module = loaded;
    return result;
}

/* Repeats additions and removals in their order, so that all bodies get the slots that they had. */
static abut_status replay_events(abut_simulation *simulation, int32_t event_count, abut_body_id *ids) {
    abut_world *world = abut_simulation_world(simulation);
    for (int32_t i = 0; i < scene_bodies(); i++) {
        ids[i] = abut_simulation_body_id(simulation, i);
    }
    abut_status status = ABUT_OK;
    for (int32_t i = 0; i < event_count && !status; i++) {
        world_event event = module.events[i];
        status = event.removed ? abut_world_remove_body(world, ids[event.body])
                               : abut_world_add_body(world, body_def(event.body), &ids[event.body]);
    }
    return status;
}

int32_t module_rebuild(int32_t event_count) {
    abut_error error;
    abut_simulation *made = NULL;
    abut_status status = abut_simulation_create(module.scene, &made, &error);
    if (status) {
        return module_fail_error(&error);
    }
    abut_body_id *ids = module_room(NULL, module.capacity, sizeof *ids);
    status = ids ? replay_events(made, event_count, ids) : ABUT_ERROR_OUT_OF_MEMORY;
    if (status) {
        free(ids);
        abut_simulation_destroy(made);
        return module_fail(status, "the world cannot be built again: %s", abut_status_message(status));
    }
    free(module.ids);
    module.ids = ids;
    abut_simulation_destroy(module.simulation);
    module.simulation = made;
    module.event_count = event_count;
    int32_t added = 0;
    memset(module.gone, 0, sizeof *module.gone * (size_t)module.body_count);
    for (int32_t i = 0; i < event_count; i++) {
        added += module.events[i].removed ? 0 : 1;
        module.gone[module.events[i].body] = module.events[i].removed;
    }
    forget_added(added);
    for (int32_t i = 0; i < module.slot_count; i++) {
        module.slot_body[i] = -1;
    }
    for (int32_t i = 0; i < module.body_count; i++) {
        if (!module.gone[i]) {
            module.slot_body[module.ids[i].index - 1] = i;
        }
    }
    module_forget_springs();
    return (int32_t)ABUT_OK;
}

/* ---- bodies added later ---- */

/* Finds a shape that was requested before with the same text. Returns its index, or -1. */
static int32_t find_shape(const char *text) {
    for (int32_t i = 0; i < module.named_count; i++) {
        if (strcmp(module.named[i].text, text) == 0) {
            return i;
        }
    }
    named_shape *named = module_room(module.named, module.named_count + 1, sizeof *named);
    module.named = named ? named : module.named;
    named_shape made = {.text = strdup(text)};
    if (!named || !made.text) {
        free(made.text);
        module_fail(ABUT_ERROR_OUT_OF_MEMORY, "no memory");
        return -1;
    }
    abut_error error;
    shape_placement placement;
    abut_status status = shape_argument_read(text, false, &made.shape, &placement, &error);
    if (status) {
        free(made.text);
        module_fail_error(&error);
        return -1;
    }
    made.placement = placement.pose;
    module.named[module.named_count] = made;
    return module.named_count++;
}

static abut_status add_to_world(const abut_body_def *def, const char *name) {
    int32_t body = module.body_count;
    char made_up[32];
    snprintf(made_up, sizeof made_up, "added %d", (int)(body - scene_bodies() + 1));
    char *copy = strdup(name && *name ? name : made_up);
    module.first_new = module.list.count;
    abut_status status = copy && reserve_bodies(body + 1) ? shape_list_add(&module.list, def->shape) : ABUT_ERROR_OUT_OF_MEMORY;
    status = status ? status : abut_world_add_body(abut_simulation_world(module.simulation), def, &module.ids[body]);
    if (!status && !place_in_slot(body)) {
        (void)abut_world_remove_body(abut_simulation_world(module.simulation), module.ids[body]);
        status = ABUT_ERROR_OUT_OF_MEMORY;
    }
    if (status) {
        free(copy);
        return status;
    }
    added_body *added = &module.added[body - scene_bodies()];
    *added = (added_body){copy, *def};
    abut_shape_retain(def->shape);
    module.body_count++;
    know_shape(body);
    module.events[module.event_count++] = (world_event){false, body};
    return ABUT_OK;
}

int32_t module_add_body(const char *shape, const char *name, int32_t kind, const double *pose, const double *velocity, double density,
                        double friction, double restitution) {
    if (module_need()) {
        return -1;
    }
    if (kind < 0 || kind > 2) {
        module_fail(ABUT_ERROR_INVALID_ARGUMENT, "%d is no kind of body", (int)kind);
        return -1;
    }
    int32_t index = find_shape(shape);
    if (index < 0) {
        return -1;
    }
    abut_body_def def = abut_body_def_default();
    def.kind = kind == 0 ? ABUT_BODY_DYNAMIC : kind == 1 ? ABUT_BODY_STATIC : ABUT_BODY_KINEMATIC;
    def.shape = module.named[index].shape;
    def.pose = abut_pose_compose(module_pose(pose), module.named[index].placement);
    def.density = density;
    def.friction = friction;
    def.restitution = restitution;
    if (velocity) {
        def.motion.linear = module_vec3(velocity);
        def.motion.angular = module_vec3(velocity + 3);
    }
    abut_status status = add_to_world(&def, name);
    if (status) {
        module_fail(status, "'%s' cannot be added: %s", shape, abut_status_message(status));
        return -1;
    }
    return module.body_count - 1;
}

/* ---- data for pages ---- */

static json_t *vec3_json(abut_vec3 v) { return json_pack("[f,f,f]", v.x, v.y, v.z); }

static json_t *body_json(int32_t body) {
    static const char *const kinds[] = {"dynamic", "static", "kinematic"};
    const abut_body_def *def = body_def(body);
    abut_body_info info = {.mass = 0.0};
    (void)abut_world_body_info(abut_simulation_world(module.simulation), module.ids[body], &info);
    return json_pack("{s:s, s:s, s:i, s:f, s:f, s:f, s:o, s:b}", "name", module_body_name(body), "kind", kinds[def->kind], "shape",
                     (int)shape_list_index(&module.list, def->shape), "mass", info.mass, "friction", def->friction, "restitution",
                     def->restitution, "centre", vec3_json(info.centre), "sensor", (int)def->sensor);
}

static json_t *shapes_json(int32_t first) {
    json_t *shapes = module.list.entries || shape_list_describe(&module.list) == ABUT_OK ? json_array() : NULL;
    for (int32_t i = first; i < module.list.count && shapes; i++) {
        shapes = module_append(shapes, shape_json(&module.list.entries[i]));
    }
    return shapes;
}

static int compare_reals(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of half the diagonals of the bodies' bounds, without planes; 1 if there are only planes. */
static double median_radius(void) {
    double *radii = module_room(NULL, module.body_count, sizeof *radii), median = 1.0;
    int32_t count = 0;
    for (int32_t i = 0; i < module.body_count && radii; i++) {
        const abut_shape *shape = body_def(i)->shape;
        if (abut_shape_kind(shape) != ABUT_SHAPE_PLANE) {
            abut_aabb box = abut_shape_bounds(shape, abut_pose_identity());
            radii[count++] = 0.5 * abut_distance_between(box.lower, box.upper);
        }
    }
    if (count > 0) {
        qsort(radii, (size_t)count, sizeof *radii, compare_reals);
        median = radii[count / 2];
    }
    free(radii);
    return median;
}

static json_t *joints_json(void) {
    json_t *joints = json_array();
    for (int32_t i = 0; i < abut_scene_joint_count(module.scene); i++) {
        joints = module_append(joints, joint_description(abut_scene_get_joint(module.scene, i)));
    }
    return joints;
}

static json_t *warnings_json(void) {
    json_t *warnings = json_array();
    for (int32_t i = 0; i < abut_scene_warning_count(module.scene); i++) {
        warnings = module_append(warnings, json_string(abut_scene_warning(module.scene, i)));
    }
    return warnings;
}

const char *module_scene_json(void) {
    static const char *const steppers[] = {"fixed", "event", "dem"};
    static char *text;
    if (module_need()) {
        return NULL;
    }
    json_t *bodies = json_array();
    for (int32_t i = 0; i < module.body_count; i++) {
        bodies = module_append(bodies, body_json(i));
    }
    const abut_world_def *def = abut_scene_world_def(module.scene);
    double dt = abut_scene_dt(module.scene), steps = (double)abut_scene_step_count(module.scene);
    return module_text(json_pack("{s:s, s:s, s:f, s:f, s:f, s:o, s:s, s:i, s:o, s:f, s:o, s:o, s:o}", "title",
                                 abut_scene_title(module.scene), "description", abut_scene_description(module.scene), "dt", dt, "steps",
                                 steps, "duration", steps * dt, "gravity", vec3_json(def->gravity), "stepper", steppers[def->stepper],
                                 "actions", (int)abut_scene_action_count(module.scene), "warnings", warnings_json(), "size",
                                 median_radius(), "bodies", bodies, "shapes", shapes_json(0), "joints", joints_json()),
                       &text);
}

const char *module_body_json(int32_t body) {
    static char *text;
    if (module_need_body(body)) {
        return NULL;
    }
    int32_t first = module.first_new;
    return module_text(json_pack("{s:o, s:i, s:o}", "body", body_json(body), "first", (int)first, "shapes", shapes_json(first)), &text);
}
