/*
 * The smallest displacement along one normal in closed form (along.h), after J. Kim, Y. J. Kim, "A Penetration Metric for Deforming
 * Tetrahedra using Object Norm". It replaces their quadratic programs (equations 4 to 10).
 */
#include "tetra/along.h"

#include "base/real.h"

/* One body along the normal. */
typedef struct side {
    int count, forced_count;
    double mean[4]; /* mean of the forced vertices and the highest others, k in total; k starts at max(1, forced_count) */
} side;

static void order(double *larger, double *smaller) {
    double least = real_min(*larger, *smaller);
    *larger = real_max(*larger, *smaller);
    *smaller = least;
}

/* Without forced vertices; missing vertices are ignored. */
static side make_free_side(int count, const double *height) {
    double h[4];
    for (int i = 0; i < 4; ++i) {
        h[i] = i < count ? height[i] : -INFINITY;
    }
    order(&h[0], &h[1]);
    order(&h[2], &h[3]);
    order(&h[0], &h[2]);
    order(&h[1], &h[3]);
    order(&h[1], &h[2]);
    double two = h[0] + h[1], three = two + h[2];
    return (side){count, 0, {h[0], (1.0 / 2.0) * two, (1.0 / 3.0) * three, (1.0 / 4.0) * (three + h[3])}};
}

static side make_side(int count, const double *height, unsigned forced) {
    double sum = 0.0, free[4] = {0.0, 0.0, 0.0, 0.0};
    int forced_count = 0, free_count = 0;
    for (int i = 0; i < count; ++i) {
        if ((forced >> i & 1u) != 0u) {
            sum += height[i];
            ++forced_count;
        } else {
            free[free_count++] = height[i];
        }
    }
    side others = make_free_side(free_count, free), s = {count, forced_count, {0.0, 0.0, 0.0, 0.0}};
    if (forced_count > 0) {
        s.mean[forced_count - 1] = sum / forced_count;
    }
    for (int k = 1; k <= free_count; ++k) {
        s.mean[forced_count + k - 1] = (sum + k * others.mean[k - 1]) / (forced_count + k);
    }
    return s;
}

static int fewest(const side *s) { return s->forced_count > 1 ? s->forced_count : 1; }

/* The pressure of the plane on the bodies. Unless vertices of both sides are forced onto it, the plane cannot pull. */
static double find_tau(const pair *p, const side s[2], bool pulls) {
    double tau = pulls ? -INFINITY : 0.0;
    for (int k = fewest(&s[PAIR_A]); k <= s[PAIR_A].count; ++k) {
        for (int l = fewest(&s[PAIR_B]); l <= s[PAIR_B].count; ++l) {
            tau = real_max((s[PAIR_B].mean[l - 1] + s[PAIR_A].mean[k - 1]) * p->coupling[k - 1][l - 1], tau);
        }
    }
    return tau;
}

static double find_plane(const side *s, const pair_cost *cost, double t) {
    double c = -INFINITY;
    for (int k = fewest(s); k <= s->count; ++k) {
        c = real_max(s->mean[k - 1] - cost->slope[k - 1] * t, c);
    }
    return c;
}

/* Moves and cost of one body; c is the height of the plane towards the other body. */
static double move_body(const pair *p, int b, double c, unsigned forced, along *found) {
    double t = found->pull[b], sum = t * t;
    for (int i = 0; i < p->body[b].count; ++i) {
        double reach = c - found->height[b][i];
        double move = (forced >> i & 1u) != 0u ? reach : real_min(reach, t);
        /* a static body does not move, not even by a rounding error */
        found->move[b][i] = p->cost[b].share > 0.0 ? move : 0.0;
        sum += move * move;
    }
    return p->cost[b].share * sum;
}

static double highest(const double height[4]) { return real_max(real_max(height[0], height[1]), real_max(height[2], height[3])); }

/* Computes the heights; missing vertices have the height of the first one. */
static along begin(const pair *p, abut_vec3 normal) {
    along found = {.normal = normal};
    for (int i = 0; i < 4; ++i) {
        found.height[PAIR_A][i] = -abut_dot(normal, p->body[PAIR_A].vertex[i]);
        found.height[PAIR_B][i] = abut_dot(normal, p->body[PAIR_B].vertex[i]);
    }
    found.overlap = highest(found.height[PAIR_A]) + highest(found.height[PAIR_B]);
    return found;
}

void along_settle(const pair *p, const along_forced *forced, along *found) {
    /* The vertices of a static body stay where they are, so none can be forced onto the plane, which touches the highest of them. */
    unsigned onto[2];
    side s[2];
    for (int b = 0; b < 2; ++b) {
        onto[b] = forced != NULL && p->cost[b].share > 0.0 ? forced->vertices[b] : 0u;
        s[b] = onto[b] == 0u ? make_free_side(p->body[b].count, found->height[b]) : make_side(p->body[b].count, found->height[b], onto[b]);
    }
    double tau = find_tau(p, s, forced != NULL && forced->vertices[PAIR_A] != 0u && forced->vertices[PAIR_B] != 0u);
    for (int b = 0; b < 2; ++b) {
        found->pull[b] = p->cost[b].pull * tau;
    }
    /* If a body is static, it determines the plane. */
    int by = p->cost[PAIR_A].share > 0.0 ? PAIR_B : PAIR_A;
    double c = find_plane(&s[by], &p->cost[by], found->pull[by]);
    found->plane = by == PAIR_A ? -c : c;
    found->cost = move_body(p, PAIR_A, -found->plane, onto[PAIR_A], found) + move_body(p, PAIR_B, found->plane, onto[PAIR_B], found);
}

double along_overlap(const pair *p, abut_vec3 normal) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < 4; ++i) {
        low = real_min(abut_dot(normal, p->body[PAIR_A].vertex[i]), low);
        high = real_max(abut_dot(normal, p->body[PAIR_B].vertex[i]), high);
    }
    return high - low;
}

along along_solve(const pair *p, abut_vec3 normal, const along_forced *forced) {
    along found = begin(p, normal);
    along_settle(p, forced, &found);
    return found;
}

void along_take_less(const pair *p, abut_vec3 normal, along *best) {
    const double bound = abut_length_squared(normal) > 0.0 ? p->coupling[0][0] : INFINITY;
    double high = -INFINITY, low = INFINITY, own_high = -INFINITY, own_low = INFINITY;
    for (int i = 0; i < 4; ++i) {
        double a = abut_dot(normal, p->body[PAIR_A].vertex[i]), b = abut_dot(normal, p->body[PAIR_B].vertex[i]);
        low = real_min(a, low);
        high = real_max(a, high);
        own_low = real_min(b, own_low);
        own_high = real_max(b, own_high);
    }
    const double overlap[2] = {own_high - low, high - own_low};
    for (int sense = 0; sense < 2; ++sense) {
        /* One pushed vertex of each body bounds the cost from below, because tau is the maximum over all couplings. */
        if (overlap[sense] * fabs(overlap[sense]) * bound < best->cost) {
            along found = along_solve(p, sense == 0 ? normal : abut_neg(normal), NULL);
            if (found.cost < best->cost) {
                *best = found;
            }
        }
    }
}
