import { GradsimError } from '@gradsim/base';
import type { Query } from '@gradsim/kernel/internal';
import { firstBadAccess, wordOf } from '@gradsim/kernel/internal';
import type { CompiledModel } from '../../compile/compiled-model.ts';

/**
 * Returns the error for the alarm that was raised in the earliest substep; null if there is none. Additions at an index
 * that is no element count as alarms.
 */
export function raisedAlarm({ model, layout }: CompiledModel): Query<Error | null> {
  const badAccess = firstBadAccess(layout.accessRecords, (domain, element) => model.describe(domain, element));
  const alarms = layout.fieldsOf('alarm').map((field) => ({ field, place: layout.input(field) }));
  const requests = alarms.map(({ place: { offset, words } }) => ({ arena: 'f32', from: offset, words }) as const);
  return {
    requests: [...badAccess.requests, ...requests],
    conclude: (answers) => {
      let first = badAccess.conclude(answers.slice(0, badAccess.requests.length));
      for (const [k, { field, place }] of alarms.entries()) {
        const raised = answers[badAccess.requests.length + k];
        const { shape } = place;
        for (let world = 0; world < shape.worlds; world++) {
          for (let element = 0; element < shape.elements; element++) {
            const value = (component: number): number => raised[wordOf(shape, component, element, world)];
            const substep = value(0) - 1;
            if (substep < 0 || (first && first.substep <= substep)) continue;
            const values = Array.from({ length: shape.components - 1 }, (_, n) => value(n + 1));
            const where = `in substep ${substep}${shape.worlds > 1 ? `, world ${world}` : ''}`;
            const name = model.describe(field.domain, element);
            const said = field.alarm!(values, name);
            const details = { field: field.key, element: said.includes(name) ? name : undefined };
            first = { substep, error: new GradsimError('core/alarm', `${said} (${where})`, details) };
          }
        }
      }
      return first?.error ?? null;
    },
  };
}
