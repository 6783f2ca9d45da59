-- +goose Up
-- Arenas and round robins: what lists show of them, and what is known of them as of their last edition.
CREATE TABLE event (
    name      TEXT PRIMARY KEY,           -- in addresses
    title     TEXT NOT NULL,
    phase     TEXT NOT NULL,
    stage     TEXT NOT NULL,              -- draft, open, running, past, cancelled
    format    TEXT NOT NULL,
    access    TEXT NOT NULL,              -- '' public, link, password
    club      TEXT NOT NULL,              -- '' none
    organiser TEXT NOT NULL,              -- who made it: a person's id
    starts    BIGINT NOT NULL,            -- civil time, Unix ms, UTC; 0 not known
    bell      BIGINT NOT NULL,            -- the same
    players   BIGINT NOT NULL,
    terms     TEXT NOT NULL,              -- JSON, as lists show them
    rated     BOOLEAN NOT NULL,
    made      BIGINT NOT NULL,            -- civil time, Unix ms, UTC
    edition   BIGINT NOT NULL,            -- of what is kept; 0 nothing yet
    dump      TEXT NOT NULL               -- JSON
);

CREATE INDEX event_stage ON event (stage, made, name) WHERE access <> 'link';
CREATE INDEX event_club ON event (club, made, name) WHERE access <> 'link' AND club <> '';

-- Whose names are in what is kept of which event.
CREATE TABLE event_person (
    person TEXT NOT NULL,
    event  TEXT NOT NULL,
    PRIMARY KEY (person, event)
);

-- +goose Down
DROP TABLE event_person;
DROP TABLE event;
