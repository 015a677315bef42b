/*
 * Pairs of elements by a packed_tree over the boxes of B. Its boxes are rounded outward, so every box that it finds is compared again with
 * its exact numbers. The result is the same as comparing every box of A with every box of B.
 *
 * The elements of A are processed in pieces of fixed size, each with its own list. Afterwards the place of every list is known, and the
 * lists are copied there. A piece stores pairs only as far as the caller has room, so counting alone needs no memory for pairs.
 */
#include "tetra/mesh/search.h"

#include <string.h>

#include "base/memory.h"
#include "geom/packed_tree.h"
#include "tetra/mesh/meet.h"
#include "tetra/mesh/view.h"

enum { PIECE = 128 /* elements */ };

typedef struct boxes_tree {
    packed_tree tree;
    int32_t *order; /* the element of each slot */
} boxes_tree;

typedef struct piece {
    abut_element_pair *pairs;
    int64_t room, kept, first;
    mesh_found found;
    bool out_of_memory;
} piece;

typedef struct worker {
    const mesh_search *search;
    const abut_tetra_mesh *b; /* the second mesh; the same mesh for a mesh with itself */
    const uint8_t *changed_b;
    const int32_t *group_b;
    abut_aabb *boxes_a, *boxes_b;
    boxes_tree all, changed; /* trees of B: of all elements, and of the changed ones */
    double unit;             /* a power of two; scale of the boxes in the trees */
    piece *pieces;
    int32_t piece_count;
    int64_t capacity;
    abut_element_pair *pairs;
} worker;

/* ---- boxes and trees ---- */

static abut_aabb seen_by_tree(const worker *w, const abut_aabb *box) {
    return (abut_aabb){abut_scale(w->unit, box->lower), abut_scale(w->unit, box->upper)};
}

/* One, or less if the sum of two coordinates would overflow. */
static double unit_of(const abut_tetra_mesh *a, const abut_tetra_mesh *b) {
    double largest = 0.0;
    for (int k = 0; k < 2; k++) {
        const abut_tetra_mesh *mesh = k == 0 ? a : b;
        for (int32_t i = 0; i < mesh->vertex_count; i++) {
            abut_vec3 v = mesh->vertices[i];
            largest = real_max(largest, real_max(fabs(v.x), real_max(fabs(v.y), fabs(v.z))));
        }
    }
    return largest > 1e300 ? 0x1p-64 : 1.0;
}

static abut_aabb *make_boxes(const abut_tetra_mesh *mesh) {
    abut_aabb *boxes = memory_allocate((size_t)mesh->element_count, sizeof *boxes);
    for (int32_t i = 0; boxes != NULL && i < mesh->element_count; i++) {
        boxes[i] = mesh_box(mesh, i);
    }
    return boxes;
}

/* A tree over B's elements, or over those that `only` marks. */
static bool make_tree(const worker *w, const uint8_t *only, boxes_tree *made) {
    int32_t count = 0, most = w->b->element_count;
    abut_aabb *seen = memory_allocate((size_t)most, sizeof *seen);
    int32_t *element = memory_allocate((size_t)most, sizeof *element);
    made->order = memory_allocate((size_t)most, sizeof *made->order);
    bool ok = seen != NULL && element != NULL && made->order != NULL;
    for (int32_t i = 0; ok && i < most; i++) {
        if (only == NULL || only[i]) {
            seen[count] = seen_by_tree(w, &w->boxes_b[i]);
            element[count++] = i;
        }
    }
    ok = ok && packed_tree_build(&made->tree, seen, count, made->order);
    for (int32_t i = 0; ok && i < count; i++) {
        made->order[i] = element[made->order[i]];
    }
    memory_release(seen);
    memory_release(element);
    return ok;
}

/* ---- the pairs of one element ---- */

static bool keep(piece *into, int32_t a, int32_t b) {
    if (into->kept == into->room) {
        int64_t room = 2 * into->room + 64;
        abut_element_pair *larger = memory_grow(into->pairs, (size_t)into->kept, (size_t)room, sizeof *larger);
        if (larger == NULL) {
            into->out_of_memory = true;
            return false;
        }
        into->pairs = larger;
        into->room = room;
    }
    into->pairs[into->kept++] = (abut_element_pair){a, b};
    return true;
}

/* Shell sort, in ascending order of b; mostly about a dozen pairs. */
static void sort_pairs(abut_element_pair *pairs, int64_t count) {
    int64_t step = 1;
    while (step < count / 3) {
        step = 3 * step + 1;
    }
    for (; step > 0; step /= 3) {
        for (int64_t i = step; i < count; i++) {
            abut_element_pair pair = pairs[i];
            int64_t at = i;
            for (; at >= step && pairs[at - step].b > pair.b; at -= step) {
                pairs[at] = pairs[at - step];
            }
            pairs[at] = pair;
        }
    }
}

/* True when the boxes of two elements meet and the pair is requested. */
static bool is_candidate(const worker *w, int32_t a, int32_t b) {
    const int32_t *group_a = w->search->group_a;
    return mesh_boxes_meet(&w->boxes_a[a], &w->boxes_b[b]) && (w->search->b != NULL || (a < b && !mesh_share_vertex(w->search->a, a, b))) &&
           (group_a == NULL || group_a[a] < 0 || group_a[a] != w->group_b[b]);
}

