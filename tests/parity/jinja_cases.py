"""Writes tests/cases/jinja/*.json: templates and what jinja2 makes of them.

    jinja_cases.py            rewrites the files
    jinja_cases.py --check    fails if a file differs from what jinja2 says now

Each topic is a list of templates, rendered with the same variables; a pair adds options.
"""

import copy
import importlib.metadata
import json
import pathlib
import platform
import sys

from jinja_reference import reference

FOLDER = pathlib.Path(__file__).parent.parent / "cases" / "jinja"
VARIABLES = {
    "i": 3, "j": -2, "z": 0, "f": 2.5, "g": -0.1, "big": 9007199254740993, "t": True, "n": None,
    "s": "hello World", "e": "", "u": "Ünï 日本ß", "q": "it's \"q\"", "m": " pad\t\n", "w": "a,b;c a b",
    "num": "42", "x": "<b>&'", "l": [3, 1, 2], "k": ["b", "a", "C", ""],
    "nl": [[1, 2], [], ["x"]], "pairs": [[1, "one"], [2, "two"]],
    "mix": [1, "a", None, 2.5, True, [0]], "d": {"a": 1, "b": [1, 2], "items": "key"},
    "rows": [{"n": 2, "k": "b"}, {"n": 1, "k": "A"}, {"n": 2, "k": "a"}],
    "dd": {"x": {"y": {"z": "deep"}}, "1": 2}, "floats": [0.1, 1e16, 1e-5, 1.0, -0.0, 123456789.123],
    "choices": {"text": ["red", "it's", "q\"x", "both'\""], "label": ["A", "B", "C", "D"]},
    "lines": "one\ntwo\n\nthree", "items": "shadow", "range": 7,
}
V = {name: value for name, value in VARIABLES.items() if name not in ("items", "range")}


def each(form, values):
    return [form.replace("@", value) for value in values]


OPERATORS = (
    each("{{ @ }}", [
        "1", "1_000", "0x1F", "0b101", "0o17", "0XfF", "00", "1.5", "1e3", "1.5e-7", "1_0.5", "1E+2",
        "true", "True", "false", "False", "none", "None", "'a'", '"b"', "'a' 'b' \"c\"", "()", "(1,)",
        "(1, 2)", "1, 2", "1,", "[]", "[1, 'a', none]", "[1, 2,]", "{}", "{'a': 1}", "{'a': 1, 2: 'b',}",
        "{1: 'a', true: 'b', 1.0: 'c'}", "((1))", "9223372036854775807", "-9223372036854775807 - 1",
    ])
    + each("{{ @ }}", [
        "1 + 2", "1 + 2.5", "1.5 + 1", "true + true", "'a' + 'b'", "[1] + [2]", "(1,) + (2,)", "7 - 10",
        "true - 2", "3 * 4", "3 * 'ab'", "'ab' * 2", "'ab' * -1", "[1, 2] * 2", "(1,) * 2", "2 * [0]",
        "'x' * true", "7 / 2", "6 / 2", "7.5 / 2", "7 // 2", "-7 // 2", "7 // -2", "7.5 // 2", "-7.5 // 2",
        "7 % 3", "-7 % 3", "7 % -3", "7.5 % 2", "-7.5 % 2", "7.5 % -2", "-0.0 % 1", "2 ** 10", "2 ** -1",
        "2 ** 0.5", "2.0 ** 3", "0 ** 0", "2 ** 3 ** 2", "-2 ** 2", "2 ** -2 ** 2", "1 ~ 2", "'a' ~ 1 ~ none",
        "1 + 2 ~ 3 + 4", "1 ~ 2 * 3", "-i", "+i", "-f", "--i", "-t", "+t", "- i", "-i|abs", "-i.real",
        "10 - 3 - 2", "2 * 3 + 4 * 5", "(2 + 3) * 4", "100 // 7 % 5", "1 + 2 * 3 ** 2", "big / 3", "big * 1.0",
        "0.1 + 0.2", "1e308 * 10", "-1e308 * 10", "1 / 3", "2 / 3 * 3", "5 // 0.3", "5 % 0.3", "1e16 + 1",
        "'%s-%d' % ('a', 5)", "'%5.2f|%-5s|%05d' % (3.14159, 'ab', 42)", "'%x %X %o %e %g' % (255, 255, 8, 1e5, 1e-5)",
        "'%(a)s' % d", "'%%' % ()", "'%s' % l", "'%r' % 'x'", "'%s' % none", "'%c%c' % (65, 'b')", "'%+d % d' % (1, 2)",
        "'%#x %#o' % (255, 8)", "'%.3s' % 'abcdef'", "'%*d' % (5, 42)", "'%d' % 3.9", "'%i' % true", "'abc' % d",
    ])
    + each("{{ @ }}", [
        "1 == 1.0", "1 == true", "1 == '1'", "none == false", "[1] == [1.0]", "(1,) == [1]", "{'a': 1} == {'a': 1.0}",
        "{'a': 1, 'b': 2} == {'b': 2, 'a': 1}", "1 != 2", "'a' < 'b'", "'a' < 'B'", "'é' > 'z'", "[1, 2] < [1, 3]",
        "[1] < [1, 0]", "(1, 'a') <= (1, 'a')", "1 < 2 < 3", "1 < 3 < 2", "3 > 2 >= 2", "1 < 2 == 2", "1.5 >= 1",
        "big > 9007199254740992.0", "true > 0", "'a' in 'abc'", "'' in ''", "'d' in d", "'a' in d", "3 in l",
        "3.0 in l", "true in l", "none in mix", "4 not in l", "1 in (1, 2)", "'x' in ['xy']", "'日' in u", "[0] in mix",
        "1 in [1] in [[1]]", "not 1", "not ''", "not []", "not not 'a'", "not 1 == 2", "1 and 2", "0 and 2", "'' or 'x'",
        "[] or {} or 0", "1 or undef", "0 and undef", "1 and 0 or 3", "not 1 or 1", "t and n", "n is none and t",
        "'a' if t else 'b'", "'a' if z else 'b'", "'a' if z else 'b' if t else 'c'", "'a' if z", "('a' if z) ~ 'x'",
        "('a' if z) is defined", "'a' if t if z", "1 if 0 == 0 else 2", "(1 if t else 2) + 1", "1 if t else 2 + 1",
        "i > 2 and j < 0", "i + 1 == 4", "i in l and 'a' in d", "not i in l", "i not in l", "(not i) in l",
    ])
)

