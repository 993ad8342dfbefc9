import * as core from '@gradsim/core';
import { AT_NODES } from './program/grids.ts';
import { OPERATIONS } from './program/operations.ts';
import { isReadByAt } from './program/ports.ts';
import type { Block, KernelUse, PassTree, Program, Statement } from './program/program.ts';
import { isFloat, keyOf } from './program/program.ts';
import { METHODS } from './program/stages.ts';
import { allIn, allProducts, allTrees, allUses, listsOf, portKey, usesIn } from './program/tree.ts';

/** Functions and methods of the language that each kind of statement uses, other than operations. */
const STATEMENTS: Readonly<Record<string, readonly string[]>> = {
  literal: [],
  load: [],
  loadAt: [],
  index: [],
  indexAt: [],
  take: [],
  wrap: ['Scalar.rem'],
  orNone: ['NO_ELEMENT'],
  nearSum: [],
  laplacian: [],
  gradient: [],
  divergence: [],
  shift: [],
  nodePosition: [],
  element: ['Surroundings.element'],
  substep: ['Surroundings.substep'],
  frame: ['Surroundings.frame'],
  round: ['Surroundings.round'],
  substepOfFrame: ['Surroundings.substepOfFrame'],
  dt: ['Surroundings.dt'],
  previousDt: ['Surroundings.previousDt'],
  longestDt: ['Surroundings.longestDt'],
  time: ['Surroundings.time'],
  nextTime: ['Surroundings.nextTime'],
  covered: ['Surroundings.time', 'Surroundings.nextTime', 'Surroundings.dt'],
  when: ['when'],
  forRange: ['forRange'],
  sumOver: ['sumOver'],
  productOver: ['productOver'],
  maxOver: ['maxOver'],
  loop: ['loop'],
  vjp: ['vjp'],
  array: ['localArray', 'LocalArray.get', 'LocalArray.set'],
};

const PORTS = {
  own: [],
  on: ['fieldOn'],
  perWorld: ['perWorld'],
  index: ['index'],
  indexOn: ['indexOn'],
  several: ['several'],
};

