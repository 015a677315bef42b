#pragma once

#include <abut/math.h>

/*
 * What a scene does with its bodies beside moving them by forces: outlets take them away, measures tell how they are. Each gives columns of the time series
 * of the scene: a number for each step.
 */

/* A box, or the half space normal . x <= offset. */
typedef struct process_region {
    bool is_box;
    abut_vec3 lower, upper;
    abut_vec3 normal; /* unit */
    double offset;
} process_region;

typedef struct scene_outlet {
    char *name;
    process_region region;
} scene_outlet;

/* A kinematic body that presses along an axis. */
typedef struct scene_servo {
    char *name; /* of the body */
    int32_t body;
    abut_vec3 axis; /* unit */
    double force, max_speed;
} scene_servo;

typedef enum measure_kind { MEASURE_FORCE, MEASURE_FLOW, MEASURE_AVERAGE } measure_kind;

typedef struct scene_measure {
    char *name;
    measure_kind kind;
    int32_t *bodies; /* force: [body_count] whose contacts count */
    int32_t body_count;
    abut_vec3 about;  /* force: point of the torque, world frame */
    abut_vec3 normal; /* flow: unit normal of the plane normal . x = offset; bodies that pass along it count */
    double offset;
    process_region region; /* average */
} scene_measure;

/* Columns of an inlet, an outlet, a servo and the measures, in this order. */
enum {
    INLET_COUNT,
    INLET_MASS,
    INLET_WAITING,
    INLET_SERIES,
    OUTLET_COUNT = 0,
    OUTLET_MASS,
    OUTLET_SERIES,
    SERVO_FORCE = 0,
    SERVO_TRAVEL,
    SERVO_LIMIT,
    SERVO_SERIES,
    FORCE_SERIES = 6, /* force, then torque */
    FLOW_COUNT = 0,
    FLOW_MASS,
    FLOW_RATE,
    FLOW_SERIES,
    AVERAGE_COUNT = 0,
    AVERAGE_MASS,
    AVERAGE_FRACTION,
    AVERAGE_VELOCITY, /* three columns */
    AVERAGE_ENERGY = AVERAGE_VELOCITY + 3,
    AVERAGE_SERIES
};

/* Prescribed motion of a kinematic body: its parts, one after the other. */
typedef enum motion_kind { MOTION_OSCILLATE, MOTION_ROTATE, MOTION_TABLE } motion_kind;

typedef struct motion_place {
    double time;
    abut_vec3 place; /* displacement */
} motion_place;

typedef struct motion_part {
    motion_kind kind;
    double from, until;  /* it stands still before and after; until may be infinite */
    abut_vec3 axis;      /* unit; oscillation and rotation */
    abut_vec3 point;     /* rotation: of the axis, world frame */
    double rate;         /* turns by time */
    double phase;        /* oscillation, in turns */
    double amplitude;    /* oscillation */
    motion_place *table; /* [table_count] times ascend, from the beginning of the part */
    int32_t table_count;
} motion_part;

typedef struct scene_motion {
    motion_part *parts; /* [part_count] */
    int32_t part_count;
} scene_motion;

/* Whether a point lies in the region. */
bool process_contains(const process_region *region, abut_vec3 point);
