#pragma once

#include <abut/base.h>
#include <abut/facet.h>
#include <abut/math.h>

/**
 * @file pressure.h
 * Forces of rounded surfaces: the forces between two bodies from the contacts of facet.h, by the laws of the discrete element method.
 *
 * Two spheres of effective radius R that overlap by the depth d touch over a disc of radius a = sqrt(R d). The pressure on the disc is
 * p(r) = 2 E* / (pi R) sqrt(a^2 - r^2), and the force is F = 4/3 E* sqrt(R) d^1.5 (H. Hertz, 1881; K. L. Johnson, "Contact mechanics", 1985,
 * sections 4.2 and 5.5). Damping, friction and adhesion are added to this force: see abut_pressure_law.
 *
 * *Area mode* (default): each contact of two facets carries the integral of the pressure over its polygon inside the disc, in closed form, at the
 * centre of this pressure. The polygons of two meshed balls tile the disc. Their sum is therefore Hertz's force for every mesh of the balls.
 * *Point mode*: of all contacts between the same two surfaces, only the one nearest to the centre of its circle counts. It carries the whole force
 * of its overlap. (B. Smeets and others, "Modeling contact interactions between triangulated rounded bodies for the discrete element method",
 * 2015.)
 *
 * *Two flat facets* press like elastic layers: an overlap d makes the pressure E* d / L, where L is the thickness `layer` of the law. (K. L.
 * Johnson, section 4.3, "elastic foundation".) A half-space has no such length, and Hertz's law has no limit for two planes; a rigid square punch
 * on a half-space is 1.14 times as stiff as this layer when L is its side (R. B. King, "Elastic analysis of some punch problems for a layered
 * medium", 1987). Facets at an angle t have the energy cos(t) cos(t / 2) E* / (2 L) times the integral of the squared overlap over their polygon.
 * The force is its derivative by the displacement. So an edge or corner of flat facets that presses on a plane has the force E* / L times the
 * volume below the plane, along the plane's normal and through the centre of this volume. Facets at a right angle or more do not press; the volume
 * under an overhang therefore counts from the facets that face the plane. There is no adhesion between flat facets, and both modes are the same.
 *
 * *Contacts with a saddle* (abut_facet_contact.saddle) have Hertz's elliptic disc about the summit: the force and the normal stiffness are exact for any
 * ratio of the curvatures. Damping, adhesion and friction are those of spheres with the same force at every overlap.
 *
 * Accuracy: both modes are exact between spheres, and between a sphere and a plane. Other bodies with one radius a facet are only piecewise spherical. Let a
 * surface with the radii of curvature R1 and R2 press on a plane, with facets of radius R and an ever finer mesh. The force then tends to
 * 8/3 E* d^1.5 sqrt(R1 R2 / R) / sqrt((1 + R / R1) (1 + R / R2)) in area mode and to 4/3 E* d^1.5 sqrt(R) in point mode. Neither is Hertz's force
 * for an elliptic disc. The remaining errors for R1 : R2 = 1.21, 2, 4 are: area mode with R = sqrt(R1 R2): -0.2, -2.5, -9.3 %; area mode with
 * R^2 = sqrt(R1 R2) 2 / (1 / R1 + 1 / R2), the best mean that was tried: 0.04, 0.4, 1.2 %; point mode with R = sqrt(R1 R2): -0.1, -1.0, -3.8 %.
 *
 * Conventions: as in facet.h. World frame; normals point from B into A; forces act on A, and the opposite forces on B. Any consistent units.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** Material of a body: isotropic, linear elastic. */
typedef struct abut_material {
    double young;   /**< Young's modulus, > 0; INFINITY: rigid [force / length^2] */
    double poisson; /**< Poisson's ratio, > -1 and <= 0.5 */
} abut_material;

/** How the force is distributed over the contacts of facets. */
typedef enum abut_pressure_mode {
    ABUT_PRESSURE_AREA, /**< area mode: over the whole contact area, shared among the contacts of facets */
    ABUT_PRESSURE_POINT /**< point mode: one point for each pair of surfaces */
} abut_pressure_mode;

