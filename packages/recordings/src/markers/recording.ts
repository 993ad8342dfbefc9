/** Positions of markers at equal steps of time. */
export interface MarkerRecording {
  readonly name: string;
  /** Names of the markers, in the order of their first lines. */
  readonly markers: readonly string[];
  /** Number of frames per second. */
  readonly frameRate: number;
  readonly frames: number;
  /** Positions x, y, z, m: flat, [frame][marker][component]; NaN where a marker was not seen. */
  readonly positions: Float64Array;
  /** Decisions on reading a table, for people: `time in ms; x y z in mm; 100 frames a second`. */
  readonly readingNotes?: string;
}
