/*
 * The part of a recording that does not change: scene, bodies and the surfaces of their shapes. Each distinct shape is written once,
 * compounds as lists of parts that are shapes of the same list. The layout is in docs/recording.md.
 */
#include "recorder_scene.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <abut/facetmesh.h>
#include <abut/mesh.h>
#include <abut/smooth.h>

#include "h5write.h"
#include "smooth_surface.h"

/* The distinct shapes in the order in which bodies and compounds name them, with a hash table of their addresses. */
typedef struct roster {
    const abut_shape **shapes;
    int32_t count, capacity;
    int32_t *table; /* index + 1 of a shape; 0 for an empty place */
    size_t table_size;
} roster;

static size_t roster_place(const roster *list, const abut_shape *shape) {
    uint64_t key = (uint64_t)(uintptr_t)shape;
    size_t place = (size_t)((key >> 4) * UINT64_C(0x9E3779B97F4A7C15) >> 17) % list->table_size;
    while (list->table[place] && list->shapes[list->table[place] - 1] != shape) {
        place = (place + 1) % list->table_size;
    }
    return place;
}

static int32_t roster_index(const roster *list, const abut_shape *shape) { return list->table[roster_place(list, shape)] - 1; }

static abut_status roster_grow(roster *list) {
    int32_t capacity = list->capacity > 0 ? 2 * list->capacity : 64;
    const abut_shape **shapes = realloc(list->shapes, sizeof *shapes * (size_t)capacity);
    if (!shapes) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    list->shapes = shapes;
    int32_t *table = calloc(2 * (size_t)capacity, sizeof *table);
    if (!table) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    free(list->table);
    list->table = table;
    list->table_size = 2 * (size_t)capacity;
    list->capacity = capacity;
    for (int32_t i = 0; i < list->count; i++) {
        list->table[roster_place(list, list->shapes[i])] = i + 1;
    }
    return ABUT_OK;
}

/* Adds a shape, and after it the shapes of its parts. */
static abut_status roster_add(roster *list, const abut_shape *shape) {
    if (list->count == list->capacity) {
        abut_status status = roster_grow(list);
        if (status) {
            return status;
        }
    }
    size_t place = roster_place(list, shape);
    if (list->table[place]) {
        return ABUT_OK;
    }
    list->shapes[list->count] = shape;
    list->table[place] = ++list->count;
    if (abut_shape_get_kind(shape) != ABUT_SHAPE_COMPOUND) {
        return ABUT_OK;
    }
    abut_status status = ABUT_OK;
    for (int32_t i = 0; i < abut_shape_part_count(shape) && !status; i++) {
        abut_part part;
        status = abut_shape_part(shape, i, &part);
        status = status ? status : roster_add(list, part.shape);
    }
    return status;
}

static void roster_release(roster *list) {
    free(list->shapes);
    free(list->table);
}

/* The flat arrays of /shapes. The _first arrays have one entry more than there are shapes or faces: rows i and i + 1 bound a range. */
typedef struct geometry {
    int8_t *kind;                                    /* [shapes] */
    double *parameters;                              /* [shapes][LAYOUT_PARAMETERS] */
    double *exponents;                               /* [shapes][LAYOUT_EXPONENTS] */
    int64_t *vertex_first, *face_first, *part_first; /* [shapes + 1] */
    int64_t *radius_first;                           /* [shapes + 1] */
    double *radii;                                   /* [facets] of curvature, of the faces of facetmeshes */
    double *given_radii;                             /* [facets] 0 where they are estimated */
    double *vertices;                                /* [vertices][3] */
    int64_t *corner_first;                           /* [faces + 1] */
    int32_t *corners;                                /* indices into the shape's own vertices */
    int32_t *part_shape;                             /* [parts] */
    double *part_pose;                               /* [parts][LAYOUT_POSE_WIDTH] */
    size_t vertex_count, face_count, corner_count, part_count, radius_count;
} geometry;

static bool has_surface(abut_shape_kind kind) { return kind == ABUT_SHAPE_BOX || kind == ABUT_SHAPE_POLYTOPE; }

static bool is_mesh(abut_shape_kind kind) { return kind == ABUT_SHAPE_TRIMESH || kind == ABUT_SHAPE_FACETMESH; }

