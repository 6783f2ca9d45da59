// Command examplebot plays one game of blitz: it asks for an opponent, moves at random by the rules, presses, claims when
// it sees an illegal move or a fallen flag, and prints how it ended. It stands on /asyncapi.yaml alone and on nothing of
// this module: take it as the beginning of a bot of your own.
//
//	go run ./loadtest/examplebot -url http://localhost:8080 -minutes 3
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/gorilla/websocket"
	"github.com/notnil/chess"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(args []string, out io.Writer) error {
	b := &bot{token: os.Getenv("EXAMPLEBOT_TOKEN"), tag: strconv.FormatUint(rand.Uint64(), 36)}
	flags := flag.NewFlagSet("examplebot", flag.ContinueOnError)
	flags.StringVar(&b.url, "url", "http://localhost:8080", "the server's address; without the token of a bot in EXAMPLEBOT_TOKEN it plays as a guest")
	minutes := flags.Float64("minutes", 3, "`minutes` for each side")
	flags.DurationVar(&b.think, "think", 300*time.Millisecond, "`time` before a move, a few seconds at most")
	if err := flags.Parse(args); err != nil {
		return err
	}
	b.base = int64(*minutes * 60_000)
	err := b.becomeGuest()
	if err == nil {
		err = b.play()
	}
	if err == nil {
		fmt.Fprintf(out, "%s as %s in game %s after %d moves: %s (%s)\n", b.end.Result, b.me, b.game, len(b.moves), b.end.Text, b.end.Reason)
	}
	return err
}

type fields map[string]any

// frame is one from the server, with the fields that a bot needs of any of them.
type frame struct {
	T, ID, Game, Code, Msg, Pending string
	You                             any // a side in state, a person in hello
	N                               uint64
	Moves                           []struct{ M string }
	Clk                             struct{ Run, Flags string }
	End                             *ending
	E                               []struct {
		K, M string
		End  *ending
	}
}

type ending struct{ Result, Reason, Text string }

// bot is one player. What it knows of the game comes from the frames alone, so a snapshot (state) sets everything right.
type bot struct {
	url, token string
	base       int64 // ms for each side
	think      time.Duration
	ws         *websocket.Conn
	wait       time.Duration // before the next connection
	tag        string        // of its commands' ids, each of which counts once for a person
	commands   int
	refused    int
	waits      string // id of the command that is not answered yet

	game, me, other string
	n               uint64 // number of the last frame
	moves           []string
	pending         string // released, not pressed
	position        *chess.Position
	wrong           string // side whose illegal move stands; the position is not known any more
	run, flags      string // whose clock runs, whose flags are down
	claimed         string // and after how many moves
	end             *ending
}

// becomeGuest gets a token, unless there is one.
func (b *bot) becomeGuest() error {
	if b.token != "" {
		return nil
	}
	res, err := http.Post(b.url+"/api/guest", "application/json", strings.NewReader(`{"token": true}`))
	if err != nil {
		return err
	}
	defer res.Body.Close()
	var answer struct{ Token string }
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil || answer.Token == "" {
		return fmt.Errorf("%s gives no token: %s", b.url, res.Status)
	}
	b.token = answer.Token
	return nil
}

// play connects until the game is over. A lost line costs nothing but time: the seat is kept.
func (b *bot) play() error {
	for {
		err := b.converse()
		switch {
		case b.end != nil:
			return nil
		case errors.Is(err, errGiveUp), errors.Is(err, websocket.ErrBadHandshake), websocket.IsUnexpectedCloseError(err, 1006, 1011, 1012, 4002):
			return err // these close codes alone say that one may come back
		}
		b.wait = min(max(2*b.wait, 200*time.Millisecond), 5*time.Second)
		time.Sleep(b.wait + rand.N(b.wait))
	}
}

var errGiveUp = errors.New("the server refuses")

