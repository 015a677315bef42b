#include "narrow/depth.h"

#include "narrow/facet.h"
#include "narrow/feature.h"

/* Concentric bodies: of all face normals the one with the least depth; bodies without faces are symmetric enough for any direction. */
static abut_vec3 direction_of_concentric(const convex *a, const convex *b, abut_vec3 previous) {
    abut_vec3 best = abut_length_squared(previous) > 0.0 ? previous : abut_make_vec3(0, 0, -1);
    double least = abut_length_squared(previous) > 0.0 ? gauge_support(a, b, best) * (1.0 - 1e-6) : INFINITY;
    const convex *body[2] = {a, b};
    for (int k = 0; k < 2; ++k) {
        int32_t faces = body[k]->core == CORE_POLYTOPE ? body[k]->surface->face_count : 0;
        for (int32_t f = 0; f < faces; ++f) {
            abut_vec3 outward = feature_face_normal(body[k], f);
            abut_vec3 direction = k == 0 ? outward : abut_neg(outward);
            /* The body's own extent is the face's offset; only the other one's takes a search. */
            double own = body[k]->surface->offsets[f] + abut_dot(outward, body[k]->position);
            double depth = own + convex_extent(body[1 - k], abut_neg(outward)) + a->radius + b->radius;
            if (depth < least * (1.0 - 1e-9)) {
                least = depth;
                best = direction;
            }
        }
    }
    return best;
}

/* The normal with this direction; its witness are two vertices that are extreme along it. */
static contact_normal normal_along(const convex *a, const convex *b, abut_vec3 direction) {
    contact_normal normal = {.direction = direction};
    int32_t va = convex_support(a, direction, &normal.on_a), vb = convex_support(b, abut_neg(direction), &normal.on_b);
    normal.feature_a = feature_of_vertices(a, &va, 1);
    normal.feature_b = feature_of_vertices(b, &vb, 1);
    normal.gap = -gauge_support(a, b, direction);
    return normal;
}

contact_normal depth_of_faces(const convex *a, const convex *b, abut_vec3 previous) {
    contact_normal normal = normal_along(a, b, direction_of_concentric(a, b, previous));
    normal.chosen = true;
    return normal;
}

/*
 * The ray from the origin of A - B along the present direction leaves through a facet that lies no farther from the origin than the plane
 * that the ray was normal to. Returns true when that facet is another one, and less deep.
 */
static bool descend_along_ray(const convex *a, const convex *b, abut_vec3 previous, contact_normal *normal) {
    double depth = -normal->gap;
    ray_cast cast = {a, b, {0, 0, 0}, normal->direction};
    gauge g = gauge_solve(a, b, cast.origin, cast.ray, 1e-3 * depth);
    if (!g.converged) {
        return false; /* touching within rounding: the normal stands */
    }
    contact_normal next = facet_normal(&cast, &g, previous, TIE_LEAST_DEPTH);
    bool less = -next.gap < depth * (1.0 - 1e-9);
    if (less) {
        *normal = next;
    } else if (-next.gap <= depth * (1.0 + 1e-9)) {
        next.direction = normal->direction; /* the same facet: its features and witness are better known now */
        next.gap = normal->gap;
        next.chosen = next.chosen || normal->chosen;
        *normal = next;
    }
    return less;
}

/* Faces around the feature of one body: the nearest places where a facet that a ray cannot find may be less deep. Vertices of many faces
 * are left out, for time. */
static bool descend_to_faces(const convex *a, const convex *b, const convex *body, abut_feature feature, contact_normal *normal) {
    enum { MOST_FACES = 12 };
    int32_t count = feature.kind == ABUT_FEATURE_EDGE || feature.kind == ABUT_FEATURE_VERTEX ? feature_cell_size(body, feature) : 0;
    if (count == 0 || count > MOST_FACES) {
        return false;
    }
    abut_vec3 corners[MOST_FACES];
    gauss_cell cell = {.corners = corners, .capacity = MOST_FACES};
    feature_cell(body, feature, &cell);
    bool less = false;
    for (int32_t i = 0; i < count; ++i) {
        abut_vec3 direction = body == a ? corners[i] : abut_neg(corners[i]);
        double gap = -gauge_support(a, b, direction);
        if (gap > normal->gap * (1.0 - 1e-9)) {
            *normal = normal_along(a, b, direction);
            less = true;
        }
    }
    return less;
}

