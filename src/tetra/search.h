#pragma once

#include "tetra/along.h"
#include "tetra/rigid.h"

/* The best normal for a mode of abut_depth_mode, for an intersecting pair. */
typedef struct search_result {
    abut_vec3 normal;    /* unit, from B into A */
    along_forced forced; /* none except in the paper's mode */
    abut_depth_direction direction;
    int feature_a, feature_b;
    bool certified; /* it is proved that no normal is better */
} search_result;

/* Needs the lanes of rigid_find(). settings is never NULL. */
search_result search_normal(const pair *p, const abut_depth_settings *settings, const rigid *least, lanes *l);

/* Uses the direction of the rigid depth. */
search_result search_by_rigid(const rigid *least);
