/*
 * Makes bodies of rounded triangles with radii that are given, estimated, or both. With both the body is made twice: the second time with the estimates of the
 * first.
 */
#include "io/mesh/facetmesh_make.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static abut_status make_mixed(const abut_facetmesh_def *def, abut_facetmesh_report *report, abut_shape **shape) {
    abut_facetmesh_def all = *def;
    all.radii = NULL;
    all.lip_radius = 0.0;
    abut_shape *estimated = NULL;
    abut_status status = abut_shape_create_facetmesh(&all, report, &estimated);
    if (status != ABUT_OK) {
        return status;
    }
    size_t count = (size_t)def->triangle_count;
    double *radii = calloc(count, sizeof *radii), *cross_radii = calloc(count, sizeof *cross_radii);
    abut_vec3 *directions = calloc(count, sizeof *directions);
    bool made = radii && cross_radii && directions;
    for (int32_t i = 0; made && i < def->triangle_count; i++) {
        abut_facet facet = {.radius = 0.0};
        abut_facet_curvatures curvatures = {.along = 0.0};
        (void)abut_shape_facet(estimated, abut_pose_identity(), i, &facet);
        (void)abut_shape_facet_curvatures(estimated, abut_pose_identity(), i, &curvatures);
        bool given = def->radii[i] != FACETMESH_ESTIMATED, round = given || curvatures.along == curvatures.across;
        radii[i] = given ? def->radii[i] : round ? facet.radius : 1.0 / curvatures.along;
        cross_radii[i] = round ? radii[i] : 1.0 / curvatures.across;
        directions[i] = curvatures.direction;
    }
    abut_shape_release(estimated);
    all.radii = radii;
    all.lip_radius = def->lip_radius;
    all.cross_radii = def->principal ? cross_radii : NULL;
    all.directions = def->principal ? directions : NULL;
    status = made ? abut_shape_create_facetmesh(&all, report, shape) : ABUT_ERROR_OUT_OF_MEMORY;
    free(radii);
    free(cross_radii);
    free(directions);
    return status;
}

abut_status facetmesh_make(const abut_facetmesh_def *def, abut_facetmesh_report *report, abut_shape **shape) {
    int32_t estimated = 0;
    for (int32_t i = 0; def->radii && i < def->triangle_count; i++) {
        estimated += def->radii[i] == FACETMESH_ESTIMATED;
    }
    if (estimated > 0 && estimated < def->triangle_count) {
        return make_mixed(def, report, shape);
    }
    abut_facetmesh_def all = *def;
    all.radii = estimated > 0 ? NULL : def->radii;
    return abut_shape_create_facetmesh(&all, report, shape);
}

abut_status facetmesh_reason(abut_status status, const abut_facetmesh_report *report, char reason[FACETMESH_REASON_SIZE]) {
    const char *sides = report->open_edge_count == 1 ? "side is" : "sides are";
    switch (status) {
    case ABUT_ERROR_NOT_CLOSED:
        snprintf(reason, FACETMESH_REASON_SIZE, "its surface is not closed: %d %s without a partner, the first in triangle %d",
                 report->open_edge_count, sides, report->first_open);
        return status;
    case ABUT_ERROR_NOT_OUTWARD:
        snprintf(reason, FACETMESH_REASON_SIZE, "its triangles are wound clockwise: the body is inside out");
        return status;
    case ABUT_ERROR_DEGENERATE:
        if (report->degenerate_count > 0) {
            snprintf(reason, FACETMESH_REASON_SIZE, "the corners of triangle %d are on one line", report->first_degenerate);
        } else {
            snprintf(reason, FACETMESH_REASON_SIZE, "it has no volume");
        }
        return status;
    case ABUT_ERROR_INVALID_ARGUMENT:
        if (report->culprit >= 0) {
            snprintf(reason, FACETMESH_REASON_SIZE,
                     "triangle %d: its lip is too wide or too narrow, the mean of both curvatures is not above 0, or its direction is "
                     "perpendicular to it",
                     report->culprit);
            return ABUT_ERROR_FORMAT;
        }
        /* fall through */
    default:
        snprintf(reason, FACETMESH_REASON_SIZE, "its sizes are outside the range of double precision");
        return ABUT_ERROR_FORMAT;
    }
}
