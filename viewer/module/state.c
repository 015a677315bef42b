/*
 * The present state as arrays: poses, velocities, contacts and deformed vertices of the bodies; joints, events.
 */
#include "io/scene/event/kinds.h"
#include "state.h"

#include <math.h>
#include <stdlib.h>

static double *pose_cells, *velocity_cells, *contact_reals, *joint_cells, *event_cells;
static uint8_t *presence_cells;
static int32_t *contact_integers;
static int32_t vertex_count;
static shape_list deformed; /* holds the one shape that was requested last */

/* The columns of contacts. */
enum { INTEGERS = 12, REALS = 15 };

int32_t module_body_count(void) { return module.body_count; }

static void put(double *cells, abut_vec3 v) {
    cells[0] = v.x;
    cells[1] = v.y;
    cells[2] = v.z;
}

static bool state_of(int32_t body, abut_body_state *state) {
    return abut_world_body_state(abut_simulation_world(module.simulation), module.ids[body], state) == ABUT_OK;
}

/* Memory for this many numbers of each body; NULL on failure. */
static void *room_of_bodies(void *array, size_t size) {
    if (module_need()) {
        return NULL;
    }
    void *room = module_room(array, module.body_count, size);
    if (!room) {
        module_fail(ABUT_ERROR_OUT_OF_MEMORY, "no memory");
    }
    return room;
}

const double *module_poses(void) {
    double *cells = room_of_bodies(pose_cells, 7 * sizeof *cells);
    if (!cells) {
        return NULL;
    }
    pose_cells = cells;
    for (int32_t i = 0; i < module.body_count; i++, cells += 7) {
        abut_body_state s = {.pose = {{NAN, NAN, NAN}, {NAN, NAN, NAN, NAN}}};
        (void)state_of(i, &s);
        put(cells, s.pose.position);
        put(cells + 3, abut_vec3_make(s.pose.rotation.x, s.pose.rotation.y, s.pose.rotation.z));
        cells[6] = s.pose.rotation.w;
    }
    return pose_cells;
}

const double *module_velocities(void) {
    double *cells = room_of_bodies(velocity_cells, 6 * sizeof *cells);
    if (!cells) {
        return NULL;
    }
    velocity_cells = cells;
    for (int32_t i = 0; i < module.body_count; i++, cells += 6) {
        abut_body_state s = {.motion = {{NAN, NAN, NAN}, {NAN, NAN, NAN}}};
        (void)state_of(i, &s);
        put(cells, s.motion.linear);
        put(cells + 3, s.motion.angular);
    }
    return velocity_cells;
}

const uint8_t *module_presence(void) {
    uint8_t *cells = room_of_bodies(presence_cells, sizeof *cells);
    if (!cells) {
        return NULL;
    }
    presence_cells = cells;
    for (int32_t i = 0; i < module.body_count; i++) {
        abut_body_state s;
        cells[i] = !state_of(i, &s) ? 0 : s.awake ? 2 : 1;
    }
    return presence_cells;
}

/* ---- contacts ---- */

static int32_t body_of(abut_body_id id) {
    return id.index > 0 && id.index <= (uint32_t)module.slot_count ? module.slot_body[id.index - 1] : -1;
}

/* Column c of row i is cells[c * count + i]. The three columns of a vector lie together. */
static void put_contact(const abut_world_contact *c, int32_t i, int32_t n) {
    const abut_contact *p = &c->contact;
    const int32_t integers[INTEGERS] = {body_of(c->a),
                                        body_of(c->b),
                                        (int32_t)p->feature_a.kind,
                                        p->feature_a.index,
                                        p->feature_a.part,
                                        (int32_t)p->feature_b.kind,
                                        p->feature_b.index,
                                        p->feature_b.part,
                                        p->patch,
                                        (int32_t)p->flags,
                                        (int32_t)(uint32_t)(p->id & 0xffffffffu),
                                        (int32_t)(uint32_t)(p->id >> 32)};
    for (int k = 0; k < INTEGERS; k++) {
        contact_integers[k * n + i] = integers[k];
    }
    put(contact_reals + 3 * i, p->on_a);
    put(contact_reals + 3 * n + 3 * i, p->on_b);
    put(contact_reals + 6 * n + 3 * i, p->normal);
    contact_reals[9 * n + i] = p->gap;
    contact_reals[10 * n + i] = p->area;
    contact_reals[11 * n + i] = c->normal_force;
    put(contact_reals + 12 * n + 3 * i, c->friction_force);
}

