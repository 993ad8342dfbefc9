import { GradsimError } from '@gradsim/base';
import type { Pass, ProductModel } from '../../model/pass.ts';
import { kernelsIn, nameOf } from '../../model/pass.ts';
import type { Cycle, Phase, PhasePass } from '../../model/phases.ts';
import { cycleOf, PHASES } from '../../model/phases.ts';
import type { Uses } from '../../model/uses.ts';
import { usesOfPass } from '../../model/uses.ts';
import type { Fields } from './fields.ts';

/**
 * Returns the passes of a cycle in running order: by phase, and within a phase by data dependence. A value that a phase
 * creates or sums up is complete before it is read, whatever the order of registration; a value that exists already is
 * read and changed in the order in which passes were added; `before` and `after` decide where the data leave the order
 * open. Passes for derivatives alone run if `hasDerivative`.
 *
 * @throws when these rules contradict each other, naming the cycle of passes, or when two plugins write a field and
 * neither states an order.
 */
export function orderedPasses(fields: Fields, cycle: Cycle, hasDerivative: boolean): PhasePass[] {
  const model = productModel(fields, cycle);
  const all = fields.model.passes
    .filter(({ phase, derivativeOnly }) => cycleOf(phase) === cycle && (hasDerivative || !derivativeOnly))
    .flatMap((p) => expanded(model, p.pass).map((pass) => ({ ...p, pass })));
  refuseTwoMovers(all);
  return PHASES[cycle].flatMap((phase) => inOrder(fields, phase, all));
}

/** Returns the passes and fields that products of a cycle are computed from. */
function productModel(fields: Fields, cycle: Cycle): ProductModel {
  const { passes } = fields.model;
  return {
    ownCycle: passes.filter(({ phase }) => cycleOf(phase) === cycle).map(({ pass }) => pass),
    passes: passes.map(({ pass }) => pass),
    find: (key) => fields.find(key),
    typeOf: (key) => fields.find(key) ?? fields.model.field(key),
    createField: (key, type) => void fields.ensure(key, type),
  };
}

/** Returns a pass with its Jacobian products expanded to kernels. */
function expanded(model: ProductModel, pass: Pass): Pass[] {
  const all = (passes: readonly Pass[]): Pass[] => passes.flatMap((p) => expanded(model, p));
  switch (pass.kind) {
    case 'kernel':
      return [pass];
    case 'product':
      return pass.expand(model);
    case 'block':
      return [{ ...pass, passes: all(pass.passes), vjp: all(pass.vjp), jvp: all(pass.jvp) }];
    default:
      return [{ ...pass, passes: all(pass.passes) }];
  }
}

/** An order constraint between two passes, with the reason. */
interface Edge {
  readonly to: number;
  readonly reason: string;
}

function inOrder(fields: Fields, phase: Phase, all: readonly PhasePass[]): readonly PhasePass[] {
  const passes = all.filter((p) => p.phase === phase);
  const isThere = madeBefore(fields, phase);
  const uses = passes.map(({ pass }) => usesOfPass(pass));
  const edges = passes.map((): Edge[] => []);
  const link = (from: number, to: number, reason: string): void => void edges[from].push({ to, reason });
  passes.forEach((pass, k) => {
    for (const other of namedIn(all, passes, pass, 'before')) link(k, other, 'which asks to run before');
    for (const other of namedIn(all, passes, pass, 'after')) link(other, k, 'behind which asks to run');
  });
  const [adding, writing] = [usersBy(uses, (u) => u.adds), usersBy(uses, (u) => u.writes)];
  passes.forEach((_, b) => {
    for (const key of uses[b].reads) {
      if (uses[b].adds.has(key)) continue;
      const [adders, writers] = [adding.get(key) ?? [], writing.get(key) ?? []];
      // A pass reads the value that exists already, or that a pass added before it writes.
      const isFound = adders.length > 0 ? b < adders[0] : writers.length > 0 && writers[0] < b;
      const isEnough = adders.length > 0 ? isFound && isThere(key) : isFound || isThere(key);
      if (isEnough) continue;
      for (const a of adders) link(a, b, `which adds to ${key}, read by`);
      for (const a of writers) if (a !== b && !uses[a].reads.has(key)) link(a, b, `which makes ${key}, read by`);
    }
  });
  refuseTwoOwners(passes, edges);
  return sorted(passes, uses, edges, phase);
}

