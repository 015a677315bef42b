/*
 * The least depth of two overlapping bodies, by bounds over the whole sphere of directions.
 *
 * Let d_0, d_1, d_2 be a triangle of directions, and w_i the points of the difference that are extreme along them. For any weights m >= 0 with the sum 1, the
 * height along every direction in the triangle is at least min_j sum_i m_i w_i . d_j. The best weights are those of a matrix game. Triangles whose bound is no
 * less than the least height so far are dropped. Others are cut in two. Slender bodies need too many triangles; regions.c takes these.
 */

#include "narrow/normal/extremal/sphere_search.h"

#include "base/real.h"

typedef struct ray_point {
    abut_vec3 direction, w;
    double height;
} ray_point;

typedef struct direction_triangle {
    ray_point corner[3];
} direction_triangle;

void sphere_search_look(sphere_search *search, abut_vec3 direction, extremal *here) {
    extremal_look(search->a, search->b, direction, here);
    --search->left;
    if (here->height < search->best->height * (1.0 - 1e-12)) {
        extremal lower;
        extremal_find(search->a, search->b, direction, INFINITY, &lower);
        if (!lower.settled || !(lower.height <= here->height)) {
            lower = *here;
            extremal_ease(search->a, search->b, &lower);
            extremal_sharpen(search->a, search->b, &lower);
        }
        *search->best = lower;
    }
}

static ray_point look_at(sphere_search *search, abut_vec3 direction) {
    extremal here;
    sphere_search_look(search, direction, &here);
    return (ray_point){direction, abut_sub(here.on_a, here.on_b), here.height};
}

/* The least of the three heights of the point with these weights. */
static double bound_with(double (*m)[3], const double weight[3]) {
    double least = INFINITY;
    for (int j = 0; j < 3; ++j) {
        least = real_min(least, weight[0] * m[0][j] + weight[1] * m[1][j] + weight[2] * m[2][j]);
    }
    return least;
}

/* The best bound with two of the three points: at a crossing of two of their three lines, or at an end. */
static double bound_of_edge(double (*m)[3], int i, int k) {
    double best = -INFINITY;
    for (int p = 0; p < 3; ++p) {
        int q = (p + 1) % 3;
        double slope = (m[k][p] - m[i][p]) - (m[k][q] - m[i][q]), t = (m[i][q] - m[i][p]) / slope;
        double weight[3] = {0.0, 0.0, 0.0};
        t = t > 0.0 && t < 1.0 ? t : p == 0 ? 0.0 : 1.0;
        weight[i] = 1.0 - t;
        weight[k] = t;
        best = real_max(best, bound_with(m, weight));
    }
    return best;
}

static double bound_of(const direction_triangle *t) {
    double m[3][3], first[3], second[3];
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            m[i][j] = abut_dot(t->corner[i].w, t->corner[j].direction);
        }
        first[i] = abut_dot(t->corner[i].w, abut_sub(t->corner[1].direction, t->corner[0].direction));
        second[i] = abut_dot(t->corner[i].w, abut_sub(t->corner[2].direction, t->corner[0].direction));
    }
    double weight[3] = {first[1] * second[2] - first[2] * second[1], first[2] * second[0] - first[0] * second[2],
                        first[0] * second[1] - first[1] * second[0]};
    double sum = weight[0] + weight[1] + weight[2];
    bool inside = sum != 0.0;
    for (int i = 0; i < 3; ++i) {
        weight[i] /= sum;
        inside = inside && weight[i] >= 0.0;
    }
    if (inside) {
        return bound_with(m, weight);
    }
    return real_max(bound_of_edge(m, 0, 1), real_max(bound_of_edge(m, 1, 2), bound_of_edge(m, 2, 0)));
}

static double cosine(const direction_triangle *t, int i, int k) { return abut_dot(t->corner[i].direction, t->corner[k].direction); }

