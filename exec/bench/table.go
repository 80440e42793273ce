package bench

import (
	"fmt"
	"slices"
	"sync"

	"github.com/tiler-go/tiler/exec/bench/limit"
	"github.com/tiler-go/tiler/exec/cpu"
	tl "github.com/tiler-go/tiler/tilelang"
)

// table is every row of the suites but the machine's limits, in the order they are run.
func table() []row {
	return slices.Concat(
		launches(), compiles(), blockProducts(), stridedProducts(), fewRows(), narrowInputs(), narrowProducts(), lowerTier(),
		softmaxes(), layernorms(), adds(), attentions(), checkCosts(), realKernels(),
	)
}

// both is rows that are run with one thread and with two.
var both = []int{1, 2}

// oneThread is the rival that two threads are compared with.
func oneThread() rival { return rival{key: "tiler-1t", workers: 1, threads: 2} }

// twice is the bar of work that computes: what the second thread is to bring.
var twice = bar{against: "tiler-1t", least: 1.9, threads: 2}

func launches() []row {
	return []row{
		{
			name: "launch", label: "empty, 1 program", quick: true, threads: []int{1}, unit: micros,
			program: func() program { return programNothing(1) },
		},
		{
			name: "launch", label: "empty, 1024 programs", quick: true, threads: both, unit: micros,
			program: func() program { return programNothing(1024) },
		},
		{
			name: "bias", label: "16x16x16 f16", quick: true, threads: []int{1}, unit: micros,
			program: func() program { return biasProgram(size{16, 16, 16}, tl.Float16) },
			bars:    []bar{{most: 2}},
		},
		{
			name: "bias", label: "16x16x16 f32", threads: []int{1}, unit: micros,
			program: func() program { return biasProgram(size{16, 16, 16}, tl.Float32) },
			bars:    []bar{{most: 2}},
		},
	}
}

// compiles measures from a kernel's text to the end of a small launch, which makes all code
// that launches of these sizes and larger ones run: of blocks and strided that of the whole
// product, not that of instances one by one.
func compiles() []row {
	small := size{32, 16, 32} // more rows than are multiplied without packing
	programs := []struct {
		name  string
		build func() program
	}{
		{"bias", func() program { return biasProgram(size{16, 16, 16}, tl.Float16) }},
		{"blocks", func() program { return blocksProgram(small, tl.Float32, tl.Float16, false) }},
		{"strided", func() program { return stridedProgram(small, stridedBlocks, tl.Float32, false) }},
	}
	var rows []row
	for _, p := range programs {
		rows = append(rows, row{
			name: "compile", label: p.name, quick: true, threads: []int{1}, unit: millis,
			side: newCompileSide(p.build),
			bars: []bar{{most: 2}},
		})
	}
	return rows
}

// rivalsOf a product of float32 matrices.
func productRivals(s size, values string) []rival {
	op := fmt.Sprintf("gemm m=%d n=%d k=%d values=%s", s.m, s.n, s.k, values)
	return []rival{
		{key: "openblas", peer: "openblas", op: op},
		{key: "onednn", peer: "onednn", op: op + " dtype=f32"},
		oneThread(),
	}
}

// blockProducts is products in blocks, as the tutorial wrote them. Its bars are lower where 2 threads meet
// 1024³: rows there are 4 KiB apart, and both cores want the same lines.
func blockProducts() []row {
	var rows []row
	for _, as := range []tl.DType{tl.Float32, tl.Float16} {
		for _, n := range []int{512, 1024, 2048} {
			s, label := size{n, n, n}, fmt.Sprintf("%dx%dx%d f32", n, n, n)
			if as != tl.Float32 {
				label += ", rounded to f16"
			}
			rows = append(rows, row{
				name: "blocks", label: label, threads: both, unit: gflops, work: s.flops(),
				quick:   as == tl.Float32 && n < 2048 || as == tl.Float16 && n == 512,
				peak:    ceiling{fma: "f32"},
				program: func() program { return blocksProgram(s, tl.Float32, as, false) },
				rivals:  productRivals(s, "fine"),
				bars:    productBars(n, 0.90),
			})
		}
	}
	return rows
}

