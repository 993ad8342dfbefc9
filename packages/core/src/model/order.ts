import type { Fields } from './fields.ts';
import type { Cycle, Phase, PhasePass } from './model.ts';
import { cycleOf, PHASES } from './model.ts';
import type { Pass } from './pass.ts';
import { kernelsIn } from './pass.ts';
import { productPasses } from './products.ts';
import type { Uses } from './uses.ts';
import { usesOfPass } from './uses.ts';

/**
 * The passes of a cycle in running order: by phase, and within a phase as their data ask. What a phase makes anew or
 * adds up is there before it is read, whoever was registered first; what is there already is read and changed in the
 * order in which passes were added; `before` and `after` say what the data do not.
 *
 * @throws when these contradict each other, with the circle, or when two plugins write a field and none says which first.
 */
export function orderedPasses(fields: Fields, cycle: Cycle): PhasePass[] {
  const all = fields.model.passes
    .filter(({ phase }) => cycleOf(phase) === cycle)
    .flatMap((p) => expanded(fields, cycle, p.pass).map((pass) => ({ ...p, pass })));
  refuseTwoMovers(all);
  return PHASES[cycle].flatMap((phase) => inOrder(fields, phase, all));
}

/** A pass with the kernels of products with Jacobians written out. */
function expanded(fields: Fields, cycle: Cycle, pass: Pass): Pass[] {
  const all = (passes: readonly Pass[]): Pass[] => passes.flatMap((p) => expanded(fields, cycle, p));
  switch (pass.kind) {
    case 'kernel':
      return [pass];
    case 'product':
      return productPasses(fields, cycle, pass);
    case 'block':
      return [{ ...pass, passes: all(pass.passes), vjp: all(pass.vjp), jvp: all(pass.jvp) }];
    default:
      return [{ ...pass, passes: all(pass.passes) }];
  }
}

/** An order of two passes, and why. */
interface Edge {
  readonly to: number;
  readonly why: string;
}

function inOrder(fields: Fields, phase: Phase, all: readonly PhasePass[]): readonly PhasePass[] {
  const passes = all.filter((p) => p.phase === phase);
  const uses = passes.map(({ pass }) => usesOfPass(pass));
  const edges = passes.map((): Edge[] => []);
  const link = (from: number, to: number, why: string): void => void edges[from].push({ to, why });
  passes.forEach((pass, k) => {
    for (const other of namedIn(all, passes, pass, 'before')) link(k, other, 'which asks to run before');
    for (const other of namedIn(all, passes, pass, 'after')) link(other, k, 'behind which asks to run');
  });
  const who = [...passes.keys()];
  for (const b of who) {
    for (const key of uses[b].reads) {
      if (uses[b].adds.has(key)) continue;
      const adders = who.filter((k) => uses[k].adds.has(key));
      const makers = who.filter((k) => uses[k].writes.has(key) && !uses[k].reads.has(key));
      // What is there already, or made by a pass that was added before, is what a pass reads.
      const isFound =
        adders.length > 0 ? b < adders[0] : who.slice(0, b).some((k) => uses[k].writes.has(key));
      const isEnough =
        adders.length > 0 ? isFound && isThere(fields, key, phase) : isFound || isThere(fields, key, phase);
      if (isEnough) continue;
      for (const a of adders) link(a, b, `which adds to ${key}, read by`);
      for (const a of makers) if (a !== b) link(a, b, `which makes ${key}, read by`);
    }
  }
  refuseTwoOwners(passes, uses, edges);
  return sorted(passes, uses, edges, phase);
}

/** Whether a field has a value before the phase begins. */
function isThere({ model }: Fields, key: string, phase: Phase): boolean {
  const field = model.fields.get(key);
  if (field?.values || field?.alarm) return true;
  const cycle = cycleOf(phase);
  const phases = PHASES[cycle] as readonly Phase[];
  return model.passes.some((other) => {
    const isBefore =
      cycleOf(other.phase) === 'setup'
        ? cycle !== 'setup'
        : phases.indexOf(other.phase) < phases.indexOf(phase);
    if (!isBefore || (cycleOf(other.phase) !== cycle && cycleOf(other.phase) !== 'setup')) return false;
    const { writes, adds } = usesOfPass(other.pass);
    return writes.has(key) || adds.has(key);
  });
}

/** The passes of the same phase that a pass names; those of other phases of the rate run before or after it anyway. */
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
      throw new Error(
        `${who}, and there is no such pass; there are ${all.map((p) => nameOf(p.pass)).join(', ')}.`,
      );
    const isAhead = phaseNumber(elsewhere) > phaseNumber(one);
    if (isAhead !== (relation === 'before'))
      throw new Error(
        `${who}, which is in phase ${elsewhere.phase}: that phase runs ${isAhead ? 'after' : 'before'} it.`,
      );
    return [];
  });
}

