/* The calls on elastic cells, and what the values of their bodies follow from. */
#include "step/world/cell/cells.h"

#include <string.h>

#include <abut/cell.h>

#include "base/argument.h"
#include "base/digest.h"
#include "base/memory.h"
#include "base/real.h"
#include "shape/facet/mesh.h"
#include "shape/inner.h"
#include "shape/shape.h"
#include "step/world/digest.h"
#include "step/world/inertia.h"

abut_cell_def abut_cell_def_default(void) { return (abut_cell_def){.rest_ratio = 1.0}; }

/* ---- values of the body ---- */

static void set_inertia(body *b, abut_mat3 inertia) {
    const abut_mat3 turn = abut_mat3_from_quat(b->pose.rotation);
    b->inertia = abut_mat3_mul(abut_mat3_transpose(turn), abut_mat3_mul(inertia, turn));
    b->principal = inertia_principal(b->inertia, &b->moments);
    b->frame = abut_quat_unit(abut_quat_mul(b->pose.rotation, b->principal));
}

void cell_turn_inertia(body *b) { set_inertia(b, cell_rigid_of(&b->cell->mesh, b->mass, b->cell->position, b->cell->velocity).inertia); }

void cell_weigh(body *b) {
    const world_cell *cell = b->cell;
    const cell_rigid rigid = cell_rigid_of(&cell->mesh, b->mass, cell->position, cell->velocity);
    set_inertia(b, rigid.inertia);
    b->centre = rigid.centre;
    b->pose.position = abut_sub(b->centre, abut_quat_rotate(b->pose.rotation, b->local_centre));
    b->velocity = rigid.velocity;
    b->angular_velocity = rigid.spin;
}

double cell_kinetic_energy(const body *b) {
    const world_cell *cell = b->cell;
    const cell_rigid rigid = cell_rigid_of(&cell->mesh, b->mass, cell->position, cell->velocity);
    return cell_inner_energy(&cell->mesh, &rigid, cell->position, cell->velocity);
}

void cell_measure(body *b) {
    b->size = b->shape->size;
    b->core = shape_inner_radius(b->shape);
    b->radius = facetmesh_reach_from(b->shape->facets, b->local_centre);
}

void cell_follow(const body *before, body *now) {
    world_cell *cell = now->cell;
    const abut_quat turn = abut_quat_mul(now->pose.rotation, abut_quat_conjugate(before->pose.rotation));
    for (int32_t i = 0; i < cell->mesh.node_count; i++) {
        const abut_vec3 arm = abut_sub(cell->position[i], before->centre), turned = abut_quat_rotate(turn, arm);
        const abut_vec3 rigid = abut_add(before->velocity, abut_cross(before->angular_velocity, arm));
        const abut_vec3 own = abut_quat_rotate(turn, abut_sub(cell->velocity[i], rigid));
        cell->position[i] = abut_add(now->centre, turned);
        cell->velocity[i] = abut_add(abut_add(now->velocity, abut_cross(now->angular_velocity, turned)), own);
    }
    cell_turn_inertia(now);
}

abut_status cell_shape(const char *call, const body *b, abut_vec3 centre, const abut_vec3 *position, abut_vec3 *working,
                       const abut_shape *thick, abut_shape **shape) {
    const world_cell *cell = b->cell;
    const abut_mat3 turn = abut_mat3_from_quat(b->pose.rotation);
    for (int32_t i = 0; i < cell->mesh.node_count; i++) {
        const abut_vec3 arm = abut_sub(position[cell->place[i]], centre);
        working[i] = abut_add(b->local_centre, abut_mat3_apply_transposed(turn, arm));
    }
    return facetmesh_move(call, cell->first, working, thick, shape);
}

void cell_free(world_cell *cell) {
    if (cell != NULL) {
        abut_shape_release(cell->first);
        memory_release(cell);
    }
}

/* ---- making ---- */

static abut_status check_def(const char *call, const abut_cell_def *def) {
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"def->stiffness", def->stiffness},
                   {"def->damping", def->damping},
                   {"def->rest_ratio", def->rest_ratio},
                   {"def->bulk_modulus", def->bulk_modulus}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (argument_is_not_finite(call, numbers[i].name, numbers[i].value)) {
            return ABUT_ERROR_NOT_FINITE;
        }
    }
    if (argument_is_not_finite(call, "def->pressure", def->pressure)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    bool bad = argument_is_not_positive(call, "def->stiffness", def->stiffness) ||
               argument_is_negative(call, "def->damping", def->damping) || argument_is_negative(call, "def->rest_ratio", def->rest_ratio) ||
               argument_is_negative(call, "def->bulk_modulus", def->bulk_modulus);
    return bad ? ABUT_ERROR_INVALID_ARGUMENT : ABUT_OK;
}

