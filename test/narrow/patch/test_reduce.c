/* abut_reduce(): the deepest contact is kept, the others span as much area as possible, and the lost area is reported. */
#include "support/allocator.h"
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static abut_contact contact_at(double x, double y, double gap, uint64_t id) {
    abut_contact c;
    memset(&c, 0, sizeof c);
    c.on_b = abut_vec3_make(x, y, 0);
    c.on_a = abut_vec3_make(x, y, gap);
    c.normal = abut_vec3_make(0, 0, 1);
    c.gap = gap;
    c.area = 0.25;
    c.id = id;
    return c;
}

static double area_of(const abut_contact *contacts, int32_t count, abut_vec3 normal) {
    oracle_point2 points[256];
    abut_vec3 u, v;
    abut_tangent_frame(normal, &u, &v);
    for (int32_t i = 0; i < count; i++) {
        points[i].x = abut_dot(u, contacts[i].on_b);
        points[i].y = abut_dot(v, contacts[i].on_b);
    }
    return oracle_hull_area(points, count);
}

static int32_t deepest_of(const abut_contact *contacts, int32_t count) {
    int32_t deepest = 0;
    for (int32_t i = 1; i < count; i++) {
        deepest = contacts[i].gap < contacts[deepest].gap ? i : deepest;
    }
    return deepest;
}

/* Properties for every input: the kept contacts are members of the input, in its order, without repetitions, with the deepest among them
 * and with the reported areas. */
static void sound(const abut_contact *contacts, int32_t count, int32_t limit, const abut_contact *kept, const abut_reduction *reduction,
                  double size) {
    int32_t expected = count < limit ? count : limit;
    assert_int_equal(reduction->kept, expected);
    int32_t next = 0;
    bool deepest = false;
    double least = contacts[deepest_of(contacts, count)].gap;
    for (int32_t i = 0; i < expected; i++) {
        while (next < count && memcmp(&contacts[next], &kept[i], sizeof *kept) != 0) {
            next++;
        }
        assert_true(next < count);
        next++;
        deepest = deepest || kept[i].gap == least;
    }
    assert_true(deepest);
    abut_vec3 normal = contacts[deepest_of(contacts, count)].normal;
    assert_near(reduction->area_before, area_of(contacts, count, normal), 1e-12 * size * size);
    assert_near(reduction->area_after, area_of(kept, expected, normal), 1e-12 * size * size);
    assert_true(reduction->area_after <= reduction->area_before + 1e-12 * size * size);
}

static void few_are_copied(void **state) {
    (void)state;
    abut_contact contacts[4] = {contact_at(0, 0, -0.1, 1), contact_at(1, 0, -0.2, 2), contact_at(1, 1, 0.1, 3), contact_at(0, 1, -0.1, 4)};
    for (int32_t count = 1; count <= 4; count++) {
        abut_contact kept[4];
        abut_reduction reduction;
        assert_ok(abut_reduce(contacts, count, 4, kept, &reduction));
        assert_memory_equal(kept, contacts, (size_t)count * sizeof *kept);
        assert_int_equal(reduction.kept, count);
        assert_near(reduction.area_after, reduction.area_before, 0.0);
    }
    abut_reduction reduction;
    assert_ok(abut_reduce(contacts, 4, 7, contacts, &reduction));
    assert_near(reduction.area_before, 1.0, 1e-15);
    assert_ok(abut_reduce(NULL, 0, 4, NULL, &reduction));
    assert_int_equal(reduction.kept, 0);
    assert_near(reduction.area_before, 0.0, 0.0);
    assert_near(reduction.area_after, 0.0, 0.0);
}

/* A regular octagon in a circle of radius 1: area 2 sqrt(2); its best four corners are a square of area 2. */
static void octagon(void **state) {
    (void)state;
    for (int32_t deepest = 0; deepest < 8; deepest++) {
        abut_contact contacts[8], kept[8];
        for (int i = 0; i < 8; i++) {
            contacts[i] = contact_at(cos(0.25 * PI * i), sin(0.25 * PI * i), i == deepest ? -0.02 : -0.01, (uint64_t)i + 1);
        }
        static const double best[9] = {0, 0, 0, 1, 2, 0, 0, 0, 0};
        for (int32_t limit = 1; limit <= 8; limit++) {
            abut_reduction reduction;
            assert_ok(abut_reduce(contacts, 8, limit, kept, &reduction));
            sound(contacts, 8, limit, kept, &reduction, 1.0);
            assert_near(reduction.area_before, 2.0 * sqrt(2.0), 1e-12);
            if (limit == 3 || limit == 4) {
                assert_near(reduction.area_after, best[limit], 1e-12);
            }
        }
        abut_reduction four, six;
        assert_ok(abut_reduce(contacts, 8, 4, kept, &four));
        assert_ok(abut_reduce(contacts, 8, 6, kept, &six));
        assert_true(six.area_after > four.area_after);
    }
}

