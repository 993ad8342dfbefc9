/** Request for the content of a film. */
export interface LookRequest {
  readonly film: string;
  readonly first?: number;
  readonly last?: number;
  readonly every?: number;
  readonly frameRate?: number;
  readonly chroma?: 'left' | 'centre';
  /** Background picture, without the moving things. */
  readonly background?: string;
  /** True if dark grey things count as shadows, and so as part of the background. */
  readonly shadows: boolean;
}
