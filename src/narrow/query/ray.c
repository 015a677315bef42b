/*
 * abut_ray_cast(): closed forms in the frame of the shape. A polytope is clipped plane by plane (Cyrus and Beck). A ball and the side of a
 * capsule are quadratic equations about the point of the ray nearest to their middle; ray_frustum.c has those of cylinders and cones. Normals point out of
 * the shape.
 *
 * Rays that only touch count as hits, and rounding error must not turn a ray along an edge into a miss. So the shape enlarged by a slack of
 * 1e-14 of its size decides whether a ray hits, and the shape itself decides where.
 */

#include "narrow/query/ray.h"

#include "base/argument.h"
#include "base/elementary.h"
#include "base/real.h"
#include "narrow/curved/curved.h"
#include "narrow/pair.h"
#include "narrow/query/ray_curved.h"
#include "narrow/query/ray_frustum.h"
#include "narrow/query/ray_mesh.h"
#include "shape/smooth.h"

/* The points origin + s along, with 0 <= s <= length and `along` a unit vector. */
typedef struct ray {
    abut_vec3 origin, along;
    double length;
    double slack;
} ray;

typedef struct ray_entry {
    double way; /* s at the hit */
    bool inside;
    abut_vec3 normal;
    abut_feature feature;
} ray_entry;

static abut_vec3 ray_point(const ray *r, double way) { return abut_add_scaled(r->origin, way, r->along); }

static ray_entry entry_inside(const ray *r) { return (ray_entry){.inside = true, .normal = abut_neg(r->along)}; }

/* ---- polytopes ---- */

typedef struct clip {
    double enter, leave; /* of the enlarged polytope */
    int32_t face;        /* through which the ray enters */
    double exact;        /* s where the ray meets the plane of that face */
    double height;       /* height of the origin over the face where it is largest; negative inside */
    int32_t nearest;     /* that face */
} clip;

static void clip_by_face(clip *c, double height, double slope, double slack, int32_t face) {
    if (height > c->height) {
        c->height = height;
        c->nearest = face;
    }
    if (slope < 0.0 && (height - slack) / -slope > c->enter) {
        c->enter = (height - slack) / -slope;
        c->exact = height / -slope;
        c->face = face;
    } else if (slope > 0.0) {
        c->leave = real_min_number(c->leave, (slack - height) / slope);
    } else if (slope == 0.0 && height > slack) {
        c->leave = -INFINITY;
    }
}

static bool enter_polytope(const polytope *surface, const ray *r, ray_entry *entry) {
    clip c = {.enter = -INFINITY, .leave = r->length, .face = -1, .height = -INFINITY};
    for (int32_t f = 0; f < surface->face_count; ++f) {
        double height = abut_dot(surface->normals[f], r->origin) - surface->offsets[f];
        clip_by_face(&c, height, abut_dot(surface->normals[f], r->along), r->slack, f);
    }
    if (c.height < -r->slack) {
        *entry = entry_inside(r);
        return true;
    }
    bool starts_on = c.height <= r->slack;
    if (!starts_on && (c.face < 0 || c.leave < 0.0 || c.enter > c.leave)) {
        return false;
    }
    int32_t face = starts_on ? c.nearest : c.face;
    entry->way = starts_on ? 0.0 : real_min_number(real_max_number(c.exact, c.enter), c.leave);
    entry->normal = surface->normals[face];
    entry->feature = (abut_feature){.kind = ABUT_FEATURE_FACE, .index = face};
    return true;
}

/* ---- balls and capsules ---- */

/* The entry of a ray from outside into a circle. miss: distance of its line from the middle; nearest: s of the closest point; pace: speed
 * of the ray across the circle. */
static bool enter_circle(const ray *r, double radius, double nearest, double miss, double pace, double *way) {
    double half = miss < radius ? sqrt((radius - miss) * (radius + miss)) / pace : 0.0;
    *way = real_max_number(nearest - half, 0.0);
    return miss <= radius + r->slack && nearest >= 0.0 && *way <= r->length + r->slack;
}

static bool enter_ball(const ray *r, abut_vec3 centre, double radius, double *way) {
    abut_vec3 from = abut_sub(r->origin, centre);
    double nearest = -abut_dot(from, r->along);
    return enter_circle(r, radius, nearest, abut_length(abut_add_scaled(from, nearest, r->along)), 1.0, way);
}

