#pragma once

/*
 * Included before each of qhull's sources when they are compiled for the module: qhull's messages go nowhere in the library (shape/hull.c), and here they are
 * not even in the program, of which they would be a twentieth.
 */
#include "libqhull_r/qhull_ra.h"

#define qh_fprintf(...) ((void)0)
