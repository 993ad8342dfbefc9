import type { Simulation } from '@gradsim/core';
import { Wrong } from './finding.ts';
import { DOUBLE, type Runs } from './runs.ts';
import type { Values } from './values.ts';
import { dot, VISIBLE } from './values.ts';

/** Relative error allowed between tangents and central differences in doubles. */
const DIFFERENCES = 1e-6;
/** Relative change of the outputs at the smallest step of central differences above which differences are useless. */
const STEEP = 1e3;
/** The same, above which differences may not resolve the derivative, and a shorter run decides. */
const RESOLVED = 1e-3;
/** Steps of one-sided differences, and by how much of the derivative they may differ. */
const ONE_SIDED = [1e-5, 1e-6] as const;
const SETTLED = 1e-3;
const STEPS: readonly number[] = [1e-4, 1e-5, 1e-6, 3e-7, 1e-7, 3e-8, 3e-3, 1e-3, 3e-4];

/**
 * What the derivative of an even program is where it begins, on ties: that of central differences (`smooth`); one
 * `between` the one-sided slopes; `beside` them, or there are none, as of functions of functions that have kinks at the
 * same place, or jumps; or single precision is on another side of a tie than doubles (`rounded`).
 */
export type OnTies = 'smooth' | 'between' | 'beside' | 'rounded';

/** The directional derivative of a program at a point, by central and one-sided differences of its outputs. */
export class Differences {
  readonly #runs: Runs;
  readonly #simulation: Simulation;
  readonly #point: Values;
  readonly #direction: Values;
  readonly #weights: Values;

  /** @param weights of the outputs, whose weighted sum is differentiated. */
  constructor(runs: Runs, simulation: Simulation, point: Values, direction: Values, weights: Values) {
    this.#runs = runs;
    this.#simulation = simulation;
    this.#point = point;
    this.#direction = direction;
    this.#weights = weights;
  }

  /** The weighted sum of the outputs a step away. */
  async #at(h: number): Promise<number> {
    const moved = new Map(
      [...this.#point].map(([key, x]) => [key, x.map((v, k) => v + h * this.#direction.get(key)![k])]),
    );
    return dot(await this.#runs.run(this.#simulation, moved), this.#weights);
  }

  /**
   * Compares the tangent with central differences, from large steps to small: it passes if two successive steps agree
   * with it.
   */
  async compare(tangent: number): Promise<void> {
    const visible = VISIBLE * Math.max(1, Math.abs(await this.#at(0)));
    const scale = Math.max(Math.abs(tangent), visible);
    const quotients: number[] = [];
    for (const h of STEPS) {
      quotients.push(((await this.#at(h)) - (await this.#at(-h))) / (2 * h));
      const last = quotients.slice(-2);
      if (last.length === 2 && last.every((q) => Math.abs(q - tangent) <= DIFFERENCES * scale)) return;
    }
    // Without the part that is quadratic in the step, where two neighbouring pairs agree: for what bends strongly.
    const sorted = STEPS.map((h, k) => ({ h, q: quotients[k] })).sort((a, b) => b.h - a.h);
    const extrapolated = sorted.slice(1).map(({ h, q }, k) => {
      const ratio = (sorted[k].h / h) ** 2;
      return (ratio * q - sorted[k].q) / (ratio - 1);
    });
    const isNear = (q: number): boolean => Math.abs(q - tangent) <= DIFFERENCES * scale;
    if (extrapolated.slice(1).some((q, k) => isNear(q) && isNear(extrapolated[k]))) return;
    // Over their own size: beside a far larger tangent, even those that have nothing in common would look alike.
    const changes = quotients
      .slice(1)
      .map((q, k) => Math.abs(q - quotients[k]) / Math.max(visible, Math.abs(q), Math.abs(quotients[k])));
    const flattest = changes.indexOf(Math.min(...changes));
    const found = `tangent ${tangent}, differences ${quotients[flattest + 1]}`;
    // Values are about 1: over so steep a place every step goes too far.
    const change = Math.abs(tangent) * Math.min(...STEPS);
    const isReal = change > RESOLVED && (await this.#moves(tangent));
    const isRough = changes[flattest] > DIFFERENCES * 10 || (isReal && change > STEEP);
    throw new Wrong('differences', found, { isRough, isSteep: isRough && isReal });
  }

  /** Returns whether rounding the inputs moves the outputs as far as a large derivative says, or by 1 if that is less. */
  async #moves(tangent: number): Promise<boolean> {
    const still = await this.#at(0);
    const moved = await this.#runs.rounded(this.#point, DOUBLE, this.#weights);
    const furthest = Math.max(...moved.map(({ outputs }) => Math.abs(dot(outputs, this.#weights) - still)));
    return furthest >= Math.min(1, Math.abs(tangent) * DOUBLE) / 100;
  }

  /** Compares the tangent with central differences, or, where they do not settle on it, with one-sided ones. */
  async onTies(tangent: number): Promise<OnTies> {
    try {
      await this.compare(tangent);
      return 'smooth';
    } catch {
      // A kink, a jump, or the end of where the values are finite.
    }
    try {
      const middle = await this.#at(0);
      const scale = Math.max(Math.abs(tangent), VISIBLE * Math.max(1, Math.abs(middle)));
      const sides: number[] = [];
      for (const sign of [1, -1]) {
        const slopes: number[] = [];
        for (const h of ONE_SIDED) slopes.push(((await this.#at(sign * h)) - middle) / (sign * h));
        if (Math.abs(slopes[1] - slopes[0]) > SETTLED * scale) return 'beside';
        sides.push(slopes[1]);
      }
      const slack = SETTLED * scale;
      return tangent >= Math.min(...sides) - slack && tangent <= Math.max(...sides) + slack ? 'between' : 'beside';
    } catch {
      return 'beside';
    }
  }
}
