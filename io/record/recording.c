/*
 * Reads recordings. Scene, bodies, shapes and the steps' table are read and checked when a recording is opened; frames and contacts when they are requested.
 * The file is not trusted: every index is checked before it is used. The layout is in docs/recording.md.
 */
#include "io/record/recording.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/file.h"
#include "io/file/grow.h"
#include "io/record/h5read.h"
#include "io/record/recorded_events.h"
#include "io/record/recorded_joints.h"
#include "io/record/recorded_series.h"

struct abut_recording {
    hid_t file;
    char *path, *version, *title, *scene;
    double dt;
    abut_vec3 gravity;
    bool complete;

    int32_t body_count, shape_count;
    char *names; /* [body_count] of name_stride bytes */
    size_t name_stride;
    abut_recorded_body *bodies;  /* [body_count] */
    abut_recorded_shape *shapes; /* [shape_count] with arrays in the blocks below */
    abut_vec3 *vertices;
    int32_t *face_first, *corners;
    double *radii, *given_radii; /* NULL in older files, which have none */
    abut_recorded_part *parts;

    int64_t step_count, frame_count, contact_count;
    abut_step_report *steps;                   /* [step_count] */
    int64_t *frame_step, *frame_contact_first; /* [frame_count] */
    double *frame_time;
    int32_t *frame_contacts;

    h5_rows pose, velocity, presence;
    h5_rows contact_rows[LAYOUT_CONTACT_FIELDS];
    double *pose_cells, *velocity_cells; /* one frame */
    int8_t *presence_cells;
    abut_recorded_state *states;     /* [body_count] */
    abut_recorded_contact *contacts; /* [contact_capacity] */
    char *contact_cells;             /* [contact_capacity] cells of the widest field */
    size_t contact_capacity;

    int64_t deformed_count;
    int64_t *deformed_frame, *deformed_first; /* [deformed_count] frames ascending; index of the first vertex */
    int32_t *deformed_body;
    h5_rows deformed_rows;
    double *vertex_cells; /* vertices of the last call; room for the largest shape */
    abut_vec3 *moved;

    recorded_joints joints;
    recorded_events events;
    recorded_series series;
};

/* The widest field of a contact is a vector. */
enum { CONTACT_CELL_BYTES = 3 * sizeof(double) };

/* ---- opening ---- */

static abut_vec3 load_vec3(const double *cells) { return abut_vec3_make(cells[0], cells[1], cells[2]); }

static abut_pose load_pose(const double *cells) {
    abut_pose pose = {load_vec3(cells), abut_quat_make(cells[3], cells[4], cells[5], cells[6])};
    return pose;
}

static abut_status read_root(abut_recording *recording) {
    hid_t file = recording->file;
    double gravity[3];
    int8_t complete = 0;
    abut_status status = h5_read_text_attribute(file, "abut_version", &recording->version);
    status = status ? status : h5_read_text_attribute(file, "title", &recording->title);
    status = status ? status : h5_read_attribute(file, "dt", LAYOUT_DOUBLE, 1, &recording->dt);
    status = status ? status : h5_read_attribute(file, "gravity", LAYOUT_DOUBLE, 3, gravity);
    status = status ? status : h5_read_attribute(file, "complete", LAYOUT_INT8, 1, &complete);
    status = status ? status : h5_read_text(file, "scene", &recording->scene);
    if (!status) {
        recording->gravity = load_vec3(gravity);
        recording->complete = complete != 0;
    }
    return status;
}

/* Reads a dataset that older recordings lack; *cells then stays NULL. */
static abut_status read_younger(hid_t file, const char *path, hsize_t width, hsize_t count, double **cells) {
    void *made = NULL;
    if (H5Lexists(file, path, H5P_DEFAULT) <= 0) {
        return ABUT_OK;
    }
    abut_status status = h5_read_counted(file, path, LAYOUT_DOUBLE, width, count, &made);
    *cells = made;
    return status;
}

/* Properties of bodies that only exports and pages need. */
typedef struct body_extras {
    double *centre;
    double *young, *poisson, *adhesion_work, *adhesion_strength, *contact_stiffness; /* NULL when the file has none */
    int8_t *sensor;                                                                  /* the same */
} body_extras;

static abut_status read_extras(hid_t file, hsize_t count, body_extras *extras) {
    abut_status status = h5_read_counted(file, "bodies/centre", LAYOUT_DOUBLE, 3, count, (void **)&extras->centre);
    status = status ? status : read_younger(file, "bodies/young", 1, count, &extras->young);
    status = status ? status : read_younger(file, "bodies/poisson", 1, count, &extras->poisson);
    status = status ? status : read_younger(file, "bodies/adhesion_work", 1, count, &extras->adhesion_work);
    status = status ? status : read_younger(file, "bodies/adhesion_strength", 1, count, &extras->adhesion_strength);
    status = status ? status : read_younger(file, "bodies/contact_stiffness", 1, count, &extras->contact_stiffness);
    bool sensors = H5Lexists(file, "bodies/sensor", H5P_DEFAULT) > 0;
    return status || !sensors ? status : h5_read_counted(file, "bodies/sensor", LAYOUT_INT8, 1, count, (void **)&extras->sensor);
}

