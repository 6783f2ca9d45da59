-- +goose Up
-- Clubs, and who is in them.
CREATE TABLE club (
    name    TEXT PRIMARY KEY, -- in addresses
    title   TEXT NOT NULL,
    about   TEXT NOT NULL,
    created BIGINT NOT NULL   -- civil time, Unix ms, UTC
);

CREATE TABLE club_member (
    club   TEXT NOT NULL,
    person TEXT NOT NULL,
    role   TEXT NOT NULL,     -- member, arbiter, organiser or owner
    since  BIGINT NOT NULL,   -- civil time, Unix ms, UTC
    PRIMARY KEY (club, person)
);

CREATE INDEX club_member_person ON club_member (person, club);

-- +goose Down
DROP TABLE club_member;
DROP TABLE club;
