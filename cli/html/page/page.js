// Draws the report that the page carries. Whatever comes from a program goes into text nodes, never into markup.
"use strict";
const report = JSON.parse(document.getElementById("report").textContent);
const darkness = window.matchMedia("(prefers-color-scheme: dark)");
const drawn = new Map();  // figure -> its specification

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== undefined && value !== false && value !== null) made.setAttribute(name, value);
  }
  made.append(...children.filter(child => child !== null && child !== undefined));
  return made;
}
const content = document.getElementById("content");
const section = (id, heading) => content.appendChild(element("section", { id }, element("h2", {}, heading)));

function grouped(value) {
  if (value === null || value === undefined) return "";
  const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : Math.abs(value) >= 0.01 ? 2 : 4;
  return value.toLocaleString("en-US", { maximumFractionDigits: digits });
}
function duration(ns) {
  if (ns === null || ns === undefined) return "";
  return ns < 1e3 ? `${grouped(ns)} ns` : ns < 1e6 ? `${grouped(ns / 1e3)} µs` : ns < 1e9 ? `${grouped(ns / 1e6)} ms` : `${grouped(ns / 1e9)} s`;
}

// Tables of values go into the page as the names of their fields and rows without them.
const expanded = datasets => Object.fromEntries(Object.entries(datasets).map(([name, table]) => [name, table.r.map(row => Object.fromEntries(table.f.map((field, i) => [field, row[i]])))]));

function draw(figure) {
  const { name, spec } = drawn.get(figure);
  const options = { renderer: "svg", config: chartTheme(darkness.matches), downloadFileName: name, tooltip: { theme: darkness.matches ? "dark" : "light" }, actions: { export: true, source: true, compiled: false, editor: false } };
  return vegaEmbed(figure.querySelector(".drawing"), spec, options).then(() => figure.setAttribute("data-drawn", "yes"), error => figure.querySelector(".drawing").replaceChildren(`The chart cannot be drawn: ${error.message}`));
}
function chart(chart, prefix = "") {
  const { name, title, about, wide, spec } = chart;
  const save = event => {
    event.currentTarget.href = URL.createObjectURL(new Blob([JSON.stringify(spec, null, 2) + "\n"], { type: "application/json" }));
  };
  const figure = element("figure", { id: `chart-${prefix}${name}`, class: wide ? "wide" : "" },
    element("figcaption", {}, element("h3", {}, title), element("p", {}, about)),
    element("div", { class: "scroll" }, element("div", { class: "drawing" })),

    element("p", { class: "links" }, element("a", { href: "#", download: `${name}.vl.json`, click: save }, "Vega-Lite specification")));
  drawn.set(figure, { name, spec });
  return figure;
}
darkness.addEventListener("change", () => [...drawn.keys()].filter(figure => figure.isConnected).forEach(draw));

/// Columns: {title, of: row => value, text: value => what is shown, kind: "text" or "name" for those that begin on the left}.
function table(columns, rows, options = {}) {
  const body = element("tbody");
  let order = rows, shown = Math.min(rows.length, options.most || rows.length), sorted = null;
  const cell = (column, row) => {
    const value = column.of(row), made = element("td", { class: column.kind }, column.text ? column.text(value, row) : typeof value === "number" ? grouped(value) : value ?? "");
    if (column.heat) {
      const share = column.heat(row);
      if (share > 0) made.style.background = `rgba(var(--heat), ${(0.08 + 0.72 * share).toFixed(3)})`;
    }
    if (column.hint) made.title = column.hint(row);
    return made;
  };
  const more = element("button", { click: () => { shown = Math.min(rows.length, shown + options.most); fill(); } });
  function fill() {
    body.replaceChildren(...order.slice(0, shown).map(row => {
      const made = element("tr", { class: options.rowClass?.(row) }, ...columns.map(column => cell(column, row)));
      if (options.mark) made.dataset.row = options.mark(row);
      return made;
    }));
    more.hidden = shown >= rows.length;
    more.textContent = `Show more: ${grouped(rows.length - shown)} are left`;
    options.filled?.();
  }
  const sort = column => {
    sorted = sorted === column ? null : column;
    const key = row => column.sort ? column.sort(row) : column.of(row);
    order = sorted ? [...rows].sort((a, b) => typeof key(a) === "number" ? key(b) - key(a) : String(key(a)).localeCompare(String(key(b)))) : rows;
    fill();
  };
  const heads = columns.map(column => element("th", { class: column.kind && "text", scope: "col" }, options.sorts ? element("button", { click: () => sort(column), title: "Sort by this" }, column.title) : column.title));
  const scroll = element("div", { class: `scroll ${options.tall ? "tall" : ""}` }, element("table", {}, element("thead", {}, element("tr", {}, ...heads)), body));
  fill();
  return element("div", {}, scroll, options.most && rows.length > options.most ? element("p", { class: "controls" }, more) : null);
}

