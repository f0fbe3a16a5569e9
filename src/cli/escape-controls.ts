/** Controls (C0 but tab and line feed, DEL, C1) and the marks that turn the direction of text around. */
const controls = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Makes characters visible with which a text of an author or a server could move the cursor, colour or hide what a terminal or
 * a log shows: `\u009b`. In JSON this is the same character, so JSON keeps its meaning.
 */
export function escapeControls(text: string): string {
  return text.replace(controls, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
