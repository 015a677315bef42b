/*
 * Forces of pairs of balls, and of balls with planes, several pairs at a time, for the instruction set in SIMD_LEVEL: Hertz's pressure,
 * damping along the normal, and a spring with a damper across it. The law is that of solve/pressure/disc.c and solve/pressure/slide.c.
 * Discs with adhesion, capillary bridges (solve/pressure/bridge.c), and the springs against rolling and twisting (solve/pressure/roll.c) are
 * computed there, one by one. Sums over pairs use the same number of lanes on every machine. Forces act on A; normals point from B into A.
 */
#include <stddef.h>

#include "step/dem/kernel.h"
#include "step/dem/lanes.h"

/* Number of lanes of the sums, independent of the vector width. Touching pairs are assigned to them in turn. */
enum { SUM_LANES = DEM_LIST - DEM_BLOCK };

typedef struct press_sums {
    double elastic[SUM_LANES], spring[SUM_LANES], damped[SUM_LANES], rubbed[SUM_LANES];
} press_sums;

static void add_to(double *sum, simd_mask here, simd value) {
    simd_store(sum, simd_add(simd_load(sum), simd_select(here, value, simd_set(0.0))));
}

static double sum_of(const double lanes[SUM_LANES]) {
    double sum = 0.0;
    for (int j = 0; j < SUM_LANES; ++j) {
        sum += lanes[j];
    }
    return sum;
}

/* ---- near pairs ---- */

/* Removes the nearest whole number of period lengths, for balls that may have crossed the periodic space any number of times. Adding and
 * subtracting `whole` rounds the quotient to an integer. */
static simd wrapped_along(simd way, double lower, double upper) {
    const double whole = 6755399441055744.0; /* 1.5 * 2^52: doubles of this size are integers */
    simd length = simd_set(upper - lower), times = simd_sub(simd_add(simd_div(way, length), simd_set(whole)), simd_set(whole));
    return simd_sub(way, simd_mul(times, length));
}

static vectors wrapped_in(const neighbour_space *space, vectors way) {
    if (space->periodic[0]) {
        way.x = wrapped_along(way.x, space->lower.x, space->upper.x);
    }
    if (space->periodic[1]) {
        way.y = wrapped_along(way.y, space->lower.y, space->upper.y);
    }
    if (space->periodic[2]) {
        way.z = wrapped_along(way.z, space->lower.z, space->upper.z);
    }
    return way;
}

/* Same as neighbour_way(). */
static inline vectors wrapped(const neighbour_space *space, vectors way) {
    return space->periodic[0] || space->periodic[1] || space->periodic[2] ? wrapped_in(space, way) : way;
}

/* The lanes whose centres are nearer than the sum of the radii; lanes with planes are always included. */
static unsigned are_near(const dem_system *s, const int32_t *numbers) {
    const double *a[SIMD_WIDTH], *b[SIMD_WIDTH];
    for (int j = 0; j < SIMD_WIDTH; ++j) {
        const dem_near *pair = &s->pairs[numbers[j]];
        a[j] = &s->spheres[pair->a].centre.x;
        b[j] = &s->spheres[pair->b].centre.x;
    }
    simd radius_a, radius_b;
    vectors centre_a = rows_load(a, 0, &radius_a), centre_b = rows_load(b, 0, &radius_b),
            way = wrapped(&s->space, vectors_way(centre_b, centre_a));
    simd reach = simd_add(radius_a, radius_b);
    return simd_bits(simd_greater(simd_mul(reach, reach), vectors_dot(way, way)));
}

/* Repeats the last of `count` numbers to fill whole vectors of any width. */
static void pad(int32_t *numbers, int32_t count) {
    for (int32_t i = count; i < count + SUM_LANES && count > 0; ++i) {
        numbers[i] = numbers[count - 1];
    }
}

/* Lists the pairs to compute: first those that touched before, then those that have come near. Padded. Returns their number. */
static int32_t find_near(const dem_system *s, int32_t first, int32_t end, int32_t list[DEM_LIST]) {
    int32_t apart[DEM_LIST], count = 0, others = 0;
    for (int32_t i = first; i < end; ++i) {
        int32_t touched = s->touching[i] > 0;
        list[count] = apart[others] = i;
        count += touched;
        others += 1 - touched;
    }
    pad(apart, others);
    for (int32_t k = 0; k < others; k += SIMD_WIDTH) {
        unsigned near = are_near(s, apart + k);
        for (int j = 0; j < SIMD_WIDTH && k + j < others; ++j) {
            list[count] = apart[k + j];
            count += (int32_t)(near >> j & 1u);
        }
    }
    pad(list, count);
    return count;
}

