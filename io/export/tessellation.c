/*
 * Makes triangles of recorded shapes: fans of convex faces, rings of a ball or capsule, the recorded surface of a smooth shape, a square for a plane. Shape
 * frame, normals outward.
 */
#include "io/export/tessellation.h"

#include <math.h>
#include <stdlib.h>

#include "io/surface/turn.h"

/* Meridians of a ball, and rings from each pole to the equator. */
enum { MERIDIANS = 32, RINGS = 8 };

static const double pi = 3.14159265358979323846;

static void count_shape(const abut_recorded_shape *shape, tessellation *made) {
    switch (shape->kind) {
    case ABUT_SHAPE_SPHERE:
    case ABUT_SHAPE_CAPSULE:
        /* Both poles are rings too, with a vertex for each meridian. Triangles without area are left out, so these are upper bounds. */
        made->vertex_count += (size_t)(2 * (RINGS + 1) * MERIDIANS);
        made->index_count += (size_t)(3 * (2 * (2 * (RINGS - 1) + 1) + 2) * MERIDIANS);
        break;
    case ABUT_SHAPE_PLANE:
        made->vertex_count += 4;
        made->index_count += 6;
        break;
    case ABUT_SHAPE_BOX:
    case ABUT_SHAPE_POLYTOPE:
    case ABUT_SHAPE_TRIMESH:
    case ABUT_SHAPE_FACETMESH:
    case ABUT_SHAPE_CYLINDER:
    case ABUT_SHAPE_CONE:
        for (int32_t f = 0; f < shape->face_count; f++) {
            size_t corners = (size_t)(shape->face_first[f + 1] - shape->face_first[f]);
            made->vertex_count += corners;
            made->index_count += corners > 2 ? 3 * (corners - 2) : 0;
        }
        break;
    case ABUT_SHAPE_ELLIPSOID:
    case ABUT_SHAPE_SUPERQUADRIC:
    case ABUT_SHAPE_IMPLICIT:
    case ABUT_SHAPE_PARAMETRIC:
        made->vertex_count += (size_t)shape->vertex_count;
        for (int32_t f = 0; f < shape->face_count; f++) {
            size_t corners = (size_t)(shape->face_first[f + 1] - shape->face_first[f]);
            made->index_count += corners > 2 ? 3 * (corners - 2) : 0;
        }
        break;
    case ABUT_SHAPE_COMPOUND:
        break;
    }
}

static void add_vertex(tessellation *made, abut_pose pose, abut_vec3 position, abut_vec3 normal) {
    abut_vec3 p = abut_pose_apply(pose, position), n = abut_quat_rotate(pose.rotation, normal);
    size_t i = 3 * made->vertex_count++;
    made->positions[i] = (float)p.x;
    made->positions[i + 1] = (float)p.y;
    made->positions[i + 2] = (float)p.z;
    made->normals[i] = (float)n.x;
    made->normals[i + 1] = (float)n.y;
    made->normals[i + 2] = (float)n.z;
}

static void add_triangle(tessellation *made, size_t a, size_t b, size_t c) {
    made->indices[made->index_count++] = (uint32_t)a;
    made->indices[made->index_count++] = (uint32_t)b;
    made->indices[made->index_count++] = (uint32_t)c;
}

/* Newell's sum: the direction of the polygon's vector area. */
static abut_vec3 face_normal(const abut_recorded_shape *shape, int32_t first, int32_t end) {
    abut_vec3 origin = shape->vertices[shape->face_vertices[first]], sum = {0, 0, 0};
    for (int32_t c = first + 1; c + 1 < end; c++) {
        abut_vec3 u = abut_sub(shape->vertices[shape->face_vertices[c]], origin);
        abut_vec3 v = abut_sub(shape->vertices[shape->face_vertices[c + 1]], origin);
        sum = abut_add(sum, abut_cross(u, v));
    }
    abut_vec3 normal = abut_unit(sum);
    return abut_length_squared(normal) > 0.0 ? normal : abut_vec3_make(0, 0, 1);
}

