"""Line mode: one line per event, numbered choices, no colour and no cursor tricks; for any terminal, pipe or
reader."""
