#pragma once

#include "step/world/world.h"

/*
 * The surfaces of bodies, and what two of them do to each other at a contact. A body has one surface, or one for each part of its compound or triangle of
 * its mesh.
 */

/* The surfaces of the parts or triangles of a body. In one piece of memory. */
struct body_surfaces {
    int32_t count;          /* of parts or triangles */
    double bounce;          /* the largest restitution */
    bool rolls;             /* some have rolling or spinning friction */
    int32_t *of_vertex;     /* by vertex of a mesh: the lowest triangle around it */
    abut_surface surface[]; /* [count] */
};

/* Checks the surfaces of a definition, whose shape is fine, and makes *made of them; NULL where there are none. Release it with memory_release(). */
abut_status surfaces_make(const char *call, const abut_body_def *def, struct body_surfaces **made);

/* Whether a shape has as many parts or triangles. */
bool surfaces_fit(const struct body_surfaces *surfaces, const abut_shape *shape);

/* A digest that continues another one. */
uint64_t surfaces_digest(const struct body_surfaces *surfaces, uint64_t digest);

/* Whether all contacts of two bodies have the same surface, that of surfaces_of_bodies(). */
static inline bool surfaces_are_plain(const abut_world *world, const body *a, const body *b) {
    return !world->several || (a->surfaces == NULL && b->surfaces == NULL && world->def.surfaces.meet == NULL);
}

/* What the surfaces of two bodies have in common that have only one each. */
abut_surface surfaces_of_bodies(const abut_world *world, const body *a, const body *b);

/* The friction of the same, and the restitution. */
double surfaces_friction(const abut_world *world, const body *a, const body *b);
double surfaces_restitution(const abut_world *world, const body *a, const body *b);

/* Two bodies where their contacts are made. */
typedef struct surface_pair {
    const abut_world *world;
    int32_t slot[2];
    abut_pose pose[2];
} surface_pair;

/* Where the bodies are now. */
surface_pair surfaces_pair_now(const abut_world *world, int32_t slot_a, int32_t slot_b);

/* What the surfaces have in common at a contact. */
abut_surface surfaces_at(const surface_pair *pair, const abut_contact *contact);

/* Splits patches such that all contacts of a patch have the same surface. The contacts of a pair, [count], are consecutive patches; afterwards their patches
 * count from 0. */
void surfaces_split(const surface_pair *pair, abut_contact *contacts, int32_t count);

/* Whether a body can bounce off some other one. */
bool surfaces_can_bounce(const abut_world *world, const body *body);
