/*
 * The last digits of the pair of two separated bodies. On a nearly flat place of a body, points depend on digits of the direction that a unit vector of doubles
 * does not have: on those of its components in the body's frame that are next to zero. So the direction is a sum of two doubles, and its components in both
 * frames are rounded only after the products. A polygon of offsets from it holds the wanted direction. The slope at its centre of gravity cuts it, again and
 * again, and the centre becomes the direction. One axis of the offsets follows the polygon's longest diagonal: a polygon is often thinner than the digits of
 * its length.
 */

#include "base/real.h"
#include "base/twin.h"
#include "geom/expansion.h"
#include "narrow/normal/extremal/extremal.h"

enum { CORNERS = 16, MOST_LOOKS = 400, NO_LOOK = -1 };

typedef struct offset {
    double u, v; /* along the axes */
} offset;

typedef struct long_vec3 {
    abut_vec3 high, low;
} long_vec3;

/* The support points of a direction. Their difference has no height of its own: `slope` is its part across the direction. */
typedef struct digit_point {
    abut_vec3 on_a, on_b;
    offset slope;
} digit_point;

/* A corner of the polygon. Its side is the line from the corner before, and `look` the point whose slope cut there, or NO_LOOK. */
typedef struct digit_corner {
    offset at;
    int32_t look;
} digit_corner;

/* Weights of three points. */
typedef struct mixture {
    int32_t point[3];
    double weight[3];
    double aside; /* the slope that is left */
} mixture;

typedef struct digit_search {
    const convex *a, *b;
    double scale;
    long_vec3 direction; /* from A to B */
    abut_vec3 u, v;      /* axes of the offsets */
    digit_corner corner[CORNERS];
    int32_t count;
    digit_point point[MOST_LOOKS];
    int32_t looks;
} digit_search;

/* ---- vectors with twice the digits ---- */

static void add_long(double *high, double *low, twin term) {
    twin sum = twin_sum(*high, term.high), rest = twin_sum(sum.high, sum.low + term.low + *low);
    *high = rest.high;
    *low = rest.low;
}

static void move_long(long_vec3 *x, double length, abut_vec3 along) {
    add_long(&x->high.x, &x->low.x, twin_product(length, along.x));
    add_long(&x->high.y, &x->low.y, twin_product(length, along.y));
    add_long(&x->high.z, &x->low.z, twin_product(length, along.z));
}

static twin long_dot(abut_vec3 axis, const long_vec3 *x) {
    twin sum = {0.0, 0.0};
    add_long(&sum.high, &sum.low, twin_product(axis.x, x->high.x));
    add_long(&sum.high, &sum.low, twin_product(axis.y, x->high.y));
    add_long(&sum.high, &sum.low, twin_product(axis.z, x->high.z));
    add_long(&sum.high, &sum.low, (twin){abut_dot(axis, x->low), 0.0});
    return sum;
}

static long_vec3 to_local(const convex *body, const long_vec3 *x, double sign) {
    twin p = long_dot(body->rotation.x, x), q = long_dot(body->rotation.y, x), r = long_dot(body->rotation.z, x);
    return (long_vec3){{sign * p.high, sign * q.high, sign * r.high}, {sign * p.low, sign * q.low, sign * r.low}};
}

/* ---- support points ---- */

static void add_product(expansion *sum, double a, double b, double high, double low) {
    expansion_add_product(sum, a, high);
    expansion_add_product(sum, a, low);
    expansion_add_product(sum, -b, high);
    expansion_add_product(sum, -b, low);
}

/* (p - q) . direction, right to the last digit. */
static double higher_by(abut_vec3 p, abut_vec3 q, const long_vec3 *direction) {
    expansion sum = {.count = 0};
    add_product(&sum, p.x, q.x, direction->high.x, direction->low.x);
    add_product(&sum, p.y, q.y, direction->high.y, direction->low.y);
    add_product(&sum, p.z, q.z, direction->high.z, direction->low.z);
    return expansion_value(&sum);
}

