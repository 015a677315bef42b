/* Ways out over edges and corners of a surface: see rim.h. */
#include "narrow/mesh/convex/rim.h"

#include "base/real.h"
#include "narrow/mesh/convex/cone.h"
#include "narrow/mesh/convex/triangle_body.h"
#include "narrow/normal/normal.h"

#define BEHIND 1e-6 /* sine of the angle by which a way may lead behind a triangle at the place */
#define LEVEL 1e-12 /* the same for the triangle that the way leads out of: it and the way are computed from the same numbers */

enum { NORMALS_MOST = 16 };

/* The triangles at a place, as far as their normals differ. */
typedef struct place_normals {
    abut_vec3 normal[NORMALS_MOST];
    int32_t count;
    bool many;   /* there are more */
    bool behind; /* one of them is seen from behind along the way out */
} place_normals;

static bool is_parallel(abut_vec3 p, abut_vec3 q) {
    return abut_dot(p, q) > 0.0 && abut_length_squared(abut_cross(p, q)) <= FLAT_SINE * FLAT_SINE;
}

static void note(place_normals *place, abut_vec3 normal) {
    for (int32_t i = 0; i < place->count; ++i) {
        if (is_parallel(place->normal[i], normal)) {
            return;
        }
    }
    if (place->count == NORMALS_MOST) {
        place->many = true;
    } else {
        place->normal[place->count++] = normal;
    }
}

/* Whether a normal is a combination of two others with weights of at least 0. */
static bool is_between(abut_vec3 normal, abut_vec3 p, abut_vec3 q) {
    abut_vec3 across = abut_cross(p, q);
    double square = abut_length_squared(across), lean = abut_dot(normal, across);
    return square > FLAT_SINE * FLAT_SINE && lean * lean <= FLAT_SINE * FLAT_SINE * square &&
           abut_dot(abut_cross(p, normal), across) >= -FLAT_SINE * square && abut_dot(abut_cross(normal, q), across) >= -FLAT_SINE * square;
}

static bool is_among(abut_vec3 normal, abut_vec3 p, abut_vec3 q, abut_vec3 r) {
    double volume = abut_dot(p, abut_cross(q, r)), least = -FLAT_SINE * fabs(volume), sign = volume > 0.0 ? 1.0 : -1.0;
    return fabs(volume) > FLAT_SINE * FLAT_SINE && sign * abut_dot(normal, abut_cross(q, r)) >= least &&
           sign * abut_dot(normal, abut_cross(r, p)) >= least && sign * abut_dot(normal, abut_cross(p, q)) >= least;
}

/* Whether the normal is a combination of the normals at the place, so that the surface need not end there. */
static bool is_spanned(const place_normals *place, abut_vec3 normal) {
    const abut_vec3 *n = place->normal;
    if (place->many) {
        return true;
    }
    for (int32_t i = 0; i < place->count; ++i) {
        if (is_parallel(n[i], normal)) {
            return true;
        }
        for (int32_t k = i + 1; k < place->count; ++k) {
            if (is_between(normal, n[i], n[k])) {
                return true;
            }
            for (int32_t l = k + 1; l < place->count; ++l) {
                if (is_among(normal, n[i], n[k], n[l])) {
                    return true;
                }
            }
        }
    }
    return false;
}

static void note_first(place_normals *place, const mesh_triangle *of, abut_vec3 normal) {
    note(place, of->normal);
    place->behind = abut_dot(normal, of->normal) < -LEVEL;
}

static void note_triangle(place_normals *place, const mesh_triangle *of, const mesh_triangle *t, abut_vec3 normal) {
    if (!place->many) {
        double lean = abut_dot(normal, t->normal);
        lean = t->two_sided && fabs(lean) <= BEHIND ? abut_dot(of->normal, t->normal) : lean; /* across the sheet its sign is rounding */
        place->behind = place->behind || (!t->two_sided && lean < -BEHIND);
        note(place, t->two_sided && lean < 0.0 ? abut_neg(t->normal) : t->normal);
    }
}

/* Notes the normals at the place. False if a triangle there rises above the plane with that normal, or climbs from it. With many normals it
 * does not matter which they are. */
