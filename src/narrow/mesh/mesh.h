#pragma once

#include <abut/collide.h>

/*
 * A body and all meshes near it: together they are one surface. What is asked is mostly for one of them, as pairs of bodies are handled one by one; all
 * who ask about the same body must name the same meshes in the same order, so that each contact belongs to one of them.
 */
typedef struct mesh_group {
    const abut_shape *shape;
    abut_pose pose;
    const abut_part *meshes; /* [mesh_count] */
    int32_t mesh_count;      /* >= 1 */
    int32_t own;             /* only the contacts with this one, without a part; -1: all, with the mesh as the part of their feature */
    bool mesh_first;         /* the mesh is A in the contacts, else the body is; `previous_normal` in the settings likewise */
} mesh_group;

/* The statuses of abut_collide(). */
abut_status collide_among_meshes(const mesh_group *group, const abut_collide_settings *settings, abut_contact *contacts, int32_t capacity,
                                 int32_t *count);
