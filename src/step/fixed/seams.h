#pragma once

#include "narrow/seam/still.h"
#include "step/world/world.h"

/*
 * Bodies that touch several others which stand still: static ones, or kinematic ones that move as one rigid body. These form one surface, so the body feels no
 * seam between two of them.
 */

/* A body and a still one that may touch. */
typedef struct seam {
    int32_t body, still; /* slots */
    int32_t with;        /* -1 for a static body; else the lowest slot of the kinematic bodies beside it that move with it */
    bool other;          /* it is no mesh */
    int32_t first, end;  /* the body's seams with the same `with` */
    double met;          /* of the first one: when the body meets the first of these bodies in the step, as a fraction of it; 0 for never */
} seam;

/* Zero-initialise. */
typedef struct seam_list {
    seam *seams;       /* [count], by body, by `with`, meshes first, by still body */
    abut_part *bodies; /* [count], beside seams: the still body's shape and pose */
    int32_t *beside;   /* [slots]: number of still bodies that may touch the body */
    int32_t count, capacity, body_capacity, beside_capacity;
} seam_list;

/* What stands still beside a pair. */
typedef struct seam_view {
    still_bodies all;
    int32_t meshes; /* the first ones of all */
    bool is_static;
} seam_view;

/* List the seams of this step's candidate pairs: of bodies with two or more still ones. False when there is no memory. */
bool seams_find(seam_list *list, const abut_world *world);

/* The seam of a pair; -1 when nothing stands still beside it. */
int32_t seams_index(const seam_list *list, const abut_world *world, const broad_pair *pair);

/* Notes when a pair meets, above 0, and tells when the first pair of its surface does. All contacts of one surface are made at one time: otherwise the part of a
 * body that is over the next slab would have none. */
void seams_note(seam_list *list, int32_t seam, double met);
double seams_met(const seam_list *list, int32_t seam);

/* The bodies that stand still beside a pair, with those of its own body. */
seam_view seams_view(const seam_list *list, int32_t seam);

void seams_release(seam_list *list);
