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

enum { MOST_BOUNDS = 8 };

/* Points whose convex hull contains the core: its vertices, or the corners of its bounding box for a smooth core or a frustum. */
static bool is_boxed(const convex *core) { return core->core == CORE_SMOOTH || core->core == CORE_FRUSTUM; }

static int32_t bound_count(const convex *core) {
    return core->core == CORE_POLYTOPE ? core->surface->vertex_count : core->core == CORE_SEGMENT ? 2 : is_boxed(core) ? MOST_BOUNDS : 1;
}

static abut_vec3 bound_point(const convex *core, int32_t i) {
    if (!is_boxed(core)) {
        return convex_to_pair(core, convex_vertex(core, i));
    }
    const abut_aabb *box = &core->shape->bounds;
    return convex_to_pair(core, abut_vec3_make(i & 1 ? box->upper.x : box->lower.x, i & 2 ? box->upper.y : box->lower.y,
                                               i & 4 ? box->upper.z : box->lower.z));
}

mover mover_make(const convex *start, abut_vec3 turn) {
    mover m = {.start = *start, .turn = turn, .axis = abut_unit(turn), .low = INFINITY, .high = -INFINITY};
    m.angle = abut_dot(m.axis, turn);
    int32_t count = bound_count(start);
    for (int32_t i = 0; i < count; ++i) {
        abut_vec3 point = bound_point(start, i);
        double height = abut_dot(m.axis, point);
        m.low = real_min_number(m.low, height);
        m.high = real_max_number(m.high, height);
        m.reach = real_max_number(m.reach, abut_length(abut_add_scaled(point, -height, m.axis)));
    }
    m.radius = elementary_hypot(m.reach, real_max_number(fabs(m.low), fabs(m.high)));
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

typedef struct outlook {
    const moving_pair *pair;
    const moment *now;
    double rate;                 /* d gap / ds from the motion of the origins */
    double curvature;            /* K, summed over both bodies and the origins */
    abut_vec3 shift_a, shift_b;  /* n x (w - f) */
    double support_a, support_b; /* support of the cores now, A's along -n and B's along n, from their origins */
} outlook;

static double support_from(const convex *body, abut_vec3 origin, abut_vec3 direction) {
    abut_vec3 point;
    convex_support(body, direction, &point);
    return abut_dot(direction, abut_sub(point, origin));
}

static bool are_equal(abut_vec3 p, abut_vec3 q) { return p.x == q.x && p.y == q.y && p.z == q.z; }

/* Bound of the second derivative of the height of a core's points along a normal that turns by `frame`. */
static double curvature_of(const mover *m, abut_vec3 normal, abut_vec3 frame) {
    if (are_equal(m->turn, frame)) {
        return 0.0;
    }
    double swing = abut_length(abut_cross(frame, normal));
    if (swing == 0.0) {
        return m->angle * abut_length(abut_cross(m->turn, normal)) * m->reach;
    }
    return swing * (abut_length(frame) * m->radius + 2.0 * m->angle * m->reach) + m->angle * m->angle * m->reach;
}

static outlook look_ahead(const moving_pair *pair, const moment *now, abut_vec3 frame, double rest) {
    abut_vec3 n = now->normal, swing = abut_cross(frame, n);
    outlook o = {.pair = pair, .now = now, .rate = -abut_dot(n, pair->travel) - abut_dot(swing, now->apart)};
    double farthest = real_max_number(abut_length(now->apart), abut_length(abut_add_scaled(now->apart, rest, pair->travel)));
    o.curvature = abut_length(swing) * (abut_length(frame) * farthest + 2.0 * abut_length(pair->travel));
    o.shift_a = abut_cross(n, abut_sub(pair->a.turn, frame));
    o.support_a = support_from(&now->a, abut_vec3_make(0, 0, 0), abut_neg(n));
    o.curvature += curvature_of(&pair->a, n, frame);
    if (!pair->plane) {
        o.shift_b = abut_cross(n, abut_sub(pair->b.turn, frame));
        o.support_b = support_from(&now->b, now->apart, n);
        o.curvature += curvature_of(&pair->b, n, frame);
    }
    return o;
}

/* Lower bound of the gap along the turning normal after a further fraction s. */
static double gap_after(const outlook *o, double s) {
    abut_vec3 n = o->now->normal;
    double gap = o->now->gap + s * o->rate - 0.5 * s * s * o->curvature;
    gap -= support_from(&o->now->a, abut_vec3_make(0, 0, 0), abut_neg(abut_add_scaled(n, s, o->shift_a))) - o->support_a;
    if (!o->pair->plane) {
        gap -= support_from(&o->now->b, o->now->apart, abut_add_scaled(n, s, o->shift_b)) - o->support_b;
    }
    return gap;
}

/* Upper bound of the first root of the bound: the slope is nowhere larger than the value used here. */
static double latest_root(const outlook *o, double room) {
    double slope = fabs(o->rate) + abut_length(o->shift_a) * o->pair->a.radius + abut_length(o->shift_b) * o->pair->b.radius;
    return o->curvature > 0.0 ? (slope + sqrt(slope * slope + 2.0 * o->curvature * room)) / o->curvature : INFINITY;
}

/* A fraction s <= rest up to which the gap stays above the target. The gap must be above the target now. A chord of a concave function lies
 * below it, so the root of the chord is safe. */
static double step_along(const outlook *o, double target, double rest) {
    enum { MOST_CHORDS = 4 };
    double room = o->now->gap - target, low = 0.0, high = real_min_number(rest, latest_root(o, room));
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

/* Support of the cylinder that a core sweeps, or of the core itself if it does not turn. */
static double swept_support(const mover *m, double support, abut_vec3 direction) {
    if (!(m->angle > 0.0)) {
        return support;
    }
    double along = abut_dot(m->axis, direction);
    return real_max_number(along * m->low, along * m->high) + abut_length(abut_cross(m->axis, direction)) * m->reach;
}

/* The same step from the swept cylinders, for a fixed normal: valid for all rotations, and the bound is a line. */
static double step_beside_cylinders(const outlook *o, double target, double rest) {
    abut_vec3 n = o->now->normal;
    double gap = o->now->gap + o->support_a - swept_support(&o->pair->a, o->support_a, abut_neg(n));
    if (!o->pair->plane) {
        gap += o->support_b - swept_support(&o->pair->b, o->support_b, n);
    }
    if (gap < target) {
        return 0.0;
    }
    return o->rate >= 0.0 ? rest : real_min_number(rest, (gap - target) / -o->rate);
}

/* Lists how the normal may turn: with B, not at all, with A. The normal of a plane turns with the plane. Returns the number of entries. */
static int list_frames(const moving_pair *pair, abut_vec3 frame[3]) {
    const abut_vec3 all[3] = {pair->b.turn, {0, 0, 0}, pair->a.turn};
    int count = 0;
    for (int i = 0; i < (pair->plane ? 1 : 3); ++i) {
        if (!(count > 0 && are_equal(all[i], frame[0])) && !(count > 1 && are_equal(all[i], frame[1]))) {
            frame[count++] = all[i];
        }
    }
    return count;
}

static bool is_at_rest(abut_vec3 frame, abut_vec3 normal) { return abut_length_squared(abut_cross(frame, normal)) == 0.0; }

static double longest_step(const moving_pair *pair, const moment *now, double target, double rest) {
    abut_vec3 frame[3];
    double longest = 0.0;
    for (int i = list_frames(pair, frame) - 1; i >= 0 && longest < rest; --i) {
        outlook o = look_ahead(pair, now, frame[i], rest);
        double beside = is_at_rest(frame[i], now->normal) ? step_beside_cylinders(&o, target, rest) : 0.0;
        longest = real_max_number(longest, beside < rest ? real_max_number(beside, step_along(&o, target, rest)) : rest);
    }
    return longest;
}

/* Whether the gap is proved to stay above the target for the rest of the motion. */
static bool stays_above(const moving_pair *pair, const moment *now, double target, double rest) {
    abut_vec3 frame[3];
    bool safe = false;
    for (int i = list_frames(pair, frame) - 1; i >= 0 && !safe; --i) {
        outlook o = look_ahead(pair, now, frame[i], rest);
        safe = gap_after(&o, rest) >= target || (is_at_rest(frame[i], now->normal) && step_beside_cylinders(&o, target, rest) >= rest);
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
static bool move_on(const moving_pair *pair, moment *now, double floor, double target, double end, advance_outcome *outcome) {
    const double rest = end - now->fraction;
    if (!(rest > 0.0) || stays_above(pair, now, floor, rest)) {
        *outcome = ADVANCE_MISS;
        return false;
    }
    double step = longest_step(pair, now, target, rest);
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
        if (!move_on(pair, &now, near, 0.5 * near, end, &outcome)) {
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
        if (!move_on(pair, &now, gap - noise, gap - 0.5 * near, end, &outcome)) {
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
    while (now.gap > -depth && steps < MOST_STEPS && move_on(pair, &now, -depth, -1.05 * depth, end, &outcome)) {
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
        if (!move_on(pair, &now, floor, floor - noise, end, &outcome)) {
            return end_at(outcome, outcome == ADVANCE_HIT ? &last : &now, steps);
        }
    }
    return end_at(ADVANCE_LIMIT, &now, MOST_STEPS);
}
