/*
 * Zones that two closed meshes share: see overlap.h. A pair of crossing triangles is a node. Nodes are joined along the curves where the
 * surfaces cross, along sides that run inside, and over the inner vertices. Set frame.
 */
#include "narrow/mesh/pair/overlap.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/real.h"
#include "geom/orient.h"
#include "geom/triangles_meet.h"
#include "narrow/mesh/pair/flush.h"
#include "narrow/mesh/pair/near_pairs.h"
#include "narrow/mesh/surface.h"
#include "shape/bounds.h"

/* A side of one mesh that goes through a triangle of the other. */
typedef struct piercing {
    int32_t side;     /* 0: a side of A */
    int32_t corner;   /* the lower corner of the side */
    int32_t triangle; /* of the other mesh */
    int32_t node;
    double at;   /* the fraction of the way from that corner */
    bool enters; /* on that way, the side goes in */
} piercing;

typedef struct seed {
    int32_t corner, node;
} seed;

typedef struct finding {
    overlap *found;
    int32_t *parent; /* of nodes */
    piercing *item;
    int32_t count, capacity;
    seed *stack;
    int32_t height, stack_capacity;
    int32_t *mark; /* of the corners of one mesh: the node + 1 */
    double same;   /* places closer than this are one place */
} finding;

/* ---- joining ---- */

static int32_t root_of(finding *f, int32_t node) {
    while (f->parent[node] != node) {
        f->parent[node] = f->parent[f->parent[node]];
        node = f->parent[node];
    }
    return node;
}

static void join(finding *f, int32_t p, int32_t q) {
    p = root_of(f, p);
    q = root_of(f, q);
    f->parent[p > q ? p : q] = p > q ? q : p;
}

/* ---- crossing triangles ---- */

typedef struct searching {
    overlap *found;
    double same;
} searching;

static bool take_pair(void *context, const mesh_triangle *a, const mesh_triangle *b, double *reach) {
    (void)reach;
    const searching *of = context;
    overlap *found = of->found;
    triangles_relation relation = triangles_meet(a->corner, b->corner);
    found->flush = found->flush || relation == TRIANGLES_TOUCH || mesh_lie_flush(a, b, of->same);
    if (relation != TRIANGLES_CROSS) {
        found->touching = found->touching || relation == TRIANGLES_TOUCH;
        return true;
    }
    if (!array_extend(&found->pair, &found->pair_capacity, found->pair_count, found->pair_count + 1, sizeof *found->pair)) {
        found->out_of_memory = true;
        return false;
    }
    found->pair[found->pair_count++] = (overlap_pair){0, {a->index, b->index}};
    return true;
}

static int by_triangles(const void *left, const void *right) {
    const overlap_pair *p = left, *q = right;
    if (p->zone != q->zone) {
        return p->zone < q->zone ? -1 : 1;
    }
    if (p->index[0] != q->index[0]) {
        return p->index[0] < q->index[0] ? -1 : 1;
    }
    return (p->index[1] > q->index[1]) - (p->index[1] < q->index[1]);
}

/* ---- sides through triangles ---- */

/* Whether a segment meets a triangle, which lies on both sides of it or holds one of its ends. */
static bool pierces(abut_vec3 from, abut_vec3 to, const abut_vec3 t[3], int *first, int *second) {
    *first = orient_side(t[0], t[1], t[2], from);
    *second = orient_side(t[0], t[1], t[2], to);
    if (*first == *second || (*first >= 0 && *second >= 0)) {
        return false; /* a point in the plane counts as in front */
    }
    int least = 1, most = -1;
    for (int k = 0; k < 3; ++k) {
        int turn = orient_side(from, to, t[k], t[(k + 1) % 3]);
        least = turn < least ? turn : least;
        most = turn > most ? turn : most;
    }
    return least >= 0 || most <= 0;
}

typedef struct place_of_piercing {
    abut_vec3 from, to, triangle[3];
} place_of_piercing;

static place_of_piercing place_piercing(const finding *f, int side, int32_t corner, int32_t triangle) {
    const placed_mesh *mesh = f->found->mesh[side], *other = f->found->mesh[1 - side];
    place_of_piercing at = {.from = overlap_corner(mesh, corner), .to = overlap_corner(mesh, overlap_next(corner))};
    for (int32_t k = 0; k < 3; ++k) {
        at.triangle[k] = overlap_corner(other, 3 * triangle + k);
    }
    return at;
}

