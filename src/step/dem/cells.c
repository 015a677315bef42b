/*
 * The motion of elastic cells in the dem stepper: velocity-Verlet for each node. After each motion the cell has a new shape over its nodes, and its body the
 * centre, velocity and spin of all nodes together.
 */
#include "step/dem/cells.h"

#include "base/argument.h"
#include "base/array.h"
#include "base/memory.h"
#include "base/real.h"
#include "shape/facet/mesh.h"
#include "shape/shape.h"
#include "step/dem/system.h"
#include "step/world/cell/cells.h"

/* ---- cells of the world ---- */

static const body *body_of(const dem_system *s, const dem_cell *cell) { return &s->world->bodies[s->tags[cell->body].slot]; }

const dem_cell *dem_cell_of(const dem_system *s, int32_t i) {
    return s->cells.count > 0 && s->cells.of[i] >= 0 ? &s->cells.cells[s->cells.of[i]] : NULL;
}

/* Takes a shape in place of the present one, whose reference is released. */
static void take_shape(dem_cell *cell, const abut_shape *shape) {
    abut_shape_release(cell->shape);
    cell->shape = shape;
}

static bool has_nodes(dem_cell *cell, int32_t count) {
    if (!array_reserve(&cell->position, &cell->node_capacity, count, 4 * sizeof *cell->position)) {
        return false;
    }
    cell->velocity = cell->position + count;
    cell->force = cell->velocity + count;
    cell->working = cell->force + count;
    return true;
}

/* The body follows its nodes. */
static void follow(dem_system *s, dem_cell *cell) {
    const body *own = body_of(s, cell);
    dem_body *b = &s->bodies[cell->body];
    cell->rigid = cell_rigid_of(&cell->of->mesh, own->mass, cell->position, cell->velocity);
    s->spheres[cell->body].centre = cell->rigid.centre;
    b->velocity = cell->rigid.velocity;
    b->angular_velocity = cell->rigid.spin;
}

/* What is behind the facets is measured once in each step of the world. The new shape is made before the old one is released, so that it has another address:
 * lists of near facets tell by it that they are out of date. */
static void reshape(dem_system *s, dem_cell *cell, bool keeps_thickness) {
    const body *own = body_of(s, cell);
    abut_shape *made = NULL;
    cell->status = cell_shape(NULL, own, cell->rigid.centre, cell->position, cell->working, keeps_thickness ? cell->shape : NULL, &made);
    if (cell->status == ABUT_OK) {
        take_shape(cell, made);
        s->facets.meshes[cell->body - s->ball_count].shape = made;
        s->spheres[cell->body].radius = facetmesh_reach_from(made->facets, own->local_centre);
        dem_facets_place(s, cell->body);
    }
}

/* Threads that move cells say nothing. */
static abut_status judge(const dem_system *s, const dem_cell *cell) {
    return cell->status == ABUT_OK || cell->status == ABUT_ERROR_OUT_OF_MEMORY
               ? cell->status
               : world_refuse_body(cell->status, s->world, s->tags[cell->body].slot, "the surface of the elastic cell has folded");
}

