import type { Bool, Kernel, Pass, U32, Value } from '@gradsim/core';
import * as core from '@gradsim/core';
import { Model } from '@gradsim/core';
import { fieldKey } from '@gradsim/kernel/internal';
import { handWrittenAdjoint, handWrittenTangent } from './by-hand.ts';
import type { Fields } from './environment.ts';
import { Environment, scaled } from './environment.ts';
import { addGrid, addNear } from './grids.ts';
import { addNeighbourhood } from './neighbourhood.ts';
import { addsOf, readsOf, refTo, typeOf, writesOf } from './ports.ts';
import type { Around, FieldSpec, Gift, KernelSpec, KernelUse, PassTree, PortSpec, Program } from './program.ts';
import { COMPONENTS } from './program.ts';
import { pruned } from './prune.ts';
import { addStages } from './stages.ts';
import { TEMPLATES } from './templates.ts';
import { allProducts } from './tree.ts';

const { bind, block, iterate, jacobianProduct, kernel, repeat, transposedProduct } = core;

/** Builds the model of a program. */
export function buildProgram(program: Program): Model {
  const model = new Model();
  for (const { name, size, elementsTogether, componentsTogether, grid: nodes } of program.domains)
    if (nodes) addGrid(model, nodes);
    else model.addDomain(name, size, { elementsTogether, componentsTogether });
  for (const field of program.fields) addField(model, field);
  if (program.passes.some((pass) => pass.phase === 'search')) model.searchEvery(program.run.searchEvery);
  const kernels = program.kernels.map(buildKernel);
  const use = ({ kernel: k, rename, as }: KernelUse): Pass[] => {
    const spec = program.kernels[k];
    if (as === undefined) return [bind(kernels[k], namesFor(spec, rename))];
    const byHand = as === 'adjoint' ? handWrittenAdjoint(spec) : [handWrittenTangent(spec)];
    return byHand.map((one) => bind(one, ofPorts(one, rename)));
  };
  const all = (trees: readonly PassTree[]): Pass[] => trees.flatMap(build);
  const build = (tree: PassTree): Pass[] => {
    switch (tree.kind) {
      case 'kernel':
        return use(tree);
      case 'repeat':
        return [repeat(tree.times, all(tree.passes))];
      case 'iterate': {
        const { until: field, below, most: maxRounds } = tree;
        return [iterate(all(tree.passes), { until: { field, below }, maxRounds })];
      }
      case 'block':
        return [block(all(tree.passes), { vjp: all(tree.vjp), jvp: all(tree.jvp) })];
      default: {
        const { mode, of, fields, with: other } = tree;
        if (mode === 'jvp') return [jacobianProduct(of, { along: fields, into: other })];
        return [transposedProduct(of, { weights: other, into: fields })];
      }
    }
  };
  for (const { phase, pass, before, after } of program.passes)
    for (const one of build(pass)) model.addPass(phase, one, { before, after });
  if (program.stages) addStages(model, program.stages);
  if (program.neighbourhood) addNeighbourhood(model, program.neighbourhood);
  declareMade(program, model);
  return model;
}

/** Declares all fields that passes write: many are read by no pass, which is no mistake in a random program. */
function declareMade(program: Program, model: Model): void {
  for (const { kernel, names } of model.kernels())
    for (const port of kernel.form.ports)
      if (port.access !== 'read') model.declared.add(fieldKey(port, kernel.form.domain, names));
  for (const { mode, fields, with: other } of allProducts(program))
    for (const key of mode === 'jvp' ? [other] : Object.values(fields)) model.declared.add(key);
}

/**
 * Field names by port for `bind`: of all renamed ports or, if the kernel refers to fields itself, of those bound to
 * another field.
 */
export function namesFor({ ports, refers }: KernelSpec, rename: Readonly<Record<string, string>>) {
  if (!refers) return rename;
  const other = ports
    .map(({ name }) => ({ name, field: rename[name] ?? name }))
    .filter(({ name, field }) => field !== (refers[name] ?? name));
  return Object.fromEntries(other.map(({ name, field }) => [name, field]));
}

/** The entries of `rename` whose names are ports of a kernel. */
const ofPorts = ({ form }: Kernel, rename: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(rename).filter(([name]) => form.ports.some((p) => p.name === name)));