static bool is_in_cone(const mesh_set *set, mesh_near *near, const mesh_triangle *of, abut_vec3 p, abut_vec3 normal, double same,
                       place_normals *place) {
    double level = MESH_RIM_LEVEL * same;
    note_first(place, of, normal);
    mesh_near_walk walk;
    mesh_near_begin(&walk, near, p, set->count);
    for (int32_t i = mesh_near_next(&walk); i >= 0; i = mesh_near_next(&walk)) {
        const mesh_triangle *t = &set->items[i];
        if (t->flat || !mesh_set_holds(t, p, same)) {
            continue;
        }
        if (mesh_set_rises(t, p, normal, level, FLAT_SINE) || mesh_set_climbs(t, p, normal, same)) {
            near->risen = i;
            return false;
        }
        note_triangle(place, of, t, normal);
    }
    return true;
}

/* The same for a place whose triangles are listed. *risen receives a triangle that rises or climbs; it stays if none does. */
static bool is_in_cone_at_hub(const mesh_hub *hub, const mesh_set *set, const mesh_triangle *of, abut_vec3 normal, double same,
                              int32_t *risen, place_normals *place) {
    int32_t found = mesh_hub_risen(hub, set, normal, MESH_RIM_LEVEL * same);
    found = found >= 0 ? found : mesh_hub_climbs(hub, set, normal, same);
    if (found >= 0) {
        *risen = found;
        return false;
    }
    note_first(place, of, normal);
    for (int32_t i = 0; i < hub->count && !place->many; ++i) {
        note_triangle(place, of, &set->items[hub->item[i]], normal);
    }
    return true;
}

/* The same for a place in the body. The set near the body has all triangles there. */
static bool is_in_cone_inside(const mesh_rim *rim, const mesh_triangle *of, abut_vec3 p, abut_vec3 normal, place_normals *place) {
    double same = rim->surface->same;
    if (mesh_hub_is_at(rim->hub, rim->set, rim->near, p, same)) {
        return is_in_cone_at_hub(rim->hub, rim->set, of, normal, same, &rim->near->risen, place);
    }
    return is_in_cone(rim->set, rim->near, of, p, normal, same, place);
}

/* The same for a place outside of the body. */
static bool is_in_cone_outside(mesh_rim *rim, const mesh_triangle *of, abut_vec3 p, abut_vec3 normal, place_normals *place) {
    double same = rim->surface->same;
    mesh_spot *spot = rim->spot;
    mesh_near near;
    mesh_spot_go_to(spot, rim->surface, p);
    mesh_near_init(&near, mesh_set_item, &spot->set, spot->set.count, 0.0, same); /* few questions need no tree */
    bool listed = mesh_hub_is_at(&spot->hub, &spot->set, &near, p, same);
    bool fine = listed ? is_in_cone_at_hub(&spot->hub, &spot->set, of, normal, same, &near.risen, place)
                       : is_in_cone(&spot->set, &near, of, p, normal, same, place);
    mesh_near_free(&near);
    rim->out_of_memory = rim->out_of_memory || spot->set.out_of_memory;
    return fine;
}

/* Looks around a place through the index of the triangles near the body. False if these need not be all, or are too many. */
static bool look_among(const mesh_rim *rim, mesh_point *at) {
    enum { MOST = 32 };
    const mesh_triangle *around[MOST];
    const double reach = MESH_POINT_AROUND * at->same;
    int32_t count = 0;
    if (rim->set->count <= MESH_SET_FEW || !convex_is_deeper(rim->body, at->closest, 2.0 * reach)) {
        return false;
    }
    mesh_near_walk walk;
    mesh_near_begin(&walk, rim->near, at->closest, rim->set->count);
    for (int32_t i = mesh_near_next(&walk); i >= 0; i = mesh_near_next(&walk)) {
        const mesh_triangle *t = &rim->set->items[i];
        if (mesh_set_holds(t, at->closest, reach)) {
            if (count == MOST) {
                return false;
            }
            around[count++] = t;
        }
    }
    mesh_point_look_among(around, count, at);
    return true;
}

