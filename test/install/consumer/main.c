/* Uses enough of an installed library that a missing dependency, header or symbol becomes visible. */
#include <stdio.h>

#include <abut/abut.h>

static void add(void *argument, int32_t begin, int32_t end) {
    int32_t *sums = argument;
    for (int32_t i = begin; i < end; i++) {
        sums[i] = i;
    }
}

int main(void) {
    int32_t sums[100] = {0};
    abut_parallel_for(NULL, 100, 1, add, sums);

    const abut_vec3 corners[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    abut_shape *hull = NULL, *ball = NULL;
    abut_status hull_status = abut_shape_create_hull(corners, 5, &hull);
    if (hull_status != (abut_has(ABUT_CAPABILITY_HULL) ? ABUT_OK : ABUT_ERROR_UNSUPPORTED) ||
        abut_shape_create_sphere(1.0, &ball) != ABUT_OK) {
        return 1;
    }
    abut_pose above = abut_pose_identity();
    above.position.z = 1.5;
    abut_contact contact;
    int32_t count = 0;
    abut_status status = abut_collide(&(abut_pair){ball, above, ball, abut_pose_identity()}, NULL, NULL, &contact, 1, &count);
    printf("abut %s: %d contact, gap %.3f, loop %d\n", abut_version(), (int)count, contact.gap, (int)sums[99]);
    abut_shape_release(hull);
    abut_shape_release(ball);
    return status == ABUT_OK ? 0 : 1;
}
