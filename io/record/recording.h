#pragma once

#include <abut/world.h>

#include "io/file/error.h"
#include "io/scene/simulation.h"
#include "io/surface/recorded_shape.h"

/**
 * @file record/recording.h
 * Recordings: the steps of a simulation in an HDF5 file. The layout of the file is in docs/recording.md.
 *
 * A recording holds one row per step (counters, energies, timings) and one frame per recorded step (poses, velocities, contacts with their forces). Step 0 and
 * frame 0 are the state before the first step. All lengths, times and masses are in the units of the scene. Points, normals and forces are in the world frame.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** A recording that is being written; opaque. */
typedef struct abut_recorder abut_recorder;

/** How a recording is written. Start from abut_recorder_settings_default(). */
typedef struct abut_recorder_settings {
    int32_t every; /**< a frame every `every` steps, >= 1, and one of the last step; the counters of all steps are recorded; default 1 */
    int32_t compression; /**< deflate level, 0 (none) to 9; default 2: higher levels take twice the time and save a few percent */
} abut_recorder_settings;

/** The defaults named above. */
ABUT_API abut_recorder_settings abut_recorder_settings_default(void);

/**
 * Begins a recording with the scene, its bodies and shapes, and the present state as frame 0. The recording is written under a temporary name in the same
 * folder. A file at `path` stays untouched until abut_recorder_finish().
 *
 * @param path        of the final file; anything there except an ordinary file is refused
 * @param simulation  may be destroyed before the recorder
 * @param settings    NULL for the defaults
 * @param recorder    receives it, to be ended with abut_recorder_finish() or abut_recorder_abort(); untouched on an error
 * @return ABUT_OK; ABUT_ERROR_FILE when it cannot be written; ABUT_ERROR_INVALID_ARGUMENT; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_recorder_create(const char *path, const abut_simulation *simulation, const abut_recorder_settings *settings,
                                          abut_recorder **recorder, abut_error *error);

/**
 * Records the step that was just made. Data are written in blocks, so a full disk may be reported some steps later, at the latest by abut_recorder_finish().
 *
 * @param simulation  the simulation of abut_recorder_create()
 * @param report      the report of abut_simulation_step()
 * @return ABUT_OK; ABUT_ERROR_FILE and ABUT_ERROR_OUT_OF_MEMORY, and then only abut_recorder_abort() may be called; ABUT_ERROR_UNSUPPORTED when a body got a
 *         shape with other triangles, because a recording keeps moved vertices only
 */
ABUT_API abut_status abut_recorder_frame(abut_recorder *recorder, const abut_simulation *simulation, const abut_step_report *report,
                                         abut_error *error);

/**
 * Records a frame of the last step, if it has none, writes all buffered data, flushes the file to the disk and gives it its name. Frees the recorder in every
 * case, except for NULL.
 * @param simulation  as of the last abut_recorder_frame()
 * @param complete    whether the simulation reached its end; kept in the recording
 * @return ABUT_OK; ABUT_ERROR_FILE, and then an earlier file of that name is unchanged; the statuses of abut_recorder_frame(); ABUT_ERROR_INVALID_ARGUMENT for
 *         NULL, and then nothing was freed
 */
ABUT_API abut_status abut_recorder_finish(abut_recorder *recorder, const abut_simulation *simulation, bool complete, abut_error *error);

/** Removes the temporary file and frees the recorder. An earlier file of that name is unchanged. NULL does nothing. */
ABUT_API void abut_recorder_abort(abut_recorder *recorder);

/**
 * Disables HDF5's exit handler, which closes open objects at the end of the process and prints when a damaged recording has prevented that. For programs that
 * use HDF5 only through recordings, before anything else of this header.
 */
ABUT_API void abut_recording_no_exit_handler(void);

/** An open recording; opaque. It must not be used from two threads at once. */
typedef struct abut_recording abut_recording;

/**
 * Opens a recording.
 * @param recording  receives it, to be freed with abut_recording_close(); untouched on an error
 * @return ABUT_OK; ABUT_ERROR_FILE when the file is missing or unreadable; ABUT_ERROR_FORMAT when it is not a recording, damaged, or of a newer format;
 *         ABUT_ERROR_INVALID_ARGUMENT; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_recording_open(const char *path, abut_recording **recording, abut_error *error);

/** Frees the recording. NULL does nothing. */
ABUT_API void abut_recording_close(abut_recording *recording);

