import assert from "node:assert/strict";
import { test } from "node:test";
import { Problem } from "../src/api";
import { BOARDS_EACH, byPlace, noticeAt, ROWS_EACH, rightOf, ScreenModel, takesEntries, viewOf } from "../src/desk/screen";
import type { BoardView, EventPage, Row } from "../src/event/types";

const fresh = (over: Partial<EventPage> = {}): EventPage =>
  ({ event: "club", name: "Club", phase: "running", format: "arena", late: false, now: 1_000_000, games: 0, entries: 4, top: [], notices: [], access: "", ...over }) as EventPage;

const board = (game: string, white: number, black: number): BoardView => ({ game, place_white: white, place_black: black, since: 0 }) as BoardView;

/** A projector whose server and clock are the test; `asked` are the last parts of the addresses. */
function hang(page: () => EventPage) {
  const asked: string[] = [];
  let next: (() => void) | undefined;
  let now = 0;
  let down: Error | undefined;
  const model = new ScreenModel("club", "k", {
    ask: async <T>(path: string): Promise<T> => {
      asked.push(path);
      if (down) throw down;
      const answers: [RegExp, object][] = [[/boards/, { boards: [board("g", 1, 2)] }], [/standings/, { rows: [{ id: "A" }], games: [] }], [/./, page()]];
      return answers.find(([r]) => r.test(path))![1] as T;
    },
    now: () => now,
    after: (ms, f) => {
      next = () => {
        now += ms;
        f();
      };
      return () => { next = undefined; };
    },
  });
  const settle = () => new Promise((done) => setImmediate(done));
  return {
    model, asked,
    go: async () => {
      next?.();
      await settle();
    },
    settle,
    cut: (e: Error | undefined) => { down = e; },
    pass: (ms: number) => { now += ms; },
  };
}

test("the projector asks with its key, and for the table only when it may have changed", async () => {
  let page = fresh();
  const s = hang(() => page);
  s.model.open();
  await s.settle();
  assert.deepEqual(s.asked, ["/api/events/club?key=k", "/api/events/club/boards?key=k", "/api/events/club/standings?key=k"]);
  await s.go();
  assert.deepEqual(s.asked.slice(3), ["/api/events/club?key=k", "/api/events/club/boards?key=k"]);
  page = fresh({ games: 1, entries: 50 });
  await s.go();
  await s.go();
  assert.ok(s.asked.at(-1)!.includes("boards"), "a table of fifty is not asked for after three seconds");
  s.pass(3000);
  await s.go();
  assert.equal(s.asked.at(-1), "/api/events/club/standings?key=k");
  const boards = s.asked.filter((a) => a.includes("boards")).length;
  page = fresh({ phase: "open" });
  await s.go();
  assert.equal(s.asked.filter((a) => a.includes("boards")).length, boards, "no boards before the start");
  assert.deepEqual(s.model.boards, []);
});

test("a lost connection leaves what was shown, says so, and ends by itself", async () => {
  const s = hang(() => fresh());
  s.model.open();
  await s.settle();
  s.cut(new TypeError("network"));
  await s.go();
  assert.equal(s.model.lost, false);
  await s.go();
  await s.go();
  assert.equal(s.model.lost, true);
  assert.equal(s.model.rows.length, 1);
  assert.equal(s.model.boards.length, 1);
  s.cut(undefined);
  await s.go();
  assert.equal(s.model.lost, false);
});

test("a wrong key is said, and the right one heals it", async () => {
  const s = hang(() => fresh());
  s.cut(new Problem(404, "unknown_event", "There is no such event."));
  s.model.open();
  await s.settle();
  assert.equal(s.model.refused, "There is no such event.");
  s.cut(undefined);
  await s.go();
  assert.equal(s.model.refused, "");
});

test("a table that is too long takes turns", () => {
  const rows = Array.from({ length: 25 }, (_, i) => ({ id: String(i) }) as Row);
  assert.deepEqual([0, 1, 2, 3].map((i) => viewOf(rows, 10, i * ROWS_EACH).from), [0, 10, 20, 0]);
  assert.equal(viewOf(rows, 10, 2 * ROWS_EACH).rows.length, 5);
  assert.deepEqual(viewOf([], 10, 5), { rows: [], from: 0 });
});

test("boards take turns by place, and the way to join while entries are taken", () => {
  const boards = [board("c", 7, 3), board("a", 1, 9), board("b", 2, 4), board("new", 0, 0)];
  assert.deepEqual(byPlace(boards).map((b) => b.game), ["a", "b", "c", "new"]);
  const kinds = (page: EventPage) => [0, 1, 2, 3].map((i) => {
    const right = rightOf(page, boards, i * BOARDS_EACH);
    return right.kind === "boards" ? right.boards.map((b) => b.game).join("") : right.kind;
  });
  assert.deepEqual(kinds(fresh()), ["ab", "cnew", "ab", "cnew"]);
  assert.deepEqual(kinds(fresh({ late: true })), ["ab", "cnew", "join", "ab"]);
  assert.equal(rightOf(fresh({ phase: "open" }), [], 0).kind, "join");
  assert.equal(rightOf(fresh({ phase: "published" }), [], 0).kind, "table");
});

test("entries are taken before the start, later only where the event says so", () => {
  assert.equal(takesEntries(fresh({ phase: "checkin" })), true);
  assert.equal(takesEntries(fresh({ late: true, format: "round_robin" })), false);
  assert.equal(takesEntries(fresh({ late: true, phase: "last_games" })), false);
});

test("announcements stand for a quarter of an hour, several take turns", () => {
  const page = fresh({ notices: [{ at: 900_000, by: "Ann", text: "second" }, { at: 850_000, by: "Ann", text: "first" }] });
  const texts = new Set([0, 10_000].map((ms) => noticeAt(page, 960_000 + ms)));
  assert.deepEqual(texts, new Set(["first", "second"]));
  assert.equal(noticeAt(page, 850_000 + 15 * 60_000), "second");
  assert.equal(noticeAt(page, 900_000 + 15 * 60_000), undefined);
});
