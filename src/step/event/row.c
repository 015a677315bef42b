/* Contacts as pairs of features fixed in their bodies: normal, points, gap and their derivatives at any time. See row.h. World frame;
 * normals point from B into A. */
#include "step/event/row.h"

#include "base/real.h"
#include "narrow/query/rates.h"
#include "shape/shape.h"
#include "step/event/curved.h"
#include "step/event/follow.h"
#include "step/event/mesh_side.h"

#define PARALLEL 1e-6 /* sine below which two lines count as parallel */

static abut_vec3 to_world(const event_place *place, abut_vec3 point) {
    return abut_add(abut_mat3_apply(place->rotation, point), place->position);
}

static abut_vec3 to_part(const event_place *place, abut_vec3 point) {
    return abut_mat3_apply_transposed(place->rotation, abut_sub(point, place->position));
}

/* ---- the features of a contact ---- */

static event_side side_of_polytope(const abut_shape *shape, abut_feature feature) {
    const polytope *s = &shape->surface;
    event_side side = {.kind = EVENT_POINT, .shape = shape, .feature = feature};
    if (feature.kind == ABUT_FEATURE_FACE) {
        side.kind = EVENT_FACE;
        side.direction = s->normals[feature.index];
        side.point = s->vertices[s->face_vertices[s->face_first[feature.index]]];
    } else if (feature.kind == ABUT_FEATURE_EDGE) {
        const polytope_edge *edge = &s->edges[feature.index];
        abut_vec3 along = abut_sub(s->vertices[edge->vertex[1]], s->vertices[edge->vertex[0]]);
        side.kind = EVENT_LINE;
        side.point = s->vertices[edge->vertex[0]];
        side.length = abut_length(along);
        side.direction = abut_unit(along);
    } else {
        side.point = s->vertices[feature.index];
    }
    return side;
}

static event_side side_of_capsule(const abut_shape *shape, abut_feature feature) {
    event_side side = {.kind = EVENT_POINT, .radius = shape->radius, .shape = shape, .feature = feature};
    side.point.z = feature.index == 1 ? shape->half_length : -shape->half_length;
    if (feature.index == 2) {
        side.kind = EVENT_LINE;
        side.direction.z = 1.0;
        side.length = 2.0 * shape->half_length;
    }
    return side;
}

/* outward: the contact's normal away from the shape; world frame. */
static event_side side_of(const abut_shape *shape, abut_feature feature, const event_place *place, abut_vec3 outward) {
    switch (shape->kind) {
    case ABUT_SHAPE_TRIMESH:
        return event_mesh_side(shape, feature, abut_mat3_apply_transposed(place->rotation, outward));
    case ABUT_SHAPE_PLANE:
        return (event_side){.kind = EVENT_FACE,
                            .direction = shape->normal,
                            .point = abut_scale(shape->offset, shape->normal),
                            .shape = shape,
                            .feature = feature};
    case ABUT_SHAPE_SPHERE:
        return (event_side){.kind = EVENT_POINT, .radius = shape->radius, .shape = shape, .feature = feature};
    case ABUT_SHAPE_CAPSULE:
        return side_of_capsule(shape, feature);
    default:
        return side_of_polytope(shape, feature);
    }
}

/* Makes a side a material point: the contact point on the core. It stays the same point as long as the row exists. */
static void pin(event_side *side, const event_place *place, abut_vec3 on_surface, abut_vec3 outward) {
    side->kind = EVENT_POINT;
    side->point = to_part(place, abut_add_scaled(on_surface, -side->radius, outward));
}

/* Makes a side the plane through the contact, fixed in the body. */
static void hold(event_side *side, const event_place *place, abut_vec3 on_surface, abut_vec3 outward) {
    *side = (event_side){.kind = EVENT_FACE, .feature = side->feature};
    side->point = to_part(place, on_surface);
    side->direction = abut_mat3_apply_transposed(place->rotation, outward);
}

