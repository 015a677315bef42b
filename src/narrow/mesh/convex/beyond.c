/* Triangles that a body meets on its way out, through a hierarchy that is made on demand: see beyond.h. Set frame. */
#include "narrow/mesh/convex/beyond.h"

#include "base/memory.h"
#include "base/real.h"
#include "geom/packed_tree.h"
#include "narrow/mesh/convex/apart.h"
#include "narrow/mesh/convex/triangle_body.h"
#include "narrow/mesh/index/along.h"
#include "narrow/mesh/index/near.h"
#include "narrow/normal/normal.h"

enum { WORTH_A_TREE = 12 }; /* making the hierarchy takes about as long as looking this often at each triangle */

/* What is known about the body and a triangle. DOUBTFUL: no point of the triangle is clearly inside the body; more is not known. */
enum { UNKNOWN, DOUBTFUL, MET, UNMET };

/* A direction that separates a triangle from a moved body. */
typedef struct beyond_away {
    abut_vec3 direction; /* unit, from the body; zero: unknown */
    double clear;        /* the body may be moved by less than this along it, and the triangle is still clearly apart [length] */
} beyond_away;

typedef struct beyond_tree {
    mesh_set set;      /* triangles with a face */
    beyond_away *away; /* [set.count] */
    packed_tree tree;
    abut_mat3 axes; /* of the hierarchy's boxes */
    int32_t *order;
    unsigned char *known; /* [set.count] */
    bool *done;           /* [tree.node_count]: the body meets all triangles of the node */
    abut_aabb box;        /* bounds of moved bodies for which the set has all triangles */
    mesh_apart apart;     /* of the body from triangles */
    mesh_apart moved;     /* the directions of the last search */
    int32_t last;         /* the triangle that a moved body met last; -1: none */
} beyond_tree;

/* A body that has been moved, and the plane of its way out. */
typedef struct beyond_search {
    beyond_tree *in;
    const convex *body, *moved;
    abut_vec3 p, normal, shift; /* shift: of the moved body */
    abut_vec3 from, up, middle; /* p, the normal and the moved body's middle along the axes of the boxes */
    abut_aabb bounds;           /* of the moved body along them */
    abut_vec3 known[MESH_WAYS]; /* the directions of `apart` along them */
    mesh_apart apart;           /* of the moved body from triangles; begins with the directions of the search before */
    double same, rounding;
} beyond_search;

/* ---- one triangle ---- */

static bool find_overlap(const convex *body, const convex *other, contact_normal *normal) {
    normal_settings settings = {.minimum = true};
    return contact_normal_find(body, other, &settings, normal);
}

bool mesh_beyond_overlap(const convex *body, const convex *other, double rounding) {
    contact_normal normal;
    return find_overlap(body, other, &normal) && normal.gap < -rounding;
}

/* Whether a point of the triangle is clearly inside the body. Then they overlap by as much. */
static bool is_clearly_in(const convex *body, const mesh_triangle *t) {
    double clear = (body->core == CORE_SMOOTH ? 1e-3 : 1e-8) * body->size; /* the depth of a point in a smooth body is an estimate */
    double weight[3];
    const abut_vec3 *c = t->corner, middle = abut_scale(1.0 / 3.0, abut_add(c[0], abut_add(c[1], c[2])));
    return convex_is_deeper(body, mesh_set_closest(t, convex_inner_centre(body), weight), clear) || convex_is_deeper(body, middle, clear) ||
           convex_is_deeper(body, c[0], clear) || convex_is_deeper(body, c[1], clear) || convex_is_deeper(body, c[2], clear);
}

