#pragma once

#include "narrow/normal/contact_normal.h"
#include "narrow/normal/convex.h"
#include "narrow/normal/growth/certificate.h"

/* Finds the growth distance. For polytopes it stops as soon as a direction separates them by more than `apart`; INFINITY for never. */
growth_result growth_solve(const convex *a, const convex *b, const normal_settings *settings, double apart);
