#pragma once

#include <stdatomic.h>

#include "broad/neighbours.h"
#include "solve/pressure/pressure.h"
#include "step/dem/bonds.h"
#include "step/dem/facets.h"
#include "step/dem/order.h"
#include "step/world/world.h"

/*
 * The state of the dem stepper: the bodies of a world, their near pairs, and the memory of these pairs. Bodies are ordered by kind: first
 * balls, by place (order.h); then meshes of rounded triangles, and planes, by slot. World frame; consistent units (SI).
 */

/* Where a body is: a row of four numbers, the layout of the kernels (step/dem/kernel.h). Most near pairs do not touch, and this is all that is read of
 * their bodies. */
typedef struct dem_sphere {
    abut_vec3 centre;
    double radius; /* of a mesh: radius of a ball about its centre that contains it; of a plane: INFINITY */
} dem_sphere;

/* How a body moves, and what resists: two rows. */
typedef struct dem_body {
    abut_vec3 velocity;
    double inverse_mass; /* 0 for bodies that forces do not move */
    abut_vec3 angular_velocity;
    double inverse_inertia; /* of a ball, about any axis; of a mesh, about the axis of its least moment */
} dem_body;

/* The surface of a plane: a row. */
typedef struct dem_plane {
    abut_vec3 normal; /* unit outward normal */
    double offset;    /* dot(normal, x) of the surface */
} dem_plane;

/* What of a body is not read in most steps. */
typedef struct dem_tag {
    int32_t kind; /* index of its material in dem_system.laws */
    int32_t slot;
} dem_tag;

typedef struct dem_push {
    abut_vec3 force, torque;
} dem_push;

/* What acts on a body besides contacts: external force and torque, damping, and the acceleration by gravity. Three rows. */
typedef struct dem_load {
    abut_vec3 force;
    double linear_damping;
    abut_vec3 torque;
    double angular_damping;
    abut_vec3 gravity; /* body_gravity() */
    double unused;
} dem_load;

/* The constants of a pressure law for the kernels: two rows. */
typedef struct dem_law_row {
    double pressing;     /* 4/3 E*: force over (disc radius a * overlap) */
    double damper;       /* 2 sqrt(5/6) damping sqrt(2 E*): force over (sqrt(m a) * velocity along the normal) */
    double slide_damper; /* 2 sqrt(5/6) damping sqrt(2/7 8 G*): the same across the normal */
    double shear;        /* 8 G*: stiffness of the friction spring over a */
    double friction;
    double pulls;   /* 1 if damping may pull, else 0 */
    double adheres; /* 1 with adhesion, else 0 */
    double linear;  /* 1 for the linear law, else 0; the numbers above are then for a disc radius a of 1 */
} dem_law_row;

/* Two near bodies. A is a ball; B is a ball in a higher slot, or a plane. */
typedef struct dem_near {
    int32_t a, b;
} dem_near;

/* A near pair that touches: its force on A at the moment, two rows with the arms along the normal, and what it remembers of its friction spring. The memory
 * describes A relative to B, with the normal from B into A. */
typedef struct dem_contact {
    abut_vec3 force;
    double arm_a;   /* distance from A's centre to the contact */
    abut_vec3 turn; /* normal x force */
    double arm_b;   /* the same for B; 0 for planes */
    abut_vec3 stretch, normal;
    double stiffness; /* 0: no friction spring */
    int32_t pair, unused;
} dem_contact;

/* What a touching pair of an earlier list remembers. Its force is computed again. */
typedef struct dem_memory {
    int32_t a, slot_b; /* place of A; slot of B */
    bool plane;        /* B is one */
    abut_vec3 stretch, normal;
    double stiffness;
} dem_memory;

/* What resists the rolling and twisting of a pair. Two rows. */
typedef struct dem_roll {
    abut_vec3 stretch; /* of both springs: abut_pressure_memory.roll */
    double stiffness;  /* 0: no springs */
    abut_vec3 moment;  /* on A at the moment */
    double unused;
} dem_roll;

/* Energy of the friction spring. */
static inline double dem_contact_energy(const dem_contact *c) { return 0.5 * c->stiffness * abut_length_squared(c->stretch); }

