#pragma once

#include <abut/collide.h>

#include "bytes.h"

/*
 * What is asked of the narrow phase: two shapes, where they are, how contacts are to be made, and what a cache remembers.
 */

typedef struct question {
    abut_shape *a, *b; /* NULL where the library refused to make it */
    abut_pose pose_a, pose_b;
    abut_collide_settings settings;
    abut_cache cache; /* of any content */
    bool one_sided;   /* there is a mesh that may be come through from behind */
} question;

question question_read(bytes *in);
void question_release(question *q);

/* The same from B's side. */
question question_swapped(const question *q);

/* What a cache holds after the same question with B a little elsewhere. */
abut_cache question_stale_cache(const question *q);

/* To be asked in fewer ways, for time. */
bool question_is_big(const question *q);
