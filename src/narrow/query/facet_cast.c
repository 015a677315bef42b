/*
 * Casts of bodies of rounded triangles: see the header. At each step every pair of pieces says how far the motion may go on before their gap may fall to the
 * target, and the least of these steps is taken. A pair is convex, so the gap along its present normal n bounds its distance. Three bounds of that gap after a
 * further fraction x of the motion hold, and the one with the longest step counts:
 *
 * * A point r from the pivot moves along n by x n . (w x r) and at most (x w)^2 |r| / 2 besides, so the tips along n + x (n x w) bound it: good for tips that
 *   move across the normal, as where a body rolls.
 * * It moves by at most x |w| |r|: good for long steps.
 * * It stays in the body of revolution that it sweeps about the axis: good for bodies that spin beside each other.
 *
 * A's frame at the present fraction; lengths are scaled as in facet_surfaces.
 */
#include "narrow/query/facet_cast.h"

#include <math.h>

#include "base/real.h"
#include "narrow/facet/apart.h"
#include "narrow/normal/contact_normal.h"
#include "narrow/query/separation.h"
#include "narrow/solids.h"
#include "shape/shape.h"
#include "shape/trimesh.h"

enum { MOST_STEPS = 1000 };

/* ---- one moment of the motion ---- */

/* One body about its pivot. */
typedef struct turning {
    abut_vec3 pivot;
    abut_vec3 turn; /* rotation vector of the whole motion */
    abut_vec3 axis; /* unit; zero without a turn */
    double angle;
    double reach; /* the farthest point of the body from the pivot; of a plane that turns, of the other body, on its whole way */
} turning;

typedef struct outlook {
    facet_surfaces surfaces;
    turning a, b;
    abut_vec3 travel; /* of B's pivot relative to A's over the whole motion */
    double target;    /* steps keep the gap above it */
    double rest;      /* of the motion */
    double step;      /* the least step so far */
    facet_met nearest;
    double looked; /* pairs up to this gap are looked at in every case */
} outlook;

static abut_vec3 placed(const facet_surfaces *s, abut_vec3 p) { return abut_add(abut_mat3_apply(s->at.rotation, p), s->at.position); }

/* The farthest point of the box of all caps. */
static double reach_from(const facet_surface *of, abut_vec3 pivot) {
    if (of->skin == NULL) {
        return abut_distance_between(of->centre, pivot) + of->radius;
    }
    const packed_tree *tree = &of->skin->mesh->tree;
    abut_aabb box = packed_node_box(tree, 0);
    abut_vec3 middle = abut_add(abut_lerp(box.lower, box.upper, 0.5), tree->middle);
    return abut_distance_between(middle, pivot) + 0.5 * abut_distance_between(box.lower, box.upper);
}

static turning turning_of(abut_vec3 pivot, abut_vec3 turn, double reach) {
    return (turning){.pivot = pivot, .turn = turn, .axis = abut_unit(turn), .angle = abut_length(turn), .reach = reach};
}

static abut_status look_at(const moving_body *a, const moving_body *b, double fraction, outlook *o, abut_mat3 *rotation_a) {
    abut_vec3 travel = abut_sub(b->motion.linear, a->motion.linear);
    abut_vec3 between = abut_add_scaled(abut_sub(moving_pivot(b), moving_pivot(a)), fraction, travel);
    abut_pose pose_a = moving_pose_about(a, abut_vec3_make(0, 0, 0), fraction), pose_b = moving_pose_about(b, between, fraction);
    collide_pair pair;
    abut_status status = solids_place(&(abut_pair){a->shape, pose_a, b->shape, pose_b}, NULL, &pair, rotation_a);
    if (status == ABUT_OK) {
        const facet_placement at = {pair.rotation_b, pair.position_b};
        status = facet_surfaces_make(pair.a, pair.b, &at, &o->surfaces);
    }
    if (status != ABUT_OK) {
        return status;
    }
    const facet_surfaces *s = &o->surfaces;
    double unit = s->unit, reach_a = unit * reach_from(&s->a, a->pivot);
    abut_vec3 pivot_a = abut_scale(unit, a->pivot), pivot_b = abut_scale(unit, placed(s, b->pivot));
    o->travel = abut_scale(unit, abut_mat3_apply_transposed(*rotation_a, travel));
    o->rest = 1.0 - fraction;
    double reach_b =
        s->b.plane ? abut_distance_between(pivot_a, pivot_b) + abut_length(o->travel) + reach_a : unit * reach_from(&s->b, b->pivot);
    o->a = turning_of(pivot_a, abut_mat3_apply_transposed(*rotation_a, a->motion.angular), reach_a);
    o->b = turning_of(pivot_b, abut_mat3_apply_transposed(*rotation_a, b->motion.angular), reach_b);
    return ABUT_OK;
}

