#include "depth/speed.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "depth/inputs.h"
#include "support/depth_problem.h"
#include "support/statistics.h"
#include "tetra/kernel.h"

enum { PAIRS = 1000, BATCH = 4000, ROUNDS = 61, MOST_ENGINES = 40 };

/* The task of an engine for every pair. */
typedef enum task { TASK_DEPTH, TASK_RIGID, TASK_GRADIENT, TASK_ALONG, TASK_PROGRAM, TASK_BATCH } task;

typedef struct engine {
    char name[48];
    task what;
    abut_depth_settings settings;
    const qp_problem *problems; /* of TASK_PROGRAM */
    int level, threads;         /* of TASK_BATCH */
    double times[ROUNDS];       /* microseconds per pair */
    statistics time;
    double worst; /* largest relative error of depth^2 against the solver's, or 1 for a failure */
} engine;

typedef struct bench {
    abut_simplex a[BATCH], b[BATCH];
    abut_vec3 normal[PAIRS];                  /* normal of one of the 44 directions, different for every pair */
    abut_depth least[PAIRS], depth[BATCH];    /* least: in the default mode */
    qp_problem one_static[PAIRS], one[PAIRS]; /* along `normal`, with the paper's equalities */
    engine engines[MOST_ENGINES];
    int count;
    double sum; /* keeps the compiler from removing unused work */
} bench;

static const char *const level_names[] = {"scalar", "SSE2", "AVX2", "AVX-512"};

/* Milliseconds in the paper, on a Ryzen 1700X with Gurobi. */
static const double paper_static = 32.26, paper_exact = 46.29, paper_accelerated = 1.07;

static abut_depth_settings settings_of(abut_depth_mode mode, bool is_static) {
    abut_depth_settings settings = abut_depth_settings_default();
    settings.mode = mode;
    settings.weight_a = is_static ? INFINITY : 1.0;
    return settings;
}

static engine *add(bench *s, const char *name, task what, abut_depth_settings settings) {
    engine *e = &s->engines[s->count++];
    *e = (engine){.what = what, .settings = settings};
    (void)snprintf(e->name, sizeof e->name, "%s", name);
    return e;
}

static void add_engines(bench *s) {
    abut_depth_settings plain = abut_depth_settings_default(), fixed = settings_of(ABUT_DEPTH_EXACT44, true);
    add(s, "static/def", TASK_DEPTH, fixed);
    add(s, "static/def, as printed", TASK_DEPTH, settings_of(ABUT_DEPTH_PAPER, true));
    add(s, "static/def, free", TASK_DEPTH, settings_of(ABUT_DEPTH_FREE, true));
    add(s, "def/def", TASK_DEPTH, plain);
    add(s, "def/def, as printed", TASK_DEPTH, settings_of(ABUT_DEPTH_PAPER, false));
    add(s, "def/def, accelerated", TASK_DEPTH, settings_of(ABUT_DEPTH_ACCELERATED, false));
    add(s, "def/def, best 6", TASK_DEPTH, settings_of(ABUT_DEPTH_BEST_K, false));
    add(s, "def/def, free local", TASK_DEPTH, settings_of(ABUT_DEPTH_FREE_LOCAL, false));
    add(s, "def/def, free", TASK_DEPTH, settings_of(ABUT_DEPTH_FREE, false));
    add(s, "rigid depth", TASK_RIGID, plain);
    add(s, "gradient", TASK_GRADIENT, plain);
    add(s, "one direction, static/def", TASK_ALONG, fixed);
    add(s, "one direction, def/def", TASK_ALONG, plain);
    add(s, "one quadratic program, static/def", TASK_PROGRAM, fixed)->problems = s->one_static;
    add(s, "one quadratic program, def/def", TASK_PROGRAM, plain)->problems = s->one;
    for (int level = 0; level < INSTRUCTION_SETS; level++) {
        for (int threads = 1; threads <= 2 && instruction_set_is_here((instruction_set)level); threads++) {
            char name[48];
            (void)snprintf(name, sizeof name, "batch, %s, %s", level_names[level], threads == 1 ? "1 thread" : "2 threads");
            engine *e = add(s, name, TASK_BATCH, plain);
            e->level = level;
            e->threads = threads;
        }
    }
}

