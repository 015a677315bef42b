/* A pair of simplices, relative to one of its vertices, in units that can be squared, with the coefficients of the object norm. */
#include "tetra/pair.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/argument.h"
#include "base/real.h"

const int pair_edge_ends[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

static abut_status check_simplex(const abut_simplex *simplex) {
    if (simplex->count < 1 || simplex->count > 4) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    for (int i = 0; i < simplex->count; ++i) {
        if (!abut_vec3_is_finite(simplex->vertex[i])) {
            return ABUT_ERROR_NOT_FINITE;
        }
    }
    return ABUT_OK;
}

abut_status pair_check(const abut_simplex *a, const abut_simplex *b) {
    abut_status status = check_simplex(a);
    return status != ABUT_OK ? status : check_simplex(b);
}

abut_status pair_check_settings(const abut_depth_settings *s) {
    if (s == NULL) {
        return ABUT_OK;
    }
    bool known = (int)s->mode >= ABUT_DEPTH_EXACT44 && (int)s->mode <= ABUT_DEPTH_FREE;
    bool some = s->mode != ABUT_DEPTH_BEST_K || (s->best_k >= 1 && s->best_k <= 88);
    bool moved = s->weight_a > 0.0 && s->weight_b > 0.0 && (s->weight_a < INFINITY || s->weight_b < INFINITY);
    double ratio = s->weight_a < INFINITY && s->weight_b < INFINITY ? s->weight_a / s->weight_b : 1.0;
    moved = moved && ratio >= 1e-100 && ratio <= 1e100;
    bool volume = s->volume_ratio == -INFINITY || (s->mode != ABUT_DEPTH_PAPER && s->volume_ratio >= 0.0 && s->volume_ratio < 1.0);
    return known && some && moved && volume ? ABUT_OK : ABUT_ERROR_INVALID_ARGUMENT;
}

static bool refused_simplex(const char *call, const char *name, int32_t index, const abut_simplex *simplex) {
    char place[48];
    if (index < 0) {
        (void)snprintf(place, sizeof place, "%s->", name);
    } else {
        (void)snprintf(place, sizeof place, "%s[%d].", name, (int)index);
    }
    if (simplex->count < 1 || simplex->count > 4) {
        return refused(call, "%scount is %d: it must be between 1 and 4", place, (int)simplex->count);
    }
    for (int i = 0; i < simplex->count; ++i) {
        if (!abut_vec3_is_finite(simplex->vertex[i])) {
            (void)strcat(place, "vertex");
            return refused_element(call, place, i, simplex->vertex[i]);
        }
    }
    return false;
}

abut_status pair_refuse(abut_status status, const char *call, int32_t index, const abut_simplex *a, const abut_simplex *b) {
    bool said = refused_simplex(call, "a", index, a) || refused_simplex(call, "b", index, b);
    if (!said && status == ABUT_ERROR_NOT_FINITE) {
        const char *why = "the simplices are too far apart, too large or too small for finite results";
        said = index < 0 ? refused(call, "a and b: %s", why) : refused(call, "a[%d] and b[%d]: %s", (int)index, (int)index, why);
    }
    return status;
}

abut_status pair_refuse_one(abut_status status, const char *call, const char *argument, const abut_simplex *simplex) {
    (void)refused_simplex(call, argument, -1, simplex);
    return status;
}

abut_status pair_refuse_settings(const char *call, const abut_depth_settings *s) {
    if (argument_is_zero(s, sizeof *s)) {
        return refuse_zero(call, "settings", "abut_depth_settings_default");
    }
    if ((int)s->mode < ABUT_DEPTH_EXACT44 || (int)s->mode > ABUT_DEPTH_FREE) {
        (void)refused_integer(call, "settings->mode", (int)s->mode, "an abut_depth_mode");
    } else if (s->mode == ABUT_DEPTH_BEST_K && (s->best_k < 1 || s->best_k > 88)) {
        (void)refused_outside(call, "settings->best_k", s->best_k, 1.0, 88.0);
    } else if (!argument_is_not_positive(call, "settings->weight_a", s->weight_a) &&
               !argument_is_not_positive(call, "settings->weight_b", s->weight_b)) {
        if (s->weight_a < INFINITY || s->weight_b < INFINITY) {
            double ratio = s->weight_a < INFINITY && s->weight_b < INFINITY ? s->weight_a / s->weight_b : 1.0;
            bool said = argument_is_outside(call, "settings->weight_a / settings->weight_b", ratio, 1e-100, 1e100);
            bool paper = s->mode == ABUT_DEPTH_PAPER && s->volume_ratio >= 0.0 && s->volume_ratio < 1.0;
            (void)(said || (paper ? refused(call, "settings->volume_ratio is set, but settings->mode knows no such bound")
                                  : refused_value(call, "settings->volume_ratio", s->volume_ratio, PAIR_RATIO_RANGE)));
        } else {
            (void)refused(call, "settings->weight_a and settings->weight_b are both infinity: one body must move");
        }
    }
    return ABUT_ERROR_INVALID_ARGUMENT;
}

abut_depth_settings abut_depth_settings_default(void) {
    abut_depth_settings settings = {.mode = ABUT_DEPTH_EXACT44, .best_k = 6, .weight_a = 1.0, .weight_b = 1.0, .volume_ratio = -INFINITY};
    return settings;
}

/* The cost of displacing m vertices for a weight relative to the larger one; INFINITY means static. */
static pair_cost cost_of(int m, double weight) {
    bool is_static = !(weight < INFINITY);
    pair_cost cost = {is_static ? 0.0 : weight / (m * (m + 1)), is_static ? 0.0 : m / weight, {0.0, 0.0, 0.0, 0.0}};
    for (int k = 1; k <= m; ++k) {
        cost.slope[k - 1] = (double)(m + 1 - k) / k;
    }
    return cost;
}

static void make_costs(const abut_depth_settings *s, pair *made) {
    double a = s != NULL ? s->weight_a : 1.0, b = s != NULL ? s->weight_b : 1.0;
    made->weight = !(a < INFINITY) ? b : !(b < INFINITY) || a > b ? a : b;
    made->cost[PAIR_A] = cost_of(made->body[PAIR_A].count, a / made->weight);
    made->cost[PAIR_B] = cost_of(made->body[PAIR_B].count, b / made->weight);
    made->volume_ratio = s != NULL ? s->volume_ratio : -INFINITY;
    for (int k = 0; k < 4; ++k) {
        for (int l = 0; l < 4; ++l) {
            bool there = k < made->body[PAIR_A].count && l < made->body[PAIR_B].count;
            double yield = made->cost[PAIR_A].pull * made->cost[PAIR_A].slope[k] + made->cost[PAIR_B].pull * made->cost[PAIR_B].slope[l];
            made->coupling[k][l] = there ? 1.0 / yield : 0.0;
        }
    }
}

/* Keeps a NaN. */
static double largest(double size, abut_vec3 v) { return real_max(real_max(fabs(v.x), fabs(v.y)), real_max(fabs(v.z), size)); }

/* The power of two that scales lengths of this size to about 1. It is 1 for ordinary lengths, to save the multiplication. */
static double scale_of(double size) {
    if ((size > 0x1p-60 && size < 0x1p60) || size == 0.0) {
        return 1.0;
    }
    int exponent;
    frexp(size, &exponent);
    exponent = exponent > 1000 ? 1000 : exponent < -1000 ? -1000 : exponent;
    return ldexp(1.0, -exponent);
}

static void place(const abut_simplex *simplex, abut_vec3 origin, double scale, pair_body *body) {
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    int m = body->count = simplex->count;
    for (int i = 0; i < 4; ++i) {
        body->vertex[i] = i < m ? abut_scale(scale, abut_sub(simplex->vertex[i], origin)) : body->vertex[0];
    }
    for (int e = 0; e < 6; ++e) {
        int from = pair_edge_ends[e][0], to = pair_edge_ends[e][1];
        body->edge[e] = to < m ? abut_scale(scale, abut_sub(simplex->vertex[to], simplex->vertex[from])) : zero;
    }
}

abut_status pair_make(const abut_simplex *a, const abut_simplex *b, const abut_depth_settings *settings, pair *made) {
    double size = 0.0;
    made->given[PAIR_A] = a;
    made->given[PAIR_B] = b;
    made->origin = a->vertex[0];
    for (int i = 1; i < a->count; ++i) {
        size = largest(size, abut_sub(a->vertex[i], made->origin));
    }
    for (int i = 0; i < b->count; ++i) {
        size = largest(size, abut_sub(b->vertex[i], made->origin));
    }
    if (!(size < 0x1p1022)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    made->scale = scale_of(size);
    made->size = size * made->scale;
    place(a, made->origin, made->scale, &made->body[PAIR_A]);
    place(b, made->origin, made->scale, &made->body[PAIR_B]);
    made->all = a->count == 4 && b->count == 4;
    make_costs(settings, made);
    return ABUT_OK;
}
