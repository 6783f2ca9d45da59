// Package wiretest holds traffic against the published description of the protocol (asyncapi.yaml).
package wiretest

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"

	"flagfall/server/wire"
)

// Checker validates single messages. Safe for concurrent use.
type Checker struct {
	// Document is the whole description, as encoding/json would give it.
	Document map[string]any
	client   map[string]*jsonschema.Schema // by t
	server   map[string]*jsonschema.Schema
}

// New compiles the schemas of every message.
func New() (*Checker, error) {
	var tree any
	if err := yaml.Unmarshal(wire.AsyncAPI, &tree); err != nil {
		return nil, fmt.Errorf("asyncapi.yaml: %w", err)
	}
	text, err := json.Marshal(tree)
	if err != nil {
		return nil, fmt.Errorf("asyncapi.yaml: %w", err)
	}
	plain, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("asyncapi.yaml: %w", err)
	}
	c := &Checker{Document: plain.(map[string]any)}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft7)
	if err := compiler.AddResource("asyncapi.json", plain); err != nil {
		return nil, err
	}
	if c.client, err = c.compile(compiler, "fromClient"); err != nil {
		return nil, err
	}
	c.server, err = c.compile(compiler, "fromServer")
	return c, err
}

// compile follows an operation to the schemas of its messages.
func (c *Checker) compile(compiler *jsonschema.Compiler, operation string) (map[string]*jsonschema.Schema, error) {
	out := map[string]*jsonschema.Schema{}
	list, ok := c.Lookup("operations", operation, "messages").([]any)
	if !ok {
		return nil, fmt.Errorf("asyncapi.yaml: no operation %s", operation)
	}
	for _, ref := range list {
		payload, err := c.payload(ref)
		if err != nil {
			return nil, err
		}
		schema, err := compiler.Compile("asyncapi.json#" + payload)
		if err != nil {
			return nil, err
		}
		node, _ := c.follow(payload).(map[string]any)
		t, _ := lookup(node, "properties", "t", "const").(string)
		if t == "" || out[t] != nil {
			return nil, fmt.Errorf("asyncapi.yaml: %s: t %q is missing or there twice", payload, t)
		}
		out[t] = schema
	}
	return out, nil
}

// payload is the path of the schema of an operation's message: by the channel's message to the component's.
func (c *Checker) payload(ref any) (string, error) {
	for range 2 {
		path, ok := lookup(ref, "$ref").(string)
		if !ok {
			return "", fmt.Errorf("asyncapi.yaml: %v is no reference", ref)
		}
		ref = c.follow(path[1:])
	}
	path, ok := lookup(ref, "payload", "$ref").(string)
	if !ok {
		return "", fmt.Errorf("asyncapi.yaml: %v has no payload", ref)
	}
	return path[1:], nil
}

// follow finds a path such as /components/schemas/Move.
func (c *Checker) follow(path string) any {
	var node any = c.Document
	for _, name := range bytes.Split([]byte(path), []byte("/"))[1:] {
		node = lookup(node, string(name))
	}
	return node
}

// Lookup finds a node by names, nil where there is none.
func (c *Checker) Lookup(names ...string) any { return lookup(c.Document, names...) }

func lookup(node any, names ...string) any {
	for _, name := range names {
		m, ok := node.(map[string]any)
		if !ok {
			return nil
		}
		node = m[name]
	}
	return node
}

// Client checks a frame of a client.
func (c *Checker) Client(frame []byte) error { return check(c.client, frame) }

// Server checks a frame of the server.
func (c *Checker) Server(frame []byte) error { return check(c.server, frame) }

func check(schemas map[string]*jsonschema.Schema, frame []byte) error {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(frame))
	if err != nil {
		return err
	}
	t, _ := lookup(value, "t").(string)
	schema := schemas[t]
	if schema == nil {
		return fmt.Errorf("the message %q is not described", t)
	}
	if err := schema.Validate(value); err != nil {
		return fmt.Errorf("%s: %w", frame, err)
	}
	return nil
}
