/*
 * Searches with SIMD lanes: every instruction set of this machine gives the result of a plain loop, including the index. Ties, zeros of both signs, numbers
 * from 1e-300 to 1e150, any count, padding.
 */
#include "geom/scan.h"

#include <stdio.h>
#include <string.h>

#include "support/check.h"

enum { MOST = 300, ROOM = (MOST + SCAN_COARSE_PAD) / SCAN_COARSE_PAD * SCAN_COARSE_PAD };

static const char *const level_names[INSTRUCTION_SETS] = {"scalar", "sse2", "avx2", "avx512"};

typedef struct planes {
    double x[ROOM], y[ROOM], z[ROOM], offset[ROOM];
    scan_lanes lanes;
} planes;

/* All coordinates of one sample have one of these kinds. */
enum { KIND_UNIT, KIND_FEW_VALUES, KIND_ZEROS, KIND_TINY, KIND_HUGE, KIND_MIXED, KINDS };

static double random_number(random_state *random, int32_t kind) {
    double sign = random_below(random, 2) ? 1.0 : -1.0;
    switch (kind) {
    case KIND_FEW_VALUES:
        return sign * random_below(random, 3);
    case KIND_ZEROS:
        return sign * (random_below(random, 8) == 0 ? 1.0 : 0.0);
    case KIND_TINY:
        return sign * random_log_range(random, 1e-300, 1e-150); /* products may underflow to zero, which gives more ties */
    case KIND_HUGE:
        return sign * random_log_range(random, 1e140, 1e150);
    case KIND_MIXED:
        return sign * random_log_range(random, 1e-20, 1e20);
    default:
        return random_range(random, -1.0, 1.0);
    }
}

static void pad(double *lane, int32_t count) {
    for (int32_t i = count; i < scan_padded(count); i++) {
        lane[i] = lane[0];
    }
}

static void fill(planes *p, random_state *random, int32_t count, int32_t kind) {
    for (int32_t i = 0; i < count; i++) {
        /* Every fourth point is a copy of an earlier one. */
        int32_t from = i > 0 && random_below(random, 4) == 0 ? random_below(random, i) : i;
        bool copy = from != i;
        p->x[i] = copy ? p->x[from] : random_number(random, kind);
        p->y[i] = copy ? p->y[from] : random_number(random, kind);
        p->z[i] = copy ? p->z[from] : random_number(random, kind);
        p->offset[i] = copy ? p->offset[from] : random_number(random, kind);
    }
    pad(p->x, count);
    pad(p->y, count);
    pad(p->z, count);
    pad(p->offset, count);
    p->lanes = (scan_lanes){.x = p->x, .y = p->y, .z = p->z, .offset = p->offset, .count = scan_padded(count)};
}

static int32_t plain_search(const planes *p, int32_t count, abut_vec3 d, bool subtract) {
    int32_t best = 0;
    double most = -INFINITY;
    for (int32_t i = 0; i < count; i++) {
        double value = p->x[i] * d.x + p->y[i] * d.y + p->z[i] * d.z;
        value = subtract ? value - p->offset[i] : value;
        if (value > most) {
            most = value;
            best = i;
        }
    }
    return best;
}

static void farthest_and_highest(void **state) {
    (void)state;
    static tally t;
    static planes p;
    random_state random = random_make(random_seed("farthest_and_highest", 401));
    for (int32_t sample = 0; sample < 12000; sample++) {
        int32_t count = sample < 2 * MOST ? 1 + sample % MOST : 1 + random_below(&random, MOST), kind = random_below(&random, KINDS);
        fill(&p, &random, count, kind);
        abut_vec3 d = {random_number(&random, kind), random_number(&random, kind), random_number(&random, kind)};
        int32_t farthest = plain_search(&p, count, d, false), highest = plain_search(&p, count, d, true);
        for (int level = 0; level < INSTRUCTION_SETS; level++) {
            if (!scan_use((instruction_set)level)) {
                continue;
            }
            tally_sample(&t, "sample %d, %d numbers of kind %d, %s", (int)sample, (int)count, (int)kind, level_names[level]);
            int32_t found = scan_farthest(&p.lanes, d), above = scan_highest(&p.lanes, d);
            if (found != farthest) {
                tally_fail(&t, "farthest", "%d, expected %d", (int)found, (int)farthest);
            }
            if (above != highest) {
                tally_fail(&t, "highest", "%d, expected %d", (int)above, (int)highest);
            }
        }
    }
    tally_end(&t);
}

/* Unit normals, offsets of about 1, and the same in single precision. */
typedef struct coarse_planes {
    abut_vec3 normal[MOST];
    double offset[MOST];
    float x[ROOM], y[ROOM], z[ROOM], single_offset[ROOM];
    scan_coarse coarse;
} coarse_planes;

static void fill_coarse(coarse_planes *p, random_state *random, int32_t count) {
    p->coarse = (scan_coarse){.x = p->x, .y = p->y, .z = p->z, .offset = p->single_offset, .count = scan_coarse_padded(count)};
    for (int32_t i = 0; i < p->coarse.count; i++) {
        bool plane = i < count;
        p->x[i] = p->y[i] = p->z[i] = 0.0F;
        p->single_offset[i] = INFINITY;
        if (plane) {
            p->normal[i] = random_direction(random);
            p->offset[i] = random_range(random, 0.0, 1.5);
            p->x[i] = (float)p->normal[i].x;
            p->y[i] = (float)p->normal[i].y;
            p->z[i] = (float)p->normal[i].z;
            p->single_offset[i] = (float)p->offset[i];
        }
    }
}

