package game

// bookUS is US Chess as far as results cite it or players ask for it.
var bookUS = Book{
	Name: "uscf", Cite: "US Chess",
	Title: "US Chess, sudden death",
	About: "Sudden death by the rulebook of US Chess (5th edition), as far as it matters in blitz. An illegal move has to be " +
		"claimed and is corrected; it does not lose the game. The rules are said here in our own words, each with what " +
		"this server does about it.",
	Rules: append(rulesUS, hall(hallUS...)...),
}

var rulesUS = []BookRule{
	{
		"5C", "Quick chess",
		"Games of ten to under thirty minutes follow the rules of sudden death, but nobody has to keep score.",
		"A setting of the table or the event. Every game here is played by the rules of sudden death, and the server " +
			"keeps the score.",
	},
	{
		"10B", "Touch-move",
		"Touch a man on purpose when it is your turn, as if to move, and you have to play with it, or take it, if that is " +
			"possible. Of several men the one touched first counts.",
		"Enforced in part: a man is touched when it is released on a square (H13). After an illegal move was taken back " +
			"or corrected, the man that made it must move if it can.",
	},
	{
		"11A", "An illegal move among the last ten",
		"If one of the last ten moves of either player was illegal, the position before it is put back. This does not " +
			"apply in time pressure, with less than five minutes on a clock.",
		"Not used: every game here counts as time pressure, whatever its time. How long a move can be corrected is said " +
			"by 11D1.",
	},
	{
		"11D", "A completed illegal move",
		"In sudden death, if you press after an illegal move, you have to play a legal one with the man you touched, if " +
			"there is one, and your opponent gets two minutes more.",
		"Claimed with \"claim illegal move\", from the opponent's press until you have pressed two moves of your own. The " +
			"position before the illegal move is back, later moves are void, its maker is on move with the man he touched, " +
			"and you get 120 seconds. If two of his moves can still be corrected, it is the earlier one. Time that was used " +
			"stays used. The same holds for each further illegal move. Before the press an illegal move may be taken back for " +
			"nothing. A king is not taken in this book: the server refuses it with the hint to claim. Heavier penalties are a " +
			"power of the arbiter.",
	},
	{
		"11D1", "Illegal moves in time pressure",
		"With five minutes or less, the director does not point out illegal moves. The move stands, and no time is added, " +
			"if it was not corrected before the opponent had completed two moves, or before a resignation, a legal mate or a " +
			"legal stalemate.",
		"Enforced in every game. A move of yours counts as completed when you press it. After that, or after the end of " +
			"the game, the illegal move stands for good.",
	},
	{
		"11H", "The director sees an illegal move",
		"Outside the last five minutes a director who sees an illegal move has it replaced, by touch-move; the clocks " +
			"stay as they are.",
		"Does not arise in blitz: illegal moves are left to the players.",
	},
	{
		"13A", "Mate",
		"A legal move that mates the king wins.",
		"Enforced when the move is released: no press is needed, and flags do not matter. Only a claim that arrived " +
			"earlier goes first. An illegal move that looks like mate ends nothing.",
	},
	{
		"13B", "Resignation",
		"A player who resigns loses.",
		"The button \"resign\", which takes two steps, until the game is over.",
	},
	{
		"13C", "Win on time",
		"Who properly claims that his opponent has used up his time wins, if he has mating material. In sudden death that " +
			"needs no score sheet; in other controls it does.",
		"Claimed with \"claim flag\", from the fall of the opponent's flag until your own falls; you need not be on move. " +
			"Without mating material the game is drawn (14E). A claim while his flag is up is refused; for repeated ones see " +
			"H7. The server calls no flag by itself, but for H4.",
	},
	{
		"13C2", "Calling one's own flag",
		"Outside sudden death you may point out your own flag, so that no moves are filled in later.",
		"Does not arise in blitz.",
	},
	{
		"13C7", "A reasonably complete score sheet",
		"Outside sudden death a claim on time needs a score sheet that lacks at most three pairs of moves.",
		"Does not arise online: the server has all the moves.",
	},
	{
		"13C8", "The opponent's score sheet",
		"Outside sudden death the director may look at the other player's sheet to judge a claim.",
		"Does not arise online.",
	},
	{
		"14A", "Stalemate",
		"A legal move that leaves the opponent without a legal move, and not in check, draws.",
		"Enforced when the move is released, whatever the flags say. Only a claim that arrived earlier goes first.",
	},
	{
		"14B", "Agreement",
		"The players may agree on a draw.",
		"The button \"offer draw\"; see 14B1 and H14.",
	},
	{
		"14B1", "When to offer a draw",
		"A draw is offered after choosing a move and before pressing. The opponent accepts, or declines in words or by " +
			"touching a man; until then the offer cannot be withdrawn.",
		"Enforced in part: an offer stands until it is answered or the other side releases a move, and cannot be " +
			"withdrawn. Online it may be made at other times as well; H14 says how often.",
	},
	{
		"14C", "Third occurrence of a position",
		"The player on move may claim a draw when the same position has come up three times.",
		"Claimed with \"claim draw\" by the player on move, before he presses; the move he has released counts. A claim " +
			"that is not good is refused and costs nothing.",
	},
	{
		"14C8", "Third occurrence in time pressure",
		"With less than five minutes left a draw by repetition may rest on what a director or a witness has seen.",
		"Enforced: the server has seen every move and counts for both players.",
	},
	{
		"14D1", "Nobody can win",
		"The game is drawn when neither side can mate any more: king against king, also with one bishop or one knight, or " +
			"king and bishop against king and bishop, or when no legal moves lead to mate.",
		"Enforced at the release of the move, by the men alone: bare kings, a single minor piece, or bishops that all " +
			"stand on one colour. Bishops on different colours are not drawn by themselves, since mate is possible there. A " +
			"locked position is not ended by the server, but nobody wins on time in it (14E).",
	},
	{
		"14E", "Not enough to win on time",
		"A fallen flag only draws if the other side has a bare king, or one bishop or knight without a forced win, or two " +
			"knights against no pawns without a forced win.",
		"Enforced as the measure of every claim on time. With all other men some series of legal moves must lead to mate. " +
			"How a forced win is found or shown: H15.",
	},
	{
		"14F1", "Fifty moves",
		"When for fifty moves of each side nothing was taken and no pawn moved, the player on move may claim a draw.",
		"Claimed with \"claim draw\" by the player on move, before he presses. The server counts. A claim that is not good " +
			"is refused and costs nothing.",
	},
	{
		"14F4", "The director counts the moves",
		"A player with less than five minutes may ask the director to count towards the fifty moves.",
		"Enforced: the server counts in every game.",
	},
	{
		"14G", "Both flags down",
		"With both flags down the game is drawn when either player points it out. It is drawn too if the player who " +
			"claims on time does not stop the clock before his own flag falls.",
		"Claimed by either player with \"both flags down\", or with any claim on time, until the game is over. Order of " +
			"arrival at the server decides.",
	},
	{
		"14G1", "Mate and both flags down",
		"If both flags are pointed out before a mate, the game is drawn; a mate that comes first stands.",
		"Enforced by the order of arrival. In the same millisecond the mate goes first.",
	},
	{
		"14G2", "Nobody notices both flags",
		"If the players go on unaware of two fallen flags, the director may call it a draw.",
		"Enforced after a minute (H5). An arbiter may do it earlier.",
	},
	{
		"14H6", "No claims of insufficient losing chances",
		"An event may allow no claims of insufficient losing chances, without announcing it.",
		"Enforced: this variation is used here, and there is no such claim.",
	},
	{
		"14K", "Losing chances and increment",
		"With an increment there are no claims of insufficient losing chances.",
		"Enforced: there are none at all (14H6).",
	},
	{
		"15C", "Score-keeping in time pressure",
		"With less than five minutes on either clock neither player keeps score, and no score sheet is needed to win on " +
			"time.",
		"Does not arise online: the server keeps the score.",
	},
	{
		"16D1", "Too late to correct",
		"An illegal move stands, and no time is added, once the opponent of its maker has completed two more moves.",
		"Enforced, as under 11D1.",
	},
}

// hallUS are the rules of this hall that differ here.
var hallUS = []BookRule{
	{
		"H15", "Forced wins",
		"Where a claim on time depends on a forced win, the win is proved and not guessed. Both clocks stand meanwhile.",
		"Enforced: with up to four men the server knows the answer; with more it searches, within fixed bounds. If the " +
			"search does not decide, the claimant shows the win on a side board. He has two minutes for his own moves, the " +
			"other side one. Only legal moves count there. The win is shown by mate, by a position of four men that is known " +
			"to be won, if the other side concedes or if its time runs out. The game's own board and clocks stay as they are. " +
			"Where it only matters whether mate is possible at all, and the search does not decide, it counts as possible.",
	},
}
