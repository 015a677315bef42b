/*
 * bench_joints: people who fall, a chain with a heavy end and bridges on hinges, next to Bullet in the same run. All engines make a step of 1/60 s in turn.
 * Processor time of a step; how far joints are apart and hinges askew; how fast the bodies still move at the end; the hash of the last state.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "joints/engine.h"
#include "support/json_file.h"
#include "support/statistics.h"

enum { STEPS = 240, LAST = 60, CHECKED = 30 }; /* all; of the last second; those that two threads repeat */

static const double dt = 1.0 / 60.0;

static const engine *const engines[] = {&engine_abut,
#ifdef BENCH_WITH_BULLET
                                        &engine_bullet, &engine_bullet_more
#endif
};

enum { COUNT = sizeof engines / sizeof *engines };

/* A run of one engine. */
typedef struct run {
    const engine *by;
    void *instance;
    double milliseconds[STEPS];
    double *apart, *askew;    /* [LAST * joint_count] of the last second [m, rad] */
    abut_pose *poses, *began; /* [part_count] now, and when the last second began */
    double *ways;             /* [part_count] for drift() */
    double most;              /* distance of a joint in the whole run [m] */
    uint64_t checked;         /* hash after CHECKED steps, of an engine that has one */
    bool fine;
} run;

static bool begin(const scene *of, const engine *by, run *made) {
    *made = (run){.by = by, .instance = by->create(of, by->effort)};
    size_t samples = (size_t)of->joint_count * LAST, parts = (size_t)of->part_count;
    made->apart = calloc(samples, sizeof *made->apart);
    made->askew = calloc(samples, sizeof *made->askew);
    made->poses = calloc(parts, sizeof *made->poses);
    made->began = calloc(parts, sizeof *made->began);
    made->ways = calloc(parts, sizeof *made->ways);
    made->fine = made->ways != NULL && made->instance != NULL && made->apart != NULL && made->askew != NULL && made->poses != NULL &&
                 made->began != NULL;
    return made->fine;
}

static void end(run *old) {
    if (old->instance != NULL) {
        old->by->destroy(old->instance);
    }
    free(old->apart);
    free(old->askew);
    free(old->poses);
    free(old->began);
    free(old->ways);
}

/* The distance of both ends of a joint, and the angle between both axes of a hinge. */
static void joint_errors(const scene *of, const scene_joint *joint, const abut_pose *poses, double *apart, double *askew) {
    abut_pose a = abut_pose_compose(poses[joint->a], scene_frame_on(&of->parts[joint->a], joint->frame));
    abut_pose b = abut_pose_compose(poses[joint->b], scene_frame_on(&of->parts[joint->b], joint->frame));
    const abut_vec3 z = {0.0, 0.0, 1.0};
    *apart = abut_distance_between(a.position, b.position);
    *askew =
        joint->hinge ? asin(fmin(abut_length(abut_cross(abut_quat_rotate(a.rotation, z), abut_quat_rotate(b.rotation, z))), 1.0)) : 0.0;
}

static void judge(const scene *of, run *r, int32_t step) {
    int32_t first = step - (STEPS - LAST);
    r->by->poses(r->instance, r->poses);
    if (first == 0) {
        memcpy(r->began, r->poses, (size_t)of->part_count * sizeof *r->poses);
    }
    for (int32_t i = 0; i < of->joint_count; i++) {
        double apart, askew;
        joint_errors(of, &of->joints[i], r->poses, &apart, &askew);
        r->most = apart <= r->most ? r->most : apart; /* NaN stays */
        if (first >= 0) {
            r->apart[first * of->joint_count + i] = apart;
            r->askew[first * of->joint_count + i] = askew;
        }
    }
}

static void make_step(const scene *of, run *r, int32_t step) {
    double start = clock_processor_seconds();
    r->fine = r->by->step(r->instance, dt);
    r->milliseconds[step] = 1e3 * (clock_processor_seconds() - start);
    if (step + 1 == CHECKED && r->by->hash != NULL) {
        r->checked = r->by->hash(r->instance);
    }
    judge(of, r, step);
}

