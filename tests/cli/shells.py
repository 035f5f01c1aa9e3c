"""Completion in bash, zsh and fish, and the manual pages. Usage: shells.py TARE

Each shell loads what `tare completions SHELL` prints and is asked what may follow a line; in bash and zsh a
key is pressed on a terminal too. A shell that is not on this machine is skipped by name.
"""

import os
import pathlib
import pty
import re
import select
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

SHELLS = ("bash", "zsh", "fish")

# (what is typed, words that are offered, words that are not)
LINES = (
    ("tare ru", {"run"}, {"plan"}),
    ("tare ", {"run", "plan", "doctor", "completions", "man"}, {"--model"}),
    ("tare run --overl", {"--overlength"}, {"--output"}),
    ("tare run --overlength ", {"fail", "skip", "truncate"}, {"pinned"}),
    ("tare run --mode=", {"--mode=pinned", "--mode=fast"}, {"--mode=fail"}),
    ("tare run --tasks every", {"everyday", "everyday_cloze"}, {"backend_study"}),
    ("tare run --tasks everyday,back", {"everyday,backend_study"}, {"everyday,everyday"}),
    ("tare run --model scripted:a", {"scripted:answers.json"}, {"scripted:results/"}),
    ("tare run --model lla", {"llama-server:"}, {"openai:"}),
    ("tare fetch ", {"dataset", "model"}, {"run"}),
    ("tare fetch model --rev", {"--revision"}, {"--config"}),
    ("tare validate every", {"everyday"}, {"--tasks"}),
    ("tare ls ti", {"tiers"}, {"tasks"}),
    ("tare study a", {"a b.yaml", "answers.json"}, {"results"}),
    ("tare show res", {"results"}, {"answers.json"}),
    ("tare --mod", {"--model", "--mode"}, {"--tasks"}),
    ("tare doctor --install ", {"hf", "vllm"}, {"auto"}),
)


def prepare(folder, tare):
    (folder / "results").mkdir()
    for name in ("answers.json", "a b.yaml"):
        (folder / name).write_text("")
    (folder / "bin").mkdir()
    (folder / "bin" / "tare").symlink_to(tare)
    for shell in SHELLS:
        done = subprocess.run([tare, "completions", shell], capture_output=True, text=True, check=True)
        (folder / f"tare.{shell}").write_text(done.stdout)


def environment(folder):
    return {"PATH": f"{folder}/bin:{os.environ['PATH']}", "HOME": str(folder), "TERM": "xterm",
            "TARE_CACHE_DIR": str(folder / "cache"), "LC_ALL": "C.UTF-8", "PS1": "ready> "}


def bash_words(folder, line):
    """What readline splits the line into, as bash hands it over."""
    words = re.findall(r"[=:]+|[^\s=:]+", line)
    return words + [""] if line[-1] in " =:" and line[-1] not in "=:" else words


def bash_offers(folder, line):
    words = bash_words(folder, line)
    script = f"""source tare.bash
compopt() {{ :; }}
COMP_WORDS=({' '.join(shlex.quote(w) for w in words)}); COMP_CWORD={len(words) - 1}
COMP_LINE={shlex.quote(line)}; COMP_POINT=${{#COMP_LINE}}
COMP_WORDBREAKS=$' \\t\\n"><=;|&(:'
_tare tare; printf '%s\\n' "${{COMPREPLY[@]}}" """
    done = subprocess.run(["bash", "--norc", "-c", script], cwd=folder, env=environment(folder),
                          capture_output=True, text=True)
    standing = re.search(r"(\S*[=:])?[^\s=:]*$", line)[1] or ""
    return {standing + offer for offer in done.stdout.splitlines()}, done.stderr


def fish_offers(folder, line):
    done = subprocess.run(["fish", "--no-config", "-c", f"source tare.fish; complete -C {shlex.quote(line)}"],
                          cwd=folder, env=environment(folder), capture_output=True, text=True)
    offers = {offer.split("\t")[0].replace("\\ ", " ").rstrip("/") for offer in done.stdout.splitlines()}
    return offers | {offer + "/" for offer in offers}, done.stderr