/* The side of a capsule, between the planes through the ends of its axis. */
static bool enter_side(const ray *r, double radius, double half_length, double *way) {
    abut_vec3 o = r->origin, u = r->along;
    double pace = elementary_hypot(u.x, u.y);
    if (!(pace > 0.0)) {
        return false;
    }
    double nearest = -(o.x * u.x + o.y * u.y) / (pace * pace);
    double miss = fabs(o.x * u.y - o.y * u.x) / pace;
    bool starts_outside = elementary_hypot(o.x, o.y) > radius;
    return starts_outside && enter_circle(r, radius, nearest, miss, pace, way) && fabs(o.z + *way * u.z) <= half_length + r->slack;
}

static abut_vec3 nearest_on_axis(abut_vec3 point, double half_length) {
    return abut_vec3_make(0.0, 0.0, real_max_number(-half_length, real_min_number(half_length, point.z)));
}

static bool enter_capsule(const abut_shape *shape, const ray *r, ray_entry *entry) {
    double h = shape->half_length, radius = shape->radius, way = INFINITY, other;
    int32_t index = 0;
    double height = abut_distance_between(r->origin, nearest_on_axis(r->origin, h)) - radius;
    if (height < -r->slack) {
        *entry = entry_inside(r);
        return true;
    }
    if (height <= r->slack) {
        way = 0.0;
        index = r->origin.z <= -h || h == 0.0 ? 0 : r->origin.z >= h ? 1 : 2;
    } else {
        for (int32_t end = 0; end < 2; ++end) {
            if (enter_ball(r, abut_vec3_make(0.0, 0.0, end == 0 ? -h : h), radius, &other) && other < way) {
                way = other;
                index = end;
            }
        }
        if (enter_side(r, radius, h, &other) && other < way) {
            way = other;
            index = 2;
        }
    }
    if (way == INFINITY) {
        return false;
    }
    abut_vec3 point = ray_point(r, way), outward = abut_unit(abut_sub(point, nearest_on_axis(point, h)));
    entry->way = real_min_number(way, r->length);
    entry->normal = abut_length_squared(outward) > 0.0 ? outward : abut_neg(r->along);
    entry->feature = (abut_feature){.kind = ABUT_FEATURE_SMOOTH, .index = index};
    return true;
}

/* ---- cylinders and cones ---- */

static bool enter_frustum(const frustum *f, const ray *r, ray_entry *entry) {
    frustum_entry found;
    if (!ray_enter_frustum(f, r->origin, r->along, r->length, r->slack, &found)) {
        return false;
    }
    *entry = found.inside ? entry_inside(r) : (ray_entry){.way = found.way, .normal = found.normal, .feature = found.feature};
    return true;
}

/* ---- smooth shapes ---- */

/*
 * Entry into a smooth convex shape. The gauge along the ray is a convex function of s. From outside, Newton's method converges from one
 * side to the first point where it is 1, or to the point where it stops falling. The gauge minus 1, divided by its slope, bounds the
 * distance from the surface.
 */
static bool enter_smooth(const abut_shape *shape, const ray *r, ray_entry *entry) {
    enum { MOST_STEPS = 200 };
    abut_vec3 slope, outside;
    double way = 0.0, value = smooth_gauge(shape, r->origin, &slope);
    outside = slope;
    if (!(value < INFINITY) || !abut_vec3_is_finite(slope)) {
        return false; /* the gauge overflows: the body is smaller than the rounding error of the origin */
    }
    bool clearly = (1.0 - value) * shape->inner_radius > r->slack || value == 0.0; /* the gauge has no slope at the centre */
    if (value <= 1.0 && clearly) {
        *entry = entry_inside(r);
        return true;
    }
    for (int i = 0; i < MOST_STEPS && (value - 1.0) > r->slack * abut_length(slope); ++i) {
        double pace = abut_dot(slope, r->along), step = (value - 1.0) / -pace;
        if (!(pace < 0.0) || !(way + step <= r->length + r->slack)) {
            return false;
        }
        if (!(way + step > way)) {
            break; /* the limit of precision is reached */
        }
        way += step;
        outside = slope;
        value = smooth_gauge(shape, ray_point(r, way), &slope);
    }
    entry->way = real_min_number(way, r->length);
    entry->normal = abut_unit(value > 0.0 ? slope : outside); /* value 0: from very far away, rounding leads to the centre, where the gauge
                                                               * has no slope */
    entry->feature = (abut_feature){.kind = ABUT_FEATURE_SMOOTH};
    return true;
}

/* ---- planes ---- */

