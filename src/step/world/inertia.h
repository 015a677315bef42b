#pragma once

#include <abut/math.h>

/* The principal frame of a symmetric inertia: inertia = R diag(moments) R^T, where R is the matrix of the returned rotation. For a diagonal inertia this
 * is the identity. */
abut_quat inertia_principal(abut_mat3 inertia, abut_vec3 *moments);
