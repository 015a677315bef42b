/* Two unit cubes, one resting on the other half a metre off centre and pressed in by a millimetre: where do they touch? */
#include <stdio.h>

#include <abut/abut.h>

int main(void) {
    abut_shape *cube = NULL;
    abut_status status = abut_create_box(abut_make_vec3(0.5, 0.5, 0.5), &cube);

    abut_pose lower = abut_identity_pose(), upper = abut_identity_pose();
    upper.position = abut_make_vec3(0.5, 0.0, 0.999);

    abut_contact contacts[16];
    int32_t count = 0;
    if (status == ABUT_OK) {
        status = abut_collide(cube, upper, cube, lower, NULL, NULL, contacts, 16, &count);
    }
    for (int32_t i = 0; i < count; i++) {
        printf("(%.3f, %.3f) normal z %.3f gap %.4f area %.3f\n", contacts[i].on_b.x, contacts[i].on_b.y, contacts[i].normal.z,
               contacts[i].gap, contacts[i].area);
    }
    printf("%d contacts: %s\n", (int)count, abut_status_message(status));
    abut_shape_release(cube);
    return status != ABUT_OK;
}
