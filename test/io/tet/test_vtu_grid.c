/* VTK XML files of unstructured grids: all ways to write arrays, several pieces, what abut itself writes, refusals and hostile files. */
#include "io/tet/vtu.h"
#include "support/tet_text.h"

typedef enum way { ASCII, BINARY, APPENDED_RAW, APPENDED_BASE64, WAYS } way;

/* A file that is being written. Appended bytes are collected. */
typedef struct vtu_text {
    mesh_bytes text, appended;
    way way;
    bool big, wide; /* byte order; counts of 8 bytes */
    bool zlib;
} vtu_text;

static void put_base64(mesh_bytes *to, const mesh_bytes *bytes, bool lines) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < bytes->size; i += 3) {
        size_t left = bytes->size - i;
        unsigned bits = 0;
        for (size_t b = 0; b < 3; b++) {
            bits = bits << 8 | (b < left ? (unsigned char)bytes->bytes[i + b] : 0);
        }
        char four[5] = {digits[bits >> 18], digits[bits >> 12 & 63], left > 1 ? digits[bits >> 6 & 63] : '=',
                        left > 2 ? digits[bits & 63] : '='};
        put_text(to, "%s%s", four, lines && i % 30 == 27 ? "\n  " : "");
    }
}

/* A zlib stream of one block that is stored, not compressed. */
static void put_stored(mesh_bytes *to, const mesh_bytes *bytes) {
    put_bytes(to, "\x78\x01\x01", 3);
    put_number(to, bytes->size, 2, false);
    put_number(to, ~(uint64_t)bytes->size & 0xffff, 2, false);
    put_bytes(to, bytes->bytes, bytes->size);
    uint64_t a = 1, b = 0;
    for (size_t i = 0; i < bytes->size; i++) {
        a = (a + (unsigned char)bytes->bytes[i]) % 65521;
        b = (b + a) % 65521;
    }
    put_number(to, b << 16 | a, 4, true);
}

/* The bytes of an array with the counts before them. With zlib in two blocks; the header is a base64 text of its own, as VTK writes it. */
static mesh_bytes with_header(const vtu_text *file, const mesh_bytes *bytes, bool lines) {
    mesh_bytes head = {.size = 0}, body = {.size = 0}, whole = {.size = 0};
    bool encoded = file->way == BINARY || file->way == APPENDED_BASE64;
    size_t size = file->wide ? 8 : 4, first = bytes->size / 2 + 1;
    if (!file->zlib) {
        put_number(&whole, bytes->size, size, file->big);
        put_bytes(&whole, bytes->bytes, bytes->size);
        put_base64(&body, &whole, lines);
        return encoded ? body : whole;
    }
    mesh_bytes blocks[2] = {{.size = 0}, {.size = 0}};
    put_bytes(&blocks[0], bytes->bytes, first);
    put_bytes(&blocks[1], bytes->bytes + first, bytes->size - first);
    put_number(&head, 2, size, file->big);
    put_number(&head, first, size, file->big);
    put_number(&head, bytes->size - first, size, file->big);
    for (int i = 0; i < 2; i++) {
        put_number(&head, blocks[i].size + 11, size, file->big);
        put_stored(&body, &blocks[i]);
    }
    if (encoded) {
        put_base64(&whole, &head, lines);
        put_base64(&whole, &body, lines);
    } else {
        put_bytes(&whole, head.bytes, head.size);
        put_bytes(&whole, body.bytes, body.size);
    }
    return whole;
}

/* Numbers of a type: Float64, or whole ones of `size` bytes. */
static void put_array(vtu_text *file, const char *name, const char *type, size_t size, const double *values, int count) {
    mesh_bytes bytes = {.size = 0};
    for (int i = 0; i < count; i++) {
        if (strcmp(type, "Float64") == 0) {
            put_double(&bytes, values[i], file->big);
        } else {
            put_number(&bytes, (uint64_t)(int64_t)values[i], size, file->big);
        }
    }
    put_text(&file->text, "<DataArray type=\"%s\" Name='%s' ", type, name);
    if (file->way == ASCII) {
        put_text(&file->text, "format=\"ascii\">\n");
        for (int i = 0; i < count; i++) {
            put_text(&file->text, "%.17g%c", values[i], i % 5 == 4 ? '\n' : ' ');
        }
        put_text(&file->text, "\n<InformationKey name=\"range\"><Value index=\"0\">7</Value></InformationKey></DataArray>\n");
        return;
    }
    mesh_bytes whole = with_header(file, &bytes, file->way == BINARY);
    if (file->way == BINARY) {
        put_text(&file->text, "format = \"binary\"><InformationKey name=\"x\"/>\n  ");
        put_bytes(&file->text, whole.bytes, whole.size);
        put_text(&file->text, "\n</DataArray>\n");
    } else {
        put_text(&file->text, "format=\"appended\" offset=\"%zu\" />\n", file->appended.size);
        put_bytes(&file->appended, whole.bytes, whole.size);
    }
}

