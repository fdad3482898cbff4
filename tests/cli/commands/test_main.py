"""The program as a whole: every end is a sentence and an exit code, never a traceback."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from cli import main as program
from cli.commands import doctor
from cli.exits import Exit
from game.mental_poker import group, sodium
from game.mental_poker.pure import PURE
from tests.cli.commands.running import ROOT, durak, environment


def test_help_lists_every_command(run):
    code, out, _ = run("--help")
    assert code == 0
    names = sorted(path.stem for path in (ROOT / "cli" / "commands").glob("[a-z]*.py"))
    for name in set(names) - {"resume"}:
        assert f"\n    {name} " in out
        assert run(name, "--help")[0] == 0


@pytest.mark.parametrize("words", [
    ["frob"], ["--frob"], ["play", "--bots", "many"], ["play", "--bots", "0"], ["play", "--bots", "6"],
    ["play", "--level", "godlike"], ["verify"], ["host", "--option", "deck=13"],
    ["host", "--option", "pockets=2"], ["host", "--seats", "9"], ["demo", "--seats", "1"],
    ["demo", "--seats", "6", "--deck", "24"], ["games", "export", "zz"], ["name", "\u200b"],
    ["name", "\u3164"], ["name", "\u2800"], ["name", "[\uffa0]"],
    ["--lang", "xx", "rules"], ["--lang=tlh_KX", "name"],
    ["host", "--port", "70000"], ["host", "--port", "65536"], ["host", "--port", "-5"],
], ids=" ".join)  # fmt: skip
def test_wrong_use_ends_with_64_and_says_what_is_wrong(run, words):
    code, out, err = run(*words)
    assert code == Exit.USAGE
    assert out == ""
    assert err.strip()


@pytest.mark.parametrize(("language", "said"), [
    ("en", "No command is called verfy. Did you mean: durak verify\n"),
    ("de", "Einen Befehl verfy gibt es nicht. Gemeint ist vielleicht: durak verify\n"),
    ("es", "No hay ninguna orden llamada verfy. ¿Querías decir: durak verify?\n"),
    ("ru", "Команды verfy нет. Может быть: durak verify\n"),
])  # fmt: skip
def test_a_command_there_is_not_is_named_with_the_nearest(run, language, said):
    assert run("--lang", language, "verfy") == (Exit.USAGE, "", said)


def test_a_command_like_no_other_leads_to_the_list(run):
    assert run("xyzzy")[2] == "No command is called xyzzy. See what there is with: durak --help\n"


@pytest.mark.parametrize(("typed", "kept"), [
    ("A" * 40, "A" * 32), ("Olya (bot)", "Olya bot"), ("Olya [bot]", "Olya bot"), ("[b\u3164ot]", "bot"),
    ("Я" * 20, "Я" * 16), ("A\u202eB", "AB"),
])  # fmt: skip
def test_a_name_that_is_not_kept_as_typed_is_said(run, typed, kept):
    code, out, _ = run("name", typed)
    assert code == 0
    assert out.splitlines()[0].startswith(f"Your name is shown as {kept}:")


def test_a_data_folder_that_cannot_be_is_said_before_anything_is_asked(tmp_path):
    (tmp_path / "file").touch()
    done = durak(tmp_path / "file" / "home", "play", "--text")
    assert done.returncode == Exit.IO
    assert done.stdout == ""
    assert "file" in done.stderr


def test_a_name_is_kept_and_made_harmless(run):
    assert run("name") == (0, "You have no name yet. Choose one with: durak name YOURNAME\n", "")
    code, out, _ = run("name", "Anna", "\x1b[31mK.")
    assert (code, out.splitlines()[1]) == (0, "Your name is Anna 31mK. from now on.")
    assert run("name") == (0, "Your name is Anna 31mK.. Change it with: durak name NEWNAME\n", "")
    assert run("name", "Ж" * 40)[1].endswith(f"\nYour name is {'Ж' * 16} from now on.\n")


def test_doctor_finds_this_machine_sound(run):
    code, out, _ = run("doctor")
    assert code == 0
    assert "BAD" not in out


def test_doctor_says_which_backend_deals_and_what_this_machine_lacks(run, monkeypatch):
    monkeypatch.setattr(doctor, "EXTRAS", {"babel": "web", "no-such-package": "lan", "nor-this": "ble"})
    before = group.use_backend(PURE)
    try:
        monkeypatch.setattr(sodium, "find", lambda *more: None)
        code, out, _ = run("doctor")
        assert code == 0, "all of it can be done without"
        assert "ok   cards are dealt in pure Python: it works, and is slower." in out
        assert 'by the extra "fast"' in out
        assert "note no no-such-package: tables on the network" in out
        assert "note no nor-this: no tables over Bluetooth" in out
        assert "babel:" not in out
        monkeypatch.setenv("DURAK_BACKEND", "pure")
        assert "because DURAK_BACKEND asks for it" in run("doctor")[1]
    finally:
        group.use_backend(before)


def test_doctor_says_when_the_data_folder_cannot_be_written(run, tmp_path):
    (tmp_path / "home").write_text("a file where the folder should be")
    code, out, err = run("doctor")
    assert code == Exit.IO
    assert err or "BAD  the data folder" in out


LIMITED = """
import resource, sys
from cli.main import main
resource.setrlimit(resource.RLIMIT_FSIZE, ({most}, {most}))
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.skipif(os.name == "nt", reason="limits of POSIX")
@pytest.mark.parametrize("most", [0, 5, 4096])
def test_doctor_says_when_nothing_fits_into_the_data_folder_any_more(tmp_path, most):
    done = limited(tmp_path, most, "doctor")
    assert done.returncode == Exit.IO
    assert f"BAD  the data folder {tmp_path} cannot be written: File too large. Make room" in done.stdout
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="limits of POSIX")
def test_a_failed_write_leaves_what_was_there_and_nothing_else(tmp_path):
    assert durak(tmp_path, "name", "Anna").returncode == 0
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    done = limited(tmp_path, 5, "name", "Boris")
    assert (done.returncode, "Traceback" in done.stderr) == (Exit.IO, False)
    assert "File too large" in done.stderr
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def limited(home, most, *words):
    """A command that can write `most` bytes into a file and no more."""
    return subprocess.run(
        [sys.executable, "-c", LIMITED.format(most=most), *words], env=environment(home), cwd=ROOT,
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_rules_of_every_preset_and_of_every_option(run):
    for preset in ("local", "browser", "club"):
        assert run("rules", "--preset", preset)[0] == 0
    code, out, _ = run("rules", "--option", "variant=transfer", "--option", "show_transfer=on")
    assert code == 0
    assert "Transfer durak" in out
    assert "no talon" not in out
    assert "There is no talon" in run("rules", "--option", "seats=6")[1]
    for option in (
        "lead=several", "cheating=on", "absent=durak", "open_after=off", "series=on", "clock=30",
        "throwers=neighbours", "first_limit=off", "throw_after_take=off", "next_first=winner",
    ):  # fmt: skip
        assert run("rules", "--option", option)[1] != run("rules")[1]
    assert run("rules", "--option", "teams=2v2", "--option", "seats=4")[0] == 0


def test_damaged_settings_are_a_sentence(run, tmp_path):
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "settings.json").write_text("{")
    code, _, err = run("name")
    assert code == Exit.IO
    assert "settings.json is damaged" in err