static bool is_of_mesh(const event_side *side) { return side->shape != NULL && side->shape->kind == ABUT_SHAPE_TRIMESH; }

/* An edge or the side of a capsule touches a triangle along a segment. Where that ends at an edge in a valley of the mesh, no material point is its end: it
 * slides over the valley. There the contact is that of both lines. False elsewhere, and where both are parallel. */
static bool cross_border(const event_side *axis, const event_place *of_axis, event_side *face, const event_place *of_face,
                         abut_vec3 on_face) {
    const double near = 1e-9;
    if (axis->kind != EVENT_LINE || !is_of_mesh(face)) {
        return false;
    }
    abut_vec3 on = to_part(of_face, on_face);
    event_side border = event_mesh_border(face, on);
    abut_vec3 across =
        abut_cross(abut_mat3_apply(of_axis->rotation, axis->direction), abut_mat3_apply(of_face->rotation, border.direction));
    if (fabs(event_mesh_slip(face, on, on, false)) > near * face->shape->size || abut_length_squared(across) <= PARALLEL * PARALLEL) {
        return false;
    }
    *face = border;
    return true;
}

/* Handles pairs of features without a unique normal. A flat or long feature against a face becomes a point at one end of the contact. Of
 * two sharp features that meet, A becomes a point and B a plane with the normal. */
static void mend(event_row *row, const abut_contact *c, const event_place *a, const event_place *b) {
    event_side *of_a = &row->side[0], *of_b = &row->side[1];
    if (of_b->kind == EVENT_FACE && cross_border(of_a, a, of_b, b, c->on_b)) {
        return;
    }
    if (of_a->kind == EVENT_FACE && cross_border(of_b, b, of_a, a, c->on_a)) {
        return;
    }
    if (of_b->kind == EVENT_FACE && of_a->kind != EVENT_POINT) {
        pin(of_a, a, c->on_a, abut_neg(c->normal));
    } else if (of_a->kind == EVENT_FACE && of_b->kind != EVENT_POINT) {
        pin(of_b, b, c->on_b, c->normal);
    }
    if (of_a->kind == EVENT_FACE || of_b->kind == EVENT_FACE) {
        return;
    }
    bool lines = of_a->kind == EVENT_LINE && of_b->kind == EVENT_LINE, parallel = false;
    if (lines) {
        abut_vec3 across = abut_cross(abut_mat3_apply(a->rotation, of_a->direction), abut_mat3_apply(b->rotation, of_b->direction));
        parallel = abut_length_squared(across) <= PARALLEL * PARALLEL;
    }
    if (of_a->radius + of_b->radius > 0.0 && parallel) {
        pin(of_a, a, c->on_a, abut_neg(c->normal));
    } else if (of_a->radius + of_b->radius == 0.0 && (!lines || parallel)) {
        pin(of_a, a, c->on_a, abut_neg(c->normal));
        hold(of_b, b, c->on_b, c->normal);
    }
}

static bool is_same_side(const event_side *p, const event_side *q) {
    return p->kind == q->kind && p->feature.kind == q->feature.kind && p->feature.index == q->feature.index &&
           p->feature.part == q->feature.part;
}

/* A smooth body has one contact with a convex body, which moves from feature to feature, and one with each feature of a mesh. The sides of restored rows have
 * no shapes. */
static bool is_same_way(const event_side *p, const event_side *q) { return (!is_of_mesh(p) && !is_of_mesh(q)) || is_same_side(p, q); }

bool event_row_is_same(const event_row *p, const event_row *q) {
    if (p->follows || q->follows) {
        return p->pair == q->pair && p->follows && q->follows && is_same_way(&p->side[0], &q->side[0]) &&
               is_same_way(&p->side[1], &q->side[1]);
    }
    return p->pair == q->pair && is_same_side(&p->side[0], &q->side[0]) && is_same_side(&p->side[1], &q->side[1]);
}

/* ---- position ---- */

