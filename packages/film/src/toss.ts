import type { Device, FieldOf, Model, Quat, StopSignal, Vec3 } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';
import type { ArraySpec, Check, DerivedSpec, Estimate, ParameterSpec, Problem, Stage } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import type { FilmCamera } from './camera.ts';
import type { Film } from './film.ts';
import { boxOutlinesIn } from './fit/box/outlines.ts';
import { outlineShift } from './outlines/fields.ts';
import { outlinesIn, type SeenOutline } from './outlines/seen.ts';
import { outlineStage } from './outlines/stage.ts';
import { type BoxFlight, flightOfBox } from './starts/box-flight.ts';
import { largestIn } from './starts/tracks.ts';
import { startsOfTumble, statesOfTumble } from './starts/tumble.ts';
import type { BoxState } from './starts/turning.ts';
import { BOX } from './tuning/box.ts';

/** Start of a search for a toss: the state at frame 0, the material, and gravity, m/s^2 downwards. */
export interface TossStart extends BoxState {
  readonly restitution: number;
  readonly friction: number;
  readonly gravity: number;
}

/** A model of a tossed box, with its unknowns. */
export interface TossModel {
  /** Model of one body, with its outline by the plugin `outlines`. */
  readonly model: Model;
  /** Unknowns of contact with the floor: `restitution` and `friction`. */
  readonly material: readonly ParameterSpec[];
  /** Unknowns of the whole motion: the start, and `gravity`, its upward component, if it is to be estimated. */
  readonly motion: readonly ParameterSpec[];
  readonly arrays: readonly ArraySpec[];
  readonly derived?: Readonly<Record<string, DerivedSpec>>;
  /** Measured quantities with their tolerances, and ties that compute the model from them: used by the final stage. */
  readonly given?: Problem['given'];
  readonly ties?: Problem['ties'];
}

/** Options of {@link tossStage}. */
export interface TossOptions {
  /** Size of the box along its axes, m. */
  readonly size: readonly number[];
  /** Gravity, m/s^2, downwards; null to estimate it. */
  readonly gravity: number | null;
  /** Fields of the model's body: `Body` of `@gradsim/rigid`. */
  readonly body: {
    readonly position: FieldOf<Vec3>;
    readonly velocity: FieldOf<Vec3>;
    readonly orientation: FieldOf<Quat>;
    readonly angularVelocity: FieldOf<Vec3>;
  };
  /** Makes the model from a start, for each search. */
  readonly tossed: (start: TossStart) => TossModel;
  readonly device: Device;
  readonly signal?: StopSignal;
  readonly log?: (line: string) => void;
}

/**
 * Stage for a film of a box that is tossed onto a floor: searches what the final estimate starts from and compares. First the
 * flight: of the ways of turning that are about as near to its outlines, the one that explains its pixels. Then what comes after,
 * from the nearest of several materials, some frames more each time, as long as the result is to be trusted: every impact has
 * several outcomes that are near to each other, most of which are false minima.
 *
 * ```ts
 * return [await tossStage(film, camera, { size, gravity: 9.81, body: Body, tossed, device, signal, log })];
 * ```
 * @throws when no box of this size is seen to fly at first.
 */
export async function tossStage(film: Film, camera: FilmCamera, options: TossOptions): Promise<Stage> {
  const search = new TossSearch(film, camera, options);
  const flown = await search.flight();
  let chosen: Grown | undefined;
  for (const steps of BOX.toss.after) {
    const grown = await search.growFrom(flown, steps);
    if (grown.trusted || !chosen) chosen = grown;
    if (grown.trusted) break;
  }
  return chosen!.stage;
}

type Outlines = readonly (SeenOutline | undefined)[];

/** Flight before the floor: its estimate, gravity, m/s^2 downwards, and the outlines from pixels. */
interface Flown {
  readonly found: Estimate;
  readonly gravity: number;
  readonly outlines: Outlines;
  readonly shutter: number;
}

interface Grown {
  readonly stage: Stage;
  readonly trusted: boolean;
}

const FINE = BOX.toss.fine * BOX.toss.substeps;

class TossSearch {
  readonly #film: Film;
  readonly #camera: FilmCamera;
  readonly #options: TossOptions;
  readonly #flight: BoxFlight;
  /** Outlines from masks, of all frames. */
  readonly #rough: Outlines;
  readonly #states: readonly Check[];

