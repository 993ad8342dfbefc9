import { levenbergMarquardt, multiplyQuaternions, randomNumbers, rotationAbout, standardNormal } from '@gradsim/base';
import { symmetricEigen } from '@gradsim/base/decompositions';
import type { BoxState, ObservedOutline, PlacedCamera } from '@gradsim/film';
import { cameraAt } from '@gradsim/film';
import { type BoxView, boxOffsets, boxResiduals } from '@gradsim/kinds/define';
import type { NamedValues } from '@gradsim/optim';
import { type BoxMotion, bouncing } from './motion.ts';
import { TOSS } from './tuning.ts';

/**
 * Start of a search for a toss: the box's state at frame 0, the contact coefficients, gravity, m/s^2, downwards, and the
 * quantities of the camera that are known to a tolerance.
 */
export interface TossStart extends BoxState {
  readonly restitution: number;
  readonly friction: number;
  readonly gravity: number;
  readonly camera: NamedValues;
}

/** Film of a toss: the box, the camera, and the times of frames, s. */
export interface TossFilm {
  /** Size of the box along its axes, m. */
  readonly size: readonly [number, number, number];
  /** True if gravity is to be estimated. */
  readonly falls: boolean;
  readonly camera: PlacedCamera;
  readonly times: readonly number[];
}

export type Outlines = readonly (ObservedOutline | undefined)[];

/** Toss that fits outlines. */
export interface FittedToss {
  readonly start: TossStart;
  /** Sum of the squared residuals, in which frames far off count less, and of the priors'. */
  readonly squares: number;
  /** Motion at the times of all frames. */
  readonly motion: BoxMotion;
  /** Rows of J^T J, with the unknowns in units of their scales. */
  readonly normal: readonly (readonly number[])[];
}

/** Quantities of a camera whose errors a motion over the floor tells; other ones move it along the floor, or about it. */
const TOLD = ['field of view', 'focal length', 'eye y', 'target y', 'roll of the camera'];

/** Index of the unknown that is the px by which all outlines are larger; those of the camera follow. */
const BIAS = 14;

/** An unknown beside the rotation, with its prior. */
interface Unknown {
  readonly scale: number;
  readonly prior?: { readonly mean: number; readonly deviation: number };
}

const unknowns = (count: number, scale: number): Unknown[] => Array.from({ length: count }, () => ({ scale }));

/** Fits tosses of a film to outlines in its frames, by least squares in a model that takes a millisecond. */
export class TossFit {
  readonly #film: TossFilm;
  readonly #told: PlacedCamera['given'];
  readonly #unknowns: readonly Unknown[];
  readonly #random = randomNumbers(1);

