/* A triangle as a polytope with constant topology: see triangle_body.h. */
#include "narrow/mesh/convex/triangle_body.h"

#include "base/real.h"

/* The topology is the same for all triangles. */
static const polytope_edge edges[3] = {{{0, 1}, {0, 1}}, {{0, 2}, {1, 0}}, {{1, 2}, {0, 1}}};
static const polytope_corner corners[6] = {{0, 0, 1}, {1, 2, 1}, {2, 1, 1}, {0, 1, 0}, {2, 2, 0}, {1, 0, 0}};
static const polytope_spoke spokes[6] = {{0, 1, 0}, {1, 2, 1}, {2, 2, 0}, {0, 0, 1}, {1, 0, 0}, {2, 1, 1}};
static const int32_t vertex_first[4] = {0, 2, 4, 6}, vertex_edges[6] = {0, 1, 2, 0, 1, 2}, vertex_faces[6] = {0, 1, 0, 1, 0, 1};
static const int32_t face_first[3] = {0, 3, 6}, face_vertices[6] = {0, 1, 2, 0, 2, 1}, face_edges[6] = {0, 2, 1, 1, 2, 0};
static const double face_angles[2] = {REAL_PI, REAL_PI};
static const abut_shape flat_shape = {.kind = ABUT_SHAPE_POLYTOPE}, line_shape = {.kind = ABUT_SHAPE_CAPSULE};

#define SINE 0.98768834059513777 /* sine of 0.45 times pi: see polytope_face */

/* The casts drop const. The tables are only read, because shapes are immutable. */
static void set_topology(polytope *s) {
    s->vertex_count = 3;
    s->edge_count = 3;
    s->face_count = 2;
    s->edges = (polytope_edge *)(uintptr_t)edges;
    s->corner = (polytope_corner *)(uintptr_t)corners;
    s->spoke = (polytope_spoke *)(uintptr_t)spokes;
    s->vertex_first = (int32_t *)(uintptr_t)vertex_first;
    s->vertex_edges = (int32_t *)(uintptr_t)vertex_edges;
    s->vertex_faces = (int32_t *)(uintptr_t)vertex_faces;
    s->face_first = (int32_t *)(uintptr_t)face_first;
    s->face_vertices = (int32_t *)(uintptr_t)face_vertices;
    s->face_edges = (int32_t *)(uintptr_t)face_edges;
    s->face_angles = (double *)(uintptr_t)face_angles;
}

static void set_vertices(triangle_body *made, const mesh_triangle *t) {
    double *x = made->lanes, *y = x + SCAN_PAD, *z = y + SCAN_PAD;
    for (int i = 0; i < SCAN_PAD; ++i) {
        abut_vec3 p = t->corner[i < 3 ? i : 0];
        x[i] = p.x;
        y[i] = p.y;
        z[i] = p.z;
    }
    made->surface.vertex_lanes = (scan_lanes){.x = x, .y = y, .z = z, .count = SCAN_PAD};
    for (int i = 0; i < 3; ++i) {
        made->vertices[i] = t->corner[i];
    }
}

static void set_faces(triangle_body *made, const mesh_triangle *t) {
    double offset =
        real_max(abut_dot(t->normal, t->corner[0]), real_max(abut_dot(t->normal, t->corner[1]), abut_dot(t->normal, t->corner[2])));
    double back =
        -real_min(abut_dot(t->normal, t->corner[0]), real_min(abut_dot(t->normal, t->corner[1]), abut_dot(t->normal, t->corner[2])));
    made->normals[0] = t->normal;
    made->normals[1] = abut_neg(t->normal);
    made->offsets[0] = offset;
    made->offsets[1] = back;
    double *nx = made->planes, *ny = nx + SCAN_PAD, *nz = ny + SCAN_PAD, *o = nz + SCAN_PAD;
    for (int i = 0; i < SCAN_PAD; ++i) {
        int f = i < 2 ? i : 0;
        nx[i] = made->normals[f].x;
        ny[i] = made->normals[f].y;
        nz[i] = made->normals[f].z;
        o[i] = made->offsets[f];
    }
    made->surface.plane_lanes = (scan_lanes){.x = nx, .y = ny, .z = nz, .offset = o, .count = SCAN_PAD};
    for (int f = 0; f < 2; ++f) {
        made->face[f] = (polytope_face){.normal = made->normals[f], .offset = made->offsets[f], .sine = SINE, .first = 3 * f, .count = 3};
    }
}

