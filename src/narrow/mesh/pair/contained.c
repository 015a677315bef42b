/* Pieces of a closed mesh inside another one: see contained.h. Set frame. */
#include "narrow/mesh/pair/contained.h"

#include "base/memory.h"
#include "base/real.h"
#include "geom/orient.h"

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
    double farthest;    /* from the other surface */
    bool inside;        /* at that place */
    bool crosses;       /* the piece is in a zone */
    abut_vec3 outwards; /* the way of A from there to the other surface, unit */
} piece_walk;

static void ask_place(piece_walk *walk, abut_vec3 place) {
    const placed_mesh *mesh = &walk->pair->side[walk->side]->mesh[0];
    sounding s;
    if (mesh_surface_sound(walk->pair->side[1 - walk->side], mesh, place, &s) && fabs(s.gap) > walk->farthest) {
        walk->farthest = fabs(s.gap);
        walk->inside = s.gap < 0.0;
        walk->outwards = walk->side == 1 ? abut_neg(s.normal) : s.normal;
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
static bool is_piece_inside(closed_pair *pair, int side, int32_t triangle, abut_vec3 *outwards) {
    piece_walk walk = {.pair = pair, .side = side};
    ask_triangle(&walk, triangle);
    if (!is_decided(&walk)) {
        walk_piece(&walk, triangle);
    }
    *outwards = walk.outwards;
    return !walk.crosses && walk.inside && is_decided(&walk);
}

/* ---- the pieces that are ---- */

static bool make_room(contained_pieces *inside, const closed_pair *pair) {
    size_t most = 0, triangles = 0;
    for (int side = 0; side < 2; ++side) {
        const trimesh *mesh = pair->side[side]->mesh[0].mesh;
        inside->triangle[side] = memory_allocate((size_t)mesh->triangle_count, sizeof *inside->triangle[side]);
        inside->vertex[side] = memory_allocate((size_t)mesh->vertex_count, sizeof *inside->vertex[side]);
        most += (size_t)mesh->piece_count;
        triangles = mesh->triangle_count > (int32_t)triangles ? (size_t)mesh->triangle_count : triangles;
    }
    inside->piece = memory_allocate(most, sizeof *inside->piece);
    inside->stack = memory_allocate(triangles, sizeof *inside->stack);
    return inside->triangle[0] != NULL && inside->triangle[1] != NULL && inside->vertex[0] != NULL && inside->vertex[1] != NULL &&
           inside->piece != NULL && inside->stack != NULL;
}

/* Marks the triangles of a piece. stack: room for all triangles of the mesh. Returns six times the volume of the solid in it, below 0 for a hollow. */
static double mark_piece(const trimesh *mesh, int32_t first, int32_t *of_triangle, int32_t name, int32_t *stack) {
    const abut_vec3 apex = mesh->vertices[mesh->corners[3 * first]];
    int32_t height = 0;
    double volume = 0.0;
    of_triangle[first] = name;
    stack[height++] = first;
    while (height > 0) {
        int32_t t = stack[--height];
        const int32_t *c = mesh->corners + 3 * t;
        volume -= orient_volume(mesh->vertices[c[0]], mesh->vertices[c[1]], mesh->vertices[c[2]], apex);
        for (int k = 0; k < 3; ++k) {
            int32_t next = mesh->twin[3 * t + k] / 3;
            if (of_triangle[next] != name) {
                of_triangle[next] = name;
                stack[height++] = next;
            }
        }
    }
    return volume;
}

static void add_piece(closed_pair *pair, int side, int32_t first, abut_vec3 outwards) {
    contained_pieces *inside = &pair->inside;
    if (inside->count == 0 && !make_room(inside, pair)) {
        pair->out_of_memory = true;
        return;
    }
    double volume = mark_piece(pair->side[side]->mesh[0].mesh, first, inside->triangle[side], inside->count + 1, inside->stack);
    inside->piece[inside->count++] = (contained_piece){.outwards = outwards, .hollow = volume < 0.0};
}

/* A vertex that other pieces share does not belong to one inside. */
static void mark_vertices(contained_pieces *inside, int side, const trimesh *mesh) {
    for (int32_t c = 0; c < 3 * mesh->triangle_count; ++c) {
        inside->vertex[side][mesh->corners[c]] = inside->triangle[side][c / 3];
    }
    for (int32_t c = 0; c < 3 * mesh->triangle_count; ++c) {
        if (inside->triangle[side][c / 3] == 0) {
            inside->vertex[side][mesh->corners[c]] = 0;
        }
    }
}

void contained_find(closed_pair *pair) {
    for (int side = 0; side < 2; ++side) {
        const trimesh *mesh = pair->side[side]->mesh[0].mesh;
        bool may_be = mesh->piece_count > 1 || pair->in.pair_count == 0;
        for (int32_t i = 0; i < mesh->piece_count && may_be && !pair->out_of_memory; ++i) {
            abut_vec3 outwards;
            if (is_piece_inside(pair, side, mesh->piece[i], &outwards)) {
                add_piece(pair, side, mesh->piece[i], outwards);
            }
        }
    }
    for (int side = 0; side < 2 && pair->inside.count > 0 && !pair->out_of_memory; ++side) {
        mark_vertices(&pair->inside, side, pair->side[side]->mesh[0].mesh);
    }
}

void contained_free(contained_pieces *inside) {
    for (int side = 0; side < 2; ++side) {
        memory_release(inside->triangle[side]);
        memory_release(inside->vertex[side]);
    }
    memory_release(inside->piece);
    memory_release(inside->stack);
    *inside = (contained_pieces){0};
}

/* ---- their contacts ---- */

/* The piece of a feature, from 1 on; 0: it belongs to none. */
static int32_t piece_of(const contained_pieces *inside, int side, abut_feature feature) {
    return feature.kind == ABUT_FEATURE_VERTEX
               ? inside->vertex[side][feature.index]
               : inside->triangle[side][feature.kind == ABUT_FEATURE_EDGE ? feature.index / 3 : feature.index];
}

int32_t contained_piece_of(const contained_pieces *inside, const abut_contact *contact) {
    int32_t of_a = inside->count > 0 ? piece_of(inside, 0, contact->feature_a) : 0;
    return of_a > 0 || inside->count == 0 ? of_a : piece_of(inside, 1, contact->feature_b);
}

bool contained_group(const contained_pieces *inside, contact_list *list, int32_t *end) {
    abut_contact *moved = memory_allocate((size_t)list->count, sizeof *moved);
    const bool fine = moved != NULL;
    for (int32_t i = 0; i <= inside->count; ++i) {
        end[i] = 0;
    }
    for (int32_t i = 0; i < list->count; ++i) {
        ++end[contained_piece_of(inside, &list->items[i])];
    }
    for (int32_t i = 1; i <= inside->count; ++i) {
        end[i] += end[i - 1];
    }
    for (int32_t i = list->count - 1; i >= 0 && fine; --i) {
        moved[--end[contained_piece_of(inside, &list->items[i])]] = list->items[i];
    }
    for (int32_t i = 0; i < list->count && fine; ++i) {
        list->items[i] = moved[i];
    }
    for (int32_t i = 0; i <= inside->count; ++i) {
        end[i] = i < inside->count ? end[i + 1] : list->count;
    }
    memory_release(moved);
    return fine;
}

void contained_select(const contained_pieces *inside, bool of_pieces, contact_list *list) {
    int32_t kept = 0;
    for (int32_t i = 0; i < list->count; ++i) {
        const int32_t piece[2] = {piece_of(inside, 0, list->items[i].feature_a), piece_of(inside, 1, list->items[i].feature_b)};
        bool any = piece[0] > 0 || piece[1] > 0;
        bool hollow = (piece[0] > 0 && inside->piece[piece[0] - 1].hollow) || (piece[1] > 0 && inside->piece[piece[1] - 1].hollow);
        if (of_pieces ? any && !hollow : !any) {
            list->items[kept++] = list->items[i];
        }
    }
    list->count = kept;
}

/* ---- a way out ---- */

typedef struct leaving {
    const closed_pair *pair;
    bool *told; /* [inside.count + 1] by the piece from 1 on: it needs no way out */
    bool any[2];
    abut_contact best;
} leaving;

/* The vertex of the pieces that leave, or -1, and of the whole mesh, that is farthest along a direction. */
static int32_t farthest_leaving(const leaving *of, int side, abut_vec3 direction) {
    const placed_mesh *mesh = &of->pair->side[side]->mesh[0];
    const abut_vec3 seen = abut_mat3_apply_transposed(mesh->rotation, direction);
    double height = -INFINITY;
    int32_t farthest = -1;
    for (int32_t v = 0; v < mesh->mesh->vertex_count; ++v) {
        double here = abut_dot(seen, mesh->mesh->vertices[v]);
        if (here > height && !of->told[of->pair->inside.vertex[side][v]]) {
            height = here;
            farthest = v;
        }
    }
    return farthest;
}

static int32_t farthest_of_all(const leaving *of, int side, abut_vec3 direction) {
    const placed_mesh *mesh = &of->pair->side[side]->mesh[0];
    return trimesh_farthest(mesh->mesh, abut_mat3_apply_transposed(mesh->rotation, direction));
}

/* The way of A along n until its vertex is beyond that of B. */
static abut_contact way_past(const closed_pair *pair, abut_vec3 n, int32_t lowest, int32_t highest) {
    const placed_mesh *a = &pair->side[0]->mesh[0], *b = &pair->side[1]->mesh[0];
    abut_vec3 on_a = mesh_place_point(a, a->mesh->vertices[lowest]), on_b = mesh_place_point(b, b->mesh->vertices[highest]);
    double gap = abut_dot(n, abut_sub(on_a, on_b));
    return (abut_contact){.on_a = on_a,
                          .on_b = abut_add_scaled(on_a, -gap, n),
                          .normal = n,
                          .gap = gap,
                          .feature_a = {.kind = ABUT_FEATURE_VERTEX, .index = lowest, .part = a->part},
                          .feature_b = {.kind = ABUT_FEATURE_VERTEX, .index = highest, .part = b->part},
                          .flags = ABUT_CONTACT_NORMAL_CHOSEN | ABUT_CONTACT_WITNESS};
}

/* The way of A along n until its pieces are beyond B, and those of B are behind A. The shorter one stays. */
static void offer_way(leaving *of, abut_vec3 n) {
    abut_contact way = {.gap = INFINITY};
    for (int side = 0; side < 2; ++side) {
        if (of->any[side]) {
            int32_t lowest = (side == 0 ? farthest_leaving : farthest_of_all)(of, 0, abut_neg(n));
            int32_t highest = (side == 1 ? farthest_leaving : farthest_of_all)(of, 1, n);
            abut_contact one = way_past(of->pair, n, lowest, highest);
            way = one.gap < way.gap ? one : way;
        }
    }
    of->best = way.gap < 0.0 && way.gap > of->best.gap ? way : of->best;
}

static void find_untold(leaving *of, const contact_list *list) {
    const contained_pieces *inside = &of->pair->inside;
    of->told[0] = true;
    for (int32_t i = 0; i < inside->count; ++i) {
        of->told[i + 1] = inside->piece[i].hollow;
    }
    for (int32_t i = 0; i < list->count; ++i) {
        const abut_contact *contact = &list->items[i];
        if (contact->gap < -closed_pair_same(of->pair)) {
            of->told[piece_of(inside, 0, contact->feature_a)] = true;
            of->told[piece_of(inside, 1, contact->feature_b)] = true;
        }
    }
    for (int side = 0; side < 2; ++side) {
        of->any[side] = farthest_leaving(of, side, abut_vec3_make(1.0, 0.0, 0.0)) >= 0;
    }
}

static void find_way(leaving *of) {
    for (int side = 0; side < 2; ++side) {
        const abut_mat3 *turn = &of->pair->side[side]->mesh[0].rotation;
        const abut_vec3 axis[3] = {turn->x, turn->y, turn->z};
        for (int i = 0; i < 3; ++i) {
            offer_way(of, axis[i]);
            offer_way(of, abut_neg(axis[i]));
        }
    }
    for (int32_t i = 0; i < of->pair->inside.count; ++i) {
        if (!of->told[i + 1]) {
            offer_way(of, of->pair->inside.piece[i].outwards);
        }
    }
}

void contained_complete(closed_pair *pair, contact_list *list) {
    leaving of = {.pair = pair, .best = {.gap = -INFINITY}};
    of.told = memory_allocate((size_t)pair->inside.count + 1, sizeof *of.told);
    if (of.told == NULL) {
        pair->out_of_memory = true;
        return;
    }
    find_untold(&of, list);
    if (of.any[0] || of.any[1]) {
        find_way(&of);
    }
    memory_release(of.told);
    of.best.patch = list->count;
    if (of.best.gap > -INFINITY) {
        contact_list_add(list, &of.best);
    }
}
