#pragma once

#include <hdf5.h>

#include "io/scene/simulation.h"

/* Writes the constant part: the root's attributes, /scene, /bodies and /shapes. ABUT_OK; ABUT_ERROR_FILE; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status recorder_write_scene(hid_t file, const abut_simulation *simulation);
