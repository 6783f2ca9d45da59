package arena

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"flagfall/game"
)

// asPoints writes half points as points: "7.5".
func asPoints(halves int) string { return fmt.Sprintf("%d.%d", halves/2, halves%2*5) }

// quarters writes quarter points: "69.25".
func quarters(n int) string { return strconv.FormatFloat(float64(n)/4, 'f', 2, 64) }

// formulas begin with one of these, in some spreadsheets with the full-width one, too.
const formulas = "=+-@\t\r\n＝＋－＠"

// CellText keeps a spreadsheet from taking a name for a formula.
func CellText(text string) string {
	if first, _ := utf8.DecodeRuneInString(text); text != "" && strings.ContainsRune(formulas, first) {
		return "'" + text
	}
	return text
}

// known is a rating; who has none, has none in a file either.
func known(rating int) string {
	if rating == 0 {
		return ""
	}
	return strconv.Itoa(rating)
}

// StandingsCSV is the table as RFC 4180 has it, UTF-8, with a line of headings.
func (s *State) StandingsCSV() []byte {
	lines := [][]string{{"Group", "Place", "Name", "Real name", "Rating", "Points", "Games", "Wins", "Draws", "Losses",
		"Performance", "Direct encounter", "Sonneborn-Berger", "Play-off", "Status"}}
	for _, r := range s.Standings() {
		lines = append(lines, []string{strconv.Itoa(r.Group), strconv.Itoa(r.Place), CellText(r.Name), CellText(r.Real),
			known(r.Rating), asPoints(r.Points), strconv.Itoa(r.Games), strconv.Itoa(r.Wins), strconv.Itoa(r.Draws),
			strconv.Itoa(r.Losses), known(r.Performance), asPoints(r.Direct), quarters(r.SB), asPoints(r.Playoff),
			string(r.Status)})
	}
	return csvText(lines)
}

// CrosstableCSV has a column for each player, by place; a cell lists the results against him from first to last: 1, ½, 0,
// and + or - for a forfeit. Games of who left before half of his are in it.
func (s *State) CrosstableCSV() []byte {
	rows := s.Standings()
	cells := map[[2]string]string{}
	for _, g := range s.decided() {
		white, black := g.Outcome.Halves()
		cells[[2]string{g.White, g.Black}] += mark(white, g.Outcome.Forfeit)
		cells[[2]string{g.Black, g.White}] += mark(black, g.Outcome.Forfeit)
	}
	head := []string{"Group", "Place", "Name", "Rating", "Points"}
	for i := range rows {
		head = append(head, strconv.Itoa(i+1))
	}
	lines := [][]string{head}
	for i, r := range rows {
		line := []string{strconv.Itoa(r.Group), strconv.Itoa(r.Place), CellText(r.Name), known(r.Rating), asPoints(r.Points)}
		for j, o := range rows {
			cell := cells[[2]string{r.ID, o.ID}]
			if i == j {
				cell = "*"
			}
			line = append(line, CellText(cell))
		}
		lines = append(lines, line)
	}
	return csvText(lines)
}

func mark(halves int, forfeit bool) string {
	if forfeit {
		return [3]string{"-", "=", "+"}[halves]
	}
	return [3]string{"0", "½", "1"}[halves]
}

func csvText(lines [][]string) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.UseCRLF = true
	_ = w.WriteAll(lines) // a buffer takes everything
	return b.Bytes()
}

// export is the event as JSON.
type export struct {
	Name      string       `json:"name"`
	Format    Format       `json:"format"`
	Phase     string       `json:"phase"`
	Scoring   Scoring      `json:"scoring"`
	AtBell    AtBell       `json:"at_bell"`
	Started   int64        `json:"started,omitempty"` // Unix ms
	Bell      int64        `json:"bell,omitempty"`
	Standings []Row        `json:"standings"`
	Games     []exportGame `json:"games"`
}

// exportGame is a game that counts, or one that ended without counting; who plays where is not told of running ones.
type exportGame struct {
	ID      string      `json:"id"`
	White   string      `json:"white"`
	Black   string      `json:"black"`
	Score   game.Score  `json:"score"`
	Reason  game.Reason `json:"reason,omitempty"`
	Forfeit bool        `json:"forfeit,omitempty"`
	Round   int         `json:"round,omitempty"`
	Group   int         `json:"group,omitempty"`
	Playoff bool        `json:"playoff,omitempty"`
	Repeat  bool        `json:"repeat,omitempty"`
	Color   bool        `json:"color,omitempty"`
	Started int64       `json:"started"`
	Ended   int64       `json:"ended"`
	Changed string      `json:"changed,omitempty"` // why it counts otherwise than it ended
	Out     bool        `json:"out,omitempty"`     // it does not count: one of the two left before half of his games
}

// JSON is the event: its table and all games that are over, from first to last. Points are half points, sb quarters.
func (s *State) JSON() ([]byte, error) {
	e := export{Name: s.Settings.Name, Format: s.Settings.Format, Phase: s.Phase.String(), Scoring: s.Settings.Scoring,
		AtBell: s.Settings.Bell, Started: s.Started, Bell: s.Bell, Standings: s.Standings(), Games: []exportGame{}}
	leavers := s.leavers()
	for _, g := range s.Games {
		if !g.Over {
			continue
		}
		x := exportGame{ID: g.ID, White: g.White, Black: g.Black, Score: g.Outcome.Score, Reason: g.Outcome.Reason,
			Forfeit: g.Outcome.Forfeit, Round: g.Round, Group: g.Group, Playoff: g.Playoff, Repeat: g.Repeat, Color: g.Color,
			Started: g.At, Ended: g.Ended, Out: leavers[g.White] || leavers[g.Black]}
		if g.Change != nil {
			x.Changed = g.Change.Why
		}
		e.Games = append(e.Games, x)
	}
	return json.MarshalIndent(e, "", "  ")
}
