#include "world/gain.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "support/busy.h"
#include "support/random.h"
#include "world/engine.h"

/* Work that is done again in every round, with one thread and with two. */
typedef struct work {
    bool (*run)(void *context, int threads);
    void *context;
} work;

/* Milliseconds of the rounds. */
typedef struct rounds {
    int32_t count;
    double *one, *two, *ratio;
} rounds;

static void rounds_free(rounds *times) {
    free(times->one);
    free(times->two);
    free(times->ratio);
}

static bool rounds_make(int32_t count, rounds *made) {
    size_t size = sizeof *made->one;
    *made = (rounds){count, calloc((size_t)count, size), calloc((size_t)count, size), calloc((size_t)count, size)};
    return made->one != NULL && made->two != NULL && made->ratio != NULL;
}

static bool timed(const work *of, int threads, double *milliseconds) {
    double begin = clock_seconds();
    bool fine = of->run(of->context, threads);
    *milliseconds = 1e3 * (clock_seconds() - begin);
    return fine;
}

/* Both numbers of threads in every round, each first in half of the rounds. */
static bool run_rounds(const work *of, rounds *times) {
    bool fine = true;
    for (int32_t i = 0; i < times->count && fine; i++) {
        bool two_first = i % 2 == 0;
        fine = timed(of, two_first ? 2 : 1, two_first ? &times->two[i] : &times->one[i]) &&
               timed(of, two_first ? 1 : 2, two_first ? &times->one[i] : &times->two[i]);
        times->ratio[i] = times->one[i] / times->two[i];
    }
    return fine;
}

/* ---- two copies ---- */

enum { REPEATS = 8 }; /* so that the start of a thread takes no time */

/* Some repeats of work on one thread. */
typedef struct repeated {
    const work *of;
    bool fine;
} repeated;

static void *repeat(void *argument) {
    repeated *r = argument;
    r->fine = true;
    for (int i = 0; i < REPEATS && r->fine; i++) {
        r->fine = r->of->run(r->of->context, 1);
    }
    return NULL;
}

/* The first copy on one thread, and both side by side. */
static bool run_copies(const work copies[2], double *one, double *both) {
    repeated runs[2] = {{&copies[0], false}, {&copies[1], false}};
    pthread_t thread;
    double begin = clock_seconds();
    repeat(&runs[0]);
    double middle = clock_seconds();
    if (!runs[0].fine || pthread_create(&thread, NULL, repeat, &runs[1]) != 0) {
        return false;
    }
    repeat(&runs[0]);
    (void)pthread_join(thread, NULL);
    *one = middle - begin;
    *both = clock_seconds() - middle;
    return runs[0].fine && runs[1].fine;
}

static bool measure_limit(const work copies[2], int32_t count, double *limit) {
    double *ratios = calloc((size_t)count, sizeof *ratios);
    bool fine = ratios != NULL;
    for (int32_t i = 0; i < count && fine; i++) {
        double one, both;
        fine = run_copies(copies, &one, &both);
        ratios[i] = fine ? 2.0 * one / both : 0.0;
    }
    *limit = fine ? statistics_of(ratios, (size_t)count).median : 0.0;
    free(ratios);
    return fine;
}

/* ---- gains ---- */

static double sum(const double *values, int32_t count) {
    double all = 0.0;
    for (int32_t i = 0; i < count; i++) {
        all += values[i];
    }
    return all;
}

/* copies: of the same work; they share nothing */
static bool measure_gain(const work *of, const work copies[2], int32_t count, gain *found) {
    rounds times;
    busy others;
    bool fine = rounds_make(count, &times) && run_rounds(of, &times);
    if (fine) {
        found->gain = statistics_of(times.ratio, (size_t)count).median;
        found->quiet = statistics_of(times.one, (size_t)count);
        fine = measure_limit(copies, (count + REPEATS - 1) / REPEATS, &found->limit) && busy_begin(&others);
    }
    if (fine) {
        fine = run_rounds(of, &times);
        busy_end(&others);
        found->cost = sum(times.two, count) / sum(times.one, count);
        found->beside = statistics_of(times.one, (size_t)count);
    }
    rounds_free(&times);
    if (!fine) {
        fprintf(stderr, "world: the gain of two threads on %s could not be measured\n", found->name);
    }
    return fine;
}

/* ---- worlds ---- */

/* The same world twice: for one thread and for two. */
typedef struct worlds {
    void *instances[2];
} worlds;

static bool step_world(void *context, int threads) {
    engine_step done;
    return engine_quick.step(((worlds *)context)->instances[threads - 1], 1.0 / 60.0, &done);
}

/* Worlds for two threads and for one, and two copies for one thread each. */
enum { OF_TWO, OF_ONE, COPIES, WORLDS = COPIES + 2 };

static bool create_worlds(const scene *of, int32_t settle, void *made[WORLDS]) {
    bool fine = true;
    for (int i = 0; i < WORLDS; i++) {
        made[i] = engine_quick.create(of, engine_quick.effort, i == OF_TWO ? 2 : 1);
        fine = fine && made[i] != NULL;
    }
    engine_step done;
    for (int32_t i = 0; i < settle * WORLDS && fine; i++) {
        fine = engine_quick.step(made[i % WORLDS], 1.0 / 60.0, &done);
    }
    return fine;
}

