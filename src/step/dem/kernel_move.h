/*
 * Sums the forces of pairs on balls and moves the balls, several at a time, for the instruction set in SIMD_LEVEL.
 */
#include "step/dem/kernel.h"
#include "step/dem/lanes.h"

/* Pairs are sorted by A first. So the pairs in which a ball is B come before those in which it is A. */
static void gather_all(dem_system *s, int32_t begin, int32_t end) {
    static const double nothing[4] = {0.0, 0.0, 0.0, 0.0};
    for (int32_t ball = begin; ball < end; ++ball) {
        simd_four force = simd_four_load(nothing), torque = force;
        for (int32_t k = s->other_first[ball]; k < s->other_first[ball + 1]; ++k) {
            const dem_contact *c = dem_contact_of(s, s->others[k]);
            force = simd_four_sub(force, simd_four_load(&c->force.x));
            torque = simd_four_sub(torque, simd_four_scale(c->arm_b, simd_four_load(&c->turn.x)));
        }
        for (int32_t i = s->own[ball]; i < s->own[ball + 1]; ++i) {
            const dem_contact *c = dem_contact_of(s, i);
            force = simd_four_add(force, simd_four_load(&c->force.x));
            torque = simd_four_sub(torque, simd_four_scale(c->arm_a, simd_four_load(&c->turn.x)));
        }
        double sums[8];
        simd_four_store(sums, force);
        simd_four_store(sums + 4, torque);
        s->pushes[ball] = (dem_push){{sums[0], sums[1], sums[2]}, {sums[4], sums[5], sums[6]}};
    }
}

/* ---- the same sums where few near pairs touch ---- */

/* Force and torque of some balls, in rows of four. */
enum { CHUNK = 64 };
typedef struct push_sums {
    double rows[CHUNK][8];
} push_sums;

static void add_contact(double row[8], const dem_contact *c, double sign, double arm) {
    simd_four force = simd_four_scale(sign, simd_four_load(&c->force.x)), torque = simd_four_scale(arm, simd_four_load(&c->turn.x));
    simd_four_store(row, simd_four_add(simd_four_load(row), force));
    simd_four_store(row + 4, simd_four_sub(simd_four_load(row + 4), torque));
}

/* Which pairs touch cannot be predicted. So they are listed without branches, `LISTED` pairs at a time. own: the pairs first <= i < end, in which the balls
 * are A; else others[first] up to others[end - 1], in which they are B. */
static void add_touching(const dem_system *s, bool own, int32_t begin, int32_t first, int32_t end, push_sums *sums) {
    enum { LISTED = 64 };
    for (int32_t last; first < end; first = last) {
        int32_t list[LISTED], count = 0;
        last = end - first < LISTED ? end : first + LISTED;
        for (int32_t k = first; k < last; ++k) {
            int32_t pair = own ? k : s->others[k];
            list[count] = pair;
            count += s->touching[pair] > 0;
        }
        for (int32_t k = 0; k < count; ++k) {
            const dem_near *pair = &s->pairs[list[k]];
            const dem_contact *c = dem_contact_of(s, list[k]);
            add_contact(sums->rows[(own ? pair->a : pair->b) - begin], c, own ? 1.0 : -1.0, own ? c->arm_a : c->arm_b);
        }
    }
}

static void gather_touching(dem_system *s, int32_t begin, int32_t end) {
    push_sums sums = {.rows = {{0.0}}};
    add_touching(s, false, begin, s->other_first[begin], s->other_first[end], &sums);
    add_touching(s, true, begin, s->own[begin], s->own[end], &sums);
    for (int32_t ball = begin; ball < end; ++ball) {
        const double *row = sums.rows[ball - begin];
        s->pushes[ball] = (dem_push){{row[0], row[1], row[2]}, {row[4], row[5], row[6]}};
    }
}

/* Adding zeros of pairs that do not touch changes no sum. */
static void gather(dem_system *s, int32_t begin, int32_t end) {
    const bool all = s->tally.touching > s->pair_count / 2;
    for (int32_t first = begin; first < end; first += CHUNK) {
        int32_t last = end - first < CHUNK ? end : first + CHUNK;
        if (all) {
            gather_all(s, first, last);
        } else {
            gather_touching(s, first, last);
        }
    }
}

/* SIMD_WIDTH balls. */
typedef struct moving {
    const dem_motion *m;
    double *spheres[SIMD_WIDTH], *bodies[SIMD_WIDTH], *frames[SIMD_WIDTH];
    const double *pushes[SIMD_WIDTH], *loads[SIMD_WIDTH], *places[SIMD_WIDTH];
} moving;

typedef struct moving_lanes {
    vectors velocity, spin;
    simd inverse_mass, inverse_inertia;
} moving_lanes;

