import type { Draw } from '../draw.ts';
import type { Case, CaseOutcome, Kind } from '../kind.ts';
import { flipBytes, mutateJson, truncateBytes } from '../mutate.ts';
import { resumed, unfinishedRun } from '../write/unfinished-run.ts';
import { cameOfCommand } from './commands.ts';

/** Requests (`run.json`) of a resumed run: valid, damaged, with values of wrong types, or of something else. */
export const requests: Kind = { name: 'requests', limit: 30, draw };

/** Invalid values by path in the request. */
const WRONG_ENTRIES: Readonly<Record<string, readonly unknown[]>> = {
  format: [0, 2, 1e300, '1', null, -1],
  from: ['', 3, null, ['/tmp'], '/nowhere/at/all', '\u001b[2J'],
  device: ['', 'abacus', 3, null, '\u0007'],
  threads: [0, -1, 1.5, '2', 1e300, null],
  'request.experiment': ['', 3, null, './nowhere.mjs'],
  'request.seed': [-1, 1.5, '4', 1e300, null, {}],
  'request.iterations': [0, -3, 'many', 1e300, null],
  'request.starts': [0, 'x', 1e300, null, 1e9],
  'request.verify': [false, 1, 'true', null],
  'request.intervals': ['curves', 3, null],
  'request.settings': [null, 3, [], 'a=1', { a: 1 }, { a: null }],
  'request.from': ['', 3, './nowhere.json', null],
  'experiment.sha256': [3, null, '00', ''],
  'experiment.file': [3, null, '', '../other.mjs'],
  modules: [null, {}, 3, [3], [{}], [{ file: 'a' }]],
  versions: [null, 3, [], { node: 3 }, { node: '1.0.0' }],
};

async function draw(random: Draw): Promise<Case> {
  const { request } = await unfinishedRun();
  const way = random.pick(['whole', 'wrong', 'wrong', 'wrong', 'restructured', 'flipped', 'cut', 'other'] as const);
  const of = (about: string, expected: Case['expected'], content: string | Uint8Array, names: string[]): Case => ({
    about: `run.json ${about}`,
    expected,
    names,
    read: () => outcomeOfRequest(content, names),
  });
  if (way === 'whole') return of('as it was written', 'valid', request, []);
  if (way === 'wrong') {
    const path = random.pick(Object.keys(WRONG_ENTRIES));
    const value = random.pick(WRONG_ENTRIES[path]);
    const json = JSON.parse(request);
    const keys = path.split('.');
    const holder = keys.slice(0, -1).reduce((at, key) => at[key], json);
    holder[keys.at(-1)!] = value;
    return of(`with ${path} ${JSON.stringify(value)}`, 'refused', JSON.stringify(json), namedFiles(path, value));
  }
  if (way === 'restructured') {
    const { json, about } = mutateJson(JSON.parse(request), random);
    return of(about, 'either', JSON.stringify(json), []);
  }
  const bytes = new TextEncoder().encode(request);
  if (way === 'flipped') {
    const changed = flipBytes(bytes, random);
    return of(changed.about, 'either', changed.bytes, []);
  }
  if (way === 'cut') {
    // Behind the last bracket there is a line break.
    const cut = truncateBytes(bytes, random, bytes.length - 2);
    return of(cut.about, 'refused', cut.bytes, ['run.json']);
  }
  const other = random.pick(['', '\0', 'null', '3', '[]', '{}', '"run"', '\ufeff{}', '{"format":1}', 'x'.repeat(1e5)]);
  return of(`is ${JSON.stringify(other.slice(0, 20))}`, 'refused', other, ['run.json']);
}

/** Words that the refusal must contain: the path, or what the invalid value refers to. */
function namedFiles(path: string, value: unknown): string[] {
  if (path === 'request.starts' && value === 1e9) return ['starts'];
  if (path === 'experiment.sha256' || path === 'experiment.file')
    return typeof value === 'string' && value !== '' ? ['drop.mjs'] : [path];
  if (path === 'versions' && JSON.stringify(value) === '{"node":"1.0.0"}') return ['version of node'];
  if (typeof value === 'string' && /nowhere|abacus/.test(value)) return [value.replace('./', '')];
  if (path === 'format' && typeof value === 'number') return ['format'];
  return [path.split('.').at(-1)!];
}

async function outcomeOfRequest(content: string | Uint8Array, names: readonly string[]): Promise<CaseOutcome> {
  const ended = await resumed({ 'run.json': content });
  const found = cameOfCommand({ args: [], files: {}, names }, ended);
  return found.what === 'accepted' ? { what: 'accepted', isSame: ended.isSame } : found;
}
