/*
 * Conservative advancement: see advance.h.
 *
 * A step starts from a unit normal n, from B into A, along which the bodies are apart. The normal may itself turn by a rotation vector f
 * during the rest of the motion: not at all, with A, or with B. Consider a point at r from the origin of its body, which turns by the
 * rotation vector w. After a further fraction s its height along the turned normal n(s) is
 *     n(s) . R(s) r  >=  (n + s n x (w - f)) . r - K s^2 / 2,
 * where K bounds the second derivative. So the support functions of both cores along n + s n x (w - f) bound the gap along n(s) from below.
 * The bound is concave in s, and its first root is no later than the first touch. Along a fixed normal, a core also stays within the
 * cylinder that it sweeps, which bounds the gap by a line. The longest of these safe steps is taken.
 *
 * Along a fixed normal, a broad face that turns away dips one corner at once, wherever the other body is. A normal that turns with the face
 * avoids this.
 */

#include "narrow/query/advance.h"

#include "base/elementary.h"
#include "base/real.h"
#include "narrow/query/separation.h"

/* ---- poses of the bodies ---- */

mover mover_make(const convex *start, abut_vec3 turn) {
    mover m = {.start = *start, .turn = turn, .axis = abut_unit(turn)};
    m.angle = abut_dot(m.axis, turn);
    m.swept = swept_cylinder_of_bounds(start, m.axis);
    m.snug = swept_hull_of(start, m.axis, &m.swept);
    m.radius = elementary_hypot(m.swept.reach, real_max_number(fabs(m.swept.low), fabs(m.swept.high)));
    return m;
}

abut_mat3 mover_turned(abut_vec3 turn, double fraction) {
    abut_vec3 axis = abut_unit(turn);
    return abut_mat3_from_quat(abut_quat_about(axis, fraction * abut_dot(axis, turn)));
}

convex mover_place(const mover *m, abut_vec3 origin, double fraction) {
    const convex *start = &m->start;
    if (!(m->angle > 0.0)) {
        return convex_move(start, start->rotation, abut_add(start->position, origin));
    }
    abut_mat3 turned = mover_turned(m->turn, fraction);
    abut_vec3 position = abut_add(abut_mat3_apply(turned, start->position), origin);
    return convex_move(start, abut_mat3_mul(turned, start->rotation), position);
}

/* The pair at a fraction of the motion, and its gap. */
typedef struct moment {
    double fraction;
    convex a, b;
    abut_vec3 apart;  /* from A's origin, which is zero, to B's origin */
    abut_vec3 normal; /* unit, from B into A */
    double gap;       /* along the normal */
} moment;

static moment measure(const moving_pair *pair, double fraction) {
    moment now = {.fraction = fraction, .apart = abut_add_scaled(pair->apart, fraction, pair->travel)};
    now.a = mover_place(&pair->a, abut_vec3_make(0, 0, 0), fraction);
    if (pair->plane) {
        now.normal = abut_unit(abut_mat3_apply(mover_turned(pair->b.turn, fraction), pair->outward));
        now.gap = -convex_extent(&now.a, abut_neg(now.normal)) - now.a.radius - pair->offset - abut_dot(now.normal, now.apart);
    } else {
        now.b = mover_place(&pair->b, now.apart, fraction);
        contact_normal normal = separation_normal(&now.a, &now.b, &pair->settings);
        now.normal = abut_neg(normal.direction);
        now.gap = normal.gap;
    }
    return now;
}

/* ---- lower bounds of the gap along a normal ---- */

/* Farthest points of the cores now, A's along -n and B's along n, and their heights along these directions. From the bodies' origins. */
typedef struct tips {
    abut_vec3 a, b;
    double support_a, support_b;
} tips;

/* One way in which the normal may turn, and the bound of the gap along it. */
typedef struct outlook {
    const moving_pair *pair;
    const moment *now;
    const tips *tip;
    double rate;                /* d gap / ds from the motion of the origins */
    double curvature;           /* K, summed over both bodies and the origins */
    abut_vec3 shift_a, shift_b; /* n x (w - f) */
    bool fixed;                 /* the normal does not turn */
} outlook;