/* ---- contacts ---- */

/* SIMD_WIDTH contacts. */
typedef struct group {
    dem_system *s;
    dem_block *block;
    double h;
    const int32_t *numbers; /* of the pairs */
    const dem_near *pairs[SIMD_WIDTH];
    dem_contact *contacts[SIMD_WIDTH]; /* the first one of the block for pairs that did not touch before, until they have one */
    int32_t laws[SIMD_WIDTH];
    int32_t count; /* lanes in use */
    int32_t sliding;
    double pull[SIMD_WIDTH],
        formed[SIMD_WIDTH]; /* of capillary bridges: force, and energy that is lost when they form; unused where no law has them */
} group;

/* Whether the pair touched before. */
static bool touched(const group *g, int lane) { return g->contacts[lane] != g->block->contacts; }

typedef struct contact_lanes {
    simd_mask touching;
    vectors normal;
    simd overlap, radius; /* radius: effective, 1 / (1 / R_a + 1 / R_b) */
    simd arm_a, arm_b;
    simd disc;  /* radius of the contact disc */
    simd force; /* along the normal */
    simd hold;  /* added to the force in the friction limit (adhesion) */
    simd energy;
    simd root;        /* sqrt(effective mass * disc radius) */
    vectors velocity; /* of A relative to B, at the contact */
    simd parting;     /* velocity along the normal; positive: parting */
    simd spin;        /* sum of both angular velocities about the normal */
} contact_lanes;

typedef struct law_lanes {
    simd pressing, damper, slide_damper, shear, friction;
    simd_mask pulls;
} law_lanes;

static law_lanes law_of_all(const dem_law_row *row) {
    return (law_lanes){simd_set(row->pressing), simd_set(row->damper),   simd_set(row->slide_damper),
                       simd_set(row->shear),    simd_set(row->friction), simd_greater(simd_set(row->pulls), simd_set(0.0))};
}

static law_lanes laws_of(const group *g) {
    const double *rows[SIMD_WIDTH];
    law_lanes l;
    simd unused;
    for (int j = 0; j < SIMD_WIDTH; ++j) {
        rows[j] = &g->s->law_rows[g->laws[j]].pressing;
    }
    vectors first = rows_load(rows, 0, &l.shear), second = rows_load(rows, 4, &unused);
    l.pressing = first.x;
    l.damper = first.y;
    l.slide_damper = first.z;
    l.friction = second.x;
    l.pulls = simd_greater(second.y, simd_set(0.0));
    return l;
}

/* Replaces normal, overlap and radius in lanes with a plane. */
static void meet_planes(const group *g, simd_mask plane, vectors centre_a, simd radius_a, contact_lanes *c) {
    const double *rows[SIMD_WIDTH];
    for (int j = 0; j < SIMD_WIDTH; ++j) { /* of lanes without a plane, any row */
        int32_t b = g->pairs[j]->b;
        rows[j] = dem_is_plane(g->s, b) ? &dem_plane_of(g->s, b)->normal.x : &g->s->planes[0].normal.x;
    }
    simd offset;
    vectors normal = rows_load(rows, 0, &offset);
    simd overlap = simd_sub(radius_a, simd_sub(vectors_dot(normal, centre_a), offset));
    c->normal = vectors_select(plane, normal, c->normal);
    c->overlap = simd_select(plane, overlap, c->overlap);
    c->radius = simd_select(plane, radius_a, c->radius);
}

