/* Invariants of polytope surfaces. See surface.h. */
#include "support/surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int32_t face_size(const polytope *p, int32_t face) { return p->face_first[face + 1] - p->face_first[face]; }

static int32_t corner(const polytope *p, int32_t face, int32_t i) {
    int32_t count = face_size(p, face);
    return p->face_vertices[p->face_first[face] + ((i % count) + count) % count];
}

static bool loop_has_edge(const polytope *p, int32_t face, int32_t from, int32_t to) {
    for (int32_t i = 0; i < face_size(p, face); i++) {
        if (corner(p, face, i) == from && corner(p, face, i + 1) == to) {
            return true;
        }
    }
    return false;
}

static void check_edges(const polytope *p) {
    for (int32_t e = 0; e < p->edge_count; e++) {
        const polytope_edge *edge = &p->edges[e];
        assert_true(edge->vertex[0] < edge->vertex[1]);
        assert_int_equal(p->edge_vertices[2 * e], edge->vertex[0]);
        assert_int_equal(p->edge_vertices[2 * e + 1], edge->vertex[1]);
        assert_true(loop_has_edge(p, edge->face[0], edge->vertex[0], edge->vertex[1]));
        assert_true(loop_has_edge(p, edge->face[1], edge->vertex[1], edge->vertex[0]));
        assert_int_not_equal(edge->face[0], edge->face[1]);
        if (e > 0) {
            const int32_t *before = p->edges[e - 1].vertex;
            assert_true(before[0] < edge->vertex[0] || (before[0] == edge->vertex[0] && before[1] < edge->vertex[1]));
        }
    }
    for (int32_t f = 0; f < p->face_count; f++) {
        for (int32_t i = 0; i < face_size(p, f); i++) {
            const polytope_edge *edge = &p->edges[p->face_edges[p->face_first[f] + i]];
            int32_t a = corner(p, f, i), b = corner(p, f, i + 1);
            assert_int_equal(edge->vertex[0], a < b ? a : b);
            assert_int_equal(edge->vertex[1], a < b ? b : a);
            assert_int_equal(edge->face[a < b ? 0 : 1], f);
        }
    }
}

/* The face between a spoke and the next one. In its loop, counter-clockwise seen from outside, it begins with the spoke that leaves the vertex. */
static void check_fans(const polytope *p) {
    assert_int_equal(p->vertex_first[0], 0);
    assert_int_equal(p->vertex_first[p->vertex_count], 2 * p->edge_count);
    for (int32_t v = 0; v < p->vertex_count; v++) {
        int32_t first = p->vertex_first[v], degree = p->vertex_first[v + 1] - first;
        assert_true(degree >= 3);
        for (int32_t i = 0; i < degree; i++) {
            const polytope_edge *edge = &p->edges[p->vertex_edges[first + i]];
            const polytope_edge *next = &p->edges[p->vertex_edges[first + (i + 1) % degree]];
            int32_t face = p->vertex_faces[first + i];
            assert_true(edge->vertex[0] == v || edge->vertex[1] == v);
            int32_t end = edge->vertex[0] == v ? edge->vertex[1] : edge->vertex[0];
            int32_t next_end = next->vertex[0] == v ? next->vertex[1] : next->vertex[0];
            assert_true(loop_has_edge(p, face, v, end));
            assert_true(loop_has_edge(p, face, next_end, v));
            for (int32_t k = i + 1; k < degree; k++) {
                assert_int_not_equal(p->vertex_edges[first + i], p->vertex_edges[first + k]);
            }
        }
    }
}

void surface_check_topology(const polytope *p) {
    assert_true(p->vertex_count >= 4 && p->face_count >= 4);
    assert_int_equal(p->vertex_count - p->edge_count + p->face_count, 2);
    assert_int_equal(p->face_first[0], 0);
    assert_int_equal(p->face_first[p->face_count], 2 * p->edge_count);
    for (int32_t f = 0; f < p->face_count; f++) {
        assert_true(face_size(p, f) >= 3);
        for (int32_t i = 0; i < face_size(p, f); i++) {
            assert_in_range(corner(p, f, i), 0, (uintmax_t)p->vertex_count - 1);
        }
    }
    check_edges(p);
    check_fans(p);
}

