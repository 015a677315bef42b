/* The places of contacts: see contact_places.h. What is counted or moved part by part has the same result for any number of threads. */
#include "step/fixed/contact_places.h"

#include <string.h>

#include "base/memory.h"
#include "base/parts.h"
#include "base/real.h"
#include "solve/contact/share.h"
#include "step/fixed/contact_memory.h"
#include "step/fixed/continuous/impact.h"
#include "step/fixed/margin.h"

/* ---- the contacts of a pair ---- */

/* The contacts of a patch are consecutive. */
static pair_extent extent_of(const abut_world_contact *contacts, int32_t count) {
    pair_extent of = {.least = INFINITY, .most = -INFINITY, .patches = count > 0};
    for (int32_t i = 0; i < count; i++) {
        of.least = real_min(of.least, contacts[i].contact.gap);
        of.most = real_max(of.most, contacts[i].contact.gap);
        of.patches += i > 0 && contacts[i].contact.patch != contacts[i - 1].contact.patch;
    }
    return of;
}

static abut_vec3 arm_of(const abut_contact *contact, abut_vec3 centre) {
    return abut_add_scaled(abut_sub(contact->on_a, centre), solver_share_of(contact) - 1.0, abut_sub(contact->on_a, contact->on_b));
}

/* Fills the memory of contacts that are new, at their places on a body in this pose. centre: of mass of A */
static void begin_memory(const abut_contact *contacts, int32_t count, abut_vec3 centre, abut_pose pose, contact_memory *memory) {
    for (int32_t i = 0; i < count; i++) {
        abut_vec3 place = abut_lerp(contacts[i].on_a, contacts[i].on_b, 0.5);
        memory[i] = (contact_memory){.mean = -1.0,
                                     .gap = contacts[i].gap,
                                     .arm = arm_of(&contacts[i], centre),
                                     .id = contacts[i].id,
                                     .patch = contacts[i].patch,
                                     .place = abut_pose_apply_inverse(pose, place)};
    }
}

/* Takes over the forces of a pair's contacts of the last step. old: the pair in the last list; NULL for a new pair */
static void recall(const abut_world *world, const broad_pair *old, const body *a, const body *b, contact_memory *memory, int32_t count) {
    recall_past past = {NULL, 0};
    if (old != NULL && old->contact_count > 0) {
        past = (recall_past){world->contacts.memory + old->contact_first, old->contact_count};
    }
    bool tracks = world->def.method == ABUT_METHOD_TRACKING;
    recall_forces(past, memory, count, tracks ? 0.0 : recall_distance * margin_smaller_size(a, b));
    if (!world->def.fixed.exact && !tracks) {
        recall_lost_forces(past, memory, count);
    }
}

/* The pose at the contacts of the body that moves: they go along with it, over whatever features of the other one. */
static abut_pose moving_pose(const abut_world *world, double dt, const narrow_job *job) {
    const broad_pair *pair = &world->broad.found[job->pair];
    const body *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    bool second = a->kind != ABUT_BODY_DYNAMIC;
    abut_pose poses[2];
    if (!(job->met > 0.0)) {
        return second ? b->pose : a->pose;
    }
    impact_poses(world, a, b, dt, job->met, poses);
    return poses[second];
}

/* Write the contacts of a job to their place in `next`, with the memory of the pair's old contacts. */
static void write_contacts(const abut_world *world, double dt, const narrow_job *job, const abut_contact *from) {
    const broad_pair *pair = &world->broad.found[job->pair];
    abut_world_contact *contacts = world->next.contacts + job->place;
    contact_memory *memory = world->next.memory + job->place;
    const body *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    world_write_contacts(world, pair->a, pair->b, from, job->count, contacts);
    begin_memory(from, job->count, a->centre, moving_pose(world, dt, job), memory);
    recall(world, pair->previous >= 0 ? pair : NULL, a, b, memory, job->count); /* the pair still has the places of its old contacts */
}

void contact_places_recall(const abut_world *world, int32_t p) {
    const broad_pair *pair = &world->broad.found[p];
    contact_memory *memory = world->next.memory + pair->contact_first;
    for (int32_t i = 0; i < pair->contact_count; i++) {
        memory[i].force = 0.0;
        memory[i].mean = -1.0;
        memory[i].friction = abut_vec3_make(0.0, 0.0, 0.0);
    }
    recall(world, pair->previous >= 0 ? &world->broad.pairs[pair->previous] : NULL, &world->bodies[pair->a], &world->bodies[pair->b],
           memory, pair->contact_count);
}

/* Notes how far apart and how deep the contacts of a pair are, which are at this place in `next`. */
static void measure(narrow_phase *narrow, abut_world *world, int32_t p, int32_t place, int32_t count) {
    broad_pair *pair = &world->broad.found[p];
    pair->contact_first = place;
    pair->contact_count = count;
    narrow->extents[p] = extent_of(world->next.contacts + place, count);
    narrow->extents[p].size = count > 0 ? margin_smaller_size(&world->bodies[pair->a], &world->bodies[pair->b]) : 0.0;
    pair->measured = true;
    pair->depth = real_max_number(0.0, -narrow->extents[p].least);
}

