#include "accuracy/big_body.h"

static abut_shape *make_triangle(const abut_vec3 corner[3]) {
    static const int32_t triangle[3] = {0, 1, 2};
    abut_trimesh_def def = abut_trimesh_def_default();
    abut_shape *shape = NULL;
    def.vertices = corner;
    def.vertex_count = 3;
    def.triangles = triangle;
    def.triangle_count = 1;
    def.two_sided = true;
    (void)abut_shape_create_trimesh(&def, NULL, &shape);
    return shape;
}

static abut_shape *make_frustum(const big_body *body) {
    abut_shape *shape = NULL;
    if (body->top_radius == 0.0) {
        (void)abut_shape_create_cone(body->radius, body->height, &shape);
    } else if (body->top_radius == body->radius) {
        (void)abut_shape_create_cylinder(body->radius, 0.5 * body->height, &shape);
    } else {
        (void)abut_shape_create_frustum(body->radius, body->top_radius, body->height, &shape);
    }
    return shape;
}

abut_shape *big_body_make(const big_body *body) {
    abut_shape *shape = NULL;
    switch (body->kind) {
    case BIG_BALL:
        (void)abut_shape_create_sphere(body->radius, &shape);
        break;
    case BIG_CAPSULE:
        (void)abut_shape_create_capsule(body->radius, body->half_length, &shape);
        break;
    case BIG_BOX:
        (void)abut_shape_create_box(body->half, &shape);
        break;
    case BIG_POINTS:
        (void)abut_shape_create_hull(body->point, body->point_count, &shape);
        break;
    case BIG_ELLIPSOID:
        (void)abut_shape_create_ellipsoid(body->half, &shape);
        break;
    case BIG_SUPERQUADRIC:
        (void)abut_shape_create_superquadric(body->half, body->e1, body->e2, &shape);
        break;
    case BIG_PLANE:
        (void)abut_shape_create_plane(body->half, 0.0, &shape);
        break;
    case BIG_TRIANGLE:
        return make_triangle(body->point);
    case BIG_FRUSTUM:
        shape = make_frustum(body);
        break;
    }
    return shape;
}

static big absolute_times(double scale, big x) { return big_abs(big_mul(big_of(scale), x)); }

static big power(big x, big p) { return big_less(big_of(0.0), x) ? big_pow(x, p) : big_of(0.0); }

/* (x^p + y^p)^(1/p). */
static big norm(big x, big y, big p) { return power(big_add(power(x, p), power(y, p)), big_div(big_of(1.0), p)); }

static big dual(double e) { return big_div(big_of(2.0), big_sub(big_of(2.0), big_of(e))); }

static big rho_of(bigv v) { return big_sqrt(big_add(big_mul(v.x, v.x), big_mul(v.y, v.y))); }

/* The end of a frustum at -z, whose origin is the centre of mass: height (p^2 + 2 p q + 3 q^2) / (4 (p^2 + p q + q^2)) below it. */
static big lower_end(const big_body *body) {
    big p = big_of(body->radius), q = big_of(body->top_radius), pp = big_mul(p, p), pq = big_mul(p, q), qq = big_mul(q, q);
    big above = big_add(pp, big_add(big_mul(big_of(2.0), pq), big_mul(big_of(3.0), qq)));
    big share = big_div(above, big_mul(big_of(4.0), big_add(pp, big_add(pq, qq))));
    return big_mul(big_of(-body->height), share);
}

static big support_of_frustum(const big_body *body, bigv n) {
    big rho = rho_of(n), low = lower_end(body), high = big_add(low, big_of(body->height));
    return big_max(big_add(big_mul(big_of(body->radius), rho), big_mul(low, n.z)),
                   big_add(big_mul(big_of(body->top_radius), rho), big_mul(high, n.z)));
}

