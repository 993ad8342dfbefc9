// The part of compilation that only derivatives need, in one module, so that it is loaded with the first of them.
import type { Device } from '@gradsim/kernel';
import { bytesOfFloat } from '@gradsim/kernel/internal';
import type { Field } from '../../model/field.ts';
import type { Cycle } from '../../model/phases.ts';
import type { CompileOptions } from '../compiled-model.ts';
import type { Layout } from '../layout/layout.ts';
import type { Fields } from '../steps/fields.ts';
import type { LastVersions } from '../steps/last-versions.ts';
import type { Role } from '../steps/roles.ts';
import type { Steps } from '../steps/step.ts';
import type { Version } from '../steps/versions.ts';
import type { ReversePlan, StoredVersions } from './reverse-plan.ts';
import { lostVersions, planReverse } from './reverse-plan.ts';

export { tangent } from '@gradsim/kernel/internal/derivatives';
export { watchGrowth } from '../layout/growth-watch.ts';
export { activeFields } from './active-fields.ts';
export { reverseWork } from './reverse-work.ts';
export { refuseSearchedFloats } from './searched-floats.ts';
export { refuseDead } from './why-dead.ts';

/** Plans the backward pass of each cycle: setup, search, physics and frame. */
export function planAll(
  fields: Fields,
  steps: Steps,
  active: ReadonlySet<string>,
  outputs: readonly string[],
  roles: ReadonlyMap<string, Role>,
  last: LastVersions,
): Record<Cycle, ReversePlan> {
  const seededIn =
    (cycle: Cycle) =>
    (v: Version): boolean => {
      if (!active.has(v.field.key) || v.loop) return false;
      const role = roles.get(v.field.key);
      if (cycle === 'frame') return role === 'frame' && last.has(v) && outputs.includes(v.field.key);
      if (cycle === 'physics') return role === 'state' && last.has(v);
      return (role === 'state' || role === 'derived') && last.has(v);
    };
  return Object.fromEntries(
    (Object.keys(steps) as Cycle[]).map((cycle) => [
      cycle,
      planReverse(cycle, steps[cycle], { fields, active, roles, seeded: seededIn(cycle) }),
    ]),
  ) as Record<Cycle, ReversePlan>;
}

/**
 * Keeps every frame of the fields that the backward pass needs, instead of rendering them again, if this takes at most
 * half of the memory: adds them to `recorded`, where `stored` finds them.
 */
export function keepFrames(
  fields: Fields,
  plans: Record<Cycle, ReversePlan>,
  stored: StoredVersions,
  recorded: Set<Field>,
  { worlds, frames, memory, precision }: CompileOptions & Pick<Device, 'precision'>,
): void {
  const lost = lostVersions('frame', plans.frame.items, null, stored).filter(stored.isLast);
  const words = lost.reduce((sum, { field }) => sum + fields.domain(field.domain).size * field.components * worlds, 0);
  if (words * bytesOfFloat(precision) * frames <= memory / 2) for (const { field } of lost) recorded.add(field);
}

/** Allocates places for the derivatives that the host writes or reads, whether a kernel uses them or not. */
export function placeDerivatives(
  layout: Layout,
  { parameters, derivative }: CompileOptions,
  outputs: readonly string[],
  active: ReadonlySet<string>,
): void {
  const { fields, roles } = layout;
  const of = (keys: readonly string[]): Field[] =>
    keys.filter((key) => active.has(key)).map((key) => fields.field(key));
  const withTangents = derivative === 'tangent';
  if (!withTangents && layout.stateWords.f32 > 0) layout.adjointSlots();
  for (const field of of(parameters)) {
    if (withTangents) layout.tangent(layout.input(field));
    else layout.inputAdjoint(field);
  }
  for (const field of of(outputs)) {
    if (roles.get(field.key) === 'state') continue;
    if (withTangents) layout.tangent(layout.recorded(field));
    else layout.recordedAdjoint(field);
  }
  for (const field of layout.fieldsOf('state').filter((f) => active.has(f.key))) {
    const start: Version = { field, cycle: 'physics', loop: null, number: 0 };
    if (withTangents) layout.tangent(layout.primal(start));
    else layout.adjoint(start);
  }
}