/* The point of the infinite line closest to a point. */
static abut_vec3 foot_on(const event_side *line, const event_place *place, abut_vec3 point) {
    abut_vec3 start = to_world(place, line->point), along = abut_mat3_apply(place->rotation, line->direction);
    return abut_add_scaled(start, abut_dot(along, abut_sub(point, start)), along);
}

/* The core points that face each other, and the unit direction from B's to A's. */
static void face_each_other(const event_row *row, const event_place *a, const event_place *b, abut_vec3 *of_a, abut_vec3 *of_b,
                            abut_vec3 *normal) {
    const event_side *side_a = &row->side[0], *side_b = &row->side[1];
    *of_a = to_world(a, side_a->point);
    *of_b = to_world(b, side_b->point);
    if (side_a->kind == EVENT_LINE && side_b->kind == EVENT_LINE) {
        abut_vec3 u = abut_mat3_apply(a->rotation, side_a->direction), v = abut_mat3_apply(b->rotation, side_b->direction);
        abut_vec3 across = abut_cross(u, v), way = abut_sub(*of_b, *of_a);
        double square = abut_length_squared(across);
        *of_a = abut_add_scaled(*of_a, abut_dot(abut_cross(way, v), across) / square, u);
        *of_b = abut_add_scaled(*of_b, abut_dot(abut_cross(way, u), across) / square, v);
        *normal = abut_unit(abut_dot(across, row->contact.normal) < 0.0 ? abut_neg(across) : across);
        return;
    }
    if (side_a->kind == EVENT_LINE) {
        *of_a = foot_on(side_a, a, *of_b);
    } else if (side_b->kind == EVENT_LINE) {
        *of_b = foot_on(side_b, b, *of_a);
    }
    *normal = abut_unit(abut_sub(*of_a, *of_b));
}

abut_contact event_row_look(const event_row *row, const event_place *a, const event_place *b) {
    if (event_curved_follows(row)) {
        return event_curved_look(row, a, b);
    }
    if (row->follows) {
        return event_follow_look(row, a, b);
    }
    const event_side *side_a = &row->side[0], *side_b = &row->side[1];
    abut_contact now = row->contact;
    abut_vec3 of_a, of_b;
    if (side_b->kind == EVENT_FACE) {
        now.normal = abut_mat3_apply(b->rotation, side_b->direction);
        of_a = to_world(a, side_a->point);
        now.gap = abut_dot(now.normal, abut_sub(of_a, to_world(b, side_b->point))) - side_a->radius;
        now.on_a = abut_add_scaled(of_a, -side_a->radius, now.normal);
        now.on_b = abut_add_scaled(now.on_a, -now.gap, now.normal);
        return now;
    }
    if (side_a->kind == EVENT_FACE) {
        now.normal = abut_neg(abut_mat3_apply(a->rotation, side_a->direction));
        of_b = to_world(b, side_b->point);
        now.gap = abut_dot(now.normal, abut_sub(to_world(a, side_a->point), of_b)) - side_b->radius;
        now.on_b = abut_add_scaled(of_b, side_b->radius, now.normal);
        now.on_a = abut_add_scaled(now.on_b, now.gap, now.normal);
        return now;
    }
    face_each_other(row, a, b, &of_a, &of_b, &now.normal);
    now.on_a = abut_add_scaled(of_a, -side_a->radius, now.normal);
    now.on_b = abut_add_scaled(of_b, side_b->radius, now.normal);
    now.gap = abut_dot(now.normal, abut_sub(now.on_a, now.on_b));
    return now;
}

/* ---- derivatives ---- */

static abut_curvature curvature_of(const event_side *side, const event_place *place, abut_vec3 outward) {
    abut_curvature c = {.normal = outward};
    if (side->kind == EVENT_LINE) {
        abut_vec3 along = abut_mat3_apply(place->rotation, side->direction);
        c.direction[0] = abut_unit(abut_add_scaled(along, -abut_dot(along, outward), outward));
        c.direction[1] = abut_cross(outward, c.direction[0]);
        c.curvature[1] = side->radius > 0.0 ? 1.0 / side->radius : INFINITY;
        return c;
    }
    abut_tangent_frame(outward, &c.direction[0], &c.direction[1]);
    if (side->kind == EVENT_POINT) {
        c.curvature[0] = c.curvature[1] = side->radius > 0.0 ? 1.0 / side->radius : INFINITY;
    }
    return c;
}

