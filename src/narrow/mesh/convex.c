/* Contacts of a convex body with triangles, by the cone of normals: see convex.h. Set frame; the body is A, the mesh B. */
#include "narrow/mesh/convex.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/real.h"
#include "narrow/normal/feature.h"
#include "narrow/normal/gauge.h"
#include "narrow/normal/normal.h"
#include "narrow/mesh/apart.h"
#include "narrow/mesh/cone.h"
#include "narrow/mesh/edges.h"
#include "narrow/mesh/near.h"
#include "narrow/mesh/parts.h"
#include "narrow/mesh/patch.h"
#include "narrow/mesh/planes.h"
#include "narrow/mesh/rim.h"
#include "narrow/mesh/triangle_body.h"
#include "narrow/mesh/ways.h"
#include "narrow/patch/patch.h"

/* A triangle that the body meets, with the contacts found for it. */
typedef struct met_triangle {
    mesh_triangle triangle;
    abut_vec3 normal;     /* from the mesh to the body */
    double depth;         /* translation along the normal that takes the body out of the triangle [length] */
    double least;         /* no translation shorter than this takes the body out of the triangle; 0 if that is not known */
    int32_t first, count; /* contacts in the list */
    int32_t order;        /* position in the order of discovery */
    bool own;             /* the normal is the triangle's own */
    bool waits;           /* has no contact of its own yet, because a neighbour's contact should serve */
} met_triangle;

enum { MET_FEW = 24 };

/* The deep contacts of planes: an index of the first `count` contacts of the list. */
typedef struct plane_depths {
    mesh_planes planes;
    int32_t count;
} plane_depths;

typedef struct convex_work {
    const mesh_set *set;
    mesh_edges *edges;    /* of the set */
    mesh_near *near;      /* all triangles of the set */
    mesh_parts *parts;    /* the same, by their planes */
    plane_depths *depths; /* the contacts of all triangles, by their planes */
    const convex *body;
    abut_vec3 middle; /* a point well inside the body */
    const mesh_convex_settings *settings;
    patch_settings patch;
    mesh_apart apart;   /* directions that separated the body from triangles so far */
    contact_list *list; /* contacts of all triangles so far */
    met_triangle *met;  /* [met_count]; the array `few`, or an allocated block */
    int32_t met_count, met_room;
    met_triangle *few;
    /* While triangles are settled: those with contacts so far, `sorted` of them by increasing depth, and the last one that settled another. */
    int32_t *way, way_count, sorted, last_way;
} convex_work;

/* ---- one triangle ---- */

/* Translates a feature of the triangle_body into one of the mesh. If the contact has the triangle's own normal, it is named after the face,
 * even on a side: that side is no edge of the surface, and a sliding body may pass it. */
static void name_feature(mesh_edges *edges, const mesh_triangle *t, bool own, abut_feature *feature) {
    if (own || feature->kind == ABUT_FEATURE_FACE) {
        feature->kind = ABUT_FEATURE_FACE;
        feature->index = t->index;
    } else if (feature->kind == ABUT_FEATURE_EDGE) {
        *feature = mesh_edges_name(edges, t, triangle_body_side(feature->index));
    } else {
        feature->index = t->vertex[feature->index];
    }
    feature->part = t->part;
}

/* The contact normal along the triangle's own normal. Returns whether its gap is within the margin. */
static bool own_normal(const convex_work *work, const convex *triangle, const mesh_triangle *t, contact_normal *normal) {
    abut_vec3 on_body;
    *normal = (contact_normal){.direction = abut_neg(t->normal), .extreme = true};
    normal->gap = -gauge_support(work->body, triangle, normal->direction);
    normal->feature_a = (abut_feature){.kind = ABUT_FEATURE_VERTEX, .index = convex_support(work->body, normal->direction, &on_body)};
    normal->feature_b = (abut_feature){.kind = ABUT_FEATURE_FACE, .index = 0};
    return normal->gap <= work->settings->normal.margin + CONTACT_ROUNDING * (work->body->size + triangle->size);
}

static void forget(contact_list *list, int32_t first) { list->count = first; }

static int32_t build(const convex_work *work, const convex *triangle, const contact_normal *normal) {
    return patch_build(work->body, triangle, normal, &work->patch, work->list->count, work->list);
}

/* The mean of the contact points, moved to the triangle's feature that is extreme along the normal. */
static abut_vec3 middle_of_contacts(const contact_list *list, int32_t first, const convex *triangle, abut_vec3 normal) {
    const double exact = 1e-7;
    abut_vec3 sum = {0.0, 0.0, 0.0}, end[2];
    for (int32_t i = first; i < list->count; ++i) {
        sum = abut_add(sum, list->items[i].on_b);
    }
    abut_vec3 middle = abut_scale(1.0 / (list->count - first), sum);
    abut_feature feature = feature_pick(triangle, normal, exact);
    if (feature.kind == ABUT_FEATURE_EDGE) {
        feature_edge(triangle, feature.index, end);
        return abut_lerp(end[0], end[1], closest_on_segment(middle, end[0], end[1]));
    }
    return feature.kind == ABUT_FEATURE_VERTEX ? convex_vertex(triangle, feature.index) : middle;
}

