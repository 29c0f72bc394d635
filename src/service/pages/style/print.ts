/**
 * Styles for printing: no navigation and buttons, and no scrolling regions. They extend the rules of the report.
 */
export const PRINT_STYLE = `
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
