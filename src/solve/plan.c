/* Order of elimination by minimum degree: always the body with the fewest neighbours, whose elimination makes those neighbours of each
 * other. The graphs are small, so neighbourhoods are rows of bits. */
#include "solve/plan.h"

#include "base/array.h"
#include "base/memory.h"

/* Largest island considered, and its largest cost for each body: the mean of the squared number of later neighbours, to which a
 * factorisation's work is proportional. Towers have 1 to 10, walls less than 100, heaps more. */
enum { LARGEST_ISLAND = 512, LARGEST_COST = 200, WORD = 64 };

void plan_release(solver_plan *plan) {
    memory_release(plan->islands);
    memory_release(plan->slots);
    memory_release(plan->column_first);
    memory_release(plan->rows);
    memory_release(plan->pairs);
    memory_release(plan->diagonal);
    memory_release(plan->below);
    memory_release(plan->vector);
    memory_release(plan->saved);
    memory_release(plan->points);
    memory_release(plan->columns);
    memory_release(plan->neighbour_first);
    memory_release(plan->neighbours);
    memory_release(plan->queue);
    memory_release(plan->local);
    memory_release(plan->degrees);
    memory_release(plan->coupled);
    *plan = (solver_plan){0};
}

static bool room(int32_t **array, int32_t *capacity, int32_t needed) {
    int32_t *grown = array_room(*array, capacity, needed, sizeof **array);
    *array = grown != NULL ? grown : *array;
    return grown != NULL;
}

static bool reserve(solver_plan *plan, int32_t slots, int32_t pairs) {
    const int32_t words = LARGEST_ISLAND * (LARGEST_ISLAND / WORD);
    uint64_t *coupled = array_room(plan->coupled, &plan->coupled_capacity, words, sizeof *coupled);
    plan->coupled = coupled != NULL ? coupled : plan->coupled;
    plan_pair *made = array_room(plan->pairs, &plan->pair_capacity, pairs, sizeof *made);
    plan->pairs = made != NULL ? made : plan->pairs;
    return coupled != NULL && made != NULL && pairs <= INT32_MAX / 2 && room(&plan->slots, &plan->slot_capacity, slots) &&
           room(&plan->column_first, &plan->first_capacity, slots + 1) && room(&plan->columns, &plan->column_capacity, slots) &&
           room(&plan->neighbour_first, &plan->neighbour_first_capacity, slots + 1) &&
           room(&plan->neighbours, &plan->neighbour_capacity, 2 * pairs) && room(&plan->queue, &plan->queue_capacity, slots) &&
           room(&plan->local, &plan->local_capacity, slots) && room(&plan->degrees, &plan->degree_capacity, LARGEST_ISLAND);
}

static bool moves(const solver_contacts *set, int32_t slot) { return set->bodies[slot].inverse_mass > 0.0; }

static bool couples(const solver_contacts *set, const solver_pair *pair) { return moves(set, pair->a) && moves(set, pair->b); }

/* The neighbours of every slot, one after the other. */
static void link_neighbours(solver_plan *plan, const solver_contacts *set, int32_t slots) {
    int32_t *first = plan->neighbour_first;
    for (int32_t i = 0; i <= slots; i++) {
        first[i] = 0;
    }
    for (int32_t p = 0; p < set->pair_count; p++) {
        if (couples(set, &set->pairs[p])) {
            first[set->pairs[p].a]++;
            first[set->pairs[p].b]++;
        }
    }
    for (int32_t i = 0, sum = 0; i <= slots; i++) {
        sum += first[i];
        first[i] = sum;
    }
    /* Filled from behind, each first[] comes down to its place. */
    for (int32_t p = 0; p < set->pair_count; p++) {
        const solver_pair *pair = &set->pairs[p];
        if (couples(set, pair)) {
            plan->neighbours[--first[pair->a]] = pair->b;
            plan->neighbours[--first[pair->b]] = pair->a;
        }
    }
}

/* The island of a slot, into the queue. Returns its size. */
static int32_t gather_island(solver_plan *plan, int32_t seed) {
    int32_t count = 0;
    plan->local[seed] = count;
    plan->queue[count++] = seed;
    for (int32_t i = 0; i < count; i++) {
        int32_t slot = plan->queue[i];
        for (int32_t k = plan->neighbour_first[slot]; k < plan->neighbour_first[slot + 1]; k++) {
            int32_t next = plan->neighbours[k];
            if (plan->local[next] < 0) {
                plan->local[next] = count;
                plan->queue[count++] = next;
            }
        }
    }
    return count;
}

