/* Joins contacts with one normal and height into convex patches, by their convex hull in the contact plane: see patch.h. */
#include "narrow/mesh/patch.h"

#include <string.h>

#include "base/memory.h"
#include "base/real.h"
#include "geom/planar.h"
#include "narrow/mesh/bulge.h"
#include "narrow/mesh/index/planes.h"
#include "narrow/mesh/set.h"
#include "narrow/patch/patch.h"

enum { FEW = 48 }; /* up to this many contacts, a search through all of them is fast enough */

typedef mesh_corner corner;

typedef struct joining {
    contact_list *found;
    double weld, same;
    bool by_depth; /* the deepest contact gives a patch its normal */
    bool *taken;
    corner *corner, *hull; /* of one patch */
    corner *inner;         /* of one plane: corners that may lie inside its patch */
    bool *first;           /* of them: whether they touch first */
    planar_point *point;
    mesh_planes planes; /* the planes of contacts not taken yet; not used for few contacts */
    abut_vec3 normal;   /* of the patch, by depth */
} joining;

static bool same_plane(const joining *work, const abut_contact *p, const abut_contact *q) {
    if (abut_dot(p->normal, q->normal) <= 0.0 || abut_length_squared(abut_cross(p->normal, q->normal)) > FLAT_SINE * FLAT_SINE) {
        return false;
    }
    abut_vec3 apart = abut_sub(q->on_b, p->on_b);
    double height = abut_dot(p->normal, apart);
    return fabs(height) <= work->same + FLAT_SINE * abut_length(apart);
}

static inline bool is_before(const corner *p, const corner *q) {
    if (p->x != q->x) {
        return p->x < q->x;
    }
    return p->y != q->y ? p->y < q->y : p->contact < q->contact;
}

static void sort_few(corner *of, int32_t count) {
    for (int32_t i = 1; i < count; ++i) {
        corner here = of[i];
        int32_t k = i;
        for (; k > 0 && is_before(&here, &of[k - 1]); --k) {
            of[k] = of[k - 1];
        }
        of[k] = here;
    }
}

static void merge(const corner *from, int32_t middle, int32_t count, corner *to) {
    int32_t p = 0, q = middle;
    for (int32_t i = 0; i < count; ++i) {
        bool second = p == middle || (q < count && is_before(&from[q], &from[p]));
        to[i] = from[second ? q++ : p++];
    }
}

/* Sorts by place, by merging runs. A plane may have tens of thousands of corners, and qsort() would call a function for each comparison. */
static void sort_by_place(corner *of, corner *spare, int32_t count) {
    enum { RUN = 12 };
    for (int32_t i = 0; i < count; i += RUN) {
        sort_few(&of[i], count - i < RUN ? count - i : RUN);
    }
    corner *from = of, *to = spare;
    for (int64_t run = RUN; run < count; run *= 2) {
        for (int64_t i = 0; i < count; i += 2 * run) {
            int32_t left = (int32_t)(count - i < 2 * run ? count - i : 2 * run);
            merge(&from[i], left < run ? left : (int32_t)run, left, &to[i]);
        }
        corner *swap = from;
        from = to;
        to = swap;
    }
    if (from != of) {
        memcpy(of, from, (size_t)count * sizeof *of);
    }
}

static double turn(const corner *p, const corner *q, const corner *r) {
    return (q->x - p->x) * (r->y - p->y) - (q->y - p->y) * (r->x - p->x);
}

/* Whether q lies to the right of the line from p to r by more than the weld distance. */
static bool is_corner(const corner *p, const corner *q, const corner *r, double weld) {
    double outside = turn(p, q, r), dx = r->x - p->x, dy = r->y - p->y;
    return outside > 0.0 && outside * outside > weld * weld * (dx * dx + dy * dy);
}

static bool is_welded(const corner *p, const corner *q, double weld) {
    double dx = p->x - q->x, dy = p->y - q->y;
    return dx * dx + dy * dy <= weld * weld;
}

/* Among welded corners, the one with more vertices among its two features is kept; of equals, the deeper one. */
static bool is_preferred(const abut_contact *p, const abut_contact *q) {
    int at_p = (p->feature_a.kind == ABUT_FEATURE_VERTEX) + (p->feature_b.kind == ABUT_FEATURE_VERTEX);
    int at_q = (q->feature_a.kind == ABUT_FEATURE_VERTEX) + (q->feature_b.kind == ABUT_FEATURE_VERTEX);
    return at_p != at_q ? at_p > at_q : p->gap < q->gap;
}

/* The last of the kept corners that is welded to a corner; -1: none. */
static int32_t find_welded(const joining *work, int32_t kept, const corner *to) {
    int32_t same = kept - 1;
    while (same >= 0 && to->x - work->corner[same].x <= work->weld && !is_welded(&work->corner[same], to, work->weld)) {
        --same;
    }
    return same >= 0 && is_welded(&work->corner[same], to, work->weld) ? same : -1;
}

