/* Damaged mesh files: after any change of bytes there is a status and no crash. Run under the sanitizers. */
#include "support/mesh_text.h"
#include "support/random.h"

enum { SAMPLES = 400 };

static void put_tetrahedron_obj(mesh_bytes *file) {
    put_text(file, "o a\nv 0 0 0\nv 0 1 0\nv 1 0 0\nv 0 0 1\nf 1/1 2 3\nf 1 4 2\ng b\nf -3//2 -1 -2\nf 3 4 \\\n1\n");
}

static void put_tetrahedron_ply(mesh_bytes *file, const char *format) {
    static const char faces[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    bool text = strcmp(format, "ascii") == 0, big = strcmp(format, "binary_big_endian") == 0;
    put_text(file,
             "ply\nformat %s 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 4\n"
             "property list uchar uchar vertex_indices\nend_header\n",
             format);
    for (int v = 0; v < 4; v++) {
        float p[3] = {v == 2, v == 1, v == 3};
        for (int i = 0; i < 3; i++) {
            if (text) {
                put_text(file, "%g ", (double)p[i]);
            } else {
                put_float(file, p[i], big);
            }
        }
    }
    for (int f = 0; f < 4; f++) {
        if (text) {
            put_text(file, "3 %d %d %d\n", faces[f][0], faces[f][1], faces[f][2]);
        } else {
            put_bytes(file, "\3", 1);
            put_bytes(file, faces[f], 3);
        }
    }
}

static void put_tetrahedron_stl(mesh_bytes *file, bool text) {
    static const int faces[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    put_text(file, text ? "solid t\n" : "%80s", "");
    if (!text) {
        put_number(file, 4, 4, false);
    }
    for (int f = 0; f < 4; f++) {
        float p[9];
        for (int i = 0; i < 9; i++) {
            int v = faces[f][i / 3];
            p[i] = i % 3 == 0 ? v == 2 : i % 3 == 1 ? v == 1 : v == 3;
        }
        if (text) {
            put_text(file, "facet normal 0 0 0\nouter loop\nvertex %g %g %g\nvertex %g %g %g\nvertex %g %g %g\nendloop\nendfacet\n",
                     (double)p[0], (double)p[1], (double)p[2], (double)p[3], (double)p[4], (double)p[5], (double)p[6], (double)p[7],
                     (double)p[8]);
        } else {
            put_bytes(file, "\0\0\0\0\0\0\0\0\0\0\0", 12);
            for (int i = 0; i < 9; i++) {
                put_float(file, p[i], false);
            }
            put_bytes(file, "\0", 2);
        }
    }
    if (text) {
        put_text(file, "endsolid t\n");
    }
}

/* The positions of a tetrahedron are encoded by hand: 1.0f ends in 0x80 0x3f, "AACAPw" in base64. */
static void put_tetrahedron_gltf(mesh_bytes *file) {
    put_text(
        file,
        "{\"asset\": {\"version\": \"2.0\"}, \"scene\": 0, \"scenes\": [{\"nodes\": [0]}], \"nodes\": [{\"mesh\": 0, \"scale\": [1, 1, 1], "
        "\"children\": [1]}, {\"name\": \"n\", \"mesh\": 0, \"translation\": [3, 0, 0]}], \"meshes\": [{\"primitives\": [{\"attributes\": "
        "{\"POSITION\": 0}, \"indices\": 1}]}], \"buffers\": [{\"byteLength\": 60, \"uri\": \"data:;base64,"
        "AAAAAAAAAAAAAAAAAAAAAAAAgD8AAAAAAACAPwAAAAAAAAAAAAAAAAAAAAAAAIA/AAECAAMBAQMCAgMA\"}], \"bufferViews\": [{\"buffer\": 0, "
        "\"byteLength\": 48}, "
        "{\"buffer\": 0, \"byteOffset\": 48, \"byteLength\": 12}], \"accessors\": [{\"bufferView\": 0, \"componentType\": 5126, \"count\": "
        "4, "
        "\"type\": \"VEC3\"}, {\"bufferView\": 1, \"componentType\": 5121, \"count\": 12, \"type\": \"SCALAR\"}]}");
}

static void put_tetrahedron_glb(mesh_bytes *file) {
    mesh_bytes json = {.size = 0};
    put_tetrahedron_gltf(&json);
    while (json.size % 4 != 0) {
        put_text(&json, " ");
    }
    put_text(file, "glTF");
    put_number(file, 2, 4, false);
    put_number(file, 20 + json.size, 4, false);
    put_number(file, json.size, 4, false);
    put_text(file, "JSON");
    put_bytes(file, json.bytes, json.size);
}

static void damage(mesh_bytes *file, random_state *random) {
    static const char likely[] = "0123456789-+.eE,:[]{}\"\\ \n\t/#nfv\x7f\xff";
    int32_t changes = 1 + random_below(random, 4);
    for (int32_t i = 0; i < changes && file->size > 0; i++) {
        size_t at = (size_t)random_below(random, (int32_t)file->size);
        switch (random_below(random, 4)) {
        case 0:
            file->bytes[at] = (char)(file->bytes[at] ^ 1 << random_below(random, 8));
            break;
        case 1:
            file->bytes[at] = likely[random_below(random, (int32_t)sizeof likely)];
            break;
        case 2:
            memmove(file->bytes + at, file->bytes + at + 1, file->size - at - 1);
            file->size--;
            break;
        default:
            if (random_below(random, 4) == 0) {
                file->size = at;
            } else {
                file->bytes[at] = (char)random_below(random, 256);
            }
        }
    }
}

static void mutate(const char *name, const mesh_bytes *right) {
    abut_mesh_options options = abut_mesh_options_default();
    abut_mesh_destroy(load_mesh(write_buffer(name, right), &(abut_mesh_options){.scale = 1, .hull = true, .whole = true}, 1));
    random_state random = random_make(random_seed(name, 5));
    int accepted = 0;
    for (int sample = 0; sample < SAMPLES; sample++) {
        mesh_bytes file = *right;
        damage(&file, &random);
        options.hull = sample % 2;
        options.centred = sample % 3 == 0;
        abut_mesh_pieces *pieces = NULL;
        abut_error error = {ABUT_OK, ""};
        abut_status status = abut_mesh_load(write_buffer(name, &file), &options, &pieces, &error);
        accepted += status == ABUT_OK;
        if ((status == ABUT_OK) != (pieces != NULL) || status == ABUT_ERROR_INTERNAL || (status != ABUT_OK && error.message[0] == '\0')) {
            fail_msg("sample %d of %s: %s %s", sample, name, abut_status_name(status), error.message);
        }
        abut_mesh_destroy(pieces);
    }
    assert_true(accepted > 0 && accepted < SAMPLES);
}

static void test_obj(void **state) {
    (void)state;
    mesh_bytes file = {.size = 0};
    put_tetrahedron_obj(&file);
    mutate("m.obj", &file);
}

static void test_ply(void **state) {
    (void)state;
    static const char *const formats[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    for (int i = 0; i < 3; i++) {
        mesh_bytes file = {.size = 0};
        put_tetrahedron_ply(&file, formats[i]);
        mutate("m.ply", &file);
    }
}

static void test_stl(void **state) {
    (void)state;
    for (int text = 0; text < 2; text++) {
        mesh_bytes file = {.size = 0};
        put_tetrahedron_stl(&file, text);
        mutate("m.stl", &file);
    }
}

static void test_gltf(void **state) {
    (void)state;
    mesh_bytes file = {.size = 0};
    put_tetrahedron_gltf(&file);
    mutate("m.gltf", &file);
    file.size = 0;
    put_tetrahedron_glb(&file);
    mutate("m.glb", &file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_obj),
        cmocka_unit_test(test_ply),
        cmocka_unit_test(test_stl),
        cmocka_unit_test(test_gltf),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
