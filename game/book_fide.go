package game

// bookFIDE is the FIDE Laws as far as they matter in blitz.
var bookFIDE = Book{
	Name: "fide", Cite: "FIDE",
	Title: "FIDE Laws, blitz",
	About: "Blitz by the Laws of FIDE under the eyes of an arbiter: the server watches every move and every flag, so nothing " +
		"has to be claimed but draws. Articles have the numbers of the edition that this server was written from, and not " +
		"all are here. They are said in our own words, each with what this server does about it.",
	Rules: append(rulesFIDE, hall(hallFIDE...)...),
}

var rulesFIDE = []BookRule{
	{
		"4.1", "One hand",
		"Each move is made with one hand.",
		"Does not arise online.",
	},
	{
		"4.2", "Adjusting men",
		"Only the player on move may set men straight, and he says so first.",
		"Does not arise online: men stand where the server shows them.",
	},
	{
		"4.3", "Touch-move",
		"Touch a man on purpose when it is your turn, and you have to play with it, or take it, if that is possible. Of " +
			"several men the one touched first counts.",
		"Enforced in part: a man is touched when it is released on a square (H13). After an illegal move was taken back " +
			"or corrected, the man that made it must move if it can.",
	},
	{
		"5.1.1", "Mate",
		"A legal move that mates the king wins at once.",
		"Enforced when the move is released: no press is needed.",
	},
	{
		"5.1.2", "Resignation",
		"A player who resigns loses.",
		"The button \"resign\", which takes two steps, until the game is over.",
	},
	{
		"5.2.1", "Stalemate",
		"A legal move that leaves the opponent without a legal move, and not in check, draws at once.",
		"Enforced when the move is released.",
	},
	{
		"5.2.2", "Dead position",
		"The game is drawn at once when neither side can mate by any series of legal moves.",
		"Enforced at the release of the move, by the men alone: bare kings, a single minor piece, or bishops that all " +
			"stand on one colour. A locked position is not ended by the server, but nobody wins in it by a flag or a second " +
			"illegal move.",
	},
	{
		"5.2.3", "Agreement",
		"The players may agree on a draw during the game, once both have made at least one move. That ends the game.",
		"The button \"offer draw\", refused until both have released a move. H14 says how long an offer stands and how " +
			"often you may offer.",
	},
	{
		"6.2.3", "The hand at the clock",
		"The hand that moves also presses, and no finger rests on the clock or above it.",
		"Does not arise online.",
	},
	{
		"6.2.4", "Use of the clock",
		"The clock is used properly: not struck, lifted or pressed before the move.",
		"Enforced: a press on your own time without a move counts as an illegal move (7.5.3). A press on the opponent's " +
			"time is ignored.",
	},
	{
		"6.2.5", "Adjusting on your own time",
		"Only the player whose clock runs may set men straight.",
		"Does not arise online.",
	},
	{
		"6.5", "The flag",
		"The arbiter decides where the clock stands. A flag has fallen when the arbiter sees it or a player validly " +
			"claims it, not before; spectators have no say.",
		"Enforced: the server is the arbiter who watches every clock. The moment a flag falls the game is over and the " +
			"other side wins. It is a draw if the other side could not mate by any series of legal moves. So two flags are " +
			"never down, and there is nothing to claim.",
	},
	{
		"6.11.2", "Stopping the clock",
		"A player stops the clock only to ask for the arbiter, for instance when he lacks a piece for a promotion.",
		"Claimed with \"call arbiter\"; see H16. Every piece for a promotion is at hand.",
	},
	{
		"7.3", "Colours exchanged",
		"If a game began with the wrong colours, it is played again while both have made less than ten moves; after that " +
			"it goes on.",
		"Does not arise online: the server gives the colours.",
	},
	{
		"7.5.1", "A completed illegal move",
		"An illegal move is complete when its maker has pressed. Taking the king is an illegal move.",
		"Enforced at the press; nobody has to claim. The position before the move is back, and the man that was touched " +
			"must move if it can. The penalty is that of 7.5.5. Before you press you may take an illegal move back for " +
			"nothing. No king is ever left to be taken.",
	},
	{
		"7.5.2", "A pawn left on the last rank",
		"If a pawn reaches the last rank and the clock is pressed without exchanging it, the move is illegal, and the " +
			"pawn becomes a queen.",
		"Enforced: if no piece was named, the queen stands, the penalty of 7.5.5 follows, and the opponent is on move. " +
			"The page always asks for the piece.",
	},
	{
		"7.5.3", "A press without a move",
		"Pressing the clock without having moved counts as an illegal move and is punished as one.",
		"Enforced: the penalty of 7.5.5 follows, and you are still on move.",
	},
	{
		"7.5.4", "Two hands",
		"A move made with two hands and pressed counts as an illegal move.",
		"Does not arise online.",
	},
	{
		"7.5.5", "Penalties for illegal moves",
		"The first completed illegal move gives the opponent time, in blitz one minute. The second by the same player " +
			"loses, or draws if the opponent could not mate by any series of legal moves. Two faults in one move count once.",
		"Enforced: 60 seconds for the opponent, then the end of the game. The count is kept for each player and each " +
			"game.",
	},
	{
		"9.1", "Draw offers",
		"A draw is offered after making a move and before pressing. The offer cannot be withdrawn and stands until the " +
			"opponent accepts it, refuses it or touches a man to move it.",
		"Enforced in part: H14 says when and how often you may offer here.",
	},
	{
		"9.2", "Third occurrence of a position",
		"The player on move may claim a draw when the same position has come up for the third time, or is about to.",
		"Claimed with \"claim draw\" by the player on move, before he presses; the move he has released counts. The server " +
			"counts. For a wrong claim see 9.5.3.",
	},
	{
		"9.3", "Fifty moves",
		"The player on move may claim a draw when each side has made fifty moves in a row without a pawn move and without " +
			"a capture.",
		"Claimed with \"claim draw\" by the player on move, before he presses. The server counts. For a wrong claim see " +
			"9.5.3.",
	},
	{
		"9.5.3", "A wrong claim of a draw",
		"A claim of a draw that proves wrong gives the opponent time, in blitz one minute.",
		"Enforced: 60 seconds for the opponent, and the game goes on.",
	},
	{
		"9.6.1", "Fifth occurrence of a position",
		"The game is drawn when the same position has come up five times.",
		"Enforced at the release of the move; nobody has to claim.",
	},
	{
		"9.6.2", "Seventy-five moves",
		"The game is drawn when each side has made seventy-five moves in a row without a pawn move and without a capture. " +
			"A mate by the last move goes first.",
		"Enforced at the release of the move; nobody has to claim.",
	},
	{
		"12.9", "Penalties",
		"The arbiter may warn a player, change the times on the clocks, or set the result.",
		"A power of the arbiter: warning, a minute for the opponent, loss of the game, correction of both clocks, or a " +
			"result.",
	},
}

