#pragma once

#include "io/scene/read.h"

/*
 * Which bodies of a scene can touch each other: the keys "category", "touches" and "group" of a body. Categories are names; bodies without one have the
 * category "default".
 */

/* Before the bodies: finds the categories that they name, in the order of the file. */
abut_status scene_find_categories(scene_reader *reader);

/* The filter of a body. `what` names it in messages. */
abut_status scene_read_filter(const scene_reader *reader, const scene_place *body, const char *what, abut_filter *filter);
