#pragma once

#include <abut/bond.h>
#include <abut/cell.h>
#include <abut/joint.h>
#include <abut/world.h>

#include "io/file/error.h"

/**
 * @file scene/scene.h
 * Scenes: a world, its bodies and their actions over time, as a JSON file. The format is in docs/scenes.md and docs/scene.schema.json.
 *
 * A scene is loaded completely or not at all: loading builds shapes, computes masses, resolves names and checks actions. A loaded scene is immutable, except
 * for abut_scene_set_parallel(), abut_scene_set_events() and abut_scene_set_start(), and may be read from several threads.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** A loaded scene; opaque. */
typedef struct abut_scene abut_scene;

/** Scene files larger than this are refused [bytes]. */
#define ABUT_SCENE_MAX_BYTES (256 * 1024 * 1024)

/**
 * Reads a scene from a file. Paths of mesh files are relative to the scene file's folder.
 *
 * @param path   shown in messages as given. "-" is standard input: messages and abut_scene_path() then say "<stdin>", and paths of mesh files are relative to
 *               the current folder
 * @param scene  receives the scene, to be freed with abut_scene_destroy(); untouched on an error
 * @param error  receives the first mistake, "FILE:LINE:COLUMN: what"; lines and columns count from 1, a column is a character
 * @return ABUT_OK; ABUT_ERROR_FILE when a file is missing, unreadable, a folder or too large; ABUT_ERROR_FORMAT when its text is not JSON or not a scene;
 *         ABUT_ERROR_DEGENERATE, ABUT_ERROR_NOT_CLOSED, ABUT_ERROR_NOT_CONVEX, ABUT_ERROR_NOT_OUTWARD for a shape that is refused; ABUT_ERROR_UNSUPPORTED for a
 *         part that this build lacks; ABUT_ERROR_UNSUPPORTED_PAIR for a body that has no contacts with another one; the status of abut_world_check(), and that
 *         of the first step of an event stepper whose bodies begin inside each other, for what cannot be simulated; ABUT_ERROR_OUT_OF_MEMORY;
 *         ABUT_ERROR_INVALID_ARGUMENT for NULL
 */
ABUT_API abut_status abut_scene_load(const char *path, abut_scene **scene, abut_error *error);

/**
 * Reads a scene from memory, as abut_scene_load() does.
 * @param text    [length] UTF-8; need not end in a zero byte
 * @param path    the file's name in messages, whose folder is that of the mesh files; the file need not exist
 */
ABUT_API abut_status abut_scene_parse(const char *text, size_t length, const char *path, abut_scene **scene, abut_error *error);

/** Frees the scene and its references to shapes. NULL does nothing. */
ABUT_API void abut_scene_destroy(abut_scene *scene);

/** The path it was loaded from, as given. All strings belong to the scene. */
ABUT_API const char *abut_scene_path(const abut_scene *scene);
/** "" when the scene has none. */
ABUT_API const char *abut_scene_title(const abut_scene *scene);
/** "" when the scene has none. */
ABUT_API const char *abut_scene_description(const abut_scene *scene);
/** The scene as JSON text: the file's own keys in their own order, on one line, reals with 17 digits. Mesh files are named, not included. Parsing the text
 * gives an equal scene. */
ABUT_API const char *abut_scene_text(const abut_scene *scene);

/** Length of a step, > 0 [time]. */
ABUT_API double abut_scene_dt(const abut_scene *scene);
/** Number of steps: duration / dt, rounded, at least 1. */
ABUT_API int64_t abut_scene_step_count(const abut_scene *scene);
/** The definition of its world. */
ABUT_API const abut_world_def *abut_scene_world_def(const abut_scene *scene);
/** The condition of rest, at which a scene of the dem stepper ends. */
typedef struct abut_scene_until {
    double residual; /**< limit of the largest net force of a body divided by its weight; see abut_dem_report.residual */
    double kinetic;  /**< limit of the kinetic energy divided by the elastic energy of the contacts */
} abut_scene_until;

/** NULL for a scene that runs for its whole duration. */
ABUT_API const abut_scene_until *abut_scene_get_until(const abut_scene *scene);
/** Sets the distribution of loops over threads for worlds that are made from now on. Scene files cannot set it. */
ABUT_API void abut_scene_set_parallel(abut_scene *scene, abut_parallel parallel);
/** Sets the kinds of events that worlds list which are made from now on: abut_world_def.events. Scene files cannot set it. */
ABUT_API void abut_scene_set_events(abut_scene *scene, uint32_t events);

