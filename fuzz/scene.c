/*
 * Any bytes as a scene: reads it, writes it as the library does, reads that again, and advances its world by some steps.
 */
#include "io/scene/scene.h"

#include <abut/mesh.h>
#include <math.h>
#include <string.h>

#include "files.h"
#include "io/scene/simulation.h"
#include "target.h"

static const char tetrahedron[] = "o t\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
                                  "o u\nv 2 0 0\nv 3 0 0\nv 2 1 0\nv 2 0 1\nf 5 7 6\nf 5 6 8\nf 5 8 7\nf 6 7 8\n";
static const char cloud[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 1 1 1\n";
static const char open_surface[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n";
static const fuzz_file meshes[] = {
    {"t.obj", tetrahedron, sizeof tetrahedron - 1}, {"c.obj", cloud, sizeof cloud - 1}, {"o.obj", open_surface, sizeof open_surface - 1}};

/* ---- reading ---- */

static void check_message(const abut_error *error, abut_status status) {
    FUZZ_REQUIRE(error->status == status && error->message[0] != '\0', "%s", abut_status_name(status));
    FUZZ_REQUIRE(memchr(error->message, '\0', sizeof error->message) != NULL && strpbrk(error->message, "\n\r\t") == NULL, "%s",
                 error->message);
    int line = 0, column = 0;
    bool placed = sscanf(error->message, "s.json:%d:%d: ", &line, &column) == 2 && line >= 1 && column >= 1;
    FUZZ_REQUIRE(placed || strcmp(error->message, "s.json: the file is empty") == 0, "%s", error->message);
}

/* What a first step of the event stepper may end with. */
static bool cannot_be_simulated(abut_status status) {
    return status == ABUT_ERROR_NOT_FINITE || status == ABUT_ERROR_ITERATION_LIMIT || status == ABUT_ERROR_INFEASIBLE;
}

static abut_scene *read_scene(const char *text, size_t size) {
    abut_scene *scene = NULL;
    abut_error error = {.status = ABUT_OK};
    abut_status status = abut_scene_parse(text, size, "s.json", &scene, &error);
    if (status == ABUT_OK) {
        FUZZ_REQUIRE(scene != NULL, "no scene");
        return scene;
    }
    FUZZ_REQUIRE(status == ABUT_ERROR_FILE || status == ABUT_ERROR_FORMAT || status == ABUT_ERROR_DEGENERATE ||
                     status == ABUT_ERROR_NOT_CLOSED || status == ABUT_ERROR_NOT_CONVEX || status == ABUT_ERROR_NOT_OUTWARD ||
                     status == ABUT_ERROR_UNSUPPORTED ||
                     (cannot_be_simulated(status) && strstr(error.message, "begin inside each other") != NULL),
                 "%s: %s", abut_status_name(status), error.message);
    FUZZ_REQUIRE(scene == NULL, "a scene and %s", error.message);
    check_message(&error, status);
    return NULL;
}

static void check_scene(const abut_scene *scene) {
    FUZZ_REQUIRE(abut_scene_dt(scene) > 0.0 && isfinite(abut_scene_dt(scene)), "dt %g", abut_scene_dt(scene));
    FUZZ_REQUIRE(abut_scene_step_count(scene) >= 1 && abut_scene_body_count(scene) >= 1, "%d bodies", (int)abut_scene_body_count(scene));
    for (int32_t i = 0; i < abut_scene_body_count(scene); i++) {
        const abut_body_def *def = abut_scene_body_def(scene, i);
        FUZZ_REQUIRE(def->shape != NULL && abut_pose_is_valid(def->pose), "body %d", (int)i);
        FUZZ_REQUIRE(abut_scene_find_body(scene, abut_scene_body_name(scene, i)) == i, "body %d", (int)i);
    }
    for (int32_t i = 0; i < abut_scene_action_count(scene); i++) {
        const abut_scene_action *action = abut_scene_get_action(scene, i);
        FUZZ_REQUIRE(action->first_step >= 0 &&
                         action->body >= (action->kind == ABUT_ACTION_STOP || action->kind == ABUT_ACTION_BOND ? -1 : 0) &&
                         action->body < abut_scene_body_count(scene),
                     "action %d", (int)i);
        FUZZ_REQUIRE(i == 0 || abut_scene_get_action(scene, i - 1)->first_step <= action->first_step, "action %d", (int)i);
    }
    for (int32_t i = 0; i < abut_scene_warning_count(scene); i++) {
        FUZZ_REQUIRE(abut_scene_warning(scene, i) != NULL, "warning %d", (int)i);
    }
}

/* The library must read its own output, with the same result. */
static void check_text(const abut_scene *scene) {
    const char *text = abut_scene_text(scene);
    abut_scene *again = read_scene(text, strlen(text));
    FUZZ_REQUIRE(again != NULL && strcmp(abut_scene_text(again), text) == 0, "%s", text);
    FUZZ_REQUIRE(abut_scene_body_count(again) == abut_scene_body_count(scene), "%s", text);
    abut_scene_destroy(again);
}

/* ---- moving ---- */

/* The library has no contacts for a moving mesh with a plane or another mesh, nor for a body of rounded triangles with most other bodies. */
static bool has_mesh_without_answer(const abut_scene *scene) {
    for (int32_t i = 0; i < abut_scene_body_count(scene); i++) {
        const abut_body_def *def = abut_scene_body_def(scene, i);
        abut_kind kind = abut_shape_kind(def->shape);
        if (kind == ABUT_SHAPE_FACETMESH || (def->kind == ABUT_BODY_DYNAMIC && kind == ABUT_SHAPE_TRIMESH)) {
            return true;
        }
    }
    return false;
}

/* Adhesion in the dem stepper reaches far for a large work of adhesion. A periodic cell may be too small for it. */
static bool is_sticky(const abut_scene *scene) {
    bool sticky = false;
    for (int32_t i = 0; i < abut_scene_body_count(scene); i++) {
        sticky = sticky || abut_scene_body_def(scene, i)->adhesion_work > 0.0;
    }
    return sticky && abut_scene_world_def(scene)->stepper == ABUT_STEPPER_DEM;
}

/* The event stepper seeks each event to its tolerance. */
static bool is_quick_event(const abut_event_settings *event) {
    enum { MOST_EVENTS = 100 };
    return event->tolerance >= 1e-6 && event->event_limit <= MOST_EVENTS && event->touching >= 1e-9 && event->restitution_speed >= 1e-6;
}

/* Bodies that begin inside each other, states without forces, and edges of open meshes. */
static bool is_refused_event(const abut_scene *scene, abut_status status) {
    return abut_scene_world_def(scene)->stepper == ABUT_STEPPER_EVENT &&
           (status == ABUT_ERROR_ITERATION_LIMIT || status == ABUT_ERROR_INFEASIBLE || status == ABUT_ERROR_UNSUPPORTED_PAIR);
}

/* Small enough to run thousands of times. */
static bool is_quick(const abut_scene *scene) {
    enum { MOST_BODIES = 12, MOST_PASSES = 40, MOST_VERTICES = 200, MOST_DEM_STEPS = 1000 };
    const abut_fixed_settings *fixed = &abut_scene_world_def(scene)->fixed;
    const abut_world_def *world = abut_scene_world_def(scene);
    if (world->stepper == ABUT_STEPPER_DEM && !(world->dem.step * MOST_DEM_STEPS >= abut_scene_dt(scene))) {
        return false; /* its number of steps follows from the materials, or is large */
    }
    if (world->stepper == ABUT_STEPPER_EVENT && !is_quick_event(&world->event)) {
        return false;
    }
    if (abut_scene_body_count(scene) > MOST_BODIES || fixed->substeps > MOST_PASSES || fixed->iterations > MOST_PASSES / fixed->substeps) {
        return false;
    }
    int32_t vertices = 0;
    for (int32_t i = 0; i < abut_scene_body_count(scene); i++) {
        const abut_shape *shape = abut_scene_body_def(scene, i)->shape;
        for (int32_t k = 0; k < abut_shape_part_count(shape); k++) {
            abut_part part;
            abut_polytope_view view;
            abut_shape_part(shape, k, &part);
            vertices += abut_shape_polytope(part.shape, &view) == ABUT_OK ? view.vertex_count : 1;
        }
        vertices += 3 * abut_shape_triangle_count(shape);
    }
    return vertices <= MOST_VERTICES;
}

static void check_states(const abut_simulation *simulation) {
    const abut_world *world = abut_simulation_world(simulation);
    for (int32_t i = 0; i < abut_scene_body_count(abut_simulation_scene(simulation)); i++) {
        abut_body_state state;
        abut_status status = abut_world_body_state(world, abut_simulation_body_id(simulation, i), &state);
        FUZZ_REQUIRE(status == ABUT_OK || status == ABUT_ERROR_STALE_ID, "%s", abut_status_name(status));
        FUZZ_REQUIRE(status != ABUT_OK || (abut_pose_is_valid(state.pose) && abut_vec3_is_finite(state.motion.linear) &&
                                           abut_vec3_is_finite(state.motion.angular)),
                     "body %d is at (%g, %g, %g)", (int)i, state.pose.position.x, state.pose.position.y, state.pose.position.z);
    }
    bool may_pull = is_sticky(abut_simulation_scene(simulation));
    const abut_world_contact *contacts;
    int32_t count;
    FUZZ_REQUIRE(abut_world_contacts(world, &contacts, &count) == ABUT_OK, "contacts");
    for (int32_t i = 0; i < count; i++) {
        FUZZ_REQUIRE((may_pull || contacts[i].normal_force >= 0.0) && isfinite(contacts[i].normal_force) &&
                         abut_vec3_is_finite(contacts[i].friction_force),
                     "force %g", contacts[i].normal_force);
    }
}

/* Two bodies by formulas deep in each other are asked for thousands of support points, each of them a search on their surfaces. */
static int most_steps(const abut_scene *scene) {
    enum { STEPS = 3 };
    int formulas = 0;
    for (int32_t i = 0; i < abut_scene_body_count(scene); i++) {
        abut_kind kind = abut_shape_kind(abut_scene_body_def(scene, i)->shape);
        formulas += kind == ABUT_SHAPE_IMPLICIT || kind == ABUT_SHAPE_PARAMETRIC;
    }
    return formulas > 1 ? 1 : STEPS;
}

static void check_motion(const abut_scene *scene) {
    const int steps = most_steps(scene);
    abut_simulation *simulation = NULL;
    abut_error error = {.status = ABUT_OK};
    abut_status status = abut_simulation_create(scene, &simulation, &error);
    if (abut_scene_get_start(scene, &(abut_scene_start){NULL, 0.0})) {
        FUZZ_REQUIRE(status == ABUT_ERROR_UNSUPPORTED, "a scene begins without its recording");
        return;
    }
    FUZZ_REQUIRE(status == ABUT_OK, "a scene that was read makes no world: %s", error.message);
    for (int step = 0; step < steps && status == ABUT_OK; step++) {
        abut_step_report report;
        status = abut_simulation_step(simulation, &report, &error);
        bool no_answer = (status == ABUT_ERROR_UNSUPPORTED_PAIR && has_mesh_without_answer(scene)) ||
                         (status == ABUT_ERROR_INVALID_ARGUMENT && is_sticky(scene)) || is_refused_event(scene, status);
        FUZZ_REQUIRE(status == ABUT_OK || status == ABUT_ERROR_NOT_FINITE || no_answer, "%s: %s", abut_status_name(status), error.message);
        check_states(simulation);
    }
    abut_simulation_destroy(simulation);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    files_set(meshes, sizeof meshes / sizeof *meshes);
    abut_scene *scene = read_scene((const char *)data, size);
    if (scene != NULL) {
        check_scene(scene);
        check_text(scene);
        if (is_quick(scene)) {
            check_motion(scene);
        }
        abut_scene_destroy(scene);
    }
    return 0;
}
