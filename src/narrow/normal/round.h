#pragma once

#include "narrow/normal/contact_normal.h"
#include "narrow/normal/convex.h"

/* The contact normal of two bodies without faces: spheres and capsules. */
contact_normal normal_of_round(const convex *a, const convex *b, abut_vec3 previous);
