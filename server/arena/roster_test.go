package arena

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestRoster(t *testing.T) {
	for text, want := range map[string]string{
		"anna,Anna Müller,1850\nbert,,\ncarl\n":               "[{anna Anna Müller 1850} {bert  0} {carl  0}]",
		"\ufeffName;Real name;Rating\r\nanna;Müller, A;1\r\n": "[{anna Müller, A 1}]",
		"anna\tA\t2000\n\nbert\tB\t1900":                      "[{anna A 2000} {bert B 1900}]",
		"\"an, na\",\"Anna \"\"A\"\"\", 12 ,,\n":              "[{an, na Anna \"A\" 12}]",
		"":                                                    "[]",
	} {
		got, err := ReadRoster([]byte(text))
		if err != nil || fmt.Sprint(got) != want {
			t.Errorf("%q: %v, %v, want %s", text, got, err, want)
		}
	}
	for text, line := range map[string]int{
		"anna,A,strong\n":              1,
		"anna,A,4001\n":                1,
		"anna\nbert\nAnna\n":           3,
		"anna\n,B,1500\n":              2,
		"anna,A,1,and more\n":          1,
		"anna\nbert,\"B\n":             2,
		"anna\n\xff\n":                 1,
		strings.Repeat("x", 81) + "\n": 1,
	} {
		got, err := ReadRoster([]byte(text))
		var bad *BadRoster
		if !errors.As(err, &bad) || bad.Line != line || got != nil {
			t.Errorf("%q: %v, %v, want line %d", text, got, err, line)
		}
	}
}

func FuzzRoster(f *testing.F) {
	f.Add([]byte("name;real;rating\nanna;A;1\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		list, err := ReadRoster(text)
		if (err != nil) && list != nil {
			t.Errorf("%v and %v", list, err)
		}
		for _, l := range list {
			if l.Name == "" || l.Rating < 0 || l.Rating > mostRating {
				t.Errorf("%+v", l)
			}
		}
	})
}
