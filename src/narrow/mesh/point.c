/* Closest point of a mesh surface, and its angle-weighted normal there (Baerentzen and Aanaes): see point.h. */
#include "narrow/mesh/point.h"

#include <float.h>

#include "base/elementary.h"
#include "base/real.h"

typedef struct nearing {
    const placed_mesh *mesh;
    abut_vec3 point; /* mesh frame */
    double square;   /* squared distance to the closest point of all meshes so far */
    double enough;   /* a distance that ends the search */
    abut_vec3 closest;
    double weight[3];
    abut_triangle triangle;
    int32_t index;
    const placed_mesh *of; /* the mesh with that point; NULL: none yet */
} nearing;

/* Closest point of one triangle; mesh frame. */
static abut_vec3 closest_of(const trimesh *mesh, abut_vec3 to, const abut_triangle *t, double weight[3], bool *flat) {
    abut_vec3 across;
    *flat = trimesh_is_flat(mesh, t->corner, &across);
    if (*flat) {
        closest_on_longest_edge(to, t->corner, weight);
    } else {
        closest_on_triangle(to, t->corner[0], t->corner[1], t->corner[2], weight);
    }
    abut_vec3 closest = abut_scale(weight[0], t->corner[0]);
    return abut_add_scaled(abut_add_scaled(closest, weight[1], t->corner[1]), weight[2], t->corner[2]);
}

static void approach(void *context, int32_t index, const abut_triangle *t, double *limit) {
    nearing *near = context;
    double weight[3];
    bool flat;
    abut_vec3 closest = closest_of(near->mesh->mesh, near->point, t, weight, &flat);
    double square = abut_length_squared(abut_sub(near->point, closest));
    bool later = near->of != NULL && near->mesh > near->of, earlier = near->of != NULL && near->mesh < near->of;
    if (square > near->square || (square == near->square && (later || (!earlier && index > near->index)))) {
        return;
    }
    near->square = square;
    near->closest = closest;
    near->triangle = *t;
    near->index = index;
    near->of = near->mesh;
    for (int i = 0; i < 3; ++i) {
        near->weight[i] = weight[i];
    }
    *limit = sqrt(square);
    *limit = *limit <= near->enough ? 0.0 : *limit;
}

/* ---- the surface around the closest point ---- */

static abut_vec3 to_mesh(const placed_mesh *mesh, abut_vec3 place) {
    return abut_add(abut_mat3_apply_transposed(mesh->rotation, place), mesh->centre);
}

static abut_vec3 from_mesh(const placed_mesh *mesh, abut_vec3 place) {
    return abut_mat3_apply(mesh->rotation, abut_sub(place, mesh->centre));
}

/* A corner, or a point of a side, and its distance. */
typedef struct landmark {
    abut_vec3 place;
    double distance;
} landmark;

typedef struct settling {
    abut_vec3 point; /* mesh frame, like the landmarks */
    landmark corner, side;
} settling;

static void take_nearer(landmark *known, abut_vec3 place, abut_vec3 point) {
    double distance = abut_distance_between(place, point);
    if (distance < known->distance) {
        *known = (landmark){place, distance};
    }
}

static abut_vec3 closest_on_side(const abut_vec3 corner[3], int side, abut_vec3 point) {
    abut_vec3 from = corner[side], to = corner[(side + 1) % 3];
    return abut_lerp(from, to, closest_on_segment(point, from, to));
}

static bool is_near_sides(const abut_vec3 corner[3], abut_vec3 point, double reach) {
    bool near = false;
    for (int i = 0; i < 3; ++i) {
        near = near || abut_distance_between(closest_on_side(corner, i, point), point) < reach;
    }
    return near;
}

static bool find_landmarks(void *context, int32_t index, const abut_triangle *t) {
    (void)index;
    settling *at = context;
    for (int i = 0; i < 3; ++i) {
        take_nearer(&at->corner, t->corner[i], at->point);
        take_nearer(&at->side, closest_on_side(t->corner, i, at->point), at->point);
    }
    return true;
}

/* Snaps a point of the surface to the nearest corner within reach, else to the nearest point of a side within reach; else returns the point
 * itself. Set frame. Afterwards it is clear by a wide margin which triangles contain the point and which of them have it as a corner.
 * Without snapping, each triangle would decide for itself, and they could disagree. */