// hallFIDE are the rules of this hall that differ here.
var hallFIDE = []BookRule{
	{
		"H3", "An absent player",
		"Who is away for a minute in one go while he is on move has abandoned the game. His opponent may claim the win; " +
			"it is a draw if he could not mate by any series of legal moves.",
		"Claimed with \"opponent left the game\", after both sides have moved, until the absent player is back or has " +
			"moved. The absence and its countdown are shown. An event may switch this off. The server resigns for nobody.",
	},
	{
		"H4", "A flag that nobody claims",
		"A fallen flag needs no claim.",
		"Does not arise in this book: the server sees every flag as it falls (6.5).",
	},
	{
		"H5", "Two flags that nobody notices",
		"The game is over with the first flag.",
		"Does not arise in this book (6.5).",
	},
	{
		"H7", "Wrong claims",
		"The first wrong claim of an illegal move, or try to take back a legal move, is free. Each further one gives the " +
			"opponent a minute.",
		"Enforced for each player and each game; an event may switch it off. The server sees every illegal move at its " +
			"press, so there is never one left to claim. A claim of a flag is refused and costs nothing. For claims of a draw " +
			"see 9.5.3.",
	},
	{
		"H8", "What is shown",
		"Until a move is pressed nobody is told whether it is legal: not the players, not the spectators.",
		"Enforced. All see the men, the moves as squares, whose turn it is, clocks, flags, offers and rulings. There are " +
			"no hints where a man may go and no warnings of check. The press of an illegal move brings the truth out (7.5.1).",
	},
	{
		"H14", "Draw offers",
		"An offer stands until it is answered or the other side releases a move. It cannot be withdrawn.",
		"Enforced: none before both sides have moved (5.2.3), one offer at a time, one for each move of your own, and " +
			"none for ten moves of your own after one that was not accepted. It may be made before a move as well as after " +
			"it. The receiver can switch offers off for the game.",
	},
	{
		"H15", "Possible mates",
		"Where a result depends on whether a side could mate, the server finds out. Both clocks stand meanwhile.",
		"Enforced: it looks for any series of legal moves that ends in mate, even with the opponent's help. If the search " +
			"does not decide within its bounds, mate counts as possible. Nothing has to be shown on the board.",
	},
}
