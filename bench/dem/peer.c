#include "dem/peer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <abut/pressure.h>

#include "support/program.h"

struct peer {
    const char *name, *program, *options;
    const char *ball_style, *velocities;    /* commands that differ between LAMMPS and LIGGGHTS */
    void (*forces)(FILE *in, const bed *b); /* writes the forces between balls, and the walls */
};

/* ---- common input ---- */

static void write_balls(FILE *out, const bed *b) {
    double r = bed_radius;
    fprintf(out, "a settled bed\n\n%d atoms\n1 atom types\n\n", (int)b->count);
    fprintf(out, "%.17g %.17g xlo xhi\n%.17g %.17g ylo yhi\n%.17g %.17g zlo zhi\n\nAtoms\n\n", -r, b->side + r, -r, b->side + r, -r,
            b->top + 4.0 * r);
    for (int32_t i = 0; i < b->count; i++) {
        fprintf(out, "%d 1 %.17g %.17g %.17g %.17g %.17g\n", (int)i + 1, 2.0 * b->radius[i], bed_density, b->centre[i].x, b->centre[i].y,
                b->centre[i].z);
    }
}

static void write_walls(FILE *in, const char *style, const char *after, const bed *b) {
    fprintf(in, "fix wall_x all wall/gran %s xplane 0.0 %.17g%s\n", style, b->side, after);
    fprintf(in, "fix wall_y all wall/gran %s yplane 0.0 %.17g%s\n", style, b->side, after);
    fprintf(in, "fix wall_z all wall/gran %s zplane 0.0 NULL%s\n", style, after);
}

static void write_input(FILE *in, const peer *p, const bed *b, const effort *e) {
    fprintf(in, "atom_style %s\natom_modify map array\nboundary f f f\nnewton off\n%s\nunits si\nprocessors 1 1 1\n", p->ball_style,
            p->velocities);
    fprintf(in, "read_data bed.data\nneighbor %.17g bin\nneigh_modify delay 0 every 1 check yes\ntimestep %.17g\n", b->skin, b->step);
    p->forces(in, b);
    fprintf(in, "fix fall all gravity %g vector 0 0 -1\nfix move all nve/sphere\n", bed_gravity);
    fprintf(in, "compute each all contact/atom\ncompute mean all reduce ave c_each\n");
    fprintf(in, "thermo_style custom step c_mean ke\nthermo_modify format float %%.10g norm no lost error\nthermo %d\n", (int)e->steps);
    fprintf(in, "run %d\n", (int)e->warm_up);
    for (int32_t i = 0; i < e->blocks; i++) {
        fprintf(in, "run %d\n", (int)e->steps);
    }
}

/* ---- forces of each program ---- */

/* The damping of this law depends on another power of the overlap than Tsuji's. They are matched at a typical overlap. */
static void force_hertz(FILE *in, const bed *b) {
    double nu = bed_poisson, kn = 2.0 / 3.0 * bed_young / (1.0 - nu * nu), kt = 2.0 * bed_young / ((1.0 + nu) * (2.0 - nu)), ratio = 0.0;
    (void)abut_pressure_damping(bed_restitution, true, &ratio);
    double modulus = 0.5 * bed_young / (1.0 - nu * nu), reduced = 0.5 * bed_radius, mass = 0.5 * granular_mass();
    double disc = sqrt(reduced * 0.005 * bed_radius), gamma = 2.0 * sqrt(5.0 / 6.0) * ratio * sqrt(2.0 * modulus / (mass * disc));
    char law[160];
    (void)snprintf(law, sizeof law, "%.10g %.10g %.10g NULL %g 1", kn, kt, gamma, bed_friction);
    fprintf(in, "pair_style gran/hertz/history %s\npair_coeff * *\n", law);
    char style[200];
    (void)snprintf(style, sizeof style, "hertz/history %s", law);
    write_walls(in, style, "", b);
}

/* The same law as abut's: Hertz, Mindlin with a rescaled spring, Tsuji's damping. */
static void force_granular(FILE *in, const bed *b) {
    char law[200], style[220];
    (void)snprintf(law, sizeof law, "hertz/material %g %g %g tangential mindlin_rescale NULL 1.0 %g damping tsuji", bed_young,
                   bed_restitution, bed_poisson, bed_friction);
    fprintf(in, "pair_style granular\npair_coeff * * %s\n", law);
    (void)snprintf(style, sizeof style, "granular %s", law);
    write_walls(in, style, "", b);
}

static void one_wall(FILE *in, const char *name, const char *plane, double at) {
    fprintf(in, "fix %s all wall/gran model hertz tangential history primitive type 1 %s %.17g\n", name, plane, at);
}

