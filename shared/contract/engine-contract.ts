import { z } from 'zod'
import { presetSchema } from '../presets.ts'
import { call, stream, type Client, type Contract } from '../rpc/contract.ts'
import { compareGroup } from './compare-records.ts'
import { hotFolderGroup } from './hot-folder-records.ts'
import { draftChoiceSchema, estimateSchema, readEventSchema, sourceSchema } from './intake-records.ts'
import { ownFileGroup } from './own-file-records.ts'
import { preferencesPatchSchema, preferencesSchema } from './preference-records.ts'
import { previewGroup } from './preview-records.ts'
import {
  appSchema,
  balanceSchema,
  batchSchema,
  connectionSchema,
  countsSchema,
  creditRangeSchema,
  imageDetailsSchema,
  imageQuerySchema,
  imageSchema,
  marks,
  queueSchema,
  recipeSchema,
  retryPlanSchema,
  runRecordSchema,
  targetSchema,
} from './records.ts'
import { runGroup } from './run-records.ts'

/**
 * Every command and event between an interface and the engine. Streams begin with how things stand, and go on with
 * changes, so that the first load and a reconnection are the same code. Pictures never travel here: they are had by
 * address (see pictures.ts).
 */

const nothing = z.object({})
const done = z.object({})
const batch = z.object({ batch: z.string() })
const image = z.object({ image: z.number().int() })
const affected = z.object({ images: z.number().int().nonnegative() })

/** Answer of a key check: an address and a key that work, or a sentence that says what does not. */
const checked = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), baseUrl: z.string(), balance: balanceSchema }),
  z.object({
    ok: z.literal(false),
    field: z.enum(['baseUrl', 'key', 'service']),
    message: z.string(),
  }),
])

