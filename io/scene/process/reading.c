/*
 * Reads outlets and measures, and names the columns of the time series: those of the inlets, the outlets, the servos and the measures, in the order of the
 * file.
 */
#include "io/scene/process/reading.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/scene/body.h"
#include "io/scene/data.h"

enum { WHAT_SIZE = 320, MOST_TOGETHER = 1000 }; /* outlets and measures of a scene: each looks at all bodies in each step */

bool process_contains(const process_region *region, abut_vec3 p) {
    if (!region->is_box) {
        return abut_dot(region->normal, p) <= region->offset;
    }
    abut_vec3 l = region->lower, u = region->upper;
    return p.x >= l.x && p.x <= u.x && p.y >= l.y && p.y <= u.y && p.z >= l.z && p.z <= u.z;
}

/* ---- regions ---- */

static abut_status read_box(const scene_reader *reader, const scene_place *place, process_region *region) {
    region->is_box = true;
    abut_status status = read_vec3(reader, place, "lower", &region->lower);
    status = status == ABUT_OK ? read_vec3(reader, place, "upper", &region->upper) : status;
    abut_vec3 l = region->lower, u = region->upper;
    if (status == ABUT_OK && !(l.x < u.x && l.y < u.y && l.z < u.z)) {
        scene_place upper;
        read_member(place, "upper", &upper);
        status = read_fail(reader, &upper, "'upper' must be above 'lower' along each axis");
    }
    return status;
}

/* Reads "normal" and "offset" of a half space or a plane, `what`. */
static abut_status read_plane(const scene_reader *reader, const scene_place *place, scene_object object, const char *what,
                              abut_vec3 *normal, double *offset) {
    scene_place key;
    abut_status status = read_object(reader, place, object, what);
    status = status == ABUT_OK ? read_vec3(reader, place, "normal", normal) : status;
    status = status == ABUT_OK ? read_number(reader, place, "offset", NUMBER_ANY, offset) : status;
    if (status != ABUT_OK) {
        return status;
    }
    *normal = abut_unit(*normal);
    read_member(place, "normal", &key);
    return abut_length_squared(*normal) > 0.0 ? ABUT_OK : read_fail(reader, &key, "'normal' must not be zero");
}

/* ---- names ---- */

/* Number of all that has columns. */
static int32_t count_of(const abut_scene *scene) {
    return scene->inlet_count + scene->outlet_count + scene->servo_count + scene->measure_count;
}

/* The name of one of them, in the order of their columns. */
static const char *name_of(const abut_scene *scene, int32_t index) {
    int32_t outlet = index - scene->inlet_count, servo = outlet - scene->outlet_count, measure = servo - scene->servo_count;
    return outlet < 0    ? scene->inlets[index].name
           : servo < 0   ? scene->outlets[outlet].name
           : measure < 0 ? scene->servos[servo].name
                         : scene->measures[measure].name;
}

/* Reads the name of an outlet or a measure, which no other of them and no inlet has. `what` receives "outlet 'a'". */
static abut_status read_name(const scene_reader *reader, const scene_place *place, scene_object object, const char *kind, char **name,
                             char *what) {
    const abut_scene *scene = reader->scene;
    const char *text = json_string_value(json_object_get(place->value, "name"));
    snprintf(what, WHAT_SIZE, text ? "%s '%s'" : "%s", kind, text);
    abut_status status = read_object(reader, place, object, what);
    status = status == ABUT_OK ? read_string(reader, place, "name", &text) : status;
    if (status != ABUT_OK) {
        return status;
    }
    scene_place key;
    read_member(place, "name", &key);
    if (text[0] == '\0') {
        return read_fail(reader, &key, "'name' is empty");
    }
    for (int32_t i = 0; i < count_of(scene); i++) {
        if (strcmp(name_of(scene, i), text) == 0) {
            return read_fail(reader, &key, "%s: another inlet, outlet, servo or measure has the same name", what);
        }
    }
    *name = strdup(text);
    return *name ? ABUT_OK : read_no_memory(reader);
}

/* ---- outlets ---- */

static abut_status read_outlet(const scene_reader *reader, const scene_place *place, scene_outlet *outlet) {
    char what[WHAT_SIZE];
    abut_status status = read_name(reader, place, SCENE_OUTLET, "outlet", &outlet->name, what);
    if (status != ABUT_OK) {
        return status;
    }
    scene_place half_space;
    bool lower = json_object_get(place->value, "lower"), upper = json_object_get(place->value, "upper");
    bool half = read_member(place, "half_space", &half_space);
    if (lower != upper || lower == half) {
        return read_fail(reader, place, "%s must have 'lower' and 'upper', or 'half_space'", what);
    }
    return half ? read_plane(reader, &half_space, SCENE_PLANE, "'half_space'", &outlet->region.normal, &outlet->region.offset)
                : read_box(reader, place, &outlet->region);
}

