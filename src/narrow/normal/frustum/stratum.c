/* Features and their normals: see stratum.h. */
#include "narrow/normal/frustum/stratum.h"

#include "base/elementary.h"
#include "base/real.h"
#include "narrow/normal/feature.h"

static abut_vec3 axis_of(const convex *body) { return convex_direction_to_pair(body, abut_vec3_make(0.0, 0.0, 1.0)); }

stratum stratum_of(const convex *body, double side, abut_feature feature) {
    stratum s = {.body = body, .side = side, .feature = feature};
    if (feature.kind == ABUT_FEATURE_FACE) {
        s.fixed = 2;
        s.axis = abut_scale(side, feature_face_normal(body, feature.index));
    } else if (feature.kind == ABUT_FEATURE_EDGE && body->core == CORE_FRUSTUM) {
        s.fixed = 1;
        s.axis = abut_scale(side, axis_of(body));
        s.along = body->shape->round.normal_z;
    } else if (feature.kind == ABUT_FEATURE_EDGE) {
        abut_vec3 end[2];
        feature_edge(body, feature.index, end);
        s.fixed = 1;
        s.axis = abut_unit(abut_sub(end[1], end[0]));
    }
    return s;
}

/* A circle of radius r about the z axis: its support function is r sqrt(x^2 + y^2), bent only across the meridian. */
static void place_on_rim(const stratum *s, int32_t end, abut_vec3 direction, abut_vec3 u, abut_vec3 v, smooth_place *place) {
    const convex *body = s->body;
    const frustum *f = &body->shape->round;
    abut_vec3 n = abut_scale(s->side, convex_direction_to_local(body, direction));
    double rho = frustum_rho(n.x, n.y), r = f->radius[end], c = rho > 0.0 ? n.x / rho : 1.0, t = rho > 0.0 ? n.y / rho : 0.0;
    abut_vec3 across = convex_direction_to_pair(body, abut_vec3_make(-t, c, 0.0));
    double along_u = abut_dot(across, u), along_v = abut_dot(across, v), bend = r > 0.0 ? r / real_max(rho, 1e-300) : 0.0;
    place->point = convex_to_pair(body, abut_vec3_make(r * c, r * t, f->z[end]));
    place->r11 = bend * along_u * along_u;
    place->r12 = bend * along_u * along_v;
    place->r22 = bend * along_v * along_v;
}

void stratum_place(const stratum *s, abut_vec3 direction, abut_vec3 u, abut_vec3 v, smooth_place *place) {
    const convex *body = s->body;
    if (body->core == CORE_SMOOTH) {
        convex_place_find(body, abut_scale(s->side, direction), u, v, place);
    } else if (body->core == CORE_FRUSTUM) {
        place_on_rim(s, s->feature.kind == ABUT_FEATURE_VERTEX || s->feature.kind == ABUT_FEATURE_FACE ? s->feature.index : 0, direction, u,
                     v, place);
    } else {
        int32_t vertex = s->feature.kind == ABUT_FEATURE_VERTEX ? s->feature.index : 0;
        if (body->core == CORE_POLYTOPE && s->feature.kind == ABUT_FEATURE_EDGE) {
            vertex = body->surface->edges[s->feature.index].vertex[0];
        } else if (body->core == CORE_POLYTOPE && s->feature.kind == ABUT_FEATURE_FACE) {
            vertex = body->surface->corner[body->surface->face[s->feature.index].first].vertex;
        }
        *place = (smooth_place){.point = convex_to_pair(body, convex_vertex(body, vertex))};
    }
}

/* ---- Newton's method ---- */

enum { MOST_STEPS = 60 };
#define LONGEST 0.5 /* step [rad] */
#define LAST 1e-9   /* after a step as short as this the next one is the last */
#define SHORTEST 1e-15

/* Newton's method converges from steps that are short against the angle over which the radii of curvature change. Next to the axis of a rim that is the angle
 * to the axis. */
static double last_step(const stratum *a, const stratum *b, abut_vec3 direction) {
    double angle = 1.0;
    for (int i = 0; i < 2; ++i) {
        const stratum *s = i == 0 ? a : b;
        if (s->body->core == CORE_FRUSTUM && s->feature.kind == ABUT_FEATURE_VERTEX) {
            abut_vec3 local = convex_direction_to_local(s->body, direction);
            angle = real_min(angle, frustum_rho(local.x, local.y));
        }
    }
    return real_max(SHORTEST, LAST * angle);
}

