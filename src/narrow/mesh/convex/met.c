/* Contacts of a convex body with single triangles: see met.h. */
#include "narrow/mesh/convex/met.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/real.h"
#include "narrow/mesh/convex/closest.h"
#include "narrow/mesh/convex/cone.h"
#include "narrow/mesh/convex/side.h"
#include "narrow/mesh/convex/triangle_body.h"
#include "narrow/normal/feature.h"
#include "narrow/normal/gauge.h"
#include "narrow/normal/normal.h"

#define EXACT 1e-7 /* sine: a feature that differs from level by this is level */

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

static int32_t build(const convex_work *work, const convex *triangle, const contact_normal *normal) {
    return patch_build(work->body, triangle, normal, &work->patch, work->list->count, work->list);
}

/* Whether a point in the plane of a triangle is outside by more than a length. */
static bool is_beside(const mesh_triangle *t, abut_vec3 point, double than) {
    bool beside = false;
    for (int i = 0; i < 3; ++i) {
        abut_vec3 side = abut_sub(t->corner[i < 2 ? i + 1 : 0], t->corner[i]);
        double inside = abut_dot(abut_cross(t->normal, side), abut_sub(point, t->corner[i]));
        beside = beside || (inside < 0.0 && inside * inside > than * than * abut_length_squared(side));
    }
    return beside;
}

/* Moves points of contacts with a face on the triangle. Where a vertex projects beside the face by rounding errors, it makes a contact, too, and a sharp corner
 * can be much farther from it than the sides are. */
static void keep_on_face(const convex_work *work, const mesh_triangle *t, abut_contact *contact, int32_t count) {
    for (int32_t i = 0; i < count; ++i) {
        abut_vec3 *point = &contact[i].on_b;
        if (is_beside(t, *point, CONTACT_ROUNDING * work->body->size)) {
            double weight[3];
            *point = mesh_set_closest(t, *point, weight);
        }
    }
}

/* The mean of the contact points, moved to the triangle's feature that is extreme along the normal. */
static abut_vec3 middle_of_contacts(const contact_list *list, int32_t first, const convex *triangle, abut_vec3 normal) {
    abut_vec3 sum = {0.0, 0.0, 0.0}, end[2];
    for (int32_t i = first; i < list->count; ++i) {
        sum = abut_add(sum, list->items[i].on_b);
    }
    abut_vec3 middle = abut_scale(1.0 / (list->count - first), sum);
    abut_feature feature = feature_pick(triangle, normal, EXACT);
    if (feature.kind == ABUT_FEATURE_EDGE) {
        feature_edge(triangle, feature.index, end);
        return abut_lerp(end[0], end[1], closest_on_segment(middle, end[0], end[1]));
    }
    return feature.kind == ABUT_FEATURE_VERTEX ? convex_vertex(triangle, feature.index) : middle;
}

void met_touch_own(const convex_work *work, const convex *flat, met_triangle *met) {
    contact_normal normal;
    met->first = work->list->count;
    met->count = own_normal(work, flat, &met->triangle, &normal) ? build(work, flat, &normal) : 0;
    if (met->count == 1 || met->count == 2) {
        keep_on_face(work, &met->triangle, &work->list->items[met->first], met->count); /* clipped faces are closer */
    }
    met->normal = met->triangle.normal;
    met->depth = -normal.gap;
    met->own = true;
}

met_triangle met_plane(const convex_work *work, const met_triangle *met) {
    met_triangle plane = *met;
    plane.triangle = mesh_side_best(work, &met->triangle);
    if (plane.triangle.index != met->triangle.index || plane.triangle.part != met->triangle.part) {
        plane.normal = plane.triangle.normal;
        plane.depth = met_reach_above(work, abut_neg(plane.normal), plane.triangle.corner[0]);
    }
    return plane;
}

static void name_features(const convex_work *work, const met_triangle *met) {
    for (int32_t i = met->first; i < met->first + met->count; ++i) {
        name_feature(work->edges, &met->triangle, met->own, &work->list->items[i].feature_b);
    }
}

void met_touch_clearly(const convex_work *work, met_triangle *met, const mesh_facet *facet) {
    triangle_body flat;
    triangle_body_set(&flat, &met->triangle);
    met_touch_own(work, &flat.body, met);
    met->sunk = work->nearest->sunk = true;
    met->bound = facet->close;
    met->aside = facet->others;
    met->waits = met->count == 0;
    name_features(work, met);
}