void depth_refine(const convex *a, const convex *b, abut_vec3 previous, contact_normal *normal) {
    enum { MOST_STEPS = 32 };
    for (int i = 0; i < MOST_STEPS; ++i) {
        if (descend_along_ray(a, b, previous, normal)) {
            continue;
        }
        abut_feature feature_a = normal->feature_a, feature_b = normal->feature_b;
        bool on_a = descend_to_faces(a, b, a, feature_a, normal), on_b = descend_to_faces(a, b, b, feature_b, normal);
        if (!on_a && !on_b) {
            return;
        }
    }
}

typedef struct least_facet {
    double depth;
    double second; /* of the best direction that is clearly another one */
    abut_vec3 direction;
} least_facet;

static void offer_direction(const convex *a, const convex *b, abut_vec3 direction, abut_vec3 previous, least_facet *least) {
    double depth = gauge_support(a, b, direction);
    double tie = 1e-9 * (a->size + b->size);
    bool replaces = depth < least->depth - tie ||
                    (depth <= least->depth + tie && abut_dot(previous, direction) > abut_dot(previous, least->direction));
    if (replaces) {
        least->second = least->depth;
        least->depth = depth;
        least->direction = direction;
    } else {
        least->second = fmin(least->second, depth);
    }
}

static void offer_faces(const convex *a, const convex *b, const convex *faced, double sign, abut_vec3 previous, least_facet *least) {
    for (int32_t f = 0; f < faced->surface->face_count; ++f) {
        offer_direction(a, b, abut_scale(sign, feature_face_normal(faced, f)), previous, least);
    }
}

/* The facets that an edge of a polytope makes with a segment: cross products. Those that are no facets do no harm, they are deeper. */
static void offer_edges(const convex *a, const convex *b, const convex *faced, const convex *segment, double sign, abut_vec3 previous,
                        least_facet *least) {
    abut_vec3 end[2];
    feature_edge(segment, 0, end);
    abut_vec3 along = abut_unit(abut_sub(end[1], end[0]));
    for (int32_t e = 0; e < faced->surface->edge_count; ++e) {
        abut_vec3 p[2];
        feature_edge(faced, e, p);
        abut_vec3 across = abut_cross(abut_unit(abut_sub(p[1], p[0])), along);
        if (abut_length(across) <= 1e-6) {
            continue; /* parallel: the adjacent faces do */
        }
        const polytope_edge *edge = &faced->surface->edges[e];
        abut_vec3 outward = abut_add(feature_face_normal(faced, edge->face[0]), feature_face_normal(faced, edge->face[1]));
        abut_vec3 normal = abut_unit(abut_dot(across, outward) < 0.0 ? abut_neg(across) : across);
        offer_direction(a, b, abut_scale(sign, normal), previous, least);
    }
}

contact_normal depth_of_sunk_core(const convex *a, const convex *b, abut_vec3 previous) {
    least_facet least = {.depth = INFINITY, .second = INFINITY};
    bool a_faced = a->core == CORE_POLYTOPE;
    const convex *faced = a_faced ? a : b, *round = a_faced ? b : a;
    double sign = a_faced ? 1.0 : -1.0;
    offer_faces(a, b, faced, sign, previous, &least);
    if (round->core == CORE_SEGMENT) {
        offer_edges(a, b, faced, round, sign, previous, &least);
    }
    contact_normal normal = normal_along(a, b, least.direction);
    normal.chosen = least.second <= least.depth + 1e-9 * (a->size + b->size);
    return normal;
}

/* ---- boxes ---- */

/* Boxes are symmetric about their centres, so of an axis' two senses the one from A to B is less deep. */
static void offer_axis(const convex *a, const convex *b, abut_vec3 axis, contact_normal *normal) {
    double length = abut_length(axis);
    if (length <= 1e-6) {
        return; /* parallel edges: the faces do */
    }
    abut_vec3 direction = abut_scale(1.0 / length, axis);
    if (abut_dot(direction, abut_sub(b->position, a->position)) < 0.0) {
        direction = abut_neg(direction);
    }
    double gap = -gauge_support(a, b, direction);
    if (gap > normal->gap * (1.0 - 1e-6)) {
        normal->gap = gap;
        normal->direction = direction;
    }
}

void depth_of_boxes(const convex *a, const convex *b, contact_normal *normal) {
    const abut_vec3 axes_a[3] = {a->rotation.x, a->rotation.y, a->rotation.z}, axes_b[3] = {b->rotation.x, b->rotation.y, b->rotation.z};
    for (int i = 0; i < 3; ++i) {
        offer_axis(a, b, axes_a[i], normal);
        offer_axis(a, b, axes_b[i], normal);
    }
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            offer_axis(a, b, abut_cross(axes_a[i], axes_b[k]), normal);
        }
    }
}
