#pragma once

#include <abut/smooth.h>

/* abut_shape_curvature() and abut_shape_curvature_at() in the name of `call`; NULL: the log is not told why they refuse. */
abut_status shape_curvature(const char *call, const abut_shape *shape, abut_vec3 direction, abut_curvature *curvature);
abut_status shape_curvature_at(const char *call, const abut_shape *shape, abut_vec3 point, abut_curvature *curvature);