/* The layout of scan_near(): relative to vertex 0, in units of the size. Padding planes are infinitely far away. */
static void set_coarse(triangle_body *made, double size) {
    float *x = made->coarse, *y = x + SCAN_COARSE_PAD, *z = y + SCAN_COARSE_PAD, *o = z + SCAN_COARSE_PAD;
    for (int i = 0; i < SCAN_COARSE_PAD; ++i) {
        bool real = i < 2;
        x[i] = real ? (float)made->normals[i].x : 0.0f;
        y[i] = real ? (float)made->normals[i].y : 0.0f;
        z[i] = real ? (float)made->normals[i].z : 0.0f;
        o[i] = real ? (float)((made->offsets[i] - abut_dot(made->normals[i], made->vertices[0])) / size) : INFINITY;
    }
    made->surface.coarse_planes = (scan_coarse){.x = x, .y = y, .z = z, .offset = o, .count = SCAN_COARSE_PAD};
}

/* The length of the longest side. Unlike the bounds it does not depend on the set's axes. Angles of patches follow from it. */
static double size_of(const mesh_triangle *t) {
    const abut_vec3 *c = t->corner;
    double square = real_max(abut_length_squared(abut_sub(c[1], c[0])),
                             real_max(abut_length_squared(abut_sub(c[2], c[1])), abut_length_squared(abut_sub(c[0], c[2]))));
    return sqrt(square);
}

void triangle_body_set(triangle_body *made, const mesh_triangle *t) {
    const abut_vec3 *p = &t->corner[0], *q = &t->corner[1], *r = &t->corner[2];
    double size = size_of(t);
    made->surface =
        (polytope){.face = made->face, .vertices = made->vertices, .normals = made->normals, .offsets = made->offsets, .size = size};
    set_topology(&made->surface);
    set_vertices(made, t);
    set_faces(made, t);
    set_coarse(made, size);
    abut_vec3 middle = abut_scale(1.0 / 3.0, abut_add(*p, abut_add(*q, *r)));
    made->side = -1;
    made->surface.inner_centre = made->surface.centroid = middle;
    made->body = (convex){.core = CORE_POLYTOPE,
                          .shape = &flat_shape,
                          .surface = &made->surface,
                          .aligned = true,
                          .rotation = abut_mat3_identity(),
                          .size = size};
}

/* ---- without a face ---- */

static int longest_side(const mesh_triangle *t) {
    int longest = 0;
    double most = -1.0;
    for (int i = 0; i < 3; ++i) {
        double square = abut_length_squared(abut_sub(t->corner[(i + 1) % 3], t->corner[i]));
        longest = square > most ? i : longest;
        most = real_max(square, most);
    }
    return longest;
}

static void set_line(triangle_body *made, const mesh_triangle *t) {
    made->side = longest_side(t);
    abut_vec3 from = t->corner[made->side], to = t->corner[(made->side + 1) % 3], along = abut_sub(to, from);
    double length = abut_length(along);
    made->body = (convex){.core = length > 0.0 ? CORE_SEGMENT : CORE_POINT,
                          .shape = &line_shape,
                          .half_length = 0.5 * length,
                          .rotation = abut_mat3_identity(),
                          .position = abut_lerp(from, to, 0.5),
                          .size = length};
    made->body.aligned = !(length > 0.0);
    if (length > 0.0) {
        abut_mat3 *axes = &made->body.rotation;
        axes->z = abut_scale(1.0 / length, along);
        abut_tangent_frame(axes->z, &axes->x, &axes->y);
    }
}

void triangle_body_set_any(triangle_body *made, const mesh_triangle *t) {
    if (t->flat) {
        set_line(made, t);
    } else {
        triangle_body_set(made, t);
    }
}

abut_feature triangle_body_feature(const triangle_body *body, const mesh_triangle *t, abut_feature core_feature) {
    bool line = body->side >= 0;
    switch (core_feature.kind) {
    case ABUT_FEATURE_EDGE:
        return (abut_feature){ABUT_FEATURE_EDGE, 3 * t->index + (line ? body->side : triangle_body_side(core_feature.index)), t->part};
    case ABUT_FEATURE_VERTEX:
        return (abut_feature){ABUT_FEATURE_VERTEX, t->vertex[line ? (body->side + core_feature.index) % 3 : core_feature.index], t->part};
    default:
        return (abut_feature){ABUT_FEATURE_FACE, t->index, t->part};
    }
}
