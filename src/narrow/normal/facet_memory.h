#pragma once

#include "narrow/normal/contact_normal.h"
#include "narrow/normal/convex.h"

/*
 * The cache of a pair: the features whose facet of A - B gave the normal in an earlier call. They name a direction and a place near which the answer is likely
 * to be found again. The cached features are only a proposal and every search checks them.
 */

/* Stores the features of a contact's normal when they make a facet of A - B, or the direction that separates the bodies. cache may be NULL. */
void facet_memory_write(abut_cache *cache, const contact_normal *normal, bool touching);

/* Reads the cached features. False unless they are a face and a vertex, or two edges, of these polytopes. cache may be NULL. */
bool facet_memory_read(const convex *a, const convex *b, const abut_cache *cache, abut_feature *feature_a, abut_feature *feature_b);

/* The same for any features of these bodies' cores; and storing them. */
bool facet_memory_read_features(const convex *a, const convex *b, const abut_cache *cache, abut_feature *feature_a,
                                abut_feature *feature_b);
void facet_memory_write_features(abut_cache *cache, abut_feature feature_a, abut_feature feature_b);
