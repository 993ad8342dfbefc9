import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FALLING_MOTE, gradsim, temporaryFolder } from '../support.ts';

/**
 * Estimates, or renders, an experiment with this source. Returns exit code, messages, and the files left in its results
 * folder.
 */
async function tried(
  source: string,
  command: readonly string[] = ['estimate', '--device', 'cpu', '--quiet'],
): Promise<{ code: number; said: string; left: string[] }> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'odd.ts'), source);
  const [name, ...options] = command;
  const { code, stderr } = await gradsim([
    ...[name, join(folder, 'odd.ts'), ...options],
    ...['--out', join(folder, name === 'estimate' ? 'out' : 'film.gif')],
  ]);
  const left = readdirSync(folder).filter((file) => file !== 'odd.ts');
  return { code, said: stderr.join('\n'), left };
}

const withStages = (stages: string): string =>
  `export default { name: 'odd', description: 'Odd.', stages: ${stages} };`;
const withStage = (stage: string): string => withStages(`() => [${stage}]`);
/** Source of the falling-mote experiment with some properties of its stages replaced. */
const mote = (change: string): string =>
  `import mote from ${JSON.stringify(FALLING_MOTE)};
   export default { ...mote, stages: async (given) => (await mote.stages(given)).map((stage) => ({ ...stage, ${change} })) };`;

