#include "grains/peer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grains/bed.h"
#include "support/program.h"

enum { BLOCKS = 3 };

/* Values parsed from the output of LAMMPS. */
typedef struct reading {
    double seconds, share;
    int32_t runs; /* number of finished runs */
} reading;

/* One run of a program in its folder. */
typedef struct job {
    const heap *h;
    int32_t warm_up, steps;
    double mass, stiffness,
        step;        /* of a body; of a spring that ten stacked bodies compress by half a percent of their radius; of the integration */
    double rounding; /* rounding radius of edges in LAMMPS */
    const char *folder;
    reading *now;
} job;

struct peer {
    const char *name, *program, *command; /* the command in the folder of the job */
    bool (*write_files)(const job *j);
    bool (*read_line)(const job *j, const char *line, measurement *m); /* true: this line ends a block */
    bool (*finish)(const job *j, measurement *m);
};

static FILE *open_file(const job *j, const char *name, const char *how) {
    char path[200];
    (void)snprintf(path, sizeof path, "%s/%s", j->folder, name);
    return fopen(path, how);
}

/* A corner of body i relative to its centre, in world axes. */
static abut_vec3 corner_of(const job *j, int32_t i, int32_t corner, double scale) {
    abut_pose turned = {{0.0, 0.0, 0.0}, j->h->pose[i].rotation};
    return abut_pose_apply(turned, abut_scale(scale, j->h->mesh.vertices[corner]));
}

static double in_weights(const job *j, double energy) { return energy / (j->h->count * j->mass * bed_gravity * bed_radius); }

/* ---- LAMMPS: body/rounded/polyhedron ---- */

/* This LAMMPS style compares lengths with fixed numbers, such as a thousandth. The radius, the mass and gravity are therefore 1, and ten
 * bodies compress a spring of 2000 by half a percent of the radius. */
static const double lammps_stiffness = 2000.0;

static double drawn_in(const job *j) { return (j->h->inradius - j->rounding) / j->h->inradius; }

/* A body may have 32 lines, and a line 256 characters. */
static const char *end_of(int32_t item, int32_t a_line, int32_t count) {
    return (item + 1) % a_line == 0 || item + 1 == count ? "\n" : " ";
}

static bool write_bodies(const job *j) {
    const ball_mesh *m = &j->h->mesh;
    int32_t edges = m->triangle_count / 2 * 3, count = j->h->count;
    FILE *out = open_file(j, "bodies.data", "w");
    if (out == NULL) {
        return false;
    }
    double r = bed_radius, inertia = 0.32, side = j->h->side / r;
    fprintf(out, "polyhedra\n\n%d atoms\n%d bodies\n1 atom types\n", (int)count, (int)count);
    fprintf(out, "%.17g %.17g xlo xhi\n%.17g %.17g ylo yhi\n%.17g %.17g zlo zhi\n\nAtoms\n\n", -1.0, side + 1.0, -1.0, side + 1.0, -1.0,
            j->h->top / r + 4.0);
    for (int32_t i = 0; i < count; i++) {
        abut_vec3 p = abut_scale(1.0 / r, j->h->pose[i].position);
        fprintf(out, "%d 1 1 1 %.17g %.17g %.17g\n", (int)i + 1, p.x, p.y, p.z);
    }
    fprintf(out, "\nBodies\n\n");
    for (int32_t i = 0; i < count; i++) {
        fprintf(out, "%d 3 %d\n%d %d %d\n", (int)i + 1, 6 + 3 * (int)m->vertex_count + 2 * (int)edges + 4 * (int)m->triangle_count + 1,
                (int)m->vertex_count, (int)edges, (int)m->triangle_count);
        fprintf(out, "%.17g %.17g %.17g 0 0 0\n", inertia, inertia, inertia);
        for (int32_t v = 0; v < m->vertex_count; v++) {
            abut_vec3 p = corner_of(j, i, v, drawn_in(j) / r);
            fprintf(out, "%.14g %.14g %.14g%s", p.x, p.y, p.z, end_of(v, 3, m->vertex_count));
        }
        int32_t edge = 0;
        for (int32_t c = 0; c < 3 * m->triangle_count; c++) {
            int32_t from = m->triangles[c], to = m->triangles[c % 3 < 2 ? c + 1 : c - 2];
            if (from < to) {
                fprintf(out, "%d %d%s", (int)from, (int)to, end_of(edge, 20, edges));
                edge++;
            }
        }
        for (int32_t t = 0; t < m->triangle_count; t++) {
            fprintf(out, "%d %d %d -1%s", (int)m->triangles[3 * t], (int)m->triangles[3 * t + 1], (int)m->triangles[3 * t + 2],
                    end_of(t, 10, m->triangle_count));
        }
        fprintf(out, "%.17g\n", 2.0 * j->rounding / r);
    }
    return fclose(out) == 0;
}

