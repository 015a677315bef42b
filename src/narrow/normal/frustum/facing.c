/* Points of two features that face each other: see facing.h. */
#include "narrow/normal/frustum/facing.h"

#include "base/real.h"
#include "geom/closest.h"
#include "narrow/normal/feature.h"

/* The points of a feature that are extreme along a direction: a point, a line, or a face. */
typedef struct extreme_set {
    const convex *body;
    abut_feature_kind kind;
    int32_t face;
    abut_vec3 end[2]; /* of a line; twice the point */
} extreme_set;

static extreme_set set_of(const stratum *s, abut_vec3 direction) {
    extreme_set set = {.body = s->body, .kind = s->feature.kind, .face = s->feature.index};
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

/* The closest point of a face of a polytope: its foot on the plane, moved inside over the side that it is farthest beyond, a few times. */
static abut_vec3 onto_face(const convex *body, int32_t face, abut_vec3 point) {
    enum { MOST_SIDES = 4 };
    const polytope *surface = body->surface;
    const polytope_corner *loop = &surface->corner[surface->face[face].first];
    int32_t count = surface->face[face].count;
    abut_vec3 normal = surface->face[face].normal, local = convex_to_local(body, point);
    local = abut_add_scaled(local, convex_face_offset(body, face) - abut_dot(normal, local), normal);
    for (int i = 0; i < MOST_SIDES; ++i) {
        double farthest = 0.0;
        abut_vec3 nearest = local;
        for (int32_t k = 0; k < count; ++k) {
            abut_vec3 from = convex_vertex(body, loop[k].vertex), to = convex_vertex(body, loop[k + 1 < count ? k + 1 : 0].vertex);
            abut_vec3 side = abut_sub(to, from);
            double beyond = -abut_dot(normal, abut_cross(side, abut_sub(local, from))) / abut_length(side);
            if (beyond > farthest) {
                farthest = beyond;
                nearest = abut_lerp(from, to, closest_on_segment(local, from, to));
            }
        }
        if (farthest <= 0.0) {
            break;
        }
        local = nearest;
    }
    return convex_to_pair(body, local);
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

/* From one feature to the other and back, until the points face each other. */
static void alternate(const extreme_set *a, const extreme_set *b, frustum_pair *pair) {
    enum { MOST_ROUNDS = 12 };
    const abut_vec3 shift = abut_scale(pair->height, pair->direction); /* from on_b to on_a */
    pair->aside = INFINITY;
    for (int i = 0; i < MOST_ROUNDS; ++i) {
        abut_vec3 on_b = onto(b, abut_sub(pair->on_a, shift)), facing = abut_add(on_b, shift), on_a = onto(a, facing);
        double aside = abut_distance_between(on_a, facing);
        bool nearer = aside < 0.5 * pair->aside;
        if (aside < pair->aside) {
            pair->on_a = on_a;
            pair->on_b = on_b;
            pair->aside = aside;
        }
        if (!nearer || aside == 0.0) {
            return;
        }
        pair->on_a = abut_lerp(on_a, facing, 0.5);
        pair->on_a = onto(a, pair->on_a);
    }
}

void facing_find(const stratum *a, const stratum *b, frustum_pair *pair) {
    extreme_set set_a = set_of(a, pair->direction), set_b = set_of(b, pair->direction);
    pair->feature_a = a->feature;
    pair->feature_b = b->feature;
    if (set_a.kind == ABUT_FEATURE_EDGE && set_b.kind == ABUT_FEATURE_EDGE) {
        double s, t;
        abut_vec3 shift = abut_scale(pair->height, pair->direction);
        (void)closest_of_segments(set_a.end[0], set_a.end[1], abut_add(set_b.end[0], shift), abut_add(set_b.end[1], shift), &s, &t);
        pair->on_a = abut_lerp(set_a.end[0], set_a.end[1], s);
        pair->on_b = abut_lerp(set_b.end[0], set_b.end[1], t);
        pair->aside = abut_distance_between(pair->on_a, abut_add(pair->on_b, shift));
        return;
    }
    pair->on_a = onto(&set_a, pair->on_a);
    alternate(&set_a, &set_b, pair);
}
