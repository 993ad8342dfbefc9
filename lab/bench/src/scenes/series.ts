import { seedOf } from '@gradsim/random-programs';
import type { JudgedParameter, Verdict } from './judge.ts';
import { judgeScene } from './judge.ts';
import type { SceneRecipe } from './scene.ts';
import { drawScene } from './scene.ts';

export interface Finding {
  readonly scene: number;
  readonly kind: string;
  readonly isEven: boolean;
  /** The scene with the fewest parts and substeps in which it is still wrong. */
  readonly recipe: SceneRecipe;
  readonly wrong: readonly JudgedParameter[];
}

export interface SeriesResult {
  readonly scenes: number;
  readonly even: number;
  readonly wrong: number;
  /** Scenes that the models themselves refuse, or that end in an error, by message. */
  readonly refused: Readonly<Record<string, number>>;
  /** Number of derivatives by what was found of them. */
  readonly derivatives: Readonly<Record<Verdict, number>>;
  readonly kinds: Readonly<Record<string, number>>;
}

/** Scene `n` of a series; every second one is even: planar, symmetric or at rest. */
export const recipeOf = (series: number, n: number): SceneRecipe => ({
  seed: ((seedOf(series, n) >>> 1) << 1) | (n % 2),
  without: [],
});

export interface SeriesOptions {
  readonly seed: number;
  readonly count: number;
  readonly from?: number;
  readonly isShrinking?: boolean;
  readonly onFinding?: (finding: Finding) => void;
  readonly onJudged?: (scene: number, judged: readonly JudgedParameter[]) => void;
}

/** Judges the scenes of a series. */
export async function runScenes(options: SeriesOptions): Promise<SeriesResult> {
  const { seed, count, from = 0, isShrinking = true, onFinding, onJudged } = options;
  const derivatives: Record<Verdict, number> = { smooth: 0, tie: 0, several: 0, jump: 0, rough: 0, wrong: 0 };
  const refused: Record<string, number> = {};
  const kinds: Record<string, number> = {};
  let [wrongs, even] = [0, 0];
  for (let n = from; n < from + count; n++) {
    const recipe = recipeOf(seed, n);
    try {
      const { kind, isEven, judged } = await judgeScene(recipe);
      kinds[kind] = (kinds[kind] ?? 0) + 1;
      if (isEven) even++;
      for (const { verdict } of judged) derivatives[verdict]++;
      onJudged?.(n, judged);
      const wrong = judged.filter(({ verdict }) => verdict === 'wrong');
      if (wrong.length === 0) continue;
      wrongs++;
      onFinding?.({ scene: n, kind, isEven, ...(isShrinking ? await shrunk(recipe, wrong) : { recipe, wrong }) });
    } catch (error) {
      const message = (error as Error).message.replaceAll(/\d[\d.e+-]*/g, '#').slice(0, 160);
      refused[message] = (refused[message] ?? 0) + 1;
    }
  }
  return { scenes: count, even, wrong: wrongs, refused, derivatives, kinds };
}

/** Leaves out parts and substeps of a scene as long as it stays wrong. */
async function shrunk(
  recipe: SceneRecipe,
  wrong: readonly JudgedParameter[],
): Promise<{ recipe: SceneRecipe; wrong: readonly JudgedParameter[] }> {
  let found = { recipe, wrong };
  const attempt = async (smaller: SceneRecipe): Promise<boolean> => {
    const still = await judgeScene(smaller).then(
      ({ judged }) => judged.filter(({ verdict }) => verdict === 'wrong'),
      () => [],
    );
    if (still.length > 0) found = { recipe: smaller, wrong: still };
    return still.length > 0;
  };
  const { parts, substeps } = drawScene(recipe);
  for (let part = 0; part < parts; part++) await attempt({ ...found.recipe, without: [...found.recipe.without, part] });
  let left = substeps;
  while (left > 1 && (await attempt({ ...found.recipe, substeps: Math.ceil(left / 2) }))) left = Math.ceil(left / 2);
  return found;
}