function head() {
  document.getElementById("title").textContent = report.title;
  const verdict = document.getElementById("verdict");
  verdict.textContent = report.verdict || "";
  verdict.hidden = !report.verdict;
  document.getElementById("facts").append(...report.facts.flatMap(([name, value]) => [element("dt", {}, name), element("dd", { class: name === "Command" ? "command" : "" }, value)]));
  const notes = document.getElementById("notes");
  notes.append(...report.notes.map(note => element("li", {}, note)));
  notes.hidden = !report.notes.length;
  document.getElementById("about").textContent = `Sassafras ${report.sassafras}. This page needs no network; charts are Vega-Lite specifications, which each chart's menu shows and its link saves.`;
}
function wholeCharts() {
  if (!report.charts.length) return;
  const place = section("overview", report.launches ? "Whole run" : "Charts").appendChild(element("div", { class: "charts" }));
  place.append(...report.charts.map(one => chart({ ...one, spec: { ...one.spec, datasets: expanded(one.spec.datasets) } })));
  [...place.children].forEach(draw);
}

/// Instructions of a kernel, all its launches together.
function sourceView(place, source) {
  const measures = source.measures.map((name, i) => ({ name, of: row => row[3 + i] }));
  const used = measures.filter(measure => source.rows.some(row => measure.of(row) > 0));
  if (!used.length) return;
  const tables = element("div"), pick = element("select", { "aria-label": "Heat", change: () => fill() }, ...used.map((measure, i) => element("option", { value: i }, measure.name)));
  const order = element("select", { "aria-label": "Order", change: () => fill() }, ...["in order of addresses", "hottest first"].map((name, i) => element("option", { value: i }, name)));
  const lines = new Map();
  for (const row of source.rows) {
    if (row[2] < 0) continue;
    const line = lines.get(row[2]) || lines.set(row[2], [row[2], 0, 0, ...measures.map(() => 0)]).get(row[2]);
    measures.forEach((_, i) => line[3 + i] += row[3 + i]);
  }
  function fill() {
    const heat = used[pick.value], of = rows => {
      const sum = rows.reduce((sum, row) => sum + heat.of(row), 0) || 1, most = Math.max(...rows.map(heat.of), 1);
      return used.map(measure => measure === heat
        ? { title: measure.name, of: measure.of, text: value => value ? `${grouped(value)} (${(100 * value / sum).toFixed(1)} %)` : "", heat: row => measure.of(row) / most }
        : { title: measure.name, of: measure.of, text: value => value ? grouped(value) : "" });
    };
    const place_of = index => index < 0 ? "" : source.lines[index][0];
    const ordered = rows => order.value === "1" ? [...rows].sort((a, b) => heat.of(b) - heat.of(a)) : rows;
    const sass = ordered(source.rows);
    const parts = [];
    if (lines.size) {
      const rows = ordered([...lines.values()].sort((a, b) => a[0] - b[0]));
      parts.push(element("h3", {}, "CUDA lines"), table([{ title: "Line", kind: "name", of: row => place_of(row[0]) }, { title: "Source", kind: "name", of: row => source.lines[row[0]][1] }, ...of(rows)], rows, { tall: rows.length > 20 }), element("h3", {}, "Instructions"));
    }
    parts.push(table([{ title: "Address", kind: "name", of: row => row[0].toString(16).padStart(4, "0") }, { title: "SASS", kind: "name", of: row => row[1] },
      ...(lines.size ? [{ title: "Line", kind: "name", of: row => place_of(row[2]) }] : []), ...of(source.rows), { title: "Waits mostly for", kind: "text", of: row => row[3 + measures.length] || "" }], sass, { tall: sass.length > 20 }));
    tables.replaceChildren(...parts);
  }
  place.append(element("p", { class: "controls" }, element("label", {}, "Heat: ", pick), element("label", {}, "Rows: ", order)));
  if (source.note) place.append(element("p", {}, source.note));
  place.append(tables);
  fill();
}

