#include "inputs.h"

#include <math.h>
#include <stdlib.h>

#include "geom/closest.h"

#define CELL 0.25
#define BUMPS 0.12
#define DEEPEST 0.03

/* Multiplicative congruential generator (Park and Miller): the same numbers on every machine. */
static double next_random(uint64_t *state) {
    *state = *state * 48271 % 2147483647;
    return (double)*state / 2147483647.0;
}

static void make_surface(mesh_set *set, int32_t cells, bool bumpy, uint64_t *random) {
    int32_t across = cells + 1;
    for (int32_t v = 0; v < set->vertex_count; v++) {
        double height = bumpy ? BUMPS * next_random(random) : 0.0;
        set->vertices[v] = abut_vec3_make(CELL * (v % across), CELL * (v / across), height);
    }
    int32_t *to = set->triangles;
    for (int32_t cell = 0; cell < cells * cells; cell++) {
        int32_t a = cell / cells * across + cell % cells, b = a + 1, c = b + across, d = a + across;
        const int32_t corners[6] = {a, b, c, a, c, d};
        for (int k = 0; k < 6; k++) {
            *to++ = corners[k];
        }
    }
}

/* The point of the mesh that is nearest to a point, by testing all triangles. */
static abut_vec3 nearest(const mesh_set *set, abut_vec3 p) {
    abut_vec3 best = set->vertices[0];
    for (int32_t t = 0; t < set->triangle_count; t++) {
        abut_vec3 a = set->vertices[set->triangles[3 * t]], b = set->vertices[set->triangles[3 * t + 1]],
                  c = set->vertices[set->triangles[3 * t + 2]];
        double w[3];
        closest_on_triangle(p, a, b, c, w);
        abut_vec3 q = abut_add_scaled(abut_add_scaled(abut_scale(w[0], a), w[1], b), w[2], c);
        best = abut_distance_between(p, q) < abut_distance_between(p, best) ? q : best;
    }
    return best;
}

static double lowest(const mesh_set *set, abut_quat rotation) {
    double least = 0.0;
    abut_vec3 up = abut_mat3_apply_transposed(abut_mat3_from_quat(rotation), abut_vec3_make(0, 0, 1));
    if (set->body == MESH_CAPSULE) {
        return -fabs(up.z) * set->half_length - set->radius;
    }
    if (set->body == MESH_BOX) {
        return -fabs(up.x) * set->half.x - fabs(up.y) * set->half.y - fabs(up.z) * set->half.z;
    }
    for (int i = 0; i < MESH_POINTS; i++) {
        double z = abut_quat_rotate(rotation, set->points[i]).z;
        least = z < least ? z : least;
    }
    return least;
}

/* Puts a sphere DEEPEST or less into the surface, from above, and any other body so that its lowest point is about as deep. */
static void place(mesh_set *set, int32_t i, double extent, const mesh_kind *kind, uint64_t *random) {
    double room = extent < 4.0 ? 0.25 * extent : 1.0;
    abut_vec3 at = {room + (extent - 2.0 * room) * next_random(random), room + (extent - 2.0 * room) * next_random(random), 0.0};
    abut_vec3 axis = {next_random(random) - 0.5, next_random(random) - 0.5, next_random(random) - 0.5};
    axis = kind->lying ? abut_vec3_make(0, 0, 1) : axis;
    abut_quat rotation = abut_quat_about(abut_unit(axis), 6.0 * next_random(random));
    double in = DEEPEST * next_random(random);
    set->normals[i] = abut_vec3_make(0, 0, kind->bumpy ? 0.0 : 1.0);
    if (set->body != MESH_SPHERE) {
        at.z = (kind->bumpy ? 0.5 * BUMPS : 0.0) - lowest(set, rotation) - in;
        set->poses[i] = (abut_pose){at, rotation};
        return;
    }
    at.z = BUMPS + set->radius;
    for (int k = 0; k < 30; k++) { /* lowers it until the nearest point has the required distance */
        at.z -= abut_distance_between(at, nearest(set, at)) - (set->radius - in);
    }
    set->normals[i] = abut_unit(abut_sub(at, nearest(set, at)));
    set->poses[i] = (abut_pose){at, abut_quat_identity()};
}

static bool make(mesh_set *set, const mesh_kind *kind, int32_t cells, int32_t count, uint64_t *random) {
    *set = (mesh_set){.name = kind->name,
                      .body = kind->body,
                      .radius = kind->body == MESH_CAPSULE ? 0.15 : 0.3,
                      .half_length = 0.2,
                      .half = {0.3, 0.25, 0.2},
                      .vertex_count = (cells + 1) * (cells + 1),
                      .triangle_count = 2 * cells * cells,
                      .count = count};
    set->vertices = calloc((size_t)set->vertex_count, sizeof *set->vertices);
    set->triangles = calloc((size_t)set->triangle_count, 3 * sizeof *set->triangles);
    set->poses = calloc((size_t)count, sizeof *set->poses);
    set->normals = calloc((size_t)count, sizeof *set->normals);
    if (!set->vertices || !set->triangles || !set->poses || !set->normals) {
        inputs_free(set);
        return false;
    }
    make_surface(set, cells, kind->bumpy, random);
    for (int i = 0; i < MESH_POINTS; i++) {
        abut_vec3 u = abut_unit(abut_vec3_make(next_random(random) - 0.5, next_random(random) - 0.5, next_random(random) - 0.5));
        set->points[i] = abut_vec3_make(0.3 * u.x, 0.25 * u.y, 0.2 * u.z);
    }
    return true;
}

bool inputs_make(mesh_set *set, const mesh_kind *kind, int32_t cells, int32_t count) {
    uint64_t random = 20;
    if (!make(set, kind, cells, count, &random)) {
        return false;
    }
    for (int32_t i = 0; i < count; i++) {
        place(set, i, CELL * cells, kind, &random);
    }
    return true;
}

void inputs_free(mesh_set *set) {
    free(set->vertices);
    free(set->triangles);
    free(set->poses);
    free(set->normals);
}
