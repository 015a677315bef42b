#pragma once

#include "tetra/along.h"
#include "tetra/rigid.h"

/* The best normal that a mode of abut_depth_mode knows of, for a pair that intersects. */
typedef struct search_result {
    abut_vec3 normal;    /* unit, from B into A */
    along_forced forced; /* none but in the paper's mode */
    abut_depth_direction direction;
    int feature_a, feature_b;
    bool certified; /* no normal is better */
} search_result;

/* The lanes as rigid_find() left them. settings are never NULL. */
search_result search_normal(const pair *p, const abut_depth_settings *settings, const rigid *least, lanes *l);

/* The direction of the rigid depth. */
search_result search_by_rigid(const rigid *least);
