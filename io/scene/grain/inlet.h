#pragma once

#include "io/scene/data.h"
#include "io/scene/grain/grains.h"

/*
 * Reads "inlet", at `place`, of the body with the name, and adds it to the scene; its bodies are to be added to the scene next. Other arguments as of
 * fill_read().
 */
abut_status inlet_read(scene_reader *reader, const scene_place *place, const char *what, const char *name, const abut_body_def *def,
                       bool turned, grain_body **bodies, int32_t *count);

void inlets_release(scene_inlet *inlets, int32_t count);