export const engineContract = {
  connections: {
    watch: stream(nothing, z.object({ connections: z.array(connectionSchema) })),
    /** Asks for the balance; keeps nothing. */
    check: call(z.object({ baseUrl: z.string().max(2000), key: z.string().min(1).max(500) }), checked),
    /**
     * Keeps a connection that was checked, and makes it the active one.
     * `unprotected`: keep the key in clear where the system has no key store; without it the key is for this run only.
     */
    add: call(
      z.object({
        name: z.string().trim().max(80),
        baseUrl: z.string().max(2000),
        key: z.string().min(1).max(500),
        unprotected: z.boolean(),
      }),
      checked,
    ),
    usePractice: call(nothing, done),
    activate: call(z.object({ id: z.string() }), done),
    replaceKey: call(
      z.object({ id: z.string(), key: z.string().min(1).max(500), unprotected: z.boolean() }),
      checked,
    ),
    rename: call(z.object({ id: z.string(), name: z.string().trim().min(1).max(80) }), done),
    /** Forgets the key and the connection; its batches stay readable. */
    remove: call(z.object({ id: z.string() }), done),
    /** Whether keys can be kept under the system's protection here, and what to say where not. */
    protection: call(
      nothing,
      z.object({
        available: z.boolean(),
        sentence: z.string().nullable(),
        /** Not available, but `unprotected` would keep a key all the same. */
        choice: z.boolean().default(false),
      }),
    ),
  },

  queue: {
    watch: stream(nothing, queueSchema),
    /** Sends nothing more, in no batch; what is at the service comes. */
    pause: call(nothing, done),
    resume: call(nothing, done),
    /** Asks for the balance now, and goes on if it allows. */
    checkBalance: call(nothing, z.object({ balance: balanceSchema })),
  },

  intake: {
    /** Reads sources; ends with `found`. Stopping it keeps what was found: the last item is `found` all the same. */
    read: stream(
      z.object({ sources: z.array(sourceSchema).min(1).max(1000), token: z.string() }),
      readEventSchema,
    ),
    /** Stops the reading of this token and keeps what was found. */
    stop: call(z.object({ token: z.string() }), done),
    estimate: call(draftChoiceSchema, estimateSchema),
    /** Begins what was estimated, or adds it without starting. */
    begin: call(
      z.object({ estimate: z.string(), start: z.boolean() }),
      z.object({ batch: z.string(), toSubmit: z.number().int() }),
    ),
    discard: call(z.object({ draft: z.string() }), done),
  },

  batches: {
    /** First every batch in queue order, then those that changed; `removed` are gone, `order` comes where it changed. */
    watch: stream(
      nothing,
      z.object({
        batches: z.array(batchSchema),
        removed: z.array(z.string()),
        order: z.array(z.string()).optional(),
      }),
    ),
    /** Starts a batch that is ready, paused, interrupted or stopped. */
    start: call(batch, done),
    pause: call(batch, done),
    rename: call(z.object({ batch: z.string(), name: z.string().trim().min(1).max(120) }), done),
    /** Before which other batch it is worked on; null for the end. */
    move: call(z.object({ batch: z.string(), before: z.string().nullable() }), done),
    setBudget: call(z.object({ batch: z.string(), budget: z.number().int().nonnegative().nullable() }), done),
    setOutDir: call(z.object({ batch: z.string(), outDir: z.string().max(4096) }), done),
    /** Lets held images go. */
    release: call(batch, affected),
    /** Takes a batch out of the list; its files and manifest stay. Refused while runs are at the service. */
    remove: call(batch, done),
  },

  images: {
    /**
     * How a query's result stands, then what changed: rows whose record changed, or `reset` where too much did.
     * `order` changes whenever rows came, went or moved within the query's result.
     */
    watch: stream(
      imageQuerySchema,
      z.object({
        total: z.number().int(),
        counts: countsSchema,
        order: z.number().int(),
        changed: z.array(imageSchema),
        reset: z.boolean(),
      }),
    ),
    page: call(
      z.object({
        query: imageQuerySchema,
        offset: z.number().int().nonnegative(),
        limit: z.number().int().min(1).max(500),
      }),
      z.object({ total: z.number().int(), order: z.number().int(), rows: z.array(imageSchema) }),
    ),
    /** Ids of a stretch of a query's result, for a selection with a range. */
    ids: call(
      z.object({
        query: imageQuerySchema,
        from: z.number().int().nonnegative(),
        to: z.number().int().nonnegative(),
      }),
      z.object({ ids: z.array(z.number().int()) }),
    ),
    details: call(image, imageDetailsSchema),
    /** Settings that the images of a target have, with those keys that differ; and how many an edit would reach. */
    settings: call(
      targetSchema,
      z.object({
        recipe: recipeSchema,
        /** Keys (of settings, or `appId`) whose values differ within the target. */
        mixed: z.array(z.string()),
        /** The range of values of mixed number keys. */
        ranges: z.record(z.string(), z.object({ min: z.number(), max: z.number() })),
        /** The different values of mixed keys, at most 20 of each; null where a key is left to the account. */
        values: z
          .record(z.string(), z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])))
          .optional(),
        images: z.number().int(),
        /** Images that are still held or waiting. */
        editable: z.number().int(),
        preset: z.string().nullable(),
        pricePerImage: creditRangeSchema.nullable(),
        extras: creditRangeSchema,
      }),
    ),
    /**
     * Changes settings of those images of a target that are held or waiting; a null value leaves a key to the account.
     */
    edit: call(
      z.object({
        target: targetSchema,
        appId: z.string().trim().min(1).max(200).optional(),
        set: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
        parameters: z.record(z.string(), z.unknown()).optional(),
        preset: z.string().nullable().optional(),
        /** Whether it is to be possible to take it back. */
        undoable: z.boolean().optional(),
      }),
      /** `edit` takes it back, as long as it is one of the last few; absent where nothing was changed. */
      affected.extend({ edit: z.string().optional() }),
    ),
    /** Gives the former settings back to those images that were not sent since, nor changed in another way. */
    takeBackEdit: call(z.object({ edit: z.string().max(80) }), affected),
    /** Cancels what is held or waiting. */
    cancel: call(targetSchema, affected),
    /** Puts cancelled images back. */
    putBack: call(targetSchema, affected),
    /** Moves waiting images to the front of their batch; `move` takes it back, as long as it is one of the last few. */
    moveFirst: call(targetSchema, affected.extend({ move: z.string() })),
    moveBack: call(z.object({ move: z.string().max(80) }), affected),
    release: call(targetSchema, affected),
    /**
     * What it means to run a target's failed, delivered, skipped or cancelled images once more.
     * `free`: results that are fetched again without a new run.
     */
    planRetry: call(targetSchema, retryPlanSchema),
    /**
     * What it means to run an image that failed once more, with another picture: the only one in a drop. Refused with a
     * sentence where its result can still be had, or the picture cannot be sent.
     */
    planPick: call(
      z.object({ image: z.number().int(), drop: z.string().max(100) }),
      /** `file`: what a person calls the picture. */
      retryPlanSchema.extend({ file: z.string() }),
    ),
    /** Carries out exactly what a plan said. */
    retry: call(z.object({ plan: z.string() }), affected),
    mark: call(z.object({ target: targetSchema, mark: z.enum(marks).nullable() }), affected),
  },

  review: {
    /** The runs that may be an image's lost submission. */
    candidates: call(
      image,
      z.object({
        image: imageDetailsSchema,
        /** When it was sent; null where that is not known. */
        sentFrom: z.number().nullable(),
        sentTo: z.number().nullable(),
        /** Why nobody can tell, in words. */
        why: z.string(),
        runs: z.array(
          z.object({
            run: runRecordSchema,
            /** Milliseconds between sending and its creation, in the service's time. */
            apart: z.number().nullable(),
            sameApp: z.boolean(),
          }),
        ),
        /** The only candidate that may be offered as chosen. */
        likely: z.string().nullable(),
        /** What sending again may be charged a second time; null while unknown. */
        cost: creditRangeSchema.nullable(),
      }),
    ),
    decide: call(
      z.object({
        image: z.number().int(),
        decision: z.discriminatedUnion('kind', [
          z.object({ kind: z.literal('adopt'), runId: z.string() }),
          z.object({ kind: z.literal('send-again') }),
          z.object({ kind: z.literal('drop') }),
        ]),
      }),
      done,
    ),
  },

  presets: {
    watch: stream(
      nothing,
      z.object({
        presets: z.array(z.object({ preset: presetSchema, builtIn: z.boolean() })),
        /** Name of the preset that the active connection starts with. */
        default: z.string().nullable(),
      }),
    ),
    /** Saves a preset under its name; `replace` is needed where another one has it. */
    save: call(z.object({ preset: presetSchema, replace: z.boolean() }), done),
    rename: call(z.object({ name: z.string(), to: z.string() }), done),
    duplicate: call(z.object({ name: z.string() }), z.object({ name: z.string() })),
    remove: call(z.object({ name: z.string() }), done),
    setDefault: call(z.object({ name: z.string().nullable() }), done),
    /** Reads a preset file's text and saves it under a name that is free. */
    import: call(
      z.object({ text: z.string().max(1024 * 1024), shown: z.string().max(300) }),
      z.object({ name: z.string() }),
    ),
    export: call(z.object({ name: z.string() }), z.object({ fileName: z.string(), text: z.string() })),
  },

  apps: {
    list: call(nothing, z.object({ apps: z.array(appSchema) })),
  },

  /** The service's own runs (run-records.ts). */
  runs: runGroup,

  /** Comparing an image's pictures (compare-records.ts). */
  compare: compareGroup,

  /** The live preview of settings, and trying them on one picture (preview-records.ts). */
  preview: previewGroup,

  reports: {
    /** Writes a contact sheet (with before and after; HTML or PDF) or a table of a batch into its output folder, under a free name. */
    write: call(
      z.object({ batch: z.string(), kind: z.enum(['contact-sheet', 'pdf', 'csv']) }),
      z.object({ file: z.string() }),
    ),
  },

  /** Folders that are watched (hot-folder-records.ts). */
  ownFiles: ownFileGroup,
  hotFolders: hotFolderGroup,

  preferences: {
    watch: stream(nothing, preferencesSchema),
    change: call(preferencesPatchSchema, done),
    /** Where data lies, and how much. */
    places: call(
      nothing,
      z.object({
        places: z.array(z.object({ title: z.string(), path: z.string(), bytes: z.number().nullable() })),
      }),
    ),
    clearThumbnails: call(nothing, done),
    /** Why metadata cannot be written into pictures on this computer, with what to do; null where it can. */
    metadataTrouble: call(nothing, z.object({ sentence: z.string().nullable() })),
  },

  notices: {
    /** One sentence each, for a person: what the engine noticed that belongs to no image. */
    watch: stream(
      nothing,
      z.object({ id: z.number().int(), message: z.string(), tone: z.enum(['note', 'warning', 'error']) }),
    ),
  },
} as const satisfies Contract

export type EngineContract = typeof engineContract
export type EngineClient = Client<EngineContract>
