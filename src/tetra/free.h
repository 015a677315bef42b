#pragma once

#include "tetra/along.h"

/*
 * Normals that do not come from features. The squared depth F(n) of a pair is convex in n and homogeneous of degree 2. On each piece where
 * the same vertices K of A and L of B are pushed, it is a quadratic form,
 *
 *     F(n) = n^T M_KL n,  M_KL = share_A Scatter_K + share_B Scatter_L + coupling_kl (mean_K - mean_L)(mean_K - mean_L)^T
 *
 * (Scatter is about the mean of the subset). A local minimum over the unit sphere is therefore the eigenvector of the smallest eigenvalue
 * of its own M_KL. Only for intersecting pairs.
 */

/* Descends from a normal to a local minimum. Finds the global minimum with a static body, and where the descent does not end. */
along free_descend(const pair *p, along from);

/* The minimum over all normals. `from` may be any normal; a better one makes it faster. */
along free_least(const pair *p, along from);