static abut_vec3 settle(const mesh_surface *surface, const mesh_point *found) {
    const double reach = 4.0 * found->same;
    landmark corner = {found->closest, reach}, side = corner;
    if (!is_near_sides(found->nearest.corner, found->closest, reach)) {
        return found->closest;
    }
    box_hits near;
    mesh_among_find(surface, found->closest, reach, &near);
    for (int32_t i = 0; i < near.count; ++i) {
        const placed_mesh *mesh = &surface->mesh[box_hits_item(&near, i)];
        settling at = {.point = to_mesh(mesh, found->closest)};
        at.corner.distance = corner.distance;
        at.side.distance = side.distance;
        trimesh_in_ball(mesh->mesh, at.point, reach, find_landmarks, &at);
        if (at.corner.distance < corner.distance) {
            corner = (landmark){from_mesh(mesh, at.corner.place), at.corner.distance};
        }
        if (at.side.distance < side.distance) {
            side = (landmark){from_mesh(mesh, at.side.place), at.side.distance};
        }
    }
    return corner.distance < reach ? corner.place : side.place;
}

typedef struct around {
    const placed_mesh *mesh;
    abut_vec3 point; /* mesh frame */
    double same;
    abut_vec3 outwards, spokes; /* sums, mesh frame */
} around;

/* The corner of a triangle at the point, or -1. *inside: the point lies on the face; otherwise on the side that *side receives. */
static int place_on(const abut_triangle *t, abut_vec3 point, double same, bool *inside, int *side) {
    double nearest = same;
    *inside = false;
    for (int i = 0; i < 3; ++i) {
        if (abut_distance_between(t->corner[i], point) <= same) {
            return i;
        }
    }
    *inside = true;
    for (int i = 0; i < 3; ++i) {
        double distance = abut_distance_between(closest_on_side(t->corner, i, point), point);
        if (distance <= nearest) {
            nearest = distance;
            *side = i;
            *inside = false;
        }
    }
    return -1;
}

/* Adds a triangle with a face that contains the point. Its angle there is a full turn on the face, half a turn on a side, and the corner's angle at a
 * corner. `spokes` sums the unit directions of its two sides from the point, first minus second. Around an inner point of the surface they
 * cancel, because the first side of one triangle is the second side of its neighbour. */
static void add_angle(around *at, const abut_triangle *t) {
    const double turn = 2.0 * REAL_PI;
    bool inside;
    int side = 0;
    int corner = place_on(t, at->point, at->same, &inside, &side);
    double angle = inside ? turn : 0.5 * turn;
    abut_vec3 first = abut_unit(abut_sub(t->corner[(side + 1) % 3], t->corner[side])), second = abut_neg(first);
    if (corner >= 0) {
        first = abut_unit(abut_sub(t->corner[(corner + 1) % 3], t->corner[corner]));
        second = abut_unit(abut_sub(t->corner[(corner + 2) % 3], t->corner[corner]));
        angle = elementary_atan2(abut_length(abut_cross(first, second)), abut_dot(first, second));
    }
    if (!inside) {
        at->spokes = abut_add(at->spokes, abut_sub(first, second));
    }
    abut_vec3 across = abut_cross(abut_sub(t->corner[1], t->corner[0]), abut_sub(t->corner[2], t->corner[0]));
    at->outwards = abut_add_scaled(at->outwards, angle, abut_unit(across));
}

static bool look(void *context, int32_t index, const abut_triangle *t) {
    (void)index;
    around *at = context;
    double weight[3];
    bool flat;
    abut_vec3 closest = closest_of(at->mesh->mesh, at->point, t, weight, &flat);
    if (!flat && abut_distance_between(closest, at->point) <= at->same) {
        add_angle(at, t);
    }
    return true;
}

static void set_around(mesh_point *found, abut_vec3 outwards, abut_vec3 spokes) {
    const double gone = 1e-6;
    found->outwards = outwards;
    found->on_rim = abut_length_squared(spokes) > gone * gone;
}

void mesh_point_look_around(const mesh_surface *surface, mesh_point *found) {
    abut_vec3 spokes = {0.0, 0.0, 0.0}, outwards = spokes, place = settle(surface, found);
    box_hits near;
    mesh_among_find(surface, place, found->same, &near);
    for (int32_t i = 0; i < near.count; ++i) {
        const placed_mesh *mesh = &surface->mesh[box_hits_item(&near, i)];
        around at = {.mesh = mesh, .same = found->same};
        at.point = to_mesh(mesh, place);
        trimesh_in_ball(mesh->mesh, at.point, at.same, look, &at);
        outwards = abut_add(outwards, abut_mat3_apply(mesh->rotation, at.outwards));
        spokes = abut_add(spokes, abut_mat3_apply(mesh->rotation, at.spokes));
    }
    set_around(found, outwards, spokes);
}