static void kick(const moving *g, moving_lanes *b) {
    const dem_motion *m = g->m;
    simd half = simd_set(0.5 * m->h), torque_x, torque_z, drag, turn_drag, unused;
    /* a push has six numbers: two overlapping rows of four */
    vectors force = rows_load(g->pushes, 0, &torque_x), rest = rows_load(g->pushes, 2, &torque_z), torque = {torque_x, rest.z, torque_z};
    vectors own = rows_load(g->loads, 0, &drag), own_torque = rows_load(g->loads, 4, &turn_drag);
    vectors acceleration = vectors_plus(rows_load(g->loads, 8, &unused), b->inverse_mass, vectors_sum(force, own));
    vectors turning = vectors_scaled(b->inverse_inertia, vectors_sum(torque, own_torque)), velocity = b->velocity, spin = b->spin;
    for (int times = (m->ends ? 1 : 0) + (m->begins ? 1 : 0); times > 0; --times) {
        velocity = vectors_plus(velocity, half, vectors_minus(acceleration, drag, velocity));
        spin = vectors_plus(spin, half, vectors_minus(turning, turn_drag, spin));
    }
    simd_mask pushed = simd_greater(b->inverse_mass, simd_set(0.0));
    b->velocity = vectors_select(pushed, velocity, b->velocity);
    b->spin = vectors_select(pushed, spin, b->spin);
}

/* Rotates the frames by the angular velocity over the step. The product is a unit quaternion up to rounding error, which one Newton step
 * towards the inverse of its length removes. */
static void turn_frames(const moving *g, vectors spin) {
    vectors half = vectors_scaled(simd_set(0.5 * g->m->h), spin);
    simd sine_over, w, v;
    lanes_turn(vectors_dot(half, half), &sine_over, &w);
    vectors q = vectors_scaled(sine_over, half), p = rows_load((const double *const *)g->frames, 0, &v);
    vectors product = vectors_sum(vectors_plus(vectors_scaled(w, p), v, q), vectors_cross(q, p));
    simd real = simd_sub(simd_mul(w, v), vectors_dot(q, p));
    simd square = simd_add(vectors_dot(product, product), simd_mul(real, real));
    simd scale = simd_sub(simd_set(1.5), simd_mul(simd_set(0.5), square));
    rows_store(g->frames, 0, vectors_scaled(scale, product), simd_mul(scale, real));
}

/* Updates a group. Returns the lanes that are not too far from where the near pairs were listed. */
static unsigned move_group(const moving *g, double limit) {
    const dem_motion *m = g->m;
    moving_lanes b;
    simd radius, unused;
    const double *const *bodies = (const double *const *)g->bodies;
    b.velocity = rows_load(bodies, 0, &b.inverse_mass);
    b.spin = rows_load(bodies, 4, &b.inverse_inertia);
    kick(g, &b);
    rows_store(g->bodies, 0, b.velocity, b.inverse_mass);
    rows_store(g->bodies, 4, b.spin, b.inverse_inertia);
    if (!m->begins) {
        return ALL_LANES;
    }
    vectors centre = vectors_plus(rows_load((const double *const *)g->spheres, 0, &radius), simd_set(m->h), b.velocity);
    rows_store(g->spheres, 0, centre, radius);
    turn_frames(g, b.spin);
    vectors way = vectors_way(rows_load(g->places, 0, &unused), centre);
    simd square = vectors_dot(way, way);
    return simd_bits(simd_greater(simd_set(limit), square)) | simd_bits(simd_equal(simd_set(limit), square));
}

static bool move(const dem_motion *m, int32_t begin, int32_t end) {
    dem_system *s = m->s;
    const dem_load no_load = {.gravity = s->world->def.gravity};
    dem_body body = {.inverse_mass = 0.0};
    dem_sphere sphere = {.radius = 0.0};
    dem_push push = {.force = {0.0, 0.0, 0.0}};
    abut_quat frame = {0.0, 0.0, 0.0, 1.0};
    double limit = 0.25 * s->skin * s->skin;
    bool near = true;
    for (int32_t i = begin; i < end; i += SIMD_WIDTH) {
        moving g = {.m = m};
        for (int j = 0; j < SIMD_WIDTH; ++j) {
            bool here = i + j < end;
            g.bodies[j] = here ? &s->bodies[i + j].velocity.x : &body.velocity.x;
            g.spheres[j] = here ? &s->spheres[i + j].centre.x : &sphere.centre.x;
            g.frames[j] = here ? &s->frames[i + j].x : &frame.x;
            g.pushes[j] = here ? &s->pushes[i + j].force.x : &push.force.x;
            g.loads[j] = here && s->loaded ? &s->loads[i + j].force.x : &no_load.force.x;
            g.places[j] = &s->places[here ? i + j : i].x;
        }
        unsigned fine = move_group(&g, limit), used = end - i < SIMD_WIDTH ? (1u << (end - i)) - 1u : ALL_LANES;
        near = near && (fine & used) == used;
    }
    return near;
}
