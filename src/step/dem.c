/*
 * The dem stepper's loop: half of the forces' effect, motion, forces anew, the other half (L. Verlet, 1967, with velocities); near pairs are listed anew when
 * they must be. What the stepper computes with is its own until all went well.
 */
#include "step/dem.h"

#include <string.h>
#include <time.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/real.h"
#include "step/dem_kernel.h"
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
    kept_pair *kept;          /* of balls and planes */
    dem_facet_memory *places; /* of pairs with meshes */
    int32_t kept_count, kept_capacity, place_count, place_capacity;
};

void dem_release(struct dem_stepper *stepper) {
    if (stepper != NULL) {
        dem_system_release(&stepper->system);
        memory_release(stepper->kept);
        memory_release(stepper->places);
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

enum { PLACE_BYTES = 6 * 4 + 8 + 24 + 24 + 8 + 24 };

/* What a place does at the moment is computed anew. */
static void save_place(saved_stream *s, dem_facet_memory *m) {
    saved_int32(s, &m->names.rank_a);
    saved_int32(s, &m->names.slot_a);
    saved_int32(s, &m->names.rank_b);
    saved_int32(s, &m->names.slot_b);
    saved_uint32(s, &m->names.generation_a);
    saved_uint32(s, &m->names.generation_b);
    saved_int32(s, &m->region.memory.surface_a);
    saved_int32(s, &m->region.memory.surface_b);
    saved_vec3(s, &m->region.memory.stretch);
    saved_vec3(s, &m->region.memory.normal);
    saved_real(s, &m->region.memory.stiffness);
    saved_vec3(s, &m->region.place);
}

void dem_save(saved_stream *s, const abut_world *world) {
    int32_t kept = world->dem != NULL ? world->dem->kept_count : 0, places = world->dem != NULL ? world->dem->place_count : 0;
    saved_int32(s, &kept);
    for (int32_t i = 0; i < kept; ++i) {
        kept_pair pair = world->dem->kept[i];
        save_kept(s, &pair);
    }
    saved_int32(s, &places);
    for (int32_t i = 0; i < places; ++i) {
        dem_facet_memory place = world->dem->places[i];
        save_place(s, &place);
    }
}

static bool is_slot(const abut_world *world, int32_t slot) { return slot >= 0 && slot < world->body_used; }

static abut_status restore_kept(saved_stream *s, const abut_world *world, struct dem_stepper *made) {
    if (!saved_count(s, &made->kept_count, KEPT_BYTES)) {
        return ABUT_ERROR_FORMAT;
    }
    if (!array_reserve(&made->kept, &made->kept_capacity, made->kept_count + 1, sizeof *made->kept)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    for (int32_t i = 0; i < made->kept_count; ++i) {
        made->kept[i] = (kept_pair){.generation_a = 0};
        save_kept(s, &made->kept[i]);
        const abut_pressure_memory *m = &made->kept[i].pair.memory;
        s->broken = s->broken || !is_slot(world, m->surface_a) || !is_slot(world, m->surface_b);
    }
    return s->broken ? ABUT_ERROR_FORMAT : ABUT_OK;
}

static abut_status restore_places(saved_stream *s, const abut_world *world, struct dem_stepper *made) {
    if (!saved_count(s, &made->place_count, PLACE_BYTES)) {
        return ABUT_ERROR_FORMAT;
    }
    if (!array_reserve(&made->places, &made->place_capacity, made->place_count + 1, sizeof *made->places)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    for (int32_t i = 0; i < made->place_count; ++i) {
        made->places[i] = (dem_facet_memory){.names = {0}};
        save_place(s, &made->places[i]);
        const dem_names *n = &made->places[i].names;
        s->broken = s->broken || !is_slot(world, n->slot_a) || !is_slot(world, n->slot_b);
    }
    return s->broken ? ABUT_ERROR_FORMAT : ABUT_OK;
}

abut_status dem_restore(saved_stream *s, const abut_world *world, struct dem_stepper **stepper) {
    struct dem_stepper *made = memory_allocate(1, sizeof *made);
    if (made == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    abut_status status = restore_kept(s, world, made);
    status = status == ABUT_OK ? restore_places(s, world, made) : status;
    if (status != ABUT_OK) {
        dem_release(made);
        return status;
    }
    *stepper = made;
    return ABUT_OK;
}

/* ---- begin ---- */

/* What pairs remember, unless a body of theirs has gone. */
static bool recall_kept(struct dem_stepper *stepper, const abut_world *world) {
    dem_system *s = &stepper->system;
    s->spare_count = 0;
    dem_facets *f = &s->facets;
    if (!array_reserve(&s->spare, &s->spare_capacity, stepper->kept_count + 1, sizeof *s->spare) ||
        !array_reserve(&f->aside, &f->aside_capacity, stepper->place_count + 1, sizeof *f->aside)) {
        return false;
    }
    f->aside_count = stepper->place_count;
    if (stepper->place_count > 0) {
        memcpy(f->aside, stepper->places, (size_t)stepper->place_count * sizeof *f->aside);
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
    s->facets.tally = (dem_facet_tally){.status = ABUT_OK};
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

/* Of pairs with meshes, on balls. */
static void add_facet_pushes(dem_system *s, int32_t begin, int32_t end) {
    for (int32_t i = begin; i < end && s->facets.pair_count > 0; ++i) {
        dem_facets_push(s, i, &s->pushes[i].force, &s->pushes[i].torque);
    }
}

static void move_some(void *argument, int32_t begin, int32_t end) {
    const dem_motion *m = argument;
    dem_system *s = m->s;
    const dem_kernel_table *kernel = dem_kernel_get();
    int32_t balls = end < s->ball_count ? end : s->ball_count;
    if (begin < balls) {
        kernel->gather(s, begin, balls);
        add_facet_pushes(s, begin, balls);
        if (!kernel->move(m, begin, balls)) {
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
    enum { GRAIN = 256 };
    dem_motion m = {s, h, ends, begins};
    abut_parallel_for(&s->world->def.parallel, s->body_count, GRAIN, move_some, &m);
}

/* longest: of a step, by dem_limit.c. *finer: how many times shorter steps must be for a pair that turned out to be harder than that reckons with; above 1
 * nothing else counts, and 0 where all went well. */
static abut_status go(dem_system *s, double dt, int64_t steps, double longest, double *finer) {
    double h = dt / (double)steps;
    *finer = 0.0;
    dem_forces(s, 0.0);
    for (int64_t i = 0; i < steps && s->status == ABUT_OK; ++i) {
        move(s, h, i > 0, true);
        if (atomic_load_explicit(&s->strayed, memory_order_relaxed) && !dem_pairs_list(s)) {
            return s->status;
        }
        dem_forces(s, h);
        if (s->facets.tally.hardness * h > longest) {
            *finer = s->facets.tally.hardness * h / longest;
            return s->status;
        }
    }
    if (s->status != ABUT_OK) {
        return s->status;
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

static int64_t count_steps(const abut_dem_settings *settings, double dt, double critical, double longest) {
    const double most = 1e12;
    double h = settings->step > 0.0 ? settings->step : real_min(settings->step_share * critical, longest);
    double steps = h > 0.0 ? ceil(dt / h * (1.0 - 1e-12)) : most;
    return steps < 1.0 ? 1 : steps > most ? (int64_t)most : (int64_t)steps;
}

/* ---- end ---- */

static bool has_room(abut_world *world, struct dem_stepper *stepper) {
    contact_store *next = &world->work.next;
    const dem_system *s = &stepper->system;
    int32_t pairs = s->tally.touching + s->facets.tally.touching, count = s->tally.touching + s->facets.tally.regions,
            capacity = next->capacity;
    return array_reserve(&next->contacts, &capacity, count + 1, sizeof *next->contacts) &&
           array_reserve(&next->memory, &next->capacity, count + 1, sizeof *next->memory) &&
           array_reserve(&world->broad.found, &world->broad.found_capacity, pairs + 1, sizeof *world->broad.found) &&
           array_reserve(&stepper->kept, &stepper->kept_capacity, s->tally.touching + 1, sizeof *stepper->kept) &&
           array_reserve(&stepper->places, &stepper->place_capacity, s->facets.tally.regions + 1, sizeof *stepper->places);
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

static void write_ball_contacts(abut_world *world, struct dem_stepper *stepper) {
    const dem_system *s = &stepper->system;
    contact_store *next = &world->work.next;
    for (int32_t i = 0; i < s->pair_count; ++i) {
        const dem_pair *pair = &s->pairs[i];
        const dem_force *f = &s->forces[i];
        if (!pair->touched) {
            continue;
        }
        int32_t a = s->bodies[pair->a].slot, b = s->bodies[pair->b].slot;
        double force = abut_dot(f->force, pair->memory.normal);
        kept_pair kept = {*pair, world->bodies[a].generation, world->bodies[b].generation};
        kept.pair.b = pair->b >= s->round_count;
        stepper->kept[stepper->kept_count++] = kept;
        world->broad.found[world->broad.found_count++] =
            (broad_pair){.a = a, .b = b, .previous = -1, .contact_first = next->count, .contact_count = 1, .normal = pair->memory.normal};
        next->memory[next->count] = (contact_memory){.force = force};
        next->contacts[next->count++] = (abut_world_contact){.a = body_id_of(world, a),
                                                             .b = body_id_of(world, b),
                                                             .contact = contact_of(s, pair, f),
                                                             .normal_force = force,
                                                             .friction_force = abut_add_scaled(f->force, -force, pair->memory.normal)};
    }
}

static abut_feature feature_of(const dem_system *s, int32_t body, int32_t facet) {
    return body < s->ball_count ? (abut_feature){.kind = ABUT_FEATURE_SMOOTH}
                                : (abut_feature){.kind = ABUT_FEATURE_FACE, .index = facet >= 0 ? facet : 0};
}

/* A place where two bodies touch, as one contact at the pressure's own centre. */
static void write_place(abut_world *world, const dem_system *s, const dem_facet_pair *pair, int32_t index) {
    const dem_region *region = &pair->region[index];
    contact_store *next = &world->work.next;
    const dem_body *a = &s->bodies[pair->frame], *b = &s->bodies[pair->guest];
    const abut_vec3 n = region->memory.normal, centre = abut_add(a->centre, region->arm);
    double force = abut_dot(region->force, n);
    abut_contact contact = {.normal = n,
                            .gap = -region->overlap,
                            .area = region->area,
                            .on_a = abut_add_scaled(centre, -0.5 * region->overlap, n),
                            .on_b = abut_add_scaled(centre, 0.5 * region->overlap, n),
                            .feature_a = feature_of(s, pair->frame, region->memory.surface_a),
                            .feature_b = feature_of(s, pair->guest, region->memory.surface_b),
                            .id = (uint64_t)index,
                            .patch = index};
    next->memory[next->count] = (contact_memory){.force = force};
    next->contacts[next->count++] = (abut_world_contact){.a = body_id_of(world, a->slot),
                                                         .b = body_id_of(world, b->slot),
                                                         .contact = contact,
                                                         .normal_force = force,
                                                         .friction_force = abut_add_scaled(region->force, -force, n)};
}

static void write_facet_contacts(abut_world *world, struct dem_stepper *stepper) {
    const dem_system *s = &stepper->system;
    for (int32_t i = 0; i < s->facets.pair_count; ++i) {
        const dem_facet_pair *pair = &s->facets.pairs[i];
        if (pair->region_count > 0) {
            world->broad.found[world->broad.found_count++] = (broad_pair){.a = s->bodies[pair->frame].slot,
                                                                          .b = s->bodies[pair->guest].slot,
                                                                          .previous = -1,
                                                                          .contact_first = world->work.next.count,
                                                                          .contact_count = pair->region_count,
                                                                          .normal = pair->region[0].memory.normal};
        }
        for (int32_t k = 0; k < pair->region_count; ++k) {
            write_place(world, s, pair, k);
        }
    }
    dem_facets_flatten(&s->facets, stepper->places, &stepper->place_count);
}

static void write_contacts(abut_world *world, struct dem_stepper *stepper) {
    world->work.next.count = world->broad.found_count = stepper->kept_count = stepper->place_count = 0;
    write_ball_contacts(world, stepper);
    write_facet_contacts(world, stepper);
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

/* The largest net force of a body over its weight; of a mesh also the net torque, over the ball that holds it. */
static double find_residual(const dem_system *s) {
    double most = 0.0, g = abut_length(s->world->def.gravity);
    for (int32_t i = 0; i < s->round_count; ++i) {
        const dem_body *b = &s->bodies[i];
        if (b->inverse_mass > 0.0) {
            double net = abut_length(abut_add_scaled(s->world->def.gravity, b->inverse_mass, s->pushes[i].force));
            double turning = i < s->ball_count ? 0.0 : b->inverse_mass * abut_length(s->pushes[i].torque) / b->radius;
            net = real_max(net, turning);
            most = real_max(most, g > 0.0 ? net / g : net / b->inverse_mass);
        }
    }
    return most;
}

static double seconds_now(void) {
    struct timespec now;
    return timespec_get(&now, TIME_UTC) == TIME_UTC ? (double)now.tv_sec + 1e-9 * (double)now.tv_nsec : 0.0;
}

static abut_dem_report report_of(const dem_system *s, int64_t steps, double critical) {
    const dem_tally *balls = &s->tally;
    const dem_facet_tally *meshes = &s->facets.tally;
    return (abut_dem_report){.steps = steps,
                             .lists = s->lists,
                             .critical_step = critical,
                             .near = s->pair_count + s->facets.pair_count,
                             .sliding = balls->sliding + meshes->sliding,
                             .elastic_energy = balls->elastic + meshes->elastic,
                             .spring_energy = balls->spring + meshes->spring,
                             .damping_work = balls->damped + meshes->damped,
                             .friction_work = balls->rubbed + meshes->rubbed,
                             .residual = find_residual(s)};
}

/* Nothing of the world has changed until all went well, so that a step can be taken again with shorter ones. */
static abut_status try_step(abut_world *world, double dt, int64_t *steps, double *critical, double *preparing) {
    enum { TRIES = 8 };
    const abut_dem_settings *settings = &world->def.dem;
    double finer = 1.0;
    *steps = 1;
    for (int i = 0; i < TRIES && finer > 0.0; ++i) {
        double begin = seconds_now();
        abut_status status = prepare(world);
        *preparing += seconds_now() - begin;
        if (status != ABUT_OK) {
            return status;
        }
        dem_system *s = &world->dem->system;
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
    double begin = seconds_now(), critical, preparing = 0.0;
    int64_t steps;
    abut_status status = try_step(world, dt, &steps, &critical, &preparing);
    if (status == ABUT_OK && !has_room(world, world->dem)) {
        status = ABUT_ERROR_OUT_OF_MEMORY;
    }
    if (status != ABUT_OK) {
        return status;
    }
    const dem_system *s = &world->dem->system;
    abut_dem_report made = report_of(s, steps, critical);
    write_contacts(world, world->dem);
    write_bodies(world, s);
    fixed_commit_contacts(world);
    world->step++;
    world->time += dt;
    report_fill(world, report);
    report->dem = made;
    report->candidates = made.near;
    double end = seconds_now();
    report->seconds_broad = preparing;
    report->seconds_solve = end - begin - preparing;
    report->seconds_total = end - begin;
    return ABUT_OK;
}
