/** Styles of the layout: additional colours, header, search, footer. */
export const FRAME_STYLE = `
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
