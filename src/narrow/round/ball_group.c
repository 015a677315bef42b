#include "narrow/round/ball_group.h"

#include <assert.h>
#include <string.h>

#include "narrow/round/spot.h"

static_assert(offsetof(abut_pose, rotation) == 3 * sizeof(double) && sizeof(abut_pose) == 7 * sizeof(double), "seven numbers");
static_assert(offsetof(abut_contact, feature_a) == (BALL_NUMBERS - BALL_NAMES) * sizeof(double), "eleven numbers come first");
static_assert(sizeof(abut_contact) == BALL_NUMBERS * sizeof(double), "then the names");
static_assert(BALL_LANES % 8 == 0, "whole vectors");
static_assert(offsetof(abut_shape, radius) == offsetof(abut_shape, size) + sizeof(double), "the size, and then the radius");

/* The last words of a contact of two spheres. */
static void set_names(double names[BALL_NAMES]) {
    const abut_feature smooth = {.kind = ABUT_FEATURE_SMOOTH};
    const abut_contact contact = {.feature_a = smooth, .feature_b = smooth, .id = contact_id(smooth, smooth, true)};
    memcpy(names, &contact.feature_a, BALL_NAMES * sizeof *names);
}

void ball_group_begin(ball_group *group, double margin, bool with_caches) {
    group->block.margin = margin;
    group->block.with_directions = with_caches;
    group->block.count = 0;
    set_names(group->block.names);
}

void ball_group_remember(const ball_group *group, int32_t index, abut_cache *cache) {
    const double *d = group->answers.direction[index];
    bool apart = (group->answers.touching >> index & 1u) == 0u;
    round_remember(cache, apart ? abut_vec3_make(d[0], d[1], d[2]) : abut_vec3_make(0.0, 0.0, 0.0));
}
