package palette

import (
	"math"
	"strconv"
	"testing"
)

// linear is a colour's red, green and blue as amounts of light.
func linear(t *testing.T, hex string) (c [3]float64) {
	t.Helper()
	for i := range c {
		n, err := strconv.ParseUint(hex[1+2*i:3+2*i], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		if v := float64(n) / 255; v <= 0.04045 {
			c[i] = v / 12.92
		} else {
			c[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	return c
}

func mul(m [3][3]float64, v [3]float64) (w [3]float64) {
	for i := range m {
		for j := range v {
			w[i] += m[i][j] * v[j]
		}
	}
	return w
}

func luminance(c [3]float64) float64 { return 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2] }

// contrast is the ratio of WCAG 2.
func contrast(t *testing.T, a, b string) float64 {
	x, y := luminance(linear(t, a)), luminance(linear(t, b))
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// visions is how light is seen, by the simulation of Machado, Oliveira and Fernandes (2009)
// for the full strength of each.
var visions = map[string][3][3]float64{
	"normal":       {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"tritanopia":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

// lab is a colour in CIE L*a*b*, where distances are those that people see.
func lab(c [3]float64) (l [3]float64) {
	xyz := mul([3][3]float64{{0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}}, c)
	f := func(v float64) float64 {
		if v > 0.008856 {
			return math.Cbrt(v)
		}
		return 7.787*v + 16.0/116
	}
	x, y, z := f(xyz[0]/0.9505), f(xyz[1]), f(xyz[2]/1.089)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

func distance(a, b [3]float64) float64 {
	x, y := lab(a), lab(b)
	return math.Sqrt((x[0]-y[0])*(x[0]-y[0]) + (x[1]-y[1])*(x[1]-y[1]) + (x[2]-y[2])*(x[2]-y[2]))
}

// TestVision: what lanes may be differs for every kind of colour vision.
func TestVision(t *testing.T) {
	const least = 12
	states := []Colour{On, Masked, Outside, WrongRow, Undef}
	for name, m := range visions {
		for _, dark := range []bool{false, true} {
			for i, a := range states {
				for _, b := range states[:i] {
					x, y := a.Light, b.Light
					if dark {
						x, y = a.Dark, b.Dark
					}
					if d := distance(mul(m, linear(t, x)), mul(m, linear(t, y))); d < least {
						t.Errorf("%s, dark %t: %s and %s are %.1f apart, want %d", name, dark, a.Name, b.Name, d, least)
					}
				}
			}
		}
	}
}

// TestContrast: text can be read on grounds, and inks on pages.
func TestContrast(t *testing.T) {
	for _, c := range Colours() {
		ratio := func(on, ink, what string, least float64) {
			t.Helper()
			if r := contrast(t, on, ink); r < least {
				t.Errorf("%s %s: %s on %s has a contrast of %.2f, want %.1f", c.Name, what, ink, on, r, least)
			}
		}
		switch {
		case c.Name == Line.Name || c.Name == Off.Name:
		case c.Ground:
			ratio(c.Light, Ink, "light", 4.5)
			ratio(c.Dark, InkDark, "dark", 4.5)
		default:
			ratio(Page.Light, c.Light, "light", 4.5)
			ratio(Page.Dark, c.Dark, "dark", 4.5)
		}
		if c.Any != "" && !c.Ground {
			ratio(Page.Light, c.Any, "on light", 3.9)
			ratio(Page.Dark, c.Any, "on dark", 3.9)
		}
	}
}
