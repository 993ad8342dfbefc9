import type { Device, FieldKey, Simulation } from 'gradsim/core';
import { createSimulation } from 'gradsim/core';
import type { Demo, Slider } from './demo.ts';

const keyOf = (field: FieldKey): string => (typeof field === 'string' ? field : field.key);

/** Values of fields that sliders set, in a scene's initial state. */
class SliderSettings {
  readonly #base: ReadonlyMap<string, Float64Array>;
  readonly #sliders: readonly Slider[];

  private constructor(sliders: readonly Slider[], base: ReadonlyMap<string, Float64Array>) {
    this.#sliders = sliders;
    this.#base = base;
  }

  static async of({ sliders, model, run }: Demo, device: Device): Promise<SliderSettings> {
    const still = await createSimulation(model(), { device, ...run, frames: 1, onWarning: () => {} });
    still.forward();
    const base = new Map<string, Float64Array>();
    for (const { field } of sliders) base.set(keyOf(field), Float64Array.from(await still.read(field)));
    still.dispose();
    return new SliderSettings(sliders, base);
  }

  /** Sets the fields of sliders; of those that begin a run only where it begins. */
  apply(simulation: Simulation, values: readonly number[], isStart: boolean): void {
    this.#sliders.forEach((slider, k) => {
      const value = values[k];
      for (const place of this.places(simulation, slider)) this.#base.get(keyOf(slider.field))![place] = value;
    });
    for (const key of new Set(
      this.#sliders.filter((each) => isStart || !each.isStart).map(({ field }) => keyOf(field)),
    ))
      simulation.set(key, this.#base.get(key)!);
  }

  /** Places of a field's values that a slider sets. */
  places(simulation: Simulation, { field, component = 0, elements }: Slider): number[] {
    const { elements: count, components } = simulation.shape(field);
    const chosen = elements ?? Array.from({ length: count }, (_, k) => k);
    return chosen.map((element) => element * components + component);
  }
}

/** A demo that is played: stepped frame by frame, begun anew at its end. */
export class PlayedSimulation {
  readonly #demo: Demo;
  readonly #simulation: Simulation;
  #settings: SliderSettings | undefined;
  #values: readonly number[];

  private constructor(demo: Demo, simulation: Simulation) {
    this.#demo = demo;
    this.#simulation = simulation;
    this.#values = demo.sliders.map(({ value }) => value);
  }

  static async create(demo: Demo, device: Device): Promise<PlayedSimulation> {
    const { frameRate, substeps } = demo.run;
    const options = { device, frameRate, substeps, record: framesOf(demo), onWarning: () => {} };
    return new PlayedSimulation(demo, await createSimulation(demo.model(), options));
  }

  /** Prepares what {@link set} changes, and begins the run; steps before it are those of the sliders' first values. */
  async prepare(device: Device): Promise<void> {
    this.#settings = await SliderSettings.of(this.#demo, device);
    this.begin();
  }

  /** Takes new values of sliders: from the next step on, or from the beginning where one is of an initial state. */
  set(values: readonly number[]): void {
    const isNewStart = this.#demo.sliders.some(({ isStart }, k) => isStart && values[k] !== this.#values[k]);
    this.#values = values;
    if (isNewStart) this.begin();
    else this.#settings?.apply(this.#simulation, values, false);
  }

  begin(): void {
    this.#simulation.restart();
    this.#settings?.apply(this.#simulation, this.#values, true);
  }

  /** Takes a step. Returns what the demo draws, and whether it was the first or the last of a run. */
  step(): { values: Float64Array[]; isFirst: boolean; isLast: boolean } {
    this.#simulation.step();
    const values = this.#demo.reads.map((field) => Float64Array.from(this.#simulation.readSync(field)));
    const { frame } = this.#simulation;
    return { values, isFirst: frame <= 1, isLast: frame >= this.#demo.run.frames - 1 };
  }
}

/** Fields that are read of every frame and are no states: these have to be recorded. */
const framesOf = ({ reads }: Demo): FieldKey[] => reads.filter((field) => keyOf(field).startsWith('bodyVertices.'));

/** The number that a demo differentiates, at the end of a run, with its derivatives by each slider. */
export class DerivativeRun {
  readonly #demo: Demo;
  readonly #simulation: Simulation;
  readonly #settings: SliderSettings;

  private constructor(demo: Demo, simulation: Simulation, settings: SliderSettings) {
    this.#demo = demo;
    this.#simulation = simulation;
    this.#settings = settings;
  }

  /** @param isAdjoint whether derivatives are wanted. */
  static async create(demo: Demo, device: Device, isAdjoint: boolean): Promise<DerivativeRun> {
    const parameters = [...new Set(demo.sliders.map(({ field }) => keyOf(field)))];
    const options = { device, ...demo.run, outputs: [demo.output.field], onWarning: () => {} };
    const simulation = await createSimulation(demo.model(), isAdjoint ? { ...options, parameters } : options);
    return new DerivativeRun(demo, simulation, await SliderSettings.of(demo, device));
  }

  /** The number for these values of sliders. */
  async output(values: readonly number[]): Promise<number> {
    const { field, weights } = this.#demo.output;
    this.#settings.apply(this.#simulation, values, true);
    this.#simulation.forward();
    const ends = await this.#simulation.read(field);
    const all = weights(ends.length);
    return ends.reduce((sum, value, k) => sum + all[k] * value, 0);
  }

  /** The number, and its derivative by each slider. */
  async gradient(values: readonly number[]): Promise<{ output: number; gradient: number[] }> {
    const output = await this.output(values);
    const { field, weights } = this.#demo.output;
    const { elements, components } = this.#simulation.shape(field);
    this.#simulation.backward({ [keyOf(field)]: weights(elements * components) });
    const gradient: number[] = [];
    for (const slider of this.#demo.sliders) {
      const all = await this.#simulation.gradient(slider.field);
      gradient.push(this.#settings.places(this.#simulation, slider).reduce((sum, place) => sum + all[place], 0));
    }
    return { output, gradient };
  }

  /** Central differences of the number by each slider. */
  async differences(values: readonly number[]): Promise<number[]> {
    const differences: number[] = [];
    for (const [k, { range }] of this.#demo.sliders.entries()) {
      const step = 1e-9 * (range[1] - range[0]);
      const at = (change: number): Promise<number> =>
        this.output(values.map((value, j) => (j === k ? value + change : value)));
      differences.push(((await at(step)) - (await at(-step))) / (2 * step));
    }
    return differences;
  }

  dispose(): void {
    this.#simulation.dispose();
  }
}
