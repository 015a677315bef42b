#pragma once

#include <stdbool.h>

#include <abut/world.h>

/* The values of a body that its callers can change. */
typedef struct body_values {
    double mass; /* 0 unless dynamic */
    double friction, restitution, linear_damping, angular_damping;
    double gravity_scale;    /* only dynamic bodies feel it */
    uint64_t category, mask; /* of the filter */
    int64_t group;           /* of the filter; 64 bits, so that there is no padding */
} body_values;

/* A body of a world. World frame unless noted otherwise. */
typedef struct body {
    /* What most loops of a step ask of every body comes first: they go through the memory of all bodies. */
    bool used;
    bool asleep;     /* dynamic bodies only */
    bool disturbed;  /* the caller has placed the body since the last step */
    bool driven;     /* its surface moves along itself */
    bool continuous; /* does not pass through dynamic bodies either */
    bool rolls;      /* some of its surfaces have rolling or spinning friction */
    bool sensor;     /* touches nothing */
    abut_body_kind kind;
    int32_t substance;              /* 0: nothing that pairs of substances name */
    const abut_shape *shape;        /* retained */
    struct body_surfaces *surfaces; /* of its parts or triangles (step/world/meet/surfaces.h); NULL for one surface */
    struct world_cell *cell;        /* of an elastic cell (step/world/cell/cell.h), owned; NULL for other bodies */
    double gravity_scale;           /* multiplies the world's gravity; only dynamic bodies feel it */
    double radius;                  /* radius of a ball about the centre of mass that contains the shape; 0 for planes */
    double size;                    /* largest extent of the shape's bounds; 0 for planes */
    double core;                    /* radius of a ball inside its thinnest part (shape/inner.h) */
    double mass;                    /* 0 unless dynamic */
    double friction, restitution;
    abut_vec3 velocity; /* velocity of the centre of mass */
    abut_vec3 angular_velocity;
    abut_vec3 centre;        /* centre of mass */
    abut_quat frame;         /* rotation from the principal frame to the world */
    abut_vec3 moments;       /* principal moments of inertia; zero unless dynamic */
    abut_vec3 force, torque; /* applied during the next step; the torque is about the centre of mass */
    double linear_damping, angular_damping;
    double rest_time;       /* time for which the body has been slow */
    abut_pose pose;         /* pose of the shape frame */
    abut_quat principal;    /* rotation from the principal frame of the inertia to the shape frame */
    abut_vec3 local_centre; /* centre of mass, shape frame; zero for planes */
    uint64_t user;

    uint32_t generation; /* number of earlier uses of the slot */
    int32_t next_free;   /* of an unused slot: the next unused slot; -1 for none */
    abut_mat3 inertia;   /* about the centre of mass, shape frame; zero unless dynamic */
    abut_filter filter;
    body_values built; /* the values with which the body was added */
    abut_material material;
    double adhesion_work;

    /* What few bodies have comes last, out of the way of the others. */
    double rolling_friction, spinning_friction;
    double rolling_resistance, twisting_resistance;       /* for the dem stepper */
    double contact_stiffness;                             /* of the linear law of the dem stepper; 0: Hertz's */
    double adhesion_strength;                             /* of Maugis's law in the dem stepper; 0: that of JKR */
    double liquid_volume, surface_tension, contact_angle; /* of capillary bridges, for the dem stepper */
    abut_motion belt, built_belt; /* motion of the surface along itself, now and when the body was added: shape frame, about its origin */
    abut_motion drive;            /* the same in the principal frame, about the centre of mass; follows from belt, shape and mass */
} body;

/* Set the fields that follow from shape and mass: mass, centre of mass, inertia, size, radius. Uses the shape, kind, mass and density of the definition.
 * ABUT_OK; ABUT_ERROR_NOT_CLOSED for a dynamic mesh that encloses no volume; ABUT_ERROR_NOT_FINITE. */
abut_status body_weigh(body *body, const abut_body_def *def);

/* The kinetic energy of a dynamic body that moves so: 1/2 m v^2 + 1/2 w . I w. The second term is computed in the principal frame. */
static inline double body_kinetic_energy(const body *b, abut_quat frame, abut_motion motion) {
    abut_vec3 w = abut_quat_rotate_inverse(frame, motion.angular);
    double spin = b->moments.x * w.x * w.x + b->moments.y * w.y * w.y + b->moments.z * w.z * w.z;
    return 0.5 * b->mass * abut_length_squared(motion.linear) + 0.5 * spin;
}

/* Whether two bodies can have contacts with each other. */
static inline bool bodies_can_touch(const body *a, const body *b) {
    return !a->sensor && !b->sensor && abut_filters_agree(a->filter, b->filter);
}

/* What the broad phase is told: a sensor can touch nothing. */
static inline abut_filter body_contact_filter(const body *b) {
    const abut_filter nothing = {0, 0, 0};
    return b->sensor ? nothing : b->filter;
}

/* The present values. */
static inline body_values body_values_of(const body *b) {
    return (body_values){b->mass,          b->friction,        b->restitution, b->linear_damping, b->angular_damping,
                         b->gravity_scale, b->filter.category, b->filter.mask, b->filter.group};
}

/* Set what follows from the motion of the surface along itself. */
void body_follow_belt(body *body);

/* Give a dynamic body another mass and the inertia that follows. Centre of mass and velocities stay. ABUT_OK; ABUT_ERROR_NOT_FINITE, and then the body is
 * unchanged. */
abut_status body_weigh_anew(body *body, double mass);

/* Set the pose of the shape frame from the centre of mass and the principal frame. */
void body_place_shape(body *body);

/* Set the centre of mass and the principal frame from the pose of the shape frame. */
void body_place_centre(body *body);

/* The half-space normal . x <= offset of a body whose shape is a plane; the normal has length 1. */
void body_plane(const body *body, abut_vec3 *normal, double *offset);
