/* The Gauss-cell test for bodies that stand still beside each other: see admit.h. */
#include "narrow/seam/admit.h"

#include "base/real.h"
#include "narrow/normal/feature.h"
#include "narrow/normal/feature_overlap.h"

typedef struct question {
    const still_solid *solid;
    const still_part *own;
    abut_vec3 outward;
    bool on_face; /* the normal is that of a face or of a smooth surface */
} question;

/* ---- edges and vertices ---- */

/* Whether the other part lies just outside a face of the own part at that place, or beyond its border where the normal leans over it. Then the place is no
 * border of the union. */
static bool is_hidden_at(const question *q, const still_part *other, abut_vec3 at, abut_vec3 face) {
    const double crack = q->solid->scale.crack;
    abut_vec3 over = abut_add_scaled(q->outward, -abut_dot(q->outward, face), face);
    return still_holds(q->solid, other, abut_add_scaled(at, crack, face)) ||
           (abut_length_squared(over) > 0.0 && still_holds(q->solid, other, abut_add_scaled(at, crack, abut_unit(over))));
}

/* The rim of a frustum belongs to a cap and to the side. */
static bool hides_rim(const question *q, const still_part *other, abut_vec3 at) {
    const convex *body = &q->own->body;
    abut_vec3 local = convex_to_local(body, at), cap = {0.0, 0.0, 1.0}, across = {local.x, local.y, 0.0};
    const double *z = body->shape->round.z;
    cap.z = local.z < 0.5 * (z[0] + z[1]) ? -1.0 : 1.0;
    across = abut_length_squared(across) > 0.0 ? abut_unit(across) : abut_vec3_make(1.0, 0.0, 0.0);
    return is_hidden_at(q, other, at, convex_direction_to_pair(body, cap)) ||
           is_hidden_at(q, other, at, convex_direction_to_pair(body, across));
}

static bool hides_edge(const question *q, const still_part *other, abut_vec3 at) {
    const convex *body = &q->own->body;
    abut_vec3 local = convex_to_local(body, at);
    for (int32_t f = 0; f < body->surface->face_count; ++f) {
        double height = abut_dot(body->surface->normals[f], local) - body->surface->offsets[f];
        if (fabs(height) <= q->solid->scale.level && is_hidden_at(q, other, at, feature_face_normal(body, f))) {
            return true;
        }
    }
    return false;
}

static bool hides_border(const question *q, const still_part *other, abut_vec3 at) {
    abut_vec3 normal;
    return still_triangle(q->own, at, q->solid->scale.crack, q->outward, &normal) >= 0 && is_hidden_at(q, other, at, normal);
}

/* Whether the other part goes on where the own part ends at that place. */
static bool is_beside(const question *q, const still_part *other, abut_vec3 at) {
    if (still_holds(q->solid, other, at)) {
        return true;
    }
    if (q->own->mesh != NULL || q->own->is_plane) {
        return q->own->mesh != NULL && hides_border(q, other, at);
    }
    return q->own->body.core == CORE_FRUSTUM ? hides_rim(q, other, at) : q->own->body.core == CORE_POLYTOPE && hides_edge(q, other, at);
}

/* ---- level neighbours ---- */

/* What is asked of the faces of another part. */
typedef struct level_question {
    const question *q;
    abut_vec3 point;
    seam_level face; /* the one that is level */
} level_question;

/* Whether the face looks at the viewer, and the own part does not rise above it. Then whatever touches both from above touches them along this face. */
static bool is_level(void *context, abut_vec3 normal, double height) {
    level_question *level = context;
    const question *q = level->q;
    abut_vec3 lifted = abut_add_scaled(level->point, height - abut_dot(normal, level->point), normal);
    bool other = abut_distance_between(normal, q->outward) > 1e-6;
    level->face = (seam_level){normal, height};
    return other && abut_dot(normal, q->solid->viewer) > height && !still_rises(q->solid, q->own, lifted, normal);
}

bool seam_supersedes(const still_solid *solid, const still_part *own, abut_vec3 point, abut_vec3 outward, seam_level *face) {
    const double most_sunk = 0.05;
    const question q = {.solid = solid, .own = own, .outward = outward};
    for (int32_t i = 0; i < solid->count; ++i) {
        const still_part *other = &solid->part[i];
        level_question level = {.q = &q, .point = point};
        if (still_rises(solid, other, point, outward) &&
            still_faces(solid, other, point, most_sunk * solid->scale.reach, is_level, &level)) {
            *face = level.face;
            return true;
        }
    }
    return false;
}

