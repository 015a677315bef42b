/*
 * Bodies that reach many triangles. The library finds triangles, edges and planes through indices that it makes only above certain counts. The answers must be
 * those of the plain rules: for a ball the rule of docs/methods/meshes.md by trying all pairs, in long double; for surfaces cut finely the closed form of the
 * surface. Numbers of triangles lie mostly around the counts at which an index begins.
 */
#include <abut/mesh.h>
#include <abut/smooth.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "accuracy.h"
#include "support/random.h"

enum { ROOM = 1 << 14 };

static abut_contact contacts[ROOM];

/* ---- meshes ---- */

typedef struct many_mesh {
    abut_vec3 *vertex;
    int32_t *corner; /* [3 triangles] */
    int32_t vertices, triangles;
    bool two_sided;
} many_mesh;

static many_mesh make_mesh(int32_t vertices, int32_t triangles) {
    return (many_mesh){.vertex = check_memory((size_t)vertices, sizeof(abut_vec3)),
                       .corner = check_memory(3 * (size_t)triangles, sizeof(int32_t))};
}

static void free_mesh(many_mesh *m) {
    free(m->vertex);
    free(m->corner);
}

static void add_triangle(many_mesh *m, int32_t a, int32_t b, int32_t c) {
    const int32_t three[3] = {a, b, c};
    memcpy(&m->corner[3 * m->triangles++], three, sizeof three);
}

/* A square sheet in [-1, 1] of columns by rows cells, with moved corners. */
static many_mesh make_sheet(random_state *random, int32_t columns, int32_t rows, double across, double up) {
    many_mesh m = make_mesh((columns + 1) * (rows + 1), 2 * columns * rows);
    double wave = random_below(random, 3) == 0 ? random_range(random, 0.1, 0.6) : 0.0, phase = random_range(random, 0.0, 6.0);
    for (int32_t j = 0; j <= rows; j++) {
        for (int32_t i = 0; i <= columns; i++) {
            bool border = i == 0 || j == 0 || i == columns || j == rows;
            double free = border ? 0.0 : across;
            double x = -1.0 + 2.0 * (i + free * random_range(random, -1.0, 1.0)) / columns;
            double y = -1.0 + 2.0 * (j + free * random_range(random, -1.0, 1.0)) / rows;
            double z = up * random_range(random, -1.0, 1.0);
            m.vertex[m.vertices++] =
                abut_vec3_make(x + wave * sin(7.0 * y + phase), y + wave * cos(9.0 * x), z + wave * sin(5.0 * x + 3.0 * y));
            if (wave == 0.0) {
                m.vertex[m.vertices - 1] = abut_vec3_make(x, y, z);
            }
        }
    }
    for (int32_t j = 0; j < rows; j++) {
        for (int32_t i = 0; i < columns; i++) {
            int32_t a = j * (columns + 1) + i, b = a + 1, c = b + columns + 1, d = a + columns + 1;
            bool turned = random_below(random, 2) == 0;
            add_triangle(&m, a, b, turned ? d : c);
            add_triangle(&m, turned ? b : a, c, d);
        }
    }
    return m;
}

/* Triangles anywhere in a cube, some of them through one corner. */
static many_mesh make_soup(random_state *random, int32_t triangles) {
    many_mesh m = make_mesh(3 * triangles, triangles);
    double size = random_log_range(random, 0.05, 1.0);
    bool star = random_below(random, 4) == 0;
    for (int32_t t = 0; t < triangles; t++) {
        abut_vec3 middle = random_vec3(random, -1.0, 1.0);
        for (int i = 0; i < 3; i++) {
            m.vertex[m.vertices++] = abut_add(middle, random_vec3(random, -size, size));
        }
        if (star) {
            m.vertex[m.vertices - 1] = abut_vec3_make(0.0, 0.0, -0.2);
        }
        add_triangle(&m, 3 * t, 3 * t + 1, 3 * t + 2);
    }
    return m;
}

static many_mesh make_fan(random_state *random, int32_t triangles) {
    many_mesh m = make_mesh(triangles + 1, triangles);
    m.vertex[m.vertices++] = abut_vec3_make(0.0, 0.0, random_below(random, 3) * 0.4 - 0.4);
    for (int32_t i = 0; i < triangles; i++) {
        double angle = 2.0 * PI * i / triangles;
        m.vertex[m.vertices++] = abut_vec3_make(cos(angle), sin(angle), 0.0);
        add_triangle(&m, 0, 1 + i, 1 + (i + 1) % triangles);
    }
    return m;
}

