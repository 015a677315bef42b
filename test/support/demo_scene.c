#include "support/demo_scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static const char text[] =
    "{\"abut_scene\": 1, \"title\": \"Demo \\u00e9\", \"dt\": 0.016666666666666666, \"duration\": 1,\n"
    " \"stepper\": {\"kind\": \"fixed\", \"sleeping\": true, \"sleep_time\": 0.1},\n"
    " \"bodies\": [\n"
    "  {\"name\": \"floor\", \"kind\": \"static\", \"shape\": {\"plane\": {\"normal\": [0, 0, 1], \"offset\": 0.25}}, \"position\": [0, 0, "
    "-0.25]},\n"
    "  {\"name\": \"a \\\"box\\\", plain\", \"shape\": {\"box\": {\"half\": [0.5, 0.4, 0.3]}}, \"position\": [0, 0, 0.3], \"friction\": "
    "0.7},\n"
    "  {\"name\": \"ball\", \"shape\": {\"sphere\": {\"radius\": 0.2}}, \"position\": [2, 0, 0.2]},\n"
    "  {\"name\": \"capsule\", \"shape\": {\"capsule\": {\"radius\": 0.2, \"half_length\": 0.3}}, \"position\": [0, 2, 0.9],\n"
    "   \"angular_velocity\": [0.5, 1, -2], \"velocity\": [0.25, 0, 0]},\n"
    "  {\"name\": \"dumbbell\", \"position\": [-2, 0, 0.5], \"shape\": {\"compound\": [\n"
    "    {\"shape\": {\"box\": {\"half\": [0.2, 0.2, 0.2]}}, \"position\": [-0.4, 0, 0]},\n"
    "    {\"shape\": {\"sphere\": {\"radius\": 0.25}}, \"position\": [0.4, 0, 0]}]}},\n"
    "  {\"name\": \"hull\", \"position\": [0, -2, 0.6], \"restitution\": 0.25,\n"
    "   \"shape\": {\"hull\": {\"points\": [[0.3, 0, 0], [-0.3, 0, 0], [0, 0.3, 0], [0, -0.3, 0], [0, 0, 0.4], [0, 0, -0.2]]}}},\n"
    "  {\"name\": \"lift\", \"kind\": \"kinematic\", \"position\": [4, 0, 1], \"velocity\": [0, 0, 0.5],\n"
    "   \"shape\": {\"cylinder\": {\"radius\": 0.5, \"half_height\": 0.1, \"sides\": 6}}}\n"
    " ],\n"
    " \"actions\": [{\"at\": 0.49166, \"remove\": \"ball\"}]}\n";

abut_scene *demo_scene(void) {
    abut_scene *scene = NULL;
    abut_error error = {0};
    if (abut_scene_parse(text, strlen(text), "demo.json", &scene, &error)) {
        fail_msg("%s", error.message);
    }
    assert_int_equal(abut_scene_body_count(scene), DEMO_BODIES);
    assert_int_equal(abut_scene_step_count(scene), DEMO_STEPS);
    return scene;
}

abut_simulation *demo_simulation(const abut_scene *scene) {
    abut_simulation *simulation = NULL;
    abut_error error = {0};
    if (abut_simulation_create(scene, &simulation, &error)) {
        fail_msg("%s", error.message);
    }
    return simulation;
}
