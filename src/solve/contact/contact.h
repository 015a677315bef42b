#pragma once

#include <abut/contact.h>
#include <abut/math.h>

#include "solve/contact/friction.h"
#include "solve/contact/state.h"
#include "solve/joint/joint.h"

/*
 * Contact impulses at velocity level, with warm starting.
 *
 * A substep of length h has two stages. The first stage acts on the velocities at the middle of the substep, which move the bodies:
 * contacts must not close beyond gap zero. The second stage acts on the velocities at the end. Both work on the same impulse, that of the
 * whole substep, which is never negative. The end is therefore an impulse problem of its own:
 *
 *   v_n >= target,   lambda >= 0,   (v_n - target) lambda = 0   for every contact, friction within |lambda_t| <= mu lambda.
 *
 * Between the first stage and the motion, penetration is pushed out by impulses that act on the motion only and are then discarded;
 * velocities and forces contain no trace of them. The same push closes the small gaps of contacts that bear a load. A contact within
 * `touch` of gap zero counts as touching, so positions never act back on forces. Such feedback makes stacks sway when the forces are not
 * exact.
 *
 * Signs as everywhere: lambda > 0 drives A along the normal and B against it.
 */

struct solver_roll;
struct wide_patch;
struct wide_contact;

/* An impulse on A at a contact: along the normal and along the tangents of its patch. */
typedef struct solver_impulse {
    double normal, x, y;
} solver_impulse;

/* Data of a contact for the passes. */
typedef struct solver_point {
    double x, y;             /* position on the patch, relative to its middle, along its tangents; since the last solver_refresh() */
    double target;           /* lower bound of v_n in the present stage; minus infinity when the contact can be ignored */
    solver_impulse impulse;  /* in the present substep */
    double inverse_mobility; /* impulse per unit change of v_n; since the last solver_refresh() */
    friction_matrix holding; /* the same for the tangential velocity */
    double slip;             /* from the last pass in which it slid (solve/contact/friction.h) */

    solver_impulse change;    /* made by the last pass */
    solver_impulse direction; /* direction of the passes (solve/contact/accelerate.h), without that change */
} solver_point;

/* Data of a contact for the steps between passes only. */
typedef struct solver_anchor {
    solver_impulse held; /* an earlier one of this substep (solve/contact/work.h) */
    solver_impulse warm; /* expected for one substep */
    solver_impulse sum;  /* over all substeps of the step so far */
    double mean;         /* slow mean of the normal impulse (solve/wide/solver.h); negative: none yet */

    /* Since the last solver_refresh(). */
    double gap;
    abut_vec3 arm; /* from the centre of mass of A to the point where the impulse acts */

    double bounce;   /* speed of separation after an impact in this substep; 0 for none */
    double approach; /* v_n at the begin of the substep */

    /* For the whole step. */
    abut_vec3 local_a, local_b; /* anchors in the principal frames; for round shapes their centre line, without the radius */
    double share;               /* where the impulse acts between the surfaces: 0 on B, 1 on A */
    double radius_a, radius_b;  /* distance of the surface from the anchors along the normal */
    double touch;               /* gaps up to this value count as closed */
    double base;                /* gap = base + n . (motion of a - motion of b), where a motion is moved + axes local */
} solver_anchor;

/* Contacts that share a normal. All impulses act in one plane, through the middle of the contacts. For normal impulses this makes no
 * difference; for friction the error is of the size of the gaps. */
typedef struct solver_patch {
    int32_t first, count;         /* points */
    abut_vec3 normal, tangent[2]; /* right-handed (tangent 0, tangent 1, normal); tangent 0 along the patch's longer side */
    double friction;              /* coefficient */
    double restitution;
    bool parted;   /* other patches of its bodies may have other coefficients */
    bool rolls;    /* it has rolling or spinning friction: its record in solver_contacts.rolls */
    bool bears[2]; /* the points spread far enough along a tangent to bear a torque about the other tangent */

    /* Since the last solver_refresh(). Motions of A relative to B are in the patch's frame (tangent 0, tangent 1, normal); velocities at
     * its middle. */
    abut_vec3 arm_a, arm_b; /* from the centres of mass to the middle */
    abut_vec3 drive;        /* motion that the surfaces add to that of the bodies: velocity 0, velocity 1, spin n */
    bool driven;            /* there is such a motion */
    double reach;           /* largest distance of the points from the middle */
    double inverse_count;
    double inverse_spread[2]; /* inverses of the sums of x^2 and y^2; 0 where no torque is borne */
    double sliding[6];        /* change of (velocity 0, velocity 1, spin n) by (force 0, force 1, moment n): 00 01 02 11 12 22 */
    double pressing[6];       /* of (velocity n, spin 0, spin 1) by (force n, moment 0, moment 1) */
    double coupling[9];       /* of (velocity n, spin 0, spin 1) by (force 0, force 1, moment n), row by row */
    double inverse[6];        /* inverse of the mobility of (force n, x moment, y moment), as far as moments are borne */
} solver_patch;

/* Two bodies that touch. */
typedef struct solver_pair {
    int32_t a, b;         /* indices of the bodies */
    int32_t first, count; /* patches */
    double touch;         /* gaps up to this value count as closed [length] */
    abut_vec3 offset;     /* centre of a minus centre of b at the begin of the step */
} solver_pair;