/* Computes normal, overlap, arms and relative velocities. */
static void meet(const group *g, contact_lanes *c) {
    const dem_system *s = g->s;
    const double *place_a[SIMD_WIDTH], *place_b[SIMD_WIDTH], *a[SIMD_WIDTH], *b[SIMD_WIDTH];
    for (int j = 0; j < SIMD_WIDTH; ++j) {
        place_a[j] = &s->spheres[g->pairs[j]->a].centre.x;
        place_b[j] = &s->spheres[g->pairs[j]->b].centre.x;
        a[j] = &s->bodies[g->pairs[j]->a].velocity.x;
        b[j] = &s->bodies[g->pairs[j]->b].velocity.x;
    }
    simd zero = simd_set(0.0), half = simd_set(0.5), radius_a, radius_b, mass_a, mass_b, unused;
    vectors centre_a = rows_load(place_a, 0, &radius_a), centre_b = rows_load(place_b, 0, &radius_b),
            way = wrapped(&s->space, vectors_way(centre_b, centre_a));
    simd distance = simd_sqrt(vectors_dot(way, way)), reach = simd_add(radius_a, radius_b);
    c->normal =
        vectors_select(simd_greater(distance, zero), vectors_scaled(simd_div(simd_set(1.0), distance), way), vectors_set(0.0, 0.0, 1.0));
    c->overlap = simd_sub(reach, distance);
    c->radius = simd_div(simd_mul(radius_a, radius_b), reach);
    simd_mask plane = simd_equal(radius_b, simd_set(INFINITY));
    if (simd_bits(plane) != 0u) {
        meet_planes(g, plane, centre_a, radius_a, c);
    }
    /* The contact lies midway between the surfaces. A plane does not turn, so its arm is 0. */
    c->arm_a = simd_sub(radius_a, simd_mul(half, c->overlap));
    c->arm_b = simd_select(plane, zero, simd_sub(radius_b, simd_mul(half, c->overlap)));
    vectors velocity_a = rows_load(a, 0, &mass_a), velocity_b = rows_load(b, 0, &mass_b);
    vectors spin_a = rows_load(a, 4, &unused), spin_b = rows_load(b, 4, &unused);
    vectors turning = vectors_plus(vectors_scaled(c->arm_a, spin_a), c->arm_b, spin_b);
    c->velocity = vectors_way(vectors_cross(turning, c->normal), vectors_way(velocity_b, velocity_a));
    c->parting = vectors_dot(c->velocity, c->normal);
    c->spin = vectors_dot(vectors_sum(spin_a, spin_b), c->normal);
    c->root = simd_add(mass_a, mass_b); /* holds the sum of the inverse masses until press_discs() */
}

/* Computes discs with adhesion, replacing Hertz's. */
static void adhere(const group *g, contact_lanes *c) {
    double overlap[SIMD_WIDTH], radius[SIMD_WIDTH], a[SIMD_WIDTH], force[SIMD_WIDTH], hold[SIMD_WIDTH], energy[SIMD_WIDTH],
        touching[SIMD_WIDTH];
    simd_store(overlap, c->overlap);
    simd_store(radius, c->radius);
    simd_store(a, c->disc);
    simd_store(force, c->force);
    simd_store(hold, c->hold);
    simd_store(energy, c->energy);
    for (int j = 0; j < SIMD_WIDTH; ++j) {
        const abut_pressure_law *law = &g->s->laws[g->laws[j]];
        touching[j] = overlap[j] > 0.0 ? 1.0 : 0.0;
        if (law->adhesion != ABUT_ADHESION_NONE) {
            pressure_disc disc;
            touching[j] = pressure_disc_of(law, radius[j], overlap[j], touched(g, j), &disc) ? 1.0 : 0.0;
            a[j] = disc.radius;
            force[j] = disc.pressing - disc.even - disc.brim;
            hold[j] = disc.hold;
            energy[j] = disc.energy;
        }
    }
    c->touching = simd_greater(simd_load(touching), simd_set(0.0));
    c->disc = simd_load(a);
    c->force = simd_load(force);
    c->hold = simd_load(hold);
    c->energy = simd_load(energy);
}

/* Computes contacts of the linear law, replacing Hertz's: its rows are for a disc of the radius 1. The damper along the normal gets its
 * factors for this step. root: still the sum of the inverse masses. */
