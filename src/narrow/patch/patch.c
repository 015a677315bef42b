#include "narrow/patch/patch.h"

#include "base/real.h"
#include "geom/planar.h"
#include "narrow/normal/box_features.h"
#include "narrow/normal/feature.h"
#include "narrow/normal/feature_overlap.h"
#include "narrow/patch/corners_on_plane.h"
#include "narrow/patch/disc.h"
#include "narrow/patch/side.h"

/* One side of a patch: a feature of a body, or a whole plane (body NULL). */
typedef struct patch_side {
    const convex *body;
    abut_feature feature;
    abut_vec3 outward;      /* unit, from this body towards the other; points are lifted along it */
    abut_vec3 plane_normal; /* of a face or plane, pair's frame */
    double plane_offset;
    double height[3]; /* of the plane along `outward`: at the origin, and its slope along the two axes of the contact plane */
    planar_corner *corner;
    int32_t count;
    bool alongside; /* it and the other side are lines that run side by side, one of them at least along the side of a frustum */
} patch_side;

/* How far a contact may lie above the gap along the normal and still count as deepest, relative to the sizes. The difference is rounding error. For bodies
 * apart it includes the rounding error of the direction between them. NEARLY is the limit for a whole patch of two faces. */
#define REACH 6e-14
#define REACH_APART 1e-13
#define NEARLY 2e-12

/* ---- sides ---- */

static bool is_disc(const patch_side *side) {
    return side->body != NULL && side->body->core == CORE_FRUSTUM && side->feature.kind == ABUT_FEATURE_FACE;
}

static void project_side(const contact_plane *frame, patch_side *side, bool backwards) {
    if (side->body != NULL && !is_disc(side)) {
        feature_project(frame, side->body, side->feature, side->outward, backwards, side->corner);
    }
}

static patch_side side_of_feature(const convex *body, abut_vec3 outward, abut_feature feature) {
    patch_side side = {.body = body, .feature = feature, .outward = outward};
    side.count = is_disc(&side) ? disc_capacity(0) : feature_corner_count(body, feature);
    if (feature.kind == ABUT_FEATURE_FACE) {
        side.plane_normal = feature_face_normal(body, feature.index);
        side.plane_offset = convex_face_offset(body, feature.index) + abut_dot(side.plane_normal, body->position);
    }
    return side;
}

static patch_side side_of_body(const convex *body, abut_vec3 outward, double sine) {
    return side_of_feature(body, outward, feature_pick(body, outward, sine));
}

/* ---- lifting a point of the contact plane back to a body ---- */

/* The height of the side's plane along `outward`, as a linear function of the place in the contact plane: (offset - n . point) / (n . outward). */
static void set_height(const contact_plane *frame, patch_side *side) {
    if (side->body != NULL && side->feature.kind != ABUT_FEATURE_FACE) {
        return;
    }
    double slope = abut_dot(side->plane_normal, side->outward);
    side->height[0] = side->plane_offset / slope;
    side->height[1] = -abut_dot(side->plane_normal, frame->first) / slope;
    side->height[2] = -abut_dot(side->plane_normal, frame->second) / slope;
}

static inline abut_vec3 lift_on_plane(const contact_plane *frame, const patch_side *side, double x, double y) {
    double t = side->height[0] + side->height[1] * x + side->height[2] * y;
    return abut_add_scaled(abut_add(abut_scale(x, frame->first), abut_scale(y, frame->second)), t, side->outward);
}

/* The point of the edge that projects on (x, y), or the nearest one. */
static inline abut_vec3 lift_on_edge(const contact_plane *frame, const convex *body, int32_t edge, double x, double y) {
    abut_vec3 end[2];
    feature_edge(body, edge, end);
    abut_vec3 along = abut_sub(end[1], end[0]);
    double ux = abut_dot(frame->first, along), uy = abut_dot(frame->second, along);
    double wx = x - abut_dot(frame->first, end[0]), wy = y - abut_dot(frame->second, end[0]);
    double t = (wx * ux + wy * uy) / (ux * ux + uy * uy);
    return abut_add_scaled(end[0], real_min(1.0, real_max(0.0, t)), along);
}

/* The length of a ray along `outward` from a point of the core to the surface of a body with a radius. */
static double exit_of_radius(const convex *body, abut_vec3 core_point, abut_vec3 outward) {
    if (body->core != CORE_SEGMENT) {
        return body->radius;
    }
    double z = convex_to_local(body, core_point).z, slope = convex_direction_to_local(body, outward).z;
    double across = sqrt(real_max(0.0, 1.0 - slope * slope));
    double t = across > 0.0 ? body->radius / across : INFINITY; /* leaves through the cylinder */
    double reached = z + slope * t;
    if (fabs(reached) <= body->half_length) {
        return t;
    }
    /* Leaves through the cap at c: |(z - c) + slope t| together with the part across gives t^2 + 2 slope (z - c) t + (z - c)^2 = radius^2. */
    double c = reached > 0.0 ? body->half_length : -body->half_length, w = z - c;
    return -slope * w + sqrt(real_max(0.0, slope * slope * w * w - w * w + body->radius * body->radius));
}

