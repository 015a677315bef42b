/*
 * Centroid, inscribed balls and mass of a polytope whose surface is complete. Shape frame.
 */

#include "base/memory.h"
#include "base/real.h"
#include "geom/inner_ball.h"
#include "shape/mass.h"
#include "shape/polytope.h"

/* Distances of the face planes from the point, measured to the faces' own vertices. */
static void plane_distances(const polytope *surface, abut_vec3 point, double *distances) {
    for (int32_t f = 0; f < surface->face_count; f++) {
        double distance = -INFINITY;
        for (int32_t i = surface->face_first[f]; i < surface->face_first[f + 1]; i++) {
            distance =
                real_max_number(distance, abut_dot(surface->normals[f], abut_sub(surface->vertices[surface->face_vertices[i]], point)));
        }
        distances[f] = distance;
    }
}

abut_status polytope_measure(polytope *surface, abut_mass *unit_mass) {
    double *distances = memory_allocate((size_t)surface->face_count, sizeof *distances);
    if (distances == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    *unit_mass = mass_of_polytope(surface);
    surface->centroid = unit_mass->centre;
    plane_distances(surface, surface->centroid, distances);
    double nearest = INFINITY;
    for (int32_t f = 0; f < surface->face_count; f++) {
        nearest = real_min_number(nearest, distances[f]);
    }
    surface->centroid_inradius = nearest;
    abut_vec3 shift;
    surface->inradius = inner_ball(surface->normals, distances, surface->face_count, 2.0 * surface->size, &shift);
    surface->inner_centre = abut_add(surface->centroid, shift);
    plane_distances(surface, surface->inner_centre, distances);
    surface->inner_is_point = inner_ball_is_held(surface->normals, distances, surface->face_count, surface->inradius);
    memory_release(distances);
    return ABUT_OK;
}

double polytope_depth_of(const polytope *surface, abut_vec3 point) {
    double depth = INFINITY;
    for (int32_t f = 0; f < surface->face_count; ++f) {
        depth = real_min(depth, surface->offsets[f] - abut_dot(surface->normals[f], point));
    }
    return depth;
}
