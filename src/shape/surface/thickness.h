#pragma once

#include <abut/shape.h>

/*
 * How thin a closed mesh is: the least distance from the middle of a triangle through the inside to a triangle that faces the other way, but no more than
 * `most`, because the search costs as many triangles as are so near. Some two thousand triangles are asked. At an edge that is round over a length r it is
 * about r. Shape frame [length].
 */
double mesh_thickness(const abut_shape *mesh, double most);
