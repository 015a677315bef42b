/* Two unit cubes, one on the other, a quarter of a metre off centre and pressed in by a millimetre: where do they touch? */
#include <stdio.h>

#include <abut/abut.h>

int main(void) {
    abut_shape *cube;
    if (abut_shape_create_box(abut_vec3_make(0.5, 0.5, 0.5), &cube) != ABUT_OK) {
        return 1;
    }
    abut_pose lower = abut_pose_identity(), upper = abut_pose_identity();
    upper.position = abut_vec3_make(0.25, 0.0, 0.999);

    abut_contact c[16];
    int32_t count;
    abut_status status = abut_collide(&(abut_pair){cube, upper, cube, lower}, NULL, NULL, c, 16, &count);
    printf("%d contacts: %s\n", (int)count, abut_status_message(status));
    for (int32_t i = 0; i < count; i++) {
        printf("at (%.2f, %.2f): normal z %g, gap %.4f\n", c[i].on_b.x, c[i].on_b.y, c[i].normal.z, c[i].gap);
    }
    abut_shape_release(cube);
    return status != ABUT_OK;
}
