/* Points of the side of a frustum over points of the contact plane: see side.h. */
#include "narrow/patch/side.h"

#include "base/real.h"
#include "narrow/normal/feature.h"

enum { STEPS = 12 };

/* The side's line in the meridian of the outward direction, and the outward direction in the frame of the body. */
typedef struct side_line {
    const contact_plane *plane;
    const convex *body;
    abut_vec3 end[2], outward, local;
    double x, y, dx, dy; /* the line in the contact plane: from end[0] to end[1] */
    double rounding;     /* of places */
} side_line;

static side_line line_of(const contact_plane *plane, const convex *body, abut_vec3 outward) {
    side_line line = {.plane = plane, .body = body, .outward = outward, .local = convex_direction_to_local(body, outward)};
    line.rounding = 1e-14 * (body->size + abut_length(body->position));
    feature_edge(body, 0, line.end);
    abut_vec3 along = abut_sub(line.end[1], line.end[0]);
    line.x = abut_dot(plane->first, line.end[0]);
    line.y = abut_dot(plane->second, line.end[0]);
    line.dx = abut_dot(plane->first, along);
    line.dy = abut_dot(plane->second, along);
    return line;
}

/* The point of the side over a point of the plane, by Newton's method from the line; body frame. False where the ray passes the side. */
static bool hit(const side_line *line, double x, double y, abut_vec3 *local) {
    const frustum *f = &line->body->shape->round;
    double rx = x - line->x, ry = y - line->y;
    double t = (rx * line->dx + ry * line->dy) / (line->dx * line->dx + line->dy * line->dy);
    abut_vec3 at = abut_lerp(line->end[0], line->end[1], t);
    rx -= t * line->dx;
    ry -= t * line->dy;
    at = abut_add(at, abut_add(abut_scale(rx, line->plane->first), abut_scale(ry, line->plane->second)));
    abut_vec3 p = convex_to_local(line->body, at), d = line->local;
    *local = p;
    if (fabs(rx) + fabs(ry) <= line->rounding) {
        return true; /* on the line itself, which may end in an apex */
    }
    for (int i = 0; i < STEPS; ++i) {
        double height = frustum_side_height(f, p), rho = frustum_rho(p.x, p.y);
        double slope = rho > 0.0 ? f->normal_rho * ((p.x * d.x + p.y * d.y) / rho) + f->normal_z * d.z : 0.0;
        if (fabs(height) <= line->rounding) {
            *local = p;
            return frustum_radius_at(f, p.z) >= 0.0; /* not beyond an apex */
        }
        if (!(slope > 0.0)) {
            return false;
        }
        p = abut_add_scaled(p, -height / slope, d);
    }
    return false;
}

/* How far the track must be followed to an end of the side; 0 for points of the side. */
static double way_to_end(const side_line *line, const side_track *track, double z) {
    const frustum *f = &line->body->shape->round;
    double beyond = z < f->z[0] ? f->z[0] - z : z > f->z[1] ? f->z[1] - z : 0.0;
    double along = line->dx * track->dx + line->dy * track->dy, square = line->dx * line->dx + line->dy * line->dy;
    return along != 0.0 ? beyond / f->height * (square / along) : 0.0;
}

bool side_lift(const contact_plane *plane, const convex *body, abut_vec3 outward, side_track *track, abut_vec3 *point) {
    const side_line line = line_of(plane, body, outward);
    abut_vec3 local;
    for (int i = 0; i < STEPS; ++i) {
        if (!hit(&line, track->x, track->y, &local)) {
            return false;
        }
        double way = way_to_end(&line, track, local.z);
        if (fabs(way) <= line.rounding) {
            *point = convex_to_pair(body, local);
            return true;
        }
        track->x += way * track->dx;
        track->y += way * track->dy;
    }
    return false;
}