static void stiffen(const group *g, law_lanes *law, contact_lanes *c) {
    double linear[SIMD_WIDTH], damper[SIMD_WIDTH], inverse[SIMD_WIDTH], overlap[SIMD_WIDTH], parting[SIMD_WIDTH];
    simd_store(damper, law->damper);
    simd_store(inverse, c->root);
    simd_store(overlap, c->overlap);
    simd_store(parting, c->parting);
    for (int j = 0; j < SIMD_WIDTH; ++j) {
        linear[j] = g->s->law_rows[g->laws[j]].linear;
        if (linear[j] > 0.0) {
            double mass = 1.0 / inverse[j], root = sqrt(mass), lag = pressure_lag(damper[j] * root, mass, g->h);
            double begun = touched(g, j) ? 1.0 : pressure_begun(lag * damper[j] * root, mass, overlap[j], parting[j], g->h);
            damper[j] *= lag * begun;
        }
    }
    simd_mask here = simd_greater(simd_load(linear), simd_set(0.0));
    simd force = simd_mul(law->pressing, c->overlap);
    law->damper = simd_load(damper);
    c->disc = simd_select(here, simd_set(1.0), c->disc);
    c->force = simd_select(here, force, c->force);
    c->energy = simd_select(here, simd_mul(simd_set(0.5), simd_mul(force, c->overlap)), c->energy);
}

/* Computes capillary bridges. Where there is nothing but a bridge, the disc is 0, and with it friction and damping. */
static void wet(group *g, contact_lanes *c) {
    double overlap[SIMD_WIDTH], radius[SIMD_WIDTH], touching[SIMD_WIDTH], energy[SIMD_WIDTH], dry[SIMD_WIDTH];
    simd zero = simd_set(0.0);
    simd_store(overlap, c->overlap);
    simd_store(radius, c->radius);
    simd_store(dry, simd_select(c->touching, simd_set(1.0), zero));
    for (int j = 0; j < SIMD_WIDTH; ++j) {
        pressure_bridge bridge = {.pull = 0.0};
        bool bridged = (dry[j] > 0.0 || touched(g, j)) && pressure_bridge_of(&g->s->laws[g->laws[j]], radius[j], -overlap[j], &bridge);
        touching[j] = bridged ? 1.0 : dry[j];
        energy[j] = bridge.energy;
        g->pull[j] = bridge.pull;
        g->formed[j] = touched(g, j) ? 0.0 : bridge.formed;
    }
    simd_mask presses = c->touching;
    c->disc = simd_select(presses, c->disc, zero);
    c->force = simd_select(presses, c->force, zero);
    c->hold = simd_select(presses, c->hold, zero);
    c->energy = simd_add(simd_select(presses, c->energy, zero), simd_load(energy));
    c->touching = simd_greater(simd_load(touching), zero);
}

/* Pressure without damping. */
static void press_discs(group *g, law_lanes *law, contact_lanes *c) {
    c->disc = simd_sqrt(simd_mul(c->radius, c->overlap));
    c->force = simd_mul(simd_mul(law->pressing, c->disc), c->overlap);
    c->energy = simd_mul(simd_set(0.4), simd_mul(c->force, c->overlap));
    c->hold = simd_set(0.0);
    c->touching = simd_greater(c->overlap, simd_set(0.0));
    if (g->s->other_laws) {
        adhere(g, c);
        stiffen(g, law, c);
        if (g->s->wets) {
            wet(g, c);
        }
    }
    c->touching = simd_both(c->touching, lanes_below(g->count));
    c->root = simd_sqrt(simd_div(c->disc, c->root));
}

static simd positive(simd x) { return simd_max(x, simd_set(0.0)); }

/* Adds the damping force along the normal (Tsuji and others, 1992), limited so that the total force does not pull. */
static void damp(const group *g, const law_lanes *law, contact_lanes *c, double *damped) {
    simd zero = simd_set(0.0), damping = simd_mul(simd_mul(simd_sub(zero, law->damper), c->root), c->parting);
    damping = simd_select(law->pulls, damping, simd_max(damping, simd_sub(zero, positive(c->force))));
    c->force = simd_add(c->force, damping);
    add_to(damped, c->touching, simd_mul(simd_sub(zero, simd_mul(damping, c->parting)), simd_set(g->h)));
}

/* ---- friction ---- */

/* The friction spring. */
typedef struct spring_lanes {
    simd_mask rubs;
    vectors stretch, normal; /* as remembered, then current */
    simd stiffness;          /* as remembered, then current */
    simd limit;
    simd lost;   /* energy lost to friction */
    simd square; /* square of the stretch */
} spring_lanes;

