#pragma once

#include "narrow/normal/normal.h"
#include "narrow/patch/patch.h"

/*
 * Boxes, and the same bodies as polytopes, which take the general way. Both ways must give the same bits.
 */

typedef struct twin_box {
    abut_shape *box;
    abut_shape polytope; /* with the surface of the box */
    polytope_face face[6];
} twin_box;

typedef struct twin_patches {
    contact_normal normal;
    contact_list of_boxes, of_polytopes; /* with zeros behind the contacts */
} twin_patches;

/* The struct must stay where it is. Release the box with abut_shape_release(). */
void twin_box_make(abut_vec3 half, twin_box *t);

/* Builds the patches of two boxes along their normal in both ways. The pose is that of B in A's frame. False where they are apart by more than the margin. */
bool twin_boxes_meet(const twin_box *a, const twin_box *b, abut_mat3 rotation, abut_vec3 position, const patch_settings *settings,
                     twin_patches *patches);

/* Whether both ways found the same bits. */
bool twin_patches_agree(const twin_patches *patches);
