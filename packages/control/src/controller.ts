import type { Model, Plugin } from '@gradsim/core';
import { definePlugin, f32, GradsimError, refuseUnknownChoice, refuseUnknownOptions } from '@gradsim/core';
import type { Activation } from './dense.ts';
import { ACTIVATIONS, addDense } from './dense.ts';
import type { Drive, ResolvedDrive } from './drive.ts';
import { addDrive, resolveDrive } from './drive.ts';
import { addEffort } from './effort.ts';
import type { ControllerInput } from './inputs/controller-input.ts';
import { refuseCount, refuseNumber } from './inputs/controller-input.ts';
import { addOutputDifference, outputCountOf } from './miss.ts';
import { addWeights } from './weights.ts';

export interface ControllerOptions {
  /** Name of the controller, which begins the names of its domains: letters and digits. Default `controller`. */
  readonly name?: string;
  /** Inputs of the controller, each a vector of numbers; the first layer reads all of them. */
  readonly inputs: readonly ControllerInput[];
  /** Number of units in each hidden layer. Default none: a single layer leads from the inputs to the outputs. */
  readonly hidden?: readonly number[];
  /** Activation function of the hidden layers: `tanh`, `relu` or `identity`. Default `tanh`. */
  readonly activation?: Activation;
  /** Activation function of the output layer. Default `tanh`, so that outputs lie between -1 and 1. */
  readonly output?: Activation;
  /** True if every layer adds a bias. Default true. */
  readonly bias?: boolean;
  /** Fields that the outputs drive; none for a controller with `teaches`. */
  readonly drives?: readonly Drive[];
  /**
   * Name of another controller of the scene, the learner, which precedes this one in the list of plugins. This
   * controller then drives nothing, must have as many outputs as the learner, and adds `world.NAMEMiss`: the mean
   * squared difference between the outputs of both, integrated over time, s. Used as a loss, it trains the learner to
   * imitate this one.
   */
  readonly teaches?: string;
  /** Number of substeps from one evaluation to the next; outputs are held in between. Default 1. */
  readonly every?: number;
  /** True to add `world.NAMEEffort`: the mean of the squared outputs, integrated over time, s. Default false. */
  readonly effort?: boolean;
  /** True if all worlds share one set of weights. Default false. */
  readonly shared?: boolean;
  /**
   * Factor of the standard deviation of the initial weights, which is 1 / sqrt(number of inputs of the layer) at a
   * factor of 1; the distribution is uniform. Default 1.
   */
  readonly weightDeviation?: number;
  /** Seed of the initial weights. Default 1. */
  readonly seed?: number;
  /** Initial weights and biases, by field key such as `gaitLayer1.bias`; those not given are drawn at random. */
  readonly weights?: Readonly<Record<string, ArrayLike<number>>>;
}

export const CONTROLLER_DEFAULTS = {
  name: 'controller',
  hidden: [] as readonly number[],
  activation: 'tanh',
  output: 'tanh',
  bias: true,
  every: 1,
  effort: false,
  shared: false,
  weightDeviation: 1,
  seed: 1,
  weights: {} as Readonly<Record<string, ArrayLike<number>>>,
} as const satisfies Omit<ControllerOptions, 'inputs' | 'drives' | 'teaches'>;

/**
 * Neural-network controller: its inputs pass through dense layers, and its outputs drive fields of other plugins
 * (columns are set, sums are added to). It is evaluated in phase `control` of each substep, or of every `every`-th.
 * Gradients of the whole run reach all of its weights.
 *
 * Each input and layer is a domain: a controller `gait` has `gaitSight0.value` (first input), `gaitLayer1.value` (first
 * hidden layer) and `gaitOutputs.value`. The weights that lead from an input or layer to the next one are
 * `gaitSight0Weights.weight`, [number of the input][number of the next layer]; biases are `gaitLayer1.bias`. See
 * {@link weightsOf}.
 *
 * ```ts
 * const scene = createScene([
 *   particles(),
 *   springs(),
 *   controller({
 *     name: 'gait',
 *     inputs: [sinusoidInput({ frequency: 20, count: 8 })],
 *     bias: false,
 *     drives: [{ field: Spring.actuation, scale: 0.2 }],
 *   }),
 * ]);
 * ```
 * Source: gradSim (ICLR 2021), visuomotor control.
 *
 * @throws for invalid options; when the model is built, for an observed or driven field that does not exist, for
 * weights of another size, and for a driven field that no pass reads.
 */
export function controller(options: ControllerOptions): Plugin {
  const known = { ...CONTROLLER_DEFAULTS, inputs: true, drives: true, teaches: true };
  refuseUnknownOptions<ControllerOptions>('controller', options, known);
  const settings: Settings = { ...CONTROLLER_DEFAULTS, drives: [], ...checkOptions(options) };
  const { name } = settings;
  refuseSettings(settings);
  const drives = new WeakMap<Model, readonly ResolvedDrive[]>();
  return definePlugin({
    name: `@gradsim/control/${name}`,
    contract: 1,
    build: ({ model }) => {
      drives.set(model, build(model, settings));
    },
    finish: ({ model }) => {
      for (const { driven } of drives.get(model)!) refuseUnread(model, name, driven.field.key);
    },
  });
}

