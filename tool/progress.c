/*
 * A progress bar on the terminal, made of plain characters: no escape codes, whatever TERM and NO_COLOR say.
 */
#include "tool/progress.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tool/system.h"

static const double redraw_seconds = 0.1;
static volatile sig_atomic_t on_screen;

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

/* A carriage return must go back to the start of the line. A dumb terminal may not do that. */
static bool is_redrawable(void) {
    const char *terminal = getenv("TERM");
    return isatty(STDERR_FILENO) && !(terminal && strcmp(terminal, "dumb") == 0);
}

progress progress_begin(int64_t total, bool wanted) {
    double now = clock_seconds();
    progress bar = {wanted && total > 0 && is_redrawable(), now, now, total, 0};
    return bar;
}

void progress_restart(progress *bar, int64_t total) {
    bar->begun = bar->drawn = clock_seconds();
    bar->total = total;
}

/* Replaces the line on the screen. Spaces erase the rest of a longer line. */
static void put_line(progress *bar, const char *line) {
    int length = (int)strlen(line), limit = system_terminal_columns() - 1; /* a longer line would be wrapped */
    length = length < limit ? length : limit;
    int spaces = bar->length > length ? bar->length - length : 0;
    fprintf(stderr, "\r%.*s%*s", length, line, spaces, "");
    bar->length = length;
}

static void draw(progress *bar, double now, int64_t done, const char *note) {
    enum { CELLS = 30 };
    bar->drawn = now;
    double share = (double)done / (double)bar->total;
    char cells[CELLS + 1], left[40] = "", line[200];
    for (int i = 0; i < CELLS; i++) {
        cells[i] = i < (int)(share * CELLS) ? '#' : '.';
    }
    cells[CELLS] = '\0';
    if (done > 0 && done < bar->total) {
        snprintf(left, sizeof left, "%.0f s left  ", (now - bar->begun) * (1.0 - share) / share);
    }
    snprintf(line, sizeof line, "[%s] %3d %%  %s%s", cells, (int)(100.0 * share), left, note);
    on_screen = 1;
    put_line(bar, line);
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
    if (bar->shown && on_screen) {
        put_line(bar, "");
        fputc('\r', stderr);
        fflush(stderr);
        on_screen = 0;
    }
    bar->shown = false;
}

bool progress_is_on_screen(void) { return on_screen != 0; }
