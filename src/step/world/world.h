#pragma once

#include "broad/broad.h"
#include "step/world/body.h"
#include "step/world/bond/bond.h"
#include "step/world/cell/cell.h"
#include "step/world/contact_store.h"
#include "step/world/joint.h"
#include "step/world/spring.h"

/* What src/step/world/watch.h needs to know of the bodies. */
typedef struct world_watch {
    abut_pose *before; /* [body_used] poses at the beginning of the step, by slot */
    uint8_t *marks;    /* [body_used] of the present count, by slot */
    int32_t before_capacity, mark_capacity;
} world_watch;

/* Pairs of bodies that never touch. Zero-initialise. */
typedef struct excluded_pairs {
    uint64_t *keys; /* [count] ascending: the lower slot in the upper half */
    int32_t count, capacity;
} excluded_pairs;

/*
 * The state of a world. World frame unless noted otherwise.
 *
 * A step reads the bodies, the springs and the contacts of the last step. It works in memory of its own stepper, in `next` and in `broad`, and writes the
 * bodies and the contacts at its very end. Until then the caller can see no change, so a step that fails needs no undoing.
 */
struct abut_world {
    abut_world_def def;
    abut_vec3 built_gravity; /* the gravity with which the world was created; def.gravity is the present one */
    body *bodies;            /* [body_capacity], by slot */
    int32_t body_used, body_capacity;
    int32_t body_count, body_free; /* number of bodies; first unused slot, -1 for none */
    spring *springs;               /* [spring_capacity], by slot */
    int32_t spring_used, spring_capacity, spring_free;
    world_joint *joints; /* [joint_capacity], by slot */
    int32_t joint_used, joint_capacity, joint_free;
    bond_list bonds;
    excluded_pairs excluded;
    bool several;  /* there has been a body with several surfaces, or the caller has a rule for them */
    bool rolling;  /* there has been a body with rolling or spinning friction, or the caller's rule or pairs of substances may make some */
    bool bouncing; /* some pairs of substances bounce */
    abut_substance_pair *pairs; /* [def.pair_count] sorted (step/world/meet/substances.h); def.pairs points to them */
    broad_phase broad;
    contact_store contacts; /* of the last step */
    contact_store next;     /* of the step in progress; between steps only its memory is kept */
    world_watch watch;
    uint64_t placements;         /* number of changes of the bodies' places, and of the bodies that there are */
    uint64_t permissions;        /* number of changes of what may touch: filters and excluded pairs */
    uint64_t finishes;           /* number of changes of the bodies' surfaces: friction and restitution */
    struct query_index *query;   /* of step/query; never NULL */
    struct touch_events *events; /* of step/touch; never NULL */
    int64_t step;
    double time;
    struct fixed_stepper *fixed; /* NULL until the fixed stepper makes a step */
    struct event_stepper *event; /* NULL until the event stepper makes a step, or a state of it is restored */
    struct dem_stepper *dem;     /* NULL until the dem stepper makes a step, or a state is restored */
};

/* The slot of a body, or -1 for an id that names no body. */
int32_t body_find(const abut_world *world, abut_body_id id);

/* The status of a call whose id was not found: ABUT_ERROR_INVALID_ARGUMENT without a world, else ABUT_ERROR_STALE_ID. */
abut_status world_lacks_id(const char *call, const abut_world *world);

/* Checks the bodies that the call's `def` joins: two that exist, of which one is dynamic. */
abut_status world_check_joined(const char *call, const abut_world *world, abut_body_id a, abut_body_id b);

/* Tell the log why a step fails: because of a body, "its state is not finite" for example, or of a pair of bodies. Bodies are named by the index of their
 * id. Return the status. */
abut_status world_refuse_body(abut_status status, const abut_world *world, int32_t slot, const char *why);
abut_status world_refuse_pair(abut_status status, const abut_world *world, int32_t slot_a, int32_t slot_b);

abut_body_id body_id_of(const abut_world *world, int32_t slot);

/* Two bodies as callbacks see them. */
static inline abut_body_pair world_body_pair(const abut_world *world, int32_t a, int32_t b) {
    return (abut_body_pair){body_id_of(world, a), body_id_of(world, b), world->bodies[a].user, world->bodies[b].user};
}

/* Writes contacts of the bodies in two slots, without forces. */
void world_write_contacts(const abut_world *world, int32_t a, int32_t b, const abut_contact *contacts, int32_t count,
                          abut_world_contact *to);

/* The acceleration of a dynamic body by gravity. The world's gravity for other bodies, which do not feel it. */
static inline abut_vec3 body_gravity(const abut_world *world, const body *body) {
    return body->kind == ABUT_BODY_DYNAMIC ? abut_scale(body->gravity_scale, world->def.gravity) : world->def.gravity;
}

void body_wake(abut_world *world, int32_t slot);

/* Wake the dynamic bodies that a body touched in the last step. */
void body_wake_neighbours(abut_world *world, int32_t slot);
