import { GradsimError, nearestTo } from '@gradsim/base';
import type { KernelForm } from '@gradsim/kernel/internal';
import type { Field } from '../model/field.ts';
import type { Pass } from '../model/pass.ts';
import { keyOf } from '../model/uses.ts';
import type { Fields } from './steps/fields.ts';
import type { Role } from './steps/roles.ts';
import type { PassStep, Step, Steps } from './steps/step.ts';
import { allSteps } from './steps/step.ts';

/**
 * Refuses fields that exist only because a pass writes or adds to them, and that nothing reads: most likely their name
 * is misspelt, and the values are lost.
 *
 * Fields of substeps and searches can only be read by passes, so an unread one is always refused. Fields of setup and
 * frames can also be read by the host: an unread one is refused only if a declared field that is in use has nearly the
 * same name. Fields that plugins declare (columns, `sum`, `made`, `addField`, `addAccumulator`, `addComputed`) are never
 * refused: other plugins may read them, and need not be present.
 *
 * @throws naming the kernel that writes the field, and the nearest name.
 */
export function refuseUnread(
  fields: Fields,
  steps: Steps,
  roles: ReadonlyMap<string, Role>,
  record: readonly string[],
): void {
  const { passes, declared } = fields.model;
  const all = Object.values(steps).flatMap((of) => allSteps(of));
  const read = new Set([...record, ...all.flatMap(readBy), ...passes.flatMap(({ pass }) => productsIn(pass))]);
  // Forward runs do not use hand-written adjoints: their reads are collected only when a field seems to be read by
  // nothing.
  let byAdjoints: ReadonlySet<string> | null = null;
  const isRead = (key: string): boolean => {
    if (read.has(key)) return true;
    byAdjoints ??= new Set(all.flatMap(readByAdjoint));
    return byAdjoints.has(key);
  };
  for (const { kernel, names, phase, isDerived } of fields.model.kernels()) {
    if (isDerived) continue;
    const keyIn = keyOf(kernel.form, names);
    for (const port of kernel.form.ports) {
      if (port.access === 'read' || port.kind !== 'primal') continue;
      const key = keyIn(port);
      const field = fields.find(key);
      if (!field?.isComputed || declared.has(key) || isRead(key)) continue;
      const role = roles.get(key);
      const isHosts = role !== 'scratch' && role !== 'found';
      const near = nearestInUse(isHosts ? fields.model.fields : fields, field, isRead);
      if (isHosts && near === undefined) continue;
      throw new GradsimError(
        'core/unread-values',
        messageFor(field, `Kernel ${kernel.name} (phase ${phase})`, isHosts, near),
      );
    }
  }
}

/** Returns the keys of the fields that a step reads. */
function readBy(step: Step): string[] {
  if (step.kind === 'sum') return [];
  const keys = [...step.reads.keys()];
  if (step.kind === 'loop' && step.loop.endedField) keys.push(step.loop.endedField.key);
  if (step.kind === 'pass') keys.push(...readByForm(step.kernel.form, step));
  return keys;
}

/** Returns the keys of the fields that the hand-written adjoint of a step reads. */
const readByAdjoint = (step: Step): string[] =>
  step.kind === 'pass' ? (step.kernel.adjoint?.() ?? []).flatMap(({ form }) => readByForm(form, step)) : [];

const readByForm = (form: KernelForm, { rename }: PassStep): string[] =>
  form.ports.filter(({ access }) => access === 'read').map(keyOf(form, rename));

/** Returns the keys of the fields used in a pass's products with Jacobians. */
function productsIn(pass: Pass): string[] {
  switch (pass.kind) {
    case 'kernel':
      return [];
    case 'product':
      return [pass.sumKey, ...(pass.mode === 'jvp' ? Object.values(pass.fields) : [pass.vectorOfSum])];
    case 'block':
      return [...pass.passes, ...pass.vjp, ...pass.jvp].flatMap(productsIn);
    default:
      return pass.passes.flatMap(productsIn);
  }
}

/**
 * Returns the nearest name to a field's, among fields of its domain and type that passes read or that are accumulators.
 */
function nearestInUse(
  among: Pick<Fields, 'values'>,
  { domain, name, scalar, components }: Field,
  isRead: (key: string) => boolean,
): string | undefined {
  const beside = [...among.values()].filter(
    (other) =>
      withoutDigits(other.name) !== withoutDigits(name) &&
      other.domain === domain &&
      other.scalar === scalar &&
      other.components === components &&
      (other.isSum || isRead(other.key)),
  );
  return nearestTo(
    name,
    beside.map((other) => other.name),
  );
}

/** Removes the digits from a name: names that differ only in numbers belong to a series and are not misspelt. */
const withoutDigits = (name: string): string => name.replace(/\d+/g, '0');

function messageFor({ key, domain }: Field, who: string, isHosts: boolean, near: string | undefined): string {
  return (
    `${who} makes ${key}, which no plugin declares, no pass reads${isHosts ? ' and nobody records' : ''}: what it makes is lost. ` +
    `${near === undefined ? '' : `Did you mean ${domain}.${near}? `}If it is for others to read, or not, declare it: as \`made\` of its component, or with model.addComputed.`
  );
}
