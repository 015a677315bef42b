/* A mesh from its triangles: checks, placement, the hierarchy, and the report about defects of the surface. */

#include <float.h>
#include <math.h>

#include "base/argument.h"
#include "base/memory.h"
#include "base/real.h"
#include "shape/bounds.h"
#include "shape/build/corners.h"
#include "shape/build/repeated.h"
#include "shape/closed/convex_mesh.h"
#include "shape/closed/inside.h"
#include "shape/lifecycle.h"
#include "shape/mass.h"
#include "shape/edges/mesh_smooth.h"
#include "shape/closed/sides.h"
#include "shape/shape.h"
#include "shape/trimesh.h"

abut_trimesh_def abut_trimesh_def_default(void) { return (abut_trimesh_def){.scale = {1.0, 1.0, 1.0}, .pose = abut_pose_identity()}; }

/* ---- checks ---- */

static abut_status blame(abut_trimesh_report *report, int32_t culprit, abut_status status) {
    report->culprit = culprit;
    return status;
}

static bool lacks_arrays(const char *call, const abut_trimesh_def *def) {
    const int32_t most = 700000000;
    return argument_is_null(call, "def->vertices", def->vertices) || argument_is_null(call, "def->triangles", def->triangles) ||
           argument_is_below(call, "def->vertex_count", def->vertex_count, 3) ||
           argument_is_outside(call, "def->triangle_count", def->triangle_count, 1, most);
}

static bool scale_is_zero(const char *call, abut_vec3 scale) {
    return (scale.x == 0.0 || scale.y == 0.0 || scale.z == 0.0) &&
           refused(call, "def->scale is (%.9g, %.9g, %.9g): no component may be 0", scale.x, scale.y, scale.z);
}