/* A deep point inside the polygon is kept although it adds no area. */
static void deepest_inside(void **state) {
    (void)state;
    abut_contact contacts[5] = {contact_at(-1, -1, -0.01, 1), contact_at(1, -1, -0.01, 2), contact_at(1, 1, -0.01, 3),
                                contact_at(-1, 1, -0.01, 4), contact_at(0.1, 0.2, -0.5, 5)};
    for (int32_t limit = 1; limit <= 4; limit++) {
        abut_contact kept[4];
        abut_reduction reduction;
        assert_ok(abut_reduce(contacts, 5, limit, kept, &reduction));
        sound(contacts, 5, limit, kept, &reduction, 1.0);
        bool found = false;
        for (int32_t i = 0; i < limit; i++) {
            found = found || kept[i].id == 5;
        }
        assert_true(found);
    }
}

static void collinear_and_equal(void **state) {
    (void)state;
    abut_contact line[6], same[6], kept[6];
    for (int i = 0; i < 6; i++) {
        line[i] = contact_at(0.1 * i, 0.2 * i, -0.01 * (i == 2), (uint64_t)i);
        same[i] = contact_at(0.3, 0.4, -0.01 * i, (uint64_t)i);
    }
    for (int32_t limit = 1; limit <= 6; limit++) {
        abut_reduction reduction;
        assert_ok(abut_reduce(line, 6, limit, kept, &reduction));
        sound(line, 6, limit, kept, &reduction, 1.0);
        assert_near(reduction.area_after, 0.0, 1e-15);
        assert_ok(abut_reduce(same, 6, limit, kept, &reduction));
        sound(same, 6, limit, kept, &reduction, 1.0);
        assert_near(reduction.area_before, 0.0, 0.0);
    }
    /* The far end of a line is kept with the deepest. */
    assert_ok(abut_reduce(line, 6, 2, kept, NULL));
    assert_true(kept[0].id == 2 && kept[1].id == 5);
}

/* The hull of contacts almost on a line has rounding errors as large as its area, which is never negative. */
static void almost_collinear(void **state) {
    (void)state;
    random_state random = random_make(random_seed("almost_collinear", 84));
    for (int i = 0; i < 20000; i++) {
        abut_contact contacts[12], kept[12];
        int32_t count = 3 + random_below(&random, 10);
        double size = random_log_range(&random, 1e-4, 1e4), across = random_log_range(&random, 1e-18, 1e-12);
        abut_vec3 normal = random_direction(&random), along = random_direction(&random), origin = random_vec3(&random, -1, 1);
        for (int32_t k = 0; k < count; k++) {
            abut_contact c = contact_at(0, 0, -0.01 * random_below(&random, 3), (uint64_t)k);
            abut_vec3 p = abut_add_scaled(origin, random_below(&random, 4) == 0 ? 0.5 : random_range(&random, -1, 1), along);
            c.on_b = abut_scale(size, abut_add_scaled(p, across, random_direction(&random)));
            c.on_a = abut_add_scaled(c.on_b, c.gap, normal);
            c.normal = normal;
            contacts[k] = c;
        }
        for (int32_t limit = 1; limit <= count; limit++) {
            abut_reduction reduction;
            assert_ok(abut_reduce(contacts, count, limit, kept, &reduction));
            assert_true(reduction.area_before >= 0.0 && reduction.area_after >= 0.0);
            assert_true(reduction.area_after <= 1e-11 * size * size);
        }
    }
}

static void duplicates(void **state) {
    (void)state;
    abut_contact contacts[12], kept[12];
    for (int i = 0; i < 12; i++) {
        contacts[i] = contact_at(cos(0.5 * PI * (i / 3)), sin(0.5 * PI * (i / 3)), -0.01, (uint64_t)i);
    }
    abut_reduction reduction;
    assert_ok(abut_reduce(contacts, 12, 4, kept, &reduction));
    sound(contacts, 12, 4, kept, &reduction, 1.0);
    assert_near(reduction.area_after, 2.0, 1e-12);
}

