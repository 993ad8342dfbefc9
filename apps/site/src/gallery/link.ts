/** State of a demo that a link carries: which one, the values of its sliders, and its code where that was changed. */
export interface LinkState {
  readonly demo: string;
  readonly values: readonly number[];
  readonly code?: string;
}

/** Longest code of a link, characters: above it browsers and messengers cut addresses. */
const LONGEST = 20_000;

const throughStream = async (
  bytes: Uint8Array<ArrayBuffer>,
  stream: GenericTransformStream,
): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

/** Fragment of an address for a state, without `#`: `toss;3,6,0.05;` and the code, deflated, in base64 of addresses. */
export async function fragmentOf({ demo, values, code }: LinkState): Promise<string> {
  const numbers = values.map((value) => Number(value.toPrecision(6))).join(',');
  if (code === undefined) return `${demo};${numbers}`;
  const packed = await throughStream(new TextEncoder().encode(code), new CompressionStream('deflate-raw'));
  const text = btoa(String.fromCharCode(...packed))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '');
  return `${demo};${numbers};${text}`;
}

/** State in a fragment; undefined for one that is none, or damaged. */
export async function stateOf(fragment: string): Promise<LinkState | undefined> {
  const [demo, numbers = '', packed] = decodeURIComponent(fragment.replace(/^#/, '')).split(';');
  if (!/^[a-z][a-z-]*$/.test(demo)) return undefined;
  const values = numbers === '' ? [] : numbers.split(',').map(Number);
  if (!values.every(Number.isFinite)) return undefined;
  if (!packed) return { demo, values };
  if (packed.length > LONGEST) return undefined;
  try {
    const bytes = Uint8Array.from(atob(packed.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));
    const code = new TextDecoder().decode(await throughStream(bytes, new DecompressionStream('deflate-raw')));
    return { demo, values, code };
  } catch {
    return undefined;
  }
}
