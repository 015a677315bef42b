/* The cone of normals of a triangle surface at a point of one of its triangles. Set frame; normals point out of the surface. */
#include "narrow/mesh/convex/cone.h"

#include "base/real.h"

#define SAME_DIRECTION 0.017452406437283512 /* sine of one degree: a normal closer than this to the triangle's counts as the triangle's */

bool mesh_cone_is_behind(const mesh_triangle *t, abut_vec3 normal) {
    return !t->two_sided && abut_dot(normal, t->normal) < -SAME_DIRECTION;
}

static bool is_within(const mesh_triangle *t, abut_vec3 normal, double sine) {
    return abut_dot(normal, t->normal) > 0.0 && abut_length_squared(abut_cross(normal, t->normal)) <= sine * sine;
}

bool mesh_cone_is_own(const mesh_triangle *t, abut_vec3 normal) { return is_within(t, normal, SAME_DIRECTION); }

bool mesh_cone_is_own_within(const mesh_triangle *t, abut_vec3 normal, double sine) {
    return is_within(t, normal, real_max(sine, SAME_DIRECTION));
}

bool mesh_cone_is_exactly_own(const mesh_triangle *t, abut_vec3 normal) { return is_within(t, normal, FLAT_SINE); }

static bool rises(const mesh_cone_set *in, int32_t item, abut_vec3 p, abut_vec3 normal, double level) {
    const mesh_triangle *t = &in->set->items[item];
    return !t->flat && mesh_set_rises(t, p, normal, level, FLAT_SINE) && mesh_set_holds(t, p, in->same);
}

/* The side of the next triangle about a vertex, after a triangle was entered through the side from the vertex to `from`. */
static int next_side(const mesh_triangle *t, int32_t vertex, int32_t from) {
    int corner = t->vertex[0] == vertex ? 0 : t->vertex[1] == vertex ? 1 : 2;
    return t->vertex[(corner + 1) % 3] == from ? (corner + 2) % 3 : corner;
}

/* Whether a triangle rises among those beyond a side, and among those that follow about the side's end `corner`, at most `most`. */
static bool rises_beyond(const mesh_cone_set *in, const mesh_triangle *of, int side, int corner, int most, abut_vec3 p, abut_vec3 normal,
                         double level) {
    int32_t vertex = of->vertex[corner];
    const mesh_triangle *t = of;
    for (int i = 0; i < most; ++i) {
        int32_t item = mesh_edges_beyond(in->edges, t, side);
        if (item < 0) {
            return false;
        }
        if (rises(in, item, p, normal, level)) {
            in->near->risen = item;
            return true;
        }
        int32_t from = t->vertex[side] == vertex ? t->vertex[(side + 1) % 3] : t->vertex[side];
        t = &in->set->items[item];
        side = next_side(t, vertex, from);
    }
    return false;
}

bool mesh_cone_is_closed(const mesh_cone_set *in, const mesh_triangle *of, abut_vec3 p, abut_vec3 normal, double level) {
    enum { FEW = 6 }; /* half of the triangles about a vertex, mostly */
    if (in->near->risen >= 0 && rises(in, in->near->risen, p, normal, level)) {
        return true;
    }
    for (int i = 0; i < 3; ++i) {
        if (abut_length_squared(abut_sub(of->corner[i], p)) <= in->same * in->same) {
            return rises_beyond(in, of, i, i, FEW, p, normal, level) || rises_beyond(in, of, (i + 2) % 3, i, FEW, p, normal, level);
        }
    }
    return rises_beyond(in, of, 0, 0, 1, p, normal, level) || rises_beyond(in, of, 1, 1, 1, p, normal, level) ||
           rises_beyond(in, of, 2, 2, 1, p, normal, level);
}

/* Whether a triangle rises at both ends of a segment by twice as much as it must. Height and distance are linear and convex along the segment,
 * so it rises at all points between, despite their rounding errors. */