/* The progress of a pass. */
typedef struct solver_progress {
    double largest; /* largest change of a contact's velocity */
    double energy;  /* sum of the squared changes of impulses times the mobilities */
} solver_progress;

/* Distribution of loops over pairs to threads (solve/contact/loop.h). Pairs of one colour share no body that moves. */
typedef struct solver_schedule {
    const abut_parallel *parallel;
    const int32_t *chunks;  /* [chunk_count + 1] first pairs of the chunks */
    const int32_t *colours; /* [colour_count + 1] first chunks of the colours */
    int32_t chunk_count, colour_count;
    solver_progress *progress; /* [chunk_count] */
    const int32_t *turns;      /* [chunk_count] all chunks, in the order of a loop over pairs */
} solver_schedule;

typedef struct solver_contacts {
    solver_body *bodies; /* [body_count] */
    solver_pair *pairs;  /* [pair_count] */
    solver_patch *patches;
    solver_point *points;
    solver_anchor *anchors;             /* parallel to points */
    solver_joint *joints;               /* [joint_count] */
    struct solver_roll *rolls;          /* parallel to patches (solve/contact/roll.h); NULL where there is no such friction */
    struct wide_patch *wide_patches;    /* parallel to patches: those of sets of the wide solver (solve/wide/record.h) ... */
    struct wide_contact *wide_contacts; /* ... and all contacts, in which they have their places */
    double *wide_forces;                /* of the first contact: its forces over the step ... */
    int32_t wide_stride;                /* ... and the way to those of the next one */
    int32_t body_count, pair_count, patch_count, point_count, joint_count;
    const solver_schedule *schedule; /* NULL: one thread */
} solver_contacts;

/* Rules for the targets of a stage. */
typedef struct solver_rule {
    double substep;           /* h */
    double push_rate;         /* penetration is removed at the speed push_rate * depth ... */
    double max_push;          /* ... but not faster than this */
    double least_push;        /* slower pushes are omitted */
    double restitution_speed; /* slower approaches do not bounce */
} solver_rule;

/* Makes the anchor of a pair's contact. The bodies are at their begin (moved = 0); given are their centres of mass in the world, and the
 * radii of round shapes. */
solver_anchor solver_begin_point(const solver_contacts *set, const solver_pair *pair, const abut_vec3 centre[2], const double radius[2],
                                 const abut_contact *contact);

/* Where a body is expected to be when a contact is made in the course of the step. */
typedef struct solver_placement {
    abut_vec3 centre; /* of mass, world frame */
    abut_vec3 moved;  /* of that since the begin of the step */
    abut_mat3 axes;   /* of the principal frame */
} solver_placement;

/* The same for a contact that is made at other placements of the bodies than those at their begin. */
solver_anchor solver_begin_point_at(const solver_pair *pair, const solver_placement place[2], const double radius[2],
                                    const abut_contact *contact);

/* Makes a patch with this normal from the patch->count points at patch->first, whose anchors are set (solve/contact/patch.c). Their
 * impulses are zero. */
void solver_begin_patch(const solver_contacts *set, solver_patch *patch, abut_vec3 normal);

/* Computes gaps, arms and mobilities at the bodies' present placement. */
void solver_refresh(const solver_contacts *set);

/* Before forces act in a substep: stores the speeds of approach. After: finds the contacts that will bounce. */
void solver_note_approach(const solver_contacts *set);
void solver_note_impact(const solver_contacts *set, const solver_rule *rule);

/* Whether a contact will bounce in this substep. */
bool solver_bounces(const solver_contacts *set);

/* Sets the targets of the two stages. solver_first_stage() also sets the substep's impulses to zero. bounces: whether contacts bounce. */
void solver_first_stage(const solver_contacts *set, const solver_rule *rule);
void solver_second_stage(const solver_contacts *set, const solver_rule *rule, bool bounces);

/* Between the first stage and the motion: sets targets that push penetration out. Returns the fastest push, 0 when there is nothing to
 * push. The impulses of the push are discarded after the motion (solve/contact/work.h). */
double solver_begin_push(const solver_contacts *set, const solver_rule *rule);

/* Applies half of the impulse that a substep is expected to need. */
void solver_warm_start(const solver_contacts *set);

/* One pass over all contacts, forward or backward, with or without friction (solve/contact/pass.c). Returns the largest change of a
 * contact's velocity. */
double solver_pass(const solver_contacts *set, bool backward, bool friction);

/* One forward pass with friction. During the pass, the impulses first continue in their direction by the factor
 * (solve/contact/accelerate.h); the bodies' velocities have already done so. */
solver_progress solver_pass_on(const solver_contacts *set, double factor);

/* Ends the substep: sums up its impulses and expects the same for the next. */
void solver_end_substep(const solver_contacts *set);

/* Adds to a point's impulse and to the velocities of its bodies. */
void solver_apply(const solver_contacts *set, const solver_pair *pair, const solver_patch *patch, solver_point *point,
                  solver_impulse change);

/* The velocity of A relative to B at the contact, along normal and tangents. */
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