/** Law of adhesion. w is the work of adhesion: the work per area that separates the surfaces. R is the effective radius. */
typedef enum abut_adhesion {
    ABUT_ADHESION_NONE, /**< no adhesion */
    /** For soft bodies and short-range forces: p = p1 sqrt(1 - r^2 / a^2) - p0 / sqrt(1 - r^2 / a^2), with p1 = 2 E* a / (pi R) and
        p0 = sqrt(2 w E* / (pi a)). The overlap is d = a^2 / R - sqrt(2 pi a w / E*), of which the larger solution a is used. The greatest pull is
        3/2 pi w R. Surfaces snap together when they touch, and separate only at a positive gap. This needs contacts with a reach
        (abut_facet_collide_within(), abut_pressure_reach()) and a memory of the contacts that touched (abut_pressure_history).
        K. L. Johnson, K. Kendall, A. D. Roberts, "Surface energy and the contact of elastic solids", 1971. */
    ABUT_ADHESION_JKR,
    /** For hard bodies and long-range forces: Hertz's disc, plus a pull of 2 pi w R from around the disc, distributed in proportion to the pressure.
        There is no pull across a gap. B. V. Derjaguin, V. M. Muller, Y. P. Toporov, "Effect of contact deformations on the adhesion of particles",
        1975. */
    ABUT_ADHESION_DMT,
    /** Between both, for bodies that are neither soft nor hard: beyond the disc the surfaces attract each other with the constant stress s0 =
        abut_pressure_law.adhesion_strength up to the gap w / s0. With K = 4/3 E* and the parameter L = 2 s0 (R / (pi w K^2))^(1/3), this is DMT's law for
        L below some 0.01 and JKR's above some 5. Solved numerically, to the last digits. Surfaces separate where their disc ends or gets unstable, so
        there is no pull across a gap without a disc. Needs a reach and a memory as JKR does. Over a disc the pull is distributed as JKR's brim and DMT's
        dome, with weights that depend on L. D. Maugis, "Adhesion of spheres: the JKR-DMT transition using a Dugdale model", 1992. */
    ABUT_ADHESION_MAUGIS
} abut_adhesion;