/* All follows from the nodes and the rotation of the shape, so that a restored world goes on like the one that was saved. */
static abut_status copy_cell(dem_system *s, int32_t i, dem_cell *cell) {
    const world_cell *of = s->world->bodies[s->tags[i].slot].cell;
    if (!has_nodes(cell, of->mesh.node_count)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    cell->body = i;
    cell->of = of;
    for (int32_t k = 0; k < of->mesh.node_count; ++k) {
        cell->position[k] = of->position[k];
        cell->velocity[k] = of->velocity[k];
    }
    take_shape(cell, abut_shape_retain(body_of(s, cell)->shape));
    follow(s, cell);
    reshape(s, cell, false);
    return judge(s, cell);
}

/* The longest stable step of a damper and a squared frequency (step/dem/limit.c). */
static double stable_step(double damping, double square) { return 4.0 / (damping + sqrt(damping * damping + 4.0 * square)); }

static void find_steps(dem_cells *f) {
    for (int32_t i = 0; i < f->count; ++i) {
        const dem_cell *cell = &f->cells[i];
        const cell_load load = cell_bear(&cell->of->law, &cell->of->mesh, cell->position, cell->velocity, cell->force);
        f->longest = real_min(f->longest, stable_step(load.damping, load.square));
        f->critical = real_min(f->critical, 1.0 / sqrt(load.square));
    }
}

abut_status dem_cells_gather(dem_system *s) {
    dem_cells *f = &s->cells;
    f->count = 0;
    f->energy = f->damped = 0.0;
    f->longest = f->critical = INFINITY;
    for (int32_t i = s->ball_count; i < s->round_count; ++i) {
        if (s->world->bodies[s->tags[i].slot].cell == NULL) {
            continue;
        }
        if (f->count == 0 && !array_reserve(&f->of, &f->of_capacity, s->body_count, sizeof *f->of)) {
            return ABUT_ERROR_OUT_OF_MEMORY;
        }
        for (int32_t k = 0; k < s->body_count && f->count == 0; ++k) {
            f->of[k] = -1;
        }
        int32_t before = f->capacity;
        if (!array_extend(&f->cells, &f->capacity, before, f->count + 1, sizeof *f->cells)) {
            return ABUT_ERROR_OUT_OF_MEMORY;
        }
        for (int32_t k = before; k < f->capacity; ++k) {
            f->cells[k] = (dem_cell){.position = NULL};
        }
        abut_status status = copy_cell(s, i, &f->cells[f->count]);
        if (status != ABUT_OK) {
            return status;
        }
        f->of[i] = f->count++;
    }
    find_steps(f);
    const double given = s->world->def.dem.step;
    return given > f->longest
               ? refuse(ABUT_ERROR_INVALID_ARGUMENT, "abut_world_step",
                        "the given step of the dem stepper is %.3g: the elastic cells need one of at most %.3g", given, f->longest)
               : ABUT_OK;
}

/* ---- forces ---- */

static void bear_some(void *argument, int32_t begin, int32_t end) {
    dem_cells *f = argument;
    for (int32_t i = begin; i < end; ++i) {
        dem_cell *cell = &f->cells[i];
        cell->load = cell_bear(&cell->of->law, &cell->of->mesh, cell->position, cell->velocity, cell->force);
    }
}

/* Adds what the contacts of a cell need of the step. */
static void add_contacts(const dem_system *s, dem_cell *cell) {
    const dem_facets *f = &s->facets;
    cell->square = cell->load.square;
    cell->damping = cell->load.damping;
    for (int32_t k = f->first[cell->body]; k < f->first[cell->body + 1]; ++k) {
        const dem_facet_pair *pair = &f->pairs[f->of[k] < 0 ? -1 - f->of[k] : f->of[k]];
        cell->square += pair->square;
        cell->damping += pair->pace;
    }
}

void dem_cells_bear(dem_system *s, double h) {
    dem_cells *f = &s->cells;
    abut_parallel_for(&s->world->def.parallel, f->count, 1, bear_some, f);
    f->energy = 0.0;
    for (int32_t i = 0; i < f->count; ++i) {
        f->energy += f->cells[i].load.energy;
        f->damped += h * f->cells[i].load.power;
        add_contacts(s, &f->cells[i]);
    }
}

double dem_cells_hardness(const dem_system *s, double h) {
    double hardest = 0.0;
    for (int32_t i = 0; i < s->cells.count; ++i) {
        hardest = real_max(hardest, h / stable_step(s->cells.cells[i].damping, s->cells.cells[i].square));
    }
    return hardest;
}

/* ---- motion ---- */

/* Adds the forces of contacts on nodes. *force and *torque about the centre: what of the sums is left for the body as a whole. */
static void add_pushes(const dem_system *s, dem_cell *cell, abut_vec3 *force, abut_vec3 *torque) {
    const dem_facets *f = &s->facets;
    for (int32_t k = f->first[cell->body]; k < f->first[cell->body + 1]; ++k) {
        const bool guest = f->of[k] < 0;
        const dem_facet_pair *pair = &f->pairs[guest ? -1 - f->of[k] : f->of[k]];
        for (int32_t i = 0; i < pair->push_count; ++i) {
            const abut_vec3 push = pair->pushes[i].force;
            const int32_t node = guest ? -1 - pair->pushes[i].node : pair->pushes[i].node;
            if (node >= 0) {
                cell->force[node] = abut_add(cell->force[node], push);
                *force = abut_sub(*force, push);
                *torque = abut_sub(*torque, abut_cross(abut_sub(cell->position[node], cell->rigid.centre), push));
            }
        }
    }
}

/* Adds a force and a torque on the whole as on a rigid body. */
static void add_rigid(const cell_mesh *mesh, double mass, dem_cell *cell, abut_vec3 force, abut_vec3 torque) {
    const abut_vec3 linear = abut_scale(1.0 / mass, force), turning = abut_mat3_apply(cell->rigid.inverse, torque);
    for (int32_t i = 0; i < mesh->node_count; ++i) {
        const abut_vec3 arm = abut_sub(cell->position[i], cell->rigid.centre);
        cell->force[i] = abut_add_scaled(cell->force[i], mesh->mass[i], abut_add(linear, abut_cross(turning, arm)));
    }
}

static abut_vec3 mean_velocity(const cell_mesh *mesh, double mass, const abut_vec3 *velocity) {
    abut_vec3 momentum = {0.0, 0.0, 0.0};
    for (int32_t i = 0; i < mesh->node_count; ++i) {
        momentum = abut_add_scaled(momentum, mesh->mass[i], velocity[i]);
    }
    return abut_scale(1.0 / mass, momentum);
}

/* Linear damping brakes the whole, angular damping all other motion of the nodes, rotation and deformation. */
static void kick(const dem_system *s, dem_cell *cell, double h) {
    const cell_mesh *mesh = &cell->of->mesh;
    const dem_load of = dem_load_of(s, cell->body), *load = &of;
    const abut_vec3 mean = mean_velocity(mesh, body_of(s, cell)->mass, cell->velocity);
    for (int32_t i = 0; i < mesh->node_count; ++i) {
        if (mesh->mass[i] > 0.0) {
            abut_vec3 acceleration = abut_add_scaled(load->gravity, 1.0 / mesh->mass[i], cell->force[i]);
            acceleration = abut_add_scaled(acceleration, -load->linear_damping, mean);
            acceleration = abut_add_scaled(acceleration, -load->angular_damping, abut_sub(cell->velocity[i], mean));
            cell->velocity[i] = abut_add_scaled(cell->velocity[i], h, acceleration);
        }
    }
}

static void drift(dem_cell *cell, double h) {
    const cell_mesh *mesh = &cell->of->mesh;
    for (int32_t i = 0; i < mesh->node_count; ++i) {
        cell->position[i] = mesh->mass[i] > 0.0 ? abut_add_scaled(cell->position[i], h, cell->velocity[i]) : cell->position[i];
    }
}

void dem_cell_move(dem_system *s, int32_t i, double h, bool ends, bool begins) {
    dem_cell *cell = &s->cells.cells[s->cells.of[i]];
    const dem_load of = dem_load_of(s, i), *load = &of;
    abut_vec3 force = abut_add(s->pushes[i].force, load->force), torque = abut_add(s->pushes[i].torque, load->torque);
    add_pushes(s, cell, &force, &torque);
    add_rigid(&cell->of->mesh, body_of(s, cell)->mass, cell, force, torque);
    for (int times = (ends ? 1 : 0) + (begins ? 1 : 0); times > 0; --times) {
        kick(s, cell, 0.5 * h);
    }
    if (begins) {
        drift(cell, h);
    }
    follow(s, cell);
    if (begins) {
        reshape(s, cell, true);
    }
}

abut_status dem_cells_status(const dem_system *s) {
    abut_status status = ABUT_OK;
    for (int32_t i = 0; i < s->cells.count && status == ABUT_OK; ++i) {
        status = judge(s, &s->cells.cells[i]);
    }
    return status;
}

/* ---- results ---- */

void dem_cells_write(dem_system *s, abut_world *world) {
    for (int32_t i = 0; i < s->cells.count; ++i) {
        dem_cell *cell = &s->cells.cells[i];
        body *b = &world->bodies[s->tags[cell->body].slot];
        for (int32_t k = 0; k < cell->of->mesh.node_count; ++k) {
            b->cell->position[k] = cell->position[k];
            b->cell->velocity[k] = cell->velocity[k];
        }
        abut_shape_retain(cell->shape);
        abut_shape_release(b->shape);
        b->shape = cell->shape;
        cell_weigh(b);
        cell_measure(b);
    }
}

void dem_cells_release(dem_cells *f) {
    for (int32_t i = 0; i < f->capacity; ++i) {
        abut_shape_release(f->cells[i].shape);
        memory_release(f->cells[i].position);
    }
    memory_release(f->cells);
    memory_release(f->of);
}
