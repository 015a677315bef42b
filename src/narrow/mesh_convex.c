#include "narrow/mesh_convex.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/real.h"
#include "geom/closest.h"
#include "narrow/feature.h"
#include "narrow/gauge.h"
#include "narrow/mesh_patch.h"
#include "narrow/patch.h"
#include "narrow/triangle_body.h"

#define SAME_DIRECTION 0.017452406437283512 /* a normal closer than one degree to the triangle's is the triangle's */

typedef struct convex_work {
    const mesh_set *set;
    const convex *body;
    abut_vec3 middle; /* a point well inside the body */
    const mesh_convex_settings *settings;
    patch_settings patch;
    contact_list *list; /* of all triangles so far */
} convex_work;

/* ---- may a normal act at a point of the surface? ---- */

static bool has_point(const mesh_triangle *t, abut_vec3 p, double same) {
    double weight[3];
    abut_vec3 closest = mesh_set_closest(t, p, weight);
    return abut_length_squared(abut_sub(p, closest)) <= same * same;
}

static bool rises(const mesh_triangle *t, abut_vec3 p, abut_vec3 normal, double same) {
    const double sine = 1e-6; /* as much as rounding makes of a flat place */
    for (int i = 0; i < 3; ++i) {
        abut_vec3 way = abut_sub(t->corner[i], p);
        double height = abut_dot(normal, way);
        if (height > same && height * height > sine * sine * abut_length_squared(way)) {
            return true;
        }
    }
    return false;
}

/* Near the point the surface is made of the cones of the triangles that have it. A normal is one of its when none rises above. */
static bool may_act(const convex_work *work, const mesh_triangle *of, abut_vec3 p, abut_vec3 normal) {
    if (!of->two_sided && abut_dot(normal, of->normal) < -SAME_DIRECTION) {
        return false;
    }
    double same = work->settings->same;
    for (int32_t i = 0; i < work->set->count; ++i) {
        const mesh_triangle *t = &work->set->items[i];
        if (has_point(t, p, same) && rises(t, p, normal, same)) {
            return false;
        }
    }
    return true;
}

/* ---- one triangle ---- */

static bool is_own_normal(const mesh_triangle *t, abut_vec3 normal) {
    return abut_dot(normal, t->normal) > 0.0 && abut_length_squared(abut_cross(normal, t->normal)) <= SAME_DIRECTION * SAME_DIRECTION;
}

/* Names of the flat body's features in the mesh. Where the contact has the triangle's own normal, a side of it is no edge of the surface: whoever
 * moves along may pass it. */
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

/* Along the triangle's own normal. */
static bool own_normal(const convex_work *work, const convex *triangle, const mesh_triangle *t, contact_normal *normal) {
    abut_vec3 on_body;
    *normal = (contact_normal){.direction = abut_neg(t->normal), .extreme = true};
    normal->gap = -gauge_support(work->body, triangle, normal->direction);
    normal->feature_a = (abut_feature){.kind = ABUT_FEATURE_VERTEX, .index = convex_support(work->body, normal->direction, &on_body)};
    normal->feature_b = (abut_feature){.kind = ABUT_FEATURE_FACE, .index = 0};
    return normal->gap <= work->settings->normal.margin + CONTACT_ROUNDING * (work->body->size + triangle->size);
}

static void forget(contact_list *list, int32_t first) {
    list->count = first;
}

static int32_t build(const convex_work *work, const convex *triangle, const contact_normal *normal) {
    return patch_build(work->body, triangle, normal, &work->patch, work->list->count, work->list);
}

/* The middle of the contacts, on that feature of the triangle that is extreme along the normal. */
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

static void touch_triangle(const convex_work *work, const mesh_triangle *t) {
    contact_list *list = work->list;
    int32_t first = list->count;
    triangle_body flat;
    triangle_body_set(&flat, t);
    contact_normal normal;
    if (!contact_normal_find(work->body, &flat.body, &work->settings->normal, &normal)) {
        return;
    }
    bool own = is_own_normal(t, abut_neg(normal.direction));
    if (!own) {
        abut_vec3 up = abut_neg(normal.direction);
        own = build(work, &flat.body, &normal) == 0 || !may_act(work, t, middle_of_contacts(list, first, &flat.body, up), up);
    }
    if (own) {
        forget(list, first);
        if (!own_normal(work, &flat.body, t, &normal)) {
            return;
        }
        build(work, &flat.body, &normal);
    }
    for (int32_t i = first; i < list->count; ++i) {
        name_feature(work->set, t, own, &list->items[i].feature_b);
    }
}

/* Seen from behind, or with no face to touch. */
static bool is_passed_over(const convex_work *work, const mesh_triangle *t) {
    return t->flat || (!t->two_sided && abut_dot(t->normal, abut_sub(work->middle, t->corner[0])) < -work->settings->rounding);
}

/* A two-sided triangle is one that looks at the body. */
static mesh_triangle turned_to(const convex_work *work, const mesh_triangle *t) {
    mesh_triangle turned = *t;
    if (t->two_sided && abut_dot(t->normal, abut_sub(work->middle, t->corner[0])) < 0.0) {
        turned.corner[1] = t->corner[2];
        turned.corner[2] = t->corner[1];
        turned.vertex[1] = t->vertex[2];
        turned.vertex[2] = t->vertex[1];
        turned.normal = abut_neg(t->normal);
    }
    return turned;
}

bool mesh_convex(const mesh_set *set, const convex *body, abut_vec3 middle, const mesh_convex_settings *settings, contact_list *list) {
    contact_list found;
    contact_list_init(&found, list->order, list->aside);
    convex_work work = {.set = set, .body = body, .middle = middle, .settings = settings, .list = &found};
    work.patch = (patch_settings){.margin = settings->normal.margin, .feature_sine = settings->feature_sine, .weld = settings->weld, .partial = true};
    for (int32_t i = 0; i < set->count && !found.out_of_memory; ++i) {
        if (!is_passed_over(&work, &set->items[i])) {
            mesh_triangle turned = turned_to(&work, &set->items[i]);
            touch_triangle(&work, &turned);
        }
    }
    bool fine = !found.out_of_memory && mesh_patch_join(&found, settings->weld, settings->same, list);
    contact_list_free(&found);
    return fine;
}