ERRORS = each("{{ @ }}", [
    "undef", "undef + 1", "1 + undef", "undef ~ 'a'", "undef == 1", "undef != undef", "undef < 1", "1 > undef", "not undef",
    "undef and 1", "undef or 1", "undef if t else 1", "1 if undef else 2", "undef.a", "undef['a']", "undef()", "undef[0]",
    "undef[1:]", "undef in l", "1 in undef", "undef|length", "undef|upper", "undef|list", "undef|join", "undef|int", "undef|first",
    "undef|string", "-undef", "+undef", "undef ** 2", "undef % 2", "undef is odd", "undef is lower", "undef is iterable",
    "undef is eq 1", "undef is in l", "d.c", "d['c']", "d.c.e", "d.a.b", "d[0]", "d[1, 2]", "l.a", "l[10]", "l['a']", "l[1.5]",
    "l[none]", "s.foo", "s[100]", "i.foo", "i[0]", "n.foo", "n[0]", "f.x", "t.x", "dd.x.w", "dd.x.y.z.q", "(1, 2).foo",
    "l|first|first", "[]|first", "[]|last", "[]|max", "''|min", "loop", "loop.index", "caller()", "mac()", "[undef]",
    "[undef, 1]|join", "{'a': undef}.a", "{undef: 1}", "dict(a=undef)", "namespace(a=1).b", "d.items.x",
    "1 + 'a'", "'a' + 1", "'a' - 'b'", "'a' * 'b'", "'a' * 1.5", "[] + ()", "[1] + 1", "1 - none", "none + none", "d + d",
    "-'a'", "+none", "-l", "1 / 0", "1 // 0", "1 % 0", "1.0 / 0", "1.0 // 0", "1.0 % 0", "0 ** -1", "0.0 ** -1", "10.0 ** 400",
    "1 < 'a'", "'a' < none", "none < none", "[1] < ['a']", "{} < {}", "l < (1,)", "1 in 1", "1 in 'a'", "none in 'a'", "[1] in d",
    "{[1]: 2}", "{{}: 1}", "1()", "'a'()", "none()", "l()", "s.upper.x is defined and 1()", "l[::0]", "s['a':]", "i[1:]", "d[1:]",
    "range('a')", "range(1.5)", "range()", "range(1, 2, 3, 4)", "range(1, 2, 0)", "dict(1)", "dict([1])", "dict(**1)",
    "'%d' % 'a'", "'%s %s' % 1", "'%s' % (1, 2)", "'%z' % 1", "'%' % 1", "'%(a)s' % 1", "'%(zz)s' % d", "'abc' % 1",
    "s.upper(1)", "s.split(1)", "s.split('')", "s.index('zz')", "s.rindex('zz')", "s.replace('a')", "s.strip(1)", "s.join([1])",
    "s.center()", "s.center('a')", "s.ljust(20, 'ab')", "s.startswith(1)", "s.partition('')", "s.zfill('a')", "s.find(1)",
    "s.upper(foo=1)", "l.index(9)", "l.pop(9)", "[].pop()", "l.remove(9)", "l.index()", "d.pop('zz')", "d.get()", "{}.popitem()",
    "d.get([])", "d.update(1)", "l.extend(1)", "l.insert(1)", "mix.sort()", "(1, 2).index(3)", "'{}'.format()", "'{a}'.format()",
    "'{'.format()", "'}'.format()", "'{!z}'.format(1)", "'{:d}'.format('a')", "'{:z}'.format(1)", "'{0} {}'.format(1)",
    "'{:5}'.format(l)", "'{0.foo}'.format(1)", "'{0[9]}'.format(l)", "'{:.2d}'.format(1)", "'{:=5}'.format('a')",
    "1|length", "none|length", "i|list", "i|join", "none|first", "i|last", "mix|sort", "mix|max", "i|sort", "l|dictsort",
    "'a'|abs", "none|abs", "l|round", "'a'|round", "f|round(method='up')", "i|sum", "k|sum", "rows|sum('k')", "d|map('upper', 1)|list",
    "l|map|list", "l|map('zz')|list", "l|select('zz')|list", "l|selectattr|list", "l|map(foo=1)|list", "rows|map(attribute='zz')|list",
    "rows|groupby('zz')", "l|batch|list", "l|slice(0)|list", "i|dictsort", "d|dictsort(by='zz')", "s|truncate(1)", "i|truncate",
    "i|indent", "i|wordwrap", "s|wordwrap(0)", "s|format(1)", "'%s'|format(1, a=2)", "i|items|list", "s|attr", "i|urlencode|length|foo",
    "s|replace('a')", "s|zz", "s is zz", "s|center('a')", "s|upper(1)", "s|default(1, 2, 3)", "i is divisibleby", "s is divisibleby 2",
    "i is divisibleby 0", "i is in 5", "i is lt 'a'", "s|tojson(indent=undef)", "range|tojson", "undef|tojson", "l|join(attribute='a')",
    "[1, 2]|select('odd', 3)|list", "joiner(1, 2)", "cycler()", "namespace(1)", "loop(1)", "l.append()", "'abc'.encode()",
    "s.translate({})", "'a' * 10 ** 12", "(-8) ** 0.5", "9223372036854775807 + 1", "-9223372036854775807 - 2",
    "9223372036854775807 * 2", "2 ** 63", "9223372036854775808", "'99999999999999999999'|int", "1e30|int", "s.__class__", "d.__len__",
    "s|random", "s|pprint|zz", "lipsum()", "dict.fromkeys", "s|striptags", "s|urlize", "l.sort(key=1)",
]) + [
    "{% if undef %}a{% endif %}", "{% for a in undef %}{% endfor %}", "{% for a in 5 %}{% endfor %}", "{% for a in none %}{% endfor %}",
    "{% for a, b in l %}{% endfor %}", "{% for a, b in [[1]] %}{% endfor %}", "{% for a, b in [[1, 2, 3]] %}{% endfor %}",
    "{% for a in l if undef %}{% endfor %}", "{% for a in l if a > 'x' %}{% endfor %}", "{% set a, b = 1 %}", "{% set a, b = [1] %}",
    "{% set a, b = 'abc' %}", "{% set a, b = undef %}", "{% set d.a = 1 %}", "{% set undef.a = 1 %}", "{% set ns = namespace(a=1) %}{{ ns.b }}",
    "{% macro m(a) %}{{ a }}{% endmacro %}{{ m() }}", "{% macro m(a) %}{{ a }}{% endmacro %}{{ m(1, 2) }}",
    "{% macro m(a) %}{{ a }}{% endmacro %}{{ m(b=1) }}", "{% macro m(a) %}{{ a }}{% endmacro %}{{ m(1, a=2) }}",
    "{% macro m() %}{{ caller() }}{% endmacro %}{{ m() }}", "{% macro m() %}{% endmacro %}{% call m() %}{% endcall %}",
    "{% macro m() %}{{ caller(1) }}{% endmacro %}{% call m() %}{% endcall %}", "{% call i() %}{% endcall %}",
    "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "{% for a in l %}{{ loop(1) }}{% endfor %}",
    "{% for a in l recursive %}{{ loop(1) }}{% endfor %}", "{% for a in l %}{{ loop.cycle() }}{% endfor %}",
    "{% for a in l %}{{ loop.foo }}{% endfor %}", "{% for a in l %}{{ loop.previtem }}{% endfor %}",
    "{% for a in l %}{{ loop.nextitem }}{% endfor %}", "{% filter length %}abc{% endfilter %}", "{% with a = undef %}{{ a }}{% endwith %}",
    "{{ [1, 2][undef] }}", "{{ {}[undef] }}", "\n\n{{ undef }}", "a\nb\n{% if t %}\n{{ d.zz }}{% endif %}", "{{ d.pop('a') }}{{ d.a }}",
    "{% for a in d %}{% set _ = d.update({a ~ 'x': 1}) %}{% endfor %}", "{% for a in l %}{% set _ = l.append(a) %}{% endfor %}",
    "{{ ('a' if z) + 'b' }}", "{{ ('a' if z).foo }}", "{{ ('a' if z)[0] }}", "{{ ('a' if z) < 1 }}", "{{ -('a' if z) }}", "{{ ('a' if z)() }}",
]

SYNTAX = [
    "{{", "{{ }}", "{{ 1", "{{ 1 }", "{%", "{% %}", "{% if %}{% endif %}", "{% if 1 %}", "{% endif %}", "{% if 1 %}{% endfor %}", "{% foo %}",
    "{% for %}{% endfor %}", "{% for a %}{% endfor %}", "{% for a in %}{% endfor %}", "{% for 1 in l %}{% endfor %}", "{% for a in l %}",
    "{% for a.b in l %}{% endfor %}", "{% for [a] in l %}{% endfor %}", "{% set %}", "{% set a %}", "{% set 1 = 2 %}", "{% set a = %}", "{% set true = 1 %}",
    "{% set a.b.c = 1 %}", "{% set a + b = 1 %}", "{% macro %}{% endmacro %}", "{% macro m %}{% endmacro %}", "{% macro m(1) %}{% endmacro %}",
    "{% macro m(a=1, b) %}{% endmacro %}", "{% macro m(a, a) %}{% endmacro %}", "{% call %}{% endcall %}", "{% call i %}{% endcall %}", "{% filter %}{% endfilter %}",
    "{% with a %}{% endwith %}", "{% with a = 1 b = 2 %}{% endwith %}", "{# open", "{# open #", "{#", "{% raw %}", "{% raw %}x", "{% raw %}{% endraw", "{% endraw %}",
    "{{ 'open }}", '{{ "open }}', "{{ a b }}", "{{ a. }}", "{{ a.'b' }}", "{{ a[ }}", "{{ a[1 }}", "{{ (1 }}", "{{ 1) }}", "{{ [1) }}", "{{ {1} }}", "{{ {1: } }}",
    "{{ a| }}", "{{ a|1 }}", "{{ a is }}", "{{ a is 1 }}", "{{ a is b is c }}", "{{ a is not }}", "{{ f(a=1, b) }}", "{{ f(*a, *b) }}", "{{ f(**a, b=1) }}",
    "{{ f(a=1, a=2) }}", "{{ f(, ) }}", "{{ f(a b) }}", "{{ 1 + }}", "{{ * 1 }}", "{{ 1 ** }}", "{{ not }}", "{{ and 1 }}", "{{ 1 and }}", "{{ 1 if }}", "{{ 1 if 2 else }}",
    "{{ 1 = 2 }}", "{{ a ? b }}", "{{ a & b }}", "{{ a ^ b }}", "{{ a $ b }}", "{{ a @ b }}", "{{ a ! b }}", "{{ `a` }}", "{{ 007 }}", "{{ 1__0 }}", "{{ 0b2 }}", "{{ 1.2.3 }}",
    "{{ 1a }}", "{{ ²a }}", "{{ a² }}", "{{ '\\x4' }}", "{{ '\\u12' }}", "{{ '\\U00110000' }}", "{{ s|nofilter }}", "{{ s is notest }}", "{% if s|nofilter %}{% endif %}",
    "{{ a if t else s|nofilter }}", "{% for a in l|nofilter %}{% endfor %}", "{% if t %}{% else %}{% else %}{% endif %}", "{% if t %}{% elif %}{% endif %}",
    "{% for loop in l %}{{ loop }}{% endfor %}", "{% for a in l %}{% set loop = 1 %}{% endfor %}", "{% break %}", "{% continue %}", "{% for a in l %}{% break %}{% endfor %}",
    "{% do 1 %}", "{% generation %}{% endgeneration %}", "{% autoescape true %}{% endautoescape %}x", "{% macro m(caller) %}{{ caller() }}{% endmacro %}",
    "{% if t: %}ok{% endif %}", "{% if t %}ok{% endif x %}", "{% print %}", "{% print 1 %}", "{% print 1, 2 %}", "{% include 'a' %}", "{% import 'a' as b %}", "{% extends 'a' %}",
    "{% block a %}{% endblock %}x", "{% from 'a' import b %}", "{{ a[1:2, 3] }}", "{{ a[:, 1] }}", "{{ x is defined }}{{", "{{ ''' }}", "{{ a.1.b }}", "{{ l.0 }}", "{{ l.1.real }}", "{{ [[1, 2]].0.1 }}",
]

