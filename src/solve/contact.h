#pragma once

#include <abut/contact.h>
#include <abut/math.h>

#include "solve/friction.h"
#include "solve/state.h"

/*
 * Impulses at contacts: velocity-level, sequential, warm-started.
 *
 * A substep of length h has two stages. The first acts on the velocities at its middle, those that move the bodies: contacts must not close further than to
 * gap zero, and penetration is pushed out. The second acts on the velocities at its end, without pushing: what the first gave for pushing is taken back. Both
 * work on the same impulse, that of the whole substep, which is never negative; so the end is an impulse problem of its own,
 *
 *   v_n >= target,   lambda >= 0,   (v_n - target) lambda = 0   for every contact, friction within |lambda_t| <= mu lambda,
 *
 * and holds no trace of the pushing. Signs as in contact.h: lambda > 0 drives A along the normal and B against it.
 */

/* One contact. */
typedef struct solver_point {
    /* For the whole step. */
    abut_vec3 local_a, local_b; /* anchors in the principal frames; of round shapes their centre line, the radius stays outside */
    double radius_a, radius_b;  /* how far the surface lies beyond the anchors along the normal */
    double base;                /* gap = base + n . (motion of a - motion of b), a motion being moved + axes local */
    double x, y;                /* from the patch's mean point along its tangents; sums of x, y and x y are zero */

    /* Since the last solver_refresh(). */
    double gap;
    abut_vec3 arm_a, arm_b;     /* from the centres of mass to the point midway between both surfaces */
    abut_vec3 lever_a, lever_b; /* arm x n */
    abut_vec3 turn_a, turn_b;   /* I^-1 (arm x n) */
    double mobility;            /* change of v_n by a unit impulse */
    friction_matrix sliding;    /* change of the tangential velocity by a unit tangential impulse */

    /* Of the present stage. */
    double target;
    double bounce;              /* speed at which the contact separates after an impact in this substep; 0 for none */
    double approach;            /* v_n at the begin of the substep */

    double impulse;             /* of the present substep */
    friction_vector friction;   /* of the present substep, along the patch's tangents */
    double warm_impulse;        /* expected of a substep */
    friction_vector warm_friction;
    double impulse_sum;         /* over the step's substeps so far */
    friction_vector friction_sum;
} solver_point;

/* Contacts that share a normal. */
typedef struct solver_patch {
    int32_t first, count;             /* points */
    abut_vec3 normal, tangent[2];     /* right-handed (tangent 0, tangent 1, normal); tangent 0 along the patch's longer side */
    double spread[2];                 /* sums of x^2 and y^2; 0 where too small to bear a torque */
    double inverse[6];                /* of the mobility of (force, x moment, y moment): 00 01 02 11 12 22 */
} solver_patch;

/* Two bodies that touch. */
typedef struct solver_pair {
    int32_t a, b;            /* into the bodies */
    int32_t first, count;    /* patches */
    double friction;
    double restitution;
    abut_vec3 offset;        /* centre of a minus centre of b at the begin of the step */
} solver_pair;

typedef struct solver_contacts {
    solver_body *bodies;
    solver_pair *pairs;      /* [pair_count] */
    solver_patch *patches;
    solver_point *points;
    int32_t pair_count, patch_count, point_count;
} solver_contacts;

/* How a stage's targets are chosen. */
typedef struct solver_rule {
    double substep;           /* h */
    double push_rate;         /* penetration leaves at push_rate * depth ... */
    double max_push;          /* ... but not faster than this */
    double restitution_speed; /* slower approaches do not bounce */
} solver_rule;

/* Take up a contact of a pair, posed as the bodies are (moved = 0), with their centres of mass in the world and the radii of round shapes. Impulses are zero. */
solver_point solver_begin_point(const solver_contacts *set, const solver_pair *pair, const abut_vec3 centre[2], const double radius[2],
                                const abut_contact *contact);

/* Make the points patch->first and on, patch->count of them, a patch of the normal (patch.c). */
void solver_begin_patch(const solver_contacts *set, solver_patch *patch, abut_vec3 normal);

/* Gaps, arms and mobilities at the bodies' present placement. */
void solver_refresh(const solver_contacts *set);

/* Before forces act in a substep: remember the speeds of approach. After: find out which contacts will bounce. */
void solver_note_approach(const solver_contacts *set);
void solver_note_impact(const solver_contacts *set, const solver_rule *rule);

/* Targets of the two stages. solver_first_stage() also begins the substep's impulses at zero. */
void solver_first_stage(const solver_contacts *set, const solver_rule *rule);
void solver_second_stage(const solver_contacts *set, const solver_rule *rule);

/* Apply half of what a substep is expected to need. */
void solver_warm_start(const solver_contacts *set);

/* One pass over all contacts, forward or backward (pass.c). Returns the largest change of a contact's velocity that it made. */
double solver_pass(const solver_contacts *set, bool backward);

/* The substep is over: sum up its impulses and expect the same of the next. */
void solver_end_substep(const solver_contacts *set);
