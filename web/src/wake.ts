// Keeps the screen awake while a game is played.

/** Holds a wake lock until the returned function is called; takes it again whenever the page comes back to the front. */
export function keepAwake(): () => void {
  let lock: WakeLockSentinel | undefined;
  let over = false;
  const ask = () => {
    if (over || document.visibilityState !== "visible" || !("wakeLock" in navigator)) return;
    navigator.wakeLock.request("screen").then(
      (l) => {
        if (over) void l.release();
        else lock = l;
      },
      () => undefined, // the device refuses, on low battery for one: play goes on
    );
  };
  ask();
  document.addEventListener("visibilitychange", ask);
  return () => {
    over = true;
    document.removeEventListener("visibilitychange", ask);
    void lock?.release();
  };
}