/* Every triangle gets vertices of its own. */
static void take_apart(many_mesh *m) {
    abut_vec3 *vertex = check_memory(3 * (size_t)m->triangles, sizeof *vertex);
    for (int32_t i = 0; i < 3 * m->triangles; i++) {
        vertex[i] = m->vertex[m->corner[i]];
        m->corner[i] = i;
    }
    free(m->vertex);
    m->vertex = vertex;
    m->vertices = 3 * m->triangles;
}

static void swap_triangles(many_mesh *m, int32_t s, int32_t t) {
    int32_t kept[3];
    memcpy(kept, &m->corner[3 * s], sizeof kept);
    memmove(&m->corner[3 * s], &m->corner[3 * t], sizeof kept);
    memcpy(&m->corner[3 * t], kept, sizeof kept);
}

static void rearrange(many_mesh *m, random_state *random) {
    if (random_below(random, 3) == 0) {
        take_apart(m);
    }
    for (int32_t t = m->triangles - 1; t > 0 && random_below(random, 2) == 0; t--) {
        swap_triangles(m, t, random_below(random, t + 1));
    }
}

static void place(many_mesh *m, double scale, abut_vec3 to) {
    for (int32_t i = 0; i < m->vertices; i++) {
        m->vertex[i] = abut_add(abut_scale(scale, m->vertex[i]), to);
    }
}

/* Mostly around 48, the count at which the indices begin, and half of it; some large. */
static int32_t random_triangles(random_state *random) {
    int32_t which = random_below(random, 100);
    return which < 50   ? 40 + random_below(random, 30)
           : which < 70 ? 2 + random_below(random, 40)
           : which < 98 ? (int32_t)random_log_range(random, 60.0, 400.0)
                        : (int32_t)random_log_range(random, 400.0, 2000.0);
}

static abut_shape *shape_of(const many_mesh *m) {
    abut_trimesh_def def = abut_trimesh_def_default();
    def.vertices = m->vertex;
    def.vertex_count = m->vertices;
    def.triangles = m->corner;
    def.triangle_count = m->triangles;
    def.two_sided = m->two_sided;
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_trimesh(&def, NULL, &shape));
    return shape;
}

/* ---- the rule for a ball, in long double, by all pairs ---- */

typedef struct point {
    long double x, y, z;
} point;

static point point_of(abut_vec3 v) { return (point){v.x, v.y, v.z}; }
static point minus(point p, point q) { return (point){p.x - q.x, p.y - q.y, p.z - q.z}; }
static point along(point p, long double t, point d) { return (point){p.x + t * d.x, p.y + t * d.y, p.z + t * d.z}; }
static long double dot(point p, point q) { return p.x * q.x + p.y * q.y + p.z * q.z; }
static point cross(point p, point q) { return (point){p.y * q.z - p.z * q.y, p.z * q.x - p.x * q.z, p.x * q.y - p.y * q.x}; }
static long double apart(point p, point q) { return sqrtl(dot(minus(p, q), minus(p, q))); }

typedef struct near_triangle {
    point corner[3], normal, closest;
    long double distance;
    bool face, culled, flipped;
    int32_t index;
} near_triangle;

static point closest_on_side(point p, point a, point b) {
    point e = minus(b, a);
    long double square = dot(e, e), t = square > 0.0L ? dot(minus(p, a), e) / square : 0.0L;
    return along(a, fminl(fmaxl(t, 0.0L), 1.0L), e);
}

/* The closest point of the triangle; *inside: it is the foot on the plane. */
static point closest_on(const point c[3], point normal, point p, bool *inside) {
    *inside = true;
    point best = c[0];
    long double least = INFINITY;
    for (int i = 0; i < 3; i++) {
        point q = closest_on_side(p, c[i], c[(i + 1) % 3]);
        *inside = *inside && dot(cross(normal, minus(c[(i + 1) % 3], c[i])), minus(p, c[i])) >= 0.0L;
        if (apart(p, q) < least) {
            least = apart(p, q);
            best = q;
        }
    }
    return *inside ? along(p, -dot(normal, minus(p, c[0])), normal) : best;
}

