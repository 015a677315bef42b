# Functions for this project's own targets.
include(CheckCSourceCompiles)

# Sets language, visibility, floating-point options and warnings of one of our targets.
function(abut_own_target target)
    set_target_properties(${target} PROPERTIES
        C_STANDARD 17 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF C_VISIBILITY_PRESET hidden)
    # These flags keep the bits of the inline functions of abut/math.h, which others call in the library.
    target_compile_definitions(${target} PRIVATE ABUT_INLINE_MATH)
    if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
        # Fused multiply-adds would make results depend on the processor that the compiler targets. We read neither errno nor the
        # floating-point flags; without them a square root is one instruction. No result changes.
        target_compile_options(${target} PRIVATE -ffp-contract=off -fno-math-errno -fno-trapping-math -Wall -Wextra -Wpedantic -Wconversion
                               $<$<BOOL:${ABUT_WERROR}>:-Werror>)
    endif()
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
        # The vectorisers of gcc create fused multiply-adds in spite of that option (seen in gcc 12 with -mfma), and make nothing faster here.
        target_compile_options(${target} PRIVATE -fno-tree-slp-vectorize -fno-tree-loop-vectorize)
    endif()
    if(EMSCRIPTEN)
        # With -msimd128, the vectoriser of clang generates wrong code for src/narrow/query/contact_surface.c (seen in Emscripten 3.1.6: the
        # curvature of an edge was NaN).
        target_compile_options(${target} PRIVATE -fno-slp-vectorize)
    endif()
    if(UNIX)
        # We turn the compiler's extensions off, so we must request POSIX.
        target_compile_definitions(${target} PRIVATE _POSIX_C_SOURCE=200809L)
    elseif(WIN32)
        # The same for the part of POSIX that its C library has, and for files of any size.
        target_compile_definitions(${target} PRIVATE _POSIX_C_SOURCE=200809L _FILE_OFFSET_BITS=64)
    endif()
endfunction()

# Sets the variable to m if programs can link libm, else to nothing: on Windows, the C library contains these functions. A link test decides.
# find_library() searches folders of the build machine, and often finds nothing for the target of a cross compiler.
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

# Reports that an optional part is left out because something is missing. With ABUT_REQUIRE_ALL this is an error.
function(abut_left_out part missing option)
    if(ABUT_REQUIRE_ALL)
        message(FATAL_ERROR "${part}: ${missing} not found. Install it, or configure with -D${option}=OFF. "
                            "scripts/dev/setup.sh installs everything on Debian and Ubuntu.")
    endif()
    message(WARNING "${part}: left out of this build, because ${missing} was not found.")
endfunction()
