import type { Device, Model, Simulation } from '@gradsim/core';
import { createSimulation, f64Device } from '@gradsim/core';
import { buildProgram, wordsOf } from './build.ts';
import { Wrong } from './finding.ts';
import { movedProgram } from './moved.ts';
import { productAndDerivative } from './products.ts';
import type { FieldSpec, Program } from './program.ts';
import { keyOf } from './program.ts';
import type { Random } from './random.ts';
import { allProducts } from './tree.ts';
import type { Values } from './values.ts';
import { distance, dot, length, ofWorld, VISIBLE } from './values.ts';

/** Relative error allowed for the transpose identity <J v, w> = <v, J^T w> in doubles. */
const TRANSPOSE = 1e-10;
/** Relative error allowed between tangents and central differences in doubles. */
const DIFFERENCES = 1e-6;
/** Relative difference allowed between two forward runs of the same program in doubles. */
const FORWARD = 1e-12;
/** Relative error allowed for products with Jacobians (J v and w^T J) in doubles. */
const PRODUCT = 1e-9;
/** Relative error allowed for single precision against doubles. */
const SINGLE = 1e-3;
/** Number of tangents per world in programs that compute several together. */
const TANGENTS = 3;
/** Ratio of derivatives to values below which rounding in single precision hides the derivatives. */
const VISIBLE_SINGLE = 1e-2;
/** Memory budget of the tape, bytes: more than any program here fills. */
const AMPLE = 256e6;
/** Number of random roundings of the inputs by which the effect of rounding is measured. */
const ROUNDINGS = 3;
/**
 * Ratio of the error allowed in single precision to the effect of rounding all initial values once. A result takes some
 * dozens of operations, each of which rounds independently.
 */
const ROUNDED = 10;
/** Relative change of the outputs at the smallest step of central differences above which differences are useless. */
const STEEP = 1e3;
/** The same, above which differences may not resolve the derivative, and a shorter run decides. */
const RESOLVED = 1e-3;
/** Step sizes along parameters without a derivative: two, since a jump hardly ever lies within both. */
const DEAD_STEPS = [1e-6, 1e-8];
/** Pattern of the message that refuses a parameter without a derivative. */
const REFUSED = /^No output (has a derivative with respect to|depends on) |is read by no pass/;
/** Relative rounding error of single precision, by which inputs are perturbed. */
const SINGLE_ROUNDING = 2 ** -24;
/** Machine epsilon of doubles. */
const DOUBLE = 2 ** -52;

/**
 * What the derivative of an even program is where it begins, on ties: that of central differences (`smooth`); one
 * `between` the one-sided slopes; `beside` them, or there are none, as of functions of functions that have kinks at the
 * same place, or jumps; or single precision is on another side of a tie than doubles (`rounded`).
 */
export type OnTies = 'smooth' | 'between' | 'beside' | 'rounded';

/** An input of a program, and for how many moments and worlds it has values. */
interface Input {
  readonly field: FieldSpec;
  readonly key: string;
  readonly moments: number;
  readonly worlds: number;
}

/** Checks the derivatives of one program by the simulations that it creates of it. */
export class Court {
  readonly #program: Program;
  readonly #random: Random;
  readonly #model: Model;
  readonly #f64 = f64Device();
  readonly #all: Simulation[] = [];
  /** Of an even program, once it has been heard. */
  onTies: OnTies | undefined;
  #adjoint!: Simulation;
  #tangent!: Simulation;
  #sparing: Simulation | null = null;
  #alone: Simulation | null = null;
  /** Two simulations for each device: with one tangent per world (`alone`), and with several (`together`). */
  #along: { alone: Simulation; together: Simulation }[] = [];
  #single: { device: Device; simulation: Simulation }[] = [];

  constructor(program: Program, random: Random) {
    this.#program = program;
    this.#random = random;
    this.#model = buildProgram(program);
  }

