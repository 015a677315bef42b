#include "narrow/round/ball_group.h"

#include <assert.h>
#include <string.h>

#include "narrow/round/spot.h"

static_assert(offsetof(abut_pose, rotation) == 3 * sizeof(double) && sizeof(abut_pose) == 7 * sizeof(double), "seven numbers");
static_assert(offsetof(abut_contact, feature_a) == (BALL_NUMBERS - BALL_NAMES) * sizeof(double), "eleven numbers come first");
static_assert(sizeof(abut_contact) == BALL_NUMBERS * sizeof(double), "then the names");
static_assert(BALL_LANES % 8 == 0, "whole vectors");

/* The last words of a contact of two spheres. */
static void set_names(double names[BALL_NAMES]) {
    const abut_feature smooth = {.kind = ABUT_FEATURE_SMOOTH};
    const abut_contact contact = {.feature_a = smooth, .feature_b = smooth, .id = contact_id(smooth, smooth, true)};
    memcpy(names, &contact.feature_a, BALL_NAMES * sizeof *names);
}

/* Idle lanes of a vector get the first pair. */
static void fill(ball_block *block) {
    const int32_t widest = 8;
    for (int32_t lane = block->count; lane % widest != 0; ++lane) {
        block->pose_a[lane] = block->pose_a[0];
        block->pose_b[lane] = block->pose_b[0];
        block->radius_a[lane] = block->radius_a[0];
        block->radius_b[lane] = block->radius_b[0];
        block->scale[lane] = block->scale[0];
    }
}

void ball_group_run(ball_group *group, double margin, bool with_caches) {
    group->block.margin = margin;
    group->block.with_directions = with_caches;
    set_names(group->block.names);
    fill(&group->block);
    ball_kernel_run(&group->block, &group->answers);
}

void ball_group_remember(const ball_group *group, int32_t index, abut_cache *cache) {
    const double *d = group->answers.direction[index];
    bool apart = ball_group_verdict(group, index) == BALL_APART;
    round_remember(cache, apart ? abut_vec3_make(d[0], d[1], d[2]) : abut_vec3_make(0.0, 0.0, 0.0));
}