static inline abut_vec3 lift(const contact_plane *frame, const patch_side *side, const planar_point *p, int32_t vertex) {
    if (side->body == NULL) {
        return lift_on_plane(frame, side, p->x, p->y);
    }
    if (is_disc(side)) {
        vertex = -1; /* its corners are no vertices of the body */
    }
    if (vertex < 0 && side->feature.kind == ABUT_FEATURE_VERTEX) {
        vertex = side->feature.index;
    }
    abut_vec3 point;
    if (vertex >= 0) {
        point = convex_point(side->body, vertex, side->outward);
    } else if (side->feature.kind == ABUT_FEATURE_EDGE) {
        point = lift_on_edge(frame, side->body, side->feature.index, p->x, p->y);
    } else {
        point = lift_on_plane(frame, side, p->x, p->y);
    }
    if (side->body->radius > 0.0) {
        point = abut_add_scaled(point, exit_of_radius(side->body, point, side->outward), side->outward);
    }
    return point;
}

/* The feature of the side on which a corner lies. It is found from the corner's place and not from how the corner was computed. Where corners or edges of
 * both bodies coincide, as in every axis-aligned stack, the latter would change with rounding error, and the id for warm starting would change with it. */
static inline abut_feature feature_at(const patch_side *side, const planar_point *p, int32_t vertex, int32_t edge, double weld_distance) {
    abut_feature feature = side->feature;
    if (side->body == NULL) {
        return feature;
    }
    planar_figure figure = {side->corner, side->count};
    planar_name(figure, p->x, p->y, weld_distance, &vertex, &edge);
    if (vertex >= 0) {
        feature = (abut_feature){.kind = ABUT_FEATURE_VERTEX, .index = vertex};
    } else if (edge >= 0) {
        feature = (abut_feature){.kind = ABUT_FEATURE_EDGE, .index = edge};
    }
    return feature;
}

/* The feature as the caller sees it. A corner of a disc's polygon lies on the rim. */
static abut_feature shown_feature(const patch_side *side, abut_feature at) {
    if (side->body == NULL) {
        return at;
    }
    if (is_disc(side) && at.kind != ABUT_FEATURE_FACE) {
        return (abut_feature){.kind = ABUT_FEATURE_EDGE, .index = side->feature.index, .part = side->body->part};
    }
    return feature_of_shape(side->body, at);
}

/* The feature that names the contact: the same, but each corner of a disc's polygon has a name of its own. */
static abut_feature name_of(const patch_side *side, abut_feature at) {
    abut_feature name = shown_feature(side, at);
    if (side->body != NULL && is_disc(side) && at.kind != ABUT_FEATURE_FACE) {
        name.index += 2 + 2 * (at.kind == ABUT_FEATURE_EDGE ? at.index + 4 * DISC_CORNERS : at.index);
    }
    return name;
}

/* ---- contacts ---- */

static bool is_line(const patch_side *side) { return side->body != NULL && side->feature.kind == ABUT_FEATURE_EDGE; }

static bool is_side_line(const patch_side *side) { return is_line(side) && side->body->core == CORE_FRUSTUM; }

static bool run_alongside(const patch_side *a, const patch_side *b) {
    const double aslant = 0.5;
    if (!is_line(a) || !is_line(b) || !(is_side_line(a) || is_side_line(b))) {
        return false;
    }
    double ux = a->corner[1].x - a->corner[0].x, uy = a->corner[1].y - a->corner[0].y;
    double vx = b->corner[1].x - b->corner[0].x, vy = b->corner[1].y - b->corner[0].y;
    return fabs(ux * vy - uy * vx) <= aslant * fabs(ux * vx + uy * vy);
}

static double length_of(const patch_side *line) {
    return elementary_hypot(line->corner[1].x - line->corner[0].x, line->corner[1].y - line->corner[0].y);
}

