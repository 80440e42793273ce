// oneDNN's matrix products, of operands as they come (not packed beforehand): a peer.
#include "loop.h"
#include <dnnl.h>
#include <dnnl_version.h>

typedef struct {
	dnnl_primitive_t primitive;
	dnnl_memory_t src, weights, dst;
	int bytes; // of a result's element is an integer
} product;

static dnnl_engine_t engine;
static dnnl_stream_t stream;

static void run_product(task *t) {
	product *p = t->more;
	dnnl_exec_arg_t args[] = {{DNNL_ARG_SRC, p->src}, {DNNL_ARG_WEIGHTS, p->weights}, {DNNL_ARG_DST, p->dst}};
	dnnl_primitive_execute(p->primitive, stream, 3, args);
	dnnl_stream_wait(stream);
}

static double at_product(task *t, long i) {
	product *p = t->more;
	return p->bytes ? ((int32_t *)t->out)[i] : t->out[i];
}

// The interface changed with version 3: descriptors became objects, and the step that only described an
// operation went away.
#if DNNL_VERSION_MAJOR >= 3
typedef dnnl_memory_desc_t desc;
static int describe(desc *d, dnnl_dims_t dims, dnnl_data_type_t type) {
	return dnnl_memory_desc_create_with_tag(d, 2, dims, type, dnnl_ab);
}
static int matmul(dnnl_primitive_desc_t *pd, desc *a, desc *b, desc *c) {
	return dnnl_matmul_primitive_desc_create(pd, engine, *a, *b, 0, *c, 0);
}
static int memory(dnnl_memory_t *m, desc *d, void *data) { return dnnl_memory_create(m, *d, engine, data); }
#else
typedef dnnl_memory_desc_t desc;
static int describe(desc *d, dnnl_dims_t dims, dnnl_data_type_t type) {
	return dnnl_memory_desc_init_by_tag(d, 2, dims, type, dnnl_ab);
}
static int matmul(dnnl_primitive_desc_t *pd, desc *a, desc *b, desc *c) {
	dnnl_matmul_desc_t d;
	return dnnl_matmul_desc_init(&d, a, b, 0, c) || dnnl_primitive_desc_create(pd, &d, 0, engine, 0);
}
static int memory(dnnl_memory_t *m, desc *d, void *data) { return dnnl_memory_create(m, d, engine, data); }
#endif

static void *operand(long n, uint32_t seed, const char *type, int eight) {
	if (!strcmp(type, "int8")) {
		int8_t *v = space(n);
		for (long i = 0; i < n; i++) v[i] = (int8_t)(mix(i, seed) >> 24);
		return v;
	}
	if (!strcmp(type, "bf16")) {
		uint16_t *v = space(2 * n);
		for (long i = 0; i < n; i++) {
			float f = coarse(i, seed); // exact: the lower half of its bits is 0
			uint32_t bits;
			memcpy(&bits, &f, 4);
			v[i] = bits >> 16;
		}
		return v;
	}
	float *v = floats(n, seed, 1);
	for (long i = 0; eight && i < n; i++) v[i] = coarse(i, seed);
	return v;
}

static const char *make_gemm(task *t, char **args) {
	long m = arg(args, "m"), n = arg(args, "n"), k = arg(args, "k");
	const char *type = word(args, "dtype");
	int integer = !strcmp(type, "int8");
	dnnl_data_type_t in = integer ? dnnl_s8 : !strcmp(type, "bf16") ? dnnl_bf16 : dnnl_f32;
	desc da, db, dc;
	dnnl_primitive_desc_t pd;
	product *p = t->more = space(sizeof *p);
	p->bytes = integer;
	t->run = run_product, t->at = at_product;
	int eight = !strcmp(word(args, "values"), "coarse");
	t->a = operand(m * k, 1, type, eight);
	t->b = operand(k * n, 2, type, eight);
	t->out = floats(m * n, 0, 0);
	if (describe(&da, (dnnl_dims_t){m, k}, in) || describe(&db, (dnnl_dims_t){k, n}, in) ||
	    describe(&dc, (dnnl_dims_t){m, n}, integer ? dnnl_s32 : dnnl_f32) || matmul(&pd, &da, &db, &dc) ||
	    dnnl_primitive_create(&p->primitive, pd) || memory(&p->src, &da, t->a) || memory(&p->weights, &db, t->b) ||
	    memory(&p->dst, &dc, t->out))
		return "oneDNN does not have this product";
	dnnl_primitive_desc_destroy(pd);
	return 0;
}

static const op ops[] = {{"gemm", make_gemm}, {0}};

int main(void) {
	char version[64];
	const dnnl_version_t *v = dnnl_version();
	if (dnnl_engine_create(&engine, dnnl_cpu, 0) || dnnl_stream_create(&stream, engine, dnnl_stream_default_flags)) {
		fprintf(stderr, "no engine\n");
		return 1;
	}
	snprintf(version, sizeof version, "%d.%d.%d", v->major, v->minor, v->patch);
	return serve(ops, version);
}
