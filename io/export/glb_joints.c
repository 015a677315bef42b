/*
 * A joint has a node at its frame on body a and one at that on body b, each below the node of its body. Their lines are as long as the smaller of the two
 * bodies: an axis along z or x, or a cross where the kind leaves no single axis. Between the ends of a distance joint there is a rope: a line of length 1
 * along z, whose node moves, turns and stretches.
 */
#include "io/export/glb_joints.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/record/shape_radius.h"
#include "io/scene/joint/description.h"

/* ---- samples ---- */

static bool is_there(const glb_exporter *e, int32_t body) { return e->motions[body].present == e->sample_count + 1; }

abut_status glb_joints_sample(glb_exporter *e, int64_t frame) {
    const abut_recorded_joint_state *read = NULL;
    abut_status status = e->info.joint_count > 0 ? abut_recording_joints(e->recording, frame, &read, e->error) : ABUT_OK;
    for (int32_t i = 0; i < e->info.joint_count && !status; i++) {
        glb_joint *joint = &e->joints[i];
        abut_scene_joint source;
        (void)abut_recording_joint(e->recording, i, &source);
        bool whole = read[i].hold == ABUT_HOLD_WHOLE && is_there(e, source.a) && is_there(e, source.b);
        if (whole && joint->present == e->sample_count) {
            joint->present++;
            joint->force = fmax(joint->force, abut_length(read[i].state.force));
            joint->torque = fmax(joint->torque, abut_length(read[i].state.torque));
        }
    }
    return status;
}

/* ---- meshes of lines ---- */

typedef enum drawing { AXIS_Z, AXIS_X, CROSS, ROPE, DRAWINGS } drawing;

/* What is drawn at the frames on a and on b, by kind. */
static const drawing drawings[JOINT_KINDS][2] = {
    [ABUT_JOINT_WELD] = {CROSS, CROSS},       [ABUT_JOINT_SPHERICAL] = {CROSS, CROSS},   [ABUT_JOINT_REVOLUTE] = {AXIS_Z, AXIS_Z},
    [ABUT_JOINT_PRISMATIC] = {AXIS_Z, CROSS}, [ABUT_JOINT_UNIVERSAL] = {AXIS_Z, AXIS_X}, [ABUT_JOINT_DISTANCE] = {CROSS, CROSS},
    [ABUT_JOINT_WHEEL] = {AXIS_X, AXIS_Z},    [ABUT_JOINT_GEAR] = {AXIS_Z, AXIS_Z},
};

static const float z_line[] = {0, 0, -1, 0, 0, 1}, x_line[] = {-1, 0, 0, 1, 0, 0}, rope_line[] = {0, 0, 0, 0, 0, 1},
                   cross_lines[] = {-0.25f, 0, 0, 0.25f, 0, 0, 0, -0.25f, 0, 0, 0.25f, 0, 0, 0, -0.25f, 0, 0, 0.25f};
static const struct {
    const char *name;
    const float *points;
    size_t count;
} lines[DRAWINGS] = {
    [AXIS_Z] = {"axis", z_line, 2}, [AXIS_X] = {"axis", x_line, 2}, [CROSS] = {"cross", cross_lines, 6}, [ROPE] = {"rope", rope_line, 2}};

/* Meshes in use; -1 before. */
typedef struct line_meshes {
    json_int_t material, mesh[DRAWINGS];
} line_meshes;

/* Lines have no normals, so that only light of their own makes them visible. */
static json_int_t line_material(glb_exporter *e) {
    return glb_add(e, e->materials,
                   json_pack("{s:s, s:{s:[f,f,f,f], s:f}, s:[f,f,f]}", "name", "joint", "pbrMetallicRoughness", "baseColorFactor", 0.1,
                             0.08, 0.5, 1.0, "metallicFactor", 0.0, "emissiveFactor", 0.1, 0.08, 0.5));
}