/* One of the 44 directions that is feasible with A static as well. */
static void choose_direction(bench *s, int32_t i) {
    depth_direction directions[DEPTH_DIRECTIONS];
    depth_pair both = {s->a[i], s->b[i], 1.0, 1.0}, one = {s->a[i], s->b[i], INFINITY, 1.0};
    int32_t count = depth_directions(&s->a[i], &s->b[i], directions), at = i % count;
    while (directions[at].both_ways) {
        at = (at + 1) % count;
    }
    const depth_direction *d = &directions[at];
    s->normal[i] = d->normal;
    depth_problem_on_plane(&both, d->normal, d->set_a, d->set_b, &s->one[i]);
    depth_problem_on_plane(&one, d->normal, d->set_a, d->set_b, &s->one_static[i]);
}

static void fill(bench *s) {
    inputs in = inputs_make(2);
    inputs_next(&in, BATCH, s->a, s->b);
    for (int32_t i = 0; i < PAIRS; i++) {
        (void)abut_simplex_depth(&s->a[i], &s->b[i], NULL, &s->least[i]);
        choose_direction(s, i);
    }
}

static void run_pair(bench *s, const engine *e, int32_t i) {
    abut_rigid_depth rigid;
    abut_vec3 gradient_a[4], gradient_b[4];
    qp_solution solution;
    switch (e->what) {
    case TASK_DEPTH:
        (void)abut_simplex_depth(&s->a[i], &s->b[i], &e->settings, &s->depth[i]);
        break;
    case TASK_RIGID:
        (void)abut_simplex_rigid_depth(&s->a[i], &s->b[i], &rigid);
        s->sum += -rigid.gap;
        break;
    case TASK_GRADIENT:
        (void)abut_depth_gradient(&s->a[i], &s->b[i], &e->settings, &s->least[i], gradient_a, gradient_b);
        s->sum += gradient_a[0].x + gradient_b[0].x;
        break;
    case TASK_ALONG:
        (void)abut_simplex_depth_along(&s->a[i], &s->b[i], s->normal[i], &e->settings, &s->depth[i]);
        break;
    case TASK_PROGRAM:
        qp_solve(&e->problems[i], &solution);
        s->sum += solution.value;
        break;
    case TASK_BATCH:
        break;
    }
}

/* Microseconds per pair: processor time, which other programs do not affect. With several threads, wall time. */
static double time_engine(bench *s, const engine *e) {
    if (e->what == TASK_BATCH) {
        abut_parallel parallel = {.threads = e->threads};
        (void)kernel_use((instruction_set)e->level);
        double start = e->threads > 1 ? clock_seconds() : clock_processor_seconds();
        (void)abut_simplex_depth_batch(s->a, s->b, BATCH, &e->settings, &parallel, s->depth);
        return ((e->threads > 1 ? clock_seconds() : clock_processor_seconds()) - start) / BATCH * 1e6;
    }
    double start = clock_processor_seconds();
    for (int32_t i = 0; i < PAIRS; i++) {
        run_pair(s, e, i);
    }
    return (clock_processor_seconds() - start) / PAIRS * 1e6;
}

static void use_best_level(void) {
    int level = INSTRUCTION_SETS - 1;
    while (level > 0 && !kernel_use((instruction_set)level)) {
        level--;
    }
}

/* Compares the answers of an engine's last round with the solver along the same normals. */
static double check(bench *s, const engine *e) {
    double worst = 0.0;
    for (int32_t i = 0; i < PAIRS && (e->what == TASK_DEPTH || e->what == TASK_BATCH); i++) {
        const abut_depth *d = &s->depth[i];
        depth_pair pair = {s->a[i], s->b[i], e->settings.weight_a, e->settings.weight_b};
        qp_problem problem;
        qp_solution solution;
        depth_problem_along(&pair, d->normal, -INFINITY, &problem);
        qp_solve(&problem, &solution);
        double square = 2.0 * solution.value, off = fabs(d->depth * d->depth - square) / square;
        /* With equalities the depth may be larger, never smaller. */
        off = e->settings.mode == ABUT_DEPTH_PAPER && d->depth * d->depth > square ? 0.0 : off;
        worst = solution.status == QP_SOLVED && d->relation == ABUT_DEPTH_INTERSECTING ? fmax(worst, off) : 1.0;
    }
    return worst;
}

