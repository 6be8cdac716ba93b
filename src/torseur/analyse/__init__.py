"""Analyses of a mechanism, a state or a run: mobility, equilibria, vibrations, chaos, …"""
