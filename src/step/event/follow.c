/* Contacts with smooth bodies ([B90]): Newton's method on the normal gives the extremal pair at any time. See follow.h. */
#include "step/event/follow.h"

#include "base/real.h"
#include "shape/surface/contact_surface.h"
#include "narrow/normal/extremal/extremal.h"
#include "narrow/query/rates.h"
#include "step/event/rounded.h"

#define FLATTEST 1e-12 /* least curvature, relative to that of a ball of about the shape's size */

bool event_follow_is(const abut_shape *a, const abut_shape *b) { return smooth_is(a) || smooth_is(b); }

event_side event_follow_side(const abut_shape *shape, abut_feature feature) {
    double rounding = shape->kind == ABUT_SHAPE_SUPERQUADRIC ? event_rounding_of(shape) : 0.0;
    return (event_side){.shape = shape, .feature = feature, .rounding = rounding};
}

static abut_vec3 support_of(const event_side *side, abut_vec3 n) {
    return side->rounding > 0.0 ? event_rounded_support(side->shape, side->rounding, n) : smooth_support(side->shape, n);
}

/* A plane, or the plane of a polytope's face. Part frame; the normal points outward. */
typedef struct facing {
    int side; /* of the plane: 0 for A */
    abut_vec3 normal;
    double offset;
} facing;

static bool is_mesh(const event_side *side) { return side->shape->kind == ABUT_SHAPE_TRIMESH; }

static bool is_face(const event_side *side, abut_feature feature) {
    return side->shape->kind == ABUT_SHAPE_PLANE || (is_mesh(side) && side->kind == EVENT_FACE) ||
           ((side->shape->kind == ABUT_SHAPE_BOX || side->shape->kind == ABUT_SHAPE_POLYTOPE) && feature.kind == ABUT_FEATURE_FACE);
}

bool event_follow_is_on_face(const event_row *row) {
    return row->follows && ((is_face(&row->side[0], row->contact.feature_a) && smooth_is(row->side[1].shape)) ||
                            (is_face(&row->side[1], row->contact.feature_b) && smooth_is(row->side[0].shape)));
}

static facing facing_of(const event_row *row) {
    int side = is_face(&row->side[0], row->contact.feature_a) ? 0 : 1;
    const abut_shape *shape = row->side[side].shape;
    if (shape->kind == ABUT_SHAPE_PLANE) {
        return (facing){side, shape->normal, shape->offset};
    }
    if (is_mesh(&row->side[side])) {
        return (facing){side, row->side[side].direction, abut_dot(row->side[side].direction, row->side[side].point)};
    }
    const polytope *s = &shape->surface;
    int32_t face = side == 0 ? row->contact.feature_a.index : row->contact.feature_b.index;
    return (facing){side, s->normals[face], abut_dot(s->normals[face], s->vertices[s->face_vertices[s->face_first[face]]])};
}

/* With a plane, whose normal is fixed, the contact point is the body's support point against the normal. False if that point is not over the
 * face of a convex body: the contact is then on an edge or a vertex. A triangle's plane goes on, and event_row_slip() tells where the triangle ends. */
static bool look_on_face(const event_row *row, const event_place *a, const event_place *b, abut_contact *contact) {
    const facing f = facing_of(row);
    const event_place *of_plane = f.side == 0 ? a : b, *of_body = f.side == 0 ? b : a;
    abut_vec3 outward = abut_mat3_apply(of_plane->rotation, f.normal);
    abut_vec3 local = support_of(&row->side[1 - f.side], abut_mat3_apply_transposed(of_body->rotation, abut_neg(outward)));
    abut_vec3 lowest = abut_add(abut_mat3_apply(of_body->rotation, local), of_body->position);
    abut_contact now = row->contact;
    now.gap = abut_dot(outward, abut_sub(lowest, of_plane->position)) - f.offset;
    abut_vec3 under = abut_add_scaled(lowest, -now.gap, outward);
    now.normal = f.side == 0 ? abut_neg(outward) : outward;
    now.on_a = f.side == 0 ? under : lowest;
    now.on_b = f.side == 0 ? lowest : under;
    *contact = now;
    return row->side[f.side].shape->kind == ABUT_SHAPE_PLANE || is_mesh(&row->side[f.side]) ||
           event_row_outside_face(&row->side[f.side].shape->surface, f.side == 0 ? now.feature_a.index : now.feature_b.index,
                                  abut_mat3_apply_transposed(of_plane->rotation, abut_sub(under, of_plane->position))) < 0.0;
}

