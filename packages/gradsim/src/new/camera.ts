import type { Up } from '@gradsim/cameras';
import { GradsimError } from '@gradsim/core';
import type { Kind, Value } from '@gradsim/kinds';
import { readCameraFile } from '../calibrate/read-camera-file.ts';

/**
 * Measurements without a field of view where a camera file gives it.
 * @throws for a missing or invalid camera file, for values given by both the file and `--set`, and if the kind needs
 * the camera's pose and neither gives it.
 */
export async function checkedAgainstCamera(
  { name, measures }: Kind,
  values: Readonly<Record<string, Value>>,
  givenTexts: Readonly<Record<string, string>>,
): Promise<Record<string, Value>> {
  const { camera: path, up, eye = null, target = null, pivot = null, ends = null, span = null } = values;
  const isPlaced = eye !== null || target !== null;
  if ((ends === null) !== (span === null))
    throw new GradsimError(
      'gradsim/option-missing',
      `gradsim new ${name}: --set ${ends === null ? 'span' : 'ends'} takes --set ${ends === null ? 'ends' : 'span'} beside it.`,
    );
  if (ends !== null && (isPlaced || pivot !== null))
    throw new GradsimError(
      'gradsim/options-contradict',
      `gradsim new ${name}: --set ends says how far away the camera is, and so do eye, target and pivot.`,
      { hint: 'Leave one of them away.' },
    );
  if ((eye === null) !== (target === null))
    throw new GradsimError(
      'gradsim/option-missing',
      `gradsim new ${name}: --set ${eye === null ? 'target' : 'eye'} takes --set ${eye === null ? 'eye' : 'target'} beside it.`,
    );
  if (typeof path !== 'string') {
    if (up !== null)
      throw new GradsimError('gradsim/option-missing', `gradsim new ${name}: --set up is of a camera's file.`, {
        hint: 'Give --set camera=FILE.',
      });
    return { ...values };
  }
  if (givenTexts.fieldOfView !== undefined)
    throw new GradsimError('gradsim/options-contradict', `gradsim new ${name}: ${path} tells how the camera sees.`, {
      hint: 'Leave --set fieldOfView away.',
    });
  const { pose } = await readCameraFile(path, up === null ? {} : { up: up as Up });
  if (pose && isPlaced)
    throw new GradsimError('gradsim/options-contradict', `gradsim new ${name}: ${path} says where the camera stands.`, {
      hint: 'Leave --set eye and target away.',
    });
  if (!pose && !isPlaced && measures.eye && measures.eye.default === undefined)
    throw new GradsimError(
      'gradsim/option-missing',
      `gradsim new ${name} needs to know where the camera stands, and ${path} does not say it.`,
      {
        hint: 'Add it by gradsim calibrate --camera FILE --floor PICTURE, or give --set eye=X,Y,Z and --set target=X,Y,Z.',
      },
    );
  return { ...values, fieldOfView: null };
}
