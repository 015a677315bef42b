#include "narrow/round/rod.h"

/* ---- placing ---- */

static void set_shape(const abut_shape *shape, rod *r) {
    r->half = shape->half_length;
    r->radius = shape->radius;
    r->is_point = !(shape->half_length > 0.0) && shape->kind != ABUT_SHAPE_BOX;
    r->box = NULL;
}

static void set_box(rod *r, const abut_shape *shape, brick *box) {
    box->shape = shape;
    box->position = rod_copy(&r->position);
    box->aligned = convex_is_identity(&box->turn);
    r->radius = 0.0;
    r->box = box;
    r->kind = ABUT_FEATURE_NONE;
}

/* A stands at the origin, along z. */
static void place_a(const round_body *a, round_pair *pair) {
    rod *r = &pair->a;
    set_shape(a->shape, r);
    r->position = abut_vec3_make(0.0, 0.0, 0.0);
    r->along = abut_vec3_make(0.0, 0.0, 1.0);
    if (a->shape->kind == ABUT_SHAPE_BOX) {
        pair->box.turn = abut_mat3_identity();
        set_box(r, a->shape, &pair->box);
        return;
    }
    r->ends[0] = abut_vec3_make(0.0, 0.0, -r->half + 0.0);
    r->ends[1] = abut_vec3_make(0.0, 0.0, r->half + 0.0);
}

static void place_b(const round_body *a, const round_body *b, round_pair *pair) {
    rod *r = &pair->b;
    set_shape(b->shape, r);
    r->position = rod_copy(&pair->place.position_b);
    if (b->shape->kind == ABUT_SHAPE_BOX) {
        pair->box.turn = round_turn(&pair->place, b);
        set_box(r, b->shape, &pair->box);
        return;
    }
    r->along = r->is_point && pair->a.box != NULL ? abut_vec3_make(0.0, 0.0, 1.0)
                                                  : abut_mat3_apply_transposed(pair->place.rotation_a, round_axis(b));
    if (round_has_zero(r->position)) {
        round_ends_with_zeros(a, b, r->ends);
        return;
    }
    r->ends[0] = abut_add(abut_scale(-r->half, r->along), r->position);
    r->ends[1] = abut_add(abut_scale(r->half, r->along), r->position);
}

bool rod_place(const round_body *a, const round_body *b, const abut_collide_settings *settings, round_pair *pair) {
    pair->bodies[0] = a;
    pair->bodies[1] = b;
    pair->settings = settings;
    pair->scale = a->shape->size + b->shape->size;
    if (!round_set_place(a, b, &pair->place)) {
        return false;
    }
    place_a(a, pair);
    place_b(a, b, pair);
    return true;
}

void rod_set_feature(rod *box, abut_feature_kind kind, int axis, int32_t vertex) {
    const int32_t bit = 1 << axis;
    bool edge = kind == ABUT_FEATURE_EDGE;
    int32_t index = kind == ABUT_FEATURE_FACE ? 2 * axis + (vertex >> axis & 1) : edge ? box_edge_along(axis, vertex) : vertex;
    if (box->kind == kind && box->index == index) {
        return; /* as most features that were closest are picked */
    }
    box->kind = kind;
    box->end = 0;
    box->index = index;
    box->names[0] = edge ? vertex & ~bit : vertex;
    box->names[1] = vertex | bit;
    for (int i = 0; i < (kind == ABUT_FEATURE_FACE ? 0 : edge ? 2 : 1); ++i) {
        box->ends[i] = brick_vertex(box->box, box->names[i]);
    }
}

static inline double extent(const rod *r, abut_vec3 direction) {
    return abut_dot(direction,
                    r->box != NULL ? brick_vertex(r->box, brick_support(r->box, direction)) : r->ends[rod_height(r, direction) > 0.0]);
}

double rod_support(const rod *a, const rod *b, const abut_vec3 *direction) {
    return extent(a, *direction) + a->radius + extent(b, abut_neg(*direction)) + b->radius;
}

/* ---- the features that take part ---- */

/* pick_of_box() of feature.c. */
static void pick_of_box(rod *box, double sine) {
    const brick *b = box->box;
    abut_vec3 local = brick_local(b, box->outward);
    int32_t vertex = box_vertex_along((const double[3]){local.x, local.y, local.z});
    int face = box_face_axis_within(local, box_face_limit(b->shape, sine)), edge = face < 0 ? box_edge_axis(local, sine) : -1;
    abut_feature_kind kind = face >= 0 ? ABUT_FEATURE_FACE : edge >= 0 ? ABUT_FEATURE_EDGE : ABUT_FEATURE_VERTEX;
    rod_set_feature(box, kind, face >= 0 ? face : edge >= 0 ? edge : 0, vertex);
}

