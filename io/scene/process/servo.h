#pragma once

#include "io/scene/data.h"
#include "io/scene/read.h"

/* Reads "servo" of the body that is added to the scene next. single: the shape makes one body of it. */
abut_status scene_read_servo(scene_reader *reader, const scene_place *body, const char *what, const char *name, const abut_body_def *def,
                             bool single);

/* Gives servo bodies their velocities for the present step. */
struct abut_simulation;
abut_status simulation_press(struct abut_simulation *simulation, abut_error *error);

/* Writes the columns of the servos after a step. */
void simulation_measure_servos(struct abut_simulation *simulation);
