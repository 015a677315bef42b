/* Batches of spheres, several in the lanes of a vector, have the bits of single calls: with every instruction set, among other pairs, with caches, with poses
 * that are refused, and in short buffers. */
#include "narrow/round/ball_kernel.h"

#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "support/check.h"

enum { PAIRS = 45, ROOM = 16 };

typedef struct crowd {
    abut_shape *shapes[4]; /* three spheres and a box */
    abut_pair pairs[PAIRS];
    abut_cache caches[PAIRS], expected_caches[PAIRS];
    abut_pair_result expected[PAIRS];
    abut_contact contacts[PAIRS * ROOM];
    int64_t needed;
    abut_collide_settings settings;
    bool with_caches;
} crowd;

static abut_vec3 draw_apart(random_state *random, double radii) {
    const abut_vec3 tidy[4] = {{1, 0, 0}, {-0.0, -1, 0}, {0, 0, -1}, {1, 1, -0.0}};
    switch (random_below(random, 12)) {
    case 0:
        return abut_scale(radii, tidy[random_below(random, 4)]);
    case 1:
        return abut_scale(random_log_range(random, 1e-20, 1e-9), random_direction(random));
    case 2:
        return abut_scale(random_log_range(random, 1e3, 1e160), random_direction(random));
    case 3:
        return abut_vec3_make(0.0, -0.0, random_below(random, 2) == 0 ? 0.0 : NAN);
    default:
        return abut_scale(radii * random_range(random, 0.2, 1.4), random_direction(random));
    }
}

static abut_quat draw_rotation(random_state *random) {
    const abut_quat plain[4] = {{0, 0, 0, 1}, {-0.0, 0, 0, -1}, {0, 0, 0, 1.00001}, {NAN, 0, 0, 1}};
    abut_quat q = random_rotation(random);
    double stretch = 1.0 + random_range(random, -1.1e-6, 1.1e-6);
    return random_below(random, 6) == 0   ? plain[random_below(random, 4)]
           : random_below(random, 6) == 0 ? (abut_quat){stretch * q.x, stretch * q.y, stretch * q.z, stretch * q.w}
                                          : q;
}

static void draw_crowd(random_state *random, crowd *c) {
    const double margins[4] = {0.0, 0.1, 1e30, 5e-324};
    double size = random_below(random, 3) == 0 ? random_log_range(random, 1e-9, 1e9) : 1.0;
    for (int i = 0; i < 3; i++) {
        assert_ok(abut_shape_create_sphere(size * random_range(random, 0.2, 1.0), &c->shapes[i]));
    }
    assert_ok(abut_shape_create_box(abut_scale(size, random_vec3(random, 0.2, 1.0)), &c->shapes[3]));
    bool mixed = random_below(random, 3) == 0;
    for (int i = 0; i < PAIRS; i++) {
        abut_pair *p = &c->pairs[i];
        p->a = c->shapes[mixed && random_below(random, 5) == 0 ? 3 : random_below(random, 3)];
        p->b = c->shapes[mixed && random_below(random, 5) == 0 ? 3 : random_below(random, 3)];
        p->pose_a = (abut_pose){random_below(random, 4) == 0 ? abut_vec3_make(-0.0, 0.0, -0.0) : random_vec3(random, -size, size),
                                draw_rotation(random)};
        p->pose_b = (abut_pose){abut_add(p->pose_a.position, draw_apart(random, 2.0 * size * 0.6)), draw_rotation(random)};
        c->caches[i] = (abut_cache){random_direction(random), {ABUT_FEATURE_FACE, 3, 0}, {ABUT_FEATURE_EDGE, 1, 0}};
    }
    c->settings = abut_collide_settings_default();
    c->settings.margin = size * margins[random_below(random, 4)];
    c->with_caches = random_below(random, 2) == 0;
}

static void ask_one_by_one(crowd *c) {
    c->needed = 0;
    memcpy(c->expected_caches, c->caches, sizeof c->caches);
    for (int i = 0; i < PAIRS; i++) {
        int32_t count;
        abut_status status =
            abut_collide(&c->pairs[i], &c->settings, c->with_caches ? &c->expected_caches[i] : NULL, c->contacts + c->needed, ROOM, &count);
        c->expected[i] = (abut_pair_result){status, count, c->needed};
        c->needed += count;
    }
}

