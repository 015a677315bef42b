#include "mesh_question.h"

#include <abut/mesh.h>
#include <float.h>

#include "shapes.h"
#include "target.h"

enum { MOST_VERTICES = 64, MOST_TRIANGLES = 64 };

/* ---- the mesh ---- */

typedef struct raw_mesh {
    abut_vec3 vertices[MOST_VERTICES];
    double heights[MOST_VERTICES];
    int32_t triangles[3 * MOST_TRIANGLES];
    int32_t vertex_count, triangle_count;
} raw_mesh;

static void add_triangle(raw_mesh *m, int32_t a, int32_t b, int32_t c) {
    int32_t *triangle = &m->triangles[3 * m->triangle_count++];
    triangle[0] = a;
    triangle[1] = b;
    triangle[2] = c;
}

/* A flat grid of cells with some corners moved. Two neighbours may have vertices at equal positions instead of shared indices. */
static void read_sheet(raw_mesh *m, bytes *in, double scale) {
    int32_t columns = 2 + bytes_below(in, 4), rows = 2 + bytes_below(in, 4), raised = bytes_below(in, 8);
    double step = scale * bytes_number(in);
    for (int32_t j = 0; j < rows; j++) {
        for (int32_t i = 0; i < columns; i++) {
            m->vertices[m->vertex_count++] = abut_vec3_make(step * i, step * j, 0.0);
        }
    }
    for (int32_t k = 0; k < raised; k++) {
        m->vertices[bytes_below(in, m->vertex_count)].z = scale * bytes_number(in);
    }
    for (int32_t j = 0; j + 1 < rows; j++) {
        for (int32_t i = 0; i + 1 < columns; i++) {
            int32_t corner = j * columns + i;
            add_triangle(m, corner, corner + 1, corner + columns + 1);
            add_triangle(m, corner, corner + columns + 1, corner + columns);
        }
    }
}

/* Random points and random indices. */
static void read_soup(raw_mesh *m, bytes *in, double scale) {
    int32_t vertices = bytes_below(in, 16), triangles = bytes_below(in, 24);
    for (int32_t v = 0; v < vertices; v++) {
        m->vertices[m->vertex_count++] = shapes_read_vec3(in, scale);
    }
    for (int32_t t = 0; t < triangles; t++) {
        int32_t a = (int8_t)bytes_byte(in), b = (int8_t)bytes_byte(in), c = (int8_t)bytes_byte(in);
        bool near = vertices > 0 && !in->wild;
        add_triangle(m, near ? (a & 127) % vertices : a, near ? (b & 127) % vertices : b, near ? (c & 127) % vertices : c);
    }
}

/* A closed solid: a box whose corners may lie anywhere. */
static void read_block(raw_mesh *m, bytes *in, double scale) {
    static const int8_t faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    abut_vec3 size = shapes_read_vec3(in, scale);
    int32_t moved = bytes_below(in, 4);
    for (int32_t v = 0; v < 8; v++) {
        m->vertices[m->vertex_count++] = abut_vec3_make(v & 1 ? size.x : -size.x, v & 2 ? size.y : -size.y, v & 4 ? size.z : -size.z);
    }
    for (int32_t k = 0; k < moved; k++) {
        m->vertices[bytes_below(in, 8)] = shapes_read_vec3(in, scale);
    }
    for (int32_t f = 0; f < 6; f++) {
        add_triangle(m, faces[f][0], faces[f][1], faces[f][2]);
        add_triangle(m, faces[f][0], faces[f][2], faces[f][3]);
    }
}

