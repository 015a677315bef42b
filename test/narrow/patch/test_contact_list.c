/* Ids of contacts: unique, and in any frame the same as by the plain rule, which the test has in its own words. */
#include "narrow/patch/contact_list.h"

#include <stdlib.h>

#include "support/check.h"
#include "support/random.h"

static double along(const abut_contact *p) {
    const abut_vec3 fixed_in_the_world = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
    return abut_dot(fixed_in_the_world, abut_add(p->on_a, p->on_b));
}

/* While two contacts share an id, the one that lies farther along the direction gets the next id of the chain. At one place it is the later one. */
static void rename_plainly(abut_contact *contact, int32_t count) {
    for (bool again = true; again;) {
        again = false;
        for (int32_t i = 0; i < count; i++) {
            for (int32_t k = i + 1; k < count; k++) {
                if (contact[i].id == contact[k].id) {
                    abut_contact *later = along(&contact[i]) <= along(&contact[k]) ? &contact[k] : &contact[i];
                    later->id = contact_mix(later->id + 1);
                    again = true;
                }
            }
        }
    }
}

/* The ids of contacts whose places are given in the world. The list has them in another frame. */
static void check_ids(const abut_contact *made, const abut_contact *expected, int32_t count, abut_quat frame) {
    abut_mat3 rotation = abut_mat3_from_quat(frame);
    contact_list list;
    contact_list_init(&list, 0, abut_vec3_make(0, 0, 1));
    for (int32_t i = 0; i < count; i++) {
        abut_contact contact = made[i];
        contact.on_a = abut_mat3_apply_transposed(rotation, contact.on_a);
        contact.on_b = abut_mat3_apply_transposed(rotation, contact.on_b);
        contact_list_add(&list, &contact);
    }
    contact_list_finish(&list, &rotation);
    assert_int_equal(list.count, count);
    for (int32_t i = 0; i < count; i++) {
        assert_true(list.items[i].id == expected[i].id);
    }
    contact_list_free(&list);
}

static void test_ids(void **state) {
    (void)state;
    random_state random = random_make(random_seed("contact_list", 1));
    for (int32_t sample = random_samples("contact_list", 5000); sample > 0; sample--) {
        int32_t count = random_below(&random, 2) == 0 ? 55 + random_below(&random, 20) : 1 + random_below(&random, 300);
        int32_t names = 1 + random_below(&random, 2 * count);
        abut_contact *made = check_memory((size_t)count, sizeof *made), *expected = check_memory((size_t)count, sizeof *expected);
        for (int32_t i = 0; i < count; i++) {
            abut_vec3 place =
                abut_vec3_make(random_below(&random, 4), random_below(&random, 4), random_below(&random, 2) * random_range(&random, 0, 1));
            made[i] = (abut_contact){.on_a = place, .on_b = place, .normal = {0, 0, 1}, .id = (uint64_t)random_below(&random, names)};
            if (random_below(&random, 10) == 0) {
                made[i].id = contact_mix((uint64_t)random_below(&random, names) + 1); /* what another contact may be renamed to */
            }
            expected[i] = made[i];
        }
        rename_plainly(expected, count);
        check_ids(made, expected, count, abut_quat_identity());
        check_ids(made, expected, count, random_rotation(&random));
        free(expected);
        free(made);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ids)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
