/*
 * The earliest time at which a box of the mesh's hierarchy can be touched. For a convex part, the box is enlarged by the part's extent and
 * by everything that the rotations of both can add; the straight path of the body's pivot enters it no later than the touch. A plane
 * cannot touch a box before it reaches the box's lowest corner, lowered by everything that the rotations can add.
 */

#include "narrow/query/mesh_sweep.h"

#include "base/real.h"
#include "shape/shape.h"
#include "shape/trimesh.h"

/* Upper bound of how far a rotation moves a point at a given distance from the origin. */
static double way_of_turn(double distance, abut_vec3 turn) { return real_min(abut_length(turn), 2.0) * distance; }

static double spread(abut_vec3 v) { return fabs(v.x) + fabs(v.y) + fabs(v.z); }

/* The middle of the hierarchy, from the mesh's pivot, along the mesh's axes. */
static abut_vec3 middle_of(const mesh_cast *cast) { return abut_sub(cast->mesh->mesh->tree.middle, cast->mesh_pivot); }

static mesh_sweep begin(const mesh_cast *cast) {
    mesh_sweep sweep = {.cast = cast};
    sweep.start = abut_sub(abut_mat3_apply_transposed(cast->mesh_rotation, abut_neg(cast->apart)), middle_of(cast));
    sweep.way = abut_mat3_apply_transposed(cast->mesh_rotation, abut_neg(cast->travel));
    sweep.rounding = 4e-14 * (spread(cast->apart) + spread(cast->travel) + spread(middle_of(cast)) + cast->mesh->size);
    return sweep;
}

mesh_sweep mesh_sweep_of_part(const mesh_cast *cast, const mover *part) {
    mesh_sweep sweep = begin(cast);
    const convex *body = &part->start;
    const abut_mat3 *m = &cast->mesh_rotation; /* its columns are the mesh's axes */
    sweep.extent.lower =
        abut_vec3_make(-convex_extent(body, abut_neg(m->x)), -convex_extent(body, abut_neg(m->y)), -convex_extent(body, abut_neg(m->z)));
    sweep.extent.upper = abut_vec3_make(convex_extent(body, m->x), convex_extent(body, m->y), convex_extent(body, m->z));
    sweep.reach = body->radius + way_of_turn(part->radius, cast->body_turn) + cast->tolerance;
    sweep.rounding += 4e-14 * (part->radius + body->size);
    return sweep;
}

mesh_sweep mesh_sweep_of_plane(const mesh_cast *cast, abut_vec3 outward, double offset) {
    mesh_sweep sweep = begin(cast);
    sweep.is_plane = true;
    sweep.outward = outward;
    sweep.offset = offset;
    sweep.rounding += 4e-14 * fabs(offset);
    return sweep;
}

/* Clips [*from, *to] to the times at which a moving number lies between two bounds. */
static void clip(double start, double way, double lower, double upper, double *from, double *to) {
    if (way == 0.0) {
        *to = start < lower || start > upper ? -INFINITY : *to;
        return;
    }
    double p = (lower - start) / way, q = (upper - start) / way;
    *from = real_max(*from, real_min(p, q));
    *to = real_min(*to, real_max(p, q));
}

/* Upper bound of the distance of the box's contents from the mesh's pivot. */
static double farthest_of(const mesh_cast *cast, const abut_aabb *box) {
    abut_vec3 m = middle_of(cast), p = abut_add(box->lower, m), q = abut_add(box->upper, m);
    return abut_length(abut_vec3_make(real_max(fabs(p.x), fabs(q.x)), real_max(fabs(p.y), fabs(q.y)), real_max(fabs(p.z), fabs(q.z))));
}

static double entry_of_part(const mesh_sweep *sweep, const abut_aabb *box, double end) {
    double more = sweep->reach + way_of_turn(farthest_of(sweep->cast, box), sweep->cast->mesh_turn) + sweep->rounding;
    double from = 0.0, to = end;
    const abut_vec3 *p = &sweep->start, *w = &sweep->way, *low = &sweep->extent.lower, *high = &sweep->extent.upper;
    clip(p->x, w->x, box->lower.x - high->x - more, box->upper.x - low->x + more, &from, &to);
    clip(p->y, w->y, box->lower.y - high->y - more, box->upper.y - low->y + more, &from, &to);
    clip(p->z, w->z, box->lower.z - high->z - more, box->upper.z - low->z + more, &from, &to);
    return from <= to ? from : INFINITY;
}

static double entry_of_plane(const mesh_sweep *sweep, const abut_aabb *box, double end) {
    const mesh_cast *cast = sweep->cast;
    abut_vec3 n = abut_mat3_apply_transposed(cast->mesh_rotation, sweep->outward);
    abut_vec3 lowest = {n.x > 0.0 ? box->lower.x : box->upper.x, n.y > 0.0 ? box->lower.y : box->upper.y,
                        n.z > 0.0 ? box->lower.z : box->upper.z};
    double reach = farthest_of(cast, box), distance = abut_length(cast->apart) + abut_length(cast->travel) + reach;
    double turning = way_of_turn(reach, cast->mesh_turn) + way_of_turn(distance, cast->body_turn);
    double height = abut_dot(sweep->outward, cast->apart) + abut_dot(n, abut_add(middle_of(cast), lowest)) - sweep->offset;
    double room = height - turning - cast->tolerance - sweep->rounding, fall = -abut_dot(sweep->outward, cast->travel);
    double entry = room <= 0.0 ? 0.0 : fall > 0.0 ? room / fall : INFINITY;
    return entry <= end ? entry : INFINITY;
}

double mesh_sweep_entry(const mesh_sweep *sweep, const abut_aabb *box, double end) {
    return sweep->is_plane ? entry_of_plane(sweep, box, end) : entry_of_part(sweep, box, end);
}
