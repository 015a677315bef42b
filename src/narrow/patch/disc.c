/* Discs as polygons in the contact plane: see disc.h. */
#include "narrow/patch/disc.h"

#include "base/elementary.h"
#include "base/real.h"

/* cos(2 pi k / 84) for a quarter of the circle. */
static const double quarter[DISC_CORNERS / 4 + 1] = {1.0,
                                                     0.9972037971811801,
                                                     0.9888308262251285,
                                                     0.9749279121818236,
                                                     0.9555728057861407,
                                                     0.9308737486442042,
                                                     0.9009688679024191,
                                                     0.8660254037844386,
                                                     0.8262387743159949,
                                                     0.7818314824680298,
                                                     0.7330518718298263,
                                                     0.6801727377709194,
                                                     0.6234898018587335,
                                                     0.5633200580636221,
                                                     0.5,
                                                     0.4338837391175581,
                                                     0.36534102436639504,
                                                     0.2947551744109042,
                                                     0.2225209339563144,
                                                     0.14904226617617444,
                                                     0.07473009358642425,
                                                     0.0};

static void direction_of(int32_t k, double direction[2]) {
    enum { QUARTER = DISC_CORNERS / 4 };
    const double c = quarter[k % QUARTER], s = quarter[QUARTER - k % QUARTER];
    const double turned[4][2] = {{c, s}, {-s, c}, {-c, -s}, {s, -c}};
    direction[0] = turned[k / QUARTER][0];
    direction[1] = turned[k / QUARTER][1];
}

/* The disc's rim in the contact plane: middle + radius (cos t u + sin t v), counter-clockwise about the contact normal or not. */
typedef struct ellipse {
    double x, y, ux, uy, vx, vy;
    bool backwards;
} ellipse;

static ellipse ellipse_of(const contact_plane *plane, const convex *body, int32_t end) {
    const frustum *f = &body->shape->round;
    abut_vec3 middle = convex_to_pair(body, abut_vec3_make(0.0, 0.0, f->z[end]));
    abut_vec3 u = convex_direction_to_pair(body, abut_vec3_make(f->radius[end], 0.0, 0.0));
    abut_vec3 v = convex_direction_to_pair(body, abut_vec3_make(0.0, f->radius[end], 0.0));
    ellipse e = {abut_dot(plane->first, middle),
                 abut_dot(plane->second, middle),
                 abut_dot(plane->first, u),
                 abut_dot(plane->second, u),
                 abut_dot(plane->first, v),
                 abut_dot(plane->second, v),
                 false};
    e.backwards = e.ux * e.vy - e.uy * e.vx < 0.0;
    return e;
}

/* A point of the rim, ordered by its turn from the x axis of the body. */
typedef struct rim_point {
    double c, s;        /* cosine and sine of the turn */
    int32_t name, side; /* side: the name of the side from this point to the next one */
} rim_point;

/* Any function that grows with the turn, 0 to 4. */
static double turn_of(double c, double s) {
    double part = fabs(s) / (fabs(c) + fabs(s));
    return c > 0.0 ? (s >= 0.0 ? part : 4.0 - part) : (s > 0.0 ? 2.0 - part : 2.0 + part);
}

enum { MOST_CROSSINGS = 64 };

/* Points of the rim beside the fixed ones, by increasing turn. */
typedef struct rim {
    rim_point point[MOST_CROSSINGS + 1];
    double turn[MOST_CROSSINGS + 1];
    int32_t count, room;
} rim;

/* Does nothing when there is no room. */
static void insert(rim *r, double c, double s, int32_t name) {
    const double turn = turn_of(c, s);
    int32_t at = r->count;
    if (at == r->room) {
        return;
    }
    for (; at > 0 && r->turn[at - 1] > turn; --at) {
        r->point[at] = r->point[at - 1];
        r->turn[at] = r->turn[at - 1];
    }
    r->point[at] = (rim_point){c, s, name, name};
    r->turn[at] = turn;
    ++r->count;
}

