#include "world/measure.h"

#include <stdio.h>
#include <stdlib.h>

static const double dt = 1.0 / 60.0;

static bool run(void *instance, const engine *by, int32_t steps, double *times, double *contacts, measurement *found) {
    double total = 0.0;
    for (int32_t i = 0; i < steps; i++) {
        engine_step done;
        if (!by->step(instance, dt, &done)) {
            return false;
        }
        times[i] = 1e3 * done.seconds;
        contacts[i] = done.contacts;
        total += done.seconds;
        found->broad += done.broad;
        found->narrow += done.narrow;
        found->solve += done.solve;
    }
    found->broad /= total;
    found->narrow /= total;
    found->solve /= total;
    found->milliseconds = statistics_of(times, (size_t)steps);
    found->contacts = statistics_of(contacts, (size_t)steps).median;
    return true;
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

bool measure(const scene *of, const engine *by, int32_t threads, int32_t steps, measurement *found) {
    *found = (measurement){.kind = of->kind, .by = by, .threads = threads, .bodies = of->body_count, .steps = steps};
    double *values = calloc(2 * (size_t)steps, sizeof *values);
    void *instance = values != NULL ? by->create(of, threads) : NULL;
    bool fine = instance != NULL && run(instance, by, steps, values, values + steps, found) && judge(instance, by, of, found);
    if (instance != NULL) {
        by->destroy(instance);
    }
    free(values);
    if (!fine) {
        fprintf(stderr, "world: %s could not run the scene %s of %d bodies\n", by->name, scene_name(of->kind), (int)of->body_count);
    }
    return fine;
}

double growth_exponent(const measurement *small, const measurement *large) {
    return log(large->milliseconds.mean / small->milliseconds.mean) / log((double)large->bodies / (double)small->bodies);
}
