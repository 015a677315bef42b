/* What stands still around a contact, where memory is refused while its parts are picked. */
#include "narrow/seam/around.h"

#include "support/allocator.h"
#include "support/check.h"
#include "support/shapes.h"

enum { PARTS = 60 };

/* No part is lost in silence, and none is made of memory that nobody wrote, whichever request is refused. */
static void parts_are_picked_without_memory(void **state) {
    (void)state;
    abut_shape *ball = sphere(1.0);
    const abut_mat3 turn = abut_mat3_from_quat(abut_quat_identity());
    const abut_vec3 origin = {0, 0, 0};
    surroundings around = {.still = ball, .rotation = turn, .box = {{-1, -1, -1}, {1, 1, 1}}};
    around.all.scale = (still_scale){1e-6, 1e-6, 1.0};
    for (int i = 0; i < PARTS; ++i) {
        still_part part = still_part_of(ball, turn, origin);
        still_add(&around.all, &part);
    }
    assert_int_equal(around.all.count, PARTS);
    bool refused = true;
    for (int64_t at = 0; refused; ++at) {
        still_solid near = {.scale = around.all.scale};
        counting_allocator memory = {.refuse_at = at};
        counting_allocator_install(&memory);
        surroundings_pick(&around, -1, origin, &near);
        counting_allocator_remove();
        refused = memory.refused;
        assert_true(near.out_of_memory == refused);
        assert_true(refused ? near.count < PARTS : near.count == PARTS);
        assert_true(near.count <= near.capacity);
        for (int32_t i = 0; i < near.count; ++i) {
            assert_ptr_equal(near.part[i].shape, ball);
        }
        still_release(&near);
        assert_int_equal(memory.live, 0);
    }
    surroundings_release(&around);
    abut_shape_release(ball);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(parts_are_picked_without_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