/* Converts a feature of a convex core into one of the shape. */
static abut_feature feature_of_shape(const abut_shape *shape, abut_feature core) {
    if (shape->kind == ABUT_SHAPE_SPHERE || smooth_is(shape)) {
        return (abut_feature){.kind = ABUT_FEATURE_SMOOTH};
    }
    if (shape->kind == ABUT_SHAPE_CAPSULE) {
        return (abut_feature){.kind = ABUT_FEATURE_SMOOTH, .index = core.kind == ABUT_FEATURE_VERTEX ? core.index : 2};
    }
    return (abut_feature){.kind = core.kind, .index = core.index};
}

/* An edge or a vertex of a mesh as a convex body: a segment or a point without a radius. `as` becomes its shape. */
static convex sharp_place(abut_shape *as, const event_side *side, const convex *mesh) {
    *as = (abut_shape){.kind = side->kind == EVENT_LINE ? ABUT_SHAPE_CAPSULE : ABUT_SHAPE_SPHERE,
                       .size = real_max(side->length, 1e-9 * side->shape->size),
                       .half_length = 0.5 * side->length};
    abut_mat3 rotation = mesh->rotation;
    if (side->kind == EVENT_LINE) {
        abut_vec3 u, v;
        abut_tangent_frame(side->direction, &u, &v);
        rotation = abut_mat3_mul(mesh->rotation, abut_mat3_make(u, v, side->direction));
    }
    return convex_place(as, rotation, convex_to_pair(mesh, abut_add_scaled(side->point, 0.5 * side->length, side->direction)), 0);
}

abut_contact event_follow_look(const event_row *row, const event_place *a, const event_place *b) {
    const abut_shape *shape_a = row->side[0].shape, *shape_b = row->side[1].shape;
    abut_contact now = row->contact;
    if (event_follow_is_on_face(row) && look_on_face(row, a, b, &now)) {
        return now;
    }
    /* Relative to A, so that rounding error does not grow with the distance from the world's origin. */
    const abut_vec3 origin = {0.0, 0.0, 0.0};
    convex body_a = convex_place(shape_a, abut_mat3_identity(), origin, 0);
    convex body_b = convex_place(shape_b, abut_mat3_mul(abut_mat3_transpose(a->rotation), b->rotation),
                                 abut_mat3_apply_transposed(a->rotation, abut_sub(b->position, a->position)), 0);
    abut_shape sharp;
    body_a = is_mesh(&row->side[0]) ? sharp_place(&sharp, &row->side[0], &body_a) : body_a;
    body_b = is_mesh(&row->side[1]) ? sharp_place(&sharp, &row->side[1], &body_b) : body_b;
    extremal found;
    extremal_find(&body_a, &body_b, abut_mat3_apply_transposed(a->rotation, abut_neg(row->contact.normal)), INFINITY, &found);
    now = row->contact;
    abut_vec3 on_a = abut_add_scaled(found.on_a, body_a.radius, found.direction);
    abut_vec3 on_b = abut_add_scaled(found.on_b, -body_b.radius, found.direction);
    now.normal = abut_neg(abut_mat3_apply(a->rotation, found.direction));
    now.gap = -found.height - body_a.radius - body_b.radius;
    now.on_a = abut_add(abut_mat3_apply(a->rotation, on_a), a->position);
    now.on_b = abut_add(abut_mat3_apply(a->rotation, on_b), a->position);
    now.feature_a = is_mesh(&row->side[0]) ? now.feature_a : feature_of_shape(shape_a, found.feature_a);
    now.feature_b = is_mesh(&row->side[1]) ? now.feature_b : feature_of_shape(shape_b, found.feature_b);
    return now;
}

/* The curvature of a shape by functions. At its flat places it is taken a little beside them, because an infinite radius hides the other one in rounding
 * errors. */
static abut_status surface_of_user(const event_side *side, abut_feature feature, abut_vec3 point, abut_vec3 outward,
                                   abut_curvature *surface) {
    const double flat = 1e-12, beside = 1e-9;
    abut_status status = contact_surface_find(side->shape, feature, point, outward, surface);
    if (status == ABUT_OK && real_min(surface->curvature[0], surface->curvature[1]) < flat / side->shape->size) {
        abut_vec3 more = abut_add(surface->direction[0], surface->direction[1]);
        status = contact_surface_find(side->shape, feature, point, abut_unit(abut_add_scaled(outward, beside, more)), surface);
    }
    return status;
}

