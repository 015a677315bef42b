/*
 * The loop of the dem stepper, velocity-Verlet (L. Verlet, 1967): half of the forces' effect, motion, new forces, the other half. Near
 * pairs are listed again when a body has moved too far, also in a later step of the world (listed.c). The stepper works on its own copy of
 * the state; the world changes only after a step has succeeded.
 */
#include "step/dem/stepper.h"

#include "base/argument.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/parts.h"
#include "base/real.h"
#include "step/dem/kernel.h"
#include "step/dem/kept.h"
#include "step/world/cell/cells.h"
#include "step/world/finish.h"

/* ---- motion ---- */

/* Adds the forces of pairs with meshes to balls. */
static void add_facet_pushes(dem_system *s, int32_t begin, int32_t end) {
    for (int32_t i = begin; i < end && s->facets.pair_count > 0; ++i) {
        dem_facets_push(s, i, &s->pushes[i].force, &s->pushes[i].torque);
    }
}

/* Adds the moments of rolling and twisting of the pairs of a ball, in the order of the kernels' gather(). */
static void add_moments(dem_system *s, int32_t ball) {
    abut_vec3 torque = s->pushes[ball].torque;
    for (int32_t k = s->other_first[ball]; k < s->other_first[ball + 1]; ++k) {
        const dem_roll *roll = dem_roll_of(s, s->others[k]);
        torque = abut_sub(torque, roll->moment);
    }
    for (int32_t i = s->own[ball]; i < s->own[ball + 1]; ++i) {
        const dem_roll *roll = dem_roll_of(s, i);
        torque = abut_add(torque, roll->moment);
    }
    s->pushes[ball].torque = torque;
}

/* False if a ball has moved too far from where the near pairs were listed. */
static bool move_balls(const dem_motion *m, const dem_kernel_table *kernel, int32_t begin, int32_t end) {
    dem_system *s = m->s;
    kernel->gather(s, begin, end);
    for (int32_t i = begin; i < end && s->rolls; ++i) {
        add_moments(s, i);
    }
    add_facet_pushes(s, begin, end);
    for (int32_t i = begin; i < end && s->bonds.count > 0; ++i) {
        dem_bonds_push(s, i, &s->pushes[i].force, &s->pushes[i].torque);
    }
    return kernel->move(m, begin, end);
}

enum { GRAIN = 256 }; /* bodies worth a thread; their forces stay in the first cache until they move */

static void move_some(void *argument, int32_t begin, int32_t end) {
    const dem_motion *m = argument;
    dem_system *s = m->s;
    const dem_kernel_table *kernel = dem_kernel_get();
    int32_t balls = end < s->ball_count ? end : s->ball_count;
    for (int32_t first = begin; first < balls; first += GRAIN) {
        if (!move_balls(m, kernel, first, balls - first < GRAIN ? balls : first + GRAIN)) {
            atomic_store_explicit(&s->strayed, true, memory_order_relaxed);
        }
    }
    for (int32_t i = begin > balls ? begin : balls; i < end; ++i) {
        if (!dem_move(m, i)) {
            atomic_store_explicit(&s->strayed, true, memory_order_relaxed);
        }
    }
}

static void move(dem_system *s, double h, bool ends, bool begins) {
    dem_motion m = {s, h, ends, begins};
    abut_parallel_for(&s->world->def.parallel, s->body_count, GRAIN, move_some, &m);
}

static bool is_lost(const dem_system *s, int32_t i) {
    const dem_body *b = &s->bodies[i];
    return !abut_vec3_is_finite(s->spheres[i].centre) || !abut_vec3_is_finite(b->velocity) || !abut_vec3_is_finite(b->angular_velocity);
}

static bool some_are_lost(const void *argument, int32_t begin, int32_t end) {
    const dem_system *s = argument;
    bool lost = false;
    for (int32_t i = begin; i < end; ++i) {
        lost = lost || is_lost(s, i);
    }
    return lost;
}

/* Names the first body whose state is not finite. */
static abut_status check_states(const dem_system *s) {
    bool unused[PARTS_MOST];
    bool lost = parts_find(&s->world->def.parallel, s->body_count, some_are_lost, s, unused);
    for (int32_t i = 0; i < s->body_count && lost; ++i) {
        if (is_lost(s, i)) {
            return world_refuse_body(ABUT_ERROR_NOT_FINITE, s->world, s->tags[i].slot, "its state is not finite after the step");
        }
    }
    return ABUT_OK;
}

