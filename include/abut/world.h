#pragma once

#include <abut/base.h>
#include <abut/baseline.h>
#include <abut/collide.h>
#include <abut/contact.h>
#include <abut/filter.h>
#include <abut/math.h>
#include <abut/pressure.h>
#include <abut/shape.h>
#include <abut/surface.h>

/**
 * @file world.h
 * Bodies that move: worlds, bodies, springs and the steppers.
 *
 * Every function returns ABUT_ERROR_INVALID_ARGUMENT when its world, its definition or an output that must not be NULL is NULL.
 *
 * A world must not be used from two threads at once. Different worlds are independent. The state of a world is a pure function of the calls made
 * on it: two worlds that are built and stepped in the same way are equal to the last bit, for any number of threads.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** A world; opaque. */
typedef struct abut_world abut_world;

/** Identifies a body by value. Zero-initialised: no body. The id of a removed body is recognised as stale and never identifies another body. */
typedef struct abut_body_id {
    uint32_t index;      /**< slot + 1; 0 for no body */
    uint32_t generation; /**< number of bodies that used the slot before */
} abut_body_id;

/** Identifies a spring by value, like abut_body_id. */
typedef struct abut_spring_id {
    uint32_t index;      /**< slot + 1; 0 for no spring */
    uint32_t generation; /**< number of springs that used the slot before */
} abut_spring_id;

/** Settings of the fixed stepper. Start from abut_world_def_default(). */
typedef struct abut_fixed_settings {
    bool exact;                 /**< true: the exact solver solves the contacts of all islands. false: the quick one solves those that it can, in far less
                                     time and with errors that `effort` bounds; the exact one solves the others. It is worth its time where forces
                                     are read to more than three digits, and where walls and heaps must not settle by a millimetre; default false */
    int32_t effort;             /**< substeps per step of the quick solver, >= 1; default 8 */
    int32_t substeps;           /**< substeps per step of the exact solver, >= 1; default 4 */
    int32_t iterations;         /**< velocity passes per substep of the exact solver, >= 1; default 8 */
    double contact_frequency;   /**< frequency of the soft constraint that removes penetration; > 0; default 30 [1/time] */
    double contact_damping;     /**< damping ratio of this constraint; > 0; default 10 */
    double max_push_speed;      /**< largest speed at which penetration is removed; > 0; default 3 [length/time] */
    double restitution_speed;   /**< approaches slower than this do not bounce; >= 0; default 0.5 [length/time] */
    double margin;              /**< largest gap of a contact, relative to the size of the smaller shape; >= 0; default 0.02. For bodies that
                                     approach faster, contacts are made at larger gaps, and farther ahead where they will meet, so that the bodies do
                                     not penetrate; these contacts are reported when they carry a force */
    int32_t contacts_per_patch; /**< largest number of contacts of a patch for the solver, >= 0; larger patches are reduced; 0: all; default 32 */
    bool sleeping;              /**< true: bodies at rest fall asleep, one island at a time; default true */
    double sleep_speed;         /**< a body is at rest when all points of its surface are slower than this; >= 0; default 0.01 [length/time] */
    double sleep_time;          /**< an island falls asleep after this time at rest; >= 0; default 0.5 [time] */
} abut_fixed_settings;

/** Method that moves the bodies of a world. */
typedef enum abut_stepper {
    /** Impulses once per substep: robust and fast, with friction. For games, robots and piles. docs/methods/fixed-stepper.md */
    ABUT_STEPPER_FIXED,
    /** Contact forces from accelerations, integrated with an error bound; every collision is resolved at its time (D. Baraff, "Curved surfaces and
        coherence for non-penetrating rigid body simulation", 1990). Exact; friction if asked for. docs/methods/event-driven.md */
    ABUT_STEPPER_EVENT,
    /** The discrete element method: elastic forces from overlaps, integrated in short steps. For granular matter. docs/methods/dem.md */
    ABUT_STEPPER_DEM
} abut_stepper;

/** Model of the impulses of simultaneous collisions. The results differ, for example for three equal balls in a row. Both models are established. */
typedef enum abut_impulses {
    ABUT_IMPULSES_SIMULTANEOUS, /**< all contacts at once, by a linear complementarity problem */
    ABUT_IMPULSES_SEQUENTIAL    /**< one contact after the other, the fastest approach first, until no contact approaches */
} abut_impulses;

/** Settings of the event stepper. Start from abut_world_def_default(). */
typedef struct abut_event_settings {
    double tolerance;         /**< allowed error of one integration step, relative to the sizes and speeds of the bodies; > 0; default 1e-9 */
    double touching;          /**< gaps up to this count as touching, relative to the size of the smaller part; > 0; default 1e-6 */
    double resting_speed;     /**< slower approaches and separations count as rest; relative to the speed after a fall through the size of the smaller
                                   part; > 0; default 1e-5 */
    double restitution_speed; /**< slower approaches do not bounce; relative to the same speed; >= 0; default 1e-3 */
    double drift_rate;        /**< rate at which the gaps of resting contacts, and the errors of joints, are corrected for the drift due to rounding and
                                   integration errors; >= 0; default 20 [1/time] */
    double longest_step;      /**< longest integration step; > 0; may be infinite; default infinite: the step of the caller [time] */
    int32_t event_limit;      /**< largest number of events within one step of the world, and a hundredth of that of integration steps; >= 1; default
                                   10000 */
    abut_impulses impulses;   /**< how impulses are computed; default ABUT_IMPULSES_SIMULTANEOUS */
    bool friction;            /**< whether contacts have Coulomb's friction, with the geometric mean of the coefficients of both bodies; default false: they
                                   have none. Rolling and spinning friction and driven surfaces have no effect. Some states then have no solution in
                                   finite forces (P. Painleve, 1895); a step that meets one gives ABUT_ERROR_INFEASIBLE */
} abut_event_settings;

