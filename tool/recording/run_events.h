#pragma once

#include "io/file/output.h"
#include "io/scene/event/bonds.h"
#include "io/scene/simulation.h"

/*
 * The events of a run, as lines of JSON: one for each event, in the order of the steps.
 */

/* Asks a scene's worlds to list the events that are written: all but touches that persist. Call before the simulation is made. */
void run_events_want(abut_scene *scene);

/* Writes the events of the last step, and the bonds that broke since the last call with the watch. It must know those that were broken at the beginning:
 * bond_watch_look(). ABUT_OK; ABUT_ERROR_FILE; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status run_events_write(output_file *file, const abut_simulation *simulation, bond_watch *bonds, abut_error *error);
