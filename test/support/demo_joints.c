#include "support/demo_joints.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

/* The rope breaks when the ball has fallen its length; the rod goes with the ball that is removed. */
static const char text[] =
    "{'abut_scene': 1, 'dt': 0.016666666666666666, 'duration': 1, 'bodies': ["
    "{'name': 'post', 'kind': 'static', 'shape': {'box': {'half': [0.1, 0.1, 1]}}},"
    "{'name': 'floor', 'kind': 'static', 'shape': {'plane': {'normal': [0, 0, 1], 'offset': -1}}},"
    "{'name': 'arm', 'shape': {'box': {'half': [0.5, 0.05, 0.05]}}, 'position': [0.6, 0, 1]},"
    "{'name': 'roped', 'shape': {'sphere': {'radius': 0.1}}, 'position': [0.6, 1, 0.9], 'mass': 1},"
    "{'name': 'sled', 'shape': {'box': {'half': [0.1, 0.1, 0.1]}}, 'position': [0, 2, 0]},"
    "{'name': 'wheel', 'shape': {'sphere': {'radius': 0.2}}, 'position': [0, 3, 0]},"
    "{'name': 'gate', 'kind': 'static', 'shape': {'box': {'half': [0.5, 0.5, 0.1]}}, 'position': [0.6, 1, 0.4], 'sensor': true},"
    "{'name': 'cross', 'shape': {'box': {'half': [0.2, 0.1, 0.1]}}, 'position': [-1, 0, 0]},"
    "{'name': 'gone', 'shape': {'sphere': {'radius': 0.1}}, 'position': [-2, 0, 0]}],"
    "'joints': ["
    "{'kind': 'revolute', 'a': 'post', 'b': 'arm', 'position': [0, 0, 1], 'rotation': {'axis': [1, 0, 0], 'degrees': 90}, 'lower': -0.5,"
    " 'upper': 0.5, 'collide': true, 'motor': {'speed': 1, 'max_force': 3}},"
    "{'kind': 'distance', 'a': 'post', 'b': 'roped', 'position': [0.6, 1, 1], 'position_b': [0.6, 1, 0.9], 'lower': 0, 'upper': 0.2,"
    " 'break_force': 20},"
    "{'kind': 'prismatic', 'a': 'post', 'b': 'sled', 'rotation': {'axis': [0, 1, 0], 'degrees': 30}, 'stiffness': 50, 'damping': 1,"
    " 'rest': 0.25},"
    "{'kind': 'wheel', 'a': 'post', 'b': 'wheel', 'rotation': {'axis': [0, 1, 0], 'degrees': -90}, 'stiffness': 900,"
    " 'motor': {'speed': 9, 'max_force': 2}},"
    "{'kind': 'universal', 'a': 'post', 'b': 'cross', 'position': [-0.8, 0, 0]},"
    "{'kind': 'spherical', 'a': 'cross', 'b': 'gone', 'position': [-1.5, 0, 0], 'upper': 1.5},"
    "{'kind': 'weld', 'a': 'post', 'b': 'cross', 'position': [-0.8, 0, 0], 'break_torque': 0.001}],"
    "'actions': [{'at': 0.5, 'remove': 'gone'}]}";

abut_scene *demo_joints_scene(uint32_t events) {
    char *copy = strdup(text);
    abut_scene *scene = NULL;
    abut_error error = {0};
    assert_non_null(copy);
    for (char *c = copy; *c; c++) {
        *c = (char)(*c == '\'' ? '"' : *c);
    }
    if (abut_scene_parse(copy, strlen(copy), "joints.json", &scene, &error)) {
        fail_msg("%s", error.message);
    }
    free(copy);
    abut_scene_set_events(scene, events);
    assert_int_equal(abut_scene_joint_count(scene), DEMO_JOINTS);
    assert_int_equal(abut_scene_body_count(scene), DEMO_JOINTS_BODIES);
    return scene;
}