/* Rotates the spring with the contact: by the least rotation from the old normal n to the new normal n', then by half of both bodies' spin.
 * If the stiffness has grown, the force is kept; if it has shrunk, the stretch is kept. A vector x perpendicular to n is rotated to x - (n'
 * . x) / (1 + n . n') (n + n'). */
static void turn(const group *g, const contact_lanes *c, simd stiffness, spring_lanes *s) {
    simd zero = simd_set(0.0), one = simd_set(1.0), half = simd_set(0.5), cosine = vectors_dot(s->normal, c->normal), sine_over, of_spin;
    simd_mask held = simd_greater(s->stiffness, zero), same = simd_both(held, simd_greater(cosine, simd_set(-0.999)));
    simd kept = simd_select(same, simd_min(one, simd_div(s->stiffness, stiffness)), zero), square = vectors_dot(s->stretch, s->stretch);
    simd freed = simd_sub(s->stiffness, simd_mul(stiffness, simd_mul(kept, kept)));
    s->lost = simd_select(held, positive(simd_mul(simd_mul(half, square), freed)), zero);
    simd share = simd_div(vectors_dot(s->stretch, c->normal), simd_add(one, cosine));
    vectors turned = vectors_minus(s->stretch, share, vectors_sum(s->normal, c->normal));
    simd angle = simd_mul(simd_set(0.5 * g->h), c->spin);
    lanes_turn(simd_mul(angle, angle), &sine_over, &of_spin);
    turned = vectors_plus(vectors_scaled(of_spin, turned), simd_mul(angle, sine_over), vectors_cross(c->normal, turned));
    s->stretch = vectors_select(same, vectors_scaled(kept, turned), vectors_set(0.0, 0.0, 0.0));
    s->normal = c->normal;
    s->stiffness = stiffness;
}

/* Adds the motion of this step to the stretch and limits it by the friction limit. Returns the sliding lanes. */
static simd_mask stretch(const group *g, const contact_lanes *c, spring_lanes *s) {
    s->stretch = vectors_plus(s->stretch, simd_set(g->h), c->velocity);
    s->stretch = vectors_minus(s->stretch, vectors_dot(s->stretch, c->normal), c->normal);
    s->square = vectors_dot(s->stretch, s->stretch);
    simd k = s->stiffness;
    simd_mask sliding = simd_greater(simd_mul(simd_mul(k, k), s->square), simd_mul(s->limit, s->limit));
    if (simd_bits(sliding) != 0u) {
        simd force = simd_mul(k, simd_sqrt(s->square)), scale = simd_div(s->limit, force);
        simd lost = simd_add(s->lost, simd_div(simd_mul(s->limit, simd_sub(force, s->limit)), k));
        s->lost = simd_select(sliding, lost, s->lost);
        s->stretch = vectors_select(sliding, vectors_scaled(scale, s->stretch), s->stretch);
        s->square = simd_select(sliding, simd_mul(simd_mul(scale, scale), s->square), s->square);
    }
    return sliding;
}

/* The force of the spring and, unless it slides, of the damper. Their sum is at most the friction limit. *power: power of the damper. */
static vectors pull(const law_lanes *law, const contact_lanes *c, const spring_lanes *s, simd_mask sliding, simd *power) {
    vectors held = vectors_scaled(simd_sub(simd_set(0.0), s->stiffness), s->stretch),
            across = vectors_minus(c->velocity, c->parting, c->normal);
    vectors both = vectors_minus(held, simd_mul(law->slide_damper, c->root), across);
    simd square = vectors_dot(both, both);
    simd_mask more = simd_greater(square, simd_mul(s->limit, s->limit));
    if (simd_bits(more) != 0u) {
        both = vectors_select(more, vectors_scaled(simd_div(s->limit, simd_sqrt(square)), both), both);
    }
    vectors force = vectors_select(sliding, held, both);
    *power = vectors_dot(vectors_way(force, held), across);
    return force;
}