def test_nothing_unfinished_is_said(run):
    sentence = "No unfinished game here. Start one with: durak play. Everything else: durak --help\n"
    assert run() == (0, sentence, "")


def test_no_games_yet(run):
    assert run("games") == (0, "No game is kept on this device yet. Start one with: durak play\n", "")


def test_an_internal_stop_says_where_its_details_are(run, tmp_path, monkeypatch):
    def broken(*_):
        raise ZeroDivisionError("on purpose")

    monkeypatch.setattr(program, "_run", broken)
    code, out, err = run("name")
    assert code == Exit.INTERNAL
    assert out == ""
    details = tmp_path / "home" / "internal-error.txt"
    assert str(details) in err
    assert "on purpose" in details.read_text()


def test_a_missing_file_is_a_sentence(run, tmp_path):
    for command in ("verify", "replay", "rules"):
        code, _, err = run(command, str(tmp_path / "none.durak"))
        assert code == Exit.IO
        assert "none.durak: No such file or directory" in err


def test_a_reader_that_goes_away_is_no_error(tmp_path):
    done = subprocess.run(
        f"{sys.executable} -m cli.main rules | head -n 1", shell=True, env=environment(tmp_path), cwd=ROOT,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stderr == ""


@pytest.mark.skipif(os.name == "nt", reason="POSIX locales")
def test_a_terminal_that_can_show_nothing_but_ascii(tmp_path):
    done = durak(tmp_path, "name", "Ольга", PYTHONIOENCODING="ascii", LC_ALL="C")
    assert done.returncode == 0
    assert done.stdout == "Your name is ????? from now on.\n"


def test_a_reader_of_a_demonstration_that_goes_away_is_no_error(tmp_path):
    done = subprocess.run(
        f"({sys.executable} -m cli.main demo --seats 2; echo rc $? >&2) | head -n 1", shell=True,
        env=environment(tmp_path), cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stderr == "rc 0\n"
    assert not (tmp_path / "internal-error.txt").exists()


@pytest.mark.skipif(os.name == "nt", reason="shell redirections")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize(("words", "code"), [("rules", 0), ("name", 0), ("frob", 64), ("play --text", 0)])
def test_closed_streams_are_no_trouble(tmp_path, closed, words, code):
    done = subprocess.run(
        f"{sys.executable} -m cli.main {words} {closed}", shell=True, env=environment(tmp_path), cwd=ROOT,
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "internal-error.txt").exists()
    if words == "play --text" and closed in ("<&-", "2>&-"):
        assert done.stdout.endswith("Nobody can type here: the input has ended. So you leave the table.\n")


def test_a_word_too_many_behind_join_is_said(run):
    code, out, err = run("join", "blah", "192.0.2.2:5001", "BST1-FAP6-1GG0", "--text", "--name", "A")
    assert (code, out) == (Exit.USAGE, "")
    assert err.startswith("blah is too much: there is 192.0.2.2:5001 already. Expected is an address")
    code, out, err = run("join", "ble:0011223344556677", "192.0.2.2", "--text", "--name", "A")
    assert (code, out) == (Exit.USAGE, "")
    assert err.startswith("ble:0011223344556677 is too much: there is 192.0.2.2 already.")


def test_contradictions_are_said_before_anything_is_begun(run):
    code, out, err = run("host", "--no-lan")
    assert (code, out) == (Exit.USAGE, "")
    assert "D-Bus" not in err
    assert run("watch", "BST1-FAP6-1GG0", "--bot", "easy")[0] == Exit.USAGE


@pytest.mark.parametrize(("language", "typed"), [
    ("en", "quit"), ("en", "EXIT"), ("de", "ende"), ("es", "salir"), ("ru", "выход"), ("ru", "quit"),
])  # fmt: skip
def test_who_wants_to_leave_at_the_question_for_a_name_leaves(tmp_path, language, typed):
    done = durak(tmp_path, "play", "--text", "--lang", language, typed=f"{typed}\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == 2, "the question and a good-bye"
    assert not (tmp_path / "settings.json").exists()


def test_a_question_mark_is_no_name_but_a_question(tmp_path):
    done = durak(tmp_path, "play", "--text", typed="?\nquit\n")
    assert "Type the name the others see at the table" in done.stdout
    assert not (tmp_path / "settings.json").exists()


def test_a_name_of_one_letter_is_a_name(tmp_path):
    durak(tmp_path, "play", "--text", "--bots", "1", typed="Q\n")
    assert durak(tmp_path, "name").stdout.startswith("Your name is Q. ")


def test_an_option_without_a_value_is_told_its_values(run):
    for said in ("deck", "deck=", " deck "):
        assert run("host", "--option", said) == (
            Exit.USAGE, "", "deck has no value. Write deck=VALUE; it can be: 36, 24, 52.\n",
        )  # fmt: skip
    assert "There is no table option called decks" in run("host", "--option", "decks")[2]


@pytest.mark.parametrize("what", ["export", "delete", "resume"])
def test_no_game_to_choose_is_said_so(run, what):
    sentence = "No game is kept on this device yet. Start one with: durak play\n"
    assert run("games", what) == (Exit.USAGE, "", sentence)


def test_an_address_that_is_not_this_devices_is_not_called_misspelt(run):
    code, _, err = run("host", "--listen", "1.2.3.4", "--text", "--name", "A")
    assert code == Exit.IO
    assert err.startswith("1.2.3.4 is no address of this device, so it cannot listen there.")
    assert "127.0.0.1" in err
    assert "looks like" in run("host", "--listen", "1.2.3.4.5", "--text", "--name", "A")[2]


def test_a_name_saved_by_other_rules_is_shown_by_those_of_now(run, tmp_path):
    (tmp_path / "home").mkdir()
    settings = tmp_path / "home" / "settings.json"
    settings.write_text('{"name": "Olya [bot]"}')
    assert run("name")[1].startswith("Your name is Olya bot. ")
    settings.write_text('{"name": "\\u3164"}')
    assert run("name")[1].startswith("You have no name yet")
