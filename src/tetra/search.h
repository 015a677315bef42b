#pragma once

#include "tetra/along.h"
#include "tetra/rigid.h"

/* The best normal that a mode of abut_depth_mode knows of, for a pair that intersects. */
typedef struct search_result {
    along at;
    abut_depth_direction direction;
    int feature_a, feature_b;
    bool certified; /* no normal is better */
} search_result;

/* The lanes as rigid_find() left them. settings are never NULL. */
search_result search_normal(const pair *p, const abut_depth_settings *settings, const rigid *least, lanes *l);