const phaseNumber = ({ phase }: PhasePass): number =>
  (PHASES[cycleOf(phase)] as readonly Phase[]).indexOf(phase);

/** @throws when two plugins write a field in different phases of a rate, and neither names the other. */
function refuseTwoMovers(all: readonly PhasePass[]): void {
  const knows = (a: PhasePass, b: PhasePass): boolean =>
    [...a.before, ...a.after].some((name) => namesOf(b).includes(name));
  all.forEach((one, k) => {
    for (const other of all.slice(k + 1)) {
      if (one.owner === other.owner || one.phase === other.phase || knows(one, other) || knows(other, one))
        continue;
      const { writes } = usesOfPass(other.pass);
      const both = [...usesOfPass(one.pass).writes].find((key) => writes.has(key));
      if (both) throw twoOwners(both, one, other);
    }
  });
}

const twoOwners = (key: string, one: PhasePass, other: PhasePass): Error => {
  const by = ({ pass, phase, owner }: PhasePass): string =>
    `by ${nameOf(pass)} of ${owner ?? 'the model'} (phase ${phase})`;
  return new Error(
    `${key} is written by two plugins: ${by(one)} and ${by(other)}. ` +
      'Leave one of them out, or have one say which runs first, with `before` or `after`.',
  );
};

/** What a pass can be called by: its name, those of its kernels, its plugin's. */
const namesOf = ({ pass, owner }: PhasePass): string[] => [
  nameOf(pass),
  ...kernelsIn(pass).map(({ kernel }) => kernel.name),
  ...(owner ? [owner] : []),
];

/** A pass in messages. */
export function nameOf(pass: Pass): string {
  if (pass.kind === 'kernel') return pass.kernel.name;
  if (pass.kind === 'product') return `the product with the Jacobian of ${pass.of}`;
  return pass.name;
}

function refuseTwoOwners(
  passes: readonly PhasePass[],
  uses: readonly Uses[],
  edges: readonly (readonly Edge[])[],
): void {
  passes.forEach((one, a) => {
    for (let b = a + 1; b < passes.length; b++) {
      const other = passes[b];
      if (one.owner === other.owner) continue;
      const both = [...uses[a].writes].find((key) => uses[b].writes.has(key));
      if (!both || reaches(edges, a, b) || reaches(edges, b, a)) continue;
      throw twoOwners(both, one, other);
    }
  });
}

function reaches(edges: readonly (readonly Edge[])[], from: number, to: number): boolean {
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

/** As they were added, as far as the edges allow. */
function sorted(
  passes: readonly PhasePass[],
  uses: readonly Uses[],
  edges: readonly Edge[][],
  phase: Phase,
): readonly PhasePass[] {
  if (edges.every((list, k) => list.every(({ to }) => k < to))) return passes;
  // Those that meet at a field stay in the order in which they were added.
  for (let b = 1; b < passes.length; b++)
    for (let a = 0; a < b; a++)
      if (meet(uses[a], uses[b]) && !reaches(edges, b, a)) edges[a].push({ to: b, why: 'added before' });
  const waitsFor = passes.map(() => 0);
  for (const list of edges) for (const { to } of list) waitsFor[to]++;
  const done: number[] = [];
  const left = new Set(passes.keys());
  while (left.size > 0) {
    const next = [...left].find((k) => waitsFor[k] === 0);
    if (next === undefined) throw circle(passes, edges, left, phase);
    left.delete(next);
    done.push(next);
    for (const { to } of edges[next]) waitsFor[to]--;
  }
  return done.map((k) => passes[k]);
}

/** Whether one of two passes changes what the other reads or changes. */
const meet = (a: Uses, b: Uses): boolean =>
  [...a.writes, ...a.adds].some((key) => b.reads.has(key) || b.writes.has(key)) ||
  [...b.writes, ...b.adds].some((key) => a.reads.has(key));

function circle(
  passes: readonly PhasePass[],
  edges: readonly (readonly Edge[])[],
  left: ReadonlySet<number>,
  phase: Phase,
): Error {
  // Every pass that is left waits for another that is: going back from one to the next ends in a circle.
  const before = (k: number): number => [...left].find((from) => edges[from].some(({ to }) => to === k))!;
  const way: number[] = [[...left][0]];
  while (!way.includes(before(way.at(-1)!))) way.push(before(way.at(-1)!));
  const round = way.slice(way.indexOf(before(way.at(-1)!))).reverse();
  const sentence = round
    .map((k, position) => {
      const next = round[(position + 1) % round.length];
      return `${nameOf(passes[k].pass)}, ${edges[k].find(({ to }) => to === next)!.why}`;
    })
    .join(' ');
  return new Error(
    `The passes of phase ${phase} contradict each other in their order: ${sentence} ${nameOf(passes[round[0]].pass)} again. ` +
      'Move one to another phase, let it read another field, or drop a `before` or `after`.',
  );
}
