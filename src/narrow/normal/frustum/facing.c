/* Points of two features that face each other: see facing.h. */
#include "narrow/normal/frustum/facing.h"

#include "base/real.h"
#include "geom/closest.h"
#include "narrow/normal/feature.h"

/* The points of a feature that are extreme along a direction: a point, a line, or a face. */
typedef struct extreme_set {
    const convex *body;
    double side;
    abut_feature_kind kind;
    int32_t face;
    abut_vec3 end[2]; /* of a line; twice the point */
} extreme_set;

static extreme_set set_of(const stratum *s, abut_vec3 direction) {
    extreme_set set = {.body = s->body, .side = s->side, .kind = s->feature.kind, .face = s->feature.index};
    if (set.kind == ABUT_FEATURE_EDGE) {
        convex turned = convex_turned_to(s->body, abut_scale(s->side, direction));
        feature_edge(&turned, s->feature.index, set.end);
    } else if (set.kind == ABUT_FEATURE_VERTEX) {
        smooth_place place;
        abut_vec3 u, v;
        abut_tangent_frame(direction, &u, &v);
        stratum_place(s, direction, u, v, &place);
        set.end[0] = set.end[1] = place.point;
    }
    return set;
}

static abut_vec3 onto_disc(const convex *body, int32_t end, abut_vec3 point) {
    const frustum *f = &body->shape->round;
    abut_vec3 local = convex_to_local(body, point);
    double rho = frustum_rho(local.x, local.y), inside = rho > f->radius[end] ? f->radius[end] / rho : 1.0;
    return convex_to_pair(body, abut_vec3_make(inside * local.x, inside * local.y, f->z[end]));
}

/* The closest point of a face of a polytope to a point of its plane: the point itself, or one of a side. Core frame. */
static abut_vec3 inside_face(const convex *body, int32_t face, abut_vec3 local) {
    const polytope *surface = body->surface;
    const polytope_corner *loop = &surface->corner[surface->face[face].first];
    int32_t count = surface->face[face].count;
    abut_vec3 normal = surface->face[face].normal, nearest = local;
    double least = INFINITY;
    bool inside = true;
    for (int32_t i = 0; i < count; ++i) {
        abut_vec3 from = convex_vertex(body, loop[i].vertex), to = convex_vertex(body, loop[i + 1 < count ? i + 1 : 0].vertex);
        inside = inside && abut_dot(normal, abut_cross(abut_sub(to, from), abut_sub(local, from))) >= 0.0;
        abut_vec3 on_side = abut_lerp(from, to, closest_on_segment(local, from, to));
        double distance = abut_distance_between(on_side, local);
        if (distance < least) {
            least = distance;
            nearest = on_side;
        }
    }
    return inside ? local : nearest;
}

static abut_vec3 onto_face(const convex *body, int32_t face, abut_vec3 point) {
    abut_vec3 normal = body->surface->face[face].normal, local = convex_to_local(body, point);
    local = abut_add_scaled(local, convex_face_offset(body, face) - abut_dot(normal, local), normal);
    return convex_to_pair(body, inside_face(body, face, local));
}

static abut_vec3 onto(const extreme_set *set, abut_vec3 point) {
    if (set->kind == ABUT_FEATURE_VERTEX) {
        return set->end[0];
    }
    if (set->kind == ABUT_FEATURE_EDGE) {
        return abut_lerp(set->end[0], set->end[1], closest_on_segment(point, set->end[0], set->end[1]));
    }
    return set->body->core == CORE_FRUSTUM ? onto_disc(set->body, set->face, point) : onto_face(set->body, set->face, point);
}

static bool is_disc(const extreme_set *set) { return set->kind == ABUT_FEATURE_FACE && set->body->core == CORE_FRUSTUM; }

static abut_vec3 middle_of_disc(const extreme_set *set) {
    return convex_to_pair(set->body, abut_vec3_make(0.0, 0.0, set->body->shape->round.z[set->face]));
}