static void geometry_count(const roster *list, geometry *g) {
    for (int32_t i = 0; i < list->count; i++) {
        abut_polytope_view view;
        abut_shape_kind kind = abut_shape_get_kind(list->shapes[i]);
        if (has_surface(kind) && abut_shape_polytope(list->shapes[i], &view) == ABUT_OK) {
            g->vertex_count += (size_t)view.vertex_count;
            g->face_count += (size_t)view.face_count;
            g->corner_count += (size_t)view.face_first[view.face_count];
        } else if (is_mesh(kind)) {
            g->vertex_count += (size_t)abut_shape_mesh_vertex_count(list->shapes[i]);
            g->face_count += (size_t)abut_shape_triangle_count(list->shapes[i]);
            g->corner_count += 3 * (size_t)abut_shape_triangle_count(list->shapes[i]);
            g->radius_count += (size_t)abut_facetmesh_count(list->shapes[i]);
        } else if (smooth_surface_has(list->shapes[i])) {
            g->vertex_count += SMOOTH_SURFACE_VERTICES;
            g->face_count += SMOOTH_SURFACE_TRIANGLES;
            g->corner_count += 3 * SMOOTH_SURFACE_TRIANGLES;
        } else if (kind == ABUT_SHAPE_COMPOUND) {
            g->part_count += (size_t)abut_shape_part_count(list->shapes[i]);
        }
    }
}

static abut_status geometry_allocate(int32_t shapes, geometry *g) {
    size_t count = (size_t)shapes;
    g->kind = calloc(count + 1, sizeof *g->kind);
    g->parameters = calloc(count + 1, sizeof *g->parameters * LAYOUT_PARAMETERS);
    g->exponents = calloc(count + 1, sizeof *g->exponents * LAYOUT_EXPONENTS);
    g->vertex_first = calloc(count + 1, sizeof *g->vertex_first);
    g->face_first = calloc(count + 1, sizeof *g->face_first);
    g->part_first = calloc(count + 1, sizeof *g->part_first);
    g->radius_first = calloc(count + 1, sizeof *g->radius_first);
    g->radii = calloc(g->radius_count + 1, sizeof *g->radii);
    g->given_radii = calloc(g->radius_count + 1, sizeof *g->given_radii);
    g->vertices = calloc(g->vertex_count + 1, 3 * sizeof *g->vertices);
    g->corner_first = calloc(g->face_count + 1, sizeof *g->corner_first);
    g->corners = calloc(g->corner_count + 1, sizeof *g->corners);
    g->part_shape = calloc(g->part_count + 1, sizeof *g->part_shape);
    g->part_pose = calloc(g->part_count + 1, LAYOUT_POSE_WIDTH * sizeof *g->part_pose);
    bool complete = g->kind && g->parameters && g->exponents && g->vertex_first && g->face_first && g->part_first && g->vertices &&
                    g->corner_first && g->corners && g->part_shape && g->part_pose && g->radius_first && g->radii && g->given_radii;
    return complete ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
}

static void geometry_release(geometry *g) {
    free(g->kind);
    free(g->parameters);
    free(g->exponents);
    free(g->vertex_first);
    free(g->face_first);
    free(g->part_first);
    free(g->radius_first);
    free(g->radii);
    free(g->given_radii);
    free(g->vertices);
    free(g->corner_first);
    free(g->corners);
    free(g->part_shape);
    free(g->part_pose);
}

static void store_vec3(double *cells, abut_vec3 v) {
    cells[0] = v.x;
    cells[1] = v.y;
    cells[2] = v.z;
}

static void store_pose(double *cells, abut_pose pose) {
    store_vec3(cells, pose.position);
    cells[3] = pose.rotation.x;
    cells[4] = pose.rotation.y;
    cells[5] = pose.rotation.z;
    cells[6] = pose.rotation.w;
}

/* Appends a polytope's surface; the counts of g are where it goes. */
static void add_surface(const abut_shape *shape, geometry *g) {
    abut_polytope_view view;
    if (abut_shape_polytope(shape, &view) != ABUT_OK) {
        return;
    }
    for (int32_t v = 0; v < view.vertex_count; v++) {
        store_vec3(g->vertices + 3 * g->vertex_count++, view.vertices[v]);
    }
    for (int32_t f = 0; f < view.face_count; f++) {
        g->corner_first[g->face_count++] = (int64_t)g->corner_count;
        for (int32_t c = view.face_first[f]; c < view.face_first[f + 1]; c++) {
            g->corners[g->corner_count++] = view.face_vertices[c];
        }
    }
}

