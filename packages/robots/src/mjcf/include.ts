import type { Element } from '../element.ts';
import type { MeshFiles } from '../mesh-files.ts';
import { parseXml } from '../xml.ts';

/**
 * Replaces each `<include>` of an MJCF element by the children of the root of the included file. Paths are relative to
 * the folder of the main file.
 * @throws GradsimError for a file that cannot be read, and, as in MuJoCo, for one included twice, which might be a
 * cycle.
 */
export async function withIncludes(
  element: Element,
  files: MeshFiles,
  included: Set<string> = new Set(),
): Promise<Element> {
  if (!holdsInclude(element)) return element;
  const children: Element[] = [];
  for (const child of element.children)
    if (child.name !== 'include') children.push(await withIncludes(child, files, included));
    else {
      const { path, text } = await files.text(child, child.needText('file'));
      if (included.has(path)) child.refuse(`includes ${path}, which is included already; a file is included once.`);
      included.add(path);
      const root = await withIncludes(parseXml(text, path), files, included);
      children.push(...root.children);
    }
  return element.withChildren(children);
}

const holdsInclude = (element: Element): boolean =>
  element.children.some((child) => child.name === 'include' || holdsInclude(child));