static json_int_t line_mesh(glb_exporter *e, line_meshes *made, drawing which) {
    if (made->mesh[which] < 0) {
        made->material = made->material < 0 ? line_material(e) : made->material;
        json_int_t points = glb_add_block(e, (glb_block){lines[which].points, lines[which].count, 3, GLB_FLOAT, GLB_VERTICES, true});
        made->mesh[which] = glb_add(e, e->meshes,
                                    json_pack("{s:s, s:[{s:{s:I}, s:i, s:I}]}", "name", lines[which].name, "primitives", "attributes",
                                              "POSITION", points, "mode", GLB_LINES, "material", made->material));
    }
    return made->mesh[which];
}

/* ---- nodes ---- */

/* Half the length of a joint's axis: the radius of the smaller body. Planes have none. */
static double size_of(const glb_exporter *e, const abut_scene_joint *source) {
    const int32_t bodies[] = {source->a, source->b};
    double size = INFINITY;
    for (int i = 0; i < 2; i++) {
        abut_recorded_body body;
        (void)abut_recording_body(e->recording, bodies[i], &body);
        double radius = recording_shape_radius(e->recording, body.shape);
        size = radius > 0.0 ? fmin(size, radius) : size;
    }
    return size < e->reach ? size : e->reach;
}

/* Names must be UTF-8. json_pack() refuses others. */
static json_t *name_of(const glb_exporter *e, int32_t index) {
    abut_recorded_body body;
    (void)abut_recording_body(e->recording, index, &body);
    json_t *name = json_string(body.name);
    return name ? name : json_string("body");
}

/* The joint's row of /joints, its kind and bodies, and the largest loads of the samples. */
static json_t *extras_of(const glb_exporter *e, int32_t index, const abut_scene_joint *source) {
    return json_pack("{s:i, s:s, s:o, s:o, s:f, s:f}", "joint", (int)index, "kind", joint_kind_names[source->def.kind], "a",
                     name_of(e, source->a), "b", name_of(e, source->b), "largest_force", e->joints[index].force, "largest_torque",
                     e->joints[index].torque);
}

/* A node with its own mesh and the joint's data; its index, or -1. */
static json_int_t add_node(glb_exporter *e, int32_t index, const abut_scene_joint *source, const char *part, json_int_t mesh) {
    json_t *name = json_sprintf("%s %d %s", joint_kind_names[source->def.kind], (int)index, part);
    return glb_add(e, e->nodes, json_pack("{s:o, s:I, s:o}", "name", name, "mesh", mesh, "extras", extras_of(e, index, source)));
}

static void set_vec3(json_t *node, const char *key, abut_vec3 v) { json_object_set_new(node, key, json_pack("[f,f,f]", v.x, v.y, v.z)); }

/* One end, below the node of its body. */
static void add_end(glb_exporter *e, int32_t index, const abut_scene_joint *source, int32_t body, abut_pose frame, const char *part,
                    json_int_t mesh) {
    json_int_t node_index = add_node(e, index, source, part, mesh);
    if (e->status) {
        return;
    }
    json_t *node = json_array_get(e->nodes, (size_t)node_index), *parent = json_array_get(e->nodes, (size_t)body);
    const abut_quat q = abut_quat_unit(frame.rotation);
    const double size = size_of(e, source);
    set_vec3(node, "translation", frame.position);
    json_object_set_new(node, "rotation", json_pack("[f,f,f,f]", q.x, q.y, q.z, q.w));
    set_vec3(node, "scale", abut_vec3_make(size, size, size));
    if (!json_object_get(parent, "children")) {
        json_object_set_new(parent, "children", json_array());
    }
    json_array_append_new(json_object_get(parent, "children"), json_integer(node_index));
    if (e->joints[index].present < e->sample_count) {
        glb_add_absence(e, 0, e->joints[index].present, size, node, node_index);
    }
}

/* ---- ropes ---- */

static abut_vec3 end_of(const glb_motion *m, size_t sample, abut_vec3 local) {
    const float *t = m->translation + 3 * sample, *r = m->rotation + 4 * sample;
    const abut_pose pose = {abut_vec3_make(t[0], t[1], t[2]), abut_quat_unit(abut_quat_make(r[0], r[1], r[2], r[3]))};
    return abut_pose_apply(pose, local);
}