static void write_job(narrow_phase *narrow, abut_world *world, double dt, const narrow_job *job) {
    const abut_contact *from = narrow->results + job->first;
    if (job->count > 0) {
        write_contacts(world, dt, job, from);
    }
    measure(narrow, world, job->pair, job->place, job->count);
    world->broad.found_memories[job->pair].normal = job->count > 0 ? from[0].normal : abut_vec3_make(0.0, 0.0, 0.0);
}

static void clear_pair(abut_world *world, int32_t p) {
    broad_pair *pair = &world->broad.found[p];
    pair->contact_count = 0;
    pair->measured = true;
    pair->depth = pair->met = 0.0;
    world->broad.found_memories[p].normal = abut_vec3_make(0.0, 0.0, 0.0);
    if (world->def.method == ABUT_METHOD_TRACKING) {
        world->next.tracking[p].count = 0;
    }
}

/* A pair without an active body keeps its contacts. They go to their place in `next`. */
static void carry_over(narrow_phase *narrow, abut_world *world, int32_t p, int32_t place) {
    broad_pair *pair = &world->broad.found[p];
    size_t count = (size_t)pair->contact_count;
    if (count > 0) {
        memcpy(world->next.contacts + place, world->contacts.contacts + pair->contact_first, count * sizeof *world->next.contacts);
        memcpy(world->next.memory + place, world->contacts.memory + pair->contact_first, count * sizeof *world->next.memory);
        for (size_t i = 0; i < count; i++) { /* the bodies have moved since the contacts were made */
            const abut_contact *contact = &world->next.contacts[(size_t)place + i].contact;
            contact_memory *memory = &world->next.memory[(size_t)place + i];
            memory->gap = contact->gap;
            memory->arm = arm_of(contact, world->bodies[pair->a].centre);
        }
    }
    pair->met = 0.0;
    measure(narrow, world, p, place, pair->contact_count);
}

/* ---- places ---- */

/* The contacts of a part of broad.found. */
typedef struct place_part {
    int64_t count;
    int32_t first; /* in `next` */
    abut_status status;
} place_part;

typedef struct placing {
    narrow_phase *narrow;
    abut_world *world;
    const island_forest *islands;
    double dt;
    place_part parts[PARTS_MOST];
} placing;