static abut_vec3 tip_of(const convex *body, abut_vec3 origin, abut_vec3 direction) {
    abut_vec3 point;
    convex_support(body, direction, &point);
    return abut_sub(point, origin);
}

static tips find_tips(const moving_pair *pair, const moment *now) {
    abut_vec3 n = now->normal;
    tips tip = {.a = tip_of(&now->a, abut_vec3_make(0, 0, 0), abut_neg(n))};
    tip.support_a = abut_dot(abut_neg(n), tip.a);
    if (!pair->plane) {
        tip.b = tip_of(&now->b, now->apart, n);
        tip.support_b = abut_dot(n, tip.b);
    }
    return tip;
}

static bool are_equal(abut_vec3 p, abut_vec3 q) { return p.x == q.x && p.y == q.y && p.z == q.z; }

static bool is_zero(abut_vec3 v) { return v.x == 0.0 && v.y == 0.0 && v.z == 0.0; }

/* Bound of the second derivative of the height of a core's points along a normal that turns by `frame`. */
static double curvature_of(const mover *m, abut_vec3 normal, abut_vec3 frame) {
    if (are_equal(m->turn, frame)) {
        return 0.0;
    }
    double swing = abut_length(abut_cross(frame, normal));
    if (swing == 0.0) {
        return m->angle * abut_length(abut_cross(m->turn, normal)) * m->swept.reach;
    }
    return swing * (abut_length(frame) * m->radius + 2.0 * m->angle * m->swept.reach) + m->angle * m->angle * m->swept.reach;
}

static outlook look_ahead(const moving_pair *pair, const moment *now, const tips *tip, abut_vec3 frame, double rest) {
    abut_vec3 n = now->normal, swing = abut_cross(frame, n);
    outlook o = {.pair = pair, .now = now, .tip = tip, .rate = -abut_dot(n, pair->travel) - abut_dot(swing, now->apart)};
    double farthest = real_max_number(abut_length(now->apart), abut_length(abut_add_scaled(now->apart, rest, pair->travel)));
    o.curvature = abut_length(swing) * (abut_length(frame) * farthest + 2.0 * abut_length(pair->travel));
    o.fixed = abut_length_squared(swing) == 0.0;
    o.shift_a = abut_cross(n, abut_sub(pair->a.turn, frame));
    o.curvature += curvature_of(&pair->a, n, frame);
    if (!pair->plane) {
        o.shift_b = abut_cross(n, abut_sub(pair->b.turn, frame));
        o.curvature += curvature_of(&pair->b, n, frame);
    }
    return o;
}

/* The normal may turn with A, not at all, or with B. The normal of a plane turns with the plane. Returns the number of different ways. */
static int look_around(const moving_pair *pair, const moment *now, const tips *tip, double rest, outlook o[3]) {
    const abut_vec3 frame[3] = {pair->a.turn, {0, 0, 0}, pair->b.turn};
    int count = 0;
    for (int i = pair->plane ? 2 : 0; i < 3; ++i) {
        if (!(i < 2 && are_equal(frame[i], frame[2])) && !(i < 1 && are_equal(frame[i], frame[1]))) {
            o[count++] = look_ahead(pair, now, tip, frame[i], rest);
        }
    }
    return count;
}

/* Lower bound of the gap along the turning normal after a further fraction s. A core whose direction does not change keeps its support. */
static double gap_after(const outlook *o, double s) {
    abut_vec3 n = o->now->normal;
    double gap = o->now->gap + s * o->rate - 0.5 * s * s * o->curvature;
    if (!is_zero(o->shift_a)) {
        abut_vec3 towards_b = abut_neg(abut_add_scaled(n, s, o->shift_a));
        gap -= abut_dot(towards_b, tip_of(&o->now->a, abut_vec3_make(0, 0, 0), towards_b)) - o->tip->support_a;
    }
    if (!o->pair->plane && !is_zero(o->shift_b)) {
        abut_vec3 towards_a = abut_add_scaled(n, s, o->shift_b);
        gap -= abut_dot(towards_a, tip_of(&o->now->b, o->now->apart, towards_a)) - o->tip->support_b;
    }
    return gap;
}

