#pragma once

#include "narrow/normal.h"

/*
 * Two boxes: the fifteen axes along which they can be separated, or are least deep. The same answer as least_depth(), in closed form.
 */

/* False when they are farther apart than `apart` along one of the axes: normal then has that direction and gap only. Else, when they
 * overlap, the normal of the least depth; when they do not, its gap is only a bound of their distance. */
bool boxes_normal(const convex *a, const convex *b, const normal_settings *settings, double apart, contact_normal *normal);
