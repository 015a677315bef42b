/*
 * Compounds: collides every part of one body with every part of the other ([SNE] "composite objects"). Then it drops contacts on a surface that another part of
 * the same body covers, and contacts that two pairs of parts share.
 */

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/real.h"
#include "narrow/generators.h"
#include "narrow/normal/convex_parts.h"
#include "narrow/normal/feature.h"
#include "narrow/normal/gauge.h"
#include "narrow/normal/normal.h"
#include "narrow/patch/patch.h"

/* Two parts that touch or overlap, but whose contacts do not lie on the surface of both unions. */
typedef struct hidden_pair {
    int32_t a, b;
    double depth; /* along the pair's normal; 0 or less where the parts touch or are apart */
} hidden_pair;

typedef struct compound_work {
    const collide_pair *pair;
    convex_parts a, b;
    contact_list *list;
    int32_t patches;
    hidden_pair *hidden;
    int32_t hidden_count, hidden_capacity;
} compound_work;

/* ---- is a contact on the surface of the union? ---- */

typedef struct validity {
    const convex_parts *body;
    int32_t part;
    abut_vec3 outward;
    bool on_face; /* outward is the normal of a face; false for an edge, a vertex or a curved surface */
} validity;

/* A contact on a face is covered when a point just above the surface lies within another part. The point is moved a little towards the middle of the patch
 * first. */
static bool is_covered(const validity *v, const convex *other, abut_vec3 point, abut_vec3 middle) {
    double size = v->body->part[v->part].size;
    abut_vec3 inner = abut_lerp(point, middle, 0.01);
    return convex_depth_of(other, abut_add_scaled(inner, 1e-6 * size, v->outward)) > 1e-12 * size;
}

/* Where two parts share a point, the normal of an edge or vertex must be extreme for both parts. */
static bool is_overtopped(const validity *v, const convex *other, abut_vec3 point) {
    double step = 1e-6 * v->body->part[v->part].size;
    if (convex_depth_of(other, point) < -step) {
        return false;
    }
    return convex_extent(other, v->outward) + other->radius - abut_dot(v->outward, point) > 10.0 * step;
}

static bool is_on_union(const validity *v, abut_vec3 point, abut_vec3 middle) {
    if (v->body->count <= 1) {
        return true;
    }
    double inside = 1e-6 * v->body->part[v->part].size;
    for (int32_t i = 0; i < v->body->count; ++i) {
        const convex *other = &v->body->part[i];
        if (i == v->part) {
            continue;
        }
        if (convex_depth_of(other, point) > inside || (v->on_face ? is_covered(v, other, point, middle) : is_overtopped(v, other, point))) {
            return false;
        }
    }
    return true;
}

static bool has_faces(const convex *body) { return body->core == CORE_POLYTOPE || body->core == CORE_FRUSTUM; }

static validity validity_of(const convex_parts *body, int32_t part, abut_vec3 outward) {
    const double exact = 1e-7;
    validity v = {.body = body, .part = part, .outward = outward};
    v.on_face =
        body->count > 1 && has_faces(&body->part[part]) && feature_pick(&body->part[part], outward, exact).kind == ABUT_FEATURE_FACE;
    return v;
}

/* Drops the contacts from `first` on that do not lie on the surface of both unions. Returns how many are left. */
static int32_t keep_valid(compound_work *work, int32_t part_a, int32_t part_b, int32_t first) {
    contact_list *list = work->list;
    int32_t count = list->count - first, kept = first;
    if (count == 0) {
        return 0;
    }
    abut_vec3 middle_a = {0, 0, 0}, middle_b = {0, 0, 0};
    for (int32_t i = first; i < list->count; ++i) {
        middle_a = abut_add_scaled(middle_a, 1.0 / count, list->items[i].on_a);
        middle_b = abut_add_scaled(middle_b, 1.0 / count, list->items[i].on_b);
    }
    abut_vec3 normal = list->items[first].normal;
    validity a = validity_of(&work->a, part_a, abut_neg(normal));
    validity b = validity_of(&work->b, part_b, normal);
    for (int32_t i = first; i < list->count; ++i) {
        if (is_on_union(&a, list->items[i].on_a, middle_a) && is_on_union(&b, list->items[i].on_b, middle_b)) {
            list->items[kept++] = list->items[i];
        }
    }
    list->count = kept;
    return kept - first;
}

/* ---- part and part ---- */

typedef struct face_candidate {
    double depth;
    abut_vec3 direction;
    int32_t order; /* position before the sort; breaks ties */
} face_candidate;