/* In a region: two unknowns. */
static bool settle_region(const stratum *a, const stratum *b, abut_vec3 *direction) {
    abut_vec3 d = *direction, u, v;
    bool last = false;
    for (int i = 0; i < MOST_STEPS; ++i) {
        smooth_place p, q;
        abut_tangent_frame(d, &u, &v);
        stratum_place(a, d, u, v, &p);
        stratum_place(b, d, u, v, &q);
        abut_vec3 w = abut_sub(p.point, q.point);
        double height = abut_dot(d, w), su = abut_dot(u, w), sv = abut_dot(v, w);
        double xx = p.r11 + q.r11 - height, xy = p.r12 + q.r12, yy = p.r22 + q.r22 - height;
        bool first = xx >= yy;
        double big = first ? xx : yy, small = first ? yy : xx, along = first ? su : sv, across = first ? sv : su;
        double f = xy / big, rest = small - f * xy;
        if (!(big > 0.0) || !(rest > 0.0)) {
            return false;
        }
        double y = -(across - f * along) / rest, x = -(along + xy * y) / big, length = sqrt(x * x + y * y);
        double cut = length > LONGEST ? LONGEST / length : 1.0;
        d = abut_unit(abut_add_scaled(abut_add_scaled(d, cut * (first ? x : y), u), cut * (first ? y : x), v));
        if (last || length == 0.0) {
            *direction = d;
            return true;
        }
        last = length <= LAST && length <= last_step(a, b, d);
    }
    return false;
}

/* Of the circle of normals of an edge or a side. */
static double radius_of(const stratum *s) { return s->body->core == CORE_FRUSTUM ? s->body->shape->round.normal_rho : 1.0; }

/* On a circle: one unknown, the angle about its axis. */
static bool settle_circle(const stratum *on, const stratum *a, const stratum *b, abut_vec3 *direction) {
    const bool side = on->body->core == CORE_FRUSTUM;
    const double radius = radius_of(on);
    abut_vec3 out, d;
    const double rounding = 1e-16 * (a->body->size + b->body->size);
    double low = -INFINITY, high = INFINITY, at = 0.0; /* angles between which the slope changes its sign */
    bool last = false;
    if (!stratum_across(*direction, on->axis, radius * STRATUM_SMALL, &out)) {
        return false;
    }
    for (int i = 0; i < MOST_STEPS; ++i) {
        out = abut_unit(abut_add_scaled(out, -abut_dot(out, on->axis), on->axis));
        d = side ? abut_add(abut_scale(on->along, on->axis), abut_scale(radius, out)) : out;
        if (last) {
            *direction = abut_unit(d);
            return true;
        }
        abut_vec3 across = abut_cross(on->axis, out), inward = abut_cross(d, across);
        smooth_place p, q;
        stratum_place(a, d, across, inward, &p);
        stratum_place(b, d, across, inward, &q);
        abut_vec3 w = abut_sub(p.point, q.point);
        double slope = abut_dot(w, across), bend = radius * (p.r11 + q.r11) - abut_dot(w, out);
        double step = bend > 0.0 ? -slope / bend : slope > 0.0 ? -LONGEST : LONGEST;
        low = slope <= 0.0 ? real_max(low, at) : low;
        high = slope >= 0.0 ? real_min(high, at) : high;
        step = real_max(-LONGEST, real_min(LONGEST, step));
        if (at + step < low || at + step > high) {
            step = 0.5 * (low + high) - at; /* where the surface is flat Newton's steps may grow */
        }
        at += step;
        last = (bend > 0.0 && fabs(step) <= LAST && fabs(step) <= last_step(a, b, d)) || fabs(slope) <= rounding;
        out = abut_add_scaled(out, elementary_sin(step) / elementary_cos(step), across);
    }
    return false;
}

/* ---- where two circles cross ---- */

