import { textOf } from '@gradsim/base/text';
import { parseXml, type XmlElement, XmlFault } from '@gradsim/base/xml';
import { damagedFile, tooLarge } from '../faults.ts';

/** Most bytes of a document: of projects with hours of tracks. */
export const MAX_XML_BYTES = 64_000_000;

/** Root of a document. @throws for one that is not well formed, or larger than any project. */
export function rootOf(bytes: Uint8Array, name: string, format: string): XmlElement {
  if (bytes.length > MAX_XML_BYTES) throw tooLarge(name, `${Math.round(bytes.length / 1e6)} MB of XML`);
  try {
    return parseXml(textOf(bytes));
  } catch (error) {
    if (!(error instanceof XmlFault)) throw error;
    throw damagedFile(name, format, `${error.line ? `line ${error.line}: ` : ''}${error.reason}`, error.hint);
  }
}

/** First child element of a name. */
export const childOf = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  element?.children.find((child) => child.name === name);

/** All elements of a name within one, at any depth, in their order. */
export function descendantsNamed(element: XmlElement, name: string): XmlElement[] {
  return element.children.flatMap((child) => [
    ...(child.name === name ? [child] : []),
    ...descendantsNamed(child, name),
  ]);
}

/** Finite number in a text; undefined for what is none. */
export function numberOf(text: string | undefined): number | undefined {
  const value = text === undefined || text.trim() === '' ? Number.NaN : Number(text.trim().replace(',', '.'));
  return Number.isFinite(value) ? value : undefined;
}
