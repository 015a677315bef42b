#pragma once

#include "narrow/normal/ray_facet.h"
#include "narrow/normal/growth_certificate.h"

/*
 * The growth distance as the paper has it: a ray is cast at A - B from outside, against the direction in which cast->way runs, and what is
 * left of it where it enters is 1 / alpha. Any bounded convex bodies.
 *
 * inside  radius of a ball about the ray's origin that lies in A - B
 * apart   as in growth_solve()
 * result  its contraction points are set; receives the rest. Where the cast ends early (result->converged is false then), alpha is an upper
 *         bound that is farther from alpha_lower than 1e-9 of it.
 */
void growth_ray_cast(const ray_cast *cast, double inside, abut_vec3 previous, double apart, growth_result *result);
