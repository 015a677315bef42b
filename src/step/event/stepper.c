/*
 * The loop of the event stepper ([B90]): contacts and impulses at them, an integration step with the forces of the resting contacts, the
 * search for events that the step went past, and a shorter step up to the first of them.
 */
#include "step/event/stepper.h"

#include "base/argument.h"
#include "base/array.h"
#include "base/clock.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "base/real.h"
#include "step/event/candidates.h"
#include "step/event/contacts.h"
#include "step/event/holds.h"
#include "step/event/impulse.h"
#include "step/event/integrate.h"
#include "step/event/kept.h"
#include "step/event/pairs.h"
#include "step/event/passage.h"
#include "step/event/search.h"
#include "step/event/time.h"
#include "step/world/finish.h"

/* Integration steps in one step of the world, kept or rejected, for each event that event_limit allows. */
enum { EVENT_STEPS_PER_EVENT = 100 };

struct event_stepper {
    event_system system;
    event_integrator integrator;
    event_search search;
    event_state *trial;
    event_contacts contacts;
    event_kept kept;
    int32_t trial_capacity;
    double shortest;  /* shortest step taken [time] */
    double longest;   /* the longest one that the motion allowed so far in this step of the world [time] */
    double step;      /* the step that the error of the last one allows [time]; 0 at first */
    int32_t passages; /* since the last longer step */
};

void event_release(struct event_stepper *stepper) {
    if (stepper == NULL) {
        return;
    }
    event_system *s = &stepper->system;
    void *blocks[] = {s->bodies, s->parts, s->first_part, s->pairs,   s->state,    s->rows,       s->force,
                      s->masses, s->lines, s->from_lines, s->q,       s->z,        s->left_out,   s->rates,
                      s->places, s->begin, s->motions,    s->torques, s->contacts, stepper->trial};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) {
        memory_release(blocks[i]);
    }
    memory_release(s->joints);
    memory_release(s->start);
    abut_lcp_destroy(s->lcp);
    event_friction_release(&s->friction);
    event_integrator_release(&stepper->integrator);
    event_search_release(&stepper->search);
    event_contacts_release(&stepper->contacts);
    event_kept_release(&stepper->kept);
    memory_release(stepper);
}

/* ---- saved states ---- */

static void save_witness(saved_stream *s, event_witness *w) {
    uint32_t kind = (uint32_t)w->kind;
    saved_uint32(s, &kind);
    s->broken = s->broken || kind > EVENT_PLANE_OF_EDGES;
    w->kind = s->broken ? EVENT_PLANE_IN_WORLD : (event_plane)kind;
    saved_vec3(s, &w->direction);
    saved_vec3(s, &w->other);
}

/* Saves what event_pairs_list() takes over for the next list. */
static void save_pair(saved_stream *s, event_pair *pair) {
    saved_int32(s, &pair->part[0]);
    saved_int32(s, &pair->part[1]);
    saved_int32(s, &pair->found);
    save_witness(s, &pair->witness);
    saved_feature(s, &pair->met[0]);
    saved_feature(s, &pair->met[1]);
    saved_bool(s, &pair->touched);
    saved_cache(s, &pair->cache);
}

static void save_side(saved_stream *s, event_side *side) {
    uint32_t kind = (uint32_t)side->kind;
    saved_uint32(s, &kind);
    s->broken = s->broken || kind > EVENT_CURVED;
    side->kind = s->broken ? EVENT_POINT : (event_side_kind)kind;
    saved_feature(s, &side->feature);
    if (side->kind == EVENT_CURVED) { /* known by its place */
        saved_vec3(s, &side->point);
        saved_vec3(s, &side->direction);
    }
}

/* Saves what the next step uses of a row: its features or place (event_system_is_same()), whether it was held, and its force. */
static void save_row(saved_stream *s, event_row *row, double *force) {
    saved_int32(s, &row->pair);
    save_side(s, &row->side[0]);
    save_side(s, &row->side[1]);
    saved_bool(s, &row->follows);
    saved_bool(s, &row->parting);
    saved_real(s, force);
}

enum { PAIR_BYTES = 12 + 52 + 24 + 1 + 48, ROW_BYTES = 4 + 32 + 2 + 8 };