/* Takes `steps` steps of the length dt / steps. longest: the longest stable step by step/dem/limit.c; infinite: any step will do. *finer
 * receives the factor by which steps must be shorter, because contacts proved stiffer than limit.c assumes. If it exceeds 1, the other
 * results are not valid. */
static abut_status go(dem_system *s, double dt, int64_t steps, double longest, double *finer) {
    double h = dt / (double)steps;
    *finer = 0.0;
    dem_forces(s, 0.0);
    for (int64_t i = 0; i < steps && s->status == ABUT_OK; ++i) {
        move(s, h, i > 0, true);
        abut_status status = dem_cells_status(s);
        if (status != ABUT_OK) {
            return status;
        }
        if (atomic_load_explicit(&s->strayed, memory_order_relaxed) && !dem_pairs_list(s)) {
            return s->status;
        }
        dem_forces(s, h);
        bool given = s->world->def.dem.step > 0.0;
        *finer = dem_facets_hardness(s) * h / longest;
        *finer = given || longest < INFINITY ? real_max(dem_cells_hardness(s, h), *finer) : *finer;
        if (*finer > 1.0 && given) {
            return refuse(ABUT_ERROR_INVALID_ARGUMENT, "abut_world_step",
                          "the given step of the dem stepper: the elastic cells need one of at most %.3g", h / *finer);
        }
        if (*finer > 1.0) {
            return s->status;
        }
    }
    if (s->status != ABUT_OK) {
        return s->status;
    }
    move(s, h, true, false);
    return check_states(s);
}

static int64_t count_steps(const abut_dem_settings *settings, double dt, double critical, double longest) {
    const double most = 1e12;
    double h = settings->step > 0.0 ? settings->step : real_min(settings->step_share * critical, longest);
    double steps = h > 0.0 ? ceil(dt / h * (1.0 - 1e-12)) : most;
    return steps < 1.0 ? 1 : steps > most ? (int64_t)most : (int64_t)steps;
}

/* ---- end ---- */

/* The largest net force of a body over its weight. For a mesh, also the net torque over the radius of the ball that contains it. */
static double find_residual(const dem_system *s) {
    double most = 0.0;
    for (int32_t i = 0; i < s->round_count; ++i) {
        const dem_body *b = &s->bodies[i];
        if (b->inverse_mass > 0.0) {
            const abut_vec3 gravity = dem_load_of(s, i).gravity;
            double g = abut_length(gravity), net = abut_length(abut_add_scaled(gravity, b->inverse_mass, s->pushes[i].force));
            double turning = i < s->ball_count ? 0.0 : b->inverse_mass * abut_length(s->pushes[i].torque) / s->spheres[i].radius;
            net = real_max(net, turning);
            most = real_max(most, g > 0.0 ? net / g : net / b->inverse_mass);
        }
    }
    return most;
}

static abut_dem_report report_of(const dem_system *s, int64_t steps, double critical) {
    const dem_tally *balls = &s->tally;
    const dem_facet_tally *meshes = &s->facets.tally;
    const dem_bond_tally *bonds = &s->bonds.tally;
    return (abut_dem_report){.steps = steps,
                             .lists = s->lists,
                             .critical_step = critical,
                             .near = s->pair_count + s->facets.pair_count,
                             .sliding = balls->sliding + meshes->sliding,
                             .elastic_energy = balls->elastic + meshes->elastic,
                             .bonds = bonds->holding,
                             .broken = bonds->broke,
                             .spring_energy = balls->spring + meshes->spring + bonds->energy + s->cells.energy,
                             .damping_work = balls->damped + meshes->damped + bonds->damped + s->cells.damped,
                             .friction_work = balls->rubbed + meshes->rubbed + bonds->lost,
                             .residual = find_residual(s)};
}

/* Takes a step of the world. It is retried with shorter steps when contacts prove stiffer than assumed; this is possible because the world
 * does not change before the step has succeeded. */
