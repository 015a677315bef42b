#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A progress bar on stderr. It is drawn at most ten times a second, and only on a terminal that can redraw a line. */
typedef struct progress {
    bool shown;
    double begun, drawn; /* times of clock_seconds() */
    int64_t total;
    int length; /* characters on the screen */
} progress;

progress progress_begin(int64_t total, bool wanted);
/* Begins again with another total, > 0. */
void progress_restart(progress *bar, int64_t total);
/* `done` of the total; `note` is text behind the bar. */
void progress_update(progress *bar, int64_t done, const char *note);
/* Draws now, before a long operation that cannot report progress. */
void progress_show(progress *bar, int64_t done, const char *note);
/* Removes the bar from the screen. */
void progress_end(progress *bar);
/* Whether a bar is on the screen. Async-signal-safe. */
bool progress_is_on_screen(void);

/* A monotonic clock [s]. */
double clock_seconds(void);
/* Processor time of this process, summed over all threads [s]. */
double clock_processor_seconds(void);