/* q->along - p->along cosine, where sine and cosine are of the angle between both axes. Differences of cosines lose the digits of small angles. */
static double height_over(const stratum *p, const stratum *q, double sine, double cosine) {
    double part = p->along * cosine;
    if (!(part * q->along > 0.0)) {
        return q->along - part;
    }
    double rp = radius_of(p), rq = radius_of(q), below = rp * rp / (1.0 + fabs(p->along)), other = rq * rq / (1.0 + fabs(q->along));
    return copysign(below + fabs(p->along) * (sine * sine / (1.0 + fabs(cosine))) - other, q->along);
}

/* On the circle of p, about an axis to which it is close. */
static int cross_flat(const stratum *p, const stratum *q, abut_vec3 third, double cosine, abut_vec3 direction[2]) {
    double sine = abut_length(third), radius = radius_of(p), rounding = 1e-9 + 1e-15 / (radius * sine);
    double x = height_over(p, q, sine, cosine) / (radius * sine), square = 1.0 - x * x;
    if (square < -rounding) {
        return 0;
    }
    double y = sqrt(real_max(square, 0.0));
    x = real_max(-1.0, real_min(1.0, x));
    abut_vec3 towards = abut_scale(1.0 / sine, abut_add_scaled(q->axis, -cosine, p->axis)), across = abut_scale(1.0 / sine, third);
    abut_vec3 middle = abut_add(abut_scale(p->along, p->axis), abut_scale(radius * x, towards));
    direction[0] = abut_unit(abut_add_scaled(middle, radius * y, across));
    direction[1] = abut_unit(abut_add_scaled(middle, -radius * y, across));
    return 2;
}

int stratum_cross(const stratum *a, const stratum *b, abut_vec3 direction[2]) {
    const double parallel = 1e-12;
    abut_vec3 third = abut_cross(a->axis, b->axis);
    double det = abut_length_squared(third), g = abut_dot(a->axis, b->axis);
    if (det <= parallel * parallel) {
        return 0;
    }
    if (real_min(radius_of(a), radius_of(b)) < STRATUM_FLAT) {
        return radius_of(a) <= radius_of(b) ? cross_flat(a, b, third, g, direction) : cross_flat(b, a, third, g, direction);
    }
    double x = (a->along - g * b->along) / det, y = (b->along - g * a->along) / det;
    double square = 1.0 - (x * a->along + y * b->along);
    if (square < -1e-9) {
        return 0;
    }
    abut_vec3 middle = abut_add(abut_scale(x, a->axis), abut_scale(y, b->axis));
    double reach = sqrt(real_max(square, 0.0) / det);
    direction[0] = abut_unit(abut_add_scaled(middle, reach, third));
    direction[1] = abut_unit(abut_add_scaled(middle, -reach, third));
    return 2;
}

/* Where both have one condition: the crossing that is nearer. */
static bool settle_crossing(const stratum *a, const stratum *b, abut_vec3 *direction) {
    abut_vec3 found[2];
    if (stratum_cross(a, b, found) == 0) {
        return false;
    }
    *direction = abut_distance_between(found[0], *direction) <= abut_distance_between(found[1], *direction) ? found[0] : found[1];
    return true;
}

bool stratum_settle(const stratum *a, const stratum *b, abut_vec3 *direction) {
    if (a->fixed == 2 || b->fixed == 2) {
        *direction = a->fixed == 2 ? a->axis : b->axis;
        return true;
    }
    if (a->fixed == 1 && b->fixed == 1) {
        return settle_crossing(a, b, direction) || settle_circle(a, a, b, direction); /* circles with one axis */
    }
    if (a->fixed == 1 || b->fixed == 1) {
        return settle_circle(a->fixed == 1 ? a : b, a, b, direction);
    }
    return settle_region(a, b, direction);
}

/* ---- the features near a direction ---- */

static bool add(const convex *body, double side, abut_feature_kind kind, int32_t index, stratum *list, int *count, int room) {
    bool fits = *count < room;
    if (fits) {
        list[(*count)++] = stratum_of(body, side, (abut_feature){.kind = kind, .index = index});
    }
    return fits;
}

