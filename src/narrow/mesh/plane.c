/*
 * Contacts of a mesh with a plane. A half-space meets a mesh exactly where it meets the mesh's convex hull: at the hull's lowest face, edge
 * or vertex, with the plane's normal as "up". The feature is found by tilting a supporting plane: it touches the lowest vertex, tilts about
 * it until it meets a second vertex, and tilts about both until it meets a third. As for polytopes, the last of these positions within the
 * feature angle counts.
 */

#include <stdlib.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/real.h"
#include "narrow/generators.h"
#include "narrow/mesh/patch.h"
#include "narrow/patch/patch.h"
#include "shape/trimesh.h"

#define FLAT 1e-6 /* vertices within this fraction of the size from a plane or a line lie in it, because mesh coordinates are rounded */

typedef struct low_vertex {
    abut_vec3 place;
    double gap;
    int32_t index;
} low_vertex;

/* All vectors in the mesh's frame. */
typedef struct lowering {
    const trimesh *mesh;
    abut_vec3 outward; /* the plane's normal */
    double offset;
    low_vertex lowest;
    double most;        /* largest gap of a contact */
    double sine;        /* sine of the feature angle */
    double same, flat;  /* rounding error of a gap; tolerance FLAT times the size [length] */
    low_vertex *vertex; /* candidates for contacts; with repetitions at first */
    int32_t count, capacity;
    bool out_of_memory;
} lowering;

static low_vertex vertex_of(const lowering *work, int32_t index, abut_vec3 place) {
    return (low_vertex){place, abut_dot(work->outward, place) - work->offset, index};
}

/* ---- candidate vertices ---- */

static bool take_low(void *context, int32_t index, const abut_triangle *triangle) {
    (void)index;
    lowering *work = context;
    if (!array_extend(&work->vertex, &work->capacity, work->count, work->count + 3, sizeof *work->vertex)) {
        work->out_of_memory = true;
        return false;
    }
    for (int i = 0; i < 3; ++i) {
        low_vertex v = vertex_of(work, triangle->vertex[i], triangle->corner[i]);
        double near = work->flat + work->sine * abut_distance_between(v.place, work->lowest.place);
        if (v.gap <= work->most && v.gap - work->lowest.gap <= near) {
            work->vertex[work->count++] = v;
        }
    }
    return true;
}

static int by_number(const void *left, const void *right) {
    const low_vertex *p = left, *q = right;
    return (p->index > q->index) - (p->index < q->index);
}

static void gather_low(lowering *work) {
    trimesh_above(work->mesh, abut_neg(work->outward), -(work->offset + work->most), take_low, work);
    if (work->count > 0) {
        qsort(work->vertex, (size_t)work->count, sizeof *work->vertex, by_number);
    }
    int32_t kept = 0;
    for (int32_t i = 0; i < work->count; ++i) {
        if (kept == 0 || work->vertex[kept - 1].index != work->vertex[i].index) {
            work->vertex[kept++] = work->vertex[i];
        }
    }
    work->count = kept;
}

/* ---- the tilting plane ---- */

/* How far a plane tilts until it meets a vertex. A vertex that already lies on the plane has slope 0; among equal slopes the farthest
 * vertex wins. */
typedef struct meeting {
    double slope, run;
    int32_t vertex; /* -1 for none */
} meeting;

static void meet(const lowering *work, meeting *first, double rise, double run, int32_t vertex) {
    double slope = rise <= work->flat ? 0.0 : rise / run;
    if (run > work->flat && (first->vertex < 0 || slope < first->slope || (slope == first->slope && run > first->run))) {
        *first = (meeting){slope, run, vertex};
    }
}

static meeting tilt_about_lowest(const lowering *work) {
    meeting first = {.vertex = -1};
    for (int32_t i = 0; i < work->count; ++i) {
        abut_vec3 way = abut_sub(work->vertex[i].place, work->lowest.place);
        double rise = work->vertex[i].gap - work->lowest.gap, run = abut_length(abut_add_scaled(way, -rise, work->outward));
        meet(work, &first, rise, run, i);
    }
    return first;
}

/* The mesh's lowest feature through the lowest vertex: a face with that normal, or a line in it if `edge`. */
typedef struct low_feature {
    abut_vec3 normal, aside; /* aside: unit, in the plane, perpendicular to the line */
    bool edge;
} low_feature;

