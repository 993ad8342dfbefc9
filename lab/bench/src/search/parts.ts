/** A CPU profile in V8's format. */
export interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  /** Time before each sample, microseconds. */
  readonly timeDeltas: readonly number[];
}

const PARTS = [
  ...(['simulate', 'losses', 'normalEquations', 'departures', 'statistics'] as const),
  ...(['read', 'compile', 'other'] as const),
] as const;
/**
 * Parts of an estimation. `statistics` are the standard errors and checks at its end, with their runs, except the
 * search for model errors (`departures`).
 */
export type Part = (typeof PARTS)[number];

/** Function names by part: a sample belongs to the first part with one of its functions on the stack. */
const FUNCTIONS: readonly (readonly [Part, readonly string[]])[] = [
  ['compile', ['openSimulation', 'compileModel', 'createExecutor']],
  ['departures', ['nuisancesOf', 'departuresOf']],
  ['statistics', ['infer', 'evidenceAt', 'gather', 'keptColumns', 'probeAll', 'sharesUnsaid', 'shownAt']],
  [
    'statistics',
    ['jacobianPrecision', 'columnNoise', 'forwardRounded', 'uncertaintyOf', 'correlationOf', 'surenessAt'],
  ],
  ['statistics', ['bootstrapOf', 'bendsAt', 'profileOf', 'fitAt', 'fitOf', 'shownBy', 'shownAtStart']],
  ['normalEquations', ['normalEquations', 'sumsAt']],
  ['losses', ['readComparisons', 'seed', 'assess', 'losses', 'add']],
  ['read', ['readRecord', 'readFrames', 'readF32', 'valuesOf']],
  ['simulate', ['forward', 'backward', 'runProgram', 'runRows']],
];

/**
 * Functions that run a simulation: a run that a function of `losses` or `normalEquations` starts belongs to `simulate`.
 */
const SIMULATE = new Set(['forward', 'backward']);

/** Adds up the time of each part in a profile, s. */
export function partsOf({ nodes, samples, timeDeltas }: Profile): {
  readonly seconds: number;
  readonly parts: Record<Part, number>;
} {
  const parts = Object.fromEntries(PARTS.map((part) => [part, 0])) as Record<Part, number>;
  const parent = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  // Bundlers number names that occur twice.
  const names = new Map(
    nodes.map(({ id, callFrame }) => [id, callFrame.functionName.replace(/\$\d+$/, '').replace('#', '')]),
  );
  const known = new Map<number, Part | null>();
  const partOf = (leaf: number): Part | null => {
    const stack: string[] = [];
    for (let node: number | undefined = leaf; node !== undefined; node = parent.get(node)) stack.push(names.get(node)!);
    if (stack.includes('(idle)') || stack.includes('(program)')) return null;
    const runs = stack.findIndex((name) => SIMULATE.has(name));
    for (const [part, functions] of FUNCTIONS) {
      const at = stack.findIndex((name) => functions.includes(name));
      if (at < 0) continue;
      const isBelowRun = runs >= 0 && runs < at && (part === 'losses' || part === 'normalEquations');
      return isBelowRun ? 'simulate' : part;
    }
    return 'other';
  };
  let seconds = 0;
  samples.forEach((leaf, k) => {
    if (!known.has(leaf)) known.set(leaf, partOf(leaf));
    const part = known.get(leaf)!;
    if (!part) return;
    seconds += timeDeltas[k] / 1e6;
    parts[part] += timeDeltas[k] / 1e6;
  });
  return { seconds, parts };
}