/* The vertex of a polytope that is extreme along a direction, core frame. */
static abut_vec3 extreme_vertex(const convex *body, const long_vec3 *direction) {
    const double doubt = 1e-14 * body->size;
    abut_vec3 best = convex_vertex(body, convex_local_support(body, direction->high));
    for (int32_t i = 0; i < body->surface->vertex_count; ++i) {
        abut_vec3 vertex = convex_vertex(body, i);
        if (abut_dot(abut_sub(vertex, best), direction->high) >= -doubt && higher_by(vertex, best, direction) > 0.0) {
            best = vertex;
        }
    }
    return best;
}

/* sign: of the direction outward. */
static abut_vec3 support_of(const convex *body, const long_vec3 *direction, double sign) {
    long_vec3 local = to_local(body, direction, sign);
    abut_vec3 point;
    if (body->core == CORE_FRUSTUM) {
        (void)frustum_support(&body->shape->round, local.high, &point);
    } else {
        point = body->core == CORE_SMOOTH     ? smooth_support(body->shape, local.high)
                : body->core == CORE_POLYTOPE ? extreme_vertex(body, &local)
                                              : convex_vertex(body, convex_local_support(body, local.high));
    }
    return convex_to_pair(body, point);
}

/* The part of a difference of points across the direction, along both axes. */
static offset slope_of(const digit_search *search, abut_vec3 w) {
    abut_vec3 direction = abut_unit(search->direction.high), aside = abut_add_scaled(w, -abut_dot(w, direction), direction);
    return (offset){abut_dot(aside, search->u), abut_dot(aside, search->v)};
}

static const digit_point *look(digit_search *search) {
    digit_point *p = &search->point[search->looks++];
    p->on_a = support_of(search->a, &search->direction, 1.0);
    p->on_b = support_of(search->b, &search->direction, -1.0);
    p->slope = slope_of(search, abut_sub(p->on_a, p->on_b));
    return p;
}

/* ---- the polygon ---- */

static double cross_of(offset p, offset q) { return p.u * q.v - p.v * q.u; }

static offset difference(offset p, offset q) { return (offset){p.u - q.u, p.v - q.v}; }

/* Makes the longest diagonal's direction the first axis, up to the digits that count. Returns its length. */
static double align(digit_search *search) {
    offset along = {0.0, 0.0};
    for (int32_t i = 0; i < search->count; ++i) {
        for (int32_t k = 0; k < i; ++k) {
            offset d = difference(search->corner[i].at, search->corner[k].at);
            along = real_max(fabs(d.u), fabs(d.v)) > real_max(fabs(along.u), fabs(along.v)) ? d : along;
        }
    }
    bool exchanged = fabs(along.v) > fabs(along.u);
    double slant = exchanged ? along.u / along.v : along.v / along.u;
    abut_vec3 u = exchanged ? search->v : search->u, v = exchanged ? search->u : search->v;
    slant = fabs(slant) > 1e-8 ? slant : 0.0;
    search->u = abut_add_scaled(u, slant, v);
    search->v = v;
    for (int32_t i = 0; i < search->count; ++i) {
        offset c = search->corner[i].at, d = exchanged ? (offset){c.v, c.u} : c;
        search->corner[i].at = (offset){d.u, d.v - slant * d.u};
    }
    return real_max(fabs(along.u), fabs(along.v));
}

static offset centre_of(const digit_search *search) {
    double whole = 0.0;
    offset sum = {0.0, 0.0}, first = search->corner[0].at;
    for (int32_t i = 1; i + 1 < search->count; ++i) {
        offset p = difference(search->corner[i].at, first), q = difference(search->corner[i + 1].at, first);
        double area = fabs(cross_of(p, q));
        sum = (offset){sum.u + area * (p.u + q.u), sum.v + area * (p.v + q.v)};
        whole += area;
    }
    double factor = whole > 0.0 ? 1.0 / (3.0 * whole) : 0.0;
    return (offset){first.u + factor * sum.u, first.v + factor * sum.v};
}