FILTERS = each("{{ @ }}", [
    "j|abs", "g|abs", "t|abs", "s|attr('upper') is callable", "d|attr('a') is defined", "l|batch(2)|list", "l|batch(2, '-')|list", "l|batch(5, 0)|list", "[]|batch(2)|list",
    "l|batch(0)|list", "s|capitalize", "u|capitalize", "'ÀB ßC'|capitalize", "i|capitalize", "n|capitalize", "'ab'|center(7) ~ '|'", "'ab'|center(6) ~ '|'", "'abc'|center(6) ~ '|'", "i|center(5)",
    "'x'|center|length", "l|count", "d|length", "u|length", "e|length", "(1, 2)|length", "{}|length", "undef|default('x')", "undef|d", "e|default('x')", "e|default('x', true)", "n|d('x', true)", "n|d('x')",
    "z|default(5, boolean=true)", "d.zz|default('none')", "undef|default(undef)|default(1)", "d|dictsort", "d|dictsort(true)", "{'b': 1, 'A': 2, 'c': 0}|dictsort", "{'b': 1, 'A': 2}|dictsort(case_sensitive=true)",
    "{'b': 1, 'A': 2, 'c': 0}|dictsort(false, 'value')", "{'b': 1, 'A': 2}|dictsort(reverse=true)", "x|e", "x|escape", "x|e|e", "x|forceescape|forceescape", "x|safe|e", "(x|e) + x", "x + (x|e)", "(x|e) ~ x", "[x|e]",
    "(x|e)|upper", "(x|e).replace('<', '<')", "(x|e)|replace('b', '<')", "'%s'|safe|format(x)", "('<%s>'|safe) % x", "(x|e) * 2", "x|e|length", "(x|e)[0:4]", "(x|e) is escaped", "x is escaped", "(x|safe).join(['<', '>'])", "(x|e).split(';')", "(x|e) == '&lt;b&gt;&amp;&#39;'",
    "i|e", "n|e", "l|e", "100|filesizeformat", "1|filesizeformat", "0|filesizeformat", "1000|filesizeformat", "1024|filesizeformat(true)", "123456789|filesizeformat", "1e20|filesizeformat", "1e27|filesizeformat", "'2048'|filesizeformat(binary=true)", "999|filesizeformat", "-5|filesizeformat",
    "l|first", "s|first", "d|first", "u|first", "range(3)|first", "(l|map('string'))|first", "'1.5'|float", "'x'|float", "'x'|float(9)", "'x'|float(default='d')", "n|float", "i|float", "' 1e3 '|float", "'1_0'|float", "'inf'|float", "'-nan'|float", "'1,5'|float", "''|float", "l|float", "'٣'|float", "'1__0'|float", "'_1'|float",
    "'%s-%s'|format('a', 1)", "'%(a)s'|format(a=5)", "'%5.1f'|format(f)", "'x'|format", "rows|groupby('n')", "rows|groupby('k')", "rows|groupby('k', case_sensitive=true)", "rows|groupby(attribute='zz', default=0)", "(rows|groupby('n'))[0].grouper", "(rows|groupby('n'))[1].list|length", "rows|groupby('n')|map('first')|list", "nl|groupby(0, default='-')",
    "lines|indent", "lines|indent(2)", "lines|indent(2, true)", "lines|indent(1, blank=true)", "lines|indent('> ')", "lines|indent(width=0, first=true)", "e|indent(2, true)", "'a\r\nb'|indent(1)", "'42'|int", "'42.7'|int", "'x'|int", "'x'|int(5)", "'0x1f'|int(0, 16)", "'1f'|int(base=16)", "'0b11'|int(base=2)", "'0o17'|int(0, 8)", "'0x10'|int(base=0)", "'z'|int(base=36)", "f|int", "-2.7|int", "t|int", "n|int", "n|int(default=none)", "' 7 '|int", "'1_000'|int", "'١٢'|int", "''|int", "'-0'|int", "l|int", "'1e3'|int", "'inf'|int", "'٣'|int", "'+5'|int", "'5-'|int", "'010'|int(base=0)", "'12'|int(base=2)", "'5'|int(base=99)",
    "d|items|list", "{}|items|list", "undef|items|list", "l|join", "l|join(', ')", "l|join(d='-')", "k|join('|')", "mix|join(',')", "s|join('.')", "d|join(',')", "rows|join(',', 'n')", "rows|join(attribute='k')", "[]|join(',')", "l|join(1)", "u|join('·')", "l|last", "s|last", "d|last", "range(3)|last", "(1, 2)|last", "s|list", "d|list", "range(3)|list", "u|list", "{}|list", "(1, 2)|list", "S|lower if false else s|lower", "'ÀΣ'|lower", "u|lower", "i|lower", "n|lower",
    "k|map('upper')|list", "k|map('upper')|join(',')", "rows|map(attribute='n')|list", "rows|map(attribute='zz', default='-')|list", "rows|map(attribute='n', default='-')|sum", "l|map('string')|list", "nl|map('length')|list", "nl|map('first')|map('default', 'x')|list", "k|map('replace', 'a', 'z')|list", "[d, d]|map(attribute='b.0')|list", "[l, l]|map(attribute=1)|list", "[]|map('zz')|list", "''|map|list", "n|map('upper')|list", "nl|map('sum')|first",
    "l|max", "l|min", "k|max", "k|min", "k|max(case_sensitive=true)", "k|min(true)", "rows|max(attribute='n')", "rows|min(attribute='k')", "['b', 'A']|max", "[1, 2.0]|max", "[2, 2.0]|max", "'hello'|max", "d|max", "l|reject('odd')|list", "l|reject|list", "mix|reject|list", "mix|reject('none')|list", "rows|rejectattr('n', 'eq', 2)|list", "rows|rejectattr('zz', 'defined')|list|length", "rows|rejectattr('n')|list",
    "s|replace('l', 'L')", "s|replace('l', 'L', 1)", "s|replace('l', '')", "s|replace('', '-')", "i|replace('3', 'x')", "s|replace('o', i)", "s|replace('l', 'L', count=2)", "s|replace('l', 'L', 0)", "s|replace('l', 'L', -1)", "u|replace('ï', 'i')",
    "s|regex_replace('l+', '<\\\\g<0>>')", "s|regex_replace('(?i)[w-z]', '', 1)", "u|regex_replace('\\\\W', '.')", "s|regex_replace('', '-', count=2)",
    "s|regex_replace('l', 'L', -1)", "s|reverse", "u|reverse", "l|reverse|list", "d|reverse|list", "range(3)|reverse|list", "(1, 2)|reverse|list", "(l|map('string'))|reverse", "'e\u0301'|reverse", "d.items()|reverse|list",
    "f|round", "42.55|round", "42.55|round(1)", "42.55|round(1, 'floor')", "42.55|round(1, 'ceil')", "42.55|round(method='ceil')", "2.5|round", "3.5|round", "-2.5|round", "0.5|round", "2.675|round(2)", "1234.5|round(-2)", "1250|round(-2)", "1350|round(-2)", "-1250|round(-2)", "5|round", "5|round(2)", "1e300|round(2)", "t|round", "1.005|round(2)", "55.0|round(-1)", "45.0|round(-1)", "5.0|round(-1)", "4.0|round(-1)", "6.0|round(-1)", "0.0|round(-3)", "123.456|round(5)", "1e-10|round(3)", "-0.4|round", "f|round(none)", "3.7|round|int", "i|round(1, 'floor')", "1e16|round(-10)", "5e15|round(-16)",
    "x|safe", "l|select|list", "mix|select|list", "l|select('odd')|list", "l|select('gt', 1)|list", "l|select('>', 1)|list", "k|select('in', 'ab')|list", "mix|select('string')|list", "l|select('divisibleby', 2)|list", "[]|select('zz')|list", "rows|selectattr('n', 'eq', 1)|list", "rows|selectattr('n', '==', 2)|map(attribute='k')|join", "rows|selectattr('k')|list|length", "rows|selectattr('k', 'in', ['a'])|list", "rows|selectattr('zz', 'undefined')|list|length", "[dd]|selectattr('x.y.z', 'eq', 'deep')|list",
    "l|slice(2)|list", "l|slice(2, 'x')|list", "l|slice(5)|list", "range(10)|slice(3)|list", "range(10)|slice(3, '-')|list", "[]|slice(2)|list", "l|slice(-1)|list", "l|sort", "l|sort(true)", "l|sort(reverse=true)", "k|sort", "k|sort(case_sensitive=true)", "rows|sort(attribute='n')", "rows|sort(attribute='n,k')", "rows|sort(attribute='k', case_sensitive=true)", "rows|sort(reverse=true, attribute='n')", "d|sort", "s|sort", "[[2, 'a'], [1, 'b']]|sort", "nl|sort(attribute=0, reverse=false)|length if false else 1", "[true, 0, 2.5]|sort", "[none]|sort",
    "i|string", "l|string", "n|string", "u|string|length", "l|sum", "l|sum(start=10)", "floats|sum", "rows|sum('n')", "rows|sum(attribute='n', start=0.5)", "[]|sum", "nl|sum(start=[])", "s|title", "'foo-bar (baz) <q {x [y'|title", "u|title", "\"it's o'clock\"|title", "'ÀB_c d1e'|title", "i|title", "'ǆ'|title", "'ß a'|title", "d|tojson", "l|tojson", "s|tojson", "x|tojson", "u|tojson", "n|tojson", "t|tojson", "f|tojson", "floats|tojson", "mix|tojson", "nl|tojson", "d|tojson(2)", "d|tojson(indent=0)", "[]|tojson(2)", "{}|tojson(2)", "{'b': 1, 'a': 2}|tojson", "{1: 2, none: 3}|tojson if false else 0", "{2: 'b', 1: 'a'}|tojson", "(1, 2)|tojson", "q|tojson", "'\\n\\t\\x01\\u2028😀'|tojson", "{'a': {'b': [1, {'c': none}]}}|tojson(indent=1)",
    "m|trim", "m|trim('p \t')", "'xxaxx'|trim('x')", "i|trim", "u|trim('ßÜ')", "'\\u2003a\\u00a0'|trim", "s|truncate(5)", "'foo bar baz qux'|truncate(9)", "'foo bar baz qux'|truncate(9, true)", "'foo bar baz qux'|truncate(11)", "'foo bar baz qux'|truncate(11, false, '...', 0)", "'foo bar baz qux'|truncate(9, end='>')", "'foo bar baz qux'|truncate(9, leeway=0)", "'foobarbazqux'|truncate(5, leeway=0)", "'foobarbazqux'|truncate(3, leeway=0)", "u|truncate(5, true, '', 0)", "l|truncate",
    "[3, 1, 3]|unique|list", "['a', 'A', 'b']|unique|list", "['a', 'A', 'b']|unique(true)|list", "rows|unique(attribute='n')|list", "rows|unique(attribute='k')|list", "[1, true, 1.0]|unique|list", "s|unique|join", "s|upper", "u|upper", "'ﬁ'|upper", "i|upper", "s|urlencode", "u|urlencode", "'a/b?c=d&e'|urlencode", "d|urlencode", "[['a', 1], ['b c', 'd/e']]|urlencode", "i|urlencode", "n|urlencode", "'~-._'|urlencode", "s|wordcount", "u|wordcount", "\"it's a_b-c 1.5\"|wordcount", "e|wordcount", "i|wordcount",
    "'The quick brown fox'|wordwrap(10)", "'The quick brown fox'|wordwrap(3)", "'The quick brown fox'|wordwrap(3, false)", "'abcdefghij'|wordwrap(4)", "'abcdefghij'|wordwrap(4, false)", "'a-b well-known e-mail foo--bar'|wordwrap(7)", "'a-b well-known e-mail'|wordwrap(7, break_on_hyphens=false)", "lines|wordwrap(4)", "'a b c'|wordwrap(3, wrapstring='|')", "'  lead and trail  '|wordwrap(8)", "'x'|wordwrap", "'one-two-three-four'|wordwrap(5)", "'semi-long------dashes here'|wordwrap(9)", "e|wordwrap(5)", "'word  double  space'|wordwrap(6)",
    "{'a': 1, 'b': none, 'c': '<'}|xmlattr", "{}|xmlattr", "{'a': 1}|xmlattr(false)", "{'a b': 1}|xmlattr is defined if false else 1", "{'x': undef, 'y': true}|xmlattr", "s|upper|lower|title|replace('H', 'J')|length", "(s|upper).lower()", "s|default('x')|upper", "l|map('string')|map('upper')|select('in', ['1', '3'])|join('+')",
])