/* The acceleration of the point of a body, and its velocity. */
static abut_vec3 acceleration_at(const abut_kinematics *m, abut_vec3 arm) {
    abut_vec3 w = m->velocity.angular;
    abut_vec3 a = abut_add(m->acceleration.linear, abut_cross(m->acceleration.angular, arm));
    return abut_add(a, abut_cross(w, abut_cross(w, arm)));
}

static abut_vec3 velocity_at(const abut_kinematics *m, abut_vec3 arm) {
    return abut_add(m->velocity.linear, abut_cross(m->velocity.angular, arm));
}

abut_vec3 event_row_turning(const abut_contact *now, const event_place *a, const event_place *b) {
    return abut_cross(now->normal, abut_sub(a->motion->velocity.angular, b->motion->velocity.angular));
}

/* On a plane of B, the matrices of narrow/query/rates.c are L = R, the radii of A, and N = M = 0. On a plane of A they are L = R + gap, with the radii of B,
 * N = 1 and M = 0. */
void event_row_rates_on_plane(const abut_contact *now, const event_place *a, const event_place *b, bool plane_is_a, double bend,
                              abut_rates *rates) {
    const abut_kinematics *of_a = a->motion, *of_b = b->motion;
    *rates = (abut_rates){.arm_a = abut_sub(now->on_a, of_a->centre), .arm_b = abut_sub(now->on_a, of_b->centre)};
    abut_vec3 n = now->normal, velocity = abut_sub(velocity_at(of_a, rates->arm_a), velocity_at(of_b, rates->arm_b));
    abut_vec3 pull = abut_sub(acceleration_at(of_a, rates->arm_a), acceleration_at(of_b, rates->arm_b));
    rates->gap_rate = abut_dot(n, velocity);
    rates->gap_acceleration = abut_dot(n, pull) - 2.0 * abut_dot(n, abut_cross(of_b->velocity.angular, velocity)) - bend;
    if (plane_is_a) {
        abut_vec3 w = event_row_turning(now, a, b);
        rates->gap_acceleration -= 2.0 * abut_dot(w, velocity) + now->gap * abut_length_squared(w);
    }
}

void event_row_rates(const event_row *row, const abut_contact *now, const event_place *a, const event_place *b, abut_rates *rates) {
    if (row->follows) {
        event_follow_rates(row, now, a, b, rates);
        return;
    }
    event_side_kind kind_a = row->side[0].kind, kind_b = row->side[1].kind;
    if ((kind_a == EVENT_POINT && kind_b == EVENT_FACE) || (kind_a == EVENT_FACE && kind_b == EVENT_POINT)) {
        double radius = row->side[kind_a == EVENT_POINT ? 0 : 1].radius;
        event_row_rates_on_plane(now, a, b, kind_a == EVENT_FACE, radius * abut_length_squared(event_row_turning(now, a, b)), rates);
        return;
    }
    abut_curvature of_a = curvature_of(&row->side[0], a, abut_neg(now->normal)), of_b = curvature_of(&row->side[1], b, now->normal);
    if (contact_rates_find(NULL, now, &of_a, &of_b, a->motion, b->motion, rates) != ABUT_OK) {
        *rates = (abut_rates){.gap_rate = NAN, .gap_acceleration = NAN, .bias = NAN};
    }
}

/* ---- limits of the features ---- */

