/*
 * Branch and bound over the hierarchies of two surfaces of rounded triangles. Their boxes hold the caps of the spheres above the circles of the triangles'
 * corners, and so the pieces (piece.h). A's frame.
 */
#include "narrow/facet/apart.h"

#include <math.h>

#include "base/real.h"
#include "narrow/facet/node_box.h"
#include "shape/facet/mesh.h"
#include "shape/shape.h"

/* ---- the surfaces ---- */

static double spread(const abut_aabb *box) { return abut_length(box->lower) + abut_length(box->upper); }

static double extent_of(const facet_surface *s) {
    return s->skin != NULL ? spread(&s->skin->bounds) : s->plane ? fabs(s->radius) : s->radius + abut_length(s->centre);
}

static abut_status set_surface(const abut_shape *shape, facet_surface *surface) {
    *surface = (facet_surface){.skin = NULL, .plane = shape->kind == ABUT_SHAPE_PLANE};
    if (shape->kind == ABUT_SHAPE_PLANE) {
        surface->centre = shape->normal;
        surface->radius = shape->offset;
        return ABUT_OK;
    }
    surface->radius = shape->radius;
    return shape->kind == ABUT_SHAPE_SPHERE ? ABUT_OK : facetmesh_skin_of(shape, &surface->skin);
}

abut_status facet_surfaces_make(const abut_shape *a, const abut_shape *b, const facet_placement *b_in_a, facet_surfaces *surfaces) {
    surfaces->at = *b_in_a;
    abut_status status = set_surface(a, &surfaces->a);
    status = status == ABUT_OK ? set_surface(b, &surfaces->b) : status;
    if (status == ABUT_OK) {
        double all = extent_of(&surfaces->a) + extent_of(&surfaces->b) + abut_length(b_in_a->position);
        surfaces->unit = isfinite(all) && all > 0.0 ? ldexp(1.0, -ilogb(all)) : 1.0;
    }
    return status;
}

/* ---- the walk ---- */

typedef struct walk {
    const facet_surfaces *s;
    const packed_tree *tree_a, *tree_b;
    double slack; /* rounding error of distances of boxes */
    double limit; /* scaled */
    facet_visit *visit;
    facet_skip *skip; /* NULL: none */
    void *context;
} walk;

static void pose_side(const facet_surfaces *s, int32_t facet, facet_piece *piece) {
    const facet_side *own = &s->b.skin->facets->side[facet];
    abut_vec3 corner[3];
    facet_side side = facet_side_placed(own, &s->at);
    facet_corners_placed(own, &s->at, corner);
    side.corner = corner;
    facet_piece_set(piece, &side, s->unit);
}

static void offer(walk *w, const facet_met *met) { w->limit = w->visit(w->context, met); }

/* The ball around a piece. */
static facet_piece ball_about(const walk *w, const facet_piece *p) {
    facet_piece ball;
    facet_piece_set_ball(&ball, p->foot, facet_piece_is_ball(p) ? p->radius : p->foot_radius, 1.0);
    ball.radius += w->slack;
    return ball;
}

static bool are_skipped(const walk *w, const facet_piece *a, const facet_piece *b) {
    if (w->skip == NULL) {
        return false;
    }
    facet_piece ball_a = ball_about(w, a), ball_b = ball_about(w, b);
    return w->skip(w->context, &ball_a, &ball_b);
}

static void meet_pieces(walk *w, int32_t facet_a, const facet_piece *a, int32_t facet_b, const facet_piece *b) {
    if (facet_piece_least_gap(a, b) <= w->limit + w->slack && !are_skipped(w, a, b)) {
        offer(w, &(facet_met){facet_a, facet_b, a, b, facet_piece_gap(a, b, w->limit + w->slack)});
    }
}

static int32_t set_leaf(const walk *w, int32_t leaf, facet_piece piece[PACKED_LEAF]) {
    const packed_node *node = &w->tree_a->node[leaf];
    for (int32_t i = 0; i < node->count; ++i) {
        const facetmesh *facets = w->s->a.skin->facets;
        facet_piece_set(&piece[i], &facets->side[facets->topology->order[node->first + i]], w->s->unit);
    }
    return node->count;
}

static void meet_leaves(walk *w, int32_t leaf_a, int32_t leaf_b) {
    facet_piece a[PACKED_LEAF], b;
    const packed_node *node_a = &w->tree_a->node[leaf_a], *node_b = &w->tree_b->node[leaf_b];
    const int32_t *order_a = w->s->a.skin->facets->topology->order, *order_b = w->s->b.skin->facets->topology->order;
    set_leaf(w, leaf_a, a);
    for (int32_t k = 0; k < node_b->count; ++k) {
        int32_t facet_b = order_b[node_b->first + k];
        pose_side(w->s, facet_b, &b);
        for (int32_t i = 0; i < node_a->count; ++i) {
            meet_pieces(w, order_a[node_a->first + i], &a[i], facet_b, &b);
        }
    }
}