TESTS = each("{{ @ }}", [
    "i is odd", "i is even", "j is odd", "f is odd", "-3 is odd", "z is even", "t is odd", "i is divisibleby 3", "i is divisibleby(2)", "i is not divisibleby 2", "7.5 is divisibleby 2.5", "i is defined", "undef is defined", "undef is undefined", "undef is not defined", "d.zz is defined", "d.a is defined", "d['zz'] is undefined", "dd.x.q is defined", "l[9] is defined", "l[0] is defined", "n is defined",
    "'upper' is filter", "'zz' is filter", "'odd' is test", "'zz' is test", "'d' is filter", "'==' is test", "n is none", "n is not none", "z is none", "undef is none", "t is boolean", "z is boolean", "t is true", "1 is true", "false is false", "0 is false", "z is integer", "t is integer", "f is integer", "f is float", "i is float", "1.0 is float", "'abc' is lower", "'aBc' is lower", "'ABC' is upper", "'123' is upper", "'' is lower", "i is lower", "n is upper", "u is lower",
    "s is string", "i is string", "(x|e) is string", "d is mapping", "l is mapping", "i is number", "f is number", "t is number", "'1' is number", "n is number", "s is sequence", "l is sequence", "d is sequence", "i is sequence", "range(3) is sequence", "undef is sequence", "(l|map('string')) is sequence", "d.items() is sequence", "s is iterable", "l is iterable", "i is iterable", "n is iterable", "(l|map('string')) is iterable", "d.items() is iterable", "range is iterable", "range is callable", "s.upper is callable", "s is callable", "undef is callable", "joiner() is callable", "dict is callable",
    "n is sameas none", "t is sameas true", "t is sameas 1", "l is sameas l", "l is sameas [3, 1, 2]", "[] is sameas []", "x is escaped", "i is in l", "9 is in l", "'a' is in 'abc'", "'a' is in d", "9 is not in l", "i is eq 3", "i is equalto 3", "i is ne 3", "i is lt 4", "i is lessthan 2", "i is le 3", "i is gt 2", "i is greaterthan 3", "i is ge 3", "'a' is lt 'b'", "i is eq(3)", "i is eq 3 and t", "i is eq 3 or n", "not i is eq 3", "i is not eq 3", "i is eq i", "s is eq 'hello World'", "l is eq [3, 1, 2]", "i is in [1, 2, 3] + [4]", "i is divisibleby i.real", "i is eq l[0]", "i + 1 is eq 4", "1 + (i is eq 3)", "s is string is defined", "i is defined if t else 2", "i is not none and i is odd", "l is iterable and l is not string",
])

