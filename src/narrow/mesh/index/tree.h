#pragma once

#include "narrow/mesh/set.h"

/*
 * A tree of cells over triangles: a cell is cut in two until few triangles meet it. A triangle belongs to every cell that it meets, not
 * only to those that its bounds meet. So few triangles are found at a point even where large or slender triangles cross.
 */

/* Triangle `index` of those to search. */
typedef const mesh_triangle *mesh_near_triangle(const void *context, int32_t index);

/* The plane of a triangle, and how far a point may be from it to be found. */
typedef struct near_plane {
    abut_vec3 normal; /* zero for a triangle without a face */
    double offset, same;
} near_plane;

typedef struct near_node {
    double at;     /* inner node: the place of the cut */
    int32_t axis;  /* of the cut; -1 for a leaf */
    int32_t first; /* leaf: its first item; else the child behind the cut. The one before the cut comes next in the array */
    int32_t count; /* leaf: its number of items */
} near_node;

typedef struct near_tree {
    abut_mat3 axes;  /* of the cells */
    abut_aabb box;   /* along them */
    near_node *node; /* NULL: no tree */
    int32_t node_count, node_room;
    int32_t *item; /* the triangles of all leaves, in ascending order within each */
    int32_t item_count, item_room;
    near_plane *plane; /* [count] */
} near_tree;

typedef struct near_tree_input {
    abut_mat3 axes; /* of the cells */
    mesh_near_triangle *triangle;
    const void *context;
    int32_t count;
    double reach; /* the tree covers a cube about the origin with this half width, or less */
    double same;  /* points this near to a triangle are on it [length] */
    double spare; /* items that the tree may have, for each triangle; at least 1 */
} near_tree_input;

/* False when there is no memory, and the tree is empty then. */
bool near_tree_build(near_tree *tree, const near_tree_input *input);
void near_tree_free(near_tree *tree);

/* The leaf with the point; NULL outside of the tree's box. */
const near_node *near_tree_leaf(const near_tree *tree, abut_vec3 point);
