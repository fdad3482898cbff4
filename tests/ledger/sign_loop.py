"""Sign and store for ever, until somebody kills this process: `python -m tests.ledger.sign_loop FOLDER`.

Prints `SENT height id` for every own record as soon as it may be sent, and never decides the same way twice.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from ledger.engine import Seat
from ledger.entry import read_record, sign_entry
from ledger.store import GameStore
from tests.ledger.table import Table, seed_of


def main(folder: Path) -> None:
    table = Table.of(2, turns=4000)
    store = GameStore.open(folder) if folder.exists() else GameStore.create(folder, table.genesis, seed_of(0))
    for entry in store.entries:
        table.log.receive(entry.record)
        if entry.seat == 0:
            print("SENT", entry.height, entry.id.hex(), flush=True)
    while True:
        for due in table.log.dues:
            if due.seat == 1:
                store.append_received(*(entry.record for entry in table.act(1).kept))
                continue
            kind, payload = table.honest(0)
            if kind == 8:
                payload = ((payload[0] + os.urandom(1)[0] % 2) % 10,)  # type: ignore[operator]
            assert store.key is not None, store.watches
            record = store.append(sign_entry(store.key, table.log.draft(Seat(0), kind, payload)))
            print("SENT", read_record(record).height, read_record(record).id.hex(), flush=True)
            assert table.log.receive(record).kept


if __name__ == "__main__":
    main(Path(sys.argv[1]))
