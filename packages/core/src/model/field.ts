import type { FieldRef } from '@gradsim/kernel';
import type { ScalarType } from '@gradsim/kernel/compiler';
import type { Range } from './fit.ts';

export interface Domain {
  readonly name: string;
  readonly size: number;
  /** Fields of this domain keep the elements of one world together (images) instead of the worlds of one element. */
  readonly elementsTogether: boolean;
  /**
   * Fields of this domain that a run makes for itself keep the components of one element together, for kernels that
   * read all of an element at an index of their own: one or two lines of cache instead of one a component.
   */
  readonly componentsTogether?: boolean;
}

/** A field before it has a place. Its key is `domain.name`. */
export interface Field {
  readonly key: string;
  /** Reference of plugins and hosts to it; for a field that passes make, that of the kernel that writes it. */
  readonly ref?: FieldRef;
  readonly domain: string;
  readonly name: string;
  readonly scalar: ScalarType;
  readonly components: number;
  /** An index field's target domain. */
  readonly target?: string;
  /** A value for every frame or substep instead of one for the whole run. */
  readonly over?: 'frame' | 'substep';
  /** One copy for all worlds. Index fields always are. */
  readonly shared: boolean;
  /** Element by element, each with its components; the same for all worlds until set. Undefined where none were given: zeros. */
  readonly values?: ArrayLike<number>;
  /** Names an element in messages: the entity it came from. */
  readonly describe?: (element: number) => string;
  /** The field whose rounding it carries. */
  readonly carryOf?: string;
  readonly unit?: string;
  /** Range of its values, such as that of the column it comes from. */
  readonly range?: Range;
  /** A sentence on what it means where nothing that was seen depends on it. */
  readonly unseen?: string;
  /** Message of an alarm; see {@link Model.addAlarm}. */
  readonly alarm?: AlarmMessage;
  /** Whether passes add to it, and none writes it; see {@link Model.addAccumulator}. */
  readonly isSum?: boolean;
  /** Whether it came into being where a pass first wrote it: the host gives it no values. */
  readonly isMade?: boolean;
  /** The plugin that added it, or whose pass makes it. */
  readonly owner?: string;
}

/** Says what is wrong, and what to do: from what the kernel wrote beside the substep, and the element's name. */
export type AlarmMessage = (values: readonly number[], element: string) => string;
