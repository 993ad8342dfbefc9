import { expect, it } from 'vitest';
import { partsOf } from '../src/search/parts.ts';

/** Makes a profile of call stacks, outermost function first, with the time of each, s. */
function profileOf(stacks: readonly (readonly [string, number])[]) {
  const nodes: { id: number; callFrame: { functionName: string }; children: number[] }[] = [
    { id: 1, callFrame: { functionName: '(root)' }, children: [] },
  ];
  const samples = stacks.map(([stack]) => {
    let at = 1;
    for (const functionName of stack.split(' ')) {
      const id = nodes.length + 1;
      nodes.push({ id, callFrame: { functionName }, children: [] });
      nodes[at - 1].children.push(id);
      at = id;
    }
    return at;
  });
  return { nodes, samples, timeDeltas: stacks.map(([, seconds]) => seconds * 1e6) };
}

it('the time of each call stack in a profile is assigned to a part of an estimation', () => {
  const { seconds, parts } = partsOf(
    profileOf([
      ['systemsAt forward wasm', 1],
      ['systemsAt normalEquations readComparisons run wasm', 2],
      ['losses$1 add readComparisons wasm', 4],
      ['losses #run forward wasm', 8],
      ['gather forward wasm', 16],
      ['simulate openSimulation compileModel', 32],
      ['conclude readFrames valuesOf', 64],
      ['main writeReport', 128],
      ['(idle)', 256],
      ['createExecutor wasmModule', 512],
      ['once nuisancesOf addCross', 1024],
    ]),
  );
  expect(seconds).toBeCloseTo(1791, 9);
  const rounded = Object.fromEntries(Object.entries(parts).map(([part, own]) => [part, Math.round(own)]));
  expect(rounded).toEqual({
    simulate: 9,
    normalEquations: 2,
    losses: 4,
    departures: 1024,
    statistics: 16,
    compile: 544,
    read: 64,
    other: 128,
  });
});