/* ---- what needs no supports ---- */

/* The supports along a shifted normal are no less than the heights of the tips, so this slope bounds gap_after() from above. */
static double slope_of_tips(const outlook *o) { return o->rate + abut_dot(o->shift_a, o->tip->a) - abut_dot(o->shift_b, o->tip->b); }

/* More than the rounding error of gap_after(). Supports of smooth bodies of the caller are the least exact. */
static double rounding_after(const outlook *o, double s) {
    double sizes = (1.0 + s * abut_length(o->shift_a)) * o->pair->a.radius + (1.0 + s * abut_length(o->shift_b)) * o->pair->b.radius;
    return 1e-9 * (fabs(o->now->gap) + s * fabs(o->rate) + 0.5 * s * s * o->curvature + sizes);
}

/* Whether gap_after() is certainly below the target. */
static bool is_below(const outlook *o, double target, double s) {
    return o->now->gap + s * slope_of_tips(o) - 0.5 * s * s * o->curvature + rounding_after(o, s) < target;
}

/* Upper bound of the first root of the bound: the slope is nowhere larger than the value used here. */
static double last_step(const outlook *o, double target, double rest) {
    double slope = fabs(o->rate) + abut_length(o->shift_a) * o->pair->a.radius + abut_length(o->shift_b) * o->pair->b.radius;
    double room = o->now->gap - target;
    double root = o->curvature > 0.0 ? (slope + sqrt(slope * slope + 2.0 * o->curvature * room)) / o->curvature : INFINITY;
    return real_min_number(rest, root);
}

/* Upper bound of what step_along() returns. Where the slope is negative, the other form of the root keeps its digits. */
static double best_step(const outlook *o, double target, double rest) {
    double last = last_step(o, target, rest), room = o->now->gap - target + rounding_after(o, last), slope = slope_of_tips(o);
    double bend = sqrt(slope * slope + 2.0 * o->curvature * room);
    return real_min_number(last, slope > 0.0 ? (slope + bend) / o->curvature : 2.0 * room / (bend - slope));
}

/* ---- safe steps ---- */

/* A fraction s <= rest up to which the gap stays above the target. The gap must be above the target now. A chord of a concave function lies
 * below it, so the root of the chord is safe. */
static double step_along(const outlook *o, double target, double rest) {
    enum { MOST_CHORDS = 4 };
    double room = o->now->gap - target, low = 0.0, high = last_step(o, target, rest);
    double room_low = room, room_high = gap_after(o, high) - target;
    for (int i = 0; i < MOST_CHORDS && room_low > 0.05 * room && room_high < 0.0; ++i) {
        double chord = low + (high - low) * (room_low / (room_low - room_high)), middle = 0.5 * (chord + high);
        double at_chord = gap_after(o, chord) - target, at_middle = gap_after(o, middle) - target;
        low = chord;
        room_low = real_max_number(at_chord, 0.0); /* below zero by rounding error only */
        if (at_middle < 0.0) {
            high = middle;
            room_high = at_middle;
        } else {
            low = middle;
            room_low = at_middle;
        }
    }
    return room_high >= 0.0 ? high : low;
}

/* The same step for a fixed normal, from supports of all that the cores sweep: valid for all rotations, and the bound is a line. */
static double step_beside(const outlook *o, double swept_a, double swept_b, double target, double rest) {
    double gap = o->now->gap + o->tip->support_a - swept_a;
    gap += o->tip->support_b - swept_b;
    if (gap < target) {
        return 0.0;
    }
    return o->rate >= 0.0 ? rest : real_min_number(rest, (gap - target) / -o->rate);
}

static double step_beside_cylinders(const outlook *o, double target, double rest) {
    if (!o->fixed) {
        return 0.0;
    }
    const mover *a = &o->pair->a, *b = &o->pair->b;
    abut_vec3 n = o->now->normal;
    double swept_a = a->angle > 0.0 ? swept_cylinder_support(&a->swept, a->axis, abut_neg(n)) : o->tip->support_a;
    bool turns = !o->pair->plane && b->angle > 0.0;
    return step_beside(o, swept_a, turns ? swept_cylinder_support(&b->swept, b->axis, n) : o->tip->support_b, target, rest);
}