/** A scene that goes on from a recording. */
typedef struct abut_scene_start {
    const char *recording; /**< its path; belongs to the scene */
    double time;           /**< of the frame: the last one that is not later; infinite for the last frame [time] */
} abut_scene_start;

/** False, and *start untouched, for a scene that begins by itself. A simulation of another one is refused before abut_scene_set_start(). */
ABUT_API bool abut_scene_get_start(const abut_scene *scene, abut_scene_start *start);

/** Where a body is when a scene begins that goes on from a recording. */
typedef struct abut_scene_place {
    bool taken;                /**< the recording says where it is; false: it begins as the scene says, or is gone */
    bool gone;                 /**< it had been taken away, and is not there; no effect for bodies of an inlet, see `come` */
    abut_pose pose;            /**< of the shape's frame */
    abut_motion motion;        /**< velocity of the centre of mass, and angular velocity; world frame */
    const abut_vec3 *vertices; /**< of the shape of an elastic cell, in its frame; copied. NULL for other bodies */
} abut_scene_place;

/**
 * Sets the beginning of a scene that goes on from a recording; io/record/start.h reads it.
 * @param places  [abut_scene_body_count()]
 * @param come    [abut_scene_inlet_count()] number of the bodies of each inlet that have come; below 0 for an inlet that begins anew; NULL: all begin anew
 * @param time    of the recording, by which the inlets that go on are ahead [time]
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL, for a scene that begins by itself, and for one whose beginning is set; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_scene_set_start(abut_scene *scene, const abut_scene_place *places, const int32_t *come, double time);

/** Number of bodies: those that are there at the beginning, and those that come through inlets. Each piece of a mesh whose pieces are bodies counts, and so
 * does each body of a fill. */
ABUT_API int32_t abut_scene_body_count(const abut_scene *scene);
/** Name of body `index`, unique in the scene; NULL for an index out of range. */
ABUT_API const char *abut_scene_body_name(const abut_scene *scene, int32_t index);
/** Body `index` at the beginning, or when it comes; the place of a body that comes is not known before. Its shape belongs to the scene, and `user` is the
 * index. NULL for an index out of range. */
ABUT_API const abut_body_def *abut_scene_body_def(const abut_scene *scene, int32_t index);
/** Whether body `index` changes its shape over time. */
ABUT_API bool abut_scene_body_deforms(const abut_scene *scene, int32_t index);
/** The elastic cell that body `index` becomes when it is added; NULL for a body that is none, and for an index out of range. */
ABUT_API const abut_cell_def *abut_scene_body_cell(const abut_scene *scene, int32_t index);
/** Index of the body of that name; -1 when there is none. */
ABUT_API int32_t abut_scene_find_body(const abut_scene *scene, const char *name);

/** An inlet: bodies of the scene that come over time. */
typedef struct abut_scene_inlet {
    const char *name;   /**< that of its element of "bodies" */
    int32_t first_body; /**< index of its first body */
    int32_t count;      /**< number of its bodies, which have consecutive indices, in the order in which they come */
    bool has_end;       /**< the scene says when it ends, or after how many bodies or how much mass; else it ends with the scene */
} abut_scene_inlet;

/** Number of inlets. */
ABUT_API int32_t abut_scene_inlet_count(const abut_scene *scene);
/** Inlet `index`, in the order of the file. ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL or an index out of range. */
ABUT_API abut_status abut_scene_get_inlet(const abut_scene *scene, int32_t index, abut_scene_inlet *inlet);
/** The inlet through which body `index` comes; -1 for a body that is there at the beginning, and for an index out of range. */
ABUT_API int32_t abut_scene_body_inlet(const abut_scene *scene, int32_t index);

/** Number of outlets. */
ABUT_API int32_t abut_scene_outlet_count(const abut_scene *scene);
/** Name of outlet `index`, in the order of the file; NULL for an index out of range. */
ABUT_API const char *abut_scene_outlet_name(const abut_scene *scene, int32_t index);

/** Number of columns of the scene's time series: a number for each step. 0 for a scene without inlets, outlets, servos and measures. */
ABUT_API int32_t abut_scene_series_count(const abut_scene *scene);
/** Name of column `index`, such as "hopper.mass"; NULL for an index out of range. docs/formats/scenes.md has their meanings and units. */
ABUT_API const char *abut_scene_series_name(const abut_scene *scene, int32_t index);

/** Two bodies that do not touch each other, as indices. */
typedef struct abut_scene_pair {
    int32_t a;
    int32_t b;
} abut_scene_pair;

