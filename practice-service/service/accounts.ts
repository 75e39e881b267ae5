import type { RetoucherSettings } from '../../shared/settings.ts'

/** The account's saved shadow sliders, used where a run does not send them (4.7 rule 3). */
export type ShadowDefaults = Pick<
  RetoucherSettings,
  'shadow_intensity' | 'shadow_size' | 'shadow_softness' | 'shadow_distance'
>

/** An account to open; whatever is left out has a default. */
export interface PracticeAccount {
  /** Its API key, or several that share the account. */
  readonly key: string | readonly string[]
  /** Unique name, for tests and the control endpoints; default: the first key. */
  readonly name?: string
  readonly subscriptionCredits?: number
  readonly otherCredits?: number
  /** Name of the subscription tier (2.4). */
  readonly subscription?: string
  /** ISO 8601 date, or null as for Pro members (2.4). */
  readonly creditsExpire?: string | null
  readonly shadowDefaults?: ShadowDefaults
}

/** What one run was paid with, so that a refund goes back where it came from. */
export interface Payment {
  readonly subscription: number
  readonly other: number
}

/** An open account: two purses of credits, the subscription's being spent first. */
export class Account {
  readonly name: string
  readonly keys: readonly string[]
  readonly shadowDefaults: ShadowDefaults
  readonly #tier: string
  readonly #expires: string | null
  subscriptionCredits: number
  otherCredits: number
  /** Credits charged so far, and of those given back. */
  charged = 0
  refunded = 0

  constructor(account: PracticeAccount) {
    this.keys = typeof account.key === 'string' ? [account.key] : account.key
    const name = account.name ?? this.keys[0]
    if (name === undefined) throw new Error('An account of the practice service needs at least one key.')
    this.name = name
    this.shadowDefaults = account.shadowDefaults ?? {}
    this.#tier = account.subscription ?? 'Pro'
    this.#expires = account.creditsExpire ?? null
    this.subscriptionCredits = account.subscriptionCredits ?? 0
    this.otherCredits = account.otherCredits ?? 0
  }

  /** Takes the price, or nothing at all (undefined) when the credits do not cover it (402). */
  pay(price: number): Payment | undefined {
    if (price > this.subscriptionCredits + this.otherCredits) return undefined
    const subscription = Math.min(price, Math.max(0, this.subscriptionCredits))
    const payment = { subscription, other: price - subscription }
    this.take(payment)
    return payment
  }

  /** Books a payment as it was made, when a journal is read again. */
  take(payment: Payment): void {
    this.subscriptionCredits -= payment.subscription
    this.otherCredits -= payment.other
    this.charged += payment.subscription + payment.other
  }

  refund(payment: Payment): void {
    this.subscriptionCredits += payment.subscription
    this.otherCredits += payment.other
    this.refunded += payment.subscription + payment.other
  }

  /** The balance object of 2.4. */
  balance(): Record<string, unknown> {
    return {
      total_credits: this.subscriptionCredits + this.otherCredits,
      subscription_credits: this.subscriptionCredits,
      other_credits: this.otherCredits,
      subscription: this.#tier,
      credits_expire: this.#expires,
    }
  }
}

/** Every account, by key and by name. */
export class Accounts {
  readonly #byKey = new Map<string, Account>()
  readonly #byName = new Map<string, Account>()

  constructor(accounts: readonly PracticeAccount[]) {
    for (const given of accounts) {
      const account = new Account(given)
      if (this.#byName.has(account.name)) {
        throw new Error(`Two accounts of the practice service are named "${account.name}".`)
      }
      this.#byName.set(account.name, account)
      for (const key of account.keys) {
        if (this.#byKey.has(key)) throw new Error('Two accounts of the practice service have the same key.')
        this.#byKey.set(key, account)
      }
    }
  }

  get keys(): readonly string[] {
    return [...this.#byKey.keys()]
  }

  get all(): readonly Account[] {
    return [...this.#byName.values()]
  }

  /** The account that owns a key, or undefined (401). */
  ofKey(key: string): Account | undefined {
    return this.#byKey.get(key)
  }

  /** The account of that name; throws a sentence when there is none. */
  named(name: string): Account {
    const account = this.#byName.get(name)
    if (!account) throw new Error(`The practice service has no account named "${name}".`)
    return account
  }
}
