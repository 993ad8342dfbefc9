import { openRecorded, readChosenTable } from '@gradsim/recordings/files';
import { readJointLog, readUrdf } from '@gradsim/robots';
import { readTracks } from '@gradsim/video';
import type { Draw } from '../draw.ts';
import type { Case, Kind } from '../kind.ts';
import { outcomeOf, WronglyAccepted } from '../kind.ts';
import { flipBytes, truncateBytes } from '../mutate.ts';
import { changedText } from '../mutate-text.ts';
import {
  kinoveaText,
  mcapFile,
  parquetFile,
  type Rows,
  STEP,
  trackerArchive,
  trackerText,
} from '../write/recorded-files.ts';

/** Files of other programs that hold tables, MCAP, Parquet, Tracker and Kinovea: whole, cut off, or changed anywhere. */
export const recorded: Kind = { name: 'recorded', limit: 180, draw };

const JOINTS = ['shoulder', 'elbow'] as const;
const RATE = 120;

/** A file with known content. */
interface KnownRecording {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Reads its table. @throws also if what is read violates what the reader guarantees. */
  readonly read: (bytes: Uint8Array) => Promise<Rows>;
  readonly rows: Rows;
  /** True if the format says where it ends, so that a part of it is always refused. */
  readonly isClosed: boolean;
}

async function draw(random: Draw): Promise<Case> {
  const known = await drawRecording(random);
  const { name, bytes, rows, read, isClosed } = known;
  const case_ = (about: string, own: Uint8Array, expected: Case['expected'], names: readonly string[] = []): Case => ({
    about: `${name}, ${bytes.length} bytes: ${about}`,
    expected,
    names,
    read: () => outcomeOf(async () => isSame(await read(own), rows)),
  });
  const way = random.pick(['none', 'cut', 'flip', 'flip', 'flip', 'text'] as const);
  if (way === 'none') return case_('whole', bytes, 'valid');
  if (way === 'cut') {
    const cut = truncateBytes(bytes, random);
    // Less than the mark by which the format is known is a file of another kind.
    const isKnown = cut.bytes.length > 600 && isClosed;
    return case_(cut.about, cut.bytes, isKnown ? 'refused' : 'either', isKnown ? [name] : []);
  }
  if (way === 'text' && !/\.(?:mcap|parquet|trz)$/.test(name)) {
    const { text, about } = changedText(new TextDecoder().decode(bytes), random);
    return case_(about, new TextEncoder().encode(text), 'either');
  }
  const { bytes: changed, about } = flipBytes(bytes, random);
  return case_(about, changed, 'either');
}

async function drawRecording(random: Draw): Promise<KnownRecording> {
  const count = random.whole(50, 90);
  const values = (columns: number): Rows =>
    Array.from({ length: count }, (_, k) =>
      Array.from({ length: columns }, (_, c) => Number((0.5 * Math.sin(0.2 * k + c) + random.next() / 100).toFixed(6))),
    );
  const format = random.pick(['mcap', 'mcap', 'parquet', 'trk', 'trz', 'kva'] as const);
  const name = `drawn.${format}`;
  if (format === 'mcap' || format === 'parquet') {
    const rows = values(4);
    const bytes = await (format === 'mcap' ? mcapFile : parquetFile)(rows, JOINTS, random);
    return { name, bytes, rows, isClosed: true, read: (own) => readJoints(name, own) };
  }
  const rows = values(2);
  const text = (format === 'kva' ? kinoveaText : trackerText)(rows, RATE);
  const bytes = format === 'trz' ? trackerArchive(rows, RATE) : new TextEncoder().encode(text);
  return { name, bytes, rows, isClosed: true, read: (own) => readPoints(name, own) };
}

const ARM = `<robot name="arm"><link name="base"/>${JOINTS.map(
  (name, k) =>
    `<link name="l${k}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link><joint name="${name}" type="continuous"><parent link="${k === 0 ? 'base' : 'l0'}"/><child link="l${k}"/></joint>`,
).join('')}</robot>`;

async function readJoints(name: string, bytes: Uint8Array): Promise<Rows> {
  const file = await openRecorded({ name, bytes });
  const table = file ? await readChosenTable(file, { name, holds: 'joints' }) : bytes;
  const { time, positions, torques } = readJointLog(table, await readUrdf(ARM), name);
  if (![time, ...positions, ...torques].flat().every(Number.isFinite))
    throw new WronglyAccepted('with what is no number');
  const isAtSteps = time.every((t, k) => Math.abs(t - time[0] - k * STEP) < 1e-6);
  return isAtSteps ? time.map((_, k) => [...positions, ...torques].map((values) => values[k])) : [];
}

async function readPoints(name: string, bytes: Uint8Array): Promise<Rows> {
  const file = await openRecorded({ name, bytes });
  const table = file ? await readChosenTable(file, { name, holds: 'tracks' }) : bytes;
  const [{ points }] = readTracks(table, { name });
  if (!points.every(({ frame, time, x, y }) => Number.isInteger(frame) && [time, x, y].every(Number.isFinite)))
    throw new WronglyAccepted('with what is no point');
  const isAtSteps = points.every(({ frame, time }, k) => frame === k && Math.abs(time - k / RATE) < 1e-9);
  return isAtSteps ? points.map(({ x, y }) => [x, y]) : [];
}

const isSame = (found: Rows, rows: Rows): boolean =>
  found.length === rows.length && found.every((row, k) => row.every((value, c) => value === rows[k][c]));