/* Makes the contacts along the triangle's own normal. */
static void touch_by_own(const convex_work *work, const convex *flat, met_triangle *met) {
    contact_normal normal;
    met->first = work->list->count;
    met->count = own_normal(work, flat, &met->triangle, &normal) ? build(work, flat, &normal) : 0;
    met->normal = met->triangle.normal;
    met->depth = -normal.gap;
    met->own = true;
}

static void name_features(const convex_work *work, const met_triangle *met) {
    for (int32_t i = met->first; i < met->first + met->count; ++i) {
        name_feature(work->edges, &met->triangle, met->own, &work->list->items[i].feature_b);
    }
}

/* Makes the contacts for a triangle whose own normal is clearly the one of least depth. */
static void touch_clearly(const convex_work *work, met_triangle *met) {
    triangle_body flat;
    triangle_body_set(&flat, &met->triangle);
    touch_by_own(work, &flat.body, met);
    met->waits = met->count == 0;
    name_features(work, met);
}

static mesh_rim rim_of(const convex_work *work) {
    return (mesh_rim){.surface = &work->settings->surface, .set = work->set, .near = work->near, .parts = work->parts, .body = work->body};
}

/* Makes the contacts along a normal other than the triangle's own, if the surface admits it. Otherwise there are none. The body does not
 * intersect the triangle. */
static mesh_verdict touch_beside(const convex_work *work, const convex *flat, const contact_normal *normal, met_triangle *met) {
    contact_list *list = work->list;
    met->count = build(work, flat, normal);
    mesh_verdict found = MESH_OWN_NORMAL;
    if (met->count > 0 && !mesh_cone_is_behind(&met->triangle, met->normal)) {
        abut_vec3 place = middle_of_contacts(list, met->first, flat, met->normal);
        found = mesh_cone_judge(work->set, work->near, &met->triangle, place, met->normal, work->settings->surface.same);
    }
    if (found != MESH_MAY_ACT) {
        forget(list, met->first);
        met->count = 0;
    }
    return found;
}

/* The body's point that is lowest along a normal. Returns its vertex. */
static int32_t lowest_point(const convex_work *work, abut_vec3 normal, abut_vec3 *point) {
    abut_vec3 core;
    int32_t vertex = convex_support(work->body, abut_neg(normal), &core);
    *point = abut_add_scaled(core, -work->body->radius, normal);
    return vertex;
}

/* The point where the body's lowest point leaves the plane of a normal. */
static abut_vec3 foot_of(const convex_work *work, const met_triangle *met) {
    abut_vec3 lowest;
    lowest_point(work, met->normal, &lowest);
    return abut_add_scaled(lowest, met->depth, met->normal);
}

/* Adds the contacts of exactly those features that are extreme along the normal. */
static int32_t build_extreme(const convex_work *work, const convex *flat, const contact_normal *normal) {
    patch_settings exactly = work->patch;
    contact_normal level = *normal;
    exactly.feature_sine = 0.0;
    level.gap = 0.0; /* deep bodies do not get wider features */
    level.extreme = false;
    return patch_build(work->body, flat, &level, &exactly, work->list->count, work->list);
}

/* Adds the contact of the body's lowest point with the plane of the normal, beside the surface. */
static void touch_deepest(const convex_work *work, const met_triangle *met) {
    abut_contact contact = {.normal = met->normal, .gap = -met->depth, .patch = work->list->count, .flags = ABUT_CONTACT_WITNESS};
    int32_t vertex = lowest_point(work, met->normal, &contact.on_a);
    contact.on_b = foot_of(work, met);
    contact.feature_a = feature_of_shape(work->body, (abut_feature){.kind = ABUT_FEATURE_VERTEX, .index = vertex});
    contact.feature_b = (abut_feature){ABUT_FEATURE_FACE, met->triangle.index, met->triangle.part};
    contact_list_add(work->list, &contact);
}

/* Whether a contact made since the triangle's first one is as deep as the body. */
static bool reaches(const convex_work *work, const met_triangle *met) {
    const double tie = 1e-12 * work->body->size;
    for (int32_t i = met->first; i < work->list->count; ++i) {
        if (-work->list->items[i].gap >= met->depth - tie) {
            return true;
        }
    }
    return false;
}

