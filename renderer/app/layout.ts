import { createStore, type StoreApi } from 'zustand/vanilla'
import { z } from 'zod'

/** Limits in pixels (design: frame and layout). */
export const sidebarWidths = { min: 200, max: 320, normal: 232 } as const
export const pictureSizes = { min: 96, max: 260, normal: 112 } as const

const layoutSchema = z.object({
  sidebarOpen: z.boolean().default(true),
  sidebarWidth: z.number().min(sidebarWidths.min).max(sidebarWidths.max).default(sidebarWidths.normal),
  inspectorOpen: z.boolean().default(true),
  /** Where the window is too narrow for it to stand beside the pictures, it is opened over them. */
  inspectorFloating: z.boolean().default(false),
  inspectorTab: z.enum(['settings', 'details']).default('settings'),
  /** The line about the practice service was read and put away. */
  practiceHidden: z.boolean().default(false),
  arrangement: z.enum(['grid', 'table']).default('grid'),
  /** Height of a picture's box in the grid. */
  pictureSize: z.number().min(pictureSizes.min).max(pictureSizes.max).default(pictureSizes.normal),
})
export type Layout = z.infer<typeof layoutSchema>

const storageKey = 'vitrine-layout'

/** How a person has arranged the window; kept on this computer, and forgotten without harm. */
export function createLayout(storage: Pick<Storage, 'getItem' | 'setItem'> | undefined): StoreApi<Layout> {
  const store = createStore<Layout>(() => read(storage))
  store.subscribe((layout) => {
    try {
      storage?.setItem(storageKey, JSON.stringify(layout))
    } catch {
      // Full or forbidden: the arrangement then lasts as long as the page.
    }
  })
  return store
}

function read(storage: Pick<Storage, 'getItem'> | undefined): Layout {
  const normal = layoutSchema.parse({})
  try {
    const kept = layoutSchema.safeParse(JSON.parse(storage?.getItem(storageKey) ?? '{}')).data ?? normal
    // What lies over the pictures is opened for a moment, not for good.
    return { ...kept, inspectorFloating: false }
  } catch {
    return normal
  }
}

/** Opens or folds the inspector, the one that stands beside the pictures or the one that lies over them. */
export function toggleInspector(layout: StoreApi<Layout>, isWide: boolean, isOpen?: boolean): void {
  const key = isWide ? 'inspectorOpen' : 'inspectorFloating'
  layout.setState({ [key]: isOpen ?? !layout.getState()[key] })
}
