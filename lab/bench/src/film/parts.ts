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

/** Parts of the command, by the source files on the stack; the first part with a match gets the sample. */
const PARTS: readonly (readonly [part: string, files: RegExp])[] = [
  ['report', /packages\/gradsim\/dist\/report\//],
  ['outlines', /film\/dist\/(fit|outlines)\//],
  ['masks', /video\/dist\/(background|departure|levels|mask|patches|rim|unmix|blobs|track)\.js/],
  ['decode', /video\/dist\/|mediabunny/],
  ['starts', /film\/dist\//],
  ['search', /(optim|core|kernel|contact|rigid|physics|render)\/dist\/|^wasm:|wasm-function/],
  ['loading', /jiti|^node:internal\/modules|^node:internal\/deps/],
];
/** Part that each of V8's pseudo-functions belongs to. */
const OWN: ReadonlyMap<string, string> = new Map([
  ['(idle)', 'waiting'],
  ['(garbage collector)', 'garbage'],
]);

/**
 * Time of a thread in each part, s: `report`, `outlines`, `masks`, `decode`, `starts`, `search`, `loading`, `garbage`,
 * `waiting` and `other`.
 */
export function partsOf({ nodes, samples, timeDeltas }: CpuProfile): Record<string, number> {
  const seconds: Record<string, number> = {};
  for (const part of [...PARTS.map(([name]) => name), ...OWN.values(), 'other']) seconds[part] = 0;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const known = new Map<number, string>();
  const partOf = (id: number): string => {
    const stack: string[] = [];
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at))
      stack.push(byId.get(at)!.callFrame.url);
    const found = PARTS.find(([, files]) => stack.some((url) => files.test(url)));
    return OWN.get(byId.get(id)!.callFrame.functionName) ?? found?.[0] ?? 'other';
  };
  samples.forEach((id, k) => {
    const part = known.get(id) ?? partOf(id);
    known.set(id, part);
    seconds[part] += timeDeltas[k] / 1e6;
  });
  return seconds;
}
