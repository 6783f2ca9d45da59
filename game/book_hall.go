package game

// hall is the rules of this server, for what no book knows of. A rule of a book's own takes the place of the common one
// with its number.
func hall(own ...BookRule) []BookRule {
	rules := append([]BookRule(nil), hallRules...)
	for i := range rules {
		for _, r := range own {
			if r.Number == rules[i].Number {
				rules[i] = r
			}
		}
	}
	return rules
}

var hallRules = []BookRule{
	{
		"H1", "The start",
		"The clock of the side that begins starts when both players are at the table, or ten seconds after the first one " +
			"came. If nobody is there for thirty seconds, the game is void.",
		"Enforced. A player is at the table while the page is visible and answers.",
	},
	{
		"H2", "First moves",
		"Each side makes its first move within twenty seconds of its turn. Otherwise the game is void and not rated.",
		"Enforced. An event may set another time, and what happens to a player who does not appear.",
	},
	{
		"H3", "An absent player",
		"Who is away for a minute in one go while he is on move has abandoned the game. His opponent may claim the win if " +
			"he has mating material.",
		"Claimed with \"opponent left the game\", after both sides have moved, until the absent player is back or has " +
			"moved. The absence and its countdown are shown. An event may switch this off. The server resigns for nobody.",
	},
	{
		"H4", "A flag that nobody claims",
		"If one flag is down and the side that could claim it does nothing for a minute, the flag is called.",
		"Enforced: if that side is at the table, the result is the one that its claim would have had; if it is away, the " +
			"game is drawn. Whatever that side does begins the minute anew.",
	},
	{
		"H5", "Two flags that nobody notices",
		"If both flags are down for a minute and nobody has said so, the game is drawn.",
		"Enforced, counted from the second flag, moves or not. An event may set another time or none.",
	},
	{
		"H6", "The server was away",
		"If the server fails, both clocks stand until the side on move is back, for thirty seconds at most. A failure of " +
			"more than three minutes makes the game void.",
		"Enforced: the side on move is charged what is known to have passed, and is left a second if it had one.",
	},
	{
		"H7", "Wrong claims",
		"The first wrong claim of an illegal move, or try to take back a legal move, is free. Each further one gives the " +
			"opponent a minute. Three claims of a flag that is up are free; each further one gives him a minute too.",
		"Enforced for each player and each game; an event may switch it off. A claim before the opponent has pressed " +
			"tells nothing and costs nothing. A minute that is given lifts a fallen flag.",
	},
	{
		"H8", "What is shown",
		"While a game runs nobody is told whether a move was legal: not the players, not the spectators.",
		"Enforced. All see the men, the moves as squares, whose turn it is, clocks, flags, offers and rulings. There are " +
			"no hints where a man may go and no warnings of check. A claim brings the truth out, and so does the end of the " +
			"game.",
	},
	{
		"H9", "The connection",
		"What a message needs on its way is given back, within limits. A flag is down when the time and this credit are " +
			"used up; then it stays down.",
		"Enforced: the credit of a press is at most the measured way to the server and back, and at most what is left of " +
			"a quota. Meanwhile the clock stands at zero. A press that arrives within its credit counts.",
	},
	{
		"H10", "The same moment",
		"Messages count by their arrival at the server.",
		"Enforced: in the same millisecond moves and take-backs go first, then presses, claims of an illegal move, claims " +
			"of a flag, other claims, and last resignations and agreements. What one player sends keeps its order.",
	},
	{
		"H11", "Over the board or fast",
		"Over the board you place the man and then press. In a fast game the drop presses as well.",
		"A setting of the game, the same for both players. Moves entered on the opponent's time before he has moved are " +
			"off in WBCA-rated games, unless the event allows them; where they are allowed, one that is no longer possible is " +
			"dropped.",
	},
	{
		"H12", "A reply before the press",
		"You may release your reply before your opponent has pressed. It is played when he presses, and his clock runs " +
			"until then.",
		"Enforced: one reply may wait, with its press if you like, and nobody else sees it. It lapses if he takes his " +
			"move back. It ends your right to claim his move only when you press it.",
	},
	{
		"H13", "Touching a man",
		"A man is touched when it is released on a square, not when it is picked up.",
		"Enforced: after an illegal move was taken back, the man that made it must move if it has a legal move. A man of " +
			"the opponent that was moved or taken creates no duty. In castling the king is touched.",
	},
	{
		"H14", "Draw offers",
		"An offer stands until it is answered or the other side releases a move. It cannot be withdrawn.",
		"Enforced: one offer at a time, one for each move of your own, and none for ten moves of your own after one that " +
			"was not accepted. The receiver can switch offers off for the game.",
	},
	{
		"H15", "Forced wins",
		"Where a claim depends on a forced win, the win is proved and not guessed. Both clocks stand meanwhile.",
		"Enforced: with up to four men the server knows the answer; with more it searches, within fixed bounds. If the " +
			"search does not decide, the win is shown on a side board, by the claimant of a flag or an illegal move, or by " +
			"the opponent of the claimant of a draw. He has two minutes for his own moves, the other side one. Only legal " +
			"moves count there. The win is shown by mate, by a position of four men that is known to be won, if the other " +
			"side concedes or if its time runs out. The game's own board and clocks stay as they are.",
	},
	{
		"H16", "Calling the arbiter",
		"The arbiter is there for what the server cannot know, such as conduct.",
		"With an arbiter on duty both clocks stand for up to three minutes; resigning and agreeing on a draw stay " +
			"possible. If he does not rule in that time, play goes on. From the second call that he finds unjustified, each " +
			"gives the opponent a minute. With nobody on duty the call is written down and the clocks run on.",
	},
	{
		"H17", "After the end",
		"A finished game is not opened again.",
		"Enforced. An arbiter may correct a result in the event; the standings follow, with his name and his reason.",
	},
}
