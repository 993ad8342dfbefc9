import * as core from '@gradsim/core';
import { OPERATIONS } from './operations.ts';
import type { Block, Program, Statement } from './program.ts';
import { keyOf } from './program.ts';

/** What statements that are no operations use of the language. */
const STATEMENTS: Readonly<Record<string, readonly string[]>> = {
  literal: [],
  load: [],
  loadAt: [],
  index: [],
  indexAt: [],
  take: [],
  wrap: ['Scalar.rem'],
  element: ['Surroundings.element'],
  substep: ['Surroundings.substep'],
  frame: ['Surroundings.frame'],
  dt: ['Surroundings.dt'],
  time: ['Surroundings.time'],
  covered: ['coveredPart'],
  when: ['when'],
  forRange: ['forRange'],
  loop: ['loop'],
  vjp: ['vjp'],
  array: ['localArray', 'LocalArray.get', 'LocalArray.set'],
};

const PORTS = {
  own: [],
  on: ['on'],
  perWorld: ['perWorld'],
  index: ['index'],
  indexOn: ['indexOn'],
  several: ['several'],
};

/** What programs are made of, beside the language: each a question to a program. */
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
  'read at an entry of a list': (p) =>
    hasStatement(p, (s, all) => s.op === 'loadAt' && opOf(all, s) === 'indexAt'),
  'read at a computed index': (p) =>
    hasStatement(p, (s, all) => s.op === 'loadAt' && opOf(all, s) === 'wrap'),
  'read in a branch or loop at an index field': (p) =>
    p.kernels.some((k) =>
      k.body.statements.some((s) =>
        (s.blocks ?? []).some((inner) =>
          [...statementsOf(inner)].some(
            (read) => read.op === 'loadAt' && opOf(k.body.statements, read) === 'index',
          ),
        ),
      ),
    ),
  'a loop of many rounds': (p) =>
    hasStatement(
      p,
      (s, all) => s.op === 'forRange' && (all.find(({ id }) => id === s.args[1])?.literal?.[0] ?? 0) > 100,
    ),
  'read of a value per world': (p) => hasPort(p, 'read', 'perWorld'),
  'addition to own element': (p) => hasPort(p, 'add', 'own'),
  'addition at an index': (p) => hasPort(p, 'add', 'on'),
  'sum over a world': (p) => hasPort(p, 'add', 'perWorld'),
  'two additions to one field': (p) =>
    p.kernels.some((k) => new Set(k.gives.map((g) => g.port)).size < k.gives.length),
  'several writes of one field': (p) => {
    const written = writes(p);
    return new Set(written).size < written.length;
  },
  'a sum of the substep before': (p) =>
    p.fields.some((f) => f.name.startsWith('s') && writes(p, 'add').includes(keyOf(f))),
  'a field under another name': (p) => p.passes.some((pass) => Object.keys(pass.rename).length > 0),
  'one kernel in two passes': (p) => new Set(p.passes.map((pass) => pass.kernel)).size < p.passes.length,
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
  checkpoints: (p) => p.run.spareStates !== null && (p.run.frames - 1) * p.run.substeps > 3,
  'one frame': (p) => p.run.frames === 1,
  'search every few substeps': (p) => hasPhase(p, 'search') && p.run.searchEvery > 1,
  'a frame field that is recorded': (p) => p.run.record.length > 0,
  'a frame field that is not': (p) =>
    writes(p).some((key) => key.includes('.m') && !p.run.record.includes(key)) && p.run.record.length > 0,
};

const hasPhase = (p: Program, phase: string): boolean => p.passes.some((pass) => pass.phase === phase);
const hasPort = (p: Program, access: string, kind: string): boolean =>
  p.kernels.some((k) => k.ports.some((port) => port.access === access && port.kind === kind));
const opOf = (all: readonly Statement[], s: Statement): string | undefined =>
  all.find((other) => other.id === s.args[0])?.op;
const hasStatement = (p: Program, is: (s: Statement, all: readonly Statement[]) => boolean): boolean =>
  p.kernels.some((k) => k.body.statements.some((s) => is(s, k.body.statements)));

/** Keys of all fields that passes write or add to, one for each pass. */
const writes = (p: Program, access = 'write'): string[] =>
  p.passes.flatMap(({ kernel, rename }) =>
    p.kernels[kernel].ports
      .filter((port) => port.access === access)
      .map((port) => {
        const domain = port.domain ?? (port.kind === 'perWorld' ? 'world' : p.kernels[kernel].domain);
        return keyOf({ domain, name: rename[port.name] ?? port.name });
      }),
  );

function* statementsOf(block: Block): Generator<Statement> {
  for (const statement of block.statements) {
    yield statement;
    for (const inner of statement.blocks ?? []) yield* statementsOf(inner);
  }
}

/** In how many programs each function, method and feature was used. */
export class Usage {
  readonly #counts = new Map<string, number>();

  constructor() {
    for (const name of [...languageNames(), ...Object.keys(FEATURES)]) this.#counts.set(name, 0);
  }

  add(program: Program): void {
    const used = new Set(Object.keys(FEATURES).filter((name) => FEATURES[name](program)));
    for (const kernel of program.kernels) {
      used.add('kernel');
      if (kernel.adjoint || kernel.name.startsWith('pairs')) used.add('adjointOf');
      for (const port of kernel.ports) {
        for (const name of PORTS[port.kind]) used.add(name);
        if (port.type !== 'bool') used.add(port.type);
      }
      for (const { op, type } of statementsOf(kernel.body)) {
        for (const name of OPERATIONS[op]?.uses ?? STATEMENTS[op] ?? []) used.add(name);
        if (op === 'literal') used.add(type);
      }
    }
    for (const name of used) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  counts(): Record<string, number> {
    return Object.fromEntries([...this.#counts].sort(([a], [b]) => a.localeCompare(b)));
  }
  /** What no program used. */
  unused(): string[] {
    return [...this.#counts].filter(([, count]) => count === 0).map(([name]) => name);
  }
}

/** What of the core is not the language of kernels. */
const OTHER = new Set(
  (
    'cpuDevice f64Device profileDevice DEVICE_NAMES listDevices selectDevice webgpuDevice Model buildModel column ' +
    'defineAspect defineComponent reference resource definePlugin PLUGIN_CONTRACT createScene Scene createSimulation ' +
    'Simulation Scalar Index LocalArray'
  ).split(' '),
);
/** Not called by kernels, or another way to write what is. */
const NOT_CALLED = new Set([
  'LocalArray.like',
  'Mat.size',
  'Mat.entries',
  'Vec.components',
  'Vec.size',
  'Quat.components',
]);

const CLASSES = {
  Scalar: core.Scalar,
  Vec: core.Vec,
  Mat: core.Mat,
  Quat: core.Quat,
  LocalArray: core.LocalArray,
};

/** Every function that a kernel can call, and every method of its values: what is exported, whatever that is. */
export function languageNames(): string[] {
  const functions = Object.keys(core).filter((name) => !OTHER.has(name));
  const methods = (Object.keys(CLASSES) as (keyof typeof CLASSES)[]).flatMap((name) =>
    Object.getOwnPropertyNames(CLASSES[name].prototype)
      .filter((method) => method !== 'constructor')
      .map((method) => `${name}.${method}`),
  );
  const around = ['dt', 'element', 'frame', 'substep', 'time'].map((name) => `Surroundings.${name}`);
  return [...functions, ...methods, ...around].filter((name) => !NOT_CALLED.has(name));
}
