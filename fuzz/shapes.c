#include "shapes.h"

#include <abut/smooth.h>

#include "target.h"

enum { MOST_VERTICES = 96, MOST_FACES = 96, MOST_CORNERS = 512, MOST_POINTS = 800, MOST_PARTS = 27, MOST_IN_COMPOUND = 300 };

/* ---- statuses that are allowed ---- */

#define BIT(status) (1u << (status))
static const uint32_t usual = BIT(ABUT_OK) | BIT(ABUT_ERROR_INVALID_ARGUMENT) | BIT(ABUT_ERROR_NOT_FINITE) | BIT(ABUT_ERROR_OUT_OF_MEMORY);

/* The shape, or NULL. On an error the output must be unchanged. */
static abut_shape *made(const char *how, abut_status status, uint32_t documented, abut_shape *shape, abut_shape *untouched) {
    FUZZ_REQUIRE((unsigned)status < 32 && (BIT(status) & documented) != 0, "%s: %s", how, abut_status_name(status));
    FUZZ_REQUIRE((status == ABUT_OK) == (shape != untouched), "%s: %s", how, abut_status_name(status));
    return status == ABUT_OK ? shape : NULL;
}

/* A pointer that marks "nothing was written"; it is never dereferenced. */
static abut_shape *no_shape(void) {
    static max_align_t place;
    return (abut_shape *)(void *)&place;
}

/* ---- numbers ---- */

abut_vec3 shapes_read_vec3(bytes *in, double scale) {
    double x = bytes_number(in), y = bytes_number(in), z = bytes_number(in);
    return abut_vec3_make(scale * x, scale * y, scale * z);
}

static double read_size(bytes *in, double scale) {
    double x = bytes_number(in);
    return scale * (in->wild ? x : fabs(x));
}

/* A unit quaternion, or rarely an invalid one. */
static abut_quat read_rotation(bytes *in) {
    static const double half = 0.70710678118654752;
    uint8_t kind = bytes_byte(in);
    int axis = kind / 8 % 3;
    abut_vec3 about = abut_vec3_make(axis == 0, axis == 1, axis == 2);
    switch (kind % 8) {
    case 0:
    case 1:
        return abut_quat_identity();
    case 2:
        return abut_quat_make(half * about.x, half * about.y, half * about.z, half);
    case 3:
        return abut_quat_about(about, bytes_number(in));
    case 4:
        return abut_quat_about(about, bytes_small(in));
    case 5: {
        double first = bytes_number(in), second = bytes_number(in);
        return abut_quat_mul(abut_quat_about(about, second), abut_quat_about(abut_vec3_make(0, 0, 1), first));
    }
    default: {
        double x = bytes_number(in), y = bytes_number(in), z = bytes_number(in), w = bytes_number(in);
        abut_quat q = abut_quat_make(x, y, z, w);
        return kind == 255 ? q : abut_quat_unit(q);
    }
    }
}

abut_pose shapes_read_pose(bytes *in, double scale) {
    abut_pose pose = {.rotation = read_rotation(in)};
    pose.position = shapes_read_vec3(in, scale);
    return pose;
}

/* ---- promises of every shape ---- */

static void check_surface(const abut_polytope_view *view, abut_aabb bounds) {
    FUZZ_REQUIRE(view->edge_count == view->vertex_count + view->face_count - 2, "%d edges", (int)view->edge_count);
    for (int32_t v = 0; v < view->vertex_count; v++) {
        abut_vec3 p = view->vertices[v];
        FUZZ_REQUIRE(p.x >= bounds.lower.x && p.x <= bounds.upper.x && p.y >= bounds.lower.y && p.y <= bounds.upper.y &&
                         p.z >= bounds.lower.z && p.z <= bounds.upper.z,
                     "vertex %d at (%g, %g, %g) is out of bounds", (int)v, p.x, p.y, p.z);
    }
    for (int32_t f = 0; f < view->face_count; f++) {
        FUZZ_REQUIRE(view->face_first[f + 1] - view->face_first[f] >= 3, "face %d", (int)f);
        FUZZ_REQUIRE(fabs(abut_length(view->face_normals[f]) - 1.0) <= 1e-12, "face %d: length %.17g", (int)f,
                     abut_length(view->face_normals[f]));
    }
    for (int32_t c = 0; c < view->face_first[view->face_count]; c++) {
        FUZZ_REQUIRE(view->face_vertices[c] >= 0 && view->face_vertices[c] < view->vertex_count, "corner %d", (int)c);
    }
}

