/*
 * Forces of balls on each other and on planes: pressure, damping, friction and adhesion of two whole surfaces (solve/pressure.h). Each pair is computed by
 * itself; sums over the pairs of a body, and over all pairs, run in the order of pairs, whatever thread computed them.
 */
#include <math.h>

#include "base/real.h"
#include "step/dem_system.h"

/* Where the two touch. */
typedef struct touch {
    abut_vec3 normal; /* from B into A */
    double overlap, radius;
} touch;

/* False where the two are clearly apart, without a root. */
static bool find_touch(const dem_system *s, const dem_body *a, const dem_body *b, bool touched, touch *t) {
    if (isinf(b->radius)) {
        *t = (touch){b->normal, a->radius - (abut_dot(b->normal, a->centre) - b->offset), a->radius};
        return touched || t->overlap > 0.0;
    }
    abut_vec3 way = neighbour_way(&s->space, b->centre, a->centre);
    double square = abut_length_squared(way), reach = a->radius + b->radius;
    if (!touched && square >= reach * reach) {
        return false;
    }
    double distance = sqrt(square);
    t->normal = distance > 0.0 ? abut_scale(1.0 / distance, way) : abut_make_vec3(0.0, 0.0, 1.0);
    t->overlap = reach - distance;
    t->radius = a->radius * b->radius / reach;
    return true;
}

/* Of A against B where they touch. */
static abut_vec3 velocity_of(const dem_body *a, const dem_body *b, abut_vec3 normal, double arm_a, double arm_b) {
    abut_vec3 turning = abut_add(abut_scale(arm_a, a->angular_velocity), abut_scale(arm_b, b->angular_velocity));
    return abut_sub(abut_sub(a->velocity, b->velocity), abut_cross(turning, normal));
}

typedef struct pressed {
    const abut_pressure_law *law;
    double mass; /* effective */
    double h;
} pressed;

/* The force of damping along the normal, as of abut_pressure_pair(). */
static double damp(const pressed *p, const pressure_disc *disc, double force, double parting, dem_tally *tally) {
    double damping = -2.0 * sqrt(5.0 / 6.0) * p->law->damping * sqrt(p->mass * 2.0 * p->law->modulus * disc->radius) * parting;
    bool may_pull = p->law->damping_pulls || p->law->adhesion != ABUT_ADHESION_NONE;
    damping = may_pull ? damping : real_max(damping, -real_max(force, 0.0));
    tally->damped -= damping * parting * p->h;
    return damping;
}

static abut_vec3 rub(const pressed *p, const pressure_disc *disc, double force, abut_vec3 velocity, double spin, abut_vec3 normal,
                     dem_pair *pair, dem_tally *tally) {
    double stiffness = 8.0 * p->law->shear_modulus * disc->radius;
    pressure_slide slide = {.normal = normal,
                            .way = abut_scale(p->h, velocity),
                            .spin = 0.5 * p->h * spin,
                            .stiffness = stiffness,
                            .limit = p->law->friction * real_max(force + disc->hold, 0.0),
                            .velocity = velocity,
                            .damper = pressure_damper(p->law, p->mass, stiffness)};
    pressure_spring spring = pressure_slide_on(pair->touched ? &pair->memory : NULL, &slide);
    pair->memory.stretch = spring.stretch;
    pair->memory.stiffness = stiffness;
    tally->rubbed += spring.lost;
    tally->damped += p->h * spring.damping;
    tally->spring += pressure_spring_energy(&pair->memory);
    tally->sliding += spring.sliding;
    return spring.force;
}

static void forget(dem_pair *pair, dem_force *f, dem_tally *tally) {
    if (pair->touched) {
        tally->rubbed += pressure_spring_energy(&pair->memory);
        pair->touched = false;
        pair->memory.stiffness = 0.0;
        *f = (dem_force){.arm_a = 0.0};
    }
}

