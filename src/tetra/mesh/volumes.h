#pragma once

#include "tetra/mesh/joint.h"

/*
 * The least volume ratio of a separation: the volumes that elements had at the beginning, the share that each must keep, and the elements of every vertex.
 */

typedef struct volumes {
    double *begin;    /* [element_count] six times the first volume in the joint's unit, with its sign */
    double *least;    /* [element_count] least ratio, with a margin for rounding; -INFINITY for elements without volume, which are exempt */
    int64_t *first;   /* [vertex_count + 1] */
    int32_t *element; /* [4 element_count] elements of vertex v: from first[v] to first[v + 1] */
} volumes;

/* False when there is no memory; there is then nothing to release. */
bool volumes_make(volumes *v, const joint *j, double ratio);
void volumes_release(volumes *v);

/* The volume of an element over that at the beginning; 1 for elements without volume. */
double volumes_ratio(const volumes *v, const joint *j, int32_t element);

/* True when all elements of a vertex keep their ratio. */
bool volumes_kept_at(const volumes *v, const joint *j, int32_t vertex);
