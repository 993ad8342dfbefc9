import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { gradsim, temporaryFolder } from '../support.ts';

/** Module of a kind with other parts, and lines before it. */
const kind = (parts: Readonly<Record<string, string>> = {}, before = ''): string => {
  const all = {
    name: "'whirl'",
    version: '1',
    title: "'It whirls'",
    finds: "'its whirl'",
    answers: "['whirl']",
    meaning: "{ whirl: 'how fast' }",
    drawing: "'<path/>'",
    stages: 'async () => []',
    measures: "{ video: { what: 'The film.', type: 'file' } }",
    ...parts,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `import { defineKind } from 'gradsim/kinds';\n${before}\nexport const whirl = defineKind({ ${lines.join(', ')} });`;
};

it('gradsim studio refuses kinds that a page cannot show or run, in a sentence, before it serves anything', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'package'));
  writeFileSync(join(folder, 'outside.ts'), 'export const b = 1;');
  writeFileSync(join(folder, 'package/package.json'), '{ "name": "whirl", "type": "module" }');
  writeFileSync(join(folder, 'package/own.cjs'), 'exports.a = 1;');
  const module = join(folder, 'package/whirl.ts');
  const wrong: [string, string][] = [
    [kind({ drawing: 'undefined' }), `The kind ${module} has no drawing`],
    [kind({ measures: '{}' }), 'has no measure video, and the studio is for films'],
    [kind({ name: "'ball'" }), 'has the name of one of gradsim, ball.'],
    [kind({ name: "'../film'" }), 'has the name "../film"; it takes letters, digits and -'],
    [kind({ answers: "'whirl'" }), 'lacks its answers'],
    [
      kind({ measures: "{ video: { what: '.', type: 'file' }, sound: { what: 'A recording.', type: 'data' } }" }),
      'needs the file sound beside the film, which a page has no place for',
    ],
    [kind({}, "import { cpus } from 'node:os'; cpus();"), 'whirl.ts imports node:os, which is of Node.'],
    [kind({}, "import * as robots from 'gradsim/robots'; void robots;"), 'which the page does not have'],
    [
      kind({}, "import { b } from '../outside.ts'; void b;"),
      `imports ../outside.ts, which is outside of ${folder}/package`,
    ],
    [kind({}, "import { a } from './own.cjs'; void a;"), 'own.cjs, which is no ES module; a page takes no others'],
    ['export const a = ;', 'cannot be loaded'],
    ['export const a = 1;', 'exports no kind of experiment'],
  ];
  for (const [text, says] of wrong) {
    writeFileSync(module, text);
    const { code, stdout, stderr } = await gradsim(['studio', '--kind', module]);
    expect([code, stdout], text).toEqual([1, []]);
    expect(stderr.join('\n'), text).toContain(says);
  }
  writeFileSync(module, kind());
  const twice = await gradsim(['studio', '--kind', module, '--kind', module]);
  expect(twice.stderr.join('\n')).toContain('Two kinds have the name whirl.');
  const own = await gradsim(['studio', '--kind', 'pendulum']);
  expect(own.stderr.join('\n')).toContain('The kind pendulum is one of gradsim, which the studio offers anyway.');
});