/* Lifts a point of both lines. Only the other one, or the longer of two, is straight. */
static bool lift_lines(const contact_plane *frame, const patch_side *a, const patch_side *b, planar_point *p, abut_vec3 *on_a,
                       abut_vec3 *on_b) {
    bool a_is_straight = is_side_line(a) != is_side_line(b) ? is_side_line(b) : length_of(a) >= length_of(b);
    const patch_side *straight = a_is_straight ? a : b, *curved = a_is_straight ? b : a;
    const planar_corner *corner = straight->corner;
    double length = length_of(straight);
    abut_vec3 on_straight = lift(frame, straight, p, -1), *on_curved = a_is_straight ? on_b : on_a;
    side_track track = {abut_dot(frame->first, on_straight), abut_dot(frame->second, on_straight), (corner[1].x - corner[0].x) / length,
                        (corner[1].y - corner[0].y) / length};
    if (!side_lift(frame, curved->body, curved->outward, &track, on_curved)) {
        return false;
    }
    p->x = track.x;
    p->y = track.y;
    on_straight = lift(frame, straight, p, -1);
    *(a_is_straight ? on_a : on_b) = on_straight;
    double beyond = elementary_hypot(abut_dot(frame->first, on_straight) - p->x, abut_dot(frame->second, on_straight) - p->y);
    return beyond <= 1e-13 * (a->body->size + b->body->size); /* otherwise the lines do not overlap */
}

/* Writes the points and the gap of a contact. False where no points face each other. */
static bool place_contact(const contact_plane *frame, const patch_side *a, const patch_side *b, planar_point *p, abut_contact *contact) {
    abut_vec3 on_a, on_b;
    if (a->alongside) {
        if (!lift_lines(frame, a, b, p, &on_a, &on_b)) {
            return false;
        }
    } else {
        on_a = lift(frame, a, p, p->vertex_a);
        on_b = lift(frame, b, p, p->vertex_b);
    }
    contact->on_a = abut_vec3_make(on_a.x, on_a.y, on_a.z);
    contact->on_b = abut_vec3_make(on_b.x, on_b.y, on_b.z);
    contact->gap = abut_dot(frame->normal, abut_sub(on_a, on_b));
    return true;
}

/* The feature on which the contact of two lines lies. Where one of them is curved, a contact that keeps the name of an end has moved along the line. */
static abut_feature feature_on_line(const patch_side *side, const planar_point *p, double weld_distance, abut_feature named) {
    for (int32_t i = 0; side->alongside && named.kind == ABUT_FEATURE_VERTEX && i < side->count; ++i) {
        const planar_corner *end = &side->corner[i];
        if (end->vertex == named.index && elementary_hypot(end->x - p->x, end->y - p->y) > weld_distance) {
            return side->feature;
        }
    }
    return named;
}

/* Writes the other fields of a contact. */
static void name_contact(const contact_plane *frame, const patch_side *a, const patch_side *b, const planar_point *p, double weld_distance,
                         int32_t patch, const contact_list *list, abut_contact *contact) {
    abut_feature feature_a = feature_at(a, p, p->vertex_a, p->edge_a, weld_distance);
    abut_feature feature_b = feature_at(b, p, p->vertex_b, p->edge_b, weld_distance);
    contact->normal = frame->normal;
    contact->area = 0.0;
    contact->feature_a = shown_feature(a, feature_on_line(a, p, weld_distance, feature_a));
    contact->feature_b = shown_feature(b, feature_on_line(b, p, weld_distance, feature_b));
    contact->id = contact_list_id(list, name_of(a, feature_a), name_of(b, feature_b), frame->normal);
    contact->patch = patch;
    contact->flags = 0;
}

/* Half of the area of a triangle. */
static inline double half_triangle(const planar_point *middle, const planar_point *p, const planar_point *q) {
    double ux = p->x - middle->x, uy = p->y - middle->y, vx = q->x - middle->x, vy = q->y - middle->y;
    double area = 0.5 * (0.0 + (ux * vy - uy * vx));
    return real_max(0.5 * area, 0.0); /* rounding error can make a degenerate triangle negative */
}

void patch_share_area(const planar_point *point, int32_t count, abut_contact *contact) {
    if (count < 3) {
        return;
    }
    planar_point middle = {.x = 0.0};
    bool exact = (count & (count - 1)) == 0; /* the inverse of a power of two is exact, and a product is faster than a quotient */
    double inverse = 1.0 / count;
    for (int32_t i = 0; i < count; ++i) {
        middle.x += exact ? point[i].x * inverse : point[i].x / count;
        middle.y += exact ? point[i].y * inverse : point[i].y / count;
    }
    for (int32_t i = 0; i < count; ++i) {
        int32_t k = i + 1 < count ? i + 1 : 0;
        double half = half_triangle(&middle, &point[i], &point[k]);
        contact[i].area += half;
        contact[k].area += half;
    }
}

static int features_at_vertices(const abut_contact *contact) {
    return (contact->feature_a.kind == ABUT_FEATURE_VERTEX) + (contact->feature_b.kind == ABUT_FEATURE_VERTEX);
}