static void begin_file(vtu_text *file) {
    put_text(&file->text,
             "<?xml version=\"1.0\"?>\n<!-- <VTKFile> -->\n<VTKFile type=\"UnstructuredGrid\" byte_order=\"%s\"%s%s>\n<UnstructuredGrid>\n"
             "<FieldData><DataArray type=\"String\" Name=\"connectivity\" format=\"ascii\">1 2</DataArray></FieldData>\n",
             file->big ? "BigEndian" : "LittleEndian", file->wide ? " header_type=\"UInt64\"" : "",
             file->zlib ? " compressor=\"vtkZLibDataCompressor\"" : "");
}

static void end_file(vtu_text *file) {
    put_text(&file->text, "</UnstructuredGrid>\n");
    if (file->way >= APPENDED_RAW) {
        put_text(&file->text, "<AppendedData encoding=\"%s\">\n _", file->way == APPENDED_RAW ? "raw" : "base64");
        put_bytes(&file->text, file->appended.bytes, file->appended.size);
        put_text(&file->text, "\n</AppendedData>\n");
    }
    put_text(&file->text, "</VTKFile>");
}

/* A triangle, two tetrahedra, the second of ten nodes, and a polyhedron of three. */
static void put_pair(vtu_text *file, const char *type, size_t size) {
    static const double corners[] = {0, 1, 2, 0, 1, 3, 4, 0, 1, 3, 5, 2, 2, 2, 2, 2, 2, 0, 2, 1}, ends[] = {3, 7, 17, 20},
                        types[] = {5, 10, 24, 42};
    put_text(&file->text, "<Piece NumberOfPoints=\"6\" NumberOfCells=\"4\">\n<PointData><DataArray type=\"Bit\"/></PointData>\n<Cells>\n");
    put_array(file, "types", "UInt8", 1, types, 4);
    put_array(file, "offsets", type, size, ends, 4);
    put_array(file, "connectivity", type, size, corners, 20);
    put_text(&file->text, "</Cells>\n<Points>\n");
    put_array(file, "Points", "Float64", 8, pair_vertices[0], 18);
    put_text(&file->text, "</Points></Piece>\n");
}

static vtu_text pair_file(way form, bool big, bool wide, bool zlib) {
    vtu_text file = {.way = form, .big = big, .wide = wide, .zlib = zlib};
    begin_file(&file);
    put_pair(&file, wide ? "Int64" : "UInt16", wide ? 8 : 2);
    end_file(&file);
    return file;
}

static const int64_t tags[] = {0, 1, 2, 3, 4, 5}, elements[] = {1, 2};

static void test_ways(void **state) {
    (void)state;
    for (int form = 0; form < WAYS; form++) {
        for (int b = 0; b < 4; b++) {
            vtu_text file = pair_file((way)form, b & 1, b & 2, false);
            assert_pair(write_buffer("pair.vtu", &file.text), tags, elements, NULL, 2);
            file = pair_file((way)form, b & 1, b & 2, true);
#ifdef ABUT_WITH_RECORDINGS
            assert_pair(write_buffer("pair.VTU", &file.text), tags, elements, NULL, 2);
#endif
        }
    }
#ifndef ABUT_WITH_RECORDINGS
    vtu_text file = pair_file(BINARY, false, false, true);
    assert_tets_refused(write_buffer("zlib.vtu", &file.text), ":23:1: the array is compressed, and this build has no zlib");
#endif
}

/* Corners of a piece count from its first point. */
static void test_pieces(void **state) {
    (void)state;
    for (int form = 0; form < WAYS; form++) {
        vtu_text file = {.way = (way)form};
        begin_file(&file);
        put_text(&file.text, "<Piece NumberOfPoints=\"0\" NumberOfCells=\"0\"></Piece>");
        put_pair(&file, "Int32", 4);
        put_text(&file.text, "<Piece NumberOfPoints='0' NumberOfCells='0'/>");
        put_pair(&file, "UInt64", 8);
        end_file(&file);
        abut_tetfile *read = load_tets(write_buffer("pieces.vtu", &file.text));
        assert_int_equal(read->vertex_count, 10);
        assert_int_equal(read->element_count, 4);
        for (int i = 0; i < 8; i++) {
            assert_int_equal(read->elements[8 + i], read->elements[i] + 5);
        }
        assert_memory_equal(read->vertices + 5, read->vertices, 5 * sizeof *read->vertices);
        assert_int_equal(read->vertex_tags[9], 11);
        assert_int_equal(read->element_tags[3], 6);
        abut_tetfile_destroy(read);
    }
}

