import { GradsimError } from '@gradsim/base';

import { parseDecimal } from '../numbers.ts';
import { SHAPE_ALONE } from '../read-beside.ts';

/** Diffuse colour of a material in an .mtl file. */
export interface Material {
  /** Red, green, blue of `Kd`, in [0, 1]; white by default. */
  color: readonly number[];
  /** Name of the image file in `map_Kd`, as written, if there is one. */
  image?: string;
  wrap: 'repeat' | 'clamp';
  /** Unsupported feature of the material and the line that has it, if there is one. */
  problem?: string;
}

/**
 * Options of `map_Kd`: maximum number of arguments, and the value that has no effect; `any` if every value is ignored.
 */
const IMAGE_OPTIONS: Readonly<Record<string, { most: number; neutral: string | 'any' }>> = {
  '-blendu': { most: 1, neutral: 'any' },
  '-blendv': { most: 1, neutral: 'any' },
  '-boost': { most: 1, neutral: 'any' },
  '-bm': { most: 1, neutral: 'any' },
  '-texres': { most: 1, neutral: 'any' },
  '-cc': { most: 1, neutral: 'off' },
  '-imfchan': { most: 1, neutral: '' },
  '-mm': { most: 2, neutral: '0 1' },
  '-o': { most: 3, neutral: '0' },
  '-s': { most: 3, neutral: '1' },
  '-t': { most: 3, neutral: '0' },
};

/**
 * Reads the materials of an .mtl file by their names: diffuse colours and their images. Other properties, such as
 * highlights and bumps, are ignored.
 *
 * @throws GradsimError for colours that are not numbers, statements before the first `newmtl`, a file without
 * materials.
 */
export function parseMtl(text: string, name: string): ReadonlyMap<string, Material> {
  const materials = new Map<string, Material>();
  let current: Material | undefined;
  text.split(/\r?\n/).forEach((line, i) => {
    const [keyword, ...words] = line.replace(/#.*/, '').trim().split(/\s+/);
    const where = `${name}, line ${i + 1}`;
    if (keyword === '') return;
    if (keyword === 'newmtl') {
      current = { color: [1, 1, 1], wrap: 'repeat' };
      materials.set(words.join(' '), current);
    } else if (current) readLine(current, keyword.toLowerCase(), words, where);
    else
      throw new GradsimError(
        'mesh/file-invalid',
        `${where}: "${keyword.slice(0, 40)}" is in no material; is this an MTL file?`,
      );
  });
  if (materials.size === 0)
    throw new GradsimError('mesh/file-invalid', `${name} holds no materials: is it an MTL file, and complete?`);
  return materials;
}

function readLine(material: Material, keyword: string, words: readonly string[], where: string): void {
  if (keyword === 'kd') material.color = colorOf(words, where);
  else if (keyword === 'map_kd') readImageLine(material, words, where);
  // Tr is ignored: programs disagree whether it means `d` or its opposite.
  else if (keyword === 'map_d' || (keyword === 'd' && parseDecimal(words.at(-1) ?? '') < 1))
    material.problem ??= `${where}: it is transparent (${keyword}), which is not supported; make it opaque, ${SHAPE_ALONE}.`;
}

function colorOf(words: readonly string[], where: string): number[] {
  const values = words.map(parseDecimal);
  if (![1, 3].includes(values.length) || values.some(Number.isNaN))
    throw new GradsimError(
      'mesh/file-invalid',
      `${where}: Kd is "${words.join(' ')}", and must be red, green and blue.`,
    );
  return values.length === 1 ? [values[0], values[0], values[0]] : values;
}

/** Parses a line such as `map_Kd -clamp on wood.png`; file names may contain spaces. */
function readImageLine(material: Material, words: readonly string[], where: string): void {
  let at = 0;
  while (at < words.length && words[at].startsWith('-')) {
    const option = words[at++];
    if (option === '-clamp') {
      material.wrap = words[at++] === 'on' ? 'clamp' : 'repeat';
      continue;
    }
    const known = Object.hasOwn(IMAGE_OPTIONS, option) ? IMAGE_OPTIONS[option] : undefined;
    if (!known) throw new GradsimError('mesh/file-invalid', `${where}: map_Kd has no option ${option}.`);
    const first = at;
    const isNumeric = known.most > 1;
    while (at < first + known.most && (!isNumeric || !Number.isNaN(parseDecimal(words[at] ?? '')))) at++;
    const values = words.slice(first, at);
    const isNeutral =
      known.neutral === 'any' ||
      values.join(' ') === known.neutral ||
      (known.most === 3 && values.every((value) => parseDecimal(value) === Number(known.neutral)));
    if (!isNeutral)
      material.problem ??= `${where}: map_Kd has ${[option, ...values].join(' ')}, which is not supported; export it without, ${SHAPE_ALONE}.`;
  }
  const file = words.slice(at).join(' ');
  if (file === '') throw new GradsimError('mesh/file-invalid', `${where}: map_Kd names no file.`);
  material.image = file;
}
