/*
 * How the dem stepper moves a body: balls, whose inertia is the same about every axis; meshes of rounded triangles as rigid bodies in general, which keep
 * their angular momentum (step/motion.h); planes along their normals.
 */
#include "base/real.h"
#include "step/dem_system.h"
#include "step/motion.h"

static bool is_mesh(const dem_system *s, int32_t i) { return i >= s->ball_count && i < s->round_count; }

/* ---- by forces ---- */

static abut_vec3 turning_of(const dem_system *s, int32_t i, abut_vec3 torque) {
    if (!is_mesh(s, i)) {
        return abut_scale(s->bodies[i].inverse_inertia, torque);
    }
    const abut_vec3 moments = s->world->bodies[s->bodies[i].slot].moments;
    abut_vec3 t = abut_rotate_inverse(s->frames[i], torque);
    return abut_rotate(s->frames[i], abut_make_vec3(t.x / moments.x, t.y / moments.y, t.z / moments.z));
}

void dem_kick(dem_system *s, int32_t i, double h) {
    dem_body *b = &s->bodies[i];
    const body *own = &s->world->bodies[b->slot];
    const dem_push *push = &s->pushes[i];
    abut_vec3 acceleration = abut_add_scaled(s->world->def.gravity, b->inverse_mass, abut_add(push->force, own->force));
    abut_vec3 turning = turning_of(s, i, abut_add(push->torque, own->torque));
    acceleration = abut_add_scaled(acceleration, -own->linear_damping, b->velocity);
    turning = abut_add_scaled(turning, -own->angular_damping, b->angular_velocity);
    b->velocity = abut_add_scaled(b->velocity, h, acceleration);
    b->angular_velocity = abut_add_scaled(b->angular_velocity, h, turning);
}

/* ---- freely ---- */

/* The frame is a unit one but for rounding, which one step of Newton's towards its inverse length takes away. */
static abut_quat turned(abut_quat frame, abut_vec3 angular_velocity, double h) {
    abut_vec3 half = abut_scale(0.5 * h, angular_velocity);
    double sine_over, cosine;
    real_turn(abut_length_squared(half), &sine_over, &cosine);
    abut_quat q = abut_quat_mul(abut_make_quat(sine_over * half.x, sine_over * half.y, sine_over * half.z, cosine), frame);
    double scale = 1.5 - 0.5 * (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return abut_make_quat(scale * q.x, scale * q.y, scale * q.z, scale * q.w);
}

static void turn_mesh(dem_system *s, int32_t i, double h) {
    dem_body *b = &s->bodies[i];
    solver_body state = {.angular_velocity = b->angular_velocity, .rotation = s->frames[i], .axes = abut_mat3_from_quat(s->frames[i])};
    motion_drift(&s->world->bodies[b->slot], &state, h);
    b->angular_velocity = state.angular_velocity;
    s->frames[i] = state.rotation;
}

void dem_drift(dem_system *s, int32_t i, double h) {
    dem_body *b = &s->bodies[i];
    b->centre = abut_add_scaled(b->centre, h, b->velocity);
    if (is_mesh(s, i)) {
        turn_mesh(s, i, h);
        dem_facets_place(s, i);
        return;
    }
    s->frames[i] = turned(s->frames[i], b->angular_velocity, h);
    b->offset += isinf(b->radius) ? h * abut_dot(b->normal, b->velocity) : 0.0;
}
