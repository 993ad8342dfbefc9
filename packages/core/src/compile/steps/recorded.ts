import { copyForm } from '@gradsim/kernel/internal';
import type { Field } from '../../model/field.ts';
import type { Fields } from './fields.ts';
import type { Role } from './roles.ts';
import type { PassStep, Steps } from './step.ts';

/**
 * Returns the steps extended by copies of the recorded states in every frame; and, by key of each recorded field, the
 * field that holds all its frames.
 */
export function recordStates(
  fields: Fields,
  record: readonly string[],
  roles: Map<string, Role>,
  steps: Steps,
): { steps: Steps; recorded: ReadonlyMap<string, Field> } {
  const recorded = new Map<string, Field>();
  const copies = record.flatMap((key): PassStep[] => {
    const state = fields.field(key);
    if (roles.get(key) !== 'state') {
      recorded.set(key, state);
      return [];
    }
    const name = `${state.name} of every frame`;
    const { domain, scalar, components } = state;
    const field = fields.ensure(`${domain}.${name}`, { scalar, components });
    roles.set(field.key, 'frame');
    recorded.set(key, field);
    const { form } = copyForm(`record_${state.name}`, components, scalar);
    const own = { cycle: 'frame', loop: null } as const;
    return [
      {
        kind: 'pass',
        phase: 'observe',
        kernel: { name: form.name, form: { ...form, domain } },
        rename: { source: state.name, target: name },
        reads: new Map([[key, { ...own, field: state, number: 0 }]]),
        writes: new Map([[field.key, { ...own, field, number: 1 }]]),
      },
    ];
  });
  return { steps: { ...steps, frame: [...steps.frame, ...copies] }, recorded };
}
