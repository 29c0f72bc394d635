/**
 * The style of the HTML report: light or dark by the system setting, one column on narrow screens. Print shows the
 * answer and a table of the release cycles instead of the rows that expand.
 */
import { escapeHtml, safeUrl } from "../escape.ts";

export const STYLE = `
:root{color-scheme:light dark;--bg:#fff;--fg:#1c2128;--soft:#57606a;--line:#d0d7de;--control:#81878e;--card:#f6f8fa;--fail:#c1121f;--warn:#9a6700;--waived:#0b6e8a;--pass:#1a7f37;--link:#0550ae}
@media (prefers-color-scheme:dark){:root{--bg:#0d1117;--fg:#e6edf3;--soft:#9198a1;--line:#30363d;--control:#6e7681;--card:#161b22;--fail:#ff7b72;--warn:#e3b341;--waived:#56d4dd;--pass:#56d364;--link:#79c0ff}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:72rem;padding:2rem 1.25rem 4rem;background:var(--bg);color:var(--fg);font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.6rem;line-height:1.25;margin:.25rem 0 .5rem}
h2{font-size:1.2rem;margin:2.5rem 0 .75rem}
h3{font-size:1rem;margin:0}
a{color:var(--link)}
time{white-space:nowrap}
p{margin:.35rem 0}
code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.9em}
.soft{color:var(--soft)}
.badge{display:inline-block;padding:.1rem .7rem;border-radius:.4rem;border:2px solid currentColor;font-weight:700}
.fail,.none{color:var(--fail)}.warn{color:var(--warn)}.waived{color:var(--waived)}.pass{color:var(--pass)}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.5rem,1fr));gap:.75rem;padding:0;margin:1.25rem 0;list-style:none}
.tiles li{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:.75rem 1rem}
.tiles b{display:block;white-space:nowrap;font-size:1.7rem;line-height:1.2;font-variant-numeric:tabular-nums}
.about{margin:1rem 0 0;font-size:.95rem}
.about div{display:grid;grid-template-columns:8rem 1fr;gap:.5rem;padding:.25rem 0;border-top:1px solid var(--line)}
.about dt{color:var(--soft)}
.about dd{margin:0}
.digest{color:var(--soft);font-size:.8em}
.filter{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:end;margin:2rem 0 0;padding:.75rem 1rem;background:var(--card);border:1px solid var(--line);border-radius:.6rem;font-size:.9rem}
.filter label{display:grid;gap:.15rem;color:var(--soft);flex:0 1 auto}
.filter label:first-child{flex:1 1 12rem}
.filter input,.filter select,.filter button{font:inherit;min-height:2.2rem;max-width:100%;padding:.2rem .6rem;color:var(--fg);background:var(--bg);border:1px solid var(--control);border-radius:.4rem}
.filter output{flex:1 0 100%;color:var(--soft)}
[hidden]{display:none!important}
.card{border:1px solid var(--line);border-left:.35rem solid var(--line);border-radius:.5rem;padding:0 1rem;margin:.5rem 0}
.card[open]{padding-bottom:.8rem}
.card.fail{border-left-color:var(--fail)}.card.warn{border-left-color:var(--warn)}.card.waived{border-left-color:var(--waived)}.card.pass{border-left-color:var(--pass)}
.card,.card b{color:var(--fg)}
.card summary{font-weight:400;padding:.6rem 0;margin-left:-.25rem;cursor:pointer;display:grid;grid-template-columns:1.1rem 1fr;column-gap:.35rem}
.card summary::-webkit-details-marker{display:none}
.card summary::before{content:"▸";grid-row:1/span 3;color:var(--soft);line-height:1.5}
.card[open]>summary::before{content:"▾"}
.line{display:block;grid-column:2}
.line:first-child{display:flex;flex-wrap:wrap;gap:.1rem 1rem;justify-content:space-between}
.state{font-weight:600;color:var(--soft)}
.card.fail .state{color:var(--fail)}.card.warn .state{color:var(--warn)}.card.waived .state{color:var(--waived)}.card.pass .state{color:var(--pass)}
.advice{font-weight:600}
ul{padding-left:1.2rem;margin:.35rem 0}
table{border-collapse:collapse;width:100%;font-size:.95rem}
th,td{text-align:left;vertical-align:top;padding:.4rem .6rem;border-bottom:1px solid var(--line)}
th{color:var(--soft);font-weight:600}
td.number,th.number{text-align:right;font-variant-numeric:tabular-nums}
.scroll{overflow-x:auto;overflow-wrap:break-word}
.scroll table{min-width:36rem}
.scroll code{overflow-wrap:anywhere}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
svg{display:block;width:100%;min-width:48rem;height:auto}
.legend{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;list-style:none;margin:.5rem 0 0;padding:0;font-size:.9rem;color:var(--soft)}
.legend svg{display:inline-block;width:1.6rem;min-width:0;height:.65rem;margin-right:.4rem;vertical-align:0}
svg text{fill:var(--fg);font:13px system-ui,sans-serif}
svg .axis{fill:var(--soft)}
svg .grid{stroke:var(--line)}
svg .today{stroke:var(--fg);stroke-dasharray:4 3}
svg .alive{fill:var(--pass)}svg .near{fill:var(--warn)}svg .gone{fill:var(--fail)}svg .open{fill:var(--pass);opacity:.45}
.fold{margin:1rem 0;border-top:1px solid var(--line);padding:.6rem 0}
.fold>summary{cursor:pointer;font-weight:600}
.todo ol{padding-left:1.4rem;margin:.35rem 0}.todo li{margin:.3rem 0}
.print{display:none}
footer{margin-top:3rem;border-top:1px solid var(--line);padding-top:1rem;font-size:.9rem}
@media (max-width:40rem){body{padding:1.25rem 1rem 3rem}.about div{grid-template-columns:1fr;gap:0}}
@media print{:root{--bg:#fff;--fg:#000;--soft:#444;--line:#bbb;--card:#fff;--fail:#a00;--warn:#740;--waived:#046;--pass:#060;--link:#000}body{max-width:none;padding:0;font-size:10pt;line-height:1.35}.filter,.rows,.rows-title,.fold,footer{display:none}.fold.facts{display:block;break-inside:avoid}.fold.facts::details-content{content-visibility:visible;block-size:auto}.tiles{display:flex;flex-wrap:wrap;gap:.3rem 1.5rem;margin:.5rem 0}.tiles li{border:0;padding:0}.tiles b{display:inline;font-size:1rem}h1{font-size:16pt}h2{font-size:12pt;margin:1rem 0 .3rem;break-after:avoid}.print{display:block}.print table{font-size:8.5pt}.print th,.print td{padding:.15rem .4rem}.print th{overflow-wrap:normal}.print td{color:var(--fg)}.print td:first-child{color:inherit;font-weight:600}.print td:nth-child(3){text-align:right}thead{display:table-header-group}tr,.todo li,.sign{break-inside:avoid}.sign{display:grid;grid-template-columns:2fr 1fr 2fr;gap:1.5rem;margin:1.2rem 0}.sign div{border-bottom:1px solid #000;height:1.6rem}.sign dd{margin:0}.about div{padding:0}a[href^="http"]::after{content:none}}
`.trim();

export function link(words: string, target: string | null): string {
  const safe = target === null ? null : safeUrl(target);
  return safe === null
    ? escapeHtml(words)
    : `<a href="${escapeHtml(safe)}" rel="noreferrer noopener">${escapeHtml(words)}</a>`;
}

/** A region that scrolls horizontally. It can be focused by keyboard, so it has a label. */
export function scrolling(label: string, inner: string): string {
  return `<div class="scroll" tabindex="0" role="region" aria-label="${escapeHtml(label)}">${inner}</div>`;
}
