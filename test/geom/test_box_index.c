/* The boxes that meet a box, compared with a loop over all. */
#include "geom/box_index.h"

#include "support/allocator.h"
#include "support/check.h"
#include "support/random.h"

enum { MOST = 600 };

static abut_aabb random_box(random_state *random, double size) {
    abut_vec3 at = random_vec3(random, -1, 1), half = random_vec3(random, 0, size);
    return (abut_aabb){abut_sub(at, half), abut_add(at, half)};
}

static bool meets(abut_aabb p, abut_aabb q) {
    return p.lower.x <= q.upper.x && q.lower.x <= p.upper.x && p.lower.y <= q.upper.y && q.lower.y <= p.upper.y && p.lower.z <= q.upper.z &&
           q.lower.z <= p.upper.z;
}

/* Hits ascend, each one at most once, and every box that meets is among them. */
static void check_hits(const box_hits *hits, const abut_aabb *boxes, int32_t count, abut_aabb asked) {
    assert_true(hits->all ? hits->count == count : hits->count <= BOX_INDEX_ROOM);
    int32_t at = 0;
    for (int32_t i = 0; i < count; i++) {
        bool found = at < hits->count && box_hits_item(hits, at) == i;
        at += found;
        assert_true(found || !meets(boxes[i], asked));
    }
    assert_int_equal(at, hits->count);
}

static void test_finds(void **state) {
    (void)state;
    static abut_aabb boxes[MOST];
    uint64_t seed = random_seed("boxes", 20261201);
    int runs = random_samples("boxes", 60), few = 0, all = 0;
    for (int r = 0; r < runs; r++) {
        random_state random = random_make(seed + (uint64_t)r);
        int32_t count = 1 + random_below(&random, MOST);
        for (int32_t i = 0; i < count; i++) {
            boxes[i] = random_box(&random, r % 3 == 0 ? 0.5 : 0.05);
        }
        box_index index;
        assert_true(box_index_make(&index, boxes, count));
        for (int k = 0; k < 50; k++) {
            abut_aabb asked = random_box(&random, random_log_range(&random, 1e-6, 4.0));
            box_hits hits;
            box_index_find(&index, asked, &hits);
            check_hits(&hits, boxes, count, asked);
            few += hits.count < count;
            all += hits.all;
        }
        box_index_release(&index);
    }
    if (!(few > 20 * runs && all > runs)) {
        fail_msg("%d of %d with few, %d with all", few, 50 * runs, all);
    }
}

static void test_without_memory(void **state) {
    (void)state;
    abut_aabb boxes[100];
    random_state random = random_make(20261202);
    for (int i = 0; i < 100; i++) {
        boxes[i] = random_box(&random, 0.1);
    }
    counting_allocator memory;
    int64_t refused = 0;
    do {
        memory = (counting_allocator){.refuse_at = refused++};
        counting_allocator_install(&memory);
        box_index index;
        bool made = box_index_make(&index, boxes, 100);
        counting_allocator_remove();
        assert_int_equal(made, !memory.refused);
        box_index_release(&index);
        assert_int_equal(memory.live, 0);
    } while (memory.refused);
    assert_true(refused > 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_finds), cmocka_unit_test(test_without_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
