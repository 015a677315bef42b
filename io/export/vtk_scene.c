/*
 * Prepares frames of a recording for drawing: bodies in periodic space, sums over their contacts.
 */
#include "io/export/vtk_scene.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/grow.h"
#include "io/record/shape_radius.h"

/* Reads the periodic space of the dem stepper from the scene's text. A text that cannot be read has none. */
static void read_space(vtk_scene *scene) {
    static const char *const axes[] = {"x", "y", "z"};
    json_t *root = json_loads(scene->info.scene, 0, NULL), *stepper = json_object_get(root, "stepper");
    const char *kind = json_string_value(json_object_get(stepper, "kind"));
    json_t *periodic = kind && strcmp(kind, "dem") == 0 ? json_object_get(stepper, "periodic") : NULL;
    for (int axis = 0; axis < 3; axis++) {
        json_t *span = json_object_get(periodic, axes[axis]);
        double lower = json_number_value(json_array_get(span, 0)), upper = json_number_value(json_array_get(span, 1));
        if (upper > lower && isfinite(upper - lower)) {
            scene->lower[axis] = lower;
            scene->period[axis] = upper - lower;
        }
    }
    json_decref(root);
}

abut_status vtk_scene_begin(vtk_scene *scene, abut_recording *recording, abut_error *error) {
    *scene = (vtk_scene){.recording = recording, .info = abut_recording_get_info(recording)};
    scene->bodies = calloc((size_t)scene->info.body_count + 1, sizeof *scene->bodies);
    if (!scene->bodies) {
        return abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "%s: no memory to read it", scene->info.path);
    }
    for (int32_t i = 0; i < scene->info.body_count; i++) {
        abut_recorded_shape shape;
        (void)abut_recording_body(recording, i, &scene->bodies[i].body);
        (void)abut_recording_shape(recording, scene->bodies[i].body.shape, &shape);
        scene->bodies[i].kind = shape.kind;
        scene->bodies[i].local_centre = scene->bodies[i].body.centre;
        scene->bodies[i].deforms = abut_recording_deforms(recording, i);
        scene->bodies[i].radius = recording_shape_radius(recording, scene->bodies[i].body.shape);
    }
    read_space(scene);
    return ABUT_OK;
}

void vtk_scene_release(vtk_scene *scene) {
    free(scene->bodies);
    free(scene->pairs);
    scene->bodies = NULL;
    scene->pairs = NULL;
}

/* The whole periods that move the point into the space. */
static abut_vec3 shift_into_space(const vtk_scene *scene, abut_vec3 point) {
    const double from[] = {point.x, point.y, point.z};
    double shift[3] = {0};
    for (int axis = 0; axis < 3; axis++) {
        double period = scene->period[axis];
        shift[axis] = period > 0.0 ? -period * floor((from[axis] - scene->lower[axis]) / period) : 0.0;
    }
    return abut_vec3_make(shift[0], shift[1], shift[2]);
}

/* The centroid of the enclosed volume, summed over tetrahedra of the faces' triangles and the first vertex; `otherwise` when the volume is zero. */
static abut_vec3 centroid_of(const abut_recorded_shape *shape, const abut_vec3 *vertices, abut_vec3 otherwise) {
    double volume = 0.0; /* six times the volume */
    abut_vec3 sum = {0, 0, 0};
    for (int32_t f = 0; f < shape->face_count; f++) {
        for (int32_t c = shape->face_first[f] + 2; c < shape->face_first[f + 1]; c++) {
            abut_vec3 p = abut_sub(vertices[shape->face_vertices[shape->face_first[f]]], vertices[0]);
            abut_vec3 q = abut_sub(vertices[shape->face_vertices[c - 1]], vertices[0]);
            abut_vec3 r = abut_sub(vertices[shape->face_vertices[c]], vertices[0]);
            double part = abut_dot(p, abut_cross(q, r));
            volume += part;
            sum = abut_add_scaled(sum, 0.25 * part, abut_add(p, abut_add(q, r)));
        }
    }
    return volume > 0.0 ? abut_add_scaled(vertices[0], 1.0 / volume, sum) : otherwise;
}

/* The frame of a deforming body is that of its pose. Its centre of mass follows the shape. */
static abut_status measure_deformed(const vtk_scene *scene, int64_t frame, int32_t body, abut_error *error) {
    vtk_body *b = &scene->bodies[body];
    abut_recorded_shape shape;
    const abut_vec3 *vertices;
    int32_t count;
    (void)abut_recording_shape(scene->recording, b->body.shape, &shape);
    abut_status status = abut_recording_vertices(scene->recording, frame, body, &vertices, &count, error);
    if (status || count == 0) {
        return status;
    }
    double square = 0.0;
    for (int32_t v = 0; v < count; v++) {
        square = fmax(square, abut_length_squared(vertices[v]));
    }
    b->radius = sqrt(square);
    b->local_centre = b->kind == ABUT_SHAPE_FACETMESH ? centroid_of(&shape, vertices, b->body.centre) : b->body.centre;
    return ABUT_OK;
}