/* If the two are clearly apart, *away receives a direction; else it stays. */
static bool overlaps_triangle(const convex *body, mesh_apart *apart, const mesh_triangle *t, double rounding, abut_vec3 *away) {
    mesh_facet facet;
    if (mesh_apart_look_away(apart, t, &facet, away) == MESH_APART) {
        return false;
    }
    if (is_clearly_in(body, t)) {
        return true;
    }
    contact_normal normal;
    triangle_body flat;
    triangle_body_set(&flat, t);
    bool found = find_overlap(body, &flat.body, &normal);
    if (!found && body->shape->kind != ABUT_SHAPE_BOX) {
        mesh_apart_learn(apart, normal.direction);
    }
    return found && normal.gap < -rounding;
}

static bool is_met(beyond_search *s, int32_t item) {
    beyond_tree *in = s->in;
    if (in->known[item] == UNKNOWN || in->known[item] == DOUBTFUL) {
        abut_vec3 away;
        in->known[item] = overlaps_triangle(s->body, &in->apart, &in->set.items[item], 0.0, &away) ? MET : UNMET;
    }
    return in->known[item] == MET;
}

static void turn_known(beyond_search *s, int32_t i) { s->known[i] = abut_mat3_apply_transposed(s->in->axes, s->apart.way[i].direction); }

/* Remembers how far the body may be moved along a direction that separates a triangle. */
static void remember_away(beyond_search *s, int32_t item, abut_vec3 direction) {
    const double clearly = 1e-6, rounding = 1e-12;
    const abut_vec3 *c = s->in->set.items[item].corner, d = abut_unit(direction);
    double lowest = real_min(abut_dot(d, c[0]), real_min(abut_dot(d, c[1]), abut_dot(d, c[2])));
    double far = abut_length(c[0]) + abut_length(c[1]) + abut_length(c[2]) + s->body->size;
    double clear = lowest - convex_extent(s->body, d) - s->body->radius - clearly * s->body->size - rounding * far;
    s->in->away[item] = (beyond_away){d, clear};
}

/* Whether the moved body meets the triangle for the first time. */
static bool is_new(beyond_search *s, int32_t item) {
    const mesh_triangle *t = &s->in->set.items[item];
    const beyond_away *known = &s->in->away[item];
    if (s->in->known[item] == MET || abut_dot(known->direction, s->shift) < known->clear ||
        !mesh_set_rises(t, s->p, s->normal, s->same, FLAT_SINE)) {
        return false;
    }
    int32_t next = s->apart.next;
    abut_vec3 away = {0.0, 0.0, 0.0};
    bool is = overlaps_triangle(s->moved, &s->apart, t, s->rounding, &away);
    if (abut_length_squared(away) > 0.0) {
        remember_away(s, item, away);
    }
    if (s->apart.next != next) {
        turn_known(s, next);
    }
    is = is && !is_met(s, item);
    s->in->last = is ? item : s->in->last;
    return is;
}

/* ---- the hierarchy ---- */

static bool is_beside(double lower, double upper, double other_lower, double other_upper) {
    return lower > other_upper || upper < other_lower;
}

static double nearest(double x, double lower, double upper) { return real_max(lower, real_min(upper, x)); }

/* Whether a known direction clearly separates the moved body from a box. */
static bool is_apart_by_known(const beyond_search *s, const abut_aabb *box, double enough) {
    const abut_vec3 *p = &box->lower, *q = &box->upper;
    for (int32_t i = 0; i < s->apart.count; ++i) {
        const abut_vec3 *d = &s->known[i];
        double lowest = d->x * (d->x > 0.0 ? p->x : q->x) + d->y * (d->y > 0.0 ? p->y : q->y) + d->z * (d->z > 0.0 ? p->z : q->z);
        if (lowest - s->apart.way[i].reach > enough) {
            return true;
        }
    }
    return false;
}