static big local_support(const big_body *body, bigv n) {
    bigv scaled = {absolute_times(body->half.x, n.x), absolute_times(body->half.y, n.y), absolute_times(body->half.z, n.z)};
    big most, length;
    switch (body->kind) {
    case BIG_BALL:
        return big_mul(big_of(body->radius), bigv_length(n));
    case BIG_CAPSULE:
        length = big_mul(big_of(body->radius), bigv_length(n));
        return big_add(length, absolute_times(body->half_length, n.z));
    case BIG_BOX:
        return big_add(scaled.x, big_add(scaled.y, scaled.z));
    case BIG_ELLIPSOID:
        return bigv_length(scaled);
    case BIG_SUPERQUADRIC:
        return norm(norm(scaled.x, scaled.y, dual(body->e2)), scaled.z, dual(body->e1));
    case BIG_FRUSTUM:
        return support_of_frustum(body, n);
    default:
        break;
    }
    most = bigv_dot(n, bigv_of(body->point[0]));
    for (int32_t i = 1; i < body->point_count; ++i) {
        most = big_max(most, bigv_dot(n, bigv_of(body->point[i])));
    }
    return most;
}

big big_body_support(const big_body *body, const big_pose *pose, bigv n) {
    return big_add(local_support(body, big_unturn(pose, n)), bigv_dot(n, pose->position));
}

/* The largest distance beyond a plane through three of the points that has all others on one side. */
static double outside_points(const big_body *body, bigv x) {
    double most = -INFINITY;
    bigv p[BIG_POINTS_MOST];
    for (int32_t i = 0; i < body->point_count; ++i) {
        p[i] = bigv_of(body->point[i]);
    }
    for (int32_t i = 0; i < body->point_count; ++i) {
        for (int32_t j = i + 1; j < body->point_count; ++j) {
            for (int32_t k = j + 1; k < body->point_count; ++k) {
                bigv n = bigv_cross(bigv_sub(p[j], p[i]), bigv_sub(p[k], p[i]));
                bool above = false, below = false;
                for (int32_t m = 0; m < body->point_count && !(above && below); ++m) {
                    double side = m == i || m == j || m == k ? 0.0 : big_double(bigv_dot(n, bigv_sub(p[m], p[i])));
                    above = above || side > 0.0;
                    below = below || side < 0.0;
                }
                if (above != below) {
                    double beyond = big_double(big_div(bigv_dot(n, bigv_sub(x, p[i])), bigv_length(n)));
                    beyond = above ? -beyond : beyond;
                    most = beyond > most ? beyond : most;
                }
            }
        }
    }
    return most;
}

static double away_from_segment(bigv x, bigv from, bigv to) {
    bigv along = bigv_sub(to, from), w = bigv_sub(x, from);
    big square = bigv_dot(along, along), t = big_less(big_of(0.0), square) ? big_div(bigv_dot(w, along), square) : big_of(0.0);
    t = big_less(t, big_of(0.0)) ? big_of(0.0) : big_less(big_of(1.0), t) ? big_of(1.0) : t;
    return big_double(bigv_length(bigv_sub(w, bigv_scale(t, along))));
}

static double away_from_triangle(const big_body *body, bigv x) {
    bigv p[3] = {bigv_of(body->point[0]), bigv_of(body->point[1]), bigv_of(body->point[2])};
    bigv normal = bigv_cross(bigv_sub(p[1], p[0]), bigv_sub(p[2], p[0]));
    bool over = big_double(bigv_length(normal)) > 0.0;
    double least = INFINITY;
    for (int i = 0; i < 3; ++i) {
        bigv from = p[i], to = p[(i + 1) % 3];
        over = over && big_double(bigv_dot(normal, bigv_cross(bigv_sub(to, from), bigv_sub(x, from)))) >= 0.0;
        least = fmin(least, away_from_segment(x, from, to));
    }
    return over ? fabs(big_double(big_div(bigv_dot(normal, bigv_sub(x, p[0])), bigv_length(normal)))) : least;
}

