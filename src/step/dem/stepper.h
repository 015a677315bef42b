#pragma once

#include "step/world/saved.h"
#include "step/world/world.h"

/*
 * The dem stepper: forces of elastic contacts from their overlaps (abut/pressure.h), integrated by velocity-Verlet in steps that are short
 * compared with the oscillation time of a contact. P. A. Cundall, O. D. L. Strack, "A discrete numerical model for granular assemblies",
 * 1979.
 */

/* Same contract as fixed_step(). */
abut_status dem_step(abut_world *world, double dt, abut_step_report *report);

/* Whether the stepper takes the bodies: their shapes, their materials, and their sizes in a periodic space. Statuses of abut_world_check(). */
abut_status dem_check(const abut_world *world);

/* Writes elastic_energy and spring_energy of the world as it is: the energies of the contacts that the last step left, at the present poses. Both are zero
 * before the first step. Statuses of abut_world_report(); on an error the report is as it was. */
abut_status dem_energies(const abut_world *world, abut_dem_report *report);

struct dem_stepper;
/* Frees the stepper's state. NULL is allowed. */
void dem_release(struct dem_stepper *stepper);

/* Saves what the stepper keeps of a world between steps. */
void dem_save(saved_stream *s, const abut_world *world);
/* Restores what was saved of a world with bodies in the same slots. *stepper receives a state for dem_release(), or NULL if there is none.
 * Returns ABUT_OK, ABUT_ERROR_FORMAT or ABUT_ERROR_OUT_OF_MEMORY. */
abut_status dem_restore(saved_stream *s, const abut_world *world, struct dem_stepper **stepper);

/* Whether the next step of the world uses the present list of near pairs. */
bool dem_list_exists(const abut_world *world);
/* Saves how this list was made; there is one. */
void dem_list_save(saved_stream *s, const abut_world *world);
/* Reads it into a stepper that dem_restore() has made. bodies: [body_used] those that were read before. ABUT_OK; ABUT_ERROR_FORMAT;
 * ABUT_ERROR_OUT_OF_MEMORY. */
abut_status dem_list_read(saved_stream *s, const body *bodies, int32_t body_used, struct dem_stepper *stepper);
/* After the world was restored. */
void dem_list_restored(abut_world *world);

/* Whether contacts remember rolling or twisting. */
bool dem_rolls_exist(const abut_world *world);
/* Saves, or reads into a stepper that dem_restore() has made, what its contacts remember of it. NULL is allowed. */
void dem_rolls_save(saved_stream *s, struct dem_stepper *stepper);
