-- +goose Up
-- Who wants to have nothing to do with whom: the two are neither paired nor may one challenge the other.
CREATE TABLE block (
    person  TEXT NOT NULL,
    blocked TEXT NOT NULL,
    at      BIGINT NOT NULL, -- civil time, Unix ms, UTC
    PRIMARY KEY (person, blocked)
);

CREATE INDEX block_blocked ON block (blocked, person);

-- +goose Down
DROP TABLE block;