static int by_value(const void *a, const void *b) {
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

/* The quantile of these values, which it sorts. */
static double quantile(double *values, size_t count, double share) {
    qsort(values, count, sizeof *values, by_value);
    return values[(size_t)(share * (double)(count - 1))];
}

/* How far parts moved in the last second: median and largest [m]. */
static void drift(const scene *of, run *r, double *median, double *most) {
    size_t count = 0;
    for (int32_t i = 0; i < of->part_count; i++) {
        if (of->parts[i].mass > 0.0) {
            r->ways[count++] = abut_distance_between(r->poses[i].position, r->began[i].position);
        }
    }
    *median = quantile(r->ways, count, 0.5);
    *most = r->ways[count - 1];
}

static void put(FILE *json, const scene *of, run *r, bool first) {
    size_t samples = (size_t)of->joint_count * LAST;
    double apart = quantile(r->apart, samples, 0.99), askew = quantile(r->askew, samples, 0.99), median, most, mass = 0.0;
    statistics time = statistics_of(r->milliseconds, STEPS);
    for (int32_t i = 0; i < of->part_count; i++) {
        mass += of->parts[i].mass;
    }
    drift(of, r, &median, &most);
    double energy = r->by->energy(r->instance) / mass;
    printf("%-18s %-24s %9.3f %9.2g %9.2g %9.2g %9.2g %9.2g %9.2g\n", scene_name(of->kind), r->by->name, time.median, 1e3 * apart,
           1e3 * r->apart[samples - 1], 1e3 * r->most, askew, 1e3 * most, energy);
    fprintf(
        json,
        "%s\n  {\"scene\": \"%s\", \"bodies\": %d, \"joints\": %d, \"engine\": \"%s\", \"ms\": %.4f, \"p90_ms\": %.4f, \"apart_m\": %.4g, "
        "\"most_apart_m\": %.4g, \"whole_run_m\": %.4g, \"askew_rad\": %.4g, \"most_askew_rad\": %.4g, \"drift_m\": %.4g, "
        "\"farthest_m\": %.4g, \"j_per_kg\": %.4g",
        first ? "" : ",", scene_name(of->kind), (int)of->part_count, (int)of->joint_count, r->by->name, time.median, time.p90, apart,
        r->apart[samples - 1], r->most, askew, r->askew[samples - 1], median, most, energy);
    if (r->by->hash != NULL) {
        fprintf(json, ", \"hash\": \"%016" PRIx64 "\"", r->by->hash(r->instance));
    }
    fprintf(json, "}");
    (void)fflush(stdout);
}

/* abut must reach the same state on two threads. */
static bool repeats(const scene *of, uint64_t hash) {
    const engine *by = &engine_abut_twice;
    void *instance = by->create(of, by->effort);
    bool fine = instance != NULL;
    for (int32_t step = 0; step < CHECKED && fine; step++) {
        fine = by->step(instance, dt);
    }
    bool same = fine && by->hash(instance) == hash;
    if (fine && !same) {
        fprintf(stderr, "joints: one and two threads led to different states\n");
    }
    if (instance != NULL) {
        by->destroy(instance);
    }
    return same;
}

static bool measure(FILE *json, scene_kind kind, bool first) {
    static run runs[COUNT];
    scene of;
    bool fine = scene_make(kind, &of);
    memset(runs, 0, sizeof runs);
    for (int32_t i = 0; i < COUNT && fine; i++) {
        fine = begin(&of, engines[i], &runs[i]);
    }
    for (int32_t step = 0; step < STEPS && fine; step++) {
        for (int32_t i = 0; i < COUNT; i++) {
            make_step(&of, &runs[i], step);
            fine = fine && runs[i].fine;
        }
    }
    fine = fine && repeats(&of, runs[0].checked);
    for (int32_t i = 0; i < COUNT; i++) {
        if (fine) {
            put(json, &of, &runs[i], first && i == 0);
        }
        if (runs[i].by != NULL) {
            end(&runs[i]);
        }
    }
    scene_free(&of);
    if (!fine) {
        fprintf(stderr, "joints: %s failed\n", scene_name(kind));
    }
    return fine;
}

int main(int count, char **arguments) {
    FILE *json = json_file_open(
        count, arguments,
        "usage: bench_joints [--json FILE] [--help]\n\n  --json FILE  write JSON to FILE; a table goes to standard output in any case\n");
    bool fine = true;
    printf("%-18s %-24s %9s %9s %9s %9s %9s %9s %9s\n", "scene", "engine", "step [ms]", "p99 [mm]", "most", "whole run", "askew", "drift",
           "J/kg");
    fprintf(json, "{\"benchmark\": \"joints\", \"version\": \"%s\", \"steps\": %d, \"rows\": [", abut_version(), STEPS);
    for (int kind = 0; kind < SCENE_KINDS; kind++) {
        fine = measure(json, (scene_kind)kind, kind == 0) && fine;
    }
    fprintf(json, "]}\n");
    fine = json_file_close(json, "bench_joints") && fine;
    return fine ? 0 : 1;
}
