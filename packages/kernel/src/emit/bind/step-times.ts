import type { Node, TimeBuiltin } from '../../form/nodes.ts';
import { portOf } from '../../form/port.ts';
import type { Builder } from '../../language/builder.ts';
import { eq } from '../../primitives/comparison.ts';
import { toF32 } from '../../primitives/conversion.ts';
import { registerOf } from './addresses.ts';
import type { BindOptions } from './options.ts';

/** Columns of the table of steps: durations of the substeps of a frame and of the one before, times of this frame and the next. */
export const STEP_COLUMNS = ['dt', 'previousDt', 'time', 'nextTime'] as const;
const TABLE = portOf('steps', 'read', '');

/** Builds the number of the current substep within its frame. */
export const substepOfFrame = (b: Builder, { substeps = 0, registers }: BindOptions): Node =>
  b.sub(registerOf(b, registers, 'substep'), b.mul(registerOf(b, registers, 'frame'), b.const(substeps, 'u32')));

/** Builds a duration or time of the current substep. */
export function timeOf(b: Builder, builtin: TimeBuiltin, options: BindOptions): Node {
  const { dt, registers, substeps = 0 } = options;
  const whole = (value: number): Node => b.const(value, 'u32');
  const substep = (): Node => registerOf(b, registers, 'substep');
  if (typeof dt === 'number') {
    if (builtin !== 'time' && builtin !== 'nextTime') return b.const(dt);
    return b.mul(b.pure(toF32, builtin === 'time' ? substep() : b.add(substep(), whole(1))), b.const(dt));
  }
  if (builtin === 'longestDt') return b.const(dt.longest);
  const frame = registerOf(b, registers, 'frame');
  const address = b.mul(frame, whole(STEP_COLUMNS.length));
  const entry = (name: (typeof STEP_COLUMNS)[number]): Node =>
    b.word(TABLE, 0, { address, base: dt.base, offset: STEP_COLUMNS.indexOf(name) });
  if (builtin === 'dt') return entry('dt');
  const number = substepOfFrame(b, options);
  // The first substep of a frame is the only one with another duration before it.
  if (builtin === 'previousDt') return b.select(b.pure(eq, number, whole(0)), entry('previousDt'), entry('dt'));
  const after = (count: Node): Node => b.add(entry('time'), b.mul(b.pure(toF32, count), entry('dt')));
  if (builtin === 'time') return after(number);
  const next = b.add(number, whole(1));
  return b.select(b.pure(eq, next, whole(substeps)), entry('nextTime'), after(next));
}
