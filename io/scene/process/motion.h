#pragma once

#include "io/scene/data.h"
#include "io/scene/read.h"

/* Reads "motion" of a body with the definition, and adds it to the scene: reader->motion receives its index, -1 without the key. */
abut_status scene_read_motion(scene_reader *reader, const scene_place *body, const char *what, const abut_body_def *def);

void motions_release(scene_motion *motions, int32_t count);

/* The pose at a time of a body that begins with the pose. */
abut_pose motion_pose(const scene_motion *motion, abut_pose begin, double time);

/* The constant velocities that bring a body, whose centre of mass has the place in its frame, from one pose to the other in the time dt. */
abut_motion motion_between(abut_pose from, abut_pose to, abut_vec3 centre, double dt);

/* Gives bodies with a motion the velocities that bring them to their poses at the end of the present step. */
struct abut_simulation;
abut_status simulation_move_bodies(struct abut_simulation *simulation, abut_error *error);
