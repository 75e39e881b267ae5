/** What a file may tell of how it was made. */
export interface RunFacts {
  readonly runId: string
  readonly appId: string
  readonly preset: string | null
  /** The service's word for this file among those of its run. */
  readonly output: string
  /** Settings and parameters as they were sent; a key that is not there was left to the account. */
  readonly settings: Readonly<Record<string, unknown>>
  /** When the run was accepted, in ms since the epoch; null where that is not known. */
  readonly accepted: number | null
}

/**
 * An XMP packet with one entry of `xmpMM:History`: fields that every reader of XMP knows, so that no namespace of our
 * own has to be taught to anybody (docs/decisions/0032). The same facts give the same bytes.
 */
export function runXmp(facts: RunFacts): string {
  const { runId, appId, preset, output, settings, accepted } = facts
  const parameters = JSON.stringify({ run: runId, app: appId, preset, output, settings })
  const fields: readonly (readonly [string, string])[] = [
    ['action', 'produced'],
    ['softwareAgent', 'Vitrine'],
    ['instanceID', `urn:vitrine:run:${encodeURIComponent(wellFormed(runId))}`],
    ...(accepted === null ? [] : [['when', new Date(accepted).toISOString()] as const]),
    ['parameters', parameters],
  ]
  const entry = fields.map(([name, value]) => `<stEvt:${name}>${xmlText(value)}</stEvt:${name}>`).join('')
  return [
    '<?xpacket begin="\u{feff}" id="W5M0MpCehiHzreSzNTczkc9d"?>',
    '<x:xmpmeta xmlns:x="adobe:ns:meta/">',
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
    '<rdf:Description rdf:about="" xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/"',
    ' xmlns:stEvt="http://ns.adobe.com/xap/1.0/sType/ResourceEvent#">',
    `<xmpMM:History><rdf:Seq><rdf:li rdf:parseType="Resource">${entry}</rdf:li></rdf:Seq></xmpMM:History>`,
    '</rdf:Description></rdf:RDF></x:xmpmeta>',
    '<?xpacket end="w"?>',
    '',
  ].join('\n')
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text for XML 1.0, of JSON and the like: control characters are escaped in it already. What XML cannot say at all becomes a question mark. */
function xmlText(text: string): string {
  return wellFormed(text)
    .replace(/[\ufffe\uffff]/g, '?')
    .replace(/[&<>"]/g, (character) => entities[character]!)
    .replace(/[\t\n\r\u007f-\u009f]/g, (character) => `&#${character.codePointAt(0)};`)
}

/** Halves of a character pair that stand alone cannot be written as UTF-8. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\u{fffd}')
}
