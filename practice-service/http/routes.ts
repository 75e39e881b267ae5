import type { EndpointKind } from '../service/faults.ts'
import type { Service } from '../service/service.ts'
import { refusal } from './answer.ts'
import type { Answer } from './answer.ts'
import { listApps, listRuns, readBalance, readDownload, readRun, submitRun } from './api.ts'
import type { Call } from './call.ts'
import { control } from './control.ts'
import { readFileLink } from './files.ts'
import { homePage } from './home-page.ts'
import { shoot } from './shoot.ts'

/** Which of the service's two servers a request came to; with one origin it is both. */
export type Doors = 'all' | 'service' | 'files'

export interface Route {
  readonly kind: EndpointKind
  readonly methods: readonly string[]
  readonly answer: (service: Service, call: Call) => Answer | Promise<Answer>
}

const readMethods = ['GET', 'HEAD']

/** What answers a path; unknown paths answer 404. */
export function routeOf(path: string, doors: Doors): Route {
  if (doors !== 'service' && path.startsWith('/files/')) {
    return { kind: 'file', methods: readMethods, answer: readFileLink }
  }
  if (doors === 'files') return unknownPath
  if (path.startsWith('/api/v1/')) return apiRoute(path.slice('/api/v1'.length))
  if (path === '/shoot' || path.startsWith('/shoot/')) {
    return { kind: 'shoot', methods: readMethods, answer: (_service, call) => shoot(call) }
  }
  if (path.startsWith('/practice/')) {
    return { kind: 'other', methods: ['GET', 'POST', 'PUT', 'DELETE'], answer: control }
  }
  if (path === '/') return { kind: 'other', methods: readMethods, answer: homePage }
  return unknownPath
}

function apiRoute(path: string): Route {
  switch (path) {
    case '/run':
      return { kind: 'submit', methods: ['POST'], answer: submitRun }
    case '/runs':
      return { kind: 'list', methods: ['GET'], answer: listRuns }
    case '/balance':
      return { kind: 'balance', methods: ['GET'], answer: readBalance }
    case '/apps':
      return { kind: 'apps', methods: ['GET'], answer: listApps }
  }
  const [, encodedId, download] = /^\/runs\/([^/]+)(\/download)?$/.exec(path) ?? []
  if (encodedId === undefined) return unknownPath
  const runId = decoded(encodedId)
  return download === undefined
    ? { kind: 'run', methods: ['GET'], answer: (service, call) => readRun(service, call, runId) }
    : { kind: 'download', methods: ['GET'], answer: (service, call) => readDownload(service, call, runId) }
}

const unknownPath: Route = {
  kind: 'other',
  methods: [],
  answer: () => refusal(404, 'There is nothing at this address.'),
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
