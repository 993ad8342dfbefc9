import { mean, median } from '@gradsim/base';
import type { StopSignal } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';
import type { BoxOutlineOptions, BoxOutlines, ExposedBox, Film, PlacedCamera } from '@gradsim/film';
import { fitBoxOutlines, flightOfBox, largestIn, observedOutlines, startsOfTumble } from '@gradsim/film';
import { runStepsWithPauses, type WorkSteps } from '@gradsim/video';
import { type FittedToss, type Outlines, TossFit, type TossStart } from './fit.ts';
import { TOSS } from './tuning.ts';

/** Options of {@link findToss}. */
export interface TossOptions {
  /** Size of the box along its axes, m. */
  readonly size: readonly [number, number, number];
  /** Gravity, m/s^2, downwards; null to estimate it. */
  readonly gravity: number | null;
  readonly camera: PlacedCamera;
  readonly signal?: StopSignal;
  readonly log?: (line: string) => void;
}

/** Toss found in a film: a start of its estimate, and the outlines of the frames to compare. */
export interface FoundToss extends Pick<BoxOutlines, 'outlines' | 'check'> {
  readonly start: TossStart;
}

/**
 * Finds a toss in a film. Of the rotations that match the outlines in flight about equally well, and of many pairs of restitution
 * and friction, those are kept that explain the outlines of masks up to shortly after the first impact: every impact has several
 * similar outcomes, most of which are false minima. Then outlines are fitted to pixels, coarsely, over more and more frames as
 * long as the motion is predicted; and finely, from the motion through all of them.
 *
 * @throws when the film does not begin with the flight of a box of this size, or ends with it.
 */
export async function findToss(film: Film, options: TossOptions): Promise<FoundToss> {
  const search = new TossSearch(film, options);
  const flown = await search.flown();
  return search.grown(await runStepsWithPauses(search.tossesFrom(flown), options.signal), flown);
}

/** Flights that match the outlines before the first impact about equally well, the best first; and these outlines. */
interface Flown {
  readonly flights: readonly FittedToss[];
  readonly outlines: Outlines;
  /** Exposure time as a fraction of the frame interval. */
  readonly shutter: number;
}

class TossSearch {
  readonly #film: Film;
  readonly #options: TossOptions;
  readonly #fit: TossFit;
  /** Outlines from masks, in all frames. */
  readonly #rough: Outlines;

  constructor(film: Film, options: TossOptions) {
    const { size, gravity, camera } = options;
    this.#film = film;
    this.#options = options;
    this.#fit = new TossFit({ size, camera, times: film.times, falls: gravity === null });
    this.#rough = observedOutlines(film, largestIn(film.tracks));
  }

