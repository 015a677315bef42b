#pragma once

#include <abut/math.h>

/*
 * Random numbers for tests: the same sequence on every machine for the same seed (xoshiro256**, D. Blackman and S. Vigna, seeded by
 * splitmix64).
 */

typedef struct random_state {
    uint64_t word[4];
} random_state;

/* The seed of a test: the environment variable ABUT_TEST_SEED if it is set, else `fallback`. Printed with the name, so that a failure can be repeated. */
uint64_t random_seed(const char *name, uint64_t fallback);

/* The number of samples of a test: a part of `full` that keeps the test short, or as ABUT_TEST_SAMPLES in the environment says ("full" or a percentage). At
 * least one. Printed with the name. */
int32_t random_samples(const char *name, int32_t full);

/* The same for samples that are whole simulations. With the address sanitizer, which makes them several times as slow, the part is less than half of the usual
 * one: the errors that it looks for show in a few runs as well as in many. */
int32_t random_runs(const char *name, int32_t full);

random_state random_make(uint64_t seed);
uint64_t random_next(random_state *state);

/* Uniform in [lower, upper). */
double random_range(random_state *state, double lower, double upper);
/* Uniform in the logarithm; 0 < lower <= upper. */
double random_log_range(random_state *state, double lower, double upper);
/* Uniform in 0 .. count - 1. */
int32_t random_below(random_state *state, int32_t count);

/* Each coordinate uniform in [lower, upper). */
abut_vec3 random_vec3(random_state *state, double lower, double upper);
/* Uniform on the unit sphere. */
abut_vec3 random_direction(random_state *state);
/* Uniform over the rotations. */
abut_quat random_rotation(random_state *state);
/* None, one or two turns by eighths about coordinate axes. */
abut_quat random_tidy_rotation(random_state *state);
/* A random rotation, and a position with each coordinate within `reach` of zero. */
abut_pose random_pose(random_state *state, double reach);
