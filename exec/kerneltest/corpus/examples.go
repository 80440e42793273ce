package corpus

import (
	"github.com/tiler-go/tiler/exec/kerneltest/kernels"
	tl "github.com/tiler-go/tiler/tilelang"
)

// halves are the dtypes that matrix products of the examples are given.
var halves = []tl.DType{tl.Float16, tl.Float32, tl.BFloat16}

// Examples is the kernels of examples/.
var Examples = []Row{
	{Name: "ExampleVecadd", Fn: kernels.Example_vecadd_add, Types: numbers, Args: "x y z n BLOCK", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "ExampleSoftmax", Fn: kernels.Example_softmax_softmaxRows, Types: floats, Args: "x:rows*cols z:rows*cols rows cols cols C", Grid: "2", Shapes: squares},
	{Name: "ExampleDropout", Fn: kernels.Example_dropout_seededDropout, Types: floats, Args: "x z n 0.5 42 BLOCK", Grid: "n/BLOCK", Shapes: vectors},
	{Name: "ExampleLayernormForward", Fn: kernels.Example_layernorm_forward, Types: floats, Args: "x:rows*cols x@f32:cols y@f32:cols z:rows*cols z@f32:rows z@f32:rows cols 1e-5 C", Grid: "rows", Shapes: squares},
	{Name: "ExampleLayernormBackward", Fn: kernels.Example_layernorm_backward, Types: floats, Args: "x:rows*cols x:rows*cols x@f32:cols y@f32:rows y@f32:rows z:rows*cols z@f32:cols z@f32:cols cols C", Grid: "rows", Shapes: squares, Serial: true},
	{Name: "ExampleMatmul", Fn: kernels.Example_matmul_matmul, Types: halves, Ops: "leaky_relu none", Args: "x:M*K y:K*N z:M*N M N K K 1 N 1 N 1 BM BN BK 2 OP", Grid: "M/BM*N/BN", Shapes: launches},
	{Name: "ExampleAttention", Fn: kernels.Example_attention_attention, Types: halves, Args: "x:2*n*D y:2*n*D x:2*n*D z:2*n*D n 0.18 false D BM BN", Grid: "n/BM 2", Shapes: heads},
	{Name: "ExampleAttentionCausal", Fn: kernels.Example_attention_attention, Types: halves, Args: "x:2*n*D y:2*n*D x:2*n*D z:2*n*D n 0.18 true D BM BN", Grid: "n/BM 2", Shapes: heads},
	{
		Name: "ExampleInt4", Fn: kernels.Example_int4_dequantised, Types: f32,
		Args: "x:M*K i:K*N y@f32:K*N z@f32:M*N M N K 32 BM BN BK", Grid: "M/BM N/BN", Shapes: launches,
	},
	{Name: "ExampleBias", Fn: kernels.Example_bias_triton_dot_2_Bias, Types: append([]tl.DType{tl.Int8}, halves...), Args: "z:M*N x:M*K y:K*N y@f32:M*N M K N", Grid: "1", Shapes: products},
	{Name: "ExampleBiasInt", Fn: kernels.Example_bias_triton_dot_2_Bias, Types: ints, Args: "z:M*N x:M*K y:K*N y@i32:M*N M K N", Grid: "1", Shapes: products},
	{Name: "ExampleOobMatmul", Fn: kernels.Example_oobmatmul_matmul_kernel, Types: halves, Args: "x:M*K y:K*N z@f16:M*N M K K N BM BN BK", Grid: "M/BM N/BN", Shapes: launches, Fails: true, Serial: true},
	{Name: "ExampleOobMatmulMasked", Fn: kernels.Example_oobmatmul_matmul_kernel_masked, Types: halves, Args: "x:M*K y:K*N z@f16:M*N M K K N BM BN BK", Grid: "M/BM N/BN", Shapes: launches},
	{Name: "ExampleShrunkMask", Fn: kernels.Example_shrunkmask_matmul_kernel, Types: halves, Args: "x:M*K y:K*N z@f32:M*N M N K K 1 N 1 N 1 BM BN BK", Grid: "M/BM*N/BN", Shapes: launches},
	{Name: "ExampleShrunkMaskFixed", Fn: kernels.Example_shrunkmask_matmul_kernel_fixed, Types: halves, Args: "x:M*K y:K*N z@f32:M*N M N K K 1 N 1 N 1 BM BN BK", Grid: "M/BM*N/BN", Shapes: launches},
}

var heads = numbered("n BM BN D", [][]int{{1, 16, 16, 16}, {17, 16, 16, 16}, {64, 32, 16, 32}, {100, 16, 32, 64}})
