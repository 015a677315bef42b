/* Depth and admissible normals of a surface of several meshes: see surface.h. Set frame. */
#include "narrow/mesh/surface.h"

#include "base/elementary.h"
#include "base/real.h"

static const placed_mesh *mesh_of_part(const mesh_surface *surface, int32_t part) {
    if (part < surface->count && surface->mesh[part].part == part) {
        return &surface->mesh[part];
    }
    for (int32_t i = 0; i < surface->count; ++i) {
        if (surface->mesh[i].part == part) {
            return &surface->mesh[i];
        }
    }
    return &surface->mesh[0];
}

/* The outward direction at the closest point. Where the sum vanishes, because a sheet is folded on itself or has no face, the nearest
 * triangle's normal is used. */
static abut_vec3 outwards_of(const sounding *s) {
    const double gone = 1e-9;
    bool is_gone = abut_length_squared(s->at.outwards) <= gone * gone;
    return is_gone ? s->at.nearest.normal : s->at.outwards;
}

/* The solid angle under which a triangle is seen from the origin (Van Oosterom and Strackee), half of it; positive from behind. */
static double half_angle(abut_vec3 p, abut_vec3 q, abut_vec3 r) {
    double a = abut_length(p), b = abut_length(q), c = abut_length(r);
    return elementary_atan2(abut_dot(p, abut_cross(q, r)), a * b * c + abut_dot(p, q) * c + abut_dot(q, r) * a + abut_dot(r, p) * b);
}

bool mesh_surface_winds_round(const placed_mesh *placed, abut_vec3 point) {
    abut_vec3 seen = abut_add(abut_mat3_apply_transposed(placed->rotation, point), placed->centre);
    double sum = 0.0;
    for (int32_t i = 0; i < placed->mesh->triangle_count; ++i) {
        abut_triangle t;
        trimesh_triangle(placed->mesh, i, &t);
        sum += half_angle(abut_sub(t.corner[0], seen), abut_sub(t.corner[1], seen), abut_sub(t.corner[2], seen));
    }
    return sum > REAL_PI; /* 2 pi inside, 0 outside */
}

/* Whether a mesh is in front of the surface at the closest point. At the end of an open surface the outward direction may also come from the side of another
 * mesh that begins there; then the triangle itself tells. */
static bool is_seen(const mesh_surface *surface, const placed_mesh *from, const sounding *s, abut_vec3 outwards) {
    abut_vec3 away = abut_sub(mesh_place_point(from, from->mesh->tree.middle), s->at.closest);
    bool joins = surface->count > 1 && s->at.on_rim && s->at.distance <= s->at.same;
    return abut_dot(outwards, away) >= 0.0 || (joins && abut_dot(s->at.nearest.normal, away) > 0.0);
}

/* Finds the side of the surface on which the point lies, and the gap. s->at comes from mesh_point_find(). False if the surface is seen from
 * behind. */
static bool take_side(const mesh_surface *surface, const placed_mesh *from, abut_vec3 point, sounding *s) {
    mesh_point_look_around(surface, &s->at);
    const placed_mesh *placed = mesh_of_part(surface, s->at.nearest.part);
    const trimesh *mesh = placed->mesh;
    abut_vec3 outwards = outwards_of(s), away = abut_sub(point, s->at.closest);
    bool has_inside = mesh->closed && !mesh->two_sided;
    bool seen = has_inside || is_seen(surface, from, s, outwards);
    if (!seen && !mesh->two_sided) {
        return false;
    }
    outwards = seen ? outwards : abut_neg(outwards);
    bool behind = !(s->at.on_rim && !has_inside) && abut_dot(outwards, away) < 0.0;
    bool on_surface = s->at.distance <= s->at.same;
    if (has_inside && s->at.on_rim &&
        !on_surface) { /* triangles without a face are missing there, and the sum of the normals tells nothing */
        behind = mesh_surface_winds_round(placed, point);
    }
    s->gap = behind ? -s->at.distance : s->at.distance;
    s->normal = on_surface ? abut_unit(outwards) : abut_scale(behind ? -1.0 : 1.0, abut_unit(away));
    return abut_length_squared(s->normal) > 0.5; /* a point on an edge of a triangle without a face has no normal */
}

