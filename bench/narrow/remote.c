/* Engines of another process: see remote.h, and peers.py for what is said on the pipes. */
#include "remote.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engines.h"
#include "support/check.h"

static struct {
    pid_t process;
    FILE *to, *from;
    char names[2][64];
} remote;

const char *remote_name(int peer) { return remote.to != NULL ? remote.names[peer] : NULL; }

/* The next line of the other process; it must be there. */
static char *next_line(char *line, size_t size) {
    if (fgets(line, (int)size, remote.from) == NULL) {
        fprintf(stderr, "bench_narrow: peers.py ended; its message is above\n");
        exit(1);
    }
    return line;
}

/* In the new process; does not return. */
static void become(const char *python, int in, int out) {
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    execlp(python, python, BENCH_NARROW_PEERS, (char *)NULL);
    perror(python);
    _exit(1);
}

bool remote_start(const char *python) {
    int to[2], from[2];
    char line[128], versions[2][32];
    if (pipe(to) != 0 || pipe(from) != 0 || (remote.process = fork()) < 0) {
        perror("bench_narrow: --python");
        return false;
    }
    if (remote.process == 0) {
        close(to[1]);
        close(from[0]);
        become(python, to[0], from[1]);
    }
    close(to[0]);
    close(from[1]);
    signal(SIGPIPE, SIG_IGN);
    remote.to = fdopen(to[1], "w");
    remote.from = fdopen(from[0], "r");
    if (remote.to == NULL || remote.from == NULL || sscanf(next_line(line, sizeof line), "%31s %31s", versions[0], versions[1]) != 2) {
        return false;
    }
    if (strcmp(versions[0], "-") == 0 || strcmp(versions[1], "-") == 0) {
        fprintf(stderr, "bench_narrow: %s lacks a package: %s -m pip install mujoco coal numpy\n", python, python);
        remote_stop();
        return false;
    }
    snprintf(remote.names[0], sizeof remote.names[0], "MuJoCo %s", versions[0]);
    snprintf(remote.names[1], sizeof remote.names[1], "Coal %s", versions[1]);
    return true;
}

void remote_stop(void) {
    if (remote.to != NULL) {
        fclose(remote.to);
        fclose(remote.from);
        waitpid(remote.process, NULL, 0);
        memset(&remote, 0, sizeof remote);
    }
}

/* ---- a set ---- */

typedef struct answer {
    int32_t points;
    double separation;
} answer;

/* The other process has one set prepared at a time: the last one that it was given. */
typedef struct state {
    const input_set *set;
    const char *engine;
    answer *answers; /* [questions] */
    int32_t last;    /* question that was asked last */
} state;

static const state *prepared;

static void put_vec3(abut_vec3 v) { fprintf(remote.to, " %.17g %.17g %.17g", v.x, v.y, v.z); }

static void put_body(const body *b) {
    switch (b->kind) {
    case BODY_BOX:
        fputs("box", remote.to);
        put_vec3(b->half);
        break;
    case BODY_SPHERE:
        fprintf(remote.to, "sphere %.17g", b->radius);
        break;
    case BODY_CAPSULE:
        fprintf(remote.to, "capsule %.17g %.17g", b->radius, b->half_length);
        break;
    case BODY_HULL:
        fprintf(remote.to, "hull %d", (int)b->surface.vertex_count);
        for (int32_t i = 0; i < b->surface.vertex_count; i++) {
            put_vec3(b->surface.vertices[i]);
        }
        break;
    }
    fputc('\n', remote.to);
}

static void put_pose(abut_pose p) {
    put_vec3(p.position);
    fprintf(remote.to, " %.17g %.17g %.17g %.17g", p.rotation.x, p.rotation.y, p.rotation.z, p.rotation.w);
}

/* Sends the set and reads the answers. */
static void ask_set(const state *s) {
    const input_set *set = s->set;
    char line[128];
    fprintf(remote.to, "prepare %s %d %d\n", s->engine, (int)set->pairs, (int)set->steps);
    for (int32_t i = 0; i < 2 * set->pairs; i++) {
        put_body(&set->bodies[i]);
    }
    for (int32_t i = 0; i < inputs_questions(set); i++) {
        put_pose(set->questions[i].pose_a);
        put_pose(set->questions[i].pose_b);
        fputc('\n', remote.to);
    }
    fflush(remote.to);
    for (int32_t i = 0; i < inputs_questions(set); i++) {
        char *end;
        s->answers[i].points = (int32_t)strtol(next_line(line, sizeof line), &end, 10);
        s->answers[i].separation = strtod(end, NULL);
    }
    prepared = s;
}

static void *prepare(const char *engine, const input_set *set) {
    state *s = check_memory(1, sizeof *s);
    *s = (state){set, engine, check_memory((size_t)inputs_questions(set), sizeof *s->answers), 0};
    ask_set(s);
    return s;
}

static int32_t ask(void *opaque, int32_t index, int32_t pair) {
    state *s = opaque;
    (void)pair;
    s->last = index;
    return s->answers[index].points;
}

static double separation(const void *opaque, int32_t points) {
    const state *s = opaque;
    (void)points;
    return s->answers[s->last].separation;
}

/* One pass in the other process. */
static double time_pass(void *opaque) {
    const state *s = opaque;
    char line[128];
    if (prepared != s) {
        ask_set(s);
    }
    fputs("time\n", remote.to);
    fflush(remote.to);
    return strtod(next_line(line, sizeof line), NULL);
}

static void release(void *opaque) {
    state *s = opaque;
    prepared = prepared == s ? NULL : prepared;
    free(s->answers);
    free(s);
}

/* ---- the engines ---- */

static bool takes_contacts(const input_set *set) { return remote.to != NULL && !inputs_ask_distance(set); }
static bool takes_distances(const input_set *set) { return remote.to != NULL && inputs_ask_distance(set); }

static void *prepare_mujoco_collision(const input_set *set) { return prepare("mujoco-collision", set); }
static void *prepare_mujoco_distance(const input_set *set) { return prepare("mujoco-distance", set); }
static void *prepare_coal_collide(const input_set *set) { return prepare("coal-collide", set); }
static void *prepare_coal_distance(const input_set *set) { return prepare("coal-distance", set); }

const engine remote_mujoco_collision = {
    "MuJoCo mj_collision", takes_contacts, prepare_mujoco_collision, NULL, time_pass, ask, separation, release};
const engine remote_mujoco_distance = {
    "MuJoCo mj_geomDistance, from Python", takes_distances, prepare_mujoco_distance, NULL, time_pass, ask, separation, release};
const engine remote_coal_collide = {
    "Coal collide, from Python", takes_contacts, prepare_coal_collide, NULL, time_pass, ask, separation, release};
const engine remote_coal_distance = {
    "Coal distance, from Python", takes_distances, prepare_coal_distance, NULL, time_pass, ask, separation, release};