/** Settings of the dem stepper. Start from abut_world_def_default(). */
typedef struct abut_dem_settings {
    /** Longest integration step; >= 0; default 0: step_share of the critical step. A step of the world is divided into equal integration steps of at
        most this length. A step > 0 is used as given, without the limit for damping below [time] */
    double step;
    /** Integration step as a share of the critical step; > 0 and <= 1; default 0.1. The critical step is the time in which a Rayleigh wave travels
        half around the smallest sphere; for a facetmesh, half around the ball with its mass and its least moment of inertia; with the linear law, the
        root of mass over stiffness. The step is shorter
        where damping requires it, because strong damping makes the integration of a bed of grains unstable before its stiffness does:
        docs/methods/dem.md. */
    double step_share;
    /** Bodies closer than this are listed as near pairs. The list is rebuilt when a body has moved by half of it. Relative to the smallest
        radius; > 0; default 0.3. */
    double skin;
    /** How forces are distributed. Default ABUT_PRESSURE_AREA. */
    abut_pressure_mode mode;
    /** Axes along which space is periodic, from `lower` to `upper`; default none. Bodies keep their coordinates and may leave the periodic space:
        they collide at their periodic images within it. */
    bool periodic[3];
    /** Lower corner of the periodic space; below `upper` along each periodic axis [length] */
    abut_vec3 lower;
    /** Upper corner of the periodic space [length] */
    abut_vec3 upper;
} abut_dem_settings;

/** Two bodies of a world, as callbacks see them. Body a is that in the lower slot, which is that of the lower abut_body_id.index. */
typedef struct abut_body_pair {
    abut_body_id a;  /**< the body in the lower slot */
    abut_body_id b;  /**< the other one */
    uint64_t user_a; /**< abut_body_def.user of body a */
    uint64_t user_b; /**< the same of body b */
} abut_body_pair;

/**
 * A caller's own filter: which bodies can touch of those whose abut_filter agree and whose pair is not excluded. It must be a pure function of the pair while a
 * step runs, must not call the world, and is called from any thread, in any order and as often as the world likes. Its answer may change between steps; then
 * wake the bodies. It is not saved: a world that restores a state must have the same one.
 */
typedef struct abut_pair_filter {
    bool (*lets_touch)(void *context, const abut_body_pair *pair); /**< NULL for all */
    void *context;                                                 /**< for lets_touch */
} abut_pair_filter;

/** Two surfaces that meet at a contact. */
typedef struct abut_surface_meeting {
    abut_body_pair bodies; /**< bodies a and b */
    abut_surface a;  /**< of body a */
    abut_surface b;  /**< of body b */
    int32_t index_a; /**< part or triangle of body a, an index of abut_body_def.surfaces; -1 for a body with one surface */
    int32_t index_b; /**< the same of body b */
} abut_surface_meeting;

/**
 * A caller's own rule for two surfaces, for the fixed stepper. It must be a pure function of the meeting while a step runs, must not call the world, and is
 * called from any thread, in any order and as often as the world likes. It is not saved: a world that restores a state must have the same one.
 */
typedef struct abut_surface_rule {
    /** *pair is what the usual rule makes of a and b; the caller may change it. Numbers out of range are not taken. NULL for the usual rule */
    void (*meet)(void *context, const abut_surface_meeting *meeting, abut_surface *pair);
    void *context; /**< for meet */
} abut_surface_rule;

/** Definition of a world. Start from abut_world_def_default(). */
typedef struct abut_world_def {
    abut_vec3 gravity;             /**< acceleration of gravity, world frame; default (0, 0, -9.81) [length/time^2] */
    abut_contact_method method;    /**< method that makes contacts, see baseline.h; default ABUT_METHOD_PATCH */
    abut_collide_settings collide; /**< settings of contact generation; its margin is ignored, fixed.margin is used instead */
    abut_stepper stepper;          /**< default ABUT_STEPPER_FIXED */
    abut_fixed_settings fixed;     /**< settings of the fixed stepper */
    abut_event_settings event;     /**< settings of the event stepper */
    abut_dem_settings dem;         /**< settings of the dem stepper */
    uint32_t events;               /**< kinds of events that the world lists, bits of abut_world_event_kind (world_events.h); default 0, none */
    abut_pair_filter filter;       /**< the caller's own filter; default none. Sensors do not ask it */
    abut_surface_rule surfaces;    /**< the caller's own rule for two surfaces; default none */
    const abut_substance_pair *pairs; /**< [pair_count] what pairs of substances do to each other, each pair once; their order has no effect. Read
                                        during the call only; default NULL. What a pair gives replaces the usual rule in each stepper that has this coefficient,
                                        whatever the bodies' own values are; a caller's rule for surfaces is told it as the usual one */
    int32_t pair_count;            /**< >= 0; default 0 */
    double hit_speed;              /**< slower touches are no hits (ABUT_EVENT_HIT); >= 0; default 1 [length/time] */
    abut_parallel parallel;        /**< how loops are distributed over threads; never changes a result */
} abut_world_def;

/** A definition with the defaults named above. */
ABUT_API abut_world_def abut_world_def_default(void);

/**
 * Create an empty world. Free it with abut_world_destroy().
 * @param def    read during the call only; NULL for the defaults
 * @param world  set on ABUT_OK; never NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL, settings out of range or a pair of substances that is given twice; ABUT_ERROR_NOT_FINITE;
 *         ABUT_ERROR_UNSUPPORTED for a rule for surfaces with the event or the dem stepper, and for pairs with rolling_friction or spinning_friction above 0
 *         with the dem stepper; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_world_create(const abut_world_def *def, abut_world **world);

/** Free the world and release its references to shapes. NULL does nothing. */
ABUT_API void abut_world_destroy(abut_world *world);

/** Kind of a body: what determines its motion. */
typedef enum abut_body_kind {
    ABUT_BODY_DYNAMIC,   /**< moves by forces and contacts */
    ABUT_BODY_STATIC,    /**< never moves */
    ABUT_BODY_KINEMATIC  /**< moves by its given velocity alone; pushes other bodies and is never pushed */
} abut_body_kind;

