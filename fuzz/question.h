#pragma once

#include <abut/collide.h>

#include "bytes.h"

/*
 * A question to the narrow phase: two shapes, their poses, the contact settings, and the contents of a cache.
 */

typedef struct question {
    abut_shape *a, *b; /* NULL if the library refused to create it */
    abut_pose pose_a, pose_b;
    abut_collide_settings settings;
    abut_cache cache; /* of any content */
    bool one_sided;   /* there is a mesh that may be crossed from behind */
} question;

question question_read(bytes *in);
void question_release(question *q);

/* The same question with A and B exchanged. */
question question_swapped(const question *q);

/* The cache after the same question with B at a slightly different pose. */
abut_cache question_stale_cache(const question *q);

/* Whether the question is so large that the target asks it in fewer ways, to save time. */
bool question_is_big(const question *q);

/* Whether many pairs of smooth parts may be deep in each other, so that each answer takes long. */
bool question_is_slow(const question *q);
