/*
 * Lets a scene go on from a frame of a recording. Bodies are matched by their names. Their shapes must be those of the recording, number by number: contacts of
 * a bed of other grains would begin with large overlaps.
 */
#include "io/record/start.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <abut/mesh.h>

#include "io/scene/check/started.h"
#include "io/scene/start.h"
#include "io/surface/shape_list.h"

/* What is read. */
typedef struct beginning {
    abut_scene *scene;
    abut_recording *recording;
    abut_recording_info info;
    abut_recorded_frame frame;
    int64_t frame_index;
    const char *path;
    shape_list shapes;        /* of the scene */
    int32_t *alike;           /* [shapes of the recording] the shape of the scene that equals it, + 1; 0 while none is known */
    abut_scene_place *places; /* [bodies of the scene] */
    abut_vec3 **kept;         /* [bodies of the scene] vertices of elastic cells; NULL for others */
    int32_t *come;            /* [inlets of the scene] */
    int32_t matched;          /* bodies that both have */
    abut_error *error;
} beginning;

static abut_status no_memory(const beginning *b) {
    return scene_start_fail(b->scene, ABUT_ERROR_OUT_OF_MEMORY, false, b->error, "no memory for the recording");
}

/* Puts the place in the scene before a message about the recording. */
static abut_status explain(const beginning *b, abut_status status, const abut_error *why) {
    return status == ABUT_OK ? ABUT_OK : scene_start_fail(b->scene, status, false, b->error, "%s", why->message);
}

/* ---- shapes ---- */

static bool same_reals(const double *a, const double *b, size_t count) {
    bool same = true;
    for (size_t i = 0; i < count && same; i++) {
        same = a[i] == b[i];
    }
    return same;
}

static bool same_vectors(const abut_vec3 *a, const abut_vec3 *b, int32_t count) {
    return count == 0 || same_reals(&a->x, &b->x, 3 * (size_t)count);
}

static bool same_surface(const abut_recorded_shape *a, const abut_recorded_shape *b) {
    if (a->vertex_count != b->vertex_count || a->face_count != b->face_count || !same_vectors(a->vertices, b->vertices, a->vertex_count)) {
        return false;
    }
    size_t faces = (size_t)a->face_count;
    if (faces == 0) {
        return true;
    }
    /* The corners of a recorded shape may begin behind those of others. */
    bool same = true;
    for (size_t f = 0; f < faces && same; f++) {
        int32_t corners = a->face_first[f + 1] - a->face_first[f];
        same = corners == b->face_first[f + 1] - b->face_first[f] &&
               memcmp(a->face_vertices + a->face_first[f], b->face_vertices + b->face_first[f], sizeof(int32_t) * (size_t)corners) == 0;
    }
    return same && (!a->radii || !b->radii || same_reals(a->radii, b->radii, faces));
}

static bool same_numbers(const abut_recorded_shape *a, const abut_recorded_shape *b) {
    return a->kind == b->kind && a->radius == b->radius && a->top_radius == b->top_radius && a->height == b->height &&
           a->half_length == b->half_length && a->offset == b->offset && a->part_count == b->part_count &&
           same_vectors(&a->normal, &b->normal, 1) && same_vectors(&a->semi_axes, &b->semi_axes, 1) &&
           same_reals(a->exponents, b->exponents, 2);
}

/* Whether shape `own` of the scene equals shape `old` of the recording. Parts of compounds are no compounds. */
static bool same_shape(const beginning *b, int32_t own, int32_t old, bool part) {
    abut_recorded_shape other;
    if (own < 0 || own >= b->shapes.count || abut_recording_shape(b->recording, old, &other) != ABUT_OK) {
        return false;
    }
    const abut_recorded_shape *one = &b->shapes.entries[own];
    bool same = same_numbers(one, &other) && same_surface(one, &other) && !(part && one->kind == ABUT_SHAPE_COMPOUND);
    for (int32_t i = 0; i < one->part_count && same; i++) {
        const abut_recorded_part *p = &one->parts[i], *q = &other.parts[i];
        same = same_vectors(&p->pose.position, &q->pose.position, 1) && same_reals(&p->pose.rotation.x, &q->pose.rotation.x, 4) &&
               same_shape(b, p->shape, q->shape, true);
    }
    return same;
}

