import { median } from '@gradsim/base';
import type { JointLog } from './joint-log.ts';

/** Samples on either side whose median a sample is compared with: spikes of up to as many samples are found. */
const WINDOW_REACH = 3;
/** Distances from the median that count as a spike, over the usual ones and over the usual step of a sample. */
const SPIKE_DISTANCES = { ofMedian: 15, ofMost: 4, ofSteps: 3 };
/** Part of the samples of which distances and steps are usual. */
const USUAL_SHARE = 0.95;
/** Part of the samples above which they are no spikes. */
const TOO_MANY = 0.02;

/** Samples of a joint that stand apart from those before and after, and are left out. */
export interface Spikes {
  readonly log: string;
  /** Index of the joint. */
  readonly joint: number;
  readonly quantity: 'positions' | 'torques';
  /** Times of the first sample of each, s. */
  readonly seconds: readonly number[];
}

/** A log whose spikes, of encoders or of torques, are replaced by what lies between their neighbours. */
export function withoutSpikes(log: JointLog): { readonly log: JointLog; readonly spikes: readonly Spikes[] } {
  const known = CLEANED.get(log);
  if (known) return known;
  const spikes: Spikes[] = [];
  const clean = (quantity: Spikes['quantity']): number[][] =>
    log[quantity].map((values, joint) => {
      const at = spikesOf(values);
      if (at.length === 0) return values as number[];
      const seconds = at.filter((k, i) => k !== at[i - 1] + 1).map((k) => log.time[k]);
      spikes.push({ log: log.name, joint, quantity, seconds });
      return interpolated(log.time, values, new Set(at));
    });
  const found = { log: { ...log, positions: clean('positions'), torques: clean('torques') }, spikes };
  CLEANED.set(log, found);
  CLEANED.set(found.log, { log: found.log, spikes: [] });
  return found;
}

/** Logs are read several times, with other delays and for other robots. */
const CLEANED = new WeakMap<JointLog, { readonly log: JointLog; readonly spikes: readonly Spikes[] }>();

function spikesOf(values: readonly number[]): number[] {
  const apart = values.map((x, k) => {
    const around = values.slice(Math.max(k - WINDOW_REACH, 0), k + WINDOW_REACH + 1);
    return around.length < 2 * WINDOW_REACH + 1 ? 0 : Math.abs(x - median(around));
  });
  const steps = values.slice(1).map((x, k) => Math.abs(x - values[k]));
  const usual = (of: readonly number[]): number =>
    [...of].sort((a, b) => a - b)[Math.floor(USUAL_SHARE * (of.length - 1))];
  const far = Math.max(
    SPIKE_DISTANCES.ofMedian * median(apart),
    SPIKE_DISTANCES.ofMost * usual(apart),
    SPIKE_DISTANCES.ofSteps * usual(steps),
  );
  const at = apart.flatMap((x, k) => (x > far ? [k] : []));
  return at.length > TOO_MANY * values.length ? [] : at;
}

function interpolated(time: readonly number[], values: readonly number[], gone: ReadonlySet<number>): number[] {
  return values.map((x, k) => {
    if (!gone.has(k)) return x;
    let [before, after] = [k, k];
    while (gone.has(before)) before--;
    while (gone.has(after)) after++;
    return (
      values[before] + ((values[after] - values[before]) * (time[k] - time[before])) / (time[after] - time[before])
    );
  });
}
