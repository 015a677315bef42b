/* Finds the vertices and outer edges of one surface near another, through its hierarchy: see features.h. Set frame. */
#include "narrow/mesh/pair/features.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/real.h"

typedef struct searching {
    mesh_features *found;
    const mesh_surface *surface, *other;
    double deepest, margin;
    const placed_mesh *mesh; /* of the surface */
    int32_t at;              /* index of that mesh in the surface */
} searching;

static bool is_near(const searching *s, abut_vec3 centre, double radius) {
    return mesh_surface_is_near(s->other, s->mesh, centre, radius + s->margin, s->deepest);
}

static bool keep_near(void *context, abut_vec3 centre, double radius) {
    const searching *s = context;
    return is_near(s, mesh_place_point(s->mesh, centre), radius);
}

static void add_vertex(searching *s, abut_vec3 place, int32_t vertex) {
    mesh_features *to = s->found;
    if (!array_extend(&to->vertex, &to->vertex_capacity, to->vertex_count, to->vertex_count + 1, sizeof *to->vertex)) {
        to->out_of_memory = true;
        return;
    }
    to->vertex[to->vertex_count++] = (near_vertex){place, s->at, vertex};
}

static bool has_ends(const mesh_triangle *t, abut_vec3 from, abut_vec3 to, double same) {
    return mesh_set_holds(t, from, same) && mesh_set_holds(t, to, same);
}

/*
 * Whether the surface bends outward at a side of a triangle, or ends there. One with two sides bends outward on one of them. False if an earlier triangle
 * has the same side, so that each edge is found once.
 */
static bool is_outer(const searching *s, const mesh_triangle *t, abut_vec3 from, abut_vec3 to) {
    double same = s->surface->same;
    abut_vec3 middle = abut_lerp(from, to, 0.5);
    mesh_set set;
    mesh_surface_gather(s->surface, middle, same, &set);
    bool rises = false, falls = false, alone = true, first = true;
    for (int32_t i = 0; i < set.count; ++i) {
        const mesh_triangle *other = &set.items[i];
        if (other->flat || (other->index == t->index && other->part == t->part) || !mesh_set_holds(other, middle, same)) {
            continue;
        }
        alone = false;
        bool above = mesh_set_rises(other, middle, t->normal, same, FLAT_SINE);
        bool below = mesh_set_rises(other, middle, abut_neg(t->normal), same, FLAT_SINE);
        rises = rises || (above && !below);
        falls = falls || below;
        bool earlier = other->part != t->part ? other->part < t->part : other->index < t->index;
        first = first && !(earlier && has_ends(other, from, to, same));
    }
    s->found->out_of_memory = s->found->out_of_memory || set.out_of_memory;
    mesh_set_free(&set);
    return first && (alone || (t->two_sided ? rises != falls : falls && !rises));
}

/* Whether the neighbour at a side, which closed meshes know, tells alone that the side is no outer edge or found before: most are, and this costs little. */
static bool is_told_by_neighbour(const searching *s, const mesh_triangle *t, int side, abut_vec3 from, abut_vec3 to) {
    const trimesh *mesh = s->mesh->mesh;
    double same = s->surface->same;
    if (mesh->twin == NULL || s->surface->count != 1) {
        return false;
    }
    abut_vec3 middle = abut_lerp(from, to, 0.5);
    int32_t index = mesh->twin[3 * t->index + side] / 3;
    abut_triangle triangle;
    mesh_triangle other;
    trimesh_triangle(mesh, index, &triangle);
    mesh_set_place(&other, s->mesh, index, &triangle);
    if (other.flat || !mesh_set_holds(&other, middle, same)) {
        return false;
    }
    return (index < t->index && has_ends(&other, from, to, same)) ||
           (mesh_set_rises(&other, middle, t->normal, same, FLAT_SINE) &&
            !mesh_set_rises(&other, middle, abut_neg(t->normal), same, FLAT_SINE));
}

static void add_edge(searching *s, const mesh_triangle *t, int side) {
    abut_vec3 from = t->corner[side], end = t->corner[(side + 1) % 3];
    if (t->flat || is_told_by_neighbour(s, t, side, from, end) ||
        !is_near(s, abut_lerp(from, end, 0.5), 0.5 * abut_distance_between(from, end)) || !is_outer(s, t, from, end)) {
        return;
    }
    mesh_features *to = s->found;
    if (!array_extend(&to->edge, &to->edge_capacity, to->edge_count, to->edge_count + 1, sizeof *to->edge)) {
        to->out_of_memory = true;
        return;
    }
    abut_feature feature = {.kind = ABUT_FEATURE_EDGE, .index = 3 * t->index + side, .part = t->part};
    to->edge[to->edge_count++] = (near_edge){.from = from, .to = end, .wing = t->corner[(side + 2) % 3], .feature = feature, .of = s->mesh};
}

static bool take_triangle(void *context, int32_t index, const abut_triangle *triangle) {
    searching *s = context;
    mesh_triangle t;
    mesh_set_place(&t, s->mesh, index, triangle);
    for (int i = 0; i < 3 && !s->found->out_of_memory; ++i) {
        add_vertex(s, t.corner[i], t.vertex[i]);
        add_edge(s, &t, i);
    }
    return !s->found->out_of_memory;
}

static int by_vertex(const void *left, const void *right) {
    const near_vertex *p = left, *q = right;
    int order = (p->mesh > q->mesh) - (p->mesh < q->mesh);
    return order != 0 ? order : (p->vertex > q->vertex) - (p->vertex < q->vertex);
}

static void keep_each_once(mesh_features *of) {
    if (of->vertex_count > 0) {
        qsort(of->vertex, (size_t)of->vertex_count, sizeof *of->vertex, by_vertex);
    }
    int32_t kept = 0;
    for (int32_t i = 0; i < of->vertex_count; ++i) {
        if (kept == 0 || by_vertex(&of->vertex[kept - 1], &of->vertex[i]) != 0) {
            of->vertex[kept++] = of->vertex[i];
        }
    }
    of->vertex_count = kept;
}

void mesh_features_find(mesh_features *found, const mesh_surface *surface, const mesh_surface *other, double deepest, double margin) {
    *found = (mesh_features){0};
    for (int32_t i = 0; i < surface->count && !found->out_of_memory; ++i) {
        searching s = {found, surface, other, deepest, margin, &surface->mesh[i], i};
        trimesh_where(s.mesh->mesh, keep_near, take_triangle, &s);
    }
    keep_each_once(found);
}

void mesh_features_free(mesh_features *features) {
    memory_release(features->vertex);
    memory_release(features->edge);
    *features = (mesh_features){0};
}

bool near_edges_meet(const near_edge *a, const near_edge *b, double reach) {
    const double *af = &a->from.x, *at = &a->to.x, *bf = &b->from.x, *bt = &b->to.x;
    for (int i = 0; i < 3; ++i) {
        if (real_min(af[i], at[i]) > real_max(bf[i], bt[i]) + reach || real_min(bf[i], bt[i]) > real_max(af[i], at[i]) + reach) {
            return false;
        }
    }
    return true;
}
