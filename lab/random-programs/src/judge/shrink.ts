import type { Block, KernelSpec, PassSpec, PassTree, Program, RunSpec, Statement } from '../program/program.ts';
import { COMPONENTS, isFloat } from '../program/program.ts';
import { pruned } from '../program/prune.ts';
import { allTrees, allUses, mapUses } from '../program/tree.ts';
import type { Verdict } from './judge.ts';

/** Judges a program again, deterministically. */
export type Judge = (program: Program) => Promise<Verdict>;

/**
 * Removes parts of a wrong program (passes, outputs, statements, worlds, frames) as long as it stays wrong in the same
 * way, and returns the smallest one.
 */
export async function shrink(program: Program, verdict: Verdict, judge: Judge): Promise<Program> {
  let best = program;
  let hasShrunk = false;
  // After a success the next candidate stands at the same place of the new list.
  for (let at = 0, list = [...candidates(best)]; ; ) {
    if (at >= list.length) {
      if (!hasShrunk) return best;
      [at, hasShrunk] = [0, false];
    }
    const found = await judge(list[at]).catch(() => null);
    if (found && isSame(found, verdict)) {
      best = list[at];
      list = [...candidates(best)];
      hasShrunk = true;
    } else at++;
  }
}

/**
 * Returns whether two programs fail in the same way; of two that are refused, the first 20 characters of the messages
 * must agree.
 */
function isSame(a: Verdict, b: Verdict): boolean {
  if (a.verdict !== b.verdict || a.finding !== b.finding) return false;
  return b.finding !== 'refused' || a.detail?.slice(0, 20) === b.detail?.slice(0, 20);
}

function* candidates(program: Program): Generator<Program> {
  const { passes, kernels, fields, domains, run } = program;
  if (passes.length === 0) return;
  for (const k of passes.keys()) yield tidied({ ...program, passes: without(passes, k) });
  for (const [k, spec] of passes.entries()) {
    for (const trees of smallerTrees(spec.pass)) {
      const instead = trees.map((pass) => ({ ...spec, pass }));
      yield tidied({ ...program, passes: [...passes.slice(0, k), ...instead, ...passes.slice(k + 1)] });
    }
    const { phase, pass, before, after } = spec;
    if (before || after) yield { ...program, passes: replaced(passes, k, { phase, pass }) };
  }
  if (program.stages) yield tidied({ ...program, stages: undefined });
  if (program.neighbourhood) yield tidied({ ...program, neighbourhood: undefined });
  for (const smaller of smallerRuns(run)) yield { ...program, run: smaller };
  for (const [k, kernel] of kernels.entries())
    for (const smaller of smallerKernels(kernel))
      yield tidied({ ...program, kernels: kernels.map((other, j) => (j === k ? smaller : other)) });
  for (const [k, field] of fields.entries())
    for (const one of ['over', 'shared'] as const)
      if (field[one] && field.target === undefined)
        yield { ...program, fields: replaced(fields, k, { ...field, [one]: undefined }) };
  for (const [k, domain] of domains.entries()) {
    if (domain.elementsTogether)
      yield { ...program, domains: replaced(domains, k, { ...domain, elementsTogether: false }) };
    if (domain.componentsTogether)
      yield { ...program, domains: replaced(domains, k, { ...domain, componentsTogether: false }) };
    if (domain.size > 1 && !domain.grid) yield resized(program, domain.name, domain.size > 3 ? 3 : domain.size - 1);
  }
}

/** Smaller replacements of a pass: the passes in it alone, fewer rounds, or fewer passes in it. */
function* smallerTrees(tree: PassTree): Generator<readonly PassTree[]> {
  if (tree.kind === 'kernel') return;
  if (tree.kind === 'product') {
    const keys = Object.keys(tree.fields);
    for (const key of keys.length > 1 ? keys : []) {
      const { [key]: _, ...fields } = tree.fields;
      yield [{ ...tree, fields }];
    }
    return;
  }
  yield tree.passes;
  if (tree.kind === 'repeat')
    for (const times of [1, tree.times - 1]) if (times > 0 && times < tree.times) yield [{ ...tree, times }];
  if (tree.kind === 'iterate') yield [{ kind: 'repeat', times: 2, passes: tree.passes }];
  const lists = tree.kind === 'block' ? (['passes', 'vjp', 'jvp'] as const) : (['passes'] as const);
  for (const list of lists) {
    const own = (tree as { readonly [name in typeof list]: readonly PassTree[] })[list];
    for (const [k, inner] of own.entries()) {
      if (own.length > 1) yield [{ ...tree, [list]: without(own, k) }];
      for (const trees of smallerTrees(inner))
        yield [{ ...tree, [list]: [...own.slice(0, k), ...trees, ...own.slice(k + 1)] }];
    }
  }
}

function* smallerRuns(run: RunSpec): Generator<RunSpec> {
  if (run.frameTimes) yield { ...run, frameTimes: undefined, frameRate: 1 / run.frameTimes[1] };
  if (run.worlds > 1) yield { ...run, worlds: 1 };
  if (run.spareStates !== null) yield { ...run, spareStates: null };
  if (run.frames > 1) yield { ...run, frames: run.frames - 1 };
  if (run.substeps > 1) yield { ...run, substeps: run.substeps - 1 };
  if (run.searchEvery > 1) yield { ...run, searchEvery: run.searchEvery - 1 };
  if (run.parameters.length > 1)
    for (const k of run.parameters.keys()) yield { ...run, parameters: without(run.parameters, k) };
  if (run.outputs.length > 1) for (const k of run.outputs.keys()) yield { ...run, outputs: without(run.outputs, k) };
  for (const key of run.record)
    if (!run.outputs.includes(key)) yield { ...run, record: run.record.filter((r) => r !== key) };
}