/* Makes the contacts along a normal other than the triangle's own with the triangles below the body's lowest point, or beside them. */
static void touch_foot(const convex_work *work, met_triangle *met) {
    double same = work->settings->surface.same;
    abut_vec3 foot = foot_of(work, met);
    mesh_set under;
    mesh_surface_gather(&work->settings->surface, foot, same, &under);
    for (int32_t i = 0; i < under.count; ++i) {
        const mesh_triangle *t = &under.items[i];
        if (!t->flat && mesh_set_holds(t, foot, same) && !mesh_set_rises(t, foot, met->normal, same, FLAT_SINE)) {
            met_triangle other = {.triangle = *t, .first = work->list->count};
            contact_normal normal = {.direction = abut_neg(met->normal), .gap = -met->depth};
            triangle_body flat;
            triangle_body_set(&flat, t);
            other.count = build_extreme(work, &flat.body, &normal);
            name_features(work, &other);
        }
    }
    work->list->out_of_memory = work->list->out_of_memory || under.out_of_memory;
    mesh_set_free(&under);
    if (!reaches(work, met)) {
        touch_deepest(work, met);
    }
    met->count = work->list->count - met->first;
}

/* The same for a body that intersects the triangle. At the end of the surface the lowest point may lie beside the triangle. */
static mesh_verdict touch_sunk(const convex_work *work, const convex *flat, const contact_normal *normal, met_triangle *met) {
    contact_list *list = work->list;
    const double exact = 1e-7;
    met->count = build_extreme(work, flat, normal);
    abut_vec3 place, end[2];
    if (met->count > 0) {
        place = middle_of_contacts(list, met->first, flat, met->normal);
    } else {
        abut_feature feature = feature_pick(flat, met->normal, exact);
        place = foot_of(work, met);
        if (feature.kind == ABUT_FEATURE_EDGE) {
            feature_edge(flat, feature.index, end);
            place = abut_lerp(end[0], end[1], closest_on_segment(place, end[0], end[1]));
        } else if (feature.kind == ABUT_FEATURE_VERTEX) {
            place = convex_vertex(flat, feature.index);
        }
    }
    mesh_verdict found = mesh_cone_judge(work->set, work->near, &met->triangle, place, met->normal, work->settings->surface.same);
    if (found == MESH_MAY_ACT) {
        mesh_rim rim = rim_of(work);
        mesh_rim_kind kind = mesh_rim_judge(&rim, &met->triangle, place, met->normal, met->depth);
        list->out_of_memory = list->out_of_memory || rim.out_of_memory;
        found = kind == MESH_RIM_BORDER || (kind == MESH_RIM_EDGE && met->count > 0) ? MESH_MAY_ACT : MESH_OWN_NORMAL;
    }
    if (found != MESH_MAY_ACT) {
        forget(list, met->first);
        met->count = 0;
    } else {
        met->count += build(work, flat, normal);
        name_features(work, met);
        if (!reaches(work, met)) {
            touch_foot(work, met);
        }
    }
    return found;
}

static mesh_verdict touch_by(const convex_work *work, const convex *flat, const contact_normal *normal, met_triangle *met) {
    met->first = work->list->count;
    met->normal = abut_neg(normal->direction);
    met->depth = -normal->gap;
    met->own = false;
    return met->depth > 0.0 ? touch_sunk(work, flat, normal, met) : touch_beside(work, flat, normal, met);
}

/* Makes the contacts along the least deep way out over an edge or a corner that the surface admits, if one is less deep than that along the
 * triangle's own normal. Returns whether there is one. */
static bool touch_over_rim(const convex_work *work, const convex *flat, met_triangle *met) {
    mesh_way_out ways[MESH_WAYS_OUT];
    mesh_rim rim = rim_of(work);
    int sides = mesh_rim_outer_sides(&rim, &met->triangle);
    work->list->out_of_memory = work->list->out_of_memory || rim.out_of_memory;
    double own = gauge_support(work->body, flat, abut_neg(met->triangle.normal)), tie = 1e-9 * work->body->size;
    int32_t count = mesh_ways_find(work->body, &met->triangle, sides, own - tie, ways);
    for (int32_t i = 0; i < count; ++i) {
        contact_normal normal = {.direction = abut_neg(ways[i].normal), .gap = -ways[i].depth};
        if (!mesh_cone_is_own(&met->triangle, ways[i].normal) && touch_by(work, flat, &normal, met) == MESH_MAY_ACT) {
            return true;
        }
    }
    return false;
}

/* Makes the contacts with one triangle. The other triangles matter only for which normals the surface admits. Returns false if the body
 * does not meet the triangle or if a neighbour is nearer. */
