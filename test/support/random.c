/* Random numbers for tests. See random.h. */
#include "support/random.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/sanitizers.h"

uint64_t random_seed(const char *name, uint64_t fallback) {
    const char *text = getenv("ABUT_TEST_SEED");
    uint64_t seed = text ? strtoull(text, NULL, 0) : fallback;
    printf("%s: seed %" PRIu64 "\n", name, seed);
    return seed;
}

static int32_t part_of(const char *name, int32_t full, double usual_percent) {
    const char *text = getenv("ABUT_TEST_SAMPLES");
    double percent = text == NULL ? usual_percent : strcmp(text, "full") == 0 ? 100.0 : fmin(100.0, fmax(0.0, strtod(text, NULL)));
    int32_t count = (int32_t)(0.01 * percent * full);
    count = count < 1 ? 1 : count;
    printf("%s: %d of %d samples\n", name, (int)count, (int)full);
    return count;
}

int32_t random_samples(const char *name, int32_t full) { return part_of(name, full, 12.0); }

int32_t random_runs(const char *name, int32_t full) { return part_of(name, full, SANITIZES_ADDRESSES ? 5.0 : 12.0); }

random_state random_make(uint64_t seed) {
    random_state state;
    for (int i = 0; i < 4; i++) {
        seed += UINT64_C(0x9e3779b97f4a7c15);
        uint64_t z = seed;
        z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
        state.word[i] = z ^ (z >> 31);
    }
    return state;
}

static uint64_t rotate_left(uint64_t x, int bits) { return (x << bits) | (x >> (64 - bits)); }

uint64_t random_next(random_state *state) {
    uint64_t *s = state->word;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate_left(s[3], 45);
    return result;
}

double random_range(random_state *state, double lower, double upper) {
    double unit = (double)(random_next(state) >> 11) * 0x1p-53;
    return lower + (upper - lower) * unit;
}

double random_log_range(random_state *state, double lower, double upper) { return exp(random_range(state, log(lower), log(upper))); }

int32_t random_below(random_state *state, int32_t count) { return (int32_t)(random_next(state) % (uint64_t)count); }

abut_vec3 random_vec3(random_state *state, double lower, double upper) {
    double x = random_range(state, lower, upper);
    double y = random_range(state, lower, upper);
    double z = random_range(state, lower, upper);
    return abut_vec3_make(x, y, z);
}

abut_vec3 random_direction(random_state *state) {
    for (;;) {
        abut_vec3 v = random_vec3(state, -1.0, 1.0);
        double square = abut_length_squared(v);
        if (square > 1e-4 && square < 1.0) {
            return abut_unit(v);
        }
    }
}

abut_quat random_rotation(random_state *state) {
    for (;;) {
        double x = random_range(state, -1.0, 1.0);
        double y = random_range(state, -1.0, 1.0);
        double z = random_range(state, -1.0, 1.0);
        double w = random_range(state, -1.0, 1.0);
        abut_quat q = abut_quat_make(x, y, z, w);
        double norm = abut_quat_norm(q);
        if (norm > 1e-2 && norm < 1.0) {
            return abut_quat_unit(q);
        }
    }
}

abut_quat random_tidy_rotation(random_state *state) {
    static const abut_vec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double eighth = 0.78539816339744830962;
    abut_quat q = abut_quat_identity();
    for (int i = random_below(state, 3); i > 0; --i) {
        q = abut_quat_unit(abut_quat_mul(abut_quat_about(axis[random_below(state, 3)], eighth * random_below(state, 8)), q));
    }
    return q;
}

abut_pose random_pose(random_state *state, double reach) {
    abut_pose pose;
    pose.rotation = random_rotation(state);
    pose.position = random_vec3(state, -reach, reach);
    return pose;
}
