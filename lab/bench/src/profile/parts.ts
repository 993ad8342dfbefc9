/** A CPU profile as V8 writes it with `--cpu-prof`. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: {
      readonly functionName: string;
      readonly url: string;
      /** Line on which the function starts, from 0. */
      readonly lineNumber: number;
    };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  /** Time from each sample to the next, microseconds. */
  readonly timeDeltas: readonly number[];
}

/** Parts that all belong to which a function of these source files calls. */
const WHOLE = [
  ['report', /packages\/gradsim\/dist\/report\//],
  ['outlines', /film\/dist\/(fit|outlines)\//],
  ['masks', /video\/dist\/(background|masks|tracks)\//],
  ['decode', /video\/dist\/|mediabunny/],
  ['starts', /film\/dist\//],
] as const;
/** Functions of statistics, whose runs of the model are a part of their own. */
const STATISTICS = /optim\/dist\/(covariance|departures|intervals|noise|posterior|verdict)\//;
/** Parts to which the innermost function of these source files belongs. */
const INNERMOST = [
  ['simulate', /core\/dist\/tape\/run\//],
  ['compare', /core\/dist\/tape\/values\//],
  ['compile', /core\/dist\/(compile|model)\/|kernel\/dist\/(derivatives|emit|form|language|program)\//],
  ['statistics', STATISTICS],
  ['loading', /jiti|^node:internal\/modules|^node:internal\/deps/],
] as const;
/** The rest of an estimation: functions that say less than those that call them, such as the kernels' device. */
const SEARCH = /(optim|core|kernel|contact|rigid|physics|render)\/dist\/|^wasm:|wasm-function/;
/** Part that each of V8's pseudo-functions belongs to. */
const OWN: ReadonlyMap<string, Part> = new Map([
  ['(idle)', 'waiting'],
  ['(garbage collector)', 'garbage'],
]);

const PARTS = [
  ...WHOLE.map(([part]) => part),
  ...INNERMOST.map(([part]) => part),
  ...(['checkRuns', 'search', 'garbage', 'waiting', 'other'] as const),
] as const;
/**
 * Parts of the command. Of an estimation: `simulate`, runs of the model; `compare`, sums over residuals, such as J^T J;
 * `statistics`, standard errors and checks, and `checkRuns`, the runs and sums that these make; `search` is the rest.
 */
export type Part = (typeof PARTS)[number];

/** Time of a thread in each part, s. */
export function partsOf({ nodes, samples, timeDeltas }: CpuProfile): Record<Part, number> {
  const seconds = Object.fromEntries(PARTS.map((part) => [part, 0])) as Record<Part, number>;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const known = new Map<number, Part>();
  const partOf = (id: number): Part => {
    const own = OWN.get(byId.get(id)!.callFrame.functionName);
    if (own) return own;
    const stack: string[] = [];
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at))
      stack.push(byId.get(at)!.callFrame.url);
    const isIn = (files: RegExp): boolean => stack.some((url) => files.test(url));
    const whole = WHOLE.find(([, files]) => isIn(files));
    if (whole) return whole[0];
    for (const url of stack) {
      const found = INNERMOST.find(([, files]) => files.test(url));
      if (!found) continue;
      const [part] = found;
      return (part === 'simulate' || part === 'compare') && isIn(STATISTICS) ? 'checkRuns' : part;
    }
    return isIn(SEARCH) ? 'search' : 'other';
  };
  samples.forEach((id, k) => {
    const part = known.get(id) ?? partOf(id);
    known.set(id, part);
    seconds[part] += timeDeltas[k] / 1e6;
  });
  return seconds;
}
