#pragma once

#include "narrow/normal/contact_normal.h"
#include "narrow/normal/convex.h"

static inline bool convex_any_smooth(const convex *a, const convex *b) { return a->core == CORE_SMOOTH || b->core == CORE_SMOOTH; }

/* contact_normal_find() for two bodies of which at least one is smooth. */
bool normal_of_smooth(const convex *a, const convex *b, const normal_settings *settings, contact_normal *normal);

/* The same for any distance. Returns false, perhaps without writing *normal, for bodies that touch or overlap; it does not search all directions for these. */
bool normal_of_smooth_apart(const convex *a, const convex *b, const normal_settings *settings, contact_normal *normal);
