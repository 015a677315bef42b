/* A capsule, and another one or a sphere: one contact, between ends, or between an end and a side, or between sides that cross. */
#include "narrow/round/spot.h"

#include "narrow/normal/axis_pair.h"
#include "narrow/normal/feature_overlap.h"

/* A body in the pair's frame. */
typedef struct rod {
    double half, radius;
    bool is_point;
    abut_vec3 ends[2];                  /* of the axis, -z first */
    abut_vec3 along, position, outward; /* along: the axis; outward: unit, towards the other body */
    abut_feature_kind kind;             /* EDGE: its side takes part */
    int32_t end;
} rod;

static double height_of(const rod *r, abut_vec3 v) { return abut_dot(r->along, v); }

/* feature_pick(): the side where the direction is as good as across it, else an end. */
static void pick(rod *r, double scale, double sine) {
    double z = height_of(r, r->outward);
    bool side = !r->is_point && !(r->half <= 1e-14 * scale) && fabs(z) <= sine;
    r->kind = side ? ABUT_FEATURE_EDGE : ABUT_FEATURE_VERTEX;
    r->end = !side && !r->is_point && z > 0.0;
}

/* The way from a point of the axis through the surface. */
static double way_out(const rod *r, abut_vec3 point) {
    if (r->is_point) {
        return r->radius;
    }
    double z = height_of(r, abut_sub(point, r->position)), slope = height_of(r, r->outward);
    double across = sqrt(real_max(0.0, 1.0 - slope * slope));
    double t = across > 0.0 ? r->radius / across : INFINITY, reached = z + slope * t;
    if (fabs(reached) <= r->half) {
        return t;
    }
    double c = reached > 0.0 ? r->half : -r->half, w = z - c;
    return -slope * w + sqrt(real_max(0.0, slope * slope * w * w - w * w + r->radius * r->radius));
}

static abut_vec3 surface_of(const rod *r, abut_vec3 point) { return abut_add_scaled(point, way_out(r, point), r->outward); }

static abut_feature shown(const rod *r) {
    return (abut_feature){.kind = ABUT_FEATURE_SMOOTH, .index = r->kind == ABUT_FEATURE_EDGE ? 2 : r->end};
}

/* ---- the normal ---- */

static double extent(const rod *r, abut_vec3 direction) { return abut_dot(direction, r->ends[height_of(r, direction) > 0.0]); }

static double support(const rod *a, const rod *b, abut_vec3 direction) {
    return extent(a, direction) + a->radius + extent(b, abut_neg(direction)) + b->radius;
}

/* better_of_axes() of normal/round.c: the direction across both axes is exact, where the difference of their points may be rounding error. */
static abut_vec3 better_of_axes(const rod *a, const rod *b, abut_vec3 direction) {
    abut_vec3 across = abut_unit(abut_cross(a->along, b->along));
    across = abut_dot(across, direction) < 0.0 ? abut_neg(across) : across;
    return support(a, b, across) < support(a, b, direction) ? across : direction;
}

/* ---- where two features meet, seen along the normal ---- */

/* UNCLEAR: the general path has to decide. */
typedef enum meeting { MISSED, MET, UNCLEAR } meeting;

typedef struct seen {
    double x, y;
} seen;

static seen see(const contact_plane *plane, abut_vec3 point) {
    return (seen){abut_dot(plane->first, point), abut_dot(plane->second, point)};
}

static bool is_at(seen p, seen q, double distance) {
    double dx = p.x - q.x, dy = p.y - q.y;
    return dx * dx + dy * dy <= distance * distance;
}

/* The point of the axis over a place, or the nearest one: lift_on_edge() of patch.c. */
static abut_vec3 lift(const contact_plane *plane, const rod *side, seen from, seen p) {
    abut_vec3 along = abut_sub(side->ends[1], side->ends[0]);
    double vx = abut_dot(plane->first, along), vy = abut_dot(plane->second, along);
    double place = ((p.x - from.x) * vx + (p.y - from.y) * vy) / (vx * vx + vy * vy);
    return abut_add_scaled(side->ends[0], real_min(1.0, real_max(0.0, place)), along);
}

/* The name of a place on a side is that of an end within the weld distance. */
static void name(rod *side, seen from, seen to, seen p, double weld) {
    if (is_at(from, p, weld) || is_at(to, p, weld)) {
        side->kind = ABUT_FEATURE_VERTEX;
        side->end = !is_at(from, p, weld);
    }
}

/* Intersects an end with a side in the contact plane. *on_side receives the point of the axis. */
static meeting meet_side(const contact_plane *plane, abut_vec3 end, rod *side, double scale, double weld, abut_vec3 *on_side) {
    seen p = see(plane, end), from = see(plane, side->ends[0]), to = see(plane, side->ends[1]);
    double ux = to.x - from.x, uy = to.y - from.y, uu = ux * ux + uy * uy;
    double t = uu > 0.0 ? ((p.x - from.x) * ux + (p.y - from.y) * uy) / uu : 0.0;
    t = real_min(1.0, real_max(0.0, t));
    double off_x = from.x + t * ux - p.x, off_y = from.y + t * uy - p.y;
    if (!(sqrt(off_x * off_x + off_y * off_y) <= 1e-12 * scale)) {
        return MISSED;
    }
    *on_side = lift(plane, side, from, p);
    name(side, from, to, p, weld);
    return MET;
}

