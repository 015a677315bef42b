#include "world/measure.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double dt = 1.0 / 60.0;

/* Data of every step. */
typedef struct record {
    double milliseconds, processor, contacts;
} record;

static bool run(void *instance, const engine *by, int32_t steps, record *records, measurement *found) {
    double total = 0.0;
    for (int32_t i = 0; i < steps; i++) {
        engine_step done;
        double begin = clock_processor_seconds();
        if (!by->step(instance, dt, &done)) {
            return false;
        }
        records[i] = (record){1e3 * done.seconds, 1e3 * (clock_processor_seconds() - begin), done.contacts};
        total += done.seconds;
        found->broad += done.broad;
        found->narrow += done.narrow;
        found->solve += done.solve;
    }
    found->broad /= total;
    found->narrow /= total;
    found->solve /= total;
    return true;
}

/* The statistics of one number of the records. */
static statistics summary(const record *records, int32_t steps, size_t offset, double *scratch) {
    for (int32_t i = 0; i < steps; i++) {
        memcpy(&scratch[i], (const char *)&records[i] + offset, sizeof *scratch);
    }
    return statistics_of(scratch, (size_t)steps);
}

static void summarise(const record *records, int32_t steps, double *scratch, measurement *found) {
    found->milliseconds = summary(records, steps, offsetof(record, milliseconds), scratch);
    found->processor = summary(records, steps, offsetof(record, processor), scratch);
    found->contacts = summary(records, steps, offsetof(record, contacts), scratch).median;
}

static bool judge(const void *instance, const engine *by, const scene *of, measurement *found) {
    engine_body *bodies = calloc((size_t)of->body_count, sizeof *bodies);
    if (bodies == NULL) {
        return false;
    }
    by->bodies(instance, bodies);
    bool fine = quality_of(of, bodies, &found->end);
    free(bodies);
    found->hashed = by->hash != NULL;
    found->hash = found->hashed ? by->hash(instance) : 0;
    return fine;
}

bool measure(const scene *of, const engine *by, engine_effort effort, int32_t threads, int32_t steps, measurement *found) {
    *found = (measurement){.kind = of->kind, .by = by, .threads = threads, .bodies = of->body_count, .steps = steps};
    found->effort.substeps = effort.substeps > 0 ? effort.substeps : by->effort.substeps;
    found->effort.iterations = effort.iterations > 0 ? effort.iterations : by->effort.iterations;
    record *records = calloc((size_t)steps, sizeof *records);
    double *scratch = calloc((size_t)steps, sizeof *scratch);
    void *instance = records != NULL && scratch != NULL ? by->create(of, found->effort, threads) : NULL;
    bool fine = instance != NULL && run(instance, by, steps, records, found) && judge(instance, by, of, found);
    if (fine) {
        summarise(records, steps, scratch, found);
    }
    if (instance != NULL) {
        by->destroy(instance);
    }
    free(scratch);
    free(records);
    if (!fine) {
        fprintf(stderr, "world: %s could not run the scene %s of %d bodies\n", by->name, scene_name(of->kind), (int)of->body_count);
    }
    return fine;
}

double growth_exponent(const measurement *small, const measurement *large) {
    return log(large->processor.mean / small->processor.mean) / log((double)large->bodies / (double)small->bodies);
}