typedef struct node_pair {
    int32_t a, b;
    double distance; /* scaled */
} node_pair;

enum { MOST_PAIRS = 2 * PACKED_DEPTH };

static node_pair pair_of(const walk *w, int32_t a, int32_t b) {
    node_box box_a = box_of(w->tree_a, &w->tree_a->node[a]), box_b = placed_box(w->tree_b, &w->tree_b->node[b], &w->s->at);
    return (node_pair){a, b, w->s->unit * sqrt(square_between(&box_a, &box_b))};
}

static double width_of(const packed_tree *tree, int32_t at) {
    node_box box = box_of(tree, &tree->node[at]);
    return real_max(box.half[0], real_max(box.half[1], box.half[2]));
}

/* The ball around a box. */
static facet_piece ball_of(const walk *w, const node_box *box) {
    facet_piece ball;
    double half = abut_length(abut_vec3_make(box->half[0], box->half[1], box->half[2]));
    facet_piece_set_ball(&ball, abut_vec3_make(box->middle[0], box->middle[1], box->middle[2]), half, w->s->unit);
    ball.radius += w->slack;
    return ball;
}

static bool is_skipped(const walk *w, int32_t a, int32_t b) {
    if (w->skip == NULL) {
        return false;
    }
    node_box box_a = box_of(w->tree_a, &w->tree_a->node[a]), box_b = placed_box(w->tree_b, &w->tree_b->node[b], &w->s->at);
    facet_piece ball_a = ball_of(w, &box_a), ball_b = ball_of(w, &box_b);
    return w->skip(w->context, &ball_a, &ball_b);
}

/* The nearer one comes off the stack first. */
static int32_t push(node_pair *stack, int32_t height, node_pair p, node_pair q) {
    bool first = p.distance <= q.distance;
    stack[height++] = first ? q : p;
    stack[height++] = first ? p : q;
    return height;
}

static void walk_two(walk *w) {
    node_pair stack[MOST_PAIRS];
    int32_t height = 0;
    for (stack[height++] = pair_of(w, 0, 0); height > 0;) {
        node_pair at = stack[--height];
        const packed_node *a = &w->tree_a->node[at.a], *b = &w->tree_b->node[at.b];
        if (!(at.distance <= w->limit + w->slack) || is_skipped(w, at.a, at.b)) {
            continue;
        }
        if (a->count > 0 && b->count > 0) {
            meet_leaves(w, at.a, at.b);
        } else if (a->count == 0 && (b->count > 0 || width_of(w->tree_a, at.a) >= width_of(w->tree_b, at.b))) {
            height = push(stack, height, pair_of(w, at.a + 1, at.b), pair_of(w, a->first, at.b));
        } else {
            height = push(stack, height, pair_of(w, at.a, at.b + 1), pair_of(w, at.a, b->first));
        }
    }
}

/* ---- a whole sphere or plane ---- */

typedef struct whole {
    facet_piece ball;
    abut_vec3 centre; /* sphere: its centre; plane: its normal */
    double radius;    /* sphere: its radius; plane: its offset */
} whole;

static whole whole_of(const facet_surfaces *s) {
    whole b = {.centre = abut_mat3_apply(s->at.rotation, s->b.centre), .radius = s->b.radius};
    if (s->b.plane) {
        b.radius += abut_dot(b.centre, s->at.position);
    } else {
        b.centre = abut_add(b.centre, s->at.position);
        facet_piece_set_ball(&b.ball, b.centre, b.radius, s->unit);
    }
    return b;
}

static double distance_of(const walk *w, const whole *b, int32_t at) {
    node_box box = box_of(w->tree_a, &w->tree_a->node[at]);
    if (!w->s->b.plane) {
        return w->s->unit * (sqrt(square_from(&box, b->centre)) - b->radius);
    }
    const abut_vec3 n = b->centre, m = abut_vec3_make(box.middle[0], box.middle[1], box.middle[2]);
    return w->s->unit * (abut_dot(n, m) - (fabs(n.x) * box.half[0] + fabs(n.y) * box.half[1] + fabs(n.z) * box.half[2]) - b->radius);
}

static bool is_skipped_by(const walk *w, int32_t at, const whole *b) {
    if (w->skip == NULL || w->s->b.plane) {
        return false;
    }
    node_box box = box_of(w->tree_a, &w->tree_a->node[at]);
    facet_piece ball = ball_of(w, &box);
    return w->skip(w->context, &ball, &b->ball);
}

