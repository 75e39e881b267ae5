/**
 * The source of an image whose picture lies on this computer and is uploaded for its run: what the file holds, and not
 * the link, which is another each time. So the same picture is the same source wherever it lies and whenever it is sent
 * (docs/reliability.md, promise 1).
 */
const scheme = 'local:sha256:'

/** @param content SHA-256 of the file, hexadecimal */
export function ownSource(content: string): string {
  return scheme + content
}

/** The content that a source names; undefined for an address. */
export function contentOfSource(source: string): string | undefined {
  return source.startsWith(scheme) ? source.slice(scheme.length) : undefined
}