/* ---- steps of one pair ---- */

static double ball_radius(const facet_piece *p) { return facet_piece_is_ball(p) ? p->radius : 0.0; }

static double farthest_of(const facet_piece *p, const turning *t) {
    return abut_distance_between(p->foot, t->pivot) + p->foot_radius + ball_radius(p);
}

/* An upper bound of how far the piece reaches along n, relative to the pivot, when it has turned by a fraction. */
static double reach_after(const facet_piece *p, const turning *t, abut_vec3 n, double x) {
    abut_vec3 along = abut_add_scaled(n, x, abut_cross(n, t->turn));
    double turned = x * t->angle;
    return abut_dot(along, abut_sub(facet_piece_tip(p, abut_unit(along)).point, t->pivot)) + 0.5 * turned * turned * farthest_of(p, t) +
           ball_radius(p);
}

/* The same for any turn: of the body of revolution that the points of the piece sweep. */
static double reach_swept(const facet_piece *p, const turning *t, abut_vec3 n) {
    if (!(t->angle > 0.0)) {
        return reach_after(p, t, n, 0.0);
    }
    double along = abut_dot(n, t->axis), beside = sqrt(real_max(1.0 - along * along, 0.0)), corners = -INFINITY;
    for (int32_t i = 0; i < p->corner_count; ++i) {
        abut_vec3 r = abut_sub(p->corner[i], t->pivot);
        corners = real_max(corners, along * abut_dot(r, t->axis) + beside * abut_length(abut_cross(t->axis, r)));
    }
    if (facet_piece_is_flat(p) || facet_piece_is_ball(p)) {
        return corners + ball_radius(p);
    }
    abut_vec3 centre = abut_sub(abut_add_scaled(p->foot, -p->height, p->normal), t->pivot);
    return real_min(corners + p->foot_radius,
                    along * abut_dot(centre, t->axis) + beside * abut_length(abut_cross(t->axis, centre)) + p->radius);
}

/* Between the pivots along the normal, after a fraction. */
static double pivots_after(const outlook *o, abut_vec3 n, double x) {
    return abut_dot(n, abut_sub(o->a.pivot, o->b.pivot)) - x * abut_dot(n, o->travel);
}

/* The gap along the normal after a fraction is at least this. It is concave, so a step that ends above the target stays above it. */
static double gap_after(const outlook *o, const facet_met *m, double x) {
    abut_vec3 n = m->gap.normal;
    if (m->piece_b == NULL) { /* a plane that does not turn */
        double begin = reach_after(m->piece_a, &o->a, abut_neg(n), 0.0), end = reach_after(m->piece_a, &o->a, abut_neg(n), x);
        return m->gap.gap + begin - end - x * abut_dot(n, o->travel);
    }
    return pivots_after(o, n, x) - reach_after(m->piece_a, &o->a, abut_neg(n), x) - reach_after(m->piece_b, &o->b, n, x);
}

/* The longest step up to `most` with gap_after() above the target, by its chords, which lie below it. */
static double step_by_tips(const outlook *o, const facet_met *m, double most) {
    enum { TRIES = 8 };
    double low = 0.0, high = most, at_low = m->gap.gap - o->target, at_high = gap_after(o, m, most) - o->target;
    if (at_high >= 0.0) {
        return most;
    }
    for (int i = 0; i < TRIES && at_low > 0.0; ++i) {
        double x = low + (high - low) * (at_low / (at_low - at_high)), at = gap_after(o, m, x) - o->target;
        if (at >= 0.0) {
            low = x;
            at_low = at;
        }
        x = 0.5 * (low + high);
        at = gap_after(o, m, x) - o->target;
        low = at >= 0.0 ? x : low;
        at_low = at >= 0.0 ? at : at_low;
        high = at >= 0.0 ? high : x;
        at_high = at >= 0.0 ? at_high : at;
        if (high - low <= 1e-3 * low) {
            break;
        }
    }
    return low;
}

static double step_of_rate(double room, double rate) { return rate > 0.0 ? room / rate : INFINITY; }

static double step_by_speed(const outlook *o, const facet_met *m) {
    double rate = real_max(abut_dot(m->gap.normal, o->travel), 0.0) + o->a.angle * farthest_of(m->piece_a, &o->a);
    rate += o->b.angle * (m->piece_b != NULL ? farthest_of(m->piece_b, &o->b) : o->b.reach);
    return step_of_rate(m->gap.gap - o->target, rate);
}

