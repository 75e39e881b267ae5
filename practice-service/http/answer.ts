/** An answer before it is sent: a fault may still change it. */
export interface Answer {
  readonly status: number
  /** Lower-case names; length, date and connection are added when it is sent. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** A JSON answer. */
export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(JSON.stringify(value)),
  }
}

/** A refusal. The interface shows no shape of error bodies (7); this one is the practice service's own. */
export function refusal(
  status: number,
  sentence: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return json(status, { error: sentence }, headers)
}

/** A page for people. */
export function page(status: number, title: string, content: string): Answer {
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:3rem auto;padding:0 1rem;color:#222}code{background:#eee;padding:0 .3em}</style>
</head><body><h1>${escapeHtml(title)}</h1>
${content}
</body></html>
`
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body: Buffer.from(html) }
}

/** Plain text. */
export function plain(status: number, text: string): Answer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: Buffer.from(text) }
}

/** Makes text safe inside HTML and its attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
