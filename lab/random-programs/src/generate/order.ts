import type { Pass } from '@gradsim/core';
import { fieldKey } from '@gradsim/kernel/internal';
import { buildProgram } from '../program/build.ts';
import type { PassSpec, Program } from '../program/program.ts';
import { allUses, portKey, usesIn } from '../program/tree.ts';
import type { Random } from '../random.ts';

/** Keys of the fields that a pass reads, and of those that it writes or adds to (`gives`). */
interface Uses {
  readonly reads: ReadonlySet<string>;
  readonly gives: ReadonlySet<string>;
}

/**
 * Returns the program with passes that declare `before` or `after` which others they run, in the order drawn; at times
 * the passes of a phase are also registered in another order that respects all data dependencies.
 */
export function reordered(program: Program, random: Random): Program {
  const phases = [...new Set(program.passes.map(({ phase }) => phase))];
  const passes = phases.flatMap((phase) => {
    const own = program.passes.filter((p) => p.phase === phase);
    const said = own.map((pass, k) => withNeighbours(program, own, pass, k, random));
    return phase !== 'setup' && random.chance(0.3) ? shuffled(program, said, random) : said;
  });
  return { ...program, passes };
}

/**
 * Returns the pass, at times with a kernel of another pass that it must run before or after, as it does in the given
 * order.
 */
function withNeighbours(
  program: Program,
  passes: readonly PassSpec[],
  pass: PassSpec,
  position: number,
  random: Random,
): PassSpec {
  if (!random.chance(0.12) || passes.length < 2) return pass;
  const other = random.whole(0, passes.length - 1);
  const own = kernelNames(program, passes[other]).filter((name) =>
    passes.every((p, k) => k === other || !kernelNames(program, p).includes(name)),
  );
  if (other === position || own.length === 0) return pass;
  const named = [random.pick(own)];
  return other > position ? { ...pass, before: named } : { ...pass, after: named };
}

/** Returns the passes of a phase, shuffled if their dependencies determine the order of execution. */
function shuffled(program: Program, passes: readonly PassSpec[], random: Random): readonly PassSpec[] {
  // An adjoint finds what a pass kept for it only where that pass ran last.
  const reliesOnOrder = ({ pass }: PassSpec): boolean =>
    usesIn(pass).some(({ kernel }) => program.kernels[kernel].adjoint?.saved);
  if (passes.some(reliesOnOrder)) return passes;
  return isFree(program, passes) ? random.shuffle(passes) : passes;
}

/**
 * Returns whether the dependencies of the passes on each other, by data or declared order, have no cycle: then they can
 * be registered in any order.
 */
function isFree(program: Program, passes: readonly PassSpec[]): boolean {
  const model = buildProgram({ ...program, passes: passes.map(({ phase, pass }) => ({ phase, pass })) });
  const uses = model.passes.map(({ pass }) => usesOf(program, pass));
  const names = (k: number): string[] => kernelNames(program, passes[k]);
  const waits = (b: number, a: number): boolean =>
    a !== b &&
    ([...uses[b].reads].some((key) => uses[a].gives.has(key)) ||
      names(a).some((name) => passes[b].after?.includes(name)) ||
      names(b).some((name) => passes[a].before?.includes(name)));
  const left = new Set(passes.keys());
  for (;;) {
    const next = [...left].find((b) => ![...left].some((a) => waits(b, a)));
    if (next === undefined) return left.size === 0;
    left.delete(next);
  }
}

const kernelNames = (program: Program, { pass }: PassSpec): string[] =>
  usesIn(pass).map(({ kernel }) => program.kernels[kernel].name);

/** Returns the fields that a pass uses, including those of all passes nested in it. */
export function usesOf(program: Program, pass: Pass): Uses {
  const [reads, gives] = [new Set<string>(), new Set<string>()];
  const walk = (tree: Pass): void => {
    if (tree.kind === 'kernel') {
      const { form } = tree.kernel;
      for (const port of form.ports) {
        const key = fieldKey(port, form.domain, tree.names);
        if (port.kind === 'primal') (port.access === 'read' ? reads : gives).add(key);
      }
    } else if (tree.kind === 'product') {
      for (const { kernel: k, rename } of allUses(program)) {
        const kernel = program.kernels[k];
        const keys = kernel.ports.map((port) => ({ port, key: portKey(kernel, port, rename) }));
        if (!keys.some(({ port, key }) => port.access === 'add' && key === tree.sumKey)) continue;
        for (const { port, key } of keys) if (port.access === 'read') reads.add(key);
      }
      const isAlong = tree.mode === 'jvp';
      for (const key of Object.values(tree.fields)) (isAlong ? reads : gives).add(key);
      (isAlong ? gives : reads).add(tree.vectorOfSum);
    } else {
      tree.passes.forEach(walk);
      if (tree.kind === 'block') [...tree.vjp, ...tree.jvp].forEach(walk);
    }
  };
  walk(pass);
  return { reads, gives };
}
