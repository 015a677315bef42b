#pragma once

#include "solve/wide/solver.h"

/*
 * Colours of patches, and their order in blocks. Two patches of one colour share no body that moves, so lanes and threads can solve them at the same time.
 */

/* One colour more than there are bits: its patches found no free colour. They are solved one after the other. */
enum { WIDE_COLOURS = 64 };

/* Classes of patches by their number of points. A patch has as many points in its block as its class, whatever its neighbours there have. */
enum { WIDE_CLASSES = 36 };

/* The class of a number of points, and the number of points of a class. */
int32_t wide_class_of(int32_t points);
int32_t wide_class_points(int32_t class);

/* Sets what the colour of a source depends on, from its pair and its patch. */
void wide_source_look(const solver_contacts *set, wide_source *source);

/* Gives the sources of a group their keys and their order, and makes its runs. used: [rows of the group] scratch; `lanes`: patches of a block. Returns the
 * number of runs. */
int32_t wide_colour(const wide_solver *solver, wide_group *group, int32_t lanes);
