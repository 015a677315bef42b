#pragma once

#include "narrow/patch/patch.h"

/*
 * The contact of two boxes that meet in one point: a vertex on a face, or two edges that cross. It is that of patch.c to the last bit.
 */

/* Features of two boxes. */
typedef struct box_features {
    abut_feature_kind kind_a, kind_b;
    int32_t index_a, index_b;
} box_features;

/* Adds the contact if its gap is no larger than `most`. Returns how many were added: 0 also where the features do not meet in one point, or close to a
 * border. */
int32_t box_single_add(const convex *a, const convex *b, const box_features *at, abut_vec3 direction, double most,
                       const patch_settings *settings, int32_t patch, contact_list *list);
