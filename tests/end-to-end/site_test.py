#!/usr/bin/env python3
"""The documentation's site: it is built without a warning, and every page of it is looked at in a browser. Skipped (77), with the reason, where mkdocs,
its theme, Chromium or Selenium are missing."""
import functools
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
from html.parser import HTMLParser
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WIDE, NARROW = 1280, 390
LOOKED_AT_WIDE = 6  # one in so many pages: what does not fit is nearly always found in the narrow window
NEEDED = (("mkdocs", "site"), ("chromium", "browser"), ("chromedriver", "browser"))
# Each page would make an index of all others for its search, which takes a second of a processor; one test lets it.
NO_SEARCH = "window.Worker = class extends EventTarget { postMessage() {} terminate() {} };"
# The heading, and what is wider than the window and not in a box that scrolls.
LOOK = """
const heading = document.querySelector('.md-content h1');
const wide = document.scrollingElement.scrollWidth > window.innerWidth;
const scrolls = e => { for (; e; e = e.parentElement) if (['auto', 'scroll', 'hidden'].includes(getComputedStyle(e).overflowX)) return true; return false; };
const wider = [...document.querySelectorAll('.md-content *')].filter(e => e.getBoundingClientRect().right > window.innerWidth + 1 && !scrolls(e))
    .map(e => e.tagName + ' ' + e.textContent.trim().slice(0, 60)).concat(wide ? ['the page scrolls'] : []);
return [heading && heading.offsetHeight ? heading.textContent.trim() : '', wider];
"""


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


for program, group in NEEDED:
    if not shutil.which(program):
        skip(f"{program} is not installed (scripts/setup {group})")
if not os.path.isdir("/usr/share/mkdocs/themes/material"):
    skip("mkdocs' theme Material is not installed (scripts/setup site)")
try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import WebDriverWait
except ImportError:
    skip("python3-selenium is not installed for this interpreter (scripts/setup browser)")


