#pragma once

#include <stdbool.h>
#include <stdio.h>

/*
 * Goals of a benchmark: lines of a table on the console, and the array "goals" in JSON.
 */

typedef struct goal_list {
    FILE *json;
    FILE *table;                 /* NULL: the standard output */
    int name_width, value_width; /* of the table's columns */
    int shown;                   /* goals so far; 0 at first */
} goal_list;

/* Shows a goal, and whether the value reaches it: at least the limit, or at most. */
void goal_put(goal_list *list, const char *name, double value, bool at_least, double limit);
