import type { Job, KernelForm, MemoryPlace, Port, Shape } from '@gradsim/kernel/internal';
import { shapeWords } from '@gradsim/kernel/internal';
import type { Layout } from '../layout/layout.ts';
import { ROTATION_FORMS } from './turn.ts';

/** Places of the values from which residuals are computed, and of their tangents and adjoints, if any. */
export interface Source {
  readonly output: MemoryPlace;
  /** Place of the first tangent. */
  readonly tangents: MemoryPlace | null;
  /** Stride between tangents of one value, in words. */
  readonly wordsOfTangent: number;
  readonly adjoint: MemoryPlace | null;
}

/**
 * Places of the rotations from targets to the orientations shown, with the jobs that compute them and their adjoints.
 */
export interface PlacedRotations extends Source {
  readonly forward: readonly Job[];
  readonly back: Job | null;
}

/** Allocates the rotations of one frame of orientations. */
export function placeRotations(layout: Layout, orientations: Source, target: MemoryPlace): PlacedRotations {
  const { arena, worlds } = layout;
  const { elements, worldsInner } = orientations.output.shape;
  const shape: Shape = { elements, components: 3, worlds, worldsInner: false };
  const temporary = (count = 1): MemoryPlace => arena.temporary('turned', 'f32', { ...shape, worlds: count * worlds });
  const turned = {
    output: temporary(),
    tangents: orientations.tangents && temporary(layout.tangents),
    wordsOfTangent: shapeWords(shape),
    adjoint: orientations.adjoint && temporary(),
  };
  const placeOf = ({ name, kind }: Port, column: number): MemoryPlace => {
    if (name === 'target') return target;
    const { output, tangents, wordsOfTangent, adjoint } = name === 'turned' ? turned : orientations;
    if (kind === 'primal') return output;
    if (kind === 'adjoint') return adjoint!;
    const own = arena.as(tangents!, { ...tangents!.shape, worlds });
    own.offset += column * wordsOfTangent;
    return own;
  };
  const job = (form: KernelForm, column = 0, accumulates: readonly Port[] = []): Job => ({
    label: form.name,
    form,
    places: new Map(form.ports.map((port) => [port, placeOf(port, column)])),
    accumulates: new Set(accumulates),
    elements,
    worlds,
    worldsInner,
  });
  const adjoint = turned.adjoint && ROTATION_FORMS.adjoint();
  return {
    ...turned,
    forward: turned.tangents
      ? Array.from({ length: layout.tangents }, (_, c) => job(ROTATION_FORMS.tangent(), c))
      : [job(ROTATION_FORMS.primal)],
    back:
      adjoint &&
      job(
        adjoint,
        0,
        adjoint.ports.filter(({ access }) => access !== 'read'),
      ),
  };
}
