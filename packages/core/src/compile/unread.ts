import { GradsimError } from '@gradsim/kernel';
import type { KernelForm } from '@gradsim/kernel/internal';
import { nearestTo } from '@gradsim/kernel/internal';
import type { Field } from '../model/field.ts';
import type { Pass } from '../model/pass.ts';
import { keyOf } from '../model/uses.ts';
import type { Fields } from './fields.ts';
import type { Role } from './roles.ts';
import type { PassStep, Step, Steps } from './step.ts';
import { allSteps } from './step.ts';

/**
 * Refuses fields that only a write or an addition creates and that nothing reads: most likely their name is misspelt,
 * and the values are lost.
 *
 * What substeps and searches make, only passes can read, so it is refused whatever its name. What setup and frames make,
 * the host can read as well, whenever it likes: it is refused only where a field that the model declares, and that is in
 * use, has nearly the same name. Fields that plugins declare (columns, `sum`, `made`, `addField`, `addAccumulator`,
 * `addMade`) are never refused: they are for others, which a scene may do without.
 *
 * @throws with the kernel that writes the field, and the name that is nearest.
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
      if (!field?.isMade || declared.has(key) || isRead(key)) continue;
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

/** Keys of the fields that a step reads. */
function readBy(step: Step): string[] {
  if (step.kind === 'sum') return [];
  const keys = [...step.reads.keys()];
  if (step.kind === 'loop' && step.loop.done) keys.push(step.loop.done.key);
  if (step.kind === 'pass') keys.push(...readByForm(step.kernel.form, step));
  return keys;
}

/** Keys of the fields that the hand-written adjoint of a step reads. */
const readByAdjoint = (step: Step): string[] =>
  step.kind === 'pass' ? (step.kernel.adjoint?.() ?? []).flatMap(({ form }) => readByForm(form, step)) : [];

const readByForm = (form: KernelForm, { rename }: PassStep): string[] =>
  form.ports.filter(({ access }) => access === 'read').map(keyOf(form, rename));

/** Keys of the fields used in a pass's products with Jacobians. */
function productsIn(pass: Pass): string[] {
  switch (pass.kind) {
    case 'kernel':
      return [];
    case 'product':
      return [pass.of, ...(pass.mode === 'jvp' ? Object.values(pass.fields) : [pass.with])];
    case 'block':
      return [...pass.passes, ...pass.vjp, ...pass.jvp].flatMap(productsIn);
    default:
      return pass.passes.flatMap(productsIn);
  }
}

/** Nearest name to a field's among fields of its domain and type that passes read, or that are accumulators. */
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

/** Names that differ in numbers alone belong to a series; they are not misspelt. */
const withoutDigits = (name: string): string => name.replace(/\d+/g, '0');

function messageFor({ key, domain }: Field, who: string, isHosts: boolean, near: string | undefined): string {
  return (
    `${who} makes ${key}, which no plugin declares, no pass reads${isHosts ? ' and nobody records' : ''}: what it makes is lost. ` +
    `${near === undefined ? '' : `Did you mean ${domain}.${near}? `}If it is for others to read, or not, declare it: as \`made\` of its component, or with model.addMade.`
  );
}
