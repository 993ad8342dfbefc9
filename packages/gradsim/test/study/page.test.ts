import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from 'gradsim';
import { expect, it } from 'vitest';
import { type PageData, pageDataOf } from '../../src/study/page/data.ts';
import { gradsim, temporaryFolder } from '../support.ts';

/** Study whose trials estimate a mass with a stated error; one of them fails. */
const MASSES = `export default {
  *trials({ bias = '0' }) { for (const mass of [1, 2, 3, 4]) yield { mass, bias: Number(bias), file: '/clips/a/' + mass }; },
  run: ({ mass, bias }: { mass: number; bias: number }) => {
    if (mass === 3) throw new Error('Lost, </script> and "all".');
    const unknown = { estimate: mass * 1.01 + bias, standardError: 0.02, unit: 'kg', truth: mass, determinedBy: 'observations' };
    return { parameters: { mass: unknown }, loss: mass / 10 };
  },
};`;

/** A finished study of {@link MASSES}. */
async function study(name: string, ...options: string[]): Promise<string> {
  const folder = temporaryFolder();
  const file = join(folder, 'masses.ts');
  writeFileSync(file, MASSES);
  const out = join(folder, name);
  expect((await gradsim(['sweep', file, '--out', out, '--workers', '1', ...options])).code).toBe(5);
  return out;
}

const dataIn = (page: string): PageData =>
  JSON.parse(/<script type="application\/json" id="data">([^<]*)<\/script>/.exec(page)![1]) as PageData;

it('the page of a study has truths, estimates, errors in standard errors and failures of its trials, as a CSV file does', async () => {
  const out = await study('one');
  const { code, stdout } = await gradsim(['study', out]);
  expect({ code, page: existsSync(join(out, 'study.html')) }).toEqual({ code: 0, page: true });
  expect(stdout[0]).toMatch(/^Page: .*study\.html$/);
  const page = readFileSync(join(out, 'study.html'), 'utf8');
  const data = dataIn(page);
  expect(data).toEqual(JSON.parse(JSON.stringify(pageDataOf([out]))));
  expect(data.status).toEqual(['done', 'done', 'error', 'done']);
  expect(data.messages[2]).toBe('Lost, </script> and "all".');
  expect(data.unknowns.mass).toEqual({
    unit: 'kg',
    estimate: [1.01, 2.02, null, 4.04],
    standardError: [0.02, 0.02, null, 0.02],
    truth: [1, 2, null, 4],
  });
  const cells = (name: string) => data.columns.find((column) => column.name === name)!.cells;
  expect(cells('loss')).toEqual([0.1, 0.2, null, 0.4]);
  expect(cells('file')).toEqual(['/clips/a/1', '/clips/a/2', '/clips/a/3', '/clips/a/4']);
  expect(data.columns.find(({ name }) => name === 'file')?.folder).toBe('/clips/a/');
  cells('z of mass').forEach((z, row) => {
    if (row === 2) expect(z).toBeNull();
    else expect(z).toBeCloseTo([0.5, 1, 0, 2][row], 9);
  });
  // Nothing is loaded from outside the page.
  expect(page.replace(/<script type="application\/json".*?<\/script>/s, '')).not.toMatch(/(?:src|href)="/);
  const csv = readFileSync(join(out, 'study.csv'), 'utf8').trim().split('\n');
  expect(csv).toHaveLength(5);
  expect(csv[0]).toMatch(/^study,trial,status,bias,file,mass,loss,error of mass,z of mass,seconds/);
});

/** Settings and results whose characters a table must keep. */
const ODD_TEXTS = [
  ...[
    'N/A',
    'm/s',
    '2026/11/28',
    '',
    ' a ',
    '=1+1',
    '+1',
    '-1',
    '-a',
    '@x',
    '"',
    'a,b',
    'a\nb',
    '\tx',
    '1e3',
    '0x10',
    'é',
  ],
  ...['/a/b', '/a/c', "'", "'=1", 'true', 'null', '007'],
];
/** Study with those, with numbers, and with names that every object has. */
const ODD = `const texts = ${JSON.stringify(ODD_TEXTS)};
export default {
  trials: texts.map((text, k) => ({ text, k: k / 3, mass: 1, ...JSON.parse('{"__proto__": 2, "constructor": "c", "toString": 3}') })),
  run: ({ text, k }) => ({
    said: text, exact: 0.1 + 0.2 + k, mass: 2, same: 'N/A',
    ...JSON.parse('{"hasOwnProperty": 5}'),
    parameters: JSON.parse('{"constructor": {"estimate": 1.5, "standardError": 0.5, "unit": "kg", "truth": 1}, "__proto__": {"estimate": 7, "standardError": null, "unit": ""}}'),
  }),
};`;

/** Cells of CSV by RFC 4180, with the quotes that each had. */
function cellsOf(csv: string): { text: string; isQuoted: boolean }[][] {
  const rows: { text: string; isQuoted: boolean }[][] = [[]];
  for (const [, quoted, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n|$)/g)) {
    rows.at(-1)!.push({ text: quoted?.replaceAll('""', '"') ?? plain, isQuoted: quoted !== undefined });
    if (end === '\n') rows.push([]);
  }
  return rows.filter((row) => row.length > 1);
}