/* ---- where the rim crosses another figure ---- */

/* The turns where the rim crosses the line through the points p and q, if they lie between both. */
static void cross_side(const ellipse *e, const planar_corner *p, const planar_corner *q, rim *r) {
    double nx = p->y - q->y, ny = q->x - p->x, a = nx * e->ux + ny * e->uy, b = nx * e->vx + ny * e->vy;
    double offset = nx * (p->x - e->x) + ny * (p->y - e->y), length = a * a + b * b, rest = length - offset * offset;
    if (!(length > 0.0) || rest < 0.0) {
        return;
    }
    double root = sqrt(rest), dx = q->x - p->x, dy = q->y - p->y, whole = dx * dx + dy * dy;
    for (int side = -1; side <= 1; side += 2) {
        double c = (offset * a - side * root * b) / length, s = (offset * b + side * root * a) / length, unit = sqrt(c * c + s * s);
        c /= unit;
        s /= unit;
        double along = (e->x + c * e->ux + s * e->vx - p->x) * dx + (e->y + c * e->uy + s * e->vy - p->y) * dy;
        if (along >= 0.0 && along <= whole) {
            insert(r, c, s, -1);
        }
    }
}

/* The common points of two discs that are parallel to the contact plane. */
static void cross_circle(const ellipse *e, double radius, const ellipse *other, double other_radius, rim *r) {
    double dx = other->x - e->x, dy = other->y - e->y, square = dx * dx + dy * dy, distance = sqrt(square);
    if (!(distance > 0.0) || distance > radius + other_radius || distance < fabs(radius - other_radius)) {
        return;
    }
    double along = 0.5 * (square + (radius - other_radius) * (radius + other_radius)) / distance;
    double across = sqrt(real_max(0.0, (radius - along) * (radius + along)));
    for (int side = -1; side <= 1; side += 2) {
        double x = (along * dx - side * across * dy) / distance, y = (along * dy + side * across * dx) / distance;
        double c = (x * e->ux + y * e->uy) / (radius * radius), s = (x * e->vx + y * e->vy) / (radius * radius), unit = sqrt(c * c + s * s);
        insert(r, c / unit, s / unit, -1);
    }
}

/* Below 0 inside the ellipse, 0 on it. */
static double beyond(const ellipse *e, double x, double y) {
    double dx = x - e->x, dy = y - e->y, area = e->ux * e->vy - e->uy * e->vx;
    double along = dx * e->vy - dy * e->vx, across = e->ux * dy - e->uy * dx;
    return (along - area) * (along + area) + across * across;
}

/* The same for a point of the rim in another disc. */
static double rim_beyond(const ellipse *e, const ellipse *other, double c, double s) {
    return beyond(other, e->x + c * e->ux + s * e->vx, e->y + c * e->uy + s * e->vy);
}

/* The crossing between two turns, inside at the first and outside at the second one, by bisection. */
static void cross_between(const ellipse *e, const ellipse *other, const double inside[2], const double outside[2], rim *r) {
    double in[2] = {inside[0], inside[1]}, out[2] = {outside[0], outside[1]};
    for (int i = 0; i < 52; ++i) {
        double c = in[0] + out[0], s = in[1] + out[1], length = sqrt(c * c + s * s);
        double *end = rim_beyond(e, other, c / length, s / length) < 0.0 ? in : out;
        end[0] = c / length;
        end[1] = s / length;
    }
    insert(r, in[0], in[1], -1);
}

/* The common points of two discs that are not parallel to each other: two ellipses of the plane, which have at most four. */
static void cross_ellipse(const ellipse *e, const ellipse *other, rim *r) {
    double last[2], next[2];
    direction_of(DISC_CORNERS - 1, last);
    bool last_inside = rim_beyond(e, other, last[0], last[1]) < 0.0;
    for (int32_t k = 0; k < DISC_CORNERS; ++k) {
        direction_of(k, next);
        bool inside = rim_beyond(e, other, next[0], next[1]) < 0.0;
        if (inside != last_inside) {
            cross_between(e, other, inside ? next : last, inside ? last : next, r);
        }
        last_inside = inside;
        last[0] = next[0];
        last[1] = next[1];
    }
}

