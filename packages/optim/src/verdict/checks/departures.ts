import type { Check } from '../../posterior/check.ts';
import type { Departure } from '../../posterior/departures.ts';
import { listed } from '../../posterior/sentences.ts';
import type { Unknowns } from '../../unknowns/unknowns.ts';
import type { Subject } from '../subject.ts';

/**
 * Shift of an unknown by a model error, in standard errors from noise alone, above which the estimate counts as
 * affected.
 */
const MIN_SHIFT = 1.5;
/**
 * Ratio of the scatter of residuals along the unknowns' directions to the noise, above which further model errors there
 * cannot be identified.
 */
const MUCH_EXCESS = 3;
/**
 * Ratio of the squared residuals that a model error explains to those that any other one explains, above which it is
 * named as the cause.
 */
const MIN_EXPLAINED_RATIO = 2;

/**
 * Finds departures of the film from the model; how much a departure biases the unknowns decides whether it is critical.
 */
export const departure: Check<Subject, 'departures' | 'fit'> = {
  kind: 'departure',
  rank: 60,
  isCritical: true,
  needs: ['departures', 'fit'],
  find: ({ problem: { model }, unknowns, departures: { found, noiseVariances, excessScatter }, fit }) => {
    const isExcessive = excessScatter > MUCH_EXCESS;
    if (found.length === 0 && !isExcessive) return null;
    const fields = fit.observations.map(({ field }): Observed => {
      const isPicture = model.domain(field.slice(0, field.indexOf('.'))).grid !== undefined;
      return { field, isPicture };
    });
    const n = unknowns.count;
    const off = unknowns.names.map((_, i) => {
      const most = found.reduce((largest, { biasMoments }) => Math.max(largest, biasMoments[i * (n + 1)]), 0);
      return noiseVariances[i] > 0 ? Math.sqrt(most / noiseVariances[i]) : 0;
    });
    const moved = unknowns.names.filter((_, i) => off[i] > MIN_SHIFT);
    const what = [
      ...(found.length > 0 ? [looksLike(found, unknowns, fields)] : []),
      ...(isExcessive
        ? [
            `Residuals in the foreground are ${Number(excessScatter.toPrecision(2))} times as large as noise explains: something is there that the model lacks, or its shape or motion differs.`,
          ]
        : []),
      ...(moved.length > 0
        ? [
            `It may bias ${listed(moved)} by up to ${Number(Math.max(...off).toPrecision(2))} times the error from noise alone.`,
          ]
        : found.length > 0 && !isExcessive
          ? [`It biases no unknown by more than ${MIN_SHIFT} times its error from noise alone.`]
          : []),
    ];
    const note = `The observations depart from the model by more than chance. ${what.join(' ')}`;
    return { isCritical: moved.length > 0 || isExcessive, ...(moved.length > 0 && { unknowns: moved }), note };
  },
};

interface Observed {
  readonly field: string;
  /** True if its values are pixels of a picture. */
  readonly isPicture: boolean;
}

function looksLike(found: readonly Departure[], unknowns: Unknowns, fields: readonly Observed[]): string {
  const [first, ...others] = found;
  const next = others.find(({ kind }) => kind !== first.kind);
  return next === undefined || first.explained > MIN_EXPLAINED_RATIO * next.explained
    ? `It looks like ${described(first, unknowns, fields)}.`
    : `It could be ${described(first, unknowns, fields)}, and ${described(next, unknowns, fields)}.`;
}

const percent = (share: number): string => `${Number((100 * Math.abs(share)).toPrecision(2))} %`;

