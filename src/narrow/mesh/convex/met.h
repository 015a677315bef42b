#pragma once

#include "narrow/mesh/convex/about.h"
#include "narrow/mesh/convex/apart.h"
#include "narrow/mesh/convex/convex.h"
#include "narrow/mesh/convex/level.h"
#include "narrow/mesh/index/edges.h"
#include "narrow/mesh/index/hub.h"
#include "narrow/mesh/index/near.h"
#include "narrow/mesh/index/parts.h"
#include "narrow/mesh/index/planes.h"
#include "narrow/mesh/convex/rim.h"
#include "narrow/patch/patch.h"

/*
 * The contacts of a convex body with single triangles of a surface. Set frame; the body is A, the mesh B.
 */

/* A triangle that the body meets, with the contacts found for it. */
typedef struct met_triangle {
    mesh_triangle triangle;
    abut_vec3 normal; /* from the mesh to the body */
    double depth; /* translation along the normal that takes the body out of the triangle; not above rounding if they are apart [length] */
    double bound; /* least depth of the body in the triangle alone: no way out of the surface is shorter */
    double aside; /* no way along a direction that is not close to the triangle's own normal is shorter than this */
    int32_t first, count; /* contacts in the list */
    int32_t order;        /* position in the order of discovery */
    bool own;             /* the normal is the triangle's own */
    bool sunk;            /* the body intersects the triangle, not only the half-space below its plane */
    bool waits;           /* has no contact of its own yet, because a neighbour's contact should serve */
    bool unsounded;       /* `bound` and `aside` are only known to be no less than they are told: met_sound() finds them */
    mesh_facet start;     /* where it begins to look for them */
} met_triangle;

/* The nearest triangle so far of those that the body does not intersect and sees from the front. */
typedef struct met_nearest {
    mesh_triangle triangle;
    contact_normal normal; /* of the body and the triangle; its gap is infinite if there is none */
    double size;           /* of the triangle */
    double behind; /* least computed gap of a triangle that is seen from behind and so makes no contact; infinite if there is none */
    bool sunk;     /* the body intersects a triangle, so that it is not apart from the surface */
} met_nearest;

/* A way out of a triangle over an edge or a corner of it or of a neighbour, where its own normal is much longer. */
typedef struct met_way {
    mesh_triangle of, over;
    abut_vec3 normal; /* from the mesh to the body */
    double depth;
} met_way;

/* The contacts of planes: an index of the first `count` contacts of the list, those of each cell of planes by depth, and one of the contacts
 * after these, up to `late_end`, in any order. */
typedef struct plane_depths {
    mesh_planes planes, late;
    int32_t count, late_end;
    int32_t late_room; /* of `late`; 0: not made */
} plane_depths;

/* The widest triangle of the plane that was asked about last: see side.h. */
typedef struct mesh_side {
    mesh_triangle widest;
    bool turned; /* it pushes towards its back */
    bool made;
} mesh_side;

typedef struct convex_work {
    const mesh_set *set;
    mesh_edges *edges;    /* of the set */
    mesh_near *near;      /* finds the triangles of the set at a point */
    mesh_hub *hub;        /* the same, where many meet */
    mesh_spot *spot;      /* the same, outside of the body */
    mesh_parts *parts;    /* finds those in one plane */
    mesh_beyond *beyond;  /* finds those that a moved body meets */
    mesh_facing *facing;  /* knows directions that none of them faces */
    mesh_level *level;    /* knows those that only their own normal serves */
    mesh_abouts *abouts;  /* knows the ways over those at a corner */
    int64_t *gathered;    /* see mesh_rim */
    plane_depths *depths; /* set `count` to 0 when contacts before it change their numbers */
    const convex *body;
    abut_vec3 middle; /* a point well inside the body */
    const mesh_convex_settings *settings;
    patch_settings patch;
    mesh_apart apart;   /* directions that separated the body from triangles so far */
    contact_list *list; /* contacts of all triangles so far */
    met_triangle *met;  /* [met_count]; the array `few`, or an allocated block */
    int32_t met_count, met_room;
    met_triangle *few;
    met_way *way; /* [way_count], allocated, or NULL */
    int32_t way_count, way_room;
    met_nearest *nearest;
    mesh_side *side;
} convex_work;

/* Drops the contacts from `first` on. */
static inline void met_forget(contact_list *list, int32_t first) { list->count = first; }

mesh_rim met_rim(const convex_work *work);

/* Whether the triangle makes no contact: it has no face, or it is one-sided and the whole body is behind it. */
bool met_is_passed_over(const convex_work *work, const mesh_triangle *t);

/* How far the body reaches along a direction, above a point. */
double met_reach_above(const convex_work *work, abut_vec3 direction, abut_vec3 point);

/* Makes the contacts with one triangle. The other triangles matter only for which normals the surface admits. Returns false if the body
 * does not meet the triangle or if a neighbour is nearer. */
bool met_touch(convex_work *work, met_triangle *met, const mesh_facet *start);

/* Makes the contacts for a triangle whose own normal is clearly the one of least depth. */
void met_touch_clearly(const convex_work *work, met_triangle *met, const mesh_facet *facet);

/* Makes the contacts for a triangle that only its own normal serves, and that the body has sunk into. */
void met_touch_level(const convex_work *work, met_triangle *met, const mesh_facet *start);

/* Finds the least depth in a triangle for which met_touch_level() left it open. */
void met_sound(const convex_work *work, met_triangle *met);

/* Makes the contacts at the nearest triangle, along the direction between the closest points. */
void met_touch_nearest(const convex_work *work, contact_list *list);

/* Makes the contacts along the triangle's own normal; flat: the triangle as a body. */
void met_touch_own(const convex_work *work, const convex *flat, met_triangle *met);

/* Makes the contacts along another normal, if the surface admits it, for a body that intersects the triangle or is beside it. The body's
 * lowest point may lie beside the triangle. If the surface does not admit the normal, there are none, and it returns false. */
bool met_touch_sunk(const convex_work *work, const convex *flat, const contact_normal *normal, met_triangle *met);

/* Makes the contacts along a way that was found before. */
bool met_touch_way(const convex_work *work, const met_way *way, met_triangle *met);

/* The plane of a triangle, and how deep the body is below it, by the triangle in it that tells this best (side.h). */
met_triangle met_plane(const convex_work *work, const met_triangle *met);

/* Makes the contacts of a triangle that no other contact serves, along the triangle's own normal. */
void met_touch_alone(const convex_work *work, met_triangle *met);

/* Adds the contacts of the triangles of a set that lie in the plane. */
void met_touch_coplanar(const convex_work *work, const met_triangle *met, const mesh_set *set);

/* Adds the contacts of other triangles in the plane, whether the body meets them or not: a body that leans is deepest beside the place
 * where it goes through the plane. Repeated contacts become one afterwards. Returns whether the deepest point is among them. */
bool met_touch_plane(const convex_work *work, const met_triangle *met);

/* Adds the contact of the body's lowest point with the plane of the normal, beside the surface. */
void met_touch_deepest(const convex_work *work, const met_triangle *met);

/* Whether a contact lies along the triangle's normal in its plane. */
bool met_is_in_plane(const convex_work *work, const mesh_triangle *t, const abut_contact *contact);

/* Whether a contact in the triangle's plane is as deep as the body is below it. */
bool met_is_whole(const convex_work *work, const met_triangle *met);
