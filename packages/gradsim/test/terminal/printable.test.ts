import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { printable } from '../../src/terminal/printable.ts';
import { FALLING_MOTE, gradsim, temporaryFolder } from '../support.ts';

/** Characters that a terminal would act on. */
const CONTROL = /[^\n\t\P{Cc}]|[\u202e\u2066\u2028]/u;
/** Text that clears the screen, renames the window, reverses text, and breaks a line. */
const EVIL = '\x1b[2J\x1b]0;owned\x07\r\x7f\x9b31m\u202eeb\u2066\u2028';

it('printable() writes characters that control a terminal or turn text around as JSON escapes, and leaves all else, line breaks and tabs too, unchanged', () => {
  const plain = 'Größe 3 µm\t→ 東京 👩‍🔬\nnext';
  expect(printable(plain)).toBe(plain);
  expect(printable(EVIL)).not.toMatch(CONTROL);
  expect(JSON.parse(printable(JSON.stringify(EVIL)))).toBe(EVIL);
});

it('gradsim estimate prints no control characters of names, messages, options and paths', async () => {
  const folder = temporaryFolder();
  const evil = JSON.stringify(EVIL);
  writeFileSync(
    join(folder, 'names.ts'),
    `import mote from ${JSON.stringify(FALLING_MOTE)};
     export default {
       ...mote,
       name: 'mote' + ${evil},
       description: ${evil},
       stages: async (given) => {
         given.log(${evil});
         const [stage] = await mote.stages(given);
         const [gravity, drag] = stage.problem.parameters;
         const parameters = [{ ...gravity, name: ${evil} }, drag];
         return [{ ...stage, name: 'fall' + ${evil}, problem: { ...stage.problem, parameters, derived: {} }, notes: () => [${evil}] }];
       },
     };`,
  );
  writeFileSync(
    join(folder, 'message.ts'),
    `export default { name: 'x', description: '', stages: () => { throw new Error(${evil}); } };`,
  );
  const out = ['--device', 'cpu', '--out', join(folder, 'out')];
  const runs = [
    await gradsim(['estimate', join(folder, 'names.ts'), ...out, '--json']),
    await gradsim(['estimate', join(folder, 'message.ts'), '--device', 'cpu']),
    await gradsim(['estimate', join(folder, 'message.ts'), '--device', 'cpu', '--debug']),
    await gradsim(['estimate', EVIL]),
    await gradsim(['estimate', FALLING_MOTE, `--${EVIL}`]),
    await gradsim(['estimate', FALLING_MOTE, '--device', EVIL]),
    await gradsim([EVIL]),
  ];
  expect(runs.map(({ code }) => code)).toEqual([0, 1, 1, 1, 1, 1, 1]);
  for (const { stdout, stderr } of runs) for (const line of [...stdout, ...stderr]) expect(line).not.toMatch(CONTROL);
  expect(JSON.parse(runs[0].stdout[0]).stage).toBe(`fall${EVIL}`);
});
