#pragma once

#include <stdint.h>

#include <abut/math.h>

/* ODE's dBoxBox() on boxes with prepared positions and rotation matrices, for comparison. */
typedef struct ode_boxes ode_boxes;

ode_boxes *ode_boxes_make(int32_t count);
void ode_boxes_set(ode_boxes *boxes, int32_t i, abut_vec3 half_a, abut_pose a, abut_vec3 half_b, abut_pose b);
/* Collides all pairs once; returns the number of contacts. */
int32_t ode_boxes_run(ode_boxes *boxes);
void ode_boxes_free(ode_boxes *boxes);
