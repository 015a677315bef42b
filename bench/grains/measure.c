#include "grains/measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/counting.h"
#include "support/granular.h"
#include "support/statistics.h"

/* Number of blocks of a run. */
enum { BLOCKS = 3 };

static bool step(abut_world *world, const bed *b, int32_t steps, granular_progress *made, const measurement *m) {
    abut_status status = granular_run(world, b->step, steps, made);
    if (status != ABUT_OK) {
        fprintf(stderr, "grains: a step of %d bodies of %d triangles: %s\n", (int)b->count, (int)m->triangles, abut_status_message(status));
    }
    return status == ABUT_OK;
}

static bool is_grain(const abut_world *world, abut_body_id id) {
    abut_body_info info;
    return abut_world_body_info(world, id, &info) == ABUT_OK && info.user == BED_GRAIN;
}

/* Counts contacts of the last step, without those at walls. Contacts of a pair are consecutive. */
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

/* The number of steps that take this time; at least ten. */
static bool find_effort(abut_world *world, const bed *b, double seconds, measurement *m) {
    granular_progress made = {.lists = 0};
    double start = clock_processor_seconds(), took = 0.0;
    int32_t steps = 0;
    while (took < 0.1 * seconds) {
        if (!step(world, b, 5, &made, m)) {
            return false;
        }
        steps += 5;
        took = clock_processor_seconds() - start;
    }
    m->steps = (int32_t)fmax(10.0, seconds * steps / took);
    return true;
}

/* Timed blocks after a warm-up that loads friction springs: 0.02 s, or one block if that is shorter. */
static bool run(abut_world *world, const bed *b, measurement *m) {
    granular_progress before = {.lists = 0}, timed = {.lists = 0};
    int32_t warm_up = (int32_t)(0.02 / b->step);
    if (!step(world, b, warm_up < m->steps ? warm_up : m->steps, &before, m)) {
        return false;
    }
    for (int32_t i = 0; i < BLOCKS && m->times.count < BLOCK_TIMES; i++) {
        block_start start = block_begin();
        if (!step(world, b, m->steps, &timed, m)) {
            return false;
        }
        block_end(&m->times, &start, m->steps, b->count);
    }
    m->lists += timed.lists;
    m->kinetic = granular_in_weights(timed.last.kinetic_energy, b->count);
    m->hash = abut_world_hash(world);
    return count_contacts(world, b, m);
}

static bool measure_effort(const bed *b, const bed_look *look, double seconds, measurement *m) {
    abut_world *world = bed_world(b, look);
    bool fine = world != NULL && find_effort(world, b, seconds, m);
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

double measurement_rate(const measurement *m) { return 1e6 / block_processor(&m->times); }

double measurement_wall_rate(const measurement *m) { return 1e6 / block_wall(&m->times); }
