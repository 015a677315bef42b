#pragma once

#include <abut/base.h>
#include <abut/facet.h>
#include <abut/math.h>

/**
 * @file pressure.h
 * Forces of rounded surfaces: what contacts of facet.h do to two bodies, by the laws of the discrete element method.
 *
 * Two spheres of effective radius R, pressed into each other by an overlap d, touch over a disc of radius a = sqrt(R d) with the pressure
 * p(r) = 2 E* / (pi R) sqrt(a^2 - r^2), which amounts to F = 4/3 E* sqrt(R) d^1.5 (H. Hertz, 1881; K. L. Johnson, "Contact mechanics", 1985, sections 4.2
 * and 5.5). On that rest damping, friction and adhesion; see abut_pressure_law.
 *
 * *Area mode* (default): every contact of two facets bears the integral of the pressure over its polygon within the disc, in closed form, at the
 * pressure's own centre. The polygons of two meshed balls tile the disc, so that the sum is Hertz's force, however the balls are meshed.
 * *Point mode*: of all contacts between the same two surfaces only the one nearest to the middle of its circle counts, with the whole force of its
 * overlap. (B. Smeets and others, "Modeling contact interactions between triangulated rounded bodies for the discrete element method", 2015.)
 *
 * Between spheres, and between a sphere and a plane, both are exact. Bodies of other shapes are spheres only piece by piece. Let a surface whose radii of
 * curvature are R1 and R2 press on a plane, with facets of radius R, finer and finer: in area mode the force tends to
 * 8/3 E* d^1.5 sqrt(R1 R2 / R) / sqrt((1 + R / R1) (1 + R / R2)), in point mode to 4/3 E* d^1.5 sqrt(R). Neither is Hertz's for an elliptic disc, which stays
 * off by (for R1 : R2 = 1.21, 2, 4): in area mode, with R = sqrt(R1 R2), -0.2, -2.5, -9.3 %; with R^2 = sqrt(R1 R2) 2 / (1 / R1 + 1 / R2), the best of
 * the means that were tried, 0.04, 0.4, 1.2 %; in point mode, with R = sqrt(R1 R2), -0.1, -1.0, -3.8 %.
 *
 * Conventions: those of facet.h. World frame, normals from B into A, forces on A; on B the opposite. Any consistent units.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** What a body is made of; isotropic and linear. */
typedef struct abut_material {
    double young;   /**< Young's modulus, > 0; INFINITY: rigid [force / length^2] */
    double poisson; /**< Poisson's ratio, above -1 and up to 0.5 */
} abut_material;

/** What bears the force. */
typedef enum abut_pressure_mode {
    ABUT_PRESSURE_AREA, /**< the whole area of contact, shared among the contacts of facets */
    ABUT_PRESSURE_POINT /**< one point for each pair of surfaces */
} abut_pressure_mode;

/** What holds surfaces together. w is the work that parts them, per area; R the effective radius. */
typedef enum abut_adhesion {
    ABUT_ADHESION_NONE,
    /** Of soft bodies and short-ranged forces: p = p1 sqrt(1 - r^2 / a^2) - p0 / sqrt(1 - r^2 / a^2), p1 = 2 E* a / (pi R), p0 = sqrt(2 w E* / (pi a)),
        and d = a^2 / R - sqrt(2 pi a w / E*), of which the larger a holds. The force pulls with up to 3/2 pi w R. Surfaces snap together when they touch,
        and part only at a negative overlap: that needs contacts from beyond (abut_facet_collide_within(), abut_pressure_reach()) and a memory of
        what touched (abut_pressure_history). K. L. Johnson, K. Kendall, A. D. Roberts, "Surface energy and the contact of elastic solids", 1971. */
    ABUT_ADHESION_JKR,
    /** Of hard bodies and far-ranged forces: Hertz's disc, and 2 pi w R pull from around it, shared out as the pressure is. There is no pull across a gap.
        B. V. Derjaguin, V. M. Muller, Y. P. Toporov, "Effect of contact deformations on the adhesion of particles", 1975. */
    ABUT_ADHESION_DMT
} abut_adhesion;