static abut_status check_body(const char *call, const abut_world *world, int32_t slot) {
    const body *b = &world->bodies[slot];
    if (world->def.stepper != ABUT_STEPPER_DEM) {
        return refuse(ABUT_ERROR_UNSUPPORTED, call, "world: only the dem stepper has elastic cells");
    }
    if (b->kind != ABUT_BODY_DYNAMIC) {
        return refuse(ABUT_ERROR_INVALID_ARGUMENT, call, "id names a body that is not dynamic");
    }
    if (b->shape->kind != ABUT_SHAPE_FACETMESH) {
        return shape_refuse_kind(call, "the body's shape", b->shape, "a facetmesh");
    }
    return b->cell != NULL ? refuse(ABUT_ERROR_INVALID_ARGUMENT, call, "id names a body that is a cell already") : ABUT_OK;
}

/* All arrays in one block with the cell, those with the strictest alignment first. */
static world_cell *allocate(const facet_topology *topology) {
    const size_t nodes = (size_t)topology->vertex_count, triangles = (size_t)topology->triangle_count, edges = 3 * triangles / 2;
    const size_t bytes = sizeof(world_cell) + nodes * (2 * sizeof(abut_vec3) + sizeof(double)) + edges * sizeof(double) +
                         (2 * edges + 3 * triangles) * sizeof(int32_t);
    world_cell *cell = memory_allocate(bytes, 1);
    if (cell != NULL) {
        cell->position = (abut_vec3 *)(cell + 1);
        cell->velocity = cell->position + nodes;
        cell->mesh.mass = (double *)(cell->velocity + nodes);
        cell->mesh.rest = cell->mesh.mass + nodes;
        cell->mesh.edge = (int32_t *)(cell->mesh.rest + edges);
        cell->mesh.corner = cell->mesh.edge + 2 * edges;
        cell->mesh.node_count = topology->vertex_count;
        cell->mesh.triangle_count = topology->triangle_count;
        cell->place = topology->place;
    }
    return cell;
}

static void place_nodes(world_cell *cell, const body *b, const facetmesh *facets) {
    const facet_topology *topology = facets->topology;
    for (int32_t i = 0; i < 3 * topology->triangle_count; i++) {
        const int32_t node = topology->place[topology->corners[i]];
        cell->mesh.corner[i] = node;
        cell->position[node] = abut_pose_apply(b->pose, facets->corner[i]);
        cell->velocity[node] = abut_add(b->velocity, abut_cross(b->angular_velocity, abut_sub(cell->position[node], b->centre)));
    }
    for (int32_t i = 0; i < topology->vertex_count; i++) {
        if (topology->place[i] != i) { /* further vertices move with the first one */
            cell->position[i] = cell->position[topology->place[i]];
            cell->velocity[i] = cell->velocity[topology->place[i]];
        }
    }
}

static void make_edges(cell_mesh *mesh, const int32_t *twin, const abut_vec3 *position, double rest_ratio) {
    for (int32_t i = 0; i < 3 * mesh->triangle_count; i++) {
        if (i < twin[i]) {
            const int32_t a = mesh->corner[i], b = mesh->corner[i % 3 < 2 ? i + 1 : i - 2];
            mesh->edge[2 * mesh->edge_count] = a;
            mesh->edge[2 * mesh->edge_count + 1] = b;
            mesh->rest[mesh->edge_count++] = rest_ratio * abut_length(abut_sub(position[b], position[a]));
        }
    }
}

static void share_mass(cell_mesh *mesh, double mass, const abut_vec3 *position) {
    double area = 0.0;
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        const int32_t *corner = &mesh->corner[3 * t];
        const abut_vec3 a = position[corner[0]];
        const double own = abut_length(abut_cross(abut_sub(position[corner[1]], a), abut_sub(position[corner[2]], a)));
        area += own;
        for (int k = 0; k < 3; k++) {
            mesh->mass[corner[k]] += own / 3.0;
        }
    }
    for (int32_t i = 0; i < mesh->node_count; i++) {
        mesh->mass[i] *= mass / area;
    }
}