/* The first job whose pair is `pair` or a later one. */
static int32_t first_job(const narrow_phase *narrow, int32_t pair) {
    int32_t low = 0, high = narrow->job_count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (narrow->jobs[middle].pair < pair) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Counts the contacts that some pairs will have. */
static void count_part(const placing *of, int32_t begin, int32_t end, place_part *part) {
    const narrow_phase *narrow = of->narrow;
    int32_t job = first_job(narrow, begin);
    *part = (place_part){.status = ABUT_OK};
    for (int32_t p = begin; p < end && part->status == ABUT_OK; p++) {
        const broad_pair *pair = &of->world->broad.found[p];
        if (job < narrow->job_count && narrow->jobs[job].pair == p) {
            part->status = narrow->jobs[job].status;
            part->count += narrow->jobs[job++].count;
        } else if (!islands_pair_is_active(of->islands, pair)) {
            part->count += pair->contact_count;
        }
    }
}

static void count_parts(void *argument, int32_t begin, int32_t end) {
    placing *of = argument;
    int32_t pairs = of->world->broad.found_count, length = parts_length(pairs);
    for (int32_t i = begin; i < end; i++) {
        count_part(of, i * length, parts_end(pairs, i * length), &of->parts[i]);
    }
}

/* Gives the contacts of some pairs their places. Those of pairs without a job come there at once. */
static void place_part_of(const placing *of, int32_t begin, int32_t end, int32_t place) {
    narrow_phase *narrow = of->narrow;
    int32_t job = first_job(narrow, begin);
    for (int32_t p = begin; p < end; p++) {
        const broad_pair *pair = &of->world->broad.found[p];
        if (job < narrow->job_count && narrow->jobs[job].pair == p) {
            narrow->jobs[job].place = place;
            place += narrow->jobs[job++].count;
        } else if (!islands_pair_is_active(of->islands, pair)) {
            carry_over(narrow, of->world, p, place);
            place += pair->contact_count;
        } else {
            clear_pair(of->world, p);
        }
    }
}

static void place_parts(void *argument, int32_t begin, int32_t end) {
    const placing *of = argument;
    int32_t pairs = of->world->broad.found_count, length = parts_length(pairs);
    for (int32_t i = begin; i < end; i++) {
        place_part_of(of, i * length, parts_end(pairs, i * length), of->parts[i].first);
    }
}

static void write_jobs(void *argument, int32_t begin, int32_t end) {
    const placing *of = argument;
    for (int32_t i = begin; i < end; i++) {
        write_job(of->narrow, of->world, of->dt, &of->narrow->jobs[i]);
    }
}

abut_status contact_places_fill(narrow_phase *narrow, abut_world *world, const island_forest *islands, double dt) {
    enum { JOBS = 128 }; /* worth a piece of a loop */
    int32_t parts = parts_count(world->broad.found_count);
    int64_t count = 0;
    placing place;
    place.narrow = narrow;
    place.world = world;
    place.islands = islands;
    place.dt = dt;
    abut_parallel_for(&world->def.parallel, parts, 1, count_parts, &place);
    for (int32_t i = 0; i < parts; i++) {
        if (place.parts[i].status != ABUT_OK) {
            return place.parts[i].status;
        }
        place.parts[i].first = (int32_t)count;
        count += place.parts[i].count;
        if (count > INT32_MAX / 2) {
            return ABUT_ERROR_OUT_OF_MEMORY;
        }
    }
    world->next.count = 0;
    if (!contact_store_reserve(&world->next, (int32_t)count)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    world->next.count = (int32_t)count;
    abut_parallel_for(&world->def.parallel, parts, 1, place_parts, &place);
    abut_parallel_for(&world->def.parallel, narrow->job_count, JOBS, write_jobs, &place);
    return ABUT_OK;
}

/* ---- idle contacts ---- */

/* The pairs of a part of broad.found, and their contacts that stay. */
typedef struct kept_part {
    int32_t first, count; /* in `next` */
    int32_t shift;        /* to their last place */
} kept_part;

typedef struct dropping {
    const narrow_phase *narrow;
    abut_world *world;
    kept_part parts[PARTS_MOST];
} dropping;

static void move_contact(contact_store *store, int32_t from, int32_t to) {
    if (from != to) {
        store->contacts[to] = store->contacts[from];
        store->memory[to] = store->memory[from];
    }
}

/* Keeps those contacts of a pair that carry force or are near, from `kept` on. Returns their end. */
static int32_t keep_of(const dropping *of, int32_t p, int32_t kept) {
    abut_world *world = of->world;
    broad_pair *pair = &world->broad.found[p];
    contact_store *next = &world->next;
    int32_t first = kept;
    if (pair->contact_count == 0) {
        pair->contact_first = kept;
        return kept;
    }
    const pair_extent *extent = &of->narrow->extents[p];
    double settled = world->def.fixed.margin * extent->size;
    bool all = pair->met == 0.0 && extent->most <= settled;
    if (all && kept == pair->contact_first) { /* most often nothing moves */
        return kept + pair->contact_count;
    }
    pair->measured = pair->met == 0.0;
    for (int32_t i = pair->contact_first; i < pair->contact_first + pair->contact_count; i++) {
        bool near = all || (pair->met == 0.0 && next->contacts[i].contact.gap <= settled);
        if (near || next->contacts[i].normal_force > 0.0) {
            move_contact(next, i, kept++);
        }
    }
    pair->contact_first = first;
    pair->contact_count = kept - first;
    return kept;
}

/* The place of the first contact of some pairs. */
static int32_t first_contact(const broad_phase *broad, int32_t begin, int32_t end) {
    for (int32_t p = begin; p < end; p++) {
        if (broad->found[p].contact_count > 0) {
            return broad->found[p].contact_first;
        }
    }
    return 0;
}

/* The contacts of a part of the pairs follow each other, so threads work on different ones. */
static void drop_idle_of(void *argument, int32_t begin, int32_t end) {
    dropping *of = argument;
    const broad_phase *broad = &of->world->broad;
    int32_t length = parts_length(broad->found_count);
    for (int32_t part = begin; part < end; part++) {
        int32_t p = part * length, last = parts_end(broad->found_count, p), first = first_contact(broad, p, last), kept = first;
        for (; p < last; p++) {
            kept = keep_of(of, p, kept);
        }
        of->parts[part] = (kept_part){.first = first, .count = kept - first};
    }
}

static void shift_pairs(void *argument, int32_t begin, int32_t end) {
    const dropping *of = argument;
    const broad_phase *broad = &of->world->broad;
    int32_t length = parts_length(broad->found_count);
    for (int32_t part = begin; part < end; part++) {
        for (int32_t p = part * length; p < parts_end(broad->found_count, part * length) && of->parts[part].shift != 0; p++) {
            broad->found[p].contact_first += of->parts[part].shift;
        }
    }
}

void contact_places_drop_idle(const narrow_phase *narrow, abut_world *world) {
    contact_store *next = &world->next;
    int32_t parts = parts_count(world->broad.found_count), kept = 0;
    dropping drop;
    drop.narrow = narrow;
    drop.world = world;
    abut_parallel_for(&world->def.parallel, parts, 1, drop_idle_of, &drop);
    for (int32_t i = 0; i < parts; i++) {
        kept_part *part = &drop.parts[i];
        if (part->count > 0 && kept != part->first) {
            memmove(next->contacts + kept, next->contacts + part->first, (size_t)part->count * sizeof *next->contacts);
            memmove(next->memory + kept, next->memory + part->first, (size_t)part->count * sizeof *next->memory);
        }
        part->shift = kept - part->first;
        kept += part->count;
    }
    abut_parallel_for(&world->def.parallel, parts, 1, shift_pairs, &drop);
    next->count = kept;
}