/** How two materials press on each other. Make it by abut_pressure_law_make() and change what is to be different. */
typedef struct abut_pressure_law {
    abut_pressure_mode mode; /**< default ABUT_PRESSURE_AREA */
    double modulus;       /**< E*: 1 / E* = (1 - nu_a^2) / E_a + (1 - nu_b^2) / E_b; > 0 [force / length^2] */
    double shear_modulus; /**< G*: 1 / G* = (2 - nu_a) / G_a + (2 - nu_b) / G_b, G = E / (2 (1 + nu)); > 0 where there is friction [force / length^2] */
    /** Ratio of damping, >= 0: surfaces that approach at the speed v are held back by 2 sqrt(5/6) damping sqrt(m k) v, m the effective mass of the bodies and
        k = 2 E* a the stiffness. It is a restitution coefficient that the speed does not change; see abut_pressure_damping(). It is 1 / sqrt(5) times
        the alpha of Y. Tsuji, T. Tanaka, T. Ishida, "Lagrangian numerical simulation of plug flow of cohesionless particles in a horizontal
        pipe", 1992. Default 0. */
    double damping;
    /** Whether damping may pull where surfaces part. Default no: without adhesion nothing pulls, and damping is cut to that. With adhesion it is never cut. */
    bool damping_pulls;
    /** Coulomb's coefficient, >= 0. Below the limit a spring of 8 G* a holds the surfaces, and beside it a damper of
        the same ratio, on 2/7 of the effective mass (R. D. Mindlin, "Compliance of elastic bodies
        in contact", 1949; no partial slip). The limit is friction times the normal force with damping; with adhesion it is friction times F + 3 pi w R for JKR
        (C. Thornton, "Interparticle sliding in the presence of adhesion", 1991) and F + 2 pi w R for DMT, which is what presses. Default 0. */
    double friction;
    abut_adhesion adhesion; /**< default none */
    double adhesion_work;   /**< w, above 0 where there is adhesion [force / length] */
} abut_pressure_law;

/**
 * Law of two materials: area mode, no damping, no friction, no adhesion.
 *
 * @param law  set on ABUT_OK
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL, numbers out of their ranges or NaN, and for two rigid materials
 */
ABUT_API abut_status abut_pressure_law_make(const abut_material *a, const abut_material *b, abut_pressure_law *law);

/**
 * Damping for a coefficient of restitution, that is for a ball which leaves with so much of the speed with which it came.
 *
 * With damping that pulls it is -ln e / sqrt(pi^2 + ln^2 e) (E. Antypov, J. A. Elliott, "On an analytical solution for the damped Hertzian spring", 2011).
 * Without pull a ball leaves earlier, when damping has come to cancel the pressure, and is faster then: the inverse of
 * e = exp(-2 x arccos(x) / sqrt(1 - x^2)), found by bisection to the last digits. Both are exact for a ball that nothing else acts on.
 *
 * @param restitution  e; above 0 and up to 1
 * @param pulls        abut_pressure_law.damping_pulls
 * @param damping      set on ABUT_OK
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT
 */
ABUT_API abut_status abut_pressure_damping(double restitution, bool pulls, double *damping);

/**
 * Coefficient of restitution of a damping: the inverse of abut_pressure_damping(). 0 for a damping of 1 or more that pulls.
 *
 * @param damping      >= 0
 * @param restitution  set on ABUT_OK
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT
 */
ABUT_API abut_status abut_pressure_restitution(double damping, bool pulls, double *restitution);

/** Two whole spheres at rest. */
typedef struct abut_pressure_disc {
    double radius;    /**< of the disc over which they touch [length] */
    double force;     /**< which keeps them apart; negative when they hold each other */
    double stiffness; /**< 2 E* a [force / length] */
    double energy;    /**< whose derivative by the gap is minus the force; 0 for surfaces that just touch, of JKR for surfaces apart */
    double pressure;  /**< in the middle, where it is largest; without what DMT adds [force / length^2] */
} abut_pressure_disc;

/**
 * Force between two whole spheres at rest.
 *
 * @param radius   effective, > 0
 * @param gap      negative: the spheres overlap
 * @param touched  whether they have touched and not parted since; of no account but for JKR and a positive gap
 * @param disc     set on ABUT_OK; all 0 for spheres that do not touch
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL, a law or radius out of range; ABUT_ERROR_NOT_FINITE for a gap that is not, or
 *         numbers beyond what a double holds
 */
ABUT_API abut_status abut_pressure_spheres(const abut_pressure_law *law, double radius, double gap, bool touched, abut_pressure_disc *disc);

/**
 * How far to look for contacts, the `reach` of abut_facet_collide_within(), so that every polygon within the disc is found and none is lost before its
 * surfaces part: 3/2 (pi w / (2 E*))^(2/3) R^(1/3) for JKR; else 0. Grows with the radius: for many, that of the largest does.
 *
 * @param radius  effective, > 0
 * @return the reach; NaN for NULL, a law or a radius out of range
 */
ABUT_API double abut_pressure_reach(const abut_pressure_law *law, double radius);

