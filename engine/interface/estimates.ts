import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { draftChoiceSchema, EstimateRecord } from '../../shared/contract/intake-records.ts'
import { changesPictures } from '../../shared/metadata.ts'
import type { CreditRange } from '../../shared/prices.ts'
import { Fault } from '../../shared/rpc/fault.ts'
import { effectiveSettings } from '../../shared/settings.ts'
import { addToBatch, costOfPlan, coveredBy, variantsOf, type BatchRequest } from '../batches/add-batch.ts'
import { beginDraft, draftRun, type Draft as RunDraft } from '../batches/draft.ts'
import { chooseVariants } from '../batches/variants.ts'
import { metadataTrouble } from '../metadata/exiftool.ts'
import type { Batch } from '../store/rows.ts'
import { batchOf } from './batch-handlers.ts'
import type { BatchRecords } from './batch-records.ts'
import { picturesOf, type Drafts } from './drafts.ts'
import { namesAhead, type NamesAhead } from './names-ahead.ts'
import { lookAtFolder, prepareFolder } from './output-place.ts'
import type { InterfaceParts } from './parts.ts'
import type { Workplace } from './workplace.ts'
import { notSentSentence } from './setting-sentences.ts'
import { say } from '../../shared/language/say.ts'

export type Choice = z.output<typeof draftChoiceSchema>

/** Reaches nobody, by its ending: the service has to be given some address, and signed links go there. */
const webhookToNobody = 'https://vitrine.invalid/none'
const keptEstimates = 8

interface Kept {
  readonly choice: Choice
  readonly draft: RunDraft
  readonly addTo: Batch | undefined
}

/** A choice as a request, with what is to be said of its presets. */
interface Asked {
  readonly request: BatchRequest
  readonly words: readonly string[]
  /** Why it cannot be begun. */
  readonly trouble: string | undefined
}

export interface EstimateParts {
  readonly parts: InterfaceParts
  readonly drafts: Drafts
  readonly workplace: Workplace
  readonly records: BatchRecords
}

/**
 * What a batch would be and cost. Each estimate is kept under a number, and Start takes that number: what was shown is
 * what is begun, or nothing is (docs/reliability.md, T18).
 */
export class Estimates {
  readonly #all: EstimateParts
  readonly #kept = new Map<string, Kept>()
  /** Names of the last choice: most changes of a choice leave them as they are. */
  #names: { readonly key: string; readonly names: NamesAhead } | undefined

  constructor(all: EstimateParts) {
    this.#all = all
  }

