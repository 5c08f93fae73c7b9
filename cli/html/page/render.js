// Writes charts as SVG: node render.js FOLDER, which holds charts.json, a list of {name, spec}; beside each name.vl.json comes name.svg.
"use strict";
const fs = require("fs"), path = require("path"), vm = require("vm");
const folder = process.argv[2];
for (const script of ["vega.min.js", "vega-lite.min.js", "theme.js"]) vm.runInThisContext(fs.readFileSync(path.join(__dirname, script), "utf8"), { filename: script });
const paperWidth = 560;
(async () => {
  for (const { name, spec } of JSON.parse(fs.readFileSync(path.join(__dirname, "charts.json"), "utf8"))) {
    const sized = { ...spec, width: spec.width === "container" ? paperWidth : spec.width };
    const view = new vega.View(vega.parse(vegaLite.compile(sized, { config: { ...chartTheme(false), font: "sans-serif", background: "white" } }).spec), { renderer: "none" });
    fs.writeFileSync(path.join(folder, name + ".svg"), (await view.toSVG()) + "\n");
  }
})().catch(error => {
  process.stderr.write(String(error && error.message || error) + "\n");
  process.exit(1);
});
