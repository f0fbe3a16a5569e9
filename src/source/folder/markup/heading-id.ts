/** The id after the text of a heading: `{#größe}` of Docusaurus and Hugo, `{ #id .class }` of MkDocs, `{: #id}` of Jekyll. */
export const headingId = /\{:?\s*(?:\.[\w-]+\s+)*#([^\s{}<>"']+)(?:\s[^{}\n]*)?\}/;