static bool enter_plane(const abut_shape *shape, const ray *r, ray_entry *entry) {
    double height = abut_dot(shape->normal, r->origin) - shape->offset, slope = abut_dot(shape->normal, r->along);
    if (height < -r->slack) {
        *entry = entry_inside(r);
        return true;
    }
    if (height > r->slack && height + slope * r->length > r->slack) {
        return false;
    }
    entry->way = height > r->slack ? real_min_number(height / -slope, r->length) : 0.0;
    entry->normal = shape->normal;
    entry->feature = (abut_feature){.kind = ABUT_FEATURE_FACE};
    return true;
}

/* ---- any shape ---- */

/* Sum of the absolute components. It does not overflow where a square would. */
static double spread(abut_vec3 v) { return fabs(v.x) + fabs(v.y) + fabs(v.z); }

/* The ray with a slack for the shape, from the rounding error of both coordinates. The slack is at most a small fraction of the shape's
 * size. */
static ray with_slack(const abut_shape *shape, const ray *r) {
    ray own = *r;
    double coordinates = spread(r->origin) + spread(shape->bounds.lower) + spread(shape->bounds.upper) + fabs(shape->offset);
    double most = shape->kind == ABUT_SHAPE_PLANE ? INFINITY : 1e-6 * shape->size;
    own.slack = real_min_number(1e-14 * shape->size + 1e-15 * coordinates, most);
    return own;
}

static bool enter_convex(const abut_shape *shape, const ray *r, ray_entry *entry) {
    ray own = with_slack(shape, r);
    *entry = (ray_entry){.way = 0.0};
    switch (shape->kind) {
    case ABUT_SHAPE_BOX:
    case ABUT_SHAPE_POLYTOPE:
        return enter_polytope(&shape->surface, &own, entry);
    case ABUT_SHAPE_PLANE:
        return enter_plane(shape, &own, entry);
    case ABUT_SHAPE_CYLINDER:
    case ABUT_SHAPE_CONE:
        return enter_frustum(&shape->round, &own, entry);
    case ABUT_SHAPE_ELLIPSOID:
    case ABUT_SHAPE_SUPERQUADRIC:
    case ABUT_SHAPE_IMPLICIT:
    case ABUT_SHAPE_PARAMETRIC:
        return enter_smooth(shape, &own, entry);
    default:
        return enter_capsule(shape, &own, entry); /* a sphere is a capsule of length 0 */
    }
}

/* A mesh has no inside where a ray could start. Rounded triangles are treated as flat. */
static bool enter_mesh(const abut_shape *shape, const ray *r, ray_entry *entry) {
    mesh_entry found;
    if (!ray_enter_mesh(shape->mesh, r->origin, abut_scale(r->length, r->along), &found)) {
        return false;
    }
    *entry = (ray_entry){
        .way = found.fraction * r->length, .normal = found.normal, .feature = {.kind = ABUT_FEATURE_FACE, .index = found.triangle}};
    return true;
}

/* One axis of a box: clips [*enter, *leave] to the part of the ray between two planes. */
static bool stays_between(double origin, double along, double lower, double upper, double *enter, double *leave) {
    if (along == 0.0) {
        return origin >= lower && origin <= upper;
    }
    double s = (lower - origin) / along, t = (upper - origin) / along;
    *enter = real_max_number(*enter, real_min_number(s, t));
    *leave = real_min_number(*leave, real_max_number(s, t));
    return *enter <= *leave;
}

/* False if the ray certainly misses the box. */
static bool may_meet(abut_aabb box, const ray *r) {
    double room = 1e-5 * spread(abut_sub(box.upper, box.lower)) + 1e-14 * (spread(r->origin) + spread(box.lower));
    double enter = -room, leave = r->length + room;
    return stays_between(r->origin.x, r->along.x, box.lower.x - room, box.upper.x + room, &enter, &leave) &&
           stays_between(r->origin.y, r->along.y, box.lower.y - room, box.upper.y + room, &enter, &leave) &&
           stays_between(r->origin.z, r->along.z, box.lower.z - room, box.upper.z + room, &enter, &leave);
}

/* False as well for a body without a stand-in. */
static bool enter_curved(const abut_shape *shape, const ray *r, ray_entry *entry) {
    const ray own = with_slack(shape, r);
    curved_crossing first;
    if (curved_stand_in(shape) == NULL || !ray_cross_curved(shape, r->origin, r->along, own.slack, &first)) {
        return false;
    }
    if (abut_dot(first.normal, r->along) > 0.0 && first.way > own.slack) {
        *entry = entry_inside(r);
        entry->feature = curved_name((abut_feature){.kind = ABUT_FEATURE_FACE, .index = first.triangle});
        return true;
    }
    *entry = (ray_entry){.way = first.way,
                         .normal = first.normal,
                         .feature = curved_name((abut_feature){.kind = ABUT_FEATURE_FACE, .index = first.triangle})};
    return first.way <= r->length + own.slack;
}

