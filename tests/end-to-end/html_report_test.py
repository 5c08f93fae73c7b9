#!/usr/bin/env python3
"""--html and --svg: pages are opened in Chromium as files, without a network, and their marks are counted. Skipped (77), with the reason, where the program was built without
what draws charts, or Chromium or Selenium are missing."""
import functools
import json
import os
import re
import shutil
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as xml

from program import BAD_INPUT, NOT_MODELLED, ProgramTest, fixture, run_tests

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.support.ui import WebDriverWait
except ImportError:
    webdriver = None

WIDTHS = (1280, 360)
MEGABYTE = 1e6
# What is wider than the window and not in a box that scrolls.
WIDER = """
const scrolls = e => { for (; e; e = e.parentElement) if (['auto', 'scroll', 'hidden'].includes(getComputedStyle(e).overflowX)) return true; return false; };
return [...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > window.innerWidth + 1 && !scrolls(e)).map(e => e.tagName + '.' + e.className + ' ' + e.textContent.trim().slice(0, 60))
    .concat(document.scrollingElement.scrollWidth > window.innerWidth ? ['the page scrolls'] : []);
"""
DRAWN = "return document.documentElement.dataset.ready === 'yes' && [...document.querySelectorAll('figure')].every(figure => figure.dataset.drawn === 'yes')"
MARKS = "return document.querySelectorAll(`#chart-${arguments[0]} .drawing svg ${arguments[1]}`).length"
BARS, POINTS, LINES, RULES = (f".mark-{kind}.role-mark {shape}" for kind, shape in (("rect", "path"), ("symbol", "path"), ("line", "path"), ("rule", "line")))
OFFLINE = {"offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}


class Probe(ProgramTest):
    """Only asks the program."""

    def runTest(self):
        pass


def why_not():
    if webdriver is None:
        return "python3-selenium is not installed for this interpreter (scripts/setup browser)"
    for program in ("chromium", "chromedriver"):
        if not shutil.which(program):
            return f"{program} is not installed (scripts/setup browser)"
    with tempfile.TemporaryDirectory() as folder:
        done = Probe().run_program("estimate", "search", "--n", "1024", "--html", os.path.join(folder, "page.html"))
    if done.returncode == NOT_MODELLED and "scripts/setup charts" in done.stderr:
        return "the program was built without what draws charts (scripts/setup charts)"
    return None


@functools.cache
def browser():
    profile = tempfile.TemporaryDirectory(prefix="sassafras-pages-")
    unittest.addModuleCleanup(profile.cleanup)
    options = webdriver.ChromeOptions()
    for word in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--disable-background-networking", f"--user-data-dir={profile.name}"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
    unittest.addModuleCleanup(driver.quit)
    driver.set_page_load_timeout(60)
    driver.execute_cdp_cmd("Network.enable", {})
    driver.execute_cdp_cmd("Network.emulateNetworkConditions", OFFLINE)
    return driver


class PageTest(ProgramTest):
    def resize(self, width, dark=False):
        browser().execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": False})
        browser().execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})

    def open(self, page, place=""):
        """Seconds until all is drawn."""
        driver = browser()
        driver.get("about:blank")
        driver.get_log("browser"), driver.get_log("performance")
        begin = time.monotonic()
        driver.get(f"file://{page}{place}")
        WebDriverWait(driver, 30, poll_frequency=0.05).until(lambda _: driver.execute_script(DRAWN))
        took = time.monotonic() - begin
        self.assertEqual([entry["message"] for entry in driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")], [])
        asked = [message["params"]["request"]["url"] for message in (json.loads(entry["message"])["message"] for entry in driver.get_log("performance")) if message["method"] == "Network.requestWillBeSent"]
        self.assertEqual([address for address in asked if not address.startswith(("file://", "data:", "blob:"))], [])
        self.assertGreater(len(asked), 0)  # the log is one
        return took

    def script(self, text, *arguments):
        return browser().execute_script(text, *arguments)

    def marks(self, chart, kind):
        return self.script(MARKS, chart, kind)

    def page_of(self, *command, name="page.html"):
        self.succeeds(*command, "--html", self.path(name))
        return self.path(name)


class Run(PageTest):
    COMMAND = ("run", "gemm", "--n", "128", "--no-what-if")

    def test_a_page_shows_what_the_json_says(self):
        page = self.page_of(*self.COMMAND)
        self.succeeds("run", "gemm", "--n", "128", "--set", "full", "--apply-rules", "yes", "--no-what-if", "--page", "source", "--json", self.path("full.json"))
        with open(self.path("full.json"), encoding="utf-8") as file:
            kernel = json.load(file)["kernels"][0]
        self.resize(WIDTHS[0])
        self.open(page)
        self.assertEqual(self.script("return document.getElementById('verdict').textContent"), kernel["verdict"])
        self.assertEqual(self.script("return [...document.querySelectorAll('.rules li')].length"), len(kernel["rules"]))
        self.assertEqual(self.marks("speed-of-light", BARS), 5)
        self.assertEqual(self.marks("roofline", POINTS), 3)  # L1, L2, DRAM
        self.assertEqual(self.marks("roofline", LINES), 4)  # their ceilings, and that of FP32
        self.assertEqual(self.marks("memory", BARS), 8)
        self.assertGreaterEqual(self.marks("memory", RULES), 6)
        states = [name for name, value in kernel["metrics"].items() if "_issue_stalled_" in name and value > 0]
        self.assertEqual(self.marks("warp-states", BARS), len(states))
        self.assertEqual(self.marks("pipes", BARS), 9)
        self.assertEqual(self.marks("occupancy", BARS), 6)
        # Values, not only their number: Vega says them to screen readers.
        percent = kernel["metrics"]["sm__throughput.avg.pct_of_peak_sustained_elapsed"]
        said = self.script("return document.querySelector('#chart-speed-of-light .mark-rect path').getAttribute('aria-label')")
        self.assertAlmostEqual(float(re.search(r"% of peak: ([\d.]+)", said).group(1)), percent, delta=1e-3 * percent)
        rows = self.script("return [...document.querySelectorAll('#source tbody tr')].map(row => [...row.cells].map(cell => cell.textContent))")
        source = kernel["source"]
        while source[-1]["sass"].startswith("NOP") and not source[-1]["inst_executed"]:
            source.pop()
        self.assertEqual([row[1] for row in rows], [row["sass"] for row in source])
        executed = sum(row["inst_executed"] for row in source)
        heads = self.script("return [...document.querySelectorAll('#source th')].map(head => head.textContent)")
        self.assertEqual(sum(int(row[heads.index("Instructions")].replace(",", "") or 0) for row in rows), executed)
        heat = self.script("return [...document.querySelectorAll('#source tbody td')].filter(cell => cell.style.background).length")
        self.assertGreater(heat, 3)
        listed = self.script("return [...document.querySelectorAll('#launch details tbody tr')].map(row => row.cells[2].textContent)")
        self.assertEqual(set(listed), set(kernel["metrics"]))

    def test_it_fits_narrow_and_wide_light_and_dark(self):
        page = self.page_of("run", "sort", "--n", "5000", "--no-what-if")
        grounds = set()
        for width in WIDTHS:
            for dark in (False, True):
                self.resize(width, dark)
                self.open(page)
                self.assertEqual(self.script(WIDER), [], f"{width} pixels")
                grounds.add(self.script("return getComputedStyle(document.body).backgroundColor"))
        self.assertEqual(len(grounds), 2)

    def test_a_specification_can_be_saved_and_has_its_values(self):
        self.resize(WIDTHS[0])
        self.open(self.page_of(*self.COMMAND))
        saved = self.script("""
const link = document.querySelector('#chart-speed-of-light .links a');
link.addEventListener('click', event => event.preventDefault());
link.click();
return [link.download, link.href];""")
        self.assertEqual(saved[0], "speed-of-light.vl.json")
        self.assertTrue(saved[1].startswith("blob:"), saved)
        self.assertEqual(self.script("return [...document.querySelectorAll('#chart-speed-of-light .vega-actions a')].map(link => link.textContent)"), ["Save as SVG", "Save as PNG", "View Source"])

    def test_it_is_the_same_each_time_and_changes_nothing_else(self):
        first = self.page_of(*self.COMMAND, "--json", self.path("with.json"), name="first.html")
        second = self.page_of(*self.COMMAND, "--threads", "2", name="second.html")
        with open(first, "rb") as one, open(second, "rb") as other:
            self.assertEqual(one.read(), other.read())
        self.succeeds("run", "gemm", "--n", "128", "--json", self.path("without.json"))
        reports = []
        for name in ("with.json", "without.json"):
            with open(self.path(name), encoding="utf-8") as file:
                reports.append(json.load(file))
            del reports[-1]["total"]["wall_seconds"], reports[-1]["total"]["warp_instructions_per_second"], reports[-1]["command"]
        self.assertEqual(*reports)

    def test_names_out_of_files_are_text(self):
        with open(fixture("faults.cubin"), "rb") as file:
            cubin = file.read()
        hostile = self.write("<i>k<script>window.hit=1;.cubin", cubin.replace(b"saxpy", b"<b>xy"))
        page = self.page_of("launch", "--cubin", hostile, "--kernel", "<b>xy", "--grid", "4", "--block", "128", "--arg", "buffer:2048", "--arg", "buffer:2048:iota", "--arg", "f32:2", "--arg", "f32:1",
                            "--arg", "i32:512")
        self.resize(WIDTHS[0])
        self.open(page)
        self.assertIn("<b>xy", self.script("return document.getElementById('title').textContent"))
        self.assertIn("<script>window.hit=1;", self.script("return document.getElementById('facts').textContent"))
        self.assertEqual(self.script("return [document.querySelectorAll('b, i').length, typeof window.hit]"), [0, "undefined"])

    def test_two_thousand_launches_open_in_three_seconds(self):
        page = self.page_of("run", "search", "--n", "64", "--repeat", "2000", "--no-what-if")
        # Equal launches are in a page once: here all are apart, as if no two were equal.
        with open(page, encoding="utf-8") as file:
            before, data, after = re.split(r'(?<=<script type="application/json" id="report">\n)(.*)(?=\n</script>\n<script>)', file.read(), maxsplit=1)
        report = json.loads(data)
        rows, details = report["launches"]["rows"], report["launches"]["details"]
        report["launches"]["details"] = [details[row[7]] for row in rows]
        for number, row in enumerate(rows):
            row[7] = number
        with open(page, "w", encoding="utf-8") as file:
            file.write(before + json.dumps(report, separators=(",", ":")).replace("<", "\\u003c") + after)
        self.assertLess(os.path.getsize(page), 20 * MEGABYTE)
        self.assertGreater(os.path.getsize(page), 3 * MEGABYTE)
        self.resize(WIDTHS[0])
        self.assertTrue(any(self.open(page) < 3 for _ in range(3)))  # other tests run beside this
        self.assertGreaterEqual(int(self.script("return document.querySelector('#launches h2').textContent").split()[0].replace(",", "")), 2000)
        self.assertEqual(self.script("return document.querySelectorAll('#launches tbody tr').length"), 50)
        self.script("location.hash = '#launch-1999'")
        WebDriverWait(browser(), 10).until(lambda driver: driver.execute_script(DRAWN) and "Launch 1999" in driver.execute_script("return document.querySelector('#launch h2').textContent"))
        self.assertEqual(self.marks("speed-of-light", BARS), 5)


class Reports(PageTest):
    def json_of(self, *command):
        self.succeeds(*command, "--json", self.path("report.json"))
        with open(self.path("report.json"), encoding="utf-8") as file:
            return json.load(file)

    def test_conflicts(self):
        command = ("conflicts", "sort", "--variant", "mgpu", "--n", "20000")
        report = self.json_of(*command, "--sizes", "2^12..2^14", "--html", self.path("page.html"))
        self.resize(WIDTHS[0])
        self.open(self.path("page.html"))
        self.assertEqual(self.marks("banks-by-round", BARS), 32 * len(report["rounds"]))
        self.assertEqual(self.marks("conflicts-by-phase", BARS), 2 * len(report["phases"]))  # and the ticks of random accesses
        self.assertEqual(self.marks("conflicts-by-round", LINES), 3)
        self.assertEqual(self.marks("conflicts-by-size", POINTS), 3 * 3)
        self.fails(BAD_INPUT, *command, "--sizes", "2^12..2^14", says=["--sizes", "--html"])
        data = self.script("return JSON.parse(document.getElementById('report').textContent).charts.find(chart => chart.name === 'banks-by-round').spec.datasets.values")
        words = data["f"].index("words")
        self.assertEqual(sum(row[words] for row in data["r"]), sum(bank["words"] for bank in report["banks"]))

    def test_validate(self):
        report = self.json_of("validate", "search", "--quick", "--html", self.path("page.html"))
        runs = [run for run in report["platforms"][0]["runs"] if run["measured"] and run["simulated"]]
        self.resize(WIDTHS[0])
        self.open(self.path("page.html"))
        self.assertEqual(self.marks("measured-against-simulated", POINTS), len(runs))
        counts = self.script("return [...document.querySelectorAll('#chart-errors .mark-rect.role-mark path')].map(bar => bar.getAttribute('aria-label'))")
        self.assertEqual(sum(int(re.search(r"runs: (\d+)", text).group(1)) for text in counts), len(runs))

    def test_estimate(self):
        report = self.json_of("estimate", "sort", "--n", "2^12..2^18", "--html", self.path("page.html"))
        self.resize(WIDTHS[0])
        self.open(self.path("page.html"))
        parts = [part for part in ("g", "s", "r", "y", "sync") if any(point[part] > 0 for point in report["points"])]
        self.assertEqual(self.marks("parts", LINES), len(parts))
        self.assertEqual(self.marks("parts", POINTS), len(parts) * len(report["points"]))
        self.json_of("estimate", "sort", "--n", "4096", "--html", self.path("page.html"))
        self.open(self.path("page.html"))
        self.assertGreater(self.marks("parts", BARS), 3)


class Program(PageTest):
    def test_the_timeline_of_a_program(self):
        program = os.path.join(os.environ["SASSAFRAS_PROGRAMS"], "streams")
        if not os.path.exists(program):
            self.skipTest("the test programs were not built: there is no nvcc")
        done = self.run_program("exec", "--apply-rules", "no", "--json", self.path("report.json"), "--html", self.path("page.html"), "--", program)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path("report.json"), encoding="utf-8") as file:
            report = json.load(file)
        self.resize(WIDTHS[0])
        self.open(self.path("page.html"))
        self.assertEqual(self.marks("time", BARS), 5)  # kernels, copies, sets, events, idle
        works = [kernel for kernel in report["kernels"] if kernel["end_ns"] > kernel["start_ns"]] + [one for one in report["time"]["transfers"] if one["end_ns"] > one["start_ns"]]
        said = self.script("return [...document.querySelectorAll('#chart-timeline .mark-rect.role-mark path')].map(bar => bar.getAttribute('aria-label'))")
        self.assertEqual(sum("kind: host" not in text for text in said), len(works))


class Figures(ProgramTest):
    def test_charts_are_files(self):
        if not shutil.which("node"):
            self.skipTest("node is not installed (scripts/setup charts)")
        folder = self.path("figures")
        self.succeeds("run", "sort", "--n", "5000", "--no-what-if", "--svg", folder)
        names = {name.removesuffix(".svg") for name in os.listdir(folder) if name.endswith(".svg")}
        self.assertEqual({f"{name}{ending}" for name in names for ending in (".svg", ".vl.json")}, set(os.listdir(folder)))
        self.assertLessEqual({"timeline", "kernels", "launches", "speed-of-light", "roofline", "memory", "warp-states"}, names)
        for name in names:
            drawing = xml.parse(os.path.join(folder, f"{name}.svg")).getroot()
            self.assertTrue(drawing.tag.endswith("svg"))
            with open(os.path.join(folder, f"{name}.vl.json"), encoding="utf-8") as file:
                spec = json.load(file)
            self.assertIn("vega-lite", spec["$schema"])
            self.assertTrue(spec["datasets"]["values"])
        with open(os.path.join(folder, "speed-of-light.svg"), encoding="utf-8") as file:
            self.assertEqual(file.read().count('aria-roledescription="bar"'), 5)

    def test_what_cannot_be_written_is_said_before_anything_runs(self):
        run = ("run", "gemm", "--n", "4096")  # minutes
        self.fails(BAD_INPUT, *run, "--html", self.path("missing/page.html"), says=["cannot write the page", "--html"])
        self.fails(BAD_INPUT, *run, "--html", "-", says=["--html"])
        self.fails(BAD_INPUT, *run, "--html", self.path("a"), "--json", self.path("a"), says=["would write over"])
        self.fails(BAD_INPUT, *run, "--svg", self.write("file", b""), says=["cannot write charts there"])
        self.fails(BAD_INPUT, "validate", "--claims", "--html", self.path("page.html"), says=["no page of them"])
        path, os.environ["PATH"] = os.environ["PATH"], self.folder.name
        try:
            self.fails(BAD_INPUT, *run, "--svg", self.path("figures"), says=["node", "apt-get install nodejs"])
        finally:
            os.environ["PATH"] = path


if __name__ == "__main__":
    run_tests(why_not)