class Terminal:
    """A shell on a terminal that is wide enough for one list a line."""

    def __init__(self, command, folder):
        pid, self.fd = pty.fork()
        if pid == 0:
            os.chdir(folder)
            os.execvpe(command[0], command, environment(folder))
        self.pid = pid

    def until(self, wanted, seconds=20):
        text, end = "", time.monotonic() + seconds
        while wanted not in text and time.monotonic() < end:
            if select.select([self.fd], [], [], 0.2)[0]:
                try:
                    text += os.read(self.fd, 65536).decode(errors="replace")
                except OSError:
                    break
        return text

    def type(self, text):
        os.write(self.fd, text.encode())

    def close(self):
        os.close(self.fd)
        os.waitpid(self.pid, 0)


def pressed(command, folder, setup):
    """The line that the shell makes of `tare run --overl<Tab>sk<Tab>`."""
    terminal = Terminal(command, folder)
    terminal.type(setup + "; echo set-$((1+1))\n")
    terminal.until("set-2")
    terminal.type("echo tare; tare run --overl\t")
    shown = terminal.until("--overlength")
    terminal.type("sk\t")
    shown += terminal.until("skip")
    terminal.close()
    return shown


def checks_of_bash(folder):
    for line, wanted, unwanted in LINES:
        offers, errors = bash_offers(folder, line)
        yield f"bash: {line!r} offers {sorted(offers)[:9]} {errors}", not errors and wanted <= offers and not unwanted & offers
    shown = pressed(["bash", "--norc"], folder, "source tare.bash")
    yield f"bash: a key completes: {shown!r}", "--overlength" in shown and "skip" in shown


def checks_of_zsh(folder):
    done = subprocess.run(["zsh", "-n", "tare.zsh"], cwd=folder, capture_output=True, text=True)
    yield f"zsh: the script is one {done.stderr}", done.returncode == 0
    setup = "autoload -U compinit && compinit -u -D; source ./tare.zsh"
    shown = pressed(["zsh", "-f", "-i"], folder, setup)
    yield f"zsh: a key completes: {shown!r}", "--overlength" in shown and "skip" in shown


def checks_of_fish(folder):
    for line, wanted, unwanted in LINES:
        offers, errors = fish_offers(folder, line)
        yield f"fish: {line!r} offers {sorted(offers)[:9]} {errors}", not errors and wanted <= offers and not unwanted & offers


def checks_of_pages(tare, folder):
    pages = folder / "man"
    subprocess.run([tare, "man", "--output", pages], check=True)
    names = re.findall(r"^  (\w+) ", subprocess.run([tare, "--help"], capture_output=True, text=True).stdout, re.M)
    yield "a page for each command", {p.name for p in pages.iterdir()} == {"tare.1"} | {f"tare-{n}.1" for n in names}
    yield "the program's page names each command", all(
        f"tare\\-{n}" in (pages / "tare.1").read_text() for n in names)
    for name in names:
        help_text = subprocess.run([tare, name, "--help"], capture_output=True, text=True).stdout
        options = set(re.findall(r"--[a-z][a-z-]+", "\n".join(re.findall(r"^  (-.*)$", help_text, re.M))))
        page = (pages / f"tare-{name}.1").read_text().replace("\\-", "-")
        yield f"tare-{name}.1 has all {len(options)} options", len(options) > 0 and all(o in page for o in options)
    # groff and mandoc each find faults that the other lets pass.
    for command in (["man", "--warnings", "-l"], ["mandoc", "-T", "lint", "-W", "error"]):
        if shutil.which(command[0]) is None:
            print(f"skipped: {command[0]} is not on this machine")
            continue
        for page in sorted(pages.iterdir()):
            done = subprocess.run(command + [page], capture_output=True, text=True,
                                  env=dict(os.environ, MANWIDTH="80", LC_ALL="C.UTF-8"))
            complaint = done.stderr + (done.stdout if command[0] == "mandoc" else "")
            yield f"{command[0]} {page.name} {complaint}", done.returncode == 0 and not complaint


def main(tare):
    passed = failed = skipped = 0
    with tempfile.TemporaryDirectory(prefix="tare-shells-") as name:
        folder = pathlib.Path(name)
        prepare(folder, tare)
        checks = list(checks_of_pages(tare, folder))
        for shell, of_shell in zip(SHELLS, (checks_of_bash, checks_of_zsh, checks_of_fish)):
            if shutil.which(shell) is None:
                print(f"skipped: {shell} is not on this machine")
                skipped += 1
            else:
                checks += of_shell(folder)
    for what, good in checks:
        passed, failed = passed + good, failed + (not good)
        if not good:
            print("failed:", what)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


sys.exit(main(os.path.abspath(sys.argv[1])))
