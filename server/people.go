package main

import (
	"context"
	"errors"
	"time"

	"flagfall/server/account"
	"flagfall/server/lobby"
	"flagfall/server/store"
	"flagfall/server/wire"
)

// people is the store as the lobby asks it.
type people struct{ *store.Store }

// Blocks implements lobby.People.
func (p people) Blocks(ctx context.Context, person string) ([]string, error) {
	list, err := p.Store.Blocks(ctx, person)
	return list, ofPeople(err)
}

// Blocked implements lobby.People.
func (p people) Blocked(ctx context.Context, person string) ([]account.Person, error) {
	found, err := p.Store.Blocked(ctx, person)
	var list []account.Person
	for _, one := range found {
		list = append(list, account.Person{ID: one.ID, Name: one.Name})
	}
	return list, ofPeople(err)
}

// Block implements lobby.People.
func (p people) Block(ctx context.Context, person, other string) error {
	return ofPeople(p.Store.Block(ctx, person, other, time.Now()))
}

// Unblock implements lobby.People.
func (p people) Unblock(ctx context.Context, person, other string) error {
	return ofPeople(p.Store.Unblock(ctx, person, other))
}

// Named implements lobby.People.
func (p people) Named(ctx context.Context, name string) (account.Person, error) {
	found, err := p.PersonNamed(ctx, name)
	if err != nil {
		return account.Person{}, ofPeople(err)
	}
	member, err := p.Member(ctx, found.ID)
	switch {
	case err == nil && !member.Closed.IsZero():
		return account.Person{}, lobby.ErrUnknownPerson
	case errors.Is(err, account.ErrUnknownMember):
		err = nil
	}
	return account.Person{ID: found.ID, Name: found.Name, Bot: member.Bot()}, ofPeople(err)
}

// ofPeople are the store's errors as the lobby tells them.
func ofPeople(err error) error {
	switch {
	case errors.Is(err, store.ErrNotFound):
		return lobby.ErrUnknownPerson
	case errors.Is(err, store.ErrTooManyBlocks):
		return wire.Refusef(wire.CodeTooMany, "You block %d people already; take one of them off the list first.", store.MaxBlocks)
	case errors.Is(err, store.ErrUnavailable):
		return wire.Refuse(wire.CodeUnavailable)
	}
	return err
}
