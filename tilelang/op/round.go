package op

// round is the integer part, and one more where a half or more is left. x less its integer part is
// exact; NaN and infinities leave no half.
func round(f *format) *Prog {
	return program1(f.d, func(b *builder, x V) V {
		whole := b.trunc(x)
		away := b.bitcast(f.d, b.or(b.and(b.bitcast(f.unsigned, x), b.bits(f.unsigned, f.sign)), b.bitcast(f.unsigned, b.c(x, 1))))
		return b.where(b.lt(b.abs(b.sub(x, whole)), b.c(x, 0.5)), whole, b.add(whole, away))
	})
}