/* Two contacts become one. It takes the name of a corner at a vertex, if there is one, and the place of the deeper corner: features can be tilted against the
 * contact plane, and a patch must not lose its depth. */
static abut_contact merged(const abut_contact *p, const abut_contact *q, double distance) {
    const double rounding = 1e-9 * distance;
    bool takes_q = features_at_vertices(q) > features_at_vertices(p);
    abut_contact both = takes_q ? *q : *p;
    const abut_contact *other = takes_q ? p : q;
    if (other->gap < both.gap - rounding) {
        both.on_a = other->on_a;
        both.on_b = other->on_b;
        both.gap = other->gap;
    }
    both.area = p->area + q->area;
    return both;
}

int32_t patch_weld(abut_contact *contact, int32_t count, double distance) {
    int32_t kept = 0;
    for (int32_t i = 0; i < count; ++i) {
        bool last = i + 1 == count && kept > 1;
        abut_contact *before = kept > 0 ? &contact[kept - 1] : NULL;
        abut_contact *same = before != NULL && abut_distance_between(before->on_b, contact[i].on_b) <= distance ? before
                             : last && abut_distance_between(contact[0].on_b, contact[i].on_b) <= distance      ? &contact[0]
                                                                                                                : NULL;
        if (same == NULL) {
            if (kept < i) {
                contact[kept] = contact[i];
            }
            ++kept;
            continue;
        }
        *same = merged(same, &contact[i], distance);
    }
    return kept;
}

/* Lifts the corners, keeps those within the margin, shares out the area, and merges close contacts. */
static int32_t add_contacts(const contact_plane *frame, const patch_side *a, const patch_side *b, planar_point *point, int32_t count,
                            double margin, double weld_distance, int32_t patch, contact_list *list) {
    int32_t first = list->count, kept = 0;
    for (int32_t i = 0; i < count; ++i) {
        abut_contact *contact = contact_list_room(list);
        if (contact == NULL) {
            return 0;
        }
        if (place_contact(frame, a, b, &point[i], contact) && contact->gap <= margin) {
            name_contact(frame, a, b, &point[i], weld_distance, patch, list, contact);
            if (kept < i) {
                point[kept] = point[i];
            }
            ++kept;
            ++list->count;
        }
    }
    patch_share_area(point, kept, &list->items[first]);
    kept = patch_weld(&list->items[first], kept, weld_distance);
    list->count = first + kept;
    return kept;
}

/* Makes polygons of discs. Of two discs, the one inside the other needs no clipping. */
static void project_discs(const contact_plane *frame, patch_side *a, patch_side *b, const contact_list *list) {
    bool disc_a = is_disc(a), disc_b = is_disc(b), both = disc_a && disc_b;
    int32_t end_a = a->feature.index, end_b = b->feature.index;
    bool a_first = list->order < 0 || (list->order == 0 && abut_dot(list->aside, frame->normal) > 0.0);
    bool inside_b = both && disc_is_inside(frame, a->body, end_a, b->body, end_b);
    bool inside_a = both && disc_is_inside(frame, b->body, end_b, a->body, end_a);
    inside_a = inside_a && !(inside_b && a_first);
    inside_b = inside_b && !inside_a;
    disc_beside beside_a = {both ? b->body : NULL, end_b, {b->corner, b->count}},
                beside_b = {both ? a->body : NULL, end_a, {a->corner, a->count}};
    if (disc_b) {
        b->count = inside_a || !inside_b ? disc_project(frame, b->body, end_b, &beside_b, b->corner) : 0;
    }
    if (disc_a) {
        a->count = inside_b || !inside_a ? disc_project(frame, a->body, end_a, &beside_a, a->corner) : 0;
    }
    /* The disc inside may reach beyond the other one by 1e-9 of the radius. */
    if (inside_a) {
        disc_clamp_corners(frame, a->body, end_a, b->corner, b->count);
    } else if (inside_b) {
        disc_clamp_corners(frame, b->body, end_b, a->corner, a->count);
    }
}

/* The place of the other side's deepest point, or for two discs the nearest one on the rim of this disc. False when it does not lie on both sides. */
static bool deepest_in_disc(const contact_plane *frame, const patch_side *disc, const patch_side *other, planar_point *p, int32_t *vertex) {
    const int32_t end = disc->feature.index;
    abut_vec3 deepest;
    *vertex = convex_support(other->body, other->outward, &deepest);
    p->x = abut_dot(frame->first, deepest);
    p->y = abut_dot(frame->second, deepest);
    if (disc_holds(frame, disc->body, end, p->x, p->y)) {
        return true;
    }
    *vertex = -1;
    disc_clamp(frame, disc->body, end, &p->x, &p->y);
    return is_disc(other) && disc_holds(frame, other->body, other->feature.index, p->x, p->y);
}

