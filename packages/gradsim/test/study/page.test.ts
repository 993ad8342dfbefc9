import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from 'gradsim';
import { expect, it } from 'vitest';
import { type PageData, pageDataOf } from '../../src/study/page-data.ts';
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
  expect(cells('file')).toEqual(['1', '2', '3', '4']);
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