METHODS = each("{{ @ }}", [
    "s.upper()", "s.lower()", "s.capitalize()", "s.title()", "s.swapcase()", "u.upper()", "u.lower()", "u.swapcase()", "u.casefold()", "'ǅx'.title()", "'ΑΣ'.lower()", "\"they're bill's\".title()", "'ŉ'.upper()", "'İ'.lower()|length", "s.strip()", "m.strip() ~ '|'", "m.lstrip() ~ '|'", "m.rstrip() ~ '|'", "m.strip(none) ~ '|'", "'xyxaxy'.strip('xy')", "'xyxaxy'.lstrip('xy')", "'xyxaxy'.rstrip('yx')", "'abc'.strip('')", "u.strip('ßÜ')", "'\\u3000a\\u2028'.strip()",
    "w.split()", "w.split(',')", "w.split('a')", "w.split(none)", "w.split(' ', 1)", "w.split(maxsplit=1)", "w.split(sep=',')", "' a  b '.split()", "' a  b '.split(' ')", "' a  b c '.split(none, 1)", "' a  b c '.rsplit(none, 1)", "'a,b,c'.rsplit(',', 1)", "'a,b,c'.split(',', 0)", "' a '.split(none, 0)", "' a '.rsplit(none, 0)", "''.split()", "''.split(',')", "'a\\u2003b'.split()", "'aXXbXXc'.split('XX')", "'日a本a'.split('a')", "'a,b'.split(',', -5)", "lines.splitlines()", "lines.splitlines(true)", "'a\\r\\nb\\rc\\x0bd\\x1ce\\u2028f'.splitlines()", "'a\\n'.splitlines()", "''.splitlines()", "lines.splitlines(keepends=true)|length",
    "', '.join(k)", "''.join(k)", "'-'.join('abc')", "','.join(d)", "','.join([])", "'日'.join(['a', 'b'])", "','.join(k|map('upper'))", "s.replace('l', 'L')", "s.replace('l', 'L', 1)", "s.replace('l', 'L', -1)", "s.replace('', '-', 3)", "'日'.replace('', '-')", "s.replace('zz', 'y')", "s.startswith('he')", "s.startswith('He')", "s.startswith(('x', 'h'))", "s.startswith('W', 6)", "s.startswith('l', 2, 3)", "s.startswith('')", "s.startswith('', 99)", "s.endswith('ld')", "s.endswith(('a', 'd'))", "s.endswith('o', 0, 5)", "s.endswith(())",
    "s.find('o')", "s.find('o', 5)", "s.find('o', 5, 6)", "s.find('zz')", "s.find('')", "s.find('', 99)", "s.find('o', -4)", "s.rfind('o')", "s.rfind('o', 0, 5)", "u.find('本')", "u.rfind('ï')", "u.index('日')", "s.rindex('l')", "s.count('l')", "s.count('')", "s.count('l', 3)", "'aaaa'.count('aa')", "u.count('', 2)", "'abc'.find('', 3)", "'abc'.find('', 2, 1)", "s.isdigit()", "num.isdigit()", "'²'.isdigit()", "'²'.isdecimal()", "'½'.isnumeric()", "'三'.isnumeric()", "'٣'.isdecimal()", "e.isdigit()", "'ab1'.isalnum()", "'ab'.isalpha()", "'ab1'.isalpha()", "u.isalpha()", "' \\t\\u00a0'.isspace()", "e.isspace()", "'AB1'.isupper()", "'1'.isupper()", "'ab1'.islower()", "'Ab Cd'.istitle()", "'Ab cd'.istitle()", "'1a'.istitle()", "e.istitle()", "'ab'.isascii()", "u.isascii()", "e.isascii()", "'a b'.isprintable()", "'\\n'.isprintable()", "'a1'.isidentifier()", "'1a'.isidentifier()", "'é_'.isidentifier()",
    "'42'.zfill(5)", "'-42'.zfill(5)", "'+4'.zfill(1)", "''.zfill(2)", "'ab'.ljust(5) ~ '|'", "'ab'.rjust(5)", "'ab'.ljust(5, '*')", "'ab'.rjust(5, '日')", "'ab'.center(5, '*')", "'abc'.center(6, '*')", "'ab'.center(1)", "'日本'.center(5, '-')", "'foobar'.removeprefix('foo')", "'foobar'.removeprefix('bar')", "'foobar'.removesuffix('bar')", "'foobar'.removesuffix('')", "'a-b-c'.partition('-')", "'a-b-c'.rpartition('-')", "'abc'.partition('-')", "'abc'.rpartition('-')", "'a\\tb\\n\\tc'.expandtabs(4)", "'a\\tb'.expandtabs()", "'a\\tb'.expandtabs(0)", "s.upper().lower().title()", "s.split()[0].upper()", "s.split()|last", "'a'.join",
    "'{} {}'.format(1, 'a')", "'{1} {0}'.format(1, 2)", "'{a} {b}'.format(a=1, b=2)", "'{0} {0!r}'.format('x')", "'{!s:>5}|{!a}'.format('é', 'é')", "'{:>5}|{:<5}|{:^5}|{:*^7}'.format('a', 'b', 'c', 'd')", "'{:5}|{:5}'.format('a', 1)", "'{:05d} {:+d} {: d} {:,} {:_}'.format(42, 42, 42, 1234567, 1234567)", "'{:x} {:X} {:o} {:b} {:#x} {:#b} {:c}'.format(255, 255, 8, 5, 255, 5, 65)", "'{:.2f} {:.3e} {:g} {:%} {:.1%}'.format(f, 12345.678, 0.0001, 0.25, 0.255)", "'{:10.3f}|{:<10.3f}|{:010.3f}'.format(f, f, g)", "'{:.3}'.format('abcdef')", "'{:.3}'.format(3.14159)", "'{:.3}'.format(1234.5)", "'{} {}'.format(1.0, 1e16)", "'{:.0f} {:.0f}'.format(0.5, 1.5)", "'{:,.2f}'.format(1234567.891)", "'{:010,}'.format(1234)", "'{:+.1f}'.format(1.25)", "'{:e}'.format(0)", "'{:d}'.format(true)", "'{}'.format(true)", "'{:5}'.format(true)", "'{}'.format(none)", "'{{}} {}'.format(1)", "'{0[0]} {0[1]}'.format(l)", "'{0[a]}'.format(d)", "'{a[b][0]}'.format(a=d)", "'{:{}}|'.format('a', 5)", "'{:{w}.{p}f}'.format(f, w=8, p=1)", "'{0.real}'.format(5)", "'{:%}'.format(1)", "'{:n}'.format(1234)", "'{:08b}'.format(5)", "'{:<5d}|'.format(5)", "'{:=+6d}'.format(5)", "'{:é^5}'.format('a')", "'{:G} {:E}'.format(1e-10, 1e10)", "'{:#.3g}'.format(1.0)", "'{}'.format(l)", "'{a}'.format_map({'a': 1})", "'{:.2}'.format(10.0)", "'{:.1}'.format(0.00001234)", "'{:10}'.format(1.5)", "'{:f} {:z.1f} {:z.1f}'.format(i * 1e308, -0.04, -0.06)", "'{:05}'.format(-1.5)",
    "l.index(1)", "l.count(3)", "mix.index('a')", "mix.index(none)", "mix.count(1)", "choices.label.index('C')", "choices.text.index(\"it's\")", "choices['label'].index('B')", "l.index(2, 1)", "l.index(2, -1)", "(1, 2, 1).count(1)", "(1, 2).index(2)", "l.copy()", "l.append(4)", "l.append(4) or l", "l.extend([5, 6]) or l", "l.extend('ab') or l", "l.insert(0, 'x') or l", "l.insert(-1, 'x') or l", "l.insert(99, 'x') or l", "l.pop() ~ l", "l.pop(0) ~ l", "l.pop(-2) ~ l", "l.remove(1) or l", "l.sort() or l", "l.sort(reverse=true) or l", "k.sort() or k", "l.reverse() or l", "l.clear() or l", "d.items()", "d.keys()", "d.values()", "d.items", "d['items']", "d.items()|list", "d.keys()|list|length", "d.values()|list", "d.get('a')", "d.get('zz')", "d.get('zz', 5)", "d.get('items')", "d.pop('a') ~ d", "d.pop('zz', 9)", "d.copy()", "d.copy().update({'q': 1}) or d", "d.update({'q': 1}) or d", "d.update(q=2) or d", "d.update([['q', 3]]) or d", "d.setdefault('a', 9)", "d.setdefault('q', 9) ~ d", "d.setdefault('q') ~ d", "d.popitem() ~ d|length", "d.clear() or d", "d.keys() == {'a': 1, 'b': 2, 'items': 3}.keys()", "'a' in d.keys()", "1 in d.values()", "('a', 1) in d.items()", "d.items()|length", "d.keys()|first", "{}.items()", "{1: 'a'}.values()", "dd.x.y.z", "dd['x']['y']['z']", "dd.1", "dd['1']", "dd.x['y'].z", "d.b.0", "d.b[-1]", "i.bit_length()", "t.real", "f.is_integer()", "2.0.is_integer()", "i.real + i.imag", "i.numerator", "f.real", "i.bit_count()", "i.conjugate()", "f.imag",
    "range(5)", "range(5)|list", "range(2, 5)|list", "range(5, 0, -2)|list", "range(0)|list", "range(3)[1]", "range(10)[2:5]", "range(10)[::-1]", "range(10)[::3]|list", "range(5).index(3)", "range(5).count(9)", "range(5).start", "range(1, 9, 2).step", "5 in range(5)", "3 in range(5)", "3.0 in range(5)", "'a' in range(5)", "range(3) == range(0, 3)", "range(0) == range(5, 5)", "range(3)|length", "range(i)|join", "range(2, 2)|list", "range(true)|list", "range(10, 0, -3)|last", "range(1000000000000)|length", "dict(a=1, b=2)", "dict({'a': 1}, b=2)", "dict([['a', 1]])", "dict()", "dict(d).a", "namespace(a=1).a", "namespace({'a': 1}).a", "namespace(a=1)", "namespace(a=1)['a']", "cycler('a', 'b').next()", "cycler('a', 'b').current", "joiner('-')()", "joiner()()", "range", "dict", "cycler", "namespace", "self", "self.foo is defined",
])

INDEXING = each("{{ @ }}", [
    "l[0]", "l[-1]", "l[i - 1]", "l[true]", "s[0]", "s[-1]", "s[4:]", "s[:-1]", "s[1:4]", "s[::2]", "s[::-1]", "s[-3:]", "s[-100:100]", "s[5:2]", "s[10:0:-3]", "s[none:2]", "s[:]", "s[::]", "s[i:]", "s[i:i + 2]", "u[0]", "u[4]", "u[-1]", "u[3:6]", "u[::-1]", "u[-2:]", "u[::2]", "l[1:]", "l[:2]", "l[::-1]", "l[::2]", "l[5:]", "l[-2:]", "l[:-5]", "l[100::-1]", "(1, 2, 3)[1:]", "(1, 2, 3)[0]", "nl[0][1]", "nl[2][0]", "nl[0][::-1]", "'abc'[1]", "[1, 2, 3][1]", "{'a': 1}['a']", "{'a': {'b': 2}}.a.b", "(1, 2)[-1]", "d['a']", "d['b'][1]", "d.b.1", "rows[0].k", "rows[1]['n']", "rows[-1].k", "rows.0.n", "choices.text[0]", "choices.text[choices.label.index('C')]", "choices['text'][-1]", "s['upper']()", "d['keys']()|list", "l['index'](1)", "l.index(3)", "s.0", "l.2", "dd['x'].y", "{1: 'a'}[1]", "{1: 'a'}[1.0]", "{1: 'a'}[true]", "{(1, 2): 'a'}[1, 2]", "{(1, 2): 'a'}[(1, 2)]", "{none: 1}[none]", "mix[2] is none", "floats[1]", "pairs[1][1]", "(s ~ 'x')[-1]", "(s|upper)[0:5]", "s.split()[1][0]", "(l|sort)[0]", "[l, d][1].a", "('a', 'b')['0'|int]", "'\u0301a'[0]|length", "s[2**2]", "s[9223372036854775807:]", "s[-9223372036854775807:2]", "l[::9223372036854775807]", "l[::-9223372036854775807]", "l[9223372036854775807:-9223372036854775807:-1]",
])

