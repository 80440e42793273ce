package symbols

import (
	"slices"
	"strings"
	"testing"
)

// internal is what is not for those who write kernels: names, or how they begin, that have
// no example and stand in no subject.
var internal = map[string][]string{
	"github.com/tiler-go/tiler/tilelang": {
		"About", "Access", "AddressFault", "AssertionFault", "Base", "BrokenPromise", "DivisionFault", "Fault", "Interrupt", "Invalid", "Locate", "Loads", "Mark", "MaxRank",
		"Misplaced", "NotFinite", "Sources", "Tracing", "Barriers", "NewOutput", "NewProgram", "Notice", "Observer", "Origin", "OtherFault", "Output", "RangeFault", "Stores", "TileOf", "Undefined", "Updates",
		"Watch", "Wrapped", "Tile.Base", "Tile.Bits", "Program.Recover", "Program.String",
		"AccOption", "AtomicOption", "AxisOption", "BlockOption", "CastOption", "CheckOption", "DescOption", "DotOption", "ExtremumOption", "HintOption", "LoadOption",
		"MaskOption", "OtherOption", "ReduceOption", "ScanOption", "SortOption", "StoreOption", "TypeOption",
	},
	"github.com/tiler-go/tiler/tilelang/tensor": {
		"AutoNotation", "BFloat16s", "BitsValue", "BoolValue", "Copies", "Describe", "Elem", "Error", "Float16s", "FloatValue", "Format", "FromBFloat16s", "FromBytes", "FromFloat16s",
		"IntValue", "MaxRank", "None", "Notation", "PlainNotation", "SciNotation", "Storage", "TextValue", "Value",
		"Offsets", "Tensor.Buf", "Tensor.Contains", "Tensor.Gob", "Tensor.HasGaps", "Tensor.IndexOf", "Tensor.IsDefinedAt", "Tensor.IsNone", "Tensor.IsVirtual", "Tensor.Made", "Tensor.MarkDefined",
		"Tensor.Offset", "Tensor.Raw", "Tensor.Span", "Tensor.Storage",
	},
}

// TestExamples: what there is for writing kernels stands in a subject, with an example,
// and nothing else does.
func TestExamples(t *testing.T) {
	for path, hidden := range internal {
		listed := map[string]bool{}
		for _, s := range Subjects(path) {
			for _, name := range s.Names {
				listed[name] = true
				if _, ok := DocOf(path, name); !ok {
					t.Errorf("%s: there is no %s", path, name)
				}
				e, ok := ExampleOf(path, name)
				if !ok || e.Text == "" {
					t.Errorf("%s: %s has no example", path, name)
				}
				if doc, _ := DocOf(path, name); strings.HasPrefix(doc.Decl, "func "+name+"(") && !strings.Contains(e.Text, "."+name+"(") {
					t.Errorf("%s: the example of %s does not call it", path, name)
				}
			}
		}
		for name := range docs()[path] {
			isHidden := slices.ContainsFunc(hidden, func(h string) bool { return strings.HasPrefix(name, h) })
			base, _, method := strings.Cut(name, ".")
			if !listed[name] && !isHidden && !(method && !slices.Contains([]string{"Tile", "Tensor", "Program", "Desc", "BlockPtr"}, base)) {
				t.Errorf("%s: %s stands in no subject", path, name)
			}
		}
	}
}
