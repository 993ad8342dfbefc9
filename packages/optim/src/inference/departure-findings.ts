import { multiplyVector } from '@gradsim/numeric';
import type { Finding } from '../problem/finding.ts';
import type { Unknowns } from '../unknowns/unknowns.ts';
import type { Departure } from './departures.ts';
import { departuresOf } from './departures.ts';
import type { Sureness } from './sureness.ts';

/** Residuals of less than this part of the target's squares are those of an exact model, but for rounding and substeps. */
const EXACT = 1e-8;
/** Standard errors by which a departure moves an unknown: below that the answer stands with it. */
const MATTERS = 1;
/** One departure explains so many times as much as any other: it is what is wrong. */
const CLEARLY = 2;

/**
 * Tests for departures of what is seen from the model, and judges them by how far the unknowns move with them.
 *
 * @param squares of all targets.
 * @param fields of the observations.
 */
export function departureFindings(
  unknowns: Unknowns,
  { evidence, uncertainty }: Sureness,
  { squares, fields }: { readonly squares: number; readonly fields: readonly string[] },
): Finding[] {
  const { nuisances, hessian } = evidence;
  if (nuisances === null || !(evidence.squares > EXACT * squares)) return [];
  const { found, shift } = departuresOf(nuisances, unknowns.scales());
  // Priors hold the unknowns back.
  const held = multiplyVector(uncertainty.inverse, multiplyVector(hessian, shift));
  const moves = uncertainty.deviations.map((deviation, i) =>
    Number.isFinite(deviation) ? Math.abs(held[i]) / uncertainty.together / deviation : 0,
  );
  if (found.length === 0) return [];
  const named = (_: string, i: number): boolean =>
    moves[i] > MATTERS || found.some(({ kind, which }) => kind === 'halves' && which === i);
  const moved = unknowns.names.filter(named);
  const [first, ...others] = found;
  const next = others.find(({ kind }) => kind !== first.kind);
  const what =
    next === undefined || first.explained > CLEARLY * next.explained
      ? `It looks like ${described(first, unknowns, fields)}`
      : `It could be ${described(first, unknowns, fields)}, and ${described(next, unknowns, fields)}`;
  const largest = Math.max(...moves);
  const consequence =
    moved.length > 0
      ? `${moved.length > 1 ? 'With it unknowns move' : `With it ${moved[0]} moves`} by up to ${largest.toPrecision(2)} standard errors.`
      : 'With it no unknown moves by its standard error.';
  const note = `What is seen departs from the model by more than chance. ${what}. ${consequence}`;
  return [{ kind: 'departure', grave: moved.length > 0, ...(moved.length > 0 && { unknowns: moved }), note }];
}

const percent = (share: number): string => `${Number((100 * Math.abs(share)).toPrecision(2))} %`;

/** Says what a departure is, and what to make an unknown for it. */
function described(
  { kind, amplitude, observation, which }: Departure,
  unknowns: Unknowns,
  fields: readonly string[],
): string {
  const field = fields[observation!];
  const frames = `${Number(Math.abs(amplitude).toPrecision(2))} frames`;
  switch (kind) {
    case 'gain':
      return `the light: ${field} is ${percent(amplitude)} ${amplitude > 0 ? 'brighter' : 'darker'} than shown (with \`exposure\`, add { name: 'gain', field: 'world.gain', initial: 1 })`;
    case 'offset':
      return `an offset of ${field} by ${Number(amplitude.toPrecision(2))} (of pictures with \`exposure\`, add { name: 'offset', field: 'world.offset', initial: 0 })`;
    case 'colour':
      return `another colour or light of what moves: it stands out by ${percent(amplitude)} ${amplitude > 0 ? 'more' : 'less'} than shown (make its colour an unknown)`;
    case 'outline':
      return `another size or sharpness of what moves: its outlines lie elsewhere on both sides (make its size an unknown, or measure it again)`;
    case 'texture':
      return `another texture or shape of what moves: its sides are not alike`;
    case 'delay':
      return `the clock: ${field} is ${frames} ${amplitude > 0 ? 'ahead of' : 'behind'} the model (make where it starts an unknown)`;
    case 'jump':
      return `the clock: from frame ${which} on ${field} is ${frames} ${amplitude > 0 ? 'ahead' : 'behind'} (were frames dropped or doubled there?)`;
    case 'clock':
      return `the clock: ${field} goes ${percent(amplitude)} ${amplitude > 0 ? 'faster' : 'slower'} than shown (is \`frameRate\` that of the film?)`;
    case 'drag':
      return `something missing in the motion: ${field} is ${amplitude > 0 ? 'ahead' : 'behind'} more and more, up to ${frames} at the end (is there drag, friction or damping? of bodies, add { name: 'drag', field: 'bodies.drag', initial: 0.01 })`;
    case 'halves':
      return `something missing in the motion, or an uneven clock: the two halves of the film have another ${unknowns.names[which!]}`;
  }
}
