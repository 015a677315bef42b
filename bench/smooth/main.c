/*
 * bench_smooth: microseconds per contact of two smooth shapes, cold and warm, as a table, and as JSON with --json FILE. A round asks all
 * pairs of a set once; its time per pair is one sample. Warm: the cache of the pair comes from the previous step, when the bodies were
 * displaced by 1e-3 of their size and half a degree. Also times abut_contact_rates().
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <abut/abut.h>

#include "support/json_file.h"
#include "support/random.h"
#include "support/statistics.h"
#ifdef BENCH_WITH_ODE
#include "ode.h"
#endif

enum { PAIRS = 1000, ROUNDS = 60 };

typedef abut_shape *make_shape(random_state *random);

typedef struct question {
    abut_shape *a, *b;
    abut_pose pose_a, pose_b;
    abut_cache cache; /* of the previous step */
} question;

static abut_vec3 random_half(random_state *random) {
    return abut_vec3_make(random_range(random, 0.3, 1.0), random_range(random, 0.3, 1.0), random_range(random, 0.3, 1.0));
}

static abut_shape *make_ellipsoid(random_state *random) {
    abut_shape *shape = NULL;
    (void)abut_shape_create_ellipsoid(random_half(random), &shape);
    return shape;
}

static abut_shape *make_slender(random_state *random) {
    abut_shape *shape = NULL;
    (void)abut_shape_create_ellipsoid(abut_vec3_make(1.0, random_range(random, 0.1, 0.2), random_range(random, 0.1, 0.2)), &shape);
    return shape;
}

static abut_shape *make_superquadric(random_state *random) {
    abut_shape *shape = NULL;
    double e1 = random_range(random, 0.5, 1.0), e2 = random_range(random, 0.5, 1.0);
    (void)abut_shape_create_superquadric(random_half(random), e1, e2, &shape);
    return shape;
}

static abut_shape *make_box(random_state *random) {
    abut_shape *shape = NULL;
    (void)abut_shape_create_box(random_half(random), &shape);
    return shape;
}

static abut_shape *make_ball(random_state *random) {
    abut_shape *shape = NULL;
    (void)abut_shape_create_sphere(random_range(random, 0.3, 1.0), &shape);
    return shape;
}

/* Moves B towards A until it penetrates A by a share of its size. */
static void bring_together(question *q, random_state *random) {
    abut_separation s;
    for (int i = 0; i < 3; ++i) {
        if (abut_distance(&(abut_pair){q->a, q->pose_a, q->b, q->pose_b}, NULL, NULL, &s) != ABUT_OK) {
            return;
        }
        q->pose_b.position = abut_add_scaled(q->pose_b.position, s.gap + (i == 2 ? random_range(random, 0.0, 0.01) : 0.0), s.normal);
    }
}

static void fill(question *questions, make_shape *make_a, make_shape *make_b) {
    random_state random = random_make(20240611);
    for (int32_t i = 0; i < PAIRS; ++i) {
        question *q = &questions[i];
        *q = (question){
            .a = make_a(&random), .b = make_b(&random), .pose_a = random_pose(&random, 1.0), .pose_b = random_pose(&random, 1.0)};
        bring_together(q, &random);
        abut_contact contact;
        int32_t count;
        abut_pose before = q->pose_b;
        before.position = abut_add_scaled(before.position, 1e-3, random_direction(&random));
        before.rotation = abut_quat_unit(abut_quat_mul(abut_quat_about(random_direction(&random), 0.0087), before.rotation));
        (void)abut_collide(&(abut_pair){q->a, q->pose_a, q->b, before}, NULL, &q->cache, &contact, 1, &count);
    }
}

static double ask(const question *questions, bool warm, int32_t *contacts) {
    double start = clock_processor_seconds();
    *contacts = 0;
    for (int32_t i = 0; i < PAIRS; ++i) {
        const question *q = &questions[i];
        abut_cache cache = q->cache;
        abut_contact contact[8];
        int32_t count;
        (void)abut_collide(&(abut_pair){q->a, q->pose_a, q->b, q->pose_b}, NULL, warm ? &cache : NULL, contact, 8, &count);
        *contacts += count;
    }
    return (clock_processor_seconds() - start) / PAIRS * 1e6;
}

static void print_row(FILE *json, const char *name, const char *how, double *times, int32_t contacts, bool last) {
    statistics s = statistics_of(times, ROUNDS);
    printf("%-36s %-12s %8.4f us\n", name, how, s.median);
    fprintf(json, "  {\"set\": \"%s\", \"how\": \"%s\", \"median_us\": %.4f, \"p10_us\": %.4f, \"p90_us\": %.4f, \"contacts\": %d}%s\n",
            name, how, s.median, s.p10, s.p90, (int)contacts, last ? "" : ",");
}

