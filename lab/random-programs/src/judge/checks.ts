import type { Device, Simulation } from '@gradsim/core';
import { wordsOf } from '../program/build.ts';
import type { Program } from '../program/program.ts';
import { keyOf } from '../program/program.ts';
import { allProducts } from '../program/tree.ts';
import type { Random } from '../random.ts';
import { Differences, type OnTies } from './differences.ts';
import { Wrong } from './finding.ts';
import { productAndDerivative } from './products.ts';
import { AMPLE, DOUBLE, Runs } from './runs.ts';
import type { Values } from './values.ts';
import { distance, dot, length, ofWorld, VISIBLE } from './values.ts';

/** Relative error allowed for the transpose identity <J v, w> = <v, J^T w> in doubles. */
const TRANSPOSE = 1e-10;
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
/**
 * Ratio of the error allowed in single precision to the effect of rounding all initial values once. A result takes some
 * dozens of operations, each of which rounds independently.
 */
const ROUNDED = 10;
/** Step sizes along parameters without a derivative: two, since a jump hardly ever lies within both. */
const DEAD_STEPS = [1e-6, 1e-8];
/** Pattern of the message that refuses a parameter without a derivative. */
const REFUSED = /^No output (has a derivative with respect to|depends on) |is read by no pass/;
/** Relative rounding error of single precision, by which inputs are perturbed. */
const SINGLE_ROUNDING = 2 ** -24;
/** Two simulations on a device: with one tangent per world (`alone`), and with several (`together`). */
interface Along {
  readonly device: Device;
  readonly alone: Simulation;
  readonly together: Simulation;
}
/** Checks the derivatives of one program by the simulations that it creates of it. */
export class Checks {
  readonly #program: Program;
  readonly #runs: Runs;
  /** Derivative of an even program on its ties, once it has been checked. */
  onTies: OnTies | undefined;
  #adjoint!: Simulation;
  #tangent!: Simulation;
  #sparing: Simulation | null = null;
  #alone: Simulation | null = null;
  #along: Along[] = [];
  #single: { device: Device; simulation: Simulation }[] = [];

  constructor(program: Program, random: Random) {
    this.#program = program;
    this.#runs = new Runs(program, random);
  }

