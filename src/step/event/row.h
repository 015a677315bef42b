#pragma once

#include <abut/collide.h>
#include <abut/rates.h>

#include "shape/shape.h"

/*
 * A contact that is followed while its bodies move. It consists of two features, each fixed in its body. Normal, points and gap at any
 * time, and their derivatives, follow from these features and the places of the bodies; there is no search. World frame unless said
 * otherwise; normals point from B into A.
 */

typedef enum event_side_kind {
    EVENT_POINT, /* a vertex, the centre of a ball, an end of a capsule's axis */
    EVENT_LINE,  /* an edge, a capsule's axis */
    EVENT_FACE,  /* a plane */
    EVENT_CURVED /* a point that moves to where both sides face each other; both sides are of this kind: step/event/curved.h */
} event_side_kind;

/* One feature of the contact, in the part's frame. */
typedef struct event_side {
    event_side_kind kind;
    abut_vec3 point;         /* a point of the feature; for a line one end; curved: where the contact was when it was found */
    abut_vec3 direction;     /* unit; line: its direction; face: outward normal; curved: the outward normal when the contact was found */
    double length;           /* of the line, from `point` */
    double radius;           /* of the surface around the feature; 0 for sharp and flat features */
    double rounding;         /* of a superquadric: step/event/rounded.h */
    const abut_shape *shape; /* the shape with the feature, not retained; NULL for a plane made by event_row_make() */
    abut_feature feature;    /* of the shape; its part is the part of the body */
} event_side;

typedef struct event_row {
    int32_t pair;    /* index of the pair of parts */
    int32_t part[2]; /* parts of that pair, because its index may change */
    int32_t body[2]; /* A, B: indices of bodies */
    event_side side[2];
    abut_contact contact; /* as it was found */
    double slip;          /* slip when it was found; 0 if it was inside its features. The search may place the ends of features slightly
                           * differently */
    double restitution, friction; /* of the pair of bodies; no friction: 0 */
    double gap, rate;             /* the gap and its rate at the beginning of the integration step, after the impulses */
    bool follows; /* a contact with a smooth body: step/event/follow.h. Of the sides, shape and feature are set; if curved, all */
    bool parting; /* parts too fast to exert a force during this integration step */

    /* With friction, for this integration step: step/event/friction.h. */
    bool slides;   /* its surfaces slid over each other at the beginning */
    double still;  /* slower sliding counts as none */
    abut_vec3 way; /* unit direction in which A slid; if it did not slide, its slip */
} event_row;

/* The pose of a part and the motion of its body. */
typedef struct event_place {
    abut_pose pose;                /* part frame to world */
    abut_mat3 rotation;            /* rotation of the pose */
    abut_vec3 position;            /* position of the pose */
    const abut_kinematics *motion; /* of the body, about its centre of mass; as it is now, also in copies of the place */
} event_place;

/* Makes the row of a contact between two parts, given their places at the time of the contact. Parts are convex shapes, meshes or planes, not
 * compounds. */
void event_row_make(event_row *row, const abut_contact *contact, const abut_shape *a, const event_place *place_a, const abut_shape *b,
                    const event_place *place_b);

/* The contact's normal, points and gap at other places. Features, id and the rest stay. */
abut_contact event_row_look(const event_row *row, const event_place *a, const event_place *b);

/* The derivatives of normal, points and gap; NAN if they do not exist. */
void event_row_rates(const event_row *row, const abut_contact *now, const event_place *a, const event_place *b, abut_rates *rates);

/* How the normal of a contact turns in A against B: n x (w_A - w_B). It lies in the contact's plane. */
abut_vec3 event_row_turning(const abut_contact *now, const event_place *a, const event_place *b);

/* The rates of a curved body on a plane. bend: w R w, with that turning w and the radii of curvature R of the body [length/time^2]. Only the gap's rate and
 * acceleration and the arms are set. */
void event_row_rates_on_plane(const abut_contact *now, const event_place *a, const event_place *b, bool plane_is_a, double bend,
                              abut_rates *rates);

/* How far the contact is outside its features: past the side of a face or the end of an edge [length]. Negative inside; -INFINITY for
 * features without ends. */
double event_row_slip(const event_row *row, const abut_contact *now, const event_place *a, const event_place *b);

/* Signed distance of a point outside the sides of a polytope's face, in the face's plane; negative inside. Part frame. */
double event_row_outside_face(const polytope *surface, int32_t face, abut_vec3 point);

/* Whether two rows follow the same features of the same pair. */
bool event_row_is_same(const event_row *p, const event_row *q);
