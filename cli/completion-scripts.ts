import type { Command, Option } from 'commander'

export const completionShells = ['bash', 'zsh', 'fish', 'powershell'] as const
export type CompletionShell = (typeof completionShells)[number]

/** What can follow a line of commands. */
interface Place {
  /** Names of the commands up to here, as `presets import`; empty at the beginning. */
  readonly path: string
  readonly commands: readonly string[]
  readonly options: readonly PlaceOption[]
  /** Values of its arguments where they are a choice. */
  readonly choices: readonly string[]
}

interface PlaceOption {
  readonly flags: readonly string[]
  readonly takesValue: boolean
  readonly choices: readonly string[]
}

/** A script for a shell that completes the commands, options and choices of a program. Names of files complete as ever. */
export function completionScript(program: Command, shell: CompletionShell): string {
  const places = [...placesOf(program, [])]
  return { bash, zsh, fish, powershell }[shell](places)
}

function* placesOf(command: Command, path: readonly string[]): Generator<Place> {
  const { commands, options, registeredArguments } = command
  yield {
    path: path.join(' '),
    commands: commands.map((one) => one.name()),
    options: [...options.map(optionOf), { flags: ['--help'], takesValue: false, choices: [] }],
    choices: registeredArguments.flatMap((argument) => argument.argChoices ?? []),
  }
  for (const one of commands) yield* placesOf(one, [...path, one.name()])
}

function optionOf({ short, long, required, optional, argChoices }: Option): PlaceOption {
  return {
    flags: [short, long].flatMap((flag) => (flag?.startsWith('--') ? [flag] : [])),
    takesValue: required || optional,
    choices: argChoices ?? [],
  }
}

const wordsOf = ({ commands, options, choices }: Place) =>
  [...commands, ...choices, ...options.flatMap(({ flags }) => flags)].join(' ')

/** `case` arms for the places, each with its words. */
function arms(places: readonly Place[], arm: (path: string, words: string) => string): string {
  return places.map((place) => arm(place.path, wordsOf(place))).join('\n')
}

/** `case` arms for options whose value is a choice; options with any other value leave the word to file names. */
function valueArms(
  places: readonly Place[],
  any: string,
  arm: (flag: string, words: string) => string,
): string {
  const options = new Map(
    places.flatMap(({ options }) => options).flatMap((one) => one.flags.map((flag) => [flag, one])),
  )
  const taking = [...options].filter(([, one]) => one.takesValue)
  const free = taking.filter(([, { choices }]) => choices.length === 0).map(([flag]) => flag)
  const chosen = taking.filter(([, { choices }]) => choices.length > 0)
  return [
    ...chosen.map(([flag, { choices }]) => arm(flag, choices.join(' '))),
    ...(free.length > 0 ? [any.replace('FLAGS', free.join('|'))] : []),
  ].join('\n')
}

/** Finds the command that the words before the cursor name: a word that is no command of the place so far is passed over. */
const walk = (places: readonly Place[], words: string) => `  local place="" word
  for word in ${words}; do
    case "$place $word" in
${places
  .filter(({ path }) => path !== '')
  .map(({ path }) => `      "${path.includes(' ') ? path : ` ${path}`}") place="${path}" ;;`)
  .join('\n')}
    esac
  done`

function bash(places: readonly Place[]): string {
  return `# vitrine completions for bash: source this file, or put it in a folder of bash-completion.
_vitrine() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words=""
  COMPREPLY=()
${walk(places, '"${COMP_WORDS[@]:1:COMP_CWORD-1}"')}
  case "$before" in
${valueArms(places, '    FLAGS) return ;;', (flag, words) => `    ${flag}) COMPREPLY=($(compgen -W "${words}" -- "$current")); return ;;`)}
  esac
  case "$place" in
${arms(places, (path, words) => `    "${path}") words="${words}" ;;`)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -o bashdefault -F _vitrine vitrine
`
}

function zsh(places: readonly Place[]): string {
  return `#compdef vitrine
# vitrine completions for zsh: put this as "_vitrine" in a folder of $fpath, or source it after compinit.
_vitrine() {
  local before="\${words[CURRENT-1]}" offered=""
${walk(places, '"${(@)words[2,CURRENT-1]}"')}
  case "$before" in
${valueArms(places, '    FLAGS) _files; return ;;', (flag, words) => `    ${flag}) compadd -- ${words}; return ;;`)}
  esac
  case "$place" in
${arms(places, (path, words) => `    "${path}") offered="${words}" ;;`)}
  esac
  compadd -- \${=offered}
  [[ -n "$place" ]] && _files
  return 0
}
if [[ "\${funcstack[1]}" = "_vitrine" ]]; then _vitrine "$@"; else compdef _vitrine vitrine; fi
`
}

function fish(places: readonly Place[]): string {
  const lines = places.flatMap((place) => {
    const here = `-n "test (__vitrine_place) = '${place.path}'"`
    const words = [...place.commands, ...place.choices]
    return [
      ...(words.length > 0 ? [`complete -c vitrine ${here} -f -a "${words.join(' ')}"`] : []),
      ...place.options.flatMap(({ flags, takesValue, choices }) =>
        flags.map((flag) => {
          const value = choices.length > 0 ? ` -x -a "${choices.join(' ')}"` : takesValue ? ' -r' : ''
          return `complete -c vitrine ${here} -l ${flag.slice(2)}${value}`
        }),
      ),
    ]
  })
  const cases = places
    .filter(({ path }) => path !== '')
    .map(({ path }) => `      case '${path.includes(' ') ? path : ` ${path}`}'\n        set place '${path}'`)
  return `# vitrine completions for fish: put this in ~/.config/fish/completions/vitrine.fish
function __vitrine_place
  set -l place ''
  for word in (commandline -opc)[2..-1]
    switch "$place $word"
${cases.join('\n')}
    end
  end
  echo "$place"
end
${lines.join('\n')}
`
}

function powershell(places: readonly Place[]): string {
  const options = places.flatMap((place) => place.options)
  const chosen = options.flatMap(({ flags, choices }) =>
    choices.length === 0 ? [] : flags.map((flag) => `    '${flag}' = '${choices.join(' ')}'`),
  )
  return `# vitrine completions for PowerShell: add this to the file that $PROFILE names.
Register-ArgumentCompleter -Native -CommandName vitrine -ScriptBlock {
  param($current, $ast, $position)
  $places = @{
${arms(places, (path, words) => `    '${path}' = '${words}'`)}
  }
  $values = @{
${[...new Set(chosen)].join('\n')}
  }
  $before = @($ast.CommandElements | Where-Object { $_.Extent.EndOffset -lt $position } | ForEach-Object { "$_" })
  $place = ''
  foreach ($word in $before | Select-Object -Skip 1) {
    $next = "$place $word".Trim()
    if ($places.ContainsKey($next)) { $place = $next }
  }
  $last = if ($before.Count -gt 0) { $before[-1] } else { '' }
  $offered = if ($values.ContainsKey($last)) { $values[$last] } else { $places[$place] }
  $offered -split ' ' | Where-Object { $_ -like "$current*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`
}
