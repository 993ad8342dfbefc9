/** What of a film is looked at. */
export interface LookRequest {
  readonly film: string;
  readonly first?: number;
  readonly last?: number;
  readonly every?: number;
  readonly frameRate?: number;
  readonly chroma?: 'left' | 'centre';
  /** A picture without what moves. */
  readonly background?: string;
  /** Whether dark grey is shadow. */
  readonly shadows: boolean;
}
