#include "dem/measure.h"

#include <math.h>
#include <stdio.h>

#include "support/counting.h"
#include "support/granular.h"

static bool step(abut_world *world, const bed *b, int32_t steps, granular_progress *made) {
    bool fine = granular_run(world, b->step, steps, made) == ABUT_OK;
    if (!fine) {
        fprintf(stderr, "dem: a step of abut's world failed\n");
    }
    return fine;
}

/* Counts contacts of the last step, without those at walls. */
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
    granular_progress warm_up = {.lists = 0}, timed = {.lists = 0};
    if (!step(world, b, e->warm_up, &warm_up)) {
        return false;
    }
    for (int32_t i = 0; i < e->blocks && m->times.count < BLOCK_TIMES; i++) {
        block_start start = block_begin();
        if (!step(world, b, e->steps, &timed)) {
            return false;
        }
        block_end(&m->times, &start, e->steps, b->count);
    }
    m->lists = timed.lists;
    m->kinetic = granular_in_weights(timed.last.kinetic_energy, b->count);
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

/* ---- statistics ---- */

double measurement_rate(const measurement *m) { return 1.0 / block_processor(&m->times); }

double measurement_wall_rate(const measurement *m) { return 1.0 / block_wall(&m->times); }

double measurement_growth(const measurement *small, const measurement *large) {
    double each = block_processor(&large->times) / block_processor(&small->times);
    return 1.0 + log(each) / log((double)large->bodies / small->bodies);
}
