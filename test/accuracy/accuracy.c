/* Counts right and wrong samples: see accuracy.h. */
#include "accuracy/accuracy.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 12, TEXT = 400 };

struct accuracy {
    const char *what, *oracle, *error;
    double limit, worst; /* worst: of the right samples and of the wrong ones whose error is a number */
    int64_t samples, wrong;
    uint64_t seed;
    bool is_wrong; /* the present sample */
    int shown;
    char text[SHOWN][TEXT]; /* of the first wrong samples */
};

accuracy *accuracy_begin(const char *what, const char *oracle, const char *error, double limit) {
    accuracy *row = check_memory(1, sizeof *row);
    row->what = what;
    row->oracle = oracle;
    row->error = error;
    row->limit = limit;
    return row;
}

int32_t accuracy_samples(int32_t full) {
    enum { LEAST = 200 };
    const char *text = getenv("ABUT_TEST_SAMPLES");
    double percent = text == NULL ? 1.0 : strcmp(text, "full") == 0 ? 100.0 : fmin(100.0, fmax(0.0, strtod(text, NULL)));
    int32_t count = (int32_t)(0.01 * percent * full), least = full < LEAST ? full : LEAST;
    return count > least ? count : least;
}

void accuracy_next(accuracy *row, uint64_t seed) {
    ++row->samples;
    row->seed = seed;
    row->is_wrong = false;
}

static void count_wrong(accuracy *row, const char *format, va_list arguments) {
    if (row->is_wrong) {
        return;
    }
    row->is_wrong = true;
    ++row->wrong;
    if (row->shown < SHOWN) {
        vsnprintf(row->text[row->shown], TEXT - 32, format, arguments);
        size_t length = strlen(row->text[row->shown]);
        snprintf(row->text[row->shown] + length, TEXT - length, " [seed %" PRIu64 "]", row->seed);
        ++row->shown;
    }
}

void accuracy_error(accuracy *row, double error, const char *format, ...) {
    row->worst = fmax(row->worst, error);
    if (!(error <= row->limit)) {
        va_list arguments;
        va_start(arguments, format);
        count_wrong(row, format, arguments);
        va_end(arguments);
    }
}

void accuracy_wrong(accuracy *row, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    count_wrong(row, format, arguments);
    va_end(arguments);
}

static void write_row(const accuracy *row) {
    const char *name = getenv("ABUT_ACCURACY_ROWS");
    FILE *file = name != NULL ? fopen(name, "a") : NULL;
    assert_true(name == NULL || file != NULL);
    if (file != NULL) {
        fprintf(file, "{\"what\": \"%s\", \"oracle\": \"%s\", \"error\": \"%s\", \"limit\": %g, ", row->what, row->oracle, row->error,
                row->limit);
        fprintf(file, "\"samples\": %" PRId64 ", \"wrong\": %" PRId64 ", \"worst\": %.3g}\n", row->samples, row->wrong, row->worst);
        assert_int_equal(fclose(file), 0);
    }
}

void accuracy_end(accuracy *row) {
    printf("%s: %" PRId64 " samples, %" PRId64 " wrong, worst %.3g of %.3g (%s; %s)\n", row->what, row->samples, row->wrong, row->worst,
           row->limit, row->error, row->oracle);
    for (int i = 0; i < row->shown; ++i) {
        print_error("    wrong: %s\n", row->text[i]);
    }
    write_row(row);
    int64_t samples = row->samples, wrong = row->wrong;
    free(row);
    assert_true(samples > 0);
    assert_int_equal(wrong, 0);
}
