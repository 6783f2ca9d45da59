// What a clock face shows. The server alone decides when a flag is down.
import type { Clocks, Color, Terms } from "./wire";

/**
 * Remaining time for display, rounded up so that it never says zero while time is left. Tenths under ten seconds.
 * A running clock without a fallen flag stops at 0:00.1 until the server speaks.
 */
export function formatClock(ms: number, flagged: boolean): string {
  if (flagged && ms <= 0) return "0:00.0";
  const left = Math.max(ms, 1);
  if (left < 10_000) {
    const tenths = Math.ceil(left / 100);
    return `0:${String(Math.floor(tenths / 10)).padStart(2, "0")}.${tenths % 10}`;
  }
  const seconds = Math.ceil(left / 1000);
  const s = String(seconds % 60).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${s}`;
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${s}`;
}

/** Remaining ms of one side at `now`; `arrival` and `now` are readings of one monotonic clock. */
export function remaining(clk: Clocks, side: Color, arrival: number, now: number): number {
  const left = clk[side];
  return clk.run === side ? left - Math.max(0, now - arrival - (clk.delay ?? 0)) : left;
}

/** What is left of the delay of `side`'s move: its time begins to run after it. */
export function delayLeft(clk: Clocks, side: Color, arrival: number, now: number): number {
  return clk.run === side ? Math.max(0, (clk.delay ?? 0) - Math.max(0, now - arrival)) : 0;
}

export const isFlagged = (clk: Clocks, side: Color): boolean => clk.flags.includes(side);

/** "3 minutes", "1 minute 30 seconds", "45 seconds". */
export function formatBase(ms: number): string {
  const total = Math.round(ms / 1000);
  const minutes = Math.floor(total / 60);
  const seconds = total % 60;
  const parts: string[] = [];
  if (minutes) parts.push(`${minutes} minute${minutes === 1 ? "" : "s"}`);
  if (seconds || !minutes) parts.push(`${seconds} second${seconds === 1 ? "" : "s"}`);
  return parts.join(" ");
}

/** "2 minutes 5 seconds left" for the ear. */
export function spokenClock(ms: number, flagged: boolean): string {
  if (flagged) return "flag down";
  return formatBase(Math.ceil(Math.max(ms, 1) / 1000) * 1000);
}

/** "5 minutes", "5 minutes + 3 seconds a move", "5 minutes, delay 5 seconds". */
export function formatTime(base: number, { timing, each }: Partial<Terms>): string {
  if (!timing || !each) return formatBase(base);
  const move = each % 1000 ? `${each / 1000} seconds` : formatBase(each);
  switch (timing) {
    case "increment": return `${formatBase(base)} + ${move} a move`;
    case "delay": return `${formatBase(base)}, delay ${move}`;
    default: return `${formatBase(base)}, Bronstein ${move}`;
  }
}