/** Returns the positions of the passes that use each field in the given way, ascending. */
function usersBy(uses: readonly Uses[], way: (of: Uses) => ReadonlySet<string>): Map<string, number[]> {
  const users = new Map<string, number[]>();
  uses.forEach((of, k) => {
    for (const key of way(of)) {
      const known = users.get(key);
      if (known) known.push(k);
      else users.set(key, [k]);
    }
  });
  return users;
}

/** Returns a function that tests whether a field has a value before the phase begins. */
function madeBefore({ model }: Fields, phase: Phase): (key: string) => boolean {
  const cycle = cycleOf(phase);
  const phases = PHASES[cycle] as readonly Phase[];
  const made = new Set<string>();
  for (const other of model.passes) {
    const ofOther = cycleOf(other.phase);
    const isBefore = ofOther === 'setup' ? cycle !== 'setup' : phases.indexOf(other.phase) < phases.indexOf(phase);
    if (!isBefore || (ofOther !== cycle && ofOther !== 'setup')) continue;
    const { writes, adds } = usesOfPass(other.pass);
    for (const key of [...writes, ...adds]) made.add(key);
  }
  return (key) => {
    const field = model.fields.get(key);
    return field?.values !== undefined || field?.alarm !== undefined || made.has(key);
  };
}

/**
 * Returns the positions of the passes that a pass names in `before` or `after`, within its phase. Named passes of other
 * phases of the same rate run before or after it anyway.
 */
function namedIn(
  all: readonly PhasePass[],
  passes: readonly PhasePass[],
  one: PhasePass,
  relation: 'before' | 'after',
): number[] {
  return one[relation].flatMap((name) => {
    const found = passes.flatMap((other, k) => (other !== one && namesOf(other).includes(name) ? [k] : []));
    if (found.length > 0) return found;
    const who = `${nameOf(one.pass)} (phase ${one.phase}) asks to run ${relation} ${name}`;
    const elsewhere = all.find((other) => namesOf(other).includes(name));
    if (!elsewhere)
      throw new GradsimError(
        'core/unknown-pass',
        `${who}, and there is no such pass; there are ${all.map((p) => nameOf(p.pass)).join(', ')}.`,
      );
    const isAhead = phaseNumber(elsewhere) > phaseNumber(one);
    if (isAhead !== (relation === 'before'))
      throw new GradsimError(
        'core/pass-in-other-phase',
        `${who}, which is in phase ${elsewhere.phase}: that phase runs ${isAhead ? 'after' : 'before'} it.`,
      );
    return [];
  });
}

const phaseNumber = ({ phase }: PhasePass): number => (PHASES[cycleOf(phase)] as readonly Phase[]).indexOf(phase);

/** @throws when two plugins write a field in different phases of one rate, and neither names the other. */
function refuseTwoMovers(all: readonly PhasePass[]): void {
  const knows = (a: PhasePass, b: PhasePass): boolean =>
    [...a.before, ...a.after].some((name) => namesOf(b).includes(name));
  for (const [key, one, other] of writtenByTwo(all))
    if (one.phase !== other.phase && !knows(one, other) && !knows(other, one)) throw twoOwners(key, one, other);
}

/** Returns the pairs of passes of different plugins that write the same field. */
function* writtenByTwo(passes: readonly PhasePass[]): Generator<readonly [string, PhasePass, PhasePass]> {
  const uses = passes.map(({ pass }) => usesOfPass(pass));
  for (const [key, writers] of usersBy(uses, ({ writes }) => writes)) {
    if (writers.every((k) => passes[k].owner === passes[writers[0]].owner)) continue;
    for (const [n, a] of writers.entries())
      for (const b of writers.slice(n + 1)) if (passes[a].owner !== passes[b].owner) yield [key, passes[a], passes[b]];
  }
}

const twoOwners = (key: string, one: PhasePass, other: PhasePass): Error => {
  const by = ({ pass, phase, owner }: PhasePass): string =>
    `by ${nameOf(pass)} of ${owner ?? 'the model'} (phase ${phase})`;
  return new GradsimError('core/two-writers', `${key} is written by two plugins: ${by(one)} and ${by(other)}.`, {
    field: key,
    hint: 'Leave one out, or order them by `before` or `after`.',
  });
};

