"""What restrains a mechanism besides its joints, one file each: entries, rows and words."""
