import type { Kernel } from '@gradsim/kernel';
import { f32, f64Device, i32, u32 } from '@gradsim/kernel';
import type { Port } from '@gradsim/kernel/compiler';
import { Model } from '../model/model.ts';
import type { Simulation } from '../tape/simulation.ts';
import { createSimulation } from '../tape/simulation.ts';
import { randomValues } from './random.ts';

/** Where the numbers come from that a kernel is tried on. */
export interface KernelInputs {
  /** Values of fields by name (`position`, or `particles.position` where two domains have one), repeated to fill. */
  readonly values?: Readonly<Record<string, ArrayLike<number>>>;
  /** Ranges of random values by field name; default [-1, 1]. Whole numbers: [0, 4), from low up to high. */
  readonly ranges?: Readonly<Record<string, readonly [number, number]>>;
  /** Fields by name that derivatives take as constants (what goes into `detach`, say). */
  readonly constants?: readonly string[];
  /** Elements of domains; default 5 for the kernel's own, 4 for others. */
  readonly sizes?: Readonly<Record<string, number>>;
}

/** One substep of one kernel as a model of its own, on doubles, with both derivatives. */
export interface KernelHarness {
  /** Keys of the f32 fields that the kernel reads, with values to start from. */
  readonly inputs: ReadonlyMap<string, Float64Array>;
  /** Keys of the f32 fields that it writes or adds to. */
  readonly outputs: readonly string[];
  readonly adjoint: Simulation;
  readonly tangent: Simulation;
}

const DT = 0.01;
const FRAMES = { frames: 2, frameRate: 1 / DT, substeps: 1 } as const;

/** Builds the model: inputs become fields with random values, outputs become states, so that adjoints enter there. */
export async function kernelHarness(
  kernel: Kernel,
  { values = {}, ranges = {}, constants = [], sizes = {} }: KernelInputs,
  random: () => number,
): Promise<KernelHarness> {
  const { form } = kernel;
  if (form.ports.some((p) => p.shade !== 'primal')) {
    throw new Error(
      `kernel ${kernel.name} is an adjoint written by hand; check the kernel that it belongs to.`,
    );
  }
  const model = new Model();
  const domainOf = (port: Port): string => port.domain || form.domain;
  const keyOf = (port: Port): string => `${domainOf(port)}.${port.name}`;
  const sizeOf = (domain: string): number => sizes[domain] ?? (domain === form.domain ? 5 : 4);
  const domains = [form.domain, ...form.ports.flatMap((p) => [domainOf(p), p.target ?? form.domain])];
  for (const domain of new Set(domains)) if (domain !== 'world') model.addDomain(domain, sizeOf(domain));

  const known = new Set([...form.ports.flatMap((p) => [p.name, keyOf(p)])]);
  for (const name of [...Object.keys(values), ...Object.keys(ranges), ...constants]) {
    if (!known.has(name))
      throw new Error(`kernel ${kernel.name} has no field "${name}"; it has ${[...known].join(', ')}.`);
  }
  const inputs = new Map<string, Float64Array>();
  for (const port of form.ports) {
    const key = keyOf(port);
    if (port.access !== 'read' || model.fields.has(key)) continue;
    const count = model.domain(domainOf(port)).size * port.components;
    const given = values[key] ?? values[port.name];
    const whole = port.scalar !== 'f32';
    const range = ranges[key] ?? ranges[port.name];
    const [low, high] =
      range ?? (port.target ? [0, model.domain(port.target).size] : whole ? [0, 4] : [-1, 1]);
    const drawn = randomValues(random, count, low, high);
    const filled = given
      ? Float64Array.from({ length: count }, (_, k) => given[k % given.length])
      : whole
        ? drawn.map(Math.floor)
        : drawn;
    if (port.target) {
      model.addIndex(domainOf(port), port.name, port.target, port.components, filled);
      continue;
    }
    addField(model, domainOf(port), port, filled);
    if (!whole && !constants.includes(key) && !constants.includes(port.name)) inputs.set(key, filled);
  }
  const outputs = new Set<string>();
  for (const port of form.ports) {
    if (port.access === 'read' || port.scalar !== 'f32') continue;
    const key = keyOf(port);
    outputs.add(key);
    const count = model.domain(domainOf(port)).size * port.components;
    if (!model.fields.has(key)) addField(model, domainOf(port), port, new Float64Array(count));
  }
  if (inputs.size === 0 || outputs.size === 0) {
    throw new Error(
      `kernel ${kernel.name} has no derivative to check: it needs f32 fields that it reads and that it gives.`,
    );
  }
  model.addPass('integrate', kernel);
  const options = { ...FRAMES, device: f64Device(), parameters: [...inputs.keys()], outputs: [...outputs] };
  const [adjoint, tangent] = await Promise.all([
    createSimulation(model, { ...options, derivative: 'adjoint' }),
    createSimulation(model, { ...options, derivative: 'tangent' }),
  ]);
  return { inputs, outputs: [...outputs], adjoint, tangent };
}

function addField(model: Model, domain: string, port: Port, values: Float64Array): void {
  const scalar = { f32, i32, u32 }[port.scalar as 'f32' | 'i32' | 'u32'];
  model.addField(domain, port.name, { ...scalar, components: port.components }, { values });
}
