#pragma once

#include <stdint.h>

#include <abut/math.h>

/*
 * The forces of an elastic cell on its nodes: springs and dampers along the edges of a closed mesh, and the pressure of the volume inside (abut/cell.h). World
 * frame.
 */

typedef struct cell_law {
    double stiffness, damping; /* of each edge */
    double pressure, bulk;     /* at the volume `volume`; bulk modulus */
    double volume;
} cell_law;

/* What stays the same. */
typedef struct cell_mesh {
    int32_t node_count, edge_count, triangle_count;
    int32_t *corner; /* [3 triangle_count] nodes, counter-clockwise seen from outside */
    int32_t *edge;   /* [2 edge_count] */
    double *rest;    /* [edge_count] lengths without force */
    double *mass;    /* [node_count]; 0: a node without triangles, which does not move by itself */
    double crowding; /* the largest number of edges of a node over its mass */
} cell_mesh;

typedef struct cell_load {
    double volume, pressure;
    double stretched;       /* sum of force times length of the springs */
    double energy, power;   /* of springs and pressure; lost in dampers */
    double square, damping; /* upper bounds: squared frequency, and damper over mass, of the fastest motion of the nodes */
} cell_load;

/* The volume inside. */
double cell_volume(const cell_mesh *mesh, const abut_vec3 *position);

/* Sets the forces on the nodes. force: [node_count] */
cell_load cell_bear(const cell_law *law, const cell_mesh *mesh, const abut_vec3 *position, const abut_vec3 *velocity, abut_vec3 *force);

/* The motion of all nodes as that of a rigid body. */
typedef struct cell_rigid {
    abut_vec3 centre, velocity, spin;
    abut_mat3 inertia; /* about the centre, world axes */
    abut_mat3 inverse; /* of it; zero when there is none */
} cell_rigid;

/* mass: of the whole cell. */
cell_rigid cell_rigid_of(const cell_mesh *mesh, double mass, const abut_vec3 *position, const abut_vec3 *velocity);

/* Kinetic energy beside that of the rigid motion. */
double cell_inner_energy(const cell_mesh *mesh, const cell_rigid *rigid, const abut_vec3 *position, const abut_vec3 *velocity);

/* Forces on three nodes with the sum `force` and the moment `moment` about their middle. weights: of the nodes in the force, with the sum 1. */
void cell_share(const abut_vec3 corner[3], const double weights[3], abut_vec3 force, abut_vec3 moment, abut_vec3 out[3]);

/* The weights of a point over the plane of a triangle: its barycentric coordinates there. */
void cell_weights(const abut_vec3 corner[3], abut_vec3 point, double weights[3]);