static int32_t count_bits(const uint64_t *row, int32_t words) {
    int32_t count = 0;
    for (int32_t w = 0; w < words; w++) {
        for (uint64_t rest = row[w]; rest != 0; rest &= rest - 1) {
            count++;
        }
    }
    return count;
}

static bool has_bit(const uint64_t *row, int32_t bit) { return row[bit / WORD] >> (bit % WORD) & 1; }

static void clear_bit(uint64_t *row, int32_t bit) { row[bit / WORD] &= ~(UINT64_C(1) << (bit % WORD)); }

static void couple_island(solver_plan *plan, int32_t count, int32_t words) {
    for (int32_t i = 0; i < count * words; i++) {
        plan->coupled[i] = 0;
    }
    for (int32_t i = 0; i < count; i++) {
        int32_t slot = plan->queue[i];
        uint64_t *row = plan->coupled + i * words;
        for (int32_t k = plan->neighbour_first[slot]; k < plan->neighbour_first[slot + 1]; k++) {
            int32_t other = plan->local[plan->neighbours[k]];
            row[other / WORD] |= UINT64_C(1) << (other % WORD);
        }
        plan->degrees[i] = count_bits(row, words);
    }
}

static int32_t least_degree(const solver_plan *plan, int32_t count) {
    int32_t least = -1;
    for (int32_t i = 0; i < count; i++) {
        if (plan->degrees[i] >= 0 && (least < 0 || plan->degrees[i] < plan->degrees[least])) {
            least = i;
        }
    }
    return least;
}

/* Eliminate a body: append its column, with the slots of its neighbours as rows for now, and couple those with each other. */
static bool eliminate(solver_plan *plan, int32_t chosen, int32_t count, int32_t words) {
    int32_t degree = plan->degrees[chosen];
    int32_t *rows = degree > INT32_MAX - plan->row_count
                        ? NULL
                        : array_more_room(plan->rows, &plan->row_capacity, plan->row_count, plan->row_count + degree, sizeof *rows);
    if (rows == NULL) {
        return false;
    }
    plan->rows = rows;
    uint64_t *gone = plan->coupled + chosen * words;
    for (int32_t i = 0; i < count; i++) {
        if (has_bit(gone, i)) {
            uint64_t *row = plan->coupled + i * words;
            for (int32_t w = 0; w < words; w++) {
                row[w] |= gone[w];
            }
            clear_bit(row, i);
            clear_bit(row, chosen);
            plan->degrees[i] = count_bits(row, words);
            rows[plan->row_count++] = plan->queue[i];
        }
    }
    plan->degrees[chosen] = -1;
    plan->columns[plan->queue[chosen]] = plan->column_count;
    plan->slots[plan->column_count++] = plan->queue[chosen];
    plan->column_first[plan->column_count] = plan->row_count;
    return true;
}

/* Rows as columns, ascending. */
static void sort_rows(solver_plan *plan, int32_t column) {
    int32_t first = plan->column_first[column], end = plan->column_first[column + 1];
    for (int32_t k = first; k < end; k++) {
        int32_t row = plan->columns[plan->rows[k]], at = k;
        for (; at > first && plan->rows[at - 1] > row; at--) {
            plan->rows[at] = plan->rows[at - 1];
        }
        plan->rows[at] = row;
    }
}

/* Order the island in the queue. It is taken back when it costs too much. */
static bool order_island(solver_plan *plan, int32_t count) {
    int32_t words = (count + WORD - 1) / WORD, column = plan->column_count, row = plan->row_count;
    int64_t cost = 0;
    couple_island(plan, count, words);
    for (int32_t i = 0; i < count; i++) {
        int32_t chosen = least_degree(plan, count);
        cost += (int64_t)plan->degrees[chosen] * plan->degrees[chosen];
        if (cost > (int64_t)LARGEST_COST * count) {
            for (int32_t k = 0; k < count; k++) {
                plan->columns[plan->queue[k]] = -1;
            }
            plan->column_count = column;
            plan->row_count = row;
            return true;
        }
        if (!eliminate(plan, chosen, count, words)) {
            return false;
        }
    }
    for (int32_t c = column; c < plan->column_count; c++) {
        sort_rows(plan, c);
    }
    plan_island *islands =
        array_more_room(plan->islands, &plan->island_capacity, plan->island_count, plan->island_count + 1, sizeof *islands);
    if (islands == NULL) {
        return false;
    }
    plan->islands = islands;
    plan->islands[plan->island_count++] = (plan_island){.column = column, .column_end = plan->column_count};
    return true;
}

