/** Finding of a check of `gradsim doctor`. */
export interface Finding {
  /** Subject: `node`, `packages`, `device cpu`, `films`. */
  readonly about: string;
  /** `wrong` stops something that is there from working; `missing` is optional, and not there. */
  readonly state: 'ok' | 'missing' | 'wrong';
  /** One or more sentences. */
  readonly text: string;
  /** Command that mends it, or brings what is missing. */
  readonly command?: string;
}