/** Definition of a body. Start from abut_body_def_default(). */
typedef struct abut_body_def {
    abut_body_kind kind;        /**< default ABUT_BODY_DYNAMIC */
    const abut_shape *shape;    /**< never NULL; the world adds a reference. Planes only for static and kinematic bodies */
    abut_pose pose;             /**< pose of the shape's frame in the world; default the identity */
    abut_motion motion;         /**< velocity of the centre of mass and angular velocity, world frame; default zero; ignored for static bodies */
    double density;             /**< > 0, or >= 0 when the mass is given; default 1000 [mass/length^3] */
    double mass;                /**< >= 0; a mass > 0 replaces the density by mass / volume; default 0 [mass] */
    double friction;            /**< Coulomb's coefficient of friction, >= 0; default 0.5; a pair uses the geometric mean */
    double restitution;         /**< coefficient of restitution, 0 to 1; default 0; a pair uses the larger one */
    double rolling_friction;    /**< for the fixed stepper: the moment against rolling is at most this length times the load of a contact, >= 0; default 0; a
                                     pair uses the larger one. No effect with the event stepper [length] */
    double spinning_friction;   /**< the same for spin about the contact's normal [length] */
    double rolling_resistance;  /**< for the dem stepper: abut_pressure_law.rolling_resistance, >= 0; default 0; a pair uses the larger one */
    double twisting_resistance; /**< the same for spin about the contact's normal */
    const abut_surface *surfaces; /**< [surface_count] for the fixed stepper: the surface of each part of a compound, or of each triangle of a mesh or height
                                     field, instead of friction, restitution, rolling_friction, spinning_friction and substance; read during the call only;
                                     default NULL: one surface */
    int32_t surface_count;      /**< abut_shape_part_count() or abut_shape_triangle_count(); default 0 */
    double contact_stiffness;   /**< for the dem stepper: with a value > 0 contacts with bodies that have one, too, follow the linear law with the stiffness of
                                     both springs in a row, 1 / (1 / k_a + 1 / k_b): abut_pressure_law.stiffness; default 0: Hertz's law. Not with adhesion
                                     [force / length] */
    double adhesion_strength;   /**< for the dem stepper, beside adhesion_work: stress with which surfaces attract each other beyond their disc; >= 0; default
                                     0: adhesion is JKR's. Two bodies with values > 0 have the law of Maugis, with the geometric mean [force / length^2] */
    double liquid_volume;       /**< for the dem stepper: volume of the liquid at each contact with another body that has some, of which a capillary bridge
                                     forms when they touch: abut_pressure_law.liquid_volume; >= 0; default 0; a pair uses the geometric mean [length^3] */
    double surface_tension;     /**< of this liquid; >= 0; default 0; a pair uses the geometric mean [force / length] */
    double contact_angle;       /**< of this liquid on the body, 0 to pi / 2; default 0; a pair uses the angle with the mean of both cosines [rad] */
    int32_t substance;          /**< what the body is made of, for abut_world_def.pairs; >= 0; default 0: nothing that pairs name */
    abut_material material;     /**< for the dem stepper; default Young's modulus 1e7, Poisson's ratio 0.3 */
    double adhesion_work;       /**< for the dem stepper: work of adhesion, >= 0; default 0; a pair uses the geometric mean [force / length] */
    double linear_damping;      /**< rate at which the velocity decays, >= 0; default 0 [1/time] */
    double angular_damping;     /**< rate at which the angular velocity decays, >= 0; default 0 [1/time] */
    bool continuous;            /**< true: with the fixed stepper this dynamic body does not pass through other dynamic bodies either, whatever their
                                     sizes; default false. No body passes through static and kinematic bodies, nor a small one through a dynamic one
                                     that is more than four times larger. docs/methods/fixed-stepper.md */
    bool sensor;                /**< true: the body touches nothing and pushes nothing, in every stepper. ABUT_EVENT_SENSOR_BEGIN and
                                     ABUT_EVENT_SENSOR_END tell which bodies have a point in common with it. It sees the bodies that its filter lets it
                                     touch, and of kinds that abut_overlap() takes: not other sensors, and a static one no static bodies; default false */
    double gravity_scale;       /**< factor of the world's gravity for this body; finite, may be 0 or negative; default 1; no effect on static and
                                     kinematic bodies */
    abut_filter filter;         /**< which other bodies it can touch; default category 1, mask all, group 0: all */
    abut_motion surface_velocity; /**< for the fixed stepper: motion of the surface along itself, as of a belt or a turntable, beside that of the body.
                                     Shape frame, about its origin; default zero. Friction feels the part in the plane of a contact. A dynamic body feels
                                     the reaction, like a vehicle on tracks. No effect with the event stepper
                                     [length/time, rad/time] */
    uint64_t user;              /**< for the caller; the library never reads it */
} abut_body_def;

/** A definition with the defaults named above: a dynamic body at the identity pose, at rest, without a shape. */
ABUT_API abut_body_def abut_body_def_default(void);

/**
 * Add a body.
 * @param def  never NULL
 * @param id   set to the id of the body on ABUT_OK; may be NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for no shape, an invalid pose, a mass or density that is not positive, coefficients out of range, or
 *         a dynamic plane; ABUT_ERROR_NOT_CLOSED for a dynamic mesh without an inside; ABUT_ERROR_NOT_FINITE, also for a mass or inertia that
 *         overflows or underflows; ABUT_ERROR_UNSUPPORTED for a surface velocity, rolling_friction or spinning_friction with the dem stepper, and for several
 *         surfaces with the event or the dem stepper; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_world_add_body(abut_world *world, const abut_body_def *def, abut_body_id *id);

/**
 * Remove a body, its contacts, its springs and its joints. Wakes the bodies that touched it or had a joint with it.
 * @return ABUT_OK; ABUT_ERROR_STALE_ID; ABUT_ERROR_INVALID_ARGUMENT
 */
ABUT_API abut_status abut_world_remove_body(abut_world *world, abut_body_id id);

/** Pose and motion of a body. World frame. */
typedef struct abut_body_state {
    abut_pose pose;             /**< pose of the shape's frame */
    abut_vec3 centre;           /**< centre of mass [length] */
    abut_motion motion;         /**< velocity of the centre of mass and angular velocity */
    bool awake;                 /**< false for sleeping and for static bodies */
} abut_body_state;

/**
 * Pose and motion of a body.
 * @param state  written on ABUT_OK; never NULL
 * @return ABUT_OK; ABUT_ERROR_STALE_ID; ABUT_ERROR_INVALID_ARGUMENT
 */
ABUT_API abut_status abut_world_body_state(const abut_world *world, abut_body_id id, abut_body_state *state);

