import { firstLoss, wordOf } from '@gradsim/kernel/compiler';
import type { CompiledModel } from '../model/compile.ts';
import { describeElement } from '../model/model.ts';

/**
 * The error for the alarm of a run that was raised in the earliest substep; null where none was. Additions that went to
 * no element count as such.
 */
export async function raisedAlarm(compiled: CompiledModel): Promise<Error | null> {
  const { model, layout, executor } = compiled;
  let first = await firstLoss(executor, layout.losses, (domain, element) =>
    describeElement(model, domain, element),
  );
  for (const field of layout.fieldsOf('alarm')) {
    const { offset, words, shape } = layout.input(field);
    const raised = await executor.readF32(offset, words);
    for (let world = 0; world < shape.worlds; world++) {
      for (let element = 0; element < shape.elements; element++) {
        const value = (component: number): number => raised[wordOf(shape, component, element, world)];
        const substep = value(0) - 1;
        if (substep < 0 || (first && first.substep <= substep)) continue;
        const values = Array.from({ length: shape.components - 1 }, (_, k) => value(k + 1));
        const where = `in substep ${substep}${shape.worlds > 1 ? `, world ${world}` : ''}`;
        const name = describeElement(model, field.domain, element);
        first = { substep, error: new Error(`${field.alarm!(values, name)} (${where})`) };
      }
    }
  }
  return first?.error ?? null;
}
