import type { Job, KernelForm, Place, Port, Shape } from '@gradsim/kernel/compiler';
import type { Layout } from '../layout.ts';
import { TURN } from './turn.ts';

/** Words that residuals are made of, with their tangents and adjoints, where there are any. */
export interface Source {
  readonly shown: Place;
  readonly tangents: Place | null;
  readonly adjoint: Place | null;
}

/** Rotations from targets to what is shown, with the jobs that make them and that take their adjoints back. */
export interface PlacedRotations extends Source {
  readonly forward: Job;
  readonly back: Job | null;
}

/** Places the rotations of a frame of orientations. */
export function placeRotations(layout: Layout, orientations: Source, target: Place): PlacedRotations {
  const { arena, worlds } = layout;
  const { elements, worldsInner } = orientations.shown.shape;
  const shape: Shape = { elements, components: 3, worlds, worldsInner: false };
  const placeFor = (of: Place | null): Place | null => of && arena.temporary('turned', 'f32', shape);
  const turned = {
    shown: arena.temporary('turned', 'f32', shape),
    tangents: placeFor(orientations.tangents),
    adjoint: placeFor(orientations.adjoint),
  };
  const placeOf = ({ name, kind }: Port): Place => {
    if (name === 'target') return target;
    const { shown, tangents, adjoint } = name === 'turned' ? turned : orientations;
    return kind === 'primal' ? shown : kind === 'tangent' ? tangents! : adjoint!;
  };
  const job = (form: KernelForm, accumulates: readonly Port[] = []): Job => ({
    label: form.name,
    form,
    places: new Map(form.ports.map((port) => [port, placeOf(port)])),
    accumulates: new Set(accumulates),
    elements,
    worlds,
    worldsInner,
  });
  const adjoint = turned.adjoint && TURN.adjoint();
  return {
    ...turned,
    forward: job(turned.tangents ? TURN.tangent() : TURN.primal),
    back:
      adjoint &&
      job(
        adjoint,
        adjoint.ports.filter(({ access }) => access !== 'read'),
      ),
  };
}