static void check_shape(const abut_shape *shape) {
    abut_mass mass;
    abut_status status = abut_shape_mass(shape, 1.0, &mass);
    if (abut_shape_kind(shape) == ABUT_SHAPE_PLANE) {
        FUZZ_REQUIRE(status == ABUT_ERROR_UNBOUNDED, "%s", abut_status_name(status));
        return;
    }
    FUZZ_REQUIRE(status == ABUT_OK && mass.mass > 0.0 && isfinite(mass.mass) && abut_vec3_is_finite(mass.centre) &&
                     mass.inertia.x.x > 0.0 && mass.inertia.y.y > 0.0 && mass.inertia.z.z > 0.0,
                 "%s, mass %g", abut_status_name(status), mass.mass);
    abut_aabb bounds = abut_shape_bounds(shape, abut_pose_identity());
    FUZZ_REQUIRE(abut_vec3_is_finite(bounds.lower) && abut_vec3_is_finite(bounds.upper) && bounds.lower.x <= bounds.upper.x &&
                     bounds.lower.y <= bounds.upper.y && bounds.lower.z <= bounds.upper.z,
                 "x from %g to %g", bounds.lower.x, bounds.upper.x);
    abut_polytope_view view;
    if (abut_shape_polytope(shape, &view) == ABUT_OK) {
        check_surface(&view, bounds);
    }
}

/* ---- polytopes from faces ---- */

typedef struct raw_solid {
    abut_vec3 vertices[MOST_VERTICES];
    int32_t sizes[MOST_FACES], corners[MOST_CORNERS];
    int32_t vertex_count, face_count, corner_count;
} raw_solid;

/* Splits the face into triangles on request; the library must then merge coplanar neighbours. */
static void add_face(raw_solid *s, const int32_t *loop, int32_t size, bool split) {
    int32_t pieces = split ? size - 2 : 1;
    for (int32_t i = 0; i < pieces && s->face_count < MOST_FACES; i++) {
        int32_t triangle[3] = {loop[0], loop[split ? i + 1 : 1], loop[split ? i + 2 : 2]};
        const int32_t *face = split ? triangle : loop;
        s->sizes[s->face_count++] = split ? 3 : size;
        for (int32_t k = 0; k < (split ? 3 : size) && s->corner_count < MOST_CORNERS; k++) {
            s->corners[s->corner_count++] = face[k];
        }
    }
}

static void add_ring(raw_solid *s, int32_t sides, abut_vec3 size, double z) {
    for (int32_t i = 0; i < sides; i++) {
        double angle = 6.2831853071795865 * i / sides;
        double x = sides == 4 ? (i == 0 || i == 3 ? 1.0 : -1.0) : cos(angle), y = sides == 4 ? (i < 2 ? 1.0 : -1.0) : sin(angle);
        s->vertices[s->vertex_count++] = abut_vec3_make(size.x * x, size.y * y, z);
    }
}

