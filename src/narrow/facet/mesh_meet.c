/*
 * Finds the facet pairs of two bodies that are in contact, or that may soon be, by walking both hierarchies. Exactly the pairs with a
 * contact by facet_meet() are kept. All in A's frame.
 *
 * Two facets touch at a point over both triangles, seen along the line of the spheres' centres. There the surface of A lies in A's cap and
 * in B's sphere, and the surface of B lies in B's cap and in A's sphere. Their distance is at most the overlap of the spheres, R1 + R2 - D,
 * and at most the facets' depth limit (facet_side.depth). So a pair of nodes is followed only if the box around the caps of each meets the
 * ball around the other's spheres, and if the boxes are no farther apart than these balls overlap. A flat facet counts as a half-space, in
 * which its partner's sphere lies by less than its radius. Two flat facets overlap by at most their depth limits.
 */
#include "narrow/facet/counts.h"
#include "narrow/facet/mesh.h"
#include "narrow/facet/near.h"
#include "narrow/facet/node_box.h"

#include "base/memory.h"
#include "base/real.h"
#include "shape/facet/mesh.h"
#include "shape/shape.h"

static const double rounding = 1e-12;

/* ---- B in A's frame ---- */

typedef struct search {
    const facetmesh *a, *b;
    const packed_tree *tree_a, *tree_b;
    facet_placement at;
    facet_bodies bodies;
    double slack;           /* rounding error of distances, plus twice the margin [length] */
    double margin;          /* how far a point of either body may move relative to the other [length] */
    facet_found *found;     /* receives pairs in contact */
    facet_candidates *near; /* if not NULL, receives instead the pairs that may be in contact after such a motion */
} search;

/* A facet of B in A's frame. Its corners are computed on demand, because most facets are rejected without them. */
typedef struct posed_facet {
    int32_t facet;
    bool has_corners;
    facet_side side;
    abut_vec3 corner[3];
} posed_facet;

static abut_vec3 to_a(const search *s, abut_vec3 p) { return abut_add(abut_mat3_apply(s->at.rotation, p), s->at.position); }

static abut_vec3 to_b(const search *s, abut_vec3 p) { return abut_mat3_apply_transposed(s->at.rotation, abut_sub(p, s->at.position)); }

static void pose_facet(const search *s, int32_t facet, posed_facet *posed) {
    posed->facet = facet;
    posed->has_corners = false;
    posed->side = facet_side_placed(&s->b->side[facet], &s->at);
    posed->side.corner = posed->corner;
}

static void pose_corners(const search *s, posed_facet *posed) {
    facet_corners_placed(&s->b->side[posed->facet], &s->at, posed->corner);
    posed->has_corners = true;
}

static bool is_whole(const abut_facet_contact *c) {
    return isfinite(-c->sphere_gap) && isfinite(-c->gap) && isfinite(c->area) && abut_vec3_is_finite(c->point) &&
           abut_vec3_is_finite(c->centre);
}

static void keep(facet_found *found, const facet_bodies *bodies, const facet_side *a, const facet_side *b, int32_t facet_a, int32_t facet_b,
                 const abut_facet_contact *c) {
    if (c->relation == ABUT_FACET_CONTACT && facet_contact_counts(bodies, a, b, c)) {
        found->not_finite = found->not_finite || !is_whole(c);
        facet_found_add(found, facet_a, facet_b, c);
    }
}

static void meet_facets(const search *s, int32_t facet_a, posed_facet *b) {
    const facet_side *a = &s->a->side[facet_a];
    if (s->near != NULL) {
        if (facet_may_meet(a, &b->side, s->margin)) {
            facet_candidates_add(s->near, facet_a, b->facet);
        }
        return;
    }
    if (facet_is_away(a, &b->side)) {
        return;
    }
    if (!b->has_corners) {
        pose_corners(s, b);
    }
    abut_facet_contact c = facet_meet(a, &b->side, abut_vec3_make(0.0, 0.0, 0.0), 0.0);
    keep(s->found, &s->bodies, a, &b->side, facet_a, b->facet, &c);
}

