/* bench_lcp: linear complementarity problems of contacts, for abut, Bullet and Siconos on the same problems in the same run: times and
 * wrong answers. The referee of the tests checks every answer. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "support/json_file.h"
#include "support/statistics.h"

enum { MOST_ENGINES = 16, MOST_TIMES = 501, SAMPLES = 1000 };

/* Time limit per engine and problem, in seconds. */
static const double patience = 0.4;

/* Above this time, in microseconds, we use processor time, which other programs do not affect. Below it, reading that clock takes too long. */
static const double interrupted = 100.0;

/* A residual up to the first number is a solution, up to the second an inexact one, above it none. */
static const double exact = 1e-9, inexact = 1e-6;

static const lcp_engine *engines[MOST_ENGINES];
static int engine_count;

static void add_engines(const lcp_engine *list) {
    for (; list->name != NULL && engine_count < MOST_ENGINES; list++) {
        engines[engine_count++] = list;
    }
}

/* A goal: an upper bound of the time of the engine with this tag, or a factor by which it is faster than the engine with the tag "cold". */
typedef struct goal {
    const char *set, *tag;
    double microseconds, times;
} goal;

static const goal goals[] = {
    {"36 contacts, pyramid", "cold", 10.0, 0.0},   {"40 contacts, tower", "cold", 10.0, 0.0},
    {"196 contacts, pyramid", "cold", 700.0, 0.0}, {"200 contacts, tower", "cold", 700.0, 0.0},
    {"484 contacts, pyramid", "cold", 13e3, 0.0},  {"500 contacts, tower", "cold", 13e3, 0.0},
    {"200 contacts, balls", "matrix", 200.0, 0.0}, {"36 contacts, pyramid", "warm", 0.0, 10.0},
    {"196 contacts, pyramid", "warm", 0.0, 10.0},  {"484 contacts, pyramid", "warm", 0.0, 10.0},
    {"500 contacts, tower", "warm", 0.0, 10.0},
};
enum { GOALS = sizeof goals / sizeof *goals };
static double goal_time[GOALS], goal_cold[GOALS]; /* medians in microseconds */

static void note_goals(const char *set, const char *tag, double median) {
    for (int g = 0; g < GOALS && tag != NULL; g++) {
        if (strcmp(goals[g].set, set) == 0) {
            goal_time[g] = strcmp(goals[g].tag, tag) == 0 ? median : goal_time[g];
            goal_cold[g] = strcmp(tag, "cold") == 0 ? median : goal_cold[g];
        }
    }
}

static const char *verdict_of(bool claimed, double residual) {
    return !claimed ? "says that it failed" : residual <= exact ? "" : residual <= inexact ? "inexact" : "wrong, and says nothing";
}

static double residual_of(const lcp_engine *engine, void *state, const lcp_case *problem) {
    lcp_case asked = *problem;
    const double *q, *z = engine->solution(state, &q);
    double least, *copy = malloc((size_t)problem->n * sizeof *copy);
    if (copy == NULL) {
        return INFINITY;
    }
    memcpy(copy, q, (size_t)problem->n * sizeof *copy);
    asked.q = copy;
    double residual = lcp_case_residual(&asked, z, &least);
    free(copy);
    return residual;
}

/* Microseconds per solve, repeated until there are enough samples or the time limit is reached. Returns the number of samples. */
static size_t time_engine(const lcp_engine *engine, void *state, double *times, bool *claimed) {
    double end = clock_seconds() + patience;
    size_t count = 0;
    for (int untimed = 0; count < MOST_TIMES && (count < 3 || clock_seconds() < end); untimed++) {
        if (engine->before != NULL) {
            engine->before(state);
        }
        double used = clock_processor_seconds(), begin = clock_seconds();
        *claimed = engine->solve(state);
        double passed = 1e6 * (clock_seconds() - begin);
        used = 1e6 * (clock_processor_seconds() - used);
        if (untimed > 0) {
            times[count++] = passed > interrupted ? used : passed;
        }
    }
    return count;
}

