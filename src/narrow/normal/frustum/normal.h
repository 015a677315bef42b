#pragma once

#include "narrow/normal/contact_normal.h"
#include "narrow/normal/convex.h"

static inline bool convex_any_frustum(const convex *a, const convex *b) { return a->core == CORE_FRUSTUM || b->core == CORE_FRUSTUM; }

/* contact_normal_find() for two bodies of which at least one is a cylinder or a cone, and none is smooth. */
bool normal_of_frustum(const convex *a, const convex *b, const normal_settings *settings, contact_normal *normal);

/* The same for any distance, with the closest points. Returns false for bodies that touch or overlap. */
bool normal_of_frustum_apart(const convex *a, const convex *b, contact_normal *normal);
