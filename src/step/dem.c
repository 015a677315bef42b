/*
 * The dem stepper's loop: half of the forces' effect, motion, forces anew, the other half (L. Verlet, 1967, with velocities); near pairs are listed anew when
 * they must be. What the stepper computes with is its own until all went well.
 */
#include "step/dem.h"

#include <time.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/real.h"
#include "step/dem_system.h"
#include "step/fixed.h"
#include "step/report.h"

/* A pair that touches, from one step of the world to the next. */
typedef struct kept_pair {
    dem_pair pair; /* b: whether it is a plane */
    uint32_t generation_a, generation_b;
} kept_pair;

struct dem_stepper {
    dem_system system;
    kept_pair *kept;
    int32_t kept_count, kept_capacity;
};

void dem_release(struct dem_stepper *stepper) {
    if (stepper != NULL) {
        dem_system_release(&stepper->system);
        memory_release(stepper->kept);
        memory_release(stepper);
    }
}

/* ---- from run to run ---- */

enum { KEPT_BYTES = 1 + 1 + 8 + 24 + 24 + 8 + 8 };

static void save_kept(saved_stream *s, kept_pair *k) {
    bool plane = k->pair.b != 0;
    saved_bool(s, &plane);
    k->pair.b = plane;
    saved_bool(s, &k->pair.touched);
    saved_int32(s, &k->pair.memory.surface_a);
    saved_int32(s, &k->pair.memory.surface_b);
    saved_vec3(s, &k->pair.memory.stretch);
    saved_vec3(s, &k->pair.memory.normal);
    saved_real(s, &k->pair.memory.stiffness);
    saved_uint32(s, &k->generation_a);
    saved_uint32(s, &k->generation_b);
}

void dem_save(saved_stream *s, const abut_world *world) {
    int32_t count = world->dem != NULL ? world->dem->kept_count : 0;
    saved_int32(s, &count);
    for (int32_t i = 0; i < count; ++i) {
        kept_pair kept = world->dem->kept[i];
        save_kept(s, &kept);
    }
}