/** Returns the names by which a pass can be referred to: its own, those of its kernels, its plugin's. */
const namesOf = ({ pass, owner }: PhasePass): string[] => [
  nameOf(pass),
  ...kernelsIn(pass).map(({ kernel }) => kernel.name),
  ...(owner ? [owner] : []),
];

/** @throws when two plugins write a field in one phase, and no constraint orders them. */
function refuseTwoOwners(passes: readonly PhasePass[], edges: readonly (readonly Edge[])[]): void {
  const number = new Map(passes.map((pass, k) => [pass, k]));
  for (const [key, one, other] of writtenByTwo(passes)) {
    const [a, b] = [number.get(one)!, number.get(other)!];
    if (!hasPath(edges, a, b) && !hasPath(edges, b, a)) throw twoOwners(key, one, other);
  }
}

function hasPath(edges: readonly (readonly Edge[])[], from: number, to: number): boolean {
  const seen = new Set([from]);
  const stack = [from];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    if (at === to) return true;
    for (const next of edges[at])
      if (!seen.has(next.to)) {
        seen.add(next.to);
        stack.push(next.to);
      }
  }
  return false;
}

/** Sorts passes by their order constraints, and otherwise in the order in which they were added. */
function sorted(
  passes: readonly PhasePass[],
  uses: readonly Uses[],
  edges: readonly Edge[][],
  phase: Phase,
): readonly PhasePass[] {
  if (edges.every((list, k) => list.every(({ to }) => k < to))) return passes;
  // Passes that use the same field stay in the order in which they were added.
  for (const [b, before] of conflictsOfPasses(uses).entries())
    for (const a of before) if (!hasPath(edges, b, a)) edges[a].push({ to: b, reason: 'added before' });
  const waitsFor = passes.map(() => 0);
  for (const list of edges) for (const { to } of list) waitsFor[to]++;
  const done: number[] = [];
  const ready = [...passes.keys()].filter((k) => waitsFor[k] === 0);
  for (let next = ready.shift(); next !== undefined; next = ready.shift()) {
    done.push(next);
    for (const { to } of edges[next]) {
      if (--waitsFor[to] > 0) continue;
      const at = ready.findIndex((k) => k > to);
      ready.splice(at < 0 ? ready.length : at, 0, to);
    }
  }
  if (done.length < passes.length) {
    const left = new Set(passes.keys());
    for (const k of done) left.delete(k);
    throw circle(passes, edges, left, phase);
  }
  return done.map((k) => passes[k]);
}

/**
 * Returns, for each pass, the earlier passes that conflict with it, ascending: one of the two changes a field that the
 * other reads or changes.
 */
function conflictsOfPasses(uses: readonly Uses[]): number[][] {
  const reading = usersBy(uses, ({ reads }) => reads);
  const changing = usersBy(uses, ({ writes, adds }) => new Set([...writes, ...adds]));
  return uses.map(({ reads, writes, adds }, k) => {
    const before = new Set<number>();
    const meet = (users: ReadonlyMap<string, readonly number[]>, keys: Iterable<string>): void => {
      for (const key of keys) for (const other of users.get(key) ?? []) if (other < k) before.add(other);
    };
    meet(changing, [...reads, ...writes]);
    meet(reading, [...writes, ...adds]);
    return [...before].sort((a, b) => a - b);
  });
}

function circle(
  passes: readonly PhasePass[],
  edges: readonly (readonly Edge[])[],
  left: ReadonlySet<number>,
  phase: Phase,
): Error {
  // Every remaining pass waits for another one: following them back ends in a cycle.
  const before = (k: number): number => [...left].find((from) => edges[from].some(({ to }) => to === k))!;
  const way: number[] = [[...left][0]];
  while (!way.includes(before(way.at(-1)!))) way.push(before(way.at(-1)!));
  const round = way.slice(way.indexOf(before(way.at(-1)!))).reverse();
  const sentence = round
    .map((k, position) => {
      const next = round[(position + 1) % round.length];
      return `${nameOf(passes[k].pass)}, ${edges[k].find(({ to }) => to === next)!.reason}`;
    })
    .join(' ');
  return new GradsimError(
    'core/order-contradiction',
    `The passes of phase ${phase} contradict each other in their order: ${sentence} ${nameOf(passes[round[0]].pass)} again.`,
    { hint: 'Move one to another phase, let it read another field, or drop a `before` or `after`.' },
  );
}