export function addField(model: Model, { domain, name, type, values, over, shared, target, count }: FieldSpec): void {
  if (name.startsWith('alarm')) {
    model.addAlarm(refTo(domain, name, core.f32), () => 'is beyond all bounds');
  } else if (target !== undefined) model.addIndex(refTo(domain, name, core.index(target, count!)), values);
  else model.addField(refTo(domain, name, typeOf(type)), { values, variesBy: over, shared });
}

const built = new WeakMap<KernelSpec, Kernel>();

/** Returns the kernel of a spec, which is traced at the first call only. */
export function buildKernel(spec: KernelSpec): Kernel {
  const kernel = built.get(spec) ?? traced(spec);
  built.set(spec, kernel);
  return kernel;
}

function traced(spec: KernelSpec): Kernel {
  const template = TEMPLATES[spec.name.split('_')[0]];
  if (template) return template(spec.name, spec.domain);
  const { domain, ports, gives } = spec;
  const { body } = pruned(spec);
  const [reads, adds, writes] = [readsOf(spec), addsOf(spec), writesOf(spec)];
  return kernel(
    spec.name,
    { domain, reads, adds, writes, adjoint: spec.adjoint && (() => handWrittenAdjoint(spec)) },
    (fields, around) => {
      const env = new Environment(fields, around);
      env.run(body);
      return give(gives, ports, env, fields as Fields) as never;
    },
  );
}

/** Adds the outputs of a kernel to the ports that it adds to, and returns those that it writes, by port. */
function give(gives: readonly Gift[], ports: readonly PortSpec[], env: Environment, fields: Fields) {
  const written: Record<string, unknown> = {};
  for (const { port, values, at, within = [], size = 1, near, astray = {} } of gives) {
    const { access, kind } = ports.find((p) => p.name === port && p.access !== 'read')!;
    const value = values.map((id) => env.get(id));
    if (access === 'write') {
      written[port] = kind === 'several' ? value : value[0];
      continue;
    }
    addWithin(env, within, (counters) => {
      // Another value in every round.
      const inRound = counters.reduce((sum, k) => scaled(sum, k.toF32().mul(0.3).add(0.5)), value[0]);
      const given = astray.isSpoiled ? beyondNumbers(inRound) : inRound;
      if (near) {
        const adder = fields[port] as core.Adder<Value>;
        addNear(near, env.get(near.point), (node, weight) => adder.add(node, scaled(given, weight)));
        return;
      }
      if (kind !== 'on') {
        (fields[port] as core.OwnAdder<Value>).add(given);
        return;
      }
      const index = env.get(at!) as U32;
      const moved = counters.reduce((sum, k, depth) => sum.add(k.mul(depth + 1)), index);
      const inDomain = counters.length > 0 ? moved.rem(size) : index;
      (fields[port] as core.Adder<Value>).add(astray.by ? inDomain.add(astray.by) : inDomain, given);
    });
  }
  return written;
}

/** Scales a value until it is infinite in doubles; components of 0 stay 0. */
function beyondNumbers(value: Value): Value {
  let far = value;
  // From 1e-72 on beyond 1.8e308.
  for (let k = 0; k < 10; k++) far = scaled(far, 1e38);
  return far;
}

/** Calls `add` within nested branches and loops, with the counters of the loops. */
function addWithin(
  env: Environment,
  [around, ...inner]: readonly Around[],
  add: (counters: readonly U32[]) => void,
): void {
  if (!around) {
    add([]);
    return;
  }
  const go = (k: U32): Record<never, Value> => {
    addWithin(env, inner, (counters) => add([k, ...counters]));
    return {};
  };
  switch (around.kind) {
    case 'when':
      core.when(env.get(around.condition) as Bool, () => addWithin(env, inner, add));
      return;
    case 'rounds':
      core.forRange(around.from, around.to, {}, go);
      return;
    case 'found':
      core.forRange(0, env.get(around.end) as U32, {}, go);
      return;
    case 'while':
      core.loop(
        core.u32(0),
        (k) => k.lt(env.get(around.end) as U32),
        (k) => {
          go(k);
          return k.add(1);
        },
      );
  }
}

/** Number of values of a field, for one world and moment. */
export const wordsOf = (program: Program, field: FieldSpec): number =>
  sizeOf(program, field.domain) * COMPONENTS[field.type] * (field.count ?? 1);

export const sizeOf = (program: Program, domain: string): number =>
  domain === 'world' ? 1 : program.domains.find((d) => d.name === domain)!.size;
