/* A world with its shapes. */
#include "support/staging.h"

staging staging_open(const abut_world_def *def) {
    staging stage = {.world = NULL};
    assert_ok(abut_create_world(def, &stage.world));
    return stage;
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
    assert_ok(abut_create_box(abut_make_vec3(x, y, z), &shape));
    return staging_keep(stage, shape);
}

const abut_shape *staging_sphere(staging *stage, double radius) {
    abut_shape *shape = NULL;
    assert_ok(abut_create_sphere(radius, &shape));
    return staging_keep(stage, shape);
}

const abut_shape *staging_plane(staging *stage, abut_vec3 normal) {
    abut_shape *shape = NULL;
    assert_ok(abut_create_plane(normal, 0.0, &shape));
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

abut_body_id staging_ground(staging *stage, double friction) {
    const abut_shape *plane = staging_plane(stage, abut_make_vec3(0, 0, 1));
    abut_body_def def = staging_body(ABUT_BODY_STATIC, plane, abut_make_vec3(0, 0, 0));
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
