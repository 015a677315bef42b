/* Convex polytopes for tests. See solid.h. */
#include "support/solid.h"

#include <stdlib.h>
#include <string.h>

#include "support/check.h"

static solid make_solid(int32_t vertices, int32_t faces, int32_t corners) {
    solid s;
    s.vertex_count = vertices;
    s.vertices = check_memory((size_t)vertices, sizeof *s.vertices);
    s.face_count = faces;
    s.face_sizes = check_memory((size_t)faces, sizeof *s.face_sizes);
    s.face_vertices = check_memory((size_t)corners, sizeof *s.face_vertices);
    return s;
}

static int32_t corner_count(const solid *s) {
    int32_t corners = 0;
    for (int32_t f = 0; f < s->face_count; f++) {
        corners += s->face_sizes[f];
    }
    return corners;
}

solid solid_box(abut_vec3 half) {
    static const int32_t loops[24] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
    solid s = make_solid(8, 6, 24);
    for (int i = 0; i < 8; i++) {
        s.vertices[i] = abut_vec3_make(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
    }
    for (int f = 0; f < 6; f++) {
        s.face_sizes[f] = 4;
    }
    memcpy(s.face_vertices, loops, sizeof loops);
    return s;
}

static abut_vec3 rim(double radius, int32_t i, int32_t sides, double z) {
    double angle = 2.0 * PI * i / sides;
    return abut_vec3_make(radius * cos(angle), radius * sin(angle), z);
}

solid solid_prism(double radius, double half_height, int32_t sides) {
    solid s = make_solid(2 * sides, sides + 2, 6 * sides);
    int32_t *corner = s.face_vertices;
    for (int32_t i = 0; i < sides; i++) {
        s.vertices[i] = rim(radius, i, sides, -half_height);
        s.vertices[sides + i] = rim(radius, i, sides, half_height);
    }
    for (int32_t i = 0; i < sides; i++) {
        int32_t next = (i + 1) % sides;
        s.face_sizes[i] = 4;
        *corner++ = i;
        *corner++ = next;
        *corner++ = sides + next;
        *corner++ = sides + i;
    }
    s.face_sizes[sides] = s.face_sizes[sides + 1] = sides;
    for (int32_t i = 0; i < sides; i++) {
        corner[i] = sides - 1 - i;
        corner[sides + i] = sides + i;
    }
    return s;
}

solid solid_pyramid(double radius, double height, int32_t sides) {
    solid s = make_solid(sides + 1, sides + 1, 4 * sides);
    int32_t *corner = s.face_vertices;
    for (int32_t i = 0; i < sides; i++) {
        s.vertices[i] = rim(radius, i, sides, -0.25 * height);
        s.face_sizes[i] = 3;
        *corner++ = i;
        *corner++ = (i + 1) % sides;
        *corner++ = sides;
    }
    s.vertices[sides] = abut_vec3_make(0.0, 0.0, 0.75 * height);
    s.face_sizes[sides] = sides;
    for (int32_t i = 0; i < sides; i++) {
        corner[i] = sides - 1 - i;
    }
    return s;
}

static double orient(abut_vec3 p, abut_vec3 q, abut_vec3 r, abut_vec3 s) {
    return abut_dot(abut_cross(abut_sub(q, p), abut_sub(r, p)), abut_sub(s, p));
}

solid solid_tetrahedron(abut_vec3 p, abut_vec3 q, abut_vec3 r, abut_vec3 t) {
    static const int32_t loops[12] = {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2};
    solid s = make_solid(4, 4, 12);
    bool behind = orient(p, q, r, t) < 0.0;
    s.vertices[0] = p;
    s.vertices[1] = behind ? q : r;
    s.vertices[2] = behind ? r : q;
    s.vertices[3] = t;
    for (int f = 0; f < 4; f++) {
        s.face_sizes[f] = 3;
    }
    memcpy(s.face_vertices, loops, sizeof loops);
    return s;
}

static bool supports(const abut_vec3 *p, int32_t count, int32_t i, int32_t j, int32_t k) {
    for (int32_t l = 0; l < count; l++) {
        if (l != i && l != j && l != k && orient(p[i], p[j], p[k], p[l]) > 0.0) {
            return false;
        }
    }
    return true;
}

static void first_triangle(const abut_vec3 *p, int32_t count, int32_t triangle[3]) {
    for (int32_t j = 1; j < count; j++) {
        for (int32_t k = 1; k < count; k++) {
            if (j != k && supports(p, count, 0, j, k)) {
                triangle[0] = 0;
                triangle[1] = j;
                triangle[2] = k;
                return;
            }
        }
    }
    fail_msg("point 0 is not a vertex of the hull");
}

/* The point that makes a triangle with the directed edge i -> j such that no point lies in front of it. */
static int32_t wrap(const abut_vec3 *p, int32_t count, int32_t i, int32_t j) {
    int32_t best = -1;
    for (int32_t l = 0; l < count; l++) {
        if (l != i && l != j && (best < 0 || orient(p[i], p[j], p[best], p[l]) > 0.0)) {
            best = l;
        }
    }
    return best;
}

solid solid_hull(const abut_vec3 *points, int32_t count) {
    int32_t faces = 2 * count - 4, made = 1;
    solid s = make_solid(count, faces, 3 * faces);
    bool *done = check_memory((size_t)count * (size_t)count, sizeof *done);
    memcpy(s.vertices, points, (size_t)count * sizeof *points);
    first_triangle(points, count, s.face_vertices);
    for (int32_t f = 0; f < made; f++) {
        const int32_t *loop = s.face_vertices + 3 * f;
        s.face_sizes[f] = 3;
        for (int e = 0; e < 3; e++) {
            done[loop[e] * count + loop[(e + 1) % 3]] = true;
        }
        for (int e = 0; e < 3; e++) {
            int32_t i = loop[(e + 1) % 3], j = loop[e];
            if (done[i * count + j]) {
                continue;
            }
            assert_true(made < faces);
            int32_t k = wrap(points, count, i, j);
            int32_t triangle[3] = {i, j, k};
            memcpy(s.face_vertices + 3 * made, triangle, sizeof triangle);
            made++;
            done[i * count + j] = done[j * count + k] = done[k * count + i] = true;
        }
    }
    free(done);
    assert_int_equal(made, faces);
    return s;
}

solid solid_cloud(random_state *state, int32_t count, abut_vec3 semi_axes) {
    abut_vec3 *points = check_memory((size_t)count, sizeof *points);
    for (int32_t i = 0; i < count; i++) {
        abut_vec3 d = random_direction(state);
        points[i] = abut_vec3_make(semi_axes.x * d.x, semi_axes.y * d.y, semi_axes.z * d.z);
    }
    solid s = solid_hull(points, count);
    free(points);
    return s;
}

static solid copy(const solid *s) {
    int32_t corners = corner_count(s);
    solid c = make_solid(s->vertex_count, s->face_count, corners);
    memcpy(c.vertices, s->vertices, (size_t)s->vertex_count * sizeof *s->vertices);
    memcpy(c.face_sizes, s->face_sizes, (size_t)s->face_count * sizeof *s->face_sizes);
    memcpy(c.face_vertices, s->face_vertices, (size_t)corners * sizeof *s->face_vertices);
    return c;
}

solid solid_scaled(const solid *s, double factor) {
    solid c = copy(s);
    for (int32_t i = 0; i < c.vertex_count; i++) {
        c.vertices[i] = abut_scale(factor, c.vertices[i]);
    }
    return c;
}

solid solid_mirrored(const solid *s) {
    solid c = copy(s);
    for (int32_t i = 0; i < c.vertex_count; i++) {
        c.vertices[i].x = -c.vertices[i].x;
    }
    int32_t *loop = c.face_vertices;
    for (int32_t f = 0; f < c.face_count; f++) {
        int32_t size = c.face_sizes[f];
        for (int32_t i = 0; i < size / 2; i++) {
            int32_t swap = loop[i];
            loop[i] = loop[size - 1 - i];
            loop[size - 1 - i] = swap;
        }
        loop += size;
    }
    return c;
}

void solid_free(solid *s) {
    free(s->vertices);
    free(s->face_sizes);
    free(s->face_vertices);
}

abut_vec3 solid_centroid(const solid *s) {
    abut_vec3 sum = {0, 0, 0}, origin = s->vertices[0];
    double volume = 0.0;
    const int32_t *loop = s->face_vertices;
    for (int32_t f = 0; f < s->face_count; f++) {
        for (int32_t i = 1; i + 1 < s->face_sizes[f]; i++) {
            abut_vec3 p = abut_sub(s->vertices[loop[0]], origin);
            abut_vec3 q = abut_sub(s->vertices[loop[i]], origin);
            abut_vec3 r = abut_sub(s->vertices[loop[i + 1]], origin);
            double six = abut_dot(p, abut_cross(q, r));
            volume += six;
            sum = abut_add_scaled(sum, 0.25 * six, abut_add(p, abut_add(q, r)));
        }
        loop += s->face_sizes[f];
    }
    return abut_add_scaled(origin, 1.0 / volume, sum);
}

double solid_reach(const solid *s) {
    double reach = 0.0;
    for (int32_t i = 0; i < s->vertex_count; i++) {
        reach = fmax(reach, abut_length(s->vertices[i]));
    }
    return reach;
}

abut_shape *solid_shape(const solid *s) {
    abut_polytope_def def = {s->vertices, s->vertex_count, s->face_sizes, s->face_count, s->face_vertices, 0.0};
    abut_polytope_report report;
    abut_shape *shape = NULL;
    abut_status status = abut_shape_create_polytope(&def, &report, &shape);
    if (status != ABUT_OK) {
        fail_msg("abut_shape_create_polytope: %s (face %d, vertex %d, dent %g)", abut_status_name(status), (int)report.face, (int)report.vertex,
                 report.dent);
    }
    return shape;
}
