package random

import "math"

// quantile is the number that a standard normal variable is below with probability
// ½ + (k + ½)·2^-53, for −2^52 <= k < 2^52: algorithm AS 241 (M. J. Wichura, 1988),
// relative error about 1e-16.
func quantile(k int64) float64 {
	q := (float64(k) + 0.5) * 0x1p-53 // exact: 2k+1 has 53 bits
	if math.Abs(q) <= 0.425 {
		r := 0.180625 - float64(q*q)
		return float64(q*horner(r, &centreNum)) / horner(r, &centreDen)
	}
	tail := float64(min(k, -1-k)+1<<52) + 0.5 // p·2^53 for the smaller of p, 1−p
	r := math.Sqrt(-logUnit(tail * 0x1p-53))
	var v float64
	if r <= 5 {
		v = horner(r-1.6, &middleNum) / horner(r-1.6, &middleDen)
	} else {
		v = horner(r-5, &farNum) / horner(r-5, &farDen)
	}
	if k < 0 {
		return -v
	}
	return v
}

// horner is the polynomial with coefficients c, the constant first.
func horner(x float64, c *[8]float64) float64 {
	v := c[7]
	for i := 6; i >= 0; i-- {
		v = float64(v*x) + c[i]
	}
	return v
}

var (
	centreNum = [8]float64{3.3871328727963666080e0, 1.3314166789178437745e+2, 1.9715909503065514427e+3, 1.3731693765509461125e+4,
		4.5921953931549871457e+4, 6.7265770927008700853e+4, 3.3430575583588128105e+4, 2.5090809287301226727e+3}
	centreDen = [8]float64{1, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3,
		2.1213794301586595867e+4, 3.9307895800092710610e+4, 2.8729085735721942674e+4, 5.2264952788528545610e+3}
	middleNum = [8]float64{1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
		1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4}
	middleDen = [8]float64{1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
		1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9}
	farNum = [8]float64{6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0, 2.96560571828504891230e-1,
		2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7}
	farDen = [8]float64{1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
		7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15}
)

// logUnit is the natural logarithm of 0 < v < 1 to about 1e-16 of its size, away
// from 1. math.Log is not used: its last bit differs between architectures.
func logUnit(v float64) float64 {
	frac, exp := math.Frexp(v)
	if frac < math.Sqrt2/2 {
		frac *= 2
		exp--
	}
	s := (frac - 1) / (frac + 1) // log frac = 2·(s + s³/3 + s⁵/5 + …), |s| < 0.172
	z := float64(s * s)
	sum := 0.0
	for k := 23; k >= 1; k -= 2 {
		sum = float64(sum*z) + 1/float64(k)
	}
	return float64(float64(exp)*math.Ln2) + float64(2*float64(s*sum))
}