func productBars(n int, ofPeak float64) []bar {
	two := ofPeak
	if n == 1024 {
		two = 0.87
	}
	return []bar{
		{against: "openblas", least: 1}, {against: "peak", least: ofPeak, threads: 1}, {against: "peak", least: two, threads: 2}, twice,
	}
}

func stridedProducts() []row {
	var rows []row
	for _, s := range []size{{512, 512, 256}, {1024, 1024, 1024}} {
		rows = append(rows, row{
			name: "strided", label: fmt.Sprintf("%dx%dx%d f32", s.m, s.n, s.k), quick: true, threads: both, unit: gflops, work: s.flops(),
			peak:    ceiling{fma: "f32"},
			program: func() program { return stridedProgram(s, stridedBlocks, tl.Float32, false) },
			rivals:  productRivals(s, "fine"),
			bars:    productBars(s.m, 0.92),
		})
	}
	return rows
}

// fewRows is vectors times a matrix: what there is to do is reading it.
func fewRows() []row {
	var rows []row
	for _, m := range []int{1, 4, 16} {
		s := size{m, 4096, 4096}
		rows = append(rows, row{
			name: "few-rows", label: fmt.Sprintf("%dx%dx%d f32", s.m, s.n, s.k), threads: both, unit: gflops, work: s.flops(),
			program: func() program { return stridedProgram(s, size{16, 64, 64}, tl.Float32, false) },
			rivals:  productRivals(s, "fine"),
			bars:    []bar{{against: "openblas", least: 1}},
		})
	}
	return rows
}

// narrowInputs is the products of float16 and bfloat16 matrices, which are float32
// chains: beside the same product of float32 matrices.
func narrowInputs() []row {
	s := size{1024, 1024, 1024}
	seeds := []struct {
		name  string
		build func(d tl.DType) program
	}{
		{"blocks", func(d tl.DType) program { return blocksProgram(s, d, tl.Float32, true) }},
		{"strided", func(d tl.DType) program { return stridedProgram(s, stridedBlocks, d, true) }},
	}
	var rows []row
	for _, seed := range seeds {
		for _, d := range []tl.DType{tl.Float16, tl.BFloat16} {
			rows = append(rows, row{
				name: seed.name, label: fmt.Sprintf("%dx%dx%d %s inputs", s.m, s.n, s.k, d.Short()), quick: d == tl.Float16,
				threads: both, unit: gflops, work: s.flops(), peak: ceiling{fma: "f32"},
				program: func() program { return seed.build(d) },
				rivals:  []rival{{key: "tiler-f32", program: func() program { return seed.build(tl.Float32) }}, oneThread()},
				bars:    []bar{{against: "tiler-f32", least: 0.93}, twice},
			})
		}
	}
	return rows
}

