#include "dem/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/counting.h"

/* Steps of the integration in one step of the world. */
enum { TOGETHER = 100 };

/* ---- abut ---- */

static bool step(abut_world *world, const bed *b, int32_t steps, abut_step_report *report, measurement *m) {
    for (int32_t done = 0; done < steps; done += TOGETHER) {
        int32_t now = steps - done < TOGETHER ? steps - done : TOGETHER;
        if (abut_world_step(world, now * b->step, report) != ABUT_OK || report->dem.steps != now) {
            fprintf(stderr, "dem: a step of abut's world failed\n");
            return false;
        }
        m->lists += report->dem.lists;
    }
    return true;
}

/* Of the contacts of the last step those without a wall. */
static double find_neighbours(const abut_world *world, const bed *b) {
    const abut_world_contact *contacts;
    int32_t count, between = 0;
    if (abut_world_contacts(world, &contacts, &count) != ABUT_OK) {
        return NAN;
    }
    for (int32_t i = 0; i < count; i++) {
        between += contacts[i].contact.feature_b.kind == ABUT_FEATURE_SMOOTH;
    }
    return 2.0 * between / b->count;
}

static bool run(abut_world *world, const bed *b, const effort *e, measurement *m) {
    abut_step_report report;
    if (!step(world, b, e->warm_up, &report, m)) {
        return false;
    }
    m->lists = 0;
    for (int32_t i = 0; i < e->blocks && m->times < MEASURE_TIMES; i++) {
        double processor = clock_processor_seconds(), wall = clock_seconds(), each = 1e6 / ((double)e->steps * b->count);
        if (!step(world, b, e->steps, &report, m)) {
            return false;
        }
        m->processor[m->times] = (clock_processor_seconds() - processor) * each;
        m->wall[m->times++] = (clock_seconds() - wall) * each;
    }
    double mass = bed_density * 4.0 / 3.0 * 3.14159265 * pow(bed_radius, 3.0);
    m->kinetic = report.kinetic_energy / (b->count * mass * bed_gravity * bed_radius);
    m->neighbours = find_neighbours(world, b);
    m->hash = abut_world_hash(world);
    return true;
}

bool measure_abut(const bed *b, const effort *e, int32_t threads, measurement *m) {
    m->name = "abut";
    m->threads = threads;
    m->bodies = b->count;
    m->steps = e->steps;
    counting_begin();
    abut_world *world = bed_world(b, threads);
    bool fine = world != NULL && run(world, b, e, m);
    m->memory = (double)counting_held() / b->count;
    abut_world_destroy(world);
    counting_end();
    return fine;
}

/* ---- figures ---- */

static double median_of(const double *times, int32_t count) {
    double copy[MEASURE_TIMES];
    memcpy(copy, times, (size_t)count * sizeof *copy);
    return statistics_of(copy, (size_t)count).median;
}

double measurement_rate(const measurement *m) { return 1.0 / median_of(m->processor, m->times); }

double measurement_wall_rate(const measurement *m) { return 1.0 / median_of(m->wall, m->times); }

double measurement_growth(const measurement *small, const measurement *large) {
    double each = median_of(large->processor, large->times) / median_of(small->processor, small->times);
    return 1.0 + log(each) / log((double)large->bodies / small->bodies);
}