static bool is_near(const coarse_planes *p, int32_t plane, abut_vec3 point, double depth) {
    return p->offset[plane] - abut_dot(p->normal[plane], point) < depth;
}

/* The list has all planes that are near in double precision, and none that is clearly farther. */
static void check_near_list(tally *t, const coarse_planes *p, int32_t planes, abut_vec3 point, double depth, const int32_t *found,
                            int32_t count) {
    const double blur = 1e-5; /* ten times the margin that scan_near() adds, plus its own rounding error */
    for (int32_t i = 1; i < count; i++) {
        if (found[i] <= found[i - 1]) {
            tally_fail(t, "not ascending", "%d after %d", (int)found[i], (int)found[i - 1]);
        }
    }
    int32_t at = 0;
    for (int32_t i = 0; i < planes; i++) {
        bool listed = at < count && found[at] == i;
        at += listed;
        if (!listed && is_near(p, i, point, depth)) {
            tally_fail(t, "near plane left out", "plane %d of %d", (int)i, (int)planes);
        }
        if (listed && !is_near(p, i, point, depth + blur)) {
            tally_fail(t, "far plane listed", "plane %d of %d", (int)i, (int)planes);
        }
    }
    if (at != count) {
        tally_fail(t, "not planes", "%d of %d listed", (int)(count - at), (int)count);
    }
}

static void near_planes(void **state) {
    (void)state;
    static tally t;
    static coarse_planes p;
    random_state random = random_make(random_seed("near_planes", 402));
    for (int32_t sample = 0; sample < 6000; sample++) {
        int32_t count = sample < MOST ? 1 + sample : 1 + random_below(&random, MOST), short_of = random_below(&random, 8);
        fill_coarse(&p, &random, count);
        abut_vec3 point = random_vec3(&random, -1.0, 1.0);
        double depth = random_range(&random, 0.0, 1.0);
        if (sample % 3 == 0) { /* at the limit, where the rounding errors differ */
            depth = p.offset[0] - abut_dot(p.normal[0], point);
            depth = sample % 2 ? nextafter(depth, INFINITY) : depth;
        }
        const scan_probe probe = scan_probe_of(point);
        const float limit = scan_depth_of(depth, fabs(point.x) + fabs(point.y) + fabs(point.z));
        for (int level = 0; level < INSTRUCTION_SETS; level++) {
            int32_t found[MOST], few[8];
            if (!scan_use((instruction_set)level)) {
                continue;
            }
            tally_sample(&t, "sample %d, %d planes, %s", (int)sample, (int)count, level_names[level]);
            int32_t number = scan_near(&p.coarse, &probe, limit, found, MOST);
            check_near_list(&t, &p, count, point, depth, found, number);
            for (int32_t i = 0; i < 8; i++) {
                few[i] = -7;
            }
            int32_t again = scan_near(&p.coarse, &probe, limit, few, short_of), written = number < short_of ? number : short_of;
            bool same = memcmp(few, found, (size_t)written * sizeof *few) == 0, untouched = true;
            for (int32_t i = 0, n = 0; i < count; i++) {
                bool listed = n < number && found[n] == i;
                n += listed;
                if (scan_is_near(&p.coarse, i, &probe, limit) != listed) {
                    tally_fail(&t, "asked alone", "plane %d, listed %d", (int)i, (int)listed);
                }
            }
            for (int32_t i = written; i < 8; i++) {
                untouched = untouched && few[i] == -7;
            }
            if (again != number || !same || !untouched) {
                tally_fail(&t, "short buffer", "%d found with room for %d, %d with all", (int)again, (int)short_of, (int)number);
            }
        }
    }
    tally_end(&t);
}

/* The plain search is always available. An instruction set that is missing is refused, and the setting stays. */
static void levels(void **state) {
    (void)state;
    assert_true(instruction_set_is_here(INSTRUCTIONS_SCALAR));
    assert_false(instruction_set_is_here(INSTRUCTION_SETS));
    assert_true(scan_use(INSTRUCTIONS_SCALAR));
    const scan_table *scalar = scan_searches();
    for (int level = 0; level <= INSTRUCTION_SETS; level++) {
        bool has = instruction_set_is_here((instruction_set)level);
        assert_true(scan_use(INSTRUCTIONS_SCALAR));
        assert_int_equal(scan_use((instruction_set)level), has);
        assert_true(has || scan_searches() == scalar);
        if (level < INSTRUCTION_SETS) {
            printf("%s: %s\n", level_names[level], has ? "tested" : "not on this machine or not in this build");
        }
    }
    const scan_table *best = scan_choose();
    assert_ptr_equal(best, scan_searches());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels),
        cmocka_unit_test(farthest_and_highest),
        cmocka_unit_test(near_planes),
    };
    return cmocka_run_group_tests_name("geom/scan", tests, NULL, NULL);
}
