#include "facet/pairs.h"

#include <stdlib.h>
#include <string.h>

#include <abut/facet.h>
#include <abut/pressure.h>

#include "facet/inputs.h"
#include "narrow/facet/screen.h"
#include "support/statistics.h"

enum { PAIRS = 4096, ROUNDS = 31, SETS = 5, MOST_WAYS = 12, LEVELS = INSTRUCTION_SETS };

static const char *const set_names[SETS] = {"mix", "in contact", "beside", "apart", "turned"};
static const char *const level_names[LEVELS] = {"scalar", "SSE2", "AVX2", "AVX-512"};

/* One way to process the pairs of a set. */
typedef struct way {
    char name[40];
    int32_t threads; /* 0: one call per pair */
    instruction_set level;
    double times[SETS][ROUNDS]; /* nanoseconds per pair */
    statistics time[SETS];
    bool same; /* same answers as single calls */
} way;

typedef struct bench {
    abut_facet a[SETS][PAIRS], b[SETS][PAIRS];
    abut_facet_contact single[PAIRS], batch[PAIRS];
    way ways[MOST_WAYS];
    int count;
    double pressure[ROUNDS], sum;
    int32_t pressed;
} bench;

static void fill(bench *s) {
    random_state random = random_make(1);
    inputs_mix(&random, PAIRS, s->a[0], s->b[0]);
    inputs_fill(&random, ABUT_FACET_CONTACT, PAIRS, s->a[1], s->b[1]);
    inputs_fill(&random, ABUT_FACET_BESIDE, PAIRS, s->a[2], s->b[2]);
    inputs_fill(&random, ABUT_FACET_APART, PAIRS, s->a[3], s->b[3]);
    inputs_fill(&random, ABUT_FACET_TURNED, PAIRS, s->a[4], s->b[4]);
    s->ways[s->count++] = (way){.name = "single", .same = true};
    for (int level = 0; level < LEVELS; level++) {
        for (int32_t threads = 1; threads <= 2 && instruction_set_is_here((instruction_set)level); threads++) {
            way *w = &s->ways[s->count++];
            *w = (way){.threads = threads, .level = (instruction_set)level, .same = true};
            (void)snprintf(w->name, sizeof w->name, "batch, %s, %s", level_names[level], threads == 1 ? "1 thread" : "2 threads");
        }
    }
}

static void run_single(bench *s, int set) {
    for (int32_t i = 0; i < PAIRS; i++) {
        s->single[i].status = abut_facet_collide(&s->a[set][i], &s->b[set][i], &s->single[i]);
    }
}

/* Processor time, which other programs do not affect. With several threads, wall time. */
static double time_way(bench *s, const way *w, int set) {
    double start = w->threads > 1 ? clock_seconds() : clock_processor_seconds();
    if (w->threads == 0) {
        run_single(s, set);
    } else {
        abut_parallel parallel = {.threads = w->threads};
        (void)abut_facet_collide_batch(s->a[set], s->b[set], PAIRS, &parallel, s->batch);
    }
    return ((w->threads > 1 ? clock_seconds() : clock_processor_seconds()) - start) / PAIRS * 1e9;
}

/* Ways with one thread, or with several. They are separate because, after a parallel loop, the other threads look for work for some
 * microseconds, which counts as this process's time. */
static void run_rounds(bench *s, bool several) {
    for (int set = 0; set < SETS; set++) {
        run_single(s, set);
        for (int round = -1; round < ROUNDS; round++) {
            for (int k = 0; k < s->count; k++) {
                way *w = &s->ways[k];
                if ((w->threads > 1) != several) {
                    continue;
                }
                (void)facet_screen_use(w->level);
                double time = time_way(s, w, set);
                if (round >= 0) {
                    w->times[set][round] = time;
                }
                w->same = w->same && (w->threads == 0 || memcmp(s->single, s->batch, sizeof s->single) == 0);
            }
        }
    }
    (void)facet_screen_use(instruction_set_best());
}

/* ---- pressure ---- */

static abut_pressure_law law_of(void) {
    const abut_material material = {1e7, 0.3};
    abut_pressure_law law;
    (void)abut_pressure_law_make(&material, &material, &law);
    (void)abut_pressure_damping(0.5, false, &law.damping);
    law.friction = 0.5;
    return law;
}

