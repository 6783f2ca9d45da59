package endgame

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"testing"
)

func TestPackAndUnpack(t *testing.T) {
	tables := need(t, "KQK", "KPK")
	var again Tables
	for n := range 5 {
		table, err := Unpack(tables.table(n).Pack())
		if err != nil {
			t.Fatalf("%s: %v", materials[n].name, err)
		}
		if table.Material() != materials[n].name {
			t.Errorf("%s came back as %s", materials[n].name, table.Material())
		}
		again.Add(table)
	}
	for _, fen := range []string{
		"8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", "8/8/8/4k3/8/8/4P3/4K3 b - - 0 1",
		"4k3/4p3/8/8/8/4K3/8/8 b - - 0 1", "1k6/1P6/8/K7/8/8/8/8 w - - 0 1",
	} {
		b := position(t, fen)
		want, _ := tables.Probe(b)
		if got, ok := again.Probe(b); !ok || got != want {
			t.Errorf("%s: %s %t, want %s", fen, got, ok, want)
		}
		if _, ok := again.Depth(b); ok {
			t.Errorf("%s: depths came out of the packed table", fen)
		}
	}
	// Values are enough to go on with, depths are not.
	if _, _, err := Generate("KPK", &again, Options{}); err != nil {
		t.Error(err)
	}
	if _, _, err := Generate("KPK", &again, Options{Depth: true}); err == nil {
		t.Error("depths were made from values")
	}
}

// sealed puts the right checksum behind changed bytes.
func sealed(data []byte) []byte {
	body := data[:len(data)-4]
	return binary.LittleEndian.AppendUint32(bytes.Clone(body), crc32.ChecksumIEEE(body))
}

func TestUnpackRefuses(t *testing.T) {
	good := need(t, "KQK").table(0).Pack()
	changed := func(at int, to byte) []byte {
		data := bytes.Clone(good)
		data[at] = to
		return sealed(data)
	}
	for name, data := range map[string][]byte{
		"nothing":           nil,
		"a word":            []byte("FFTB"),
		"a head":            good[:9],
		"cut off":           good[:len(good)/2],
		"one byte less":     good[:len(good)-1],
		"one byte more":     append(bytes.Clone(good), 0),
		"foreign":           bytes.Repeat([]byte("table"), 100),
		"other magic":       changed(0, 'X'),
		"later version":     changed(4, 2),
		"unknown material":  changed(7, 'X'),
		"longer name":       changed(5, 200),
		"another length":    changed(9, good[9]+1),
		"enormous length":   changed(12, 0xFF),
		"a broken body":     changed(20, good[20]^0x55),
		"a bit wrong":       flipped(good, len(good)/2),
		"a wrong checksum":  flipped(good, len(good)-1),
		"more than it says": sealed(append(bytes.Clone(good), 1, 2, 3, 4)),
	} {
		table, err := Unpack(data)
		if !errors.Is(err, ErrDamaged) || table != nil {
			t.Errorf("%s: %v, want ErrDamaged", name, err)
		}
	}
}

func flipped(data []byte, at int) []byte {
	data = bytes.Clone(data)
	data[at] ^= 1
	return data
}

func FuzzUnpack(f *testing.F) {
	tables := need(f, "KBK", "KQK")
	for _, n := range []int{0, 2} {
		f.Add(tables.table(n).Pack())
	}
	f.Add([]byte("FFTB\x01\x03KQK\x00\x00\x00\x00\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, d := range [][]byte{data, reseal(data)} {
			table, err := Unpack(d)
			if err != nil {
				if !errors.Is(err, ErrDamaged) || table != nil {
					t.Fatalf("%v with %v", err, table)
				}
				continue
			}
			// What was accepted can be probed everywhere.
			m := materials[table.number]
			for s := range table.onMove {
				for _, n := range []int{0, m.size / 2, m.size - 1} {
					table.onMove[s].at(n)
				}
			}
			if _, err := Unpack(table.Pack()); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func reseal(data []byte) []byte {
	if len(data) < 4 {
		return nil
	}
	return sealed(data)
}
