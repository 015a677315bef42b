/* The version: the headers, CMake and the library agree, and so do the lists of optional parts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include <abut/base.h>

static void test_version_is_the_headers(void **state) {
    (void)state;
    char expected[64];
    snprintf(expected, sizeof expected, "%d.%d.%d", ABUT_VERSION_MAJOR, ABUT_VERSION_MINOR, ABUT_VERSION_PATCH);
    assert_string_equal(abut_version(), expected);
}

static void test_version_is_the_builds(void **state) {
    (void)state;
    assert_string_equal(abut_version(), ABUT_TEST_VERSION);
}

static void test_capabilities_are_the_builds(void **state) {
    (void)state;
    assert_int_equal(abut_has(ABUT_CAPABILITY_HULL), ABUT_TEST_HAS_HULL);
    assert_int_equal(abut_has(ABUT_CAPABILITY_THREADS), ABUT_TEST_HAS_THREADS);
}

static void test_no_such_capability(void **state) {
    (void)state;
    const int outside[] = {-1, 2, 1000};
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
        abut_capability capability;
        memcpy(&capability, &outside[i], sizeof capability);
        assert_false(abut_has(capability));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_version_is_the_headers),
        cmocka_unit_test(test_version_is_the_builds),
        cmocka_unit_test(test_capabilities_are_the_builds),
        cmocka_unit_test(test_no_such_capability),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