/* The centre is the origin. */
static near_triangle look_at(const many_mesh *m, int32_t t, abut_vec3 centre, long double rounding) {
    near_triangle n = {.index = t};
    for (int i = 0; i < 3; i++) {
        n.corner[i] = minus(point_of(m->vertex[m->corner[3 * t + i]]), point_of(centre));
    }
    point across = cross(minus(n.corner[1], n.corner[0]), minus(n.corner[2], n.corner[0])), origin = {0, 0, 0};
    n.normal = along(origin, 1.0L / sqrtl(dot(across, across)), across);
    n.closest = closest_on(n.corner, n.normal, origin, &n.face);
    n.distance = apart(n.closest, origin);
    long double height = -dot(n.normal, n.corner[0]);
    bool behind = height < -rounding;
    n.culled = behind && !m->two_sided;
    n.flipped = behind && m->two_sided;
    n.face = n.face || apart(along(origin, -height, n.normal), n.closest) <= rounding;
    return n;
}

static int by_rule(const void *left, const void *right) {
    const near_triangle *p = left, *q = right;
    int rank_p = p->face && !p->culled ? 0 : 1, rank_q = q->face && !q->culled ? 0 : 1;
    if (rank_p != rank_q) {
        return rank_p - rank_q;
    }
    return p->distance != q->distance ? (p->distance < q->distance ? -1 : 1) : p->index - q->index;
}

typedef struct touch {
    point at, normal;
    long double distance;
} touch;

static bool is_void(const near_triangle *all, int32_t at, long double same) {
    for (int32_t i = 0; i < at; i++) {
        bool inside, own = all[i].culled && apart(all[i].closest, all[at].closest) <= same;
        if (!own && apart(closest_on(all[i].corner, all[i].normal, all[at].closest, &inside), all[at].closest) <= same) {
            return true;
        }
    }
    return false;
}

static int32_t touches_by_rule(const near_triangle *all, int32_t count, long double same, touch *out) {
    int32_t found = 0;
    for (int32_t i = 0; i < count; i++) {
        if (all[i].culled || (!all[i].face && is_void(all, i, same))) {
            continue;
        }
        point origin = {0, 0, 0};
        touch next = {.at = all[i].closest, .distance = all[i].distance};
        next.normal =
            all[i].face ? along(origin, all[i].flipped ? -1.0L : 1.0L, all[i].normal) : along(origin, -1.0L / all[i].distance, next.at);
        bool again = false;
        for (int32_t k = 0; k < found && !again; k++) {
            again = apart(out[k].at, next.at) <= same && dot(out[k].normal, next.normal) >= 1.0L - 1e-6L;
        }
        if (!again) {
            out[found++] = next;
        }
    }
    return found;
}

/* The largest difference from the library's contacts, relative to the radius; INFINITY if they do not correspond. Contacts at one distance have no order. */
static double compare(const touch *expected, int32_t count, const abut_contact *found, int32_t found_count, abut_vec3 centre,
                      double radius) {
    double worst = count == found_count ? 0.0 : INFINITY;
    for (int32_t i = 0; i < count && worst < INFINITY; i++) {
        double least = INFINITY;
        for (int32_t k = 0; k < found_count; k++) {
            point at = minus(point_of(found[k].on_b), point_of(centre)), normal = point_of(found[k].normal);
            long double clear = fminl(1.0L, expected[i].distance / radius); /* near the surface a direction to it has few digits */
            double error = (double)fmaxl(apart(at, expected[i].at), radius * clear * apart(normal, expected[i].normal));
            error = fmax(error, fabs(found[k].gap + radius - (double)expected[i].distance));
            least = fmin(least, error / radius);
        }
        worst = fmax(worst, least);
    }
    return worst;
}

typedef struct ball_sample {
    many_mesh mesh;
    abut_vec3 centre;
    double radius, margin;
} ball_sample;

static many_mesh random_mesh(random_state *random) {
    int32_t triangles = random_triangles(random), kind = random_below(random, 6);
    if (kind == 0) {
        return make_soup(random, triangles);
    }
    if (kind == 1) {
        return make_fan(random, triangles + 3);
    }
    int32_t columns = 1 + random_below(random, (int32_t)sqrt(triangles)), rows = 1 + triangles / (2 * columns);
    bool flat = kind == 2;
    return make_sheet(random, columns, rows, flat ? 0.0 : 0.3, flat ? 0.0 : random_log_range(random, 1e-3, 0.5));
}

