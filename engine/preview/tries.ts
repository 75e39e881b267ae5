import { randomUUID } from 'node:crypto'
import { basename, join } from 'node:path'
import type { RecipeRecord } from '../../shared/contract/records.ts'
import type { Pads } from '../../shared/framing.ts'
import { extraCredits, type CreditRange } from '../../shared/prices.ts'
import { Fault } from '../../shared/rpc/fault.ts'
import { effectiveSettings, settingRule, type RetoucherSettings } from '../../shared/settings.ts'
import { addBatch, addToBatch, planBatch, type BatchRequest } from '../batches/add-batch.ts'
import type { Clock } from '../clock.ts'
import { placedOutputs } from '../interface/compare-originals.ts'
import { imageOf } from '../interface/image-actions.ts'
import { prepareFolder } from '../interface/output-place.ts'
import { estimate } from '../queue/prices.ts'
import { deliveryKey } from '../store/images.ts'
import type { Batch, Image, Recipe } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import type { CutOut } from './preview-items.ts'
import { say } from '../../shared/language/say.ts'

export interface TryParts {
  readonly store: Store
  readonly clock: Clock
  /** Number of the active connection in the store. @throws Fault where there is none */
  readonly connectionId: () => number
  /** Credits that are there; undefined while that is not known. */
  readonly balance: () => number | undefined
}

interface TryPlan {
  readonly image: number
  readonly recipe: Recipe
  /** What became of it: a plan is carried out once. */
  done?: Promise<{ image: number; batch: string }>
}

export interface PlannedTry {
  readonly plan: string
  readonly price: CreditRange | null
  readonly extras: CreditRange
  readonly known: number | null
}

/** Folder of the tries, in the output folder of the batch that they were made for. */
const folderName = 'Tries'
const keptPlans = 32
/** Cut-outs of a picture that are looked at: where the newest does not fit, an older one may. */
const mostCutOuts = 3
/** States in which a try is under way, or its run may have been charged. */
const open = ['waiting', 'submitting', 'running', 'downloading', 'review'] as const

/**
 * Tries: one run of one picture with settings that are not decided yet. They are images of a batch of their own beside
 * the one they are made for, which comes first in the queue; so they have a price, a ledger, a manifest and a review as
 * every run has, and the batch they are made for is not touched.
 */
export class Tries {
  readonly #parts: TryParts
  readonly #plans = new Map<string, TryPlan>()

  constructor(parts: TryParts) {
    this.#parts = parts
  }

