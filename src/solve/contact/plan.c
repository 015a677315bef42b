/* Elimination order by minimum degree: the next node is always the one with the fewest neighbours, and its elimination connects these
 * neighbours with each other. The graphs are small, so neighbourhoods are rows of bits. */
#include "solve/contact/plan.h"

#include "base/array.h"
#include "base/memory.h"

/* Largest island considered, and its largest cost per body. The cost is the mean of the squared number of later neighbours; the work of a
 * factorisation is proportional to it. Towers have 1 to 10, walls less than 100, heaps more. */
enum { LARGEST_ISLAND = 512, LARGEST_COST = 200, WORD = 64 };

/* The same for a part that joints hold together. It is mostly a tree, which costs little; its order takes the square of its size. */
enum { LARGEST_PART = 2048 };

void plan_release(solver_plan *plan) {
    memory_release(plan->islands);
    memory_release(plan->bodies);
    memory_release(plan->column_first);
    memory_release(plan->rows);
    memory_release(plan->pairs);
    memory_release(plan->diagonal);
    memory_release(plan->below);
    memory_release(plan->vector);
    memory_release(plan->saved);
    memory_release(plan->points);
    memory_release(plan->joints);
    memory_release(plan->floors);
    memory_release(plan->ready);
    memory_release(plan->columns);
    memory_release(plan->places);
    memory_release(plan->list);
    memory_release(plan->parents);
    memory_release(plan->nexts);
    memory_release(plan->firsts);
    memory_release(plan->degrees);
    memory_release(plan->coupled);
    *plan = (solver_plan){0};
}

/* Room for these numbers of islands, of nodes in the largest island and in all islands, of pairs, of points and of joints. */
static bool reserve(solver_plan *plan, int32_t islands, int32_t most, int32_t bodies, int32_t pairs, int32_t points, int32_t joints) {
    const int32_t ordered = joints == 0 || most <= LARGEST_ISLAND ? LARGEST_ISLAND : most < LARGEST_PART ? most : LARGEST_PART;
    const int32_t words = ordered * ((ordered + WORD - 1) / WORD);
    return bodies < INT32_MAX && array_reserve(&plan->coupled, &plan->coupled_capacity, words, sizeof *plan->coupled) &&
           array_reserve(&plan->islands, &plan->island_capacity, islands, sizeof *plan->islands) &&
           array_reserve(&plan->pairs, &plan->pair_capacity, pairs, sizeof *plan->pairs) &&
           array_reserve(&plan->points, &plan->point_capacity, points, sizeof *plan->points) &&
           array_reserve(&plan->joints, &plan->joint_capacity, joints, sizeof *plan->joints) &&
           array_reserve(&plan->ready, &plan->ready_capacity, ordered, sizeof *plan->ready) &&
           array_reserve(&plan->bodies, &plan->body_capacity, bodies, sizeof *plan->bodies) &&
           array_reserve(&plan->column_first, &plan->first_capacity, bodies + 1, sizeof *plan->column_first) &&
           array_reserve(&plan->columns, &plan->column_capacity, most, sizeof *plan->columns) &&
           array_reserve(&plan->places, &plan->place_capacity, most, sizeof *plan->places) &&
           array_reserve(&plan->list, &plan->list_capacity, most, sizeof *plan->list) &&
           array_reserve(&plan->parents, &plan->parent_capacity, most, sizeof *plan->parents) &&
           array_reserve(&plan->nexts, &plan->next_capacity, most, sizeof *plan->nexts) &&
           array_reserve(&plan->firsts, &plan->lead_capacity, most, sizeof *plan->firsts) &&
           array_reserve(&plan->degrees, &plan->degree_capacity, ordered, sizeof *plan->degrees);
}

static bool moves(const solver_contacts *set, int32_t body) { return set->bodies[body].inverse_mass > 0.0; }

