// Runs before the first paint, so that a chosen appearance never flashes the other one first.
try {
  const theme = localStorage.getItem('theme');
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be forbidden; the system's appearance is used then.
}
