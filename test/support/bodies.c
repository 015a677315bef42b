/* Worlds and bodies in one expression: see bodies.h. */
#include "support/bodies.h"

#include "support/check.h"

abut_world *world_of(abut_stepper stepper) {
    abut_world_def def = abut_world_def_default();
    abut_world *world = NULL;
    def.stepper = stepper;
    def.parallel.threads = 1;
    assert_ok(abut_world_create(&def, &world));
    return world;
}

abut_body_id put(abut_world *world, abut_body_kind kind, abut_shape *shape, abut_pose pose) {
    abut_body_def def = abut_body_def_default();
    abut_body_id id;
    def.kind = kind;
    def.shape = shape;
    def.pose = pose;
    assert_ok(abut_world_add_body(world, &def, &id));
    abut_shape_release(shape);
    return id;
}