/* ---- few facets near the other body's ball ---- */

enum { NEAR_FEW = 64 };

/* Lists the facets whose caps may reach into a ball, in the mesh's own frame. Returns their number, or -1 if there are more than
 * NEAR_FEW. */
static int32_t list_near(const facetmesh *facets, const packed_tree *tree, abut_vec3 centre, double reach, int32_t near[NEAR_FEW]) {
    int32_t stack[PACKED_DEPTH], height = 0, count = 0;
    for (stack[height++] = 0; height > 0;) {
        int32_t at = stack[--height];
        const packed_node *node = &tree->node[at];
        node_box box = box_of(tree, node);
        if (square_from(&box, centre) > reach * reach) {
            continue;
        }
        if (node->count == 0) {
            stack[height++] = node->first;
            stack[height++] = at + 1;
        }
        for (int32_t slot = node->first; slot < node->first + node->count; ++slot) {
            int32_t facet = facets->topology->order[slot];
            if (!facet_reaches(&facets->side[facet], centre, reach)) {
                continue;
            }
            if (count == NEAR_FEW) {
                return -1;
            }
            near[count++] = facet;
        }
    }
    return count;
}

static bool is_ball(const facet_ball *ball) { return ball->curved && !ball->wide && !ball->flat; }

/* Compares all facets near the other body's ball. This suffices for round bodies that are not deep in each other. False if there are too
 * many such facets. */
static bool meet_near(const search *s) {
    const facet_ball *a = &s->a->ball[0], *b = &s->b->ball[0];
    if (!is_ball(a) || !is_ball(b)) {
        return false;
    }
    int32_t near_a[NEAR_FEW], near_b[NEAR_FEW];
    int32_t count_a = list_near(s->a, s->tree_a, to_a(s, b->centre), b->radius * (1.0 + rounding) + s->slack, near_a);
    int32_t count_b = count_a == 0 ? 0 : list_near(s->b, s->tree_b, to_b(s, a->centre), a->radius * (1.0 + rounding) + s->slack, near_b);
    for (int32_t k = 0; k < count_b && count_a > 0; ++k) {
        posed_facet posed;
        pose_facet(s, near_b[k], &posed);
        for (int32_t i = 0; i < count_a; ++i) {
            meet_facets(s, near_a[i], &posed);
        }
    }
    return count_a == 0 || count_b == 0 || (count_a > 0 && count_b > 0);
}

/* ---- the walk over pairs of nodes ---- */

typedef struct node_pair {
    int32_t a, b;
    double depth; /* no two facets of these nodes overlap by more */
} node_pair;

enum { PAIRS_FEW = 2 * PACKED_DEPTH, POSED_LEAVES = 16 };

/* A leaf of B, placed in A's frame. Few leaves of B meet many leaves of A in succession, so they are cached. */
typedef struct posed_leaf {
    int32_t leaf;
    posed_facet facet[PACKED_LEAF];
} posed_leaf;

static void pose_leaf(const search *s, int32_t leaf, posed_leaf *posed) {
    const packed_node *node = &s->tree_b->node[leaf];
    posed->leaf = leaf;
    for (int32_t i = 0; i < node->count; ++i) {
        pose_facet(s, s->b->topology->order[node->first + i], &posed->facet[i]);
    }
}

