#pragma once

#include "tetra/mesh/joint.h"

/*
 * Sweeps: the pairs that intersect one after the other, each parted by its own plane with the least displacement of its eight vertices,
 * until none intersects. What a pair is moved by may bring another one together, so a sweep follows the other. In the order of the pairs:
 * the result does not depend on threads.
 */

/* Begins with `pairs`, which it releases, and ends with those that are left. With `most` below infinity it gives up early: when the
 * displacement (joint_displacement) is beyond that, or a sweep leaves more than three quarters of the pairs. *sweeps is added to. */
abut_status sweep_pairs(joint *j, int32_t limit, double most, abut_element_pair **pairs, int64_t *count, int32_t *sweeps);
