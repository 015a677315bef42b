/* Time per step of a world as a function of its number of bodies: heaps of boxes and of hulls, and a brick wall, on one thread and on two,
 * next to Bullet where it is installed. Then the gain of a second thread, and its cost beside other programs. The states that abut reaches with
 * different numbers of threads must agree to the last bit. */
#include <stdlib.h>
#include <string.h>

#include "geom/scan.h"
#include "narrow/box/kernel.h"
#include "narrow/normal/box_axes.h"
#include "solve/wide/kernel.h"
#include "world/gain.h"
#include "world/options.h"
#include "world/report.h"

/* Gains are those of heaps and the wall: three for each heap, one for the wall. */
enum { GAIN_KINDS = SCENE_WALL + 1, GAINS = 3 * GAIN_KINDS };

typedef struct results {
    measurement *rows;
    int32_t count;
    gain gains[GAINS];
    int32_t gain_count;
    bool fine;
} results;

static void run_one(results *all, const scene *of, const engine *by, engine_effort effort, int32_t threads, int32_t steps) {
    measurement *row = &all->rows[all->count];
    if (!measure(of, by, effort, threads, steps, row)) {
        all->fine = false;
        return;
    }
    all->count++;
    report_table_row(stderr, row, report_smaller_run(all->rows, all->count - 1));
}

/* Compares the hashes of one scene's runs, in rows from `first` on. */
static bool hashes_agree(const results *all, int32_t first) {
    for (int32_t i = first + 1; i < all->count; i++) {
        if (all->rows[i].hashed && all->rows[i].hash != all->rows[first].hash) {
            fprintf(stderr, "world: %d and %d threads led to different states\n", (int)all->rows[first].threads, (int)all->rows[i].threads);
            return false;
        }
    }
    return true;
}

static void run_scene(results *all, scene_kind kind, int32_t bodies, const options *how) {
    scene of;
    if (!scene_make(kind, bodies, &of)) {
        fprintf(stderr, "world: the scene %s cannot be made%s\n", scene_name(kind), abut_has(ABUT_CAPABILITY_HULL) ? "" : " without qhull");
        all->fine = all->fine && kind == SCENE_HULLS && !abut_has(ABUT_CAPABILITY_HULL);
        return;
    }
    int32_t first = all->count;
    for (int32_t i = 0; i < how->thread_count && how->quick_solver; i++) {
        run_one(all, &of, &engine_quick, how->effort, how->threads[i], how->steps);
    }
    all->fine = hashes_agree(all, first) && all->fine;
    first = all->count;
    for (int32_t i = 0; i < how->thread_count && how->exact_solver; i++) {
        run_one(all, &of, &engine_abut, how->effort, how->threads[i], how->steps);
    }
    all->fine = hashes_agree(all, first) && all->fine;
#ifdef BENCH_WITH_BULLET
    if (how->others) {
        run_one(all, &of, &engine_bullet, (engine_effort){0, 0}, 1, how->steps);
    }
#endif
    scene_free(&of);
}

static void run_rows(results *all, const options *how) {
    report_table_head(stderr);
    for (int kind = 0; kind < SCENE_KINDS; kind++) {
        for (int32_t i = 0; i < how->size_count && how->scenes[kind]; i++) {
            run_scene(all, (scene_kind)kind, how->sizes[i], how);
        }
    }
}

static void add_gain(results *all, bool measured) {
    if (!measured || !all->gains[all->gain_count].same) {
        all->fine = false;
        return;
    }
    gain_row(stderr, &all->gains[all->gain_count++]);
}

/* The gains for a scene: of its world of 3,000 bodies, and of two batches of pairs of its shapes. */
static void run_gains(results *all, scene_kind kind, const options *how) {
    const int32_t bodies = 3000, settle = kind == SCENE_WALL ? 5 : 120, batches[] = {1000, 4096};
    scene of;
    if (!scene_make(kind, bodies, &of)) {
        return;
    }
    add_gain(all, gain_of_world(&of, settle, how->rounds, &all->gains[all->gain_count]));
    for (int32_t i = 0; i < 2 && kind != SCENE_WALL; i++) {
        add_gain(all, gain_of_batch(&of, batches[i], 10 * how->rounds, &all->gains[all->gain_count]));
    }
    scene_free(&of);
}

static bool write_json(const char *path, const results *all) {
    FILE *out = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
    if (out == NULL) {
        fprintf(stderr, "world: cannot write %s\n", path);
        return false;
    }
    report_begin(out, all->rows, all->count);
    fprintf(out, "],\n\"gains\": [");
    gain_json(out, all->gains, all->gain_count);
    fprintf(out, "],\n\"goals\": [");
    gain_goals(out, all->gains, all->gain_count);
    fprintf(out, "]}\n");
    return out == stdout || fclose(out) == 0;
}

/* For all kernels that a world runs. */
static bool use_set(instruction_set set) { return scan_use(set) && box_axes_use(set) && box_kernel_use(set) && wide_kernel_use(set); }

int main(int count, char **words) {
    options how;
    if (!options_read(count, words, &how)) {
        return 2;
    }
    if (how.help) {
        fputs(options_help, stdout);
        return 0;
    }
    results all = {.rows = calloc(SCENE_KINDS * OPTIONS_SIZES * (2 * OPTIONS_THREADS + 1), sizeof *all.rows), .fine = true};
    if (all.rows == NULL || !use_set(how.set)) {
        return 1;
    }
    if (how.rows) {
        run_rows(&all, &how);
    }
    if (how.gains) {
        gain_head(stderr);
        for (int kind = 0; kind < GAIN_KINDS; kind++) {
            if (how.scenes[kind]) {
                run_gains(&all, (scene_kind)kind, &how);
            }
        }
    }
    bool written = how.json == NULL || write_json(how.json, &all);
    free(all.rows);
    return all.fine && written ? 0 : 1;
}