static void force_liggghts(FILE *in, const bed *b) {
    fprintf(in,
            "fix young all property/global youngsModulus peratomtype %g\nfix poisson all property/global poissonsRatio peratomtype %g\n",
            bed_young, bed_poisson);
    fprintf(in, "fix bounce all property/global coefficientRestitution peratomtypepair 1 %g\n", bed_restitution);
    fprintf(in, "fix rub all property/global coefficientFriction peratomtypepair 1 %g\n", bed_friction);
    fprintf(in, "pair_style gran model hertz tangential history\npair_coeff * *\n");
    one_wall(in, "wall_a", "xplane", 0.0);
    one_wall(in, "wall_b", "xplane", b->side);
    one_wall(in, "wall_c", "yplane", 0.0);
    one_wall(in, "wall_d", "yplane", b->side);
    one_wall(in, "wall_e", "zplane", 0.0);
}

static const peer hertz = {"LAMMPS gran/hertz/history", "lmp", "-nocite", "sphere", "comm_modify vel yes", force_hertz};
static const peer granular = {"LAMMPS granular", "lmp", "-nocite", "sphere", "comm_modify vel yes", force_granular};
static const peer liggghts = {"LIGGGHTS", "liggghts", "", "granular", "communicate single vel yes", force_liggghts};

const peer *const peers[PEERS] = {&hertz, &granular, &liggghts};

const char *peer_name(const peer *p) { return p->name; }

bool peer_is_here(const peer *p) { return program_is_here(p->program); }

/* ---- output ---- */

typedef struct block {
    double seconds, share, neighbours, kinetic, megabytes;
    long lists;
} block;

/* A block of steps ends with the number of list rebuilds. */
static void take_block(measurement *m, const bed *b, const effort *e, const block *now, int32_t number) {
    if (number == 0 || m->times.count == BLOCK_TIMES) {
        return; /* the first block is the warm-up */
    }
    block_add(&m->times, now->seconds * now->share, now->seconds, e->steps, b->count);
    m->lists += now->lists;
    m->neighbours = now->neighbours;
    m->kinetic = granular_in_weights(now->kinetic, b->count);
    m->memory = now->megabytes * 1048576.0 / b->count;
}

static int32_t read_output(FILE *out, const bed *b, const effort *e, measurement *m) {
    char line[1000];
    block now = {.share = 1.0};
    int32_t blocks = 0;
    while (fgets(line, sizeof line, out) != NULL) {
        double step, neighbours, kinetic;
        if (sscanf(line, "%lf %lf %lf", &step, &neighbours, &kinetic) == 3) {
            now.neighbours = neighbours;
            now.kinetic = kinetic;
        }
        (void)sscanf(line, "Per MPI rank memory allocation (min/avg/max) = %lf", &now.megabytes);
        (void)sscanf(line, "Memory usage per processor = %lf", &now.megabytes);
        (void)sscanf(line, "Loop time of %lf", &now.seconds);
        if (strstr(line, "% CPU use") != NULL && sscanf(line, "%lf", &now.share) == 1) {
            now.share *= 0.01;
        }
        if (sscanf(line, "Neighbor list builds = %ld", &now.lists) == 1) {
            take_block(m, b, e, &now, blocks++);
        }
        if (strncmp(line, "ERROR", 5) == 0) {
            fprintf(stderr, "dem: %s: %s", m->name, line);
        }
    }
    return blocks;
}

/* ---- running a program ---- */

static bool write_file(const char *folder, const char *name, const peer *p, const bed *b, const effort *e) {
    char path[120];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    if (out == NULL) {
        return false;
    }
    if (p != NULL) {
        write_input(out, p, b, e);
    } else {
        write_balls(out, b);
    }
    return fclose(out) == 0;
}

static bool run_program(const char *folder, const peer *p, const bed *b, const effort *e, measurement *m) {
    char command[300];
    (void)snprintf(command, sizeof command, "cd %s && OMP_NUM_THREADS=1 %s %s -log none -in in.bed 2>&1 </dev/null", folder, p->program,
                   p->options);
    FILE *out = popen(command, "r");
    int32_t blocks = out != NULL ? read_output(out, b, e, m) : 0;
    return out != NULL && pclose(out) == 0 && blocks == e->blocks + 1;
}

bool measure_peer(const peer *p, const bed *b, const effort *e, measurement *m) {
    static const char *const names[] = {"bed.data", "in.bed"};
    char folder[] = "/tmp/bench_dem_XXXXXX";
    m->name = p->name;
    m->threads = 1;
    m->bodies = b->count;
    m->steps = e->steps;
    bool fine = mkdtemp(folder) != NULL;
    if (fine) {
        fine = write_file(folder, "bed.data", NULL, b, e) && write_file(folder, "in.bed", p, b, e) && run_program(folder, p, b, e, m);
        program_remove_folder(folder, names, sizeof names / sizeof *names);
    }
    if (!fine) {
        fprintf(stderr, "dem: %s could not run a bed of %d balls\n", p->name, (int)b->count);
    }
    return fine;
}