/* Sides that cross away from their ends. */
static bool cross_sides(const rod *a, const rod *b, double weld, double sine, abut_vec3 *on_a, abut_vec3 *on_b) {
    abut_vec3 p = a->ends[0], q = b->ends[0], u = abut_sub(a->ends[1], p), v = abut_sub(b->ends[1], q), w = abut_sub(q, p);
    double across = abut_dot(abut_cross(u, v), a->outward), uu = abut_length_squared(u), vv = abut_length_squared(v);
    double parallel = sine > FEATURE_EXACT_SINE ? sine : FEATURE_EXACT_SINE;
    if (across * across <= parallel * parallel * uu * vv) {
        return false;
    }
    double s = abut_dot(abut_cross(w, v), a->outward) / across, t = abut_dot(abut_cross(w, u), a->outward) / across;
    double room_s = s < 0.5 ? s : 1.0 - s, room_t = t < 0.5 ? t : 1.0 - t;
    if (room_s <= 0.0 || room_t <= 0.0 || room_s * room_s * uu <= weld * weld || room_t * room_t * vv <= weld * weld) {
        return false;
    }
    *on_a = abut_add_scaled(p, s, u);
    *on_b = abut_add_scaled(q, t, v);
    return true;
}

/* A place of a side, from 0 at -z to 1, that may be an end. */
static void lift_or_take(const contact_plane *plane, rod *side, double place, seen from, seen to, seen p, double weld, abut_vec3 *on_side) {
    if (place <= 0.0 || place >= 1.0) {
        side->kind = ABUT_FEATURE_VERTEX;
        side->end = place > 0.0;
        *on_side = side->ends[side->end];
        return;
    }
    *on_side = lift(plane, side, from, p);
    name(side, from, to, p, weld);
}

/* Sides that cross in the contact plane, perhaps at their ends: segment_segment() of planar.c. */
static meeting meet_sides(const contact_plane *plane, rod *a, rod *b, double scale, double sine, double weld, abut_vec3 *on_a,
                          abut_vec3 *on_b) {
    const double tolerance = 1e-12 * scale, rounding = 1e-9;
    seen p = see(plane, a->ends[0]), p_end = see(plane, a->ends[1]), q = see(plane, b->ends[0]), q_end = see(plane, b->ends[1]);
    double ux = p_end.x - p.x, uy = p_end.y - p.y, vx = q_end.x - q.x, vy = q_end.y - q.y, wx = q.x - p.x, wy = q.y - p.y;
    double length_u = sqrt(ux * ux + uy * uy), length_v = sqrt(vx * vx + vy * vy), across = ux * vy - uy * vx;
    if (!(length_u > 0.0 && length_v > 0.0) || fabs(across) <= real_max(sine, rounding) * length_u * length_v) {
        return UNCLEAR;
    }
    double s = (wx * vy - wy * vx) / across, t = (wx * uy - wy * ux) / across;
    double slack_s = tolerance / length_u, slack_t = tolerance / length_v;
    if (s < -slack_s || s > 1.0 + slack_s || t < -slack_t || t > 1.0 + slack_t) {
        return MISSED;
    }
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    const seen at = {q.x + t * (q_end.x - q.x), q.y + t * (q_end.y - q.y)};
    lift_or_take(plane, a, s, p, p_end, at, weld, on_a);
    lift_or_take(plane, b, t, q, q_end, at, weld, on_b);
    return MET;
}

/* ---- the contact ---- */

/* What the contacts of two bodies depend on. */
typedef struct touching {
    const abut_collide_settings *settings;
    double gap, scale, smaller, sine, weld;
    contact_plane plane;
} touching;

/* An end and a side, or two ends: the points of the axes. */
static meeting meet_end(const touching *t, rod *a, rod *b, abut_vec3 *on_a, abut_vec3 *on_b) {
    *on_a = a->ends[a->end];
    *on_b = b->ends[b->end];
    if (a->kind == ABUT_FEATURE_EDGE) {
        return meet_side(&t->plane, *on_b, a, t->scale, t->weld, on_a);
    }
    return b->kind == ABUT_FEATURE_EDGE ? meet_side(&t->plane, *on_a, b, t->scale, t->weld, on_b) : MET;
}

/* Whether the points of the axes make the contact. */
static bool make(const touching *t, const rod *a, const rod *b, abut_vec3 on_a, abut_vec3 on_b, round_spot *spot) {
    spot->on_a = surface_of(a, on_a);
    spot->on_b = surface_of(b, on_b);
    spot->gap = abut_dot(spot->normal, abut_sub(spot->on_a, spot->on_b));
    return round_shows(spot->gap, t->gap, t->settings->margin, t->scale);
}

