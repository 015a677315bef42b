#pragma once

#include "narrow/round/ball_kernel.h"
#include "narrow/round/collide.h"

/* Pairs of spheres that are answered together, in vector lanes. The results are those of single calls, bit for bit. */
typedef struct ball_group {
    ball_block block;
    ball_answers answers;
} ball_group;

static inline bool ball_group_takes(const abut_shape *a, const abut_shape *b) {
    return a->kind == ABUT_SHAPE_SPHERE && b->kind == ABUT_SHAPE_SPHERE;
}

/* Adds a pair of spheres to a group of fewer than BALL_LANES. The poses, which need not be valid, must stay where they are. */
void ball_group_add(ball_group *group, const round_body *a, const round_body *b);

/* Finds the verdicts. margin: of valid settings. */
void ball_group_run(ball_group *group, double margin);

/* Writes the contact of a pair that touches. */
void ball_group_write(const ball_group *group, int32_t index, abut_contact *contact);

/* Writes the cache of a pair that is decided. */
void ball_group_remember(const ball_group *group, int32_t index, abut_cache *cache);

static inline ball_verdict ball_group_verdict(const ball_group *group, int32_t index) {
    return (ball_verdict)group->answers.verdict[index];
}