static ball_sample make_ball(random_state *random) {
    ball_sample s = {.mesh = random_mesh(random)};
    double scale = random_below(random, 3) != 0 ? 1.0 : random_log_range(random, 1e-3, 1e3);
    abut_vec3 to = random_below(random, 2) != 0 ? abut_vec3_make(0, 0, 0) : random_vec3(random, -100.0 * scale, 100.0 * scale);
    rearrange(&s.mesh, random);
    s.mesh.two_sided = random_below(random, 4) == 0;
    s.radius = scale * random_log_range(random, 0.1, 3.0);
    s.margin = random_below(random, 2) * scale * random_log_range(random, 1e-3, 2.0);
    abut_vec3 above = abut_scale(scale, random_vec3(random, -1.0, 1.0));
    above.z = s.radius * random_range(random, -0.2, 1.0);
    place(&s.mesh, scale, to);
    s.centre = abut_add(to, above);
    return s;
}

/* Whether the contacts are those of the rule for one of three sizes of a place. A point that far from a triangle may or may not count as on it. */
static double error_by_rule(const ball_sample *s, int32_t count) {
    long double far = fabsl(s->centre.x) + fabsl(s->centre.y) + fabsl(s->centre.z) + s->radius, rounding = 16.0L * 0x1p-52L * far;
    near_triangle *all = check_memory((size_t)s->mesh.triangles, sizeof *all);
    touch *expected = check_memory((size_t)s->mesh.triangles, sizeof *expected);
    int32_t near = 0;
    for (int32_t t = 0; t < s->mesh.triangles; t++) {
        all[near] = look_at(&s->mesh, t, s->centre, rounding);
        near += all[near].distance <= s->radius + s->margin;
    }
    if (near > 0) {
        qsort(all, (size_t)near, sizeof *all, by_rule);
    }
    double least = INFINITY;
    for (int i = 0; i < 3 && least > 1e-6; i++) {
        static const long double sizes[] = {1e-6L, 0.9e-6L, 1.2e-6L};
        int32_t touches = touches_by_rule(all, near, sizes[i] * s->radius + 4.0L * 0x1p-52L * far, expected);
        least = fmin(least, compare(expected, touches, contacts, count, s->centre, s->radius));
    }
    free(all);
    free(expected);
    return least;
}

static void judge_ball(accuracy *row, uint64_t seed) {
    random_state random = random_make(seed);
    accuracy_next(row, seed);
    ball_sample s = make_ball(&random);
    abut_shape *mesh = shape_of(&s.mesh), *ball = NULL;
    assert_ok(abut_shape_create_sphere(s.radius, &ball));
    abut_collide_settings settings = abut_collide_settings_default();
    settings.margin = s.margin;
    abut_pose pose = abut_pose_identity();
    pose.position = s.centre;
    int32_t count = 0;
    assert_ok(abut_collide(&(abut_pair){ball, pose, mesh, abut_pose_identity()}, &settings, NULL, contacts, ROOM, &count));
    double error = error_by_rule(&s, count), far = abut_length(s.centre) / s.radius;
    accuracy_error(row, error / fmax(1.0, 1e-2 * far), "%d contacts among %d triangles", (int)count, (int)s.mesh.triangles);
    abut_shape_release(mesh);
    abut_shape_release(ball);
    free_mesh(&s.mesh);
}

static void test_ball(void **state) {
    (void)state;
    accuracy *row = accuracy_begin("ball in reach of many triangles", "the rule by all pairs, long double", "places, gaps / radius", 1e-9);
    int32_t count = accuracy_samples(100000);
    for (int32_t i = 0; i < count; i++) {
        judge_ball(row, (uint64_t)i);
    }
    accuracy_end(row);
}

/* ---- a flat floor cut finely ---- */

static void make_hull(random_state *random, abut_vec3 half, abut_shape **body) {
    abut_vec3 points[24];
    for (int i = 0; i < 24; i++) {
        abut_vec3 way = random_direction(random);
        points[i] = abut_vec3_make(half.x * way.x, half.y * way.y, half.z * way.z);
    }
    assert_ok(abut_shape_create_hull(points, 24, body));
}