/* Returns the friction force and advances the spring. */
static vectors rub(group *g, const law_lanes *law, const contact_lanes *c, spring_lanes *s, press_sums *sums, int at) {
    simd_mask rubs = simd_greater(law->friction, simd_set(0.0)), here = simd_both(rubs, c->touching);
    vectors none = vectors_set(0.0, 0.0, 0.0);
    if (simd_bits(here) == 0u) {
        return none;
    }
    spring_lanes before = *s;
    simd power;
    s->limit = simd_mul(law->friction, positive(simd_add(c->force, c->hold)));
    turn(g, c, simd_mul(law->shear, c->disc), s);
    simd_mask sliding = stretch(g, c, s);
    vectors force = pull(law, c, s, sliding, &power);
    add_to(sums->rubbed + at, here, s->lost);
    add_to(sums->damped + at, here, simd_mul(simd_set(g->h), power));
    add_to(sums->spring + at, here, simd_mul(simd_mul(simd_set(0.5), s->stiffness), s->square));
    for (unsigned bits = simd_bits(simd_both(sliding, here)); bits != 0u; bits &= bits - 1u) {
        ++g->sliding;
    }
    s->stretch = vectors_select(rubs, s->stretch, before.stretch);
    s->stiffness = simd_select(rubs, s->stiffness, before.stiffness);
    return vectors_select(rubs, force, none);
}

/* ---- rolling and twisting ---- */

/* Advances the springs of one contact against rolling and twisting. */
static void roll_one(const group *g, int lane, const pressure_roll *roll, press_sums *sums, int at) {
    dem_system *s = g->s;
    const dem_contact *contact = g->contacts[lane];
    dem_roll *rolled = &g->block->rolls[contact - g->block->contacts];
    if (!(roll->stiffness > 0.0)) { /* nothing but a bridge */
        sums->rubbed[at + lane] += pressure_roll_energy(rolled->stretch, rolled->stiffness);
        *rolled = (dem_roll){.stiffness = 0.0};
        return;
    }
    const pressure_turned before = {contact->normal, rolled->stretch, rolled->stiffness};
    pressure_rolled now = pressure_roll_on(&s->laws[g->laws[lane]], rolled->stiffness > 0.0 ? &before : NULL, roll);
    *rolled = (dem_roll){.stretch = now.roll, .stiffness = roll->stiffness, .moment = now.moment};
    sums->spring[at + lane] += pressure_roll_energy(now.roll, roll->stiffness);
    sums->rubbed[at + lane] += now.lost;
    sums->damped[at + lane] += g->h * now.damping;
}

/* Before the normals of the last step are overwritten. */
static void roll(const group *g, unsigned touching, const contact_lanes *c, press_sums *sums, int at) {
    double x[SIMD_WIDTH], y[SIMD_WIDTH], z[SIMD_WIDTH], disc[SIMD_WIDTH], force[SIMD_WIDTH], radius[SIMD_WIDTH], spin[SIMD_WIDTH];
    simd_store(x, c->normal.x);
    simd_store(y, c->normal.y);
    simd_store(z, c->normal.z);
    simd_store(disc, c->disc);
    simd_store(force, positive(simd_add(c->force, c->hold)));
    simd_store(radius, c->radius);
    simd_store(spin, c->spin);
    for (int j = 0; j < SIMD_WIDTH; ++j) {
        const dem_near *pair = g->pairs[j];
        const dem_body *a = &g->s->bodies[pair->a], *b = &g->s->bodies[pair->b];
        if ((touching >> j & 1u) != 0u && pressure_law_rolls(&g->s->laws[g->laws[j]])) {
            pressure_roll now = {.normal = {x[j], y[j], z[j]},
                                 .turning = abut_sub(a->angular_velocity, b->angular_velocity),
                                 .spin = 0.5 * g->h * spin[j],
                                 .radius = radius[j],
                                 .stiffness = g->s->law_rows[g->laws[j]].shear * disc[j],
                                 .force = force[j],
                                 .mass = 1.0 / (a->inverse_mass + b->inverse_mass),
                                 .time_step = g->h};
            roll_one(g, j, &now, sums, at);
        }
    }
}

/* ---- all ---- */

