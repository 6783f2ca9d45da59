// While the server holds all games, the clocks of a table show what they showed when that began.

export class Hold {
  since: number | undefined; // reading of performance.now()

  begin(at: number): void {
    this.since ??= at;
  }

  /** Ends it; returns how long clocks have stood whose frame came at `arrival`, in ms. */
  end(at: number, arrival: number): number {
    const stood = this.since === undefined ? 0 : Math.max(0, at - Math.max(this.since, arrival));
    this.since = undefined;
    return stood;
  }

  /** The moment that clocks show at `now`. */
  moment(now: number): number {
    return this.since === undefined ? now : Math.min(now, this.since);
  }
}