/* Whether a box is clearly apart from the moved body. The last direction tried leads to it from the body's middle. */
static bool is_apart(const beyond_search *s, const abut_aabb *box) {
    const abut_vec3 *m = &s->middle, *p = &box->lower, *q = &box->upper;
    abut_vec3 closest = abut_vec3_make(nearest(m->x, p->x, q->x), nearest(m->y, p->y, q->y), nearest(m->z, p->z, q->z));
    abut_vec3 way = abut_sub(closest, *m);
    double length = abut_length(way), enough = 1e-6 * (s->moved->size + length);
    if (!(length > 0.0) || is_apart_by_known(s, box, enough)) {
        return length > 0.0;
    }
    way = abut_scale(1.0 / length, way);
    double gap = abut_dot(way, closest) - convex_extent(s->moved, abut_mat3_apply(s->in->axes, way)) - s->moved->radius;
    return gap > enough;
}

/* Whether no triangle in the box can be met for the first time: it is beside the moved body, or below the plane of the way. The box of a leaf
 * is compared by bounds only, because for most of its triangles a direction is known that separates them. */
static bool is_out(const beyond_search *s, const abut_aabb *box, bool leaf) {
    const abut_vec3 *p = &box->lower, *q = &box->upper, *n = &s->up;
    const abut_aabb *bounds = &s->bounds;
    if (is_beside(p->x, q->x, bounds->lower.x, bounds->upper.x) || is_beside(p->y, q->y, bounds->lower.y, bounds->upper.y) ||
        is_beside(p->z, q->z, bounds->lower.z, bounds->upper.z)) {
        return true;
    }
    abut_vec3 top = abut_vec3_make(n->x > 0.0 ? q->x : p->x, n->y > 0.0 ? q->y : p->y, n->z > 0.0 ? q->z : p->z);
    return abut_dot(*n, abut_sub(top, s->from)) <= 0.5 * s->same || (!leaf && is_apart(s, box));
}

static bool is_new_in_leaf(beyond_search *s, int32_t at) {
    beyond_tree *in = s->in;
    packed_leaf leaf = packed_leaf_of(&in->tree.node[at]);
    bool done = true;
    for (int32_t i = leaf.first; i < leaf.first + leaf.count; ++i) {
        int32_t item = in->order[i];
        if (in->known[item] == UNKNOWN) {
            in->known[item] = is_clearly_in(s->body, &in->set.items[item]) ? MET : DOUBTFUL;
        }
        if (is_new(s, item)) {
            return true;
        }
        done = done && in->known[item] == MET;
    }
    in->done[at] = done;
    return false;
}

static bool is_new_in_node(beyond_search *s, int32_t at) {
    beyond_tree *in = s->in;
    if (in->done[at]) {
        return false;
    }
    abut_aabb box = packed_node_box(&in->tree, at);
    box = (abut_aabb){abut_add(box.lower, in->tree.middle), abut_add(box.upper, in->tree.middle)};
    if (is_out(s, &box, in->tree.node[at].count > 0)) {
        return false;
    }
    if (in->tree.node[at].count > 0) {
        return is_new_in_leaf(s, at);
    }
    int32_t left = at + 1, right = in->tree.node[at].first;
    if (is_new_in_node(s, left) || is_new_in_node(s, right)) {
        return true;
    }
    in->done[at] = in->done[left] && in->done[right];
    return false;
}

/* ---- making it ---- */

static abut_aabb bounds_along(const convex *body, const abut_mat3 *axes, double more) {
    const abut_vec3 x = axes->x, y = axes->y, z = axes->z;
    double r = body->radius + more;
    return (abut_aabb){
        abut_vec3_make(-convex_extent(body, abut_neg(x)) - r, -convex_extent(body, abut_neg(y)) - r, -convex_extent(body, abut_neg(z)) - r),
        abut_vec3_make(convex_extent(body, x) + r, convex_extent(body, y) + r, convex_extent(body, z) + r)};
}

static abut_aabb bounds_of(const convex *body, double more) {
    const abut_mat3 axes = abut_mat3_identity();
    return bounds_along(body, &axes, more);
}

static abut_vec3 lower_of(abut_vec3 p, abut_vec3 q) { return abut_vec3_make(real_min(p.x, q.x), real_min(p.y, q.y), real_min(p.z, q.z)); }

