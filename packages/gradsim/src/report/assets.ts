import { createHash } from 'node:crypto';
import { embedded } from '#embedded';
import type { PageScript } from '../components/index.ts';

/** Script of a page, with the hash by which the page's policy allows it. */
export function pageScript(name: string): PageScript {
  const text = embedded(name);
  return { text, sha256: createHash('sha256').update(text).digest('base64') };
}

/** Style sheet of reports: light or dark as the reader's system is set, and suitable for print. */
export const reportStyle = (): string => embedded('components.css') + embedded('report.css');
