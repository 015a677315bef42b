#pragma once

#include "tetra/mesh/volumes.h"

/*
 * Sweeps separate the intersecting pairs one after the other. Each pair gets its own plane and the smallest displacement of its eight
 * vertices. Separating one pair may make another intersect, so sweeps repeat until no pair intersects. They follow the order of the pairs,
 * so the result does not depend on threads.
 */

/* Starts with `pairs`, which it releases, and returns the remaining ones. A finite `most` makes it give up early: when the displacement
 * (joint_displacement) exceeds it, or a sweep leaves more than three quarters of the pairs. With volumes (or NULL) a pair moves only as far as
 * all elements keep their ratios. Adds to *sweeps. */
abut_status sweep_pairs(joint *j, const volumes *v, int32_t limit, double most, abut_element_pair **pairs, int64_t *count, int32_t *sweeps);
