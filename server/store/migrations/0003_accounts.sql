-- +goose Up
ALTER TABLE person ADD COLUMN bot BOOLEAN NOT NULL DEFAULT FALSE;

-- Who has a name, or anything that looks like it. A row stays for ever: a name is not given away again.
CREATE TABLE taken_name (
    skeleton TEXT PRIMARY KEY, -- account.Skeleton
    person   TEXT NOT NULL     -- '' when the account is deleted
);

CREATE TABLE account (
    person   TEXT PRIMARY KEY,
    skeleton TEXT NOT NULL,   -- of the name
    password TEXT NOT NULL,   -- argon2id as a PHC string; '' for none
    role     TEXT NOT NULL,   -- player, organiser, arbiter or administrator
    owner    TEXT NOT NULL,   -- of a bot: the person it belongs to; else ''
    created  BIGINT NOT NULL, -- civil time, Unix ms, UTC
    closed   BIGINT NOT NULL  -- by an administrator; 0 while it is open
);

CREATE INDEX account_skeleton ON account (skeleton);
CREATE INDEX account_owner ON account (owner, skeleton);

-- Clubs' own sign-in: who he is elsewhere.
CREATE TABLE identity (
    provider TEXT NOT NULL,   -- the issuer
    subject  TEXT NOT NULL,   -- his id there
    person   TEXT NOT NULL,
    created  BIGINT NOT NULL,
    PRIMARY KEY (provider, subject)
);

CREATE INDEX identity_person ON identity (person);

-- Sessions of accounts; those of guests are nowhere.
CREATE TABLE login (
    id      TEXT PRIMARY KEY,
    person  TEXT NOT NULL,
    api_key TEXT NOT NULL,    -- that it was made from, or ''
    created BIGINT NOT NULL,
    seen    BIGINT NOT NULL,
    until   BIGINT NOT NULL
);

CREATE INDEX login_person ON login (person, created, id);

CREATE TABLE api_key (
    id      TEXT PRIMARY KEY,
    hash    TEXT NOT NULL,    -- SHA-256 in hexadecimal
    person  TEXT NOT NULL,    -- a bot
    created BIGINT NOT NULL
);

CREATE INDEX api_key_hash ON api_key (hash);
CREATE INDEX api_key_person ON api_key (person, created, id);

CREATE TABLE password_reset (
    person TEXT PRIMARY KEY,
    hash   TEXT NOT NULL,     -- SHA-256 in hexadecimal
    until  BIGINT NOT NULL
);

CREATE INDEX password_reset_hash ON password_reset (hash);

-- Deleted persons whose games may have their name.
CREATE TABLE erasure (
    person TEXT PRIMARY KEY,
    asked  BIGINT NOT NULL
);

-- +goose Down
DROP TABLE erasure;
DROP TABLE password_reset;
DROP TABLE api_key;
DROP TABLE login;
DROP TABLE identity;
DROP TABLE account;
DROP TABLE taken_name;
ALTER TABLE person DROP COLUMN bot;