OUTPUT = each("{{ @ }}", [
    "i", "f", "g", "n", "t", "s", "e", "u", "l", "k", "nl", "mix", "d", "rows", "floats", "big", "q", "[q]", "[s, q, u]", "choices.text", "choices", "[m]", "['\\\\']", "['\\x00\\x7f\\x80\\u200b\\ue000😀']", "['é日']", "(1,)", "((),)", "{'a': (1, none)}", "[1.0, 1e16, 1e15, 1e-4, 1e-5, 0.1, 1e22, 123456789012345680.0, 5e-324, 1.7976931348623157e308]", "1e400", "-1e400", "0.0", "-0.0", "1e100", "100000.0", "1e5", "3.0e10", "[true, false, none]", "{1: 2, 'a': 'b', none: true}", "[[], {}, ()]", "undef is defined", "['a' 'b']", "'\\''", "\"\\\"\"", "'\\n|\\t|\\\\|\\x41|\\u00e9|\\U0001F600|\\101|\\q|\\a'", "'日\\n本'", "'\\é'", "'\\日'", "'a\\\nb'", "'\\0'", "'\\08'", "'\\777'", "'a\nb'", "'{{ x }}'", "'%}'", "'}}'", "'{#'", "\"it's\"", "'say \"hi\"'", "{'a': 1}.a", "[{'a': '}}'}]", "{'k': {'l': {}}}", "d.b|string + 'x'", "l ~ d", "'' ~ none ~ true ~ 1.0", "range(3) ~ ''", "[range(2), 'a'|e]", "(x|e, 1)", "[[1, [2, [3]]]]", "1.10", "0.30000000000000004", "1e-7", "12345678901234567890.0", "0x10 + 0b11 + 0o7",
]) + [
    "{% set l2 = [1] %}{{ l2.append(l2) or l2 }}", "{% set d2 = {} %}{{ d2.update(a=d2) or d2 }}", "{% set a = [] %}{% set b = (a, a) %}{{ a.append(b) or b }}",
    "plain text", "", "\n", "{{ '' }}", "a{{ 1 }}b{{ 2 }}c", "{ { } }", "}} %} #}", "{{ '{{' }}", "{{ '}}' }}{{ \"%}\" }}", "日本 {{ u }} ß", "{{\n1\n}}", "{{ 1 -}} x", "x {{- 1 }}", "x {{- 1 -}} y", "x {{+ 1 }}", "{{ 1 }}\n", "{{ 1 }}\n\n", "a\r\nb\rc\n{{ 1 }}\r\n", "{{ 'a\r\nb' }}",
]