/* Bodies that share a shape in both are compared once. */
static bool has_shape(beginning *b, int32_t body, int32_t old) {
    int32_t own = shape_list_index(&b->shapes, abut_scene_body_def(b->scene, body)->shape);
    if (old < 0 || old >= b->info.shape_count) {
        return false;
    }
    if (b->alike[old] == own + 1) {
        return true;
    }
    bool same = same_shape(b, own, old, false);
    b->alike[old] = same ? own + 1 : b->alike[old];
    return same;
}

/* ---- the frame ---- */

static abut_status read_frame(beginning *b, int64_t index) {
    abut_error why = {ABUT_OK, ""};
    b->frame_index = index;
    return explain(b, abut_recording_frame(b->recording, index, &b->frame, &why), &why);
}

/* A checkpoint of a recording of few frames may lack one of its end. */
static abut_status warn_early(beginning *b, double end) {
    char message[1024];
    snprintf(message, sizeof message, "the last frame of '%s' is at %g, before its end at %g: end the run first with 'abut run --resume'",
             b->path, b->frame.time, end);
    return scene_start_warn(b->scene, message) ? ABUT_OK : no_memory(b);
}

/* Reads the last frame that is not later than the time. Times of steps carry rounding errors. */
static abut_status find_frame(beginning *b) {
    abut_scene_start start;
    (void)abut_scene_get_start(b->scene, &start);
    double allowance = 1e-9 * b->info.dt;
    int64_t below = 0, above = b->info.frame_count; /* time of `below` <= wanted < time of `above` */
    if (above < 1) {
        return scene_start_fail(b->scene, ABUT_ERROR_FORMAT, false, b->error, "'%s' has no frame", b->path);
    }
    while (above - below > 1) {
        int64_t middle = below + (above - below) / 2;
        abut_status status = read_frame(b, middle);
        if (status != ABUT_OK) {
            return status;
        }
        if (b->frame.time <= start.time + allowance) {
            below = middle;
        } else {
            above = middle;
        }
    }
    abut_step_report end = {.time = 0.0};
    (void)abut_recording_step(b->recording, b->info.step_count - 1, &end);
    abut_status status = read_frame(b, below);
    if (status == ABUT_OK && isfinite(start.time) && start.time > end.time + 0.5 * b->info.dt) {
        return scene_start_fail(b->scene, ABUT_ERROR_FORMAT, true, b->error, "'time' %g is after the end of '%s', %g", start.time, b->path,
                                end.time);
    }
    if (status == ABUT_OK && !isfinite(b->frame.time)) {
        return scene_start_fail(b->scene, ABUT_ERROR_FORMAT, false, b->error, "'%s' is damaged: the time of frame %lld", b->path,
                                (long long)below);
    }
    bool early = status == ABUT_OK && !isfinite(start.time) && b->frame.step < b->info.step_count - 1;
    return early ? warn_early(b, end.time) : status;
}

static bool is_sound(const abut_recorded_state *state) {
    double norm = abut_quat_norm(state->pose.rotation);
    return abut_vec3_is_finite(state->pose.position) && abut_vec3_is_finite(state->velocity) &&
           abut_vec3_is_finite(state->angular_velocity) && fabs(norm - 1.0) < 1e-6;
}

/* ---- bodies ---- */

/* Whether the corners of a shape are at these vertices. Amounts of fields at different times carry rounding errors. */
static bool has_vertices(const abut_shape *shape, const abut_vec3 *vertices, int32_t count) {
    const double rounding = 1e-9;
    double most = 0.0, off = 0.0;
    for (int32_t t = 0; t < abut_shape_triangle_count(shape); t++) {
        abut_triangle triangle;
        if (abut_shape_triangle(shape, t, &triangle) != ABUT_OK) {
            return false;
        }
        for (int k = 0; k < 3; k++) {
            int32_t vertex = triangle.vertex[k];
            if (vertex >= count || !abut_vec3_is_finite(vertices[vertex])) {
                return false;
            }
            most = fmax(most, abut_length(triangle.corner[k]));
            off = fmax(off, abut_length(abut_sub(triangle.corner[k], vertices[vertex])));
        }
    }
    return off <= rounding * most;
}