/** Force law of two materials. Create it with abut_pressure_law_make(), then change single fields. */
typedef struct abut_pressure_law {
    /** How the force is distributed. Default ABUT_PRESSURE_AREA. */
    abut_pressure_mode mode;
    /** Effective modulus E*: 1 / E* = (1 - nu_a^2) / E_a + (1 - nu_b^2) / E_b; > 0 [force / length^2] */
    double modulus;
    /** Effective shear modulus G*: 1 / G* = (2 - nu_a) / G_a + (2 - nu_b) / G_b, with G = E / (2 (1 + nu)); > 0 with friction, rolling or twisting
        resistance [force / length^2] */
    double shear_modulus;
    /** Stiffness k of the linear law, >= 0; default 0: Hertz's law. Two spheres, or a sphere and a plane, with the overlap d have the force k d instead of
        Hertz's, distributed over the same disc in the same way (P. A. Cundall, O. D. L. Strack, "A discrete numerical model for granular assemblies", 1979).
        The damper is 2 damping sqrt(m k), so abut_pressure_damping() holds for it, too, and the friction spring has the stiffness 4 k G* / E*, the ratio of
        Hertz's and Mindlin's. A ball without other forces is in contact for 2 arccos(damping) / sqrt(1 - damping^2) sqrt(m / k), or pi / sqrt(1 -
        damping^2) sqrt(m / k) with damping that pulls. Without adhesion only. Two flat facets have their own law [force / length] */
    double stiffness;
    /** Damping ratio, >= 0; default 0. Surfaces that approach at the speed v are decelerated by the force 2 sqrt(5/6) damping sqrt(m k) v, where m is
        the effective mass of the bodies and k = 2 E* a the stiffness. The coefficient of restitution then does not depend on the speed: see
        abut_pressure_damping(). The ratio is 1 / sqrt(5) times the alpha of Y. Tsuji, T. Tanaka, T. Ishida, "Lagrangian numerical simulation of
        plug flow of cohesionless particles in a horizontal pipe", 1992. */
    double damping;
    /** True: damping may pull while surfaces separate. False (default): damping is limited so that the total normal force does not pull. With
        adhesion damping is never limited. */
    bool damping_pulls;
    /** Coulomb's coefficient of friction, >= 0; default 0. Below the limit, a spring of stiffness 8 G* a holds the surfaces, in parallel with
        a damper of the same damping ratio for 2/7 of the effective mass (R. D. Mindlin, "Compliance of elastic bodies in contact", 1949; without
        partial slip). The limit is friction times the normal force F, including damping. With adhesion the limit is friction times (F + 3 pi w R) for
        JKR (C. Thornton, "Interparticle sliding in the presence of adhesion", 1991) and friction times (F + 2 pi w R), the pressing part of the
        force, for DMT; between both for ABUT_ADHESION_MAUGIS. */
    double friction;
    /** Coefficient of rolling resistance, >= 0; default 0. A spring resists the rolling of the surfaces on each other: their relative angular velocity w in
        the plane of contact, times the effective radius R. It has the stiffness of the friction spring, 8 G* a (K. Iwashita, M. Oda, "Rolling resistance at
        contacts in simulation of shear band development by DEM", 1998), and in parallel a damper of the same damping ratio for 2/5 of the effective mass.
        Its force times R is a moment on A against w, and the opposite moment on B. The force is at most this coefficient times the normal force of Coulomb's
        limit; beyond it the spring yields (S. Luding, "Cohesive, frictional powders: contact models for tension", 2008). So a ball rolls down a slope only if
        the slope is steeper than its coefficient. Flat facets do not resist by it. */
    double rolling_resistance;
    /** The same for the spin of the surfaces against each other, about the normal, >= 0; default 0. */
    double twisting_resistance;
    /** Law of adhesion. Default ABUT_ADHESION_NONE. */
    abut_adhesion adhesion;
    /** Work of adhesion w; > 0 when there is adhesion [force / length] */
    double adhesion_work;
    /** Stress s0 with which surfaces attract each other beyond the disc; > 0 for ABUT_ADHESION_MAUGIS, else without effect [force / length^2] */
    double adhesion_strength;
    /** Volume V of the liquid at a contact, >= 0; default 0: dry. A *capillary bridge* forms when the surfaces touch and breaks when their gap exceeds the
        rupture distance (1 + t / 2) V^(1/3), where t is the contact angle (G. Lian, C. Thornton, M. J. Adams, "A theoretical study of the liquid bridge forces
        between two rigid spherical bodies", 1993). It pulls with 4 pi R g cos(t) / (1 + 1.05 s + 2.5 s^2), where g is the surface tension, s = gap sqrt(2 R /
        V), and s = 0 for surfaces that overlap (C. D. Willett, M. J. Adams, S. A. Johnson, J. P. K. Seville, "Capillary bridges between two spherical bodies",
        2000, the approximation for small volumes). It needs a radius, so two flat facets have none. It adds to the force between the surfaces and leaves
        the limit of friction as it is [length^3] */
    double liquid_volume;
    /** Surface tension g of this liquid, >= 0; default 0: dry [force / length] */
    double surface_tension;
    /** Contact angle t between liquid and surfaces, 0 <= t <= pi / 2; default 0 [rad] */
    double contact_angle;
    /** Thickness L of the elastic layer through which two flat facets press on each other: >= 0; default 0: flat facets do not press. See above. Take the
        cube root of the smaller body's volume; the dem stepper does [length] */
    double layer;
} abut_pressure_law;

/**
 * Create the law of two materials: area mode, without damping, friction and adhesion (K. L. Johnson, "Contact mechanics", 1985, equations 4.20 and
 * 7.43).
 *
 * @param a, b  materials of A and B; never NULL
 * @param law   written on ABUT_OK; never NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL, numbers out of range or NaN, and two rigid materials
 */
ABUT_API abut_status abut_pressure_law_make(const abut_material *a, const abut_material *b, abut_pressure_law *law);

/**
 * Damping ratio for a coefficient of restitution e: the speed of a ball after the impact divided by its speed before the impact.
 *
 * With damping that pulls, the ratio is -ln e / sqrt(pi^2 + ln^2 e) (E. Antypov, J. A. Elliott, "On an analytical solution for the damped Hertzian
 * spring", 2011). Without pull a ball leaves earlier and faster, when damping cancels the pressure. The ratio is then the inverse of
 * e = exp(-2 x arccos(x) / sqrt(1 - x^2)) (T. Schwager, T. Poeschel, "Coefficient of restitution and linear-dashpot model revisited", 2007), found by
 * bisection to the last digits. Both are exact for a ball without other forces.
 *
 * @param restitution  e; > 0 and <= 1
 * @param pulls        as abut_pressure_law.damping_pulls
 * @param damping      written on ABUT_OK; never NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL or a restitution out of range
 */
ABUT_API abut_status abut_pressure_damping(double restitution, bool pulls, double *damping);

