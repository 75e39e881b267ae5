import type { Locator, Page } from 'playwright-core'

/** Names and texts as a test asks for them: all of it, or how it looks. */
type Wanted = string | RegExp

interface Finding {
  name?: Wanted
  hasText?: Wanted
  exact?: boolean
}

/**
 * In the language `long` every text goes on after its English: whoever asks for a name by all of it is given what begins
 * like it. For a page and all that is found in it, while this file's tests run.
 */
export function findByBeginning(page: Page): void {
  for (const kind of [page, page.locator('body')]) {
    const proto = Object.getPrototypeOf(kind) as Record<string, (...given: unknown[]) => Locator>
    for (const method of ['getByText', 'getByLabel', 'getByPlaceholder', 'getByTitle']) {
      const plain = proto[method]!
      proto[method] = function (this: unknown, wanted, options) {
        return plain.call(this, beginning(wanted as Wanted, options as Finding | undefined))
      }
    }
    for (const method of ['getByRole', 'filter', 'locator']) {
      const plain = proto[method]
      if (!plain) continue
      proto[method] = function (this: unknown, first, ...more) {
        const [head, ...rest] = [first, ...more].map((given) =>
          isFinding(given) ? byBeginning(given) : given,
        )
        return plain.call(this, head, ...rest)
      }
    }
  }
}

const isFinding = (given: unknown): given is Finding =>
  typeof given === 'object' && given !== null && ('name' in given || 'hasText' in given)

function byBeginning({ name, hasText, ...options }: Finding): Finding {
  return {
    ...options,
    exact: false,
    ...(name !== undefined && { name: beginning(name, options) }),
    ...(hasText !== undefined && { hasText: beginning(hasText) }),
  }
}

const more = '(?: o+)*'

function beginning(wanted: Wanted, { exact = false }: Finding = {}): Wanted {
  const source =
    typeof wanted === 'string' ? wanted.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`) : wanted.source
  // Texts lie within texts: "24 images" goes on before " found" does.
  const longer = source.replace(/\$$/, `${more}$`).replaceAll(' ', `${more} `)
  if (typeof wanted !== 'string') return new RegExp(longer, wanted.flags)
  return exact ? new RegExp(`^${longer}${more}$`) : new RegExp(longer, 'i')
}
