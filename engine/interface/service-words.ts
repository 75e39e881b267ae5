import { plainText } from '../../shared/plain-text.ts'
import type { BalanceRecord } from '../../shared/contract/records.ts'
import { Fault } from '../../shared/rpc/fault.ts'
import type { Balance } from '../../shared/wire.ts'
import type { Failure, ServiceResult } from '../service/service-result.ts'
import { say } from '../../shared/language/say.ts'

/** What a person reads where a call of the service did not bring what was wanted. */
export function failureSentence(failure: Failure): string {
  const said = sentence(plainText(failure.message))
  switch (failure.kind) {
    case 'key-rejected':
      return say`The service rejected this key (${failure.status}). Copy it again, or create a new one.`
    case 'out-of-credits':
    case 'refused':
    case 'not-found':
      return said
    case 'busy':
      return say`The service is busy; try again in a moment.`
    case 'not-the-service':
      return say`This is not the address of the service, or something stands between; it ends in /api/v1.`
    case 'unavailable':
      return failure.offline ? say`This computer is offline, or the address does not exist.` : said
    case 'aborted':
      return say`It was given up.`
  }
}

/** The value of an answer. @throws Fault `refused` with a sentence, `gone` where there is no such run. */
export function valueOf<T>(answer: ServiceResult<T>): T {
  if (answer.kind === 'ok') return answer.value
  throw new Fault(answer.kind === 'not-found' ? 'gone' : 'refused', failureSentence(answer))
}

export function balanceRecord(balance: Balance, at: number): BalanceRecord {
  return {
    total: balance.totalCredits,
    subscription: balance.subscriptionCredits ?? null,
    other: balance.otherCredits ?? null,
    tier: balance.subscription === undefined ? null : plainText(balance.subscription, 60),
    expires: balance.creditsExpire ?? null,
    at,
  }
}

export function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`
}
