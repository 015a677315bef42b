#pragma once

#include <abut/base.h>
#include <abut/math.h>
#include <abut/world.h>

/**
 * @file cell.h
 * Elastic cells: bodies of rounded triangles that deform by forces, in worlds of the dem stepper.
 *
 * A cell is a facetmesh whose vertices, its nodes, move. Springs along the edges of its triangles are its cortex, and the volume inside has a pressure. The
 * contacts of its facets are those of facet.h and pressure.h: each presses the three nodes of its facet, with the force and the moment that two rigid bodies
 * would have there. Dampers and friction of a contact feel the velocity of the surface itself, interpolated between the nodes. Models of this kind are
 * described in T. Odenthal, B. Smeets and others, "Analysis of initial cell spreading using mechanistic contact formulations for a deformable cell model",
 * 2013.
 *
 * The mass of the body sits in its nodes, by the areas of the triangles around them. The frame of the shape moves with the centre of mass and does not turn:
 * a cell that turns has vertices that move around in its frame. The body's velocity, angular velocity and inertia are those of the nodes together.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** Definition of a cell. Start from abut_cell_def_default(). */
typedef struct abut_cell_def {
    double stiffness;    /**< of the spring of each edge; > 0 [force/length] */
    double damping;      /**< of the damper beside each spring; >= 0; default 0 [force time/length] */
    double rest_ratio;   /**< length of the springs without force, over the length of their edges in the shape; >= 0; default 1 */
    double pressure;     /**< pressure inside minus that outside while the volume is that of the shape; any sign; default 0 [force/length^2] */
    double bulk_modulus; /**< the pressure falls by this times the relative growth of the volume; >= 0; default 0 [force/length^2] */
} abut_cell_def;

/** A definition with the defaults named above, without a stiffness. */
ABUT_API abut_cell_def abut_cell_def_default(void);

/**
 * Make a body a cell, with its present shape, pose and motion. It stays one until it is removed. The centre of mass of the body becomes that of its nodes.
 * For a cell, abut_world_set_body_shape() and abut_world_set_body_mass() give ABUT_ERROR_UNSUPPORTED; the other calls act on all nodes as on points of a rigid
 * body: forces and torques that are applied, poses and motions that are set, impulses, damping and bonds.
 *
 * The dem stepper moves the nodes by its own scheme, velocity-Verlet, with a new shape in every integration step. Radii of curvature that were estimated are
 * estimated anew; given ones stay. The step is shortened to what springs, dampers, pressure and the contacts of the nodes need; a given step
 * (abut_dem_settings.step) that is longer makes abut_world_step() fail.
 * @param id   a dynamic body that is no cell, whose shape is a facetmesh
 * @param def  read during the call only; never NULL
 * @return ABUT_OK; ABUT_ERROR_STALE_ID; ABUT_ERROR_INVALID_ARGUMENT for numbers out of range, a body of another kind or shape, or a cell;
 *         ABUT_ERROR_NOT_FINITE, also when a length, mass or stiffness overflows; ABUT_ERROR_UNSUPPORTED in worlds without the dem stepper;
 *         ABUT_ERROR_OUT_OF_MEMORY. On an error the body is as it was
 */
ABUT_API abut_status abut_world_make_cell(abut_world *world, abut_body_id id, const abut_cell_def *def);

/** State of a cell. */
typedef struct abut_cell_state {
    int32_t nodes;         /**< number of vertices of the shape */
    double volume;         /**< enclosed by the triangles [length^3] */
    double pressure;       /**< inside minus outside [force/length^2] */
    double tension;        /**< sum of force times length over all springs, divided by twice the area: the mean tension of the surface [force/length] */
    double spring_energy;  /**< of the springs, and of the pressure from the volume of the shape on [mass length^2/time^2] */
    double kinetic_energy; /**< of the nodes' motion against each other, beside that of the rigid motion [mass length^2/time^2] */
} abut_cell_state;

/**
 * State of a cell.
 * @param state  written on ABUT_OK; never NULL
 * @return ABUT_OK; ABUT_ERROR_STALE_ID; ABUT_ERROR_INVALID_ARGUMENT, also for a body that is no cell
 */
ABUT_API abut_status abut_world_cell_state(const abut_world *world, abut_body_id id, abut_cell_state *state);

/** A node of a cell. World frame. */
typedef struct abut_cell_node {
    double mass;        /**< 0 for a vertex without triangles, and for further vertices at the same place [mass] */
    abut_vec3 position; /**< [length] */
    abut_vec3 velocity; /**< [length/time] */
} abut_cell_node;

/**
 * The nodes of a cell, in the order of the vertices of its shape.
 * @param nodes     [capacity]; may be NULL when capacity is 0
 * @param capacity  >= 0
 * @param count     set to the number of nodes, also when the capacity is too small; never NULL
 * @return ABUT_OK; ABUT_ERROR_CAPACITY; ABUT_ERROR_STALE_ID; ABUT_ERROR_INVALID_ARGUMENT, also for a body that is no cell
 */
ABUT_API abut_status abut_world_cell_nodes(const abut_world *world, abut_body_id id, abut_cell_node *nodes, int32_t capacity, int32_t *count);

/**
 * Put the nodes of a cell elsewhere and give them velocities. Its centre of mass, inertia, motion and shape follow. Lengths of springs and the volume of the
 * bulk modulus stay.
 * @param nodes  [count] in the order of the vertices of its shape. Masses do not count, and those with the mass 0 follow others
 * @param count  the number of nodes of the cell
 * @return ABUT_OK; ABUT_ERROR_STALE_ID; ABUT_ERROR_INVALID_ARGUMENT, also for a body that is no cell and for another count; ABUT_ERROR_NOT_FINITE;
 *         ABUT_ERROR_NOT_OUTWARD and ABUT_ERROR_DEGENERATE for a surface that is inside out or flat; ABUT_ERROR_OUT_OF_MEMORY. On an error nothing changes
 */
ABUT_API abut_status abut_world_set_cell_nodes(abut_world *world, abut_body_id id, const abut_cell_node *nodes, int32_t count);

#ifdef __cplusplus
}
#endif
