package edge

import _ "embed"

// OpenAPI is the published description of the HTTP API, an OpenAPI 3.1 document in YAML.
//
//go:embed openapi.yaml
var OpenAPI []byte