double surface_edge_angle(const polytope *p, int32_t edge) {
    const int32_t *face = p->edges[edge].face;
    return acos(fmax(-1.0, fmin(1.0, abut_dot(p->normals[face[0]], p->normals[face[1]]))));
}

/* The corners of a face all turn left, and together once round. */
static void check_turns(const polytope *p, int32_t face, double tolerance) {
    double turn = 0.0;
    for (int32_t i = 0; i < face_size(p, face); i++) {
        abut_vec3 a = p->vertices[corner(p, face, i - 1)], b = p->vertices[corner(p, face, i)], c = p->vertices[corner(p, face, i + 1)];
        abut_vec3 in = abut_sub(b, a), out = abut_sub(c, b);
        double angle = atan2(abut_dot(p->normals[face], abut_cross(in, out)), abut_dot(in, out));
        double shorter = fmin(abut_length(in), abut_length(out));
        assert_true(angle * shorter >= -tolerance * p->size);
        turn += angle;
    }
    assert_near(turn, 2.0 * acos(-1.0), 1e-6);
}

void surface_check_geometry(const polytope *p, double tolerance) {
    abut_vec3 lower = p->vertices[0], upper = lower;
    for (int32_t v = 1; v < p->vertex_count; v++) {
        lower = abut_vec3_make(fmin(lower.x, p->vertices[v].x), fmin(lower.y, p->vertices[v].y), fmin(lower.z, p->vertices[v].z));
        upper = abut_vec3_make(fmax(upper.x, p->vertices[v].x), fmax(upper.y, p->vertices[v].y), fmax(upper.z, p->vertices[v].z));
    }
    abut_vec3 extent = abut_sub(upper, lower);
    assert_near(p->size, fmax(extent.x, fmax(extent.y, extent.z)), 0.0);
    double *angles = check_memory((size_t)p->face_count, sizeof *angles);
    for (int32_t f = 0; f < p->face_count; f++) {
        angles[f] = INFINITY;
        assert_near(abut_length(p->normals[f]), 1.0, 1e-15);
        double offset = -INFINITY;
        abut_vec3 first = p->vertices[corner(p, f, 0)];
        for (int32_t i = 0; i < face_size(p, f); i++) {
            abut_vec3 v = p->vertices[corner(p, f, i)];
            offset = fmax(offset, abut_dot(p->normals[f], v));
            assert_near(abut_dot(p->normals[f], abut_sub(v, first)), 0.0, tolerance * p->size);
        }
        assert_near(p->offsets[f], offset, 0.0);
        check_turns(p, f, tolerance);
    }
    for (int32_t v = 0; v < p->vertex_count; v++) {
        assert_true(surface_outside(p, p->vertices[v]) <= tolerance * p->size);
    }
    for (int32_t e = 0; e < p->edge_count; e++) {
        const int32_t *face = p->edges[e].face;
        double angle = surface_edge_angle(p, e);
        angles[face[0]] = fmin(angles[face[0]], angle);
        angles[face[1]] = fmin(angles[face[1]], angle);
    }
    for (int32_t f = 0; f < p->face_count; f++) {
        assert_near(p->face_angles[f], angles[f], 1e-7);
    }
    free(angles);
}

double surface_outside(const polytope *p, abut_vec3 point) {
    double outside = -INFINITY;
    for (int32_t f = 0; f < p->face_count; f++) {
        outside = fmax(outside, abut_dot(p->normals[f], abut_sub(point, p->vertices[corner(p, f, 0)])));
    }
    return outside;
}

