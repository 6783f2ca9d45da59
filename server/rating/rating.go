// Package rating is Glicko-2 (Mark Glickman, "Example of the Glicko-2 system", 2022) as pure functions, with the system
// constant 0.5. WBCA's own formula was never published; this is none of it.
//
// The paper rates all games of a period together. Here every game is rated when it ends, as a period of no length that
// has this one game; what the paper adds to the deviation at the end of each period is added by Aged for the time between
// two games, in fractions of a Period. So a rating follows the last game at once, ten games in an evening cost nobody the
// growth of ten periods, and when the server was started or the database written does not matter.
package rating

import (
	"math"
	"time"
)

// Rating is somebody's strength. Rating and Deviation are on Glicko's scale, where 1500 is the middle.
type Rating struct {
	Rating     float64
	Deviation  float64 // his strength lies within two of them with a probability of 95 %
	Volatility float64 // how much his strength is expected to change
}

// New is the rating of somebody who has not played.
func New() Rating { return Rating{Rating: 1500, Deviation: MaxDeviation, Volatility: 0.06} }

const (
	// MinDeviation keeps the rating of who plays much from freezing.
	MinDeviation = 45
	// MaxDeviation is that of somebody about whom nothing is known.
	MaxDeviation = 350
	// ProvisionalAbove is the deviation above which a rating says little.
	ProvisionalAbove = 110
	// Period is the rating period. With the usual volatility a deviation of 50 passes 110 after a year without a game.
	Period = 4 * 24 * time.Hour
)

const (
	scale = 173.7178 // Glicko-2's own scale, as in the paper
	tau   = 0.5
	exact = 0.000001 // of the volatility's iteration, as in the paper
	// mostSteps bounds the iteration, which takes five to ten steps.
	mostSteps = 100

	minVolatility, maxVolatility = 0.001, 0.1
)

// Provisional tells whether too little is known for a leader board.
func (r Rating) Provisional() bool { return r.Deviation > ProvisionalAbove }

// Aged is the rating after a time without a game: the deviation has grown. A time that is not positive changes nothing.
func (r Rating) Aged(idle time.Duration) Rating {
	if idle <= 0 {
		return r
	}
	periods := float64(idle) / float64(Period)
	r.Deviation = within(math.Hypot(r.Deviation, scale*r.Volatility*math.Sqrt(periods)), MinDeviation, MaxDeviation)
	return r
}

// Settled is how long without a game the rating is not yet provisional; 0 for one that is.
func (r Rating) Settled() time.Duration {
	if r.Provisional() {
		return 0
	}
	grows := scale * r.Volatility
	return time.Duration((ProvisionalAbove*ProvisionalAbove - r.Deviation*r.Deviation) / (grows * grows) * float64(Period))
}

// Result is a game as one side sees it.
type Result struct {
	Opponent Rating  // before the game
	Score    float64 // 1, 0.5 or 0
}

// Played gives both sides' ratings after a game, from those before it. Score is White's: 1, 0.5 or 0.
func Played(white, black Rating, score float64) (Rating, Rating) {
	return white.limited(white.after([]Result{{black, score}}, 0)), black.limited(black.after([]Result{{white, 1 - score}}, 0))
}

func (Rating) limited(r Rating) Rating {
	r.Deviation = within(r.Deviation, MinDeviation, MaxDeviation)
	r.Volatility = within(r.Volatility, minVolatility, maxVolatility)
	return r
}

// after is the paper's steps 2 to 8 for results within so many periods.
func (r Rating) after(results []Result, periods float64) Rating {
	mu, phi := (r.Rating-1500)/scale, r.Deviation/scale
	var information, surprise float64
	for _, one := range results {
		g := discount(one.Opponent.Deviation / scale)
		expected := 1 / (1 + math.Exp(-g*(mu-(one.Opponent.Rating-1500)/scale)))
		information += g * g * expected * (1 - expected)
		surprise += g * (one.Score - expected)
	}
	if information == 0 { // nobody played, or a result so certain that it says nothing
		r.Deviation = scale * math.Sqrt(phi*phi+periods*r.Volatility*r.Volatility)
		return r
	}
	v := 1 / information
	sigma := volatility(phi, v, v*surprise, r.Volatility)
	precision := 1/(phi*phi+periods*sigma*sigma) + information
	return Rating{
		Rating:     1500 + scale*(mu+surprise/precision),
		Deviation:  scale / math.Sqrt(precision),
		Volatility: sigma,
	}
}

// discount is the paper's g: how much less a result says against somebody whose own strength is uncertain.
func discount(phi float64) float64 { return 1 / math.Sqrt(1+3*phi*phi/(math.Pi*math.Pi)) }

// volatility is step 5 of the paper: the Illinois algorithm.
func volatility(phi, v, delta, sigma float64) float64 {
	a := math.Log(sigma * sigma)
	f := func(x float64) float64 {
		e := math.Exp(x)
		d := phi*phi + v + e
		return e*(delta*delta-d)/(2*d*d) - (x-a)/(tau*tau)
	}
	from, to := a, 0.0
	if d := delta*delta - phi*phi - v; d > 0 {
		to = math.Log(d)
	} else {
		for to = a - tau; f(to) < 0; to -= tau {
		}
	}
	fFrom, fTo := f(from), f(to)
	for range mostSteps {
		if math.Abs(to-from) <= exact {
			break
		}
		x := from + (from-to)*fFrom/(fTo-fFrom)
		fx := f(x)
		if fx*fTo <= 0 {
			from, fFrom = to, fTo
		} else {
			fFrom /= 2
		}
		to, fTo = x, fx
	}
	return math.Exp(from / 2)
}

func within(x, low, high float64) float64 { return math.Min(math.Max(x, low), high) }