/* Number of pairs that are summed together, independent of the threads that compute them. */
enum { DEM_BLOCK = 256 };

/* Sums over pairs, in the order of the pairs. */
typedef struct dem_tally {
    double elastic, spring; /* energy of the contacts; energy of the springs of friction, rolling and twisting */
    double damped, rubbed;  /* work absorbed by damping and by friction since the step of the world began */
    int32_t touching, sliding;
} dem_tally;

/* DEM_BLOCK near pairs: those of them that touch, in any order, and what they add to the sums. Only these have memory of their own. */
typedef struct dem_block {
    dem_contact *contacts; /* [count + 1] the first one is zero, for pairs that do not touch */
    dem_roll *rolls;       /* [count + 1] beside the contacts; unused where no law rolls */
    int32_t count, capacity, roll_capacity;
    dem_tally tally;
} dem_block;

typedef struct dem_system {
    const abut_world *world;
    dem_sphere *spheres;                         /* [body_count] */
    dem_body *bodies;                            /* [body_count] */
    dem_tag *tags;                               /* [body_count] */
    dem_plane *planes;                           /* [body_count - round_count]: see dem_plane_of() */
    abut_quat *frames;                           /* [body_count] principal frame to world */
    dem_push *pushes;                            /* [body_count] */
    dem_load *loads;                             /* [body_count] if `loaded`: see dem_load_of() */
    bool loaded;                                 /* whether any load is other than the world's gravity */
    int32_t body_count, ball_count, round_count; /* round_count: balls and meshes */
    int32_t sphere_capacity, body_capacity, tag_capacity, plane_capacity, frame_capacity, push_capacity, load_capacity;
    abut_pressure_law *laws; /* [kind_count * kind_count] */
    dem_law_row *law_rows;   /* [kind_count * kind_count], same order as laws */
    bool adheres;            /* whether any law has adhesion */
    bool linear;             /* whether any law is linear */
    bool wets;               /* whether any law has capillary bridges */
    bool other_laws;         /* whether any law is not Hertz's alone: with adhesion, linear, or with bridges */
    bool rolls;              /* whether any law has rolling or twisting resistance */
    int32_t *kind_slots;     /* [kind_count] slot of the first body of each material */
    int32_t kind_count, law_capacity, law_row_capacity, kind_capacity;
    neighbour_space space;
    double skin;    /* [length] */
    bool all_touch; /* nothing forbids any two bodies to touch */
    dem_order order;

    neighbour_list near;
    dem_near *found; /* [pair_count] before they are sorted */
    int32_t found_capacity;
    abut_vec3 *places; /* [place_capacity] centres of the round bodies at the time of the list: wrapped while the list is made, then as they
                        * are; of planes, their normals at that time */
    double *reaches;   /* of round bodies, for the list; of planes, their offsets at that time */
    int32_t place_capacity, reach_capacity;
    atomic_bool strayed;    /* whether a round body has moved so far since the list was made that an unlisted pair may touch */
    dem_near *pairs;        /* [pair_count] */
    uint16_t *touching;     /* [pair_count] index in the contacts of the pair's block; 0 for a pair that does not touch */
    dem_block *blocks;      /* one for each DEM_BLOCK pairs, so that sums do not depend on threads */
    int32_t block_count;    /* in use; others keep their memory */
    atomic_bool lacking;    /* there was no memory for a contact */
    dem_memory *spare;      /* [spare_count] memories from the previous list, or from the previous step of the world */
    dem_roll *spare_rolled; /* beside them; unused where no law rolls */
    int32_t pair_count, pair_capacity, spare_count, spare_capacity, touching_capacity, block_capacity, spare_rolled_capacity;
    int32_t *own;         /* [ball_count + 1] pairs whose A is ball i: own[i] <= index < own[i + 1]; by the slots of B, then planes */
    int32_t *other_first; /* [ball_count + 1] pairs whose B is ball i: others[other_first[i]] up to others[other_first[i + 1] - 1], by
                               * the slots of A */
    int32_t *others;
    int32_t own_capacity, first_capacity, other_capacity;
    dem_tally tally;
    dem_facets facets; /* pairs with meshes; `pairs` above has all others */
    dem_bonds bonds;
    dem_cells cells;
    bool recalled; /* `spare` has the memories for the coming list, not yet the pairs of the last one */
    int64_t lists;
    int32_t age; /* lists since the balls were ordered */
    abut_status status;
} dem_system;