/* The polygon of a disc falls short of it. Where the two sides are deepest in the disc and not in the polygon, this point is a contact, too. */
static void add_deepest_in_disc(const contact_plane *frame, const patch_side *a, const patch_side *b, bool disc_is_a,
                                const patch_settings *settings, double scale, int32_t patch, int32_t first, contact_list *list) {
    const patch_side *disc = disc_is_a ? a : b, *other = disc_is_a ? b : a;
    abut_contact *contact = contact_list_room(list);
    planar_point p = {.vertex_a = -1, .edge_a = -1, .vertex_b = -1, .edge_b = -1};
    int32_t vertex;
    if (contact == NULL || !is_disc(disc) || other->body == NULL || !deepest_in_disc(frame, disc, other, &p, &vertex)) {
        return;
    }
    *(disc_is_a ? &p.vertex_b : &p.vertex_a) = is_disc(other) && vertex >= 0 ? DISC_CORNERS : vertex;
    (void)place_contact(frame, a, b, &p, contact);
    double shown = settings->margin + CONTACT_ROUNDING * scale;
    for (int32_t i = first; i < list->count; ++i) {
        shown = real_min(shown, list->items[i].gap - REACH * scale);
    }
    if (contact->gap < shown) {
        name_contact(frame, a, b, &p, settings->weld, patch, list, contact);
        ++list->count;
    }
}

static planar_figure figure_of(const patch_side *side) { return (planar_figure){side->corner, side->count}; }

/* Whether B is a triangle inside the disc A. It is projected alone: most triangles of a mesh below a disc need no polygon of it. */
static bool is_inside_disc(const contact_plane *frame, const patch_side *a, const patch_side *b, double room) {
    planar_corner corner[3];
    patch_side triangle = *b;
    if (!is_disc(a) || is_disc(b) || b->body == NULL || b->count != 3) {
        return false;
    }
    triangle.corner = corner;
    project_side(frame, &triangle, false);
    return planar_is_wide_triangle(figure_of(&triangle), room) &&
           disc_clearly_holds(frame, a->body, a->feature.index, figure_of(&triangle), room);
}

/* A triangle of a mesh inside a face of the body is the whole overlap. The face then counts as the whole plane, which has no corner. */
static bool is_inside(const contact_plane *frame, const patch_side *a, const patch_side *b, double room) {
    if (a->body == NULL || a->feature.kind != ABUT_FEATURE_FACE || a->count == 0) {
        return false;
    }
    return is_disc(a) ? is_inside_disc(frame, a, b, room) : planar_is_triangle_inside(figure_of(a), figure_of(b), room);
}

static int32_t intersect_sides(const contact_plane *frame, patch_side *a, patch_side *b, const patch_settings *settings, double scale,
                               int32_t patch, contact_list *list) {
    const double room = 2.0 * settings->weld + 1e-9 * scale;
    overlap_scratch scratch;
    bool inside = settings->partial && is_disc(a) && is_inside(frame, a, b, room), discs = !inside && (is_disc(a) || is_disc(b));
    a->count = inside ? 0 : a->count;
    planar_figure figure_a = {.count = !inside && is_disc(a) ? disc_capacity(b->count) : a->count};
    planar_figure figure_b = {.count = is_disc(b) ? disc_capacity(a->count) : b->count};
    if (!overlap_scratch_take(&scratch, planar_capacity(figure_a, figure_b))) {
        list->out_of_memory = true;
        return 0;
    }
    a->corner = scratch.corner;
    b->corner = scratch.corner + figure_a.count;
    project_side(frame, a, true);
    project_side(frame, b, false);
    if (discs) {
        project_discs(frame, a, b, list);
    } else if (settings->partial && is_inside(frame, a, b, room)) {
        a->count = 0;
    }
    figure_a = figure_of(a);
    figure_b = figure_of(b);
    set_height(frame, a);
    set_height(frame, b);
    a->alongside = b->alongside = run_alongside(a, b);
    int32_t count = planar_intersect(figure_a, figure_b, 1e-12 * scale, settings->feature_sine, scratch.point, scratch.spare);
    const int32_t first = list->count;
    add_contacts(frame, a, b, scratch.point, count, settings->margin + CONTACT_ROUNDING * scale, settings->weld, patch, list);
    for (int side = 0; side < 2 && discs; ++side) {
        add_deepest_in_disc(frame, a, b, side == 0, settings, scale, patch, first, list);
    }
    overlap_scratch_release(&scratch);
    return list->count - first;
}

/* The feature that was found, or else the one along the direction, as the caller sees it. */
static abut_feature feature_or_pick(const convex *body, abut_feature found, abut_vec3 outward) {
    return feature_of_shape(body, found.kind != ABUT_FEATURE_NONE ? found : feature_pick(body, outward, FEATURE_EXACT_SINE));
}