static bool rises_along(const mesh_cone_set *in, const mesh_triangle *t, const abut_vec3 end[2], abut_vec3 normal, double level) {
    const double twice = 2.0;
    for (int i = 0; i < 3; ++i) {
        abut_vec3 first = abut_sub(t->corner[i], end[0]), last = abut_sub(t->corner[i], end[1]);
        double height = real_min(abut_dot(normal, first), abut_dot(normal, last));
        double square = real_max(abut_length_squared(first), abut_length_squared(last));
        if (height > twice * level && height * height > twice * twice * FLAT_SINE * FLAT_SINE * square) {
            return mesh_set_holds(t, end[0], 0.5 * in->same) && mesh_set_holds(t, end[1], 0.5 * in->same);
        }
    }
    return false;
}

bool mesh_cone_is_closed_along(const mesh_cone_set *in, const mesh_triangle *of, int side, abut_vec3 normal, double level) {
    const abut_vec3 end[2] = {of->corner[side], of->corner[(side + 1) % 3]};
    int32_t item = mesh_edges_beyond(in->edges, of, side);
    return item >= 0 && !in->set->items[item].flat && rises_along(in, &in->set->items[item], end, normal, level);
}

/* Adds the corners of the triangles beyond a side, and of those that follow about the side's end `corner`. */
static void look_beyond(mesh_edges *edges, const mesh_triangle *of, int side, int corner, mesh_ways_beside *beside) {
    enum { MOST = MESH_WAYS_BESIDE / 2 };
    int32_t vertex = of->vertex[corner];
    const mesh_triangle *t = of;
    int own = side; /* of `of`, that was crossed */
    for (int i = 0; i < MOST; ++i) {
        int32_t item = mesh_edges_beyond(edges, t, side);
        if (item < 0 || edges->set->items[item].flat) {
            return;
        }
        int32_t from = t->vertex[side] == vertex ? t->vertex[(side + 1) % 3] : t->vertex[side];
        t = &edges->set->items[item];
        int at = t->vertex[0] == vertex ? 0 : t->vertex[1] == vertex ? 1 : 2, next = (at + 1) % 3;
        int far = t->vertex[next] == from ? (at + 2) % 3 : next;
        beside->way[corner][beside->count[corner]++] = abut_sub(t->corner[far], of->corner[corner]);
        if (i == 0) {
            beside->across[own] = t->corner[far];
            beside->has_across[own] = true;
        }
        side = next_side(t, vertex, from);
    }
}

void mesh_cone_look_beside(mesh_edges *edges, const mesh_triangle *of, double level, mesh_ways_beside *beside) {
    beside->level = level;
    for (int i = 0; i < 3; ++i) {
        beside->count[i] = 0;
        beside->has_across[i] = false;
    }
    for (int i = 0; i < 3; ++i) {
        look_beyond(edges, of, i, i, beside);
        look_beyond(edges, of, (i + 2) % 3, i, beside);
    }
}

/* Whether a triangle of the set contains p and rises by more than rounding errors. */
static bool rises_at(const mesh_cone_set *in, int32_t item, abut_vec3 p, abut_vec3 normal) {
    if (mesh_set_rises_at(&in->set->items[item], p, normal, in->rounding, in->same)) {
        in->near->risen = item;
        return true;
    }
    return false;
}

/* The same for those listed at the hub. Its tree knows at once those that rise clearly; mostly one does. */
static bool rises_at_hub(const mesh_cone_set *in, abut_vec3 p, abut_vec3 normal) {
    int32_t risen = mesh_hub_risen(in->hub, in->set, normal, in->same);
    if (risen >= 0) {
        in->near->risen = risen;
        return true;
    }
    for (int32_t i = 0; i < in->hub->count; ++i) {
        if (rises_at(in, in->hub->item[i], p, normal)) {
            return true;
        }
    }
    return false;
}

bool mesh_cone_admits(const mesh_cone_set *in, const mesh_triangle *of, abut_vec3 p, abut_vec3 normal) {
    if (mesh_cone_is_closed(in, of, p, normal, in->same)) {
        return false;
    }
    if (mesh_hub_is_at(in->hub, in->set, in->near, p, in->same)) {
        return !rises_at_hub(in, p, normal);
    }
    mesh_near_walk walk;
    mesh_near_begin(&walk, in->near, p, in->set->count);
    for (int32_t i = mesh_near_next(&walk); i >= 0; i = mesh_near_next(&walk)) {
        if (rises_at(in, i, p, normal)) {
            return false;
        }
    }
    return true;
}
