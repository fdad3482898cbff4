"""Writes links.json: `python -m tests.vectors.generate_links`. Every byte string is hexadecimal.

Whole handshakes from fixed keys, sealed messages after them, one message of every kind, terms, codes and
tags: a second implementation can be checked with this file alone (docs/protocol-links.md).
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

from ledger.engine import Height, Seat
from ledger.entry import EntryId
from ledger.fault import CaseId
from ledger.genesis import Digest, GameId, Previous, SeatRecord
from ledger.heads import Heads
from ledger.identity import PublicKey, SigningKey, certify, game_key
from p2p import messages as m
from p2p.codes import JoinCode, code_key, fingerprint, invite, table_tag
from p2p.known import Book
from p2p.lobby import Terms, terms_digest
from p2p.message_codec import encode_message
from p2p.reasons import Refusal
from p2p.session import Door, Session
from p2p.stream import frame

VECTORS = Path(__file__).parent / "links.json"
CODE = JoinCode("0123456789AB")


def fixed(text: str) -> bytes:
    return sha256(f"durak link vectors {text}".encode()).digest()


INITIATOR, RESPONDER = SigningKey(fixed("initiator")), SigningKey(fixed("responder"))
GAME = GameId(fixed("game"))
DIGEST = Digest(fixed("digest"))
PREVIOUS = Previous(GAME, DIGEST, Seat(1), (1, 0), (0, 1))


def record() -> SeatRecord:
    key, nonce = game_key(fixed("seed")).public, fixed("nonce")
    return SeatRecord(key, INITIATOR.public, nonce, certify(INITIATOR, key, nonce), "Оля")


def every_message() -> dict[str, m.Message]:
    """One or more of every kind; HELLO stands in the handshakes."""
    line = m.RosterLine(INITIATOR.public, "Оля", ready=True, bot=False, watching=False)
    address = m.Address("[fe80::1]:4717")
    return {
        "alive": m.Alive(),
        "bye": m.Bye(1),
        "table": m.Table(
            1, fixed("rules"), (36, 2, 0), 1, 2, may_watch=True, previous=None, game=None, roster=(line,)
        ),
        "table of a rematch": m.Table(
            2, fixed("rules"), (36, 2, 0), 1, 2, may_watch=False, previous=PREVIOUS, game=GAME, roster=()
        ),
        "ask seat": m.AskSeat(1, record()),
        "ask watch": m.AskWatch("Петя"),
        "refused": m.Refused(Refusal.SAME_IDENTITY),
        "ready": m.Ready(fixed("terms"), ready=True),
        "genesis": m.OfferGenesis(1, b"genesis"),
        "agree": m.Agree(GAME),
        "start": m.Start(GAME),
        "cancel": m.Cancel(1, Refusal.GUEST_LEFT),
        "leave": m.Leave(),
        "want genesis": m.WantGenesis(GAME),
        "listening": m.Listening((address,)),
        "peers": m.Peers((m.PeerLine(RESPONDER.public, (address,)),)),
        "linked": m.Linked((INITIATOR.public, RESPONDER.public)),
        "runs": m.Runs(m.GUEST_PAGE),
        "heads": Heads(
            GAME, Height(3), DIGEST, 0b101, (EntryId(fixed("abort")),), None, ((Height(1), DIGEST),)
        ),
        "heads of a halted game": Heads(GAME, Height(0), Digest(GAME), 0, (), CaseId(fixed("case")), ()),
        "entries": m.Entries(GAME, (b"record", b"another"), more=True),
        "have": m.Have(GAME[:4], (m.EntryName(3, 1, 0, fixed("entry")[:8]),)),
        "want": m.Want(GAME[:4], (m.EntryName(3, 1, 1, fixed("entry")[:8]),)),
        "notice": m.Notice(GAME, 1, 7, (2,), relayed=False),
    }


def handshake(code: JoinCode | None) -> dict[str, Any]:
    """All datagrams of one talk: the handshake, HELLO both ways, three messages and one of bulk."""
    key = None if code is None else code_key(code)
    ends = {
        name: Session(
            initiator=name == "initiator",
            mtu=256,
            identity=identity,
            static=fixed(f"static {name}"),
            ephemeral=fixed(f"ephemeral {name}"),
            door=Door(key, open=key is None),
        )
        for name, identity in (("initiator", INITIATOR), ("responder", RESPONDER))
    }
    carried: list[dict[str, str]] = []

    def carry() -> None:
        moved = True
        while moved:
            moved = False
            for sender, receiver in (("initiator", "responder"), ("responder", "initiator")):
                for datagram in ends[sender].take_datagrams():
                    carried.append({"from": sender, "datagram": datagram.hex()})
                    ends[receiver].receive(datagram)
                    moved = True

    carry()
    ends["initiator"].send(encode_message(m.Alive()))
    carry()
    ends["responder"].send(encode_message(m.Entries(GAME, (bytes(range(256)) * 2,), more=False)))
    carry()
    ends["responder"].send(encode_message(m.Entries(GAME, (bytes(range(256)) * 5,), more=False)), bulk=True)
    ends["responder"].send(encode_message(m.Alive()))
    carry()
    return {
        "mtu": 256,
        "psk": None if key is None else key.hex(),
        **{
            name: {
                "identity_seed": identity.secret().hex(),
                "identity": identity.public.hex(),
                "static": fixed(f"static {name}").hex(),
                "ephemeral": fixed(f"ephemeral {name}").hex(),
            }
            for name, identity in (("initiator", INITIATOR), ("responder", RESPONDER))
        },
        "datagrams": carried,
    }


def vectors() -> dict[str, Any]:
    key = code_key(CODE)
    terms = Terms(fixed("rules"), (36, 2, 0), 1, 2, PREVIOUS)
    address = m.Address("192.168.1.7:4717")
    return {
        "with_code": handshake(CODE),
        "without_code": handshake(None),
        "messages": {name: encode_message(message).hex() for name, message in every_message().items()},
        "stream": frame(b"durak").hex(),
        "terms": {
            "round": 2,
            "digest": terms_digest(2, terms).hex(),
            "digest_without_previous": terms_digest(1, Terms(terms.rules, terms.options, 1, 2)).hex(),
        },
        "code": {
            "code": CODE,
            "key": key.hex(),
            "fingerprint": fingerprint(RESPONDER.public),
            "tag": table_tag(key, fingerprint(RESPONDER.public)).hex(),
            "invitation": invite(CODE, (address,), RESPONDER.public).text,
        },
        "known": Book({PublicKey(INITIATOR.public): "Оля"}).to_bytes().hex(),
    }


if __name__ == "__main__":
    VECTORS.write_text(json.dumps(vectors(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