/** Properties of a body that stay the same from step to step. */
typedef struct abut_body_info {
    abut_body_kind kind;     /**< kind of the body */
    const abut_shape *shape; /**< shape of the body; the world owns the reference */
    double mass;             /**< 0 for static and kinematic bodies [mass] */
    abut_vec3 centre;        /**< centre of mass, shape frame [length] */
    abut_mat3 inertia;       /**< inertia tensor about the centre of mass, axes of the shape frame; zero for static and kinematic bodies
                                  [mass length^2] */
    double friction;         /**< Coulomb's coefficient of friction */
    double restitution;      /**< coefficient of restitution, 0 to 1 */
    double rolling_friction;  /**< largest moment against rolling by load [length] */
    double spinning_friction; /**< the same against spin about the normal [length] */
    double rolling_resistance;  /**< coefficient of rolling resistance for the dem stepper */
    double twisting_resistance; /**< the same against spin about the normal */
    double contact_stiffness; /**< of the linear law of the dem stepper; 0: Hertz's law [force / length] */
    double adhesion_strength; /**< of Maugis's law of adhesion; 0: that of JKR [force / length^2] */
    double liquid_volume;     /**< of the capillary bridges of the dem stepper [length^3] */
    double surface_tension;   /**< of this liquid [force / length] */
    double contact_angle;     /**< of this liquid on the body [rad] */
    int32_t substance;       /**< what the body is made of, for abut_world_def.pairs */
    abut_material material;  /**< material for the dem stepper */
    double adhesion_work;    /**< work of adhesion for the dem stepper [force / length] */
    double linear_damping;   /**< rate at which the velocity decays [1/time] */
    double angular_damping;  /**< rate at which the angular velocity decays [1/time] */
    double gravity_scale;    /**< factor of the world's gravity for this body */
    abut_filter filter;      /**< which other bodies it can touch */
    bool sensor;             /**< whether it is a sensor */
    abut_motion surface_velocity; /**< motion of the surface along itself, shape frame [length/time, rad/time] */
    uint64_t user;           /**< as given in the definition */
} abut_body_info;

/**
 * Properties of a body.
 * @param info  written on ABUT_OK; never NULL
 * @return ABUT_OK; ABUT_ERROR_STALE_ID; ABUT_ERROR_INVALID_ARGUMENT
 */
ABUT_API abut_status abut_world_body_info(const abut_world *world, abut_body_id id, abut_body_info *info);

/**
 * Set the motion of a body and wake it. A static body does not change.
 * @param motion  velocity of the centre of mass and angular velocity, world frame
 * @return ABUT_OK; ABUT_ERROR_STALE_ID; ABUT_ERROR_NOT_FINITE
 */
ABUT_API abut_status abut_world_set_body_motion(abut_world *world, abut_body_id id, abut_motion motion);

/**
 * Set the pose of a body. Wakes the body and the bodies that it touched. Its motion does not change.
 * @param pose  pose of the shape's frame in the world
 * @return ABUT_OK; ABUT_ERROR_STALE_ID; ABUT_ERROR_INVALID_ARGUMENT for a pose that is not finite or not a rotation
 */
ABUT_API abut_status abut_world_set_body_pose(abut_world *world, abut_body_id id, abut_pose pose);

/**
 * Replace the shape of a body, for bodies that deform. Wakes the body and the bodies that it touched.
 *
 * Pose, motion, mass and springs stay the same: the frame of the new shape is where that of the old one was. Centre of mass and inertia are those of
 * the new shape with the same mass. The memory of contacts is identified by feature indices, so faces and vertices that persist should keep their
 * indices, as abut_shape_create_facetmesh_moved() does. Damping and friction do not include the motion of the surface from the old shape to the new
 * one.
 *
 * @param shape  a shape of the same kind as the present one; the world adds a reference; never NULL
 * @return ABUT_OK; ABUT_ERROR_STALE_ID; ABUT_ERROR_INVALID_ARGUMENT for NULL, another kind of shape, or another number of parts or triangles than surfaces;
 *         ABUT_ERROR_NOT_CLOSED for a dynamic mesh without an inside; ABUT_ERROR_NOT_FINITE. On an error the body does not change
 */
ABUT_API abut_status abut_world_set_body_shape(abut_world *world, abut_body_id id, const abut_shape *shape);

/**
 * Apply a force to a body during the next step only, and wake the body. Forces of several calls add up. Static and kinematic bodies are not affected.
 * @param force  world frame [mass length/time^2]
 * @param point  point of application, world frame [length]
 * @return ABUT_OK; ABUT_ERROR_STALE_ID; ABUT_ERROR_NOT_FINITE
 */
ABUT_API abut_status abut_world_apply_force(abut_world *world, abut_body_id id, abut_vec3 force, abut_vec3 point);

/**
 * A torque that acts during the next step only, and wakes the body. Torques and forces of several calls add up. Static and kinematic bodies do not feel it.
 * @param torque  world frame [mass length^2/time^2]
 * @return ABUT_OK; ABUT_ERROR_STALE_ID; ABUT_ERROR_NOT_FINITE, also when the sum overflows. On an error the body is as it was
 */
ABUT_API abut_status abut_world_apply_torque(abut_world *world, abut_body_id id, abut_vec3 torque);

/**
 * Change the velocities of a dynamic body at once, and wake it: v += impulse / m and w += I^-1 ((point - centre) x impulse), I about the centre of mass.
 * Static and kinematic bodies do not feel it.
 * @param impulse  world frame [mass length/time]
 * @param point    where it acts, world frame
 * @return ABUT_OK; ABUT_ERROR_STALE_ID; ABUT_ERROR_NOT_FINITE, also when a velocity overflows. On an error the body is as it was
 */
ABUT_API abut_status abut_world_apply_impulse(abut_world *world, abut_body_id id, abut_vec3 impulse, abut_vec3 point);

/**
 * Change the angular velocity of a dynamic body at once, and wake it: w += I^-1 impulse, I about the centre of mass. Static and kinematic bodies do not
 * feel it.
 * @param impulse  world frame [mass length^2/time]
 * @return as abut_world_apply_impulse()
 */
ABUT_API abut_status abut_world_apply_angular_impulse(abut_world *world, abut_body_id id, abut_vec3 impulse);

