package main

import (
	"context"
	"log/slog"
	"path/filepath"

	"flagfall/server/account"
)

// openTokens opens the keyset: that of the database where other nodes stand on it too, else a file in the data folder,
// whose keys go along when the server gets such a database. Revocations and members are in the database always.
func (h *house) openTokens(ctx context.Context, data string, log *slog.Logger) (_ *account.Tokens, err error) {
	file := account.NewKeyFile(filepath.Join(data, keyFile))
	var keys account.KeyStore = file
	if h.store.Shared() {
		keys = h.store
		moved, err := file.Move(ctx, keys)
		if err != nil {
			return nil, err
		}
		if moved {
			log.Info("the signing keys of the data folder are in the database now", "database", h.store)
		}
	}
	if h.keys, err = account.OpenKeys(ctx, account.KeysConfig{Store: keys, Log: log}); err != nil {
		return nil, err
	}
	if h.revocations, err = account.OpenRevocations(ctx, h.store, log); err != nil {
		return nil, err
	}
	tokens, err := account.NewTokens(account.Config{Keys: h.keys, Audience: h.url, Revocations: h.revocations})
	if err != nil {
		return nil, err
	}
	h.members = account.OpenMembers(account.MembersConfig{Store: h.store, Tokens: tokens, Log: log})
	return tokens, nil
}

func (h *house) closeTokens() {
	if h.members != nil {
		h.members.Close()
	}
	if h.keys != nil {
		h.keys.Close()
	}
	if h.revocations != nil {
		h.revocations.Close()
	}
}
