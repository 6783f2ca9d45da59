package edge

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"flagfall/server/account"
	"flagfall/server/store"
	"flagfall/server/wire"
)

// problem is a problem document (RFC 9457) with the code of the error.
type problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail"`
	Code   string `json:"code"`
}

// statuses of the codes that HTTP answers use; any other refusal is a 409.
var statuses = map[string]int{
	wire.CodeBadMessage:       http.StatusBadRequest,
	wire.CodeUnauthorized:     http.StatusUnauthorized,
	wire.CodeForbiddenOrigin:  http.StatusForbidden,
	wire.CodeNotFound:         http.StatusNotFound,
	wire.CodeUnknownGame:      http.StatusNotFound,
	wire.CodeUnknownInvite:    http.StatusNotFound,
	wire.CodeMethodNotAllowed: http.StatusMethodNotAllowed,
	wire.CodeTooLarge:         http.StatusRequestEntityTooLarge,
	wire.CodeUnsupportedMedia: http.StatusUnsupportedMediaType,
	wire.CodeTooMany:          http.StatusTooManyRequests,
	wire.CodeUnavailable:      http.StatusServiceUnavailable,
	wire.CodeServerInternal:   http.StatusInternalServerError,
	wire.CodeBadName:          http.StatusBadRequest,
	wire.CodeBadPassword:      http.StatusBadRequest,
	wire.CodeWrongPassword:    http.StatusForbidden,
	wire.CodeAccountNeeded:    http.StatusForbidden,
	wire.CodeAccountClosed:    http.StatusForbidden,
	wire.CodeForbidden:        http.StatusForbidden,
	wire.CodeUnknownPerson:    http.StatusNotFound,
	wire.CodeUnknownLink:      http.StatusNotFound,

	wire.CodeBadSettings:   http.StatusBadRequest,
	wire.CodeBadResult:     http.StatusBadRequest,
	wire.CodeBadBell:       http.StatusBadRequest,
	wire.CodeBadRoster:     http.StatusBadRequest,
	wire.CodeNeedsReason:   http.StatusBadRequest,
	wire.CodeUnknownEvent:  http.StatusNotFound,
	wire.CodeUnknownEntry:  http.StatusNotFound,
	wire.CodeUnknownReport: http.StatusNotFound,
	wire.CodeBadRuling:     http.StatusBadRequest,
	wire.CodeUnknownLine:   http.StatusNotFound,
	wire.CodeUnknownClub:   http.StatusNotFound,
	wire.CodeBarred:        http.StatusForbidden,
	wire.CodeNoGuests:      http.StatusForbidden,
	wire.CodeOwnGame:       http.StatusForbidden,
	wire.CodeHushed:        http.StatusForbidden,
}

// refusals of errors of accounts and clubs.
var refusals = []struct {
	err  error
	code string
}{
	{account.ErrNameTaken, wire.CodeNameTaken}, {account.ErrRegistered, wire.CodeRegistered}, {account.ErrCredentials, wire.CodeWrongPassword},
	{account.ErrClosed, wire.CodeAccountClosed}, {account.ErrUnknownMember, wire.CodeUnknownPerson}, {account.ErrUnknownKey, wire.CodeNotFound},
	{account.ErrResetCode, wire.CodeUnknownLink}, {account.ErrLastAdmin, wire.CodeLastAdmin}, {account.ErrTooMany, wire.CodeNoMore},
	{account.ErrSessionEnded, wire.CodeUnauthorized}, {account.ErrRole, wire.CodeBadMessage}, {account.ErrBot, wire.CodeNotForBots},
	{account.ErrForbidden, wire.CodeForbidden}, {account.ErrBusy, wire.CodeUnavailable},
	{store.ErrNoClub, wire.CodeUnknownClub}, {store.ErrLastOwner, wire.CodeLastOwner}, {store.ErrClubRights, wire.CodeForbidden},
}

// sayings are errors that need words of their own.
var sayings = []struct {
	err        error
	code, text string
}{
	{store.ErrClubTaken, wire.CodeNameTaken, "There is a club of this name already."},
	{store.ErrNotInClub, wire.CodeUnknownPerson, "This person is not in the club."},
	{store.ErrClubFull, wire.CodeNoMore, "The club has as many members as a club can have."},
	{store.ErrClubsOwned, wire.CodeNoMore, "You own as many clubs as one person can own."},
}

// refusalOf is what an error of accounts and clubs says to people, nil for any other error.
func refusalOf(err error) *wire.Refusal {
	switch {
	case errors.Is(err, account.ErrName):
		return wire.Refusef(wire.CodeBadName, "%v", err)
	case errors.Is(err, account.ErrPassword):
		return wire.Refusef(wire.CodeBadPassword, "%v", err)
	}
	for _, one := range sayings {
		if errors.Is(err, one.err) {
			return wire.Refusef(one.code, "%s", one.text)
		}
	}
	for _, one := range refusals {
		if errors.Is(err, one.err) {
			return wire.Refuse(one.code)
		}
	}
	return nil
}

// refuse answers with a problem document. An error that is no refusal is logged and becomes `internal`.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, err error) {
	var refusal *wire.Refusal
	switch {
	case errors.As(err, &refusal):
	case refusalOf(err) != nil:
		refusal = refusalOf(err)
	case errors.Is(err, store.ErrUnavailable): // the store raises the alarm
		s.log.Warn("request refused", "method", r.Method, "path", r.URL.Path, "err", err)
		refusal = wire.Refusef(wire.CodeUnavailable, "The database does not answer; try again in a moment.")
	default:
		s.log.Error("request failed", "method", r.Method, "path", r.URL.Path, "err", err)
		refusal = wire.Refuse(wire.CodeServerInternal)
		if errors.Is(err, context.DeadlineExceeded) {
			refusal = wire.Refuse(wire.CodeUnavailable)
		}
	}
	status := statuses[refusal.Code]
	if status == 0 {
		status = http.StatusConflict
	}
	switch status {
	case http.StatusUnauthorized:
		w.Header().Set("WWW-Authenticate", `Bearer realm="flagfall"`)
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		if w.Header().Get("Retry-After") == "" {
			w.Header().Set("Retry-After", "2")
		}
	}
	writeJSON(w, status, "application/problem+json", problem{
		Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: refusal.Msg, Code: refusal.Code,
	})
}

func writeJSON(w http.ResponseWriter, status int, contentType string, body any) {
	data, err := json.Marshal(body)
	if err != nil {
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", contentType)
	h.Set("Content-Length", strconv.Itoa(len(data)))
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	w.Write(data)
}
