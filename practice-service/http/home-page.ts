import type { Service } from '../service/service.ts'
import { escapeHtml, page } from './answer.ts'
import type { Answer } from './answer.ts'

/** A page that says to a person what they have found. */
export function homePage(service: Service): Answer {
  const apps = Array.from(
    service.apps.values(),
    (app) => `<li>${escapeHtml(app.title)} (<code>${escapeHtml(app.id)}</code>)</li>`,
  )
  return page(
    200,
    'Practice service',
    `<p>A local stand-in for the image-generation service. It runs on this computer only, its credits are play money,
and its pictures are really processed.</p>
<ul>${apps.join('')}</ul>
<p>Runs so far: ${service.runs.size}. Waiting: ${service.pool.queued}. Being worked on: ${service.pool.busy}.</p>
<p><a href="/shoot/">The sample shoot</a> · <a href="/shoot/all.txt">its addresses as a list</a> ·
<a href="/api/v1/apps">apps</a> · <a href="/practice/books">the service's books</a></p>`,
  )
}