  constructor(film: TossFilm) {
    const { scales, bias, priors } = TOSS.fit;
    this.#film = film;
    this.#told = film.camera.given.filter(({ name, tolerance }) => TOLD.includes(name) && tolerance > 0);
    this.#unknowns = [
      ...unknowns(3, scales.turn),
      ...unknowns(3, scales.spin),
      ...unknowns(3, scales.position),
      ...unknowns(3, scales.velocity),
      { scale: scales.material, prior: priors.logitRestitution },
      { scale: scales.material, prior: priors.logFriction },
      { scale: bias, prior: { mean: 0, deviation: bias } },
      ...this.#told.map(({ value, tolerance }) => ({ scale: tolerance, prior: { mean: value, deviation: tolerance } })),
      ...(film.falls ? [{ scale: scales.gravity, prior: priors.gravity }] : []),
    ];
  }

  /** Toss that fits the outlines of the first frames best, near a start. */
  fit(start: TossStart, outlines: Outlines): FittedToss {
    const values = this.#valuesOf(start);
    const residuals = (tried: readonly number[]): number[] => this.#residuals(start, tried, outlines);
    const scales = this.#unknowns.map(({ scale }) => scale);
    const derivatives = (tried: readonly number[]): Float64Array[] => {
      const { states } = this.motion(this.#startAt(start, tried), this.#film.times.slice(0, outlines.length));
      const here = this.#residuals(start, tried, outlines, states);
      return scales.map((scale, k) => {
        const step = TOSS.fit.step * scale;
        const moved = tried.map((value, j) => (j === k ? value + step : value));
        // The size of outlines and the camera do not move the box.
        const isSeenOnly = k >= BIAS && k <= BIAS + this.#told.length;
        const there = this.#residuals(start, moved, outlines, isSeenOnly ? states : undefined);
        return Float64Array.from(here, (r, i) => (there[i] - r) / step);
      });
    };
    const block = { unknowns: [...scales.keys()], residuals, derivatives };
    const found = levenbergMarquardt([block], values, scales, TOSS.fit.gain);
    const best = this.#startAt(start, found.values);
    return { start: best, squares: found.squares, normal: found.normal, motion: this.motion(best) };
  }

  /** Sum of the squared residuals of a toss. */
  squares(start: TossStart, outlines: Outlines): number {
    return this.#residuals(start, this.#valuesOf(start), outlines).reduce((sum, r) => sum + r * r, 0);
  }

  motion(start: TossStart, times = this.#film.times): BoxMotion {
    return bouncing({ ...start, size: this.#film.size }, start, times);
  }

  /**
   * Tosses around a fitted flight that its outlines allow, with any restitution and friction: a small change of the spin
   * may change which corner strikes first.
   */
  around({ start, normal }: FittedToss, count: number): TossStart[] {
    const { restitutions, frictions, widths, most } = TOSS.draws;
    const flat = Float64Array.from(normal.flat());
    const { values: information, vectors } = symmetricEigen(flat);
    const values = this.#valuesOf(start);
    const between = ([least, most]: readonly [number, number], share: number) => least + (most - least) * share;
    return Array.from({ length: count }, (_, k) => {
      const point = [...values];
      const width = k === 0 ? 0 : widths[k % widths.length];
      information.forEach((each, direction) => {
        const z = standardNormal(this.#random) * width * Math.min(most, 1 / Math.sqrt(Math.max(each, 0)));
        for (let i = 0; i < point.length; i++) point[i] += z * vectors[direction][i] * this.#unknowns[i].scale;
      });
      // Additive recurrence with the plastic number (M. Roberts, 2018).
      const restitution = between(restitutions, (0.5 + k * 0.7548776662466927) % 1);
      const friction = between(frictions, (0.5 + k * 0.5698402909980532) % 1);
      return { ...this.#startAt(start, point), restitution, friction };
    });
  }

  /** Root mean square distance of an outline from that of the toss in a frame, px. */
  distance({ start, motion }: FittedToss, outline: ObservedOutline, frame: number): number {
    const off = boxOffsets(this.#seen(start, 0), motion.states[frame], outline);
    return Math.sqrt(off.reduce((sum, r) => sum + r * r, 0) / off.length);
  }

  /** Camera of a toss: quantities that are not fitted have their measured values. */
  cameraOf({ camera: told }: TossStart): ReturnType<typeof cameraAt> {
    const { camera } = this.#film;
    return cameraAt(camera, { ...Object.fromEntries(camera.given.map(({ name, value }) => [name, value])), ...told });
  }

  #seen(start: TossStart, bias: number): BoxView {
    return { size: this.#film.size, view: this.cameraOf(start).view, bias };
  }

  #valuesOf({ position, velocity, angularVelocity, restitution, friction, gravity, camera }: TossStart): number[] {
    return [
      ...[0, 0, 0],
      ...angularVelocity,
      ...position,
      ...velocity,
      Math.log(restitution / (1 - restitution)),
      Math.log(friction),
      0,
      ...this.#told.map(({ name, value }) => camera[name] ?? value),
      ...(this.#film.falls ? [gravity] : []),
    ];
  }

  /** Toss for values of the unknowns, of which the first are a rotation from the orientation of a start. */
  #startAt({ orientation, gravity }: TossStart, values: readonly number[]): TossStart {
    const { bounds } = TOSS;
    const vector = (at: number): number[] => values.slice(at, at + 3);
    return {
      orientation: multiplyQuaternions(rotationAbout(vector(0)), orientation),
      angularVelocity: vector(3),
      position: vector(6),
      velocity: vector(9),
      restitution: within(bounds.restitution, 1 / (1 + Math.exp(-values[12]))),
      friction: within(bounds.friction, Math.exp(values[13])),
      camera: Object.fromEntries(this.#told.map(({ name }, k) => [name, values[BIAS + 1 + k]])),
      gravity: this.#film.falls ? values[values.length - 1] : gravity,
    };
  }

  /** @param states of the toss by frame, if they are known. */
  #residuals(from: TossStart, values: readonly number[], outlines: Outlines, states?: readonly BoxState[]): number[] {
    const start = this.#startAt(from, values);
    const moved = states ?? this.motion(start, this.#film.times.slice(0, outlines.length)).states;
    const residuals = boxResiduals(this.#seen(start, values[BIAS]), moved, outlines);
    this.#unknowns.forEach(({ prior }, k) => {
      if (prior) residuals.push((values[k] - prior.mean) / prior.deviation);
    });
    return residuals;
  }
}

const within = ([least, most]: readonly [number, number], value: number): number =>
  Math.min(Math.max(value, least), most);
