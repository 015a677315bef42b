#pragma once

#include "io/scene/shape.h"

/* Shapes "implicit" and "parametric": smooth bodies given by formulas (abut/formula.h). */
abut_status scene_read_implicit(scene_reader *reader, const scene_place *place, const char *what, scene_shape *out);
abut_status scene_read_parametric(scene_reader *reader, const scene_place *place, const char *what, scene_shape *out);
