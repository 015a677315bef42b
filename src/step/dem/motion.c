/*
 * The motion of bodies other than balls in the dem stepper (balls: step/dem/kernel_move.h). Meshes of rounded triangles move as general
 * rigid bodies that conserve angular momentum (step/world/motion.h). Planes move along their normals.
 */
#include "base/real.h"
#include "step/dem/kernel.h"
#include "step/world/motion.h"

/* ---- velocity change by forces ---- */

static abut_vec3 turning_of(const dem_system *s, int32_t i, abut_vec3 torque) {
    const abut_vec3 moments = s->world->bodies[s->tags[i].slot].moments;
    abut_vec3 t = abut_quat_rotate_inverse(s->frames[i], torque);
    return abut_quat_rotate(s->frames[i], abut_vec3_make(t.x / moments.x, t.y / moments.y, t.z / moments.z));
}

static void kick(dem_system *s, int32_t i, double h) {
    dem_body *b = &s->bodies[i];
    const dem_load of = dem_load_of(s, i), *load = &of;
    const dem_push *push = &s->pushes[i];
    abut_vec3 acceleration = abut_add_scaled(load->gravity, b->inverse_mass, abut_add(push->force, load->force));
    abut_vec3 turning = turning_of(s, i, abut_add(push->torque, load->torque));
    acceleration = abut_add_scaled(acceleration, -load->linear_damping, b->velocity);
    turning = abut_add_scaled(turning, -load->angular_damping, b->angular_velocity);
    b->velocity = abut_add_scaled(b->velocity, h, acceleration);
    b->angular_velocity = abut_add_scaled(b->angular_velocity, h, turning);
}

/* ---- free motion ---- */

static void drift(dem_system *s, int32_t i, double h) {
    dem_body *b = &s->bodies[i];
    solver_body state = {.angular_velocity = b->angular_velocity, .rotation = s->frames[i], .axes = abut_mat3_from_quat(s->frames[i])};
    s->spheres[i].centre = abut_add_scaled(s->spheres[i].centre, h, b->velocity);
    motion_drift(&s->world->bodies[s->tags[i].slot], &state, h);
    b->angular_velocity = state.angular_velocity;
    s->frames[i] = state.rotation;
    if (dem_mesh_of(s, i) != NULL) {
        dem_facets_place(s, i);
    } else {
        dem_plane *plane = dem_plane_of(s, i);
        plane->offset += h * abut_dot(plane->normal, b->velocity);
    }
}

/* An elastic cell may have grown since the list was made. */
static bool is_near(const dem_system *s, int32_t i) {
    double most = 0.5 * s->skin;
    if (dem_is_plane(s, i)) {
        return fabs(dem_plane_of(s, i)->offset - s->reaches[i]) <= most;
    }
    if (dem_cell_of(s, i) != NULL) {
        most -= real_max(s->spheres[i].radius - s->cells.cells[s->cells.of[i]].listed_radius, 0.0);
    }
    return most >= 0.0 && abut_length_squared(abut_sub(s->spheres[i].centre, s->places[i])) <= most * most;
}

bool dem_move(const dem_motion *m, int32_t i) {
    dem_system *s = m->s;
    const bool cell = dem_cell_of(s, i) != NULL;
    if (dem_mesh_of(s, i) != NULL && s->bodies[i].inverse_mass > 0.0) {
        s->pushes[i] = (dem_push){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
        dem_facets_push(s, i, &s->pushes[i].force, &s->pushes[i].torque);
        if (s->bonds.count > 0) {
            dem_bonds_push(s, i, &s->pushes[i].force, &s->pushes[i].torque);
        }
        for (int times = (m->ends ? 1 : 0) + (m->begins ? 1 : 0); times > 0 && !cell; --times) {
            kick(s, i, 0.5 * m->h);
        }
    }
    if (cell) {
        dem_cell_move(s, i, m->h, m->ends, m->begins);
    } else if (m->begins) {
        drift(s, i, m->h);
    }
    return is_near(s, i);
}