static void add_piercing(finding *f, int side, int32_t corner, int32_t triangle, int32_t node) {
    const int32_t *twin = f->found->mesh[side]->mesh->twin;
    int32_t lower = corner < twin[corner] ? corner : twin[corner];
    place_of_piercing at = place_piercing(f, side, lower, triangle);
    const abut_vec3 *t = at.triangle;
    int first, second;
    if (!pierces(at.from, at.to, t, &first, &second)) {
        return;
    }
    if (!array_extend(&f->item, &f->capacity, f->count, f->count + 1, sizeof *f->item)) {
        f->found->out_of_memory = true;
        return;
    }
    abut_vec3 across = abut_cross(abut_sub(t[1], t[0]), abut_sub(t[2], t[0]));
    double p = abut_dot(across, abut_sub(at.from, t[0])), q = abut_dot(across, abut_sub(at.to, t[0]));
    double roughly = p != q ? real_max(0.0, real_min(1.0, p / (p - q))) : 0.5;
    f->item[f->count++] = (piercing){side, lower, triangle, node, roughly, first > second};
}

static void pierce(finding *f, int32_t node) {
    const overlap_pair *pair = &f->found->pair[node];
    for (int side = 0; side < 2; ++side) {
        for (int32_t k = 0; k < 3; ++k) {
            add_piercing(f, side, 3 * pair->index[side] + k, pair->index[1 - side], node);
        }
    }
}

static int by_side(const void *left, const void *right) {
    const piercing *p = left, *q = right;
    if (p->side != q->side) {
        return p->side - q->side;
    }
    if (p->corner != q->corner) {
        return p->corner < q->corner ? -1 : 1;
    }
    if (p->triangle != q->triangle) {
        return p->triangle < q->triangle ? -1 : 1;
    }
    return (p->node > q->node) - (p->node < q->node);
}

static bool same_side(const piercing *p, const piercing *q) { return p->side == q->side && p->corner == q->corner; }

static int by_place(const void *left, const void *right) {
    const piercing *p = left, *q = right;
    return p->at != q->at ? (p->at < q->at ? -1 : 1) : by_side(left, right);
}

/* Sorts the piercings of each side along it. Their exact places matter only where several triangles are pierced. */
static void sort_piercings(finding *f) {
    qsort(f->item, (size_t)f->count, sizeof *f->item, by_side);
    for (int32_t first = 0, end; first < f->count; first = end) {
        for (end = first + 1; end < f->count && same_side(&f->item[first], &f->item[end]);) {
            ++end;
        }
        if (f->item[first].triangle == f->item[end - 1].triangle) {
            continue;
        }
        for (int32_t i = first; i < end; ++i) {
            place_of_piercing at = place_piercing(f, f->item[i].side, f->item[i].corner, f->item[i].triangle);
            const abut_vec3 *t = at.triangle;
            double p = orient_volume(t[0], t[1], t[2], at.from), q = orient_volume(t[0], t[1], t[2], at.to);
            f->item[i].at = p / (p - q);
        }
        qsort(&f->item[first], (size_t)(end - first), sizeof *f->item, by_place);
    }
}

/* Joins what one piercing, or the inside between two of them, connects. */
static void join_along_sides(finding *f) {
    for (int32_t i = 1; i < f->count; ++i) {
        const piercing *p = &f->item[i - 1], *q = &f->item[i];
        if (same_side(p, q) && (p->triangle == q->triangle || p->enters || !q->enters)) {
            join(f, p->node, q->node);
        }
    }
}

/* ---- parts ---- */

static void add_part(finding *f, overlap_parts *to, int32_t node, int32_t index) {
    if (!array_extend(&to->items, &to->capacity, to->count, to->count + 1, sizeof *to->items)) {
        f->found->out_of_memory = true;
        return;
    }
    to->items[to->count++] = (overlap_part){node, index};
}

static int by_zone(const void *left, const void *right) {
    const overlap_part *p = left, *q = right;
    if (p->zone != q->zone) {
        return p->zone < q->zone ? -1 : 1;
    }
    return (p->index > q->index) - (p->index < q->index);
}

