/*
 * Reads the surfaces of a glTF 2.0 scene. Every node with a mesh is a group; the transforms of its parents place its triangles. Materials, skins, animations
 * and cameras are skipped. Coordinates stay as in the file: the y axis points up.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/mesh/gltf_buffer.h"
#include "io/mesh/soup.h"

/* x -> linear x + offset */
typedef struct affine {
    abut_mat3 linear;
    abut_vec3 offset;
} affine;

typedef struct node_visit {
    size_t node;
    affine placed; /* transform of its parent */
} node_visit;

typedef struct gltf_reader {
    gltf_file file;
    bool *visited;     /* [node_count] */
    node_visit *stack; /* [node_count] */
    size_t node_count, stack_size;
    mesh_soup *soup;
} gltf_reader;

static abut_status no_memory(const gltf_reader *reader) { return mesh_no_memory(reader->file.path, reader->file.error); }

/* Reads `count` numbers; false when they are malformed. They stay unchanged when the key is absent. */
static bool read_numbers(const json_t *object, const char *key, size_t count, double *numbers) {
    const json_t *array = json_object_get(object, key);
    if (!array) {
        return true;
    }
    for (size_t i = 0; i < count; i++) {
        const json_t *number = json_array_get(array, i);
        if (!json_is_number(number)) {
            return false;
        }
        numbers[i] = json_number_value(number);
    }
    return json_array_size(array) == count;
}