static void measure_set(FILE *json, const char *name, lcp_case problem, bool *first) {
    static double times[MOST_TIMES];
    printf("\n%-34s %10s %10s %10s %10s\n", name, "us", "10 %", "90 %", "residual");
    fprintf(json, "%s\n  {\"set\": \"%s\", \"rows\": %d, \"engines\": [", *first ? "" : ",", name, (int)problem.n);
    *first = false;
    for (int e = 0, shown = 0; e < engine_count; e++) {
        void *state = problem.n <= engines[e]->largest ? engines[e]->prepare(&problem) : NULL;
        if (state == NULL) {
            continue;
        }
        bool claimed = false;
        statistics s = statistics_of(times, time_engine(engines[e], state, times, &claimed));
        double residual = residual_of(engines[e], state, &problem);
        note_goals(name, engines[e]->goal, s.median);
        printf("  %-32s %10.2f %10.2f %10.2f %10.1e  %s\n", engines[e]->name, s.median, s.p10, s.p90, residual,
               verdict_of(claimed, residual));
        fprintf(json, "%s\n    {\"engine\": \"%s\", \"us\": %.3f, \"p10\": %.3f, \"p90\": %.3f, \"residual\": %.3e, \"claimed\": %s}",
                shown++ > 0 ? "," : "", engines[e]->name, s.median, s.p10, s.p90, isfinite(residual) ? residual : 1e300,
                claimed ? "true" : "false");
        engines[e]->release(state);
    }
    fprintf(json, "]}");
    lcp_case_release(&problem);
}

static void measure_sets(FILE *json) {
    bool first = true;
    random_state random = random_make(1);
    static const int32_t balls[] = {10, 40, 200}, cubes[] = {10, 50, 125}, widths[] = {3, 5, 7, 11}, sizes[] = {40, 200};
    char name[64];
    for (int i = 0; i < 3; i++) {
        (void)snprintf(name, sizeof name, "%d contacts, balls", (int)balls[i]);
        measure_set(json, name, lcp_case_balls(balls[i]), &first);
    }
    for (int i = 0; i < 4; i++) {
        (void)snprintf(name, sizeof name, "%d contacts, pyramid", (int)(4 * widths[i] * widths[i]));
        measure_set(json, name, lcp_case_pyramid(widths[i]), &first);
    }
    for (int i = 0; i < 3; i++) {
        (void)snprintf(name, sizeof name, "%d contacts, tower", (int)(4 * cubes[i]));
        measure_set(json, name, lcp_case_tower(cubes[i], 0.7), &first);
    }
    for (int i = 0; i < 2; i++) {
        (void)snprintf(name, sizeof name, "%d rows, regular", (int)sizes[i]);
        measure_set(json, name, lcp_case_random(&random, sizes[i], sizes[i] + 10, 0.0), &first);
        (void)snprintf(name, sizeof name, "%d rows, of rank %d", (int)sizes[i], (int)sizes[i] / 2);
        measure_set(json, name, lcp_case_random(&random, sizes[i], sizes[i] / 2, 0.0), &first);
        (void)snprintf(name, sizeof name, "%d contacts, heap", (int)sizes[i]);
        measure_set(json, name, lcp_case_heap(&random, sizes[i] / 4, 4), &first);
    }
}

/* Results of many problems. */
typedef struct count {
    int32_t solved, inexact, given_up, wrong;
} count;

static void count_answer(count *c, bool claimed, double residual) {
    c->given_up += !claimed;
    c->solved += claimed && residual <= exact;
    c->inexact += claimed && residual > exact && residual <= inexact;
    c->wrong += claimed && !(residual <= inexact);
}

