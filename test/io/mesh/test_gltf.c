/* glTF 2.0: text with an embedded or separate buffer, and binary. */
#include "support/mesh_text.h"

static void put_base64(mesh_bytes *file, const mesh_bytes *data) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < data->size; i += 3) {
        uint32_t bits = 0;
        for (size_t k = 0; k < 3; k++) {
            bits = bits << 8 | (i + k < data->size ? (unsigned char)data->bytes[i + k] : 0);
        }
        for (size_t k = 0; k < 4; k++) {
            put_text(file, "%c", i + k > data->size ? '=' : digits[bits >> (18 - 6 * k) & 63]);
        }
    }
}

/* 12 unused bytes, 8 positions of 16 bytes each, then 36 indices of `size` bytes. */
static mesh_bytes cube_data(size_t size) {
    mesh_bytes data = {.size = 0};
    put_bytes(&data, "nobody's....", 12);
    for (int v = 0; v < 8; v++) {
        for (int axis = 0; axis < 3; axis++) {
            put_float(&data, (float)cube_coordinate(v, axis), false);
        }
        put_bytes(&data, "pad!", 4);
    }
    for (int c = 0; c < 36; c++) {
        put_number(&data, (uint64_t)cube_triangle(c / 3, c % 3), size, false);
    }
    return data;
}

static const char cube_nodes[] = "[{\"name\": \"cube\", \"mesh\": 0}]";
static const char cube_primitives[] = "[{\"attributes\": {\"POSITION\": 0}, \"indices\": 1}]";

/* The JSON of a cube. `buffer` has the members of the buffer except its length; "" in a .glb. */
static void put_cube_json(mesh_bytes *file, const char *nodes, const char *primitives, const char *uri, size_t index_size,
                          size_t data_size) {
    put_text(file,
             "{\"asset\": {\"version\": \"2.0\"}, \"scene\": 0, \"scenes\": [{\"nodes\": [0]}], \"nodes\": %s, \"meshes\": [{\"name\": "
             "\"mesh\", "
             "\"primitives\": %s}], \"buffers\": [{%s\"byteLength\": %zu}], \"bufferViews\": [{\"buffer\": 0, \"byteOffset\": 12, "
             "\"byteLength\": 128, "
             "\"byteStride\": 16}, {\"buffer\": 0, \"byteOffset\": 140, \"byteLength\": %zu}], \"accessors\": [{\"bufferView\": 0, "
             "\"componentType\": 5126, "
             "\"count\": 8, \"type\": \"VEC3\"}, {\"bufferView\": 1, \"componentType\": %d, \"count\": 36, \"type\": \"SCALAR\"}]}",
             nodes, primitives, uri, data_size, 36 * index_size,
             index_size == 1   ? 5121
             : index_size == 2 ? 5123
                               : 5125);
}

/* A cube with its data embedded. */
static mesh_bytes embedded_cube(const char *nodes, const char *primitives, size_t index_size) {
    mesh_bytes data = cube_data(index_size), uri = {.size = 0}, file = {.size = 0};
    put_text(&uri, "\"uri\": \"data:application/octet-stream;base64,");
    put_base64(&uri, &data);
    put_text(&uri, "\", %c", '\0');
    put_cube_json(&file, nodes, primitives, uri.bytes, index_size, data.size);
    return file;
}

static void test_embedded(void **state) {
    (void)state;
    for (size_t size = 1; size <= 4; size *= 2) {
        mesh_bytes file = embedded_cube(cube_nodes, cube_primitives, size);
        abut_mesh_pieces *pieces = load_mesh(write_buffer("cube.gltf", &file), NULL, 1);
        assert_cube(&pieces->pieces[0], "cube", 0);
        abut_mesh_destroy(pieces);
    }
}