/* The same of a mesh. Vertices of no triangle are at the origin: nobody sees them. */
static void add_mesh(const abut_shape *shape, geometry *g) {
    double *vertices = g->vertices + 3 * g->vertex_count;
    for (int32_t t = 0; t < abut_shape_triangle_count(shape); t++) {
        abut_triangle triangle;
        if (abut_shape_triangle(shape, t, &triangle) != ABUT_OK) {
            return;
        }
        g->corner_first[g->face_count++] = (int64_t)g->corner_count;
        for (int k = 0; k < 3; k++) {
            store_vec3(vertices + 3 * (size_t)triangle.vertex[k], triangle.corner[k]);
            g->corners[g->corner_count++] = triangle.vertex[k];
        }
    }
    g->vertex_count += (size_t)abut_shape_mesh_vertex_count(shape);
}

/* Radii of curvature as they count and as they were given, which is what counts when the body deforms; none of any other kind of shape. */
static void add_radii(const abut_shape *shape, geometry *g) {
    for (int32_t i = 0; i < abut_facetmesh_count(shape); i++) {
        abut_facet facet = {.radius = 0.0};
        (void)abut_facetmesh_facet(shape, abut_identity_pose(), i, &facet);
        g->given_radii[g->radius_count] = abut_facetmesh_given_radius(shape, i);
        g->radii[g->radius_count++] = facet.radius;
    }
}

/* The same of a smooth shape. */
static void add_smooth(const abut_shape *shape, geometry *g) {
    abut_vec3 vertices[SMOOTH_SURFACE_VERTICES];
    smooth_surface_make(shape, vertices, g->corners + g->corner_count);
    for (int v = 0; v < SMOOTH_SURFACE_VERTICES; v++) {
        store_vec3(g->vertices + 3 * g->vertex_count++, vertices[v]);
    }
    for (int f = 0; f < SMOOTH_SURFACE_TRIANGLES; f++) {
        g->corner_first[g->face_count++] = (int64_t)g->corner_count;
        g->corner_count += 3;
    }
}

static void add_parts(const roster *list, const abut_shape *shape, geometry *g) {
    for (int32_t i = 0; i < abut_shape_part_count(shape); i++) {
        abut_part part;
        if (abut_shape_part(shape, i, &part) == ABUT_OK) {
            g->part_shape[g->part_count] = roster_index(list, part.shape);
            store_pose(g->part_pose + LAYOUT_POSE_WIDTH * g->part_count++, part.pose);
        }
    }
}

static void geometry_fill(const roster *list, geometry *g) {
    g->vertex_count = g->face_count = g->corner_count = g->part_count = g->radius_count = 0;
    for (int32_t i = 0; i < list->count; i++) {
        const abut_shape *shape = list->shapes[i];
        double *parameters = g->parameters + LAYOUT_PARAMETERS * (size_t)i;
        abut_shape_kind kind = abut_shape_get_kind(shape);
        g->kind[i] = (int8_t)kind;
        if (kind == ABUT_SHAPE_SPHERE || kind == ABUT_SHAPE_CAPSULE) {
            parameters[0] = abut_shape_radius(shape);
            parameters[1] = abut_shape_half_length(shape);
        } else if (kind == ABUT_SHAPE_PLANE) {
            store_vec3(parameters, abut_shape_plane_normal(shape));
            parameters[3] = abut_shape_plane_offset(shape);
        } else if (kind == ABUT_SHAPE_COMPOUND) {
            add_parts(list, shape, g);
        } else if (is_mesh(kind)) {
            add_mesh(shape, g);
            add_radii(shape, g);
        } else if (smooth_surface_has(shape)) {
            double *exponents = g->exponents + LAYOUT_EXPONENTS * (size_t)i;
            store_vec3(parameters, abut_shape_semi_axes(shape));
            abut_shape_exponents(shape, &exponents[0], &exponents[1]);
            add_smooth(shape, g);
        } else {
            add_surface(shape, g);
        }
        g->vertex_first[i + 1] = (int64_t)g->vertex_count;
        g->face_first[i + 1] = (int64_t)g->face_count;
        g->part_first[i + 1] = (int64_t)g->part_count;
        g->radius_first[i + 1] = (int64_t)g->radius_count;
    }
    g->corner_first[g->face_count] = (int64_t)g->corner_count;
}