/** Features of programs besides the functions of the language: for each, whether a program has it. */
const FEATURES: Readonly<Record<string, (program: Program) => boolean>> = {
  'phase setup': (p) => hasPhase(p, 'setup'),
  'phase search': (p) => hasPhase(p, 'search'),
  'phase control': (p) => hasPhase(p, 'control'),
  'phase force': (p) => hasPhase(p, 'force'),
  'phase integrate': (p) => hasPhase(p, 'integrate'),
  'phase pose': (p) => hasPhase(p, 'pose'),
  'phase render': (p) => hasPhase(p, 'render'),
  'phase observe': (p) => hasPhase(p, 'observe'),
  'read of own element': (p) => hasPort(p, 'read', 'own'),
  'read at an index field': (p) => hasStatement(p, (s, all) => s.op === 'loadAt' && opOf(all, s) === 'index'),
  'read at an entry of a list': (p) => hasStatement(p, (s, all) => s.op === 'loadAt' && opOf(all, s) === 'indexAt'),
  'read at a computed index': (p) => hasStatement(p, (s, all) => s.op === 'loadAt' && opOf(all, s) === 'wrap'),
  'read at an index that may be that of no element': (p) =>
    hasStatement(p, (s, all) => s.op === 'loadAt' && opOf(all, s) === 'orNone'),
  'addition at an index that may be that of no element': (p) =>
    p.kernels.some((k) =>
      k.gives.some(({ at }) => k.body.statements.some(({ id, op }) => id === at && op === 'orNone')),
    ),
  'read in a branch or loop at an index field': (p) =>
    p.kernels.some((k) =>
      k.body.statements.some((s) =>
        (s.blocks ?? []).some((inner) =>
          [...statementsOf(inner)].some((read) => read.op === 'loadAt' && opOf(k.body.statements, read) === 'index'),
        ),
      ),
    ),
  'a loop of many rounds': (p) =>
    hasStatement(
      p,
      (s, all) => s.op === 'forRange' && (all.find(({ id }) => id === s.args[1])?.literal?.[0] ?? 0) > 100,
    ),
  ...Object.fromEntries(
    ['nearSum', ...AT_NODES].map((op) => [`grid: ${op}`, (p: Program) => hasStatement(p, (s) => s.op === op)]),
  ),
  ...Object.fromEntries(
    ['wrap', 'clamp', 'zero'].map((edge) => [
      `grid: edge ${edge}`,
      (p: Program) => p.domains.some(({ grid }) => grid?.edge.some((one) => one === edge)),
    ]),
  ),
  'addition to the nodes near a point': (p) => p.kernels.some((k) => k.gives.some(({ near }) => near)),
  ...Object.fromEntries(METHODS.map((method) => [`stages: ${method}`, (p: Program) => p.stages?.method === method])),
  'stages that read a sum': (p) => (p.stages?.sums.length ?? 0) > 0,
  'a sum over neighbours': (p) => p.neighbourhood?.isAdding === false,
  'an addition to neighbours': (p) => p.neighbourhood?.isAdding === true,
  'read of a value per world': (p) => hasPort(p, 'read', 'perWorld'),
  'addition to own element': (p) => hasPort(p, 'add', 'own'),
  'addition at an index': (p) => hasPort(p, 'add', 'on'),
  'addition at an index that the run computes': (p) =>
    p.kernels.some((k) => k.gives.some(({ at }) => at !== undefined && isFoundIndex(k.body.statements, at))),
  'addition in a branch': (p) => hasAround(p, 'when'),
  'addition in a loop of as many rounds for all': (p) => hasAround(p, 'rounds'),
  'addition in a loop to an end that is found': (p) => hasAround(p, 'found'),
  'addition in a loop that ends by a test': (p) => hasAround(p, 'while'),
  'addition in a loop within a branch or loop': (p) =>
    p.kernels.some((k) => k.gives.some(({ within = [] }) => within.slice(1).some(({ kind }) => kind !== 'when'))),
  'a list of floats': (p) =>
    p.kernels.some((k) => k.ports.some(({ kind, type }) => kind === 'several' && type === 'f32')),
  'a state of whole numbers': (p) =>
    p.fields.some((f) => !isFloat(f.type) && f.name.startsWith('x') && writes(p).includes(keyOf(f))),
  'read of what varies at an index that the run computes': (p) =>
    p.kernels.some((k) =>
      k.body.statements.some((s) => s.op === 'loadAt' && isFloat(s.type) && isFoundIndex(k.body.statements, s.args[0])),
    ),
  'sum over a world': (p) => hasPort(p, 'add', 'perWorld'),
  'two additions to one field': (p) => p.kernels.some((k) => new Set(k.gives.map((g) => g.port)).size < k.gives.length),
  'several writes of one field': (p) => {
    const written = writes(p);
    return new Set(written).size < written.length;
  },
  'a sum of the substep before': (p) =>
    p.fields.some((f) => f.name.startsWith('s') && writes(p, 'add').includes(keyOf(f))),
  'a field under another name': (p) => allUses(p).some((use) => Object.keys(use.rename).length > 0),
  'one kernel in two passes': (p) => {
    const uses = allUses(p).filter((use) => use.as === undefined);
    return new Set(uses.map((use) => use.kernel)).size < uses.length;
  },
  'an input over frames': (p) => p.fields.some((f) => f.over === 'frame'),
  'an input over substeps': (p) => p.fields.some((f) => f.over === 'substep'),
  'a field that worlds share': (p) => p.fields.some((f) => f.shared),
  'an adjoint by hand': (p) => p.kernels.some((k) => k.adjoint),
  'an adjoint of several kernels': (p) => p.kernels.some((k) => k.adjoint?.isSplit),
  'an adjoint that adds twice': (p) => p.kernels.some((k) => k.adjoint?.isHalved),
  'an adjoint that reads what a pass kept': (p) => p.kernels.some((k) => k.adjoint?.saved),
  'partners found by a search': (p) => p.kernels.some((k) => k.name.startsWith('findPartners')),
  'an adjoint that reads its partner': (p) => p.kernels.some((k) => k.name.startsWith('pairs')),
  'an alarm': (p) => p.kernels.some((k) => k.name.startsWith('alarm')),
  'an empty domain': (p) => p.domains.some((d) => d.size === 0),
  'a domain of more than one reduction': (p) => p.domains.some((d) => d.size > 64),
  'elements together': (p) => p.domains.some((d) => d.elementsTogether),
  'components together': (p) => p.domains.some((d) => d.componentsTogether),
  'several worlds': (p) => p.run.worlds > 1,
  'a parameter without a derivative': (p) => (p.dead?.length ?? 0) > 0,
  'a parameter that acts only where derivatives end': (p) => p.dead?.includes('world.threshold') ?? false,
  checkpoints: (p) => p.run.spareStates !== null && (p.run.frames - 1) * p.run.substeps > 3,
  'one frame': (p) => p.run.frames === 1,
  'frames at uneven times': (p) => p.run.frameTimes !== undefined,
  'search every few substeps': (p) => hasPhase(p, 'search') && p.run.searchEvery > 1,
  'a frame field that is recorded': (p) => p.run.record.length > 0,
  'a recorded state': (p) => p.run.record.some((key) => p.fields.some((f) => keyOf(f) === key)),
  'a shared parameter of several worlds': (p) =>
    p.run.worlds > 1 && p.fields.some((f) => f.shared && p.run.parameters.includes(keyOf(f))),
  'a write of a field that is read at other elements': (p) =>
    allUses(p).some((use) => {
      const { ports } = p.kernels[use.kernel];
      const read = ports.filter((port) => port.kind === 'on' && port.access === 'read');
      const written = keysOf(p, use, 'write');
      return read.some((port) => written.includes(portKey(p.kernels[use.kernel], port, use.rename)));
    }),
  'rounds of several kernels': (p) => loops(p).some((tree) => usesIn(tree).length > 1),
  'a loop in a loop': (p) => loops(p).some((tree) => allIn(tree).filter(isLoop).length > 1),
  'a loop in phase setup': (p) => p.passes.some(({ phase, pass }) => phase === 'setup' && isLoop(pass)),
  'a loop at the frame rate': (p) =>
    p.passes.some(({ phase, pass }) => ['pose', 'render', 'observe'].includes(phase) && isLoop(pass)),
  'a sum in rounds, and what reads it there': (p) =>
    loops(p).some((tree) => {
      const uses = usesIn(tree);
      const read = uses.flatMap((use) => keysOf(p, use, 'read'));
      return uses.flatMap((use) => keysOf(p, use, 'add')).some((key) => read.includes(key));
    }),
  'rounds in checkpoints': (p) =>
    p.run.spareStates !== null &&
    allTrees(p).some((tree) => tree.kind === 'repeat' && tree.times > p.run.spareStates! + 3),
  'an iteration of several worlds': (p) => p.run.worlds > 1 && hasTree(p, 'iterate'),
  'an iteration that converges': (p) => p.kernels.some((k) => k.name.startsWith('approach_')),
  'an iteration that counts rounds': (p) => p.kernels.some((k) => k.name.startsWith('countRounds')),
  'a block in rounds': (p) =>
    hasWithin(p, 'repeat', (tree) => tree.kind === 'block') || hasWithin(p, 'iterate', (tree) => tree.kind === 'block'),
  'a block with a field of its own': (p) => allTrees(p).some((tree) => tree.kind === 'block' && tree.vjp.length > 1),
  'a block whose derivative reads what a pass kept': (p) =>
    allTrees(p).some(
      (tree) =>
        tree.kind === 'block' &&
        tree.vjp.length === 1 &&
        usesIn(tree).some(({ kernel }) => p.kernels[kernel].adjoint?.saved),
    ),
  'rounds in a block': (p) => hasWithin(p, 'block', isLoop),
  'a product in rounds': (p) =>
    hasWithin(p, 'repeat', (tree) => tree.kind === 'product') ||
    hasWithin(p, 'iterate', (tree) => tree.kind === 'product'),
  'a product that a pass reads': (p) => {
    const read = allUses(p).flatMap((use) => keysOf(p, use, 'read'));
    return allProducts(p).some(({ mode, fields, with: other }) =>
      (mode === 'jvp' ? [other] : Object.values(fields)).some((key) => read.includes(key)),
    );
  },
  'a pass before the one that makes what it reads': readsBeforeMade,
  'before and after': (p) => p.passes.some((pass) => pass.before) || p.passes.some((pass) => pass.after),
  'a frame field that is not': (p) =>
    writes(p).some((key) => key.includes('.m') && !p.run.record.includes(key)) && p.run.record.length > 0,
};

