/* Which edges of a mesh are smooth, and the normals at its corners: see mesh_smooth.h. */
#include "shape/edges/mesh_smooth.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/real.h"
#include "shape/trimesh.h"

/* A corner whose normal leans more than this against one of its triangles is no smooth place, as the tip of a cone. */
#define MOST_LEAN_COSINE 0.5

typedef struct smoothing {
    trimesh *mesh;
    mesh_smooth *made;
    const int32_t *twin;
    int32_t *parent; /* [3 triangle_count] corners that are joined have the same root */
} smoothing;

static int32_t end_of(int32_t side) { return side % 3 == 2 ? side - 2 : side + 1; }

static double angle_between(abut_vec3 p, abut_vec3 q) { return elementary_atan2(abut_length(abut_cross(p, q)), abut_dot(p, q)); }

/* False for a triangle without a face. */
static bool normal_of(const trimesh *mesh, int32_t index, abut_triangle *triangle, abut_vec3 *normal) {
    abut_vec3 across;
    trimesh_triangle(mesh, index, triangle);
    bool flat = trimesh_is_flat(mesh, triangle->corner, &across);
    *normal = flat ? abut_vec3_make(0.0, 0.0, 0.0) : abut_unit(across);
    return !flat;
}

/* ---- edges ---- */

static void find_smooth_sides(const smoothing *s, double angle) {
    for (int32_t side = 0; side < 3 * s->mesh->triangle_count; ++side) {
        abut_triangle triangle;
        abut_vec3 own, beyond;
        int32_t twin = s->twin[side];
        if (twin >= 0 && normal_of(s->mesh, side / 3, &triangle, &own) && normal_of(s->mesh, twin / 3, &triangle, &beyond) &&
            angle_between(own, beyond) <= angle) {
            s->made->sides[side / 3] |= (unsigned char)(1 << side % 3);
        }
    }
}

static bool is_smooth(const smoothing *s, int32_t side) { return (s->made->sides[side / 3] >> side % 3 & 1) != 0; }

static void make_sharp(const smoothing *s, int32_t side) { s->made->sides[side / 3] &= (unsigned char)~(1 << side % 3); }

/* ---- groups of corners ---- */

static int32_t root(int32_t *parent, int32_t corner) {
    while (parent[corner] != corner) {
        parent[corner] = parent[parent[corner]];
        corner = parent[corner];
    }
    return corner;
}

static void join(int32_t *parent, int32_t p, int32_t q) {
    p = root(parent, p);
    q = root(parent, q);
    parent[p > q ? p : q] = p > q ? q : p;
}

/* Joins the corners at both ends of each smooth edge. */
static void group(const smoothing *s) {
    int32_t count = 3 * s->mesh->triangle_count;
    for (int32_t corner = 0; corner < count; ++corner) {
        s->parent[corner] = corner;
    }
    for (int32_t side = 0; side < count; ++side) {
        if (is_smooth(s, side)) {
            join(s->parent, side, end_of(s->twin[side]));
            join(s->parent, end_of(side), s->twin[side]);
        }
    }
}

/* ---- normals ---- */

static void add_normals(const smoothing *s) {
    abut_vec3 *sum = s->made->normal;
    for (int32_t corner = 0; corner < 3 * s->mesh->triangle_count; ++corner) {
        sum[corner] = abut_vec3_make(0.0, 0.0, 0.0);
    }
    for (int32_t corner = 0; corner < 3 * s->mesh->triangle_count; ++corner) {
        abut_triangle t;
        abut_vec3 normal;
        if (normal_of(s->mesh, corner / 3, &t, &normal)) {
            int i = corner % 3;
            abut_vec3 here = t.corner[i];
            double angle = angle_between(abut_sub(t.corner[(i + 1) % 3], here), abut_sub(t.corner[(i + 2) % 3], here));
            int32_t to = root(s->parent, corner);
            sum[to] = abut_add_scaled(sum[to], angle, normal);
        }
    }
    for (int32_t corner = 3 * s->mesh->triangle_count - 1; corner >= 0; --corner) { /* a root is the lowest corner of its group */
        abut_vec3 whole = sum[root(s->parent, corner)];
        sum[corner] = abut_length_squared(whole) > 0.0 ? abut_unit(whole) : whole;
    }
}