static double step_beside_hulls(const outlook *o, double target, double rest) {
    if (!o->fixed) {
        return 0.0;
    }
    const mover *a = &o->pair->a, *b = &o->pair->b;
    abut_vec3 n = o->now->normal;
    double swept_a = a->angle > 0.0 ? swept_hull_support(&a->snug, a->axis, abut_neg(n)) : o->tip->support_a;
    bool turns = !o->pair->plane && b->angle > 0.0;
    return step_beside(o, swept_a, turns ? swept_hull_support(&b->snug, b->axis, n) : o->tip->support_b, target, rest);
}

/* The longest step of all ways. One that cannot be longer than the longest so far is left out, which saves most supports. */
static double longest_step(const outlook *o, int count, double target, double rest) {
    double best[3], longest = 0.0;
    for (int i = 0; i < count; ++i) {
        double beside = step_beside_cylinders(&o[i], target, rest);
        if (!(beside < rest)) {
            return rest;
        }
        longest = real_max_number(longest, beside);
        best[i] = best_step(&o[i], target, rest);
    }
    for (int done = 0; done < count; ++done) {
        int next = 0;
        for (int i = 1; i < count; ++i) {
            next = best[i] > best[next] ? i : next;
        }
        if (best[next] <= longest) {
            break;
        }
        longest = real_max_number(longest, step_along(&o[next], target, rest));
        best[next] = -1.0;
    }
    return longest;
}

/* Whether the hulls may prove that there is no touch. Bodies that touch from the start may part and come back. Then a proof that they get no closer than at the
 * start says too little, unless their turning changes nothing. */
static bool may_use_hulls(const moving_pair *pair, bool parted) {
    bool same_a = !(pair->a.angle > 0.0) || pair->a.snug.unchanged, same_b = !(pair->b.angle > 0.0) || pair->b.snug.unchanged;
    return parted || (same_a && same_b);
}

/* Whether the gap is proved to stay above the target for the rest of the motion. parted: the bodies do not touch now. */
static bool stays_above(const outlook *o, int count, double target, double rest, bool parted) {
    bool safe = false, hulls = may_use_hulls(o->pair, parted);
    for (int i = 0; i < count && !safe; ++i) {
        safe = step_beside_cylinders(&o[i], target, rest) >= rest || (hulls && step_beside_hulls(&o[i], target, rest) >= rest);
    }
    for (int i = 0; i < count && !safe; ++i) {
        safe = !is_below(&o[i], target, rest) && gap_after(&o[i], rest) >= target;
    }
    return safe;
}

/* ---- stepping ---- */

/* Rounding error of a gap, from the bodies' sizes and the distances travelled. */
static double noise_of(const moving_pair *pair, double fraction) {
    double size = pair->a.start.size + (pair->plane ? 0.0 : pair->b.start.size);
    return CONTACT_ROUNDING * size + 1e-15 * (abut_length(pair->apart) + fraction * abut_length(pair->travel) + fabs(pair->offset));
}

double advance_gap(const moving_pair *pair, double fraction, double *noise) {
    *noise = noise_of(pair, fraction);
    return measure(pair, fraction).gap;
}

static advance_end end_at(advance_outcome outcome, const moment *at, int32_t steps) {
    return (advance_end){.outcome = outcome, .fraction = at->fraction, .touching = !(at->gap > 0.0), .steps = steps};
}

/* Moves on to a fraction where the gap is proved to be above the target. Returns false, and sets the outcome, if the gap stays above the
 * floor to the end, or if no larger fraction can be represented. */
