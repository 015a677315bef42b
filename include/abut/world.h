#pragma once

#include <abut/base.h>
#include <abut/baseline.h>
#include <abut/collide.h>
#include <abut/contact.h>
#include <abut/math.h>
#include <abut/pressure.h>
#include <abut/shape.h>

/**
 * @file world.h
 * Bodies that move: a world, its bodies and its stepper.
 *
 * Every call that is given NULL for its world, or for what it must write, answers ABUT_ERROR_INVALID_ARGUMENT.
 *
 * A world is not safe for use from two threads at once; different worlds are independent. Everything in it is a pure function of the calls made
 * on it: two worlds built and stepped alike are equal to the last bit, whatever the number of threads.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** A world; opaque. */
typedef struct abut_world abut_world;

/** Names a body by value. Zero-initialised it names none. An id of a removed body is recognised as stale, never taken for another body. */
typedef struct abut_body_id {
    uint32_t index;      /**< slot + 1; 0 for none */
    uint32_t generation; /**< how often the slot was used before */
} abut_body_id;

/** Names a spring by value; as abut_body_id. */
typedef struct abut_spring_id {
    uint32_t index;      /**< slot + 1; 0 for none */
    uint32_t generation; /**< how often the slot was used before */
} abut_spring_id;

/** Settings of the fixed stepper. Start from abut_world_def_default(). */
typedef struct abut_fixed_settings {
    int32_t substeps;           /**< >= 1; default 4 */
    int32_t iterations;         /**< velocity passes per substep, >= 1; default 8 */
    double contact_frequency;   /**< how fast penetration is pushed out [1/time]; > 0; default 30 */
    double contact_damping;     /**< damping ratio of that; > 0; default 10 */
    double max_push_speed;      /**< penetration is never pushed out faster [length/time]; > 0; default 3 */
    double restitution_speed;   /**< slower approaches do not bounce [length/time]; >= 0; default 0.5 */
    double margin;              /**< contacts are made up to this gap, relative to the smaller shape's size; >= 0; default 0.02. Between bodies
                                     that approach faster they are made ahead of time, so that nothing sinks in, and reported if they
                                     carry a force */
    int32_t contacts_per_patch; /**< patches are reduced to this many points for the solver; 0 keeps all; default 0 */
    bool sleeping;              /**< bodies at rest fall asleep, an island at a time; default true */
    double sleep_speed;         /**< slower than this counts as at rest, for points of a body's surface [length/time]; default 0.01 */
    double sleep_time;          /**< at rest for so long [time]; default 0.5 */
} abut_fixed_settings;

/** What moves the bodies of a world. */
typedef enum abut_stepper {
    ABUT_STEPPER_FIXED, /**< impulses once a substep: robust, fast, with friction; for games, robots, piles */
    ABUT_STEPPER_EVENT, /**< forces from accelerations, integrated with an error bound, and every collision at its time (D. Baraff, "Curved surfaces and
                             coherence for non-penetrating rigid body simulation", 1990): exact, without friction; docs/methods/event-driven.md */
    ABUT_STEPPER_DEM    /**< the discrete element method: elastic forces from overlaps, integrated in short steps; for granular matter; docs/methods/dem.md */
} abut_stepper;

/** How colliding contacts share their impulses. They differ on purpose: of three equal balls in a row both have their followers. */
typedef enum abut_impulses {
    ABUT_IMPULSES_SIMULTANEOUS, /**< all at once, by a complementarity problem */
    ABUT_IMPULSES_SEQUENTIAL    /**< one contact after the other, the fastest approach first, until none approaches */
} abut_impulses;

/** Settings of the event stepper. Start from abut_world_def_default(). */
typedef struct abut_event_settings {
    double tolerance;         /**< error of one integration step, relative to the sizes and speeds of the bodies; > 0; default 1e-9 */
    double touching;          /**< gaps up to this count as touching, relative to the smaller part's size; > 0; default 1e-6 */
    double resting_speed;     /**< approaches and departures slower than this count as rest, relative to the speed of a fall through the smaller part's
                                   size; > 0; default 1e-5 */
    double restitution_speed; /**< slower approaches do not bounce, in the same unit; >= 0; default 1e-3 */
    double drift_rate;        /**< rounding and integration let gaps of resting contacts drift: they are brought back at this rate [1/time]; >= 0;
                                   default 20 */
    double longest_step;      /**< of the integration [time]; > 0, may be infinite; default infinite: the caller's step */
    int32_t event_limit;      /**< within one step of the world; >= 1; default 10000 */
    abut_impulses impulses;   /**< default ABUT_IMPULSES_SIMULTANEOUS */
} abut_event_settings;