static void set_way(const convex_work *work, const contact_normal *normal, met_triangle *met) {
    met->first = work->list->count;
    met->normal = abut_neg(normal->direction);
    met->depth = -normal->gap;
    met->own = false;
}

static mesh_cone_set cone_set(const convex_work *work) {
    return (mesh_cone_set){work->set, work->near, work->hub, work->edges, work->settings->surface.same, work->settings->rounding};
}

/* Whether a neighbour of the triangle rises at every place where contacts along the normal may act. Then none need be made. Few triangles
 * have no table of neighbours. */
static bool is_surely_closed(const convex_work *work, const convex *flat, const met_triangle *met, double level) {
    if (work->set->count <= MESH_SET_FEW) {
        return false;
    }
    mesh_cone_set in = cone_set(work);
    abut_feature feature = feature_pick(flat, met->normal, EXACT);
    if (feature.kind == ABUT_FEATURE_EDGE) {
        return mesh_cone_is_closed_along(&in, &met->triangle, triangle_body_side(feature.index), met->normal, level);
    }
    return feature.kind == ABUT_FEATURE_VERTEX &&
           mesh_cone_is_closed(&in, &met->triangle, convex_vertex(flat, feature.index), met->normal, level);
}

/* Makes the contacts along a normal other than the triangle's own, if the surface admits it. Otherwise there are none. The body does not
 * intersect the triangle. */