/* Runs the rounds of the engines with one thread, or with several. They are separate because, after a parallel loop, the other threads look
 * for work for some microseconds, which counts as processor time of this process. */
static void run_rounds(bench *s, bool threads) {
    for (int round = -1; round < ROUNDS; round++) {
        for (int k = 0; k < s->count; k++) {
            engine *e = &s->engines[k];
            if ((e->threads > 1) != threads) {
                continue;
            }
            double time = time_engine(s, e);
            if (round >= 0) {
                e->times[round] = time;
            }
            if (round == ROUNDS - 1) {
                e->worst = check(s, e);
            }
            use_best_level();
        }
    }
}

static void measure(bench *s) {
    run_rounds(s, false);
    run_rounds(s, true);
    for (int k = 0; k < s->count; k++) {
        double copy[ROUNDS];
        memcpy(copy, s->engines[k].times, sizeof copy);
        s->engines[k].time = statistics_of(copy, ROUNDS);
    }
}

static const engine *find(const bench *s, const char *name) {
    for (int k = 0; k < s->count; k++) {
        if (strcmp(s->engines[k].name, name) == 0) {
            return &s->engines[k];
        }
    }
    return NULL;
}

/* How many times slower an engine is than another: the median of the rounds' ratios, because disturbances of the machine affect both. */
static double ratio_of(const engine *slow, const engine *fast) {
    double ratios[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        ratios[i] = slow->times[i] / fast->times[i];
    }
    return statistics_of(ratios, ROUNDS).median;
}

static const double wrong = 1e-9;

static bool put_times(FILE *json, const bench *s) {
    bool right = true;
    printf("\nmicroseconds for a pair: medians of %d rounds over %d pairs, in batches %d\n\n", ROUNDS, PAIRS, BATCH);
    printf("  %-36s %10s %10s %10s %10s\n", "", "us", "10 %", "90 %", "error");
    fprintf(json, "\"speed\": {\"pairs\": %d, \"batch\": %d, \"rounds\": %d, \"engines\": [", PAIRS, BATCH, ROUNDS);
    for (int k = 0; k < s->count; k++) {
        const engine *e = &s->engines[k];
        char error[16] = "";
        if (e->what == TASK_DEPTH || e->what == TASK_BATCH) {
            (void)snprintf(error, sizeof error, "%.1e", e->worst);
        }
        right = right && e->worst <= wrong;
        printf("  %-36s %10.3f %10.3f %10.3f %10s%s\n", e->name, e->time.median, e->time.p10, e->time.p90, error,
               e->worst <= wrong ? "" : "  WRONG");
        fprintf(json, "%s\n  {\"engine\": \"%s\", \"us\": %.4f, \"p10\": %.4f, \"p90\": %.4f, \"error\": %.1e}", k > 0 ? "," : "", e->name,
                e->time.median, e->time.p10, e->time.p90, e->worst);
    }
    fprintf(json, "],");
    return right;
}

