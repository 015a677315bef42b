/* Moves that end a zone: see ending.h. Set frame. */
#include "narrow/mesh/pair/ending.h"

#include "base/real.h"
#include "geom/triangles.h"
#include "narrow/mesh/pair/near_pairs.h"
#include "narrow/mesh/surface.h"
#include "shape/bounds.h"

typedef struct ending {
    const overlap *in;
    int32_t zone;
    int side; /* of the triangle that is moved */
    int32_t index;
    abut_vec3 corner[3];
    bool met;
} ending;

/* Whether the triangle crosses that one of the other mesh in another zone. */
static bool is_other_zone(const ending *of, int32_t index) {
    const overlap *in = of->in;
    for (int32_t i = 0; i < in->pair_count; ++i) {
        const overlap_pair *p = &in->pair[i];
        if (p->zone != of->zone && p->index[of->side] == of->index && p->index[1 - of->side] == index) {
            return true;
        }
    }
    return false;
}

/* Whether a triangle that crosses another one does so by more than solids lean. */
static bool is_deep(const ending *of, const abut_vec3 still[3]) {
    triangles_gap gap;
    if (!(of->in->lean > 0.0)) {
        return true;
    }
    triangles_closest(of->corner, still, &gap);
    triangles_set_direction(of->corner, still, &gap);
    return gap.along < -of->in->lean;
}

static bool meet_moved(void *context, int32_t index, const abut_triangle *triangle) {
    ending *of = context;
    const placed_mesh *other = of->in->mesh[1 - of->side];
    abut_vec3 t[3];
    (void)triangle;
    for (int32_t k = 0; k < 3; ++k) {
        t[k] = overlap_corner(other, 3 * index + k);
    }
    of->met = triangles_meet(of->corner, t) == TRIANGLES_CROSS && !is_other_zone(of, index) && is_deep(of, t);
    return !of->met;
}

static bool meets_moved(ending *of, abut_vec3 move, double rounding) {
    const placed_mesh *own = of->in->mesh[of->side], *other = of->in->mesh[1 - of->side];
    abut_vec3 seen[3], reach = abut_vec3_make(rounding, rounding, rounding);
    for (int32_t k = 0; k < 3; ++k) {
        of->corner[k] = abut_add(overlap_corner(own, 3 * of->index + k), move);
        seen[k] = abut_add(abut_mat3_apply_transposed(other->rotation, of->corner[k]), other->centre);
    }
    abut_aabb box = bounds_of_points(seen, 3);
    trimesh_in_box(other->mesh, (abut_aabb){abut_sub(box.lower, reach), abut_add(box.upper, reach)}, meet_moved, of);
    return of->met;
}

static bool is_inner_elsewhere(const overlap *in, int32_t zone, int side, int32_t vertex) {
    for (int32_t i = 0; i < in->zone_count; ++i) {
        if (i != zone && overlap_has(&in->name[side], i, vertex)) {
            return true;
        }
    }
    return false;
}

static bool is_corner_inside(const overlap *in, int32_t zone, int side, int32_t corner, abut_vec3 move, double same) {
    const placed_mesh *own = in->mesh[side];
    const mesh_surface other = {in->mesh[1 - side], 1, .same = same};
    sounding s;
    return mesh_surface_sound(&other, own, abut_add(overlap_corner(own, corner), move), &s) && s.gap < -same &&
           !is_inner_elsewhere(in, zone, side, own->mesh->corners[corner]);
}

/* Whether something of the zone is inside after a move by which it crosses nothing: the vertices that were inner ones tell, or the corners of its triangles. */
static bool is_left_inside(const overlap *in, int32_t zone, int side, abut_vec3 move, double same) {
    int32_t first, i, end;
    overlap_range(&in->vertex[side], zone, &first, &end);
    for (i = first; i < end; ++i) {
        if (is_corner_inside(in, zone, side, in->vertex[side].items[i].index, move, same)) {
            return true;
        }
    }
    if (end > first) {
        return false;
    }
    for (overlap_range(&in->triangle[side], zone, &i, &end); i < end; ++i) {
        for (int32_t c = 3 * in->triangle[side].items[i].index, k = 0; k < 3; ++k) {
            if (is_corner_inside(in, zone, side, c + k, move, same)) {
                return true;
            }
        }
    }
    return false;
}

static bool is_still_crossing(const overlap *in, int32_t zone, int side, abut_vec3 move, double rounding) {
    int32_t i, end;
    for (overlap_range(&in->triangle[side], zone, &i, &end); i < end; ++i) {
        ending of = {.in = in, .zone = zone, .side = side, .index = in->triangle[side].items[i].index};
        if (meets_moved(&of, move, 4.0 * rounding)) {
            return true;
        }
    }
    return false;
}

bool overlap_ends(const overlap *in, int32_t zone, abut_vec3 move, double rounding) {
    const abut_vec3 back = abut_neg(move);
    const double same = 8.0 * rounding + in->lean;
    return !is_still_crossing(in, zone, 0, move, rounding) && !is_still_crossing(in, zone, 1, back, rounding) &&
           !is_left_inside(in, zone, 0, move, same) && !is_left_inside(in, zone, 1, back, same);
}

