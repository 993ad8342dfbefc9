import type { Phase } from '@gradsim/core';

// A program as plain data: what a generator draws, a builder makes a model of, and shrinking takes pieces from.

/** Types of values within a kernel. Fields have all but `bool`. */
export const COMPONENTS = {
  f32: 1,
  vec2: 2,
  vec3: 3,
  vec4: 4,
  mat22: 4,
  mat33: 9,
  quat: 4,
  u32: 1,
  i32: 1,
  bool: 1,
} as const;
export type Type = keyof typeof COMPONENTS;

/** Types whose values have derivatives. */
export const FLOATS = ['f32', 'vec2', 'vec3', 'vec4', 'mat22', 'mat33', 'quat'] as const;
export type FloatType = (typeof FLOATS)[number];
export const isFloat = (type: Type): type is FloatType => (FLOATS as readonly Type[]).includes(type);

export interface Program {
  readonly domains: readonly DomainSpec[];
  readonly fields: readonly FieldSpec[];
  readonly kernels: readonly KernelSpec[];
  readonly passes: readonly PassSpec[];
  readonly run: RunSpec;
  /** Inputs with respect to which no output has a derivative: as parameters they are refused. */
  readonly dead?: readonly string[];
}

export interface DomainSpec {
  readonly name: string;
  readonly size: number;
  readonly elementsTogether: boolean;
  readonly componentsTogether: boolean;
}

/** A field that the model declares; others come into being where a pass writes them. */
export interface FieldSpec {
  readonly domain: string;
  readonly name: string;
  readonly type: Type;
  /** For each element its components; the same for all moments of an input over time, and all worlds, until set. */
  readonly values: readonly number[];
  readonly over?: 'frame' | 'substep';
  readonly shared?: boolean;
  /** For index fields: the domain that they point into. `values` are indices then. */
  readonly target?: string;
  /** Indices an element. */
  readonly count?: number;
}

/** A pass in its phase. */
export interface PassSpec {
  readonly phase: Phase;
  readonly pass: PassTree;
  /** Names of kernels of its phase. */
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

export type PassTree = KernelUse | RepeatSpec | IterateSpec | BlockSpec | ProductSpec;

/** A kernel over fields. */
export interface KernelUse {
  readonly kind: 'kernel';
  /** Position in `kernels`: one kernel can serve several passes. */
  readonly kernel: number;
  readonly rename: Readonly<Record<string, string>>;
  /** Role in the derivative of a block: the adjoint of the kernel as its author would write it, or its tangent. */
  readonly as?: 'adjoint' | 'tangent';
}
export interface RepeatSpec {
  readonly kind: 'repeat';
  readonly times: number;
  readonly passes: readonly PassTree[];
}
export interface IterateSpec {
  readonly kind: 'iterate';
  readonly passes: readonly PassTree[];
  /** A field over the world. */
  readonly until: string;
  readonly below: number;
  readonly most: number;
}
export interface BlockSpec {
  readonly kind: 'block';
  readonly passes: readonly PassTree[];
  readonly vjp: readonly PassTree[];
  readonly jvp: readonly PassTree[];
}
/** The product of a vector with the Jacobian of what passes add to the field `of`; see `ProductPass` of the core. */
export interface ProductSpec {
  readonly kind: 'product';
  readonly mode: 'jvp' | 'vjp';
  readonly of: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly with: string;
}

export interface KernelSpec {
  readonly name: string;
  readonly domain: string;
  readonly ports: readonly PortSpec[];
  readonly body: Block;
  readonly gives: readonly Gift[];
  readonly adjoint?: AdjointSpec;
  /** It refers to its fields, instead of naming their types: to those that go by other names than its ports, by port. */
  readonly refers?: Readonly<Record<string, string>>;
}

export interface PortSpec {
  readonly name: string;
  readonly access: 'read' | 'write' | 'add';
  readonly kind: 'own' | 'on' | 'perWorld' | 'index' | 'indexOn' | 'several';
  readonly type: Type;
  /** For all but `own`, `perWorld` and `index`: the domain of the field. */
  readonly domain?: string;
  /** For indices: the domain that they point into. */
  readonly target?: string;
  /** Number of indices, for `index` and `several`. */
  readonly count?: number;
}

/** A way to lead one access of a kernel astray. */
export interface Astray {
  /** Added to the index, modulo 2^32. */
  readonly by?: number;
  /** True to make the value NaN instead. */
  readonly isSpoiled?: boolean;
}

/** Output of a kernel: values of statements, by id; `at` is the index of an addition elsewhere. */
export interface Gift {
  readonly port: string;
  readonly values: readonly number[];
  readonly at?: number;
  /** For an addition: the branches and loops that it stands in, from the outermost. */
  readonly within?: readonly Around[];
  /** Elements of the domain that it adds to: in a loop, it goes to others from round to round. */
  readonly size?: number;
  readonly astray?: Astray;
}

/** A branch by a condition, or a loop: over so many rounds, or to an end that is found, by counting or by a test. */
export type Around =
  | { readonly kind: 'when'; readonly condition: number }
  | { readonly kind: 'rounds'; readonly from: number; readonly to: number }
  | { readonly kind: 'found'; readonly end: number }
  | { readonly kind: 'while'; readonly end: number };

/** The statements that an addition's surroundings work with. */
export const usedAround = ({ within = [] }: Gift): number[] =>
  within.flatMap((around) =>
    around.kind === 'when' ? [around.condition] : around.kind === 'rounds' ? [] : [around.end],
  );

/** Kind of a hand-written adjoint, from the `vjp` of the body. Kernels of `pairs` bring their own. */
export interface AdjointSpec {
  /** One kernel an input instead of one for all. */
  readonly isSplit: boolean;
  /** Adds half of what it has, twice. */
  readonly isHalved: boolean;
  /** The hyperbolic tangent of `port` comes from the field `field`, which an earlier pass wrote, not from the port. */
  readonly saved?: { readonly port: string; readonly field: string };
}

/** Statements in order, and the values that leave the block. */
export interface Block {
  readonly params: readonly Param[];
  readonly statements: readonly Statement[];
  readonly results: readonly number[];
}
export interface Param {
  readonly id: number;
  readonly type: Type;
}
export interface Statement {
  readonly id: number;
  readonly type: Type;
  /** A name of `OPERATIONS`, or of the statements that `build.ts` knows: loads, literals, control flow. */
  readonly op: string;
  readonly args: readonly number[];
  readonly port?: string;
  readonly component?: number;
  readonly literal?: readonly number[];
  readonly blocks?: readonly Block[];
  /** Invalid index of a load. */
  readonly astray?: Astray;
}

export interface RunSpec {
  readonly frames: number;
  readonly frameRate: number;
  readonly substeps: number;
  readonly worlds: number;
  /**
   * Number of states, and of rounds of each loop, that memory holds beyond the minimum; null for more than there are.
   */
  readonly spareStates: number | null;
  readonly searchEvery: number;
  readonly parameters: readonly string[];
  readonly record: readonly string[];
  readonly outputs: readonly string[];
}

export const keyOf = (field: { readonly domain: string; readonly name: string }): string =>
  `${field.domain}.${field.name}`;