/* ---- measures ---- */

static abut_status read_force(const scene_reader *reader, const scene_place *measure, const scene_place *place, scene_measure *made) {
    bool many = json_is_array(place->value);
    abut_status status = many ? read_array(reader, place, 1, "force_on") : ABUT_OK;
    size_t count = many ? json_array_size(place->value) : 1;
    made->kind = MEASURE_FORCE;
    made->bodies = status == ABUT_OK ? calloc(count, sizeof *made->bodies) : NULL;
    bool *named = calloc((size_t)reader->scene->body_count + 1, sizeof *named);
    if (!named || (status == ABUT_OK && !made->bodies)) {
        free(named);
        return status == ABUT_OK ? read_no_memory(reader) : status;
    }
    for (size_t i = 0; i < count && status == ABUT_OK; i++) {
        scene_place name = many ? read_element(place, i) : *place;
        status = scene_body_at(reader, &name, &made->bodies[i]);
        if (status == ABUT_OK && named[made->bodies[i]]) {
            status = read_fail(reader, &name, "body '%s' is named twice", reader->scene->bodies[made->bodies[i]].name);
        }
        if (status == ABUT_OK) {
            named[made->bodies[i]] = true;
            made->body_count++;
        }
    }
    free(named);
    if (status == ABUT_OK) {
        made->about = reader->scene->bodies[made->bodies[0]].def.pose.position;
        status = read_vec3(reader, measure, "about", &made->about);
    }
    return status;
}

static abut_status read_average(const scene_reader *reader, const scene_place *place, scene_measure *made) {
    made->kind = MEASURE_AVERAGE;
    abut_status status = read_object(reader, place, SCENE_AVERAGE, "'average_in'");
    status = status == ABUT_OK ? read_box(reader, place, &made->region) : status;
    abut_vec3 edges = abut_sub(made->region.upper, made->region.lower);
    double volume = edges.x * edges.y * edges.z;
    if (status == ABUT_OK && !isnormal(volume)) {
        status = read_fail(reader, place, "the box is too %s: its volume is %g", volume < 1.0 ? "small" : "large", volume);
    }
    return status;
}

static abut_status read_measure(const scene_reader *reader, const scene_place *place, scene_measure *made) {
    static const char *const kinds[] = {"force_on", "flow_through", "average_in"};
    char what[WHAT_SIZE];
    abut_status status = read_name(reader, place, SCENE_MEASURE, "measure", &made->name, what);
    if (status != ABUT_OK) {
        return status;
    }
    scene_place value, found = {.value = NULL}, about;
    int count = 0, kind = 0;
    for (int i = 0; i < 3; i++) {
        if (read_member(place, kinds[i], &value)) {
            count++;
            kind = i;
        }
    }
    if (count != 1) {
        return read_fail(reader, place, "%s must have exactly one of 'force_on', 'flow_through' and 'average_in', not %d", what, count);
    }
    read_member(place, kinds[kind], &found);
    if (kind != 0 && read_member(place, "about", &about)) {
        return read_fail_as(reader, ABUT_ERROR_FORMAT, &about, true, "%s: 'about' is for 'force_on' only", what);
    }
    if (kind == 1) {
        made->kind = MEASURE_FLOW;
        return read_plane(reader, &found, SCENE_PLANE, "'flow_through'", &made->normal, &made->offset);
    }
    return kind == 0 ? read_force(reader, place, &found, made) : read_average(reader, &found, made);
}

/* ---- columns ---- */

static const char *const inlet_columns[] = {"count", "mass", "waiting"};
static const char *const outlet_columns[] = {"count", "mass"};
static const char *const servo_columns[] = {"force", "travel", "speed_limit"};
static const char *const force_columns[] = {"force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z"};
static const char *const flow_columns[] = {"count", "mass", "mass_rate"};
static const char *const average_columns[] = {"count",      "mass",       "solid_fraction", "velocity_x",
                                              "velocity_y", "velocity_z", "kinetic_energy"};

/* The columns of one of them. */
static int columns_of(const abut_scene *scene, int32_t index, const char *const **columns) {
    static const char *const *const of_measures[] = {force_columns, flow_columns, average_columns};
    static const int counts[] = {FORCE_SERIES, FLOW_SERIES, AVERAGE_SERIES};
    int32_t outlet = index - scene->inlet_count, servo = outlet - scene->outlet_count, measure = servo - scene->servo_count;
    if (measure >= 0) {
        measure_kind kind = scene->measures[measure].kind;
        *columns = of_measures[kind];
        return counts[kind];
    }
    *columns = outlet < 0 ? inlet_columns : servo < 0 ? outlet_columns : servo_columns;
    return outlet < 0 ? INLET_SERIES : servo < 0 ? OUTLET_SERIES : SERVO_SERIES;
}