static bool lammps_write(const job *j) {
    FILE *in = open_file(j, "in.heap", "w");
    if (in == NULL || !write_bodies(j)) {
        return false;
    }
    const ball_mesh *m = &j->h->mesh;
    double stiffness = lammps_stiffness, damper = 0.6 * sqrt(stiffness);
    int32_t doubles = 6 + 7 * m->vertex_count + 13 * m->triangle_count;
    fprintf(in,
            "units lj\ndimension 3\nboundary f f f\natom_style body rounded/polyhedron 1 %d\natom_modify map array\ncomm_modify vel yes\n",
            (int)doubles);
    fprintf(in, "read_data bodies.data\n");
    fprintf(in, "pair_style body/rounded/polyhedron %.10g %.10g 0.0 1.0 %.10g\npair_coeff * * %.10g 0.0\n", damper, 0.5 * damper, 0.01,
            stiffness);
    fprintf(in, "neighbor %.10g bin\nneigh_modify delay 0 every 1 check yes\ntimestep %.10g\n", 0.3, 0.05 / sqrt(stiffness));
    const char *const planes[3] = {"xplane", "yplane", "zplane"};
    for (int axis = 0; axis < 3; axis++) {
        fprintf(in, "fix wall_%d all wall/body/polyhedron %.10g %.10g %.10g %s 0.0 ", axis, stiffness, damper, 0.5 * damper, planes[axis]);
        fprintf(in, axis < 2 ? "%.17g\n" : "NULL\n", j->h->side / bed_radius);
    }
    fprintf(in, "fix fall all gravity 1.0 vector 0 0 -1\nfix move all nve/body\nfix drag all viscous 1.0\n");
    fprintf(in, "compute q all property/atom quatw quati quatj quatk\nthermo_style custom step ke\nthermo_modify format float %%.10g norm "
                "no lost error\n");
    fprintf(in, "thermo %d\nrun %d\nunfix drag\n", (int)j->steps, (int)j->warm_up);
    for (int32_t i = 0; i < BLOCKS; i++) {
        if (i + 1 == BLOCKS) {
            fprintf(in,
                    "dump end all custom %d end.dump id x y z c_q[1] c_q[2] c_q[3] c_q[4]\ndump_modify end sort id format float %%.17g\n",
                    (int)(j->warm_up + BLOCKS * j->steps));
        }
        fprintf(in, "run %d\n", (int)j->steps);
    }
    return fclose(in) == 0;
}

static bool lammps_line(const job *j, const char *line, measurement *m) {
    double step, kinetic, number;
    if (sscanf(line, "%lf %lf", &step, &kinetic) == 2) {
        m->kinetic = kinetic / j->h->count;
    }
    (void)sscanf(line, "Loop time of %lf", &j->now->seconds);
    if (strstr(line, "% CPU use") != NULL && sscanf(line, "%lf", &number) == 1) {
        j->now->share = 0.01 * number;
    }
    long lists;
    if (sscanf(line, "Neighbor list builds = %ld", &lists) != 1) {
        return false;
    }
    if (j->now->runs++ == 0) {
        return false; /* the run with damping */
    }
    m->lists += lists;
    block_add(&m->times, j->now->seconds * j->now->share, j->now->seconds, j->steps, j->h->count);
    return true;
}

