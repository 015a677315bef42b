#pragma once

#include "io/scene/read.h"

/*
 * What pairs of materials of a scene do to each other: the table of abut_world_def.pairs. A material has the number of its place in "materials", from 1.
 */

/* Reads "material_pairs" into the scene. The materials must have been checked. */
abut_status scene_read_material_pairs(scene_reader *reader);

/* The number of a material for the table; 0 where the scene has no table. */
int32_t scene_material_number(const scene_reader *reader, const char *name);

/* "unknown material", with the nearest name, at the string that names it. */
abut_status scene_unknown_material(const scene_reader *reader, const scene_place *place, const char *what);
