/* Whole files, and paths relative to a file. */
#include "io/file/file.h"
#include "support/io_files.h"

#include <unistd.h>

static void test_contents_and_zero(void **state) {
    (void)state;
    for (size_t size = 0; size < 3; size++) {
        const char *path = scratch_write("three", "a\0b", size);
        char *data = NULL;
        size_t length = 99;
        assert_ok(file_read(path, 100, &data, &length, NULL));
        assert_int_equal(length, size);
        assert_memory_equal(data, "a\0b", size);
        assert_int_equal(data[size], 0);
        free(data);
    }
}

static void test_limit(void **state) {
    (void)state;
    const char *path = scratch_text("five", "12345");
    char *data = NULL;
    size_t length = 0;
    assert_ok(file_read(path, 5, &data, &length, NULL));
    free(data);
    data = NULL;
    abut_error error;
    assert_status(file_read(path, 4, &data, &length, &error), ABUT_ERROR_FILE);
    assert_null(data);
    assert_non_null(strstr(error.message, "larger than the limit"));
}

/* A pipe, whose size is unknown, is read to its end or to the limit. */
static void test_pipe(void **state) {
    (void)state;
    const char *path = scratch_path("pipe");
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    enum { SIZE = 200000 };
    for (int round = 0; round < 2; round++) {
        pid_t writer = fork();
        assert_true(writer >= 0);
        if (writer == 0) {
            FILE *file = fopen(path, "wb");
            for (int i = 0; file && i < SIZE; i++) {
                fputc("abc"[i % 3], file);
            }
            _exit(file ? 0 : 1);
        }
        char *data = NULL;
        size_t length = 0;
        if (round == 0) {
            assert_ok(file_read(path, SIZE, &data, &length, NULL));
            assert_true(length > 0 && length <= SIZE);
            for (size_t i = 0; i < length; i++) {
                assert_int_equal(data[i], "abc"[i % 3]);
            }
            free(data);
        } else {
            assert_status(file_read(path, SIZE / 100, &data, &length, NULL), ABUT_ERROR_FILE);
        }
    }
    unlink(path);
}

static void test_a_dash_is_the_standard_input(void **state) {
    (void)state;
    char *data = NULL;
    size_t length = 0;
    int pipes[2];
    assert_int_equal(pipe(pipes), 0);
    assert_int_equal(write(pipes[1], "text", 4), 4);
    close(pipes[1]);
    dup2(pipes[0], STDIN_FILENO);
    close(pipes[0]);
    assert_ok(file_read("-", 100, &data, &length, NULL));
    assert_int_equal(length, 4);
    assert_string_equal(data, "text");
    free(data);
}

static void test_refusals(void **state) {
    (void)state;
    char *data = NULL;
    size_t length = 0;
    abut_error error;
    char expected[1200];
    assert_status(file_read(scratch_path("missing"), 100, &data, &length, &error), ABUT_ERROR_FILE);
    snprintf(expected, sizeof expected, "%s: cannot be read: No such file or directory", scratch_path("missing"));
    assert_string_equal(error.message, expected);
    assert_status(file_read(ABUT_TEST_SCRATCH_DIR, 100, &data, &length, &error), ABUT_ERROR_FILE);
    snprintf(expected, sizeof expected, "%s: is a folder, not a file", ABUT_TEST_SCRATCH_DIR);
    assert_string_equal(error.message, expected);
    const char *path = scratch_text("locked", "x");
    chmod(path, 0);
    if (access(path, R_OK) != 0) { /* root may read everything */
        assert_status(file_read(path, 100, &data, &length, &error), ABUT_ERROR_FILE);
    }
    chmod(path, 0600);
    assert_null(data);
}

static void test_paths_beside(void **state) {
    (void)state;
    static const char *const cases[][3] = {
        {"scenes/wall.json", "x.obj", "scenes/x.obj"},
        {"wall.json", "x.obj", "x.obj"},
        {"/wall.json", "x.obj", "/x.obj"},
        {"scenes/wall.json", "/x.obj", "/x.obj"},
        {"a/b/c.json", "../x.obj", "a/b/../x.obj"},
        {"a/", "m/x.obj", "a/m/x.obj"},
        {"-", "x.obj", "x.obj"},
        {"a/b.json", "-", "a/-"},
        {"b.json", "-", "./-"}, /* "-" would be the standard input */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *path = file_path_beside(cases[i][0], cases[i][1]);
        assert_string_equal(path, cases[i][2]);
        free(path);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contents_and_zero), cmocka_unit_test(test_limit),        cmocka_unit_test(test_pipe),
        cmocka_unit_test(test_refusals),          cmocka_unit_test(test_paths_beside), cmocka_unit_test(test_a_dash_is_the_standard_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