static bool touch_triangle(convex_work *work, met_triangle *met, const mesh_facet *start) {
    triangle_body flat;
    triangle_body_set(&flat, &met->triangle);
    normal_settings settings = work->settings->normal;
    settings.start_a = start->of_body;
    settings.start_b = start->of_triangle;
    contact_normal normal;
    if (!contact_normal_find(work->body, &flat.body, &settings, &normal)) {
        mesh_apart_learn(&work->apart, normal.direction);
        return false;
    }
    met->least = -normal.gap;
    bool sunk = normal.gap < 0.0; /* the body intersects the triangle itself, not only the half-space below its plane */
    mesh_verdict found = MESH_OWN_NORMAL;
    if (!mesh_cone_is_own(&met->triangle, abut_neg(normal.direction))) {
        found = touch_by(work, &flat.body, &normal, met);
        if (found != MESH_MAY_ACT && !sunk) {
            return false; /* the body lies beside the triangle and nearer to a neighbour */
        }
        if (found != MESH_MAY_ACT && touch_over_rim(work, &flat.body, met)) {
            found = MESH_MAY_ACT;
        }
    }
    if (found != MESH_MAY_ACT) {
        touch_by_own(work, &flat.body, met);
    }
    if (found != MESH_MAY_ACT || !sunk) {
        name_features(work, met);
    }
    met->waits = met->count == 0 && sunk;
    return met->count > 0 || met->waits;
}

/* ---- the whole flat part ---- */

/* Whether a contact lies along the triangle's normal in its plane. */
static bool is_in_plane(const convex_work *work, const mesh_triangle *t, const abut_contact *contact) {
    abut_vec3 way = abut_sub(contact->on_b, t->corner[0]);
    return abut_length_squared(abut_cross(contact->normal, t->normal)) <= FLAT_SINE * FLAT_SINE &&
           abut_dot(contact->normal, t->normal) > 0.0 &&
           fabs(abut_dot(t->normal, way)) <= work->settings->surface.same + FLAT_SINE * abut_length(way);
}

typedef struct contact_depth {
    double gap;
    int32_t index;
} contact_depth;

static int by_rising_depth(const void *left, const void *right) {
    const contact_depth *p = left, *q = right;
    return p->gap != q->gap ? (p->gap > q->gap ? -1 : 1) : p->index - q->index;
}

static void sort_into_planes(const convex_work *work, contact_depth *sorted) {
    const contact_list *list = work->list;
    plane_depths *depths = work->depths;
    double far = 0.0;
    for (int32_t i = 0; i < list->count; ++i) {
        sorted[i] = (contact_depth){list->items[i].gap, i};
        far = real_max(far, abut_length(list->items[i].on_b));
    }
    qsort(sorted, (size_t)list->count, sizeof *sorted, by_rising_depth);
    mesh_planes_free(&depths->planes);
    depths->count = 0;
    for (int32_t i = 0; i < work->met_count; ++i) {
        far = real_max(far, abut_length(work->met[i].triangle.corner[0])); /* from which heights over its plane are measured */
    }
    if (mesh_planes_init(&depths->planes, work->settings->surface.same, far, list->count)) {
        for (int32_t i = 0; i < list->count; ++i) {
            const abut_contact *contact = &list->items[sorted[i].index];
            mesh_planes_add(&depths->planes, contact->normal, contact->on_b, sorted[i].index);
        }
        depths->count = list->count;
    }
}

/* Sorts the contacts into planes, each cell of planes by depth, when many are new. Without memory a search goes through all contacts. */
static void refresh_depths(const convex_work *work) {
    const int32_t few = 64;
    if (work->list->count - work->depths->count <= few + work->depths->count / 2) {
        return;
    }
    contact_depth *sorted = memory_allocate((size_t)work->list->count, sizeof *sorted);
    if (sorted != NULL) {
        sort_into_planes(work, sorted);
        memory_release(sorted);
    }
}

static bool is_deep_in_plane(const convex_work *work, const met_triangle *met, const abut_contact *contact) {
    const double tie = 1e-12 * work->body->size;
    return contact->patch >= 0 && -contact->gap >= met->depth - tie && is_in_plane(work, &met->triangle, contact);
}

/* Whether a contact in the triangle's plane is as deep as the body is below it. */
static bool is_whole(const convex_work *work, const met_triangle *met) {
    const contact_list *list = work->list;
    refresh_depths(work);
    if (work->depths->count > 0) {
        cells_walk walk;
        mesh_planes_begin(&walk, &work->depths->planes, met->triangle.normal, met->triangle.corner[0]);
        for (int32_t i = cells_next(&walk); i >= 0; i = cells_next(&walk)) {
            if (is_deep_in_plane(work, met, &list->items[i])) {
                return true;
            }
            if (-list->items[i].gap < met->depth - 1e-12 * work->body->size) {
                cells_skip(&walk); /* the others of this cell are less deep */
            }
        }
    }
    for (int32_t i = work->depths->count; i < list->count; ++i) {
        if (is_deep_in_plane(work, met, &list->items[i])) {
            return true;
        }
    }
    return false;
}

/* Adds the contacts of a triangle if it lies in the plane. */
static void touch_if_coplanar(const convex_work *work, const met_triangle *met, const mesh_triangle *t) {
    met_triangle other = {.triangle = *t};
    if (!mesh_rim_is_coplanar(&met->triangle, &other.triangle, work->settings->surface.same)) {
        return;
    }
    if (abut_dot(other.triangle.normal, met->triangle.normal) < 0.0) {
        mesh_triangle_turn(&other.triangle);
    }
    triangle_body flat;
    triangle_body_set(&flat, &other.triangle);
    touch_by_own(work, &flat.body, &other);
    name_features(work, &other);
}