static bool leans(const smoothing *s, int32_t corner) {
    abut_triangle triangle;
    abut_vec3 normal;
    return normal_of(s->mesh, corner / 3, &triangle, &normal) && abut_dot(s->made->normal[corner], normal) < MOST_LEAN_COSINE;
}

/* Makes all sides at a leaning corner sharp, from both of their triangles. Whether there are any. Groups with a leaning corner are marked by a zero normal. */
static bool sharpen(const smoothing *s) {
    int32_t count = 3 * s->mesh->triangle_count;
    bool found = false;
    for (int32_t corner = 0; corner < count; ++corner) {
        if (abut_length_squared(s->made->normal[corner]) > 0.0 && leans(s, corner)) {
            s->made->normal[root(s->parent, corner)] = abut_vec3_make(0.0, 0.0, 0.0);
            found = true;
        }
    }
    for (int32_t side = 0; side < count && found; ++side) {
        const abut_vec3 *start = &s->made->normal[root(s->parent, side)], *end = &s->made->normal[root(s->parent, end_of(side))];
        if (is_smooth(s, side) && (!(abut_length_squared(*start) > 0.0) || !(abut_length_squared(*end) > 0.0))) {
            make_sharp(s, side);
        }
    }
    return found;
}

/* What still leans keeps the normal of its triangle. */
static void settle(const smoothing *s) {
    for (int32_t corner = 0; corner < 3 * s->mesh->triangle_count; ++corner) {
        if (leans(s, corner)) {
            abut_triangle triangle;
            (void)normal_of(s->mesh, corner / 3, &triangle, &s->made->normal[corner]);
        }
    }
}

/* ---- the surface ---- */

static double bulge_of(const trimesh *mesh, const abut_vec3 *normal, int32_t index) {
    abut_triangle t;
    double most = 0.0;
    trimesh_triangle(mesh, index, &t);
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            most = real_max(most, fabs(abut_dot(abut_sub(t.corner[k], t.corner[i]), normal[i])));
        }
    }
    return 0.5 * most; /* the weights' sum of w (1 - w) is at most 2/3 */
}

static void fill(const smoothing *s, double angle) {
    find_smooth_sides(s, angle);
    group(s);
    add_normals(s);
    if (sharpen(s)) {
        group(s);
        add_normals(s);
        settle(s);
    }
    for (int32_t i = 0; i < s->mesh->triangle_count; ++i) {
        s->made->bulge = real_max(s->made->bulge, bulge_of(s->mesh, &s->made->normal[3 * (size_t)i], i));
    }
}

bool mesh_smooth_make(trimesh *mesh, const int32_t *twin, double angle) {
    size_t triangles = (size_t)mesh->triangle_count;
    mesh_smooth *made = memory_allocate(1, sizeof *made);
    smoothing s = {.mesh = mesh, .made = made, .twin = twin, .parent = memory_allocate(3 * triangles, sizeof *s.parent)};
    bool done = made != NULL && s.parent != NULL;
    if (done) {
        made->normal = memory_allocate(3 * triangles, sizeof *made->normal);
        made->sides = memory_allocate(triangles, sizeof *made->sides);
        done = made->normal != NULL && made->sides != NULL;
    }
    if (done) {
        fill(&s, angle);
    }
    memory_release(s.parent);
    if (!done || made->bulge <= mesh->flat) { /* smooth edges that are flat change nothing */
        mesh_smooth_release(made);
        made = NULL;
    }
    mesh->smooth = made;
    return done;
}

void mesh_smooth_release(mesh_smooth *smooth) {
    if (smooth != NULL) {
        memory_release(smooth->normal);
        memory_release(smooth->sides);
        memory_release(smooth);
    }
}
