"""Finds the functions of C++ and CUDA sources by matching braces; no compiler is needed.

What stands before a `{` outside of functions says what it opens: a scope (namespace, class, extern "C"), values, or a function. A lambda outside of
functions is one, too. What a function has within it (lambdas, local classes) is part of it.
"""
import re

NOT_CODE = re.compile(
    r"//(?:[^\n\\]|\\.)*"
    r"|/\*.*?\*/"
    r'|R"(?P<mark>[^\s()\\]{0,16})\(.*?\)(?P=mark)"'
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|(?<![0-9A-Za-z_])'(?:[^'\\\n]|\\.)+'", re.S)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.)*", re.M | re.S)
VISIBLE = re.compile(r"[^\n]")
FIRST = re.compile(r"\S")
TOKEN = re.compile(r"[{}();]")

# Of a head: what stands in its parentheses is blank by then.
ATTRIBUTE = re.compile(r"\[\[[^\[\]]*\]\]|\b(?:alignas|__align__|__attribute__|__launch_bounds__)\s*\(\s*\)")
OPERATOR = re.compile(r"\boperator\s*(?:\(\s*\)|\[\s*\]|->\*?|[-+*/%^&|<>=!~,]{1,3})")
ACCESS = re.compile(r"\s*(?:(?:public|private|protected)\s*:(?!:)\s*)*")
# The line before may be a macro's call, which needs no semicolon.
SCOPE = re.compile(r'(?:^|\))\s*(?:inline\s+)?namespace\b[^()]*$|(?:^|\))\s*extern\s*""\s*$')
TYPE = re.compile(r"\b(class|struct|union|enum)\b[^()]*$")
BASES = re.compile(r"(?<!:):(?!:).*", re.S)
REQUIREMENTS = re.compile(r"(?:\brequires|=|&&|\|\|)\s*requires\s*(?:\(\s*\))?\s*$")
INITIALISERS = re.compile(r"\)\s*(?:noexcept\s*(?:\(\s*\)\s*)?)?(?:try\s*)?:(?!:)")
LAMBDA = re.compile(r"(?:^|[^\w\]\s)>]|\breturn)\s*(\[[^\[\]]*\])\s*(?:<[^{}]*>\s*)?(?:\(\s*\)\s*)?(?:(?:mutable|constexpr|static|noexcept)\b\s*(?:\(\s*\)\s*)?)*"
                    r"(?:->[^{}=;]*)?(?:\brequires\b[^{};]*)?$")


def blanked(found):
    text = found.group()
    blank = VISIBLE.sub(" ", text)
    if text[0] == "/":
        return blank
    return '""' + blank[2:] if text[-1] == '"' else "0" + blank[1:]


def code_of(text):
    """`text` with comments, directives and what strings hold blanked; every character keeps its place."""
    return DIRECTIVE.sub(lambda found: VISIBLE.sub(" ", found.group()), NOT_CODE.sub(blanked, text))


def without_template(head):
    """`head` with the parameters of its templates blanked."""
    while found := re.match(r"\s*template\s*<", head):
        depth, at = 1, found.end()
        while at < len(head) and depth:
            if head[at] in "<>" and head[at - 1:at + 1] != "->":
                depth += 1 if head[at] == "<" else -1
            at += 1
        head = " " * at + head[at:]
    return head


def opened(head):
    """What the `{` behind `head` opens outside of functions, and where in `head` a function begins."""
    begin = ACCESS.match(head).end()
    if REQUIREMENTS.search(head):
        return "values", 0
    own = ATTRIBUTE.sub(lambda found: " " * len(found.group()), " " * begin + head[begin:])
    own = OPERATOR.sub(lambda found: "operator".ljust(len(found.group()), "_"), without_template(own))
    if SCOPE.search(own):
        return "scope", 0
    kind = TYPE.search(BASES.sub("", own))
    if kind and "=" not in own and not own[:kind.start()].rstrip().endswith(("->", "<", ",")):
        return "values" if kind.group(1) == "enum" else "scope", 0
    if found := LAMBDA.search(own):
        return "lambda", found.start(1)
    if "=" in own or "(" not in own:
        return "values", 0
    # A constructor's initialisers end where the brace follows no name.
    if INITIALISERS.search(own) and re.search(r"[\w>]\s*$", own):
        return "values", 0
    return "function", begin


def opened_within(head):
    """The same within parentheses or values, where only a lambda is a function."""
    found = LAMBDA.search(head, max(0, len(head) - 2000))
    return ("lambda", found.start(1)) if found else ("values", 0)


class Bracket:
    """One that is open outside of functions, and what stands before the next one in it."""

    def __init__(self, kind, opening):
        self.kind, self.opening = kind, opening
        self.clear(opening + 1)

    def clear(self, begin):
        self.begin, self.pieces = begin, []

    def closed(self, kind, opening, end):
        """A bracket within ended: its place is kept where it belongs to what follows."""
        if kind in ("scope", "function") or kind == self.kind == "values":
            self.clear(end + 1)
        else:
            first, final = "()" if kind == "(" else "{}"
            self.pieces.append(first + " " * (end - opening - 1) + final)


def functions(text):
    """(line of the head, lines from head to close, text of the head) of each. ValueError where a bracket has no partner."""
    code = code_of(text)
    open_brackets = [Bracket("scope", -1)]
    last = 0  # behind the bracket before
    depth = 0  # braces that are open within a function
    for token in TOKEN.finditer(code):
        char, at = token.group(), token.start()
        if depth:
            depth += (char == "{") - (char == "}")
            if depth == 0:
                head_line = code.count("\n", 0, begin)
                yield head_line + 1, code.count("\n", begin, at) + 1, " ".join(code[begin:opening].split())
                open_brackets[-1].closed(kind, opening, at)
                last = at + 1
            continue
        here = open_brackets[-1]
        here.pieces.append(code[last:at])
        last = at + 1
        if char == ";":
            here.clear(last)
        elif char == "(":
            open_brackets.append(Bracket("(", at))
        elif char == "{":
            head = "".join(here.pieces)
            kind, start = opened(head) if here.kind == "scope" else opened_within(head)
            if kind in ("function", "lambda"):
                begin, opening, depth = FIRST.search(code, here.begin + start).start(), at, 1
            else:
                open_brackets.append(Bracket(kind, at))
        elif len(open_brackets) == 1 or (char == ")") != (here.kind == "("):
            raise ValueError(f"line {code.count(chr(10), 0, at) + 1}: {char} has no partner")
        else:
            open_brackets.pop()
            open_brackets[-1].closed(here.kind, here.opening, at)
    if depth or len(open_brackets) > 1:
        raise ValueError("a bracket is not closed")
