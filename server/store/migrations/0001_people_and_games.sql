-- +goose Up
CREATE TABLE person (
    id        TEXT PRIMARY KEY,
    name      TEXT NOT NULL,
    guest     BOOLEAN NOT NULL,
    created   BIGINT NOT NULL, -- civil time, Unix ms, UTC
    last_seen BIGINT NOT NULL
);

CREATE TABLE game (
    id         TEXT PRIMARY KEY,
    white      TEXT NOT NULL,   -- a person's id
    white_name TEXT NOT NULL,   -- as it was then
    black      TEXT NOT NULL,
    black_name TEXT NOT NULL,
    rules      TEXT NOT NULL,   -- wbca
    mode       TEXT NOT NULL,   -- board or fast
    base       BIGINT NOT NULL, -- ms for each side
    result     TEXT NOT NULL,   -- 1-0, 0-1, 1/2-1/2 or * (void)
    reason     TEXT NOT NULL,
    rule       TEXT NOT NULL,
    started    BIGINT NOT NULL, -- civil time, Unix ms, UTC
    ended      BIGINT NOT NULL,
    plies      BIGINT NOT NULL,
    record     TEXT NOT NULL    -- JSON of the whole game
);

CREATE INDEX game_white ON game (white, ended, id);
CREATE INDEX game_black ON game (black, ended, id);

-- +goose Down
DROP TABLE game;
DROP TABLE person;