static void meet_leaves(const search *s, int32_t leaf_a, posed_leaf *posed) {
    const packed_node *a = &s->tree_a->node[leaf_a], *b = &s->tree_b->node[posed->leaf];
    const facet_ball *ball_a = &s->a->ball[leaf_a], *ball_b = &s->b->ball[posed->leaf];
    bool near[PACKED_LEAF];
    for (int32_t k = 0; k < b->count; ++k) {
        near[k] = !is_ball(ball_a) || facet_reaches(&posed->facet[k].side, ball_a->centre, ball_a->radius * (1.0 + rounding) + s->slack);
    }
    abut_vec3 centre = to_a(s, ball_b->centre);
    for (int32_t i = 0; i < a->count; ++i) {
        int32_t facet = s->a->topology->order[a->first + i];
        bool meets = !is_ball(ball_b) || facet_reaches(&s->a->side[facet], centre, ball_b->radius * (1.0 + rounding) + s->slack);
        for (int32_t k = 0; meets && k < b->count; ++k) {
            if (near[k]) {
                meet_facets(s, facet, &posed->facet[k]);
            }
        }
    }
}

/* When the body turns, centres of large spheres move farther than the margin: at most by twice the margin times this factor. */
static double far_off(const search *s, const facet_ball *b) { return (abut_length(b->centre) + b->spread) / (2.0 * s->b->reach); }

/* Upper bound of the overlap of two nodes' facets: R1 + R2 - D of their balls. For a ball and a half-space, twice the ball's radius,
 * because the caps over one circle are at most one radius high on either side. */
static double depth_of(const search *s, const facet_ball *a, const facet_ball *b) {
    double depth = -INFINITY;
    if (a->curved && b->curved) {
        abut_vec3 centre = to_a(s, b->centre);
        depth = a->radius + b->radius - abut_distance_between(a->centre, centre) + rounding * (a->radius + b->radius);
        depth += s->slack * real_max(0.0, far_off(s, b) - 1.0);
    }
    if (a->curved && (b->wide || b->flat)) {
        depth = real_max(depth, 2.0 * a->radius);
    }
    if (b->curved && (a->wide || a->flat)) {
        depth = real_max(depth, 2.0 * b->radius);
    }
    bool unlimited_a = a->wide || a->flat, unlimited_b = b->wide || b->flat;
    return unlimited_a && unlimited_b ? INFINITY : depth;
}

/* Upper bound of the depth of the box's contents in a sphere inside the ball. */
static double depth_in_ball(const search *s, const node_box *box, abut_vec3 centre, const facet_ball *ball) {
    return ball->radius * (1.0 + rounding) + s->slack - sqrt(square_from(box, centre));
}

/* Upper bound of the overlap of touching surfaces, from the depth of each in the other's ball (facet_overlap_limit()). Negative: they do
 * not touch. */
static double overlap_of_caps(const search *s, const node_pair *pair, const node_box *box_a) {
    const facet_ball *a = &s->a->ball[pair->a], *b = &s->b->ball[pair->b];
    double in_b = INFINITY, in_a = INFINITY;
    abut_vec3 centre_b = to_a(s, b->centre);
    if (!b->wide && !b->flat) {
        in_b = depth_in_ball(s, box_a, centre_b, b);
    }
    if (!a->wide && !a->flat && in_b >= 0.0) {
        node_box box_b = box_of(s->tree_b, &s->tree_b->node[pair->b]); /* in B's frame, where the box is smaller */
        in_a = depth_in_ball(s, &box_b, to_b(s, a->centre), a);
    }
    if (in_a < 0.0 || in_b < 0.0) {
        return -1.0;
    }
    if (!(in_a < INFINITY && in_b < INFINITY)) {
        return INFINITY;
    }
    double distance = abut_distance_between(a->centre, centre_b) - a->spread - b->spread - s->slack * real_max(1.0, far_off(s, b));
    return distance > 0.0 ? facet_overlap_limit(a->widest, in_a, b->widest, in_b, distance) : INFINITY;
}

/* ---- tangent planes ---- */

/* Upper bound of the distance between two points of the boxes. */
static double farthest_between(const node_box *a, const node_box *b) {
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) {
        double far = fabs(a->middle[i] - b->middle[i]) + a->half[i] + b->half[i];
        sum += far * far;
    }
    return sqrt(sum);
}

/* Whether something in the box may lie below one of the tangent planes, n . x <= top, where n differs from `normal` by at most the tilt.
 * farthest: upper bound of the distance of the box's points from the points that the planes pass through. */
