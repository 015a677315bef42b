/* How long one abut_collide takes, by pair of shapes: stacked, overlapping at random, and close but apart. Prints JSON; times in
 * nanoseconds per call, as the median and the 10th and 90th percentile of rounds. `relative` is the median over that of two balls in the same run, which
 * makes runs on different machines comparable. The seed is fixed. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <abut/abut.h>

enum { poses = 64, rounds = 41 };

typedef struct arrangement {
    const char *name;
    double gap;    /* between balls of the shapes' reach, relative to both radii */
    bool turned;   /* at random about every axis */
    bool sideways; /* in a random direction, else along z */
} arrangement;

static const arrangement arrangements[] = {
    {"stacked", -1e-4, false, false}, {"overlapping", -0.6, true, true}, {"apart", 0.05, true, true}};

static uint64_t random_state = 1;

static double uniform(double lower, double upper) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return lower + (upper - lower) * ((double)(random_state >> 11) * 0x1p-53);
}

static abut_vec3 direction(void) {
    abut_vec3 v;
    do {
        v = abut_make_vec3(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1));
    } while (abut_length_squared(v) > 1 || abut_length_squared(v) < 0.01);
    return abut_unit(v);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The points of a hull: on the unit ball, so that all of them are corners. */
static abut_shape *make_hull(int32_t count) {
    abut_vec3 points[256];
    for (int32_t i = 0; i < count; i++) {
        points[i] = direction();
    }
    abut_shape *shape = NULL;
    return abut_create_hull(points, count, &shape) == ABUT_OK ? shape : NULL;
}

typedef struct subject {
    const char *name;
    abut_shape *a, *b;
    double reach; /* the sum of both radii; of hulls a little less, so that they touch */
} subject;

static double measure(const subject *pair, const arrangement *how, double reference, bool first) {
    abut_pose pose[poses];
    for (int i = 0; i < poses; i++) {
        abut_vec3 axis = how->sideways ? direction() : abut_make_vec3(0, 0, 1);
        pose[i].position = abut_scale(pair->reach * (1.0 + how->gap), axis);
        pose[i].rotation =
            how->turned ? abut_quat_about(direction(), uniform(0, 3)) : abut_quat_about(abut_make_vec3(0, 0, 1), uniform(0, 3));
    }
    double times[rounds];
    int64_t contacts = 0;
    for (int round = 0; round < rounds; round++) {
        double start = now();
        for (int i = 0; i < poses; i++) {
            abut_contact found[64];
            int32_t count = 0;
            if (abut_collide(pair->a, pose[i], pair->b, abut_identity_pose(), NULL, NULL, found, 64, &count) != ABUT_OK) {
                fprintf(stderr, "%s %s: abut_collide failed\n", pair->name, how->name);
                exit(1);
            }
            contacts += count;
        }
        times[round] = (now() - start) / poses;
    }
    qsort(times, rounds, sizeof times[0], compare);
    double median = times[rounds / 2];
    printf("%s\n  {\"pair\": \"%s\", \"arrangement\": \"%s\", \"ns\": %.0f, \"p10\": %.0f, \"p90\": %.0f, \"relative\": %.1f, "
           "\"contacts\": %.2f}",
           first ? "" : ",", pair->name, how->name, median, times[rounds / 10], times[rounds - 1 - rounds / 10],
           median / (reference > 0 ? reference : median), (double)contacts / (double)(rounds * poses));
    return median;
}

int main(void) {
    abut_shape *ball = NULL, *box = NULL, *capsule = NULL, *cylinder = NULL;
    if (abut_create_sphere(1, &ball) != ABUT_OK || abut_create_box(abut_make_vec3(1, 1, 1), &box) != ABUT_OK ||
        abut_create_capsule(0.5, 0.5, &capsule) != ABUT_OK || abut_create_cylinder(1, 1, 32, &cylinder) != ABUT_OK) {
        return 1;
    }
    abut_shape *small = make_hull(16), *large = make_hull(200);
    const subject subjects[] = {{"sphere-sphere", ball, ball, 2},
                                {"sphere-box", ball, box, 2},
                                {"capsule-capsule", capsule, capsule, 2},
                                {"capsule-box", capsule, box, 2},
                                {"box-box", box, box, 2},
                                {"cylinder-box", cylinder, box, 2},
                                {"hull16-hull16", small, small, 1.5},
                                {"hull200-hull200", large, large, 1.95}};
    printf("{\"benchmark\": \"collide\", \"version\": \"%s\", \"seed\": 1, \"results\": [", abut_version());
    double reference = 0;
    for (size_t i = 0; i < sizeof subjects / sizeof subjects[0]; i++) {
        for (size_t j = 0; subjects[i].a != NULL && j < sizeof arrangements / sizeof arrangements[0]; j++) {
            double median = measure(&subjects[i], &arrangements[j], reference, i + j == 0);
            reference = i + j == 0 ? median : reference;
        }
    }
    printf("\n]}\n");
    abut_shape *all[] = {ball, box, capsule, cylinder, small, large};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        abut_shape_release(all[i]);
    }
    return 0;
}
