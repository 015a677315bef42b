#pragma once

#include <abut/math.h>

/*
 * What a scene does with its bodies beside moving them: outlets take them away, measures tell how they are. Each gives columns of the time series of the
 * scene: a number for each step.
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

/* Columns of an inlet, an outlet and the measures. */
enum {
    INLET_COUNT,
    INLET_MASS,
    INLET_WAITING,
    INLET_SERIES,
    OUTLET_COUNT = 0,
    OUTLET_MASS,
    OUTLET_SERIES,
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

/* Whether a point lies in the region. */
bool process_contains(const process_region *region, abut_vec3 point);
