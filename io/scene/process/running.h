#pragma once

#include "io/scene/simulation.h"

/* Removes the dynamic bodies whose centres of mass are in outlets, and counts them. */
abut_status simulation_drain(abut_simulation *simulation, abut_error *error);

/* Remembers where the centres of bodies are, before a step of the world. */
void simulation_note_centres(abut_simulation *simulation);

/* Makes room for the row of the time series, and for what measures need. False when there is no memory. */
bool simulation_prepare_measures(abut_simulation *simulation);

/* Computes the row of the time series, after a step of the world. dt: length of the step; 0 before the first one. */
void simulation_measure(abut_simulation *simulation, double dt);