/* ---- the same with triangles that are known ---- */

static abut_triangle corners_of(const mesh_triangle *t) { return (abut_triangle){.corner = {t->corner[0], t->corner[1], t->corner[2]}}; }

static abut_vec3 settle_among(const mesh_triangle *const *near, int32_t count, const mesh_point *found) {
    const landmark far = {found->closest, 4.0 * found->same};
    settling at = {.point = found->closest, .corner = far, .side = far};
    if (!is_near_sides(found->nearest.corner, found->closest, far.distance)) {
        return found->closest;
    }
    for (int32_t i = 0; i < count; ++i) {
        const abut_triangle t = corners_of(near[i]);
        (void)find_landmarks(&at, 0, &t);
    }
    return at.corner.distance < far.distance ? at.corner.place : at.side.place;
}

void mesh_point_look_among(const mesh_triangle *const *near, int32_t count, mesh_point *found) {
    around at = {.point = settle_among(near, count, found), .same = found->same};
    double weight[3];
    for (int32_t i = 0; i < count; ++i) {
        const abut_triangle t = corners_of(near[i]);
        if (!near[i]->flat && abut_distance_between(mesh_set_closest(near[i], at.point, weight), at.point) <= at.same) {
            add_angle(&at, &t);
        }
    }
    set_around(found, at.outwards, at.spokes);
}

static abut_feature feature_of(const nearing *near) {
    const double *w = near->weight;
    int zeros = (w[0] == 0.0) + (w[1] == 0.0) + (w[2] == 0.0);
    abut_feature feature = {.kind = ABUT_FEATURE_FACE, .index = near->index, .part = near->of->part};
    if (zeros == 1) {
        feature.kind = ABUT_FEATURE_EDGE;
        feature.index = 3 * near->index + (w[2] == 0.0 ? 0 : w[0] == 0.0 ? 1 : 2);
    } else if (zeros == 2) {
        feature.kind = ABUT_FEATURE_VERTEX;
        feature.index = near->triangle.vertex[w[0] > 0.0 ? 0 : w[1] > 0.0 ? 1 : 2];
    }
    return feature;
}

/* Of the nearest points, that on the first mesh counts, in whatever order the meshes are looked at. */
static void approach_mesh(nearing *near, const placed_mesh *mesh, abut_vec3 point) {
    near->mesh = mesh;
    near->point = to_mesh(mesh, point);
    trimesh_near(mesh->mesh, near->point, sqrt(near->square), approach, near);
}

static void approach_all(nearing *near, const mesh_surface *surface, abut_vec3 point) {
    packed_near_walk walk;
    packed_leaf leaf;
    if (surface->index == NULL) {
        for (int32_t i = 0; i < surface->count; ++i) {
            approach_mesh(near, &surface->mesh[i], point);
        }
        return;
    }
    packed_near_begin(&walk, &surface->index->tree, point);
    while (packed_near_next(&walk, sqrt(near->square), &leaf)) {
        for (int32_t i = leaf.first; i < leaf.first + leaf.count; ++i) {
            approach_mesh(near, &surface->mesh[surface->index->order[i]], point);
        }
    }
}

bool mesh_point_find(const mesh_surface *surface, abut_vec3 point, double limit, mesh_point *found) {
    return mesh_point_find_any(surface, point, limit, -1.0, found);
}

bool mesh_point_find_any(const mesh_surface *surface, abut_vec3 point, double limit, double enough, mesh_point *found) {
    nearing near = {.square = limit * limit, .enough = enough, .index = INT32_MAX};
    approach_all(&near, surface, point);
    if (near.of == NULL) {
        return false;
    }
    const abut_vec3 *c = &near.closest;
    *found = (mesh_point){.distance = sqrt(near.square), .feature = feature_of(&near)};
    mesh_set_place(&found->nearest, near.of, near.index, &near.triangle);
    found->closest = from_mesh(near.of, near.closest);
    found->same = surface->same + 4.0 * DBL_EPSILON * (fabs(c->x) + fabs(c->y) + fabs(c->z));
    return true;
}
