/* The shapes that each stepper takes: see takes.h. */
#include "step/world/takes.h"

#include "shape/shape.h"
#include "shape/smooth.h"
#include "shape/trimesh_data.h"
#include "shape/user.h"

/* Its rows follow points, straight edges and planes. A rim is none of them, nor is a smooth edge; rounded triangles give contacts of another kind. Two meshes
 * have contacts whose points are not on the features that name them. An open mesh that moves could come over a body from behind. */
static const char *event_refusal(abut_body_kind kind, const abut_shape *shape) {
    int32_t parts = abut_shape_part_count(shape);
    for (int32_t i = 0; i < parts; i++) {
        abut_part part;
        abut_shape_part(shape, i, &part);
        switch (part.shape->kind) {
        case ABUT_SHAPE_TRIMESH:
            if (kind == ABUT_BODY_DYNAMIC || (kind == ABUT_BODY_KINEMATIC && !trimesh_has_inside(part.shape->mesh))) {
                return "the event stepper takes open triangle meshes and height fields as static bodies, closed meshes as static and "
                       "kinematic "
                       "ones, and no other meshes; use hulls and compounds, or the fixed stepper";
            }
            if (part.shape->mesh->smooth != NULL) {
                return "the event stepper does not take meshes with smooth edges; leave out the smooth angle, or use the fixed stepper";
            }
            break;
        case ABUT_SHAPE_FACETMESH:
            return "the event stepper does not take bodies of rounded triangles; use the fixed or the dem stepper";
        case ABUT_SHAPE_CYLINDER:
        case ABUT_SHAPE_CONE:
            return "the event stepper does not take cylinders and cones; use prisms and pyramids, or the fixed stepper";
        case ABUT_SHAPE_IMPLICIT:
        case ABUT_SHAPE_PARAMETRIC:
            if (smooth_is_unknown(part.shape) && part.shape->user->triangles == NULL) {
                return "the event stepper does not take smooth bodies that are not convex and too thin for a mesh; use a trimesh of the "
                       "surface and the fixed stepper";
            }
            break;
        default:
            break;
        }
    }
    return NULL;
}

/* Every shape has a skin, except smooth ones that are not convex and have no mesh. Its balls turn about their middle. */
static const char *dem_refusal(const abut_shape *shape) {
    return smooth_is_unknown(shape) && shape->user->triangles == NULL
               ? "the dem stepper does not take smooth bodies that are not convex and too thin for a mesh; use a facetmesh of the surface"
           : shape->weighted
               ? "the dem stepper takes bodies of uniform density only; use the fixed stepper for a mass centre or inertia of your own"
               : NULL;
}

const char *abut_stepper_refusal(abut_stepper stepper, abut_body_kind kind, const abut_shape *shape) {
    return shape == NULL                   ? NULL
           : stepper == ABUT_STEPPER_EVENT ? event_refusal(kind, shape)
           : stepper == ABUT_STEPPER_DEM   ? dem_refusal(shape)
                                           : NULL;
}

abut_status world_takes_body(const abut_world *world, int32_t slot) {
    const char *why = abut_stepper_refusal(world->def.stepper, world->bodies[slot].kind, world->bodies[slot].shape);
    return why == NULL ? ABUT_OK : world_refuse_body(ABUT_ERROR_UNSUPPORTED_PAIR, world, slot, why);
}

abut_status world_takes_bodies(const abut_world *world) {
    abut_status status = ABUT_OK;
    for (int32_t slot = 0; slot < world->body_used && status == ABUT_OK; slot++) {
        status = world->bodies[slot].used ? world_takes_body(world, slot) : ABUT_OK;
    }
    return status;
}
