/*
 * Casts a moving body against a moving mesh. Every convex part of the body is advanced against every triangle that it may reach before the
 * earliest touch found so far. The hierarchy selects these triangles by the earliest time at which each of its boxes can be reached.
 */

#include "narrow/query/mesh_cast.h"

#include "base/real.h"
#include "narrow/query/mesh_distance.h"
#include "narrow/query/mesh_sweep.h"
#include "narrow/normal/convex_parts.h"
#include "narrow/query/separation.h"

enum { MOST_STEPS = 1000 };

/* A convex part of the body; a triangle if the body is a mesh. A plane has no part. */
typedef struct cast_part {
    mover mover;
    double inner; /* of a triangle: radius of the circle inside it */
    const triangle_body *flat;
    const mesh_triangle *triangle;
} cast_part;

/* A triangle of the mesh as a convex body. It must not be moved in memory. */
typedef struct cast_triangle {
    mesh_triangle seen; /* relative to its first corner, along the mesh's axes */
    triangle_body flat;
    mover mover;
    double inner; /* radius of the circle inside it */
} cast_triangle;

typedef struct cast_work {
    const mesh_cast *cast;
    bool resting;       /* first pass: only `level` is computed */
    double level;       /* the smallest gap at the start within the tolerance; INFINITY for none */
    convex_parts plane; /* the initial plane, from the body's pivot, if the body is one */
    const cast_part *part;
    mesh_sweep sweep;
    mesh_touch *touch;
    double
        limit; /* smallest fraction up to which a pair was proved safe without being followed to its end; the cast ends there at the latest */
    double gap; /* at the touch */
} cast_work;

/* The fraction after which nothing changes the result. */
static double end_of(const cast_work *work) { return real_min(work->touch->fraction, work->limit); }

static double spread(abut_vec3 v) { return fabs(v.x) + fabs(v.y) + fabs(v.z); }

/* The earliest fraction at which something in a box can be touched; INFINITY if that is after the earliest touch so far. */
static double entry(const cast_work *work, const abut_aabb *box) {
    return mesh_sweep_entry(&work->sweep, box, work->resting ? 0.0 : end_of(work));
}

/* ---- one triangle ---- */

static double inner_of(const abut_triangle *t) {
    abut_vec3 p = abut_sub(t->corner[1], t->corner[0]), q = abut_sub(t->corner[2], t->corner[0]);
    double around = abut_length(p) + abut_length(q) + abut_distance_between(t->corner[1], t->corner[2]);
    return around > 0.0 ? abut_length(abut_cross(p, q)) / around : 0.0;
}

/* The triangle's frame has its origin at the first corner, so that small triangles far from the mesh's origin keep their digits. */
static void set_triangle(const abut_shape *mesh, abut_mat3 rotation, abut_vec3 pivot, abut_vec3 turn, int32_t index,
                         const abut_triangle *triangle, cast_triangle *t) {
    const placed_mesh about = {.mesh = mesh->mesh, .rotation = abut_mat3_identity(), .aligned = true, .centre = triangle->corner[0]};
    mesh_set_place(&t->seen, &about, index, triangle);
    triangle_body_set_any(&t->flat, &t->seen);
    const convex *own = &t->flat.body;
    abut_vec3 place = abut_add(abut_mat3_apply(rotation, own->position), abut_mat3_apply(rotation, abut_sub(triangle->corner[0], pivot)));
    convex start = convex_move(own, abut_mat3_mul(rotation, own->rotation), place);
    t->mover = mover_make(&start, turn);
    t->inner = inner_of(triangle);
}

static moving_pair pair_of(const cast_work *work, const cast_triangle *t) {
    const mesh_cast *cast = work->cast;
    moving_pair pair = {.apart = cast->apart, .travel = cast->travel, .settings = cast->settings};
    if (work->part != NULL) {
        pair.a = work->part->mover;
        pair.b = t->mover;
        return pair;
    }
    pair.a = t->mover;
    pair.b.turn = cast->body_turn;
    pair.plane = true;
    pair.outward = work->plane.outward;
    pair.offset = work->plane.offset;
    pair.apart = abut_neg(cast->apart);
    pair.travel = abut_neg(cast->travel);
    return pair;
}

