import { wordOf } from '@gradsim/kernel/compiler';
import type { CompiledModel } from '../model/compile.ts';
import { describeElement } from '../model/model.ts';

interface Raised {
  readonly substep: number;
  readonly error: Error;
}

/**
 * The error for the alarm of a run that was raised in the earliest substep; null where none was. Additions that went to
 * no element count as such.
 */
export async function raisedAlarm(compiled: CompiledModel): Promise<Error | null> {
  const { model, layout, executor } = compiled;
  let first = await firstLoss(compiled);
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

async function firstLoss({ model, layout, executor }: CompiledModel): Promise<Raised | null> {
  let first: Raised | null = null;
  for (const { place, isBack, describe } of layout.losses) {
    const { offset, words, shape } = place;
    const record = await executor.readU32(offset, words);
    for (let world = 0; world < shape.worlds; world++) {
      const [substep, slot, target] = [0, 1, 2].map((c) => record[wordOf(shape, c, 0, world)]);
      if (substep === 0 || (first && first.substep <= substep - 1)) continue;
      const { kernel, domain, element, field, elements, index } = describe(slot, target);
      const name = describeElement(model, domain, element);
      const does = isBack ? 'reads' : 'adds to';
      const what =
        index === null
          ? `${does} ${field} in more rounds of a loop than its bound \`most\` has; raise that`
          : `${does} ${field} at index ${index}, and there are ${elements} of ${field.split('.')[0]}; ` +
            `${isBack ? 'a derivative goes through it, so it must be one of them' : 'leave out what has no place there'}`;
      const where = `substep ${substep - 1}${shape.worlds > 1 ? `, world ${world}` : ''}`;
      first = {
        substep: substep - 1,
        error: new Error(`kernel ${kernel}, for ${name} of ${domain}: ${what} (${where}).`),
      };
    }
  }
  return first;
}
