#pragma once

#include <abut/base.h>
#include <abut/math.h>

/**
 * @file facet.h
 * Contacts of rounded triangles (facets): the pieces of the curved surfaces of granular bodies. docs/methods/dem.md explains them with pictures.
 *
 * A curved surface is a mesh of triangles, each with a radius of curvature. A triangle represents a part of a sphere through its corners, its
 * *encompassing sphere*. Two facets touch when their spheres overlap. The spheres intersect in the *contact circle*, whose plane is the contact
 * plane. Both triangles are projected onto this plane. The polygon in which the projections overlap is the share of the contact that belongs to
 * these two facets (B. Smeets, T. Odenthal, S. Vanmaercke, H. Ramon, "Modeling contact interactions between triangulated rounded bodies for the
 * discrete element method", 2015, and its supplementary information 1).
 *
 * Two flat facets have no spheres. Their contact plane bisects the angle between them, and its normal n points along n_b - n_a, the difference of their
 * outward normals. Over the common polygon of both projections their overlap is linear. It is not limited by a circle.
 *
 * Conventions: world frame; the normal is unit and points from B into A; gaps are negative where the surfaces overlap, as in contact.h. Every
 * function is a pure function of its inputs. Lengths may range from about 1e-50 to 1e50.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** A rounded triangle. */
typedef struct abut_facet {
    abut_vec3 corner[3]; /**< corners, counter-clockwise seen from outside [length] */
    double radius;       /**< radius of curvature, > 0; INFINITY: flat. A radius below that of the circle through the corners counts as the radius
                              of that circle [length] */
} abut_facet;

/** Encompassing sphere of a facet. */
typedef struct abut_facet_sphere {
    abut_vec3 centre; /**< centre of the sphere: the centre of the circle through the corners, moved inward by sqrt(R^2 - r^2), where r is the
                           radius of that circle; for a flat facet the centre of that circle */
    double radius;    /**< radius R of the sphere; INFINITY for a flat facet [length] */
    abut_vec3 normal; /**< outward unit normal of the triangle */
} abut_facet_sphere;

/**
 * Compute the encompassing sphere of a facet.
 *
 * @param facet   never NULL
 * @param sphere  written on ABUT_OK; never NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL or a radius that is not > 0; ABUT_ERROR_NOT_FINITE for corners that are not finite;
 *         ABUT_ERROR_DEGENERATE for corners on one line
 */
ABUT_API abut_status abut_facet_make_sphere(const abut_facet *facet, abut_facet_sphere *sphere);

/** Relation of two rounded surfaces. */
typedef enum abut_facet_relation {
    ABUT_FACET_NONE,       /**< no result: see the status */
    ABUT_FACET_CONTACT,    /**< the surfaces are in contact */
    ABUT_FACET_APART,      /**< the spheres do not overlap */
    ABUT_FACET_TURNED,     /**< one facet does not face the other: the angle of its outward normal to the axis is a right angle or more */
    ABUT_FACET_BESIDE,     /**< the spheres overlap elsewhere: the projected triangles have no common area within the contact circle */
    ABUT_FACET_ENGULFED,   /**< too deep for this theory: the centre of one sphere is beyond the contact plane, so this sphere is inside the other
                                one past its own equator. For facets of a body (facetmesh.h) also: the overlap exceeds half of the body's
                                thickness */
    ABUT_FACET_COINCIDENT  /**< the centres are nearer to each other than 1e-10 of the sum of the radii, so there is no axis */
} abut_facet_relation;

/** Contact of two rounded surfaces. Fields without a meaning for the relation are 0. */
typedef struct abut_facet_contact {
    abut_status status;           /**< ABUT_OK; in batches the status of this pair: on an error all other fields are zero */
    abut_facet_relation relation; /**< for ABUT_FACET_CONTACT all fields are set */
    abut_vec3 normal;             /**< unit, from B into A, along the line of the centres of the spheres; also set for the other relations, except
                                       ABUT_FACET_COINCIDENT, and ABUT_FACET_TURNED of two flat facets */
    double sphere_gap;            /**< gap of the two spheres, negative when they overlap; of two flat facets the least gap over the polygon; set as
                                       `normal` [length] */
    double radius;                /**< effective radius 1 / (1 / R_a + 1 / R_b); INFINITY for two flat facets; set as `normal` [length] */
    abut_vec3 centre;             /**< centre of the contact circle; of two flat facets the contact point */
    double circle_radius;         /**< radius of the contact circle; 0 for two flat facets [length] */
    abut_vec3 point;              /**< contact point: the point of the polygon nearest to the centre, where the overlap is largest; of two flat facets
                                       the centre of the overlap, which is that of the pressure */
    double offset;                /**< distance of the contact point from the centre, >= 0 [length] */
    double gap;                   /**< gap of the two surfaces at the contact point, with a saddle of the spheres; negative, except for the functions with a
                                       reach [length] */
    double area;                  /**< area of the polygon [length^2] */
    double area_in_circle;        /**< area of the polygon inside the contact circle; of two flat facets the area over which they overlap [length^2] */
    int32_t corner_count;         /**< number of corners of the polygon, 3 to 6; 0 for two whole surfaces, whose share is the whole circle */
    abut_vec3 corner[6];          /**< corners of the polygon, in the contact plane, counter-clockwise about the normal */
    abut_vec3 tilt;               /**< of two flat facets: the overlap at the point x of the contact plane is dot(tilt, x - point) - gap. It is
                                       perpendicular to the normal, and 2 tan(t / 2) long for an angle t between the planes; else 0 */
    /** Of facets of bodies that are not round in all directions (facetmesh.h): the principal curvatures of both surfaces together are 1 / radius + s and
        1 / radius - s, where s is the length of this vector. It lies in the contact plane, along the direction of the greater one. s < 1 / radius; at most
        so much that their ratio is 100. Zero for all other contacts */
    abut_vec3 saddle;
    abut_vec3 summit;  /**< with a saddle: the point of the contact plane where the surfaces, continued beyond the facets, would overlap most; else 0 */
    double summit_gap; /**< with a saddle: their gap there; else 0 [length] */
    uint32_t sides_of_b;          /**< of two flat facets: bit i tells that the polygon's side from corner i to the next belongs to B's facet; the others
                                       belong to A's; else 0 */
} abut_facet_contact;

