#include "grains/heap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <abut/collide.h>
#include <abut/query.h>

#include "grains/bed.h"
#include "support/random.h"

static abut_shape *make_shape(const heap *h, double scale) {
    abut_vec3 *points = calloc((size_t)h->mesh.vertex_count, sizeof *points);
    abut_shape *shape = NULL;
    for (int32_t i = 0; points != NULL && i < h->mesh.vertex_count; i++) {
        points[i] = abut_scale(scale, h->mesh.vertices[i]);
    }
    if (points == NULL || abut_shape_create_hull(points, h->mesh.vertex_count, &shape) != ABUT_OK) {
        fprintf(stderr, "grains: a polyhedron of %d triangles could not be made\n", (int)h->mesh.triangle_count);
    }
    free(points);
    return shape;
}

static void measure_body(heap *h) {
    h->inradius = INFINITY;
    h->volume = 0.0;
    for (int32_t t = 0; t < h->mesh.triangle_count; t++) {
        const int32_t *c = &h->mesh.triangles[3 * t];
        abut_vec3 p = h->mesh.vertices[c[0]], q = h->mesh.vertices[c[1]], r = h->mesh.vertices[c[2]];
        abut_vec3 across = abut_cross(abut_sub(q, p), abut_sub(r, p));
        h->inradius = fmin(h->inradius, abut_dot(abut_unit(across), p));
        h->volume += abut_dot(across, p) / 6.0;
    }
}

/* ---- settling ---- */

static bool add_walls(abut_world *world, const heap *h) {
    const abut_vec3 normals[5] = {{0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    bool fine = true;
    for (int i = 0; i < 5 && fine; i++) {
        abut_body_def def = abut_body_def_default();
        abut_shape *plane = NULL;
        fine = abut_shape_create_plane(normals[i], i == 2 || i == 4 ? -h->side : 0.0, &plane) == ABUT_OK;
        def.kind = ABUT_BODY_STATIC;
        def.shape = plane;
        def.friction = 0.0;
        fine = fine && abut_world_add_body(world, &def, NULL) == ABUT_OK;
        abut_shape_release(plane);
    }
    return fine;
}

static bool add_bodies(abut_world *world, const heap *h, abut_body_id *ids) {
    abut_shape *shape = make_shape(h, 1.0);
    bool fine = shape != NULL;
    for (int32_t i = 0; i < h->count && fine; i++) {
        abut_body_def def = abut_body_def_default();
        def.shape = shape;
        def.pose = h->pose[i];
        def.density = bed_density;
        def.friction = 0.1;
        def.linear_damping = def.angular_damping = 5.0;
        fine = abut_world_add_body(world, &def, &ids[i]) == ABUT_OK;
    }
    abut_shape_release(shape);
    return fine;
}

static void scatter(heap *h) {
    const double spacing = 2.05 * bed_radius;
    int32_t across = (int32_t)ceil(cbrt(h->count) - 1e-9);
    random_state random = random_make(3);
    h->side = across * spacing;
    for (int32_t i = 0; i < h->count; i++) {
        int32_t x = i % across, y = i / across % across, z = i / across / across;
        h->pose[i].position = abut_vec3_make((x + 0.5) * spacing, (y + 0.5) * spacing, (z + 0.5) * spacing);
        h->pose[i].rotation = random_rotation(&random);
    }
}

static bool read_back(heap *h, const abut_world *world, const abut_body_id *ids) {
    h->top = 0.0;
    for (int32_t i = 0; i < h->count; i++) {
        abut_body_state state;
        if (abut_world_body_state(world, ids[i], &state) != ABUT_OK) {
            return false;
        }
        h->pose[i] = state.pose;
        h->top = fmax(h->top, state.centre.z + bed_radius);
    }
    return true;
}

static bool settle(heap *h) {
    enum { STEPS = 150 };
    abut_world_def def = abut_world_def_default();
    abut_body_id *ids = calloc((size_t)h->count, sizeof *ids);
    abut_world *world = NULL;
    bool fine = ids != NULL && abut_world_create(&def, &world) == ABUT_OK && add_walls(world, h) && add_bodies(world, h, ids);
    for (int i = 0; i < STEPS && fine; i++) {
        fine = abut_world_step(world, 0.004, NULL) == ABUT_OK;
    }
    fine = fine && read_back(h, world, ids);
    abut_world_destroy(world);
    free(ids);
    return fine;
}

bool heap_make(int32_t count, int level, heap *made) {
    *made = (heap){.count = count};
    made->pose = calloc((size_t)count, sizeof *made->pose);
    bool fine = made->pose != NULL && ball_mesh_make(level, abut_vec3_make(bed_radius, bed_radius, bed_radius), &made->mesh);
    if (fine) {
        measure_body(made);
        scatter(made);
        fine = settle(made);
    }
    if (!fine) {
        fprintf(stderr, "grains: no heap of %d polyhedra at rest\n", (int)count);
        heap_free(made);
    }
    return fine;
}

void heap_free(heap *h) {
    ball_mesh_free(&h->mesh);
    free(h->pose);
    *h = (heap){0};
}

double heap_neighbours(const heap *h, double shrunk, double reach) {
    abut_shape *shape = make_shape(h, shrunk);
    int32_t touching = 0;
    bool fine = shape != NULL;
    for (int32_t i = 0; i < h->count && fine; i++) {
        for (int32_t k = 0; k < i && fine; k++) {
            abut_separation d;
            if (abut_distance_between(h->pose[i].position, h->pose[k].position) < 2.0 * bed_radius + reach) {
                fine = abut_distance(&(abut_pair){shape, h->pose[i], shape, h->pose[k]}, NULL, NULL, &d) == ABUT_OK;
                touching += fine && d.gap < reach;
            }
        }
    }
    abut_shape_release(shape);
    return fine ? 2.0 * touching / h->count : -1.0;
}