static void check_batch(tally *t, const crowd *c, int64_t capacity, const char *what) {
    static abut_contact contacts[PAIRS * ROOM], untouched[PAIRS * ROOM];
    abut_pair_result results[PAIRS];
    abut_cache caches[PAIRS];
    int64_t needed;
    memset(contacts, 0x5a, sizeof contacts);
    memset(untouched, 0x5a, sizeof untouched);
    memcpy(caches, c->caches, sizeof caches);
    abut_status status =
        abut_collide_batch(c->pairs, PAIRS, &c->settings, c->with_caches ? caches : NULL, NULL, contacts, capacity, &needed, results);
    bool same = needed == c->needed && status == (needed > capacity ? ABUT_ERROR_CAPACITY : ABUT_OK);
    for (int i = 0; i < PAIRS && same; i++) {
        same = results[i].status == c->expected[i].status && results[i].count == c->expected[i].count &&
               results[i].first == c->expected[i].first;
    }
    int64_t written = needed < capacity ? needed : capacity;
    if (!same || memcmp(contacts, c->contacts, (size_t)written * sizeof *contacts) != 0 ||
        memcmp(contacts + written, untouched, (size_t)(PAIRS * ROOM - written) * sizeof *contacts) != 0 ||
        memcmp(caches, c->expected_caches, sizeof caches) != 0) {
        tally_fail(t, what, "needed %d, not %d", (int)needed, (int)c->needed);
    }
}

static void as_single_calls(void **state) {
    (void)state;
    static const char *const names[INSTRUCTION_SETS] = {"scalar", "sse2", "avx2", "avx512"};
    static tally t;
    static crowd c;
    random_state random = random_make(random_seed("as_single_calls", 21));
    int32_t rounds = random_samples("as_single_calls", 20000), contacts = 0, sets = 0;
    for (int32_t r = 0; r < rounds; r++) {
        draw_crowd(&random, &c);
        ask_one_by_one(&c);
        contacts += (int32_t)c.needed;
        tally_sample(&t, "round %d", (int)r);
        for (int set = 0; set < INSTRUCTION_SETS; set++) {
            if (ball_kernel_use((instruction_set)set)) {
                check_batch(&t, &c, PAIRS * ROOM, names[set]);
                check_batch(&t, &c, random_below(&random, PAIRS), names[set]);
                sets++;
            }
        }
        for (int i = 0; i < 4; i++) {
            abut_shape_release(c.shapes[i]);
        }
    }
    (void)ball_kernel_use(instruction_set_best());
    tally_end(&t);
    assert_true(sets >= rounds && contacts > 10 * rounds);
}

/* The kernel decides nearly all pairs of random places: otherwise the test above would compare single calls with themselves. */
static void most_are_decided(void **state) {
    (void)state;
    random_state random = random_make(random_seed("most_are_decided", 22));
    int32_t apart = 0, touching = 0;
    for (int32_t r = 0; r < 1000; r++) {
        ball_block block = {.count = BALL_LANES, .margin = 0.01};
        ball_answers answers;
        double contacts[BALL_LANES][BALL_NUMBERS];
        const double sizes[4] = {1.0, 0.5, 0.0, 0.0};
        abut_pose a[BALL_LANES], b[BALL_LANES];
        for (int i = 0; i < BALL_LANES; i++) {
            a[i] = random_pose(&random, 10.0);
            b[i] = (abut_pose){abut_add(a[i].position, abut_scale(random_range(&random, 0.5, 1.5), random_direction(&random))),
                               random_rotation(&random)};
            block.pose_a[i] = &a[i].position.x;
            block.pose_b[i] = &b[i].position.x;
            block.size_a[i] = block.size_b[i] = sizes;
        }
        answers.next = contacts;
        ball_kernel_run(&block, &answers);
        assert_int_equal(answers.undecided, 0);
        assert_int_equal(answers.next - contacts, bits_count(answers.touching));
        touching += bits_count(answers.touching);
        apart += BALL_LANES - bits_count(answers.touching);
    }
    assert_true(apart > 3000 && touching > 3000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_single_calls), cmocka_unit_test(most_are_decided)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