static abut_status check(const char *call, const abut_trimesh_def *def, abut_trimesh_report *report) {
    if (argument_is_null(call, "def", def)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (argument_is_zero(def, sizeof *def)) {
        return refuse_zero(call, "def", "abut_trimesh_def_default");
    }
    if (lacks_arrays(call, def)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (argument_is_no_vector(call, "def->scale", def->scale) || argument_is_no_vector(call, "def->pose.position", def->pose.position)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    if (scale_is_zero(call, def->scale) || argument_is_no_pose(call, "def->pose", def->pose)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (argument_is_not_finite(call, "def->smooth_angle", def->smooth_angle)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    if (argument_is_outside(call, "def->smooth_angle", def->smooth_angle, 0.0, REAL_PI / 3.0)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    for (int32_t v = 0; v < def->vertex_count; v++) {
        if (!abut_vec3_is_finite(def->vertices[v])) {
            (void)refused_element(call, "def->vertices", v, def->vertices[v]);
            return blame(report, v, ABUT_ERROR_NOT_FINITE);
        }
    }
    for (int32_t c = 0; c < 3 * def->triangle_count; c++) {
        if (def->triangles[c] < 0 || def->triangles[c] >= def->vertex_count) {
            (void)refused(call, "def->triangles[%d] is %d: it must be an index of %d vertices", (int)c, (int)def->triangles[c],
                          (int)def->vertex_count);
            return blame(report, c, ABUT_ERROR_INVALID_ARGUMENT);
        }
    }
    return ABUT_OK;
}

/* ---- the surface ---- */

static bool is_unmoved(abut_pose pose) {
    return pose.position.x == 0.0 && pose.position.y == 0.0 && pose.position.z == 0.0 && pose.rotation.x == 0.0 && pose.rotation.y == 0.0 &&
           pose.rotation.z == 0.0;
}

/* Transforms each vertex once, so that vertices at the same place stay together. Adding zero turns -0 into 0. */
static void place_vertices(trimesh *mesh, const abut_trimesh_def *def) {
    bool unmoved = is_unmoved(def->pose);
    abut_mat3 turn = abut_mat3_from_quat(def->pose.rotation);
    for (int32_t v = 0; v < def->vertex_count; v++) {
        abut_vec3 p = def->vertices[v];
        p = abut_vec3_make(def->scale.x * p.x + 0.0, def->scale.y * p.y + 0.0, def->scale.z * p.z + 0.0);
        mesh->vertices[v] = unmoved ? p : abut_add(abut_mat3_apply(turn, p), def->pose.position);
    }
}

static void copy_triangles(trimesh *mesh, const abut_trimesh_def *def) {
    bool mirrored = (def->scale.x < 0.0) != ((def->scale.y < 0.0) != (def->scale.z < 0.0));
    for (size_t t = 0; t < (size_t)def->triangle_count; t++) {
        mesh->corners[3 * t] = def->triangles[3 * t];
        mesh->corners[3 * t + 1] = def->triangles[3 * t + (mirrored ? 2 : 1)];
        mesh->corners[3 * t + 2] = def->triangles[3 * t + (mirrored ? 1 : 2)];
    }
}

static abut_aabb triangle_bounds(const abut_triangle *t) { return bounds_of_points(t->corner, 3); }

static double largest_coordinate(abut_aabb box) {
    double x = real_max(fabs(box.lower.x), fabs(box.upper.x)), y = real_max(fabs(box.lower.y), fabs(box.upper.y));
    return real_max(x, real_max(y, real_max(fabs(box.lower.z), fabs(box.upper.z))));
}

static bool make_tree(trimesh *mesh, abut_aabb *all) {
    abut_aabb *boxes = memory_allocate((size_t)mesh->triangle_count, sizeof *boxes);
    if (boxes == NULL) {
        return false;
    }
    *all = bounds_of_points(NULL, 0);
    for (int32_t i = 0; i < mesh->triangle_count; i++) {
        abut_triangle triangle;
        trimesh_triangle(mesh, i, &triangle);
        boxes[i] = triangle_bounds(&triangle);
        *all = bounds_join(*all, boxes[i]);
    }
    bool built = packed_tree_build(&mesh->tree, boxes, mesh->triangle_count, mesh->order);
    memory_release(boxes);
    return built;
}

static bool fill(trimesh *mesh, const abut_trimesh_def *def, abut_aabb *bounds) {
    mesh->vertex_count = def->vertex_count;
    mesh->triangle_count = mesh->item_count = def->triangle_count;
    mesh->two_sided = def->two_sided;
    mesh->vertices = memory_allocate((size_t)def->vertex_count, sizeof *mesh->vertices);
    mesh->corners = memory_allocate((size_t)def->triangle_count, 3 * sizeof *mesh->corners);
    mesh->order = memory_allocate((size_t)def->triangle_count, sizeof *mesh->order);
    if (mesh->vertices == NULL || mesh->corners == NULL || mesh->order == NULL) {
        return false;
    }
    place_vertices(mesh, def);
    copy_triangles(mesh, def);
    return make_tree(mesh, bounds);
}

/* ---- defects ---- */

static void count_degenerate(const trimesh *mesh, abut_trimesh_report *report) {
    for (int32_t i = 0; i < mesh->triangle_count; i++) {
        abut_triangle triangle;
        abut_vec3 across;
        trimesh_triangle(mesh, i, &triangle);
        if (trimesh_is_flat(mesh, triangle.corner, &across)) {
            report->first_degenerate = report->degenerate_count == 0 ? i : report->first_degenerate;
            ++report->degenerate_count;
        }
    }
}

/* corners: receives the vertices of all triangles; vertices at the same place count as one. */
static bool join_vertices(const trimesh *mesh, int32_t *corners, abut_trimesh_report *report) {
    int32_t *map = memory_allocate((size_t)mesh->vertex_count, 2 * sizeof *map), *all = map + mesh->vertex_count;
    for (int32_t v = 0; map != NULL && v < mesh->vertex_count; v++) {
        all[v] = v;
    }
    bool done = map != NULL && repeated_map(mesh->vertices, all, mesh->vertex_count, map);
    for (int32_t v = 0; done && v < mesh->vertex_count; v++) {
        report->repeated_count += map[v] != v;
    }
    for (int32_t c = 0; done && c < 3 * mesh->triangle_count; c++) {
        corners[c] = map[mesh->corners[c]];
    }
    memory_release(map);
    return done;
}

static bool count_open(trimesh *mesh, int32_t *joined, double smooth_angle, abut_trimesh_report *report) {
    loops faces = {.face_count = mesh->triangle_count, .vertex = joined};
    corners map;
    if (corners_map(&map, &faces, mesh->vertex_count, &report->open_edge_count) != ABUT_OK) {
        return false;
    }
    for (int32_t c = 0; c < map.count && report->first_open < 0; c++) {
        report->first_open = map.twin[c] < 0 ? c / 3 : -1;
    }
    bool done = report->open_edge_count > 0 || mesh->two_sided || mesh_sides_keep(mesh, &map);
    done = done && (smooth_angle == 0.0 || mesh_smooth_make(mesh, map.twin, smooth_angle));
    corners_release(&map);
    return done;
}

static bool examine(trimesh *mesh, const abut_shape *made, double smooth_angle, abut_mass *unit_mass, abut_trimesh_report *report) {
    count_degenerate(mesh, report);
    int32_t *joined = memory_allocate((size_t)mesh->triangle_count, 3 * sizeof *joined);
    bool done = joined != NULL && join_vertices(mesh, joined, report) && count_open(mesh, joined, smooth_angle, report);
    memory_release(joined);
    if (done && report->open_edge_count == 0) {
        const mass_surface surface = {mesh->vertices, NULL, mesh->corners, mesh->triangle_count, bounds_extent(made->bounds)};
        *unit_mass = mass_of_surface(&surface, abut_lerp(made->bounds.lower, made->bounds.upper, 0.5));
    }
    mesh->closed = report->closed = isnormal(unit_mass->volume) && unit_mass->volume > 0.0;
    if (!mesh->closed) {
        mesh_sides_forget(mesh);
    }
    return done;
}

static bool find_inside(trimesh *mesh, abut_aabb bounds) {
    return !mesh->closed || (convex_mesh_make(mesh, &mesh->convex) && (mesh->convex != NULL || inside_make(mesh, bounds, &mesh->inside)));
}

/* The smooth surface may leave the bounds of the triangles. */
static abut_aabb grown(abut_aabb box, double by) {
    const abut_vec3 more = {by, by, by};
    return by > 0.0 ? (abut_aabb){abut_sub(box.lower, more), abut_add(box.upper, more)} : box;
}

/* ---- all of it ---- */

static abut_status create(const char *call, const abut_trimesh_def *def, abut_trimesh_report *report, abut_shape **shape) {
    abut_status status = argument_is_null(call, "shape", shape) ? ABUT_ERROR_INVALID_ARGUMENT : check(call, def, report);
    if (status != ABUT_OK) {
        return status;
    }
    abut_shape *made = shape_allocate(ABUT_SHAPE_TRIMESH);
    trimesh *mesh = made != NULL ? made->mesh = memory_allocate(1, sizeof *mesh) : NULL;
    if (mesh == NULL || !fill(mesh, def, &made->bounds)) {
        shape_free(made);
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    if (!(bounds_extent(made->bounds) > 0.0)) {
        shape_free(made);
        return refuse(ABUT_ERROR_DEGENERATE, call, "def->vertices are all at one place");
    }
    mesh->flat = 8.0 * DBL_EPSILON * largest_coordinate(made->bounds);
    if (!examine(mesh, made, def->smooth_angle, &made->unit_mass, report) || !find_inside(mesh, made->bounds)) {
        shape_free(made);
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    made->bounds = grown(made->bounds, mesh_smooth_bulge(mesh));
    report->bytes = sizeof *made + trimesh_bytes(mesh);
    return shape_publish_mesh(call, made, shape);
}

abut_status abut_shape_create_trimesh(const abut_trimesh_def *def, abut_trimesh_report *report, abut_shape **shape) {
    abut_trimesh_report found = {.first_degenerate = -1, .first_open = -1, .culprit = -1};
    abut_status status = create(CALL_NAME, def, &found, shape);
    if (report != NULL) {
        *report = found;
    }
    return status;
}

/* ---- queries ---- */

static bool has_triangles(const abut_shape *shape) {
    return shape != NULL && (shape->kind == ABUT_SHAPE_TRIMESH || shape->kind == ABUT_SHAPE_FACETMESH);
}

int32_t abut_shape_triangle_count(const abut_shape *shape) { return has_triangles(shape) ? shape->mesh->triangle_count : 0; }

int32_t abut_shape_vertex_count(const abut_shape *shape) { return has_triangles(shape) ? shape->mesh->vertex_count : 0; }

abut_status abut_shape_triangle(const abut_shape *shape, int32_t index, abut_triangle *triangle) {
    if (argument_is_null(CALL_NAME, "triangle", triangle) || argument_is_null(CALL_NAME, "shape", shape) ||
        argument_is_no_index(CALL_NAME, "index", index, abut_shape_triangle_count(shape))) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    trimesh_triangle(shape->mesh, index, triangle);
    return ABUT_OK;
}
