/* The narrow phase of a step. Each job writes to its own room, so threads share nothing. */
#include "step/fixed/contacts.h"

#include <stdatomic.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/parts.h"
#include "base/real.h"
#include "step/fixed/contact_places.h"
#include "step/fixed/facing.h"
#include "step/fixed/continuous/impact.h"
#include "step/fixed/margin.h"
#include "step/fixed/tracking.h"
#include "step/world/meet/excluded.h"
#include "step/world/meet/surfaces.h"

/* Room for a pair's contacts before their number is known: one and a half times the number of the last step, at least 8. Two boxes have at most 8. */
static int32_t expected_count(const broad_pair *pair) {
    return pair->contact_count + pair->contact_count / 2 > 8 ? pair->contact_count + pair->contact_count / 2 : 8;
}

static narrow_job plan_job(const narrow_phase *narrow, const abut_world *world, int32_t p, double dt, int32_t first) {
    const broad_pair *pair = &world->broad.found[p];
    const body *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    narrow_job job = {.pair = p,
                      .first = first,
                      .capacity = expected_count(pair),
                      .margin = margin_of_pair(world, a, b, narrow->bodies[pair->a].travel + narrow->bodies[pair->b].travel)};
    /* The tracking method uses one point only, so it needs no features around it. */
    job.angle = world->def.method == ABUT_METHOD_TRACKING ? 0.0 : margin_angle(world, a, b, dt);
    job.over = seams_body(&narrow->seams, world, pair);
    return job;
}

/* ---- which pairs ---- */

/* What a part of broad.found asks for. */
typedef struct plan_part {
    int32_t candidates, jobs;
    int64_t room;               /* for contacts */
    int32_t first, room_before; /* of the parts before */
} plan_part;

typedef struct planning {
    narrow_phase *narrow;
    const abut_world *world;
    const island_forest *islands;
    double dt;
    plan_part parts[PARTS_MOST];
} planning;

/* Lists the pairs of a part that get jobs, at the part's own place. */
static void list_part(planning *of, plan_part *part, int32_t begin, int32_t end) {
    const broad_phase *broad = &of->world->broad;
    *part = (plan_part){.candidates = 0};
    for (int32_t p = begin; p < end; p++) {
        const broad_pair *pair = &broad->found[p];
        if (!broad_is_candidate(broad, pair) || parted_has(&of->narrow->parted, pair) || !world_lets_touch(of->world, pair->a, pair->b)) {
            continue;
        }
        part->candidates++;
        if (islands_pair_is_active(of->islands, pair)) {
            of->narrow->listed[begin + part->jobs++] = p;
            part->room += expected_count(pair);
        }
    }
}

static void list_parts(void *argument, int32_t begin, int32_t end) {
    planning *of = argument;
    int32_t pairs = of->world->broad.found_count, length = parts_length(pairs);
    for (int32_t i = begin; i < end; i++) {
        list_part(of, &of->parts[i], i * length, parts_end(pairs, i * length));
    }
}

static void plan_parts(void *argument, int32_t begin, int32_t end) {
    const planning *of = argument;
    narrow_phase *narrow = of->narrow;
    int32_t length = parts_length(of->world->broad.found_count);
    for (int32_t i = begin; i < end; i++) {
        const plan_part *part = &of->parts[i];
        int32_t room = part->room_before;
        for (int32_t k = 0; k < part->jobs; k++) {
            narrow_job *job = &narrow->jobs[part->first + k];
            *job = plan_job(narrow, of->world, narrow->listed[i * length + k], of->dt, room);
            room += job->capacity;
        }
    }
}

