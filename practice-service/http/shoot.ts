import { readFile } from 'node:fs/promises'
import { pictureAt, shootPictures } from '../shoot/pictures.ts'
import { escapeHtml, page, plain, refusal } from './answer.ts'
import type { Answer } from './answer.ts'
import type { Call } from './call.ts'
import { contentAnswer } from './files.ts'

/** The sample shoot: an index, every address as a text list, and the pictures. */
export async function shoot(call: Call): Promise<Answer> {
  if (call.path === '/shoot' || call.path === '/shoot/') return index()
  if (call.path === '/shoot/all.txt') {
    const origin = `http://${call.headers.host ?? '127.0.0.1'}`
    return plain(
      200,
      shootPictures()
        .map((picture) => `${origin}${picture.path}\n`)
        .join(''),
    )
  }
  const picture = pictureAt(call.path)
  return picture
    ? contentAnswer(call, await readFile(picture.file), 'image/jpeg')
    : refusal(404, 'The sample shoot has no such picture.')
}

function index(): Answer {
  const entries = shootPictures().map(
    ({ path, name }) => `<li><a href="${escapeHtml(path)}">${escapeHtml(name)}</a></li>`,
  )
  return page(
    200,
    'Sample shoot',
    `<p><a href="/shoot/all.txt">All addresses as text</a></p><ul>${entries.join('\n')}</ul>`,
  )
}
