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
#include "narrow/mesh/patch.h"
#include "narrow/mesh/rim.h"
#include "narrow/mesh/triangle_body.h"
#include "narrow/mesh/ways.h"
#include "narrow/patch/patch.h"

/* A triangle that the body meets, with the contacts found for it. */
typedef struct met_triangle {
    mesh_triangle triangle;
    abut_vec3 normal;     /* from the mesh to the body */
    double depth;         /* translation along the normal that takes the body out of the triangle [length] */
    double bound;         /* least depth of the body in the triangle alone: no way out of the surface is shorter */
    int32_t first, count; /* contacts in the list */
    int32_t order;        /* position in the order of discovery */
    bool own;             /* the normal is the triangle's own */
    bool fell_back;       /* to its own normal, because the surface does not admit the one of least depth */
    bool waits;           /* has no contact of its own yet, because a neighbour's contact should serve */
} met_triangle;

enum { MET_FEW = 24 };

typedef struct convex_work {
    const mesh_set *set;
    const convex *body;
    abut_vec3 middle; /* a point well inside the body */
    const mesh_convex_settings *settings;
    patch_settings patch;
    mesh_apart apart;   /* directions that separated the body from triangles so far */
    contact_list *list; /* contacts of all triangles so far */
    met_triangle *met;  /* [met_count]; the array `few`, or an allocated block */
    int32_t met_count, met_room;
    met_triangle *few;
} convex_work;

/* ---- one triangle ---- */

/* Translates a feature of the triangle_body into one of the mesh. If the contact has the triangle's own normal, it is named after the face,
 * even on a side: that side is no edge of the surface, and a sliding body may pass it. */
static void name_feature(const mesh_set *set, const mesh_triangle *t, bool own, abut_feature *feature) {
    if (own || feature->kind == ABUT_FEATURE_FACE) {
        feature->kind = ABUT_FEATURE_FACE;
        feature->index = t->index;
    } else if (feature->kind == ABUT_FEATURE_EDGE) {
        *feature = mesh_set_edge(set, t, triangle_body_side(feature->index));
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
        name_feature(work->set, &met->triangle, met->own, &work->list->items[i].feature_b);
    }
}

/* Makes the contacts for a triangle whose own normal is clearly the one of least depth. */
static void touch_clearly(const convex_work *work, met_triangle *met) {
    triangle_body flat;
    triangle_body_set(&flat, &met->triangle);
    touch_by_own(work, &flat.body, met);
    met->bound = met->depth;
    met->waits = met->count == 0;
    name_features(work, met);
}

static void set_way(const convex_work *work, const contact_normal *normal, met_triangle *met) {
    met->first = work->list->count;
    met->normal = abut_neg(normal->direction);
    met->depth = -normal->gap;
    met->own = false;
}

/* Makes the contacts along a normal other than the triangle's own, if the surface admits it. Otherwise there are none. The body does not
 * intersect the triangle. */
