/* The side that a two-sided triangle pushes to: see side.h. Set frame. */
#include "narrow/mesh/convex/side.h"

#include "base/real.h"

/* How much farther the body reaches behind the triangle's plane than above it. */
static double behind(const convex_work *work, const mesh_triangle *t) {
    return met_reach_above(work, abut_neg(t->normal), t->corner[0]) - met_reach_above(work, t->normal, t->corner[0]);
}

/* A difference that counts as none. It is wider than rounding errors, which differ among the triangles of one plane. */
static double tie_of(const convex_work *work, const mesh_triangle *t) {
    return mesh_set_rounding(t, work->middle, work->settings->rounding) + 1e-9 * work->body->size;
}

/* By how much the body's depth below the triangle's plane may be wrong because the triangle is narrow. Infinite without a face. */
static double doubt_of(const convex_work *work, const mesh_triangle *t) {
    double far = abut_distance_between(t->corner[0], work->middle) + work->body->size;
    return mesh_set_rounding(t, work->middle, work->settings->rounding) * far / mesh_triangle_width(t);
}

static bool is_other_way(const mesh_triangle *t, const mesh_triangle *other) { return abut_dot(t->normal, other->normal) < 0.0; }

/* Notes the widest triangle in the plane of one, if that of the last one is not in it. */
static const mesh_side *side_of(const convex_work *work, const mesh_triangle *t) {
    mesh_side *side = work->side;
    const mesh_triangle *widest = t;
    if (side->made && mesh_rim_is_coplanar(&side->widest, t, work->settings->surface.same)) {
        return side;
    }
    double most = mesh_triangle_width(t);
    mesh_parts_walk walk;
    mesh_parts_begin(&walk, work->parts, t);
    for (int32_t i = mesh_parts_next(&walk); i >= 0; i = mesh_parts_next(&walk)) {
        const mesh_triangle *other = &work->set->items[i];
        if (mesh_rim_is_coplanar(t, other, work->settings->surface.same)) {
            double width = mesh_triangle_width(other);
            bool before = width == most && other->part == widest->part && other->index < widest->index;
            widest = width > most || before ? other : widest;
            most = real_max(most, width);
        }
    }
    *side = (mesh_side){*widest, behind(work, widest) > tie_of(work, widest), true};
    return side;
}

/* The side of a triangle that cannot tell. */
static bool is_turned_with_plane(const convex_work *work, const mesh_triangle *t) {
    const mesh_side *side = side_of(work, t);
    return side->turned != is_other_way(t, &side->widest);
}

mesh_triangle mesh_side_turned(const convex_work *work, const mesh_triangle *t) {
    mesh_triangle turned = *t;
    if (t->flat) {
        return turned;
    }
    double more = behind(work, t), tie = tie_of(work, t);
    bool clear = fabs(more) > real_max(tie, doubt_of(work, t));
    if (clear ? more > 0.0 : is_turned_with_plane(work, t)) {
        mesh_triangle_turn(&turned);
    }
    return turned;
}

mesh_triangle mesh_side_best(const convex_work *work, const mesh_triangle *t) {
    const double enough = 1e-13 * work->body->size;
    if (doubt_of(work, t) <= enough) {
        return *t;
    }
    mesh_triangle best = side_of(work, t)->widest;
    if (is_other_way(t, &best)) {
        mesh_triangle_turn(&best);
    }
    return best;
}
