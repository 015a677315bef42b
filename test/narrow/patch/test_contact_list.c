/* Ids of contacts: unique, the same for many contacts as by the plain rule, which the test has in its own words. */
#include "narrow/patch/contact_list.h"

#include <stdlib.h>

#include "support/check.h"
#include "support/random.h"

static bool lies_before(const abut_contact *p, const abut_contact *q) {
    abut_vec3 a = abut_add(p->on_a, p->on_b), b = abut_add(q->on_a, q->on_b);
    return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
}

/* While two contacts share an id, the one that lies farther along the axes gets the next id of the chain. */
static void rename_plainly(abut_contact *contact, int32_t count) {
    for (bool again = true; again;) {
        again = false;
        for (int32_t i = 0; i < count; i++) {
            for (int32_t k = i + 1; k < count; k++) {
                if (contact[i].id == contact[k].id) {
                    abut_contact *later = lies_before(&contact[i], &contact[k]) ? &contact[k] : &contact[i];
                    later->id = contact_mix(later->id + 1);
                    again = true;
                }
            }
        }
    }
}

static void test_ids(void **state) {
    (void)state;
    random_state random = random_make(random_seed("contact_list", 1));
    for (int32_t sample = random_samples("contact_list", 5000); sample > 0; sample--) {
        int32_t count = random_below(&random, 2) == 0 ? 55 + random_below(&random, 20) : 1 + random_below(&random, 300);
        int32_t names = 1 + random_below(&random, 2 * count);
        contact_list list;
        contact_list_init(&list, 0, abut_vec3_make(0, 0, 1));
        abut_contact *expected = check_memory((size_t)count, sizeof *expected);
        for (int32_t i = 0; i < count; i++) {
            abut_vec3 place =
                abut_vec3_make(random_below(&random, 4), random_below(&random, 4), random_below(&random, 2) * random_range(&random, 0, 1));
            expected[i] = (abut_contact){.on_a = place, .on_b = place, .normal = {0, 0, 1}, .id = (uint64_t)random_below(&random, names)};
            if (random_below(&random, 10) == 0) {
                expected[i].id = contact_mix((uint64_t)random_below(&random, names) + 1); /* what another contact may be renamed to */
            }
            contact_list_add(&list, &expected[i]);
        }
        rename_plainly(expected, count);
        contact_list_finish(&list);
        assert_int_equal(list.count, count);
        for (int32_t i = 0; i < count; i++) {
            assert_true(list.items[i].id == expected[i].id);
        }
        contact_list_free(&list);
        free(expected);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ids)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
