#pragma once

#include <abut/world.h>

#include "io/file/error.h"
#include "io/scene/scene.h"

/**
 * @file scene/simulation.h
 * A scene in motion: its world, which body of the world is which of the scene, and the scene's actions performed in time.
 *
 * Step k, counted from 0, takes the world from time k dt to (k + 1) dt. An action at time t happens at the start of the step with k dt <= t
 * < (k + 1) dt (a time within 1e-9 dt of a step's start counts as that start). A spring or force from `at` until `until` acts during the
 * steps from that of `at` to the one before that of `until`, and during one step at least. In the j-th of the n steps of a spring that
 * moves, its target is at target + (j / n) (target_end - target). Actions of one step are performed in the order of the file. Those
 * on a body that is no longer there are passed over.
 *
 * Bodies that deform have the shape of time 0 at the beginning, and during step k that of its end, (k + 1) dt.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** A scene in motion; opaque. */
typedef struct abut_simulation abut_simulation;

/**
 * Build the scene's world.
 * @param scene       must outlive the simulation
 * @param simulation  receives it, to be freed with abut_simulation_destroy(); untouched on an error
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL; ABUT_ERROR_OUT_OF_MEMORY; whatever abut_world_create() or abut_world_add_body()
 *         return, with the body's name in the message
 */
ABUT_API abut_status abut_simulation_create(const abut_scene *scene, abut_simulation **simulation, abut_error *error);

/** Frees the simulation and its world. NULL does nothing. */
ABUT_API void abut_simulation_destroy(abut_simulation *simulation);

/**
 * Perform the actions that are due, then advance the world by one step of the scene's dt. A finished simulation may be stepped on.
 * @param report  may be NULL
 * @return ABUT_OK; whatever abut_world_step() returns, with step and time in the message; the world is then as it was before the step, but
 *         for the actions
 */
ABUT_API abut_status abut_simulation_step(abut_simulation *simulation, abut_step_report *report, abut_error *error);

/**
 * The report of the simulation's world as it is now, as abut_world_report() gives it: at the start of a new run, or of a run that continues from a saved state.
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL; otherwise the status of abut_world_report()
 */
ABUT_API abut_status abut_simulation_first_report(const abut_simulation *simulation, abut_step_report *report);

/**
 * From now on the scene's actions play no part: springs and forces that act now end, and what is still to come never begins, until a state is restored in
 * which it is so no more. Bodies that deform go on as they do.
 */
ABUT_API void abut_simulation_leave_out_actions(abut_simulation *simulation);

/**
 * Save the state: that of the world, which actions have begun and which of them last, and since when bodies that deform have their shapes. As abut_world_save(), also in what it returns.
 * @param saved  [capacity] owned by the caller; may be NULL when capacity is 0
 * @param size   receives the number of bytes written or, with ABUT_ERROR_CAPACITY, needed
 */
ABUT_API abut_status abut_simulation_save(const abut_simulation *simulation, void *saved, size_t capacity, size_t *size);

/**
 * Restore a state that was saved of a simulation of an equal scene. The simulation must have been made from its scene and may have been stepped, as long as no
 * body was removed that the saved one has.
 * Bodies that deform get the shapes that they had.
 * @return what abut_world_restore() returns; the simulation is unchanged on any error, but that with ABUT_ERROR_OUT_OF_MEMORY bodies that deform may be left with
 *         other shapes, and awake
 */
ABUT_API abut_status abut_simulation_restore(abut_simulation *simulation, const void *saved, size_t size);

/** The scene it was made from. */
ABUT_API const abut_scene *abut_simulation_scene(const abut_simulation *simulation);
/** Its world; it belongs to the simulation. */
ABUT_API abut_world *abut_simulation_world(const abut_simulation *simulation);
/** The world's id of the scene's body `index`, stale once it was removed; zero for an index out of range. */
ABUT_API abut_body_id abut_simulation_body_id(const abut_simulation *simulation, int32_t index);
/** Steps made so far. */
ABUT_API int64_t abut_simulation_step_index(const abut_simulation *simulation);
/** After how many steps the scene's body `index` got the shape that it has: 0 for one that does not deform, and for an index out of range. */
ABUT_API int64_t abut_simulation_shape_step(const abut_simulation *simulation, int32_t index);
/** Simulated so far [time]: steps made times dt. */
ABUT_API double abut_simulation_time(const abut_simulation *simulation);
/** True when the scene has an "until", its actions are done, and the last step ended at rest by it: abut_scene_until. */
ABUT_API bool abut_simulation_at_rest(const abut_simulation *simulation);
/** True when all steps of the scene were made, or it is at rest. */
ABUT_API bool abut_simulation_finished(const abut_simulation *simulation);

#ifdef __cplusplus
}
#endif
