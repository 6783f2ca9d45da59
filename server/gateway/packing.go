package gateway

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Answers of large events - the table of 2,000 players with all their games - are larger than a message between nodes may be. They
// go packed, as a JSON string; no answer is one otherwise.
const (
	packFrom = 256 << 10 // bytes; smaller ones go as they are
	mostOpen = 64 << 20  // of a packed one
)

var errPacking = errors.New("a packed answer cannot be opened")

func packed(answer json.RawMessage) (json.RawMessage, error) {
	if len(answer) < packFrom {
		return answer, nil
	}
	var small bytes.Buffer
	w := gzip.NewWriter(&small)
	if _, err := w.Write(answer); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return json.Marshal(small.Bytes())
}

func unpacked(answer json.RawMessage) (json.RawMessage, error) {
	if len(answer) == 0 || answer[0] != '"' {
		return answer, nil
	}
	var small []byte
	if err := json.Unmarshal(answer, &small); err != nil {
		return nil, fmt.Errorf("%w: %w", errPacking, err)
	}
	r, err := gzip.NewReader(bytes.NewReader(small))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errPacking, err)
	}
	whole, err := io.ReadAll(io.LimitReader(r, mostOpen+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", errPacking, err)
	case len(whole) > mostOpen:
		return nil, fmt.Errorf("%w: more than %d bytes", errPacking, mostOpen)
	}
	return whole, nil
}