/* The same, among many corners in a grid. */
static int32_t find_welded_in_cells(const joining *work, cells *corners, const corner *to) {
    const double point[2] = {to->x, to->y};
    cells_walk walk;
    cells_begin(&walk, corners, point);
    int32_t last = -1;
    for (int32_t i = cells_next(&walk); i >= 0; i = cells_next(&walk)) {
        last = i > last && is_welded(&work->corner[i], to, work->weld) ? i : last;
    }
    return last;
}

/* Whether a contact is deeper than another one by more than rounding error. */
static bool is_deeper(const abut_contact *p, const abut_contact *q) {
    const double rounding = 4e-15;
    return p->gap < q->gap - rounding * (abut_length(p->on_b) + fabs(p->gap));
}

/* Two contacts become one: the preferred one, at the place of the deeper one, because a patch must not lose its depth. */
static int32_t weld_contacts(abut_contact *all, int32_t p, int32_t q) {
    bool takes_q = is_preferred(&all[q], &all[p]);
    abut_contact *both = &all[takes_q ? q : p];
    const abut_contact *other = &all[takes_q ? p : q];
    if (is_deeper(other, both)) {
        both->on_a = other->on_a;
        both->on_b = other->on_b;
        both->gap = other->gap;
        both->normal = other->normal; /* its gap is along it */
    }
    return takes_q ? q : p;
}

/* Keeps the corner, or welds it to the kept corner `same`. Whether it is kept. */
static bool keep_or_weld(joining *work, int32_t *kept, int32_t same, const corner *next) {
    if (same < 0) {
        work->corner[(*kept)++] = *next;
        return true;
    }
    work->corner[same].contact = weld_contacts(work->found->items, work->corner[same].contact, next->contact);
    return false;
}

/* Welds corners that are sorted along x; -1 without memory. */
static int32_t weld_many_corners(joining *work, int32_t count) {
    double reach[2] = {1.001 * work->weld, 1.001 * work->weld}, extent[2] = {0.0, 0.0};
    for (int32_t i = 0; i < count; ++i) {
        extent[0] = real_max(extent[0], fabs(work->corner[i].x));
        extent[1] = real_max(extent[1], fabs(work->corner[i].y));
    }
    cells corners;
    if (!cells_init(&corners, 2, reach, extent, count)) {
        return -1;
    }
    int32_t kept = 0;
    for (int32_t i = 0; i < count; ++i) {
        corner next = work->corner[i];
        const double point[2] = {next.x, next.y};
        if (keep_or_weld(work, &kept, find_welded_in_cells(work, &corners, &next), &next)) {
            cells_add(&corners, point, kept - 1);
        }
    }
    cells_free(&corners);
    return kept;
}

/* Welds sorted corners. Returns the new count; -1 without memory. */
static int32_t weld_corners(joining *work, int32_t count) {
    if (count > FEW) {
        return weld_many_corners(work, count);
    }
    int32_t kept = 0;
    for (int32_t i = 0; i < count; ++i) {
        corner next = work->corner[i];
        keep_or_weld(work, &kept, find_welded(work, kept, &next), &next);
    }
    return kept;
}

/* Andrew's monotone chain, counter-clockwise. */
static int32_t make_hull(joining *work, int32_t count) {
    const corner *p = work->corner;
    corner *hull = work->hull;
    int32_t n = 0;
    for (int32_t i = 0; i < count; ++i) {
        while (n >= 2 && turn(&hull[n - 2], &hull[n - 1], &p[i]) <= 0.0) {
            --n;
        }
        hull[n++] = p[i];
    }
    for (int32_t i = count - 2, lower = n + 1; i >= 0; --i) {
        while (n >= lower && turn(&hull[n - 2], &hull[n - 1], &p[i]) <= 0.0) {
            --n;
        }
        hull[n++] = p[i];
    }
    return count > 1 ? n - 1 : n;
}

static int32_t farthest_from(const corner *hull, int32_t count, double x, double y) {
    int32_t best = 0;
    double most = -1.0;
    for (int32_t i = 0; i < count; ++i) {
        double dx = hull[i].x - x, dy = hull[i].y - y;
        if (dx * dx + dy * dy > most) {
            most = dx * dx + dy * dy;
            best = i;
        }
    }
    return best;
}

static const abut_contact *contact_at(const joining *work, const corner *of) { return &work->found->items[of->contact]; }

static int32_t deepest_of(const joining *work, const corner *of, int32_t count) {
    int32_t deepest = 0;
    for (int32_t i = 1; i < count; ++i) {
        deepest = contact_at(work, &of[i])->gap < contact_at(work, &of[deepest])->gap ? i : deepest;
    }
    return deepest;
}

