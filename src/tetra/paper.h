#pragma once

#include "tetra/along.h"
#include "tetra/lanes.h"

/* The paper's own optimum over its 44 directions. Lane -1 where none is feasible; the caller then uses the direction of the rigid depth. */
typedef struct paper_choice {
    lane_choice lane;
    along_forced forced;
} paper_choice;

/* Needs lanes with costs, and overwrites the costs. */
paper_choice paper_least(const pair *p, lanes *l);