/**
 * Wake a sleeping body, and restart the time for which a body must rest before it falls asleep. The next step of the fixed stepper also wakes the bodies of its
 * island: those that it touches, directly or through other dynamic bodies. Bodies that are awake, static or kinematic do not change.
 * @return ABUT_OK; ABUT_ERROR_STALE_ID
 */
ABUT_API abut_status abut_world_wake_body(abut_world *world, abut_body_id id);

/**
 * Put a dynamic body to sleep now, also when abut_fixed_settings.sleeping is false. Its velocities become zero, and forces and torques that were to act in the
 * next step are dropped. It stays where it is, even in the air, until something wakes it: a call that says so, or a step in which it has contact with an awake
 * dynamic body, a kinematic body that moves, or a body that was added or placed since the last step. So an island sleeps only when all its bodies are put to
 * sleep before the next step. A sleeping body keeps the contacts of the last step, and their forces. Springs do not pull it. Static and kinematic bodies do not
 * change.
 *
 * A body that was itself added or placed since the last step may be put to sleep, too. The next step then finds its contacts, which carry no forces until it
 * wakes, and static and kinematic bodies at rest do not wake it. So a whole scene can be built asleep.
 * @return ABUT_OK; ABUT_ERROR_STALE_ID; ABUT_ERROR_UNSUPPORTED in worlds with the event or the dem stepper, which let no body sleep
 */
ABUT_API abut_status abut_world_sleep_body(abut_world *world, abut_body_id id);

/**
 * Give a dynamic body another mass. Its inertia is scaled with the mass, as though the body had been added with it. Its pose and velocities stay, and so do the
 * frequencies of its springs. Another mass than before wakes the body.
 * @param mass  > 0 [mass]
 * @return ABUT_OK; ABUT_ERROR_STALE_ID; ABUT_ERROR_INVALID_ARGUMENT for a mass that is not positive, or a static or kinematic body; ABUT_ERROR_NOT_FINITE,
 *         also when the inertia, an inverse, or the stiffness or damping of a spring overflows. On an error the body is as it was
 */
ABUT_API abut_status abut_world_set_body_mass(abut_world *world, abut_body_id id, double mass);

/**
 * Set a body's friction, of any kind of body. Another value than before wakes it and the bodies that it touched. Surfaces of parts and triangles stay.
 * @param friction  Coulomb coefficient, >= 0; a pair uses the geometric mean
 * @return ABUT_OK; ABUT_ERROR_STALE_ID; ABUT_ERROR_INVALID_ARGUMENT; ABUT_ERROR_NOT_FINITE
 */
ABUT_API abut_status abut_world_set_body_friction(abut_world *world, abut_body_id id, double friction);

/**
 * Set a body's restitution, of any kind of body. A sleeping body sleeps on. Surfaces of parts and triangles stay.
 * @param restitution  0 to 1; a pair uses the larger one
 * @return ABUT_OK; ABUT_ERROR_STALE_ID; ABUT_ERROR_INVALID_ARGUMENT; ABUT_ERROR_NOT_FINITE
 */
ABUT_API abut_status abut_world_set_body_restitution(abut_world *world, abut_body_id id, double restitution);

/**
 * Set a body's damping. A sleeping body sleeps on. Static and kinematic bodies keep the values without effect.
 * @param linear   of the velocity of the centre of mass, >= 0 [1/time]
 * @param angular  of the angular velocity, >= 0 [1/time]
 * @return ABUT_OK; ABUT_ERROR_STALE_ID; ABUT_ERROR_INVALID_ARGUMENT; ABUT_ERROR_NOT_FINITE
 */
ABUT_API abut_status abut_world_set_body_damping(abut_world *world, abut_body_id id, double linear, double angular);

/**
 * Set the factor that multiplies the world's gravity for one body. It counts in the motion from the next step on, and in abut_step_report.potential_energy at
 * once. Another value than before wakes the body. Static and kinematic bodies keep it without effect.
 * @param scale  finite; 0: the body does not fall; negative: it rises
 * @return ABUT_OK; ABUT_ERROR_STALE_ID; ABUT_ERROR_NOT_FINITE
 */
ABUT_API abut_status abut_world_set_body_gravity_scale(abut_world *world, abut_body_id id, double scale);

/**
 * Set the motion of a body's surface along itself (abut_body_def.surface_velocity), for example to start or stop a belt. Another one than before wakes the body
 * and the bodies that it touched.
 * @param velocity  shape frame, about its origin [length/time, rad/time]
 * @return ABUT_OK; ABUT_ERROR_STALE_ID; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_UNSUPPORTED in a world with the dem stepper, unless it is zero
 */
ABUT_API abut_status abut_world_set_body_surface_velocity(abut_world *world, abut_body_id id, abut_motion velocity);

/**
 * Set which other bodies a body can touch. Another filter than before wakes it and the bodies that it touched. It counts from the next step on; the contacts of
 * the last step stay until then.
 * @return ABUT_OK; ABUT_ERROR_STALE_ID; ABUT_ERROR_INVALID_ARGUMENT
 */
ABUT_API abut_status abut_world_set_body_filter(abut_world *world, abut_body_id id, abut_filter filter);

/**
 * Exclude a pair: the two bodies do not touch, in any stepper, whatever their filters say. Wakes both, unless the pair is excluded already. The contacts of the
 * last step stay until the next one. Sensors still see both. Removing a body forgets its pairs.
 * @return ABUT_OK; ABUT_ERROR_STALE_ID for one of the bodies; ABUT_ERROR_INVALID_ARGUMENT for one body twice; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_world_exclude_pair(abut_world *world, abut_body_id a, abut_body_id b);

/**
 * Let a pair touch again that was excluded. Wakes both. No effect on other pairs.
 * @return ABUT_OK; ABUT_ERROR_STALE_ID for one of the bodies; ABUT_ERROR_INVALID_ARGUMENT for one body twice
 */
ABUT_API abut_status abut_world_include_pair(abut_world *world, abut_body_id a, abut_body_id b);

/**
 * Whether a pair is excluded.
 * @param excluded  written on ABUT_OK; never NULL
 * @return ABUT_OK; ABUT_ERROR_STALE_ID for one of the bodies; ABUT_ERROR_INVALID_ARGUMENT, also for one body twice
 */
