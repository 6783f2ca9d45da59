package arena

// berger gives the rounds of a round robin of n players, numbered from 1, as FIDE's Berger tables (C.05, annex 1) have
// them: for each round the games, White first. With an odd number of players the one paired with n+1 has a bye; the game
// is not listed.
func berger(n int) [][][2]int {
	even := n + n%2
	if n < 2 {
		return nil
	}
	circle := even - 1 // the last player stands still, the others move round
	at := func(i int) int { return (i+circle)%circle + 1 }
	rounds := make([][][2]int, circle)
	for r := range rounds {
		k := r * (even / 2) % circle
		first := [2]int{at(k), even}
		if r%2 == 1 {
			first = [2]int{even, at(k)}
		}
		games := [][2]int{first}
		for i := 1; i < even/2; i++ {
			games = append(games, [2]int{at(k + i), at(k - i)})
		}
		if even > n {
			games = games[1:]
		}
		rounds[r] = games
	}
	return rounds
}

// schedule is a round robin, or a double one: the second cycle has the colours reversed, and the last two rounds of the
// first cycle change places, so that nobody has a colour three times in a row (the tables' own recommendation).
func schedule(n int, double bool) [][][2]int {
	rounds := berger(n)
	if !double || n < 2 {
		return rounds
	}
	second := make([][][2]int, len(rounds))
	for r, games := range rounds {
		for _, g := range games {
			second[r] = append(second[r], [2]int{g[1], g[0]})
		}
	}
	if last := len(rounds) - 1; last > 0 {
		rounds[last], rounds[last-1] = rounds[last-1], rounds[last]
	}
	return append(rounds, second...)
}