/* Whether the point sees a side of the placed triangle that can be touched. */
static bool faces(const mesh_triangle *seen, const convex *flat, abut_vec3 point, double rounding) {
    const abut_vec3 origin = {0.0, 0.0, 0.0};
    mesh_triangle about = *seen;
    for (int i = 0; i < 3; ++i) {
        about.corner[i] = abut_sub(convex_to_pair(flat, seen->corner[i]), point);
    }
    about.normal = abut_mat3_apply(flat->rotation, seen->normal);
    return seen->flat || seen->two_sided || !mesh_set_is_behind(&about, origin, mesh_set_height(&about, origin), rounding);
}

/* The middle of a mesh's box at a fraction of the motion, relative to the mesh's pivot. */
static abut_vec3 middle_of(const abut_shape *mesh, abut_mat3 rotation, abut_vec3 pivot, abut_vec3 turn, double fraction) {
    return abut_mat3_apply(mover_turned(turn, fraction), abut_mat3_apply(rotation, abut_sub(mesh->mesh->tree.middle, pivot)));
}

/* Whether body and triangle face each other, seen from the body's middle. For two meshes, each one that is not closed is judged from the
 * middle of the other. */
static bool is_in_front(const cast_work *work, const moving_pair *pair, const cast_triangle *t, double fraction) {
    const mesh_cast *cast = work->cast;
    const abut_vec3 origin = {0.0, 0.0, 0.0};
    if (work->part == NULL) {
        return true;
    }
    abut_vec3 apart = abut_add_scaled(pair->apart, fraction, pair->travel);
    convex body = mover_place(&pair->a, origin, fraction), flat = mover_place(&pair->b, apart, fraction);
    double rounding = 1e-15 * (spread(apart) + spread(flat.position) + spread(body.position) + body.size);
    if (work->part->flat == NULL) {
        return faces(&t->seen, &flat, convex_inner_centre(&body), rounding);
    }
    abut_vec3 middle = middle_of(cast->body, cast->body_rotation, cast->body_pivot, cast->body_turn, fraction);
    abut_vec3 other = abut_add(apart, middle_of(cast->mesh, cast->mesh_rotation, cast->mesh_pivot, cast->mesh_turn, fraction));
    return (cast->mesh->mesh->closed || faces(&t->seen, &flat, middle, rounding)) &&
           (cast->body->mesh->closed || faces(work->part->triangle, &body, other, rounding));
}

/* With the plane as A and the triangle as B. */
static abut_separation above_plane(const cast_triangle *t, abut_vec3 outward, double offset) {
    abut_vec3 lowest;
    abut_feature vertex = {.kind = ABUT_FEATURE_VERTEX, .index = convex_support(&t->flat.body, abut_neg(outward), &lowest)};
    double height = abut_dot(outward, lowest) - offset;
    return (abut_separation){.gap = height,
                             .on_a = abut_add_scaled(lowest, -height, outward),
                             .on_b = lowest,
                             .normal = abut_neg(outward),
                             .feature_a = {.kind = ABUT_FEATURE_FACE},
                             .feature_b = triangle_body_feature(&t->flat, &t->seen, vertex)};
}

/* The separation at the touch. */
static abut_separation told_of(const cast_work *work, const moving_pair *pair, cast_triangle *t, double fraction) {
    const mesh_cast *cast = work->cast;
    const abut_vec3 origin = {0.0, 0.0, 0.0};
    abut_vec3 apart = abut_add_scaled(cast->apart, fraction, cast->travel);
    t->flat.body = mover_place(&t->mover, apart, fraction);
    abut_separation s;
    if (pair->plane) {
        s = above_plane(t, abut_mat3_apply(mover_turned(cast->body_turn, fraction), pair->outward), pair->offset);
    } else {
        convex body = mover_place(&pair->a, origin, fraction);
        contact_normal normal = separation_normal(&body, &t->flat.body, &cast->settings);
        s = mesh_distance_along(&body, &t->flat, &t->seen, &normal);
        if (work->part->flat != NULL) {
            abut_feature core = normal.feature_a.kind != ABUT_FEATURE_NONE ? normal.feature_a : (abut_feature){.kind = ABUT_FEATURE_FACE};
            s.feature_a = mesh_distance_name(cast->body, triangle_body_feature(work->part->flat, work->part->triangle, core));
        }
    }
    s.feature_b = mesh_distance_name(cast->mesh, s.feature_b);
    return s;
}

static void rest_on(cast_work *work, const moving_pair *pair, const cast_triangle *t) {
    double noise, gap = advance_gap(pair, 0.0, &noise), near = real_max(work->cast->tolerance, 4.0 * noise);
    if (gap <= near && gap >= -real_max(noise, work->cast->rounding) && is_in_front(work, pair, t, 0.0)) {
        work->level = real_min(work->level, gap);
    }
}

