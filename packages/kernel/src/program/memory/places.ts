import { defect } from '@gradsim/base';
import type { Binding, PlainIndices } from '../../emit/bind/options.ts';
import type { AccessRange } from '../../emit/bound-kernel.ts';

/**
 * Memory of a version of a field in an arena. Its offset may be assigned later, so the object is shared, not copied.
 */
export interface MemoryPlace {
  /** Key of the field whose values or summands are stored in the place. */
  readonly field: string;
  /** Contents: values; slots of additions to be summed; partial sums; or a list of integers that a sum needs. */
  readonly contents: 'values' | 'slots' | 'parts' | 'list';
  readonly buffer: 'f32' | 'u32';
  /** Number of words of one copy; there may be a copy per frame or state. */
  readonly words: number;
  offset: number;
  /** Register that selects a copy, `registerStride` words apart. */
  register?: string;
  registerStride?: number;
  /**
   * For a place with a register: identity of the memory that contains its copies. Places in the same memory may
   * overlap.
   */
  readonly region?: symbol;
  readonly shape: Shape;
  /** For a place that is part of another: number of its first element. `shape` is that of the whole place. */
  readonly first?: number;
  /** Indices that the place holds, if kernels can do without loading them. */
  readonly indices?: PlainIndices;
  /** Block that contains the place, while the block has no offset; `offset` then counts from the start of the block. */
  block?: Block;
}

/** Memory whose offset is assigned last; blocks whose lifetimes do not overlap may share memory. */
export interface Block {
  readonly buffer: 'f32' | 'u32';
  readonly words: number;
  /** Identity of the block until it has an offset. */
  readonly region: symbol;
  /** All places in the block. */
  readonly places: readonly MemoryPlace[];
}

/** Numbers of elements, components and worlds in a place, and their order in memory. */
export interface Shape {
  readonly elements: number;
  readonly components: number;
  /** Number of worlds; 1 for values that all worlds share. */
  readonly worlds: number;
  /** True if worlds are contiguous (the default), false if elements are (images). */
  readonly worldsInner: boolean;
  /** True if the components of an element are contiguous; only with a single world. */
  readonly inRows?: boolean;
}

export const shapeWords = ({ elements, components, worlds }: Shape): number => elements * components * worlds;

/** Returns the position of a value within a place, in words. */
export function wordOf(
  { elements, components, worlds, worldsInner, inRows }: Shape,
  component: number,
  element: number,
  world: number,
): number {
  if (inRows) return element * components + component;
  return worldsInner
    ? (component * elements + element) * worlds + world
    : (world * components + component) * elements + element;
}

/** Returns the number of words from the start of a place to the end of the place that it is part of. */
export const wordsFrom = ({ words, shape, first = 0 }: MemoryPlace): number => words - wordOf(shape, 0, first, 0);

export function bindingOf(place: MemoryPlace): Binding {
  if (place.block) throw defect(`${place.field} is bound before its words are chosen`);
  const { elements, components, worlds, worldsInner, inRows } = place.shape;
  const strides = inRows
    ? { componentStride: 1, elementStride: components, worldStride: 0 }
    : worldsInner
      ? { componentStride: elements * worlds, elementStride: worlds, worldStride: worlds === 1 ? 0 : 1 }
      : {
          componentStride: elements,
          elementStride: 1,
          worldStride: worlds === 1 ? 0 : elements * components,
        };
  return {
    buffer: place.buffer,
    offset: place.offset,
    register: place.register,
    registerStride: place.registerStride,
    indices: place.indices,
    ...strides,
  };
}

/** Returns the range of words of a place, or of its first `maxElements` elements. */
export function accessRangeOf(place: MemoryPlace, maxElements = Number.POSITIVE_INFINITY): AccessRange {
  const { components, worlds } = place.shape;
  const elements = Math.min(maxElements, place.shape.elements - (place.first ?? 0));
  const words = elements * components * worlds;
  if (place.region) return { region: place.region, from: 0, to: Number.POSITIVE_INFINITY, words };
  const to = place.offset + (elements === 0 ? 0 : wordOf(place.shape, components - 1, elements - 1, worlds - 1) + 1);
  return { region: place.block?.region ?? place.buffer, from: place.offset, to, words };
}

