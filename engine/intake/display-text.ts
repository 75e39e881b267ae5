/** Characters that move the cursor, colour a terminal or turn the direction of writing. */
// oxlint-disable-next-line no-control-regex
const unsafe = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/gu

/** Foreign text made harmless for a terminal or a row of a table: one line, at most `max` characters. */
export function displayText(text: string, max = 200): string {
  const clean = text
    .slice(0, max * 4)
    .replace(unsafe, ' ')
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .trim()
  return clean.length > max ? `${clean.slice(0, max - 1).replace(/\p{Surrogate}/gu, '')}…` : clean
}
