/*
 * Writes the constant part of a recording: scene, bodies and the surfaces of their shapes. Each distinct shape is written once; compounds are lists of parts,
 * which are shapes of the same list. The layout is in docs/recording.md.
 */
#include "io/record/recorder_scene.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "io/record/h5write.h"
#include "io/surface/shape_list.h"

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

/* The columns of /shapes. The _first arrays have one element more than there are shapes or faces: elements i and i + 1 bound a range. */
typedef struct shape_columns {
    int8_t *kind;                                                   /* [shapes] */
    double *parameters;                                             /* [shapes][LAYOUT_PARAMETERS] */
    double *exponents;                                              /* [shapes][LAYOUT_EXPONENTS] */
    int64_t *vertex_first, *face_first, *part_first, *radius_first; /* [shapes + 1] */
    double *vertices;                                               /* [vertices][3] */
    int64_t *corner_first;                                          /* [faces + 1] */
    int32_t *part_shape;                                            /* [parts] */
    double *part_pose;                                              /* [parts][LAYOUT_POSE_WIDTH] */
} shape_columns;

static abut_status shape_columns_allocate(const shape_list *list, shape_columns *c) {
    size_t room = (size_t)list->count + 1;
    c->kind = calloc(room, sizeof *c->kind);
    c->parameters = calloc(room, sizeof *c->parameters * LAYOUT_PARAMETERS);
    c->exponents = calloc(room, sizeof *c->exponents * LAYOUT_EXPONENTS);
    c->vertex_first = calloc(room, sizeof *c->vertex_first);
    c->face_first = calloc(room, sizeof *c->face_first);
    c->part_first = calloc(room, sizeof *c->part_first);
    c->radius_first = calloc(room, sizeof *c->radius_first);
    c->vertices = calloc(list->vertex_count + 1, 3 * sizeof *c->vertices);
    c->corner_first = calloc(list->face_count + 1, sizeof *c->corner_first);
    c->part_shape = calloc(list->part_count + 1, sizeof *c->part_shape);
    c->part_pose = calloc(list->part_count + 1, LAYOUT_POSE_WIDTH * sizeof *c->part_pose);
    bool complete = c->kind && c->parameters && c->exponents && c->vertex_first && c->face_first && c->part_first && c->radius_first &&
                    c->vertices && c->corner_first && c->part_shape && c->part_pose;
    return complete ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
}

static void shape_columns_release(shape_columns *c) {
    free(c->kind);
    free(c->parameters);
    free(c->exponents);
    free(c->vertex_first);
    free(c->face_first);
    free(c->part_first);
    free(c->radius_first);
    free(c->vertices);
    free(c->corner_first);
    free(c->part_shape);
    free(c->part_pose);
}

/* The parameters of a shape, without its surface. */
static void fill_parameters(const abut_recorded_shape *shape, double parameters[LAYOUT_PARAMETERS], double exponents[LAYOUT_EXPONENTS]) {
    if (shape->kind == ABUT_SHAPE_SPHERE || shape->kind == ABUT_SHAPE_CAPSULE) {
        parameters[0] = shape->radius;
        parameters[1] = shape->half_length;
    } else if (shape->kind == ABUT_SHAPE_CYLINDER || shape->kind == ABUT_SHAPE_CONE) {
        parameters[0] = shape->radius;
        parameters[1] = shape->top_radius;
        parameters[2] = shape->height;
    } else if (shape->kind == ABUT_SHAPE_PLANE) {
        store_vec3(parameters, shape->normal);
        parameters[3] = shape->offset;
    } else {
        store_vec3(parameters, shape->semi_axes);
        exponents[0] = shape->exponents[0];
        exponents[1] = shape->exponents[1];
    }
}

static void shape_columns_fill(const shape_list *list, shape_columns *c) {
    int64_t face = 0, corner = 0;
    for (size_t i = 0; i < (size_t)list->count; i++) {
        const abut_recorded_shape *shape = &list->entries[i];
        c->kind[i] = (int8_t)shape->kind;
        fill_parameters(shape, c->parameters + LAYOUT_PARAMETERS * i, c->exponents + LAYOUT_EXPONENTS * i);
        for (int32_t f = 0; f < shape->face_count; f++) {
            c->corner_first[face + f] = corner + shape->face_first[f];
        }
        face += shape->face_count;
        corner += shape->face_first[shape->face_count];
        c->vertex_first[i + 1] = c->vertex_first[i] + shape->vertex_count;
        c->face_first[i + 1] = face;
        c->part_first[i + 1] = c->part_first[i] + shape->part_count;
        c->radius_first[i + 1] = c->radius_first[i] + (shape->radii ? shape->face_count : 0);
    }
    c->corner_first[face] = corner;
    for (size_t i = 0; i < list->vertex_count; i++) {
        store_vec3(c->vertices + 3 * i, list->vertices[i]);
    }
    for (size_t i = 0; i < list->part_count; i++) {
        c->part_shape[i] = list->parts[i].shape;
        store_pose(c->part_pose + LAYOUT_POSE_WIDTH * i, list->parts[i].pose);
    }
}

