/** Substeps of a run. */
export interface StepClock {
  /** Number of substeps a frame. */
  readonly substeps: number;
  /** Duration of a substep, s; of the longest, if frames have times of their own. */
  readonly dt: number;
  /** Times of the frames, s, if they are not even. */
  readonly frameTimes?: readonly number[];
}

/** Columns of the table of even steps: duration and number of the substeps of a frame. */
const EVEN_COLUMNS = ['dt', 'substeps'] as const;
/** Columns of a table of other steps: also durations of the substep before and the longest, times of this frame and the next. */
export const STEP_COLUMNS = [...EVEN_COLUMNS, 'previousDt', 'longestDt', 'time', 'nextTime'] as const;

/** Number of rows and columns of the table of steps: one row for even steps, else one a frame. */
export const sizeOfStepTable = ({ frameTimes }: StepClock): readonly [rows: number, columns: number] =>
  frameTimes ? [frameTimes.length, STEP_COLUMNS.length] : [1, EVEN_COLUMNS.length];

/** Returns the table of steps that kernels read. */
export function stepTable({ dt: longest, substeps, frameTimes }: StepClock): Float64Array {
  if (!frameTimes) return Float64Array.of(longest, substeps);
  const last = frameTimes.length - 1;
  const dt = (frame: number): number => {
    const from = Math.min(Math.max(frame, 0), last - 1);
    return (frameTimes[from + 1] - frameTimes[from]) / substeps;
  };
  return Float64Array.from(
    frameTimes.flatMap((time, k) => [
      dt(k),
      substeps,
      dt(k - 1),
      longest,
      time,
      frameTimes[k + 1] ?? time + substeps * dt(k),
    ]),
  );
}