/* A prism, or a pyramid or double pyramid over the ring. */
static void add_solid(raw_solid *s, int32_t sides, int kind, abut_vec3 size, bool split) {
    int32_t base[16], top[16];
    add_ring(s, sides, size, kind == 0 ? -size.z : 0.0);
    for (int32_t i = 0; i < sides; i++) {
        base[sides - 1 - i] = i;
        top[i] = sides + i;
    }
    if (kind == 0) {
        add_ring(s, sides, size, size.z);
        add_face(s, top, sides, split);
    } else {
        s->vertices[s->vertex_count++] = abut_vec3_make(0.0, 0.0, size.z);
        s->vertices[s->vertex_count++] = abut_vec3_make(0.0, 0.0, -size.z);
    }
    if (kind < 2) {
        add_face(s, base, sides, split);
    }
    for (int32_t i = 0; i < sides; i++) {
        int32_t j = (i + 1) % sides;
        int32_t quad[4] = {i, j, sides + j, sides + i}, up[3] = {i, j, sides}, down[3] = {j, i, sides + 1};
        add_face(s, kind == 0 ? quad : up, kind == 0 ? 4 : 3, split);
        if (kind == 2) {
            add_face(s, down, 3, split);
        }
    }
}

/* Makes one change to the solid that may damage it. */
static void damage(raw_solid *s, bytes *in, double scale) {
    uint8_t what = bytes_byte(in);
    int32_t at = bytes_below(in, 256);
    if (what < 128) {
        abut_vec3 *v = &s->vertices[at % s->vertex_count];
        double x = bytes_small(in);
        *v = abut_add(*v, abut_vec3_make(what & 1 ? scale * x : 0.0, what & 2 ? scale * x : 0.0, what & 4 ? scale * x : 0.0));
    } else if (what < 176) {
        s->vertices[at % s->vertex_count] = s->vertices[what % s->vertex_count];
    } else if (what < 208) {
        s->corners[at % s->corner_count] = s->corners[what % s->corner_count];
    } else if (what < 224) {
        s->corners[at % s->corner_count] = (int8_t)bytes_byte(in);
    } else if (what < 232) {
        s->face_count -= s->face_count > 0;
    } else if (what < 236) {
        s->sizes[at % MOST_FACES] = bytes_below(in, 8) - 1;
    }
}

/* The face sizes must not exceed the number of corners: the library cannot know the length of the caller's array. */
static int32_t faces_that_fit(const raw_solid *s) {
    int64_t used = 0;
    for (int32_t f = 0; f < s->face_count; f++) {
        used += s->sizes[f] > 0 ? s->sizes[f] : 0;
        if (used > MOST_CORNERS) {
            return f;
        }
    }
    return s->face_count;
}

static void describe_raw(const raw_solid *s, double tolerance) {
    fprintf(stderr, "  polytope of tolerance %.17g from\n", tolerance);
    for (int32_t v = 0; v < s->vertex_count; v++) {
        fprintf(stderr, "    {%.17g, %.17g, %.17g},\n", s->vertices[v].x, s->vertices[v].y, s->vertices[v].z);
    }
    fprintf(stderr, "    sizes");
    for (int32_t f = 0; f < s->face_count; f++) {
        fprintf(stderr, " %d", (int)s->sizes[f]);
    }
    fprintf(stderr, "\n    corners");
    for (int32_t c = 0; c < s->corner_count; c++) {
        fprintf(stderr, " %d", (int)s->corners[c]);
    }
    fputc('\n', stderr);
}