/* Final poses give the touching pairs. The initial corners were written turned, so the final quaternion applies on top of the initial
 * rotation. */
static bool lammps_finish(const job *j, measurement *m) {
    FILE *in = open_file(j, "end.dump", "r");
    heap end = *j->h;
    end.pose = calloc((size_t)end.count, sizeof *end.pose);
    char line[400];
    int32_t found = 0;
    while (in != NULL && end.pose != NULL && fgets(line, sizeof line, in) != NULL) {
        int id;
        abut_pose p;
        if (sscanf(line, "%d %lf %lf %lf %lf %lf %lf %lf", &id, &p.position.x, &p.position.y, &p.position.z, &p.rotation.w, &p.rotation.x,
                   &p.rotation.y, &p.rotation.z) == 8 &&
            id >= 1 && id <= end.count) {
            p.position = abut_scale(bed_radius, p.position);
            p.rotation = abut_quat_mul(p.rotation, j->h->pose[id - 1].rotation);
            end.pose[id - 1] = p;
            found++;
        }
    }
    if (in != NULL) {
        (void)fclose(in);
    }
    bool fine = found == end.count;
    m->neighbours = fine ? heap_neighbours(&end, drawn_in(j), 2.0 * j->rounding) : 0.0;
    free(end.pose);
    return fine;
}

/* ---- Yade: Polyhedra ---- */

/* Its law is a force per volume: the stiffness is that of the spring divided by a quarter of the squared radius. */
static bool yade_write(const job *j) {
    FILE *out = open_file(j, "heap.py", "w");
    if (out == NULL) {
        return false;
    }
    fprintf(out, "import time\nfrom yade import polyhedra_utils, utils\n");
    fprintf(out, "m = PolyhedraMat()\nm.density = %g\nm.young = %.10g\nm.poisson = 0.3\nm.frictionAngle = 0.46\n", bed_density,
            j->stiffness / (0.25 * bed_radius * bed_radius));
    for (int wall = 0; wall < 5; wall++) {
        const double at[5] = {0.0, 0.0, j->h->side, 0.0, j->h->side};
        fprintf(out, "O.bodies.append(utils.wall(%.17g, axis=%d, sense=%d, material=m))\n", at[wall], wall == 0 ? 2 : (wall - 1) / 2,
                wall == 0 || wall % 2 == 1 ? 1 : -1);
    }
    for (int32_t i = 0; i < j->h->count; i++) {
        fprintf(out, "O.bodies.append(polyhedra_utils.polyhedra(m, v=[");
        for (int32_t v = 0; v < j->h->mesh.vertex_count; v++) {
            abut_vec3 p = abut_add(j->h->pose[i].position, corner_of(j, i, v, 1.0));
            fprintf(out, "(%.17g, %.17g, %.17g), ", p.x, p.y, p.z);
        }
        fprintf(out, "]))\n");
    }
    fprintf(out,
            "O.engines = [ForceResetter(),\n"
            "  InsertionSortCollider([Bo1_Polyhedra_Aabb(), Bo1_Wall_Aabb()], verletDist=%g),\n"
            "  InteractionLoop([Ig2_Wall_Polyhedra_PolyhedraGeom(), Ig2_Polyhedra_Polyhedra_PolyhedraGeom()],\n"
            "    [Ip2_PolyhedraMat_PolyhedraMat_PolyhedraPhys()], [Law2_PolyhedraGeom_PolyhedraPhys_Volumetric()]),\n"
            "  NewtonIntegrator(damping=0.5, gravity=(0, 0, -%g))]\nO.dt = %.10g\n",
            0.1 * bed_radius, bed_gravity, j->step);
    fprintf(out,
            "O.run(%d, True)\nfor block in range(%d):\n    wall, used = time.time(), time.process_time()\n    O.run(%d, True)\n"
            "    wall, used = time.time() - wall, time.process_time() - used\n"
            "    print('block', wall, used, utils.kineticEnergy(), flush=True)\n",
            (int)j->warm_up, BLOCKS, (int)j->steps);
    fprintf(out,
            "touching = sum(1 for i in O.interactions if i.isReal and i.id1 > 4 and i.id2 > 4)\nprint('touching', touching, flush=True)\n");
    return fclose(out) == 0;
}

