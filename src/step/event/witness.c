/* Separating planes between two parts, as witnesses: see witness.h. */
#include "step/event/witness.h"

#include "base/real.h"
#include "narrow/curved/curved.h"
#include "shape/shape.h"
#include "step/event/curved.h"

/* The part's support along a direction; world frame. Of a smooth body that is not convex it is an upper bound by its triangles, if it need not be exact. */
static double reach_along(const event_part *part, const event_place *place, abut_vec3 direction, bool exact) {
    abut_vec3 local = abut_mat3_apply_transposed(place->rotation, direction), point;
    if (part->shape->kind == ABUT_SHAPE_PLANE) {
        bool away = abut_dot(local, part->shape->normal) > 1.0 - 1e-15;
        return away ? part->shape->offset + abut_dot(direction, place->position) : INFINITY;
    }
    if (exact && curved_error(part->shape) > 0.0) {
        return event_curved_reach(part->shape, local) + abut_dot(direction, place->position);
    }
    abut_shape_support(curved_stand_in(part->shape), local, &point, NULL);
    return abut_dot(local, point) + curved_error(part->shape) + abut_dot(direction, place->position);
}

/* The unit normal in the world frame, from B to A; zero for none. */
static abut_vec3 direction_of(const event_witness *w, const event_place *const place[2]) {
    switch (w->kind) {
    case EVENT_PLANE_OF_A:
        return abut_mat3_apply(place[0]->rotation, w->direction);
    case EVENT_PLANE_OF_B:
        return abut_mat3_apply(place[1]->rotation, w->direction);
    case EVENT_PLANE_OF_EDGES: {
        abut_vec3 across = abut_cross(abut_mat3_apply(place[0]->rotation, w->direction), abut_mat3_apply(place[1]->rotation, w->other));
        return abut_length_squared(across) > 1e-12 ? abut_unit(across) : abut_vec3_make(0.0, 0.0, 0.0);
    }
    default:
        return w->direction;
    }
}

double event_witness_gap(const event_witness *witness, const event_part *const part[2], const event_place *const place[2]) {
    abut_vec3 n = direction_of(witness, place);
    if (abut_length_squared(n) == 0.0) {
        return -INFINITY;
    }
    double gap = -reach_along(part[0], place[0], abut_neg(n), false) - reach_along(part[1], place[1], n, false);
    const double beyond = 2.0;
    if (fabs(gap) <= beyond * (curved_error(part[0]->shape) + curved_error(part[1]->shape))) {
        gap = -reach_along(part[0], place[0], abut_neg(n), true) - reach_along(part[1], place[1], n, true);
    }
    return gap;
}

/* ---- choice ---- */

typedef struct choice {
    const event_part *const *part;
    const event_place *const *begin, *const *end;
    event_witness best;
    double gap;
} choice;

static void consider(choice *c, event_witness witness) {
    double gap = real_min(event_witness_gap(&witness, c->part, c->begin), event_witness_gap(&witness, c->part, c->end));
    if (gap > c->gap) {
        c->gap = gap;
        c->best = witness;
    }
}

enum { MOST_AROUND = 8 };

static bool has_faces(const abut_shape *shape) { return shape->kind == ABUT_SHAPE_BOX || shape->kind == ABUT_SHAPE_POLYTOPE; }

/* The faces at a feature, at most MOST_AROUND of them. */
static int faces_at(const polytope *s, abut_feature f, int32_t *face) {
    int count = 0;
    if (f.kind == ABUT_FEATURE_FACE) {
        face[count++] = f.index;
    } else if (f.kind == ABUT_FEATURE_EDGE) {
        face[count++] = s->edges[f.index].face[0];
        face[count++] = s->edges[f.index].face[1];
    } else if (f.kind == ABUT_FEATURE_VERTEX) {
        for (int32_t i = s->vertex_first[f.index]; i < s->vertex_first[f.index + 1] && count < MOST_AROUND; ++i) {
            face[count++] = s->vertex_faces[i];
        }
    }
    return count;
}

