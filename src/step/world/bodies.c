/* The calls on bodies of a world: adding and removing, setting pose, motion and shape. A body has a slot with a generation. */
#include "base/argument.h"
#include "base/array.h"
#include "base/memory.h"
#include "base/real.h"
#include "shape/shape.h"
#include "step/world/bond/bonds.h"
#include "step/world/cell/cells.h"
#include "step/world/meet/excluded.h"
#include "step/world/joints.h"
#include "step/world/springs.h"
#include "step/world/meet/surfaces.h"
#include "step/world/watch.h"
#include "step/world/world.h"

abut_body_def abut_body_def_default(void) {
    abut_body_def def = {.kind = ABUT_BODY_DYNAMIC,
                         .pose = abut_pose_identity(),
                         .density = 1000.0,
                         .friction = 0.5,
                         .material = {.young = 1e7, .poisson = 0.3},
                         .gravity_scale = 1.0,
                         .filter = {.category = 1, .mask = UINT64_MAX}};
    return def;
}

static abut_status check_numbers(const char *call, const abut_body_def *def) {
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"def->density", def->density},
                   {"def->mass", def->mass},
                   {"def->friction", def->friction},
                   {"def->restitution", def->restitution},
                   {"def->rolling_friction", def->rolling_friction},
                   {"def->spinning_friction", def->spinning_friction},
                   {"def->rolling_resistance", def->rolling_resistance},
                   {"def->twisting_resistance", def->twisting_resistance},
                   {"def->contact_stiffness", def->contact_stiffness},
                   {"def->adhesion_strength", def->adhesion_strength},
                   {"def->liquid_volume", def->liquid_volume},
                   {"def->surface_tension", def->surface_tension},
                   {"def->contact_angle", def->contact_angle},
                   {"def->linear_damping", def->linear_damping},
                   {"def->angular_damping", def->angular_damping}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (argument_is_not_finite(call, numbers[i].name, numbers[i].value)) {
            return ABUT_ERROR_NOT_FINITE;
        }
        if (argument_is_negative(call, numbers[i].name, numbers[i].value)) {
            return ABUT_ERROR_INVALID_ARGUMENT;
        }
    }
    bool infinite = argument_is_no_vector(call, "def->motion.linear", def->motion.linear) ||
                    argument_is_no_vector(call, "def->motion.angular", def->motion.angular) ||
                    argument_is_no_vector(call, "def->surface_velocity.linear", def->surface_velocity.linear) ||
                    argument_is_no_vector(call, "def->surface_velocity.angular", def->surface_velocity.angular) ||
                    argument_is_not_finite(call, "def->adhesion_work", def->adhesion_work) ||
                    argument_is_not_finite(call, "def->gravity_scale", def->gravity_scale);
    return infinite ? ABUT_ERROR_NOT_FINITE : ABUT_OK;
}

static bool is_out_of_range(const char *call, const abut_body_def *def) {
    const abut_material *m = &def->material;
    if (!(def->mass > 0.0 || def->density > 0.0)) {
        return refused(call, "def->density is 0: it must be above 0, or def->mass must be");
    }
    if (!(m->poisson > -1.0)) {
        return refused_value(call, "def->material.poisson", m->poisson, "above -1 and at most 0.5");
    }
    if (def->contact_stiffness > 0.0 && def->adhesion_work > 0.0) {
        return refused(call, "def->adhesion_work is %.9g: there is no adhesion with a contact_stiffness", def->adhesion_work);
    }
    return argument_is_not_positive(call, "def->material.young", m->young) ||
           argument_is_outside(call, "def->contact_angle", def->contact_angle, 0.0, 0.5 * REAL_PI) ||
           argument_is_below(call, "def->substance", def->substance, 0) ||
           argument_is_outside(call, "def->material.poisson", m->poisson, -1.0, 0.5) ||
           argument_is_negative(call, "def->adhesion_work", def->adhesion_work) ||
           argument_is_outside(call, "def->restitution", def->restitution, 0.0, 1.0);
}

/* True when nothing but the shape, the kind and the user's value was set. */
static bool is_bare(const abut_body_def *def) {
    abut_body_def rest = *def;
    rest.shape = NULL;
    rest.kind = ABUT_BODY_DYNAMIC;
    rest.user = 0;
    return argument_is_zero(&rest, sizeof rest);
}

