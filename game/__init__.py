"""Durak itself: the rules, the dealing and the course of a game. Pure: no clock, dice, files or sockets."""
