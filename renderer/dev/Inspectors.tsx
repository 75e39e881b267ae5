import { useState } from 'react'
import { builtInPresets } from '../../shared/presets.ts'
import { costLine, costParts, type CostQuestion } from '../settings/cost-line.ts'
import { backgroundExtra, debandingExtra } from '../settings/extra-price.ts'
import { changedRecipe, sharedRecipe, type Recipe, type RecipeChange } from '../settings/recipe.ts'
import { SettingsInspector } from '../settings/SettingsInspector.tsx'
import { SheetPreview } from './SheetPreview.tsx'
import threeStone from './pictures/three-stone.webp'
import { extraCredits } from '../../shared/prices.ts'

const white: Recipe = {
  appId: 'rescue',
  parameters: {},
  settings: {
    bg_mode: 'solid',
    bg_color: '#FFFFFF',
    bg_shadow: true,
    shadow_intensity: 1.2,
    shadow_softness: 1.6,
    framing_enabled: true,
    framing_pad_top: 15,
    framing_pad_right: 15,
    framing_pad_bottom: 15,
    framing_pad_left: 15,
    debanding: true,
  },
}
const { bg_mode: _mode, shadow_softness: _softness, debanding: _debanding, ...common } = white.settings
const several: readonly Recipe[] = [
  { ...white, settings: { ...common, bg_mode: 'solid', shadow_size: 0.8 } },
  { ...white, settings: { ...common, bg_mode: 'transparent', shadow_size: 1.6 } },
  { ...white, settings: { ...common, bg_mode: 'solid', shadow_size: 1.2, bg_shadow: false } },
]
const upscale: Recipe = {
  appId: 'upscale',
  settings: {},
  parameters: { factor: 2, mode: 'fine', seed: { from: 3 } },
}
const account: Recipe = { appId: 'precision', settings: { bg_mode: 'transparent' }, parameters: {} }

const apps = [
  { id: 'rescue', title: 'Rescue' },
  { id: 'precision', title: 'Precision' },
  {
    id: 'upscale',
    title: 'Upscale',
    parameters: {
      type: 'object',
      required: ['factor'],
      properties: {
        factor: {
          type: 'integer',
          minimum: 1,
          maximum: 4,
          default: 2,
          description: 'How much larger it becomes.',
        },
        mode: { type: 'string', enum: ['fine', 'fast'], title: 'Mode' },
        sharpen: { type: 'boolean' },
        prompt: { type: 'string', description: 'What it should look like.' },
        mask: { type: 'object', description: 'Anything.' },
      },
    },
  },
]

interface ExampleProps {
  readonly name: string
  readonly start: readonly Recipe[]
  readonly question: Omit<CostQuestion, 'groups'> & {
    readonly count: number
    readonly base: number | undefined
  }
  readonly reach: string
  readonly isEdited: boolean
}

function Example({ name, start, question, reach, isEdited }: ExampleProps) {
  const [recipes, setRecipes] = useState(start)
  const [said, setSaid] = useState('')
  const shared = sharedRecipe(recipes)
  const { settings } = shared.recipe
  const groups = recipes.map((recipe, at) => ({
    count: at === 0 ? question.count - (recipes.length - 1) : 1,
    base: question.base,
    extras: extraCredits(recipe.settings),
  }))
  const apply = (change: RecipeChange) =>
    setRecipes((before) => before.map((recipe) => changedRecipe(recipe, change)))
  const say = (what: string) => () => setSaid(what)
  return (
    <aside className="insp" aria-label={name}>
      <SettingsInspector
        shared={shared}
        onChange={apply}
        apps={apps}
        preview={
          recipes.length === 1 && recipes[0]?.appId !== 'upscale' ? (
            <SheetPreview source={threeStone} recipe={shared.recipe} onChange={apply} />
          ) : undefined
        }
        presets={{
          presets: builtInPresets.map((preset) => ({ ...preset, isBuiltIn: preset.name !== 'Soft grey' })),
          current: 'Catalogue white',
          isMixed: recipes.length > 1,
          isEdited,
          reach,
          onChoose: setSaid,
          onSave: say('save'),
          onSaveAs: setSaid,
          onRevert: say('revert'),
          onRename: setSaid,
          onDuplicate: say('duplicate'),
          onDelete: say('delete'),
          onImport: say('import'),
          onExport: say('export'),
        }}
        cost={{
          answer: costLine({ ...question, groups }),
          parts: costParts(
            apps.find(({ id }) => id === shared.recipe.appId)?.title ?? '',
            question.base,
            backgroundExtra(settings, shared.mixed),
            debandingExtra(settings, shared.mixed),
          ),
        }}
        recentColors={['#ECECEC', '#0C1F1B']}
      />
      {/* For tests: what would be sent for the first image, and the last callback. */}
      <output hidden data-recipe={JSON.stringify(recipes[0])} data-said={said} />
    </aside>
  )
}

/** The settings inspector in its cases: set, mixed, left to the account, and an app with parameters of its own. */
export function Inspectors() {
  return (
    <div className="inspectors">
      <Example
        name="Settings of a batch"
        start={[white]}
        question={{ unit: 'left', balance: 528, count: 80, base: 2 }}
        reach="Changes apply to the 79 images still waiting."
        isEdited
      />
      <Example
        name="Settings of four images"
        start={several}
        question={{ unit: 'images', balance: 72, count: 4, base: 2 }}
        reach="A change here is applied to all four."
        isEdited={false}
      />
      <Example
        name="Settings left to the account"
        start={[account]}
        question={{ unit: 'images', balance: 1000, count: 212, base: undefined }}
        reach="Changes apply to all 212 images."
        isEdited={false}
      />
      <Example
        name="Settings of another app"
        start={[upscale]}
        question={{ unit: 'images', balance: 1080, count: 212, base: 6 }}
        reach="Changes apply to all 212 images."
        isEdited={false}
      />
    </div>
  )
}