static void apply_extras(const body_extras *extras, int32_t i, abut_recorded_body *body) {
    body->centre = load_vec3(extras->centre + 3 * (size_t)i);
    if (extras->young && extras->poisson) {
        body->material = (abut_material){.young = extras->young[i], .poisson = extras->poisson[i]};
    }
    body->adhesion_work = extras->adhesion_work ? extras->adhesion_work[i] : 0.0;
    body->adhesion_strength = extras->adhesion_strength ? extras->adhesion_strength[i] : 0.0;
    body->contact_stiffness = extras->contact_stiffness ? extras->contact_stiffness[i] : 0.0;
    body->sensor = extras->sensor && extras->sensor[i];
}

static void release_extras(body_extras *extras) {
    free(extras->centre);
    free(extras->young);
    free(extras->poisson);
    free(extras->adhesion_work);
    free(extras->adhesion_strength);
    free(extras->contact_stiffness);
    free(extras->sensor);
}

static abut_status read_bodies(abut_recording *recording) {
    hid_t file = recording->file;
    hsize_t count = 0;
    abut_status status = h5_read_names(file, "bodies/name", &recording->names, &recording->name_stride, &count);
    if (status || count > INT32_MAX) {
        return status ? status : ABUT_ERROR_FORMAT;
    }
    recording->body_count = (int32_t)count;
    recording->bodies = calloc((size_t)count + 1, sizeof *recording->bodies);
    void *kind = NULL, *shape = NULL, *mass = NULL, *friction = NULL, *restitution = NULL;
    body_extras extras = {0};
    status = recording->bodies ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
    status = status ? status : h5_read_counted(file, "bodies/kind", LAYOUT_INT8, 1, count, &kind);
    status = status ? status : h5_read_counted(file, "bodies/shape", LAYOUT_INT32, 1, count, &shape);
    status = status ? status : h5_read_counted(file, "bodies/mass", LAYOUT_DOUBLE, 1, count, &mass);
    status = status ? status : h5_read_counted(file, "bodies/friction", LAYOUT_DOUBLE, 1, count, &friction);
    status = status ? status : h5_read_counted(file, "bodies/restitution", LAYOUT_DOUBLE, 1, count, &restitution);
    status = status ? status : read_extras(file, count, &extras);
    for (int32_t i = 0; i < recording->body_count && !status; i++) {
        int8_t k = ((int8_t *)kind)[i];
        int32_t s = ((int32_t *)shape)[i];
        if (k < ABUT_BODY_DYNAMIC || k > ABUT_BODY_KINEMATIC || s < 0 || s >= recording->shape_count) {
            status = ABUT_ERROR_FORMAT;
            break;
        }
        abut_recorded_body body = {.name = recording->names + recording->name_stride * (size_t)i,
                                   .kind = (abut_body_kind)k,
                                   .shape = s,
                                   .mass = ((double *)mass)[i],
                                   .friction = ((double *)friction)[i],
                                   .restitution = ((double *)restitution)[i]};
        apply_extras(&extras, i, &body);
        recording->bodies[i] = body;
    }
    free(kind);
    free(shape);
    free(mass);
    free(friction);
    free(restitution);
    release_extras(&extras);
    return status;
}

/* True when first[0 .. count] rises from 0 to `end`. */
static bool bounds_ranges(const int64_t *first, hsize_t count, hsize_t end) {
    if (first[0] != 0 || (hsize_t)first[count] != end) {
        return false;
    }
    for (hsize_t i = 0; i < count; i++) {
        if (first[i] > first[i + 1] || first[i + 1] - first[i] > INT32_MAX - 1) {
            return false;
        }
    }
    return true;
}

/* The arrays of /shapes, as in the file. */
typedef struct shape_tables {
    int8_t *kind;
    double *parameters, *exponents, *vertices, *part_pose; /* exponents: NULL in older files, which have none */
    double *radii, *given_radii;                           /* NULL in older files, and so is radius_first when radii is NULL */
    int64_t *vertex_first, *face_first, *part_first, *corner_first, *radius_first;
    int32_t *corners, *part_shape;
    hsize_t shapes, vertex_count, face_count, corner_count, part_count, radius_count;
} shape_tables;

static abut_status read_radii(hid_t file, shape_tables *t) {
    if (H5Lexists(file, "shapes/radius_first", H5P_DEFAULT) <= 0) {
        return ABUT_OK;
    }
    abut_status status = h5_read_counted(file, "shapes/radius_first", LAYOUT_INT64, 1, t->shapes + 1, (void **)&t->radius_first);
    status = status ? status : h5_read_all(file, "shapes/radii", LAYOUT_DOUBLE, 1, (void **)&t->radii, &t->radius_count);
    status = status ? status : read_younger(file, "shapes/given_radii", 1, t->radius_count, &t->given_radii);
    return status || bounds_ranges(t->radius_first, t->shapes, t->radius_count) ? status : ABUT_ERROR_FORMAT;
}