/* The largest gap that the deepest contact of a normal may have. For bodies apart, coordinates are as large as the gap, and so is their rounding error. */
static double shown_by(const contact_normal *normal, double scale) {
    return normal->gap + (normal->gap > 0.0 ? REACH_APART * (scale + normal->gap) : REACH * scale);
}

static int32_t add_witness(const contact_plane *frame, const convex *a, const convex *b, const contact_normal *normal, double margin,
                           int32_t patch, contact_list *list) {
    abut_contact contact = {.normal = frame->normal, .patch = patch, .flags = ABUT_CONTACT_WITNESS};
    abut_feature feature_a = normal->feature_a, feature_b = normal->feature_b;
    contact.on_a = abut_add_scaled(normal->on_a, a->radius, normal->direction);
    contact.on_b = abut_add_scaled(normal->on_b, -b->radius, normal->direction);
    contact.gap = abut_dot(frame->normal, abut_sub(contact.on_a, contact.on_b));
    if (normal->extreme || contact.gap > shown_by(normal, a->size + b->size)) {
        /* There is no witness, or it was found for another direction. Two support points along this direction have the full depth. */
        abut_vec3 on_a, on_b;
        feature_a = (abut_feature){.kind = ABUT_FEATURE_VERTEX, .index = convex_support(a, normal->direction, &on_a)};
        feature_b = (abut_feature){.kind = ABUT_FEATURE_VERTEX, .index = convex_support(b, frame->normal, &on_b)};
        contact.on_a = abut_add_scaled(on_a, a->radius, normal->direction);
        contact.on_b = abut_add_scaled(on_b, -b->radius, normal->direction);
        contact.gap = abut_dot(frame->normal, abut_sub(contact.on_a, contact.on_b));
    }
    contact.feature_a = feature_or_pick(a, feature_a, normal->direction);
    contact.feature_b = feature_or_pick(b, feature_b, frame->normal);
    contact.id = contact_list_id(list, contact.feature_a, contact.feature_b, contact.normal);
    if (contact.gap > margin) {
        return 0;
    }
    contact_list_add(list, &contact);
    return 1;
}

/* The certificate of a patch: one of its contacts is as deep as the bodies are along the normal. */
static bool reaches(const contact_list *list, int32_t first, double gap) {
    for (int32_t i = first; i < list->count; ++i) {
        if (list->items[i].gap <= gap) {
            return true;
        }
    }
    return false;
}

/* ---- one corner: most contacts of bodies in random poses ---- */

/* Adds the contact of two features that meet in one point, when it is as deep as the bodies are along the normal. Returns 0 when the features do not meet in
 * one point or meet close to a border. */
static int32_t add_single(const convex *a, abut_feature fa, const convex *b, abut_feature fb, const contact_normal *normal,
                          const patch_settings *settings, double scale, double shown, int32_t patch, contact_list *list) {
    abut_contact contact;
    if (!feature_crossing(a, fa, b, fb, normal->direction, settings->weld, settings->feature_sine, &contact.on_a, &contact.on_b)) {
        return 0;
    }
    contact.normal = abut_neg(normal->direction);
    if (a->radius > 0.0) {
        contact.on_a = abut_add_scaled(contact.on_a, exit_of_radius(a, contact.on_a, normal->direction), normal->direction);
    }
    if (b->radius > 0.0) {
        contact.on_b = abut_add_scaled(contact.on_b, exit_of_radius(b, contact.on_b, contact.normal), contact.normal);
    }
    contact.gap = abut_dot(contact.normal, abut_sub(contact.on_a, contact.on_b));
    if (!(contact.gap <= shown && contact.gap <= settings->margin + CONTACT_ROUNDING * scale)) {
        return 0;
    }
    contact.area = 0.0;
    contact.feature_a = feature_of_shape(a, fa);
    contact.feature_b = feature_of_shape(b, fb);
    contact.id = contact_list_id(list, contact.feature_a, contact.feature_b, contact.normal);
    contact.patch = patch;
    contact.flags = 0;
    contact_list_add(list, &contact);
    return 1;
}