STATEMENTS = [
    "{% if t %}a{% endif %}", "{% if z %}a{% endif %}", "{% if z %}a{% else %}b{% endif %}", "{% if z %}a{% elif t %}b{% else %}c{% endif %}", "{% if z %}a{% elif n %}b{% elif e %}c{% else %}d{% endif %}", "{% if i > 2 and l %}a{% endif %}", "{% if t %}{% if z %}a{% else %}b{% endif %}{% endif %}", "{% if undef is defined %}a{% else %}b{% endif %}", "{% if not n %}a{% endif %}", "{% if (1, 2) %}a{% endif %}", "{% if 1, 0 %}a{% endif %}", "{% if t %}{% set a = 1 %}{% endif %}{{ a }}", "{% if z %}{% set a = 1 %}{% endif %}{{ a is defined }}", "{% if z %}{% set s = 1 %}{% endif %}{{ s }}", "{% if t %}{% set s = 1 %}{% else %}{% set s = 2 %}{% endif %}{{ s }}",
    "{% for a in l %}{{ a }}{% endfor %}", "{% for a in l %}{{ a }},{% else %}none{% endfor %}", "{% for a in [] %}{{ a }}{% else %}none{% endfor %}", "{% for a in s %}{{ a }}.{% endfor %}", "{% for a in u %}{{ a }}.{% endfor %}", "{% for a in d %}{{ a }}{% endfor %}", "{% for a, b in d.items() %}{{ a }}={{ b }};{% endfor %}", "{% for a, b in pairs %}{{ a }}{{ b }}{% endfor %}", "{% for (a, b) in pairs %}{{ a }}{{ b }}{% endfor %}", "{% for a, (b, c) in [[1, [2, 3]]] %}{{ a }}{{ b }}{{ c }}{% endfor %}", "{% for a, in [[1], [2]] %}{{ a }}{% endfor %}", "{% for a in 1, 2 %}{{ a }}{% endfor %}", "{% for a in l if a > 1 %}{{ a }}{% endfor %}", "{% for a in l if a > 9 %}{{ a }}{% else %}none{% endfor %}", "{% for a in l if a > 1 %}{{ loop.index }}{{ loop.length }}{{ loop.last }}{% endfor %}", "{% for a in range(3) %}{% for b in range(a) %}{{ a }}{{ b }} {% endfor %}{% endfor %}", "{% for a in l %}{% for a in k %}{{ a }}{% endfor %}{{ a }}{% endfor %}", "{% for a in l|sort %}{{ a }}{% endfor %}", "{% for a in l[1:] %}{{ a }}{% endfor %}", "{% for a in 'ab' if true %}{{ a }}{% endfor %}", "{% for a in (1, 2) %}{{ a }}{% endfor %}", "{% for a in d.values() %}{{ a }}{% endfor %}", "{% for s in l %}{{ s }}{% endfor %}{{ s }}", "{% for a in l %}{% set s = a %}{% endfor %}{{ s }}", "{% for a in l %}{% if loop.first %}{% set b = a %}{% endif %}{{ b is defined }}{% endfor %}",
    "{% for a in l %}{{ loop.index }}{{ loop.index0 }}{{ loop.revindex }}{{ loop.revindex0 }} {% endfor %}", "{% for a in l %}{{ loop.first }}{{ loop.last }}{{ loop.length }}{% endfor %}", "{% for a in l %}{{ a }}{{ ', ' if not loop.last }}{% endfor %}", "{% for a in l %}{% if not loop.first %}, {% endif %}{{ a }}{% endfor %}", "{% for a in l %}{{ loop.previtem if not loop.first }}{{ a }}{{ loop.nextitem if not loop.last }};{% endfor %}", "{% for a in l %}{{ loop.previtem is defined }}{{ loop.nextitem is defined }}{% endfor %}", "{% for a in range(5) %}{{ loop.cycle('x', 'y', 'z') }}{% endfor %}", "{% for a in [1, 1, 2, 2, 1] %}{{ loop.changed(a) }}{% endfor %}", "{% for a in range(4) %}{{ loop.changed(a // 2, 'c') }}{% endfor %}", "{% for a in l %}{{ loop.depth }}{{ loop.depth0 }}{% endfor %}", "{% for a in l %}{{ loop }}{% endfor %}", "{% for a in l %}{% for b in k %}{{ loop.index }}{% endfor %}{{ loop.index }}{% endfor %}", "{% for a in l %}{% set outer = loop %}{% for b in 'xy' %}{{ outer.index }}{{ loop.index }} {% endfor %}{% endfor %}", "{% for a in l|map('string') %}{{ loop.last }}{{ loop.length }}{{ a }}{% endfor %}", "{% for a in l|map('string') %}{{ loop.revindex }}{{ loop.nextitem is defined }}{% endfor %}", "{% for a in l %}{{ loop|length }}{% endfor %}", "{% for a in 'abc' %}{{ loop.length }}{% endfor %}", "{% for a in d.items() %}{{ loop.length }}{% endfor %}",
    "{% for a in nl recursive %}{% if a is iterable and a is not string %}[{{ loop(a) }}]{% else %}{{ a }}{% endif %}{% endfor %}", "{% for a in [[1, [2]], [3]] recursive %}{{ loop.depth }}{% if a is iterable %}({{ loop(a) }}){% else %}{{ a }}{% endif %}{% endfor %}", "{% for a in [{'v': 1, 'c': [{'v': 2, 'c': []}]}] recursive %}{{ a.v }}{{ loop(a.c) }}{% else %}-{% endfor %}", "{% for a in [[1], [2]] if a recursive %}{{ a }}{% if a is iterable %}{{ loop([]) }}{% endif %}{% endfor %}",
    "{% set a = 1 %}{{ a }}", "{% set a = 1, 2 %}{{ a }}", "{% set a, b = 1, 2 %}{{ a }}{{ b }}", "{% set a, b = 'xy' %}{{ a }}{{ b }}", "{% set (a, b) = l[:2] %}{{ a }}{{ b }}", "{% set a = 1 %}{% set a = a + 1 %}{{ a }}", "{% set s = s|upper %}{{ s }}", "{% set s = s ~ '!' %}{{ s }}", "{% set a %}x{{ i }}y{% endset %}{{ a }}", "{% set a %}{% for b in l %}{{ b }}{% endfor %}{% endset %}[{{ a }}]", "{% set a | upper %}x{{ i }}y{% endset %}{{ a }}", "{% set a | trim | replace('x', 'z') %} x {% endset %}{{ a }}", "{% set a %}{% endset %}{{ a|length }}", "{% set a %}{% set b = 5 %}{{ b }}{% endset %}{{ a }}{{ b is defined }}", "{% set ns = namespace(x=0) %}{% for a in l %}{% set ns.x = ns.x + a %}{% endfor %}{{ ns.x }}", "{% set ns = namespace() %}{% set ns.a = 1 %}{% set ns.b = ns.a + 1 %}{{ ns.b }}{{ ns }}", "{% set ns = namespace() %}{% set ns.a, ns.b = 1, 2 %}{{ ns.a }}{{ ns.b }}", "{% set ns = namespace() %}{% set ns.a %}text{% endset %}{{ ns.a }}", "{% set a = [] %}{% for b in l %}{% set _ = a.append(b * 2) %}{% endfor %}{{ a }}", "{% set a = 1 %}{% for b in l %}{% set a = 2 %}{% endfor %}{{ a }}", "{% set a = 1 %}{% if t %}{% set a = 2 %}{% endif %}{{ a }}", "{{ a is defined }}{% set a = 1 %}{{ a }}", "{{ s }}{% set s = 1 %}{{ s }}", "{% for b in [1] %}{{ s }}{% endfor %}{% set s = 1 %}", "{% for b in [1] %}{{ s is defined }}{% endfor %}{% set s = 1 %}{{ s }}", "{% set x2 = 1 %}{% macro m() %}{{ x2 }}{% endmacro %}{% set x2 = 2 %}{{ m() }}", "{% set true_ = 1 %}{{ true_ }}", "{% set é = 1 %}{{ é }}", "{% set _a = 1 %}{{ _a }}",
    "{% with %}{% set a = 1 %}{{ a }}{% endwith %}{{ a is defined }}", "{% with a = 1 %}{{ a }}{% endwith %}", "{% with a = 1, b = 2 %}{{ a }}{{ b }}{% endwith %}", "{% with s = 1, b = s %}{{ s }}{{ b }}{% endwith %}{{ s }}", "{% with a, b = 1, 2 %}{{ a }}{% endwith %}", "{% with (a, b) = (1, 2) %}{{ a }}{{ b }}{% endwith %}", "{% with a = 1 %}{% with a = 2 %}{{ a }}{% endwith %}{{ a }}{% endwith %}", "{% filter upper %}abc {{ s }}{% endfilter %}", "{% filter replace('a', 'b')|upper %}aca{% endfilter %}", "{% filter trim %}{% for a in l %} {{ a }} {% endfor %}{% endfilter %}", "{% filter indent(2) %}a\nb{% endfilter %}", "{% filter upper %}{% filter lower %}ABC{% endfilter %}d{% endfilter %}", "{% filter center(9) %}{% set a = 'x' %}{{ a }}{% endfilter %}{{ a is defined }}",
    "{% macro m() %}hi{% endmacro %}{{ m() }}", "{% macro m(a) %}[{{ a }}]{% endmacro %}{{ m(1) }}{{ m(a=2) }}", "{% macro m(a, b=2) %}{{ a }}{{ b }}{% endmacro %}{{ m(1) }}{{ m(1, 3) }}{{ m(b=4, a=5) }}", "{% macro m(a, b=a) %}{{ a }}{{ b }}{% endmacro %}{{ m(1) }}", "{% macro m(a=s, b=a ~ '!') %}{{ b }}{% endmacro %}{{ m() }}", "{% macro m() %}{{ varargs }}{{ kwargs }}{% endmacro %}{{ m(1, 2, a=3) }}", "{% macro m(a) %}{{ a }}{{ varargs }}{% endmacro %}{{ m(1, 2, 3) }}", "{% macro m(a) %}{{ kwargs.b }}{% endmacro %}{{ m(1, b=2) }}", "{% macro m(a, b) %}{{ a }}{{ b is defined }}{% endmacro %}{{ m(1) }}", "{% macro m(a) %}{{ a }}{% endmacro %}{{ m(*[1]) }}{{ m(**{'a': 2}) }}", "{% macro m(x) %}{% if x > 0 %}{{ x }}{{ m(x - 1) }}{% endif %}{% endmacro %}{{ m(3) }}", "{% macro m() %}{% set q = 1 %}{{ q }}{% endmacro %}{{ m() }}{{ q }}", "{% macro m() %}{{ s }}{% endmacro %}{{ m() }}", "{{ m() }}{% macro m() %}{% endmacro %}", "{% macro m() %}x{% endmacro %}{{ m() ~ m() }}{{ m()|upper }}{{ m() is string }}", "{% macro m(a, b=1) %}{% endmacro %}{{ m.name }}{{ m.arguments }}{{ m.catch_kwargs }}{{ m.catch_varargs }}{{ m.caller }}", "{% macro m() %}{% endmacro %}{{ m }}", "{% macro m() %}{{ caller() }}{% endmacro %}{% call m() %}body{% endcall %}", "{% macro m(a) %}<{{ caller(a) }}>{% endmacro %}{% call(b) m(1) %}{{ b }}{% endcall %}", "{% macro m() %}{{ caller(1, c=3) }}{% endmacro %}{% call(a, b=2, c=0) m() %}{{ a }}{{ b }}{{ c }}{% endcall %}", "{% macro m() %}{% if caller %}{{ caller() }}{% endif %}{% endmacro %}{% call m() %}x{% endcall %}", "{% macro m(caller=none) %}{{ caller is none }}{{ caller() if caller }}{% endmacro %}{{ m() }}{% call m() %}y{% endcall %}", "{% for a in l %}{% macro m() %}{{ a }}{% endmacro %}{{ m() }}{% endfor %}", "{% macro outer() %}{% macro inner() %}in{% endmacro %}{{ inner() }}{% endmacro %}{{ outer() }}", "{% macro m(l2) %}{{ l2.append(9) or l2 }}{% endmacro %}{{ m(l) }}{{ l }}", "{% macro m(n2) %}{{ loop is defined }}{% endmacro %}{% for a in l %}{{ m(1) }}{% endfor %}", "{% macro m(a) %}{% for b in a %}{{ loop.index }}{% endfor %}{% endmacro %}{% for a in nl %}{{ m(a) }}{{ loop.index }};{% endfor %}", "{% macro a() %}{{ b() }}{% endmacro %}{% macro b() %}B{% endmacro %}{{ a() }}", "{% call(v) (joiner) () %}{% endcall %}" if False else "{% set j2 = joiner(', ') %}{% for a in l %}{{ j2() }}{{ a }}{% endfor %}", "{% set c = cycler('a', 'b') %}{{ c.next() }}{{ c.next() }}{{ c.next() }}{{ c.current }}{{ c.reset() }}{{ c.current }}",
    "{% raw %}{{ x }}{% if %}{% endraw %}", "{% raw %}{% endraw %}", "a{%- raw -%} b {%- endraw -%} c", "{% raw -%}  a  {%- endraw %}", "{%raw%}a{%endraw%}", "{# c #}", "a{# {{ x }} #}b", "a {#- c -#} b", "{##}x", "{#-#}", "{# a\nb #}\nc", "{#}#}x", "{# #} #}", "a {#+ c +#} b", "{% set a = 1 -%}  \n x", "x \n {%- set a = 1 %}", "{%- if t -%} a {%- endif -%}", "{% if t -%}\n  a\n{%- endif %}\n", "{% for a in l -%}\n  {{ a }}\n{%- endfor %}", "{%+ if t %}a{%+ endif %}", "{{ l|join(',') -}}\n\n  x", "x\u2003{{- 1 }}", "{{ 1 -}}\u00a0x", "{{-1}}", "{{- 1}}", "{{ -1}}", "{{1}}", "{%if t%}a{%endif%}", "{% if t%}a{%else%}b{%endif %}", "{{\ti\t}}", "{{\u00a0i\u00a0}}", "{% if t: %}a{% else: %}b{% endif %}", "{% for a in l: %}{{ a }}{% endfor %}",
    "{{ choices.text|map('upper')|list }}", "{{ [choices.text[0], choices.text[1]] }}", "{% for c in choices.text %}{{ choices.label[loop.index0] }}. {{ c }}\n{% endfor %}Answer:", "{{ choices.label.index('B') }}", "{{ s.strip() }}\nA. {{ k[0] }}\nB. {{ k[1] }}", "{{ ['A', 'B', 'C'][i - 1] }}", "{% if 'Wor' in s %}yes{% endif %}", "{{ 'True' if t else 'False' }}", "{{ rows|map(attribute='k')|list }}", "{{ {'a': 'x', 'b': 'y'}[k[1]] }}", "{{ (i|string) + '. ' + s }}", "{{ s.split(' ')[0] if ' ' in s else s }}",
    "{% set items = [1] %}{{ items }}", "{% for a in l %}{% if a == 1 %}{% set found = true %}{% endif %}{% endfor %}{{ found is defined }}", "{% set a = namespace(found=false) %}{% for b in l %}{% if b == 1 %}{% set a.found = true %}{% endif %}{% endfor %}{{ a.found }}", "{{ [1, 2, 3]|map('string')|join }}{{ loop is defined }}", "{% set f2 = s.upper %}{{ f2() }}", "{% set g2 = 'a-b'.split %}{{ g2('-') }}", "{{ (l.append)(5) or l }}", "{{ dict(a=s.upper).a() }}", "{% set m2 = l|map('string') %}{{ m2|list }}{{ m2|list }}", "{% set m2 = l|select %}{{ m2|first }}{{ m2|first }}", "{{ 3 in (l|map('int')) }}", "{% set a = l %}{{ a.append(7) or l }}", "{% set a = l[:] %}{{ a.append(7) or l }}",
]

