// How all charts look: the page passes it to vega-embed, --svg to Vega-Lite. A specification has nothing of it, so that a user's own theme fits.
"use strict";
function chartTheme(dark) {
  const text = dark ? "#e4e7eb" : "#1b1f24", quiet = dark ? "#9aa4b0" : "#57606a", line = dark ? "#343b45" : "#d5dae1";
  return {
    background: null,
    font: "system-ui, sans-serif",
    padding: 4,
    view: { stroke: null },
    mark: { color: dark ? "#6ea8f7" : "#2f6fc4" },
    axis: { labelColor: text, titleColor: quiet, gridColor: line, domainColor: line, tickColor: line, labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal", labelLimit: 260 },
    legend: { labelColor: text, titleColor: quiet, labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal", labelLimit: 260 },
    title: { color: text },
    text: { fill: text, fontSize: 12 },
    rule: { stroke: quiet },
    range: {
      category: dark ? ["#6ea8f7", "#f0a04b", "#5cc397", "#ef7b6c", "#b093e8", "#9aa4b0", "#4fc3d9", "#e0c04f"] : ["#2f6fc4", "#d9822b", "#2e9267", "#c8473a", "#7a5ab8", "#6b7682", "#1b93a8", "#a8871b"],
      heatmap: { scheme: dark ? "inferno" : "oranges" },
    },
  };
}
