#include "step/query/index.h"

#include "base/array.h"
#include "base/memory.h"
#include "shape/facet/mesh.h"
#include "shape/shape.h"

/* A body leaves its box in the tree when it has moved by this share of its extents. */
static const double slack = 0.1;

/* When more than this part of the bodies left their boxes, the tree is built anew. */
enum { MANY = 8 };

static abut_aabb with_slack(abut_aabb box) {
    abut_vec3 margin = abut_scale(slack, abut_sub(box.upper, box.lower));
    return (abut_aabb){abut_sub(box.lower, margin), abut_add(box.upper, margin)};
}

/* The bounds of a body, and what queries allow for rounding errors: some 1e-14 of its size and place. */
static abut_aabb bounds_of(const body *body) {
    const double rounding = 1e-12;
    abut_aabb box = abut_shape_bounds(body->shape, body->pose);
    box = body->shape->facets != NULL ? aabb_grown(box, facetmesh_overhang(body->shape)) : box;
    return aabb_grown(box, rounding * (body->shape->size + abut_length(body->pose.position)));
}

static bool reserve(query_index *index, const abut_world *world) {
    int32_t slots = world->body_used;
    if (!array_extend(&index->places, &index->place_capacity, index->place_used, slots, sizeof *index->places) ||
        !array_reserve(&index->planes, &index->plane_capacity, slots, sizeof *index->planes) ||
        !array_reserve(&index->leaves, &index->leaf_capacity, slots, sizeof *index->leaves) || !box_tree_reserve(&index->tree, slots)) {
        return false;
    }
    for (; index->place_used < slots; index->place_used++) {
        index->places[index->place_used].leaf = -1;
    }
    return true;
}

static bool is_in_tree(const abut_world *world, int32_t slot) {
    const body *body = &world->bodies[slot];
    return body->used && body->shape->kind != ABUT_SHAPE_PLANE;
}

static bool is_out_of_box(const query_place *place) { return place->leaf < 0 || !aabb_contains(place->fat, place->box); }

/* Brings bounds and planes up to date. Returns the number of bodies that have left their boxes in the tree; *bodies: of those that belong there. */
static int32_t look(query_index *index, const abut_world *world, int32_t *bodies) {
    int32_t moved = 0;
    *bodies = index->plane_count = 0;
    index->facets = false;
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        index->facets = index->facets || (world->bodies[slot].used && world->bodies[slot].shape->facets != NULL);
        if (is_in_tree(world, slot)) {
            index->places[slot].box = bounds_of(&world->bodies[slot]);
            moved += is_out_of_box(&index->places[slot]);
            ++*bodies;
        } else if (world->bodies[slot].used) {
            index->planes[index->plane_count++] = slot;
        }
    }
    return moved;
}

static void build(query_index *index, const abut_world *world) {
    int32_t count = 0;
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        query_place *place = &index->places[slot];
        place->leaf = -1;
        if (is_in_tree(world, slot)) {
            place->fat = with_slack(place->box);
            index->leaves[count++] = (box_tree_leaf){.box = place->fat, .item = slot};
        }
    }
    box_tree_build(&index->tree, index->leaves, count);
    for (int32_t i = 0; i < count; i++) {
        index->places[index->leaves[i].item].leaf = index->leaves[i].node;
    }
}

static void move_leaf(query_index *index, const abut_world *world, int32_t slot) {
    query_place *place = &index->places[slot];
    bool belongs = is_in_tree(world, slot), moves = belongs && is_out_of_box(place);
    if (place->leaf >= 0 && (moves || !belongs)) {
        box_tree_remove(&index->tree, place->leaf);
        place->leaf = -1;
    }
    if (moves) {
        place->fat = with_slack(place->box);
        place->leaf = box_tree_insert(&index->tree, slot, place->fat);
    }
}

query_index *query_create(void) {
    query_index *index = memory_allocate(1, sizeof *index);
    if (index != NULL) {
        index->tree = box_tree_empty();
    }
    return index;
}

const query_index *query_index_of(const abut_world *world) {
    query_index *index = world->query;
    if (index->ready && index->placements == world->placements) {
        return index;
    }
    index->ready = reserve(index, world);
    if (!index->ready) {
        return NULL;
    }
    int32_t bodies, moved = look(index, world, &bodies);
    if (moved > bodies / MANY) {
        build(index, world);
    } else {
        for (int32_t slot = 0; slot < world->body_used; slot++) {
            move_leaf(index, world, slot);
        }
    }
    index->placements = world->placements;
    return index;
}

bool query_accepts(const abut_world *world, const abut_query_filter *filter, int32_t slot) {
    const body *body = &world->bodies[slot];
    if (filter == NULL) {
        return true;
    }
    return (filter->mask == 0 || (filter->mask & body->filter.category) != 0) &&
           (filter->accept == NULL || filter->accept(filter->context, body_id_of(world, slot), body->user));
}

void query_release(query_index *index) {
    if (index != NULL) {
        box_tree_release(&index->tree);
        memory_release(index->places);
        memory_release(index->planes);
        memory_release(index->leaves);
        memory_release(index);
    }
}

double query_overhang(const query_index *index, const abut_shape *shape) {
    return shape->facets != NULL ? INFINITY : index->facets ? facetmesh_overhang(shape) : 0.0;
}
