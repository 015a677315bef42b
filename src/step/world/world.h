#pragma once

#include <abut/world.h>

#include "broad/broad.h"
#include "solve/contact/contact.h"
#include "solve/contact/plan.h"
#include "solve/contact/spring.h"

/*
 * What a world is inside the library. World frame, but where said otherwise.
 *
 * A step reads the bodies, springs and the committed contacts, works in the fields of step_work and writes back at its very end: until
 * then nothing that a caller can see has changed, so a step that fails needs no undoing.
 */

typedef struct body {
    bool used;
    uint32_t generation; /* how often the slot was used before */
    int32_t next_free;   /* unused slots: the next one; -1 for none */

    abut_body_kind kind;
    const abut_shape *shape; /* retained */
    double friction, restitution, linear_damping, angular_damping;
    abut_material material;
    double adhesion_work;
    uint64_t user;

    double mass;            /* 0 unless dynamic */
    abut_vec3 local_centre; /* of mass, shape frame; zero for planes */
    abut_mat3 inertia;      /* about it, shape frame; zero unless dynamic */
    abut_quat principal;    /* principal frame of the inertia to shape frame */
    abut_vec3 moments;      /* the principal moments; zero unless dynamic */
    double size;            /* largest extent of the shape's bounds; 0 for planes */
    double radius;          /* of a ball about the centre of mass that holds the shape; 0 for planes */

    abut_pose pose;     /* of the shape frame */
    abut_vec3 centre;   /* of mass */
    abut_quat frame;    /* principal frame to world */
    abut_vec3 velocity; /* of the centre of mass */
    abut_vec3 angular_velocity;

    abut_vec3 force, torque; /* of the coming step, the torque about the centre of mass */
    bool asleep;             /* dynamic bodies only */
    bool disturbed;          /* placed by the caller since the last step */
    double rest_time;        /* slow for so long */
} body;

typedef struct spring {
    bool used;
    uint32_t generation;
    int32_t next_free;
    int32_t body;     /* slot */
    abut_vec3 anchor; /* shape frame */
    abut_vec3 target;
    double frequency, damping_ratio, max_force;
} spring;

/* What warm starting needs of a contact that was. */
typedef struct contact_memory {
    double force;       /* normal, of the last substep */
    abut_vec3 friction; /* force, of the last substep */
    abut_vec3 place;    /* midway between the surfaces, in the frame of a's shape */
} contact_memory;

/* Contacts pair by pair. */
typedef struct contact_store {
    abut_world_contact *contacts; /* [capacity] */
    contact_memory *memory;       /* [capacity] */
    int32_t count, capacity;
} contact_store;

enum { TRACKING_POINTS = 4 };

/* A witness point that the tracking method remembers. */
typedef struct tracking_point {
    abut_contact contact;
    abut_vec3 local_a, local_b; /* on_a and on_b in the shape frames */
} tracking_point;

typedef struct tracking_cache {
    tracking_point points[TRACKING_POINTS];
    int32_t count;
    uint64_t made; /* points made so far: their ids */
} tracking_cache;

/* One narrow phase to be run. */
typedef struct narrow_job {
    int32_t pair;            /* in broad.found */
    int32_t first, capacity; /* its room in step_work.results */
    int32_t count;
    double margin, angle; /* of its settings */
    abut_status status;
} narrow_job;

/* A body and a mesh that stands still, which may touch: see step/fixed/seams.h. */
typedef struct seam {
    int32_t body, mesh; /* slots */
} seam;

/* Of a body during a step. */
typedef struct step_body {
    int32_t island;   /* union-find: a slot of the same island, or the slot itself */
    bool active;      /* may change what it touches: awake and dynamic, or moved by other means */
    bool asleep;      /* after the step */
    double rest_time; /* after the step */
} step_body;

/* Bodies that are solved together. Everything else in a step is as it is for them: islands do not know each other. */
typedef struct step_island {
    int32_t body, moving, body_count;         /* in step_work.states; the first `moving` of them move */
    int32_t pair, pair_count;                 /* in step_work.contacts, and so on */
    int32_t patch, patch_count;
    int32_t point, point_count;
    int32_t spring, spring_count;
    int32_t last_guest; /* slot of the last body taken that does not move; -1 for none */
} step_island;

/* Where a pair comes from and goes to. */
typedef struct step_pair {
    int32_t found; /* in broad.found */
    int32_t island;
    int32_t a, b;               /* places in the island */
    int32_t pair, patch, point; /* the same; the first ones of its patches and points */
    int32_t patch_count;
    int32_t colour; /* in a large island (step/fixed/colours.h) */
} step_pair;