bool seam_is_below(const still_solid *solid, const still_part *own, abut_vec3 point, const seam_level *face) {
    abut_vec3 lifted = abut_add_scaled(point, face->height - abut_dot(face->normal, point), face->normal);
    bool below = still_holds(solid, own, lifted);
    for (int32_t i = 0; i < solid->count && !below; ++i) {
        below = still_holds(solid, &solid->part[i], lifted);
    }
    return below;
}

/* ---- one place ---- */

static bool is_open_at(const question *q, abut_vec3 at) {
    abut_vec3 above = abut_add_scaled(at, q->solid->scale.crack, q->outward);
    for (int32_t i = 0; i < q->solid->count; ++i) {
        const still_part *other = &q->solid->part[i];
        if (still_holds(q->solid, other, above)) {
            return false;
        }
        if (!q->on_face && is_beside(q, other, at) && still_rises(q->solid, other, at, q->outward)) {
            return false;
        }
    }
    return true;
}

/* Whether the normal is that of a face or of a smooth surface of the part. */
static bool is_on_face(const still_part *own, abut_vec3 point, abut_vec3 outward, double rounding) {
    bool cornered = own->mesh != NULL || own->is_plane || own->body.core == CORE_POLYTOPE || own->body.core == CORE_FRUSTUM;
    if (!cornered || still_face(own, point, outward, rounding) >= 0) {
        return true;
    }
    bool round = own->mesh == NULL && own->body.core == CORE_FRUSTUM;
    return round && feature_pick(&own->body, outward, FEATURE_EXACT_SINE).kind == ABUT_FEATURE_EDGE;
}

/* ---- places beside the contact ---- */

enum { WAYS = 8 };

/* Directions that may lead farther inside the feature that the contact is on. Returns their number. */
static int ways_inside(const question *q, abut_vec3 way[WAYS]) {
    abut_feature picked = {.kind = ABUT_FEATURE_FACE};
    if (!q->on_face) {
        bool edged = q->own->mesh == NULL && !q->own->is_plane && q->own->body.core == CORE_POLYTOPE;
        picked = edged ? feature_pick(&q->own->body, q->outward, FEATURE_EXACT_SINE) : (abut_feature){.kind = ABUT_FEATURE_VERTEX};
    }
    if (picked.kind == ABUT_FEATURE_EDGE) {
        abut_vec3 end[2];
        feature_edge(&q->own->body, picked.index, end);
        way[0] = abut_unit(abut_sub(end[1], end[0]));
        way[1] = abut_neg(way[0]);
        return 2;
    }
    if (!q->on_face) {
        return 0;
    }
    const double half = 0.70710678118654752;
    const double cosine[WAYS] = {1, half, 0, -half, -1, -half, 0, half}, sine[WAYS] = {0, half, 1, half, 0, -half, -1, -half};
    contact_plane plane = contact_plane_of(q->outward);
    for (int i = 0; i < WAYS; ++i) {
        way[i] = abut_add_scaled(abut_scale(cosine[i], plane.first), sine[i], plane.second);
    }
    return WAYS;
}

static double rounding_at(const still_solid *solid, const still_part *own, abut_vec3 point) {
    double size = own->is_plane || own->mesh != NULL ? solid->scale.reach : own->body.size;
    return 1e-11 * size + 1e-14 * (fabs(point.x) + fabs(point.y) + fabs(point.z));
}

bool seam_admits(const still_solid *solid, const still_part *own, abut_vec3 point, abut_vec3 outward) {
    const double aside = 8.0 * solid->scale.crack, rounding = rounding_at(solid, own, point);
    question q = {.solid = solid, .own = own, .outward = outward, .on_face = is_on_face(own, point, outward, rounding)};
    if (is_open_at(&q, point)) {
        return true;
    }
    abut_vec3 way[WAYS];
    int count = ways_inside(&q, way);
    for (int i = 0; i < count; ++i) {
        abut_vec3 at = abut_add_scaled(point, aside, way[i]);
        if (still_has(own, at, rounding) && is_open_at(&q, at)) {
            return true;
        }
    }
    return false;
}

int32_t seam_flat_face(const still_solid *solid, const still_part *own, abut_vec3 point, abut_vec3 outward) {
    const double aside = 8.0 * solid->scale.crack, rounding = rounding_at(solid, own, point);
    const question q = {.solid = solid, .own = own, .outward = outward, .on_face = true};
    int32_t face = still_face(own, point, outward, rounding);
    abut_vec3 way[WAYS];
    int count = ways_inside(&q, way);
    for (int i = 0; i < count && face >= 0; ++i) {
        abut_vec3 at = abut_add_scaled(point, aside, way[i]);
        bool goes_on = still_has(own, at, rounding);
        for (int32_t k = 0; k < solid->count && !goes_on; ++k) {
            goes_on = still_holds(solid, &solid->part[k], at);
        }
        face = goes_on ? face : -1;
    }
    return face;
}