static void describe_mesh(const abut_trimesh_def *def) {
    fprintf(stderr, "  mesh scaled {%.17g, %.17g, %.17g}, at {%.17g, %.17g, %.17g} turned {%.17g, %.17g, %.17g, %.17g}, two-sided %d\n",
            def->scale.x, def->scale.y, def->scale.z, def->pose.position.x, def->pose.position.y, def->pose.position.z,
            def->pose.rotation.x, def->pose.rotation.y, def->pose.rotation.z, def->pose.rotation.w, def->two_sided);
    for (int32_t v = 0; v < def->vertex_count; v++) {
        fprintf(stderr, "    {%.17g, %.17g, %.17g},\n", def->vertices[v].x, def->vertices[v].y, def->vertices[v].z);
    }
    fprintf(stderr, "    triangles");
    for (int32_t c = 0; c < 3 * def->triangle_count; c++) {
        fprintf(stderr, "%s%d", c % 3 == 0 ? ", " : " ", (int)def->triangles[c]);
    }
    fputc('\n', stderr);
}

static void require_status(const char *how, abut_status status) {
    FUZZ_REQUIRE(status == ABUT_OK || status == ABUT_ERROR_INVALID_ARGUMENT || status == ABUT_ERROR_NOT_FINITE ||
                     status == ABUT_ERROR_DEGENERATE,
                 "%s: %s", how, abut_status_name(status));
}

static void check_report(const abut_trimesh_def *def, const abut_trimesh_report *r) {
    FUZZ_REQUIRE(r->degenerate_count >= 0 && r->degenerate_count <= def->triangle_count && r->first_degenerate < def->triangle_count &&
                     (r->first_degenerate >= 0) == (r->degenerate_count > 0),
                 "%d degenerate, the first %d", (int)r->degenerate_count, (int)r->first_degenerate);
    FUZZ_REQUIRE(r->open_edge_count >= 0 && r->open_edge_count <= 3 * def->triangle_count && r->first_open < def->triangle_count &&
                     (r->first_open >= 0) == (r->open_edge_count > 0) && !(r->closed && r->open_edge_count > 0),
                 "%d open, the first %d", (int)r->open_edge_count, (int)r->first_open);
    FUZZ_REQUIRE(r->repeated_count >= 0 && r->repeated_count < def->vertex_count && r->bytes > 0, "%d repeated", (int)r->repeated_count);
}

static abut_shape *make_mesh(raw_mesh *m, bytes *in, double scale, uint8_t how) {
    abut_trimesh_def def = abut_trimesh_def_default();
    def.vertices = m->vertices;
    def.vertex_count = m->vertex_count;
    def.triangles = m->triangles;
    def.triangle_count = m->triangle_count;
    def.two_sided = (how & 0x10) != 0;
    if (how & 0x20) {
        def.scale = shapes_read_vec3(in, 1.0);
    }
    if (how & 0x40) {
        def.pose = shapes_read_pose(in, scale);
    }
    if (fuzz_describes()) {
        describe_mesh(&def);
    }
    abut_shape *shape = NULL;
    abut_trimesh_report report;
    abut_status status = abut_shape_create_trimesh(&def, &report, &shape);
    require_status("trimesh", status);
    FUZZ_REQUIRE((status == ABUT_OK) == (shape != NULL), "%s", abut_status_name(status));
    if (shape != NULL) {
        check_report(&def, &report);
    }
    return shape;
}

static abut_shape *read_field(raw_mesh *m, bytes *in, double scale, uint8_t how) {
    abut_heightfield_def def = {.heights = m->heights, .two_sided = (how & 0x10) != 0};
    def.columns = 2 + bytes_below(in, 6);
    def.rows = 2 + bytes_below(in, 6);
    def.spacing_x = scale * bytes_number(in);
    def.spacing_y = how & 0x20 ? scale * bytes_number(in) : def.spacing_x;
    int32_t raised = bytes_below(in, 16);
    for (int32_t k = 0; k < raised; k++) {
        m->heights[bytes_below(in, def.columns * def.rows)] = scale * bytes_number(in);
    }
    if (fuzz_describes()) {
        fprintf(stderr, "  height field %d by %d, spacing %.17g, %.17g, two-sided %d\n   ", (int)def.columns, (int)def.rows, def.spacing_x,
                def.spacing_y, def.two_sided);
        for (int32_t i = 0; i < def.columns * def.rows; i++) {
            fprintf(stderr, " %.17g,", def.heights[i]);
        }
        fputc('\n', stderr);
    }
    abut_shape *shape = NULL;
    abut_status status = abut_shape_create_heightfield(&def, &shape);
    require_status("height field", status);
    FUZZ_REQUIRE((status == ABUT_OK) == (shape != NULL), "%s", abut_status_name(status));
    return shape;
}

