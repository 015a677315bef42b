#pragma once

#include <abut/collide.h>

#include "narrow/round/ball_kernel.h"
#include "shape/shape.h"

/* Pairs of spheres that are answered together, in vector lanes. The results are those of single calls, bit for bit. */
typedef struct ball_group {
    ball_block block;
    ball_answers answers;
} ball_group;

static inline bool ball_group_takes(const abut_shape *a, const abut_shape *b) {
    return a->kind == ABUT_SHAPE_SPHERE && b->kind == ABUT_SHAPE_SPHERE;
}

/* Prepares groups for the margin of valid settings. with_caches: ball_group_remember() will be asked. */
void ball_group_begin(ball_group *group, double margin, bool with_caches);

/* Adds a pair of spheres to a group of fewer than BALL_LANES. The poses, which need not be valid, must stay where they are. */
static inline void ball_group_add(ball_group *group, const abut_shape *a, const abut_pose *pose_a, const abut_shape *b,
                                  const abut_pose *pose_b) {
    ball_block *block = &group->block;
    int32_t lane = block->count++;
    block->pose_a[lane] = (const double *)(const void *)pose_a;
    block->pose_b[lane] = (const double *)(const void *)pose_b;
    block->size_a[lane] = &a->size;
    block->size_b[lane] = &b->size;
}

/* Finds the pairs that touch, and writes their contacts one behind the other: room for one of each pair is enough. */
static inline void ball_group_run(ball_group *group, abut_contact *contacts) {
    group->answers.next = (double(*)[BALL_NUMBERS])(void *)contacts;
    ball_kernel_run(&group->block, &group->answers);
}

/* Writes the cache of a pair that is decided. */
void ball_group_remember(const ball_group *group, int32_t index, abut_cache *cache);