/** Settings of the dem stepper. Start from abut_world_def_default(). */
typedef struct abut_dem_settings {
    double step;          /**< of the integration [time]; >= 0; default 0: step_share of the critical one. A step of the world is divided into equal ones,
                               none longer */
    double step_share;    /**< of the critical step, which is the time in which a Rayleigh wave passes half-way round the smallest sphere, or the ball of
                               a facetmesh's mass and least moment of inertia; above 0 and up to 1; default 0.1. The step is shorter where damping asks for it, for strong damping makes the integration of a bed unstable
                               before its stiffness does: docs/methods/dem.md. `step` is taken as it is */
    double skin;          /**< bodies nearer than this are listed as near, and listed anew when one of them has moved half of it; relative to the smallest
                               radius; > 0; default 0.3 */
    abut_pressure_mode mode; /**< default ABUT_PRESSURE_AREA */
    bool periodic[3];     /**< along which axes space is repeated, from lower to upper; default none. Bodies keep their coordinates and may leave the
                               space: they are met where they would be in it */
    abut_vec3 lower;      /**< of the space that is repeated [length] */
    abut_vec3 upper;      /**< likewise */
} abut_dem_settings;

/** How a world is made. */
typedef struct abut_world_def {
    abut_vec3 gravity;          /**< [length/time^2]; default (0, 0, -9.81) */
    abut_contact_method method; /**< baseline.h; default ABUT_METHOD_PATCH */
    abut_collide_settings collide; /**< margin is ignored: fixed.margin rules */
    abut_stepper stepper;       /**< default ABUT_STEPPER_FIXED */
    abut_fixed_settings fixed;  /**< how the fixed stepper works */
    abut_event_settings event;  /**< how the event stepper works */
    abut_dem_settings dem;      /**< how the dem stepper works */
    abut_parallel parallel;     /**< how loops are spread over threads; never changes a result */
} abut_world_def;

/** The defaults named above. */
ABUT_API abut_world_def abut_world_def_default(void);

/**
 * An empty world.
 * @param def  NULL for the defaults
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_world_create(const abut_world_def *def, abut_world **world);

/** Frees the world and its references to shapes. NULL does nothing. */
ABUT_API void abut_world_destroy(abut_world *world);

/** How a body moves. */
typedef enum abut_body_kind {
    ABUT_BODY_DYNAMIC,   /**< by forces and contacts */
    ABUT_BODY_STATIC,    /**< never */
    ABUT_BODY_KINEMATIC  /**< by its velocity alone; pushes others, is never pushed */
} abut_body_kind;

/** How a body is made. Start from abut_body_def_default(). */
typedef struct abut_body_def {
    abut_body_kind kind;        /**< how it moves; default ABUT_BODY_DYNAMIC */
    const abut_shape *shape;    /**< retained by the world; planes only on static and kinematic bodies */
    abut_pose pose;             /**< of the shape's frame in the world */
    abut_motion motion;         /**< velocity of the centre of mass and angular velocity, world frame */
    double density;             /**< > 0 [mass/length^3]; default 1000 */
    double mass;                /**< > 0 replaces the density by mass / volume; 0 (default) leaves it */
    double friction;            /**< Coulomb coefficient >= 0; default 0.5; a pair uses the geometric mean */
    double restitution;         /**< 0 to 1; default 0; a pair uses the larger one */
    abut_material material;     /**< for the dem stepper; default Young's modulus 1e7, Poisson's ratio 0.3 */
    double adhesion_work;       /**< for the dem stepper, >= 0: JKR's adhesion; a pair uses the geometric mean; default 0 [force / length] */
    double linear_damping;      /**< >= 0 [1/time]; default 0 */
    double angular_damping;     /**< >= 0 [1/time]; default 0 */
    uint64_t user;              /**< the caller's own, never looked at */
} abut_body_def;

/** A dynamic body at the identity pose, at rest, without a shape. */
ABUT_API abut_body_def abut_body_def_default(void);