/** Rounds up to a multiple of 4 words, the alignment of vector loads. */
const padded = (words: number): number => Math.ceil(words / 4) * 4;

/** Allocates words of the f32 and the u32 arena. Offsets are multiples of 4 words. */
export class Arena {
  f32Words = 0;
  u32Words = 0;
  readonly #open = new Map<Block, MemoryPlace[]>();

  #isClosed = false;
  /** Ends allocation: the sizes of the device's buffers are final from now on. */
  close(): void {
    this.#isClosed = true;
  }

  allocate(buffer: 'f32' | 'u32', words: number): number {
    if (this.#isClosed) throw defect('the arena is laid out already');
    const offset = buffer === 'f32' ? this.f32Words : this.u32Words;
    if (buffer === 'f32') this.f32Words += padded(words);
    else this.u32Words += padded(words);
    return offset;
  }

  place(field: string, buffer: 'f32' | 'u32', shape: Shape, contents: MemoryPlace['contents'] = 'values'): MemoryPlace {
    const words = shapeWords(shape);
    return { field, contents, buffer, words, offset: this.allocate(buffer, words), shape };
  }

  /** Allocates a place that only kernels read or write, never the host, in a block of its own. */
  temporary(
    field: string,
    buffer: 'f32' | 'u32',
    shape: Shape,
    contents: MemoryPlace['contents'] = 'values',
  ): MemoryPlace {
    const words = shapeWords(shape);
    const places: MemoryPlace[] = [];
    const block: Block = { buffer, words: padded(words), region: Symbol(field), places };
    this.#open.set(block, places);
    const place = { field, contents, buffer, words, offset: 0, shape, block };
    places.push(place);
    return place;
  }

  /**
   * Allocates a place of integers for error records. All records are contiguous, those of forward runs first: they are
   * read and cleared at once.
   */
  record(field: string, shape: Shape, isBack: boolean): MemoryPlace {
    const words = shapeWords(shape);
    const place = { field, contents: 'list', buffer: 'u32', words, offset: 0, shape } as const;
    this.#records.push({ place, isBack });
    return place;
  }
  readonly #records: { readonly place: MemoryPlace; readonly isBack: boolean }[] = [];
  /** Assigns offsets to records, once all are known. */
  layRecords(): void {
    const inOrder = [false, true].flatMap((back) => this.#records.filter(({ isBack }) => isBack === back));
    for (const { place } of inOrder) place.offset = this.allocate('u32', place.words);
    this.#records.length = 0;
  }

  /** Returns the part of a place that begins at `element`. */
  from(place: MemoryPlace, element: number): MemoryPlace {
    const first = (place.first ?? 0) + element;
    const part = { ...place, indices: undefined, offset: place.offset + wordOf(place.shape, 0, element, 0), first };
    if (place.block) this.#open.get(place.block)!.push(part);
    return part;
  }

  /** Returns the words of a place as a place of another shape. */
  as(place: MemoryPlace, shape: Shape): MemoryPlace {
    const same = { ...place, shape };
    if (place.block) this.#open.get(place.block)!.push(same);
    return same;
  }

  /** Blocks that have no offset yet. */
  get open(): Block[] {
    return [...this.#open.keys()];
  }
  /** Sets the offset of a block. */
  setOffset(block: Block, offset: number): void {
    for (const place of block.places) {
      place.offset += offset;
      place.block = undefined;
    }
    this.#open.delete(block);
  }

  /** Allocates a place with `copies` copies of the values, of which the value of `register` selects one. */
  repeated(field: string, buffer: 'f32' | 'u32', shape: Shape, register: string, copies: number): MemoryPlace {
    const words = shapeWords(shape);
    const stride = padded(words);
    return {
      field,
      contents: 'values',
      buffer,
      words,
      offset: this.allocate(buffer, stride * copies),
      register,
      registerStride: stride,
      region: Symbol(field),
      shape,
    };
  }
}
