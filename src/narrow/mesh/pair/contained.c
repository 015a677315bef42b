/* A piece of a closed mesh inside another one: see contained.h. Set frame. */
#include "narrow/mesh/pair/contained.h"

#include "base/memory.h"
#include "base/real.h"

/* ---- whether a piece is inside ---- */

static bool is_in_a_zone(const overlap *in, const overlap_parts *parts, int32_t index) {
    for (int32_t zone = 0; zone < in->zone_count; ++zone) {
        if (overlap_has(parts, zone, index)) {
            return true;
        }
    }
    return false;
}

typedef struct piece_walk {
    closed_pair *pair;
    int side;
    double farthest; /* from the other surface */
    bool inside;     /* at that place */
    bool crosses;    /* the piece is in a zone */
} piece_walk;

static void ask_place(piece_walk *walk, abut_vec3 place) {
    const placed_mesh *mesh = &walk->pair->side[walk->side]->mesh[0];
    sounding s;
    if (mesh_surface_sound(walk->pair->side[1 - walk->side], mesh, place, &s) && fabs(s.gap) > walk->farthest) {
        walk->farthest = fabs(s.gap);
        walk->inside = s.gap < 0.0;
        walk->pair->outwards = walk->inside && walk->side == 1 ? abut_neg(s.normal) : s.normal;
    }
}

/* The corners and the middle of a triangle. */
static void ask_triangle(piece_walk *walk, int32_t triangle) {
    const placed_mesh *mesh = &walk->pair->side[walk->side]->mesh[0];
    const overlap *in = &walk->pair->in;
    abut_vec3 middle = {0.0, 0.0, 0.0};
    walk->crosses = is_in_a_zone(in, &in->triangle[walk->side], triangle);
    for (int32_t c = 3 * triangle; c < 3 * triangle + 3 && !walk->crosses; ++c) {
        abut_vec3 place = overlap_corner(mesh, c);
        walk->crosses = is_in_a_zone(in, &in->name[walk->side], mesh->mesh->corners[c]);
        middle = abut_add_scaled(middle, 1.0 / 3.0, place);
        ask_place(walk, place);
    }
    ask_place(walk, middle);
}

/* Whether the piece is known to be inside or outside, and not only on the surface. */
static bool is_decided(const piece_walk *walk) { return walk->crosses || walk->farthest > closed_pair_same(walk->pair); }

/* Asks the triangles of the piece, one after the other. */
static void walk_piece(piece_walk *walk, int32_t first) {
    const trimesh *mesh = walk->pair->side[walk->side]->mesh[0].mesh;
    bool *seen = memory_allocate((size_t)mesh->triangle_count, sizeof *seen);
    int32_t *stack = memory_allocate((size_t)mesh->triangle_count, sizeof *stack), height = 0;
    walk->pair->out_of_memory = walk->pair->out_of_memory || seen == NULL || stack == NULL;
    if (!walk->pair->out_of_memory) {
        seen[first] = true;
        stack[height++] = first;
    }
    while (height > 0 && !is_decided(walk)) {
        int32_t t = stack[--height];
        ask_triangle(walk, t);
        for (int32_t c = 3 * t; c < 3 * t + 3; ++c) {
            int32_t next = mesh->twin[c] / 3;
            if (!seen[next]) {
                seen[next] = true;
                stack[height++] = next;
            }
        }
    }
    memory_release(seen);
    memory_release(stack);
}

/* A part of the piece can lie on the other surface, up to rounding errors, so the first place that does not tells. */
static bool is_piece_inside(closed_pair *pair, int side, int32_t triangle) {
    piece_walk walk = {.pair = pair, .side = side};
    ask_triangle(&walk, triangle);
    if (!is_decided(&walk)) {
        walk_piece(&walk, triangle);
    }
    return !walk.crosses && walk.inside && is_decided(&walk);
}

static bool has_piece_inside(closed_pair *pair, int side) {
    const trimesh *mesh = pair->side[side]->mesh[0].mesh;
    bool inside = false;
    for (int32_t i = 0; i < mesh->piece_count && !inside && (mesh->piece_count > 1 || pair->in.pair_count == 0); ++i) {
        inside = is_piece_inside(pair, side, mesh->piece[i]);
    }
    return inside;
}

void contained_find(closed_pair *pair) { pair->contained = has_piece_inside(pair, 0) || has_piece_inside(pair, 1); }

/* ---- a way out ---- */

/* Extreme vertices along a direction. */
static int32_t farthest_vertex(const placed_mesh *mesh, abut_vec3 direction) {
    return trimesh_farthest(mesh->mesh, abut_mat3_apply_transposed(mesh->rotation, direction));
}

/* The way of A along n until it is beyond B. The shorter one stays. */
static void offer_way(const closed_pair *pair, abut_vec3 n, abut_contact *best) {
    const placed_mesh *a = &pair->side[0]->mesh[0], *b = &pair->side[1]->mesh[0];
    int32_t lowest = farthest_vertex(a, abut_neg(n)), highest = farthest_vertex(b, n);
    abut_vec3 on_a = mesh_place_point(a, a->mesh->vertices[lowest]), on_b = mesh_place_point(b, b->mesh->vertices[highest]);
    double gap = abut_dot(n, abut_sub(on_a, on_b));
    if (gap < 0.0 && gap > best->gap) {
        *best = (abut_contact){.on_a = on_a,
                               .on_b = abut_add_scaled(on_a, -gap, n),
                               .normal = n,
                               .gap = gap,
                               .feature_a = {.kind = ABUT_FEATURE_VERTEX, .index = lowest, .part = a->part},
                               .feature_b = {.kind = ABUT_FEATURE_VERTEX, .index = highest, .part = b->part},
                               .flags = ABUT_CONTACT_NORMAL_CHOSEN | ABUT_CONTACT_WITNESS};
    }
}

void contained_complete(const closed_pair *pair, contact_list *list) {
    abut_contact best = {.gap = -INFINITY, .patch = list->count};
    for (int32_t i = 0; i < list->count; ++i) {
        if (list->items[i].gap < 0.0) {
            return;
        }
    }
    for (int side = 0; side < 2; ++side) {
        const abut_mat3 *turn = &pair->side[side]->mesh[0].rotation;
        const abut_vec3 axis[3] = {turn->x, turn->y, turn->z};
        for (int i = 0; i < 3; ++i) {
            offer_way(pair, axis[i], &best);
            offer_way(pair, abut_neg(axis[i]), &best);
        }
    }
    offer_way(pair, pair->outwards, &best);
    best.patch = list->count;
    if (best.gap > -INFINITY) {
        contact_list_add(list, &best);
    }
}
