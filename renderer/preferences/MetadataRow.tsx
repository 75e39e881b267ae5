import { useEffect, useState } from 'react'
import { changesPictures, metadataChoices, type MetadataChoice } from '../../shared/metadata.ts'
import { metadataWords } from '../app/metadata-words.ts'
import { useWorkspace } from '../app/workspace-context.ts'
import { Select } from '../ui/Select.tsx'
import { Row } from './rows.tsx'
import { t } from '../../shared/language/text.ts'

interface MetadataRowProps {
  readonly value: MetadataChoice
  readonly onChange: (value: MetadataChoice) => void
}

/** Why this computer cannot write metadata; asked for where some is chosen. */
function useTrouble(isWanted: boolean): string | null {
  const { api } = useWorkspace()
  const [trouble, setTrouble] = useState<string | null>(null)
  useEffect(() => {
    if (!isWanted) {
      setTrouble(null)
      return undefined
    }
    const ends = new AbortController()
    api.preferences.metadataTrouble({}, { signal: ends.signal }).then(
      ({ sentence }) => setTrouble(sentence),
      () => setTrouble(null),
    )
    return () => ends.abort()
  }, [api, isWanted])
  return trouble
}

/** What is written into the files of new batches. */
export function MetadataRow({ value, onChange }: MetadataRowProps) {
  const trouble = useTrouble(changesPictures(value))
  return (
    <Row
      title={t`Written into the files`}
      note={trouble ?? t`Capture data, copyright, IPTC and XMP of the source; the settings and the run’s id.`}
    >
      <Select
        label={t`Written into the files`}
        hideLabel
        size="l"
        value={value}
        options={metadataWords.map(([id, label]) => ({ id, label }))}
        onChange={(id) => {
          const metadata = metadataChoices.find((choice) => choice === id)
          if (metadata !== undefined) onChange(metadata)
        }}
      />
    </Row>
  )
}