/* The normal of a strip of a surface of revolution, turned about the z axis to the position. */
static abut_vec3 turned_towards(abut_vec3 position, abut_vec3 normal) {
    double rho = hypot(position.x, position.y), across = hypot(normal.x, normal.y);
    return rho > 0.0 ? abut_vec3_make(position.x / rho * across, position.y / rho * across, normal.z) : normal;
}

/* Flat polygons; the side of a cylinder or a cone is round. */
static void add_polygons(const abut_recorded_shape *shape, abut_pose pose, tessellation *made) {
    for (int32_t f = 0; f < shape->face_count; f++) {
        int32_t first = shape->face_first[f], end = shape->face_first[f + 1];
        if (first == end) {
            continue;
        }
        abut_vec3 normal = face_normal(shape, first, end);
        bool round = (shape->kind == ABUT_SHAPE_CYLINDER || shape->kind == ABUT_SHAPE_CONE) && fabs(normal.z) < 1.0;
        size_t base = made->vertex_count;
        for (int32_t c = first; c < end; c++) {
            abut_vec3 position = shape->vertices[shape->face_vertices[c]];
            add_vertex(made, pose, position, round ? turned_towards(position, normal) : normal);
        }
        for (size_t c = base + 1; c + 1 < made->vertex_count; c++) {
            add_triangle(made, base, c, c + 1);
        }
    }
}

/* Vertices are shared by their faces and have the mean of the face normals. */
static void add_smooth(const abut_recorded_shape *shape, abut_pose pose, tessellation *made) {
    size_t base = made->vertex_count;
    for (int32_t v = 0; v < shape->vertex_count; v++) {
        add_vertex(made, pose, shape->vertices[v], abut_vec3_make(0, 0, 0));
    }
    for (int32_t f = 0; f < shape->face_count; f++) {
        int32_t first = shape->face_first[f], end = shape->face_first[f + 1];
        abut_vec3 normal = end - first > 2 ? abut_quat_rotate(pose.rotation, face_normal(shape, first, end)) : abut_vec3_make(0, 0, 0);
        for (int32_t c = first; c < end; c++) {
            float *sum = made->normals + 3 * (base + (size_t)shape->face_vertices[c]);
            sum[0] += (float)normal.x;
            sum[1] += (float)normal.y;
            sum[2] += (float)normal.z;
        }
        for (int32_t c = first + 1; c + 1 < end; c++) {
            add_triangle(made, base + (size_t)shape->face_vertices[first], base + (size_t)shape->face_vertices[c],
                         base + (size_t)shape->face_vertices[c + 1]);
        }
    }
    for (size_t v = base; v < made->vertex_count; v++) {
        float *n = made->normals + 3 * v;
        abut_vec3 unit = abut_unit(abut_vec3_make(n[0], n[1], n[2]));
        unit = abut_length_squared(unit) > 0.0 ? unit : abut_vec3_make(0, 0, 1);
        n[0] = (float)unit.x;
        n[1] = (float)unit.y;
        n[2] = (float)unit.z;
    }
}

/* Rings from the pole at -z to the pole at +z. The equator occurs twice, half_length below and above the origin. */
static void add_round(const abut_recorded_shape *shape, abut_pose pose, tessellation *made) {
    size_t base = made->vertex_count;
    int rings = 2 * (RINGS + 1);
    for (int r = 0; r < rings; r++) {
        bool upper = r > RINGS;
        int step = upper ? r - RINGS - 1 : r - RINGS; /* 0 on either equator */
        abut_vec3 latitude = surface_turn(0.5 * pi * step / RINGS);
        bool pole = r == 0 || r == rings - 1;
        double wide = pole ? 0.0 : latitude.x, high = latitude.y;
        for (int m = 0; m < MERIDIANS; m++) {
            abut_vec3 turn = surface_turn(2.0 * pi * m / MERIDIANS);
            abut_vec3 normal = abut_vec3_make(wide * turn.x, wide * turn.y, high);
            abut_vec3 middle = abut_vec3_make(0, 0, upper ? shape->half_length : -shape->half_length);
            add_vertex(made, pose, abut_add_scaled(middle, shape->radius, normal), normal);
        }
    }
    for (int r = 0; r + 1 < rings; r++) {
        if (r == RINGS && shape->half_length == 0.0) {
            continue; /* both equators coincide */
        }
        for (int m = 0; m < MERIDIANS; m++) {
            size_t next = (size_t)((m + 1) % MERIDIANS);
            size_t low = base + (size_t)r * MERIDIANS, high = low + MERIDIANS;
            if (r + 2 < rings) {
                add_triangle(made, low + (size_t)m, high + next, high + (size_t)m);
            }
            if (r > 0) {
                add_triangle(made, low + (size_t)m, low + next, high + next);
            }
        }
    }
}

