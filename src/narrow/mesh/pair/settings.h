#pragma once

/* Settings of the contacts of two surfaces. */
typedef struct mesh_pair_settings {
    double margin;
    double feature_sine;
    double size;     /* of the smaller body [length] */
    double weld;     /* [length] */
    double same;     /* points closer than this are one place [length] */
    double rounding; /* error of a coordinate [length] */
} mesh_pair_settings;