ABUT_API abut_status abut_world_is_pair_excluded(const abut_world *world, abut_body_id a, abut_body_id b, bool *excluded);

/**
 * Set the gravity of the world. It counts in the motion from the next step on, and in abut_step_report.potential_energy at once. Another gravity than before
 * wakes all bodies but those with gravity_scale 0.
 * @param gravity  world frame [length/time^2]
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT; ABUT_ERROR_NOT_FINITE
 */
ABUT_API abut_status abut_world_set_gravity(abut_world *world, abut_vec3 gravity);

/**
 * Ids of all bodies, in the order of their slots.
 * @param ids       [capacity], owned by the caller; may be NULL when capacity is 0
 * @param capacity  >= 0
 * @param count     set to the number of bodies, also when this exceeds capacity; never NULL
 * @return ABUT_OK; ABUT_ERROR_CAPACITY when *count > capacity: the first `capacity` ids are written; ABUT_ERROR_INVALID_ARGUMENT
 */
ABUT_API abut_status abut_world_body_ids(const abut_world *world, abut_body_id *ids, int32_t capacity, int32_t *count);

/**
 * The states of all bodies, in the order of abut_world_body_ids(): the same as abut_world_body_state() of each one.
 * @param states  [capacity] owned by the caller; receives the first `capacity` states; may be NULL when capacity is 0
 * @param count   set to the number of bodies, also when this exceeds capacity; never NULL
 * @return ABUT_OK; ABUT_ERROR_CAPACITY when there are more bodies than capacity; ABUT_ERROR_INVALID_ARGUMENT
 */
ABUT_API abut_status abut_world_body_states(const abut_world *world, abut_body_state *states, int32_t capacity, int32_t *count);

/**
 * The poses of the shape frames of all bodies in the world, in the order of abut_world_body_ids().
 * @param poses  [capacity] owned by the caller; receives the first `capacity` poses; may be NULL when capacity is 0
 * @param count  set to the number of bodies, also when this exceeds capacity; never NULL
 * @return as abut_world_body_states()
 */
ABUT_API abut_status abut_world_body_poses(const abut_world *world, abut_pose *poses, int32_t capacity, int32_t *count);

/** Definition of a damped spring between a point of a body and a point of the world, for example to drag a body with a mouse. */
typedef struct abut_spring_def {
    abut_body_id body;    /**< a dynamic body */
    abut_vec3 anchor;     /**< point of the body at one end, shape frame [length] */
    abut_vec3 target;     /**< point of the world at the other end, world frame [length] */
    double frequency;     /**< natural frequency f, > 0; the stiffness is m (2 pi f)^2 with the mass m of the body [1/time] */
    double damping_ratio; /**< >= 0; 1 does not overshoot */
    double max_force;     /**< limit of the force, >= 0; may be infinite [mass length/time^2] */
} abut_spring_def;

/** A definition with frequency 5, damping ratio 1 and no limit of the force, without a body. */
ABUT_API abut_spring_def abut_spring_def_default(void);
/**
 * Add a spring and wake its body.
 * @param def  never NULL
 * @param id   set to the id of the spring on ABUT_OK; may be NULL
 * @return ABUT_OK; ABUT_ERROR_STALE_ID for the body; ABUT_ERROR_INVALID_ARGUMENT for numbers out of range or a body that is not dynamic;
 *         ABUT_ERROR_NOT_FINITE, also for a stiffness that overflows; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_world_add_spring(abut_world *world, const abut_spring_def *def, abut_spring_id *id);
/**
 * Move the target of a spring and wake its body.
 * @param target  world frame [length]
 * @return ABUT_OK; ABUT_ERROR_STALE_ID; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_INVALID_ARGUMENT
 */
ABUT_API abut_status abut_world_set_spring_target(abut_world *world, abut_spring_id id, abut_vec3 target);
/**
 * Remove a spring and wake its body.
 * @return ABUT_OK; ABUT_ERROR_STALE_ID; ABUT_ERROR_INVALID_ARGUMENT
 */
ABUT_API abut_status abut_world_remove_spring(abut_world *world, abut_spring_id id);

/** Work of the event stepper in one step of the world. */
typedef struct abut_event_report {
    int64_t steps;           /**< number of accepted integration steps */
    int64_t rejected;        /**< number of rejected integration steps: their error was too large, or they went past an event */
    int64_t evaluations;     /**< number of evaluations of the accelerations; each is a complementarity problem where bodies touch */
    int64_t tests;           /**< number of penetration tests of pairs of parts whose bounds overlap: hits + repeats + misses */
    int64_t hits;            /**< number of these tests answered without a search: by a separating plane known from before, or by a formula (a ball with
                                  a ball, a plane or a box; a plane with a capsule, a box, an ellipsoid or a superquadric) */
    int64_t repeats;         /**< number of these tests that searched, and found a contact of the features that touched before */
    int64_t misses;          /**< number of these tests that searched, and found something else */
    int64_t discontinuities; /**< number of times at which bodies began to touch, or a contact left its features */
    int64_t impulses;        /**< number of times at which velocities changed by impulses */
} abut_event_report;

/** Work and energies of the dem stepper in one step of the world. */
typedef struct abut_dem_report {
    int64_t steps;           /**< number of integration steps */
    int64_t lists;           /**< number of times that the list of near pairs was rebuilt; 0 if that of the step before was still valid */
    double critical_step;    /**< critical step, see abut_dem_settings.step_share [time] */
    int32_t near;            /**< number of pairs in the list */
    int32_t sliding;         /**< number of contacts at the friction limit */
    int32_t bonds;           /**< number of bonds that hold at the end of the step (abut/bond.h) */
    int32_t broken;          /**< number of bonds that broke in this step of the world */
    double elastic_energy;   /**< elastic energy of the contacts at the end of the step, with adhesion and capillary bridges [mass length^2/time^2] */
    double spring_energy;    /**< elastic energy of the springs of friction, rolling and twisting, of bonds, and of elastic cells, at the end of the step
                                  [mass length^2/time^2] */
    double damping_work;     /**< energy dissipated by damping in this step of the world [mass length^2/time^2] */
    double friction_work;    /**< energy dissipated by friction, rolling and twisting in this step of the world, where capillary bridges form and
                                  where bonds break [mass length^2/time^2] */
    double residual;         /**< distance from equilibrium at the end of the step: the largest net force of a body divided by its weight; without
                                  gravity, the largest net force. For a facetmesh, also its net torque over the radius of a ball that contains it */
} abut_dem_report;