double event_row_outside_face(const polytope *s, int32_t face, abut_vec3 point) {
    double most = -INFINITY;
    for (int32_t i = s->face_first[face]; i < s->face_first[face + 1]; ++i) {
        int32_t next = i + 1 < s->face_first[face + 1] ? i + 1 : s->face_first[face];
        abut_vec3 from = s->vertices[s->face_vertices[i]], along = abut_sub(s->vertices[s->face_vertices[next]], from);
        abut_vec3 outward = abut_unit(abut_cross(along, s->normals[face]));
        most = real_max(most, abut_dot(outward, abut_sub(point, from)));
    }
    return most;
}

static double outside_line(const event_side *line, abut_vec3 point) {
    double along = abut_dot(line->direction, abut_sub(point, line->point));
    return real_max(-along, along - line->length);
}

/* How far the other point lies over the faces beside an edge. If positive, such a face is nearer than the edge. */
static double beside_edge(const polytope *s, int32_t edge, abut_vec3 other) {
    double most = -INFINITY;
    for (int i = 0; i < 2; ++i) {
        abut_vec3 from = s->vertices[s->edges[edge].vertex[0]], along = abut_sub(s->vertices[s->edges[edge].vertex[1]], from);
        abut_vec3 inward = abut_unit(abut_cross(s->normals[s->edges[edge].face[i]], i == 0 ? along : abut_neg(along)));
        most = real_max(most, abut_dot(inward, abut_sub(other, from)));
    }
    return most;
}

/* How far the other point lies along the edges at a vertex. If positive, such an edge is nearer than the vertex. */
static double along_edges(const polytope *s, int32_t vertex, abut_vec3 other) {
    double most = -INFINITY;
    for (int32_t i = s->vertex_first[vertex]; i < s->vertex_first[vertex + 1]; ++i) {
        abut_vec3 far = s->vertices[s->spoke[i].far], from = s->vertices[vertex];
        most = real_max(most, abut_dot(abut_unit(abut_sub(far, from)), abut_sub(other, from)));
    }
    return most;
}

/* The slip of one side. `on`: its contact point; `other`: the opposite core point; part frame. `round`: the other side is a ball about a
 * point, so it touches the feature nearest to that point. */
static double slip_of(const event_side *side, abut_vec3 on, abut_vec3 other, bool round) {
    if (side->shape == NULL || side->shape->kind == ABUT_SHAPE_PLANE || side->shape->kind == ABUT_SHAPE_SPHERE) {
        return -INFINITY;
    }
    if (side->shape->kind == ABUT_SHAPE_CAPSULE) {
        if (side->kind == EVENT_LINE) {
            return outside_line(side, on);
        }
        bool at_end = round && side->feature.index < 2;
        return at_end ? (side->feature.index == 1 ? -1.0 : 1.0) * (other.z - side->point.z) : -INFINITY;
    }
    if (side->shape->kind == ABUT_SHAPE_TRIMESH) {
        return event_mesh_slip(side, on, other, round);
    }
    const polytope *s = &side->shape->surface;
    if (side->kind == EVENT_FACE) {
        return event_row_outside_face(s, side->feature.index, on);
    }
    if (side->kind == EVENT_LINE) {
        double end = outside_line(side, on);
        return round ? real_max(end, beside_edge(s, side->feature.index, other)) : end;
    }
    return round && side->feature.kind == ABUT_FEATURE_VERTEX ? along_edges(s, side->feature.index, other) : -INFINITY;
}

/* A smooth body leaves the features of meshes only. */
static double slip_of_smooth(const event_row *row, const abut_contact *now, const event_place *a, const event_place *b) {
    double slip = -INFINITY;
    for (int i = 0; i < 2; ++i) {
        const event_place *place = i == 0 ? a : b;
        if (is_of_mesh(&row->side[i])) {
            abut_vec3 on = to_part(place, i == 0 ? now->on_a : now->on_b), other = to_part(place, i == 0 ? now->on_b : now->on_a);
            slip = real_max(slip, event_mesh_slip(&row->side[i], on, other, true));
        }
    }
    return slip;
}

