#pragma once

/*
 * Included before each of qhull's sources when they are compiled for the module. The library discards qhull's messages (shape/hull.c). Here they are not even
 * in the program; they would be a twentieth of it.
 */
#include "libqhull_r/qhull_ra.h"

#define qh_fprintf(...) ((void)0)