/* The first part hit, or one in which the ray starts. */
static bool enter_compound(const abut_shape *shape, const ray *r, ray_entry *entry) {
    bool met = false;
    for (int32_t i = 0; i < shape->part_count && !(met && entry->inside); ++i) {
        const abut_part *part = &shape->parts[i];
        if (!may_meet(shape->part_bounds[i], r)) {
            continue;
        }
        ray_entry found;
        ray local = *r;
        local.origin = abut_pose_apply_inverse(part->pose, r->origin);
        local.along = abut_quat_rotate_inverse(part->pose.rotation, r->along);
        if (enter_convex(part->shape, &local, &found) && (!met || found.inside || found.way < entry->way)) {
            found.normal = abut_quat_rotate(part->pose.rotation, found.normal);
            found.feature.part = i;
            *entry = found;
            met = true;
        }
    }
    return met;
}

static abut_hit hit_of(const ray *r, const ray_entry *entry, abut_pose pose) {
    abut_hit hit = {.hit = true, .started_inside = entry->inside, .feature_b = entry->feature};
    hit.fraction = real_min_number(entry->way / r->length, 1.0);
    hit.point = abut_pose_apply(pose, ray_point(r, entry->way));
    hit.normal = abut_unit(abut_quat_rotate(pose.rotation, entry->normal));
    return hit;
}

abut_status ray_check(const char *call, const char *const names[2], abut_vec3 origin, abut_vec3 translation) {
    if (argument_is_no_vector(call, names[1], translation) || argument_is_no_vector(call, names[0], origin)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    if (translation.x == 0.0 && translation.y == 0.0 && translation.z == 0.0) {
        return refuse(ABUT_ERROR_INVALID_ARGUMENT, call, "%s is zero", names[1]);
    }
    double length = abut_dot(abut_unit(translation), translation); /* the unit vector is zero where its components overflow */
    return length > 0.0 && isfinite(length) ? ABUT_OK
                                            : refuse(ABUT_ERROR_NOT_FINITE, call, "%s is too large: its length overflows", names[1]);
}

static abut_status cast(const char *call, const abut_shape *shape, const abut_pose *pose, abut_vec3 origin, abut_vec3 translation,
                        abut_hit *hit) {
    static const char *const names[2] = {"origin", "translation"};
    abut_status status = ray_check(call, names, origin, translation);
    if (status != ABUT_OK) {
        return status;
    }
    if (curved_stand_in(shape) == NULL) {
        return refuse(ABUT_ERROR_NOT_CONVEX, call, "shape is a smooth shape that is not convex, and too thin for a mesh of its surface");
    }
    abut_vec3 along = abut_unit(translation);
    ray r = {.origin = abut_pose_apply_inverse(*pose, origin), .along = abut_quat_rotate_inverse(pose->rotation, along)};
    r.length = abut_dot(along, translation);
    if (!abut_vec3_is_finite(r.origin)) {
        return refuse(ABUT_ERROR_NOT_FINITE, call, "the distance of origin and pose is too large");
    }
    ray_entry entry;
    bool met = shape->kind == ABUT_SHAPE_COMPOUND ? enter_compound(shape, &r, &entry)
               : shape->mesh != NULL              ? enter_mesh(shape, &r, &entry)
               : smooth_is_unknown(shape)         ? enter_curved(shape, &r, &entry)
                                                  : enter_convex(shape, &r, &entry);
    *hit = met ? hit_of(&r, &entry, *pose) : (abut_hit){.fraction = 1.0};
    return ABUT_OK;
}

abut_status abut_ray_cast(const abut_shape *shape, abut_pose pose, abut_vec3 origin, abut_vec3 translation, abut_hit *hit) {
    if (argument_is_null(CALL_NAME, "shape", shape) || argument_is_null(CALL_NAME, "hit", hit)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_status status = collide_check_poses(&pose, &pose);
    return status == ABUT_OK ? cast(CALL_NAME, shape, &pose, origin, translation, hit)
                             : collide_refuse_poses(status, CALL_NAME, "", &pose, &pose);
}

abut_status abut_ray_cast_placed(const abut_placed *shape, abut_vec3 origin, abut_vec3 translation, abut_hit *hit) {
    if (argument_is_null(CALL_NAME, "hit", hit)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    return collide_are_placed(shape, shape)
               ? cast(CALL_NAME, shape->shape, &shape->pose, origin, translation, hit)
               : refuse(ABUT_ERROR_INVALID_ARGUMENT, CALL_NAME, "shape is not placed: make it with abut_place()");
}