static void test_buffer_in_a_file_beside_it(void **state) {
    (void)state;
    mesh_bytes data = cube_data(2), file = {.size = 0};
    write_buffer("the cube.bin", &data);
    put_cube_json(&file, cube_nodes, cube_primitives, "\"uri\": \"the%20cube.bin\", ", 2, data.size);
    abut_mesh_pieces *pieces = load_mesh(write_buffer("beside.gltf", &file), NULL, 1);
    assert_cube(&pieces->pieces[0], "cube", 0);
    abut_mesh_destroy(pieces);
}

static mesh_bytes binary_cube(void) {
    mesh_bytes data = cube_data(2), json = {.size = 0}, file = {.size = 0};
    put_cube_json(&json, cube_nodes, cube_primitives, "", 2, data.size);
    while (json.size % 4 != 0) {
        put_text(&json, " ");
    }
    put_text(&file, "glTF");
    put_number(&file, 2, 4, false);
    put_number(&file, 12 + 8 + json.size + 8 + data.size, 4, false);
    put_number(&file, json.size, 4, false);
    put_text(&file, "JSON");
    put_bytes(&file, json.bytes, json.size);
    put_number(&file, data.size, 4, false);
    put_bytes(&file, "BIN", 4);
    put_bytes(&file, data.bytes, data.size);
    return file;
}

static void test_binary(void **state) {
    (void)state;
    mesh_bytes file = binary_cube();
    abut_mesh_pieces *pieces = load_mesh(write_buffer("cube.glb", &file), NULL, 1);
    assert_cube(&pieces->pieces[0], "cube", 0);
    abut_mesh_destroy(pieces);
    /* A file that is truncated anywhere is refused. */
    for (size_t size = 0; size < file.size; size += 7) {
        abut_mesh_pieces *none = NULL;
        assert_status(abut_mesh_load(scratch_write("cut.glb", file.bytes, size), NULL, &none, NULL), ABUT_ERROR_FORMAT);
    }
}

/* Placed by translation, rotation and scale, by a matrix, by a parent, and mirrored, which must not turn the surface inside out. */
static void test_nodes_place_their_meshes(void **state) {
    (void)state;
    mesh_bytes file = embedded_cube(
        "[{\"children\": [1, 2], \"translation\": [100, 0, 0]},"
        " {\"name\": \"turned\", \"mesh\": 0, \"translation\": [0, 10, 0], \"rotation\": [0, 0, 0.7071067811865476, "
        "0.7071067811865476], \"scale\": [2, 3, 4]},"
        " {\"name\": \"frame\", \"matrix\": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 20, 0, 1], \"children\": [3, 4]},"
        " {\"mesh\": 0, \"scale\": [-1, 1, 1]}, {\"name\": \"mesh\", \"mesh\": 0, \"matrix\": [0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, "
        "0, 5, 0, 0, 1]}]",
        cube_primitives, 2);
    abut_mesh_pieces *pieces = load_mesh(write_buffer("nodes.gltf", &file), NULL, 3);
    /* x, 0 to 2, becomes y; y, 0 to 3, becomes -x. */
    assert_piece(&pieces->pieces[0], "turned", 24, abut_vec3_make(97, 10, 0), abut_vec3_make(100, 12, 4), 6);
    assert_piece(&pieces->pieces[1], "mesh", 1, abut_vec3_make(99, 20, 0), abut_vec3_make(100, 21, 1), 6);
    assert_piece(&pieces->pieces[2], "mesh.2", 1, abut_vec3_make(105, 20, 0), abut_vec3_make(106, 21, 1), 6);
    assert_false(pieces->pieces[1].filled);
    abut_mesh_destroy(pieces);
}

/* Points alone give their hull; lines are skipped; a mesh of several primitives is one group. */
static void test_primitives(void **state) {
    (void)state;
    mesh_bytes file = embedded_cube(
        cube_nodes, "[{\"attributes\": {\"POSITION\": 0}, \"mode\": 0}, {\"attributes\": {\"POSITION\": 0}, \"mode\": 1}]", 2);
    abut_mesh_pieces *pieces = load_mesh(write_buffer("points.gltf", &file), NULL, 1);
    assert_cube(&pieces->pieces[0], "cube", 0);
    assert_true(pieces->pieces[0].filled);
    abut_mesh_destroy(pieces);
}

