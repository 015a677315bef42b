#pragma once

#include "step/world/saved.h"
#include "step/world/world.h"

/* Gives a body that is a cell the values that follow from its nodes: centre of mass, inertia, pose, motion. The rotation of its shape stays. */
void cell_weigh(body *body);

/* Only the inertia and the principal frame. */
void cell_turn_inertia(body *body);

/* Kinetic energy of the nodes beside that of the body. */
double cell_kinetic_energy(const body *body);

/* Moves the nodes after the caller has placed the body, or changed its motion. before: the body as it was. */
void cell_follow(const body *before, body *now);

/* The shape with the vertices where the nodes are, for the public function `call`; NULL: says nothing. At `centre` is the body's centre of mass. It does not
 * depend on the present shape. thick: as in facetmesh_move(). ABUT_OK; the statuses of abut_shape_create_facetmesh_moved(). */
abut_status cell_shape(const char *call, const body *body, abut_vec3 centre, const abut_vec3 *position, abut_vec3 *working,
                       const abut_shape *thick, abut_shape **shape);

/* Frees the cell of a body. NULL does nothing. */
void cell_free(world_cell *cell);

/* Sets what follows from the shape of a body: its size and radii. */
void cell_measure(body *body);

/* Saved cells (step/save.c). */
bool cells_exist(const abut_world *world);
void cells_save(saved_stream *s, const abut_world *world);

/* The state of a cell that was read. */
typedef struct cell_kept {
    int32_t slot;
    abut_vec3 *position, *velocity; /* one block */
    abut_shape *shape;
} cell_kept;

typedef struct cells_kept {
    cell_kept *cells;
    int32_t count;
} cells_kept;

/* Reads the cells of bodies that were read before, and gives these their shapes, which `kept` owns. ABUT_OK; ABUT_ERROR_FORMAT; ABUT_ERROR_OUT_OF_MEMORY. The
 * caller releases `kept`, also after a failure. */
abut_status cells_read(saved_stream *s, body *bodies, int32_t body_used, cells_kept *kept);

/* Puts the nodes into the cells of a world whose bodies are those of cells_read(). Nothing can fail. */
void cells_restore(abut_world *world, cells_kept *kept);
void cells_release(cells_kept *kept);