static abut_status read_tables(hid_t file, shape_tables *t) {
    hsize_t corner_ends = 0;
    abut_status status = h5_read_all(file, "shapes/kind", LAYOUT_INT8, 1, (void **)&t->kind, &t->shapes);
    if (status || t->shapes >= INT32_MAX) {
        return status ? status : ABUT_ERROR_FORMAT;
    }
    hsize_t ends = t->shapes + 1;
    status =
        status ? status : h5_read_counted(file, "shapes/parameters", LAYOUT_DOUBLE, LAYOUT_PARAMETERS, t->shapes, (void **)&t->parameters);
    status = status ? status : read_younger(file, "shapes/exponents", LAYOUT_EXPONENTS, t->shapes, &t->exponents);
    status = status ? status : read_radii(file, t);
    status = status ? status : h5_read_counted(file, "shapes/vertex_first", LAYOUT_INT64, 1, ends, (void **)&t->vertex_first);
    status = status ? status : h5_read_counted(file, "shapes/face_first", LAYOUT_INT64, 1, ends, (void **)&t->face_first);
    status = status ? status : h5_read_counted(file, "shapes/part_first", LAYOUT_INT64, 1, ends, (void **)&t->part_first);
    status = status ? status : h5_read_all(file, "shapes/vertices", LAYOUT_DOUBLE, 3, (void **)&t->vertices, &t->vertex_count);
    status = status ? status : h5_read_all(file, "shapes/corner_first", LAYOUT_INT64, 1, (void **)&t->corner_first, &corner_ends);
    status = status ? status : h5_read_all(file, "shapes/corners", LAYOUT_INT32, 1, (void **)&t->corners, &t->corner_count);
    status = status ? status : h5_read_all(file, "shapes/part_shape", LAYOUT_INT32, 1, (void **)&t->part_shape, &t->part_count);
    status = status ? status
                    : h5_read_counted(file, "shapes/part_pose", LAYOUT_DOUBLE, LAYOUT_POSE_WIDTH, t->part_count, (void **)&t->part_pose);
    if (status || corner_ends < 1) {
        return status ? status : ABUT_ERROR_FORMAT;
    }
    t->face_count = corner_ends - 1;
    bool right = bounds_ranges(t->vertex_first, t->shapes, t->vertex_count) && bounds_ranges(t->face_first, t->shapes, t->face_count) &&
                 bounds_ranges(t->part_first, t->shapes, t->part_count) && bounds_ranges(t->corner_first, t->face_count, t->corner_count);
    return right ? ABUT_OK : ABUT_ERROR_FORMAT;
}

static void release_tables(shape_tables *t) {
    free(t->kind);
    free(t->parameters);
    free(t->exponents);
    free(t->vertices);
    free(t->part_pose);
    free(t->vertex_first);
    free(t->face_first);
    free(t->part_first);
    free(t->radii);
    free(t->given_radii);
    free(t->radius_first);
    free(t->corner_first);
    free(t->corners);
    free(t->part_shape);
}

/* Given radii are all above 0, or all 0 when they are estimated. */
static bool are_given_right(const double *given, int64_t count) {
    bool right = true;
    for (int64_t r = 0; r < count && right; r++) {
        right = given[0] > 0.0 ? given[r] > 0.0 : given[r] == 0.0;
    }
    return right;
}

/* A facetmesh has a radius for each face, all above 0; other shapes have none. */
static abut_status build_radii(abut_recording *recording, const shape_tables *t, int32_t i, abut_recorded_shape *shape) {
    if (!t->radius_first) {
        return ABUT_OK;
    }
    int64_t first = t->radius_first[i], count = t->radius_first[i + 1] - first;
    bool right = count == (shape->kind == ABUT_SHAPE_FACETMESH ? shape->face_count : 0);
    for (int64_t r = first; r < first + count && right; r++) {
        right = t->radii[r] > 0.0;
    }
    shape->radii = right && count > 0 ? recording->radii + first : NULL;
    const double *given = right && count > 0 && t->given_radii ? recording->given_radii + first : NULL;
    right = right && (!given || are_given_right(given, count));
    shape->given_radii = given && given[0] > 0.0 ? given : NULL;
    return right ? ABUT_OK : ABUT_ERROR_FORMAT;
}

