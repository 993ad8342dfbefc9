import { optionalPackages } from '../faults.ts';

/** Schema of a topic: its name, its encoding, its text. */
export interface Schema {
  readonly name: string;
  readonly encoding: string;
  readonly data: Uint8Array;
}

/** Reads a message. @throws for one that its schema does not fit. */
export type Decoder = (bytes: Uint8Array) => unknown;

/** Packages that read and write MCAP, in the order in which they are asked for. */
export const PACKAGES = [
  '@mcap/core',
  '@foxglove/rosmsg',
  '@foxglove/rosmsg-serialization',
  '@foxglove/rosmsg2-serialization',
  '@foxglove/wasm-zstd',
  '@foxglove/wasm-lz4',
] as const;

/** Loads a package of {@link PACKAGES}. @throws if it is not installed, naming all. */
export const loadPackage = <T>(name: (typeof PACKAGES)[number]): Promise<T> =>
  optionalPackages<T>(name, 'MCAP', PACKAGES);

/** Most bytes of a schema: real ones have some thousands. */
const MAX_SCHEMA_BYTES = 1_000_000;

/** A field of a definition of messages, as the parser has it. */
interface MessageField {
  readonly name: string;
  readonly type: string;
  readonly isConstant?: boolean;
}

/** Encodings of messages that are read, with those of the schemas that they take. */
const ENCODINGS: Readonly<Record<string, string>> = { cdr: 'ros2msg', ros1: 'ros1msg', json: '' };

/** Says why messages of an encoding cannot be read; undefined if they can. */
export function unreadableReason(message: string, { encoding }: Pick<Schema, 'encoding'>): string | undefined {
  if (!Object.hasOwn(ENCODINGS, message)) return `is encoded as ${message || 'nothing'}, not as cdr, ros1 or json`;
  const wanted = ENCODINGS[message];
  return wanted === '' || wanted === encoding
    ? undefined
    : `has a schema as ${encoding || 'nothing'}; with ${message} it must be ${wanted}`;
}

/** Makes what reads the messages of a topic. @throws a plain Error for a schema that is damaged; its caller names the topic. */
export async function decoderOf(encoding: string, schema: Schema): Promise<Decoder> {
  if (encoding === 'json') return (bytes) => JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  if (schema.data.length > MAX_SCHEMA_BYTES) throw new Error(`its schema has ${schema.data.length} bytes`);
  const { parse } = await loadPackage<typeof import('@foxglove/rosmsg')>('@foxglove/rosmsg');
  const definitions = parse(new TextDecoder().decode(schema.data), { ros2: encoding === 'cdr' });
  for (const { name, definitions: fields } of definitions) refuseInvalidSchema(name, fields, encoding);
  if (encoding === 'cdr') {
    const { MessageReader } = await loadPackage<typeof import('@foxglove/rosmsg2-serialization')>(
      '@foxglove/rosmsg2-serialization',
    );
    const reader = new MessageReader(definitions);
    return (bytes) => reader.readMessage(bytes);
  }
  const { MessageReader } = await loadPackage<typeof import('@foxglove/rosmsg-serialization')>(
    '@foxglove/rosmsg-serialization',
  );
  const reader = new MessageReader(definitions);
  return (bytes) => reader.readMessage(bytes);
}

/**
 * Refuses names that are none: the reader of ROS 1 makes code of them. And types without a field: of those a message of a
 * few bytes could have any number.
 */
function refuseInvalidSchema(name: string | undefined, fields: readonly MessageField[], encoding: string): void {
  const isPath = (text: string): boolean => /^[A-Za-z_]\w*(?:\/\w+)*$/.test(text);
  const odd = [...(name === undefined ? [] : [name]), ...fields.map(({ type }) => type)].find((text) => !isPath(text));
  const word = odd ?? fields.find((field) => !/^[A-Za-z_]\w*$/.test(field.name))?.name;
  if (word !== undefined) throw new Error(`its schema has the name "${word.slice(0, 60)}"`);
  if (encoding === 'ros1' && fields.every(({ isConstant }) => isConstant))
    throw new Error(`its schema has the type ${name ?? 'of the message'} without a field`);
}
