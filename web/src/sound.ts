// Sounds made by Web Audio. There is none for a fallen flag: noticing it is the players' business (WBCA 12).

export type Sound = "move" | "press" | "paired" | "verdict" | "refused" | "call";

const KEY = "flagfall.volume";

let context: AudioContext | undefined;

export const soundOn = (): boolean => read() !== "off";

export function setSound(on: boolean): void {
  try {
    localStorage.setItem(KEY, on ? "on" : "off");
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
    fallback = on ? "on" : "off";
  }
}

let fallback = "on";

function read(): string {
  try {
    return localStorage.getItem(KEY) ?? fallback;
  } catch {
    return fallback;
  }
}

export function play(sound: Sound): void {
  if (!soundOn() || typeof AudioContext === "undefined") return;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume().catch(() => undefined);
  const t = context.currentTime;
  for (const [make, delay, hertz, length, gain] of SCORE[sound]) make(t + delay, hertz, length, gain);
}

type Make = (at: number, hertz: number, length: number, gain: number) => void;

const SCORE: Record<Sound, [make: Make, delay: number, hertz: number, length: number, gain: number][]> = {
  move: [[knock, 0, 900, 0.05, 0.5]],
  press: [[knock, 0, 1900, 0.03, 0.35], [knock, 0.035, 520, 0.06, 0.5]],
  paired: [[tone, 0, 587, 0.16, 0.2], [tone, 0.14, 880, 0.3, 0.2]],
  verdict: [[tone, 0, 440, 0.5, 0.14], [tone, 0, 554, 0.5, 0.12], [tone, 0.02, 330, 0.7, 0.14]],
  call: [[tone, 0, 988, 0.5, 0.25], [tone, 0.35, 784, 0.7, 0.25], [tone, 1.2, 988, 0.5, 0.25], [tone, 1.55, 784, 0.7, 0.25]],
  refused: [[tone, 0, 180, 0.12, 0.2]],
};

function knock(at: number, hertz: number, length: number, gain: number): void {
  const c = context!;
  const frames = Math.ceil(c.sampleRate * length);
  const buffer = c.createBuffer(1, frames, c.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < frames; i++) data[i] = (Math.random() * 2 - 1) * (1 - i / frames) ** 3;
  const source = new AudioBufferSourceNode(c, { buffer });
  const filter = new BiquadFilterNode(c, { type: "bandpass", frequency: hertz, Q: 1.2 });
  source.connect(filter).connect(new GainNode(c, { gain })).connect(c.destination);
  source.start(at);
}

function tone(at: number, hertz: number, length: number, gain: number): void {
  const c = context!;
  const source = new OscillatorNode(c, { type: "triangle", frequency: hertz });
  const envelope = new GainNode(c, { gain: 0 });
  envelope.gain.setValueAtTime(0, at);
  envelope.gain.linearRampToValueAtTime(gain, at + 0.01);
  envelope.gain.exponentialRampToValueAtTime(0.0001, at + length);
  source.connect(envelope).connect(c.destination);
  source.start(at);
  source.stop(at + length);
}

/** A short vibration where the device has one. Browsers allow none before the page was touched, and complain. */
export function buzz(): void {
  if ("vibrate" in navigator && navigator.userActivation?.hasBeenActive !== false) navigator.vibrate([120, 60, 120]);
}