static bool read_transform(const json_t *node, affine *local) {
    double m[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    double t[3] = {0, 0, 0}, r[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
    if (!read_numbers(node, "matrix", 16, m) || !read_numbers(node, "translation", 3, t) || !read_numbers(node, "rotation", 4, r) ||
        !read_numbers(node, "scale", 3, s)) {
        return false;
    }
    if (json_object_get(node, "matrix")) {
        /* By columns. */
        local->linear =
            abut_mat3_make(abut_vec3_make(m[0], m[1], m[2]), abut_vec3_make(m[4], m[5], m[6]), abut_vec3_make(m[8], m[9], m[10]));
        local->offset = abut_vec3_make(m[12], m[13], m[14]);
        return true;
    }
    abut_mat3 rotation = abut_mat3_from_quat(abut_quat_unit(abut_quat_make(r[0], r[1], r[2], r[3])));
    local->linear = abut_mat3_make(abut_scale(s[0], rotation.x), abut_scale(s[1], rotation.y), abut_scale(s[2], rotation.z));
    local->offset = abut_vec3_make(t[0], t[1], t[2]);
    return true;
}

/* The corners of triangle t of a primitive, in the order of its mode: 4 triangles, 5 a strip, 6 a fan. */
static void triangle_corners(int mode, size_t t, size_t corners[3]) {
    if (mode == 5) {
        corners[0] = t;
        corners[1] = t + 1 + t % 2;
        corners[2] = t + 2 - t % 2;
    } else if (mode == 6) {
        corners[0] = t + 1;
        corners[1] = t + 2;
        corners[2] = 0;
    } else {
        corners[0] = 3 * t;
        corners[1] = 3 * t + 1;
        corners[2] = 3 * t + 2;
    }
}

static abut_status add_vertices(gltf_reader *reader, const gltf_accessor *positions, const affine *placed, const char *what) {
    for (size_t v = 0; v < positions->count; v++) {
        abut_vec3 p = {gltf_number(positions, v, 0), gltf_number(positions, v, 1), gltf_number(positions, v, 2)};
        p = abut_add(abut_mat3_apply(placed->linear, p), placed->offset);
        if (!abut_vec3_is_finite(p)) {
            return gltf_fail(&reader->file, "%s: vertex %zu is not finite", what, v);
        }
        if (!soup_add_vertex(reader->soup, p)) {
            return no_memory(reader);
        }
    }
    return ABUT_OK;
}

static abut_status add_triangles(gltf_reader *reader, int mode, const gltf_accessor *indices, const gltf_accessor *positions, int32_t base,
                                 bool mirrored, const char *what) {
    size_t count = indices ? indices->count : positions->count;
    size_t triangles = mode == 4 ? count / 3 : count < 3 ? 0 : count - 2;
    if (mode == 4 && count % 3 != 0) {
        return gltf_fail(&reader->file, "%s: %zu corners do not make whole triangles", what, count);
    }
    for (size_t t = 0; t < triangles; t++) {
        size_t corners[3];
        triangle_corners(mode, t, corners);
        for (size_t i = 0; i < 3; i++) {
            /* A mirroring transform reverses the winding. */
            size_t corner = corners[mirrored ? 2 - i : i];
            double index = indices ? gltf_number(indices, corner, 0) : (double)corner;
            if (!(index >= 0.0 && index < (double)positions->count)) {
                return gltf_fail(&reader->file, "%s: vertex index %.0f is out of range; the mesh has %zu vertices", what, index,
                                 positions->count);
            }
            if (!soup_add_corner(reader->soup, base + (int32_t)index)) {
                return no_memory(reader);
            }
        }
        if (!soup_end_face(reader->soup)) {
            return no_memory(reader);
        }
    }
    return ABUT_OK;
}

static abut_status add_primitive(gltf_reader *reader, const json_t *primitive, const affine *placed, const char *what) {
    json_int_t mode = gltf_count(primitive, "mode", 4);
    if (mode < 0 || mode > 6) {
        return gltf_fail(&reader->file, "%s: a primitive has an unknown mode", what);
    }
    if (mode >= 1 && mode <= 3) {
        return ABUT_OK; /* lines */
    }
    gltf_accessor positions, index_accessor, *indices = NULL;
    const json_t *index = json_object_get(primitive, "indices");
    abut_status status =
        gltf_accessor_open(&reader->file, json_object_get(json_object_get(primitive, "attributes"), "POSITION"), "VEC3", what, &positions);
    if (status == ABUT_OK && index) {
        status = gltf_accessor_open(&reader->file, index, "SCALAR", what, &index_accessor);
        indices = &index_accessor;
    }
    if (status != ABUT_OK) {
        return status;
    }
    int32_t base = reader->soup->vertex_count;
    status = add_vertices(reader, &positions, placed, what);
    if (status != ABUT_OK || mode == 0) {
        return status;
    }
    abut_mat3 m = placed->linear;
    bool mirrored = abut_dot(abut_cross(m.x, m.y), m.z) < 0.0;
    return add_triangles(reader, (int)mode, indices, &positions, base, mirrored, what);
}

static abut_status add_mesh(gltf_reader *reader, size_t index, const json_t *node, const affine *placed) {
    const json_t *reference = json_object_get(node, "mesh");
    const json_t *mesh = gltf_element(&reader->file, "meshes", reference);
    char what[160];
    snprintf(what, sizeof what, "mesh of node %zu", index);
    if (!mesh) {
        return gltf_fail(&reader->file, "%s: the mesh does not exist", what);
    }
    const char *name = json_string_value(json_object_get(node, "name"));
    if (!name) {
        name = json_string_value(json_object_get(mesh, "name"));
    }
    if (!soup_begin_group(reader->soup, name ? name : "", name ? strlen(name) : 0)) {
        return no_memory(reader);
    }
    const json_t *primitives = json_object_get(mesh, "primitives");
    for (size_t i = 0; i < json_array_size(primitives); i++) {
        abut_status status = add_primitive(reader, json_array_get(primitives, i), placed, what);
        if (status != ABUT_OK) {
            return status;
        }
    }
    return ABUT_OK;
}

/* Pushes the nodes of a list on the stack, the first on top. Each node has at most one parent, so none is pushed twice and the stack cannot overflow. */
static abut_status push_nodes(gltf_reader *reader, const json_t *list, const affine *placed) {
    for (size_t i = json_array_size(list); i-- > 0;) {
        const json_t *index = json_array_get(list, i);
        if (!gltf_element(&reader->file, "nodes", index)) {
            return gltf_fail(&reader->file, "a reference to a node that does not exist");
        }
        size_t node = (size_t)json_integer_value(index);
        if (reader->visited[node]) {
            return gltf_fail(&reader->file, "node %zu has two parents", node);
        }
        reader->visited[node] = true;
        reader->stack[reader->stack_size++] = (node_visit){node, *placed};
    }
    return ABUT_OK;
}

static abut_status visit(gltf_reader *reader, const node_visit *at) {
    const json_t *node = json_array_get(json_object_get(reader->file.root, "nodes"), at->node);
    affine local;
    if (!read_transform(node, &local)) {
        return gltf_fail(&reader->file, "node %zu has a malformed transform", at->node);
    }
    affine placed = {abut_mat3_mul(at->placed.linear, local.linear),
                     abut_add(abut_mat3_apply(at->placed.linear, local.offset), at->placed.offset)};
    if (json_object_get(node, "mesh")) {
        abut_status status = add_mesh(reader, at->node, node, &placed);
        if (status != ABUT_OK) {
            return status;
        }
    }
    return push_nodes(reader, json_object_get(node, "children"), &placed);
}

static abut_status visit_all(gltf_reader *reader) {
    const json_t *number = json_object_get(reader->file.root, "scene");
    json_t *first = json_integer(0);
    if (!first) {
        return no_memory(reader);
    }
    const json_t *scene = gltf_element(&reader->file, "scenes", number ? number : first);
    json_decref(first);
    if (!scene) {
        return gltf_fail(&reader->file, "the file has no scene");
    }
    const affine identity = {abut_mat3_identity(), {0, 0, 0}};
    abut_status status = push_nodes(reader, json_object_get(scene, "nodes"), &identity);
    while (status == ABUT_OK && reader->stack_size > 0) {
        node_visit next = reader->stack[--reader->stack_size];
        status = visit(reader, &next);
    }
    return status;
}

abut_status mesh_read_gltf(const char *path, char *data, size_t length, mesh_soup *soup, abut_error *error) {
    gltf_reader reader = {.soup = soup};
    abut_status status = gltf_open(path, data, length, &reader.file, error);
    if (status == ABUT_OK) {
        reader.node_count = json_array_size(json_object_get(reader.file.root, "nodes"));
        reader.visited = calloc(reader.node_count + 1, sizeof *reader.visited);
        reader.stack = calloc(reader.node_count + 1, sizeof *reader.stack);
        status = reader.visited && reader.stack ? visit_all(&reader) : mesh_no_memory(path, error);
    }
    free(reader.visited);
    free(reader.stack);
    gltf_release(&reader.file);
    return status;
}
