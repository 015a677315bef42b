#pragma once

#include <abut/math.h>

/* The principal frame of a symmetric inertia: inertia = R diag(moments) R^T with R the matrix of the rotation returned. The identity for
 * an inertia that is diagonal already. */
abut_quat inertia_principal(abut_mat3 inertia, abut_vec3 *moments);
