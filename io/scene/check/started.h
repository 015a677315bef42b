#pragma once

#include "io/scene/scene.h"

/* Warns of bodies that begin inside others, of a scene that goes on from a recording and whose beginning is set. Those that were inside each other in the
 * recording are left out, and overlaps up to three times as deep as theirs: soft grains in a bed press into each other. ABUT_OK; any status of
 * abut_simulation_create(). */
abut_status scene_check_started(abut_scene *scene, abut_error *error);
