import { describeValue, GradsimError } from '@gradsim/base';
import type { State, StateValues } from './state.ts';

const FILE_MAGIC = 'gradsim state 1\n';
const ARRAYS = { f32: Float32Array, f64: Float64Array, u32: Uint32Array };
type Kind = keyof typeof ARRAYS;
const GROUPS = ['inputs', 'states', 'found'] as const;
/** Alignment of arrays in the state file, bytes. */
const ARRAY_ALIGNMENT = 8;

/**
 * Length of the part before the header, bytes: the first line, the length of the header, and a checksum of the header
 * and the rest of the file.
 */
const PREAMBLE_BYTES = FILE_MAGIC.length + 8;

/** Returns the FNV-1a checksum, which detects damage. */
function checksum(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let k = 0; k < bytes.length; k++) hash = Math.imul(hash ^ bytes[k], 0x01000193);
  return hash >>> 0;
}

const aligned = (bytes: number): number => Math.ceil(bytes / ARRAY_ALIGNMENT) * ARRAY_ALIGNMENT;

/** Entry of the header for one array: its type, and its offset from the end of the header, bytes. */
interface Entry extends Omit<StateValues, 'values'> {
  readonly kind: Kind;
  readonly at: number;
  readonly length: number;
}

function kindOf(values: StateValues['values']): Kind {
  if (values instanceof Uint32Array) return 'u32';
  return values instanceof Float64Array ? 'f64' : 'f32';
}

/**
 * Encodes a state as bytes for a file: a line of text, the length of a header and a checksum in 4 bytes each, the
 * header in JSON, and arrays, all little endian.
 *
 * ```ts
 * await writeFile('swing.state', encodeState(await simulation.state()));
 * ```
 */
export function encodeState(state: State): Uint8Array {
  let at = 0;
  const arrays: { at: number; values: StateValues['values'] }[] = [];
  const entries = (group: Readonly<Record<string, StateValues>>): Record<string, Entry> =>
    Object.fromEntries(
      Object.entries(group).map(([key, { values, ...rest }]) => {
        const entry = { ...rest, kind: kindOf(values), at, length: values.length };
        arrays.push({ at, values });
        at += aligned(values.byteLength);
        return [key, entry];
      }),
    );
  const groups = Object.fromEntries(GROUPS.map((group) => [group, entries(state[group])]));
  const header = new TextEncoder().encode(JSON.stringify({ ...state, ...groups }));
  const begin = aligned(PREAMBLE_BYTES + header.length);
  const bytes = new Uint8Array(begin + at);
  bytes.set(new TextEncoder().encode(FILE_MAGIC));
  bytes.set(header, PREAMBLE_BYTES);
  for (const { at, values } of arrays)
    bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), begin + at);
  const view = new DataView(bytes.buffer);
  view.setUint32(FILE_MAGIC.length, header.length, true);
  view.setUint32(FILE_MAGIC.length + 4, checksum(bytes.subarray(PREAMBLE_BYTES)), true);
  return bytes;
}

/**
 * Decodes a state from the bytes of {@link encodeState}.
 * @throws when the bytes are not those of a state, or are damaged or incomplete.
 */
export function decodeState(bytes: Uint8Array): State {
  const line = new TextDecoder().decode(bytes.subarray(0, FILE_MAGIC.length));
  if (line !== FILE_MAGIC)
    throw new GradsimError(
      'core/state-format',
      line.startsWith('gradsim state')
        ? `These bytes are a state of another format (${describeValue(line.trim())}); this version of @gradsim/core reads "gradsim state 1".`
        : 'These bytes are no state: they do not begin with "gradsim state".',
    );
  if (bytes.length < PREAMBLE_BYTES) throw cutOff(bytes.length, PREAMBLE_BYTES);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const length = view.getUint32(FILE_MAGIC.length, true);
  const begin = aligned(PREAMBLE_BYTES + length);
  if (bytes.length < begin) throw cutOff(bytes.length, begin);
  const header = parsed(bytes.subarray(PREAMBLE_BYTES, PREAMBLE_BYTES + length));
  const groups = GROUPS.map((group) => {
    const entries = Object.entries(header[group] as Record<string, Entry>);
    return [group, Object.fromEntries(entries.map(([key, entry]) => [key, valuesOf(key, entry, bytes, begin)]))];
  });
  // Checked last, so that a truncated file is reported as such.
  if (checksum(bytes.subarray(PREAMBLE_BYTES)) !== view.getUint32(FILE_MAGIC.length + 4, true))
    throw new GradsimError('core/state-damaged', 'This state is damaged: its bytes are not those that were written.');
  return { ...header, ...Object.fromEntries(groups) } as State;
}

function parsed(bytes: Uint8Array): Record<string, unknown> {
  let header: unknown;
  try {
    header = JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw new GradsimError('core/state-damaged', 'The header of this state is damaged.', { cause });
  }
  const isWhole = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
  if (!isWhole(header) || !GROUPS.every((group) => isWhole(header[group])))
    throw new GradsimError('core/state-damaged', 'The header of this state is damaged.');
  return header;
}

function valuesOf(key: string, { kind, at, length, ...rest }: Entry, bytes: Uint8Array, begin: number): StateValues {
  const ArrayOf = ARRAYS[kind];
  if (!ArrayOf || !Number.isInteger(at) || !Number.isInteger(length) || at < 0 || length < 0)
    throw new GradsimError('core/state-damaged', `The header of this state is damaged where it tells of ${key}.`, {
      field: key,
    });
  const from = begin + at;
  const end = from + length * ArrayOf.BYTES_PER_ELEMENT;
  if (bytes.length < end) throw cutOff(bytes.length, end);
  // A copy, since the bytes may begin at any offset of a larger buffer.
  return { ...rest, values: new ArrayOf(bytes.slice(from, end).buffer) };
}

const cutOff = (found: number, needed: number): Error =>
  new GradsimError('core/state-damaged', `This state is cut off: it has ${found} bytes of at least ${needed}.`);
