import { GradsimError } from '@gradsim/base';
import { parseXml, type XmlElement, XmlFault } from '@gradsim/base/xml';
import type { Entries } from './matrices.ts';
import { numberOf } from './number.ts';

/** Parses OpenCV's XML: elements of the root, matrices with their numbers in `data`. @throws for invalid XML. */
export function xmlMatrices(text: string, label: string): Entries {
  // An element may have the name of any property.
  const entries: Record<string, unknown> = Object.create(null);
  for (const child of rootOf(text, label).children) {
    const data = child.children.find(({ name }) => name === 'data');
    const own = (data ?? child).text;
    const words = own === '' ? [] : own.split(/\s+/);
    if (data) entries[child.name] = { data: words };
    else entries[child.name] = words.length > 1 && words.every((word) => Number.isFinite(numberOf(word))) ? words : own;
  }
  return entries;
}

function rootOf(text: string, label: string): XmlElement {
  try {
    return parseXml(text);
  } catch (cause) {
    if (!(cause instanceof XmlFault)) throw cause;
    const { reason, line, hint } = cause;
    throw new GradsimError('cameras/file-invalid', `${label}${line ? `, line ${line}` : ''}: ${reason}.`, {
      hint,
      cause,
    });
  }
}
