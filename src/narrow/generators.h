#pragma once

#include <abut/collide.h>

#include "narrow/patch/contact_list.h"
#include "narrow/pair.h"

/*
 * The generators that make the contacts of a pair. dispatch.c holds the one table of who does what.
 */

/* Adds the contacts of the pair to the list, pair frame; ABUT_ERROR_OUT_OF_MEMORY shows in the list. */
typedef void collide_generator(const collide_pair *pair, contact_list *list);

/* One convex body and another: sphere, capsule, box, polytope. */
void collide_convex(const collide_pair *pair, contact_list *list);
/* Two boxes. */
void collide_boxes(const collide_pair *pair, contact_list *list);
/* A plane and one of those, in either order. */
void collide_plane(const collide_pair *pair, contact_list *list);
/* A compound and anything. */
void collide_compound(const collide_pair *pair, contact_list *list);

/* Anything bounded and a mesh, in either order. */
void collide_mesh(const collide_pair *pair, contact_list *list);
/* A plane and a mesh, in either order. */
void collide_mesh_plane(const collide_pair *pair, contact_list *list);

/* A body of rounded triangles and another one, a sphere or a plane, in either order. */
void collide_facetmesh(const collide_pair *pair, contact_list *list);

/* The generator of a pair; NULL when there is none. */
collide_generator *collide_find_generator(const abut_shape *a, const abut_shape *b);