/* Within the rounding error of a centre and a half size. */
static bool is_in(abut_aabb box, abut_vec3 p) {
    abut_vec3 far = abut_vec3_make(fmax(fabs(box.lower.x), fabs(box.upper.x)), fmax(fabs(box.lower.y), fabs(box.upper.y)),
                                   fmax(fabs(box.lower.z), fabs(box.upper.z)));
    double slack = 4.0 * DBL_EPSILON * fmax(far.x, fmax(far.y, far.z)) + DBL_MIN;
    return p.x >= box.lower.x - slack && p.x <= box.upper.x + slack && p.y >= box.lower.y - slack && p.y <= box.upper.y + slack &&
           p.z >= box.lower.z - slack && p.z <= box.upper.z + slack;
}

void mesh_question_check_mesh(const abut_shape *mesh) {
    abut_aabb bounds = abut_shape_bounds(mesh, abut_pose_identity());
    for (int32_t t = 0; t < abut_shape_triangle_count(mesh); t++) {
        abut_triangle triangle;
        FUZZ_REQUIRE(abut_shape_triangle(mesh, t, &triangle) == ABUT_OK, "triangle %d", (int)t);
        for (int i = 0; i < 3; i++) {
            abut_vec3 p = triangle.corner[i];
            FUZZ_REQUIRE(is_in(bounds, p), "corner %d of triangle %d at (%g, %g, %g)", i, (int)t, p.x, p.y, p.z);
            FUZZ_REQUIRE(triangle.vertex[i] >= 0 && triangle.vertex[i] < abut_shape_vertex_count(mesh), "triangle %d", (int)t);
        }
    }
    abut_mass mass;
    abut_status status = abut_shape_mass(mesh, 1.0, &mass);
    FUZZ_REQUIRE(status == ABUT_OK || status == ABUT_ERROR_NOT_CLOSED || status == ABUT_ERROR_INVALID_ARGUMENT, "%s",
                 abut_status_name(status));
    FUZZ_REQUIRE(status != ABUT_OK || (mass.volume > 0.0 && isfinite(mass.volume) && abut_vec3_is_finite(mass.centre)), "volume %g",
                 mass.volume);
}

abut_shape *mesh_question_read_mesh(bytes *in, double scale, bool *two_sided) {
    raw_mesh m = {.vertex_count = 0};
    uint8_t how = bytes_byte(in);
    *two_sided = (how & 0x10) != 0;
    switch (how % 4) {
    case 0:
        return read_field(&m, in, scale, how);
    case 1:
        read_sheet(&m, in, scale);
        break;
    case 2:
        read_soup(&m, in, scale);
        break;
    default:
        read_block(&m, in, scale);
    }
    return make_mesh(&m, in, scale, how);
}

/* ---- the question ---- */

/* The shape is placed near a triangle of the mesh, on a corner or on the middle of an edge, and lifted a little. */
static void put_on_mesh(bytes *in, mesh_question *q) {
    abut_triangle triangle;
    uint8_t which = bytes_byte(in);
    abut_shape_triangle(q->mesh, bytes_byte(in) % abut_shape_triangle_count(q->mesh), &triangle);
    abut_vec3 place = abut_lerp(triangle.corner[which % 3], triangle.corner[(which + 1) % 3], which & 4 ? 0.5 : 0.0);
    abut_aabb bounds = abut_shape_bounds(q->shape, (abut_pose){{0, 0, 0}, q->pose.rotation});
    double low = isfinite(bounds.lower.z) ? bounds.lower.z : 0.0, step = bytes_number(in) * pow(10.0, -bytes_below(in, 18));
    abut_vec3 world = abut_pose_apply(q->mesh_pose, place);
    world.z -= low - step * fabs(low);
    if (abut_vec3_is_finite(world)) {
        q->pose.position = world;
    }
}