/* A tetrahedron as a strip, as fans, without indices, with normalised bytes. */
static mesh_bytes tetrahedron(const char *primitives, const char *accessor) {
    static const char corners[] = {0, 0, 0, 127, 0, 0, 0, 127, 0, 0, 0, 127};
    static const char strip[] = {3, 0, 1, 2, 3, 0}, fan[] = {3, 0, 1, 2, 0}, cap[] = {0, 2, 1};
    mesh_bytes data = {.size = 0}, file = {.size = 0};
    put_bytes(&data, corners, sizeof corners);
    put_bytes(&data, strip, sizeof strip);
    put_bytes(&data, fan, sizeof fan);
    put_bytes(&data, cap, sizeof cap);
    put_text(&file,
             "{\"asset\": {\"version\": \"2.1\"}, \"scenes\": [{\"nodes\": [0]}], \"nodes\": [{\"mesh\": 0}], \"meshes\": "
             "[{\"primitives\": %s}], "
             "\"buffers\": [{\"byteLength\": %zu, \"uri\": \"data:;base64,",
             primitives, data.size);
    put_base64(&file, &data);
    put_text(&file,
             "\"}], \"bufferViews\": [{\"buffer\": 0, \"byteLength\": 12}, {\"buffer\": 0, \"byteOffset\": 12, \"byteLength\": 14}], "
             "\"accessors\": ["
             "{\"bufferView\": 0, \"componentType\": 5120, \"count\": 4, \"type\": \"VEC3\", %s},"
             "{\"bufferView\": 1, \"componentType\": 5121, \"count\": 6, \"type\": \"SCALAR\"},"
             "{\"bufferView\": 1, \"byteOffset\": 6, \"componentType\": 5121, \"count\": 5, \"type\": \"SCALAR\"},"
             "{\"bufferView\": 1, \"byteOffset\": 11, \"componentType\": 5121, \"count\": 3, \"type\": \"SCALAR\"}]}",
             accessor);
    return file;
}

static void test_strips_fans_and_small_numbers(void **state) {
    (void)state;
    static const char *const primitives[] = {
        "[{\"attributes\": {\"POSITION\": 0}, \"indices\": 1, \"mode\": 5}]",
        "[{\"attributes\": {\"POSITION\": 0}, \"indices\": 2, \"mode\": 6}, {\"attributes\": {\"POSITION\": 0}, \"indices\": 3, \"mode\": "
        "4}]",
    };
    for (int i = 0; i < 2; i++) {
        mesh_bytes file = tetrahedron(primitives[i], "\"normalized\": true");
        abut_mesh_pieces *pieces = load_mesh(write_buffer("tetrahedron.gltf", &file), NULL, 1);
        assert_piece(&pieces->pieces[0], "piece_1", 1.0 / 6.0, abut_vec3_make(0, 0, 0), abut_vec3_make(1, 1, 1), 4);
        abut_mesh_destroy(pieces);
        file = tetrahedron(primitives[i], "\"normalized\": false");
        pieces = load_mesh(write_buffer("tetrahedron.gltf", &file), NULL, 1);
        assert_piece(&pieces->pieces[0], "piece_1", 127.0 * 127.0 * 127.0 / 6.0, abut_vec3_make(0, 0, 0), abut_vec3_make(127, 127, 127), 4);
        abut_mesh_destroy(pieces);
    }
}