/* Whether the body, having come near, may touch the triangle: it did not cross it at the start, and it approaches from the front. */
static bool may_touch(const cast_work *work, const moving_pair *pair, const cast_triangle *t, double fraction) {
    double noise;
    double gap = advance_gap(pair, 0.0, &noise);
    bool goes_through = fraction == 0.0 && gap < -real_max(noise, work->cast->rounding);
    return !goes_through && is_in_front(work, pair, t, fraction);
}

/* How deep the body must be in the triangle. 0: it is passed over, because it is a sliver, whose neighbours get deep, or because it needs no more depth than
 * others may have had at the start, and is in the triangle then. */
static double depth_of(const cast_work *work, const moving_pair *pair, const cast_triangle *t) {
    const double share = 0.25, sliver = 1e-3;
    const mesh_cast *cast = work->cast;
    if (!cast->narrow_body && !cast->narrow_mesh) {
        return cast->depth;
    }
    double most = share * (cast->narrow_mesh ? t->inner : work->part->inner), noise;
    bool passed = !(most > sliver * cast->depth) || (most <= cast->least_depth && advance_gap(pair, 0.0, &noise) < 0.0);
    return passed ? 0.0 : real_min(cast->depth, most);
}

/* Advances until the body is deep in the triangle, if it came from the front. */
static advance_end follow_to_depth(const cast_work *work, const moving_pair *pair, const cast_triangle *t) {
    double depth = depth_of(work, pair, t);
    if (!(depth > 0.0)) {
        return (advance_end){.outcome = ADVANCE_MISS};
    }
    advance_end at = advance_to_depth(pair, depth, end_of(work));
    at.outcome = at.outcome == ADVANCE_HIT && !is_in_front(work, pair, t, at.fraction) ? ADVANCE_MISS : at.outcome;
    return at;
}

/* Advances to the triangle. A body that rests on the mesh goes on from there, as often as it comes near the triangle again. */
static advance_end follow(const cast_work *work, const moving_pair *pair, const cast_triangle *t) {
    /* Directions between close points have large rounding errors, and gaps along them are too small by more than other rounding. */
    const double tolerance = work->cast->tolerance, level = work->level - 0.1 * tolerance, end = end_of(work);
    advance_end at = {.outcome = ADVANCE_PARTED};
    int32_t steps = 0;
    while (at.outcome == ADVANCE_PARTED) {
        at = advance_near(pair, at.fraction, tolerance, end);
        steps += at.steps;
        if (at.outcome == ADVANCE_HIT && !may_touch(work, pair, t, at.fraction)) {
            at.outcome = ADVANCE_MISS;
        } else if (at.outcome == ADVANCE_HIT && work->level < INFINITY) {
            at = advance_below(pair, at.fraction, tolerance, level, end);
            steps += at.steps;
        }
        at.outcome = at.outcome == ADVANCE_PARTED && steps > MOST_STEPS ? ADVANCE_LIMIT : at.outcome;
    }
    at.steps = steps;
    return at;
}

static bool meet(void *context, int32_t index, const abut_triangle *triangle) {
    cast_work *work = context;
    const mesh_cast *cast = work->cast;
    const abut_vec3 *c = triangle->corner;
    abut_aabb box = {{real_min(c[0].x, real_min(c[1].x, c[2].x)), real_min(c[0].y, real_min(c[1].y, c[2].y)),
                      real_min(c[0].z, real_min(c[1].z, c[2].z))},
                     {real_max(c[0].x, real_max(c[1].x, c[2].x)), real_max(c[0].y, real_max(c[1].y, c[2].y)),
                      real_max(c[0].z, real_max(c[1].z, c[2].z))}};
    abut_vec3 middle = cast->mesh->mesh->tree.middle;
    box = (abut_aabb){abut_sub(box.lower, middle), abut_sub(box.upper, middle)};
    if (!(entry(work, &box) < INFINITY)) {
        return true;
    }
    cast_triangle t;
    set_triangle(cast->mesh, cast->mesh_rotation, cast->mesh_pivot, cast->mesh_turn, index, triangle, &t);
    moving_pair pair = pair_of(work, &t);
    if (work->resting) {
        rest_on(work, &pair, &t);
        return true;
    }
    advance_end end = cast->depth > 0.0 ? follow_to_depth(work, &pair, &t) : follow(work, &pair, &t);
    work->touch->steps += end.steps;
    if (end.outcome == ADVANCE_LIMIT) {
        work->limit = real_min(work->limit, end.fraction);
    }
    if (end.outcome == ADVANCE_HIT) {
        double noise, gap = advance_gap(&pair, end.fraction, &noise);
        if (work->touch->outcome != ADVANCE_HIT || end.fraction < work->touch->fraction || gap < work->gap) {
            work->touch->outcome = ADVANCE_HIT;
            work->touch->fraction = end.fraction;
            work->touch->met = told_of(work, &pair, &t, end.fraction);
            work->gap = gap;
        }
    }
    return true;
}

