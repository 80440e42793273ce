// The line protocol of a peer in C: see peer.py for its words. A peer includes this file and gives a
// table of ops, each of which makes a task of its arguments.
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAYBE __attribute__((unused)) static // not every peer uses it

typedef struct task {
	void (*run)(struct task *);
	double (*at)(struct task *, long); // an element of the result
	long n;                            // elements in a, b and out, or rows
	long m, k, cols;
	float *a, *b, *c, *out;
	void *more; // what only one peer knows
	float sum;  // so that reading is not in vain
} task;

typedef struct {
	const char *name;
	const char *(*make)(task *, char **args); // 0 or what is wrong
} op;

static uint32_t mix(uint32_t i, uint32_t seed) {
	uint32_t h = i * 2654435761u + seed * 0x9e3779b9u;
	h ^= h >> 16;
	h *= 0x45d9f3bu;
	return h ^ h >> 16;
}

static float fine(uint32_t i, uint32_t seed) { return (float)(mix(i, seed) >> 8) * 0x1p-24f - 0.5f; }
MAYBE float coarse(uint32_t i, uint32_t seed) { return ((float)(mix(i, seed) >> 24) - 128) / 256; }

// arg is the whole number of a KEY=VALUE argument, 0 if it is not there.
static long arg(char **args, const char *key) {
	size_t n = strlen(key);
	for (; *args; args++)
		if (!strncmp(*args, key, n) && (*args)[n] == '=')
			return strtol(*args + n + 1, 0, 10);
	return 0;
}

MAYBE const char *word(char **args, const char *key) {
	size_t n = strlen(key);
	for (; *args; args++)
		if (!strncmp(*args, key, n) && (*args)[n] == '=')
			return *args + n + 1;
	return "";
}

// space is zeroed memory at the start of a page.
static void *space(size_t bytes) {
	void *p = aligned_alloc(4096, (bytes + 4095) & ~(size_t)4095);
	if (p)
		memset(p, 0, (bytes + 4095) & ~(size_t)4095);
	return p;
}

MAYBE float *floats(long n, uint32_t seed, float scale) {
	float *v = space(n * sizeof *v);
	for (long i = 0; v && seed && i < n; i++)
		v[i] = fine(i, seed) * scale;
	return v;
}

MAYBE double at_out(task *t, long i) { return t->out[i]; }

static double now(void) {
	struct timespec s;
	clock_gettime(CLOCK_MONOTONIC, &s);
	return s.tv_sec + s.tv_nsec * 1e-9;
}

enum { max_tasks = 256, max_args = 16 };
static struct { char name[64]; task t; int used; } tasks[max_tasks];

static task *find(const char *name) {
	for (int i = 0; i < max_tasks; i++)
		if (tasks[i].used && !strcmp(tasks[i].name, name))
			return &tasks[i].t;
	return 0;
}

static const char *make_task(const op *ops, const char *name, const char *what, char **args) {
	for (; ops->name; ops++) {
		if (strcmp(ops->name, what))
			continue;
		for (int i = 0; i < max_tasks; i++) {
			if (tasks[i].used)
				continue;
			memset(&tasks[i], 0, sizeof tasks[i]);
			const char *wrong = ops->make(&tasks[i].t, args);
			if (!wrong) {
				tasks[i].used = 1;
				snprintf(tasks[i].name, sizeof tasks[i].name, "%s", name);
				tasks[i].t.run(&tasks[i].t);
			}
			return wrong;
		}
		return "too many tasks";
	}
	return "no such op";
}

static void drop_task(const char *name) {
	for (int i = 0; i < max_tasks; i++)
		if (tasks[i].used && !strcmp(tasks[i].name, name)) {
			task *t = &tasks[i].t;
			free(t->a), free(t->b), free(t->c), free(t->out);
			tasks[i].used = 0;
		}
}

static void run_task(task *t, long warm, long n) {
	while (warm-- > 0)
		t->run(t);
	double start = now();
	for (long i = 0; i < n; i++)
		t->run(t);
	printf("ok %.9f\n", now() - start);
}

static void answer(const op *ops, char *line) {
	char *w[max_args + 1] = {0};
	int n = 0;
	for (char *p = strtok(line, " \n"); p && n < max_args; p = strtok(0, " \n"))
		w[n++] = p;
	task *t = n > 1 ? find(w[1]) : 0;
	if (n > 2 && !strcmp(w[0], "make")) {
		const char *wrong = make_task(ops, w[1], w[2], w + 3);
		wrong ? printf("error %s\n", wrong) : printf("ok\n");
	} else if (t && n == 4 && !strcmp(w[0], "run")) {
		run_task(t, atol(w[2]), atol(w[3]));
	} else if (t && n == 5 && !strcmp(w[0], "get")) {
		printf("ok");
		for (long i = 0; i < atol(w[4]); i++)
			printf(" %.9g", t->at(t, atol(w[2]) + i * atol(w[3])));
		printf("\n");
	} else if (n == 2 && !strcmp(w[0], "drop")) {
		drop_task(w[1]);
		printf("ok\n");
	} else {
		printf("error cannot do that\n");
	}
	fflush(stdout);
}

static int serve(const op *ops, const char *version) {
	static char line[4096];
	signal(SIGINT, SIG_IGN); // the parent ends its peers itself
	printf("ready %s\n", version);
	fflush(stdout);
	while (fgets(line, sizeof line, stdin))
		answer(ops, line);
	return 0;
}
