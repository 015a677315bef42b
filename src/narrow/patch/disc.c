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
    double c, s; /* cosine and sine of the turn */
    int32_t name;
} rim_point;

/* Any function that grows with the turn, 0 to 4. */
static double turn_of(double c, double s) {
    double part = fabs(s) / (fabs(c) + fabs(s));
    return c > 0.0 ? (s >= 0.0 ? part : 4.0 - part) : (s > 0.0 ? 2.0 - part : 2.0 + part);
}

typedef struct rim {
    rim_point *point; /* the extra ones, by increasing turn */
    double *turn;
    int32_t count;
} rim;

static void insert(rim *r, double c, double s, int32_t name) {
    const double turn = turn_of(c, s);
    int32_t at = r->count++;
    for (; at > 0 && r->turn[at - 1] > turn; --at) {
        r->point[at] = r->point[at - 1];
        r->turn[at] = r->turn[at - 1];
    }
    r->point[at] = (rim_point){c, s, name};
    r->turn[at] = turn;
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

static bool is_parallel(const contact_plane *plane, const convex *body) {
    const double sine = 1e-7;
    abut_vec3 local = convex_direction_to_local(body, plane->normal);
    return frustum_rho(local.x, local.y) <= sine;
}

static void cross(const contact_plane *plane, const convex *body, int32_t end, const ellipse *e, const disc_beside *beside, rim *r) {
    if (beside->body != NULL && is_parallel(plane, body) && is_parallel(plane, beside->body)) {
        ellipse other = ellipse_of(plane, beside->body, beside->end);
        cross_circle(e, body->shape->round.radius[end], &other, beside->body->shape->round.radius[beside->end], r);
        return;
    }
    const planar_figure *figure = &beside->figure;
    for (int32_t i = 0; figure->count > 2 && i < figure->count; ++i) {
        cross_side(e, &figure->corner[i], &figure->corner[i + 1 < figure->count ? i + 1 : 0], r);
    }
}

/* ---- corners ---- */

static bool are_near(double c, double s, const rim_point *p) {
    const double near = 2e-6;
    return fabs(c - p->c) <= near && fabs(s - p->s) <= near;
}

/* All points by increasing turn. The deepest point takes the place of points next to it, and a fixed one that of a crossing. */
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
            bool own = p->name == DISC_CORNERS, again = count > 0 && are_near(p->c, p->s, &all[count - 1]);
            bool fixed_next = k < DISC_CORNERS && are_near(direction[0], direction[1], p);
            if (own || !(again || fixed_next || are_near(p->c, p->s, deepest))) {
                count -= own && again ? 1 : 0;
                all[count++] = *p;
            }
        }
        if (k < DISC_CORNERS && !are_near(direction[0], direction[1], deepest)) {
            all[count++] = (rim_point){direction[0], direction[1], k};
        }
    }
    return count;
}

int32_t disc_project(const contact_plane *plane, const convex *body, int32_t end, const disc_beside *beside, planar_corner *corner) {
    enum { MOST_EXTRA = 64 };
    rim_point extra[MOST_EXTRA + 4], all[DISC_CORNERS + MOST_EXTRA + 4];
    double turn[MOST_EXTRA + 4];
    rim r = {extra, turn, 0};
    ellipse e = ellipse_of(plane, body, end);
    const rim_point deepest = {body->meridian[0], body->meridian[1], DISC_CORNERS};
    if (2 * beside->figure.count <= MOST_EXTRA || beside->body != NULL) {
        cross(plane, body, end, &e, beside, &r);
    }
    insert(&r, deepest.c, deepest.s, deepest.name);
    int32_t count = merge(&r, &deepest, all), last = 0;
    for (int32_t i = 0; i < count; ++i) {
        const rim_point *p = &all[e.backwards ? count - 1 - i : i];
        last = p->name >= 0 ? p->name : last;
        int32_t name = p->name >= 0 ? p->name : DISC_CORNERS + 1 + i;
        corner[i] = (planar_corner){e.x + p->c * e.ux + p->s * e.vx, e.y + p->c * e.uy + p->s * e.vy, name, last};
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