static bool touch_beside(const convex_work *work, const convex *flat, const contact_normal *normal, met_triangle *met) {
    contact_list *list = work->list;
    set_way(work, normal, met);
    met->count = build(work, flat, normal);
    bool admitted = false;
    if (met->count > 0 && !mesh_cone_is_behind(&met->triangle, met->normal)) {
        abut_vec3 place = middle_of_contacts(list, met->first, flat, met->normal);
        admitted = mesh_cone_judge(work->set, &met->triangle, place, met->normal, work->settings->surface.same) == MESH_MAY_ACT;
    }
    if (!admitted) {
        forget(list, met->first);
        met->count = 0;
    }
    return admitted;
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

/* The point of the triangle's extreme feature that is nearest to where the body's lowest point leaves the plane. */
static abut_vec3 place_beside(const convex_work *work, const convex *flat, const met_triangle *met) {
    const double exact = 1e-7;
    abut_vec3 end[2], foot = foot_of(work, met);
    abut_feature feature = feature_pick(flat, met->normal, exact);
    if (feature.kind == ABUT_FEATURE_EDGE) {
        feature_edge(flat, feature.index, end);
        return abut_lerp(end[0], end[1], closest_on_segment(foot, end[0], end[1]));
    }
    return feature.kind == ABUT_FEATURE_VERTEX ? convex_vertex(flat, feature.index) : foot;
}

/* The same for a body that intersects the triangle. At the end of the surface the lowest point may lie beside the triangle. */
static bool touch_sunk(const convex_work *work, const convex *flat, const contact_normal *normal, met_triangle *met) {
    contact_list *list = work->list;
    set_way(work, normal, met);
    met->count = build(work, flat, normal);
    met->count = met->count > 0 ? met->count : build_extreme(work, flat, normal);
    abut_vec3 place =
        met->count > 0 ? middle_of_contacts(list, met->first, flat, met->normal) : place_beside(work, flat, met);
    mesh_rim rim = {.surface = &work->settings->surface, .set = work->set, .body = work->body};
    mesh_rim_kind kind = mesh_rim_judge(&rim, &met->triangle, place, met->normal, met->depth);
    list->out_of_memory = list->out_of_memory || rim.out_of_memory;
    if (kind != MESH_RIM_CLOSED && !reaches(work, met)) {
        met->count += build_extreme(work, flat, normal);
    }
    name_features(work, met);
    if (kind == MESH_RIM_BORDER && !reaches(work, met)) {
        touch_foot(work, met);
    }
    if (kind == MESH_RIM_CLOSED || !reaches(work, met)) {
        forget(list, met->first);
        met->count = 0;
    }
    return met->count > 0;
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
    bool sunk = normal.gap < 0.0; /* the body intersects the triangle itself, not only the half-space below its plane */
    bool own = mesh_cone_is_own(&met->triangle, abut_neg(normal.direction));
    met->bound = -normal.gap;
    if (!own && !sunk) {
        bool admitted = touch_beside(work, &flat.body, &normal, met); /* if not, the body lies beside the triangle and nearer to a neighbour */
        name_features(work, met);
        return admitted;
    }
    if (own || !touch_sunk(work, &flat.body, &normal, met)) {
        touch_by_own(work, &flat.body, met);
        name_features(work, met);
        met->bound = own ? met->depth : met->bound;
        met->fell_back = !own;
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

/* Whether a contact in the triangle's plane is as deep as the body is below it. */
static bool is_whole(const convex_work *work, const met_triangle *met) {
    const double tie = 1e-12 * work->body->size;
    for (int32_t i = 0; i < work->list->count; ++i) {
        const abut_contact *contact = &work->list->items[i];
        if (contact->patch >= 0 && -contact->gap >= met->depth - tie && is_in_plane(work, &met->triangle, contact)) {
            return true;
        }
    }
    return false;
}

/* Adds the contacts of the triangles of a set that lie in the plane. */
static void touch_coplanar(const convex_work *work, const met_triangle *met, const mesh_set *set) {
    for (int32_t i = 0; i < set->count; ++i) {
        met_triangle other = {.triangle = set->items[i]};
        if (mesh_rim_is_coplanar(&met->triangle, &other.triangle, work->settings->surface.same)) {
            if (abut_dot(other.triangle.normal, met->triangle.normal) < 0.0) {
                mesh_triangle_turn(&other.triangle);
            }
            triangle_body flat;
            triangle_body_set(&flat, &other.triangle);
            touch_by_own(work, &flat.body, &other);
            name_features(work, &other);
        }
    }
}

/* Adds the contacts of other triangles in the plane, whether the body meets them or not: a body that leans is deepest beside the place
 * where it goes through the plane. Repeated contacts become one afterwards. Returns whether the deepest point is among them. */
static bool touch_plane(const convex_work *work, const met_triangle *met) {
    touch_coplanar(work, met, work->set);
    if (!is_whole(work, met)) {
        mesh_set under;
        mesh_surface_gather(&work->settings->surface, foot_of(work, met), work->settings->surface.same, &under);
        touch_coplanar(work, met, &under);
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

/* Whether moving the body out of one triangle, by its depth along its normal, also takes it out of another. */
static bool takes_out_of(const convex_work *work, const met_triangle *out_of, const met_triangle *other) {
    const double rounding = 1e-9 * work->body->size;
    convex moved = *work->body;
    moved.position = abut_add_scaled(moved.position, out_of->depth + 2.0 * rounding, out_of->normal);
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

/* Whether the contact of a triangle with less depth also resolves this one. For a triangle that waits for a neighbour, any other triangle
 * may do so. */
static bool is_settled(const convex_work *work, int32_t at) {
    const met_triangle *met = &work->met[at];
    const double tie = 1e-9 * work->body->size;
    const met_triangle *last = NULL;
    for (int32_t i = 0; i < work->met_count && (met->waits || work->met[i].depth < met->depth - tie); ++i) {
        const met_triangle *other = &work->met[i];
        bool asked = last != NULL && is_same_way(last, other) && fabs(last->depth - other->depth) <= tie;
        if (i == at || other->count == 0 || !(other->depth > 0.0) || asked || (!met->waits && is_same_way(met, other))) {
            continue;
        }
        bool farther = is_same_way(met, other) && other->depth >= met->depth - tie;
        if (farther || takes_out_of(work, other, met)) {
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

/* Processes the triangles that the body penetrates by increasing depth. A triangle that the translation for a shallower one resolves needs
 * no contact of its own. A triangle that no translation resolves always gets one. */
static void settle(convex_work *work) {
    contact_list *list = work->list;
    qsort(work->met, (size_t)work->met_count, sizeof *work->met, by_depth);
    for (int32_t i = 0; i < work->met_count; ++i) {
        met_triangle *met = &work->met[i];
        if (met->waits || !(met->depth > 0.0) || !is_settled(work, i)) {
            continue;
        }
        for (int32_t k = met->first; k < met->first + met->count; ++k) {
            list->items[k].patch = -1;
        }
        met->count = 0;
    }
    for (int32_t i = 0; i < work->met_count && !list->out_of_memory; ++i) {
        met_triangle *met = &work->met[i];
        if (met->waits && !is_settled(work, i)) {
            touch_alone(work, met);
        }
    }
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

/* Looks for a way out over an edge or a corner of a triangle. */
static void try_ways(const convex_work *work, const mesh_triangle *t, met_triangle *least) {
    mesh_way_out ways[MESH_WAYS_OUT];
    mesh_rim rim = {.surface = &work->settings->surface, .set = work->set, .body = work->body};
    triangle_body flat;
    triangle_body_set(&flat, t);
    int32_t count = mesh_ways_find(work->body, t, mesh_rim_outer_sides(&rim, t), least->depth, ways);
    work->list->out_of_memory = work->list->out_of_memory || rim.out_of_memory;
    for (int32_t i = 0; i < count; ++i) {
        met_triangle way = {.triangle = *t, .first = work->list->count};
        contact_normal normal = {.direction = abut_neg(ways[i].normal), .gap = -ways[i].depth};
        bool found = !mesh_cone_is_own(t, ways[i].normal) && touch_sunk(work, &flat.body, &normal, &way);
        forget(work->list, way.first);
        if (found && take_if_least(work, &way, least)) {
            return;
        }
    }
}

/* Looks for a way out along the triangle's own normal. */
static void try_own(const convex_work *work, const mesh_triangle *t, met_triangle *least) {
    triangle_body flat;
    met_triangle own = {.triangle = *t};
    triangle_body_set(&flat, t);
    touch_by_own(work, &flat.body, &own);
    forget(work->list, own.first);
    (void)take_if_least(work, &own, least);
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

static bool is_met(const convex_work *work, const mesh_triangle *t) {
    for (int32_t i = 0; i < work->met_count; ++i) {
        const met_triangle *met = &work->met[i];
        if (met->triangle.index == t->index && met->triangle.part == t->part && met->depth > 0.0) {
            return true;
        }
    }
    return false;
}

/* Makes the contacts of one way out the only ones. */
static void take_only(convex_work *work, const met_triangle *way, const mesh_set *around) {
    forget(work->list, 0);
    work->met_count = 1;
    work->met[0] = *way;
    work->met[0].first = 0;
    if (way->own) {
        touch_coplanar(work, way, around);
        work->met[0].count = work->list->count;
    } else {
        triangle_body flat;
        contact_normal normal = {.direction = abut_neg(way->normal), .gap = -way->depth};
        triangle_body_set(&flat, &way->triangle);
        (void)touch_sunk(work, &flat.body, &normal, &work->met[0]);
    }
}

/* Whether no way out of the surface can be less deep. */
static bool is_proven(const convex_work *work, const met_triangle *only) {
    double bound = 0.0;
    for (int32_t i = 0; i < work->met_count; ++i) {
        bound = real_max(bound, work->met[i].bound);
    }
    return only->depth <= bound + 1e-9 * work->body->size;
}

/* Searches the triangles that the body does not meet, as far as they are nearer to the body than the depth. */
static void try_beside(const convex_work *work, const mesh_set *around, met_triangle *least) {
    mesh_apart near;
    mesh_facet facet;
    mesh_apart_begin(&near, work->body, least->depth);
    for (int32_t i = 0; i < around->count; ++i) {
        const mesh_triangle *t = &around->items[i];
        if (!t->flat && mesh_apart_look(&near, t, &facet) != MESH_APART && !is_met(work, t)) {
            try_own(work, t, least);
            try_ways(work, t, least);
        }
    }
}

/* If one way is left, looks for a shorter one: over the edges and corners of the triangles, and, in a closed surface, through and over
 * triangles that the body does not meet. */
static void shorten(convex_work *work) {
    const met_triangle *only = only_way(work);
    const mesh_surface *surface = &work->settings->surface;
    if (only == NULL || is_proven(work, only)) {
        return;
    }
    met_triangle least = *only;
    mesh_set around;
    mesh_surface_gather_about(surface, work->body, least.depth, &around);
    for (int32_t i = 0; i < work->met_count; ++i) {
        if (work->met[i].fell_back) {
            try_ways(work, &work->met[i].triangle, &least);
        }
    }
    if (surface->mesh[only->triangle.part].mesh->closed && !only->triangle.two_sided) {
        try_beside(work, &around, &least);
    }
    work->list->out_of_memory = work->list->out_of_memory || around.out_of_memory;
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
    convex_work work = {.set = set, .body = body, .middle = middle, .settings = settings, .list = &found};
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
    contact_list_free(&found);
    return fine;
}
