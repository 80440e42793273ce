// Loops as gcc -O3 -march=native -ffast-math makes them: a peer, and the measure of the machine's
// memory. Threads share a loop in equal parts.
#include "loop.h"
#include <immintrin.h>
#include <omp.h>

#define PARALLEL _Pragma("omp parallel for schedule(static) if (omp_get_max_threads() > 1)")

static void run_add(task *t) {
	float *restrict a = t->a, *restrict b = t->b, *restrict out = t->out;
	long n = t->n;
	PARALLEL for (long i = 0; i < n; i++) out[i] = a[i] + b[i];
}

// Stores that go past the caches: out is not read first, as an ordinary store would.
static void run_addnt(task *t) {
	float *restrict a = t->a, *restrict b = t->b, *restrict out = t->out;
	long n = t->n;
#ifdef __AVX512F__
	PARALLEL for (long i = 0; i < n / 16; i++)
		_mm512_stream_ps(out + 16 * i, _mm512_add_ps(_mm512_loadu_ps(a + 16 * i), _mm512_loadu_ps(b + 16 * i)));
	for (long i = n & ~15L; i < n; i++) out[i] = a[i] + b[i];
#else
	PARALLEL for (long i = 0; i < n / 8; i++)
		_mm256_stream_ps(out + 8 * i, _mm256_add_ps(_mm256_loadu_ps(a + 8 * i), _mm256_loadu_ps(b + 8 * i)));
	for (long i = n & ~7L; i < n; i++) out[i] = a[i] + b[i];
#endif
	_mm_sfence();
}

static void run_read(task *t) {
	float *restrict a = t->a, sum = 0;
	long n = t->n;
	_Pragma("omp parallel for schedule(static) reduction(+ : sum) if (omp_get_max_threads() > 1)")
	for (long i = 0; i < n; i++) sum += a[i];
	t->sum += sum;
}

static void run_write(task *t) {
	float *restrict out = t->out, v = t->sum;
	long n = t->n;
	PARALLEL for (long i = 0; i < n; i++) out[i] = v;
	t->sum += 1;
}

static void run_copy(task *t) {
	float *restrict a = t->a, *restrict out = t->out;
	long n = t->n;
	PARALLEL for (long i = 0; i < n; i++) out[i] = a[i];
}

static void run_triad(task *t) {
	float *restrict a = t->a, *restrict b = t->b, *restrict out = t->out;
	long n = t->n;
	PARALLEL for (long i = 0; i < n; i++) out[i] = a[i] + 3 * b[i];
}

static void run_softmax(task *t) {
	float *restrict x = t->a, *restrict out = t->out;
	long rows = t->n, cols = t->cols;
	PARALLEL for (long r = 0; r < rows; r++) {
		float *restrict in = x + r * cols, *restrict to = out + r * cols, top = in[0], sum = 0;
		for (long j = 0; j < cols; j++) top = in[j] > top ? in[j] : top;
		for (long j = 0; j < cols; j++) sum += to[j] = expf(in[j] - top);
		sum = 1 / sum;
		for (long j = 0; j < cols; j++) to[j] *= sum;
	}
}

static void run_layernorm(task *t) {
	float *restrict x = t->a, *restrict w = t->b, *restrict b = t->c, *restrict out = t->out;
	long rows = t->n, cols = t->cols;
	PARALLEL for (long r = 0; r < rows; r++) {
		float *restrict in = x + r * cols, *restrict to = out + r * cols, sum = 0, square = 0;
		for (long j = 0; j < cols; j++) sum += in[j];
		float mean = sum / cols;
		for (long j = 0; j < cols; j++) square += (in[j] - mean) * (in[j] - mean);
		float rstd = 1 / sqrtf(square / cols + 1e-5f);
		for (long j = 0; j < cols; j++) to[j] = (in[j] - mean) * rstd * w[j] + b[j];
	}
}

// vectors makes what the ops on flat arrays need; each uses some of it.
static const char *vectors(task *t, char **args, void (*run)(task *), int inputs) {
	t->run = run, t->at = at_out, t->n = arg(args, "n");
	if (inputs > 0)
		t->a = floats(t->n, 1, 1);
	if (inputs > 1)
		t->b = floats(t->n, 2, 1);
	if (run != run_read)
		t->out = floats(t->n, 0, 0);
	return 0;
}

static const char *make_add(task *t, char **args) { return vectors(t, args, run_add, 2); }
static const char *make_addnt(task *t, char **args) { return vectors(t, args, run_addnt, 2); }
static const char *make_read(task *t, char **args) { return vectors(t, args, run_read, 1); }
static const char *make_write(task *t, char **args) { return vectors(t, args, run_write, 0); }
static const char *make_copy(task *t, char **args) { return vectors(t, args, run_copy, 1); }
static const char *make_triad(task *t, char **args) { return vectors(t, args, run_triad, 2); }

static const char *make_rows(task *t, char **args, void (*run)(task *)) {
	t->run = run, t->at = at_out, t->n = arg(args, "rows"), t->cols = arg(args, "cols");
	t->a = floats(t->n * t->cols, 1, 8);
	t->b = floats(t->cols, 2, 1);
	t->c = floats(t->cols, 3, 1);
	t->out = floats(t->n * t->cols, 0, 0);
	return 0;
}

static const char *make_softmax(task *t, char **args) { return make_rows(t, args, run_softmax); }
static const char *make_layernorm(task *t, char **args) { return make_rows(t, args, run_layernorm); }

static const op ops[] = {
	{"add", make_add}, {"addnt", make_addnt}, {"read", make_read}, {"write", make_write}, {"copy", make_copy},
	{"triad", make_triad}, {"softmax", make_softmax}, {"layernorm", make_layernorm}, {0},
};

int main(void) { return serve(ops, __VERSION__); }
