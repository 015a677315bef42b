# Instruction sets of the files *_lanes.c. src/base/instruction_set.h decides which sets a build has; this file asks that header.
include(CheckCSourceCompiles)

# The instruction sets of this build, in lower case. ABUT_SIMD=scalar allows the scalar set only.
function(abut_instruction_sets variable)
    if(ABUT_SIMD STREQUAL "scalar")
        set(${variable} scalar PARENT_SCOPE)
        return()
    elseif(NOT ABUT_SIMD STREQUAL "auto")
        message(FATAL_ERROR "ABUT_SIMD is '${ABUT_SIMD}': it can be auto or scalar.")
    endif()
    set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
    set(CMAKE_REQUIRED_INCLUDES ${PROJECT_SOURCE_DIR}/src)
    set(CMAKE_REQUIRED_QUIET ON)
    set(found)
    foreach(set IN ITEMS SCALAR SSE2 AVX2 AVX512)
        check_c_source_compiles("
            #include \"base/instruction_set.h\"
            #if !SIMD_HAS_${set}
            #error
            #endif
            int has;" ABUT_HAS_${set})
        if(ABUT_HAS_${set})
            string(TOLOWER ${set} name)
            list(APPEND found ${name})
        endif()
    endforeach()
    list(JOIN found ", " names)
    message(STATUS "Vector lanes: ${names}")
    set(${variable} ${found} PARENT_SCOPE)
endfunction()

# Compiles the files *_lanes.c of a target for one instruction set. The compiler may use that set in these files only, never in the rest of the library.
function(abut_compile_for target set)
    string(TOUPPER ${set} level)
    target_compile_definitions(${target} PRIVATE SIMD_LEVEL=SIMD_${level})
    if(set STREQUAL "avx2")
        target_compile_options(${target} PRIVATE -mavx2)
    elseif(set STREQUAL "avx512")
        target_compile_options(${target} PRIVATE -mavx512f)
    endif()
endfunction()
