// A stand-in for the server, for looking at the client: guests, pairing, one board without rules. The moves in ILLEGAL count as illegal.
// `displace` puts a move on a board: the client's own, so that both agree.
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { WebSocketServer } from "ws";

const DIST = join(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "..", "dist");
const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".txt": "text/plain" };
const CSP = "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'";
const ILLEGAL = new Set(["a1a4", "e1e5", "e8e4", "a8a5", "h8h4", "d8h4"]);
const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w";
const other = (c) => (c === "w" ? "b" : "w");
const id = () => randomBytes(6).toString("hex");

/** Starts the mock; the answer has url, games (by id) and close(). */
export async function startMock(port = 0, displace = (board) => board) {
  const people = new Map();
  const games = new Map();
  const invites = new Map();
  const sockets = new Set();
  const seeks = [];
  const whoIs = (req) => people.get(/flagfall=(\w+)/.exec(req.headers.cookie ?? "")?.[1]);

  const server = createServer(async (req, res) => {
    const path = new URL(req.url, "http://x").pathname;
    const json = (code, body, headers = {}) => {
      res.writeHead(code, { "content-type": code < 400 ? "application/json" : "application/problem+json", ...headers });
      res.end(JSON.stringify(body));
    };
    const missing = () => json(404, { title: "Not found", code: "not_found" });
    if (path === "/api/guest") {
      const person = { id: id(), name: `Guest ${id().slice(0, 4).toUpperCase()}` };
      people.set(person.id, person);
      return json(201, person, { "set-cookie": `flagfall=${person.id}; HttpOnly; SameSite=Lax; Path=/` });
    }
    if (path === "/api/me") return whoIs(req) ? json(200, whoIs(req)) : json(401, { title: "Who are you?", code: "unauthorized" });
    if (path === "/api/games") {
      const running = [...games.values()].filter((g) => g.phase !== "over");
      return json(200, { games: running.map((g) => ({ game: g.id, white: g.white, black: g.black, base: g.base, mode: g.mode, ply: g.moves.length, board: g.board })) });
    }
    const game = /^\/api\/games\/(\w+)$/.exec(path);
    if (game) {
      const g = games.get(game[1]);
      if (!g) return missing();
      return json(200, g.phase === "over" ? { state: state(g, ""), started: "2026-01-01T00:00:00Z", log: g.log } : state(g, ""));
    }
    const invite = /^\/api\/invites\/(\w+)$/.exec(path);
    if (invite) return invites.has(invite[1]) ? json(200, invites.get(invite[1])) : missing();
    if (path.startsWith("/api/")) return missing();
    const file = path.includes(".") ? path : "/index.html";
    try {
      const body = await readFile(join(DIST, file));
      res.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream", "content-security-policy": CSP });
      res.end(body);
    } catch {
      missing();
    }
  });
  const wss = new WebSocketServer({ server, path: "/ws" });

  wss.on("connection", (ws, req) => {
    const you = whoIs(req);
    if (!you) return ws.close(4003);
    const seat = [...games.values()].find((g) => g.phase !== "over" && [g.white.id, g.black.id].includes(you.id));
    const s = { ws, you, game: undefined, color: "" };
    sockets.add(s);
    send(s, { t: "hello", v: 1, you, ...(seat && { game: seat.id }) });
    ws.on("message", (data) => hear(s, JSON.parse(data)));
    ws.on("close", () => sockets.delete(s));
  });

  const send = (s, frame) => s.ws.readyState === 1 && s.ws.send(JSON.stringify(frame));
  const toPerson = (pid, frame) => {
    for (const s of sockets) if (s.you.id === pid) send(s, frame);
  };

  function pair(white, black, base, mode) {
    const g = {
      id: id(), white, black, base, mode, phase: "waiting", board: START, moves: [], pending: "", offer: "", here: "", end: undefined,
      left: { w: base, b: base }, run: "", since: 0, flags: "", began: Date.now(), log: [], queued: {}, frames: { w: [], b: [], "": [] }, illegal: false,
    };
    games.set(g.id, g);
    toPerson(white.id, { t: "paired", game: g.id, color: "w" });
    toPerson(black.id, { t: "paired", game: g.id, color: "b" });
    return g;
  }

  const spend = (g) => {
    const now = Date.now();
    if (g.run) g.left[g.run] = Math.max(0, g.left[g.run] - (now - g.since));
    g.since = now;
  };
  const clk = (g) => ({ w: g.left.w, b: g.left.b, run: g.run, flags: g.flags });

  function state(g, you) {
    spend(g);
    return {
      t: "state", game: g.id, n: g.frames[you].length, you, white: g.white, black: g.black, rules: "wbca", mode: g.mode, base: g.base,
      wbca: g.base >= 180000 && g.base <= 420000, premove: g.premove ?? false, phase: g.phase, start: START, board: g.board, moves: g.moves,
      ...(g.pending && { pending: g.pending }), ...(g.queued[you] && { queued: g.queued[you] }), ...(g.offer && { offer: g.offer }),
      clk: clk(g), here: g.here, ...(g.end && { end: g.end }),
    };
  }

  /** Tells every seat: `own` events go to one side only. */
  function tell(g, e, by, cmd, own = false) {
    spend(g);
    for (const seat of ["w", "b", ""]) {
      if (own && seat !== by) continue;
      const frame = { t: "ev", n: g.frames[seat].length + 1, ...(cmd && seat === by && { id: cmd }), at: Date.now() - g.began, clk: clk(g), e };
      g.frames[seat].push(frame);
      for (const s of sockets) if (s.game === g.id && s.color === seat) send(s, frame);
    }
    for (const one of e) g.log.push({ at: Date.now() - g.began, ...one, ...(one.k === "move" && { legal: !ILLEGAL.has(one.m) }) });
    schedule(g);
  }

  function schedule(g) {
    clearTimeout(g.timer);
    if (!g.run || g.flags.includes(g.run) || g.phase !== "play") return;
    g.timer = setTimeout(() => {
      spend(g);
      g.flags += g.run;
      tell(g, [{ k: "flag", by: g.run }], "", "");
    }, g.left[g.run]);
  }

  function end(g, result, reason, rule, text, by, cmd) {
    g.phase = "over";
    spend(g);
    g.run = "";
    g.end = { result, reason, rule, text };
    tell(g, [{ k: "end", end: g.end }], by, cmd);
  }

  const turn = (g) => g.board.split(" ")[1];
  const name = (c) => (c === "w" ? "White" : "Black");

  function press(g, by, cmd) {
    spend(g);
    g.illegal = ILLEGAL.has(g.pending);
    g.board = displace(g.board, g.pending);
    g.moves.push({ m: g.pending, ms: g.left[by] });
    g.pending = "";
    g.run = other(by);
    tell(g, [{ k: "press", by }], by, cmd);
    const reply = g.queued[g.run];
    if (!reply) return;
    delete g.queued[g.run];
    release(g, g.run, reply.m, reply.press, "");
  }

  function release(g, by, m, pressToo, cmd) {
    g.pending = m;
    tell(g, [{ k: "move", by, m, ply: g.moves.length }], by, pressToo ? "" : cmd);
    if (pressToo) press(g, by, cmd);
  }

  function hear(s, m) {
    const err = (code, msg) => send(s, { t: "err", id: m.id, code, msg });
    const g = games.get(s.game);
    switch (m.t) {
      case "ping": return send(s, { t: "pong" });
      case "seek": {
        const i = seeks.findIndex((k) => k.s.you.id !== s.you.id && k.base === m.base && k.mode === m.mode && sockets.has(k.s));
        if (i >= 0) return pair(seeks.splice(i, 1)[0].s.you, s.you, m.base, m.mode);
        seeks.push({ s, base: m.base, mode: m.mode });
        return toPerson(s.you.id, { t: "seeking", id: m.id, base: m.base, mode: m.mode });
      }
      case "cancel": {
        for (let i = seeks.length - 1; i >= 0; i--) if (seeks[i].s.you.id === s.you.id) seeks.splice(i, 1);
        return send(s, { t: "idle", id: m.id, why: "cancelled" });
      }
      case "invite": {
        const view = { invite: id(), by: s.you, base: m.base, mode: m.mode, color: "random", wbca: m.base >= 180000 && m.base <= 420000 };
        invites.set(view.invite, view);
        return send(s, { t: "invited", id: m.id, ...view, color: m.color, url: `http://${s.ws._socket.localAddress}:${server.address().port}/i/${view.invite}` });
      }
      case "accept": {
        const view = invites.get(m.invite);
        if (!view) return err("unknown_invite", "There is no such invitation any more.");
        invites.delete(m.invite);
        return pair(view.by, s.you, view.base, view.mode);
      }
      case "rematch": {
        const old = games.get(m.game);
        const by = old.white.id === s.you.id ? "w" : "b";
        old.again = (old.again ?? "") + by;
        if (old.again.length > 1) return pair(old.black, old.white, old.base, old.mode);
        for (const p of [old.white, old.black]) toPerson(p.id, { t: "rematch", game: old.id, by });
        return;
      }
      case "join": return sitDown(s, m, err);
      case "here":
      case "leave": return;
    }
    if (!g) return err("not_joined", "Join a game first.");
    play(g, s.color, m, err);
  }

  function sitDown(s, m, err) {
    const g = games.get(m.game);
    if (!g) return err("unknown_game", "There is no such game.");
    s.game = g.id;
    s.color = g.white.id === s.you.id ? "w" : g.black.id === s.you.id ? "b" : "";
    for (const o of sockets) if (s.color && o !== s && o.you === s.you && o.game === g.id) o.ws.close(4001);
    if (!m.since || m.since > g.frames[s.color].length) send(s, { ...state(g, s.color), id: m.id });
    else {
      for (const f of g.frames[s.color].slice(m.since)) send(s, f);
      send(s, { t: "joined", id: m.id, game: g.id, n: g.frames[s.color].length });
    }
    if (!s.color || g.here.includes(s.color)) return;
    g.here += s.color;
    tell(g, [{ k: "here", by: s.color }], "", "");
    if (g.here.length < 2 || g.phase !== "waiting") return;
    g.phase = "play";
    g.run = "w";
    g.since = Date.now();
    tell(g, [{ k: "start" }], "", "");
  }

  function play(g, by, m, err) {
    if (g.phase === "over") return err("game_over", "The game is over.");
    switch (m.t) {
      case "move": {
        if (m.ply !== g.moves.length + (turn(g) === by ? 0 : 1)) return err("stale_ply", "The game has moved on; this was meant for another move.");
        if (turn(g) === by) return release(g, by, m.m, m.press, m.id);
        g.queued[by] = { m: m.m, press: m.press };
        return tell(g, [{ k: "queued", by, m: m.m, press: m.press }], by, m.id, true);
      }
      case "press":
        if (g.run === by && g.pending) return press(g, by, m.id);
        if (!g.queued[by]) return err("no_move", "You have not moved yet.");
        g.queued[by].press = true;
        return tell(g, [{ k: "queued", by, m: g.queued[by].m, press: true }], by, m.id, true);
      case "retract":
        if (!ILLEGAL.has(g.pending)) return err("move_final", "This move cannot be taken back.");
        tell(g, [{ k: "back", by, m: g.pending }], by, m.id);
        g.pending = "";
        return;
      case "claim": {
        const result = by === "w" ? "1-0" : "0-1";
        if (m.claim === "illegal") {
          if (g.illegal && turn(g) === by) return end(g, result, "illegal_move", "WBCA 7d", `${name(by)} claimed an illegal move.`, by, m.id);
          return tell(g, [{ k: "denied", by, claim: "illegal", code: "no_illegal_move", step: 1, add: 0 }], by, m.id);
        }
        if (m.claim === "both_flags") return end(g, "1/2-1/2", "both_flags", "WBCA 8c", "Both flags are down.", by, m.id);
        if (!g.flags.includes(other(by))) return err("flag_up", "Your opponent's flag is still up.");
        return end(g, result, "time", "WBCA 7c", `${name(other(by))}'s flag fell and ${name(by)} claimed it.`, by, m.id);
      }
      case "resign": return end(g, by === "w" ? "0-1" : "1-0", "resignation", "WBCA 7b", `${name(by)} resigned.`, by, m.id);
      case "offer":
        g.offer = by;
        return tell(g, [{ k: "offer", by }], by, m.id);
      case "answer":
        if (!g.offer) return err("no_offer", "There is no draw offer to answer.");
        g.offer = "";
        if (m.accept) return end(g, "1/2-1/2", "agreement", "WBCA 8b", "The players agreed on a draw.", by, m.id);
        return tell(g, [{ k: "decline", by }], by, m.id);
    }
  }

  await new Promise((done) => server.listen(port, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${server.address().port}`, games, sockets, people, pair,
    close: () => {
      for (const g of games.values()) clearTimeout(g.timer);
      for (const s of sockets) s.ws.terminate();
      server.close();
    },
  };
}
