#pragma once

#include "step/world/world.h"

/*
 * Sensors: bodies that report which others they have points in common with, and push nothing. Steppers leave them out. After a step the tree of the world's
 * queries tells which bodies are near.
 */

/* A sensor and a body that it sees. */
typedef struct sensor_pair {
    int32_t sensor, other; /* slots */
    abut_body_id id_sensor, id_other;
    uint64_t user_sensor, user_other;
} sensor_pair;

typedef struct sensor_list {
    sensor_pair *pairs; /* [count] by slots */
    int32_t count, capacity;
} sensor_list;

/* Makes the list of what the sensors of a world see now. False when there is no memory. */
bool sensors_look(const abut_world *world, sensor_list *list);

void sensors_release(sensor_list *list);
