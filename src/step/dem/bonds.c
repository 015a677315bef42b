/*
 * The bonds of a world in the steps of the dem stepper (solve/bond/bond.h). Each bond is computed separately; sums over the bonds of a body, and
 * over all bonds, are in the order of the bonds, so they do not depend on threads.
 */
#include "step/dem/bonds.h"

#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/real.h"
#include "step/dem/system.h"

/* Number of bonds that are summed together, independent of the threads that compute them. */
enum { BLOCK = 128 };

static int32_t blocks_of(const dem_bonds *bonds) { return bonds->count / BLOCK + (bonds->count % BLOCK != 0); }

/* ---- bonds of the world ---- */

static bond_side side_of(const dem_system *s, int32_t i) {
    const dem_body *b = &s->bodies[i];
    return (bond_side){s->frames[i], b->velocity, b->angular_velocity, b->inverse_mass, b->inverse_inertia};
}

/* Counting sort: first[i + 1] is the next free position of body i, and ends as the start of body i + 1. */
static void find_owners(dem_system *s) {
    dem_bonds *f = &s->bonds;
    memset(f->first, 0, ((size_t)s->body_count + 2) * sizeof *f->first);
    for (int32_t i = 0; i < f->count; ++i) {
        ++f->first[f->bonds[i].a + 2];
        ++f->first[f->bonds[i].b + 2];
    }
    for (int32_t i = 0; i < s->body_count; ++i) {
        f->first[i + 2] += f->first[i + 1];
    }
    for (int32_t i = 0; i < f->count; ++i) {
        f->of[f->first[f->bonds[i].a + 1]++] = i;
        f->of[f->first[f->bonds[i].b + 1]++] = -1 - i;
    }
}

static const world_bond *bond_in(const dem_system *s, const dem_bond *bond) { return &s->world->bonds.bonds[bond->slot]; }

/* A damper c and a squared frequency w, both over the mass, are stable for c h + w h^2 / 2 <= 2 (step/dem/limit.c). */
static void find_steps(dem_system *s) {
    dem_bonds *f = &s->bonds;
    f->longest = f->critical = INFINITY;
    for (int32_t i = 0; i < f->count; ++i) {
        const dem_bond *bond = &f->bonds[i];
        const world_bond *of = bond_in(s, bond);
        bond_side a = side_of(s, bond->a), b = side_of(s, bond->b);
        double of_a = (double)(f->first[bond->a + 1] - f->first[bond->a]), of_b = (double)(f->first[bond->b + 1] - f->first[bond->b]);
        bond_pace pace = bond_pace_of(&of->law, &of->seat, &a, &b, of_a, of_b);
        f->longest = real_min(f->longest, 4.0 / (pace.damping + sqrt(pace.damping * pace.damping + 4.0 * pace.square)));
        f->critical = real_min(f->critical, 1.0 / sqrt(pace.square));
    }
}

bool dem_bonds_gather(dem_system *s) {
    dem_bonds *f = &s->bonds;
    const bond_list *list = &s->world->bonds;
    f->count = 0;
    f->tally = (dem_bond_tally){0};
    f->longest = f->critical = INFINITY;
    if (list->used == 0) {
        return true;
    }
    if (!array_reserve(&f->bonds, &f->capacity, list->used, sizeof *f->bonds) ||
        !array_reserve(&f->tallies, &f->tally_capacity, list->used / BLOCK + 1, sizeof *f->tallies) ||
        !array_reserve(&f->first, &f->first_capacity, s->body_count + 2, sizeof *f->first) ||
        !array_reserve(&f->of, &f->of_capacity, 2 * list->used, sizeof *f->of) ||
        !array_reserve(&f->indices, &f->index_capacity, s->world->body_used + 1, sizeof *f->indices)) {
        return false;
    }
    for (int32_t i = 0; i < s->body_count; ++i) {
        f->indices[s->tags[i].slot] = i;
    }
    for (int32_t slot = 0; slot < list->used; ++slot) {
        const world_bond *bond = &list->bonds[slot];
        if (bond_acts(bond)) {
            f->bonds[f->count++] = (dem_bond){.a = f->indices[bond->a], .b = f->indices[bond->b], .slot = slot};
        }
    }
    find_owners(s);
    find_steps(s);
    return true;
}