# The white space rules, each under the four settings of trim_blocks and lstrip_blocks.
WHITESPACE_TEMPLATES = [
    "  {% if t %}\n    a\n  {% endif %}\nb\n", "x\n{% for a in l %}\n  {{ a }}\n{% endfor %}\ny", "a {% if t %} b {% endif %} c\n", "{% if t %}\n\n{% endif %}\n", "\t{% if t %}\tx{% endif %}\t\n", "a\n  {# c #}\n  b\n", "  {# c #}  {# d #}\n", "a\n  {{ i }}\n  b", "a\n  {%+ if t %}\nb{% endif +%}\nc", "a\n  {%- if t %}\nb{% endif -%}\n  c", "  {% raw %}\n {{ x }}\n  {% endraw %}\n z", "  {% set a %}\n  x\n  {% endset %}\n[{{ a }}]\n", "{% if t %}a{% endif %}\n  {% if t %}b{% endif %}\n", "a\n\u00a0{% if t %}b{% endif %}", "a{# c #}\nb", "  {%- raw %} x {% endraw -%}  \n y", "{% set a = 1 %}\n{{ a }}\n{% set b = 2 %}\n", "\n\n{% if t %}\n\nx\n\n{% endif %}\n\n", "{{ i }}\n{% if t %}\n{{ j }}\n{% endif %}", "    {% if t %}    {% if t %}x{% endif %}    {% endif %}    ",
]
WHITESPACE = [
    (template, options)
    for template in WHITESPACE_TEMPLATES
    for options in ({}, {"trim_blocks": True}, {"lstrip_blocks": True}, {"trim_blocks": True, "lstrip_blocks": True})
] + [(template, {"strip_trailing_newline": True}) for template in ["a\n", "a\n\n", "{{ i }}\n", "\n", "{% if t %}\n{% endif %}\n", "a\r\n"]]

MESSAGES = {
    "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi <b>"}, {"role": "assistant", "content": "Yo", "tool_calls": [{"name": "f", "arguments": {"é": [1, 2.5, None]}}]}],
    "bos_token": "<s>", "eos_token": "</s>", "add_generation_prompt": True, "tools": None, "documents": None,
}
CHAT = [
    (template, {"chat": True, "clock": True})
    for template in [
        "{% for message in messages %}<|{{ message.role }}|>\n{{ message['content'] }}{{ eos_token }}\n{% endfor %}{% if add_generation_prompt %}<|assistant|>\n{% endif %}",
        "{{ bos_token }}{% for m in messages %}{% if m.role == 'system' %}{% continue %}{% endif %}{{ m.role }}:{{ m.content }};{% endfor %}",
        "{% for m in messages %}{% if loop.index0 == 1 %}{% break %}{% endif %}{{ m.content }}{% endfor %}", "{% for m in messages %}{% generation %}{{ m.content }}{% endgeneration %}\n{% endfor %}",
        "{{ messages|tojson }}", "{{ messages[2].tool_calls|tojson(indent=2) }}", "{{ messages[1].content|tojson }}", "{{ messages[2].tool_calls|tojson(ensure_ascii=true) }}", "{{ {'b': 1, 'a': [1, 2]}|tojson(separators=(',', ':')) }}", "{{ {'b': 1, 'a': 2}|tojson(sort_keys=true) }}",
        "{{ undefined_name }}", "{{ undefined_name.x }}", "{% if undefined_name %}a{% else %}b{% endif %}", "{{ undefined_name is defined }}", "{% for a in undefined_name %}x{% endfor %}-", "{{ undefined_name ~ 'x' }}", "{{ undefined_name + 'x' }}", "{{ undefined_name == undefined_name }}", "{{ messages[0].name }}|{{ messages[0].name is defined }}", "{{ undefined_name|length }}", "{{ undefined_name|upper }}", "{{ 'a' in undefined_name }}",
        "{{ raise_exception('no system role') }}", "{{ strftime_now('%d %b %Y') }}", "{{ strftime_now('%Y-%m-%d %H:%M:%S') }}", "{% if tools is not none %}t{% endif %}{{ documents is none }}",
        "{% set ns = namespace(found=false) %}{% for m in messages %}{% if m.role == 'user' %}{% set ns.found = true %}{% endif %}{% endfor %}{{ ns.found }}", "{% set loop_messages = messages[1:] %}{{ loop_messages|length }}{{ messages[0]['role'] == 'system' }}", "{{ messages.append(1) }}", "{{ messages[0].update({'a': 1}) }}", "{{ messages[0].pop('role') }}", "{{ messages[0].items()|list }}", "{{ messages[::-1][0].role }}",
        "{% for m in messages %}{{ loop.previtem.role }}>{{ m.role }}>{{ loop.nextitem.role }} {% endfor %}", "{%- for m in messages -%}\n  {{- m.role -}}\n{%- endfor -%}\n", "  {% if true %}\n  x\n  {% endif %}\ny\n", "{% macro render(m) %}\n[{{ m.role }}]\n{% endmacro %}\n{{ render(messages[0]) }}", "{{ (messages|selectattr('role', 'equalto', 'user')|first).content }}", "{{ messages|map(attribute='role')|join(',') }}", "{{ messages|length }}{{ messages[-1].tool_calls is defined }}", "{{ '<think>' in messages[1].content }}{{ messages[1].content.split('<')[0] }}", "{% for m in messages %}{% for c in m.content %}{% if c == ' ' %}{% break %}{% endif %}{{ c }}{% endfor %}|{% endfor %}", "{% for m in messages %}{% continue %}{% else %}no round was finished{% endfor %}", "{{ messages[2].tool_calls[0].arguments|items|list }}", "{% set x = messages %}{% set x = x + [1] %}{{ x|length }}", "{{ dict(a=1).copy() }}", "{{ [1, 2].sort() }}",
    ]
]

TOPICS = {
    "operators": OPERATORS, "errors": ERRORS, "syntax": SYNTAX, "filters": FILTERS, "tests": TESTS, "methods": METHODS, "indexing": INDEXING,
    "output": OUTPUT, "statements": STATEMENTS, "whitespace": WHITESPACE, "chat": CHAT,
}

# Where tare parts from jinja2 on purpose: the kind of its refusal instead of jinja2's outcome.
REFUSED = {
    "{{ 'abc'.encode() }}": "Unsupported", "{{ s.translate({}) }}": "Unsupported", "{{ 'a' * 10 ** 12 }}": "Limit", "{{ (-8) ** 0.5 }}": "Unsupported",
    "{{ 9223372036854775807 + 1 }}": "OverflowError", "{{ -9223372036854775807 - 2 }}": "OverflowError", "{{ 9223372036854775807 * 2 }}": "OverflowError",
    "{{ 2 ** 63 }}": "OverflowError", "{{ 9223372036854775808 }}": "TemplateSyntaxError", "{{ '99999999999999999999'|int }}": "OverflowError", "{{ 1e30|int }}": "OverflowError",
    "{{ s.__class__ }}": "Unsupported", "{{ d.__len__ }}": "Unsupported", "{{ s|random }}": "Unsupported", "{{ lipsum() }}": "Unsupported", "{{ dict.fromkeys }}": "Unsupported",
    "{{ s|striptags }}": "Unsupported", "{{ s|urlize }}": "Unsupported", "{{ l.sort(key=1) }}": "Unsupported", "{{ 1|upper.x }}": "TemplateSyntaxError", "{{ d.items.x }}": "Unsupported",
    "{{ s.upper.x is defined and 1() }}": "Unsupported", "{% for a in l %}{% set _ = l.append(a) %}{% endfor %}": "Limit", "{{ d.items }}": "Unsupported", "{{ 'a'.join }}": "Unsupported",
    "{{ l.append(4) or l }}": None, "{% autoescape true %}{% endautoescape %}x": "Unsupported", "{% include 'a' %}": "Unsupported", "{% import 'a' as b %}": "Unsupported",
    "{% extends 'a' %}": "Unsupported", "{% block a %}{% endblock %}x": "Unsupported", "{% from 'a' import b %}": "Unsupported",
}
SKIPPED = {  # a huge integer or an endless loop in Python
    "{{ 'a' * 10 ** 12 }}", "{% for a in l %}{% set _ = l.append(a) %}{% endfor %}",
}


def case(entry, variables):
    template, options = entry if isinstance(entry, tuple) else (entry, {})
    made = {"template": template}
    if options:
        made["options"] = options
    refused = REFUSED.get(template)
    if refused:
        return made | {"error": refused, "tare": "refuses; see docs/design/jinja.md"}
    outcome = reference(template, copy.deepcopy(variables), options)
    if "output" in outcome:
        assert " at 0x" not in outcome["output"], template
        return made | {"output": outcome["output"]}
    made["error"] = outcome["error"]
    if outcome["error"] in ("UndefinedError", "ZeroDivisionError"):
        made["message"] = outcome["message"]
    return made


def file_text(topic):
    variables = MESSAGES if topic == "chat" else V
    content = {
        "source": f"jinja2 {importlib.metadata.version('jinja2')}, markupsafe "
                  f"{importlib.metadata.version('markupsafe')}, Python {platform.python_version()}; "
                  "made by tests/parity/jinja_cases.py",
        "variables": variables,
        "cases": [case(entry, variables) for entry in TOPICS[topic]],
    }
    head = json.dumps({k: v for k, v in content.items() if k != "cases"}, ensure_ascii=False)
    lines = ",\n".join(json.dumps(c, ensure_ascii=False) for c in content["cases"])
    return head[:-1] + ',\n"cases": [\n' + lines + "\n]}\n"


def main():
    failed = False
    for topic in TOPICS:
        path = FOLDER / f"{topic}.json"
        text = file_text(topic)
        if sys.argv[1:] == ["--check"]:
            if path.read_text(encoding="utf-8") != text:
                failed = True
                print(f"{path.name} differs from what jinja2 says now")
        else:
            path.write_text(text, encoding="utf-8")
    if failed:
        sys.exit(1)
    print(sum(len(cases) for cases in TOPICS.values()), "cases")


if __name__ == "__main__":
    main()
