import type { FrameClock, Phase } from '@gradsim/core';
import type { EdgeRule, GridSize } from '@gradsim/dynamics';

// A program as plain data: what a generator draws, a builder makes a model of, and shrinking takes pieces from.

/** Types of values within a kernel, with their numbers of components. Fields can have all of these but `bool`. */
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

/** Names of the types whose values can have derivatives. */
export const FLOATS = ['f32', 'vec2', 'vec3', 'vec4', 'mat22', 'mat33', 'quat'] as const;
export type FloatType = (typeof FLOATS)[number];
export const isFloat = (type: Type): type is FloatType => (FLOATS as readonly Type[]).includes(type);

export interface Program {
  readonly domains: readonly DomainSpec[];
  readonly fields: readonly FieldSpec[];
  readonly kernels: readonly KernelSpec[];
  readonly passes: readonly PassSpec[];
  readonly stages?: StageSpec;
  readonly neighbourhood?: NeighbourhoodSpec;
  readonly run: RunSpec;
  /** Keys of inputs with respect to which no output has a derivative: they are refused as parameters. */
  readonly dead?: readonly string[];
  /** True if it begins symmetric, planar or at rest, on ties: see `evened`. */
  readonly isEven?: boolean;
}

export interface DomainSpec {
  readonly name: string;
  readonly size: number;
  readonly elementsTogether: boolean;
  readonly componentsTogether: boolean;
  /** For a domain of the nodes of a grid: its options. */
  readonly grid?: GridSpec;
}

/** Options of a grid, by which its domain, and kernels that use its nodes, are built. */
export interface GridSpec {
  readonly domain: string;
  readonly size: GridSize;
  readonly spacing: number;
  readonly edge: readonly EdgeRule[];
  readonly origin: readonly number[];
}
/** Degree of the spline of a stencil. */
export type Degree = 1 | 2 | 3;

/** Use of a grid by a statement: a stencil of a degree around a point, or a difference at a node. */
export interface GridUse {
  readonly grid: GridSpec;
  readonly degree?: Degree;
  /** True to weight the nodes of a stencil also by the square of their distance from the point. */
  readonly isMoment?: boolean;
  /** For the operation `shift`: by how many nodes along each axis. */
  readonly by?: readonly number[];
}

/** Points that drift, and sum over those near them. */
export interface NeighbourhoodSpec {
  readonly domain: string;
  /** Names of the fields of places, m, and of velocities, m/s, of points. */
  readonly place: string;
  readonly velocity: string;
  /** Name of the f32 state that changes by the sum over neighbours. */
  readonly state: string;
  /** Distance up to which points are neighbours, m. */
  readonly within: number;
  readonly refresh: number;
  /** True if points add to their neighbours instead of summing over them. */
  readonly isAdding: boolean;
}

/** A field of the stages' domain. */
export interface StageField {
  readonly name: string;
  readonly type: Type;
}

/** An integrator with several stages, which moves states by the sums of phase `force`. */
export interface StageSpec {
  /** Name of a tableau, whose rates move any states, or of a composition, which moves a position and its velocity. */
  readonly method: 'midpoint' | 'heun' | 'strongStability3' | 'classical' | 'leapfrog' | 'forestRuth';
  readonly domain: string;
  readonly states: readonly StageField[];
  readonly sums: readonly StageField[];
}

/** A field that the model declares; other fields are created by the passes that write them. */
export interface FieldSpec {
  readonly domain: string;
  readonly name: string;
  readonly type: Type;
  /**
   * Initial values, element by element with all components of each; the same for all worlds, and for all moments of an
   * input over time, until set otherwise.
   */
  readonly values: readonly number[];
  readonly over?: 'frame' | 'substep';
  readonly shared?: boolean;
  /** For index fields, whose `values` are indices: the domain that they point into. */
  readonly target?: string;
  /** Number of indices per element of an index field. */
  readonly count?: number;
}