static bool move_on(const moving_pair *pair, moment *now, double floor, double target, double end, bool parted, advance_outcome *outcome) {
    const double rest = end - now->fraction;
    if (!(rest > 0.0)) {
        *outcome = ADVANCE_MISS;
        return false;
    }
    outlook ways[3];
    const tips tip = find_tips(pair, now);
    const int count = look_around(pair, now, &tip, rest, ways);
    if (stays_above(ways, count, floor, rest, parted)) {
        *outcome = ADVANCE_MISS;
        return false;
    }
    double step = longest_step(ways, count, target, rest);
    double next = step >= rest ? end : now->fraction + step;
    if (!(next > now->fraction)) {
        *outcome = step > 0.0 ? ADVANCE_HIT : ADVANCE_LIMIT; /* as close as fractions can be represented */
        return false;
    }
    *now = measure(pair, next);
    return true;
}

enum { MOST_STEPS = 1000 };

static double near_of(const moving_pair *pair, const moment *now, double tolerance) {
    return real_max_number(tolerance, 4.0 * noise_of(pair, now->fraction));
}

/* Steps until the gap is at most the near distance. steps: number of steps taken so far. */
static advance_end arrive(const moving_pair *pair, moment now, int32_t steps, double tolerance, double end) {
    for (; steps <= MOST_STEPS; ++steps) {
        const double near = near_of(pair, &now, tolerance);
        advance_outcome outcome;
        if (now.gap <= near) {
            return end_at(ADVANCE_HIT, &now, steps);
        }
        if (!move_on(pair, &now, near, 0.5 * near, end, true, &outcome)) {
            return end_at(outcome, &now, steps);
        }
    }
    return end_at(ADVANCE_LIMIT, &now, MOST_STEPS);
}

advance_end advance(const moving_pair *pair, double tolerance, double end) {
    moment now = measure(pair, 0.0), highest = now; /* highest: while they touch from the start on, the moment of the largest gap */
    for (int32_t steps = 1; steps <= MOST_STEPS; ++steps) {
        const double noise = noise_of(pair, now.fraction), near = near_of(pair, &now, tolerance), gap = now.gap;
        advance_outcome outcome;
        if (gap > near) {
            return arrive(pair, now, steps, tolerance, end);
        }
        if (gap < highest.gap - noise) {
            return end_at(ADVANCE_HIT, &highest, steps);
        }
        if (gap > highest.gap) {
            highest = now;
        }
        if (!move_on(pair, &now, gap - noise, gap - 0.5 * near, end, false, &outcome)) {
            return end_at(outcome, &now, steps);
        }
    }
    return end_at(ADVANCE_LIMIT, &now, MOST_STEPS);
}

advance_end advance_near(const moving_pair *pair, double begin, double tolerance, double end) {
    return arrive(pair, measure(pair, begin), 1, tolerance, end);
}

advance_end advance_to_depth(const moving_pair *pair, double depth, double end) {
    moment now = measure(pair, 0.0);
    advance_outcome outcome = now.gap < -depth ? ADVANCE_MISS : ADVANCE_HIT;
    int32_t steps = 1;
    while (now.gap > -depth && steps < MOST_STEPS && move_on(pair, &now, -depth, -1.05 * depth, end, true, &outcome)) {
        outcome = ADVANCE_HIT;
        steps++;
    }
    return end_at(steps < MOST_STEPS ? outcome : ADVANCE_LIMIT, &now, steps);
}

advance_end advance_below(const moving_pair *pair, double begin, double tolerance, double level, double end) {
    moment now = measure(pair, begin), last = now; /* last: the last moment with a gap as large as at the beginning */
    for (int32_t steps = 1; steps <= MOST_STEPS; ++steps) {
        const double noise = noise_of(pair, now.fraction), floor = real_min_number(level, now.gap) - noise;
        advance_outcome outcome;
        if (now.gap < level - noise) {
            return end_at(ADVANCE_HIT, &last, steps);
        }
        if (steps > 1 && now.gap > near_of(pair, &now, tolerance)) {
            return end_at(ADVANCE_PARTED, &now, steps);
        }
        if (now.gap >= last.gap - noise) {
            last = now;
        }
        if (!move_on(pair, &now, floor, floor - noise, end, false, &outcome)) {
            return end_at(outcome, outcome == ADVANCE_HIT ? &last : &now, steps);
        }
    }
    return end_at(ADVANCE_LIMIT, &now, MOST_STEPS);
}
