#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <abut/world.h>

#include "support/ball_mesh.h"

/*
 * A heap of polyhedra at rest in a box, for programs that have these: icosahedra, or what comes of cutting their triangles in four, in a ball of bed.h's
 * radius. It comes to rest by abut's fixed stepper, with hard contacts, and is then handed to everybody.
 */

typedef struct heap {
    int32_t count;
    double side, top; /* of the box: 0 to side along x and y, floor at 0; of the highest body */
    ball_mesh mesh;   /* of a body, about its centre */
    double inradius;  /* least distance of a face from it */
    double volume;
    abut_pose *pose; /* [count] */
} heap;

/* Bodies of 20 * 4^level triangles, the same for the same arguments. False, with a message on stderr, when they do not come to rest. */
bool heap_make(int32_t count, int level, heap *made);
void heap_free(heap *h);

/* How many others a body touches, on average: bodies drawn in to so much of their size about their centres, and nearer than the reach. Negative when that
 * cannot be said. */
double heap_neighbours(const heap *h, double shrunk, double reach);
