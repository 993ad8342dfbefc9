/** Returns the table of steps that kernels read, with a row of `STEP_COLUMNS` a frame, from the times of the frames, s. */
export function stepTable(frameTimes: readonly number[], substeps: number): Float64Array {
  const last = frameTimes.length - 1;
  const dt = (frame: number): number => {
    const from = Math.min(Math.max(frame, 0), last - 1);
    return (frameTimes[from + 1] - frameTimes[from]) / substeps;
  };
  return Float64Array.from(
    frameTimes.flatMap((time, k) => [dt(k), dt(k - 1), time, frameTimes[k + 1] ?? time + substeps * dt(k)]),
  );
}
