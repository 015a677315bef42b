// The headers are C++ as well.
#include <cstdio>

#include <abut/abut.h>

int main() {
    abut_vec3 up = abut_unit(abut_vec3_make(0, 0, 2));
    std::printf("abut %s: %g\n", abut_version(), up.z);
    return 0;
}
