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

static bool is_other_way(const mesh_triangle *t, const mesh_triangle *other) { return abut_dot(t->normal, other->normal) < 0.0; }

/* Notes the widest triangle in the plane of one. */
static void look_for_widest(const convex_work *work, mesh_side *side, const mesh_triangle *t) {
    const mesh_triangle *widest = t;
    double most = mesh_triangle_width(t);
    mesh_parts_walk walk;
    mesh_parts_begin(&walk, work->parts, t);
    for (int32_t i = mesh_parts_next(&walk); i >= 0; i = mesh_parts_next(&walk)) {
        const mesh_triangle *other = &work->set->items[i];
        if (mesh_rim_is_coplanar(t, other, work->settings->surface.same)) {
            double width = mesh_triangle_width(other);
            bool before = width == most && other < widest;
            widest = width > most || before ? other : widest;
            most = real_max(most, width);
        }
    }
    *side = (mesh_side){*widest, behind(work, widest) > tie_of(work, widest), true};
}

/* The side of a triangle that cannot tell. */
static bool is_turned_with_plane(const convex_work *work, mesh_side *side, const mesh_triangle *t) {
    if (!side->made || !mesh_rim_is_coplanar(&side->widest, t, work->settings->surface.same)) {
        look_for_widest(work, side, t);
    }
    return side->turned != is_other_way(t, &side->widest);
}

mesh_triangle mesh_side_turned(const convex_work *work, mesh_side *side, const mesh_triangle *t) {
    mesh_triangle turned = *t;
    if (t->flat) {
        return turned;
    }
    double more = behind(work, t), tie = tie_of(work, t);
    bool clear = fabs(more) > real_max(tie, met_doubt(work, t));
    if (clear ? more > 0.0 : is_turned_with_plane(work, side, t)) {
        mesh_triangle_turn(&turned);
    }
    return turned;
}