/* Lanes without a contact write to a dummy row. */
static void write_lanes(const group *g, unsigned touching, const contact_lanes *c, vectors force, vectors turn,
                        const spring_lanes *spring) {
    dem_contact scratch;
    double *forces[SIMD_WIDTH], *stretches[SIMD_WIDTH], *normals[SIMD_WIDTH];
    for (int j = 0; j < SIMD_WIDTH; ++j) {
        dem_contact *to = (touching >> j & 1u) != 0u ? g->contacts[j] : &scratch;
        forces[j] = &to->force.x;
        stretches[j] = &to->stretch.x;
        normals[j] = &to->normal.x;
    }
    rows_store(forces, 0, force, c->arm_a);
    rows_store(forces, 4, turn, c->arm_b);
    rows_store(stretches, 0, spring->stretch, c->normal.x);
    rows_store(normals, 0, c->normal, spring->stiffness);
}

/* Gives the pairs that touch now contacts without a memory. */
static void claim(group *g, unsigned touching) {
    for (int j = 0; j < SIMD_WIDTH; ++j) {
        if ((touching >> j & 1u) != 0u && !touched(g, j)) {
            dem_block *block = g->block;
            int32_t at = ++block->count;
            block->contacts[at] = (dem_contact){.pair = g->numbers[j]};
            if (g->s->rolls) {
                block->rolls[at] = (dem_roll){.stiffness = 0.0};
            }
            g->contacts[j] = &block->contacts[at];
            g->s->touching[g->numbers[j]] = (uint16_t)at;
        }
    }
}

static unsigned press_group(group *g, press_sums *sums, int at) {
    contact_lanes c;
    law_lanes law = g->s->kind_count == 1 ? law_of_all(g->s->law_rows) : laws_of(g);
    spring_lanes spring;
    const double *stretches[SIMD_WIDTH], *normals[SIMD_WIDTH];
    simd unused;
    for (int j = 0; j < SIMD_WIDTH; ++j) {
        stretches[j] = &g->contacts[j]->stretch.x;
        normals[j] = &g->contacts[j]->normal.x;
    }
    meet(g, &c);
    press_discs(g, &law, &c);
    unsigned touching = simd_bits(c.touching);
    if (touching == 0u) {
        return 0u;
    }
    add_to(sums->elastic + at, c.touching, c.energy);
    damp(g, &law, &c, sums->damped + at);
    spring.stretch = rows_load(stretches, 0, &unused);
    spring.normal = rows_load(normals, 0, &spring.stiffness);
    vectors across = rub(g, &law, &c, &spring, sums, at);
    claim(g, touching);
    if (g->s->rolls) {
        roll(g, touching, &c, sums, at);
    }
    if (g->s->wets) {
        add_to(sums->rubbed + at, c.touching, simd_load(g->formed));
        c.force = simd_sub(c.force, simd_load(g->pull));
    }
    vectors force = vectors_plus(across, c.force, c.normal);
    write_lanes(g, touching, &c, force, vectors_cross(c.normal, across), &spring);
    return touching;
}

static void begin_group(group *g, const int32_t *numbers, int32_t count) {
    const dem_system *s = g->s;
    g->numbers = numbers;
    g->count = count < SIMD_WIDTH ? count : SIMD_WIDTH;
    for (int j = 0; j < SIMD_WIDTH; ++j) {
        g->pairs[j] = &s->pairs[numbers[j]];
        g->contacts[j] = &g->block->contacts[s->touching[numbers[j]]];
    }
    for (int j = 0; j < SIMD_WIDTH && s->kind_count > 1; ++j) {
        g->laws[j] = dem_law_index(s, g->pairs[j]);
    }
}

static void press(dem_system *s, double h, dem_block *block, const int32_t list[DEM_LIST], int32_t count) {
    press_sums sums = {.elastic = {0.0}};
    dem_tally *tally = &block->tally;
    group g = {.s = s, .block = block, .h = h};
    for (int32_t k = 0; k < count; k += SIMD_WIDTH) {
        begin_group(&g, list + k, count - k);
        unsigned touching = press_group(&g, &sums, k % SUM_LANES);
        for (int j = 0; j < g.count; ++j) {
            if ((touching >> j & 1u) != 0u) {
                ++tally->touching;
            } else {
                dem_forget(s, list[k + j], tally);
            }
        }
    }
    tally->sliding += g.sliding;
    tally->elastic += sum_of(sums.elastic);
    tally->spring += sum_of(sums.spring);
    tally->damped += sum_of(sums.damped);
    tally->rubbed += sum_of(sums.rubbed);
}
