/* Worlds and bodies in one expression: see bodies.h. */
#include "support/bodies.h"

#include "support/check.h"

abut_world *open_world(abut_world_def def) {
    abut_world *world = NULL;
    assert_ok(abut_world_create(&def, &world));
    return world;
}

abut_world *world_of(abut_stepper stepper) {
    abut_world_def def = abut_world_def_default();
    def.stepper = stepper;
    def.parallel.threads = 1;
    return open_world(def);
}

abut_world *floating_world(void) {
    abut_world *world = world_of(ABUT_STEPPER_FIXED);
    assert_ok(abut_world_set_gravity(world, abut_vec3_make(0, 0, 0)));
    return world;
}

abut_body_id put_shared(abut_world *world, abut_body_def def) {
    abut_body_id id;
    assert_ok(abut_world_add_body(world, &def, &id));
    return id;
}

abut_body_id put_as(abut_world *world, abut_body_def def, abut_shape *shape) {
    def.shape = shape;
    abut_body_id id = put_shared(world, def);
    abut_shape_release(shape);
    return id;
}

abut_body_id put(abut_world *world, abut_body_kind kind, abut_shape *shape, abut_pose pose) {
    abut_body_def def = abut_body_def_default();
    def.kind = kind;
    def.pose = pose;
    return put_as(world, def, shape);
}

abut_body_id put_moving(abut_world *world, abut_shape *shape, abut_vec3 place, abut_vec3 velocity, abut_body_def def) {
    def.pose.position = place;
    def.motion.linear = velocity;
    return put_as(world, def, shape);
}

abut_body_state state_of(const abut_world *world, abut_body_id id) {
    abut_body_state state;
    assert_ok(abut_world_body_state(world, id, &state));
    return state;
}

void run_for(abut_world *world, double time) {
    const double dt = 1.0 / 64.0;
    for (double t = 0.0; t < time - 1e-9; t += dt) {
        assert_ok(abut_world_step(world, time - t < dt ? time - t : dt, NULL));
    }
}

abut_contact *contacts_after_step(abut_world *world, double dt, int32_t *count) {
    const abut_world_contact *contacts;
    assert_ok(abut_world_step(world, dt, NULL));
    assert_ok(abut_world_contacts(world, &contacts, count));
    abut_contact *all = check_memory((size_t)*count + 1, sizeof *all);
    for (int32_t i = 0; i < *count; i++) {
        all[i] = contacts[i].contact;
    }
    return all;
}