// narrowProducts is those whose sums are the hardware's own: pairs and tiles of bfloat16,
// quadruples of int8. That of pairs passes its peak, the pair instruction's, where
// float32 multiply-adds have the same bits and are faster, as on Intel's processors.
func narrowProducts() []row {
	s := size{1024, 1024, 1024}
	op := fmt.Sprintf("gemm m=%d n=%d k=%d", s.m, s.n, s.k)
	exact := rival{key: "tiler-exact", program: func() program { return blocksProgram(s, tl.BFloat16, tl.Float32, true) }} // without options
	return []row{
		{
			name: "bf16-fast", label: "1024x1024x1024", quick: true, threads: both, unit: gflops, work: s.flops(),
			peak: ceiling{fma: "bf16"}, needs: needsFeature("AVX-512 BF16", cpu.HasAVX512BF16),
			program: func() program { return program16(s, size{64, 64, 64}, 0) },
			rivals: []rival{
				{key: "onednn", peer: "onednn", op: op + " dtype=bf16"},
				exact,
				oneThread(),
			},
			bars: []bar{{against: "peak", least: 0.90}, {against: "onednn", least: 1}, twice},
		},
		{
			name: "bf16-fast", label: "1024x1024x1024 in tiles", quick: true, threads: both, unit: gflops, work: s.flops(),
			peak: ceiling{fma: "bf16 in tiles"}, needs: needsTiles,
			program: func() program { return program16(s, size{64, 64, 64}, 1) },
			rivals: []rival{
				{key: "onednn", peer: "onednn", op: op + " dtype=bf16"},
				{key: "torch", peer: "torch", op: op + " dtype=bf16 values=coarse", rel: 0x1p-8}, // its results are bfloat16
				exact,
				oneThread(),
			},
			bars: []bar{{against: "peak", least: 0.90}, {against: "onednn", least: 1}, {against: "torch", least: 1}, twice},
		},
		{
			name: "int8", label: "1024x1024x1024", quick: true, threads: both, unit: gops, work: s.flops(),
			peak: ceiling{fma: "int8"}, needs: needsFeature("AVX-512 VNNI", cpu.HasAVX512VNNI),
			program: func() program { return programInt8(s, size{64, 64, 64}) },
			rivals:  []rival{{key: "onednn", peer: "onednn", op: op + " dtype=int8"}, {key: "torch", peer: "torch", op: op + " dtype=int8"}, oneThread()},
			bars:    []bar{{against: "peak", least: 0.90}, {against: "onednn", least: 1}, twice},
		},
	}
}

func needsFeature(name string, f cpu.Features) func() string {
	return func() string {
		if cpu.Detected().Has(f) {
			return ""
		}
		return "this processor has no " + name
	}
}

func needsTiles() string {
	if cpu.Tiles(cpu.HasAMXBF16) {
		return ""
	}
	return "this machine has no tiles of bfloat16 (AMX)"
}

func lowerTier() []row {
	s := size{1024, 1024, 1024}
	return []row{
		{
			name: "avx2", label: "blocks 1024x1024x1024 f32", quick: true, threads: both, engine: "avx2", unit: gflops, work: s.flops(),
			peak:    ceiling{fma: "f32"},
			program: func() program { return blocksProgram(s, tl.Float32, tl.Float32, false) },
			rivals:  productRivals(s, "fine"),
			bars:    []bar{{against: "peak", least: 0.85}},
		},
		{
			name: "avx2", label: "strided 1024x1024x1024 f32", threads: []int{1}, engine: "avx2", unit: gflops, work: s.flops(),
			peak:    ceiling{fma: "f32"},
			program: func() program { return stridedProgram(s, stridedBlocks, tl.Float32, false) },
			rivals:  productRivals(s, "fine"),
			bars:    []bar{{against: "peak", least: 0.85}},
		},
	}
}

// rowRivals of an op on the rows of a matrix.
func rowRivals(op string, rows, cols int, peers ...string) []rival {
	var rs []rival
	for _, p := range peers {
		r := rival{key: p, peer: p, op: fmt.Sprintf("%s rows=%d cols=%d", op, rows, cols)}
		if p == "numpy" {
			r.threads = 1 // it has no more
		}
		rs = append(rs, r)
	}
	return append(rs, oneThread())
}

func softmaxes() []row {
	var rows []row
	for _, s := range [][2]int{{1823, 781}, {4096, 1024}, {1024, 4096}} {
		n, cols := s[0], s[1]
		rows = append(rows, row{
			name: "softmax", label: fmt.Sprintf("%dx%d", n, cols), quick: true, threads: both, unit: gbytes, work: 8 * float64(n*cols),
			peak:    ceiling{memory: []string{"copy", "copynt"}, n: n * cols},
			program: func() program { return programSoftmax(n, cols) },
			rivals:  rowRivals("softmax", n, cols, "torch", "numpy", "numba", "gcc"),
			bars:    []bar{{against: "torch", least: 2.5}, {against: "numpy", least: 4, threads: 1}},
		})
	}
	return rows
}