/**
 * Coefficient of restitution of a damping ratio: the inverse of abut_pressure_damping(). It is 0 for a ratio of 1 or more that pulls.
 *
 * @param damping      >= 0, finite
 * @param pulls        as abut_pressure_law.damping_pulls
 * @param restitution  written on ABUT_OK; never NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL or a damping out of range
 */
ABUT_API abut_status abut_pressure_restitution(double damping, bool pulls, double *restitution);

/** Contact disc of two whole spheres at rest. */
typedef struct abut_pressure_disc {
    double radius;    /**< radius a of the disc [length] */
    double force;     /**< repulsive force along the normal; negative when the spheres attract each other [force] */
    double stiffness; /**< 2 E* a, or that of the linear law [force / length] */
    double energy;    /**< potential energy: its derivative by the gap is minus the force. 0 for surfaces that just touch; for JKR and
                           ABUT_ADHESION_MAUGIS, 0 for surfaces that are separated; of a capillary bridge, 0 where it breaks [force length] */
    double pressure;  /**< largest pressure, at the centre of the disc, without the pull of DMT [force / length^2] */
} abut_pressure_disc;

/**
 * Force between two whole spheres at rest.
 *
 * @param law      never NULL
 * @param radius   effective radius, > 0 [length]
 * @param gap      gap of the spheres; negative when they overlap [length]
 * @param touched  true when the spheres have touched and have not separated since; only used for JKR, ABUT_ADHESION_MAUGIS and capillary bridges at a
 *                 positive gap
 * @param disc     written on ABUT_OK; all 0 for spheres that do not touch; never NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL, or a law or radius out of range; ABUT_ERROR_NOT_FINITE for a gap or radius that is not
 *         finite, or a result that overflows
 */
ABUT_API abut_status abut_pressure_spheres(const abut_pressure_law *law, double radius, double gap, bool touched, abut_pressure_disc *disc);

/**
 * The `reach` of abut_facet_collide_within() for a law. With this reach every polygon inside the disc is found, and none is lost before its surfaces
 * separate. It is 3/2 (pi w / (2 E*))^(2/3) R^(1/3) for JKR and ABUT_ADHESION_MAUGIS, else 0; with liquid at least the rupture distance of a capillary
 * bridge. It increases with the radius: for many contacts use the largest radius.
 *
 * @param law     never NULL
 * @param radius  effective radius R, > 0, finite [length]
 * @return the reach, >= 0 [length]; NaN for NULL, or a law or radius out of range
 */
ABUT_API double abut_pressure_reach(const abut_pressure_law *law, double radius);

/**
 * Identity of a contact: its two facets and their surfaces.
 *
 * Facets of one surface act together. All contacts between the same two surfaces are one *region*, with one damper, one friction spring and one
 * memory, and with one contact in point mode. All facets of a ball should be one surface. For other smooth convex bodies, all facets may be one
 * surface, or each facet its own surface. In the latter case friction starts anew on the next facet, and JKR holds a facet only after it has
 * overlapped itself.
 */
typedef struct abut_pressure_id {
    int32_t facet_a;   /**< facet of A; no two contacts of a call may have the same two facets */
    int32_t facet_b;   /**< facet of B */
    int32_t surface_a; /**< surface of facet_a */
    int32_t surface_b; /**< surface of facet_b */
} abut_pressure_id;

/** Mass and motion of a body. World frame. */
typedef struct abut_pressure_body {
    abut_vec3 centre;           /**< centre of mass [length] */
    abut_motion motion;         /**< velocity of the centre of mass and angular velocity */
    double inverse_mass;        /**< 1 / mass, >= 0; 0: immovable. Contacts of two immovable bodies are not damped [1 / mass] */
} abut_pressure_body;

/** Memory of a region: what two surfaces in contact keep from one step to the next. */
typedef struct abut_pressure_memory {
    int32_t surface_a; /**< surface of A; both surfaces together identify the region */
    int32_t surface_b; /**< surface of B */
    abut_vec3 stretch; /**< stretch of the friction spring: displacement of A along B that was not sliding; world frame [length] */
    abut_vec3 normal;  /**< unit normal of the region; the stretch is perpendicular to it and is rotated with it */
    double stiffness;  /**< stiffness of the friction spring; 0 without friction [force / length] */
    abut_vec3 roll;    /**< stretch of the spring against rolling, perpendicular to the normal, and of that against twisting, along it; world frame [length] */
    double roll_stiffness; /**< stiffness of these two springs; 0 without rolling and twisting resistance [force / length] */
} abut_pressure_memory;

