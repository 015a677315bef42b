#pragma once

#include <abut/query.h>

#include "narrow/facet/piece_gap.h"
#include "narrow/pair.h"

/*
 * Pairs of pieces of two surfaces that may be near each other: of two bodies of rounded triangles, of their skins, or of one of these and a whole sphere or
 * plane. The bodies' hierarchies select the pairs.
 */

/* One of the two bodies, in its own frame. */
typedef struct facet_surface {
    const abut_shape *skin; /* NULL: a sphere or a plane */
    bool plane;
    abut_vec3 centre; /* sphere: its centre; plane: its unit normal */
    double radius;    /* sphere: its radius; plane: its offset */
} facet_surface;

/* Two surfaces in A's frame. A is never a sphere or a plane. */
typedef struct facet_surfaces {
    facet_surface a, b;
    facet_placement at; /* of B */
    double unit;        /* scales all lengths of pieces, so that products of them neither overflow nor vanish */
} facet_surfaces;

/* a is not whole. Statuses of facetmesh_skin_of(). */
abut_status facet_surfaces_make(const abut_shape *a, const abut_shape *b, const facet_placement *b_in_a, facet_surfaces *surfaces);

/* Two pieces; facet_b is -1 and piece_b is not set for a plane, facet_b is -1 for a sphere. Scaled lengths. */
typedef struct facet_met {
    int32_t facet_a, facet_b;
    const facet_piece *piece_a, *piece_b;
    facet_gap gap;
} facet_met;

/* Receives a pair. Returns the largest gap of pairs that are still of interest, scaled. */
typedef double facet_visit(void *context, const facet_met *met);

/* Whether no pair of pieces is of interest of which one lies in each of two balls. */
typedef bool facet_skip(void *context, const facet_piece *ball_a, const facet_piece *ball_b);

/* Visits all pairs with a gap up to a limit, scaled, nearly in ascending order; the visitor may lower it. Others may come too, with a lower bound of their gap
 * that is above the limit. skip: NULL for none; not asked about planes. */
void facet_surfaces_visit(const facet_surfaces *surfaces, double limit, facet_visit *visit, facet_skip *skip, void *context);

/* The least distance of two surfaces, with their normal and points, in the pair's frame; 0 or less where they meet. Statuses of facetmesh_skin_of();
 * ABUT_ERROR_NOT_FINITE. */
abut_status facet_apart_find(const collide_pair *pair, abut_separation *separation);