func layernorms() []row {
	const n, cols = 4096, 1024
	return []row{{
		name: "layernorm", label: fmt.Sprintf("%dx%d", n, cols), quick: true, threads: both, unit: gbytes, work: 8 * n * cols,
		peak:    ceiling{memory: []string{"copy", "copynt"}, n: n * cols},
		program: func() program { return programLayernorm(n, cols) },
		rivals:  rowRivals("layernorm", n, cols, "torch", "numpy", "gcc"),
		bars:    []bar{{against: "torch", least: 2, threads: 1}},
	}}
}

// addition is the row of a vector add; loop is what the memory peer runs beside it.
func addition(n int, quick bool, loop string, peers []string, bars ...bar) row {
	r := row{
		name: "add", label: fmt.Sprint(n), quick: quick, threads: both, unit: gbytes, work: 12 * float64(n),
		peak: ceiling{memory: []string{"add", "addnt"}, n: n}, bytes: 12 * n,
		program: func() program { return programAdd(n, 1024) },
		rivals:  []rival{{key: "gcc", peer: "gcc", op: fmt.Sprintf("%s n=%d", loop, n)}, oneThread()},
		bars:    bars,
	}
	for _, p := range peers {
		v := rival{key: p, peer: p, op: fmt.Sprintf("add n=%d", n)}
		if p == "numpy" {
			v.threads = 1
		}
		r.rivals = append(r.rivals, v)
	}
	return r
}

func adds() []row {
	return []row{
		addition(98432, true, "add", []string{"numpy", "numba", "torch"},
			bar{against: "numpy", least: 1, threads: 1}, bar{against: "numba", least: 1, threads: 1}),
		addition(64<<20, false, "addnt", []string{"numpy"}, bar{against: "gcc", least: 0.95}),
	}
}

func attentions() []row {
	const heads, n, head = 4, 1024, 64
	return []row{{
		name: "attention", label: fmt.Sprintf("%d heads of %d, %d long, f32", heads, head, n), quick: true, threads: both,
		unit: gflops, work: 4 * heads * n * n * head, peak: ceiling{fma: "f32"},
		program: func() program { return programAttention(heads, n, head, 64, 64) },
		rivals:  []rival{{key: "torch", peer: "torch", op: fmt.Sprintf("attention heads=%d n=%d head=%d", heads, n, head)}, oneThread()},
		bars:    []bar{{against: "torch", least: 1}, twice},
	}}
}

// checkCosts is what it costs that every access of an instance is checked. A launch that
// is one matrix product is checked as a whole, which takes no time.
func checkCosts() []row {
	programs := []struct {
		label string
		unit  unit
		work  float64
		build func() program
	}{
		{"bias 16x16x16 f32", micros, 1, func() program { return biasProgram(size{16, 16, 16}, tl.Float32) }},
		{"softmax 1823x781", gbytes, 8 * 1823 * 781, func() program { return programSoftmax(1823, 781) }},
		{"softmax 4096x1024", gbytes, 8 * 4096 * 1024, func() program { return programSoftmax(4096, 1024) }},
		{"layernorm 4096x1024", gbytes, 8 * 4096 * 1024, func() program { return programLayernorm(4096, 1024) }},
		{"add 98432", gbytes, 12 * 98432, func() program { return programAdd(98432, 1024) }},
		{"attention", gflops, 4 * 4 * 1024 * 1024 * 64, func() program { return programAttention(4, 1024, 64, 64, 64) }},
	}
	var rows []row
	for i, p := range programs {
		same := sync.OnceValue(p.build) // where memory lies can cost more than checks do
		direct := func(unchecked bool) sideMaker {
			return func(s setup) (side, error) { return newDirectSide(same(), s.engine, unchecked) }
		}
		rows = append(rows, row{
			name: "checks", label: p.label, quick: i == 1 || i == 4, threads: []int{1}, unit: p.unit, work: p.work,
			needs: needsCode, side: direct(false),
			rivals: []rival{{key: "unchecked", side: direct(true)}},
			bars:   []bar{{against: "unchecked", least: 0.97}},
		})
	}
	return rows
}

// needsCode is for rows about machine code.
func needsCode() string {
	if err := limit.Possible(cpu.Best()); err != nil {
		return "there is no machine code here"
	}
	return ""
}
