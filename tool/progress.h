#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A progress bar on stderr, drawn only when that is a terminal, and at most ten times a second. */
typedef struct progress {
    bool shown;
    double begun, drawn; /* seconds of clock_seconds() */
    int64_t total;
} progress;

progress progress_begin(int64_t total, bool wanted);
/* `done` of the total; `note` stands behind the bar. */
void progress_update(progress *bar, int64_t done, const char *note);
/* The same at once, before something that takes a while in one piece. */
void progress_show(progress *bar, int64_t done, const char *note);
/* Takes the bar off the screen. */
void progress_end(progress *bar);

/* A clock that only runs forward [s]. */
double clock_seconds(void);
/* Of all processors that worked for this process. */
double clock_processor_seconds(void);
