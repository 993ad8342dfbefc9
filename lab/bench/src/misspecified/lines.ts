import type { Outcome } from './trial.ts';

/** Output lines of a trial, one for each unknown. */
export const linesOf = ({ drawn, unknowns, critical, others, unseen, seconds, ...whole }: Outcome) =>
  unknowns.map((unknown) => ({
    trial: drawn.trial,
    kind: drawn.kind,
    fault: drawn.fault,
    strength: whole.strength,
    ...unknown,
    bias: Math.max(...unknowns.map(({ b }) => Math.abs(b))),
    visible: whole.visible,
    drawnBias: drawn.bias,
    explained: whole.explained,
    trusted: whole.trusted,
    isCovered: whole.isCovered,
    noise: whole.noise,
    noiseGiven: drawn.isNoiseGiven,
    findings: { critical, others },
    unseen,
    seconds: seconds.estimation,
    allSeconds: seconds.all,
  }));
