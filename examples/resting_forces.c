/* Forces of a resting cube: a unit cube of 1 kg lies on a fixed unit cube, at increasing offsets from its centre. The program prints the force at
 * each corner of the common contact patch, and shows when the cube tips over. abut_collide() gives the contacts, abut_lcp_solve() the forces. */
#include <stdio.h>

#include <abut/abut.h>

enum { MOST = 16 };

static const double gravity = 9.81;

/* The row of a contact between the cube, which is body 0, and the fixed cube, which is -1. */
static abut_lcp_row row_of(const abut_contact *contact, abut_vec3 centre) {
    return abut_lcp_contact_row(0, -1, contact->normal, abut_sub(contact->on_b, centre), abut_vec3_make(0.0, 0.0, 0.0));
}

static abut_status report(abut_lcp *lcp, const abut_shape *cube, double offset) {
    abut_pose lower = abut_pose_identity(), upper = abut_pose_identity();
    abut_contact contacts[MOST];
    abut_lcp_row rows[MOST];
    double q[MOST], force[MOST], acceleration[MOST];
    int32_t count;
    upper.position = abut_vec3_make(offset, 0.0, 1.0);
    abut_status status = abut_collide(&(abut_pair){cube, upper, cube, lower}, NULL, NULL, contacts, MOST, &count);
    if (status != ABUT_OK) {
        return status;
    }
    const abut_lcp_body body = {1.0, {{6.0, 0, 0}, {0, 6.0, 0}, {0, 0, 6.0}}}; /* 1 / m, and 1 / (m / 6) about each axis, for m = 1 kg */
    for (int32_t i = 0; i < count; i++) {
        rows[i] = row_of(&contacts[i], upper.position);
        q[i] = -gravity * contacts[i].normal.z; /* acceleration of the gap without contact forces: the cube falls */
    }
    status = abut_lcp_set_rows(lcp, &body, 1, rows, count);
    status = status == ABUT_OK ? abut_lcp_solve(lcp, q, NULL, force, acceleration, NULL) : status;
    if (status != ABUT_OK) {
        return status;
    }
    printf("off centre by %.2f m\n", offset);
    for (int32_t i = 0; i < count; i++) {
        printf("  at (%5.2f, %5.2f): %.3f N", contacts[i].on_b.x, contacts[i].on_b.y, force[i]);
        if (acceleration[i] > 1e-9 * gravity) { /* smaller values are rounding errors */
            printf(", parts with %.3f m/s^2", acceleration[i]);
        }
        printf("\n");
    }
    return ABUT_OK;
}

int main(void) {
    abut_shape *cube;
    abut_lcp *lcp;
    abut_status status = abut_shape_create_box(abut_vec3_make(0.5, 0.5, 0.5), &cube);
    if (status != ABUT_OK) {
        return 1;
    }
    status = abut_lcp_create(&lcp);
    if (status == ABUT_OK) {
        const double offsets[] = {0.0, 0.25, 0.6};
        for (int i = 0; i < 3 && status == ABUT_OK; i++) {
            status = report(lcp, cube, offsets[i]);
        }
        abut_lcp_destroy(lcp);
    }
    abut_shape_release(cube);
    if (status != ABUT_OK) {
        fprintf(stderr, "%s\n", abut_status_message(status));
    }
    return status != ABUT_OK;
}
