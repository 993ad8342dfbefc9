import type { Device, Model, StopSignal } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';
import type { BoxFlight, BoxState, Film, FilmCamera, ObservedOutline } from '@gradsim/film';
import {
  fitBoxOutlines,
  flightOfBox,
  largestIn,
  observedOutlines,
  outlineBias,
  outlineFitStage,
  startsOfTumble,
  statesOfTumble,
} from '@gradsim/film';
import { boxStates, stateFields } from '@gradsim/kinds/define';
import type { ArraySpec, DerivedSpec, Estimate, ParameterSpec, Problem, Stage } from '@gradsim/optim';
import { estimate, search } from '@gradsim/optim';
import { TOSS } from './tuning.ts';

/**
 * Start of a search for a toss: the box's state at frame 0, the contact coefficients, and gravity, m/s^2, downwards.
 */
export interface TossStart extends BoxState {
  readonly restitution: number;
  readonly friction: number;
  readonly gravity: number;
}

/** A model of a tossed box, with its unknowns. */
export interface TossModel {
  /** Model of one body, with the plugin `projectedOutline`. */
  readonly model: Model;
  /** Unknowns of contact with the floor: `restitution` and `friction`. */
  readonly material: readonly ParameterSpec[];
  /**
   * Unknowns of the motion: the initial state, and, if it is to be estimated, `gravity`, m/s^2, downwards.
   */
  readonly motion: readonly ParameterSpec[];
  readonly arrays: readonly ArraySpec[];
  readonly derived?: Readonly<Record<string, DerivedSpec>>;
  /** Ties of the model to these unknowns. */
  readonly ties?: Problem['ties'];
  /**
   * Measured quantities with their tolerances, and ties that compute the model from them: used by the final stage only.
   */
  readonly given?: Problem['given'];
  readonly givenTies?: Problem['ties'];
}

/** Options of {@link tossStage}. */
export interface TossOptions {
  /** Size of the box along its axes, m. */
  readonly size: readonly number[];
  /** Gravity, m/s^2, downwards; null to estimate it. */
  readonly gravity: number | null;
  /** Makes the model with its unknowns from a start; called for each search. */
  readonly tossed: (start: TossStart) => TossModel;
  readonly device: Device;
  readonly signal?: StopSignal;
  readonly log?: (line: string) => void;
}

/**
 * Stage for a film of a box that is tossed onto a floor: searches the start of the final estimate, and the frames that
 * it compares. First the flight is fitted: of the rotations that match its outlines about equally well, the one that
 * best explains its pixels. Then the motion after the flight, from the best of several pairs of restitution and
 * friction, over more and more frames as long as the result is trusted: every impact has several similar outcomes, most
 * of which are false minima.
 *
 * ```ts
 * return [await tossStage(film, camera, { size, gravity: 9.81, tossed, device, signal, log })];
 * ```
 * @throws when the film does not begin with the flight of a box of this size.
 */
export async function tossStage(film: Film, camera: FilmCamera, options: TossOptions): Promise<Stage> {
  const search = new TossSearch(film, camera, options);
  const flown = await search.flight();
  let chosen: Grown | undefined;
  for (const steps of TOSS.after) {
    const grown = await search.growFrom(flown, steps);
    if (grown.trusted || !chosen) chosen = grown;
    if (grown.trusted) break;
  }
  return chosen!.stage;
}

type Outlines = readonly (ObservedOutline | undefined)[];

/**
 * Flight before the floor: its estimate, gravity, m/s^2, downwards, the outlines fitted to pixels, and the exposure
 * time as a fraction of the frame interval.
 */
interface TriedFlight {
  readonly found: Estimate;
  readonly gravity: number;
  readonly outlines: Outlines;
  readonly shutter: number;
}

interface Grown {
  readonly stage: Stage;
  readonly trusted: boolean;
}

const FINE = TOSS.fine * TOSS.substeps;

class TossSearch {
  readonly #film: Film;
  readonly #camera: FilmCamera;
  readonly #options: TossOptions;
  readonly #flight: BoxFlight;
  /** Outlines from masks, in all frames. */
  readonly #rough: Outlines;

  constructor(film: Film, camera: FilmCamera, options: TossOptions) {
    const { size, gravity } = options;
    this.#film = film;
    this.#camera = camera;
    this.#options = options;
    const track = largestIn(film.tracks);
    this.#flight = flightOfBox(track, camera, { size, gravity });
    this.#rough = observedOutlines(film, track);
  }

