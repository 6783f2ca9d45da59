-- +goose Up
CREATE TABLE signing_key (
    number BIGINT PRIMARY KEY, -- of two nodes that make the next key at once one finds it taken
    id     TEXT NOT NULL,
    seed   TEXT NOT NULL,      -- base64 of 32 bytes; secret
    signs  BIGINT NOT NULL     -- from when on; civil time, Unix ms, UTC
);

CREATE TABLE revocation (
    id     TEXT PRIMARY KEY,   -- of a session
    number BIGINT NOT NULL,    -- in the order of the commits
    until  BIGINT NOT NULL     -- its last token is out then; civil time, Unix ms, UTC
);

CREATE INDEX revocation_number ON revocation (number);
CREATE INDEX revocation_until ON revocation (until);

-- One row: the last number given. Who holds it is the only one that adds a revocation.
CREATE TABLE revocation_count (last BIGINT NOT NULL);
INSERT INTO revocation_count (last) VALUES (0);

-- +goose Down
DROP TABLE revocation_count;
DROP TABLE revocation;
DROP TABLE signing_key;
