/** What a run needs of an AbortSignal to end early: any of that kind will do. */
export interface StopSignal {
  readonly aborted: boolean;
  throwIfAborted(): void;
}
