/** Styles of shared elements: panels, score ring, bars, chips, tables, definition lists, code. */
export const PARTS_STYLE = `
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
