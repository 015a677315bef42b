/* Pairs of tetrahedra from tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <locale.h>

#include "support/io_files.h"
#include "io/tet/pairs_file.h"
#include "support/random.h"

/* Coordinates 1, 2, 3, ... */
#define CORNERS "1,2,3, 4,5,6, 7,8,9, 10,11,12, 13,14,15, 16,17,18, 19,20,21, 22,23,24"

static abut_pairsfile *right_pairs(const char *text) {
    abut_pairsfile *file = NULL;
    abut_error error = {ABUT_OK, ""};
    if (abut_pairsfile_load(scratch_text("pairs.csv", text), &file, &error) != ABUT_OK) {
        fail_msg("%s", error.message);
    }
    return file;
}

static void test_elements(void **state) {
    (void)state;
    static const char *const texts[] = {
        "3,-4\n9000000000000000000,0\n",
        "a,b\n3,-4\n9000000000000000000,0",
        "\357\273\277element of A, element of B\r\n\r\n3 ,\t-4\r\n# none\r\n 9000000000000000000 ,0 # the second\r\n\r\n",
        "# first\n3,-4#x,y,z\n\n\n9000000000000000000,0\n  # last",
    };
    static const int32_t lines[][2] = {{1, 2}, {2, 3}, {3, 5}, {2, 5}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        abut_pairsfile *file = right_pairs(texts[i]);
        assert_int_equal(file->count, 2);
        assert_null(file->corners);
        assert_memory_equal(file->elements, ((int64_t[]){3, -4, 9000000000000000000, 0}), 4 * sizeof(int64_t));
        assert_memory_equal(file->lines, lines[i], sizeof lines[i]);
        abut_pairsfile_destroy(file);
    }
}

static void test_corners(void **state) {
    (void)state;
    abut_pairsfile *file = right_pairs("names\n" CORNERS "\n0x1p-3,1e-320,.5,-0,+7,3.,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1e308\n");
    assert_int_equal(file->count, 2);
    assert_null(file->elements);
    for (int i = 0; i < 8; i++) {
        abut_vec3 c = file->corners[i];
        assert_true(c.x == 3 * i + 1 && c.y == 3 * i + 2 && c.z == 3 * i + 3);
    }
    abut_vec3 first = file->corners[8], second = file->corners[9], last = file->corners[15];
    assert_true(first.x == 0.125 && first.y == 1e-320 && first.z == 0.5 && second.x == 0.0 && second.y == 7.0 && second.z == 3.0);
    assert_true(last.z == 1e308);
    abut_pairsfile_destroy(file);
}

/* In a locale with a decimal comma the file still has points. */
static void test_locales(void **state) {
    (void)state;
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8") && !setlocale(LC_NUMERIC, "de_DE")) {
        skip();
    }
    abut_pairsfile *file = right_pairs("0.5,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,2.25");
    assert_true(file->corners[0].x == 0.5 && file->corners[7].z == 2.25);
    abut_pairsfile_destroy(file);
    (void)setlocale(LC_NUMERIC, "C");
}

static void test_many_rows(void **state) {
    (void)state;
    enum { COUNT = 3000 };
    char *text = malloc(COUNT * 24), *end = text;
    assert_non_null(text);
    for (int i = 0; i < COUNT; i++) {
        end += sprintf(end, "%d,%d\n", i, COUNT - i);
    }
    abut_pairsfile *file = right_pairs(text);
    assert_int_equal(file->count, COUNT);
    for (int i = 0; i < COUNT; i++) {
        assert_true(file->elements[2 * i] == i && file->elements[2 * i + 1] == COUNT - i && file->lines[i] == i + 1);
    }
    abut_pairsfile_destroy(file);
    free(text);
}