static bool comes_below(const node_box *box, abut_vec3 normal, double top, double tilt, double farthest, double slack) {
    double lowest = normal.x * box->middle[0] + normal.y * box->middle[1] + normal.z * box->middle[2] -
                    (fabs(normal.x) * box->half[0] + fabs(normal.y) * box->half[1] + fabs(normal.z) * box->half[2]);
    return lowest <= top + tilt * farthest + slack;
}

/* Where facets touch, the surface of each lies inside the other's sphere, hence below its tangent planes. */
static bool comes_below_tangents(const search *s, const node_pair *pair, const node_box *box_a, const node_box *box_b) {
    const facet_tangents *a = &s->a->tangents[pair->a], *b = &s->b->tangents[pair->b];
    double farthest = farthest_between(box_a, box_b);
    abut_vec3 normal = abut_mat3_apply(s->at.rotation, b->normal);
    return comes_below(box_a, normal, b->top + abut_dot(normal, s->at.position), b->tilt, farthest, s->slack) &&
           comes_below(box_b, a->normal, a->top, a->tilt, farthest, s->slack);
}

/* ---- the axis ---- */

/* Half the diagonal. */
static double half_across(const node_box *box) {
    return sqrt(box->half[0] * box->half[0] + box->half[1] * box->half[1] + box->half[2] * box->half[2]);
}

/* Whether triangles of the two nodes may lie over each other, and face each other, seen along the line between the centres of their spheres. Spheres that are
 * almost at one place overlap so far that nothing else tells their facets apart. */
static bool may_lie_over(const search *s, const node_pair *pair, const node_box *box_a, const node_box *box_b) {
    const facet_ball *a = &s->a->ball[pair->a], *b = &s->b->ball[pair->b];
    if (!is_ball(a) || !is_ball(b)) {
        return true;
    }
    const abut_vec3 way = abut_sub(to_a(s, b->centre), a->centre);
    double distance = abut_length(way), lean, off = s->slack - 2.0 * s->margin;
    double moved = a->spread + b->spread + off + 2.0 * s->margin * real_max(1.0, far_off(s, b));
    if (!facet_axis_leans(distance, moved, &lean)) {
        return distance + moved > 0.5 * FACET_LEAST_APART * (a->least + b->least);
    }
    const facet_tangents *of_a = &s->a->tangents[pair->a], *of_b = &s->b->tangents[pair->b];
    double turned = s->margin / s->b->reach;
    if (abut_dot(of_a->normal, way) < -(of_a->tilt + lean) * distance ||
        abut_dot(abut_mat3_apply(s->at.rotation, of_b->normal), way) > (of_b->tilt + lean + turned) * distance) {
        return false;
    }
    const abut_vec3 apart =
        abut_vec3_make(box_b->middle[0] - box_a->middle[0], box_b->middle[1] - box_a->middle[1], box_b->middle[2] - box_a->middle[2]);
    double along = abut_dot(apart, way) / distance, beside = sqrt(real_max(abut_length_squared(apart) - along * along, 0.0));
    double boxes = half_across(box_a) + half_across(box_b) + s->slack;
    return beside <= (1.0 + 1e-9) * boxes + (lean + 1e-7) * (abut_length(apart) + boxes);
}

/* Whether facets of the two nodes may touch. */
static bool may_touch(const search *s, node_pair *pair) {
    node_box box_a = box_of(s->tree_a, &s->tree_a->node[pair->a]);
    node_box box_b = placed_box(s->tree_b, &s->tree_b->node[pair->b], &s->at);
    double square = square_between(&box_a, &box_b), reach = pair->depth + s->slack;
    if (square > reach * reach) {
        return false;
    }
    if (!comes_below_tangents(s, pair, &box_a, &box_b)) {
        return false;
    }
    const facet_ball *a = &s->a->ball[pair->a], *b = &s->b->ball[pair->b];
    if (!a->inherited || !b->inherited) {
        pair->depth = real_min(pair->depth, depth_of(s, a, b));
        if (!(pair->depth + s->slack > 0.0)) {
            return false;
        }
    }
    if (!may_lie_over(s, pair, &box_a, &box_b)) {
        return false;
    }
    double overlap = overlap_of_caps(s, pair, &box_a);
    pair->depth = real_min(pair->depth, overlap);
    reach = pair->depth + s->slack;
    return overlap >= 0.0 && square <= reach * reach;
}