it('study.csv is exact, whatever texts, numbers and names there are; --for-spreadsheet changes what would be evaluated alone', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'odd.mjs');
  writeFileSync(file, ODD);
  const out = join(folder, 'out');
  expect((await gradsim(['sweep', file, '--out', out, '--workers', '1', '--quiet'])).code).toBe(0);
  const written = async (...options: string[]) => {
    expect((await gradsim(['study', out, ...options])).code).toBe(0);
    const [head, ...rows] = cellsOf(readFileSync(join(out, 'study.csv'), 'utf8'));
    expect(new Set(head.map(({ text }) => text)).size).toBe(head.length);
    const at = (name: string): number => head.findIndex(({ text }) => text === name);
    return (name: string) => rows.map((row) => row[at(name)]);
  };
  const exact = await written();
  const order = exact('k').map(({ text }) => Math.round(3 * Number(text)));
  expect(exact('text').map(({ text }) => text)).toEqual(order.map((k) => ODD_TEXTS[k]));
  expect(exact('said').map(({ text }) => text)).toEqual(order.map((k) => ODD_TEXTS[k]));
  expect(exact('same').every(({ text }) => text === 'N/A')).toBe(true);
  expect(exact('exact').map(({ text }) => Number(text))).toEqual(order.map((k) => 0.1 + 0.2 + k / 3));
  // An empty text is one, as opposed to none.
  expect(exact('text').find(({ text }) => text === '')?.isQuoted).toBe(true);
  expect(exact('mass').every(({ text }) => text === '1')).toBe(true);
  expect(exact('mass (summary)').every(({ text }) => text === '2')).toBe(true);
  for (const [name, value] of Object.entries({ constructor: 'c', toString: '3', hasOwnProperty: '5' }))
    expect(exact(name).every(({ text }) => text === value)).toBe(true);
  expect(exact('__proto__').every(({ text }) => text === '2')).toBe(true);
  expect(exact('error of constructor').every(({ text }) => text === '0.5')).toBe(true);
  expect(Object.keys(dataIn(readFileSync(join(out, 'study.html'), 'utf8')).unknowns)).toEqual([
    'constructor',
    '__proto__',
  ]);
  const safe = await written('--for-spreadsheet');
  const isFormula = (text: string): boolean => ['=1+1', '-a', '@x', '\tx'].includes(text);
  expect(safe('text').map(({ text }) => text)).toEqual(
    order.map((k) => (isFormula(ODD_TEXTS[k]) ? `'${ODD_TEXTS[k]}` : ODD_TEXTS[k])),
  );
  expect(safe('exact')).toEqual(exact('exact'));
});

it('the page of two studies shows the trials of both', async () => {
  const [one, two] = [await study('plain'), await study('biased', '--set', 'bias=0.1')];
  expect((await gradsim(['study', one, two])).code).toBe(0);
  const { studies, study: of, unknowns } = dataIn(readFileSync(join(one, 'study.html'), 'utf8'));
  expect(studies.map(({ name }) => name)).toEqual(['plain', 'biased']);
  expect(of).toEqual([0, 0, 0, 0, 1, 1, 1, 1]);
  expect(unknowns.mass.estimate[4]).toBeCloseTo(1.11, 12);
  expect(existsSync(join(two, 'study.html'))).toBe(false);
});

it('gradsim study --watch renews the page until all results are there, with trials, rates and failures by machine', async () => {
  const out = await study('queued');
  const results = join(out, 'results.jsonl');
  const lines = readFileSync(results, 'utf8')
    .trim()
    .split('\n')
    .map((line, k) => {
      const from = { machine: `m${k % 2}`, arrived: new Date(1e12 + 30_000 * k).toISOString() };
      return JSON.stringify({ ...JSON.parse(line), from });
    });
  writeFileSync(results, `${lines.slice(0, 3).join('\n')}\n`);
  const page = (): string => readFileSync(join(out, 'study.html'), 'utf8');
  const said: string[] = [];
  const code = await runProgram(['study', out, '--watch'], {
    print: (line) => {
      said.push(line);
      expect(page()).toContain('http-equiv="refresh"');
      writeFileSync(results, `${lines.join('\n')}\n`);
    },
    say: (line) => said.push(line),
    isInteractive: false,
  });
  expect({ code, said: said.length }).toEqual({ code: 0, said: 2 });
  expect(page()).not.toContain('http-equiv="refresh"');
  expect(dataIn(page()).machines).toMatchObject([
    { machine: 'm0', trials: 2, failed: 1, aMinute: 1 },
    { machine: 'm1', trials: 2, failed: 0, aMinute: 1 },
  ]);
  expect(page()).toContain('<td class="text">m1</td>');
});

it('gradsim study refuses a folder without a study, three folders, and missing experiments and films', async () => {
  const folder = temporaryFolder();
  const refused = async (...args: string[]): Promise<string> => {
    const { code, stderr } = await gradsim(['study', ...args]);
    expect(code).toBe(1);
    return stderr[0];
  };
  expect(await refused(folder)).toMatch(/There is no study in .*: it has no study\.json/);
  expect(await refused('a', 'b', 'c')).toMatch(/of one study, or of two side by side/);
  const experiment = join(folder, 'ball.ts');
  expect(await refused('clips', '--experiment', experiment)).toMatch(/There is no experiment/);
  writeFileSync(experiment, '');
  expect(await refused(join(folder, 'clips'), '--experiment', experiment)).toMatch(/There is no film .*clips/);
});