static bool yade_line(const job *j, const char *line, measurement *m) {
    double wall, used, kinetic;
    int touching;
    if (sscanf(line, "touching %d", &touching) == 1) {
        m->neighbours = 2.0 * touching / j->h->count;
    }
    if (sscanf(line, "block %lf %lf %lf", &wall, &used, &kinetic) != 3) {
        return false;
    }
    m->lists = -1;
    m->kinetic = in_weights(j, kinetic);
    block_add(&m->times, used, wall, j->steps, j->h->count);
    return true;
}

static bool yade_finish(const job *j, measurement *m) {
    (void)j;
    return m->neighbours > 0.0;
}

/* ---- running a program ---- */

static const peer lammps = {
    "LAMMPS body/rounded/polyhedron", "lmp", "lmp -nocite -log none -in in.heap", lammps_write, lammps_line, lammps_finish};
static const peer yade = {"Yade polyhedra", "yade", "yade -n -x -j1 heap.py", yade_write, yade_line, yade_finish};

const peer *const peers[PEERS] = {&lammps, &yade};

const char *peer_name(const peer *p) { return p->name; }

bool peer_is_here(const peer *p) { return program_is_here(p->program); }

static bool run_program(const peer *p, const job *j, measurement *m) {
    char command[400], line[2000];
    (void)snprintf(command, sizeof command, "cd %s && OMP_NUM_THREADS=1 timeout 1200 %s 2>&1 </dev/null", j->folder, p->command);
    FILE *out = popen(command, "r");
    int32_t blocks = 0;
    while (out != NULL && fgets(line, sizeof line, out) != NULL) {
        blocks += p->read_line(j, line, m);
        if (strstr(line, "ERROR") != NULL || strstr(line, "Error:") != NULL) {
            fprintf(stderr, "grains: %s: %s", p->name, line);
        }
    }
    return out != NULL && pclose(out) == 0 && blocks == BLOCKS && p->finish(j, m);
}

bool measure_peer(const peer *p, const heap *h, int32_t warm_up, int32_t steps, measurement *m) {
    static const char *const names[] = {"bodies.data", "in.heap", "end.dump", "heap.py"};
    char folder[] = "/tmp/bench_grains_XXXXXX";
    reading now = {0.0, 1.0, 0};
    job j = {.h = h,
             .warm_up = warm_up,
             .steps = steps,
             .mass = bed_density * h->volume,
             .rounding = 0.05 * bed_radius,
             .folder = folder,
             .now = &now};
    j.stiffness = 10.0 * j.mass * bed_gravity / (0.005 * bed_radius);
    j.step = 0.05 * sqrt(j.mass / j.stiffness);
    m->program = p->name;
    m->bodies_are = h->mesh.triangle_count == 20 ? "icosahedra" : "polyhedra";
    m->threads = 1;
    m->bodies = h->count;
    m->triangles = h->mesh.triangle_count;
    m->steps = steps;
    bool fine = mkdtemp(folder) != NULL;
    if (fine) {
        fine = p->write_files(&j) && run_program(p, &j, m);
        program_remove_folder(folder, names, sizeof names / sizeof *names);
    }
    if (!fine) {
        fprintf(stderr, "grains: %s could not run %d bodies of %d triangles\n", p->name, (int)h->count, (int)m->triangles);
    }
    return fine;
}