/* A correct file with one change. The text to change must be there. */
static void assert_change_refused(const char *from, const char *to, const char *part) {
    mesh_bytes file = embedded_cube(cube_nodes, cube_primitives, 2), changed = {.size = 0};
    put_text(&file, "%c", '\0');
    char *found = strstr(file.bytes, from);
    assert_non_null(found);
    put_text(&changed, "%.*s%s%s", (int)(found - file.bytes), file.bytes, to, found + strlen(from));
    assert_mesh_refused(write_buffer("changed.gltf", &changed), NULL, ABUT_ERROR_FORMAT, part);
}

static void test_refusals(void **state) {
    (void)state;
    assert_change_refused("\"2.0\"", "\"1.0\"", ": this is not glTF 2.0: asset.version is 1.0");
    assert_change_refused("\"asset\"", "\"assets\"", ": this is not glTF 2.0: asset.version is missing");
    assert_change_refused("{\"asset\"", "{\"extensionsRequired\": [\"KHR_draco_mesh_compression\"], \"asset\"",
                          ": it requires the extension KHR_draco_mesh_comp");
    assert_change_refused("\"scene\": 0", "\"scene\": 1", ": the file has no scene");
    assert_change_refused("\"scene\": 0", "\"scene\": -1", ": the file has no scene");
    assert_change_refused("\"scenes\": [{\"nodes\": [0]}]", "\"scenes\": [{\"nodes\": [1]}]",
                          ": a reference to a node that does not exist");
    assert_change_refused("\"scenes\": [{\"nodes\": [0]}]", "\"scenes\": [{\"nodes\": [0, 0]}]", ": node 0 has two parents");
    assert_change_refused("\"mesh\": 0}", "\"mesh\": 0, \"children\": [0]}", ": node 0 has two parents");
    assert_change_refused("\"mesh\": 0}", "\"mesh\": 1}", ": mesh of node 0: the mesh does not exist");
    assert_change_refused("\"mesh\": 0}", "\"mesh\": 0, \"scale\": [1, 2]}", ": node 0 has a malformed transform");
    assert_change_refused("\"mesh\": 0}", "\"mesh\": 0, \"matrix\": [1, 2, \"x\"]}", ": node 0 has a malformed transform");
    assert_change_refused("\"mesh\": 0}", "\"mesh\": 0, \"scale\": [1e300, 1e300, 1e300], \"translation\": [1e308, 1e308, 1e308]}]}",
                          ":1:");
    assert_change_refused("\"indices\": 1}", "\"indices\": 2}", ": mesh of node 0: not an accessor of type SCALAR");
    assert_change_refused("\"indices\": 1}", "\"indices\": 0}", ": mesh of node 0: not an accessor of type SCALAR");
    assert_change_refused("\"POSITION\": 0", "\"POSITIONS\": 0", ": mesh of node 0: not an accessor of type VEC3");
    assert_change_refused("\"indices\": 1}", "\"mode\": 7}", ": mesh of node 0: a primitive has an unknown mode");
    assert_change_refused("\"indices\": 1}", "\"mode\": 4}", ": mesh of node 0: 8 corners do not make whole triangles");
    assert_change_refused("\"count\": 36", "\"count\": 37", ": mesh of node 0: 37 elements are more than its buffer view holds");
    assert_change_refused("\"count\": 36", "\"count\": 9223372036854775807",
                          ": mesh of node 0: 9223372036854775807 elements are more than its buffer");
    assert_change_refused("\"count\": 36", "\"count\": -1", ": mesh of node 0: its accessor or buffer view is malformed");
    assert_change_refused("\"byteStride\": 16", "\"byteStride\": 8", ": mesh of node 0: its accessor or buffer view is malformed");
    assert_change_refused("\"byteStride\": 16", "\"byteStride\": 17", ": mesh of node 0: 8 elements are more than its buffer view holds");
    assert_change_refused("\"byteLength\": 128", "\"byteLength\": 999", ": mesh of node 0: 8 elements are more than its buffer view holds");
    assert_change_refused("\"byteLength\": 128", "\"byteLength\": 9223372036854775807",
                          ": mesh of node 0: 8 elements are more than its buffer view");
    assert_change_refused("\"bufferView\": 0", "\"bufferView\": 9", ": mesh of node 0: its accessor or buffer view is malformed");
    assert_change_refused("\"bufferView\": 0", "\"sparse\": {}, \"bufferView\": 0", ": mesh of node 0: sparse accessors are not supported");
    assert_change_refused("\"byteLength\": 212", "\"byteLength\": 213", ": buffer 0 has 212 bytes, but its byteLength is 213");
    assert_change_refused(";base64,", ";base64,*", ": a data URI is not base64");
    assert_change_refused(";base64,", ",", ": buffer 0 has a data URI that is not base64");
    assert_change_refused("\"uri\"", "\"url\"", ": buffer 0 has no contents");
    assert_change_refused("{\"asset\"", "", ":1:");
    assert_change_refused("\"nodes\": [{", "\"nodes\": [3], \"knots\": [{", ": a reference to a node that does not exist");
}