  /** Fits flights to masks, then to pixels. */
  async flown(): Promise<Flown> {
    const { size, gravity, camera, log } = this.#options;
    const flight = flightOfBox(largestIn(this.#film.tracks), camera.view, { size, gravity });
    const { end } = flight;
    const known = { size, flight, times: this.#film.times, end, falls: gravity === null };
    const tumbles = startsOfTumble(this.#rough, camera.view, known);
    log?.(
      `it flies up to frame ${end} at least; ways of turning show its outlines to ` +
        `${tumbles.map(({ residual }) => residual.toFixed(2)).join(', ')} pixels`,
    );
    refuseOthers(this.#rough.slice(0, end), tumbles[0].residual);
    // The last frame may show an impact already.
    const rough = this.#rough.slice(0, end - 1);
    const flights = near(
      tumbles.map((tumble) =>
        this.#fit.fit({ ...tumble, ...TOSS.material, gravity: flight.gravity + tumble.fall, camera: {} }, rough),
      ),
    );
    const { outlines: coarse, shutter } = await this.#look(flights[0], 0, end - 1, { rounds: 'coarse' });
    const [nearest] = near(flights.map(({ start }) => this.#fit.fit(start, coarse)));
    const { outlines } = await this.#look(nearest, 0, end - 1, { shutter, rounds: 'middle' });
    return { flights: near(flights.map(({ start }) => this.#fit.fit(start, outlines))), outlines, shutter };
  }

  /** Tosses that explain the frames up to shortly after the first impact, the best first. */
  *tossesFrom({ flights, outlines }: Flown): WorkSteps<FittedToss[]> {
    const { count, fitted } = TOSS.draws;
    const end = this.#endAfter(flights[0], TOSS.after[0]);
    const all = [...outlines, ...this.#rough.slice(outlines.length, end)];
    const tosses: FittedToss[] = [];
    for (const flight of flights) {
      const drawn = this.#fit
        .around(flight, count)
        .map((start) => ({ start, squares: this.#fit.squares(start, all) }))
        .sort(bySquares);
      for (const { start } of drawn.slice(0, fitted)) {
        tosses.push(this.#fit.fit(start, all));
        yield;
      }
    }
    return best(tosses);
  }

  /** Extends tosses to more and more frames, whose outlines are fitted to pixels, as long as they are predicted; then fits all. */
  async grown(tosses: readonly FittedToss[], { outlines: flown, shutter }: Flown): Promise<FoundToss> {
    const { log } = this.#options;
    let [kept, seen] = [tosses, flown];
    for (const after of TOSS.after) {
      const end = this.#endAfter(tosses[0], after);
      if (end <= seen.length) break;
      const rough = [...seen, ...this.#rough.slice(seen.length, end)];
      const extended = best(kept.map(({ start }) => this.#fit.fit(start, rough)));
      const look = await this.#look(extended[0], seen.length, end, { shutter, rounds: 'coarse' });
      const outlines = [...seen, ...look.outlines.slice(seen.length)];
      const fitted = best(extended.map(({ start }) => this.#fit.fit(start, outlines)));
      const off = outlines
        .slice(seen.length)
        .flatMap((outline, k) => (outline ? [this.#fit.distance(fitted[0], outline, seen.length + k)] : []));
      const { restitution, friction } = fitted[0].start;
      log?.(
        `up to frame ${end}: restitution ${restitution.toFixed(3)}, friction ${friction.toFixed(3)}; ` +
          `${off.length} of ${end - seen.length} further outlines are seen, ${off.map((px) => px.toFixed(2)).join(', ')} pixels off`,
      );
      const isLost = off.length < (end - seen.length) / 2 || mean(off) > TOSS.lost;
      if (isLost && seen !== flown) break;
      [kept, seen] = [fitted, outlines];
    }
    const { outlines, check } = await this.#look(kept[0], 0, seen.length, { shutter, rounds: 'fine' });
    const [{ start }] = best(kept.map(({ start }) => this.#fit.fit(start, outlines)));
    return { start, outlines, check };
  }

  /** Number of frames up to some seconds after the first impact, or to where impacts become many. */
  #endAfter({ motion }: FittedToss, seconds: number): number {
    const { count, frameRate, times } = this.#film;
    const [impact] = motion.impacts;
    if (impact === undefined)
      throw new GradsimError(
        'kinds/not-seen',
        `In the ${count} frames of the film no corner of the box reaches the floor.`,
        {
          hint: 'The film must go on to the impact; look at size and camera.',
        },
      );
    const firstAt = (seconds: number): number => times.findIndex((time) => time >= seconds);
    const dense = motion.impacts[TOSS.impacts];
    const last = dense === undefined ? count : Math.max(firstAt(dense), firstAt(impact) + 2);
    return Math.min(last, firstAt(impact) + Math.ceil(seconds * frameRate));
  }

  /** Outlines fitted to the pixels of some frames. */
  #look(toss: FittedToss, from: number, end: number, known: Pick<BoxOutlineOptions, 'shutter' | 'rounds'>) {
    const { size, signal } = this.#options;
    const states = toss.motion.states
      .slice(0, end)
      .map((_, frame) => (frame < from ? undefined : this.#exposed(toss, frame)));
    const { view } = this.#fit.cameraOf(toss.start);
    return fitBoxOutlines(this.#film, view, {
      size,
      states,
      // Whether it is seen, without its rim: masks of a box that is fast and near its shadow have no sharp one.
      observed: this.#rough.map((seen) => seen && { x: seen.x, y: seen.y, size: seen.size }),
      ...known,
      ...(signal ? { signal } : {}),
    });
  }

  /** State in a frame, with its path where a corner strikes while the shutter may be open. */
  #exposed({ start, motion }: FittedToss, frame: number): ExposedBox {
    const { frameRate, times } = this.#film;
    const step = 1 / (frameRate * TOSS.instants);
    const half = TOSS.instants >> 1;
    const middle = times[frame];
    const state = motion.states[frame];
    if (!motion.impacts.some((time) => Math.abs(time - middle) < half * step)) return state;
    const { states } = this.#fit.motion(
      start,
      Array.from({ length: 2 * half + 1 }, (_, k) => middle + (k - half) * step),
    );
    return { ...state, path: { step, states } };
  }
}

/**
 * @param residual distance of the outlines in flight from those of the best way of turning, px.
 * @throws if these are round, which those of a box that turns are not, or are not of such a box at all.
 */
function refuseOthers(outlines: Outlines, residual: number): void {
  const scatters = outlines.flatMap((outline) => {
    const { reaches } = outline ?? {};
    if (!reaches) return [];
    const usual = mean(reaches);
    return [Math.sqrt(mean(reaches.map((reach) => (reach / usual - 1) ** 2)))];
  });
  const size = median(outlines.flatMap((outline) => outline?.size ?? []));
  if (median(scatters) > TOSS.round && residual < TOSS.unlike * size) return;
  throw new GradsimError('kinds/not-seen', 'What flies is round in all directions, or moves as no box of this size.', {
    hint: 'Look by gradsim look at what moves, and at size and camera.',
  });
}

const bySquares = (a: { readonly squares: number }, b: { readonly squares: number }): number => a.squares - b.squares;

/** Flights about as good as the best one, the best first. */
function near(flights: readonly FittedToss[]): FittedToss[] {
  const sorted = [...flights].sort(bySquares);
  return sorted.filter(({ squares }) => squares <= TOSS.asNear * sorted[0].squares);
}

/** Best fits, each different from better ones, the best first. */
function best(fits: readonly FittedToss[]): FittedToss[] {
  const kept: FittedToss[] = [];
  for (const fit of [...fits].sort(bySquares)) {
    const isKnown = kept.some(({ start }) => {
      const { restitution: e, friction } = start;
      const apart = Math.abs(Math.log((e * (1 - fit.start.restitution)) / (fit.start.restitution * (1 - e))));
      return apart < TOSS.same && Math.abs(Math.log(friction / fit.start.friction)) < TOSS.same;
    });
    if (!isKnown) kept.push(fit);
    if (kept.length === TOSS.draws.kept) break;
  }
  return kept;
}
