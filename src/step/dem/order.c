#include "step/dem/order.h"

#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/real.h"
#include "shape/shape.h"

/* Bits of a cell's number along an axis, which are one digit of the sort. */
enum { DIGIT_BITS = 10, DIGITS = 3 };

/* Cells about as wide as the mean ball. */
typedef struct cells {
    double lower[3], per_length; /* cells per length */
    int shift[3];                /* of an axis' number in the code */
} cells;

static bool is_ball(const body *b) { return b->used && b->shape->kind == ABUT_SHAPE_SPHERE; }

/* The number along the longest axis is the most significant one: layers across it have the fewest balls. */
static void place_digits(cells *c, const double length[3]) {
    for (int axis = 0; axis < 3; ++axis) {
        int shorter = 0;
        for (int other = 0; other < 3; ++other) {
            shorter += length[other] < length[axis] || (length[other] == length[axis] && other < axis);
        }
        c->shift[axis] = shorter * DIGIT_BITS;
    }
}

static cells cells_of(const abut_world *world, const dem_order *order) {
    cells c;
    double lower[3] = {INFINITY, INFINITY, INFINITY}, upper[3] = {-INFINITY, -INFINITY, -INFINITY}, length[3], diameters = 0.0;
    for (int32_t i = 0; i < order->count; ++i) {
        const body *b = &world->bodies[order->slots[i]];
        const double x[3] = {b->centre.x, b->centre.y, b->centre.z};
        diameters += 2.0 * b->shape->radius;
        for (int axis = 0; axis < 3; ++axis) {
            lower[axis] = real_min(lower[axis], x[axis]);
            upper[axis] = real_max(upper[axis], x[axis]);
        }
    }
    double longest = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        c.lower[axis] = lower[axis];
        length[axis] = upper[axis] - lower[axis];
        longest = real_max(longest, length[axis]);
    }
    place_digits(&c, length);
    double width = real_max(diameters / order->count, longest / ((1 << DIGIT_BITS) - 1));
    c.per_length = width > 0.0 && width < INFINITY ? 1.0 / width : 0.0;
    return c;
}

/* Places that are no numbers count as the first cell: the step will refuse them. */
static uint32_t code_of(const cells *c, abut_vec3 place) {
    const double x[3] = {place.x, place.y, place.z};
    uint32_t code = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const double most = (1 << DIGIT_BITS) - 1, at = (x[axis] - c->lower[axis]) * c->per_length;
        code |= (uint32_t)(at > 0.0 ? real_min(at, most) : 0.0) << c->shift[axis];
    }
    return code;
}

/* Sorts by one digit after the other; balls of one cell stay in the order of their slots. */
static void sort(uint32_t *codes, uint32_t *other_codes, int32_t *ranks, int32_t *other_ranks, int32_t count) {
    for (int digit = 0; digit < DIGITS; ++digit) {
        int32_t first[(1 << DIGIT_BITS) + 1] = {0};
        const uint32_t mask = (1u << DIGIT_BITS) - 1u;
        for (int32_t i = 0; i < count; ++i) {
            ++first[(codes[i] >> digit * DIGIT_BITS & mask) + 1];
        }
        for (int d = 0; d < 1 << DIGIT_BITS; ++d) {
            first[d + 1] += first[d];
        }
        for (int32_t i = 0; i < count; ++i) {
            int32_t to = first[codes[i] >> digit * DIGIT_BITS & mask]++;
            other_codes[to] = codes[i];
            other_ranks[to] = ranks[i];
        }
        memcpy(codes, other_codes, (size_t)count * sizeof *codes);
        memcpy(ranks, other_ranks, (size_t)count * sizeof *ranks);
    }
}

static bool has_room(dem_order *order, int32_t count) {
    return array_reserve(&order->slots, &order->slot_capacity, count + 1, sizeof *order->slots) &&
           array_reserve(&order->ranks, &order->rank_capacity, count + 1, sizeof *order->ranks) &&
           array_reserve(&order->at, &order->at_capacity, count + 1, sizeof *order->at);
}

/* Lists the balls by slot. */
static bool find_balls(dem_order *order, const abut_world *world) {
    order->count = 0;
    if (!has_room(order, world->body_used)) {
        return false;
    }
    for (int32_t slot = 0; slot < world->body_used; ++slot) {
        if (is_ball(&world->bodies[slot])) {
            order->slots[order->count] = slot;
            order->ranks[order->count] = order->count;
            ++order->count;
        }
    }
    return true;
}

bool dem_order_take(dem_order *order, const abut_world *world, const int32_t *at) {
    if (!find_balls(order, world)) {
        return false;
    }
    for (int32_t i = 0; i < order->count; ++i) {
        order->at[i] = at[i];
        order->ranks[at[i]] = i;
    }
    return true;
}

bool dem_order_make(dem_order *order, const abut_world *world) {
    if (!find_balls(order, world)) {
        return false;
    }
    uint32_t *codes = memory_allocate(2 * (size_t)order->count + 1, sizeof *codes);
    if (codes == NULL) {
        return false;
    }
    const cells c = cells_of(world, order);
    for (int32_t i = 0; i < order->count; ++i) {
        codes[i] = code_of(&c, world->bodies[order->slots[i]].centre);
    }
    sort(codes, codes + order->count, order->ranks, order->at, order->count);
    memory_release(codes);
    for (int32_t i = 0; i < order->count; ++i) {
        order->at[order->ranks[i]] = i;
    }
    return true;
}

void dem_order_release(dem_order *order) {
    memory_release(order->slots);
    memory_release(order->ranks);
    memory_release(order->at);
    *order = (dem_order){.count = 0};
}
