/* Matching of contacts between steps: by id, by place if the id is new, and not at all if neither fits. */
#include "support/check.h"

#include "step/fixed/contact_memory.h"

enum { COUNT = 5 };

static abut_world_contact contact_of(uint64_t id) {
    abut_world_contact contact = {.contact = {.id = id}};
    return contact;
}

static contact_memory memory_of(double force, double x) {
    contact_memory memory = {.force = force, .friction = {force, 0, 0}, .place = {x, 0, 0}};
    return memory;
}

static void test_by_id(void **state) {
    (void)state;
    abut_world_contact old[COUNT], now[COUNT];
    contact_memory was[COUNT], is[COUNT];
    for (int i = 0; i < COUNT; i++) {
        old[i] = contact_of((uint64_t)(10 + i));
        was[i] = memory_of(1.0 + i, i);
        now[i] = contact_of((uint64_t)(10 + (i + 2) % COUNT)); /* another order, far from where they were */
        is[i] = memory_of(0.0, 100.0 + i);
    }
    recall_forces((recall_past){old, was, COUNT}, now, is, COUNT, 0.5);
    for (int i = 0; i < COUNT; i++) {
        assert_true(is[i].force == 1.0 + (i + 2) % COUNT);
        assert_true(is[i].friction.x == is[i].force);
        assert_true(is[i].place.x == 100.0 + i);
    }
}

static void test_by_place(void **state) {
    (void)state;
    abut_world_contact old[2] = {contact_of(1), contact_of(2)}, now[3] = {contact_of(1), contact_of(7), contact_of(8)};
    contact_memory was[2] = {memory_of(5.0, 0.0), memory_of(6.0, 1.0)};
    contact_memory is[3] = {memory_of(0.0, 0.0), memory_of(0.0, 1.1), memory_of(0.0, 1.05)};
    recall_forces((recall_past){old, was, 2}, now, is, 3, 0.2);
    assert_true(is[0].force == 5.0); /* by its id */
    assert_true(is[1].force == 6.0); /* the contact that disappeared was near */
    assert_true(is[2].force == 0.0); /* it is already matched */
}

static void test_too_far_is_new(void **state) {
    (void)state;
    abut_world_contact old[1] = {contact_of(1)}, now[1] = {contact_of(2)};
    contact_memory was[1] = {memory_of(5.0, 0.0)}, is[1] = {memory_of(0.0, 0.3)};
    recall_forces((recall_past){old, was, 1}, now, is, 1, 0.2);
    assert_true(is[0].force == 0.0);
    recall_forces((recall_past){NULL, NULL, 0}, now, is, 1, 0.2);
    assert_true(is[0].force == 0.0);
}

static void test_hundreds_of_contacts(void **state) {
    (void)state;
    enum { MANY = 300 };
    static abut_world_contact old[MANY], now[MANY];
    static contact_memory was[MANY], is[MANY];
    for (int i = 0; i < MANY; i++) {
        old[i] = contact_of((uint64_t)(1000 + i));
        was[i] = memory_of(1.0 + i, i);
        now[i] = contact_of((uint64_t)(1000 + MANY - 1 - i));
        is[i] = memory_of(0.0, i);
    }
    recall_forces((recall_past){old, was, MANY}, now, is, MANY, 0.5);
    for (int i = 0; i < MANY; i++) {
        assert_true(is[i].force == (double)(MANY - i));
    }
}

/* A patch keeps its load when contacts disappear: new contacts take it, or else all in proportion. */
static void test_lost_forces(void **state) {
    (void)state;
    abut_world_contact old[3] = {contact_of(1), contact_of(2), contact_of(3)};
    contact_memory was[3] = {memory_of(5.0, 0.0), memory_of(6.0, 1.0), memory_of(7.0, 2.0)};
    const recall_past past = {old, was, 3};
    abut_world_contact now[3] = {contact_of(1), contact_of(7), contact_of(8)};
    contact_memory is[3] = {memory_of(5.0, 0.0), memory_of(0.0, 9.0), memory_of(0.0, 8.0)};
    is[1].mean = is[2].mean = -1.0;
    recall_lost_forces(past, now, is, 3);
    assert_true(is[0].force == 5.0 && is[1].force == 6.5 && is[2].force == 6.5 && is[1].mean == 6.5);
    assert_true(is[1].friction.x == 6.5);
    contact_memory few[2] = {memory_of(5.0, 0.0), memory_of(6.0, 1.0)};
    recall_lost_forces(past, now, few, 2);
    assert_near(few[0].force, 5.0 * 18.0 / 11.0, 1e-12);
    assert_near(few[1].force, 6.0 * 18.0 / 11.0, 1e-12);
    contact_memory same[3] = {was[0], was[1], was[2]};
    recall_lost_forces(past, old, same, 3);
    assert_true(same[0].force == 5.0 && same[1].force == 6.0 && same[2].force == 7.0);
    now[2].contact.patch = 1; /* of two patches nobody knows which one has lost it */
    contact_memory two[3] = {memory_of(5.0, 0.0), memory_of(0.0, 9.0), memory_of(0.0, 8.0)};
    two[1].mean = two[2].mean = -1.0;
    recall_lost_forces(past, now, two, 3);
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
