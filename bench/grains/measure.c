#include "grains/measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/counting.h"
#include "support/statistics.h"

/* Steps of the integration in one step of the world, and blocks of a run. */
enum { TOGETHER = 100, BLOCKS = 3 };

static bool step(abut_world *world, const bed *b, int32_t steps, abut_step_report *report, measurement *m) {
    for (int32_t done = 0; done < steps; done += TOGETHER) {
        int32_t now = steps - done < TOGETHER ? steps - done : TOGETHER;
        abut_status status = abut_world_step(world, now * b->step, report);
        if (status != ABUT_OK || report->dem.steps != now) {
            fprintf(stderr, "grains: a step of %d bodies of %d triangles: %s\n", (int)b->count, (int)m->triangles,
                    abut_status_message(status));
            return false;
        }
        m->lists += report->dem.lists;
    }
    return true;
}

static bool is_grain(const abut_world *world, abut_body_id id) {
    abut_body_info info;
    return abut_world_body_info(world, id, &info) == ABUT_OK && info.user == BED_GRAIN;
}

/* Of the contacts of the last step those without a wall: contacts of a pair come one after the other. */
static bool count_contacts(const abut_world *world, const bed *b, measurement *m) {
    const abut_world_contact *contacts;
    int32_t count, pairs = 0, between = 0;
    if (abut_world_contacts(world, &contacts, &count) != ABUT_OK) {
        return false;
    }
    bool grains = false;
    for (int32_t i = 0; i < count; i++) {
        bool same = i > 0 && memcmp(&contacts[i].a, &contacts[i - 1].a, sizeof contacts[i].a) == 0 &&
                    memcmp(&contacts[i].b, &contacts[i - 1].b, sizeof contacts[i].b) == 0;
        grains = same ? grains : is_grain(world, contacts[i].a) && is_grain(world, contacts[i].b);
        between += grains;
        pairs += grains && !same;
    }
    m->neighbours = 2.0 * pairs / b->count;
    m->contacts = (double)between / b->count;
    return true;
}

/* How many steps take so long; at least ten. */
static bool find_effort(abut_world *world, const bed *b, double seconds, measurement *m) {
    abut_step_report report;
    double start = clock_processor_seconds(), took = 0.0;
    int32_t steps = 0;
    while (took < 0.1 * seconds) {
        if (!step(world, b, 5, &report, m)) {
            return false;
        }
        steps += 5;
        took = clock_processor_seconds() - start;
    }
    m->steps = (int32_t)fmax(10.0, seconds * steps / took);
    return true;
}

/* Blocks after a while in which friction's springs come to bear: two hundredths of a second, or a block. */
static bool run(abut_world *world, const bed *b, measurement *m) {
    abut_step_report report;
    int32_t warm_up = (int32_t)(0.02 / b->step);
    int64_t lists = m->lists;
    if (!step(world, b, warm_up < m->steps ? warm_up : m->steps, &report, m)) {
        return false;
    }
    m->lists = lists;
    for (int32_t i = 0; i < BLOCKS && m->times < MEASURE_TIMES; i++) {
        double processor = clock_processor_seconds(), wall = clock_seconds(), each = 1e6 / ((double)m->steps * b->count);
        if (!step(world, b, m->steps, &report, m)) {
            return false;
        }
        m->processor[m->times] = (clock_processor_seconds() - processor) * each;
        m->wall[m->times++] = (clock_seconds() - wall) * each;
    }
    double mass = bed_density * 4.0 / 3.0 * 3.14159265 * pow(bed_radius, 3.0);
    m->kinetic = report.kinetic_energy / (b->count * mass * bed_gravity * bed_radius);
    m->hash = abut_world_hash(world);
    return count_contacts(world, b, m);
}

static bool measure_effort(const bed *b, const bed_look *look, double seconds, measurement *m) {
    abut_world *world = bed_world(b, look);
    bool fine = world != NULL && find_effort(world, b, seconds, m);
    m->lists = 0;
    abut_world_destroy(world);
    return fine;
}

bool measure_abut(const bed *b, const bed_look *look, double seconds, measurement *m) {
    m->program = "abut";
    m->bodies_are = look->level == BED_SPHERES ? "spheres" : b->kind == GRAIN_BALL ? "balls" : "pebbles";
    m->bodies = b->count;
    m->triangles = look->level == BED_SPHERES ? 0 : 20 << (2 * look->level);
    m->threads = look->threads;
    m->own = look->own;
    if (m->steps == 0 && !measure_effort(b, look, seconds, m)) {
        return false;
    }
    counting_begin();
    abut_world *world = bed_world(b, look);
    bool fine = world != NULL && run(world, b, m);
    m->memory = (double)counting_held() / b->count;
    abut_world_destroy(world);
    counting_end();
    return fine;
}

static double median_of(const double *times, int32_t count) {
    double copy[MEASURE_TIMES];
    memcpy(copy, times, (size_t)count * sizeof *copy);
    return statistics_of(copy, (size_t)count).median;
}

double measurement_rate(const measurement *m) { return 1e6 / median_of(m->processor, m->times); }

double measurement_wall_rate(const measurement *m) { return 1e6 / median_of(m->wall, m->times); }