  async open(devices: readonly Device[]): Promise<void> {
    this.#adjoint = await this.#create(this.#f64, 'adjoint', AMPLE);
    this.#tangent = await this.#create(this.#f64, 'tangent', AMPLE);
    // Of runs of two frames, a quarter: on devices these are two more simulations to compile.
    for (const device of [this.#f64, ...(this.#program.run.frames === 2 ? devices : [])]) {
      const alone = device === this.#f64 ? this.#tangent : await this.#create(device, 'tangent', AMPLE);
      this.#along.push({ alone, together: await this.#create(device, 'tangent', AMPLE, { tangents: TANGENTS }) });
    }
    for (const key of this.#dead) await this.#expectRefusal(key);
    if (this.#program.run.worlds > 1) this.#alone = await this.#create(this.#f64, 'none', AMPLE, { worlds: 1 });
    const memory = this.#memory(this.#f64);
    if (memory < AMPLE) this.#sparing = await this.#create(this.#f64, 'adjoint', memory);
    for (const device of devices) {
      const simulation = await this.#create(device, 'adjoint', this.#memory(device));
      this.#single.push({ device, simulation });
    }
  }

  /** Keys of the inputs without a derivative that the program still has: shrinking may have removed some. */
  get #dead(): readonly string[] {
    const { dead = [], fields } = this.#program;
    return dead.filter((key) => fields.some((f) => keyOf(f) === key));
  }

  /**
   * Expects a simulation to refuse a parameter without a derivative.
   * @throws Wrong if it accepts the parameter, or its message does not name it.
   */
  async #expectRefusal(key: string): Promise<void> {
    const parameters = [...this.#program.run.parameters, key];
    for (const derivative of ['adjoint', 'tangent'] as const) {
      const refusal = await this.#create(this.#f64, derivative, AMPLE, { worlds: 1, parameters }).then(
        () => null,
        (error: Error) => error.message,
      );
      if (refusal === null) throw new Wrong('dead', `${key} has no derivative and is taken as a parameter`);
      if (!REFUSED.test(refusal) || !refusal.includes(key))
        throw new Wrong('dead', `${key} has no derivative, and is refused with: ${refusal}`);
    }
  }

  /**
   * Expects the outputs to stay the same at small steps along inputs counted as without a derivative.
   * @throws Wrong if they change.
   */
  async #expectNothing(point: Values, outputs: Values): Promise<void> {
    for (const { key, field, moments, worlds } of this.#inputs(this.#dead)) {
      const words = wordsOf(this.#program, field);
      const count = moments * worlds * words;
      if (count === 0) continue;
      const base = Float64Array.from({ length: count }, (_, k) => field.values[k % words]);
      this.#put(this.#adjoint, { key, field, moments, worlds }, base);
      const still = await this.#run(this.#adjoint, point);
      const moved: number[] = [];
      for (const step of DEAD_STEPS) {
        const direction = base.map(() => this.#random.between(-1, 1));
        this.#put(
          this.#adjoint,
          { key, field, moments, worlds },
          base.map((x, k) => x + step * direction[k]),
        );
        moved.push(distance(await this.#run(this.#adjoint, point), still));
      }
      this.#put(this.#adjoint, { key, field, moments, worlds }, base);
      if (moved.every((by) => !(by <= FORWARD)))
        throw new Wrong('dead', `${key} is refused, and outputs move with it, by ${moved.join(' and ')}`);
    }
    const again = distance(await this.#run(this.#adjoint, point), outputs);
    if (this.#dead.length > 0 && again > FORWARD)
      throw new Wrong('dead', `outputs differ by ${again.toExponential(2)} once ${this.#dead.join(', ')} are back`);
  }

  close(): void {
    for (const simulation of this.#all) simulation.dispose();
  }

  /**
   * Memory budget of the tape, bytes: room for three states (or as many as a search interval needs), three iterations
   * of each loop, and the program's `spareStates` more of each.
   */
  #memory({ precision }: Device): number {
    const { spareStates } = this.#program.run;
    if (spareStates === null) return AMPLE;
    const { state, rounds } = this.#adjoint.memoryUse(precision);
    const { searchInterval } = this.#model;
    const unit = Number.isFinite(searchInterval) ? searchInterval : 1;
    const states = (unit + 2 + spareStates) * state;
    const loops = rounds.map((bytes) => (3 + spareStates) * bytes);
    if (loops.length === 0) return Math.max(1, states * 2);
    return Math.max(1, 4 * Math.max(states, loops.length * Math.max(...loops)));
  }

  async #create(
    device: Device,
    derivative: 'adjoint' | 'tangent' | 'none',
    memory: number,
    {
      worlds = this.#program.run.worlds,
      parameters = this.#program.run.parameters,
      model = this.#model,
      tangents = 1,
    } = {},
  ): Promise<Simulation> {
    const { frames, frameRate, frameTimes, substeps, record, outputs } = this.#program.run;
    const simulation = await createSimulation(model, {
      device,
      derivative,
      memory,
      frames,
      frameRate,
      frameTimes,
      substeps,
      worlds,
      tangents,
      parameters,
      record,
      outputs,
      onWarning: () => {},
    });
    this.#all.push(simulation);
    return simulation;
  }

  /**
   * Draws values of all parameters: [moment][world][element][component], as gradients have them. Fields shared by all
   * worlds have one world.
   */
  #draw(of: (base: number) => number): Values {
    return new Map(
      this.#parameters().map(({ field, key, moments, worlds }) => {
        const words = wordsOf(this.#program, field);
        return [key, Float64Array.from({ length: moments * worlds * words }, (_, k) => of(field.values[k % words]))];
      }),
    );
  }

  #parameters(): Input[] {
    return this.#inputs(this.#program.run.parameters);
  }
  #inputs(keys: readonly string[]): Input[] {
    const { frames, substeps, worlds } = this.#program.run;
    return keys.map((key) => {
      const field = this.#program.fields.find((f) => keyOf(f) === key)!;
      const moments = field.over === 'frame' ? frames : field.over === 'substep' ? (frames - 1) * substeps : 1;
      return { field, key, moments, worlds: field.shared ? 1 : worlds };
    });
  }