bool mesh_surface_sound(const mesh_surface *surface, const placed_mesh *from, abut_vec3 point, sounding *s) {
    return mesh_surface_sound_within(surface, from, point, INFINITY, s);
}

bool mesh_surface_sound_within(const mesh_surface *surface, const placed_mesh *from, abut_vec3 point, double limit, sounding *s) {
    return mesh_point_find(surface, point, limit, &s->at) && take_side(surface, from, point, s);
}

/* Squared distance of a point from the mesh's bounds; mesh frame. */
static double square_from_bounds(const trimesh *mesh, abut_vec3 point) {
    const packed_node *root = &mesh->tree.node[0];
    abut_vec3 seen = abut_scale(mesh->tree.scale, abut_sub(point, mesh->tree.middle));
    const double c[3] = {seen.x, seen.y, seen.z};
    double square = 0.0;
    for (int i = 0; i < 3; ++i) {
        double outside = real_max((double)root->lower[i] - c[i], c[i] - (double)root->upper[i]);
        square += outside > 0.0 ? outside * outside : 0.0;
    }
    return square / (mesh->tree.scale * mesh->tree.scale);
}

static bool is_near_mesh(const placed_mesh *mesh, abut_vec3 centre, double radius) {
    abut_vec3 seen = abut_add(abut_mat3_apply_transposed(mesh->rotation, centre), mesh->centre);
    return square_from_bounds(mesh->mesh, seen) <= radius * radius;
}

static bool is_near_bounds(const mesh_surface *surface, abut_vec3 centre, double radius) {
    bool near = false;
    if (surface->index == NULL) {
        for (int32_t i = 0; i < surface->count && !near; ++i) {
            near = is_near_mesh(&surface->mesh[i], centre, radius);
        }
        return near;
    }
    packed_near_walk walk;
    packed_leaf leaf;
    packed_near_begin(&walk, &surface->index->tree, centre);
    while (!near && packed_near_next(&walk, radius, &leaf)) {
        for (int32_t i = leaf.first; i < leaf.first + leaf.count && !near; ++i) {
            near = is_near_mesh(&surface->mesh[surface->index->order[i]], centre, radius);
        }
    }
    return near;
}

bool mesh_surface_is_near(const mesh_surface *surface, const placed_mesh *from, abut_vec3 centre, double radius, double deepest) {
    sounding s;
    if (!is_near_bounds(surface, centre, radius + deepest) || !mesh_point_find_any(surface, centre, radius + deepest, radius, &s.at)) {
        return false;
    }
    return s.at.distance <= radius || !take_side(surface, from, centre, &s) || s.gap <= radius;
}

void mesh_surface_gather(const mesh_surface *surface, abut_vec3 middle, double half, mesh_set *set) {
    mesh_set_init(set);
    abut_vec3 reach = abut_vec3_make(half, half, half);
    box_hits near;
    mesh_among_find(surface, middle, half, &near);
    for (int32_t i = 0; i < near.count; ++i) {
        const placed_mesh *mesh = &surface->mesh[box_hits_item(&near, i)];
        abut_vec3 seen = abut_mat3_apply_transposed(mesh->rotation, middle);
        mesh_set_gather(set, mesh, (abut_aabb){abut_sub(seen, reach), abut_add(seen, reach)});
    }
}

