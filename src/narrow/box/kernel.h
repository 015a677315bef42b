#pragma once

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/instruction_set.h"
#include "narrow/box/task.h"

/*
 * Several pairs of boxes at once, one pair in each lane of a vector. The kernel finds the least overlap along the fifteen axes, and the contacts where two
 * faces meet. It decides only what is clear, and leaves the other pairs to the general path. All instruction sets give the same bits.
 *
 * The reference box is the one whose face gives the normal, the other one is the incident box. The reference frame has the axes and the centre of the
 * reference box. Its face lies across axis i; j and k are the next axes in turn. The face is the rectangle |x| <= h_j, |y| <= h_k, with x along j and y along
 * k.
 * The incident face appears in it as a parallelogram, its projection along the normal. The normal is that of the reference face, or it leans where it is that
 * of two edges; A is then the reference box.
 */

enum { BOX_LANES = 8 };

/* BOX_NORMAL: the normal is decided, but not two faces meet. */
typedef enum box_verdict { BOX_UNDECIDED, BOX_APART_FACE, BOX_APART_EDGES, BOX_FACES, BOX_NORMAL } box_verdict;

/*
 * Corners of the polygon in which two faces meet have fixed places. Sides R_0 to R_3 of the rectangle have the outward normals +x, +y, -x, -y. Sides P_0 to
 * P_3 of the parallelogram have normals in the quadrants that begin there, so that R_0, P_0, R_1, P_1 ... P_3 run counter-clockwise. The corners of the
 * polygon then run counter-clockwise in this order, for n = 0 to 3:
 *
 * 4 n      where R_n and P_n cross, or P_(n-1) and R_(n+1) ("wide")
 * 4 n + 1  the corner of the rectangle after R_n
 * 4 n + 2  where P_n and R_(n+1) cross, or R_n and P_(n+1) ("wide")
 * 4 n + 3  the corner of the parallelogram after P_n
 */
enum { BOX_PLACES = 16 };

/* What is at a place: two sides that cross, a corner of the rectangle, or one of the parallelogram. */
typedef enum box_corner { BOX_CROSSING, BOX_OWN_CORNER, BOX_INCIDENT_CORNER } box_corner;

static inline box_corner box_corner_at(int place) {
    return (place & 3) == 1 ? BOX_OWN_CORNER : (place & 3) == 3 ? BOX_INCIDENT_CORNER : BOX_CROSSING;
}

/* Answers by lanes. Numbers that are integers are stored as doubles. */
typedef struct box_answers {
    double verdict[BOX_LANES];
    /* The face of the reference box: 0 to 2 of A, 3 to 5 of B. Of edges that separate: 3 i + j, the cross product of A's axis i and B's axis j. */
    double axis[BOX_LANES];
    double edges[3][BOX_LANES],
        depth[BOX_LANES]; /* of BOX_NORMAL: the axis of two edges, from A to B, in A's frame, where `axis` is 6; the overlap */
    double turn[9][BOX_LANES], centre[3][BOX_LANES]; /* axes and centre of B in A's frame; turn[3 i + j]: component i of axis j */
    double out[3][BOX_LANES], cosine[BOX_LANES];     /* the normal, to the incident box, along j, k and i; the size of the last */
    double sense[BOX_LANES];                         /* of the reference face along its axis i */
    double across[BOX_LANES], turned[BOX_LANES];     /* axis m of the incident face, and its sense */
    double first[BOX_LANES]; /* how U and V of the parallelogram follow from its axes: see incident_sides() in contacts.c */
    double middle[2][BOX_LANES], u[2][BOX_LANES], v[2][BOX_LANES]; /* the parallelogram: its corners are middle +- u +- v */
    double present[BOX_LANES];                                     /* bits of the places with a corner, within the margin */
    double wide[BOX_LANES];                                        /* bits of the places whose crossing is a wide one */
    const int8_t *at;                                              /* [BOX_PLACES]: the corner of a place is corner[at + lane] */
    double corner[BOX_PLACES * BOX_LANES]
                 [4]; /* x, y, the height of the incident face over the reference face along the normal; box_corner */
} box_answers;

/* tasks: [count], at most BOX_LANES; only what they ask is read. */
typedef void (*box_kernel)(const box_task *tasks, int32_t count, box_answers *answers);

/* The kernel in use; NULL until the first call. */
extern _Atomic(box_kernel) box_kernel_in_use;
box_kernel box_kernel_choose(void);

/* Where a kernel of several pairs puts the corners. */
extern const int8_t box_kernel_at[BOX_PLACES];

static inline void box_kernel_run(const box_task *tasks, int32_t count, box_answers *answers) {
    box_kernel found = atomic_load_explicit(&box_kernel_in_use, memory_order_relaxed);
    answers->at = box_kernel_at;
    (found != NULL ? found : box_kernel_choose())(tasks, count, answers);
}

/* For tests and benchmarks: selects an instruction set. False, without effect, if the machine does not have it. */
bool box_kernel_use(instruction_set set);

/* Those of the build's sets exist. */
void box_kernel_scalar(const box_task *tasks, int32_t count, box_answers *answers);
void box_kernel_sse2(const box_task *tasks, int32_t count, box_answers *answers);
void box_kernel_avx2(const box_task *tasks, int32_t count, box_answers *answers);
void box_kernel_avx512(const box_task *tasks, int32_t count, box_answers *answers);