static abut_shape *random_body(random_state *random, double size) {
    abut_shape *body = NULL;
    abut_vec3 half = abut_scale(size, random_vec3(random, 0.2, 1.0));
    switch (random_below(random, 7)) {
    case 0:
        assert_ok(abut_shape_create_sphere(half.x, &body));
        break;
    case 1:
        assert_ok(abut_shape_create_capsule(0.5 * half.x, half.y, &body));
        break;
    case 2:
        assert_ok(abut_shape_create_box(half, &body));
        break;
    case 3:
        assert_ok(abut_shape_create_cylinder(half.x, half.y, &body));
        break;
    case 4:
        assert_ok(abut_shape_create_cone(half.x, half.y, &body));
        break;
    case 5:
        make_hull(random, half, &body);
        break;
    default:
        assert_ok(abut_shape_create_ellipsoid(half, &body));
    }
    return body;
}

static double least_of(const abut_contact *found, int32_t count) {
    double least = INFINITY;
    for (int32_t i = 0; i < count; i++) {
        least = fmin(least, found[i].gap);
    }
    return least;
}

/* A sheet, parallel strips, or a fan about one vertex. */
static many_mesh make_floor(random_state *random) {
    int32_t triangles = random_triangles(random), kind = random_below(random, 4);
    if (kind == 0) {
        return make_fan(random, triangles + 3);
    }
    int32_t columns = kind == 1 ? 1 + triangles / 2 : 1 + (int32_t)sqrt(0.5 * triangles);
    return make_sheet(random, columns, kind == 1 ? 1 : 1 + triangles / (2 * columns), 0.3, 0.0);
}

static void judge_floor(accuracy *row, uint64_t seed) {
    random_state random = random_make(seed);
    accuracy_next(row, seed);
    many_mesh m = make_floor(&random);
    for (int32_t i = 0; i < m.vertices; i++) {
        m.vertex[i].z = 0.0;
    }
    rearrange(&m, &random);
    double scale = random_log_range(&random, 1e-3, 1e3), size = 0.3 * scale;
    place(&m, 4.0 * scale, abut_vec3_make(0, 0, 0)); /* the body stays well inside, also where waves have moved the sheet's border */
    abut_shape *mesh = shape_of(&m), *body = random_body(&random, size);
    abut_pose floor = random_below(&random, 2) == 0 ? abut_pose_identity() : random_pose(&random, scale), pose = abut_pose_identity();
    pose.rotation = random_below(&random, 3) == 0 ? abut_quat_identity() : random_rotation(&random);
    double lowest = abut_shape_bounds(body, pose).lower.z, gap = random_range(&random, -0.08, 0.05) * -lowest;
    pose.position = abut_vec3_make(random_range(&random, -scale, scale), random_range(&random, -scale, scale), gap - lowest);
    abut_collide_settings settings = abut_collide_settings_default();
    settings.margin = 0.1 * -lowest;
    pose = abut_pose_compose(floor, pose);
    int32_t count = 0;
    assert_ok(abut_collide(&(abut_pair){body, pose, mesh, floor}, &settings, NULL, contacts, ROOM, &count));
    abut_vec3 up = abut_quat_rotate(floor.rotation, abut_vec3_make(0, 0, 1));
    double error = fabs(least_of(contacts, count) - gap) / size;
    for (int32_t i = 0; i < count; i++) {
        error = fmax(error, abut_distance_between(contacts[i].normal, up));
        error = fmax(error, fabs(abut_dot(up, abut_sub(contacts[i].on_b, floor.position))) / size);
    }
    accuracy_error(row, error, "%d contacts among %d triangles, gap %.17g for %.17g", (int)count, (int)m.triangles,
                   least_of(contacts, count), gap);
    abut_shape_release(mesh);
    abut_shape_release(body);
    free_mesh(&m);
}

static void test_floor(void **state) {
    (void)state;
    accuracy *row =
        accuracy_begin("bodies on a flat floor of many triangles", "the plane, closed form", "gaps, heights / size; normals", 1e-9);
    static const uint64_t held[] = {16933, 53619, 68709}; /* once wrong */
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
        judge_floor(row, held[i]);
    }
    int32_t count = accuracy_samples(100000);
    for (int32_t i = 0; i < count; i++) {
        judge_floor(row, (uint64_t)i);
    }
    accuracy_end(row);
}

