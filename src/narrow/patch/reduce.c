/*
 * abut_reduce: keeps fewer contacts with the most support. The kept contacts always include the deepest one, and span as much area as their number allows.
 */

#include <abut/contact.h>

#include <stdlib.h>

#include "base/argument.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "base/real.h"
#include "geom/growing_hull.h"

typedef struct reduce_work {
    flat_point *point;  /* [count] points on B in the plane of the deepest contact */
    bool *kept;         /* [count] */
    flat_point *sorted; /* [count] scratch */
    flat_point *hull;   /* [2 count] scratch */
    int32_t *links;     /* [3 count] scratch */
    int32_t count;
} reduce_work;

static int by_x_then_y(const void *a, const void *b) {
    const flat_point *p = a, *q = b;
    if (p->x != q->x) {
        return p->x < q->x ? -1 : 1;
    }
    return p->y < q->y ? -1 : p->y > q->y;
}

/* Area of the convex hull of `sorted` (n points in any order) by Andrew's monotone chain. Of points almost on a line rounding error can make the sum
 * negative. */
static double hull_area(reduce_work *work, int32_t n) {
    flat_point *p = work->sorted, *hull = work->hull;
    qsort(p, (size_t)n, sizeof *p, by_x_then_y);
    int32_t k = 0;
    for (int32_t i = 0; i < n; ++i) {
        while (k >= 2 && flat_turn(hull[k - 2], hull[k - 1], p[i]) <= 0.0) {
            --k;
        }
        hull[k++] = p[i];
    }
    for (int32_t i = n - 2, lower = k + 1; i >= 0; --i) {
        while (k >= lower && flat_turn(hull[k - 2], hull[k - 1], p[i]) <= 0.0) {
            --k;
        }
        hull[k++] = p[i];
    }
    double twice = 0.0;
    for (int32_t i = 1; i + 1 < k; ++i) {
        twice += flat_turn(hull[0], hull[i], hull[i + 1]);
    }
    return real_max(0.5 * twice, 0.0);
}

/* Area of the hull of the kept points. */
static double kept_area(reduce_work *work) {
    int32_t n = 0;
    for (int32_t i = 0; i < work->count; ++i) {
        if (work->kept[i]) {
            work->sorted[n++] = work->point[i];
        }
    }
    return hull_area(work, n);
}

static int32_t deepest_of(const abut_contact *contacts, int32_t count) {
    int32_t deepest = 0;
    for (int32_t i = 1; i < count; ++i) {
        deepest = contacts[i].gap < contacts[deepest].gap ? i : deepest;
    }
    return deepest;
}

/* Returns a contact even when distances or areas overflow: then any remaining contact is good enough. Never -1 while one remains. */
static int32_t first_left(const reduce_work *work) {
    int32_t i = 0;
    while (work->kept[i]) {
        ++i;
    }
    return i;
}

static int32_t farthest_from(const reduce_work *work, int32_t from) {
    int32_t best = first_left(work);
    double most = -1.0;
    for (int32_t i = best; i < work->count; ++i) {
        double distance = elementary_hypot(work->point[i].x - work->point[from].x, work->point[i].y - work->point[from].y);
        if (!work->kept[i] && distance > most) {
            most = distance;
            best = i;
        }
    }
    return best;
}

/* The point farthest from the line p q, on its left (side = 1) or right (side = -1). -1 when no point is on that side. */
static int32_t farthest_beside(const reduce_work *work, int32_t p, int32_t q, double side) {
    int32_t best = -1;
    double most = 0.0;
    for (int32_t i = 0; i < work->count; ++i) {
        double height = side * flat_turn(work->point[p], work->point[q], work->point[i]);
        if (!work->kept[i] && height > most) {
            most = height;
            best = i;
        }
    }
    return best;
}

static int32_t most_area(const reduce_work *work, const growing_hull *hull) {
    int32_t best = first_left(work);
    double most = -1.0;
    for (int32_t i = best; i < work->count; ++i) {
        double gain = work->kept[i] ? -1.0 : growing_hull_gain(hull, i);
        if (gain > most) {
            most = gain;
            best = i;
        }
    }
    return best;
}

