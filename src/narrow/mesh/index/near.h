#pragma once

#include "narrow/mesh/index/tree.h"

/*
 * Finds the triangles that may contain a point, among many. The first questions look at all triangles. When the questions have cost about
 * as much as a tree of cells over the triangles, it is made, and made anew with smaller cells when questions have cost as much again. So
 * few questions cost no more than they must, and many questions cost little more than the triangles that they find.
 *
 * The search changes the time and never the result: it finds every triangle within `same` of the point, and others.
 */

typedef struct mesh_near {
    near_tree_input input;
    near_tree tree;
    int32_t risen;         /* the triangle that last spoke against a normal, -1 for none; set by the caller */
    int64_t looked, asked; /* triangles looked at, and questions, since the last tree was made */
    double before;         /* triangles that a question looked at before that tree */
    int vain;              /* trees in a row that did not make questions cheaper */
    int64_t left;          /* triangles that may still be looked at before the next tree; without memory for it there is no end */
} mesh_near;

/* reach: points are mostly within this of the origin, along each axis; others are found slowly. same: points this near to a triangle are on
 * it [length]. */
void mesh_near_init(mesh_near *near, mesh_near_triangle *triangle, const void *context, int32_t count, double reach, double same);
void mesh_near_free(mesh_near *near);

typedef struct mesh_near_walk {
    mesh_near *near;
    abut_vec3 point;
    const int32_t *item; /* NULL: all triangles */
    int32_t next, count, end;
} mesh_near_walk;

/* Begins a search for the triangles before `end` on which the point lies. */
void mesh_near_begin(mesh_near_walk *walk, mesh_near *near, abut_vec3 point, int32_t end);

/* The next triangle of a tree's leaf. */
static inline int32_t mesh_near_next_in_leaf(mesh_near_walk *walk) {
    while (walk->next < walk->count && walk->item[walk->next] < walk->end) {
        int32_t index = walk->item[walk->next++];
        const near_plane *plane = &walk->near->tree.plane[index];
        if (fabs(abut_dot(plane->normal, walk->point) - plane->offset) <= plane->same) {
            return index;
        }
    }
    return -1;
}

/* The next triangle, in ascending order; -1 after the last one. */
static inline int32_t mesh_near_next(mesh_near_walk *walk) {
    int32_t from = walk->next;
    int32_t found = walk->item != NULL ? mesh_near_next_in_leaf(walk) : walk->next < walk->end ? walk->next++ : -1;
    walk->near->left -= walk->next - from;
    walk->near->looked += walk->next - from;
    return found;
}

/* Looks at one triangle only: whether it is one that mesh_near_next() returns. *index becomes -1 after the last one. */
static inline bool mesh_near_step(mesh_near_walk *walk, int32_t *index) {
    bool any = walk->next < walk->count && (walk->item == NULL || walk->item[walk->next] < walk->end);
    *index = !any ? -1 : walk->item != NULL ? walk->item[walk->next] : walk->next;
    if (!any) {
        return false;
    }
    ++walk->next;
    --walk->near->left;
    ++walk->near->looked;
    const near_plane *plane = walk->item != NULL ? &walk->near->tree.plane[*index] : NULL;
    return plane == NULL || fabs(abut_dot(plane->normal, walk->point) - plane->offset) <= plane->same;
}

/* The mesh_near_triangle of a mesh_set. */
static inline const mesh_triangle *mesh_set_item(const void *set, int32_t index) { return &((const mesh_set *)set)->items[index]; }