/** The contents of a recording. The strings belong to the recording. */
typedef struct abut_recording_info {
    const char *path;    /**< as given */
    const char *version; /**< version of the library that made it */
    const char *title;   /**< of the scene, "" for none */
    const char *scene;   /**< the scene's JSON text */
    double dt;           /**< length of a step [time] */
    abut_vec3 gravity;   /**< [length/time^2] */
    bool complete;       /**< the simulation reached its end */
    int64_t step_count;  /**< rows of the steps' table: one for each step, and one for the beginning */
    int64_t frame_count;
    int64_t contact_count; /**< stored contacts; frames with equal contacts share them */
    int32_t body_count;
    int32_t shape_count;
    int32_t joint_count;  /**< 0 in older files */
    int64_t event_count;  /**< 0 in older files */
    int32_t series_count; /**< columns of the time series; 0 in older files */
} abut_recording_info;

/** The contents of a recording. */
ABUT_API abut_recording_info abut_recording_get_info(const abut_recording *recording);

/** A body that was recorded. */
typedef struct abut_recorded_body {
    const char *name; /**< belongs to the recording */
    abut_body_kind kind;
    int32_t shape; /**< index into the recorded shapes */
    double mass;   /**< 0 for static and kinematic bodies */
    double friction, restitution;
    abut_vec3 centre;         /**< of mass, shape frame */
    abut_material material;   /**< for the dem stepper; all zero in older files, which have none */
    double adhesion_work;     /**< zero in older files [force / length] */
    double adhesion_strength; /**< beside the work, of Maugis's law; zero for that of JKR, and in older files [force / length^2] */
    double contact_stiffness; /**< of the linear law; zero for Hertz's law, and in older files [force / length] */
    bool sensor;              /**< it touches nothing; false in older files */
} abut_recorded_body;

/** ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for an index out of range. */
ABUT_API abut_status abut_recording_body(const abut_recording *recording, int32_t index, abut_recorded_body *body);

/** ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for an index out of range. */
ABUT_API abut_status abut_recording_shape(const abut_recording *recording, int32_t index, abut_recorded_shape *shape);

/** A row of the steps' table; row 0 is the beginning. ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for a row out of range. */
ABUT_API abut_status abut_recording_step(const abut_recording *recording, int64_t row, abut_step_report *report);

/** Name of a column of the time series, as of abut_scene_series_name(); NULL for an index out of range. It belongs to the recording. */
ABUT_API const char *abut_recording_series_name(const abut_recording *recording, int32_t index);

/**
 * Reads a row of the time series. Rows are those of the steps' table.
 * @param values  receives an array [series_count] that belongs to the recording and is valid until the next call
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for a row out of range, or a recording without series; ABUT_ERROR_FORMAT for a damaged file
 */
ABUT_API abut_status abut_recording_series(abut_recording *recording, int64_t row, const double **values, abut_error *error);

/** The state of a body in a frame. */
typedef enum abut_recorded_presence {
    ABUT_RECORDED_REMOVED, /**< it was removed, or has not come through its inlet yet */
    ABUT_RECORDED_ASLEEP,  /**< static bodies are never awake */
    ABUT_RECORDED_AWAKE
} abut_recorded_presence;

/** A body in a frame. World frame. */
typedef struct abut_recorded_state {
    abut_recorded_presence presence;
    abut_pose pose;     /**< of the shape's frame; NaN when it is not there, as are the velocities */
    abut_vec3 velocity; /**< of the centre of mass */
    abut_vec3 angular_velocity;
} abut_recorded_state;

/** A contact in a frame, and its forces. */
typedef struct abut_recorded_contact {
    int32_t a, b;             /**< indices of the bodies */
    abut_contact contact;     /**< as found at the start of the step */
    double normal_force;      /**< mean over the step, along contact.normal on A */
    abut_vec3 friction_force; /**< mean over the step, on A */
} abut_recorded_contact;

