/** Options of `gradsim plan`. */
export interface PlanCommandOptions {
  readonly video?: string;
  readonly track?: number;
  readonly device: string;
  readonly threads?: number;
  readonly from?: string;
  readonly wanted: readonly string[];
  /** Number of the experiment that will be done, in the order of the table. */
  readonly choose: number;
  readonly set: Readonly<Record<string, string>>;
  readonly out?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}
