import { GradsimError } from '@gradsim/core';

/** A target picture and the time at which the run should match it. */
export interface KeyFrame {
  /** Time from the start of the run, s. */
  readonly time: number;
  /** File name, as written in the text. */
  readonly file: string;
  /** Line number in the text, counted from 1. */
  readonly line: number;
}

const KEY_FRAME_LINE = /^at\s+(\S+)\s*s\s*:\s*(.+)$/;

/**
 * Parses a text of key frames, one a line, such as `at 1.5 s: goal.png`, in ascending order of time. Empty lines and
 * lines that begin with `#` are ignored.
 *
 * ```ts
 * import { parseKeyFrames } from '@gradsim/control';
 *
 * const [first] = parseKeyFrames('at 1.5 s: crouched.png\nat 3 s: landed.png');
 * console.log(first.time, first.file); // 1.5 crouched.png
 * ```
 * @throws naming the line, for a line of another form, a negative time, or a time not after that of the previous key
 * frame; also if there is no key frame.
 */
export function parseKeyFrames(text: string): KeyFrame[] {
  const found: KeyFrame[] = [];
  for (const [k, raw] of text.split(/\r?\n/).entries()) {
    const [written, line] = [raw.trim(), k + 1];
    if (written === '' || written.startsWith('#')) continue;
    const parts = KEY_FRAME_LINE.exec(written);
    if (!parts)
      throw new GradsimError(
        'control/key-frame-line',
        `Line ${line} is "${written}"; a key frame is written \`at 1.5 s: goal.png\`.`,
      );
    const time = Number(parts[1]);
    if (!(Number.isFinite(time) && time >= 0))
      throw new GradsimError('control/key-frame-line', `Line ${line} has the time "${parts[1]}".`, {
        hint: 'It must be a number of seconds of at least 0.',
      });
    const before = found.at(-1);
    if (before && !(time > before.time))
      throw new GradsimError(
        'control/key-frames-out-of-order',
        `Line ${line} is at ${time} s, and line ${before.line} at ${before.time} s: key frames are in the order of time.`,
      );
    found.push({ time, file: parts[2].trim(), line });
  }
  if (found.length === 0)
    throw new GradsimError('control/no-key-frames', 'There is no key frame; one is written `at 1.5 s: goal.png`.');
  return found;
}

/** Timeline of a run in which the time of every key frame is that of a frame. */
export interface KeyedRun {
  readonly frames: number;
  /** Frames per second. */
  readonly frameRate: number;
  readonly substeps: number;
  /** Frame number of each key frame. */
  readonly keyFrameNumbers: readonly number[];
}

/** Tolerance within which a time coincides with a substep, in substeps. */
const SUBSTEP_TOLERANCE = 1e-6;

/**
 * Timeline with the fewest frames such that every key frame, the start and the end of the run are frames.
 *
 * ```ts
 * import { keyedRun, parseKeyFrames } from '@gradsim/control';
 *
 * const keys = parseKeyFrames('at 1 s: a.png\nat 1.5 s: b.png');
 * console.log(keyedRun(keys, { seconds: 3, rate: 960 })); // 7 frames, 2 a second, of 480 substeps; at 2 and 3
 * ```
 * @param seconds duration of the run, s.
 * @param rate substeps per second.
 * @throws naming the line, for a key frame after the end or between two substeps.
 */
export function keyedRun(
  keys: readonly KeyFrame[],
  { seconds, rate }: { readonly seconds: number; readonly rate: number },
): KeyedRun {
  const all = Math.round(seconds * rate);
  const steps = keys.map(({ time, line }) => {
    const step = Math.round(time * rate);
    if (step > all)
      throw new GradsimError(
        'control/key-frame-time',
        `Line ${line} is at ${time} s, but the run ends after ${seconds} s.`,
      );
    if (Math.abs(time * rate - step) > SUBSTEP_TOLERANCE)
      throw new GradsimError(
        'control/key-frame-time',
        `Line ${line} is at ${time} s, between two substeps: there are ${rate} a second, the nearest at ${step / rate} s.`,
      );
    return step;
  });
  const substeps = steps.reduce(greatestCommonDivisor, all);
  return {
    frames: all / substeps + 1,
    frameRate: rate / substeps,
    substeps,
    keyFrameNumbers: steps.map((step) => step / substeps),
  };
}

const greatestCommonDivisor = (a: number, b: number): number => (b === 0 ? a : greatestCommonDivisor(b, a % b));
