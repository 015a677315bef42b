/* The skin of a compound: the skins of its parts without what other parts cover. */
#include <math.h>

#include "base/memory.h"
#include "base/real.h"
#include "shape/skin/soup.h"
#include "shape/smooth.h"

/* A convex polygon of a flat face. A cut adds at most one corner to a polygon. Pieces with more corners are not cut further. */
enum { CORNERS = 24, PLANES = CORNERS - 4, CUTS = 16 };

typedef struct piece {
    abut_vec3 corner[CORNERS];
    int32_t count;
} piece;

static bool has_flat_faces(const abut_shape *shape) { return shape->kind == ABUT_SHAPE_BOX || shape->kind == ABUT_SHAPE_POLYTOPE; }

/* ---- what a part contains ---- */

/* Whether a convex part contains a point of its frame, by more than the tolerance, or on its surface when `closed`. */
static bool contains(const abut_shape *shape, abut_vec3 p, double tolerance) {
    if (has_flat_faces(shape)) {
        const polytope *s = &shape->surface;
        for (int32_t f = 0; f < s->face_count; ++f) {
            if (abut_dot(s->normals[f], abut_sub(p, s->vertices[s->face_vertices[s->face_first[f]]])) > -tolerance) {
                return false;
            }
        }
        return true;
    }
    if (shape_is_frustum(shape)) {
        return frustum_height(&shape->round, p) < -tolerance;
    }
    if (smooth_is(shape)) {
        return smooth_depth_of(shape, p) > tolerance;
    }
    double h = shape->kind == ABUT_SHAPE_CAPSULE ? shape->half_length : 0.0;
    double off = real_max(fabs(p.z) - h, 0.0);
    return p.x * p.x + p.y * p.y + off * off < (shape->radius - tolerance) * (shape->radius - tolerance);
}

/* ---- cuts of flat pieces ---- */

typedef struct joiner {
    const abut_shape *shape;
    skin_soup *soup;
    double tolerance;
    abut_feature feature;
    abut_vec3 normal; /* of the piece */
    int32_t from;     /* its part */
} joiner;

static void add_piece(const joiner *j, const piece *p) {
    for (int32_t i = 2; i < p->count; ++i) {
        const abut_vec3 corner[3] = {p->corner[0], p->corner[i - 1], p->corner[i]};
        skin_add(j->soup, corner, INFINITY, j->feature);
    }
}

/* The part of a piece on one side of a plane, n . x <= offset for a side of 1 and >= for -1. */
static piece side_of(const piece *p, abut_vec3 n, double offset, double side) {
    piece kept = {.count = 0};
    for (int32_t i = 0; i < p->count; ++i) {
        abut_vec3 a = p->corner[i], b = p->corner[i + 1 < p->count ? i + 1 : 0];
        double in = side * (offset - abut_dot(n, a)), out = side * (offset - abut_dot(n, b));
        if (in >= 0.0) {
            kept.corner[kept.count++] = a;
        }
        if ((in > 0.0 && out < 0.0) || (in < 0.0 && out > 0.0)) {
            kept.corner[kept.count++] = abut_lerp(a, b, in / (in - out));
        }
    }
    return kept;
}

/* Where a piece lies relative to a plane: how far beyond it at most, and at least. */
static void extent_of(const piece *p, abut_vec3 n, double offset, double *least, double *most) {
    *least = INFINITY;
    *most = -INFINITY;
    for (int32_t i = 0; i < p->count; ++i) {
        double beyond = abut_dot(n, p->corner[i]) - offset;
        *least = real_min(beyond, *least);
        *most = real_max(beyond, *most);
    }
}

/* Cuts away from a piece what lies beyond the planes of a part with flat faces, one after the other; the part covers the rest. Returns the number of pieces
 * cut away; -1 if the part covers nothing, or if there are too many. */
