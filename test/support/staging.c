/* A world with its shapes. */
#include "support/staging.h"

staging staging_open(const abut_world_def *def) {
    staging stage = {.world = NULL};
    assert_ok(abut_world_create(def, &stage.world));
    return stage;
}

abut_world_def staging_def(double gravity) {
    abut_world_def def = abut_world_def_default();
    def.gravity = abut_vec3_make(0.0, 0.0, -gravity);
    def.fixed.sleeping = false;
    return def;
}

staging staging_make_with(const abut_world_def *def) {
    staging stage = staging_open(def);
    stage.box = staging_box(&stage, 0.5, 0.5, 0.5);
    stage.sphere = staging_sphere(&stage, 0.5);
    stage.plane = staging_plane(&stage, abut_vec3_make(0, 0, 1));
    return stage;
}

staging staging_make(double gravity) {
    abut_world_def def = staging_def(gravity);
    return staging_make_with(&def);
}

void staging_close(staging *stage) {
    abut_world_destroy(stage->world);
    for (int32_t i = 0; i < stage->shape_count; i++) {
        abut_shape_release(stage->shapes[i]);
    }
    *stage = (staging){.world = NULL};
}

const abut_shape *staging_keep(staging *stage, abut_shape *shape) {
    assert_true(stage->shape_count < STAGING_SHAPES);
    stage->shapes[stage->shape_count++] = shape;
    return shape;
}

const abut_shape *staging_box(staging *stage, double x, double y, double z) {
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_box(abut_vec3_make(x, y, z), &shape));
    return staging_keep(stage, shape);
}

const abut_shape *staging_sphere(staging *stage, double radius) {
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_sphere(radius, &shape));
    return staging_keep(stage, shape);
}

const abut_shape *staging_plane(staging *stage, abut_vec3 normal) {
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_plane(normal, 0.0, &shape));
    return staging_keep(stage, shape);
}

abut_body_def staging_body(abut_body_kind kind, const abut_shape *shape, abut_vec3 position) {
    abut_body_def def = abut_body_def_default();
    def.kind = kind;
    def.shape = shape;
    def.pose.position = position;
    return def;
}

abut_body_id staging_put(staging *stage, const abut_body_def *def) {
    abut_body_id id = {0, 0};
    assert_ok(abut_world_add_body(stage->world, def, &id));
    return id;
}

abut_body_id staging_add(staging *stage, abut_body_kind kind, const abut_shape *shape, abut_vec3 position) {
    abut_body_def def = staging_body(kind, shape, position);
    return staging_put(stage, &def);
}

abut_body_id staging_add_turned(staging *stage, const abut_shape *shape, abut_vec3 position, abut_quat rotation) {
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, shape, position);
    def.pose.rotation = rotation;
    return staging_put(stage, &def);
}

abut_body_id staging_ground(staging *stage, double friction) {
    const abut_shape *plane = stage->plane != NULL ? stage->plane : staging_plane(stage, abut_vec3_make(0, 0, 1));
    abut_body_def def = staging_body(ABUT_BODY_STATIC, plane, abut_vec3_make(0, 0, 0));
    def.friction = friction;
    return staging_put(stage, &def);
}

abut_body_state staging_state(const staging *stage, abut_body_id id) {
    abut_body_state state;
    assert_ok(abut_world_body_state(stage->world, id, &state));
    return state;
}

bool staging_awake(const staging *stage, abut_body_id id) { return staging_state(stage, id).awake; }

abut_step_report staging_run(staging *stage, double dt, int32_t steps) {
    abut_step_report report = {.step = 0};
    for (int32_t i = 0; i < steps; i++) {
        assert_ok(abut_world_step(stage->world, dt, &report));
    }
    return report;
}

double staging_tilt(const staging *stage, abut_body_id id) {
    abut_vec3 z = abut_quat_rotate(staging_state(stage, id).pose.rotation, abut_vec3_make(0.0, 0.0, 1.0));
    return atan2(hypot(z.x, z.y), fabs(z.z));
}

staging_momenta staging_momenta_of(const staging *stage, const abut_body_id *ids, int32_t count) {
    staging_momenta sum = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, 0.0};
    for (int32_t i = 0; i < count; i++) {
        abut_body_state state = staging_state(stage, ids[i]);
        abut_body_info info;
        assert_ok(abut_world_body_info(stage->world, ids[i], &info));
        abut_vec3 w = abut_quat_rotate_inverse(state.pose.rotation, state.motion.angular);
        abut_vec3 spin = abut_mat3_apply(info.inertia, w);
        sum.linear = abut_add_scaled(sum.linear, info.mass, state.motion.linear);
        sum.angular = abut_add(sum.angular, abut_quat_rotate(state.pose.rotation, spin));
        sum.angular = abut_add_scaled(sum.angular, info.mass, abut_cross(state.centre, state.motion.linear));
        sum.energy += 0.5 * info.mass * abut_length_squared(state.motion.linear) + 0.5 * abut_dot(w, spin);
    }
    return sum;
}
