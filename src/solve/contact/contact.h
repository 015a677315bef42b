#pragma once

#include <abut/contact.h>
#include <abut/math.h>

#include "solve/contact/friction.h"
#include "solve/contact/state.h"

/*
 * Impulses at contacts: velocity-level and warm-started.
 *
 * A substep of length h has two stages. The first acts on the velocities at its middle, those that move the bodies: contacts must not
 * close further than to gap zero. The second acts on the velocities at its end. Both work on the same impulse, that of the whole
 * substep, which is never negative; so the end is an impulse problem of its own,
 *
 *   v_n >= target,   lambda >= 0,   (v_n - target) lambda = 0   for every contact, friction within |lambda_t| <= mu lambda.
 *
 * Between the first stage and the motion, penetration is pushed out by impulses that count for the motion only and are then forgotten:
 * the velocities and the forces hold no trace of it. The same push closes the small gaps of contacts that bear. So a contact within
 * `touch` of gap zero counts as touching: positions never act back on forces, which makes a stack sway when the forces are not exact.
 *
 * Signs as in solve/contact/contact.h: lambda > 0 drives A along the normal and B against it.
 */

/* An impulse at a contact: along the normal and along its patch's tangents, on A. */
typedef struct solver_impulse {
    double normal, x, y;
} solver_impulse;

/* What the passes need of a contact. */
typedef struct solver_point {
    double x, y;             /* place on the patch, from its middle along its tangents; since the last solver_refresh() */
    double target;           /* least v_n of the present stage; minus infinity for a contact that may be ignored */
    solver_impulse impulse;  /* of the present substep */
    double inverse_mobility; /* impulse for a unit change of v_n; since the last solver_refresh() */
    friction_matrix holding; /* the same for the tangential velocity */
    double slip;             /* of the last pass that let it slide (solve/contact/friction.h) */

    solver_impulse change;    /* by the last pass */
    solver_impulse direction; /* in which the passes go (solve/contact/accelerate.h), but for that change */
} solver_point;

/* What only the steps between the passes need of it. */
typedef struct solver_anchor {
    solver_impulse held; /* the present impulse before penetration was pushed out */
    solver_impulse warm; /* expected of a substep */
    solver_impulse sum;  /* over the step's substeps so far */

    /* Since the last solver_refresh(). */
    double gap;
    abut_vec3 arm; /* from the centre of mass of A to where the impulse acts */

    double bounce;   /* speed at which the contact separates after an impact in this substep; 0 for none */
    double approach; /* v_n at the begin of the substep */

    /* For the whole step. */
    abut_vec3 local_a, local_b; /* anchors in the principal frames; of round shapes their centre line, the radius stays outside */
    double share;               /* where between the surfaces the impulse acts: 0 on B, 1 on A */
    double radius_a, radius_b;  /* how far the surface lies beyond the anchors along the normal */
    double touch;               /* gaps up to this count as closed */
    double base;                /* gap = base + n . (motion of a - motion of b), a motion being moved + axes local */
} solver_anchor;

/* Contacts that share a normal. Impulses act in one plane, that of the middle of the contacts: along the normal that makes no difference,
 * for friction it is as near as the gaps are small. */
typedef struct solver_patch {
    int32_t first, count;         /* points */
    abut_vec3 normal, tangent[2]; /* right-handed (tangent 0, tangent 1, normal); tangent 0 along the patch's longer side */
    bool bears[2];                /* whether the points spread far enough along a tangent to bear a torque about the other one */

    /* Since the last solver_refresh(). Motions of A against B are seen in the patch's frame (tangent 0, tangent 1, normal), velocities
     * at its middle. */
    abut_vec3 arm_a, arm_b; /* from the centres of mass to the middle */
    double reach;           /* of the points from the middle */
    double inverse_count;
    double inverse_spread[2]; /* of the sums of x^2 and y^2; 0 where no torque is borne */
    double sliding[6];      /* change of (velocity 0, velocity 1, spin n) by (force 0, force 1, moment n): 00 01 02 11 12 22 */
    double pressing[6];     /* of (velocity n, spin 0, spin 1) by (force n, moment 0, moment 1) */
    double coupling[9];     /* of (velocity n, spin 0, spin 1) by (force 0, force 1, moment n), row by row */
    double inverse[6];      /* of the mobility of (force n, x moment, y moment), as far as moments are borne */
} solver_patch;