static abut_shape *read_polytope(bytes *in, double scale) {
    raw_solid s = {.vertex_count = 0};
    uint8_t kind = bytes_byte(in);
    int32_t sides = 3 + kind / 8 % 10, damages = bytes_below(in, 5);
    abut_vec3 size = shapes_read_vec3(in, scale);
    size = in->wild ? size : abut_vec3_make(fabs(size.x), fabs(size.y), fabs(size.z));
    add_solid(&s, sides, kind % 3, size, (kind & 4) != 0);
    for (int32_t i = 0; i < damages; i++) {
        damage(&s, in, scale);
    }
    double tolerance = (kind & 128) != 0 ? bytes_number(in) : 0.0;
    abut_polytope_def def = {.vertices = s.vertices,
                             .vertex_count = s.vertex_count,
                             .face_sizes = s.sizes,
                             .face_count = faces_that_fit(&s),
                             .face_vertices = s.corners,
                             .tolerance = tolerance};
    if (fuzz_describes()) {
        describe_raw(&s, tolerance);
    }
    abut_polytope_report report = {.face = -7, .vertex = -7, .dent = -7.0};
    abut_shape *shape = no_shape();
    abut_status status = abut_shape_create_polytope(&def, &report, &shape);
    bool vertex = status == ABUT_ERROR_INVALID_ARGUMENT || (report.vertex >= -1 && report.vertex < def.vertex_count);
    FUZZ_REQUIRE(report.face >= -1 && report.face < def.face_count && vertex && report.dent >= 0.0, "report: face %d, vertex %d, dent %g",
                 (int)report.face, (int)report.vertex, report.dent);
    uint32_t documented =
        usual | BIT(ABUT_ERROR_NOT_CLOSED) | BIT(ABUT_ERROR_NOT_OUTWARD) | BIT(ABUT_ERROR_NOT_CONVEX) | BIT(ABUT_ERROR_DEGENERATE);
    shape = made("polytope", status, documented, shape, no_shape());
    if (tolerance > 1e-9 && shape != NULL) {
        /* The surface may be dented, so nothing is required of its contacts. */
        check_shape(shape);
        abut_shape_release(shape);
        return NULL;
    }
    return shape;
}

/* ---- hulls ---- */

/* Points on a sphere, in a cube, on a lattice or on a circle: many points from few bytes. */
static abut_vec3 cloud_point(uint32_t *seed, int kind, int32_t index) {
    double c[3];
    for (int i = 0; i < 3; i++) {
        *seed = *seed * 1664525u + 1013904223u;
        c[i] = ldexp((double)(*seed >> 8), -23) - 1.0;
    }
    abut_vec3 p = abut_vec3_make(c[0], c[1], c[2]);
    switch (kind) {
    case 0:
        return abut_unit(p);
    case 1:
        return p;
    case 2:
        return abut_vec3_make(index % 9, index / 9 % 9, index / 81 % 9);
    default:
        return abut_vec3_make(cos(p.x * 4.0), sin(p.x * 4.0), index & 1 ? 1.0 : -1.0);
    }
}

static abut_shape *read_hull(bytes *in, double scale) {
    static abut_vec3 points[MOST_POINTS];
    int32_t listed = bytes_below(in, 24), count = listed;
    for (int32_t i = 0; i < listed; i++) {
        points[i] = shapes_read_vec3(in, scale);
    }
    uint8_t cloud = bytes_byte(in);
    if (cloud >= 128) {
        uint32_t seed = bytes_byte(in);
        int32_t more = cloud >= 254 ? MOST_POINTS - listed : (cloud - 112) / 4;
        abut_vec3 size = shapes_read_vec3(in, scale), middle = shapes_read_vec3(in, scale);
        for (; count < listed + more; count++) {
            abut_vec3 p = cloud_point(&seed, cloud % 4, count);
            points[count] = abut_vec3_make(middle.x + size.x * p.x, middle.y + size.y * p.y, middle.z + size.z * p.z);
        }
    }
    abut_shape *shape = no_shape();
    abut_status status = abut_shape_create_hull(points, count, &shape);
    return made("hull", status, usual | BIT(ABUT_ERROR_DEGENERATE) | BIT(ABUT_ERROR_UNSUPPORTED), shape, no_shape());
}

/* ---- the other shapes ---- */

static int32_t read_sides(bytes *in) {
    static const int32_t seldom[] = {-1, 2, 4097, 64, 100, 128, 256, 511, 800};
    uint8_t choice = bytes_byte(in);
    return choice < 247 ? choice % 40 : seldom[choice % 9];
}

static abut_shape *read_prism(bytes *in, double scale, bool pyramid) {
    double radius = read_size(in, scale), height = read_size(in, scale);
    int32_t sides = read_sides(in);
    abut_shape *shape = no_shape();
    abut_status status =
        pyramid ? abut_shape_create_pyramid(radius, height, sides, &shape) : abut_shape_create_prism(radius, height, sides, &shape);
    return made(pyramid ? "pyramid" : "prism", status, usual, shape, no_shape());
}

