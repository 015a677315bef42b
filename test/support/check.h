#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <abut/collide.h>

#include "support/oracle.h"

/*
 * What the contact tests share: assertions on doubles, a tally for tests over thousands of samples (every kind of failure is counted and
 * its first sample kept, so that one run shows all of them), and the invariants that every answer of abut_collide() must satisfy.
 */

/* count * size bytes, zero; the test ends when there is no memory. Release with free(). */
void *check_memory(size_t count, size_t size);

/* For angles in tests. */
#define PI 3.14159265358979323846

#define assert_near(actual, expected, tolerance) check_near((actual), (expected), (tolerance), #actual, __FILE__, __LINE__)
#define assert_vec3_near(actual, expected, tolerance) check_vec3_near((actual), (expected), (tolerance), #actual, __FILE__, __LINE__)
#define assert_status(actual, expected) check_status((actual), (expected), #actual, __FILE__, __LINE__)
#define assert_ok(actual) assert_status(actual, ABUT_OK)

void check_near(double actual, double expected, double tolerance, const char *what, const char *file, int line);
void check_vec3_near(abut_vec3 actual, abut_vec3 expected, double tolerance, const char *what, const char *file, int line);
void check_status(abut_status actual, abut_status expected, const char *what, const char *file, int line);

/* Failures by kind. Zero-initialise. */
enum { TALLY_KINDS = 48 };

typedef struct tally_kind {
    char what[80];
    int32_t count;
    char first[640];
} tally_kind;

typedef struct tally {
    int32_t kinds;
    tally_kind kind[TALLY_KINDS];
    char sample[400]; /* described by the caller; goes into the record of a first failure */
} tally;

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void tally_sample(tally *t, const char *format, ...);

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
void tally_fail(tally *t, const char *what, const char *format, ...);

/* Prints every kind and fails the test when there is one. */
void tally_end(const tally *t);

/* Two shapes, where they are, and what the oracle knows of them. Poses may be in a frame moved away from the oracle's: `origin` is
 * where the oracle's origin lies in the world of the poses. */
typedef struct check_pair {
    const abut_shape *a, *b;
    abut_pose pose_a, pose_b;
    const oracle_body *oracle_a, *oracle_b; /* NULL for a plane or compound: what needs it is not checked */
    abut_vec3 origin;
    double size;   /* of the larger one: tolerances are relative to it */
    bool compound; /* corners that two parts share are reported once: a patch may lack some, and its polygon is then not its area */
    double weld;   /* corners this close may have been merged, which takes area from the polygon and not from the shares; else 0 */
} check_pair;

enum { CHECK_CAPACITY = 4096 };

typedef struct check_answer {
    int32_t count;
    abut_contact contacts[CHECK_CAPACITY];
} check_answer;

/* abut_collide() into the answer; a status other than ABUT_OK is tallied and counts as no contacts. */
void check_collide(tally *t, const check_pair *pair, const abut_collide_settings *settings, check_answer *answer);

/* Every contact: finite, unit normal, gap = n . (a - b) and within the margin, a - b along n, both points on their surfaces and on
 * their features. Every patch: numbered from 0, consecutive, one normal, corners convex and counter-clockwise, area shares not
 * negative and no more than the polygon. Ids unique. `whole` says that the margin was too large to leave any corner out: then the
 * shares add up to the polygon. */
void check_contacts(tally *t, const check_pair *pair, const check_answer *answer, double margin, bool whole);

/* The deepest gap of the first patch is the separation along its normal. */
void check_certificate(tally *t, const check_pair *pair, const check_answer *answer, double margin);

/* The polygon area of a patch that begins at contact `first` and has `count` corners, seen along its normal. */
double check_patch_area(const abut_contact *contacts, int32_t first, int32_t count);
/* Number of contacts of the patch that begins at contact `first`. */
int32_t check_patch_count(const check_answer *answer, int32_t first);
/* Sum of all area shares. */
double check_area(const check_answer *answer);
double check_deepest(const check_answer *answer);

/* The contact with this id, or NULL. */
const abut_contact *check_find(const check_answer *answer, uint64_t id);

/* The two answers hold the same contacts: matched by id, or by the nearest on_a when `by_id` is false; the expected ones are first
 * turned by `motion`, then scaled about the origin by `scale`. Ids are compared only when matched by them. */
void check_same(tally *t, const char *what, const check_answer *actual, const check_answer *expected, abut_pose motion, double scale,
                bool by_id, double tolerance);

/* The answer with A and B exchanged in every contact. */
void check_swap(const check_answer *answer, check_answer *swapped);
/* The answer with x negated in every point and normal. */
void check_mirror(const check_answer *answer, check_answer *mirrored);
/* The pose of a body seen in the mirror x -> -x, for the body that is itself mirrored in its own frame. */
abut_pose check_mirror_pose(abut_pose pose);
