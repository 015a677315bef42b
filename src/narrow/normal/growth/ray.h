#pragma once

#include "narrow/normal/growth/certificate.h"
#include "narrow/normal/growth/ray_facet.h"

/*
 * The growth distance by the ray cast of [SNE]. The ray is cast at A - B from outside, against the direction of cast->way. It enters at s = 1 / alpha of
 * cast->way. Works for any bounded convex bodies.
 *
 * inside  radius of a ball about the ray's origin that lies in A - B
 * apart   as in growth_solve()
 * result  its contraction points are set; receives all other fields. When the cast ends early, result->converged is false, and alpha is an upper bound that
 *         exceeds alpha_lower by more than 1e-9 of it.
 */
void growth_ray_cast(const ray_cast *cast, double inside, abut_vec3 previous, double apart, growth_result *result);

/* Continues with the same cast from the place of a result, whose points are not at that place: the direction was found, but along it the bodies are flat or
 * tied, and their points are not the ones that touch. Takes over what is closer. `inside` as above. */
void growth_ray_finish(const ray_cast *cast, double inside, growth_result *result);