static bool is_within(const contact_plane *plane, const convex *body, double sine) {
    abut_vec3 local = convex_direction_to_local(body, plane->normal);
    return frustum_rho(local.x, local.y) <= sine;
}

static bool is_parallel(const contact_plane *plane, const convex *body) { return is_within(plane, body, 1e-7); }

/* Whether no point of the rim is deeper than the next fixed one by more than rounding error. The direction of the deepest one says nothing then. */
static bool is_level(const contact_plane *plane, const convex *body) { return is_within(plane, body, 1e-13); }

static void cross_disc(const contact_plane *plane, const convex *body, int32_t end, const ellipse *e, const disc_beside *beside, rim *r) {
    ellipse other = ellipse_of(plane, beside->body, beside->end);
    r->room = DISC_CROSSINGS;
    if (is_parallel(plane, body) && is_parallel(plane, beside->body)) {
        cross_circle(e, body->shape->round.radius[end], &other, beside->body->shape->round.radius[beside->end], r);
    } else {
        cross_ellipse(e, &other, r);
    }
}

/* A figure with more crossings is so near to the rim that they say nothing. */
static void cross_figure(const planar_figure *figure, const ellipse *e, rim *r) {
    r->room = MOST_CROSSINGS;
    for (int32_t i = 0; figure->count > 2 && i < figure->count; ++i) {
        cross_side(e, &figure->corner[i], &figure->corner[i + 1 < figure->count ? i + 1 : 0], r);
    }
    if (r->count == MOST_CROSSINGS) {
        r->count = 0;
    }
}

/* ---- corners ---- */

static bool are_near(double c, double s, const rim_point *p) {
    const double near = 1e-7;
    return fabs(c - p->c) <= near && fabs(s - p->s) <= near;
}

/* Appends a point beside the fixed ones. A crossing takes the place of the deepest point next to it, where the height hardly changes, and the deepest point
 * that of a fixed one. A crossing next to a fixed point is left out. */
static int32_t append(const rim_point *p, bool beside_next, rim_point *all, int32_t count) {
    rim_point *before = count > 0 && are_near(p->c, p->s, &all[count - 1]) ? &all[count - 1] : NULL;
    if (p->name == DISC_CORNERS) {
        rim_point point = before != NULL && before->name < 0 ? *before : *p;
        point.name = DISC_CORNERS;
        count -= before != NULL;
        all[count++] = point;
    } else if (before != NULL && before->name == DISC_CORNERS) {
        before->c = p->c;
        before->s = p->s;
    } else if (before == NULL && !beside_next) {
        all[count++] = *p;
    }
    return count;
}

/* Names crossings and sides by increasing turn, so that the names do not depend on the side from which the disc is seen. */
static void name_others(rim_point *all, int32_t count) {
    for (int32_t i = 0, last = 0; i < count; ++i) {
        last = all[i].name >= 0 ? all[i].name : last;
        all[i].name = all[i].name >= 0 ? all[i].name : DISC_CORNERS + 1 + i;
        all[i].side = last;
    }
}

/* All points by increasing turn. */
static int32_t merge(const rim *r, const rim_point *deepest, rim_point *all) {
    int32_t count = 0, next = 0;
    for (int32_t k = 0; k <= DISC_CORNERS; ++k) {
        double direction[2] = {1.0, 0.0}, turn = 4.0;
        if (k < DISC_CORNERS) {
            direction_of(k, direction);
            turn = turn_of(direction[0], direction[1]);
        }
        for (; next < r->count && r->turn[next] < turn; ++next) {
            const rim_point *p = &r->point[next];
            count = append(p, k < DISC_CORNERS && are_near(direction[0], direction[1], p), all, count);
        }
        if (k < DISC_CORNERS && !are_near(direction[0], direction[1], deepest)) {
            all[count++] = (rim_point){direction[0], direction[1], k, k};
        }
    }
    return count;
}