/* What abut writes, it reads back to the bit. */
static void test_own_files(void **state) {
    (void)state;
    vtu_text file = pair_file(ASCII, false, false, false);
    abut_tetfile *first = load_tets(write_buffer("first.vtu", &file.text)), *second;
    abut_tetra_mesh meshes[] = {abut_tetfile_mesh(first), abut_tetfile_mesh(first)};
    const double depths[] = {0.5, -1.0};
    const abut_vtu_array arrays[] = {{"types", ABUT_VTU_CELLS, ABUT_VTU_DOUBLE, 1, (const void *[]){depths, NULL}},
                                     {"</Cells>", ABUT_VTU_POINTS, ABUT_VTU_INT32, 3, (const void *[]){NULL, NULL}}};
    char path[4096];
    snprintf(path, sizeof path, "%s", scratch_path("own.vtu"));
    assert_ok(abut_vtu_write(path, meshes, 2, arrays, 2, NULL));
    second = load_tets(path);
    assert_int_equal(second->vertex_count, 10);
    assert_int_equal(second->element_count, 4);
    assert_memory_equal(second->vertices, first->vertices, 5 * sizeof *first->vertices);
    assert_memory_equal(second->vertices + 5, first->vertices, 5 * sizeof *first->vertices);
    assert_memory_equal(second->elements, first->elements, 8 * sizeof *first->elements);
    abut_tetfile_destroy(first);
    abut_tetfile_destroy(second);
}

static void test_cut_off(void **state) {
    (void)state;
    for (int form = 0; form < WAYS; form++) {
        vtu_text file = pair_file((way)form, false, true, false);
        assert_cut_refused("cut.vtu", &file.text, 1);
    }
    vtu_text file = pair_file(APPENDED_BASE64, false, false, true);
    assert_cut_refused("cut.vtu", &file.text, 1);
}

/* Bytes replaced: a status and no crash. Run under the sanitizers. */
static void test_damage(void **state) {
    (void)state;
    static const char likely[] = {'\0', '\xff', '9', '<', '"', '='};
    for (int form = 0; form < 2 * WAYS; form++) {
        vtu_text right = pair_file((way)(form / 2), false, true, form % 2);
        for (size_t at = (size_t)form; at < right.text.size; at += 13) {
            vtu_text file = right;
            file.text.bytes[at] = likely[(at + (size_t)form) % sizeof likely];
            abut_tetfile *read = NULL;
            abut_error error = {ABUT_OK, ""};
            abut_status status = abut_tetfile_load(write_buffer("damaged.vtu", &file.text), &read, &error);
            if ((status == ABUT_OK) != (read != NULL) || (status != ABUT_OK && status != ABUT_ERROR_FORMAT)) {
                fail_msg("form %d, byte %zu: %s %s", form, at, abut_status_name(status), error.message);
            }
            abut_tetfile_destroy(read);
        }
    }
}

#define HEAD "<VTKFile type=\"UnstructuredGrid\" byte_order=\"LittleEndian\">\n"
#define ARRAY(type, name, text) "<DataArray type=\"" type "\" Name=\"" name "\" format=\"ascii\">" text "</DataArray>\n"
#define POINTS "<Points>\n" ARRAY("Float32", "", "0 0 0 1 0 0 0 1 0 0 0 1") "</Points>\n"
#define CELLS(corners, ends, types) \
    "<Cells>\n" ARRAY("Int32", "connectivity", corners) ARRAY("Int32", "offsets", ends) ARRAY("UInt8", "types", types) "</Cells>\n"
#define PIECE(points, cells) "<Piece NumberOfPoints=\"" points "\" NumberOfCells=\"" cells "\">\n"
#define END "</Piece></VTKFile>\n"
#define BYTES(format, text) "<Points>\n<DataArray type=\"Float64\" " format ">" text "</DataArray></Points>" END