/* Whether the surface goes on all around the place and is seen from its front along a direction. Then the direction is a normal, because no
 * triangle there rises above its plane. Where the slopes of a peak alternate, the normals of its triangles do not span all of these. Of one
 * plane or a ridge they span all. */
static bool is_in_front(const mesh_rim *rim, const place_normals *place, const mesh_triangle *of, abut_vec3 p, abut_vec3 normal) {
    const int32_t ridge = 2;
    const double gone = 1e-9; /* where a sheet is folded on itself, the sum of its normals vanishes up to rounding errors */
    const mesh_surface *surface = rim->surface;
    mesh_point at = {.closest = p, .nearest = *of, .same = surface->same};
    if (of->two_sided || place->count <= ridge) {
        return false;
    }
    if (!look_among(rim, &at)) {
        mesh_spot_look_around(rim->spot, surface, &at);
    }
    return !at.on_rim && abut_dot(at.outwards, normal) > gone;
}

/* ---- where the surface ends ---- */

static bool meets_triangle(const convex *body, const mesh_triangle *t, double rounding) {
    triangle_body flat;
    triangle_body_set_any(&flat, t);
    return mesh_beyond_overlap(body, &flat.body, rounding);
}

/* The body meets the edge or corner of the triangle that is extreme along the normal. */
static bool reaches_over(const convex *body, const mesh_triangle *of, abut_vec3 p, abut_vec3 normal, double same) {
    mesh_triangle side = *of;
    int32_t ends = 0;
    for (int i = 0; i < 3; ++i) {
        abut_vec3 way = abut_sub(of->corner[i], p);
        double height = abut_dot(normal, way);
        if (fabs(height) <= same || height * height <= FLAT_SINE * FLAT_SINE * abut_length_squared(way)) {
            side.corner[ends++] = of->corner[i];
        }
    }
    for (int i = ends; i > 0 && i < 3; ++i) {
        side.corner[i] = side.corner[i - 1];
    }
    side.flat = true;
    return ends > 0 && meets_triangle(body, &side, -CONTACT_ROUNDING * body->size);
}

/* ---- out of the whole flat part ---- */

bool mesh_rim_is_coplanar(const mesh_triangle *t, const mesh_triangle *other, double same) {
    if (other->flat || abut_length_squared(abut_cross(t->normal, other->normal)) > FLAT_SINE * FLAT_SINE ||
        (!other->two_sided && abut_dot(t->normal, other->normal) <= 0.0)) {
        return false;
    }
    for (int i = 0; i < 3; ++i) {
        abut_vec3 way = abut_sub(other->corner[i], t->corner[0]);
        if (fabs(abut_dot(t->normal, way)) > same + FLAT_SINE * abut_length(way)) {
            return false;
        }
    }
    return true;
}

/* A way out: the body moved along it, and where it begins. */
typedef struct moving_out {
    const mesh_rim *rim;
    convex moved;
    const mesh_triangle *of;
    abut_vec3 p, normal;
    const placed_mesh *mesh; /* while a mesh is searched */
} moving_out;

/* Whether the moved body meets a triangle that rises above the way's plane: one of the whole flat part, or one that the body did not meet. */
static bool is_met_by(const moving_out *out, const mesh_triangle *t, bool over_border) {
    const double rounding = 1e-9 * out->rim->body->size, same = out->rim->surface->same;
    out->rim->beyond->left -= 1.0;
    if (t->flat || !mesh_set_rises(t, out->p, out->normal, same, FLAT_SINE)) {
        return false;
    }
    bool part = mesh_rim_is_coplanar(out->of, t, same);
    out->rim->beyond->left -= part || over_border ? out->rim->beyond->compared : 0.0;
    return (part || over_border) && meets_triangle(&out->moved, t, rounding) && (part || !meets_triangle(out->rim->body, t, 0.0));
}

static bool meets_part(const moving_out *out) {
    mesh_parts_walk walk;
    mesh_parts_begin(&walk, out->rim->parts, out->of);
    for (int32_t i = mesh_parts_next(&walk); i >= 0; i = mesh_parts_next(&walk)) {
        if (is_met_by(out, &out->rim->set->items[i], false)) {
            return true;
        }
    }
    return false;
}