/* Builds shape i from the tables. The faces' bounds get one element more for each shape, so those of shape i begin at face_first[i] + i. */
static abut_status build_shape(abut_recording *recording, const shape_tables *t, int32_t i) {
    const double *parameters = t->parameters + LAYOUT_PARAMETERS * (size_t)i;
    int64_t vertex = t->vertex_first[i], face = t->face_first[i], part = t->part_first[i], corner = t->corner_first[face];
    abut_recorded_shape shape = {.kind = (abut_kind)t->kind[i]};
    if (shape.kind < ABUT_SHAPE_SPHERE || shape.kind > ABUT_SHAPE_CONE) {
        return ABUT_ERROR_FORMAT;
    }
    if (shape.kind == ABUT_SHAPE_SPHERE || shape.kind == ABUT_SHAPE_CAPSULE) {
        shape.radius = parameters[0];
        shape.half_length = parameters[1];
    } else if (shape.kind == ABUT_SHAPE_CYLINDER || shape.kind == ABUT_SHAPE_CONE) {
        shape.radius = parameters[0];
        shape.top_radius = parameters[1];
        shape.height = parameters[2];
    } else if (shape.kind == ABUT_SHAPE_PLANE) {
        shape.normal = load_vec3(parameters);
        shape.offset = parameters[3];
    } else if (shape.kind >= ABUT_SHAPE_ELLIPSOID && shape.kind <= ABUT_SHAPE_PARAMETRIC) {
        shape.semi_axes = load_vec3(parameters);
        for (int k = 0; k < LAYOUT_EXPONENTS && t->exponents != NULL; k++) {
            shape.exponents[k] = t->exponents[LAYOUT_EXPONENTS * i + k];
        }
    }
    shape.vertex_count = (int32_t)(t->vertex_first[i + 1] - vertex);
    shape.face_count = (int32_t)(t->face_first[i + 1] - face);
    shape.part_count = (int32_t)(t->part_first[i + 1] - part);
    int32_t *first = recording->face_first + face + i;
    for (int32_t f = 0; f <= shape.face_count; f++) {
        first[f] = (int32_t)(t->corner_first[face + f] - corner);
    }
    for (int64_t c = corner; c < corner + first[shape.face_count]; c++) {
        if (t->corners[c] < 0 || t->corners[c] >= shape.vertex_count) {
            return ABUT_ERROR_FORMAT;
        }
    }
    for (int64_t p = part; p < part + shape.part_count; p++) {
        int32_t inner = t->part_shape[p];
        if (inner < 0 || (hsize_t)inner >= t->shapes || t->kind[inner] == ABUT_SHAPE_COMPOUND) {
            return ABUT_ERROR_FORMAT;
        }
        recording->parts[p].shape = inner;
        recording->parts[p].pose = load_pose(t->part_pose + LAYOUT_POSE_WIDTH * p);
    }
    shape.vertices = recording->vertices + vertex;
    shape.face_first = first;
    shape.face_vertices = recording->corners + corner;
    shape.parts = recording->parts + part;
    abut_status status = build_radii(recording, t, i, &shape);
    recording->shapes[i] = shape;
    return status;
}

static abut_status read_shapes(abut_recording *recording) {
    shape_tables t = {0};
    abut_status status = read_tables(recording->file, &t);
    if (!status) {
        recording->shape_count = (int32_t)t.shapes;
        recording->shapes = calloc((size_t)t.shapes + 1, sizeof *recording->shapes);
        recording->vertices = calloc((size_t)t.vertex_count + 1, sizeof *recording->vertices);
        recording->face_first = calloc((size_t)(t.face_count + t.shapes) + 1, sizeof *recording->face_first);
        recording->parts = calloc((size_t)t.part_count + 1, sizeof *recording->parts);
        recording->corners = t.corners;
        recording->radii = t.radii;
        recording->given_radii = t.given_radii;
        t.corners = NULL;
        if (!recording->shapes || !recording->vertices || !recording->face_first || !recording->parts) {
            status = ABUT_ERROR_OUT_OF_MEMORY;
        }
    }
    if (!status) {
        t.corners = recording->corners;
        for (hsize_t v = 0; v < t.vertex_count; v++) {
            recording->vertices[v] = load_vec3(t.vertices + 3 * v);
        }
        for (int32_t i = 0; i < recording->shape_count && !status; i++) {
            status = build_shape(recording, &t, i);
        }
        t.corners = NULL;
    }
    t.radii = recording->radii ? NULL : t.radii; /* now owned by the recording */
    t.given_radii = recording->given_radii ? NULL : t.given_radii;
    release_tables(&t);
    return status;
}

/* Copies the cells of one field into an array of structs. */
static void scatter(const layout_field *field, const char *cells, size_t count, char *records, size_t record_size) {
    size_t size = layout_cell_size(field->cell) * (size_t)field->width;
    for (size_t i = 0; i < count; i++) {
        memcpy(records + i * record_size + field->offset, cells + i * size, size);
    }
}

static abut_status read_steps(abut_recording *recording) {
    abut_status status = ABUT_OK;
    hsize_t count = 0;
    for (int i = 0; i < LAYOUT_STEP_FIELDS && !status; i++) {
        char path[64];
        void *cells = NULL;
        snprintf(path, sizeof path, "steps/%s", layout_step[i].name);
        if (i >= LAYOUT_FIRST_STEP_FIELDS && H5Lexists(recording->file, path, H5P_DEFAULT) == 0) {
            continue;
        }
        if (i == 0) {
            status = h5_read_all(recording->file, path, layout_step[i].cell, 1, &cells, &count);
            recording->steps = status ? NULL : calloc((size_t)count + 1, sizeof *recording->steps);
            status = status || recording->steps ? status : ABUT_ERROR_OUT_OF_MEMORY;
        } else {
            status = h5_read_counted(recording->file, path, layout_step[i].cell, 1, count, &cells);
        }
        if (!status) {
            scatter(&layout_step[i], cells, (size_t)count, (char *)recording->steps, sizeof *recording->steps);
        }
        free(cells);
    }
    recording->step_count = (int64_t)count;
    return status;
}