/* Makes the centre of gravity the direction, from which offsets count. */
static void move_to_centre(digit_search *search) {
    offset centre = centre_of(search);
    move_long(&search->direction, centre.u, search->u);
    move_long(&search->direction, centre.v, search->v);
    for (int32_t i = 0; i < search->count; ++i) {
        search->corner[i].at = difference(search->corner[i].at, centre);
    }
}

/* Makes the polygon a rectangle. */
static void set_rectangle(digit_search *search, offset low, offset high) {
    search->count = 4;
    search->corner[0] = (digit_corner){low, NO_LOOK};
    search->corner[1] = (digit_corner){{high.u, low.v}, NO_LOOK};
    search->corner[2] = (digit_corner){high, NO_LOOK};
    search->corner[3] = (digit_corner){{low.u, high.v}, NO_LOOK};
}

/* Makes these the corners, or those of the rectangle about them when they are too many. */
static void take(digit_search *search, const digit_corner *corner, int32_t count) {
    offset low = corner[0].at, high = low;
    for (int32_t i = 0; i < count && i < CORNERS; ++i) {
        search->corner[i] = corner[i];
    }
    search->count = count;
    for (int32_t i = 1; i < count && count > CORNERS; ++i) {
        low = (offset){real_min(low.u, corner[i].at.u), real_min(low.v, corner[i].at.v)};
        high = (offset){real_max(high.u, corner[i].at.u), real_max(high.v, corner[i].at.v)};
    }
    if (count > CORNERS) {
        set_rectangle(search, low, high);
    }
}

/* Keeps the offsets along which the height falls. By rounding error the cut may cross every side of a thin polygon. False when
 * nothing is left. */
static bool cut(digit_search *search) {
    const int32_t latest = search->looks - 1;
    const offset slope = search->point[latest].slope;
    digit_corner kept[2 * CORNERS];
    int32_t count = 0;
    for (int32_t i = 0; i < search->count; ++i) {
        digit_corner to = search->corner[i];
        offset from = search->corner[i > 0 ? i - 1 : search->count - 1].at;
        double before = from.u * slope.u + from.v * slope.v, here = to.at.u * slope.u + to.at.v * slope.v, part = before / (before - here);
        if ((before < 0.0 && here > 0.0) || (before > 0.0 && here < 0.0)) {
            offset crossed = {from.u + part * (to.at.u - from.u), from.v + part * (to.at.v - from.v)};
            kept[count++] = (digit_corner){crossed, before > 0.0 ? latest : to.look};
        }
        if (here <= 0.0) {
            kept[count++] = (digit_corner){to.at, before > 0.0 && here == 0.0 ? latest : to.look};
        }
    }
    if (count > 0) {
        take(search, kept, count);
    }
    return count > 0;
}

/* ---- points between support points ---- */

static double size_of(offset p) { return sqrt(p.u * p.u + p.v * p.v); }

static void offer(mixture *best, const digit_search *search, const int32_t point[3], const double weight[3]) {
    offset left = {0.0, 0.0};
    for (int i = 0; i < 3; ++i) {
        offset slope = search->point[point[i]].slope;
        left = (offset){left.u + weight[i] * slope.u, left.v + weight[i] * slope.v};
    }
    if (size_of(left) < best->aside) {
        best->aside = size_of(left);
        for (int i = 0; i < 3; ++i) {
            best->point[i] = point[i];
            best->weight[i] = weight[i];
        }
    }
}

/* The closest to no slope of a line between two points. */
static void offer_line(mixture *best, const digit_search *search, int32_t i, int32_t k) {
    offset p = search->point[i].slope, d = difference(search->point[k].slope, p);
    double square = d.u * d.u + d.v * d.v, part = square > 0.0 ? -(p.u * d.u + p.v * d.v) / square : 0.0;
    part = real_max(0.0, real_min(1.0, part));
    offer(best, search, (const int32_t[3]){i, k, i}, (const double[3]){1.0 - part, part, 0.0});
}

