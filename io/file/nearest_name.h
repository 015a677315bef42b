#pragma once

#include <stddef.h>

/*
 * "Did you mean ...?": the known name that a mistyped one most resembles.
 */

/* How many letters must be inserted, left out, replaced or exchanged with their neighbour to make one name of the other (optimal string
 * alignment distance); case does not count. Anything above `limit`, or for names longer than 64 bytes, gives limit + 1. */
int nearest_distance(const char *a, const char *b, int limit);

/* Finds the nearest of names that are shown to it one by one. Start with {.mistyped = name}. */
typedef struct nearest_name {
    const char *mistyped;
    const char *found; /* NULL while nothing is near enough: a third of the mistyped letters may be wrong */
    int distance;      /* of found */
} nearest_name;

void nearest_offer(nearest_name *nearest, const char *name);

/* "; did you mean 'found'?" in `buffer`, or "" when nothing was near enough; returns buffer. */
const char *nearest_hint(const nearest_name *nearest, char *buffer, size_t size);
