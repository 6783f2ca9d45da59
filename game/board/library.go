package board

import (
	"encoding/binary"
	"math/bits"

	"github.com/notnil/chess"
)

// The order of men in the library's binary form.
var libraryOrder = [12]Piece{
	NewPiece(White, King), NewPiece(White, Queen), NewPiece(White, Rook),
	NewPiece(White, Bishop), NewPiece(White, Knight), NewPiece(White, Pawn),
	NewPiece(Black, King), NewPiece(Black, Queen), NewPiece(Black, Rook),
	NewPiece(Black, Bishop), NewPiece(Black, Knight), NewPiece(Black, Pawn),
}

var fromLibrary = map[chess.PieceType]Kind{
	chess.Knight: Knight, chess.Bishop: Bishop, chess.Rook: Rook, chess.Queen: Queen,
}

// position rebuilds the position in the library, its check state included.
// Every caller gets its own: the library caches moves inside without a lock.
func (b *Board) position() *chess.Position {
	const size = 101
	data := make([]byte, 0, size)
	for _, p := range libraryOrder {
		// The library keeps a1 in the highest bit.
		men := b.men(p.Color(), p.Kind())
		data = binary.BigEndian.AppendUint64(data, bits.Reverse64(uint64(men)))
	}
	// Counters do not matter for moves, and its halfmove clock has eight bits only.
	data = append(data, 0, 0, 1)
	flags := b.rights
	if b.turn == Black {
		flags |= 1 << 4
	}
	ep := byte(0)
	if b.ep < NoSquare {
		ep = byte(b.ep)
		flags |= 1 << 5
	}
	data = append(data, ep, flags)
	pos := new(chess.Position)
	if err := pos.UnmarshalBinary(data); err != nil {
		// Only a wrong length is an error there.
		panic(err)
	}
	return pos
}

// LegalMoves lists the legal moves of the side on move as the chess library
// has them, each promotion as a move of its own. It is some hundred times
// slower than Legal, which tests hold against it.
func (b Board) LegalMoves() []Move {
	valid := b.position().ValidMoves()
	moves := make([]Move, 0, len(valid))
	for _, v := range valid {
		m := Move{From: Square(v.S1()), To: Square(v.S2()), Promo: fromLibrary[v.Promo()]}
		// The library takes kings; the rules do not.
		if b.kinds[King-1]&m.To.bit() == 0 {
			moves = append(moves, m)
		}
	}
	return moves
}