static double width(const packed_tree *tree, const packed_node *node) {
    float x = node->upper[0] - node->lower[0], y = node->upper[1] - node->lower[1], z = node->upper[2] - node->lower[2];
    return (double)(x > y ? (x > z ? x : z) : (y > z ? y : z)) / tree->scale;
}

/* Whether to split A's node: a leaf is never split, otherwise the larger node is. */
static bool cuts_a(const search *s, const packed_node *a, const packed_node *b) {
    return a->count == 0 && (b->count > 0 || width(s->tree_a, a) >= width(s->tree_b, b));
}

static bool ends(const search *s) {
    return s->near != NULL ? s->near->out_of_memory || facet_candidates_are_too_many(s->near) : s->found->out_of_memory;
}

static void walk(const search *s) {
    posed_leaf posed[POSED_LEAVES];
    for (int i = 0; i < POSED_LEAVES; ++i) {
        posed[i].leaf = -1;
    }
    node_pair stack[PAIRS_FEW]; /* every split adds one entry, and a descent has at most as many splits as both trees are deep */
    int32_t height = 0;
    for (stack[height++] = (node_pair){0, 0, real_min(s->a->deepest, s->b->deepest)}; height > 0 && !ends(s);) {
        node_pair pair = stack[--height];
        if (!may_touch(s, &pair)) {
            continue;
        }
        const packed_node *a = &s->tree_a->node[pair.a], *b = &s->tree_b->node[pair.b];
        if (a->count > 0 && b->count > 0) {
            posed_leaf *leaf = &posed[pair.b % POSED_LEAVES];
            if (leaf->leaf != pair.b) {
                pose_leaf(s, pair.b, leaf);
            }
            meet_leaves(s, pair.a, leaf);
        } else if (cuts_a(s, a, b)) {
            stack[height++] = (node_pair){a->first, pair.b, pair.depth};
            stack[height++] = (node_pair){pair.a + 1, pair.b, pair.depth};
        } else {
            stack[height++] = (node_pair){pair.a, b->first, pair.depth};
            stack[height++] = (node_pair){pair.a, pair.b + 1, pair.depth};
        }
    }
}

static double spread(const abut_aabb *box) { return abut_length(box->lower) + abut_length(box->upper); }

/* How much the distance to a cap may change, and a depth likewise. */
static double slack_of(const abut_shape *a, const abut_shape *b, const facet_placement *at, double margin) {
    return rounding * (spread(&a->bounds) + spread(&b->bounds) + abut_length(at->position)) + 2.0 * margin;
}

static void meet_all(const search *s) {
    if (!meet_near(s)) {
        walk(s);
    }
}

static search search_of(const abut_shape *a, const abut_shape *b, const facet_placement *b_in_a) {
    return (search){.a = a->facets, .b = b->facets, .tree_a = &a->mesh->tree, .tree_b = &b->mesh->tree, .at = *b_in_a};
}

void facetmesh_meet(const abut_shape *a, const abut_shape *b, const facet_placement *b_in_a, facet_found *found) {
    search s = search_of(a, b, b_in_a);
    s.slack = slack_of(a, b, b_in_a, 0.0);
    s.found = found;
    s.bodies = facet_bodies_of(a, b, b_in_a);
    meet_all(&s);
}

void facetmesh_near(const abut_shape *a, const abut_shape *b, const facet_placement *b_in_a, double margin, facet_candidates *near) {
    search s = search_of(a, b, b_in_a);
    s.slack = slack_of(a, b, b_in_a, margin);
    s.margin = margin;
    s.near = near;
    meet_all(&s);
}