static void test_a_missing_buffer_file(void **state) {
    (void)state;
    mesh_bytes file = {.size = 0};
    put_cube_json(&file, cube_nodes, cube_primitives, "\"uri\": \"nowhere.bin\", ", 2, 212);
    abut_mesh_pieces *pieces = NULL;
    abut_error error;
    assert_status(abut_mesh_load(write_buffer("missing.gltf", &file), NULL, &pieces, &error), ABUT_ERROR_FILE);
    assert_non_null(strstr(error.message, "nowhere.bin: cannot be read"));
}

static void test_numbers_out_of_range(void **state) {
    (void)state;
    mesh_bytes data = cube_data(2), file = {.size = 0};
    put_cube_json(&file, cube_nodes, cube_primitives, "\"uri\": \"numbers.bin\", ", 2, data.size);
    const char *path = write_buffer("numbers.gltf", &file);
    data.bytes[140] = 8;
    write_buffer("numbers.bin", &data);
    assert_mesh_refused(path, NULL, ABUT_ERROR_FORMAT, ": mesh of node 0: vertex index 8 is out of range; the mesh has 8 vertices");
    data = cube_data(2);
    memset(data.bytes + 12 + 3 * 16 + 4, 0xff, 4);
    write_buffer("numbers.bin", &data);
    assert_mesh_refused(path, NULL, ABUT_ERROR_FORMAT, ": mesh of node 0: vertex 3 is not finite");
}

/* Chains and brackets that would exhaust the stack of a recursive reader. */
static void test_depth(void **state) {
    (void)state;
    enum { COUNT = 100000, SIZE = COUNT * 40 };
    char *text = malloc(SIZE);
    assert_non_null(text);
    int used = snprintf(text, SIZE, "{\"asset\": {\"version\": \"2.0\"}, \"scenes\": [{\"nodes\": [0]}], \"nodes\": [");
    for (int i = 0; i < COUNT; i++) {
        used += snprintf(text + used, SIZE - (size_t)used, "{\"children\": [%d]}, ", i + 1);
    }
    snprintf(text + used, SIZE - (size_t)used, "{}]}");
    assert_mesh_refused(scratch_text("chain.gltf", text), NULL, ABUT_ERROR_FORMAT, ": the file has no vertices");
    memset(text, '[', SIZE);
    text[SIZE - 1] = '\0';
    assert_mesh_refused(scratch_text("brackets.gltf", text), NULL, ABUT_ERROR_FORMAT, ":1:");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_embedded),
        cmocka_unit_test(test_buffer_in_a_file_beside_it),
        cmocka_unit_test(test_binary),
        cmocka_unit_test(test_nodes_place_their_meshes),
        cmocka_unit_test(test_primitives),
        cmocka_unit_test(test_strips_fans_and_small_numbers),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_a_missing_buffer_file),
        cmocka_unit_test(test_numbers_out_of_range),
        cmocka_unit_test(test_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
