#pragma once

#include <string.h>

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

/* Adds a pair of spheres to a group of fewer than BALL_LANES. The poses, which need not be valid, must stay where they are. */
static inline void ball_group_add(ball_group *group, const abut_shape *a, const abut_pose *pose_a, const abut_shape *b,
                                  const abut_pose *pose_b) {
    ball_block *block = &group->block;
    int32_t lane = block->count++;
    block->pose_a[lane] = (const double *)(const void *)pose_a;
    block->pose_b[lane] = (const double *)(const void *)pose_b;
    block->radius_a[lane] = a->radius;
    block->radius_b[lane] = b->radius;
    block->scale[lane] = a->size + b->size;
}

/* Finds the verdicts. margin: of valid settings. with_caches: ball_group_remember() will be asked. */
void ball_group_run(ball_group *group, double margin, bool with_caches);

static inline ball_verdict ball_group_verdict(const ball_group *group, int32_t index) {
    return (ball_verdict)group->answers.verdict[index];
}

/* Writes the contact of a pair that touches. */
static inline void ball_group_write(const ball_group *group, int32_t index, abut_contact *contact) {
    memcpy((void *)contact, group->answers.contact[index], sizeof *contact);
}

/* Writes the cache of a pair that is decided. */
void ball_group_remember(const ball_group *group, int32_t index, abut_cache *cache);