/** The state of a world after a step, and the work of the step. */
typedef struct abut_step_report {
    int64_t step;                /**< number of steps made so far */
    double time;                 /**< simulated time so far [time] */
    int32_t bodies;              /**< number of bodies */
    int32_t awake;               /**< number of dynamic bodies that are awake */
    int32_t candidates;          /**< number of pairs whose bounds, enlarged by their margins, overlap */
    int32_t touching;            /**< number of pairs with at least one contact */
    int32_t contacts;            /**< number of contacts of all pairs */
    double max_penetration;      /**< largest depth (-gap) of a contact, >= 0 [length] */
    double kinetic_energy;       /**< kinetic energy of all dynamic bodies, at the end of the step [mass length^2/time^2] */
    double potential_energy;     /**< potential energy of gravity with the bodies' gravity scales, zero at the origin [mass length^2/time^2] */
    double spring_energy;        /**< elastic energy of the springs (abut_spring_def) [mass length^2/time^2] */
    int32_t sunk;                /**< number of dynamic bodies that are sunk: with a contact that is deeper than half of the body's inner radius. This is the
                                      radius of the largest ball inside the body; of a compound, inside its thinnest part; of a mesh that is not a convex
                                      solid, a tenth of the least side of its bounds; of a facetmesh, a quarter of it. Contacts are those that
                                      `contacts` counts; those that were made in the course of the step do not count */
    int32_t engulfed;            /**< number of sunk bodies that a body with such a contact has taken in: it contains the centre of mass of the sunk body, or
                                      of a part of the compound. Surfaces without an inside take nothing in. With the dem stepper also
                                      bodies without such a contact, because facets that are too deep in each other have none (facet.h) */
    int32_t left;                /**< number of dynamic bodies that went through a static or kinematic body in this step: the straight way of the centre of mass
                                      (of a part) from the beginning to the end of the step, as the other body sees it, enters that body's surface from outside,
                                      and does not end inside. With the event and dem steppers, which divide a step, only ways up to twice the inner radius are
                                      straight enough to count. Nothing goes through planes: it is engulfed. Facetmeshes are not asked */
    abut_body_id sunk_body;      /**< the sunk body in the lowest slot; zero for none */
    abut_body_id engulfed_body;  /**< the engulfed body in the lowest slot; zero for none */
    abut_body_id left_body;      /**< the body in the lowest slot that went through another; zero for none */
    abut_event_report event;     /**< work of the event stepper; zero with other steppers */
    abut_dem_report dem;         /**< work of the dem stepper; zero with other steppers */
    double seconds_broad;        /**< wall time of the candidate pairs [s] */
    double seconds_narrow;       /**< wall time of the contacts [s] */
    double seconds_solve;        /**< wall time of forces and motion [s] */
    double seconds_total;        /**< wall time of the whole step [s] */
} abut_step_report;

/**
 * Advance the world by one step.
 * @param dt      length of the step, > 0, finite [time]
 * @param report  written on ABUT_OK; may be NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT; ABUT_ERROR_NOT_FINITE when the state of a body overflows; ABUT_ERROR_OUT_OF_MEMORY.
 *         ABUT_ERROR_UNSUPPORTED_PAIR with the event stepper when the world contains a facetmesh, a cylinder, a cone, a dynamic mesh, a
 *         kinematic open mesh, or a mesh with smooth edges, at any place, and for some bodies that tip over the border of an open mesh;
 *         with the dem stepper when it contains a smooth body that is not convex and has no abut_shape_surface_mesh()
 *         (abut_stepper_refusal()). ABUT_ERROR_DEGENERATE with the dem stepper for a mesh no triangle of which has an area. With the event
 *         stepper also ABUT_ERROR_ITERATION_LIMIT after event_limit events or 100 times as many integration steps, or soon if dt is far longer
 *         than these can be, when two curved bodies rock too fast on flat places of both, or when forces or impulses cannot be found to their
 *         tolerance, and ABUT_ERROR_INFEASIBLE for a body trapped between moving obstacles, or with friction where no contact forces were found.
 *         On ABUT_ERROR_NOT_FINITE and on the errors of the event and dem steppers the world is as it was before the step
 */
ABUT_API abut_status abut_world_step(abut_world *world, double dt, abut_step_report *report);

/**
 * Why a stepper does not take bodies of a kind with a shape; it refuses a world with such a body at any place.
 * @param kind   the event stepper takes closed meshes as static and kinematic bodies only, and open ones as static bodies; other answers do not depend on it
 * @param shape  never NULL
 * @return a reason, such as "the event stepper does not take cylinders and cones; use prisms and pyramids, or the fixed stepper"; NULL when the stepper takes
 *         the shape, and for NULL. The text is constant
 */
ABUT_API const char *abut_stepper_refusal(abut_stepper stepper, abut_body_kind kind, const abut_shape *shape);

/**
 * Whether the stepper takes the world as it is. The world does not change.
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT; ABUT_ERROR_OUT_OF_MEMORY; ABUT_ERROR_UNSUPPORTED_PAIR for a body that the stepper refuses
 *         (abut_stepper_refusal()). With the dem stepper also ABUT_ERROR_DEGENERATE for a mesh no triangle of which has an area;
 *         ABUT_ERROR_INVALID_ARGUMENT for a periodic space that is too short for the
 *         largest body: it must be longer than four times the largest reach, which is the body's radius, half the skin and half the reach of
 *         adhesion; ABUT_ERROR_NOT_FINITE for materials whose stiffness overflows. The next step would return the same
 */
ABUT_API abut_status abut_world_check(const abut_world *world);

/** Two bodies that lie in each other. */
typedef struct abut_world_overlap {
    abut_body_id a; /**< the body in the lower slot */
    abut_body_id b; /**< the body in the higher slot */
    double depth;   /**< depth of the deepest contact of the two, > 0 [length] */
} abut_world_overlap;