/* One contact alone, with damping and friction; writes its memory. */
static void run_pressure(bench *s) {
    const abut_pressure_law law = law_of();
    const abut_pressure_body bodies[2] = {{.motion.linear = {0.1, 0.2, 0.3}, .inverse_mass = 1.0},
                                          {.centre = {1, 2, 3}, .inverse_mass = 1.0}};
    const abut_pressure_id id = {0, 0, 0, 0};
    run_single(s, 1);
    for (int round = -1; round < ROUNDS; round++) {
        double start = clock_processor_seconds();
        for (int32_t i = 0; i < PAIRS; i++) {
            abut_pressure_memory memory;
            abut_pressure_history after = {&memory, 0, 1};
            abut_pressure_result result;
            if (abut_pressure_pair(&s->single[i], &id, 1, &law, bodies, 1e-5, NULL, &after, &result) == ABUT_OK) {
                s->sum += result.force.x;
                s->pressed += round < 0;
            }
        }
        if (round >= 0) {
            s->pressure[round] = (clock_processor_seconds() - start) / PAIRS * 1e9;
        }
    }
}

/* ---- report ---- */

/* The speed-up over one thread at the same level, from the least disturbed tenth of the rounds. */
static double gain(const bench *s, const way *w) {
    for (int k = 0; k < s->count; k++) {
        const way *one = &s->ways[k];
        if (w->threads == 2 && one->threads == 1 && one->level == w->level) {
            return one->time[0].p10 / w->time[0].p10;
        }
    }
    return 1.0;
}

static bool put_ways(FILE *json, bench *s) {
    bool right = true;
    printf("rounded triangles: nanoseconds for a pair, medians of %d rounds over %d pairs; million pairs in a second of the mix\n\n  %-28s",
           ROUNDS, PAIRS, "");
    for (int set = 0; set < SETS; set++) {
        printf(" %10s", set_names[set]);
    }
    printf(" %10s %8s %8s\n", "million/s", "threads", "bits");
    fprintf(json, "\"pairs\": {\"pairs\": %d, \"rounds\": %d, \"ways\": [", PAIRS, ROUNDS);
    for (int k = 0; k < s->count; k++) {
        way *w = &s->ways[k];
        right = right && w->same;
        printf("  %-28s", w->name);
        fprintf(json, "%s\n  {\"way\": \"%s\", \"same\": %s, \"ns\": [", k > 0 ? "," : "", w->name, w->same ? "true" : "false");
        for (int set = 0; set < SETS; set++) {
            w->time[set] = statistics_of(w->times[set], ROUNDS);
            printf(" %10.1f", w->time[set].median);
            fprintf(json, "%s{\"set\": \"%s\", \"median\": %.2f, \"p10\": %.2f, \"p90\": %.2f}", set > 0 ? ", " : "", set_names[set],
                    w->time[set].median, w->time[set].p10, w->time[set].p90);
        }
        printf(" %10.2f %8.2f %8s\n", 1e3 / w->time[0].median, gain(s, w), w->same ? "same" : "OTHERS");
        fprintf(json, "], \"million_per_second\": %.4f, \"threads\": %d, \"gain\": %.4f}", 1e3 / w->time[0].median, (int)w->threads,
                gain(s, w));
    }
    fprintf(json, "]},\n");
    return right;
}

bool pairs_run(FILE *json) {
    bench *s = calloc(1, sizeof *s);
    if (s == NULL) {
        fprintf(stderr, "bench_facet: no memory\n");
        return false;
    }
    fill(s);
    run_rounds(s, false);
    run_pressure(s);
    run_rounds(s, true);
    bool right = put_ways(json, s) && s->pressed == PAIRS && s->sum == s->sum;
    statistics pressure = statistics_of(s->pressure, ROUNDS);
    printf("\n  pressure of one contact alone, with damping and friction: %.0f ns (80 %% of rounds %.0f to %.0f)\n\n", pressure.median,
           pressure.p10, pressure.p90);
    fprintf(json, "\"pressure\": {\"ns\": %.2f, \"p10\": %.2f, \"p90\": %.2f}", pressure.median, pressure.p10, pressure.p90);
    free(s);
    return right;
}
