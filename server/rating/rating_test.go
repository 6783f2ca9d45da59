package rating

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

var (
	example = Rating{1500, 200, 0.06}
	games   = []Result{{Rating{1400, 30, 0.06}, 1}, {Rating{1550, 100, 0.06}, 0}, {Rating{1700, 300, 0.06}, 0}}
)

// RAT-01: the worked example of Glickman's paper, all games in one period.
func TestPaper(t *testing.T) {
	got := example.after(games, 1)
	near(t, "rating", got.Rating, 1464.06, 0.011) // the paper rounds on the way; unrounded 1464.05
	near(t, "rating", got.Rating, 1464.05, 0.005)
	near(t, "deviation", got.Deviation, 151.52, 0.005)
	near(t, "volatility", got.Volatility, 0.059996, 0.0000005)
}

// The steps on the way, as the paper gives them.
func TestPaperSteps(t *testing.T) {
	for i, want := range []float64{0.9955, 0.9531, 0.7242} {
		near(t, "g", discount(games[i].Opponent.Deviation/scale), want, 0.00005)
	}
	near(t, "volatility", volatility(1.1513, 1.7785, -0.4834, 0.06), 0.05999, 0.00001)
}

// RAT-01, the other reading: a period for each game.
func TestGameByGame(t *testing.T) {
	got := example
	for _, g := range games {
		got = got.after([]Result{g}, 1)
	}
	near(t, "rating", got.Rating, 1463.79, 0.005)
	near(t, "deviation", got.Deviation, 151.87, 0.005)
}

// RAT-02: both sides from the values before the game.
func TestBothSides(t *testing.T) {
	near(t, "winner", example.after([]Result{{example, 1}}, 1).Rating, 1578.80, 0.005)
	near(t, "loser", example.after([]Result{{example, 0}}, 1).Rating, 1421.20, 0.005)
	white, black := Played(example, example, 1)
	near(t, "sum", white.Rating+black.Rating, 3000, 1e-9)
	if white.Rating-1500 < 78 || white.Rating-1500 > 79 {
		t.Errorf("the winner has %v", white)
	}
	white, black = Played(example, example, 0.5)
	near(t, "drawn, White", white.Rating, 1500, 1e-9)
	near(t, "drawn, Black", black.Rating, 1500, 1e-9)
}

// Step 6 of the paper without games: an idle period adds the square of the volatility.
func TestAged(t *testing.T) {
	near(t, "a period", example.Aged(Period).Deviation, 200.2714, 0.0001) // sqrt(200^2 + (173.7178*0.06)^2)
	near(t, "a period by the paper", example.after(nil, 1).Deviation, 200.2714, 0.0001)
	near(t, "long", New().Aged(100*Period).Deviation, MaxDeviation, 0)
	if got := example.Aged(-time.Hour); got != example {
		t.Errorf("time went back: %v", got)
	}
	year := Rating{1500, 50, 0.06}.Aged(365 * 24 * time.Hour)
	near(t, "a year", year.Deviation, 111.2, 0.5)
}

// Any way of cutting an absence into pieces gives the same.
func TestAgedAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRating(t)
		a, b := time.Duration(rapid.Int64Range(0, int64(20*Period)).Draw(t, "a")), time.Duration(rapid.Int64Range(0, int64(20*Period)).Draw(t, "b"))
		if once, twice := r.Aged(a+b).Deviation, r.Aged(a).Aged(b).Deviation; math.Abs(once-twice) > 1e-6 {
			t.Fatalf("%v at once, %v in two", once, twice)
		}
	})
}

func TestSettled(t *testing.T) {
	if got := New().Settled(); got != 0 || !New().Provisional() {
		t.Errorf("a new rating is settled for %v", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		r := drawRating(t)
		r.Deviation = rapid.Float64Range(MinDeviation, ProvisionalAbove).Draw(t, "settled deviation")
		for d, want := range map[time.Duration]bool{-time.Minute: false, time.Minute: true} {
			if at := r.Settled() + d; at > 0 && r.Aged(at).Provisional() != want {
				t.Fatalf("%v before or after %v: provisional is not %v", d, r.Settled(), want)
			}
		}
	})
}

func drawRating(t *rapid.T) Rating {
	return Rating{
		Rating:     rapid.Float64Range(-1000, 5000).Draw(t, "rating"),
		Deviation:  rapid.Float64Range(MinDeviation, MaxDeviation).Draw(t, "deviation"),
		Volatility: rapid.Float64Range(minVolatility, maxVolatility).Draw(t, "volatility"),
	}
}

// Where the iteration ends, the equation of step 5 changes its sign, however surprising the result was: from one of the
// likeliest to one that is likely once in the age of the universe.
func TestVolatilityIsARoot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		phi := rapid.Float64Range(MinDeviation/scale, MaxDeviation/scale).Draw(t, "phi")
		v := math.Exp(rapid.Float64Range(-3, 12).Draw(t, "ln v"))
		delta := rapid.SampledFrom([]float64{-1, 1}).Draw(t, "sign") * math.Exp(rapid.Float64Range(-20, 12).Draw(t, "ln delta"))
		sigma := rapid.Float64Range(minVolatility, maxVolatility).Draw(t, "sigma")
		falls := func(x float64) float64 {
			e := math.Exp(x)
			d := phi*phi + v + e
			return e/d*(delta*delta/d-1)/2 - (x-2*math.Log(sigma))/(tau*tau)
		}
		got := 2 * math.Log(volatility(phi, v, delta, sigma))
		if !(falls(got-1e-4)*falls(got+1e-4) <= 0) {
			t.Fatalf("ln of the variance is %v, where the equation gives %v", got, falls(got))
		}
	})
}

// Whoever meets whomever, with whatever result: the ratings stay numbers within their bounds, the better result never
// lowers a rating, and a game makes a deviation smaller unless it is at the floor.
func TestPlayedStaysSane(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, b := drawRating(t), drawRating(t)
		score := rapid.SampledFrom([]float64{0, 0.5, 1}).Draw(t, "score")
		white, black := Played(w, b, score)
		for _, r := range []Rating{white, black} {
			if math.IsNaN(r.Rating) || math.IsInf(r.Rating, 0) || !(r.Deviation >= MinDeviation && r.Deviation <= MaxDeviation) ||
				!(r.Volatility >= minVolatility && r.Volatility <= maxVolatility) {
				t.Fatalf("%v and %v, %v: %v", w, b, score, r)
			}
		}
		if score == 1 && (white.Rating < w.Rating || black.Rating > b.Rating) || score == 0 && (white.Rating > w.Rating || black.Rating < b.Rating) {
			t.Fatalf("%v and %v, %v: %v and %v", w, b, score, white, black)
		}
		if white.Deviation > w.Deviation+1e-9 {
			t.Fatalf("the deviation grew from %v to %v", w.Deviation, white.Deviation)
		}
	})
}