static abut_vec3 upper_of(abut_vec3 p, abut_vec3 q) { return abut_vec3_make(real_max(p.x, q.x), real_max(p.y, q.y), real_max(p.z, q.z)); }

static bool covers(const abut_aabb *box, const abut_aabb *other) {
    return box->lower.x <= other->lower.x && box->lower.y <= other->lower.y && box->lower.z <= other->lower.z &&
           box->upper.x >= other->upper.x && box->upper.y >= other->upper.y && box->upper.z >= other->upper.z;
}

/* The box about a box, along the mesh's axes. */
static abut_aabb seen_from(const placed_mesh *mesh, const abut_aabb *box) {
    const abut_mat3 *m = &mesh->rotation;
    abut_vec3 half = abut_scale(0.5, abut_sub(box->upper, box->lower));
    abut_vec3 middle = abut_mat3_apply_transposed(*m, abut_lerp(box->lower, box->upper, 0.5));
    const abut_vec3 axis[3] = {m->x, m->y, m->z};
    double reach[3];
    for (int i = 0; i < 3; ++i) {
        reach[i] = fabs(axis[i].x) * half.x + fabs(axis[i].y) * half.y + fabs(axis[i].z) * half.z;
    }
    abut_vec3 more = abut_vec3_make(reach[0], reach[1], reach[2]);
    return (abut_aabb){abut_sub(middle, more), abut_add(middle, more)};
}

static void gather(const mesh_surface *surface, const abut_aabb *box, mesh_set *set) {
    mesh_set_init(set);
    for (int32_t i = 0; i < surface->count; ++i) {
        mesh_set_gather(set, &surface->mesh[i], seen_from(&surface->mesh[i], box));
    }
}

/* Keeps the triangles with a face. Fills in their boxes. */
static void keep_faces(mesh_set *set, const abut_mat3 *axes, abut_aabb *box) {
    int32_t kept = 0;
    for (int32_t i = 0; i < set->count; ++i) {
        const mesh_triangle t = set->items[i];
        if (!t.flat) {
            abut_vec3 p = abut_mat3_apply_transposed(*axes, t.corner[0]), q = abut_mat3_apply_transposed(*axes, t.corner[1]);
            abut_vec3 r = abut_mat3_apply_transposed(*axes, t.corner[2]);
            box[kept] = (abut_aabb){lower_of(p, lower_of(q, r)), upper_of(p, upper_of(q, r))};
            set->items[kept++] = t;
        }
    }
    set->count = kept;
}

static void release(beyond_tree *tree) {
    if (tree != NULL) {
        mesh_set_free(&tree->set);
        packed_tree_release(&tree->tree);
        memory_release(tree->order);
        memory_release(tree->known);
        memory_release(tree->away);
        memory_release(tree->done);
        memory_release(tree);
    }
}

static bool fill(beyond_tree *made, abut_aabb *box) {
    mesh_set *set = &made->set;
    made->axes = mesh_axes_along(mesh_set_item, set, set->count);
    keep_faces(set, &made->axes, box);
    size_t count = (size_t)set->count;
    made->order = memory_allocate(count, sizeof *made->order);
    made->known = memory_allocate(count, sizeof *made->known);
    made->away = memory_allocate(count, sizeof *made->away);
    if (made->order == NULL || made->known == NULL || made->away == NULL || !packed_tree_build(&made->tree, box, set->count, made->order)) {
        return false;
    }
    made->done = memory_allocate((size_t)made->tree.node_count, sizeof *made->done);
    return made->done != NULL;
}