  /**
   * Flight fitted to pixels: of the rotations that match the outlines about equally well, the one with the smallest
   * loss, raised by a penalty for frames whose pixels it does not explain.
   */
  async flight(): Promise<TriedFlight> {
    const { size, gravity, log } = this.#options;
    const { asNear, fewest, material } = TOSS;
    const { times } = this.#film;
    const { end } = this.#flight;
    const falls = gravity === null;
    const known = { size, flight: this.#flight, times, end, falls };
    const tumbles = startsOfTumble(this.#rough, this.#camera, known);
    log?.(
      `it flies up to frame ${end} at least; ways of turning show its outlines to ` +
        `${tumbles.map(({ residual }) => residual.toFixed(2)).join(', ')} pixels`,
    );
    const flights = [];
    for (const tumble of tumbles.filter(({ residual }) => residual < asNear * tumbles[0].residual)) {
      const pull = this.#flight.gravity + tumble.fall;
      const states = statesOfTumble(tumble, { size, gravity: pull, times: times.slice(0, end) });
      const { outlines } = await this.#look(states);
      if (outlines.filter((one) => one).length < fewest) continue;
      const found = await this.#solve(
        this.#stage({ ...tumble, ...material, gravity: pull }, outlines, { touches: false }),
      );
      const unseen = outlines.filter((one) => !one).length / outlines.length;
      log?.(`one way of turning: loss ${found.loss.toPrecision(3)}, ${Math.round(100 * unseen)} % not seen`);
      flights.push({ found, gravity: pull, off: found.loss / (1 - unseen) ** 4 });
    }
    if (flights.length === 0)
      throw new GradsimError(
        'kinds/not-seen',
        `No box of ${size.join(' x ')} m is seen to fly in the first ${end} frames.`,
        { hint: 'Look at size, camera and background.' },
      );
    const [best] = flights.sort((a, b) => a.off - b.off);
    return { ...best, ...(await this.#look(boxStates(best.found))) };
  }

  /**
   * Extends the fitted motion beyond the flight, by some frames in each step.
   *
   * @param steps durations after the flight that are compared, ascending, s.
   */
  async growFrom(flown: TriedFlight, steps: readonly number[]): Promise<Grown> {
    const { log } = this.#options;
    const { lost, again } = TOSS;
    const { end: flies } = this.#flight;
    const ends = steps.map((seconds) => Math.min(this.#film.count, flies + Math.ceil(seconds * this.#film.frameRate)));
    let seen: Outlines = [...flown.outlines, ...this.#rough.slice(flies, ends[0])];
    let coarse = await this.#nearestMaterial(this.#startOf(flown.found, flown.gravity), seen);
    let chosen: Grown | undefined;
    let known = flies - again;
    for (const [k, end] of ends.entries()) {
      const states = boxStates(coarse).map((state, frame) => (frame < known ? undefined : state));
      seen = [...seen.slice(0, known), ...(await this.#look(states, flown.shutter)).outlines.slice(known)];
      known = end - again;
      const near = this.#startOf(coarse, flown.gravity);
      let found = await this.#estimateToJudge(this.#stage(near, seen, { substeps: FINE }));
      // Another corner may have struck first.
      if (!found.verdict.trusted && k === 0) {
        const other = await this.#fromMany(near, seen);
        if (other.loss < found.loss) found = other;
      }
      const { trusted } = found.verdict;
      const after = seen.slice(flies).filter((one) => one).length;
      log?.(
        `up to frame ${end}: loss ${found.loss.toPrecision(3)}; ${after} of ${end - flies} frames after the flight by pixels${trusted ? '' : '; not to be trusted'}`,
      );
      // Frames that cannot be predicted any more add nothing.
      if (chosen?.trusted && !trusted) break;
      const start = this.#startOf(found, flown.gravity);
      chosen = {
        stage: this.#finalStage(start, seen, found),
        trusted: trusted || (chosen?.trusted ?? false),
      };
      if (k === ends.length - 1 || found.loss > lost) break;
      seen = [...seen, ...this.#rough.slice(end, ends[k + 1])];
      coarse = await this.#solve(this.#stage(start, seen));
    }
    return chosen!;
  }

  /** Best estimate of searches from several pairs of restitution and friction: those with the smallest initial loss. */
  async #nearestMaterial(begin: TossStart, seen: Outlines): Promise<Estimate> {
    const { restitutions, frictions, tried } = TOSS;
    const { device, signal } = this.#options;
    const starts = [];
    for (const restitution of restitutions)
      for (const friction of frictions) {
        const start = { ...begin, restitution, friction };
        const { problem } = this.#stage(start, seen);
        const options = { ...problem.options, search: { iterations: 0 } };
        const { loss } = await search({ ...problem, options }, { device, signal });
        starts.push({ start, loss });
      }
    let best: Estimate | undefined;
    for (const { start } of starts.sort((a, b) => a.loss - b.loss).slice(0, tried)) {
      const found = await this.#solve(this.#stage(start, seen));
      if (!best || found.loss < best.loss) best = found;
    }
    return best!;
  }

  /**
   * Estimate from many points that the flight allows, with any restitution and friction; the best are refined. A small
   * change of the spin may change which corner strikes.
   */
  #fromMany(begin: TossStart, seen: Outlines): Promise<Estimate> {
    const horizons = [this.#flight.end / seen.length, 1];
    const { problem, ...stage } = this.#stage(begin, seen, { substeps: FINE });
    const options = { ...problem.options, search: { ...problem.options!.search, horizons, starts: TOSS.starts } };
    return this.#estimateToJudge({ ...stage, problem: { ...problem, options } });
  }

  /** Stage that compares the first frames of the film, as many as there are outlines. */
  #stage(
    start: TossStart,
    seen: Outlines,
    { touches = true, substeps = TOSS.substeps as number, isFinal = false } = {},
  ): Stage {
    const { model, material, motion, arrays, ties = [], given, givenTies = [], derived } = this.#options.tossed(start);
    return outlineFitStage(this.#film, model, {
      name: 'toss',
      substeps: Math.ceil(substeps / this.#film.frameRate),
      parameters: [...(touches ? material : []), ...motion],
      arrays,
      ...(isFinal && given ? { given } : {}),
      ties: isFinal ? [...ties, ...givenTies] : ties,
      frames: seen.length,
      outlines: seen,
      fitsShape: true,
      predict: stateFields,
      ...(derived ? { derived } : {}),
      // The compared part of the film grows by itself.
      options: { search: { method: 'levenberg-marquardt', horizons: [1] } },
    });
  }

  /**
   * Final stage, with given quantities: starts where a search without them ended, including the outlines' common
   * shifts, which no state holds.
   */
  #finalStage(start: TossStart, seen: Outlines, { parameters, parts }: Estimate): Stage {
    const { problem, ...stage } = this.#stage(start, seen, { substeps: FINE, isFinal: true });
    return {
      ...stage,
      problem: {
        ...problem,
        parameters: problem.parameters!.map((spec) =>
          spec.field === outlineBias ? { ...spec, start: parameters[spec.name].estimate } : spec,
        ),
        options: { ...problem.options, search: { ...problem.options!.search, reached: parts.observations } },
      },
    };
  }

  /** Estimate that only provides a start, without checks of its intervals. */
  #solve({ problem, ...stage }: Stage): Promise<Estimate> {
    const options = { ...problem.options, uncertainty: { intervals: 'curvature' } } as const;
    return this.#estimateToJudge({ ...stage, problem: { ...problem, options } });
  }

  /** Estimate whose verdict counts. */
  #estimateToJudge({ problem }: Stage): Promise<Estimate> {
    const { device, signal } = this.#options;
    return estimate(problem, { device, signal });
  }

  #look(states: readonly (BoxState | undefined)[], shutter?: number) {
    const { size, signal } = this.#options;
    const known = shutter === undefined ? {} : { shutter };
    return fitBoxOutlines(this.#film, this.#camera, { size, states, ...known, ...(signal ? { signal } : {}) });
  }

  #startOf(found: Estimate, gravity: number): TossStart {
    const { material, bounds } = TOSS;
    const { parameters } = found;
    const within = (name: 'restitution' | 'friction'): number => {
      const [least, most] = bounds[name];
      return Math.min(Math.max(parameters[name]?.estimate ?? material[name], least), most);
    };
    return {
      ...boxStates(found)[0],
      restitution: within('restitution'),
      friction: within('friction'),
      gravity: parameters.gravity?.estimate ?? gravity,
    };
  }
}
