/* Ways out by increasing depth: see settle.h. */
#include "narrow/mesh/convex/settle.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/real.h"
#include "narrow/mesh/convex/triangle_body.h"
#include "narrow/normal/normal.h"

/* Whether a point on the longest side of a triangle is clearly inside the body. */
static bool is_side_in(const convex *body, const mesh_triangle *t, double rounding) {
    int longest = 0;
    double most = 0.0;
    for (int i = 0; i < 3; ++i) {
        double square = abut_length_squared(abut_sub(t->corner[(i + 1) % 3], t->corner[i]));
        longest = square > most ? i : longest;
        most = real_max(most, square);
    }
    abut_vec3 middle;
    return convex_holds_part(body, t->corner[longest], t->corner[(longest + 1) % 3], &middle) && convex_is_deeper(body, middle, rounding);
}

/* Whether a point of the triangle is clearly inside the moved body. Then they overlap by as much, and no other test is needed. */
static bool is_clearly_in(const convex *moved, const mesh_triangle *t, double rounding) {
    if (moved->core == CORE_SMOOTH) {
        return false; /* its depth of a point is an estimate */
    }
    const abut_vec3 *c = t->corner, middle = abut_scale(1.0 / 3.0, abut_add(c[0], abut_add(c[1], c[2])));
    return convex_is_deeper(moved, middle, rounding) || convex_is_deeper(moved, c[0], rounding) ||
           convex_is_deeper(moved, c[1], rounding) || convex_is_deeper(moved, c[2], rounding) || is_side_in(moved, t, rounding);
}

bool settle_takes_out(const convex_work *work, const met_triangle *out_of, const met_triangle *other) {
    const double rounding = 1e-9 * work->body->size;
    convex moved = *work->body;
    moved.position = abut_add_scaled(moved.position, out_of->depth + 2.0 * rounding, out_of->normal);
    if (is_clearly_in(&moved, &other->triangle, 4.0 * rounding)) {
        return false;
    }
    normal_settings settings = work->settings->normal;
    settings.margin = 0.0;
    mesh_apart seen;
    mesh_facet start;
    mesh_apart_begin(&seen, &moved, settings.margin);
    mesh_apart_learn(&seen, abut_neg(out_of->normal));
    mesh_sight sight = mesh_apart_look(&seen, &other->triangle, &start);
    if (sight != MESH_UNCLEAR) {
        return sight == MESH_APART;
    }
    settings.start_a = start.of_body;
    settings.start_b = start.of_triangle;
    triangle_body flat;
    triangle_body_set(&flat, &other->triangle);
    contact_normal normal;
    return !contact_normal_find(&moved, &flat.body, &settings, &normal) || normal.gap > -rounding;
}

bool settle_is_same_way(const met_triangle *p, const met_triangle *q) {
    const double parallel = 1e-6;
    return abut_dot(p->normal, q->normal) > 0.0 && abut_length_squared(abut_cross(p->normal, q->normal)) <= parallel * parallel;
}

double settle_shortest_out(const convex_work *work, const met_triangle *met) {
    const double rounding = 1e-9 * work->body->size;
    return met->bound - 1e-6 * fabs(met->bound) - 4.0 * rounding;
}

/* Ways out that differ from the first one by rounding errors count as one: the last of them. */
typedef struct settling_way {
    int32_t first, last; /* triangles */
} settling_way;

/* The ways of the triangles with contacts so far, the first `sorted` of them by increasing depth, and the one that last resolved a triangle. */
typedef struct settling {
    convex_work *work;
    settling_way *way;
    int32_t way_count, sorted, last;
} settling;

static const met_triangle *way_at(const settling *s, int32_t i) { return &s->work->met[s->way[i].last]; }

/* Whether one way is the same as another and leads as far. */
static bool is_farther(const convex_work *work, const met_triangle *met, const met_triangle *other) {
    return settle_is_same_way(met, other) && other->depth >= met->depth - 1e-9 * work->body->size;
}

/* Whether the way out of one triangle also resolves another. For a triangle that waits for a neighbour, any way may do so. */
static bool is_settled_by(const convex_work *work, const met_triangle *met, const met_triangle *other) {
    const double tie = 1e-9 * work->body->size;
    if (other == met || (!met->waits && (settle_is_same_way(met, other) || !(other->depth < met->depth - tie)))) {
        return false;
    }
    return is_farther(work, met, other) || settle_takes_out(work, other, met);
}