/* NULL when there is no memory. */
static beyond_tree *make_tree(const mesh_beyond *beyond) {
    beyond_tree *made = memory_allocate(1, sizeof *made);
    if (made == NULL) {
        return NULL;
    }
    made->box = beyond->wanted;
    made->last = -1;
    gather(beyond->surface, &made->box, &made->set);
    mesh_apart_begin(&made->apart, beyond->body, 0.0);
    abut_aabb *box = memory_allocate((size_t)made->set.count, sizeof *box);
    bool fine = box != NULL && !made->set.out_of_memory && fill(made, box);
    memory_release(box);
    if (!fine) {
        release(made);
        made = NULL;
    }
    return made;
}

/* How many triangles are looked at in the time in which the body is compared with one. */
static double cost_of(const convex *body) {
    const double smooth = 1500.0, frustum = 500.0, other = 100.0, face = 1.5;
    return body->core == CORE_SMOOTH     ? smooth
           : body->core == CORE_FRUSTUM  ? frustum
           : body->core == CORE_POLYTOPE ? other + face * body->surface->face_count
                                         : other;
}

void mesh_beyond_init(mesh_beyond *beyond, const mesh_surface *surface, const convex *body, int32_t count) {
    *beyond = (mesh_beyond){.surface = surface,
                            .body = body,
                            .compared = cost_of(body),
                            .spare = 0.25 * body->size,
                            .wanted = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}}};
    beyond->left = (double)WORTH_A_TREE * (count > MESH_SET_FEW ? count : MESH_SET_FEW);
}

void mesh_beyond_free(mesh_beyond *beyond) {
    release(beyond->tree);
    beyond->tree = NULL;
}

bool mesh_beyond_is_ready(mesh_beyond *beyond, const convex *moved) {
    abut_aabb bounds = bounds_of(moved, 0.0), grown = bounds_of(moved, beyond->spare);
    beyond->wanted = (abut_aabb){lower_of(beyond->wanted.lower, grown.lower), upper_of(beyond->wanted.upper, grown.upper)};
    if (beyond->left < 0.0) {
        beyond_tree *made = make_tree(beyond);
        beyond->spare *= 4.0;
        beyond->left = made != NULL ? (double)WORTH_A_TREE * (MESH_SET_FEW + made->set.count) : INFINITY;
        if (made != NULL) {
            release(beyond->tree);
            beyond->tree = made;
        }
    }
    return beyond->tree != NULL && covers(&beyond->tree->box, &bounds);
}

/* A box is separated by its own axes, other bodies by the directions that did so in the last search. */
static void know_directions(beyond_search *s) {
    const mesh_apart *before = &s->in->moved;
    const abut_mat3 *m = &s->moved->rotation;
    const abut_vec3 axis[6] = {m->x, m->y, m->z, abut_neg(m->x), abut_neg(m->y), abut_neg(m->z)};
    bool box = s->moved->shape->kind == ABUT_SHAPE_BOX;
    mesh_apart_begin(&s->apart, s->moved, 0.0);
    for (int32_t i = 0; i < (box ? 6 : before->count); ++i) {
        mesh_apart_learn(&s->apart, box ? axis[i] : before->way[i].direction);
        turn_known(s, i);
    }
    s->apart.next = box ? 6 : before->next;
}

bool mesh_beyond_meets(mesh_beyond *beyond, const convex *moved, abut_vec3 p, abut_vec3 normal) {
    beyond_tree *in = beyond->tree;
    beyond_search s = {.in = in, .body = beyond->body, .moved = moved, .p = p, .normal = normal};
    s.shift = abut_sub(moved->position, beyond->body->position);
    s.from = abut_mat3_apply_transposed(in->axes, p);
    s.up = abut_mat3_apply_transposed(in->axes, normal);
    s.middle = abut_mat3_apply_transposed(in->axes, convex_inner_centre(moved));
    s.same = beyond->surface->same;
    s.rounding = 1e-9 * beyond->body->size;
    s.bounds = bounds_along(moved, &in->axes, s.rounding);
    know_directions(&s);
    bool is = (in->last >= 0 && is_new(&s, in->last)) || (in->tree.node_count > 0 && is_new_in_node(&s, 0));
    in->moved = s.apart;
    return is;
}
