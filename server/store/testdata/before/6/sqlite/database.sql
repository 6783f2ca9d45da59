PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE goose_db_version (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		version_id INTEGER NOT NULL,
		is_applied INTEGER NOT NULL,
		tstamp TIMESTAMP DEFAULT (datetime('now'))
	);
INSERT INTO goose_db_version VALUES(1,0,1,'2026-11-30 22:36:30');
INSERT INTO goose_db_version VALUES(2,1,1,'2026-11-30 22:36:30');
INSERT INTO goose_db_version VALUES(3,2,1,'2026-11-30 22:36:30');
INSERT INTO goose_db_version VALUES(4,3,1,'2026-11-30 22:36:30');
INSERT INTO goose_db_version VALUES(5,4,1,'2026-11-30 22:36:30');
INSERT INTO goose_db_version VALUES(6,5,1,'2026-11-30 22:36:30');
INSERT INTO goose_db_version VALUES(7,6,1,'2026-11-30 22:36:30');
CREATE TABLE person (
    id        TEXT PRIMARY KEY,
    name      TEXT NOT NULL,
    guest     BOOLEAN NOT NULL,
    created   BIGINT NOT NULL, -- civil time, Unix ms, UTC
    last_seen BIGINT NOT NULL
, bot BOOLEAN NOT NULL DEFAULT FALSE);
INSERT INTO person VALUES('F8HQFWS5ZETAH7T5','Guest RGPW',1,1796078190000,1796078190000,0);
INSERT INTO person VALUES('B3LZ64EGAXXEYCYH','Guest 5EWY',1,1796078190000,1796078190000,0);
INSERT INTO person VALUES('XK35XU9XHYUUFSJD','Guest GJCW',1,1796078190000,1796078190000,0);
INSERT INTO person VALUES('WGWKQVLNTF92Y3VL','Guest G7MF',1,1796078190000,1796078190000,0);
INSERT INTO person VALUES('7JU8NYRDPSMAGKCY','Guest S8ZQ',1,1796078190000,1796078190000,0);
INSERT INTO person VALUES('W6KKSPMPVWAULCJU','Guest BJBQ',1,1796078190000,1796078190000,0);
INSERT INTO person VALUES('2WCQ3KZLW2Y5V4C6','Guest 9337',1,1796078190000,1796078190000,0);
INSERT INTO person VALUES('DYS7EBZGZWFUH4RL','Guest P63G',1,1796078190000,1796078190000,0);
INSERT INTO person VALUES('MY925MRNF8EJCN53','Guest CVPN',1,1796078190000,1796078190000,0);
INSERT INTO person VALUES('3BBXQ8MRYUWNB52U','Guest QWV2',1,1796078190000,1796078190000,0);
INSERT INTO person VALUES('DNF2U2BP4VKCDH2E','Guest 58LG',1,1796078190000,1796078190000,0);
INSERT INTO person VALUES('JN53K9HS8FCEYNZV','Guest 7ZZS',1,1796078190000,1796078190000,0);
INSERT INTO person VALUES('T7CVZDS4J248TWRD','Judit',0,1796078211000,1796078211000,0);
INSERT INTO person VALUES('TJYEQ828ARFUV5LB','Sofia',0,1796078211000,1796078211000,0);
INSERT INTO person VALUES('3ZZT8WNBKQWMTGMX','Robot 1',0,1796078211524,1796078211524,1);
INSERT INTO person VALUES('TBDQVMSHM2JFG99Z','Guest XMNL',1,1796078211000,1796078211000,0);
INSERT INTO person VALUES('VJRCJEBQSEQT5NZH','Guest CH2L',1,1796078211000,1796078211000,0);
INSERT INTO person VALUES('L849XAEEPPCFCTU7','Guest U866',1,1796078211000,1796078211000,0);
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
, rating TEXT NOT NULL DEFAULT '', rating_number BIGINT, counts BOOLEAN NOT NULL DEFAULT FALSE);
INSERT INTO game VALUES('ar92ghpb9kh9','F8HQFWS5ZETAH7T5','Guest RGPW','B3LZ64EGAXXEYCYH','Guest 5EWY','wbca','board',300000,'0-1','illegal_move','WBCA 7d',1796078190000,1796078190927,3,'{"v":1,"id":"ar92ghpb9kh9","ended":"2026-11-30T22:36:30.927142533Z","events":[{"k":"created","at":0,"by":"","setup":{"rules":"wbca","mode":"board","white":{"id":"F8HQFWS5ZETAH7T5","name":"Guest RGPW"},"black":{"id":"B3LZ64EGAXXEYCYH","name":"Guest 5EWY"},"base":[300000,300000],"origin":"invite","started":"2026-11-30T22:36:30Z","options":{"ladder":true,"presence":true,"first_move":20000,"both_flags_idle":60000,"abandonment":true,"delay_clock":true},"lag":{"Start":1000,"Gain":500,"Most":3000,"PerMove":500}}},{"k":"arrived","at":0,"by":"w"},{"k":"arrived","at":0,"by":"b"},{"k":"started","at":0,"by":""},{"k":"released","at":18,"by":"w","m":"e2e4","legal":true},{"k":"pressed","at":18,"by":"w","charged":18,"left":[299982,300000]},{"k":"released","at":18,"by":"b","m":"e7e5","legal":true},{"k":"pressed","at":18,"by":"b","left":[299982,300000]},{"k":"released","at":19,"by":"w","m":"f1f4"},{"k":"pressed","at":19,"by":"w","charged":1,"left":[299981,300000]},{"k":"ended","at":19,"by":"","left":[299981,300000],"result":{"score":"0-1","reason":"illegal_move","rule":"7d","book":"WBCA"}}]}','',NULL,0);
INSERT INTO game VALUES('5q7Ashpgfknr','XK35XU9XHYUUFSJD','Guest GJCW','WGWKQVLNTF92Y3VL','Guest G7MF','uscf','board',300000,'1/2-1/2','threefold','US Chess 14C',1796078190000,1796078190930,12,'{"v":1,"id":"5q7Ashpgfknr","ended":"2026-11-30T22:36:30.93085705Z","events":[{"k":"created","at":0,"by":"","setup":{"rules":"uscf","mode":"board","white":{"id":"XK35XU9XHYUUFSJD","name":"Guest GJCW"},"black":{"id":"WGWKQVLNTF92Y3VL","name":"Guest G7MF"},"base":[300000,300000],"premove":true,"origin":"invite","started":"2026-11-30T22:36:30Z","options":{"ladder":true,"presence":true,"first_move":20000,"both_flags_idle":60000,"abandonment":true,"delay_clock":true},"lag":{"Start":1000,"Gain":500,"Most":3000,"PerMove":500}}},{"k":"arrived","at":0,"by":"w"},{"k":"arrived","at":0,"by":"b"},{"k":"started","at":0,"by":""},{"k":"released","at":0,"by":"w","m":"e2e4","legal":true},{"k":"pressed","at":0,"by":"w","left":[300000,300000]},{"k":"released","at":0,"by":"b","m":"e7e5","legal":true},{"k":"pressed","at":0,"by":"b","left":[300000,300000]},{"k":"released","at":0,"by":"w","m":"b1c3","legal":true},{"k":"pressed","at":0,"by":"w","left":[300000,300000]},{"k":"released","at":0,"by":"b","m":"b8c6","legal":true},{"k":"pressed","at":0,"by":"b","left":[300000,300000]},{"k":"released","at":0,"by":"w","m":"g1f3","legal":true},{"k":"pressed","at":0,"by":"w","left":[300000,300000]},{"k":"released","at":1,"by":"b","m":"g8f6","legal":true},{"k":"pressed","at":1,"by":"b","charged":1,"left":[300000,299999]},{"k":"released","at":1,"by":"w","m":"f3g1","legal":true},{"k":"pressed","at":1,"by":"w","left":[300000,299999]},{"k":"released","at":1,"by":"b","m":"f6g8","legal":true},{"k":"pressed","at":1,"by":"b","left":[300000,299999]},{"k":"released","at":1,"by":"w","m":"g1f3","legal":true},{"k":"pressed","at":1,"by":"w","left":[300000,299999]},{"k":"released","at":1,"by":"b","m":"g8f6","legal":true},{"k":"pressed","at":1,"by":"b","left":[300000,299999]},{"k":"released","at":1,"by":"w","m":"f3g1","legal":true},{"k":"pressed","at":1,"by":"w","left":[300000,299999]},{"k":"released","at":1,"by":"b","m":"f6g8","legal":true},{"k":"pressed","at":1,"by":"b","left":[300000,299999]},{"k":"ended","at":1,"by":"","left":[300000,299999],"result":{"score":"1/2-1/2","reason":"threefold","rule":"14C","book":"US Chess"}}]}','',NULL,0);
INSERT INTO game VALUES('6938rvxnnts3','7JU8NYRDPSMAGKCY','Guest S8ZQ','W6KKSPMPVWAULCJU','Guest BJBQ','cca','board',60000,'0-1','resignation','CCA 13B',1796078190000,1796078190935,2,'{"v":1,"id":"6938rvxnnts3","ended":"2026-11-30T22:36:30.935669745Z","events":[{"k":"created","at":0,"by":"","setup":{"rules":"cca","mode":"board","white":{"id":"7JU8NYRDPSMAGKCY","name":"Guest S8ZQ"},"black":{"id":"W6KKSPMPVWAULCJU","name":"Guest BJBQ"},"base":[60000,60000],"premove":true,"origin":"invite","started":"2026-11-30T22:36:30Z","options":{"ladder":true,"presence":true,"first_move":20000,"both_flags_idle":60000,"abandonment":true,"delay_clock":true},"lag":{"Start":1000,"Gain":100,"Most":3000,"PerMove":500}}},{"k":"arrived","at":0,"by":"w"},{"k":"arrived","at":0,"by":"b"},{"k":"started","at":0,"by":""},{"k":"released","at":0,"by":"w","m":"e2e4","legal":true},{"k":"pressed","at":0,"by":"w","left":[60000,60000]},{"k":"released","at":1,"by":"b","m":"e7e5","legal":true},{"k":"pressed","at":1,"by":"b","charged":1,"left":[60000,59999]},{"k":"ended","at":1,"by":"","left":[60000,59999],"result":{"score":"0-1","reason":"resignation","rule":"13B","book":"CCA"}}]}','',NULL,0);
INSERT INTO game VALUES('jtc3jgrmuvcc','2WCQ3KZLW2Y5V4C6','Guest 9337','DYS7EBZGZWFUH4RL','Guest P63G','fide','board',300000,'0-1','second_illegal_move','FIDE 7.5.5',1796078190000,1796078190939,0,'{"v":1,"id":"jtc3jgrmuvcc","ended":"2026-11-30T22:36:30.939781053Z","events":[{"k":"created","at":0,"by":"","setup":{"rules":"fide","mode":"board","white":{"id":"2WCQ3KZLW2Y5V4C6","name":"Guest 9337"},"black":{"id":"DYS7EBZGZWFUH4RL","name":"Guest P63G"},"base":[300000,300000],"premove":true,"origin":"invite","started":"2026-11-30T22:36:30Z","options":{"ladder":true,"presence":true,"first_move":20000,"both_flags_idle":60000,"abandonment":true,"delay_clock":true},"lag":{"Start":1000,"Gain":500,"Most":3000,"PerMove":500}}},{"k":"arrived","at":0,"by":"w"},{"k":"arrived","at":0,"by":"b"},{"k":"started","at":0,"by":""},{"k":"released","at":0,"by":"w","m":"e2e5"},{"k":"pressed","at":0,"by":"w","left":[300000,300000]},{"k":"restored","at":0,"by":"w","m":"e2e5","step":1,"add":60000,"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"},{"k":"released","at":0,"by":"w","m":"e2e5"},{"k":"pressed","at":0,"by":"w","left":[300000,360000]},{"k":"restored","at":0,"by":"w","m":"e2e5","step":2,"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"},{"k":"proofasked","at":0,"by":"b","claim":"second","question":{"kind":"possible","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","side":"b"}},{"k":"proofgiven","at":1,"by":"","yes":true,"question":{"kind":"possible","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","side":"b"}},{"k":"ended","at":1,"by":"","left":[300000,360000],"result":{"score":"0-1","reason":"second_illegal_move","rule":"7.5.5","book":"FIDE"}}]}','',NULL,0);
INSERT INTO game VALUES('6h5A2mypqyz3','MY925MRNF8EJCN53','Guest CVPN','3BBXQ8MRYUWNB52U','Guest QWV2','wbca','board',60000,'0-1','checkmate','WBCA 7a',1796078190000,1796078190943,4,'{"v":1,"id":"6h5A2mypqyz3","ended":"2026-11-30T22:36:30.943949277Z","events":[{"k":"created","at":0,"by":"","setup":{"rules":"wbca","mode":"board","white":{"id":"MY925MRNF8EJCN53","name":"Guest CVPN"},"black":{"id":"3BBXQ8MRYUWNB52U","name":"Guest QWV2"},"base":[60000,60000],"premove":true,"origin":"invite","started":"2026-11-30T22:36:30Z","options":{"ladder":true,"presence":true,"first_move":20000,"both_flags_idle":60000,"abandonment":true,"delay_clock":true},"lag":{"Start":1000,"Gain":100,"Most":3000,"PerMove":500},"timing":{"kind":"increment","ms":1000}}},{"k":"arrived","at":0,"by":"w"},{"k":"arrived","at":0,"by":"b"},{"k":"started","at":0,"by":""},{"k":"released","at":0,"by":"w","m":"f2f3","legal":true},{"k":"pressed","at":1,"by":"w","charged":1,"left":[60999,60000]},{"k":"released","at":1,"by":"b","m":"e7e5","legal":true},{"k":"pressed","at":1,"by":"b","left":[60999,61000]},{"k":"released","at":1,"by":"w","m":"g2g4","legal":true},{"k":"pressed","at":1,"by":"w","left":[61999,61000]},{"k":"released","at":1,"by":"b","m":"d8h4","legal":true},{"k":"ended","at":1,"by":"","left":[61999,61000],"result":{"score":"0-1","reason":"checkmate","rule":"7a","book":"WBCA"}}]}','',NULL,0);
INSERT INTO game VALUES('e54dq4rahtzy','DNF2U2BP4VKCDH2E','Guest 58LG','JN53K9HS8FCEYNZV','Guest 7ZZS','wbca','fast',300000,'*','no_first_move','',1796078190000,1796078210948,0,'{"v":1,"id":"e54dq4rahtzy","ended":"2026-11-30T22:36:50.948982367Z","events":[{"k":"created","at":0,"by":"","setup":{"rules":"wbca","mode":"fast","white":{"id":"DNF2U2BP4VKCDH2E","name":"Guest 58LG"},"black":{"id":"JN53K9HS8FCEYNZV","name":"Guest 7ZZS"},"base":[300000,300000],"origin":"invite","started":"2026-11-30T22:36:30Z","options":{"ladder":true,"presence":true,"first_move":20000,"both_flags_idle":60000,"abandonment":true,"delay_clock":true},"lag":{"Start":1000,"Gain":500,"Most":3000,"PerMove":500}}},{"k":"arrived","at":2,"by":"w"},{"k":"arrived","at":2,"by":"b"},{"k":"started","at":2,"by":""},{"k":"ended","at":20002,"by":"","left":[280000,300000],"result":{"score":"*","reason":"no_first_move","book":"WBCA"}}]}','',NULL,0);
INSERT INTO game VALUES('xufpevfa85A6','T7CVZDS4J248TWRD','Judit','TJYEQ828ARFUV5LB','Sofia','wbca','board',300000,'1-0','resignation','WBCA 7b',1796078211000,1796078211523,2,'{"v":1,"id":"xufpevfa85A6","ended":"2026-11-30T22:36:51.523261494Z","events":[{"k":"created","at":0,"by":"","setup":{"rules":"wbca","mode":"board","white":{"id":"T7CVZDS4J248TWRD","name":"Judit","account":true},"black":{"id":"TJYEQ828ARFUV5LB","name":"Sofia","account":true},"base":[300000,300000],"rated":true,"origin":"invite","started":"2026-11-30T22:36:51Z","options":{"ladder":true,"presence":true,"first_move":20000,"both_flags_idle":60000,"abandonment":true,"delay_clock":true},"lag":{"Start":1000,"Gain":500,"Most":3000,"PerMove":500}}},{"k":"arrived","at":0,"by":"w"},{"k":"arrived","at":0,"by":"b"},{"k":"started","at":0,"by":""},{"k":"released","at":0,"by":"w","m":"e2e4","legal":true},{"k":"pressed","at":0,"by":"w","left":[300000,300000]},{"k":"released","at":0,"by":"b","m":"e7e5","legal":true},{"k":"pressed","at":0,"by":"b","left":[300000,300000]},{"k":"ended","at":0,"by":"","left":[300000,300000],"result":{"score":"1-0","reason":"resignation","rule":"7b","book":"WBCA"}}]}','wbca',1,1);
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
INSERT INTO revocation VALUES('PGG8BWE99GTRNFPS',1,1798673816483);
INSERT INTO revocation VALUES('DLK4W5U7KRXGGEQ9',2,1798673816519);
INSERT INTO revocation VALUES('N49PGW5ZXKJJCQ2Z',3,1798673816525);
CREATE TABLE revocation_count (last BIGINT NOT NULL);
INSERT INTO revocation_count VALUES(3);
CREATE TABLE taken_name (
    skeleton TEXT PRIMARY KEY, -- account.Skeleton
    person   TEXT NOT NULL     -- '' when the account is deleted
);
INSERT INTO taken_name VALUES('judlt','T7CVZDS4J248TWRD');
INSERT INTO taken_name VALUES('sofla','TJYEQ828ARFUV5LB');
INSERT INTO taken_name VALUES('robotl','3ZZT8WNBKQWMTGMX');
CREATE TABLE account (
    person   TEXT PRIMARY KEY,
    skeleton TEXT NOT NULL,   -- of the name
    password TEXT NOT NULL,   -- argon2id as a PHC string; '' for none
    role     TEXT NOT NULL,   -- player, organiser, arbiter or administrator
    owner    TEXT NOT NULL,   -- of a bot: the person it belongs to; else ''
    created  BIGINT NOT NULL, -- civil time, Unix ms, UTC
    closed   BIGINT NOT NULL  -- by an administrator; 0 while it is open
);
INSERT INTO account VALUES('T7CVZDS4J248TWRD','judlt','$argon2id$v=19$m=19456,t=2,p=1$4aiSsDmy3rnOzcoaGFn+0A$lDuulh7Sr+bo5ODbGy/TsL6q20YovvnPmrXaQG0Mo3Q','player','',1796078211483,0);
INSERT INTO account VALUES('TJYEQ828ARFUV5LB','sofla','$argon2id$v=19$m=19456,t=2,p=1$rHjWkhBi76KiT+gh2GAxBA$7XBnn+FTlKCFEN0AUY84f2Ob9HIdr76S7V8bxeBq5Bk','player','',1796078211519,0);
INSERT INTO account VALUES('3ZZT8WNBKQWMTGMX','robotl','','player','T7CVZDS4J248TWRD',1796078211524,0);
CREATE TABLE identity (
    provider TEXT NOT NULL,   -- the issuer
    subject  TEXT NOT NULL,   -- his id there
    person   TEXT NOT NULL,
    created  BIGINT NOT NULL,
    PRIMARY KEY (provider, subject)
);
CREATE TABLE login (
    id      TEXT PRIMARY KEY,
    person  TEXT NOT NULL,
    api_key TEXT NOT NULL,    -- that it was made from, or ''
    created BIGINT NOT NULL,
    seen    BIGINT NOT NULL,
    until   BIGINT NOT NULL
);
INSERT INTO login VALUES('FFF44BD626E6WMCE','T7CVZDS4J248TWRD','',1796078211483,1796078211483,1798673816483);
INSERT INTO login VALUES('6JN59DEEPJCB24EN','TJYEQ828ARFUV5LB','',1796078211519,1796078211519,1798673816519);
CREATE TABLE api_key (
    id      TEXT PRIMARY KEY,
    hash    TEXT NOT NULL,    -- SHA-256 in hexadecimal
    person  TEXT NOT NULL,    -- a bot
    created BIGINT NOT NULL
);
INSERT INTO api_key VALUES('HSC6NWN9YLU28JRG','f479ffdb7b95653c557ff425008c71cbc8298046da7a54c2835964d2460a7aab','3ZZT8WNBKQWMTGMX',1796078211524);
CREATE TABLE password_reset (
    person TEXT PRIMARY KEY,
    hash   TEXT NOT NULL,     -- SHA-256 in hexadecimal
    until  BIGINT NOT NULL
);
CREATE TABLE erasure (
    person TEXT PRIMARY KEY,
    asked  BIGINT NOT NULL
);
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
INSERT INTO rating VALUES('T7CVZDS4J248TWRD','wbca',1662.2120014703455126,290.23050778223864654,0.059999675372338141798,1,1796078211523,0);
INSERT INTO rating VALUES('TJYEQ828ARFUV5LB','wbca',1337.7879985296544873,290.23050778223864654,0.059999675372338141798,1,1796078211523,0);
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
INSERT INTO rating_change VALUES('xufpevfa85A6','T7CVZDS4J248TWRD','wbca',1,1796078211523,1500.0,350.0,1662.2120014703455126,290.23050778223864654,0.059999675372338141798,1,1796078211523);
INSERT INTO rating_change VALUES('xufpevfa85A6','TJYEQ828ARFUV5LB','wbca',1,1796078211523,1500.0,350.0,1337.7879985296544873,290.23050778223864654,0.059999675372338141798,1,1796078211523);
CREATE TABLE rating_count (last BIGINT NOT NULL);
INSERT INTO rating_count VALUES(1);
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
CREATE TABLE rerating (
    number   BIGINT PRIMARY KEY,
    kind     TEXT NOT NULL,
    next     BIGINT NOT NULL, -- games before this rating_number are done
    asked    BIGINT NOT NULL, -- civil time, Unix ms, UTC
    finished BIGINT,          -- the same; null while the old ratings are shown
    games    BIGINT NOT NULL, -- that were rated again
    people   BIGINT NOT NULL  -- whose rating was computed again; known at the end
);
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
CREATE TABLE rerating_gone (
    rerating BIGINT NOT NULL,
    game     TEXT NOT NULL,
    PRIMARY KEY (rerating, game)
);
CREATE TABLE block (
    person  TEXT NOT NULL,
    blocked TEXT NOT NULL,
    at      BIGINT NOT NULL, -- civil time, Unix ms, UTC
    PRIMARY KEY (person, blocked)
);
INSERT INTO block VALUES('TJYEQ828ARFUV5LB','JN53K9HS8FCEYNZV',1796078211523);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('goose_db_version',7);
CREATE INDEX game_white ON game (white, ended, id);
CREATE INDEX game_black ON game (black, ended, id);
CREATE INDEX revocation_number ON revocation (number);
CREATE INDEX revocation_until ON revocation (until);
CREATE INDEX account_skeleton ON account (skeleton);
CREATE INDEX account_owner ON account (owner, skeleton);
CREATE INDEX identity_person ON identity (person);
CREATE INDEX login_person ON login (person, created, id);
CREATE INDEX api_key_hash ON api_key (hash);
CREATE INDEX api_key_person ON api_key (person, created, id);
CREATE INDEX password_reset_hash ON password_reset (hash);
CREATE INDEX game_ended ON game (ended, id);
CREATE INDEX game_rules ON game (rules, ended, id);
CREATE INDEX game_counts ON game (ended, id) WHERE counts;
CREATE INDEX game_pair ON game (white, black, ended, id);
CREATE INDEX game_white_tally ON game (white, black, rules, counts, result);
CREATE INDEX game_black_tally ON game (black, white, rules, counts, result);
CREATE INDEX game_rating_order ON game (rating, rating_number);
CREATE INDEX rating_leaders ON rating (kind, rating, person) WHERE settled > 0;
CREATE INDEX rating_change_person ON rating_change (person, kind, number);
CREATE INDEX correction_game ON correction (game, number);
CREATE INDEX correction_rerating ON correction (rerating);
CREATE INDEX rerating_open ON rerating (number) WHERE finished IS NULL;
CREATE INDEX rerating_person_person ON rerating_person (person, rerating);
CREATE INDEX person_name ON person ((lower(name)), id) WHERE NOT guest;
CREATE INDEX block_blocked ON block (blocked, person);
COMMIT;
