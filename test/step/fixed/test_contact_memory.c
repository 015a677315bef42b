/* Matching of contacts between steps: by id, by place if the id is new, and not at all if neither fits. */
#include "support/check.h"

#include "step/fixed/contact_memory.h"

enum { COUNT = 5 };

static contact_memory memory_of(uint64_t id, double force, double x) {
    contact_memory memory = {.force = force, .friction = {force, 0, 0}, .id = id, .place = {x, 0, 0}};
    return memory;
}

static void test_by_id(void **state) {
    (void)state;
    contact_memory was[COUNT], is[COUNT];
    for (int i = 0; i < COUNT; i++) {
        was[i] = memory_of((uint64_t)(10 + i), 1.0 + i, i);
        is[i] = memory_of((uint64_t)(10 + (i + 2) % COUNT), 0.0, 100.0 + i); /* another order, far from where they were */
    }
    recall_forces((recall_past){was, COUNT}, is, COUNT, 0.5);
    for (int i = 0; i < COUNT; i++) {
        assert_true(is[i].force == 1.0 + (i + 2) % COUNT);
        assert_true(is[i].friction.x == is[i].force);
        assert_true(is[i].place.x == 100.0 + i);
    }
}

static void test_by_place(void **state) {
    (void)state;
    contact_memory was[2] = {memory_of(1, 5.0, 0.0), memory_of(2, 6.0, 1.0)};
    contact_memory is[3] = {memory_of(1, 0.0, 0.0), memory_of(7, 0.0, 1.1), memory_of(8, 0.0, 1.05)};
    recall_forces((recall_past){was, 2}, is, 3, 0.2);
    assert_true(is[0].force == 5.0); /* by its id */
    assert_true(is[1].force == 6.0); /* the contact that disappeared was near */
    assert_true(is[2].force == 0.0); /* it is already matched */
}

static void test_too_far_is_new(void **state) {
    (void)state;
    contact_memory was[1] = {memory_of(1, 5.0, 0.0)}, is[1] = {memory_of(2, 0.0, 0.3)};
    recall_forces((recall_past){was, 1}, is, 1, 0.2);
    assert_true(is[0].force == 0.0);
    recall_forces((recall_past){NULL, 0}, is, 1, 0.2);
    assert_true(is[0].force == 0.0);
}

static void test_hundreds_of_contacts(void **state) {
    (void)state;
    enum { MANY = 300 };
    static contact_memory was[MANY], is[MANY];
    for (int i = 0; i < MANY; i++) {
        was[i] = memory_of((uint64_t)(1000 + i), 1.0 + i, i);
        is[i] = memory_of((uint64_t)(1000 + MANY - 1 - i), 0.0, i);
    }
    recall_forces((recall_past){was, MANY}, is, MANY, 0.5);
    for (int i = 0; i < MANY; i++) {
        assert_true(is[i].force == (double)(MANY - i));
    }
}

/* A patch keeps its load when contacts disappear: new contacts take it, or else all in proportion. */
static void test_lost_forces(void **state) {
    (void)state;
    contact_memory was[3] = {memory_of(1, 5.0, 0.0), memory_of(2, 6.0, 1.0), memory_of(3, 7.0, 2.0)};
    const recall_past past = {was, 3};
    contact_memory is[3] = {memory_of(1, 5.0, 0.0), memory_of(7, 0.0, 9.0), memory_of(8, 0.0, 8.0)};
    is[1].mean = is[2].mean = -1.0;
    recall_lost_forces(past, is, 3);
    assert_true(is[0].force == 5.0 && is[1].force == 6.5 && is[2].force == 6.5 && is[1].mean == 6.5);
    assert_true(is[1].friction.x == 6.5);
    contact_memory few[2] = {memory_of(1, 5.0, 0.0), memory_of(7, 6.0, 1.0)};
    recall_lost_forces(past, few, 2);
    assert_near(few[0].force, 5.0 * 18.0 / 11.0, 1e-12);
    assert_near(few[1].force, 6.0 * 18.0 / 11.0, 1e-12);
    contact_memory same[3] = {was[0], was[1], was[2]};
    recall_lost_forces(past, same, 3);
    assert_true(same[0].force == 5.0 && same[1].force == 6.0 && same[2].force == 7.0);
    /* of two patches nobody knows which one has lost it */
    contact_memory two[3] = {memory_of(1, 5.0, 0.0), memory_of(7, 0.0, 9.0), memory_of(8, 0.0, 8.0)};
    two[1].mean = two[2].mean = -1.0;
    two[2].patch = 1;
    recall_lost_forces(past, two, 3);
    assert_true(two[1].force == 0.0 && two[2].force == 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lost_forces),
        cmocka_unit_test(test_by_id),
        cmocka_unit_test(test_by_place),
        cmocka_unit_test(test_too_far_is_new),
        cmocka_unit_test(test_hundreds_of_contacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