static abut_status plan_jobs(narrow_phase *narrow, const abut_world *world, const island_forest *islands, double dt) {
    int32_t pairs = world->broad.found_count, parts = parts_count(pairs);
    if (!array_reserve(&narrow->listed, &narrow->listed_capacity, pairs, sizeof *narrow->listed) ||
        !array_reserve(&narrow->jobs, &narrow->job_capacity, pairs, sizeof *narrow->jobs)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    planning plan;
    plan.narrow = narrow;
    plan.world = world;
    plan.islands = islands;
    plan.dt = dt;
    abut_parallel_for(&world->def.parallel, parts, 1, list_parts, &plan);
    narrow->job_count = narrow->candidates = 0;
    int64_t room = 0;
    for (int32_t i = 0; i < parts; i++) {
        plan_part *part = &plan.parts[i];
        part->first = narrow->job_count;
        part->room_before = (int32_t)room;
        narrow->candidates += part->candidates;
        narrow->job_count += part->jobs;
        room += part->room;
        if (room > INT32_MAX / 2) {
            return ABUT_ERROR_OUT_OF_MEMORY;
        }
    }
    abut_parallel_for(&world->def.parallel, parts, 1, plan_parts, &plan);
    bool reserved = array_reserve(&narrow->results, &narrow->result_capacity, (int32_t)room, sizeof *narrow->results);
    return reserved && narrow_jobs_join(narrow, world) ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
}

/* When the bodies of the pair meet. */
static void time_job(const abut_world *world, double dt, narrow_job *job) {
    const broad_pair *pair = &world->broad.found[job->pair];
    const body *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    job->met = 0.0;
    job->status = world->def.method == ABUT_METHOD_TRACKING ? ABUT_OK : impact_find(world, a, b, dt, &job->met);
    if (job->met > 0.0) {
        job->margin = margin_settled(world, a, b);
    }
}

/* Contacts of one surface are made at one time. */
static abut_status share_times(narrow_phase *narrow, const abut_world *world, double dt) {
    bool any = atomic_load(&narrow->has_impacts) || atomic_load(&narrow->has_failures);
    for (int32_t i = 0; any && i < narrow->job_count; i++) {
        const narrow_job *job = &narrow->jobs[i];
        if (job->status != ABUT_OK) {
            return job->status;
        }
        if (job->over >= 0 && job->met > 0.0) {
            seams_note(&narrow->seams, job->over, job->met);
        }
    }
    for (int32_t i = 0; any && i < narrow->job_count; i++) {
        narrow_job *job = &narrow->jobs[i];
        double met = job->over >= 0 ? seams_met(&narrow->seams, job->over) : 0.0;
        if (met > 0.0) {
            const broad_pair *pair = &world->broad.found[job->pair];
            job->margin = margin_settled(world, &world->bodies[pair->a], &world->bodies[pair->b]);
            job->met = met;
        }
    }
    seams_place(&narrow->seams, world, dt);
    return ABUT_OK;
}

typedef struct narrow_task {
    narrow_phase *narrow;
    abut_world *world;
    double dt;
} narrow_task;

static void place_bodies(void *argument, int32_t begin, int32_t end) {
    const narrow_task *task = argument;
    narrow_jobs_place(task->narrow, task->world, task->dt, begin, end);
}

static void time_jobs(void *argument, int32_t begin, int32_t end) {
    const narrow_task *task = argument;
    bool impacts = false, failures = false;
    for (int32_t i = begin; i < end; i++) {
        narrow_job *job = &task->narrow->jobs[i];
        time_job(task->world, task->dt, job);
        impacts = impacts || job->met > 0.0;
        failures = failures || job->status != ABUT_OK;
    }
    if (impacts) {
        atomic_store(&task->narrow->has_impacts, true);
    }
    if (failures) {
        atomic_store(&task->narrow->has_failures, true);
    }
}

static void run_jobs(void *argument, int32_t begin, int32_t end) {
    const narrow_task *task = argument;
    narrow_jobs_run(task->narrow, task->world, task->dt, begin, end);
}

/* Gives jobs whose room was too small new room at the end of the results. False when there is no memory. */
static bool enlarge_short_jobs(narrow_phase *narrow) {
    int32_t used = narrow->job_count > 0 ? narrow->jobs[narrow->job_count - 1].first + narrow->jobs[narrow->job_count - 1].capacity : 0;
    for (int32_t i = 0; i < narrow->job_count; i++) {
        narrow_job *job = &narrow->jobs[i];
        if (job->status == ABUT_ERROR_CAPACITY) {
            if (job->count > INT32_MAX / 2 - used ||
                !array_extend(&narrow->results, &narrow->result_capacity, used, used + job->count, sizeof *narrow->results)) {
                return false;
            }
            job->first = used;
            job->capacity = job->count;
            used += job->count;
        }
    }
    return true;
}

/* Whether one of some jobs is short of room, or refused. */
static bool has_short(const void *argument, int32_t begin, int32_t end) {
    const narrow_phase *narrow = argument;
    for (int32_t i = begin; i < end; i++) {
        if (narrow->jobs[i].status != ABUT_OK) {
            return true;
        }
    }
    return false;
}

static abut_status repeat_short_jobs(narrow_phase *narrow, abut_world *world, double dt) {
    bool unused[PARTS_MOST];
    if (!parts_find(&world->def.parallel, narrow->job_count, has_short, narrow, unused)) {
        return ABUT_OK;
    }
    if (!enlarge_short_jobs(narrow)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    for (int32_t i = 0; i < narrow->job_count; i++) {
        narrow_job *job = &narrow->jobs[i];
        if (job->status == ABUT_ERROR_CAPACITY) {
            narrow_job_repeat(narrow, world, dt, i);
        }
        if (job->status != ABUT_OK) {
            const broad_pair *pair = &world->broad.found[job->pair];
            return job->status == ABUT_ERROR_CAPACITY ? ABUT_ERROR_INTERNAL : world_refuse_pair(job->status, world, pair->a, pair->b);
        }
    }
    return ABUT_OK;
}

/* Reduce every patch to the number of points that the settings allow, in place. */
static abut_status reduce_patches(abut_contact *contacts, int32_t limit, int32_t *count) {
    int32_t kept = 0;
    if (*count <= limit) {
        return ABUT_OK;
    }
    for (int32_t first = 0, end; first < *count; first = end) {
        for (end = first + 1; end < *count && contacts[end].patch == contacts[first].patch;) {
            end++;
        }
        if (end - first <= limit) {
            if (kept < first) {
                memmove(contacts + kept, contacts + first, (size_t)(end - first) * sizeof *contacts);
            }
            kept += end - first;
            continue;
        }
        abut_reduction reduction;
        abut_status status = abut_reduce(contacts + first, end - first, limit, contacts + kept, &reduction);
        if (status != ABUT_OK) {
            return status;
        }
        kept += reduction.kept;
    }
    *count = kept;
    return ABUT_OK;
}

/* After its first impact a body goes another way. What lay behind on the way before is no longer in front of it. False when there is no memory. */
static bool drop_later_impacts(narrow_phase *narrow, const abut_world *world) {
    const double together =
        1e-3; /* impacts that follow each other by less than this fraction of the step count as one, in a corner for example */
    if (!atomic_load(&narrow->has_impacts)) {
        return true;
    }
    if (!array_reserve(&narrow->first_met, &narrow->met_capacity, world->body_used, sizeof *narrow->first_met)) {
        return false;
    }
    double *first = narrow->first_met;
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        first[slot] = 1.0;
    }
    for (int32_t i = 0; i < narrow->job_count; i++) {
        const narrow_job *job = &narrow->jobs[i];
        const broad_pair *pair = &world->broad.found[job->pair];
        if (job->met > 0.0 && job->count > 0) {
            first[pair->a] = real_min(first[pair->a], job->met);
            first[pair->b] = real_min(first[pair->b], job->met);
        }
    }
    for (int32_t i = 0; i < narrow->job_count; i++) {
        narrow_job *job = &narrow->jobs[i];
        const broad_pair *pair = &world->broad.found[job->pair];
        bool dynamic_a = world->bodies[pair->a].kind == ABUT_BODY_DYNAMIC, dynamic_b = world->bodies[pair->b].kind == ABUT_BODY_DYNAMIC;
        double earliest = real_min(dynamic_a ? first[pair->a] : 1.0, dynamic_b ? first[pair->b] : 1.0);
        job->count = job->met > earliest + together ? 0 : job->count;
    }
    return true;
}

/* Patches of several surfaces become several patches. */
static void part_surfaces(const abut_world *world, const broad_pair *pair, double dt, abut_contact *contacts, int32_t count) {
    const body *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    if (world->several && count > 0 && !surfaces_are_plain(world, a, b)) {
        surface_pair of = surfaces_pair_now(world, pair->a, pair->b);
        impact_poses(world, a, b, dt, pair->met, of.pose);
        surfaces_split(&of, contacts, count);
    }
}

/* Make the contacts of a job those that the settings ask for, in place. */
static void settle_job(const narrow_phase *narrow, abut_world *world, double dt, narrow_job *job) {
    broad_pair *pair = &world->broad.found[job->pair];
    abut_contact *contacts = narrow->results + job->first;
    pair->met = job->met;
    if (world->def.method == ABUT_METHOD_TRACKING) {
        const body *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
        abut_contact tracked[TRACKING_POINTS];
        job->count = tracking_update(&world->next.tracking[job->pair], a->pose, b->pose, contacts, job->count, job->margin,
                                     margin_smaller_size(a, b), tracked);
        memcpy(contacts, tracked, (size_t)job->count * sizeof *contacts);
    } else {
        int32_t limit = world->def.fixed.contacts_per_patch;
        job->status = limit > 0 ? reduce_patches(contacts, limit, &job->count) : ABUT_OK;
    }
    part_surfaces(world, pair, dt, contacts, job->count);
}

static void settle_jobs(void *argument, int32_t begin, int32_t end) {
    const narrow_task *task = argument;
    for (int32_t i = begin; i < end; i++) {
        settle_job(task->narrow, task->world, task->dt, &task->narrow->jobs[i]);
    }
}

/* Copy the points of the tracking method from the pairs of the last list to the same pairs of the new list. */
static bool bring_tracking(abut_world *world) {
    contact_store *next = &world->next;
    if (world->def.method != ABUT_METHOD_TRACKING) {
        return true;
    }
    if (!array_reserve(&next->tracking, &next->tracking_capacity, world->broad.found_count, sizeof *next->tracking)) {
        return false;
    }
    for (int32_t p = 0; p < world->broad.found_count; p++) {
        int32_t previous = world->broad.found[p].previous;
        next->tracking[p] = previous >= 0 ? world->contacts.tracking[previous] : (tracking_cache){.count = 0};
    }
    return true;
}

abut_status contacts_find(narrow_phase *narrow, abut_world *world, const island_forest *islands, double dt) {
    enum { FEW = 32, MANY = 128 }; /* jobs that are worth a piece of a loop: whole ones, and parts of them or bodies */
    const abut_parallel *parallel = &world->def.parallel;
    bool fine = bring_tracking(world) && seams_find(&narrow->seams, world) && parted_make(&narrow->parted, world) &&
                narrow_jobs_reserve(narrow, world) &&
                array_reserve(&narrow->extents, &narrow->extent_capacity, world->broad.found_count, sizeof *narrow->extents);
    if (!fine) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    narrow_task task = {narrow, world, dt};
    abut_parallel_for(parallel, world->body_used, MANY, place_bodies, &task);
    abut_status status = plan_jobs(narrow, world, islands, dt);
    if (status != ABUT_OK) {
        return status;
    }
    atomic_store(&narrow->has_impacts, false);
    atomic_store(&narrow->has_failures, false);
    abut_parallel_for(parallel, narrow->job_count, FEW, time_jobs, &task);
    status = share_times(narrow, world, dt);
    if (status != ABUT_OK) {
        return status;
    }
    abut_parallel_for(parallel, narrow->job_count, FEW, run_jobs, &task);
    status = repeat_short_jobs(narrow, world, dt);
    if (status == ABUT_OK && !(drop_later_impacts(narrow, world) && facing_keep(narrow, world))) {
        status = ABUT_ERROR_OUT_OF_MEMORY;
    }
    if (status == ABUT_OK) {
        abut_parallel_for(parallel, narrow->job_count, MANY, settle_jobs, &task);
        status = contact_places_fill(narrow, world, islands, dt);
    }
    return status;
}

void contacts_release(narrow_phase *narrow) {
    memory_release(narrow->jobs);
    memory_release(narrow->listed);
    memory_release(narrow->bodies);
    memory_release(narrow->extents);
    memory_release(narrow->results);
    memory_release(narrow->first_met);
    memory_release(narrow->mesh_jobs);
    seams_release(&narrow->seams);
    parted_release(&narrow->parted);
}