static abut_status write_shapes(hid_t file, const shape_list *list) {
    static const char *const kinds[] = {"sphere",    "capsule",      "box",      "polytope",   "plane",     "compound", "trimesh",
                                        "ellipsoid", "superquadric", "implicit", "parametric", "facetmesh", "cylinder", "cone"};
    shape_columns c = {0};
    abut_status status = shape_columns_allocate(list, &c);
    if (status) {
        shape_columns_release(&c);
        return status;
    }
    shape_columns_fill(list, &c);
    hid_t group = h5_create_group(file, "shapes");
    hid_t kind = h5_enumeration(kinds, ABUT_SHAPE_SPHERE, (int)(sizeof kinds / sizeof *kinds));
    hsize_t n = (hsize_t)list->count, ends = n + 1;
    const hsize_t faces = list->face_count + 1, corners = list->corner_count, parts = list->part_count, radii = list->radius_count;
    const abut_status results[] = {
        group < 0 ? ABUT_ERROR_FILE : ABUT_OK,
        h5_write_enumeration(group, "kind", kind, n, c.kind),
        h5_write(group, "parameters", LAYOUT_DOUBLE, 2, (hsize_t[]){n, LAYOUT_PARAMETERS}, c.parameters),
        h5_write(group, "exponents", LAYOUT_DOUBLE, 2, (hsize_t[]){n, LAYOUT_EXPONENTS}, c.exponents),
        h5_write(group, "vertex_first", LAYOUT_INT64, 1, &ends, c.vertex_first),
        h5_write(group, "face_first", LAYOUT_INT64, 1, &ends, c.face_first),
        h5_write(group, "part_first", LAYOUT_INT64, 1, &ends, c.part_first),
        h5_write(group, "radius_first", LAYOUT_INT64, 1, &ends, c.radius_first),
        h5_write(group, "radii", LAYOUT_DOUBLE, 1, &radii, list->radii),
        h5_write(group, "given_radii", LAYOUT_DOUBLE, 1, &radii, list->given_radii),
        h5_write(group, "vertices", LAYOUT_DOUBLE, 2, (hsize_t[]){list->vertex_count, 3}, c.vertices),
        h5_write(group, "corner_first", LAYOUT_INT64, 1, &faces, c.corner_first),
        h5_write(group, "corners", LAYOUT_INT32, 1, &corners, list->corners),
        h5_write(group, "part_shape", LAYOUT_INT32, 1, &parts, c.part_shape),
        h5_write(group, "part_pose", LAYOUT_DOUBLE, 2, (hsize_t[]){list->part_count, LAYOUT_POSE_WIDTH}, c.part_pose),
    };
    for (size_t i = 0; i < sizeof results / sizeof *results && !status; i++) {
        status = results[i];
    }
    H5Tclose(kind);
    H5Gclose(group);
    shape_columns_release(&c);
    return status;
}

/* The columns of /bodies. */
typedef struct body_columns {
    const char **name;
    int8_t *kind, *sensor;
    int32_t *shape;
    double *mass, *friction, *restitution, *young, *poisson, *adhesion_work, *adhesion_strength, *contact_stiffness;
    double *centre;  /* [bodies][3] */
    double *inertia; /* [bodies][3][3] */
} body_columns;

static abut_status columns_allocate(size_t count, body_columns *c) {
    size_t room = count + 1;
    c->name = calloc(room, sizeof *c->name);
    c->kind = calloc(room, sizeof *c->kind);
    c->sensor = calloc(room, sizeof *c->sensor);
    c->shape = calloc(room, sizeof *c->shape);
    c->mass = calloc(room, sizeof *c->mass);
    c->friction = calloc(room, sizeof *c->friction);
    c->restitution = calloc(room, sizeof *c->restitution);
    c->young = calloc(room, sizeof *c->young);
    c->poisson = calloc(room, sizeof *c->poisson);
    c->adhesion_work = calloc(room, sizeof *c->adhesion_work);
    c->adhesion_strength = calloc(room, sizeof *c->adhesion_strength);
    c->contact_stiffness = calloc(room, sizeof *c->contact_stiffness);
    c->centre = calloc(room, 3 * sizeof *c->centre);
    c->inertia = calloc(room, 9 * sizeof *c->inertia);
    bool complete = c->name && c->kind && c->shape && c->mass && c->friction && c->restitution && c->centre && c->inertia && c->young &&
                    c->poisson && c->adhesion_work && c->adhesion_strength && c->contact_stiffness && c->sensor;
    return complete ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
}

static void columns_release(body_columns *c) {
    free(c->name);
    free(c->kind);
    free(c->sensor);
    free(c->shape);
    free(c->mass);
    free(c->friction);
    free(c->restitution);
    free(c->young);
    free(c->poisson);
    free(c->adhesion_work);
    free(c->adhesion_strength);
    free(c->contact_stiffness);
    free(c->centre);
    free(c->inertia);
}

