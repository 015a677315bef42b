#pragma once

#include "geom/planar.h"
#include "narrow/normal/convex.h"
#include "narrow/normal/feature_overlap.h"

/*
 * The disc of a cylinder or a cone as a polygon in the contact plane. Its corners lie on the rim: 84 that are fixed to the body, the deepest point, and the
 * points where the rim crosses the other figure. So the deepest contact and the corners of the overlap are exact, and elsewhere the polygon falls short of the
 * disc by at most 7e-4 of the radius; all of it misses 9.4e-4 of the area.
 */

enum { DISC_CORNERS = 84, DISC_CROSSINGS = 4 /* of two discs */ };

/* The largest number of corners beside a figure of so many corners, or beside another disc (0). */
static inline int32_t disc_capacity(int32_t other_count) {
    return DISC_CORNERS + 1 + (2 * other_count > DISC_CROSSINGS ? 2 * other_count : DISC_CROSSINGS);
}

/* The other figure of the contact plane: a disc, or a polygon. */
typedef struct disc_beside {
    const convex *body; /* NULL for a polygon */
    int32_t end;
    planar_figure figure;
} disc_beside;

/* Writes the corners, counter-clockwise about the contact normal, and returns their number. The meridian of the body points to its deepest point. Their names:
 * the fixed corners have their number as vertex, the deepest one DISC_CORNERS, and the crossings numbers above it by increasing turn about the body's axis.
 * A side has the number of the last fixed corner before it, by the same turn. So the names are the same seen from either side. */
int32_t disc_project(const contact_plane *plane, const convex *body, int32_t end, const disc_beside *beside, planar_corner *corner);

/* Whether disc p lies inside disc q, up to 1e-9 of the radius, seen along the contact normal; both are parallel to the contact plane up to rounding error. */
bool disc_is_inside(const contact_plane *plane, const convex *p, int32_t end_p, const convex *q, int32_t end_q);

/* Whether the disc, seen along the contact normal, holds a point of the contact plane. */
bool disc_holds(const contact_plane *plane, const convex *body, int32_t end, double x, double y);

/* Whether the points lie inside the polygon of the disc, farther than `room` from its sides. False also for some points near them. */
bool disc_clearly_holds(const contact_plane *plane, const convex *body, int32_t end, planar_figure points, double room);

/* Moves a point of the contact plane that lies beyond the disc towards its middle, onto its rim. */
void disc_clamp(const contact_plane *plane, const convex *body, int32_t end, double *x, double *y);

/* The same for corners. */
void disc_clamp_corners(const contact_plane *plane, const convex *body, int32_t end, planar_corner *corner, int32_t count);
