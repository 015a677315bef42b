/*
 * The load of two flat facets: elastic layers (abut/pressure.h). The energy of a pair at the angle t is
 *
 *      U = k / 2 integral of d^2 over the polygon,   k = cos(t) cos(t / 2) E* / L,   d: the overlap along the normal n of the contact plane.
 *
 * When A is displaced, d changes, and so do the sides of the polygon that are A's. With the outward normals m of the sides, in the contact plane, and the mean
 * of what the displacements of A and of B give, which are equal and opposite by the divergence theorem, the force on A is
 *
 *      k (n integral of d - 1/4 (sum over A's sides - sum over B's sides) of the integral of d^2 m).
 *
 * The forces at the sides act at two thirds of the height of their surface, which is d / 2 below or above the contact plane. For an edge or corner that presses
 * on a larger plane all of this is the force E* / L times the volume below the plane, along the plane's normal and through the centre of the volume
 * (test/solve/pressure/test_flat.c). Sides that two coplanar facets share cancel.
 */
#include <math.h>

#include "base/real.h"
#include "geom/ramp.h"
#include "solve/pressure/pressure.h"

/* Integrals over the polygon about the contact point. */
static ramp_integrals integrals_of(const abut_facet_contact *contact, abut_vec3 u, abut_vec3 v) {
    disc_point corner[6];
    for (int32_t i = 0; i < contact->corner_count; ++i) {
        abut_vec3 arm = abut_sub(contact->corner[i], contact->point);
        corner[i] = (disc_point){abut_dot(u, arm), abut_dot(v, arm)};
    }
    return ramp_integrate(corner, contact->corner_count, contact->sides_of_b,
                          (ramp){-contact->gap, {abut_dot(u, contact->tilt), abut_dot(v, contact->tilt)}});
}

static abut_vec3 in_plane(abut_vec3 u, abut_vec3 v, disc_point p) { return abut_add(abut_scale(p.x, u), abut_scale(p.y, v)); }

void pressure_add_flat(const abut_pressure_law *law, const abut_facet_contact *contact, abut_vec3 centre_a, pressure_region *region) {
    if (!(law->layer > 0.0)) {
        return;
    }
    abut_vec3 n = contact->normal, u, v;
    abut_tangent_frame(n, &u, &v);
    ramp_integrals sum = integrals_of(contact, u, v);
    double half2 = 1.0 / (1.0 + 0.25 * abut_length_squared(contact->tilt)), cosine = 2.0 * half2 - 1.0; /* cos^2(t / 2); cos(t) */
    double k = law->modulus / law->layer * cosine * sqrt(half2);
    if (!(cosine > 0.0) || !(sum.whole > 0.0)) {
        return;
    }
    abut_vec3 arm = abut_sub(contact->point, centre_a), side = in_plane(u, v, sum.push);
    abut_vec3 force = abut_scale(k, abut_add_scaled(abut_scale(sum.whole, n), -0.25, side));
    /* About the contact point: of the pressure, of the sides in the contact plane, and of the sides' heights. */
    abut_vec3 turn = abut_cross(in_plane(u, v, sum.moment), n);
    turn = abut_add_scaled(turn, -0.25 * sum.twist, n);
    turn = abut_add_scaled(turn, 0.25 * sum.square, abut_cross(n, contact->tilt));
    double pressing = k * sum.whole, shear = 4.0 * law->shear_modulus / law->modulus;
    region->push = abut_add(region->push, force);
    region->turn = abut_add(region->turn, abut_add(abut_scale(k, turn), abut_cross(arm, force)));
    region->normals = abut_add(region->normals, force);
    region->arms = abut_add_scaled(region->arms, pressing, arm);
    region->pressing += pressing;
    region->flat += k * sum.area;
    region->stiffness += k * sum.area;
    region->shear += shear * k * sum.area;
    region->energy += 0.5 * k * sum.square;
    region->area += sum.area;
    region->largest = real_max(region->largest, law->modulus / law->layer * sum.largest);
    ++region->contacts;
}