static void finish_parts(overlap_parts *parts, finding *f, const int32_t *number) {
    for (int32_t i = 0; i < parts->count; ++i) {
        parts->items[i].zone = number[root_of(f, parts->items[i].zone)];
    }
    if (parts->count > 0) {
        qsort(parts->items, (size_t)parts->count, sizeof *parts->items, by_zone);
    }
    int32_t kept = 0;
    for (int32_t i = 0; i < parts->count; ++i) {
        if (kept == 0 || by_zone(&parts->items[kept - 1], &parts->items[i]) != 0) {
            parts->items[kept++] = parts->items[i];
        }
    }
    parts->count = kept;
}

/* ---- inner vertices ---- */

static void push(finding *f, int32_t corner, int32_t node) {
    if (!array_extend(&f->stack, &f->stack_capacity, f->height, f->height + 1, sizeof *f->stack)) {
        f->found->out_of_memory = true;
        return;
    }
    f->stack[f->height++] = (seed){corner, node};
}

static bool is_pierced(const finding *f, int side, int32_t corner) {
    int32_t low = 0, high = f->count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        const piercing *p = &f->item[middle];
        bool before = p->side < side || (p->side == side && p->corner < corner);
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    return low < f->count && f->item[low].side == side && f->item[low].corner == corner;
}

/* Takes an inner vertex: all its sides have a part inside. Those that nothing crosses lead to further inner vertices. */
static void take_vertex(finding *f, int side, seed at) {
    const int32_t *twin = f->found->mesh[side]->mesh->twin;
    if (f->mark[at.corner] != 0) {
        join(f, f->mark[at.corner] - 1, at.node);
        return;
    }
    int32_t corner = at.corner;
    add_part(f, &f->found->vertex[side], at.node, corner);
    do {
        int32_t lower = corner < twin[corner] ? corner : twin[corner];
        f->mark[corner] = at.node + 1;
        add_part(f, &f->found->side[side], at.node, lower);
        add_part(f, &f->found->name[side], at.node, f->found->mesh[side]->mesh->corners[corner]);
        add_part(f, &f->found->triangle[side], at.node, corner / 3);
        if (!is_pierced(f, side, lower)) {
            push(f, overlap_next(corner), at.node);
        }
        corner = twin[overlap_previous(corner)];
    } while (corner != at.corner && f->mark[corner] == 0 && !f->found->out_of_memory);
}

/* Whether rounding errors can have changed the order of a side's piercings, from i on: it goes in and out at one place. */
static bool is_order_doubtful(const finding *f, int32_t i) {
    const double rounding = 1e-13;
    for (; i + 1 < f->count && same_side(&f->item[i], &f->item[i + 1]); ++i) {
        if (f->item[i].enters != f->item[i + 1].enters && f->item[i + 1].at - f->item[i].at <= rounding) {
            return true;
        }
    }
    return false;
}

/* Whether a corner is inside the other mesh, and not only by rounding errors. */
static bool is_clearly_inside(const finding *f, int side, int32_t corner) {
    const placed_mesh *own = f->found->mesh[side];
    const mesh_surface other = {f->found->mesh[1 - side], 1, .same = f->same};
    sounding s;
    return mesh_surface_sound(&other, own, overlap_corner(own, corner), &s) && s.gap < -f->same;
}

static void start_at(finding *f, int side, int32_t corner, int32_t node, bool doubtful) {
    if (!doubtful || is_clearly_inside(f, side, corner)) {
        push(f, corner, node);
    }
}

/* The ends of a pierced side that are inside. */
static void start_at_sides(finding *f, int side) {
    bool doubtful = false;
    for (int32_t i = 0; i < f->count; ++i) {
        const piercing *p = &f->item[i];
        if (p->side != side) {
            continue;
        }
        add_part(f, &f->found->side[side], p->node, p->corner);
        bool first = i == 0 || !same_side(p, p - 1), last = i + 1 == f->count || !same_side(p, p + 1);
        doubtful = first ? is_order_doubtful(f, i) : doubtful;
        if (first && !p->enters) {
            start_at(f, side, p->corner, p->node, doubtful);
        }
        if (last && p->enters) {
            start_at(f, side, overlap_next(p->corner), p->node, doubtful);
        }
    }
}

static void find_inside(finding *f, int side) {
    f->mark = memory_allocate((size_t)f->found->mesh[side]->mesh->triangle_count, 3 * sizeof *f->mark);
    f->found->out_of_memory = f->found->out_of_memory || f->mark == NULL;
    if (!f->found->out_of_memory) {
        start_at_sides(f, side);
    }
    while (f->height > 0 && !f->found->out_of_memory) {
        take_vertex(f, side, f->stack[--f->height]);
    }
    memory_release(f->mark);
}

