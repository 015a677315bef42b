#pragma once

#include "io/record/recording.h"

/**
 * @file export/export.h
 * Recordings as files for other programs: tables (CSV), animated scenes (glTF 2.0, binary) and data sets for ParaView (VTKHDF).
 *
 * Like a recording, an exported file appears whole or not at all. To an existing device, pipe or socket the bytes are written directly.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** The contents of a CSV file. */
typedef enum abut_export_table {
    ABUT_EXPORT_STEPS,    /**< counters, energies and timings: a row per step */
    ABUT_EXPORT_BODIES,   /**< poses and velocities: a row per frame and existing body */
    ABUT_EXPORT_CONTACTS, /**< contacts and their forces: a row per frame and contact */
    ABUT_EXPORT_JOINTS,   /**< joints with their coordinates, errors and loads: a row per frame and joint whose bodies are there */
    ABUT_EXPORT_SERIES    /**< the time series: a row per step, with its number and time */
} abut_export_table;

/**
 * Writes a table as CSV (RFC 4180, UTF-8, lines end in a line feed): a row of names, then rows of numbers that give the same bits when read. Vectors take a
 * column for each component. Bodies are given by name.
 * @param every  step between the steps or frames, >= 1; the first is included
 * @return ABUT_OK; ABUT_ERROR_FILE when it cannot be written; ABUT_ERROR_FORMAT when the recording is damaged; ABUT_ERROR_INVALID_ARGUMENT, also when the
 *         file would replace the recording; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_export_csv(abut_recording *recording, const char *path, abut_export_table table, int32_t every,
                                     abut_error *error);

/**
 * Writes an animated scene as binary glTF: a node per body with the mesh of its shape, and the frames as an animation of translation and rotation.
 *
 * The y axis points up, against gravity, as in glTF. Bodies keep the coordinates of the recording, below one node that rotates them. Balls and capsules are
 * tessellated, planes are squares somewhat larger than the rest of the scene, faces are flat. A body that is not there shrinks to nothing. Numbers have
 * single precision. Joints are nodes with thin lines at their frames, below the nodes of their bodies: docs/formats/recording.md.
 * @param every  step between the frames, >= 1; the first and the last frame are always included
 * @return as abut_export_csv(); ABUT_ERROR_UNSUPPORTED when the file would be larger than the format allows (4 GiB)
 */
ABUT_API abut_status abut_export_glb(abut_recording *recording, const char *path, int32_t every, abut_error *error);

/** How data sets for ParaView are written. Start from abut_export_vtk_settings_default(). */
typedef struct abut_export_vtk_settings {
    int32_t every; /**< step between the frames, >= 1; the first and the last frame are always included; default 1 */
    /** Called after each frame, `done` of `total`; default none. */
    void (*progress)(void *user, int64_t done, int64_t total);
    void *user; /**< for progress; default NULL */
} abut_export_vtk_settings;

/** The defaults named above. */
ABUT_API abut_export_vtk_settings abut_export_vtk_settings_default(void);

/**
 * Writes data sets for ParaView and other programs that use VTK: six files of the format VTKHDF 2.0, each a time series of type PolyData. The arrays and their
 * units are in docs/formats/recording.md.
 *
 * The file at `path` holds the surfaces of bodies. Five more files have a word before the ending `.vtkhdf`: `centres` of bodies, `contacts` as points,
 * `patches` of contact with their pressures, `chains` of forces as lines, and `joints` as lines with their loads. Coordinates are those of the recording; in
 * periodic space bodies are moved into it.
 *
 * Patches are computed at the poses of the frame, for the pairs of balls, planes and bodies of rounded triangles that have contacts in the frame. Pressures are
 * those of the bodies' materials at rest.
 *
 * All files are completed before the first gets its name; the file at `path` gets its name last. Devices and pipes are refused.
 * @param path      of the surfaces; should end in `.vtkhdf`
 * @param settings  NULL for the defaults
 * @return ABUT_OK; ABUT_ERROR_FILE when a file cannot be written; ABUT_ERROR_FORMAT when the recording is damaged or has no frames;
 *         ABUT_ERROR_INVALID_ARGUMENT, also when a file would replace the recording or another one; ABUT_ERROR_UNSUPPORTED for a shape of more than 2^31
 *         corners; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_export_vtk(abut_recording *recording, const char *path, const abut_export_vtk_settings *settings,
                                     abut_error *error);

#ifdef __cplusplus
}
#endif
