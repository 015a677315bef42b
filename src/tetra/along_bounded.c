/*
 * The smallest displacement along one normal for tetrahedra that must keep a share of their volume.
 *
 * Moves u_i along the unit vector d change the volume ratio to 1 + sum a_i u_i with a_i = d . grad b_i, where b_i are the barycentric
 * coordinates. This is exact and linear. With a multiplier mu >= 0 of the bound, the moves become u_i = min(c - h'_i, t) + mu a_i with
 * heights h' = h + mu a. Because sum a_i = 0, this is the problem without a bound (along.h) for shifted heights. Each body's ratio is
 * piecewise linear in its own multiplier and grows with it (the dual problem is concave), also when the other body's multiplier is adapted
 * each time. Therefore one bracketed search inside another finds both.
 */
#include "tetra/along.h"

#include "base/real.h"

bool along_gradients(const pair_body *body, abut_vec3 gradient[4]) {
    if (body->count != 4) {
        return false;
    }
    abut_vec3 across[3] = {abut_cross(body->edge[1], body->edge[2]), abut_cross(body->edge[2], body->edge[0]),
                           abut_cross(body->edge[0], body->edge[1])};
    double volume = abut_dot(body->edge[0], across[0]);
    double size = abut_length(body->edge[0]) * abut_length(body->edge[1]) * abut_length(body->edge[2]);
    if (!(fabs(volume) > 1e-14 * size)) {
        return false;
    }
    gradient[0] = abut_vec3_make(0.0, 0.0, 0.0);
    for (int i = 0; i < 3; ++i) {
        gradient[i + 1] = abut_scale(1.0 / volume, across[i]);
        gradient[0] = abut_sub(gradient[0], gradient[i + 1]);
    }
    return true;
}

typedef struct bounded {
    const pair *p;
    along at;           /* for the current multipliers */
    bool held[2];       /* this body's volume is bounded */
    double a[2][4];     /* change of the volume ratio by each move */
    double mu[2];       /* multipliers */
    double ratio[2];    /* volume ratios for them */
    double slack[2];    /* rounding errors of the ratios: on flat pieces many multipliers are valid */
    double steep[2][4]; /* lengths of the gradients of the barycentric coordinates */
    double reach
        [2]; /* length of the longest edge at the first vertex: of the body alone, so that both orders of the pair have the same bound */
    double least[2]; /* the bound, and a little more: rounded displacements still keep the ratio */
} bounded;

/* Computes moves, cost and ratios for the current multipliers. */
static void settle_bounded(bounded *b) {
    along shifted = b->at;
    for (int s = 0; s < 2; ++s) {
        for (int i = 0; i < 4; ++i) {
            shifted.height[s][i] = b->at.height[s][i] + b->mu[s] * b->a[s][i];
        }
    }
    along_settle(b->p, NULL, &shifted);
    b->at.plane = shifted.plane;
    b->at.cost = 0.0;
    for (int s = 0; s < 2; ++s) {
        double t = b->at.pull[s] = shifted.pull[s], sum = t * t;
        double off = 1.0; /* grows with rounding errors of the volume, and with displacements that are not quite along the normal */
        b->ratio[s] = b->slack[s] = 1.0;
        for (int i = 0; i < b->p->body[s].count; ++i) {
            double move = b->at.move[s][i] = shifted.move[s][i] + b->mu[s] * b->a[s][i];
            b->ratio[s] += b->a[s][i] * move;
            b->slack[s] += fabs(b->a[s][i]) * (fabs(move) + fabs(shifted.plane) + fabs(shifted.height[s][i]));
            off += b->steep[s][i] * (fabs(move) + b->reach[s]);
            sum += move * move;
        }
        b->slack[s] *= 4e-15;
        b->least[s] = b->p->volume_ratio + real_min(2.0 * b->slack[s] + 1e-15 * off, 0.5 * (1.0 - b->p->volume_ratio));
        b->at.cost += b->p->cost[s].share * sum;
        b->at.force[s] = 2.0 * b->p->cost[s].share * b->mu[s];
    }
}

static double squares(const double a[4]) { return a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3]; }

/* The deficit of body s's ratio when its multiplier is mu and the multipliers of later bodies are chosen for it. */
static double missing(bounded *b, int s, double mu);

/* Chooses the multipliers of body s and of later bodies: 0 where the ratio holds without. */
static void choose(bounded *b, int s) {
    const int most_steps = 200;
    if (s == 2) {
        settle_bounded(b);
        return;
    }
    double low = 0.0, gap_low = missing(b, s, 0.0);
    if (!(gap_low > 0.0)) {
        return;
    }
    double high = gap_low / squares(b->a[s]), gap_high = missing(b, s, high);
    for (int i = 0; i < most_steps && gap_high > 0.0; ++i) {
        low = high;
        gap_low = gap_high;
        high *= 2.0;
        gap_high = missing(b, s, high);
    }
    /* Regula falsi with the Illinois rule: an end that stays twice counts half. Every third step bisects, for pieces that are nearly flat. */
    int kept = 0;
    for (int i = 0; i < most_steps && gap_high < 0.0 && high - low > 4e-16 * high; ++i) {
        double mu = high - gap_high * (high - low) / (gap_high - gap_low);
        mu = mu > low && mu < high && i % 3 != 2 ? mu : 0.5 * (low + high);
        double gap = missing(b, s, mu);
        if (gap > 0.0) {
            low = mu;
            gap_low = gap;
            gap_high *= kept == 1 ? 0.5 : 1.0;
            kept = 1;
        } else {
            high = mu;
            gap_high = gap;
            gap_low *= kept == -1 ? 0.5 : 1.0;
            kept = -1;
        }
    }
    missing(b, s, high);
}

static double missing(bounded *b, int s, double mu) {
    b->mu[s] = mu;
    choose(b, s + 1);
    double gap = b->held[s] ? b->least[s] - b->ratio[s] : -1.0;
    return fabs(gap) <= b->slack[s] ? 0.0 : gap;
}

along along_solve_bounded(const pair *p, abut_vec3 normal) {
    bounded b = {.p = p, .at = along_solve(p, normal, NULL)};
    for (int s = 0; s < 2; ++s) {
        abut_vec3 gradient[4], towards = along_towards(s, normal);
        b.held[s] = p->cost[s].share > 0.0 && along_gradients(&p->body[s], gradient);
        for (int i = 0; i < 4; ++i) {
            b.a[s][i] = b.held[s] ? abut_dot(towards, gradient[i]) : 0.0;
            b.steep[s][i] = b.held[s] ? abut_length(gradient[i]) : 0.0;
        }
        b.held[s] = b.held[s] && squares(b.a[s]) > 0.0;
        const abut_vec3 *edge = p->body[s].edge;
        b.reach[s] = real_max(real_max(abut_length(edge[0]), abut_length(edge[1])), abut_length(edge[2]));
    }
    if (p->volume_ratio > -INFINITY) {
        choose(&b, 0);
    }
    return b.at;
}
