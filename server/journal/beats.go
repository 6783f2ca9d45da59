package journal

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"sync"
	"time"

	"flagfall/server/actor"
)

// The file beats has a slot of 72 bytes for each of the latest incarnations:
// CRC-32C of the rest (4), length of the incarnation (4), order of writing (8),
// monotonic reading in ns (8), Unix time in ms (8), incarnation (32), 8 unused.
// Numbers are little endian.
const (
	beatSlots = 64
	beatSize  = 72
)

type beats struct {
	mu    sync.Mutex
	f     *os.File
	slots [beatSlots]beatSlot
	order uint64
}

type beatSlot struct {
	order uint64 // 0: free
	beat  actor.Beat
}

func openBeats(dir string) (*beats, error) {
	f, err := os.OpenFile(filepath.Join(dir, "beats"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	bs := &beats{f: f}
	for i := range bs.slots {
		var buf [beatSize]byte
		if _, err := f.ReadAt(buf[:], int64(i)*beatSize); err != nil {
			continue // not written yet
		}
		n := binary.LittleEndian.Uint32(buf[4:])
		if crc32.Checksum(buf[4:], castagnoli) != binary.LittleEndian.Uint32(buf[:]) || n > 32 {
			continue // torn by a loss of power, or free
		}
		order := binary.LittleEndian.Uint64(buf[8:])
		bs.slots[i] = beatSlot{order, actor.Beat{
			Incarnation: string(buf[32 : 32+n]),
			Mono:        time.Duration(binary.LittleEndian.Uint64(buf[16:])),
			Wall:        time.UnixMilli(int64(binary.LittleEndian.Uint64(buf[24:]))),
		}}
		bs.order = max(bs.order, order)
	}
	return bs, nil
}

func (bs *beats) put(b actor.Beat) error {
	if len(b.Incarnation) == 0 || len(b.Incarnation) > 32 {
		return fmt.Errorf("journal: an incarnation has 1 to 32 bytes, not %d", len(b.Incarnation))
	}
	bs.mu.Lock()
	defer bs.mu.Unlock()
	slot := 0
	for i := range bs.slots {
		if bs.slots[i].order > 0 && bs.slots[i].beat.Incarnation == b.Incarnation {
			slot = i
			break
		}
		if bs.slots[i].order < bs.slots[slot].order {
			slot = i
		}
	}
	bs.order++
	var buf [beatSize]byte
	binary.LittleEndian.PutUint32(buf[4:], uint32(len(b.Incarnation)))
	binary.LittleEndian.PutUint64(buf[8:], bs.order)
	binary.LittleEndian.PutUint64(buf[16:], uint64(b.Mono))
	binary.LittleEndian.PutUint64(buf[24:], uint64(b.Wall.UnixMilli()))
	copy(buf[32:], b.Incarnation)
	binary.LittleEndian.PutUint32(buf[:], crc32.Checksum(buf[4:], castagnoli))
	if _, err := bs.f.WriteAt(buf[:], int64(slot)*beatSize); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	bs.slots[slot] = beatSlot{bs.order, b}
	return nil
}

func (bs *beats) get(incarnation string) (actor.Beat, bool) {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	for _, s := range bs.slots {
		if s.order > 0 && s.beat.Incarnation == incarnation {
			return s.beat, true
		}
	}
	return actor.Beat{}, false
}

func (bs *beats) close() { bs.f.Close() }
