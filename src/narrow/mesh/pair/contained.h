#pragma once

#include "narrow/mesh/pair/closed.h"

/*
 * Pieces of a closed mesh inside another one, whose surface they do not cross. They belong to no zone, so their contacts are judged apart from those of all
 * other pieces. A hollow, which is a piece turned inside out, needs no way out: the piece around it has one, or crosses the other surface. Set frame.
 */

/* Finds the pieces. The zones are known. */
void contained_find(closed_pair *pair);
void contained_free(contained_pieces *inside);

/* Whether a triangle of A (side 0) or B (side 1) belongs to one. */
static inline bool contained_has(const contained_pieces *inside, int side, int32_t triangle) {
    return inside->triangle[side] != NULL && inside->triangle[side][triangle] > 0;
}

/* The piece of a contact, from 1 on; 0: neither of its features belongs to one. */
int32_t contained_piece_of(const contained_pieces *inside, const abut_contact *contact);

/* Keeps the contacts of features of such a piece, or those of all other features. */
void contained_select(const contained_pieces *inside, bool of_pieces, contact_list *list);

/*
 * Puts the contacts of each piece together, in their order. end: [inside->count + 1] receives where those of each piece end, from 1 on. Each contact belongs to
 * one. False: out of memory.
 */
bool contained_group(const contained_pieces *inside, contact_list *list, int32_t *end);

/* Adds a contact that takes all pieces without a contact of their own out of the other body as a whole, if there are any. */
void contained_complete(closed_pair *pair, contact_list *list);
