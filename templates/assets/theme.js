// Runs before the first paint, so that the page never flashes in the wrong colour scheme.
{
  const root = document.documentElement;
  const applyTheme = () => {
    try {
      const theme = localStorage.getItem('theme');
      if (theme === 'dark' || theme === 'light') root.dataset.theme = theme;
    } catch {
      // Storage may be disabled; then the system's colour scheme is used.
    }
  };
  applyTheme();
  // The reader may have chosen another one on a later page, while the browser kept this one. The widget has the theme of its page.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && !('widget' in root.dataset)) applyTheme();
  });
}
