package wire

import _ "embed"

// AsyncAPI is the published description of the protocol, an AsyncAPI 3 document in YAML.
//
//go:embed asyncapi.yaml
var AsyncAPI []byte
