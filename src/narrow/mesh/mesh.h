#pragma once

#include <abut/collide.h>

#include "narrow/seam/still.h"

/*
 * A body and all meshes near it, which together form one surface. Callers usually ask for the contacts with one mesh, because pairs of
 * bodies are handled one by one. All calls for the same body must name the same meshes in the same order, so that each contact belongs to
 * exactly one mesh.
 */
typedef struct mesh_group {
    const abut_shape *shape;
    abut_pose pose;
    const abut_part *meshes;    /* [mesh_count] */
    int32_t mesh_count;         /* >= 1 */
    int32_t own;                /* contacts with this mesh only, with part 0; -1: all contacts, with the mesh as the part of feature_b */
    const still_bodies *others; /* all that stand still beside the mesh `own`, itself included; NULL for none */
    bool mesh_first;            /* the mesh is A of the contacts, otherwise the body is; likewise for `previous_normal` in the settings */
} mesh_group;

/* Contacts in the world frame. Returns the statuses of abut_collide(). */
abut_status collide_among_meshes(const mesh_group *group, const abut_collide_settings *settings, abut_contact *contacts, int32_t capacity,
                                 int32_t *count);