  /**
   * Sets the parameters of a simulation.
   * @param tangent number of the tangent to set instead of the values.
   */
  #set(simulation: Simulation, values: Values, tangent?: number): void {
    for (const { key, field, moments, worlds } of this.#parameters()) {
      const all = values.get(key)!;
      if (all.length === 0 || (tangent !== undefined && !simulation.hasDerivative(key))) continue;
      this.#put(simulation, { key, field, moments, worlds }, all, tangent);
    }
  }
  #put(simulation: Simulation, { key, field, moments, worlds }: Input, all: Float64Array, tangent?: number): void {
    for (let world = 0; world < worlds; world++) {
      const own = ofWorld(all, world, worlds, moments);
      const to = field.shared ? undefined : world;
      if (tangent === undefined) simulation.set(key, own, to);
      else simulation.setTangent(key, own, to, tangent);
    }
  }

  /** Reads all outputs, or their tangents if `tangent` is the number of one. */
  async #outputs(simulation: Simulation, tangent?: number): Promise<Map<string, Float64Array>> {
    const { outputs, record } = this.#program.run;
    const values = new Map<string, Float64Array>();
    for (const key of outputs) {
      if (tangent !== undefined && !simulation.hasDerivative(key)) continue;
      const isFrame = record.includes(key);
      const read =
        tangent === undefined
          ? isFrame
            ? simulation.readFrames(key)
            : simulation.read(key)
          : isFrame
            ? simulation.readTangentFrames(key, tangent)
            : simulation.readTangent(key, tangent);
      values.set(key, await read);
    }
    return values;
  }

  async #run(simulation: Simulation, point: Values): Promise<Map<string, Float64Array>> {
    this.#set(simulation, point);
    simulation.forward();
    return this.#outputs(simulation);
  }

  async #gradient(simulation: Simulation, weights: Values): Promise<Map<string, Float64Array>> {
    simulation.backward(Object.fromEntries(weights));
    const gradient = new Map<string, Float64Array>();
    for (const key of this.#program.run.parameters) gradient.set(key, await simulation.gradient(key));
    return gradient;
  }

  /**
   * Checks the derivatives at one random point; returns whether the checked derivative is not zero.
   * @throws Wrong for the first defect found.
   */
  async hear(): Promise<boolean> {
    const random = this.#random;
    const { isEven } = this.#program;
    const point = this.#draw((base) => (isEven ? base : Math.fround(base + random.between(-0.3, 0.3))));
    const direction = this.#draw(() => random.between(-1, 1));
    const elsewhere = this.#draw((base) => base + random.between(-0.3, 0.3));
    const weightsOf = (values: Values): Values =>
      new Map(
        [...values].map(([key, { length }]) => [key, Float64Array.from({ length }, () => random.between(-1, 1))]),
      );

    // A first run with other values, so that nothing of it is left in the second.
    const before = await this.#run(this.#adjoint, elsewhere);
    await this.#gradient(this.#adjoint, weightsOf(before));
    const outputs = await this.#run(this.#adjoint, point);
    const weights = weightsOf(outputs);
    const gradient = await this.#gradient(this.#adjoint, weights);

    this.#set(this.#tangent, direction, 0);
    const again = await this.#run(this.#tangent, point);
    const apart = distance(again, outputs);
    if (!(apart <= FORWARD)) throw new Wrong('forward', `outputs differ by ${apart.toExponential(2)}`);
    const dots = await this.#outputs(this.#tangent, 0);
    const tangent = dot(dots, weights);
    const adjoint = dot(gradient, direction);
    const visible = VISIBLE * Math.max(1, length(outputs));
    const size = Math.max(
      ...[Math.abs(adjoint), Math.abs(tangent), (length(gradient) * length(direction)) / 100, visible],
    );
    const error = Math.abs(adjoint - tangent) / (size || 1);
    if (!(error <= TRANSPOSE)) {
      // Large values that cancel leave their rounding, in doubles too.
      const moved = await this.#rounded(point, DOUBLE, weights);
      const own = Math.max(...moved.map(({ gradient: g }) => Math.abs(dot(g, direction) - adjoint))) / size;
      if (!(error <= ROUNDED * own))
        throw new Wrong('transpose', `adjoint ${adjoint}, tangent ${tangent}: ${error.toExponential(2)}`);
    }

    for (const { alone, together } of this.#along) await this.#tangentsTogether(alone, together, point, direction);
    await this.#expectNothing(point, outputs);
    if (this.#alone) await this.#eachAlone(this.#alone, point, outputs);
    for (const product of allProducts(this.#program))
      for (const { found, expected } of await productAndDerivative(this.#program, product, random, this.#f64)) {
        const off = distance(new Map([['', found]]), new Map([['', expected]]));
        if (!(off <= PRODUCT))
          throw new Wrong('product', `${product.mode} of ${product.of} is ${off.toExponential(2)} off`);
      }
    if (this.#sparing) {
      await this.#run(this.#sparing, point);
      // Twice: the way back can be gone again.
      for (const time of ['', ', the second time back']) {
        const spared = await this.#gradient(this.#sparing, weights);
        for (const [key, values] of gradient)
          if (values.some((value, k) => !Object.is(value + 0, spared.get(key)![k] + 0)))
            throw new Wrong('memory', `the gradient of ${key} depends on the memory${time}`);
        if (distance(await this.#outputs(this.#sparing), outputs) !== 0)
          throw new Wrong('memory', 'outputs read after a run back are not those of the run forward');
      }
    }
    if (isEven) this.onTies = await this.#slopes(point, direction, weights, tangent);
    else await this.#differences(point, direction, weights, tangent);
    for (const { device, simulation } of this.#single)
      await this.#onDevice(device, simulation, { point, weights, outputs, gradient });
    return length(gradient) > 0;
  }

  /** Compares several tangents computed in one run with the same ones computed one by one. */
  async #tangentsTogether(alone: Simulation, together: Simulation, point: Values, direction: Values): Promise<void> {
    const directions = Array.from(
      { length: TANGENTS },
      (_, t): Values =>
        new Map([...direction].map(([key, along]) => [key, along.map((d, k) => (k % (t + 1) ? -d : d))])),
    );
    directions.forEach((own, t) => {
      this.#set(together, own, t);
    });
    const values = await this.#run(together, point);
    for (const [t, own] of directions.entries()) {
      this.#set(alone, own, 0);
      const expected = [await this.#run(alone, point), await this.#outputs(alone, 0)];
      [values, await this.#outputs(together, t)].forEach((found, k) => {
        for (const [key, numbers] of found)
          if (numbers.some((value, at) => !Object.is(value + 0, expected[k].get(key)![at] + 0)))
            throw new Wrong(
              'tangents',
              `${key}${k > 0 ? `, its tangent ${t},` : ''} is another one where ${TANGENTS} tangents go along`,
            );
      });
    }
  }

  /** Compares each world of a run with a run of that world alone. */
  async #eachAlone(simulation: Simulation, point: Values, outputs: Values): Promise<void> {
    const { worlds } = this.#program.run;
    for (let world = 0; world < worlds; world++) {
      for (const { key, field, moments } of this.#parameters()) {
        const all = point.get(key)!;
        if (all.length > 0) simulation.set(key, field.shared ? all : ofWorld(all, world, worlds, moments));
      }
      simulation.forward();
      for (const [key, values] of await this.#outputs(simulation)) {
        const copies = this.#program.run.record.includes(key) ? this.#program.run.frames : 1;
        const own = ofWorld(outputs.get(key)!, world, worlds, copies);
        if (values.some((value, k) => !Object.is(value + 0, own[k] + 0)))
          throw new Wrong('worlds', `${key} of world ${world} is another one when that world runs alone`);
      }
    }
  }

  /**
   * Outputs and gradients, in doubles, after randomly rounding all initial values (parameters, other fields, literals):
   * one result for each of several random roundings.
   */
  async #rounded(point: Values, rounding: number, weights: Values): Promise<{ outputs: Values; gradient: Values }[]> {
    const moved: { outputs: Values; gradient: Values }[] = [];
    for (let k = 0; k < ROUNDINGS; k++) {
      const factor = (): number => 1 + rounding * (this.#random.chance(0.5) ? 1 : -1);
      const rounded = new Map([...point].map(([key, x]) => [key, x.map((v) => v * factor())]));
      const others = movedProgram(this.#program, { value: (x) => x * factor(), literal: (x) => x * factor() });
      const simulation = await this.#create(this.#f64, 'adjoint', AMPLE, { model: buildProgram(others) });
      const outputs = await this.#run(simulation, rounded);
      moved.push({ outputs, gradient: await this.#gradient(simulation, weights) });
    }
    return moved;
  }

  /**
   * Compares the tangent with central differences, from large steps to small: it passes if two successive steps agree
   * with it.
   */
  async #differences(point: Values, direction: Values, weights: Values, tangent: number): Promise<void> {
    const at = async (h: number): Promise<number> => {
      const moved = new Map([...point].map(([key, x]) => [key, x.map((v, k) => v + h * direction.get(key)![k])]));
      return dot(await this.#run(this.#adjoint, moved), weights);
    };
    const visible = VISIBLE * Math.max(1, Math.abs(await at(0)));
    const scale = Math.max(Math.abs(tangent), visible);
    const quotients: number[] = [];
    for (const h of STEPS) {
      quotients.push(((await at(h)) - (await at(-h))) / (2 * h));
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
    const isReal = change > RESOLVED && (await this.#moves(point, weights, tangent));
    const isRough = changes[flattest] > DIFFERENCES * 10 || (isReal && change > STEEP);
    throw new Wrong('differences', found, { isRough, isSteep: isRough && isReal });
  }

  /** Returns whether rounding the inputs moves the outputs as far as a large derivative says, or by 1 if that is less. */
  async #moves(point: Values, weights: Values, tangent: number): Promise<boolean> {
    const still = dot(await this.#run(this.#adjoint, point), weights);
    const moved = await this.#rounded(point, DOUBLE, weights);
    const furthest = Math.max(...moved.map(({ outputs }) => Math.abs(dot(outputs, weights) - still)));
    return furthest >= Math.min(1, Math.abs(tangent) * DOUBLE) / 100;
  }

  /** Compares the tangent with central differences, or, where they do not settle on it, with one-sided ones. */
  async #slopes(point: Values, direction: Values, weights: Values, tangent: number): Promise<OnTies> {
    try {
      await this.#differences(point, direction, weights, tangent);
      return 'smooth';
    } catch {
      // A kink, a jump, or the end of where the values are finite.
    }
    const at = async (h: number): Promise<number> => {
      const moved = new Map([...point].map(([key, x]) => [key, x.map((v, k) => v + h * direction.get(key)![k])]));
      return dot(await this.#run(this.#adjoint, moved), weights);
    };
    try {
      const middle = await at(0);
      const scale = Math.max(Math.abs(tangent), VISIBLE * Math.max(1, Math.abs(middle)));
      const sides: number[] = [];
      for (const sign of [1, -1]) {
        const slopes: number[] = [];
        for (const h of ONE_SIDED) slopes.push(((await at(sign * h)) - middle) / (sign * h));
        if (Math.abs(slopes[1] - slopes[0]) > SETTLED * scale) return 'beside';
        sides.push(slopes[1]);
      }
      const slack = SETTLED * scale;
      return tangent >= Math.min(...sides) - slack && tangent <= Math.max(...sides) + slack ? 'between' : 'beside';
    } catch {
      return 'beside';
    }
  }

  async #onDevice(
    device: Device,
    simulation: Simulation,
    { point, weights, outputs, gradient }: Record<'point' | 'weights' | 'outputs' | 'gradient', Values>,
  ): Promise<void> {
    let off: { what: string; error: number } | null = null;
    try {
      const values = await this.#run(simulation, point);
      off = largest([
        { what: 'outputs', error: distance(values, outputs, VISIBLE_SINGLE) },
        {
          what: 'gradient',
          error: distance(await this.#gradient(simulation, weights), gradient, VISIBLE_SINGLE),
        },
      ]);
    } catch (error) {
      throw new Wrong('device', `${device.kind}: ${(error as Error).message}`);
    }
    if (off.error <= SINGLE) return;
    const moved = await this.#rounded(point, SINGLE_ROUNDING, weights);
    const own = Math.max(
      ...moved.map((m) =>
        off.what === 'outputs'
          ? distance(m.outputs, outputs, VISIBLE_SINGLE)
          : distance(m.gradient, gradient, VISIBLE_SINGLE),
      ),
    );
    if (!(off.error <= ROUNDED * own))
      throw new Wrong(
        'device',
        `${device.kind}, ${off.what}: ${off.error.toExponential(2)} off, one rounding of all that it begins with ${own.toExponential(2)}`,
      );
  }
}

/** Steps of one-sided differences, and by how much of the derivative they may differ. */
const ONE_SIDED = [1e-5, 1e-6] as const;
const SETTLED = 1e-3;
const STEPS: readonly number[] = [1e-4, 1e-5, 1e-6, 3e-7, 1e-7, 3e-8, 3e-3, 1e-3, 3e-4];

const largest = <T extends { error: number }>(list: readonly T[]): T =>
  list.reduce((worst, one) => (!(one.error <= worst.error) ? one : worst));