function launchDetails(place, row) {
  const { launches } = report, { verdict, rules, charts, metrics } = launches.details[row[7]];
  [...drawn.keys()].filter(figure => place.contains(figure)).forEach(figure => drawn.delete(figure));
  place.replaceChildren(element("h2", {}, `Launch ${row[8]}: ${launches.kernels[row[0]]}`),
    element("p", {}, [`grid ${row[1]}, block ${row[2]}`, row[4] === null ? "" : `${grouped(row[4])} cycles, ${duration(row[5])}`].filter(Boolean).join("; ")));
  if (verdict && launches.rows.length > 1) place.append(element("p", { class: "verdict" }, verdict));
  if (rules.length) place.append(element("h3", {}, "Rules"), element("ul", { class: "rules" }, ...rules.map(([kind, about, gain, text]) => element("li", { class: kind }, element("span", { class: "kind" }, kind), gain ? element("span", { class: "gain" }, `${gain} `) : null, text, element("span", { class: "gain" }, ` (${about})`)))));
  const figures = charts.map(([number, datasets]) => chart({ ...launches.specs[number], spec: { ...launches.specs[number].spec, datasets: expanded(datasets) } }));
  place.append(element("div", { class: "charts" }, ...figures));
  figures.forEach(draw);
  const rows = launches.metrics.map((metric, i) => [...metric, metrics[i]]).filter(metric => metric[4] !== null);
  place.append(element("details", {}, element("summary", {}, `All ${rows.length} metrics`), table([{ title: "Section", kind: "text", of: row => row[0] }, { title: "Metric", kind: "text", of: row => row[1] }, { title: "Name", kind: "name", of: row => row[2] }, { title: "Unit", kind: "text", of: row => row[3] }, { title: "Value", of: row => row[4] }], rows)));
  const source = report.sources.find(one => one.kernel === row[0]);
  if (source) {
    const view = place.appendChild(element("section", { id: "source" }, element("h2", {}, source.launches > 1 ? `Source of ${launches.kernels[row[0]]}, its ${source.launches} launches together` : `Source of ${launches.kernels[row[0]]}`)));
    sourceView(view, source);
  }
}

function launchViews() {
  const { launches } = report;
  if (!launches || !launches.rows.length) return;
  const rows = launches.rows, time = row => row[5] === null ? row[6] : row[5];
  const all = rows.reduce((sum, row) => sum + time(row), 0) || 1, hasStreams = new Set(rows.map(row => row[3])).size > 1, hasTime = rows.some(row => row[5] !== null);
  let chosen = null;
  const place = section("launches", rows.length > 1 ? `${grouped(rows.length)} launches` : "Launch");
  place.hidden = rows.length === 1;
  const details = content.appendChild(element("section", { id: "launch" }));

  const mark = () => place.querySelectorAll("tr[data-row]").forEach(made => made.classList.toggle("chosen", chosen !== null && made.dataset.row === String(chosen[8])));
  const link = (value, row) => row[7] === null ? value : element("a", { href: `#launch-${row[8]}` }, value);
  place.append(table([{ title: "#", of: row => row[8], text: (value, row) => link(String(value), row) }, { title: "Kernel", kind: "name", of: row => launches.kernels[row[0]], text: link, hint: row => launches.kernels[row[0]] },
    { title: "Grid", of: row => row[1] }, { title: "Block", of: row => row[2] }, ...(hasStreams ? [{ title: "Stream", of: row => row[3] }] : []),
    ...(hasTime ? [{ title: "Cycles", of: row => row[4] }, { title: "Time", of: row => row[5], text: duration }, { title: "%", of: row => 100 * time(row) / all, text: value => value.toFixed(1) }] : []), { title: "Warp instructions", of: row => row[6] },
    { title: "Bound", kind: "text", of: row => row[9] }], rows, { most: 50, sorts: true, mark: row => row[8], filled: () => mark() }));
  const longest = rows.filter(row => row[7] !== null).reduce((best, row) => best === null || time(row) > time(best) ? row : best, null);
  const choose = () => {
    const wanted = /^#launch-(\d+)$/.exec(location.hash), found = wanted && rows.find(row => row[8] === Number(wanted[1]) && row[7] !== null);
    const next = found || (chosen === null ? longest : chosen);
    if (next === null || next === chosen) return;
    chosen = next;
    launchDetails(details, chosen);
    mark();
    if (found) details.scrollIntoView();
  };
  window.addEventListener("hashchange", choose);
  choose();
}

head();
wholeCharts();
launchViews();
document.documentElement.dataset.ready = "yes";
