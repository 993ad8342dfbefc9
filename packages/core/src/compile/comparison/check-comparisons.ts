import { describeValue, GradsimError } from '@gradsim/base';
import type { Fields } from '../steps/fields.ts';
import type { ComparedFrame, Comparison, Comparisons } from './comparison.ts';

/**
 * @throws for comparisons of a field that is not recorded, with targets of the wrong size, with `instants` that do not
 * divide the frames, or with `worldsOfRun` that do not divide the worlds.
 */
export function checkComparisons(
  fields: Fields,
  { list, columns = 1, worldsOfRun, parts = 1 }: Comparisons,
  run: {
    readonly frames: number;
    readonly worlds: number;
    readonly tangents: number;
    readonly record: readonly string[];
    readonly derivative: 'none' | 'adjoint' | 'tangent';
  },
): void {
  refuseCount('columns', columns);
  refuseCount('parts', parts);
  const least = Math.ceil(columns / run.tangents);
  const own = worldsOfRun ?? least;
  refuseCount('worldsOfRun', own);
  if (run.derivative === 'tangent' && (run.worlds % own !== 0 || own < least))
    throw new GradsimError(
      'core/comparison-worlds',
      `comparisons: ${columns} columns a Jacobian are tangents of ${least} worlds or more, of which ${own} a run do not divide ${run.worlds}.`,
    );
  for (const comparison of list) checkComparison(fields, comparison, run);
}

function checkComparison(
  fields: Fields,
  { field: of, instants, frames, isRotation = false, components }: Comparison,
  run: { readonly frames: number; readonly record: readonly string[] },
): void {
  const key = fields.keyOf(of);
  const field = fields.field(key);
  const what = `The comparison of ${key}`;
  if (!run.record.includes(key))
    throw new GradsimError('core/not-recorded', `${what} needs its frames.`, {
      field: key,
      hint: `Name ${key} in \`record\`.`,
    });
  if (field.scalar !== 'f32')
    throw new GradsimError('core/wrong-type', `${what} takes floats, and ${key} holds ${field.scalar}.`, {
      field: key,
    });
  refuseCount(`${what}: instants`, instants);
  if (run.frames % instants !== 0)
    throw new GradsimError(
      'core/comparison-instants',
      `${what} averages ${instants} instants, which do not divide ${run.frames} frames.`,
    );
  if (isRotation && (field.components !== 4 || instants !== 1))
    throw new GradsimError(
      'core/wrong-type',
      `${what} is of rotations, which are of single quaternions: ${field.components} components, ${instants} instants.`,
    );
  if (frames.length === 0) throw new GradsimError('core/no-frames', `${what} has no frames.`);
  const { size } = fields.domain(field.domain);
  const compared = components ?? field.components;
  refuseCount(`${what}: components`, compared);
  if (compared > field.components || (isRotation && compared !== 4))
    throw new GradsimError(
      'core/option-out-of-range',
      `${what} is of ${compared} components, and ${key} has ${field.components}${isRotation ? ', all of which a rotation takes' : ''}.`,
      { field: key },
    );
  const values = size * compared;
  const residuals = isRotation ? 3 * size : values;
  frames.forEach(({ frame, target, rootWeights }: ComparedFrame, f) => {
    if (
      !Number.isInteger(frame) ||
      frame < 0 ||
      frame >= run.frames / instants ||
      (f > 0 && frame <= frames[f - 1].frame)
    )
      throw new GradsimError(
        'core/no-such-frame',
        `${what}: frame ${frame} is not among the ${run.frames / instants} frames, or out of order.`,
      );
    if (target.length !== values)
      throw new GradsimError(
        'core/wrong-size',
        `${what}: the target of frame ${frame} has ${target.length} values, not ${values}.`,
      );
    if (rootWeights && rootWeights.length !== residuals)
      throw new GradsimError(
        'core/wrong-size',
        `${what}: the weights of frame ${frame} are ${rootWeights.length}, not ${residuals}.`,
      );
  });
}

function refuseCount(name: string, value: number): void {
  if (!Number.isInteger(value) || value < 1)
    throw new GradsimError(
      'core/option-out-of-range',
      `${name} must be a whole number of at least 1, got ${describeValue(value)}.`,
      {
        field: name,
      },
    );
}
