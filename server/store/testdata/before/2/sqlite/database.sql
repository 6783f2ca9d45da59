PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE goose_db_version (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		version_id INTEGER NOT NULL,
		is_applied INTEGER NOT NULL,
		tstamp TIMESTAMP DEFAULT (datetime('now'))
	);
INSERT INTO goose_db_version VALUES(1,0,1,'2026-11-30 19:50:43');
INSERT INTO goose_db_version VALUES(2,1,1,'2026-11-30 19:50:43');
INSERT INTO goose_db_version VALUES(3,2,1,'2026-11-30 19:50:43');
CREATE TABLE person (
    id        TEXT PRIMARY KEY,
    name      TEXT NOT NULL,
    guest     BOOLEAN NOT NULL,
    created   BIGINT NOT NULL, -- civil time, Unix ms, UTC
    last_seen BIGINT NOT NULL
);
INSERT INTO person VALUES('4DKTPDMM98NH2FAP','Guest YAUZ',1,1796068243000,1796068243000);
INSERT INTO person VALUES('EBYPM9CXGQDUEMCQ','Guest 23U8',1,1796068243000,1796068243000);
INSERT INTO person VALUES('LHYB926SEYNFFTZ5','Guest RJKK',1,1796068243000,1796068243000);
INSERT INTO person VALUES('5HZSWNY8JMTZC7Y5','Guest 2ZFB',1,1796068243000,1796068243000);
INSERT INTO person VALUES('2JUY273RQX4ZN84E','Guest H89P',1,1796068243000,1796068243000);
INSERT INTO person VALUES('G58SQHR4WGTKJNCG','Guest 3ANE',1,1796068243000,1796068243000);
INSERT INTO person VALUES('AS5A6LB3PCLH3438','Guest Y8AU',1,1796068243000,1796068243000);
INSERT INTO person VALUES('KUADVEQKKQVBYWVD','Guest 3NZC',1,1796068243000,1796068243000);
INSERT INTO person VALUES('4SLUL9BBHTS9RCMM','Guest CPRF',1,1796068243000,1796068243000);
INSERT INTO person VALUES('24QLCSJKRB2WX9Y2','Guest D5JT',1,1796068243000,1796068243000);
INSERT INTO person VALUES('M7SQ7FKLGAJBPSGJ','Guest MVW6',1,1796068243000,1796068243000);
INSERT INTO person VALUES('BL3WX5W5PUR9ZY4Z','Guest VMDD',1,1796068243000,1796068243000);
INSERT INTO person VALUES('HPJAZDUJ9853VTBD','Guest 98SZ',1,1796068263000,1796068263000);
INSERT INTO person VALUES('B583HJKHPXCGQZXW','Guest Z2HP',1,1796068263000,1796068263000);
INSERT INTO person VALUES('AWRPM9TSX6YYP9TM','Guest 7PY9',1,1796068263000,1796068263000);
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
INSERT INTO game VALUES('7amcnqp2aw97','4DKTPDMM98NH2FAP','Guest YAUZ','EBYPM9CXGQDUEMCQ','Guest 23U8','wbca','board',300000,'0-1','illegal_move','WBCA 7d',1796068243000,1796068243694,3,'{"v":1,"id":"7amcnqp2aw97","ended":"2026-11-30T19:50:43.694871264Z","events":[{"k":"created","at":0,"by":"","setup":{"rules":"wbca","mode":"board","white":{"id":"4DKTPDMM98NH2FAP","name":"Guest YAUZ"},"black":{"id":"EBYPM9CXGQDUEMCQ","name":"Guest 23U8"},"base":[300000,300000],"origin":"invite","started":"2026-11-30T19:50:43Z","options":{"ladder":true,"presence":true,"first_move":20000,"both_flags_idle":60000,"abandonment":true,"delay_clock":true},"lag":{"Start":1000,"Gain":500,"Most":3000,"PerMove":500}}},{"k":"arrived","at":0,"by":"w"},{"k":"arrived","at":1,"by":"b"},{"k":"started","at":1,"by":""},{"k":"released","at":1,"by":"w","m":"e2e4","legal":true},{"k":"pressed","at":1,"by":"w","left":[300000,300000]},{"k":"released","at":1,"by":"b","m":"e7e5","legal":true},{"k":"pressed","at":1,"by":"b","left":[300000,300000]},{"k":"released","at":3,"by":"w","m":"f1f4"},{"k":"pressed","at":4,"by":"w","charged":3,"left":[299997,300000]},{"k":"ended","at":4,"by":"","left":[299997,300000],"result":{"score":"0-1","reason":"illegal_move","rule":"7d","book":"WBCA"}}]}');
INSERT INTO game VALUES('54AeA2ct3sca','LHYB926SEYNFFTZ5','Guest RJKK','5HZSWNY8JMTZC7Y5','Guest 2ZFB','uscf','board',300000,'1/2-1/2','threefold','US Chess 14C',1796068243000,1796068243705,12,'{"v":1,"id":"54AeA2ct3sca","ended":"2026-11-30T19:50:43.705241694Z","events":[{"k":"created","at":0,"by":"","setup":{"rules":"uscf","mode":"board","white":{"id":"LHYB926SEYNFFTZ5","name":"Guest RJKK"},"black":{"id":"5HZSWNY8JMTZC7Y5","name":"Guest 2ZFB"},"base":[300000,300000],"premove":true,"origin":"invite","started":"2026-11-30T19:50:43Z","options":{"ladder":true,"presence":true,"first_move":20000,"both_flags_idle":60000,"abandonment":true,"delay_clock":true},"lag":{"Start":1000,"Gain":500,"Most":3000,"PerMove":500}}},{"k":"arrived","at":0,"by":"w"},{"k":"arrived","at":0,"by":"b"},{"k":"started","at":0,"by":""},{"k":"released","at":0,"by":"w","m":"e1e3"},{"k":"pressed","at":0,"by":"w","left":[300000,300000]},{"k":"restored","at":0,"by":"w","m":"e1e3","add":120000,"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"},{"k":"released","at":1,"by":"w","m":"e2e4","legal":true},{"k":"pressed","at":1,"by":"w","charged":1,"left":[299999,420000]},{"k":"released","at":2,"by":"b","m":"e7e5","legal":true},{"k":"pressed","at":2,"by":"b","charged":1,"left":[299999,419999]},{"k":"released","at":2,"by":"w","m":"b1c3","legal":true},{"k":"pressed","at":2,"by":"w","left":[299999,419999]},{"k":"released","at":3,"by":"b","m":"b8c6","legal":true},{"k":"pressed","at":3,"by":"b","charged":1,"left":[299999,419998]},{"k":"released","at":4,"by":"w","m":"g1f3","legal":true},{"k":"pressed","at":4,"by":"w","charged":1,"left":[299998,419998]},{"k":"released","at":5,"by":"b","m":"g8f6","legal":true},{"k":"pressed","at":5,"by":"b","charged":1,"left":[299998,419997]},{"k":"released","at":5,"by":"w","m":"f3g1","legal":true},{"k":"pressed","at":5,"by":"w","left":[299998,419997]},{"k":"released","at":5,"by":"b","m":"f6g8","legal":true},{"k":"pressed","at":5,"by":"b","left":[299998,419997]},{"k":"released","at":5,"by":"w","m":"g1f3","legal":true},{"k":"pressed","at":5,"by":"w","left":[299998,419997]},{"k":"released","at":5,"by":"b","m":"g8f6","legal":true},{"k":"pressed","at":5,"by":"b","left":[299998,419997]},{"k":"released","at":5,"by":"w","m":"f3g1","legal":true},{"k":"pressed","at":5,"by":"w","left":[299998,419997]},{"k":"released","at":5,"by":"b","m":"f6g8","legal":true},{"k":"pressed","at":5,"by":"b","left":[299998,419997]},{"k":"ended","at":5,"by":"","left":[299998,419997],"result":{"score":"1/2-1/2","reason":"threefold","rule":"14C","book":"US Chess"}}]}');
INSERT INTO game VALUES('prre9326nj96','2JUY273RQX4ZN84E','Guest H89P','G58SQHR4WGTKJNCG','Guest 3ANE','cca','board',100000,'0-1','resignation','CCA 13B',1796068243000,1796068243712,2,'{"v":1,"id":"prre9326nj96","ended":"2026-11-30T19:50:43.712156582Z","events":[{"k":"created","at":0,"by":"","setup":{"rules":"cca","mode":"board","white":{"id":"2JUY273RQX4ZN84E","name":"Guest H89P"},"black":{"id":"G58SQHR4WGTKJNCG","name":"Guest 3ANE"},"base":[100000,100000],"premove":true,"origin":"invite","started":"2026-11-30T19:50:43Z","options":{"ladder":true,"presence":true,"first_move":20000,"both_flags_idle":60000,"abandonment":true,"delay_clock":true},"lag":{"Start":1000,"Gain":166,"Most":3000,"PerMove":500}}},{"k":"arrived","at":0,"by":"w"},{"k":"arrived","at":0,"by":"b"},{"k":"started","at":0,"by":""},{"k":"denied","at":0,"by":"w","claim":"threefold","code":"penalty_120s_to_opponent","add":120000},{"k":"released","at":1,"by":"w","m":"e2e4","legal":true},{"k":"pressed","at":1,"by":"w","charged":1,"left":[99999,220000]},{"k":"released","at":1,"by":"b","m":"e7e5","legal":true},{"k":"pressed","at":1,"by":"b","left":[99999,220000]},{"k":"delay","at":2,"by":"w","left":[49999,220000],"claim":"ilc","delay":5000},{"k":"ended","at":3,"by":"","left":[49999,220000],"result":{"score":"0-1","reason":"resignation","rule":"13B","book":"CCA"}}]}');
INSERT INTO game VALUES('kamv3gAgAt7g','AS5A6LB3PCLH3438','Guest Y8AU','KUADVEQKKQVBYWVD','Guest 3NZC','fide','board',300000,'0-1','second_illegal_move','FIDE 7.5.5',1796068243000,1796068243718,0,'{"v":1,"id":"kamv3gAgAt7g","ended":"2026-11-30T19:50:43.71838723Z","events":[{"k":"created","at":0,"by":"","setup":{"rules":"fide","mode":"board","white":{"id":"AS5A6LB3PCLH3438","name":"Guest Y8AU"},"black":{"id":"KUADVEQKKQVBYWVD","name":"Guest 3NZC"},"base":[300000,300000],"premove":true,"origin":"invite","started":"2026-11-30T19:50:43Z","options":{"ladder":true,"presence":true,"first_move":20000,"both_flags_idle":60000,"abandonment":true,"delay_clock":true},"lag":{"Start":1000,"Gain":500,"Most":3000,"PerMove":500}}},{"k":"arrived","at":0,"by":"w"},{"k":"arrived","at":0,"by":"b"},{"k":"started","at":0,"by":""},{"k":"released","at":0,"by":"w","m":"e1e3"},{"k":"pressed","at":1,"by":"w","charged":1,"left":[299999,300000]},{"k":"restored","at":1,"by":"w","m":"e1e3","step":1,"add":60000,"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"},{"k":"released","at":1,"by":"w","m":"a1a5"},{"k":"pressed","at":1,"by":"w","left":[299999,360000]},{"k":"restored","at":1,"by":"w","m":"a1a5","step":2,"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"},{"k":"proofasked","at":1,"by":"b","claim":"second","question":{"kind":"possible","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","side":"b"}},{"k":"proofgiven","at":3,"by":"","yes":true,"question":{"kind":"possible","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","side":"b"}},{"k":"ended","at":3,"by":"","left":[299999,360000],"result":{"score":"0-1","reason":"second_illegal_move","rule":"7.5.5","book":"FIDE"}}]}');
INSERT INTO game VALUES('xcqAwwxdb2w9','4SLUL9BBHTS9RCMM','Guest CPRF','24QLCSJKRB2WX9Y2','Guest D5JT','wbca','fast',60000,'0-1','checkmate','WBCA 7a',1796068243000,1796068243719,4,'{"v":1,"id":"xcqAwwxdb2w9","ended":"2026-11-30T19:50:43.719832154Z","events":[{"k":"created","at":0,"by":"","setup":{"rules":"wbca","mode":"fast","white":{"id":"4SLUL9BBHTS9RCMM","name":"Guest CPRF"},"black":{"id":"24QLCSJKRB2WX9Y2","name":"Guest D5JT"},"base":[60000,60000],"premove":true,"origin":"invite","started":"2026-11-30T19:50:43Z","options":{"ladder":true,"presence":true,"first_move":20000,"both_flags_idle":60000,"abandonment":true,"delay_clock":true},"lag":{"Start":1000,"Gain":100,"Most":3000,"PerMove":500},"timing":{"kind":"increment","ms":1000}}},{"k":"arrived","at":0,"by":"w"},{"k":"arrived","at":0,"by":"b"},{"k":"started","at":0,"by":""},{"k":"released","at":0,"by":"w","m":"f2f3","legal":true},{"k":"pressed","at":0,"by":"w","left":[61000,60000]},{"k":"released","at":0,"by":"b","m":"e7e5","legal":true},{"k":"pressed","at":0,"by":"b","left":[61000,61000]},{"k":"released","at":0,"by":"w","m":"g2g4","legal":true},{"k":"pressed","at":0,"by":"w","left":[62000,61000]},{"k":"released","at":0,"by":"b","m":"d8h4","legal":true},{"k":"ended","at":0,"by":"","left":[62000,61000],"result":{"score":"0-1","reason":"checkmate","rule":"7a","book":"WBCA"}}]}');
INSERT INTO game VALUES('A646uz6w7758','M7SQ7FKLGAJBPSGJ','Guest MVW6','BL3WX5W5PUR9ZY4Z','Guest VMDD','wbca','board',300000,'*','no_first_move','',1796068243000,1796068263726,0,'{"v":1,"id":"A646uz6w7758","ended":"2026-11-30T19:51:03.726665953Z","events":[{"k":"created","at":0,"by":"","setup":{"rules":"wbca","mode":"board","white":{"id":"M7SQ7FKLGAJBPSGJ","name":"Guest MVW6"},"black":{"id":"BL3WX5W5PUR9ZY4Z","name":"Guest VMDD"},"base":[300000,300000],"origin":"invite","started":"2026-11-30T19:50:43Z","options":{"ladder":true,"presence":true,"first_move":20000,"both_flags_idle":60000,"abandonment":true,"delay_clock":true},"lag":{"Start":1000,"Gain":500,"Most":3000,"PerMove":500}}},{"k":"arrived","at":0,"by":"w"},{"k":"arrived","at":2,"by":"b"},{"k":"started","at":2,"by":""},{"k":"ended","at":20002,"by":"","left":[280000,300000],"result":{"score":"*","reason":"no_first_move","book":"WBCA"}}]}');
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
INSERT INTO revocation VALUES('YFQVZ3KRJQFLF35W',1,1798663868802);
CREATE TABLE revocation_count (last BIGINT NOT NULL);
INSERT INTO revocation_count VALUES(1);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('goose_db_version',3);
CREATE INDEX game_white ON game (white, ended, id);
CREATE INDEX game_black ON game (black, ended, id);
CREATE INDEX revocation_number ON revocation (number);
CREATE INDEX revocation_until ON revocation (until);
COMMIT;
