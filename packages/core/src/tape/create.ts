import { refuseWrongType } from '@gradsim/base';
import { runQuery } from '@gradsim/kernel/internal';
import { compileModel } from '../compile/compile.ts';
import { stepClock } from '../model/clock.ts';
import type { Model } from '../model/model.ts';
import type { FieldKey } from '../model/references.ts';
import { isTooLarge, stepWarning } from './checks/step-limit.ts';
import type { SimulationOptions } from './options.ts';
import { checkedOptions, DEFAULT_MEMORY } from './options.ts';
import { substepsInAll } from './run/schedule.ts';
import { Simulation } from './simulation.ts';
import { warn } from './warnings.ts';

/** Options of {@link openSimulation} for use within this package and by those that build on it. */
interface Inside {
  readonly isApart?: boolean;
  readonly isFree?: boolean;
  readonly compile?: typeof compileModel;
}

/** Models for which a warning about the substep was already given. */
const warned = new WeakSet<Model>();

/**
 * Compiles a model for a device.
 * @throws before anything runs, when the model is inconsistent, nothing reads a parameter, a rate is not a positive
 * number, or the states that a gradient keeps do not fit into the memory limit.
 */
export function createSimulation(model: Model, options: SimulationOptions): Promise<Simulation> {
  return openSimulation(model, options);
}

/**
 * Compiles a model for a device, with options for use within this package.
 * @param inside `isApart`: no memory is aliased, to compare with a simulation that aliases; `isFree`: values may leave
 * their ranges, as in differences at the end of a range; `compile`: compiles the model, such as `compileShared`.
 */
export async function openSimulation(
  model: Model,
  givenOptions: SimulationOptions,
  { isApart, isFree, compile = compileModel }: Inside = {},
): Promise<Simulation> {
  refuseWrongType('createSimulation: model', model, 'a model: buildModel(scene)', !!model?.keyOf);
  const checked = await checkedOptions(givenOptions);
  // Loaded for a device of two only: a page has no bytes of it.
  const device = checked.device.forElements
    ? (await import('./suited-device.ts')).suitedDevice(model, checked)
    : checked.device;
  const options = { ...checked, device };
  const { frames = 1, substeps } = options;
  const clock = stepClock(options, substeps);
  const keys = (fields: readonly FieldKey[] = []): string[] => fields.map((field) => model.keyOf(field));
  const parameters = keys(options.parameters);
  const record = keys(options.record);
  const outputs = options.outputs ? keys(options.outputs) : record;
  const derivative = options.derivative ?? (parameters.length > 0 ? 'adjoint' : 'none');
  const compiled = await compile(
    model,
    {
      worlds: options.worlds ?? 1,
      tangents: options.tangents ?? 1,
      frames,
      substepsInAll: substepsInAll({ frames, substeps }),
      clock,
      parameters,
      record,
      outputs,
      derivative,
      comparisons: options.comparisons,
      memory: options.memory ?? DEFAULT_MEMORY,
      isApart,
    },
    options.device,
  );
  const settings = { ...options, clock, parameters, record, outputs, derivative, isFree };
  // Loaded with the first gradient and the first comparison, as their parts of the compilation are.
  const backward = derivative === 'adjoint' ? await import('./backward-tools.ts') : null;
  const comparing = options.comparisons ? (await import('./comparing.ts')).ComparisonRunner : null;
  const simulation = new Simulation(compiled, settings, backward, comparing);
  for (const text of model.warnings) warn(options, text);
  const step = await simulation.stableStep();
  if (isTooLarge(step) && step.ownDt > model.acceptedStep) {
    const warning = await runQuery(
      compiled.executor,
      stepWarning({ compiled, substeps, worlds: simulation.worlds, dt: step.ownDt, isUneven: !!options.frameTimes }),
    );
    // Estimates change which element sets the limit: the console gets one warning a model.
    const isSaid = !options.onWarning && warned.has(model);
    warned.add(model);
    if (warning && !isSaid) warn(options, warning, `substep of ${step.element}`);
  }
  return simulation;
}
