/* Names that lead to one file: all pairs of a set of names whose files are known. */
#define _XOPEN_SOURCE 700

#include "io/file/same.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/check.h"
#include "support/files.h"

#define FOLDER ABUT_TEST_SCRATCH_DIR "/same"

/* A name in FOLDER and the file that it leads to. */
typedef struct name {
    const char *text;
    int file; /* < 0: of a kind that is never replaced, or nowhere */
} name;

static const name names[] = {
    {"old", 0},
    {"./old", 0},
    {"inner/../old", 0},
    {"inner//../inner/back/old", 0},
    {"to_old", 0},
    {"hard", 0},
    {"inner/up", 0},
    {"new", 1},
    {"./new", 1},
    {"inner/back/new", 1},
    {"to_new", 1},
    {"inner/to_to_new", 1},
    {"inner/new", 2},
    {"inner/./new", 2},
    {"other", 3},
    {"inner", 4},
    {"inner/.", 4},
    {"/dev/null", -1},
    {"/dev/../dev/null", -1},
    {"to_null", -1},
    {"loop", 5},
    {"nowhere/new", 6},
};

enum { COUNT = sizeof names / sizeof *names };

static void path_of(const char *text, char path[PATH_MAX]) {
    snprintf(path, PATH_MAX, "%s%s%s", text[0] == '/' ? "" : FOLDER, text[0] == '/' ? "" : "/", text);
}

static void make_files(void) {
    mkdir(FOLDER, 0777);
    files_empty_folder(FOLDER "/inner");
    rmdir(FOLDER "/inner");
    files_empty_folder(FOLDER);
    files_empty_folder(FOLDER "/inner");
    files_write(FOLDER "/old", "old", 3);
    files_write(FOLDER "/other", "other", 5);
    assert_int_equal(link(FOLDER "/old", FOLDER "/hard"), 0);
    const char *const links[][2] = {{"old", "to_old"}, {"../old", "inner/up"},           {"..", "inner/back"},
                                    {"new", "to_new"}, {"../to_new", "inner/to_to_new"}, {"/dev/null", "to_null"},
                                    {"loop", "loop"}};
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        char path[PATH_MAX];
        path_of(links[i][1], path);
        assert_int_equal(symlink(links[i][0], path), 0);
    }
}

static void test_names(void **state) {
    (void)state;
    make_files();
    for (int i = 0; i < COUNT; i++) {
        for (int k = 0; k < COUNT; k++) {
            char a[PATH_MAX], b[PATH_MAX];
            path_of(names[i].text, a);
            path_of(names[k].text, b);
            if (file_is_same(a, b) != (names[i].file >= 0 && names[i].file == names[k].file)) {
                fail_msg("'%s' and '%s'", names[i].text, names[k].text);
            }
        }
    }
}

static void test_names_that_are_too_long(void **state) {
    (void)state;
    char path[2 * PATH_MAX], found[PATH_MAX];
    memset(path, 'a', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    assert_false(file_final_name(path, found));
    assert_false(file_is_same(path, path));
    for (size_t length = 200; length < 300; length++) { /* beyond the longest name of a file: a name that leads nowhere */
        path[length] = '\0';
        assert_true(file_final_name(path, found));
        path[length] = 'a';
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_names), cmocka_unit_test(test_names_that_are_too_long)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