/* ---- a ball in a room whose walls are cut finely ---- */

/* The inside of a box: all triangles face inwards. */
static many_mesh make_room(random_state *random, abut_vec3 half, int32_t cells) {
    many_mesh m = make_mesh(6 * (cells + 1) * (cells + 1), 12 * cells * cells);
    for (int wall = 0; wall < 6; wall++) {
        int axis = wall / 2, first = m.vertices;
        double side = wall % 2 == 0 ? -1.0 : 1.0;
        for (int32_t k = 0; k < (cells + 1) * (cells + 1); k++) {
            double u = -1.0 + 2.0 * (k % (cells + 1)) / cells, v = -1.0 + 2.0 * (k / (cells + 1)) / cells;
            const double at[3] = {side, u, v};
            m.vertex[m.vertices++] = abut_vec3_make(half.x * at[(3 - axis) % 3], half.y * at[(4 - axis) % 3], half.z * at[(5 - axis) % 3]);
        }
        for (int32_t k = 0; k < cells * cells; k++) {
            int32_t a = first + k / cells * (cells + 1) + k % cells, b = a + 1, c = b + cells + 1, d = a + cells + 1;
            bool in = side < 0.0;
            add_triangle(&m, a, in ? b : c, in ? c : b);
            add_triangle(&m, a, in ? c : d, in ? d : c);
        }
    }
    rearrange(&m, random);
    return m;
}

/* The touch with one wall; a distance of INFINITY stands for none. */
static double judge_wall(const abut_contact *found, int32_t count, abut_vec3 inwards, double distance, double radius) {
    double least = INFINITY;
    for (int32_t i = 0; i < count; i++) {
        least = fmin(least, abut_distance_between(found[i].normal, inwards) + fabs(found[i].gap + radius - distance) / radius);
    }
    return least;
}

static void judge_room(accuracy *row, uint64_t seed) {
    random_state random = random_make(seed);
    accuracy_next(row, seed);
    abut_vec3 half = random_vec3(&random, 0.5, 2.0);
    many_mesh m = make_room(&random, half, 1 + random_below(&random, 8));
    double radius = random_log_range(&random, 0.1, 2.0), margin = random_below(&random, 2) * random_log_range(&random, 0.01, 2.0);
    abut_pose pose = abut_pose_identity();
    pose.position =
        abut_vec3_make(half.x * random_range(&random, -1, 1), half.y * random_range(&random, -1, 1), half.z * random_range(&random, -1, 1));
    abut_shape *mesh = shape_of(&m), *ball = NULL;
    assert_ok(abut_shape_create_sphere(radius, &ball));
    abut_collide_settings settings = abut_collide_settings_default();
    settings.margin = margin;
    int32_t count = 0, walls = 0;
    assert_ok(abut_collide(&(abut_pair){ball, pose, mesh, abut_pose_identity()}, &settings, NULL, contacts, ROOM, &count));
    const double c[3] = {pose.position.x, pose.position.y, pose.position.z}, h[3] = {half.x, half.y, half.z};
    double error = 0.0;
    for (int wall = 0; wall < 6; wall++) {
        double in[3] = {0, 0, 0}, distance = wall % 2 == 0 ? c[wall / 2] + h[wall / 2] : h[wall / 2] - c[wall / 2];
        in[wall / 2] = wall % 2 == 0 ? 1.0 : -1.0;
        if (distance <= radius + margin) {
            walls++;
            error = fmax(error, judge_wall(contacts, count, abut_vec3_make(in[0], in[1], in[2]), distance, radius));
        }
    }
    accuracy_error(row, count == walls ? error : INFINITY, "%d contacts with %d walls of %d triangles", (int)count, (int)walls,
                   (int)m.triangles);
    abut_shape_release(mesh);
    abut_shape_release(ball);
    free_mesh(&m);
}

static void test_room(void **state) {
    (void)state;
    accuracy *row =
        accuracy_begin("ball in a room with walls of many triangles", "six planes, closed form", "gaps / radius, normals", 1e-13);
    int32_t count = accuracy_samples(100000);
    for (int32_t i = 0; i < count; i++) {
        judge_room(row, (uint64_t)i);
    }
    accuracy_end(row);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ball), cmocka_unit_test(test_floor), cmocka_unit_test(test_room)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