/* ---- moving on ---- */

/*
 * How far a triangle that crosses another one must go along a direction until a plane separates the two; INFINITY: that direction leads nowhere. facet:
 * receives the plane's normal, on the moved side.
 */
static double way_past(const abut_vec3 moved[3], const abut_vec3 still[3], abut_vec3 along, abut_vec3 *facet) {
    const double parallel = 1e-12;
    abut_vec3 u[3], v[3], axis[11];
    int count = 2;
    for (int i = 0; i < 3; ++i) {
        u[i] = abut_sub(moved[(i + 1) % 3], moved[i]);
        v[i] = abut_sub(still[(i + 1) % 3], still[i]);
    }
    axis[0] = abut_cross(u[0], u[1]);
    axis[1] = abut_cross(v[0], v[1]);
    for (int i = 0; i < 9; ++i) {
        abut_vec3 p = u[i / 3], q = v[i % 3], across = abut_cross(p, q);
        if (abut_length_squared(across) > parallel * parallel * abut_length_squared(p) * abut_length_squared(q)) {
            axis[count++] = across;
        }
    }
    double least = INFINITY;
    for (int i = 0; i < count; ++i) {
        double speed = abut_dot(along, axis[i]), low = INFINITY, high = -INFINITY;
        abut_vec3 up = speed < 0.0 ? abut_neg(axis[i]) : axis[i];
        for (int k = 0; k < 3; ++k) {
            low = real_min(low, abut_dot(up, moved[k]));
            high = real_max(high, abut_dot(up, still[k]));
        }
        if (speed * speed > parallel * parallel * abut_length_squared(axis[i]) && high - low < least * fabs(speed)) {
            least = (high - low) / fabs(speed);
            *facet = up;
        }
    }
    return least;
}

/* The last triangles that a moving mesh leaves. */
typedef struct leaving_last {
    const overlap *in;
    ending_way *way;
    double on;
} leaving_last;

static bool leave_pair(void *context, const mesh_triangle *a, const mesh_triangle *b, double *reach) {
    (void)reach;
    leaving_last *last = context;
    const ending of = {.in = last->in, .corner = {a->corner[0], a->corner[1], a->corner[2]}};
    abut_vec3 facet = last->way->normal;
    if (triangles_meet(a->corner, b->corner) != TRIANGLES_CROSS || !is_deep(&of, b->corner)) {
        return true;
    }
    double past = way_past(a->corner, b->corner, last->way->normal, &facet);
    if (past > last->on) {
        last->on = past;
        last->way->facet = abut_unit(facet);
        last->way->triangle[0] = a->index;
        last->way->triangle[1] = b->index;
    }
    return true;
}

/* How far the mesh must go on after a move: 0 where nothing crosses. A long way can lead into other parts of the surface. */
static double way_on(const overlap *in, abut_vec3 move, ending_way *way) {
    placed_mesh moved = *in->mesh[0];
    leaving_last last = {in, way, 0.0};
    moved.centre = abut_sub(moved.centre, abut_mat3_apply_transposed(moved.rotation, move));
    mesh_near_pairs(&moved, in->mesh[1], 0.0, leave_pair, &last);
    return last.on;
}

bool overlap_is_free(const overlap *in, abut_vec3 move) {
    ending_way way = {.normal = abut_unit(move)};
    return in->zone_count != 1 || way_on(in, move, &way) == 0.0;
}

/* The same before any move, when the triangles that cross are known. Ends at the limit. */
static double way_at_first(const overlap *in, double limit, ending_way *way) {
    double on = 0.0;
    for (int32_t i = 0; i < in->pair_count && on < limit; ++i) {
        const int32_t *index = in->pair[i].index;
        abut_vec3 moved[3], still[3], facet = way->normal;
        for (int32_t k = 0; k < 3; ++k) {
            moved[k] = overlap_corner(in->mesh[0], 3 * index[0] + k);
            still[k] = overlap_corner(in->mesh[1], 3 * index[1] + k);
        }
        double past = way_past(moved, still, way->normal, &facet);
        if (past > on) {
            on = past;
            way->facet = abut_unit(facet);
            way->triangle[0] = index[0];
            way->triangle[1] = index[1];
        }
    }
    return on;
}

bool overlap_way_along(const overlap *in, double limit, double rounding, ending_way *way) {
    enum { ROUNDS = 64 };
    const double slack = 16.0 * rounding;
    way->length = way_at_first(in, limit, way);
    for (int round = 0; round < ROUNDS && way->length < limit; ++round) {
        double cleared = way->length * (1.0 + 1e-9) + slack;
        abut_vec3 move = abut_scale(cleared, way->normal);
        double on = way_on(in, move, way);
        if (on == 0.0) {
            return overlap_ends(in, 0, move, rounding);
        }
        way->length = cleared + on;
    }
    return false;
}