const hasAround = (p: Program, kind: string): boolean =>
  p.kernels.some((k) => k.gives.some(({ within = [] }) => within.some((around) => around.kind === kind)));
/** Returns whether an index depends on more than the own element and constants. */
function isFoundIndex(all: readonly Statement[], id: number): boolean {
  const index = all.find((s) => s.id === id);
  if (index?.op !== 'wrap' && index?.op !== 'orNone') return false;
  const isOwn = (of: number): boolean => {
    const s = all.find((other) => other.id === of);
    return s !== undefined && (s.op === 'element' || s.op === 'literal' || (s.op === 'u32.add' && s.args.every(isOwn)));
  };
  return !index.args.every(isOwn);
}
const hasPhase = (p: Program, phase: string): boolean => p.passes.some((pass) => pass.phase === phase);
const hasTree = (p: Program, kind: PassTree['kind']): boolean => allTrees(p).some((tree) => tree.kind === kind);
const hasPort = (p: Program, access: string, kind: string): boolean =>
  p.kernels.some((k) => k.ports.some((port) => port.access === access && port.kind === kind));
const opOf = (all: readonly Statement[], s: Statement): string | undefined =>
  all.find((other) => other.id === s.args[0])?.op;
const hasStatement = (p: Program, is: (s: Statement, all: readonly Statement[]) => boolean): boolean =>
  p.kernels.some((k) => k.body.statements.some((s) => is(s, k.body.statements)));

