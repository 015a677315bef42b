/*
 * bench_tetmesh: two tetrahedral balls of growing size, with shallow and deep penetration: milliseconds for the element pairs whose boxes
 * meet, for the intersecting pairs, for their depths, and for the separation of the meshes. Also the displacement of each separation method
 * on several scenes. A table on standard output; JSON with --json FILE.
 */
#include <stdio.h>
#include <stdlib.h>

#include <abut/tetra_mesh.h>

#include "support/json_file.h"
#include "support/statistics.h"
#include "support/tetra_grid.h"

enum { ROUNDS = 7, MOST_PAIRS = 4000000 };

typedef struct scene {
    const char *name;
    tetra_grid a, b;
} scene;

static tetra_grid placed(tetra_grid grid, double angle, double x) {
    tetra_grid_place(&grid, abut_quat_about(abut_unit(abut_vec3_make(1, 2, 3)), angle),
                     abut_vec3_make(x, 0.1 * (x > 0.0), 0.2 * (x > 0.0)));
    return grid;
}

static scene make_balls(int32_t cells, bool deep) {
    return (scene){deep ? "balls, deep" : "balls, shallow", placed(tetra_grid_ball(cells, 1.0), 0.3, 0.0),
                   placed(tetra_grid_ball(cells, 1.0), 1.1, deep ? 1.4 : 1.9)};
}

static void free_scene(scene *s) {
    tetra_grid_release(&s->a);
    tetra_grid_release(&s->b);
}

/* ---- pairs and depths ---- */

typedef struct pair_times {
    statistics boxes, intersections, depths; /* milliseconds */
    int64_t candidates, intersecting;
} pair_times;

static void measure_pairs(const scene *s, const abut_parallel *parallel, abut_element_pair *pairs, abut_depth *depths, pair_times *of) {
    abut_tetra_mesh a = tetra_grid_mesh(&s->a), b = tetra_grid_mesh(&s->b);
    double times[3][ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        double start = clock_seconds();
        (void)abut_tetra_mesh_candidates(&a, &b, parallel, pairs, MOST_PAIRS, &of->candidates);
        double boxes = clock_seconds();
        (void)abut_tetra_mesh_intersections(&a, &b, parallel, pairs, MOST_PAIRS, &of->intersecting);
        double intersections = clock_seconds();
        (void)abut_tetra_mesh_depth(&a, &b, pairs, (int32_t)of->intersecting, NULL, parallel, depths);
        times[0][round] = 1e3 * (boxes - start);
        times[1][round] = 1e3 * (intersections - boxes);
        times[2][round] = 1e3 * (clock_seconds() - intersections);
    }
    of->boxes = statistics_of(times[0], ROUNDS);
    of->intersections = statistics_of(times[1], ROUNDS);
    of->depths = statistics_of(times[2], ROUNDS);
}

static void write_statistics(FILE *json, const char *name, statistics s) {
    fprintf(json, "\"%s\": {\"median\": %.4f, \"p10\": %.4f, \"p90\": %.4f}", name, s.median, s.p10, s.p90);
}

static void run_pairs(const scene *s, int32_t threads, abut_element_pair *pairs, abut_depth *depths, FILE *json, const char *comma) {
    const abut_parallel parallel = {.threads = threads};
    pair_times t;
    measure_pairs(s, &parallel, pairs, depths, &t);
    double candidates = (double)t.candidates, intersecting = (double)t.intersecting;
    printf("%-15s %7d x %7d  threads %d  boxes %8.2f ms, %8lld pairs  intersections %8.2f ms, %7lld, %4.0f ns per candidate  depths %8.2f "
           "ms, %5.0f ns each\n",
           s->name, (int)s->a.element_count, (int)s->b.element_count, (int)threads, t.boxes.median, (long long)t.candidates,
           t.intersections.median, (long long)t.intersecting, 1e6 * t.intersections.median / candidates, t.depths.median,
           1e6 * t.depths.median / intersecting);
    fprintf(json, "%s\n    {\"scene\": \"%s\", \"elements\": [%d, %d], \"threads\": %d, \"candidates\": %lld, \"intersecting\": %lld, ",
            comma, s->name, (int)s->a.element_count, (int)s->b.element_count, (int)threads, (long long)t.candidates,
            (long long)t.intersecting);
    write_statistics(json, "boxes_ms", t.boxes);
    fputs(", ", json);
    write_statistics(json, "intersections_ms", t.intersections);
    fputs(", ", json);
    write_statistics(json, "depths_ms", t.depths);
    fputs("}", json);
}

/* ---- separation ---- */

static const char *const mode_names[] = {"auto", "zones", "sweeps"};

