/* Endings of file names. */
#include "io/file/ending.h"

#include "support/check.h"

static void test_endings(void **state) {
    (void)state;
    assert_true(file_has_ending("part.obj", ".obj"));
    assert_true(file_has_ending("a.b/PART.Obj", ".obj"));
    assert_true(file_has_ending(".obj", ".obj"));
    assert_false(file_has_ending("obj", ".obj"));
    assert_false(file_has_ending("part.obj.gz", ".obj"));
    assert_false(file_has_ending("part.gltf", ".glb"));
    assert_false(file_has_ending("", ".obj"));
    assert_false(file_has_ending("-", ".obj"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_endings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