/** A frame. The array belongs to the recording and is valid until the next call of abut_recording_frame(). */
typedef struct abut_recorded_frame {
    int64_t step; /**< number of steps before it, which is its row in the steps' table */
    double time;
    const abut_recorded_state *bodies; /**< [body_count] */
    int32_t contact_count;             /**< the count of abut_recording_contacts() */
} abut_recorded_frame;

/**
 * Reads frame `index`. Reading is fastest in the order of the frames.
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for an index out of range; ABUT_ERROR_FORMAT for a damaged file
 */
ABUT_API abut_status abut_recording_frame(abut_recording *recording, int64_t index, abut_recorded_frame *frame, abut_error *error);

/**
 * Reads the contacts of frame `index`: those of the step before the frame, as given by abut_world_contacts().
 * @param contacts  receives an array that belongs to the recording and is valid until the next call of abut_recording_contacts()
 * @return as abut_recording_frame(); ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_recording_contacts(abut_recording *recording, int64_t index, const abut_recorded_contact **contacts,
                                             int32_t *count, abut_error *error);

/**
 * Reads the vertices of a body in frame `index`, in the shape's frame: those of its shape, or the moved ones when it has deformed. The faces are those of the
 * shape.
 * @param vertices  receives an array that belongs to the recording and is valid until the next call of abut_recording_vertices(); NULL when there are none
 * @param count     that of the shape
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for an index or a body out of range; ABUT_ERROR_FORMAT for a damaged file; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_recording_vertices(abut_recording *recording, int64_t index, int32_t body, const abut_vec3 **vertices,
                                             int32_t *count, abut_error *error);

/** True when the body deforms in some frame. */
ABUT_API bool abut_recording_deforms(const abut_recording *recording, int32_t body);

/** A joint that was recorded: its definition, without ids, and its bodies. ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for an index out of range. */
ABUT_API abut_status abut_recording_joint(const abut_recording *recording, int32_t index, abut_scene_joint *joint);

/** Whether a joint holds in a frame. */
typedef enum abut_recorded_hold {
    ABUT_HOLD_GONE,   /**< one of its bodies was removed */
    ABUT_HOLD_BROKEN, /**< it broke in this or an earlier step */
    ABUT_HOLD_WHOLE
} abut_recorded_hold;

/** A joint in a frame. */
typedef struct abut_recorded_joint_state {
    abut_recorded_hold hold;
    abut_joint_state state; /**< NaN, and false, when the joint is gone */
} abut_recorded_joint_state;

/**
 * Reads the joints of frame `index`.
 * @param joints  receives an array [joint_count] that belongs to the recording and is valid until the next call of abut_recording_joints()
 * @return as abut_recording_frame()
 */
ABUT_API abut_status abut_recording_joints(abut_recording *recording, int64_t index, const abut_recorded_joint_state **joints,
                                           abut_error *error);

/** An event of a step. World frame. */
typedef struct abut_recorded_event {
    int64_t step;     /**< the row of its step in the steps' table */
    int8_t kind;      /**< number of the bit of its abut_world_event_kind */
    int32_t a, b;     /**< indices of the bodies; b is -1 when there is none */
    int32_t joint;    /**< index of the joint that broke; -1 for other events */
    abut_vec3 point;  /**< of a touch that begins and a hit: the middle of the deepest contact; else zero */
    abut_vec3 normal; /**< the same, of its normal: from B into A */
    double gap;       /**< the same, of its gap [length] */
    double impulse;   /**< the same: the sum of the normal impulses of the pair's contacts in the step [mass length/time] */
    double speed;     /**< of a hit: the speed of approach [length/time] */
} abut_recorded_event;

/**
 * Reads events by their rows, which are in the order of the steps. Touches that persist are not recorded.
 * @param first, count  rows, of event_count
 * @param events        receives an array [count] that belongs to the recording and is valid until the next call of abut_recording_events()
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for rows out of range; ABUT_ERROR_FORMAT for a damaged file; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_recording_events(abut_recording *recording, int64_t first, int32_t count, const abut_recorded_event **events,
                                           abut_error *error);

/**
 * The rows of the events of frame `index`: those of its step, and of steps since the frame before.
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for an index out of range
 */
ABUT_API abut_status abut_recording_frame_events(const abut_recording *recording, int64_t index, int64_t *first, int32_t *count);

#ifdef __cplusplus
}
#endif
