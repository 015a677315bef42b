#pragma once

#include <abut/solve.h>

#include "solve/lcp/general.h"
#include "step/event/row.h"

struct event_system;

/*
 * Coulomb's friction at the contacts of the event stepper. A contact *slides* in an integration step if its surfaces slide over each other at the beginning;
 * friction is then mu f against the sliding. Otherwise it *holds*: friction is at most mu f, and holds the surfaces as far as it can. The moments at which a
 * contact stops or begins to slide end the step, like other events. World frame; forces act on A, their opposites on B.
 */

/* A row and a column of the complementarity problem. */
typedef struct event_variable {
    enum { EVENT_NORMAL, EVENT_TANGENT, EVENT_BOUND } kind;
    int32_t row;                     /* of the system */
    int32_t slot;                    /* in event_friction.presses */
    abut_lcp_row line;               /* gives the rate of the gap, or of the slip along a direction; not used for bounds */
    abut_vec3 along;                 /* direction of a tangent */
    abut_vec3 linear[2], angular[2]; /* what a unit of the variable changes of the motions of A and B */
    double scale;                    /* of the variable and of its condition */
} event_variable;

typedef struct event_friction {
    lcp_general lcp;
    event_variable *variables;
    int32_t variable_count, variable_capacity;
    abut_vec3 *drag;                  /* [rows] slip acceleration or slip velocity without contact forces; only of contacts that may hold */
    abut_vec3 *base;                  /* [rows] unit: the first direction of friction; zero for contacts that slide or have none */
    abut_vec3 *force;                 /* [rows] friction force or impulse of the last solution, on A */
    double *bounce;                   /* [rows] scratch of impulses, as the following ones */
    abut_vec3 *before, *plain, *full; /* [rows] velocity at the contact before, and after impulses without and with restitution */
    abut_vec3 *plain_push, *full_push; /* [rows] those impulses, on A */
    bool *presses;                     /* [rows * variables of a row] which variables of the last solution are not 0 */
    int32_t *island;                   /* [rows] the first row that it is coupled with by bodies that forces move, or itself */
    bool *aside;                       /* [rows] those of other islands, and those left out */
    bool *idle;                        /* [rows] the same, and those that are first tried without forces */
    int32_t drag_capacity, base_capacity, force_capacity, bounce_capacity, before_capacity, plain_capacity, full_capacity,
        plain_push_capacity, full_push_capacity, presses_capacity, island_capacity, aside_capacity, idle_capacity;
    bool known; /* the last solution is one of this integration step */
} event_friction;

bool event_friction_reserve(event_friction *friction, int32_t rows);
void event_friction_release(event_friction *friction);

/* Whether some contact has friction. */
bool event_friction_is(const struct event_system *system);

/* At the beginning of an integration step, with system->rates: which contacts slide. */
void event_friction_begin(struct event_system *system);

/* Finds the normal forces and the friction forces; system->lines, rates, q and left_out are known. False on failure; system->status says why. */
bool event_friction_forces(struct event_system *system);

/* The velocity of A relative to B at a row's contact, in its plane; at the places of the last event_system_place(). */
abut_vec3 event_friction_slip(const struct event_system *system, const event_row *row);

/* Finds impulses with friction such that the normal velocities satisfy the conditions with system->q, and contacts slide against their friction or not at all.
 * velocity [rows]: of A relative to B at each contact before. The normal impulses are in system->z, the others in friction->force. */
bool event_friction_impulses(struct event_system *system, const abut_vec3 *velocity, const bool *left_out);
