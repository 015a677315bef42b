#pragma once

#include "narrow/facet/near.h"
#include "solve/pressure/pressure.h"
#include "step/world/world.h"

/*
 * Bodies of rounded triangles in the dem stepper: where they are, which bodies are near them, what each of these pairs remembers and does. World frame
 * unless said otherwise.
 */

struct dem_system;

typedef struct dem_mesh {
    const abut_shape *shape;
    facet_placement at; /* of the shape's frame in the world */
} dem_mesh;

/* A place at which two bodies touch. */
typedef struct dem_region {
    abut_pressure_memory memory; /* named after the facets whose contact is nearest to the middle of its circle */
    abut_vec3 place;             /* of that contact, in the frame of the pair's first body */
    abut_vec3 arm, force;        /* from the centre of the first body to the pressure's own; on it */
    double overlap, area;
} dem_region;

/* Names two bodies from one list of pairs to the next, in whose order the pairs are. */
typedef struct dem_names {
    int32_t rank_a, slot_a, rank_b, slot_b; /* ranks: balls 0, meshes 1, planes 2 */
    uint32_t generation_a, generation_b;
} dem_names;

typedef struct dem_facet_memory {
    dem_names names;
    dem_region region;
} dem_facet_memory;

/* Two near bodies of which the first is a mesh: of two meshes the larger one. */
typedef struct dem_facet_pair {
    int32_t frame, guest; /* bodies; the guest may be a mesh, a ball or a plane */
    dem_names names;
    double reach; /* contacts count from that far apart: adhesion */

    facet_candidates near;                       /* pairs of facets that may touch, */
    const abut_shape *frame_shape, *guest_shape; /* of these shapes; NULL: not listed yet, */
    facet_placement listed_at;                   /* while the guest has not moved in the first one's frame by more than the margin */
    double margin;

    dem_region *region;
    int32_t region_count, region_capacity;
    double hardness, damping; /* stiffness and damper of all places, over those of the contact that step/dem/limit.c reckons with */
    abut_vec3 force, torque_frame, torque_guest; /* force and torque on the first; torque on the guest, about its own centre */
} dem_facet_pair;

/* Sums over some pairs, in their order. */
typedef struct dem_facet_tally {
    double elastic, spring, damped, rubbed;
    int32_t touching, regions, sliding;
    abut_status status;
} dem_facet_tally;

typedef struct dem_facets {
    dem_mesh *meshes;              /* of the bodies from ball_count on */
    dem_facet_pair *pairs, *spare; /* of now; of the list before, whose candidates may still do */
    dem_facet_memory *aside;       /* what was remembered before the present list */
    dem_facet_tally *tallies;      /* of blocks of pairs */
    int32_t *first,
        *of; /* the pairs of body i: of[first[i]] up to, not with, first[i + 1], ascending; of: pair, or -1 - pair for the guest */
    int32_t pair_count, spare_count, aside_count;
    int32_t mesh_capacity, pair_capacity, spare_capacity, aside_capacity, tally_capacity, first_capacity, of_capacity;
    dem_facet_tally tally;
} dem_facets;

/* step/dem/facet_pairs.c: near pairs with a mesh. False: the system's status says why. */

/* What there is now is set aside, and an empty list begun. */
bool dem_facets_begin(struct dem_system *s);
bool dem_facets_add(struct dem_system *s, int32_t a, int32_t b);
/* All are added: what they remember, what they know of near facets. */
bool dem_facets_end(struct dem_system *s);
/* Adds what all pairs remember, in order, to a list; room for all regions is the caller's. */
void dem_facets_flatten(const dem_facets *facets, dem_facet_memory *out, int32_t *count);
void dem_facets_release(dem_facets *facets);

/* step/dem/facet_near.c */

/* The centre of the guest, from that of the first body the shorter way. */
abut_vec3 dem_way_to_guest(const struct dem_system *s, const dem_facet_pair *pair);
/* The guest in the first body's frame. Of a ball only the position is set, of its centre; of a plane the normal is the first row of the rotation, and the
 * offset stands in front of the position. */
facet_placement dem_guest_placement(const struct dem_system *s, const dem_facet_pair *pair, abut_vec3 way);
/* Of the smaller one of the two. */
double dem_smaller_reach(const struct dem_system *s, const dem_facet_pair *pair);
/* The list of facets that may touch is one that holds for this place; h: the step. Its out_of_memory may be set. */
void dem_keep_near(const struct dem_system *s, dem_facet_pair *pair, const facet_placement *at, double h);

/* step/dem/facets.c */

/* Where the shape of mesh i is, by its centre and its frame. */
void dem_facets_place(struct dem_system *s, int32_t body);
/* Forces of all pairs; memories move on by h. */
void dem_facets_press(struct dem_system *s, double h);
/* How many times shorter the step must be than dem_system_longest_step(), because of the body whose pairs are the hardest. */
double dem_facets_hardness(const struct dem_system *s);
/* What they come to on a body, added to what it has. */
void dem_facets_push(const struct dem_system *s, int32_t body, abut_vec3 *force, abut_vec3 *torque);