/* The vertices of a body of the recording in the frame, which the recording owns. */
static abut_status read_vertices(beginning *b, int32_t old, const abut_vec3 **vertices, int32_t *count) {
    abut_error why = {ABUT_OK, ""};
    abut_status status = abut_recording_vertices(b->recording, b->frame_index, old, vertices, count, &why);
    return status == ABUT_OK ? ABUT_OK : explain(b, status, &why);
}

/* A body that deforms must begin as it was, or it would begin in others. */
static abut_status check_deformed(beginning *b, int32_t body, int32_t old, const char *name) {
    const abut_vec3 *vertices = NULL;
    int32_t count = 0;
    abut_status status = read_vertices(b, old, &vertices, &count);
    if (status != ABUT_OK) {
        return status;
    }
    const abut_shape *shape = NULL;
    status = scene_start_shape(b->scene, body, &shape);
    bool same = status == ABUT_OK && has_vertices(shape, vertices, count);
    abut_shape_release(shape);
    if (status == ABUT_ERROR_OUT_OF_MEMORY) {
        return no_memory(b);
    }
    return same ? ABUT_OK
                : scene_start_fail(b->scene, ABUT_ERROR_FORMAT, false, b->error,
                                   "body '%s' is deformed in another way at the beginning than in '%s' at %g: give it a 'deform' that "
                                   "begins with the amounts of that time, or list the other bodies in 'bodies'",
                                   name, b->path, b->frame.time);
}

static abut_status check_body(beginning *b, int32_t body, int32_t old, const abut_recorded_body *recorded) {
    if (!has_shape(b, body, recorded->shape)) {
        return scene_start_fail(b->scene, ABUT_ERROR_FORMAT, false, b->error, "body '%s' has another shape than in '%s'", recorded->name,
                                b->path);
    }
    bool deforms = abut_scene_body_deforms(b->scene, body) || abut_recording_deforms(b->recording, old);
    return deforms && !abut_scene_body_cell(b->scene, body) ? check_deformed(b, body, old, recorded->name) : ABUT_OK;
}

/* The vertices of an elastic cell in the frame. */
static abut_status keep_vertices(beginning *b, int32_t body, int32_t old) {
    const abut_vec3 *vertices = NULL;
    int32_t count = 0;
    abut_status status = read_vertices(b, old, &vertices, &count);
    if (status != ABUT_OK) {
        return status;
    }
    b->kept[body] = malloc(((size_t)count + 1) * sizeof **b->kept);
    if (!b->kept[body]) {
        return no_memory(b);
    }
    for (int32_t i = 0; i < count; i++) {
        if (!abut_vec3_is_finite(vertices[i])) {
            return scene_start_fail(b->scene, ABUT_ERROR_FORMAT, false, b->error, "'%s' is damaged: the vertices of body '%s' at %g",
                                    b->path, abut_scene_body_name(b->scene, body), b->frame.time);
        }
        b->kept[body][i] = vertices[i];
    }
    b->places[body].vertices = b->kept[body];
    return ABUT_OK;
}

static abut_status place_body(beginning *b, int32_t body, int32_t old, const abut_recorded_body *recorded) {
    const abut_recorded_state *state = &b->frame.bodies[old];
    const abut_body_def *def = abut_scene_body_def(b->scene, body);
    abut_scene_place *place = &b->places[body];
    if (state->presence == ABUT_RECORDED_REMOVED) {
        place->gone = has_shape(b, body, recorded->shape);
        return place->gone ? ABUT_OK : check_body(b, body, old, recorded);
    }
    abut_status status = check_body(b, body, old, recorded);
    if (status != ABUT_OK) {
        return status;
    }
    if (!is_sound(state)) {
        return scene_start_fail(b->scene, ABUT_ERROR_FORMAT, false, b->error, "'%s' is damaged: the state of body '%s' at %g", b->path,
                                recorded->name, b->frame.time);
    }
    status = abut_scene_body_cell(b->scene, body) ? keep_vertices(b, body, old) : ABUT_OK;
    if (status != ABUT_OK) {
        return status;
    }
    bool dynamic = def->kind == ABUT_BODY_DYNAMIC;
    place->taken = true;
    place->pose = state->pose;
    place->motion = dynamic ? (abut_motion){state->velocity, state->angular_velocity} : def->motion;
    return ABUT_OK;
}