static void touch_coplanar_of(const convex_work *work, const met_triangle *met, const mesh_set *set) {
    for (int32_t i = 0; i < set->count; ++i) {
        touch_if_coplanar(work, met, &set->items[i]);
    }
}

static int by_number(const void *left, const void *right) {
    const int32_t *p = left, *q = right;
    return (*p > *q) - (*p < *q);
}

/* Adds the contacts of all triangles near the body that lie in the plane, in the order of the set. */
static void touch_coplanar(const convex_work *work, const met_triangle *met) {
    int32_t *found = NULL, count = 0, room = 0;
    mesh_parts_walk walk;
    mesh_parts_begin(&walk, work->parts, &met->triangle);
    for (int32_t i = mesh_parts_next(&walk); i >= 0; i = mesh_parts_next(&walk)) {
        if (mesh_rim_is_coplanar(&met->triangle, &work->set->items[i], work->settings->surface.same)) {
            if (!array_extend(&found, &room, count, count + 1, sizeof *found)) {
                work->list->out_of_memory = true;
                break;
            }
            found[count++] = i;
        }
    }
    if (count > 1) {
        qsort(found, (size_t)count, sizeof *found, by_number);
    }
    for (int32_t i = 0; i < count; ++i) {
        if (i == 0 || found[i] != found[i - 1]) {
            touch_if_coplanar(work, met, &work->set->items[found[i]]);
        }
    }
    memory_release(found);
}

/* Adds the contacts of other triangles in the plane, whether the body meets them or not: a body that leans is deepest beside the place
 * where it goes through the plane. Repeated contacts become one afterwards. Returns whether the deepest point is among them. */
static bool touch_plane(const convex_work *work, const met_triangle *met) {
    touch_coplanar(work, met);
    if (!is_whole(work, met)) {
        mesh_set under;
        mesh_surface_gather(&work->settings->surface, foot_of(work, met), work->settings->surface.same, &under);
        touch_coplanar_of(work, met, &under);
        work->list->out_of_memory = work->list->out_of_memory || under.out_of_memory;
        mesh_set_free(&under);
    }
    return is_whole(work, met);
}

/* Makes the contacts of a triangle that no other contact serves, along the triangle's own normal. */
static void touch_alone(const convex_work *work, met_triangle *met) {
    triangle_body flat;
    triangle_body_set(&flat, &met->triangle);
    touch_by_own(work, &flat.body, met);
    name_features(work, met);
    if (!is_whole(work, met) && !touch_plane(work, met)) {
        touch_deepest(work, met);
    }
    met->count = work->list->count - met->first;
    met->waits = false;
}

/* ---- all triangles together ---- */

/* Whether a point of the triangle is clearly inside the moved body. Then they overlap by as much, and no other test is needed. */
static bool is_clearly_in(const convex *moved, const mesh_triangle *t, double rounding) {
    if (moved->core == CORE_SMOOTH) {
        return false; /* its depth of a point is an estimate */
    }
    const abut_vec3 *c = t->corner, middle = abut_scale(1.0 / 3.0, abut_add(c[0], abut_add(c[1], c[2])));
    return convex_depth_of(moved, middle) > rounding || convex_depth_of(moved, c[0]) > rounding ||
           convex_depth_of(moved, c[1]) > rounding || convex_depth_of(moved, c[2]) > rounding;
}

