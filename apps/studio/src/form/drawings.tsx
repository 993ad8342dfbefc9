import type { JSX } from 'preact';
import { kindOf } from '../kinds.ts';

/** Drawing of a kind: the thing, its path, and the lengths that must be measured. */
export const Drawing = ({ kind }: { kind: string }): JSX.Element => (
  <svg
    class="drawing"
    viewBox="0 0 160 90"
    aria-hidden="true"
    dangerouslySetInnerHTML={{ __html: kindOf(kind).drawing! }}
  />
);
