/* Greedy colouring: pair after pair takes the first colour that neither of its bodies has. A body in so many pairs that the colours run out
 * puts the rest of them into one last colour, whose only chunk is solved by one thread. */
#include "step/fixed/colours.h"

#include "base/array.h"
#include "base/memory.h"

/* Islands of at least so many pairs are coloured: below, starting the threads costs more than they gain. A chunk of pairs is one piece of
 * work. */
enum { LARGE = 1024, CHUNK = 64, COLOURS = 64 };

/* The colours of one island. */
typedef struct palette {
    int32_t counts[COLOURS + 1]; /* pairs; the last one is for those that found no colour */
    int32_t next[COLOURS + 1];   /* place of the next pair */
} palette;

static bool is_large(const step_island *island) { return island->pair_count >= LARGE; }

void colours_release(step_colours *colours) {
    memory_release(colours->used);
    memory_release(colours->order);
    memory_release(colours->chunks);
    memory_release(colours->firsts);
    memory_release(colours->progress);
    memory_release(colours->schedules);
    *colours = (step_colours){0};
}

static bool reserve(abut_world *world, int32_t islands, int32_t pairs) {
    step_colours *colours = &world->work.colours;
    int32_t chunks = pairs / CHUNK + islands * (COLOURS + 2), firsts = islands * (COLOURS + 2);
    uint64_t *used = array_room(colours->used, &colours->used_capacity, world->work.contacts.body_count, sizeof *used);
    colours->used = used != NULL ? used : colours->used;
    int32_t *order = array_room(colours->order, &colours->order_capacity, pairs, sizeof *order);
    colours->order = order != NULL ? order : colours->order;
    int32_t *chunk = array_room(colours->chunks, &colours->chunk_capacity, chunks, sizeof *chunk);
    colours->chunks = chunk != NULL ? chunk : colours->chunks;
    int32_t *first = array_room(colours->firsts, &colours->first_capacity, firsts, sizeof *first);
    colours->firsts = first != NULL ? first : colours->firsts;
    solver_progress *progress = array_room(colours->progress, &colours->progress_capacity, chunks, sizeof *progress);
    colours->progress = progress != NULL ? progress : colours->progress;
    solver_schedule *schedules = array_room(colours->schedules, &colours->schedule_capacity, islands, sizeof *schedules);
    colours->schedules = schedules != NULL ? schedules : colours->schedules;
    return used != NULL && order != NULL && chunk != NULL && first != NULL && progress != NULL && schedules != NULL;
}

/* The first colour that is free for both bodies; those that do not move are always free. */
static int32_t choose(uint64_t *used, const step_island *island, const step_pair *pair) {
    uint64_t a = pair->a < island->moving ? used[island->body + pair->a] : 0, b = pair->b < island->moving ? used[island->body + pair->b] : 0;
    uint64_t taken = a | b;
    int32_t colour = 0;
    while (colour < COLOURS && taken >> colour & 1) {
        colour++;
    }
    if (colour < COLOURS) {
        used[island->body + pair->a] |= UINT64_C(1) << colour;
        used[island->body + pair->b] |= UINT64_C(1) << colour;
    }
    return colour;
}

/* Colours all pairs of an island, which are those of work.pairs that name it. */
static void colour_pairs(step_work *work, int32_t index, palette *colours) {
    const step_island *island = &work->islands[index];
    *colours = (palette){.counts = {0}};
    for (int32_t i = 0; i < island->body_count; i++) {
        work->colours.used[island->body + i] = 0;
    }
    for (int32_t p = 0; p < work->pair_count; p++) {
        step_pair *pair = &work->pairs[p];
        if (pair->island == index) {
            pair->colour = choose(work->colours.used, island, pair);
            colours->counts[pair->colour]++;
        }
    }
}

/* The island's pairs colour by colour, each in the order they had, with new places for them, their patches and points. */
static void order_pairs(abut_world *world, int32_t index, palette *colours) {
    step_work *work = &world->work;
    for (int32_t c = 0, sum = 0; c <= COLOURS; c++) {
        colours->next[c] = sum;
        sum += colours->counts[c];
    }
    for (int32_t p = 0; p < work->pair_count; p++) {
        if (work->pairs[p].island == index) {
            work->colours.order[colours->next[work->pairs[p].colour]++] = p;
        }
    }
    int32_t patch = 0, point = 0;
    for (int32_t i = 0; i < work->islands[index].pair_count; i++) {
        step_pair *pair = &work->pairs[work->colours.order[i]];
        pair->pair = i;
        pair->patch = patch;
        pair->point = point;
        patch += pair->patch_count;
        point += world->broad.found[pair->found].contact_count;
    }
}

/* Cuts the colours into chunks, and makes the schedule of it. */
static void cut(abut_world *world, const palette *colours, int32_t number) {
    step_colours *all = &world->work.colours;
    int32_t *chunks = all->chunks + all->chunk_count, *firsts = all->firsts + number * (COLOURS + 2);
    int32_t chunk = 0, colour = 0, pair = 0;
    for (int32_t c = 0; c <= COLOURS; c++) {
        if (colours->counts[c] == 0) {
            continue;
        }
        firsts[colour++] = chunk;
        for (int32_t end = pair + colours->counts[c]; pair < end;) {
            chunks[chunk++] = pair;
            pair = c == COLOURS || end - pair <= CHUNK ? end : pair + CHUNK;
        }
    }
    chunks[chunk] = pair;
    firsts[colour] = chunk;
    all->schedules[number] = (solver_schedule){&world->def.parallel, chunks, firsts, chunk, colour, all->progress + all->chunk_count};
    all->chunk_count += chunk + 1;
}

bool colours_make(abut_world *world) {
    step_work *work = &world->work;
    int32_t islands = 0, pairs = 0, number = 0;
    for (int32_t i = 0; i < work->island_count; i++) {
        work->sets[i].schedule = NULL;
        islands += is_large(&work->islands[i]);
        pairs += is_large(&work->islands[i]) ? work->islands[i].pair_count : 0;
    }
    work->colours.chunk_count = 0;
    if (islands == 0) {
        return true;
    }
    if (!reserve(world, islands, pairs)) {
        return false;
    }
    for (int32_t i = 0; i < work->island_count; i++) {
        if (is_large(&work->islands[i])) {
            palette colours;
            colour_pairs(work, i, &colours);
            order_pairs(world, i, &colours);
            cut(world, &colours, number);
            work->sets[i].schedule = &work->colours.schedules[number++];
        }
    }
    return true;
}
