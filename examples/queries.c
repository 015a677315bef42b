/* Queries for a brick above a table: a ray straight down, the distance from the table, and the time of impact when the brick falls and turns. */
#include <stdio.h>

#include <abut/abut.h>

static int fail(const char *what, abut_status status) {
    fprintf(stderr, "%s: %s\n", what, abut_status_message(status));
    return 1;
}

int main(void) {
    abut_shape *brick = NULL, *table = NULL;
    abut_status status = abut_shape_create_box(abut_vec3_make(0.2, 0.1, 0.05), &brick);
    status = status == ABUT_OK ? abut_shape_create_box(abut_vec3_make(1.0, 0.5, 0.02), &table) : status;
    if (status != ABUT_OK) {
        return fail("shapes", status);
    }
    abut_pose above = abut_pose_identity(), at_origin = abut_pose_identity();
    above.position = abut_vec3_make(0.3, 0.1, 0.5);

    /* A ray of two metres straight down from the middle of the brick. It begins inside the brick, so it is cast against the table only. */
    abut_hit hit;
    status = abut_ray_cast(table, at_origin, above.position, abut_vec3_make(0, 0, -2), &hit);
    if (status != ABUT_OK) {
        return fail("ray", status);
    }
    printf("ray: face %d at z = %.2f, after %.2f m\n", (int)hit.feature_b.index, hit.point.z, 2.0 * hit.fraction);

    /* The brick is A, so the normal points from the table up into the brick. */
    abut_separation apart;
    bool overlap;
    status = abut_distance(&(abut_pair){brick, above, table, at_origin}, NULL, NULL, &apart);
    status = status == ABUT_OK ? abut_overlap(&(abut_pair){brick, above, table, at_origin}, NULL, &overlap) : status;
    if (status != ABUT_OK) {
        return fail("distance", status);
    }
    printf("distance: %.2f m along (%g, %g, %g)%s\n", apart.gap, apart.normal.x, apart.normal.y, apart.normal.z,
           overlap ? ", touching" : "");

    /* In one unit of time the brick falls by one metre and makes half a turn about y. The table rests. */
    abut_motion falling = {{0, 0, -1}, {0, 3.14159265358979, 0}}, still = {{0, 0, 0}, {0, 0, 0}};
    status = abut_shape_cast(&(abut_pair){brick, above, table, at_origin}, falling, still, 1e-6, &hit);
    if (status != ABUT_OK) {
        return fail("cast", status);
    }
    printf("cast: touches after %.4f of the way, at x = %.3f, in %s steps\n", hit.fraction, hit.point.x,
           hit.iterations < 20 ? "a few" : "many");

    abut_shape_release(brick);
    abut_shape_release(table);
    return hit.hit ? 0 : 1;
}