/* A static body is where the scene says. When that is where it was, what lies in it lay in it before, and no warning is due. */
static void note_static(beginning *b, int32_t body, int32_t old, const abut_recorded_body *recorded) {
    const abut_recorded_state *state = &b->frame.bodies[old];
    const abut_body_def *def = abut_scene_body_def(b->scene, body);
    abut_quat turn = abut_quat_unit(def->pose.rotation);
    bool there = state->presence != ABUT_RECORDED_REMOVED && same_vectors(&state->pose.position, &def->pose.position, 1) &&
                 fabs(state->pose.rotation.x - turn.x) + fabs(state->pose.rotation.y - turn.y) < 1e-12 &&
                 fabs(state->pose.rotation.z - turn.z) + fabs(state->pose.rotation.w - turn.w) < 1e-12;
    b->places[body] = (abut_scene_place){.taken = there && has_shape(b, body, recorded->shape), .pose = def->pose, .motion = def->motion};
}

static abut_status refuse_endless(const beginning *b, const char *inlet) {
    return scene_start_fail(b->scene, ABUT_ERROR_FORMAT, false, b->error,
                            "the inlet '%s' goes on by its clock, so it must say where it ends: 'until', 'number' or 'mass'", inlet);
}

/* Bodies of an inlet are missing when it ends before the recording does. */
static abut_status refuse_missing(const beginning *b, const char *name) {
    for (int32_t i = 0; i < abut_scene_inlet_count(b->scene); i++) {
        abut_scene_inlet inlet;
        (void)abut_scene_get_inlet(b->scene, i, &inlet);
        size_t length = strlen(inlet.name);
        if (!inlet.has_end && strncmp(name, inlet.name, length) == 0 && name[length] == '.') {
            return refuse_endless(b, inlet.name);
        }
    }
    return scene_start_fail(b->scene, ABUT_ERROR_FORMAT, false, b->error,
                            "'%s' has the dynamic body '%s', which the scene lacks: add it, or list the bodies to take in 'bodies'",
                            b->path, name);
}

static abut_status place_bodies(beginning *b) {
    abut_status status = ABUT_OK;
    for (int32_t old = 0; old < b->info.body_count && status == ABUT_OK; old++) {
        abut_recorded_body recorded;
        status = abut_recording_body(b->recording, old, &recorded);
        if (status != ABUT_OK || !scene_start_takes(b->scene, recorded.name)) {
            continue;
        }
        int32_t body = abut_scene_find_body(b->scene, recorded.name);
        bool there = b->frame.bodies[old].presence != ABUT_RECORDED_REMOVED;
        if (body < 0 && there && recorded.kind == ABUT_BODY_DYNAMIC) {
            status = refuse_missing(b, recorded.name);
        } else if (body >= 0) {
            b->matched++;
            if (abut_scene_body_def(b->scene, body)->kind == ABUT_BODY_STATIC) {
                note_static(b, body, old, &recorded);
            } else {
                status = place_body(b, body, old, &recorded);
            }
        }
    }
    if (status == ABUT_OK && b->matched == 0) {
        status = scene_start_fail(b->scene, ABUT_ERROR_FORMAT, false, b->error, "'%s' has no body of the scene", b->path);
    }
    return status;
}

/* ---- inlets ---- */

