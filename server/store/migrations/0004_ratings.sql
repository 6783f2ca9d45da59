-- +goose Up
ALTER TABLE game ADD COLUMN rating TEXT NOT NULL DEFAULT '';         -- the kind it may count for: wbca, uscf, cca, fide; '' is casual
ALTER TABLE game ADD COLUMN rating_number BIGINT;                    -- of one that may count: the order in which ratings change
ALTER TABLE game ADD COLUMN counts BOOLEAN NOT NULL DEFAULT FALSE;   -- as it ended, it does

CREATE INDEX game_ended ON game (ended, id);
CREATE INDEX game_rules ON game (rules, ended, id);
CREATE INDEX game_counts ON game (ended, id) WHERE counts;
CREATE INDEX game_pair ON game (white, black, ended, id);
CREATE INDEX game_white_tally ON game (white, black, rules, counts, result);
CREATE INDEX game_black_tally ON game (black, white, rules, counts, result);
CREATE INDEX game_rating_order ON game (rating, rating_number);

-- What somebody is rated now.
CREATE TABLE rating (
    person     TEXT NOT NULL,
    kind       TEXT NOT NULL,
    rating     DOUBLE PRECISION NOT NULL,
    deviation  DOUBLE PRECISION NOT NULL, -- after his last rated game
    volatility DOUBLE PRECISION NOT NULL,
    games      BIGINT NOT NULL,
    last       BIGINT NOT NULL,           -- end of his last rated game; civil time, Unix ms, UTC
    settled    BIGINT NOT NULL,           -- until then he is not provisional, 0 if he is; civil time, Unix ms, UTC
    PRIMARY KEY (person, kind)
);

CREATE INDEX rating_leaders ON rating (kind, rating, person) WHERE settled > 0;

-- What a game did to the rating of one of its players.
CREATE TABLE rating_change (
    game             TEXT NOT NULL,
    person           TEXT NOT NULL,
    kind             TEXT NOT NULL,
    number           BIGINT NOT NULL,           -- the game's rating_number
    ended            BIGINT NOT NULL,           -- civil time, Unix ms, UTC
    before           DOUBLE PRECISION NOT NULL,
    before_deviation DOUBLE PRECISION NOT NULL, -- grown until the game
    rating           DOUBLE PRECISION NOT NULL,
    deviation        DOUBLE PRECISION NOT NULL,
    volatility       DOUBLE PRECISION NOT NULL,
    games            BIGINT NOT NULL,           -- his rated games of the kind, with this one
    last             BIGINT NOT NULL,           -- the latest end of these; civil time, Unix ms, UTC
    PRIMARY KEY (game, person)
);

CREATE INDEX rating_change_person ON rating_change (person, kind, number);

-- One row: the last number given to a game that may count, a correction or a re-rating. Who holds it is the only one that
-- changes ratings.
CREATE TABLE rating_count (last BIGINT NOT NULL);
INSERT INTO rating_count (last) VALUES (0);

-- Results that were changed after the game. The record of the game keeps what happened.
CREATE TABLE correction (
    number        BIGINT PRIMARY KEY,
    game          TEXT NOT NULL,
    result_before TEXT NOT NULL,
    reason_before TEXT NOT NULL,
    rule_before   TEXT NOT NULL,
    counts_before BOOLEAN NOT NULL,
    result        TEXT NOT NULL,
    counts        BOOLEAN NOT NULL,
    by_whom       TEXT NOT NULL,
    why           TEXT NOT NULL,
    at            BIGINT NOT NULL, -- civil time, Unix ms, UTC
    rerating      BIGINT           -- that follows from it; null if no rating changes
);

CREATE INDEX correction_game ON correction (game, number);
CREATE INDEX correction_rerating ON correction (rerating);

-- Ratings that are computed again from a corrected game on.
CREATE TABLE rerating (
    number   BIGINT PRIMARY KEY,
    kind     TEXT NOT NULL,
    next     BIGINT NOT NULL, -- games before this rating_number are done
    asked    BIGINT NOT NULL, -- civil time, Unix ms, UTC
    finished BIGINT,          -- the same; null while the old ratings are shown
    games    BIGINT NOT NULL, -- that were rated again
    people   BIGINT NOT NULL  -- whose rating was computed again; known at the end
);

CREATE INDEX rerating_open ON rerating (number) WHERE finished IS NULL;

-- Everybody whom a re-rating touches, with the rating as far as it has come. It stays, as the trace of what was changed.
CREATE TABLE rerating_person (
    rerating   BIGINT NOT NULL,
    person     TEXT NOT NULL,
    rating     DOUBLE PRECISION NOT NULL,
    deviation  DOUBLE PRECISION NOT NULL,
    volatility DOUBLE PRECISION NOT NULL,
    games      BIGINT NOT NULL,
    last       BIGINT NOT NULL,
    settled    BIGINT NOT NULL,
    before     DOUBLE PRECISION, -- what was shown until the end; null if he was not rated
    PRIMARY KEY (rerating, person)
);

CREATE INDEX rerating_person_person ON rerating_person (person, rerating);

-- The new rows of rating_change, until the end.
CREATE TABLE rerating_change (
    rerating         BIGINT NOT NULL,
    game             TEXT NOT NULL,
    person           TEXT NOT NULL,
    number           BIGINT NOT NULL,
    ended            BIGINT NOT NULL,
    before           DOUBLE PRECISION NOT NULL,
    before_deviation DOUBLE PRECISION NOT NULL,
    rating           DOUBLE PRECISION NOT NULL,
    deviation        DOUBLE PRECISION NOT NULL,
    volatility       DOUBLE PRECISION NOT NULL,
    games            BIGINT NOT NULL,
    last             BIGINT NOT NULL,
    PRIMARY KEY (rerating, game, person)
);

-- Games whose rows of rating_change go at the end, since they no longer count.
CREATE TABLE rerating_gone (
    rerating BIGINT NOT NULL,
    game     TEXT NOT NULL,
    PRIMARY KEY (rerating, game)
);

-- +goose Down
DROP TABLE rerating_gone;
DROP TABLE rerating_change;
DROP TABLE rerating_person;
DROP TABLE rerating;
DROP TABLE correction;
DROP TABLE rating_count;
DROP TABLE rating_change;
DROP TABLE rating;
DROP INDEX game_rating_order;
DROP INDEX game_black_tally;
DROP INDEX game_white_tally;
DROP INDEX game_pair;
DROP INDEX game_counts;
DROP INDEX game_rules;
DROP INDEX game_ended;
ALTER TABLE game DROP COLUMN counts;
ALTER TABLE game DROP COLUMN rating_number;
ALTER TABLE game DROP COLUMN rating;
