/*
 * The growth distance by a ray cast from outside ([SNE]; G. van den Bergen, "Ray casting against general convex objects with application to continuous
 * collision detection"). Seen from the difference c of the contraction points, C = A - B - c contains the origin. The points of the ray are place * ray. place
 * falls from a value that is surely outside to 1 / alpha.
 *
 * The simplex of GJK follows the point. Each step evaluates the support in the direction v from the simplex to the point. The result is either a plane that
 * separates the point from C, and the point moves on to that plane; or a better simplex. Every plane gives a lower bound of alpha. C contains a ball about the
 * origin, so a point of C at the distance |v| gives an upper bound of alpha (narrow/normal/growth/certificate.h).
 */

#include "narrow/normal/growth/ray.h"

#include "base/real.h"
#include "narrow/normal/distance_normal.h"
#include "narrow/normal/gauge.h"
#include "narrow/normal/gjk.h"
#include "narrow/normal/gjk_simplex.h"

enum { MOST_STEPS = 1000, PATIENCE = 8, SLOTS = 4 };

/* A support point of C. */
typedef struct cast_point {
    abut_vec3 w;       /* on_a - on_b - c, radii included */
    abut_vec3 a, b;    /* of the cores, pair's frame */
    abut_vec3 outward; /* the support direction that found it */
    int32_t vertex_a, vertex_b;
} cast_point;

typedef struct march {
    const ray_cast *cast;
    double radius;           /* sum of both bodies' radii */
    double rounding;         /* rounding error of a point of C */
    double place;            /* of the point on the ray */
    abut_vec3 direction;     /* normal of the plane on which the point lies; unit, outward */
    cast_point point[SLOTS]; /* the simplex refers to them by their slots */
    gjk_simplex simplex;
    abut_vec3 v;   /* from the simplex's closest point to the point */
    double length; /* length of v; 0 when the simplex contains the point */
    bool fine;     /* whether the simplex may be too thin for weights by areas */
} march;

static cast_point support_point(const march *m, abut_vec3 outward) {
    const ray_cast *cast = m->cast;
    cast_point p = {.outward = outward};
    p.vertex_a = convex_support(cast->a, outward, &p.a);
    p.vertex_b = convex_support(cast->b, abut_neg(outward), &p.b);
    p.w = abut_add_scaled(abut_sub(abut_sub(p.a, p.b), cast->way.origin), m->radius, outward);
    return p;
}

static bool is_known(const march *m, const cast_point *p) {
    for (int32_t i = 0; i < m->simplex.count; ++i) {
        const cast_point *q = &m->point[m->simplex.vertex_a[i]];
        if (q->vertex_a == p->vertex_a && q->vertex_b == p->vertex_b && abut_distance_between(q->w, p->w) <= m->rounding) {
            return true;
        }
    }
    return false;
}

static void add_point(march *m, const cast_point *p) {
    int32_t slot = 0;
    while (gjk_simplex_has(&m->simplex, slot, slot)) {
        ++slot;
    }
    m->point[slot] = *p;
    gjk_simplex_add(&m->simplex, p->w, slot, slot);
}

/* The point never enters C. So four points contain it only when they are flat, and three of them are enough. Keeps the three that are closest. */
static void drop_one(gjk_simplex *s, const gjk_simplex *four, abut_vec3 *v) {
    double least = INFINITY;
    for (int32_t i = 0; i < 4; ++i) {
        gjk_simplex three = {.count = 0};
        abut_vec3 closest;
        for (int32_t k = 0; k < 4; ++k) {
            if (k != i) {
                gjk_simplex_add(&three, four->w[k], four->vertex_a[k], four->vertex_b[k]);
            }
        }
        gjk_simplex_reduce(&three, &closest);
        if (abut_length(closest) < least) {
            least = abut_length(closest);
            *s = three;
            *v = closest;
        }
    }
}

static abut_vec3 weighted_sum(const gjk_simplex *s) {
    abut_vec3 sum = abut_scale(s->weight[0], s->w[0]);
    for (int32_t i = 1; i < s->count; ++i) {
        sum = abut_add_scaled(sum, s->weight[i], s->w[i]);
    }
    return sum;
}

/* Improves the weights of three points. Areas of a triangle with a very short side have few digits; the way that is left has them, and is taken along the
 * short side and along another one. */