static void ask(const lcp_engine *engine, const lcp_case *problem, count *c) {
    void *state = engine->warm ? NULL : engine->prepare(problem);
    if (state == NULL) {
        return;
    }
    if (engine->before != NULL) {
        engine->before(state);
    }
    bool claimed = engine->solve(state);
    count_answer(c, claimed, residual_of(engine, state, problem));
    engine->release(state);
}

/* For random solvable problems of up to 40 rows: how many are solved, given up, or wrongly reported as solved. */
static void count_answers(FILE *json, const char *name, bool contacts) {
    count counts[MOST_ENGINES] = {{0}};
    random_state random = random_make(2);
    for (int i = 0; i < SAMPLES; i++) {
        int32_t n = 2 + random_below(&random, 39);
        int32_t rank = 1 + random_below(&random, n);
        lcp_case problem = contacts ? lcp_case_heap(&random, 1 + n / 4, 4) : lcp_case_random(&random, n, rank, 0.0);
        for (int e = 0; e < engine_count; e++) {
            ask(engines[e], &problem, &counts[e]);
        }
        lcp_case_release(&problem);
    }
    printf("\n%-34s %10s %10s %10s %10s\n", name, "solved", "inexact", "given up", "wrong");
    fprintf(json, "  {\"set\": \"%s\", \"problems\": %d, \"engines\": [", name, SAMPLES);
    for (int e = 0, shown = 0; e < engine_count; e++) {
        const count *c = &counts[e];
        if (c->solved + c->inexact + c->given_up + c->wrong == 0) {
            continue;
        }
        printf("  %-32s %10d %10d %10d %10d\n", engines[e]->name, (int)c->solved, (int)c->inexact, (int)c->given_up, (int)c->wrong);
        fprintf(json, "%s\n    {\"engine\": \"%s\", \"solved\": %d, \"inexact\": %d, \"given_up\": %d, \"wrong\": %d}",
                shown++ > 0 ? "," : "", engines[e]->name, (int)c->solved, (int)c->inexact, (int)c->given_up, (int)c->wrong);
    }
    fprintf(json, "]}");
}

static void judge_goals(FILE *json) {
    printf("\n%-34s %10s %10s\n", "goals", "us", "at most");
    fprintf(json, "],\n \"goals\": [");
    for (int g = 0; g < GOALS; g++) {
        double most = goals[g].times > 0.0 ? goal_cold[g] / goals[g].times : goals[g].microseconds;
        bool pass = goal_time[g] > 0.0 && goal_time[g] <= most;
        char name[80];
        (void)snprintf(name, sizeof name, "%s, %s", goals[g].set, goals[g].tag);
        printf("  %-32s %10.2f %10.2f  %s\n", name, goal_time[g], most, pass ? "pass" : "MISS");
        fprintf(json, "%s\n  {\"goal\": \"%s\", \"us\": %.3f, \"at_most\": %.3f, \"pass\": %s}", g > 0 ? "," : "", name, goal_time[g], most,
                pass ? "true" : "false");
    }
}

static const char usage[] =
    "usage: bench_lcp [--json FILE] [--help]\n\n  --json FILE  write JSON to FILE; tables go to standard output in any case\n";

int main(int count, char **arguments) {
    FILE *json = json_file_open(count, arguments, usage);
    add_engines(lcp_abut);
#ifdef BENCH_WITH_BULLET
    add_engines(lcp_bullet);
#endif
#ifdef BENCH_WITH_SICONOS
    add_engines(lcp_siconos);
#endif
    fprintf(json, "{\"benchmark\": \"lcp\", \"sets\": [");
    measure_sets(json);
    fprintf(json, "],\n \"answers\": [\n");
    count_answers(json, "random, of any rank", false);
    fprintf(json, ",\n");
    count_answers(json, "random heaps", true);
    judge_goals(json);
    fprintf(json, "]}\n");
    if (fclose(json) != 0) {
        perror("bench_lcp: the file cannot be written");
        return 1;
    }
    return 0;
}
