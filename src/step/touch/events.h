#pragma once

#include <abut/world_events.h>

#include "step/touch/sensors.h"
#include "step/world/saved.h"
#include "step/world/world.h"

/*
 * The events of a step: what differs between the bodies and contacts after it and those after the step before. What was then is kept in lists of its own,
 * because contacts go with bodies that are removed.
 */

/* Two bodies that touch. */
typedef struct touch_pair {
    int32_t a, b; /* slots, in the order of their contacts */
    abut_body_id id_a, id_b;
    uint64_t user_a, user_b;
    int32_t deepest; /* of the world's contacts; of this step only */
    double force;    /* sum of the normal forces in this step */
} touch_pair;

/* Where a body was, and how it moved, when the step began. */
typedef struct touch_motion {
    abut_vec3 centre;
    abut_motion motion;
} touch_motion;

typedef struct touch_events {
    abut_world_event *events; /* [count] of the last step */
    int32_t count, capacity;
    touch_pair *pairs; /* [pair_count] that touched after the last step, ordered by the lower and then the higher slot */
    touch_pair *spare; /* [spare_capacity] */
    int32_t pair_count, pair_capacity, spare_capacity;
    sensor_list sensors;
    touch_motion *motions; /* [motion_capacity] by slot; for hits */
    int32_t motion_capacity;
    abut_body_id *sleeping; /* [sleeping_used] by slot: the body that slept after the last step; zero for none */
    int32_t sleeping_used, sleeping_capacity;
    abut_joint_id *broken; /* [broken_used] by slot: the joint that was broken after the last step; zero for none */
    int32_t broken_used, broken_capacity;
    bool lost; /* there was no memory for the events of the last step */
} touch_events;

/* Without lists. NULL when there is no memory. */
touch_events *events_create(void);

/* Before a step. False when there is no memory. */
bool events_begin(abut_world *world);

/* After a step of length dt. */
void events_end(abut_world *world, double dt);

/* The kinds of events that each list serves. */
enum {
    OF_TOUCH = ABUT_EVENT_TOUCH_BEGIN | ABUT_EVENT_TOUCH_PERSIST | ABUT_EVENT_TOUCH_END | ABUT_EVENT_HIT,
    OF_SENSORS = ABUT_EVENT_SENSOR_BEGIN | ABUT_EVENT_SENSOR_END,
    OF_SLEEP = ABUT_EVENT_SLEEP | ABUT_EVENT_WAKE
};

/* The lists of a saved world: what was after its last step. */
typedef struct touch_kept {
    uint32_t kinds; /* of the saved world: which lists there are */
    touch_pair *pairs;
    int32_t pair_count;
    sensor_list sensors;
    abut_body_id *sleeping; /* [body_used] */
} touch_kept;

void events_save(saved_stream *s, const abut_world *world);

/* Read the lists for a world that has not been restored yet; a body that is no longer there gets its user value from it. The caller releases them, also after
 * a failure. ABUT_OK; ABUT_ERROR_FORMAT; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status events_read(saved_stream *s, const abut_world *world, touch_kept *kept);
void events_release_kept(touch_kept *kept);

/* Of a world that was restored: takes over the lists that were saved, and makes the others from what is there now. */
void events_restored(abut_world *world, touch_kept *kept);

/* NULL does nothing. */
void events_release(touch_events *events);
