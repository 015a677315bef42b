/* Contacts of faces of boxes: see box_faces.h. Pair's frame. */
#include "narrow/patch/box_faces.h"

#include "narrow/normal/feature.h"
#include "narrow/patch/rectangle.h"

/* A face in the contact plane, and how points of the plane are lifted back to it. */
typedef struct lifted_face {
    rectangle shape;
    abut_vec3 outward; /* unit, to the other box */
    double height[3];  /* of the face's plane along `outward`: at the origin, and its slope along the two axes of the contact plane */
    int32_t face, part;
} lifted_face;

static void set_face(const contact_plane *plane, const convex *box, int32_t face, bool is_a, lifted_face *side) {
    abut_vec3 normal = feature_face_normal(box, face);
    double offset = convex_face_offset(box, face) + abut_dot(normal, box->position);
    side->outward = is_a ? abut_neg(plane->normal) : plane->normal;
    double slope = abut_dot(normal, side->outward);
    side->height[0] = offset;
    side->height[1] = -abut_dot(normal, plane->first);
    side->height[2] = -abut_dot(normal, plane->second);
    if (slope != 1.0) { /* the face that gives the normal has just this slope */
        side->height[0] /= slope;
        side->height[1] /= slope;
        side->height[2] /= slope;
    }
    side->face = face;
    side->part = box->part;
    rectangle_of_face(plane, box, face, is_a, &side->shape);
}

/* foot: the point of the contact plane. */
static inline abut_vec3 lift(const lifted_face *side, int32_t on, const rectangle_point *p, abut_vec3 foot) {
    if (on < RECTANGLE_SIDE) {
        return side->shape.corner[on];
    }
    return abut_add_scaled(foot, side->height[0] + side->height[1] * p->x + side->height[2] * p->y, side->outward);
}

static inline abut_feature feature_at(const lifted_face *side, int32_t on) {
    if (on < RECTANGLE_SIDE) {
        return (abut_feature){ABUT_FEATURE_VERTEX, side->shape.vertex[on], side->part};
    }
    if (on < RECTANGLE_INSIDE) {
        return (abut_feature){ABUT_FEATURE_EDGE, side->shape.edge[on - RECTANGLE_SIDE], side->part};
    }
    return (abut_feature){ABUT_FEATURE_FACE, side->face, side->part};
}

static inline void place_contact(const contact_plane *plane, const lifted_face *a, const lifted_face *b, const rectangle_point *p,
                                 abut_contact *contact) {
    abut_vec3 foot = abut_add(abut_scale(p->x, plane->first), abut_scale(p->y, plane->second));
    abut_vec3 on_a = lift(a, p->on_a, p, foot), on_b = lift(b, p->on_b, p, foot);
    contact->on_a = abut_vec3_make(on_a.x, on_a.y, on_a.z);
    contact->on_b = abut_vec3_make(on_b.x, on_b.y, on_b.z);
    contact->gap = abut_dot(plane->normal, abut_sub(on_a, on_b));
}

static inline void name_contact(const contact_plane *plane, const lifted_face *a, const lifted_face *b, const rectangle_point *p,
                                double weld, int32_t patch, const contact_list *list, abut_contact *contact) {
    contact->normal = plane->normal;
    contact->area = 0.0;
    contact->feature_a = feature_at(a, rectangle_place(&a->shape, p, p->on_a, weld));
    contact->feature_b = feature_at(b, rectangle_place(&b->shape, p, p->on_b, weld));
    contact->id = contact_list_id(list, contact->feature_a, contact->feature_b, plane->normal);
    contact->patch = patch;
    contact->flags = 0;
}

int32_t box_faces_intersect(const contact_plane *plane, const convex *a, int32_t face_a, const convex *b, int32_t face_b,
                            const patch_settings *settings, double scale, int32_t patch, contact_list *list) {
    lifted_face side_a, side_b;
    rectangle_point point[RECTANGLES_MOST + 2];
    planar_point kept[RECTANGLES_MOST + 2];
    set_face(plane, a, face_a, true, &side_a);
    set_face(plane, b, face_b, false, &side_b);
    int32_t count = rectangles_intersect(&side_a.shape, &side_b.shape, 1e-12 * scale, point), first = list->count;
    double margin = settings->margin + CONTACT_ROUNDING * scale;
    for (int32_t i = 0; i < count; ++i) {
        abut_contact *contact = contact_list_room(list);
        if (contact == NULL) {
            return 0;
        }
        place_contact(plane, &side_a, &side_b, &point[i], contact);
        if (contact->gap <= margin) {
            name_contact(plane, &side_a, &side_b, &point[i], settings->weld, patch, list, contact);
            planar_point *corner = &kept[list->count - first];
            corner->x = point[i].x;
            corner->y = point[i].y;
            ++list->count;
        }
    }
    patch_share_area(kept, list->count - first, &list->items[first]);
    list->count = first + patch_weld(&list->items[first], list->count - first, settings->weld);
    return list->count - first;
}
