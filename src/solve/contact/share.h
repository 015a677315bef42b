#pragma once

#include <abut/contact.h>

/* How strongly a feature fixes the position of a contact: it stays at a vertex, moves with a ball, runs along an edge, and moves freely on
 * a face. */
static inline int solver_freedom_of(abut_feature feature) {
    switch (feature.kind) {
    case ABUT_FEATURE_VERTEX:
        return 0;
    case ABUT_FEATURE_SMOOTH:
        return 1;
    case ABUT_FEATURE_EDGE:
        return 2;
    default:
        return 3;
    }
}

/* Where the impulse acts between the surfaces: 0 on B, 1 on A. It acts on the surface whose feature fixes the contact more, so its point
 * stays while the bodies slide over each other. */
static inline double solver_share_of(const abut_contact *contact) {
    int a = solver_freedom_of(contact->feature_a), b = solver_freedom_of(contact->feature_b);
    return a == b ? 0.5 : a < b ? 1.0 : 0.0;
}