int32_t disc_project(const contact_plane *plane, const convex *body, int32_t end, const disc_beside *beside, planar_corner *corner) {
    rim_point all[DISC_CORNERS + MOST_CROSSINGS + 1];
    rim r = {.count = 0};
    ellipse e = ellipse_of(plane, body, end);
    const bool level = is_level(plane, body);
    const rim_point deepest = {level ? 1.0 : body->meridian[0], level ? 0.0 : body->meridian[1], DISC_CORNERS, DISC_CORNERS};
    if (beside->body != NULL) {
        cross_disc(plane, body, end, &e, beside, &r);
    } else {
        cross_figure(&beside->figure, &e, &r);
    }
    ++r.room;
    insert(&r, deepest.c, deepest.s, deepest.name);
    int32_t count = merge(&r, &deepest, all);
    name_others(all, count);
    for (int32_t i = 0; i < count; ++i) {
        const rim_point *p = &all[e.backwards ? count - 1 - i : i];
        const rim_point *from = !e.backwards ? p : &all[i + 1 < count ? count - 2 - i : count - 1];
        corner[i] = (planar_corner){e.x + p->c * e.ux + p->s * e.vx, e.y + p->c * e.uy + p->s * e.vy, p->name, from->side};
    }
    return count;
}

bool disc_is_inside(const contact_plane *plane, const convex *p, int32_t end_p, const convex *q, int32_t end_q) {
    const double equal = 1e-9;
    if (!is_parallel(plane, p) || !is_parallel(plane, q)) {
        return false;
    }
    ellipse e = ellipse_of(plane, p, end_p), f = ellipse_of(plane, q, end_q);
    double radius = q->shape->round.radius[end_q], distance = elementary_hypot(e.x - f.x, e.y - f.y);
    return distance + p->shape->round.radius[end_p] <= radius * (1.0 + equal);
}

bool disc_holds(const contact_plane *plane, const convex *body, int32_t end, double x, double y) {
    ellipse e = ellipse_of(plane, body, end);
    return beyond(&e, x, y) <= 0.0;
}

bool disc_clearly_holds(const contact_plane *plane, const convex *body, int32_t end, planar_figure points, double room) {
    const double part = 0.99, short_of = 7e-4; /* of the radius */
    ellipse e = ellipse_of(plane, body, end);
    double area = fabs(e.ux * e.vy - e.uy * e.vx), radius = body->shape->round.radius[end];
    if (!((1.0 - short_of - part) * area > room * radius)) {
        return false; /* the ellipse is too narrow; its smaller radius is at least area / radius */
    }
    for (int32_t i = 0; i < points.count; ++i) {
        double x = points.corner[i].x - e.x, y = points.corner[i].y - e.y, c = x * e.vy - y * e.vx, s = e.ux * y - e.uy * x;
        if (!(c * c + s * s < part * part * area * area)) {
            return false;
        }
    }
    return true;
}

static void clamp(const ellipse *e, double *x, double *y) {
    double excess = beyond(e, *x, *y), area = e->ux * e->vy - e->uy * e->vx;
    if (excess > 0.0) {
        double inward = fabs(area) / sqrt(excess + area * area);
        *x = e->x + inward * (*x - e->x);
        *y = e->y + inward * (*y - e->y);
    }
}

void disc_clamp(const contact_plane *plane, const convex *body, int32_t end, double *x, double *y) {
    ellipse e = ellipse_of(plane, body, end);
    clamp(&e, x, y);
}

void disc_clamp_corners(const contact_plane *plane, const convex *body, int32_t end, planar_corner *corner, int32_t count) {
    ellipse e = ellipse_of(plane, body, end);
    for (int32_t i = 0; i < count; ++i) {
        clamp(&e, &corner[i].x, &corner[i].y);
    }
}
