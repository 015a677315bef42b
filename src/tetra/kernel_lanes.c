/*
 * The kernels of kernel.h; compiled once per instruction set (base/simd.h). The formulas are those of along.c, which explains them, for inequalities and two
 * tetrahedra.
 */
#include "base/simd.h"
#include "tetra/kernel.h"

static simd dot(const simd d[3], abut_vec3 v) {
    return simd_add(simd_add(simd_mul(d[0], simd_set(v.x)), simd_mul(d[1], simd_set(v.y))), simd_mul(d[2], simd_set(v.z)));
}

/* Cross products of every edge of A with every edge of B. It writes more lanes than six; the next edge of A overwrites the excess. */
static bool cross_edges(const pair *p, lanes *l) {
    enum { EDGES = 6, ROOM = 8 };
    double x[ROOM] = {0.0}, y[ROOM] = {0.0}, z[ROOM] = {0.0};
    for (int j = 0; j < EDGES; ++j) {
        x[j] = p->body[PAIR_B].edge[j].x;
        y[j] = p->body[PAIR_B].edge[j].y;
        z[j] = p->body[PAIR_B].edge[j].z;
    }
    unsigned parallel = 0u;
    for (int i = 0; i < EDGES; ++i) {
        abut_vec3 e = p->body[PAIR_A].edge[i];
        simd ex = simd_set(e.x), ey = simd_set(e.y), ez = simd_set(e.z), least = simd_set(LANES_PARALLEL * abut_length_squared(e));
        for (int j = 0; j < EDGES; j += SIMD_WIDTH) {
            simd fx = simd_load(x + j), fy = simd_load(y + j), fz = simd_load(z + j);
            simd cx = simd_sub(simd_mul(ey, fz), simd_mul(ez, fy)), cy = simd_sub(simd_mul(ez, fx), simd_mul(ex, fz));
            simd cz = simd_sub(simd_mul(ex, fy), simd_mul(ey, fx));
            simd square = simd_add(simd_add(simd_mul(cx, cx), simd_mul(cy, cy)), simd_mul(cz, cz));
            simd lengths = simd_add(simd_add(simd_mul(fx, fx), simd_mul(fy, fy)), simd_mul(fz, fz));
            parallel |= simd_bits(simd_greater(simd_mul(least, lengths), square));
            int at = LANES_EDGES + EDGES * i + j;
            simd_store(l->x + at, cx);
            simd_store(l->y + at, cy);
            simd_store(l->z + at, cz);
        }
    }
    return parallel != 0u;
}

static simd least_of(const simd h[4]) { return simd_min(simd_min(h[0], h[1]), simd_min(h[2], h[3])); }
static simd most_of(const simd h[4]) { return simd_max(simd_max(h[0], h[1]), simd_max(h[2], h[3])); }

/* o |o| / |d|^2; infinite for lanes without a direction. */
static simd span_of(simd overlap, simd square, simd_mask there) {
    simd size = simd_max(overlap, simd_sub(simd_set(0.0), overlap));
    return simd_select(there, simd_div(simd_mul(overlap, size), square), simd_set(INFINITY));
}

/* Measures along d and -d. The sense with the smaller overlap becomes the first; it is usually also the cheaper one. */
static void measure(const pair *p, lanes *l) {
    for (int i = 0; i < LANES; i += SIMD_WIDTH) {
        simd d[3] = {simd_load(l->x + i), simd_load(l->y + i), simd_load(l->z + i)}, h[2][4];
        simd square = simd_add(simd_add(simd_mul(d[0], d[0]), simd_mul(d[1], d[1])), simd_mul(d[2], d[2]));
        simd_mask there = simd_greater(square, simd_set(LANES_LEAST));
        for (int b = 0; b < 2; ++b) {
            for (int v = 0; v < 4; ++v) {
                h[b][v] = dot(d, p->body[b].vertex[v]);
            }
        }
        simd first = simd_sub(most_of(h[PAIR_B]), least_of(h[PAIR_A])), second = simd_sub(most_of(h[PAIR_A]), least_of(h[PAIR_B]));
        simd sign = simd_select(simd_greater(first, second), simd_set(-1.0), simd_set(1.0));
        simd_store(l->span[0] + i, span_of(simd_min(first, second), square, there));
        simd_store(l->span[1] + i, span_of(simd_max(first, second), square, there));
        simd_store(l->square + i, square);
        simd_store(l->x + i, simd_mul(sign, d[0]));
        simd_store(l->y + i, simd_mul(sign, d[1]));
        simd_store(l->z + i, simd_mul(sign, d[2]));
        for (int b = 0; b < 2; ++b) {
            for (int v = 0; v < 4; ++v) {
                simd_store(l->height[b][v] + i, simd_mul(sign, h[b][v]));
            }
        }
    }
}

static void order(simd *p, simd *q) {
    simd low = simd_min(*p, *q), high = simd_max(*p, *q);
    *p = low;
    *q = high;
}

/* Means of the k lowest and of the k highest heights, k = 1 .. 4. */
static void find_means(const simd height[4], simd low[4], simd high[4]) {
    simd h[4] = {height[0], height[1], height[2], height[3]};
    order(&h[0], &h[1]);
    order(&h[2], &h[3]);
    order(&h[0], &h[2]);
    order(&h[1], &h[3]);
    order(&h[1], &h[2]);
    const simd half = simd_set(1.0 / 2.0), third = simd_set(1.0 / 3.0), quarter = simd_set(1.0 / 4.0);
    simd two = simd_add(h[0], h[1]), three = simd_add(two, h[2]), all = simd_add(three, h[3]);
    low[0] = h[0];
    low[1] = simd_mul(half, two);
    low[2] = simd_mul(third, three);
    low[3] = simd_mul(quarter, all);
    two = simd_add(h[3], h[2]);
    three = simd_add(two, h[1]);
    high[0] = h[3];
    high[1] = simd_mul(half, two);
    high[2] = simd_mul(third, three);
    high[3] = low[3];
}