/* Lists the bodies that move and touch or have a joint, and the joints. Returns their number. */
static int32_t list_nodes(solver_plan *plan, const solver_contacts *set) {
    for (int32_t i = 0; i < set->body_count + set->joint_count; i++) {
        plan->columns[i] = -1;
        plan->places[i] = -1;
    }
    for (int32_t p = 0; p < set->pair_count; p++) {
        plan->places[set->pairs[p].a] = 0;
        plan->places[set->pairs[p].b] = 0;
    }
    for (int32_t j = 0; j < set->joint_count; j++) {
        plan->places[set->joints[j].a] = 0;
        plan->places[set->joints[j].b] = 0;
    }
    int32_t count = 0;
    for (int32_t i = 0; i < set->body_count; i++) {
        if (plan->places[i] == 0 && moves(set, i)) {
            plan->places[i] = count;
            plan->list[count++] = i;
        }
    }
    for (int32_t j = 0; j < set->joint_count; j++) {
        plan->places[set->body_count + j] = count;
        plan->list[count++] = set->body_count + j;
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

static void set_bit(uint64_t *row, int32_t bit) { row[bit / WORD] |= UINT64_C(1) << (bit % WORD); }

static void couple(solver_plan *plan, int32_t a, int32_t b, int32_t words) {
    set_bit(plan->coupled + a * words, b);
    set_bit(plan->coupled + b * words, a);
}

static void couple_pairs(solver_plan *plan, const solver_contacts *set, int32_t words) {
    for (int32_t p = 0; p < set->pair_count; p++) {
        const solver_pair *pair = &set->pairs[p];
        if (moves(set, pair->a) && moves(set, pair->b)) {
            couple(plan, plan->places[pair->a], plan->places[pair->b], words);
        }
    }
}

/* Couples the nodes in the list. */
static void couple_nodes(solver_plan *plan, const solver_contacts *set, bool joints_only, int32_t count, int32_t words) {
    for (int32_t i = 0; i < count * words; i++) {
        plan->coupled[i] = 0;
    }
    if (!joints_only) {
        couple_pairs(plan, set, words);
    }
    for (int32_t i = 0; i < count; i++) {
        if (plan->list[i] < set->body_count) {
            continue;
        }
        const solver_joint *joint = &set->joints[plan->list[i] - set->body_count];
        const int32_t ends[2] = {joint->a, joint->b};
        for (int k = 0; k < 2; k++) {
            if (moves(set, ends[k])) {
                couple(plan, i, plan->places[ends[k]], words);
            }
        }
    }
    for (int32_t i = 0; i < count; i++) {
        plan->ready[i] = plan->list[i] < set->body_count;
        plan->degrees[i] = count_bits(plan->coupled + i * words, words);
    }
}

static int32_t least_degree(const solver_plan *plan, int32_t count) {
    int32_t least = -1;
    for (int32_t i = 0; i < count; i++) {
        if (plan->degrees[i] >= 0 && plan->ready[i] && (least < 0 || plan->degrees[i] < plan->degrees[least])) {
            least = i;
        }
    }
    return least;
}

/* Eliminates a node: appends its column, with its neighbours as rows for now, and connects these neighbours with each other. */
static bool eliminate(solver_plan *plan, int32_t chosen, int32_t count, int32_t words) {
    int32_t degree = plan->degrees[chosen];
    if (degree > INT32_MAX - plan->row_count ||
        !array_extend(&plan->rows, &plan->row_capacity, plan->row_count, plan->row_count + degree, sizeof *plan->rows)) {
        return false;
    }
    uint64_t *gone = plan->coupled + chosen * words;
    for (int32_t i = 0; i < count; i++) {
        if (has_bit(gone, i)) {
            uint64_t *row = plan->coupled + i * words;
            for (int32_t w = 0; w < words; w++) {
                row[w] |= gone[w];
            }
            clear_bit(row, i);
            clear_bit(row, chosen);
            plan->ready[i] = true;
            plan->degrees[i] = count_bits(row, words);
            plan->rows[plan->row_count++] = plan->list[i];
        }
    }
    plan->degrees[chosen] = -1;
    plan->columns[plan->list[chosen]] = plan->column_count;
    plan->bodies[plan->column_count++] = plan->list[chosen];
    plan->column_first[plan->column_count] = plan->row_count;
    return true;
}

/* Replaces rows by columns, in ascending order. */
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

/* Orders the nodes in the list. If that costs too much, removes their columns. */
static bool order_nodes(solver_plan *plan, const solver_contacts *set, bool joints_only, int32_t count) {
    int32_t words = (count + WORD - 1) / WORD, column = plan->column_count, row = plan->row_count;
    int64_t cost = 0;
    couple_nodes(plan, set, joints_only, count, words);
    for (int32_t i = 0; i < count; i++) {
        int32_t chosen = least_degree(plan, count);
        cost += (int64_t)plan->degrees[chosen] * plan->degrees[chosen];
        if (cost > (int64_t)LARGEST_COST * count) {
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

static void plan_pairs(solver_plan *plan, const solver_contacts *set, plan_pair *pairs) {
    for (int32_t p = 0; p < set->pair_count; p++) {
        int32_t a = plan->columns[set->pairs[p].a], b = plan->columns[set->pairs[p].b];
        pairs[p] = (plan_pair){a, b, find_block(plan, a, b)};
    }
}

static void plan_joints(solver_plan *plan, const solver_contacts *set, plan_joint *joints) {
    for (int32_t j = 0; j < set->joint_count; j++) {
        int32_t own = plan->columns[set->body_count + j], a = plan->columns[set->joints[j].a], b = plan->columns[set->joints[j].b];
        joints[j] = (plan_joint){own, a, b, find_block(plan, own, a), find_block(plan, own, b)};
    }
}

/* ---- joints alone ---- */

static int32_t leader_of(solver_plan *plan, int32_t node) {
    while (plan->parents[node] != node) {
        plan->parents[node] = plan->parents[plan->parents[node]];
        node = plan->parents[node];
    }
    return node;
}

/* The least node of a part leads it. */
static void unite(solver_plan *plan, int32_t a, int32_t b) {
    int32_t p = leader_of(plan, a), q = leader_of(plan, b);
    plan->parents[p > q ? p : q] = p > q ? q : p;
}

/* Finds the parts of a set that its joints hold together, as lists of nodes in ascending order. */
static void find_parts(solver_plan *plan, const solver_contacts *set) {
    const int32_t nodes = set->body_count + set->joint_count;
    for (int32_t i = 0; i < nodes; i++) {
        plan->parents[i] = i;
        plan->firsts[i] = plan->nexts[i] = plan->columns[i] = plan->places[i] = -1;
    }
    for (int32_t j = 0; j < set->joint_count; j++) {
        const int32_t ends[2] = {set->joints[j].a, set->joints[j].b};
        for (int k = 0; k < 2; k++) {
            if (moves(set, ends[k])) {
                plan->places[ends[k]] = 0; /* has a joint */
                unite(plan, ends[k], set->body_count + j);
            }
        }
    }
    for (int32_t i = nodes - 1; i >= 0; i--) {
        if (i >= set->body_count || plan->places[i] == 0) {
            int32_t leader = leader_of(plan, i);
            plan->nexts[i] = plan->firsts[leader];
            plan->firsts[leader] = i;
        }
    }
}

/* Lists the nodes of a part. Returns their number, or a larger one than LARGEST_PART. */
static int32_t list_part(solver_plan *plan, int32_t first) {
    int32_t count = 0;
    for (int32_t i = first; i >= 0 && count <= LARGEST_PART; i = plan->nexts[i]) {
        plan->places[i] = count;
        plan->list[count++] = i;
    }
    return count;
}

/* Orders the parts one after the other. Without a plan for all of them there is none. */
static bool order_parts(solver_plan *plan, const solver_contacts *set) {
    const int32_t column = plan->column_count, row = plan->row_count;
    find_parts(plan, set);
    for (int32_t i = 0; i < set->body_count + set->joint_count; i++) {
        int32_t count = plan->firsts[i] >= 0 ? list_part(plan, plan->firsts[i]) : 0, before = plan->column_count;
        if (count > 0 && count <= LARGEST_PART && !order_nodes(plan, set, true, count)) {
            return false;
        }
        if (plan->column_count < before + count) {
            plan->column_count = column;
            plan->row_count = row;
            return true;
        }
    }
    return true;
}

static bool plan_set(solver_plan *plan, const solver_contacts *set, bool left_out, plan_island *island) {
    island->column = plan->column_count;
    int32_t count = set->pair_count + set->joint_count > 0 && !left_out ? list_nodes(plan, set) : 0;
    if (count > 0 && count <= LARGEST_ISLAND && !order_nodes(plan, set, false, count)) {
        return false;
    }
    island->joints_only = plan->column_count == island->column && set->joint_count > 0 && !left_out;
    if (island->joints_only && !order_parts(plan, set)) {
        return false;
    }
    island->column_end = plan->column_count;
    if (island->column_end > island->column) {
        if (!island->joints_only) {
            plan_pairs(plan, set, plan->pairs + island->pair);
        }
        plan_joints(plan, set, plan->joints + island->joint);
    }
    return true;
}

static bool reserve_blocks(solver_plan *plan) {
    return array_reserve(&plan->diagonal, &plan->diagonal_capacity, plan->column_count, sizeof *plan->diagonal) &&
           array_reserve(&plan->below, &plan->below_capacity, plan->row_count, sizeof *plan->below) &&
           array_reserve(&plan->vector, &plan->vector_capacity, plan->column_count, sizeof *plan->vector) &&
           array_reserve(&plan->saved, &plan->saved_capacity, plan->column_count, sizeof *plan->saved) &&
           array_reserve(&plan->floors, &plan->floor_capacity, plan->column_count, sizeof *plan->floors);
}

bool plan_make(solver_plan *plan, const solver_contacts *sets, const bool *left_out, int32_t count) {
    int32_t nodes = 0, pairs = 0, points = 0, joints = 0, most = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t own = sets[i].body_count + sets[i].joint_count;
        nodes += own;
        pairs += sets[i].pair_count;
        points += sets[i].point_count;
        joints += sets[i].joint_count;
        most = own > most ? own : most;
    }
    plan->island_count = 0;
    plan->column_count = 0;
    plan->row_count = 0;
    if (!reserve(plan, count, most, nodes, pairs, points, joints)) {
        return false;
    }
    plan->column_first[0] = 0;
    int32_t pair = 0, point = 0, joint = 0;
    for (int32_t i = 0; i < count; i++) {
        plan->islands[i] = (plan_island){.pair = pair, .point = point, .joint = joint};
        if (!plan_set(plan, &sets[i], left_out != NULL && left_out[i], &plan->islands[i])) {
            return false;
        }
        pair += sets[i].pair_count;
        point += sets[i].point_count;
        joint += sets[i].joint_count;
    }
    plan->island_count = count;
    return reserve_blocks(plan);
}