/** A pass, its phase, and declared order. */
export interface PassSpec {
  readonly phase: Phase;
  readonly pass: PassTree;
  /** Names of kernels of the same phase that the pass must run before (and `after`, those that it must run after). */
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

export type PassTree = KernelUse | RepeatSpec | IterateSpec | BlockSpec | ProductSpec;

/** A use of a kernel in a pass, with the fields that its ports are bound to. */
export interface KernelUse {
  readonly kind: 'kernel';
  /** Index in `kernels`; several passes can use one kernel. */
  readonly kernel: number;
  readonly rename: Readonly<Record<string, string>>;
  /**
   * For the derivative passes of a block: whether the hand-written adjoint or tangent of the kernel runs instead of the
   * kernel itself.
   */
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
  /** Name of the field over the world whose value must fall below `below` to end the loop. */
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
/**
 * A pass that multiplies a vector with the Jacobian of what other passes add to the field `of`; see `ProductPass` of
 * the core.
 */
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
  /**
   * If present, the kernel names its ports' fields by references instead of types. Contains the field's name by port,
   * where it differs from the port's.
   */
  readonly refers?: Readonly<Record<string, string>>;
}

export interface PortSpec {
  readonly name: string;
  readonly access: 'read' | 'write' | 'add';
  readonly kind: 'own' | 'on' | 'perWorld' | 'index' | 'indexOn' | 'several';
  readonly type: Type;
  /** Domain of the field, for all kinds but `own`, `perWorld` and `index`. */
  readonly domain?: string;
  /** For ports of indices: the domain that they point into. */
  readonly target?: string;
  /** Number of indices, for the kinds `index` and `several`. */
  readonly count?: number;
}

/** Change of one access of a kernel, which makes its index or its value invalid. */
export interface Astray {
  /** Offset added to the index, modulo 2^32. */
  readonly by?: number;
  /** True to make the value NaN or infinite instead of changing the index. */
  readonly isSpoiled?: boolean;
}

/**
 * Output of a kernel: ids of the statements whose values are written or added; `at` is the id of the index if it adds
 * to another element.
 */
export interface Gift {
  readonly port: string;
  readonly values: readonly number[];
  readonly at?: number;
  /** For an addition: the branches and loops around it, from the outermost. */
  readonly within?: readonly Around[];
  /**
   * For an addition in a loop: number of elements of the domain, to which the index plus the loop counter is wrapped.
   */
  readonly size?: number;
  /** For an addition to the nodes near a point: the id of the point, and the grid. */
  readonly near?: GridUse & { readonly point: number };
  readonly astray?: Astray;
}

/**
 * A branch on a condition, or a loop: over a constant range (`rounds`), up to an end that is computed (`found`), or
 * while a condition holds (`while`).
 */
export type Around =
  | { readonly kind: 'when'; readonly condition: number }
  | { readonly kind: 'rounds'; readonly from: number; readonly to: number }
  | { readonly kind: 'found'; readonly end: number }
  | { readonly kind: 'while'; readonly end: number };

/** Ids of the statements on which the branches and loops around an addition depend. */
export const usedAround = ({ within = [] }: Gift): number[] =>
  within.flatMap((around) =>
    around.kind === 'when' ? [around.condition] : around.kind === 'rounds' ? [] : [around.end],
  );

/**
 * Variant of a hand-written adjoint, which is made by `vjp` of the body. Kernels of the template `pairs` have adjoints
 * of their own.
 */
export interface AdjointSpec {
  /** True for one adjoint kernel per input, instead of one for all. */
  readonly isSplit: boolean;
  /** True to add each adjoint in two halves. */
  readonly isHalved: boolean;
  /**
   * Reads the hyperbolic tangent of `port` from the field `field`, where an earlier pass stored it, instead of
   * computing it.
   */
  readonly saved?: { readonly port: string; readonly field: string };
}

/** A block of a kernel: its parameters, statements in order, and the ids of its results. */
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
  /**
   * Name of an operation of `OPERATIONS`, or of another statement that `build.ts` knows: loads, literals, control flow.
   */
  readonly op: string;
  readonly args: readonly number[];
  readonly port?: string;
  readonly component?: number;
  readonly literal?: readonly number[];
  readonly blocks?: readonly Block[];
  /** For an operation at nodes of a grid. */
  readonly on?: GridUse;
  /** Makes the index or value of this load invalid. */
  readonly astray?: Astray;
}

export interface RunSpec extends FrameClock {
  readonly frames: number;
  readonly substeps: number;
  readonly worlds: number;
  /**
   * Number of states, and of rounds of each loop, that memory has room for beyond the minimum; null for unlimited
   * memory.
   */
  readonly spareStates: number | null;
  readonly searchEvery: number;
  readonly parameters: readonly string[];
  readonly record: readonly string[];
  readonly outputs: readonly string[];
}

export const keyOf = (field: { readonly domain: string; readonly name: string }): string =>
  `${field.domain}.${field.name}`;
