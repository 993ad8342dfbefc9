/** A number found from logs. */
export interface Identified {
  readonly name: string;
  /** Unit, as in `kg m^2`; that of its first parameter, of a combination. */
  readonly unit: string;
  readonly estimate: number;
  /**
   * Standard error, by leaving out blocks of time longer than the period of the motion; widened where quarters or recordings
   * scatter by more; infinite if the motion does not determine the number.
   */
  readonly standardError: number;
}