/* ---- the hierarchy ---- */

static void against_mesh(cast_work *work) {
    const trimesh *mesh = work->cast->mesh->mesh;
    const packed_tree *tree = &mesh->tree;
    work->sweep = work->part == NULL ? mesh_sweep_of_plane(work->cast, work->plane.outward, work->plane.offset)
                                     : mesh_sweep_of_part(work->cast, &work->part->mover);
    int32_t stack[PACKED_DEPTH + 1], height = 0;
    stack[height++] = 0;
    while (height > 0) {
        int32_t at = stack[--height];
        const packed_node *node = &tree->node[at];
        abut_aabb box = packed_node_box(tree, at);
        if (!(entry(work, &box) < INFINITY)) {
            continue;
        }
        if (node->count > 0) {
            trimesh_of_leaf(mesh, (packed_leaf){node->first, node->count}, meet, work);
            continue;
        }
        abut_aabb left = packed_node_box(tree, at + 1), right = packed_node_box(tree, node->first);
        bool left_first = entry(work, &left) <= entry(work, &right);
        stack[height++] = left_first ? node->first : at + 1;
        stack[height++] = left_first ? at + 1 : node->first;
    }
}

/* ---- the body ---- */

static void against_triangles(cast_work *work) {
    const mesh_cast *cast = work->cast;
    cast_triangle own;
    abut_triangle corners;
    for (int32_t i = 0; i < cast->body->mesh->triangle_count; ++i) {
        trimesh_triangle(cast->body->mesh, i, &corners);
        set_triangle(cast->body, cast->body_rotation, cast->body_pivot, cast->body_turn, i, &corners, &own);
        cast_part part = {own.mover, own.inner, &own.flat, &own.seen};
        work->part = &part;
        against_mesh(work);
    }
}

/* The origin of the body's frame, from its pivot. */
static abut_vec3 origin_of_body(const mesh_cast *cast) { return abut_neg(abut_mat3_apply(cast->body_rotation, cast->body_pivot)); }

static abut_status against_parts(cast_work *work) {
    const mesh_cast *cast = work->cast;
    convex_parts parts;
    bool placed = convex_parts_place(cast->body, cast->body_rotation, origin_of_body(cast), &parts);
    for (int32_t i = 0; placed && i < parts.count; ++i) {
        cast_part part = {.mover = mover_make(&parts.part[i], cast->body_turn)};
        work->part = &part;
        against_mesh(work);
    }
    convex_parts_free(&parts);
    return placed ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
}

static abut_status against_all(cast_work *work) {
    work->part = NULL;
    if (work->plane.is_plane) {
        against_mesh(work);
        return ABUT_OK;
    }
    if (work->cast->body->kind == ABUT_SHAPE_TRIMESH) {
        against_triangles(work);
        return ABUT_OK;
    }
    return against_parts(work);
}

abut_status mesh_cast_find(const mesh_cast *cast, mesh_touch *touch) {
    *touch = (mesh_touch){.outcome = ADVANCE_MISS, .fraction = 1.0};
    cast_work work = {.cast = cast, .resting = true, .level = INFINITY, .limit = INFINITY, .touch = touch};
    if (cast->body->kind == ABUT_SHAPE_PLANE) {
        convex_parts_place(cast->body, cast->body_rotation, origin_of_body(cast), &work.plane);
    }
    abut_status status = cast->depth > 0.0 ? ABUT_OK : against_all(&work);
    if (status == ABUT_OK) {
        work.resting = false;
        status = against_all(&work);
    }
    if (work.limit < touch->fraction) {
        touch->outcome = ADVANCE_LIMIT;
        touch->fraction = work.limit;
    }
    return status;
}
