#pragma once

#include "io/scene/grain/scatter.h"
#include "io/scene/grain/sieve.h"
#include "io/scene/read.h"

/*
 * Many bodies from one entry of a scene: what "fill", whose bodies are there from the beginning, and "inlet", whose bodies come over time, have in common.
 */

/* One of the bodies. */
typedef struct grain_body {
    const abut_shape *shape; /* a reference is held */
    abut_pose pose;
} grain_body;

/* Refuses shapes that are unbounded. */
abut_status grains_check_shape(const scene_reader *reader, const scene_place *place, const char *what, const abut_shape *shape);

/* Reads "lower" and "upper", and "spacing". */
abut_status grains_read_box(const scene_reader *reader, const scene_place *place, scatter_region *box);

/* Reads "sizes" of bodies with this shape. *made is to be released, also after an error; its count is 0 without the key. */
abut_status grains_read_sizes(const scene_reader *reader, const scene_place *place, const abut_shape *shape, sieve *made);

/*
 * Makes a body like `def` whose bounding ball is `ball`, which is about the point `middle` of the shape; only spheres have other radii than the shape of
 * `def`. turned: it has the rotation of `def`; otherwise bodies other than spheres get random rotations.
 */
abut_status grains_make(const scene_reader *reader, const scene_place *place, const abut_body_def *def, bool turned, abut_vec3 middle,
                        scatter_ball ball, scatter_random *random, grain_body *made);

void grains_release(grain_body *bodies, int32_t count);
