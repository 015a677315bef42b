#include "step/fixed/seams.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/parts.h"
#include "base/real.h"
#include "step/fixed/continuous/path.h"
#include "step/world/meet/excluded.h"

/* Slot of the still body of a pair; -1 when the pair has none. The list holds no pairs of two still bodies. */
static int32_t still_of(const abut_world *world, const broad_pair *pair) {
    bool a = world->bodies[pair->a].kind != ABUT_BODY_DYNAMIC, b = world->bodies[pair->b].kind != ABUT_BODY_DYNAMIC;
    return a == b ? -1 : a ? pair->a : pair->b;
}

static bool is_mesh(const abut_world *world, int32_t slot) { return abut_shape_kind(world->bodies[slot].shape) == ABUT_SHAPE_TRIMESH; }

/* Where a still body is at a fraction of the step. */
static abut_pose pose_at(const abut_world *world, int32_t slot, double dt, double fraction) {
    const body *still = &world->bodies[slot];
    if (still->kind != ABUT_BODY_KINEMATIC || !(fraction > 0.0)) {
        return still->pose;
    }
    moving_body motion = path_expected(world, still, dt);
    return shape_cast_pose(&motion, fraction);
}

/* ---- the list ---- */

typedef struct listing {
    seam_list *list;
    const abut_world *world;
    int32_t counts[PARTS_MOST]; /* of a part of the step's pairs */
} listing;

/* Lists the pairs of parts, at their own places. */
static void list_parts(void *argument, int32_t begin, int32_t end) {
    listing *of = argument;
    const broad_phase *broad = &of->world->broad;
    int32_t length = parts_length(broad->found_count);
    for (int32_t part = begin; part < end; part++) {
        seam_beside *to = of->list->pairs + part * length;
        int32_t count = 0;
        for (int32_t p = part * length; p < parts_end(broad->found_count, part * length); p++) {
            const broad_pair *pair = &broad->found[p];
            int32_t still = still_of(of->world, pair);
            if (still >= 0 && broad_is_candidate(broad, pair)) {
                to[count++] = (seam_beside){pair->a + pair->b - still, still};
            }
        }
        of->counts[part] = count;
    }
}

static void list_pairs(seam_list *list, const abut_world *world) {
    int32_t pairs = world->broad.found_count;
    listing of;
    of.list = list;
    of.world = world;
    abut_parallel_for(&world->def.parallel, parts_count(pairs), 1, list_parts, &of);
    list->pair_count = 0;
    for (int32_t part = 0; part < parts_count(pairs); part++) {
        const seam_beside *from = list->pairs + part * parts_length(pairs);
        for (int32_t i = 0; i < of.counts[part]; i++) {
            list->pairs[list->pair_count++] = from[i];
        }
    }
}

/* Counts the still bodies beside each body. Returns whether there are two or more somewhere. */
static bool count_beside(seam_list *list, const abut_world *world) {
    bool any = false;
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        list->beside[slot] = 0;
        list->met[slot] = 0.0;
    }
    for (int32_t i = 0; i < list->pair_count; i++) {
        any = ++list->beside[list->pairs[i].body] > 1 || any;
    }
    return any;
}

/* Keeps the pairs with meshes beside which there are other still bodies. */
static void keep_meshes(seam_list *list, const abut_world *world) {
    int32_t kept = 0;
    for (int32_t i = 0; i < list->pair_count; i++) {
        seam_beside pair = list->pairs[i];
        if (list->beside[pair.body] > 1 && is_mesh(world, pair.still)) {
            list->pairs[kept++] = pair;
        }
    }
    list->pair_count = kept;
}

/* Lists the meshes by body, in the order of their slots, as the pairs are. */
static bool list_meshes(seam_list *list, const abut_world *world) {
    int32_t count = 0;
    keep_meshes(list, world);
    for (int32_t slot = 0; slot < list->slots; slot++) {
        list->mesh_end[slot] = 0;
    }
    for (int32_t i = 0; i < list->pair_count; i++) {
        list->mesh_end[list->pairs[i].body]++;
    }
    for (int32_t slot = 0; slot < list->slots; slot++) { /* at first each one's beginning */
        int32_t own = list->mesh_end[slot];
        list->mesh_end[slot] = count;
        count += own;
    }
    if (!array_reserve(&list->mesh_slots, &list->slot_capacity, count, sizeof *list->mesh_slots) ||
        !array_reserve(&list->meshes, &list->mesh_capacity, count, sizeof *list->meshes)) {
        return false;
    }
    for (int32_t i = 0; i < list->pair_count; i++) {
        list->mesh_slots[list->mesh_end[list->pairs[i].body]++] = list->pairs[i].still;
    }
    return true;
}