/* ---- all together ---- */

static void find_boxes(finding *f, const int32_t *number) {
    overlap *found = f->found;
    found->box = memory_allocate((size_t)found->zone_count, sizeof *found->box);
    found->out_of_memory = found->out_of_memory || found->box == NULL;
    for (int32_t zone = 0; zone < found->zone_count && !found->out_of_memory; ++zone) {
        found->box[zone] = bounds_of_points(NULL, 0);
    }
    for (int32_t i = 0; i < f->count && !found->out_of_memory; ++i) {
        const piercing *p = &f->item[i];
        const placed_mesh *mesh = found->mesh[p->side];
        abut_vec3 place = abut_lerp(overlap_corner(mesh, p->corner), overlap_corner(mesh, overlap_next(p->corner)), p->at);
        abut_aabb *box = &found->box[number[root_of(f, p->node)]];
        *box = bounds_join(*box, (abut_aabb){place, place});
    }
}

/* Numbers the zones in the order of their first pair. */
static void number_zones(finding *f, int32_t *number) {
    overlap *found = f->found;
    for (int32_t i = 0; i < found->pair_count; ++i) {
        if (root_of(f, i) == i) {
            number[i] = found->zone_count++;
        }
    }
    for (int side = 0; side < 2; ++side) {
        for (int32_t i = 0; i < found->pair_count; ++i) {
            add_part(f, &found->triangle[side], i, found->pair[i].index[side]);
        }
        finish_parts(&found->side[side], f, number);
        finish_parts(&found->vertex[side], f, number);
        finish_parts(&found->name[side], f, number);
        finish_parts(&found->triangle[side], f, number);
    }
    find_boxes(f, number);
    for (int32_t i = 0; i < found->pair_count; ++i) {
        found->pair[i].zone = number[root_of(f, i)];
    }
    qsort(found->pair, (size_t)found->pair_count, sizeof *found->pair, by_triangles);
}

static void find_zones(overlap *found, double same) {
    finding f = {.found = found, .same = same};
    f.parent = memory_allocate((size_t)found->pair_count, 2 * sizeof *f.parent);
    found->out_of_memory = found->out_of_memory || f.parent == NULL;
    for (int32_t i = 0; i < found->pair_count && !found->out_of_memory; ++i) {
        f.parent[i] = i;
        pierce(&f, i);
    }
    if (!found->out_of_memory) {
        if (f.count > 0) {
            sort_piercings(&f);
        }
        join_along_sides(&f);
        find_inside(&f, 0);
        find_inside(&f, 1);
        number_zones(&f, f.parent + found->pair_count);
    }
    memory_release(f.parent);
    memory_release(f.item);
    memory_release(f.stack);
}

void overlap_find(overlap *found, const placed_mesh *a, const placed_mesh *b, double same) {
    *found = (overlap){.mesh = {a, b}};
    mesh_near_pairs(a, b, same, take_pair, &(searching){found, same});
    if (found->pair_count > 0 && !found->out_of_memory) {
        qsort(found->pair, (size_t)found->pair_count, sizeof *found->pair, by_triangles);
        find_zones(found, same);
    }
}

void overlap_free(overlap *found) {
    memory_release(found->pair);
    memory_release(found->box);
    for (int side = 0; side < 2; ++side) {
        memory_release(found->side[side].items);
        memory_release(found->vertex[side].items);
        memory_release(found->name[side].items);
        memory_release(found->triangle[side].items);
    }
    *found = (overlap){0};
}

static int32_t first_from(const overlap_parts *parts, int32_t zone, int32_t index) {
    const overlap_part key = {zone, index};
    int32_t low = 0, high = parts->count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        bool before = by_zone(&parts->items[middle], &key) < 0;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    return low;
}

void overlap_range(const overlap_parts *parts, int32_t zone, int32_t *first, int32_t *end) {
    *first = first_from(parts, zone, 0);
    *end = first_from(parts, zone + 1, 0);
}

bool overlap_has(const overlap_parts *parts, int32_t zone, int32_t index) {
    int32_t at = first_from(parts, zone, index);
    return at < parts->count && parts->items[at].zone == zone && parts->items[at].index == index;
}
