import { createHash } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import type { Draw } from '../draw.ts';
import type { Case, CaseOutcome, Kind } from '../kind.ts';
import { wronglyAccepted } from '../kind.ts';
import { flipBytes, truncateBytes } from '../mutate.ts';
import { resumed, unfinishedRun } from '../write/unfinished-run.ts';
import { cameOfCommand } from './commands.ts';

/**
 * Journals (`run.journal`) of a resumed run: valid, truncated, damaged, with foreign records, or not a journal at all.
 */
export const journals: Kind = { name: 'journals', limit: 30, draw };

const MAGIC = 'gradsim journal 1\n';
/** Length of a record's header, bytes: a mark (4), the record's length (4), the first bytes of its hash (8). */
const HEAD = 4 + 4 + 8;

/** Values that are not a valid result of any part of an estimation. */
const ODD_ENTRIES: readonly unknown[] = [
  ...[null, undefined, 3, 'x', [], {}, [null], new Float64Array(0), new Float64Array([Number.NaN])],
  ...[Number.NaN, -1e308, 2n ** 80n, new Map(), new Date(Number.NaN), { length: 1e9 }, [[[]]], true],
];

async function draw(random: Draw): Promise<Case> {
  const { journal } = await unfinishedRun();
  const way = random.pick(['whole', 'cut', 'flipped', 'flipped', 'record', 'record', 'other', 'none'] as const);
  const of = (about: string, expected: Case['expected'], content: Uint8Array, more: Partial<Case> = {}): Case => ({
    about: `run.journal ${about}`,
    expected,
    ...more,
    read: () => outcomeOfJournal(content, expected),
  });
  if (way === 'whole') return of('as it was written', 'valid', journal);
  if (way === 'none') return of('empty', 'valid', new Uint8Array());
  if (way === 'cut') {
    const cut = truncateBytes(journal, random);
    return of(cut.about, 'valid', cut.bytes);
  }
  if (way === 'flipped') {
    const changed = flipBytes(journal, random);
    const isMagic = Buffer.compare(changed.bytes.subarray(0, MAGIC.length), Buffer.from(MAGIC)) !== 0;
    return of(changed.about, isMagic ? 'refused' : 'valid', changed.bytes, isMagic ? { names: ['run.journal'] } : {});
  }
  if (way === 'record') return changedRecord(journal, random, of);
  const other = random.pick([
    '\0'.repeat(50),
    'my diary',
    '{}',
    'gradsim journal 2\n',
    'gradsim journal \n',
    '\u001b[2J\n',
  ]);
  return of(`is ${JSON.stringify(other.slice(0, 20))}`, 'refused', Buffer.from(other), {
    names: ['run.journal'],
  });
}

/** Replaces the content of one record, with a matching hash. */
function changedRecord(
  journal: Uint8Array,
  random: Draw,
  of: (about: string, expected: Case['expected'], content: Uint8Array, more?: Partial<Case>) => Case,
): Case {
  const records: Record<string, unknown>[] = [];
  const bytes = Buffer.from(journal);
  for (let at = MAGIC.length; at < bytes.length; ) {
    const end = at + HEAD + bytes.readUInt32LE(at + 4);
    records.push(deserialize(bytes.subarray(at + HEAD, end)));
    at = end;
  }
  const k = random.whole(0, records.length - 1);
  const part = random.pick(['what', 'given', 'result', 'result', 'all'] as const);
  const value = random.pick(ODD_ENTRIES);
  const contents: unknown[] = records.map((record, n) => {
    if (n !== k) return record;
    return part === 'all' ? value : { ...record, [part]: value };
  });
  const content = Buffer.concat([Buffer.from(MAGIC), ...contents.map(recordOf)]);
  const about = `whose record ${k + 1} has the ${part} ${String(value).slice(0, 20)}`;
  // Its hash says that a result is as it was written.
  return part === 'result'
    ? of(about, 'either', content)
    : of(about, 'refused', content, { names: ['run.journal', `ecord ${k + 1}`] });
}

function recordOf(content: unknown): Buffer {
  const bytes = serialize(content);
  const head = Buffer.alloc(HEAD);
  head.write('\u0001rec', 'latin1');
  head.writeUInt32LE(bytes.length, 4);
  createHash('sha256').update(bytes).digest().copy(head, 8, 0, 8);
  return Buffer.concat([head, bytes]);
}

/**
 * Resumes the run with a journal and returns the outcome; it is wrong if dropped records are not reported, or reported
 * but not dropped.
 */
async function outcomeOfJournal(content: Uint8Array, expected: Case['expected']): Promise<CaseOutcome> {
  const { journal } = await unfinishedRun();
  const ended = await resumed({ 'run.journal': content });
  const found = cameOfCommand({ args: [], files: {} }, ended);
  if (found.what !== 'accepted') return found;
  const isWhole = endsWithRecord(journal, content);
  const isSaid = /\brecords?\b.* dropped\b/.test(ended.err);
  if (expected === 'valid' && isSaid === isWhole)
    return wronglyAccepted(`${isSaid ? 'none was' : 'it is not said that records were'} dropped`);
  return { what: 'accepted', isSame: ended.isSame };
}

/**
 * True if `content` is the beginning of the journal and ends at the end of a record or within the file's magic string.
 */
function endsWithRecord(journal: Uint8Array, content: Uint8Array): boolean {
  const bytes = Buffer.from(journal);
  if (!bytes.subarray(0, content.length).equals(content)) return false;
  if (content.length < MAGIC.length) return true;
  let at = MAGIC.length;
  while (at < content.length) at += HEAD + bytes.readUInt32LE(at + 4);
  return at === content.length;
}
