#pragma once

#include "geom/planar.h"
#include "narrow/patch/contact_list.h"
#include "narrow/normal/contact_normal.h"
#include "narrow/normal/convex.h"
#include "narrow/normal/feature_overlap.h"

/* Settings of patches, lengths absolute. */
typedef struct patch_settings {
    double margin;
    double feature_sine; /* of the feature angle */
    double weld;
    bool
        partial; /* the features are parts of something larger: the bodies may be deeper beside them, and without an overlap there is no contact */
} patch_settings;

/* A face that leans by less than depth over size lies in the other body from end to end: deep contacts take in more than the lowest feature, or a body that
 * has sunk in would rock from vertex to vertex. */
static inline double patch_wide_sine(double feature_sine, double depth, double size) {
    const double most = 0.5;
    double sine = depth < most * size ? depth / size : most;
    sine = sine > feature_sine ? sine : feature_sine;
    return sine > FEATURE_EXACT_SINE ? sine : FEATURE_EXACT_SINE;
}

/*
 * The contact patch of two convex bodies for a given normal ([SNE] "feature intersection"): the features that the Gauss maps give for the
 * normal, projected along it on the contact plane, intersected there, and every corner lifted back on both bodies. Adds the contacts with
 * gap <= margin, pair frame, as patch number `patch`; returns how many.
 *
 * When the features do not overlap seen along the normal, or only where the bodies are not deepest, those that are exactly extreme are
 * tried, and then the witness stands alone.
 */
int32_t patch_build(const convex *a, const convex *b, const contact_normal *normal, const patch_settings *settings, int32_t patch,
                    contact_list *list);

/* The patch of a half-space and a body. The plane is body A when `plane_is_a`. outward and offset of the plane in the pair frame. */
int32_t patch_build_plane(const convex *body, abut_vec3 outward, double offset, bool plane_is_a, const patch_settings *settings,
                          int32_t patch, contact_list *list);

/* Adds to the areas of a patch's contacts each corner's share of the polygon of its points: half of each of the two triangles that it makes with the
 * middle and a neighbour. */
void patch_share_area(const planar_point *point, int32_t count, abut_contact *contact);
