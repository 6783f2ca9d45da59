package game

// bookWBCA is the book of the World Blitz Chess Association. Rule 7a is there twice: results cite its first part.
var bookWBCA = Book{
	Name: "wbca", Cite: "WBCA",
	Title: "World Blitz Chess Association",
	About: "Blitz by the rules of the World Blitz Chess Association, as revised in December 1999. Nobody tells you that a " +
		"move was illegal or that a flag is down: you have to see it and claim it. The rules are said here in our own " +
		"words, each with what this server does about it.",
	Rules: append(rulesWBCA, hall()...),
}

var rulesWBCA = []BookRule{
	{
		"1", "Time for the game",
		"Both players have the same time for all their moves, three to seven minutes. Games with any other time are not " +
			"rated by the WBCA.",
		"A setting of the table or the event. The server calls a game WBCA-rated only with 3 to 7 minutes, equal for " +
			"both, and no increment or delay. Anything else can be played and says that it is not WBCA-rated.",
	},
	{
		"2", "Clock and flag",
		"The clock must have a flag that shows the end of the time. The rule also settles whose clock is used.",
		"Enforced in part: the server keeps the one clock of the game. A flag that has fallen stays down, and both " +
			"players see it; only time that a penalty or an arbiter adds lifts it again. The choice of a clock does not arise " +
			"online.",
	},
	{
		"3", "Look before you start",
		"Check the men and the clock before play. After one move of each side complaints about them come too late.",
		"Enforced: the server sets up the men and the clock, and after one completed move of each side the start stands. " +
			"A fault of the server is a matter of rule 18.",
	},
	{
		"4", "One hand",
		"The hand that moves also presses, and a capture is made with one hand; castling may take both. The first breach " +
			"brings a warning, the second costs a minute, the third the game.",
		"Does not arise online: there are no hands. Warning, minute and loss remain a power of the arbiter.",
	},
	{
		"5", "Where the clock stands",
		"The arbiter says which way the clocks face. Black then picks the side of the table he sits on.",
		"Does not arise online.",
	},
	{
		"6", "Hands off the clock",
		"Nobody touches the clock but to press it, apart from the four cases below.",
		"Enforced: the page has the press and the claims, nothing else. A press without a move does nothing and costs " +
			"nothing.",
	},
	{
		"6a", "A crooked clock",
		"A clock that stands crooked may be set straight.",
		"Does not arise online.",
	},
	{
		"6b", "A clock knocked over",
		"Whoever knocks his clock over gives the other side a minute.",
		"Does not arise online. An arbiter can give a minute.",
	},
	{
		"6c", "A clock that stands still",
		"If the opponent's clock does not run, set it going by pressing his side and then your own. If that does not " +
			"help, a director is called.",
		"A power of the arbiter: call the arbiter, who may correct both clocks (rule 18).",
	},
	{
		"6d", "Room to press",
		"After a move its maker must be free to press. No hand stays on the clock or above it.",
		"Enforced: your press counts while your clock runs and your move is released, even if your opponent has already " +
			"sent his reply. His reply waits for your press.",
	},
	{
		"7", "Ways to win",
		"A game is won by mate, by resignation, by a claimed flag or by a claimed illegal move.",
		"See 7a to 7e. What may win on a flag or an illegal move is said under mating material.",
	},
	{
		"7a mate", "Mate",
		"Whoever mates the other king wins.",
		"Enforced when a legal mating move is released: no press is needed, and flags do not matter. Only a flag that was " +
			"claimed earlier goes first. An illegal move that looks like mate ends nothing.",
	},
	{
		"7b", "Resignation",
		"Whoever resigns loses.",
		"The button \"resign\", which takes two steps, until the game is over. It counts whatever men are left and whatever " +
			"the flags say.",
	},
	{
		"7c", "A fallen flag",
		"You win if your opponent's flag has fallen and you point it out while your own is still up. You need mating " +
			"material, and the game must not have ended in another way.",
		"Claimed with \"claim flag\", from the fall of his flag until your own falls; you need not be on move. The server " +
			"calls no flag by itself, unless the event agreed on it (rule 12) or nobody claims for a minute (H4). Mating " +
			"material is needed both when the flag fell and when you claim; without it the game is drawn (8f). With both " +
			"flags down it is drawn (8c). A claim while his flag is up is refused; for repeated ones see H7.",
	},
	{
		"7d", "A claimed illegal move",
		"When your opponent has made an illegal move, you win by taking his king or by stopping the clock.",
		"Claimed with \"claim illegal move\", or by taking the king with any man but your own king. You can do so from his " +
			"press until you release a legal move or press any move of yours. Your own flag may be down as long as his is up. " +
			"You need mating material in the position before the illegal move; without it the game is drawn (8f). A man that " +
			"cannot reach the king does not take it: such a move is illegal itself.",
	},
	{
		"7e", "Illegal move and flag at once",
		"A player who made an illegal move may still claim a flag, if he does it before the illegal move is claimed. If " +
			"both claims come together, he loses.",
		"Enforced: the order in which the claims reach the server decides. In the same millisecond the illegal move goes " +
			"first. An event may widen that moment to as much as 50 milliseconds.",
	},
	{
		"7a material", "Mating material",
		"A pawn, a rook or two minor pieces are enough, but not two knights against a lone king, and not where section 8 " +
			"makes the position a dead draw. One knight or one bishop alone is enough only with a forced win that can be " +
			"shown in two minutes.",
		"Enforced as the measure of every claim under 7c and 7d. A queen is enough too. Bishops that all stand on squares " +
			"of one colour are not, against a lone king or against bishops of the same colour. How a forced win is found or " +
			"shown: H15. A mate that needs the opponent's help does not count, but a mate given on the board always wins.",
	},
	{
		"8", "Ways to draw",
		"A game is drawn by stalemate, by agreement, by two fallen flags, for want of mating material, or by a claim in " +
			"one of five kinds of position.",
		"See 8a to 8i. The button \"claim draw\" tries 8d to 8i together (rule 13).",
	},
	{
		"8a", "Stalemate",
		"Stalemate is a draw, also if a flag is claimed in the same moment.",
		"Enforced when a legal stalemating move is released, without a press. Only a flag claimed earlier goes first. An " +
			"illegal move that looks like stalemate ends nothing.",
	},
	{
		"8b", "Agreement",
		"The players may agree on a draw while the game lasts.",
		"The button \"offer draw\". An offer stands until it is answered or the other side releases a move; H14 says how " +
			"often you may offer.",
	},
	{
		"8c", "Both flags down",
		"If the second flag falls before anybody has claimed the first, the game is drawn. A mate before somebody notices " +
			"still wins.",
		"Claimed by either player with \"both flags down\", until the game is over. Any other claim that stops the clock " +
			"notices the flags too. Mate, stalemate, resignation and agreement stand if they come first. After a minute the " +
			"server notices by itself (H5).",
	},
	{
		"8d", "Perpetual check",
		"A draw by perpetual check needs the position four times. The player counts aloud and stops the clock at four.",
		"Claimed with \"claim draw\". One side must have given check with every move of a run, and the position after its " +
			"last check must have stood four times in that run. A quiet move, a capture, a pawn move or an illegal move of " +
			"that side begins the count anew. The checking side may claim until its own next release, the other side until " +
			"its reply. The page shows how often the position has stood, not whether it was check. Repetition without check " +
			"and fifty quiet moves are no draw in this book.",
	},
	{
		"8e", "One piece each, of one kind",
		"If each side has one piece of the same kind and nothing else, either may claim a draw, as long as neither can " +
			"show a forced win in two minutes.",
		"Claimed by either player with \"claim draw\" while the position stands. It holds for queens, rooks, bishops on any " +
			"colour, and knights, not for pawns. The server knows all these endings exactly.",
	},
	{
		"8f", "No mating material",
		"If a flag falls or a move is illegal and the other side cannot mate for want of men, the game is drawn.",
		"The outcome of a claim under 7c or 7d without mating material. A player whose flag has fallen may point it out " +
			"too, with \"claim draw\", while the other flag is up; the maker of an illegal move may not. The server also ends a " +
			"game at once when neither side can ever mate: bare kings, a single minor piece, or bishops that all stand on one " +
			"colour.",
	},
	{
		"8g", "Bishops of opposite colour",
		"With one bishop each on different colours and a single pawn, or two pawns against one in a blockade, a draw can " +
			"be claimed unless somebody has a forced win in two minutes.",
		"Claimed by either player with \"claim draw\" while the position stands. In a blockade both pawns of the side that " +
			"has two are stopped: neither can capture, and the square in front of each is occupied by an enemy man or guarded " +
			"by the enemy bishop. Two pawns against none, or three pawns in another split, do not count. Forced wins: H15.",
	},
	{
		"8h", "King and pawn against king",
		"With a rook pawn a draw can be claimed once the lone king is on the pawn's file in front of it. With another " +
			"pawn the king must be on the very next square, and the pawn not on its seventh rank.",
		"Claimed by either player with \"claim draw\" while the position stands. No forced win is looked for: these " +
			"positions are never won. The seventh rank is counted from the pawn's own side.",
	},
	{
		"8i", "Rook and rook pawn against rook",
		"The ending is drawn if the king blocks the pawn and there is no win at hand.",
		"Claimed by either player with \"claim draw\" while the position stands. The defending king must be on the square " +
			"just in front of the pawn; an event may allow any square in front of it on the file. A win at hand is a mate or " +
			"the win of the rook that can be forced in four moves; a longer one may be shown (H15).",
	},
	{
		"9", "Displaced men and touch-move",
		"Whoever displaces men puts them back on his own time. Whoever touches one man and moves another can be made to " +
			"move the first. Repeated offences bring a warning, a minute and the loss of the game; if the first cost the " +
			"opponent his flag, he gets a minute for it.",
		"Touch-move is enforced after an illegal move that was taken back (rule 14, H13). Men cannot be knocked over " +
			"online. Warning, minute and loss are powers of the arbiter; the minute lifts a fallen flag.",
	},
	{
		"10", "Disputes",
		"When the players disagree, each of them may stop the clock and send for the arbiter. He hears both of them and " +
			"good witnesses, and what he decides is final.",
		"Claimed with \"call arbiter\" while the game runs; see H16. What this page answers needs no dispute: the server " +
			"rules on it at once.",
	},
	{
		"11", "The arbiter and the clock",
		"The arbiter leaves the clock where it stands, unless there is a dispute and both players let him take it.",
		"Does not arise online.",
	},
	{
		"12", "Silence",
		"Spectators and other players do not speak about a game in progress or disturb it. If a spectator does, the " +
			"arbiter may have the game played anew. The arbiter too says nothing of flags and illegal moves, unless it was " +
			"agreed before the event that he calls them.",
		"Enforced: spectators cannot write to the players, and nobody is shown whether a move was legal (H8). Flags are " +
			"shown but not announced. Before an event begins it may be set that flags, or illegal moves, are called: then the " +
			"server claims at once for the player who is entitled to it. Cancelling a game is a power of the arbiter.",
	},
	{
		"13", "Appeal for a draw",
		"In a clearly drawn position each player may stop the clock to ask for a draw under section 8.",
		"Claimed with \"claim draw\", whoever's clock runs, as long as the position stands. The server tries 8d, 8e, 8g, 8h " +
			"and 8i, and 8f if your flag is down, and names the one that holds.",
	},
	{
		"13a", "The appeal is granted",
		"If section 8 makes it a draw, the game is over.",
		"Enforced at once, or after a forced win was looked for (H15).",
	},
	{
		"13b", "The appeal is rejected",
		"A rejected appeal costs the player who made it one minute.",
		"Enforced: 60 seconds are taken from your clock, never more than you have, and the clock that ran runs on. If " +
			"that leaves you nothing, your flag is down and your opponent may claim it. An event may give him the minute " +
			"instead.",
	},
	{
		"14", "Illegal moves",
		"An illegal move is taken back and replaced by a legal one on its maker's own time, with the same man if it has " +
			"one. A press completes it, and then it can be claimed: the opponent wins if he has mating material. If both " +
			"overlook it, it stands and nothing can be claimed for it later.",
		"Enforced, and claimed under 7d. Before you press you may take an illegal move back; then the same man must move " +
			"if it can. After the press it stands for good once your opponent releases a legal move, or presses any move. If " +
			"he answers with an illegal move, he may still take that back and claim, until he presses it. While your illegal " +
			"move can be claimed, mating material and draws are judged on the position before it; your opponent may rest a " +
			"claim of a draw on either position. If it is overlooked, the men stay where they were put.",
	},
	{
		"15", "Legal moves",
		"A legal move is complete when the hand lets go of the man.",
		"Enforced: a released legal move cannot be taken back, and it ends your right to claim the illegal move before " +
			"it. Your clock runs until you press. A move sent before your opponent has pressed waits for his press (H12).",
	},
	{
		"16", "Kings side by side",
		"A king may not go next to the other king, and a king does not take a king. The clock is stopped and a win " +
			"claimed for the illegal move.",
		"Claimed with \"claim illegal move\", as under 7d. King takes king is refused, with the hint to claim, and nothing " +
			"is touched. Whoever put his own king beside the other gains nothing by it: if the kings are all that is wrong " +
			"with the reply, his claim is refused. A king that moves to another square beside the other one is a new offence.",
	},
	{
		"17", "Promotion",
		"If a pawn is left standing on the last rank, the opponent may stop the clocks while a piece is looked for.",
		"Does not arise online: every piece is at hand. A promotion that names no piece makes a queen and is legal; the " +
			"choice is final at the release.",
	},
	{
		"18", "A faulty clock",
		"The arbiter decides whether a clock is faulty and may change it.",
		"A power of the arbiter, who can correct both clocks. What happens after a fault of the server: H6.",
	},
	{
		"19", "Posting the rules",
		"The organiser hangs the rules up for all to read, best an hour before play.",
		"This page. Games, claims and results lead to it, and the server makes it from the rules that it cites.",
	},
	{
		"20", "King and queen exchanged",
		"If king and queen began on each other's squares, castling short goes to the queen's side and long to the king's. " +
			"After a move of each side that stays, unless both players want to begin again.",
		"Does not arise online: the server sets up the men.",
	},
	{
		"21", "No banging",
		"Do not bang men or clock.",
		"Does not arise online. Its counterpart: a program that floods the server with messages is cut off.",
	},
	{
		"22", "The arbiter's word is final",
		"What the arbiter decides is final. The WBCA listens to complaints about arbiters and players for the future.",
		"Enforced: a finished game is never opened again (H17). Its record of moves, times and claims is kept and shows " +
			"what a complaint is about.",
	},
}
