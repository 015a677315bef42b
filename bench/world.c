/* How long one step of a world takes: a pyramid of boxes that stands, on one thread and on all. Prints JSON; times in microseconds per step, as the median and
 * the 10th and 90th percentile of steps, and the share of each phase. `relative` is the median over that of one thread in the same run. */
#include <stdio.h>
#include <stdlib.h>

#include <abut/abut.h>

enum { rows = 20, steps = 120 };

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void require(abut_status status, const char *what) {
    if (status != ABUT_OK) {
        fprintf(stderr, "%s: %s\n", what, abut_status_message(status));
        exit(1);
    }
}

static abut_world *make_pyramid(int32_t threads) {
    abut_world_def def = abut_world_def_default();
    def.parallel.threads = threads;
    def.fixed.sleeping = false;
    abut_world *world = NULL;
    abut_shape *ground = NULL, *brick = NULL;
    require(abut_create_world(&def, &world), "world");
    require(abut_create_plane(abut_make_vec3(0, 0, 1), 0, &ground), "plane");
    require(abut_create_box(abut_make_vec3(0.5, 0.25, 0.25), &brick), "box");
    abut_body_def body = abut_body_def_default();
    body.kind = ABUT_BODY_STATIC;
    body.shape = ground;
    require(abut_world_add_body(world, &body, NULL), "ground");
    body.kind = ABUT_BODY_DYNAMIC;
    body.shape = brick;
    for (int row = 0; row < rows; row++) {
        for (int i = 0; i < rows - row; i++) {
            body.pose.position = abut_make_vec3(1.05 * (i + 0.5 * row), 0, 0.25 + 0.5 * row);
            require(abut_world_add_body(world, &body, NULL), "brick");
        }
    }
    abut_shape_release(ground);
    abut_shape_release(brick);
    return world;
}

static double measure(int32_t threads, double reference) {
    abut_world *world = make_pyramid(threads);
    double times[steps], broad = 0, narrow = 0, solve = 0, total = 0;
    abut_step_report report;
    for (int step = 0; step < steps; step++) {
        require(abut_world_step(world, 1.0 / 60.0, &report), "step");
        times[step] = 1e6 * report.seconds_total;
        broad += report.seconds_broad;
        narrow += report.seconds_narrow;
        solve += report.seconds_solve;
        total += report.seconds_total;
    }
    qsort(times, steps, sizeof times[0], compare);
    double median = times[steps / 2];
    printf("%s\n  {\"threads\": %d, \"bodies\": %d, \"contacts\": %d, \"us\": %.0f, \"p10\": %.0f, \"p90\": %.0f, \"relative\": %.2f, "
           "\"broad\": %.3f, \"narrow\": %.3f, \"solve\": %.3f, \"hash\": \"%016llx\"}",
           reference > 0 ? "," : "", (int)threads, (int)report.bodies, (int)report.contacts, median, times[steps / 10],
           times[steps - 1 - steps / 10], reference > 0 ? median / reference : 1.0, broad / total, narrow / total, solve / total,
           (unsigned long long)abut_world_hash(world));
    abut_world_destroy(world);
    return median;
}

int main(void) {
    printf("{\"benchmark\": \"world\", \"version\": \"%s\", \"results\": [", abut_version());
    double reference = measure(1, 0);
    measure(0, reference);
    printf("\n]}\n");
    return 0;
}