int32_t module_contacts(void) {
    const abut_world_contact *contacts = NULL;
    int32_t count = 0;
    if (module_need()) {
        return -1;
    }
    abut_status status = abut_world_contacts(abut_simulation_world(module.simulation), &contacts, &count);
    int32_t *integers = status ? NULL : module_room(contact_integers, count, INTEGERS * sizeof *integers);
    contact_integers = integers ? integers : contact_integers;
    double *reals = status ? NULL : module_room(contact_reals, count, REALS * sizeof *reals);
    contact_reals = reals ? reals : contact_reals;
    if (!integers || !reals) {
        module_fail(status ? status : ABUT_ERROR_OUT_OF_MEMORY, "contacts: %s",
                    abut_status_message(status ? status : ABUT_ERROR_OUT_OF_MEMORY));
        return -1;
    }
    for (int32_t i = 0; i < count; i++) {
        put_contact(&contacts[i], i, count);
    }
    return count;
}

const int32_t *module_contact_integers(void) { return contact_integers; }

const double *module_contact_reals(void) { return contact_reals; }

/* ---- joints and events ---- */

enum { JOINT_CELLS = 9, EVENT_CELLS = 9 };

const double *module_joints(void) {
    if (module_need()) {
        return NULL;
    }
    int32_t count = abut_scene_joint_count(module.scene);
    double *cells = module_room(joint_cells, count, JOINT_CELLS * sizeof *cells);
    if (!cells) {
        module_fail(ABUT_ERROR_OUT_OF_MEMORY, "no memory");
        return NULL;
    }
    joint_cells = cells;
    for (int32_t i = 0; i < count; i++, cells += JOINT_CELLS) {
        abut_joint_state s = {false, NAN, NAN, NAN, NAN, {NAN, NAN, NAN}, {NAN, NAN, NAN}};
        bool there =
            abut_world_joint_state(abut_simulation_world(module.simulation), abut_simulation_joint_id(module.simulation, i), &s) == ABUT_OK;
        cells[0] = !there ? 0.0 : s.broken ? 1.0 : 2.0;
        cells[1] = s.coordinate;
        cells[2] = s.spin;
        put(cells + 3, s.force);
        put(cells + 6, s.torque);
    }
    return joint_cells;
}

/* The value of abut_body_def.user is not set for added bodies; ids of bodies that are gone name none. */
int32_t module_events(void) {
    const abut_world_event *events = NULL;
    int32_t count = 0;
    if (module_need()) {
        return -1;
    }
    abut_status status = abut_world_events(abut_simulation_world(module.simulation), &events, &count);
    double *cells = status ? NULL : module_room(event_cells, count, EVENT_CELLS * sizeof *cells);
    if (!cells) {
        module_fail(ABUT_ERROR_OUT_OF_MEMORY, "no memory for the events of the step");
        return -1;
    }
    event_cells = cells;
    for (int32_t i = 0; i < count; i++, cells += EVENT_CELLS) {
        const abut_world_event *e = &events[i];
        cells[0] = event_index(e->kind);
        cells[1] = body_of(e->a);
        cells[2] = body_of(e->b);
        cells[3] = (double)e->joint.index - 1.0;
        put(cells + 4, abut_lerp(e->contact.on_a, e->contact.on_b, 0.5));
        cells[7] = e->impulse;
        cells[8] = e->speed;
    }
    return count;
}

const double *module_event_reals(void) { return event_cells; }

/* ---- deformed bodies ---- */

const double *module_vertices(int32_t body) {
    abut_body_info info;
    if (module_need_body(body) || abut_world_body_info(abut_simulation_world(module.simulation), module.ids[body], &info) != ABUT_OK ||
        info.shape == module.shapes[body]) {
        return NULL;
    }
    shape_list_release(&deformed);
    abut_status status = shape_list_add(&deformed, info.shape);
    status = status ? status : shape_list_describe(&deformed);
    if (status) {
        module_fail(status, "vertices: %s", abut_status_message(status));
        return NULL;
    }
    const abut_shape *before = module.shapes[body];
    module.shapes[body] = abut_shape_retain(info.shape);
    abut_shape_release(before);
    vertex_count = deformed.entries[0].vertex_count;
    return &deformed.entries[0].vertices[0].x;
}

int32_t module_vertex_count(void) { return vertex_count; }