static abut_status try_step(abut_world *world, double dt, int64_t *steps, double *critical, double *preparing) {
    enum { TRIES = 8 };
    dem_system *s = &world->dem->system;
    const abut_dem_settings *settings = &world->def.dem;
    double finer = 1.0;
    *steps = 1;
    for (int i = 0; i < TRIES && finer >= 1.0; ++i) {
        double begin = clock_now();
        abut_status status = dem_prepare(world->dem, world);
        *preparing += clock_now() - begin;
        if (status != ABUT_OK) {
            return status;
        }
        double longest = dem_system_longest_step(s);
        *critical = dem_system_critical_step(s);
        int64_t again = (int64_t)ceil(1.2 * finer * (double)*steps), first = count_steps(settings, dt, *critical, longest);
        *steps = i == 0 || again < first ? first : again;
        bool is_bounded = settings->step == 0.0 && i + 1 < TRIES;
        status = go(s, dt, *steps, is_bounded ? longest : INFINITY, &finer);
        if (status != ABUT_OK) {
            return status;
        }
    }
    return ABUT_OK;
}

abut_status dem_step(abut_world *world, double dt, abut_step_report *report) {
    step_account account = {.begin = clock_now()};
    if (world->dem == NULL) {
        world->dem = memory_allocate(1, sizeof *world->dem);
        if (world->dem == NULL) {
            return ABUT_ERROR_OUT_OF_MEMORY;
        }
    }
    double critical;
    int64_t steps;
    abut_status status = try_step(world, dt, &steps, &critical, &account.broad);
    if (status == ABUT_OK && !dem_reserve_results(world, world->dem)) {
        status = ABUT_ERROR_OUT_OF_MEMORY;
    }
    if (status != ABUT_OK) {
        return status;
    }
    const dem_system *s = &world->dem->system;
    abut_dem_report made = report_of(s, steps, critical);
    dem_write_contacts(world, world->dem);
    dem_write_bodies(world, s);
    dem_bonds_write(s, &world->bonds);
    dem_cells_write(&world->dem->system, world);
    account.candidates = made.near;
    step_finish(world, dt, &account, report);
    dem_keep_list(world->dem, world);
    report->dem = made;
    return ABUT_OK;
}

/* ---- between steps ---- */

abut_status dem_check(const abut_world *world) {
    dem_system *s = memory_allocate(1, sizeof *s);
    if (s == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    abut_status status = dem_system_gather(s, world, false);
    if (status == ABUT_OK && !dem_pairs_fit(s)) {
        status = ABUT_ERROR_INVALID_ARGUMENT;
    }
    dem_system_release(s);
    memory_release(s);
    return status;
}

/* Energy of the springs of friction, rolling and twisting, without that of bonds, as the pairs remember them. */
static double remembered_spring_energy(const dem_system *s) {
    double energy = 0.0;
    for (int32_t i = 0; i < s->pair_count; ++i) {
        const dem_contact *contact = dem_contact_of(s, i);
        const dem_roll *roll = s->rolls ? dem_roll_of(s, i) : NULL;
        energy += dem_contact_energy(contact);
        energy += roll != NULL ? pressure_roll_energy(roll->stretch, roll->stiffness) : 0.0;
    }
    for (int32_t i = 0; i < s->facets.pair_count; ++i) {
        const dem_facet_pair *pair = &s->facets.pairs[i];
        for (int32_t k = 0; k < pair->region_count; ++k) {
            const abut_pressure_memory *m = &pair->region[k].memory;
            energy += pressure_spring_energy(m) + pressure_roll_energy(m->roll, m->roll_stiffness);
        }
    }
    return energy;
}

abut_status dem_energies(const abut_world *world, abut_dem_report *report) {
    const struct dem_stepper *stepper = world->dem;
    const bool touched = stepper != NULL && (stepper->kept_count > 0 || stepper->place_count > 0);
    if (!touched && world->bonds.used == 0 && !cells_exist(world)) {
        return ABUT_OK;
    }
    dem_system *s = memory_allocate(1, sizeof *s);
    if (s == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    static const struct dem_stepper none = {.kept_count = 0};
    abut_status status = dem_prepare_anew(s, stepper != NULL ? stepper : &none, world);
    if (status == ABUT_OK) {
        /* The forces cut the springs to the present limit of friction, which depends on the velocities. So the springs come first. */
        double spring = remembered_spring_energy(s);
        dem_forces(s, 0.0);
        status = s->status;
        if (status == ABUT_OK) {
            /* There are no contacts before the first step, but there may be bonds. */
            report->elastic_energy = touched ? s->tally.elastic + s->facets.tally.elastic : 0.0;
            report->spring_energy = spring + s->bonds.tally.energy + s->cells.energy;
            report->bonds = s->bonds.tally.holding;
        }
    }
    dem_system_release(s);
    memory_release(s);
    return status;
}