static void test_refusals(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", ":1:1: this is not a VTK XML file: it has no tags"},
        {"<?xml", ":1:1: the file ends before the '?>' of this tag"},
        {"<!-- <VTKFile>", ":1:1: the file ends before the '-->' of this tag"},
        {"<VTKFile type=\"Unstr", ":1:1: the file ends before the '>' of this tag"},
        {"<svg>", ":1:1: this is not a VTK XML file: its first tag is not '<VTKFile>'"},
        {"<VTKFile type=\"PolyData\">", ":1:1: a data set of the type 'PolyData'; only 'UnstructuredGrid' has tetrahedra"},
        {"<VTKFile type='UnstructuredGrid' compressor='vtkLZ4DataCompressor'>",
         ":1:1: the compression of 'vtkLZ4DataCompressor' is not supported"},
        {HEAD, ":2:1: the file ends before '</VTKFile>'"},
        {HEAD "</VTKFile>", ": the file has no tetrahedra"},
        {HEAD PIECE("-1", "1"), ":2:1: the piece needs 'NumberOfPoints', a number below 2^31"},
        {HEAD PIECE("4", "99999999999999999999"), ":2:1: the piece needs 'NumberOfCells'"},
        {HEAD "<Piece NumberOfPoints=\"4\">", ":2:1: the piece needs 'NumberOfCells'"},
        {HEAD PIECE("4", "1") END, ":2:1: the piece has no array with the points"},
        {HEAD PIECE("4", "1") POINTS END, ":2:1: the piece has no array with the connectivity"},
        {HEAD PIECE("2147483647", "1") POINTS END, ":4:50: a count of 2147483647 points is more than the rest of the array can hold"},
        {HEAD PIECE("3", "1") POINTS END, ":4:68: the array has more numbers than the piece needs"},
        {HEAD PIECE("5", "1") POINTS END, ":4:50: a count of 5 points is more than the rest of the array can hold"},
        {HEAD PIECE("4", "1") POINTS CELLS("0 1 2 4", "4", "10") END, ":7:66: cell 0 refers to point 4, which its piece does not have"},
        {HEAD PIECE("4", "1") POINTS CELLS("0 -1 2 3", "4", "10") END, ":7:62: cell 0 refers to point -1"},
        {HEAD PIECE("4", "1") POINTS CELLS("0 1 2", "3", "10") END, ":7:60:"},
        {HEAD PIECE("4", "1") POINTS CELLS("0 1 2 3", "-4", "10") END, ":8:55: cell 0 ends before it begins"},
        {HEAD PIECE("4", "1") POINTS CELLS("0 1 2 3", "9223372036854775807", "12") END,
         ":7:60: a count of 9223372036854775807 numbers is more"},
        {HEAD PIECE("4", "9") POINTS CELLS("0 1 2 3", "4", "10") END,
         ":9:53: a count of 9 types is more than the rest of the array can hold"},
        {HEAD PIECE("4", "1") POINTS CELLS("0 1 2 3 3", "4", "10") END, ":7:68: the array has more numbers than the piece needs"},
        {HEAD PIECE("4", "1") POINTS CELLS("0 1 2 3", "4", "10.0") END, ":9:53: a whole number is expected here"},
        {HEAD PIECE("4", "2") POINTS CELLS("0 1 2 0 1 2 3 3", "3 8", "5 9") END,
         ": the file has 1 triangle and 1 quadrilateral, but no tetrahedra"},
        {HEAD PIECE("4", "1") POINTS POINTS END, ":7:1: an array occurs twice in a piece"},
        {HEAD PIECE("4", "1") "<Points>" ARRAY("String", "", "") "</Points>" END, ":3:9: an array of the type 'String' is not supported"},
        {HEAD PIECE("1", "0") "<Points>" ARRAY("Float64", "", "0 1e999 0") "</Points>" END, ":3:66: point 0 is not finite"},
        {HEAD PIECE("1", "0") "<Points>" ARRAY("Float64\" NumberOfComponents=\"2", "", "0 1 0") "</Points>" END,
         ":3:9: points have 2 coordinates; 3 are needed"},
        {HEAD PIECE("1", "0") BYTES("format=\"hex\"", ""),
         ":4:1: the format 'hex' of an array is not known; use ascii, binary or appended"},
        {HEAD PIECE("1", "0") BYTES("format=\"binary\"", ""), ":4:1: the data end before the bytes of the array"},
        {HEAD PIECE("1", "0") BYTES("format=\"binary\"", "GAAAAA=="), ":4:1: the data end before the bytes of the array"},
        {HEAD PIECE("1", "0") BYTES("format=\"binary\"", "////fwAA"), ":4:1: the data end before the bytes of the array"},
        {HEAD PIECE("1", "0") BYTES("format=\"binary\"", "GAAAAA==!AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"),
         ":4:1: the data end before the bytes of the array, or are not base64"},
        {HEAD PIECE("1", "0") BYTES("format=\"appended\"", ""), ":4:1: the array needs an offset"},
        {HEAD PIECE("1", "0") BYTES("format=\"appended\" offset=\"0\"", ""), ":4:1: the offset 0 of the array is beyond the appended data"},
        {HEAD "<AppendedData encoding=\"hex\">_</AppendedData></VTKFile>",
         ":2:1: appended data in 'hex' are not supported; use raw or base64"},
        {HEAD "<AppendedData encoding=\"raw\"></AppendedData></VTKFile>", ":2:30: '_' is expected before the appended data"},
        {HEAD "<AppendedData encoding=\"raw\">_</AppendedData>", ":2:30: the file ends before '</AppendedData></VTKFile>'"},
        {HEAD PIECE("4", "1") "<Points><DataArray type=\"Int8\"><a></a></b>", ":3:39: '</DataArray>' is expected here"},
        {HEAD PIECE("4", "1") "<Points><DataArray type=\"Int8\"><a><b>", ":3:38: the file ends before '</DataArray>'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_tets_refused(scratch_text("bad.vtu", cases[i].text), cases[i].message);
    }
}