/* Forces of pairs that do not touch are zero and stay so. */
static void press(const dem_system *s, dem_pair *pair, double h, dem_force *out, dem_tally *tally) {
    const dem_body *a = &s->bodies[pair->a], *b = &s->bodies[pair->b];
    touch t;
    if (!find_touch(s, a, b, pair->touched, &t)) {
        return;
    }
    pressed p = {dem_law(s, a->kind, b->kind), 1.0 / (a->inverse_mass + b->inverse_mass), h};
    pressure_disc disc;
    if (!pressure_disc_of(p.law, t.radius, t.overlap, pair->touched, &disc)) {
        forget(pair, out, tally);
        return;
    }
    /* Midway between the surfaces; the arm of a plane has no effect, for it does not turn. */
    dem_force f = {.arm_a = a->radius - 0.5 * t.overlap, .arm_b = isinf(b->radius) ? 0.0 : b->radius - 0.5 * t.overlap};
    abut_vec3 velocity = velocity_of(a, b, t.normal, f.arm_a, f.arm_b);
    double force = disc.pressing - disc.even - disc.brim;
    force += damp(&p, &disc, force, abut_dot(velocity, t.normal), tally);
    f.force = abut_scale(force, t.normal);
    if (p.law->friction > 0.0) {
        double spin = abut_dot(abut_add(a->angular_velocity, b->angular_velocity), t.normal);
        f.force = abut_add(f.force, rub(&p, &disc, force, velocity, spin, t.normal, pair, tally));
    }
    f.turn = abut_cross(t.normal, f.force);
    pair->touched = true;
    pair->memory.normal = t.normal;
    tally->elastic += disc.energy;
    tally->touching++;
    *out = f;
}

typedef struct job {
    dem_system *s;
    double h;
} job;

static void press_blocks(void *argument, int32_t begin, int32_t end) {
    const job *j = argument;
    dem_system *s = j->s;
    for (int32_t block = begin; block < end; ++block) {
        dem_tally tally = {0};
        int32_t first = block * DEM_BLOCK, last = s->pair_count - first < DEM_BLOCK ? s->pair_count : first + DEM_BLOCK;
        for (int32_t i = first; i < last; ++i) {
            press(s, &s->pairs[i], j->h, &s->forces[i], &tally);
        }
        s->block_tallies[block] = tally;
    }
}

static void add_up(dem_system *s, int32_t blocks) {
    dem_tally *sum = &s->tally;
    sum->elastic = sum->spring = 0.0;
    sum->touching = sum->sliding = 0;
    for (int32_t i = 0; i < blocks; ++i) {
        const dem_tally *t = &s->block_tallies[i];
        sum->damped += t->damped;
        sum->rubbed += t->rubbed;
        sum->elastic += t->elastic;
        sum->spring += t->spring;
        sum->touching += t->touching;
        sum->sliding += t->sliding;
    }
}

void dem_forces(dem_system *s, double h) {
    job j = {s, h};
    int32_t blocks = s->pair_count / DEM_BLOCK + (s->pair_count % DEM_BLOCK != 0);
    abut_parallel_for(&s->world->def.parallel, blocks, 2, press_blocks, &j);
    add_up(s, blocks);
    dem_facets_press(s, h);
}

/* A pair comes before another whose lower ball is higher, so that the pairs of a ball are first those in which it is B. */
static dem_push push_of_balls(const dem_system *s, int32_t ball) {
    dem_push sum = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (int32_t k = s->other_first[ball]; k < s->other_first[ball + 1]; ++k) {
        const dem_force *f = &s->forces[s->others[k]];
        sum.force = abut_sub(sum.force, f->force);
        sum.torque = abut_add_scaled(sum.torque, -f->arm_b, f->turn);
    }
    for (int32_t i = s->own[ball]; i < s->own[ball + 1]; ++i) {
        const dem_force *f = &s->forces[i];
        sum.force = abut_add(sum.force, f->force);
        sum.torque = abut_add_scaled(sum.torque, -f->arm_a, f->turn);
    }
    return sum;
}

dem_push dem_push_of(const dem_system *s, int32_t body) {
    const dem_push none = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    dem_push sum = body < s->ball_count ? push_of_balls(s, body) : none;
    if (s->facets.pair_count > 0) {
        dem_facets_push(s, body, &sum.force, &sum.torque);
    }
    return sum;
}
