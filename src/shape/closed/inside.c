/*
 * The largest ball inside a solid that touches its surface at a given point: its centre is on the inward normal, and the ball shrinks until no point of the
 * surface is in it (Ma, Bae and Choi, "3D medial axis point approximation using nearest neighbors and the normal field", The Visual Computer 28, 2012). Such
 * balls are made at the centroids of triangles from all places of the surface. The large ones stay, none with its centre inside a larger one. Where these are
 * too many, those stay that are farthest apart.
 */
#include "shape/closed/inside.h"

#include "base/memory.h"
#include "base/real.h"
#include "geom/closest.h"
#include "shape/bounds.h"
#include "shape/lifecycle.h"
#include "shape/shape.h"
#include "shape/trimesh.h"

enum { CELLS = 5, MOST_TRIED = CELLS * CELLS * CELLS, MOST_BALLS = 24, MOST_SHRINKS = 60 };

/* The least ball that is worth following, relative to the largest; and relative to the least side of the bounds. The smaller of the two counts. */
static const double least_ball = 0.5, least_share = 0.1;

typedef struct ball {
    abut_vec3 centre;
    double radius;
} ball;

/* ---- one ball ---- */

typedef struct nearest {
    abut_vec3 from, point;
    bool found;
} nearest;

static void approach(void *context, int32_t index, const abut_triangle *triangle, double *limit) {
    nearest *near = context;
    const abut_vec3 *c = triangle->corner;
    double w[3];
    (void)index;
    closest_on_triangle(near->from, c[0], c[1], c[2], w);
    abut_vec3 point = abut_add_scaled(abut_add_scaled(abut_scale(w[0], c[0]), w[1], c[1]), w[2], c[2]);
    double distance = abut_distance_between(near->from, point);
    if (distance < *limit) {
        *limit = distance;
        near->point = point;
        near->found = true;
    }
}

/* The radius of the ball at a point of the surface; 0 for none. inward: unit */
static double shrunk(const trimesh *mesh, abut_vec3 point, abut_vec3 inward, double radius) {
    const double rounding = 1e-6;
    for (int i = 0; i < MOST_SHRINKS; i++) {
        nearest near = {.from = abut_add_scaled(point, radius, inward)};
        trimesh_near(mesh, near.from, (1.0 - rounding) * radius, approach, &near);
        if (!near.found) {
            return radius;
        }
        abut_vec3 across = abut_sub(near.point, point);
        double height = abut_dot(across, inward), smaller = 0.5 * abut_length_squared(across) / height;
        if (!(height > 0.0) || !(smaller < radius)) {
            return 0.0;
        }
        radius = smaller;
    }
    return 0.0;
}

static ball ball_at(const trimesh *mesh, int32_t index, double most) {
    abut_triangle t;
    abut_vec3 across;
    trimesh_triangle(mesh, index, &t);
    if (trimesh_is_flat(mesh, t.corner, &across)) {
        return (ball){.radius = 0.0};
    }
    abut_vec3 middle = abut_scale(1.0 / 3.0, abut_add(t.corner[0], abut_add(t.corner[1], t.corner[2]))),
              inward = abut_neg(abut_unit(across));
    double radius = shrunk(mesh, middle, inward, most);
    return (ball){abut_add_scaled(middle, radius, inward), radius < most ? radius : 0.0};
}

/* ---- which ones ---- */

/* The place of a number among equal parts of a range. */
static int32_t part_of(double x, double lower, double upper) {
    double at = CELLS * (x - lower) / (upper - lower);
    return at > 0.0 ? at < CELLS ? (int32_t)at : CELLS - 1 : 0;
}

/* The largest triangle of each cell of a grid over the bounds; -1 for none. An arm of a few triangles has its own ones there, however fine the rest is. */
static void largest_of_cells(const trimesh *mesh, abut_aabb bounds, int32_t largest[MOST_TRIED]) {
    double area[MOST_TRIED];
    for (int32_t i = 0; i < MOST_TRIED; i++) {
        area[i] = 0.0;
        largest[i] = -1;
    }
    for (int32_t i = 0; i < mesh->triangle_count; i++) {
        abut_triangle t;
        trimesh_triangle(mesh, i, &t);
        abut_vec3 middle = abut_scale(1.0 / 3.0, abut_add(t.corner[0], abut_add(t.corner[1], t.corner[2])));
        int32_t x = part_of(middle.x, bounds.lower.x, bounds.upper.x), y = part_of(middle.y, bounds.lower.y, bounds.upper.y),
                z = part_of(middle.z, bounds.lower.z, bounds.upper.z), cell = CELLS * (CELLS * z + y) + x;
        double twice = abut_length(abut_cross(abut_sub(t.corner[1], t.corner[0]), abut_sub(t.corner[2], t.corner[0])));
        if (twice > area[cell]) {
            area[cell] = twice;
            largest[cell] = i;
        }
    }
}

/* The triangles to try. Returns their number. */
static int32_t choose_triangles(const trimesh *mesh, abut_aabb bounds, int32_t tried[MOST_TRIED]) {
    int32_t count = 0;
    if (mesh->triangle_count <= MOST_TRIED) {
        for (; count < mesh->triangle_count; count++) {
            tried[count] = count;
        }
        return count;
    }
    largest_of_cells(mesh, bounds, tried);
    for (int32_t i = 0; i < MOST_TRIED; i++) {
        if (tried[i] >= 0) {
            tried[count++] = tried[i];
        }
    }
    return count;
}