/* Cuts a triangle at the middle of its longest side. */
static void cut(sphere_search *search, const direction_triangle *t, direction_triangle half[2]) {
    int i = 0;
    for (int k = 1; k < 3; ++k) {
        i = cosine(t, k, (k + 1) % 3) < cosine(t, i, (i + 1) % 3) ? k : i;
    }
    ray_point p = t->corner[i], q = t->corner[(i + 1) % 3], opposite = t->corner[(i + 2) % 3];
    ray_point middle = look_at(search, abut_unit(abut_add(p.direction, q.direction)));
    half[0] = (direction_triangle){{p, middle, opposite}};
    half[1] = (direction_triangle){{middle, q, opposite}};
}

/* False when too many triangles are left, or too small ones. */
static bool search_triangle(sphere_search *search, const direction_triangle *whole) {
    enum { MOST_WAITING = 128 };
    const double smallest = 1e-16;
    direction_triangle waiting[MOST_WAITING];
    int count = 0;
    waiting[count++] = *whole;
    while (count > 0) {
        direction_triangle t = waiting[--count];
        double narrow = real_min(cosine(&t, 0, 1), real_min(cosine(&t, 1, 2), cosine(&t, 2, 0)));
        if (bound_of(&t) >= search->best->height * (1.0 - search->tolerance)) {
            continue;
        }
        if (1.0 - narrow <= smallest || search->left <= 0 || count + 2 > MOST_WAITING) {
            return false;
        }
        cut(search, &t, &waiting[count]);
        count += 2;
    }
    return true;
}

static bool search_sphere(sphere_search *search) {
    static const abut_vec3 axis[6] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    ray_point point[6];
    for (int i = 0; i < 6; ++i) {
        point[i] = look_at(search, axis[i]);
    }
    bool done = true;
    for (int octant = 0; octant < 8 && done; ++octant) {
        direction_triangle t = {{point[octant & 1 ? 3 : 0], point[octant & 2 ? 4 : 1], point[octant & 4 ? 5 : 2]}};
        done = search_triangle(search, &t);
    }
    return done;
}

/* Of two opposite directions with the same depth, takes the preferred one. */
static bool offer_opposite(const convex *a, const convex *b, abut_vec3 preferred, extremal *best) {
    const double equal = 1e-9;
    extremal opposite;
    extremal_find(a, b, abut_neg(best->direction), INFINITY, &opposite);
    bool tie = opposite.settled && opposite.height <= best->height * (1.0 + equal) && abut_dot(opposite.direction, best->direction) < 0.0;
    if (tie && abut_dot(opposite.direction, preferred) > abut_dot(best->direction, preferred)) {
        *best = opposite;
    }
    return tie;
}

/* Balls inside both bodies give a bound: no depth is less than the sum of their radii without the distance of their centres. Where every direction is as good as
 * the best, as for concentric balls or spheroids, the bound proves at once what a search cannot. */
static bool is_least_of_balls(const convex *a, const convex *b, const extremal *best) {
    const double equal = 1e-12;
    double core_a = convex_inradius(a) - a->radius, core_b = convex_inradius(b) - b->radius;
    double bound = core_a + core_b - abut_distance_between(convex_inner_centre(a), convex_inner_centre(b));
    return best->settled && best->height <= bound * (1.0 + equal);
}

void extremal_least(const convex *a, const convex *b, abut_vec3 preferred, extremal *best, bool *chosen) {
    enum { MOST_POINTS = 6000 };
    static const double tolerance[] = {3e-2, 1e-3, 1e-5};
    static const int32_t most_cuts[] = {50000, 6000, 6000};
    sphere_search search = {.a = a, .b = b, .best = best};
    bool done = !is_least_of_balls(a, b, best);
    for (size_t i = 0; i < sizeof tolerance / sizeof *tolerance && done && best->height > 0.0; ++i) {
        search.tolerance = tolerance[i];
        search.left = MOST_POINTS;
        done = search_sphere(&search);
        if (!done && best->height > 0.0) {
            search.left = most_cuts[i];
            done = sphere_search_regions(&search);
        }
    }
    *chosen = best->height > 0.0 && offer_opposite(a, b, preferred, best);
}