static abut_status name_columns(const scene_reader *reader) {
    abut_scene *scene = reader->scene;
    int32_t elements = count_of(scene);
    scene->series = calloc((size_t)elements * AVERAGE_SERIES + 1, sizeof *scene->series);
    if (!scene->series) {
        return read_no_memory(reader);
    }
    for (int32_t i = 0; i < elements; i++) {
        const char *const *columns;
        int count = columns_of(scene, i, &columns);
        for (int k = 0; k < count; k++) {
            size_t size = strlen(name_of(scene, i)) + strlen(columns[k]) + 2;
            char *name = malloc(size);
            if (!name) {
                return read_no_memory(reader);
            }
            snprintf(name, size, "%s.%s", name_of(scene, i), columns[k]);
            scene->series[scene->series_count++] = name;
        }
    }
    return ABUT_OK;
}

/* ---- both lists ---- */

/* Reads the length of a list of outlets or measures; 0 without it. */
static abut_status read_list(const scene_reader *reader, const char *key, scene_place *list, size_t *count) {
    *count = 0;
    if (!read_member(&reader->root, key, list)) {
        return ABUT_OK;
    }
    abut_status status = read_array(reader, list, 1, key);
    size_t size = status == ABUT_OK ? json_array_size(list->value) : 0, before = (size_t)reader->scene->outlet_count;
    if (size + before > MOST_TOGETHER) {
        return read_fail(reader, list, "a scene may have %d outlets and measures together, not %zu", MOST_TOGETHER, size + before);
    }
    *count = size;
    return status;
}

static abut_status read_outlets(const scene_reader *reader) {
    abut_scene *scene = reader->scene;
    scene_place list;
    size_t count;
    abut_status status = read_list(reader, "outlets", &list, &count);
    scene->outlets = calloc(count + 1, sizeof *scene->outlets);
    status = status == ABUT_OK && !scene->outlets ? read_no_memory(reader) : status;
    for (size_t i = 0; i < count && status == ABUT_OK; i++) {
        scene_place element = read_element(&list, i);
        scene_outlet made = {.name = NULL};
        status = read_outlet(reader, &element, &made);
        scene->outlets[scene->outlet_count] = made;
        scene->outlet_count += made.name != NULL;
    }
    return status;
}

static abut_status read_measures(const scene_reader *reader) {
    abut_scene *scene = reader->scene;
    scene_place list;
    size_t count;
    abut_status status = read_list(reader, "measures", &list, &count);
    scene->measures = calloc(count + 1, sizeof *scene->measures);
    status = status == ABUT_OK && !scene->measures ? read_no_memory(reader) : status;
    for (size_t i = 0; i < count && status == ABUT_OK; i++) {
        scene_place element = read_element(&list, i);
        scene_measure made = {.name = NULL};
        status = read_measure(reader, &element, &made);
        scene->measures[scene->measure_count] = made;
        scene->measure_count += made.name != NULL;
    }
    return status;
}

abut_status scene_read_process(scene_reader *reader) {
    abut_status status = read_outlets(reader);
    status = status == ABUT_OK ? read_measures(reader) : status;
    return status == ABUT_OK ? name_columns(reader) : status;
}

void scene_release_process(abut_scene *scene) {
    for (int32_t i = 0; i < scene->outlet_count; i++) {
        free(scene->outlets[i].name);
    }
    for (int32_t i = 0; i < scene->servo_count; i++) {
        free(scene->servos[i].name);
    }
    for (int32_t i = 0; i < scene->measure_count; i++) {
        free(scene->measures[i].name);
        free(scene->measures[i].bodies);
    }
    for (int32_t i = 0; i < scene->series_count; i++) {
        free(scene->series[i]);
    }
    free(scene->outlets);
    free(scene->servos);
    free(scene->measures);
    free(scene->series);
}

/* ---- asking ---- */

int32_t abut_scene_series_count(const abut_scene *scene) { return scene->series_count; }

const char *abut_scene_series_name(const abut_scene *scene, int32_t index) {
    return index >= 0 && index < scene->series_count ? scene->series[index] : NULL;
}

int32_t abut_scene_outlet_count(const abut_scene *scene) { return scene->outlet_count; }

const char *abut_scene_outlet_name(const abut_scene *scene, int32_t index) {
    return index >= 0 && index < scene->outlet_count ? scene->outlets[index].name : NULL;
}
