/* Greedy colouring: each pair takes the first colour that neither of its bodies has yet. When a body has so many pairs that no colour is left, the
 * remaining pairs get one last colour. Its only chunk is solved by one thread. */
#include "step/fixed/colours.h"

#include "base/array.h"
#include "base/memory.h"

/* Islands with at least LARGE pairs are coloured; for smaller islands starting the threads costs more than they gain. One task solves a chunk of pairs. */
enum { LARGE = 1024, CHUNK = 32, COLOURS = 64 };

/* The colours of one island. */
typedef struct palette {
    int32_t counts[COLOURS + 1]; /* number of pairs; the last entry counts the pairs that found no colour */
    int32_t next[COLOURS + 1];   /* place of the next pair of the colour */
} palette;

/* The quick solver has colours of its own. */
static bool is_large(const island_layout *layout, int32_t island) {
    return layout->islands[island].pair_count >= LARGE && !layout->quick[island];
}

void colours_release(island_colours *colours) {
    memory_release(colours->used);
    memory_release(colours->order);
    memory_release(colours->chunks);
    memory_release(colours->turns);
    memory_release(colours->firsts);
    memory_release(colours->progress);
    memory_release(colours->schedules);
}

static bool reserve(island_colours *c, int32_t states, int32_t islands, int32_t pairs) {
    int32_t chunks = pairs / CHUNK + islands * (COLOURS + 2), firsts = islands * (COLOURS + 2);
    return array_reserve(&c->used, &c->used_capacity, states, sizeof *c->used) &&
           array_reserve(&c->order, &c->order_capacity, pairs, sizeof *c->order) &&
           array_reserve(&c->chunks, &c->chunk_capacity, chunks, sizeof *c->chunks) &&
           array_reserve(&c->turns, &c->turn_capacity, chunks, sizeof *c->turns) &&
           array_reserve(&c->firsts, &c->first_capacity, firsts, sizeof *c->firsts) &&
           array_reserve(&c->progress, &c->progress_capacity, chunks, sizeof *c->progress) &&
           array_reserve(&c->schedules, &c->schedule_capacity, islands, sizeof *c->schedules);
}

/* The first colour that is free for both bodies. For a body that does not move every colour is free. */
static int32_t choose(uint64_t *used, const layout_island *island, const layout_pair *pair) {
    uint64_t a = pair->a < island->moving ? used[island->body + pair->a] : 0,
             b = pair->b < island->moving ? used[island->body + pair->b] : 0;
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

/* Give every pair of an island its colour. */
static void colour_pairs(uint64_t *used, island_layout *layout, int32_t index, palette *colours) {
    const layout_island *island = &layout->islands[index];
    *colours = (palette){.counts = {0}};
    for (int32_t i = 0; i < island->body_count; i++) {
        used[island->body + i] = 0;
    }
    for (int32_t p = 0; p < layout->pair_count; p++) {
        layout_pair *pair = &layout->pairs[p];
        if (pair->island == index) {
            pair->colour = choose(used, island, pair);
            colours->counts[pair->colour]++;
        }
    }
}

/* Sort the pairs of an island by colour, stably, and give them, their patches and their points new places. */
static void order_pairs(int32_t *order, island_layout *layout, const abut_world *world, int32_t index, palette *colours) {
    for (int32_t c = 0, sum = 0; c <= COLOURS; c++) {
        colours->next[c] = sum;
        sum += colours->counts[c];
    }
    for (int32_t p = 0; p < layout->pair_count; p++) {
        if (layout->pairs[p].island == index) {
            order[colours->next[layout->pairs[p].colour]++] = p;
        }
    }
    int32_t patch = 0, point = 0;
    for (int32_t i = 0; i < layout->islands[index].pair_count; i++) {
        layout_pair *pair = &layout->pairs[order[i]];
        pair->pair = i;
        pair->patch = patch;
        pair->point = point;
        patch += pair->patch_count;
        point += world->broad.found[pair->found].contact_count;
    }
}

/* Order the chunks by their place in their colour: the first chunks of all colours, then the second ones. Bodies are nearly sorted in each colour, so a
 * thread that runs the first part of every loop has mostly the same bodies and pairs in its cache. */
static void take_turns(const int32_t *firsts, int32_t colours, int32_t chunks, int32_t *turns) {
    enum { PARTS = 64 };
    int32_t count = 0;
    for (int32_t part = 0; part < PARTS; part++) {
        for (int32_t c = 0; c < colours; c++) {
            int64_t first = firsts[c], own = (c + 1 < colours ? firsts[c + 1] : chunks) - first;
            for (int64_t i = own * part / PARTS; i < own * (part + 1) / PARTS; i++) {
                turns[count++] = (int32_t)(first + i);
            }
        }
    }
}

/* Cut the colours into chunks and make the schedule of the large island with this number. */
static void cut(island_colours *all, const abut_world *world, const palette *colours, int32_t number) {
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
    int32_t *turns = all->turns + all->chunk_count;
    take_turns(firsts, colour, chunk, turns);
    all->schedules[number] =
        (solver_schedule){&world->def.parallel, chunks, firsts, chunk, colour, all->progress + all->chunk_count, turns};
    all->chunk_count += chunk + 1;
}

bool colours_make(island_colours *colours, island_layout *layout, const abut_world *world) {
    int32_t islands = 0, pairs = 0, number = 0;
    for (int32_t i = 0; i < layout->island_count; i++) {
        layout->sets[i].schedule = NULL;
        islands += is_large(layout, i);
        pairs += is_large(layout, i) ? layout->islands[i].pair_count : 0;
    }
    colours->chunk_count = 0;
    if (islands == 0) {
        return true;
    }
    if (!reserve(colours, layout->contacts.body_count, islands, pairs)) {
        return false;
    }
    for (int32_t i = 0; i < layout->island_count; i++) {
        if (is_large(layout, i)) {
            palette found;
            colour_pairs(colours->used, layout, i, &found);
            order_pairs(colours->order, layout, world, i, &found);
            cut(colours, world, &found, number);
            layout->sets[i].schedule = &colours->schedules[number++];
        }
    }
    return true;
}