/* Tries the features that are extreme up to an angle. */
static meeting try_features(const touching *t, rod *a, rod *b, double sine, round_spot *spot) {
    abut_vec3 on_a, on_b;
    pick(a, t->scale, sine);
    pick(b, t->scale, sine);
    bool sides = a->kind == ABUT_FEATURE_EDGE && b->kind == ABUT_FEATURE_EDGE;
    if (sides && cross_sides(a, b, t->weld, t->sine, &on_a, &on_b) && make(t, a, b, on_a, on_b, spot)) {
        return MET;
    }
    meeting found = sides ? meet_sides(&t->plane, a, b, t->scale, t->sine, t->weld, &on_a, &on_b) : meet_end(t, a, b, &on_a, &on_b);
    return found == MET && !make(t, a, b, on_a, on_b, spot) ? MISSED : found;
}

static uint64_t id_of(const round_spot *spot, const round_place *place, const abut_shape *a, const abut_shape *b) {
    int order = collide_order_of(a, b);
    bool a_first = order < 0 || (order == 0 && abut_dot(abut_mat3_apply_transposed(place->rotation_a, collide_aside), spot->normal) > 0.0);
    return contact_id(spot->feature_a, spot->feature_b, a_first);
}

/* Features that lean as far as the bodies are deep come first, then those that are extreme: see patch.c. */
static bool touch(rod *a, rod *b, const round_place *place, double gap, const round_body *body_a, const round_body *body_b,
                  const abut_collide_settings *settings, round_answer *answer) {
    touching t = {.settings = settings, .gap = gap, .scale = body_a->shape->size + body_b->shape->size};
    t.smaller = real_min(body_a->shape->size, body_b->shape->size);
    t.sine = collide_sine(settings->feature_angle);
    t.weld = settings->weld * t.smaller;
    t.plane = contact_plane_of(b->outward);
    round_spot spot = {.normal = b->outward};
    meeting found = try_features(&t, a, b, patch_wide_sine(t.sine, -gap, t.smaller), &spot);
    found = found == MISSED ? try_features(&t, a, b, FEATURE_EXACT_SINE, &spot) : found;
    if (found != MET) {
        return false;
    }
    spot.feature_a = shown(a);
    spot.feature_b = shown(b);
    spot.id = id_of(&spot, place, body_a->shape, body_b->shape);
    round_remember(answer->cache, abut_vec3_make(0.0, 0.0, 0.0));
    round_write(&spot, place, body_a, answer);
    return true;
}

static void set_rod(const abut_shape *shape, abut_vec3 along, abut_vec3 position, rod *r) {
    r->half = shape->half_length;
    r->radius = shape->radius;
    r->is_point = !(shape->half_length > 0.0);
    r->along = along;
    r->position = position;
}

static void set_ends(const round_body *a, const round_body *b, rod *rod_a, rod *rod_b) {
    rod_a->ends[0] = abut_vec3_make(0.0, 0.0, -rod_a->half + 0.0);
    rod_a->ends[1] = abut_vec3_make(0.0, 0.0, rod_a->half + 0.0);
    if (round_has_zero(rod_b->position)) {
        round_ends_with_zeros(a, b, rod_b->ends);
        return;
    }
    rod_b->ends[0] = abut_add(abut_scale(-rod_b->half, rod_b->along), rod_b->position);
    rod_b->ends[1] = abut_add(abut_scale(rod_b->half, rod_b->along), rod_b->position);
}

bool round_capsules(const round_body *a, const round_body *b, const abut_collide_settings *settings, round_answer *answer) {
    const abut_vec3 origin = {0.0, 0.0, 0.0}, up = {0.0, 0.0, 1.0};
    round_place place;
    if (!round_set_place(a, b, &place)) {
        return false;
    }
    rod rod_a, rod_b;
    set_rod(a->shape, up, origin, &rod_a);
    set_rod(b->shape, abut_mat3_apply_transposed(place.rotation_a, round_axis(b)), place.position_b, &rod_b);
    double scale = a->shape->size + b->shape->size;
    const axis axis_a = {rod_a.position, rod_a.along, rod_a.half}, axis_b = {rod_b.position, rod_b.along, rod_b.half};
    axis_pair pair;
    axis_pair_find(&axis_a, &axis_b, &pair);
    double distance = abut_length(pair.apart), gap = distance - rod_a.radius - rod_b.radius;
    if (!(distance > 1e-14 * scale)) {
        return false;
    }
    set_ends(a, b, &rod_a, &rod_b);
    rod_a.outward = abut_unit(pair.apart);
    rod_a.outward = pair.skew ? better_of_axes(&rod_a, &rod_b, rod_a.outward) : rod_a.outward;
    rod_b.outward = abut_neg(rod_a.outward);
    return gap <= settings->margin + CONTACT_ROUNDING * scale ? touch(&rod_a, &rod_b, &place, gap, a, b, settings, answer)
                                                              : round_is_apart(answer, rod_a.outward);
}
