import type { BatchRecord, ImageDetails, QueueRecord } from '../../shared/contract/records.ts'
import type { PreferencesRecord } from '../../shared/contract/preference-records.ts'
import { imageStates, type ImageState } from '../../shared/states.ts'

/** Records as the engine tells them, with what a test is about filled in. */

export function counts(some: Partial<Record<ImageState, number>>): BatchRecord['counts'] {
  const all = Object.fromEntries(imageStates.map((state) => [state, 0])) as Record<ImageState, number>
  return { ...all, ...some }
}

export function batchRecord(fields: Partial<BatchRecord> = {}): BatchRecord {
  return {
    id: 'b1',
    name: 'Rings',
    created: 0,
    finished: null,
    connectionId: 'c1',
    outDir: '/out',
    outDirTrouble: null,
    state: 'running',
    stopReason: null,
    preset: null,
    hasSeveralPresets: false,
    counts: counts({}),
    total: 0,
    charged: 0,
    pricePerImage: null,
    extras: { min: 0, max: 0 },
    budget: null,
    inFlight: null,
    perMinute: null,
    eta: null,
    median: null,
    ...fields,
  }
}

export function queueRecord(fields: Partial<QueueRecord> = {}): QueueRecord {
  return {
    connectionId: 'c1',
    state: 'running',
    message: '',
    nextTry: null,
    inFlight: 0,
    following: false,
    balance: null,
    committed: null,
    ...fields,
  }
}

export function preferencesRecord(fields: Partial<PreferencesRecord> = {}): PreferencesRecord {
  return {
    outDir: '/out',
    nameTemplate: '{folder}/{name}{suffix}.{ext}',
    onConflict: 'rename',
    metadata: 'none',
    inFlight: null,
    frugal: false,
    webhookUrl: null,
    webhookPort: null,
    settleSeconds: 180,
    thumbnails: true,
    notifyFinished: true,
    notifyStopped: true,
    theme: 'dark',
    language: 'system',
    surround: 'dark',
    letterKeys: true,
    keepZoom: true,
    updateChannel: 'stable',
    recentColors: [],
    ...fields,
  }
}

export function imageDetails(fields: Partial<ImageDetails> = {}): ImageDetails {
  return {
    image: {
      id: 1,
      position: 0,
      title: 'R1.jpg',
      folder: '',
      state: 'delivered',
      serviceStatus: null,
      credits: 6,
      estimate: null,
      since: null,
      took: null,
      bytes: null,
      reason: null,
      outputs: [],
      mark: null,
      preset: null,
      picture: null,
      version: 1,
    },
    batch: 'b1',
    source: 'https://pictures.example/R1.jpg',
    formerSource: null,
    pickRefusal: null,
    recipe: { appId: 'rescue', settings: {}, parameters: {} },
    preset: null,
    runId: null,
    heading: null,
    error: null,
    advice: null,
    attempts: [],
    outputs: [],
    ...fields,
  }
}
