// Runs before the first paint, so that the page never flashes in the wrong colour scheme.
try {
  const theme = localStorage.getItem('theme');
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be disabled; then the system's colour scheme is used.
}
