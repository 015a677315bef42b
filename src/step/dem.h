#pragma once

#include "step/world.h"

/*
 * The dem stepper: forces of elastic contacts from overlaps (abut/pressure.h), integrated by velocity-Verlet in steps that are short beside the time in
 * which a contact vibrates. P. A. Cundall, O. D. L. Strack, "A discrete numerical model for granular assemblies", 1979.
 */

/* As fixed_step(). */
abut_status dem_step(abut_world *world, double dt, abut_step_report *report);

struct dem_stepper;
/* What the stepper keeps of a world. NULL does nothing. */
void dem_release(struct dem_stepper *stepper);
