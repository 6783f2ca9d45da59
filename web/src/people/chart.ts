// The graph of a rating. uPlot is loaded with this file, by the page that shows one.
import uPlot from "uplot";

const DAY = 86_400;
const HEIGHT = 240;
const GRID = { stroke: "#e6dfd1", width: 1 };
const AXIS = { stroke: "#5b564c", font: "12px system-ui, sans-serif", grid: GRID, ticks: GRID };

const CLOCK = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const DATE = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const MONTH = new Intl.DateTimeFormat("en-GB", { month: "short", year: "numeric" });

/** Labels of the time axis, `step` seconds apart. */
export function timeLabels(at: number[], step: number): string[] {
  const format = step < DAY ? CLOCK : step < 28 * DAY ? DATE : MONTH;
  return at.map((s) => format.format(new Date(s * 1000)));
}

/** The least and the greatest rating shown, at least a hundred apart. */
export function ratingRange(least: number, most: number): [number, number] {
  const room = Math.max(20, (100 - (most - least)) / 2, (most - least) / 10);
  return [Math.floor((least - room) / 10) * 10, Math.ceil((most + room) / 10) * 10];
}

/** Draws into a box and follows its width. `show` hears of the point under the pointer. Returns the way out. */
export function draw(box: HTMLElement, data: [number[], number[]], show: (index: number | undefined) => void): () => void {
  const plot = new uPlot(
    {
      width: box.clientWidth, height: HEIGHT, legend: { show: false }, cursor: { y: false, drag: { x: false, y: false } },
      scales: { y: { range: (_u, least, most) => ratingRange(least, most) } },
      axes: [{ ...AXIS, space: 70, values: (_u, at, _axis, _space, step) => timeLabels(at, step) }, { ...AXIS, size: 52, values: (_u, at) => at.map(String) }],
      series: [
        {},
        { stroke: "#00308f", width: 2, fill: "rgba(0, 48, 143, 0.07)", paths: uPlot.paths.stepped!({ align: 1 }), points: { show: data[0].length < 60, size: 6 } },
      ],
      hooks: { setCursor: [(u) => show(u.cursor.idx ?? undefined)] },
    },
    data, box,
  );
  const watch = new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height: HEIGHT }));
  watch.observe(box);
  return () => {
    watch.disconnect();
    plot.destroy();
  };
}