/* The triangle of three points, if it has no slope somewhere. */
static void offer_triangle(mixture *best, const digit_search *search, int32_t i, int32_t k, int32_t m) {
    offset p = search->point[i].slope, q = search->point[k].slope, r = search->point[m].slope;
    double x = cross_of(q, r), y = cross_of(r, p), z = cross_of(p, q), sum = x + y + z;
    if (sum != 0.0 && x * sum >= 0.0 && y * sum >= 0.0 && z * sum >= 0.0) {
        offer(best, search, (const int32_t[3]){i, k, m}, (const double[3]){x / sum, y / sum, z / sum});
    }
}

/* The latest point and those that cut the polygon's sides, as far as their height is the same up to rounding error, with their slopes along the present axes.
 * These are the points that keep the direction where it is. */
static int32_t gather(digit_search *search, int32_t level[CORNERS + 1]) {
    const double rounding = 1e-15 * search->scale;
    int32_t count = 0, latest = search->looks - 1;
    abut_vec3 direction = abut_unit(search->direction.high), w = abut_sub(search->point[latest].on_a, search->point[latest].on_b);
    for (int32_t i = 0; i <= search->count; ++i) {
        int32_t look = i < search->count ? search->corner[i].look : latest;
        if (look != NO_LOOK) {
            digit_point *p = &search->point[look];
            abut_vec3 here = abut_sub(p->on_a, p->on_b);
            p->slope = slope_of(search, here);
            if (fabs(abut_dot(direction, abut_sub(here, w))) <= rounding) {
                level[count++] = look;
            }
        }
    }
    return count;
}

/* The points between support points of one height that face each other best. Returns by how much they do not. */
static double mix(digit_search *search, extremal *found) {
    int32_t level[CORNERS + 1], count = gather(search, level);
    mixture best = {.aside = INFINITY};
    for (int32_t i = 0; i < count; ++i) {
        for (int32_t k = 0; k <= i; ++k) {
            offer_line(&best, search, level[i], level[k]);
            for (int32_t m = 0; m < k; ++m) {
                offer_triangle(&best, search, level[i], level[k], level[m]);
            }
        }
    }
    found->direction = abut_unit(search->direction.high);
    found->on_a = found->on_b = abut_vec3_make(0.0, 0.0, 0.0);
    for (int i = 0; i < 3; ++i) {
        const digit_point *p = &search->point[best.point[i]];
        found->on_a = abut_add_scaled(found->on_a, best.weight[i], p->on_a);
        found->on_b = abut_add_scaled(found->on_b, best.weight[i], p->on_b);
    }
    return best.aside;
}

/* ---- the search ---- */

static void start(digit_search *search, abut_vec3 direction) {
    const double far = 1e-3;
    search->direction = (long_vec3){.high = direction};
    abut_tangent_frame(direction, &search->u, &search->v);
    set_rectangle(search, (offset){-far, -far}, (offset){far, far});
}

void extremal_digits(const convex *a, const convex *b, extremal *found) {
    enum { BETWEEN = 8 };
    const double smallest = 1e-18, exact = 1e-15 * extremal_scale(a, b);
    digit_search search = {.a = a, .b = b, .scale = extremal_scale(a, b)};
    extremal here, best = {.direction = found->direction};
    start(&search, found->direction);
    double length = INFINITY, least = INFINITY;
    (void)look(&search);
    while (least > exact && length > smallest && search.looks < MOST_LOOKS && cut(&search)) {
        move_to_centre(&search);
        length = align(&search);
        bool wanted = size_of(look(&search)->slope) <= exact || search.looks % BETWEEN == 0 || !(length > smallest);
        double aside = wanted ? mix(&search, &here) : INFINITY;
        if (aside < least) {
            least = aside;
            best = here;
        }
    }
    extremal_look(a, b, best.direction, found);
    extremal_put_points(a, b, best.on_a, best.on_b, found);
}
