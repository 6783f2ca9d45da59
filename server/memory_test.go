package main

import "testing"

func TestHeapGrowth(t *testing.T) {
	const mb = 1 << 20
	for _, c := range []struct {
		name            string
		perSecond, used float64
		want            int
	}{
		{"a start", 0, 0, 75},
		{"5,000 games at a move a second", 2 * mb, 60 * mb, 75},
		{"hundreds who sit down in a second", 90 * mb, 40 * mb, 90},
		{"a small heap, much work", 100 * mb, 10 * mb, 200},
	} {
		if got := heapGrowth(c.perSecond, c.used); got != c.want {
			t.Errorf("%s: %d %%, want %d", c.name, got, c.want)
		}
	}
	if ever, used := heap(); ever == 0 || used > ever {
		t.Errorf("%d bytes ever, %d in use: the runtime names them otherwise", ever, used)
	}
}
