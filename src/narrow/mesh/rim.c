/* Ways out over edges and corners of a surface: see rim.h. */
#include "narrow/mesh/rim.h"

#include "base/real.h"
#include "narrow/mesh/triangle_body.h"
#include "narrow/normal/normal.h"

#define BEHIND 1e-6 /* sine of the angle by which a way may lead behind a triangle */

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
    return place->many;
}

/* Notes the normals at the place. False if a triangle there rises above the plane with that normal. */
static bool is_in_cone(const mesh_set *set, const mesh_triangle *of, abut_vec3 p, abut_vec3 normal, double same, place_normals *place) {
    double level = 1e-3 * same; /* small triangles, too, rise above a normal that leans by little */
    note(place, of->normal);
    place->behind = abut_dot(normal, of->normal) < -BEHIND;
    for (int32_t i = 0; i < set->count; ++i) {
        const mesh_triangle *t = &set->items[i];
        if (t->flat || !mesh_set_holds(t, p, same)) {
            continue;
        }
        if (mesh_set_rises(t, p, normal, level, FLAT_SINE)) {
            return false;
        }
        place->behind = place->behind || (!t->two_sided && abut_dot(normal, t->normal) < -BEHIND);
        note(place, t->two_sided && abut_dot(normal, t->normal) < 0.0 ? abut_neg(t->normal) : t->normal);
    }
    return true;
}

/* ---- where the surface ends ---- */

static bool meets(const convex *body, const convex *other, double rounding) {
    contact_normal normal;
    normal_settings settings = {.minimum = true};
    return contact_normal_find(body, other, &settings, &normal) && normal.gap < -rounding;
}

static bool meets_triangle(const convex *body, const mesh_triangle *t, double rounding) {
    triangle_body flat;
    triangle_body_set_any(&flat, t);
    return meets(body, &flat.body, rounding);
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

/* Whether the moved body meets a triangle of the set that it must not meet. */
static bool meets_more(const mesh_rim *rim, const mesh_set *set, const convex *moved, const mesh_triangle *of, abut_vec3 p,
                       abut_vec3 normal, bool over_border) {
    const double rounding = 1e-9 * rim->body->size, same = rim->surface->same, nearly_one = 1.0 - 1e-9;
    for (int32_t i = 0; i < set->count; ++i) {
        const mesh_triangle *t = &set->items[i];
        bool may_be_part = fabs(abut_dot(of->normal, t->normal)) > nearly_one;
        if (!(may_be_part || over_border) || t->flat || !mesh_set_rises(t, p, normal, same, FLAT_SINE)) {
            continue;
        }
        bool part = mesh_rim_is_coplanar(of, t, same);
        if ((part || over_border) && meets_triangle(moved, t, rounding) && (part || !meets_triangle(rim->body, t, 0.0))) {
            return true;
        }
    }
    return false;
}

static bool takes_out(mesh_rim *rim, const mesh_triangle *of, abut_vec3 p, abut_vec3 normal, double depth, bool over_border) {
    convex moved = *rim->body;
    moved.position = abut_add_scaled(moved.position, depth * (1.0 + 1e-9), normal);
    if (!over_border) {
        return !meets_more(rim, rim->set, &moved, of, p, normal, false);
    }
    mesh_set around;
    mesh_surface_gather(rim->surface, convex_inner_centre(&moved), 1.8 * moved.size, &around); /* the diagonal of its bounds */
    bool fine = !around.out_of_memory && !meets_more(rim, &around, &moved, of, p, normal, true);
    rim->out_of_memory = rim->out_of_memory || around.out_of_memory;
    mesh_set_free(&around);
    return fine;
}

mesh_rim_kind mesh_rim_judge(mesh_rim *rim, const mesh_triangle *of, abut_vec3 p, abut_vec3 normal, double depth) {
    if (is_parallel(abut_neg(of->normal), normal)) {
        return MESH_RIM_CLOSED; /* a two-sided triangle was turned to the other side */
    }
    double same = rim->surface->same;
    place_normals place = {.count = 0};
    bool fine;
    if (convex_depth_of(rim->body, p) >= 0.0) {
        fine = is_in_cone(rim->set, of, p, normal, same, &place); /* the set holds all triangles that the body's bounds meet */
    } else {
        mesh_set around;
        mesh_surface_gather(rim->surface, p, same, &around);
        fine = is_in_cone(&around, of, p, normal, same, &place);
        rim->out_of_memory = rim->out_of_memory || around.out_of_memory;
        mesh_set_free(&around);
    }
    if (!fine) {
        return MESH_RIM_CLOSED;
    }
    bool border = !is_spanned(&place, normal);
    if ((border && (place.behind || !reaches_over(rim->body, of, p, normal, same))) || !takes_out(rim, of, p, normal, depth, border)) {
        return MESH_RIM_CLOSED;
    }
    return border ? MESH_RIM_BORDER : MESH_RIM_EDGE;
}

/* Whether a triangle in the plane of t continues it beyond the side. */
static bool continues(const mesh_triangle *t, int side, const mesh_triangle *other, double same) {
    abut_vec3 from = t->corner[side], to = t->corner[(side + 1) % 3], out = abut_cross(abut_sub(to, from), t->normal);
    bool beyond = false;
    for (int i = 0; i < 3; ++i) {
        abut_vec3 way = abut_sub(other->corner[i], from);
        double height = abut_dot(out, way);
        beyond = beyond || (height > 0.0 && height * height > 1e-6 * abut_length_squared(out) * abut_length_squared(way));
    }
    return beyond && mesh_rim_is_coplanar(t, other, same) && mesh_set_holds(other, from, same) && mesh_set_holds(other, to, same);
}

int mesh_rim_outer_sides(mesh_rim *rim, const mesh_triangle *t) {
    int outer = 0;
    double same = rim->surface->same;
    for (int side = 0; side < 3; ++side) {
        mesh_set around;
        bool inner = false;
        mesh_surface_gather(rim->surface, abut_lerp(t->corner[side], t->corner[(side + 1) % 3], 0.5), same, &around);
        for (int32_t i = 0; i < around.count && !inner; ++i) {
            inner = continues(t, side, &around.items[i], same);
        }
        outer |= inner ? 0 : 1 << side;
        rim->out_of_memory = rim->out_of_memory || around.out_of_memory;
        mesh_set_free(&around);
    }
    return outer;
}
