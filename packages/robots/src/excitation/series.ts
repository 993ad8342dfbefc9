/** Motion of the joints at some times: [joint][sample]. */
export interface MotionSamples {
  readonly time: Float64Array;
  readonly positions: readonly Float64Array[];
  readonly rates: readonly Float64Array[];
  readonly accelerations: readonly Float64Array[];
}

/** Functions of a series at some times, with their first and second derivatives: [function][sample]. */
export interface Series {
  readonly time: Float64Array;
  /** Frequency of each function, Hz. */
  readonly frequencies: readonly number[];
  readonly values: readonly Float64Array[];
  readonly rates: readonly Float64Array[];
  readonly accelerations: readonly Float64Array[];
}

/** Frequencies of a series, at most. */
const MAX_FREQUENCIES = 20;

/** Evenly spaced times from 0 to so many seconds. */
export const timesOf = (seconds: number, step: number): Float64Array =>
  Float64Array.from({ length: Math.round(seconds / step) + 1 }, (_, s) => s * step);

/**
 * Sines and cosines whose frequencies are multiples of 1 / seconds up to a highest one, so that the motion does not repeat
 * (Fourier series: Swevers and others 1997), times a ramp at either end, so that it begins and ends at rest.
 */
export function seriesAt(time: Float64Array, seconds: number, highest: number): Series {
  const all = Math.max(Math.floor(seconds * highest + 1e-9), 1);
  const count = Math.min(all, MAX_FREQUENCIES);
  const multiples = Array.from({ length: count }, (_, k) => Math.round(((k + 1) * all) / count));
  const frequencies = multiples.flatMap((k) => [k / seconds, k / seconds]);
  const ramps = Array.from(time, (t) => rampAt(t, seconds, highest));
  const functions = frequencies.map((f, k) => {
    const w = 2 * Math.PI * f;
    const shift = k % 2 === 0 ? 0 : Math.PI / 2;
    return Array.from(time, (t, s) => {
      const [x, rate] = [Math.sin(w * t + shift), w * Math.cos(w * t + shift)];
      return windowed(ramps[s], [x, rate, -w * w * x]);
    });
  });
  const of = (at: number): Float64Array[] => functions.map((samples) => Float64Array.from(samples, (x) => x[at]));
  return { time, frequencies, values: of(0), rates: of(1), accelerations: of(2) };
}

/**
 * A chirp: a sine whose frequency grows evenly from 0.1 Hz, or the highest one if that is less, to the highest one, with
 * the same ramps.
 */
export function chirpAt(time: Float64Array, seconds: number, highest: number): Omit<Series, 'frequencies'> {
  const lowest = Math.min(0.1, highest);
  const samples = Array.from(time, (t) => {
    const angle = 2 * Math.PI * (lowest * t + ((highest - lowest) * t * t) / (2 * seconds));
    const w = 2 * Math.PI * (lowest + ((highest - lowest) * t) / seconds);
    const change = (2 * Math.PI * (highest - lowest)) / seconds;
    const acceleration = change * Math.cos(angle) - w * w * Math.sin(angle);
    return windowed(rampAt(t, seconds, highest), [Math.sin(angle), w * Math.cos(angle), acceleration]);
  });
  const of = (at: number): Float64Array[] => [Float64Array.from(samples, (x) => x[at])];
  return { time, values: of(0), rates: of(1), accelerations: of(2) };
}

type Derivatives = readonly [number, number, number];

/** A function times a ramp, with both derivatives. */
const windowed = ([r, r1, r2]: Derivatives, [x, x1, x2]: Derivatives): Derivatives => [
  r * x,
  r1 * x + r * x1,
  r2 * x + 2 * r1 * x1 + r * x2,
];

/** A ramp from 0 to 1 and back whose first and second derivatives begin and end at 0: 10 s^3 - 15 s^4 + 6 s^5. */
function rampAt(t: number, seconds: number, highest: number): Derivatives {
  const length = Math.min(1 / highest, seconds / 4);
  const isRising = t < seconds / 2;
  const s = Math.min(Math.max((isRising ? t : seconds - t) / length, 0), 1);
  const way = isRising ? 1 : -1;
  return [
    s ** 3 * (10 - 15 * s + 6 * s * s),
    (way * 30 * s * s * (1 - s) ** 2) / length,
    (60 * s * (1 - s) * (1 - 2 * s)) / length ** 2,
  ];
}
