/* Files that appear whole or not at all: the contents before, during and after writing, for every way in which writing can end. */
#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/file/output.h"
#include "support/files.h"

#define FOLDER ABUT_TEST_SCRATCH_DIR "/folder"
#define RESULT FOLDER "/result.txt"

static int empty_folder(void **state) {
    (void)state;
    files_limit(0);
    files_empty_folder(FOLDER);
    return 0;
}

static void assert_contents(const char *path, const char *expected) {
    size_t size;
    char *bytes = files_read(path, &size);
    assert_non_null(bytes);
    assert_int_equal(size, strlen(expected));
    assert_memory_equal(bytes, expected, size);
    free(bytes);
}

static output_file *begin(const char *path) {
    output_file *file = NULL;
    abut_error error = {0};
    if (output_open(path, OUTPUT_STREAM, &file, &error)) {
        fail_msg("%s", error.message);
    }
    return file;
}

static void test_a_new_file_appears_when_it_is_finished(void **state) {
    (void)state;
    output_file *file = begin(RESULT);
    assert_int_equal(output_write(file, "ab", 2, NULL), ABUT_OK);
    assert_int_equal(output_print(file, NULL, "%d\n", 12), ABUT_OK);
    assert_int_equal(access(RESULT, F_OK), -1);
    assert_int_equal(output_commit(file, NULL), ABUT_OK);
    assert_contents(RESULT, "ab12\n");
    assert_int_equal(files_count(FOLDER), 1);
}

static void test_an_old_file_stays_until_the_new_one_is_finished(void **state) {
    (void)state;
    files_write(RESULT, "old", 3);
    output_file *file = begin(RESULT);
    assert_int_equal(output_write(file, "new", 3, NULL), ABUT_OK);
    assert_contents(RESULT, "old");
    assert_int_equal(output_commit(file, NULL), ABUT_OK);
    assert_contents(RESULT, "new");
    assert_int_equal(files_count(FOLDER), 1);
}

static void test_a_discarded_file_leaves_nothing(void **state) {
    (void)state;
    files_write(RESULT, "old", 3);
    output_file *file = begin(RESULT);
    assert_int_equal(output_write(file, "new", 3, NULL), ABUT_OK);
    output_discard(file);
    output_discard(NULL);
    assert_contents(RESULT, "old");
    assert_int_equal(files_count(FOLDER), 1);
}

static void test_two_writers_of_one_name_do_not_meet(void **state) {
    (void)state;
    output_file *first = begin(RESULT), *second = begin(RESULT);
    assert_int_equal(output_write(first, "first", 5, NULL), ABUT_OK);
    assert_int_equal(output_write(second, "second", 6, NULL), ABUT_OK);
    assert_int_equal(output_commit(second, NULL), ABUT_OK);
    assert_contents(RESULT, "second");
    assert_int_equal(output_commit(first, NULL), ABUT_OK);
    assert_contents(RESULT, "first");
}

/* Larger than the buffer, in pieces that do not divide its size. */
static void test_many_pieces_arrive_in_order(void **state) {
    (void)state;
    enum { PIECE = 1013, PIECES = 300 };
    char *expected = malloc(PIECE * PIECES);
    assert_non_null(expected);
    for (int i = 0; i < PIECE * PIECES; i++) {
        expected[i] = (char)('a' + i * 31 % 26);
    }
    output_file *file = begin(RESULT);
    for (int i = 0; i < PIECES; i++) {
        assert_int_equal(output_write(file, expected + PIECE * i, PIECE, NULL), ABUT_OK);
    }
    assert_int_equal(output_commit(file, NULL), ABUT_OK);
    size_t size;
    char *bytes = files_read(RESULT, &size);
    assert_int_equal(size, PIECE * PIECES);
    assert_memory_equal(bytes, expected, size);
    free(bytes);
    free(expected);
}

static void write_through_a_link(void) {
    assert_int_equal(symlink("target", RESULT), 0);
    output_file *file = begin(RESULT);
    assert_int_equal(output_write(file, "new", 3, NULL), ABUT_OK);
    assert_int_equal(output_commit(file, NULL), ABUT_OK);
    struct stat link;
    assert_int_equal(lstat(RESULT, &link), 0);
    assert_true(S_ISLNK(link.st_mode));
    assert_contents(FOLDER "/target", "new");
}

static void test_a_link_is_followed(void **state) {
    (void)state;
    files_write(FOLDER "/target", "old", 3);
    write_through_a_link();
}

static void test_a_link_to_nothing_is_followed(void **state) {
    (void)state;
    write_through_a_link();
}

static void test_permissions_of_the_old_file_are_kept(void **state) {
    (void)state;
    files_write(RESULT, "old", 3);
    assert_int_equal(chmod(RESULT, 0640), 0);
    output_file *file = begin(RESULT);
    assert_int_equal(output_commit(file, NULL), ABUT_OK);
    struct stat after;
    assert_int_equal(stat(RESULT, &after), 0);
    assert_int_equal(after.st_mode & 07777, 0640);
}

