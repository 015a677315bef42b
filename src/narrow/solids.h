#pragma once

#include <abut/query.h>

#include "narrow/pair.h"
#include "narrow/patch/contact_list.h"

/*
 * A closed convex mesh is the surface of a solid, and answers as that solid: as the polytope with its surface (shape/closed/convex_mesh.h). This is the only
 * place that says so. Contacts, overlap and distance all place their pair here. They see two convex bodies, so that they agree with each other, and their
 * answers are given the mesh's names of features afterwards.
 */

/* Whether the shape is a mesh that has such a polytope. */
bool solids_is_one(const abut_shape *shape);

/* collide_place(). Then the polytope takes the place of each closed convex mesh whose partner is such a mesh, too, or another bounded convex body, or a
 * compound. The normal is then that of least depth. With the mesh rules of baseline.h that are not the default, only two such meshes are replaced. */
abut_status solids_place(const abut_pair *pair, const abut_collide_settings *settings, collide_pair *placed, abut_mat3 *rotation_a);

/* The same for placed bodies: collide_place_bodies(). */
abut_status solids_place_bodies(const abut_placed *a, const abut_placed *b, const abut_collide_settings *settings, collide_pair *placed);

/* Whether the body beside a replaced mesh is certainly apart from it, by more than the margin. False if there is none, or without proof. The mesh's tree of
 * boxes tells so faster than the polytope, which has no tree. */
bool solids_are_apart(const collide_pair *pair);

/* Give the features of replaced meshes the names that they have in the mesh, and contacts their ids. Contacts and points are in the pair's frame. */
void solids_name_contacts(const collide_pair *pair, contact_list *list);
void solids_name_separation(const collide_pair *pair, abut_separation *separation);