static abut_shape *read_cylinder(bytes *in, double scale) {
    double radius = read_size(in, scale), height = read_size(in, scale);
    abut_shape *shape = no_shape();
    abut_status status = abut_shape_create_cylinder(radius, height, &shape);
    return made("cylinder", status, usual, shape, no_shape());
}

static abut_shape *read_cone(bytes *in, double scale, bool truncated) {
    double radius = read_size(in, scale), height = read_size(in, scale), top = truncated ? read_size(in, scale) : 0.0;
    abut_shape *shape = no_shape();
    abut_status status =
        truncated ? abut_shape_create_frustum(radius, top, height, &shape) : abut_shape_create_cone(radius, height, &shape);
    return made(truncated ? "frustum" : "cone", status, usual, shape, no_shape());
}

static abut_shape *read_round(bytes *in, double scale, bool capsule) {
    double radius = read_size(in, scale), half = capsule ? read_size(in, scale) : 0.0;
    abut_shape *shape = no_shape();
    abut_status status = capsule ? abut_shape_create_capsule(radius, half, &shape) : abut_shape_create_sphere(radius, &shape);
    return made(capsule ? "capsule" : "sphere", status, usual, shape, no_shape());
}

static abut_shape *read_box(bytes *in, double scale) {
    double x = read_size(in, scale), y = read_size(in, scale), z = read_size(in, scale);
    abut_shape *shape = no_shape();
    abut_status status = abut_shape_create_box(abut_vec3_make(x, y, z), &shape); /* created before the arguments that refer to its output */
    return made("box", status, usual, shape, no_shape());
}

static abut_shape *read_ellipsoid(bytes *in, double scale) {
    double x = read_size(in, scale), y = read_size(in, scale), z = read_size(in, scale);
    abut_shape *shape = no_shape();
    abut_status status = abut_shape_create_ellipsoid(abut_vec3_make(x, y, z), &shape);
    return made("ellipsoid", status, usual, shape, no_shape());
}

/* Even steps from the smallest to the largest exponent, with both ends and the middle; or any number. */
static double read_exponent(bytes *in) {
    uint8_t choice = bytes_byte(in);
    double from = ABUT_SUPERQUADRIC_LEAST_EXPONENT, to = ABUT_SUPERQUADRIC_LARGEST_EXPONENT;
    return choice <= 240 ? from + (to - from) * choice / 240.0 : bytes_number(in);
}

static abut_shape *read_superquadric(bytes *in, double scale) {
    double x = read_size(in, scale), y = read_size(in, scale), z = read_size(in, scale);
    double e1 = read_exponent(in), e2 = read_exponent(in);
    abut_shape *shape = no_shape();
    abut_status status = abut_shape_create_superquadric(abut_vec3_make(x, y, z), e1, e2, &shape);
    return made("superquadric", status, usual, shape, no_shape());
}

static abut_shape *read_plane(bytes *in, double scale) {
    abut_vec3 normal = shapes_read_vec3(in, 1.0);
    double offset = scale * bytes_number(in);
    abut_shape *shape = no_shape();
    abut_status status = abut_shape_create_plane(normal, offset, &shape);
    return made("plane", status, usual, shape, no_shape());
}

enum { CONVEX_KINDS = 9, CYLINDER = 20, CONE, FRUSTUM, CONTRACTED };

/* Cylinders, cones and shapes with a contraction point have bytes of their own, so that most inputs of before they existed mean the same. */
static int read_kind(bytes *in, int count) {
    uint8_t choice = bytes_byte(in);
    return choice >= 176 && choice < 184 ? CONTRACTED : choice >= 128 && choice < 176 ? CYLINDER + choice % 3 : choice % count;
}

static abut_shape *read_convex(bytes *in, double scale, int kind);