static void test_long_names_have_room_for_the_temporary_one(void **state) {
    (void)state;
    char path[1024] = FOLDER "/";
    size_t length = strlen(path);
    memset(path + length, 'n', 255);
    path[length + 255] = '\0';
    output_file *file = begin(path);
    assert_int_equal(output_commit(file, NULL), ABUT_OK);
    assert_contents(path, "");
}

static void refused(const char *path, output_target target, const char *part) {
    output_file *file = NULL;
    abut_error error = {0};
    assert_int_not_equal(output_open(path, target, &file, &error), ABUT_OK);
    assert_null(file);
    if (!strstr(error.message, part) || !strstr(error.message, path)) {
        fail_msg("'%s' does not say '%s' of '%s'", error.message, part, path);
    }
}

static void test_temporary_files_can_be_removed_by_a_signal_handler(void **state) {
    (void)state;
    files_write(RESULT, "old", 3);
    assert_null(output_remove_temporaries());
    output_file *first = begin(RESULT), *second = begin(FOLDER "/other.txt");
    assert_int_equal(files_count(FOLDER), 3);
    assert_string_equal(output_remove_temporaries(), RESULT);
    assert_int_equal(files_count(FOLDER), 1);
    assert_contents(RESULT, "old");
    assert_null(output_remove_temporaries());
    output_discard(first);
    assert_int_equal(output_commit(second, NULL), ABUT_ERROR_FILE);
    assert_int_equal(output_commit(begin(RESULT), NULL), ABUT_OK);
    output_discard(begin(RESULT));
    assert_null(output_remove_temporaries());
    assert_int_equal(files_count(FOLDER), 1);
}

/* More than the list of open files has room for. */
static void test_many_files_are_written_at_once(void **state) {
    (void)state;
    enum { FILES = 80 };
    output_file *files[FILES];
    for (int i = 0; i < FILES; i++) {
        files[i] = begin(RESULT);
    }
    for (int i = 0; i < FILES; i++) {
        assert_int_equal(output_commit(files[i], NULL), ABUT_OK);
    }
    assert_int_equal(files_count(FOLDER), 1);
}

/* Begins the file in a process that is killed. */
static void begin_and_be_killed(const char *path) {
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        output_file *file = NULL;
        if (output_open(path, OUTPUT_STREAM, &file, NULL) == ABUT_OK) {
            raise(SIGKILL);
        }
        _exit(1);
    }
    int ended;
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFSIGNALED(ended) && WTERMSIG(ended) == SIGKILL);
}

static void test_the_next_writer_removes_what_a_killed_one_left(void **state) {
    (void)state;
    char path[1024] = FOLDER "/";
    size_t length = strlen(path);
    memset(path + length, 'n', 255);
    path[length + 255] = '\0';
    const char *paths[] = {RESULT, path};
    for (int i = 0; i < 2; i++) {
        files_write(paths[i], "old", 3);
        int before = files_count(FOLDER);
        begin_and_be_killed(paths[i]);
        assert_int_equal(files_count(FOLDER), before + 1);
        output_file *other = begin(FOLDER "/result.txt.txt"); /* of another name */
        assert_int_equal(files_count(FOLDER), before + 2);
        output_file *file = begin(paths[i]);
        assert_int_equal(files_count(FOLDER), before + 2);
        output_discard(other);
        output_discard(file);
        assert_int_equal(files_count(FOLDER), before);
        assert_contents(paths[i], "old");
        begin_and_be_killed(paths[i]);
        output_tidy(paths[i]);
        assert_int_equal(files_count(FOLDER), before);
    }
}

/* Names that only resemble those of temporary files, files of living writers, and what is no file. */
static void test_nothing_else_is_removed(void **state) {
    (void)state;
    const char *kept[] = {".result.txt",      ".result.txt.1",     ".result.txt.1-",   ".result.txt.-1",
                          ".result.txt.1-1~", ".result.txt.x1-1",  "result.txt.1-1",   ".result.txt1-1",
                          ".result_txt.1-1",  ".result.txt.1-1-1", ".other.txt.12-34", ".result.txt..1-1"};
    const int count = sizeof kept / sizeof *kept;
    char path[1024];
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/%s", FOLDER, kept[i]);
        files_write(path, "kept", 4);
    }
    assert_int_equal(symlink(".result.txt", FOLDER "/.result.txt.9-9"), 0);
    output_file *living = begin(RESULT);
    output_tidy(RESULT);
    output_file *second = begin(RESULT);
    assert_int_equal(files_count(FOLDER), count + 3);
    assert_int_equal(output_commit(living, NULL), ABUT_OK);
    output_discard(second);
    assert_int_equal(files_count(FOLDER), count + 2);
    files_write(FOLDER "/.result.txt.1-2", "abandoned", 9);
    output_tidy(RESULT);
    assert_int_equal(files_count(FOLDER), count + 2);
    output_tidy(FOLDER "/missing/result.txt");
    output_tidy("");
}