static bool is_not_met(void *context, int32_t index, const abut_triangle *triangle) {
    const moving_out *out = context;
    mesh_triangle t;
    mesh_set_place(&t, out->mesh, index, triangle);
    return !is_met_by(out, &t, true);
}

/* The moved body's bounds, along a mesh's axes and in its frame. */
static abut_aabb bounds_in(const convex *moved, const placed_mesh *mesh) {
    const abut_mat3 m = mesh->rotation;
    const double r = moved->radius + 1e-9 * moved->size;
    abut_vec3 lower = abut_vec3_make(-convex_extent(moved, abut_neg(m.x)) - r, -convex_extent(moved, abut_neg(m.y)) - r,
                                     -convex_extent(moved, abut_neg(m.z)) - r);
    abut_vec3 upper = abut_vec3_make(convex_extent(moved, m.x) + r, convex_extent(moved, m.y) + r, convex_extent(moved, m.z) + r);
    return (abut_aabb){abut_add(mesh->centre, lower), abut_add(mesh->centre, upper)};
}

static bool meets_any(moving_out *out) {
    const mesh_surface *surface = out->rim->surface;
    for (int32_t i = 0; i < surface->count; ++i) {
        out->mesh = &surface->mesh[i];
        if (!trimesh_in_box(out->mesh->mesh, bounds_in(&out->moved, out->mesh), is_not_met, out)) {
            return true;
        }
    }
    return false;
}

static bool takes_out(const mesh_rim *rim, const mesh_triangle *of, abut_vec3 p, abut_vec3 normal, double depth, bool over_border) {
    moving_out out = {.rim = rim, .moved = *rim->body, .of = of, .p = p, .normal = normal};
    out.moved.position = abut_add_scaled(out.moved.position, depth * (1.0 + 1e-9), normal);
    if (over_border && mesh_beyond_is_ready(rim->beyond, &out.moved)) {
        return !meets_part(&out) && !mesh_beyond_meets(rim->beyond, &out.moved, p, normal);
    }
    return over_border ? !meets_any(&out) : !meets_part(&out);
}

/* Whether a way leads behind every triangle at a place that is not close to the body's surface: the set then has all triangles there. Such a way is no
 * combination of their normals, and does not lead to their front. */
static bool leads_behind_all(const mesh_rim *rim, const mesh_triangle *of, abut_vec3 p, abut_vec3 normal) {
    const double clearly = 1e-3, around = 2.0 * MESH_POINT_AROUND * rim->surface->same;
    return !of->two_sided && abut_dot(normal, of->normal) < -clearly && convex_is_deeper(rim->body, p, around) &&
           mesh_facing_is_none(rim->facing, normal);
}

mesh_rim_kind mesh_rim_judge(mesh_rim *rim, const mesh_triangle *of, abut_vec3 p, abut_vec3 normal, double depth) {
    if (is_parallel(abut_neg(of->normal), normal)) {
        return MESH_RIM_CLOSED; /* a two-sided triangle was turned to the other side */
    }
    double same = rim->surface->same;
    place_normals place = {.count = 0};
    mesh_cone_set in = {rim->set, rim->near, rim->hub, rim->edges, same, MESH_RIM_LEVEL * same};
    if (mesh_cone_is_closed(&in, of, p, normal, MESH_RIM_LEVEL * same)) {
        return MESH_RIM_CLOSED;
    }
    if (leads_behind_all(rim, of, p, normal)) {
        return MESH_RIM_CLOSED;
    }
    bool inside = convex_depth_of(rim->body, p) >= 0.0;
    bool fine = inside ? is_in_cone_inside(rim, of, p, normal, &place) : is_in_cone_outside(rim, of, p, normal, &place);
    if (!fine) {
        return MESH_RIM_CLOSED;
    }
    bool border = !is_spanned(&place, normal) && !is_in_front(rim, &place, of, p, normal);
    if ((border && (place.behind || !reaches_over(rim->body, of, p, normal, same))) || !takes_out(rim, of, p, normal, depth, border)) {
        return MESH_RIM_CLOSED;
    }
    return border ? MESH_RIM_BORDER : MESH_RIM_EDGE;
}

