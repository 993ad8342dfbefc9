import type { Node, TimeBuiltin } from '../../form/nodes.ts';
import { portOf } from '../../form/port.ts';
import type { Builder } from '../../language/builder.ts';
import { eq } from '../../primitives/comparison.ts';
import { toF32, toU32 } from '../../primitives/conversion.ts';
import { registerOf } from './addresses.ts';
import type { BindOptions, TabledSteps } from './options.ts';
import { STEP_COLUMNS } from './step-table.ts';

const TABLE = portOf('steps', 'read', '');

/** Builds a value of the table of steps, in the row of the current frame. */
function entry(
  b: Builder,
  name: (typeof STEP_COLUMNS)[number],
  { base, isEven }: TabledSteps,
  registers: readonly string[],
): Node {
  const address = isEven
    ? b.const(0, 'u32')
    : b.mul(registerOf(b, registers, 'frame'), b.const(STEP_COLUMNS.length, 'u32'));
  return b.word(TABLE, 0, { address, base, offset: STEP_COLUMNS.indexOf(name) });
}

/** Builds the number of the current substep within its frame; without a table, substeps are not counted by frames. */
export function substepOfFrame(b: Builder, { steps, registers }: BindOptions): Node {
  const substep = registerOf(b, registers, 'substep');
  if (typeof steps === 'number') return substep;
  const substeps = b.pure(toU32, entry(b, 'substeps', steps, registers));
  return b.sub(substep, b.mul(registerOf(b, registers, 'frame'), substeps));
}

/** Builds a duration or time of the current substep. */
export function timeOf(b: Builder, builtin: TimeBuiltin, options: BindOptions): Node {
  const { steps, registers } = options;
  const of = (name: (typeof STEP_COLUMNS)[number]): Node => entry(b, name, steps as TabledSteps, registers);
  if (typeof steps === 'number' || steps.isEven) {
    const dt = typeof steps === 'number' ? b.const(steps) : of('dt');
    if (builtin !== 'time' && builtin !== 'nextTime') return dt;
    const substep = registerOf(b, registers, 'substep');
    return b.mul(b.pure(toF32, builtin === 'time' ? substep : b.add(substep, b.const(1, 'u32'))), dt);
  }
  if (builtin === 'dt' || builtin === 'longestDt') return of(builtin);
  const number = substepOfFrame(b, options);
  // The first substep of a frame is the only one with another duration before it.
  if (builtin === 'previousDt') return b.select(b.pure(eq, number, b.const(0, 'u32')), of('previousDt'), of('dt'));
  const after = (count: Node): Node => b.add(of('time'), b.mul(b.pure(toF32, count), of('dt')));
  if (builtin === 'time') return after(number);
  const next = b.add(number, b.const(1, 'u32'));
  return b.select(b.pure(eq, next, b.pure(toU32, of('substeps'))), of('nextTime'), after(next));
}