static int32_t find_block(const solver_plan *plan, int32_t a, int32_t b) {
    int32_t column = a < b ? a : b, row = a < b ? b : a;
    if (column < 0) {
        return -1;
    }
    int32_t low = plan->column_first[column], high = plan->column_first[column + 1] - 1;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (plan->rows[middle] < row) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static int32_t island_of(const solver_plan *plan, int32_t column) {
    int32_t low = 0, high = plan->island_count - 1;
    while (low < high) {
        int32_t middle = low + (high - low + 1) / 2;
        if (plan->islands[middle].column <= column) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

static int32_t column_of(const solver_plan *plan, const solver_contacts *set, int32_t slot) {
    return moves(set, slot) ? plan->columns[slot] : -1;
}

/* The pairs of every island, by counting. */
static void gather_pairs(solver_plan *plan, const solver_contacts *set) {
    for (int round = 0; round < 2; round++) {
        for (int32_t p = 0; p < set->pair_count; p++) {
            int32_t a = column_of(plan, set, set->pairs[p].a), b = column_of(plan, set, set->pairs[p].b);
            if (a < 0 && b < 0) {
                continue;
            }
            plan_island *island = &plan->islands[island_of(plan, a > b ? a : b)];
            if (round == 1) {
                plan->pairs[island->pair_end] = (plan_pair){p, a, b, find_block(plan, a, b)};
            }
            island->pair_end++;
        }
        int32_t sum = 0;
        for (int32_t i = 0; i < plan->island_count && round == 0; i++) {
            plan_island *island = &plan->islands[i];
            int32_t count = island->pair_end;
            island->pair = sum;
            island->pair_end = sum;
            sum += count;
        }
    }
}

static bool reserve_blocks(solver_plan *plan, int32_t points) {
    plan_point *made = array_room(plan->points, &plan->point_capacity, points, sizeof *made);
    plan->points = made != NULL ? made : plan->points;
    block *diagonal = array_room(plan->diagonal, &plan->diagonal_capacity, plan->column_count, sizeof *diagonal);
    plan->diagonal = diagonal != NULL ? diagonal : plan->diagonal;
    block *below = array_room(plan->below, &plan->below_capacity, plan->row_count, sizeof *below);
    plan->below = below != NULL ? below : plan->below;
    block_vector *vector = array_room(plan->vector, &plan->vector_capacity, plan->column_count, sizeof *vector);
    plan->vector = vector != NULL ? vector : plan->vector;
    block_vector *saved = array_room(plan->saved, &plan->saved_capacity, plan->column_count, sizeof *saved);
    plan->saved = saved != NULL ? saved : plan->saved;
    return made != NULL && saved != NULL && diagonal != NULL && below != NULL && vector != NULL;
}

bool plan_make(solver_plan *plan, const solver_contacts *set, int32_t slots) {
    plan->island_count = 0;
    plan->column_count = 0;
    plan->row_count = 0;
    if (!reserve(plan, slots, set->pair_count)) {
        return false;
    }
    plan->column_first[0] = 0;
    for (int32_t slot = 0; slot < slots; slot++) {
        plan->columns[slot] = -1;
        plan->local[slot] = -1;
    }
    link_neighbours(plan, set, slots);
    for (int32_t p = 0; p < set->pair_count; p++) {
        int32_t seed = moves(set, set->pairs[p].a) ? set->pairs[p].a : set->pairs[p].b;
        int32_t count = plan->local[seed] < 0 ? gather_island(plan, seed) : 0;
        if (count > 0 && count <= LARGEST_ISLAND && !order_island(plan, count)) {
            return false;
        }
    }
    gather_pairs(plan, set);
    return reserve_blocks(plan, set->point_count);
}
