/* Rows of smooth bodies that are not convex: see curved.h. */
#include "step/event/curved.h"

#include "base/real.h"
#include "narrow/curved/curved.h"
#include "narrow/curved/track.h"
#include "narrow/query/distance.h"
#include "shape/smooth.h"
#include "shape/surface/contact_surface.h"

bool event_curved_is(const abut_shape *a, const abut_shape *b) { return smooth_is_unknown(a) || smooth_is_unknown(b); }

static event_side side_of(const abut_shape *shape, abut_feature feature, const event_place *place, abut_vec3 on, abut_vec3 outward) {
    event_side side = {.kind = EVENT_CURVED, .shape = shape, .feature = feature};
    side.point = abut_mat3_apply_transposed(place->rotation, abut_sub(on, place->position));
    side.direction = abut_mat3_apply_transposed(place->rotation, outward);
    if (smooth_is_unknown(shape)) { /* the triangle of a vertex takes a search */
        side.feature = curved_name((abut_feature){.kind = ABUT_FEATURE_FACE, .index = curved_triangle_of(shape, feature)});
        side.feature.part = feature.part;
    }
    return side;
}

/* ---- contact points that can be anywhere along a line ---- */

/* The curvature of a surface along two tangents as a symmetric matrix: 00 01 11. Curvatures above `most`, as those of edges, count as `most`. */
static void add_curvature(const abut_curvature *surface, const abut_vec3 tangent[2], double most, double sum[3]) {
    for (int i = 0; i < 2; ++i) {
        double k = real_min(surface->curvature[i], most);
        double u = abut_dot(surface->direction[i], tangent[0]), v = abut_dot(surface->direction[i], tangent[1]);
        sum[0] += k * u * u;
        sum[1] += k * u * v;
        sum[2] += k * v * v;
    }
}

static bool add_surface(const event_side *side, const event_place *place, abut_feature feature, abut_vec3 outward,
                        const abut_vec3 tangent[2], double most, double sum[3]) {
    abut_curvature surface;
    abut_vec3 local = abut_mat3_apply_transposed(place->rotation, outward);
    if (contact_surface_find(side->shape, feature, side->point, local, &surface) != ABUT_OK) {
        return false;
    }
    contact_surface_turn(&surface, place->rotation, place->position);
    add_curvature(&surface, tangent, most, sum);
    return true;
}

/* Whether both surfaces keep their distance along some way from the contact. */
static bool is_a_line(const event_row *row, const abut_contact *c, const event_place *a, const event_place *b) {
    const double level = 1e-6, sharp = 1e6;
    double size = row->side[0].shape->size + row->side[1].shape->size, sum[3] = {0.0, 0.0, 0.0};
    abut_vec3 tangent[2];
    abut_tangent_frame(c->normal, &tangent[0], &tangent[1]);
    if (!add_surface(&row->side[0], a, c->feature_a, abut_neg(c->normal), tangent, sharp / size, sum) ||
        !add_surface(&row->side[1], b, c->feature_b, c->normal, tangent, sharp / size, sum)) {
        return true;
    }
    double mean = 0.5 * (sum[0] + sum[2]), half = 0.5 * (sum[0] - sum[2]), spread = sqrt(half * half + sum[1] * sum[1]);
    return real_min(fabs(mean + spread), fabs(mean - spread)) * size < level;
}

bool event_curved_make(event_row *row, const abut_contact *contact, const abut_shape *a, const event_place *place_a, const abut_shape *b,
                       const event_place *place_b) {
    row->side[0] = side_of(a, contact->feature_a, place_a, contact->on_a, abut_neg(contact->normal));
    row->side[1] = side_of(b, contact->feature_b, place_b, contact->on_b, contact->normal);
    return (contact->flags & ABUT_CONTACT_WITNESS) == 0u && !is_a_line(row, contact, place_a, place_b);
}

/* ---- looking ---- */

static abut_vec3 to_world(const event_place *place, abut_vec3 v) { return abut_add(abut_mat3_apply(place->rotation, v), place->position); }

abut_contact event_curved_look(const event_row *row, const event_place *a, const event_place *b) {
    /* Relative to A, so that rounding error does not grow with the distance from the world's origin. */
    const abut_shape *const shape[2] = {row->side[0].shape, row->side[1].shape};
    const side_place place[2] = {{abut_mat3_identity(), {0.0, 0.0, 0.0}},
                                 {abut_mat3_mul(abut_mat3_transpose(a->rotation), b->rotation),
                                  abut_mat3_apply_transposed(a->rotation, abut_sub(b->position, a->position))}};
    curved_start start[2];
    for (int i = 0; i < 2; ++i) {
        start[i] = (curved_start){row->side[i].point, row->side[i].direction, row->side[i].feature};
    }
    contact_side side[2];
    abut_contact now = row->contact;
    if (!curved_track(shape, place, start, side)) {
        now.gap = NAN;
        return now;
    }
    abut_vec3 normal = smooth_is_unknown(shape[0]) ? abut_neg(side[0].outward) : side[1].outward;
    now.gap = abut_dot(normal, abut_sub(side[0].point, side[1].point));
    now.normal = abut_mat3_apply(a->rotation, normal);
    now.on_a = to_world(a, side[0].point);
    now.on_b = to_world(a, side[1].point);
    now.feature_a = smooth_is_unknown(shape[0]) ? now.feature_a : side[0].feature;
    now.feature_b = smooth_is_unknown(shape[1]) ? now.feature_b : side[1].feature;
    return now;
}

/* ---- support ---- */

double event_curved_reach(const abut_shape *shape, abut_vec3 direction) {
    const double beyond = 2.0;
    abut_vec3 point;
    abut_shape_support(curved_stand_in(shape), direction, &point, NULL);
    double far = abut_dot(direction, point) + beyond * curved_error(shape);
    const abut_shape plane = {.kind = ABUT_SHAPE_PLANE, .normal = abut_neg(direction), .offset = -far};
    const abut_collide_settings settings = abut_collide_settings_default();
    const abut_pair pair = {shape, abut_pose_identity(), &plane, abut_pose_identity()};
    abut_separation found;
    return distance_ask(NULL, &pair, &settings, NULL, &found) == ABUT_OK ? real_min(far, far - found.gap) : far;
}
