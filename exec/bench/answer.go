package bench

import (
	"fmt"
	"math"

	"github.com/tiler-go/tiler/exec/bench/real"
)

// check compares a result with what it has to be.
func (a answer) check(got elements) error {
	step := a.step(a.most)
	for i := 0; i < a.n; i += step {
		if g, w := got(i), a.at(i); !a.near(g, w) {
			return fmt.Errorf("wrong result: element %d is %v, want %v", i, g, w)
		}
	}
	if a.whole != nil {
		return a.whole(got)
	}
	return nil
}

// matrixAnswer is the product of x (m×k) and y (k×n) with elements rounded as rel says.
// A few hundred elements are computed; all of them are in the check of row sums
// weighted at random: out·r = x·(y·r).
func matrixAnswer(x, y []float32, m, n, k int, rel, abs float64) answer {
	at := func(i int) float64 {
		row, col, sum := i/n*k, i%n, 0.0
		for l := range k {
			sum += float64(float64(x[row+l]) * float64(y[l*n+col]))
		}
		return sum
	}
	whole := func(got elements) error {
		r := make([]float64, n)
		for j := range r {
			r[j] = 1 - float64(mix(uint32(j), 99)>>8)*0x1p-25
		}
		yr := product(y, r, k, n)
		size := 0.0 // of a typical element
		for i := 0; i < m*n; i += m*n/64 + 1 {
			size = max(size, math.Abs(at(i)))
		}
		allowed := 8 * math.Sqrt(float64(n)) * (abs + rel*size)
		for i := range m {
			g, w := 0.0, 0.0
			for j := range n {
				g += float64(got(i*n+j) * r[j])
			}
			for l := range k {
				w += float64(float64(x[i*k+l]) * yr[l])
			}
			if !(math.Abs(g-w) <= allowed) {
				return fmt.Errorf("wrong result: row %d weighted at random adds up to %v, want %v", i, g, w)
			}
		}
		return nil
	}
	return answer{n: m * n, at: at, most: 400, rel: rel, abs: abs, whole: whole}
}

// product is y (rows×cols) times r.
func product(y []float32, r []float64, rows, cols int) []float64 {
	out := make([]float64, rows)
	for l := range out {
		for j, v := range y[l*cols : (l+1)*cols] {
			out[l] += float64(float64(v) * r[j])
		}
	}
	return out
}

// rowAnswer is of results whose rows are computed as wholes: fill writes row r.
func rowAnswer(rows, cols, most int, fill func(r int, row []float64), rel, abs float64) answer {
	return answer{n: rows * cols, at: real.ByRow(cols, fill), most: most, rel: rel, abs: abs}
}

func softmaxAnswer(x []float32, rows, cols int) answer {
	return rowAnswer(rows, cols, 0, func(r int, row []float64) {
		top, sum := math.Inf(-1), 0.0
		for _, v := range x[r*cols : (r+1)*cols] {
			top = max(top, float64(v))
		}
		for j, v := range x[r*cols : (r+1)*cols] {
			row[j] = math.Exp(float64(v) - top)
			sum += row[j]
		}
		for j := range row {
			row[j] /= sum
		}
	}, 1e-5, 1e-9)
}

func layernormAnswer(x, w, b []float32, rows, cols int) answer {
	return rowAnswer(rows, cols, 0, func(r int, row []float64) {
		mean, square := 0.0, 0.0
		for _, v := range x[r*cols : (r+1)*cols] {
			mean += float64(v)
		}
		mean /= float64(cols)
		for j, v := range x[r*cols : (r+1)*cols] {
			row[j] = float64(v) - mean
			square += float64(row[j] * row[j])
		}
		scale := 1 / math.Sqrt(square/float64(cols)+1e-5)
		for j := range row {
			row[j] = float64(float64(row[j]*scale)*float64(w[j])) + float64(b[j])
		}
	}, 1e-4, 1e-4)
}

// attentionAnswer computes some rows only: each goes through all keys.
func attentionAnswer(q, k, v []float32, heads, n, head int) answer {
	weights := make([]float64, n)
	return rowAnswer(heads*n, head, 500, func(r int, row []float64) {
		query, first, sum := q[r*head:(r+1)*head], r/n*n*head, 0.0
		for i := range weights {
			score := 0.0
			for d, key := range k[first+i*head : first+(i+1)*head] {
				score += float64(float64(query[d]) * float64(key))
			}
			weights[i] = math.Exp(score / math.Sqrt(float64(head)))
			sum += weights[i]
		}
		clear(row)
		for i, w := range weights {
			for d, value := range v[first+i*head : first+(i+1)*head] {
				row[d] += float64(w / sum * float64(value))
			}
		}
	}, 1e-4, 1e-5)
}