/* Those that a body has when it comes through its inlet. */
static abut_body_info info_of_coming(const abut_body_def *def) {
    abut_mass mass = {0};
    (void)abut_shape_mass(def->shape, def->density, &mass);
    double scale = def->mass > 0.0 && mass.mass > 0.0 ? def->mass / mass.mass : 1.0;
    abut_mat3 inertia = {abut_scale(scale, mass.inertia.x), abut_scale(scale, mass.inertia.y), abut_scale(scale, mass.inertia.z)};
    return (abut_body_info){.mass = scale * mass.mass, .centre = mass.centre, .inertia = inertia};
}

/* Mass properties come from the world. A body that was removed before the recording began has none. */
static void columns_fill(const abut_simulation *simulation, const shape_list *list, body_columns *c) {
    const abut_scene *scene = abut_simulation_scene(simulation);
    for (int32_t i = 0; i < abut_scene_body_count(scene); i++) {
        const abut_body_def *def = abut_scene_body_def(scene, i);
        abut_body_info info = {0};
        if (abut_world_body_info(abut_simulation_world(simulation), abut_simulation_body_id(simulation, i), &info) != ABUT_OK &&
            abut_scene_body_inlet(scene, i) >= 0) {
            info = info_of_coming(def);
        }
        c->name[i] = abut_scene_body_name(scene, i);
        c->kind[i] = (int8_t)def->kind;
        c->sensor[i] = def->sensor;
        c->shape[i] = shape_list_index(list, def->shape);
        c->mass[i] = info.mass;
        c->friction[i] = def->friction;
        c->restitution[i] = def->restitution;
        c->young[i] = def->material.young;
        c->poisson[i] = def->material.poisson;
        c->adhesion_work[i] = def->adhesion_work;
        c->adhesion_strength[i] = def->adhesion_strength;
        c->contact_stiffness[i] = def->contact_stiffness;
        store_vec3(c->centre + 3 * (size_t)i, info.centre);
        /* The matrix is symmetric, so rows and columns are equal. */
        store_vec3(c->inertia + 9 * (size_t)i, info.inertia.x);
        store_vec3(c->inertia + 9 * (size_t)i + 3, info.inertia.y);
        store_vec3(c->inertia + 9 * (size_t)i + 6, info.inertia.z);
    }
}

/* Only where a body has one, as few scenes do. */
static abut_status write_rare(hid_t group, const char *name, const double *values, hsize_t n) {
    bool any = false;
    for (hsize_t i = 0; i < n; i++) {
        any = any || values[i] > 0.0;
    }
    return any ? h5_write(group, name, LAYOUT_DOUBLE, 1, &n, values) : ABUT_OK;
}

static abut_status write_bodies(hid_t file, const abut_simulation *simulation, const shape_list *list) {
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
        h5_write(group, "sensor", LAYOUT_INT8, 1, &n, c.sensor),
        h5_write(group, "shape", LAYOUT_INT32, 1, &n, c.shape),
        h5_write(group, "mass", LAYOUT_DOUBLE, 1, &n, c.mass),
        h5_write(group, "friction", LAYOUT_DOUBLE, 1, &n, c.friction),
        h5_write(group, "restitution", LAYOUT_DOUBLE, 1, &n, c.restitution),
        h5_write(group, "young", LAYOUT_DOUBLE, 1, &n, c.young),
        h5_write(group, "poisson", LAYOUT_DOUBLE, 1, &n, c.poisson),
        h5_write(group, "adhesion_work", LAYOUT_DOUBLE, 1, &n, c.adhesion_work),
        write_rare(group, "adhesion_strength", c.adhesion_strength, n),
        write_rare(group, "contact_stiffness", c.contact_stiffness, n),
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

/* What solves the contacts of a world. */
static const char *solver_of(const abut_world_def *def) {
    bool quick = !def->fixed.exact && def->method != ABUT_METHOD_TRACKING;
    return def->stepper == ABUT_STEPPER_EVENT ? "event" : def->stepper == ABUT_STEPPER_DEM ? "dem" : quick ? "quick" : "exact";
}

static abut_status write_root(hid_t file, const abut_scene *scene) {
    const int32_t version = LAYOUT_VERSION;
    const char *solver = solver_of(abut_scene_world_def(scene));
    const int32_t effort = strcmp(solver, "quick") == 0 ? abut_scene_world_def(scene)->fixed.effort : 0;
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
        h5_write_text_attribute(file, "solver", solver),
        h5_write_attribute(file, "effort", LAYOUT_INT32, 1, &effort),
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
    shape_list list = {0};
    abut_status status = shape_list_add_scene(&list, scene);
    status = status ? status : shape_list_describe(&list);
    status = status ? status : write_root(file, scene);
    status = status ? status : write_shapes(file, &list);
    status = status ? status : write_bodies(file, simulation, &list);
    shape_list_release(&list);
    return status;
}
