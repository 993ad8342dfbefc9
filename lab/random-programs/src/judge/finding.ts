export type Finding =
  /** The model does not compile or run. */
  | 'refused'
  /** A parameter without a derivative is not refused by name, or one that is refused has a derivative. */
  | 'dead'
  /** Outputs of the tangent run differ from those of the run itself. */
  | 'forward'
  | 'transpose'
  /** A world run together with others differs in a bit from the same world run alone. */
  | 'worlds'
  /** A product with the Jacobian of a sum differs from the derivative of that sum. */
  | 'product'
  /** A tangent computed together with others differs in a bit from the same tangent computed alone. */
  | 'tangents'
  /** The gradient computed with checkpoints differs in a bit from the one computed without. */
  | 'memory'
  | 'differences'
  /** A device runs a program with an index out of range without an error, or with another message. */
  | 'index'
  /** Results in single precision differ from doubles by more than the tolerance; the message names the device. */
  | 'device';

/** Error that reports a defect found in a program. */
export class Wrong extends Error {
  readonly finding: Finding;
  /** True if central differences of no step size agree: a jump or a kink is near, and the derivative may be right. */
  readonly isRough: boolean;
  /** True if that is because the derivative is so large that every step of differences goes too far. */
  readonly isSteep: boolean;
  constructor(finding: Finding, detail: string, { isRough = false, isSteep = false } = {}) {
    super(detail);
    this.finding = finding;
    this.isRough = isRough;
    this.isSteep = isSteep;
  }
}