static abut_status open_contacts(abut_recording *recording) {
    abut_status status = ABUT_OK;
    for (int i = 0; i < LAYOUT_CONTACT_FIELDS && !status; i++) {
        const layout_field *field = &layout_contact[i];
        char path[64];
        snprintf(path, sizeof path, "contacts/%s", field->name);
        status = h5_rows_open(recording->file, path, field->cell, field->width > 1 ? 2 : 1, (hsize_t)field->width, 0,
                              &recording->contact_rows[i]);
        if (!status && recording->contact_rows[i].count != recording->contact_rows[0].count) {
            status = ABUT_ERROR_FORMAT;
        }
    }
    recording->contact_count = status ? 0 : (int64_t)recording->contact_rows[0].count;
    return status;
}

static abut_status open_frames(abut_recording *recording) {
    hid_t file = recording->file;
    hsize_t n = (hsize_t)recording->body_count, count = 0;
    abut_status status = h5_read_all(file, "frames/step", LAYOUT_INT64, 1, (void **)&recording->frame_step, &count);
    status = status ? status : h5_read_counted(file, "frames/time", LAYOUT_DOUBLE, 1, count, (void **)&recording->frame_time);
    status =
        status ? status : h5_read_counted(file, "frames/contact_first", LAYOUT_INT64, 1, count, (void **)&recording->frame_contact_first);
    status = status ? status : h5_read_counted(file, "frames/contact_count", LAYOUT_INT32, 1, count, (void **)&recording->frame_contacts);
    status = status ? status : h5_rows_open(file, "frames/pose", LAYOUT_DOUBLE, 3, n, LAYOUT_POSE_WIDTH, &recording->pose);
    status = status ? status : h5_rows_open(file, "frames/velocity", LAYOUT_DOUBLE, 3, n, LAYOUT_VELOCITY_WIDTH, &recording->velocity);
    status = status ? status : h5_rows_open(file, "frames/presence", LAYOUT_INT8, 2, n, 0, &recording->presence);
    if (status) {
        return status;
    }
    recording->frame_count = (int64_t)count;
    bool right = recording->pose.count == count && recording->velocity.count == count && recording->presence.count == count;
    for (hsize_t i = 0; i < count && right; i++) {
        int64_t first = recording->frame_contact_first[i], some = recording->frame_contacts[i], step = recording->frame_step[i];
        right = first >= 0 && some >= 0 && first <= recording->contact_count && some <= recording->contact_count - first && step >= 0 &&
                step < recording->step_count;
    }
    recording->states = calloc((size_t)n + 1, sizeof *recording->states);
    recording->pose_cells = calloc((size_t)n + 1, LAYOUT_POSE_WIDTH * sizeof(double));
    recording->velocity_cells = calloc((size_t)n + 1, LAYOUT_VELOCITY_WIDTH * sizeof(double));
    recording->presence_cells = calloc((size_t)n + 1, 1);
    bool memory = recording->states && recording->pose_cells && recording->velocity_cells && recording->presence_cells;
    return !right ? ABUT_ERROR_FORMAT : !memory ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK;
}

/* Checks the rows of /deformed: existing frames and bodies, and vertices for each. */
static bool are_deformed_right(const abut_recording *recording) {
    bool right = true;
    for (int64_t i = 0; i < recording->deformed_count && right; i++) {
        int64_t frame = recording->deformed_frame[i], first = recording->deformed_first[i];
        int32_t body = recording->deformed_body[i];
        right = frame >= (i > 0 ? recording->deformed_frame[i - 1] : 0) && frame < recording->frame_count && body >= 0 &&
                body < recording->body_count && first >= 0 && first <= (int64_t)recording->deformed_rows.count;
        right = right && recording->shapes[recording->bodies[body].shape].vertex_count <= (int64_t)recording->deformed_rows.count - first;
    }
    return right;
}

static abut_status open_deformed(abut_recording *recording) {
    hid_t file = recording->file;
    if (H5Lexists(file, "deformed", H5P_DEFAULT) == 0) {
        return ABUT_OK;
    }
    hsize_t count = 0;
    int32_t largest = 0;
    abut_status status = h5_read_all(file, "deformed/frame", LAYOUT_INT64, 1, (void **)&recording->deformed_frame, &count);
    status = status ? status : h5_read_counted(file, "deformed/body", LAYOUT_INT32, 1, count, (void **)&recording->deformed_body);
    status = status ? status : h5_read_counted(file, "deformed/vertex_first", LAYOUT_INT64, 1, count, (void **)&recording->deformed_first);
    status = status ? status : h5_rows_open(file, "deformed/vertices", LAYOUT_DOUBLE, 2, 3, 0, &recording->deformed_rows);
    if (status) {
        return status;
    }
    recording->deformed_count = (int64_t)count;
    for (int32_t i = 0; i < recording->shape_count; i++) {
        largest = recording->shapes[i].vertex_count > largest ? recording->shapes[i].vertex_count : largest;
    }
    recording->vertex_cells = calloc((size_t)largest + 1, 3 * sizeof *recording->vertex_cells);
    recording->moved = calloc((size_t)largest + 1, sizeof *recording->moved);
    bool memory = recording->vertex_cells && recording->moved;
    return !memory ? ABUT_ERROR_OUT_OF_MEMORY : are_deformed_right(recording) ? ABUT_OK : ABUT_ERROR_FORMAT;
}

