/** Style sheet of reports: light or dark as the reader's system is set, and suitable for print. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #f7f7f5; --card: #ffffff; --ink: #1d2126; --soft: #646b75; --line: #e2e3e0;
  --accent: #1f6feb; --band: #1f6feb1f; --truth: #d9480f; --warn: #fff4e0; --warn-line: #f0b44a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14171b; --card: #1c2026; --ink: #e8eaed; --soft: #99a1ad; --line: #313740;
    --accent: #6ea8fe; --band: #6ea8fe26; --truth: #ff9a62; --warn: #2e2719; --warn-line: #b98526;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.55 system-ui, sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 40px 24px 64px; }
h1 { font-size: 30px; line-height: 1.2; margin: 0 0 6px; letter-spacing: -0.01em; }
h2 { font-size: 21px; margin: 40px 0 12px; }
h3 { font-size: 15px; margin: 28px 0 10px; }
p { margin: 0 0 8px; }
.lead { color: var(--soft); font-size: 17px; margin-bottom: 18px; }
.facts { display: flex; flex-wrap: wrap; gap: 6px 22px; color: var(--soft); font-size: 13.5px; margin: 0 0 16px; }
.facts b { color: var(--ink); font-weight: 600; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 16px 18px; overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
.parameters { width: 100%; }
th { font-weight: 500; color: var(--soft); font-size: 13px; text-align: right; white-space: nowrap; }
th, td { padding: 7px 12px; }
td { text-align: right; white-space: nowrap; border-top: 1px solid var(--line); }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
.parameters td:first-child { white-space: normal; }
th:last-child, td:last-child { padding-right: 0; }
td .name { font-weight: 600; }
td.value { font-weight: 600; }
.unit { color: var(--soft); font-weight: 400; font-size: 0.9em; }
.none { color: var(--truth); }
.legend { color: var(--soft); font-size: 12.5px; margin: 10px 0 0; }
.remarks { margin: 6px 0 0; padding: 0 0 0 18px; }
.further { margin: 14px 0 0; }
.card.derived { margin-top: 14px; }
.distrust { margin: 0 0 14px; padding: 12px 16px; background: var(--warn); border-left: 3px solid var(--truth); border-radius: 4px; }
.reached { margin: 0 0 14px; padding: 12px 16px; background: var(--card); border-left: 3px solid var(--accent); border-radius: 4px; }
.distrust ul { margin: 4px 0 0; padding-left: 18px; }
.where img { image-rendering: pixelated; width: 100%; height: auto; max-width: 420px; background: #000; }
.remarks li { margin: 2px 0; }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(320px, 1fr)); gap: 14px; }
.chart { margin: 0; background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 12px 12px 4px; }
figcaption { font-weight: 600; font-size: 14px; padding-left: 4px; }
svg { display: block; max-width: 100%; }
.chart svg { width: 100%; }
.grid { stroke: var(--line); }
.axis { stroke: var(--soft); stroke-opacity: 0.5; }
.tick { fill: var(--soft); font-size: 13px; font-variant-numeric: tabular-nums; }
.curve { fill: none; stroke: var(--accent); stroke-width: 2; stroke-linejoin: round; }
.measured { fill: none; stroke: var(--truth); stroke-width: 1.5; }
.curve.other { stroke: var(--truth); stroke-width: 1.5; stroke-dasharray: 5 4; }
.key.other-key { border-top-style: dashed; border-color: var(--truth); }
.band { fill: var(--band); }
.truth { stroke: var(--truth); stroke-width: 1.5; stroke-dasharray: 5 4; }
.truth-tick { stroke: var(--truth); stroke-width: 2.5; }
.reach { stroke: var(--accent); stroke-width: 4; stroke-opacity: 0.4; stroke-linecap: round; }
.field .reach { stroke-width: 2; }
.field .truth-tick { stroke-width: 1.5; }
.field .bar { fill: var(--accent); fill-opacity: 0.6; }
.charts + .card, .charts + details { margin-top: 14px; }
.start-tick { stroke: var(--soft); stroke-width: 1.5; }
.prior { fill: var(--soft); fill-opacity: 0.18; }
.end { fill: var(--accent); }
.error-bar { display: inline-block; vertical-align: middle; }
.key { display: inline-block; width: 18px; height: 0; border-top: 3px solid; vertical-align: middle; margin: 0 4px 0 12px; }
.key:first-child { margin-left: 0; }
.key.estimate { width: 9px; height: 9px; border: 0; border-radius: 50%; background: var(--accent); }
.key.reach-key { border-color: color-mix(in srgb, var(--accent) 45%, transparent); }
.key.start-key { width: 0; height: 12px; border-top: 0; border-left: 2px solid var(--soft); }
.key.prior-key { height: 10px; border: 0; background: color-mix(in srgb, var(--soft) 18%, transparent); }
.key.truth-key { border-color: var(--truth); }
.strip { display: grid; grid-template-columns: auto repeat(var(--columns), minmax(0, 1fr)); gap: 4px; align-items: center; }
.strip img { display: block; width: 100%; height: auto; max-height: 380px; object-fit: contain; border-radius: 3px; background: #000; outline: 1px solid var(--line); outline-offset: -1px; }
.strip.small img { image-rendering: pixelated; }
h3 + .charts, .card + .charts, .legend + .charts, .charts + .charts { margin-top: 14px; }
img.whole { display: block; width: 100%; max-width: 960px; height: auto; max-height: 900px; object-fit: contain; object-position: left; border-radius: 4px; }
.player { margin: 0 0 18px; }
.player[hidden] { display: none; }
.views { display: grid; grid-template-columns: repeat(var(--views, 3), minmax(0, 1fr)); gap: 8px; }
.views figure { margin: 0; }
.views canvas { display: block; width: 100%; max-height: 460px; object-fit: contain; border-radius: 4px; background: #000; outline: 1px solid var(--line); outline-offset: -1px; }
.player.small canvas { image-rendering: pixelated; }
.views figcaption { color: var(--soft); font-weight: 400; font-size: 12.5px; padding: 4px 0 0; text-align: center; }
.views .wipe { width: 100%; accent-color: var(--accent); }
.controls { display: flex; align-items: center; gap: 12px; margin: 10px 0 0; }
.controls button { width: 40px; height: 32px; border: 1px solid var(--line); border-radius: 8px; background: var(--card); color: var(--ink); font: 15px/1 system-ui, sans-serif; cursor: pointer; }
.controls input { flex: 1; min-width: 0; accent-color: var(--accent); }
.controls output { min-width: 84px; color: var(--soft); font-size: 13px; font-variant-numeric: tabular-nums; text-align: right; }
.row-label { color: var(--soft); font-size: 12.5px; padding-right: 10px; text-align: right; }
.column-label { color: var(--soft); font-size: 12px; text-align: center; font-variant-numeric: tabular-nums; }
.correlation td { text-align: center; min-width: 64px; padding: 6px 10px; border: 2px solid var(--card); border-radius: 6px; font-size: 13.5px; }
.correlation th { text-align: center; padding: 6px 10px; }
.correlation th:first-child { text-align: right; }
details { margin-top: 22px; }
summary { cursor: pointer; color: var(--soft); }
code, pre { font: 13px/1.5 ui-monospace, monospace; }
pre { margin: 10px 0 0; padding: 12px 16px; background: var(--card); border: 1px solid var(--line); border-radius: 8px; white-space: pre-wrap; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 20px; margin: 12px 0 0; font-size: 13.5px; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 640px) { main { padding: 24px 14px 40px; } th, td { padding: 6px 8px; } }
@media print { body { background: #fff; } .player { display: none; } .card, .chart { break-inside: avoid; } }
`;