/* ---- forces ---- */

static void bear(const dem_system *s, dem_bond *bond, double h, dem_bond_tally *tally) {
    const world_bond *of = bond_in(s, bond);
    const bond_side a = side_of(s, bond->a), b = side_of(s, bond->b);
    abut_vec3 way = neighbour_way(&s->space, s->spheres[bond->a].centre, s->spheres[bond->b].centre);
    bond->load = bond_bear(&of->law, &of->seat, way, &a, &b);
    if (bond->load.breaks) {
        bond->broken = true;
        tally->lost += bond->load.energy;
        ++tally->broke;
        return;
    }
    tally->energy += bond->load.energy;
    tally->damped += h * bond->load.power;
    ++tally->holding;
}

typedef struct job {
    dem_system *s;
    double h;
} job;

static void bear_blocks(void *argument, int32_t begin, int32_t end) {
    const job *j = argument;
    dem_bonds *f = &j->s->bonds;
    for (int32_t block = begin; block < end; ++block) {
        dem_bond_tally tally = {0};
        int32_t first = block * BLOCK, last = f->count - first < BLOCK ? f->count : first + BLOCK;
        for (int32_t i = first; i < last; ++i) {
            if (!f->bonds[i].broken) {
                bear(j->s, &f->bonds[i], j->h, &tally);
            }
        }
        f->tallies[block] = tally;
    }
}

void dem_bonds_bear(dem_system *s, double h) {
    dem_bonds *f = &s->bonds;
    job j = {s, h};
    abut_parallel_for(&s->world->def.parallel, blocks_of(f), 1, bear_blocks, &j);
    f->tally.energy = 0.0;
    f->tally.holding = 0;
    for (int32_t i = 0; i < blocks_of(f); ++i) {
        const dem_bond_tally *t = &f->tallies[i];
        f->tally.energy += t->energy;
        f->tally.damped += t->damped;
        f->tally.lost += t->lost;
        f->tally.holding += t->holding;
        f->tally.broke += t->broke;
    }
}

void dem_bonds_push(const dem_system *s, int32_t body, abut_vec3 *force, abut_vec3 *torque) {
    const dem_bonds *f = &s->bonds;
    for (int32_t k = f->first[body]; k < f->first[body + 1]; ++k) {
        bool second = f->of[k] < 0;
        const dem_bond *bond = &f->bonds[second ? -1 - f->of[k] : f->of[k]];
        if (bond->broken) {
            continue;
        }
        const bond_load *load = &bond->load;
        abut_vec3 turn = abut_add(load->moment, abut_cross(second ? load->arm_b : load->arm_a, load->force));
        *force = second ? abut_sub(*force, load->force) : abut_add(*force, load->force);
        *torque = second ? abut_sub(*torque, turn) : abut_add(*torque, turn);
    }
}

/* ---- results ---- */

void dem_bonds_write(const dem_system *s, bond_list *list) {
    for (int32_t i = 0; i < s->bonds.count; ++i) {
        const dem_bond *from = &s->bonds.bonds[i];
        world_bond *to = &list->bonds[from->slot];
        to->broken = from->broken;
        to->force = from->load.force;
        to->moment = from->load.moment;
        to->tension = from->load.tension;
        to->shear = from->load.shearing;
    }
}

void dem_bonds_release(dem_bonds *bonds) {
    void *blocks[] = {bonds->bonds, bonds->tallies, bonds->first, bonds->of, bonds->indices};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) {
        memory_release(blocks[i]);
    }
}
