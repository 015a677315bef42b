#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <abut/world.h>

#include "support/ball_mesh.h"

/*
 * A heap of polyhedra at rest in a box, for programs that support them: icosahedra, or subdivided ones, inscribed in a ball of bed.h's
 * radius. It settles with abut's fixed stepper, with hard contacts, and all programs get the same heap.
 */

typedef struct heap {
    int32_t count;
    double side, top; /* of the box: 0 to side along x and y, floor at 0; of the highest body */
    ball_mesh mesh;   /* of a body, relative to its centre */
    double inradius;  /* smallest distance of a face from the centre */
    double volume;
    abut_pose *pose; /* [count] */
} heap;

/* Bodies of 20 * 4^level triangles, the same for the same arguments. False, with a message on stderr, when they do not come to rest. */
bool heap_make(int32_t count, int level, heap *made);
void heap_free(heap *h);

/* The mean number of bodies that touch a body: nearer than `reach` when bodies are scaled by `shrunk` about their centres. Negative on
 * failure. */
double heap_neighbours(const heap *h, double shrunk, double reach);