static big ratio(big x, double half) { return big_div(big_abs(x), big_of(half)); }

/* (g - 1) times the distance from the centre to the tangent plane, for the gauge g. */
static double outside_gauge(const big_body *body, bigv x) {
    bigv r = {ratio(x.x, body->half.x), ratio(x.y, body->half.y), ratio(x.z, body->half.z)};
    big one = big_of(1.0), g;
    bigv slope;
    if (!big_less(big_of(0.0), big_add(r.x, big_add(r.y, r.z)))) {
        return -fmin(body->half.x, fmin(body->half.y, body->half.z)); /* the centre */
    }
    if (body->kind == BIG_ELLIPSOID) {
        g = bigv_length(r);
        slope = (bigv){big_div(r.x, big_of(body->half.x)), big_div(r.y, big_of(body->half.y)), big_div(r.z, big_of(body->half.z))};
        slope = bigv_scale(big_div(one, g), slope);
    } else {
        big p = big_div(big_of(2.0), big_of(body->e2)), q = big_div(big_of(2.0), big_of(body->e1));
        big round = norm(r.x, r.y, p);
        g = norm(round, r.z, q);
        big outer = big_less(big_of(0.0), round) ? power(big_div(round, g), big_sub(q, one)) : big_of(0.0);
        big dx = big_less(big_of(0.0), round) ? power(big_div(r.x, round), big_sub(p, one)) : big_of(0.0);
        big dy = big_less(big_of(0.0), round) ? power(big_div(r.y, round), big_sub(p, one)) : big_of(0.0);
        slope = (bigv){big_div(big_mul(outer, dx), big_of(body->half.x)), big_div(big_mul(outer, dy), big_of(body->half.y)),
                       big_div(power(big_div(r.z, g), big_sub(q, one)), big_of(body->half.z))};
    }
    return big_double(big_div(big_sub(g, one), bigv_length(slope)));
}

/* The largest distance beyond the planes of both ends and beyond the side. */
static double outside_frustum(const big_body *body, bigv x) {
    big height = big_of(body->height), low = lower_end(body), up = big_sub(x.z, low);
    big slope = big_sub(big_of(body->radius), big_of(body->top_radius));
    big side = big_add(big_mul(height, big_sub(rho_of(x), big_of(body->radius))), big_mul(slope, up));
    side = big_div(side, big_sqrt(big_add(big_mul(height, height), big_mul(slope, slope))));
    return big_double(big_max(side, big_max(big_sub(up, height), big_sub(big_of(0.0), up))));
}

double big_body_outside(const big_body *body, const big_pose *pose, bigv point) {
    bigv x = big_unturn(pose, bigv_sub(point, pose->position));
    double limit = body->half_length, z = big_double(x.z), most;
    switch (body->kind) {
    case BIG_PLANE:
        return big_double(big_div(bigv_dot(bigv_of(body->half), x), bigv_length(bigv_of(body->half))));
    case BIG_BALL:
    case BIG_CAPSULE:
        limit = body->kind == BIG_BALL ? 0.0 : limit;
        x.z = z > limit ? big_sub(x.z, big_of(limit)) : z < -limit ? big_add(x.z, big_of(limit)) : big_of(0.0);
        return big_double(big_sub(bigv_length(x), big_of(body->radius)));
    case BIG_BOX:
        most = big_double(big_sub(big_abs(x.x), big_of(body->half.x)));
        most = fmax(most, big_double(big_sub(big_abs(x.y), big_of(body->half.y))));
        return fmax(most, big_double(big_sub(big_abs(x.z), big_of(body->half.z))));
    case BIG_POINTS:
        return outside_points(body, x);
    case BIG_TRIANGLE:
        return away_from_triangle(body, x);
    case BIG_FRUSTUM:
        return outside_frustum(body, x);
    default:
        return outside_gauge(body, x);
    }
}