/* ---- whole spheres and planes ---- */

/* Whether a node's box may contain facets that meet the whole sphere or plane. */
typedef bool node_passes(const facet_side *whole, const node_box *box, double slack);

static bool passes_ball(const facet_side *whole, const node_box *box, double slack) {
    double reach = whole->radius * (1.0 + rounding) + slack;
    return square_from(box, whole->centre) <= reach * reach;
}

static bool passes_plane(const facet_side *whole, const node_box *box, double slack) {
    const abut_vec3 n = whole->normal, m = abut_sub(abut_vec3_make(box->middle[0], box->middle[1], box->middle[2]), whole->foot);
    return abut_dot(n, m) - (fabs(n.x) * box->half[0] + fabs(n.y) * box->half[1] + fabs(n.z) * box->half[2]) <= slack;
}

/* Receives every facet of a leaf that passes. */
typedef void take_facet(void *to, const facet_side *side, int32_t facet, const facet_side *whole, double margin);

static void visit_whole(const abut_shape *a, const facet_side *whole, node_passes *passes, double margin, take_facet *take, void *to) {
    const packed_tree *tree = &a->mesh->tree;
    double slack = rounding * (spread(&a->bounds) + abut_length(whole->centre) + abut_length(whole->foot)) + margin;
    int32_t stack[PACKED_DEPTH], height = 0;
    for (stack[height++] = 0; height > 0;) {
        int32_t at = stack[--height];
        const packed_node *node = &tree->node[at];
        node_box box = box_of(tree, node);
        if (!passes(whole, &box, slack)) {
            continue;
        }
        if (node->count == 0) {
            stack[height++] = node->first;
            stack[height++] = at + 1;
        }
        for (int32_t slot = node->first; slot < node->first + node->count; ++slot) {
            int32_t facet = a->facets->topology->order[slot];
            take(to, &a->facets->side[facet], facet, whole, margin);
        }
    }
}

/* Receives the contacts with a whole surface. */
typedef struct whole_found {
    facet_found *found;
    facet_bodies bodies;
} whole_found;

static void take_met(void *to, const facet_side *side, int32_t facet, const facet_side *whole, double margin) {
    (void)margin;
    whole_found *w = to;
    abut_facet_contact c = facet_meet(side, whole, abut_vec3_make(0.0, 0.0, 0.0), 0.0);
    keep(w->found, &w->bodies, side, whole, facet, -1, &c);
}

static void take_near(void *to, const facet_side *side, int32_t facet, const facet_side *whole, double margin) {
    if (facet_may_meet(side, whole, margin)) {
        facet_candidates_add(to, facet, -1);
    }
}

void facetmesh_meet_sphere(const abut_shape *a, abut_vec3 centre, double radius, facet_found *found) {
    const facet_side whole = facet_whole_sphere(centre, radius);
    whole_found to = {found, {.a = a, .centre_b = centre}};
    visit_whole(a, &whole, passes_ball, 0.0, take_met, &to);
}

void facetmesh_meet_plane(const abut_shape *a, abut_vec3 normal, double offset, facet_found *found) {
    const facet_side whole = facet_whole_plane(normal, offset);
    whole_found to = {found, {.a = a, .on_plane = true}};
    visit_whole(a, &whole, passes_plane, 0.0, take_met, &to);
}

void facetmesh_near_sphere(const abut_shape *a, abut_vec3 centre, double radius, double margin, facet_candidates *near) {
    const facet_side whole = facet_whole_sphere(centre, radius);
    visit_whole(a, &whole, passes_ball, margin, take_near, near);
}

void facetmesh_near_plane(const abut_shape *a, abut_vec3 normal, double offset, double margin, facet_candidates *near) {
    const facet_side whole = facet_whole_plane(normal, offset);
    visit_whole(a, &whole, passes_plane, margin, take_near, near);
}