static void in_place(void **state) {
    (void)state;
    random_state random = random_make(random_seed("in_place", 81));
    for (int i = 0; i < 300; i++) {
        abut_contact contacts[40], kept[40], again[40];
        int32_t count = 1 + random_below(&random, 40), limit = 1 + random_below(&random, 12);
        double size = random_log_range(&random, 1e-4, 1e4);
        abut_vec3 u, v, normal = random_direction(&random);
        abut_tangent_frame(normal, &u, &v);
        for (int32_t k = 0; k < count; k++) {
            abut_contact c = contact_at(0, 0, size * random_range(&random, -0.1, 0.1), (uint64_t)k);
            c.on_b = abut_add(abut_scale(size * random_range(&random, -1, 1), u), abut_scale(size * random_range(&random, -1, 1), v));
            c.on_a = abut_add_scaled(c.on_b, c.gap, normal);
            c.normal = normal;
            contacts[k] = c;
        }
        abut_reduction reduction;
        assert_ok(abut_reduce(contacts, count, limit, kept, &reduction));
        sound(contacts, count, limit, kept, &reduction, size);
        assert_ok(abut_reduce(contacts, count, limit, again, NULL));
        assert_memory_equal(again, kept, (size_t)reduction.kept * sizeof *kept);
        assert_ok(abut_reduce(contacts, count, limit, contacts, NULL));
        assert_memory_equal(contacts, kept, (size_t)reduction.kept * sizeof *kept);
    }
}

/* On random polygons, also flat ones and with any corner the deepest, four points keep a good part of the area, and more points never keep
 * less. */
static void keeps_most_of_the_area(void **state) {
    (void)state;
    random_state random = random_make(random_seed("keeps_most_of_the_area", 82));
    double worst = 1.0;
    for (int i = 0; i < 300; i++) {
        abut_contact contacts[32], kept[32];
        int32_t count = 5 + random_below(&random, 28);
        double wide = random_range(&random, 0.2, 1.0);
        for (int32_t k = 0; k < count; k++) {
            double angle = 2.0 * PI * (k + random_range(&random, 0, 0.9)) / count;
            contacts[k] = contact_at(cos(angle), wide * sin(angle), random_range(&random, -0.1, 0.0), (uint64_t)k);
        }
        double before = 0.0;
        for (int32_t limit = 3; limit <= 8; limit++) {
            abut_reduction reduction;
            assert_ok(abut_reduce(contacts, count, limit, kept, &reduction));
            sound(contacts, count, limit, kept, &reduction, 1.0);
            assert_true(reduction.area_after >= before - 1e-12);
            before = reduction.area_after;
            if (limit == 4) {
                worst = fmin(worst, reduction.area_after / reduction.area_before);
            }
        }
    }
    printf("keeps_most_of_the_area: four points keep at least %.3f of it\n", worst);
    assert_true(worst >= 0.4);
}

/* Each further contact is the one that adds the most area: with one more allowed, the others stay, and no other choice spans more. */
static void each_one_adds_most_area(void **state) {
    (void)state;
    random_state random = random_make(random_seed("each_one_adds_most_area", 83));
    for (int i = 0; i < 200; i++) {
        abut_contact contacts[32], fewer[33], more[32];
        int32_t count = 6 + random_below(&random, 27);
        for (int32_t k = 0; k < count; k++) {
            double x = random_range(&random, -1, 1), y = random_range(&random, -1, 1), grid = i % 3 == 0 ? 4.0 : 1e6;
            contacts[k] = contact_at(round(x * grid) / grid, round(y * grid) / grid, random_range(&random, -0.1, 0.0), (uint64_t)k);
        }
        for (int32_t limit = 4; limit < count; limit++) {
            abut_reduction reduction;
            assert_ok(abut_reduce(contacts, count, limit, fewer, NULL));
            assert_ok(abut_reduce(contacts, count, limit + 1, more, &reduction));
            for (int32_t k = 0; k < count; k++) {
                fewer[limit] = contacts[k];
                assert_true(reduction.area_after >= area_of(fewer, limit + 1, contacts[k].normal) - 1e-12);
            }
        }
    }
}

/* As many contacts as two fine cylinders have, with many to keep. Regular polygons with half as many corners as are kept, and with as many,
 * bound the possible area. */
static void thousands_of_contacts(void **state) {
    (void)state;
    enum { COUNT = 16384, LIMIT = 4096 };
    abut_contact *contacts = check_memory(COUNT, sizeof *contacts), *kept = check_memory(LIMIT, sizeof *kept);
    for (int32_t i = 0; i < COUNT; i++) {
        contacts[i] = contact_at(cos(2 * PI * i / COUNT), sin(2 * PI * i / COUNT), i == 77 ? -0.02 : -0.01, (uint64_t)i);
    }
    abut_reduction reduction;
    assert_ok(abut_reduce(contacts, COUNT, LIMIT, kept, &reduction));
    assert_int_equal(reduction.kept, LIMIT);
    assert_near(reduction.area_before, 0.5 * COUNT * sin(2 * PI / COUNT), 1e-9);
    assert_true(reduction.area_after >= 0.5 * (LIMIT / 2) * sin(2 * PI / (LIMIT / 2)));
    assert_true(reduction.area_after <= 0.5 * LIMIT * sin(2 * PI / LIMIT) + 1e-9);
    free(contacts);
    free(kept);
}