abut_status dem_restore(saved_stream *s, const abut_world *world, struct dem_stepper **stepper) {
    int32_t count = 0;
    if (!saved_count(s, &count, KEPT_BYTES)) {
        return ABUT_ERROR_FORMAT;
    }
    if (count == 0) {
        return ABUT_OK;
    }
    struct dem_stepper *made = memory_allocate(1, sizeof *made);
    if (made == NULL || !array_reserve(&made->kept, &made->kept_capacity, count, sizeof *made->kept)) {
        dem_release(made);
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    for (int32_t i = 0; i < count; ++i) {
        kept_pair *k = &made->kept[i];
        save_kept(s, k);
        const int32_t slots[2] = {k->pair.memory.surface_a, k->pair.memory.surface_b};
        s->broken = s->broken || slots[0] < 0 || slots[0] >= world->body_used || slots[1] < 0 || slots[1] >= world->body_used;
    }
    made->kept_count = count;
    if (s->broken) {
        dem_release(made);
        return ABUT_ERROR_FORMAT;
    }
    *stepper = made;
    return ABUT_OK;
}

/* ---- begin ---- */

/* What pairs remember, unless a body of theirs has gone. */
static bool recall_kept(struct dem_stepper *stepper, const abut_world *world) {
    dem_system *s = &stepper->system;
    s->spare_count = 0;
    if (!array_reserve(&s->spare, &s->spare_capacity, stepper->kept_count + 1, sizeof *s->spare)) {
        return false;
    }
    for (int32_t i = 0; i < stepper->kept_count; ++i) {
        const kept_pair *k = &stepper->kept[i];
        const body *a = &world->bodies[k->pair.memory.surface_a], *b = &world->bodies[k->pair.memory.surface_b];
        if (a->used && b->used && a->generation == k->generation_a && b->generation == k->generation_b) {
            s->spare[s->spare_count++] = k->pair;
        }
    }
    return true;
}

static abut_status prepare(abut_world *world) {
    if (world->dem == NULL) {
        world->dem = memory_allocate(1, sizeof *world->dem);
        if (world->dem == NULL) {
            return ABUT_ERROR_OUT_OF_MEMORY;
        }
    }
    dem_system *s = &world->dem->system;
    s->tally = (dem_tally){0};
    s->lists = 0;
    s->pair_count = 0;
    s->status = ABUT_OK;
    abut_status status = dem_system_gather(s, world);
    if (status == ABUT_OK && !recall_kept(world->dem, world)) {
        status = ABUT_ERROR_OUT_OF_MEMORY;
    }
    return status == ABUT_OK && !dem_pairs_list(s) ? s->status : status;
}

/* ---- motion ---- */

static void kick(dem_system *s, int32_t i, double h) {
    dem_body *b = &s->bodies[i];
    const body *own = &s->world->bodies[b->slot];
    const dem_push *push = &s->pushes[i];
    abut_vec3 acceleration = abut_add_scaled(s->world->def.gravity, b->inverse_mass, abut_add(push->force, own->force));
    abut_vec3 turning = abut_scale(b->inverse_inertia, abut_add(push->torque, own->torque));
    acceleration = abut_add_scaled(acceleration, -own->linear_damping, b->velocity);
    turning = abut_add_scaled(turning, -own->angular_damping, b->angular_velocity);
    b->velocity = abut_add_scaled(b->velocity, h, acceleration);
    b->angular_velocity = abut_add_scaled(b->angular_velocity, h, turning);
}

/* The frame is a unit one but for rounding, which one step of Newton's towards its inverse length takes away. */
static abut_quat turned(abut_quat frame, abut_vec3 angular_velocity, double h) {
    abut_vec3 half = abut_scale(0.5 * h, angular_velocity);
    double sine_over, cosine;
    real_turn(abut_length_squared(half), &sine_over, &cosine);
    abut_quat q = abut_quat_mul(abut_make_quat(sine_over * half.x, sine_over * half.y, sine_over * half.z, cosine), frame);
    double scale = 1.5 - 0.5 * (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return abut_make_quat(scale * q.x, scale * q.y, scale * q.z, scale * q.w);
}

static void drift(dem_system *s, int32_t i, double h) {
    dem_body *b = &s->bodies[i];
    b->centre = abut_add_scaled(b->centre, h, b->velocity);
    s->frames[i] = turned(s->frames[i], b->angular_velocity, h);
    b->offset += isinf(b->radius) ? h * abut_dot(b->normal, b->velocity) : 0.0;
}

/* What happens to bodies between two times at which forces are computed: the second half of the one, the first of the other, and motion. */
typedef struct motion {
    dem_system *s;
    double h;
    bool ends, begins; /* a step: both but for the last and the first */
} motion;

static void move_some(void *argument, int32_t begin, int32_t end) {
    const motion *m = argument;
    dem_system *s = m->s;
    for (int32_t i = begin; i < end; ++i) {
        bool pushed = s->bodies[i].inverse_mass > 0.0 && i < s->ball_count;
        if (pushed) {
            s->pushes[i] = dem_push_of(s, i);
        }
        if (pushed && m->ends) {
            kick(s, i, 0.5 * m->h);
        }
        if (pushed && m->begins) {
            kick(s, i, 0.5 * m->h);
        }
        if (m->begins) {
            drift(s, i, m->h);
        }
    }
}

static void move(dem_system *s, double h, bool ends, bool begins) {
    enum { GRAIN = 256 };
    motion m = {s, h, ends, begins};
    abut_parallel_for(&s->world->def.parallel, s->body_count, GRAIN, move_some, &m);
}

static abut_status go(dem_system *s, double dt, int64_t steps) {
    double h = dt / (double)steps;
    dem_forces(s, 0.0);
    for (int64_t i = 0; i < steps; ++i) {
        move(s, h, i > 0, true);
        if (dem_pairs_are_stale(s) && !dem_pairs_list(s)) {
            return s->status;
        }
        dem_forces(s, h);
    }
    move(s, h, true, false);
    for (int32_t i = 0; i < s->body_count; ++i) {
        const dem_body *b = &s->bodies[i];
        if (!abut_is_finite_vec3(b->centre) || !abut_is_finite_vec3(b->velocity) || !abut_is_finite_vec3(b->angular_velocity)) {
            return ABUT_ERROR_NOT_FINITE;
        }
    }
    return ABUT_OK;
}

static int64_t count_steps(const abut_dem_settings *settings, double dt, double critical) {
    const double most = 1e12;
    double h = settings->step > 0.0 ? settings->step : settings->step_share * critical;
    double steps = h > 0.0 ? ceil(dt / h * (1.0 - 1e-12)) : most;
    return steps < 1.0 ? 1 : steps > most ? (int64_t)most : (int64_t)steps;
}

/* ---- end ---- */

static bool has_room(abut_world *world, struct dem_stepper *stepper) {
    contact_store *next = &world->work.next;
    int32_t count = stepper->system.tally.touching, capacity = next->capacity;
    return array_reserve(&next->contacts, &capacity, count + 1, sizeof *next->contacts) &&
           array_reserve(&next->memory, &next->capacity, count + 1, sizeof *next->memory) &&
           array_reserve(&world->broad.found, &world->broad.found_capacity, count + 1, sizeof *world->broad.found) &&
           array_reserve(&stepper->kept, &stepper->kept_capacity, count + 1, sizeof *stepper->kept);
}

/* The contact as abut_collide() would have it. */
static abut_contact contact_of(const dem_system *s, const dem_pair *pair, const dem_force *f) {
    const dem_body *a = &s->bodies[pair->a], *b = &s->bodies[pair->b];
    abut_vec3 n = pair->memory.normal;
    double overlap = 2.0 * (a->radius - f->arm_a);
    abut_contact c = {.normal = n, .gap = -overlap};
    c.on_a = abut_add_scaled(a->centre, -a->radius, n);
    c.on_b = abut_add_scaled(c.on_a, overlap, n);
    c.feature_a = (abut_feature){.kind = ABUT_FEATURE_SMOOTH};
    c.feature_b = (abut_feature){.kind = isinf(b->radius) ? ABUT_FEATURE_FACE : ABUT_FEATURE_SMOOTH};
    return c;
}

static void write_contacts(abut_world *world, struct dem_stepper *stepper) {
    const dem_system *s = &stepper->system;
    contact_store *next = &world->work.next;
    next->count = world->broad.found_count = stepper->kept_count = 0;
    for (int32_t i = 0; i < s->pair_count; ++i) {
        const dem_pair *pair = &s->pairs[i];
        const dem_force *f = &s->forces[i];
        if (!pair->touched) {
            continue;
        }
        int32_t a = s->bodies[pair->a].slot, b = s->bodies[pair->b].slot;
        double force = abut_dot(f->force, pair->memory.normal);
        kept_pair kept = {*pair, world->bodies[a].generation, world->bodies[b].generation};
        kept.pair.b = pair->b >= s->ball_count;
        stepper->kept[stepper->kept_count++] = kept;
        world->broad.found[world->broad.found_count++] = (broad_pair){
            .a = a, .b = b, .previous = -1, .contact_first = next->count, .contact_count = 1, .normal = pair->memory.normal};
        next->memory[next->count] = (contact_memory){.force = force};
        next->contacts[next->count++] = (abut_world_contact){.a = body_id_of(world, a),
                                                             .b = body_id_of(world, b),
                                                             .contact = contact_of(s, pair, f),
                                                             .normal_force = force,
                                                             .friction_force = abut_add_scaled(f->force, -force, pair->memory.normal)};
    }
}

static void write_bodies(abut_world *world, const dem_system *s) {
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    for (int32_t i = 0; i < s->body_count; ++i) {
        body *body = &world->bodies[s->bodies[i].slot];
        body->force = body->torque = zero;
        body->disturbed = body->asleep = false;
        if (body->kind != ABUT_BODY_STATIC) {
            body->centre = s->bodies[i].centre;
            body->velocity = s->bodies[i].velocity;
            body->angular_velocity = s->bodies[i].angular_velocity;
            body->frame = s->frames[i];
            body_place_shape(body);
        }
    }
}

static double find_residual(const dem_system *s) {
    double most = 0.0, g = abut_length(s->world->def.gravity);
    for (int32_t i = 0; i < s->ball_count; ++i) {
        const dem_body *b = &s->bodies[i];
        if (b->inverse_mass > 0.0) {
            double net = abut_length(abut_add_scaled(s->world->def.gravity, b->inverse_mass, s->pushes[i].force));
            most = real_max(most, g > 0.0 ? net / g : net / b->inverse_mass);
        }
    }
    return most;
}

static double seconds_now(void) {
    struct timespec now;
    return timespec_get(&now, TIME_UTC) == TIME_UTC ? (double)now.tv_sec + 1e-9 * (double)now.tv_nsec : 0.0;
}

abut_status dem_step(abut_world *world, double dt, abut_step_report *report) {
    double begin = seconds_now();
    abut_status status = prepare(world);
    if (status != ABUT_OK) {
        return status;
    }
    dem_system *s = &world->dem->system;
    double paired = seconds_now(), critical = dem_system_critical_step(s);
    int64_t steps = count_steps(&world->def.dem, dt, critical);
    status = go(s, dt, steps);
    if (status == ABUT_OK && !has_room(world, world->dem)) {
        status = ABUT_ERROR_OUT_OF_MEMORY;
    }
    if (status != ABUT_OK) {
        return status;
    }
    abut_dem_report made = {steps, s->lists, critical, s->pair_count, s->tally.sliding, s->tally.elastic, s->tally.spring, s->tally.damped, s->tally.rubbed,
                            find_residual(s)};
    write_contacts(world, world->dem);
    write_bodies(world, s);
    fixed_commit_contacts(world);
    world->step++;
    world->time += dt;
    report_fill(world, report);
    report->dem = made;
    report->candidates = s->pair_count;
    double end = seconds_now();
    report->seconds_broad = paired - begin;
    report->seconds_solve = end - paired;
    report->seconds_total = end - begin;
    return ABUT_OK;
}