/* Two bodies that touch. */
typedef struct solver_pair {
    int32_t a, b;         /* into the bodies */
    int32_t first, count; /* patches */
    double friction;
    double restitution;
    double touch;     /* gaps up to this count as closed [length] */
    abut_vec3 offset; /* centre of a minus centre of b at the begin of the step */
} solver_pair;

/* What a pass did. */
typedef struct solver_progress {
    double largest; /* change of a contact's velocity */
    double energy;  /* sum of the squared changes of the impulses times the mobilities */
} solver_progress;

/* How loops over the pairs are spread over threads (solve/contact/loop.h). Pairs of one colour share no body that moves. */
typedef struct solver_schedule {
    const abut_parallel *parallel;
    const int32_t *chunks;  /* [chunk_count + 1] pairs at which the chunks begin */
    const int32_t *colours; /* [colour_count + 1] chunks at which the colours begin */
    int32_t chunk_count, colour_count;
    solver_progress *progress; /* [chunk_count] */
} solver_schedule;

typedef struct solver_contacts {
    solver_body *bodies; /* [body_count] */
    solver_pair *pairs;  /* [pair_count] */
    solver_patch *patches;
    solver_point *points;
    solver_anchor *anchors; /* beside points */
    int32_t body_count, pair_count, patch_count, point_count;
    const solver_schedule *schedule; /* NULL: one thread */
} solver_contacts;

/* How a stage's targets are chosen. */
typedef struct solver_rule {
    double substep;           /* h */
    double push_rate;         /* penetration leaves at push_rate * depth ... */
    double max_push;          /* ... but not faster than this */
    double least_push;        /* what would be pushed slower is left */
    double restitution_speed; /* slower approaches do not bounce */
} solver_rule;

/* Take up a contact of a pair, posed as the bodies are (moved = 0), with their centres of mass in the world and the radii of round shapes. */
solver_anchor solver_begin_point(const solver_contacts *set, const solver_pair *pair, const abut_vec3 centre[2], const double radius[2],
                                 const abut_contact *contact);

/* Make the points patch->first and on, patch->count of them whose anchors are there, a patch of the normal (solve/contact/patch.c). Their impulses are
 * zero. */
void solver_begin_patch(const solver_contacts *set, solver_patch *patch, abut_vec3 normal);

/* Gaps, arms and mobilities at the bodies' present placement. */
void solver_refresh(const solver_contacts *set);

/* Before forces act in a substep: remember the speeds of approach. After: find out which contacts will bounce. */
void solver_note_approach(const solver_contacts *set);
void solver_note_impact(const solver_contacts *set, const solver_rule *rule);

/* Targets of the two stages. solver_first_stage() also begins the substep's impulses at zero. */
void solver_first_stage(const solver_contacts *set, const solver_rule *rule);
void solver_second_stage(const solver_contacts *set, const solver_rule *rule);

/* Between the first stage and the motion: aim at pushing penetration out. Returns the fastest push, 0 when there is nothing to push. After
 * the motion: forget the impulses. */
double solver_begin_push(const solver_contacts *set, const solver_rule *rule);
void solver_end_push(const solver_contacts *set);

/* Apply half of what a substep is expected to need. */
void solver_warm_start(const solver_contacts *set);

/* One pass over all contacts, forward or backward, with or without friction (solve/contact/pass.c). Returns the largest change of a contact's
 * velocity. */
double solver_pass(const solver_contacts *set, bool backward, bool friction);

/* One pass forward with friction. On the way, the impulses first go on in their direction by the factor (solve/contact/accelerate.h); the bodies'
 * velocities have done so already. */
solver_progress solver_pass_on(const solver_contacts *set, double factor);

/* The substep is over: sum up its impulses and expect the same of the next. */
void solver_end_substep(const solver_contacts *set);

/* Add to a point's impulse and to its bodies' velocities. */
void solver_apply(const solver_contacts *set, const solver_pair *pair, const solver_patch *patch, solver_point *point,
                  solver_impulse change);

/* The contact's velocity, A's against B's, along normal and tangents. */
solver_impulse solver_velocity(const solver_contacts *set, const solver_pair *pair, const solver_patch *patch, const solver_point *point);

static inline solver_impulse solver_difference(solver_impulse p, solver_impulse q) {
    solver_impulse d = {p.normal - q.normal, p.x - q.x, p.y - q.y};
    return d;
}

/* p + s q */
static inline solver_impulse solver_sum(solver_impulse p, double s, solver_impulse q) {
    solver_impulse sum = {p.normal + s * q.normal, p.x + s * q.x, p.y + s * q.y};
    return sum;
}