static low_feature tilt_about_edge(const lowering *work, abut_vec3 along) {
    low_feature found = {.edge = true};
    found.normal = abut_unit(abut_add_scaled(work->outward, -abut_dot(along, work->outward), along));
    found.aside = abut_cross(found.normal, along);
    meeting first[2] = {{.vertex = -1}, {.vertex = -1}};
    for (int32_t i = 0; i < work->count; ++i) {
        abut_vec3 way = abut_sub(work->vertex[i].place, work->lowest.place);
        double run = abut_dot(found.aside, way);
        meet(work, &first[run > 0.0], abut_dot(found.normal, way), fabs(run), i);
    }
    double least = work->sine;
    low_feature edge = found;
    for (int side = 0; side < 2; ++side) {
        double slope = side == 1 ? first[side].slope : -first[side].slope;
        abut_vec3 normal = abut_unit(abut_add_scaled(edge.normal, -slope, edge.aside));
        double sine = abut_length(abut_cross(normal, work->outward));
        if (first[side].vertex >= 0 && sine <= least) {
            least = sine;
            found.normal = normal;
            found.edge = false;
        }
    }
    return found;
}

static bool lies_on(const lowering *work, const low_feature *feature, const low_vertex *v) {
    abut_vec3 way = abut_sub(v->place, work->lowest.place);
    return abut_dot(feature->normal, way) <= work->flat && (!feature->edge || fabs(abut_dot(feature->aside, way)) <= work->flat);
}

static void keep_lowest_feature(lowering *work) {
    meeting next = tilt_about_lowest(work);
    if (next.vertex < 0 || next.slope > work->sine * sqrt(1.0 + next.slope * next.slope)) {
        work->vertex[0] = work->lowest;
        work->count = 1;
        return;
    }
    low_feature feature = tilt_about_edge(work, abut_unit(abut_sub(work->vertex[next.vertex].place, work->lowest.place)));
    int32_t kept = 0;
    for (int32_t i = 0; i < work->count; ++i) {
        if (lies_on(work, &feature, &work->vertex[i])) {
            work->vertex[kept++] = work->vertex[i];
        }
    }
    work->count = kept;
}

/* ---- contacts ---- */

/* With the mesh as A, in its frame. */
static void make_contacts(const lowering *work, contact_list *found) {
    for (int32_t i = 0; i < work->count && !found->out_of_memory; ++i) {
        const low_vertex *v = &work->vertex[i];
        abut_contact contact = {
            .on_a = v->place,
            .on_b = abut_add_scaled(v->place, -v->gap, work->outward),
            .normal = work->outward,
            .gap = v->gap,
            .feature_a = {.kind = ABUT_FEATURE_VERTEX, .index = v->index},
            .feature_b = {.kind = ABUT_FEATURE_FACE},
            .patch = 0,
        };
        contact_list_add(found, &contact);
    }
}

static void touch(lowering *work, double size, double weld, contact_list *list) {
    contact_list found;
    contact_list_init(&found, list->order, list->aside);
    int32_t lowest = trimesh_farthest(work->mesh, abut_neg(work->outward));
    work->lowest = vertex_of(work, lowest, trimesh_vertex(work->mesh, lowest));
    work->sine = patch_wide_sine(work->sine, -work->lowest.gap, size);
    if (work->lowest.gap <= work->most) {
        gather_low(work);
        if (work->count > 0) {
            keep_lowest_feature(work);
        }
        make_contacts(work, &found);
    }
    if (work->out_of_memory || found.out_of_memory || !mesh_patch_join(&found, weld, work->same, list)) {
        list->out_of_memory = true;
    }
    contact_list_free(&found);
    memory_release(work->vertex);
}

static void turn_contacts(contact_list *found, abut_mat3 rotation) {
    for (int32_t i = 0; i < found->count; ++i) {
        abut_contact *contact = &found->items[i];
        contact->on_a = abut_mat3_apply(rotation, contact->on_a);
        contact->on_b = abut_mat3_apply(rotation, contact->on_b);
        contact->normal = abut_mat3_apply(rotation, contact->normal);
    }
}

void collide_mesh_plane(const collide_pair *pair, contact_list *list) {
    bool mesh_is_a = pair->a->kind == ABUT_SHAPE_TRIMESH;
    const abut_shape *mesh = mesh_is_a ? pair->a : pair->b, *plane = mesh_is_a ? pair->b : pair->a;
    lowering work = {
        .mesh = mesh->mesh, .same = CONTACT_ROUNDING * mesh->size, .flat = FLAT * mesh->size, .sine = collide_sine(pair->feature_angle)};
    work.most = pair->normal.margin + work.same;
    if (mesh_is_a) {
        work.outward = abut_mat3_apply(pair->rotation_b, plane->normal);
        work.offset = plane->offset + abut_dot(work.outward, pair->position_b);
    } else {
        work.outward = abut_mat3_apply_transposed(pair->rotation_b, plane->normal);
        work.offset = plane->offset - abut_dot(plane->normal, pair->position_b);
    }
    contact_list found;
    contact_list_init(&found, list->order, list->aside);
    touch(&work, mesh->size, pair->weld * mesh->size, &found);
    turn_contacts(&found, mesh_is_a ? abut_mat3_identity() : pair->rotation_b);
    contact_list_take(list, &found, mesh_is_a ? abut_vec3_make(0.0, 0.0, 0.0) : pair->position_b, !mesh_is_a);
    contact_list_free(&found);
}
