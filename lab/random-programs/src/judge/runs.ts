import type { Device, Model, Simulation } from '@gradsim/core';
import { createSimulation, f64Device } from '@gradsim/core';
import { buildProgram, wordsOf } from '../program/build.ts';
import { movedProgram } from '../program/moved.ts';
import type { FieldSpec, Program } from '../program/program.ts';
import { keyOf } from '../program/program.ts';
import type { Random } from '../random.ts';
import type { Values } from './values.ts';
import { ofWorld } from './values.ts';

/** Memory budget of the tape, bytes: more than any program here fills. */
export const AMPLE = 256e6;
/** Number of random roundings of the inputs by which the effect of rounding is measured. */
const ROUNDINGS = 3;
/** Machine epsilon of doubles. */
export const DOUBLE = 2 ** -52;

/** An input of a program, and for how many moments and worlds it has values. */
export interface Input {
  readonly field: FieldSpec;
  readonly key: string;
  readonly moments: number;
  readonly worlds: number;
}

/** Simulations of one program, and runs of them at given values of its parameters. */
export class Runs {
  readonly program: Program;
  readonly random: Random;
  readonly f64 = f64Device();
  readonly #model: Model;
  readonly #all: Simulation[] = [];

  constructor(program: Program, random: Random) {
    this.program = program;
    this.random = random;
    this.#model = buildProgram(program);
  }

  dispose(): void {
    for (const simulation of this.#all) simulation.dispose();
  }

  /**
   * Memory budget of the tape, bytes: room for three states (or as many as a search interval needs), three iterations
   * of each loop, and the program's `spareStates` more of each.
   * @param simulation one of the program with a tape.
   */
  spareMemory(simulation: Simulation, { precision }: Device): number {
    const { spareStates } = this.program.run;
    if (spareStates === null) return AMPLE;
    const { state, rounds } = simulation.memoryUse(precision);
    const { searchInterval } = this.#model;
    const unit = Number.isFinite(searchInterval) ? searchInterval : 1;
    const states = (unit + 2 + spareStates) * state;
    const loops = rounds.map((bytes) => (3 + spareStates) * bytes);
    if (loops.length === 0) return Math.max(1, states * 2);
    return Math.max(1, 4 * Math.max(states, loops.length * Math.max(...loops)));
  }

  async create(
    device: Device,
    derivative: 'adjoint' | 'tangent' | 'none',
    memory: number,
    {
      worlds = this.program.run.worlds,
      parameters = this.program.run.parameters,
      model = this.#model,
      tangents = 1,
    } = {},
  ): Promise<Simulation> {
    const { frames, frameRate, frameTimes, substeps, record, outputs } = this.program.run;
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
  draw(of: (base: number) => number): Values {
    return new Map(
      this.parameters().map(({ field, key, moments, worlds }) => {
        const words = wordsOf(this.program, field);
        return [key, Float64Array.from({ length: moments * worlds * words }, (_, k) => of(field.values[k % words]))];
      }),
    );
  }

  parameters(): Input[] {
    return this.inputs(this.program.run.parameters);
  }
  inputs(keys: readonly string[]): Input[] {
    const { frames, substeps, worlds } = this.program.run;
    return keys.map((key) => {
      const field = this.program.fields.find((f) => keyOf(f) === key)!;
      const moments = field.over === 'frame' ? frames : field.over === 'substep' ? (frames - 1) * substeps : 1;
      return { field, key, moments, worlds: field.shared ? 1 : worlds };
    });
  }

  /**
   * Sets the parameters of a simulation.
   * @param tangent number of the tangent to set instead of the values.
   */
  set(simulation: Simulation, values: Values, tangent?: number): void {
    for (const { key, field, moments, worlds } of this.parameters()) {
      const all = values.get(key)!;
      if (all.length === 0 || (tangent !== undefined && !simulation.hasDerivative(key))) continue;
      this.put(simulation, { key, field, moments, worlds }, all, tangent);
    }
  }

  put(simulation: Simulation, { key, field, moments, worlds }: Input, all: Float64Array, tangent?: number): void {
    for (let world = 0; world < worlds; world++) {
      const own = ofWorld(all, world, worlds, moments);
      const to = field.shared ? undefined : world;
      if (tangent === undefined) simulation.set(key, own, to);
      else simulation.setTangent(key, own, to, tangent);
    }
  }

  /** Reads all outputs, or their tangents if `tangent` is the number of one. */
  async outputs(simulation: Simulation, tangent?: number): Promise<Map<string, Float64Array>> {
    const { outputs, record } = this.program.run;
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

  async run(simulation: Simulation, point: Values): Promise<Map<string, Float64Array>> {
    this.set(simulation, point);
    simulation.forward();
    return this.outputs(simulation);
  }

  async gradient(simulation: Simulation, weights: Values): Promise<Map<string, Float64Array>> {
    simulation.backward(Object.fromEntries(weights));
    const gradient = new Map<string, Float64Array>();
    for (const key of this.program.run.parameters) gradient.set(key, await simulation.gradient(key));
    return gradient;
  }

  /**
   * Outputs and gradients, in doubles, after randomly rounding all initial values (parameters, other fields, literals):
   * one result for each of several random roundings.
   */
  async rounded(point: Values, rounding: number, weights: Values): Promise<{ outputs: Values; gradient: Values }[]> {
    const moved: { outputs: Values; gradient: Values }[] = [];
    for (let k = 0; k < ROUNDINGS; k++) {
      const factor = (): number => 1 + rounding * (this.random.chance(0.5) ? 1 : -1);
      const rounded = new Map([...point].map(([key, x]) => [key, x.map((v) => v * factor())]));
      const others = movedProgram(this.program, { value: (x) => x * factor(), literal: (x) => x * factor() });
      const simulation = await this.create(this.f64, 'adjoint', AMPLE, { model: buildProgram(others) });
      const outputs = await this.run(simulation, rounded);
      moved.push({ outputs, gradient: await this.gradient(simulation, weights) });
    }
    return moved;
  }
}
