/**
 * The stylesheet, the icon and the link preview of all pages. Their paths contain a digest, so browsers can cache them for a year. The
 * stylesheet extends that of the HTML report.
 */
import { createHash } from "node:crypto";
import { dataFile, readPackageFile } from "../../../platform/package-files.ts";
import { STYLE as REPORT_STYLE } from "../../../report/html/style.ts";

/** Styles of the layout: additional colours, header, search, footer. */
const FRAME_STYLE = `
:root{--brand:#0b3b5c;--on-brand:#fff;--on-brand-soft:#c9dcea;--focus:#0550ae;--low:#1a7f37;--medium:#9a6700;--high:#bc4c00;--critical:#c1121f;--track:#e3e8ee;--panel:#fff;--mark:#fff8c5}
@media (prefers-color-scheme:dark){:root{--brand:#0b2a40;--on-brand:#fff;--on-brand-soft:#b6cbda;--focus:#79c0ff;--low:#56d364;--medium:#e3b341;--high:#ffa657;--critical:#ff7b72;--track:#2a313a;--panel:#161b22;--mark:#3b3009}}
html{scroll-padding-top:1rem}
body{max-width:none;padding:0;min-height:100vh;display:flex;flex-direction:column}
main{width:100%;max-width:72rem;margin:0 auto;padding:1.5rem 1.25rem 3rem;flex:1}
main:focus{outline:none}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px;border-radius:2px}
.skip{position:absolute;left:.5rem;top:-5rem;z-index:1;background:var(--bg);color:var(--link);padding:.6rem 1rem;border-radius:.4rem}
.skip:focus{top:.5rem}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.bar{background:var(--brand);color:var(--on-brand)}
.bar>div{max-width:72rem;margin:0 auto;padding:.7rem 1.25rem;display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;align-items:center}
.bar a{color:var(--on-brand);text-decoration:none}
.bar a:hover{text-decoration:underline}
.bar :focus-visible{outline-color:var(--on-brand)}
.brand{display:flex;gap:.6rem;align-items:center;font-weight:700;font-size:1.1rem;letter-spacing:.01em}
.brand svg{width:1.6rem;height:1.6rem;min-width:0;flex:none}
.brand .edge{fill:none;stroke:var(--on-brand-soft);stroke-width:2}
.brand .near{stroke:#f5c451;stroke-width:3.5;stroke-linecap:round}
.brand .alive{stroke:#7ee0a1;stroke-width:3.5;stroke-linecap:round}
.brand .gate{stroke:var(--on-brand);stroke-width:3.5;stroke-linecap:round}
.bar ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;list-style:none;margin:0;padding:0}
.bar [aria-current]{text-decoration:underline;text-underline-offset:.35em;text-decoration-thickness:2px}
form.search{display:flex;gap:.5rem;min-width:0;position:relative}
.suggestions{position:absolute;z-index:2;top:calc(100% + .3rem);left:0;right:0;margin:0;padding:.3rem 0;list-style:none;background:var(--panel);color:var(--fg);border:1px solid var(--line);border-radius:.5rem;box-shadow:0 .5rem 1.5rem rgb(0 0 0/.2);text-align:left}
.suggestions a,.bar .suggestions a{display:block;padding:.4rem .8rem;color:var(--link);text-decoration:none}
.suggestions a:hover,.suggestions a:focus{background:var(--card);text-decoration:underline}
.suggestions span{color:var(--soft);font-size:.9em}
.bar .suggestions :focus-visible{outline-color:var(--focus)}
form.search input{flex:1 1 auto;min-width:0;width:100%}
.bar form.search{margin-left:auto;flex:1 1 15rem;max-width:22rem}
input,button{font:inherit;color:var(--fg);background:var(--bg);border:1px solid var(--soft);border-radius:.4rem;padding:.35rem .7rem}
input::placeholder{color:var(--soft);opacity:1}
button{background:var(--link);border-color:var(--link);color:var(--bg);font-weight:600;cursor:pointer}
button{flex:none;white-space:nowrap}
button:hover{text-decoration:underline}
.bar button{background:transparent;color:var(--on-brand);border-color:var(--on-brand-soft)}
main form.search{max-width:40rem;margin:.75rem 0}
.hero form.search{margin:1.25rem 0 .5rem}
.hero input,.hero button{font-size:1.1rem;padding:.6rem 1rem}
.hero h1{font-size:clamp(1.6rem,4vw,2.3rem);max-width:26ch;letter-spacing:-.01em}
.trail{font-size:.9rem;margin:0 0 .75rem}
.trail ol{list-style:none;display:flex;flex-wrap:wrap;gap:.2rem .5rem;margin:0;padding:0}
.trail li+li::before{content:"/";color:var(--soft);margin-right:.5rem}
.foot{border-top:1px solid var(--line);margin:0;padding:0;color:var(--soft)}
.foot>div{max-width:72rem;margin:0 auto;padding:1rem 1.25rem 2rem;display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;justify-content:space-between}
.foot p{margin:0}
@media (max-width:40rem){main{padding:1.1rem 1rem 2.5rem}.bar>div,.foot>div{padding-left:1rem;padding-right:1rem}.bar form.search{margin-left:0;flex:1 1 100%;max-width:none}}
`.trim();