bool seams_find(seam_list *list, const abut_world *world) {
    list->slots = 0;
    if (!array_reserve(&list->beside, &list->beside_capacity, world->body_used, sizeof *list->beside) ||
        !array_reserve(&list->met, &list->met_capacity, world->body_used, sizeof *list->met) ||
        !array_reserve(&list->pairs, &list->pair_capacity, world->broad.found_count, sizeof *list->pairs)) {
        return false;
    }
    list_pairs(list, world);
    if (!count_beside(list, world)) {
        return true;
    }
    list->slots = world->body_used;
    return array_reserve(&list->mesh_end, &list->end_capacity, list->slots, sizeof *list->mesh_end) && list_meshes(list, world);
}

int32_t seams_body(const seam_list *list, const abut_world *world, const broad_pair *pair) {
    int32_t still = list->slots > 0 ? still_of(world, pair) : -1;
    int32_t body = still >= 0 ? pair->a + pair->b - still : -1;
    return body >= 0 && list->beside[body] > 1 ? body : -1;
}

void seams_note(seam_list *list, int32_t body, double met) {
    double *first = &list->met[body];
    *first = *first > 0.0 ? real_min(*first, met) : met;
}

double seams_met(const seam_list *list, int32_t body) { return list->met[body]; }

static int32_t first_mesh(const seam_list *list, int32_t body) { return body > 0 ? list->mesh_end[body - 1] : 0; }

int32_t seams_mesh_count(const seam_list *list) { return list->slots > 0 ? list->mesh_end[list->slots - 1] : 0; }

void seams_place(seam_list *list, const abut_world *world, double dt) {
    for (int32_t body = 0; body < list->slots; body++) {
        for (int32_t i = first_mesh(list, body); i < list->mesh_end[body]; i++) {
            int32_t mesh = list->mesh_slots[i];
            list->meshes[i] = (abut_part){world->bodies[mesh].shape, pose_at(world, mesh, dt, list->met[body])};
        }
    }
}

void seams_release(seam_list *list) {
    memory_release(list->pairs);
    memory_release(list->beside);
    memory_release(list->met);
    memory_release(list->mesh_end);
    memory_release(list->mesh_slots);
    memory_release(list->meshes);
}

/* ---- what is beside a pair ---- */

seam_meshes seams_meshes(const seam *of) {
    const seam_list *list = of->list;
    int32_t first = first_mesh(list, of->body), count = list->mesh_end[of->body] - first, low = 0, high = count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (list->mesh_slots[first + middle] < of->still) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool found = low < count && list->mesh_slots[first + low] == of->still;
    return (seam_meshes){.parts = count > 0 ? list->meshes + first : NULL, .count = count, .first = first, .own = found ? low : -1};
}

typedef struct looking {
    const seam *of;
    still_visit_body *visit;
    void *context;
} looking;

static void visit_still(const looking *look, int32_t slot) {
    const seam *of = look->of;
    if (!world_can_touch(of->world, of->body, slot)) {
        return;
    }
    abut_part found = {of->world->bodies[slot].shape, pose_at(of->world, slot, of->dt, of->list->met[of->body])};
    look->visit(look->context, &found);
}

/* Meshes are visited by the list of them. */
static bool visit_in_tree(void *context, int32_t slot) {
    const looking *look = context;
    if (slot != look->of->still && look->of->world->bodies[slot].kind != ABUT_BODY_DYNAMIC && !is_mesh(look->of->world, slot)) {
        visit_still(look, slot);
    }
    return true;
}

/* The boxes of the broad phase hold each body's way in the step. */
static void search(const void *where, abut_aabb box, double reach, still_visit_body *visit, void *context) {
    const seam *of = where;
    const broad_phase *broad = &of->world->broad;
    looking look = {of, visit, context};
    box_tree_query(&broad->boxes, box, visit_in_tree, &look);
    for (int32_t i = 0; i < broad->plane_count; i++) {
        if (broad->planes[i] != of->still) {
            visit_still(&look, broad->planes[i]);
        }
    }
    abut_aabb far = aabb_grown(box, reach);
    for (int32_t i = first_mesh(of->list, of->body); i < of->list->mesh_end[of->body]; i++) {
        int32_t slot = of->list->mesh_slots[i];
        if (slot != of->still && aabb_meets(broad->proxies[slot].fat, far)) {
            visit_still(&look, slot);
        }
    }
}

still_bodies seams_beside(const seam *of) {
    return (still_bodies){pose_at(of->world, of->still, of->dt, of->list->met[of->body]), search, of};
}
