export type Finding =
  /** The model does not compile or run. */
  | 'refused'
  /** A parameter without a derivative is not refused by name, or one that is refused has a derivative. */
  | 'dead'
  /** Outputs of the tangent run differ from those of the run itself. */
  | 'forward'
  | 'transpose'
  /** A world of several is not, bit for bit, what it is alone. */
  | 'worlds'
  /** The product with a Jacobian is not the derivative of the sum. */
  | 'product'
  /** A tangent that goes along with others is not, bit for bit, what it is alone. */
  | 'tangents'
  /** The gradient with checkpoints is not, bit for bit, the one without. */
  | 'memory'
  | 'differences'
  /** An index out of range goes unsaid. */
  | 'index'
  /** A device in single precision is off; the detail says which. */
  | 'device';

/** Error that reports a defect found in a program. */
export class Wrong extends Error {
  readonly finding: Finding;
  /** True if central differences of no step size agree: a jump or a kink is near, and the derivative may be right. */
  readonly isRough: boolean;
  constructor(finding: Finding, detail: string, { isRough = false } = {}) {
    super(detail);
    this.finding = finding;
    this.isRough = isRough;
  }
}