/* Ratios to the solver and to the paper's milliseconds. The paper's machine and solver differ, so its ratios are orders of magnitude. */
static void put_ratios(FILE *json, const bench *s) {
    const engine *program = find(s, "one quadratic program, def/def"), *program_static = find(s, "one quadratic program, static/def");
    const struct {
        const char *name;
        const engine *program;
        int programs;
        double paper; /* ms */
    } rows[] = {
        {"static/def", program_static, 44, paper_static},
        {"static/def, as printed", program_static, 44, paper_static},
        {"def/def", program, 44, paper_exact},
        {"def/def, as printed", program, 44, paper_exact},
        {"def/def, accelerated", program, 1, paper_accelerated},
        {"one direction, static/def", program_static, 1, NAN},
        {"one direction, def/def", program, 1, NAN},
    };
    enum { ROWS = sizeof rows / sizeof *rows };
    printf("\n  %-36s %10s %18s %10s %12s %10s\n", "", "us", "programs", "ratio", "paper [us]", "ratio");
    fprintf(json, "\n \"beside\": [");
    for (int i = 0; i < ROWS; i++) {
        const engine *e = find(s, rows[i].name);
        double ratio = rows[i].programs * ratio_of(rows[i].program, e), whole = rows[i].programs * rows[i].program->time.median;
        printf("  %-36s %10.3f %2d: %14.2f %10.0f", rows[i].name, e->time.median, rows[i].programs, whole, ratio);
        fprintf(json, "%s\n  {\"engine\": \"%s\", \"us\": %.4f, \"programs\": %d, \"programs_us\": %.3f, \"ratio\": %.1f", i > 0 ? "," : "",
                rows[i].name, e->time.median, rows[i].programs, whole, ratio);
        if (isnan(rows[i].paper)) {
            printf("\n");
        } else {
            printf(" %12.0f %10.0f\n", 1e3 * rows[i].paper, 1e3 * rows[i].paper / e->time.median);
            fprintf(json, ", \"paper_us\": %.0f", 1e3 * rows[i].paper);
        }
        fprintf(json, "}");
    }
    fprintf(json, "]},\n");
}

/* A goal: at most this number of microseconds; or, with another engine, at least this multiple of its rate. The rate is taken from the
 * least disturbed tenth of the rounds, because a thread that waits for its core delays the other thread. */
typedef struct goal {
    const char *engine, *than;
    double limit;
} goal;

static const goal goals[] = {
    {"static/def", NULL, 2.5},
    {"def/def", NULL, 2.5},
    {"def/def, accelerated", NULL, 1.2},
    {"def/def, free local", NULL, 4.0},
    {"def/def, free", NULL, 25.0},
    {"batch, AVX2, 1 thread", NULL, 1.2},
    {"batch, AVX-512, 1 thread", NULL, 0.7},
    {"batch, AVX2, 2 threads", "batch, AVX2, 1 thread", 1.9},
    {"batch, AVX-512, 2 threads", "batch, AVX-512, 1 thread", 1.9},
};

/* Goals for the instruction sets of this machine. */
static void put_goals(FILE *json, const bench *s) {
    printf("\n  %-52s %10s %10s\n", "goals", "", "limit");
    fprintf(json, "\"goals\": [");
    int shown = 0;
    for (int g = 0; g < (int)(sizeof goals / sizeof *goals); g++) {
        const engine *e = find(s, goals[g].engine), *than = goals[g].than != NULL ? find(s, goals[g].than) : NULL;
        if (e == NULL) {
            continue;
        }
        double value = than != NULL ? than->time.p10 / e->time.p10 : e->time.median;
        bool pass = e->worst <= wrong && (than != NULL ? value >= goals[g].limit : value <= goals[g].limit);
        char name[80];
        (void)snprintf(name, sizeof name, "%s%s", e->name, than != NULL ? ", times the rate of 1" : " [us]");
        printf("  %-52s %10.2f %2s %7.2f  %s\n", name, value, than != NULL ? ">=" : "<=", goals[g].limit, pass ? "pass" : "MISS");
        fprintf(json, "%s\n  {\"goal\": \"%s\", \"value\": %.4f, \"%s\": %.2f, \"pass\": %s}", shown++ > 0 ? "," : "", name, value,
                than != NULL ? "at_least" : "at_most", goals[g].limit, pass ? "true" : "false");
    }
    fprintf(json, "]");
}

bool speed_run(FILE *json) {
    bench *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return false;
    }
    fill(s);
    add_engines(s);
    measure(s);
    bool right = put_times(json, s) && isfinite(s->sum);
    put_ratios(json, s);
    put_goals(json, s);
    free(s);
    return right;
}