/* Adds the contact of the normal's own points, if they face each other. */
static int32_t add_facing(const convex *a, const convex *b, const contact_normal *normal, double margin, double shown, int32_t patch,
                          contact_list *list) {
    const double exact = 1e-12 * (a->size + b->size);
    abut_contact contact = {.normal = abut_neg(normal->direction), .patch = patch};
    contact.on_a = abut_add_scaled(normal->on_a, a->radius, normal->direction);
    contact.on_b = abut_add_scaled(normal->on_b, -b->radius, normal->direction);
    contact.gap = abut_dot(contact.normal, abut_sub(contact.on_a, contact.on_b));
    abut_vec3 facing = abut_add_scaled(contact.on_b, contact.gap, contact.normal);
    if (!(abut_distance_between(contact.on_a, facing) <= exact && contact.gap <= shown && contact.gap <= margin)) {
        return 0;
    }
    contact.feature_a = feature_or_pick(a, normal->feature_a, normal->direction);
    contact.feature_b = feature_or_pick(b, normal->feature_b, contact.normal);
    contact.id = contact_list_id(list, contact.feature_a, contact.feature_b, contact.normal);
    contact_list_add(list, &contact);
    return 1;
}

static int32_t intersect_features(const convex *a, abut_feature fa, const convex *b, abut_feature fb, const contact_normal *normal,
                                  const patch_settings *settings, double scale, double shown, int32_t patch, contact_list *list) {
    contact_plane frame = contact_plane_of(abut_neg(normal->direction));
    patch_side side_a = side_of_feature(a, normal->direction, fa), side_b = side_of_feature(b, frame.normal, fb);
    int32_t first = list->count, count = intersect_sides(&frame, &side_a, &side_b, settings, scale, patch, list);
    if (count > 0 && side_a.alongside && !reaches(list, first, shown)) {
        count += add_facing(a, b, normal, settings->margin + CONTACT_ROUNDING * scale, shown, patch, list); /* between the ends */
    }
    if (!reaches(list, first, shown)) {
        list->count = first;
        count = 0;
    }
    return count;
}

/* Whether the core is no larger than the rounding error of its own place. The sides of its features then have no direction there, and bound nothing. */
static bool is_as_point(const convex *body, double scale) {
    const double rounding = 1e-14 * scale;
    return body->core == CORE_SEGMENT ? body->half_length <= rounding : body->core != CORE_POINT && body->size <= rounding;
}

static abut_feature pick(const convex *body, const contact_normal *normal, abut_feature extreme, abut_vec3 outward, double scale,
                         double sine) {
    if (is_as_point(body, scale)) {
        abut_vec3 point;
        return (abut_feature){.kind = ABUT_FEATURE_VERTEX, .index = convex_support(body, outward, &point)};
    }
    return normal->extreme ? feature_pick_at(body, extreme, outward, sine) : feature_pick(body, outward, sine);
}

/* The gap along the normal is certain. A point of a flat smooth body is not: where the points have another gap, it is moved along the normal. */
static void give_way(const convex *a, const convex *b, abut_contact *contact) {
    double missing = abut_dot(contact->normal, abut_sub(contact->on_a, contact->on_b)) - contact->gap;
    if (fabs(missing) <= CONTACT_ROUNDING * (a->size + b->size)) {
        return;
    }
    if (b->core == CORE_SMOOTH) {
        contact->on_b = abut_add_scaled(contact->on_b, missing, contact->normal);
    } else if (a->core == CORE_SMOOTH) {
        contact->on_a = abut_add_scaled(contact->on_a, -missing, contact->normal);
    }
}

/* Adds the contact that the normal's own points make. */
static int32_t add_pair(const convex *a, const convex *b, const contact_normal *normal, double margin, int32_t patch, contact_list *list) {
    if (normal->gap > margin) {
        return 0;
    }
    abut_contact contact = {.normal = abut_neg(normal->direction), .gap = normal->gap, .patch = patch};
    contact.on_a = abut_add_scaled(normal->on_a, a->radius, normal->direction);
    contact.on_b = abut_add_scaled(normal->on_b, -b->radius, normal->direction);
    give_way(a, b, &contact);
    contact.feature_a = feature_or_pick(a, normal->feature_a, normal->direction);
    contact.feature_b = feature_or_pick(b, normal->feature_b, contact.normal);
    contact.id = contact_list_id(list, contact.feature_a, contact.feature_b, contact.normal);
    contact.flags = (normal->pair == NORMAL_WITNESS ? ABUT_CONTACT_WITNESS : 0u) | (normal->chosen ? ABUT_CONTACT_NORMAL_CHOSEN : 0u);
    contact_list_add(list, &contact);
    return 1;
}

static void flag_chosen(const contact_normal *normal, int32_t first, contact_list *list) {
    for (int32_t i = first; i < list->count && normal->chosen; ++i) {
        list->items[i].flags |= ABUT_CONTACT_NORMAL_CHOSEN;
    }
}

static double wide_sine(const convex *a, const convex *b, const contact_normal *normal, const patch_settings *settings) {
    return patch_wide_sine(settings->feature_sine, -normal->gap, a->size < b->size ? a->size : b->size);
}