  async make(choice: Choice): Promise<EstimateRecord> {
    const { parts } = this.#all
    const addTo = choice.addTo === null ? undefined : batchOf(parts.store, choice.addTo)
    const { request, words, trouble } = this.#request(choice, addTo)
    const draft = draftRun(parts.store, request)
    const { plan } = draft
    const [place, names] = await Promise.all([lookAtFolder(request.outDir), this.#namesOf(choice, request)])
    const id = this.#keep({ choice, draft, addTo })
    const { toSubmit, held, pricePerImage = null } = plan
    const cost = costOfPlan(plan) ?? null
    const elsewhere = draft.taken
    return {
      estimate: id,
      pictures: request.pictures.length,
      images: plan.images.length + elsewhere,
      toSubmit,
      held,
      skipped: plan.skipped,
      elsewhere,
      pricePerImage,
      extras: plan.extras,
      presets: plan.variants.map((one) => ({
        preset: one.preset,
        images: one.toSubmit + one.held,
        pricePerImage: one.pricePerImage ?? null,
        extras: one.extras,
      })),
      cost,
      ...this.#money(plan, cost),
      nameTemplate: request.nameTemplate,
      examples: [...names.examples],
      collisions: names.collisions,
      outDirTrouble: place.trouble,
      templateTrouble: names.trouble ?? trouble ?? null,
      diskFree: place.free,
      words: [...ignoredWords(choice), ...words, ...(await metadataWords(request))],
    }
  }

  /** @throws Fault where the estimate is too old, or what it said is no longer so */
  async begin(id: string, start: boolean): Promise<{ batch: string; toSubmit: number }> {
    const { parts, drafts } = this.#all
    const kept = this.#kept.get(id)
    if (!kept) throw new Fault('gone', say`What was shown is too old; look at it once more before you start.`)
    const { choice, addTo } = kept
    const { request: asked, trouble } = this.#request(choice, addTo)
    if (trouble !== undefined) throw new Fault('refused', trouble)
    const outDir = addTo ? addTo.outDir : await prepareFolder(asked.outDir)
    const now = draftRun(parts.store, { ...asked, outDir, start })
    if (!isSame(kept.draft, now)) {
      this.#kept.delete(id)
      throw new Fault(
        'refused',
        say`Things have changed since this was shown; look at it once more before you start.`,
      )
    }
    const { plan } = now
    if (plan.images.length === 0 && now.earlier.length === 0) {
      throw new Fault('refused', say`There is nothing to send: no image is left.`)
    }
    const begun = addTo
      ? {
          earlier: now.earlier,
          batch: plan.images.length > 0 ? addToBatch(parts.store, plan, addTo) : undefined,
        }
      : beginDraft(parts.store, now, parts.clock)
    if (start) for (const { seq } of begun.earlier) parts.store.batches.setState(seq, 'running')
    this.#kept.delete(id)
    drafts.discard(choice.draft)
    return { batch: (begun.batch ?? begun.earlier.at(-1))!.id, toSubmit: plan.toSubmit }
  }

  #request(choice: Choice, addTo: Batch | undefined): Asked {
    const { parts, drafts, workplace } = this.#all
    const { storeId } = workplace.session()
    if (addTo && addTo.connectionId !== storeId) {
      throw new Fault(
        'refused',
        say`That batch belongs to another connection; make a new one, or switch to it.`,
      )
    }
    const { chosen } = parts.preferences.read()
    const wanted = [{ preset: choice.preset, recipe: choice.recipe }, ...choice.others]
    const template = addTo?.nameTemplate ?? choice.nameTemplate
    const { variants, nameTemplate, words, trouble } = chooseVariants(
      wanted.map(({ preset, recipe }) => ({
        preset,
        recipe: { ...recipe, settings: effectiveSettings(recipe.settings).sent },
      })),
      template,
      addTo !== undefined,
    )
    const [first, ...others] = variants
    const request: BatchRequest = {
      connectionId: storeId,
      pictures: picturesOf(drafts.find(choice.draft), choice),
      ...first!,
      others,
      outDir: addTo?.outDir ?? choice.outDir,
      nameTemplate,
      onConflict: addTo?.onConflict ?? choice.onConflict,
      metadata: addTo?.metadata ?? choice.metadata ?? chosen.metadata ?? 'none',
      webhookUrl: addTo?.webhookUrl ?? chosen.webhookUrl ?? webhookToNobody,
      budget: addTo ? addTo.budget : choice.budget,
      inFlight: addTo?.inFlight ?? null,
      again: choice.again,
      test: choice.test,
      name: choice.name === '' ? null : choice.name,
    }
    return { request, words, trouble }
  }

  async #namesOf(choice: Choice, request: BatchRequest): Promise<NamesAhead> {
    const { draft, without, repairs, includeDuplicates } = choice
    const { nameTemplate: template, outDir } = request
    const variants = variantsOf(request)
    const about = { draft, without, repairs, includeDuplicates, template, outDir }
    const made = variants.map(({ preset, recipe: { appId, settings } }) => [
      preset,
      appId,
      settings.debanding,
      settings.bg_mode,
    ])
    const key = JSON.stringify([about, made])
    if (this.#names?.key === key) return this.#names.names
    const names = await namesAhead(request.pictures, {
      template,
      outDir,
      variants,
      now: this.#all.parts.clock.now(),
    })
    this.#names = { key, names }
    return names
  }

  /** The balance, and how far it reaches after what other batches still need. */
  #money(plan: RunDraft['plan'], cost: CreditRange | null) {
    const { workplace, records } = this.#all
    const balance = workplace.balance ?? null
    const committed = records.committed(workplace.session().storeId)
    if (!balance || !committed || !cost) return { balance, covers: null, balanceAfter: null }
    const free = Math.max(0, balance.total - committed.max)
    const covers = coveredBy(plan, free) ?? null
    return { balance, covers, balanceAfter: balance.total - committed.max - cost.max }
  }

  #keep(kept: Kept): string {
    const id = randomUUID()
    this.#kept.set(id, kept)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > keptEstimates && oldest !== undefined) this.#kept.delete(oldest)
    return id
  }
}

/** Whether a person would be shown the same figures. */
function isSame(shown: RunDraft, now: RunDraft): boolean {
  const figures = ({ plan, taken }: RunDraft) =>
    JSON.stringify([
      [plan.skipped, taken],
      plan.variants.map(({ toSubmit, held, pricePerImage = null, extras }) => [
        toSubmit,
        held,
        pricePerImage,
        extras,
      ]),
    ])
  return figures(shown) === figures(now)
}

async function metadataWords({ metadata = 'none' }: BatchRequest): Promise<string[]> {
  const trouble = changesPictures(metadata) ? await metadataTrouble() : undefined
  return trouble === undefined ? [] : [trouble]
}

function ignoredWords({ recipe, others }: Choice): string[] {
  const words = [recipe, ...others.map((one) => one.recipe)].flatMap(({ settings }) =>
    effectiveSettings(settings).ignored.map(({ key, unless }) => notSentSentence(key, unless)),
  )
  return [...new Set(words)]
}