static double step_beside(const outlook *o, const facet_met *m) {
    abut_vec3 n = m->gap.normal;
    double swept = reach_swept(m->piece_a, &o->a, abut_neg(n)), gap;
    if (m->piece_b != NULL) {
        gap = pivots_after(o, n, 0.0) - swept - reach_swept(m->piece_b, &o->b, n);
    } else {
        gap = m->gap.gap + reach_after(m->piece_a, &o->a, abut_neg(n), 0.0) - swept;
    }
    return gap >= o->target ? step_of_rate(gap - o->target, abut_dot(n, o->travel)) : 0.0;
}

static double step_of(const outlook *o, const facet_met *m, double most) {
    if (!(m->gap.gap > o->target)) {
        return 0.0;
    }
    bool plane_turns = m->piece_b == NULL && o->b.angle > 0.0;
    double step = step_by_speed(o, m);
    step = plane_turns || step >= most ? step : real_max(step, step_beside(o, m));
    return plane_turns || step >= most ? step : real_max(step, step_by_tips(o, m, most));
}

/* How far points of the bodies may come nearer to each other within a fraction. */
static double way_within(const outlook *o, double x) {
    double turned_b = o->surfaces.b.plane ? x * o->b.angle : real_min(x * o->b.angle, 2.0);
    return x * abut_length(o->travel) + real_min(x * o->a.angle, 2.0) * o->a.reach + turned_b * o->b.reach;
}

static double limit_of(const outlook *o) { return real_max(o->target + way_within(o, o->step), o->looked); }

static double take(void *context, const facet_met *m) {
    outlook *o = context;
    bool lower = m->facet_a != o->nearest.facet_a ? m->facet_a < o->nearest.facet_a : m->facet_b < o->nearest.facet_b;
    if (m->gap.gap < o->nearest.gap.gap || (m->gap.gap == o->nearest.gap.gap && lower)) {
        o->nearest = *m;
    }
    o->step = real_min(o->step, step_of(o, m, o->step));
    return limit_of(o);
}

/* Whether two balls allow the least step so far, and so all pairs of pieces in them do. Without this, all pairs on the way of a body would be looked at. */
static bool passes(void *context, const facet_piece *a, const facet_piece *b) {
    const outlook *o = context;
    abut_vec3 between = abut_sub(a->corner[0], b->corner[0]);
    double distance = abut_length(between), gap = distance - a->radius - b->radius;
    if (!(gap > real_max(o->looked, o->target))) {
        return false;
    }
    const facet_met m = {.piece_a = a, .piece_b = b, .gap = {.gap = gap, .normal = abut_scale(1.0 / distance, between)}};
    return step_by_speed(o, &m) >= o->step || step_beside(o, &m) >= o->step || gap_after(o, &m, o->step) >= o->target;
}

/* ---- the motion ---- */

/* The nearest pair, relative to A's pivot and along the axes of the world. */
static abut_separation separation_of(const outlook *o, const moving_body *a, const moving_body *b, abut_mat3 rotation_a) {
    const facet_gap *g = &o->nearest.gap;
    double length = 1.0 / o->surfaces.unit;
    abut_vec3 on_a = abut_scale(length, abut_sub(g->on_a, o->a.pivot)), on_b = abut_scale(length, abut_sub(g->on_b, o->a.pivot));
    return (abut_separation){.gap = length * g->gap,
                             .on_a = abut_mat3_apply(rotation_a, on_a),
                             .on_b = abut_mat3_apply(rotation_a, on_b),
                             .normal = abut_unit(abut_mat3_apply(rotation_a, g->normal)),
                             .feature_a = facet_feature_of(a->shape, o->nearest.facet_a),
                             .feature_b = facet_feature_of(b->shape, o->nearest.facet_b)};
}

/* How fast the bodies come nearer to each other at a point, relative to A's pivot at the start. Rounding error counts as 0. */
static double closing_at(const moving_body *a, const moving_body *b, const abut_separation *at) {
    abut_vec3 of_b = abut_sub(at->on_b, abut_sub(moving_pivot(b), moving_pivot(a)));
    abut_vec3 speed_a = abut_add(a->motion.linear, abut_cross(a->motion.angular, at->on_b));
    abut_vec3 speed_b = abut_add(b->motion.linear, abut_cross(b->motion.angular, of_b));
    double closing = abut_dot(at->normal, abut_sub(speed_b, speed_a));
    return closing > 1e-12 * (abut_length(speed_a) + abut_length(speed_b)) ? closing : 0.0;
}

/* The least gap of the pieces at the start. */
static abut_status nearest_at_start(const moving_body *a, const moving_body *b, abut_separation *nearest) {
    abut_vec3 between = abut_sub(moving_pivot(b), moving_pivot(a));
    abut_pose pose_a = moving_pose_about(a, abut_vec3_make(0, 0, 0), 0.0), pose_b = moving_pose_about(b, between, 0.0);
    collide_pair pair;
    abut_mat3 rotation;
    abut_status status = solids_place(&(abut_pair){a->shape, pose_a, b->shape, pose_b}, NULL, &pair, &rotation);
    status = status == ABUT_OK ? facet_apart_find(&pair, nearest) : status;
    if (status == ABUT_OK) {
        nearest->on_a = abut_add(abut_mat3_apply(rotation, nearest->on_a), pose_a.position);
        nearest->on_b = abut_add(abut_mat3_apply(rotation, nearest->on_b), pose_a.position);
        nearest->normal = abut_unit(abut_mat3_apply(rotation, nearest->normal));
    }
    return status;
}