/* The shortest rotation from the z axis to a direction. */
static abut_quat turn_to(abut_vec3 way) {
    abut_vec3 to = abut_unit(way);
    return to.z > -0.999999 ? abut_quat_unit(abut_quat_make(-to.y, to.x, 0.0, 1.0 + to.z)) : abut_quat_make(1, 0, 0, 0);
}

/* The motion of a rope. Its cells: [samples][3], [samples][4], [samples][3]. */
typedef struct rope {
    float *translation, *rotation, *scale;
} rope;

static void store_rope(const glb_exporter *e, const glb_joint *joint, const abut_scene_joint *source, size_t sample, const rope *r) {
    const size_t at = joint->present == 0 ? 0 : sample < joint->present ? sample : joint->present - 1;
    abut_vec3 from = end_of(&e->motions[source->a], at, source->def.frame_a.position);
    abut_vec3 way = abut_sub(end_of(&e->motions[source->b], at, source->def.frame_b.position), from);
    float *t = r->translation + 3 * sample, *turn = r->rotation + 4 * sample, *scale = r->scale + 3 * sample;
    t[0] = (float)from.x;
    t[1] = (float)from.y;
    t[2] = (float)from.z;
    glb_store_rotation(turn, sample > 0 ? turn - 4 : NULL, turn_to(way));
    bool there = sample < joint->present;
    scale[0] = scale[1] = there ? 1.0f : 0.0f;
    scale[2] = there ? (float)abut_length(way) : 0.0f;
}

static void animate_rope(glb_exporter *e, json_int_t node, const rope *r) {
    json_int_t translation = glb_add_block(e, (glb_block){r->translation, e->sample_count, 3, GLB_FLOAT, 0, false});
    json_int_t rotation = glb_add_block(e, (glb_block){r->rotation, e->sample_count, 4, GLB_FLOAT, 0, false});
    json_int_t scale = glb_add_block(e, (glb_block){r->scale, e->sample_count, 3, GLB_FLOAT, 0, false});
    glb_add_channel(e, node, "translation", glb_times(e), translation, "LINEAR");
    glb_add_channel(e, node, "rotation", glb_times(e), rotation, "LINEAR");
    glb_add_channel(e, node, "scale", glb_times(e), scale, "LINEAR");
}

static void add_rope(glb_exporter *e, int32_t index, const abut_scene_joint *source, json_int_t mesh) {
    float *cells = calloc(e->sample_count + 1, 10 * sizeof *cells);
    const rope r = {cells, cells ? cells + 3 * e->sample_count : NULL, cells ? cells + 7 * e->sample_count : NULL};
    json_int_t node = cells ? add_node(e, index, source, "rope", mesh) : -1;
    if (node < 0) {
        glb_fail(e, ABUT_ERROR_OUT_OF_MEMORY, "no memory");
    } else if (e->sample_count > 0) {
        for (size_t s = 0; s < e->sample_count; s++) {
            store_rope(e, &e->joints[index], source, s, &r);
        }
        animate_rope(e, node, &r);
        json_array_append_new(e->children, json_integer(node));
    }
    free(cells);
}

/* ---- joints ---- */

void glb_joints_add(glb_exporter *e) {
    line_meshes made = {-1, {-1, -1, -1, -1}};
    for (int32_t i = 0; i < e->info.joint_count && !e->status; i++) {
        abut_scene_joint source;
        (void)abut_recording_joint(e->recording, i, &source);
        const drawing *which = drawings[source.def.kind];
        add_end(e, i, &source, source.a, source.def.frame_a, "a", line_mesh(e, &made, which[0]));
        add_end(e, i, &source, source.b, source.def.frame_b, "b", line_mesh(e, &made, which[1]));
        if (source.def.kind == ABUT_JOINT_DISTANCE && !e->status) {
            add_rope(e, i, &source, line_mesh(e, &made, ROPE));
        }
    }
}