function* smallerKernels(kernel: KernelSpec): Generator<KernelSpec> {
  const { gives, body, adjoint } = kernel;
  if (adjoint) {
    yield { ...kernel, adjoint: undefined };
    if (adjoint.isSplit) yield { ...kernel, adjoint: { ...adjoint, isSplit: false } };
    if (adjoint.isHalved) yield { ...kernel, adjoint: { ...adjoint, isHalved: false } };
    if (adjoint.saved) yield { ...kernel, adjoint: { ...adjoint, saved: undefined } };
  }
  if (gives.length > 1) for (const k of gives.keys()) yield { ...kernel, gives: without(gives, k) };
  for (const [k, gift] of gives.entries())
    for (const j of gift.within?.keys() ?? [])
      yield { ...kernel, gives: replaced(gives, k, { ...gift, within: without(gift.within!, j) }) };
  for (const { block, turn } of smallerBlocks(body))
    yield {
      ...kernel,
      body: block,
      gives: gives.map((g) => ({
        ...g,
        values: g.values.map(turn),
        ...(g.near ? { near: { ...g.near, point: turn(g.near.point) } } : {}),
      })),
    };
}

interface SmallerBlock {
  readonly block: Block;
  /** Maps the id of a removed value to that of its replacement; other ids stay. */
  readonly turn: (id: number) => number;
}

/** Variants of a block in which one statement is replaced by one of its arguments, or by a number. */
function* smallerBlocks(block: Block): Generator<SmallerBlock> {
  const same = (id: number): number => id;
  for (const [k, statement] of [...block.statements.entries()].reverse()) {
    const { id, type, op, args, blocks = [] } = statement;
    const put = (other: Statement): Block => ({ ...block, statements: replaced(block.statements, k, other) });
    for (const arg of args) {
      if (!block.statements.some((s) => s.id === arg && s.type === type)) continue;
      const turn = (used: number): number => (used === id ? arg : used);
      yield { block: turned(block, turn, id), turn };
    }
    if (op !== 'literal' && isFloat(type)) {
      const literal = Array.from({ length: COMPONENTS[type] }, (_, c) => 0.5 + c / 8);
      yield { block: put({ id, type, op: 'literal', args: [], literal }), turn: same };
    }
    for (const [b, inner] of blocks.entries())
      for (const smaller of smallerBlocks(inner))
        yield { block: put({ ...statement, blocks: replaced(blocks, b, smaller.block) }), turn: same };
  }
}

/** Returns the block without the statement `gone`, with all ids mapped by `turn`. */
function turned(block: Block, turn: (id: number) => number, gone: number): Block {
  return {
    ...block,
    statements: block.statements
      .filter((s) => s.id !== gone)
      .map((s) => ({
        ...s,
        args: s.args.map(turn),
        blocks: s.blocks?.map((inner) => turned(inner, turn, gone)),
      })),
    results: block.results.map(turn),
  };
}

/** Returns whether a kernel is one of `templates.ts`, whose specs have no ports. */
const isTemplate = (kernel: KernelSpec): boolean => kernel.ports.length === 0;

/** Returns the program without kernels, statements and fields that nothing uses. */
function tidied(program: Program): Program {
  const used = [...new Set(allUses(program).map((use) => use.kernel))];
  const kernels = used.map((k) => pruned(program.kernels[k]));
  const passes = program.passes.map(
    (spec): PassSpec => ({
      ...spec,
      pass: mapUses(spec.pass, (use) => {
        const kernel = used.indexOf(use.kernel);
        const isPort = (name: string): boolean => kernels[kernel].ports.some((port) => port.name === name);
        const rename = Object.entries(use.rename).filter(([name]) => isTemplate(kernels[kernel]) || isPort(name));
        return { ...use, kernel, rename: Object.fromEntries(rename) };
      }),
    }),
  );
  const { stages, neighbourhood } = program;
  const names = new Set([
    ...(stages ? [...stages.states, ...stages.sums].map(({ name }) => name) : []),
    ...(neighbourhood ? [neighbourhood.place, neighbourhood.velocity, neighbourhood.state] : []),
    ...allTrees({ ...program, passes }).flatMap((tree) => {
      if (tree.kind === 'product') return [...Object.values(tree.fields), tree.with].map((key) => key.split('.')[1]);
      if (tree.kind !== 'kernel') return [];
      const kernel = kernels[tree.kernel];
      if (isTemplate(kernel)) return Object.values(tree.rename);
      return kernel.ports.map((port) => tree.rename[port.name] ?? port.name);
    }),
  ]);
  return { ...program, kernels, passes, fields: program.fields.filter((f) => names.has(f.name)) };
}

function resized(program: Program, domain: string, size: number): Program {
  return {
    ...program,
    domains: program.domains.map((d) => (d.name === domain ? { ...d, size } : d)),
    fields: program.fields.map((f) => {
      const isOwn = f.domain === domain;
      const words = f.values.length / (program.domains.find((d) => d.name === f.domain)?.size ?? 1);
      const values = isOwn ? f.values.slice(0, words * size) : f.values;
      return { ...f, values: f.target === domain ? values.map((v) => v % size) : values };
    }),
  };
}

const without = <T>(list: readonly T[], k: number): T[] => list.filter((_, j) => j !== k);
const replaced = <T>(list: readonly T[], k: number, by: T): T[] => list.map((one, j) => (j === k ? by : one));