describe('an experiment with invalid stages is refused with exit code 1, and nothing is left of its run', () => {
  it.each([
    ['no return', '() => { [1]; }', /^The function `stages` of the experiment "odd" returns nothing\. .*`return`/],
    ['no return, later', 'async () => {}', /returns nothing/],
    ['null', '() => null', /returns null/],
    ['a number', '() => 3', /returns 3/],
    ['a text', '() => "speed"', /returns 'speed'/],
    ['one stage', '() => ({ name: "a", problem: {} })', /returns a stage that is in no list; .*\[stage\]/],
    ['a generator', 'function* () { yield { name: "a" }; }', /returns a generator; .*\[\.\.\.steps\(\)\]/],
    ['a set', '() => new Set([{ name: "a" }])', /returns Set\(1\) .*; spread it into a list/],
    ['an empty list', '() => []', /^The experiment "odd" has no stages/],
  ])('`stages` with the result: %s', async (_, stages, message) => {
    const { code, said, left } = await tried(withStages(stages));
    expect(said).toMatch(message);
    expect({ code, left }).toEqual({ code: 1, left: [] });
  });

  it.each([
    ['null', 'null', /^Stage 1 of the experiment "odd" is null; .*\{ name, problem \}/],
    ['a hole', ', { name: "b", problem: {} }', /^Stage 1 of .* is undefined/],
    ['a function', '() => {}', /^Stage 1 of .* is \[Function/],
    ['an error', 'new Error("no luck")', /^Stage 1 of .* is the error "no luck"/],
    ['a list', '[{ name: "a" }]', /^Stage 1 of .* is a list/],
    ['no name', '{ problem: {} }', /^Stage 1 of .* has no name; it holds problem\./],
    ['a number for a name', '{ name: 7, problem: {} }', /^Stage 1 of .* has the name 7\. .*text/],
    ['an empty name', '{ name: "", problem: {} }', /^Stage 1 of .* has the name ''/],
    [
      'no problem',
      '{ name: "speed", notes: () => [] }',
      /^The stage "speed" of the experiment "odd" has no problem; it holds name, notes\. .*problem: \{ model, frames/,
    ],
    ['nothing for a problem', '{ name: "speed", problem: null }', /^The stage "speed" .* the problem null/],
    ['a misspelt part', '{ name: "a", problem: {}, note: () => [] }', /"a" .* has no option "note".*notes/],
    ['notes that are none', '{ name: "a", problem: {}, notes: ["x"] }', /"a" .* notes .* function/],
    ['curves that are none', '{ name: "a", problem: {}, curves: [{ name: "b" }] }', /"a" .* curves/],
    ['what is shown without answers', '{ name: "a", problem: {}, shown: { answers: "g" } }', /"a" .* shown .* answers/],
    ['answers without sentences', '{ name: "a", problem: {}, shown: { answers: { g: 3 } } }', /"a" .* shown/],
  ])('an invalid stage: %s', async (_, stage, message) => {
    const { code, said, left } = await tried(withStage(stage));
    expect(said).toMatch(message);
    expect({ code, left }).toEqual({ code: 1, left: [] });
  });

  it('no return, by `gradsim render` too', async () => {
    const { code, said, left } = await tried(withStages('() => {}'), ['render', '--device', 'cpu']);
    expect(said).toMatch(/The function `stages` of the experiment "odd" returns nothing/);
    expect({ code, left }).toEqual({ code: 1, left: [] });
  });
});

it.each([
  ['notes that are a text', 'notes: () => "one"', /^The function `notes` of the stage "fall" returns 'one'\. .*list/m],
  ['notes that are numbers', 'notes: async () => [1]', /`notes` of the stage "fall" returns \[ 1 \]/],
  ['a strip without a return', 'strip: () => {}', /^The strip of the stage "fall" is nothing/m],
  ['a strip that is none', 'strip: () => ({ width: 2 })', /^The strip of the stage "fall" has the height undefined/m],
  [
    'a strip of another size',
    'strip: () => ({ width: 2, height: 2, frames: [0], target: [], estimate: [] })',
    /^The strip of the stage "fall" has the target \[\]/m,
  ],
])('gradsim estimate names a stage with an invalid part of the report: %s', async (_, change, message) => {
  const { code, said } = await tried(mote(change));
  expect(code).toBe(1);
  expect(said).toMatch(message);
});

it.each([
  ['undefined', 'undefined'],
  ['null', 'null'],
  ['a symbol', 'Symbol("odd")'],
  ['an object of no class', 'Object.create(null)'],
  ['an error without a message', 'new Error("")'],
  ['an error whose message is none', 'Object.assign(new Error("x"), { message: { a: 1 } })'],
])('gradsim estimate reports that `stages` threw a value without a text as message: %s', async (_, thrown) => {
  const { code, said } = await tried(withStages(`() => { throw ${thrown}; }`));
  expect(code).toBe(1);
  expect(said).toMatch(/^The function `stages` of the experiment "odd" threw .*--debug/);
});

it.each([
  ['a description', '{ name: "x", stages: () => [] }', /description/],
  ['a render function', '{ name: "x", description: "", stages: () => [], render: 3 }', /render/],
  ['stages', '{ name: "x", description: "", stages: [] }', /stages/],
])('gradsim estimate names the missing or invalid part of an experiment: %s', async (_, experiment, message) => {
  const { code, said } = await tried(`export default ${experiment};`);
  expect(code).toBe(1);
  expect(said).toMatch(message);
});

it.each([
  ['no film', 'render: () => {}', 'film.gif', /`render` of the experiment "x" returns nothing; .*a film: /],
  ['a film without size', 'render: () => ({ width: 0, height: 2 })', 'film.gif', /0 x 2 pixels/],
  [
    'a film of other data',
    'render: () => ({ width: 1, height: 2, channels: 3, frameRate: 9, data: new Float32Array(5) })',
    'film.gif',
    /data Float32Array\(5\) .* 6 values/,
  ],
  ['no motion', 'motion: () => null', 'scene.glb', /`motion` of the experiment "x" returns null; .*a model/],
])('gradsim render names an invalid result of the experiment: %s', async (_, part, file, message) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'odd.ts'), `export default { name: 'x', description: '', stages: () => [], ${part} };`);
  const args = ['render', join(folder, 'odd.ts'), '--device', 'cpu', '--out', join(folder, file)];
  const { code, stderr } = await gradsim(args);
  expect(code).toBe(1);
  expect(stderr.join('\n')).toMatch(message);
  expect(readdirSync(folder)).toEqual(['odd.ts']);
});
