/* Contacts that a shorter way out resolves: see settle.h. Set frame. */
#include "narrow/mesh/pair/settle.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/real.h"
#include "narrow/mesh/pair/mixed.h"

/* Whether moving A along one contact's normal by its depth also resolves the other contact. */
static bool takes_out_of(const mesh_touching *work, const abut_contact *way, const abut_contact *other) {
    const double rounding = 2.0 * work->settings->same;
    abut_vec3 move = abut_scale(-way->gap + rounding, way->normal);
    sounding s;
    const mesh_surface *a = &work->side[0], *b = &work->side[1];
    bool a_in = mesh_surface_sound(b, a->mesh, abut_add(other->on_a, move), &s) && s.gap < -rounding;
    bool b_in = mesh_surface_sound(a, b->mesh, abut_sub(other->on_b, move), &s) && s.gap < -rounding;
    return !a_in && !b_in;
}

static int by_gap(const void *left, const void *right) {
    const abut_contact *p = left, *q = right;
    return p->gap != q->gap ? (p->gap > q->gap ? -1 : 1) : (p->patch > q->patch) - (p->patch < q->patch);
}

/* Whether the normals differ by more than the places of the contacts, which are as wide as `same`, can turn them. */
static bool is_other_way(const abut_contact *p, const abut_contact *q, double same) {
    double sine = abut_length(abut_cross(p->normal, q->normal)), depth = real_max(-p->gap, -q->gap);
    return abut_dot(p->normal, q->normal) <= 0.0 || (sine > FLAT_SINE && sine * depth > same);
}

/* Contacts that were kept, in runs that have one normal: most lie on a floor, and none of them is another way for the next. */
typedef struct kept_contacts {
    abut_contact *items; /* [count] */
    int32_t count;
    int32_t *run_end; /* [count] at the first contact of a run: its end; at others 0 */
    int32_t run;      /* the last run's first contact */
} kept_contacts;

static void keep(kept_contacts *kept, const abut_contact *contact) {
    bool begins = kept->count == 0 || !mesh_is_one_way(kept->items[kept->run].normal, contact->normal);
    kept->run = begins ? kept->count : kept->run;
    kept->run_end[kept->count] = 0;
    kept->items[kept->count++] = *contact;
    kept->run_end[kept->run] = kept->count;
}

/* ---- a solid and an open surface ---- */

/* The shortest ways that together take a solid and an open surface apart, which is decided exactly. Deeper contacts need no other way. */
typedef struct ways_apart {
    abut_contact way[8];
    int32_t count;
    bool enough;
} ways_apart;

static bool is_apart_after(const mesh_touching *work, abut_vec3 move) {
    placed_mesh moved = *work->side[0].mesh;
    mesh_surface a = work->side[0];
    moved.centre = abut_sub(moved.centre, abut_mat3_apply_transposed(moved.rotation, move));
    a.mesh = &moved;
    return mesh_mixed_is_apart(&a, &work->side[1]);
}

/* A move that is as long as every way asks, if they do not oppose each other. */
static abut_vec3 move_along(const ways_apart *ways, double more) {
    abut_vec3 move = {0.0, 0.0, 0.0};
    for (int round = 0; round < 8; ++round) {
        for (int32_t i = 0; i < ways->count; ++i) {
            double missing = more - ways->way[i].gap - abut_dot(move, ways->way[i].normal);
            move = missing > 0.0 ? abut_add_scaled(move, missing, ways->way[i].normal) : move;
        }
    }
    return move;
}

/* list: by increasing depth */
static void find_ways_apart(const mesh_touching *work, const contact_list *list, ways_apart *ways) {
    const double more = 2.0 * work->settings->same;
    const int32_t most = (int32_t)(sizeof ways->way / sizeof *ways->way);
    abut_vec3 move = {0.0, 0.0, 0.0};
    *ways = (ways_apart){.count = 0};
    for (int32_t i = 0; i < list->count && ways->count < most && !ways->enough; ++i) {
        const abut_contact *contact = &list->items[i];
        if (contact->gap < 0.0 && -contact->gap - abut_dot(move, contact->normal) > 0.0) {
            ways->way[ways->count++] = *contact;
            move = move_along(ways, more);
            ways->enough = is_apart_after(work, move);
        }
    }
}

/* Whether a contact is deeper than all of them, and asks for another way. */
static bool is_beyond(const ways_apart *ways, const abut_contact *contact, double same) {
    bool beyond = ways->enough;
    for (int32_t i = 0; i < ways->count && beyond; ++i) {
        beyond = contact->gap < ways->way[i].gap - same && is_other_way(&ways->way[i], contact, same);
    }
    return beyond;
}

/* ---- any two surfaces ---- */

static bool are_together(const mesh_touching *work, const abut_contact *way, const abut_contact *contact) {
    return work->closed == NULL || closed_pair_are_together(work->closed, way, contact);
}

/* Whether a shorter way out resolves the contact. */
static bool is_settled(const mesh_touching *work, const kept_contacts *kept, const ways_apart *ways, const abut_contact *contact) {
    const double same = work->settings->same;
    const abut_contact *asked = NULL;
    bool settled = is_beyond(ways, contact, same);
    for (int32_t k = 0; k < kept->count && contact->gap < -2.0 * same && !settled;) {
        const abut_contact *way = &kept->items[k];
        if (kept->run_end[k] > 0 && mesh_is_one_way(way->normal, contact->normal)) {
            k = kept->run_end[k];
            continue;
        }
        bool again = asked != NULL && asked->gap == way->gap && !is_other_way(asked, way, same);
        if (way->gap < 0.0 && !again && is_other_way(way, contact, same) && are_together(work, way, contact)) {
            settled = takes_out_of(work, way, contact);
            asked = way;
        }
        ++k;
    }
    return settled;
}

void mesh_settle_sort(contact_list *list) {
    if (list->count > 1) {
        qsort(list->items, (size_t)list->count, sizeof *list->items, by_gap);
    }
}

void mesh_settle(mesh_touching *work) {
    contact_list *list = work->found;
    if (list->count < 2) {
        return;
    }
    mesh_settle_sort(list);
    kept_contacts kept = {.items = list->items, .run_end = memory_allocate((size_t)list->count, sizeof *kept.run_end)};
    work->out_of_memory = work->out_of_memory || kept.run_end == NULL;
    ways_apart ways = {.count = 0};
    if (work->closed == NULL && list->items[list->count - 1].gap < 0.0 && mesh_mixed_is(&work->side[0], &work->side[1])) {
        find_ways_apart(work, list, &ways);
    }
    for (int32_t i = 0; i < list->count && kept.run_end != NULL; ++i) {
        const abut_contact contact = list->items[i];
        if (!is_settled(work, &kept, &ways, &contact)) {
            keep(&kept, &contact);
        }
    }
    list->count = kept.count;
    memory_release(kept.run_end);
}
