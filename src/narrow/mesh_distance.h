#pragma once

#include "narrow/convex.h"
#include "narrow/separation.h"
#include "shape/trimesh.h"

/* The separation of a body from the nearest triangle, whichever side of it; mesh frame, the body as A. Not above *nearest unless that is
 * nearer: only then is *nearest replaced. */
void mesh_distance(const trimesh *mesh, const convex *body, const normal_settings *settings, abut_separation *nearest);