static abut_status check_def(const char *call, const abut_body_def *def) {
    if (argument_is_null(call, "def", def)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (is_bare(def)) {
        return refuse_zero(call, "def", "abut_body_def_default");
    }
    if (argument_is_null(call, "def->shape", def->shape)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (def->kind < ABUT_BODY_DYNAMIC || def->kind > ABUT_BODY_KINEMATIC) {
        (void)refused_integer(call, "def->kind", (int)def->kind, "an abut_body_kind");
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (!abut_vec3_is_finite(def->pose.position) || !isfinite(abut_quat_norm(def->pose.rotation))) {
        (void)refused_pose(call, "def->pose", &def->pose);
        return ABUT_ERROR_NOT_FINITE;
    }
    if (argument_is_no_pose(call, "def->pose", def->pose)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (def->kind == ABUT_BODY_DYNAMIC && def->shape->kind == ABUT_SHAPE_PLANE) {
        return refuse(ABUT_ERROR_INVALID_ARGUMENT, call, "def->shape is a plane: a dynamic body must be bounded");
    }
    abut_status status = check_numbers(call, def);
    return status == ABUT_OK && is_out_of_range(call, def) ? ABUT_ERROR_INVALID_ARGUMENT : status;
}

/* Words for what body_weigh() found. */
static abut_status refuse_weight(abut_status status, const char *call, const char *shape) {
    return status == ABUT_ERROR_NOT_CLOSED
               ? refuse(status, call, "%s is a mesh without an inside: a dynamic body needs a volume", shape)
               : refuse(status, call, "%s: the mass or the moments of inertia leave the range of numbers", shape);
}

/* Reserve room for one more body in all arrays, so that adding it cannot fail. */
static bool make_room(abut_world *world) {
    if (world->body_free >= 0) {
        return true;
    }
    if (world->body_used == INT32_MAX / 8) {
        return false;
    }
    return array_extend(&world->bodies, &world->body_capacity, world->body_used, world->body_used + 1, sizeof *world->bodies) &&
           broad_reserve(&world->broad, world->body_used + 1) && watch_reserve(&world->watch, world->body_used + 1);
}

static int32_t take_slot(abut_world *world) {
    int32_t slot = world->body_free;
    if (slot >= 0) {
        world->body_free = world->bodies[slot].next_free;
    } else {
        slot = world->body_used++;
        world->bodies[slot] = (body){.next_free = -1};
    }
    return slot;
}

/* Bounds of everything that a body at rest may touch: its own bounds, grown by the margin that the settings ask for. */
static abut_aabb rest_reach(const abut_world *world, const body *body) {
    double margin = body->kind == ABUT_BODY_DYNAMIC ? world->def.fixed.margin * body->size : 0.0;
    return aabb_grown(abut_shape_bounds(body->shape, body->pose), margin);
}

static void enter_broad(abut_world *world, int32_t slot) {
    const body *body = &world->bodies[slot];
    if (body->shape->kind == ABUT_SHAPE_PLANE) {
        abut_vec3 normal;
        double offset;
        body_plane(body, &normal, &offset);
        broad_add_plane(&world->broad, slot, normal, offset);
    } else {
        broad_add_box(&world->broad, slot, body->kind == ABUT_BODY_DYNAMIC, rest_reach(world, body));
    }
    broad_set_filter(&world->broad, slot, body_contact_filter(body));
}

/* What only some steppers take. */
static abut_status check_stepper(const char *call, const abut_world *world, const body *made) {
    if (made->surfaces != NULL && world->def.stepper != ABUT_STEPPER_FIXED) {
        return refuse(ABUT_ERROR_UNSUPPORTED, call, "def->surfaces: only the fixed stepper takes several surfaces");
    }
    if (made->rolls && world->def.stepper == ABUT_STEPPER_DEM) {
        return refuse(ABUT_ERROR_UNSUPPORTED, call,
                      "def->rolling_friction and spinning_friction: the dem stepper has rolling_resistance and twisting_resistance");
    }
    return made->driven && world->def.stepper == ABUT_STEPPER_DEM
               ? refuse(ABUT_ERROR_UNSUPPORTED, call, "def->surface_velocity: the dem stepper has none")
               : ABUT_OK;
}

abut_status abut_world_add_body(abut_world *world, const abut_body_def *def, abut_body_id *id) {
    abut_status status = argument_is_null(CALL_NAME, "world", world) ? ABUT_ERROR_INVALID_ARGUMENT : check_def(CALL_NAME, def);
    if (status != ABUT_OK) {
        return status;
    }
    body made = {.used = true,
                 .kind = def->kind,
                 .shape = def->shape,
                 .friction = def->friction,
                 .restitution = def->restitution,
                 .rolling_friction = def->rolling_friction,
                 .spinning_friction = def->spinning_friction,
                 .rolling_resistance = def->rolling_resistance,
                 .twisting_resistance = def->twisting_resistance,
                 .contact_stiffness = def->contact_stiffness,
                 .adhesion_strength = def->adhesion_strength,
                 .liquid_volume = def->liquid_volume,
                 .surface_tension = def->surface_tension,
                 .contact_angle = def->contact_angle,
                 .substance = def->substance,
                 .material = def->material,
                 .adhesion_work = def->adhesion_work,
                 .linear_damping = def->linear_damping,
                 .angular_damping = def->angular_damping,
                 .gravity_scale = def->gravity_scale,
                 .continuous = def->continuous,
                 .filter = def->filter,
                 .sensor = def->sensor,
                 .belt = def->surface_velocity,
                 .built_belt = def->surface_velocity,
                 .user = def->user,
                 .pose = def->pose,
                 .next_free = -1,
                 .disturbed = true};
    status = body_weigh(&made, def);
    if (status != ABUT_OK) {
        return refuse_weight(status, CALL_NAME, "def->shape");
    }
    body_follow_belt(&made);
    status = surfaces_make(CALL_NAME, def, &made.surfaces);
    made.rolls = made.surfaces != NULL ? made.surfaces->rolls : def->rolling_friction > 0.0 || def->spinning_friction > 0.0;
    status = status == ABUT_OK ? check_stepper(CALL_NAME, world, &made) : status;
    status = status == ABUT_OK && !make_room(world) ? ABUT_ERROR_OUT_OF_MEMORY : status;
    if (status != ABUT_OK) {
        memory_release(made.surfaces);
        return status;
    }
    if (def->kind != ABUT_BODY_STATIC) {
        made.velocity = def->motion.linear;
        made.angular_velocity = def->motion.angular;
    }
    made.built = body_values_of(&made);
    made.pose.rotation = abut_quat_unit(def->pose.rotation);
    body_place_centre(&made);
    abut_shape_retain(def->shape);
    int32_t slot = take_slot(world);
    made.generation = world->bodies[slot].generation;
    world->bodies[slot] = made;
    world->body_count++;
    world->placements++;
    world->several = world->several || made.surfaces != NULL;
    world->rolling = world->rolling || made.rolls;
    enter_broad(world, slot);
    if (id != NULL) {
        *id = body_id_of(world, slot);
    }
    return ABUT_OK;
}

/* Remove the pairs of a body, their contacts, and what is remembered of them. */
static void forget_contacts(abut_world *world, int32_t slot) {
    broad_phase *broad = &world->broad;
    contact_store *store = &world->contacts;
    int32_t pairs = 0, contacts = 0;
    for (int32_t p = 0; p < broad->pair_count; p++) {
        broad_pair pair = broad->pairs[p];
        if (pair.a == slot || pair.b == slot) {
            continue;
        }
        for (int32_t i = 0; i < pair.contact_count; i++) {
            store->contacts[contacts + i] = store->contacts[pair.contact_first + i];
            if (store->memory != NULL) {
                store->memory[contacts + i] = store->memory[pair.contact_first + i];
            }
        }
        pair.contact_first = contacts;
        contacts += pair.contact_count;
        if (store->tracking != NULL) {
            store->tracking[pairs] = store->tracking[p];
        }
        broad->memories[pairs] = broad->memories[p];
        broad->pairs[pairs++] = pair;
    }
    broad->pair_count = pairs;
    store->count = contacts;
}

abut_status abut_world_remove_body(abut_world *world, abut_body_id id) {
    int32_t slot = body_find(world, id);
    if (slot < 0) {
        return world_lacks_id(CALL_NAME, world);
    }
    body_wake_neighbours(world, slot);
    forget_contacts(world, slot);
    springs_remove_of(world, slot);
    joints_remove_of(world, slot);
    bonds_remove_of(world, slot);
    excluded_drop_of(world, slot);
    broad_remove(&world->broad, slot);
    body *gone = &world->bodies[slot];
    abut_shape_release(gone->shape);
    memory_release(gone->surfaces);
    cell_free(gone->cell);
    *gone = (body){.generation = gone->generation + 1, .next_free = -1};
    world->body_count--;
    world->placements++;
    /* When the generation overflows to 0, the slot is never used again. Otherwise its old ids would become valid. */
    if (gone->generation != 0) {
        gone->next_free = world->body_free;
        world->body_free = slot;
    }
    return ABUT_OK;
}

abut_status abut_world_set_body_motion(abut_world *world, abut_body_id id, abut_motion motion) {
    int32_t slot = body_find(world, id);
    if (slot < 0) {
        return world_lacks_id(CALL_NAME, world);
    }
    if (argument_is_no_vector(CALL_NAME, "motion.linear", motion.linear) ||
        argument_is_no_vector(CALL_NAME, "motion.angular", motion.angular)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    body *body = &world->bodies[slot];
    if (body->kind != ABUT_BODY_STATIC) {
        const struct body before = *body;
        body->velocity = motion.linear;
        body->angular_velocity = motion.angular;
        if (body->cell != NULL) {
            cell_follow(&before, body);
        }
        body_wake(world, slot);
    }
    return ABUT_OK;
}

/* Steppers update the broad phase only for bodies that move, so a body that the caller has placed is updated here. */
static void move_in_broad(abut_world *world, int32_t slot) {
    const body *body = &world->bodies[slot];
    world->placements++;
    if (body->shape->kind == ABUT_SHAPE_PLANE) {
        abut_vec3 normal;
        double offset;
        body_plane(body, &normal, &offset);
        broad_move_plane(&world->broad, slot, normal, offset);
    } else {
        broad_move_box(&world->broad, slot, rest_reach(world, body), abut_vec3_make(0.0, 0.0, 0.0));
    }
}

abut_status abut_world_set_body_pose(abut_world *world, abut_body_id id, abut_pose pose) {
    int32_t slot = body_find(world, id);
    if (slot < 0) {
        return world_lacks_id(CALL_NAME, world);
    }
    if (argument_is_no_pose(CALL_NAME, "pose", pose)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    body *body = &world->bodies[slot];
    const struct body before = *body;
    body->pose.position = pose.position;
    body->pose.rotation = abut_quat_unit(pose.rotation);
    body_place_centre(body);
    if (body->cell != NULL) {
        cell_follow(&before, body);
    }
    body->disturbed = true;
    move_in_broad(world, slot);
    body_wake(world, slot);
    body_wake_neighbours(world, slot);
    return ABUT_OK;
}

/* Tracked points lie on the old shape, so a new shape makes them invalid. */
static void forget_tracked(abut_world *world, int32_t slot) {
    for (int32_t p = 0; world->contacts.tracking != NULL && p < world->broad.pair_count; p++) {
        if (world->broad.pairs[p].a == slot || world->broad.pairs[p].b == slot) {
            world->contacts.tracking[p].count = 0;
        }
    }
}

abut_status abut_world_set_body_shape(abut_world *world, abut_body_id id, const abut_shape *shape) {
    int32_t slot = body_find(world, id);
    if (slot < 0) {
        return world_lacks_id(CALL_NAME, world);
    }
    body made = world->bodies[slot];
    if (argument_is_null(CALL_NAME, "shape", shape)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (made.cell != NULL) {
        return refuse(ABUT_ERROR_UNSUPPORTED, CALL_NAME, "id names an elastic cell: its shape is that of its nodes");
    }
    if (shape->kind != made.shape->kind) {
        return shape_refuse_kind(CALL_NAME, "shape", shape, "of the kind of the body's shape");
    }
    if (!surfaces_fit(made.surfaces, shape)) {
        return refuse(ABUT_ERROR_INVALID_ARGUMENT, CALL_NAME, "shape has another number of parts or triangles than the body has surfaces");
    }
    made.shape = shape;
    abut_status status = body_weigh(&made, &(abut_body_def){.kind = made.kind, .shape = shape, .mass = made.mass});
    if (status != ABUT_OK) {
        return refuse_weight(status, CALL_NAME, "shape");
    }
    body_place_centre(&made);
    body_follow_belt(&made);
    if (!abut_vec3_is_finite(made.centre)) {
        return refuse(ABUT_ERROR_NOT_FINITE, CALL_NAME, "shape: its centre of mass at the body's pose is not finite");
    }
    made.disturbed = true;
    abut_shape_retain(shape);
    abut_shape_release(world->bodies[slot].shape);
    world->bodies[slot] = made;
    move_in_broad(world, slot);
    forget_tracked(world, slot);
    body_wake(world, slot);
    body_wake_neighbours(world, slot);
    return ABUT_OK;
}