static void test_wrong(void **state) {
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"", "pairs.csv: the file has no pairs"},
        {"# nothing\n\na,b\n", "pairs.csv: the file has no pairs"},
        {"a,b\nc,d\n", "pairs.csv:2: column 1: 'c' is not a whole number"},
        {"1,2\n\n3\n", "pairs.csv:3: this row has 1 columns, but the rows before it have 2"},
        {"1,2,3\n",
         "pairs.csv:1: a row needs 2 columns (the numbers of two elements) or 24 (the corners of two tetrahedra), but this row has 3"},
        {"1,2\n" CORNERS, "pairs.csv:2: this row has 24 columns, but the rows before it have 2"},
        {"1,2.0\n", "pairs.csv:1: column 2: '2.0' is not a whole number"},
        {"1,1e3\n", "column 2: '1e3'"},
        {"1,\n", "column 2: '' is not a whole number"},
        {"1,2 3\n", "column 2: '2 3'"},
        {"1,99999999999999999999\n", "column 2: '99999999999999999999' is not a whole number"},
        {"1,\"2\"\n", "column 2: '\"2\"' is not"},
        {"1;2\n1;3\n", "pairs.csv:2: a row needs 2 columns"},
        {CORNERS ",\n", "but this row has 25"},
        {"1e999,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24", "column 1: '1e999' is not finite"},
        {"1,nan,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24", "column 2: 'nan' is not finite"},
        {"1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,x24", "column 24: 'x24' is not a number"},
        {"1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,,24", "column 23: '' is not a number"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        abut_pairsfile *file = NULL;
        abut_error error = {ABUT_OK, ""};
        assert_int_equal(abut_pairsfile_load(scratch_text("pairs.csv", cases[i].text), &file, &error), ABUT_ERROR_FORMAT);
        assert_int_equal(error.status, ABUT_ERROR_FORMAT);
        if (!strstr(error.message, cases[i].says)) {
            fail_msg("'%s' does not say '%s'", error.message, cases[i].says);
        }
        assert_null(file);
    }
}

static void test_files(void **state) {
    (void)state;
    abut_pairsfile *file = NULL;
    abut_error error;
    assert_int_equal(abut_pairsfile_load(scratch_path("nowhere.csv"), &file, &error), ABUT_ERROR_FILE);
    assert_int_equal(abut_pairsfile_load(ABUT_TEST_SCRATCH_DIR, &file, &error), ABUT_ERROR_FILE);
    assert_int_equal(abut_pairsfile_load(NULL, &file, &error), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(abut_pairsfile_load(scratch_text("pairs.csv", "1,2"), NULL, &error), ABUT_ERROR_INVALID_ARGUMENT);
    assert_null(file);
    abut_pairsfile_destroy(NULL);
}

/* Bytes changed, removed and inserted: pairs or an error, nothing else. */
static void test_mutations(void **state) {
    (void)state;
    static const char base[] = "a,b # names\n" CORNERS "\n# x\n" CORNERS "\n", with[] = "0123456789,,.-e#\n\r\t \"axn\0\xff";
    random_state r = random_make(random_seed("pairsfile", 20));
    int right = 0;
    for (int sample = 0; sample < 1000; sample++) {
        char text[sizeof base];
        size_t length = sizeof base - 1;
        memcpy(text, base, sizeof base);
        for (int change = random_below(&r, 4); change >= 0; change--) {
            size_t at = (size_t)random_below(&r, (int32_t)length);
            char put = with[random_below(&r, (int32_t)sizeof with)];
            if (random_below(&r, 4) == 0) {
                length = at + 1;
            }
            text[at] = put;
        }
        abut_pairsfile *file = NULL;
        abut_error error = {ABUT_OK, ""};
        abut_status status = abut_pairsfile_load(scratch_write("pairs.csv", text, length), &file, &error);
        assert_int_equal(error.status, status);
        assert_true((status == ABUT_OK) == (file != NULL) && (status == ABUT_OK || status == ABUT_ERROR_FORMAT));
        right += status == ABUT_OK;
        abut_pairsfile_destroy(file);
    }
    assert_in_range(right, 50, 950);
}

static void test_standard_input(void **state) {
    (void)state;
    abut_pairsfile *file = NULL;
    abut_error error = {ABUT_OK, ""};
    assert_non_null(freopen(scratch_text("input.csv", "3, 4\n5, 6\n"), "rb", stdin));
    assert_status(abut_pairsfile_load("-", &file, &error), ABUT_OK);
    assert_int_equal(file->count, 2);
    abut_pairsfile_destroy(file);
    assert_non_null(freopen(scratch_text("input.csv", "3, x\n"), "rb", stdin));
    assert_status(abut_pairsfile_load("-", &file, &error), ABUT_ERROR_FORMAT);
    assert_int_equal(strncmp(error.message, "<stdin>:1: ", 11), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elements),  cmocka_unit_test(test_corners),        cmocka_unit_test(test_locales),
        cmocka_unit_test(test_many_rows), cmocka_unit_test(test_wrong),          cmocka_unit_test(test_files),
        cmocka_unit_test(test_mutations), cmocka_unit_test(test_standard_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