static void run_resolve(const scene *s, abut_resolve_mode mode, int32_t threads, FILE *json, const char *comma) {
    abut_tetra_mesh a = tetra_grid_mesh(&s->a), b = tetra_grid_mesh(&s->b);
    abut_vec3 *moved_a = calloc((size_t)a.vertex_count, sizeof *moved_a), *moved_b = calloc((size_t)b.vertex_count, sizeof *moved_b);
    abut_resolve_settings settings = abut_resolve_settings_default();
    settings.mode = mode;
    const abut_parallel parallel = {.threads = threads};
    abut_resolve_report r = {0};
    double start = clock_seconds();
    abut_status status = abut_tetra_mesh_resolve(&a, &b, NULL, NULL, &settings, &parallel, moved_a, moved_b, NULL, 0, &r);
    double ms = 1e3 * (clock_seconds() - start);
    printf("%-22s %7d x %7d  threads %d  %-6s %9.2f ms  %7lld pairs, %6lld remain  rounds %2d sweeps %2d zones %d  rms %.5f max %.4f  flat "
           "%d inverted %d\n",
           s->name, (int)a.element_count, (int)b.element_count, (int)threads, mode_names[mode], ms, (long long)r.pairs_begin,
           (long long)r.pairs_remaining, (int)r.rounds, (int)r.sweeps, (int)r.zones, r.displacement_rms, r.displacement_max,
           (int)r.flat_after, (int)r.inverted);
    fprintf(json,
            "%s\n    {\"scene\": \"%s\", \"elements\": [%d, %d], \"threads\": %d, \"mode\": \"%s\", \"status\": \"%s\", \"ms\": %.3f, "
            "\"pairs\": %lld, "
            "\"remaining\": %lld, \"tested\": %lld, \"rounds\": %d, \"sweeps\": %d, \"swept\": %s, \"zones\": %d, \"rms\": %.6g, \"max\": "
            "%.6g, "
            "\"flat\": %d, \"inverted\": %d}",
            comma, s->name, (int)a.element_count, (int)b.element_count, (int)threads, mode_names[mode], abut_status_name(status), ms,
            (long long)r.pairs_begin, (long long)r.pairs_remaining, (long long)r.pairs_tested, (int)r.rounds, (int)r.sweeps,
            r.swept ? "true" : "false", (int)r.zones, r.displacement_rms, r.displacement_max, (int)r.flat_after, (int)r.inverted);
    free(moved_a);
    free(moved_b);
}

/* Scenes on which the separation methods differ. */
static scene make_trial(int which) {
    const abut_vec3 one = {1, 1, 1}, small = {0.4, 0.4, 0.4}, x = {1, 0, 0};
    scene s = {"balls, very deep", placed(tetra_grid_ball(8, 1.0), 0.3, 0.0), placed(tetra_grid_ball(8, 1.0), 1.1, 0.5)};
    if (which == 0) {
        return s;
    }
    free_scene(&s);
    tetra_grid ring = tetra_grid_ring(48, 4, 1.0, 0.25), peg = tetra_grid_ball(8, 1.0), other = tetra_grid_ring(48, 4, 1.0, 0.25);
    switch (which) {
    case 1:
        s = (scene){"block in block", tetra_grid_block(8, 8, 8, one), placed(tetra_grid_block(4, 4, 4, small), 0.2, 0.8)};
        break;
    case 2:
        s = (scene){"block on block", tetra_grid_block(8, 8, 8, one), placed(tetra_grid_block(8, 8, 8, one), 0.0, 1.9)};
        break;
    case 3:
        tetra_grid_place(&other, abut_quat_about(x, 1.57), abut_vec3_make(0.52, 0, 0));
        return tetra_grid_release(&peg), (scene){"rings, slight", ring, other};
    case 4:
        tetra_grid_place(&other, abut_quat_about(x, 1.57), abut_vec3_make(0.3, 0, 0));
        return tetra_grid_release(&peg), (scene){"rings, deep", ring, other};
    default:
        for (int32_t v = 0; v < peg.vertex_count; v++) {
            peg.vertices[v] = abut_vec3_make(0.77 * peg.vertices[v].x, 0.77 * peg.vertices[v].y, 2.0 * peg.vertices[v].z);
        }
        return tetra_grid_release(&other), (scene){"peg in a tight hole", ring, peg};
    }
    tetra_grid_release(&ring);
    tetra_grid_release(&peg);
    tetra_grid_release(&other);
    return s;
}

int main(int count, char **arguments) {
    FILE *json = json_file_open(count, arguments, "bench_tetmesh [--json FILE]: pairs, depths and separation of tetrahedral meshes\n");
    static const int32_t cells[] = {12, 21, 33}; /* 10,368, 55,566 and 215,622 elements each */
    enum { SIZES = sizeof cells / sizeof *cells, TRIALS = 6, MODES = 3 };
    abut_element_pair *pairs = calloc(MOST_PAIRS, sizeof *pairs);
    abut_depth *depths = calloc(MOST_PAIRS / 4, sizeof *depths);
    if (pairs == NULL || depths == NULL) {
        return 1;
    }
    fputs("{\n  \"benchmark\": \"tetmesh\",\n  \"pairs\": [", json);
    for (int k = 0; k < 4 * SIZES; k++) {
        scene s = make_balls(cells[k / 4], k / 2 % 2 == 1);
        run_pairs(&s, 1 + k % 2, pairs, depths, json, k > 0 ? "," : "");
        free_scene(&s);
    }
    fputs("\n  ],\n  \"resolve\": [", json);
    for (int k = 0; k < 4 * SIZES; k++) {
        scene s = make_balls(cells[k / 4], k / 2 % 2 == 1);
        run_resolve(&s, ABUT_RESOLVE_ZONES, 1 + k % 2, json, k > 0 ? "," : "");
        free_scene(&s);
    }
    for (int k = 0; k < TRIALS * MODES; k++) {
        scene s = make_trial(k / MODES);
        run_resolve(&s, (abut_resolve_mode)(k % MODES), 1, json, ",");
        free_scene(&s);
    }
    fputs("\n  ]\n}\n", json);
    free(pairs);
    free(depths);
    return fclose(json) == 0 ? 0 : 1;
}