/**
 * Add a body.
 * @param id  receives its name; may be NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT (no shape, bad pose, mass or density not positive, coefficients out of range, a dynamic plane);
 *         ABUT_ERROR_NOT_CLOSED for a dynamic mesh without an inside;
 *         ABUT_ERROR_NOT_FINITE; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_world_add_body(abut_world *world, const abut_body_def *def, abut_body_id *id);

/** Remove a body, its contacts and its springs; bodies that rested on it wake. ABUT_ERROR_STALE_ID. */
ABUT_API abut_status abut_world_remove_body(abut_world *world, abut_body_id id);

/** Where a body is and how it moves. World frame. */
typedef struct abut_body_state {
    abut_pose pose;             /**< of the shape's frame */
    abut_vec3 centre;           /**< centre of mass */
    abut_motion motion;         /**< velocity of the centre of mass and angular velocity */
    bool awake;                 /**< false for sleeping bodies; static ones are never awake */
} abut_body_state;

/** ABUT_OK; ABUT_ERROR_STALE_ID. */
ABUT_API abut_status abut_world_body_state(const abut_world *world, abut_body_id id, abut_body_state *state);

/** What a body is made of. The shape in it belongs to the world. */
typedef struct abut_body_info {
    abut_body_kind kind; /**< how it moves */
    const abut_shape *shape; /**< belongs to the world */
    double mass;         /**< 0 for static and kinematic bodies */
    abut_vec3 centre;    /**< centre of mass, shape frame */
    abut_mat3 inertia;   /**< about the centre of mass, axes of the shape frame; zero for static and kinematic bodies */
    double friction;     /**< Coulomb coefficient */
    double restitution;  /**< 0 to 1 */
    uint64_t user;       /**< as it was given */
} abut_body_info;

/** ABUT_OK; ABUT_ERROR_STALE_ID. */
ABUT_API abut_status abut_world_body_info(const abut_world *world, abut_body_id id, abut_body_info *info);

/**
 * Set a body's velocities and wake it. A static body stays as it is.
 * @param motion  velocity of the centre of mass and angular velocity, world frame
 * @return ABUT_OK; ABUT_ERROR_STALE_ID; ABUT_ERROR_NOT_FINITE
 */
ABUT_API abut_status abut_world_set_body_motion(abut_world *world, abut_body_id id, abut_motion motion);

/** Put a body somewhere else; wakes it and what it touched. ABUT_OK; ABUT_ERROR_STALE_ID; ABUT_ERROR_INVALID_ARGUMENT for a bad pose. */
ABUT_API abut_status abut_world_set_body_pose(abut_world *world, abut_body_id id, abut_pose pose);

/**
 * Give a body another shape in the place of its own, for bodies that deform; wakes it and what it touched. Its pose stays: the frame of the new shape is where
 * that of the old one was. So do its velocities, its mass and its springs; centre of mass and inertia follow the new shape, as though it had been made of it
 * with that mass. What contacts remember, they remember by the features' names: give faces and vertices that stay the same their old numbers, as
 * abut_shape_create_facetmesh_moved() does. The surface's own motion from the one shape to the other is not felt by damping and friction.
 *
 * @param shape  of the same kind as the body's; retained by the world
 * @return ABUT_OK; ABUT_ERROR_STALE_ID; ABUT_ERROR_INVALID_ARGUMENT for NULL or another kind of shape; ABUT_ERROR_NOT_CLOSED for a dynamic mesh without an
 *         inside; ABUT_ERROR_NOT_FINITE. On an error the body is as it was
 */
ABUT_API abut_status abut_world_set_body_shape(abut_world *world, abut_body_id id, const abut_shape *shape);

/**
 * A force that acts during the next step only, and wakes the body. Static and kinematic bodies do not feel it.
 * @param force  world frame [mass length/time^2]
 * @param point  where it acts, world frame
 * @return ABUT_OK; ABUT_ERROR_STALE_ID; ABUT_ERROR_NOT_FINITE
 */
ABUT_API abut_status abut_world_apply_force(abut_world *world, abut_body_id id, abut_vec3 force, abut_vec3 point);

/** Write the ids of all bodies, in the order of their slots. count receives their number; ABUT_ERROR_CAPACITY when that is more than capacity. */
ABUT_API abut_status abut_world_body_ids(const abut_world *world, abut_body_id *ids, int32_t capacity, int32_t *count);

/** A spring between a point of a body and a point of the world: what a mouse drags with. */
typedef struct abut_spring_def {
    abut_body_id body;    /**< a dynamic body */
    abut_vec3 anchor;     /**< where it holds the body, shape frame */
    abut_vec3 target;     /**< where it pulls to, world frame */
    double frequency;     /**< > 0 [1/time]; the stiffness follows from the body's mass */
    double damping_ratio; /**< >= 0; 1 does not overshoot */
    double max_force;     /**< >= 0, may be infinite [mass length/time^2] */
} abut_spring_def;

