"""What results look like: columns in a terminal, and on pages and in notebooks elements of HTML, faces and styles."""