/** Styles of shared elements: panels, score ring, bars, chips, tables, definition lists, code. */
const PARTS_STYLE = `
h1{letter-spacing:-.01em}
h2{line-height:1.3}
.lead{font-size:1.1rem;max-width:60ch}
.chip{display:inline-flex;gap:.4em;align-items:baseline;white-space:nowrap;font-weight:600;font-size:.95rem}
.chip svg{width:1em;height:1em;min-width:0;flex:none;align-self:center}
.chip svg path,.chip svg circle{fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
.pill{border:1.5px solid currentColor;border-radius:99rem;padding:.1rem .75rem}
.tag{display:inline-block;border:1px solid var(--line);border-radius:.35rem;padding:0 .45rem;font-size:.8rem;color:var(--soft);vertical-align:.1em;white-space:nowrap;font-weight:600;letter-spacing:0}
.pass{color:var(--pass)}.unknown{color:var(--soft)}
.columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,19rem),1fr));gap:1rem;margin:1.25rem 0}
.columns.wide{grid-template-columns:minmax(0,5fr) minmax(0,7fr)}
.columns.pair{grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr))}
.stack{display:flex;flex-direction:column;gap:1rem;min-width:0}
.stack>:last-child{flex:1}
.panel{background:var(--panel);border:1px solid var(--line);border-radius:.7rem;padding:1.1rem 1.25rem;min-width:0}
.panel>h2:first-child,.panel>h3:first-child{margin-top:0}
.panel h2{font-size:1.05rem;margin:1.25rem 0 .5rem}
.note{background:var(--card);border-left:.3rem solid var(--link);border-radius:.3rem;padding:.6rem 1rem;margin:1rem 0}
.note.warn{border-color:var(--warn);color:var(--fg)}
.Low{--band:var(--low)}.Medium{--band:var(--medium)}.High{--band:var(--high)}.Critical{--band:var(--critical)}
.band{color:var(--band)}
.score{display:flex;flex-wrap:wrap;gap:1rem 1.5rem;align-items:center}
.score svg{width:9.5rem;min-width:0;flex:none}
.score .ring{fill:none;stroke:var(--track);stroke-width:9}
.score .value{fill:none;stroke:var(--band);stroke-width:9;stroke-linecap:butt}
.score svg text{font-weight:700;font-size:31px;fill:var(--fg);letter-spacing:-.02em}
.score svg .of{font-weight:400;font-size:11px;fill:var(--soft);letter-spacing:0}
.score p{margin:0}
.grade{font-size:2.6rem;font-weight:700;line-height:1;color:var(--band)}
.factors{list-style:none;margin:0;padding:0;display:grid;gap:.95rem}
.factors .head{display:flex;justify-content:space-between;gap:1rem;font-weight:600}
.factors .points{font-variant-numeric:tabular-nums;white-space:nowrap}
.factors .points small{color:var(--soft);font-weight:400;font-size:.9em}
.factors svg{width:100%;min-width:0;height:.6rem;margin:.3rem 0;border-radius:.3rem}
.factors .rest{fill:var(--track)}
.factors .got{fill:var(--band)}
.factors p{margin:0;color:var(--soft);font-size:.93rem}
dl.facts{display:grid;grid-template-columns:fit-content(46%) minmax(0,1fr);gap:.35rem 1.25rem;margin:0}
dl.facts dt{color:var(--soft)}
dl.facts dd{margin:0;min-width:0}
.columns:not(.wide) dl.facts{grid-template-columns:minmax(0,1fr);gap:0}
.columns:not(.wide) dl.facts dd{margin:0 0 .5rem}
caption{text-align:left;color:var(--soft);font-size:.9rem;padding:0 0 .35rem}
tbody th{color:var(--fg);font-weight:600}
td .soft,th .soft{font-weight:400;font-size:.9em}
tr.served>*{background:var(--card)}
.scroll table.cycles{min-width:59rem}
h2.first{margin-top:1.25rem}
.strip{list-style:none;padding:0;margin:.5rem 0 1rem;display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,17rem),1fr));gap:.6rem}
.strip li{border:1px solid var(--line);border-radius:.6rem;background:var(--panel);padding:.6rem .85rem;display:flex;flex-wrap:wrap;gap:.1rem .5rem;align-items:baseline;align-content:start}
.strip a{font-weight:700;font-size:1.15rem}
.strip .until{flex:1 0 100%;color:var(--soft);font-size:.93rem}
form.version{display:flex;flex-wrap:wrap;gap:.4rem .6rem;align-items:center;margin:.75rem 0 0}
form.version label{font-weight:600}
form.version input{flex:0 1 11rem;min-width:6rem}
.track{display:block;min-width:11.5rem}
.cycles :is(th,td){padding-left:.3rem;padding-right:.4rem}
.cycles .mini{width:2.4rem}
.timeline{display:grid;gap:.15rem}
.timeline ul{list-style:none;margin:0;padding:0;display:grid;gap:.15rem}
.timeline svg{min-width:0;width:100%;overflow:visible}
.timeline .axis{height:22px;margin-left:11.5rem;width:calc(100% - 11.5rem)}
.timeline li{display:grid;grid-template-columns:11rem minmax(0,1fr);gap:0 .5rem;align-items:center;font-size:.93rem}
.timeline .name{text-align:right;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.timeline .bar-row{height:18px;background:linear-gradient(var(--track),var(--track)) center/100% 1px no-repeat}
.timeline .year{fill:var(--soft)}
.timeline .tick{stroke:var(--soft);stroke-width:1}
.timeline .now{font-weight:700}
.timeline .today{stroke:var(--fg);stroke-width:2;stroke-dasharray:none}
.span-active{fill:var(--pass)}
.span-security{fill:var(--pass);fill-opacity:.55}
.span-open{fill:var(--pass);fill-opacity:.25;stroke:var(--pass);stroke-width:1}
.span-free{fill:var(--medium)}
.span-paid{fill:none;stroke:var(--soft);stroke-width:1.5;stroke-dasharray:3 2}
.span-ended{fill:var(--soft);fill-opacity:.45}
.mini{display:inline-block;width:3.2rem;min-width:0;height:.5rem;margin-left:.5rem;vertical-align:.05rem}
.mini .rest{fill:var(--track)}.mini .got{fill:var(--band)}
.number{white-space:nowrap}
.plain th{font-weight:400}
.plain thead th{font-weight:600}
h3.term{margin:1.5rem 0 .25rem}
.risk{white-space:nowrap;font-variant-numeric:tabular-nums}
.advice-list{list-style:none;padding:0;margin:0;display:grid;gap:.75rem}
.advice-list b{font-size:1.15rem}
.names{columns:15rem;column-gap:2rem;list-style:none;padding:0}
.names li{break-inside:avoid;padding:.1rem 0}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,15rem),1fr));gap:.75rem;list-style:none;padding:0;margin:1rem 0}
.cards li{background:var(--panel);border:1px solid var(--line);border-radius:.6rem;padding:.8rem 1rem}
.cards a{font-weight:600}
.cards p{margin:.15rem 0 0;color:var(--soft);font-size:.9rem}
.tiles li{color:var(--soft);font-size:.95rem}
.tiles b{color:var(--fg);overflow-wrap:normal;font-size:clamp(1.25rem,5.5vw,1.7rem)}
pre{background:var(--card);border:1px solid var(--line);border-radius:.4rem;padding:.6rem .8rem;margin:.5rem 0;overflow-x:auto;overflow-wrap:normal;font-size:.9rem;line-height:1.45}
pre code{font-size:1em}
.snippet{display:flex;gap:.5rem;align-items:flex-start;margin:.5rem 0}
.snippet pre{flex:1 1 auto;min-width:0;margin:0}
code.list{display:block;padding:.1rem 0}
details{margin:.5rem 0}
summary{cursor:pointer;font-weight:600;padding:.15rem 0}
.route{border-top:1px solid var(--line);padding-top:1.25rem;margin-top:1.75rem}
.route h3{font-size:1.05rem;margin:0 0 .25rem}
.route h4{font-size:.95rem;margin:.9rem 0 .25rem}
.method{display:inline-block;border-radius:.3rem;padding:0 .45rem;font-size:.8rem;font-weight:700;border:1.5px solid currentColor;margin-right:.4rem;letter-spacing:.02em}
.method.GET{color:var(--link)}.method.POST{color:var(--pass)}
.contents{columns:18rem;column-gap:2rem;padding-left:1.1rem}
.contents li{break-inside:avoid}
.whole{white-space:nowrap}
mark{background:var(--mark);color:inherit}
@media (max-width:40rem){.cycles .wide{display:none}.scroll table{width:max-content;min-width:100%}.scroll table.cycles{width:45rem;min-width:0}.cycles :is(th,td){padding-left:.15rem;padding-right:.3rem;font-size:.9rem}.cycles .chip{font-size:.87rem;gap:.3em}.cycles .tag{padding:0 .3rem;font-size:.72rem}.track{min-width:15rem}.scroll :is(td,th){max-width:16rem}.timeline .axis{margin-left:0;width:100%}.timeline li{grid-template-columns:minmax(0,1fr)}.timeline .name{text-align:left}.timeline .odd{display:none}}
@media (max-width:48rem){.columns.wide{grid-template-columns:minmax(0,1fr)}}
@media (max-width:26rem){dl.facts{grid-template-columns:minmax(0,1fr);gap:0}dl.facts dd{margin:0 0 .5rem}.panel{padding:.9rem}}
`.trim();