/** Sentence that describes a departure, and the unknown that could be added to model it. */
function described(
  { kind, amplitude, observation, subjectIndex }: Departure,
  unknowns: Unknowns,
  fields: readonly Observed[],
): string {
  // A departure of all observations names none.
  const { field, isPicture } = fields[observation ?? 0];
  const frames = `${Number(Math.abs(amplitude).toPrecision(2))} frames`;
  switch (kind) {
    case 'gain':
      if (!isPicture)
        return `another scale: ${field} is ${percent(amplitude)} ${amplitude > 0 ? 'larger' : 'smaller'} than shown (is it in another unit, or measured from another point?)`;
      return `the light: ${field} is ${percent(amplitude)} ${amplitude > 0 ? 'brighter' : 'darker'} than shown (with \`exposure\`, add { name: 'gain', field: 'world.gain', initial: 1 })`;
    case 'offset':
      return `an offset of ${field} by ${Number(amplitude.toPrecision(2))} (of pictures with \`exposure\`, add { name: 'offset', field: 'world.offset', initial: 0 })`;
    case 'colour':
      if (!isPicture)
        return `another scale of the motion: ${field} moves by ${percent(amplitude)} ${amplitude > 0 ? 'more' : 'less'} than shown (is it in another unit?)`;
      return `another colour or light of the foreground: it stands out by ${percent(amplitude)} ${amplitude > 0 ? 'more' : 'less'} than shown (make its colour an unknown)`;
    case 'outline':
      return `another size or sharpness of the foreground: its outlines are shifted on both sides (make its size an unknown, or measure it again)`;
    case 'edges':
      return `outlines that the renderer draws wider or softer than the camera (of \`softRas\`, take \`compositing: 'area'\`)`;
    case 'texture':
      return `another texture or shape of the foreground: residuals differ between its sides`;
    case 'delay':
      return `the clock: ${field} is ${frames} ${amplitude > 0 ? 'ahead of' : 'behind'} the model (make where it starts an unknown)`;
    case 'jump':
      return `the clock: from frame ${subjectIndex} on ${field} is ${frames} ${amplitude > 0 ? 'ahead' : 'behind'} (were frames dropped or doubled there?)`;
    case 'clock':
      return `the clock: ${field} goes ${percent(amplitude)} ${amplitude > 0 ? 'faster' : 'slower'} than shown (is \`frameRate\` that of the film?)`;
    case 'drag':
      return `something missing in the motion: ${field} is ${amplitude > 0 ? 'ahead' : 'behind'} more and more, up to ${frames} at the end (is there drag, friction or damping? of bodies, add { name: 'drag', field: 'bodies.drag', initial: 0.01 })`;
    case 'timing':
      return `something missing in the motion, or an uneven clock: ${field} is ahead of and behind the model by turns (does a force act only for a while, or was the film cut?)`;
    case 'blur':
      return `a shutter that stays open, or frames that were mixed: ${field} is ${amplitude > 0 ? 'smoother' : 'sharper'} along its motion than shown (observe the mean of some \`instants\` a frame)`;
    case 'motion':
      return `something missing in the motion: ${subjectIndex === null ? 'the unknowns are' : `${unknowns.names[subjectIndex]} is`} not the same all along the film (is there drag, friction, another law of damping or force, or a wrong size, distance or frame rate?)`;
    case 'place':
      return `another place: outlines in ${field} lie beside or above where they are shown (measure again where the camera and the things stand, or make one of these an unknown)`;
    case 'scale':
      return `another size or distance: ${field} shows everything ${percent(amplitude)} too ${amplitude > 0 ? 'large' : 'small'} (measure size, distance and field of view again, or add { name: 'view', field: 'cameras.fieldOfView', initial: ... })`;
    case 'turn':
      return `a camera that is turned about its axis by ${Number(((180 / Math.PI) * amplitude).toPrecision(2))} degrees (add { name: 'roll', field: 'cameras.roll', initial: 0 })`;
    case 'lens':
      return `a lens that bends the picture, by ${percent(amplitude)} at its sides (calibrate the camera, or add { name: 'lens', field: 'cameras.distortion', component: 0, initial: 0 })`;
    case 'right half':
    case 'lower half':
      return `something that is wrong in a part of the picture: its ${kind === 'right half' ? 'right and left' : 'lower and upper'} half have another ${unknowns.names[subjectIndex!]} (is there a shadow, another light or something in front there?)`;
    case 'parts':
      return `something that is wrong in a part of the picture: the unknowns are not the same in its halves (is there a shadow, another light or something in front somewhere?)`;
    case 'halves':
      return `something missing in the motion, or an uneven clock: the two halves of the film have another ${unknowns.names[subjectIndex!]}`;
  }
}