static abut_status write_shapes(hid_t file, const roster *list) {
    static const char *const kinds[] = {"sphere",  "capsule",   "box",          "polytope", "plane",      "compound",
                                        "trimesh", "ellipsoid", "superquadric", "implicit", "parametric", "facetmesh"};
    geometry g = {0};
    geometry_count(list, &g);
    abut_status status = geometry_allocate(list->count, &g);
    if (status) {
        geometry_release(&g);
        return status;
    }
    geometry_fill(list, &g);
    hid_t group = h5_create_group(file, "shapes");
    hid_t kind = h5_enumeration(kinds, ABUT_SHAPE_SPHERE, (int)(sizeof kinds / sizeof *kinds));
    hsize_t n = (hsize_t)list->count, ends = n + 1;
    const hsize_t faces = g.face_count + 1, corners = g.corner_count, parts = g.part_count, radii = g.radius_count;
    const abut_status results[] = {
        group < 0 ? ABUT_ERROR_FILE : ABUT_OK,
        h5_write_enumeration(group, "kind", kind, n, g.kind),
        h5_write(group, "parameters", LAYOUT_DOUBLE, 2, (hsize_t[]){n, LAYOUT_PARAMETERS}, g.parameters),
        h5_write(group, "exponents", LAYOUT_DOUBLE, 2, (hsize_t[]){n, LAYOUT_EXPONENTS}, g.exponents),
        h5_write(group, "vertex_first", LAYOUT_INT64, 1, &ends, g.vertex_first),
        h5_write(group, "face_first", LAYOUT_INT64, 1, &ends, g.face_first),
        h5_write(group, "part_first", LAYOUT_INT64, 1, &ends, g.part_first),
        h5_write(group, "radius_first", LAYOUT_INT64, 1, &ends, g.radius_first),
        h5_write(group, "radii", LAYOUT_DOUBLE, 1, &radii, g.radii),
        h5_write(group, "given_radii", LAYOUT_DOUBLE, 1, &radii, g.given_radii),
        h5_write(group, "vertices", LAYOUT_DOUBLE, 2, (hsize_t[]){g.vertex_count, 3}, g.vertices),
        h5_write(group, "corner_first", LAYOUT_INT64, 1, &faces, g.corner_first),
        h5_write(group, "corners", LAYOUT_INT32, 1, &corners, g.corners),
        h5_write(group, "part_shape", LAYOUT_INT32, 1, &parts, g.part_shape),
        h5_write(group, "part_pose", LAYOUT_DOUBLE, 2, (hsize_t[]){g.part_count, LAYOUT_POSE_WIDTH}, g.part_pose),
    };
    for (size_t i = 0; i < sizeof results / sizeof *results && !status; i++) {
        status = results[i];
    }
    H5Tclose(kind);
    H5Gclose(group);
    geometry_release(&g);
    return status;
}

/* The columns of /bodies. */
typedef struct body_columns {
    const char **name;
    int8_t *kind;
    int32_t *shape;
    double *mass, *friction, *restitution, *young, *poisson, *adhesion_work;
    double *centre;  /* [bodies][3] */
    double *inertia; /* [bodies][3][3] */
} body_columns;

static abut_status columns_allocate(size_t count, body_columns *c) {
    size_t room = count + 1;
    c->name = calloc(room, sizeof *c->name);
    c->kind = calloc(room, sizeof *c->kind);
    c->shape = calloc(room, sizeof *c->shape);
    c->mass = calloc(room, sizeof *c->mass);
    c->friction = calloc(room, sizeof *c->friction);
    c->restitution = calloc(room, sizeof *c->restitution);
    c->young = calloc(room, sizeof *c->young);
    c->poisson = calloc(room, sizeof *c->poisson);
    c->adhesion_work = calloc(room, sizeof *c->adhesion_work);
    c->centre = calloc(room, 3 * sizeof *c->centre);
    c->inertia = calloc(room, 9 * sizeof *c->inertia);
    bool complete = c->name && c->kind && c->shape && c->mass && c->friction && c->restitution && c->centre && c->inertia && c->young &&
                    c->poisson && c->adhesion_work;
    return complete ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
}

static void columns_release(body_columns *c) {
    free(c->name);
    free(c->kind);
    free(c->shape);
    free(c->mass);
    free(c->friction);
    free(c->restitution);
    free(c->young);
    free(c->poisson);
    free(c->adhesion_work);
    free(c->centre);
    free(c->inertia);
}

