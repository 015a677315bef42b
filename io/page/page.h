#pragma once

#include "io/record/recording.h"

/**
 * @file page/page.h
 * Recordings as a page for any web browser: one HTML file that contains everything and replays them.
 *
 * The page is a template, which is built with the command. The recordings replace its one line `<!--abut:runs-->`. docs/replay-page.md describes their format.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** The largest number of recordings of a page, which shows them side by side. */
enum { ABUT_PAGE_MOST_RECORDINGS = 2 };

/** How a page is written. Start from abut_export_page_settings_default(). */
typedef struct abut_export_page_settings {
    int32_t every;   /**< step between the frames, >= 1; the first and the last frame are always included; default 1 */
    bool contacts;   /**< with contacts and their forces; default true */
    bool velocities; /**< with velocities; default true */
    int64_t limit;   /**< largest size of the page [bytes], > 0; default 256 MiB: browsers keep a page in memory as a whole */
    /** Called from time to time, `done` of `total` frames of all recordings; default none. */
    void (*progress)(void *user, int64_t done, int64_t total);
    void *user; /**< for progress; default NULL */
} abut_export_page_settings;

/** The defaults named above. */
ABUT_API abut_export_page_settings abut_export_page_settings_default(void);

/**
 * Writes a page that replays recordings. Like a recording, it appears whole or not at all.
 *
 * Positions are rounded to a power of two of at most 1e-6 of the smallest body's radius (in frames with large coordinates to 2^-30 of the largest), quaternions
 * and normals to 2^-20, other reals to single precision. All frames are read and compressed before anything is written. This takes memory of three quarters of
 * the page, and of a few thousand frames that are being packed.
 * @param recordings     [count]
 * @param count          1 or 2
 * @param template_path  of the template: a file that contains `<!--abut:runs-->` once
 * @param path           of the page; must not be one of the recordings or the template
 * @param settings       NULL for the defaults
 * @return ABUT_OK; ABUT_ERROR_FILE when the page cannot be written or the template cannot be read; ABUT_ERROR_FORMAT when a recording is damaged or has no
 *         frames, or the file is not a template; ABUT_ERROR_CAPACITY when the page would be larger than the limit: the message gives its size and the options
 *         that reduce it; ABUT_ERROR_INVALID_ARGUMENT; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_export_page(abut_recording *const *recordings, int32_t count, const char *template_path, const char *path,
                                      const abut_export_page_settings *settings, abut_error *error);

#ifdef __cplusplus
}
#endif