/* The corners of the ring that are no part of a side, up to the weld distance, and those with the two indices. */
static int32_t take_corners(joining *work, int32_t count, int32_t across, int32_t deepest) {
    const corner *ring = work->corner;
    corner *hull = work->hull;
    int32_t kept = 0;
    for (int32_t i = 0; i < count; ++i) {
        if (i == 0 || i == across || i == deepest || is_corner(&hull[kept - 1], &ring[i], &ring[(i + 1) % count], work->weld)) {
            hull[kept++] = ring[i];
        }
    }
    return kept;
}

/* Drops corners that lie on a side, up to the weld distance. Two corners are always kept: the one farthest from the centroid, and the one farthest from it. The
 * deepest one is kept where those left are less deep by more than rounding error, as on a rim or beside a tilted face. */
static int32_t straighten(joining *work, int32_t count) {
    corner *hull = work->hull, *ring = work->corner;
    double x = 0.0, y = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        x += hull[i].x / count;
        y += hull[i].y / count;
    }
    int32_t start = farthest_from(hull, count, x, y), across = farthest_from(hull, count, hull[start].x, hull[start].y);
    for (int32_t i = 0; i < count; ++i) {
        ring[i] = hull[(start + i) % count];
    }
    across = (across - start + count) % count;
    int32_t deepest = deepest_of(work, ring, count), kept = take_corners(work, count, across, -1);
    if (is_deeper(contact_at(work, &ring[deepest]), contact_at(work, &hull[deepest_of(work, hull, kept)]))) {
        kept = take_corners(work, count, across, deepest);
    }
    return kept;
}

/* All contacts of a patch have one normal, and the gap along it. The points of a contact need not lie along its own normal, so that a turn of it by a small
 * angle can change the gap by as small a part. */
static void share_normal(abut_contact *contact, int32_t count, abut_vec3 normal) {
    for (int32_t i = 0; i < count; ++i) {
        abut_vec3 turn = abut_sub(normal, contact[i].normal);
        contact[i].gap +=
            abut_dot(turn, abut_sub(contact[i].on_a, contact[i].on_b)); /* keeps digits of the gap that the points have lost */
        contact[i].normal = normal;
    }
}

static bool add_hull(joining *work, int32_t count, int32_t patch, contact_list *list) {
    int32_t first = list->count;
    for (int32_t i = 0; i < count; ++i) {
        abut_contact contact = work->found->items[work->hull[i].contact];
        contact.area = 0.0;
        contact.patch = patch;
        contact.id = contact_list_id(list, contact.feature_a, contact.feature_b, contact.normal);
        contact_list_add(list, &contact);
        work->point[i] = (planar_point){.x = work->hull[i].x, .y = work->hull[i].y};
    }
    if (list->out_of_memory) {
        return false;
    }
    share_normal(&list->items[first], list->count - first, work->by_depth ? work->normal : list->items[first].normal);
    patch_share_area(work->point, count, &list->items[first]);
    return true;
}

/* Patches are convex: the marked corners become rings inside each other. */
static bool add_rings(joining *work, int32_t count, contact_list *list) {
    int32_t left = 0;
    for (int32_t i = 0; i < count; ++i) {
        if (work->first[i]) {
            work->inner[left++] = work->inner[i];
        }
    }
    bool fine = true;
    while (left > 0 && fine) {
        memcpy(work->corner, work->inner, (size_t)left * sizeof *work->inner);
        int32_t ring = make_hull(work, left), rest = 0;
        for (int32_t i = 0; i < left; ++i) {
            bool taken = false;
            for (int32_t k = 0; k < ring && !taken; ++k) {
                taken = work->hull[k].contact == work->inner[i].contact;
            }
            work->inner[rest] = work->inner[i];
            rest += !taken;
        }
        left = rest;
        fine = add_hull(work, ring, list->count, list);
    }
    return fine;
}

/* A patch has the corners of the convex hull. Below a body that bulges, corners inside the hull are lower than the hull, and touch first when the body rolls.
 * They become patches of their own. inner: the number of all corners; ring: that of the patch, in work->hull */
static bool add_bulge(joining *work, int32_t inner, int32_t ring, contact_list *list) {
    if (inner <= ring) {
        return true;
    }
    memcpy(work->corner, work->hull, (size_t)ring * sizeof *work->hull);
    const mesh_bulge of = {.contacts = work->found->items,
                           .all = work->inner,
                           .count = inner,
                           .ring = work->corner,
                           .corners = ring,
                           .weld = work->weld,
                           .same = work->same};
    return !mesh_bulge_mark(&of, work->first) || add_rings(work, inner, list);
}

/* ---- the contacts of one plane ---- */

/* The axes of a plane, and its contacts so far. */
typedef struct plane_contacts {
    abut_vec3 first, second;
    int32_t count;
    int32_t surest; /* its normal is the patch's, by depth */
} plane_contacts;