/** Styles of forms, and of the report inside a page. */
const FORMS_STYLE = `
form.check,form.stacked{display:grid;grid-template-columns:minmax(0,1fr);gap:1.25rem;max-width:44rem;margin:1.5rem 0}
form.check label,form.stacked label{font-weight:600}
.buttons button{max-width:100%;white-space:normal}
form.check p,form.stacked p{margin:.1rem 0 .4rem}
form.check input[type=file]{box-sizing:border-box;width:100%;min-width:0;padding:1.1rem;border:2px dashed var(--control);border-radius:.6rem;background:var(--card)}
form.check textarea,form.stacked textarea{font:inherit;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.95em;width:100%;color:var(--fg);background:var(--bg);border:1px solid var(--control);border-radius:.4rem;padding:.5rem .7rem;resize:vertical}
form.stacked input{width:100%}
form.buttons{margin:1rem 0}
.buttons{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center}
button.plain{background:var(--bg);color:var(--link);border-color:var(--control)}
.note.fail{border-color:var(--fail);color:var(--fg)}
.note.pass{border-color:var(--pass);color:var(--fg)}
button.copy{font-size:.85rem;font-weight:400;padding:.45rem .7rem}
.report>header{margin-top:1.5rem}
.filter button{font-weight:400}
`.trim();

