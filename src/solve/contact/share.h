#pragma once

#include <abut/contact.h>

/* How strongly a feature fixes the position of a contact: it stays at a vertex, moves with a ball, runs along an edge, and moves freely on
 * a face. A table and sums, because the features of a patch follow no pattern that a processor could foresee. */
static inline int solver_freedom_of(abut_feature feature) {
    static const int8_t freedom[] = {
        [ABUT_FEATURE_NONE] = 3, [ABUT_FEATURE_FACE] = 3, [ABUT_FEATURE_EDGE] = 2, [ABUT_FEATURE_VERTEX] = 0, [ABUT_FEATURE_SMOOTH] = 1};
    return freedom[feature.kind];
}

/* Where the impulse acts between the surfaces: 0 on B, 1 on A. It acts on the surface whose feature fixes the contact more, so its point
 * stays while the bodies slide over each other. */
static inline double solver_share_of(const abut_contact *contact) {
    int a = solver_freedom_of(contact->feature_a), b = solver_freedom_of(contact->feature_b);
    return 0.5 * (1 + (a < b) - (a > b));
}