/** Memories of all regions of two bodies, in ascending order of surface_a, then surface_b. Owned by the caller. Zero-initialised: none. */
typedef struct abut_pressure_history {
    abut_pressure_memory *memory; /**< [capacity] */
    int32_t count;                /**< number of memories in use */
    int32_t capacity;             /**< size of `memory`; not used for input. The number of contacts is always sufficient */
} abut_pressure_history;

/** Forces between two bodies. World frame. */
typedef struct abut_pressure_result {
    abut_vec3 force;         /**< total force on A; the force on B is the opposite [force] */
    abut_vec3 moment_a;      /**< total moment on A about its centre [force length] */
    abut_vec3 moment_b;      /**< total moment on B about its centre [force length] */
    double elastic_energy;   /**< elastic energy of the pressure, including adhesion and capillary bridges [force length] */
    double spring_energy;    /**< elastic energy of the springs of friction, rolling and twisting [force length] */
    double damping_power;    /**< power dissipated by the normal dampers and by the dampers of these springs, >= 0 [force length / time] */
    double friction_work;    /**< energy dissipated by friction, rolling and twisting in this step, >= 0: by sliding and yielding, by a change of spring
                                  stiffness, by contacts that ended, and by capillary bridges that form [force length] */
    double area;             /**< contact area: the part of the discs that belongs to the facets [length^2] */
    double largest_pressure; /**< largest pressure, without damping, over the polygons (area mode) or the whole discs of the points (point mode)
                                  [force / length^2] */
    int32_t contacts;        /**< number of contacts that carry a force */
    int32_t regions;         /**< number of regions (pairs of surfaces) of these contacts */
    int32_t sliding;         /**< number of regions at the friction limit */
} abut_pressure_result;

/**
 * Forces between two bodies from the contacts of their facets.
 *
 * Velocities of a leapfrog integration are those of half a step before. The damper of the linear law is therefore weaker by the factor sqrt(1 + q^2) - q with
 * q = damping sqrt(k / m) time_step / 2. The coefficient of restitution of two bodies is then right to the second order of the step.
 *
 * The stretch of each friction spring is updated in two steps. First it is rotated: by the least rotation that takes the former normal to the
 * present one, then about the present normal by the mean spin of both bodies. Then it is extended by the relative velocity times the time step.
 * The rotation and a change of stiffness never add energy: when the stiffness has increased, the force is kept; when it has decreased, the stretch
 * is kept (C. Thornton, S. J. Cummins, P. W. Cleary, "An investigation of the comparative behaviour of alternative contact force models during
 * inelastic collisions", 2013). Velocities are those of the bodies at the centre of pressure of the region. The springs of rolling and twisting are
 * updated in the same way; their effective radius is the mean of those of the region's contacts, weighted by their pressing forces.
 *
 * A pure function of its arguments. It runs on the calling thread; several threads may compute different pairs at once. Sums run over the contacts
 * in ascending order of (surface_a, surface_b, facet_a, facet_b), so the order of the arguments and the number of threads do not change a bit.
 *
 * @param contacts   [count]; may be NULL when count is 0. Contacts without ABUT_OK and ABUT_FACET_CONTACT are ignored, including those that are too
 *                   deep for any force (ABUT_FACET_ENGULFED): the caller must check for these
 * @param ids        [count]; NULL: each contact has its own two surfaces, identified by its index
 * @param count      >= 0
 * @param law        never NULL
 * @param bodies     A and B, in this order
 * @param time_step  time since the last step, >= 0 [time]
 * @param before     history that the last step wrote to `after`; NULL: no earlier contacts
 * @param after      receives the new history; needs room for at most `count` memories, separate from those of `before`; NULL: not wanted
 * @param result     written on ABUT_OK; never NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL, a law or contact out of range, two contacts with the same identity, a negative mass, time
 *         step or count, or a history that is not in order; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_CAPACITY: after->count is then the capacity that is
 *         needed; ABUT_ERROR_OUT_OF_MEMORY. On an error the memories of `after` may be overwritten; apart from them and after->count nothing is
 *         written
 */
ABUT_API abut_status abut_pressure_pair(const abut_facet_contact *contacts, const abut_pressure_id *ids, int32_t count, const abut_pressure_law *law,
                                        const abut_pressure_body bodies[2], double time_step, const abut_pressure_history *before,
                                        abut_pressure_history *after, abut_pressure_result *result);

#ifdef __cplusplus
}
#endif