/** Names of a contact: its facets, and the surfaces that these belong to. */
typedef struct abut_pressure_id {
    int32_t facet_a; /**< no two contacts of a call have the same two facets */
    int32_t facet_b; /**< of B */
    /** Facets of one surface act together: what touches of two surfaces is one region, with one damper, one spring of friction and one memory, and one
        contact in point mode. Of a ball all facets are one surface; of other smooth convex bodies all may be, or each its own: then friction starts
        anew on the next facet, and JKR holds a facet only once it has overlapped itself. */
    int32_t surface_a;
    int32_t surface_b; /**< of B */
} abut_pressure_id;

/** How a body moves. */
typedef struct abut_pressure_body {
    abut_vec3 centre;           /**< of mass */
    abut_motion motion;         /**< velocity of the centre, and angular velocity */
    double inverse_mass;        /**< >= 0; 0: nothing moves it. Two such bodies are not damped */
} abut_pressure_body;

/** What two surfaces in contact keep from one step to the next. */
typedef struct abut_pressure_memory {
    int32_t surface_a; /**< its name is the two surfaces */
    int32_t surface_b; /**< of B */
    abut_vec3 stretch; /**< of the spring of friction: how far A was moved along B, and not slid */
    abut_vec3 normal;  /**< to which the stretch was square: it turns with it */
    double stiffness;  /**< of the spring; 0 without friction */
} abut_pressure_memory;

/** Memories of two bodies, by rising surface_a and then surface_b; owned by the caller. Zero-initialised: none. */
typedef struct abut_pressure_history {
    abut_pressure_memory *memory; /**< [capacity] */
    int32_t count;                /**< memories in use */
    int32_t capacity;             /**< of no account where it is only read. As many as there are contacts will do */
} abut_pressure_history;

/** What two bodies do to each other. */
typedef struct abut_pressure_result {
    abut_vec3 force;         /**< on A; on B the opposite */
    abut_vec3 moment_a;      /**< on A, about its centre */
    abut_vec3 moment_b;      /**< on B, about its centre */
    double elastic_energy;   /**< of what presses, and of adhesion */
    double spring_energy;    /**< of the springs of friction */
    double damping_power;    /**< what damping takes, along the normal and beside the springs of friction, >= 0 */
    double friction_work;    /**< what friction took in this step, >= 0: by sliding, by springs whose stiffness changed, by contacts that ended */
    double area;             /**< of contact: the part of the discs that belongs to the facets */
    double largest_pressure; /**< of rest; over area mode's polygons, or the points' whole discs */
    int32_t contacts;        /**< how many bore something */
    int32_t regions;         /**< pairs of surfaces among them */
    int32_t sliding;         /**< regions at the limit of friction */
} abut_pressure_result;

/**
 * Forces between two bodies, from the contacts of their facets.
 *
 * A stretch moves on with the surfaces by velocity times time step, after it was turned: by the least rotation that brings the former normal to
 * the present one, and about that by the mean spin of both bodies. It never gains energy by that: where the stiffness has grown the force is kept, and where it
 * has shrunk the stretch (C. Thornton, S. J. Cummins, P. W. Cleary, "An investigation of the comparative behaviour of alternative contact force models
 * during inelastic collisions", 2013). Velocities are those of the bodies at the centre of the region's pressure.
 *
 * A pure function of its arguments, which runs on one thread: many pairs may be computed at once. Sums run over contacts by rising (surface_a, surface_b,
 * facet_a, facet_b), whatever order they come in: every order and any number of threads give the same bits.
 *
 * @param contacts   [count]; those without ABUT_OK and ABUT_FACET_CONTACT are passed over, also where spheres are too deep in each other for
 *                   any force (ABUT_FACET_ENGULFED): the caller is to look for these. May be NULL when count is 0
 * @param ids        [count]; NULL: each contact has surfaces of its own, named after its place
 * @param bodies     A and B
 * @param time_step  that the stretches move on by, >= 0
 * @param before     what the last step left as `after`; NULL: nothing touched before
 * @param after      room for at most `count` memories, not those of `before`: written with count. NULL: not wanted
 * @param result     set on ABUT_OK
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL, a law or contact out of its ranges, two contacts of one name, a negative mass, time or count, or a
 *         history that is not in order; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_CAPACITY: after->count is the room that is needed;
 *         ABUT_ERROR_OUT_OF_MEMORY. On all of these the memories of `after` may be written over, and nothing else is
 */
ABUT_API abut_status abut_pressure_pair(const abut_facet_contact *contacts, const abut_pressure_id *ids, int32_t count, const abut_pressure_law *law,
                                        const abut_pressure_body bodies[2], double time_step, const abut_pressure_history *before,
                                        abut_pressure_history *after, abut_pressure_result *result);

#ifdef __cplusplus
}
#endif