/* A convex shape with a contraction point, or without one where the point is not inside. */
static abut_shape *read_contracted(bytes *in, double scale) {
    abut_shape *plain = read_convex(in, scale, bytes_below(in, CONVEX_KINDS));
    if (plain == NULL) {
        return NULL;
    }
    abut_vec3 point = shapes_read_vec3(in, scale), kept = {0, 0, 0};
    abut_shape *shape = no_shape();
    abut_status status = abut_shape_create_with_contraction(plain, point, &shape);
    shape = made("abut_shape_create_with_contraction", status, usual, shape, no_shape());
    if (shape == NULL) {
        return plain;
    }
    abut_shape_release(plain);
    FUZZ_REQUIRE(abut_shape_contraction(shape, &kept) && kept.x == point.x && kept.y == point.y && kept.z == point.z, "another point");
    return shape;
}

static abut_shape *read_convex(bytes *in, double scale, int kind) {
    switch (kind) {
    case 0:
        return read_round(in, scale, false);
    case 1:
        return read_round(in, scale, true);
    case 2:
        return read_box(in, scale);
    case 3:
        return read_polytope(in, scale);
    case 4:
        return read_hull(in, scale);
    case 7:
        return read_ellipsoid(in, scale);
    case 8:
        return read_superquadric(in, scale);
    case CONTRACTED:
        return read_contracted(in, scale);
    case CYLINDER:
        return read_cylinder(in, scale);
    case CONE:
    case FRUSTUM:
        return read_cone(in, scale, kind == FRUSTUM);
    default:
        return read_prism(in, scale, kind == 6);
    }
}

int32_t shapes_vertex_count(const abut_shape *shape) {
    int32_t count = 0;
    for (int32_t i = 0; i < abut_shape_part_count(shape); i++) {
        abut_part part;
        abut_polytope_view view;
        abut_shape_part(shape, i, &part);
        count += abut_shape_polytope(part.shape, &view) == ABUT_OK ? view.vertex_count : 1;
    }
    return count;
}

/* Random parts, or one shape repeated at even steps, as in walls, floors and gears. */
static abut_shape *read_compound(bytes *in, double scale) {
    abut_part parts[MOST_PARTS] = {{.shape = NULL}};
    uint8_t how = bytes_byte(in);
    bool row = how >= 160;
    int32_t count = row ? how % MOST_PARTS : how % 5, shapes = row ? 1 : count, vertices = 0;
    abut_pose step = shapes_read_pose(in, scale), at = abut_pose_identity();
    for (int32_t i = 0; i < count; i++) {
        at = row ? abut_pose_compose(at, step) : shapes_read_pose(in, scale);
        parts[i].pose = at;
        parts[i].shape = i < shapes ? read_convex(in, scale, read_kind(in, CONVEX_KINDS)) : parts[0].shape;
        vertices += shapes_vertex_count(parts[i].shape);
        if (vertices > MOST_IN_COMPOUND) {
            count = i + 1; /* every part may meet every part, so this limits the time */
        }
    }
    abut_shape *shape = no_shape();
    abut_status status = abut_shape_create_compound(parts, count, &shape);
    for (int32_t i = 0; i < shapes && i < count; i++) {
        abut_shape_release(parts[i].shape);
    }
    return made("compound", status, usual, shape, no_shape());
}

/* ---- descriptions for a person who examines a finding ---- */

static void describe_surface(const abut_polytope_view *view) {
    for (int32_t v = 0; v < view->vertex_count; v++) {
        fprintf(stderr, "    {%.17g, %.17g, %.17g},\n", view->vertices[v].x, view->vertices[v].y, view->vertices[v].z);
    }
    for (int32_t f = 0; f < view->face_count; f++) {
        fprintf(stderr, "    face");
        for (int32_t c = view->face_first[f]; c < view->face_first[f + 1]; c++) {
            fprintf(stderr, " %d", (int)view->face_vertices[c]);
        }
        abut_vec3 n = view->face_normals[f];
        fprintf(stderr, ", normal {%.17g, %.17g, %.17g}\n", n.x, n.y, n.z);
    }
}

