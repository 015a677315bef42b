#pragma once

#include <abut/collide.h>

#include "narrow/seam/still.h"

/*
 * A body and all meshes near it, which together form one surface. All questions about the same body must name the same meshes in the same order, so that each
 * contact belongs to exactly one mesh.
 */
typedef struct mesh_group {
    const abut_shape *shape;
    abut_pose pose;
    const abut_part *meshes; /* [mesh_count] */
    int32_t mesh_count;      /* >= 1 */
    bool mesh_first;         /* the meshes are A of the contacts, otherwise the body is; likewise for `previous_normal` in the settings */
} mesh_group;

/* The contacts of the body with one mesh of the group. */
typedef struct mesh_share {
    int32_t own; /* contacts with this mesh only, with part 0. -1, of a single share: all, with the mesh as the part of its feature */
    const still_bodies *others;            /* all that stand still beside the mesh `own`, itself included; NULL for none */
    const abut_collide_settings *settings; /* of all shares of one call alike, as mesh_share_is_alike() tells */
    abut_contact *contacts;                /* [capacity] out, in the world frame */
    int32_t capacity;
    int32_t count;      /* out */
    abut_status status; /* out: as abut_collide() */
} mesh_share;

/* Whether two settings give the body the same contacts with all meshes together, bit for bit. They differ in margin, angle and previous normal at most. */
bool mesh_share_is_alike(const abut_shape *body, const abut_collide_settings *p, const abut_collide_settings *q);

/* Makes the contacts of the body with all meshes once, and gives each share its own. So a body over M meshes takes the time of one call, not of M. */
void collide_among_meshes(const mesh_group *group, mesh_share *shares, int32_t share_count);
