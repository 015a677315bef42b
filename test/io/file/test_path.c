/* The parts of paths, as this system and as Windows see them. */
#include "io/file/path.h"

#include <string.h>

#include "support/check.h"

/* The functions for Windows need nothing of Windows. */
#define path_is_separator windows_is_separator
#define path_folder_length windows_folder_length
#define path_is_absolute windows_is_absolute
#include "io/file/windows/path.c"
#undef path_is_separator
#undef path_folder_length
#undef path_is_absolute

typedef struct expected {
    const char *path, *folder; /* the folder ends with its separator */
    bool is_absolute;
} expected;

static void check(const expected *one, size_t folder, bool is_absolute) {
    if (folder != strlen(one->folder) || strncmp(one->path, one->folder, folder) != 0 || is_absolute != one->is_absolute) {
        fail_msg("'%s': a folder of %zu bytes, absolute: %d", one->path, folder, (int)is_absolute);
    }
}

static void test_posix(void **state) {
    (void)state;
    static const expected paths[] = {{"", "", false},      {"a", "", false},        {"/", "/", true},       {"/a", "/", true},
                                     {"a/b", "a/", false}, {"a/b/", "a/b/", false}, {"../a", "../", false}, {"C:/a", "C:/", false},
                                     {"a\\b", "", false},  {"\\a", "", false}};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        check(&paths[i], path_folder_length(paths[i].path), path_is_absolute(paths[i].path));
    }
    assert_true(path_is_separator('/') && !path_is_separator('\\'));
}

static void test_windows(void **state) {
    (void)state;
    static const expected paths[] = {{"", "", false},
                                     {"a", "", false},
                                     {"a/b", "a/", false},
                                     {"a\\b", "a\\", false},
                                     {"a\\b/c", "a\\b/", false},
                                     {"..\\a", "..\\", false},
                                     {"C:\\a\\b", "C:\\a\\", true},
                                     {"c:/b", "c:/", true},
                                     {"C:a", "C:", true},
                                     {"C:", "C:", true},
                                     {"\\a", "\\", true},
                                     {"/a", "/", true},
                                     {"\\\\server\\share\\a", "\\\\server\\share\\", true},
                                     {"1:a", "", false}};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        check(&paths[i], windows_folder_length(paths[i].path), windows_is_absolute(paths[i].path));
    }
    assert_true(windows_is_separator('/') && windows_is_separator('\\') && !windows_is_separator(':'));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_posix), cmocka_unit_test(test_windows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