static void bad_arguments(void **state) {
    (void)state;
    abut_contact contacts[2] = {contact_at(0, 0, 0, 1), contact_at(1, 0, 0, 2)}, kept[2];
    assert_status(abut_reduce(contacts, 2, 0, kept, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_reduce(contacts, 2, -1, kept, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_reduce(contacts, -1, 1, kept, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_reduce(NULL, 2, 1, kept, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_reduce(contacts, 2, 1, NULL, NULL), ABUT_ERROR_INVALID_ARGUMENT);
}

/* NaN inputs give a status or contacts, and never a write outside the arrays. */
static void not_finite(void **state) {
    (void)state;
    for (int32_t bad = 0; bad < 6; bad++) {
        abut_contact contacts[6], kept[6];
        for (int i = 0; i < 6; i++) {
            contacts[i] = contact_at(cos(1.0 * i), sin(1.0 * i), -0.01 * i, (uint64_t)i);
        }
        contacts[bad].on_b.x = NAN;
        abut_reduction reduction = {.kept = -1};
        abut_status status = abut_reduce(contacts, 6, 4, kept, &reduction);
        assert_status(status, ABUT_ERROR_NOT_FINITE);
        assert_int_equal(reduction.kept, -1);
        contacts[bad].on_b = abut_vec3_make(INFINITY, -INFINITY, 0);
        contacts[bad].gap = NAN;
        status = abut_reduce(contacts, 6, 4, kept, NULL);
        assert_status(status, ABUT_ERROR_NOT_FINITE);
    }
    abut_contact all[6], kept[6];
    for (int i = 0; i < 6; i++) {
        all[i] = contact_at(NAN, NAN, NAN, (uint64_t)i);
        all[i].normal = abut_vec3_make(NAN, 0, 0);
    }
    for (int32_t limit = 1; limit <= 6; limit++) {
        abut_status status = abut_reduce(all, 6, limit, kept, NULL);
        assert_status(status, ABUT_ERROR_NOT_FINITE);
    }
}

static void out_of_memory(void **state) {
    (void)state;
    abut_contact contacts[6], kept[6], untouched[6];
    for (int i = 0; i < 6; i++) {
        contacts[i] = contact_at(cos(1.0 * i), sin(1.0 * i), -0.01 * i, (uint64_t)i);
    }
    counting_allocator memory;
    int64_t refused = 0;
    do {
        memory = (counting_allocator){.refuse_at = refused++};
        memset(kept, 0x5a, sizeof kept);
        memset(untouched, 0x5a, sizeof untouched);
        abut_reduction reduction = {.kept = -1};
        counting_allocator_install(&memory);
        abut_status status = abut_reduce(contacts, 6, 4, kept, &reduction);
        counting_allocator_remove();
        assert_int_equal(memory.live, 0);
        assert_status(status, memory.refused ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK);
        if (memory.refused) {
            assert_memory_equal(kept, untouched, sizeof kept);
            assert_int_equal(reduction.kept, -1);
        }
    } while (memory.refused);
}

/* Distances and areas overflow: the choice of contacts is then meaningless, but their number is right. */
static void huge(void **state) {
    (void)state;
    abut_contact contacts[6], kept[6];
    for (int i = 0; i < 6; i++) {
        contacts[i] = contact_at(1e300 * cos(1.0 * i), 1e300 * sin(1.0 * i), -0.01 * i, (uint64_t)i);
    }
    for (int32_t limit = 1; limit <= 6; limit++) {
        abut_reduction reduction = {.kept = -1};
        assert_ok(abut_reduce(contacts, 6, limit, kept, &reduction));
        assert_int_equal(reduction.kept, limit);
        assert_true(kept[limit - 1].id == 5); /* the deepest one, last in order */
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_are_copied),
        cmocka_unit_test(octagon),
        cmocka_unit_test(deepest_inside),
        cmocka_unit_test(collinear_and_equal),
        cmocka_unit_test(almost_collinear),
        cmocka_unit_test(duplicates),
        cmocka_unit_test(in_place),
        cmocka_unit_test(keeps_most_of_the_area),
        cmocka_unit_test(bad_arguments),
        cmocka_unit_test(not_finite),
        cmocka_unit_test(huge),
        cmocka_unit_test(out_of_memory),
        cmocka_unit_test(each_one_adds_most_area),
        cmocka_unit_test(thousands_of_contacts),
    };
    return cmocka_run_group_tests_name("narrow/reduce", tests, NULL, NULL);
}
