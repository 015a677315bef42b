/*
 * A progress bar on the terminal.
 */
#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

static const double redraw_seconds = 0.1;

double clock_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double clock_processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

progress progress_begin(int64_t total, bool wanted) {
    double now = clock_seconds();
    progress bar = {wanted && total > 0 && isatty(STDERR_FILENO), now, now, total};
    return bar;
}

static void draw(progress *bar, double now, int64_t done, const char *note) {
    enum { CELLS = 30 };
    bar->drawn = now;
    double share = (double)done / (double)bar->total;
    char cells[CELLS + 1];
    for (int i = 0; i < CELLS; i++) {
        cells[i] = i < (int)(share * CELLS) ? '#' : '.';
    }
    cells[CELLS] = '\0';
    char left[40] = "";
    if (done > 0 && done < bar->total) {
        snprintf(left, sizeof left, "%.0f s left  ", (now - bar->begun) * (1.0 - share) / share);
    }
    /* The line may be shorter than the one before: the rest of that is erased. */
    fprintf(stderr, "\r[%s] %3d %%  %s%s\033[K", cells, (int)(100.0 * share), left, note);
    fflush(stderr);
}

void progress_update(progress *bar, int64_t done, const char *note) {
    double now = bar->shown ? clock_seconds() : 0.0;
    if (bar->shown && now - bar->drawn >= redraw_seconds) {
        draw(bar, now, done, note);
    }
}

void progress_show(progress *bar, int64_t done, const char *note) {
    if (bar->shown) {
        draw(bar, clock_seconds(), done, note);
    }
}

void progress_end(progress *bar) {
    if (bar->shown) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    bar->shown = false;
}
