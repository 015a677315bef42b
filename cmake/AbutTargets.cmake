# Helpers for this project's own targets.
include(CheckCSourceCompiles)

# Language, visibility, floating point and warnings of a target of ours.
function(abut_own_target target)
    set_target_properties(${target} PROPERTIES
        C_STANDARD 17 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF C_VISIBILITY_PRESET hidden)
    # These flags keep the bits of the inline functions of abut/math.h, which others call in the library.
    target_compile_definitions(${target} PRIVATE ABUT_INLINE_MATH)
    if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
        # Contracted multiply-adds would make results depend on the processor that the compiler has in mind. Nobody reads errno or the
        # flags of the floating-point unit: without them square roots are one instruction. No result changes.
        target_compile_options(${target} PRIVATE -ffp-contract=off -fno-math-errno -fno-trapping-math -Wall -Wextra -Wpedantic -Wconversion
                               $<$<BOOL:${ABUT_WERROR}>:-Werror>)
    endif()
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
        # gcc's vectoriser of straight-line code makes them all the same (seen in gcc 12 with -mfma), and gains nothing here.
        target_compile_options(${target} PRIVATE -fno-tree-slp-vectorize -fno-tree-loop-vectorize)
    endif()
    if(EMSCRIPTEN)
        # clang's, with -msimd128, makes wrong code of src/narrow/query/contact_surface.c (seen in Emscripten 3.1.6: an edge's curvature was not a number).
        target_compile_options(${target} PRIVATE -fno-slp-vectorize)
    endif()
    if(UNIX)
        # Without the compiler's extensions, POSIX must be asked for.
        target_compile_definitions(${target} PRIVATE _POSIX_C_SOURCE=200809L)
    endif()
endfunction()

# Sets the variable to m where programs can link libm, else to nothing (the C library of Windows has the functions itself). A link test decides: find_library()
# searches folders of the build machine, and finds nothing for the target of a cross compiler.
function(abut_find_libm variable)
    set(CMAKE_REQUIRED_LIBRARIES m)
    check_c_source_compiles("
        #include <math.h>
        int main(int argc, char **argv) { (void)argv; return (int)pow(0.5 + argc, 1.5); }" ABUT_HAS_LIBM)
    set(${variable} "" PARENT_SCOPE)
    if(ABUT_HAS_LIBM)
        set(${variable} m PARENT_SCOPE)
    endif()
endfunction()

# An optional part is missing something: says what, or stops when everything is required.
function(abut_left_out part missing option)
    if(ABUT_REQUIRE_ALL)
        message(FATAL_ERROR "${part}: ${missing} not found. Install it, or configure with -D${option}=OFF. "
                            "scripts/dev/setup.sh installs everything on Debian and Ubuntu.")
    endif()
    message(WARNING "${part}: left out of this build, because ${missing} was not found.")
endfunction()