static void run_set(FILE *json, const char *name, make_shape *make_a, make_shape *make_b, question *questions) {
    double times[ROUNDS];
    int32_t contacts = 0;
    fill(questions, make_a, make_b);
    for (int warm = 0; warm < 2; ++warm) {
        for (int round = 0; round < ROUNDS; ++round) {
            times[round] = ask(questions, warm == 1, &contacts);
        }
        print_row(json, name, warm == 1 ? "warm" : "cold", times, contacts, false);
    }
    for (int32_t i = 0; i < PAIRS; ++i) {
        abut_shape_release(questions[i].a);
        abut_shape_release(questions[i].b);
    }
}

static abut_kinematics random_motion(random_state *random, abut_pose pose) {
    return (abut_kinematics){pose.position,
                             {random_vec3(random, -1.0, 1.0), random_vec3(random, -1.0, 1.0)},
                             {random_vec3(random, -1.0, 1.0), random_vec3(random, -1.0, 1.0)}};
}

/* Derivatives of the contacts of a set, their curvatures found before. */
static void run_rates(FILE *json, const char *name, make_shape *make_a, make_shape *make_b, question *questions) {
    static abut_contact contact[PAIRS];
    static abut_curvature of_a[PAIRS], of_b[PAIRS];
    static abut_kinematics motion[2][PAIRS];
    random_state random = random_make(7);
    double times[ROUNDS], sum = 0.0;
    int32_t contacts = 0;
    fill(questions, make_a, make_b);
    for (int32_t i = 0; i < PAIRS; ++i) {
        const question *q = &questions[i];
        int32_t count = 0;
        (void)abut_collide(&(abut_pair){q->a, q->pose_a, q->b, q->pose_b}, NULL, NULL, &contact[contacts], 1, &count);
        motion[0][contacts] = random_motion(&random, q->pose_a);
        motion[1][contacts] = random_motion(&random, q->pose_b);
        bool known = count > 0 && abut_contact_surfaces(&contact[contacts], &(abut_pair){q->a, q->pose_a, q->b, q->pose_b}, &of_a[contacts],
                                                        &of_b[contacts]) == ABUT_OK;
        contacts += known;
        abut_shape_release(q->a);
        abut_shape_release(q->b);
    }
    for (int round = 0; round < ROUNDS && contacts > 0; ++round) {
        double start = clock_processor_seconds();
        for (int32_t i = 0; i < contacts; ++i) {
            abut_rates rates = {.bias = 0.0};
            (void)abut_contact_rates(&contact[i], &of_a[i], &of_b[i], &motion[0][i], &motion[1][i], &rates);
            sum += rates.gap_acceleration;
        }
        times[round] = (clock_processor_seconds() - start) / contacts * 1e6;
    }
    print_row(json, name, isfinite(sum) ? "rates" : "rates, not finite", times, contacts, false);
}

/* Boxes at the places of the questions: each in the other by as little. */
static void run_boxes(FILE *json, question *questions) {
#ifdef BENCH_WITH_ODE
    double times[ROUNDS];
    int32_t contacts = 0;
    ode_boxes *boxes = ode_boxes_make(PAIRS);
    fill(questions, make_box, make_box);
    for (int32_t i = 0; i < PAIRS && boxes != NULL; ++i) {
        const question *q = &questions[i];
        ode_boxes_set(boxes, i, abut_shape_bounds(q->a, abut_pose_identity()).upper, q->pose_a,
                      abut_shape_bounds(q->b, abut_pose_identity()).upper, q->pose_b);
    }
    for (int round = 0; round < ROUNDS && boxes != NULL; ++round) {
        double start = clock_processor_seconds();
        contacts = ode_boxes_run(boxes);
        times[round] = (clock_processor_seconds() - start) / PAIRS * 1e6;
    }
    print_row(json, "boxes", "ODE dBoxBox", times, contacts, true);
    ode_boxes_free(boxes);
#else
    (void)questions;
    fprintf(json, "  {\"set\": \"boxes\", \"how\": \"ODE is not installed\"}\n");
#endif
}

static const char usage[] =
    "usage: bench_smooth [--json FILE] [--help]\n\n  --json FILE  write JSON to FILE; a table goes to standard output in any case\n";

int main(int count, char **arguments) {
    FILE *json = json_file_open(count, arguments, usage);
    question *questions = calloc(PAIRS, sizeof *questions);
    if (questions == NULL) {
        return 1;
    }
    fputs("{\"benchmark\": \"smooth\", \"rows\": [\n", json);
    run_set(json, "ellipsoids, aspect to 3.3", make_ellipsoid, make_ellipsoid, questions);
    run_set(json, "ellipsoids, aspect 5 to 10", make_slender, make_slender, questions);
    run_set(json, "ellipsoid and box", make_ellipsoid, make_box, questions);
    run_set(json, "ellipsoid and sphere", make_ellipsoid, make_ball, questions);
    run_set(json, "superquadrics, exponents 0.5 to 1", make_superquadric, make_superquadric, questions);
    run_set(json, "superquadric and box", make_superquadric, make_box, questions);
    run_rates(json, "ellipsoids, aspect to 3.3", make_ellipsoid, make_ellipsoid, questions);
    run_rates(json, "boxes", make_box, make_box, questions);
    run_boxes(json, questions);
    fputs("]}\n", json);
    free(questions);
    return fclose(json) == 0 ? 0 : 1;
}