static bool surface_at(const event_side *side, const event_place *place, abut_feature feature, abut_vec3 point, abut_vec3 outward,
                       abut_curvature *surface) {
    abut_vec3 local = abut_mat3_apply_transposed(place->rotation, abut_sub(point, place->position));
    abut_vec3 normal = abut_mat3_apply_transposed(place->rotation, outward);
    abut_status status = ABUT_OK;
    if (side->rounding > 0.0) {
        event_rounded_surface(side->shape, side->rounding, normal, surface);
    } else if (side->shape->user != NULL && side->shape->convex) {
        status = surface_of_user(side, feature, local, normal, surface);
    } else {
        status = contact_surface_find(side->shape, feature, local, normal, surface);
    }
    if (status != ABUT_OK) {
        return false;
    }
    /* Where a smooth surface is flat, the contact point can move on it without bound. A small curvature prevents that. */
    for (int i = 0; i < 2 && smooth_is(side->shape); ++i) {
        surface->curvature[i] = real_max_number(surface->curvature[i], FLATTEST / side->shape->size);
    }
    contact_surface_turn(surface, place->rotation, place->position);
    return true;
}

/* w R w, with the radii of curvature R of a smooth body at an outward normal. */
static double bend_of(const event_side *side, const event_place *place, abut_vec3 outward, abut_vec3 turning) {
    abut_vec3 n = abut_mat3_apply_transposed(place->rotation, outward), w = abut_mat3_apply_transposed(place->rotation, turning);
    double square = abut_length_squared(w);
    if (side->rounding > 0.0) {
        return event_rounded_bend(side->shape, side->rounding, n, w);
    }
    if (square == 0.0) {
        return 0.0;
    }
    const double flattest = 1e12, beside = 1e-9;
    abut_vec3 u = abut_unit(w), v = abut_cross(n, u);
    smooth_place place_of;
    smooth_place_find(side->shape, n, u, v, &place_of);
    if (place_of.r11 > flattest * side->shape->size) { /* a flat place: its infinite radius would hide others in rounding errors */
        smooth_place_find(side->shape, abut_unit(abut_add_scaled(n, beside, abut_add(u, v))), u, v, &place_of);
    }
    return place_of.r11 * square;
}

static bool rates_by_curvature(const event_row *row, const abut_contact *now, const event_place *a, const event_place *b,
                               abut_rates *rates) {
    abut_curvature of_a, of_b;
    return surface_at(&row->side[0], a, now->feature_a, now->on_a, abut_neg(now->normal), &of_a) &&
           surface_at(&row->side[1], b, now->feature_b, now->on_b, now->normal, &of_b) &&
           contact_rates_find(NULL, now, &of_a, &of_b, a->motion, b->motion, rates) == ABUT_OK;
}

void event_follow_rates(const event_row *row, const abut_contact *now, const event_place *a, const event_place *b, abut_rates *rates) {
    bool plane_is_a = is_face(&row->side[0], now->feature_a) && smooth_is(row->side[1].shape);
    if (plane_is_a || (is_face(&row->side[1], now->feature_b) && smooth_is(row->side[0].shape))) {
        abut_vec3 turning = event_row_turning(now, a, b);
        double bend =
            plane_is_a ? bend_of(&row->side[1], b, now->normal, turning) : bend_of(&row->side[0], a, abut_neg(now->normal), turning);
        event_row_rates_on_plane(now, a, b, plane_is_a, bend, rates);
        return;
    }
    if (!rates_by_curvature(row, now, a, b, rates)) {
        *rates = (abut_rates){.gap_rate = NAN, .gap_acceleration = NAN, .bias = NAN};
    }
}

abut_vec3 event_follow_point_rate(const event_row *row, const abut_contact *now, const event_place *a, const event_place *b) {
    abut_rates rates;
    abut_vec3 w = a->motion->velocity.angular, material = abut_cross(w, abut_sub(now->on_a, a->motion->centre));
    bool found = rates_by_curvature(row, now, a, b, &rates) && abut_vec3_is_finite(rates.on_a_rate);
    return found ? rates.on_a_rate : abut_add(a->motion->velocity.linear, material);
}