static int32_t face_count(const convex *body) { return body->core == CORE_POLYTOPE ? body->surface->face_count : 0; }

static int by_depth(const void *p, const void *q) {
    const face_candidate *a = p, *b = q;
    if (a->depth != b->depth) {
        return a->depth < b->depth ? -1 : 1;
    }
    return a->order < b->order ? -1 : a->order > b->order;
}

/* The face normals of both parts, in ascending order of the depth along them. */
static void list_candidates(const convex *a, const convex *b, face_candidate *candidate) {
    const convex *body[2] = {a, b};
    int32_t count = 0;
    for (int k = 0; k < 2; ++k) {
        for (int32_t f = 0; f < face_count(body[k]); ++f, ++count) {
            abut_vec3 outward = feature_face_normal(body[k], f);
            abut_vec3 direction = k == 0 ? outward : abut_neg(outward);
            candidate[count] = (face_candidate){gauge_support(a, b, direction), direction, count};
        }
    }
    qsort(candidate, (size_t)count, sizeof *candidate, by_depth);
}

/* Builds contacts along a face normal, for a pair whose own normal gave none. Takes the face of least depth among the faces of both parts that are exposed
 * and no deeper than the limit. */
static void use_open_face(compound_work *work, int32_t i, int32_t j, double limit) {
    const convex *a = &work->a.part[i], *b = &work->b.part[j];
    patch_settings settings = collide_patch_settings(work->pair, real_min(a->size, b->size));
    int32_t first = work->list->count, count = face_count(a) + face_count(b);
    face_candidate *candidate = count > 0 ? memory_allocate((size_t)count, sizeof *candidate) : NULL;
    if (candidate == NULL) {
        work->list->out_of_memory = work->list->out_of_memory || count > 0;
        return;
    }
    list_candidates(a, b, candidate);
    for (int32_t k = 0; k < count && candidate[k].depth <= limit && !work->list->out_of_memory; ++k) {
        contact_normal normal = {.direction = candidate[k].direction, .gap = -candidate[k].depth};
        patch_build(a, b, &normal, &settings, work->patches, work->list);
        bool faced = work->list->count > first && (work->list->items[first].flags & ABUT_CONTACT_WITNESS) == 0;
        if (faced && keep_valid(work, i, j, first) > 0) {
            ++work->patches;
            break;
        }
        work->list->count = first;
    }
    memory_release(candidate);
}

static void note_hidden(compound_work *work, int32_t i, int32_t j, double depth) {
    if (!array_extend(&work->hidden, &work->hidden_capacity, work->hidden_count, work->hidden_count + 1, sizeof *work->hidden)) {
        work->list->out_of_memory = true;
        return;
    }
    work->hidden[work->hidden_count++] = (hidden_pair){i, j, depth};
}

/* Overlapping pairs: the shallower one comes first. Other pairs: the nearer one comes first. */
static bool stands_before(const hidden_pair *p, const hidden_pair *q) {
    return p->depth > 0.0 && q->depth > 0.0 ? p->depth < q->depth : p->depth > q->depth;
}

/* Handles bodies that overlap so deeply that no face is exposed, and bodies that touch where no part's normal is valid for all parts, such as vertex on
 * shared vertex. One pair of parts then gives the contact, because no contact at all would be worse. */
static void collide_buried(compound_work *work) {
    const hidden_pair *least = work->hidden;
    for (int32_t k = 1; k < work->hidden_count; ++k) {
        least = stands_before(&work->hidden[k], least) ? &work->hidden[k] : least;
    }
    if (least != NULL) {
        const convex *a = &work->a.part[least->a], *b = &work->b.part[least->b];
        patch_settings patch = collide_patch_settings(work->pair, real_min(a->size, b->size));
        contact_normal normal;
        contact_normal_find(a, b, &work->pair->normal, &normal);
        patch_build(a, b, &normal, &patch, work->patches++, work->list);
    }
}

/* Hidden pairs come last, when the depth of the exposed contacts is known. A tooth that is slightly inside another gear must not be pushed out through the
 * whole gear. */
static void collide_hidden(compound_work *work) {
    const double factor = 4.0;
    const contact_list *list = work->list;
    double deepest = 0.0;
    for (int32_t i = 0; i < list->count; ++i) {
        deepest = real_max(deepest, -list->items[i].gap);
    }
    bool alone = list->count == 0;
    for (int32_t k = 0; k < work->hidden_count; ++k) {
        const hidden_pair *pair = &work->hidden[k];
        if (pair->depth > 0.0) {
            use_open_face(work, pair->a, pair->b, alone ? INFINITY : factor * real_max(deepest, pair->depth));
        }
    }
    if (list->count == 0 && !list->out_of_memory) {
        collide_buried(work);
    }
}

