#pragma once

#include "narrow/normal/contact_normal.h"
#include "narrow/normal/convex.h"

/*
 * What a pair remembers of an earlier call: the features whose facet of A - B gave the normal. They name a direction and a place near which the
 * answer is likely to be found again; nothing is believed of them.
 */

/* Keeps the features of a contact's normal where they are a facet's, or the direction that parts the bodies. cache may be NULL. */
void facet_memory_write(abut_cache *cache, const contact_normal *normal, bool touching);

/* Whether the remembered features are a face and a vertex, or two edges, of these polytopes. cache may be NULL. */
bool facet_memory_read(const convex *a, const convex *b, const abut_cache *cache, abut_feature *feature_a, abut_feature *feature_b);

/* The same of any features of these bodies' cores, and keeping them. */
bool facet_memory_read_features(const convex *a, const convex *b, const abut_cache *cache, abut_feature *feature_a, abut_feature *feature_b);
void facet_memory_write_features(abut_cache *cache, abut_feature feature_a, abut_feature feature_b);
