/*
 * Makes surfaces of recorded shapes as polygons: the recorded faces, and rings of quadrilaterals around balls and capsules.
 */
#include "io/export/vtk_surface.h"

#include <math.h>
#include <stdlib.h>

#include "io/surface/turn.h"

static const double pi = 3.14159265358979323846;

/* The sizes of a surface. */
typedef struct size {
    int64_t points, polygons, corners;
} size;

static bool is_round(abut_kind kind) { return kind == ABUT_SHAPE_SPHERE || kind == ABUT_SHAPE_CAPSULE; }

/* Latitudes between the poles. A capsule has its equator twice. */
static int count_latitudes(const abut_recorded_shape *shape, int rings) { return 2 * rings - (shape->half_length > 0.0 ? 0 : 1); }

static void measure(const abut_recorded_shape *shape, int rings, size *s) {
    if (is_round(shape->kind)) {
        int64_t meridians = 4 * rings, latitudes = count_latitudes(shape, rings);
        s->points += 2 + latitudes * meridians;
        s->polygons += (latitudes + 1) * meridians;
        s->corners += (4 * (latitudes - 1) + 6) * meridians;
        return;
    }
    s->points += shape->vertex_count;
    s->polygons += shape->face_count;
    s->corners += shape->face_count > 0 ? shape->face_first[shape->face_count] : 0;
}

static void add_polygon(vtk_surface *s, int32_t face, double curvature, const int32_t *corners, int32_t count, int32_t base) {
    int32_t *first = s->first + s->polygon_count;
    for (int32_t c = 0; c < count; c++) {
        s->corners[first[0] + c] = base + corners[c];
    }
    first[1] = first[0] + count;
    s->face[s->polygon_count] = face;
    s->curvature[s->polygon_count++] = curvature;
}

/* Latitude k of a ball or capsule, from the pole at -z: its height and its radius. */
static void latitude_of(const abut_recorded_shape *shape, int rings, int k, double *wide, double *high) {
    bool upper = shape->half_length > 0.0 ? k >= rings : k >= rings - 1;
    int step = k + 1 - rings - (upper && shape->half_length > 0.0 ? 1 : 0); /* 0 on the equator */
    abut_vec3 turn = surface_turn(0.5 * pi * step / rings);
    *wide = shape->radius * turn.x;
    *high = shape->radius * turn.y + (upper ? shape->half_length : -shape->half_length);
}

static void add_round(const abut_recorded_shape *shape, int rings, abut_pose pose, vtk_surface *s) {
    int32_t base = s->point_count, meridians = 4 * rings, latitudes = count_latitudes(shape, rings);
    double end = shape->radius + shape->half_length, curvature = shape->half_length > 0.0 ? NAN : 1.0 / shape->radius;
    s->points[s->point_count++] = abut_pose_apply(pose, abut_vec3_make(0, 0, -end));
    for (int k = 0; k < latitudes; k++) {
        double wide, high;
        latitude_of(shape, rings, k, &wide, &high);
        for (int m = 0; m < meridians; m++) {
            abut_vec3 turn = surface_turn(2.0 * pi * m / meridians);
            s->points[s->point_count++] = abut_pose_apply(pose, abut_vec3_make(wide * turn.x, wide * turn.y, high));
        }
    }
    s->points[s->point_count++] = abut_pose_apply(pose, abut_vec3_make(0, 0, end));
    int32_t top = 1 + latitudes * meridians, last = top - meridians;
    for (int32_t m = 0; m < meridians; m++) {
        int32_t next = (m + 1) % meridians;
        add_polygon(s, -1, curvature, (int32_t[]){0, 1 + next, 1 + m}, 3, base);
        for (int k = 0; k + 1 < latitudes; k++) {
            int32_t low = 1 + k * meridians, high = low + meridians;
            add_polygon(s, -1, curvature, (int32_t[]){low + m, low + next, high + next, high + m}, 4, base);
        }
        add_polygon(s, -1, curvature, (int32_t[]){last + m, last + next, top}, 3, base);
    }
}

/* The curvature of a face: facets have their own; the faces of polytopes and meshes are flat. */
static double curvature_of(const abut_recorded_shape *shape, int32_t face) {
    switch (shape->kind) {
    case ABUT_SHAPE_BOX:
    case ABUT_SHAPE_POLYTOPE:
    case ABUT_SHAPE_TRIMESH:
        return 0.0;
    case ABUT_SHAPE_CYLINDER:
    case ABUT_SHAPE_CONE:
        return (face == 0 && shape->radius > 0.0) || (face == 1 && shape->top_radius > 0.0) ? 0.0 : NAN; /* discs are flat */
    default:
        return shape->radii ? 1.0 / shape->radii[face] : NAN;
    }
}

static void add_faces(const abut_recorded_shape *shape, abut_pose pose, vtk_surface *s) {
    int32_t base = s->point_count;
    for (int32_t v = 0; v < shape->vertex_count; v++) {
        s->points[s->point_count++] = abut_pose_apply(pose, shape->vertices[v]);
    }
    for (int32_t f = 0; f < shape->face_count; f++) {
        int32_t first = shape->face_first[f], count = shape->face_first[f + 1] - first;
        if (count >= 3) {
            add_polygon(s, f, curvature_of(shape, f), shape->face_vertices + first, count, base);
        }
    }
}

static void add_shape(const abut_recorded_shape *shape, int rings, abut_pose pose, vtk_surface *s) {
    if (is_round(shape->kind)) {
        add_round(shape, rings, pose, s);
    } else {
        add_faces(shape, pose, s);
    }
}

static abut_status allocate(const size *s, vtk_surface *made) {
    if (s->points > INT32_MAX || s->corners > INT32_MAX || s->polygons >= INT32_MAX) {
        return ABUT_ERROR_UNSUPPORTED;
    }
    made->points = calloc((size_t)s->points + 1, sizeof *made->points);
    made->first = calloc((size_t)s->polygons + 1, sizeof *made->first);
    made->corners = calloc((size_t)s->corners + 1, sizeof *made->corners);
    made->face = calloc((size_t)s->polygons + 1, sizeof *made->face);
    made->curvature = calloc((size_t)s->polygons + 1, sizeof *made->curvature);
    return made->points && made->first && made->corners && made->face && made->curvature ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
}

abut_status vtk_surface_create(const abut_recording *recording, int32_t index, int rings, vtk_surface *made) {
    abut_recorded_shape shape, part;
    abut_status status = abut_recording_shape(recording, index, &shape);
    if (status || rings < 2) {
        return status ? status : ABUT_ERROR_INVALID_ARGUMENT;
    }
    size needed = {0};
    measure(&shape, rings, &needed);
    for (int32_t i = 0; i < shape.part_count; i++) {
        (void)abut_recording_shape(recording, shape.parts[i].shape, &part);
        measure(&part, rings, &needed);
    }
    vtk_surface s = {0};
    status = allocate(&needed, &s);
    if (status) {
        vtk_surface_release(&s);
        return status;
    }
    add_shape(&shape, rings, abut_pose_identity(), &s);
    for (int32_t i = 0; i < shape.part_count; i++) {
        (void)abut_recording_shape(recording, shape.parts[i].shape, &part);
        add_shape(&part, rings, shape.parts[i].pose, &s);
    }
    *made = s;
    return ABUT_OK;
}

void vtk_surface_release(vtk_surface *made) {
    free(made->points);
    free(made->first);
    free(made->corners);
    free(made->face);
    free(made->curvature);
    *made = (vtk_surface){0};
}
