import { useEffect, useRef, useState } from 'preact/hooks';
import type { BoxScene, BoxSettings } from '../camera/box-settings.ts';
import { type ErrorSentence, sentenceOf } from '../work/sentence.ts';

type Module = typeof import('../camera/box-scene.ts');

/** Box over the film for the current marks; null where there is none, or before its code is loaded. */
export function useBox(settings: BoxSettings | null): {
  readonly scene: BoxScene | null;
  readonly error?: ErrorSentence;
} {
  const [module, setModule] = useState<Module>();
  const last = useRef<{ readonly key: string; readonly scene: BoxScene | null; readonly error?: ErrorSentence }>();
  useEffect(() => {
    if (settings && !module) void import('../camera/box-scene.ts').then((loaded) => setModule(loaded));
  }, [settings === null]);
  if (!settings || !module) return { scene: null };
  const key = JSON.stringify(settings);
  if (last.current?.key !== key) {
    const before = settings.marks.length > 0 ? (last.current?.scene ?? undefined) : undefined;
    try {
      last.current = { key, scene: module.boxSceneOf(settings, before) };
    } catch (error) {
      // The box before stays in view, so that a corner can be put back.
      last.current = { key, scene: before ?? null, error: sentenceOf(error) };
    }
  }
  return last.current!;
}