  constructor(film: Film, camera: FilmCamera, options: TossOptions) {
    const { size, gravity, body } = options;
    this.#film = film;
    this.#camera = camera;
    this.#options = options;
    const track = largestIn(film.tracks);
    this.#flight = flightOfBox(track, camera, { size, gravity });
    this.#rough = outlinesIn(film, track);
    // Checks without findings, so that an estimate predicts the motion of the box.
    this.#states = [body.position, body.velocity, body.orientation, body.angularVelocity].map((field) => ({
      field,
      of: () => undefined,
    }));
  }

  /**
   * Flight from pixels: among the rotations about equally close to its outlines, the one that explains most of them.
   */
  async flight(): Promise<Flown> {
    const { size, gravity, log } = this.#options;
    const { asNear, fewest, material } = BOX.toss;
    const { frameRate } = this.#film;
    const { end } = this.#flight;
    const falls = gravity === null;
    const known = { size, flight: this.#flight, frameRate, end, falls };
    const tumbles = startsOfTumble(this.#rough, this.#camera, known);
    log?.(
      `it flies up to frame ${end} at least; ways of turning show its outlines to ` +
        `${tumbles.map(({ residual }) => residual.toFixed(2)).join(', ')} pixels`,
    );
    const flights = [];
    for (const tumble of tumbles.filter(({ residual }) => residual < asNear * tumbles[0].residual)) {
      const pull = this.#flight.gravity + tumble.fall;
      const states = statesOfTumble(tumble, { size, gravity: pull, frameRate, frames: end });
      const { outlines } = this.#look(states);
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
        'film/not-seen',
        `No box of ${size.join(' x ')} m is seen to fly in the first ${end} frames.`,
        { hint: 'Look at size, camera and background.' },
      );
    const [best] = flights.sort((a, b) => a.off - b.off);
    return { ...best, ...this.#look(this.#statesOf(best.found)) };
  }

  /**
   * Motion after the flight, extended by some frames each time.
   *
   * @param steps durations of the film that count after the flight, s.
   */
  async growFrom(flown: Flown, steps: readonly number[]): Promise<Grown> {
    const { log } = this.#options;
    const { lost, again } = BOX.toss;
    const { end: flies } = this.#flight;
    const ends = steps.map((seconds) => Math.min(this.#film.count, flies + Math.ceil(seconds * this.#film.frameRate)));
    let seen: Outlines = [...flown.outlines, ...this.#rough.slice(flies, ends[0])];
    let coarse = await this.#nearestMaterial(this.#startOf(flown.found, flown.gravity), seen);
    let chosen: Grown | undefined;
    let known = flies - again;
    for (const [k, end] of ends.entries()) {
      const states = this.#statesOf(coarse).map((state, frame) => (frame < known ? undefined : state));
      seen = [...seen.slice(0, known), ...this.#look(states, flown.shutter).outlines.slice(known)];
      known = end - again;
      const found = await this.#solve(this.#stage(this.#startOf(coarse, flown.gravity), seen, { substeps: FINE }));
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

  /** Best of the searches from the materials that are closest at first. */
  async #nearestMaterial(begin: TossStart, seen: Outlines): Promise<Estimate> {
    const { restitutions, frictions, tried } = BOX.toss;
    const starts = [];
    for (const restitution of restitutions)
      for (const friction of frictions) {
        const start = { ...begin, restitution, friction };
        const { problem, ...stage } = this.#stage(start, seen);
        const { loss } = await this.#solve({
          ...stage,
          problem: { ...problem, options: { search: { iterations: 0 } } },
        });
        starts.push({ start, loss });
      }
    let best: Estimate | undefined;
    for (const { start } of starts.sort((a, b) => a.loss - b.loss).slice(0, tried)) {
      const found = await this.#solve(this.#stage(start, seen));
      if (!best || found.loss < best.loss) best = found;
    }
    return best!;
  }

  /** Stage of the first frames of the film, as many as there are outlines. */
  #stage(start: TossStart, seen: Outlines, { touches = true, substeps = BOX.toss.substeps as number } = {}): Stage {
    const { model, material, motion, arrays, derived } = this.#options.tossed(start);
    return outlineStage(this.#film, model, {
      name: 'toss',
      substeps: Math.ceil(substeps / this.#film.frameRate),
      parameters: [...(touches ? material : []), ...motion],
      arrays,
      frames: seen.length,
      outlines: seen,
      fitsShape: true,
      checks: this.#states,
      ...(derived ? { derived } : {}),
      // The compared part of the film grows by itself.
      options: { search: { method: 'levenberg-marquardt', horizons: [1] } },
    });
  }

  /** The stage with given quantities, from where a search without them ended: shifts of outlines included, which no state holds. */
  #finalStage(start: TossStart, seen: Outlines, { parameters, parts }: Estimate): Stage {
    const { problem, ...stage } = this.#stage(start, seen, { substeps: FINE });
    const { given, ties } = this.#options.tossed(start);
    return {
      ...stage,
      problem: {
        ...problem,
        given,
        ties,
        parameters: problem.parameters!.map((spec) =>
          spec.field === outlineShift ? { ...spec, start: parameters[spec.name].estimate } : spec,
        ),
        options: { search: { ...problem.options!.search, reached: parts.observations } },
      },
    };
  }

  #solve({ problem }: Stage): Promise<Estimate> {
    const { device, signal } = this.#options;
    return estimate(problem, { device, signal });
  }

  #look(states: readonly (BoxState | undefined)[], shutter?: number) {
    const { size } = this.#options;
    return boxOutlinesIn(this.#film, this.#camera, { size, states, ...(shutter === undefined ? {} : { shutter }) });
  }

  /** States at an estimate, frame by frame. */
  #statesOf({ predicted }: Estimate): BoxState[] {
    const { position, velocity, orientation, angularVelocity } = this.#options.body;
    const at = ({ key }: { readonly key: string }, components: number, frame: number): number[] => [
      ...predicted[key].slice(components * frame, components * (frame + 1)),
    ];
    return Array.from({ length: predicted[position.key].length / 3 }, (_, frame) => ({
      position: at(position, 3, frame),
      velocity: at(velocity, 3, frame),
      orientation: at(orientation, 4, frame),
      angularVelocity: at(angularVelocity, 3, frame),
    }));
  }

  #startOf(found: Estimate, gravity: number): TossStart {
    const { material, bounds } = BOX.toss;
    const { parameters } = found;
    const within = (name: 'restitution' | 'friction'): number => {
      const [least, most] = bounds[name];
      return Math.min(Math.max(parameters[name]?.estimate ?? material[name], least), most);
    };
    return {
      ...this.#statesOf(found)[0],
      restitution: within('restitution'),
      friction: within('friction'),
      gravity: parameters.gravity ? -parameters.gravity.estimate : gravity,
    };
  }
}