/* The middle of the part of a line over a face, or the middle of the line. */
static abut_vec3 middle_over_face(const extreme_set *line, const extreme_set *face, abut_vec3 shift) {
    const convex *body = face->body;
    const polytope *surface = body->surface;
    const polytope_corner *loop = &surface->corner[surface->face[face->face].first];
    int32_t count = surface->face[face->face].count;
    abut_vec3 normal = surface->face[face->face].normal;
    abut_vec3 p = convex_to_local(body, abut_add(line->end[0], shift)),
              way = convex_direction_to_local(body, abut_sub(line->end[1], line->end[0]));
    double low = 0.0, high = 1.0;
    for (int32_t i = 0; i < count; ++i) {
        abut_vec3 from = convex_vertex(body, loop[i].vertex), to = convex_vertex(body, loop[i + 1 < count ? i + 1 : 0].vertex);
        abut_vec3 inward = abut_cross(normal, abut_sub(to, from));
        double height = abut_dot(inward, abut_sub(p, from)), slope = abut_dot(inward, way);
        if (slope > 0.0) {
            low = real_max(low, -height / slope);
        } else if (slope < 0.0) {
            high = real_min(high, -height / slope);
        }
    }
    return abut_lerp(line->end[0], line->end[1], low <= high ? 0.5 * (low + high) : real_max(0.0, real_min(1.0, 0.5 * (low + high))));
}

/* The point of a line that faces a smooth body. Where the body is flat its point may move far for a small turn of the direction, so distances are measured by
 * that turn: with the inverse of the radii of curvature. */
static abut_vec3 beside_smooth(const extreme_set *line, const extreme_set *smooth, abut_vec3 direction, abut_vec3 shift) {
    abut_vec3 u, v, point = abut_add(smooth->end[0], shift), along = abut_sub(line->end[1], line->end[0]),
                    from = abut_sub(line->end[0], point);
    smooth_place r;
    abut_tangent_frame(direction, &u, &v);
    stratum s = {.body = smooth->body, .side = smooth->side, .feature = {.kind = ABUT_FEATURE_VERTEX}};
    stratum_place(&s, direction, u, v, &r);
    double lu = abut_dot(along, u), lv = abut_dot(along, v), gu = abut_dot(from, u), gv = abut_dot(from, v);
    /* The inverse, times the determinant, over the larger radius. */
    double most = real_max(r.r11, r.r22), xx = r.r22 / most, xy = -r.r12 / most, yy = r.r11 / most;
    double square = lu * (xx * lu + xy * lv) + lv * (xy * lu + yy * lv), product = lu * (xx * gu + xy * gv) + lv * (xy * gu + yy * gv);
    double t = square > 0.0 ? -product / square : closest_on_segment(point, line->end[0], line->end[1]);
    return abut_lerp(line->end[0], line->end[1], real_max(0.0, real_min(1.0, t)));
}

/* The point of set p that faces q best, q shifted by `shift`; p is no point. */
static abut_vec3 choose(const extreme_set *p, const extreme_set *q, abut_vec3 direction, abut_vec3 shift) {
    if (q->body->core == CORE_SMOOTH && p->kind == ABUT_FEATURE_EDGE) {
        return beside_smooth(p, q, direction, shift);
    }
    if (q->kind == ABUT_FEATURE_VERTEX) {
        return onto(p, abut_add(q->end[0], shift));
    }
    if (is_disc(q)) {
        return onto(p, abut_add(middle_of_disc(q), shift));
    }
    if (p->kind == ABUT_FEATURE_EDGE && q->kind == ABUT_FEATURE_FACE) {
        return middle_over_face(p, q, abut_neg(shift));
    }
    /* A face or a disc p, and a line or a face q. */
    abut_vec3 other = q->kind == ABUT_FEATURE_EDGE && p->body->core != CORE_FRUSTUM ? middle_over_face(q, p, shift)
                      : is_disc(p)                                                  ? onto(q, abut_sub(middle_of_disc(p), shift))
                                                                                    : q->end[0];
    return onto(p, abut_add(other, shift));
}