static bool touch_beside(const convex_work *work, const convex *flat, const contact_normal *normal, met_triangle *met) {
    contact_list *list = work->list;
    bool admitted = false;
    set_way(work, normal, met);
    met->count = is_surely_closed(work, flat, met, work->settings->surface.same) ? 0 : build(work, flat, normal);
    if (met->count > 0 && !mesh_cone_is_behind(&met->triangle, met->normal)) {
        abut_vec3 place = middle_of_contacts(list, met->first, flat, met->normal);
        mesh_cone_set in = cone_set(work);
        admitted = mesh_cone_admits(&in, &met->triangle, place, met->normal);
    }
    if (!admitted) {
        met_forget(list, met->first);
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

void met_touch_deepest(const convex_work *work, const met_triangle *met) {
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
        met_touch_deepest(work, met);
    }
    met->count = work->list->count - met->first;
}

/* Where the body's lowest feature leaves the plane of a normal, if it is an edge that is level; false if it is not. */
static bool level_foot(const convex_work *work, const met_triangle *met, abut_vec3 end[2]) {
    abut_vec3 down = abut_neg(met->normal);
    convex body = work->body->core == CORE_FRUSTUM ? convex_turned_to(work->body, down) : *work->body;
    abut_feature lowest = feature_pick(&body, down, EXACT);
    if (lowest.kind != ABUT_FEATURE_EDGE) {
        return false;
    }
    feature_edge(&body, lowest.index, end);
    for (int i = 0; i < 2; ++i) {
        end[i] = abut_add_scaled(end[i], met->depth - body.radius, met->normal);
    }
    return true;
}

/* The point of the triangle's extreme feature that is nearest to where the body's lowest feature leaves the plane. Most ways over an edge have
 * a level edge of the body. Which of its ends is the lowest is decided by rounding, so the place does not depend on it. */
static abut_vec3 place_beside(const convex_work *work, const convex *flat, const met_triangle *met) {
    abut_vec3 end[2], level[2], foot = foot_of(work, met);
    abut_feature feature = feature_pick(flat, met->normal, EXACT);
    if (feature.kind != ABUT_FEATURE_EDGE) {
        return feature.kind == ABUT_FEATURE_VERTEX ? convex_vertex(flat, feature.index) : foot;
    }
    double at, other;
    feature_edge(flat, feature.index, end);
    if (level_foot(work, met, level)) {
        (void)closest_of_segments(end[0], end[1], level[0], level[1], &at, &other);
    } else {
        at = closest_on_segment(foot, end[0], end[1]);
    }
    return abut_lerp(end[0], end[1], at);
}

double met_reach_above(const convex_work *work, abut_vec3 direction, abut_vec3 point) {
    return convex_extent(work->body, direction) + work->body->radius - abut_dot(direction, point);
}

bool met_is_passed_over(const convex_work *work, const mesh_triangle *t) {
    return t->flat || (!t->two_sided && mesh_set_is_behind(t, work->middle, mesh_set_height(t, work->middle), work->settings->rounding) &&
                       met_reach_above(work, t->normal, t->corner[0]) <= mesh_set_rounding(t, work->middle, work->settings->rounding));
}

mesh_rim met_rim(const convex_work *work) {
    return (mesh_rim){.surface = &work->settings->surface,
                      .set = work->set,
                      .near = work->near,
                      .hub = work->hub,
                      .spot = work->spot,
                      .edges = work->edges,
                      .parts = work->parts,
                      .beyond = work->beyond,
                      .facing = work->facing,
                      .body = work->body,
                      .gathered = work->gathered};
}

static mesh_rim_kind judge(const convex_work *work, const met_triangle *met, abut_vec3 place) {
    mesh_rim rim = met_rim(work);
    mesh_rim_kind kind = mesh_rim_judge(&rim, &met->triangle, place, met->normal, met->depth);
    work->list->out_of_memory = work->list->out_of_memory || rim.out_of_memory;
    return kind;
}

bool met_touch_sunk(const convex_work *work, const convex *flat, const contact_normal *normal, met_triangle *met) {
    contact_list *list = work->list;
    mesh_rim_kind kind = MESH_RIM_CLOSED;
    set_way(work, normal, met);
    met->count = 0;
    if (is_surely_closed(work, flat, met, MESH_RIM_LEVEL * work->settings->surface.same)) {
        return false;
    }
    abut_feature feature = feature_pick(flat, met->normal, EXACT);
    bool corner = feature.kind == ABUT_FEATURE_VERTEX; /* it is the place, whatever the contacts are */
    if (corner) {
        kind = judge(work, met, convex_vertex(flat, feature.index));
        if (kind == MESH_RIM_CLOSED) {
            return false;
        }
    }
    met->count = build(work, flat, normal);
    met->count = met->count > 0 ? met->count : build_extreme(work, flat, normal);
    if (!corner) {
        abut_vec3 place = met->count > 0 ? middle_of_contacts(list, met->first, flat, met->normal) : place_beside(work, flat, met);
        kind = judge(work, met, place);
    }
    if (kind != MESH_RIM_CLOSED && !reaches(work, met)) {
        met->count += build_extreme(work, flat, normal);
    }
    name_features(work, met);
    if (kind == MESH_RIM_BORDER && !reaches(work, met)) {
        touch_foot(work, met);
    }
    if (kind == MESH_RIM_EDGE && !reaches(work, met)) {
        met_touch_deepest(work, met);
        ++met->count;
    }
    if (kind == MESH_RIM_CLOSED || !reaches(work, met)) {
        met_forget(list, met->first);
        met->count = 0;
    }
    return met->count > 0;
}

bool met_touch_way(const convex_work *work, const met_way *way, met_triangle *met) {
    triangle_body flat;
    contact_normal normal = {.direction = abut_neg(way->normal), .gap = -way->depth};
    *met = (met_triangle){.triangle = way->over, .order = work->met_count};
    triangle_body_set(&flat, &way->over);
    bool made = met_touch_sunk(work, &flat.body, &normal, met);
    met->triangle = way->of;
    return made;
}

/* Whether the body is much deeper along the triangle's own normal than along another one that is nearly the same. Then it is deepest beside the triangle,
 * perhaps where there is no surface: a wide plate under a side of a small body that leans a little. */
static bool is_deepest_elsewhere(const convex_work *work, const convex *flat, const met_triangle *met, const contact_normal *normal) {
    contact_normal own;
    own_normal(work, flat, &met->triangle, &own);
    double sine = abut_length(abut_cross(normal->direction, met->triangle.normal)), rounding = 1e-9 * (work->body->size + flat->size);
    return own.gap < normal->gap - sine * flat->size - rounding;
}

static void note_nearest(const convex_work *work, const met_triangle *met, const contact_normal *normal, double size) {
    met_nearest *nearest = work->nearest;
    if (mesh_cone_is_behind(&met->triangle, abut_neg(normal->direction))) {
        nearest->behind = real_min(nearest->behind, normal->gap);
    } else if (normal->gap < nearest->normal.gap) {
        nearest->triangle = met->triangle;
        nearest->normal = *normal;
        nearest->size = size;
    }
}

void met_touch_nearest(const convex_work *work, contact_list *list) {
    const met_nearest *nearest = work->nearest;
    patch_settings whole = work->patch;
    triangle_body flat;
    whole.partial = false; /* one of them must be as near as the distance */
    triangle_body_set(&flat, &nearest->triangle);
    patch_build(work->body, &flat.body, &nearest->normal, &whole, 0, list);
    bool own = mesh_cone_is_exactly_own(&nearest->triangle, abut_neg(nearest->normal.direction));
    for (int32_t i = 0; i < list->count; ++i) {
        name_feature(work->edges, &nearest->triangle, own, &list->items[i].feature_b);
    }
}

/* The same for a triangle that the body does not intersect. The direction between the closest points is the normal, if the surface admits it. If it
 * does not, a neighbour is nearer. Then only a normal within a degree of the triangle's own, or within the feature angle, makes contacts, along
 * the triangle's own: they complete the patch of a body that leans over several triangles of a flat part. */
static bool touch_apart(const convex_work *work, const convex *flat, const contact_normal *normal, met_triangle *met) {
    abut_vec3 out = abut_neg(normal->direction);
    note_nearest(work, met, normal, flat->size);
    if (mesh_cone_is_exactly_own(&met->triangle, out)) {
        met_touch_own(work, flat, met);
    } else if (!touch_beside(work, flat, normal, met) && mesh_cone_is_own_within(&met->triangle, out, work->settings->feature_sine)) {
        met_touch_own(work, flat, met);
    }
    met->depth = -normal->gap; /* and not that below the triangle's plane, which may go through the body beside the triangle */
    name_features(work, met);
    return met->count > 0;
}

static bool find_normal(const convex_work *work, const triangle_body *flat, const mesh_facet *start, contact_normal *normal) {
    normal_settings settings = work->settings->normal;
    settings.start_a = start->of_body;
    settings.start_b = start->of_triangle;
    return mesh_closest_normal(work->body, flat, &settings, normal);
}

void met_touch_level(const convex_work *work, met_triangle *met, const mesh_facet *start) {
    triangle_body flat;
    triangle_body_set(&flat, &met->triangle);
    met_touch_own(work, &flat.body, met);
    met->sunk = work->nearest->sunk = true;
    met->waits = met->count == 0;
    met->unsounded = true;
    met->bound = met->aside = MESH_LEVEL_CLEARLY * work->body->size;
    met->start = *start;
    name_features(work, met);
}

void met_sound(const convex_work *work, met_triangle *met) {
    triangle_body flat;
    contact_normal normal;
    if (met->unsounded) {
        triangle_body_set(&flat, &met->triangle);
        (void)find_normal(work, &flat, &met->start, &normal);
        met->bound = met->aside = -normal.gap;
        met->unsounded = false;
    }
}

bool met_touch(convex_work *work, met_triangle *met, const mesh_facet *start) {
    triangle_body flat;
    triangle_body_set(&flat, &met->triangle);
    contact_normal normal;
    if (!find_normal(work, &flat, start, &normal)) {
        mesh_apart_learn(&work->apart, normal.direction);
        return false;
    }
    met->sunk =
        normal.gap < -CONTACT_ROUNDING * (work->body->size + flat.body.size); /* if the body only touches the triangle, it is beside */
    met->bound = met->aside = -normal.gap;
    if (!met->sunk) {
        return touch_apart(work, &flat.body, &normal, met);
    }
    work->nearest->sunk = true;
    bool own = mesh_cone_is_own(&met->triangle, abut_neg(normal.direction)) && !is_deepest_elsewhere(work, &flat.body, met, &normal);
    if (own || !met_touch_sunk(work, &flat.body, &normal, met)) {
        met_touch_own(work, &flat.body, met);
        name_features(work, met);
    }
    met->waits = met->count == 0;
    return true;
}

/* ---- the whole flat part ---- */

bool met_is_in_plane(const convex_work *work, const mesh_triangle *t, const abut_contact *contact) {
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
    mesh_planes_free(&depths->late);
    depths->count = depths->late_room = 0;
    for (int32_t i = 0; i < work->met_count; ++i) {
        far = real_max(far, abut_length(work->met[i].triangle.corner[0])); /* from which heights over its plane are measured */
    }
    if (mesh_planes_init(&depths->planes, work->settings->surface.same, far, list->count)) {
        for (int32_t i = 0; i < list->count; ++i) {
            const abut_contact *contact = &list->items[sorted[i].index];
            mesh_planes_add(&depths->planes, contact->normal, contact->on_b, sorted[i].index);
        }
        depths->count = depths->late_end = list->count;
        depths->late_room = mesh_planes_init(&depths->late, work->settings->surface.same, far, list->count) ? list->count : 0;
    } else {
        work->list->out_of_memory = true;
    }
}

/* Adds new contacts to the index, as far as there is room and they are as near as those that it was made for. */
static void add_late(const convex_work *work) {
    plane_depths *depths = work->depths;
    for (; depths->late_end < work->list->count && depths->late_end - depths->count < depths->late_room; ++depths->late_end) {
        const abut_contact *contact = &work->list->items[depths->late_end];
        if (!(abut_length(contact->on_b) <= depths->late.far)) {
            return;
        }
        mesh_planes_add(&depths->late, contact->normal, contact->on_b, depths->late_end - depths->count);
    }
}

/* Sorts the contacts into planes, each cell of planes by depth, when many are new. */
static void refresh_depths(const convex_work *work) {
    const int32_t few = 64;
    if (work->list->count - work->depths->count <= few + work->depths->count / 2) {
        return;
    }
    contact_depth *sorted = memory_allocate((size_t)work->list->count, sizeof *sorted);
    if (sorted == NULL) {
        work->list->out_of_memory = true;
        return;
    }
    sort_into_planes(work, sorted);
    memory_release(sorted);
}

static bool is_deep_in_plane(const convex_work *work, const met_triangle *met, double enough, const abut_contact *contact) {
    return contact->patch >= 0 && -contact->gap >= enough && met_is_in_plane(work, &met->triangle, contact);
}

/* The same for the contacts after those that are sorted by depth. */
static bool is_late_whole(const convex_work *work, const met_triangle *met, double enough) {
    const abut_contact *items = work->list->items;
    plane_depths *depths = work->depths;
    int32_t from = depths->count;
    if (from > 0 && depths->late_room > 0) {
        cells_walk walk;
        add_late(work);
        mesh_planes_begin(&walk, &depths->late, met->triangle.normal, met->triangle.corner[0]);
        for (int32_t i = cells_next(&walk); i >= 0; i = cells_next(&walk)) {
            if (is_deep_in_plane(work, met, enough, &items[from + i])) {
                return true;
            }
        }
        from = depths->late_end;
    }
    for (int32_t i = from; i < work->list->count; ++i) {
        if (is_deep_in_plane(work, met, enough, &items[i])) {
            return true;
        }
    }
    return false;
}

bool met_is_whole(const convex_work *work, const met_triangle *met) {
    const contact_list *list = work->list;
    double enough = met->depth - 1e-12 * work->body->size;
    refresh_depths(work);
    if (work->depths->count > 0) {
        cells_walk walk;
        mesh_planes_begin(&walk, &work->depths->planes, met->triangle.normal, met->triangle.corner[0]);
        for (int32_t i = cells_next(&walk); i >= 0; i = cells_next(&walk)) {
            if (is_deep_in_plane(work, met, enough, &list->items[i])) {
                return true;
            }
            if (-list->items[i].gap < enough) {
                cells_skip(&walk); /* the others of this cell are less deep */
            }
        }
    }
    return is_late_whole(work, met, enough);
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
    met_touch_own(work, &flat.body, &other);
    name_features(work, &other);
}

void met_touch_coplanar(const convex_work *work, const met_triangle *met, const mesh_set *set) {
    for (int32_t i = 0; i < set->count; ++i) {
        touch_if_coplanar(work, met, &set->items[i]);
    }
}

static int by_number(const void *left, const void *right) {
    const int32_t *p = left, *q = right;
    return (*p > *q) - (*p < *q);
}

/* Adds the contacts of all triangles near the body that lie in the plane, in the order of the set. */
static void touch_coplanar_near(const convex_work *work, const met_triangle *met) {
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

bool met_touch_plane(const convex_work *work, const met_triangle *met) {
    touch_coplanar_near(work, met);
    if (!met_is_whole(work, met)) {
        mesh_set under;
        mesh_surface_gather(&work->settings->surface, foot_of(work, met), work->settings->surface.same, &under);
        met_touch_coplanar(work, met, &under);
        work->list->out_of_memory = work->list->out_of_memory || under.out_of_memory;
        mesh_set_free(&under);
    }
    return met_is_whole(work, met);
}

void met_touch_alone(const convex_work *work, met_triangle *met) {
    triangle_body flat;
    triangle_body_set(&flat, &met->triangle);
    met_touch_own(work, &flat.body, met);
    name_features(work, met);
    met_triangle plane = met_plane(work, met);
    if (!met_is_whole(work, &plane) && !met_touch_plane(work, &plane)) {
        met_touch_deepest(work, &plane);
    }
    met->count = work->list->count - met->first;
    met->waits = false;
}
