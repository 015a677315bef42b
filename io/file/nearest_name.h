#pragma once

#include <stddef.h>

/*
 * "Did you mean ...?": finds the known name that is most similar to a mistyped one.
 */

/* Optimal string alignment distance: the number of letters to insert, remove, replace or swap with their neighbour to turn one name into the other. Case
 * does not count. Distances above `limit`, and names longer than 64 bytes, give limit + 1. */
int nearest_distance(const char *a, const char *b, int limit);

/* Finds the nearest of the offered names. Start with {.mistyped = name}. */
typedef struct nearest_name {
    const char *mistyped;
    const char *found; /* NULL while no name is near enough: up to a third of the mistyped letters may be wrong */
    int distance;      /* of found */
} nearest_name;

void nearest_offer(nearest_name *nearest, const char *name);

/* "; did you mean 'found'?" in `buffer`, or "" when nothing was near enough; returns buffer. */
const char *nearest_hint(const nearest_name *nearest, char *buffer, size_t size);