/** Returns the keys of all fields that passes write (or add to, as `access` says), once for each pass. */
const writes = (p: Program, access = 'write'): string[] => allUses(p).flatMap((use) => keysOf(p, use, access));
const keysOf = (p: Program, { kernel, rename }: KernelUse, access: string): string[] =>
  p.kernels[kernel].ports
    .filter((port) => port.access === access)
    .map((port) => portKey(p.kernels[kernel], port, rename));

const isLoop = (tree: PassTree): boolean => tree.kind === 'repeat' || tree.kind === 'iterate';
const loops = (p: Program): PassTree[] => allTrees(p).filter(isLoop);
const hasWithin = (p: Program, outer: PassTree['kind'], inner: (tree: PassTree) => boolean): boolean =>
  allTrees(p).some((tree) => tree.kind === outer && listsOf(tree).flat().flatMap(allIn).some(inner));

/** Returns whether a pass reads an undeclared field that only later passes of its phase write. */
function readsBeforeMade(p: Program): boolean {
  return p.passes.some(({ phase, pass }, k) => {
    const reads = usesIn(pass).flatMap((use) => keysOf(p, use, 'read'));
    const gives = (at: PassTree): string[] =>
      usesIn(at).flatMap((use) => [...keysOf(p, use, 'write'), ...keysOf(p, use, 'add')]);
    return reads.some((key) => {
      const makers = p.passes.flatMap((other, j) => (gives(other.pass).includes(key) ? [j] : []));
      const isDeclared = p.fields.some((f) => keyOf(f) === key);
      return !isDeclared && makers.length > 0 && makers.every((j) => j > k && p.passes[j].phase === phase);
    });
  });
}

function* statementsOf(block: Block): Generator<Statement> {
  for (const statement of block.statements) {
    yield statement;
    for (const inner of statement.blocks ?? []) yield* statementsOf(inner);
  }
}

/** Returns the names of the parts of the core that a pass uses. */
function usedBy(tree: PassTree): readonly string[] {
  switch (tree.kind) {
    case 'kernel':
      return ['bind', ...(tree.as === 'adjoint' ? ['adjointOf'] : tree.as === 'tangent' ? ['tangentOf'] : [])];
    case 'product':
      return [tree.mode === 'jvp' ? 'jacobianProduct' : 'transposedProduct'];
    default:
      return [tree.kind];
  }
}

