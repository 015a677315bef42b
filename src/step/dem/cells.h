#pragma once

#include <abut/facetmesh.h>

#include "solve/cell/cell.h"
#include "solve/pressure/pressure.h"
#include "step/world/world.h"

/*
 * Elastic cells in the dem stepper: a working copy of their nodes. World frame.
 */

struct dem_system;

typedef struct dem_cell {
    int32_t body; /* index of the body */
    const world_cell *of;
    abut_vec3 *position, *velocity, *force, *working; /* [node_count] one block */
    const abut_shape *shape;                          /* as the nodes are now; a reference is held */
    cell_load load;
    cell_rigid rigid;
    double square, damping; /* upper bounds with the contacts: squared frequency, and damper over mass, of the fastest motion */
    double listed_radius;   /* radius of the body when the near pairs were listed */
    abut_status status;     /* of the last motion */
    int32_t node_capacity;
} dem_cell;

typedef struct dem_cells {
    dem_cell *cells; /* [capacity], zero or with memory from `count` on */
    int32_t *of;     /* [bodies] of each body: its cell, or -1; valid while there are cells */
    int32_t count, capacity, of_capacity;
    double energy, damped;    /* of all cells; since the step of the world began */
    double longest, critical; /* of springs and pressure: stable step; step to take a share of. Infinite without cells */
} dem_cells;

/* Reads the cells of the world. The bodies must have been gathered. ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for a given step that is too long;
 * ABUT_ERROR_OUT_OF_MEMORY. */
abut_status dem_cells_gather(struct dem_system *s);

/* The cell of a body, or NULL. */
const dem_cell *dem_cell_of(const struct dem_system *s, int32_t body);

/* Computes the forces of springs and pressure. Dampers act for the time h. */
void dem_cells_bear(struct dem_system *s, double h);

/* Moves the cell of a body with a step of the stepper (step/dem/kernel.h), by these forces, those of its pairs, and what else acts on the body, which is in
 * s->pushes. Its body and shape follow. May set the status of the cell. */
void dem_cell_move(struct dem_system *s, int32_t body, double h, bool ends, bool begins);

/* The factor by which steps of the length h must be shorter for the cells. */
double dem_cells_hardness(const struct dem_system *s, double h);

/* ABUT_OK, or why a cell could not move. */
abut_status dem_cells_status(const struct dem_system *s);

/* Writes the cells of a step into the world. */
void dem_cells_write(struct dem_system *s, abut_world *world);

void dem_cells_release(dem_cells *cells);

/* ---- contacts: step/dem/cell_touch.c ---- */

/* A force on a node of the first body of a pair, or on node -1 - node of the guest. */
typedef struct dem_node_push {
    int32_t node;
    abut_vec3 force;
} dem_node_push;

struct dem_facet_pair;

/* Two bodies of which at least one is a cell, in the frame of the first one. */
typedef struct dem_cell_touch {
    const struct dem_system *s;
    struct dem_facet_pair *pair;
    const dem_cell *cell[2];     /* NULL for a body that is none */
    abut_mat3 turn;              /* frame to world */
    abut_vec3 centre[2];         /* of both bodies */
    abut_pressure_body rigid[2]; /* both bodies as rigid ones */
    abut_pressure_body body[2];  /* as the surfaces move in the present region */
    double mass;                 /* effective mass of both as rigid bodies */
    double *gathered;            /* [nodes of both] working memory, 0 between regions */
    pressure_region *loads;      /* [contacts] of each contact of the present region */
} dem_cell_touch;

/* Whether the pair has a cell. */
bool dem_cell_touches(const struct dem_system *s, const struct dem_facet_pair *pair);

/* Gives contacts and law of a pair with a cell wider discs with the same forces. */
void dem_cell_touch_widen(abut_pressure_law *law, abut_facetmesh_contact *contacts, int32_t count);

/* contacts: their number. False without memory. p->bodies points to touch->body from then on. */
bool dem_cell_touch_begin(dem_cell_touch *touch, const struct dem_system *s, struct dem_facet_pair *pair, pressure_pair *p,
                          const abut_mat3 *turn, int32_t contacts);
void dem_cell_touch_end(dem_cell_touch *touch, pressure_pair *p);

/* Before the region of these contacts is borne: sets the motion of the surfaces and the effective mass. touched: whether it touched before. */
void dem_cell_touch_region(dem_cell_touch *touch, pressure_pair *p, const pressure_named *begin, const pressure_named *end, bool touched);

/* After it was borne: shares its force among the nodes. False without memory. */
bool dem_cell_touch_share(dem_cell_touch *touch, const pressure_pair *p, const pressure_named *begin, const pressure_named *end,
                          const pressure_borne *borne);
