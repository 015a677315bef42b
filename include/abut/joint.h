#pragma once

#include <abut/world.h>

/**
 * @file joint.h
 * Joints of a world: two bodies that are held together, with limits, motors, springs and a load at which they break.
 *
 * The fixed and the event stepper have joints. They solve them together with the contacts: docs/methods/joints.md. The event stepper has no limits, no motors
 * and no joints that break, and no joints beside friction.
 *
 * A joint has a frame on each body. Where both frames coincide, the joint is at zero. "The axis" below is the z axis of frame a, which the joint keeps along
 * the z axis of frame b where it holds directions. The coordinate of a joint is the motion that it leaves free: the angle of b against a about the axis, the
 * way of b against a along it, or a distance. Angles count turns: they are not cut at half a turn.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** Identifies a joint by value, like abut_body_id. */
typedef struct abut_joint_id {
    uint32_t index;      /**< slot + 1; 0 for no joint */
    uint32_t generation; /**< number of joints that used the slot before */
} abut_joint_id;

/** Kind of a joint: which motions of body b relative to body a it leaves free. */
typedef enum abut_joint_kind {
    ABUT_JOINT_WELD,      /**< none */
    ABUT_JOINT_SPHERICAL, /**< all rotations. Coordinate: the angle between both z axes, for limits only [rad] */
    ABUT_JOINT_REVOLUTE,  /**< the rotation about the axis. Coordinate: its angle [rad] */
    ABUT_JOINT_PRISMATIC, /**< the way along the axis. Coordinate: that way [length] */
    ABUT_JOINT_UNIVERSAL, /**< rotations about the z axis of frame a and the x axis of frame b, which stay at a right angle; no coordinate */
    ABUT_JOINT_DISTANCE, /**< all motions but along the line between both origins. Coordinate: their distance [length]. It is held at `rest`, unless there are
                               limits, a motor or a spring */
    ABUT_JOINT_WHEEL, /**< a wheel b at a chassis a: the way along the x axis of frame a, its suspension, which is the coordinate of limits and spring
                               [length]; and the rotation about the z axis, which is the coordinate of the motor [rad] */
    ABUT_JOINT_GEAR /**< all motions, but the rotation of a about the axis and `ratio` times that of b about the z axis of frame b add up to 0 since the
                               joint was added. For bodies whose axes keep their directions; no coordinate */
} abut_joint_kind;

/** What a motor does. */
typedef enum abut_motor_mode {
    ABUT_MOTOR_OFF,     /**< nothing */
    ABUT_MOTOR_SPEED,   /**< keeps the rate of the coordinate at `target` */
    ABUT_MOTOR_POSITION /**< takes the coordinate to `target`, at `speed` at most, and keeps it there */
} abut_motor_mode;

/** A motor of a joint. It pushes as much as it must and as `max_force` allows. */
typedef struct abut_joint_motor {
    abut_motor_mode mode; /**< default ABUT_MOTOR_OFF */
    double target;        /**< speed [length/time or rad/time], or position [length or rad] */
    double
        speed; /**< of ABUT_MOTOR_POSITION: its largest speed, > 0; may be infinite; default infinite. It slows down in time as far as max_force and
                               the inertia of the two bodies alone allow */
    double max_force; /**< largest force, or torque about an axis, >= 0; may be infinite; default infinite [force or force length] */
} abut_joint_motor;

