/* Times and answers of every engine on one set of questions. See measure.h. */
#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core.h"
#include "support/check.h"

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A quantile: interpolates linearly between the two nearest values. */
static double quantile(const double *sorted, int32_t count, double share) {
    double place = share * (count - 1);
    int32_t below = (int32_t)place, above = below + 1 < count ? below + 1 : below;
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
}

static double *sort_copy(const double *values, int32_t count) {
    double *sorted = check_memory((size_t)count, sizeof *sorted);
    memcpy(sorted, values, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, compare);
    return sorted;
}

static void summarise(measurement *m, int32_t rounds) {
    double *sorted = sort_copy(m->rounds, rounds);
    m->median = quantile(sorted, rounds, 0.5);
    m->p10 = quantile(sorted, rounds, 0.1);
    m->p90 = quantile(sorted, rounds, 0.9);
    free(sorted);
}

double measure_ratio(const measurement *of, const measurement *to, int32_t rounds) {
    double *ratios = check_memory((size_t)rounds, sizeof *ratios);
    for (int32_t i = 0; i < rounds; i++) {
        ratios[i] = of->rounds[i] / to->rounds[i];
    }
    qsort(ratios, (size_t)rounds, sizeof *ratios, compare);
    double median = quantile(ratios, rounds, 0.5);
    free(ratios);
    return median;
}

static void judge(measurement *m, const input_set *set, double truth, double said, int32_t points) {
    bool wanted = inputs_ask_distance(set) || truth < 0.0;
    bool given = inputs_ask_distance(set) ? points > 0 && said > 0.0 : points > 0;
    if (!given) {
        m->missed += wanted || points < 0;
    } else if (!wanted) {
        m->unfounded++;
    } else {
        double error = fabs(said - truth) / fabs(truth);
        m->wrong += !(error <= 0.01);
        m->worst = error > m->worst ? error : m->worst;
    }
}

/* Asks all questions once, untimed: collects the answers and warms up. */
static void ask_and_judge(measurement *m, void *state, const input_set *set) {
    int32_t questions = inputs_questions(set);
    for (int32_t i = 0; i < questions; i++) {
        int32_t points = m->of->ask(state, i, i % set->pairs);
        judge(m, set, set->questions[i].separation, points > 0 ? m->of->separation(state, points) : 0.0, points);
        m->points += points > 0 ? (double)points / questions : 0.0;
    }
}

/* Nanoseconds per question. */
static double ask_all(const engine *e, void *state, const input_set *set) {
    if (e->time != NULL) {
        return e->time(state);
    }
    int64_t start = core_time();
    int32_t index = 0;
    for (int32_t step = 0; step < set->steps; step++) {
        for (int32_t pair = 0; pair < set->pairs; pair++) {
            e->ask(state, index++, pair);
        }
    }
    return (double)(core_time() - start) / index;
}

static void rewind_engine(const engine *e, void *state) {
    if (e->rewind != NULL) {
        e->rewind(state);
    }
}

/* Asks all questions once untimed before, so that cache contents of other engines do not count, but those of the engine itself do. */
static double time_all(const engine *e, void *state, const input_set *set) {
    rewind_engine(e, state);
    (void)ask_all(e, state, set);
    rewind_engine(e, state);
    return ask_all(e, state, set);
}

measured_set measure_set(const input_set *set, const char *name, int32_t rounds) {
    measured_set measured = {name, set->shapes, set->pairs, set->steps, 0, NULL};
    void **states = check_memory((size_t)engines_count(), sizeof *states);
    measured.engines = check_memory((size_t)engines_count(), sizeof *measured.engines);
    for (int32_t i = 0; i < engines_count(); i++) {
        const engine *e = engines_get(i);
        if (e->takes(set)) {
            measurement *m = &measured.engines[measured.count];
            m->of = e;
            m->rounds = check_memory((size_t)rounds, sizeof *m->rounds);
            states[measured.count++] = e->prepare(set);
            ask_and_judge(m, states[measured.count - 1], set);
        }
    }
    for (int32_t round = 0; round < rounds; round++) {
        for (int32_t i = 0; i < measured.count; i++) {
            measurement *m = &measured.engines[i];
            m->rounds[round] = time_all(m->of, states[i], set);
        }
    }
    for (int32_t i = 0; i < measured.count; i++) {
        summarise(&measured.engines[i], rounds);
        measured.engines[i].of->release(states[i]);
    }
    free(states);
    return measured;
}

void measure_free(measured_set *set) {
    for (int32_t i = 0; i < set->count; i++) {
        free(set->engines[i].rounds);
    }
    free(set->engines);
}

const measurement *measure_find(const measured_set *set, const char *engine) {
    for (int32_t i = 0; i < set->count; i++) {
        if (strcmp(set->engines[i].of->name, engine) == 0) {
            return &set->engines[i];
        }
    }
    return NULL;
}
