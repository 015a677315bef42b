#include "narrow/round/ball_group.h"

#include <assert.h>
#include <string.h>

#include "narrow/round/spot.h"

static_assert(offsetof(abut_pose, rotation) == 3 * sizeof(double) && sizeof(abut_pose) == 7 * sizeof(double), "seven numbers");
static_assert(offsetof(abut_contact, feature_a) == 11 * sizeof(double), "eleven numbers come first");

static void put(ball_block *block, int32_t lane, const round_body *body_a, const round_body *body_b) {
    const double *a = (const double *)(const void *)body_a->pose, *b = (const double *)(const void *)body_b->pose;
    block->place_a[lane] = a;
    block->turn_a[lane] = a + 3;
    block->place_b[lane] = b;
    block->turn_b[lane] = b + 3;
    block->radius_a[lane] = body_a->shape->radius;
    block->radius_b[lane] = body_b->shape->radius;
    block->scale[lane] = body_a->shape->size + body_b->shape->size;
}

void ball_group_add(ball_group *group, const round_body *a, const round_body *b) { put(&group->block, group->block.count++, a, b); }

/* Idle lanes get the first pair. */
static void fill(ball_block *block) {
    for (int32_t lane = block->count; lane < BALL_LANES; ++lane) {
        block->place_a[lane] = block->place_a[0];
        block->turn_a[lane] = block->turn_a[0];
        block->place_b[lane] = block->place_b[0];
        block->turn_b[lane] = block->turn_b[0];
        block->radius_a[lane] = block->radius_a[0];
        block->radius_b[lane] = block->radius_b[0];
        block->scale[lane] = block->scale[0];
    }
}

void ball_group_run(ball_group *group, double margin) {
    group->block.margin = margin;
    fill(&group->block);
    ball_kernel_run(&group->block, &group->answers);
}

void ball_group_write(const ball_group *group, int32_t index, abut_contact *contact) {
    const abut_feature smooth = {.kind = ABUT_FEATURE_SMOOTH};
    memcpy((void *)contact, group->answers.contact[index], 11 * sizeof(double));
    contact->feature_a = contact->feature_b = smooth;
    contact->id = contact_id(smooth, smooth, true);
    contact->patch = 0;
    contact->flags = 0;
}

void ball_group_remember(const ball_group *group, int32_t index, abut_cache *cache) {
    const double *d = group->answers.direction[index];
    bool apart = ball_group_verdict(group, index) == BALL_APART;
    round_remember(cache, apart ? abut_vec3_make(d[0], d[1], d[2]) : abut_vec3_make(0.0, 0.0, 0.0));
}