class Page(HTMLParser):
    """Where a page's links lead, what it fetches, and the places in it."""

    def __init__(self, text):
        super().__init__()
        self.links, self.fetched, self.places = [], [], {""}
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.places |= {found[name] for name in ("id", "name") if found.get(name)}
        if tag == "a" and found.get("href"):
            self.links.append(found["href"])
        self.fetched += [found[name] for name in ("src", "srcset", "data", "poster") if found.get(name)]
        if tag == "link" and found.get("href"):
            self.fetched.append(found["href"])


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Built:
    """The site, built once for all tests, and its pages."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="sassafras-site-")
        self.site = os.path.join(self.folder.name, "site")
        built = subprocess.run([f"{ROOT}/scripts/site", self.site], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if built.returncode:
            raise AssertionError(f"scripts/site: {built.stdout}")
        self.pages = sorted(os.path.relpath(os.path.join(where, name), self.site) for where, _, names in os.walk(self.site) for name in names
                            if name.endswith(".html") and name != "404.html")

    def text(self, page):
        with open(os.path.join(self.site, page), encoding="utf-8") as file:
            return file.read()


def setUpModule():
    global BUILT
    BUILT = Built()
    unittest.addModuleCleanup(BUILT.folder.cleanup)


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.parsed = {page: Page(BUILT.text(page)) for page in BUILT.pages}

    def test_every_document_is_a_page(self):
        documents = [os.path.relpath(os.path.join(where, name), ROOT) for where, _, names in os.walk(f"{ROOT}/docs") for name in names if name.endswith(".md")]
        self.assertGreater(len(documents), 70)
        for document in documents + ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]:
            page = re.sub(r"README\.md$", "index.md", document)[: -len("md")] + "html"
            self.assertIn(page, BUILT.pages)

    def test_links_lead_somewhere(self):
        checked = 0
        for page, parsed in self.parsed.items():
            for link in parsed.links:
                if re.match(r"[a-z]+:", link):
                    self.assertRegex(link, r"^(https://|mailto:)", page)
                    continue
                target, place = urldefrag(urljoin(f"/{page}", link))
                target = target.lstrip("/") or "index.html"
                self.assertIn(target, self.parsed, f"{page} links to {link}")
                self.assertIn(unquote(place), self.parsed[target].places | {"__top"}, f"{page} links to {link}")
                checked += 1
        self.assertGreater(checked, 5000)

    def test_nothing_is_fetched_from_elsewhere(self):
        for page, parsed in self.parsed.items():
            for address in parsed.fetched:
                self.assertFalse(urlsplit(address).netloc, f"{page} fetches {address}")

    def test_shell_is_highlighted(self):
        text = BUILT.text("docs/tutorials/bank-conflicts.html")
        self.assertIn('<span class="k">for</span>', text)
        self.assertNotIn("sh tested", text)

    def test_a_link_out_of_the_site_shows_a_name(self):
        self.assertIn("<code>configs/platforms/h200-half.json</code>", BUILT.text("docs/platforms.html"))

    def test_a_broken_link_fails_and_a_page_that_nobody_names(self):
        copy = os.path.join(BUILT.folder.name, "copy")
        shutil.copytree(f"{ROOT}/docs/site", f"{copy}/docs/site")
        os.mkdir(f"{copy}/scripts")
        shutil.copy(f"{ROOT}/scripts/site", f"{copy}/scripts")
        with open(f"{ROOT}/docs/site/mkdocs.yml", encoding="utf-8") as file:
            settings = file.read().split("nav:\n")[0]
        for name, text in (("docs/site/mkdocs.yml", settings + "nav: [README.md]\n"), ("README.md", "# A page\n\n[nothing](nowhere.md)\n"), ("docs/more.md", "# More\n")):
            with open(os.path.join(copy, name), "w", encoding="utf-8") as file:
                file.write(text)
        built = subprocess.run([f"{copy}/scripts/site", os.path.join(BUILT.folder.name, "broken")], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertNotEqual(built.returncode, 0)
        self.assertIn("README.md links to nowhere.md, which is not there", built.stdout)
        self.assertIn("docs/more.md is a page that docs/site/mkdocs.yml does not name", built.stdout)


class Browser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=BUILT.site))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        cls.addClassCleanup(server.server_close)
        cls.addClassCleanup(server.shutdown)
        cls.root = f"http://127.0.0.1:{server.server_port}/"
        options = webdriver.ChromeOptions()
        for word in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--disable-background-networking", f"--user-data-dir={BUILT.folder.name}/profile"):
            options.add_argument(word)
        options.add_experimental_option("perfLoggingPrefs", {"enablePage": False})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        cls.driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
        cls.addClassCleanup(cls.driver.quit)
        cls.driver.set_page_load_timeout(60)

    def resize(self, width):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})

    def check_logs(self, page, more=()):
        """No error, and no request to anybody else, since the last look."""
        errors = [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
        self.assertEqual(errors, [], page)
        asked = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                asked.append(message["params"]["request"]["url"])
        own = ("data:", "blob:", self.root, *more)
        self.assertEqual([address for address in asked if not address.startswith(own)], [], page)
        return len(asked)

    def test_every_page(self):
        self.driver.execute_cdp_cmd("Page.enable", {})
        stub = self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": NO_SEARCH})["identifier"]
        self.driver.get(self.root)
        self.check_logs("before", ("chrome:", "chrome-untrusted:"))  # what a new tab shows
        asked = 0
        for number, page in enumerate(BUILT.pages):
            with self.subTest(page):
                widths = (WIDE, NARROW) if number % LOOKED_AT_WIDE == 0 else (NARROW,)
                self.resize(widths[0])
                self.driver.get(self.root + page)
                for width in widths:
                    if width != widths[0]:
                        self.resize(width)
                    heading, wider = self.driver.execute_script(LOOK)
                    self.assertTrue(heading)
                    self.assertEqual(wider, [], f"{width} pixels")
                asked += self.check_logs(page)
        self.assertGreater(asked, len(BUILT.pages))  # the log is one
        self.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", {"identifier": stub})

    def test_search_finds_bank_conflicts(self):
        self.resize(WIDE)
        self.driver.get(self.root)
        field = self.driver.find_element(By.CSS_SELECTOR, ".md-search__input")
        field.click()
        field.send_keys("bank conflict")
        found = WebDriverWait(self.driver, 20).until(lambda driver: driver.find_elements(By.CSS_SELECTOR, ".md-search-result__link"))
        self.assertIn("/docs/conflicts.html", " ".join(link.get_attribute("href") for link in found))
        self.check_logs("search")

    def test_navigation_has_a_tab_a_need(self):
        self.resize(WIDE)
        self.driver.get(self.root)
        tabs = [tab.text for tab in self.driver.find_elements(By.CSS_SELECTOR, ".md-tabs__link")]
        self.assertEqual(tabs, ["Get started", "Tutorials", "Guides", "Reference", "The model", "Validation", "Decisions"])


if __name__ == "__main__":
    unittest.main()