/** A spring of 5 Hz, damping ratio 1 and no limit of force. */
ABUT_API abut_spring_def abut_spring_def_default(void);
/** ABUT_OK; ABUT_ERROR_STALE_ID for the body; ABUT_ERROR_INVALID_ARGUMENT, also for a body that is not dynamic; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_OUT_OF_MEMORY. */
ABUT_API abut_status abut_world_add_spring(abut_world *world, const abut_spring_def *def, abut_spring_id *id);
/** Move the target and wake the body. ABUT_OK; ABUT_ERROR_STALE_ID; ABUT_ERROR_NOT_FINITE. */
ABUT_API abut_status abut_world_set_spring_target(abut_world *world, abut_spring_id id, abut_vec3 target);
/** ABUT_OK; ABUT_ERROR_STALE_ID. */
ABUT_API abut_status abut_world_remove_spring(abut_world *world, abut_spring_id id);

/** What the event stepper did in a step of the world. */
typedef struct abut_event_report {
    int64_t steps;           /**< of the integration, those that were kept */
    int64_t rejected;        /**< those that were too coarse, or went past an event */
    int64_t evaluations;     /**< of the accelerations; each one is a complementarity problem where bodies touch */
    int64_t tests;           /**< of pairs of parts whose bounds meet: do they inter-penetrate? */
    int64_t hits;            /**< of these, answered by what was known of the pair before: a plane between them, or the contact they had */
    int64_t misses;          /**< of these, searched anew */
    int64_t discontinuities; /**< times at which bodies began to touch, or a contact left its features */
    int64_t impulses;        /**< times at which velocities jumped */
} abut_event_report;

/** What the dem stepper did in a step of the world. */
typedef struct abut_dem_report {
    int64_t steps;           /**< of the integration */
    int64_t lists;           /**< times near pairs were listed anew */
    double critical_step;    /**< see abut_dem_settings.step_share [time] */
    int32_t near;            /**< pairs in the list */
    int32_t sliding;         /**< contacts at the limit of friction */
    double elastic_energy;   /**< of what presses, at the end */
    double spring_energy;    /**< of the springs of friction, at the end */
    double damping_work;     /**< that damping took in this step of the world */
    double friction_work;    /**< that friction took in this step of the world */
    double residual;         /**< largest net force of a body at the end, of a facetmesh also its net torque over the radius of a ball that holds it, over
                                  its weight; over 1 where there is no gravity: how far from rest */
} abut_dem_report;

/** The state of a world after a step, and the work of the step. */
typedef struct abut_step_report {
    int64_t step;                /**< steps made so far */
    double time;                 /**< simulated so far [time] */
    int32_t bodies;              /**< in the world */
    int32_t awake;               /**< dynamic bodies that are awake */
    int32_t candidates;          /**< pairs whose bounds, grown by their margins, overlap */
    int32_t touching;            /**< pairs with at least one contact */
    int32_t contacts;            /**< of all of them */
    double max_penetration;      /**< the largest -gap, >= 0 [length] */
    double kinetic_energy;       /**< of all dynamic bodies, at the end of the step */
    double potential_energy;     /**< of gravity, zero at the origin */
    double spring_energy;        /**< stored in springs */
    abut_event_report event;     /**< zero with other steppers than the event stepper */
    abut_dem_report dem;         /**< zero with other steppers than the dem stepper */
    double seconds_broad;        /**< wall time: candidate pairs */
    double seconds_narrow;       /**< contacts */
    double seconds_solve;        /**< forces and motion */
    double seconds_total;        /**< the whole step */
} abut_step_report;

/**
 * Advance the world by one step.
 * @param dt      > 0 [time]
 * @param report  may be NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT; ABUT_ERROR_NOT_FINITE when a body's state overflowed (the world is then as it was before the
 *         step); ABUT_ERROR_OUT_OF_MEMORY. With the event stepper also ABUT_ERROR_UNSUPPORTED_PAIR when a mesh is in the world, wherever it is, with the dem stepper for bodies that are neither spheres nor planes nor facetmeshes;
 *         ABUT_ERROR_ITERATION_LIMIT after event_limit events, or when forces or impulses cannot be found to their tolerance;
 *         ABUT_ERROR_INFEASIBLE for a body that moving obstacles leave no way. The world is then as it was before the step
 */
