#pragma once

#include "geom/planar.h"
#include "narrow/normal/contact_normal.h"
#include "narrow/normal/convex.h"
#include "narrow/normal/feature_overlap.h"
#include "narrow/patch/contact_list.h"

/* Settings of patches; all lengths are absolute. */
typedef struct patch_settings {
    double margin;
    double feature_sine; /* sine of the feature angle */
    double weld;
    bool
        partial; /* the features are parts of larger bodies, such as triangles of a mesh: the bodies may be deeper beside the features, and features that do
                    not overlap make no contact */
} patch_settings;

/* The angle up to which a face takes part in a deep contact. A face that leans by less than depth / size lies inside the other body from end to end. Deep
 * contacts need more than the lowest feature: otherwise a body that has sunk in would rock from vertex to vertex. */
static inline double patch_wide_sine(double feature_sine, double depth, double size) {
    const double most = 0.5;
    double sine = depth < most * size ? depth / size : most;
    sine = sine > feature_sine ? sine : feature_sine;
    return sine > FEATURE_EXACT_SINE ? sine : FEATURE_EXACT_SINE;
}

/*
 * Builds the contact patch of two convex bodies for a given normal ([SNE] "feature intersection"). The Gauss maps pick a feature of each body for the normal.
 * Both features are projected along the normal on the contact plane and intersected there, and every corner is lifted back on both bodies. Adds the contacts
 * with gap <= margin in the pair's frame, as patch number `patch`. Returns how many were added.
 *
 * When the features do not overlap along the normal, or overlap only where the bodies are not deepest, the exactly extreme features are tried next. When these
 * fail as well, the witness becomes the only contact.
 */
int32_t patch_build(const convex *a, const convex *b, const contact_normal *normal, const patch_settings *settings, int32_t patch,
                    contact_list *list);

/* Builds the patch of a half-space and a body. The plane is body A when `plane_is_a`. outward and offset describe the plane in the pair's frame. */
int32_t patch_build_plane(const convex *body, abut_vec3 outward, double offset, bool plane_is_a, const patch_settings *settings,
                          int32_t patch, contact_list *list);

/* Adds to the area of each contact its share of the polygon of the patch's points: half of each of the two triangles between the corner, a neighbour and the
 * middle. */
void patch_share_area(const planar_point *point, int32_t count, abut_contact *contact);

/* Merges neighbouring contacts of a patch whose points on B are no farther apart than the distance. Returns how many remain. */
int32_t patch_weld(abut_contact *contact, int32_t count, double distance);