/* Needs the edges, and working memory of one number for each node, all 0. */
static void find_crowding(cell_mesh *mesh, double *edges) {
    for (int32_t i = 0; i < 2 * mesh->edge_count; i++) {
        edges[mesh->edge[i]] += 1.0;
    }
    for (int32_t i = 0; i < mesh->node_count; i++) {
        mesh->crowding = edges[i] > 0.0 ? real_max(mesh->crowding, edges[i] / mesh->mass[i]) : mesh->crowding;
    }
}

static bool is_fine(const world_cell *cell, const body *b) {
    const cell_mesh *mesh = &cell->mesh;
    bool fine = cell->law.volume > 0.0 && isfinite(cell->law.volume) && abut_vec3_is_finite(b->centre) && b->moments.x > 0.0 &&
                b->moments.y > 0.0 && b->moments.z > 0.0 && abut_vec3_is_finite(b->moments);
    for (int32_t i = 0; i < mesh->node_count && fine; i++) {
        fine = isfinite(mesh->mass[i]) && abut_vec3_is_finite(cell->position[i]) && abut_vec3_is_finite(cell->velocity[i]);
    }
    for (int32_t i = 0; i < mesh->edge_count && fine; i++) {
        fine = isfinite(mesh->rest[i]);
    }
    const double square = (2.0 * cell->law.stiffness + 2.0 * cell->law.damping) * mesh->crowding;
    return fine && isfinite(square) && square > 0.0 && isfinite(cell->law.bulk / cell->law.volume);
}

abut_status abut_world_make_cell(abut_world *world, abut_body_id id, const abut_cell_def *def) {
    int32_t slot = body_find(world, id);
    if (slot < 0) {
        return world_lacks_id(CALL_NAME, world);
    }
    abut_status status = argument_is_null(CALL_NAME, "def", def) ? ABUT_ERROR_INVALID_ARGUMENT : check_def(CALL_NAME, def);
    status = status == ABUT_OK ? check_body(CALL_NAME, world, slot) : status;
    if (status != ABUT_OK) {
        return status;
    }
    body made = world->bodies[slot];
    const facetmesh *facets = made.shape->facets;
    world_cell *cell = allocate(facets->topology);
    double *edges = memory_allocate((size_t)facets->topology->vertex_count, sizeof *edges);
    if (cell == NULL || edges == NULL) {
        memory_release(cell);
        memory_release(edges);
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    place_nodes(cell, &made, facets);
    make_edges(&cell->mesh, facets->topology->twin, cell->position, def->rest_ratio);
    share_mass(&cell->mesh, made.mass, cell->position);
    find_crowding(&cell->mesh, edges);
    memory_release(edges);
    cell->law = (cell_law){def->stiffness, def->damping, def->pressure, def->bulk_modulus, cell_volume(&cell->mesh, cell->position)};
    const double numbers[] = {def->stiffness, def->damping, def->rest_ratio, def->pressure, def->bulk_modulus};
    cell->digest = digest_reals(world_digest_of_body(&made), numbers, sizeof numbers / sizeof *numbers);
    made.cell = cell;
    const abut_vec3 centre = cell_rigid_of(&cell->mesh, made.mass, cell->position, cell->velocity).centre;
    made.local_centre = abut_quat_rotate_inverse(made.pose.rotation, abut_sub(centre, made.pose.position));
    cell_weigh(&made);
    cell_measure(&made);
    if (!is_fine(cell, &made)) {
        memory_release(cell);
        return refuse(ABUT_ERROR_NOT_FINITE, CALL_NAME,
                      "def: a length, mass or frequency of the cell is 0, or leaves the range of numbers");
    }
    cell->first = abut_shape_retain(made.shape);
    world->bodies[slot] = made;
    return ABUT_OK;
}

/* ---- reading ---- */

static abut_status find_cell(const char *call, const abut_world *world, abut_body_id id, const body **found) {
    int32_t slot = body_find(world, id);
    if (slot < 0) {
        return world_lacks_id(call, world);
    }
    *found = &world->bodies[slot];
    return (*found)->cell != NULL ? ABUT_OK : refuse(ABUT_ERROR_INVALID_ARGUMENT, call, "id names a body that is no cell");
}

static double area_of(const cell_mesh *mesh, const abut_vec3 *position) {
    double twice = 0.0;
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        const int32_t *corner = &mesh->corner[3 * t];
        const abut_vec3 a = position[corner[0]];
        twice += abut_length(abut_cross(abut_sub(position[corner[1]], a), abut_sub(position[corner[2]], a)));
    }
    return 0.5 * twice;
}

