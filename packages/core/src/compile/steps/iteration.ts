import { f32, kernel, select, vec3, when } from '@gradsim/kernel';
import type { KernelForm, Port } from '@gradsim/kernel/internal';
import { Builder, primitives } from '@gradsim/kernel/internal';
import type { AlarmMessage, Field } from '../../model/field.ts';
import type { IteratePass, KernelPass } from '../../model/pass.ts';
import { bind } from '../../model/pass.ts';
import { toleranceAt } from '../../model/tolerance.ts';

/** Passes added to an iteration: they detect that a world has converged, and report a world that has not. */
export interface EndPasses {
  /** Names of fields over the domain `world`. */
  readonly endedField: string;
  readonly unfinished: string;
  readonly begin: KernelPass;
  readonly test: KernelPass;
  readonly report: KernelPass;
  readonly message: AlarmMessage;
}

/** Advice for single-precision devices, which cannot reach a tolerance meant for double precision. */
const HINT_OF_SINGLES =
  ' This device calculates in single precision, with rounding errors of about 1e-7. Give a tolerance for each precision, { f32, f64 }, or take the device f64.';

export function endPasses({ name, until, atLeast, failure }: IteratePass, id: number): EndPasses {
  const { field: left, below } = until;
  const names = { done: `${name}Done${id}`, left, unfinished: `${name}Unfinished${id}` };
  const called = (what: string): string => `${what}_${name.replace(/\W/g, '_')}`;
  const begin =
    atLeast > 0
      ? kernel(called('begin'), { domain: 'world', writes: { done: f32 } }, () => ({ done: f32(0) }))
      : kernel(
          called('begin'),
          { domain: 'world', reads: { left: f32 }, writes: { done: f32 } },
          ({ left }, { epsilon }) => ({
            done: select(left.lt(toleranceAt(epsilon, below)), f32(1), 0),
          }),
        );
  const test = kernel(
    called('test'),
    { domain: 'world', reads: { done: f32, left: f32 }, writes: { done: f32 } },
    (world, { epsilon }) => ({
      done: select(world.done.gt(0).or(world.left.lt(toleranceAt(epsilon, below))), f32(1), 0),
    }),
  );
  const report = kernel(
    called('report'),
    { domain: 'world', reads: { done: f32, left: f32, unfinished: vec3 }, writes: { unfinished: vec3 } },
    (world, { substep, epsilon }) => ({
      unfinished: when(
        world.done.eq(0).and(world.unfinished.x.eq(0)),
        () => vec3(substep.add(1).toF32(), world.left, epsilon),
        () => world.unfinished,
      ),
    }),
  );
  return {
    endedField: names.done,
    unfinished: names.unfinished,
    begin: bind(begin, { done: names.done, ...(atLeast > 0 ? {} : { left }) }),
    test: bind(test, { done: names.done, left }),
    report: bind(report, names),
    message: ([value, epsilon]) =>
      epsilon > 2 ** -40 ? `${failure(value, 'f32')}${HINT_OF_SINGLES}` : failure(value, 'f64'),
  };
}

/**
 * Kernel that keeps a field's previous value once its world has ended. `old` is the name of the port with the value at
 * the start of the round.
 */
export function keepForm(field: Field, endedField: Field): { form: KernelForm; old: string } {
  const b = new Builder(`keep_${field.name}`);
  const old = `${field.name} before`;
  const port = (name: string, access: Port['access'], domain = '', components = field.components): Port => ({
    name,
    access,
    domain,
    components,
    kind: 'primal',
    scalar: 'f32',
    shared: false,
  });
  const [before, after, to] = [port(old, 'read'), port('new', 'read'), port(field.name, 'write')];
  const end = port('done', 'read', endedField.domain, 1);
  const hasEnded = b.pure(primitives.gt, b.load(end, 0, b.const(0, 'u32')), b.const(0));
  for (let c = 0; c < field.components; c++)
    b.output(to, c, null, b.select(hasEnded, b.load(before, c, null), b.load(after, c, null)));
  const ports = [before, after, end, to];
  return { form: { name: b.kernelName, domain: field.domain, ports, root: b.root, outputs: b.outputs }, old };
}
