#include "support/stage.h"

#include "support/check.h"

abut_world_def stage_def(double gravity) {
    abut_world_def def = abut_world_def_default();
    def.gravity = abut_make_vec3(0.0, 0.0, -gravity);
    def.fixed.sleeping = false;
    return def;
}

stage stage_make_with(const abut_world_def *def) {
    stage s = {NULL, NULL, NULL, NULL};
    abut_shape *box, *sphere, *plane;
    assert_ok(abut_create_world(def, &s.world));
    assert_ok(abut_create_box(abut_make_vec3(0.5, 0.5, 0.5), &box));
    assert_ok(abut_create_sphere(0.5, &sphere));
    assert_ok(abut_create_plane(abut_make_vec3(0.0, 0.0, 1.0), 0.0, &plane));
    s.box = box;
    s.sphere = sphere;
    s.plane = plane;
    return s;
}

stage stage_make(double gravity) {
    abut_world_def def = stage_def(gravity);
    return stage_make_with(&def);
}

void stage_end(stage *s) {
    abut_world_destroy(s->world);
    abut_shape_release(s->box);
    abut_shape_release(s->sphere);
    abut_shape_release(s->plane);
}

abut_body_def stage_body_def(const abut_shape *shape, abut_vec3 position) {
    abut_body_def def = abut_body_def_default();
    def.shape = shape;
    def.pose.position = position;
    return def;
}

abut_body_id stage_add(stage *s, const abut_body_def *def) {
    abut_body_id id = {0, 0};
    assert_ok(abut_world_add_body(s->world, def, &id));
    return id;
}

abut_body_id stage_floor(stage *s, double friction) {
    abut_body_def def = stage_body_def(s->plane, abut_make_vec3(0.0, 0.0, 0.0));
    def.kind = ABUT_BODY_STATIC;
    def.friction = friction;
    return stage_add(s, &def);
}

abut_body_id stage_body(stage *s, const abut_shape *shape, abut_vec3 position, abut_quat rotation) {
    abut_body_def def = stage_body_def(shape, position);
    def.pose.rotation = rotation;
    return stage_add(s, &def);
}

abut_body_state stage_state(const stage *s, abut_body_id id) {
    abut_body_state state;
    assert_ok(abut_world_body_state(s->world, id, &state));
    return state;
}

abut_step_report stage_run(stage *s, int32_t steps) {
    abut_step_report report = {0};
    for (int32_t i = 0; i < steps; i++) {
        assert_ok(abut_world_step(s->world, 1.0 / 60.0, &report));
    }
    return report;
}

double stage_tilt(const stage *s, abut_body_id id) {
    abut_vec3 z = abut_rotate(stage_state(s, id).pose.rotation, abut_make_vec3(0.0, 0.0, 1.0));
    return atan2(hypot(z.x, z.y), fabs(z.z));
}

stage_momenta stage_momenta_of(const stage *s, const abut_body_id *ids, int32_t count) {
    stage_momenta sum = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, 0.0};
    for (int32_t i = 0; i < count; i++) {
        abut_body_state state = stage_state(s, ids[i]);
        abut_body_info info;
        assert_ok(abut_world_body_info(s->world, ids[i], &info));
        abut_vec3 w = abut_rotate_inverse(state.pose.rotation, state.angular_velocity);
        abut_vec3 spin = abut_mul(info.inertia, w);
        sum.linear = abut_add_scaled(sum.linear, info.mass, state.velocity);
        sum.angular = abut_add(sum.angular, abut_rotate(state.pose.rotation, spin));
        sum.angular = abut_add_scaled(sum.angular, info.mass, abut_cross(state.centre, state.velocity));
        sum.energy += 0.5 * info.mass * abut_length_squared(state.velocity) + 0.5 * abut_dot(w, spin);
    }
    return sum;
}
