#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * A hashed grid: finds the points near a given point among many, in up to CELLS_DIMENSIONS dimensions. It finds every point that differs
 * from the given one by at most the reach in each dimension, and possibly others, some of them twice.
 */

enum { CELLS_DIMENSIONS = 6 };

typedef struct cells {
    int dimensions;
    double reach[CELLS_DIMENSIONS], size[CELLS_DIMENSIONS];
    int32_t *head; /* [mask + 1] first item of each bucket; -1: none */
    int32_t *next; /* [capacity] of each item the next one of its bucket */
    uint32_t mask;
} cells;

/* extent: the largest coordinate, which bounds the number of cells in a row. False when there is no memory; nothing needs to be freed then. */
bool cells_init(cells *made, int dimensions, const double *reach, const double *extent, int32_t capacity);
void cells_free(cells *made);

/* Adds an item, 0 <= item < capacity, which must not be there yet. */
void cells_add(cells *to, const double *point, int32_t item);

typedef struct cells_walk {
    cells *in;
    double lower[CELLS_DIMENSIONS], upper[CELLS_DIMENSIONS]; /* the first and the last cell; they differ by at most 1 */
    unsigned corner;                                         /* the cell whose items are being found */
    int32_t *link, *before;                                  /* to the next item, and to the one found last */
} cells_walk;

void cells_begin(cells_walk *walk, cells *in, const double *point);

/* The next item; -1 after the last one. */
int32_t cells_next(cells_walk *walk);

/* Leaves out the items of the present cell that were added before the one found last. */
void cells_skip(cells_walk *walk);

/* Takes the item found last out of the grid, so that later searches do not meet it. */
void cells_drop(cells_walk *walk);
