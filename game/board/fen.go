package board

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ParseFEN reads a position that a game may start from. It is strict: six
// fields with single spaces in the spelling that FEN returns, one king a side,
// no pawn on the first or last rank, men that promotions can explain, castling
// rights only with king and rook at home, an en-passant square only behind a
// pawn that can just have made its double step, kings apart and the side not
// on move not in check. Counters run from 0 (moves from 1) to 65535.
func ParseFEN(s string) (Board, error) {
	b, err := ParseArrangement(s)
	if err != nil {
		return Board{}, err
	}
	if err := b.checkPlayable(); err != nil {
		return Board{}, fmt.Errorf("fen %q: %w", s, err)
	}
	return b, nil
}

// ParseArrangement reads any position that a game can show, illegal moves that
// stand included: other than for ParseFEN, kings may be adjacent, the side not
// on move may be in check and pawns may stand on the first and last rank.
func ParseArrangement(s string) (Board, error) {
	b, err := readFEN(s)
	if err != nil {
		return Board{}, fmt.Errorf("fen %q: %w", clip(s), err)
	}
	return b, nil
}

func readFEN(s string) (Board, error) {
	var b Board
	fields := strings.Split(s, " ")
	if len(fields) != 6 {
		return b, fmt.Errorf("%d fields, want 6 separated by single spaces", len(fields))
	}
	if err := b.readPlacement(fields[0]); err != nil {
		return b, err
	}
	if err := b.checkCounts(); err != nil {
		return b, err
	}
	var err error
	if b.turn, err = ParseColor(fields[1]); err != nil {
		return b, fmt.Errorf("side on move: %w", err)
	}
	if err = b.readCastling(fields[2]); err != nil {
		return b, err
	}
	if err = b.readEnPassant(fields[3]); err != nil {
		return b, err
	}
	if b.half, err = readCounter(fields[4], 0); err != nil {
		return b, fmt.Errorf("halfmove clock %w", err)
	}
	if b.full, err = readCounter(fields[5], 1); err != nil {
		return b, fmt.Errorf("move number %w", err)
	}
	return b, nil
}

func (b *Board) readPlacement(s string) error {
	ranks := strings.Split(s, "/")
	if len(ranks) != 8 {
		return fmt.Errorf("%d ranks, want 8", len(ranks))
	}
	for i, rank := range ranks {
		if err := b.readRank(rank, 7-i); err != nil {
			return fmt.Errorf("rank %d: %w", 8-i, err)
		}
	}
	return nil
}

func (b *Board) readRank(s string, rank int) error {
	file, gap := 0, false
	for i := 0; i < len(s); i++ {
		if letter := s[i]; letter >= '1' && letter <= '8' {
			if gap {
				return errors.New("two numbers side by side")
			}
			gap = true
			file += int(letter - '0')
			continue
		}
		gap = false
		p, ok := parsePiece(s[i])
		if !ok {
			return fmt.Errorf("%q is no man", s[i])
		}
		if file < 8 {
			b.put(squareAt(file, rank), p)
		}
		file++
	}
	if file != 8 {
		return fmt.Errorf("%d squares, want 8", file)
	}
	return nil
}

// checkCounts refuses what no captures and promotions can lead to.
func (b *Board) checkCounts() error {
	for _, c := range [2]Color{White, Black} {
		if n := b.men(c, King).count(); n != 1 {
			return fmt.Errorf("%d kings of %s, want 1", n, c)
		}
		if n := b.sides[c].count(); n > 16 {
			return fmt.Errorf("%d men of %s, at most 16", n, c)
		}
		pawns := b.men(c, Pawn).count()
		if pawns > 8 {
			return fmt.Errorf("%d pawns of %s, at most 8", pawns, c)
		}
		promoted := 0
		for k, most := range map[Kind]int{Knight: 2, Bishop: 2, Rook: 2, Queen: 1} {
			promoted += max(0, b.men(c, k).count()-most)
		}
		if promoted > 8-pawns {
			return fmt.Errorf("%d promoted men of %s with %d pawns left", promoted, c, pawns)
		}
	}
	return nil
}

