#pragma once

#include "tetra/along.h"

/*
 * Normals that are not made from features. The depth^2 F(n) of a pair is convex in n and homogeneous of degree 2, and on each piece where the
 * same vertices K of A and L of B are pushed it is a quadratic form,
 *
 *     F(n) = n^T M_KL n,  M_KL = share_A Scatter_K + share_B Scatter_L + coupling_kl (mean_K - mean_L)(mean_K - mean_L)^T
 *
 * (Scatter: about the mean of the subset). So a local minimum over the unit sphere is the eigenvector of the smallest eigenvalue of its own
 * M_KL. For intersecting pairs only.
 */

/* From a normal downhill to a local minimum. With a static body, to the least of all. */
along free_descend(const pair *p, along from);

/* The least of all normals; `from` is any, the better the faster. */
along free_least(const pair *p, along from);
