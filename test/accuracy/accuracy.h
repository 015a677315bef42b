#pragma once

#include <stdint.h>

#include "support/check.h"

/*
 * One row of docs/methods/accuracy.md: many samples of one question, each judged by an oracle that shares no code with the library. A sample is right if all
 * its errors stay within the row's limit. The row says how its oracle computes: in exact rationals (GMP), with 256 bits (big.h) or fewer, or by dense search
 * where no closed form exists.
 *
 *     accuracy *row = accuracy_begin("distance of boxes", "exact rationals", "|gap - exact| / sizes", 1e-12);
 *     for (int32_t i = 0; i < accuracy_samples(100000); ++i) {
 *         accuracy_next(row, seed_of(i));
 *         ...
 *         accuracy_error(row, error, "gap %.17g, exact %.17g", gap, exact);
 *     }
 *     accuracy_end(row);
 *
 * A seed that was wrong once is kept in a list of the test and comes first in every run.
 */

typedef struct accuracy accuracy;

/* Begins a row. The texts are those of the table, in few words: the question; the oracle; the error, and what it is relative to. limit: the largest error of a
 * right answer. They must outlive the row. */
accuracy *accuracy_begin(const char *what, const char *oracle, const char *error, double limit);

/* The number of samples: `full` if the environment variable ABUT_TEST_SAMPLES is "full", that many percent if it is a number, otherwise one percent. At least
 * 200, or `full` if that is less. */
int32_t accuracy_samples(int32_t full);

/* Begins a sample. The seed is printed if the sample is wrong. */
void accuracy_next(accuracy *row, uint64_t seed);

/* An error of the present sample. Several are allowed; the largest counts. NaN is wrong. The text is printed if the error exceeds the limit. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
void accuracy_error(accuracy *row, double error, const char *format, ...);

/* The present sample is wrong, whatever its errors: a missed contact, a false one, a status. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void accuracy_wrong(accuracy *row, const char *format, ...);

/* Prints the row and its first wrong samples. Appends the row as one line of JSON to the file that the environment variable ABUT_ACCURACY_ROWS names. Fails the
 * test if a sample was wrong. Frees the row. */
void accuracy_end(accuracy *row);