/* Whether moving the body out of one triangle, by its depth along its normal, also takes it out of another. */
static bool takes_out_of(const convex_work *work, const met_triangle *out_of, const met_triangle *other) {
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

static bool is_same_way(const met_triangle *p, const met_triangle *q) {
    const double parallel = 1e-6;
    return abut_dot(p->normal, q->normal) > 0.0 && abut_length_squared(abut_cross(p->normal, q->normal)) <= parallel * parallel;
}

/* Whether the way out of one triangle also resolves another. For a triangle that waits for a neighbour, any way may do so. */
static bool is_settled_by(const convex_work *work, const met_triangle *met, const met_triangle *other) {
    const double tie = 1e-9 * work->body->size;
    if (other == met || (!met->waits && (is_same_way(met, other) || !(other->depth < met->depth - tie)))) {
        return false;
    }
    bool farther = is_same_way(met, other) && other->depth >= met->depth - tie;
    return farther || takes_out_of(work, other, met);
}

/* The first of the sorted ways that is at least that deep. */
static int32_t first_from(const convex_work *work, double depth) {
    int32_t low = 0, high = work->sorted;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (work->met[work->way[middle]].depth < depth) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Whether a way that is long enough, but less deep than the triangle, also resolves this triangle. The way that resolved the last one often
 * does. */
static bool is_settled(convex_work *work, int32_t at) {
    const met_triangle *met = &work->met[at], *last = NULL;
    const double tie = 1e-9 * work->body->size;
    int32_t first = first_from(work, (1.0 - 1e-6) * met->least - 4.0 * tie);
    if (work->last_way >= first && work->last_way < work->way_count && is_settled_by(work, met, &work->met[work->way[work->last_way]])) {
        return true;
    }
    for (int32_t i = work->way_count - 1; i >= first; --i) {
        const met_triangle *other = &work->met[work->way[i]];
        bool asked = last != NULL && is_same_way(last, other) && fabs(last->depth - other->depth) <= tie;
        if (asked) {
            continue;
        }
        if (is_settled_by(work, met, other)) {
            work->last_way = i;
            return true;
        }
        last = other;
    }
    return false;
}

static int by_depth(const void *left, const void *right) {
    const met_triangle *p = left, *q = right;
    int order = (p->depth > q->depth) - (p->depth < q->depth);
    order = order != 0 ? order : (p->first > q->first) - (p->first < q->first);
    return order != 0 ? order : p->order - q->order; /* qsort is not stable */
}

static void add_way(convex_work *work, int32_t met) {
    if (work->met[met].count > 0 && work->met[met].depth > 0.0) {
        work->way[work->way_count++] = met;
    }
}

static void drop_contacts(convex_work *work, met_triangle *met) {
    for (int32_t k = met->first; k < met->first + met->count; ++k) {
        work->list->items[k].patch = -1;
    }
    met->count = 0;
}

static void settle_all(convex_work *work) {
    for (int32_t i = 0; i < work->met_count; ++i) {
        met_triangle *met = &work->met[i];
        if (!met->waits && met->depth > 0.0 && is_settled(work, i)) {
            drop_contacts(work, met);
        }
        add_way(work, i);
        work->sorted = work->way_count;
    }
    for (int32_t i = 0; i < work->met_count && !work->list->out_of_memory; ++i) {
        met_triangle *met = &work->met[i];
        if (met->waits && !is_settled(work, i)) {
            touch_alone(work, met);
            add_way(work, i);
        }
    }
}

/* Processes the triangles that the body penetrates by increasing depth. A triangle that the translation for a shallower one resolves needs
 * no contact of its own. A triangle that no translation resolves always gets one. */
static void settle(convex_work *work) {
    contact_list *list = work->list;
    qsort(work->met, (size_t)work->met_count, sizeof *work->met, by_depth);
    work->way = memory_allocate((size_t)work->met_count, sizeof *work->way);
    if (work->way == NULL) {
        list->out_of_memory = true;
        return;
    }
    settle_all(work);
    memory_release(work->way);
    work->depths->count = 0; /* the list is renumbered */
    int32_t kept = 0;
    for (int32_t i = 0; i < list->count; ++i) {
        if (list->items[i].patch >= 0) {
            list->items[kept++] = list->items[i];
        }
    }
    list->count = kept;
}

/* Whether all contacts have the same normal and no triangle waits. */
static bool is_one_way(const convex_work *work) {
    for (int32_t i = 0; i < work->met_count; ++i) {
        if (work->met[i].waits || !is_same_way(&work->met[0], &work->met[i])) {
            return false;
        }
    }
    return true;
}

/* Whether all contacts that are left belong to one plane. */
static bool is_one_plane(const convex_work *work, const met_triangle *met) {
    for (int32_t i = 0; i < work->list->count; ++i) {
        if (!is_in_plane(work, &met->triangle, &work->list->items[i])) {
            return false;
        }
    }
    return true;
}

/* Completes the contacts along triangles' own normals where the body is deepest beside the triangles that it meets. If they are the only
 * way out, the full depth is told even where the surface does not reach below the deepest point. */
static void complete_planes(const convex_work *work) {
    for (int32_t i = 0; i < work->met_count; ++i) {
        const met_triangle *met = &work->met[i];
        bool lacking = met->own && met->count > 0 && met->depth > 0.0 && !is_whole(work, met);
        if (lacking && !touch_plane(work, met) && is_one_plane(work, met)) {
            touch_deepest(work, met);
        }
    }
}

/* ---- ways out that begin beside the body ---- */

/* Whether moving the body out along a way takes it out of all triangles that it meets. */
static bool takes_out_of_all(const convex_work *work, const met_triangle *way) {
    for (int32_t i = 0; i < work->met_count; ++i) {
        if (work->met[i].depth > 0.0 && !takes_out_of(work, way, &work->met[i])) {
            return false;
        }
    }
    return true;
}

/* Replaces the least deep way by another, if it is less deep and takes the body out of all triangles that it meets. */
static bool take_if_least(const convex_work *work, const met_triangle *way, met_triangle *least) {
    bool is = way->count > 0 && way->depth < least->depth - 1e-9 * work->body->size && takes_out_of_all(work, way);
    *least = is ? *way : *least;
    return is;
}

/* Looks for a way out along the normal of a triangle that the body does not meet, or over its edges and corners. */
static void try_beside(const convex_work *work, const mesh_triangle *t, met_triangle *least) {
    mesh_way_out ways[MESH_WAYS_OUT];
    mesh_rim rim = rim_of(work);
    triangle_body flat;
    triangle_body_set(&flat, t);
    met_triangle own = {.triangle = *t};
    touch_by_own(work, &flat.body, &own);
    forget(work->list, own.first);
    (void)take_if_least(work, &own, least);
    int32_t count = mesh_ways_find(work->body, t, mesh_rim_outer_sides(&rim, t), least->depth, ways);
    for (int32_t i = 0; i < count && !rim.out_of_memory; ++i) {
        met_triangle way = {.triangle = *t, .normal = ways[i].normal, .depth = ways[i].depth, .first = work->list->count};
        contact_normal normal = {.direction = abut_neg(way.normal), .gap = -way.depth};
        way.count = build_extreme(work, &flat.body, &normal);
        if (way.count > 0) {
            abut_vec3 place = middle_of_contacts(work->list, way.first, &flat.body, way.normal);
            forget(work->list, way.first);
            if (mesh_rim_judge(&rim, t, place, way.normal, way.depth) == MESH_RIM_EDGE && take_if_least(work, &way, least)) {
                break;
            }
        }
    }
    work->list->out_of_memory = work->list->out_of_memory || rim.out_of_memory;
}

/* The least deep contact that is left, if all contacts that are left have its normal. */
static const met_triangle *only_way(const convex_work *work) {
    const met_triangle *only = NULL;
    for (int32_t i = 0; i < work->met_count; ++i) {
        const met_triangle *met = &work->met[i];
        if (met->count > 0 && met->depth > 0.0) {
            if (only != NULL && !is_same_way(only, met)) {
                return NULL;
            }
            only = only == NULL || met->depth < only->depth ? met : only;
        }
    }
    return only;
}

static int by_triangle(const void *left, const void *right) {
    const mesh_triangle *p = *(const mesh_triangle *const *)left, *q = *(const mesh_triangle *const *)right;
    int order = (p->part > q->part) - (p->part < q->part);
    return order != 0 ? order : (p->index > q->index) - (p->index < q->index);
}

/* The triangles that the body is in, sorted; NULL without memory. */
static const mesh_triangle **list_met(const convex_work *work, int32_t *count) {
    const mesh_triangle **list = memory_allocate((size_t)work->met_count, sizeof *list);
    *count = 0;
    for (int32_t i = 0; list != NULL && i < work->met_count; ++i) {
        if (work->met[i].depth > 0.0) {
            list[(*count)++] = &work->met[i].triangle;
        }
    }
    if (*count > 1) {
        qsort(list, (size_t)*count, sizeof *list, by_triangle);
    }
    return list;
}

static bool is_met(const mesh_triangle **list, int32_t count, const mesh_triangle *t) {
    return bsearch(&t, list, (size_t)count, sizeof *list, by_triangle) != NULL;
}

/* Makes the contacts of one way out the only ones. */
static void take_only(convex_work *work, const met_triangle *way, const mesh_set *around) {
    forget(work->list, 0);
    work->depths->count = 0;
    work->met_count = 1;
    work->met[0] = *way;
    work->met[0].first = 0;
    if (way->own) {
        touch_coplanar_of(work, way, around);
    } else {
        triangle_body flat;
        contact_normal normal = {.direction = abut_neg(way->normal), .gap = -way->depth};
        triangle_body_set(&flat, &way->triangle);
        (void)build_extreme(work, &flat.body, &normal);
        (void)build(work, &flat.body, &normal);
    }
    work->met[0].count = work->list->count;
    if (!way->own) {
        name_features(work, &work->met[0]);
    }
}

/* In a closed surface the shortest way out may lead through a triangle that the body does not meet, or over its edge. All triangles that
 * are nearer to the body than its depth are searched. */
static void shorten(convex_work *work) {
    const met_triangle *only = only_way(work);
    const mesh_surface *surface = &work->settings->surface;
    if (only == NULL || !surface->mesh[only->triangle.part].mesh->closed) {
        return;
    }
    int32_t count;
    const mesh_triangle **met = list_met(work, &count);
    if (met == NULL) {
        work->list->out_of_memory = true;
        return;
    }
    met_triangle least = *only;
    mesh_apart near;
    mesh_facet facet;
    mesh_set around;
    mesh_apart_begin(&near, work->body, least.depth);
    mesh_surface_gather_about(surface, work->body, least.depth, &around);
    for (int32_t i = 0; i < around.count && !work->list->out_of_memory; ++i) {
        const mesh_triangle *t = &around.items[i];
        if (!t->flat && mesh_apart_look(&near, t, &facet) != MESH_APART && !is_met(met, count, t)) {
            try_beside(work, t, &least);
        }
    }
    work->list->out_of_memory = work->list->out_of_memory || around.out_of_memory;
    memory_release(met);
    if (least.depth < only->depth) {
        take_only(work, &least, &around);
    }
    mesh_set_free(&around);
}

/* How far the body reaches along a direction, above a point. */
static double reach_above(const convex_work *work, abut_vec3 direction, abut_vec3 point) {
    return convex_extent(work->body, direction) + work->body->radius - abut_dot(direction, point);
}

static bool is_middle_behind(const convex_work *work, const mesh_triangle *t) {
    return mesh_set_is_behind(t, work->middle, mesh_set_height(t, work->middle), work->settings->rounding);
}

/* Whether the triangle makes no contact: it has no face, or it is one-sided and the whole body is behind it. */
static bool is_passed_over(const convex_work *work, const mesh_triangle *t) {
    return t->flat || (!t->two_sided && is_middle_behind(work, t) &&
                       reach_above(work, t->normal, t->corner[0]) <= mesh_set_rounding(t, work->middle, work->settings->rounding));
}

/* Turns a two-sided triangle towards the side on which more of the body is. If both are alike, the winding stays. */
static mesh_triangle turned_to(const convex_work *work, const mesh_triangle *t) {
    mesh_triangle turned = *t;
    double above = reach_above(work, t->normal, t->corner[0]), below = reach_above(work, abut_neg(t->normal), t->corner[0]);
    if (above < below - mesh_set_rounding(t, work->middle, work->settings->rounding)) {
        mesh_triangle_turn(&turned);
    }
    return turned;
}

/* A bound of the least depth of a triangle whose own normal is the best direction within a degree. */
static double least_near(const convex_work *work, const met_triangle *met) {
    const double degree = 0.0175;
    const abut_vec3 *corner = met->triangle.corner;
    double far = 0.0;
    for (int i = 0; i < 3; ++i) {
        far = real_max(far, abut_distance_between(corner[i], work->body->position));
    }
    return met->depth - degree * (far + work->body->size);
}

static bool make_room(convex_work *work) { return array_double(&work->met, work->few, &work->met_room, sizeof *work->met); }

/* Adds a triangle to those that the body meets, if it does. False when there is no memory. */
static bool look_at(convex_work *work, const mesh_triangle *t) {
    mesh_triangle turned;
    if (is_passed_over(work, t)) {
        return true;
    }
    if (t->two_sided) {
        turned = turned_to(work, t);
        t = &turned;
    }
    mesh_facet start;
    mesh_sight sight = mesh_apart_look(&work->apart, t, &start);
    if (sight == MESH_APART) {
        return true;
    }
    if (work->met_count == work->met_room && !make_room(work)) {
        return false;
    }
    met_triangle *met = &work->met[work->met_count];
    *met = (met_triangle){.triangle = *t, .order = work->met_count};
    if (sight == MESH_BY_NORMAL) {
        touch_clearly(work, met);
        met->least = least_near(work, met);
        ++work->met_count;
    } else {
        work->met_count += touch_triangle(work, met, &start);
    }
    return !work->list->out_of_memory;
}

bool mesh_convex(const mesh_set *set, const convex *body, abut_vec3 middle, const mesh_convex_settings *settings, contact_list *list) {
    contact_list found;
    contact_list_init(&found, list->order, list->aside);
    met_triangle few[MET_FEW];
    mesh_edges edges;
    mesh_near near;
    mesh_parts parts;
    plane_depths depths = {.count = 0};
    mesh_edges_init(&edges, set);
    mesh_parts_init(&parts, set, settings->surface.same);
    mesh_near_init(&near, mesh_set_item, set, set->count, 2.0 * (abut_length(body->position) + body->size + settings->normal.margin),
                   settings->surface.same);
    convex_work work = {.set = set,
                        .edges = &edges,
                        .near = &near,
                        .parts = &parts,
                        .depths = &depths,
                        .body = body,
                        .middle = middle,
                        .settings = settings,
                        .list = &found};
    work.met = work.few = few;
    work.met_room = MET_FEW;
    work.patch = (patch_settings){
        .margin = settings->normal.margin, .feature_sine = settings->feature_sine, .weld = settings->weld, .partial = true};
    mesh_apart_begin(&work.apart, body, settings->normal.margin);
    bool fine = true;
    for (int32_t i = 0; i < set->count && fine; ++i) {
        fine = look_at(&work, &set->items[i]);
    }
    if (fine && !is_one_way(&work)) {
        settle(&work);
    }
    if (fine) {
        shorten(&work);
        complete_planes(&work);
    }
    fine = fine && !found.out_of_memory && mesh_patch_join(&found, settings->weld, settings->surface.same, list);
    memory_release(work.met != few ? work.met : NULL);
    mesh_edges_free(&edges);
    mesh_near_free(&near);
    mesh_parts_free(&parts);
    mesh_planes_free(&depths.planes);
    contact_list_free(&found);
    return fine;
}