static void test_a_dash_is_the_standard_output(void **state) {
    (void)state;
    refused("-", OUTPUT_REGULAR, "not an ordinary file");
    fflush(stdout);
    int before = dup(STDOUT_FILENO), pipes[2];
    assert_true(before >= 0 && pipe(pipes) == 0);
    dup2(pipes[1], STDOUT_FILENO);
    close(pipes[1]);
    output_file *file = NULL;
    abut_status opened = output_open("-", OUTPUT_STREAM, &file, NULL), written = output_write(file, "text", 4, NULL);
    abut_status committed = output_commit(file, NULL);
    dup2(before, STDOUT_FILENO);
    close(before);
    char text[10];
    assert_int_equal(opened, ABUT_OK);
    assert_int_equal(written, ABUT_OK);
    assert_int_equal(committed, ABUT_OK);
    assert_int_equal(read(pipes[0], text, sizeof text), 4);
    assert_memory_equal(text, "text", 4);
    close(pipes[0]);
    assert_int_equal(files_count(FOLDER), 0);
}

static void test_what_cannot_be_written_is_named(void **state) {
    (void)state;
    refused("", OUTPUT_STREAM, "");
    refused(FOLDER, OUTPUT_STREAM, "directory");
    refused(FOLDER "/missing/result.txt", OUTPUT_STREAM, "create the folder first");
    files_write(RESULT, "old", 3);
    refused(RESULT "/below", OUTPUT_STREAM, "create the folder first");
    refused("/dev/full", OUTPUT_REGULAR, "not an ordinary file");
    if (geteuid() != 0) { /* root may write anything */
        assert_int_equal(chmod(RESULT, 0440), 0);
        refused(RESULT, OUTPUT_STREAM, "permissions");
    }
    assert_int_equal(output_open(NULL, OUTPUT_STREAM, NULL, NULL), ABUT_ERROR_INVALID_ARGUMENT);
}

static void test_a_device_is_written_directly_and_stays(void **state) {
    (void)state;
    output_file *file = begin("/dev/full");
    abut_error error = {0};
    assert_int_equal(output_write(file, "x", 1, &error), ABUT_OK);
    assert_int_equal(output_commit(file, &error), ABUT_ERROR_FILE);
    assert_non_null(strstr(error.message, "/dev/full"));
    struct stat device;
    assert_int_equal(stat("/dev/full", &device), 0);
    assert_true(S_ISCHR(device.st_mode));
    file = begin("/dev/null");
    assert_int_equal(output_write(file, "x", 1, &error), ABUT_OK);
    assert_int_equal(output_commit(file, &error), ABUT_OK);
    assert_int_equal(stat("/dev/null", &device), 0);
    assert_true(S_ISCHR(device.st_mode));
}

static void test_a_full_disk_leaves_the_old_file(void **state) {
    (void)state;
    files_write(RESULT, "old", 3);
    char *zeros = calloc(1, 1 << 20);
    assert_non_null(zeros);
    files_limit(1 << 18);
    output_file *file = begin(RESULT);
    abut_error error = {0};
    assert_int_equal(output_write(file, zeros, 1 << 20, &error), ABUT_ERROR_FILE);
    assert_non_null(strstr(error.message, RESULT));
    assert_int_equal(output_write(file, zeros, 1, NULL), ABUT_ERROR_FILE);
    error.message[0] = '\0';
    assert_int_equal(output_commit(file, &error), ABUT_ERROR_FILE);
    assert_non_null(strstr(error.message, RESULT));
    files_limit(0);
    assert_contents(RESULT, "old");
    assert_int_equal(files_count(FOLDER), 1);
    free(zeros);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_a_new_file_appears_when_it_is_finished, empty_folder),
        cmocka_unit_test_setup(test_an_old_file_stays_until_the_new_one_is_finished, empty_folder),
        cmocka_unit_test_setup(test_a_discarded_file_leaves_nothing, empty_folder),
        cmocka_unit_test_setup(test_two_writers_of_one_name_do_not_meet, empty_folder),
        cmocka_unit_test_setup(test_many_pieces_arrive_in_order, empty_folder),
        cmocka_unit_test_setup(test_a_link_is_followed, empty_folder),
        cmocka_unit_test_setup(test_a_link_to_nothing_is_followed, empty_folder),
        cmocka_unit_test_setup(test_permissions_of_the_old_file_are_kept, empty_folder),
        cmocka_unit_test_setup(test_long_names_have_room_for_the_temporary_one, empty_folder),
        cmocka_unit_test_setup(test_temporary_files_can_be_removed_by_a_signal_handler, empty_folder),
        cmocka_unit_test_setup(test_many_files_are_written_at_once, empty_folder),
        cmocka_unit_test_setup(test_the_next_writer_removes_what_a_killed_one_left, empty_folder),
        cmocka_unit_test_setup(test_nothing_else_is_removed, empty_folder),
        cmocka_unit_test_setup(test_a_dash_is_the_standard_output, empty_folder),
        cmocka_unit_test_setup(test_what_cannot_be_written_is_named, empty_folder),
        cmocka_unit_test_setup(test_a_device_is_written_directly_and_stays, empty_folder),
        cmocka_unit_test_setup(test_a_full_disk_leaves_the_old_file, empty_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