/* Whether a triangle in the plane of t continues it beyond the side. Slender triangles do, too. */
static bool continues(const mesh_triangle *t, int side, const mesh_triangle *other, double same) {
    const double sine = 1e-5;
    abut_vec3 from = t->corner[side], to = t->corner[(side + 1) % 3], out = abut_cross(abut_sub(to, from), t->normal);
    bool beyond = false;
    for (int i = 0; i < 3; ++i) {
        abut_vec3 way = abut_sub(other->corner[i], from);
        double height = abut_dot(out, way);
        beyond = beyond || (height > 0.0 && height * height > sine * sine * abut_length_squared(out) * abut_length_squared(way));
    }
    return beyond && mesh_rim_is_coplanar(t, other, same) && mesh_set_holds(other, from, same) && mesh_set_holds(other, to, same);
}

/* Whether one of the triangles near the body continues the plane beyond a side. All that do contain the point of the side and lie in the
 * plane. So the search that ends first has found them all. */
static bool is_continued_at(const mesh_rim *rim, const mesh_triangle *t, int side, abut_vec3 point) {
    double same = rim->surface->same;
    const mesh_triangle *items = rim->set->items;
    mesh_near_walk at;
    mesh_parts_walk in;
    mesh_near_begin(&at, rim->near, point, rim->set->count);
    mesh_parts_begin(&in, rim->parts, t);
    for (;;) {
        int32_t i = mesh_parts_next(&in), k = -1;
        bool near = i >= 0 && mesh_near_step(&at, &k);
        if (k < 0) {
            return i >= 0 && continues(t, side, &items[i], same);
        }
        if (continues(t, side, &items[i], same) || (near && continues(t, side, &items[k], same))) {
            return true;
        }
    }
}

/* The same for any triangle of the surface. */
static bool is_continued(mesh_rim *rim, const mesh_triangle *t, int side) {
    double same = rim->surface->same;
    mesh_set around;
    bool inner = false;
    mesh_surface_gather(rim->surface, abut_lerp(t->corner[side], t->corner[(side + 1) % 3], 0.5), same, &around);
    for (int32_t i = 0; i < around.count && !inner; ++i) {
        inner = continues(t, side, &around.items[i], same);
    }
    *rim->gathered += around.count;
    rim->out_of_memory = rim->out_of_memory || around.out_of_memory;
    mesh_set_free(&around);
    return inner;
}

static bool is_continued_across(const mesh_rim *rim, const mesh_triangle *t, int side) {
    int32_t item = mesh_edges_beyond(rim->edges, t, side);
    return item >= 0 && continues(t, side, &rim->set->items[item], rim->surface->same);
}

/* The neighbour across a side is asked first. When gathering triangles has cost as much as the indices, these are asked. */
static bool is_inner(mesh_rim *rim, const mesh_triangle *t, int side) {
    enum { WORTH_INDICES = 16 };
    const mesh_set *set = rim->set;
    abut_vec3 point;
    if (is_continued_across(rim, t, side)) {
        return true;
    }
    bool inside =
        set->count > MESH_SET_FEW && *rim->gathered > (int64_t)WORTH_INDICES * set->count &&
        mesh_surface_find_about(rim->surface, rim->body, 2.0 * rim->surface->same, t->corner[side], t->corner[(side + 1) % 3], &point);
    return inside ? is_continued_at(rim, t, side, point) : is_continued(rim, t, side);
}

int mesh_rim_outer_sides(mesh_rim *rim, const mesh_triangle *t) {
    int outer = 0;
    for (int side = 0; side < 3; ++side) {
        outer |= is_inner(rim, t, side) ? 0 : 1 << side;
    }
    return outer;
}

int mesh_rim_open_sides(const mesh_rim *rim, const mesh_triangle *t) {
    int open = 0;
    for (int side = 0; side < 3; ++side) {
        open |= is_continued_across(rim, t, side) ? 0 : 1 << side;
    }
    return open;
}