/* Whether the file declares that it is a recording: ABUT_OK, ABUT_ERROR_FORMAT, ABUT_ERROR_OUT_OF_MEMORY. *version receives the version of its format. */
static abut_status check_format(hid_t file, int32_t *version) {
    char *format = NULL;
    abut_status status = h5_read_text_attribute(file, "format", &format);
    if (!status && strcmp(format, LAYOUT_FORMAT) != 0) {
        status = ABUT_ERROR_FORMAT;
    }
    free(format);
    return status ? status : h5_read_attribute(file, "format_version", LAYOUT_INT32, 1, version);
}

/* The message for a status of the reading functions. */
static abut_status explain(const abut_recording *recording, abut_status status, abut_error *error) {
    if (!status) {
        return ABUT_OK;
    }
    const char *why = status == ABUT_ERROR_OUT_OF_MEMORY ? "no memory to read it" : "the recording is damaged";
    return abut_fail(error, status, "%s: %s", recording->path, why);
}

static abut_status open_file(abut_recording *recording, abut_error *error) {
    const char *path = recording->path;
    FILE *probe = fopen(path, "rb");
    if (!probe || fgetc(probe) == EOF) {
        /* A folder can be opened, but not read. */
        int number = probe && !ferror(probe) ? 0 : errno;
        if (probe) {
            fclose(probe);
        }
        return number ? abut_fail(error, ABUT_ERROR_FILE, "%s: %s", path, strerror(number))
                      : abut_fail(error, ABUT_ERROR_FORMAT, "%s: is empty and not a recording", path);
    }
    file_tell(fileno(probe), path);
    fclose(probe);
    recording->file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    int32_t version = 0;
    if (recording->file < 0) {
        const char *why = H5Fis_hdf5(path) > 0 ? "is damaged or truncated" : "is not a recording (an HDF5 file that abut run wrote)";
        return abut_fail(error, ABUT_ERROR_FORMAT, "%s: %s", path, why);
    }
    abut_status status = check_format(recording->file, &version);
    if (status == ABUT_ERROR_OUT_OF_MEMORY) {
        return explain(recording, status, error);
    }
    if (status) {
        return abut_fail(error, ABUT_ERROR_FORMAT, "%s: is an HDF5 file, but not a recording that abut run wrote", path);
    }
    if (version != LAYOUT_VERSION) {
        return abut_fail(error, ABUT_ERROR_FORMAT, "%s: has format %d, this version of abut (%s) reads %d; use a newer abut", path,
                         (int)version, abut_version(), LAYOUT_VERSION);
    }
    status = read_root(recording);
    status = status ? status : read_shapes(recording);
    status = status ? status : read_bodies(recording);
    status = status ? status : read_steps(recording);
    status = status ? status : open_contacts(recording);
    status = status ? status : open_frames(recording);
    status = status ? status : open_deformed(recording);
    status = status ? status : recorded_joints_open(&recording->joints, recording->file, recording->body_count, recording->frame_count);
    status = status ? status
                    : recorded_events_open(&recording->events, recording->file, recording->body_count, recording->joints.count,
                                           recording->step_count);
    status = status ? status : recorded_series_open(&recording->series, recording->file, recording->step_count);
    return explain(recording, status, error);
}

void abut_recording_no_exit_handler(void) { (void)H5dont_atexit(); }

abut_status abut_recording_open(const char *path, abut_recording **recording, abut_error *error) {
    if (!path || !recording) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "the path of the recording is missing");
    }
    abut_recording *made = calloc(1, sizeof *made);
    if (!made || !(made->path = strdup(path))) {
        free(made);
        return abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "%s: no memory to read it", path);
    }
    made->file = -1;
    abut_status status;
    H5E_BEGIN_TRY { status = open_file(made, error); }
    H5E_END_TRY
    if (status) {
        abut_recording_close(made);
        return status;
    }
    *recording = made;
    return ABUT_OK;
}

