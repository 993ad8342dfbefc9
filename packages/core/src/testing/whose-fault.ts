import type { Kernel } from '@gradsim/kernel';
import type { Finding } from '@gradsim/kernel/testing';
import { passes } from '@gradsim/kernel/testing';
import type { Model } from '../model/model.ts';
import type { BlockPass, Pass } from '../model/pass.ts';
import { withKernels } from '../model/pass.ts';

interface Trial {
  readonly transposeTolerance: number;
  /** Returns the difference of adjoint and tangent, after compiling the model again. */
  readonly transposeError: () => Promise<number>;
}

/**
 * Finds the cause of a difference between adjoint and tangent. A derived adjoint is the transpose of its tangent
 * whatever the kernel: if all are derived, the core is at fault. Hand-written adjoints are tested by replacing them
 * with derived ones. Blocks define their own derivatives, which are only as accurate as their passes and linear solves.
 */
export async function whoseFault(
  model: Model,
  findings: readonly Finding[],
  trial: Trial,
): Promise<string | undefined> {
  const failed = findings.filter((f) => !passes(f)).map((f) => f.kind);
  if (failed.length === 0) return undefined;
  const blocks = model.passes.flatMap(({ pass }) => blocksIn(pass));
  const [solved, given] = [true, false].map((is) => blocks.filter((b) => (b.seesResults ?? false) === is));
  if (!failed.includes('transpose')) {
    return [
      'Adjoint and tangent agree and central differences do not: at these values the run has a kink or a jump (try others)',
      'it amplifies changes so much that no step of differences fits (check fewer frames, or begin elsewhere by `values`)',
      'something is taken as constant (detach, what phase search finds)',
      ...(solved.length > 0 ? [`what ${names(solved)} solves for is not found closely enough`] : []),
      ...(given.length > 0 ? [`the derivative that ${names(given)} brings is wrong`] : []),
      'or a derivative rule of @gradsim/core is wrong.',
    ].join(', ');
  }
  const written = [
    ...new Set(
      model
        .kernels()
        .map((p) => p.kernel)
        .filter((k) => k.adjoint),
    ),
  ];
  const core =
    blocks.length === 0
      ? 'This is a fault of @gradsim/core, not of your kernels: please report it with the model and this seed.'
      : [
          ...(given.length > 0
            ? [`See whether in ${names(given)} what vjp does is the transpose of what jvp does.`]
            : []),
          ...(solved.length > 0
            ? [`The derivative of ${names(solved)} is as exact as its linear solve: lower its tolerance.`]
            : []),
          'Where that is right, it is a fault of @gradsim/core.',
        ].join(' ');
  if (written.length === 0) return blocks.length === 0 ? `All adjoints of this model are derived. ${core}` : core;

  const underived: typeof written = [];
  const agreesWithout = async (kernels: typeof written): Promise<boolean> => {
    const before = [...model.passes];
    const derived = (kernel: Kernel): Kernel => (kernels.includes(kernel) ? { ...kernel, adjoint: undefined } : kernel);
    model.passes.forEach((of, k) => {
      model.passes[k] = { ...of, pass: withKernels(of.pass, derived) };
    });
    try {
      return (await trial.transposeError()) <= trial.transposeTolerance;
    } catch {
      // A kernel that reads at indices known only at run time has no derived adjoint.
      if (kernels.length === 1) underived.push(kernels[0]);
      return false;
    } finally {
      model.passes.splice(0, model.passes.length, ...before);
    }
  };
  for (const kernel of written) {
    if (await agreesWithout([kernel]))
      return `The adjoint written by hand of kernel ${kernel.name} is wrong: with the derived one in its place, adjoint and tangent agree.`;
  }
  if (underived.length > 0) {
    return (
      `The fault is with the adjoints written by hand, of which there are: ${names(written)}. ` +
      `For ${names(underived)} none can be derived to compare with; check it alone with checkKernel.`
    );
  }
  if (await agreesWithout(written))
    return `Several adjoints written by hand are wrong, among those of: ${names(written)}. Check each alone with checkKernel.`;
  return `With derived adjoints in place of those written by hand (${names(written)}), adjoint and tangent differ too. ${core}`;
}

const names = (of: readonly { readonly name: string }[]): string => of.map(({ name }) => name).join(', ');

function blocksIn(pass: Pass): BlockPass[] {
  if (pass.kind === 'kernel' || pass.kind === 'product') return [];
  return [...(pass.kind === 'block' ? [pass] : []), ...pass.passes.flatMap(blocksIn)];
}
