import type { Executor } from './device.ts';

/** Words of an arena that something needs to know. */
export interface Ask {
  readonly arena: 'f32' | 'u32';
  readonly from: number;
  readonly words: number;
}
export type Answer = Float32Array | Float64Array | Uint32Array;

/** What follows from words of a device. */
export interface Question<T> {
  readonly asks: readonly Ask[];
  /** The answers may be words of the device itself: they are to be copied, and not changed. */
  readonly conclude: (answers: readonly Answer[]) => T;
}

/** Work that asks again and again: it yields what it needs, all at once, and is handed the answers. */
export type Asking<T> = Generator<readonly Ask[], T, readonly Answer[]>;

/** Asks at once, for the words as they are now, and waits for the answers. */
const fetched = (executor: Executor, asks: readonly Ask[]): Promise<Answer[]> =>
  Promise.all(
    asks.map(({ arena, from, words }) =>
      arena === 'f32' ? executor.readF32(from, words) : executor.readU32(from, words),
    ),
  );

function peeked(executor: Executor, asks: readonly Ask[]): Answer[] {
  if (!executor.peekF32 || !executor.peekU32)
    throw new Error(
      'This device only records its work, so what it holds has to be waited for: use the function without Sync, and `await` it.',
    );
  return asks.map(({ arena, from, words }) =>
    arena === 'f32' ? executor.peekF32!(from, words) : executor.peekU32!(from, words),
  );
}

const isQuestion = <T>(asked: Question<T> | Asking<T>): asked is Question<T> => 'asks' in asked;

function* asking<T>({ asks, conclude }: Question<T>): Asking<T> {
  return conclude(yield asks);
}

/** Waits for the answers of a device. Of what is asked first, those that hold now. */
export async function answered<T>(executor: Executor, asked: Question<T> | Asking<T>): Promise<T> {
  const work = isQuestion(asked) ? asking(asked) : asked;
  let step = work.next();
  while (!step.done) step = work.next(await fetched(executor, step.value));
  return step.value;
}

/** @throws on a device that only records, where answers have to be waited for. */
export function answeredNow<T>(executor: Executor, asked: Question<T> | Asking<T>): T {
  const work = isQuestion(asked) ? asking(asked) : asked;
  let step = work.next();
  while (!step.done) step = work.next(peeked(executor, step.value));
  return step.value;
}
