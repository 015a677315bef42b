/* The narrow phase of a step. Each job writes to its own room, so threads share nothing. When all counts are known, one thread gives
 * every pair its place, and the results are written there over threads. */
#include "step/fixed/contacts.h"

#include <stdatomic.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/real.h"
#include "step/fixed/contact_memory.h"
#include "step/fixed/impact.h"
#include "step/fixed/margin.h"
#include "step/fixed/tracking.h"

/* Room for a pair's contacts before their number is known: one and a half times the number of the last step, at least 8. Two boxes have at most 8. */
static int32_t expected_count(const broad_pair *pair) {
    return pair->contact_count + pair->contact_count / 2 > 8 ? pair->contact_count + pair->contact_count / 2 : 8;
}

static bool pair_is_active(const island_forest *islands, const broad_pair *pair) {
    const island_body *a = &islands->bodies[pair->a], *b = &islands->bodies[pair->b];
    return a->active || b->active || a->looks || b->looks;
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

static abut_status plan_jobs(narrow_phase *narrow, const abut_world *world, const island_forest *islands, double dt) {
    if (!array_reserve(&narrow->jobs, &narrow->job_capacity, world->broad.found_count, sizeof *narrow->jobs)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    narrow->job_count = narrow->candidates = 0;
    int64_t room = 0;
    for (int32_t p = 0; p < world->broad.found_count; p++) {
        const broad_pair *pair = &world->broad.found[p];
        if (!broad_is_candidate(&world->broad, pair)) {
            continue;
        }
        narrow->candidates++;
        if (pair_is_active(islands, pair)) {
            narrow->jobs[narrow->job_count++] = plan_job(narrow, world, p, dt, (int32_t)room);
            room += expected_count(pair);
        }
        if (room > INT32_MAX / 2) {
            return ABUT_ERROR_OUT_OF_MEMORY;
        }
    }
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

static bool all_are_fine(const narrow_phase *narrow) {
    for (int32_t i = 0; i < narrow->job_count; i++) {
        if (narrow->jobs[i].status != ABUT_OK) {
            return false;
        }
    }
    return true;
}

static abut_status repeat_short_jobs(narrow_phase *narrow, abut_world *world, double dt) {
    if (all_are_fine(narrow)) {
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

/* A pair without an active body keeps its contacts. */
static abut_status carry_over(abut_world *world, broad_pair *pair) {
    contact_store *next = &world->next;
    int32_t first = pair->contact_first, count = pair->contact_count;
    if (count > INT32_MAX / 2 - next->count || !contact_store_reserve(next, next->count + count)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    pair->contact_first = next->count;
    pair->met = 0.0;
    for (int32_t i = 0; i < count; i++) {
        next->contacts[next->count] = world->contacts.contacts[first + i];
        next->memory[next->count++] = world->contacts.memory[first + i];
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

/* Make the contacts of a job those that the settings ask for, in place. */
static void settle_job(const narrow_phase *narrow, abut_world *world, narrow_job *job) {
    broad_pair *pair = &world->broad.found[job->pair];
    abut_contact *contacts = narrow->results + job->first;
    pair->met = job->met;
    if (world->def.method == ABUT_METHOD_TRACKING) {
        const body *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
        abut_contact tracked[TRACKING_POINTS];
        job->count = tracking_update(&world->next.tracking[job->pair], a->pose, b->pose, contacts, job->count, job->margin,
                                     margin_smaller_size(a, b), tracked);
        memcpy(contacts, tracked, (size_t)job->count * sizeof *contacts);
        return;
    }
    int32_t limit = world->def.fixed.contacts_per_patch;
    job->status = limit > 0 ? reduce_patches(contacts, limit, &job->count) : ABUT_OK;
}

static void settle_jobs(void *argument, int32_t begin, int32_t end) {
    const narrow_task *task = argument;
    for (int32_t i = begin; i < end; i++) {
        settle_job(task->narrow, task->world, &task->narrow->jobs[i]);
    }
}

/* The contacts of a patch are consecutive. */
static pair_extent extent_of(const abut_world_contact *contacts, int32_t count) {
    pair_extent of = {INFINITY, -INFINITY, count > 0};
    for (int32_t i = 0; i < count; i++) {
        of.least = real_min(of.least, contacts[i].contact.gap);
        of.most = real_max(of.most, contacts[i].contact.gap);
        of.patches += i > 0 && contacts[i].contact.patch != contacts[i - 1].contact.patch;
    }
    return of;
}

/* Write the contacts of a job to their place in `next`, with the memory of the pair's old contacts. */
static void write_job(narrow_phase *narrow, abut_world *world, double dt, const narrow_job *job) {
    broad_pair *pair = &world->broad.found[job->pair];
    const body *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    const abut_contact *from = narrow->results + job->first;
    abut_world_contact *contacts = world->next.contacts + job->place;
    contact_memory *memory = world->next.memory + job->place;
    recall_past past = {NULL, NULL, 0};
    if (pair->previous >= 0 && pair->contact_count > 0) {
        past = (recall_past){world->contacts.contacts + pair->contact_first, world->contacts.memory + pair->contact_first,
                             pair->contact_count};
    }
    abut_pose poses[2];
    impact_poses(world, a, b, dt, job->met, poses);
    bool slides =
        a->kind != ABUT_BODY_DYNAMIC; /* the contacts go along with the body that moves, over whatever features of the other one */
    for (int32_t i = 0; i < job->count; i++) {
        abut_vec3 place = abut_lerp(from[i].on_a, from[i].on_b, 0.5);
        world_write_contact(world, pair->a, pair->b, &from[i], &contacts[i]);
        memory[i] = (contact_memory){.mean = -1.0, .place = abut_pose_apply_inverse(poses[slides], place)};
    }
    bool tracks = world->def.method == ABUT_METHOD_TRACKING;
    recall_forces(past, contacts, memory, job->count, tracks ? 0.0 : recall_distance * margin_smaller_size(a, b));
    if (!world->def.fixed.exact && !tracks) {
        recall_lost_forces(past, contacts, memory, job->count);
    }
    pair->contact_first = job->place;
    pair->contact_count = job->count;
    narrow->extents[job->pair] = extent_of(contacts, job->count);
    pair->normal = job->count > 0 ? from[0].normal : abut_vec3_make(0.0, 0.0, 0.0);
}

static void write_jobs(void *argument, int32_t begin, int32_t end) {
    const narrow_task *task = argument;
    for (int32_t i = begin; i < end; i++) {
        write_job(task->narrow, task->world, task->dt, &task->narrow->jobs[i]);
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

static void clear_pair(abut_world *world, int32_t p) {
    broad_pair *pair = &world->broad.found[p];
    pair->contact_count = 0;
    pair->met = 0.0;
    pair->normal = abut_vec3_make(0.0, 0.0, 0.0);
    if (world->def.method == ABUT_METHOD_TRACKING) {
        world->next.tracking[p].count = 0;
    }
}

/* Give the contacts of a job their place at the end of `next`. */
static abut_status place_job(abut_world *world, narrow_job *job) {
    if (job->status != ABUT_OK) {
        return job->status;
    }
    if (job->count > INT32_MAX / 2 - world->next.count || !contact_store_reserve(&world->next, world->next.count + job->count)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    job->place = world->next.count;
    world->next.count += job->count;
    return ABUT_OK;
}

/* Give the contacts of all pairs their places in `next`. Those of pairs without a job come there at once. */
static abut_status place_pairs(narrow_phase *narrow, abut_world *world, const island_forest *islands) {
    abut_status status = ABUT_OK;
    world->next.count = 0;
    int32_t job = 0;
    for (int32_t p = 0; p < world->broad.found_count && status == ABUT_OK; p++) {
        broad_pair *pair = &world->broad.found[p];
        if (job < narrow->job_count && narrow->jobs[job].pair == p) {
            status = place_job(world, &narrow->jobs[job++]);
        } else if (!pair_is_active(islands, pair)) {
            status = carry_over(world, pair);
            narrow->extents[p] = extent_of(world->next.contacts + pair->contact_first, status == ABUT_OK ? pair->contact_count : 0);
        } else {
            clear_pair(world, p);
        }
    }
    return status;
}

abut_status contacts_find(narrow_phase *narrow, abut_world *world, const island_forest *islands, double dt) {
    enum { FEW = 32, MANY = 128 }; /* jobs that are worth a piece of a loop: whole ones, and parts of them or bodies */
    const abut_parallel *parallel = &world->def.parallel;
    bool fine = bring_tracking(world) && seams_find(&narrow->seams, world) && narrow_jobs_reserve(narrow, world) &&
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
    if (status == ABUT_OK && !drop_later_impacts(narrow, world)) {
        status = ABUT_ERROR_OUT_OF_MEMORY;
    }
    if (status == ABUT_OK) {
        abut_parallel_for(parallel, narrow->job_count, MANY, settle_jobs, &task);
        status = place_pairs(narrow, world, islands);
    }
    if (status == ABUT_OK) {
        abut_parallel_for(parallel, narrow->job_count, MANY, write_jobs, &task);
    }
    return status;
}

typedef struct dropping {
    const narrow_phase *narrow;
    abut_world *world;
} dropping;

/* Keep those contacts of some pairs that carry force or are near, at the beginning of the pair's range. */
static void drop_idle_of(void *argument, int32_t begin, int32_t end) {
    const dropping *of = argument;
    abut_world *world = of->world;
    contact_store *next = &world->next;
    for (int32_t p = begin; p < end; p++) {
        broad_pair *pair = &world->broad.found[p];
        double settled = margin_settled(world, &world->bodies[pair->a], &world->bodies[pair->b]);
        int32_t kept = pair->contact_first;
        if (pair->contact_count == 0 || (pair->met == 0.0 && of->narrow->extents[p].most <= settled)) {
            continue;
        }
        for (int32_t i = pair->contact_first; i < pair->contact_first + pair->contact_count; i++) {
            bool near = pair->met == 0.0 && next->contacts[i].contact.gap <= settled;
            if (!near && !(next->contacts[i].normal_force > 0.0)) {
                continue;
            }
            if (kept < i) { /* most often all are kept, and nothing moves */
                next->contacts[kept] = next->contacts[i];
                next->memory[kept] = next->memory[i];
            }
            kept++;
        }
        pair->contact_count = kept - pair->contact_first;
    }
}

void contacts_drop_idle(const narrow_phase *narrow, abut_world *world) {
    enum { PAIRS = 128 };
    contact_store *next = &world->next;
    dropping drop = {narrow, world};
    abut_parallel_for(&world->def.parallel, world->broad.found_count, PAIRS, drop_idle_of, &drop);
    int32_t kept = 0;
    for (int32_t p = 0; p < world->broad.found_count; p++) {
        broad_pair *pair = &world->broad.found[p];
        size_t count = (size_t)pair->contact_count;
        if (count > 0 && kept != pair->contact_first) {
            memmove(next->contacts + kept, next->contacts + pair->contact_first, count * sizeof *next->contacts);
            memmove(next->memory + kept, next->memory + pair->contact_first, count * sizeof *next->memory);
        }
        pair->contact_first = kept;
        kept += pair->contact_count;
    }
    next->count = kept;
}

void contacts_release(narrow_phase *narrow) {
    memory_release(narrow->jobs);
    memory_release(narrow->bodies);
    memory_release(narrow->extents);
    memory_release(narrow->results);
    memory_release(narrow->first_met);
    memory_release(narrow->mesh_jobs);
    seams_release(&narrow->seams);
}