bool gain_of_world(const scene *of, int32_t settle, int32_t rounds, gain *found) {
    *found = (gain){.count = of->body_count};
    (void)snprintf(found->name, sizeof found->name, "%s", scene_name(of->kind));
    void *made[WORLDS];
    bool fine = create_worlds(of, settle, made);
    worlds both = {{made[OF_ONE], made[OF_TWO]}}, copies[2] = {{{made[COPIES], NULL}}, {{made[COPIES + 1], NULL}}};
    const work alone[2] = {{step_world, &copies[0]}, {step_world, &copies[1]}};
    fine = fine && measure_gain(&(work){step_world, &both}, alone, rounds, found);
    found->same = fine && engine_quick.hash(made[OF_ONE]) == engine_quick.hash(made[OF_TWO]);
    for (int i = 0; i < WORLDS; i++) {
        if (made[i] != NULL) {
            engine_quick.destroy(made[i]);
        }
    }
    return fine;
}

/* ---- batches ---- */

typedef struct batch {
    abut_shape *shapes[SCENE_SHAPES];
    int32_t shape_count;
    abut_pair *pairs;
    abut_pair_result *results;
    abut_contact *contacts[2]; /* of one thread and of two */
    int64_t capacity, needed[2];
    int32_t count;
} batch;

static bool collide(void *context, int threads) {
    batch *b = context;
    abut_parallel parallel = {.threads = threads};
    return abut_collide_batch(b->pairs, b->count, NULL, NULL, &parallel, b->contacts[threads - 1], b->capacity, &b->needed[threads - 1],
                              b->results) == ABUT_OK;
}

static bool batch_make(const scene *of, int32_t pairs, batch *made) {
    *made = (batch){.shape_count = of->shape_count, .capacity = 64 * (int64_t)pairs, .count = pairs};
    bool fine = true;
    for (int32_t i = 0; i < of->shape_count; i++) {
        made->shapes[i] = scene_abut_shape(&of->shapes[i]);
        fine = fine && made->shapes[i] != NULL;
    }
    made->pairs = calloc((size_t)pairs, sizeof *made->pairs);
    made->results = calloc((size_t)pairs, sizeof *made->results);
    for (int i = 0; i < 2; i++) {
        made->contacts[i] = calloc((size_t)made->capacity, sizeof *made->contacts[i]);
        fine = fine && made->contacts[i] != NULL;
    }
    if (!fine || made->pairs == NULL || made->results == NULL) {
        return false;
    }
    random_state random = random_make(1);
    for (int32_t i = 0; i < pairs; i++) {
        made->pairs[i] = (abut_pair){made->shapes[random_below(&random, of->shape_count)], random_pose(&random, 0.4),
                                     made->shapes[random_below(&random, of->shape_count)], random_pose(&random, 0.4)};
    }
    return true;
}

static void batch_free(batch *old) {
    for (int32_t i = 0; i < old->shape_count; i++) {
        abut_shape_release(old->shapes[i]);
    }
    free(old->pairs);
    free(old->results);
    free(old->contacts[0]);
    free(old->contacts[1]);
}

static bool same_contacts(const batch *b) {
    return b->needed[0] == b->needed[1] && memcmp(b->contacts[0], b->contacts[1], (size_t)b->needed[0] * sizeof *b->contacts[0]) == 0;
}

bool gain_of_batch(const scene *of, int32_t pairs, int32_t rounds, gain *found) {
    *found = (gain){.count = pairs};
    (void)snprintf(found->name, sizeof found->name, "batch of %s", scene_name(of->kind));
    batch b, copy;
    bool fine = batch_make(of, pairs, &b), copied = batch_make(of, pairs, &copy);
    const work copies[2] = {{collide, &b}, {collide, &copy}};
    fine = fine && copied && collide(&b, 1) && collide(&b, 2) && measure_gain(&(work){collide, &b}, copies, rounds, found);
    found->same = fine && same_contacts(&b);
    batch_free(&b);
    batch_free(&copy);
    return fine;
}

/* ---- report ---- */

void gain_head(FILE *table) {
    fprintf(table, "\n%-16s %7s %12s %12s %8s %8s %8s %6s\n", "", "count", "1 thread, ms", "beside, ms", "gain", "limit", "cost", "bits");
}

void gain_row(FILE *table, const gain *row) {
    fprintf(table, "%-16s %7d %12.3f %12.3f %8.2f %8.2f %8.2f %6s\n", row->name, (int)row->count, row->quiet.median, row->beside.median,
            row->gain, row->limit, row->cost, row->same ? "same" : "OTHER");
    fflush(table);
}

void gain_json(FILE *json, const gain *rows, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        const gain *row = &rows[i];
        fprintf(json,
                "%s\n  {\"name\": \"%s\", \"count\": %d, \"quiet_ms\": %.4g, \"beside_ms\": %.4g, \"gain\": %.3f, \"limit\": %.3f, "
                "\"cost\": %.3f, "
                "\"same\": %s}",
                i > 0 ? "," : "", row->name, (int)row->count, row->quiet.median, row->beside.median, row->gain, row->limit, row->cost,
                row->same ? "true" : "false");
    }
}

void gain_goals(FILE *json, const gain *rows, int32_t count) {
    goal_list goals = {.json = json, .table = stderr, .name_width = 56, .value_width = 8};
    for (int32_t i = 0; i < count; i++) {
        char name[96];
        (void)snprintf(name, sizeof name, "%s, %d: two threads, times the rate of one", rows[i].name, (int)rows[i].count);
        goal_put(&goals, name, rows[i].gain, true, 1.8);
        (void)snprintf(name, sizeof name, "%s, %d: beside other programs, times the time of one", rows[i].name, (int)rows[i].count);
        goal_put(&goals, name, rows[i].cost, false, 1.15);
    }
}
