#pragma once

#include <abut/base.h>
#include <abut/math.h>

/**
 * @file facet.h
 * Contact of rounded triangles: the pieces of curved surfaces of granular bodies. docs/methods/dem.md explains it with pictures.
 *
 * A curved surface is a mesh of triangles, each with a radius of curvature: it stands for the part of a sphere through its corners, its
 * *encompassing sphere*. Two such pieces touch where their spheres overlap: the plane of the circle in which the spheres meet is the contact plane, and
 * the polygon in which the two triangles, projected onto it, overlap is the share of the contact that belongs to the two (B. Smeets, T. Odenthal,
 * S. Vanmaercke, H. Ramon, "Modeling contact interactions between triangulated rounded bodies for the discrete element method", 2015, and its
 * supplementary information 1).
 *
 * Conventions: world frame; the normal is unit and points from B into A; gaps are negative where the surfaces are in each other, as in contact.h.
 * Every function is a pure function of its inputs. Lengths from about 1e-50 to 1e50.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** A rounded triangle. */
typedef struct abut_facet {
    abut_vec3 corner[3]; /**< counter-clockwise seen from outside */
    double radius;       /**< of curvature, > 0; INFINITY: flat. A radius below that of the corners' circle counts as that [length] */
} abut_facet;

/** The sphere that a facet stands for. */
typedef struct abut_facet_sphere {
    abut_vec3 centre; /**< inside of the facet by sqrt(R^2 - r^2), r the radius of the corners' circle */
    double radius;    /**< R; INFINITY for a flat facet, whose centre is then that of the corners' circle */
    abut_vec3 normal; /**< unit, outward, of the triangle */
} abut_facet_sphere;

/**
 * Encompassing sphere of a facet.
 *
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL or a radius that is not above 0; ABUT_ERROR_NOT_FINITE for corners that are not;
 *         ABUT_ERROR_DEGENERATE for corners on one line
 */
ABUT_API abut_status abut_facet_make_sphere(const abut_facet *facet, abut_facet_sphere *sphere);

/** How two rounded surfaces lie to each other. */
typedef enum abut_facet_relation {
    ABUT_FACET_NONE,       /**< no answer: see status */
    ABUT_FACET_CONTACT,    /**< they touch */
    ABUT_FACET_APART,      /**< their spheres do not overlap */
    ABUT_FACET_TURNED,     /**< one of them does not face the other: its outward normal is a right angle or more off the axis */
    ABUT_FACET_BESIDE,     /**< the spheres overlap elsewhere: the projected triangles do not meet within the contact circle, or in no area */
    ABUT_FACET_ENGULFED,   /**< one sphere's centre is beyond the contact plane: it is in the other past its equator, too deep for this theory;
                                of facets of a body (facetmesh.h) also where they overlap by more than half of its thickness */
    ABUT_FACET_COINCIDENT, /**< the spheres have one centre, and no axis */
    ABUT_FACET_FLAT        /**< both are flat: contacts of polygons are those of abut_collide() */
} abut_facet_relation;

/** Contact of two rounded surfaces. What has no meaning for a relation is 0. */
typedef struct abut_facet_contact {
    abut_status status;           /**< ABUT_OK; in batches what was wrong with this pair, and then all else is zero */
    abut_facet_relation relation; /**< all below is set for ABUT_FACET_CONTACT */
    abut_vec3 normal;             /**< unit, from B into A: along the line of the spheres' centres; not for ABUT_FACET_COINCIDENT and _FLAT */
    double sphere_gap;            /**< of the two spheres, negative where they overlap; not for ABUT_FACET_COINCIDENT and _FLAT [length] */
    double radius;                /**< effective: 1 / (1 / R_a + 1 / R_b); likewise [length] */
    abut_vec3 centre;             /**< of the circle in which the spheres meet */
    double circle_radius;         /**< of that circle [length] */
    abut_vec3 point;              /**< the contact point: of the polygon the point nearest to the centre, where the overlap is largest */
    double offset;                /**< of the point from the centre, >= 0 [length] */
    double gap;                   /**< of the two surfaces at the point; negative but for abut_facet_collide_within() [length] */
    double area;                  /**< of the polygon [length^2] */
    double area_in_circle;        /**< of what of it lies in the circle [length^2] */
    int32_t corner_count;         /**< 3 .. 6; 0 for two whole surfaces, whose share is the whole circle */
    abut_vec3 corner[6];          /**< of the polygon, in the contact plane, counter-clockwise about the normal */
} abut_facet_contact;

/**
 * Contact of two facets.
 *
 * @param contact  set on ABUT_OK
 * @return ABUT_OK, whatever the relation; else as abut_facet_make_sphere()
 */
ABUT_API abut_status abut_facet_collide(const abut_facet *a, const abut_facet *b, abut_facet_contact *contact);

/**
 * Contact of two facets, also where it begins beyond the overlap of their surfaces, as adhesion needs (abut_pressure_reach()).
 *
 * Spheres that are less than `reach` apart are in contact too, and polygons are looked for as though the spheres were nearer by the reach: up to the
 * distance sqrt(2 R (overlap + reach)) from the middle, R the effective radius. Overlaps may then be negative, and where the spheres' own is, there is no
 * circle: its radius is 0, and its centre lies in the gap, in the plane from which tangents to both spheres are equally long.
 *
 * @param reach  >= 0; 0: as abut_facet_collide() [length]
 * @return as abut_facet_collide(); ABUT_ERROR_INVALID_ARGUMENT also for a reach below 0, ABUT_ERROR_NOT_FINITE for an infinite one
 */
ABUT_API abut_status abut_facet_collide_within(const abut_facet *a, const abut_facet *b, double reach, abut_facet_contact *contact);

/**
 * Contact of a facet, as A, with a whole sphere.
 *
 * @param radius  > 0
 * @return as abut_facet_collide()
 */
ABUT_API abut_status abut_facet_collide_sphere(const abut_facet *a, abut_vec3 centre, double radius, abut_facet_contact *contact);

/** The same with the reach of abut_facet_collide_within(). */
ABUT_API abut_status abut_facet_collide_sphere_within(const abut_facet *a, abut_vec3 centre, double radius, double reach, abut_facet_contact *contact);

/**
 * Contact of a facet, as A, with a half-space.
 *
 * @param normal  outward, of any length but 0
 * @param offset  of the surface: dot(normal, x) = offset, with the normal as given
 * @return as abut_facet_collide(); ABUT_ERROR_INVALID_ARGUMENT also for a zero normal
 */
ABUT_API abut_status abut_facet_collide_plane(const abut_facet *a, abut_vec3 normal, double offset, abut_facet_contact *contact);

/** The same with the reach of abut_facet_collide_within(). */
ABUT_API abut_status abut_facet_collide_plane_within(const abut_facet *a, abut_vec3 normal, double offset, double reach, abut_facet_contact *contact);

/**
 * Contacts of many pairs of facets, over threads and several at a time in the lanes of vectors: bit for bit those of abut_facet_collide().
 *
 * @param a         [count]
 * @param b         [count] the partners
 * @param parallel  NULL for the defaults
 * @param contacts  [count], every one written
 * @return ABUT_OK, also when single pairs failed: see their status; ABUT_ERROR_INVALID_ARGUMENT for NULL or a negative count
 */
ABUT_API abut_status abut_facet_collide_batch(const abut_facet *a, const abut_facet *b, int32_t count, const abut_parallel *parallel,
                                              abut_facet_contact *contacts);

#ifdef __cplusplus
}
#endif