/**
 * Find bodies that lie in each other where they are now, for example before the first step, with any stepper. A pair counts when at least one
 * of the two is dynamic, and their deepest contact is deeper than a hundredth of the inner radius (see abut_step_report.sunk) of the dynamic
 * body, or of the smaller one if both are dynamic. Smaller overlaps are those of bodies that lie on each other. Periodic images are not looked
 * at, nor are pairs of shapes that have no contacts, nor those that filters, exclusions or joints keep from touching.
 * @param overlaps  [capacity], owned by the caller; receives the first pairs, in the order of the higher slot and then of the lower one; may be NULL when
 *                  capacity is 0
 * @param capacity  >= 0; the search ends when so many pairs have been found
 * @param count     set to the number of pairs written; never NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_world_overlaps(const abut_world *world, abut_world_overlap *overlaps, int32_t capacity, int32_t *count);

/**
 * Report on the world as it is now: before the first step, between two steps, or after abut_world_restore(). A restored world gives the same report
 * as the saved world, to the last bit.
 *
 * Step, time, counts of bodies and all energies are those of the present state. `touching`, `contacts`, `max_penetration`, `sunk` and `engulfed` belong to the
 * contacts that abut_world_contacts() returns: those of the last step, none before the first step. With the dem stepper, `dem.elastic_energy` and
 * `dem.spring_energy` are the energies of these contacts and of the bonds at the present poses, and `dem.bonds` their number; directly after a step they equal
 * those of its report up to rounding errors. The fields that measure a step are zero: `left`, `candidates`, `event`, all other fields of `dem`, and the
 * wall times.
 *
 * @param report  never NULL; written only with ABUT_OK
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT; with the dem stepper also ABUT_ERROR_OUT_OF_MEMORY, and ABUT_ERROR_UNSUPPORTED_PAIR or
 *         ABUT_ERROR_NOT_FINITE where the next step would return it
 */
ABUT_API abut_status abut_world_report(const abut_world *world, abut_step_report *report);

/** A contact of the last step and its forces. World frame. */
typedef struct abut_world_contact {
    abut_body_id a;           /**< body of shape A of the contact */
    abut_body_id b;           /**< body of shape B of the contact */
    uint64_t user_a;          /**< abut_body_def.user of body a */
    uint64_t user_b;          /**< abut_body_def.user of body b */
    abut_contact contact;     /**< the contact at the start of the step; of bodies that met in its course, where they met */
    double normal_force;      /**< mean normal force over the step, on A along contact.normal, >= 0 [mass length/time^2] */
    abut_vec3 friction_force; /**< mean friction force over the step, on A, in the contact plane [mass length/time^2] */
} abut_world_contact;

/**
 * Contacts of the last step, pair by pair in the order of the bodies' slots; within a pair, deepest patch first. Sleeping bodies have the contacts
 * with which they fell asleep. With the dem stepper there is one contact for each region where two bodies touch, at its centre of pressure; contacts
 * of spheres and planes come first, and the area is the contact area.
 * @param contacts  set to an array [*count] that the world owns; valid until the world changes; never NULL
 * @param count     set to the number of contacts; never NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT
 */
ABUT_API abut_status abut_world_contacts(const abut_world *world, const abut_world_contact **contacts, int32_t *count);

/**
 * Save the whole state of a world, so that another run can continue from it. The state contains the poses and motions of the bodies, their sleep,
 * forces that will act in the next step, springs, joints, contacts with the memory of the stepper, the number of steps and the time. After
 * abut_world_restore() every later step gives the same world and the same contacts as without saving, to the last bit. The reports are also the same,
 * except for wall times.
 *
 * Materials and shapes of the bodies and the definition of the world are not saved. The caller must build an equal world before it restores the
 * state. Digests of these data are saved, so that a different world is recognised. The bytes are the same on every machine.
 *
 * Values that were changed after the world was built are saved: its gravity, and mass, friction, restitution, damping, gravity scale and filter of its
 * bodies. Such a state has version 3 of the format. A world in which all of these have the values of the definitions is saved as version 1. A world
 * in which there has been a joint is saved as version 4, and one that lists events as version 5, with what touched, was seen and slept after the last step.
 * A world with excluded pairs or a changed surface velocity is saved as version 6, and one whose dem stepper goes on with its list of near pairs as version 10.
 *
 * @param saved     [capacity] owned by the caller; may be NULL when capacity is 0
 * @param capacity  size of `saved` in bytes
 * @param size      set to the number of bytes written, or with ABUT_ERROR_CAPACITY to the number of bytes needed; never NULL
 * @return ABUT_OK; ABUT_ERROR_CAPACITY: nothing is written to `saved`; ABUT_ERROR_INVALID_ARGUMENT; ABUT_ERROR_OUT_OF_MEMORY;
 *         ABUT_ERROR_UNSUPPORTED after a step of the event stepper that failed during an event
 */
ABUT_API abut_status abut_world_save(const abut_world *world, void *saved, size_t capacity, size_t *size);

/**
 * Restore a saved state. The world must have been built like the saved world: with the same definition (except for threads), and with the same bodies
 * of equal shapes, added in the same order. Bodies that existed in the saved world must not have been removed. The world may have been stepped.
 * Gravity and values of bodies that setters have changed here become those of the saved world.
 * Bodies that were removed from the saved world are removed. Springs, joints and excluded pairs of the saved world replace the present ones. Ids of bodies,
 * springs and joints of the saved world then identify the same objects in this world.
 *
 * @param saved  [size] bytes written by abut_world_save()
 * @param size   number of these bytes
 * @return ABUT_OK; ABUT_ERROR_FORMAT when the bytes are incomplete, damaged or not a saved state; ABUT_ERROR_UNSUPPORTED for another version of the
 *         format; ABUT_ERROR_FOREIGN when the world was built differently: its definition, its bodies or their shapes; ABUT_ERROR_INVALID_ARGUMENT;
 *         ABUT_ERROR_OUT_OF_MEMORY. On any error the world does not change
 */
ABUT_API abut_status abut_world_restore(abut_world *world, const void *saved, size_t size);

/** A hash of all bits of the states of all bodies (FNV-1a): equal for equal worlds, different for almost all others. */
ABUT_API uint64_t abut_world_hash(const abut_world *world);

#ifdef __cplusplus
}
#endif