static void meet_leaf(walk *w, int32_t leaf, const whole *b) {
    facet_piece piece[PACKED_LEAF];
    int32_t count = set_leaf(w, leaf, piece);
    const int32_t *order = &w->s->a.skin->facets->topology->order[w->tree_a->node[leaf].first];
    for (int32_t i = 0; i < count; ++i) {
        if (w->s->b.plane) {
            offer(w, &(facet_met){order[i], -1, &piece[i], NULL, facet_piece_gap_over(&piece[i], b->centre, w->s->unit * b->radius)});
        } else {
            meet_pieces(w, order[i], &piece[i], -1, &b->ball);
        }
    }
}

static void walk_one(walk *w) {
    const whole b = whole_of(w->s);
    node_pair stack[PACKED_DEPTH];
    int32_t height = 0;
    for (stack[height++] = (node_pair){0, -1, distance_of(w, &b, 0)}; height > 0;) {
        node_pair at = stack[--height];
        const packed_node *node = &w->tree_a->node[at.a];
        if (!(at.distance <= w->limit + w->slack) || is_skipped_by(w, at.a, &b)) {
            continue;
        }
        if (node->count > 0) {
            meet_leaf(w, at.a, &b);
        } else {
            height = push(stack, height, (node_pair){at.a + 1, -1, distance_of(w, &b, at.a + 1)},
                          (node_pair){node->first, -1, distance_of(w, &b, node->first)});
        }
    }
}

void facet_surfaces_visit(const facet_surfaces *s, double limit, facet_visit *visit, facet_skip *skip, void *context) {
    const double rounding = 1e-12;
    walk w = {.s = s, .limit = limit, .visit = visit, .skip = skip, .context = context};
    w.slack = rounding * s->unit * (extent_of(&s->a) + extent_of(&s->b) + abut_length(s->at.position));
    w.tree_a = &s->a.skin->mesh->tree;
    if (s->b.skin == NULL) {
        walk_one(&w);
    } else {
        w.tree_b = &s->b.skin->mesh->tree;
        walk_two(&w);
    }
}

/* ---- the least distance ---- */

typedef struct nearest {
    facet_gap gap;
    int32_t facet_a, facet_b; /* facet_a: -1 for none yet */
} nearest;

/* Of equal gaps that of the lowest facets counts, whatever the hierarchies are. */
static double keep_nearest(void *context, const facet_met *met) {
    nearest *n = context;
    bool lower = met->facet_a != n->facet_a ? met->facet_a < n->facet_a : met->facet_b < n->facet_b;
    if (met->gap.gap < n->gap.gap || (met->gap.gap == n->gap.gap && lower)) {
        *n = (nearest){met->gap, met->facet_a, met->facet_b};
    }
    return n->gap.gap;
}

static abut_status find_in_order(const abut_shape *a, const abut_shape *b, const facet_placement *b_in_a, abut_separation *separation) {
    facet_surfaces s;
    abut_status status = facet_surfaces_make(a, b, b_in_a, &s);
    if (status != ABUT_OK) {
        return status;
    }
    nearest n = {.gap = {.gap = INFINITY}, .facet_a = -1};
    facet_surfaces_visit(&s, INFINITY, keep_nearest, NULL, &n);
    double length = 1.0 / s.unit;
    *separation = (abut_separation){
        .gap = length * n.gap.gap, .on_a = abut_scale(length, n.gap.on_a), .on_b = abut_scale(length, n.gap.on_b), .normal = n.gap.normal};
    if (n.facet_a < 0 || !isfinite(separation->gap) || !abut_vec3_is_finite(separation->on_a) || !abut_vec3_is_finite(separation->on_b)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    separation->feature_a = facet_feature_of(a, n.facet_a);
    separation->feature_b = facet_feature_of(b, n.facet_b);
    return ABUT_OK;
}

abut_status facet_apart_find(const collide_pair *pair, abut_separation *separation) {
    const facet_placement b_in_a = {pair->rotation_b, pair->position_b};
    if (!facet_is_whole(pair->a)) {
        return find_in_order(pair->a, pair->b, &b_in_a, separation);
    }
    const facet_placement a_in_b = facet_placement_back(&b_in_a);
    abut_separation s;
    abut_status status = find_in_order(pair->b, pair->a, &a_in_b, &s);
    if (status == ABUT_OK) {
        *separation = (abut_separation){.gap = s.gap,
                                        .on_a = abut_add(abut_mat3_apply(b_in_a.rotation, s.on_b), b_in_a.position),
                                        .on_b = abut_add(abut_mat3_apply(b_in_a.rotation, s.on_a), b_in_a.position),
                                        .normal = abut_neg(abut_mat3_apply(b_in_a.rotation, s.normal)),
                                        .feature_a = s.feature_b,
                                        .feature_b = s.feature_a};
    }
    return status;
}