type Settings = Required<Omit<ControllerOptions, 'teaches'>> & Pick<ControllerOptions, 'teaches'>;

const checkOptions = (options: ControllerOptions): ControllerOptions =>
  Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as unknown as ControllerOptions;

function refuseSettings({
  name,
  inputs,
  hidden,
  drives,
  every,
  weightDeviation,
  seed,
  teaches,
  ...rest
}: Settings): void {
  if (!/^[A-Za-z][A-Za-z0-9]*$/.test(name))
    throw new GradsimError(
      'control/wrong-name',
      `A controller's name begins the names of fields: letters and digits, not "${name}".`,
    );
  const what = `The controller ${name}`;
  if (!(inputs?.length > 0))
    throw new GradsimError('control/sees-nothing', `${what} has no inputs.`, {
      hint: 'Give it sinusoidInput, splineInput or fieldInput in `inputs`.',
    });
  if (teaches !== undefined && drives.length > 0)
    throw new GradsimError(
      'control/teacher-that-drives',
      `${what} teaches ${teaches}, and drives something; one that teaches drives nothing.`,
    );
  if (teaches === undefined && !(drives?.length > 0))
    throw new GradsimError('control/drives-nothing', `${what} drives nothing.`, { hint: 'Name a field in `drives`.' });
  hidden.forEach((size, k) => {
    refuseCount(`${what}: the size of layer ${k + 1}`, size, 1);
  });
  refuseUnknownChoice(`${what}: activation`, rest.activation, ACTIVATIONS);
  refuseUnknownChoice(`${what}: output`, rest.output, ACTIVATIONS);
  refuseCount(`${what}: every`, every, 1);
  refuseCount(`${what}: seed`, seed, 0);
  if (weightDeviation !== 0) refuseNumber(`${what}: weightDeviation`, weightDeviation, 'be above 0');
}

function build(model: Model, settings: Settings): readonly ResolvedDrive[] {
  const { name, inputs, hidden, drives, every, bias: hasBias, effort, teaches } = settings;
  const what = `The controller ${name}`;
  const sights = inputs.map((sight, k) => {
    const domain = `${name}Sight${k}`;
    sight.add(model, domain, { every });
    return { domain, size: model.domain(domain).size };
  });
  const driven = drives.map((drive, k) => resolveDrive(model, `drive ${k} of ${what.replace('The', 'the')}`, drive));
  const outputs = {
    domain: `${name}Outputs`,
    size: teaches === undefined ? driven.reduce((sum, d) => sum + d.outputs, 0) : outputCountOf(model, what, teaches),
  };
  const layers = [...hidden.map((size, k) => ({ domain: `${name}Layer${k + 1}`, size })), outputs];
  for (const { domain, size } of layers) model.addDomain(domain, size);
  // Fields held from substep to substep start without an output.
  if (every > 1) model.addField(outputs.domain, 'value', f32, { fill: 0 });
  const takers = layers.map((to, k) => ({
    to,
    from: (k === 0 ? sights : [layers[k - 1]]).map((layer) => ({
      ...layer,
      weights: `${layer.domain}Weights`,
    })),
  }));
  addWeights(model, settings, takers);
  for (const { to, from } of takers)
    addDense(model, {
      inputs: from,
      output: to,
      hasBias,
      every,
      isKept: to === outputs,
      activation: to === outputs ? settings.output : settings.activation,
    });
  if (teaches !== undefined) addOutputDifference(model, `${name}Miss`, outputs, `${teaches}Outputs`);
  if (effort) addEffort(model, `${name}Effort`, outputs);
  let first = 0;
  driven.forEach((drive, k) => {
    addDrive(model, `${name}Drive${k}`, outputs, first, drive);
    first += drive.outputs;
  });
  return driven;
}

/** Checks that a field driven by a controller has an effect. @throws if no pass of another plugin reads it. */
function refuseUnread(model: Model, name: string, key: string): void {
  const isRead = model
    .kernels()
    .some(
      ({ kernel, names, owner }) =>
        owner !== `@gradsim/control/${name}` &&
        kernel.form.ports.some(
          (port) =>
            port.access === 'read' &&
            port.kind === 'primal' &&
            (port.field?.key ?? `${port.domain || kernel.form.domain}.${names[port.name] ?? port.name}`) === key,
        ),
    );
  if (!isRead)
    throw new GradsimError(
      'control/unread-field',
      `The controller ${name} drives ${key}, which no pass reads: it would change nothing.`,
      { field: key, hint: 'Name a field that forces go by, and register the plugin that they belong to.' },
    );
}