abut_status abut_world_cell_state(const abut_world *world, abut_body_id id, abut_cell_state *state) {
    const body *b = NULL;
    abut_status status = find_cell(CALL_NAME, world, id, &b);
    if (status != ABUT_OK || argument_is_null(CALL_NAME, "state", state)) {
        return status != ABUT_OK ? status : ABUT_ERROR_INVALID_ARGUMENT;
    }
    const world_cell *cell = b->cell;
    const cell_mesh *mesh = &cell->mesh;
    abut_vec3 *force = memory_allocate((size_t)mesh->node_count, sizeof *force);
    if (force == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    const cell_load load = cell_bear(&cell->law, mesh, cell->position, cell->velocity, force);
    memory_release(force);
    *state = (abut_cell_state){.nodes = mesh->node_count,
                               .volume = load.volume,
                               .pressure = load.pressure,
                               .tension = 0.5 * load.stretched / area_of(mesh, cell->position),
                               .spring_energy = load.energy,
                               .kinetic_energy = cell_kinetic_energy(b)};
    return ABUT_OK;
}

abut_status abut_world_cell_nodes(const abut_world *world, abut_body_id id, abut_cell_node *nodes, int32_t capacity, int32_t *count) {
    const body *b = NULL;
    abut_status status = find_cell(CALL_NAME, world, id, &b);
    if (status != ABUT_OK) {
        return status;
    }
    if (argument_is_null(CALL_NAME, "count", count) || argument_is_below(CALL_NAME, "capacity", capacity, 0) ||
        (capacity > 0 && argument_is_null(CALL_NAME, "nodes", nodes))) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    const world_cell *cell = b->cell;
    *count = cell->mesh.node_count;
    for (int32_t i = 0; i < *count && i < capacity; i++) {
        nodes[i] = (abut_cell_node){cell->mesh.mass[i], cell->position[cell->place[i]], cell->velocity[cell->place[i]]};
    }
    return *count <= capacity ? ABUT_OK : ABUT_ERROR_CAPACITY;
}

/* ---- changing ---- */

static abut_status check_nodes(const char *call, const world_cell *cell, const abut_cell_node *nodes, int32_t count) {
    if (argument_is_null(call, "nodes", nodes)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (count != cell->mesh.node_count) {
        return refuse(ABUT_ERROR_INVALID_ARGUMENT, call, "count is %d: the cell has %d nodes", (int)count, (int)cell->mesh.node_count);
    }
    for (int32_t i = 0; i < count; i++) {
        if (!abut_vec3_is_finite(nodes[i].position) || !abut_vec3_is_finite(nodes[i].velocity)) {
            return refuse(ABUT_ERROR_NOT_FINITE, call, "nodes[%d] has a number that is not finite", (int)i);
        }
    }
    return ABUT_OK;
}

abut_status abut_world_set_cell_nodes(abut_world *world, abut_body_id id, const abut_cell_node *nodes, int32_t count) {
    const body *found = NULL;
    abut_status status = find_cell(CALL_NAME, world, id, &found);
    status = status == ABUT_OK ? check_nodes(CALL_NAME, found->cell, nodes, count) : status;
    if (status != ABUT_OK) {
        return status;
    }
    world_cell *cell = found->cell;
    abut_vec3 *position = memory_allocate(3 * (size_t)count, sizeof *position);
    if (position == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    abut_vec3 *velocity = position + count;
    for (int32_t i = 0; i < count; i++) {
        position[i] = nodes[cell->place[i]].position;
        velocity[i] = nodes[cell->place[i]].velocity;
    }
    const abut_vec3 centre = cell_rigid_of(&cell->mesh, found->mass, position, velocity).centre;
    abut_shape *shape = NULL;
    status = cell_shape(CALL_NAME, found, centre, position, velocity + count, NULL, &shape);
    if (status == ABUT_OK) {
        body *b = &world->bodies[found - world->bodies];
        memcpy(cell->position, position, (size_t)count * sizeof *position);
        memcpy(cell->velocity, velocity, (size_t)count * sizeof *velocity);
        abut_shape_release(b->shape);
        b->shape = shape;
        b->disturbed = true;
        cell_weigh(b);
        cell_measure(b);
        world->placements++;
    }
    memory_release(position);
    return status;
}
