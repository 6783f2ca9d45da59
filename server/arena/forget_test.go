package arena

import "testing"

// Who has left has no name any more, and keeps his games; the names of others stay.
func TestForget(t *testing.T) {
	e := four(t)
	e.m.Entry("a").Real = "Anna"
	edition := e.m.Edition
	e.do(Forget{Who: "a", Name: "deleted"})
	e.do(Forget{Who: "r", Name: "deleted"})
	if a := e.m.Entry("a"); a.Name != "deleted" || a.Real != "" || a.Game == "" {
		t.Errorf("%+v", a)
	}
	if e.m.Names["r"] != "deleted" || e.m.Names["o"] != "Olga" || e.m.Entry("b").Name == "deleted" {
		t.Errorf("names %v", e.m.Names)
	}
	if e.m.Edition != edition+2 {
		t.Errorf("edition %d after %d", e.m.Edition, edition)
	}
	for _, again := range []string{"a", "r", "nobody"} {
		if events, err := e.m.Decide(Forget{Who: again, Name: "deleted"}, e.at); len(events) > 0 || err != nil {
			t.Errorf("%s again: %v, %v", again, events, err)
		}
	}
}