double event_row_slip(const event_row *row, const abut_contact *now, const event_place *a, const event_place *b) {
    if (event_curved_follows(row)) {
        return isnan(now->gap) ? INFINITY : -INFINITY;
    }
    if (row->follows) {
        return slip_of_smooth(row, now, a, b);
    }
    const event_side *side_a = &row->side[0], *side_b = &row->side[1];
    abut_vec3 core_a = abut_add_scaled(now->on_a, side_a->radius, now->normal),
              core_b = abut_add_scaled(now->on_b, -side_b->radius, now->normal);
    bool round_a = side_a->kind == EVENT_POINT && side_a->radius > 0.0, round_b = side_b->kind == EVENT_POINT && side_b->radius > 0.0;
    double of_a = slip_of(side_a, to_part(a, now->on_a), to_part(a, core_b), round_b);
    double of_b = slip_of(side_b, to_part(b, now->on_b), to_part(b, core_a), round_a);
    return real_max(of_a, of_b);
}

static event_side smooth_side_of(const abut_shape *shape, abut_feature feature, const event_place *place, abut_vec3 outward) {
    return shape->kind == ABUT_SHAPE_TRIMESH ? side_of(shape, feature, place, outward) : event_follow_side(shape, feature);
}

/* A contact may have been moved to the border of a triangle. The row then begins where its features put it. */
static double slip_at_begin(const event_row *row, const abut_contact *contact, const event_place *a, const event_place *b) {
    double slip = real_max(event_row_slip(row, contact, a, b), 0.0);
    if (is_of_mesh(&row->side[0]) || is_of_mesh(&row->side[1])) {
        abut_contact now = event_row_look(row, a, b);
        slip = real_max_number(slip, event_row_slip(row, &now, a, b));
    }
    return slip;
}

/* A row of a smooth body that is not convex, and of which the contact cannot be followed: a material point of this body against the plane through the contact.
 * Against a ball it is the plane that belongs to this body. */
static void mend_curved(event_row *row, const abut_contact *c, const event_place *place[2]) {
    int own = event_curved_is(row->side[0].shape, row->side[0].shape) ? 0 : 1, other = 1 - own;
    const abut_vec3 on[2] = {c->on_a, c->on_b}, outward[2] = {abut_neg(c->normal), c->normal};
    const abut_shape *against = row->side[other].shape;
    if (against->kind == ABUT_SHAPE_SPHERE || against->kind == ABUT_SHAPE_CAPSULE) {
        row->side[other] = side_of(against, other == 0 ? c->feature_a : c->feature_b, place[other], outward[other]);
        if (row->side[other].kind == EVENT_LINE) {
            pin(&row->side[other], place[other], on[other], outward[other]);
        }
        hold(&row->side[own], place[own], on[own], outward[own]);
        return;
    }
    pin(&row->side[own], place[own], on[own], outward[own]);
    hold(&row->side[other], place[other], on[other], outward[other]);
}

void event_row_make(event_row *row, const abut_contact *contact, const abut_shape *a, const event_place *place_a, const abut_shape *b,
                    const event_place *place_b) {
    row->contact = *contact;
    row->slip = 0.0;
    row->follows = false;
    if (event_curved_is(a, b)) {
        row->follows = event_curved_make(row, contact, a, place_a, b, place_b);
        if (!row->follows) {
            mend_curved(row, contact, (const event_place *[2]){place_a, place_b});
        }
        return;
    }
    row->follows = event_follow_is(a, b);
    if (row->follows) {
        row->side[0] = smooth_side_of(a, contact->feature_a, place_a, abut_neg(contact->normal));
        row->side[1] = smooth_side_of(b, contact->feature_b, place_b, contact->normal);
        row->slip = slip_at_begin(row, contact, place_a, place_b);
        return;
    }
    row->side[0] = side_of(a, contact->feature_a, place_a, abut_neg(contact->normal));
    row->side[1] = side_of(b, contact->feature_b, place_b, contact->normal);
    mend(row, contact, place_a, place_b);
    row->slip = slip_at_begin(row, contact, place_a, place_b);
}