/* The pairs of a with the elements of one tree. In a mesh with itself, pairs in reverse order are found from b. */
static void find_in(const worker *w, const boxes_tree *in, int32_t a, bool store, piece *into) {
    packed_box_walk walk;
    packed_leaf leaf;
    abut_simplex element = mesh_element(w->search->a, a);
    packed_box_begin(&walk, &in->tree, seen_by_tree(w, &w->boxes_a[a]));
    while (packed_box_next(&walk, &leaf)) {
        for (int32_t i = leaf.first; i < leaf.first + leaf.count; i++) {
            int32_t b = in->order[i];
            if (!is_candidate(w, a, b)) {
                continue;
            }
            ++into->found.tested;
            if (w->search->kind == MESH_SEARCH_INTERSECTIONS) {
                abut_simplex other = mesh_element(w->b, b);
                if (!mesh_elements_intersect(&element, &other)) {
                    continue;
                }
            }
            ++into->found.count;
            if (store && !keep(into, a, b)) {
                return;
            }
        }
    }
}

static void find_of(const worker *w, int32_t a, piece *into) {
    const uint8_t *changed = w->search->changed_a;
    int64_t before = into->kept;
    find_in(w, changed == NULL || changed[a] ? &w->all : &w->changed, a, before < w->capacity, into);
    if (into->kept > before + 1) {
        sort_pairs(into->pairs + before, into->kept - before);
    }
}

static void find_pieces(void *argument, int32_t begin, int32_t end) {
    const worker *w = argument;
    for (int32_t p = begin; p < end; p++) {
        piece *into = &w->pieces[p];
        int32_t last = w->search->a->element_count - p * PIECE < PIECE ? w->search->a->element_count : (p + 1) * PIECE;
        for (int32_t a = p * PIECE; a < last && !into->out_of_memory; a++) {
            find_of(w, a, into);
        }
    }
}

/* ---- all pieces ---- */

static void copy_pieces(void *argument, int32_t begin, int32_t end) {
    const worker *w = argument;
    for (int32_t p = begin; p < end; p++) {
        const piece *from = &w->pieces[p];
        int64_t room = w->capacity - from->first, count = from->kept < room ? from->kept : room;
        if (count > 0) {
            memcpy(w->pairs + from->first, from->pairs, (size_t)count * sizeof *from->pairs);
        }
    }
}

/* Computes the place of every piece and the totals; false when a piece ran out of memory. */
static bool place_pieces(const worker *w, mesh_found *found) {
    *found = (mesh_found){0, 0};
    for (int32_t p = 0; p < w->piece_count; p++) {
        if (w->pieces[p].out_of_memory) {
            return false;
        }
        w->pieces[p].first = found->count;
        found->count += w->pieces[p].found.count;
        found->tested += w->pieces[p].found.tested;
    }
    return true;
}

static bool prepare(worker *w) {
    const mesh_search *s = w->search;
    w->unit = unit_of(s->a, w->b);
    w->piece_count = (s->a->element_count - 1) / PIECE + 1;
    w->pieces = memory_allocate((size_t)w->piece_count, sizeof *w->pieces);
    w->boxes_a = make_boxes(s->a);
    w->boxes_b = s->b != NULL ? make_boxes(s->b) : w->boxes_a;
    if (w->pieces == NULL || w->boxes_a == NULL || w->boxes_b == NULL || !make_tree(w, NULL, &w->all)) {
        return false;
    }
    return s->changed_a == NULL || make_tree(w, w->changed_b, &w->changed);
}

static void release(worker *w) {
    for (int32_t p = 0; w->pieces != NULL && p < w->piece_count; p++) {
        memory_release(w->pieces[p].pairs);
    }
    memory_release(w->pieces);
    if (w->boxes_b != w->boxes_a) {
        memory_release(w->boxes_b);
    }
    memory_release(w->boxes_a);
    packed_tree_release(&w->all.tree);
    packed_tree_release(&w->changed.tree);
    memory_release(w->all.order);
    memory_release(w->changed.order);
}

/* Finds all pairs; the results lie in the pieces. */
static abut_status search_pieces(worker *w, const mesh_search *search, int64_t capacity, mesh_found *found) {
    *w = (worker){.search = search, .b = search->b != NULL ? search->b : search->a, .capacity = capacity};
    w->changed_b = search->b != NULL ? search->changed_b : search->changed_a;
    w->group_b = search->b != NULL ? search->group_b : search->group_a;
    *found = (mesh_found){0, 0};
    if (search->a->element_count == 0 || w->b->element_count == 0) {
        return ABUT_OK;
    }
    if (!prepare(w)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    abut_parallel_for(search->parallel, w->piece_count, 1, find_pieces, w);
    return place_pieces(w, found) ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
}

abut_status mesh_search_into(const mesh_search *search, abut_element_pair *pairs, int64_t capacity, mesh_found *found) {
    worker w;
    abut_status status = search_pieces(&w, search, capacity, found);
    if (status == ABUT_OK && found->count > 0) {
        w.pairs = pairs;
        abut_parallel_for(search->parallel, w.piece_count, 8, copy_pieces, &w);
    }
    release(&w);
    return status;
}

abut_status mesh_search_all(const mesh_search *search, abut_element_pair **pairs, mesh_found *found) {
    worker w;
    *pairs = NULL;
    abut_status status = search_pieces(&w, search, INT64_MAX, found);
    if (status == ABUT_OK && found->count > 0) {
        w.capacity = found->count;
        w.pairs = memory_allocate((size_t)found->count, sizeof *w.pairs);
        status = w.pairs != NULL ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
    }
    if (w.pairs != NULL) {
        abut_parallel_for(search->parallel, w.piece_count, 8, copy_pieces, &w);
        *pairs = w.pairs;
    }
    release(&w);
    return status;
}
