/*
 * How far recorded shapes reach from their origins.
 */
#include "io/record/shape_radius.h"

#include <math.h>

double recording_shape_radius(const abut_recording *recording, int32_t index) {
    abut_recorded_shape shape;
    if (abut_recording_shape(recording, index, &shape) != ABUT_OK) {
        return 0.0;
    }
    double radius = shape.radius + shape.half_length;
    for (int32_t v = 0; v < shape.vertex_count; v++) {
        radius = fmax(radius, abut_length(shape.vertices[v]));
    }
    for (int32_t i = 0; i < shape.part_count; i++) {
        radius = fmax(radius, abut_length(shape.parts[i].pose.position) + recording_shape_radius(recording, shape.parts[i].shape));
    }
    return radius;
}