static void place(const vtk_scene *scene, const abut_recorded_state *state, vtk_body *b) {
    b->there = state->presence != ABUT_RECORDED_REMOVED && abut_pose_is_valid(state->pose);
    b->awake = state->presence == ABUT_RECORDED_AWAKE;
    b->pose = state->pose;
    b->pose.rotation = abut_quat_unit(state->pose.rotation);
    b->shift = abut_vec3_make(0, 0, 0);
    if (b->there && b->kind != ABUT_SHAPE_PLANE) {
        b->shift = shift_into_space(scene, abut_pose_apply(b->pose, b->local_centre));
    }
    b->pose.position = abut_add(b->pose.position, b->shift);
    b->centre = abut_pose_apply(b->pose, b->local_centre);
    b->velocity = state->velocity;
    b->angular_velocity = state->angular_velocity;
    b->force = abut_vec3_make(0, 0, 0);
    b->coordination = 0;
}

abut_status vtk_scene_load_bodies(vtk_scene *scene, int64_t frame, abut_error *error) {
    abut_recorded_frame read;
    abut_status status = abut_recording_frame(scene->recording, frame, &read, error);
    for (int32_t i = 0; i < scene->info.body_count && !status; i++) {
        status = scene->bodies[i].deforms ? measure_deformed(scene, frame, i, error) : ABUT_OK;
        place(scene, &read.bodies[i], &scene->bodies[i]);
    }
    scene->frame = frame;
    scene->time = status ? 0.0 : read.time;
    return status;
}

static abut_status reserve_pairs(vtk_scene *scene, int32_t count, abut_error *error) {
    bool room = grow_array(&scene->pairs, &scene->pair_capacity, (size_t)count, INT32_MAX, sizeof *scene->pairs);
    return room ? ABUT_OK : abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "%s: no memory to read it", scene->info.path);
}

abut_vec3 vtk_contact_force(const abut_recorded_contact *contact) {
    return abut_add_scaled(contact->friction_force, contact->normal_force, contact->contact.normal);
}

abut_vec3 vtk_contact_point(const vtk_scene *scene, const abut_recorded_contact *contact) {
    return abut_add(scene->bodies[contact->a].shift, abut_lerp(contact->contact.on_a, contact->contact.on_b, 0.5));
}

static bool is_touching(const abut_recorded_contact *contact) {
    return contact->contact.gap <= 0.0 || contact->normal_force != 0.0 || abut_length_squared(contact->friction_force) > 0.0;
}

/* Contacts of one pair are consecutive. */
static void gather_pairs(vtk_scene *scene) {
    scene->pair_count = 0;
    for (int32_t i = 0; i < scene->contact_count; i++) {
        const abut_recorded_contact *c = &scene->contacts[i];
        vtk_pair *pair = scene->pair_count > 0 ? &scene->pairs[scene->pair_count - 1] : NULL;
        if (!pair || pair->a != c->a || pair->b != c->b) {
            pair = &scene->pairs[scene->pair_count++];
            *pair = (vtk_pair){.a = c->a, .b = c->b, .first = i};
        }
        pair->count++;
        pair->touching = pair->touching || is_touching(c);
        abut_vec3 force = vtk_contact_force(c);
        scene->bodies[c->a].force = abut_add(scene->bodies[c->a].force, force);
        scene->bodies[c->b].force = abut_sub(scene->bodies[c->b].force, force);
    }
    for (int32_t i = 0; i < scene->pair_count; i++) {
        scene->bodies[scene->pairs[i].a].coordination += scene->pairs[i].touching;
        scene->bodies[scene->pairs[i].b].coordination += scene->pairs[i].touching;
    }
}

abut_status vtk_scene_load(vtk_scene *scene, int64_t frame, abut_error *error) {
    abut_status status = vtk_scene_load_bodies(scene, frame, error);
    status = status ? status : abut_recording_contacts(scene->recording, frame, &scene->contacts, &scene->contact_count, error);
    status = status ? status : reserve_pairs(scene, scene->contact_count, error);
    if (!status) {
        gather_pairs(scene);
    }
    return status;
}

abut_vec3 vtk_scene_image(const vtk_scene *scene, int32_t a, int32_t b) {
    const vtk_body *p = &scene->bodies[a], *q = &scene->bodies[b];
    if (p->kind == ABUT_SHAPE_PLANE || q->kind == ABUT_SHAPE_PLANE) {
        return abut_vec3_make(0, 0, 0);
    }
    abut_vec3 apart = abut_sub(p->centre, q->centre);
    const double *period = scene->period;
    return abut_vec3_make(period[0] > 0.0 ? period[0] * round(apart.x / period[0]) : 0.0,
                          period[1] > 0.0 ? period[1] * round(apart.y / period[1]) : 0.0,
                          period[2] > 0.0 ? period[2] * round(apart.z / period[2]) : 0.0);
}
