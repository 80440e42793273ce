package exec

import (
	"context"
	"reflect"
)

func (k *Kernel) vary(ctx context.Context, r *Report, g Space, args []any, ref *reflect.Value) {}
