package host

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"strings"

	"golang.org/x/text/unicode/norm"

	"flagfall/server/account"
	"flagfall/server/arena"
	"flagfall/server/wire"
)

// Create makes an event; by is its organiser.
func (h *Host) Create(ctx context.Context, by account.Person, body json.RawMessage) (string, error) {
	if by.ID == "" || by.Guest {
		return "", wire.Refuse(wire.CodeAccountNeeded)
	}
	var p struct {
		Event    string          `json:"event"`
		Club     string          `json:"club"`
		Password string          `json:"password"`
		Settings json.RawMessage `json:"settings"`
	}
	if err := json.Unmarshal(body, &p); err != nil {
		return "", badMessage("The request is not of the described form: %v.", err)
	}
	set, err := settings(p.Settings)
	if err != nil {
		return "", err
	}
	first := arena.Create{By: by.ID, Salt: letters(10), Settings: set, Civil: h.cfg.Civil().UnixMilli(), Link: letters(20), Screen: letters(20),
		Club: p.Club, Names: map[string]string{by.ID: by.Name}}
	var arbiters []account.Person
	if p.Club != "" {
		if arbiters, err = h.ofClub(ctx, p.Club, by); err != nil {
			return "", err
		}
	}
	if set.Access == arena.ByPassword || p.Password != "" {
		if first.Hash, err = h.hash(ctx, p.Password); err != nil {
			return "", err
		}
	}
	if first.Name, err = h.reserve(ctx, p.Event, first); err != nil {
		return "", err
	}
	if err := h.cfg.Open(ctx, first.Name, first); err != nil {
		return "", said(err)
	}
	if err := h.propose(ctx, first, arbiters); err != nil { // its organiser can name them himself
		h.cfg.Log.Warn("a club's arbiters were not named", "event", first.Name, "club", p.Club, "err", err)
	}
	return first.Name, nil
}

// settings are those of a request over the defaults of its format.
func settings(body json.RawMessage) (arena.Settings, error) {
	var of struct {
		Format arena.Format `json:"format"`
	}
	if err := json.Unmarshal(body, &of); err != nil {
		return arena.Settings{}, wire.Refusef(wire.CodeBadSettings, "The settings are not of the described form: %v.", err)
	}
	if of.Format == "" {
		of.Format = arena.Arena
	}
	set := arena.Defaults(of.Format)
	if err := readSettings(body, &set); err != nil {
		return set, err
	}
	return set, said(set.Check())
}

func (h *Host) ofClub(ctx context.Context, club string, by account.Person) ([]account.Person, error) {
	if h.cfg.Club == nil {
		return nil, wire.Refuse(wire.CodeUnknownClub)
	}
	may, arbiters, err := h.cfg.Club(ctx, club, by.ID)
	if err == nil && !may {
		err = wire.Refusef(wire.CodeForbidden, "A club's events are made by its organisers.")
	}
	return arbiters, err
}

// propose makes a club's arbiters those of its event.
func (h *Host) propose(ctx context.Context, first arena.Create, arbiters []account.Person) error {
	if len(arbiters) == 0 {
		return nil
	}
	var named []string
	for _, a := range arbiters {
		named = append(named, a.Name)
	}
	body, err := json.Marshal(map[string]any{"do": "staff", "organisers": []string{first.Names[first.By]}, "arbiters": named[:min(len(named), mostStaff)]})
	if err != nil {
		return err
	}
	_, err = h.Answer(ctx, first.Name, account.Person{ID: first.By}, "", "act", body)
	return err
}

// reserve takes a name in the database, before there is an event. Without a wish it is made from the title.
func (h *Host) reserve(ctx context.Context, wish string, first arena.Create) (string, error) {
	if wish != "" && !wire.FreeEvent(wish) {
		return "", badMessage(`The field "event" must have 3 to 40 of a-z, 0-9 and -, and begin with a letter or digit.`)
	}
	const tries = 4
	for range tries {
		name := wish
		if name == "" {
			name = slug(first.Settings.Name) + letters(4)
		}
		set := &first.Settings
		row := Row{Stage: "draft", Organiser: first.By, Made: h.cfg.Civil(), Listed: Listed{
			Event: name, Name: set.Name, Phase: arena.Draft.String(), Format: string(set.Format), Starts: set.StartAt, Club: first.Club,
			Rated: set.Rated, Access: string(set.Access), Terms: termsOf(set)}}
		added, err := h.cfg.Shelf.Add(ctx, row)
		if err == nil && !added && wish != "" {
			added, err = h.unmade(ctx, wish, first.By)
		}
		if err != nil || added {
			return name, err
		}
		if wish != "" {
			return "", wire.Refusef(wire.CodeNameTaken, "There is an event at this address already.")
		}
	}
	return "", errors.New("no name for an event is free")
}

// unmade tells whether a name was reserved by the same person for an event that never came to be.
func (h *Host) unmade(ctx context.Context, name, by string) (bool, error) {
	row, err := h.cfg.Shelf.Row(ctx, name)
	if err != nil || row.Organiser != by || row.Dump != nil {
		return false, err
	}
	_, err = h.cfg.Ask(ctx, Question{Event: name, What: "page", By: account.Person{ID: by}})
	if errors.Is(err, ErrUnknownEvent) {
		return true, nil
	}
	return false, err
}

// OpenHere makes an event at this node.
func (h *Host) OpenHere(ctx context.Context, name string, first arena.Create) error {
	return h.cfg.Hall.Create(ctx, ID(name), first)
}

// List lists the events that anybody may find.
func (h *Host) List(ctx context.Context, q ListQuery) ([]Listed, error) {
	const most = 100
	return h.cfg.Shelf.List(ctx, q, most)
}

// slug is a title as an address may have it, with a hyphen behind it, or nothing.
func slug(title string) string {
	var out strings.Builder
	for _, r := range norm.NFD.String(strings.ToLower(title)) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			out.WriteRune(r)
		case r >= 0x300 && r < 0x370: // marks over letters
		case out.Len() > 0 && !strings.HasSuffix(out.String(), "-"):
			out.WriteByte('-')
		}
		if out.Len() >= 30 {
			break
		}
	}
	text := strings.Trim(out.String(), "-")
	if text == "" {
		return ""
	}
	return text + "-"
}

// letters are n random small letters and digits, 26 at most.
func letters(n int) string { return strings.ToLower(rand.Text()[:n]) }