ABUT_API abut_status abut_world_step(abut_world *world, double dt, abut_step_report *report);

/**
 * Report on the world as it is now: before the first step, between two steps, or after abut_world_restore(). A restored world gives the same report as the
 * saved world, to the last bit.
 *
 * Step, time, counts of bodies and all energies are those of the present state. `touching`, `contacts` and `max_penetration` belong to the contacts that
 * abut_world_contacts() returns: those of the last step, none before the first step. With the dem stepper, `dem.elastic_energy` and `dem.spring_energy` are the
 * energies of these contacts at the present poses; directly after a step they equal those of its report up to rounding errors. The fields that measure the
 * work of a step are zero: `candidates`, `event`, all other fields of `dem`, and the wall times.
 *
 * @param report  never NULL; written only with ABUT_OK
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT; with the dem stepper also ABUT_ERROR_OUT_OF_MEMORY, and ABUT_ERROR_UNSUPPORTED_PAIR or
 *         ABUT_ERROR_NOT_FINITE where the next step would return it
 */
ABUT_API abut_status abut_world_report(const abut_world *world, abut_step_report *report);

/** A contact of the last step and what it carried. */
typedef struct abut_world_contact {
    abut_body_id a;         /**< shape A of the contact is its */
    abut_body_id b;         /**< shape B is its */
    abut_contact contact;   /**< as found at the start of the step */
    double normal_force;    /**< mean over the step, >= 0, along contact.normal on A [mass length/time^2] */
    abut_vec3 friction_force; /**< mean over the step, on A, in the contact plane, world frame */
} abut_world_contact;

/**
 * The contacts of the last step, pair by pair in the order of the bodies' slots, deepest patch first in each pair. Contacts of sleeping bodies are those
 * with which they fell asleep. With the dem stepper one contact for each place at which two bodies touch, at the centre of its pressure: those of spheres and
 * planes first; area is that over which they press.
 * @param contacts  receives an array that belongs to the world and is valid until its next change
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT
 */
ABUT_API abut_status abut_world_contacts(const abut_world *world, const abut_world_contact **contacts, int32_t *count);

/**
 * Save the whole state of a world, so that the world can go on from it in another run: where bodies are, how they move and rest, forces that are to act, springs,
 * contacts with what the stepper remembers of them, the step and the time. After abut_world_restore() every later step makes the same world and the same
 * contacts, to the last bit, as it would have made without; the same report, too, but for its wall times.
 *
 * What bodies are made of, their shapes and the world's definition are not saved: whoever restores builds a world alike. Numbers of them are, by which
 * another world is recognised. The bytes are the same on every machine.
 *
 * @param saved     [capacity] owned by the caller; may be NULL when capacity is 0
 * @param size      receives the number of bytes that were written, or with ABUT_ERROR_CAPACITY that are needed; never NULL
 * @return ABUT_OK; ABUT_ERROR_CAPACITY, and then nothing is written to `saved`; ABUT_ERROR_INVALID_ARGUMENT; ABUT_ERROR_OUT_OF_MEMORY;
 *         ABUT_ERROR_UNSUPPORTED after a step of the event stepper that failed in the midst of an event
 */
ABUT_API abut_status abut_world_save(const abut_world *world, void *saved, size_t capacity, size_t *size);

/**
 * Restore a state. The world must have been built as the one that was saved: by the same definition (threads aside), with the same bodies added in the same
 * order, of equal shapes, and without any removed that were there when the other was saved. It may have been stepped. Bodies that the other had removed are
 * removed; its springs take the place of those that are here. Ids of bodies and springs of the saved world then name the same ones here.
 *
 * @param saved  [size] as abut_world_save() wrote it
 * @return ABUT_OK; ABUT_ERROR_FORMAT when it is cut short or damaged, or nothing that was saved; ABUT_ERROR_UNSUPPORTED for another version of the format;
 *         ABUT_ERROR_FOREIGN when the world was built in another way: its definition, its bodies or their shapes; ABUT_ERROR_INVALID_ARGUMENT;
 *         ABUT_ERROR_OUT_OF_MEMORY. On any error the world is as it was
 */
ABUT_API abut_status abut_world_restore(abut_world *world, const void *saved, size_t size);

/** A number made from all bits of all bodies' states: equal for equal worlds, different for almost all others. */
ABUT_API uint64_t abut_world_hash(const abut_world *world);

#ifdef __cplusplus
}
#endif
