package tilelang

// Options are small typed values, so that an option an op does not take does not
// compile.
type (
	LoadOption     interface{ load() }
	StoreOption    interface{ store() }
	AtomicOption   interface{ atomic() }
	ReduceOption   interface{ reduce() }
	ScanOption     interface{ scan() }
	SortOption     interface{ sort() }
	DotOption      interface{ dot() }
	CastOption     interface{ cast() }
	DescOption     interface{ desc() }
	BlockOption    interface{ block() }
	ExtremumOption interface{ extremum() }

	MaskOption  struct{ m any }
	OtherOption struct{ v any }
	AxisOption  int
	AccOption   struct{ x Tile }
	TypeOption  DType
	CheckOption struct{ axes []int }
	HintOption  string

	keepDims     struct{}
	reverse      struct{}
	descending   struct{}
	towardZero   struct{}
	padNaN       struct{}
	padZero      struct{}
	propagateNaN struct{}
	bf16Pairs    struct{}
	bf16Tiles    struct{}
)

func (MaskOption) load()   {}
func (MaskOption) store()  {}
func (MaskOption) atomic() {}
func (OtherOption) load()  {}
func (AxisOption) reduce() {}
func (AxisOption) scan()   {}
func (keepDims) reduce()   {}
func (reverse) scan()      {}
func (descending) sort()   {}
func (AccOption) dot()     {}
func (TypeOption) dot()    {}
func (bf16Pairs) dot()     {}
func (bf16Tiles) dot()     {}
func (TypeOption) reduce() {}
func (TypeOption) scan()   {}
func (towardZero) cast()   {}
func (padNaN) desc()       {}
func (padNaN) block()      {}
func (padZero) desc()      {}
func (padZero) block()     {}
func (CheckOption) block() {}

func (propagateNaN) extremum() {}

func (HintOption) load()   {}
func (HintOption) store()  {}
func (HintOption) atomic() {}
func (HintOption) dot()    {}

// Mask restricts a load, store or atomic to the lanes where m, a bool tile or Go
// bool, holds.
func Mask(m any) MaskOption { return MaskOption{m} }

// Other is what a masked-off lane of a load becomes; without it, the lane is 0 and
// counts as undefined.
func Other(v any) OtherOption { return OtherOption{v} }

// Axis names the axis of a reduction or scan; a negative one counts from the end.
// A reduction without it is over all elements, a scan along axis 0.
func Axis(i int) AxisOption { return AxisOption(i) }

// Acc is what a Dot adds its products to, beginning with it.
func Acc(x Tile) AccOption { return AccOption{x} }

// As makes Sum, CumSum or Dot accumulate in d and return it.
func As(d DType) TypeOption { return TypeOption(d) }

// BoundaryCheck makes a block pointer leave alone what lies outside its tensor along
// the given axes.
func BoundaryCheck(axes ...int) CheckOption { return CheckOption{axes} }

// CacheModifier is accepted for the sake of kernels that have it, and changes nothing,
// as do the four after it: memory is ordered, and products are exact to the last bit.
func CacheModifier(s string) HintOption { return HintOption(s) }

// EvictionPolicy is a hint without effect.
func EvictionPolicy(s string) HintOption { return HintOption(s) }

// Sem is a hint without effect: every atomic is ordered.
func Sem(s string) HintOption { return HintOption(s) }

// Scope is a hint without effect: every atomic holds for all programs.
func Scope(s string) HintOption { return HintOption(s) }

// InputPrecision is a hint without effect: products are those of the operands' dtype.
func InputPrecision(s string) HintOption { return HintOption(s) }

// Options without a value.
var (
	KeepDims     keepDims     // a reduction keeps the axis, with size 1
	Reverse      reverse      // a scan runs from the far end
	Descending   descending   // a sort puts the greatest first
	TowardZero   towardZero   // a cast to a narrower float rounds toward zero
	PadNaN       padNaN       // what lies outside a descriptor's tensor reads as NaN
	PadZero      padZero      // what lies outside a block pointer's tensor reads as 0
	PropagateNaN propagateNaN // Maximum and Minimum are NaN where either operand is
)

// BF16Pairs makes a Dot of bfloat16 the chain that hardware's pair products
// (VDPBF16PS) compute. It goes through k in pairs and takes the odd element of a pair
// first: acc = a[m,2i+1]*b[2i+1,n] + acc, then acc = a[m,2i]*b[2i,n] + acc. Each of
// these steps rounds once, to nearest even; subnormals among what it reads count as
// zeros, and a result below 2^-126 becomes one, of the same sign. An odd K ends with
// a pair whose odd elements are zeros.
//
// Processors whose pair products are fast (AMD's since Zen 4) then take half the
// time. Intel's are slower than two float32 multiply-adds; there, and where there are
// none, these are used, and it is about as fast as without. The bits are the same
// everywhere.
var BF16Pairs bf16Pairs

// BF16Tiles makes a Dot of bfloat16 the chain that tile units (AMX's TDPBF16PS) compute.
// It goes through k in blocks of 32. A block has two sums that begin with +0, one of
// its even elements, one of its odd ones, each by steps as BF16Pairs has them:
// even = a[m,2i]*b[2i,n] + even, odd = a[m,2i+1]*b[2i+1,n] + odd. Then acc = acc +
// (even + odd), two additions that round to nearest even and take subnormals for zeros
// as the steps do.
//
// Each Dot begins with a block of its own, and its last block is filled up with zeros. So
// kernels that go through K in steps should take multiples of 32: with steps of 16 each
// block is half zeros, which is another chain, and a slow one.
//
// Processors with such a unit (Intel's since 2023, on Linux) are many times as fast with
// it. Elsewhere the chain is carried out by float32 multiply-adds, and is about as fast as
// without the option. The bits are the same everywhere.
var BF16Tiles bf16Tiles
