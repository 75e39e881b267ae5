/** The look of a contact sheet: grey without a cast around pictures, and paper when it is printed. */
export const sheetStyle = `
body{margin:0;padding:24px;background:#3a3a3a;color:#ececec;font:13px/18px system-ui,sans-serif}
h1{margin:0;font-size:20px;line-height:26px}header p{margin:4px 0 20px;color:#c4c4c4}
main{display:grid;grid-template-columns:repeat(auto-fill,minmax(300px,1fr));gap:16px}
figure{margin:0;padding:10px;background:#2c2c2c;border-radius:6px;break-inside:avoid}
.pair{display:flex;gap:8px}.pair>div{flex:1;min-width:0;text-align:center}
.pair img,.none{width:100%;aspect-ratio:1;object-fit:contain;background:#4a4a4a;display:block}
.none{display:grid;place-items:center;color:#c4c4c4}
.pair i{font-style:normal;font-size:11px;color:#c4c4c4}
figcaption{margin-top:6px;display:grid;gap:1px;overflow-wrap:anywhere}
small{color:#c4c4c4;font-size:11px;line-height:15px}.error{color:#ffb3a7}
@page{margin:12mm}
@media print{body{padding:0;background:#fff;color:#111;font-size:9pt;line-height:12pt;
-webkit-print-color-adjust:exact;print-color-adjust:exact}
main{grid-template-columns:repeat(3,1fr);gap:8px}figure{background:#fff;border:1px solid #bbb;padding:6px}
header p,small,.pair i,.none{color:#444}.pair img,.none{background:#ddd}.error{color:#a00}}
`
