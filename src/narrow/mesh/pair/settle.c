/* Contacts that a shorter way out resolves: see settle.h. Set frame. */
#include "narrow/mesh/pair/settle.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/real.h"

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

static bool are_together(const mesh_touching *work, const abut_contact *way, const abut_contact *contact) {
    return work->closed == NULL || closed_pair_are_together(work->closed, way, contact);
}

/* Whether a shorter way out resolves the contact. */
static bool is_settled(const mesh_touching *work, const kept_contacts *kept, const abut_contact *contact) {
    const double same = work->settings->same;
    const abut_contact *asked = NULL;
    bool settled = false;
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

void mesh_settle(mesh_touching *work) {
    contact_list *list = work->found;
    if (list->count < 2) {
        return;
    }
    qsort(list->items, (size_t)list->count, sizeof *list->items, by_gap);
    kept_contacts kept = {.items = list->items, .run_end = memory_allocate((size_t)list->count, sizeof *kept.run_end)};
    work->out_of_memory = work->out_of_memory || kept.run_end == NULL;
    for (int32_t i = 0; i < list->count && kept.run_end != NULL; ++i) {
        const abut_contact contact = list->items[i];
        if (!is_settled(work, &kept, &contact)) {
            keep(&kept, &contact);
        }
    }
    list->count = kept.count;
    memory_release(kept.run_end);
}