/* Gaps at which the motion ends, and which no step goes below. */
typedef struct levels {
    double hit, target;
} levels;

/* The levels of a motion, or false where it ends at once. */
static bool begin(const moving_body *a, const moving_body *b, double tolerance, double rounding, const abut_separation *start,
                  const abut_separation *nearest, levels *level, facet_touch *touch) {
    bool contact = start->gap <= 0.0, crossed = !contact && nearest->gap < -rounding;
    const abut_separation *met = contact ? start : nearest;
    *level = (levels){tolerance, 0.5 * tolerance};
    if (!contact && nearest->gap > tolerance) {
        return true;
    }
    if (crossed || closing_at(a, b, met) > 0.0) {
        *touch = (facet_touch){.hit = true, .crossed = crossed || contact, .met = *met};
        return false;
    }
    *level = (levels){nearest->gap - 0.1 * tolerance, nearest->gap - 0.2 * tolerance};
    return true;
}

/* Goes on until the gap has fallen to the level. */
static abut_status advance(const moving_body *a, const moving_body *b, double tolerance, levels level, facet_touch *touch) {
    double fraction = 0.0;
    for (int32_t step = 1; step <= MOST_STEPS; ++step) {
        outlook o = {.nearest = {.facet_a = -1, .facet_b = -1, .gap = {.gap = INFINITY}}};
        abut_mat3 rotation;
        abut_status status = look_at(a, b, fraction, &o, &rotation);
        if (status != ABUT_OK) {
            return status;
        }
        o.target = o.surfaces.unit * level.target;
        o.looked = o.surfaces.unit * tolerance;
        o.step = o.rest;
        facet_surfaces_visit(&o.surfaces, limit_of(&o), take, passes, &o);
        *touch = (facet_touch){.fraction = fraction, .steps = step};
        if (o.nearest.gap.gap <= o.surfaces.unit * level.hit) {
            touch->hit = true;
            touch->met = separation_of(&o, a, b, rotation);
            return ABUT_OK;
        }
        double next = fraction + o.step;
        if (o.step >= o.rest || !(next < 1.0)) {
            touch->fraction = 1.0;
            return ABUT_OK;
        }
        if (!(next > fraction)) {
            break;
        }
        fraction = next;
    }
    touch->fraction = fraction;
    touch->undecided = true;
    return ABUT_OK;
}

static abut_status cast(const moving_body *a, const moving_body *b, double tolerance, const abut_separation *start, facet_touch *touch) {
    double far = abut_distance_between(moving_pivot(a), moving_pivot(b)) + abut_distance_between(a->motion.linear, b->motion.linear);
    double rounding =
        CONTACT_ROUNDING * (a->shape->size + b->shape->size) + 1e-15 * (far + fabs(a->shape->offset) + fabs(b->shape->offset));
    abut_separation nearest;
    levels level;
    abut_status status = nearest_at_start(a, b, &nearest);
    tolerance = real_max(tolerance, 10.0 * rounding);
    return status == ABUT_OK && begin(a, b, tolerance, rounding, start, &nearest, &level, touch) ? advance(a, b, tolerance, level, touch)
                                                                                                 : status;
}

/* Exchanges A and B of a separation. offset: from the old origin of its points to the new one. */
static abut_separation exchanged(abut_separation s, abut_vec3 offset) {
    abut_separation other = separation_swapped(s);
    other.on_a = abut_sub(s.on_b, offset);
    other.on_b = abut_sub(abut_add_scaled(s.on_b, s.gap, s.normal), offset);
    return other;
}

abut_status facet_cast_find(const moving_body *a, const moving_body *b, double tolerance, const abut_separation *start,
                            facet_touch *touch) {
    if (!facet_is_whole(a->shape)) {
        return cast(a, b, tolerance, start, touch);
    }
    abut_vec3 between = abut_sub(moving_pivot(b), moving_pivot(a)), travel = abut_sub(b->motion.linear, a->motion.linear);
    abut_separation other = exchanged(*start, between);
    abut_status status = cast(b, a, tolerance, &other, touch);
    if (status == ABUT_OK && touch->hit) {
        touch->met = exchanged(touch->met, abut_neg(abut_add_scaled(between, touch->fraction, travel)));
    }
    return status;
}
