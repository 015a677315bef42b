#pragma once

#include <abut/contact.h>
#include <abut/smooth.h>

#include "shape/shape.h"

/*
 * One side of a contact, while the contact is moved to the place where both sides face each other exactly: a point of a shape on one of its features, with the
 * outward normal and the curvature there. Pair's frame, if not said otherwise.
 */

/* Where a shape is. */
typedef struct side_place {
    abut_mat3 rotation; /* of the shape's frame */
    abut_vec3 position;
} side_place;

typedef struct contact_side {
    const abut_shape *shape; /* no compound */
    abut_mat3 rotation;      /* of the shape's frame */
    abut_vec3 position;
    abut_feature feature; /* of that shape */
    abut_vec3 anchor;     /* a point of the feature, shape frame: a face, an edge or a vertex is known by it */
    double u, v;          /* of a parametric surface that is not convex */
    abut_vec3 point;
    abut_vec3 outward; /* unit; the normal of the feature that is nearest to the wanted one */
    abut_vec3 direction[2];
    double curvature[2]; /* of the surface along the directions, which are tangent; infinite across an edge and at a vertex */
} contact_side;

/* The body of a part: of a compound the part, whose place *place becomes; any other shape itself. */
const abut_shape *side_part(const abut_shape *shape, int32_t part, side_place *place);

/* Begins on the feature of a shape, at a point of it. False for a feature that the shape does not have. */
bool contact_side_begin(contact_side *side, const abut_shape *shape, side_place place, abut_feature feature, abut_vec3 point,
                        abut_vec3 outward);

/* Begins on the surface of a body that is smooth and not convex, near a point of one of its triangles. */
bool contact_side_begin_curved(contact_side *side, const abut_shape *shape, side_place place, int32_t triangle, abut_vec3 point);

/* Moves along the feature to the point nearest to `to`, or, where the feature is round and convex, to the point with the wanted outward normal. False where the
 * surface has no normal. */
bool contact_side_move(contact_side *side, abut_vec3 to, abut_vec3 wanted);

/* Whether the point has left its feature, or its normal those of the feature. *next: the feature on which it goes on; kind NONE if there is none. */
bool contact_side_leaves(const contact_side *side, abut_vec3 wanted, abut_feature *next);

/* Goes over to another feature. */
void contact_side_change(contact_side *side, abut_feature next);
