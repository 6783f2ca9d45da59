// Package apitest holds HTTP answers against the published description of the API (openapi.yaml).
package apitest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"
	"github.com/pb33f/libopenapi-validator/config"
	problems "github.com/pb33f/libopenapi-validator/errors"
	v3 "github.com/pb33f/libopenapi/datamodel/high/v3"
)

// Checker validates answers. Safe for concurrent use.
type Checker struct {
	model *v3.Document
	valid validator.Validator
}

// New reads an OpenAPI 3.1 document, which must be a good one.
func New(document []byte) (*Checker, error) {
	doc, err := libopenapi.NewDocument(document)
	if err != nil {
		return nil, err
	}
	built, err := doc.BuildV3Model()
	if err != nil {
		return nil, err
	}
	valid, errs := validator.NewValidator(doc, config.WithFormatAssertions(), config.WithoutSecurityValidation())
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	if good, found := valid.ValidateDocument(); !good {
		return nil, joined(found)
	}
	return &Checker{model: &built.Model, valid: valid}, nil
}

// Routes lists what is described, as "GET /api/me", in order.
func (c *Checker) Routes() []string {
	var all []string
	for path, item := range c.model.Paths.PathItems.FromOldest() {
		for method := range item.GetOperations().FromOldest() {
			all = append(all, strings.ToUpper(method)+" "+path)
		}
	}
	slices.Sort(all)
	return all
}

// Answer holds an answer against the description: its address, method, status, kind and body. What is no address of the
// server, or is asked by another method, is to be answered with a problem.
func (c *Checker) Answer(r *http.Request, res *http.Response, body []byte) error {
	asked := r.Clone(r.Context())
	if asked.Method == http.MethodHead {
		if len(body) > 0 {
			return fmt.Errorf("HEAD %s: a body of %d bytes", r.URL.Path, len(body))
		}
		return nil
	}
	if res.StatusCode == http.StatusMethodNotAllowed || res.StatusCode == http.StatusNotFound && !c.known(r) {
		return problem(res, body)
	}
	got := *res
	got.Body = io.NopCloser(bytes.NewReader(body))
	if good, found := c.valid.ValidateHttpResponse(asked, &got); !good {
		return fmt.Errorf("%s %s: %d %.300s: %w", r.Method, r.URL.Path, res.StatusCode, body, joined(found))
	}
	return nil
}

// known tells whether an address is described.
func (c *Checker) known(r *http.Request) bool {
	for path := range c.model.Paths.PathItems.KeysFromOldest() {
		if matches(path, r.URL.Path) {
			return true
		}
	}
	return false
}

func matches(path, address string) bool {
	a, b := strings.Split(path, "/"), strings.Split(address, "/")
	return slices.EqualFunc(a, b, func(want, got string) bool { return want == got || strings.HasPrefix(want, "{") })
}

// Request tells whether a request is one of the described.
func (c *Checker) Request(r *http.Request) error {
	if good, found := c.valid.ValidateHttpRequest(r); !good {
		return fmt.Errorf("%s %s: %w", r.Method, r.URL.Path, joined(found))
	}
	return nil
}

func joined(found []*problems.ValidationError) error {
	var all []error
	for _, one := range found {
		err := fmt.Errorf("%s: %s", one.Message, one.Reason)
		for _, detail := range one.SchemaValidationErrors {
			err = fmt.Errorf("%w; %s %s", err, detail.FieldPath, detail.Reason)
		}
		all = append(all, err)
	}
	return errors.Join(all...)
}

func problem(res *http.Response, body []byte) error {
	if strings.HasPrefix(res.Header.Get("Content-Type"), "text/html") { // the client's own page, for a browser
		return nil
	}
	var p struct {
		Type, Title, Detail, Code string
		Status                    int
	}
	if err := json.Unmarshal(body, &p); err != nil {
		return err
	}
	if res.Header.Get("Content-Type") != "application/problem+json" || p.Status != res.StatusCode || p.Type == "" || p.Title == "" || p.Detail == "" || p.Code == "" {
		return fmt.Errorf("%d %s is no problem document", res.StatusCode, body)
	}
	return nil
}
