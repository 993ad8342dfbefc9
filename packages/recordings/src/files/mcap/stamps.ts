/** A moment in nanoseconds. */
export type Stamp = bigint;

/** Stamp of a message: of ROS 1 (`nsec`), ROS 2 (`nanosec`), or in JSON a date. */
export function stampOf(value: unknown): Stamp | undefined {
  if (typeof value === 'string') {
    const time = Date.parse(value);
    return Number.isNaN(time) ? undefined : BigInt(time) * 1_000_000n;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { sec, nsec, nanosec } = value as Record<string, unknown>;
  const [seconds, rest] = [sec, nsec ?? nanosec].map(Number);
  if (!Number.isSafeInteger(seconds) || !Number.isSafeInteger(rest)) return undefined;
  return BigInt(seconds) * 1_000_000_000n + BigInt(rest);
}

/** Measurement at one moment: its own stamp, if it has one, and that of its recording. */
export interface Stamped {
  readonly stamp?: Stamp;
  readonly logged: Stamp;
}

/**
 * Times of messages, ns: the stamps of their headers where they are set, else times of recording.
 * @returns the texts of the times, and which they are, for people.
 */
export function timesOf(messages: readonly Stamped[]): { readonly times: string[]; readonly remark: string } {
  const isSet = messages.every(({ stamp }) => stamp !== undefined) && messages.some(({ stamp }) => stamp !== 0n);
  return {
    times: messages.map(({ stamp, logged }) => String(isSet ? stamp : logged)),
    remark: isSet ? 'stamps of headers' : 'headers without stamps, times of recording',
  };
}