/**
 * Styles for printing: no navigation and buttons, and no scrolling regions. They extend the rules of the report.
 */
const PRINT_STYLE = `
@media print{:root{--panel:#fff;--track:#ddd;--low:#060;--medium:#740;--high:#830;--critical:#a00;--soft:#333;--mark:#fff}
body{display:block}main{max-width:none;padding:0}
.bar,.skip,.trail,.screen{display:none}
.panel,.route,.cards li,.factors li{break-inside:avoid}
.columns{gap:.5rem}.scroll table.cycles{min-width:0;font-size:.72rem}.scroll table.cycles :is(th,td){padding:.15rem .25rem;white-space:normal;overflow-wrap:anywhere}
.scroll table.cycles .mini{display:none}.track{min-width:0}
pre{white-space:pre-wrap;overflow:visible}
.foot>div{padding:.5rem 0}
.foot a::after,.trail a::after{content:none}
svg rect,svg circle{print-color-adjust:exact}}
`.trim();

const STYLE = [REPORT_STYLE, FRAME_STYLE, PARTS_STYLE, FORMS_STYLE, PRINT_STYLE].join("\n");

/** Two lines that end before a barrier. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b3b5c"/><path d="M5 12h13" stroke="#7ee0a1" stroke-width="4" stroke-linecap="round"/><path d="M5 21h8" stroke="#f5c451" stroke-width="4" stroke-linecap="round"/><path d="M24 6v20" stroke="#fff" stroke-width="4" stroke-linecap="round"/></svg>`;

/** Shown by other sites that link to a page, which do not accept SVG; 1200 by 630 pixels. */
const PREVIEW = readPackageFile(dataFile("preview.png"));

const digest = (content: string | Buffer): string => createHash("sha256").update(content).digest("hex").slice(0, 12);

export const STYLE_PATH = `/assets/style-${digest(STYLE)}.css`;
export const ICON_PATH = `/assets/icon-${digest(ICON)}.svg`;
export const PREVIEW_PATH = `/assets/preview-${digest(PREVIEW)}.png`;

/** Files whose content never changes for a path. */
export const ASSETS: readonly { readonly path: string; readonly type: string; readonly content: string | Buffer }[] = [
  { path: STYLE_PATH, type: "text/css; charset=utf-8", content: STYLE },
  { path: ICON_PATH, type: "image/svg+xml", content: ICON },
  { path: PREVIEW_PATH, type: "image/png", content: PREVIEW },
];