  /** @throws Fault where the image is gone */
  plan(id: number, { appId, settings, parameters }: RecipeRecord): PlannedTry {
    const { store } = this.#parts
    const image = imageOf(store, id)
    const batch = store.batches.bySeq(image.batchSeq)
    const { sent } = effectiveSettings(settings)
    const recipe: Recipe = { appId, settings: sent, parameters }
    const plan = randomUUID()
    this.#plans.set(plan, { image: id, recipe })
    const [oldest] = this.#plans.keys()
    if (this.#plans.size > keptPlans && oldest !== undefined) this.#plans.delete(oldest)
    return {
      plan,
      price: estimate(store, batch.connectionId, recipe) ?? null,
      extras: extraCredits(sent),
      known: this.#known(image, recipe)?.id ?? null,
    }
  }

  /** @throws Fault `gone` where the plan is too old, `refused` where it cannot be paid or sent */
  async carryOut(id: string): Promise<{ image: number; batch: string }> {
    const plan = this.#plans.get(id)
    if (!plan) throw new Fault('gone', say`What was shown is too old; look at the price once more.`)
    plan.done ??= this.#carryOut(plan).catch((error: unknown) => {
      delete plan.done
      throw error
    })
    return await plan.done
  }

  /** Delivered cut-outs of a picture, of its tries and of itself, the newest first. */
  cutOutsOf(id: number): CutOut[] {
    const { store } = this.#parts
    const image = store.images.byId(id)
    if (!image) return []
    const found: CutOut[] = []
    for (const candidate of [...this.#triesOf(image).toReversed(), image]) {
      const { settings } = store.images.recipeById(candidate.recipeId)
      if (settings.bg_mode !== 'transparent') continue
      const [output] = placedOutputs(store, candidate)
      if (!output) continue
      const isFramed = settings.framing_enabled ?? null
      found.push({ image: candidate.id, slug: output.slug, isFramed, pads: padsSent(settings) })
      if (found.length === mostCutOuts) break
    }
    return found
  }

  async #carryOut({ image: id, recipe }: TryPlan): Promise<{ image: number; batch: string }> {
    const { store, connectionId, clock } = this.#parts
    const image = imageOf(store, id)
    const parent = store.batches.bySeq(image.batchSeq)
    if (parent.connectionId !== connectionId()) {
      throw new Fault(
        'refused',
        say`This picture belongs to another connection; switch to it to try settings on it.`,
      )
    }
    this.#checkBalance(parent, recipe)
    const outDir = await prepareFolder(folderOf(parent))
    return store.transaction(() => {
      const known = this.#known(image, recipe)
      if (known) return { image: known.id, batch: store.batches.bySeq(known.batchSeq).id }
      const plan = planBatch(store, requestFor(image, parent, recipe, outDir))
      const there = this.#batchOf(parent)
      const batch = there ? addToBatch(store, plan, there) : addBatch(store, plan, clock)
      this.#putFirst(batch, parent)
      const made = store.images.page(batch.seq, -1, -1).at(-1)
      return { image: made!.id, batch: batch.id }
    })
  }

  #checkBalance(parent: Batch, recipe: Recipe) {
    const price = estimate(this.#parts.store, parent.connectionId, recipe)
    const balance = this.#parts.balance()
    if (!price || balance === undefined || balance >= price.min) return
    throw new Fault('refused', say`A try costs ${price.min} credits, and ${balance} are left.`)
  }

  /** A try of these very settings that is under way, or whose files are there. */
  #known(image: Image, recipe: Recipe): Image | undefined {
    const { store } = this.#parts
    const parent = store.batches.bySeq(image.batchSeq)
    const key = deliveryKey(image.source, recipe, this.#batchOf(parent)?.outDir ?? '')
    const same = this.#triesOf(image).filter((one) => one.deliveryKey === key)
    return same.findLast(
      (one) =>
        open.some((state) => state === one.state) ||
        (one.state === 'delivered' && placedOutputs(store, one).length > 0),
    )
  }

  #triesOf(image: Image): Image[] {
    const { store } = this.#parts
    const batch = this.#batchOf(store.batches.bySeq(image.batchSeq))
    if (!batch) return []
    return store.images.page(batch.seq, -1, -1).filter(({ source }) => source === image.source)
  }

  #batchOf(parent: Batch): Batch | undefined {
    const outDir = folderOf(parent)
    return this.#parts.store.batches
      .listed()
      .findLast((one) => one.connectionId === parent.connectionId && one.outDir === outDir)
  }

  /** A person waits for it, and it is one picture. */
  #putFirst(batch: Batch, parent: Batch) {
    if (batch.seq === parent.seq) return
    const { batches } = this.#parts.store
    const order = batches
      .listed()
      .map(({ seq }) => seq)
      .filter((seq) => seq !== batch.seq)
    order.splice(Math.max(0, order.indexOf(parent.seq)), 0, batch.seq)
    batches.setOrder(order)
  }
}

/** What is left out has the documented value. */
function padsSent(settings: RetoucherSettings): Pads {
  const pad = (side: keyof Pads) => {
    const rule = settingRule(`framing_pad_${side}`)
    return settings[`framing_pad_${side}`] ?? (rule?.kind === 'number' ? rule.default : 0)
  }
  return { top: pad('top'), right: pad('right'), bottom: pad('bottom'), left: pad('left') }
}

/** A try of a try lies beside it. */
function folderOf(parent: Batch): string {
  return basename(parent.outDir) === folderName ? parent.outDir : join(parent.outDir, folderName)
}

function requestFor(image: Image, parent: Batch, recipe: Recipe, outDir: string): BatchRequest {
  return {
    connectionId: parent.connectionId,
    pictures: [{ source: image.source, folder: '', name: image.name }],
    recipe,
    outDir,
    preset: null,
    nameTemplate: '{name}{suffix}.{ext}',
    onConflict: 'rename',
    webhookUrl: parent.webhookUrl,
    budget: null,
    inFlight: null,
    // Whether it is there already was looked at; what lies in the folder from elsewhere is not meant.
    again: true,
    test: null,
    name: `Tries of ${parent.name ?? basename(parent.outDir)}`.slice(0, 120),
  }
}