/**
 * Contact of two facets.
 *
 * @param a, b     never NULL
 * @param contact  written on ABUT_OK; never NULL
 * @return ABUT_OK for every relation; the errors of abut_facet_make_sphere(); ABUT_ERROR_NOT_FINITE also for a result that overflows
 */
ABUT_API abut_status abut_facet_collide(const abut_facet *a, const abut_facet *b, abut_facet_contact *contact);

/**
 * Contact of two facets that begins before their surfaces overlap, as adhesion requires (abut_pressure_reach()).
 *
 * Spheres with a gap smaller than `reach` are also in contact. Polygons are accepted as if the spheres were closer by the reach: up to the
 * distance sqrt(2 R (reach - sphere_gap)) from the centre, where R is the effective radius. Gaps may then be positive. When sphere_gap is
 * positive, there is no contact circle: circle_radius is 0, and the centre lies between the spheres, in the plane from which the tangents to both
 * spheres have equal length.
 *
 * @param a, b     never NULL
 * @param reach    >= 0; 0: as abut_facet_collide() [length]
 * @param contact  written on ABUT_OK; never NULL
 * @return as abut_facet_collide(); ABUT_ERROR_INVALID_ARGUMENT also for a reach that is negative or NaN; ABUT_ERROR_NOT_FINITE also for an
 *         infinite reach
 */
ABUT_API abut_status abut_facet_collide_within(const abut_facet *a, const abut_facet *b, double reach, abut_facet_contact *contact);

/**
 * Contact of a facet (A) with a whole sphere (B).
 *
 * @param a        never NULL
 * @param centre   centre of the sphere, world frame
 * @param radius   radius of the sphere, > 0, finite [length]
 * @param contact  written on ABUT_OK; never NULL
 * @return as abut_facet_collide()
 */
ABUT_API abut_status abut_facet_collide_sphere(const abut_facet *a, abut_vec3 centre, double radius, abut_facet_contact *contact);

/** As abut_facet_collide_sphere(), with the reach of abut_facet_collide_within(). */
ABUT_API abut_status abut_facet_collide_sphere_within(const abut_facet *a, abut_vec3 centre, double radius, double reach,
                                                      abut_facet_contact *contact);

/**
 * Contact of a facet (A) with a half-space (B).
 *
 * @param a        never NULL
 * @param normal   outward normal of the half-space; any length but 0
 * @param offset   the surface is dot(normal, x) = offset, with the length of `normal` as given (unlike abut_shape_create_plane())
 * @param contact  written on ABUT_OK; never NULL
 * @return as abut_facet_collide(); ABUT_ERROR_INVALID_ARGUMENT also for a zero normal
 */
ABUT_API abut_status abut_facet_collide_plane(const abut_facet *a, abut_vec3 normal, double offset, abut_facet_contact *contact);

/** As abut_facet_collide_plane(), with the reach of abut_facet_collide_within(). */
ABUT_API abut_status abut_facet_collide_plane_within(const abut_facet *a, abut_vec3 normal, double offset, double reach, abut_facet_contact *contact);

/**
 * Contacts of many pairs of facets, in parallel over threads and vector lanes. The contacts are bit for bit those of abut_facet_collide().
 *
 * @param a         [count] facets A
 * @param b         [count] facets B: pair i is a[i], b[i]
 * @param count     >= 0
 * @param parallel  NULL for the defaults
 * @param contacts  [count], owned by the caller; every element is written on ABUT_OK
 * @return ABUT_OK, also when single pairs failed: see their status; ABUT_ERROR_INVALID_ARGUMENT for NULL or a negative count
 */
ABUT_API abut_status abut_facet_collide_batch(const abut_facet *a, const abut_facet *b, int32_t count, const abut_parallel *parallel,
                                              abut_facet_contact *contacts);

#ifdef __cplusplus
}
#endif