void abut_recording_close(abut_recording *recording) {
    if (!recording) {
        return;
    }
    h5_rows_close(&recording->pose);
    h5_rows_close(&recording->velocity);
    h5_rows_close(&recording->presence);
    h5_rows_close(&recording->deformed_rows);
    recorded_joints_close(&recording->joints);
    recorded_events_close(&recording->events);
    recorded_series_close(&recording->series);
    for (int i = 0; i < LAYOUT_CONTACT_FIELDS; i++) {
        h5_rows_close(&recording->contact_rows[i]);
    }
    if (recording->file >= 0) {
        H5Fclose(recording->file);
    }
    void *const blocks[] = {recording->path,           recording->version,        recording->title,         recording->scene,
                            recording->names,          recording->bodies,         recording->shapes,        recording->vertices,
                            recording->face_first,     recording->corners,        recording->radii,         recording->given_radii,
                            recording->parts,          recording->steps,          recording->frame_step,    recording->frame_contact_first,
                            recording->frame_time,     recording->frame_contacts, recording->pose_cells,    recording->velocity_cells,
                            recording->presence_cells, recording->states,         recording->contacts,      recording->contact_cells,
                            recording->deformed_frame, recording->deformed_first, recording->deformed_body, recording->vertex_cells,
                            recording->moved};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        free(blocks[i]);
    }
    free(recording);
}

hid_t recording_file(const abut_recording *recording) { return recording->file; }

/* ---- asking ---- */

abut_recording_info abut_recording_get_info(const abut_recording *recording) {
    abut_recording_info info = {recording->path,         recording->version,       recording->title,       recording->scene,
                                recording->dt,           recording->gravity,       recording->complete,    recording->step_count,
                                recording->frame_count,  recording->contact_count, recording->body_count,  recording->shape_count,
                                recording->joints.count, recording->events.count,  recording->series.count};
    return info;
}

abut_status abut_recording_body(const abut_recording *recording, int32_t index, abut_recorded_body *body) {
    if (!recording || !body || index < 0 || index >= recording->body_count) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    *body = recording->bodies[index];
    return ABUT_OK;
}

abut_status abut_recording_shape(const abut_recording *recording, int32_t index, abut_recorded_shape *shape) {
    if (!recording || !shape || index < 0 || index >= recording->shape_count) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    *shape = recording->shapes[index];
    return ABUT_OK;
}

abut_status abut_recording_step(const abut_recording *recording, int64_t row, abut_step_report *report) {
    if (!recording || !report || row < 0 || row >= recording->step_count) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    *report = recording->steps[row];
    return ABUT_OK;
}

static abut_status read_states(abut_recording *recording, hsize_t frame) {
    abut_status status = h5_rows_read(&recording->pose, frame, 1, recording->pose_cells);
    status = status ? status : h5_rows_read(&recording->velocity, frame, 1, recording->velocity_cells);
    status = status ? status : h5_rows_read(&recording->presence, frame, 1, recording->presence_cells);
    for (int32_t i = 0; i < recording->body_count && !status; i++) {
        const double *velocity = recording->velocity_cells + LAYOUT_VELOCITY_WIDTH * (size_t)i;
        int8_t presence = recording->presence_cells[i];
        if (presence < ABUT_RECORDED_REMOVED || presence > ABUT_RECORDED_AWAKE) {
            return ABUT_ERROR_FORMAT;
        }
        abut_recorded_state state = {(abut_recorded_presence)presence, load_pose(recording->pose_cells + LAYOUT_POSE_WIDTH * (size_t)i),
                                     load_vec3(velocity), load_vec3(velocity + 3)};
        recording->states[i] = state;
    }
    return status;
}

static abut_status reserve_contacts(abut_recording *recording, int32_t count) {
    size_t needed = (size_t)count, capacity = recording->contact_capacity;
    bool room = grow_array(&recording->contacts, &capacity, needed, INT32_MAX, sizeof *recording->contacts) &&
                grow_array(&recording->contact_cells, &recording->contact_capacity, needed, INT32_MAX, CONTACT_CELL_BYTES);
    return room ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
}

static abut_status read_contacts(abut_recording *recording, hsize_t first, int32_t count) {
    abut_status status = reserve_contacts(recording, count);
    for (int i = 0; i < LAYOUT_CONTACT_FIELDS && !status; i++) {
        status = h5_rows_read(&recording->contact_rows[i], first, (hsize_t)count, recording->contact_cells);
        if (!status) {
            scatter(&layout_contact[i], recording->contact_cells, (size_t)count, (char *)recording->contacts, sizeof *recording->contacts);
        }
    }
    for (int32_t i = 0; i < count && !status; i++) {
        const abut_recorded_contact *c = &recording->contacts[i];
        if (c->a < 0 || c->a >= recording->body_count || c->b < 0 || c->b >= recording->body_count) {
            status = ABUT_ERROR_FORMAT;
        }
    }
    return status;
}

abut_status abut_recording_frame(abut_recording *recording, int64_t index, abut_recorded_frame *frame, abut_error *error) {
    if (!recording || !frame || index < 0 || index >= recording->frame_count) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "the frame does not exist in the recording");
    }
    abut_status status;
    H5E_BEGIN_TRY { status = read_states(recording, (hsize_t)index); }
    H5E_END_TRY
    if (!status) {
        abut_recorded_frame made = {recording->frame_step[index], recording->frame_time[index], recording->states,
                                    recording->frame_contacts[index]};
        *frame = made;
    }
    return explain(recording, status, error);
}

