#pragma once

#include <abut/math.h>

#include "body.h"

/*
 * Sets of questions. A question is two bodies at two poses and the true answer; every engine gets the same questions. World frame, metres.
 */

#ifdef __cplusplus
extern "C" {
#endif

/* The arrangement of two bodies. Depths and distances are uniform in the logarithm; "size" is that of the smaller body. */
typedef enum arrangement {
    ARRANGEMENT_OVERLAPPING, /* random rotations, a depth of 0.01 to 5 % of the size */
    ARRANGEMENT_STACKED,     /* A lies flat on B, both turned about the vertical, 0.1 mm deep */
    ARRANGEMENT_NEAR,        /* as overlapping, but apart by the same amounts */
    ARRANGEMENT_APART        /* random rotations, 1 to 50 cm apart; the question is the distance */
} arrangement;

typedef struct question {
    abut_pose pose_a, pose_b;
    double separation; /* true answer: distance, or minus the depth */
} question;

/* `steps` poses of each of `pairs` pairs. With one step, questions are independent. With more, A moves by at most 1 cm and turns by at most
 * 0.03 rad from step to step, and stays in the range of its arrangement. */
typedef struct input_set {
    const char *shapes; /* "boxes" */
    arrangement placed;
    int32_t pairs, steps;
    body *bodies;        /* [2 pairs]: A and B of each pair; all A are of one kind, all B too */
    question *questions; /* [pairs * steps], all pairs at the first step, all at the second, ... */
} input_set;

int32_t inputs_count(void);
/* Shapes and arrangement: "hulls of 32, overlapping, coherent". */
const char *inputs_name(int32_t index);

/* Equal for equal seeds on every machine, independent of other sets. `share`: fraction of the usual number of pairs. */
input_set inputs_make(int32_t index, uint64_t seed, double share);
void inputs_free(input_set *set);

static inline int32_t inputs_questions(const input_set *set) { return set->pairs * set->steps; }
/* True when the question is the distance of bodies apart, not their contacts. */
static inline bool inputs_ask_distance(const input_set *set) { return set->placed == ARRANGEMENT_APART; }
static inline const body *inputs_a(const input_set *set, int32_t pair) { return &set->bodies[2 * pair]; }
static inline const body *inputs_b(const input_set *set, int32_t pair) { return &set->bodies[2 * pair + 1]; }

#ifdef __cplusplus
}
#endif