/** Number of pairs that do not touch. */
ABUT_API int32_t abut_scene_excluded_count(const abut_scene *scene);
/** Such a pair, in the order of the file; NULL for an index out of range. */
ABUT_API const abut_scene_pair *abut_scene_get_excluded(const abut_scene *scene, int32_t index);

/** A joint of two bodies. */
typedef struct abut_scene_joint {
    abut_joint_def def; /**< without the ids of its bodies */
    int32_t a;          /**< index of its first body */
    int32_t b;          /**< index of its second body */
} abut_scene_joint;

/** Number of joints. */
ABUT_API int32_t abut_scene_joint_count(const abut_scene *scene);
/** Joint `index`, in the order of the file; NULL for an index out of range. */
ABUT_API const abut_scene_joint *abut_scene_get_joint(const abut_scene *scene, int32_t index);

/** The kind of an action. */
typedef enum abut_action_kind {
    ABUT_ACTION_REMOVE,
    ABUT_ACTION_SPRING,
    ABUT_ACTION_FORCE,
    ABUT_ACTION_VELOCITY,
    ABUT_ACTION_STOP, /**< ends the scene; it has no body and always a trigger */
    ABUT_ACTION_BOND  /**< makes bonds between near balls; it has no body */
} abut_action_kind;

/** What a trigger waits for. */
typedef enum abut_trigger_kind {
    ABUT_TRIGGER_TIME,  /**< none: the action has a time */
    ABUT_TRIGGER_REST,  /**< rest, as of `until` */
    ABUT_TRIGGER_ABOVE, /**< a column of the time series is at least the value */
    ABUT_TRIGGER_BELOW  /**< a column of the time series is at most the value */
} abut_trigger_kind;

/** A condition on the state after a step. An action with a trigger happens once: at the start of the step after the first one that meets it. */
typedef struct abut_scene_trigger {
    abut_trigger_kind kind;
    int32_t series;        /**< above, below: index of the column */
    double value;          /**< above, below */
    abut_scene_until rest; /**< rest */
    double after;          /**< it is not met before this time [time] */
} abut_scene_trigger;

/** An action on a body. Fields that the kind does not name are zero. */
typedef struct abut_scene_action {
    abut_action_kind kind;
    abut_scene_trigger when;
    int32_t body;         /**< index of the body; -1 for a stop and a bond */
    double at;            /**< [time]; infinite with a trigger, as is until */
    double until;         /**< spring, force: its end [time]; else equal to at */
    int64_t lasts;        /**< with a trigger, spring and force: number of steps */
    int64_t first_step;   /**< the step at whose start it happens or begins: the step k, from 0, with k dt <= at < (k + 1) dt; INT64_MAX
                                        with a trigger, as is end_step */
    int64_t end_step;     /**< spring, force: the first step without it; at least first_step + 1 */
    abut_vec3 anchor;     /**< spring, force: point of application, shape frame */
    abut_vec3 target;     /**< spring: world frame */
    abut_vec3 target_end; /**< spring: the target in its last step, world frame; equal to target when it does not move */
    double frequency, damping_ratio, max_force; /**< spring: see abut_spring_def */
    abut_vec3 force;                            /**< force: world frame */
    abut_vec3 velocity;                         /**< velocity: world frame */
    abut_vec3 angular_velocity;                 /**< velocity: world frame */
    bool sets_velocity;                         /**< velocity: false leaves the body's own */
    bool sets_angular_velocity;                 /**< velocity: false leaves the body's own */
    int32_t element;                            /**< bond: index of the element of "bodies" whose bodies are bonded; -1 for all */
    double gap;                                 /**< bond: see abut_world_bond_near() */
    abut_bond_def bond;                         /**< bond: the same */
} abut_scene_action;

/** Number of actions. */
ABUT_API int32_t abut_scene_action_count(const abut_scene *scene);
/** Action `index`, in order of first_step and then of the file, those with triggers last; NULL for an index out of range. */
ABUT_API const abut_scene_action *abut_scene_get_action(const abut_scene *scene, int32_t index);

/** Number of warnings about correct but probably unintended content, such as an action after the end. */
ABUT_API int32_t abut_scene_warning_count(const abut_scene *scene);
/** Warning `index`, "FILE:LINE:COLUMN: what"; NULL for an index out of range. */
ABUT_API const char *abut_scene_warning(const abut_scene *scene, int32_t index);

#ifdef __cplusplus
}
#endif