/* Reads the bodies and materials of the world and makes the laws. ordered: s->order has the balls of the world, in an order that shall stay. Returns the
 * statuses of abut_world_step(). */
abut_status dem_system_gather(dem_system *s, const abut_world *world, bool ordered);

/* Reads the motion of balls and planes again that the system has gathered, and what acts on them; nothing else has changed. Returns the same statuses. */
abut_status dem_system_refresh(dem_system *s);

/* A bound of a step [time] for a body that forces move. */
typedef double dem_bound(const dem_system *s, int32_t body);
/* The least bound of all balls and meshes that forces move; infinite for none. */
double dem_least_bound(const dem_system *s, dem_bound *bound);

/* The critical step [time]; infinite without moving balls or meshes. */
double dem_system_critical_step(const dem_system *s);

/* The radius of a moving ball; for a moving mesh, the radius of the ball with its mass and least moment of inertia. */
double dem_inertial_radius(const dem_system *s, int32_t body);

/* Assumptions of step/dem/limit.c: number of neighbours; radius of the contact discs over the body's radius. */
#define DEM_LIMIT_NEIGHBOURS 6.0
#define DEM_LIMIT_DISC 0.1

/* step/dem/limit.c: the longest step [time] at which a dense bed of these bodies is stable with its damping; infinite without moving balls
 * or meshes. */
double dem_system_longest_step(const dem_system *s);

void dem_system_release(dem_system *s);

/* step/dem/pairs.c */

/* Lists the near pairs and hands them their memories. False: s->status says why. */
bool dem_pairs_list(dem_system *s);

/* Whether the periodic space is long enough for the bodies; if not, the log is told. */
bool dem_pairs_fit(const dem_system *s);

/* step/dem/forces.c */

/* Computes the forces of all pairs and advances their memories by the time h. */
void dem_forces(dem_system *s, double h);

/* Makes room for so many contacts, and keeps those that there are. False when there is no memory. */
bool dem_block_reserve(const dem_system *s, dem_block *block, int32_t contacts);

/* Clears the force and the memory of a pair that does not touch. The energy of its springs counts as friction work. */
void dem_forget(dem_system *s, int32_t pair, dem_tally *tally);

/* The block of a pair. */
static inline dem_block *dem_block_of(const dem_system *s, int32_t pair) { return &s->blocks[pair / DEM_BLOCK]; }

/* The contact of a near pair; zero if it does not touch. */
static inline dem_contact *dem_contact_of(const dem_system *s, int32_t pair) { return &dem_block_of(s, pair)->contacts[s->touching[pair]]; }

/* Its springs against rolling and twisting, where laws roll. */
static inline dem_roll *dem_roll_of(const dem_system *s, int32_t pair) { return &dem_block_of(s, pair)->rolls[s->touching[pair]]; }

/* The law of a near pair. */
static inline int32_t dem_law_index(const dem_system *s, const dem_near *pair) {
    return s->kind_count == 1 ? 0 : s->tags[pair->a].kind * s->kind_count + s->tags[pair->b].kind;
}

static inline const abut_pressure_law *dem_law(const dem_system *s, int32_t kind_a, int32_t kind_b) {
    return &s->laws[kind_a * s->kind_count + kind_b];
}

/* The mesh of a body; NULL for balls and planes. */
static inline const dem_mesh *dem_mesh_of(const dem_system *s, int32_t body) {
    return body >= s->ball_count && body < s->round_count ? &s->facets.meshes[body - s->ball_count] : NULL;
}

static inline dem_load dem_load_of(const dem_system *s, int32_t body) {
    return s->loaded ? s->loads[body] : (dem_load){.gravity = s->world->def.gravity};
}

static inline bool dem_is_plane(const dem_system *s, int32_t body) { return body >= s->round_count; }

/* body: a plane. */
static inline dem_plane *dem_plane_of(const dem_system *s, int32_t body) { return &s->planes[body - s->round_count]; }