/* feature_pick(): the side where the direction is as good as across it, else an end. */
static void pick(rod *r, double scale, double sine) {
    if (r->box != NULL) {
        pick_of_box(r, sine);
        return;
    }
    double z = rod_height(r, r->outward);
    bool side = !r->is_point && !(r->half <= 1e-14 * scale) && fabs(z) <= sine;
    r->kind = side ? ABUT_FEATURE_EDGE : ABUT_FEATURE_VERTEX;
    r->end = !side && !r->is_point && z > 0.0;
}

/* The way from a point of the axis through the surface. */
static double way_out(const rod *r, const abut_vec3 *point) {
    if (r->is_point) {
        return r->radius;
    }
    double z = rod_height(r, abut_sub(*point, r->position)), slope = rod_height(r, r->outward);
    double across = sqrt(real_max(0.0, 1.0 - slope * slope));
    double t = across > 0.0 ? r->radius / across : INFINITY, reached = z + slope * t;
    if (fabs(reached) <= r->half) {
        return t;
    }
    double c = reached > 0.0 ? r->half : -r->half, w = z - c;
    return -slope * w + sqrt(real_max(0.0, slope * slope * w * w - w * w + r->radius * r->radius));
}

static abut_vec3 surface_of(const rod *r, const abut_vec3 *point) {
    return r->box != NULL ? rod_copy(point) : abut_add_scaled(*point, way_out(r, point), r->outward);
}

static round_name shown(const rod *r) {
    bool box = r->box != NULL, vertex = r->kind == ABUT_FEATURE_VERTEX, edge = r->kind == ABUT_FEATURE_EDGE;
    return (round_name){box ? r->kind : ABUT_FEATURE_SMOOTH, box ? (vertex ? r->names[r->end] : r->index) : edge ? 2 : r->end};
}

/* ---- where two features meet, seen along the normal ---- */

/* What the contacts of two bodies depend on. */
typedef struct touching {
    const abut_collide_settings *settings;
    double gap, scale, sine, weld;
    abut_vec3 normal;
} touching;

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

static void set_end(rod *side, int32_t end) {
    side->kind = ABUT_FEATURE_VERTEX;
    side->end = end;
    side->index = -1; /* of a box: the edge still has the ends */
}

/* The name of a place on a side is that of an end within the weld distance. */
static void name(rod *side, seen from, seen to, seen p, double weld) {
    if (is_at(from, p, weld) || is_at(to, p, weld)) {
        set_end(side, !is_at(from, p, weld));
    }
}

/* Intersects an end with a side in the contact plane. *on_side receives the point of the axis. */
static meeting meet_side(const touching *t, const abut_vec3 *end, rod *side, abut_vec3 *on_side) {
    contact_plane plane;
    contact_plane_set(&plane, t->normal.x, t->normal.y, t->normal.z);
    seen p = see(&plane, *end), from = see(&plane, side->ends[0]), to = see(&plane, side->ends[1]);
    double ux = to.x - from.x, uy = to.y - from.y, uu = ux * ux + uy * uy;
    double place = uu > 0.0 ? ((p.x - from.x) * ux + (p.y - from.y) * uy) / uu : 0.0;
    place = real_min(1.0, real_max(0.0, place));
    double off_x = from.x + place * ux - p.x, off_y = from.y + place * uy - p.y;
    if (!(sqrt(off_x * off_x + off_y * off_y) <= 1e-12 * t->scale)) {
        return MISSED;
    }
    *on_side = lift(&plane, side, from, p);
    name(side, from, to, p, t->weld);
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
        set_end(side, place > 0.0);
        *on_side = side->ends[side->end];
        return;
    }
    *on_side = lift(plane, side, from, p);
    name(side, from, to, p, weld);
}

/* Sides that cross in the contact plane, perhaps at their ends: segment_segment() of planar.c. */
static meeting meet_sides(const touching *touching, rod *a, rod *b, abut_vec3 *on_a, abut_vec3 *on_b) {
    const double tolerance = 1e-12 * touching->scale, rounding = 1e-9, weld = touching->weld;
    contact_plane plane;
    contact_plane_set(&plane, touching->normal.x, touching->normal.y, touching->normal.z);
    seen p = see(&plane, a->ends[0]), p_end = see(&plane, a->ends[1]), q = see(&plane, b->ends[0]), q_end = see(&plane, b->ends[1]);
    double ux = p_end.x - p.x, uy = p_end.y - p.y, vx = q_end.x - q.x, vy = q_end.y - q.y, wx = q.x - p.x, wy = q.y - p.y;
    double length_u = sqrt(ux * ux + uy * uy), length_v = sqrt(vx * vx + vy * vy), across = ux * vy - uy * vx;
    if (!(length_u > 0.0 && length_v > 0.0) || fabs(across) <= real_max(touching->sine, rounding) * length_u * length_v) {
        return UNCLEAR;
    }
    double s = (wx * vy - wy * vx) / across, t = (wx * uy - wy * ux) / across;
    double slack_s = tolerance / length_u, slack_t = tolerance / length_v;
    if (s < -slack_s || s > 1.0 + slack_s || t < -slack_t || t > 1.0 + slack_t) {
        return MISSED;
    }
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    const seen at = {q.x + t * (q_end.x - q.x), q.y + t * (q_end.y - q.y)};
    lift_or_take(&plane, a, s, p, p_end, at, weld, on_a);
    lift_or_take(&plane, b, t, q, q_end, at, weld, on_b);
    return MET;
}