/** Counts in how many programs each function, method and feature occurs. */
export class Usage {
  readonly #counts = new Map<string, number>();

  constructor() {
    for (const name of [...languageNames(), ...Object.keys(FEATURES)]) this.#counts.set(name, 0);
  }

  add(program: Program): void {
    const used = new Set(Object.keys(FEATURES).filter((name) => FEATURES[name](program)));
    for (const tree of allTrees(program)) for (const name of usedBy(tree)) used.add(name);
    for (const kernel of program.kernels) {
      used.add('kernel');
      if (kernel.adjoint || kernel.name.startsWith('pairs')) used.add('adjointOf');
      for (const port of kernel.ports) {
        for (const name of kernel.refers ? ['field'] : PORTS[port.kind]) used.add(name);
        if (port.type !== 'bool') used.add(port.type);
      }
      for (const { op, type, port } of statementsOf(kernel.body)) {
        if (op === 'loadAt' && kernel.ports.some((one) => one.name === port && isReadByAt(kernel, one)))
          used.add(`${CLASS_OF[type] ?? 'Scalar'}.at`);
        for (const name of OPERATIONS[op]?.uses ?? STATEMENTS[op] ?? []) used.add(name);
        if (op === 'literal') used.add(type);
      }
    }
    for (const name of used) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  counts(): Record<string, number> {
    return Object.fromEntries([...this.#counts].sort(([a], [b]) => a.localeCompare(b)));
  }
  /** Returns the names of functions, methods and features that occurred in no program. */
  unused(): string[] {
    return [...this.#counts].filter(([, count]) => count === 0).map(([name]) => name);
  }
}

/** Exports of the core that are not part of the kernel language. */
const OTHER = new Set(
  (
    'cpuDevice f64Device profileDevice DEVICE_NAMES listDevices selectDevice webgpuDevice Model buildModel column ' +
    'defineAspect defineAspects defineComponent computed reference resource sum definePlugin PLUGIN_CONTRACT createScene Scene createSimulation ' +
    'Simulation Scalar Index LocalArray compile deadParameters conjugateGradients conjugateResiduals evaluateAt implicit defineOffer Surfaces encodeState decodeState ' +
    'refuseUnknownChoice refuseUnknownOptions refuseWrongType motionFields readMotion recordOf clockOf fasterClock timeOfFrame usualRate GradsimError isGradsimError defect ' +
    'describeValue formatTolerance isTolerance toleranceAt'
  ).split(' '),
);
/** Functions and methods that kernels do not call, or that are another spelling of one that they do. */
const NOT_CALLED = new Set([
  'lowerBound',
  'mergedSource',
  'LocalArray.like',
  'Mat.size',
  'Mat.entries',
  'Vec.components',
  'Vec.size',
  'Quat.components',
]);

/** Classes of values that are no scalars, by type. */
const CLASS_OF: Readonly<Record<string, string>> = {
  vec2: 'Vec',
  vec3: 'Vec',
  vec4: 'Vec',
  mat22: 'Mat',
  mat33: 'Mat',
  quat: 'Quat',
};

const CLASSES = {
  Scalar: core.Scalar,
  Vec: core.Vec,
  Mat: core.Mat,
  Quat: core.Quat,
  LocalArray: core.LocalArray,
};

/** Returns the names of all exported functions that a kernel can call, and of all methods of its values. */
export function languageNames(): string[] {
  const functions = Object.keys(core).filter((name) => !OTHER.has(name));
  const methods = (Object.keys(CLASSES) as (keyof typeof CLASSES)[]).flatMap((name) =>
    Object.getOwnPropertyNames(CLASSES[name].prototype)
      .filter((method) => method !== 'constructor')
      .map((method) => `${name}.${method}`),
  );
  const around = 'dt previousDt longestDt element frame round substep substepOfFrame time nextTime'
    .split(' ')
    .map((name) => `Surroundings.${name}`);
  return [...functions, ...methods, ...around].filter((name) => !NOT_CALLED.has(name));
}