static bool has_face(const abut_contact *c) { return c->feature_a.kind == ABUT_FEATURE_FACE || c->feature_b.kind == ABUT_FEATURE_FACE; }

/* The better one of two normals of a patch: that of the deeper contact; of equals, that of a face, which has the smallest rounding error. */
static bool is_surer(const joining *work, const abut_contact *p, const abut_contact *q) {
    if (fabs(p->gap - q->gap) > work->same) {
        return p->gap < q->gap;
    }
    return has_face(p) && !has_face(q);
}

static void take(joining *work, plane_contacts *plane, int32_t i) {
    const abut_contact *contact = &work->found->items[i];
    work->taken[i] = true;
    work->corner[plane->count++] = (corner){abut_dot(plane->first, contact->on_b), abut_dot(plane->second, contact->on_b), i};
    plane->surest = is_surer(work, contact, &work->found->items[plane->surest]) ? i : plane->surest;
}

/* False without memory. */
static bool sort_planes(joining *work) {
    const abut_contact *all = work->found->items;
    double far = 0.0;
    for (int32_t i = 0; i < work->found->count; ++i) {
        far = real_max(far, abut_length(all[i].on_b));
    }
    if (!mesh_planes_init(&work->planes, work->same, far, work->found->count)) {
        return false;
    }
    for (int32_t i = 0; i < work->found->count; ++i) {
        mesh_planes_add(&work->planes, all[i].normal, all[i].on_b, i);
    }
    return true;
}

static void take_plane(joining *work, plane_contacts *plane, int32_t of) {
    const abut_contact *all = work->found->items;
    take(work, plane, of); /* also where its plane is not that of itself, because its normal was lost in underflow */
    if (work->planes.in.head == NULL) {
        for (int32_t i = of + 1; i < work->found->count; ++i) {
            if (!work->taken[i] && same_plane(work, &all[of], &all[i])) {
                take(work, plane, i);
            }
        }
        return;
    }
    cells_walk walk;
    mesh_planes_begin(&walk, &work->planes, all[of].normal, all[of].on_b);
    for (int32_t i = cells_next(&walk); i >= 0; i = cells_next(&walk)) {
        if (work->taken[i]) {
            cells_drop(&walk);
        } else if (same_plane(work, &all[of], &all[i])) {
            take(work, plane, i);
            cells_drop(&walk);
        }
    }
}

/* Joins all contacts in the plane of contact `of`. */
static bool join_plane(joining *work, int32_t of, contact_list *list) {
    plane_contacts plane = {.surest = of};
    abut_tangent_frame(work->found->items[of].normal, &plane.first, &plane.second);
    take_plane(work, &plane, of);
    sort_by_place(work->corner, work->hull, plane.count);
    work->normal = work->found->items[plane.surest].normal;
    int32_t count = weld_corners(work, plane.count);
    if (count < 0) {
        return false;
    }
    memcpy(work->inner, work->corner, (size_t)count * sizeof *work->corner);
    int32_t ring = straighten(work, make_hull(work, count));
    return add_hull(work, ring, list->count, list) && add_bulge(work, count, ring, list);
}

static bool join_all(contact_list *found, double weld, double same, bool by_depth, contact_list *list) {
    size_t n = (size_t)found->count;
    joining work = {.found = found, .weld = weld, .same = same, .by_depth = by_depth};
    work.taken = memory_allocate(n, sizeof *work.taken);
    /* Rounding can put corners that are nearly in a row on both sides of the hull, twice. */
    work.corner = memory_allocate(2 * n + 2, sizeof *work.corner);
    work.hull = memory_allocate(2 * n + 2, sizeof *work.hull);
    work.point = memory_allocate(2 * n + 2, sizeof *work.point);
    work.inner = memory_allocate(n, sizeof *work.inner);
    work.first = memory_allocate(n, sizeof *work.first);
    bool fine =
        work.taken != NULL && work.corner != NULL && work.hull != NULL && work.point != NULL && work.inner != NULL && work.first != NULL;
    fine = fine && (found->count <= FEW || sort_planes(&work));
    for (int32_t i = 0; fine && i < found->count; ++i) {
        fine = work.taken[i] || join_plane(&work, i, list);
    }
    mesh_planes_free(&work.planes);
    memory_release(work.taken);
    memory_release(work.corner);
    memory_release(work.hull);
    memory_release(work.point);
    memory_release(work.inner);
    memory_release(work.first);
    return fine;
}

bool mesh_patch_join(contact_list *found, double weld, double same, contact_list *list) { return join_all(found, weld, same, false, list); }

bool mesh_patch_join_by_depth(contact_list *found, double weld, double same, contact_list *list) {
    return join_all(found, weld, same, true, list);
}