void shapes_describe(const char *name, const abut_shape *shape) {
    abut_vec3 point;
    if (abut_shape_contraction(shape, &point)) {
        fprintf(stderr, "about {%.17g, %.17g, %.17g}: ", point.x, point.y, point.z);
    }
    abut_polytope_view view;
    abut_vec3 n = abut_shape_plane_normal(shape), axes = abut_shape_semi_axes(shape);
    double e1, e2;
    abut_shape_exponents(shape, &e1, &e2);
    if (axes.x > 0.0) {
        fprintf(stderr, "  semi-axes {%.17g, %.17g, %.17g}, exponents %.17g, %.17g\n", axes.x, axes.y, axes.z, e1, e2);
    }
    if (abut_shape_height(shape) > 0.0) {
        fprintf(stderr, "  top radius %.17g, height %.17g\n", abut_shape_top_radius(shape), abut_shape_height(shape));
    }
    fprintf(stderr, "  %s: %s, radius %.17g, half length %.17g, normal {%.17g, %.17g, %.17g}, offset %.17g\n", name,
            abut_kind_name(abut_shape_kind(shape)), abut_shape_radius(shape), abut_shape_half_length(shape), n.x, n.y, n.z,
            abut_shape_plane_offset(shape));
    if (abut_shape_polytope(shape, &view) == ABUT_OK) {
        describe_surface(&view);
    }
    for (int32_t i = 0; abut_shape_kind(shape) == ABUT_SHAPE_COMPOUND && i < abut_shape_part_count(shape); i++) {
        abut_part part;
        abut_shape_part(shape, i, &part);
        fprintf(stderr, "  at {%.17g, %.17g, %.17g} turned {%.17g, %.17g, %.17g, %.17g}\n", part.pose.position.x, part.pose.position.y,
                part.pose.position.z, part.pose.rotation.x, part.pose.rotation.y, part.pose.rotation.z, part.pose.rotation.w);
        shapes_describe("part", part.shape);
    }
}

/* The shape with a mass distribution of the caller: heavier, with its centre aside. */
static abut_shape *weighed(abut_shape *plain) {
    abut_mass mass, kept;
    if (abut_shape_mass(plain, 2.0, &mass) != ABUT_OK) {
        return plain;
    }
    abut_aabb bounds = abut_shape_bounds(plain, abut_pose_identity());
    mass.centre.x += 0.25 * (bounds.upper.x - bounds.lower.x);
    abut_shape *shape = no_shape();
    abut_status status = abut_shape_create_with_mass(plain, &mass, &shape);
    shape = made("abut_shape_create_with_mass", status, usual, shape, no_shape());
    if (shape == NULL) {
        return plain;
    }
    abut_shape_release(plain);
    FUZZ_REQUIRE(abut_shape_mass(shape, 2.0, &kept) == ABUT_OK && kept.centre.x == mass.centre.x, "another centre of mass");
    return shape;
}

/* A body whose point is not inside takes the caller's mass in place of the point: so this kind needs no bytes, and old inputs mean the same. */
static abut_shape *read_whole_contracted(bytes *in, double scale) {
    abut_shape *shape = read_contracted(in, scale);
    abut_vec3 point;
    return shape == NULL || abut_shape_contraction(shape, &point) ? shape : weighed(shape);
}

abut_shape *shapes_read(bytes *in, double scale) {
    int kind = read_kind(in, CONVEX_KINDS + 2);
    abut_shape *shape = kind == CONVEX_KINDS       ? read_plane(in, scale)
                        : kind == CONVEX_KINDS + 1 ? read_compound(in, scale)
                        : kind == CONTRACTED       ? read_whole_contracted(in, scale)
                                                   : read_convex(in, scale, kind);
    if (shape != NULL && fuzz_describes()) {
        shapes_describe("shape", shape);
    }
    if (shape != NULL) {
        check_shape(shape);
    }
    return shape;
}