/* Many pieces that use the same bytes would make a mesh far larger than the file. */
static void test_shared_bytes(void **state) {
    (void)state;
    static mesh_bytes file;
    put_text(&file, HEAD);
    for (int i = 0; i < 40; i++) {
        put_text(&file, "<Piece NumberOfPoints=\"100\" NumberOfCells=\"0\"><Points><DataArray type=\"UInt8\" format=\"appended\" "
                        "offset=\"0\"/></Points></Piece>\n");
    }
    put_text(&file, "<AppendedData encoding=\"raw\">_");
    put_number(&file, 300, 4, false);
    for (int i = 0; i < 300; i++) {
        put_bytes(&file, "\1", 1);
    }
    put_text(&file, "</AppendedData></VTKFile>");
    assert_tets_refused(write_buffer("shared.vtu", &file), ":20:55: the arrays have more bytes than the file");
}

#ifdef ABUT_WITH_RECORDINGS

/* Blocks whose sizes are wrong, or would need far more memory than the file. */
static void test_hostile_blocks(void **state) {
    (void)state;
    static const struct {
        uint64_t blocks, size, last, compressed;
        const char *message;
    } cases[] = {
        {1, 24, 0, 35, NULL},
        {1, 24, 24, 35, NULL},
        {1, 30, 24, 35, NULL},
        {1, 24, 25, 35, "1 blocks of 24 bytes are more than the array can hold"},
        {1, 25, 0, 35, "a compressed block is damaged"},
        {1, 23, 0, 35, "a compressed block is damaged"},
        {1, 24, 0, 34, "a compressed block is damaged"},
        {1, 24, 0, 36, "a compressed block is longer than the rest of the array"},
        {1, UINT64_MAX, 0, 35, "1 blocks of 18446744073709551615 bytes are more"},
        {1, 1 << 30, 0, 35, "1 blocks of 1073741824 bytes are more"},
        {UINT64_MAX, 1, 0, 35, "18446744073709551615 blocks of 1 bytes are more"},
        {UINT64_MAX, 0, 0, 35, "18446744073709551615 blocks of 0 bytes are more"},
        {2, 1000, 0, 11, "a compressed block is damaged"},
        {1, 24, 0, UINT64_MAX, "a compressed block is longer than the rest of the array"},
        {0, 0, 0, 0, "a count of 1 points is more than the rest of the array can hold"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        mesh_bytes zeros = {.size = 24}, file = {.size = 0};
        put_text(&file,
                 "<VTKFile type=\"UnstructuredGrid\" header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n" PIECE("1", "0"));
        put_text(&file,
                 "<Points><DataArray type=\"Float64\" format=\"appended\" offset=\"0\"/></Points></Piece><AppendedData encoding=\"raw\">_");
        put_number(&file, cases[i].blocks, 8, false);
        put_number(&file, cases[i].size, 8, false);
        put_number(&file, cases[i].last, 8, false);
        put_number(&file, cases[i].compressed, 8, false);
        put_stored(&file, &zeros);
        put_text(&file, "</AppendedData></VTKFile>");
        char message[200];
        snprintf(message, sizeof message, cases[i].blocks > 0 ? ":3:9: %s" : ":3: %s", cases[i].message);
        assert_tets_refused(write_buffer("blocks.vtu", &file), cases[i].message ? message : ": the file has no tetrahedra");
    }
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ways),           cmocka_unit_test(test_pieces), cmocka_unit_test(test_own_files),
        cmocka_unit_test(test_cut_off),        cmocka_unit_test(test_damage), cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_shared_bytes),
#ifdef ABUT_WITH_RECORDINGS
        cmocka_unit_test(test_hostile_blocks),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
