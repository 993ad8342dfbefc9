/** Style sheet of a study's page, on top of that of reports. */
export const PAGE_STYLE = `
main.study { max-width: 1320px; }
.study .charts { grid-template-columns: repeat(auto-fill, minmax(380px, 1fr)); }
.study canvas { display: block; width: 100%; height: 260px; cursor: crosshair; }
.study .chart { padding: 12px; }
.study .chart figcaption { display: flex; flex-wrap: wrap; align-items: center; gap: 6px; padding: 0 0 8px; }
.study select, .study input, .study button { font: inherit; font-size: 13.5px; color: var(--ink); background: var(--card); border: 1px solid var(--line); border-radius: 7px; padding: 4px 8px; }
.study select { max-width: 170px; }
.study button { cursor: pointer; }
.chips { display: flex; flex-wrap: wrap; gap: 8px; }
.chips button { border-radius: 99px; padding: 4px 12px; }
.chips button[aria-pressed="true"] { background: var(--accent); border-color: var(--accent); color: var(--page); }
.chips b { font-variant-numeric: tabular-nums; }
.tools { display: flex; gap: 12px; align-items: center; margin: 0 0 10px; }
.tools input { flex: 1; min-width: 120px; padding: 7px 12px; }
.tools span { color: var(--soft); font-size: 13.5px; white-space: nowrap; font-variant-numeric: tabular-nums; }
.rows { height: 440px; overflow: auto; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
.rows table { width: 100%; border-collapse: separate; border-spacing: 0; }
.rows th { position: sticky; top: 0; background: var(--card); border-bottom: 1px solid var(--line); cursor: pointer; padding: 8px 12px; user-select: none; z-index: 1; }
.rows th[aria-sort] { color: var(--accent); font-weight: 600; }
.rows td { height: 30px; padding: 0 12px; font-size: 13.5px; border-top: 1px solid var(--line); max-width: 320px; overflow: hidden; text-overflow: ellipsis; }
.rows th:first-child, .rows td:first-child { padding-left: 16px; text-align: left; }
.rows td.text, .rows th.text { text-align: left; }
.rows tr.spacer td { padding: 0; border: 0; height: auto; }
.rows tbody tr:not(.spacer) { cursor: pointer; }
.rows tbody tr:hover td { background: var(--band); }
.rows tbody tr.chosen td { background: var(--band); font-weight: 600; }
.failed { color: var(--truth); }
.dot { display: inline-block; width: 9px; height: 9px; border-radius: 50%; background: var(--accent); margin-right: 6px; }
.dot.other { background: var(--truth); }
.detail { margin-top: 14px; }
.detail dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(230px, 1fr)); gap: 2px 22px; margin: 8px 0; }
.detail dl div { display: flex; gap: 10px; justify-content: space-between; border-bottom: 1px solid var(--line); padding: 3px 0; font-size: 13.5px; min-width: 0; }
.detail dt { color: var(--soft); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.detail dd { margin: 0; font-variant-numeric: tabular-nums; overflow: hidden; text-overflow: ellipsis; }
.detail pre { white-space: pre-wrap; margin: 8px 0; color: var(--truth); }
.detail iframe { width: 100%; height: 900px; border: 1px solid var(--line); border-radius: 8px; margin-top: 10px; background: var(--page); }
#summary table { width: 100%; }
@media (max-width: 640px) { .study .charts { grid-template-columns: 1fr; } }
@media print { .rows { height: auto; } }
`;
