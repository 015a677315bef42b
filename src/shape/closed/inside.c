/*
 * The largest ball inside a solid that touches its surface at a given point: its centre is on the inward normal, and the ball shrinks until no point of the
 * surface is in it (Ma, Bae and Choi, "3D medial axis point approximation using nearest neighbors and the normal field", The Visual Computer 28, 2012). Of the
 * balls at the centroids of some triangles the large ones stay, none with its centre inside a larger one.
 */
#include "shape/closed/inside.h"

#include "base/memory.h"
#include "base/real.h"
#include "geom/closest.h"
#include "shape/bounds.h"
#include "shape/lifecycle.h"
#include "shape/shape.h"
#include "shape/trimesh.h"

enum { MOST_TRIED = 64, MOST_BALLS = 24, MOST_SHRINKS = 60 };

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

static bool is_apart(const ball *balls, int32_t count, const ball *from) {
    for (int32_t i = 0; i < count; i++) {
        if (!(abut_distance_between(balls[i].centre, from->centre) > balls[i].radius)) {
            return false;
        }
    }
    return true;
}

/* Moves the largest ball that is apart from the first `count` ones to the place behind them. */
static bool take_next(ball *balls, int32_t count, int32_t all) {
    int32_t best = -1;
    for (int32_t i = count; i < all; i++) {
        if (balls[i].radius > 0.0 && (best < 0 || balls[i].radius > balls[best].radius) && is_apart(balls, count, &balls[i])) {
            best = i;
        }
    }
    if (best >= 0) {
        ball taken = balls[best];
        balls[best] = balls[count];
        balls[count] = taken;
    }
    return best >= 0;
}

static int32_t choose(const trimesh *mesh, abut_aabb bounds, ball balls[MOST_TRIED]) {
    abut_vec3 sides = abut_sub(bounds.upper, bounds.lower);
    double thin = real_min(sides.x, real_min(sides.y, sides.z)), most = 0.6 * thin; /* no ball inside is wider than the bounds */
    int32_t tried = mesh->triangle_count < MOST_TRIED ? mesh->triangle_count : MOST_TRIED, count = 0;
    for (int32_t i = 0; i < tried; i++) {
        balls[i] = ball_at(mesh, (int32_t)((int64_t)i * mesh->triangle_count / tried), most);
    }
    double least = 0.0;
    while (count < MOST_BALLS && take_next(balls, count, tried) && balls[count].radius >= least) {
        least = real_min(least_ball * balls[0].radius, least_share * thin);
        count++;
    }
    return count;
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
