"""Dealing without a dealer. Deals in numbers (deck places, card ids) and imports nothing of ours.

`deck` holds the verbs; everybody outside uses those and `errors`. Below them, each on the ones after it:

    claims            no lower trump                    keys            deck keys, joint key, the lot
    shuffle_argument  Bayer–Groth, one row              sigma           Schnorr, batched Chaum–Pedersen
    elgamal           ciphertexts and masked decks      transcript      challenges and nonces
    hash_to_group     generators and card points        group           the backend in use, wire encodings
    pure, sodium      the two backends                  backend         what a backend is
    tables, edwards   sums of many points               ristretto, field   RFC 9496
"""