/* Mass properties come from the world; a body that was removed before the recording began has none. */
static void columns_fill(const abut_simulation *simulation, const roster *list, body_columns *c) {
    const abut_scene *scene = abut_simulation_scene(simulation);
    for (int32_t i = 0; i < abut_scene_body_count(scene); i++) {
        const abut_body_def *def = abut_scene_body_def(scene, i);
        abut_body_info info = {0};
        (void)abut_world_body_info(abut_simulation_world(simulation), abut_simulation_body_id(simulation, i), &info);
        c->name[i] = abut_scene_body_name(scene, i);
        c->kind[i] = (int8_t)def->kind;
        c->shape[i] = roster_index(list, def->shape);
        c->mass[i] = info.mass;
        c->friction[i] = def->friction;
        c->restitution[i] = def->restitution;
        c->young[i] = def->material.young;
        c->poisson[i] = def->material.poisson;
        c->adhesion_work[i] = def->adhesion_work;
        store_vec3(c->centre + 3 * (size_t)i, info.centre);
        /* Symmetric: rows and columns are the same. */
        store_vec3(c->inertia + 9 * (size_t)i, info.inertia.x);
        store_vec3(c->inertia + 9 * (size_t)i + 3, info.inertia.y);
        store_vec3(c->inertia + 9 * (size_t)i + 6, info.inertia.z);
    }
}

static abut_status write_bodies(hid_t file, const abut_simulation *simulation, const roster *list) {
    static const char *const kinds[] = {"dynamic", "static", "kinematic"};
    hsize_t n = (hsize_t)abut_scene_body_count(abut_simulation_scene(simulation));
    body_columns c = {0};
    abut_status status = columns_allocate((size_t)n, &c);
    if (status) {
        columns_release(&c);
        return status;
    }
    columns_fill(simulation, list, &c);
    hid_t group = h5_create_group(file, "bodies");
    hid_t kind = h5_enumeration(kinds, ABUT_BODY_DYNAMIC, 3);
    const abut_status results[] = {
        group < 0 ? ABUT_ERROR_FILE : ABUT_OK,
        h5_write_names(group, "name", c.name, n),
        h5_write_enumeration(group, "kind", kind, n, c.kind),
        h5_write(group, "shape", LAYOUT_INT32, 1, &n, c.shape),
        h5_write(group, "mass", LAYOUT_DOUBLE, 1, &n, c.mass),
        h5_write(group, "friction", LAYOUT_DOUBLE, 1, &n, c.friction),
        h5_write(group, "restitution", LAYOUT_DOUBLE, 1, &n, c.restitution),
        h5_write(group, "young", LAYOUT_DOUBLE, 1, &n, c.young),
        h5_write(group, "poisson", LAYOUT_DOUBLE, 1, &n, c.poisson),
        h5_write(group, "adhesion_work", LAYOUT_DOUBLE, 1, &n, c.adhesion_work),
        h5_write(group, "centre", LAYOUT_DOUBLE, 2, (hsize_t[]){n, 3}, c.centre),
        h5_write(group, "inertia", LAYOUT_DOUBLE, 3, (hsize_t[]){n, 3, 3}, c.inertia),
    };
    for (size_t i = 0; i < sizeof results / sizeof *results && !status; i++) {
        status = results[i];
    }
    H5Tclose(kind);
    H5Gclose(group);
    columns_release(&c);
    return status;
}

static abut_status write_root(hid_t file, const abut_scene *scene) {
    const int32_t version = LAYOUT_VERSION;
    const double dt = abut_scene_dt(scene);
    double gravity[3];
    store_vec3(gravity, abut_scene_world_def(scene)->gravity);
    const abut_status results[] = {
        h5_write_text_attribute(file, "format", LAYOUT_FORMAT),
        h5_write_attribute(file, "format_version", LAYOUT_INT32, 1, &version),
        h5_write_text_attribute(file, "abut_version", abut_version()),
        h5_write_text_attribute(file, "title", abut_scene_title(scene)),
        h5_write_attribute(file, "dt", LAYOUT_DOUBLE, 1, &dt),
        h5_write_attribute(file, "gravity", LAYOUT_DOUBLE, 3, gravity),
        h5_write_text(file, "scene", abut_scene_text(scene)),
    };
    abut_status status = ABUT_OK;
    for (size_t i = 0; i < sizeof results / sizeof *results && !status; i++) {
        status = results[i];
    }
    return status;
}

abut_status recorder_write_scene(hid_t file, const abut_simulation *simulation) {
    const abut_scene *scene = abut_simulation_scene(simulation);
    roster list = {0};
    abut_status status = ABUT_OK;
    for (int32_t i = 0; i < abut_scene_body_count(scene) && !status; i++) {
        status = roster_add(&list, abut_scene_body_def(scene, i)->shape);
    }
    status = status ? status : write_root(file, scene);
    status = status ? status : write_shapes(file, &list);
    status = status ? status : write_bodies(file, simulation, &list);
    roster_release(&list);
    return status;
}