/* Puts a ball behind those that are as large. */
static void put_in_order(ball *balls, int32_t count, ball added) {
    int32_t at = count;
    for (; at > 0 && balls[at - 1].radius < added.radius; at--) {
        balls[at] = balls[at - 1];
    }
    balls[at] = added;
}

static bool is_apart(const ball *balls, int32_t count, const ball *from) {
    for (int32_t i = 0; i < count; i++) {
        if (!(abut_distance_between(balls[i].centre, from->centre) > balls[i].radius)) {
            return false;
        }
    }
    return true;
}

/* Keeps the balls, the largest first, that are no smaller than `least` and have their centres in no larger one. Returns their number. */
static int32_t keep_apart(ball *balls, int32_t all, double least) {
    int32_t count = 0;
    for (int32_t i = 0; i < all && balls[i].radius > 0.0 && balls[i].radius >= least; i++) {
        if (is_apart(balls, count, &balls[i])) {
            balls[count++] = balls[i];
        }
    }
    return count;
}

/* Puts those first that are farthest apart: after the largest one, each time the ball whose centre is farthest from the centres before. */
static void spread(ball balls[MOST_TRIED], int32_t all, int32_t wanted) {
    double distance[MOST_TRIED];
    for (int32_t i = 0; i < all; i++) {
        distance[i] = INFINITY;
    }
    for (int32_t count = 1; count < wanted; count++) {
        int32_t best = count;
        for (int32_t i = count; i < all; i++) {
            distance[i] = real_min(distance[i], abut_distance_between(balls[i].centre, balls[count - 1].centre));
            best = distance[i] > distance[best] ? i : best;
        }
        ball taken = balls[best];
        balls[best] = balls[count];
        balls[count] = taken;
        distance[best] = distance[count];
    }
}

static int32_t choose(const trimesh *mesh, abut_aabb bounds, ball balls[MOST_TRIED]) {
    abut_vec3 sides = abut_sub(bounds.upper, bounds.lower);
    double thin = real_min(sides.x, real_min(sides.y, sides.z)), most = 0.6 * thin; /* no ball inside is wider than the bounds */
    int32_t tried[MOST_TRIED], all = choose_triangles(mesh, bounds, tried);
    for (int32_t i = 0; i < all; i++) {
        put_in_order(balls, i, ball_at(mesh, tried[i], most));
    }
    int32_t count = keep_apart(balls, all, all > 0 ? real_min(least_ball * balls[0].radius, least_share * thin) : 0.0);
    if (count > MOST_BALLS) {
        spread(balls, count, MOST_BALLS);
    }
    return count < MOST_BALLS ? count : MOST_BALLS;
}

/* ---- as a shape ---- */

static abut_shape *sphere(double radius) {
    abut_shape *made = shape_allocate(ABUT_SHAPE_SPHERE);
    if (made != NULL) {
        made->radius = radius;
        made->size = 2.0 * radius;
        made->bounds = (abut_aabb){{-radius, -radius, -radius}, {radius, radius, radius}};
    }
    return made;
}

static bool fill(abut_shape *made, const ball *balls, int32_t count) {
    made->parts = memory_allocate((size_t)count, sizeof *made->parts);
    made->part_bounds = memory_allocate((size_t)count, sizeof *made->part_bounds);
    made->bounds = bounds_of_points(NULL, 0);
    for (int32_t i = 0; made->parts != NULL && made->part_bounds != NULL && i < count; i++) {
        abut_shape *of = sphere(balls[i].radius);
        if (of == NULL) {
            return false;
        }
        abut_vec3 reach = {balls[i].radius, balls[i].radius, balls[i].radius};
        made->parts[i] = (abut_part){of, {balls[i].centre, abut_quat_identity()}};
        made->part_bounds[i] = (abut_aabb){abut_sub(balls[i].centre, reach), abut_add(balls[i].centre, reach)};
        made->bounds = bounds_join(made->bounds, made->part_bounds[i]);
        made->part_count = i + 1;
    }
    made->size = bounds_extent(made->bounds);
    return made->part_count == count;
}

bool inside_make(const trimesh *mesh, abut_aabb bounds, abut_shape **made) {
    ball balls[MOST_TRIED];
    *made = NULL;
    int32_t count = mesh->closed && mesh->vertices != NULL ? choose(mesh, bounds, balls) : 0;
    if (count == 0) {
        return true;
    }
    abut_shape *shape = shape_allocate(ABUT_SHAPE_COMPOUND);
    if (shape == NULL || !fill(shape, balls, count)) {
        shape_free(shape);
        return false;
    }
    *made = shape;
    return true;
}

double inside_radius(const abut_shape *inside) {
    double least = INFINITY;
    for (int32_t i = 0; inside != NULL && i < inside->part_count; i++) {
        least = real_min(least, inside->parts[i].shape->radius);
    }
    return least;
}

size_t inside_bytes(const abut_shape *inside) {
    size_t each = sizeof(abut_shape) + sizeof(abut_part) + sizeof(abut_aabb);
    return inside != NULL ? sizeof *inside + (size_t)inside->part_count * each : 0;
}