static void collide_parts(compound_work *work, int32_t i, int32_t j) {
    const convex *a = &work->a.part[i], *b = &work->b.part[j];
    patch_settings patch = collide_patch_settings(work->pair, real_min(a->size, b->size));
    contact_normal normal;
    if (!contact_normal_find(a, b, &work->pair->normal, &normal)) {
        return;
    }
    int32_t first = work->list->count;
    patch_build(a, b, &normal, &patch, work->patches, work->list);
    if (keep_valid(work, i, j, first) == 0) {
        note_hidden(work, i, j, -normal.gap);
    }
    ++work->patches;
}

static void collide_part_and_plane(compound_work *work, const convex_parts *plane, const convex_parts *body, int32_t i, bool plane_is_a) {
    patch_settings patch = collide_patch_settings(work->pair, body->part[i].size);
    int32_t first = work->list->count;
    patch_build_plane(&body->part[i], plane->outward, plane->offset, plane_is_a, &patch, work->patches++, work->list);
    keep_valid(work, plane_is_a ? 0 : i, plane_is_a ? i : 0, first);
}

/* ---- the same contact twice ---- */

static bool are_same(const abut_contact *p, const abut_contact *q, double weld, double feature_angle) {
    return abut_distance_between(p->on_a, q->on_a) <= weld && abut_distance_between(p->on_b, q->on_b) <= weld &&
           abut_distance_between(p->normal, q->normal) <= feature_angle;
}

/* The deeper contact stays. Of equally deep contacts the one with the lower id stays; ids do not depend on the order of the parts. */
static bool takes_over(const abut_contact *p, const abut_contact *same, double weld) {
    return p->gap < same->gap - weld || (p->gap <= same->gap + weld && p->id < same->id);
}

static void merge_duplicates(contact_list *list, double weld, double feature_angle) {
    int32_t kept = 0;
    for (int32_t i = 0; i < list->count; ++i) {
        int32_t k = 0;
        while (k < kept && !are_same(&list->items[k], &list->items[i], weld, feature_angle)) {
            ++k;
        }
        if (k == kept) {
            list->items[kept++] = list->items[i];
            continue;
        }
        abut_contact *same = &list->items[k];
        double area = same->area + list->items[i].area;
        uint32_t flags = same->flags & list->items[i].flags; /* a contact is uncertain only when both parts found it uncertain */
        if (takes_over(&list->items[i], same, 1e-3 * weld)) {
            /* The contact joins the patch that was added last, because that patch has its normal. */
            memmove(same, same + 1, (size_t)(kept - 1 - k) * sizeof *same);
            same = &list->items[kept - 1];
            *same = list->items[i];
        }
        same->area = area;
        same->flags = flags;
    }
    list->count = kept;
}

static double smallest_size(const collide_pair *pair) {
    double a = pair->a->kind == ABUT_SHAPE_PLANE ? INFINITY : pair->a->size;
    double b = pair->b->kind == ABUT_SHAPE_PLANE ? INFINITY : pair->b->size;
    return real_min(a, b);
}

static void collide_all(compound_work *work) {
    for (int32_t i = 0; i < work->a.count; ++i) {
        if (work->b.is_plane) {
            collide_part_and_plane(work, &work->b, &work->a, i, false);
        }
        for (int32_t j = 0; j < work->b.count; ++j) {
            if (convex_parts_ball_gap(&work->a.ball[i], &work->b.ball[j]) <= work->pair->normal.margin) {
                collide_parts(work, i, j);
            }
        }
    }
    for (int32_t j = 0; work->a.is_plane && j < work->b.count; ++j) {
        collide_part_and_plane(work, &work->a, &work->b, j, true);
    }
}

void collide_compound(const collide_pair *pair, contact_list *list) {
    compound_work work = {.pair = pair, .list = list};
    bool placed = convex_parts_place(pair->a, abut_mat3_identity(), abut_vec3_make(0, 0, 0), &work.a) &&
                  convex_parts_place(pair->b, pair->rotation_b, pair->position_b, &work.b);
    if (placed) {
        collide_all(&work);
        collide_hidden(&work);
        merge_duplicates(list, pair->weld * smallest_size(pair), pair->feature_angle);
    } else {
        list->out_of_memory = true;
    }
    convex_parts_free(&work.a);
    convex_parts_free(&work.b);
    memory_release(work.hidden);
}
