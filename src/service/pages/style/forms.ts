/** Styles of forms, and of the report inside a page. */
export const FORMS_STYLE = `
form.check,form.stacked{display:grid;grid-template-columns:minmax(0,1fr);gap:1.25rem;max-width:44rem;margin:1.5rem 0}
form.check label,form.stacked label{font-weight:600}
.buttons button{max-width:100%;white-space:normal}
form.check p,form.stacked p{margin:.1rem 0 .4rem}
form.check input[type=file]{box-sizing:border-box;width:100%;min-width:0;padding:1.1rem;border:2px dashed var(--control);border-radius:.6rem;background:var(--card)}
form.check textarea,form.stacked textarea{font:inherit;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.95em;width:100%;color:var(--fg);background:var(--bg);border:1px solid var(--control);border-radius:.4rem;padding:.5rem .7rem;resize:vertical}
form.stacked input:not([type=checkbox]){width:100%}
form.stacked label.choice{font-weight:400}
form.buttons{margin:1rem 0}
.buttons{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center}
button.plain{background:var(--bg);color:var(--link);border-color:var(--control)}
.note.fail{border-color:var(--fail);color:var(--fg)}
.note.pass{border-color:var(--pass);color:var(--fg)}
button.copy{font-size:.85rem;font-weight:400;padding:.45rem .7rem}
.report>header{margin-top:1.5rem}
.filter button{font-weight:400}
`.trim();