/* The first of the sorted ways that is at least that deep. */
static int32_t first_from(const settling *s, double depth) {
    int32_t low = 0, high = s->sorted;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (way_at(s, middle)->depth < depth) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Tells without the triangle's least depth whether it is settled, if that is easy: the way that resolved the last one is the same and leads as far, or no way
 * is less deep. */
static bool is_easy(const settling *s, const met_triangle *met, bool *settled) {
    const convex_work *work = s->work;
    const double tie = 1e-9 * work->body->size;
    *settled = met->waits && s->last < s->way_count && is_farther(work, met, way_at(s, s->last));
    bool shallower = s->way_count > 0 && work->met[s->way[0].first].depth < met->depth - 0.5 * tie;
    return *settled || (!met->waits && !shallower);
}

/* Whether a way that is long enough, but less deep than the triangle, also resolves this triangle. The way that resolved the last one often
 * does. */
static bool is_settled(settling *s, int32_t at) {
    const convex_work *work = s->work;
    met_triangle *met = &work->met[at];
    bool settled;
    if (met->unsounded && is_easy(s, met, &settled)) {
        return settled;
    }
    met_sound(work, met);
    int32_t first = first_from(s, settle_shortest_out(work, met));
    if (s->last >= first && s->last < s->way_count && is_settled_by(work, met, way_at(s, s->last))) {
        return true;
    }
    for (int32_t i = s->way_count - 1; i >= first; --i) {
        if (is_settled_by(work, met, way_at(s, i))) {
            s->last = i;
            return true;
        }
    }
    return false;
}

static int by_depth(const void *left, const void *right) {
    const met_triangle *p = left, *q = right;
    int order = (p->depth > q->depth) - (p->depth < q->depth);
    order = order != 0 ? order : (p->first > q->first) - (p->first < q->first);
    return order != 0 ? order : p->order - q->order; /* qsort is not stable */
}

/* A recent way from which this one differs by rounding errors; if there is none, the place of the next way. */
static int32_t place_of(const settling *s, const met_triangle *met) {
    enum { RECENT = 8 };
    const double tie = 1e-9 * s->work->body->size;
    for (int32_t i = s->way_count - 1; i >= 0 && i >= s->way_count - RECENT; --i) {
        const met_triangle *other = &s->work->met[s->way[i].first];
        if (fabs(met->depth - other->depth) <= tie && settle_is_same_way(met, other)) {
            return i;
        }
    }
    return s->way_count;
}

static void add_way(settling *s, int32_t at) {
    const met_triangle *met = &s->work->met[at];
    if (met->count > 0 && met->depth > 0.0) {
        int32_t place = place_of(s, met);
        s->way[place] = (settling_way){place < s->way_count ? s->way[place].first : at, at};
        s->way_count += place == s->way_count;
    }
}

static void drop_contacts(convex_work *work, met_triangle *met) {
    for (int32_t k = met->first; k < met->first + met->count; ++k) {
        work->list->items[k].patch = -1;
    }
    met->count = 0;
}

static void settle_all(settling *s) {
    convex_work *work = s->work;
    for (int32_t i = 0; i < work->met_count; ++i) {
        met_triangle *met = &work->met[i];
        if (!met->waits && met->depth > 0.0 && is_settled(s, i)) {
            drop_contacts(work, met);
        }
        add_way(s, i);
        s->sorted = s->way_count;
    }
    for (int32_t i = 0; i < work->met_count && !work->list->out_of_memory; ++i) {
        met_triangle *met = &work->met[i];
        if (met->waits && !is_settled(s, i)) {
            met_touch_alone(work, met);
            add_way(s, i);
        }
    }
}

void settle_by_depth(convex_work *work) {
    contact_list *list = work->list;
    qsort(work->met, (size_t)work->met_count, sizeof *work->met, by_depth);
    settling s = {.work = work, .way = memory_allocate((size_t)work->met_count, sizeof *s.way)};
    if (s.way == NULL) {
        list->out_of_memory = true;
        return;
    }
    settle_all(&s);
    memory_release(s.way);
    int32_t kept = 0;
    for (int32_t i = 0; i < list->count; ++i) {
        if (list->items[i].patch >= 0) {
            list->items[kept++] = list->items[i];
        }
    }
    list->count = kept;
    work->depths->count = 0;
}

bool settle_is_one_way(const convex_work *work) {
    for (int32_t i = 0; i < work->met_count; ++i) {
        if (work->met[i].waits || !settle_is_same_way(&work->met[0], &work->met[i])) {
            return false;
        }
    }
    return true;
}