bool event_can_be_saved(const abut_world *world) { return world->event == NULL || world->event->search.begun_count == 0; }

void event_save(saved_stream *s, const abut_world *world) {
    const struct event_stepper *stepper = world->event;
    bool there = stepper != NULL;
    saved_bool(s, &there);
    if (!there) {
        return;
    }
    const event_system *system = &stepper->system;
    double step = stepper->step;
    int32_t pairs = system->pair_count, rows = system->row_count;
    saved_real(s, &step);
    saved_int32(s, &pairs);
    for (int32_t i = 0; i < pairs; ++i) {
        event_pair pair = system->pairs[i];
        save_pair(s, &pair);
    }
    saved_int32(s, &rows);
    for (int32_t i = 0; i < rows; ++i) {
        event_row row = system->rows[i];
        double force = system->force[i];
        save_row(s, &row, &force);
    }
}

static abut_status read_pairs(saved_stream *s, event_system *system) {
    int32_t count = 0;
    if (!saved_count(s, &count, PAIR_BYTES)) {
        return ABUT_ERROR_FORMAT;
    }
    if (!array_reserve(&system->pairs, &system->pair_capacity, count, sizeof *system->pairs)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    for (int32_t i = 0; i < count; ++i) {
        system->pairs[i] = (event_pair){.touched = false};
        save_pair(s, &system->pairs[i]);
    }
    system->pair_count = count;
    return s->broken ? ABUT_ERROR_FORMAT : ABUT_OK;
}

static abut_status read_rows(saved_stream *s, event_system *system) {
    int32_t count = 0;
    if (!saved_count(s, &count, ROW_BYTES)) {
        return ABUT_ERROR_FORMAT;
    }
    if (!array_reserve(&system->rows, &system->row_capacity, count, sizeof *system->rows) ||
        !array_reserve(&system->force, &system->force_capacity, count, sizeof *system->force)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    for (int32_t i = 0; i < count; ++i) {
        system->rows[i] = (event_row){.parting = false};
        save_row(s, &system->rows[i], &system->force[i]);
    }
    system->row_count = count;
    return s->broken ? ABUT_ERROR_FORMAT : ABUT_OK;
}

abut_status event_restore(saved_stream *s, struct event_stepper **stepper) {
    bool there = false;
    saved_bool(s, &there);
    if (s->broken || !there) {
        return s->broken ? ABUT_ERROR_FORMAT : ABUT_OK;
    }
    struct event_stepper *made = memory_allocate(1, sizeof *made);
    if (made == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    saved_real(s, &made->step);
    s->broken = s->broken || !(made->step >= 0.0);
    abut_status status = s->broken ? ABUT_ERROR_FORMAT : read_pairs(s, &made->system);
    status = status == ABUT_OK ? read_rows(s, &made->system) : status;
    if (status != ABUT_OK) {
        event_release(made);
        return status;
    }
    *stepper = made;
    return ABUT_OK;
}

/* ---- integration steps ---- */

static double longest_step(struct event_stepper *stepper, double left) {
    event_system *system = &stepper->system;
    event_pairs_find_speeds(system);
    double h = real_min(left, system->world->def.event.longest_step);
    for (int32_t pair = 0; pair < system->pair_count; ++pair) {
        h = real_min(h, event_pair_time(system, pair));
    }
    return h;
}

/* Begins an integration step: finds the contacts, applies impulses, and marks the rows that exert no force. */
static bool begin_step(struct event_stepper *stepper) {
    bool jumped = false;
    if (!event_contacts_find(&stepper->contacts, &stepper->system, &stepper->search) || !event_impulses(&stepper->system, &jumped)) {
        return false;
    }
    event_system *system = &stepper->system;
    event_contacts_mark_parting(system);
    event_contacts_keep_begin(system);
    for (int32_t i = 0; i < system->pair_count; ++i) {
        system->pairs[i].began_touching = system->pairs[i].touched;
        system->pairs[i].began_apart = system->pairs[i].apart;
    }
    stepper->integrator.started = false;
    return true;
}

/* The next step length for an error in units of the tolerance. */
static double next_step(double h, double error) {
    const double least = 0.2, most = 5.0, careful = 0.9;
    double factor = error > 0.0 ? careful * elementary_pow(error, -0.2) : most;
    return h * real_max(least, real_min(most, factor));
}

/* Steps of this length are accepted whatever their error. They are needed where forces jump, and where the curvature of touching surfaces
 * vanishes; such moments last for no time. The length is a small fraction of the time of a fall through the smallest part, or of the
 * world's step if nothing falls. */
static double shortest_step(const event_system *system, double dt) {
    double g = system->most_gravity, size = INFINITY;
    for (int32_t i = 0; i < system->part_count && g > 0.0; ++i) {
        size = system->parts[i].size > 0.0 ? real_min(size, system->parts[i].size) : size;
    }
    return 1e-5 * (isfinite(size) ? real_min(sqrt(size / g), dt) : dt);
}

/* Takes a passage instead of a step. A flat place is passed in some tens of them. Many more mean that two curved bodies lie flat on each other. */
static bool pass_over(struct event_stepper *stepper, double h) {
    const int32_t most = 1000;
    event_system *system = &stepper->system;
    if (++stepper->passages > most) {
        system->status = refuse(ABUT_ERROR_ITERATION_LIMIT, "abut_world_step",
                                "two curved bodies lie flat on each other, and one rocks faster than it can be followed");
        return false;
    }
    stepper->step = 5.0 * h;
    stepper->search.breach_count = 0;
    return event_passage(system, h, stepper->trial);
}

/* Takes one step, at most *h long, as short as its error and near pairs require. *h receives its length. */
static bool try_step(struct event_stepper *stepper, double *h) {
    event_system *system = &stepper->system;
    const double surest = 1e-3 * *h; /* below this, a step is accepted without the proof that nothing was missed; bodies that pass each
                                      * other more closely are detected when they meet */
    double error = INFINITY;
    const double passage = event_passage_time(system, stepper->shortest), least = passage > 0.0 ? passage : stepper->shortest;
    while (true) {
        if (!event_integrate(&stepper->integrator, system, *h, stepper->trial, &error)) {
            return false;
        }
        bool fine = error <= 1.0 || (*h <= stepper->shortest && isfinite(error) && passage == 0.0);
        if (!fine && *h <= passage) {
            return pass_over(stepper, *h);
        }
        if (fine && !event_search_look(&stepper->search, system)) {
            return false;
        }
        double doubt =
            fine && stepper->search.breach_count == 0 && *h > surest ? event_search_doubt(system, &stepper->integrator) : INFINITY;
        if (fine && isinf(doubt)) {
            stepper->step = real_max(next_step(*h, error), least);
            stepper->passages = *h > 10.0 * passage ? 0 : stepper->passages;
            return true;
        }
        system->tally.rejected++;
        if (!isfinite(error) && *h < 1e-6 * stepper->shortest) {
            return false;
        }
        *h = fine ? doubt : !isfinite(error) ? 0.5 * *h : real_max(next_step(*h, error), least);
    }
}

/* Takes one step that ends at the first event. *h receives its length; *event whether an event ended it. */
static bool make_step(struct event_stepper *stepper, double *h, bool *event) {
    event_system *system = &stepper->system;
    if (!try_step(stepper, h)) {
        return false;
    }
    *event = stepper->search.breach_count > 0;
    if (!*event) {
        return true;
    }
    system->tally.rejected++;
    system->tally.discontinuities++;
    return event_time_find(&stepper->search, system, &stepper->integrator, h, stepper->trial) && stepper->integrator.whole;
}

static void keep_step(struct event_stepper *stepper) {
    event_system *system = &stepper->system;
    event_state *before = system->state;
    int32_t capacity = system->state_capacity;
    system->state = stepper->trial;
    system->state_capacity = stepper->trial_capacity;
    stepper->trial = before;
    stepper->trial_capacity = capacity;
    system->tally.steps++;
}

static abut_status check_states(const event_system *system) {
    for (int32_t i = 0; i < system->body_count; ++i) {
        const event_state *s = &system->state[i];
        if (!abut_vec3_is_finite(s->centre) || !abut_vec3_is_finite(s->velocity) || !abut_vec3_is_finite(s->angular_velocity) ||
            !abut_vec3_is_finite(s->spin) || !(fabs(abut_quat_norm(s->frame) - 1.0) < 1e-6)) {
            return world_refuse_body(ABUT_ERROR_NOT_FINITE, system->world, system->bodies[i].slot,
                                     "its state is not finite after the step");
        }
    }
    return ABUT_OK;
}

/* Whether the rest of the world's step is far too long for the integration steps that are left. They may become longer yet when bodies come to rest: after the
 * n-th part of all steps, up to n times as long. */
static bool is_out_of_reach(const struct event_stepper *stepper, int64_t taken, int64_t most, double left) {
    const int64_t enough = 1000; /* for an idea of their length */
    return taken >= enough && taken < most && left / (double)(most - taken) > stepper->longest * ((double)most / (double)taken);
}

/* Events are rare beside integration steps. A body that flies so fast that its position has no digits for its own size is followed by ever shorter ones. */
static abut_status check_limits(const struct event_stepper *stepper, double left) {
    const event_system *system = &stepper->system;
    const int64_t most_events = system->world->def.event.event_limit, most_steps = EVENT_STEPS_PER_EVENT * most_events;
    const int64_t taken = system->tally.steps + system->tally.rejected;
    if (system->tally.discontinuities > most_events) {
        return refuse(
            ABUT_ERROR_ITERATION_LIMIT, "abut_world_step",
            "more discontinuities in one step of the world than event_limit; bodies that begin inside each other have no end of them");
    }
    if (taken > most_steps) {
        return refuse(ABUT_ERROR_ITERATION_LIMIT, "abut_world_step",
                      "more integration steps in one step of the world than %d times event_limit; a body moves too fast to be followed",
                      (int)EVENT_STEPS_PER_EVENT);
    }
    if (is_out_of_reach(stepper, taken, most_steps, left)) {
        return refuse(ABUT_ERROR_ITERATION_LIMIT, "abut_world_step",
                      "dt is too long: the motion allows integration steps of up to %.3g, and %d times event_limit of them are the limit",
                      stepper->longest, (int)EVENT_STEPS_PER_EVENT);
    }
    return ABUT_OK;
}

static abut_status go(struct event_stepper *stepper, abut_world *world, double dt) {
    event_system *system = &stepper->system;
    double time = 0.0;
    stepper->shortest = shortest_step(system, dt);
    stepper->longest = 0.0;
    while (time < dt) {
        if (!begin_step(stepper)) {
            return system->status;
        }
        double left = dt - time, h = longest_step(stepper, left);
        stepper->longest = real_max(stepper->longest, h);
        h = stepper->step > 0.0 ? real_min(h, stepper->step) : h;
        bool whole = h >= left, event;
        h = whole ? left : h;
        if (!event_candidates_suffice(system, h)) {
            if (!event_candidates_again(system, world, left)) {
                return system->status;
            }
            abut_status finite = check_states(system);
            if (finite != ABUT_OK) {
                return finite;
            }
            if (!event_candidates_suffice(system, h)) { /* none would: the square of a speed overflows, and allows a step of 0 */
                return ABUT_ERROR_NOT_FINITE;
            }
            continue;
        }
        if (!make_step(stepper, &h, &event)) {
            return system->status;
        }
        keep_step(stepper);
        time = whole && h == left ? dt : time + h;
        abut_status within = check_limits(stepper, dt - time);
        if (within != ABUT_OK) {
            return within;
        }
    }
    return begin_step(stepper) && event_system_slope(system, system->state, stepper->integrator.stage[0]) ? ABUT_OK : system->status;
}

/* ---- the world ---- */

/* The stepper, with copies of what it knows. False when there is no memory. */
static bool begin_world(abut_world *world) {
    if (world->event == NULL) {
        world->event = memory_allocate(1, sizeof *world->event);
    }
    return world->event != NULL && event_kept_take(&world->event->kept, &world->event->system, world->event->step);
}

static abut_status prepare(abut_world *world, double dt) {
    struct event_stepper *stepper = world->event;
    event_system *system = &stepper->system;
    system->world = world;
    system->tally = (abut_event_report){0};
    stepper->passages = 0;
    system->status = ABUT_OK;
    abut_status status = system->lcp != NULL ? ABUT_OK : abut_lcp_create(&system->lcp);
    status = status == ABUT_OK ? event_candidates_begin(system, world, dt) : status;
    status = status == ABUT_OK ? event_holds_list(system) : status;
    if (status == ABUT_OK && (!event_integrator_reserve(&stepper->integrator, system->body_count) ||
                              !array_reserve(&stepper->trial, &stepper->trial_capacity, system->body_count, sizeof *stepper->trial))) {
        status = ABUT_ERROR_OUT_OF_MEMORY;
    }
    return status;
}

/* Writes the contacts at the end of the step, with their forces, into the world. */
static bool write_contacts(abut_world *world, const event_system *system) {
    contact_store *next = &world->next;
    next->count = 0;
    if (!contact_store_reserve(next, system->row_count)) {
        return false;
    }
    for (int32_t p = 0, i = 0; p < world->broad.found_count; ++p) {
        broad_pair *pair = &world->broad.found[p];
        pair->contact_first = next->count;
        for (; i < system->row_count && system->pairs[system->rows[i].pair].found == p; ++i) {
            const event_place *a, *b;
            abut_contact now = event_system_look(system, &system->rows[i], &a, &b);
            now.feature_a.part = system->pairs[system->rows[i].pair].part[0] - system->first_part[system->rows[i].body[0]];
            now.feature_b.part = system->pairs[system->rows[i].pair].part[1] - system->first_part[system->rows[i].body[1]];
            next->memory[next->count] = (contact_memory){.force = system->force[i]};
            world_write_contacts(world, pair->a, pair->b, &now, 1, &next->contacts[next->count]);
            next->contacts[next->count].normal_force = system->force[i];
            if (system->rubs) {
                next->contacts[next->count].friction_force = system->friction.force[i];
            }
            next->count++;
        }
        pair->contact_count = next->count - pair->contact_first;
        world->broad.found_memories[p].normal =
            pair->contact_count > 0 ? next->contacts[pair->contact_first].contact.normal : abut_vec3_make(0.0, 0.0, 0.0);
    }
    return true;
}

static void write_bodies(abut_world *world, const event_system *system) {
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    for (int32_t i = 0; i < system->body_count; ++i) {
        body *body = &world->bodies[system->bodies[i].slot];
        body->force = body->torque = zero;
        body->disturbed = body->asleep = false;
        if (system->bodies[i].moves) {
            body->centre = system->state[i].centre;
            body->frame = system->state[i].frame;
            body->velocity = system->state[i].velocity;
            body->angular_velocity = system->state[i].angular_velocity;
            body_place_shape(body);
        }
    }
}

/* Everything of a step but the bodies. */
static abut_status advance(abut_world *world, double dt, step_account *account) {
    abut_status status = prepare(world, dt);
    account->broad = clock_now() - account->begin;
    if (status == ABUT_OK) {
        status = go(world->event, world, dt);
        status =
            status == ABUT_ERROR_NOT_FINITE
                ? refuse(status, "abut_world_step", "forces or positions are not finite, however short the steps")
            : status == ABUT_ERROR_INFEASIBLE && event_friction_is(&world->event->system)
                ? refuse(
                      status, "abut_world_step",
                      "no contact forces or impulses with friction were found; a body is jammed, or slides in a state without a solution")
                : status;
    }
    status = status == ABUT_OK ? check_states(&world->event->system) : status;
    return status == ABUT_OK && !write_contacts(world, &world->event->system) ? ABUT_ERROR_OUT_OF_MEMORY : status;
}

abut_status event_step(abut_world *world, double dt, abut_step_report *report) {
    step_account account = {.begin = clock_now()};
    if (!begin_world(world)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    struct event_stepper *stepper = world->event;
    abut_status status = advance(world, dt, &account);
    if (status != ABUT_OK) {
        event_kept_put_back(&stepper->kept, &stepper->system, &stepper->search, &stepper->step);
        return status;
    }
    write_bodies(world, &stepper->system);
    event_holds_write(&stepper->system, world);
    account.candidates = stepper->system.pair_count;
    step_finish(world, dt, &account, report);
    report->event = stepper->system.tally;
    return ABUT_OK;
}