static void refine_weights(gjk_simplex *s) {
    enum { STEPS = 3 };
    int32_t i = 0;
    double shortest = INFINITY;
    for (int32_t k = 0; k < 3; ++k) {
        double length = abut_distance_between(s->w[k], s->w[(k + 1) % 3]);
        i = length < shortest ? k : i;
        shortest = real_min(length, shortest);
    }
    const int32_t j = (i + 1) % 3, k = (i + 2) % 3;
    const abut_vec3 brief = abut_sub(s->w[j], s->w[i]), along = abut_sub(s->w[k], s->w[i]), u = abut_unit(along);
    const abut_vec3 across = abut_add_scaled(brief, -abut_dot(brief, u), u);
    const double square = abut_length_squared(across), length = abut_length(along);
    for (int step = 0; step < STEPS; ++step) {
        abut_vec3 left = weighted_sum(s);
        double x = square > 0.0 ? -abut_dot(left, across) / square : 0.0;
        double y = -abut_dot(abut_add_scaled(left, x, brief), u) / length;
        const double weight[3] = {s->weight[i] - x - y, s->weight[j] + x, s->weight[k] + y};
        if (!(weight[0] >= 0.0) || !(weight[1] >= 0.0) || !(weight[2] >= 0.0)) {
            return;
        }
        s->weight[i] = weight[0];
        s->weight[j] = weight[1];
        s->weight[k] = weight[2];
    }
}

/* Reduces the simplex to its part closest to the point, and computes v. For three points v is the perpendicular to their plane: a difference from the
 * weighted sum of the points would lose all digits of a short v. The perpendicular of a thin triangle has few digits, too, and is right only for what is left
 * of the way by good weights. */
static void follow(march *m) {
    gjk_simplex *s = &m->simplex, seen;
    abut_vec3 at = abut_scale(m->place, m->cast->way.ray);
    for (int32_t i = 0; i < s->count; ++i) {
        s->w[i] = abut_sub(at, m->point[s->vertex_a[i]].w);
    }
    seen = *s;
    gjk_simplex_reduce(s, &m->v);
    if (s->count == 4) {
        drop_one(s, &seen, &m->v);
    }
    m->length = abut_length(m->v);
    if (s->count == 3) {
        abut_vec3 normal = abut_cross(abut_sub(s->w[1], s->w[0]), abut_sub(s->w[2], s->w[0])), left = s->w[0];
        if (m->fine) {
            refine_weights(s);
            left = weighted_sum(s);
            m->length = abut_length(left);
        }
        m->v = abut_scale(abut_dot(normal, left) / abut_length_squared(normal), normal);
    }
}

/* Takes over the points of a state that came closer. */
static void return_to(march *m, const march *closest) {
    if (closest->length < m->length) {
        for (int32_t i = 0; i < SLOTS; ++i) {
            m->point[i] = closest->point[i];
        }
        m->simplex = closest->simplex;
        m->length = closest->length;
    }
}

/* Moves the point from outside until the simplex contains it, or until rounding error stops the approach. Returns true when a direction separates the bodies
 * by more than `apart`; m->direction is then that direction. */
static bool run(march *m, double apart, int32_t *supports) {
    const gauge_ray *way = &m->cast->way;
    double least = m->length = INFINITY;
    int stalled = 0; /* steps without progress because of rounding error */
    march closest;   /* since the point moved last */
    closest.length = INFINITY;
    for (*supports = 0; *supports < MOST_STEPS && stalled < PATIENCE && abut_length(m->v) > m->rounding;) {
        abut_vec3 outward = abut_unit(m->v);
        cast_point p = support_point(m, outward);
        ++*supports;
        double height = abut_dot(outward, p.w), reached = abut_dot(outward, way->ray);
        if (!(height > 0.0)) {
            break; /* rounding error puts the origin outside C */
        }
        bool nearer = reached > 0.0 && height < m->place * reached;
        if (nearer) {
            closest.length = m->place * reached - height > m->rounding ? INFINITY : closest.length;
            m->place = height / reached;
            m->direction = outward;
        }
        if (-(height + abut_dot(outward, way->origin)) > apart) {
            m->direction = outward;
            return true;
        }
        bool known = is_known(m, &p);
        if (!nearer && known) {
            break;
        }
        if (!known) {
            add_point(m, &p);
        }
        follow(m);
        stalled = nearer || m->length < least ? 0 : stalled + 1;
        least = real_min(least, m->length);
        if (m->fine && m->length < closest.length) {
            closest = *m;
        }
    }
    if (m->fine) {
        return_to(m, &closest);
    }
    return false;
}