/* The body's extent along the mesh's axes, enlarged by `more`. */
static abut_aabb extent_in_mesh(const convex *body, const placed_mesh *mesh, double more) {
    const abut_mat3 m = mesh->rotation; /* its columns are the mesh's axes */
    double grown = more + body->radius;
    abut_aabb box;
    box.lower = abut_vec3_make(-convex_extent(body, abut_neg(m.x)) - grown, -convex_extent(body, abut_neg(m.y)) - grown,
                               -convex_extent(body, abut_neg(m.z)) - grown);
    box.upper = abut_vec3_make(convex_extent(body, m.x) + grown, convex_extent(body, m.y) + grown, convex_extent(body, m.z) + grown);
    return box;
}

/* The meshes near the body: its extent along any axes lies in the ball about its extent along the axes of the set. */
static void find_about(const mesh_surface *surface, const convex *body, double more, box_hits *near) {
    const placed_mesh along_set = {.rotation = abut_mat3_identity()};
    if (surface->index == NULL) {
        mesh_among_find(surface, body->position, 0.0, near); /* all */
        return;
    }
    abut_aabb box = extent_in_mesh(body, &along_set, more);
    mesh_among_find(surface, abut_lerp(box.lower, box.upper, 0.5), 0.5 * abut_distance_between(box.lower, box.upper), near);
}

void mesh_surface_gather_about(const mesh_surface *surface, const convex *body, double more, mesh_set *set) {
    mesh_set_init(set);
    box_hits near;
    find_about(surface, body, more, &near);
    for (int32_t i = 0; i < near.count; ++i) {
        const placed_mesh *mesh = &surface->mesh[box_hits_item(&near, i)];
        mesh_set_gather(set, mesh, extent_in_mesh(body, mesh, more));
    }
}

/* Cuts the part of a segment down to what lies in a box; *first and *last are its parameters. */
static void cut(abut_vec3 from, abut_vec3 way, const abut_aabb *box, double *first, double *last) {
    const double p[3] = {from.x, from.y, from.z}, w[3] = {way.x, way.y, way.z};
    const double lower[3] = {box->lower.x, box->lower.y, box->lower.z}, upper[3] = {box->upper.x, box->upper.y, box->upper.z};
    for (int i = 0; i < 3; ++i) {
        if (w[i] != 0.0) {
            double s = (lower[i] - p[i]) / w[i], t = (upper[i] - p[i]) / w[i];
            *first = real_max(*first, real_min(s, t));
            *last = real_min(*last, real_max(s, t));
        } else if (p[i] < lower[i] || p[i] > upper[i]) {
            *last = -INFINITY;
        }
    }
}

bool mesh_surface_find_about(const mesh_surface *surface, const convex *body, double slack, abut_vec3 from, abut_vec3 to,
                             abut_vec3 *point) {
    double first = 0.0, last = 1.0;
    for (int32_t i = 0; i < surface->count && first <= last; ++i) {
        const placed_mesh *mesh = &surface->mesh[i];
        abut_aabb box = extent_in_mesh(body, mesh, -slack);
        cut(abut_mat3_apply_transposed(mesh->rotation, from), abut_mat3_apply_transposed(mesh->rotation, abut_sub(to, from)), &box, &first,
            &last);
    }
    *point = abut_lerp(from, to, 0.5 * (first + last));
    return first <= last;
}

bool mesh_surface_admits(const mesh_surface *surface, abut_vec3 point, abut_vec3 normal, double sine, bool *out_of_memory) {
    double same = surface->same;
    mesh_set set;
    mesh_surface_gather(surface, point, same, &set);
    bool faced = false, fine = true;
    for (int32_t i = 0; i < set.count && fine; ++i) {
        const mesh_triangle *t = &set.items[i];
        if (!t->flat && mesh_set_holds(t, point, same)) {
            fine = !mesh_set_rises(t, point, normal, same, sine);
            faced = faced || t->two_sided || abut_dot(t->normal, normal) > 0.0;
        }
    }
    *out_of_memory = *out_of_memory || set.out_of_memory;
    mesh_set_free(&set);
    return fine && faced;
}