static int edges_at(const polytope *s, abut_feature f, abut_vec3 *along) {
    int count = 0;
    int32_t edge[MOST_AROUND];
    if (f.kind == ABUT_FEATURE_EDGE) {
        edge[count++] = f.index;
    } else if (f.kind == ABUT_FEATURE_VERTEX) {
        for (int32_t i = s->vertex_first[f.index]; i < s->vertex_first[f.index + 1] && count < MOST_AROUND; ++i) {
            edge[count++] = s->vertex_edges[i];
        }
    }
    for (int i = 0; i < count; ++i) {
        const polytope_edge *e = &s->edges[edge[i]];
        along[i] = abut_unit(abut_sub(s->vertices[e->vertex[1]], s->vertices[e->vertex[0]]));
    }
    return count;
}

static void consider_faces(choice *c, int side, abut_feature feature) {
    const abut_shape *shape = c->part[side]->shape;
    if (shape->kind == ABUT_SHAPE_PLANE) {
        consider(c, (event_witness){side == 0 ? EVENT_PLANE_OF_A : EVENT_PLANE_OF_B,
                                    side == 0 ? abut_neg(shape->normal) : shape->normal,
                                    {0.0, 0.0, 0.0}});
    }
    if (!has_faces(shape)) {
        return;
    }
    int32_t face[MOST_AROUND];
    int count = faces_at(&shape->surface, feature, face);
    for (int i = 0; i < count; ++i) {
        abut_vec3 normal = shape->surface.normals[face[i]];
        consider(c,
                 (event_witness){side == 0 ? EVENT_PLANE_OF_A : EVENT_PLANE_OF_B, side == 0 ? abut_neg(normal) : normal, {0.0, 0.0, 0.0}});
    }
}

static void consider_edges(choice *c, const abut_separation *found) {
    if (!has_faces(c->part[0]->shape) || !has_faces(c->part[1]->shape)) {
        return;
    }
    abut_vec3 of_a[MOST_AROUND], of_b[MOST_AROUND];
    int count_a = edges_at(&c->part[0]->shape->surface, found->feature_a, of_a),
        count_b = edges_at(&c->part[1]->shape->surface, found->feature_b, of_b);
    for (int i = 0; i < count_a; ++i) {
        for (int k = 0; k < count_b; ++k) {
            abut_vec3 u = abut_mat3_apply(c->end[0]->rotation, of_a[i]), v = abut_mat3_apply(c->end[1]->rotation, of_b[k]);
            bool turned = abut_dot(abut_cross(u, v), found->normal) < 0.0;
            consider(c, (event_witness){EVENT_PLANE_OF_EDGES, turned ? abut_neg(of_a[i]) : of_a[i], of_b[k]});
        }
    }
}

event_witness event_witness_choose(const abut_separation *found, const event_part *const part[2], const event_place *const begin[2],
                                   const event_place *const end[2]) {
    choice c = {.part = part, .begin = begin, .end = end, .best = {EVENT_PLANE_IN_WORLD, found->normal, {0.0, 0.0, 0.0}}, .gap = -INFINITY};
    consider_faces(&c, 0, found->feature_a);
    consider_faces(&c, 1, found->feature_b);
    consider_edges(&c, found);
    consider(&c, (event_witness){EVENT_PLANE_IN_WORLD, found->normal, {0.0, 0.0, 0.0}});
    consider(&c, (event_witness){EVENT_PLANE_OF_A, abut_mat3_apply_transposed(end[0]->rotation, found->normal), {0.0, 0.0, 0.0}});
    consider(&c, (event_witness){EVENT_PLANE_OF_B, abut_mat3_apply_transposed(end[1]->rotation, found->normal), {0.0, 0.0, 0.0}});
    return c.best;
}
