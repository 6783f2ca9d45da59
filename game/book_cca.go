package game

// bookCCA is the list of the Continental Chess Association, then the rules of US Chess that its results cite.
var bookCCA = Book{
	Name: "cca", Cite: "CCA",
	Title: "Continental Chess Association",
	About: "Blitz by the list of the Continental Chess Association, as revised in December 2022. What it leaves open is " +
		"settled by rules of US Chess; those that this server cites follow the list under their own numbers. All are said " +
		"here in our own words, each with what this server does about it.",
	Rules: append(rulesCCA, hall(hallCCA...)...),
}

var rulesCCA = []BookRule{
	{
		"1", "Leave when you are done",
		"Leave the room after your game, post the result, and do not analyse there.",
		"Enforced in part: the server records the result. While a game runs its page offers no analysis.",
	},
	{
		"2", "Schedule",
		"The times of the rounds are posted.",
		"An event's setting.",
	},
	{
		"3", "Start on time",
		"Clocks start when the round begins. A delay or increment holds for the whole game.",
		"Enforced: the clock starts by H1, and increment or delay is fixed before the game.",
	},
	{
		"4", "No clock",
		"Without a clock, borrow one; start without it if you must, and share the time that has passed.",
		"Does not arise online.",
	},
	{
		"5", "The late opponent's time",
		"Time runs against a late opponent only once clock, set and board stand ready.",
		"Does not arise online: the server sets up the game.",
	},
	{
		"6", "No-show",
		"If your opponent is late by an hour, or by his whole first time control if that is shorter, you may claim the " +
			"game as a forfeit.",
		"An event's setting; how the clock starts without him and how long the first moves may take: H1, H2.",
	},
	{
		"7", "Both late",
		"If both come late, the first to arrive shares the time that has passed between them.",
		"Does not arise online: nobody's clock runs while both are away (H1).",
	},
	{
		"8", "Paired anew",
		"Late by half an hour with a minus score or none, you may be taken off the pairings so that two players without " +
			"opponents can play.",
		"An event's setting.",
	},
	{
		"9", "Score sheet and time",
		"Only outside sudden death does a win on time need a score sheet with few gaps.",
		"Does not arise online: the server has all the moves.",
	},
	{
		"10", "Writing moves down",
		"You may write your move down before playing it, except on an electronic score sheet.",
		"Does not arise online.",
	},
	{
		"11", "Claiming on time",
		"To win on time, stop the clocks and say so. If the claim is denied, your opponent gets two minutes.",
		"Claimed with \"claim flag\", from the fall of the opponent's flag until your own falls; you need not be on move. " +
			"If his flag is up, he gets 120 seconds and the game goes on. The server calls no flag by itself, but for H4.",
	},
	{
		"12", "Enough to win on time",
		"A win on time needs men that could mate if you moved for both sides. A lone bishop, a lone knight, or two " +
			"knights against no pawn also need a forced win.",
		"Enforced as the measure of every claim on time: some series of legal moves must lead to mate, and with the few " +
			"men named a forced win must exist. Otherwise the game is drawn. How a forced win is found or shown: H15.",
	},
	{
		"13", "Both flags down",
		"Two fallen flags make a draw in sudden death.",
		"Claimed by either player with \"both flags down\", or with any claim on time. Mate, stalemate, resignation and " +
			"agreement stand if they come first. After a minute the server notices by itself (H5).",
	},
	{
		"14", "Keeping score",
		"With less than five minutes on either clock nobody has to keep score, unless there are thirty seconds or more a " +
			"move.",
		"Does not arise online: the server keeps the score.",
	},
	{
		"15", "Insufficient losing chances",
		"Without delay or increment, the player on move with less than two minutes may stop the clocks and claim a draw, " +
			"if a middling player would nearly always hold the position against a master with time enough. A denied claim may " +
			"cost a minute.",
		"Claimed with \"insufficient losing chances\", on move, with less than two minutes and the flag up. With an arbiter " +
			"on duty the clocks stop and he rules; with none the claimant gets the delay clock of rule 17 at once, unless the " +
			"event says otherwise. The minute is a power of the arbiter.",
	},
	{
		"16", "Too late for losing chances",
		"Once your flag is down you cannot claim insufficient losing chances.",
		"Enforced: the claim is refused.",
	},
	{
		"17", "The delay clock",
		"Instead of ruling on such a claim the director may put in a delay clock. The claimant keeps half his time but " +
			"not more than a minute, the opponent keeps all of his, and both get five seconds for each move.",
		"A power of the arbiter. With none on duty the server does it by itself, unless the event says otherwise.",
	},
	{
		"18", "Problems",
		"If there is a problem, stop the clock and see the director. Stopping it without good reason may be punished.",
		"Claimed with \"call arbiter\"; see H16.",
	},
	{
		"19", "Staying in the playing area",
		"During play nobody leaves the playing area without leave.",
		"Does not arise online. Who is away too long on move may be claimed: H3.",
	},
	{
		"20", "Manners at the clock",
		"Do not touch the clock when it is not your move, lift it or bang it. Press with the hand that moved.",
		"Enforced in part: a press counts only while your clock runs, and without a move it does nothing. Hands do not " +
			"arise online.",
	},
	{
		"21", "Illegal moves",
		"If you complete an illegal move and your opponent claims it before he touches a man, he gets two minutes. " +
			"Touch-move holds as well.",
		"Claimed with \"claim illegal move\" from the opponent's press. The position before the illegal move is back, later " +
			"moves are void, and its maker is on move with the man he touched, if it can move. You get 120 seconds if you " +
			"have not released a move since. Until you have pressed two moves of your own the move can still be corrected, " +
			"without the two minutes. Time that was used stays used. Before the press an illegal move may be taken back for " +
			"nothing. A king is not taken in this book: the server refuses it with the hint to claim.",
	},
	{
		"22", "Touch-move",
		"A touched man must move. In castling the king comes first, but touching the rook first is not punished.",
		"Enforced in part: a man is touched when it is released on a square (H13). Castling is a move of the king.",
	},
	{
		"23", "Fifty moves",
		"When for fifty moves of each side nothing was taken and no pawn moved, a draw can be claimed.",
		"Claimed with \"claim draw\" by the player on move, before he presses. The server counts. The button serves rule 24 " +
			"as well, and a claim that neither rule supports costs what rule 24 says.",
	},
	{
		"24", "Third occurrence of a position",
		"A repetition is claimed on your own move, before you press. If the claim is denied, your opponent gets two " +
			"minutes; in sudden death the director may waive them when the case is unclear.",
		"Claimed with \"claim draw\" by the player on move, before he presses; the move he has released counts. The server " +
			"counts, so no case is unclear: a wrong claim gives the opponent 120 seconds.",
	},
	{
		"25", "Proof of a draw",
		"Outside sudden death such a claim needs a score sheet good enough to check it. In sudden death the director may " +
			"rely on what was seen.",
		"Enforced: the server has all the moves.",
	},
	{
		"26", "Posting the result",
		"Post the result at once; both players sign the score sheets.",
		"Enforced: the server records the result and the moves.",
	},
	{
		"27", "Equipment",
		"Black picks the set and the clock if they are standard; if he is late, White does.",
		"Does not arise online.",
	},
	{
		"28", "Time out at the press",
		"If your time runs out as you hit the clock, you were too late, and your opponent can claim.",
		"Enforced: the time must still be there when the press arrives, less what the connection may take (H9). The claim " +
			"is that of rule 11.",
	},
	{
		"29", "Electronic score sheets",
		"An electronic score sheet stays in view of the opponent. No score sheet leaves the playing area during the game.",
		"Does not arise online.",
	},
	{
		"30", "Setting of the clock",
		"Clocks neither stop nor beep when time is up. A wrong delay or increment may be put right; after ten moves of " +
			"each side it stays unless the director changes it.",
		"Enforced: the server sets the clock, and a fallen flag is shown, not announced. An arbiter may correct both " +
			"clocks.",
	},
	{
		"31", "Dropping out",
		"Tell the director well before the round if you will not play.",
		"An event's setting.",
	},
	{
		"32", "Forfeit without notice",
		"Who forfeits without notice is taken out of the tournament until he says that he comes back.",
		"An event's setting.",
	},
	{
		"33", "Walking away",
		"It is improper to leave a lost game without resigning. The director may punish it.",
		"A player who is away for a minute on move may be claimed as having abandoned the game (H3). Penalties are a " +
			"power of the arbiter.",
	},
	{
		"34", "Colours",
		"White goes first to the player with the smaller surplus of whites, then by the last round in which the two " +
			"differed, then to the one with the higher score.",
		"An event's setting: the pairing gives the colours.",
	},
	{
		"35", "No arranged results",
		"No game is thrown and no prize is shared by agreement beforehand.",
		"A power of the arbiter.",
	},
	{
		"36", "Wrong ratings",
		"Who hides or manipulates his rating may be expelled; the results of his opponents are then adjusted.",
		"An event's setting.",
	},
	{
		"37", "Devices",
		"No phone and no other device that can analyse or communicate is carried during play.",
		"Cannot be enforced by the server; help from engines or people is forbidden all the same, and an arbiter may act " +
			"on it.",
	},
	{
		"38", "Prizes",
		"Who wins a prize may have to prove who he is.",
		"Does not arise on this server.",
	},
	{
		"10B", "Touch-move (US Chess)",
		"Touch a man on purpose when it is your turn, and you have to play with it, or take it, if that is possible.",
		"Enforced in part, as under rule 22.",
	},
	{
		"11D1", "Too late to correct (US Chess)",
		"In time pressure an illegal move stands, and no time is added, once the opponent has completed two moves or the " +
			"game has ended.",
		"Enforced in every game, whatever its time. Rule 21 says how it is claimed.",
	},
	{
		"13A", "Mate (US Chess)",
		"A legal move that mates the king wins.",
		"Enforced when the move is released: no press is needed, and flags do not matter. Only a claim that arrived " +
			"earlier goes first. An illegal move that looks like mate ends nothing.",
	},
	{
		"13B", "Resignation (US Chess)",
		"A player who resigns loses.",
		"The button \"resign\", which takes two steps, until the game is over.",
	},
	{
		"14A", "Stalemate (US Chess)",
		"A legal move that leaves the opponent without a legal move, and not in check, draws.",
		"Enforced when the move is released, whatever the flags say. Only a claim that arrived earlier goes first.",
	},
	{
		"14B", "Agreement (US Chess)",
		"The players may agree on a draw.",
		"The button \"offer draw\". An offer stands until it is answered or the other side releases a move; H14 says how " +
			"often you may offer.",
	},
	{
		"14D1", "Nobody can win (US Chess)",
		"The game is drawn when neither side can mate any more.",
		"Enforced at the release of the move, by the men alone: bare kings, a single minor piece, or bishops that all " +
			"stand on one colour. A locked position is not ended by the server, but nobody wins on time in it (rule 12).",
	},
}

// hallCCA are the rules of this hall that differ here.
var hallCCA = []BookRule{
	{
		"H7", "Wrong claims",
		"The first wrong claim of an illegal move, or try to take back a legal move, is free. Each further one gives the " +
			"opponent a minute.",
		"Enforced for each player and each game; an event may switch it off. Wrong claims on time and of draws have " +
			"penalties of their own (rules 11 and 24). A claim before the opponent has pressed tells nothing and costs " +
			"nothing. Time that is given lifts a fallen flag.",
	},
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