func (b *Board) readCastling(s string) error {
	rest := s
	for i := range castles {
		letter := "KQkq"[i : i+1]
		if !strings.HasPrefix(rest, letter) {
			continue
		}
		rest = rest[1:]
		k, c := &castles[i], Color(i/2)
		if b.king(c) != k.king || b.men(c, Rook)&k.rook.bit() == 0 {
			return fmt.Errorf("castling right %s without king on %s and rook on %s", letter, k.king, k.rook)
		}
		b.rights |= k.right
	}
	if s == "-" {
		return nil
	}
	if s == "" || rest != "" {
		return fmt.Errorf("castling rights %q: want - or some of KQkq in this order", s)
	}
	return nil
}

func (b *Board) readEnPassant(s string) error {
	b.ep = NoSquare
	if s == "-" {
		return nil
	}
	over, err := ParseSquare(s)
	if err != nil {
		return fmt.Errorf("en passant: %w", err)
	}
	owner := b.turn.Other()
	if over.Rank() != owner.pawnRank()+owner.forward()/8 {
		return fmt.Errorf("en passant %s: wrong rank with %s on move", over, b.turn)
	}
	from := Square(int(over) - owner.forward())
	to := Square(int(over) + owner.forward())
	if b.all()&(from.bit()|over.bit()) != 0 {
		return fmt.Errorf("en passant %s: %s and %s must be empty", over, from, over)
	}
	if b.men(owner, Pawn)&to.bit() == 0 {
		return fmt.Errorf("en passant %s: no pawn of %s on %s", over, owner, to)
	}
	b.ep = over
	return nil
}

func readCounter(s string, least uint64) (uint16, error) {
	n, err := strconv.ParseUint(s, 10, 16)
	if err != nil || n < least || strconv.FormatUint(n, 10) != s {
		return 0, fmt.Errorf("%q: want a number from %d to %d", clip(s), least, math.MaxUint16)
	}
	return uint16(n), nil
}

// checkPlayable refuses what only illegal moves can lead to.
func (b *Board) checkPlayable() error {
	for men := b.kinds[Pawn-1]; men != 0; men &= men - 1 {
		if r := men.first().Rank(); r == 0 || r == 7 {
			return fmt.Errorf("pawn on %s", men.first())
		}
	}
	if b.KingsAdjacent() {
		return fmt.Errorf("kings on %s and %s are adjacent", b.king(White), b.king(Black))
	}
	if b.InCheck(b.turn.Other()) {
		return fmt.Errorf("%s is not on move and in check", b.turn.Other())
	}
	return nil
}

// FEN returns the position as six fields. The en-passant square is given after
// every true double step.
func (b Board) FEN() string {
	buf := make([]byte, 0, 92)
	buf = append(b.appendPlacement(buf), ' ')
	buf = append(append(buf, b.Castling()...), ' ')
	buf = append(append(buf, b.ep.String()...), ' ')
	buf = append(strconv.AppendUint(buf, uint64(b.half), 10), ' ')
	return string(strconv.AppendUint(buf, uint64(b.full), 10))
}

// Placement returns the first two fields of the FEN: the men and whose turn it
// is, which is all that may be shown while a game runs.
func (b Board) Placement() string {
	return string(b.appendPlacement(make([]byte, 0, 74)))
}

func (b *Board) appendPlacement(buf []byte) []byte {
	for rank := 7; rank >= 0; rank-- {
		gap := byte(0)
		for file := range 8 {
			p := b.at(squareAt(file, rank))
			if p == NoPiece {
				gap++
				continue
			}
			if gap > 0 {
				buf = append(buf, '0'+gap)
				gap = 0
			}
			buf = append(buf, pieceLetters[p])
		}
		if gap > 0 {
			buf = append(buf, '0'+gap)
		}
		if rank > 0 {
			buf = append(buf, '/')
		}
	}
	return append(append(buf, ' '), b.turn.String()...)
}