static int32_t cut_by_faces(const joiner *j, const piece *p, int32_t part, piece outside[PLANES]) {
    const abut_part *other = &j->shape->parts[part];
    const polytope *s = &other->shape->surface;
    abut_mat3 turn = abut_mat3_from_quat(other->pose.rotation);
    piece rest = *p;
    int32_t count = 0;
    for (int32_t f = 0; f < s->face_count; ++f) {
        abut_vec3 n = abut_mat3_apply(turn, s->normals[f]);
        double offset = abut_dot(n, abut_pose_apply(other->pose, s->vertices[s->face_vertices[s->face_first[f]]])), least, most;
        extent_of(&rest, n, offset, &least, &most);
        bool crosses = most > j->tolerance, coplanar = !crosses && least >= -j->tolerance && abut_dot(n, j->normal) > 0.0;
        bool clear = crosses && least >= -j->tolerance, full = crosses && (count == PLANES || rest.count + 1 >= CORNERS);
        if (clear || full || (coplanar && part > j->from)) {
            return -1;
        }
        if (crosses) {
            outside[count++] = side_of(&rest, n, offset, -1.0);
            rest = side_of(&rest, n, offset, 1.0);
        }
    }
    return count;
}

static bool is_inside(const joiner *j, const abut_vec3 *corner, int32_t count, int32_t part) {
    const abut_part *other = &j->shape->parts[part];
    for (int32_t i = 0; i < count; ++i) {
        if (!contains(other->shape, abut_pose_apply_inverse(other->pose, corner[i]), j->tolerance)) {
            return false;
        }
    }
    return true;
}

static bool is_near(const joiner *j, const piece *p, int32_t part) {
    const abut_aabb *box = &j->shape->part_bounds[part];
    const double *lower = &box->lower.x, *upper = &box->upper.x;
    for (int axis = 0; axis < 3; ++axis) {
        double least = INFINITY, most = -INFINITY;
        for (int32_t i = 0; i < p->count; ++i) {
            double x = (&p->corner[i].x)[axis];
            least = real_min(x, least);
            most = real_max(x, most);
        }
        if (least > upper[axis] + j->tolerance || most < lower[axis] - j->tolerance) {
            return false;
        }
    }
    return true;
}

/* Adds what the parts from `part` on do not cover. cuts: how often the piece may still be cut. */
static void add_uncovered(const joiner *j, const piece *p, int32_t part, int cuts) {
    for (; part < j->shape->part_count; ++part) {
        if (part == j->from || !is_near(j, p, part)) {
            continue;
        }
        if (has_flat_faces(j->shape->parts[part].shape) && cuts > 0) {
            piece outside[PLANES];
            int32_t count = cut_by_faces(j, p, part, outside);
            for (int32_t i = 0; i < count; ++i) {
                add_uncovered(j, &outside[i], part + 1, cuts - 1);
            }
            if (count >= 0) {
                return;
            }
        } else if (is_inside(j, p->corner, p->count, part)) {
            return;
        }
    }
    add_piece(j, p);
}

static void add_curved(const joiner *j, const abut_vec3 corner[3], double radius, abut_vec3 saddle) {
    for (int32_t part = 0; part < j->shape->part_count; ++part) {
        if (part != j->from && is_inside(j, corner, 3, part)) {
            return;
        }
    }
    skin_add_saddle(j->soup, corner, radius, saddle, j->feature);
}

void skin_of_parts(const abut_shape *shape, skin_soup *soup) {
    joiner j = {.shape = shape, .soup = soup, .tolerance = 1e-12 * shape->size};
    for (j.from = 0; j.from < shape->part_count && !soup->out_of_memory; ++j.from) {
        const abut_part *part = &shape->parts[j.from];
        skin_soup own = {.count = 0};
        skin_of_convex(part->shape, &own);
        soup->out_of_memory = soup->out_of_memory || own.out_of_memory;
        for (int32_t i = 0; i < own.count && !soup->out_of_memory; ++i) {
            piece p = {.count = 3};
            for (int32_t k = 0; k < 3; ++k) {
                p.corner[k] = abut_pose_apply(part->pose, own.corner[3 * i + k]);
            }
            j.feature = own.feature[i];
            j.feature.part = j.from;
            j.normal = abut_unit(abut_cross(abut_sub(p.corner[1], p.corner[0]), abut_sub(p.corner[2], p.corner[0])));
            if (own.radius[i] < INFINITY) {
                add_curved(&j, p.corner, own.radius[i], abut_quat_rotate(part->pose.rotation, own.saddle[i]));
            } else {
                add_uncovered(&j, &p, 0, CUTS);
            }
        }
        skin_free(&own);
    }
}
