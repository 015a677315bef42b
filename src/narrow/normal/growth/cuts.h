#pragma once

#include "narrow/normal/growth/certificate.h"

/* Finds the growth distance by cuts of the sphere of directions, where Newton's method did not find it. `inside` as for growth_certify(). */
void growth_by_cuts(const ray_cast *cast, double inside, growth_result *result);
