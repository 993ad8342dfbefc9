import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { deserialize } from 'node:v8';
import { damagedFile, optionalPackages } from '../faults.ts';

/** Packages that read Parquet. */
const PACKAGES = ['hyparquet', 'hyparquet-compressors'] as const;

/** Heap of the process that decodes, MB. */
const HEAP_MEGABYTES = 1536;
/** Time that a file may take, s, and beyond that for each MB of it. */
const TIME_LIMIT = { seconds: 40, perMegabyte: 2 } as const;
/** Most bytes of a page, decompressed. */
const MAX_PAGE_BYTES = 2 ** 29;

/** A column of the file. */
export interface Column {
  readonly name: string;
  /** Type of its numbers, or of those of its lists; undefined for what is no number, text, date or list of numbers. */
  readonly type?: 'FLOAT' | 'number' | 'text';
  readonly isList: boolean;
}

/** Number of rows, and columns. */
export interface Schema {
  readonly rows: number;
  readonly columns: readonly Column[];
}

/** A value of a column: numbers, texts, dates as ISO 8601; lists of numbers. */
export type Value = number | string | null | readonly (number | null)[];

type Request =
  | { readonly what: 'schema' }
  | { readonly what: 'rows'; readonly columns: readonly string[]; readonly from: number; readonly to: number };

/** Address of a package's module. @throws for one that is not installed. */
async function addressOf(name: (typeof PACKAGES)[number]): Promise<string> {
  try {
    return pathToFileURL(createRequire(import.meta.url).resolve(name)).href;
  } catch {
    await optionalPackages(name, 'Parquet', PACKAGES);
    throw new Error(`${name} is not found`);
  }
}

/**
 * Decodes a Parquet file in a process of its own: of a damaged file the library may fill the memory, which no thread
 * survives, or run on without end.
 */
export async function decode<T extends Schema | Value[][]>(
  name: string,
  bytes: Uint8Array,
  request: Request,
): Promise<T> {
  const addresses = await Promise.all(PACKAGES.map(addressOf));
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${HEAP_MEGABYTES}`, '--input-type=commonjs', '-e', DECODER_SOURCE],
    {
      stdio: ['pipe', 'pipe', 'ignore'],
      // Not those of this process, which may load modules first.
      env: { ...process.env, NODE_OPTIONS: '' },
    },
  );
  const limit = TIME_LIMIT.seconds + (TIME_LIMIT.perMegabyte * bytes.length) / 1e6;
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
  }, 1000 * limit);
  try {
    const head = Buffer.from(JSON.stringify({ addresses, request, most: MAX_PAGE_BYTES }));
    const length = Buffer.alloc(4);
    length.writeUInt32LE(head.length);
    // A process that has ended takes no more: how it ended is said below.
    child.stdin.on('error', () => {});
    for (const part of [length, head, bytes]) child.stdin.write(part);
    child.stdin.end();
    const parts: Buffer[] = [];
    child.stdout.on('data', (part: Buffer) => parts.push(part));
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    if (isLate) throw new Error(`it is not read after ${Math.round(limit)} s`);
    if (code !== 0) throw new Error(`decoding it takes more than ${HEAP_MEGABYTES} MB`);
    const { result, reason } = deserialize(Buffer.concat(parts)) as { result?: T; reason?: string };
    if (reason !== undefined) throw new Error(reason);
    return result!;
  } catch (error) {
    throw damagedFile(name, 'Parquet', error);
  } finally {
    clearTimeout(timer);
  }
}

/** Source of the process, as a string, since Node of itself loads no TypeScript. */
const DECODER_SOURCE = `
const { serialize } = require('node:v8');
const numeric = new Set(['INT32', 'INT64', 'FLOAT', 'DOUBLE']);
function columnOf({ element, children }) {
  let [leaf, isList, isPlain] = [{ element, children }, element.repetition_type === 'REPEATED', true];
  while (leaf.children.length > 0) {
    isPlain = isPlain && leaf.children.length === 1;
    leaf = leaf.children[0];
    isList = isList || leaf.element.repetition_type === 'REPEATED';
  }
  const { type, converted_type } = leaf.element;
  const isText = type === 'BYTE_ARRAY' && converted_type === 'UTF8' || type === 'INT96' || String(leaf.element.logical_type?.type).startsWith('TIMESTAMP');
  const known = !isPlain || (children.length > 0 && !isList) ? undefined
    : isText ? (isList ? undefined : 'text') : type === 'FLOAT' ? 'FLOAT' : numeric.has(type) ? 'number' : undefined;
  return { name: element.name, isList, type: known };
}
const number = (x) => typeof x === 'bigint' ? (Number.isSafeInteger(Number(x)) ? Number(x) : String(x)) : x;
const value = (x) => {
  if (x === undefined || x === null) return null;
  if (x instanceof Date) return x.toISOString();
  return Array.isArray(x) || ArrayBuffer.isView(x) ? Array.from(x, (own) => own === undefined ? null : number(own)) : number(x);
};

async function run() {
  const parts = [];
  for await (const part of process.stdin) parts.push(part);
  const all = Buffer.concat(parts);
  const head = all.readUInt32LE(0);
  const { addresses, request, most } = JSON.parse(all.toString('utf8', 4, 4 + head));
  const bytes = all.subarray(4 + head);
  const [{ parquetMetadataAsync, parquetSchema, parquetReadObjects }, { compressors }] =
    await Promise.all(addresses.map((address) => import(address)));
  // Slices are copies, so that those who read them begin at 0.
  const file = { byteLength: bytes.length, slice: (from, to) => Uint8Array.from(bytes.subarray(from, to)).buffer };
  const metadata = await parquetMetadataAsync(file);
  const rows = metadata.row_groups.reduce((sum, group) => sum + Number(group.num_rows), 0);
  if (rows !== Number(metadata.num_rows)) throw new Error('it has ' + rows + ' rows and says ' + metadata.num_rows);
  if (request.what === 'schema') return { rows, columns: parquetSchema(metadata).children.map(columnOf) };
  const bounded = Object.fromEntries(Object.entries(compressors).map(([name, decompress]) => [name, (input, size) => {
    if (!(size >= 0 && size <= most)) throw new Error('a page claims ' + size + ' bytes');
    return decompress(input, size);
  }]));
  const { columns, from, to } = request;
  const found = await parquetReadObjects({ file, metadata, columns, rowStart: from, rowEnd: to, compressors: bounded });
  if (found.length !== to - from) throw new Error('it has ' + found.length + ' rows in place of ' + (to - from));
  return columns.map((name) => found.map((row) => value(row[name])));
}
run()
  .then((result) => ({ result }), (error) => ({ reason: String(error && error.message || error) }))
  .then((outcome) => process.stdout.write(serialize(outcome)));
`;
