/** An unknown of the first page's film, as the table shows it. */
export interface Row {
  readonly name: string;
  readonly unit: string;
  readonly estimate?: number;
  readonly error?: number;
  readonly truth?: number;
}

/** Message of the page to the worker of the film: another film, from this seed. */
export interface FilmRequest {
  readonly seed: number;
  /** Address of the site's library. */
  readonly library: string;
  /** Canvases of the film, and of film and estimate; with the first message alone. */
  readonly canvases?: readonly OffscreenCanvas[];
}

/** Message of the worker of the film to the page. */
export interface FilmReport {
  readonly rows?: readonly Row[];
  readonly status?: string;
  readonly isDone?: boolean;
  readonly problem?: string;
}
