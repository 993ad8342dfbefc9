import type { Binding } from '../emit/bind-options.ts';
import type { Reach } from '../emit/bound-kernel.ts';

/** Place of a version of a field in the arena. Offsets are assigned late, so a place is an object that is shared. */
export interface Place {
  /** The field whose values lie here, or are added up from here. */
  readonly field: string;
  /** The values themselves; what is added up to them, a slot an addition, or in parts; or a list for that. */
  readonly holds: 'values' | 'slots' | 'parts' | 'list';
  readonly buffer: 'f32' | 'u32';
  /** Words of one copy (one frame, one state). */
  readonly words: number;
  offset: number;
  /** The register that chooses a copy, `registerStride` words apart. */
  register?: string;
  registerStride?: number;
  /** With a register: what its words are part of. Places of one region may be the same words. */
  readonly region?: symbol;
  readonly shape: Shape;
  /** For a part of another place, the first element of it; `shape` is that of the whole. */
  readonly first?: number;
  /** Block that it is part of until that has an offset; till then `offset` counts from the block's start. */
  block?: Block;
}

/** Memory whose offset is chosen last; blocks with other lifetimes may be aliased to it. */
export interface Block {
  readonly buffer: 'f32' | 'u32';
  readonly words: number;
  /** Identity of the block until it has an offset. */
  readonly region: symbol;
  /** All places that lie in it. */
  readonly places: readonly Place[];
}

/** Number and order of the values of a place. */
export interface Shape {
  readonly elements: number;
  readonly components: number;
  /** 1 for what all worlds share. */
  readonly worlds: number;
  /** Worlds next to each other (the default) or elements next to each other (images). */
  readonly worldsInner: boolean;
  /** Whether the components of an element lie side by side; for one world. */
  readonly inRows?: boolean;
}

export const shapeWords = ({ elements, components, worlds }: Shape): number => elements * components * worlds;

/** Position of a value within a place. */
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

/** Words from where a place begins to the end of what it is part of. */
export const wordsFrom = ({ words, shape, first = 0 }: Place): number => words - wordOf(shape, 0, first, 0);

export function bindingOf(place: Place): Binding {
  if (place.block) throw new Error(`internal: ${place.field} is bound before its words are chosen`);
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
    ...strides,
  };
}

/** The words of a place, or of its first `elements` where there are more. */
export function reachOf(place: Place, most = Number.POSITIVE_INFINITY): Reach {
  const { components, worlds } = place.shape;
  const elements = Math.min(most, place.shape.elements - (place.first ?? 0));
  const words = elements * components * worlds;
  if (place.region) return { region: place.region, from: 0, to: Number.POSITIVE_INFINITY, words };
  const to = place.offset + (elements === 0 ? 0 : wordOf(place.shape, components - 1, elements - 1, worlds - 1) + 1);
  return { region: place.block?.region ?? place.buffer, from: place.offset, to, words };
}

/** As many words, or a few more, that the next ones may begin at a multiple of 4, for vector loads. */
const padded = (words: number): number => Math.ceil(words / 4) * 4;

/** Gives out the words of the two arenas. Starts are multiples of 4. */
export class Arena {
  f32Words = 0;
  u32Words = 0;
  readonly #open = new Map<Block, Place[]>();

  #isClosed = false;
  /** From here on nothing is given out: the device's buffers are made as large as what is. */
  close(): void {
    this.#isClosed = true;
  }

  take(buffer: 'f32' | 'u32', words: number): number {
    if (this.#isClosed) throw new Error('internal: a place was asked for after the arena was laid out');
    const offset = buffer === 'f32' ? this.f32Words : this.u32Words;
    if (buffer === 'f32') this.f32Words += padded(words);
    else this.u32Words += padded(words);
    return offset;
  }

  place(field: string, buffer: 'f32' | 'u32', shape: Shape, holds: Place['holds'] = 'values'): Place {
    const words = shapeWords(shape);
    return { field, holds, buffer, words, offset: this.take(buffer, words), shape };
  }

  /** A place that nothing but kernels reads or writes, in a block of its own. */
  temporary(field: string, buffer: 'f32' | 'u32', shape: Shape, holds: Place['holds'] = 'values'): Place {
    const words = shapeWords(shape);
    const places: Place[] = [];
    const block: Block = { buffer, words: padded(words), region: Symbol(field), places };
    this.#open.set(block, places);
    const place = { field, holds, buffer, words, offset: 0, shape, block };
    places.push(place);
    return place;
  }

  /**
   * A place of whole numbers in which a run records what went wrong. All records lie together, those of runs forward first:
   * they are read and cleared at once.
   */
  record(field: string, shape: Shape, isBack: boolean): Place {
    const words = shapeWords(shape);
    const place = { field, holds: 'list', buffer: 'u32', words, offset: 0, shape } as const;
    this.#records.push({ place, isBack });
    return place;
  }
  readonly #records: { readonly place: Place; readonly isBack: boolean }[] = [];
  /** Gives records their words: once all are known. */
  layRecords(): void {
    const inOrder = [false, true].flatMap((back) => this.#records.filter(({ isBack }) => isBack === back));
    for (const { place } of inOrder) place.offset = this.take('u32', place.words);
    this.#records.length = 0;
  }

  /** The place from an element on. */
  from(place: Place, element: number): Place {
    const first = (place.first ?? 0) + element;
    const part = { ...place, offset: place.offset + wordOf(place.shape, 0, element, 0), first };
    if (place.block) this.#open.get(place.block)!.push(part);
    return part;
  }

  /** The same words in another shape. */
  as(place: Place, shape: Shape): Place {
    const same = { ...place, shape };
    if (place.block) this.#open.get(place.block)!.push(same);
    return same;
  }

  /** The blocks that have no words yet. */
  get open(): Block[] {
    return [...this.#open.keys()];
  }
  /** Has a block begin at a word. */
  lay(block: Block, offset: number): void {
    for (const place of block.places) {
      place.offset += offset;
      place.block = undefined;
    }
    this.#open.delete(block);
  }

  /** A place with one copy for every value of `register`. */
  repeated(field: string, buffer: 'f32' | 'u32', shape: Shape, register: string, copies: number): Place {
    const words = shapeWords(shape);
    const stride = padded(words);
    return {
      field,
      holds: 'values',
      buffer,
      words,
      offset: this.take(buffer, stride * copies),
      register,
      registerStride: stride,
      region: Symbol(field),
      shape,
    };
  }
}