/* One third of the sum over the faces of area times distance from the mean vertex. */
static double cone_volume(const polytope *p) {
    abut_vec3 mean = {0, 0, 0}, anchor = p->vertices[0];
    for (int32_t v = 0; v < p->vertex_count; v++) {
        mean = abut_add_scaled(mean, 1.0 / p->vertex_count, abut_sub(p->vertices[v], anchor));
    }
    mean = abut_add(anchor, mean);
    double volume = 0.0;
    for (int32_t f = 0; f < p->face_count; f++) {
        abut_vec3 origin = p->vertices[corner(p, f, 0)], area = {0, 0, 0};
        for (int32_t i = 0; i < face_size(p, f); i++) {
            area = abut_add(area,
                            abut_cross(abut_sub(p->vertices[corner(p, f, i)], origin), abut_sub(p->vertices[corner(p, f, i + 1)], origin)));
        }
        volume += abut_dot(area, abut_sub(origin, mean)) / 6.0;
    }
    return volume;
}

void surface_check_measures(const polytope *p, double volume, double tolerance) {
    assert_near(volume, cone_volume(p), (1e-12 + tolerance) * p->size * p->size * p->size);
    assert_near(p->centroid_inradius, -surface_outside(p, p->centroid), tolerance * p->size);
    assert_near(p->inradius, -surface_outside(p, p->inner_centre), tolerance * p->size);
    assert_true(p->centroid_inradius > 0.0);
    assert_true(p->inradius >= p->centroid_inradius);
    /* No small displacement allows a larger ball: every displacement approaches some plane that the ball touches. */
    random_state random = random_make(2718);
    double step = 1e-3 * p->inradius;
    for (int i = 0; i < 64; i++) {
        abut_vec3 moved = abut_add_scaled(p->inner_centre, step, random_direction(&random));
        assert_true(-surface_outside(p, moved) <= p->inradius + tolerance * p->size);
    }
}

void surface_check(const abut_shape *shape, double tolerance) {
    surface_check_topology(&shape->surface);
    surface_check_geometry(&shape->surface, tolerance);
    surface_check_measures(&shape->surface, shape->unit_mass.volume, tolerance);
    assert_near(shape->size, shape->surface.size, 0.0);
}

int32_t surface_find_face(const polytope *p, const int32_t *vertices, int32_t count) {
    for (int32_t f = 0; f < p->face_count; f++) {
        for (int32_t turn = 0; face_size(p, f) == count && turn < count; turn++) {
            int32_t same = 0;
            while (same < count && corner(p, f, turn + same) == vertices[same]) {
                same++;
            }
            if (same == count) {
                return f;
            }
        }
    }
    return -1;
}

bool surface_equal(const polytope *a, const polytope *b) {
    if (a->vertex_count != b->vertex_count || a->face_count != b->face_count || a->edge_count != b->edge_count) {
        return false;
    }
    size_t vertices = (size_t)a->vertex_count, faces = (size_t)a->face_count, edges = (size_t)a->edge_count;
    return memcmp(a->vertices, b->vertices, vertices * sizeof *a->vertices) == 0 &&
           memcmp(a->normals, b->normals, faces * sizeof *a->normals) == 0 &&
           memcmp(a->offsets, b->offsets, faces * sizeof *a->offsets) == 0 &&
           memcmp(a->face_first, b->face_first, (faces + 1) * sizeof *a->face_first) == 0 &&
           memcmp(a->face_vertices, b->face_vertices, 2 * edges * sizeof *a->face_vertices) == 0 &&
           memcmp(a->face_edges, b->face_edges, 2 * edges * sizeof *a->face_edges) == 0 &&
           memcmp(a->vertex_edges, b->vertex_edges, 2 * edges * sizeof *a->vertex_edges) == 0 &&
           memcmp(&a->centroid, &b->centroid, sizeof a->centroid) == 0 &&
           memcmp(&a->inner_centre, &b->inner_centre, sizeof a->inner_centre) == 0;
}
