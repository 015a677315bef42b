/* Corners of polytopes on planes: see corners_on_plane.h. Pair's frame. */
#include "narrow/patch/corners_on_plane.h"

/* How points of the contact plane are lifted to the plane: its height along `outward` at the origin, and its slope along the two axes. The slope is no more
 * than rounding error, but part of every answer. */
typedef struct plane_lift {
    double height[3];
} plane_lift;

static plane_lift lift_of(const contact_plane *frame, const whole_plane *plane) {
    double slope = abut_dot(plane->outward, plane->outward);
    return (plane_lift){
        {plane->offset / slope, -abut_dot(plane->outward, frame->first) / slope, -abut_dot(plane->outward, frame->second) / slope}};
}

static abut_vec3 foot_of(const contact_plane *frame, const whole_plane *plane, const plane_lift *lift, double x, double y) {
    double t = lift->height[0] + lift->height[1] * x + lift->height[2] * y;
    return abut_add_scaled(abut_add(abut_scale(x, frame->first), abut_scale(y, frame->second)), t, plane->outward);
}

/* Corner i of the feature. The corners of a face run counter-clockwise about the contact normal. */
static int32_t vertex_at(const convex *body, abut_feature feature, int32_t i, bool backwards) {
    const polytope *surface = body->surface;
    if (feature.kind == ABUT_FEATURE_FACE) {
        const polytope_face *face = &surface->face[feature.index];
        return surface->corner[face->first + (backwards ? face->count - 1 - i : i)].vertex;
    }
    return feature.kind == ABUT_FEATURE_EDGE ? surface->edges[feature.index].vertex[i] : feature.index;
}

static void name_contact(const contact_plane *frame, const convex *body, int32_t vertex, bool plane_is_a, int32_t patch,
                         const contact_list *list, abut_contact *contact) {
    const abut_feature whole = {ABUT_FEATURE_FACE, 0, 0}, corner = {ABUT_FEATURE_VERTEX, vertex, body->part};
    contact->normal = frame->normal;
    contact->area = 0.0;
    contact->feature_a = plane_is_a ? whole : corner;
    contact->feature_b = plane_is_a ? corner : whole;
    contact->id = contact_list_id(list, contact->feature_a, contact->feature_b, frame->normal);
    contact->patch = patch;
    contact->flags = 0;
}

int32_t corners_on_plane(const contact_plane *frame, const convex *body, abut_feature feature, const whole_plane *plane,
                         const patch_settings *settings, double scale, int32_t patch, contact_list *list) {
    int32_t corners = feature_corner_count(body, feature), first = list->count;
    double margin = settings->margin + CONTACT_ROUNDING * scale;
    const plane_lift lift = lift_of(frame, plane);
    overlap_scratch scratch;
    if (!overlap_scratch_take(&scratch, corners)) {
        list->out_of_memory = true;
        return 0;
    }
    for (int32_t i = 0; i < corners; ++i) {
        int32_t vertex = vertex_at(body, feature, i, !plane->is_a);
        abut_contact *contact = contact_list_room(list);
        if (contact == NULL) {
            break;
        }
        abut_vec3 corner = convex_to_pair(body, convex_vertex(body, vertex));
        double x = abut_dot(frame->first, corner), y = abut_dot(frame->second, corner);
        abut_vec3 foot = foot_of(frame, plane, &lift, x, y);
        contact->on_a = plane->is_a ? foot : corner;
        contact->on_b = plane->is_a ? corner : foot;
        contact->gap = abut_dot(frame->normal, abut_sub(contact->on_a, contact->on_b));
        if (contact->gap <= margin) {
            planar_point *kept = &scratch.point[list->count++ - first];
            name_contact(frame, body, vertex, plane->is_a, patch, list, contact);
            kept->x = x;
            kept->y = y;
        }
    }
    patch_share_area(scratch.point, list->count - first, &list->items[first]);
    list->count = first + patch_weld(&list->items[first], list->count - first, settings->weld);
    overlap_scratch_release(&scratch);
    return list->count - first;
}