static void keep(reduce_work *work, growing_hull *hull, int32_t i) {
    work->kept[i] = true;
    growing_hull_add(hull, i);
}

static void choose(reduce_work *work, int32_t deepest, int32_t limit) {
    work->kept[deepest] = true;
    if (limit == 1) {
        return;
    }
    int32_t kept = 2, second = farthest_from(work, deepest);
    work->kept[second] = true;
    growing_hull hull;
    growing_hull_start(&hull, work->point, work->count, work->links, deepest, second);
    for (int side = 1; side >= -1 && kept < limit; side -= 2) {
        int32_t i = farthest_beside(work, deepest, second, side);
        if (i >= 0) {
            keep(work, &hull, i);
            ++kept;
        }
    }
    for (; kept < limit; ++kept) {
        keep(work, &hull, most_area(work, &hull));
    }
}

static void flatten(const abut_contact *contacts, int32_t deepest, reduce_work *work) {
    abut_vec3 first, second, origin = contacts[deepest].on_b;
    abut_tangent_frame(contacts[deepest].normal, &first, &second);
    for (int32_t i = 0; i < work->count; ++i) {
        abut_vec3 offset = abut_sub(contacts[i].on_b, origin);
        work->point[i] = (flat_point){abut_dot(first, offset), abut_dot(second, offset)};
    }
}

static abut_status check_contacts(const char *call, const abut_contact *contacts, int32_t count, int32_t limit, const abut_contact *kept) {
    if (argument_is_below(call, "count", count, 0) || argument_is_below(call, "limit", limit, 1) ||
        (count > 0 && (argument_is_null(call, "contacts", contacts) || argument_is_null(call, "kept", kept)))) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    for (int32_t i = 0; i < count; ++i) {
        if (!abut_vec3_is_finite(contacts[i].on_b) || !abut_vec3_is_finite(contacts[i].normal) || !isfinite(contacts[i].gap)) {
            return refuse(ABUT_ERROR_NOT_FINITE, call, "contacts[%d] has a point, a normal or a gap that is not finite", (int)i);
        }
    }
    return ABUT_OK;
}

abut_status abut_reduce(const abut_contact *contacts, int32_t count, int32_t limit, abut_contact *kept, abut_reduction *reduction) {
    abut_status status = check_contacts(CALL_NAME, contacts, count, limit, kept);
    if (status != ABUT_OK) {
        return status;
    }
    if (count == 0) {
        if (reduction != NULL) {
            *reduction = (abut_reduction){.kept = 0};
        }
        return ABUT_OK;
    }
    size_t n = (size_t)count;
    flat_point *points = memory_allocate(4 * n, sizeof *points);
    int32_t *links = memory_allocate(3 * n, sizeof *links);
    bool *flags = memory_allocate(n, sizeof *flags);
    if (points == NULL || links == NULL || flags == NULL) {
        memory_release(points);
        memory_release(links);
        memory_release(flags);
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    reduce_work work = {.point = points, .kept = flags, .sorted = points + n, .hull = points + 2 * n, .links = links, .count = count};
    int32_t deepest = deepest_of(contacts, count);
    flatten(contacts, deepest, &work);
    for (int32_t i = 0; i < count; ++i) {
        work.kept[i] = true;
    }
    abut_reduction result = {.kept = count < limit ? count : limit, .area_before = kept_area(&work)};
    if (count > limit) {
        for (int32_t i = 0; i < count; ++i) {
            work.kept[i] = false;
        }
        choose(&work, deepest, limit);
    }
    result.area_after = kept_area(&work);
    int32_t written = 0;
    for (int32_t i = 0; i < count; ++i) {
        if (work.kept[i]) {
            kept[written++] = contacts[i];
        }
    }
    memory_release(points);
    memory_release(links);
    memory_release(flags);
    if (reduction != NULL) {
        *reduction = result;
    }
    return ABUT_OK;
}

abut_contact abut_contact_swap(abut_contact contact) {
    abut_contact swapped = contact;
    swapped.on_a = contact.on_b;
    swapped.on_b = contact.on_a;
    swapped.normal = abut_neg(contact.normal);
    swapped.feature_a = contact.feature_b;
    swapped.feature_b = contact.feature_a;
    return swapped;
}
