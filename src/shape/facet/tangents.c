/*
 * Tangent planes of all facets in a node of the hierarchy. A point outside all these planes is in none of the spheres. This separates
 * surfaces that lie side by side; balls around large spheres cannot.
 */
#include "base/real.h"
#include "shape/facet/mesh.h"

/* The slots of a node are consecutive, from those of its first leaf to those of its last leaf. */
static int32_t first_slot(const packed_tree *tree, int32_t at) {
    while (tree->node[at].count == 0) {
        ++at;
    }
    return tree->node[at].first;
}

static int32_t end_slot(const packed_tree *tree, int32_t at) {
    while (tree->node[at].count == 0) {
        at = tree->node[at].first;
    }
    return tree->node[at].first + tree->node[at].count;
}

static abut_vec3 top_of(const facet_side *side) {
    return abut_add_scaled(side->foot, facet_sagitta(side->radius, side->foot_radius * side->foot_radius), side->normal);
}

static facet_tangents tangents_of(const facetmesh *facets, int32_t first, int32_t end) {
    const int32_t *order = facets->topology->order;
    abut_vec3 sum = {0.0, 0.0, 0.0};
    for (int32_t slot = first; slot < end; ++slot) {
        sum = abut_add(sum, facets->side[order[slot]].normal);
    }
    double length = abut_length(sum);
    facet_tangents made = {length > 0.0 ? abut_scale(1.0 / length, sum) : facets->side[order[first]].normal, -INFINITY, 0.0};
    for (int32_t slot = first; slot < end; ++slot) {
        const facet_side *side = &facets->side[order[slot]];
        made.top = real_max(made.top, abut_dot(made.normal, top_of(side)));
        made.tilt = real_max(made.tilt, abut_distance_between(side->normal, made.normal));
    }
    return made;
}

void facetmesh_make_tangents(facetmesh *facets, const packed_tree *tree) {
    for (int32_t i = 0; i < tree->node_count; ++i) {
        facets->tangents[i] = tangents_of(facets, first_slot(tree, i), end_slot(tree, i));
    }
}
