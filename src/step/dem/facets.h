#pragma once

#include "narrow/facet/near.h"
#include "solve/pressure/pressure.h"
#include "step/dem/cells.h"
#include "step/world/world.h"

/*
 * Bodies of rounded triangles in the dem stepper: their poses, the pairs of near bodies, and the memory and forces of these pairs. World
 * frame unless said otherwise.
 */

struct dem_system;

typedef struct dem_mesh {
    const abut_shape *shape; /* a body of rounded triangles, or the skin of another shape */
    facet_placement at;      /* shape frame to world */
} dem_mesh;

/* A place where two bodies touch: a connected set of facet contacts. */
typedef struct dem_region {
    abut_pressure_memory memory; /* named after the facets whose contact is nearest to the middle of its circle */
    abut_vec3 place;             /* point of that contact, in the frame of the pair's first body */
    abut_vec3 arm, force;        /* arm: from the first body's centre to the centre of pressure; force: on the first body */
    double overlap, area;
} dem_region;

/* Identifies two bodies from one list of pairs to the next. Lists are sorted by these names. */
typedef struct dem_names {
    int32_t rank_a, slot_a, rank_b, slot_b; /* ranks: balls 0, meshes 1, planes 2 */
    uint32_t generation_a, generation_b;
} dem_names;

typedef struct dem_facet_memory {
    dem_names names;
    dem_region region;
} dem_facet_memory;

/* Two near bodies. The first one, `frame`, is a mesh: of two meshes the larger one. */
typedef struct dem_facet_pair {
    int32_t frame, guest; /* indices of bodies; the guest may be a mesh, a ball or a plane */
    dem_names names;
    double reach; /* adhesion and bridges: contacts count up to this distance [length] */
    double layer; /* thickness of the elastic layer of flat facets [length] */

    facet_candidates near;                       /* facet pairs that may touch */
    const abut_shape *frame_shape, *guest_shape; /* shapes for which `near` was made; NULL: not made yet */
    facet_placement listed_at;                   /* placement of the guest in the first body's frame when `near` was made; valid until it
                                                  * has moved by more than the margin */
    double margin;
    bool crowded; /* the list was too long with the usual margin */

    dem_region *region;
    int32_t region_count, region_capacity;
    bool
        engulfed; /* there is no contact, and the centre of one body may be inside the other: the contacts of facets end where they are too deep */
    dem_node_push *pushes; /* of elastic cells */
    int32_t push_count, push_capacity;
    double square, pace;      /* of elastic cells: squared frequency and damper over mass of the nodes on these contacts */
    double hardness, damping; /* stiffness and damper of all places, over those of the contact that step/dem/limit.c assumes */
    abut_vec3 force, torque_frame, torque_guest; /* force and torque on the first body; torque on the guest about its own centre */
} dem_facet_pair;

/* Sums over a block of pairs, in their order. */
typedef struct dem_facet_tally {
    double elastic, spring, damped, rubbed;
    int32_t touching, regions, sliding;
    int32_t engulfed; /* pairs of which one body may be inside the other */
    abut_status status;
} dem_facet_tally;

typedef struct dem_facets {
    dem_mesh *meshes;              /* of the bodies from ball_count on */
    dem_facet_pair *pairs, *spare; /* pairs: current; spare: previous list, whose facet candidates may still be valid */
    dem_facet_memory *aside;       /* memories from before the current list */
    dem_facet_tally *tallies;      /* one for each block of pairs */
    int32_t *first,
        *of; /* pairs of body i: of[first[i]] up to of[first[i + 1] - 1], ascending; of: pair, or -1 - pair if the body is its guest */
    int32_t pair_count, spare_count, aside_count;
    int32_t mesh_capacity, pair_capacity, spare_capacity, aside_capacity, tally_capacity, first_capacity, of_capacity;
    dem_facet_tally tally;
} dem_facets;

/* step/dem/facet_pairs.c: pairs of near bodies with at least one mesh. Functions return false on failure; the system's status says why. */

/* Sets the current pairs aside and starts an empty list. */
bool dem_facets_begin(struct dem_system *s);
bool dem_facets_add(struct dem_system *s, int32_t a, int32_t b);
/* Completes the list: hands the pairs their memories and their facet candidates. */
bool dem_facets_end(struct dem_system *s);
/* Appends the memories of all pairs, in order. The caller provides room for all regions. */
void dem_facets_flatten(const dem_facets *facets, dem_facet_memory *out, int32_t *count);
void dem_facets_release(dem_facets *facets);

/* step/dem/facet_near.c */

/* The vector from the first body's centre to the guest's, the shorter way in periodic space. */
abut_vec3 dem_way_to_guest(const struct dem_system *s, const dem_facet_pair *pair);
/* The guest in the first body's frame. For a ball, only the position is set, to its centre. For a plane, rotation.x is the normal and
 * position.x the offset. */
facet_placement dem_guest_placement(const struct dem_system *s, const dem_facet_pair *pair, abut_vec3 way);
/* The reach of the smaller of the two bodies. */
double dem_smaller_reach(const struct dem_system *s, const dem_facet_pair *pair);
/* Makes pair->near valid for this placement. h: the step. May set pair->near.out_of_memory. */
void dem_keep_near(const struct dem_system *s, dem_facet_pair *pair, const facet_placement *at, double h);

/* step/dem/facets.c */

/* Places the shape of mesh `body` from its centre and frame. */
void dem_facets_place(struct dem_system *s, int32_t body);
/* Computes the forces of all pairs and advances their memories by the time h. */
void dem_facets_press(struct dem_system *s, double h);
/* The factor by which the step must be shorter than dem_system_longest_step(), for the body whose contacts are stiffest or most damped. */
double dem_facets_hardness(const struct dem_system *s);
/* Adds the forces and torques of all its pairs to those of a body. */
void dem_facets_push(const struct dem_system *s, int32_t body, abut_vec3 *force, abut_vec3 *torque);