/* The facet normal from the simplex and its weights. The vertices serve as the columns of a last basis of the simplex method. */
static contact_normal normal_of_facet(const march *m, abut_vec3 previous) {
    gauge g = {.direction = m->direction, .lower = ray_cast_value(m->cast, m->direction)};
    for (int32_t i = 0; i < 3; ++i) {
        bool used = i < m->simplex.count;
        const cast_point *p = &m->point[m->simplex.vertex_a[used ? i : 0]];
        g.column[i] = (gauge_column){.a = p->a, .b = p->b, .w = p->w, .vertex_a = p->vertex_a, .vertex_b = p->vertex_b};
        g.weight[i] = used ? m->simplex.weight[i] / m->place : 0.0;
    }
    return ray_facet_normal(m->cast, &g, previous);
}

/* The normal of round bodies. B is moved so that the point on the ray becomes the origin of A - B. The cores are then apart by the radius, and the normal is
 * that of their distance. Any other distance is the error of the point. */
static contact_normal normal_of_cores(march *m) {
    const convex *a = m->cast->a, *b = m->cast->b;
    abut_vec3 shift = abut_add_scaled(m->cast->way.origin, m->place, m->cast->way.ray);
    convex moved = *b;
    moved.position = abut_add(b->position, shift);
    gjk_result d = gjk_solve(a, &moved);
    bool apart = d.distance > 0.0; /* only rounding error can put the point inside the cores */
    contact_normal normal = {.direction = m->direction};
    if (apart) {
        normal = normal_of_distance(a, &moved, &d);
        m->length = fabs(d.distance - m->radius);
    }
    normal.on_a = abut_add_scaled(d.on_a, a->radius, normal.direction);
    normal.on_b = abut_add_scaled(abut_sub(d.on_b, shift), -b->radius, normal.direction);
    normal.gap = -gauge_support(a, b, normal.direction);
    return normal;
}

void growth_ray_cast(const ray_cast *cast, double inside, abut_vec3 previous, double apart, growth_result *result) {
    const convex *a = cast->a, *b = cast->b;
    double sizes = a->size + b->size, reach = 2.0 * sizes; /* C, with the origin in it, is less than sqrt(3) times the sizes across */
    march m = {.cast = cast,
               .radius = a->radius + b->radius,
               .rounding = growth_rounding(cast),
               .place = reach / abut_length(cast->way.ray),
               .direction = abut_unit(cast->way.ray)};
    m.v = abut_scale(m.place, cast->way.ray); /* from the origin, which lies in C */
    result->apart = run(&m, apart, &result->supports);
    if (result->apart) {
        result->normal = (contact_normal){.direction = m.direction, .gap = -gauge_support(a, b, m.direction)};
        return;
    }
    result->normal = convex_are_polytopes(a, b) ? normal_of_facet(&m, previous) : normal_of_cores(&m);
    result->alpha = result->alpha_lower = real_max(1.0 / m.place, ray_cast_value(cast, result->normal.direction));
    growth_certify(cast, inside, growth_factor_beyond(cast, inside, m.length) / m.place, result);
}

/* The points of the simplex that are closest to the point on the ray. */
static void points_of_simplex(const march *m, contact_normal *normal) {
    normal->on_a = normal->on_b = abut_vec3_make(0.0, 0.0, 0.0);
    for (int32_t i = 0; i < m->simplex.count; ++i) {
        const cast_point *p = &m->point[m->simplex.vertex_a[i]];
        normal->on_a = abut_add_scaled(normal->on_a, m->simplex.weight[i], abut_add_scaled(p->a, m->cast->a->radius, p->outward));
        normal->on_b = abut_add_scaled(normal->on_b, m->simplex.weight[i], abut_add_scaled(p->b, -m->cast->b->radius, p->outward));
    }
}

void growth_ray_finish(const ray_cast *cast, double inside, growth_result *result) {
    const double place = growth_place(result), missed = growth_missed(cast, result);
    march m = {.cast = cast,
               .radius = cast->a->radius + cast->b->radius,
               .rounding = growth_rounding(cast),
               .place = place,
               .direction = result->normal.direction,
               .v = result->normal.direction,
               .fine = true};
    int32_t supports;
    (void)run(&m, INFINITY, &supports);
    result->supports += supports;
    if (!(m.length < missed)) {
        return;
    }
    result->normal.direction = m.direction;
    points_of_simplex(&m, &result->normal);
    if (m.place < place) {
        result->alpha_lower = 1.0 / m.place;
        result->alpha = result->converged ? result->alpha_lower : result->alpha;
    }
    if (!result->converged) {
        growth_certify(cast, inside, real_min(result->alpha, growth_factor_beyond(cast, inside, m.length) / m.place), result);
    }
}