/* Cost of one body: its heights must be at most c, and t pulls. `sign` turns heights towards the other body. */
static simd body_cost(const simd height[4], simd sign, simd c, simd t, double share) {
    simd sum = simd_mul(t, t);
    for (int v = 0; v < 4; ++v) {
        simd move = simd_min(simd_sub(c, simd_mul(sign, height[v])), t);
        sum = simd_add(sum, simd_mul(move, move));
    }
    return simd_mul(simd_set(share), sum);
}

/* The body `under` lies below the other along the directions: high means of its heights against low means of the other's. */
static simd sense_cost(const pair *p, int under, simd height[2][4], simd low[2][4], simd high[2][4]) {
    int over = 1 - under;
    simd tau = simd_set(0.0);
    for (int k = 0; k < 4; ++k) {
        for (int m = 0; m < 4; ++m) {
            double coupling = under == PAIR_A ? p->coupling[k][m] : p->coupling[m][k];
            tau = simd_max(simd_mul(simd_sub(high[under][k], low[over][m]), simd_set(coupling)), tau);
        }
    }
    simd t_under = simd_mul(simd_set(p->cost[under].pull), tau), t_over = simd_mul(simd_set(p->cost[over].pull), tau);
    simd c = simd_set(-INFINITY);
    for (int k = 0; k < 4; ++k) {
        c = simd_max(simd_sub(high[under][k], simd_mul(simd_set(p->cost[under].slope[k]), t_under)), c);
    }
    simd one = simd_set(1.0), minus = simd_set(-1.0);
    return simd_add(body_cost(height[under], one, c, t_under, p->cost[under].share),
                    body_cost(height[over], minus, simd_mul(minus, c), t_over, p->cost[over].share));
}

static simd load_heights(const lanes *l, int at, simd height[2][4], simd low[2][4], simd high[2][4]) {
    for (int b = 0; b < 2; ++b) {
        for (int v = 0; v < 4; ++v) {
            height[b][v] = simd_load(l->height[b][v] + at);
        }
        find_means(height[b], low[b], high[b]);
    }
    return simd_load(l->square + at);
}

static void find_costs(const pair *p, lanes *l, bool all) {
    /* One pushed vertex of each body bounds a cost from below; slightly less, for rounding errors. */
    simd share = simd_set(p->coupling[0][0] * (1.0 - 1e-9)), nothing = simd_set(INFINITY), minus = simd_set(-1.0);
    double least = INFINITY;
    for (int sense = 0; sense < LANES_SENSES; ++sense) {
        for (int i = 0; i < LANES; i += SIMD_WIDTH) {
            simd bound = simd_mul(share, simd_load(l->span[sense] + i)), cost = nothing;
            if (simd_bits(simd_greater(simd_set(all ? INFINITY : least), bound)) != 0u) {
                simd height[2][4], low[2][4], high[2][4];
                simd square = load_heights(l, i, height, low, high);
                cost = simd_div(sense_cost(p, sense == 0 ? PAIR_B : PAIR_A, height, low, high), square);
                cost = simd_select(simd_greater(square, simd_set(LANES_LEAST)), cost, nothing);
                double best = -simd_largest(simd_mul(minus, cost));
                least = best < least ? best : least;
            }
            simd_store(l->cost[sense] + i, cost);
        }
    }
}

/* The minimum over the lanes from begin to end, and the first lane that has it; -1 when all are infinite. */
static double least_within(const double values[LANES_SENSES][LANES], int begin, int end, int *lane) {
    simd best = simd_set(INFINITY), at = simd_set(-1.0), index = simd_add(simd_steps(), simd_set(begin)), step = simd_set(SIMD_WIDTH);
    for (int i = begin; i < end; i += SIMD_WIDTH) {
        simd value = simd_min(simd_load(values[0] + i), simd_load(values[1] + i));
        at = simd_select(simd_greater(best, value), index, at);
        best = simd_min(value, best);
        index = simd_add(index, step);
    }
    double number[SIMD_WIDTH], value = -simd_largest(simd_sub(simd_set(0.0), best));
    simd_store(number, at);
    *lane = LANES;
    for (unsigned bits = simd_bits(simd_equal(best, simd_set(value))); bits != 0u; bits &= bits - 1u) {
        int here = (int)number[bits_lowest(bits)];
        *lane = here < *lane ? here : *lane;
    }
    return value;
}

static lane_choice least(const double values[LANES_SENSES][LANES]) {
    int face, edges;
    double by_face = least_within(values, 0, LANES_EDGES, &face), by_edges = least_within(values, LANES_EDGES, LANES, &edges);
    double size = by_edges < 0.0 ? -by_edges : by_edges;
    int found = face >= 0 && (edges < 0 || by_face <= by_edges + LANES_TIE * size) ? face : edges;
    return (lane_choice){found, found >= 0 && values[1][found] < values[0][found] ? 1 : 0};
}

const kernel_table SIMD_VARIANT(kernel) = {cross_edges, measure, find_costs, least};
