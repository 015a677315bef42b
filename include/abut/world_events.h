#pragma once

#include <abut/base.h>
#include <abut/contact.h>
#include <abut/joint.h>
#include <abut/world.h>

/**
 * @file world_events.h
 * What happened in a step: pairs that begin or end to touch, hits, sensors, sleep, joints that break.
 *
 * A world lists the kinds of events that abut_world_def.events asks for, and none by default. The list belongs to the last step. It is the same for any number
 * of threads, and a function of the calls made on the world.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** Kinds of events, as bits of abut_world_def.events. */
typedef enum abut_world_event_kind {
    /** A pair touches that did not touch after the step before. Two bodies touch when one of their contacts has a gap of 0 or less, or bears a force. */
    ABUT_EVENT_TOUCH_BEGIN = 1,
    /** A pair still touches. Also of bodies that sleep */
    ABUT_EVENT_TOUCH_PERSIST = 2,
    /** A pair no longer touches, or one of its bodies was removed. An id may be stale then */
    ABUT_EVENT_TOUCH_END = 4,
    /** A pair begins to touch, and its deepest contact approaches at abut_world_def.hit_speed or faster when the step begins */
    ABUT_EVENT_HIT = 8,
    /** A body has a point in common with a sensor (abut_body_def.sensor) after the step, and had none after the step before */
    ABUT_EVENT_SENSOR_BEGIN = 16,
    /** A body no longer has a point in common with a sensor, or one of the two was removed. An id may be stale then */
    ABUT_EVENT_SENSOR_END = 32,
    /** A body fell asleep in the step, or was put to sleep since the step before */
    ABUT_EVENT_SLEEP = 64,
    /** A body that slept after the step before is awake */
    ABUT_EVENT_WAKE = 128,
    /** A joint broke in the step (abut_joint_def.break_force, break_torque). abut_world_joint_state() has the load that broke it */
    ABUT_EVENT_JOINT_BROKEN = 256,
    /** All kinds */
    ABUT_EVENT_ALL = 511
} abut_world_event_kind;

/** An event of a step. World frame. */
typedef struct abut_world_event {
    abut_world_event_kind kind; /**< one bit */
    abut_body_id a;             /**< body A of the pair's contacts; the sensor; the body that sleeps or wakes; body a of the joint */
    abut_body_id b;             /**< the other body; zero when there is none */
    uint64_t user_a;            /**< abut_body_def.user of body a */
    uint64_t user_b;            /**< abut_body_def.user of body b; 0 when there is none */
    abut_contact contact;       /**< the deepest contact of a pair that touches, as abut_world_contacts() has it; zero for other events */
    double impulse; /**< of a pair that touches: the sum of the normal impulses of all contacts in the step; else 0 [mass length/time] */
    double speed;   /**< of a hit: the speed of approach at the contact when the step began; else 0 [length/time] */
    abut_joint_id joint; /**< the joint that broke; zero for other events */
} abut_world_event;

/**
 * The events of the last step. Those of pairs come first, in the order of the lower slot and then of the higher one, a hit after the begin of its touch; then
 * those of sensors in the order of the sensor's slot and then of the other one; then sleep and waking in the order of the slots; then the joints that broke
 * in the order of theirs. There are none before the first step, and after abut_world_restore() until the next one. That step tells what it would have told
 * without saving, as far as the saved world listed events, too; only the user values of bodies that had been removed before are 0 unless the restored world had
 * them. What the saved world did not list is taken from the restored one.
 * @param events  set to an array [*count] that the world owns; valid until the world changes; never NULL
 * @param count   set to the number of events; never NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT; ABUT_ERROR_OUT_OF_MEMORY when there was no memory for the events of the last step. The next step then lists
 *         what changed since the last list that was whole
 */
ABUT_API abut_status abut_world_events(const abut_world *world, const abut_world_event **events, int32_t *count);

#ifdef __cplusplus
}
#endif