static int32_t build(const convex *a, const convex *b, const contact_normal *normal, const patch_settings *settings, int32_t patch,
                     contact_list *list) {
    double scale = a->size + b->size;
    int32_t first = list->count, count = 0;
    if (normal->pair != NORMAL_FEATURES) {
        return add_pair(a, b, normal, settings->margin + CONTACT_ROUNDING * scale, patch, list);
    }
    double wide = wide_sine(a, b, normal, settings);
    double exactly = settings->partial ? INFINITY : shown_by(normal, scale);
    /* The last attempt accepts two faces again: a whole patch that is slightly less deep is better than one point. */
    const double sines[3] = {wide, FEATURE_EXACT_SINE, wide}, shown[3] = {exactly, exactly, normal->gap + NEARLY * scale};
    for (int i = 0; i < 3 && count == 0 && !list->out_of_memory; ++i) {
        abut_feature fa = pick(a, normal, normal->feature_a, normal->direction, scale, sines[i]);
        abut_feature fb = pick(b, normal, normal->feature_b, abut_neg(normal->direction), scale, sines[i]);
        bool faces = fa.kind == ABUT_FEATURE_FACE && fb.kind == ABUT_FEATURE_FACE;
        if (i == 2 && !faces) {
            break;
        }
        count = add_single(a, fa, b, fb, normal, settings, scale, exactly, patch, list);
        if (count == 0) {
            count = intersect_features(a, fa, b, fb, normal, settings, scale, shown[i], patch, list);
        }
    }
    if (count == 0 && !list->out_of_memory && !settings->partial) {
        contact_plane frame = contact_plane_of(abut_neg(normal->direction));
        const double margin = settings->margin + CONTACT_ROUNDING * scale;
        bool faces = a->core == CORE_FRUSTUM || b->core == CORE_FRUSTUM;
        count = faces ? add_facing(a, b, normal, margin, exactly, patch, list) : 0;
        count = count > 0 ? count : add_witness(&frame, a, b, normal, margin, patch, list);
    }
    flag_chosen(normal, first, list);
    return count;
}

int32_t patch_build(const convex *a, const convex *b, const contact_normal *normal, const patch_settings *settings, int32_t patch,
                    contact_list *list) {
    if (a->core != CORE_FRUSTUM && b->core != CORE_FRUSTUM) {
        return build(a, b, normal, settings, patch, list);
    }
    convex turned_a = convex_turned_to(a, normal->direction), turned_b = convex_turned_to(b, abut_neg(normal->direction));
    return build(&turned_a, &turned_b, normal, settings, patch, list);
}

static int32_t intersect_plane(const contact_plane *frame, const convex *body, const whole_plane *plane, double sine,
                               const patch_settings *settings, int32_t patch, contact_list *list) {
    if (body->core == CORE_POLYTOPE) {
        abut_feature feature = feature_pick(body, abut_neg(plane->outward), sine);
        return corners_on_plane(frame, body, feature, plane, settings, body->size, patch, list);
    }
    patch_side side = {
        .feature = {.kind = ABUT_FEATURE_FACE}, .outward = plane->outward, .plane_normal = plane->outward, .plane_offset = plane->offset};
    patch_side other = side_of_body(body, abut_neg(plane->outward), sine);
    return intersect_sides(frame, plane->is_a ? &side : &other, plane->is_a ? &other : &side, settings, body->size, patch, list);
}

static int32_t build_plane(const convex *body, const whole_plane *plane, const patch_settings *settings, int32_t patch,
                           contact_list *list) {
    double depth = plane->offset + convex_extent(body, abut_neg(plane->outward)) + body->radius;
    double sines[2] = {patch_wide_sine(settings->feature_sine, depth, body->size), FEATURE_EXACT_SINE};
    contact_plane frame = contact_plane_of(plane->is_a ? abut_neg(plane->outward) : plane->outward);
    int32_t first = list->count, count = 0;
    for (int i = 0; i < 2 && !list->out_of_memory; ++i) {
        list->count = first;
        count = intersect_plane(&frame, body, plane, sines[i], settings, patch, list);
        if (reaches(list, first, -depth + REACH * body->size)) {
            break; /* otherwise the face is close to the direction but does not hold the deepest vertex */
        }
    }
    return count;
}

int32_t patch_build_plane(const convex *body, abut_vec3 outward, double offset, bool plane_is_a, const patch_settings *settings,
                          int32_t patch, contact_list *list) {
    const whole_plane plane = {outward, offset, plane_is_a};
    if (body->core != CORE_FRUSTUM) {
        return build_plane(body, &plane, settings, patch, list);
    }
    convex turned = convex_turned_to(body, abut_neg(outward));
    return build_plane(&turned, &plane, settings, patch, list);
}