  async open(devices: readonly Device[]): Promise<void> {
    this.#adjoint = await this.#runs.create(this.#runs.f64, 'adjoint', AMPLE);
    this.#tangent = await this.#runs.create(this.#runs.f64, 'tangent', AMPLE);
    // Of runs of two frames, a quarter: on devices these are two more simulations to compile.
    for (const device of [this.#runs.f64, ...(this.#program.run.frames === 2 ? devices : [])]) {
      const alone = device === this.#runs.f64 ? this.#tangent : await this.#runs.create(device, 'tangent', AMPLE);
      this.#along.push({
        device,
        alone,
        together: await this.#runs.create(device, 'tangent', AMPLE, { tangents: TANGENTS }),
      });
    }
    for (const key of this.#dead) await this.#expectRefusal(key);
    if (this.#program.run.worlds > 1)
      this.#alone = await this.#runs.create(this.#runs.f64, 'none', AMPLE, { worlds: 1 });
    const memory = this.#runs.spareMemory(this.#adjoint, this.#runs.f64);
    if (memory < AMPLE) this.#sparing = await this.#runs.create(this.#runs.f64, 'adjoint', memory);
    for (const device of devices) {
      const simulation = await this.#runs.create(device, 'adjoint', this.#runs.spareMemory(this.#adjoint, device));
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
      const refusal = await this.#runs.create(this.#runs.f64, derivative, AMPLE, { worlds: 1, parameters }).then(
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
    for (const { key, field, moments, worlds } of this.#runs.inputs(this.#dead)) {
      const words = wordsOf(this.#program, field);
      const count = moments * worlds * words;
      if (count === 0) continue;
      const base = Float64Array.from({ length: count }, (_, k) => field.values[k % words]);
      this.#runs.put(this.#adjoint, { key, field, moments, worlds }, base);
      const still = await this.#runs.run(this.#adjoint, point);
      const moved: number[] = [];
      for (const step of DEAD_STEPS) {
        const direction = base.map(() => this.#runs.random.between(-1, 1));
        this.#runs.put(
          this.#adjoint,
          { key, field, moments, worlds },
          base.map((x, k) => x + step * direction[k]),
        );
        moved.push(distance(await this.#runs.run(this.#adjoint, point), still));
      }
      this.#runs.put(this.#adjoint, { key, field, moments, worlds }, base);
      if (moved.every((by) => !(by <= FORWARD)))
        throw new Wrong('dead', `${key} is refused, and outputs move with it, by ${moved.join(' and ')}`);
    }
    const again = distance(await this.#runs.run(this.#adjoint, point), outputs);
    if (this.#dead.length > 0 && again > FORWARD)
      throw new Wrong('dead', `outputs differ by ${again.toExponential(2)} once ${this.#dead.join(', ')} are back`);
  }

  dispose(): void {
    this.#runs.dispose();
  }

  /**
   * Checks the derivatives at one random point; returns whether the checked derivative is not zero.
   * @throws Wrong for the first defect found.
   */
  async run(): Promise<boolean> {
    const { random } = this.#runs;
    const { isEven } = this.#program;
    const point = this.#runs.draw((base) => (isEven ? base : Math.fround(base + random.between(-0.3, 0.3))));
    const direction = this.#runs.draw(() => random.between(-1, 1));
    const elsewhere = this.#runs.draw((base) => base + random.between(-0.3, 0.3));
    const weightsOf = (values: Values): Values =>
      new Map(
        [...values].map(([key, { length }]) => [key, Float64Array.from({ length }, () => random.between(-1, 1))]),
      );

    // A first run with other values, so that nothing of it is left in the second.
    const before = await this.#runs.run(this.#adjoint, elsewhere);
    await this.#runs.gradient(this.#adjoint, weightsOf(before));
    const outputs = await this.#runs.run(this.#adjoint, point);
    const weights = weightsOf(outputs);
    const gradient = await this.#runs.gradient(this.#adjoint, weights);

    this.#runs.set(this.#tangent, direction, 0);
    const again = await this.#runs.run(this.#tangent, point);
    const apart = distance(again, outputs);
    if (!(apart <= FORWARD)) throw new Wrong('forward', `outputs differ by ${apart.toExponential(2)}`);
    const dots = await this.#runs.outputs(this.#tangent, 0);
    const tangent = dot(dots, weights);
    const adjoint = dot(gradient, direction);
    const visible = VISIBLE * Math.max(1, length(outputs));
    const size = Math.max(
      ...[Math.abs(adjoint), Math.abs(tangent), (length(gradient) * length(direction)) / 100, visible],
    );
    const error = Math.abs(adjoint - tangent) / (size || 1);
    if (!(error <= TRANSPOSE)) {
      // Large values that cancel leave their rounding, in doubles too.
      const moved = await this.#runs.rounded(point, DOUBLE, weights);
      const own = Math.max(...moved.map(({ gradient: g }) => Math.abs(dot(g, direction) - adjoint))) / size;
      if (!(error <= ROUNDED * own))
        throw new Wrong('transpose', `adjoint ${adjoint}, tangent ${tangent}: ${error.toExponential(2)}`);
    }

    for (const pair of this.#along) await this.#tangentsTogether(pair, point, direction);
    await this.#expectNothing(point, outputs);
    if (this.#alone) await this.#eachAlone(this.#alone, point, outputs);
    for (const product of allProducts(this.#program))
      for (const { found, expected } of await productAndDerivative(this.#program, product, random, this.#runs.f64)) {
        const off = distance(new Map([['', found]]), new Map([['', expected]]));
        if (!(off <= PRODUCT))
          throw new Wrong('product', `${product.mode} of ${product.of} is ${off.toExponential(2)} off`);
      }
    if (this.#sparing) {
      await this.#runs.run(this.#sparing, point);
      // Twice: the way back can be gone again.
      for (const time of ['', ', the second time back']) {
        const spared = await this.#runs.gradient(this.#sparing, weights);
        for (const [key, values] of gradient)
          if (values.some((value, k) => !Object.is(value + 0, spared.get(key)![k] + 0)))
            throw new Wrong('memory', `the gradient of ${key} depends on the memory${time}`);
        if (distance(await this.#runs.outputs(this.#sparing), outputs) !== 0)
          throw new Wrong('memory', 'outputs read after a run back are not those of the run forward');
      }
    }
    const differences = new Differences(this.#runs, this.#adjoint, point, direction, weights);
    if (isEven) this.onTies = await differences.onTies(tangent);
    else await differences.compare(tangent);
    for (const { device, simulation } of this.#single)
      await this.#onDevice(device, simulation, { point, weights, outputs, gradient });
    return length(gradient) > 0;
  }

  /** Compares several tangents computed in one run with the same ones computed one by one. */
  async #tangentsTogether({ device, alone, together }: Along, point: Values, direction: Values): Promise<void> {
    const directions = Array.from(
      { length: TANGENTS },
      (_, t): Values =>
        new Map([...direction].map(([key, along]) => [key, along.map((d, k) => (k % (t + 1) ? -d : d))])),
    );
    directions.forEach((own, t) => {
      this.#runs.set(together, own, t);
    });
    const values = await this.#runs.run(together, point);
    for (const [t, own] of directions.entries()) {
      this.#runs.set(alone, own, 0);
      const expected = [await this.#runs.run(alone, point), await this.#runs.outputs(alone, 0)];
      [values, await this.#runs.outputs(together, t)].forEach((found, k) => {
        for (const [key, numbers] of found) {
          const own = expected[k].get(key)!;
          if (numbers.every((value, at) => Object.is(value + 0, own[at] + 0))) continue;
          const off = distance(new Map([[key, numbers]]), new Map([[key, own]]), VISIBLE_SINGLE);
          // WGSL lets drivers fuse products and sums, in each shader in another way.
          if (device.kind === 'webgpu' && off <= SINGLE) continue;
          throw new Wrong(
            'tangents',
            `${device.kind}: ${key}${k > 0 ? `, its tangent ${t},` : ''} is ${off.toExponential(2)} off where ${TANGENTS} tangents go along`,
          );
        }
      });
    }
  }

  /** Compares each world of a run with a run of that world alone. */
  async #eachAlone(simulation: Simulation, point: Values, outputs: Values): Promise<void> {
    const { worlds } = this.#program.run;
    for (let world = 0; world < worlds; world++) {
      for (const { key, field, moments } of this.#runs.parameters()) {
        const all = point.get(key)!;
        if (all.length > 0) simulation.set(key, field.shared ? all : ofWorld(all, world, worlds, moments));
      }
      simulation.forward();
      for (const [key, values] of await this.#runs.outputs(simulation)) {
        const copies = this.#program.run.record.includes(key) ? this.#program.run.frames : 1;
        const own = ofWorld(outputs.get(key)!, world, worlds, copies);
        if (values.some((value, k) => !Object.is(value + 0, own[k] + 0)))
          throw new Wrong('worlds', `${key} of world ${world} is another one when that world runs alone`);
      }
    }
  }

  async #onDevice(
    device: Device,
    simulation: Simulation,
    { point, weights, outputs, gradient }: Record<'point' | 'weights' | 'outputs' | 'gradient', Values>,
  ): Promise<void> {
    let off: { what: string; error: number } | null = null;
    try {
      const values = await this.#runs.run(simulation, point);
      off = largest([
        { what: 'outputs', error: distance(values, outputs, VISIBLE_SINGLE) },
        {
          what: 'gradient',
          error: distance(await this.#runs.gradient(simulation, weights), gradient, VISIBLE_SINGLE),
        },
      ]);
    } catch (error) {
      throw new Wrong('device', `${device.kind}: ${(error as Error).message}`);
    }
    if (off.error <= SINGLE) return;
    const moved = await this.#runs.rounded(point, SINGLE_ROUNDING, weights);
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

const largest = <T extends { error: number }>(list: readonly T[]): T =>
  list.reduce((worst, one) => (!(one.error <= worst.error) ? one : worst));
