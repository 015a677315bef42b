#pragma once

#include "narrow/seam/still.h"
#include "step/world/world.h"

/*
 * Bodies that touch several others which forces do not move: static and kinematic ones, here called still. At one moment their places form one surface,
 * whatever their velocities, so the body feels no seam between two of them.
 */

/* A body and a still one that it may touch in the step. */
typedef struct seam_beside {
    int32_t body, still; /* slots */
} seam_beside;

/* Zero-initialise. */
typedef struct seam_list {
    int32_t *beside;   /* [slots] number of still bodies that may touch the body in the step */
    double *met;       /* [slots] when the body meets the first of them, as a fraction of the step; 0 for never */
    int32_t *mesh_end; /* [slots] the meshes among them are those of `meshes` between this index for the slot before and this index */
    int32_t *mesh_slots;
    abut_part *meshes;  /* beside mesh_slots: their shapes, and their poses when the body meets the surface */
    int32_t slots;      /* 0 when no body is beside two or more */
    seam_beside *pairs; /* [pair_count] scratch: all of them, in the order of the step's pairs */
    int32_t pair_count, pair_capacity, beside_capacity, met_capacity, end_capacity, slot_capacity, mesh_capacity;
} seam_list;

/* A pair of a body with a still one beside which there are others. */
typedef struct seam {
    const seam_list *list;
    const abut_world *world;
    int32_t body, still; /* slots */
    double dt;
} seam;

/* Meshes that form one surface. */
typedef struct seam_meshes {
    const abut_part *parts; /* [count] */
    int32_t count;
    int32_t first; /* place of the first one in the list */
    int32_t own;   /* the mesh of the pair; -1 for none */
} seam_meshes;

/* Count the still bodies beside each body, by this step's candidate pairs. False when there is no memory. */
bool seams_find(seam_list *list, const abut_world *world);

/* The moving body of a pair when other still bodies are beside it, too; else -1. */
int32_t seams_body(const seam_list *list, const abut_world *world, const broad_pair *pair);

/* Notes when a body meets a still one, above 0, and tells when it meets the first one. All contacts with one surface are made at one time: otherwise the
 * part of a body that is over the next slab would have none. */
void seams_note(seam_list *list, int32_t body, double met);
double seams_met(const seam_list *list, int32_t body);

/* Puts the meshes where they are when the bodies meet them. */
void seams_place(seam_list *list, const abut_world *world, double dt);

/* The number of places of meshes in the list. */
int32_t seams_mesh_count(const seam_list *list);

/* What stands beside the still body of a pair when their contacts are made. The seam must outlive the answer. */
still_bodies seams_beside(const seam *of);
seam_meshes seams_meshes(const seam *of);

void seams_release(seam_list *list);