// converse is one connection.
func (b *bot) converse() error {
	ws, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(b.url, "http")+"/ws", http.Header{"Authorization": {"Bearer " + b.token}})
	if err != nil {
		return err
	}
	defer ws.Close()
	b.ws, b.waits = ws, ""
	for b.end == nil && err == nil {
		var f frame
		if err = ws.ReadJSON(&f); err == nil { // it answers pings too
			err = b.take(f)
		}
	}
	return err
}

// say sends a command under an id of its own.
func (b *bot) say(m fields) error {
	b.commands++
	b.waits = b.tag + "-" + strconv.Itoa(b.commands)
	m["id"] = b.waits
	return b.ws.WriteJSON(m)
}

func (b *bot) take(f frame) error {
	if f.ID != "" && f.ID == b.waits {
		b.waits = ""
	}
	switch f.T {
	case "hello":
		b.wait = 0
		if f.Game != "" {
			return b.say(fields{"t": "join", "game": f.Game})
		}
		return b.say(fields{"t": "seek", "base": b.base, "mode": "board"})
	case "paired":
		return b.say(fields{"t": "join", "game": f.Game})
	case "err":
		if b.refused++; b.refused > 20 || b.game == "" {
			return fmt.Errorf("%w: %s: %s", errGiveUp, f.Code, f.Msg)
		}
		return b.say(fields{"t": "join", "game": b.game}) // look what there is
	case "state":
		b.look(f)
		return errors.Join(b.ws.WriteJSON(fields{"t": "here", "visible": true}), b.act())
	case "ev":
		if f.N != b.n+1 {
			return b.say(fields{"t": "join", "game": b.game})
		}
		b.n, b.run, b.flags = f.N, f.Clk.Run, f.Clk.Flags
		for _, e := range f.E {
			switch e.K {
			case "move":
				b.pending = e.M
			case "press":
				b.completed(b.pending)
				fallthrough
			case "back":
				b.pending = ""
			case "end":
				b.end = e.End
			}
		}
		return b.act()
	}
	return nil
}

// look takes a snapshot in.
func (b *bot) look(f frame) {
	b.game, b.n, b.run, b.flags, b.pending, b.end = f.Game, f.N, f.Clk.Run, f.Clk.Flags, f.Pending, f.End
	b.me, b.other = fmt.Sprint(f.You), map[any]string{"w": "b", "b": "w"}[f.You]
	b.position, b.moves, b.wrong = chess.StartingPosition(), nil, ""
	for _, m := range f.Moves {
		b.completed(m.M)
	}
}

// completed counts a pressed move, and sees whether it was legal.
func (b *bot) completed(m string) {
	b.moves = append(b.moves, m)
	if b.wrong != "" {
		return
	}
	for _, legal := range b.position.ValidMoves() {
		if legal.String() == m {
			b.position = b.position.Update(legal)
			return
		}
	}
	b.wrong = b.position.Turn().String()
}

// act does what there is to do now, one command at a time.
func (b *bot) act() error {
	if b.end != nil || b.waits != "" || b.run == "" {
		return nil
	}
	claim := map[string]string{b.other: "time", "wb": "both_flags"}[b.flags]
	if b.wrong == b.other {
		claim = "illegal"
	}
	once := claim + strconv.Itoa(len(b.moves)) // whatever comes of it
	switch {
	case claim != "" && b.claimed != once:
		b.claimed = once
		return b.say(fields{"t": "claim", "claim": claim})
	case b.run != b.me:
		return nil
	case b.wrong != "":
		return b.say(fields{"t": "resign"}) // the claim was too late: where may the men go now?
	case b.pending != "": // the line was lost between
		return b.say(fields{"t": "press", "ply": len(b.moves)})
	}
	time.Sleep(b.think)
	legal := b.position.ValidMoves() // a side without any has ended the game
	return b.say(fields{"t": "move", "m": legal[rand.IntN(len(legal))].String(), "ply": len(b.moves), "press": true})
}