/* ---- the contact ---- */

static double component(abut_vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

/* An end over a face of the box: feature_vertex_on_face(). Near the border the general path finds the name. */
static meeting meet_face(const touching *t, const abut_vec3 *end, const rod *box, abut_vec3 *on_face) {
    const brick *b = box->box;
    abut_vec3 p = brick_local(b, abut_sub(*end, b->position)), way = brick_local(b, box->outward);
    int axis = box->index >> 1, u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
    double sense = box->index & 1 ? 1.0 : -1.0;
    double reach = (brick_half(b, axis) - sense * component(p, axis)) / (sense * component(way, axis));
    abut_vec3 foot = abut_add_scaled(p, reach, way);
    *on_face = abut_add_scaled(*end, reach, box->outward);
    double border = t->weld + 1e-13 * (t->scale + fabs(p.x) + fabs(p.y) + fabs(p.z));
    bool inside = brick_half(b, u) - fabs(component(foot, u)) > border && brick_half(b, v) - fabs(component(foot, v)) > border;
    return inside ? MET : UNCLEAR;
}

/* An end and a side or a face, or two ends: the points of the cores. */
static meeting meet_end(const touching *t, rod *a, rod *b, abut_vec3 *on_a, abut_vec3 *on_b) {
    *on_a = rod_copy(&a->ends[a->end]);
    *on_b = rod_copy(&b->ends[b->end]);
    bool first = a->kind != ABUT_FEATURE_VERTEX;
    if (first && b->kind != ABUT_FEATURE_VERTEX) {
        return UNCLEAR; /* a side along a face */
    }
    rod *wide = first ? a : b;
    abut_vec3 *end = first ? on_b : on_a, *on_wide = first ? on_a : on_b;
    return wide->kind == ABUT_FEATURE_FACE   ? meet_face(t, end, wide, on_wide)
           : wide->kind == ABUT_FEATURE_EDGE ? meet_side(t, end, wide, on_wide)
                                             : MET;
}

/* Whether the points of the cores make the contact. */
static bool make(const touching *t, const rod *a, const rod *b, const abut_vec3 *on_a, const abut_vec3 *on_b, round_spot *spot) {
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
    if (sides && cross_sides(a, b, t->weld, t->sine, &on_a, &on_b) && make(t, a, b, &on_a, &on_b, spot)) {
        return MET;
    }
    meeting found = sides ? meet_sides(t, a, b, &on_a, &on_b) : meet_end(t, a, b, &on_a, &on_b);
    return found == MET && !make(t, a, b, &on_a, &on_b, spot) ? MISSED : found;
}

static uint64_t id_of(const round_pair *pair, const round_spot *spot) {
    int order = collide_order_of(pair->bodies[0]->shape, pair->bodies[1]->shape);
    bool a_first = order < 0;
    if (order == 0) {
        a_first = abut_dot(abut_mat3_apply_transposed(pair->place.rotation_a, collide_aside), spot->normal) > 0.0;
    }
    return round_id(spot->name_a, spot->name_b, a_first);
}

/* Features that lean as far as the bodies are deep come first, then those that are extreme: see patch.c. */
bool rod_touch(round_pair *pair, double gap, round_answer *answer) {
    rod *a = &pair->a, *b = &pair->b;
    double smaller = real_min(pair->bodies[0]->shape->size, pair->bodies[1]->shape->size);
    const touching t = {pair->settings,       gap, pair->scale, collide_sine(pair->settings->feature_angle), pair->settings->weld * smaller,
                        rod_copy(&b->outward)};
    round_spot spot; /* all of it is written below */
    spot.normal = rod_copy(&b->outward);
    meeting found = try_features(&t, a, b, patch_wide_sine(t.sine, -gap, smaller), &spot);
    found = found == MISSED ? try_features(&t, a, b, FEATURE_EXACT_SINE, &spot) : found;
    if (found != MET) {
        return false;
    }
    spot.name_a = shown(a);
    spot.name_b = shown(b);
    spot.id = id_of(pair, &spot);
    round_remember(answer->cache, abut_vec3_make(0.0, 0.0, 0.0));
    round_write(&spot, &pair->place, pair->bodies[0], answer);
    return true;
}
