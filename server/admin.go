package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"strings"
	"time"

	"flagfall/server/account"
	"flagfall/server/edge"
	"flagfall/server/store"
)

// adminTime bounds a command about accounts.
const adminTime = 30 * time.Second

// adminCommand is one thing that is done with accounts; words are those after its name.
type adminCommand struct {
	name, words string
	do          func(d *desk, ctx context.Context, words []string) error
}

func adminCommands() []adminCommand {
	return []adminCommand{
		{"list", "", (*desk).list},
		{"create", "NAME", (*desk).create},
		{"grant", "NAME ROLE", (*desk).grant},
		{"reset", "NAME", (*desk).reset},
		{"close", "NAME", func(d *desk, ctx context.Context, words []string) error { return d.setClosed(ctx, words[0], true) }},
		{"open", "NAME", func(d *desk, ctx context.Context, words []string) error { return d.setClosed(ctx, words[0], false) }},
	}
}

func adminUsage() []string {
	var all []string
	for _, c := range adminCommands() {
		all = append(all, strings.TrimSpace(c.name+" "+c.words))
	}
	return all
}

// admin does what needs no running server, and reaches running ones by the database that they have in common.
func admin(ctx context.Context, args, environ []string, out, errs io.Writer) int {
	s, words, err := readCommand(args, environ, out)
	if errors.Is(err, errHelp) {
		return 0
	}
	if err == nil {
		ctx, cancel := context.WithTimeout(ctx, adminTime)
		defer cancel()
		err = doAdmin(ctx, s, words, out)
	}
	if err != nil {
		fmt.Fprintln(errs, "flagfall: admin:", strings.ReplaceAll(err.Error(), "\n", "; "))
		return 1
	}
	return 0
}

func doAdmin(ctx context.Context, s settings, words []string, out io.Writer) error {
	if len(words) == 0 {
		return fmt.Errorf("want one of: %s", strings.Join(adminUsage(), ", "))
	}
	for _, c := range adminCommands() {
		if c.name != words[0] {
			continue
		}
		if len(words)-1 != len(strings.Fields(c.words)) {
			return fmt.Errorf("want: admin %s %s (a name of several words goes in quotes)", c.name, c.words)
		}
		d, err := openDesk(ctx, s, out)
		if err != nil {
			return err
		}
		return errors.Join(c.do(d, ctx, words[1:]), d.close())
	}
	return fmt.Errorf("%q: want one of: %s", words[0], strings.Join(adminUsage(), ", "))
}

// desk is where accounts are looked after from the command line.
type desk struct {
	members *account.Members
	store   *store.Store
	url     string
	out     io.Writer
}

func openDesk(ctx context.Context, s settings, out io.Writer) (*desk, error) {
	database := s.database()
	if !strings.Contains(database, ":") { // a file; a new one would have nobody in it
		if _, err := os.Stat(database); err != nil {
			return nil, fmt.Errorf("there is no database here yet (%w): start the server once, or say -data or -db", err)
		}
	}
	quiet := slog.New(slog.DiscardHandler)
	db, err := store.Open(ctx, database, store.Options{Log: quiet})
	if err != nil {
		return nil, err
	}
	d := &desk{store: db, url: deskURL(s), out: out}
	// No token is made here; what is revoked goes by the database.
	tokens, err := account.NewTokens(account.Config{Keys: account.MemoryKeys(), Audience: d.url})
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	d.members = account.OpenMembers(account.MembersConfig{Store: db, Tokens: tokens, Log: quiet})
	return d, nil
}

// deskURL is the public address of a server with the same settings.
func deskURL(s settings) string {
	_, port, err := net.SplitHostPort(s.addr)
	if err != nil || s.url != "" {
		return s.url // the settings have been checked
	}
	return "http://" + net.JoinHostPort("localhost", port)
}

func (d *desk) close() error {
	d.members.Close()
	return d.store.Close()
}

func (d *desk) find(ctx context.Context, name string) (account.Member, error) {
	m, err := d.members.Find(ctx, name)
	if errors.Is(err, account.ErrUnknownMember) {
		err = fmt.Errorf("there is no account %q", name)
	}
	return m, err
}

func (d *desk) list(ctx context.Context, _ []string) error {
	const page = 100
	for after := ""; ; {
		list, err := d.members.List(ctx, after, page)
		if err != nil {
			return err
		}
		for _, m := range list {
			fmt.Fprintf(d.out, "%-24s %-13s %s%s\n", m.Name, kindOf(m), m.Created.Format(time.DateOnly), closedSince(m))
			after = m.Name
		}
		if len(list) < page {
			return nil
		}
	}
}

func kindOf(m account.Member) string {
	if m.Bot() {
		return "bot"
	}
	return string(m.Role)
}

func closedSince(m account.Member) string {
	if m.Closed.IsZero() {
		return ""
	}
	return " closed " + m.Closed.Format(time.DateOnly)
}

// create makes an account and the link by which its owner chooses a password.
func (d *desk) create(ctx context.Context, words []string) error {
	m, err := d.members.Create(ctx, words[0])
	if err != nil {
		return err
	}
	return d.link(ctx, m)
}

func (d *desk) reset(ctx context.Context, words []string) error {
	m, err := d.find(ctx, words[0])
	if err != nil {
		return err
	}
	return d.link(ctx, m)
}

func (d *desk) link(ctx context.Context, m account.Member) error {
	code, until, err := d.members.NewReset(ctx, m.Person)
	if err != nil {
		return err
	}
	fmt.Fprintf(d.out, "%s%s%s\nGood once, until %s. Give it to %s and to nobody else.\n", d.url, edge.ResetPath, code, until.UTC().Format(time.RFC3339), m.Name)
	return nil
}

func (d *desk) grant(ctx context.Context, words []string) error {
	m, err := d.find(ctx, words[0])
	if err != nil {
		return err
	}
	role := account.Role(words[1])
	if err := d.members.SetRole(ctx, m.Person, role); errors.Is(err, account.ErrRole) {
		return fmt.Errorf("%q: want one of %v", words[1], account.Roles())
	} else if err != nil {
		return err
	}
	fmt.Fprintf(d.out, "%s is %s now.\n", m.Name, role)
	return nil
}

func (d *desk) setClosed(ctx context.Context, name string, closed bool) error {
	m, err := d.find(ctx, name)
	if err != nil {
		return err
	}
	if _, err := d.members.SetClosed(ctx, m.Person, closed); err != nil {
		return err
	}
	fmt.Fprintf(d.out, "The account of %s is %s now.\n", m.Name, map[bool]string{true: "closed", false: "open"}[closed])
	return nil
}
