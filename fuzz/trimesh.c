/*
 * Any small mesh, or height field, and a shape of any kind, anywhere: making the mesh, contacts with it, from both sides and of two meshes
 * at once, and rays must answer with documented statuses, and every answer must hold to what the headers say of it.
 */
#include <abut/collide.h>
#include <abut/mesh.h>
#include <abut/query.h>
#include <float.h>

#include "answer.h"
#include "shapes.h"
#include "target.h"

enum { MOST_VERTICES = 64, MOST_TRIANGLES = 64, MOST_CONTACTS = 1 << 14, MOST_OF_SHAPE = 150 };

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

/* A sheet of cells, flat but for some of its corners, in which two neighbours may share places instead of indices. */
static void read_sheet(raw_mesh *m, bytes *in, double scale) {
    int32_t columns = 2 + bytes_below(in, 4), rows = 2 + bytes_below(in, 4), raised = bytes_below(in, 8);
    double step = scale * bytes_number(in);
    for (int32_t j = 0; j < rows; j++) {
        for (int32_t i = 0; i < columns; i++) {
            m->vertices[m->vertex_count++] = abut_make_vec3(step * i, step * j, 0.0);
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

/* Any points, any indices. */
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
        m->vertices[m->vertex_count++] = abut_make_vec3(v & 1 ? size.x : -size.x, v & 2 ? size.y : -size.y, v & 4 ? size.z : -size.z);
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
    abut_status status = abut_create_trimesh(&def, &report, &shape);
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
    abut_status status = abut_create_heightfield(&def, &shape);
    require_status("height field", status);
    FUZZ_REQUIRE((status == ABUT_OK) == (shape != NULL), "%s", abut_status_name(status));
    return shape;
}

/* To the rounding of a middle and a half size. */
static bool is_in(abut_aabb box, abut_vec3 p) {
    abut_vec3 far = abut_make_vec3(fmax(fabs(box.lower.x), fabs(box.upper.x)), fmax(fabs(box.lower.y), fabs(box.upper.y)),
                                   fmax(fabs(box.lower.z), fabs(box.upper.z)));
    double slack = 4.0 * DBL_EPSILON * fmax(far.x, fmax(far.y, far.z)) + DBL_MIN;
    return p.x >= box.lower.x - slack && p.x <= box.upper.x + slack && p.y >= box.lower.y - slack && p.y <= box.upper.y + slack &&
           p.z >= box.lower.z - slack && p.z <= box.upper.z + slack;
}

static void check_mesh(const abut_shape *mesh) {
    abut_aabb bounds = abut_shape_bounds(mesh, abut_identity_pose());
    for (int32_t t = 0; t < abut_shape_triangle_count(mesh); t++) {
        abut_triangle triangle;
        FUZZ_REQUIRE(abut_shape_triangle(mesh, t, &triangle) == ABUT_OK, "triangle %d", (int)t);
        for (int i = 0; i < 3; i++) {
            abut_vec3 p = triangle.corner[i];
            FUZZ_REQUIRE(is_in(bounds, p), "corner %d of triangle %d at (%g, %g, %g)", i, (int)t, p.x, p.y, p.z);
            FUZZ_REQUIRE(triangle.vertex[i] >= 0 && triangle.vertex[i] < abut_shape_mesh_vertex_count(mesh), "triangle %d", (int)t);
        }
    }
    abut_mass mass;
    abut_status status = abut_shape_mass(mesh, 1.0, &mass);
    FUZZ_REQUIRE(status == ABUT_OK || status == ABUT_ERROR_NOT_CLOSED || status == ABUT_ERROR_INVALID_ARGUMENT, "%s",
                 abut_status_name(status));
    FUZZ_REQUIRE(status != ABUT_OK || (mass.volume > 0.0 && isfinite(mass.volume) && abut_is_finite_vec3(mass.centre)), "volume %g",
                 mass.volume);
}

static abut_shape *read_mesh(bytes *in, double scale) {
    raw_mesh m = {.vertex_count = 0};
    uint8_t how = bytes_byte(in);
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

typedef struct question {
    abut_shape *mesh, *shape;
    abut_pose mesh_pose, pose, other_pose; /* the last one of a second mesh */
    abut_collide_settings settings;
} question;

/* The shape put near a triangle of the mesh: on a corner or an edge's middle, lifted a little. */
static void put_on_mesh(bytes *in, question *q) {
    abut_triangle triangle;
    uint8_t which = bytes_byte(in);
    abut_shape_triangle(q->mesh, bytes_byte(in) % abut_shape_triangle_count(q->mesh), &triangle);
    abut_vec3 place = abut_lerp(triangle.corner[which % 3], triangle.corner[(which + 1) % 3], which & 4 ? 0.5 : 0.0);
    abut_aabb bounds = abut_shape_bounds(q->shape, (abut_pose){{0, 0, 0}, q->pose.rotation});
    double low = isfinite(bounds.lower.z) ? bounds.lower.z : 0.0, step = bytes_number(in) * pow(10.0, -bytes_below(in, 18));
    abut_vec3 world = abut_transform(q->mesh_pose, place);
    world.z -= low - step * fabs(low);
    if (abut_is_finite_vec3(world)) {
        q->pose.position = world;
    }
}

static void read_settings(bytes *in, double scale, abut_collide_settings *s) {
    uint8_t which = bytes_byte(in);
    *s = abut_collide_settings_default();
    s->normal = which & 1 ? ABUT_NORMAL_MINIMUM : ABUT_NORMAL_GROWTH;
    if (which & 2) {
        s->margin = scale * fmin(fabs(bytes_number(in)), 1e3); /* what counts as rounding grows with it */
    }
    if (which & 4) {
        s->feature_angle = fmin(fabs(bytes_number(in)), 0.78539816339744831);
    }
    if (which & 8) {
        s->previous_normal = shapes_read_vec3(in, 1.0);
    }
    if (which >= 128) {
        /* Triangles' normals are for pictures of what goes wrong with them: their gaps are not those of their points. */
        static const abut_mesh_rule rules[] = {ABUT_MESH_SURFACE, ABUT_MESH_PUBLISHED, ABUT_MESH_CLOSEST_POINTS, (abut_mesh_rule)7};
        s->mesh_rule = rules[bytes_below(in, 4)];
        s->mesh_identity = (abut_mesh_identity)bytes_below(in, 4);
    }
}

static question read_question(bytes *in, double *scale) {
    question q = {.mesh = NULL};
    uint8_t how = bytes_byte(in);
    in->wild = (how & 7) == 7;
    *scale = (how & 0x18) == 0x18 ? pow(10.0, bytes_below(in, 120) - 60) : 1.0;
    read_settings(in, *scale, &q.settings);
    q.mesh = read_mesh(in, *scale);
    q.shape = shapes_read(in, *scale);
    q.mesh_pose = how & 0x20 ? shapes_read_pose(in, *scale) : abut_identity_pose();
    q.pose = shapes_read_pose(in, *scale);
    q.other_pose = how & 0x40 ? shapes_read_pose(in, *scale) : q.mesh_pose;
    if ((how & 0x80) != 0 && q.mesh != NULL && q.shape != NULL) {
        put_on_mesh(in, &q);
    }
    return q;
}

static void describe_pose(const char *name, abut_pose pose) {
    fprintf(stderr, "  %s at {%.17g, %.17g, %.17g} turned {%.17g, %.17g, %.17g, %.17g}\n", name, pose.position.x, pose.position.y,
            pose.position.z, pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.rotation.w);
}

static void describe(const question *q) {
    const abut_collide_settings *s = &q->settings;
    describe_pose("mesh", q->mesh_pose);
    describe_pose("second mesh", q->other_pose);
    describe_pose("shape", q->pose);
    fprintf(stderr, "  margin %.17g, feature angle %.17g, normal %d, previous {%.17g, %.17g, %.17g}, rule %d, identity %d\n", s->margin,
            s->feature_angle, (int)s->normal, s->previous_normal.x, s->previous_normal.y, s->previous_normal.z, (int)s->mesh_rule,
            (int)s->mesh_identity);
}

/* ---- contacts ---- */

static void require_collide(abut_status status, int32_t count, int32_t capacity) {
    FUZZ_REQUIRE(status == ABUT_OK || status == ABUT_ERROR_CAPACITY || status == ABUT_ERROR_INVALID_ARGUMENT ||
                     status == ABUT_ERROR_NOT_FINITE || status == ABUT_ERROR_UNSUPPORTED_PAIR,
                 "%s", abut_status_name(status));
    FUZZ_REQUIRE(count >= 0 && (status == ABUT_OK || status == ABUT_ERROR_CAPACITY || count == 0), "%s, count %d", abut_status_name(status),
                 (int)count);
    FUZZ_REQUIRE((status == ABUT_ERROR_CAPACITY) == (count > capacity), "%s, count %d", abut_status_name(status), (int)count);
}

static abut_status ask(const question *q, bool mesh_first, abut_cache *cache, abut_contact *contacts, int32_t capacity, int32_t *count) {
    const abut_shape *a = mesh_first ? q->mesh : q->shape, *b = mesh_first ? q->shape : q->mesh;
    abut_pose pose_a = mesh_first ? q->mesh_pose : q->pose, pose_b = mesh_first ? q->pose : q->mesh_pose;
    *count = -7;
    abut_status status = abut_collide(a, pose_a, b, pose_b, &q->settings, cache, contacts, capacity, count);
    require_collide(status, *count, capacity);
    return status;
}

static void require_same(const char *how, const abut_contact *p, const abut_contact *q, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        FUZZ_REQUIRE(memcmp(&p[i], &q[i], sizeof *p) == 0, "%s: contact %d of %d differs, gap %.17g and %.17g", how, (int)i, (int)count,
                     p[i].gap, q[i].gap);
    }
}

static void check_again(const question *q, bool mesh_first, const abut_contact *expected, int32_t count, abut_contact *room) {
    abut_cache cache = {.axis = {0, 0, 0}};
    int32_t found;
    for (int turn = 0; turn < 2; turn++) {
        ask(q, mesh_first, &cache, room, MOST_CONTACTS, &found);
        FUZZ_REQUIRE(found == count, "%d contacts, again %d", (int)count, (int)found);
        require_same("again", room, expected, count);
    }
    ask(q, mesh_first, NULL, room, count / 2, &found);
    FUZZ_REQUIRE(found == count, "%d contacts, with less room %d", (int)count, (int)found);
    require_same("less room", room, expected, count / 2);
}

/* Triangles with hardly a height, of which a rounding makes others. Those without any are well defined: they are their longest sides. */
static bool has_needles(const question *q, double sizes) {
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

static placed_pair place(const question *q, bool mesh_first) {
    return mesh_first ? answer_place(q->mesh, q->mesh_pose, q->shape, q->pose) : answer_place(q->shape, q->pose, q->mesh, q->mesh_pose);
}

static void check_numbers(const abut_contact *contacts, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        const abut_contact *c = &contacts[i];
        FUZZ_REQUIRE(abut_is_finite_vec3(c->on_a) && abut_is_finite_vec3(c->on_b) && isfinite(c->gap) && isfinite(c->area), "gap %g",
                     c->gap);
        FUZZ_REQUIRE(fabs(abut_length(c->normal) - 1.0) <= 1e-14, "length of the normal %.17g", abut_length(c->normal));
    }
}

static void check_contacts(const question *q, bool mesh_first, abut_contact *contacts, abut_contact *room, int32_t *count) {
    abut_status status = ask(q, mesh_first, NULL, contacts, MOST_CONTACTS, count);
    if (status != ABUT_OK) {
        *count = 0;
        return;
    }
    check_again(q, mesh_first, contacts, *count, room);
    placed_pair pair = place(q, mesh_first);
    check_numbers(contacts, *count);
    if (!has_needles(q, pair.sizes)) {
        answer_check(&pair, &q->settings, contacts, *count);
    }
}

/* Whether the shape's origin lies in the plane of a triangle, so that a rounding decides whether it is seen from behind. */
static bool sees_edge_on(const question *q, double near) {
    abut_vec3 centre = abut_transform_inverse(q->mesh_pose, q->pose.position);
    for (int32_t t = 0; t < abut_shape_triangle_count(q->mesh); t++) {
        abut_triangle triangle;
        abut_shape_triangle(q->mesh, t, &triangle);
        const abut_vec3 *corner = triangle.corner;
        abut_vec3 normal = abut_unit(abut_cross(abut_sub(corner[1], corner[0]), abut_sub(corner[2], corner[0])));
        if (fabs(abut_dot(normal, abut_sub(centre, corner[0]))) <= near) {
            return true;
        }
    }
    return false;
}

/* From both sides. Which of the patches of a body with corners are found may depend on the side; what a ball touches may not. */
static void check_both_sides(const question *q, abut_contact *contacts, abut_contact *room) {
    static abut_contact swapped[MOST_CONTACTS];
    int32_t count, other;
    check_contacts(q, true, contacts, room, &count);
    question turned = *q;
    turned.settings.previous_normal = abut_neg(q->settings.previous_normal);
    check_contacts(&turned, false, swapped, room, &other);
    placed_pair pair = place(q, true);
    if (pair.coarse || has_needles(q, pair.sizes) || abut_shape_get_kind(q->shape) != ABUT_SHAPE_SPHERE) {
        return;
    }
    double gap = answer_deepest(contacts, count), back = answer_deepest(swapped, other), slack = 1e-9 * pair.sizes + 32.0 * pair.rounding;
    if (sees_edge_on(q, 1e-6 * pair.sizes + 16.0 * pair.rounding)) {
        return;
    }
    if ((count == 0) != (other == 0)) {
        FUZZ_REQUIRE(fabs(fmin(gap, back) - q->settings.margin) <= 1e-6 * pair.sizes + 16.0 * pair.rounding,
                     "%d contacts, swapped %d, gap %.17g", (int)count, (int)other, fmin(gap, back));
    } else if (count > 0) {
        FUZZ_REQUIRE(fabs(gap - back) <= slack, "gap %.17g, swapped %.17g, allowed %g", gap, back, slack);
    }
}

/* Two meshes at once; the parts of the features on B say which. */
static void check_several(const question *q, abut_contact *contacts) {
    const abut_part meshes[2] = {{q->mesh, q->mesh_pose}, {q->mesh, q->other_pose}};
    int32_t count = -7;
    abut_status status = abut_collide_meshes(q->shape, q->pose, meshes, 2, &q->settings, contacts, MOST_CONTACTS, &count);
    require_collide(status, count, MOST_CONTACTS);
    check_numbers(contacts, status == ABUT_OK ? count : 0);
    for (int32_t i = 0; i < count && status == ABUT_OK; i++) {
        FUZZ_REQUIRE(contacts[i].feature_b.part == 0 || contacts[i].feature_b.part == 1, "part %d", (int)contacts[i].feature_b.part);
    }
}

/* ---- rays ---- */

static void check_ray(const question *q, bytes *in, double scale) {
    abut_vec3 origin = shapes_read_vec3(in, scale), way = shapes_read_vec3(in, scale);
    abut_hit hit;
    abut_status status = abut_ray_cast(q->mesh, q->mesh_pose, origin, way, &hit);
    FUZZ_REQUIRE(status == ABUT_OK || status == ABUT_ERROR_INVALID_ARGUMENT || status == ABUT_ERROR_NOT_FINITE, "%s",
                 abut_status_name(status));
    if (status == ABUT_OK) {
        FUZZ_REQUIRE(hit.fraction >= 0.0 && hit.fraction <= 1.0 && abut_is_finite_vec3(hit.point), "fraction %.17g", hit.fraction);
        FUZZ_REQUIRE(!hit.hit || fabs(abut_length(hit.normal) - 1.0) <= 1e-14, "length of the normal %.17g", abut_length(hit.normal));
    }
}

/* ---- one input ---- */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static abut_contact contacts[MOST_CONTACTS], room[MOST_CONTACTS];
    bytes in = bytes_make(data, size);
    double scale;
    question q = read_question(&in, &scale);
    if (fuzz_describes()) {
        describe(&q);
    }
    if (q.mesh != NULL) {
        check_mesh(q.mesh);
        check_ray(&q, &in, scale);
    }
    if (q.mesh != NULL && q.shape != NULL && shapes_vertex_count(q.shape) <= MOST_OF_SHAPE) {
        check_both_sides(&q, contacts, room);
        check_several(&q, contacts);
    }
    abut_shape_release(q.mesh);
    abut_shape_release(q.shape);
    return 0;
}