/** Definition of a joint. Start from abut_joint_def_default(). */
typedef struct abut_joint_def {
    abut_joint_kind kind;   /**< kind of the joint */
    abut_body_id a;         /**< first body; at least one of the two must be dynamic */
    abut_body_id b;         /**< second body, another one */
    abut_pose frame_a;      /**< frame on body a, shape frame; default the identity */
    abut_pose frame_b;      /**< frame on body b, shape frame; default the identity */
    bool collide;           /**< true: the two bodies collide with each other; default false */
    bool limited;           /**< true: the coordinate stays between `lower` and `upper`; default false */
    double lower;           /**< least value of the coordinate; may be minus infinity; default minus infinity */
    double upper;           /**< largest value, >= lower; may be infinite; default infinite */
    abut_joint_motor motor; /**< for revolute, prismatic, distance and wheel joints */
    double
        stiffness; /**< of the spring that pulls the coordinate to `rest`, >= 0; default 0; for revolute, prismatic, distance and wheel joints
                                 [force/length, or force length/rad] */
    double damping; /**< of this spring, >= 0; default 0 [force time/length, or force length time/rad] */
    double rest;    /**< coordinate at which the spring is relaxed; of a distance joint >= 0, and the distance that it holds; default 0 */
    double ratio;   /**< of a gear, not 0: angle of a = -ratio times angle of b; default 1 */
    double break_force;  /**< the joint breaks after a step whose mean force was larger; >= 0; may be infinite; default infinite [force] */
    double break_torque; /**< the same for the torque [force length] */
} abut_joint_def;

/** A definition with the defaults named above, without bodies. */
ABUT_API abut_joint_def abut_joint_def_default(abut_joint_kind kind);

/**
 * Add a joint and wake its bodies. Where the frames do not fit each other, the fixed stepper brings the bodies together at max_push_speed; this changes
 * no velocity. The event stepper pulls them together by forces, at its drift_rate. Velocities that the joint does not allow are stopped in the next step.
 * abut_world_remove_body() removes the joints of a body.
 * @param def  never NULL
 * @param id   set to the id of the joint on ABUT_OK; may be NULL
 * @return ABUT_OK; ABUT_ERROR_STALE_ID for a body; ABUT_ERROR_INVALID_ARGUMENT for one body twice, no dynamic body, an unknown kind, a frame that is no pose,
 *         numbers out of range, or limits, a motor or a spring that the kind does not have; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_UNSUPPORTED in worlds with the
 *         dem stepper, and for what the event stepper does not have; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_world_add_joint(abut_world *world, const abut_joint_def *def, abut_joint_id *id);

/**
 * Remove a joint and wake its bodies.
 * @return ABUT_OK; ABUT_ERROR_STALE_ID; ABUT_ERROR_INVALID_ARGUMENT
 */
ABUT_API abut_status abut_world_remove_joint(abut_world *world, abut_joint_id id);

/**
 * Set the motor of a joint and wake its bodies.
 * @param motor  never NULL
 * @return ABUT_OK; ABUT_ERROR_STALE_ID; ABUT_ERROR_INVALID_ARGUMENT for numbers out of range or a kind without motor; ABUT_ERROR_NOT_FINITE;
 *         ABUT_ERROR_UNSUPPORTED with the event stepper
 */
ABUT_API abut_status abut_world_set_joint_motor(abut_world *world, abut_joint_id id, const abut_joint_motor *motor);

/** State of a joint. World frame. */
typedef struct abut_joint_state {
    bool broken;       /**< it broke in an earlier step and holds nothing any more */
    double coordinate; /**< coordinate at the present poses; of a wheel that of the suspension; 0 for kinds without one */
    double spin;       /**< of a wheel its angle about the axis; 0 for other kinds [rad] */
    double error;      /**< distance of the origins as far as the joint forbids it, at the present poses [length] */
    double turn_error; /**< the same for angles, for small ones [rad] */
    abut_vec3 force;   /**< mean force of the last step, or of that in which it broke, on body b at the origin of its frame; of the event stepper the force
                            at the end of the step [force] */
    abut_vec3 torque;  /**< the same for the torque on body b about that origin [force length] */
} abut_joint_state;

/**
 * State of a joint.
 * @param state  written on ABUT_OK; never NULL
 * @return ABUT_OK; ABUT_ERROR_STALE_ID; ABUT_ERROR_INVALID_ARGUMENT
 */
ABUT_API abut_status abut_world_joint_state(const abut_world *world, abut_joint_id id, abut_joint_state *state);

#ifdef __cplusplus
}
#endif
