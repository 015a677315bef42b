/* Triangles that only their own normal serves: see level.h. Set frame. */
#include "narrow/mesh/convex/level.h"

#include "base/real.h"

enum { WORTH_FLATS = 24 }; /* searches for a normal that cost as much as looking for the flat places of that many triangles, at least */

#define DIAGONAL 1.75     /* of a cube, over its side */
#define HARDLY 4e-10      /* of the body's size: a difference of depth that cannot make a normal that leans the better one */
#define SLACK 1e-6        /* of the body's size: error of the place at which a body is found lowest */
#define SAME_NORMAL 1e-12 /* sine */

void mesh_level_init(mesh_level *level, const mesh_set *set, const convex *body, double same) {
    bool few =
        set->count <= MESH_SET_FEW || body->shape->kind == ABUT_SHAPE_BOX; /* the test of a box tells at once which normal is the least */
    *level = (mesh_level){.body = body, .set = set, .same = same, .left = few ? INT32_MAX : WORTH_FLATS};
}

void mesh_level_free(mesh_level *level) { mesh_flats_free(&level->flats); }

static bool is_inside_flat(mesh_level *level, int32_t item) {
    const double widest = 1e-2;
    if (level->left == 0) {
        mesh_flats_make(&level->flats, level->set, level->same);
    }
    level->left -= level->left >= 0 && level->left < INT32_MAX;
    return level->flats.inside != NULL && level->flats.lean <= widest && level->flats.inside[item];
}

/* ---- depths ---- */

static double reach_along(const convex *body, abut_vec3 direction) { return convex_extent(body, direction) + body->radius; }

/* Whether the body is in the triangle by more than rounding errors, and the way over its front is clearly shorter than that to its back. */
static bool is_clearly_sunk(const mesh_level *level, const mesh_triangle *t, double depth) {
    const convex *body = level->body;
    const double clearly = body->core == CORE_SMOOTH ? 1e-3 : MESH_LEVEL_CLEARLY; /* the depth of a point in a smooth body is an estimate */
    const abut_vec3 *c = t->corner, middle = abut_scale(1.0 / 3.0, abut_add(c[0], abut_add(c[1], c[2])));
    double above = reach_along(body, t->normal) - abut_dot(t->normal, c[0]);
    return above - depth > 2.0 * DIAGONAL * level->flats.lean * body->size && convex_is_deeper(body, middle, clearly * body->size);
}

/* Whether the body reaches as deep over the whole triangle as at its lowest point. */
static bool is_deepest_all_over(const mesh_level *level, const mesh_triangle *t, double depth) {
    for (int i = 0; i < 3; ++i) {
        abut_vec3 below = abut_add_scaled(t->corner[i], HARDLY * level->body->size - depth, t->normal);
        if (!(convex_depth_of(level->body, below) >= 0.0)) {
            return false;
        }
    }
    double size = abut_length(abut_sub(t->corner[1], t->corner[0]));
    return size > level->flats.lean * depth;
}

/* ---- the lowest part of the body ---- */

/* An upper bound of the extent along a direction of the part that is lower than `height` over the lowest point, by Lagrange multipliers. */
static double extent_of_low_part(const convex *body, abut_vec3 normal, double height, abut_vec3 direction) {
    enum { FACTORS = 8 };
    double least = reach_along(body, direction), lowest = -reach_along(body, abut_neg(normal)), factor = 0.25;
    for (int i = 0; i < FACTORS; ++i, factor *= 4.0) {
        abut_vec3 leaning = abut_add_scaled(direction, -factor, normal);
        least = real_min(least, abut_length(leaning) * reach_along(body, abut_unit(leaning)) + factor * (lowest + height));
    }
    return least;
}

static void find_low_part(mesh_level *level, const mesh_triangle *t, double height) {
    level->normal = t->normal;
    abut_tangent_frame(t->normal, &level->first, &level->second);
    level->upper[0] = extent_of_low_part(level->body, t->normal, height, level->first);
    level->upper[1] = extent_of_low_part(level->body, t->normal, height, level->second);
    level->lower[0] = -extent_of_low_part(level->body, t->normal, height, abut_neg(level->first));
    level->lower[1] = -extent_of_low_part(level->body, t->normal, height, abut_neg(level->second));
}

/* Whether the part of the body that is nearly as low as its lowest point is beside the triangle, seen along the normal. */
static bool is_beside_low_part(mesh_level *level, const mesh_triangle *t, double depth) {
    const double size = level->body->size, more = level->flats.lean * depth + SLACK * size;
    if (!(abut_length_squared(abut_sub(t->normal, level->normal)) <= SAME_NORMAL * SAME_NORMAL)) {
        find_low_part(level, t, DIAGONAL * level->flats.lean * size + SLACK * size);
    }
    const abut_vec3 axis[2] = {level->first, level->second};
    for (int i = 0; i < 2; ++i) {
        double p = abut_dot(axis[i], t->corner[0]), q = abut_dot(axis[i], t->corner[1]), r = abut_dot(axis[i], t->corner[2]);
        if (real_min(p, real_min(q, r)) > level->upper[i] + more || real_max(p, real_max(q, r)) < level->lower[i] - more) {
            return true;
        }
    }
    return false;
}

bool mesh_level_has_only_own(mesh_level *level, int32_t item, const mesh_triangle *t) {
    if (!is_inside_flat(level, item)) {
        return false;
    }
    double depth = reach_along(level->body, abut_neg(t->normal)) + abut_dot(t->normal, t->corner[0]);
    return depth > 0.0 && is_clearly_sunk(level, t, depth) && (is_deepest_all_over(level, t, depth) || is_beside_low_part(level, t, depth));
}
