/*
 * Balls around the encompassing spheres of all facets in a node of the hierarchy. The overlap R1 + R2 - D of two balls is at least the
 * overlap of any two balls inside them, so it bounds the depth of two nodes' facets in each other.
 */
#include "base/real.h"
#include "shape/facet/mesh.h"

static facet_ball ball_of(const facet_side *side, double widest) {
    if (!(side->radius < INFINITY)) {
        return (facet_ball){.flat = true};
    }
    return side->radius > widest
               ? (facet_ball){.wide = true}
               : (facet_ball){
                     .centre = side->centre, .radius = side->radius, .widest = side->radius, .least = side->radius, .curved = true};
}

/* The smallest ball around two balls; within rounding error the larger one if it contains the other. */
static facet_ball join(facet_ball a, facet_ball b) {
    const double rounding = 1e-12;
    facet_ball larger = !b.curved || (a.curved && a.radius >= b.radius) ? a : b,
               other = !b.curved || (a.curved && a.radius >= b.radius) ? b : a;
    larger.wide = a.wide || b.wide;
    larger.flat = a.flat || b.flat;
    if (!other.curved) {
        return larger;
    }
    larger.widest = real_max(a.widest, b.widest);
    larger.least = real_min(a.least, b.least);
    abut_vec3 way = abut_sub(other.centre, larger.centre);
    double distance = abut_length(way), reach = distance + other.radius;
    if (reach <= (1.0 + rounding) * larger.radius) {
        larger.radius = real_max(larger.radius, reach);
        larger.spread = real_max(larger.spread, (1.0 + rounding) * (distance + other.spread));
        return larger;
    }
    double radius = 0.5 * (distance + larger.radius + other.radius), step = radius - larger.radius;
    larger.centre = abut_add_scaled(larger.centre, step / distance, way);
    larger.radius = (1.0 + 1e-15) * radius;
    larger.spread = (1.0 + rounding) * real_max(larger.spread + step, other.spread + (distance - step));
    return larger;
}

/* A child whose ball is hardly smaller gets the ball of its parent, so that it need not be tested again. */
static void inherit(facet_ball *child, const facet_ball *parent) {
    const double hardly = 1.0 - 1e-6;
    bool same_kinds = child->curved == parent->curved && child->wide == parent->wide && child->flat == parent->flat;
    if (same_kinds && child->radius >= hardly * parent->radius) {
        *child = *parent;
        child->inherited = true;
    }
}

void facetmesh_make_balls(facetmesh *facets, const packed_tree *tree, double extent) {
    facet_ball *ball = facets->ball;
    for (int32_t i = tree->node_count - 1; i >= 0; --i) { /* children come behind their parents */
        const packed_node *node = &tree->node[i];
        ball[i] = (facet_ball){.radius = 0.0};
        if (node->count == 0) {
            ball[i] = join(ball[i + 1], ball[node->first]);
        }
        for (int32_t slot = node->first; slot < node->first + node->count; ++slot) {
            ball[i] = join(ball[i], ball_of(&facets->side[facets->topology->order[slot]], FACETMESH_FLATTEST * extent));
        }
    }
    for (int32_t i = 0; i < tree->node_count; ++i) {
        if (tree->node[i].count == 0) {
            inherit(&ball[i + 1], &ball[i]);
            inherit(&ball[tree->node[i].first], &ball[i]);
        }
    }
}
