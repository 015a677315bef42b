#pragma once

#include <abut/shape.h>

/**
 * @file surface/recorded_shape.h
 * A shape as a recording keeps it and as pages draw it: the parameters and the surface of the shape, as flat arrays. Shape frame.
 */

/** One part of a recorded compound. */
typedef struct abut_recorded_part {
    int32_t shape;  /**< index into the recorded shapes; never a compound */
    abut_pose pose; /**< of the part in the compound's frame */
} abut_recorded_part;

/** A recorded shape. Its arrays belong to the recording, or to the list of the shape. Fields that its kind does not name are zero. */
typedef struct abut_recorded_shape {
    abut_kind kind;
    double radius;       /**< sphere, capsule, cylinder; cone: at -z */
    double top_radius;   /**< cylinder; cone: at +z */
    double height;       /**< cylinder, cone */
    double half_length;  /**< capsule */
    abut_vec3 normal;    /**< plane: outward, unit */
    double offset;       /**< plane: along the normal */
    abut_vec3 semi_axes; /**< ellipsoid, superquadric */
    double exponents[2]; /**< superquadric: e1, e2; zero also in older files, which have none */
    const abut_vec3
        *vertices; /**< box, polytope, trimesh, facetmesh; of smooth shapes, cylinders and cones points of the surface: [vertex_count] */
    int32_t vertex_count;
    int32_t face_count;
    const int32_t *face_first;    /**< [face_count + 1]: the corners of face f are face_vertices[face_first[f]] to face_first[f + 1] - 1 */
    const int32_t *face_vertices; /**< counter-clockwise seen from outside */
    /** facetmesh: radii of curvature, [face_count], each > 0, INFINITY for flat; NULL in older files, which have none */
    const double *radii;
    /** facetmesh: radii as given, [face_count], each > 0; NULL when they were estimated, and in older files */
    const double *given_radii;
    const abut_recorded_part *parts; /**< compound: [part_count] */
    int32_t part_count;
} abut_recorded_shape;