abut_status abut_recording_contacts(abut_recording *recording, int64_t index, const abut_recorded_contact **contacts, int32_t *count,
                                    abut_error *error) {
    if (!recording || !contacts || !count || index < 0 || index >= recording->frame_count) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "the frame does not exist in the recording");
    }
    abut_status status;
    H5E_BEGIN_TRY { status = read_contacts(recording, (hsize_t)recording->frame_contact_first[index], recording->frame_contacts[index]); }
    H5E_END_TRY
    if (!status) {
        *contacts = recording->contacts;
        *count = recording->frame_contacts[index];
    }
    return explain(recording, status, error);
}

/* ---- deformed bodies ---- */

bool abut_recording_deforms(const abut_recording *recording, int32_t body) {
    bool found = false;
    for (int64_t i = 0; recording && i < recording->deformed_count && !found; i++) {
        found = recording->deformed_body[i] == body;
    }
    return found;
}

/* The last row of the body up to a frame; -1 for none. */
static int64_t find_deformed(const abut_recording *recording, int64_t frame, int32_t body) {
    int64_t begin = 0, end = recording->deformed_count; /* rows from `end` on belong to later frames */
    while (begin < end) {
        int64_t middle = begin + (end - begin) / 2;
        if (recording->deformed_frame[middle] <= frame) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    for (end--; end >= 0 && recording->deformed_body[end] != body;) {
        end--;
    }
    return end;
}

abut_status abut_recording_vertices(abut_recording *recording, int64_t index, int32_t body, const abut_vec3 **vertices, int32_t *count,
                                    abut_error *error) {
    bool asked =
        recording && vertices && count && index >= 0 && index < recording->frame_count && body >= 0 && body < recording->body_count;
    if (!asked) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "the frame or body does not exist in the recording");
    }
    const abut_recorded_shape *shape = &recording->shapes[recording->bodies[body].shape];
    int64_t row = find_deformed(recording, index, body);
    if (row < 0) {
        *vertices = shape->vertex_count > 0 ? shape->vertices : NULL;
        *count = shape->vertex_count;
        return ABUT_OK;
    }
    abut_status status;
    H5E_BEGIN_TRY {
        status = h5_rows_read(&recording->deformed_rows, (hsize_t)recording->deformed_first[row], (hsize_t)shape->vertex_count,
                              recording->vertex_cells);
    }
    H5E_END_TRY
    if (status) {
        return explain(recording, status, error);
    }
    for (int32_t v = 0; v < shape->vertex_count; v++) {
        recording->moved[v] = load_vec3(recording->vertex_cells + 3 * (size_t)v);
    }
    *vertices = recording->moved;
    *count = shape->vertex_count;
    return ABUT_OK;
}

/* ---- joints and events ---- */

abut_status abut_recording_joint(const abut_recording *recording, int32_t index, abut_scene_joint *joint) {
    if (!recording || !joint || index < 0 || index >= recording->joints.count) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    *joint = recording->joints.joints[index];
    return ABUT_OK;
}

abut_status abut_recording_joints(abut_recording *recording, int64_t index, const abut_recorded_joint_state **joints, abut_error *error) {
    if (!recording || !joints || index < 0 || index >= recording->frame_count) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "the frame does not exist in the recording");
    }
    abut_status status;
    H5E_BEGIN_TRY { status = recorded_joints_read(&recording->joints, index); }
    H5E_END_TRY
    *joints = status ? NULL : recording->joints.states;
    return explain(recording, status, error);
}

abut_status abut_recording_events(abut_recording *recording, int64_t first, int32_t count, const abut_recorded_event **events,
                                  abut_error *error) {
    bool there =
        recording && events && first >= 0 && count >= 0 && first <= recording->events.count && count <= recording->events.count - first;
    if (!there) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "the events do not exist in the recording");
    }
    abut_status status;
    H5E_BEGIN_TRY { status = recorded_events_read(&recording->events, first, count); }
    H5E_END_TRY
    *events = status ? NULL : recording->events.events;
    return explain(recording, status, error);
}

abut_status abut_recording_frame_events(const abut_recording *recording, int64_t index, int64_t *first, int32_t *count) {
    if (!recording || !first || !count || index < 0 || index >= recording->frame_count) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    *first = index > 0 ? recorded_events_after(&recording->events, recording->frame_step[index - 1]) : 0;
    int64_t end = recorded_events_after(&recording->events, recording->frame_step[index]);
    *count = end <= *first ? 0 : end - *first < INT32_MAX ? (int32_t)(end - *first) : INT32_MAX;
    return ABUT_OK;
}

/* ---- time series ---- */

const char *abut_recording_series_name(const abut_recording *recording, int32_t index) {
    const recorded_series *series = &recording->series;
    return index >= 0 && index < series->count ? series->names + series->stride * (size_t)index : NULL;
}

abut_status abut_recording_series(abut_recording *recording, int64_t row, const double **values, abut_error *error) {
    if (!recording || !values || row < 0 || row >= recording->step_count || recording->series.count == 0) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "the row of the time series does not exist in the recording");
    }
    abut_status status;
    H5E_BEGIN_TRY { status = recorded_series_read(&recording->series, row); }
    H5E_END_TRY
    *values = status ? NULL : recording->series.row;
    return explain(recording, status, error);
}