/* Number of the bodies that had come through an inlet of the name, as the time series has it; -1 when it does not. */
static abut_status read_count(beginning *b, const char *inlet, int32_t *count) {
    *count = -1;
    for (int32_t i = 0; i < b->info.series_count; i++) {
        const char *name = abut_recording_series_name(b->recording, i);
        size_t length = strlen(inlet);
        if (strncmp(name, inlet, length) != 0 || strcmp(name + length, ".count") != 0) {
            continue;
        }
        const double *row = NULL;
        abut_error why = {ABUT_OK, ""};
        abut_status status = explain(b, abut_recording_series(b->recording, b->frame.step, &row, &why), &why);
        if (status == ABUT_OK && row[i] >= 0.0 && row[i] <= INT32_MAX) {
            *count = (int32_t)row[i];
        }
        return status;
    }
    return ABUT_OK;
}

/* An inlet goes on when the recording has one of its bodies. All those have come that precede one which is there. */
static abut_status place_inlets(beginning *b) {
    abut_status status = ABUT_OK;
    for (int32_t i = 0; i < abut_scene_inlet_count(b->scene) && status == ABUT_OK; i++) {
        abut_scene_inlet inlet;
        (void)abut_scene_get_inlet(b->scene, i, &inlet);
        bool known = false;
        int32_t last = 0, count = -1;
        for (int32_t k = 0; k < inlet.count; k++) {
            const abut_scene_place *place = &b->places[inlet.first_body + k];
            known = known || place->taken || place->gone;
            last = place->taken ? k + 1 : last;
        }
        if (known && !inlet.has_end) {
            return refuse_endless(b, inlet.name);
        }
        status = known ? read_count(b, inlet.name, &count) : ABUT_OK;
        count = count < last ? last : count > inlet.count ? inlet.count : count;
        b->come[i] = known ? count : -1;
    }
    return status;
}

/* ---- all ---- */

static abut_status allocate(beginning *b) {
    b->alike = calloc((size_t)b->info.shape_count + 1, sizeof *b->alike);
    b->places = calloc((size_t)abut_scene_body_count(b->scene) + 1, sizeof *b->places);
    b->kept = calloc((size_t)abut_scene_body_count(b->scene) + 1, sizeof *b->kept);
    b->come = calloc((size_t)abut_scene_inlet_count(b->scene) + 1, sizeof *b->come);
    bool memory = b->alike && b->places && b->kept && b->come && shape_list_add_scene(&b->shapes, b->scene) == ABUT_OK &&
                  shape_list_describe(&b->shapes) == ABUT_OK;
    return memory ? ABUT_OK : no_memory(b);
}

static abut_status set_start(const beginning *b) {
    abut_status status = abut_scene_set_start(b->scene, b->places, b->come, b->frame.time);
    const char *why = status == ABUT_ERROR_INVALID_ARGUMENT ? "the beginning of the scene is set already" : abut_status_message(status);
    return status == ABUT_OK ? status : scene_start_fail(b->scene, status, false, b->error, "%s", why);
}

abut_status abut_recording_start(abut_scene *scene, abut_error *error) {
    abut_scene_start start;
    if (!scene) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "abut_recording_start: scene is NULL");
    }
    if (!abut_scene_get_start(scene, &start)) {
        return ABUT_OK;
    }
    abut_error why = {ABUT_OK, ""};
    beginning b = {.scene = scene, .path = start.recording, .error = error};
    abut_status status = abut_recording_open(start.recording, &b.recording, &why);
    status = explain(&b, status, &why);
    if (status == ABUT_OK) {
        b.info = abut_recording_get_info(b.recording);
        status = allocate(&b);
        status = status == ABUT_OK ? find_frame(&b) : status;
        status = status == ABUT_OK ? place_bodies(&b) : status;
        status = status == ABUT_OK ? place_inlets(&b) : status;
        status = status == ABUT_OK ? set_start(&b) : status;
        status = status == ABUT_OK ? scene_check_started(scene, error) : status;
    }
    abut_recording_close(b.recording);
    shape_list_release(&b.shapes);
    free(b.alike);
    for (int32_t i = 0; b.kept && i < abut_scene_body_count(scene); i++) {
        free(b.kept[i]);
    }
    free(b.kept);
    free(b.places);
    free(b.come);
    return status;
}
