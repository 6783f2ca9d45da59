package journal

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
)

const (
	segmentHead = "flagfall journal 1\n"
	segmentExt  = ".segment"
)

// segment is one file of the log.
type segment struct {
	num   uint32
	f     *os.File
	size  int64 // guarded by Log.token
	live  int64 // bytes of entries that are still wanted; guarded by Log.mu
	dirty atomic.Bool
}

func segmentName(dir string, num uint32) string {
	return filepath.Join(dir, fmt.Sprintf("%08d%s", num, segmentExt))
}

// segmentNumbers lists the segments of a folder in order. A hole is an error.
func segmentNumbers(dir string) ([]uint32, error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var nums []uint32
	for _, f := range files {
		name, ok := strings.CutSuffix(f.Name(), segmentExt)
		if !ok {
			continue
		}
		n, err := strconv.ParseUint(name, 10, 32)
		if err != nil || segmentName(dir, uint32(n)) != filepath.Join(dir, f.Name()) {
			return nil, fmt.Errorf("%s is not the name of a segment", filepath.Join(dir, f.Name()))
		}
		nums = append(nums, uint32(n))
	}
	slices.Sort(nums)
	for i := 1; i < len(nums); i++ {
		if nums[i] != nums[i-1]+1 {
			return nil, fmt.Errorf("%s is missing", segmentName(dir, nums[i-1]+1))
		}
	}
	return nums, nil
}

func createSegment(dir string, num uint32) (*segment, error) {
	f, err := os.OpenFile(segmentName(dir, num), os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	s := &segment{num: num, f: f, size: int64(len(segmentHead))}
	_, err = f.WriteAt([]byte(segmentHead), 0)
	if err == nil {
		err = f.Sync()
	}
	if err == nil {
		err = syncDir(dir)
	}
	if err != nil {
		f.Close()
		os.Remove(f.Name())
		return nil, err
	}
	return s, nil
}

// openSegment reads a segment and gives each record to found. What a dying process
// left unfinished at the end of the last segment is cut off; its size is returned.
func openSegment(dir string, num uint32, last bool, found func(b body, at loc)) (s *segment, cut int64, err error) {
	f, err := os.OpenFile(segmentName(dir, num), os.O_RDWR, 0)
	if err != nil {
		return nil, 0, err
	}
	defer func() {
		if err != nil {
			f.Close()
		}
	}()
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, 0, err
	}
	if !strings.HasPrefix(string(data[:min(len(data), len(segmentHead))]), segmentHead) {
		if !last || !strings.HasPrefix(segmentHead, string(data)) {
			return nil, 0, fmt.Errorf("%s is not a segment of a journal of this version", f.Name())
		}
		if _, err := f.WriteAt([]byte(segmentHead), 0); err != nil {
			return nil, 0, err
		}
		return &segment{num: num, f: f, size: int64(len(segmentHead))}, 0, nil
	}
	off := len(segmentHead)
	for off < len(data) {
		b, size, err := parseFrame(data[off:])
		if err != nil {
			if !last || hasFrame(data[off+1:]) {
				return nil, 0, fmt.Errorf("%s, offset %d: %w", f.Name(), off, err)
			}
			break
		}
		found(b, loc{num, uint32(off), uint32(size)})
		off += size
	}
	if cut = int64(len(data) - off); cut > 0 {
		if err := f.Truncate(int64(off)); err != nil {
			return nil, 0, err
		}
	}
	return &segment{num: num, f: f, size: int64(off)}, cut, nil
}

// sync puts what was written on the disk.
func (s *segment) sync() error {
	if !s.dirty.Swap(false) {
		return nil
	}
	if err := s.f.Sync(); err != nil {
		s.dirty.Store(true)
		return err
	}
	return nil
}
