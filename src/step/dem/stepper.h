#pragma once

#include "step/world/saved.h"
#include "step/world/world.h"

/*
 * The dem stepper: forces of elastic contacts from overlaps (abut/pressure.h), integrated by velocity-Verlet in steps that are short beside the time in
 * which a contact vibrates. P. A. Cundall, O. D. L. Strack, "A discrete numerical model for granular assemblies", 1979.
 */

/* As fixed_step(). */
abut_status dem_step(abut_world *world, double dt, abut_step_report *report);

struct dem_stepper;
/* What the stepper keeps of a world. NULL does nothing. */
void dem_release(struct dem_stepper *stepper);

/* What the stepper keeps of a world from one step of it to the next. */
void dem_save(saved_stream *s, const abut_world *world);
/* The same from what was saved of a world whose bodies are in the same slots; *stepper receives what dem_release() frees, or NULL where nothing is kept.
 * ABUT_OK; ABUT_ERROR_FORMAT; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status dem_restore(saved_stream *s, const abut_world *world, struct dem_stepper **stepper);