/* A smooth body whose surface is so flat there that the direction does not determine the point: the point that faces the other body's may be on it, too, or
 * nearly. */
static void face_smooth(const extreme_set *smooth, abut_vec3 facing, abut_vec3 *point, frustum_pair *pair) {
    const double near = 1e-9, rounding = 4e-15; /* of the gauge */
    if (smooth->body->core != CORE_SMOOTH) {
        return;
    }
    abut_vec3 slope;
    double off = fabs(smooth_gauge(smooth->body->shape, convex_to_local(smooth->body, facing), &slope) - 1.0),
           aside = off <= rounding ? 0.0 : off / abut_length(slope);
    if (off <= near && aside < pair->aside) {
        *point = facing;
        pair->aside = aside;
    }
}

/* The side of a frustum that is so flat that the direction says too little about which of its lines faces the other body's point: the point itself says it. */
static void face_side(const extreme_set *side, abut_vec3 facing, abut_vec3 *point, frustum_pair *pair) {
    const double near = 1e-9 * side->body->size;
    bool flat = side->kind == ABUT_FEATURE_EDGE && side->body->core == CORE_FRUSTUM && side->body->shape->round.normal_rho < STRATUM_FLAT;
    if (!flat) {
        return;
    }
    abut_vec3 end[2];
    convex turned = convex_turned_to(side->body, abut_sub(facing, side->body->position));
    feature_edge(&turned, side->face, end);
    abut_vec3 on_line = abut_lerp(end[0], end[1], closest_on_segment(facing, end[0], end[1]));
    double aside = abut_distance_between(on_line, facing);
    if (aside <= near && aside < pair->aside) {
        *point = on_line;
        pair->aside = aside;
    }
}

void facing_find(const stratum *a, const stratum *b, frustum_pair *pair) {
    extreme_set set_a = set_of(a, pair->direction), set_b = set_of(b, pair->direction);
    abut_vec3 shift = abut_scale(pair->height, pair->direction); /* from on_b to on_a */
    pair->feature_a = a->feature;
    pair->feature_b = b->feature;
    if (set_a.kind == ABUT_FEATURE_EDGE && set_b.kind == ABUT_FEATURE_EDGE) {
        double s, t;
        (void)closest_of_segments(set_a.end[0], set_a.end[1], abut_add(set_b.end[0], shift), abut_add(set_b.end[1], shift), &s, &t);
        pair->on_a = abut_lerp(set_a.end[0], set_a.end[1], s);
        pair->on_b = abut_lerp(set_b.end[0], set_b.end[1], t);
    } else if (set_a.kind == ABUT_FEATURE_VERTEX) {
        pair->on_a = set_a.end[0];
        pair->on_b = set_b.kind == ABUT_FEATURE_EDGE && a->body->core == CORE_SMOOTH
                         ? beside_smooth(&set_b, &set_a, pair->direction, abut_neg(shift))
                         : onto(&set_b, abut_sub(pair->on_a, shift));
    } else {
        pair->on_a = choose(&set_a, &set_b, pair->direction, shift);
        pair->on_b = onto(&set_b, abut_sub(pair->on_a, shift));
    }
    pair->aside = abut_distance_between(pair->on_a, abut_add(pair->on_b, shift));
    if (pair->aside > 0.0 && set_a.body->core == CORE_SMOOTH) {
        face_smooth(&set_a, abut_add(pair->on_b, shift), &pair->on_a, pair);
    } else if (pair->aside > 0.0) {
        face_smooth(&set_b, abut_sub(pair->on_a, shift), &pair->on_b, pair);
    }
    face_side(&set_a, abut_add(pair->on_b, shift), &pair->on_a, pair);
    face_side(&set_b, abut_sub(pair->on_a, shift), &pair->on_b, pair);
}