/* What step/fixed/colours.c keeps. */
typedef struct step_colours {
    uint64_t *used;              /* by state: a bit for each colour of its pairs */
    int32_t *order;              /* of the pairs of the island at hand */
    int32_t *chunks, *firsts;    /* of all schedules, one after the other */
    solver_progress *progress;   /* beside chunks */
    solver_schedule *schedules;  /* one for each large island */
    int32_t chunk_count, used_capacity, order_capacity, chunk_capacity, first_capacity, progress_capacity, schedule_capacity;
} step_colours;

/* Memory of a step, kept for the next one. */
typedef struct step_work {
    narrow_job *jobs;
    int32_t job_count, job_capacity;
    abut_contact *results;
    int32_t result_capacity;
    contact_store next;       /* contacts of this step */
    seam *seams;              /* [seam_count] by body, then by mesh */
    abut_part *seam_meshes;   /* beside them: the mesh and where it is */
    int32_t seam_count, seam_capacity, seam_mesh_capacity;
    tracking_cache *tracking; /* [tracking_capacity], beside broad.found */
    int32_t tracking_capacity;

    step_body *bodies; /* by slot */
    int32_t body_capacity;

    step_island *islands;
    int32_t island_count, island_capacity;
    int32_t *island_of; /* by slot: index of the island of a body that moves; -1 for the others */
    int32_t *place_of;  /* by slot: its place in its island */
    int32_t island_of_capacity, place_capacity;
    solver_body *states; /* island by island: bodies that move, then the others that these touch, once or more often */
    int32_t *slots;      /* beside states */
    int32_t state_count, state_capacity, slot_capacity;
    step_pair *pairs; /* [pair_count] those that are solved, in the order of the found ones */
    int32_t pair_count, list_capacity;
    solver_contacts contacts; /* of all islands, one after the other; its arrays belong to the step */
    solver_contacts *sets;    /* [island_count] the islands' parts; indices count from the begin of the part */
    int32_t pair_capacity, patch_capacity, point_capacity, anchor_capacity, set_capacity;
    int32_t *sources; /* [source_capacity], by point: its contact in next */
    int32_t source_capacity;
    solver_spring *springs;  /* island by island */
    int32_t *spring_sources; /* beside springs: the world's spring */
    int32_t spring_count, spring_capacity, spring_source_capacity;
    solver_plan plan;
    step_colours colours;
    int32_t *batches; /* [batch_count + 1] islands that are solved by one task, one after the other; without the large ones */
    int32_t batch_count, batch_capacity;
} step_work;

struct abut_world {
    abut_world_def def;
    body *bodies; /* [body_capacity], by slot */
    int32_t body_used, body_capacity;
    int32_t body_count, body_free;
    spring *springs;
    int32_t spring_used, spring_capacity, spring_free;
    broad_phase broad;
    contact_store contacts;   /* of the last step */
    tracking_cache *tracking; /* [tracking_capacity], beside broad.pairs; only with the tracking method */
    int32_t tracking_capacity;
    int64_t step;
    double time;
    step_work work;
    struct event_stepper *event; /* NULL until the event stepper is used */
    struct dem_stepper *dem;     /* NULL until the dem stepper is used */
};

/* step/world/body.c */

/* The slot of a body, or -1 for an id that names none. */
int32_t body_find(const abut_world *world, abut_body_id id);
/* What a call answers whose id was not found: without a world there is nothing that an id could be stale in. */
abut_status world_lacks_id(const abut_world *world);
abut_body_id body_id_of(const abut_world *world, int32_t slot);
void body_wake(abut_world *world, int32_t slot);
/* Pose of the shape frame from centre and principal frame, or the other way round. */
void body_place_shape(body *body);
void body_place_centre(body *body);
/* Leave the body out of the contacts, the pairs and what they remember. */
void body_forget_contacts(abut_world *world, int32_t slot);

/* Bounds of everything a body may touch within a time dt: where it is, grown by its share of its pairs' margins (step/fixed/margin.h). */
abut_aabb body_reach(const abut_world *world, const body *body, double dt);
/* A plane in the world, of unit normal. */
void body_plane(const body *body, abut_vec3 *normal, double *offset);

/* step/world/spring.c */
void spring_remove_all_of(abut_world *world, int32_t slot);
double spring_stiffness(const abut_world *world, const spring *spring);
