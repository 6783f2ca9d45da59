package main

import "testing"

func TestHeapGrowth(t *testing.T) {
	const mb = 1 << 20
	for _, c := range []struct {
		name            string
		perSecond, used float64
		want            int
	}{
		{"a start", 0, 0, 50},
		{"5,000 games at a move a second", 4 * mb, 75 * mb, 50},
		{"1,000 games as fast as they go", 45 * mb, 30 * mb, 105},
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