static void add_plane(const abut_recorded_shape *shape, abut_vec3 centre, double reach, tessellation *made) {
    abut_vec3 u, v;
    abut_tangent_frame(shape->normal, &u, &v);
    abut_vec3 middle = abut_add_scaled(centre, shape->offset - abut_dot(shape->normal, centre), shape->normal);
    size_t base = made->vertex_count;
    static const double corners[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (int c = 0; c < 4; c++) {
        abut_vec3 corner = abut_add_scaled(abut_add_scaled(middle, reach * corners[c][0], u), reach * corners[c][1], v);
        add_vertex(made, abut_pose_identity(), corner, shape->normal);
    }
    add_triangle(made, base, base + 1, base + 2);
    add_triangle(made, base, base + 2, base + 3);
}

static void add_convex(const abut_recorded_shape *shape, abut_pose pose, abut_vec3 centre, double reach, tessellation *made) {
    switch (shape->kind) {
    case ABUT_SHAPE_SPHERE:
    case ABUT_SHAPE_CAPSULE:
        add_round(shape, pose, made);
        break;
    case ABUT_SHAPE_PLANE:
        add_plane(shape, centre, reach, made);
        break;
    case ABUT_SHAPE_BOX:
    case ABUT_SHAPE_POLYTOPE:
    case ABUT_SHAPE_TRIMESH:
    case ABUT_SHAPE_FACETMESH:
    case ABUT_SHAPE_CYLINDER:
    case ABUT_SHAPE_CONE:
        add_polygons(shape, pose, made);
        break;
    case ABUT_SHAPE_ELLIPSOID:
    case ABUT_SHAPE_SUPERQUADRIC:
    case ABUT_SHAPE_IMPLICIT:
    case ABUT_SHAPE_PARAMETRIC:
        add_smooth(shape, pose, made);
        break;
    case ABUT_SHAPE_COMPOUND:
        break;
    }
}

abut_status tessellation_create(const abut_recording *recording, int32_t index, abut_vec3 centre, double reach, tessellation *made) {
    abut_recorded_shape shape, part;
    abut_status status = abut_recording_shape(recording, index, &shape);
    if (status) {
        return status;
    }
    tessellation s = {0};
    count_shape(&shape, &s);
    for (int32_t i = 0; i < shape.part_count && !status; i++) {
        status = abut_recording_shape(recording, shape.parts[i].shape, &part);
        if (!status) {
            count_shape(&part, &s);
        }
    }
    s.positions = calloc(s.vertex_count + 1, 3 * sizeof *s.positions);
    s.normals = calloc(s.vertex_count + 1, 3 * sizeof *s.normals);
    s.indices = calloc(s.index_count + 1, sizeof *s.indices);
    if (status || !s.positions || !s.normals || !s.indices) {
        tessellation_release(&s);
        return status ? status : ABUT_ERROR_OUT_OF_MEMORY;
    }
    s.vertex_count = s.index_count = 0;
    add_convex(&shape, abut_pose_identity(), centre, reach, &s);
    for (int32_t i = 0; i < shape.part_count; i++) {
        (void)abut_recording_shape(recording, shape.parts[i].shape, &part);
        add_convex(&part, shape.parts[i].pose, centre, reach, &s);
    }
    *made = s;
    return ABUT_OK;
}

void tessellation_release(tessellation *made) {
    free(made->positions);
    free(made->normals);
    free(made->indices);
    made->positions = made->normals = NULL;
    made->indices = NULL;
}