static int list_of_frustum(const convex *body, double side, abut_vec3 local, double sine, stratum *list, int room) {
    const frustum *f = &body->shape->round;
    double rho = frustum_rho(local.x, local.y);
    int32_t end = frustum_farther_end(f, rho, local.z);
    int count = 0;
    double over_side = fabs(local.z * f->normal_rho - rho * f->normal_z);
    bool by_side = over_side <= sine && rho * f->normal_rho + local.z * f->normal_z > 0.0;
    if (rho <= sine && f->radius[local.z > 0.0] > 0.0) {
        add(body, side, ABUT_FEATURE_FACE, local.z > 0.0, list, &count, room);
    }
    if (by_side) {
        add(body, side, ABUT_FEATURE_EDGE, 0, list, &count, room);
    }
    add(body, side, ABUT_FEATURE_VERTEX, end, list, &count, room);
    if (by_side) {
        add(body, side, ABUT_FEATURE_VERTEX, 1 - end, list, &count, room);
    }
    return count;
}

static bool is_listed(const stratum *list, int count, int32_t edge) {
    bool listed = false;
    for (int i = 0; i < count && !listed; ++i) {
        listed = list[i].feature.kind == ABUT_FEATURE_EDGE && list[i].feature.index == edge;
    }
    return listed;
}

/* The other edges of a face that is next to the direction: the local minimum may be at any of them. */
static void add_sides(const convex *body, double side, int32_t face, stratum *list, int *count, int room) {
    const polytope *surface = body->surface;
    for (int32_t i = surface->face_first[face]; i < surface->face_first[face + 1] && *count < room; ++i) {
        if (!is_listed(list, *count, surface->face_edges[i])) {
            add(body, side, ABUT_FEATURE_EDGE, surface->face_edges[i], list, count, room);
        }
    }
}

/* Faces, edges and vertices about the support vertex, and about its neighbours across an edge that is nearly as high; then the other edges of the face. */
static int list_of_polytope(const convex *body, double side, abut_vec3 local, double sine, stratum *list, int room) {
    const polytope *surface = body->surface;
    int32_t vertex = convex_local_support(body, local);
    int32_t first = surface->vertex_first[vertex], last = surface->vertex_first[vertex + 1];
    int count = 0;
    for (int32_t i = first; i < last; ++i) {
        int32_t face = surface->vertex_faces[i];
        abut_vec3 n = surface->face[face].normal;
        if (abut_dot(n, local) > 0.0 && abut_length_squared(abut_cross(n, local)) <= sine * sine) {
            add(body, side, ABUT_FEATURE_FACE, face, list, &count, room);
        }
    }
    abut_vec3 at = convex_vertex(body, vertex);
    int32_t beyond[8], others = 0;
    for (int32_t i = first; i < last; ++i) {
        int32_t edge = surface->vertex_edges[i];
        const polytope_edge *e = &surface->edges[edge];
        int32_t far = e->vertex[0] == vertex ? e->vertex[1] : e->vertex[0];
        abut_vec3 along = abut_unit(abut_sub(convex_vertex(body, far), at));
        if (fabs(abut_dot(along, local)) <= sine) {
            add(body, side, ABUT_FEATURE_EDGE, edge, list, &count, room);
            if (others < 8) {
                beyond[others++] = far;
            }
        }
    }
    add(body, side, ABUT_FEATURE_VERTEX, vertex, list, &count, room);
    for (int32_t i = 0; i < others; ++i) {
        add(body, side, ABUT_FEATURE_VERTEX, beyond[i], list, &count, room);
    }
    if (list[0].feature.kind == ABUT_FEATURE_FACE) {
        add_sides(body, side, list[0].feature.index, list, &count, room);
    }
    return count;
}

int stratum_list(const convex *body, double side, abut_vec3 direction, double sine, stratum *list, int room) {
    abut_vec3 local = convex_direction_to_local(body, abut_scale(side, direction));
    int count = 0;
    if (body->core == CORE_FRUSTUM) {
        return list_of_frustum(body, side, local, sine, list, room);
    }
    if (body->core == CORE_POLYTOPE) {
        return list_of_polytope(body, side, local, sine, list, room);
    }
    if (body->core == CORE_SEGMENT && fabs(local.z) <= sine) {
        add(body, side, ABUT_FEATURE_EDGE, 0, list, &count, room);
        add(body, side, ABUT_FEATURE_VERTEX, local.z <= 0.0, list, &count, room);
    }
    add(body, side, ABUT_FEATURE_VERTEX, body->core == CORE_SEGMENT && local.z > 0.0, list, &count, room);
    return count;
}
