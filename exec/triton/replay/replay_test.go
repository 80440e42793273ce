package replay_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/triton/replay"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// recorded is the archive of launches that were recorded on a GPU. It is no part of the
// repository; where it is not beside it, the test is skipped.
const recorded = "../../../../shared/launches/launches.zip"

func TestRecorded(t *testing.T) {
	if os.Getenv("TILER_LONG") == "" {
		t.Skip("116 launches of public kernels: TILER_LONG=1 runs them")
	}
	f, err := os.Open(recorded)
	if err != nil {
		t.Skip("no recorded launches here: ", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	a, err := replay.Open(f, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	r := (&replay.Runner{Archive: a}).All(func(int) {})
	if r.Wrong > 0 || r.Right+r.Flagged < r.Launches*95/100 {
		t.Errorf("\n%s", r)
	}
}

const kernels = `
import triton
import triton.language as tl

@triton.jit
def double(x, out, n, factor, BLOCK: tl.constexpr, kind: tl.constexpr, bias=None):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + offs, mask=offs < n)
    tl.store(out + offs, (v * factor).to(kind), mask=offs < n)
    if bias is not None:
        tl.store(out + offs, tl.load(bias + offs))

@triton.jit
def strange(x):
    tl.store(x, tl.inline_asm_elementwise("", "", [], tl.float32, True, 1))
`

// archived is an archive of launches of kernels.
func archived(t *testing.T, launches map[string]string, memory map[string][]float32) *replay.Archive {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	put := func(name string, text []byte) {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write(text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	put("k.py", []byte(kernels))
	for i, text := range launches {
		put("k/"+i+"/launch.json", []byte(text))
	}
	for name, v := range memory {
		var npy bytes.Buffer
		x := tensor.From(v, len(v))
		raw := tensor.From(append([]uint8{}, x.Buf().Bytes()...), 4*len(v))
		if err := tensor.WriteNpy(&npy, raw); err != nil {
			t.Fatal(err)
		}
		put("k/"+name+".npy", npy.Bytes())
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	a, err := replay.Open(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// launch is the description of a launch of double.
func launch(kernel string, args ...any) string {
	text, err := json.Marshal(map[string]any{"kernel": kernel, "line": 0, "grid": []int{1}, "args": args})
	if err != nil {
		panic(err)
	}
	return string(text)
}

func tensorArg(name, storage string, n int) map[string]any {
	return map[string]any{"name": name, "kind": "tensor", "dtype": "float32", "shape": []int{n}, "strides": []int{1}, "offset": 0, "storage": json.Number(storage)}
}

func scalar(name, kind, typ string, v any) map[string]any {
	return map[string]any{"name": name, "kind": kind, "type": typ, "value": v}
}

func TestVerdicts(t *testing.T) {
	rest := []any{scalar("n", "scalar", "int", 4), scalar("factor", "scalar", "float", 2.5), scalar("BLOCK", "const", "int", 8),
		scalar("kind", "const", "dtype", "torch.float32"), scalar("bias", "scalar", "NoneType", nil)}
	call := func(n int, rest ...any) string {
		return launch("double", append([]any{tensorArg("x", "0", n), tensorArg("out", "1", n)}, rest...)...)
	}
	over := append([]any{}, rest...)
	over[0] = scalar("n", "scalar", "int", 6)
	a := archived(t, map[string]string{
		"0": call(4, rest...), "1": call(4, rest...), "2": call(4, over...), "10": launch("strange", tensorArg("x", "0", 4)), "11": launch("missing"),
	}, map[string][]float32{
		"0/0.before": {1, 2, 3, 4}, "0/1.before": {0, 0, 0, 0}, "0/1.after": {2.5, 5, 7.5000005, 10},
		"1/0.before": {1, 2, 3, 4}, "1/1.before": {0, 0, 0, 0}, "1/1.after": {2.5, 5, 7.51, 10},
		"2/0.before": {1, 2, 3, 4}, "2/1.before": {0, 0, 0, 0},
		"10/0.before": {1, 2, 3, 4},
	})
	r := (&replay.Runner{Archive: a}).All(func(int) {})
	want := `k/1 double: wrong: out[2] is 7.5, the GPU left 7.510000228881836: 0.01 apart`
	if text := r.String(); !strings.Contains(text, want) || !strings.Contains(text, "k/2 double: flagged: k.py:8: error: out-of-bounds") ||
		!strings.Contains(text, "k/10 strange: refused: k.py:15:") || !strings.Contains(text, "k/11 missing: refused: k.py: no function missing in this file") {
		t.Errorf("got\n%s", text)
	}
	if sums := fmt.Sprint(r.Launches, r.Right, r.Flagged, r.Refused, r.Wrong); sums != "5 1 1 2 1" {
		t.Errorf("got %s\n%s", sums, r)
	}
}
