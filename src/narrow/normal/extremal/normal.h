#pragma once

#include "narrow/normal/contact_normal.h"
#include "narrow/normal/convex.h"

static inline bool convex_any_smooth(const convex *a, const convex *b) { return a->core == CORE_SMOOTH || b->core == CORE_SMOOTH; }

/* contact_normal_find() where at least one of the bodies is smooth. */
bool normal_of_smooth(const convex *a, const convex *b, const normal_settings *settings, contact_normal *normal);

/* The same whatever the distance; false, perhaps with nothing written, for bodies that touch or overlap, of which not all directions are
 * asked. */
bool normal_of_smooth_apart(const convex *a, const convex *b, const normal_settings *settings, contact_normal *normal);
