#pragma once

#include <abut/world.h>

#include "io/file/error.h"
#include "io/scene/scene.h"

/**
 * @file scene/simulation.h
 * A scene in motion: its world, the mapping of the scene's bodies to the world's, and the scene's actions over time.
 *
 * Step k, counted from 0, takes the world from time k dt to (k + 1) dt. An action at time t happens at the start of the step with k dt <= t < (k + 1) dt (a
 * time within 1e-9 dt of a step's start counts as that start). A spring or force from `at` until `until` acts from the step of `at` to the step before that of
 * `until`, and during one step at least. In the j-th of the n steps of a moving spring, its target is target + (j / n) (target_end - target). Actions of one
 * step are performed in the order of the file. Actions on a body that was removed are skipped.
 *
 * An action with a trigger happens once, at the start of the step after the first one that meets it, after the actions with times. The beginning counts as a
 * step, at which nothing rests. A stop ends the scene after the step that meets it.
 *
 * Outlets take bodies away at the start of a step, before the actions.
 *
 * Bodies of an inlet come at the start of a step, after the actions: those that are due at its time, as far as there is room for them in the inlet's region.
 * The others wait for the next step. What comes where depends on the scene alone, and not on threads.
 *
 * Bodies that deform have the shape of time 0 at the beginning. During step k they have the shape of its end, (k + 1) dt.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** A scene in motion; opaque. */
typedef struct abut_simulation abut_simulation;

/**
 * Builds the scene's world.
 * @param scene       must outlive the simulation
 * @param simulation  receives it, to be freed with abut_simulation_destroy(); untouched on an error
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL; ABUT_ERROR_UNSUPPORTED for a scene that goes on from a recording which was not read;
 *         ABUT_ERROR_OUT_OF_MEMORY; any status of abut_world_create() or abut_world_add_body(), with the body's
 *         name in the message
 */
ABUT_API abut_status abut_simulation_create(const abut_scene *scene, abut_simulation **simulation, abut_error *error);

/** Frees the simulation and its world. NULL does nothing. */
ABUT_API void abut_simulation_destroy(abut_simulation *simulation);

/**
 * Performs the actions that are due, then advances the world by one step of the scene's dt. A finished simulation may be stepped further.
 * @param report  may be NULL
 * @return ABUT_OK; any status of abut_world_step(), with step and time in the message. The world is then unchanged, except for outlets, actions and inlets
 */
ABUT_API abut_status abut_simulation_step(abut_simulation *simulation, abut_step_report *report, abut_error *error);

/**
 * A report of the state before the first step: step 0, the time, bodies, awake bodies and the energies, computed from the bodies' states. Counters and timings
 * are zero.
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL
 */
ABUT_API abut_status abut_simulation_first_report(const abut_simulation *simulation, abut_step_report *report);

/**
 * Disables the scene's actions: springs and forces that act now end, and later actions never begin, until a state with actions is restored. Bodies that deform
 * continue.
 */
ABUT_API void abut_simulation_leave_out_actions(abut_simulation *simulation);

/**
 * Saves the state: the world's state, which actions have begun and which of them last, and the times of the shapes of bodies that deform. As abut_world_save(),
 * with the same statuses.
 * @param saved  [capacity] owned by the caller; may be NULL when capacity is 0
 * @param size   receives the number of bytes written or, with ABUT_ERROR_CAPACITY, needed
 */
ABUT_API abut_status abut_simulation_save(const abut_simulation *simulation, void *saved, size_t capacity, size_t *size);

/**
 * Restores a state that was saved from a simulation of an equal scene. The simulation must have been made from its scene. It may have been stepped, but must
 * still have all bodies of the saved state. Bodies that deform get their shapes of that state.
 * @return the statuses of abut_world_restore(). The simulation is unchanged on any error, with one exception: after ABUT_ERROR_OUT_OF_MEMORY bodies that deform
 *         may have other shapes, and be awake
 */
ABUT_API abut_status abut_simulation_restore(abut_simulation *simulation, const void *saved, size_t size);

/** The scene it was made from. */
ABUT_API const abut_scene *abut_simulation_scene(const abut_simulation *simulation);
/** Its world; it belongs to the simulation. Restoring a state of a scene with inlets makes a new one. */
ABUT_API abut_world *abut_simulation_world(const abut_simulation *simulation);
/** The world's id of the scene's body `index`, stale after its removal; zero before it comes through its inlet, and for an index out of range. */
ABUT_API abut_body_id abut_simulation_body_id(const abut_simulation *simulation, int32_t index);
/** The world's id of the scene's joint `index`, stale after the removal of one of its bodies; zero for an index out of range. Its slot is that index. */
ABUT_API abut_joint_id abut_simulation_joint_id(const abut_simulation *simulation, int32_t index);
/** What an inlet has done so far. */
typedef struct abut_inlet_state {
    int32_t due;    /**< number of bodies that were to come up to the start of the last step */
    int32_t placed; /**< number of bodies that have come; the others of `due` wait for room */
    double mass;    /**< mass of the bodies that have come */
} abut_inlet_state;

/** The state of the scene's inlet `index`. ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL or an index out of range. */
ABUT_API abut_status abut_simulation_inlet(const abut_simulation *simulation, int32_t index, abut_inlet_state *state);

/** What an outlet has taken away so far. */
typedef struct abut_outlet_state {
    int64_t count; /**< number of bodies */
    double mass;   /**< their mass */
} abut_outlet_state;

/** The state of the scene's outlet `index`. ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL or an index out of range. */
ABUT_API abut_status abut_simulation_outlet(const abut_simulation *simulation, int32_t index, abut_outlet_state *state);

/** The row [abut_scene_series_count()] of the time series after the last step; of the beginning before the first one. It belongs to the simulation. */
ABUT_API const double *abut_simulation_series(const abut_simulation *simulation);

/** Steps made so far. */
ABUT_API int64_t abut_simulation_step_index(const abut_simulation *simulation);
/** The number of steps after which the scene's body `index` got its present shape: 0 for a body that does not deform, and for an index out of range. */
ABUT_API int64_t abut_simulation_shape_step(const abut_simulation *simulation, int32_t index);
/** Simulated time: number of steps times dt. */
ABUT_API double abut_simulation_time(const abut_simulation *simulation);
/** True when the scene has an "until", its actions are done, all bodies have come, and the last step ended at rest; see abut_scene_until. */
ABUT_API bool abut_simulation_at_rest(const abut_simulation *simulation);
/** True when a stop of the scene has been triggered. */
ABUT_API bool abut_simulation_stopped(const abut_simulation *simulation);
/** True when all steps of the scene are done, it is at rest, or it was stopped. */
ABUT_API bool abut_simulation_finished(const abut_simulation *simulation);

#ifdef __cplusplus
}
#endif
