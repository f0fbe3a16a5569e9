/**
 * Replaces blocks of Mermaid by their drawings, with the library in `mermaid.js`. A block that the library cannot draw stays as it is.
 *
 * The policy of the site blocks style elements and style attributes. So the styles of a drawing become a style sheet of the document, and its
 * style attributes are set one by one. The library measures text in the page: its first result only tells the styles, and the second one is
 * measured with them.
 */
export async function drawDiagrams(blocks) {
  const mermaid = await loadLibrary(new URL('./mermaid.js', import.meta.url).href);
  const { colorScheme, fontFamily } = getComputedStyle(document.body);
  const isDark =
    colorScheme === 'dark' || (colorScheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    suppressErrorRendering: true,
    // Labels in HTML would need style attributes while they are measured.
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    theme: isDark ? 'dark' : 'default',
    fontFamily,
  });
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, frame()];
  for (const [at, block] of [...blocks].entries()) {
    const id = `diagram-${at + 1}`;
    const source = block.textContent;
    try {
      const sheet = stylesOf(parse((await mermaid.render(id, source)).svg));
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
      const { svg } = await mermaid.render(id, source);
      const figure = document.createElement('div');
      figure.className = 'diagram';
      figure.append(drawingOf(parse(svg)));
      (block.closest('.code-frame') ?? block.closest('pre')).replaceWith(figure);
    } catch {
      // What the library leaves behind.
      document.getElementById(`d${id}`)?.remove();
    }
  }
}

/** Undoes what the theme says of icons. */
function frame() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    .diagram { margin-block: 1.5rem; overflow-x: auto; }
    .diagram svg { block-size: auto; fill: currentcolor; inline-size: 100%; stroke: none; stroke-width: 1px; }
  `);
  return sheet;
}

function loadLibrary(src) {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = src;
    script.onload = () => resolve(globalThis.mermaid);
    script.onerror = reject;
    document.head.append(script);
  });
}

/** In a document of its own, nothing is loaded or run. Browsers log that the policy blocks its styles, as they do while the library draws. */
function parse(svg) {
  return new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
}

function stylesOf(drawing) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync([...drawing.querySelectorAll('style')].map(({ textContent }) => textContent).join('\n'));
  return sheet;
}

/** The drawing as an element of the page, without style elements and scripts. */
function drawingOf(drawing) {
  for (const one of drawing.querySelectorAll('style, script, foreignObject')) one.remove();
  const styles = [drawing, ...drawing.querySelectorAll('*')].map((one) => {
    const style = one.getAttribute('style');
    one.removeAttribute('style');
    return style;
  });
  const own = document.importNode(drawing, true);
  for (const [at, one] of [own, ...own.querySelectorAll('*')].entries()) {
    if (styles[at]) one.style.cssText = styles[at];
  }
  return own;
}
