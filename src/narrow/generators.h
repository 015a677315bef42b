#pragma once

#include <abut/collide.h>

#include "narrow/pair.h"
#include "narrow/patch/contact_list.h"

/*
 * The generators that make the contacts of a pair. The table in dispatch.c picks the generator for a pair of shape kinds.
 */

/* Adds the contacts of the pair to the list, in the pair's frame. Without memory, it sets out_of_memory in the list. */
typedef void collide_generator(const collide_pair *pair, contact_list *list);

/* Two convex bodies of any kind: sphere, capsule, box, polytope, cylinder, cone, smooth. */
void collide_convex(const collide_pair *pair, contact_list *list);
/* A cylinder or a cone and any such body. The larger body is A, so that nothing depends on their order: which points of a rim stand for it, and
 * which features are extreme where rounding errors decide. */
void collide_round(const collide_pair *pair, contact_list *list);
/* Two boxes. The second one does not try vector lanes first. */
void collide_boxes(const collide_pair *pair, contact_list *list);
void collide_boxes_generally(const collide_pair *pair, contact_list *list);
/* A plane and a convex body, in either order. */
void collide_plane(const collide_pair *pair, contact_list *list);
/* A compound and any other body except meshes. */
void collide_compound(const collide_pair *pair, contact_list *list);

/* A bounded body, or another mesh, and a mesh; in either order. */
void collide_mesh(const collide_pair *pair, contact_list *list);
/* A plane and a mesh, in either order. */
void collide_mesh_plane(const collide_pair *pair, contact_list *list);

/* A body of rounded triangles and any shape, by the skins of both; in either order. */
void collide_facetmesh(const collide_pair *pair, contact_list *list);

/* Adds the contacts that the generator makes of the pair with A and B exchanged. */
void collide_exchanged(const collide_pair *pair, collide_generator *generate, contact_list *list);

/* Returns the generator of a pair; NULL when no generator supports it. Smooth bodies that are not convex have none but with
 * bodies of rounded triangles: their stand-ins do (curved/curved.h). */
collide_generator *collide_find_generator(const abut_shape *a, const abut_shape *b);

/* Whether a pair has contacts: by a generator, of both or of their stand-ins. */
bool collide_is_supported(const abut_shape *a, const abut_shape *b);

/* Adds the contacts of a supported pair, also of one with stand-ins. */
void collide_generate(const collide_pair *pair, contact_list *list);

/* abut_collide() with arguments that are there. The log is not told why it fails: see collide_refuse(). */
abut_status collide_make(const abut_pair *pair, const abut_collide_settings *settings, abut_cache *cache, abut_contact *contacts,
                         int32_t capacity, int32_t *count);
