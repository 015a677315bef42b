#pragma once

#include "io/record/recording.h"

/**
 * @file page/page.h
 * Recordings as a page for any web browser: one HTML file that contains everything and replays them.
 *
 * The page itself is a template, which abut builds beside the command; the recordings are put in place of its one line `<!--abut:runs-->`. What is put there
 * is described in docs/formats/replay-page.md.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** How many recordings a page holds at most: they are shown side by side. */
enum { ABUT_PAGE_MOST_RECORDINGS = 2 };

/** How a page is written. Start from abut_export_page_settings_default(). */
typedef struct abut_export_page_settings {
    int32_t every;   /**< only every so many frames, the first and the last included; >= 1; default 1 */
    bool contacts;   /**< with contacts and their forces; default true */
    bool velocities; /**< with velocities; default true */
    int64_t limit;   /**< largest size of the page [bytes], > 0; default 256 MiB: browsers keep a page in memory as a whole */
    /** Called now and then, `done` of `total` frames of all recordings; default none. */
    void (*progress)(void *user, int64_t done, int64_t total);
    void *user; /**< for progress; default NULL */
} abut_export_page_settings;

/** The defaults named above. */
ABUT_API abut_export_page_settings abut_export_page_settings_default(void);

/**
 * Write a page that replays recordings. As a recording, it appears whole or not at all.
 *
 * Positions are rounded to a power of two of at most 1e-6 of the smallest body's radius (in frames that reach far, to 2^-30 of the largest coordinate),
 * quaternions and normals to 2^-20, other reals to single precision. All frames are read and compressed before anything is written: this takes memory for
 * three quarters of the page, and for a few thousand frames as they are being packed.
 * @param recordings     [count]
 * @param count          1 or 2
 * @param template_path  of the page to fill in: a file that contains `<!--abut:runs-->` once
 * @param path           of the page; must be neither one of the recordings nor the template
 * @param settings       NULL for the defaults
 * @return ABUT_OK; ABUT_ERROR_FILE when the page cannot be written or the template not be read; ABUT_ERROR_FORMAT when a recording is damaged or has no frames,
 *         or the template is none; ABUT_ERROR_CAPACITY when the page would be larger than the limit, and then the message says by how much and what can be left
 *         out; ABUT_ERROR_INVALID_ARGUMENT; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_export_page(abut_recording *const *recordings, int32_t count, const char *template_path, const char *path,
                                      const abut_export_page_settings *settings, abut_error *error);

#ifdef __cplusplus
}
#endif
