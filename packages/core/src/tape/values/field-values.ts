import { describeValue, GradsimError } from '@gradsim/base';
import type { MemoryPlace } from '@gradsim/kernel/internal';
import { toWords, wordOf } from '@gradsim/kernel/internal';
import type { CompiledModel } from '../../compile/compiled-model.ts';
import type { Field } from '../../model/field.ts';
import { refuseUnfitValue } from '../../model/fit.ts';

/** Values to write to the place of a field, as {@link Simulation.set} takes them. */
export interface Values {
  readonly values: ArrayLike<number>;
  /** Index of the world to write; all worlds if omitted. */
  readonly world?: number;
  /** Number of worlds of the simulation. */
  readonly worlds: number;
  /** Number of moments for which the field has a value: 1, or the number of frames or substeps. */
  readonly moments: number;
}

/**
 * Writes a field's values to the device.
 * @throws when a value is not finite, their number is wrong, or the world does not exist.
 */
export function writeValues(
  { executor, model }: CompiledModel,
  field: Field,
  place: MemoryPlace,
  { values, world, worlds, moments }: Values,
): void {
  const { shape, words } = place;
  if (typeof values !== 'object' || values === null || !('length' in values))
    throw new GradsimError(
      'core/wrong-size',
      `${field.key} takes a number or an array of numbers, got ${describeValue(values)}.`,
      {
        field: field.key,
      },
    );
  refuseUnfitValue(field, values, (element) => model.describe(field.domain, element), shape.elements);
  if (world !== undefined && !(Number.isInteger(world) && world >= 0 && world < worlds))
    throw new GradsimError(
      'core/no-such-world',
      `${field.key}: there is no world ${world}; the simulation has ${worlds}, from 0 to ${worlds - 1}.`,
      { field: field.key },
    );
  const perWorld = shape.elements * shape.components;
  const write = (at: number, block: Float64Array | Uint32Array): void => {
    if (block instanceof Uint32Array) executor.writeU32(at, block);
    else executor.writeF32(at, block);
  };
  const blockOf = (length: number): Float64Array | Uint32Array =>
    place.buffer === 'f32' ? new Float64Array(length) : new Uint32Array(length);
  const ofAllWorlds = perWorld * shape.worlds;
  if (world === undefined && values.length === ofAllWorlds * moments) {
    const block = blockOf(words);
    for (let moment = 0; moment < moments; moment++) {
      toWords(shape, values, moment * ofAllWorlds, block);
      write(place.offset + moment * (place.registerStride ?? 0), block);
    }
    return;
  }
  const isConstant = moments !== 1 && values.length === perWorld;
  if (values.length !== perWorld * moments && !isConstant) {
    throw new GradsimError(
      'core/wrong-size',
      `${field.key} takes ${moments > 1 ? `${moments} x ` : ''}${shape.elements} x ${shape.components} values, got ${values.length}.`,
      { field: field.key },
    );
  }
  if (world !== undefined && shape.worlds === 1 && worlds > 1)
    throw new GradsimError('core/shared-field', `${field.key} is shared by all worlds.`, {
      field: field.key,
      hint: 'Set it without naming one.',
    });
  const isAlone = world !== undefined && shape.worlds > 1;
  for (let moment = 0; moment < moments; moment++) {
    const at = place.offset + moment * (place.registerStride ?? 0);
    const block = blockOf(isAlone ? 1 : words);
    for (let e = 0; e < shape.elements; e++) {
      for (let c = 0; c < shape.components; c++) {
        const value = values[(isConstant ? 0 : moment * perWorld) + e * shape.components + c];
        if (isAlone) {
          block[0] = value;
          write(at + wordOf(shape, c, e, world), block);
          continue;
        }
        for (let w = 0; w < shape.worlds; w++) block[wordOf(shape, c, e, w)] = value;
      }
    }
    if (!isAlone) write(at, block);
  }
}