static void read_settings(bytes *in, double scale, abut_collide_settings *s) {
    uint8_t which = bytes_byte(in);
    *s = abut_collide_settings_default();
    s->normal = which & 1 ? ABUT_NORMAL_MINIMUM : ABUT_NORMAL_GROWTH;
    if (which & 2) {
        s->margin = scale * fmin(fabs(bytes_number(in)), 1e3); /* the rounding error grows with it */
    }
    if (which & 4) {
        s->feature_angle = fmin(fabs(bytes_number(in)), 0.78539816339744831);
    }
    if (which & 8) {
        s->previous_normal = shapes_read_vec3(in, 1.0);
    }
    if (which >= 128) {
        /* The rules with normals of their own only serve for pictures of their faults: their gaps are not those of their points. */
        static const abut_mesh_rule rules[] = {ABUT_MESH_SURFACE, ABUT_MESH_PUBLISHED, ABUT_MESH_CLOSEST_POINTS, ABUT_MESH_THREE_PASSES,
                                               (abut_mesh_rule)7};
        s->baseline.mesh_rule = rules[bytes_below(in, 5)];
        s->baseline.mesh_identity = (abut_mesh_identity)bytes_below(in, 4);
    }
}

static void describe_pose(const char *name, abut_pose pose) {
    fprintf(stderr, "  %s at {%.17g, %.17g, %.17g} turned {%.17g, %.17g, %.17g, %.17g}\n", name, pose.position.x, pose.position.y,
            pose.position.z, pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.rotation.w);
}

static void describe(const mesh_question *q) {
    const abut_collide_settings *s = &q->settings;
    describe_pose("mesh", q->mesh_pose);
    describe_pose("second mesh", q->other_pose);
    describe_pose("shape", q->pose);
    fprintf(stderr, "  margin %.17g, feature angle %.17g, normal %d, previous {%.17g, %.17g, %.17g}, rule %d, identity %d\n", s->margin,
            s->feature_angle, (int)s->normal, s->previous_normal.x, s->previous_normal.y, s->previous_normal.z, (int)s->baseline.mesh_rule,
            (int)s->baseline.mesh_identity);
}

mesh_question mesh_question_read(bytes *in, double *scale) {
    mesh_question q = {.mesh = NULL};
    uint8_t how = bytes_byte(in);
    in->wild = (how & 7) == 7;
    *scale = (how & 0x18) == 0x18 ? pow(10.0, bytes_below(in, 120) - 60) : 1.0;
    read_settings(in, *scale, &q.settings);
    q.mesh = mesh_question_read_mesh(in, *scale, &q.two_sided);
    q.shape = shapes_read(in, *scale);
    q.mesh_pose = how & 0x20 ? shapes_read_pose(in, *scale) : abut_pose_identity();
    q.pose = shapes_read_pose(in, *scale);
    q.other_pose = how & 0x40 ? shapes_read_pose(in, *scale) : q.mesh_pose;
    if ((how & 0x80) != 0 && q.mesh != NULL && q.shape != NULL) {
        put_on_mesh(in, &q);
    }
    if (fuzz_describes()) {
        describe(&q);
    }
    return q;
}

/* Whether there are triangles with so small a height that rounding changes them. Triangles with zero height are well defined: they are their longest sides. */
bool mesh_question_has_needles(const mesh_question *q, double sizes) {
    for (int32_t t = 0; t < abut_shape_triangle_count(q->mesh); t++) {
        abut_triangle triangle;
        abut_shape_triangle(q->mesh, t, &triangle);
        abut_vec3 p = abut_sub(triangle.corner[1], triangle.corner[0]), r = abut_sub(triangle.corner[2], triangle.corner[0]);
        double longest = fmax(abut_length(abut_sub(r, p)), fmax(abut_length(p), abut_length(r)));
        double height = longest > 0.0 ? abut_length(abut_cross(p, r)) / longest : 0.0;
        if (height > 0.0 && height < 1e-6 * sizes) {
            return true;
        }
    }
    return false;
}
